// Runs before the page is painted: if the URL or an entry saved on this device fills the calculator, the example is hidden
// until the calculator has read it (see loading-placeholder.mjs, and data-comes in the stylesheets).
{
  const tool = /\/tools\/([\w-]+)\/$/.exec(location.pathname);
  const base = tool ? location.pathname.slice(0, tool.index + 1) : "/";
  let isSaved = false;
  try {
    const prefix = tool && `${base === "/" ? "" : base}scratch-kept-${tool[1]}`; // as in shared/urls.mjs
    isSaved = tool !== null && Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {} // the browser blocks the storage
  const hasQuery = location.search.length > 1 || location.hash.startsWith("#?");
  if (isSaved || hasQuery) document.documentElement.dataset.comes = "";
}
