// Runs in each page of the crawl before the page's own scripts: see crawl.py.
(() => {
  const PRESSABLE = "button, summary, a[href^='?'], input[type=checkbox], input[type=radio], [data-stroke-control]";
  const TAKES_AWAY = "[value=dismiss]"; // its result is a removed element
  const { postMessage } = Worker.prototype;
  const held = [];
  const inTask = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => port1.close() ?? act();
    port2.postMessage(null);
  };
  let refusals = "";
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.matches?.(".calculator-refused span")) refusals += target.textContent;
  }).observe(document, { subtree: true, childList: true });
  const answers = new Map(); // by request: a repeated request gets its first answer, as a complete one
  const asFinished = (result) => JSON.stringify({ ...JSON.parse(result), unfinished: false });
  const crawl = (window.crawl = { posted: [], isHolding: false, clicked: null, results: 0 });
  window.print = () => {};
  Worker.prototype.postMessage = function (message, ...more) {
    const { id, request } = message;
    const send = () => {
      const answer = { data: { id, result: answers.get(request) } };
      if (answer.data.result) return inTask(() => this.dispatchEvent(new MessageEvent("message", answer)));
      const storeAnswer = ({ data }) => {
        if (data.id !== id || !data.result) return;
        answers.set(request, asFinished(data.result));
        this.removeEventListener("message", storeAnswer);
      };
      if (request) this.addEventListener("message", storeAnswer);
      postMessage.call(this, message, ...more);
    };
    if (message.request) crawl.posted.push(JSON.parse(message.request));
    if (crawl.isHolding && (message.request || message.type === "start")) held.push(send);
    else send();
  };
  crawl.holdRequests = () => (crawl.isHolding = true);
  crawl.releaseOne = () => held.shift()?.();
  crawl.releaseAll = () => {
    crawl.isHolding = false;
    while (held.length) crawl.releaseOne();
  };
  const host = () => document.querySelector("scratch-calculator");
  const frame = () => new Promise((done) => requestAnimationFrame(() => inTask(done)));
  crawl.waitForFrame = frame;
  /** Whether lost entries are recovered, and the first answer is saved. */
  const isRecovered = () => !host().querySelector("form[data-saved-as]") || host().dataset.recovered === "";
  const isIdle = () =>
    host().dataset.decided === "" &&
    !host().matches("[stale], [data-unsent]") &&
    !["starting", "prerendered"].includes(host().dataset.state) &&
    isRecovered();
  crawl.waitUntilIdle = async () => {
    const until = performance.now() + window.scratchPatience;
    for (let wasIdle = false; !wasIdle; ) {
      wasIdle = isIdle();
      await frame();
      wasIdle &&= isIdle(); // it is idle for less than a frame between two answers
      if (performance.now() < until) continue;
      const status = host().querySelector(".calculator-status").textContent;
      throw new Error(`never settled: ${host().dataset.state}, ${held.length} held, ${status}`);
    }
  };
  const nameOf = (each) => {
    const copy = each.cloneNode(true);
    copy.querySelectorAll("[aria-hidden=true]").forEach((silent) => silent.remove());
    return (copy.getAttribute("aria-label") ?? copy.textContent).replace(/\s+/g, " ").trim();
  };
  const all = () => [...host().querySelectorAll(PRESSABLE)];
  const kindOf = (each) => {
    if (each.matches("[data-stroke-control]")) return "drawing";
    if (each.matches("a")) return "link";
    if (each.matches("summary")) return "fold";
    if (each.matches("input")) return each.type;
    if (each.hasAttribute("data-back")) return "back";
    if (each.hasAttribute("data-add")) return each.type === "submit" ? "submit" : "add";
    if (each.hasAttribute("data-step")) return "step";
    if (each.type === "submit") return "submit";
    return Object.keys(each.dataset)[0] ?? "button";
  };
  /** Reset the calculator as if its page was opened with a query, and list its pressable elements. */
  crawl.openState = async (query) => {
    crawl.pristine ??= {};
    const name = host().getAttribute("name");
    crawl.pristine[name] ??= host().outerHTML.replace(/ data-(decided|recovered)=""/g, "");
    crawl.releaseAll();
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) {
      const gone = indexedDB.deleteDatabase(name);
      await new Promise((done) => (gone.onsuccess = gone.onblocked = done)); // an open one is deleted with its page
    }
    for (const open of document.querySelectorAll(":popover-open")) open.hidePopover(); // opened by the last press
    history.replaceState(history.state, "", location.pathname + (query ? `#?${query}` : ""));
    const template = document.createElement("template");
    template.innerHTML = crawl.pristine[name];
    for (const part of template.content.firstElementChild.querySelectorAll(":scope > :not(.calculator-body)")) part.remove();
    host().replaceWith(template.content.firstElementChild);
    await crawl.waitUntilIdle();
    refusals = "";
    scrollTo(0, 0);
    return crawl.listPressables();
  };
  crawl.listPressables = () =>
    all().map((each, at) => {
      const isHidden = each.closest("[hidden]") || each.disabled || each.closest(".calculator-status, .calculator-refused");
      return {
        at,
        kind: kindOf(each),
        words: nameOf(each),
        name: each.name ?? "",
        value: each.value ?? "",
        look: each.className + Object.keys(each.dataset),
        isHidden: Boolean(isHidden),
      };
    });
  const own = (each) => {
    const texts = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(({ data }) => data);
    return texts.join(" ").replace(/\s+/g, " ").trim();
  };
  /** List the elements with visible text, except for the effect of one more level and the note about saving, which appear
   *  without a press. */
  const written = () =>
    [...host().querySelectorAll(".calculator-body *, .calculator-notice *")].filter(
      (each) =>
        own(each) &&
        !each.closest("option, svg, .u-aloud, .builder__gain, .is-saved") &&
        each.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
  /** Whether the beginning of a text is on the screen and uncovered. */
  const isRead = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const boxes = each.matches("textarea") ? each.getClientRects() : range.getClientRects();
    const line = [...boxes].find(({ width }) => width);
    const over = line && document.elementFromPoint(line.left + Math.min(line.width / 2, 20), line.top + line.height / 2);
    return Boolean(over) && (each.contains(over) || over.contains(each));
  };
  /** Return the state that marks an element or its row as selected: a toggle shows its own result. */
  const markOf = (each) => `${each.getAttribute("aria-pressed")} ${each.closest("[aria-current]")?.getAttribute("aria-current")}`;
  /** Return the part of the answer that the press scrolls into view, or the button that opened what it closes, or null. */
  const broughtPart = () => {
    const { returns } = crawl.before;
    if (returns) return host().querySelector(`button[name="${crawl.pressed.name}"][value="${CSS.escape(returns)}"]`);
    const selector = crawl.pressed.closest("[data-into-view]")?.dataset.intoView;
    return crawl.pressed.type === "submit" && selector ? host().querySelector(selector) : null;
  };
  /** Count the elements with each text. */
  const counted = () => written().reduce((counts, each) => counts.set(own(each), (counts.get(own(each)) ?? 0) + 1), new Map());
  /** Return the first text of a result that is out of view, errors first; "" if a part of it is visible. */
  const unseen = () => {
    const counts = counted();
    const isNew = (text) => counts.get(text) > (crawl.before.counts.get(text) ?? 0);
    const fresh = written().filter((each) => isNew(own(each)) && !crawl.pressed.contains(each));
    const wrong = fresh.filter((each) => each.closest(".problem-error")).map(own);
    const brought = broughtPart();
    const result = wrong.length ? fresh.filter((each) => wrong.some((words) => own(each).includes(words))) : brought ? [brought] : fresh;
    const isAsked = ["submit", "link"].includes(kindOf(crawl.pressed)) && !crawl.pressed.closest(".stepper"); // a stepper shows its number
    if (!fresh.length || !(wrong.length || isAsked) || crawl.pressed.matches(TAKES_AWAY)) return "";
    crawl.results += 1;
    const isMarked = !wrong.length && !brought && markOf(crawl.pressed) !== crawl.before.mark && isInView(crawl.pressed);
    return isMarked || result.some(isRead) ? "" : nameOf(result[0]) || result[0].className;
  };
  const isSeen = (each) =>
    each?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    each.getBoundingClientRect().width > 2 &&
    getComputedStyle(each).clipPath !== "inset(50%)"; // visible only with keyboard focus
  /** Whether an element keeps its position, and no pending answer could move it. */
  const isSteady = async (target) => {
    const { top, left } = target.getBoundingClientRect();
    await frame();
    const after = target.getBoundingClientRect();
    return after.top === top && after.left === left && (crawl.isHolding || host().dataset.state === "ready");
  };
  /** Scroll an element of the list into view until nothing moves it; return where to press, or null if it can't be
   *  pressed. */
  crawl.prepare = async (one) => {
    for (const until = performance.now() + window.scratchPatience; ; ) {
      const place = await aimedAt(one);
      if (!place?.isCovered || performance.now() > until || (await isSteady(crawl.target))) return place;
    }
  };
  /** Find the element again: an unfinished answer may have changed its index since it was listed. */
  const aimedAt = async ({ at, words, name, value }) => {
    const isIt = (each) => each && nameOf(each) === words && (each.name ?? "") === name && (each.value ?? "") === value;
    const now = all();
    const one = isIt(now[at]) ? now[at] : now.find(isIt);
    if (!one || one.disabled) return null;
    for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (fold !== one.parentElement || !one.matches("summary")) fold.open = true;
    }
    const parts = one.matches("[data-stroke-control]")
      ? [one.querySelector(`[data-${one.dataset.parts}]`)]
      : [one.closest("label") ?? one.labels?.[0], one];
    const target = parts.find(isSeen);
    if (!target) return null;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    await frame();
    const box = target.getClientRects()[0];
    if (!box) return null; // an answer has removed it
    const [x, y] = [box.left + Math.min(box.width / 2, 300), box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const sheet = hit?.closest(".chooser, .explainer"); // it has a close button, and may cover what is below it
    if (sheet && !sheet.contains(one)) return null;
    crawl.pressed = one;
    crawl.target = target;
    crawl.before = {
      words: nameOf(one),
      mark: markOf(one),
      top: target.getBoundingClientRect().top,
      left: box.left,
      scroll: scrollY,
      posted: crawl.posted.length,
      counts: counted(),
      returns: one.dataset.returnFocusTo,
    };
    crawl.clicked = crawl.isHit = false;
    addEventListener("pointerdown", ({ target: got }) => (crawl.isHit ||= one.contains(got) || target.contains(got)), {
      capture: true,
      once: true,
    });
    addEventListener("click", ({ target: got }) => (crawl.clicked ||= one.contains(got) || target.contains(got)), {
      capture: true,
      once: true,
    });
    return { x, y, isCovered: !(target.contains(hit) || hit?.contains(target)), over: hit?.outerHTML.slice(0, 100) };
  };
  crawl.measureMovement = () => {
    const box = crawl.target.getClientRects()[0];
    return box ? Math.hypot(box.left - crawl.before.left, box.top - crawl.before.top) : 1e9;
  };
  const isInView = (each) => {
    if (!each?.isConnected || !each.checkVisibility()) return false;
    const box = each.getBoundingClientRect();
    const top = document.querySelector(".md-header").getBoundingClientRect().bottom;
    return box.bottom > top && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  };
  /** List the faults after a press without others waiting. */
  crawl.listFaults = () => {
    const focus = document.activeElement;
    const brought = broughtPart();
    const isBrought = brought !== null && isInView(brought); // the page may have scrolled to it, away from the focus
    const isAsked = focus.hasAttribute("data-focus") || Boolean(focus.closest(".calculator-notice") || isBrought);
    const found = [];
    const isWithin = host().contains(focus) || Boolean(focus.closest(".explainer")); // it shows explanations
    const isThere = crawl.pressed.isConnected && nameOf(crawl.pressed) === crawl.before.words;
    if (!isBrought && !isInView(isThere ? crawl.target : null) && !(isWithin && isInView(focus)))
      found.push("neither it nor its answer is in view");
    if (!isWithin) found.push(`the focus is on ${focus.tagName}`);
    else if (!isBrought && !isInView(focus)) found.push(`the focus is out of view: ${focus.outerHTML.slice(0, 80)}`);
    const result = unseen();
    if (result) found.push(`its result is not seen: ${result.slice(0, 80)}`);
    const moved = isThere && crawl.target.checkVisibility() ? crawl.target.getBoundingClientRect().top - crawl.before.top : 0;
    const isShort = document.documentElement.scrollHeight - innerHeight < crawl.before.scroll; // such a page has to scroll
    const isSheet = Boolean(crawl.pressed.closest(".chooser, [data-pull-sheet]")); // it opens upwards
    if (!isAsked && !isShort && !isSheet && Math.abs(moved) > 25) found.push(`moved by ${Math.round(moved)} px`);
    return found;
  };
  /** Return every refusal since the reset: the next press may clear one at once. */
  crawl.readRefusals = () => refusals;
})();
