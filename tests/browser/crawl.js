// What a page of the crawl has before its own scripts: see crawl.py.
(() => {
  const PRESSABLE = "button, summary, a[href^='?'], input[type=checkbox], input[type=radio], [data-gather]";
  const TAKES_AWAY = "[value=dismiss]"; // its result is that nothing is there any more
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
  const answers = new Map(); // to requests that were asked before: the same is not worked out twice, nor more of it
  const asFinished = (result) => JSON.stringify({ ...JSON.parse(result), unfinished: false });
  const crawl = (window.crawl = { posted: [], isHolding: false, clicked: null, results: 0 });
  window.print = () => {};
  Worker.prototype.postMessage = function (message, ...more) {
    const { id, request } = message;
    const send = () => {
      const answer = { data: { id, result: answers.get(request) } };
      if (answer.data.result) return inTask(() => this.dispatchEvent(new MessageEvent("message", answer)));
      const heard = ({ data }) => {
        if (data.id !== id || !data.result) return;
        answers.set(request, asFinished(data.result));
        this.removeEventListener("message", heard);
      };
      if (request) this.addEventListener("message", heard);
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
  const isIdle = () =>
    host().dataset.decided === "" && !host().hasAttribute("stale") && !["starting", "prerendered"].includes(host().dataset.state);
  crawl.waitUntilIdle = async () => {
    const until = performance.now() + window.scratchPatience;
    for (let wasIdle = false; !wasIdle; ) {
      wasIdle = isIdle();
      await frame();
      wasIdle &&= isIdle(); // between two answers it is idle for less than a frame
      if (performance.now() < until) continue;
      const told = host().querySelector(".calculator-status").textContent;
      throw new Error(`never settled: ${host().dataset.state}, ${held.length} held, ${told}`);
    }
  };
  const said = (each) => {
    const copy = each.cloneNode(true);
    copy.querySelectorAll("[aria-hidden=true]").forEach((silent) => silent.remove());
    return (copy.getAttribute("aria-label") ?? copy.textContent).replace(/\s+/g, " ").trim();
  };
  const all = () => [...host().querySelectorAll(PRESSABLE)];
  const kindOf = (each) => {
    if (each.matches("[data-gather]")) return "drawing";
    if (each.matches("a")) return "link";
    if (each.matches("summary")) return "fold";
    if (each.matches("input")) return each.type;
    if (each.hasAttribute("data-back")) return "back";
    if (each.hasAttribute("data-add")) return each.type === "submit" ? "submit" : "add";
    if (each.hasAttribute("data-step")) return "step";
    if (each.type === "submit") return "submit";
    return Object.keys(each.dataset)[0] ?? "button";
  };
  /** A calculator as if its page had just been opened with a query; gives what can be pressed. */
  crawl.openState = async (query) => {
    crawl.pristine ??= {};
    const name = host().getAttribute("name");
    crawl.pristine[name] ??= host().outerHTML.replace(/ data-decided=""/, "");
    crawl.releaseAll();
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) {
      const gone = indexedDB.deleteDatabase(name);
      await new Promise((done) => (gone.onsuccess = gone.onblocked = done)); // one that is open is gone with its page
    }
    for (const open of document.querySelectorAll(":popover-open")) open.hidePopover(); // the last press's
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
        words: said(each),
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
  /** What is written in the calculator and is shown; what one more level gives comes with the pointer, and that it is kept
   *  by itself. */
  const written = () =>
    [...host().querySelectorAll(".calculator-body *, .calculator-notice *")].filter(
      (each) =>
        own(each) &&
        !each.closest("option, svg, .aloud, .gain, .is-kept") &&
        each.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
  /** Whether the beginning of a text is on the screen, with nothing over it. */
  const isRead = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const boxes = each.matches("textarea") ? each.getClientRects() : range.getClientRects();
    const line = [...boxes].find(({ width }) => width);
    const over = line && document.elementFromPoint(line.left + Math.min(line.width / 2, 20), line.top + line.height / 2);
    return Boolean(over) && (each.contains(over) || over.contains(each));
  };
  /** What marks an element, or the row it is in, as chosen: a toggle's press shows in the toggle itself. */
  const markOf = (each) => `${each.getAttribute("aria-pressed")} ${each.closest("[aria-current]")?.getAttribute("aria-current")}`;
  /** The part of the answer that the press brings into view, or the button that opened what it closes; null for none. */
  const broughtPart = () => {
    const { returns } = crawl.before;
    if (returns) return host().querySelector(`button[name="${crawl.pressed.name}"][value="${CSS.escape(returns)}"]`);
    const selector = crawl.pressed.closest("[data-into-view]")?.dataset.intoView;
    return crawl.pressed.type === "submit" && selector ? host().querySelector(selector) : null;
  };
  /** How often each text is written. */
  const counted = () => written().reduce((counts, each) => counts.set(own(each), (counts.get(own(each)) ?? 0) + 1), new Map());
  /** The first words of what a press has brought, where nothing of it is seen, or not what is wrong; else "". */
  const unseen = () => {
    const counts = counted();
    const isNew = (text) => counts.get(text) > (crawl.before.counts.get(text) ?? 0);
    const fresh = written().filter((each) => isNew(own(each)) && !crawl.pressed.contains(each));
    const wrong = fresh.filter((each) => each.closest(".problem-error")).map(own);
    const brought = broughtPart();
    const result = wrong.length ? fresh.filter((each) => wrong.some((words) => own(each).includes(words))) : brought ? [brought] : fresh;
    const isAsked = ["submit", "link"].includes(kindOf(crawl.pressed)) && !crawl.pressed.closest(".stepper"); // that has its number
    if (!fresh.length || !(wrong.length || isAsked) || crawl.pressed.matches(TAKES_AWAY)) return "";
    crawl.results += 1;
    const isMarked = !wrong.length && !brought && markOf(crawl.pressed) !== crawl.before.mark && isInView(crawl.pressed);
    return isMarked || result.some(isRead) ? "" : said(result[0]) || result[0].className;
  };
  const isSeen = (each) =>
    each?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    each.getBoundingClientRect().width > 2 &&
    getComputedStyle(each).clipPath !== "inset(50%)"; // for the keyboard alone
  /** Whether an element stays where it is, and no answer is on its way that could move it. */
  const isSteady = async (target) => {
    const { top, left } = target.getBoundingClientRect();
    await frame();
    const after = target.getBoundingClientRect();
    return after.top === top && after.left === left && (crawl.isHolding || host().dataset.state === "ready");
  };
  /** Bring a pressable of the list into view, again as long as something moves it; gives where to press, or null where
   *  nobody could. */
  crawl.prepare = async (one) => {
    for (const until = performance.now() + window.scratchPatience; ; ) {
      const place = await aimedAt(one);
      if (!place?.isCovered || performance.now() > until || (await isSteady(crawl.target))) return place;
    }
  };
  /** More of an unfinished answer may have come since the list was made, and others stand before it. */
  const aimedAt = async ({ at, words, name, value }) => {
    const isIt = (each) => each && said(each) === words && (each.name ?? "") === name && (each.value ?? "") === value;
    const now = all();
    const one = isIt(now[at]) ? now[at] : now.find(isIt);
    if (!one || one.disabled) return null;
    for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (fold !== one.parentElement || !one.matches("summary")) fold.open = true;
    }
    const parts = one.matches("[data-gather]")
      ? [one.querySelector(`[data-${one.dataset.parts}]`)]
      : [one.closest("label") ?? one.labels?.[0], one];
    const target = parts.find(isSeen);
    if (!target) return null;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    await frame();
    const box = target.getClientRects()[0];
    if (!box) return null; // an answer has taken it away
    const [x, y] = [box.left + Math.min(box.width / 2, 300), box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const sheet = hit?.closest(".chooser, .explainer"); // closed by its own button, it covers what is below it
    if (sheet && !sheet.contains(one)) return null;
    crawl.pressed = one;
    crawl.target = target;
    crawl.before = {
      words: said(one),
      mark: markOf(one),
      top: target.getBoundingClientRect().top,
      left: box.left,
      scroll: scrollY,
      posted: crawl.posted.length,
      counts: counted(),
      returns: one.dataset.returns,
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
  /** What is wrong after a press alone. */
  crawl.listFaults = () => {
    const focus = document.activeElement;
    const brought = broughtPart();
    const isBrought = brought !== null && isInView(brought); // the page may have moved there, away from what has the focus
    const isAsked = focus.hasAttribute("data-focus") || Boolean(focus.closest(".calculator-notice") || isBrought);
    const found = [];
    const isWithin = host().contains(focus) || Boolean(focus.closest(".explainer")); // what was asked why is told there
    const isThere = crawl.pressed.isConnected && said(crawl.pressed) === crawl.before.words;
    if (!isBrought && !isInView(isThere ? crawl.target : null) && !(isWithin && isInView(focus)))
      found.push("neither it nor its answer is in view");
    if (!isWithin) found.push(`the focus is on ${focus.tagName}`);
    else if (!isBrought && !isInView(focus)) found.push(`the focus is out of view: ${focus.outerHTML.slice(0, 80)}`);
    const result = unseen();
    if (result) found.push(`its result is not seen: ${result.slice(0, 80)}`);
    const moved = isThere && crawl.target.checkVisibility() ? crawl.target.getBoundingClientRect().top - crawl.before.top : 0;
    const isShort = document.documentElement.scrollHeight - innerHeight < crawl.before.scroll; // such a page can't stay
    const isSheet = Boolean(crawl.pressed.closest(".chooser")); // a fold at its foot opens upwards
    if (!isAsked && !isShort && !isSheet && Math.abs(moved) > 25) found.push(`moved by ${Math.round(moved)} px`);
    return found;
  };
  /** Return every refusal shown since the calculator was fresh: the next press may clear one at once. */
  crawl.readRefusals = () => refusals;
})();
