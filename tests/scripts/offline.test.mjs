import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvent, replaceModule, setAddress, setPage, setVisibility } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

replaceModule(
  "/new-version.mjs",
  "export const offered = []; export const offerNewVersion = (activate) => offered.push(activate); export const detectNewVersion = async () => globalThis.outdated;",
);
const scripts = "../../site_overrides/javascripts";

test("a tab without a service worker offers a new version, if there is one, when it becomes visible", async () => {
  setAddress("https://example.org/rules/");
  setPage("<p></p>");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  const listeners = new Map();
  const { addEventListener } = document;
  setVisibility("visible");
  document.addEventListener = (name, listener) => listeners.set(name, listener);
  await import(`${scripts}/offline/register.mjs`);
  const { offered } = await import(`${scripts}/offline/new-version.mjs`);
  const counts = [];
  for (const outdated of [false, true]) {
    globalThis.outdated = outdated;
    await listeners.get("visibilitychange")();
    counts.push(offered.length);
  }
  assert.deepEqual(counts, [0, 1]);
  setVisibility("hidden");
  await listeners.get("visibilitychange")();
  assert.equal(offered.length, 1);
  document.addEventListener = addEventListener;
});

// ---- with a service worker

globalThis.MessageChannel = class {
  port1 = {};
  port2 = { postMessage: (data) => this.port1.onmessage({ data }) };
};

/** A service worker that replies to the check of the precache with a fixed value. */
class FakeWorker extends EventTarget {
  sent = [];
  state = "installing";

  constructor(isComplete = true) {
    super();
    this.isComplete = isComplete;
  }
  postMessage({ type }, [port] = []) {
    this.sent.push(type);
    if (type === "check-precache") port.postMessage(this.isComplete);
  }
  setState(state) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}
const { root } = await import(`${scripts}/shared/urls.mjs`);
const { offered } = await import(`${scripts}/offline/new-version.mjs`);
let [visitCount, container, registration, registerCalls, serviceWorker] = [0];

/** Load a page with offline support in a browser with these service workers and settings. */
async function loadPage({ workers = {}, known, saveData, fails = () => false, controller = null } = {}) {
  setAddress(root);
  container = setPage('<p class="scratch-offline"></p>');
  const link = document.createElement("link");
  link.setAttribute("rel", "manifest");
  document.body.append(link);
  const own = Object.assign(new EventTarget(), { installing: null, waiting: null, active: null, updates: 0 }, workers);
  own.update = async () => own.updates++;
  registration = own;
  registerCalls = [];
  serviceWorker = Object.assign(new EventTarget(), {
    controller,
    getRegistration: async (address) => known && { scope: address },
    register: async (url, how) => {
      registerCalls.push([url.href, how]);
      if (fails()) throw new Error("no connection");
      return registration;
    },
  });
  const value = { serviceWorker, connection: { saveData } };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  offered.length = 0;
  await import(`${scripts}/offline/register.mjs?${visitCount++}`);
  await settlePromises();
}
const readStatus = () => [container.dataset.offline, container.textContent];

test("the page registers the service worker for the site's root, and shows its state", async () => {
  const worker = new FakeWorker();
  await loadPage({ workers: { installing: worker } });
  assert.deepEqual(registerCalls, [[`${root}sw.js`, { scope: root, updateViaCache: "none" }]]);
  assert.deepEqual(readStatus(), ["working", "Saving for offline use (about 9 MB) …"]);
  Object.assign(registration, { installing: null, active: worker });
  worker.setState("activated");
  await settlePromises();
  assert.deepEqual([readStatus(), offered.length], [["ready", "Ready offline (about 9 MB)."], 0]);
  assert.deepEqual(worker.sent, ["check-precache"]);
});

test("a new version waits until the user accepts it, then activates, and the page reloads", async () => {
  const [active, updated] = [new FakeWorker(), new FakeWorker()];
  await loadPage({ workers: { active } });
  Object.assign(registration, { installing: updated });
  registration.dispatchEvent(new Event("updatefound"));
  Object.assign(registration, { installing: null, waiting: updated });
  updated.setState("installed");
  await settlePromises();
  assert.deepEqual(active.sent, ["check-precache"]); // once: the old worker may be terminating, and a message would wake it
  assert.deepEqual([readStatus()[0], offered.length, updated.sent], ["ready", 1, []]);
  let reloads = 0;
  location.reload = () => reloads++;
  offered[0]();
  assert.deepEqual([updated.sent, reloads], [["skip-waiting"], 0]);
  updated.setState("activating");
  assert.equal(reloads, 0);
  updated.setState("activated");
  assert.equal(reloads, 1);
});

test("the first installed version is not offered as a new version", async () => {
  const worker = new FakeWorker();
  await loadPage({ workers: { waiting: worker } });
  assert.deepEqual([readStatus()[0], offered.length], ["working", 0]);
});

test("a failed registration is shown and can be retried", async () => {
  let isDown = true;
  await loadPage({ fails: () => isDown, workers: { active: new FakeWorker() } });
  assert.deepEqual(readStatus(), ["failed", "Couldn't save for offline use. Check your connection and free space. Try again"]);
  isDown = false;
  container.querySelector("button").click();
  await settlePromises();
  assert.deepEqual([readStatus(), registerCalls.length], [["ready", "Ready offline (about 9 MB)."], 2]);
  await loadPage({ workers: { active: new FakeWorker(false) } });
  assert.deepEqual([readStatus()[0], container.querySelector("button").textContent], ["failed", "Try again"]);
});

test("the page asks once for this site before it registers the service worker with Data Saver on", async () => {
  await loadPage({ saveData: true, workers: { active: new FakeWorker() } });
  assert.deepEqual([registerCalls, readStatus()[0], container.querySelector("button").textContent], [[], "offered", "Save"]);
  container.querySelector("button").click();
  await settlePromises();
  assert.deepEqual([registerCalls.length, readStatus()[0]], [1, "ready"]);
  await loadPage({ saveData: true, known: true, workers: { active: new FakeWorker() } });
  assert.deepEqual([registerCalls.length, readStatus()[0]], [1, "ready"]);
});

test("a visible tab checks for an update, and the other tabs report a new controller", async () => {
  await loadPage({ workers: { active: new FakeWorker() }, controller: {} });
  for (const state of ["hidden", "visible"]) {
    setVisibility(state);
    document.dispatchEvent(createEvent("visibilitychange"));
  }
  assert.deepEqual([registration.updates, offered.length], [1, 0]);
  serviceWorker.dispatchEvent(new Event("controllerchange"));
  assert.equal(offered.length, 1);
  await loadPage({ workers: { active: new FakeWorker() } });
  serviceWorker.dispatchEvent(new Event("controllerchange"));
  assert.equal(offered.length, 0, "the first worker is not a new version");
});

test("a service worker that never replies counts as failed after a minute", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const silent = new FakeWorker();
  silent.postMessage = ({ type }) => silent.sent.push(type);
  await loadPage({ workers: { active: silent } });
  assert.deepEqual([readStatus()[0], silent.sent], ["working", ["check-precache"]]);
  context.mock.timers.tick(60_000);
  await until(() => readStatus()[0] === "failed");
  assert.match(readStatus()[1], /^Couldn't save for offline use/);
});
