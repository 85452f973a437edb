// The engine's worker: starts Python once, then answers one JSON request after the other. It knows no calculator.
// Messages out: hello, progress, ready, failed, and {id, result} or {id, error, missing}.
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

async function isZip(response) {
  const start = new Uint8Array(await response.clone().arrayBuffer(), 0, 2);
  return start[0] === 0x50 && start[1] === 0x4b;
}

async function loadLibrary(url) {
  const response = await fetchFile(url).catch(() => null);
  if (url === fullLibrary || (response?.ok && (await isZip(response).catch(() => false)))) {
    return response ?? fail("the standard library could not be loaded: is the connection up?");
  }
  self.postMessage({ type: "progress", file: "python_stdlib.zip" });
  return load(fullLibrary);
}

// loadPyodide never settles when its WebAssembly file is missing or of a wrong type, so every file it asks for passes here.
self.fetch = async (input, options) => {
  const url = String(input?.url ?? input);
  if (url === trimmedLibrary || url === fullLibrary) return loadLibrary(url);
  if (!url.endsWith(".wasm")) return fetchFile(input, options);
  const response = await load(url);
  const type = (response.headers.get("content-type") ?? "no type").split(";")[0];
  if (type !== "application/wasm") {
    fail(`pyodide.asm.wasm came as ${type}: expected application/wasm from the server`);
  }
  return response;
};

async function start(library) {
  const began = performance.now();
  const application = load(here + "app.zip").then((response) => response.arrayBuffer());
  application.catch(() => {}); // reported by load; awaited below
  const { loadPyodide } = await import(pyodideFolder + "pyodide.mjs").catch(() => fail("pyodide.mjs could not be loaded"));
  const pyodide = await loadPyodide({
    indexURL: pyodideFolder,
    stdLibURL: library === "full" ? fullLibrary : trimmedLibrary,
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
  }
});

// While this lock is held the worker lives; the client waits for it and so learns at once when the worker dies.
if (navigator.locks) navigator.locks.request(self.name, () => {
  self.postMessage({ type: "hello", locked: true });
  return new Promise(() => {});
});
else self.postMessage({ type: "hello", locked: false });
