// What the theme leaves undone on its pages.
//
// A link to a rule on another page brings that rule into view. Material's instant navigation forgets the rule when the
// page was scrolled less than a tenth of a second before: it takes the place on the old page for one to come back to.
let wanted = "";

addEventListener("click", ({ target }) => {
  const link = target.closest?.("a[href]");
  wanted = link?.hash && link.pathname !== location.pathname ? link.href : "";
}, true);

window.document$?.subscribe(() => {
  const { hash, href } = location;
  if (href !== wanted) return;
  wanted = "";
  setTimeout(() => document.getElementById(readable(hash.slice(1)))?.scrollIntoView());
});

function readable(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that begins no letter is a %
  }
}

// Every table stands in a box that scrolls sideways. Where such a box holds more than the screen shows, keys reach it and
// scroll it too; where all is seen, it is no stop on the way of the Tab key.
const BOX = ".md-typeset__scrollwrap";
const REACHED = "a[href], button, input, select, textarea, summary, [tabindex]";
const THEME = 300; // ms until the theme has put its boxes around a new page's tables

const watcher = new ResizeObserver((changes) => changes.forEach(({ target }) => mark(target)));

function mark(box) {
  const isWide = box.scrollWidth > box.clientWidth && !box.querySelector(REACHED);
  for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  if (!isWide) return;
  box.closest(".engine-table")?.removeAttribute("tabindex"); // one stop, not two
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? "Table");
}

window.document$?.subscribe(() =>
  setTimeout(() => {
    watcher.disconnect();
    for (const box of document.querySelectorAll(BOX)) watcher.observe(box);
  }, THEME),
);

// A tooltip lies at the end of the page, outside all its parts. Whoever hears the page is told its words as a description
// of what it belongs to; as a part of its own it would only stand in the way.
const tooltips = new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node.matches?.(".md-tooltip2")) node.setAttribute("aria-hidden", "true");
  }
});

tooltips.observe(document.body, { childList: true });
