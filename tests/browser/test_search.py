"""The search answers players' questions: the rule or its glossary entry comes first or second."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from build_scripts.folders import BUILD
from build_scripts.serve import site_server
from tests.browser.patience import be_patient
from tests.browser.questions import MISSED_BY_ZENSICAL, QUESTIONS

ASK = """async (questions) => {
  const config = JSON.parse(document.getElementById("__config").textContent);
  const base = new URL(config.base + "/", location.href);
  const index = await (await fetch(new URL("search/search_index.json", base))).json();
  const worker = new Worker(new URL(config.search, base));
  const ask = (message) => new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.postMessage(message);
  });
  await ask({ type: 0, data: { config: index.config, docs: index.docs, options: { suggest: false } } });
  const found = {};
  for (const question of questions) {
    const { data } = await ask({ type: 2, data: question });
    const sections = data.items.flat().sort((one, other) => other.score - one.score);
    found[question] = sections.slice(0, 2).map((each) => each.location);
  }
  worker.terminate();
  return found;
}"""


def test_players_questions_lead_to_rules(page: Page) -> None:
    """Each question has a rule or a glossary entry among the first two sections that the site's own search gives."""
    assert len(QUESTIONS) >= 40
    page.goto("look-up/")
    found = page.evaluate(ASK, list(QUESTIONS))
    missed = {question: found[question] for question, wanted in QUESTIONS.items() if not {*wanted} & {*found[question]}}
    assert missed == {}


def test_the_index_waits_until_somebody_turns_to_the_search(page: Page) -> None:
    """A page asks for no index; one key brings the search, and what is typed at once is found."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto("look-up/", wait_until="networkidle")
    assert "search_index.json" not in asked
    page.keyboard.press("/")
    page.keyboard.type("stamina")
    page.wait_for_selector(".md-search-result__item a[href*=hit-points]")
    assert asked.count("search_index.json") == 1


def test_what_must_be_found_is_no_ruling_and_no_index() -> None:
    """The questions' answers are rules and glossary entries alone."""
    places = [each for wanted in QUESTIONS.values() for each in wanted]
    assert [each for each in places if not each.startswith(("rules/", "look-up/glossary/#"))] == []


def test_no_calculator_is_in_the_index(site: Path) -> None:
    """What a calculator prints is no text of the rules and is not searched."""
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    words = ("the difficulty, if there is one", "Chances of each total", "from your own dice, in order")
    assert [each["location"] for each in index["docs"] for word in words if word in each["text"]] == []


ASK_ZENSICAL = """async ([questions, worker_name]) => {
  const base = new URL("../", location.href);
  const index = await (await fetch(new URL("search.json", base))).json();
  const worker = new Worker(new URL(`assets/javascripts/workers/${worker_name}`, base));
  const ask = (message) => new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.postMessage(message);
  });
  const filter = {
    input: { type: "operator", data: { operator: "and", operands: [] } },
    aggregation: { input: [{ type: "term", data: { field: "tags" } }] },
  };
  await ask({ type: 0, data: index });
  const found = {};
  for (const input of questions) {
    const { data } = await ask({ type: 2, data: { input, filter } });
    found[input] = data.items.slice(0, 2).map((each) => index.items[each.id].location);
  }
  worker.terminate();
  return found;
}"""


def test_zensical_answers_most_of_them(browser: Browser, build_once: Callable[..., Path]) -> None:
    """Built by Zensical, whose search is another, the site answers at least 32, all but those that are listed."""
    site = build_once(BUILD / "zensical-site", builder="zensical")
    name = next((site / "assets/javascripts/workers").glob("search*.js")).name
    with site_server(site) as url:
        page = browser.new_page(base_url=url)
        be_patient(page)
        page.goto("look-up/")
        found = page.evaluate(ASK_ZENSICAL, [list(QUESTIONS), name])
        page.close()
    missed = {question for question, wanted in QUESTIONS.items() if not {*wanted} & {*found[question]}}
    assert missed <= {*MISSED_BY_ZENSICAL}
    assert len(QUESTIONS) - len(MISSED_BY_ZENSICAL) >= 32
