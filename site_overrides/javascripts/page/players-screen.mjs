// The fight's side of the players' screen, a second window that follows a fight. The fight's window publishes the HTML inside
// [data-screen] of each answer, and nothing else, and stores the last moment for a reload until it is closed. While its
// fight is not shown, it offers it to a screen that shows nothing. The screen itself is in players-window.mjs.
/** @import { PublishedMoment } from "./players-channel.mjs" */
import { CHANNEL, createRequest, readStoredMoment } from "./players-channel.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { getLocalStorage } from "../shared/web-storage.mjs";

const START_BUTTON = "[data-screen-on]";
const source = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)).map((each) => 97 + (each % 26))); // identifies this window until a reload

/** The last moment that this window has published. @type {PublishedMoment | null} */
let last = null;

/** Detach the players' screen from an answer, and publish it. An answer without one ends the screen.
 *  @param {ParentNode} answerContent */
export function detachAndPublishScreen(answerContent) {
  const screen = answerContent.querySelector("[data-screen]");
  screen?.remove();
  if (isFramed) return;
  offerOrWithdrawFight(answerContent.querySelector(START_BUTTON) !== null);
  if (!screen && !last) return;
  const moment = { html: screen ? screen.innerHTML.trim() : "", at: Date.now(), source, isClosed: false };
  last = screen ? moment : null;
  publishAndUpdateStored(moment);
}

/** Publish a moment to the other windows, and store it in localStorage; remove the stored one if the moment ends the screen.
 *  @param {PublishedMoment} moment */
function publishAndUpdateStored(moment) {
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

/** The channel on which this window offers its fight. It is closed otherwise, because an open channel keeps a page out of the
 *  back/forward cache. @type {BroadcastChannel | null} */
let offers = null;

/** Offer the fight of this window to a screen that shows nothing, or withdraw the offer.
 *  @param {boolean} isOffered */
function offerOrWithdrawFight(isOffered) {
  if (!isOffered) return withdrawOffer();
  offers ??= openOfferChannel();
  offers.postMessage(createRequest("offer", source));
}

/** Withdraw the offer of this window, if there is one. */
function withdrawOffer() {
  const channel = offers;
  offers = null;
  channel?.postMessage(createRequest("withdraw", source));
  channel?.close();
}

/** Open the channel of this window's offer.
 *  @returns {BroadcastChannel} */
function openOfferChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (data.request === "find") offers?.postMessage(createRequest("offer", source));
    if (data.request === "show" && data.source === source) clickStartButton();
  });
  return channel;
}

/** Click the button that starts the players' screen. */
function clickStartButton() {
  /** @type {HTMLElement | null} */ (document.querySelector(START_BUTTON))?.click();
}

addEventListener("pagehide", withdrawOffer);
addEventListener("pageshow", ({ persisted }) => persisted && document.querySelector(START_BUTTON) && offerOrWithdrawFight(true));
addEventListener("pagehide", () => last && publishAndUpdateStored({ ...last, isClosed: true }));
addEventListener("pageshow", ({ persisted }) => persisted && last && publishAndUpdateStored(last)); // the page was restored from the back/forward cache

/** Loads the stylesheet and the script of the screen, which no other page needs. */
class ScratchScreenLoader extends HTMLElement {
  connectedCallback() {
    const href = new URL("players-screen.css", import.meta.url).href; // the build lays it next to the scripts
    this.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    import("./players-window.mjs").catch(() => {}); // without it the page says that it can't follow the fight
  }
}

customElements.define("scratch-screen-loader", ScratchScreenLoader);
