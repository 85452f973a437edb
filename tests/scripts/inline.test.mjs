// The scripts that run before the page is painted, part of each tool's page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { buildSync } from "esbuild";

const file = fileURLToPath(new URL("../../site_overrides/javascripts/inline/loading.js", import.meta.url));
const code = buildSync({ entryPoints: [file], bundle: true, format: "iife", write: false }).outputFiles[0].text;

/** Return whether the page at this URL hides its example, with these keys in both of its storages. */
function hidesExample(url, ...keys) {
  const dataset = {};
  const localStorage = Object.fromEntries(keys.map((key) => [key, "{}"]));
  const sessionStorage = { getItem: (key) => localStorage[key] ?? null };
  runInNewContext(code, { location: new URL(url), localStorage, sessionStorage, document: { documentElement: { dataset } } });
  return "comes" in dataset;
}

test("the loading script hides the example if the URL has a query or the tool has a saved entry", () => {
  assert.equal(hidesExample("http://host/tools/dice/"), false);
  assert.equal(hidesExample("http://host/tools/dice/?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/dice/#?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/fight/", "scratch-kept-fight/now"), true);
  assert.equal(hidesExample("http://host/rules/", "scratch-kept-fight/now"), false);
});

test("the loading script hides the example if the tab has a draft of the tool", () => {
  assert.equal(hidesExample("http://host/tools/board/", "scratch-draft-board"), true);
  assert.equal(hidesExample("http://host/one/tools/board/", "/one/scratch-draft-board"), true);
  assert.equal(hidesExample("http://host/one/tools/board/", "scratch-draft-board"), false);
  assert.equal(hidesExample("http://host/tools/odds/", "scratch-draft-board"), false);
});

test("the loading script shows the example if only another tool or another site on the host has entries", () => {
  assert.equal(hidesExample("http://host/tools/dice/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/one/scratch-kept-fight/now"), true);
});

const earlyFile = fileURLToPath(new URL("../../site_overrides/javascripts/inline/early-worker.js", import.meta.url));
const earlyCode = buildSync({ entryPoints: [earlyFile], bundle: true, format: "iife", write: false }).outputFiles[0].text;

const WORKER_URL = "http://host/one/assets/engine-1/worker.mjs";

/** Run the early start of the dice in a page, and return the page's globals and the workers that it created. */
function startEarly({ url = "http://host/one/tools/dice/", saveData = false, topOrigin = "http://host", records = {}, ...globals } = {}) {
  const workers = [];
  class Worker {
    constructor(...how) {
      workers.push(Object.assign(this, { how, sent: [] }));
    }
    postMessage(message) {
      this.sent.push(message);
    }
  }
  const page = {
    ...{ URL, Worker, WebAssembly, crypto, localStorage: { getItem: (key) => records[key] ?? null } },
    ...{ location: new URL(url), navigator: { connection: { saveData } } },
    window: { top: { location: { origin: topOrigin } } },
    document: { currentScript: { dataset: { early: "dice", worker: "../../assets/engine-1/worker.mjs" } } },
    ...globals,
  };
  runInNewContext(earlyCode, page);
  return { page, workers };
}

test("the early start creates one worker, tells it to start, and keeps its messages for the client", () => {
  const { page, workers } = startEarly();
  const [{ how, sent, lockName, onmessage }] = workers;
  assert.deepEqual([how[0], how[1].type, how[1].name], [WORKER_URL, "module", lockName]);
  assert.equal(JSON.stringify(sent), '[{"type":"start","useStockPyodide":false,"snapshot":"ignore","calculator":"dice"}]');
  onmessage({ data: "hello" });
  onmessage({ data: "progress" });
  assert.deepEqual([page.scratchEarlyStart.worker, [...page.scratchEarlyStart.messages]], [workers[0], ["hello", "progress"]]);
});

test("the early start uses a snapshot that this build of the site has recorded, except in a frame of another site", () => {
  const records = { "/one/scratch-snapshot": WORKER_URL };
  const snapshotOf = (how) => startEarly(how).workers[0].sent[0].snapshot;
  assert.deepEqual([snapshotOf({ records }), snapshotOf({ records, topOrigin: "http://other" })], ["use", "ignore"]);
  assert.equal(snapshotOf({ records: { "/one/scratch-snapshot": "http://host/one/assets/engine-2/worker.mjs" } }), "ignore");
  assert.equal(snapshotOf({ records: { "scratch-snapshot": WORKER_URL } }), "ignore");
});

test("the early start offers no worker whose script fails", () => {
  const { page, workers } = startEarly();
  let isTerminated = false;
  workers[0].terminate = () => (isTerminated = true);
  workers[0].onerror();
  assert.deepEqual([page.scratchEarlyStart, isTerminated], [undefined, true]);
});

test("the early start does nothing with Data Saver, without WebAssembly, and in a page from a disk", () => {
  for (const how of [{ saveData: true }, { WebAssembly: undefined }, { url: "file:///tools/dice/index.html" }])
    assert.equal(startEarly(how).workers.length, 0);
});
