// One explainer for all that asks why: what a term means, the parts of a number, what a † decides, and a rule that a
// calculator names, looked at without leaving it. It opens by finger, mouse or keys, below the line that it explains or
// above it, and never over it. Without scripts terms have their title, numbers and marks unfold, and rules are links.
const FOLDED = ".ruling-mark > summary, .calculator .why > summary";
const RULE = "scratch-calculator a.rule, .explainer a.rule";
const TERM = "abbr[title], abbr[data-told]";
const HOVER = 250; // ms that a mouse rests on a term before it is explained
const GAP = 8; // px between the line and the explainer
const LONGEST = 8; // pieces of a section that are shown of a rule told under a heading
const LEFT_OUT = ".rule-anchor, .headerlink, .ruling-mark, .ruling-footnotes, .calculator-place, scratch-calculator, script";
const pages = new Map(); // the documents of rules that were looked at, by their addresses

const box = Object.assign(document.createElement("div"), { className: "explainer md-content__inner", popover: "auto", tabIndex: -1 });
let asker = null; // what the explainer belongs to while it is open
let closed = null; // what it belonged to when the last press closed it, until that press is over
let timer = 0;
let turn = 0; // of the presses: a rule that comes late does not take the place of what was asked after it

box.setAttribute("role", "dialog");
box.addEventListener("beforetoggle", ({ newState }) => {
  if (newState === "open") return;
  closed = asker; // at once: the click of the press that closes it comes before `toggle`
  setTimeout(() => (closed = null), HOVER);
});
box.addEventListener("toggle", ({ newState }) => {
  if (newState === "open") return;
  const had = asker;
  asker = null;
  if (had?.isConnected && (document.activeElement === document.body || box.contains(document.activeElement))) had.focus();
});

addEventListener(
  "click",
  (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const found = event.target.closest?.(`${FOLDED}, ${RULE}, ${TERM}`);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer);
    if (found !== closed) void explain(found, event);
  },
  true,
);

addEventListener(
  "keydown",
  (event) => {
    if (!["Enter", " "].includes(event.key) || !event.target.matches?.(TERM)) return;
    event.preventDefault();
    void explain(event.target);
  },
  true,
);

addEventListener("pointerover", ({ pointerType, target }) => {
  if (pointerType !== "mouse") return;
  const found = target.closest?.(TERM);
  clearTimeout(timer);
  if (found && found !== asker) timer = setTimeout(() => show(found, buildPopoverContent(found)), HOVER);
  else if (asker?.matches(TERM) && !box.contains(document.activeElement) && !target.closest?.(".explainer") && !found) {
    timer = setTimeout(() => box.hidePopover(), HOVER);
  }
});

window.document$?.subscribe(() => {
  turn += 1;
  if (asker) box.hidePopover();
  for (const term of document.querySelectorAll(TERM)) Object.assign(term, { tabIndex: 0, role: "button" });
});

async function explain(found, event) {
  const mine = ++turn;
  if (!found.matches(RULE)) show(found, buildPopoverContent(found), event);
  else {
    const waits = setTimeout(() => show(found, [paragraph("Loading the rule …")], event), HOVER);
    try {
      const parts = await ruleOf(new URL(found.href));
      clearTimeout(waits);
      if (mine !== turn) return;
      show(found, parts, event);
    } catch {
      clearTimeout(waits);
      if (mine === turn) location.assign(found.href); // the page itself says what is wrong, or has it
      return;
    }
  }
  box.focus({ preventScroll: true });
}

/** What stands folded behind it, or what a term's title says. */
function buildPopoverContent(found) {
  if (found.matches("summary")) {
    const copy = found.parentElement.cloneNode(true);
    copy.querySelector("summary").remove();
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    return [...copy.childNodes];
  }
  found.dataset.told ??= found.title;
  found.removeAttribute("title"); // the browser would show it beside ours
  found.setAttribute("aria-description", found.dataset.told);
  return [paragraph(found.dataset.told)];
}

/** The text of the rule at an address, and the link to it. */
async function ruleOf(address) {
  const page = address.href.split("#")[0];
  if (!pages.has(page)) {
    const answer = await fetch(page);
    if (!answer.ok) throw new Error(`${page} answered ${answer.status}`);
    pages.set(page, new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
  const parts = excerpt(pages.get(page).getElementById(decodeURIComponent(address.hash.slice(1))));
  for (const part of parts) {
    for (const link of part.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), page).href;
  }
  const way = paragraph("");
  way.append(Object.assign(document.createElement("a"), { href: address.href, textContent: "Open page" }));
  return [...parts, way];
}

/** Copies of what tells the rule at `place`: a row with its table's head, a section as far as its next heading, a block. */
function excerpt(place) {
  const block = place.closest("tr, h1, h2, h3, h4, h5, h6, section.ruling, .rule:not(span, a), p, li, dt, .paragraph, div");
  const parts = [block.cloneNode(true)];
  if (block.matches("tr")) {
    const table = block.closest("table").cloneNode(false);
    const head = block.closest("table").tHead;
    table.append(...(head ? [head.cloneNode(true)] : []), ...parts.splice(0));
    parts.push(table);
  }
  const level = /^H(\d)$/.exec(block.tagName)?.[1];
  for (let next = block; level && (next = next.nextElementSibling) && parts.length < LONGEST; ) {
    if (/^H\d$/.test(next.tagName) && next.tagName[1] <= level) break;
    parts.push(next.cloneNode(true));
  }
  for (const part of parts) {
    for (const each of part.querySelectorAll(LEFT_OUT)) each.remove();
    for (const each of [part, ...part.querySelectorAll("[id]")]) each.removeAttribute("id");
  }
  return parts.filter((part) => !part.matches(LEFT_OUT)).map((part) => document.importNode(part, true));
}

function paragraph(textContent) {
  return Object.assign(document.createElement("p"), { textContent });
}

/** Open it for `found`, at the line of it that was pressed, where there is more room; what is asked within stays there. */
function show(found, parts, event) {
  const isWithin = box.contains(found);
  const lines = [...found.getClientRects()];
  const line = lines.find(({ top, bottom }) => event && top <= event.clientY && event.clientY <= bottom) ?? lines.at(-1);
  if (!box.isConnected) document.body.append(box);
  box.replaceChildren(...parts);
  box.scrollTop = 0;
  if (isWithin || !line) return;
  box.setAttribute("aria-label", found.ariaLabel || found.textContent.trim());
  box.showPopover();
  asker = found;
  const top = Math.max(document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0, 0);
  const [above, below] = [line.top - GAP - top, innerHeight - GAP - line.bottom];
  const isBelow = below >= Math.min(box.scrollHeight + 2, above);
  box.style.setProperty("--room", `${Math.floor(isBelow ? below : above)}px`);
  const rightmost = document.documentElement.clientWidth - box.offsetWidth - GAP;
  box.style.setProperty("--x", `${Math.max(GAP, Math.min(line.left, rightmost))}px`);
  box.style.setProperty("--y", `${isBelow ? line.bottom + GAP : line.top - GAP - box.offsetHeight}px`);
}
