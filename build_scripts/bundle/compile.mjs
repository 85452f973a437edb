// Run by build.py under Node: compiles Python inside Pyodide, so that the magic number fits.
// Arguments: the folder of the pyodide package, the library with our stubs, the staged application, the output folder,
// the input of the exercise (JSON), and the exercise (Python).
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodideFolder, stdLibURL, appFolder, outFolder, data, exercise] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(pyodideFolder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: pyodideFolder + "/", stdLibURL });

function copyIn(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    const inside = "/app/" + relative(appFolder, path).replaceAll("\\", "/");
    if (statSync(path).isDirectory()) {
      pyodide.FS.mkdirTree(inside);
      copyIn(path);
    } else {
      pyodide.FS.writeFile(inside, readFileSync(path));
    }
  }
}
pyodide.FS.mkdirTree("/app");
pyodide.FS.mkdirTree("/out");
copyIn(appFolder);
pyodide.FS.writeFile("/exercises.json", readFileSync(data));
try {
  pyodide.runPython('import sys\nsys.path.insert(0, "/app")');
  pyodide.runPython(readFileSync(exercise, "utf8"));
  pyodide.runPython("USED = frozenset(sys.modules)"); // before the modules that are imported to compile them
  pyodide.runPython(readFileSync(new URL("compile.py", import.meta.url), "utf8"));
} catch (error) {
  console.error(error.message); // the Python traceback alone: Node would print the interpreter's whole source line
  process.exit(1);
}
for (const name of ["stdlib.zip", "app.zip", "more.zip", "left.txt"]) {
  writeFileSync(join(outFolder, name), pyodide.FS.readFile("/out/" + name));
}
console.log(pyodide.FS.readFile("/out/report.txt", { encoding: "utf8" }));
process.exit(0);
