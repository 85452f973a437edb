// A page by hand: as much of a document as the scripts ask for. Import this before them. `page(html)` fills its body.
import { registerHooks } from "node:module";

const VOID = new Set(["br", "hr", "img", "input"]);
const MARKS = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const PART = /<(\/?)([a-z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*"|=[^\s">]+)?)*)\s*\/?>|[^<]+/g;
const SIMPLE = /^(?:([a-z][\w-]*)|\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:([\^$]?)="?([^"\]]*)"?)?\]|:(not|is)\(|:([\w-]+))/;
const plain = (text) => text.replace(/&([\w#]+);/g, (all, name) => MARKS[name] ?? all);
const named = new Map(); // custom elements

/** What listens, and what is told: from the window down to an element and up again. */
class Heard {
  #acts = [];

  addEventListener(name, act, { signal, capture = false, once = false } = {}) {
    const one = { name, act, capture, once };
    this.#acts.push(one);
    signal?.addEventListener("abort", () => (this.#acts = this.#acts.filter((each) => each !== one)));
  }

  removeEventListener(name, act) {
    this.#acts = this.#acts.filter((each) => each.name !== name || each.act !== act);
  }

  /** What it listens to. */
  get heard() {
    return this.#acts.map(({ name }) => name).sort();
  }

  tell(event, capture) {
    for (const one of this.#acts.filter((each) => each.name === event.type && each.capture === capture)) {
      if (one.once) this.#acts = this.#acts.filter((each) => each !== one);
      one.act(event);
    }
  }

  dispatchEvent(event) {
    let isStopped = false;
    const stop = () => (isStopped = true);
    const own = { target: this, stopPropagation: stop, stopImmediatePropagation: stop };
    for (const name in own) Object.defineProperty(event, name, { value: own[name], configurable: true });
    const path = [window];
    for (let each = this; each && each !== window; each = each.parentElement) path.splice(1, 0, each);
    for (const each of path) if (!isStopped) each.tell(event, true);
    const isBubbling = event.type !== "scroll";
    for (const each of path.reverse()) if (!isStopped && (isBubbling || each === this)) each.tell(event, false);
    return !event.defaultPrevented;
  }
}

class Element extends Heard {
  has = new Map();
  childNodes = [];
  parentElement = null;
  own = {}; // what a control has come to say since it was made
  style = { setProperty: (name, value) => (this.style[name] = value) };

  get tag() {
    return this.localName;
  }
  get tagName() {
    return this.tag.toUpperCase();
  }
  get attributes() {
    return [...this.has];
  }
  get children() {
    return this.childNodes.filter((each) => each instanceof Element);
  }
  get childElementCount() {
    return this.children.length;
  }
  get parentNode() {
    return this.parentElement;
  }
  get isConnected() {
    return this.ownerDocument === document;
  }
  get ownerDocument() {
    return this.parentElement?.ownerDocument ?? this;
  }
  get nextElementSibling() {
    return this.parentElement?.children[this.parentElement.children.indexOf(this) + 1] ?? null;
  }
  get previousElementSibling() {
    return this.parentElement?.children[this.parentElement.children.indexOf(this) - 1] ?? null;
  }
  get all() {
    return this.children.flatMap((each) => [each, ...each.all]);
  }
  get classList() {
    const all = new Set(this.className.split(" ").filter(Boolean));
    const change = (how) => (name) => (all[how](name), (this.className = [...all].join(" ")));
    return { add: change("add"), remove: change("delete") };
  }
  get dataset() {
    const name = (key) => `data-${key.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`;
    return new Proxy(
      {},
      {
        get: (_, key) => this.has.get(name(key)),
        set: (_, key, value) => this.setAttribute(name(key), value) ?? true,
        deleteProperty: (_, key) => (this.removeAttribute(name(key)), true),
      },
    );
  }

  getAttribute(name) {
    return this.has.get(name) ?? null;
  }
  hasAttribute(name) {
    return this.has.has(name);
  }
  setAttribute(name, value) {
    this.has.set(name, String(value));
  }
  removeAttribute(name) {
    this.has.delete(name);
  }
  toggleAttribute(name, is = !this.has.has(name)) {
    if (is) this.has.set(name, "");
    else this.has.delete(name);
  }

  get textContent() {
    return this.childNodes.map((each) => each.textContent ?? each).join("");
  }
  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [String(text)]));
  }
  get innerHTML() {
    return this.childNodes.map((each) => each.outerHTML ?? each).join("");
  }
  set innerHTML(html) {
    (this.content ?? this).replaceChildren(...parsed(html));
  }
  get outerHTML() {
    return `<${this.tag}${[...this.has].map((pair) => ` ${pair[0]}="${pair[1]}"`).join("")}>${this.innerHTML}</${this.tag}>`;
  }
  insertAdjacentHTML(_, html) {
    this.append(...parsed(html));
  }
  cloneNode(isDeep) {
    const made = parsed(this.outerHTML)[0];
    if (!isDeep) made.replaceChildren();
    return made;
  }
  get tHead() {
    return this.querySelector("thead");
  }

  #put(at, more) {
    const flat = more.flatMap((each) => (each instanceof Element && each.tag === "#part" ? [...each.childNodes] : [each]));
    for (const each of flat) if (each instanceof Element) each.remove();
    this.childNodes.splice(at, 0, ...flat);
    for (const each of flat) if (each instanceof Element) each.parentElement = this;
  }
  append(...more) {
    this.#put(this.childNodes.length, more);
  }
  prepend(...more) {
    this.#put(0, more);
  }
  before(...more) {
    this.parentElement.#put(this.parentElement.childNodes.indexOf(this), more);
  }
  after(...more) {
    this.parentElement.#put(this.parentElement.childNodes.indexOf(this) + 1, more);
  }
  replaceWith(...more) {
    this.after(...more);
    this.remove();
  }
  replaceChildren(...more) {
    for (const each of this.children) each.parentElement = null;
    this.childNodes = [];
    this.append(...more);
  }
  remove() {
    const home = this.parentElement;
    if (home) home.childNodes = home.childNodes.filter((each) => each !== this);
    this.parentElement = null;
  }

  matches(selector, scope = this) {
    return choices(selector).some((steps) => fits(this, steps, scope));
  }
  closest(selector) {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }
  contains(other) {
    return other === this || this.all.includes(other);
  }
  querySelectorAll(selector) {
    return this.all.filter((each) => each.matches(selector, this));
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  getElementById(id) {
    return this.all.find((each) => each.id === id) ?? null;
  }

  // Controls
  get type() {
    return this.has.get("type") ?? { button: "submit", select: "select-one", textarea: "textarea", input: "text" }[this.tag];
  }
  set type(value) {
    this.setAttribute("type", value);
  }
  get value() {
    if ("value" in this.own) return this.own.value;
    if (this.tag === "textarea") return this.textContent;
    if (this.tag === "select") return (this.options.find((each) => each.has.has("selected")) ?? this.options[0])?.value ?? "";
    return this.has.get("value") ?? (this.tag === "option" ? this.textContent : "");
  }
  set value(value) {
    this.own.value = String(value);
  }
  get checked() {
    return this.own.checked ?? this.has.has("checked");
  }
  set checked(value) {
    this.own.checked = value;
  }
  get options() {
    return this.querySelectorAll("option");
  }
  get form() {
    return this.has.has("form") ? this.ownerDocument.getElementById(this.has.get("form")) : this.closest("form");
  }
  get elements() {
    return this.ownerDocument.querySelectorAll("button, input, select, textarea").filter((each) => each.form === this);
  }
  get href() {
    return this.has.has("href") ? new URL(this.has.get("href"), location.href).href : "";
  }
  set href(value) {
    this.setAttribute("href", value);
  }

  click() {
    if (this.disabled) return;
    const event = happening("click");
    if (!this.dispatchEvent(event)) return;
    if (this.tag === "summary") this.parentElement.open = !this.parentElement.open;
    if (this.tag === "button" && this.type === "submit") this.form?.dispatchEvent(happening("submit", { submitter: this }));
  }
  focus() {
    document.activeElement = this;
  }
  select() {
    this.isSelected = true;
  }
  setSelectionRange(...range) {
    this.range = range;
  }
  checkVisibility() {
    return !this.closest("[hidden]");
  }
  getBoundingClientRect() {
    return { top: 0, bottom: 10, left: 0, x: 0, y: 0, width: 10, height: 10, ...this.box };
  }
  getClientRects() {
    return [this.getBoundingClientRect()];
  }
  showPopover() {
    this.isShown = true;
    this.dispatchEvent(happening("toggle", { newState: "open" }));
  }
  hidePopover() {
    if (this.isShown) this.dispatchEvent(happening("toggle", { newState: "closed" }));
    this.isShown = false;
  }
  scrollIntoView(how) {
    document.shown = [this, how];
  }
  setPointerCapture() {}
}
for (const name of ["id", "name", "title", "role", "rel", "target", "download", "accept", "placeholder", "tabIndex", "maxLength"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.has.get(name.toLowerCase()) ?? "";
    },
    set(value) {
      this.setAttribute(name.toLowerCase(), value);
    },
  });
}
Object.defineProperty(Element.prototype, "className", {
  get() {
    return this.has.get("class") ?? "";
  },
  set(value) {
    this.setAttribute("class", value);
  },
});
for (const name of ["hidden", "disabled", "open"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.has.has(name);
    },
    set(value) {
      this.toggleAttribute(name, Boolean(value));
    },
  });
}

/** Something that happens to an element, as a browser tells it. */
export const happening = (type, more = {}) => ({
  type,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
  ...more,
});

function createElement(tag) {
  const made = new (named.get(tag) ?? Element)();
  made.localName = tag;
  if (tag === "template") made.content = createElement("#part");
  return made;
}

function parsed(html) {
  const top = createElement("#part");
  let now = top;
  for (const [text, ends, tag, attributes] of html.matchAll(PART)) {
    if (!tag) now.childNodes.push(plain(text));
    else if (ends) now = now.closest(tag)?.parentElement ?? now;
    else {
      const made = createElement(tag);
      for (const [, name, value, bare = ""] of attributes.matchAll(/([^\s=]+)(?:="([^"]*)"|=([^\s">]+))?/g)) {
        made.has.set(name, plain(value ?? bare));
      }
      now.append(made);
      if (!VOID.has(tag)) now = made;
    }
  }
  return top.childNodes;
}

/** The index behind a text's part up to one of these signs at its own depth. */
function upTo(text, signs) {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (!depth && signs.includes(text[at])) return at;
    depth += "([".includes(text[at]) - ")]".includes(text[at]);
  }
  return text.length;
}

/** A selector as its choices, each a list of [how it goes on from the one before, what is looked for]. */
function choices(selector) {
  const end = upTo(selector, ",");
  const steps = [];
  let rest = selector.slice(0, end).trim();
  for (let how = ""; rest; ) {
    const stop = upTo(rest, " >");
    steps.push([how, rest.slice(0, stop)]);
    how = /^\s*>/.test(rest.slice(stop)) ? ">" : " ";
    rest = rest.slice(stop).replace(/^\s*>?\s*/, "");
  }
  return [steps, ...(end < selector.length ? choices(selector.slice(end + 1)) : [])];
}

function fits(element, steps, scope) {
  const [how, wanted] = steps.at(-1);
  if (!isOne(element, wanted, scope)) return false;
  const before = steps.slice(0, -1);
  if (!before.length) return true;
  for (let each = element.parentElement; each; each = how === ">" ? null : each.parentElement) if (fits(each, before, scope)) return true;
  return false;
}

function isOne(element, wanted, scope) {
  if (!wanted) return true;
  const [all, tag, part, id, name, how, value, nested, state] = SIMPLE.exec(wanted);
  const has = element.has.get(name);
  const inner = nested && wanted.slice(all.length, all.length + upTo(wanted.slice(all.length), ")"));
  const is = tag
    ? element.tag === tag
    : part
      ? element.className.split(" ").includes(part)
      : id
        ? element.id === id
        : name
          ? has !== undefined && (value === undefined || { "": has === value, "^": has.startsWith(value), $: has.endsWith(value) }[how])
          : nested
            ? element.matches(inner, scope) === (nested === "is")
            : state === "scope"
              ? element === scope
              : element[state];
  return is && isOne(element, wanted.slice(all.length + (nested ? inner.length + 1 : 0)), scope);
}

globalThis.window = Object.assign(new Heard(), { parentElement: null });
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] = (...more) => window[name](...more);
globalThis.document = Object.assign(createElement("#document"), {
  createElement,
  activeElement: null,
  visibilityState: "visible",
  body: createElement("body"),
});
document.parentElement = null;
document.importNode = (each) => each;
document.createDocumentFragment = () => createElement("#part");
document.documentElement = Object.assign(createElement("html"), { clientWidth: 400 });
document.append(document.body);
Object.assign(globalThis, {
  HTMLElement: Element,
  HTMLDetailsElement: class {},
  CSS: { escape: (text) => text },
  customElements: { define: (name, made) => named.set(name, made) },
  FormData: class {
    constructor(form) {
      this.form = form;
    }
    *[Symbol.iterator]() {
      for (const each of this.form.elements) {
        const isSaid = !["checkbox", "radio"].includes(each.type) || each.checked;
        if (each.name && each.tag !== "button" && each.type !== "file" && !each.disabled && isSaid) yield [each.name, each.value];
      }
    }
  },
  DOMParser: class {
    parseFromString(html) {
      const made = createElement("#document");
      made.append(...parsed(html));
      return made;
    }
  },
  IntersectionObserver: class {
    observe() {}
    disconnect() {}
  },
  requestAnimationFrame: (act) => act(),
  innerHeight: 100,
  scrollBy() {},
});

/** Let an address stand in the browser's line. */
export function at(address) {
  globalThis.location = new URL(address);
  window.top = { location };
}

/** A page with this in its body; gives the first element. */
export function page(html) {
  document.body.replaceChildren(...parsed(html));
  document.activeElement = document.body;
  return document.body.children[0];
}

/** Let a script's import be something made by hand. */
export function inPlaceOf(script, source) {
  registerHooks({
    resolve: (name, where, next) =>
      name.endsWith(script) ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true } : next(name, where),
  });
}
