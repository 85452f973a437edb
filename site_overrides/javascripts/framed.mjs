// Whether this page is shown inside a page of another site. There nothing of the reader's is kept, set aside, replaced
// or deleted: what is pressed there may be that other page's doing.
export const isFramed = isForeign();

function isForeign() {
  try {
    return window.top.location.origin !== location.origin;
  } catch {
    return true; // another site's page tells nothing of itself
  }
}
