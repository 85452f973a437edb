// Creates the Python worker: for the client, and for the head of a page that starts Python before it is parsed.
/** @import { StartMessage } from "./worker.mjs" */
import { storagePrefixOf } from "../shared/storage-prefix.mjs";
import { getLocalStorage, readLocalStorageText } from "../shared/web-storage.mjs";

/** Return the storage key of the record that a snapshot of Python is saved.
 *  @param {string} workerUrl
 *  @returns {string} */
const snapshotRecordKeyOf = (workerUrl) => `${storagePrefixOf(new URL("../../", workerUrl).pathname)}scratch-snapshot`;

/** Whether a snapshot is recorded. A start without one does not look for the file: WebKit takes a tenth of a second for that.
 *  @param {string} workerUrl of worker.mjs in this build
 *  @returns {boolean} */
export const isSnapshotRecorded = (workerUrl) => readLocalStorageText(snapshotRecordKeyOf(workerUrl)) === workerUrl;

/** Record that a snapshot is saved, or that there is none.
 *  @param {string} workerUrl of worker.mjs in this build
 *  @param {boolean} isSaved */
export function recordSnapshot(workerUrl, isSaved) {
  try {
    if (isSaved) getLocalStorage().setItem(snapshotRecordKeyOf(workerUrl), workerUrl);
    else getLocalStorage().removeItem(snapshotRecordKeyOf(workerUrl));
  } catch {} // the browser blocks storage, so it has no snapshot either
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
