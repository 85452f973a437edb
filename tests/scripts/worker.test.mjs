import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { buildSync } from "esbuild";

const { readOfflineState } = await import("../../site_overrides/javascripts/offline/status.mjs");

const FILE = fileURLToPath(new URL("../../build_scripts/service_worker/worker.js", import.meta.url));
const SOURCE = buildSync({ entryPoints: [FILE], bundle: true, format: "iife", write: false }).outputFiles[0].text;
const ROOT = "https://example.org/site/";
const PATHS = ["index.html", "rules/index.html", "404.html", "assets/engine.mjs"];
const computeDigest = (text) => createHash("sha256").update(text).digest("hex");

const createRandom = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** Create one version of the site: its files, some unchanged since the previous version, and its precache manifest. */
function createVersion(number) {
  const names = [...PATHS, `assets/engine-${number}.mjs`];
  const files = new Map(names.map((path, at) => [path, at % 2 ? `${path} of ${number}` : `${path} of ${number >> 1}`]));
  return { number, files, precache: Object.fromEntries([...files].map(([path, text]) => [path, computeDigest(text)])) };
}

/** A minimal `Cache`. */
class FakeCache {
  texts = new Map();

  async match(requested, { ignoreSearch = false } = {}) {
    const bare = (url) => (ignoreSearch ? url.split("?")[0] : url);
    const url = [...this.texts.keys()].find((each) => bare(each) === bare(requested));
    return url && new Response(this.texts.get(url));
  }

  async put(url, response) {
    this.texts.set(url, await response.text());
  }

  async keys() {
    return [...this.texts.keys()].map((url) => ({ url }));
  }

  async delete(request) {
    return this.texts.delete(request.url);
  }
}

/** A browser with the site: its cache, its tabs, each of a version, and a server whose connection fails. */
class Browser {
  store = new FakeCache();
  tabs = [];
  remainingResponses = Infinity; // until the connection fails

  constructor(served) {
    this.served = served;
  }

  async fetch(url) {
    if ((this.remainingResponses -= 1) < 0) throw new TypeError("the connection failed");
    const path = url.slice(ROOT.length).replace(/(^|\/)$/, "$1index.html");
    return new Response(this.served.files.get(path) ?? "nothing", { status: this.served.files.has(path) ? 200 : 404 });
  }

  /** Start the worker of a version. */
  createWorker({ number, precache, files }) {
    const listeners = {};
    const self = {
      location: `${ROOT}sw.js`,
      clients: { matchAll: async () => this.tabs },
      addEventListener: (name, act) => (listeners[name] = act),
      skipWaiting: () => {},
    };
    const caches = {
      open: async () => (this.store ??= new FakeCache()),
      has: async () => this.store !== null,
      match: async (request, options) => this.store?.match(request, options),
    };
    const globals = { self, caches, fetch: (url) => this.fetch(url.url ?? url) };
    runInContext(
      SOURCE,
      createContext({ ...globals, PRECACHE: precache, crypto: webcrypto, URL, Response, Map, Set, Uint8Array, Array, Promise }),
    );
    const dispatch = (name, event = {}) => {
      let waiting;
      listeners[name]({ ...event, waitUntil: (promise) => (waiting = promise), respondWith: (promise) => (waiting = promise) });
      return waiting;
    };
    return {
      number,
      files,
      install: () =>
        dispatch("install").then(
          () => true,
          () => false,
        ),
      activate: () => dispatch("activate"),
      answer: (path) => dispatch("fetch", { request: { method: "GET", mode: "no-cors", url: ROOT + path } }),
      checkPrecache: async () => {
        let reply;
        await dispatch("message", { data: { type: "check-precache" }, ports: [{ postMessage: (data) => (reply = data) }] });
        return reply;
      },
    };
  }
}

const hasAllFiles = (browser, { precache, files }) =>
  [...files].every(([path, text]) => browser.store.texts.get(`${ROOT}${path}?${precache[path]}`) === text);

async function runRandomUpdates(seed) {
  const random = createRandom(seed);
  const versions = Array.from({ length: 4 }, (_, number) => createVersion(number));
  const browser = new Browser(versions[0]);
  let active = null;
  for (let step = 0; step < 30; step += 1) {
    const context = `seed ${seed}, step ${step}`;
    const next = versions[Math.floor(random() * versions.length)];
    browser.served = random() < 0.15 ? versions[Math.floor(random() * versions.length)] : next;
    browser.remainingResponses = random() < 0.4 ? Math.floor(random() * 12) : Infinity;
    const worker = browser.createWorker(next);
    const isInstalled = await worker.install();
    assert.ok(!isInstalled || hasAllFiles(browser, next), `${context}: installed without all files`);
    if (isInstalled && random() < 0.6) {
      const before = new Map(browser.store.texts);
      await worker.activate();
      assert.ok(hasAllFiles(browser, next), `${context}: deleted its own files`);
      if (browser.tabs.length > 1)
        assert.deepEqual(browser.store.texts, before, `${context}: deleted old files while a second tab was open`);
      else assert.equal(browser.store.texts.size, next.files.size, `${context}: old files stay`);
      active = worker;
      browser.tabs = [...browser.tabs.slice(0, -1), active]; // one tab took the new version
    }
    if (active) await checkResponses(browser, active, random, versions[active.number], context);
    if (active && random() < 0.4) browser.tabs.push(active);
    if (random() < 0.3) browser.tabs.pop();
  }
}

/** Check the responses of the active worker, after the browser may have evicted a file. */
async function checkResponses(browser, active, random, own, context) {
  if (random() < 0.3) browser.store.texts.delete([...browser.store.texts.keys()][Math.floor(random() * browser.store.texts.size)]);
  const isReady = await active.checkPrecache();
  assert.ok(!isReady || hasAllFiles(browser, own), `${context}: reported as complete, but files are missing`);
  browser.remainingResponses = 0;
  for (const [path, text] of own.files) {
    const answer = await active.answer(path.replace(/index\.html$/, ""));
    const isCached = browser.store.texts.has(`${ROOT}${path}?${own.precache[path]}`);
    assert.equal(answer.type === "error" ? null : await answer.text(), isCached ? text : null, `${context}: ${path}`);
  }
}

test("the service worker never mixes cached versions, and keeps old files while a second tab is open", async () => {
  for (let seed = 1; seed <= 40; seed += 1) await runRandomUpdates(seed);
});

test("the service worker keeps an old tab's own files available offline while the tab is open", async () => {
  const [old, now] = [createVersion(0), createVersion(1)];
  const browser = new Browser(old);
  await browser.createWorker(old).install();
  browser.served = now;
  const worker = browser.createWorker(now);
  assert.ok(await worker.install());
  browser.tabs = [old, now];
  await worker.activate();
  browser.remainingResponses = 0;
  assert.equal(await (await worker.answer("assets/engine-0.mjs")).text(), old.files.get("assets/engine-0.mjs"));
  browser.tabs = [now];
  await worker.activate();
  assert.equal((await worker.answer("assets/engine-0.mjs")).type, "error");
});

test("readOfflineState is ready only if the worker reports that all files are cached", async () => {
  const cases = [
    [{ active: "a" }, true, "ready"],
    [{ active: "a" }, false, "failed"],
    [{ active: "a", waiting: "b" }, true, "ready"],
    [{ installing: "b" }, true, "working"],
    [{ waiting: "b" }, true, "working"],
    [{}, true, "failed"],
  ];
  for (const [registration, isComplete, state] of cases) {
    assert.equal(await readOfflineState(registration, async (worker) => worker === "a" && isComplete), state);
  }
});

test("the service worker redirects a URL without its trailing slash offline, with its query", async () => {
  const own = createVersion(0);
  const browser = new Browser(own);
  const worker = browser.createWorker(own);
  await worker.install();
  browser.remainingResponses = 0;
  const answer = await worker.answer("rules?roll=2d6");
  assert.equal(answer.headers.get("location"), `${ROOT}rules/?roll=2d6`);
});

test("the service worker fetches from the server after its cache was deleted, and creates no cache", async () => {
  const own = createVersion(0);
  const browser = new Browser(own);
  const worker = browser.createWorker(own);
  await worker.install();
  browser.store = null; // unregister.js deletes the cache while a page of the old version still loads
  for (const [path, text] of own.files) assert.equal(await (await worker.answer(path)).text(), text, path);
  assert.equal((await worker.answer("assets/unknown.mjs")).status, 404);
  assert.equal(browser.store, null);
});
