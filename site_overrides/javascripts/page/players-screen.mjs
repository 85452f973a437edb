// A second window that follows an answer. In the one window an answer that holds a [data-screen] hands the HTML inside
// on, and nothing else; in the other <scratch-screen> shows it, and says how old it is where no news comes any more. The
// last one is kept for a reload, until the window that it is from is closed. No Python starts there.
// On another device it shows what the address holds behind `#=`: one moment, which does not follow and is not kept.
import { isolateNames } from "../shared/bidi.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { local, readStored } from "../shared/web-storage.mjs";

const NAME = storageKeyOf("scratch-screen");
const STALE_AFTER = 5 * 60_000; // milliseconds without news before the screen says how old it is
const source = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)).map((each) => 97 + (each % 26))); // this window, until it is reloaded
let last = null; // the moment that this window has handed on: { html, at, source, isClosed }

/** Take what is to be shown elsewhere out of an answer, and hand it on; an answer without it ends what was shown. */
export function publishPlayersScreen(content) {
  const part = content.querySelector("[data-screen]");
  part?.remove();
  if (isFramed || (!part && !last)) return;
  const moment = { html: part ? part.innerHTML.trim() : "", at: Date.now(), source, isClosed: false };
  last = part ? moment : null;
  send(moment);
}

function send(moment) {
  try {
    if (moment.html && !moment.isClosed) local().setItem(NAME, JSON.stringify(moment));
    else if (storedMoment()?.source === source) local().removeItem(NAME);
  } catch {
    // without storage a reload of the other window waits for the next answer
  }
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(moment);
  channel.close();
}

addEventListener("pagehide", () => last && send({ ...last, isClosed: true }));
addEventListener("pageshow", ({ persisted }) => persisted && last && send(last)); // back again, as it was

/** The moment handed on last in this browser, null where there is none. */
function storedMoment() {
  try {
    return JSON.parse(readStored(NAME) || "null");
  } catch {
    return null;
  }
}

class ScratchScreen extends HTMLElement {
  #channel = null;
  #moment = null; // what is shown, null for nothing
  #timer = 0;

  connectedCallback() {
    addEventListener("hashchange", this.#scanned);
    if (this.#scanned()) return;
    this.#channel = new BroadcastChannel(NAME);
    this.#channel.addEventListener("message", ({ data }) => this.#follow(data));
    this.#show(storedMoment());
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#scanned); // the next page has anchors of its own
    this.#channel?.close();
    clearTimeout(this.#timer);
  }

  /** Show the moment that the address holds, at first and scanned again; whether it holds one. */
  #scanned = () => {
    const isMoment = location.hash.startsWith("#=");
    if (isMoment) this.#channel?.close();
    if (isMoment) clearTimeout(this.#timer);
    if (isMoment) void this.#showMoment(location.hash.slice(2));
    return isMoment;
  };

  async #showMoment(letters) {
    const moment = await inflated(letters)
      .then((text) => drawn(checkMoment(JSON.parse(text))))
      .catch(() => null);
    this.replaceChildren(moment ?? element("p", "screen-waiting", "That code isn’t complete. Scan it again from the fight page."));
  }

  /** Show the news of a window; that another window than the one shown has ended or is closed is no news. */
  #follow(moment) {
    const isEnd = moment.isClosed || !moment.html;
    if (!isEnd || moment.source === this.#moment?.source) this.#show(moment);
  }

  #show(moment) {
    this.#moment = moment?.html ? moment : null;
    this.innerHTML =
      this.#moment?.html ??
      '<p class="screen-waiting">Nothing is shown yet. To begin, select “Start the players’ screen” on the fight page.</p>';
    this.#showAge();
  }

  /** Say from when the moment is, at once where its window is closed, else once no news has come for a while. */
  #showAge() {
    clearTimeout(this.#timer);
    if (!this.#moment) return;
    const { at, isClosed } = this.#moment;
    const rest = at + STALE_AFTER - Date.now();
    if (isClosed) this.append(element("p", "screen-age", `The fight’s window is closed. As of ${timeOf(at)}.`));
    else if (rest <= 0) this.append(element("p", "screen-age", `As of ${timeOf(at)}.`));
    else this.#timer = setTimeout(() => this.#showAge(), rest);
  }
}

/** A time of today as 20:14, an earlier one with its date. */
function timeOf(at) {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${time} on ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
}

const MAX_LETTERS = 8_000; // the largest QR code holds 4,296
const MAX_MOMENT = 100_000; // bytes after unpacking

/** The text that was packed into these letters; throws where letters or text are longer than any moment's. */
async function inflated(letters) {
  if (letters.length > MAX_LETTERS) throw new Error("too long for a code");
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
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

const isWord = (value) => typeof value === "string" || Number.isFinite(value);
const isPerson = (row) => Array.isArray(row) && row.length === 6 && row.every(isWord);

/** Return a moment as it came; throws for anything that is not words and numbers in a moment's places. */
function checkMoment(moment) {
  const [people, ...words] = [...moment].reverse();
  if (!words.length || !words.every(isWord) || !people.every(isPerson)) throw new Error("no moment of a fight");
  return moment;
}

function element(name, style, ...inside) {
  const made = document.createElement(name);
  made.className = style;
  made.append(...inside);
  return made;
}

/** One moment as the fight's page draws it; everything in it is text. */
function drawn([round, step, whose, last, people]) {
  const all = people.map(([tint, name, side, state, space, how]) => {
    const sign = element("span", `side-mark side-${Number(tint)}`);
    const words = isolateNames([side, state, space && `at ${space}`].filter(Boolean).join(" · "));
    const shown = how === "on" ? " is-on" : how === "out" ? " is-out" : "";
    return element(
      "li",
      `person side-${Number(tint)}${shown}`,
      element("span", "person-name", sign, ` ${isolateNames(String(name))}`),
      " ",
      element("span", "screen-state", words),
    );
  });
  const now = element(
    "p",
    "screen-now",
    element("span", "screen-round", `Round ${round}, step ${step}`),
    " ",
    element("strong", "", isolateNames(String(whose || "…"))),
  );
  const note = "This is one moment of the fight and doesn’t update. Scan the code again for the latest.";
  const moment = document.createDocumentFragment();
  moment.append(
    now,
    element("ul", "screen-people", ...all),
    element("p", "screen-last", isolateNames(String(last))),
    element("p", "hint", note),
  );
  return moment;
}

customElements.define("scratch-screen", ScratchScreen);
