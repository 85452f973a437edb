// Runs before the page is painted: if the URL, an entry saved on this device or a draft fills the calculator, the example is hidden
// until the calculator has read it (see loading-placeholder.mjs, and data-comes in the stylesheets).
import { storagePrefixOf } from "../shared/storage-prefix.mjs";

const tool = /\/tools\/([\w-]+)\/$/.exec(location.pathname);
let isSaved = false;
try {
  if (tool) {
    const prefix = `${storagePrefixOf(location.pathname.slice(0, tool.index + 1))}scratch-`;
    isSaved =
      sessionStorage.getItem(`${prefix}draft-${tool[1]}`) !== null ||
      Object.keys(localStorage).some((key) => key.startsWith(`${prefix}kept-${tool[1]}`));
  }
} catch {} // the browser blocks the storage
const hasQuery = location.search.length > 1 || location.hash.startsWith("#?");
if (isSaved || hasQuery) document.documentElement.dataset.comes = "";
