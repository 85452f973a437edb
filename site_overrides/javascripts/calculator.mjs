// <scratch-calculator name="…">: sends its form's content to the engine and morphs the answer in.
// It knows nothing of what a calculator does; all of that is Python and a template. What a template may ask for:
//   form[data-live]      answer while the reader types      form[data-history]  keep a list of what was answered
//   [data-copy="text"]   a button that copies its text      a[data-share]       a link that reopens this answer
//   [data-step="1"]      a button that adds to the number in the control named by data-control, never below 0
//   [data-key="Home"]    a button that this key presses       [data-every="1500"]  a button that presses the one found by
//   [data-download="f"]  a button that saves its data-text                         data-press again and again, until told
//   button[data-back]    asks again what was asked before     [data-fresh]  a control whose new value the answer has set
//   [data-gather="control"] with data-parts="space"   a drawing whose parts are told apart by their data-space: those that
//                        a pointer or a key passes go into that control; see gather.mjs
//   input[type=file][data-into="control"]   a file whose text goes into that control, and is answered
//   form[data-keep="1"]  keep the last answer's query on this device; the number is the kept form's version. An answer
//                        with [data-refused] in it sets the kept query aside, to be saved as a file
import "./anchors.mjs";
import { Idiomorph } from "./idiomorph.esm.js";
import { engine } from "./engine.mjs";
import { gather } from "./gather.mjs";
import { ownName, root } from "./place.mjs";

const TYPING_PAUSE = 150; // ms
const HISTORY = 20; // entries
const UNDOABLE = 200; // answers
const LONGEST_ADDRESS = 30_000; // characters; a longer state is a file's, not a link's

/** A form's content as a query string in which a plus is a plus and a space is %20. */
function queryOf(form, submitter) {
  const own = submitter?.name; // a button's value replaces that of the control it shares its name with
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && name !== own);
  if (own) pairs.push([own, submitter.value]);
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

/** Whether the reader has changed a control since it came into the page. */
function isChanged(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  const options = [...control.options];
  return control.selectedOptions[0] !== (options.find((option) => option.defaultSelected) ?? options[0]);
}

const isSame = (query, other) => `${new URLSearchParams(query)}` === `${new URLSearchParams(other)}`;

const named = (container, name) => container.querySelector(`[name="${CSS.escape(name)}"]:not(button)`);

/** The control that a new one takes the place of; of radio buttons the one with the same value. */
function sameAs(control, form) {
  if (control.type !== "radio") return named(form, control.name);
  return [...form.querySelectorAll(`[name="${CSS.escape(control.name)}"]`)].find((old) => old.value === control.value);
}

/** Let a new control show what the reader has typed into the old one. */
function keepTyped(control, typed) {
  if (control.type === "checkbox" || control.type === "radio") {
    control.toggleAttribute("checked", typed.checked);
  } else if (control instanceof HTMLSelectElement) {
    for (const option of control.options) option.toggleAttribute("selected", option.value === typed.value);
  } else if (control instanceof HTMLTextAreaElement) {
    control.textContent = typed.value;
  } else {
    control.setAttribute("value", typed.value);
  }
}

class ScratchCalculator extends HTMLElement {
  #latest = 0;
  #pause = 0;
  #playing = 0;
  #waiting = null; // the request to repeat after a failure
  #unmount = null;
  #opening = null; // the query of a link or of a kept form, until it is answered: the page's controls show another
  #before = []; // the queries answered before, for [data-back]

  get #form() {
    return this.querySelector("form");
  }

  get #body() {
    return this.querySelector(".calculator-body");
  }

  get #toolPage() {
    return `${root}tools/${this.getAttribute("name")}/`;
  }

  /** The first calculator on a page is the one that the address speaks to. */
  get #ownsAddress() {
    return document.querySelector("scratch-calculator") === this;
  }

  connectedCallback() {
    if (!this.#form || this.#unmount) return;
    this.#unmount = new AbortController();
    const { signal } = this.#unmount;
    this.#addStatus();
    this.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.addEventListener("input", (event) => this.#typed(event.target), { signal });
    this.addEventListener("change", (event) => this.#opened(event.target), { signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.addEventListener("click", (event) => this.#click(event), { signal });
    gather(this, signal, (control, values) => this.#gathered(named(this.#form, control), values));
    for (const intent of ["pointerenter", "focusin", "touchstart"]) {
      this.addEventListener(intent, () => engine.start(), { signal, passive: true });
    }
    engine.addEventListener("change", () => this.#engineChanged(), { signal });
    this.#startWhenSeen(signal);
    this.#showHistory();
    this.#linkShares();
    const kept = this.#kept();
    if (this.#ownsAddress && this.#addressIsMine()) {
      const asked = location.search.slice(1);
      if (kept && !isSame(kept, asked)) this.#setAside(stored(this.#keptName)); // a link opened: what was kept is not lost
      this.#open(asked, { ask: false, typed: false });
    }
    else if (kept) this.#open(kept, { ask: false, typed: false, kept: true });
    else this.#engineChanged();
  }

  disconnectedCallback() {
    this.#unmount?.abort();
    this.#unmount = null;
    clearTimeout(this.#pause);
    clearInterval(this.#playing);
  }

  #addressIsMine() {
    return [...new URLSearchParams(location.search).keys()].some((name) => named(this.#form, name));
  }

  #startWhenSeen(signal) {
    if (navigator.connection?.saveData) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        engine.start();
      }
    });
    observer.observe(this);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  #open(query, how) {
    this.#opening = query;
    this.#ask(query, how);
  }

  /** The form's content as a query; before what was opened is answered, that with what the reader has changed meanwhile. */
  #content(submitter) {
    const query = queryOf(this.#form, submitter);
    if (this.#opening === null) return query;
    const changed = [...this.#form.elements].filter((control) => control.name && isChanged(control));
    const names = new Set([...changed, submitter].map((control) => control?.name));
    const isNamed = (pair) => names.has(pair.split("=")[0]);
    return [...this.#opening.split("&").filter((pair) => !isNamed(pair)), ...query.split("&").filter(isNamed)].join("&");
  }

  #submit(event) {
    event.preventDefault();
    clearTimeout(this.#pause);
    const overridden = event.submitter?.name;
    this.#ask(this.#content(event.submitter), { ask: true, typed: true, overridden });
  }

  #typed(control) {
    if (!this.#form.hasAttribute("data-live")) return;
    clearTimeout(this.#pause);
    const pause = control.type === "range" && !this.#waiting ? 0 : TYPING_PAUSE;
    this.#pause = setTimeout(() => this.#ask(this.#content(), { ask: false, typed: true }), pause);
  }

  /** Put what was gathered behind what no answer has taken up yet, so that nothing gets lost between two answers. */
  #gathered(control, values) {
    control.value = [control.value, values].filter(Boolean).join("; ");
    clearTimeout(this.#pause);
    this.#ask(this.#content(), { ask: false, typed: true });
  }

  async #ask(query, how) {
    const number = ++this.#latest;
    this.#waiting = [query, how];
    this.#show(engine.state === "ready" ? "working" : "starting", engine.message);
    const request = { name: this.getAttribute("name"), query, ask: how.ask, uid: this.getAttribute("uid"), root };
    try {
      const answer = JSON.parse(await engine.ask(JSON.stringify(request)));
      if (number !== this.#latest || !this.isConnected) return;
      this.#waiting = null;
      this.#apply(answer, how);
      this.#show("ready");
    } catch (error) {
      if (number === this.#latest) this.#show("failed", error.message);
    }
  }

  #apply({ html, query, summary }, { ask, typed, overridden, kept }) {
    const template = document.createElement("template");
    template.innerHTML = html;
    if (typed) {
      for (const control of template.content.querySelectorAll("[name]:not(button)")) {
        const isNew = control.name === overridden || control.hasAttribute("data-fresh");
        const old = isNew ? null : sameAs(control, this.#form);
        if (old && (this.#opening === null || isChanged(old))) keepTyped(control, old);
      }
    }
    this.#opening = null;
    Idiomorph.morph(this.#body, [...template.content.childNodes], {
      morphStyle: "innerHTML",
      callbacks: {
        beforeAttributeUpdated: (name, node) =>
          !(name === "open" && node instanceof HTMLDetailsElement) &&
          !(name === "data-passed" || name === "data-gathering") &&
          !(name === "aria-pressed" && node.hasAttribute("data-every")),
      },
    });
    if (typed && this.dataset.query !== query) this.#before = [...this.#before, this.dataset.query].slice(-UNDOABLE);
    this.dataset.query = query;
    for (const button of this.querySelectorAll("[data-back]")) button.disabled = !this.#before.length;
    this.#linkShares();
    this.#keep(query, kept);
    if (this.#ownsAddress && location.href.startsWith(this.#toolPage)) {
      const isLong = query.length >= LONGEST_ADDRESS; // no address at all is better than one that tells of earlier days
      history.replaceState(history.state, "", isLong ? location.pathname : `${location.pathname}?${query}`);
    }
    if (ask && summary) this.#remember(query, summary);
    this.querySelector(".calculator-announcement").textContent = summary;
  }

  // ---- what is shown around the answer: state, failure, history

  #addStatus() {
    if (this.querySelector(".calculator-status")) return;
    this.insertAdjacentHTML(
      "beforeend",
      '<p class="calculator-announcement" role="status"></p>' +
        '<p class="calculator-status" hidden><span></span> <button type="button" data-retry>Try again</button></p>',
    );
  }

  #engineChanged() {
    if (this.#waiting && engine.state !== "failed") {
      this.#show(engine.state === "ready" ? "working" : "starting", engine.message);
    } else if (!this.#waiting && engine.state !== "idle") {
      this.#show(engine.state, engine.message);
    }
  }

  #show(state, message = "") {
    this.dataset.state = state;
    const busy = state === "starting" || state === "working";
    this.#body.toggleAttribute("aria-busy", busy && Boolean(this.#waiting));
    if (this.hasAttribute("stale") !== Boolean(this.#waiting)) this.toggleAttribute("stale", Boolean(this.#waiting));
    const status = this.querySelector(".calculator-status");
    status.hidden = !(state === "failed" || (busy && this.#waiting));
    status.querySelector("button").hidden = state !== "failed";
    const words = status.querySelector("span");
    words.textContent = message || (state === "working" ? "Working it out …" : "");
    words.setAttribute("role", state === "failed" ? "alert" : "presentation");
  }

  #click(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.hasAttribute("data-retry")) this.#retry();
    else if (button.hasAttribute("data-copy")) copy(button, button.dataset.copy);
    else if (button.hasAttribute("data-step")) step(named(this.#form, button.dataset.control), Number(button.dataset.step));
    else if (button.hasAttribute("data-download")) save(button.dataset.download, button.dataset.text);
    else if (button.hasAttribute("data-every")) this.#play(button);
    else if (button.hasAttribute("data-forget")) this.#forget();
    else if (button.hasAttribute("data-back")) this.#undo();
  }

  #key(event) {
    const inside = this.contains(event.target) || (event.target === document.body && this.#ownsAddress);
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!inside || !plain || event.target.closest("input:not([type=range]), textarea, select")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const button = this.querySelector(`:is(button, input)[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!button.disabled) button.click();
  }

  #undo() {
    if (this.#before.length) this.#ask(this.#before.pop(), { ask: false, typed: false });
  }

  #play(button) {
    const playing = button.getAttribute("aria-pressed") !== "true";
    clearInterval(this.#playing);
    this.#pressed(button, playing);
    if (!playing) return;
    const press = () => {
      const next = this.querySelector(button.dataset.press);
      if (this.dataset.state === "ready" && next && !next.disabled) next.click();
      else if (!next || next.disabled) this.#play(this.querySelector("[data-every][aria-pressed=true]") ?? button);
    };
    this.#playing = setInterval(press, Number(button.dataset.every));
    press();
  }

  #pressed(button, playing) {
    button.setAttribute("aria-pressed", playing);
    this.toggleAttribute("playing", playing);
  }

  async #opened(input) {
    const [file] = (input.type === "file" && input.files) || [];
    if (!file) return;
    const control = named(this.#form, input.dataset.into);
    control.value = await file.text();
    input.value = "";
    this.#ask(this.#content(), { ask: false, typed: true });
  }

  // ---- what is kept on this device

  get #keptName() {
    return ownName(`scratch-kept-${this.getAttribute("name")}`);
  }

  #kept() {
    const version = this.#form.dataset.keep;
    if (!version || !this.#ownsAddress) return "";
    this.#showAside();
    const text = stored(this.#keptName);
    if (!text) return "";
    try {
      const kept = JSON.parse(text);
      if (kept.version === version && typeof kept.query === "string") return kept.query;
    } catch {
      // set aside below, like a version that is not ours
    }
    this.#setAside(text);
    return "";
  }

  #keep(query, restored) {
    const version = this.#form.dataset.keep;
    if (!version || !this.#ownsAddress) return;
    if (this.querySelector("[data-refused]")) {
      if (restored) this.#setAside(stored(this.#keptName));
      return;
    }
    try {
      localStorage.setItem(this.#keptName, JSON.stringify({ version, query }));
    } catch {
      // no storage, or it is full: the address and the file still hold everything
    }
  }

  #setAside(text) {
    try {
      localStorage.setItem(`${this.#keptName}-aside-${Date.now()}`, text);
      localStorage.removeItem(this.#keptName);
    } catch {
      return;
    }
    this.#showAside();
  }

  #showAside() {
    this.querySelector(".calculator-aside")?.remove();
    const names = storedNames().filter((name) => name.startsWith(`${this.#keptName}-aside-`));
    if (!names.length) return;
    const section = document.createElement("section");
    section.className = "calculator-aside";
    section.innerHTML = "<p>What was kept here before is set aside; nothing of it is lost.</p>";
    for (const name of names) {
      const keep = Object.assign(document.createElement("button"), { type: "button", textContent: "Save it as a file" });
      keep.dataset.download = `${name.slice(name.indexOf("scratch-kept"))}.txt`;
      keep.dataset.text = stored(name);
      const drop = Object.assign(document.createElement("button"), { type: "button", textContent: "Throw it away" });
      drop.addEventListener("click", () => {
        localStorage.removeItem(name);
        this.#showAside();
      });
      section.append(keep, " ", drop);
    }
    this.append(section);
  }

  #retry() {
    engine.retry();
    if (this.#waiting) this.#ask(...this.#waiting);
  }

  #linkShares() {
    for (const link of this.querySelectorAll("a[data-share]")) {
      link.href = this.#toolPage + new URL(link.href, location.href).search;
    }
  }

  get #memory() {
    return ownName(`scratch-history-${this.getAttribute("name")}`);
  }

  #remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#memory) ?? "[]");
    } catch {
      return [];
    }
  }

  #remember(query, summary) {
    if (!this.#form.hasAttribute("data-history")) return;
    const entries = [{ query, summary }, ...this.#remembered()].slice(0, HISTORY);
    try {
      sessionStorage.setItem(this.#memory, JSON.stringify(entries));
    } catch {
      // no storage: the list is kept for this answer only
    }
    this.#showHistory(entries);
  }

  #forget() {
    sessionStorage.removeItem(this.#memory);
    this.#showHistory([]);
  }

  #showHistory(entries = this.#remembered()) {
    this.querySelector(".calculator-history")?.remove();
    if (!this.#form.hasAttribute("data-history") || !entries.length) return;
    const section = document.createElement("details");
    section.className = "calculator-history";
    section.open = true;
    section.innerHTML = "<summary>Earlier answers</summary><ol></ol><button type=button data-forget>Forget these</button>";
    for (const { query, summary } of entries) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${this.#toolPage}?${query}`;
      link.textContent = summary;
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.copy = `${summary} ${link.href}`;
      button.textContent = "Copy";
      item.append(link, " ", button);
      section.querySelector("ol").append(item);
    }
    this.append(section);
  }
}

function step(control, by) {
  control.value = Math.max(0, (Number.parseInt(control.value, 10) || 0) + by);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(button, text) {
  const label = (button.dataset.label ??= button.textContent);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copying is not allowed here";
  }
  setTimeout(() => (button.textContent = label), 2000);
}

customElements.define("scratch-calculator", ScratchCalculator);
