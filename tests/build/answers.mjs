// Answers every exercise of the bundle inside one Pyodide under Node, with dice that roll the same each time.
// Arguments: the interpreter's folder, the standard library, the application (archives, packed or not; with app.zip
// comes more.zip from the same folder), the exercises (JSON), and where to write the answers and the number of modules at
// the start (JSON).
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { zstdDecompressSync } from "node:zlib";

const [interpreterFolder, library, application, exercises, out] = process.argv.slice(2).map((path) => resolve(path));
const plain = (path) => (path.endsWith(".zst") ? zstdDecompressSync(readFileSync(path)) : readFileSync(path));
const interpreter = mkdtempSync(join(tmpdir(), "scratch-answers-"));
cpSync(interpreterFolder, interpreter, { recursive: true });
const wasm = join(interpreter, "pyodide.asm.wasm");
if (existsSync(`${wasm}.zst`)) writeFileSync(wasm, plain(`${wasm}.zst`));
const stdLibURL = join(interpreter, "stdlib.zip");
writeFileSync(stdLibURL, plain(library));
const { loadPyodide } = await import(pathToFileURL(join(interpreter, "pyodide.mjs")).href);
const lock = JSON.parse(readFileSync(new URL("../../node_modules/pyodide/pyodide-lock.json", import.meta.url)));
const lockFileContents = { ...lock, packages: {} };
const pyodide = await loadPyodide({ indexURL: interpreter + "/", stdLibURL, lockFileContents, packageBaseUrl: interpreter });
pyodide.FS.writeFile("/app.zip", plain(application));
const more = application.replace(/app(\.zip(\.zst)?)$/, "more$1");
if (more !== application) pyodide.FS.writeFile("/more.zip", plain(more));
pyodide.FS.writeFile("/exercises.json", readFileSync(exercises));
try {
  pyodide.runPython(`
import json, sys
started = len(sys.modules)
import zipimport
sys.path.insert(0, "/app.zip")
if zipimport.zipimporter("/app.zip").find_spec("archive_importer"):
    from archive_importer import add_archive, install_finder
    install_finder("/app.zip")
    add_archive("/more.zip", "/app.zip")
from jinja2 import ModuleLoader
from build_scripts import render
from build_scripts.render import answer_json_request, set_template_loader
from scratch_core.dice import rollers
set_template_loader(ModuleLoader("/app.zip/calculator_templates"))
render.SLICE_SECONDS = 600  # answers to the end, so that they can be held against others
thrown = 0
def randbelow(sides):
    global thrown
    thrown += 7
    return thrown % sides
rollers.secrets = type("Dice", (), {"randbelow": staticmethod(randbelow)})
answers = [
    answer_json_request(json.dumps({"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}))
    for name, query in json.load(open("/exercises.json"))
    for ask in (False, True)
]
json.dump({"started": started, "answers": answers}, open("/answers.json", "w"))
`);
} catch (error) {
  console.error(error.message); // the Python traceback alone
  process.exit(1);
}
writeFileSync(out, pyodide.FS.readFile("/answers.json"));
process.exit(0);
