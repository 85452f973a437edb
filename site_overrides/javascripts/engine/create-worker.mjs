// Creates the Python worker: for the client, and for the head of a page that starts Python before it is parsed.
/** @import { StartMessage } from "./worker.mjs" */
import { storagePrefixOf } from "../shared/storage-prefix.mjs";
import { getLocalStorage, readLocalStorageText } from "../shared/web-storage.mjs";

/** Return the localStorage key that records whether a snapshot of Python is saved.
 *  @param {string} workerUrl
 *  @returns {string} */
const snapshotRecordKeyOf = (workerUrl) => `${storagePrefixOf(new URL("../../", workerUrl).pathname)}scratch-snapshot`;

/** Whether a snapshot is recorded. A start without one does not look for the file: WebKit takes a tenth of a second for that.
 *  @param {string} workerUrl of worker.mjs in this build
 *  @returns {boolean} */
export const isSnapshotRecorded = (workerUrl) => readLocalStorageText(snapshotRecordKeyOf(workerUrl)) === workerUrl;

/** Record whether a snapshot is saved.
 *  @param {string} workerUrl of worker.mjs in this build
 *  @param {boolean} isSaved
 *  @returns {boolean} false if the browser blocks storage, or it is full: then no start would look for a snapshot */
export function recordSnapshot(workerUrl, isSaved) {
  try {
    getLocalStorage().setItem(snapshotRecordKeyOf(workerUrl), isSaved ? workerUrl : "none");
    return true;
  } catch {
    return false;
  }
}

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
