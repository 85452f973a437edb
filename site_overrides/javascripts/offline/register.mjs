// Registers the service worker, which caches the whole site for offline use (sw.js, see build_scripts/service_worker), and
// shows the state of that at the foot of the page. A build without offline support has no manifest, and then nothing is
// registered.
/** @import { OfflineState } from "./status.mjs" */
import { createButton } from "../page/notices.mjs";
import { readOfflineState } from "./status.mjs";
import { root } from "../shared/urls.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { detectNewVersion, offerNewVersion } from "./new-version.mjs";

const DOWNLOAD_SIZE = "about 9 MB"; // the limit in tests/browser/budgets.toml
const STATUS_TEXT = {
  none: "",
  offered: `Data Saver is on. Save this site for offline use (${DOWNLOAD_SIZE})? `,
  working: `Saving for offline use (${DOWNLOAD_SIZE}) …`,
  ready: `Ready offline (${DOWNLOAD_SIZE}).`,
  failed: "Couldn't save for offline use. Check your connection and free space. ",
};
const REPLY_TIMEOUT = 60_000; // ms: the worker may have to refetch files before it replies
// The messages to the service worker, see worker.js.
const CHECK_PRECACHE = { type: "check-precache" };
const SKIP_WAITING = { type: "skip-waiting" };
/** @type {OfflineState} */
let state = "none";
/** @type {(() => void) | null} */
let buttonAction = null;

/** Set the state and the action of its button, and show them.
 *  @param {OfflineState} newState
 *  @param {(() => void) | null} newButtonAction null: no button */
function setAndShowStatus(newState, newButtonAction = null) {
  [state, buttonAction] = [newState, newButtonAction];
  renderStatus();
}

/** Show the state and its button at the foot of the page. */
function renderStatus() {
  const container = document.querySelector(".scratch-offline");
  if (!container) return;
  container.dataset.offline = state;
  container.textContent = STATUS_TEXT[state];
  if (buttonAction) container.append(createButton(state === "offered" ? "Save" : "Try again", buttonAction));
}

/** Register the service worker, and show its states.
 *  @returns {Promise<void>} */
async function registerServiceWorkerAndShowStatus() {
  setAndShowStatus("working");
  try {
    const url = new URL("sw.js", root);
    watchRegistration(await navigator.serviceWorker.register(url, { scope: root, updateViaCache: "none" }));
  } catch {
    setAndShowStatus("failed", registerServiceWorkerAndShowStatus);
  }
}

/** Show each new state of a registration, and update it when the tab becomes visible.
 *  @param {ServiceWorkerRegistration} registration */
function watchRegistration(registration) {
  const watchInstallation = () => registration.installing?.addEventListener("statechange", () => showStateAndOfferNewVersion(registration));
  registration.addEventListener("updatefound", watchInstallation);
  watchInstallation();
  void showStateAndOfferNewVersion(registration);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
}

/** Show the new state of the service worker, and offer a new version that waits.
 *  @param {ServiceWorkerRegistration} registration
 *  @returns {Promise<void>} */
async function showStateAndOfferNewVersion(registration) {
  const { waiting, active } = registration;
  if (waiting && active) offerNewVersion(() => activateAndReload(waiting));
  if (waiting && active && state === "ready") return; // a message would wake the old worker, which may be terminating
  const newState = await readOfflineState(registration, requestPrecacheState);
  setAndShowStatus(newState, newState === "failed" ? registerServiceWorkerAndShowStatus : null);
}

/** Activate a waiting service worker, and reload the page when it is active.
 *  @param {ServiceWorker} worker */
function activateAndReload(worker) {
  worker.addEventListener("statechange", () => worker.state === "activated" && location.reload());
  worker.postMessage(SKIP_WAITING);
}

/** Request from a worker whether all files are cached.
 *  @param {ServiceWorker} worker
 *  @returns {Promise<boolean>} false if it never replies: then it is not this site's worker */
function requestPrecacheState(worker) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(false), REPLY_TIMEOUT);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.postMessage(CHECK_PRECACHE, [port2]);
  });
}

/** Register the service worker; with Data Saver on, only offer that, unless it is registered already.
 *  @returns {Promise<void>} */
async function registerOrOfferRegistration() {
  const registered = await navigator.serviceWorker.getRegistration(root).catch(() => null);
  if (registered?.scope !== root && navigator.connection?.saveData) return setAndShowStatus("offered", registerServiceWorkerAndShowStatus);
  return registerServiceWorkerAndShowStatus();
}

/** Offer a new version when the tab becomes visible: without a service worker there is no update event. */
function offerNewVersionOnReturn() {
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState === "visible" && (await detectNewVersion())) offerNewVersion();
  });
}

const isEnabled = document.querySelector("link[rel=manifest]") !== null && !isFramed;
window.document$?.subscribe(renderStatus);
if (isEnabled && "serviceWorker" in navigator) {
  // If another tab has activated the new version, this tab still runs the old one.
  if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", () => offerNewVersion());
  void registerOrOfferRegistration();
} else {
  offerNewVersionOnReturn();
}
