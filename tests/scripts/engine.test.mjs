import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { until } from "./until.mjs";

/** A worker by hand: what it was sent, and what it is made to say. */
class Hand extends EventTarget {
  static all = [];
  sent = [];
  isEnded = false;

  constructor(url, { name, type }) {
    super();
    assert.equal(type, "module");
    [this.script, this.name] = [String(url).split("/").at(-1), name];
    Hand.all.push(this);
  }

  postMessage(data) {
    this.sent.push(data);
  }

  terminate() {
    this.isEnded = true;
  }

  say(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

const locks = { request: (name, how, act) => ([locks.asked, locks.told] = [[name, how.mode], act]) };
let pages = "assets/engine-0/"; // what the site's pages name by now
let number = 0;
let pythonClient;

/** The worker that is alive. */
const now = () => Hand.all.at(-1);
const ready = (more = {}) => now().say({ type: "ready", milliseconds: 1, ...more });
const answer = (result, more = {}) => now().say({ id: now().sent.at(-1).id, result, ...more });
/** What a promise has come to. */
const outcome = (promise) =>
  promise.then(
    (text) => text,
    (error) => `! ${error.message}`,
  );

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Hand.all = [];
  Object.assign(globalThis, { Worker: Hand, location: new URL("https://example.org/"), scratchLimits: undefined });
  globalThis.window = { top: { location } };
  globalThis.fetch = async () => ({ text: async () => pages });
  const storage = { getDirectory: () => {} };
  Object.defineProperty(globalThis, "navigator", { value: { locks, storage }, configurable: true });
  pages = "";
  ({ pythonClient } = await import(`../../site_overrides/javascripts/engine/client.mjs?${number++}`));
});

test("questions are asked one at a time, in order, and each gets its own answer; a start is one", async () => {
  const [one, two] = [pythonClient.ask("1"), pythonClient.ask("2")];
  pythonClient.start();
  assert.deepEqual(now().sent, [{ type: "start", untouched: false, memory: "use" }]);
  assert.equal(pythonClient.state, "starting");
  ready();
  assert.deepEqual(now().sent.slice(1), [{ id: 1, request: "1" }]);
  now().say({ id: 7, result: "nobody's" });
  answer("one");
  answer("two");
  assert.deepEqual([await one, await two, Hand.all.length, pythonClient.state], ["one", "two", 1, "ready"]);
});

test("an error is told with a wish, and what lacks a module is asked again with Pyodide's own files, once", async () => {
  const asked = outcome(pythonClient.ask("1"));
  ready();
  answer(undefined, { missing: true, error: "no module" });
  assert.equal(Hand.all[0].isEnded, true);
  assert.deepEqual(now().sent, [{ type: "start", untouched: true, memory: "drop" }]);
  ready();
  answer(undefined, { missing: true, error: "No module" });
  assert.equal(await asked, "! No module; please tell us what you typed.");
});

test("an answer that hangs is given up after fifteen seconds, and the next is asked of a new worker", async () => {
  const [hangs, waits] = [outcome(pythonClient.ask("1")), outcome(pythonClient.ask("2"))];
  ready();
  mock.timers.tick(14_999);
  assert.equal(Hand.all.length, 1);
  mock.timers.tick(1);
  assert.match(await hangs, /^! Python took too long .* Everything is as it was before\.$/);
  ready();
  answer("two");
  assert.equal(await waits, "two");
});

test("a question that is stopped is gone, waiting or under way; the others are asked", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const all = [pythonClient.ask("1", first.signal), pythonClient.ask("2", second.signal), pythonClient.ask("3")].map(outcome);
  ready();
  second.abort();
  assert.deepEqual([await all[1], Hand.all.length], ["! Stopped.", 1]);
  first.abort();
  ready();
  assert.deepEqual([await all[0], now().sent.at(-1).request, Hand.all.length], ["! Stopped.", "3", 2]);
});

test("a worker that dies is replaced and asked again; a question that kills two is given up", async () => {
  const [kills, waits] = [outcome(pythonClient.ask("1")), outcome(pythonClient.ask("2"))];
  for (let death = 0; death < 2; death++) {
    now().say({ type: "hello", locked: true });
    assert.deepEqual(locks.asked, [now().name, "exclusive"]);
    ready();
    assert.equal(now().sent.at(-1).request, "1");
    locks.told();
  }
  assert.equal(await kills, "! Python stopped twice at this input; please tell us what you typed.");
  ready();
  answer("two");
  assert.equal(await waits, "two");
});

test("Python that dies at three starts is tried with Pyodide's own files, and then has failed; an answer begins the count anew", async () => {
  const die = () => {
    now().say({ type: "hello", locked: true });
    locks.told();
  };
  pythonClient.start();
  die();
  die();
  const asked = pythonClient.ask("1");
  ready();
  answer("one");
  assert.equal(await asked, "one");
  die();
  die();
  assert.equal(now().sent[0].untouched, false);
  die();
  assert.equal(now().sent[0].untouched, true);
  die();
  await until(() => pythonClient.message === "Python kept stopping while starting.");
});

test("a start without news for a minute is made once more with Pyodide's own files, then it has failed, until it is tried again", async () => {
  const asked = outcome(pythonClient.ask("1"));
  mock.timers.tick(59_999);
  now().say({ type: "progress", file: "a.zip" });
  assert.equal(pythonClient.message, "Starting Python: a.zip …");
  mock.timers.tick(59_999);
  assert.equal(Hand.all.length, 1);
  mock.timers.tick(1);
  assert.deepEqual([Hand.all.length, now().sent[0].untouched], [2, true]);
  mock.timers.tick(60_000);
  assert.equal(await asked, "! Starting took more than a minute.");
  assert.deepEqual([pythonClient.state, now().isEnded], ["failed", true]);
  pythonClient.start();
  assert.equal(Hand.all.length, 2);
  pythonClient.retry();
  assert.deepEqual([Hand.all.length, now().sent[0].untouched], [3, false]);
});

test("a start from a kept memory that goes wrong is made without it; after the first answer a copy is ordered, if there is none", async () => {
  const asked = pythonClient.ask("1");
  now().say({ type: "progress", file: "memory", memory: true });
  now().say({ type: "failed", message: "no" });
  assert.deepEqual(now().sent, [{ type: "start", untouched: false, memory: "drop" }]);
  ready();
  answer("one");
  assert.equal(await asked, "one");
  mock.timers.tick(2_000);
  assert.equal(Hand.all.length, 2, "no copy where a memory has gone wrong");
});

test("where Python can't leave its memory behind, no copy is ordered", async () => {
  const asked = pythonClient.ask("1");
  ready({ restores: false });
  answer("one");
  await asked;
  mock.timers.tick(2000);
  assert.equal(Hand.all.length, 1);
});

test("the copy is made two seconds after the first answer, once", async () => {
  const asked = pythonClient.ask("1");
  ready();
  answer("one");
  await asked;
  mock.timers.tick(1_999);
  assert.equal(Hand.all.length, 1);
  mock.timers.tick(1);
  assert.deepEqual([now().script, now().sent], ["snapshot-worker.mjs", [{ type: "copy" }]]);
  const again = pythonClient.ask("2");
  Hand.all[0].say({ id: 2, result: "two" });
  assert.equal(await again, "two");
  mock.timers.tick(10_000);
  assert.equal(Hand.all.length, 2);
});

test("a script that does not come, a worker that breaks and a reason without its stop are told or got over", async () => {
  const asked = outcome(pythonClient.ask("1"));
  const fails = () => now().dispatchEvent(Object.assign(new Event("error", { cancelable: true })));
  fails();
  assert.deepEqual(now().sent[0], { type: "start", untouched: true, memory: "drop" });
  ready();
  fails();
  assert.equal(pythonClient.state, "ready", "an error of later is its answer's");
  now().say({ type: "broken" });
  assert.deepEqual([Hand.all.length, pythonClient.state], [3, "starting"]);
  now().say({ type: "failed", message: "no room" });
  assert.equal(await asked, "! Python could not start: no room.");
  pythonClient.retry();
  now().say({ type: "broken" });
  assert.equal(now().sent[0].untouched, true);
  for (const [saveData, memory] of [
    [true, "drop"],
    [false, "use"],
  ]) {
    navigator.connection = { saveData };
    const { pythonClient: other } = await import(`../../site_overrides/javascripts/engine/client.mjs?${number++}`);
    other.start();
    assert.equal(now().sent[0].memory, memory);
  }
});

test("where the tab is of an old version, a failure says so", async () => {
  const notice = { setAttribute() {}, append() {}, addEventListener() {}, remove() {} };
  globalThis.document = { querySelector: () => null, createElement: () => notice, body: { append() {} } };
  pages = '<script src="assets/engine-12ab/x.js">';
  const asked = outcome(pythonClient.ask("1"));
  now().say({ type: "failed", message: "no" });
  now().say({ type: "failed", message: "no" });
  assert.match(await asked, /^! There is a new version of this site\. Reload this page to use it\.$/);
});

test("a browser without WebAssembly is told what is missing and what still works, and is offered no other try", async () => {
  const { WebAssembly: own } = globalThis;
  try {
    delete globalThis.WebAssembly;
    const said = await outcome(pythonClient.ask("1"));
    assert.match(said, /^! The calculators can’t run here because WebAssembly is off/);
    assert.match(said, /The rules, the quick reference and the search still work\.$/);
    assert.deepEqual([pythonClient.state, pythonClient.isUnsupported, Hand.all.length], ["failed", true, 0]);
    assert.match(await outcome(pythonClient.ask("2")), /WebAssembly/);
  } finally {
    globalThis.WebAssembly = own;
  }
  assert.equal(pythonClient.isUnsupported, false);
});

test("a start whose request is not answered fails at once, says what it waits for, and can be tried again", async () => {
  const asked = outcome(pythonClient.ask("1"));
  now().say({ type: "progress", file: "app.zip.gz" });
  assert.equal(pythonClient.message, "Starting Python: the rules engine …");
  now().say({ type: "unanswered", file: "pyodide.asm.wasm" });
  assert.equal(await asked, "! The site hasn’t answered for 20 seconds while loading the interpreter. Check your connection.");
  assert.deepEqual([pythonClient.state, Hand.all.length], ["failed", 1]);
  pythonClient.retry();
  assert.deepEqual([Hand.all.length, pythonClient.state], [2, "starting"]);
});

test("a page may give requests another time", async () => {
  globalThis.scratchLimits = { request: 7 };
  pythonClient.start();
  assert.equal(now().sent[0].requestLimit, 7);
});
