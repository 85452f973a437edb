// Creates the Python worker: for the client, and for the head of a page that starts Python before it is parsed.
/** @import { StartMessage } from "./worker.mjs" */

/** Create a worker, and let it start Python.
 *  @param {string | URL} url of worker.mjs
 *  @param {Pick<StartMessage, "useStockPyodide" | "snapshot" | "calculator">} how
 *  @returns {Worker} */
export function createPythonWorker(url, { useStockPyodide, snapshot, calculator }) {
  const name = `scratch-engine-${crypto.randomUUID?.() ?? Math.random()}`;
  const worker = new Worker(url, { type: "module", name });
  worker.lockName = name;
  const { request: requestTimeout } = globalThis.scratchLimits ?? {};
  /** @type {StartMessage} */
  const message = {
    type: "start",
    useStockPyodide,
    snapshot,
    ...(calculator && { calculator }),
    ...(requestTimeout && { requestTimeout }),
  };
  worker.postMessage(message);
  return worker;
}
