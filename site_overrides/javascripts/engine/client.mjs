// The client of the Python worker, one for the whole site: starts it on intent, keeps it alive across pages, and restarts
// it when it dies.
/** @import { SnapshotUse, WorkerMessage } from "./worker.mjs" */
import { isFramed } from "../shared/embedding.mjs";
import { createPythonWorker, isSnapshotRecorded, recordSnapshot } from "./create-worker.mjs";
import { NEW_VERSION_TEXT, detectNewVersion, offerNewVersion } from "../offline/new-version.mjs";

// In ms: without a message while starting, and for one answer. `globalThis.scratchLimits` overrides them, in tests on a slow machine.
const TIME_LIMITS = { start: 60_000, answer: 15_000 };
const SNAPSHOT_DELAY = 2_000; // ms between the first answer and the snapshot
const WORKER_URL = new URL("./worker.mjs", import.meta.url).href;
const MAX_CRASHES = 2; // a request that crashes this many workers is rejected
const UNSUPPORTED =
  "The calculators can't run here because WebAssembly is off in this browser (Lockdown Mode turns it off). " +
  "The rules, the quick reference and the search still work.";
/** @type {Record<string, string>} */
const FILE_DESCRIPTIONS = {
  "pyodide.asm.wasm.zst": "the interpreter",
  "pyodide.mjs": "the interpreter's script",
  "pyodide.asm.mjs": "the interpreter's script",
  "python_stdlib.zip.zst": "the library",
  "stdlib.zip.zst": "the library",
  "app.zip.zst": "the rules engine",
  "more.zip.zst": "the rules of a fight",
  "zstddec.wasm": "the decompressor",
};

/** Describe a file that a start loads, for users.
 *  @param {string} fileName
 *  @returns {string} */
const describeStartFile = (fileName) => FILE_DESCRIPTIONS[fileName] ?? fileName;

/** Take the start that the head of the page has begun (inline/early-worker.js). It can be taken once.
 *  @returns {typeof globalThis.scratchEarlyStart} undefined if there is none, or if the worker's script could not be loaded */
function takeEarlyStart() {
  const early = globalThis.scratchEarlyStart;
  delete globalThis.scratchEarlyStart;
  if (early) early.worker.onmessage = early.worker.onerror = null;
  return early;
}

/** @typedef {"idle" | "starting" | "ready" | "failed"} EngineState */

/**
 * @typedef {object} QueuedRequest
 * @property {string} request as JSON
 * @property {(answerJson: string) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} crashes how many workers have died while they answered it
 */

/** Dispatches "change" when `state` or `message` has changed, and "answered" after each answer. */
class PythonClient extends EventTarget {
  /** @type {EngineState} */
  state = "idle";
  message = ""; // the progress of a start, or the reason of a failure, for users
  /** @type {Worker | null} */
  #worker = null;
  #usesStockPyodide = false; // whether to use Pyodide's published files, after a start with the trimmed ones has failed
  #canUseSnapshot = true; // whether a start may restore the snapshot of an earlier one
  #isStartingFromSnapshot = false; // whether the current start does
  #isSnapshotScheduled = false; // whether this page has scheduled the worker that makes one
  /** @type {QueuedRequest[]} */
  #queue = [];
  /** @type {(QueuedRequest & { id: number }) | null} */
  #currentRequest = null;
  #timer = 0;
  #calculator = ""; // the name of the calculator that a start without a request is for
  #lastId = 0;
  #crashCount = 0; // since the last answer

  /** Whether this browser can't run Python at all, so that a retry can't help. */
  get isUnsupported() {
    return typeof WebAssembly === "undefined";
  }

  /** Start Python unless it is running, starting, or has failed (a failure waits for `restartAfterFailure`).
   *  @param {string} [calculator] the name of the calculator that will be used first, unless a request waits */
  start(calculator = "") {
    if (this.state !== "idle") return;
    this.#calculator = calculator;
    this.#startNewWorker();
  }

  /** Restart Python after a failure, with the trimmed files first. */
  restartAfterFailure() {
    if (this.state !== "failed") return;
    this.#usesStockPyodide = false;
    this.#startNewWorker();
  }

  /** Send a request to Python, which is started when needed. If `signal` cancels a request that is being answered, the
   *  worker is replaced, and the other requests wait for the next one.
   *  @param {string} requestJson
   *  @param {AbortSignal} [signal] cancels the request
   *  @returns {Promise<string>} the answer as JSON; rejects with an Error whose message can be shown */
  fetchAnswer(requestJson, signal) {
    return new Promise((resolve, reject) => {
      const queued = { request: requestJson, resolve, reject, crashes: 0 };
      this.#queue.push(queued);
      signal?.addEventListener("abort", () => this.#cancelRequest(queued, "Stopped."));
      this.restartAfterFailure();
      this.start();
      this.#sendNextRequest();
    });
  }

  /** @param {EngineState} state */
  #setStateAndNotify(state, message = "") {
    this.state = state;
    this.message = message;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {keyof typeof TIME_LIMITS} limitName
   *  @param {() => void} onExpired */
  #startTimer(limitName, onExpired) {
    this.#clearTimer();
    this.#timer = setTimeout(onExpired, globalThis.scratchLimits?.[limitName] ?? TIME_LIMITS[limitName]);
  }

  #clearTimer() {
    clearTimeout(this.#timer);
  }

  /** Start Python in a new worker, which replaces the old one. */
  #startNewWorker() {
    this.#worker?.terminate();
    if (this.isUnsupported) return void this.#retryStartOrFail(UNSUPPORTED);
    const early = takeEarlyStart();
    const worker =
      early?.worker ??
      createPythonWorker(WORKER_URL, {
        useStockPyodide: this.#usesStockPyodide,
        snapshot: this.#chooseUseOfOldSnapshot(),
        calculator: this.#queue.length ? JSON.parse(this.#queue[0].request).name : this.#calculator,
      });
    this.#worker = worker;
    this.#isStartingFromSnapshot = false;
    this.#setStateAndNotify("starting", "Starting Python …");
    this.#restartStartTimer();
    /** @param {WorkerMessage} data */
    const handleMessage = (data) => worker === this.#worker && this.#handleWorkerMessage(worker, data);
    worker.addEventListener("message", ({ data }) => handleMessage(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker && this.state === "starting") void this.#retryStartOrFail("The calculators' script could not be loaded.");
    });
    const earlier = early?.messages ?? [];
    const isOvercome = (/** @type {number} */ index) => earlier[index].type === "timeout" && index < earlier.length - 1;
    earlier.filter((_, index) => !isOvercome(index)).forEach(handleMessage); // a start that went on after its time limit is not failed
  }

  /** Choose what a start does with the snapshot of an earlier one. It fits the trimmed interpreter only, so the published one
   *  leaves it to the next page.
   *  @returns {SnapshotUse} */
  #chooseUseOfOldSnapshot() {
    if (isFramed || (this.#usesStockPyodide && this.#canUseSnapshot)) return "ignore";
    if (this.#canUseSnapshot && !navigator.connection?.saveData) return isSnapshotRecorded(WORKER_URL) ? "use" : "ignore";
    recordSnapshot(WORKER_URL, false);
    return "delete";
  }

  /** Whether this page may save a snapshot for the next start. */
  get #canSaveSnapshot() {
    return this.#canUseSnapshot && !this.#usesStockPyodide && !isFramed && !navigator.connection?.saveData;
  }

  /** Schedule a second worker, which gets no user data and makes a snapshot, unless there is one already. */
  #scheduleSnapshotWorker() {
    if (!this.#canSaveSnapshot || this.#isSnapshotScheduled || this.#isStartingFromSnapshot) return;
    this.#isSnapshotScheduled = true;
    if (!recordSnapshot(WORKER_URL, false)) return; // the next start would not look for it
    setTimeout(() => {
      const snapshotWorker = new Worker(new URL("./snapshot-worker.mjs", import.meta.url), { type: "module" });
      snapshotWorker.onmessage = ({ data }) => data.type === "saved" && recordSnapshot(WORKER_URL, true);
      snapshotWorker.postMessage({ type: "make-snapshot" });
    }, SNAPSHOT_DELAY);
  }

  #restartStartTimer() {
    this.#startTimer("start", () => this.#retryStartOrFail("Starting took more than a minute."));
  }

  /** @param {Worker} worker
   *  @param {WorkerMessage} data */
  #handleWorkerMessage(worker, data) {
    if (data.type === "hello") {
      if (data.hasLock) this.#watchWorkerDeath(worker);
    } else if (data.type === "progress") {
      this.#isStartingFromSnapshot ||= Boolean(data.isFromSnapshot);
      this.#restartStartTimer();
      this.#setStateAndNotify("starting", `Starting Python: ${describeStartFile(data.file)} …`);
    } else if (data.type === "ready") {
      this.#clearTimer();
      const [end, detail] = [
        performance.now(),
        { isFromSnapshot: this.#isStartingFromSnapshot, snapshotCheckTime: data.snapshotCheckTime },
      ];
      performance.measure?.("scratch-engine-start", { start: end - data.milliseconds, end, detail });
      this.#canUseSnapshot &&= data.supportsSnapshots !== false; // Pyodide's published files don't
      this.#setStateAndNotify("ready");
      this.#sendNextRequest();
    } else if (data.type === "crashed") {
      if (!this.#tryRestartWithStockPyodide()) this.#restartAfterWorkerDeath();
    } else if (data.type === "timeout") {
      if (this.state === "ready" && !this.#currentRequest) return; // of a file that only a later answer may need
      void this.#retryStartOrFail(
        `The site hasn't answered for 20 seconds while loading ${describeStartFile(data.file)}. Check your connection.`,
        true,
      );
    } else if (data.type === "failed") {
      void this.#retryStartOrFail(`Python could not start: ${data.message.replace(/[^.?!]$/, "$&.")}`);
    } else if (data.type === undefined && this.#currentRequest && data.id === this.#currentRequest.id) {
      if (data.isPartMissing && this.#tryRestartWithStockPyodide()) return;
      const { resolve, reject } = this.#currentRequest;
      this.#currentRequest = null;
      this.#clearTimer();
      if (data.error !== undefined) reject(new Error(data.error + "; please tell us what you typed."));
      else resolve(data.result);
      this.#crashCount = 0;
      this.dispatchEvent(new Event("answered"));
      this.#scheduleSnapshotWorker();
      this.#sendNextRequest();
    }
  }

  /** Restart with Pyodide's published files, because the trimmed library lacked a module, the trimmed interpreter a function,
   *  or they did not start.
   *  @returns {boolean} false if the published files are in use already */
  #tryRestartWithStockPyodide() {
    if (this.#usesStockPyodide) return false;
    this.#usesStockPyodide = true;
    this.#restartAndRequeue();
    return true;
  }

  /** Restart Python when a worker dies: then the browser grants this page the lock that the worker held.
   *  @param {Worker} worker */
  #watchWorkerDeath(worker) {
    const lockName = /** @type {string} */ (worker.lockName); // `#startNewWorker` sets it
    navigator.locks.request(lockName, { mode: "exclusive" }, () => {
      if (worker === this.#worker && this.state !== "failed") this.#restartAfterWorkerDeath();
    });
  }

  /** Restart Python after the death of its worker. A request that was being answered is repeated once. */
  #restartAfterWorkerDeath() {
    if (this.state === "starting" && this.#tryRestartWithoutSnapshot()) return;
    if (++this.#crashCount > MAX_CRASHES && !this.#currentRequest)
      return void this.#retryStartOrFail("Python kept stopping while starting.");
    const queued = this.#currentRequest;
    if (queued && ++queued.crashes >= MAX_CRASHES) {
      this.#currentRequest = null;
      queued.reject(new Error("Python stopped twice at this input; please tell us what you typed."));
    }
    this.#restartAndRequeue();
  }

  /** Reject a request. If it is being answered, its worker is replaced.
   *  @param {QueuedRequest} queued
   *  @param {string} message */
  #cancelRequest(queued, message) {
    queued.reject(new Error(message));
    this.#queue = this.#queue.filter((each) => each !== queued);
    if (this.#currentRequest?.reject !== queued.reject) return;
    this.#currentRequest = null;
    this.#startNewWorker();
  }

  #restartAndRequeue() {
    if (this.#currentRequest) this.#queue.unshift(this.#currentRequest);
    this.#currentRequest = null;
    this.#startNewWorker();
  }

  #sendNextRequest() {
    if (this.state !== "ready" || this.#currentRequest) return;
    const queued = this.#queue.shift();
    if (!queued) return;
    const request = { ...queued, id: ++this.#lastId };
    this.#currentRequest = request;
    this.#worker?.postMessage({ id: request.id, request: request.request });
    this.#startTimer("answer", () =>
      this.#cancelRequest(request, "Python took too long to answer and was stopped. Everything is as it was before."),
    );
  }

  /** Restart without the snapshot if the start that has failed used one.
   *  @returns {boolean} false if it used none */
  #tryRestartWithoutSnapshot() {
    if (!this.#isStartingFromSnapshot) return false;
    this.#canUseSnapshot = false;
    this.#restartAndRequeue();
    return true;
  }

  /** Retry a failed start in another way; else give up, and reject all requests.
   *  @param {string} reason for users
   *  @param {boolean} isFinal whether neither other files nor a start without the snapshot would help
   *  @returns {Promise<void>} */
  async #retryStartOrFail(reason, isFinal = false) {
    if (this.state === "starting" && !isFinal && (this.#tryRestartWithoutSnapshot() || this.#tryRestartWithStockPyodide())) return;
    this.#clearTimer();
    this.#worker?.terminate();
    this.#worker = null;
    const isOutdated = !this.isUnsupported && (await detectNewVersion()); // then the server no longer has its files, and a retry can't succeed
    const message = isOutdated ? `${NEW_VERSION_TEXT}. Reload this page to use it.` : reason;
    if (isOutdated) offerNewVersion();
    this.#setStateAndNotify("failed", message);
    const pending = this.#currentRequest ? [this.#currentRequest, ...this.#queue] : this.#queue;
    this.#currentRequest = null;
    this.#queue = [];
    for (const { reject } of pending) reject(new Error(message));
  }
}

export const pythonClient = new PythonClient();
