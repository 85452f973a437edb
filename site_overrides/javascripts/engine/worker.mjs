// The Python worker: starts Python once, then answers one JSON request after the other. It is independent of the calculators.
// Messages to the client: hello, progress, ready, failed, timeout, crashed, saved, and {id, result} or {id, error, isPartMissing}.
// After the first start a second worker, which gets no user data, saves a snapshot of Python's memory with everything
// imported on this device, and the decompressed interpreter. The next start begins with them:
// `startAndSaveSnapshot`, `loadInterpreter` and `loadSnapshot`.
// Archives that a start does not need are mounted when no request waits, or when an answer needs them: `mountArchives`. After a
// start from a snapshot these are all archives; otherwise it is the second archive of the application.
import { storagePrefixOf } from "../shared/storage-prefix.mjs";
import { contentOf, SavedFiles } from "./saved-files.mjs";
import { createDecoder, createDecompressionStream } from "./zstandard.mjs";
// The build writes this file: the folders of the interpreter, whether its script can restore a snapshot
// (`restoreMemory`), Pyodide's lock file without packages, a sample query of each calculator by its name, the calculators that
// need only the first archive of the application, and the names of all modules and templates.
import { firstCalculators, leanFolder, lockFile, modules, pyodideFolder, samples, supportsSnapshots, templates } from "./files.mjs";

const baseUrl = new URL("./", import.meta.url).href;
const trimmedLibraryUrl = baseUrl + "stdlib.zip.zst";
const FIRST_ARCHIVE = "/app.zip";
const MORE_ARCHIVE = "/more.zip";
/** The URLs of the application's archives by their path in Python's file system. @type {Record<string, string>} */
const APPLICATION_URLS = { [FIRST_ARCHIVE]: `${baseUrl}app.zip.zst`, [MORE_ARCHIVE]: `${baseUrl}more.zip.zst` };
const fullLibraryUrl = pyodideFolder + "python_stdlib.zip.zst";
const fetchFile = self.fetch.bind(self);
// One folder or database for each site of the host. The name of a folder contains no slash.
const savedFilesName = `${encodeURIComponent(storagePrefixOf(new URL("../../", baseUrl).pathname))}scratch-engine`;
const savedFiles = new SavedFiles(savedFilesName);
// A snapshot is valid for these files and this browser only: another browser may lay out Python's tables differently.
const snapshotName = `${baseUrl}${navigator.userAgent}`.replace(/[^\w.]+/g, "-").slice(-200);
const interpreterName = `${snapshotName}.wasm`;

/** What a start does with the snapshot of an earlier one. @typedef {"use" | "delete" | "ignore"} SnapshotUse */

/**
 * The client's first message.
 * @typedef {object} StartMessage
 * @property {"start"} type
 * @property {boolean} useStockPyodide whether to use Pyodide's published files, after a start with the trimmed ones has failed
 * @property {SnapshotUse} snapshot
 * @property {string} [calculator] the calculator of the page; the archives that it does not need are loaded later
 * @property {number} [requestTimeout] ms until the start gives up a request without a response
 */

/** @typedef {{ type: "make-snapshot", requestTimeout?: undefined }} MakeSnapshotMessage */
/** A request of a calculator, as JSON. @typedef {{ type?: undefined, id: number, request: string, requestTimeout?: undefined }} RequestMessage */

/** A message to the client; the last two answer a request.
 *  @typedef {{ type: "hello", hasLock: boolean }
 *    | { type: "progress", file: string, isFromSnapshot?: boolean }
 *    | { type: "ready", milliseconds: number, snapshotCheckTime: number, supportsSnapshots: boolean }
 *    | { type: "failed", message: string, isPartMissing?: boolean }
 *    | { type: "timeout", file: string }
 *    | { type: "crashed" | "saved" }
 *    | { type?: undefined, id: number, result: string, error?: undefined, isPartMissing?: undefined }
 *    | { type?: undefined, id: number, error: string, isPartMissing: boolean }} WorkerMessage */

/**
 * The part of Pyodide that this worker uses.
 * @typedef {object} Pyodide
 * @property {{ readdir: (path: string) => string[], writeFile: (path: string, bytes: Uint8Array) => void }} FS
 * @property {{ get: (functionName: string) => (...texts: string[]) => string }} globals
 * @property {(code: string) => unknown} runPython
 * @property {() => Uint8Array} makeMemorySnapshot
 * @property {{ HEAP8: Int8Array }} _module
 */

/** An error of a Python function; after a fatal one Python can't run any more.
 *  @typedef {Error & { pyodide_fatal_error?: boolean }} PythonError */

/** The bytes of a snapshot from `start` to `end`, positions in Python's memory.
 *  @typedef {{ start: number, end: number, bytes: Uint8Array }} SnapshotSegment */
/** A snapshot with the length of the memory; the memory between the segments is zero.
 *  @typedef {{ length: number, segments: SnapshotSegment[] }} Snapshot */

/** @type {Pyodide} */
let python;
/** Answers a request, both as JSON. @type {(requestJson: string) => string} */
let answer;
/** Gives Python the text of a file of the site that an answer needs. @type {(path: string, text: string) => unknown} */
let provideFile;
let isLean = true; // whether this is the trimmed interpreter, without the parts that this site does not use
/** Mounts the archives that the start did not need; null when all are mounted. @type {(() => Promise<void>) | null} */
let mountArchives = null;
/** Pairs of a calculator's name and a query. @type {[string, string][]} */
let warmUpQueue = [];
let warmUpTimer = 0;
const WARM_UP_DELAY = 100; // ms without a request before the next warm-up
const PAGE_SIZE = 4096; // bytes. Pages of zeros, half of all, are not saved
const ZEROED_BYTES = 2 ** 18; // bytes of zeros to write at each end of a gap between segments
let requestTimeout = 20_000; // ms until a start gives up a request without a response

/** Send a message to the client.
 *  @param {WorkerMessage} message */
function postToClient(message) {
  self.postMessage(message);
}

/** Report to the client that Python can't start, and throw.
 *  @param {string} message
 *  @returns {never} */
function failStart(message) {
  postToClient({ type: "failed", message });
  throw new Error(message);
}

/** @param {string} url
 *  @returns {string} */
const fileNameOf = (url) => url.slice(url.lastIndexOf("/") + 1);

/** Report to the client if a request of a start exceeds the timeout. The client then terminates this worker.
 *  @template T
 *  @param {Promise<T>} promise
 *  @param {string} fileName
 *  @returns {Promise<T>} */
function reportIfLate(promise, fileName) {
  const timer = setTimeout(() => postToClient({ type: "timeout", file: fileName }), requestTimeout);
  return promise.finally(() => clearTimeout(timer));
}

/** Return the body of a response as a stream whose late chunks are reported as well.
 *  @param {Response} response
 *  @param {string} fileName
 *  @param {() => void} onArrival called when all of the body has arrived
 *  @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
function reportChunkTimeouts(response, fileName, onArrival) {
  const reader = response.body?.getReader();
  /** @param {ReadableStreamDefaultController} controller */
  const pull = async (controller) => {
    const { done, value } = reader ? await reportIfLate(reader.read(), fileName) : { done: true, value: undefined };
    if (!done) return controller.enqueue(value);
    controller.close();
    onArrival();
  };
  /** @param {unknown} reason */
  const cancel = (reason) => reader?.cancel(reason);
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** Fetch a file. Throws an error for users if it can't be loaded.
 *  @param {string} url
 *  @param {RequestInit} [options]
 *  @returns {Promise<Response>} */
async function fetchOrThrow(url, options = {}) {
  const name = fileNameOf(url);
  const response = await reportIfLate(fetchFile(url, options), name).catch(() => {
    throw new Error(`${name} could not be loaded. Check your connection`);
  });
  if (!response.ok) throw new Error(`${name} could not be loaded: the server answered ${response.status}`);
  return response;
}

/** The request of the decoder's file. @type {Promise<Response> | null} */
let decoderRequest = null;
/** The decoder of all compressed files. @type {Promise<import("./zstandard.mjs").Decoder> | null} */
let decoder = null;
const requestDecoder = () =>
  (decoderRequest ??= fetchOrThrow(baseUrl + "zstddec.wasm").catch((error) => {
    decoderRequest = null; // a later request retries
    throw error;
  }));
const loadDecoder = () =>
  (decoder ??= requestDecoder()
    .then(async (response) => createDecoder(await response.arrayBuffer()))
    .catch((error) => {
      decoder = null; // a later request retries
      throw error instanceof WebAssembly.CompileError ? new Error("zstddec.wasm is damaged") : error;
    })
    .finally(() => {
      decoderRequest = null; // a response can be read only once
    }));

/** The decompressed content of a file. @typedef {ReadableStream<Uint8Array<ArrayBuffer>>} Content */

/** Load a file in Zstandard, and decompress and parse it while it arrives. If it is damaged or something else, load it again past
 *  the browser's cache. Throws an error for users if that fails, too.
 *  @template T
 *  @param {string} url
 *  @param {(content: Content) => Promise<T>} parse fails if the content is damaged
 *  @param {Promise<Response>} [request] of the file, if it is requested already
 *  @param {() => void} [onArrival] called when all of the file has arrived
 *  @returns {Promise<T>} the parsed file */
async function loadCompressedFile(url, parse, request = fetchOrThrow(url), onArrival = () => {}) {
  const name = fileNameOf(url);
  const zstd = loadDecoder();
  ignoreFailure(zstd); // awaited below
  let type = "";
  for (const start of [() => request, () => fetchOrThrow(url, { cache: "reload" })]) {
    const response = await start();
    type = (response.headers.get("content-type") ?? "").split(";")[0];
    const parsed = parse(reportChunkTimeouts(response, name, onArrival).pipeThrough(createDecompressionStream(zstd)));
    ignoreFailure(parsed); // awaited below
    await zstd;
    try {
      return await parsed;
    } catch {} // the connection has broken, or the file is damaged
  }
  throw new Error(`${name} ${type.startsWith("text/") ? `came as ${type}: expected Zstandard` : "came damaged"} from the server`);
}

const ZIP_MAGIC = [0x50, 0x4b];
const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** Create the function that reads a content, and fails if it does not begin with certain bytes.
 *  @param {number[]} magic
 *  @returns {(content: Content) => Promise<Uint8Array<ArrayBuffer>>} */
const createReader = (magic) => async (content) => {
  const bytes = new Uint8Array(await new Response(content).arrayBuffer());
  if (magic.some((byte, index) => bytes[index] !== byte)) throw new Error("expected another type of file");
  return bytes;
};

/** @param {Content} content
 *  @returns {Promise<WebAssembly.Module>} */
const compileStream = (content) => WebAssembly.compileStreaming(new Response(content, { headers: { "Content-Type": "application/wasm" } }));

/** @param {string} url of a compressed zip archive
 *  @returns {Promise<Uint8Array<ArrayBuffer>>} */
const loadArchive = (url) => loadCompressedFile(url, createReader(ZIP_MAGIC));
/** @param {Promise<unknown>} promise whose failure another handler reports */
const ignoreFailure = (promise) => void promise.catch(() => {});
/** @param {string} name */
const isZipName = (name) => name.endsWith(".zip");

/** Load a file that a start needs, and report the progress or the failure to the client.
 *  @template T
 *  @param {string} url
 *  @param {(url: string) => Promise<T>} load
 *  @returns {Promise<T>} */
function loadOrFail(url, load) {
  postToClient({ type: "progress", file: fileNameOf(url) });
  return load(url).catch((error) => failStart(error.message));
}

/** Load Python's standard library as a response for Pyodide: the trimmed one, or else the full one.
 *  @param {string} url of either
 *  @returns {Promise<Response>} */
async function loadStandardLibrary(url) {
  const trimmed = url === trimmedLibraryUrl ? await loadArchive(url).catch(() => null) : null;
  return new Response(trimmed ?? (await loadOrFail(fullLibraryUrl, loadArchive)));
}

/** The interpreter, compiled while its file arrives. @typedef {{ arrival: Promise<unknown>, module: Promise<WebAssembly.Module> }} Interpreter */

/** @param {string} folder
 *  @returns {string} the URL of its interpreter */
const interpreterUrlIn = (folder) => `${folder}pyodide.asm.wasm.zst`;

/** Load and compile the interpreter: the one that an earlier start has saved, or else the published one. The published one and
 *  the decoder are requested at once. If an undamaged one is saved, the download is aborted, and the decoder is compiled later.
 *  Fails the start if neither can be loaded, because Pyodide would never settle. Pyodide requests its files one after the other;
 *  this worker requests all of them at once, and Pyodide's own requests get these responses.
 *  @param {string} folder
 *  @param {boolean} canUseSaved
 *  @returns {Interpreter} */
function loadInterpreter(folder, canUseSaved) {
  const url = interpreterUrlIn(folder);
  const controller = new AbortController();
  const request = fetchOrThrow(url, { signal: controller.signal });
  for (const promise of [request, requestDecoder()]) ignoreFailure(promise); // loadOrFail() reports it
  /** @type {() => void} */
  let onArrival = () => {};
  const arrived = /** @type {Promise<void>} */ (new Promise((resolve) => (onArrival = resolve)));

  /** @param {Promise<Response>} [response] */
  const download = (response) => loadOrFail(url, () => loadCompressedFile(url, compileStream, response, onArrival));

  /** @returns {Promise<WebAssembly.Module>} */
  async function loadModule() {
    const saved = canUseSaved ? await savedFiles.read(interpreterName) : null;
    // Other threads compile the saved file while this one computes the checksums.
    const savedModule = saved && WebAssembly.compile(contentOf(saved)).catch(() => null);
    if (!saved || !savedFiles.isIntact(saved)) return download(request);
    controller.abort();
    onArrival();
    return (await savedModule) ?? download();
  }
  const module = loadModule();
  const arrival = Promise.race([arrived, module]); // fails like the module
  for (const promise of [arrival, module]) ignoreFailure(promise); // failStart() reports it
  return { arrival, module };
}

/** An archive of Python modules, and its path in Python's file system. @typedef {{ path: string, bytes: Uint8Array<ArrayBuffer> }} Archive */

/** Load archives.
 *  @param {Record<string, string>} urls by the path in Python's file system
 *  @param {(url: string) => Promise<Uint8Array<ArrayBuffer>>} load
 *  @returns {Promise<Archive[]>} */
const loadArchives = (urls, load) => Promise.all(Object.entries(urls).map(async ([path, url]) => ({ path, bytes: await load(url) })));

/** Start to download the archives of Python modules: the standard library, and the application's archives that the page needs.
 *  The application, which is needed last, waits for the interpreter's file: it arrives and is decompressed while Pyodide starts
 *  the interpreter.
 *  @param {string} libraryUrl
 *  @param {Promise<unknown>} interpreterArrival
 *  @param {Record<string, string>} applicationUrls by the path in Python's file system
 *  @returns {{ application: Promise<Archive[]>, library: Promise<Response> }} */
function startArchiveDownloads(libraryUrl, interpreterArrival, applicationUrls) {
  const library = loadStandardLibrary(libraryUrl);
  const application = interpreterArrival.then(() => loadArchives(applicationUrls, (url) => loadOrFail(url, loadArchive)));
  for (const promise of [application, library]) ignoreFailure(promise); // failStart() reports it
  return { application, library };
}

/** Write archives into Python's file system, where its importer finds them.
 *  @param {Archive[]} archives */
function writeArchives(archives) {
  for (const { path, bytes } of archives) python.FS.writeFile(path, bytes);
}

/** Add the second archive of the application to Python's importer. */
const addMoreArchive = () => python.globals.get("add_archive")(MORE_ARCHIVE, FIRST_ARCHIVE);

/** Create the function that mounts the archives that the start did not need. It can be called again if it fails: most answers
 *  need none of them.
 *  @param {Record<string, string>} urls by the path in Python's file system
 *  @returns {() => Promise<void>} */
function createArchivesMounter(urls) {
  const mountAll = async () => {
    writeArchives(await loadArchives(urls, loadArchive));
    addMoreArchive();
    mountArchives = null;
    decoder = null; // frees its memory
  };
  /** @type {Promise<void> | null} */
  let mounting = null;
  return () =>
    (mounting ??= mountAll().finally(() => {
      mounting = null;
    }));
}

/** Replace `fetch` and `WebAssembly.instantiateStreaming`, so that Pyodide gets the files that this worker loads.
 *  @param {Promise<WebAssembly.Module>} interpreterModule
 *  @param {Promise<Response>} libraryResponse */
function serveLoadedFilesToPyodide(interpreterModule, libraryResponse) {
  self.fetch = async (input, options) => {
    const url = String(/** @type {Request} */ (input)?.url ?? input);
    if (url === trimmedLibraryUrl || url === fullLibraryUrl) return await libraryResponse;
    return url.endsWith(".wasm") ? new Response() : fetchFile(input, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await interpreterModule;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

/** Pack Python's memory into the bytes of a snapshot without the pages of zeros.
 *  @param {Uint8Array} memory
 *  @returns {Uint8Array<ArrayBuffer>} its length, the number of segments, start and end of each, and the segments */
function packSnapshot(memory) {
  /** @type {number[]} */
  const bounds = []; // start and end alternate
  for (let start = 0; start < memory.length; start += PAGE_SIZE) {
    const page = memory.subarray(start, start + PAGE_SIZE);
    if (page.every((byte) => byte === 0)) continue;
    if (bounds.at(-1) === start) bounds.pop();
    else bounds.push(start);
    bounds.push(start + page.length);
  }
  const header = new Uint32Array([memory.length, bounds.length / 2, ...bounds]);
  const parts = [new Uint8Array(header.buffer), ...toPairs(bounds).map(([start, end]) => memory.subarray(start, end))];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}

/** @param {ArrayLike<number>} flat
 *  @returns {[number, number][]} */
const toPairs = (flat) => Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], flat[2 * n + 1]]);

/** Unpack the bytes that `packSnapshot` has packed.
 *  @param {Uint8Array} file
 *  @returns {Snapshot} */
function unpackSnapshot(file) {
  const [length, count] = new Uint32Array(file.buffer, 0, 2);
  let offset = 8 + 8 * count;
  const segments = toPairs(new Uint32Array(file.buffer, 8, 2 * count)).map(([start, end]) => {
    offset += end - start;
    return { start, end, bytes: file.subarray(offset - end + start, offset) };
  });
  return { length, segments };
}

/** Set `self.restoreMemory`, which writes the segments of a snapshot directly to their positions when Pyodide would copy it:
 *  half of the bytes, and once. Of a gap between segments only the edges are zeroed, because the new interpreter has written
 *  nowhere else: a long gap is the stack.
 *  @param {Snapshot} snapshot
 *  @returns {Uint8Array} a snapshot for Pyodide of full length that contains only the head, whose length is its second word */
function installRestoreMemory({ length, segments }) {
  const [first] = segments;
  const snapshot = new Uint8Array(length);
  const [, headLength] = new Uint32Array(first.bytes.slice(0, 8).buffer);
  snapshot.set(first.bytes.subarray(0, headLength));
  self.restoreMemory = (heap) => {
    const memory = new Uint8Array(heap.buffer); // of the same type as the source, or Firefox copies byte by byte
    let previousEnd = headLength;
    for (const { start, end, bytes } of [...segments, { start: length, end: length, bytes: new Uint8Array(0) }]) {
      const from = Math.max(start, headLength);
      memory.fill(0, previousEnd - headLength, Math.min(previousEnd + ZEROED_BYTES, from) - headLength);
      memory.fill(0, Math.max(previousEnd, from - ZEROED_BYTES) - headLength, from - headLength);
      memory.set(bytes.subarray(from - start), from - headLength);
      previousEnd = end;
    }
    delete self.restoreMemory;
  };
  return snapshot;
}

/** Load the snapshot of an earlier start. It waits for the file of the interpreter, whose compilation then runs in parallel.
 *  @param {Promise<unknown>} interpreterArrival
 *  @returns {Promise<Snapshot | null>} null if there is no valid one */
async function loadSnapshot(interpreterArrival) {
  const saved = await savedFiles.read(snapshotName, interpreterArrival);
  return saved && savedFiles.isIntact(saved) ? unpackSnapshot(contentOf(saved)) : null;
}

/** Answer a request of no user: an empty query imports everything that a calculator needs, and a sample query lets the
 *  browser compile its functions, because Chromium compiles a function at its first call. Closes the worker if Python crashes.
 *  @param {[string, string]} sample */
function warmUpCalculator([name, query]) {
  try {
    answer(JSON.stringify({ name, query, ask: false, uid: name, root: "" }));
  } catch (error) {
    if (!(/** @type {PythonError} */ (error).pyodide_fatal_error)) return; // reported when a user requests it
    postToClient({ type: "crashed" });
    self.close();
  }
}

/** Warm up the calculators when idle, one answer at a time, so that a request waits for at most one. */
function scheduleWarmUp() {
  clearTimeout(warmUpTimer);
  if (!warmUpQueue.length) return;
  warmUpTimer = setTimeout(async () => {
    try {
      await mountArchives?.();
    } catch {
      return; // the next answer schedules a retry
    }
    const sample = warmUpQueue.shift(); // another answer may have emptied the queue in the meantime
    if (sample) warmUpCalculator(sample);
    scheduleWarmUp();
  }, WARM_UP_DELAY);
}

/** Start Python, import everything, and save a snapshot for the next start. A heap that has grown beyond its initial size
 *  can't be restored, and is not saved.
 *  @returns {Promise<void>} */
async function startAndSaveSnapshot() {
  if (!supportsSnapshots || !(await savedFiles.canSave())) return;
  await startPython({ useStockPyodide: false, snapshot: "ignore", needsAllArchives: true, options: { _makeSnapshot: true } });
  const firstHeap = python._module.HEAP8.length;
  python.runPython(`import_modules_and_templates(${JSON.stringify(modules)}, ${JSON.stringify(templates)})`); // answers would grow the heap
  if (python._module.HEAP8.length !== firstHeap) return;
  await savedFiles.clear(); // of all versions of this site
  await savedFiles.save(interpreterName, await loadCompressedFile(interpreterUrlIn(leanFolder), createReader(WASM_MAGIC)));
  await savedFiles.save(snapshotName, packSnapshot(python.makeMemorySnapshot())); // last: without it the next page saves both again
  postToClient({ type: "saved" });
}

/** The functions that load the snapshot of an earlier start, or return null after another use of it.
 *  @type {Record<SnapshotUse, (interpreterArrival: Promise<unknown>) => Promise<Snapshot | null>>} */
const readSnapshotFor = { use: loadSnapshot, delete: () => savedFiles.clear().then(() => null), ignore: async () => null };

/** Start Python, and report it to the client.
 *  @param {Pick<StartMessage, "useStockPyodide" | "snapshot"> & { needsAllArchives: boolean, options?: { _makeSnapshot?: boolean } }} how
 *    `options` are those of `loadPyodide`
 *  @returns {Promise<void>} */
async function startPython({ useStockPyodide, snapshot: snapshotUse, needsAllArchives, options = {} }) {
  const startTime = performance.now();
  isLean = !useStockPyodide;
  const folder = useStockPyodide ? pyodideFolder : leanFolder;
  const libraryUrl = useStockPyodide ? fullLibraryUrl : trimmedLibraryUrl;
  const interpreter = loadInterpreter(folder, snapshotUse === "use");
  const loading = readSnapshotFor[snapshotUse](interpreter.arrival);
  const firstUrls = needsAllArchives ? APPLICATION_URLS : { [FIRST_ARCHIVE]: APPLICATION_URLS[FIRST_ARCHIVE] };
  const archives = loading.then((snapshot) => (snapshot ? null : startArchiveDownloads(libraryUrl, interpreter.arrival, firstUrls)));
  serveLoadedFilesToPyodide(
    interpreter.module,
    archives.then((started) => (started ? started.library : new Response())),
  );
  reportIfLate(import(folder + "pyodide.asm.mjs"), "pyodide.asm.mjs").catch(() => {}); // Pyodide imports it again, and reports a failure then
  const { loadPyodide } = await reportIfLate(import(folder + "pyodide.mjs"), "pyodide.mjs").catch(() =>
    failStart("pyodide.mjs could not be loaded"),
  );
  const snapshot = await loading;
  if (snapshot) postToClient({ type: "progress", file: "its memory", isFromSnapshot: true });
  python = await loadPyodide({
    ...(snapshot ? { _loadSnapshot: installRestoreMemory(snapshot) } : options),
    indexURL: folder,
    stdLibURL: libraryUrl,
    lockFileContents: lockFile,
    packageBaseUrl: folder,
  });
  postToClient({ type: "progress", file: "app.zip.zst" });
  const loadedArchives = await archives;
  if (loadedArchives) writeArchives(await loadedArchives.application);
  else
    mountArchives = createArchivesMounter({
      ...APPLICATION_URLS,
      [`/lib/${python.FS.readdir("/lib").find(isZipName)}`]: libraryUrl,
    });
  const emptyQueries = Object.keys(samples).map((name) => /** @type {[string, string]} */ ([name, ""]));
  warmUpQueue = [...emptyQueries, ...Object.entries(samples)];
  if (!snapshot)
    python.runPython(`
import sys
sys.path.insert(0, "/app.zip")
from archive_importer import add_archive, install_finder
install_finder("/app.zip")
from jinja2 import ModuleLoader
from build_scripts.render import answer_json_request, store_file_text, import_modules_and_templates, set_template_loader
set_template_loader(ModuleLoader("/app.zip/calculator_templates"))
`);
  if (loadedArchives && needsAllArchives) {
    addMoreArchive();
    decoder = null; // frees its memory
  } else if (loadedArchives) mountArchives = createArchivesMounter({ [MORE_ARCHIVE]: APPLICATION_URLS[MORE_ARCHIVE] });
  answer = python.globals.get("answer_json_request");
  provideFile = python.globals.get("store_file_text");
  postToClient({ type: "ready", milliseconds: performance.now() - startTime, snapshotCheckTime: savedFiles.checkTime, supportsSnapshots });
  if (!options._makeSnapshot) scheduleWarmUp();
}

/** Answer a request. If that fails before the archives are mounted, mount them and retry.
 *  @param {string} requestJson
 *  @returns {Promise<string>} the answer as JSON */
async function answerOrMountAndRetry(requestJson) {
  try {
    return answer(requestJson);
  } catch (error) {
    if (!mountArchives || /** @type {PythonError} */ (error).pyodide_fatal_error) throw error;
    await mountArchives();
    return answer(requestJson);
  }
}

// How an answer begins that needs a file: `answer_json_request` in build_scripts/render.py writes no other key. Only such an
// answer is parsed here; the others are long, and the client parses them.
const NEEDS_FILE_BEGINNING = '{"needs"';

/** Answer a request. If the answer needs a file of the site, fetch it, give it to Python, and repeat the request.
 *  @param {string} requestJson
 *  @returns {Promise<string>} the answer as JSON */
async function answerRequest(requestJson) {
  const result = await answerOrMountAndRetry(requestJson);
  if (!result.startsWith(NEEDS_FILE_BEGINNING)) return result;
  const { needs } = JSON.parse(result);
  const response = await fetchFile(new URL(needs, JSON.parse(requestJson).root)).catch(() => null);
  provideFile(needs, response?.ok ? await response.text() : "");
  return answerOrMountAndRetry(requestJson);
}

/** Whether the trimmed Python lacks something: an archive that can't be loaded, a module of the trimmed library, or a
 *  function of the trimmed interpreter, which crashes it. The client then restarts with Pyodide's published files.
 *  @param {PythonError} error */
const isCausedByTrimming = (error) =>
  isLean && (Boolean(mountArchives || error.pyodide_fatal_error) || /ModuleNotFoundError: No module named '/.test(error.message));

/** Handle a message of the client, and answer it.
 *  @param {StartMessage | MakeSnapshotMessage | RequestMessage} data
 *  @returns {Promise<void>} */
async function handleClientMessage(data) {
  try {
    requestTimeout = data.requestTimeout ?? requestTimeout;
    if (data.type === "start") {
      const needsAllArchives = data.calculator !== undefined && !firstCalculators.includes(data.calculator);
      return await startPython({ ...data, needsAllArchives });
    }
    if (data.type === "make-snapshot") return await startAndSaveSnapshot().finally(() => self.close());
    clearTimeout(warmUpTimer);
    postToClient({ id: data.id, result: await answerRequest(data.request) });
    scheduleWarmUp();
  } catch (thrown) {
    const error = /** @type {PythonError} */ (thrown);
    const isPartMissing = isCausedByTrimming(error);
    console.error(error);
    if (data.type === "start") postToClient({ type: "failed", message: String(error.message).slice(-300), isPartMissing });
    else if (data.type === undefined) postToClient({ id: data.id, error: "Python stopped at this input", isPartMissing });
    if (error.pyodide_fatal_error) self.close(); // this Python can answer nothing more: the client starts another worker
  }
}

self.addEventListener("message", ({ data }) => handleClientMessage(data));

// The worker holds this lock for its lifetime. The client waits for the lock, and so detects the death of the worker at once.
if (navigator.locks)
  navigator.locks.request(self.name, () => {
    postToClient({ type: "hello", hasLock: true });
    return new Promise(() => {});
  });
else postToClient({ type: "hello", hasLock: false });
