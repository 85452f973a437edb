// Runs pytest inside Pyodide under Node, on the same files: node inside_pyodide.mjs PROJECT SITE_PACKAGES [pytest arguments …]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [project, sitePackages, ...pytestArguments] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(project, "node_modules/pyodide/pyodide.mjs")).href);
const pyodide = await loadPyodide({
  indexURL: resolve(project, "node_modules/pyodide") + "/",
  env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1", HOME: "/home/pyodide" },
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
