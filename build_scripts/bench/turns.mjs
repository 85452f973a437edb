// Runs turns.py inside Pyodide under Node, with the trimmed library and the compiled engine that the pages load:
// node turns.mjs node_modules/pyodide build/bundle/engine-… BATCHES
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [interpreter, engine] = process.argv.slice(2, 4).map((path) => resolve(path));
const batches = Number(process.argv[4]);
const { loadPyodide } = await import(pathToFileURL(join(interpreter, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: interpreter + "/", stdLibURL: join(engine, "stdlib.zip") });
pyodide.FS.writeFile("/app.zip", readFileSync(join(engine, "app.zip")));
pyodide.FS.writeFile("/turns.py", readFileSync(new URL("./turns.py", import.meta.url)));
pyodide.globals.set("batches", batches);
try {
  const measured = pyodide.runPython(`
import sys
sys.path[:0] = ["/app.zip", "/"]
import json
from turns import measure
json.dumps(measure(batches))
`);
  console.log(measured);
} catch (error) {
  console.error(error.message); // the Python traceback alone
  process.exit(1);
}
