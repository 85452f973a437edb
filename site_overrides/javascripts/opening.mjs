// "Open a file" on every tool's page: a file that is none of kept entries is shown to Python, which says where it goes on.
import { engine } from "./engine.mjs";
import { isFramed } from "./framed.mjs";
import { say, unsay } from "./notices.mjs";
import { root, toolPage } from "./place.mjs";

/** Offer it below a calculator that has the page to itself and nowhere offers it yet. */
export function offerFile(element) {
  if (isFramed || !location.href.startsWith(toolPage(element)) || element.querySelector("input[type=file]")) return;
  const label = Object.assign(document.createElement("label"), { className: "button open-file", textContent: "Open a file " });
  const input = Object.assign(document.createElement("input"), { type: "file" });
  input.accept = ".json,.toml,.txt,application/json,text/plain";
  label.append(input);
  const place = Object.assign(document.createElement("p"), { className: "calculator-file" });
  place.append(label);
  element.append(place);
}

/** The text of a file; null where there is none in it, or it can't be read, which is said. */
export async function textOf(element, file) {
  unsay(element, "opened");
  const text = await file.text().catch(() => null);
  if (text !== null && /[^\s\0]/.test(text)) return text;
  say(
    element,
    "opened",
    text === null ? "This file can't be read: it is gone, or closed to the browser." : "There is nothing in this file.",
  );
  showNotice(element, "opened");
  return null;
}

/** Say where a file goes on that belongs elsewhere. False: this calculator takes it itself. */
export async function isSentOn(element, text) {
  const request = { name: element.getAttribute("name"), query: element.dataset.query ?? "", file: text, root };
  if (engine.state !== "ready") say(element, "opened", "Python starts, to look at the file …");
  try {
    const { words, links = [] } = JSON.parse(await engine.ask(JSON.stringify(request)));
    if (!words) {
      unsay(element, "opened");
      return false;
    }
    say(
      element,
      "opened",
      words,
      links.flatMap(([textContent, href]) => [link(textContent, href), " "]),
    );
  } catch (error) {
    say(element, "opened", error.message);
  }
  showNotice(element, "opened");
  return true;
}

/** Bring eye and focus to what is said above the calculator: its button stands below. */
export function showNotice(element, about) {
  const notice = element.querySelector(`:scope > [data-notice=${about}]`);
  notice?.querySelector("a, button")?.focus({ preventScroll: true });
  notice?.scrollIntoView({ block: "nearest" });
}

const link = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });
