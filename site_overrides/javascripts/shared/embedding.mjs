// Whether this page is shown inside a page of another site. There nothing of the reader's is kept, set aside, replaced
// or deleted: what is pressed there may be that other page's doing.
import { showNotice } from "../page/notices.mjs";

export const isFramed = isForeign();

function isForeign() {
  try {
    return window.top.location.origin !== location.origin;
  } catch {
    return true; // another site's page tells nothing of itself
  }
}

/** Say what is different here, and offer a tab of its own, which has the state of the moment. */
export function showEmbeddingNotice(element) {
  const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", rel: "noopener" });
  link.textContent = "Open in a new tab";
  link.addEventListener("pointerdown", () => (link.href = location.href));
  showNotice(element, "framed", "This page is shown inside another site. Nothing is saved here, and your saved entries aren’t shown.", [
    link,
  ]);
}
