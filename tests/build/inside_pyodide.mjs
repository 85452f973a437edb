// Runs the engine's tests inside Pyodide under Node, on the same files:
// node inside_pyodide.mjs PROJECT SITE_PACKAGES INTERPRETER [pytest arguments …]
// By default the tests of scratch_core alone, without heavy tests and those that need a process or a file system.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [project, sitePackages, interpreter, ...given] = process.argv.slice(2);
const suites = ["engine", "calculators", "rules", "fuzz", "oracle"].map((name) => `tests/${name}`);
// CPython explains failing assertions; rewriting them here would take a fifth of the collection.
const all = [...suites, "-q", "--assert=plain", "-p", "no:cacheprovider", "-m", "not needs_process and not heavy"];
// Every test, but fewer random situations: CPython runs all of them in a third of the time.
const taste = {
  BOARD_BOARDS: "30",
  BOARD_PAIRS: "100",
  DAMAGED_FILES: "150",
  ODDS_SITUATIONS: "200",
  ORACLE_SITUATIONS: "300",
};
const published = resolve(project, "node_modules/pyodide");
const { loadPyodide } = await import(pathToFileURL(resolve(interpreter, "pyodide.mjs")).href);
const pyodide = await loadPyodide({
  indexURL: resolve(interpreter) + "/",
  stdLibURL: resolve(published, "python_stdlib.zip"),
  lockFileContents: { ...JSON.parse(readFileSync(resolve(published, "pyodide-lock.json"))), packages: {} },
  packageBaseUrl: published,
  env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1", HOME: "/home/pyodide", ...taste },
});
pyodide.FS.mkdirTree("/project");
pyodide.FS.mkdirTree("/packages");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: project }, "/project");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: sitePackages }, "/packages");
pyodide.globals.set("pytest_arguments", pyodide.toPy(given.length ? given : all));
let code = 1;
try {
  code = pyodide.runPython(`
import os, sys
sys.path[:0] = ["/project", "/packages"]
os.chdir("/project")
import pytest
int(pytest.main(list(pytest_arguments)))
`);
} catch (error) {
  console.error(error.message);
}
process.exit(code);
