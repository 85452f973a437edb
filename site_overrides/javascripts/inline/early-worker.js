// Starts Python in the head of a page of a tool. The scripts of the page arrive later and keep the browser busy for a tenth of a
// second; a worker that is created among them would wait for their end. engine/client.mjs takes the worker and its messages.
import { createPythonWorker } from "../engine/create-worker.mjs";
import { isFramed } from "../shared/embedding.mjs";

const { worker: url = "", early: calculator } = document.currentScript?.dataset ?? {};
const canStart = location.protocol !== "file:" && typeof WebAssembly !== "undefined";
if (canStart && !navigator.connection?.saveData) {
  const worker = createPythonWorker(url, { useStockPyodide: false, snapshot: isFramed ? "ignore" : "use", calculator });
  /** @type {NonNullable<typeof scratchEarlyStart>} */
  const start = { worker, messages: [] };
  globalThis.scratchEarlyStart = start;
  worker.onmessage = ({ data }) => start.messages.push(data);
  worker.onerror = () => delete globalThis.scratchEarlyStart; // the client creates another worker, and reports its error
}
