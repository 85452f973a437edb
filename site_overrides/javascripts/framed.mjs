// Whether this page is shown inside a page of another site. There nothing of the reader's is kept, set aside, replaced
// or deleted: what is pressed there may be that other page's doing.
import { say } from "./notices.mjs";

export const isFramed = isForeign();

function isForeign() {
  try {
    return window.top.location.origin !== location.origin;
  } catch {
    return true; // another site's page tells nothing of itself
  }
}

/** Say what is different here, and offer a tab of its own, which has the state of the moment. */
export function sayFramed(element) {
  const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", rel: "noopener" });
  link.textContent = "Open it in a tab of its own";
  link.addEventListener("pointerdown", () => (link.href = location.href));
  say(element, "framed", "Another site shows this page inside its own. Nothing is kept here, and nothing that you kept is shown.", [link]);
}
