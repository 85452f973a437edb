// The players' screen: a second window that follows a fight. The fight's window publishes the HTML inside [data-screen] of
// each answer, and nothing else. <scratch-screen> in the other window shows it, and its age when updates stop. The last
// moment is stored for a reload until the fight's window is closed. The second window starts no Python.
// On another device it shows the moment in the URL after `#=`, which is neither updated nor stored.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readStoredText } from "../shared/web-storage.mjs";

const CHANNEL = storageKeyOf("scratch-screen");
const STALE_AFTER = 5 * 60_000; // ms without an update until the screen shows the age
const source = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)).map((each) => 97 + (each % 26))); // identifies this window until a reload
let last = null; // the last moment that this window has published: { html, at, source, isClosed }

/** Detach the players' screen from an answer, and publish it. An answer without one ends what was shown. */
export function detachAndPublishScreen(answerContent) {
  const screen = answerContent.querySelector("[data-screen]");
  screen?.remove();
  if (isFramed || (!screen && !last)) return;
  const moment = { html: screen ? screen.innerHTML.trim() : "", at: Date.now(), source, isClosed: false };
  last = screen ? moment : null;
  publishAndStore(moment);
}

/** Publish a moment to the other windows, and store it; remove the stored one if the moment ends the screen. */
function publishAndStore(moment) {
  try {
    if (moment.html && !moment.isClosed) getLocalStorage().setItem(CHANNEL, JSON.stringify(moment));
    else if (readStoredMoment()?.source === source) getLocalStorage().removeItem(CHANNEL);
  } catch {
    // without storage a reload of the other window waits for the next answer
  }
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(moment);
  channel.close();
}

addEventListener("pagehide", () => last && publishAndStore({ ...last, isClosed: true }));
addEventListener("pageshow", ({ persisted }) => persisted && last && publishAndStore(last)); // the page was restored from the back/forward cache

/** Read the moment that was last published in this browser. Returns null if there is none. */
function readStoredMoment() {
  try {
    return JSON.parse(readStoredText(CHANNEL) || "null");
  } catch {
    return null;
  }
}

class ScratchScreen extends HTMLElement {
  #channel = null;
  #moment = null; // the shown moment, if any
  #timer = 0;

  connectedCallback() {
    addEventListener("hashchange", this.#showMomentOfUrl);
    if (this.#showMomentOfUrl()) return;
    this.#channel = new BroadcastChannel(CHANNEL);
    this.#channel.addEventListener("message", ({ data }) => this.#handleUpdate(data));
    this.#showPublishedMoment(readStoredMoment());
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#showMomentOfUrl); // the next page may use fragments
    this.#channel?.close();
    clearTimeout(this.#timer);
  }

  /** Show the moment in the URL, initially and after each scan. Returns whether there is one. */
  #showMomentOfUrl = () => {
    const isMoment = location.hash.startsWith("#=");
    if (isMoment) this.#channel?.close();
    if (isMoment) clearTimeout(this.#timer);
    if (isMoment) void this.#showEncodedMoment(location.hash.slice(2));
    return isMoment;
  };

  /** Show the moment of a scanned code, or that the code is incomplete. */
  async #showEncodedMoment(encoded) {
    const moment = await inflateText(encoded)
      .then((text) => renderMoment(validateMoment(JSON.parse(text))))
      .catch(() => null);
    this.replaceChildren(moment ?? createElement("p", "screen-waiting", "That code isn't complete. Scan it again from the fight page."));
  }

  /** Show the update of a window, unless another window than the shown one has ended or is closed. */
  #handleUpdate(moment) {
    const isEnd = moment.isClosed || !moment.html;
    if (!isEnd || moment.source === this.#moment?.source) this.#showPublishedMoment(moment);
  }

  /** Show a moment that a window has published, or that there is none. */
  #showPublishedMoment(moment) {
    this.#moment = moment?.html ? moment : null;
    this.innerHTML =
      this.#moment?.html ??
      `<p class="screen-waiting">Nothing is shown yet. To begin, select “Start the players' screen” on the fight page.</p>`;
    this.#showAgeWhenStale();
  }

  /** Show the time of the moment: at once if its window is closed, else after some time without an update. */
  #showAgeWhenStale() {
    clearTimeout(this.#timer);
    if (!this.#moment) return;
    const { at, isClosed } = this.#moment;
    const remaining = at + STALE_AFTER - Date.now();
    if (isClosed) this.append(createElement("p", "screen-age", `The fight's window is closed. As of ${formatTime(at)}.`));
    else if (remaining <= 0) this.append(createElement("p", "screen-age", `As of ${formatTime(at)}.`));
    else this.#timer = setTimeout(() => this.#showAgeWhenStale(), remaining);
  }
}

/** Format a time of today as 20:14, an earlier one with its date. */
function formatTime(timestamp) {
  const date = new Date(timestamp);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${time} on ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
}

const MAX_ENCODED = 8_000; // the largest QR code holds 4,296
const MAX_MOMENT = 100_000; // bytes after unpacking

/** Inflate an encoded text. Throws if it is longer than any moment. */
async function inflateText(encoded) {
  if (encoded.length > MAX_ENCODED) throw new Error("too long for a code");
  const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    length += read.value.length;
    if (length > MAX_MOMENT) throw new Error("too long for a moment");
  }
  return new Blob(chunks).text();
}

const isTextOrNumber = (value) => typeof value === "string" || Number.isFinite(value);
const isPersonRow = (row) => Array.isArray(row) && row.length === 6 && row.every(isTextOrNumber);

/** Validate a moment and return it. Throws if it contains anything other than texts and numbers in the right places. */
function validateMoment(moment) {
  const [people, ...words] = [...moment].reverse();
  if (!words.length || !words.every(isTextOrNumber) || !people.every(isPersonRow)) throw new Error("no moment of a fight");
  return moment;
}

function createElement(tag, className, ...children) {
  const created = document.createElement(tag);
  created.className = className;
  created.append(...children);
  return created;
}

/** Render a moment like the fight's page; its values become text only. */
function renderMoment([round, step, whose, last, people]) {
  const items = people.map(([tint, name, side, state, space, how]) => {
    const sign = createElement("span", `side-mark side-${Number(tint)}`);
    const words = isolateRightToLeft([side, state, space && `at ${space}`].filter(Boolean).join(" · "));
    const className = how === "on" ? " is-on" : how === "out" ? " is-out" : "";
    return createElement(
      "li",
      `person side-${Number(tint)}${className}`,
      createElement("span", "person-name", sign, ` ${isolateRightToLeft(String(name))}`),
      " ",
      createElement("span", "screen-state", words),
    );
  });
  const now = createElement(
    "p",
    "screen-now",
    createElement("span", "screen-round", `Round ${round}, step ${step}`),
    " ",
    createElement("strong", "", isolateRightToLeft(String(whose || "…"))),
  );
  const note = "This is one moment of the fight and doesn't update. Scan the code again for the latest.";
  const moment = document.createDocumentFragment();
  moment.append(
    now,
    createElement("ul", "screen-people", ...items),
    createElement("p", "screen-last", isolateRightToLeft(String(last))),
    createElement("p", "hint", note),
  );
  return moment;
}

customElements.define("scratch-screen", ScratchScreen);
