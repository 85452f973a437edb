// The browser that the scripts run in under Node: happy-dom. Import this before them. It has no layout, and this
// module doesn't fake one: positions, popovers and pointers are tested in Chromium (tests/browser/script_page.py).
import assert from "node:assert/strict";
import { registerHooks } from "node:module";

const { PropertySymbol, Window } = await import(process.env.HAPPY_DOM ?? "happy-dom"); // test_scripts.py bundles it into one file

export const browser = new Window({
  width: 400,
  height: 100,
  settings: {
    errorCapture: "disabled",
    navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
    disableJavaScriptFileLoading: true,
  },
});

const SHARED = ["document", "location", "history", "localStorage", "sessionStorage", "customElements", "CSS", "innerHeight"];
const CLASSES = ["HTMLElement", "HTMLDetailsElement", "Element", "FormData", "DOMParser", "Event", "KeyboardEvent", "EventTarget"];
const OBSERVERS = ["IntersectionObserver", "MutationObserver", "ResizeObserver"];
for (const name of [...SHARED, ...CLASSES, ...OBSERVERS]) {
  Object.defineProperty(globalThis, name, { value: browser[name], writable: true, configurable: true, enumerable: true });
}
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] = (...more) => browser[name](...more);
globalThis.window = browser;
globalThis.requestAnimationFrame = (act) => act();
globalThis.scrollBy = () => {};

const elements = browser.Element.prototype;

/** Set properties that only a browser sets, such as scrollHeight. */
export function setProperties(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(element, name, { value, writable: true, configurable: true });
  }
}

elements.checkVisibility = function () {
  return !this.closest("[hidden]");
};
elements.scrollIntoView = () => {};

const created = new WeakSet();
const UNBUBBLED = ["scroll", "toggle", "pointerenter", "pagehide", "pageshow", "hashchange", "storage"];
const KINDS = { key: "KeyboardEvent", poi: "PointerEvent", cli: "PointerEvent" };

/** Create an event as the browser sends it, with these properties. */
export function createEvent(type, properties = {}) {
  const kind = KINDS[type.slice(0, 3)] ?? "Event";
  const event = new browser[kind](type, { bubbles: !UNBUBBLED.includes(type), cancelable: true, ...properties });
  for (const [name, value] of Object.entries(properties)) {
    if (event[name] !== value) Object.defineProperty(event, name, { value });
  }
  created.add(event);
  return event;
}

// happy-dom sends hashchange late, and in more cases than a browser: here the test sends it
browser.addEventListener("hashchange", (event) => created.has(event) || event.stopImmediatePropagation(), true);

/** List the types of events that a target listens to. */
export function listTypes(target) {
  const { bubbling, capturing } = target[PropertySymbol.listeners];
  return [...bubbling, ...capturing].flatMap(([type, listeners]) => listeners.map(() => type)).sort();
}

/** Set the address of the page without loading it. */
export const setAddress = (address) => browser.happyDOM.setURL(String(address));

/** Show or hide the tab. */
export function setVisibility(state) {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
}

/** Fill the page's body and return its first element; nothing is focused. */
export function setPage(html) {
  const template = document.createElement("template");
  template.innerHTML = html; // as in a browser, an element has its content when it is connected
  document.body.replaceChildren(document.importNode(template.content, true));
  return document.body.firstElementChild;
}

/** Whether an element has the focus: deepEqual considers any two elements of happy-dom equal. */
export const isFocused = (element) => document.activeElement === element;

/** Check that an element has the focus, without a diff of the whole page. */
export function assertFocused(element, message = "") {
  const [has, lacks] = [document.activeElement, element].map((each) => each?.cloneNode(false).outerHTML);
  if (!isFocused(element)) throw new assert.AssertionError({ message: `${message} focus: ${has} instead of ${lacks}` });
}

/** Replace a module that scripts import by this source. */
export function replaceModule(script, source) {
  registerHooks({
    resolve: (name, where, next) =>
      name.endsWith(script) ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true } : next(name, where),
  });
}

/** Replace the client of Python's worker by one that answers each request at once with its `answer`. */
export const replacePythonClient = () =>
  replaceModule(
    "/engine/client.mjs",
    `export const pythonClient = Object.assign(new EventTarget(), {
    state: "ready", requests: [], fetchAnswer: async (request) => (pythonClient.requests.push(JSON.parse(request)), JSON.stringify(pythonClient.answer)),
  });`,
  );
