// The one engine of the site: a worker that is started on intent, kept alive across pages, and restarted when it dies.
import { isFramed } from "../shared/embedding.mjs";
import { NEW_VERSION_TEXT, checkOutdated, offerNewVersion } from "../offline/new-version.mjs";

// In ms: without any news while starting, and for one answer. A page may set others, as tests do on a slow machine.
const LIMITS = { start: 60_000, answer: 15_000 };
const COPY_PAUSE = 2_000; // ms after the first answer
const CRASHES = 2; // a request that kills this many workers is given up
const UNSUPPORTED =
  "The calculators can’t run here because WebAssembly is off in this browser (Lockdown Mode turns it off). " +
  "The rules, the quick reference and the search still work.";
const PARTS = {
  "pyodide.asm.wasm": "the interpreter",
  "pyodide.mjs": "the interpreter's script",
  "pyodide.asm.mjs": "the interpreter's script",
  "python_stdlib.zip": "the library",
  "stdlib.zip.gz": "the library",
  "app.zip.gz": "the rules engine",
};

/** What players read of a file that a start asks for. */
const inWords = (file) => PARTS[file] ?? file;

class PythonClient extends EventTarget {
  state = "idle"; // idle | starting | ready | failed
  message = "";
  #worker = null;
  #usesStockPyodide = false; // whether Pyodide's own files are taken, for a start with ours went wrong
  #canUseSnapshot = true; // whether a start may begin with the memory that an earlier one left behind
  #isStartingFromSnapshot = false; // whether this one does
  #isSnapshotRequested = false; // whether a copy of the memory has been ordered by this page
  #queue = [];
  #currentRequest = null;
  #timer = 0;
  #serial = 0;
  #crashCount = 0; // since the last answer

  /** Whether this browser can't run Python at all, so that trying again can't help. */
  get isUnsupported() {
    return typeof WebAssembly === "undefined";
  }

  /** Start Python unless it is there, starting, or has failed (a failure waits for `retry`). */
  start() {
    if (this.state === "idle") this.#start();
  }

  /** Start it anew where it has failed, with the lean files first. */
  retry() {
    if (this.state !== "failed") return;
    this.#usesStockPyodide = false;
    this.#start();
  }

  /** Answer a JSON request with a JSON text; rejects with an Error fit to be shown. Starts the engine when needed.
   *  `signal` gives the request up, if need be with the worker that answers it; the others wait for the next worker. */
  ask(request, signal) {
    return new Promise((resolve, reject) => {
      const asked = { request, resolve, reject, crashes: 0 };
      this.#queue.push(asked);
      signal?.addEventListener("abort", () => this.#rejectRequest(asked, "Stopped."));
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

  #setTimeLimit(what, expired) {
    this.#clearTimeLimit();
    this.#timer = setTimeout(expired, globalThis.scratchLimits?.[what] ?? LIMITS[what]);
  }

  #clearTimeLimit() {
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
    this.#setStartTimeLimit();
    worker.addEventListener("message", ({ data }) => worker === this.#worker && this.#handleMessage(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker && this.state === "starting") void this.#fail("The calculators' script could not be loaded.");
    });
    this.#isStartingFromSnapshot = false;
    const { request: requestLimit } = globalThis.scratchLimits ?? {};
    worker.postMessage({
      type: "start",
      untouched: this.#usesStockPyodide,
      memory: this.#memoryUse(),
      ...(requestLimit && { requestLimit }),
    });
  }

  // What a start does with the memory that an earlier one left behind: "use", "drop" or "leave" it.
  #memoryUse() {
    if (isFramed) return "leave";
    return this.#canUseSnapshot && !this.#usesStockPyodide && !navigator.connection?.saveData ? "use" : "drop";
  }

  // Where no start has left its memory yet, a second worker, which is never given anything of the reader's, does so.
  #requestSnapshot() {
    if (this.#isSnapshotRequested || this.#isStartingFromSnapshot || this.#memoryUse() !== "use" || !navigator.storage?.getDirectory)
      return;
    this.#isSnapshotRequested = true;
    setTimeout(() => {
      const copier = new Worker(new URL("./snapshot-worker.mjs", import.meta.url), { type: "module" });
      copier.postMessage({ type: "copy" });
    }, COPY_PAUSE);
  }

  #setStartTimeLimit() {
    this.#setTimeLimit("start", () => this.#fail("Starting took more than a minute."));
  }

  #handleMessage(data) {
    if (data.type === "hello") {
      if (data.locked) this.#watchWorkerDeath(this.#worker);
    } else if (data.type === "progress") {
      this.#isStartingFromSnapshot ||= Boolean(data.memory);
      this.#setStartTimeLimit();
      this.#setState("starting", `Starting Python: ${inWords(data.file)} …`);
    } else if (data.type === "ready") {
      this.#clearTimeLimit();
      const [end, detail] = [performance.now(), { isRecalled: this.#isStartingFromSnapshot, checked: data.checked }];
      performance.measure?.("scratch-engine-start", { start: end - data.milliseconds, end, detail });
      this.#canUseSnapshot &&= data.restores !== false; // a Pyodide as it was published writes none
      this.#setState("ready");
      this.#sendNext();
    } else if (data.type === "broken") {
      if (!this.#fallBack()) this.#handleWorkerDeath();
    } else if (data.type === "unanswered") {
      void this.#fail(`The site hasn’t answered for 20 seconds while loading ${inWords(data.file)}. Check your connection.`, true);
    } else if (data.type === "failed") {
      void this.#fail(`Python could not start: ${data.message.replace(/[^.?!]$/, "$&.")}`);
    } else if (data.id === this.#currentRequest?.id) {
      if (data.missing && this.#fallBack()) return;
      const { resolve, reject } = this.#currentRequest;
      this.#currentRequest = null;
      this.#clearTimeLimit();
      if (data.error) reject(new Error(data.error + "; please tell us what you typed."));
      else resolve(data.result);
      this.#crashCount = 0;
      this.dispatchEvent(new Event("answered"));
      this.#requestSnapshot();
      this.#sendNext();
    }
  }

  // The trimmed library lacked a module, the lean interpreter a function, or they did not start: once more with Pyodide's
  // own files.
  #fallBack() {
    if (this.#usesStockPyodide) return false;
    this.#usesStockPyodide = true;
    this.#restartAndRequeue();
    return true;
  }

  // The lock is granted to this page when the worker that held it is gone.
  #watchWorkerDeath(worker) {
    navigator.locks.request(worker.lockName, { mode: "exclusive" }, () => {
      if (worker === this.#worker && this.state !== "failed") this.#handleWorkerDeath();
    });
  }

  #handleWorkerDeath() {
    if (this.state === "starting" && this.#retryWithoutSnapshot()) return;
    if (++this.#crashCount > CRASHES && !this.#currentRequest) return void this.#fail("Python kept stopping while starting.");
    const asked = this.#currentRequest;
    if (asked && ++asked.crashes >= CRASHES) {
      this.#currentRequest = null;
      asked.reject(new Error("Python stopped twice at this input; please tell us what you typed."));
    }
    this.#restartAndRequeue();
  }

  #rejectRequest(asked, message) {
    asked.reject(new Error(message));
    this.#queue = this.#queue.filter((each) => each !== asked);
    if (this.#currentRequest?.reject !== asked.reject) return;
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
    this.#currentRequest = { ...this.#queue.shift(), id: ++this.#serial };
    this.#worker.postMessage({ id: this.#currentRequest.id, request: this.#currentRequest.request });
    const hung = this.#currentRequest;
    this.#setTimeLimit("answer", () =>
      this.#rejectRequest(hung, "Python took too long to answer and was stopped. Everything is as it was before."),
    );
  }

  // A start that began with a kept memory and went wrong is made anew without one.
  #retryWithoutSnapshot() {
    if (!this.#isStartingFromSnapshot) return false;
    this.#canUseSnapshot = false;
    this.#restartAndRequeue();
    return true;
  }

  // `isFinal`: no other files and no other memory would help.
  async #fail(reason, isFinal = false) {
    if (this.state === "starting" && !isFinal && (this.#retryWithoutSnapshot() || this.#fallBack())) return;
    this.#clearTimeLimit();
    this.#worker?.terminate();
    this.#worker = null;
    const outdated = !this.isUnsupported && (await checkOutdated()); // then its files are gone, and trying again can't succeed
    const message = outdated ? `${NEW_VERSION_TEXT}. Reload this page to use it.` : reason;
    if (outdated) offerNewVersion();
    this.#setState("failed", message);
    const waiting = this.#currentRequest ? [this.#currentRequest, ...this.#queue] : this.#queue;
    this.#currentRequest = null;
    this.#queue = [];
    for (const { reject } of waiting) reject(new Error(message));
  }
}

export const pythonClient = new PythonClient();
