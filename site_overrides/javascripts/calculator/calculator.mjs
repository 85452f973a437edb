// <scratch-calculator name="…">: sends its form's content to the engine and morphs the answer in.
// It contains no rules: Python and a template define a calculator. docs/contributing/calculator-attributes.md lists the
// attributes that a template may use, and docs/contributing/saved-entries.md those of saved forms. The page shows an
// unfinished answer and repeats the request until the answer is finished or stopped; other requests go first.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import "../page/material-fixes.mjs";
import "../page/popover.mjs";
import { applyFocusAndScroll, destinationOf, captureScrollAnchors, holdScrollPosition } from "./focus-and-scroll.mjs";
// @ts-expect-error -- the build lays it here
import { Idiomorph } from "../idiomorph.esm.js";
import { showEntryPlaceholder, showLinkPlaceholder, removePlaceholder } from "./loading-placeholder.mjs";
import { pythonClient } from "../engine/client.mjs";
import { Figures, isPending } from "./figures.mjs";
import { restoreTypedValues, isSameQuery, findControl, queryOf, findSameButton, stateOf, statesOf, stepValue, labelOf } from "./form.mjs";
import { isFramed, showEmbeddingNotice } from "../shared/embedding.mjs";
import { trackStrokes } from "./pointer-strokes.mjs";
import { replaceBeginButton } from "../page/resume-links.mjs";
import { copyText, shortenLink, downloadFile, shareUrl } from "../shared/share.mjs";
import { History } from "./history.mjs";
import {
  offerHouseRules,
  findRuleDifferences,
  findHouseRules,
  isInternalNavigation,
  isHouseRulesKey,
  hasNoRules,
  saveFormRulesOrAsk,
  applyRulesToQuery,
} from "../page/house-rules.mjs";
import { SavedController, importFileAndReport } from "../saved/controller.mjs";
import { formatQuery, root, toolUrlOf } from "../shared/urls.mjs";
import { recoverFromMirror, serializeEntriesForPython } from "../saved/store.mjs";
import { Autoplay } from "./autoplay.mjs";
import { RequestQueue, trackPointerPress } from "./request-queue.mjs";
import { insertSheetLinks } from "../page/after-fight-links.mjs";
import { offerToolsForFile, addFileInput, readTextFile } from "../saved/file-import.mjs";
import { detachAndPublishScreen } from "../page/players-screen.mjs";
import { renderLineNumbers } from "./line-numbers.mjs";
import { runAfterAnswerOrIdle } from "../shared/when-idle.mjs";
import { watchNavigationForNewVersion } from "../offline/new-version.mjs";

const TYPING_PAUSE = 150; // ms
const UNDOABLE = 200; // answers
const TAKES_LONG = 1_000; // ms until an answer can be stopped
const PACKED = "packed"; // what stands for all controls in a link; Python unpacks it

class ScratchCalculator extends HTMLElement {
  #line = new RequestQueue(); // what is asked, and what waits until that is answered
  #edits = new Map(); // what the reader has changed in the form since the last press
  #pause = 0; // until what is typed is asked; 0: nothing is
  #playing = null;
  #history = null; // where the form asks for one
  #keeping = null; // where the form asks for it and owns the address
  #stopping = null; // the controller of the request under way
  #failure = ""; // what the last request ended with, until the next
  #stopTimer = 0;
  #figures = new Figures();
  #isUnfinished = false; // whether the answer in the page is one, and more of it is asked for
  #unmount = null;
  #pressed = () => null; // awaited, it is done as soon as no button is held down
  #before = []; // what was answered before, for [data-back]: {query, isOtherEntry}, whether what followed it began another entry
  #title = ""; // the page's own, before an answer is told in it

  get #form() {
    return this.querySelector("form");
  }

  get #body() {
    return this.querySelector(".calculator-body");
  }

  get #toolPage() {
    return toolUrlOf(this);
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
    this.#playing = new Autoplay(this);
    if (this.#form.hasAttribute("data-history")) this.#history = new History(this, this.#toolPage, this.#form.dataset.history);
    if (this.#form.dataset.keep && this.#ownsAddress) {
      const open = (query, how) => this.#open(query, how);
      this.#keeping = new SavedController(this, () => this.#form, open, signal);
    }
    this.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.addEventListener("input", (event) => this.#handleEdit(event.target), { signal });
    this.addEventListener("change", (event) => this.#importFile(event.target), { signal });
    document.addEventListener("keydown", (event) => this.#handleKey(event), { signal });
    this.addEventListener("click", (event) => this.#handleClick(event), { signal });
    this.#pressed = trackPointerPress(this, signal);
    trackStrokes(this, signal, (control, values) => this.#sendStroke(findControl(this.#form, control), values));
    for (const intent of ["pointerenter", "focusin", "touchstart"]) {
      this.addEventListener(intent, () => pythonClient.start(), { signal, passive: true });
    }
    pythonClient.addEventListener("change", () => this.#handleEngineState(), { signal });
    this.#startWhenSeen(signal);
    this.#history?.show();
    this.#updateShareLinks();
    if (this.#ownsAddress) addEventListener("hashchange", () => this.#handleHashChange(), { signal });
    renderLineNumbers(this);
    if (isFramed) showEmbeddingNotice(this);
    if (this.#ownsAddress && !this.#keeping) addFileInput(this);
    this.#begin();
    if (this.#isRules) void recoverFromMirror().then((names) => names?.some((name) => isHouseRulesKey(name)) && this.#begin());
    replaceBeginButton();
    this.dataset.decided = ""; // from here on it says itself what is to be seen
  }

  /** Answer what the address asks for, or what was kept; else the page's own example stands, by the table's rules. */
  #begin(isLoaded = true) {
    const [asked, pressed] = this.#queryFromUrl()?.split("&then&") ?? [null];
    const entry = this.#keeping?.openInitialEntry(asked, isSameQuery);
    if (asked === null && !entry) return this.#renderInitial();
    const isOwn = isLoaded && !entry && isInternalNavigation();
    const ours = isOwn && hasNoRules(asked, this.#form) ? findRuleDifferences(this.#form) : [];
    const query = applyRulesToQuery(asked ?? entry.query, ours) + pressedThere(pressed);
    if (entry) showEntryPlaceholder(this, entry, this.#keeping.entryNouns.one);
    else showLinkPlaceholder(this, this.#form, query, Boolean(this.#keeping));
    this.#open(() => query, { isRestored: Boolean(entry), isExternal: !entry && !isOwn });
  }

  #renderInitial() {
    const ours = this.#ownsAddress && location.href.startsWith(this.#toolPage) ? findRuleDifferences(this.#form) : [];
    if (!ours.length) return this.#handleEngineState();
    if (this.#isRules) showEntryPlaceholder(this, findHouseRules(), "table");
    this.#queueRequest({
      words: "",
      includesForm: true,
      query: (form) => applyRulesToQuery(queryOf(form), ours),
      how: { ask: false, typed: false, isInitial: true },
    });
  }

  /** Whether the table's rules are set here. */
  get #isRules() {
    return this.#form.dataset.house !== undefined && this.#ownsAddress;
  }

  #handleHashChange() {
    if (location.hash.startsWith("#?")) this.#begin(false);
  }

  disconnectedCallback() {
    this.#unmount?.abort();
    this.#unmount = null;
    clearTimeout(this.#pause);
    this.#playing?.stop();
  }

  /** The query in the address: behind the question mark, or behind `#?`, where it is longer; null where it is no query of ours. */
  #queryFromUrl() {
    if (!this.#ownsAddress) return null;
    const queries = [location.hash.startsWith("#?") ? location.hash.slice(2) : "", location.search.slice(1)];
    const isMine = (query) => [...new URLSearchParams(query).keys()].some((name) => name === PACKED || findControl(this.#form, name));
    return queries.find(isMine) ?? null;
  }

  #startWhenSeen(signal) {
    if (navigator.connection?.saveData) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        pythonClient.start();
      }
    });
    observer.observe(this);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Ask for what a link or a kept entry holds; `query` gives it when its turn has come. */
  #open(query, how) {
    this.#queueRequest({ words: "Open", isOpening: true, query, how: { ask: false, typed: false, ...how } });
  }

  #submit(event) {
    event.preventDefault();
    const { submitter } = event;
    const { name = "", value = "" } = submitter ?? {};
    const newEntry = submitter?.dataset.beside;
    fold(submitter?.closest("details[data-folds]"));
    const query = (form) => {
      const button = submitter && findSameButton(form, name, value);
      const called = newEntry === "along" ? (this.#keeping?.nextNameParam ?? "") : "";
      return button === undefined ? null : queryOf(form, button) + handedOver(button) + called;
    };
    const how = { ask: true, typed: true, overridden: name, newEntry };
    this.#queueRequest({ words: labelOf(submitter), pressed: submitter, includesForm: true, query, how });
  }

  #handleEdit(control) {
    if (control.form !== this.#form || !control.name || control.type === "file") return;
    this.#edits.set(control.name, stateOf(control));
    if (!control.closest("[data-live]")) return;
    clearTimeout(this.#pause);
    const pause = control.type === "range" && !this.#line.underWay ? 0 : TYPING_PAUSE;
    this.#pause = setTimeout(() => this.#queueTypingRequest(), pause);
  }

  #queueTypingRequest() {
    this.#pause = 0;
    this.#queueRequest({ words: "", includesForm: true, isTyping: true, query: queryOf, how: { ask: false, typed: true } });
  }

  /** Put what was gathered behind what waits to be asked, so that nothing gets lost between two answers. */
  #sendStroke(control, values) {
    const { name } = control;
    const isUnasked = this.#line.gathers(name) || this.#failure;
    control.value = [isUnasked && control.value, values].filter(Boolean).join("; ");
    for (const place of this.querySelectorAll(`[data-shows="${name}"]`)) place.textContent = control.value;
    this.#edits.set(name, control.value);
    this.#queueRequest({
      words: values,
      includesForm: true,
      gathers: name,
      query: (form) => queryOf(form),
      how: { ask: false, typed: true },
    });
  }

  /** Ask for something, or put it behind what waits. What is typed and not asked yet goes along, or before what leaves the form. */
  #queueRequest(one) {
    const isTypedBefore = this.#pause && !one.includesForm;
    clearTimeout(this.#pause);
    this.#pause = 0;
    if (isTypedBefore) this.#queueTypingRequest();
    if (!one.isTyping) one.edits = this.#collectEdits();
    if (!this.#line.underWay) this.#clearRejection();
    const failed = this.#failure ? this.#line.underWay : null;
    if (failed && isGivenUpFor(failed, one)) this.#rejectWaiting("an earlier request failed");
    this.#line.add(one);
    if (!this.#line.underWay) this.#sendNextRequest(this.#form);
    else if (failed) void this.#sendRequest(failed);
  }

  #collectEdits() {
    const edits = this.#edits;
    this.#edits = new Map();
    return edits;
  }

  /** Ask for what waits next, in the form of the last answer; what makes no sense there any more is refused. */
  #sendNextRequest(form) {
    for (let one = this.#line.next(); one; one = this.#line.next()) {
      one.edits ??= this.#collectEdits();
      if (form !== this.#form) restoreTypedValues(form.ownerDocument, one.edits);
      const begun = begunBy(form, one);
      if (begun) one.how.newEntry = true;
      const query = one.query(form);
      if (query !== null) return void this.#sendRequest({ ...one, query: query + begun, states: statesOf(form) });
      this.#showRejection(one.words, "it is no longer available");
    }
  }

  /** Ask for nothing any more, and say so of what waits: what is under way has its own words. */
  #rejectWaiting(why) {
    const { underWay } = this.#line;
    for (const one of this.#line.clear()) if (one !== underWay) this.#showRejection(one.words, why);
  }

  #showRejection(words, why) {
    const told = words ? `“${words}” wasn't done because ${why}. ` : "";
    this.querySelector(".calculator-refused span").textContent += told;
    if (told) this.querySelector(".calculator-announcement").textContent += ` ${told}`;
  }

  #clearRejection() {
    this.querySelector(".calculator-refused span").textContent = "";
  }

  async #sendRequest(one) {
    this.#line.underWay = one;
    const { query, how } = one;
    this.#failure = "";
    this.#isUnfinished = Boolean(how.isContinuation);
    this.#stopping ??= new AbortController();
    this.#offerStop();
    this.#showState(pythonClient.state === "ready" ? "working" : "starting", pythonClient.message);
    const request = { name: this.getAttribute("name"), query, ask: how.ask, uid: this.getAttribute("uid"), root };
    try {
      const answer = JSON.parse(await pythonClient.ask(JSON.stringify(request), this.#stopping.signal));
      await this.#pressed();
      if (one !== this.#line.underWay || !this.isConnected) return;
      this.#stopping = null;
      this.#handleAnswer(answer, one);
    } catch (error) {
      await this.#pressed();
      if (one !== this.#line.underWay) return;
      this.#failure = error.message;
      this.#showState("failed", error.message);
    }
  }

  /** Show an answer, and ask what waits for it; else for more of it, where it is unfinished. */
  #handleAnswer(answer, one) {
    const { how } = one;
    const form = this.#line.isWaiting ? formOf(answer.html, one) : null;
    const places = captureScrollAnchors(this, one.pressed);
    const destination = destinationOf(one.pressed); // before the answer replaces it
    this.#apply(answer, one);
    if (form) this.#sendNextRequest(form);
    else this.#line.underWay = null;
    if (!this.#line.underWay && answer.unfinished) {
      const more = { ask: how.ask, typed: true, isContinuation: true };
      void this.#sendRequest({ query: answer.query, states: statesOf(this.#form), how: more, isContinuation: true, pressed: one.pressed });
    } else if (!this.#line.underWay) {
      this.#isUnfinished = false;
      this.#showState("ready");
    }
    applyFocusAndScroll(this, how, places, destination); // may lay the page out, so it comes last
  }

  #offerStop() {
    clearTimeout(this.#stopTimer);
    if (this.#isUnfinished) return;
    this.querySelector("[data-stop]").hidden = true;
    this.#stopTimer = setTimeout(() => {
      this.querySelector("[data-stop]").hidden = this.dataset.state !== "working";
    }, TAKES_LONG);
  }

  /** Give the request under way up: all is as it was before it. */
  #stop() {
    if (this.#isUnfinished) return this.#stopPolling();
    const { underWay } = this.#line;
    this.#stopping?.abort();
    this.#stopping = null;
    this.#rejectWaiting("an earlier request was stopped");
    if (underWay?.gathers) findControl(this.#form, underWay.gathers).value = "";
    if (underWay?.isOpening) {
      this.#line.underWay = underWay;
      this.#failure = "Stopped before opening.";
      return this.#showState("failed", this.#failure);
    }
    this.#showState(pythonClient.state);
    this.querySelector(".calculator-announcement").textContent = "Stopped. Nothing has changed.";
  }

  /** Ask for no more of an unfinished answer: what is in the page stands. */
  #stopPolling() {
    this.#line.clear();
    this.#stopping = null;
    this.#isUnfinished = false;
    this.#figures.release(this.#body);
    this.#showState(pythonClient.state);
    this.querySelector(".calculator-announcement").textContent = "Stopped. The results so far are shown.";
  }

  #apply({ html, query, summary, unfinished = false }, { how }) {
    const { ask, typed, isUndo = false, isContinuation = false, isInitial = false, isRestored = false, newEntry } = how;
    const template = document.createElement("template");
    template.innerHTML = html;
    detachAndPublishScreen(template.content);
    this.#figures.hold(this.#body, template.content);
    const keptRules = "whatIf" in this.#form.dataset;
    restoreTypedValues(template.content, new Map([...this.#line.edits, ...this.#edits]), statesOf(this.#form), (control) =>
      isKept(control, how),
    );
    removePlaceholder(this);
    Idiomorph.morph(this.#body, [...template.content.childNodes], {
      morphStyle: "innerHTML",
      callbacks: {
        beforeAttributeUpdated: (name, node, how) =>
          !(name === "open" && node instanceof HTMLDetailsElement && !(how === "update" && "opens" in node.dataset)) &&
          !(name === "data-passed" || name === "data-gathering") &&
          !(name === "aria-pressed" && node.hasAttribute("data-every")),
        beforeNodeRemoved: (node) => !(isContinuation && node instanceof Element && node.hasAttribute("data-added")), // it was told once
      },
    });
    const { isOtherEntry = false } = (isUndo && this.#before.pop()) || {};
    if (isRestored) this.#before = []; // an entry that is opened has its own, and writes over no other
    if ((typed || how.isRulesChange) && this.dataset.query !== query) {
      this.#before = [...this.#before, { query: this.dataset.query, isOtherEntry: Boolean(newEntry) }].slice(-UNDOABLE);
    }
    this.dataset.query = query;
    for (const button of this.querySelectorAll("[data-back]")) button.disabled = !this.#before.length;
    this.#updateShareLinks();
    insertSheetLinks(this);
    if (!isContinuation && !isInitial) this.#keeping?.saveOrRejectAnswer(query, summary, { ...how, isOtherEntry });
    const isAnew = keptRules && !("whatIf" in this.#form.dataset);
    if (!isContinuation) this.#offerHouseRules(summary, how, isAnew);
    const address = this.#addressed(query);
    const isMoved = location.search + location.hash !== address; // Safari counts each change, of whatever kind
    if (this.#ownsAddress && location.href.startsWith(this.#toolPage)) {
      if (isMoved && !isInitial) history.replaceState(history.state, "", location.pathname + address);
      this.#updateTitle(address && !isInitial && summary);
    }
    const isKnown = !unfinished && !isPending(this.#body);
    if (ask && summary && isKnown) this.#history?.add(query, summary);
    if (isKnown || (ask && !isContinuation)) this.querySelector(".calculator-announcement").textContent = summary;
    renderLineNumbers(this);
  }

  /** What the table's rules are to an answer: where one is set up after one that kept its rules, they are asked about
   *  anew, whatever was left as it is. */
  #offerHouseRules(summary, how, isAnew) {
    if (this.#isRules) saveFormRulesOrAsk(this, this.#form, summary, how);
    else if (!how.isRestored && !how.isExternal && !isAnew) return;
    else
      offerHouseRules(this, this.#form, `${this.#keeping?.openId ?? this.dataset.query}${isAnew ? " anew" : ""}`, (pairs) => {
        this.#open(() => applyRulesToQuery(this.dataset.query, pairs), { isRulesChange: true });
      });
  }

  /** The window's title tells the answer that the address holds: in other words where it has `data-title`. */
  #updateTitle(summary) {
    this.#title ||= document.title;
    const told = summary && (this.querySelector("[data-answer]")?.dataset.title || summary).replace(/\.$/, "");
    document.title = told ? `${isolateRightToLeft(told)} — ${this.#title.split(" - ")[0]}` : this.#title;
  }

  // ---- what is shown around the answer: state and failure

  #addStatus() {
    if (this.querySelector(".calculator-status")) return;
    this.insertAdjacentHTML(
      "beforeend",
      '<p class="calculator-announcement" role="status"></p>' +
        '<p class="calculator-refused" aria-hidden="true"><span></span></p>' +
        '<p class="calculator-status" hidden><span></span> ' +
        '<button type="button" class="secondary" data-retry>Try again</button><button type="button" data-stop hidden>Stop</button></p>',
    );
  }

  #handleEngineState() {
    if (this.#failure) this.#showState("failed", this.#failure);
    else if (this.#line.underWay && pythonClient.state !== "failed") {
      this.#showState(pythonClient.state === "ready" ? "working" : "starting", pythonClient.message);
    } else if (!this.#line.underWay && pythonClient.state !== "idle") {
      this.#showState(pythonClient.state, pythonClient.message);
    }
  }

  #showState(state, message = "") {
    this.dataset.state = state;
    const busy = state === "starting" || state === "working";
    const isStale = Boolean(this.#line.underWay) && !this.#isUnfinished;
    this.#body.toggleAttribute("aria-busy", busy && Boolean(this.#line.underWay));
    if (this.hasAttribute("stale") !== isStale) this.toggleAttribute("stale", isStale);
    const status = this.querySelector(".calculator-status");
    status.hidden = !(state === "failed" || (busy && this.#line.underWay));
    status.querySelector("[data-retry]").hidden = state !== "failed" || Boolean(pythonClient.isUnsupported);
    if (state !== "working") status.querySelector("[data-stop]").hidden = true;
    else if (this.#isUnfinished) status.querySelector("[data-stop]").hidden = false;
    const words = status.querySelector("span");
    const isHeld = this.querySelector("[data-held]") !== null;
    const far = isHeld ? "Still working. The numbers are from the last answer." : "Still working. The range will narrow.";
    const working = this.#isUnfinished ? far : "Calculating …";
    words.textContent = message || (state === "working" ? working : "");
    words.setAttribute("role", state === "failed" ? "alert" : "presentation");
  }

  #handleClick(event) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const shared = event.target.closest('a[data-share=""]');
    if (shared && isPlain) return this.#copyLink(event, shared);
    const link = event.target.closest('a[href^="?"]');
    if (link && isPlain) return this.#followLink(event, link);
    const fold = event.target.closest("summary");
    if (fold) holdScrollPosition(fold);
    const button = event.target.closest("button");
    if (!button) return;
    if (button.hasAttribute("data-retry")) this.#retry();
    else if (button.matches("[data-stop], [data-rests]")) this.#stop();
    else if (button.hasAttribute("data-copy")) void this.#copyText(button);
    else if (button.hasAttribute("data-share")) void this.#share(button);
    else if (button.dataset.add) this.#sendStroke(findControl(this.#form, button.dataset.control), button.dataset.add);
    else if (button.hasAttribute("data-step")) stepValue(findControl(this.#form, button.dataset.control), Number(button.dataset.step));
    else if (button.hasAttribute("data-download")) this.#downloadText(button);
    else if (button.hasAttribute("data-every")) this.#playing.press(button);
    else if (button.hasAttribute("data-forget")) this.#history?.forget();
    else if (button.hasAttribute("data-back")) this.#undo();
    else if (button.hasAttribute("data-print")) print();
  }

  async #share(button) {
    const url = button.dataset.share || this.#address(this.dataset.query);
    await shareUrl(button, await shortenLink(url, button.dataset.title || this.#form.dataset.keptName));
  }

  async #copyText(button) {
    const { copy: text, copyLink: link } = button.dataset;
    await copyText(button, link ? `${text} ${await shortenLink(link)}` : text);
  }

  async #copyLink(event, link) {
    event.preventDefault();
    event.stopPropagation();
    await copyText(link, await shortenLink(link.href, this.#form.dataset.keptName));
  }

  // For the theme's navigation a link to the page where it stands leads nowhere: what such a link asks is answered here.
  #followLink(event, link) {
    event.preventDefault();
    event.stopPropagation();
    const href = link.getAttribute("href");
    const isThere = (form) => form === this.#form || form.ownerDocument.querySelector(`a[href="${CSS.escape(href)}"]`);
    const query = (form) => (isThere(form) ? href.slice(1) : null);
    this.#queueRequest({ words: labelOf(link), pressed: link, isOpening: true, query, how: { ask: false, typed: false } });
  }

  #handleKey(event) {
    const inside = this.contains(event.target) || (event.target === document.body && this.#ownsAddress);
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isHeldDown = event.repeat && Boolean(this.#line.underWay); // and is one press, until that is answered
    if (isHeldDown && inside && event.key === "Enter" && !event.target.closest("textarea")) return event.preventDefault();
    const isTyped = event.key !== "Escape" && event.target.closest("input:not([type=range]), textarea, select");
    if (!inside || !plain || isTyped) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    const button = this.querySelector(`:is(button, input)[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!button.disabled && !isHeldDown) button.click();
  }

  #downloadText({ dataset }) {
    downloadFile(dataset.download, dataset.of ? this.querySelector(`[name="${CSS.escape(dataset.of)}"]`).value : dataset.text);
  }

  #undo() {
    const query = () => this.#before.at(-1)?.query ?? null;
    this.#queueRequest({ words: "Undo", query, how: { ask: false, typed: false, isUndo: true } });
  }

  async #importFile(input) {
    const [file] = (input.type === "file" && input.files) || [];
    if (!file) return;
    const text = await readTextFile(this, file);
    input.value = "";
    if (text === null || (this.#keeping ? this.#keeping.importFileText(text) : importFileAndReport(this, text))) return;
    if (await offerToolsForFile(this, text)) return;
    const into = input.dataset.into ?? this.#form.dataset.fileInto;
    this.#askWith(into, text);
  }

  /** Ask with a text in a control; in an answer without that control, with nothing but the text. */
  #askWith(name, text) {
    const query = (form) => {
      const control = findControl(form, name);
      if (!control) return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      control.value = text;
      return [queryOf(form), form.dataset.fileBegins].filter(Boolean).join("&");
    };
    const typed = Boolean(findControl(this.#form, name));
    this.#queueRequest({ words: "Import file", includesForm: true, query, how: { ask: false, typed, newEntry: true, isExternal: true } });
  }

  #retry() {
    pythonClient.retry();
    if (this.#line.underWay) void this.#sendRequest(this.#line.underWay);
  }

  #updateShareLinks() {
    for (const link of this.querySelectorAll("a[data-share]")) {
      const { search, hash } = new URL(link.href, location.href);
      const query = hash.startsWith("#?") ? hash.slice(2) : search.slice(1);
      link.href = query.includes(`${PACKED}=`) ? toolUrlOf(this) + hash : this.#address(query);
    }
    for (const button of this.querySelectorAll('button[data-share^="#?"]')) {
      button.dataset.share = toolUrlOf(this) + button.dataset.share;
    }
  }

  #address(query) {
    return this.#toolPage + (this.#addressed(query) || `#?${query}`);
  }

  /** A query as the address has it: what is kept is the reader's own, and no server sees it. */
  #addressed(query) {
    return formatQuery(query, Boolean(this.#form.dataset.keep));
  }
}

/** Whether what failed is given up when somebody presses on: an opening for another one alone, for the page shows nothing
 *  without it; anything else unless Python is not there, for then it may have failed for that. */
function isGivenUpFor(failed, one) {
  return failed.isOpening ? one.isOpening : pythonClient.state !== "failed";
}

/** Whether a control of the answer keeps what stands in the form: the answer does not set it anew. */
function isKept(control, { typed, overridden, isContinuation = false }) {
  return typed && (isContinuation || (control.name !== overridden && !control.hasAttribute("data-fresh")));
}

/** What an address has pressed in what it opens, behind `&then&`; `hands=fight/1` sends along what is kept of that kind. */
const pressedThere = (pressed) =>
  pressed
    ? `&${pressed.replace(/\bhands=([\w/]+)/, (_, version) => `kept=${encodeURIComponent(serializeEntriesForPython(version))}`)}`
    : "";

/** What typing sends along where it begins an entry of its own, `&start=sheet`. */
function begunBy(form, { isTyping, edits }) {
  const begins = (name) => findControl(form, name)?.closest("[data-begins]")?.dataset.begins;
  const pair = isTyping && [...edits.keys()].map(begins).find(Boolean);
  return pair ? `&${pair}` : "";
}

/** The form of an answer as it came, with what stood there when it was asked for: what waits is asked on it. */
function formOf(html, { states, how }) {
  const page = new DOMParser().parseFromString(html, "text/html");
  restoreTypedValues(page, new Map(), states, (control) => isKept(control, how));
  return page.querySelector("form");
}

/** What a button with data-hands sends along: what is kept of that kind, for this one answer. */
function handedOver(button) {
  const version = button?.dataset.hands;
  return version ? `&kept=${encodeURIComponent(serializeEntriesForPython(version))}` : "";
}

function fold(details) {
  if (!details) return;
  details.open = false;
  details.querySelector("summary").focus();
}

customElements.define("scratch-calculator", ScratchCalculator);
watchNavigationForNewVersion();
runAfterAnswerOrIdle(() => import("../offline/register.mjs").catch(() => {})); // without it the site is not kept for later, no more
