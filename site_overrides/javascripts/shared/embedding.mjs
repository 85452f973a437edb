// Detects whether this page is embedded in a page of another site. There no entries are saved, replaced or deleted: the
// embedding page may cause the clicks (clickjacking).
import { showNotice } from "../page/notices.mjs";

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

/** Show the limits of an embedded page in a notice, with a link to a new tab with the current state.
 *  @param {HTMLElement} calculator */
export function showEmbeddingNotice(calculator) {
  const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", rel: "noopener" });
  link.textContent = "Open in a new tab";
  link.addEventListener("pointerdown", () => (link.href = location.href));
  showNotice(calculator, "framed", "This page is shown inside another site. Nothing is saved here, and your saved entries aren't shown.", [
    link,
  ]);
}
