"""Snapshots of everything that readers see: `python -m tests.support.snapshots [NAME …] [--derived]` rewrites them.

tests/snapshots holds one file for each calculator, with an accessibility outline of each of its states, and one each
for the cast, the glossary and the engine's tables. `--derived` writes the other stored results of the engine too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qsl

from playwright.sync_api import Browser, Page

import scratch_core.dice
from build_scripts.browsers import launch_chromium
from build_scripts.data.worked_combat_chances import TABLE_FILE, is_table_current
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.fences.table import TABLE_RENDERERS, render_table
from build_scripts.render import Rendered, render_calculator_response
from scratch_core.calculators.odds.jobs import clear_duel_jobs
from scratch_core.calculators.shared import win_chances
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import CAST, format_sheet_with_minions
from scratch_core.rulebook import load_glossary
from scratch_core.rulebook.abilities import ABILITY_NAMES
from tests.support.outline import (
    Line,
    Node,
    Shape,
    drop_repeats,
    format_lines,
    load_outlines,
    name_known_folds,
    shorten,
)
from tests.support.states import STATES, UNASKED, UNFINISHED

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"
TABLES_ELSEWHERE = (
    "glossary",
    "rule-index",
    "catalogue-counts",
    *(each for each in TABLE_RENDERERS if each.startswith("rulings-")),
)
"""Tables that list the catalogue: the glossary's snapshot and the rulebook's text have their content."""
SNAPSHOT_NAMES = (
    "fight",
    "replay",
    *(name for name in STATES if name not in ("fight", "replay")),
    "tables",
    "cast",
    "glossary",
)
"""Every snapshot, the slowest first."""


def allow_pieces(pieces: int) -> Callable[[], bool]:
    """Allow so many pieces of work."""
    left = iter(range(pieces))
    return lambda: next(left, None) is not None


def render_state(name: str, state: str, uid: str) -> Rendered:
    """Render a state's answer with dice that roll the same each time."""
    query = STATES[name][state]
    QueryDice.seed = query
    clear_duel_jobs()
    win_chances.clear_chance_jobs()
    pieces = UNFINISHED.get((name, state))
    is_asked = (name, state) not in UNASKED
    return render_calculator_response(
        name,
        query,
        rolls_dice=is_asked,
        id_prefix=uid,
        should_continue=None if pieces is None else allow_pieces(pieces),
    )


# Calculators


@dataclass(frozen=True, slots=True)
class StateAnswer:
    """A state's answer, what its form sends without a press, and what it draws attention to."""

    name: str
    """The calculator."""
    state: str
    """The state's name."""
    answer: Rendered
    """The rendered answer."""
    typed: dict[str, str]
    """What the form sends without a press, by control."""
    attention: list[str]
    """What the answer draws attention to, as `list_attention` returns it."""


def outline_calculator(page: Page, name: str) -> Iterator[str]:
    """Write the outline of each state of a calculator.

    The result of a press is below the first button of its kind.
    """
    folds: dict[Shape, str] = {}
    kinds: set[object] = set()
    answers = [render_state(name, state, f"c{number}") for number, state in enumerate(STATES[name])]
    outlined = load_outlines(page, [answer.html for answer in answers])
    for state, answer, (nodes, typed) in zip(STATES[name], answers, outlined, strict=True):
        shown = StateAnswer(name, state, answer, typed, list_attention(answer.html))
        yield f"# {state}"
        if answer.summary:
            yield f"- status: {answer.summary}"
        yield from (f"- {each}" for each in shown.attention if each.startswith("focus "))
        yield from drop_repeats(add_presses(shown, name_known_folds(list(format_lines(nodes)), state, folds), kinds))


def add_presses(shown: StateAnswer, lines: Iterator[Line], seen: set[object]) -> Iterator[tuple[int, str]]:
    """Add the result below each button and link of a new kind.

    The kinds in `seen` are not new.
    """
    for depth, text, node in lines:
        yield depth, text
        kind = find_press_kind(node)
        if kind and kind not in seen:
            seen.add(kind)
            yield depth + 1, f"press: {describe_press(shown, node)}"
        link = find_link(shown, node)
        if link and link[0] not in seen:
            seen.add(link[0])
            yield depth + 1, f"answer: {describe_link(*link[1:])}"


KIND_KEYS = frozenset(("condition", "do", "on", "use", "what"))
"""Keys of a step that tell its kind; the other keys say who acts, the target, the means and the place."""
_CAST_NAMES = sorted({name for each in CAST for name in (each.id, each.name)}, key=len, reverse=True)
_MEMBER_OR_ABILITY = re.compile(rf"\b(?:{'|'.join(map(re.escape, (*_CAST_NAMES, *ABILITY_NAMES)))})\b")


def find_press_kind(node: Node) -> object:
    """Return what presses of the same kind share.

    Returns None for a node that can't be pressed.
    """
    name, mark, value = node.sends.partition("=")
    if node.role != "button" or not mark or "disabled" in node.states:
        return None
    try:
        step = json.loads(value)
    except ValueError:
        return name, re.sub(r"\d+", "#", _MEMBER_OR_ABILITY.sub("…", value))[:40]
    return (
        (name, *((key, value if key in KIND_KEYS else None) for key, value in step.items()))
        if isinstance(step, dict)
        else name
    )


def describe_press(shown: StateAnswer, node: Node) -> str:
    """Press a button and describe the result.

    This is what is announced, what changes in the query, where the focus goes, what opens, and what is wrong.
    """
    own, _, value = node.sends.partition("=")
    before = shown.answer
    QueryDice.seed = f"{shown.state} {node.sends}"
    after = render_calculator_response(
        shown.name, format_query({**shown.typed, own: value}), rolls_dice=True, should_continue=allow_pieces(3)
    )
    announced = [after.summary] if after.summary not in ("", before.summary) else []
    then = [each for each in list_attention(after.html) if each not in shown.attention]
    return " | ".join((*announced, *list_changes(before.query, after.query), *then)) or "no change"


CALCULATOR_LINK = re.compile(r"(?:\.\./([a-z]+)/)?\?(.+)", re.DOTALL)


def find_link(shown: StateAnswer, node: Node) -> tuple[object, str, str] | None:
    """Return the kind, the calculator and the query of a link to another answer."""
    found = CALCULATOR_LINK.fullmatch(node.properties.get("url", ""))
    place, query = (found[1] or shown.name, found[2]) if found else ("", "")
    if place not in STATES or (place == shown.name and parse_qsl(query) == parse_qsl(shown.answer.query)):
        return None
    return ("link", place, *sorted({key for key, _ in parse_qsl(query)})), place, query


def describe_link(place: str, query: str) -> str:
    """Return what a link's answer announces and draws attention to."""
    QueryDice.seed = query
    after = render_calculator_response(place, query, should_continue=allow_pieces(3))
    return " | ".join(filter(None, (after.summary, *list_attention(after.html)))) or "nothing announced"


FOLD = r'<details class="([^"]*)"[^>]* open[^>]*>'
ATTENTION = re.compile(rf'data-focus="([^"]*)"|{FOLD}|data-problem[^>]*>(.*?)</(?:p|span)>', re.DOTALL)


def list_attention(html: str) -> list[str]:
    """Return what an answer draws attention to.

    This is where the focus goes, the open folds by their class, and what is wrong.
    """
    found = [
        f"focus {focus}" if focus else f"opens {fold}" if fold else wrong
        for focus, fold, wrong in ATTENTION.findall(html)
    ]
    return [" ".join(unescape(re.sub(r"<[^>]*>", "", each)).split()) for each in found]


def list_changes(before: str, after: str) -> Iterator[str]:
    """Compare two queries and yield the changes by control.

    A change has the removed part of the control's text and the new part.
    """
    old, new = (dict(parse_qsl(query, keep_blank_values=True)) for query in (before, after))
    for control in sorted({*old, *new}):
        one, other = old.get(control, ""), new.get(control, "")
        start = count_shared_prefix(one, other)
        end = count_shared_prefix(one[start:][::-1], other[start:][::-1])
        gone, come = (shorten(text[start : len(text) - end]) for text in (one, other))
        if gone or come:
            yield f"{control} −{gone} +{come}"


def count_shared_prefix(one: str, other: str) -> int:
    """Count the characters of the prefix that two texts share."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# The engine's lists


def outline_cast() -> Iterator[str]:
    """Write each member of the cast.

    These are its claims, its figures by the rules, and its own stat block.
    """
    for each in sorted(CAST, key=lambda member: member.name):
        more = "".join(
            f"; {kind} {each_of}" for kind, each_of in (("with", each.minions), ("but", each.misprints)) if each_of
        )
        yield f"# {each.id}, {each.kind}, {each.cp} points, no level above {each.max_level}{more}"
        yield f"- {format_sheet_with_minions(each).splitlines()[0]}"
        yield f"- {'; '.join(each.block.splitlines())}"


def outline_glossary() -> Iterator[str]:
    """Write every term, its meaning, its rule, and whether the text explains it."""
    for term in sorted(load_glossary(), key=lambda each: each.name):
        yield f"{term.name}: {term.meaning} → {term.rule}{'' if term.tooltip else ', unexplained'}"


def outline_tables(page: Page) -> Iterator[str]:
    """Write the outline of each of the engine's tables."""
    names = sorted(set(TABLE_RENDERERS) - set(TABLES_ELSEWHERE))
    for name, (nodes, _) in zip(names, load_outlines(page, [render_table(name) for name in names]), strict=True):
        yield f"# {name}"
        yield from drop_repeats((depth, text) for depth, text, _ in format_lines(nodes))


# Files


def get_snapshot_file(name: str) -> Path:
    """Return the file of a snapshot."""
    return SNAPSHOTS / f"{name}.txt"


def take_snapshot(browser: Browser, name: str) -> str:
    """Return the text of a snapshot as the site is now."""
    if name in ("cast", "glossary"):
        lines = {"cast": outline_cast, "glossary": outline_glossary}[name]()
        return "\n".join(lines) + "\n"
    page = browser.new_page()
    with mock.patch.object(scratch_core.dice, "SystemRoller", QueryDice):
        text = "\n".join(outline_tables(page) if name == "tables" else outline_calculator(page, name)) + "\n"
    page.close()
    return text


def write_snapshot(name: str) -> str:
    """Write a snapshot's file, and return in words whether it has changed."""
    with launch_chromium() as browser:
        text = take_snapshot(browser, name)
    file = get_snapshot_file(name)
    is_same = file.exists() and file.read_text(encoding="utf-8") == text
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return "unchanged" if is_same else "written"


def write_derived() -> None:
    """Write the stored results of the engine that the site is built from."""
    work = [("duel_statistics", "a minute")]
    if is_table_current(TABLE_FILE):
        print(f"{TABLE_FILE.name}: unchanged, the engine plays the worked combat as before", flush=True)
    else:
        work.append(("worked_combat_chances", "two minutes, many more on a busy machine"))
    for name, length in work:
        print(f"build_scripts.data.{name}: about {length} …", flush=True)
        subprocess.run([sys.executable, "-m", f"build_scripts.data.{name}"], check=True)


def main() -> None:
    """`python -m tests.support.snapshots [NAME …] [--derived]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[[], *SNAPSHOT_NAMES], metavar="NAME", help=", ".join(SNAPSHOT_NAMES)
    )
    parser.add_argument("--derived", action="store_true", help="the other stored results of the engine too")
    arguments = parser.parse_args()
    begun, names = time.monotonic(), arguments.names or SNAPSHOT_NAMES
    with ProcessPoolExecutor(min(len(names), os.cpu_count() or 1)) as pool:
        jobs = {pool.submit(write_snapshot, name): name for name in names}
        for done, job in enumerate(as_completed(jobs), 1):
            seconds = time.monotonic() - begun
            file = get_snapshot_file(jobs[job]).relative_to(SNAPSHOTS.parent.parent)
            print(f"{done} of {len(names)}, {seconds:.0f} s: {file} {job.result()}", flush=True)
    if arguments.derived:
        write_derived()


if __name__ == "__main__":
    main()
