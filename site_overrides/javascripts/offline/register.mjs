// Registers the service worker, which caches the whole site for offline use (sw.js, see build_scripts/service_worker), and
// shows the state of that at the foot of the page. A build without offline support has no manifest, and then nothing is
// registered.
import { createButton } from "../page/notices.mjs";
import { readOfflineState } from "./status.mjs";
import { root } from "../shared/urls.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { checkForNewVersion, offerNewVersion } from "./new-version.mjs";

const STATUS_TEXT = {
  none: "",
  asked: "Data Saver is on. Save this site for offline use (about 5 MB)? ",
  working: "Saving for offline use …",
  ready: "Ready offline.",
  failed: "Couldn't save for offline use. Check your connection and free space. ",
};
const REPLY_TIMEOUT = 60_000; // ms: the worker may have to refetch files before it replies
// The messages to the service worker, see worker.js.
const CHECK_PRECACHE = { type: "check-precache" };
const SKIP_WAITING = { type: "skip-waiting" };
let state = "none";
let buttonAction = null;

/** Set the state and the action of its button (null: no button), and show them. */
function setStatus(newState, newButtonAction = null) {
  [state, buttonAction] = [newState, newButtonAction];
  renderStatus();
}

function renderStatus() {
  const container = document.querySelector(".scratch-offline");
  if (!container) return;
  container.dataset.offline = state;
  container.textContent = STATUS_TEXT[state];
  if (buttonAction) container.append(createButton(state === "asked" ? "Save" : "Try again", buttonAction));
}

async function registerServiceWorker() {
  setStatus("working");
  try {
    const url = new URL("sw.js", root);
    watchRegistration(await navigator.serviceWorker.register(url, { scope: root, updateViaCache: "none" }));
  } catch {
    setStatus("failed", registerServiceWorker);
  }
}

function watchRegistration(registration) {
  const watchInstallation = () => registration.installing?.addEventListener("statechange", () => handleRegistrationChange(registration));
  registration.addEventListener("updatefound", watchInstallation);
  watchInstallation();
  void handleRegistrationChange(registration);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
}

/** Show the new state of the service worker, and offer a new version that waits. */
async function handleRegistrationChange(registration) {
  const { waiting, active } = registration;
  if (waiting && active) offerNewVersion(() => activateAndReload(waiting));
  if (waiting && active && state === "ready") return; // a message would wake the old worker, which may be terminating
  const newState = await readOfflineState(registration, askIfPrecached);
  setStatus(newState, newState === "failed" ? registerServiceWorker : null);
}

/** Activate a waiting service worker, and reload the page when it is active. */
function activateAndReload(worker) {
  worker.addEventListener("statechange", () => worker.state === "activated" && location.reload());
  worker.postMessage(SKIP_WAITING);
}

/** Ask a worker whether all files are cached. Resolves to false if it never replies: then it is not this site's worker.
 *  @returns {Promise<boolean>} */
function askIfPrecached(worker) {
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

/** Register the service worker; with Data Saver on, ask first unless it is registered already. */
async function registerOrAskUser() {
  const registered = await navigator.serviceWorker.getRegistration(root).catch(() => null);
  if (registered?.scope !== root && navigator.connection?.saveData) return setStatus("asked", registerServiceWorker);
  return registerServiceWorker();
}

/** Check for a new version each time the tab becomes visible: without a service worker there is no update event. */
function watchVisibilityForNewVersion() {
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState === "visible" && (await checkForNewVersion())) offerNewVersion();
  });
}

const isEnabled = document.querySelector("link[rel=manifest]") !== null && !isFramed;
window.document$?.subscribe(renderStatus);
if (isEnabled && "serviceWorker" in navigator) {
  // If another tab has activated the new version, this tab still runs the old one.
  if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", () => offerNewVersion());
  void registerOrAskUser();
} else {
  watchVisibilityForNewVersion();
}
