// The theme puts every table into a box that scrolls sideways. Where such a box holds more than the screen shows, keys
// reach it and scroll it too; where all is seen, it is no stop on the way of the Tab key.
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

export function watchTables() {
  window.document$?.subscribe(() =>
    setTimeout(() => {
      watcher.disconnect();
      for (const box of document.querySelectorAll(BOX)) watcher.observe(box);
    }, THEME),
  );
}
