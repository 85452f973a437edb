// Keeps the whole site on the device, so that it answers without a connection, and says at the foot of the page how far
// that is. The service worker does the keeping (sw.js, see build_scripts/service_worker). Where the site is not to be kept
// there is no manifest, and nothing happens here.
import { createButton } from "../page/notices.mjs";
import { stateOf } from "./status.mjs";
import { root } from "../shared/urls.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { isOutdated, offerNewVersion } from "./new-version.mjs";

const SAID = {
  none: "",
  asked: "Data Saver is on. Save this site for offline use (about 5 MB)? ",
  working: "Saving for offline use …",
  ready: "Ready offline.",
  failed: "Couldn’t save for offline use. Check your connection and free space. ",
};
const ANSWER_LIMIT = 60_000; // ms: the worker may have to fetch files again before it answers
let state = "none";
let press = null;

function tell(now, action = null) {
  [state, press] = [now, action];
  draw();
}

function draw() {
  const place = document.querySelector(".scratch-offline");
  if (!place) return;
  place.dataset.offline = state;
  place.textContent = SAID[state];
  if (press) place.append(createButton(state === "asked" ? "Save" : "Try again", press));
}

async function register() {
  tell("working");
  try {
    watch(await navigator.serviceWorker.register(new URL("sw.js", root), { scope: root, updateViaCache: "none" }));
  } catch {
    tell("failed", register);
  }
}

function watch(registration) {
  const follow = () => registration.installing?.addEventListener("statechange", () => look(registration));
  registration.addEventListener("updatefound", follow);
  follow();
  void look(registration);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
}

async function look(registration) {
  const { waiting, active } = registration;
  if (waiting && active) offerNewVersion(() => takeOver(waiting));
  if (waiting && active && state === "ready") return; // a question would wake the old worker, which may be ending
  const now = await stateOf(registration, isAllKept);
  tell(now, now === "failed" ? register : null);
}

function takeOver(worker) {
  worker.addEventListener("statechange", () => worker.state === "activated" && location.reload());
  worker.postMessage("take over");
}

/** Ask a worker whether all is kept; a worker that doesn't answer, because it is not this site's, keeps nothing. */
function isAllKept(worker) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(false), ANSWER_LIMIT);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.postMessage("is all kept?", [port2]);
  });
}

async function begin() {
  const known = await navigator.serviceWorker.getRegistration(root).catch(() => null);
  if (known?.scope !== root && navigator.connection?.saveData) return tell("asked", register);
  return register();
}

/** Without a worker nobody would tell a tab that has been left open of a new version. */
function lookByHand() {
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState === "visible" && (await isOutdated())) offerNewVersion();
  });
}

const isWanted = document.querySelector("link[rel=manifest]") !== null && !isFramed;
window.document$?.subscribe(draw);
if (isWanted && "serviceWorker" in navigator) {
  // Another tab took the new version: this one is of the old.
  if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", () => offerNewVersion());
  void begin();
} else {
  lookByHand();
}
