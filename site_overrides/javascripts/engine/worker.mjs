// The engine's worker: starts Python once, then answers one JSON request after the other. It knows no calculator.
// Messages out: hello, progress, ready, failed, unanswered, broken, and {id, result} or {id, error, missing}.
// After a first start a second worker, which is given nothing of the reader's, leaves a copy of its Python's memory in
// this browser's private file system, and the next start begins there, with everything imported: `copy` and `recall`.
// Python's archives come after its first answer then, in a quiet moment, or when an answer needs them: `place`.
// The build writes here where the interpreter lies, whether its script lets us write a memory (`restoreMemory`), the lock file of Pyodide without its packages, of each calculator its
// name and a query, and the names of all their modules and templates.
// @ts-expect-error -- the build writes it here
import { leanFolder, lockFile, modules, pyodideFolder, restores, samples, templates } from "./files.mjs";

const here = new URL("./", import.meta.url).href;
const trimmedLibrary = here + "stdlib.zip.gz";
const fullLibrary = pyodideFolder + "python_stdlib.zip";
const fetchFile = self.fetch.bind(self);
// One folder for each site of the host, see urls.mjs; a name has no slash.
const sitePath = new URL("../../", here).pathname;
const memoryFolder = `${sitePath === "/" ? "" : encodeURIComponent(sitePath)}scratch-engine`;
// Other files, or another browser, which may lay Python's tables out otherwise: another memory.
const memoryName = `${here}${navigator.userAgent}`.replace(/[^\w.]+/g, "-").slice(-200);
let python;
let answer;
let handOverText; // gives Python a file of the site that an answer needs
let isLean = true; // whether Python lacks the parts of the interpreter that this site has no use for
let checked = 0; // ms that it took to check the memory
let place = null; // gives Python its archives where it began with a memory, and hasn't got them yet
let preparing = []; // pairs of a calculator and a query that are still to be answered for nobody
let prepareTimer = 0;
const PREPARE_PAUSE = 100; // ms of quiet before a calculator is made ready that nobody has asked for
const SUMS = 8; // bytes of a memory's two sums
const PAGE = 4096; // bytes: what of a memory holds nothing but zeros, half of it, is not kept
const EDGE = 2 ** 18; // bytes of zeros that are written between what is kept
let requestLimit = 20_000; // ms until a request of a start that nothing answers is given up

/** @returns {never} */
function fail(message) {
  self.postMessage({ type: "failed", message });
  throw new Error(message);
}

const nameOf = (url) => url.split("/").pop();

// Tell the client where a start's request is not answered in time; it ends this worker then.
function inTime(request, file) {
  const timer = setTimeout(() => self.postMessage({ type: "unanswered", file }), requestLimit);
  return request.finally(() => clearTimeout(timer));
}

// The same response, whose body is given up as well where it stalls. Not for WebAssembly, whose compiled code browsers
// remember for responses of the network alone.
function watchBody(response, file) {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const pull = async (controller) => {
    const { done, value } = await inTime(reader.read(), file);
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = (reason) => reader.cancel(reason);
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), { headers: response.headers });
}

async function load(url) {
  const name = nameOf(url);
  self.postMessage({ type: "progress", file: name });
  const response = await inTime(fetchFile(url), name).catch(() => fail(`${name} could not be loaded. Check your connection`));
  if (!response.ok) fail(`${name} could not be loaded: the server answered ${response.status}`);
  return response;
}

const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b;
const isZipName = (name) => name.endsWith(".zip");
const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

// The archive in a response; one whose server has said that it is packed comes unpacked already. Null: it is none.
async function archiveIn(response) {
  try {
    let bytes = new Uint8Array(await response.arrayBuffer());
    if (isPacked(bytes)) {
      const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
    }
    return isZip(bytes) ? bytes : null;
  } catch {
    return null; // cut off, or damaged
  }
}

async function loadLibrary(url) {
  if (url === trimmedLibrary) {
    const response = await inTime(fetchFile(url), nameOf(url)).catch(() => null);
    const bytes = response?.ok ? await archiveIn(watchBody(response, nameOf(url))) : null;
    if (bytes) return new Response(bytes);
  }
  return watchBody(await load(fullLibrary), nameOf(fullLibrary));
}

async function loadApplication() {
  const bytes = await archiveIn(watchBody(await load(here + "app.zip.gz"), "app.zip.gz"));
  return bytes ?? fail("app.zip.gz came as something else: expected an archive from the server");
}

// Pyodide asks for its files one after the other, and never settles when its WebAssembly file is missing or of a wrong
// type. So all of them are asked for here, at once, and what Pyodide asks for later is handed to it.
async function askForInterpreter(folder) {
  const response = await load(folder + "pyodide.asm.wasm");
  const type = (response.headers.get("content-type") ?? "no type").split(";")[0];
  if (type !== "application/wasm") {
    fail(`pyodide.asm.wasm came as ${type}: expected application/wasm from the server`);
  }
  return response;
}

// The two archives of Python's modules: the library and the application.
function loadArchives(libraryUrl) {
  const archives = { application: loadApplication(), library: loadLibrary(libraryUrl) };
  for (const promise of Object.values(archives)) promise.catch(() => {}); // told by fail
  return archives;
}

// What gives them to a Python that began with a memory. It may be called again, and fails where they can't be had: the
// memory holds all that most answers need.
function placer(libraryUrl) {
  const names = { "/app.zip": here + "app.zip.gz", [`/lib/${python.FS.readdir("/lib").find(isZipName)}`]: libraryUrl };
  const placeAll = async () => {
    const fetched = Object.entries(names).map(async ([path, url]) => [path, await archiveIn(await fetchFile(url))]);
    const archives = await Promise.all(fetched);
    if (!archives.every(([, bytes]) => bytes)) throw new Error("an archive of Python's came as something else");
    for (const [path, bytes] of archives) python.FS.writeFile(path, bytes);
    place = null;
  };
  let placed = null;
  return () =>
    (placed ??= placeAll().finally(() => {
      placed = null;
    }));
}

function patchFetchForPyodide(interpreter, library) {
  self.fetch = async (/** @type {any} */ input, options) => {
    const url = String(input?.url ?? input);
    if (url === trimmedLibrary || url === fullLibrary) return await library;
    return url.endsWith(".wasm") ? new Response() : fetchFile(input, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = /** @type {WebAssembly.Module} */ (await interpreter);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

async function openMemories() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(memoryFolder, { create: true });
}

// Two sums of 32 bits over the words of a memory, as damage leaves neither: each step can be undone, so that one changed
// word always changes the first. The browser's own digest takes a third of a second in Firefox; this takes 10 ms.
function sumsOf(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let mixed = 0;
  let sum = 0;
  for (let at = 0; at < words.length; at += 1) {
    mixed = Math.imul(((mixed << 5) | (mixed >>> 27)) ^ words[at], 0x9e3779b1);
    sum = (sum + mixed) | 0;
  }
  return new Uint32Array([mixed, sum]);
}

// A memory as it is kept: its length, how many stretches of it are kept, where each begins and ends, and the stretches.
function packed(memory) {
  const ends = []; // and beginnings, in turns
  for (let start = 0; start < memory.length; start += PAGE) {
    const page = memory.subarray(start, start + PAGE);
    if (page.every((byte) => byte === 0)) continue;
    if (ends.at(-1) === start) ends.pop();
    else ends.push(start);
    ends.push(start + page.length);
  }
  const head = new Uint32Array([memory.length, ends.length / 2, ...ends]);
  const parts = [new Uint8Array(head.buffer), ...pairs(ends).map(([start, end]) => memory.subarray(start, end))];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
}

const pairs = (flat) => Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], flat[2 * n + 1]]);

// What a kept memory holds: its length, and of each stretch its beginning, its end and its bytes.
function unpacked(kept) {
  const [length, count] = new Uint32Array(kept.buffer, 0, 2);
  let at = 8 + 8 * count;
  const stretches = pairs(new Uint32Array(kept.buffer, 8, 2 * count)).map(([start, end]) => {
    at += end - start;
    return { start, end, bytes: kept.subarray(at - end + start, at) };
  });
  return { length, stretches };
}

// What Pyodide takes for a memory: as long as it is, with nothing but its head, whose length is its second word. When
// Pyodide would copy the rest, the stretches are written straight to their places: half of the bytes, and once. Of the
// zeros between them only the edges are, for the new interpreter has written there at most: the long ones are the stack's.
function handOverMemory({ length, stretches }) {
  const [first] = stretches;
  const snapshot = new Uint8Array(length);
  const [, headLength] = new Uint32Array(first.bytes.slice(0, 8).buffer);
  snapshot.set(first.bytes.subarray(0, headLength));
  self.restoreMemory = (heap) => {
    const memory = new Uint8Array(heap.buffer); // of the same kind as what is copied, or Firefox goes byte by byte
    let before = headLength;
    for (const { start, end, bytes } of [...stretches, { start: length, end: length, bytes: new Uint8Array(0) }]) {
      const from = Math.max(start, headLength);
      memory.fill(0, before - headLength, Math.min(before + EDGE, from) - headLength);
      memory.fill(0, Math.max(before, from - EDGE) - headLength, from - headLength);
      memory.set(bytes.subarray(from - start), from - headLength);
      before = end;
    }
    delete self.restoreMemory;
  };
  return snapshot;
}

// The memory that an earlier start left behind; null where there is none, it is not as it was written, or another tab is
// writing it. Its sums stand behind it. Reading takes this thread for as long as a part of the compiling does, so what
// begins that comes first.
async function loadSnapshot(compiling) {
  try {
    const file = await (await openMemories()).getFileHandle(memoryName);
    const access = await file.createSyncAccessHandle({ mode: "read-only" });
    await compiling;
    const bytes = new Uint8Array(access.getSize());
    access.read(bytes);
    access.close();
    const began = performance.now();
    const kept = bytes.subarray(0, -SUMS);
    const sums = new Uint32Array(bytes.slice(-SUMS).buffer);
    const isWhole = sumsOf(kept).every((sum, at) => sum === sums[at]);
    checked = performance.now() - began;
    return isWhole ? unpacked(kept) : null;
  } catch {
    return null;
  }
}

async function deleteSnapshots() {
  const memories = await openMemories().catch(() => null);
  for await (const name of memories?.keys() ?? []) await memories.removeEntry(name).catch(() => {});
}

// Keep a memory for the next start. Its sums are written last: a writing that breaks off leaves none that fit.
async function saveSnapshot(bytes) {
  await deleteSnapshots();
  const file = await (await openMemories()).getFileHandle(memoryName, { create: true });
  const access = await file.createSyncAccessHandle();
  try {
    access.write(bytes);
    access.flush();
    access.write(sumsOf(bytes), { at: bytes.length });
  } finally {
    access.close();
  }
}

// An empty request, so that all that a calculator's answer needs is imported; a sample, so that the browser has compiled
// what answers it: Chromium compiles a function when it is first called.
function warmUp([name, query]) {
  try {
    answer(JSON.stringify({ name, query, ask: false, uid: name, root: "" }));
  } catch (error) {
    if (!error.pyodide_fatal_error) return; // its reader will be told
    self.postMessage({ type: "broken" });
    self.close();
  }
}

// In quiet moments make ready what nobody has asked for yet, one answer at a time, so that a request waits for one at most.
function scheduleWarmUp() {
  clearTimeout(prepareTimer);
  if (!preparing.length) return;
  prepareTimer = setTimeout(async () => {
    try {
      await place?.();
    } catch {
      return; // tried again after the next answer
    }
    if (preparing.length) warmUp(preparing.shift()); // an answer meanwhile may have begun this anew
    scheduleWarmUp();
  }, PREPARE_PAUSE);
}

// Start Python with everything imported, and leave its memory for the next start. A memory that has grown beyond the
// interpreter's first pages can't be begun with, and isn't kept.
async function copy() {
  if (!restores) return;
  await start({ untouched: false, memory: "leave", options: { _makeSnapshot: true } });
  const firstHeap = python._module.HEAP8.length;
  python.runPython(`import_all(${JSON.stringify(modules)}, ${JSON.stringify(templates)})`); // answers would need more room
  if (python._module.HEAP8.length === firstHeap) await saveSnapshot(packed(python.makeMemorySnapshot()));
}

// What a start does with the memory that is kept.
const withMemory = { use: loadSnapshot, drop: deleteSnapshots, leave: async () => null };

/** `untouched`: Pyodide's own files as they were published, where a start with ours went wrong.
 *  @param {{ untouched: boolean, memory: string, options?: { _makeSnapshot?: boolean } }} how */
async function start({ untouched, memory, options = {} }) {
  const began = performance.now();
  isLean = !untouched;
  const folder = untouched ? pyodideFolder : leanFolder;
  const libraryUrl = untouched ? fullLibrary : trimmedLibrary;
  const asked = askForInterpreter(folder);
  const compile = (response) => WebAssembly.compileStreaming(response).catch(() => fail("pyodide.asm.wasm is damaged"));
  const interpreter = asked.then(compile);
  interpreter.catch(() => {}); // told by fail
  const recalled = withMemory[memory](asked);
  const archives = recalled.then((memory) => (memory ? null : loadArchives(libraryUrl)));
  patchFetchForPyodide(
    interpreter,
    archives.then((each) => (each ? each.library : new Response())),
  );
  inTime(import(folder + "pyodide.asm.mjs"), "pyodide.asm.mjs").catch(() => {}); // Pyodide imports it again, and is told then
  const { loadPyodide } = await inTime(import(folder + "pyodide.mjs"), "pyodide.mjs").catch(() => fail("pyodide.mjs could not be loaded"));
  const remembered = await recalled;
  if (remembered) self.postMessage({ type: "progress", file: "its memory", memory: true });
  python = await loadPyodide({
    ...(remembered ? { _loadSnapshot: handOverMemory(remembered) } : options),
    indexURL: folder,
    stdLibURL: libraryUrl,
    lockFileContents: lockFile,
    packageBaseUrl: folder,
  });
  self.postMessage({ type: "progress", file: "app.zip.gz" });
  const archived = await archives;
  if (archived) python.FS.writeFile("/app.zip", await archived.application);
  else place = placer(libraryUrl);
  preparing = [...Object.keys(samples).map((name) => [name, ""]), ...Object.entries(samples)];
  if (!remembered)
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
  handOverText = python.globals.get("hand_over");
  self.postMessage({ type: "ready", milliseconds: performance.now() - began, checked, restores });
  if (!options._makeSnapshot) scheduleWarmUp();
}

// An answer that fails before Python has its archives is asked for once more when it has them.
async function answerWithRetry(request) {
  try {
    return answer(request);
  } catch (error) {
    if (!place || error.pyodide_fatal_error) throw error;
    await place();
    return answer(request);
  }
}

// An answer may need a file of the site: that is fetched, handed over, and the answer asked for once more.
async function answered(request) {
  const result = await answerWithRetry(request);
  if (!result.startsWith('{"needs"')) return result;
  const { needs } = JSON.parse(result);
  const response = await fetchFile(new URL(needs, JSON.parse(request).root)).catch(() => null);
  handOverText(needs, response?.ok ? await response.text() : "");
  return answerWithRetry(request);
}

// Archives that can't be had, a module that the trimmed library lacks, or a function that was left out of the lean
// interpreter, which ends that Python: the client starts again with Pyodide's own files.
const isPartMissing = (error) =>
  isLean && (Boolean(place || error.pyodide_fatal_error) || /ModuleNotFoundError: No module named '/.test(error.message));

self.addEventListener("message", async ({ data }) => {
  try {
    requestLimit = data.requestLimit ?? requestLimit;
    if (data.type === "start") return await start(data);
    if (data.type === "copy") return await copy().finally(() => self.close());
    clearTimeout(prepareTimer);
    self.postMessage({ id: data.id, result: await answered(data.request) });
    scheduleWarmUp();
  } catch (error) {
    const missing = isPartMissing(error);
    console.error(error);
    if (data.type === "start") self.postMessage({ type: "failed", message: String(error.message).slice(-300), missing });
    else self.postMessage({ id: data.id, error: "Python stopped at this input", missing });
    if (error.pyodide_fatal_error) self.close(); // nothing can be asked of this Python any more: the client starts another
  }
});

// While this lock is held the worker lives; the client waits for it and so learns at once when the worker dies.
if (navigator.locks)
  navigator.locks.request(self.name, () => {
    self.postMessage({ type: "hello", locked: true });
    return new Promise(() => {});
  });
else self.postMessage({ type: "hello", locked: false });
