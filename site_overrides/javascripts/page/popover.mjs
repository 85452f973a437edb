// One popover for all explanations: the meaning of a term, the ruling behind a †, and the text of a rule that a calculator
// links to. The parts of a number unfold in their place, without a script. It opens by touch, mouse or keyboard, below or above the explained line, and never over
// it. Without scripts terms have a title, numbers and marks are <details>, and rules are links.
const DISCLOSURE = ".ruling-mark > summary";
const RULE = "scratch-calculator a.rule, .explainer a.rule";
const TERM = "abbr[title], abbr[data-meaning]";
const HOVER_DELAY = 250; // ms
const GAP = 8; // px between the line and the popover
const MAX_PARTS = 8; // elements of a section to show for a rule with a heading
const OMITTED = ".rule-anchor, .headerlink, .ruling-mark, .ruling-footnotes, .calculator-place, scratch-calculator, script";
/** Parsed rule pages by URL. @type {Map<string, Document>} */
const pageCache = new Map();

const box = Object.assign(document.createElement("div"), { className: "explainer md-content__inner", popover: "auto", tabIndex: -1 });
/** The element that has opened the popover. @type {HTMLElement | null} */
let opener = null;
/** The opener of a popover that the current press has closed. @type {HTMLElement | null} */
let justClosed = null;
let pointerType = ""; // of the last press
let timer = 0;
let requestId = 0; // of the last request: a rule that loads late must not replace a later explanation

box.setAttribute("role", "dialog");
box.addEventListener("beforetoggle", ({ newState }) => {
  if (newState === "open") return;
  justClosed = opener; // at once: the click of the closing press is dispatched before `toggle`
  setTimeout(() => (justClosed = null), HOVER_DELAY);
});
box.addEventListener("toggle", ({ newState }) => {
  if (newState === "open") return;
  const previous = opener;
  opener = null;
  if (previous?.isConnected && (document.activeElement === document.body || box.contains(document.activeElement))) previous.focus();
});

addEventListener("pointerdown", (event) => (pointerType = event.pointerType), true);

addEventListener(
  "click",
  (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const trigger = event.target?.closest?.(`${DISCLOSURE}, ${RULE}, ${TERM}`);
    const isClosingTap = justClosed !== null && pointerType === "touch"; // a tap beside the popover only closes it
    if (!trigger && !isClosingTap) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer);
    if (trigger && trigger !== justClosed) void openExplanationOrRulePage(trigger, event);
  },
  true,
);

addEventListener(
  "keydown",
  (event) => {
    if (!["Enter", " "].includes(event.key) || !event.target?.matches?.(TERM)) return;
    event.preventDefault();
    void openExplanationOrRulePage(/** @type {HTMLElement} */ (event.target));
  },
  true,
);

addEventListener("pointerover", ({ pointerType, target }) => {
  if (pointerType !== "mouse") return;
  const trigger = target?.closest?.(TERM);
  clearTimeout(timer);
  if (trigger && trigger !== opener) timer = setTimeout(() => openPopover(trigger, buildContentAndMoveTitle(trigger)), HOVER_DELAY);
  else if (opener?.matches(TERM) && !box.contains(document.activeElement) && !target?.closest?.(".explainer") && !trigger) {
    timer = setTimeout(() => box.hidePopover(), HOVER_DELAY);
  }
});

window.document$?.subscribe(() => {
  requestId += 1;
  if (opener) box.hidePopover();
  for (const term of document.querySelectorAll(TERM)) Object.assign(term, { tabIndex: 0, role: "button" });
});

/** Open the explanation of a trigger in the popover, and focus it; open the rule's page if the rule can't be loaded.
 *  @param {HTMLElement} trigger
 *  @param {MouseEvent} [pressForPosition]
 *  @returns {Promise<void>} */
async function openExplanationOrRulePage(trigger, pressForPosition) {
  const ownId = ++requestId;
  if (!trigger.matches(RULE)) openPopover(trigger, buildContentAndMoveTitle(trigger), pressForPosition);
  else {
    const { href } = /** @type {HTMLAnchorElement} */ (trigger);
    const loadingTimer = setTimeout(() => openPopover(trigger, [createParagraph("Loading the rule …")], pressForPosition), HOVER_DELAY);
    try {
      const parts = await loadRuleContent(new URL(href));
      clearTimeout(loadingTimer);
      if (ownId !== requestId) return;
      openPopover(trigger, parts, pressForPosition);
    } catch {
      clearTimeout(loadingTimer);
      if (ownId === requestId) location.assign(href); // open the rule page itself
      return;
    }
  }
  box.focus({ preventScroll: true });
}

/** Build the content of the popover: that of the <details>, or the title of a term, which gets another attribute.
 *  @param {HTMLElement} trigger
 *  @returns {Node[]} */
function buildContentAndMoveTitle(trigger) {
  if (trigger.matches("summary")) {
    const copy = /** @type {HTMLElement} */ (trigger.parentElement?.cloneNode(true));
    copy.querySelector("summary").remove();
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    return [...copy.childNodes];
  }
  trigger.dataset.meaning ??= trigger.title;
  trigger.removeAttribute("title"); // else the browser shows its own tooltip, too
  trigger.setAttribute("aria-description", trigger.dataset.meaning);
  return [createParagraph(trigger.dataset.meaning)];
}

/** Load the elements of the rule at a URL, and a link to it. Rejects if there is no such rule.
 *  @param {URL} ruleUrl
 *  @returns {Promise<Element[]>} */
async function loadRuleContent(ruleUrl) {
  const page = ruleUrl.href.split("#")[0];
  let rulePage = pageCache.get(page);
  if (!rulePage) {
    const response = await fetch(page);
    if (!response.ok) throw new Error(`${page} answered ${response.status}`);
    rulePage = new DOMParser().parseFromString(await response.text(), "text/html");
    pageCache.set(page, rulePage);
  }
  const rule = rulePage.getElementById(decodeURIComponent(ruleUrl.hash.slice(1)));
  if (!rule) throw new Error(`${page} has no such rule`);
  const parts = copyRuleContent(rule);
  for (const part of parts) {
    for (const link of part.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), page).href;
  }
  const linkParagraph = createParagraph("");
  linkParagraph.append(Object.assign(document.createElement("a"), { href: ruleUrl.href, textContent: "Open page" }));
  return [...parts, linkParagraph];
}

/** Copy the elements of a rule: a table row with the table's head, a section up to the next heading, or a block.
 *  @param {Element} target the element with the rule's fragment
 *  @returns {HTMLElement[]} */
function copyRuleContent(target) {
  const block = target.closest("tr, h1, h2, h3, h4, h5, h6, section.ruling, .rule:not(span, a), p, li, dt, .paragraph, div");
  const parts = [block.cloneNode(true)];
  if (block.matches("tr")) {
    const table = block.closest("table").cloneNode(false);
    const head = block.closest("table").tHead;
    table.append(...(head ? [head.cloneNode(true)] : []), ...parts.splice(0));
    parts.push(table);
  }
  const level = /^H(\d)$/.exec(block.tagName)?.[1];
  for (let next = block; level && (next = next.nextElementSibling) && parts.length < MAX_PARTS; ) {
    if (/^H\d$/.test(next.tagName) && next.tagName[1] <= level) break;
    parts.push(next.cloneNode(true));
  }
  for (const part of parts) {
    for (const each of part.querySelectorAll(OMITTED)) each.remove();
    for (const each of [part, ...part.querySelectorAll("[id]")]) each.removeAttribute("id");
  }
  return parts.filter((part) => !part.matches(OMITTED)).map((part) => document.importNode(part, true));
}

/** @param {string} textContent
 *  @returns {HTMLParagraphElement} */
function createParagraph(textContent) {
  return Object.assign(document.createElement("p"), { textContent });
}

/** Open the popover at the pressed line of its trigger, where there is more space; a trigger inside the popover does not move it.
 *  @param {HTMLElement} trigger
 *  @param {Node[]} parts the content
 *  @param {MouseEvent} [pressForPosition] the press, if any */
function openPopover(trigger, parts, pressForPosition) {
  const isWithin = box.contains(trigger);
  const lines = [...trigger.getClientRects()];
  const line =
    lines.find(({ top, bottom }) => pressForPosition && top <= pressForPosition.clientY && pressForPosition.clientY <= bottom) ??
    lines.at(-1);
  if (!box.isConnected) document.body.append(box);
  box.replaceChildren(...parts);
  box.scrollTop = 0;
  if (isWithin || !line) return;
  box.setAttribute("aria-label", trigger.ariaLabel || trigger.textContent.trim());
  box.showPopover();
  opener = trigger;
  const top = Math.max(document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0, 0);
  const [above, below] = [line.top - GAP - top, innerHeight - GAP - line.bottom];
  const isBelow = below >= Math.min(box.scrollHeight + 2, above);
  box.style.setProperty("--room", `${Math.floor(isBelow ? below : above)}px`);
  const rightmost = document.documentElement.clientWidth - box.offsetWidth - GAP;
  box.style.setProperty("--x", `${Math.max(GAP, Math.min(line.left, rightmost))}px`);
  box.style.setProperty("--y", `${isBelow ? line.bottom + GAP : line.top - GAP - box.offsetHeight}px`);
}
