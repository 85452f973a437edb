// A second window that follows an answer. In the one window an answer that holds a [data-screen] hands the HTML inside
// on, and nothing else; in the other <scratch-screen> shows it. The last one is kept for a reload. No Python starts there.
import { isFramed } from "./framed.mjs";
import { ownName } from "./place.mjs";
import { local, stored } from "./stored.mjs";

const NAME = ownName("scratch-screen");
let isShowing = false; // this window has handed something on

/** Take what is to be shown elsewhere out of an answer, and hand it on; an answer without it ends what was shown. */
export function handOn(content) {
  const part = content.querySelector("[data-screen]");
  part?.remove();
  if (isFramed || (!part && !isShowing)) return;
  isShowing = Boolean(part);
  const html = part ? part.innerHTML.trim() : "";
  try {
    if (html) local().setItem(NAME, html);
    else local().removeItem(NAME);
  } catch {
    // without storage a reload of the other window waits for the next answer
  }
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(html);
  channel.close();
}

class ScratchScreen extends HTMLElement {
  #channel = null;

  connectedCallback() {
    this.#channel = new BroadcastChannel(NAME);
    this.#channel.addEventListener("message", ({ data }) => this.#show(String(data)));
    this.#show(stored(NAME));
  }

  disconnectedCallback() {
    this.#channel?.close();
  }

  #show(html) {
    this.innerHTML = html || '<p class="screen-waiting">Nothing is shown yet. On the fight page, “Show it to the players” begins.</p>';
  }
}

customElements.define("scratch-screen", ScratchScreen);
