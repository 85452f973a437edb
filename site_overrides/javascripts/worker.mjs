// The engine's worker: starts Python once, then answers one JSON request after the other. It knows no calculator.
// Messages out: hello, progress, ready, failed, and {id, result} or {id, error, missing}.
// The build writes here where the interpreter lies, and the lock file of Pyodide without its packages.
import { lockFile, pyodideFolder } from "./files.mjs";

const here = new URL("./", import.meta.url).href;
const trimmedLibrary = here + "stdlib.zip";
const fullLibrary = pyodideFolder + "python_stdlib.zip";
const fetchFile = self.fetch.bind(self);
let answer;

function fail(message) {
  self.postMessage({ type: "failed", message });
  throw new Error(message);
}

async function load(url) {
  const name = url.split("/").pop();
  self.postMessage({ type: "progress", file: name });
  const response = await fetchFile(url).catch(() => fail(`${name} could not be loaded: is the connection up?`));
  if (!response.ok) fail(`${name} could not be loaded: the server answered ${response.status}`);
  return response;
}

const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function loadLibrary(url) {
  if (url === trimmedLibrary) {
    const response = await fetchFile(url).catch(() => null);
    const bytes = response?.ok ? new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0))) : [];
    if (isZip(bytes)) return new Response(bytes);
  }
  return load(fullLibrary);
}

// Pyodide asks for its files one after the other, and never settles when its WebAssembly file is missing or of a wrong
// type. So all of them are asked for here, at once, and what Pyodide asks for later is handed to it.
async function compileInterpreter() {
  const response = await load(pyodideFolder + "pyodide.asm.wasm");
  const type = (response.headers.get("content-type") ?? "no type").split(";")[0];
  if (type !== "application/wasm") {
    fail(`pyodide.asm.wasm came as ${type}: expected application/wasm from the server`);
  }
  return WebAssembly.compileStreaming(response).catch(() => fail("pyodide.asm.wasm is damaged"));
}

function handOver(interpreter, library) {
  self.fetch = async (input, options) => {
    const url = String(input?.url ?? input);
    if (url === trimmedLibrary || url === fullLibrary) return library;
    return url.endsWith(".wasm") ? new Response() : fetchFile(input, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await interpreter;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

async function start(library) {
  const began = performance.now();
  const libraryUrl = library === "full" ? fullLibrary : trimmedLibrary;
  const interpreter = compileInterpreter();
  const application = load(here + "app.zip").then((response) => response.arrayBuffer());
  const standardLibrary = loadLibrary(libraryUrl);
  for (const promise of [interpreter, application, standardLibrary]) promise.catch(() => {}); // told by fail
  handOver(interpreter, standardLibrary);
  import(pyodideFolder + "pyodide.asm.mjs").catch(() => {}); // Pyodide imports it again, and is told then
  const { loadPyodide } = await import(pyodideFolder + "pyodide.mjs").catch(() => fail("pyodide.mjs could not be loaded"));
  const pyodide = await loadPyodide({
    indexURL: pyodideFolder,
    stdLibURL: libraryUrl,
    lockFileContents: lockFile,
    packageBaseUrl: pyodideFolder,
  });
  self.postMessage({ type: "progress", file: "app.zip" });
  pyodide.FS.writeFile("/app.zip", new Uint8Array(await application));
  answer = pyodide.runPython(`
import sys
sys.path.insert(0, "/app.zip")
from jinja2 import ModuleLoader
from build_scripts.calculator_html import answer, use_templates
use_templates(ModuleLoader("/app.zip/calculator_templates"))
answer
`);
  self.postMessage({ type: "ready", milliseconds: performance.now() - began });
}

// A module of the standard library that the trimmed archive lacks: the client starts again with the full one.
const missingModule = (error) => /ModuleNotFoundError: No module named '([^']+)'/.exec(error.message)?.[1] ?? null;

self.addEventListener("message", async ({ data }) => {
  try {
    if (data.type === "start") await start(data.library);
    else self.postMessage({ id: data.id, result: answer(data.request) });
  } catch (error) {
    const missing = missingModule(error);
    console.error(error);
    if (data.type === "start") self.postMessage({ type: "failed", message: String(error.message).slice(-300), missing });
    else self.postMessage({ id: data.id, error: "Python stopped at this input", missing });
    if (error.pyodide_fatal_error) self.close(); // nothing can be asked of this Python any more: the client starts another
  }
});

// While this lock is held the worker lives; the client waits for it and so learns at once when the worker dies.
if (navigator.locks) navigator.locks.request(self.name, () => {
  self.postMessage({ type: "hello", locked: true });
  return new Promise(() => {});
});
else self.postMessage({ type: "hello", locked: false });
