// <scratch-screen>: the players' screen, a second window that follows a fight. It shows what the fight's window publishes, and
// its age when updates stop. It starts no Python. While nothing is shown, it finds the windows whose fight could be shown,
// and a button starts the screen there. On another device it shows the moment in the URL after `#=`, which is neither
// updated nor stored.
/** @import { PublishedMoment, ScreenRequest } from "./players-channel.mjs" */
import { CHANNEL, createRequest, readStoredMoment } from "./players-channel.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { root, storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readLocalStorageText } from "../shared/web-storage.mjs";

const SCHEME_KEY = storageKeyOf("scratch-screen-scheme"); // "light", or nothing for dark
const IDLE_AFTER = 3_000; // ms without a movement until the pointer and the switch disappear
const STALE_AFTER = 5 * 60_000; // ms without an update until the screen shows the age

/** @typedef {string | number} TextOrNumber */

/** A character: the number of the side's tint, name, side, state, space, and "on", "out" or "".
 *  @typedef {[TextOrNumber, TextOrNumber, TextOrNumber, TextOrNumber, TextOrNumber, TextOrNumber]} PersonRow */

/** A moment as a code: round, step, whose turn it is, the last step in words, and the characters.
 *  @typedef {[TextOrNumber, TextOrNumber, TextOrNumber, TextOrNumber, PersonRow[]]} EncodedMoment */

class ScratchScreen extends HTMLElement {
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** The shown moment, if any. @type {PublishedMoment | null} */
  #moment = null;
  /** The window whose fight could be shown, "" for none. */
  #offering = "";
  /** The switch between dark and light. @type {HTMLElement | null} */
  #switch = null;
  #timer = 0;
  #idleTimer = 0;

  connectedCallback() {
    addEventListener("hashchange", this.#showUrlMomentAndStopUpdates);
    if (this.#showUrlMomentAndStopUpdates()) return;
    this.#channel = new BroadcastChannel(CHANNEL);
    this.#channel.addEventListener("message", ({ data }) =>
      "request" in data ? this.#handleOfferOrWithdrawal(data) : this.#handleUpdate(data),
    );
    this.#addSchemeSwitch();
    addEventListener("pointermove", this.#showPointerUntilIdle);
    this.#showPointerUntilIdle();
    this.#showPublishedMoment(readStoredMoment());
    this.#postRequest("find");
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#showUrlMomentAndStopUpdates); // the next page may use fragments
    removeEventListener("pointermove", this.#showPointerUntilIdle);
    this.#channel?.close();
    this.#switch?.remove();
    clearTimeout(this.#timer);
    clearTimeout(this.#idleTimer);
  }

  /** Send a request to the windows of fights.
   *  @param {ScreenRequest["request"]} request
   *  @param {string} [about] the window that it is about */
  #postRequest(request, about = "") {
    this.#channel?.postMessage(createRequest(request, about));
  }

  /** Show the moment in the URL, initially and after each scan.
   *  @returns {boolean} whether there is one */
  #showUrlMomentAndStopUpdates = () => {
    const isMoment = location.hash.startsWith("#=");
    if (isMoment) this.#channel?.close();
    if (isMoment) clearTimeout(this.#timer);
    if (isMoment) void this.#showEncodedMoment(location.hash.slice(2));
    return isMoment;
  };

  /** Show the moment of a scanned code, or that the code is incomplete.
   *  @param {string} encoded
   *  @returns {Promise<void>} */
  async #showEncodedMoment(encoded) {
    const moment = await inflateText(encoded)
      .then((text) => renderMoment(validateMoment(JSON.parse(text))))
      .catch(() => null);
    this.replaceChildren(
      moment ?? createElement("p", "players-screen__waiting", "That code isn't complete. Scan it again from the fight page."),
    );
  }

  /** Show the update of a window, unless another window than the shown one has ended or is closed.
   *  @param {PublishedMoment} moment */
  #handleUpdate(moment) {
    const isEnd = moment.isClosed || !moment.html;
    if (isEnd && moment.source !== this.#moment?.source) return;
    const turnBefore = measureTurn(this);
    const [eventBefore, outBefore] = [readLastEvent(this), countOut(this)];
    this.#showPublishedMoment(moment);
    if (readLastEvent(this) !== eventBefore) this.classList.add("is-new");
    if (countOut(this) > outBefore) this.classList.add("has-new-out");
    slideTurnBackground(this, turnBefore);
  }

  /** Show a moment that a window has published, or that there is none.
   *  @param {PublishedMoment | null} moment */
  #showPublishedMoment(moment) {
    this.#moment = moment?.html ? moment : null;
    this.classList.remove("is-new", "has-new-out");
    if (this.#moment) this.innerHTML = this.#moment.html;
    else this.replaceChildren(this.#renderEmptyScreen());
    this.#showAgeWhenStale();
  }

  /** Handle an offer of a window, or its end.
   *  @param {ScreenRequest} request */
  #handleOfferOrWithdrawal({ request, source: offering }) {
    if (request === "offer") this.#offering = offering;
    else if (request === "withdraw" && offering === this.#offering) this.#offering = "";
    else return;
    if (!this.#offering) this.#postRequest("find"); // another fight may be open
    if (!this.#moment) this.replaceChildren(this.#renderEmptyScreen());
  }

  /** Render the screen that shows nothing, with a button that shows the open fight, or a link that starts one.
   *  @returns {HTMLElement} */
  #renderEmptyScreen() {
    const offering = this.#offering;
    const start = createElement(offering ? "button" : "a", "button primary", offering ? "Show the open fight" : "Start a fight");
    if (offering) start.addEventListener("click", () => this.#postRequest("show", offering));
    else Object.assign(start, { href: `${root}tools/fight/`, target: "scratch-fight" });
    const net = createElement("span", "players-screen__net");
    net.setAttribute("aria-hidden", "true");
    const title = createElement("p", "players-screen__waiting-title", "Nothing is shown yet");
    return createElement("div", "players-screen__waiting", net, title, createElement("p", "actions", start));
  }

  /** Show the time of the moment: at once if its window is closed, else after some time without an update. */
  #showAgeWhenStale() {
    clearTimeout(this.#timer);
    if (!this.#moment) return;
    const { at, isClosed } = this.#moment;
    const remaining = at + STALE_AFTER - Date.now();
    if (isClosed)
      this.append(createElement("p", "players-screen__age", `The fight's window is closed. As of ${formatTimeAndPastDate(at)}.`));
    else if (remaining <= 0) this.append(createElement("p", "players-screen__age", `As of ${formatTimeAndPastDate(at)}.`));
    else this.#timer = setTimeout(() => this.#showAgeWhenStale(), remaining);
  }

  // Dark and light, for this screen only

  /** Add the switch between dark and light after this element. It is visible while a fight is shown. */
  #addSchemeSwitch() {
    this.dataset.scheme = readLocalStorageText(SCHEME_KEY) || "dark";
    this.#switch = createElement("button", "button players-screen__scheme", "Light");
    this.#switch.addEventListener("click", () => this.#setAndStoreScheme(this.dataset.scheme === "dark" ? "light" : "dark"));
    this.#switch.setAttribute("aria-pressed", String(this.dataset.scheme === "light"));
    this.after(this.#switch);
  }

  /** Switch to dark or light, and store it.
   *  @param {"dark" | "light"} scheme */
  #setAndStoreScheme(scheme) {
    this.dataset.scheme = scheme;
    this.#switch?.setAttribute("aria-pressed", String(scheme === "light"));
    try {
      if (scheme === "light") getLocalStorage().setItem(SCHEME_KEY, scheme);
      else getLocalStorage().removeItem(SCHEME_KEY);
    } catch {
      // without storage the next visit is dark again
    }
  }

  /** Show the pointer and the switch after a movement, until the pointer rests. */
  #showPointerUntilIdle = () => {
    clearTimeout(this.#idleTimer);
    this.removeAttribute("data-idle");
    this.#idleTimer = setTimeout(() => this.setAttribute("data-idle", ""), IDLE_AFTER);
  };
}

// Motion, if the reader has not reduced it

const MOTION = { duration: 220, easing: "ease-out" };

/** Read what the screen says happened last.
 *  @param {Element} screen
 *  @returns {string} */
const readLastEvent = (screen) => screen.querySelector(".players-screen__event")?.textContent ?? "";

/** Count the characters who can't act.
 *  @param {Element} screen
 *  @returns {number} */
const countOut = (screen) => screen.querySelectorAll(".is-out").length;

/** Measure the cell of the character whose turn it is.
 *  @param {Element} screen
 *  @returns {DOMRect | undefined} */
const measureTurn = (screen) => screen.querySelector(".person.is-on")?.getBoundingClientRect();

/** Slide the background of the cell whose turn it is from the cell before.
 *  @param {Element} screen
 *  @param {DOMRect | undefined} before the place of the cell before */
function slideTurnBackground(screen, before) {
  const cell = screen.querySelector(".person.is-on");
  const after = cell?.getBoundingClientRect();
  if (!before || !after || !cell?.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [across, down] = [before.left - after.left, before.top - after.top];
  if (across || down)
    cell.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], { ...MOTION, pseudoElement: "::before" });
}

/** Format a time of today as 20:14, an earlier one with its date.
 *  @param {number} timestamp in ms since 1970
 *  @returns {string} */
function formatTimeAndPastDate(timestamp) {
  const date = new Date(timestamp);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${time} on ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
}

const MAX_ENCODED = 8_000; // the largest QR code holds 4,296
const MAX_MOMENT = 100_000; // bytes after unpacking

/** Inflate an encoded text. Rejects if it is longer than any moment.
 *  @param {string} encoded in URL-safe Base64
 *  @returns {Promise<string>} */
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

/** @param {unknown} value */
const isTextOrNumber = (value) => typeof value === "string" || Number.isFinite(value);
/** @param {unknown} row */
const isPersonRow = (row) => Array.isArray(row) && row.length === 6 && row.every(isTextOrNumber);

/** Validate a moment. Throws if it contains anything other than texts and numbers in the right places.
 *  @param {unknown[]} moment
 *  @returns {EncodedMoment} the same moment */
function validateMoment(moment) {
  const [people, ...words] = [...moment].reverse();
  if (!words.length || !words.every(isTextOrNumber) || !Array.isArray(people) || !people.every(isPersonRow))
    throw new Error("no moment of a fight");
  return /** @type {EncodedMoment} */ (moment);
}

/** @param {string} tag
 *  @param {string} className
 *  @param {(string | Node)[]} children
 *  @returns {HTMLElement} */
function createElement(tag, className, ...children) {
  const created = document.createElement(tag);
  created.className = className;
  created.append(...children);
  return created;
}

/** Render a moment for a phone; its values become text only.
 *  @param {EncodedMoment} moment
 *  @returns {DocumentFragment} */
function renderMoment([round, , headline, last, people]) {
  const items = people.map(([tint, name, side, state, space, how]) => {
    const words = isolateRightToLeft([side, state, space && `at ${space}`].filter(Boolean).join(" · "));
    const className = how === "on" ? " is-on" : how === "out" ? " is-out" : "";
    return createElement(
      "li",
      `person side-${Number(tint)}${className}`,
      createElement("span", `side-mark side-${Number(tint)}`),
      " ",
      createElement("span", "person__name", isolateRightToLeft(String(name))),
      " ",
      createElement("span", "players-screen__state", words),
    );
  });
  const fragment = document.createDocumentFragment();
  fragment.append(
    createElement("p", "players-screen__now", createElement("strong", "players-screen__name", isolateRightToLeft(String(headline || "…")))),
    createElement("p", "players-screen__last", isolateRightToLeft(String(last))),
    createElement("ul", "players-screen__people", ...items),
    createElement(
      "p",
      "hint players-screen__scanned",
      `Round ${round}, as of ${formatTimeAndPastDate(readOrStoreScanTimeOfHash())}. Scan again for the next.`,
    ),
  );
  return fragment;
}

/** Read when the moment in the URL was scanned. A reload does not change the time, because the moment is still the same.
 *  @returns {number} in ms since 1970 */
function readOrStoreScanTimeOfHash() {
  const { hash } = location;
  const state = history.state ?? {};
  if (state.scannedHash === hash) return state.scannedAt;
  const scannedAt = Date.now();
  history.replaceState({ ...state, scannedHash: hash, scannedAt }, "");
  return scannedAt;
}

customElements.define("scratch-screen", ScratchScreen);
