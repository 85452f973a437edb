import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvent, replaceModule, setAddress, setPage, setVisibility } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

replaceModule(
  "/new-version.mjs",
  "export const offered = []; export const offerNewVersion = (take) => offered.push(take); export const isOutdated = async () => globalThis.outdated;",
);
const scripts = "../../site_overrides/javascripts";

test("without a service worker, a tab that is looked at again offers a new version where there is one", async () => {
  setAddress("https://example.org/rules/");
  setPage("<p></p>");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  const heard = new Map();
  const { addEventListener } = document;
  setVisibility("visible");
  document.addEventListener = (name, act) => heard.set(name, act);
  await import(`${scripts}/offline/register.mjs`);
  const { offered } = await import(`${scripts}/offline/new-version.mjs`);
  const found = [];
  for (const outdated of [false, true]) {
    globalThis.outdated = outdated;
    await heard.get("visibilitychange")();
    found.push(offered.length);
  }
  assert.deepEqual(found, [0, 1]);
  setVisibility("hidden");
  await heard.get("visibilitychange")();
  assert.equal(offered.length, 1);
  document.addEventListener = addEventListener;
});

// ---- with a service worker

globalThis.MessageChannel = class {
  port1 = {};
  port2 = { postMessage: (data) => this.port1.onmessage({ data }) };
};

/** A worker that says so when it is asked whether all is kept. */
class Hand extends EventTarget {
  sent = [];
  state = "installing";

  constructor(isAllKept = true) {
    super();
    this.isAllKept = isAllKept;
  }
  postMessage(text, [port] = []) {
    this.sent.push(text);
    if (text === "is all kept?") port.postMessage(this.isAllKept);
  }
  is(state) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}
const { root } = await import(`${scripts}/shared/urls.mjs`);
const { offered } = await import(`${scripts}/offline/new-version.mjs`);
let [visits, place, registration, asked, container] = [0];

/** A visit of a page that may be kept, by a browser that has this. */
async function visit({ workers = {}, known, saveData, fails = () => false, controller = null } = {}) {
  setAddress(root);
  place = setPage('<p class="scratch-offline"></p>');
  const link = document.createElement("link");
  link.setAttribute("rel", "manifest");
  document.body.append(link);
  const own = Object.assign(new EventTarget(), { installing: null, waiting: null, active: null, updates: 0 }, workers);
  own.update = async () => own.updates++;
  registration = own;
  asked = [];
  container = Object.assign(new EventTarget(), {
    controller,
    getRegistration: async (address) => known && { scope: address },
    register: async (url, how) => {
      asked.push([url.href, how]);
      if (fails()) throw new Error("no line");
      return registration;
    },
  });
  const value = { serviceWorker: container, connection: { saveData } };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  offered.length = 0;
  await import(`${scripts}/offline/register.mjs?${visits++}`);
  await settlePromises();
}
const said = () => [place.dataset.offline, place.textContent];

test("the site is kept by its worker, from its own root, and the page says how far that is", async () => {
  const worker = new Hand();
  await visit({ workers: { installing: worker } });
  assert.deepEqual(asked, [[`${root}sw.js`, { scope: root, updateViaCache: "none" }]]);
  assert.deepEqual(said(), ["working", "Saving for offline use …"]);
  Object.assign(registration, { installing: null, active: worker });
  worker.is("activated");
  await settlePromises();
  assert.deepEqual([said(), offered.length], [["ready", "Ready offline."], 0]);
  assert.deepEqual(worker.sent, ["is all kept?"]);
});

test("a new version waits until it is wanted, takes over then, and the page is loaded again once it has", async () => {
  const [active, found] = [new Hand(), new Hand()];
  await visit({ workers: { active } });
  Object.assign(registration, { installing: found });
  registration.dispatchEvent(new Event("updatefound"));
  Object.assign(registration, { installing: null, waiting: found });
  found.is("installed");
  await settlePromises();
  assert.deepEqual(active.sent, ["is all kept?"]); // once: the old one may be ending, and a question would wake it
  assert.deepEqual([said()[0], offered.length, found.sent], ["ready", 1, []]);
  let reloads = 0;
  location.reload = () => reloads++;
  offered[0]();
  assert.deepEqual([found.sent, reloads], [["take over"], 0]);
  found.is("activating");
  assert.equal(reloads, 0);
  found.is("activated");
  assert.equal(reloads, 1);
});

test("the first version of all is no new one", async () => {
  const worker = new Hand();
  await visit({ workers: { waiting: worker } });
  assert.deepEqual([said()[0], offered.length], ["working", 0]);
});

test("where it can't be kept that is said, and it can be tried again", async () => {
  let isDown = true;
  await visit({ fails: () => isDown, workers: { active: new Hand() } });
  assert.deepEqual(said(), ["failed", "Couldn’t save for offline use. Check your connection and free space. Try again"]);
  isDown = false;
  place.querySelector("button").click();
  await settlePromises();
  assert.deepEqual([said(), asked.length], [["ready", "Ready offline."], 2]);
  await visit({ workers: { active: new Hand(false) } });
  assert.deepEqual([said()[0], place.querySelector("button").textContent], ["failed", "Try again"]);
});

test("who saves data is asked first, once for this site", async () => {
  await visit({ saveData: true, workers: { active: new Hand() } });
  assert.deepEqual([asked, said()[0], place.querySelector("button").textContent], [[], "asked", "Save"]);
  place.querySelector("button").click();
  await settlePromises();
  assert.deepEqual([asked.length, said()[0]], [1, "ready"]);
  await visit({ saveData: true, known: true, workers: { active: new Hand() } });
  assert.deepEqual([asked.length, said()[0]], [1, "ready"]);
});

test("a tab that is looked at again asks for a new version; one whose worker is another now is told", async () => {
  await visit({ workers: { active: new Hand() }, controller: {} });
  for (const state of ["hidden", "visible"]) {
    setVisibility(state);
    document.dispatchEvent(createEvent("visibilitychange"));
  }
  assert.deepEqual([registration.updates, offered.length], [1, 0]);
  container.dispatchEvent(new Event("controllerchange"));
  assert.equal(offered.length, 1);
  await visit({ workers: { active: new Hand() } });
  container.dispatchEvent(new Event("controllerchange"));
  assert.equal(offered.length, 0, "the first worker of all is no news");
});

test("a worker that never answers keeps nothing, and the page says so after a minute", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const silent = new Hand();
  silent.postMessage = (text) => silent.sent.push(text);
  await visit({ workers: { active: silent } });
  assert.deepEqual([said()[0], silent.sent], ["working", ["is all kept?"]]);
  context.mock.timers.tick(60_000);
  await until(() => said()[0] === "failed");
  assert.match(said()[1], /^Couldn’t save for offline use/);
});
