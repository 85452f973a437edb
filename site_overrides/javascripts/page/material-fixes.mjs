// Workarounds for the theme, Material for MkDocs.
//
// A link to another page must scroll to its top, or to the target of its fragment. Material's instant navigation restores
// the old scroll position instead if the old page was scrolled within the last tenth of a second. A hit of the search is such
// a link; the theme closes the search by a click of its own, which changes nothing here.
const RENDER_DELAY = 300; // ms until the theme has wrapped the tables of a new page in scroll boxes
let pendingUrl = "";

addEventListener(
  "click",
  ({ target, isTrusted }) => {
    const link = target?.closest?.("a[href]");
    if (!link && !isTrusted) return;
    pendingUrl = link && link.pathname !== location.pathname ? link.href : "";
  },
  true,
);

window.document$?.subscribe(() => {
  const { hash, href } = location;
  if (href !== pendingUrl) return;
  pendingUrl = "";
  setTimeout(() => {
    const target = document.getElementById(decodeFragment(hash.slice(1)));
    if (!hash || hash.startsWith("#?")) scrollTo(0, 0);
    else if (target?.matches(":target")) target.scrollIntoView();
    else if (target) followFragment(hash);
    if (target) setTimeout(() => target.scrollIntoView(), RENDER_DELAY); // wrapped tables above it have other heights
  });
});

/** Follow a fragment like a link on the page, so that :target matches; the theme doesn't see the click.
 *  @param {string} hash */
function followFragment(hash) {
  const link = Object.assign(document.createElement("a"), { href: hash });
  link.addEventListener("click", (event) => event.stopPropagation());
  link.click();
}

// On a narrow screen the open search locks scrolling, and restores the scroll position when it closes. So scroll to the
// target of the hit after that.
let lockedUrl = "";

new MutationObserver(() => {
  const { hash, href } = location;
  const isUnlocked = !document.body.hasAttribute("data-md-scrolllock");
  if (isUnlocked && href !== lockedUrl)
    setTimeout(() => document.getElementById(decodeFragment(hash.slice(1)))?.scrollIntoView(), RENDER_DELAY);
  lockedUrl = href;
}).observe(document.body, { attributeFilter: ["data-md-scrolllock"] });

/** Decode a fragment.
 *  @param {string} text
 *  @returns {string} the same text if it is malformed */
function decodeFragment(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that is no escape stays
  }
}

// The theme wraps every table in a box that scrolls horizontally. A box that overflows gets into the tab order, so that the
// keyboard can scroll it, too.
const SCROLL_BOX = ".md-typeset__scrollwrap";
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

const watcher = new ResizeObserver((changes) =>
  changes.forEach(({ target }) => updateKeyboardScrolling(/** @type {HTMLElement} */ (target))),
);

/** Put a box into the tab order if it overflows and contains no focusable element; else take it out.
 *  @param {HTMLElement} box */
function updateKeyboardScrolling(box) {
  const isWide = box.scrollWidth > box.clientWidth && !box.querySelector(FOCUSABLE);
  for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  if (!isWide) return;
  box.closest(".engine-table")?.removeAttribute("tabindex"); // one tab stop, not two
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? "Table");
}

window.document$?.subscribe(() =>
  setTimeout(() => {
    watcher.disconnect();
    for (const box of document.querySelectorAll(SCROLL_BOX)) watcher.observe(box);
  }, RENDER_DELAY),
);

// Each search hit has its tags in a <nav>, which would be a landmark: make it presentational.
const hits = document.querySelector("[data-md-component=search-result]");

if (hits) {
  new MutationObserver(() => {
    for (const kind of hits.querySelectorAll(".md-tags:not([role])")) kind.role = "presentation";
    updateSuggestions();
  }).observe(hits, { childList: true, subtree: true });
  // Without a hit twice in a row, the theme changes nothing, so listen to the input, too.
  document.querySelector("[data-md-component=search-query]")?.addEventListener("input", updateSuggestions);
}

/** Show the suggestions for the search, and load their script with the first one. If that fails, there are none. */
function updateSuggestions() {
  import("./search-suggestions.mjs").then(({ showOrRemoveSuggestions }) => showOrRemoveSuggestions(hits)).catch(() => {});
}
