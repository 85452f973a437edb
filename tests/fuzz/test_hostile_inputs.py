"""Hostile inputs in every control of every calculator get an answer or a message in time, and add no markup."""

import importlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup
from bs4.element import PreformattedString

from build_scripts.render import answer_json_request, render_calculator_response
from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, Query, format_query, parse_query
from scratch_core.dice import FixedRoller
from tests.fuzz import HOSTILE, MET, PICKED, calculators, controls, typed
from tests.fuzz.other_controls import COMPANY
from tests.support.clock import limit_time

IS_WHOLE = bool(os.environ.get("HOSTILE"))
CONTROLS = {name: controls(name) for name in calculators()}
"""Every calculator that has a template, with all its controls."""


def _picked(calculator: str, number: int) -> str:
    """Return one of the most important controls, in turns.

    For a calculator without an entry in `PICKED` it is one of all controls.
    """
    names = PICKED.get(calculator, CONTROLS[calculator])
    return names[number % len(names)]


def _places() -> Iterator[tuple[str, str, list[str]]]:
    """Yield calculators with a control and the inputs typed into it.

    Each calculator gets every input: in turns in its first control, in one of the most important ones and in one of
    all. `HOSTILE=all` in the environment types each into all three. The browser tests type fifty inputs a page into a
    real browser; inside Pyodide a few are enough.
    """
    for calculator, every in CONTROLS.items():
        met: dict[str, list[str]] = {control: [] for control in every}
        for n, name in enumerate(MET):
            chosen = (every[0], _picked(calculator, n // 3), every[n // 3 % len(every)])
            for control in dict.fromkeys(chosen) if IS_WHOLE else (chosen[n % 3],):
                met[control].append(name)
        for control, names in met.items():
            yield from ((calculator, control, some) for some in _lots(names))


def _lots(names: list[str]) -> Iterator[list[str]]:
    """Yield batches of inputs, each for one test.

    A batch gives a worker enough to do and not too much.
    """
    return (names[start : start + 40] for start in range(0, len(names), 40))


def _id(value: Any) -> str | None:
    """Return the id of a test of a batch: its first input."""
    return f"from-{value[0]}" if isinstance(value, list) else None


def with_each(names: Iterable[str], look: Callable[[str], object]) -> None:
    """Check each input.

    Raises an exception group of all failures, each with the name of its input.
    """
    failed: list[Any] = []
    for name in names:
        try:
            look(name)
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"with the input {name!r}")
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} hostile inputs", failed)


OTHER_COMPANY = {
    ("replay", "faces_4"): "replay-taken",
    ("replay", "initiative_1"): "replay-begun",
    **{("fight", name): "fight-check" for name in CONTROLS["fight"] if name.startswith("check")},
    **{("fight", name): "fight-setup" for name in ("sheets", "initiative", "strength_base", "before")},
}
"""Controls that have an effect only with other values than the calculator's usual ones."""

PLACES_OF_PROBLEMS = {
    "odds": importlib.import_module("scratch_core.calculators.odds").CONTROLS,
    "replay": importlib.import_module("scratch_core.calculators.replay").CONTROLS,
    "fight": (*importlib.import_module("scratch_core.calculators.fight").CONTROLS, "act"),
}
LONGEST_MESSAGE = 400
ROLLED = {("dice", "in company"), ("fight", "in company")}


def company(calculator: str, control: str) -> str:
    """Return harmless values of the other controls.

    A sheet is tried alone.
    """
    other = OTHER_COMPANY.get((calculator, control), calculator)
    pairs = [] if control == "sheet" else COMPANY.get(other, "").split("&")
    return "&".join(pair for pair in pairs if not pair.startswith(control + "="))


def queries(calculator: str, control: str, name: str) -> dict[str, str]:
    """Return the queries that contain an input.

    The input is alone and with other controls, as a form sends it. In the first control it is also unescaped, as typed
    into an address, and as the whole query.
    """
    raw = HOSTILE[name]
    by_form = {
        "sent": f"{control}={typed(name)}",
        "in company": f"{company(calculator, control)}&{control}={typed(name)}",
    }
    if control != CONTROLS[calculator][0]:
        return by_form
    return {**by_form, "by hand": f"{control}={raw}", "as the query": f"{raw}&{control}=1"}


def view(calculator: str, query: str, is_rolled: bool) -> Any:
    """Return the calculator's view of a query.

    Its dice roll the highest faces, so that everything that can explode explodes; without `is_rolled` it has no dice.
    """
    module: Any = importlib.import_module(f"scratch_core.calculators.{calculator}")
    return module.view(read(calculator, query), FixedRoller() if is_rolled else None)


def read(calculator: str, query: str) -> Query:
    """Parse a query up to the calculator's maximum length."""
    module: Any = importlib.import_module(f"scratch_core.calculators.{calculator}")
    return parse_query(query, getattr(module, "MAX_QUERY_LENGTH", DEFAULT_MAX_QUERY_LENGTH))


def is_answered(calculator: str, seen: Any) -> bool:
    """Return whether a view has an answer.

    Dice that are not rolled yet have a chart of their chances.
    """
    if calculator == "dice":
        return seen.chart is not None or seen.roll_result is not None
    if calculator == "fight":
        return seen.fight_view is not None or bool(seen.fighters) or seen.phase == "dice"
    if calculator == "initiative":
        return seen.order is not None or seen.is_waiting_for_dice
    if calculator == "house":
        return bool(seen.summary)
    return seen.answer is not None


@pytest.mark.parametrize(("calculator", "control", "names"), list(_places()), ids=_id)
def test_hostile_input_is_answered_in_time(calculator: str, control: str, names: list[str]) -> None:
    """For any text in a control, an answer or a short message comes in time."""
    with_each(names, lambda name: answered(calculator, control, name))


def answered(calculator: str, control: str, name: str) -> None:
    """Check an input in a control in every way it can arrive there."""
    for how, query in queries(calculator, control, name).items():
        for is_rolled in (False, True) if (calculator, how) in ROLLED else (False,):
            with limit_time(how):
                seen = view(calculator, query, is_rolled)
            for problem in seen.problems:
                assert 0 < len(problem.message) <= LONGEST_MESSAGE, f"{how}: {problem.message}"
                assert problem.expected, how
                assert problem.got, how
                assert problem.message.isprintable(), f"{how}: {problem.message!r}"
                assert problem.where in PLACES_OF_PROBLEMS.get(calculator, (problem.where,)), how
            if how == "in company":
                is_empty = not "".join(read(calculator, query).text(control).split())
                assert is_answered(calculator, seen) or seen.problems or is_empty, how
            assert len(seen.summary) <= LONGEST_MESSAGE, how


@pytest.mark.parametrize("control", CONTROLS["dice"])
@pytest.mark.parametrize("names", list(_lots(MET)), ids=_id)
def test_hostile_roll_can_be_reopened(control: str, names: list[str]) -> None:
    """The query of a roll reopens this roll, faces included."""
    with_each(names, lambda name: reopened(control, name))


def reopened(control: str, name: str) -> None:
    """Roll with an input in a control, and reopen the resulting query."""
    for query in (f"{control}={typed(name)}", f"{company('dice', control)}&{control}={typed(name)}"):
        seen = view("dice", query, is_rolled=True)
        if max(len(query), len(seen.query)) > DEFAULT_MAX_QUERY_LENGTH:
            continue  # cut off, and the page says so
        again = view("dice", seen.query, is_rolled=False)
        assert (again.summary, again.query) == (seen.summary, seen.query), query[:200]


# HTML

PROBE = """x zzz-y=1 "zzz-y=1 'zzz-y=1 javascript:zzz></textarea></script></style><zzz-x zzz-y=1><!--zzz"""
"""Text that becomes an element or an attribute wherever it is not escaped."""
FORBIDDEN = {"script", "style", "iframe", "object", "embed", "base", "link", "meta", "img"}
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
STYLE = re.compile(r"(--[a-z]+: [\d.]+(; )?)+")
LEADS = ("?", "../", "rule:", "tool:")
GIVEN_BACK_OTHERWISE = {"show", "way", "dice", "step", "fork", "redo", "picked", "aims", "aim", "stroke", "act"}
"""Controls that return a parsed or selectable value instead of the text as typed."""


def look_at(calculator: str, query: str) -> BeautifulSoup:
    """Render a query, and check its HTML.

    The text is encodable, and no element, attribute or start of a link is an input's own.
    """
    html = render_calculator_response(calculator, query, rolls_dice=True, id_prefix="t").html
    html.encode("utf-8")
    assert not CONTROL_CHARACTER.search(html)
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all(True):
        assert tag.name not in FORBIDDEN, tag
        assert "zzz" not in tag.name, tag
        for name, value in tag.attrs.items():
            assert "zzz" not in name, tag
            assert not name.startswith("on"), tag
            assert name not in ("src", "srcdoc", "action"), tag
            assert name != "style" or STYLE.fullmatch(str(value)), tag
            assert name != "href" or str(value).startswith(LEADS), tag
    assert not soup.find_all(string=lambda text: isinstance(text, PreformattedString))
    return soup


@pytest.mark.parametrize(
    ("calculator", "control"), [(name, each) for name, every in CONTROLS.items() for each in every]
)
def test_typed_text_never_becomes_markup(calculator: str, control: str) -> None:
    """A probe in a control is rendered as text everywhere.

    It is tried alone and with other controls, and its control shows it as typed.
    """
    typed_in = format_query({control: PROBE})
    look_at(calculator, f"{company(calculator, control)}&{typed_in}")
    soup = look_at(calculator, typed_in)
    assert soup.select("[data-answer], [data-problem]"), "neither answer nor problem"
    for problem in soup.select("[data-problem]"):
        assert 0 < len(problem.get_text()) <= LONGEST_MESSAGE + 100
    for control_tag in soup.select(f"input[name={control}]:not([type]), textarea[name={control}]"):
        if control not in GIVEN_BACK_OTHERWISE:
            assert control_tag.get("value", control_tag.get_text().removeprefix("\n")) == PROBE


ROOT = "https://root.example/"
LIKE_LINKS = 'href="rule:act.cover" href="rule:nobody" <figure data-code="x"></figure>'
"""Markup that templates once wrote for a later pass over the page: a real rule, an unknown rule, and a code."""


@pytest.mark.parametrize(
    ("calculator", "control"), [(name, each) for name, every in CONTROLS.items() for each in every]
)
def test_answer_to_text_like_our_links_leaves_it_as_typed(calculator: str, control: str) -> None:
    """Text that looks like the site's links stays as typed and gets no address."""
    typed_in = format_query({control: LIKE_LINKS})
    for query in (typed_in, f"{company(calculator, control)}&{typed_in}"):
        request = {"name": calculator, "query": query, "ask": False, "uid": "t", "root": ROOT}
        answer = json.loads(answer_json_request(json.dumps(request)))
        soup = BeautifulSoup(answer.get("html", ""), "html.parser")
        assert ROOT not in soup.get_text()
        for tag in soup.find_all(True):
            assert not any(ROOT in str(value) for name, value in tag.attrs.items() if name != "href"), tag
        for control_tag in soup.select(f"input[name={control}]:not([type]), textarea[name={control}]"):
            if control not in GIVEN_BACK_OTHERWISE:
                assert control_tag.get("value", control_tag.get_text().removeprefix("\n")) == LIKE_LINKS


@pytest.mark.parametrize(
    ("calculator", "names"),
    [(calculator, some) for k, calculator in enumerate(CONTROLS) for some in _lots(MET[k % 3 :: 3])],
    ids=_id,
)
def test_hostile_input_renders_only_own_markup(calculator: str, names: list[str]) -> None:
    """A hostile input gives only the calculator's own markup.

    It is tried as the whole query and in the first control.
    """
    first = CONTROLS[calculator][0]
    with_each(names, lambda name: look_at(calculator, HOSTILE[name]))
    with_each(names, lambda name: look_at(calculator, f"{first}={typed(name)}"))


@pytest.mark.parametrize("calculator", ["replay", "fight"])
def test_file_texts_never_become_markup(calculator: str) -> None:
    """Titles, names, sides, groups and notes of a file are rendered as text."""
    words = [PROBE[:100], PROBE[-100:]]
    check = {"actor": "a", "do": "check", "difficulty": 1, "faces": [3]}
    tree = {
        "format": "scratch-scenario/1",
        "title": words[0],
        "characters": [
            {"id": own_id, "name": word, "side": f"{own_id}{word}"[:100], "group": word, "description": word}
            | {"abilities": {"toughness": 2, "fighting": 2}}
            for own_id, word in zip("ab", words, strict=True)
        ],
        "initiative": {word: [20 - n] for n, word in enumerate(words)},
        "steps": [{**check, "note": word} for word in words],
        "expect": {"winner": words[-1]},
    }
    control = "scenario" if calculator == "replay" else "log"
    more = {"step": "2", "fork": "2.faces = 4"}
    soup = look_at(calculator, format_query({control: json.dumps(tree), **more}))
    assert soup.select("[data-step], [data-active]"), soup.get_text()[:500]


NAMED = "<zzz-x zzz-y=1>\"zzz-y='1"
"""A probe that can be someone's name."""
PEOPLE = f"{NAMED}\nside: {NAMED}\n2 toughness\n\nBo\nside: b\n2 fighting\n2 toughness"
LINES = f"{NAMED}: side {NAMED}\nBo: side b"
NAMES = {
    "initiative": ("initiative", {"who": f"{NAMED}: stealth 3\nBo", "faces": "bo 3"}),
    "a roll of initiative": ("initiative", {"who": f"{NAMED}: group {NAMED}\nBo"}),
    "a set-up": ("fight", {"sheets": PEOPLE, "act": "choose us"}),
    "a fight": ("fight", {"sheets": PEOPLE, "log": "begin"}),
    "a fight on a screen": ("fight", {"sheets": PEOPLE, "log": "begin", "screen": "on"}),
    "the hand": ("fight", {"sheets": PEOPLE, "log": "begin", "act": "gm-card bo"}),
    "another order": ("fight", {"system": "mano", "fighters": LINES}),
    "a fight of another order": ("fight", {"system": "mano", "fighters": LINES, "log": "begin"}),
    "a board": ("board", {"map": "...", "tokens": "kim@0,0,<zzz-x bo@1,0,'zzz-y=1", "selected": "kim", "space": "2,0"}),
    "a character": ("character", {"name": NAMED, "toughness": "3", "notes": f"toughness: {NAMED}"}),
    "a sheet in play": ("character", {"name": NAMED, "toughness": "3", "at": "play", "play": f"note {NAMED}"}),
    "minions": ("character", {"sheet": "Boss\n4 command\n3 toughness", "minions": f"{NAMED}: 2 toughness"}),
    "a duel": ("odds", {"first_sheet": f"{NAMED}\n2 toughness", "second_sheet": f"{NAMED}\n1 fighting\n1 toughness"}),
}


@pytest.mark.parametrize("place", NAMES)
def test_name_is_never_rendered_as_markup(place: str) -> None:
    """Names, sides, groups and notes are rendered as text everywhere."""
    calculator, fields = NAMES[place]
    assert "zzz-y" in look_at(calculator, format_query(fields)).get_text()
