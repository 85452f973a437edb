// The selectors of stylesheets against pages: see test_selectors.py, which evaluates this first.
const ACTED = "hover|focus|focus-visible|focus-within|active|target|visited|link|defined|popover-open|modal|-(?:webkit|moz)-[\\w-]+";
const SET = "checked|disabled|enabled|open|invalid|user-invalid|valid|indeterminate|placeholder-shown|default|autofill";
const formOf = (pseudos) => new RegExp(`::[\\w-]+(?:\\([^()]*\\))?|:(?:${pseudos})(?![\\w(-])`, "g");
const DYNAMIC = formOf(`${ACTED}|${SET}`); // states that only a browser or its user sets
const MOST_TRIED = 20; // elements of a kind, in several states of calculators
const STATES = /^aria-(?:pressed|selected|invalid|current|checked|expanded|disabled|busy)$/;

/** Split a list of selectors at its top-level commas. */
function split(list) {
  const parts = [""];
  let depth = 0;
  for (const sign of list) {
    depth += "([".includes(sign) - ")]".includes(sign);
    if (sign === "," && !depth) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

/** List the selectors of rules with declarations, each joined with its parent rules. */
function list(rules, parent = null) {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSKeyframesRule || rule instanceof CSSPageRule) return [];
    const own = rule.selectorText ?? null;
    const nested = () => (own.includes("&") ? own.replaceAll("&", `:is(${parent})`) : `:is(${parent}) ${own}`);
    const whole = own && parent ? nested() : own;
    const inside = rule.cssRules?.length ? list(rule.cssRules, whole ?? parent) : [];
    return own && rule.style.length ? [...split(whole), ...inside] : inside;
  });
}

globalThis.listSelectors = (css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return [...new Set(list(sheet.cssRules))];
};

/** Build a regular expression for classes or attributes within a selector. */
function naming(name) {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(name.startsWith(".") ? `${literal}(?![\\w-])` : `\\[${literal}(?:[~^$*|]?=[^\\]]*)?\\]`, "g");
}

/** A selector without what the browser, its user or a script (`written`) gives an element later. */
function withoutLater(selector, written) {
  const later = [DYNAMIC, ...written.map(naming)];
  const isLater = (text) => later.some((form) => text.search(form) >= 0);
  const always = ":is(*)";
  const text = selector.replace(/:not\(((?:[^()]|\([^()]*\))*)\)/g, (all, inside) => (split(inside).some(isLater) ? always : all));
  return later.reduce((rest, form) => rest.replace(form, always), text);
}

const parse = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const fold of page.querySelectorAll("details")) fold.open = true;
  return page;
};

const pages = [];

/** Keep pages for the next questions: `answers` are HTML by page, each put into a copy of that page. */
globalThis.addPages = (html, selector, answers) => {
  if (!answers.length) pages.push(parse(html));
  for (const answer of answers) {
    const page = parse(html);
    page.querySelector(selector).innerHTML = answer;
    for (const fold of page.querySelectorAll("details")) fold.open = true;
    pages.push(page);
  }
};

/** Return the selectors that match nothing in any page. */
globalThis.findUnmatched = (selectors, written) => {
  const plain = new Map(selectors.map((each) => [each, withoutLater(each, written)]));
  return pages.reduce((left, page) => left.filter((each) => !page.querySelector(plain.get(each))), selectors);
};

/** Name an element by its tag and classes, without states. */
const kindOf = (element) => [element.localName, ...[...element.classList].filter((each) => !each.startsWith("is-")).sort()].join(".");

/** Return the state classes and ARIA states of elements that no selector tells from the same element without them. */
globalThis.findUnstyled = (selectors) => {
  const shown = selectors.map((each) => each.replace(formOf(ACTED), ":is(*)"));
  const about = new Map();
  const [isStyled, tried] = [new Map(), new Map()];
  for (const page of pages) {
    for (const element of page.querySelectorAll(".calculator-body *")) {
      const classes = [...element.classList].filter((each) => each.startsWith("is-")).map((each) => `.${each}`);
      const states = [...element.attributes].filter(({ name, value }) => STATES.test(name) && value !== "false");
      for (const state of [...classes, ...states.map(({ name }) => name)]) {
        const key = `${kindOf(element)} ${state}`;
        const tries = tried.get(key) ?? 0;
        if (isStyled.get(key) || tries === MOST_TRIED) continue;
        tried.set(key, tries + 1);
        if (!about.has(state))
          about.set(
            state,
            shown.filter((each) => each.search(naming(state)) >= 0),
          );
        isStyled.set(key, makesDifference(page, element, state, about.get(state)));
      }
    }
  }
  return [...isStyled]
    .filter(([, is]) => !is)
    .map(([key]) => key)
    .sort();
};

function makesDifference(page, element, state, selectors) {
  const root = element.closest(".calculator-body");
  const count = () => selectors.map((each) => page.querySelectorAll(each).length).join();
  const name = state.startsWith(".") ? "class" : state;
  const [before, value] = [count(), element.getAttribute(name)];
  if (name === "class") element.classList.remove(state.slice(1));
  else element.removeAttribute(name);
  const after = root && count();
  element.setAttribute(name, value);
  return before !== after;
}
