// The client of the Python worker, one for the whole site: starts it on intent, keeps it alive across pages, and restarts
// it when it dies.
import { isFramed } from "../shared/embedding.mjs";
import { NEW_VERSION_TEXT, checkOutdated, offerNewVersion } from "../offline/new-version.mjs";

// In ms: without a message while starting, and for one answer. `globalThis.scratchLimits` overrides them, in tests on a slow machine.
const TIME_LIMITS = { start: 60_000, answer: 15_000 };
const SNAPSHOT_DELAY = 2_000; // ms between the first answer and the snapshot
const MAX_CRASHES = 2; // a request that crashes this many workers is rejected
const UNSUPPORTED =
  "The calculators can't run here because WebAssembly is off in this browser (Lockdown Mode turns it off). " +
  "The rules, the quick reference and the search still work.";
const FILE_DESCRIPTIONS = {
  "pyodide.asm.wasm": "the interpreter",
  "pyodide.mjs": "the interpreter's script",
  "pyodide.asm.mjs": "the interpreter's script",
  "python_stdlib.zip": "the library",
  "stdlib.zip.gz": "the library",
  "app.zip.gz": "the rules engine",
};

/** Describe a file of the start for users. */
const describeFile = (file) => FILE_DESCRIPTIONS[file] ?? file;

class PythonClient extends EventTarget {
  state = "idle"; // idle | starting | ready | failed
  message = "";
  #worker = null;
  #usesStockPyodide = false; // whether to use Pyodide's published files, after a start with the trimmed ones has failed
  #canUseSnapshot = true; // whether a start may restore the snapshot of an earlier one
  #isStartingFromSnapshot = false; // whether the current start does
  #isSnapshotRequested = false; // whether this page has requested a snapshot
  #queue = [];
  #currentRequest = null;
  #timer = 0;
  #lastId = 0;
  #crashCount = 0; // since the last answer

  /** Whether this browser can't run Python at all, so that a retry can't help. */
  get isUnsupported() {
    return typeof WebAssembly === "undefined";
  }

  /** Start Python unless it is running, starting, or has failed (a failure waits for `retry`). */
  start() {
    if (this.state === "idle") this.#start();
  }

  /** Restart Python after a failure, with the trimmed files first. */
  retry() {
    if (this.state !== "failed") return;
    this.#usesStockPyodide = false;
    this.#start();
  }

  /** Send a JSON request; resolves to the JSON text of the answer, or rejects with an Error whose message can be shown.
   *  Starts Python when needed. `signal` cancels the request; if it is being answered, the worker is replaced and the
   *  other requests wait for the next one. */
  ask(request, signal) {
    return new Promise((resolve, reject) => {
      const queued = { request, resolve, reject, crashes: 0 };
      this.#queue.push(queued);
      signal?.addEventListener("abort", () => this.#rejectRequest(queued, "Stopped."));
      this.retry();
      this.start();
      this.#sendNext();
    });
  }

  #setState(state, message = "") {
    this.state = state;
    this.message = message;
    this.dispatchEvent(new Event("change"));
  }

  #startTimer(limit, onExpired) {
    this.#clearTimer();
    this.#timer = setTimeout(onExpired, globalThis.scratchLimits?.[limit] ?? TIME_LIMITS[limit]);
  }

  #clearTimer() {
    clearTimeout(this.#timer);
  }

  #start() {
    this.#worker?.terminate();
    if (this.isUnsupported) return void this.#fail(UNSUPPORTED);
    const name = `scratch-engine-${crypto.randomUUID?.() ?? Math.random()}`;
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module", name });
    worker.lockName = name;
    this.#worker = worker;
    this.#setState("starting", "Starting Python …");
    this.#restartStartTimer();
    worker.addEventListener("message", ({ data }) => worker === this.#worker && this.#handleMessage(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker && this.state === "starting") void this.#fail("The calculators' script could not be loaded.");
    });
    this.#isStartingFromSnapshot = false;
    const { request: requestTimeout } = globalThis.scratchLimits ?? {};
    worker.postMessage({
      type: "start",
      useStockPyodide: this.#usesStockPyodide,
      snapshot: this.#snapshotUse(),
      ...(requestTimeout && { requestTimeout }),
    });
  }

  // What a start does with the snapshot of an earlier one: "use", "delete" or "ignore" it.
  #snapshotUse() {
    if (isFramed) return "ignore";
    return this.#canUseSnapshot && !this.#usesStockPyodide && !navigator.connection?.saveData ? "use" : "delete";
  }

  // If there is no snapshot yet, a second worker, which gets no user data, makes one.
  #requestSnapshot() {
    if (this.#isSnapshotRequested || this.#isStartingFromSnapshot || this.#snapshotUse() !== "use" || !navigator.storage?.getDirectory)
      return;
    this.#isSnapshotRequested = true;
    setTimeout(() => {
      const snapshotWorker = new Worker(new URL("./snapshot-worker.mjs", import.meta.url), { type: "module" });
      snapshotWorker.postMessage({ type: "make-snapshot" });
    }, SNAPSHOT_DELAY);
  }

  #restartStartTimer() {
    this.#startTimer("start", () => this.#fail("Starting took more than a minute."));
  }

  #handleMessage(data) {
    if (data.type === "hello") {
      if (data.hasLock) this.#watchWorkerDeath(this.#worker);
    } else if (data.type === "progress") {
      this.#isStartingFromSnapshot ||= Boolean(data.isFromSnapshot);
      this.#restartStartTimer();
      this.#setState("starting", `Starting Python: ${describeFile(data.file)} …`);
    } else if (data.type === "ready") {
      this.#clearTimer();
      const [end, detail] = [
        performance.now(),
        { isFromSnapshot: this.#isStartingFromSnapshot, snapshotCheckTime: data.snapshotCheckTime },
      ];
      performance.measure?.("scratch-engine-start", { start: end - data.milliseconds, end, detail });
      this.#canUseSnapshot &&= data.supportsSnapshots !== false; // Pyodide's published files don't
      this.#setState("ready");
      this.#sendNext();
    } else if (data.type === "crashed") {
      if (!this.#fallBack()) this.#handleWorkerDeath();
    } else if (data.type === "timeout") {
      void this.#fail(`The site hasn't answered for 20 seconds while loading ${describeFile(data.file)}. Check your connection.`, true);
    } else if (data.type === "failed") {
      void this.#fail(`Python could not start: ${data.message.replace(/[^.?!]$/, "$&.")}`);
    } else if (data.id === this.#currentRequest?.id) {
      if (data.isPartMissing && this.#fallBack()) return;
      const { resolve, reject } = this.#currentRequest;
      this.#currentRequest = null;
      this.#clearTimer();
      if (data.error) reject(new Error(data.error + "; please tell us what you typed."));
      else resolve(data.result);
      this.#crashCount = 0;
      this.dispatchEvent(new Event("answered"));
      this.#requestSnapshot();
      this.#sendNext();
    }
  }

  // Restart with Pyodide's published files: the trimmed library lacked a module, the trimmed interpreter a function, or
  // they did not start.
  #fallBack() {
    if (this.#usesStockPyodide) return false;
    this.#usesStockPyodide = true;
    this.#restartAndRequeue();
    return true;
  }

  // The browser grants the lock to this page when the worker that held it has died.
  #watchWorkerDeath(worker) {
    navigator.locks.request(worker.lockName, { mode: "exclusive" }, () => {
      if (worker === this.#worker && this.state !== "failed") this.#handleWorkerDeath();
    });
  }

  #handleWorkerDeath() {
    if (this.state === "starting" && this.#retryWithoutSnapshot()) return;
    if (++this.#crashCount > MAX_CRASHES && !this.#currentRequest) return void this.#fail("Python kept stopping while starting.");
    const queued = this.#currentRequest;
    if (queued && ++queued.crashes >= MAX_CRASHES) {
      this.#currentRequest = null;
      queued.reject(new Error("Python stopped twice at this input; please tell us what you typed."));
    }
    this.#restartAndRequeue();
  }

  #rejectRequest(queued, message) {
    queued.reject(new Error(message));
    this.#queue = this.#queue.filter((each) => each !== queued);
    if (this.#currentRequest?.reject !== queued.reject) return;
    this.#currentRequest = null;
    this.#start();
  }

  #restartAndRequeue() {
    if (this.#currentRequest) this.#queue.unshift(this.#currentRequest);
    this.#currentRequest = null;
    this.#start();
  }

  #sendNext() {
    if (this.state !== "ready" || this.#currentRequest || !this.#queue.length) return;
    this.#currentRequest = { ...this.#queue.shift(), id: ++this.#lastId };
    this.#worker.postMessage({ id: this.#currentRequest.id, request: this.#currentRequest.request });
    const request = this.#currentRequest;
    this.#startTimer("answer", () =>
      this.#rejectRequest(request, "Python took too long to answer and was stopped. Everything is as it was before."),
    );
  }

  // Restart without the snapshot if the start that has failed used one.
  #retryWithoutSnapshot() {
    if (!this.#isStartingFromSnapshot) return false;
    this.#canUseSnapshot = false;
    this.#restartAndRequeue();
    return true;
  }

  // `isFinal`: neither other files nor a start without the snapshot would help.
  async #fail(reason, isFinal = false) {
    if (this.state === "starting" && !isFinal && (this.#retryWithoutSnapshot() || this.#fallBack())) return;
    this.#clearTimer();
    this.#worker?.terminate();
    this.#worker = null;
    const isOutdated = !this.isUnsupported && (await checkOutdated()); // then the server no longer has its files, and a retry can't succeed
    const message = isOutdated ? `${NEW_VERSION_TEXT}. Reload this page to use it.` : reason;
    if (isOutdated) offerNewVersion();
    this.#setState("failed", message);
    const pending = this.#currentRequest ? [this.#currentRequest, ...this.#queue] : this.#queue;
    this.#currentRequest = null;
    this.#queue = [];
    for (const { reject } of pending) reject(new Error(message));
  }
}

export const pythonClient = new PythonClient();
