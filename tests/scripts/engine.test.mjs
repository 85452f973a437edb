import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { until } from "./until.mjs";

/** A fake worker: records the messages to it, and sends those of the test. */
class FakeWorker extends EventTarget {
  static all = [];
  sent = [];
  isTerminated = false;

  constructor(url, { name, type }) {
    super();
    assert.equal(type, "module");
    [this.script, this.name] = [String(url).split("/").at(-1), name];
    FakeWorker.all.push(this);
  }

  postMessage(data) {
    this.sent.push(data);
  }

  terminate() {
    this.isTerminated = true;
  }

  send(data) {
    const event = Object.assign(new Event("message"), { data });
    this.onmessage?.(event);
    this.dispatchEvent(event);
  }
}

const locks = { request: (name, how, act) => ([locks.requested, locks.grant] = [[name, how.mode], act]) };
let pageHtml = "assets/engine-0/"; // the current pages of the site
let records; // the content of localStorage
let moduleCount = 0;
let pythonClient;

/** Return the live worker. */
const currentWorker = () => FakeWorker.all.at(-1);
const sendReady = (more = {}) => currentWorker().send({ type: "ready", milliseconds: 1, ...more });
const sendAnswer = (result, more = {}) => currentWorker().send({ id: currentWorker().sent.at(-1).id, result, ...more });
/** Resolve to the result of a promise, or to its error after an exclamation mark. */
const settle = (promise) =>
  promise.then(
    (text) => text,
    (error) => `! ${error.message}`,
  );

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeWorker.all = [];
  Object.assign(globalThis, { Worker: FakeWorker, location: new URL("https://example.org/"), scratchLimits: undefined });
  globalThis.window = { top: { location } };
  globalThis.fetch = async () => ({ text: async () => pageHtml });
  records = new Map();
  globalThis.localStorage = {
    getItem: (key) => records.get(key) ?? null,
    setItem: (key, text) => records.set(key, text),
    removeItem: (key) => records.delete(key),
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  pageHtml = "";
  ({ pythonClient } = await import(`../../site_overrides/javascripts/engine/client.mjs?${moduleCount++}`));
});

test("PythonClient sends requests one at a time, in order, and resolves each with its own answer", async () => {
  const [one, two] = [pythonClient.fetchAnswer("1"), pythonClient.fetchAnswer("2")];
  pythonClient.start();
  assert.deepEqual(currentWorker().sent, [{ type: "start", useStockPyodide: false, snapshot: "ignore" }]);
  assert.equal(pythonClient.state, "starting");
  sendReady();
  assert.deepEqual(currentWorker().sent.slice(1), [{ id: 1, request: "1" }]);
  currentWorker().send({ id: 7, result: "of an unknown request" });
  sendAnswer("one");
  sendAnswer("two");
  assert.deepEqual([await one, await two, FakeWorker.all.length, pythonClient.state], ["one", "two", 1, "ready"]);
});

test("PythonClient takes the worker that the page has started early, with its messages, and restarts it if they say that it failed", async () => {
  const early = new FakeWorker("https://example.org/worker.mjs", { type: "module", name: "early" });
  early.lockName = "early";
  globalThis.scratchEarlyStart = {
    worker: early,
    messages: [
      { type: "hello", hasLock: true },
      { type: "ready", milliseconds: 1 },
    ],
  };
  pythonClient.start("dice");
  assert.deepEqual([FakeWorker.all.length, early.sent, pythonClient.state], [1, [], "ready"]);
  assert.deepEqual([locks.requested, globalThis.scratchEarlyStart], [["early", "exclusive"], undefined]);
  const answer = pythonClient.fetchAnswer("1");
  sendAnswer("one");
  assert.equal(await answer, "one");
  const { pythonClient: lateClient } = await import(`../../site_overrides/javascripts/engine/client.mjs?${moduleCount++}`);
  globalThis.scratchEarlyStart = { worker: early, messages: [{ type: "timeout" }, { type: "ready", milliseconds: 1 }] };
  lateClient.start("dice");
  assert.deepEqual([FakeWorker.all.length, lateClient.state], [1, "ready"], "a start that went on after its time limit");
  const { pythonClient: anotherClient } = await import(`../../site_overrides/javascripts/engine/client.mjs?${moduleCount++}`);
  globalThis.scratchEarlyStart = {
    worker: early,
    messages: [
      { type: "failed", message: "no" },
      { type: "ready", milliseconds: 1 },
    ],
  };
  anotherClient.start("dice");
  assert.deepEqual([early.isTerminated, FakeWorker.all.length, anotherClient.state], [true, 2, "starting"]);
});

test("PythonClient repeats a request that lacks a module once with Pyodide's published files", async () => {
  const answer = settle(pythonClient.fetchAnswer("1"));
  sendReady();
  sendAnswer(undefined, { isPartMissing: true, error: "no module" });
  assert.equal(FakeWorker.all[0].isTerminated, true);
  assert.deepEqual(currentWorker().sent, [{ type: "start", useStockPyodide: true, snapshot: "ignore" }]);
  sendReady();
  sendAnswer(undefined, { isPartMissing: true, error: "No module" });
  assert.equal(await answer, "! No module; please tell us what you typed.");
});

test("PythonClient rejects a request that hangs after fifteen seconds, and sends the next one to a new worker", async () => {
  const [hangs, waits] = [settle(pythonClient.fetchAnswer("1")), settle(pythonClient.fetchAnswer("2"))];
  sendReady();
  mock.timers.tick(14_999);
  assert.equal(FakeWorker.all.length, 1);
  mock.timers.tick(1);
  assert.match(await hangs, /^! Python took too long .* Everything is as it was before\.$/);
  sendReady();
  sendAnswer("two");
  assert.equal(await waits, "two");
});

test("PythonClient rejects an aborted request, queued or sent, and sends the others", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const all = [
    pythonClient.fetchAnswer("1", first.signal),
    pythonClient.fetchAnswer("2", second.signal),
    pythonClient.fetchAnswer("3"),
  ].map(settle);
  sendReady();
  second.abort();
  assert.deepEqual([await all[1], FakeWorker.all.length], ["! Stopped.", 1]);
  first.abort();
  sendReady();
  assert.deepEqual([await all[0], currentWorker().sent.at(-1).request, FakeWorker.all.length], ["! Stopped.", "3", 2]);
});

test("PythonClient replaces a worker that dies, and rejects a request that kills two", async () => {
  const [kills, waits] = [settle(pythonClient.fetchAnswer("1")), settle(pythonClient.fetchAnswer("2"))];
  for (let death = 0; death < 2; death++) {
    currentWorker().send({ type: "hello", hasLock: true });
    assert.deepEqual(locks.requested, [currentWorker().name, "exclusive"]);
    sendReady();
    assert.equal(currentWorker().sent.at(-1).request, "1");
    locks.grant();
  }
  assert.equal(await kills, "! Python stopped twice at this input; please tell us what you typed.");
  sendReady();
  sendAnswer("two");
  assert.equal(await waits, "two");
});

test("PythonClient names the calculator of the next request to its worker, or else the one that the page starts it for", async () => {
  const calculatorOfStart = () => currentWorker().sent[0].calculator;
  pythonClient.start("dice");
  assert.equal(calculatorOfStart(), "dice");
  const answer = pythonClient.fetchAnswer('{"name":"fight"}');
  sendReady();
  currentWorker().send({ id: 1, error: "no", isPartMissing: true });
  assert.equal(calculatorOfStart(), "fight");
  sendReady();
  sendAnswer("one");
  assert.equal(await answer, "one");
});

test("PythonClient starts from Pyodide's published files after three crashes, then fails; an answer resets the count", async () => {
  const killWorker = () => {
    currentWorker().send({ type: "hello", hasLock: true });
    locks.grant();
  };
  pythonClient.start();
  killWorker();
  killWorker();
  const answer = pythonClient.fetchAnswer("1");
  sendReady();
  sendAnswer("one");
  assert.equal(await answer, "one");
  killWorker();
  killWorker();
  assert.equal(currentWorker().sent[0].useStockPyodide, false);
  killWorker();
  assert.equal(currentWorker().sent[0].useStockPyodide, true);
  killWorker();
  await until(() => pythonClient.message === "Python kept stopping while starting.");
});

test("PythonClient falls back to Pyodide's published files after a minute without a message, then fails until a retry", async () => {
  const answer = settle(pythonClient.fetchAnswer("1"));
  mock.timers.tick(59_999);
  currentWorker().send({ type: "progress", file: "a.zip" });
  assert.equal(pythonClient.message, "Starting Python: a.zip …");
  mock.timers.tick(59_999);
  assert.equal(FakeWorker.all.length, 1);
  mock.timers.tick(1);
  assert.deepEqual([FakeWorker.all.length, currentWorker().sent[0].useStockPyodide], [2, true]);
  mock.timers.tick(60_000);
  assert.equal(await answer, "! Starting took more than a minute.");
  assert.deepEqual([pythonClient.state, currentWorker().isTerminated], ["failed", true]);
  pythonClient.start();
  assert.equal(FakeWorker.all.length, 2);
  pythonClient.restartAfterFailure();
  assert.deepEqual([FakeWorker.all.length, currentWorker().sent[0].useStockPyodide], [3, false]);
});

test("PythonClient repeats a failed start from a snapshot without it, and makes no new snapshot", async () => {
  const answer = pythonClient.fetchAnswer("1");
  currentWorker().send({ type: "progress", file: "memory", isFromSnapshot: true });
  currentWorker().send({ type: "failed", message: "no" });
  assert.deepEqual(currentWorker().sent, [{ type: "start", useStockPyodide: false, snapshot: "delete" }]);
  sendReady();
  sendAnswer("one");
  assert.equal(await answer, "one");
  mock.timers.tick(2_000);
  assert.equal(FakeWorker.all.length, 2, "no snapshot after one has failed");
});

test("PythonClient looks for a snapshot only if one is recorded, and deletes it if the browser is to save data", async () => {
  const workerUrl = new URL("../../site_overrides/javascripts/engine/worker.mjs", import.meta.url).href;
  const startAnother = async () => {
    const { pythonClient: anotherClient } = await import(`../../site_overrides/javascripts/engine/client.mjs?${moduleCount++}`);
    const answer = anotherClient.fetchAnswer("1");
    const { snapshot } = currentWorker().sent[0];
    sendReady();
    sendAnswer("one");
    await answer;
    return snapshot;
  };
  assert.equal(await startAnother(), "ignore");
  mock.timers.tick(2_000);
  currentWorker().send({ type: "progress" });
  assert.equal(await startAnother(), "ignore");
  FakeWorker.all[1].send({ type: "saved" });
  const [[key, recorded]] = records;
  assert.deepEqual([key.endsWith("scratch-snapshot"), recorded], [true, workerUrl]);
  assert.equal(await startAnother(), "use");
  localStorage.setItem(key, "worker.mjs of another build");
  assert.equal(await startAnother(), "ignore");
  navigator.connection = { saveData: true };
  assert.equal(await startAnother(), "delete");
  assert.deepEqual([...records.values()], ["none"]);
  navigator.connection = undefined;
  localStorage.setItem = () => {
    throw new Error("full");
  };
  mock.timers.tick(2_000); // the earlier starts
  const workerCount = FakeWorker.all.length;
  await startAnother();
  mock.timers.tick(2_000);
  assert.equal(FakeWorker.all.length, workerCount + 1, "no snapshot that no start would look for");
});

test("PythonClient requests no snapshot if Python does not support it", async () => {
  const answer = pythonClient.fetchAnswer("1");
  sendReady({ supportsSnapshots: false });
  sendAnswer("one");
  await answer;
  mock.timers.tick(2000);
  assert.equal(FakeWorker.all.length, 1);
});

test("PythonClient requests a snapshot once, two seconds after the first answer", async () => {
  const answer = pythonClient.fetchAnswer("1");
  sendReady();
  sendAnswer("one");
  await answer;
  mock.timers.tick(1_999);
  assert.equal(FakeWorker.all.length, 1);
  mock.timers.tick(1);
  assert.deepEqual([currentWorker().script, currentWorker().sent], ["snapshot-worker.mjs", [{ type: "make-snapshot" }]]);
  const again = pythonClient.fetchAnswer("2");
  FakeWorker.all[0].send({ id: 2, result: "two" });
  assert.equal(await again, "two");
  mock.timers.tick(10_000);
  assert.equal(FakeWorker.all.length, 2);
});

test("PythonClient falls back if a script fails to load or a worker crashes, then shows a message", async () => {
  const answer = settle(pythonClient.fetchAnswer("1"));
  const dispatchError = () => currentWorker().dispatchEvent(Object.assign(new Event("error", { cancelable: true })));
  dispatchError();
  assert.deepEqual(currentWorker().sent[0], { type: "start", useStockPyodide: true, snapshot: "ignore" });
  sendReady();
  dispatchError();
  assert.equal(pythonClient.state, "ready", "a later error belongs to an answer");
  currentWorker().send({ type: "crashed" });
  assert.deepEqual([FakeWorker.all.length, pythonClient.state], [3, "starting"]);
  currentWorker().send({ type: "failed", message: "no room" });
  assert.equal(await answer, "! Python could not start: no room.");
  pythonClient.restartAfterFailure();
  currentWorker().send({ type: "crashed" });
  assert.equal(currentWorker().sent[0].useStockPyodide, true);
});

test("PythonClient offers the new version if it fails in a tab of an old one", async () => {
  const notice = { setAttribute() {}, append() {}, addEventListener() {}, remove() {} };
  globalThis.document = { querySelector: () => null, createElement: () => notice, body: { append() {} } };
  pageHtml = '<script src="assets/engine-12ab/x.js">';
  const answer = settle(pythonClient.fetchAnswer("1"));
  currentWorker().send({ type: "failed", message: "no" });
  currentWorker().send({ type: "failed", message: "no" });
  assert.match(await answer, /^! There is a new version of this site\. Reload this page to use it\.$/);
});

test("PythonClient without WebAssembly says what is missing and what works, and offers no retry", async () => {
  const { WebAssembly: webAssembly } = globalThis;
  try {
    delete globalThis.WebAssembly;
    const message = await settle(pythonClient.fetchAnswer("1"));
    assert.match(message, /^! The calculators can't run here because WebAssembly is off/);
    assert.match(message, /The rules, the quick reference and the search still work\.$/);
    assert.deepEqual([pythonClient.state, pythonClient.isUnsupported, FakeWorker.all.length], ["failed", true, 0]);
    assert.match(await settle(pythonClient.fetchAnswer("2")), /WebAssembly/);
  } finally {
    globalThis.WebAssembly = webAssembly;
  }
  assert.equal(pythonClient.isUnsupported, false);
});

test("PythonClient fails at once with the file's name if a request of its start times out, and can be retried", async () => {
  const answer = settle(pythonClient.fetchAnswer("1"));
  currentWorker().send({ type: "progress", file: "app.zip.zst" });
  assert.equal(pythonClient.message, "Starting Python: the rules engine …");
  currentWorker().send({ type: "timeout", file: "pyodide.asm.wasm.zst" });
  assert.equal(await answer, "! The site hasn't answered for 20 seconds while loading the interpreter. Check your connection.");
  assert.deepEqual([pythonClient.state, FakeWorker.all.length], ["failed", 1]);
  pythonClient.restartAfterFailure();
  assert.deepEqual([FakeWorker.all.length, pythonClient.state], [2, "starting"]);
});

test("PythonClient goes on if a file times out that only a later answer may need", async () => {
  const answer = settle(pythonClient.fetchAnswer("1"));
  currentWorker().send({ type: "ready", milliseconds: 1 });
  currentWorker().send({ id: currentWorker().sent.at(-1).id, result: "one" });
  assert.equal(await answer, "one");
  currentWorker().send({ type: "timeout", file: "more.zip.zst" });
  assert.deepEqual([pythonClient.state, FakeWorker.all.length], ["ready", 1]);
  const late = settle(pythonClient.fetchAnswer("2"));
  currentWorker().send({ type: "timeout", file: "more.zip.zst" });
  assert.match(await late, /^! The site hasn't answered for 20 seconds/);
});

test("PythonClient passes the page's request timeout to the worker", async () => {
  globalThis.scratchLimits = { request: 7 };
  pythonClient.start();
  assert.equal(currentWorker().sent[0].requestTimeout, 7);
});
