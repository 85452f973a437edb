"""Answer many queries with the engine and the templates of one tree; `readers` runs this file once for each tree.

`python query_corpus.py TREE QUERIES ANSWERS`: where the file QUERIES is not there, they are gathered from TREE first.
Nothing is imported but from TREE: this file may judge a tree that is older than itself.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

HOSTILE_SHARE = 5
"""Of the hostile inputs each calculator meets every fifth, another fifth in each."""

WALK_LENGTHS = {"dice": 4, "character": 6, "initiative": 6, "board": 8, "replay": 8, "fight": 14}
"""How many buttons a walk presses, one after the other; 3 for a calculator that is not named."""


class QueryDice:
    """Dice that fall in the same way whenever the same query is asked."""

    seed = ""

    def __init__(self) -> None:
        self.source = random.Random(self.seed)

    def roll(self, sides: int) -> int:
        """Give a face."""
        return self.source.randint(1, sides)


def build_answerer() -> Callable[[str, str], dict[str, str]]:
    """The tree's own answering, with dice that fall alike: (calculator, query) → html, query and summary, or error."""
    import scratch_core.dice
    from build_scripts import render

    setattr(scratch_core.dice, "SystemRoller", QueryDice)  # noqa: B010 -- a class is put in the place of another

    def answered(name: str, query: str) -> dict[str, str]:
        QueryDice.seed = query
        try:
            made = render.render(name, query, ask=True, uid="t")
        except Exception as error:  # a query that fails is a difference to be seen, not the end
            return {"error": repr(error)[:300]}
        return {"html": made.html, "query": made.query, "summary": made.summary}

    return answered


# Gathering


def gather_queries(tree: Path) -> Iterator[tuple[str, str]]:
    """Calculators and queries: of fences, of the tests, of cases and sample scenarios, of hostile inputs, of walks."""
    from build_scripts.fences.registry import list_calculator_fences

    names = sorted(path.stem for path in (tree / "site_overrides" / "calculators").glob("[!_]*.html"))
    yield from ((name, "") for name in names)
    fences = [(fence.name, fence.query) for fence in list_calculator_fences(tree / "docs")]
    scenarios = list(list_scenario_queries(tree))
    tests = list(list_test_queries(tree, names))
    yield from (*fences, *tests, *scenarios, *list_hostile_queries(names))
    fights = [query for name, query in scenarios if name == "fight"]
    starts = [*fences, *tests[::4], *(("fight", query) for query in fights[::3])]
    answered = build_answerer()
    for name, query in starts:
        yield from ((name, each) for each in walk_buttons(answered, name, query))


def list_scenario_queries(tree: Path) -> Iterator[tuple[str, str]]:
    """Every sample and worked case: told at its beginning, middle and end, forked, and gone on with as a fight."""
    from scratch_core.scenario import SAMPLE_SCENARIOS

    cases = sorted((tree / "tests" / "rules" / "cases").glob("*.toml"))
    for text in (*SAMPLE_SCENARIOS.values(), *(path.read_text(encoding="utf-8") for path in cases)):
        told, last = quote(text, safe=""), text.count("do =")
        for step in sorted({0, 1, last // 2, last}):
            yield "replay", f"scenario={told}&step={step}"
        yield "replay", f"scenario={told}&step=1&fork=1.faces%3D3"
        yield "fight", f"log={told}"


def list_test_queries(tree: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    """Texts in the tests of a calculator, and in those in the browser, that are queries."""
    for path in sorted((tree / "tests").rglob("test_*.py")):
        name = next((name for name in names if f"_{name}" in path.stem), "")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            page, mark, query = node.value.partition("/?")
            if mark and page.removeprefix("/").removeprefix("tools/") in names and "=" in query:
                yield page.rpartition("/")[2], query
            elif name and node.value.partition("=")[0].isidentifier() and "=" in node.value and " " not in node.value:
                yield name, node.value


def list_hostile_queries(names: list[str]) -> Iterator[tuple[str, str]]:
    """Inputs that mean harm, in the control that a calculator's page asks for first, and as the whole query."""
    from bs4 import BeautifulSoup

    from tests.fuzz import HOSTILE, typed

    answered = build_answerer()
    for number, name in enumerate(names):
        form = BeautifulSoup(answered(name, "").get("html", ""), "html.parser")
        controls = [str(tag["name"]) for tag in form.select("input[name], textarea[name]")] or ["x"]
        for place, hostile in enumerate(list(HOSTILE)[number % HOSTILE_SHARE :: HOSTILE_SHARE]):
            if len(HOSTILE[hostile]) > 10_000:
                continue  # their answer is that they are too long, and one such tells it
            yield name, f"{controls[place % len(controls)]}={typed(hostile)}"


def walk_buttons(answered: Callable[[str, str], dict[str, str]], name: str, query: str) -> Iterator[str]:
    """Queries that a reader comes to who presses one button after another, a different one each time."""
    from bs4 import BeautifulSoup

    chosen = random.Random(query)
    for _ in range(WALK_LENGTHS.get(name, 3)):
        answer = answered(name, query)
        soup = BeautifulSoup(answer.get("html", ""), "html.parser")
        buttons = [b for b in soup.select("button[name], button[type=submit]") if not b.has_attr("disabled")]
        moves = [b for b in buttons if b.get("value") not in ("setup", "undo", "begin", "new", "clear", "resume")]
        if not moves:
            return
        query = build_press_query(soup, chosen.choice(moves))
        yield query


def build_press_query(soup: Any, button: Any) -> str:
    """What the page would ask when this button of its form is pressed."""
    return format_press_query(list_control_values(soup), button)


def list_control_values(soup: Any) -> dict[str, str]:
    """What a page's controls say, by their names."""
    pairs: dict[str, str] = {}
    for tag in soup.select("input[name], textarea[name], select[name]"):
        if tag.get("type") in ("checkbox", "radio") and not tag.has_attr("checked"):
            continue
        if tag.name == "select":
            option = tag.find("option", selected=True) or tag.find("option")
            value = str(option.get("value", option.get_text())) if option else ""
        elif tag.name == "textarea":
            value = tag.get_text().removeprefix("\n")
        else:
            value = str(tag.get("value", ""))
        if value:
            pairs[str(tag["name"])] = value
    return pairs


def format_press_query(typed: dict[str, str], button: Any) -> str:
    """What is asked with these controls by a press of this button."""
    own = {str(button["name"]): str(button.get("value", ""))} if button.get("name") else {}
    pairs = {**typed, **own}
    return "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs.items())


def main() -> None:
    """Gather the queries where they are not there, answer all of them, write the answers."""
    tree, queries, answers = map(Path, sys.argv[1:])
    sys.path[0] = str(tree)
    if not queries.exists():
        queries.write_text(json.dumps(list(dict.fromkeys(gather_queries(tree)))), encoding="utf-8")
    answered = build_answerer()
    found = [answered(name, query) for name, query in json.loads(queries.read_text(encoding="utf-8"))]
    answers.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
