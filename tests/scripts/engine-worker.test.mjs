// The engine's worker, with a browser and a Python made by hand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import { gzipSync } from "node:zlib";
import { until } from "./until.mjs";

const ENGINE = "https://example.org/site/assets/engine-1/";
const [LEAN, FULL] = ["https://example.org/site/assets/lean-1/", "https://example.org/site/assets/pyodide-1/"];
const BUILT = {
  leanFolder: LEAN,
  pyodideFolder: FULL,
  lockFile: { packages: {} },
  modules: ["m"],
  restores: true,
  samples: { dice: "roll=d6" },
  templates: ["t"],
};
const SOURCE = readFileSync(new URL("../../site_overrides/javascripts/engine/worker.mjs", import.meta.url), "utf8")
  .replace(
    /import \{ leanFolder[^;]*;/,
    Object.entries(BUILT)
      .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
      .join(""),
  )
  .replaceAll("import.meta.url", `"${ENGINE}worker.mjs"`)
  .replace(/\bimport\(/g, "importing(");
const zip = (text) => new TextEncoder().encode(`PK${text}`);
const wasm = { headers: { "content-type": "application/wasm; x" } };

let [files, disk, memory] = [];
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(console, "error", () => {});
  files = new Map([
    [`${LEAN}pyodide.asm.wasm`, ["lean", wasm]],
    [`${FULL}pyodide.asm.wasm`, ["full", wasm]],
    [`${ENGINE}stdlib.zip.gz`, [gzipSync(zip("lean library"))]],
    [`${FULL}python_stdlib.zip`, [zip("full library")]],
    [`${ENGINE}app.zip.gz`, [gzipSync(zip("app"))]],
    ["https://example.org/site/data/x.json", ["a text"]],
  ]);
  disk = new Map();
  memory = new Uint8Array(5 * 4096);
  new Uint32Array(memory.buffer).set([1, 64]); // its head is so long
  memory.set([7, 8], 4096 + 5);
  memory.set([9], 4 * 4096);
});

/** What the private file system has, by one folder. */
const folder = {
  async getFileHandle(name, { create = false } = {}) {
    if (!create && !disk.has(name)) throw new Error("none");
    if (create) disk.set(name, new Uint8Array(0));
    const access = {
      getSize: () => disk.get(name).length,
      read: (into) => into.set(disk.get(name)),
      write(bytes, { at = 0 } = {}) {
        const now = new Uint8Array(at + bytes.byteLength);
        now.set(disk.get(name).subarray(0, at));
        now.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), at);
        disk.set(name, now);
      },
      flush() {},
      close() {},
    };
    return { createSyncAccessHandle: async () => access };
  },
  keys: () => [...disk.keys()],
  removeEntry: async (name) => disk.delete(name),
};

/** A worker that has begun: what it says, and what its Python is asked. */
function worker(answers = {}) {
  const made = { said: [], asked: [], ran: [], written: {}, fetched: [], loaded: [], folders: [], isClosed: false, locks: [] };
  const heard = {};
  const python = {
    FS: { readdir: () => ["python314.zip", "x"], writeFile: (path, bytes) => (made.written[path] = new TextDecoder().decode(bytes)) },
    runPython: (text) => made.ran.push(text),
    globals: {
      get: (name) =>
        name === "hand_over"
          ? (path, text) => made.asked.push([path, text])
          : (request) => {
              made.asked.push(request);
              const found = answers[request] ?? "{}";
              if (found instanceof Error) throw found;
              return typeof found === "function" ? found() : found;
            },
    },
    _module: { HEAP8: new Int8Array(8) },
    makeMemorySnapshot: () => memory,
  };
  const self = {
    name: "scratch-engine-1",
    fetch: async (url) => {
      made.fetched.push(String(url).split("/").at(-1));
      const found = files.get(String(url));
      if (found === "broken") throw new TypeError("no line");
      if (found === "hangs") return new Promise(() => {});
      if (found === "stalls") return new Response(new ReadableStream({ start: (body) => body.enqueue(Uint8Array.of(0x50)) }));
      return found ? new Response(...found) : new Response("", { status: 404 });
    },
    addEventListener: (name, act) => (heard[name] = act),
    postMessage: (data) => made.said.push(data),
    close: () => (made.isClosed = true),
  };
  const navigator = {
    userAgent: "A browser/1",
    locks: { request: (name, act) => (made.locks.push(name), act()) },
    storage: { getDirectory: async () => ({ getDirectoryHandle: async (name) => (made.folders.push(name), folder) }) },
  };
  const importing = async (address) => {
    if (address.endsWith("asm.mjs")) return {};
    const loadPyodide = async (options) => {
      made.loaded.push(options);
      made.library = new TextDecoder().decode(await (await self.fetch(options.stdLibURL)).arrayBuffer());
      await self.fetch(`${options.indexURL}pyodide.asm.wasm`);
      return python;
    };
    return { loadPyodide };
  };
  const compiled = { compileStreaming: async (response) => response, instantiate: async () => ({}) };
  const names = { self, navigator, importing, WebAssembly: compiled };
  new Function(...Object.keys(names), `"use strict"; ${SOURCE}`)(...Object.values(names));
  made.hello = made.said.splice(0);
  made.self = self;
  made.tell = async (data) => {
    await heard.message({ data });
    return made.said.splice(0);
  };
  return made;
}
const START = { type: "start", untouched: false, memory: "leave" };
const progress = (...names) => names.map((file) => ({ type: "progress", file }));
const bare = (said) => said.map(({ milliseconds, checked, ...more }) => more);

test("it starts Python from the lean files, says what it is about, and answers one question after the other", async () => {
  const made = worker({ one: "1" });
  assert.deepEqual([made.hello, made.locks], [[{ type: "hello", locked: true }], ["scratch-engine-1"]]);
  assert.deepEqual(bare(await made.tell(START)), [
    ...progress("pyodide.asm.wasm", "app.zip.gz", "app.zip.gz"),
    { type: "ready", restores: true },
  ]);
  assert.deepEqual([made.library, made.written, made.ran.length], ["PKlean library", { "/app.zip": "PKapp" }, 1]);
  const [{ indexURL, stdLibURL, packageBaseUrl, lockFileContents }] = made.loaded;
  assert.deepEqual([indexURL, stdLibURL, packageBaseUrl, lockFileContents], [LEAN, `${ENGINE}stdlib.zip.gz`, LEAN, { packages: {} }]);
  assert.deepEqual(await made.tell({ id: 3, request: "one" }), [{ id: 3, result: "1" }]);
});

test("what nobody has asked for yet is made ready in quiet moments, each calculator's empty form first", async () => {
  const made = worker({ one: "1" });
  await made.tell(START);
  const request = (query) => JSON.stringify({ name: "dice", query, ask: false, uid: "dice", root: "" });
  const isAsked = (count) => until(() => made.asked.length === count);
  mock.timers.tick(99);
  await made.tell({ id: 1, request: "one" });
  assert.deepEqual(made.asked, ["one"], "99 ms are no quiet moment, and a request begins another one");
  mock.timers.tick(100);
  await isAsked(2);
  mock.timers.tick(100);
  await isAsked(3);
  mock.timers.tick(1_000);
  await made.tell({ id: 2, request: "one" });
  assert.deepEqual(made.asked, ["one", request(""), request("roll=d6"), "one"]);
});

test("an answer that needs a file of the site has it handed over, empty where it can't be had, and is asked once more", async () => {
  let turn = 0;
  const needs = (name) => () => (turn++ % 2 ? "done" : `{"needs": "data/${name}"}`);
  const root = JSON.stringify({ root: "https://example.org/site/" });
  const other = JSON.stringify({ root: "https://example.org/site/", a: 1 });
  const made = worker({ [root]: needs("x.json"), [other]: needs("none.json") });
  await made.tell(START);
  assert.deepEqual(await made.tell({ id: 1, request: root }), [{ id: 1, result: "done" }]);
  assert.deepEqual(await made.tell({ id: 2, request: other }), [{ id: 2, result: "done" }]);
  assert.deepEqual(made.asked, [root, ["data/x.json", "a text"], root, other, ["data/none.json", ""], other]);
});

test("an error is an answer; it tells whether a part is missing, and ends a Python that can't go on", async () => {
  const fatal = Object.assign(new Error("unreachable"), { pyodide_fatal_error: true });
  const made = worker({ a: new Error("no"), b: new Error("ModuleNotFoundError: No module named 'x'"), c: fatal });
  await made.tell(START);
  const error = "Python stopped at this input";
  assert.deepEqual(await made.tell({ id: 1, request: "a" }), [{ id: 1, error, missing: false }]);
  assert.deepEqual(await made.tell({ id: 2, request: "b" }), [{ id: 2, error, missing: true }]);
  assert.equal(made.isClosed, false);
  assert.deepEqual([await made.tell({ id: 3, request: "c" }), made.isClosed], [[{ id: 3, error, missing: true }], true]);
  const whole = worker({ b: new Error("ModuleNotFoundError: No module named 'x'") });
  await whole.tell({ ...START, untouched: true });
  assert.equal(whole.library, "PKfull library");
  assert.deepEqual([whole.loaded[0].indexURL, await whole.tell({ id: 1, request: "b" })], [FULL, [{ id: 1, error, missing: false }]]);
});

test("what does not come, or comes as something else, is told by its name; the full library stands in for the trimmed one", async () => {
  const failed = async (name, file) => {
    files.set(name, file);
    const said = await worker().tell(START);
    return [...new Set(said.filter(({ type }) => type === "failed").map(({ message }) => message))][0];
  };
  const library = `${ENGINE}stdlib.zip.gz`;
  for (const file of ["broken", ["no archive"], ["", { status: 404 }], [gzipSync("no archive")]]) {
    files.set(library, file);
    const made = worker();
    await made.tell(START);
    assert.equal(made.library, "PKfull library");
  }
  const interpreter = files.get(`${LEAN}pyodide.asm.wasm`);
  assert.equal(await failed(`${LEAN}pyodide.asm.wasm`, "broken"), "pyodide.asm.wasm could not be loaded. Check your connection");
  assert.equal(
    await failed(`${LEAN}pyodide.asm.wasm`, ["", { status: 503 }]),
    "pyodide.asm.wasm could not be loaded: the server answered 503",
  );
  const page = ["<p>", { headers: { "content-type": "text/html; charset=utf-8" } }];
  assert.equal(
    await failed(`${LEAN}pyodide.asm.wasm`, page),
    "pyodide.asm.wasm came as text/html: expected application/wasm from the server",
  );
  files.set(`${LEAN}pyodide.asm.wasm`, interpreter);
  const app = "app.zip.gz came as something else: expected an archive from the server";
  assert.equal(await failed(`${ENGINE}app.zip.gz`, ["<p>"]), app);
});

test("a copy leaves its memory behind, and the next start begins there; its archives come in a quiet moment, or when needed", async () => {
  const copier = worker();
  await copier.tell({ type: "copy" });
  assert.deepEqual([copier.isClosed, copier.loaded[0]._makeSnapshot, copier.folders[0]], [true, true, "%2Fsite%2Fscratch-engine"]);
  assert.equal(copier.ran[1], 'import_all(["m"], ["t"])');
  const [[name, kept]] = disk;
  assert.match(name, /^https-example\.org-site-assets-engine-1-A-browser-1$/);
  assert.ok(kept.length < memory.length, "what is nothing but zeros is not kept");
  const made = worker({ one: "1" });
  const said = await made.tell({ ...START, memory: "use" });
  assert.deepEqual(
    said.map(({ file, type }) => file ?? type),
    ["pyodide.asm.wasm", "its memory", "app.zip.gz", "ready"],
  );
  assert.deepEqual([said[1].memory, made.written, made.ran, made.library], [true, {}, [], ""]);
  const [{ _loadSnapshot: head }] = made.loaded;
  const heap = new Uint8Array(memory.length - 64).fill(5); // what the new interpreter has written there
  made.self.restoreMemory(new Int8Array(heap.buffer));
  assert.deepEqual(
    [head.length, head.subarray(0, 64), heap, made.self.restoreMemory],
    [memory.length, memory.subarray(0, 64), memory.subarray(64), undefined],
  );
  mock.timers.tick(100);
  await until(() => Object.keys(made.written).length === 2);
  assert.deepEqual(made.written, { "/app.zip": "PKapp", "/lib/python314.zip": "PKlean library" });
  let isThere = false;
  const needing = worker({
    one: () => {
      if (!isThere) throw Object.assign(new Error("no module"), { at: (isThere = true) });
      return "1";
    },
  });
  await needing.tell({ ...START, memory: "use" });
  assert.deepEqual([await needing.tell({ id: 1, request: "one" }), Object.keys(needing.written).length], [[{ id: 1, result: "1" }], 2]);
});

test("a memory that is damaged, of other files or not wanted is not begun with, and dropped where that is said", async () => {
  await worker().tell({ type: "copy" });
  const [[name, kept]] = disk;
  for (const at of [0, 9, kept.length - 9, kept.length - 1]) {
    disk.set(name, kept.with(at, kept[at] ^ 1));
    const made = worker();
    await made.tell({ ...START, memory: "use" });
    assert.equal(made.loaded[0]._loadSnapshot, undefined, `byte ${at}`);
  }
  disk.set(name, kept);
  const leaving = worker();
  await leaving.tell(START);
  assert.deepEqual([leaving.loaded[0]._loadSnapshot, disk.size], [undefined, 1]);
  const dropping = worker();
  await dropping.tell({ ...START, memory: "drop" });
  assert.deepEqual([dropping.loaded[0]._loadSnapshot, disk.size], [undefined, 0]);
});

test("a request of a start that is not answered for 20 seconds is told by its file", async () => {
  const unanswered = (made) => made.said.filter(({ type }) => type === "unanswered").map(({ file }) => file);
  for (const name of ["app.zip.gz", "stdlib.zip.gz"]) {
    const before = files.get(ENGINE + name);
    files.set(ENGINE + name, "hangs");
    const made = worker();
    void made.tell(START);
    await until(() => made.fetched.includes(name) && made.fetched.includes("pyodide.asm.wasm"));
    mock.timers.tick(19_999);
    assert.deepEqual(unanswered(made), []);
    mock.timers.tick(1);
    assert.ok(unanswered(made).includes(name), name);
    files.set(ENGINE + name, before);
  }
});

test("a request of a start whose body stalls for 20 seconds names its file", async () => {
  for (const name of ["app.zip.gz", "stdlib.zip.gz"]) {
    const before = files.get(ENGINE + name);
    files.set(ENGINE + name, "stalls");
    const made = worker();
    void made.tell(START);
    const unanswered = () => made.said.filter(({ type }) => type === "unanswered").map(({ file }) => file);
    await until(() => made.fetched.includes(name) && made.fetched.includes("pyodide.asm.wasm"));
    await until(() => {
      mock.timers.tick(1_000);
      return unanswered().length > 0;
    });
    assert.deepEqual(new Set(unanswered()), new Set([name]));
    files.set(ENGINE + name, before);
  }
});

test("a page may give a start's requests another time", async () => {
  files.set(`${LEAN}pyodide.asm.wasm`, "hangs");
  const made = worker();
  void made.tell({ ...START, requestLimit: 7 });
  await until(() => made.fetched.includes("pyodide.asm.wasm"));
  mock.timers.tick(7);
  assert.ok(made.said.some(({ type, file }) => type === "unanswered" && file === "pyodide.asm.wasm"));
});
