// Runs pytest inside Pyodide under Node, on the same files: node inside_pyodide.mjs PROJECT SITE_PACKAGES [pytest arguments …]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [project, sitePackages, ...pytestArguments] = process.argv.slice(2);
// Every test, but fewer of the situations that chance makes: all of them are for CPython, where they take a third.
const taste = {
  BOARD_BOARDS: "30",
  BOARD_PAIRS: "100",
  COUNTS_DEPTH: "3",
  DAMAGED_FILES: "150",
  HAND_FIGHTS: "20",
  ODDS_SITUATIONS: "200",
  ORACLE_SITUATIONS: "300",
  ORDERS_ROUNDS: "30",
};
const { loadPyodide } = await import(pathToFileURL(resolve(project, "node_modules/pyodide/pyodide.mjs")).href);
const pyodide = await loadPyodide({
  indexURL: resolve(project, "node_modules/pyodide") + "/",
  env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1", HOME: "/home/pyodide", ...taste },
});
pyodide.FS.mkdirTree("/project");
pyodide.FS.mkdirTree("/packages");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: project }, "/project");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: sitePackages }, "/packages");
pyodide.globals.set("pytest_arguments", pyodide.toPy(pytestArguments));
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
