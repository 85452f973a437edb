// The worker with a stock Pyodide: Pyodide's unmodified files, and the application as a zip of its sources.
import { loadPyodide } from "../pyodide-stock/pyodide.mjs";

async function start() {
  const application = fetch(new URL("./app.zip", import.meta.url)).then((response) => response.arrayBuffer());
  const pyodide = await loadPyodide();
  pyodide.unpackArchive(await application, "zip");
  return pyodide.runPython(`
from jinja2 import FileSystemLoader
from build_scripts.render import answer_json_request, set_template_loader
set_template_loader(FileSystemLoader("templates"))
answer_json_request
`);
}

const started = start();
self.addEventListener("message", async ({ data }) => {
  try {
    const answer = await started;
    self.postMessage({ result: answer(data) });
  } catch (error) {
    self.postMessage({ error: error.message });
  }
});
