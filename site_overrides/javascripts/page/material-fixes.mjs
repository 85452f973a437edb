// What the theme leaves undone on its pages.
//
// A link to another page leads to its beginning, or to the rule that it names, marked as such. Material's instant
// navigation takes the place on the old page for one to come back to when that was scrolled less than a tenth of a second
// before.
let wanted = "";

addEventListener(
  "click",
  ({ target }) => {
    const link = target.closest?.("a[href]");
    wanted = link && link.pathname !== location.pathname ? link.href : "";
  },
  true,
);

window.document$?.subscribe(() => {
  const { hash, href } = location;
  if (href !== wanted) return;
  wanted = "";
  setTimeout(() => {
    const place = document.getElementById(safeDecode(hash.slice(1)));
    if (!hash) scrollTo(0, 0);
    else if (place?.matches(":target")) place.scrollIntoView();
    else if (place) goTo(hash);
  });
});

// As a link on the page itself does: no theme that hears of it, and the place is the page's target.
function goTo(hash) {
  const link = Object.assign(document.createElement("a"), { href: hash });
  link.addEventListener("click", (event) => event.stopPropagation());
  link.click();
}

// On a narrow screen the search holds the page still until it has closed, and lets go of it where it was: what a hit leads
// to is gone to then.
const THEME = 300; // ms until the theme has put its boxes around a new page's tables
let held = "";

new MutationObserver(() => {
  const { hash, href } = location;
  const isFree = !document.body.hasAttribute("data-md-scrolllock");
  if (isFree && href !== held) setTimeout(() => document.getElementById(safeDecode(hash.slice(1)))?.scrollIntoView(), THEME);
  held = href;
}).observe(document.body, { attributeFilter: ["data-md-scrolllock"] });

function safeDecode(text) {
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

const watcher = new ResizeObserver((changes) => changes.forEach(({ target }) => makeScrollable(target)));

function makeScrollable(box) {
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

// A hit of the search says what it is in a <nav> of its own, which is no part of the page that one could go to.
const hits = document.querySelector("[data-md-component=search-result]");

if (hits) {
  new MutationObserver(() => {
    for (const kind of hits.querySelectorAll(".md-tags:not([role])")) kind.role = "presentation";
    suggest();
  }).observe(hits, { childList: true, subtree: true });
  // Where nothing is found twice in a row, the theme changes nothing.
  document.querySelector("[data-md-component=search-query]")?.addEventListener("input", suggest);
}

// What is fetched once somebody searches; without it the list stays empty, no more.
function suggest() {
  import("./search-suggestions.mjs").then(({ showSuggestions }) => showSuggestions(hits)).catch(() => {});
}
