import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const { stateOf } = await import("../../site_overrides/javascripts/offline/status.mjs");

const SOURCE = readFileSync(new URL("../../build_scripts/service_worker/worker.js", import.meta.url), "utf8");
const ROOT = "https://example.org/site/";
const PATHS = ["index.html", "rules/index.html", "404.html", "assets/engine.mjs"];
const digestOf = (text) => createHash("sha256").update(text).digest("hex");

const seeded = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** One version of the site: its files, some of which are as they were before, and their list. */
function version(number) {
  const names = [...PATHS, `assets/engine-${number}.mjs`];
  const files = new Map(names.map((path, at) => [path, at % 2 ? `${path} of ${number}` : `${path} of ${number >> 1}`]));
  return { number, files, list: Object.fromEntries([...files].map(([path, text]) => [path, digestOf(text)])) };
}

/** A browser's store of answers, by hand. */
class Store {
  kept = new Map();

  async match(asked, { ignoreSearch = false } = {}) {
    const bare = (url) => (ignoreSearch ? url.split("?")[0] : url);
    const url = [...this.kept.keys()].find((each) => bare(each) === bare(asked));
    return url && new Response(this.kept.get(url));
  }

  async put(url, response) {
    this.kept.set(url, await response.text());
  }

  async keys() {
    return [...this.kept.keys()].map((url) => ({ url }));
  }

  async delete(request) {
    return this.kept.delete(request.url);
  }
}

/** A browser with the site: what is kept, the tabs, each of a version, and a server whose line breaks. */
class Browser {
  store = new Store();
  tabs = [];
  left = Infinity; // answers that the line still carries

  constructor(served) {
    this.served = served;
  }

  async fetch(url) {
    if ((this.left -= 1) < 0) throw new TypeError("the line broke");
    const path = url.slice(ROOT.length).replace(/(^|\/)$/, "$1index.html");
    return new Response(this.served.files.get(path) ?? "nothing", { status: this.served.files.has(path) ? 200 : 404 });
  }

  /** The worker of a version. */
  worker({ number, list, files }) {
    const listeners = {};
    const self = {
      location: `${ROOT}sw.js`,
      clients: { matchAll: async () => this.tabs },
      addEventListener: (name, act) => (listeners[name] = act),
      skipWaiting: () => {},
    };
    const caches = {
      open: async () => (this.store ??= new Store()),
      has: async () => this.store !== null,
      match: async (request, options) => this.store?.match(request, options),
    };
    const room = { self, caches, fetch: (url) => this.fetch(url.url ?? url) };
    const source = SOURCE.replace("const LIST = {};", `const LIST = ${JSON.stringify(list)};`);
    runInContext(source, createContext({ ...room, crypto: webcrypto, URL, Response, Map, Set, Uint8Array, Array, Promise }));
    const during = (name, event = {}) => {
      let waiting;
      listeners[name]({ ...event, waitUntil: (promise) => (waiting = promise), respondWith: (promise) => (waiting = promise) });
      return waiting;
    };
    return {
      number,
      files,
      install: () =>
        during("install").then(
          () => true,
          () => false,
        ),
      activate: () => during("activate"),
      answer: (path) => during("fetch", { request: { method: "GET", mode: "no-cors", url: ROOT + path } }),
      isAllKept: async () => {
        let said;
        await during("message", { data: "is all kept?", ports: [{ postMessage: (data) => (said = data) }] });
        return said;
      },
    };
  }
}

const holds = (browser, { list, files }) =>
  [...files].every(([path, text]) => browser.store.kept.get(`${ROOT}${path}?${list[path]}`) === text);

async function life(seed) {
  const chance = seeded(seed);
  const versions = Array.from({ length: 4 }, (_, number) => version(number));
  const browser = new Browser(versions[0]);
  let active = null;
  for (let step = 0; step < 30; step += 1) {
    const told = `seed ${seed}, step ${step}`;
    const next = versions[Math.floor(chance() * versions.length)];
    browser.served = chance() < 0.15 ? versions[Math.floor(chance() * versions.length)] : next;
    browser.left = chance() < 0.4 ? Math.floor(chance() * 12) : Infinity;
    const worker = browser.worker(next);
    const isIn = await worker.install();
    assert.ok(!isIn || holds(browser, next), `${told}: took over and is not whole`);
    if (isIn && chance() < 0.6) {
      const before = new Map(browser.store.kept);
      await worker.activate();
      assert.ok(holds(browser, next), `${told}: swept what it needs itself`);
      if (browser.tabs.length > 1) assert.deepEqual(browser.store.kept, before, `${told}: swept under a second tab`);
      else assert.equal(browser.store.kept.size, next.files.size, `${told}: old files stay`);
      active = worker;
      browser.tabs = [...browser.tabs.slice(0, -1), active]; // one tab took the new version
    }
    if (active) await use(browser, active, chance, versions[active.number], told);
    if (active && chance() < 0.4) browser.tabs.push(active);
    if (chance() < 0.3) browser.tabs.pop();
  }
}

/** What a tab asks of the worker that answers it, after the browser has perhaps dropped something. */
async function use(browser, active, chance, own, told) {
  if (chance() < 0.3) browser.store.kept.delete([...browser.store.kept.keys()][Math.floor(chance() * browser.store.kept.size)]);
  const isReady = await active.isAllKept();
  assert.ok(!isReady || holds(browser, own), `${told}: said to be whole, and is not`);
  browser.left = 0;
  for (const [path, text] of own.files) {
    const answer = await active.answer(path.replace(/index\.html$/, ""));
    const isKept = browser.store.kept.has(`${ROOT}${path}?${own.list[path]}`);
    assert.equal(answer.type === "error" ? null : await answer.text(), isKept ? text : null, `${told}: ${path}`);
  }
}

test("a kept version is never mixed, never ready unless whole, and never swept under a second tab", async () => {
  for (let seed = 1; seed <= 40; seed += 1) await life(seed);
});

test("an old tab's own files are there while it is open, without a connection", async () => {
  const [old, now] = [version(0), version(1)];
  const browser = new Browser(old);
  await browser.worker(old).install();
  browser.served = now;
  const worker = browser.worker(now);
  assert.ok(await worker.install());
  browser.tabs = [old, now];
  await worker.activate();
  browser.left = 0;
  assert.equal(await (await worker.answer("assets/engine-0.mjs")).text(), old.files.get("assets/engine-0.mjs"));
  browser.tabs = [now];
  await worker.activate();
  assert.equal((await worker.answer("assets/engine-0.mjs")).type, "error");
});

test("the page says that all is kept when the worker says so, and not before", async () => {
  const cases = [
    [{ active: "a" }, true, "ready"],
    [{ active: "a" }, false, "failed"],
    [{ active: "a", waiting: "b" }, true, "ready"],
    [{ installing: "b" }, true, "working"],
    [{ waiting: "b" }, true, "working"],
    [{}, true, "failed"],
  ];
  for (const [registration, isKept, state] of cases) {
    assert.equal(await stateOf(registration, async (worker) => worker === "a" && isKept), state);
  }
});

test("an address without its last slash keeps what it asks, without a connection", async () => {
  const own = version(0);
  const browser = new Browser(own);
  const worker = browser.worker(own);
  await worker.install();
  browser.left = 0;
  const answer = await worker.answer("rules?roll=2d6");
  assert.equal(answer.headers.get("location"), `${ROOT}rules/?roll=2d6`);
});

test("a request that arrives after the cache was deleted is answered by the server and creates no cache", async () => {
  const own = version(0);
  const browser = new Browser(own);
  const worker = browser.worker(own);
  await worker.install();
  browser.store = null; // unregister.js deletes the cache while a page of the old version still loads
  for (const [path, text] of own.files) assert.equal(await (await worker.answer(path)).text(), text, path);
  assert.equal((await worker.answer("assets/unknown.mjs")).status, 404);
  assert.equal(browser.store, null);
});
