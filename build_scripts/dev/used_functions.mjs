// Run by used_functions.py under Node: what a reader's browser makes Python do, as worker.mjs does it.
// Arguments: the interpreter's folder, the standard library, both archives of the application, the queries (JSON).
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [interpreter, library, application, more, queries] = process.argv.slice(2).map((path) => resolve(path));
const stdLibURL = join(interpreter, "library.zip");
writeFileSync(stdLibURL, readFileSync(library));
const { loadPyodide } = await import(pathToFileURL(join(interpreter, "pyodide.mjs")).href);
const requests = JSON.parse(readFileSync(queries));

async function started(options) {
  const python = await loadPyodide({ ...options, indexURL: interpreter + "/", stdLibURL });
  python.FS.writeFile("/app.zip", readFileSync(application));
  python.FS.writeFile("/more.zip", readFileSync(more));
  if (!options._loadSnapshot)
    python.runPython(`
import sys
sys.path.insert(0, "/app.zip")
from archive_importer import add_archive, install_finder
install_finder("/app.zip")
add_archive("/more.zip", "/app.zip")
from jinja2 import ModuleLoader
from build_scripts.render import answer_json_request, store_file_text, set_template_loader
set_template_loader(ModuleLoader("/app.zip/calculator_templates"))
`);
  return python;
}

// Errors that reach JavaScript, with their whole traceback.
const WRONG = [
  ...["[].missing", "missing", "import nowhere", "from json import nothing", "{}['a']", "1 / 0", "1 +", "(", "int('x')"],
  ...["b'\\xff'.decode()", "'\\ud800'.encode()", "again = lambda: again(); again()", "open('/nowhere')", "assert not 1, 2"],
  ...["raise ExceptionGroup('a', [ValueError(1)])", "raise ValueError('a') from KeyError('b')", "raise SystemError", "'a' + 1"],
];

function makeErrors(python) {
  for (const wrong of WRONG) {
    try {
      python.runPython(wrong);
    } catch (error) {
      if (error.pyodide_fatal_error) throw error;
    }
  }
}

function answerAll(python) {
  const [answer, handOver] = ["answer_json_request", "store_file_text"].map((name) => python.globals.get(name));
  for (const [name, query] of requests) {
    const request = JSON.stringify({ name, query, ask: true, uid: "x", root: "" });
    const result = answer(request);
    if (!result.startsWith('{"needs"')) continue;
    handOver(JSON.parse(result).needs, "");
    answer(request);
  }
  try {
    answer("no request");
  } catch (error) {
    console.log(`An error reaches JavaScript as one: ${error.message.trim().split("\n").at(-1)}`);
  }
}

async function runAll() {
  const first = await started({});
  answerAll(first);
  makeErrors(first);
  first.runPython(readFileSync(new URL("../bundle/workout.py", import.meta.url), "utf8"));
  globalThis.markNamed(first);
  const copied = await started({ _makeSnapshot: true });
  for (const name of new Set(requests.map(([name]) => name))) copied.runPython(`import scratch_core.calculators.${name}`);
  answerAll(await started({ _loadSnapshot: copied.makeMemorySnapshot() }));
}

await runAll().then(
  () => process.exit(0),
  (error) => {
    console.error(error.message); // the Python traceback alone: Node would print the interpreter's whole source line
    process.exit(1);
  },
);
