// Detects whether this page is embedded in a page of another site. There no entries are saved, replaced or deleted: the
// embedding page may cause the clicks (clickjacking).

/** Whether a page of another site embeds this page. */
export const isFramed = isInForeignFrame();

/** Whether the outermost page has another origin.
 *  @returns {boolean} */
function isInForeignFrame() {
  try {
    return window.top?.location.origin !== location.origin;
  } catch {
    return true; // the origin of another site's page is inaccessible
  }
}
