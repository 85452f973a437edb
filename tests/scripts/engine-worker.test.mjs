// The Python worker, with a fake browser and a fake Python.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";
import { buildSync } from "esbuild";
import { until } from "./until.mjs";

const { IDBFactory } = await import(process.env.FAKE_INDEXEDDB ?? "fake-indexeddb");

const ENGINE = "https://example.org/site/assets/engine-1/";
const [LEAN, FULL] = ["https://example.org/site/assets/lean-1/", "https://example.org/site/assets/pyodide-1/"];
const BUILT = {
  leanFolder: LEAN,
  pyodideFolder: FULL,
  lockFile: { packages: {} },
  modules: ["m"],
  supportsSnapshots: true,
  samples: { dice: "roll=d6" },
  firstCalculators: ["dice"],
  templates: ["t"],
};
const FOLDER = fileURLToPath(new URL("../../site_overrides/javascripts/engine", import.meta.url));
const FILE = readFileSync(`${FOLDER}/worker.mjs`, "utf8").replace(
  /import \{[^}]*\} from "\.\/files\.mjs";/,
  Object.entries(BUILT)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join(""),
);
const SOURCE = buildSync({ stdin: { contents: FILE, resolveDir: FOLDER }, bundle: true, format: "esm", write: false })
  .outputFiles[0].text.replaceAll("import.meta.url", `"${ENGINE}worker.mjs"`)
  .replace(/\bimport\(/g, "importing(");
const zip = (text) => new TextEncoder().encode(`PK${text}`);
const wasm = (text) => new TextEncoder().encode(`\0asm${text}`);
const DECODER = Buffer.from(
  readFileSync(fileURLToPath(import.meta.resolve("zstddec/stream")), "utf8").match(/wasm = "([^"]+)"/)[1],
  "base64",
);

let [files, disk, memory, hasFileSystem] = [];
beforeEach(() => {
  hasFileSystem = true;
  globalThis.indexedDB = new IDBFactory();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(console, "error", () => {});
  files = new Map([
    [`${LEAN}pyodide.asm.wasm.zst`, [zstdCompressSync(wasm("lean"))]],
    [`${FULL}pyodide.asm.wasm.zst`, [zstdCompressSync(wasm("full"))]],
    [`${ENGINE}zstddec.wasm`, [DECODER]],
    [`${ENGINE}stdlib.zip.zst`, [zstdCompressSync(zip("lean library"))]],
    [`${FULL}python_stdlib.zip.zst`, [zstdCompressSync(zip("full library"))]],
    [`${ENGINE}app.zip.zst`, [zstdCompressSync(zip("app"))]],
    [`${ENGINE}more.zip.zst`, [zstdCompressSync(zip("more"))]],
    ["https://example.org/site/data/x.json", ["a text"]],
  ]);
  disk = new Map();
  memory = new Uint8Array(5 * 4096);
  new Uint32Array(memory.buffer).set([1, 64]); // the length of its head
  memory.set([7, 8], 4096 + 5);
  memory.set([9], 4 * 4096);
});

/** A fake folder of the origin private file system. */
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

/** Run the script of the worker; collects its messages and the requests to its Python. */
function startWorker(answers = {}) {
  const worker = {
    messages: [],
    requests: [],
    scripts: [],
    added: [],
    instantiated: [],
    decoderCount: 0,
    written: {},
    fetched: [],
    loaded: [],
    folders: [],
    isClosed: false,
    locks: [],
  };
  const listeners = {};
  const python = {
    FS: { readdir: () => ["python314.zip", "x"], writeFile: (path, bytes) => (worker.written[path] = new TextDecoder().decode(bytes)) },
    runPython: (text) => worker.scripts.push(text),
    globals: {
      get: (name) =>
        name !== "answer_json_request"
          ? (path, text) => (name === "add_archive" ? worker.added.push(path) : worker.requests.push([path, text]))
          : (request) => {
              worker.requests.push(request);
              const answer = answers[request] ?? "{}";
              if (answer instanceof Error) throw answer;
              return typeof answer === "function" ? answer() : answer;
            },
    },
    _module: { HEAP8: new Int8Array(8) },
    makeMemorySnapshot: () => memory,
  };
  const self = {
    name: "scratch-engine-1",
    fetch: async (url, { cache } = {}) => {
      worker.fetched.push(String(url).split("/").at(-1));
      const stored = files.get(String(url));
      const file = typeof stored === "function" ? stored(cache) : stored;
      if (file === "broken") throw new TypeError("no connection");
      if (file === "hangs") return new Promise(() => {});
      if (file === "stalls") return new Response(new ReadableStream({ start: (body) => body.enqueue(Uint8Array.of(0x50)) }));
      return file ? new Response(...file) : new Response("", { status: 404 });
    },
    addEventListener: (name, listener) => (listeners[name] = listener),
    postMessage: (data) => worker.messages.push(data),
    close: () => (worker.isClosed = true),
  };
  const navigator = {
    userAgent: "A browser/1",
    locks: { request: (name, callback) => (worker.locks.push(name), callback()) },
    storage: hasFileSystem && { getDirectory: async () => ({ getDirectoryHandle: async (name) => (worker.folders.push(name), folder) }) },
  };
  const importing = async (address) => {
    if (address.endsWith("asm.mjs")) return {};
    const loadPyodide = async (options) => {
      worker.loaded.push(options);
      worker.library = new TextDecoder().decode(await (await self.fetch(options.stdLibURL)).arrayBuffer());
      await FakeWebAssembly.instantiateStreaming(self.fetch(`${options.indexURL}pyodide.asm.wasm`), {});
      return python;
    };
    return { loadPyodide };
  };
  const instantiate = async (wasm, imports) =>
    wasm instanceof ArrayBuffer ? (worker.decoderCount++, WebAssembly.instantiate(wasm, imports)) : worker.instantiated.push(wasm);
  const compile = async (bytes) => {
    if (String.fromCharCode(...bytes.slice(0, 4)) !== "\0asm") throw new WebAssembly.CompileError("expected WebAssembly");
    return bytes;
  };
  const compileStreaming = async (response) => {
    assert.equal(response.headers.get("Content-Type"), "application/wasm");
    return compile(new Uint8Array(await response.arrayBuffer()));
  };
  const FakeWebAssembly = {
    ...{ compile, compileStreaming, instantiate },
    CompileError: WebAssembly.CompileError,
  };
  const globals = { self, navigator, importing, WebAssembly: FakeWebAssembly };
  new Function(...Object.keys(globals), `"use strict"; ${SOURCE}`)(...Object.values(globals));
  worker.hello = worker.messages.splice(0);
  worker.self = self;
  worker.send = async (data) => {
    await listeners.message({ data });
    return worker.messages.splice(0);
  };
  return worker;
}
const START = { type: "start", useStockPyodide: false, snapshot: "ignore" };
const progress = (...names) => names.map((file) => ({ type: "progress", file }));
const dropTimes = (messages) => messages.map(({ milliseconds, snapshotCheckTime, ...more }) => more);

test("the worker starts Python from the trimmed files, reports its progress, and answers a request", async () => {
  const worker = startWorker({ one: "1" });
  assert.deepEqual([worker.hello, worker.locks], [[{ type: "hello", hasLock: true }], ["scratch-engine-1"]]);
  assert.deepEqual(dropTimes(await worker.send(START)), [
    ...progress("pyodide.asm.wasm.zst", "app.zip.zst", "app.zip.zst"),
    { type: "ready", supportsSnapshots: true },
  ]);
  assert.deepEqual([worker.library, worker.written, worker.scripts.length], ["PKlean library", { "/app.zip": "PKapp" }, 1]);
  const [{ indexURL, stdLibURL, packageBaseUrl, lockFileContents }] = worker.loaded;
  assert.deepEqual([indexURL, stdLibURL, packageBaseUrl, lockFileContents], [LEAN, `${ENGINE}stdlib.zip.zst`, LEAN, { packages: {} }]);
  assert.deepEqual(await worker.send({ id: 3, request: "one" }), [{ id: 3, result: "1" }]);
});

test("the worker loads the second archive after the start of a calculator that does not need it, else with the first", async () => {
  const more = { "/app.zip": "PKapp", "/more.zip": "PKmore" };
  const worker = startWorker({ one: "1" });
  await worker.send({ ...START, calculator: "dice" });
  assert.deepEqual([worker.written, worker.added, worker.fetched.includes("more.zip.zst")], [{ "/app.zip": "PKapp" }, [], false]);
  assert.deepEqual(await worker.send({ id: 3, request: "one" }), [{ id: 3, result: "1" }]);
  mock.timers.tick(100);
  await until(() => worker.added.length === 1);
  assert.deepEqual([worker.written, worker.added], [more, ["/more.zip"]]);
  const fight = startWorker({ one: "1" });
  await fight.send({ ...START, calculator: "fight" });
  assert.deepEqual([fight.written, fight.added], [more, ["/more.zip"]]);
});

test("the worker loads the second archive when an answer needs it, and repeats that answer", async () => {
  const worker = startWorker({
    fight: () => {
      if (!worker.added.length) throw new Error("ModuleNotFoundError: No module named 'scratch_core.encounter'");
      return "1";
    },
  });
  await worker.send({ ...START, calculator: "dice" });
  assert.deepEqual(await worker.send({ id: 1, request: "fight" }), [{ id: 1, result: "1" }]);
  files.set(`${ENGINE}more.zip.zst`, "broken");
  worker.added.length = 0;
  const offline = startWorker({ fight: new Error("ModuleNotFoundError: No module named 'scratch_core.encounter'") });
  await offline.send({ ...START, calculator: "dice" });
  const [{ error, isPartMissing }] = await offline.send({ id: 1, request: "fight" });
  assert.deepEqual([error, isPartMissing], ["Python stopped at this input", true]);
  const restarted = startWorker();
  const { type, message } = (await restarted.send({ ...START, useStockPyodide: true, calculator: "fight" })).at(-1);
  assert.deepEqual([type, message], ["failed", "more.zip.zst could not be loaded. Check your connection"]);
});

test("the worker warms up calculators when idle, each with its empty form first", async () => {
  const worker = startWorker({ one: "1" });
  await worker.send(START);
  const request = (query) => JSON.stringify({ name: "dice", query, ask: false, uid: "dice", root: "" });
  const waitForRequests = (count) => until(() => worker.requests.length === count);
  mock.timers.tick(99);
  await worker.send({ id: 1, request: "one" });
  assert.deepEqual(worker.requests, ["one"], "not after 99 ms, and a request restarts the delay");
  mock.timers.tick(100);
  await waitForRequests(2);
  mock.timers.tick(100);
  await waitForRequests(3);
  mock.timers.tick(1_000);
  await worker.send({ id: 2, request: "one" });
  assert.deepEqual(worker.requests, ["one", request(""), request("roll=d6"), "one"]);
});

test("the worker repeats a request that needs a file of the site with that file, empty if it can't be loaded", async () => {
  let turn = 0;
  const needs = (name) => () => (turn++ % 2 ? "done" : `{"needs": "data/${name}"}`);
  const root = JSON.stringify({ root: "https://example.org/site/" });
  const other = JSON.stringify({ root: "https://example.org/site/", a: 1 });
  const worker = startWorker({ [root]: needs("x.json"), [other]: needs("none.json") });
  await worker.send(START);
  assert.deepEqual(await worker.send({ id: 1, request: root }), [{ id: 1, result: "done" }]);
  assert.deepEqual(await worker.send({ id: 2, request: other }), [{ id: 2, result: "done" }]);
  assert.deepEqual(worker.requests, [root, ["data/x.json", "a text"], root, other, ["data/none.json", ""], other]);
});

test("the worker reports whether an error lacks a module, and closes after a fatal error", async () => {
  const fatal = Object.assign(new Error("unreachable"), { pyodide_fatal_error: true });
  const worker = startWorker({ a: new Error("no"), b: new Error("ModuleNotFoundError: No module named 'x'"), c: fatal });
  await worker.send(START);
  const error = "Python stopped at this input";
  assert.deepEqual(await worker.send({ id: 1, request: "a" }), [{ id: 1, error, isPartMissing: false }]);
  assert.deepEqual(await worker.send({ id: 2, request: "b" }), [{ id: 2, error, isPartMissing: true }]);
  assert.equal(worker.isClosed, false);
  assert.deepEqual([await worker.send({ id: 3, request: "c" }), worker.isClosed], [[{ id: 3, error, isPartMissing: true }], true]);
  const stock = startWorker({ b: new Error("ModuleNotFoundError: No module named 'x'") });
  await stock.send({ ...START, useStockPyodide: true });
  assert.equal(stock.library, "PKfull library");
  assert.deepEqual([stock.loaded[0].indexURL, await stock.send({ id: 1, request: "b" })], [FULL, [{ id: 1, error, isPartMissing: false }]]);
});

test("the worker reports a missing or damaged file by name, and loads the full library if the trimmed one is damaged", async () => {
  const failed = async (name, file) => {
    files.set(name, file);
    const messages = await startWorker().send(START);
    return [...new Set(messages.filter(({ type }) => type === "failed").map(({ message }) => message))][0];
  };
  const library = `${ENGINE}stdlib.zip.zst`;
  const compressed = zstdCompressSync(zip("lean library"), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const damaged = [[compressed.subarray(0, -1)], [compressed.with(compressed.length - 1, compressed.at(-1) ^ 1)], [""]];
  for (const file of ["broken", ["no archive"], ["", { status: 404 }], [zstdCompressSync("no archive")], ...damaged]) {
    files.set(library, file);
    const worker = startWorker();
    await worker.send(START);
    assert.equal(worker.library, "PKfull library");
  }
  const interpreter = `${LEAN}pyodide.asm.wasm.zst`;
  const compressedInterpreter = files.get(interpreter);
  assert.equal(await failed(interpreter, "broken"), "pyodide.asm.wasm.zst could not be loaded. Check your connection");
  assert.equal(await failed(interpreter, ["", { status: 503 }]), "pyodide.asm.wasm.zst could not be loaded: the server answered 503");
  const page = ["<p>", { headers: { "content-type": "text/html; charset=utf-8" } }];
  assert.equal(await failed(interpreter, page), "pyodide.asm.wasm.zst came as text/html: expected Zstandard from the server");
  for (const file of [[zstdCompressSync("no interpreter")], [compressedInterpreter[0].subarray(0, 9)]])
    assert.equal(await failed(interpreter, file), "pyodide.asm.wasm.zst came damaged from the server");
  files.set(interpreter, compressedInterpreter);
  assert.equal(await failed(`${ENGINE}app.zip.zst`, page), "app.zip.zst came as text/html: expected Zstandard from the server");
  files.set(`${ENGINE}app.zip.zst`, [zip("app")]);
  for (const [file, message] of [
    ["broken", "zstddec.wasm could not be loaded. Check your connection"],
    [["<p>"], "zstddec.wasm is damaged"],
  ])
    assert.equal(await failed(`${ENGINE}zstddec.wasm`, file), message);
});

test("the worker reloads a damaged file past the browser's cache, and takes a file that the browser has decompressed", async () => {
  const url = `${ENGINE}app.zip.zst`;
  const whole = files.get(url);
  for (const damaged of [["<p>"], [whole[0].subarray(0, 5)]]) {
    files.set(url, (cache) => (cache === "reload" ? whole : damaged));
    const worker = startWorker();
    assert.equal((await worker.send(START)).at(-1).type, "ready");
    assert.equal(worker.written["/app.zip"], "PKapp");
  }
  files.set(url, [zip("app")]);
  files.set(`${LEAN}pyodide.asm.wasm.zst`, [wasm("lean")]);
  const worker = startWorker();
  assert.equal((await worker.send(START)).at(-1).type, "ready");
  assert.equal(worker.written["/app.zip"], "PKapp");
});

test("the worker restores a saved snapshot, and mounts the archives when idle or when needed", async () => {
  const snapshotWorker = startWorker();
  await snapshotWorker.send({ type: "make-snapshot" });
  assert.deepEqual(
    [snapshotWorker.isClosed, snapshotWorker.loaded[0]._makeSnapshot, snapshotWorker.folders[0]],
    [true, true, "%2Fsite%2Fscratch-engine"],
  );
  assert.equal(snapshotWorker.scripts[1], 'import_modules_and_templates(["m"], ["t"])');
  const [[interpreterName, interpreter], [name, saved]] = disk;
  assert.match(name, /^https-example\.org-site-assets-engine-1-A-browser-1$/);
  assert.deepEqual([interpreterName, interpreter.subarray(0, -8)], [`${name}.wasm`, wasm("lean")]);
  assert.ok(saved.length < memory.length, "pages of zeros are not saved");
  const worker = startWorker({ one: "1" });
  const messages = await worker.send({ ...START, snapshot: "use" });
  assert.deepEqual(
    messages.map(({ file, type }) => file ?? type),
    ["its memory", "app.zip.zst", "ready"],
  );
  assert.deepEqual([messages[0].isFromSnapshot, worker.written, worker.scripts, worker.library], [true, {}, [], ""]);
  assert.deepEqual([worker.instantiated, worker.decoderCount], [[wasm("lean")], 0]);
  const [{ _loadSnapshot: head }] = worker.loaded;
  const heap = new Uint8Array(memory.length - 64).fill(5); // as the new interpreter has filled it
  worker.self.restoreMemory(new Int8Array(heap.buffer));
  assert.deepEqual(
    [head.length, head.subarray(0, 64), heap, worker.self.restoreMemory],
    [memory.length, memory.subarray(0, 64), memory.subarray(64), undefined],
  );
  mock.timers.tick(100);
  await until(() => Object.keys(worker.written).length === 3);
  assert.deepEqual(worker.written, { "/app.zip": "PKapp", "/more.zip": "PKmore", "/lib/python314.zip": "PKlean library" });
  assert.equal(worker.decoderCount, 1);
  let isThere = false;
  const retrying = startWorker({
    one: () => {
      if (!isThere) throw Object.assign(new Error("no module"), { at: (isThere = true) });
      return "1";
    },
  });
  await retrying.send({ ...START, snapshot: "use" });
  assert.deepEqual([await retrying.send({ id: 1, request: "one" }), Object.keys(retrying.written).length], [[{ id: 1, result: "1" }], 3]);
});

test("the worker does not restore a damaged or ignored snapshot, and deletes one on request", async () => {
  await startWorker().send({ type: "make-snapshot" });
  const [[interpreterName, interpreter], [name, saved]] = disk;
  for (const at of [0, 9, saved.length - 9, saved.length - 1]) {
    disk.set(name, saved.with(at, saved[at] ^ 1));
    const worker = startWorker();
    await worker.send({ ...START, snapshot: "use" });
    assert.equal(worker.loaded[0]._loadSnapshot, undefined, `byte ${at}`);
  }
  disk.set(name, saved);
  const intactOfAnotherType = saved;
  for (const bytes of [interpreter.with(0, 1), interpreter.with(5, 0), interpreter.subarray(0, 3), intactOfAnotherType]) {
    disk.set(interpreterName, bytes);
    const damaged = startWorker();
    const messages = await damaged.send({ ...START, snapshot: "use" });
    assert.deepEqual([messages[0].file, messages.at(-1).type, damaged.instantiated], ["pyodide.asm.wasm.zst", "ready", [wasm("lean")]]);
  }
  disk.set(interpreterName, interpreter);
  const ignoring = startWorker();
  await ignoring.send(START);
  assert.deepEqual([ignoring.loaded[0]._loadSnapshot, disk.size], [undefined, 2]);
  const deleting = startWorker();
  await deleting.send({ ...START, snapshot: "delete" });
  assert.deepEqual([deleting.loaded[0]._loadSnapshot, disk.size], [undefined, 0]);
});

test("the worker saves the snapshot in IndexedDB if the browser has no file system, and none if it has neither", async () => {
  hasFileSystem = false;
  const snapshotWorker = startWorker();
  assert.equal((await snapshotWorker.send({ type: "make-snapshot" })).at(-1).type, "saved");
  assert.deepEqual([disk.size, (await indexedDB.databases())[0].name], [0, "%2Fsite%2Fscratch-engine"]);
  const isRestored = async (snapshot) => {
    const worker = startWorker();
    const messages = await worker.send({ ...START, snapshot });
    assert.deepEqual([messages.at(-1).type, worker.instantiated], ["ready", [wasm("lean")]]);
    return worker.loaded[0]._loadSnapshot !== undefined;
  };
  assert.deepEqual([await isRestored("use"), await isRestored("ignore"), await isRestored("use")], [true, false, true]);
  assert.deepEqual([await isRestored("delete"), await isRestored("use")], [false, false]);
  delete globalThis.indexedDB;
  const unableWorker = startWorker();
  assert.deepEqual([await unableWorker.send({ type: "make-snapshot" }), unableWorker.isClosed, unableWorker.loaded], [[], true, []]);
  assert.equal(await isRestored("use"), false);
});

test("the worker saves no interpreter that came as another type of file", async () => {
  const url = `${LEAN}pyodide.asm.wasm.zst`;
  const whole = files.get(url);
  let requestCount = 0;
  files.set(url, () => (++requestCount === 1 ? whole : ["<p>"]));
  await startWorker().send({ type: "make-snapshot" });
  assert.deepEqual([requestCount, disk.size], [3, 0]);
});

test("the worker requests the decoder again if its early request has failed", async () => {
  await startWorker().send({ type: "make-snapshot" });
  const url = `${ENGINE}zstddec.wasm`;
  const whole = files.get(url);
  files.set(url, "broken");
  let answerCount = 0;
  const worker = startWorker({
    one: () => {
      if (++answerCount === 1) throw new Error("no module");
      return "1";
    },
  });
  assert.equal((await worker.send({ ...START, snapshot: "use" })).at(-1).type, "ready");
  files.set(url, whole);
  assert.deepEqual(await worker.send({ id: 1, request: "one" }), [{ id: 1, result: "1" }]);
});

test("the worker reports the file of a request without a response for 20 seconds", async () => {
  const timeoutFiles = (worker) => worker.messages.filter(({ type }) => type === "timeout").map(({ file }) => file);
  for (const name of ["app.zip.zst", "stdlib.zip.zst"]) {
    const before = files.get(ENGINE + name);
    files.set(ENGINE + name, "hangs");
    const worker = startWorker();
    void worker.send(START);
    await until(() => worker.fetched.includes(name) && worker.fetched.includes("pyodide.asm.wasm.zst"));
    mock.timers.tick(19_999);
    assert.deepEqual(timeoutFiles(worker), []);
    mock.timers.tick(1);
    assert.ok(timeoutFiles(worker).includes(name), name);
    files.set(ENGINE + name, before);
  }
});

test("the worker reports the file of a response that stalls for 20 seconds", async () => {
  for (const name of ["app.zip.zst", "stdlib.zip.zst"]) {
    const before = files.get(ENGINE + name);
    files.set(ENGINE + name, "stalls");
    const worker = startWorker();
    void worker.send(START);
    const timeoutFiles = () => worker.messages.filter(({ type }) => type === "timeout").map(({ file }) => file);
    await until(() => worker.fetched.includes(name) && worker.fetched.includes("pyodide.asm.wasm.zst"));
    await until(() => {
      mock.timers.tick(1_000);
      return timeoutFiles().length > 0;
    });
    assert.deepEqual(new Set(timeoutFiles()), new Set([name]));
    files.set(ENGINE + name, before);
  }
});

test("the application is requested when the file of the interpreter has arrived", async () => {
  const url = `${LEAN}pyodide.asm.wasm.zst`;
  const interpreter = files.get(url);
  let arrive;
  files.set(url, () => [new ReadableStream({ start: (body) => (arrive = () => (body.enqueue(interpreter[0]), body.close())) })]);
  const worker = startWorker();
  const start = worker.send(START);
  await until(() => worker.fetched.includes("stdlib.zip.zst"));
  assert.equal(worker.fetched.includes("app.zip.zst"), false);
  arrive();
  assert.equal((await start).at(-1).type, "ready");
  assert.ok(worker.fetched.includes("app.zip.zst"));
});

test("the worker uses the page's timeout for the requests of its start", async () => {
  files.set(`${LEAN}pyodide.asm.wasm.zst`, "hangs");
  const worker = startWorker();
  void worker.send({ ...START, requestTimeout: 7 });
  await until(() => worker.fetched.includes("pyodide.asm.wasm.zst"));
  mock.timers.tick(7);
  assert.ok(worker.messages.some(({ type, file }) => type === "timeout" && file === "pyodide.asm.wasm.zst"));
});
