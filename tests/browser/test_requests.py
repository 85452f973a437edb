"""The request of a calculator after a change of one control: all values of the form with the change."""

from collections import Counter
from collections.abc import Iterator
from unittest import mock

import pytest
from playwright.sync_api import Browser, Page

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from tests.browser.script_page import import_script, open_script_page
from tests.support.snapshots import render_state
from tests.support.states import STATES

ENGINE_SCRIPT = """export const pythonClient = Object.assign(new EventTarget(), {
  state: "ready", message: "", start() {}, restartAfterFailure() {},
  fetchAnswer: (request) => (globalThis.sentQueries.push(JSON.parse(request).query), new Promise(() => {})),
});"""
"""An engine that accepts every request and never answers."""
SCRIPTS = {
    "javascripts/engine/client.mjs": ENGINE_SCRIPT,
    "javascripts/offline/register.mjs": "",
    "javascripts/page/material-fixes.mjs": "",
    "javascripts/idiomorph.esm.js": "export const Idiomorph = {};",
}
CHANGES_PER_KIND = 2
"""How often a kind of control is changed, in the first states that have it."""
CONTROLS = "[name]:is(input:not([type=hidden], [type=file]), select, textarea):not(:disabled, [readonly])"
LIST_CONTROLS = """([html, controls]) => {
  const host = document.createElement("template");
  host.innerHTML = html;
  return [...host.content.querySelectorAll(controls)].map((each) => `${each.name.replace(/[#-].*/, "")} ${each.type}`);
}"""
"""Returns the kinds of controls: the name without a character's part, and the type."""
CHANGE_CONTROL = """([name, html, controls, at]) => {
  globalThis.sentQueries = [];
  localStorage.clear();
  sessionStorage.clear();
  const body = `<div class="calculator-body">${html}</div>`;
  document.body.innerHTML = `<scratch-calculator name="${name}" uid="c1">${body}</scratch-calculator>`;
  globalThis.sentQueries.length = 0;
  const form = document.querySelector("form");
  const control = document.querySelectorAll(`scratch-calculator .calculator-body ${controls}`)[at];
  const said = () => [...new FormData(form)].filter(([, value]) => value !== "").map((pair) => pair.join("="));
  const before = said();
  const { type, options, selectedIndex } = control;
  if (type === "checkbox") control.checked = !control.checked;
  else if (type === "radio") control.checked = true;
  else if (options) control.selectedIndex = selectedIndex ? 0 : options.length - 1;
  else if (type === "number") control.value = String(Number(control.value || control.min || 0) + 1);
  else if (type === "range") control.value = control.value === control.min ? control.max : control.min;
  else control.value += "7";
  globalThis.wanted = said();
  control.dispatchEvent(new InputEvent("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  return wanted.join() !== before.join();
}"""
"""Shows an answer in a page and changes one of its controls; returns whether its value is another."""
READ_REQUEST = """() => {
  const form = document.querySelector("form");
  if (!sentQueries.length) form.requestSubmit();
  const names = new Set([...new FormData(form).keys()]); // a button that begins something adds its own
  const pairs = [...new URLSearchParams(sentQueries.at(-1))].filter(([name]) => names.has(name));
  return { wanted, got: pairs.map((pair) => pair.join("=")) };
}"""


@pytest.fixture(scope="module")
def calculators(browser: Browser) -> Iterator[Page]:
    """Open a page whose engine never answers, with a clock that runs by hand."""
    with open_script_page(browser, {"tools/dice/": "<!doctype html><body>", **SCRIPTS}) as page:
        page.evaluate("globalThis.sentQueries = []")
        import_script(page, "calculator/calculator")
        yield page


@pytest.mark.parametrize("calculator", STATES)
def test_request_contains_the_changed_control_and_all_other_values(calculators: Page, calculator: str) -> None:
    """Change each kind of control in each calculator."""
    changed: Counter[str] = Counter()
    wrong = []
    for state in STATES[calculator]:
        with mock.patch.object(scratch_core.dice, "SystemRoller", QueryDice):
            html = render_state(calculator, state, "c1").html
        for at, kind in enumerate(calculators.evaluate(LIST_CONTROLS, [html, CONTROLS])):
            if changed[kind] < CHANGES_PER_KIND and calculators.evaluate(
                CHANGE_CONTROL, [calculator, html, CONTROLS, at]
            ):
                changed[kind] += 1
                calculators.clock.run_for(200)
                said = calculators.evaluate(READ_REQUEST)
                if said["got"] != said["wanted"]:
                    wrong.append((state, kind, said))
    assert wrong == []
    assert changed
