// Starts Python in the head of a page of a tool. The scripts of the page arrive later and keep the browser busy for a tenth of a
// second, and a worker that is created then has to wait until they have run. engine/client.mjs takes the worker and its messages.
import { createPythonWorker, isSnapshotRecorded } from "../engine/create-worker.mjs";

const { worker: path = "", early: calculator } = document.currentScript?.dataset ?? {};
const canStart = location.protocol !== "file:" && typeof WebAssembly !== "undefined" && typeof Worker !== "undefined";
if (canStart && !navigator.connection?.saveData) {
  try {
    const url = new URL(path, location.href).href;
    const snapshot = isSnapshotRecorded(url) ? "use" : "ignore";
    const worker = createPythonWorker(url, { useStockPyodide: false, snapshot, calculator });
    /** @type {NonNullable<typeof scratchEarlyStart>} */
    const start = { worker, messages: [] };
    globalThis.scratchEarlyStart = start;
    worker.onmessage = ({ data }) => start.messages.push(data);
    worker.onerror = () => {
      worker.terminate();
      delete globalThis.scratchEarlyStart;
    };
  } catch {
    // the client creates another worker, and reports its error
  }
}
