// Fuzzes what unpacks a packed link in the Python that a browser has: node packed.mjs PROJECT INPUTS SEED < corpus
// The corpus is a JSON list; the tally comes as JSON. Inputs are made inside Pyodide, as under CPython.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , project, inputs, seed] = process.argv;
const interpreter = resolve(project, "node_modules/pyodide");
const { loadPyodide } = await import(pathToFileURL(resolve(interpreter, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${interpreter}/`, env: { PYTHONDONTWRITEBYTECODE: "1", HOME: "/home/pyodide" } });
pyodide.FS.mkdirTree("/project");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: project }, "/project");
pyodide.globals.set("asked", JSON.stringify({ corpus: JSON.parse(readFileSync(0, "utf8")), inputs: Number(inputs), seed }));
// In a browser's Python the processor's time is the wall's: a busy machine would make inputs slow.
const used = () => process.cpuUsage().user + process.cpuUsage().system; // microseconds
pyodide.globals.set("processor_seconds", () => used() / 1e6);
try {
  const tally = pyodide.runPython(`
import json, sys, time
time.process_time = processor_seconds
sys.path.insert(0, "/project")
from build_scripts.judges.fuzz.targets import fuzz_by_chance
asked = json.loads(asked)
fuzz_by_chance("packed", asked["corpus"], asked["inputs"], asked["seed"])
`);
  console.log(tally);
} catch (error) {
  console.error(error.message); // the Python traceback alone
  process.exit(1);
}
