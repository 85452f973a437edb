"""Answer many queries with the engine and the templates of one tree. `compare_output` runs this file for each tree.

`python query_corpus.py TREE QUERIES ANSWERS`: if the file QUERIES does not exist, the queries are collected from TREE
first. Every import is from TREE, so this file may be newer than the tree that it checks.
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
"""Each calculator gets every fifth hostile input, starting at a different one."""

WALK_LENGTHS = {"dice": 4, "character": 6, "initiative": 6, "board": 8, "replay": 8, "fight": 14}
"""The number of buttons that a walk presses in a row; 3 for other calculators."""


class QueryDice:
    """Dice that always roll the same numbers for the same query.

    They are independent of `scratch_core`, whose rollers may differ in an older tree.
    """

    seed = ""

    def __init__(self) -> None:
        self.source = random.Random(self.seed)

    def roll(self, sides: int) -> int:
        """Roll a die."""
        return self.source.randint(1, sides)


def build_repeatable_answerer() -> Callable[[str, str], dict[str, str]]:
    """Return a function that answers a query with the tree's engine and repeatable dice.

    It takes a calculator and a query, and returns `html`, `query` and `summary`, or `error`.
    """
    import scratch_core.dice
    from build_scripts import render

    setattr(scratch_core.dice, "SystemRoller", QueryDice)  # noqa: B010 -- replaces a class

    def answer(name: str, query: str) -> dict[str, str]:
        QueryDice.seed = query
        try:
            rendered = render.render_calculator_response(name, query, rolls_dice=True, id_prefix="t")
        except Exception as error:  # a failing query is a difference, and must not end the run
            return {"error": repr(error)[:300]}
        return {"html": rendered.html, "query": rendered.query, "summary": rendered.summary}

    return answer


# Queries


def gather_queries(tree: Path) -> Iterator[tuple[str, str]]:
    """Yield pairs of a calculator and a query.

    They come from fences, tests, cases and sample scenarios, hostile inputs, and walks from some of these.
    """
    from build_scripts.fences.registry import list_calculator_fences

    names = sorted(path.stem for path in (tree / "site_overrides" / "calculators").glob("[!_]*.html"))
    yield from ((name, "") for name in names)
    fences = [(fence.name, fence.query) for fence in list_calculator_fences(tree / "docs")]
    scenarios = list(list_scenario_queries(tree))
    tests = list(list_test_queries(tree, names))
    yield from (*fences, *tests, *scenarios, *list_hostile_queries(names))
    fights = [query for name, query in scenarios if name == "fight"]
    starts = [*fences, *tests[::4], *(("fight", query) for query in fights[::3])]
    answer = build_repeatable_answerer()
    for name, query in starts:
        yield from ((name, each) for each in list_random_press_queries(answer, name, query))


def list_scenario_queries(tree: Path) -> Iterator[tuple[str, str]]:
    """Yield queries for every sample and worked case.

    The replay shows its beginning, middle and end, and a fork, and the fight continues it.
    """
    from scratch_core.scenario import SAMPLE_SCENARIOS

    cases = sorted((tree / "tests" / "rules" / "cases").glob("*.toml"))
    for text in (*SAMPLE_SCENARIOS.values(), *(path.read_text(encoding="utf-8") for path in cases)):
        quoted, last = quote(text, safe=""), text.count("do =")
        for step in sorted({0, 1, last // 2, last}):
            yield "replay", f"scenario={quoted}&step={step}"
        yield "replay", f"scenario={quoted}&step=1&fork=1.faces%3D3"
        yield "fight", f"log={quoted}"


def list_test_queries(tree: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the queries in the strings of a calculator's tests and of browser tests."""
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
    """Yield hostile inputs in a control of each calculator's first page.

    If the page has no control, the input is in one called `x`.
    """
    from bs4 import BeautifulSoup

    from tests.fuzz import HOSTILE, typed

    answer = build_repeatable_answerer()
    for number, name in enumerate(names):
        form = BeautifulSoup(answer(name, "").get("html", ""), "html.parser")
        controls = [str(tag["name"]) for tag in form.select("input[name], textarea[name]")] or ["x"]
        for index, hostile in enumerate(list(HOSTILE)[number % HOSTILE_SHARE :: HOSTILE_SHARE]):
            if len(HOSTILE[hostile]) > 10_000:
                continue  # the response only says that it is too long
            yield name, f"{controls[index % len(controls)]}={typed(hostile)}"


def list_random_press_queries(
    answer_query: Callable[[str, str], dict[str, str]], name: str, query: str
) -> Iterator[str]:
    """Yield the queries of a user who presses one random button after another."""
    from bs4 import BeautifulSoup

    chosen = random.Random(query)
    for _ in range(WALK_LENGTHS.get(name, 3)):
        answer = answer_query(name, query)
        soup = BeautifulSoup(answer.get("html", ""), "html.parser")
        buttons = [b for b in soup.select("button[name], button[type=submit]") if not b.has_attr("disabled")]
        moves = [b for b in buttons if b.get("value") not in ("setup", "undo", "begin", "new", "clear", "resume")]
        if not moves:
            return
        query = build_press_query(soup, chosen.choice(moves))
        yield query


def build_press_query(soup: Any, button: Any) -> str:
    """Return the query that the page sends when this button of its form is pressed."""
    return format_press_query(collect_control_values(soup), button)


def collect_control_values(soup: Any) -> dict[str, str]:
    """Return the values of a page's controls by name."""
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
    """Format the query of these values when this button is pressed."""
    own = {str(button["name"]): str(button.get("value", ""))} if button.get("name") else {}
    pairs = {**typed, **own}
    return "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs.items())


def main() -> None:
    """Collect the queries unless the file exists, answer them, and write the responses."""
    tree, queries, answers = map(Path, sys.argv[1:])
    sys.path[0] = str(tree)
    if not queries.exists():
        queries.write_text(json.dumps(list(dict.fromkeys(gather_queries(tree)))), encoding="utf-8")
    answered = build_repeatable_answerer()
    responses = [answered(name, query) for name, query in json.loads(queries.read_text(encoding="utf-8"))]
    answers.write_text(json.dumps(responses), encoding="utf-8")


if __name__ == "__main__":
    main()
