// The Python worker: starts Python once, then answers one JSON request after the other. It is independent of the calculators.
// Messages to the client: hello, progress, ready, failed, timeout, crashed, and {id, result} or {id, error, isPartMissing}.
// After the first start a second worker, which gets no user data, saves a snapshot of Python's memory with everything
// imported in the origin private file system. The next start begins with it: `startAndSaveSnapshot` and `loadSnapshot`.
// Such a start mounts Python's archives after its first answer, when idle, or when an answer needs them: `mountArchives`.
// The build replaces this import with the folders of the interpreter, whether its script can restore a snapshot
// (`restoreMemory`), Pyodide's lock file without packages, a sample query of each calculator by its name, and the names
// of all modules and templates.
// @ts-expect-error -- the build writes it here
import { leanFolder, lockFile, modules, pyodideFolder, samples, supportsSnapshots, templates } from "./files.mjs";

const baseUrl = new URL("./", import.meta.url).href;
const trimmedLibraryUrl = baseUrl + "stdlib.zip.gz";
const fullLibraryUrl = pyodideFolder + "python_stdlib.zip";
const fetchFile = self.fetch.bind(self);
// One folder for each site of the host, see urls.mjs. The name of a folder contains no slash.
const sitePath = new URL("../../", baseUrl).pathname;
const snapshotFolder = `${sitePath === "/" ? "" : encodeURIComponent(sitePath)}scratch-engine`;
// A snapshot is valid for these files and this browser only: another browser may lay out Python's tables differently.
const snapshotName = `${baseUrl}${navigator.userAgent}`.replace(/[^\w.]+/g, "-").slice(-200);
let python;
let answer;
let provideFile; // gives Python a file of the site that it has asked for
let isLean = true; // whether this is the trimmed interpreter, without the parts that this site does not use
let snapshotCheckTime = 0; // ms that the verification of the snapshot took
let mountArchives = null; // mounts the archives after a start from a snapshot; null when they are there
let warmUpQueue = []; // pairs of a calculator and a query
let warmUpTimer = 0;
const WARM_UP_DELAY = 100; // ms without a request before the next warm-up
const CHECKSUM_BYTES = 8; // two checksums of 32 bits
const PAGE_SIZE = 4096; // bytes. Pages of zeros, half of all, are not saved
const ZEROED_BYTES = 2 ** 18; // bytes of zeros to write at each end of a gap between segments
let requestTimeout = 20_000; // ms until a start gives up a request without a response

/** Report to the client that Python can't start, and throw.
 *  @returns {never} */
function failStart(message) {
  self.postMessage({ type: "failed", message });
  throw new Error(message);
}

const fileNameOf = (url) => url.split("/").pop();

// Report to the client if a request of a start exceeds the timeout; return the promise. The client then terminates this worker.
function reportIfLate(promise, fileName) {
  const timer = setTimeout(() => self.postMessage({ type: "timeout", file: fileName }), requestTimeout);
  return promise.finally(() => clearTimeout(timer));
}

/** Return a response that reports late chunks of its body as well. Not for WebAssembly: browsers cache compiled code only for
 *  responses from the network.
 *  @returns {Response} */
function reportLateChunks(response, fileName) {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const pull = async (controller) => {
    const { done, value } = await reportIfLate(reader.read(), fileName);
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = (reason) => reader.cancel(reason);
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), { headers: response.headers });
}

async function fetchStartFile(url) {
  const name = fileNameOf(url);
  self.postMessage({ type: "progress", file: name });
  const response = await reportIfLate(fetchFile(url), name).catch(() => failStart(`${name} could not be loaded. Check your connection`));
  if (!response.ok) failStart(`${name} could not be loaded: the server answered ${response.status}`);
  return response;
}

const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b;
const isZipName = (name) => name.endsWith(".zip");
const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Read the archive in a response. With a Content-Encoding header the browser has unpacked it already. Returns null if it
 *  is no archive.
 *  @returns {Promise<Uint8Array<ArrayBuffer> | null>} */
async function readArchive(response) {
  try {
    let bytes = new Uint8Array(await response.arrayBuffer());
    if (isGzip(bytes)) {
      const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
    }
    return isZip(bytes) ? bytes : null;
  } catch {
    return null; // incomplete or damaged
  }
}

/** Load Python's standard library as a response for Pyodide: the trimmed one, or else the full one.
 *  @returns {Promise<Response>} */
async function loadStandardLibrary(url) {
  if (url === trimmedLibraryUrl) {
    const response = await reportIfLate(fetchFile(url), fileNameOf(url)).catch(() => null);
    const bytes = response?.ok ? await readArchive(reportLateChunks(response, fileNameOf(url))) : null;
    if (bytes) return new Response(bytes);
  }
  return reportLateChunks(await fetchStartFile(fullLibraryUrl), fileNameOf(fullLibraryUrl));
}

async function loadApplication() {
  const bytes = await readArchive(reportLateChunks(await fetchStartFile(baseUrl + "app.zip.gz"), "app.zip.gz"));
  return bytes ?? failStart("app.zip.gz came as something else: expected an archive from the server");
}

// Pyodide requests its files one after the other, and never settles if its WebAssembly file is missing or has a wrong
// type. So this worker requests all of them at once, and Pyodide's own requests get these responses.
async function fetchInterpreter(folder) {
  const response = await fetchStartFile(folder + "pyodide.asm.wasm");
  const type = (response.headers.get("content-type") ?? "no type").split(";")[0];
  if (type !== "application/wasm") {
    failStart(`pyodide.asm.wasm came as ${type}: expected application/wasm from the server`);
  }
  return response;
}

/** Start to download the two archives of Python modules, the standard library and the application. Returns their promises.
 *  @returns {{ application: Promise<Uint8Array<ArrayBuffer>>, library: Promise<Response> }} */
function startArchiveDownloads(libraryUrl) {
  const archives = { application: loadApplication(), library: loadStandardLibrary(libraryUrl) };
  for (const promise of Object.values(archives)) promise.catch(() => {}); // fail() reports it
  return archives;
}

// Return a function that mounts the archives after a start from a snapshot. It can be called again if it fails: the
// snapshot contains everything that most answers need.
function createArchiveMounter(libraryUrl) {
  const urls = { "/app.zip": baseUrl + "app.zip.gz", [`/lib/${python.FS.readdir("/lib").find(isZipName)}`]: libraryUrl };
  const mountAll = async () => {
    const downloads = Object.entries(urls).map(async ([path, url]) => [path, await readArchive(await fetchFile(url))]);
    const archives = await Promise.all(downloads);
    if (!archives.every(([, bytes]) => bytes)) throw new Error("an archive of Python's came as something else");
    for (const [path, bytes] of archives) python.FS.writeFile(path, bytes);
    mountArchives = null;
  };
  let mounting = null;
  return () =>
    (mounting ??= mountAll().finally(() => {
      mounting = null;
    }));
}

// Patch `fetch` and WebAssembly so that Pyodide gets the files that this worker loads.
function serveLoadedFilesToPyodide(interpreterModule, libraryResponse) {
  self.fetch = async (/** @type {any} */ input, options) => {
    const url = String(input?.url ?? input);
    if (url === trimmedLibraryUrl || url === fullLibraryUrl) return await libraryResponse;
    return url.endsWith(".wasm") ? new Response() : fetchFile(input, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = /** @type {WebAssembly.Module} */ (await interpreterModule);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

async function openSnapshotFolder() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(snapshotFolder, { create: true });
}

// Compute two 32-bit checksums over the words of a snapshot. Each step of the first one is invertible, so a single changed
// word always changes it. The browser's own digest takes a third of a second in Firefox; this takes 10 ms.
function computeChecksums(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let hash = 0;
  let sum = 0;
  for (let index = 0; index < words.length; index += 1) {
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ words[index], 0x9e3779b1);
    sum = (sum + hash) | 0;
  }
  return new Uint32Array([hash, sum]);
}

// Pack a snapshot without its pages of zeros: its length, the number of segments, start and end of each, and the segments.
function packSnapshot(memory) {
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

const toPairs = (flat) => Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], flat[2 * n + 1]]);

// Unpack a snapshot into its length and its segments, each with start, end and bytes.
function unpackSnapshot(file) {
  const [length, count] = new Uint32Array(file.buffer, 0, 2);
  let offset = 8 + 8 * count;
  const segments = toPairs(new Uint32Array(file.buffer, 8, 2 * count)).map(([start, end]) => {
    offset += end - start;
    return { start, end, bytes: file.subarray(offset - end + start, offset) };
  });
  return { length, segments };
}

// Prepare the restoring of a snapshot. Returns one for Pyodide that has the full length, but contains only the head, whose
// length is its second word. When Pyodide would copy the rest, `restoreMemory` writes the segments directly to their
// positions: half of the bytes, and once. Of a gap between segments only the edges are zeroed, because the new interpreter
// has written nowhere else: a long gap is the stack.
function prepareSnapshotRestore({ length, segments }) {
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

// Load the snapshot of an earlier start. Returns null if there is none, its checksums, which follow it, don't match, or
// another tab is writing it. Reading blocks this thread, so it waits for the response of the interpreter, whose
// compilation then runs in parallel.
async function loadSnapshot(interpreterResponse) {
  try {
    const file = await (await openSnapshotFolder()).getFileHandle(snapshotName);
    const access = await file.createSyncAccessHandle({ mode: "read-only" });
    await interpreterResponse;
    const bytes = new Uint8Array(access.getSize());
    access.read(bytes);
    access.close();
    const startTime = performance.now();
    const content = bytes.subarray(0, -CHECKSUM_BYTES);
    const checksums = new Uint32Array(bytes.slice(-CHECKSUM_BYTES).buffer);
    const isIntact = computeChecksums(content).every((checksum, index) => checksum === checksums[index]);
    snapshotCheckTime = performance.now() - startTime;
    return isIntact ? unpackSnapshot(content) : null;
  } catch {
    return null;
  }
}

async function deleteSnapshots() {
  const folder = await openSnapshotFolder().catch(() => null);
  for await (const name of folder?.keys() ?? []) await folder.removeEntry(name).catch(() => {});
}

// Save a snapshot for the next start. The checksums are written last, so an interrupted write leaves an invalid file.
async function saveSnapshot(bytes) {
  await deleteSnapshots();
  const file = await (await openSnapshotFolder()).getFileHandle(snapshotName, { create: true });
  const access = await file.createSyncAccessHandle();
  try {
    access.write(bytes);
    access.flush();
    access.write(computeChecksums(bytes), { at: bytes.length });
  } finally {
    access.close();
  }
}

// Answer a request of no user: an empty query imports everything that a calculator needs, and a sample query lets the
// browser compile its functions, because Chromium compiles a function at its first call.
function warmUpCalculator([name, query]) {
  try {
    answer(JSON.stringify({ name, query, ask: false, uid: name, root: "" }));
  } catch (error) {
    if (!error.pyodide_fatal_error) return; // reported when a user requests it
    self.postMessage({ type: "crashed" });
    self.close();
  }
}

// Warm up the calculators when idle, one answer at a time, so that a request waits for at most one.
function scheduleWarmUp() {
  clearTimeout(warmUpTimer);
  if (!warmUpQueue.length) return;
  warmUpTimer = setTimeout(async () => {
    try {
      await mountArchives?.();
    } catch {
      return; // the next answer schedules a retry
    }
    if (warmUpQueue.length) warmUpCalculator(warmUpQueue.shift()); // another answer may have emptied the queue in the meantime
    scheduleWarmUp();
  }, WARM_UP_DELAY);
}

// Start Python, import everything, and save a snapshot for the next start. A heap that has grown beyond its initial size
// can't be restored, and is not saved.
async function startAndSaveSnapshot() {
  if (!supportsSnapshots) return;
  await startPython({ useStockPyodide: false, snapshot: "ignore", options: { _makeSnapshot: true } });
  const firstHeap = python._module.HEAP8.length;
  python.runPython(`import_all(${JSON.stringify(modules)}, ${JSON.stringify(templates)})`); // answers would grow the heap
  if (python._module.HEAP8.length === firstHeap) await saveSnapshot(packSnapshot(python.makeMemorySnapshot()));
}

// What a start does with the saved snapshot; "delete" and "ignore" give none.
const readSnapshotFor = { use: loadSnapshot, delete: deleteSnapshots, ignore: async () => null };

/** Start Python. `useStockPyodide` selects Pyodide's published files, after a start with the trimmed ones has failed.
 *  @param {{ useStockPyodide: boolean, snapshot: string, options?: { _makeSnapshot?: boolean } }} how */
async function startPython({ useStockPyodide, snapshot: snapshotUse, options = {} }) {
  const startTime = performance.now();
  isLean = !useStockPyodide;
  const folder = useStockPyodide ? pyodideFolder : leanFolder;
  const libraryUrl = useStockPyodide ? fullLibraryUrl : trimmedLibraryUrl;
  const response = fetchInterpreter(folder);
  const compile = (response) => WebAssembly.compileStreaming(response).catch(() => failStart("pyodide.asm.wasm is damaged"));
  const interpreter = response.then(compile);
  interpreter.catch(() => {}); // fail() reports it
  const loading = readSnapshotFor[snapshotUse](response);
  const archives = loading.then((snapshot) => (snapshot ? null : startArchiveDownloads(libraryUrl)));
  serveLoadedFilesToPyodide(
    interpreter,
    archives.then((started) => (started ? started.library : new Response())),
  );
  reportIfLate(import(folder + "pyodide.asm.mjs"), "pyodide.asm.mjs").catch(() => {}); // Pyodide imports it again, and reports a failure then
  const { loadPyodide } = await reportIfLate(import(folder + "pyodide.mjs"), "pyodide.mjs").catch(() =>
    failStart("pyodide.mjs could not be loaded"),
  );
  const snapshot = await loading;
  if (snapshot) self.postMessage({ type: "progress", file: "its memory", isFromSnapshot: true });
  python = await loadPyodide({
    ...(snapshot ? { _loadSnapshot: prepareSnapshotRestore(snapshot) } : options),
    indexURL: folder,
    stdLibURL: libraryUrl,
    lockFileContents: lockFile,
    packageBaseUrl: folder,
  });
  self.postMessage({ type: "progress", file: "app.zip.gz" });
  const loadedArchives = await archives;
  if (loadedArchives) python.FS.writeFile("/app.zip", await loadedArchives.application);
  else mountArchives = createArchiveMounter(libraryUrl);
  warmUpQueue = [...Object.keys(samples).map((name) => [name, ""]), ...Object.entries(samples)];
  if (!snapshot)
    python.runPython(`
import sys
sys.path.insert(0, "/app.zip")
from archive_importer import install_finder
install_finder("/app.zip")
from jinja2 import ModuleLoader
from build_scripts.render import answer, hand_over, import_all, use_templates
use_templates(ModuleLoader("/app.zip/calculator_templates"))
`);
  answer = python.globals.get("answer");
  provideFile = python.globals.get("hand_over");
  self.postMessage({ type: "ready", milliseconds: performance.now() - startTime, snapshotCheckTime, supportsSnapshots });
  if (!options._makeSnapshot) scheduleWarmUp();
}

// Answer a request. If that fails before the archives are mounted, mount them and retry.
async function answerOrMountAndRetry(request) {
  try {
    return answer(request);
  } catch (error) {
    if (!mountArchives || error.pyodide_fatal_error) throw error;
    await mountArchives();
    return answer(request);
  }
}

/** Answer a request. If the answer needs a file of the site, fetch it, give it to Python, and repeat the request.
 *  @returns {Promise<string>} */
async function answerRequest(request) {
  const result = await answerOrMountAndRetry(request);
  if (!result.startsWith('{"needs"')) return result;
  const { needs } = JSON.parse(result);
  const response = await fetchFile(new URL(needs, JSON.parse(request).root)).catch(() => null);
  provideFile(needs, response?.ok ? await response.text() : "");
  return answerOrMountAndRetry(request);
}

// Whether the trimmed Python lacks something: an archive that can't be loaded, a module of the trimmed library, or a
// function of the trimmed interpreter, which crashes it. The client then restarts with Pyodide's published files.
const isCausedByTrimming = (error) =>
  isLean && (Boolean(mountArchives || error.pyodide_fatal_error) || /ModuleNotFoundError: No module named '/.test(error.message));

self.addEventListener("message", async ({ data }) => {
  try {
    requestTimeout = data.requestTimeout ?? requestTimeout;
    if (data.type === "start") return await startPython(data);
    if (data.type === "make-snapshot") return await startAndSaveSnapshot().finally(() => self.close());
    clearTimeout(warmUpTimer);
    self.postMessage({ id: data.id, result: await answerRequest(data.request) });
    scheduleWarmUp();
  } catch (error) {
    const isPartMissing = isCausedByTrimming(error);
    console.error(error);
    if (data.type === "start") self.postMessage({ type: "failed", message: String(error.message).slice(-300), isPartMissing });
    else self.postMessage({ id: data.id, error: "Python stopped at this input", isPartMissing });
    if (error.pyodide_fatal_error) self.close(); // this Python can answer nothing more: the client starts another worker
  }
});

// The worker holds this lock for its lifetime. The client waits for the lock, and so detects the death of the worker at once.
if (navigator.locks)
  navigator.locks.request(self.name, () => {
    self.postMessage({ type: "hello", hasLock: true });
    return new Promise(() => {});
  });
else self.postMessage({ type: "hello", hasLock: false });
