// Starts Python before the page is parsed, on pages that consist of a calculator. The script's own element names it.
import { pythonClient } from "./client.mjs";

if (!navigator.connection?.saveData)
  pythonClient.start(/** @type {HTMLElement | null} */ (document.querySelector("[data-early]"))?.dataset.early);
