// Runs turns.py, boards.py and their like inside Pyodide under Node, with the trimmed library and the compiled engine
// that the pages load: node pyodide.mjs turns node_modules/pyodide build/bundle/engine-… BATCHES [FILE …]
// The files, with paths from the project's folder, are copied under the same paths.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { zstdDecompressSync } from "node:zlib";

const [, , name, ...rest] = process.argv;
const [interpreter, engine] = rest.slice(0, 2).map((path) => resolve(path));
const batches = Number(rest[2]);
const { loadPyodide } = await import(pathToFileURL(join(interpreter, "pyodide.mjs")).href);
const archive = (file) => zstdDecompressSync(readFileSync(join(engine, `${file}.zst`)));
const library = join(mkdtempSync(join(tmpdir(), "scratch-bench-")), "stdlib.zip");
writeFileSync(library, archive("stdlib.zip"));
const pyodide = await loadPyodide({ indexURL: interpreter + "/", stdLibURL: library });
for (const file of ["app.zip", "more.zip"]) pyodide.FS.writeFile(`/${file}`, archive(file));
// Modules that only a measurement needs come from the full library.
pyodide.FS.writeFile("/full.zip", readFileSync(join(interpreter, "python_stdlib.zip")));
for (const file of rest.slice(3)) {
  pyodide.FS.mkdirTree("/" + dirname(file));
  pyodide.FS.writeFile("/" + file, readFileSync(file));
}
pyodide.globals.set("batches", batches);
try {
  const measured = pyodide.runPython(`
import sys
sys.path[:0] = ["/app.zip", "/"]
from archive_importer import add_archive, install_finder
install_finder("/app.zip")
add_archive("/more.zip", "/app.zip")
from importlib.machinery import PathFinder
class WholeLibrary:
    "Finds what the trimmed library lacks, a module of a package that it has among them."
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, ["/".join(["/full.zip", *name.split(".")[:-1]])])
sys.meta_path.append(WholeLibrary)
import json
from jinja2 import ModuleLoader
import build_scripts
build_scripts.__path__ = [*build_scripts.__path__, "/build_scripts"]  # the copied files
from build_scripts.render import set_template_loader
set_template_loader(ModuleLoader("/app.zip/calculator_templates"))
from build_scripts.dev.bench.${name} import measure
json.dumps(measure(batches))
`);
  console.log(measured);
} catch (error) {
  console.error(error.message); // the Python traceback alone
  process.exit(1);
}
