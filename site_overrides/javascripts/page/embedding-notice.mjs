// The notice of a page that is embedded in a page of another site.
import { showNotice } from "./notices.mjs";

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
