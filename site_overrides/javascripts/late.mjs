// On a page whose calculator is what it is for, the theme's own script (menus, search, instant pages) waits until
// Python is there, or until somebody touches the page, or a moment has passed. Links and fields work without it.
import { engine } from "./engine.mjs";

const PATIENCE = 1500; // ms
const INTENTS = ["pointerdown", "keydown", "focusin", "touchstart"];
const source = new URL(import.meta.url).searchParams.get("script");
const waiting = new AbortController();

function load() {
  if (waiting.signal.aborted) return;
  waiting.abort();
  const script = document.createElement("script");
  script.src = new URL(`../javascripts/${source}`, import.meta.url).href;
  document.body.append(script);
}

// Reached from another page of the visit: the theme's script has long been running.
if (!globalThis.document$) {
  const { signal } = waiting;
  engine.addEventListener("change", () => ["ready", "failed"].includes(engine.state) && load(), { signal });
  for (const intent of INTENTS) addEventListener(intent, load, { signal, passive: true });
  setTimeout(load, navigator.connection?.saveData ? 0 : PATIENCE);
}
