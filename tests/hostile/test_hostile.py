"""Hostile inputs in every control of every calculator: an answer or a sentence, in time, and never any markup."""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from scratch_core.calculators.query import LIMIT, Query, parse_query, query_string
from scratch_core.catalogue import SWITCHES, setting_words
from scratch_core.scenario import SHIPPED
from tests.clock import in_time
from tests.hostile import HOSTILE, MET, PICKED, calculators, controls, typed
from tests.hostile.company import COMPANY

IS_WHOLE = bool(os.environ.get("HOSTILE"))
CONTROLS = {name: controls(name) for name in calculators()}
"""Every calculator that there is a template for, with every control."""


def _picked(calculator: str, number: int) -> str:
    """One of the controls that matter most, in turns; of a calculator that nobody has looked at yet, one of all."""
    names = PICKED.get(calculator, CONTROLS[calculator])
    return names[number % len(names)]


def _places() -> Iterator[tuple[str, str, list[str]]]:
    """Calculators with a control and the inputs typed there.

    That is every input in each calculator, in turns in its first control, in one of those that matter most and in one
    of all; `HOSTILE=all` in the environment types each in all three. Fifty a page are typed into a real browser; inside
    Pyodide a taste is enough.
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
    """Inputs that one test meets, so many at a time that a worker has enough to do and not too much."""
    return (names[start : start + 40] for start in range(0, len(names), 40))


def _id(value: Any) -> str | None:
    """How a test of a lot of inputs is called: by the first of them."""
    return f"from-{value[0]}" if isinstance(value, list) else None


def with_each(names: Iterable[str], look: Callable[[str], None]) -> None:
    """Look at each input; all that fail are told, each with its name."""
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
"""Controls that only matter beside others than the calculator's usual ones."""

PLACES_OF_PROBLEMS = {
    "odds": importlib.import_module("scratch_core.calculators.odds").CONTROLS,
    "replay": importlib.import_module("scratch_core.calculators.replay").CONTROLS,
    "fight": (*importlib.import_module("scratch_core.calculators.fight").CONTROLS, "act"),
}
LONGEST_MESSAGE = 400
ROLLED = {("dice", "in company"), ("fight", "in company")}


class LoadedRoller:
    """A roller whose every die shows its highest face, so that whatever can explode does."""

    def roll(self, sides: int) -> int:
        """Give the highest face."""
        return sides


def company(calculator: str, control: str) -> str:
    """The other controls, harmlessly filled in; a sheet stands alone."""
    other = OTHER_COMPANY.get((calculator, control), calculator)
    pairs = [] if control == "sheet" else COMPANY.get(other, "").split("&")
    return "&".join(pair for pair in pairs if not pair.startswith(control + "="))


def queries(calculator: str, control: str, name: str) -> dict[str, str]:
    """An input alone and in company, as a form sends it; in the first control also as it comes without a form.

    That is as a hand types it into an address, and as the whole query.
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
    """The calculator's view of a query, with the loaded roller or with none."""
    module: Any = importlib.import_module(f"scratch_core.calculators.{calculator}")
    return module.view(read(calculator, query), LoadedRoller() if is_rolled else None)


def read(calculator: str, query: str) -> Query:
    """A query, read as far as the calculator reads it."""
    module: Any = importlib.import_module(f"scratch_core.calculators.{calculator}")
    return parse_query(query, getattr(module, "QUERY_LIMIT", LIMIT))


def is_answered(calculator: str, seen: Any) -> bool:
    """Whether a view holds an answer; dice that nobody has rolled yet have their chances."""
    if calculator == "dice":
        return seen.chart is not None or seen.rolled is not None
    if calculator == "fight":
        return seen.shown is not None or bool(seen.fighters) or seen.phase == "dice"
    if calculator == "initiative":
        return seen.order is not None or seen.is_waiting
    if calculator == "house":
        return bool(seen.summary)
    return seen.answer is not None


def test_there_are_more_than_a_hundred_hostile_inputs() -> None:
    """The list is long, and no two entries are the same."""
    assert len(HOSTILE) >= 250
    assert len(set(HOSTILE.values())) == len(HOSTILE)


@pytest.mark.parametrize(("calculator", "control", "names"), list(_places()), ids=_id)
def test_a_hostile_input_is_answered_in_time_with_a_sentence(calculator: str, control: str, names: list[str]) -> None:
    """Whatever stands in a control, the view comes in time and holds an answer or a short sentence."""
    with_each(names, lambda name: answered(calculator, control, name))


def answered(calculator: str, control: str, name: str) -> None:
    """Look at one input in one control, however it may come there."""
    for how, query in queries(calculator, control, name).items():
        for is_rolled in (False, True) if (calculator, how) in ROLLED else (False,):
            with in_time(how):
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
def test_a_hostile_roll_can_be_reopened(control: str, names: list[str]) -> None:
    """The query that comes back with a roll reopens this very roll, faces included, whatever else was typed."""
    with_each(names, lambda name: reopened(control, name))


def reopened(control: str, name: str) -> None:
    """Roll with one input in one control, and reopen what comes back."""
    for query in (f"{control}={typed(name)}", f"{company('dice', control)}&{control}={typed(name)}"):
        seen = view("dice", query, is_rolled=True)
        if max(len(query), len(seen.query)) > LIMIT:
            continue  # cut off, and the page says so
        again = view("dice", seen.query, is_rolled=False)
        assert (again.summary, again.query) == (seen.summary, seen.query), query[:200]


# HTML. What the harmless queries print is all the markup there may ever be.

FORKS = ("", "1.faces%3D1", "4.faces%3D1,2", "4.do%3Dshoot", "0.x%3D3", "initiative.flipfire%3D1", "99.do%3Dshoot", "x")
FOUGHT = COMPANY["fight"].split("&")[0]
FIGHT_MORE = (
    *("act=undo", "act=setup", "act=x", "act=%7B%7D", "faces=x", "redo=x", "note=x", "check_difficulty=x&act=check"),
    *('redo=[{"do":"nothing","actor":"flipfire"}]', "act=undo&redo=x", "picked=breakhelm%20flipfire%20chokestar"),
    *("faces=x&act=check&check_difficulty=3", 'act={"actor":"flipfire","do":"shoot"}&note=x&faces=3', "who=flipfire"),
    *('act={"do":"end-encounter"}', "act=check&check_difficulty=3&check_ability=shooting&check_requires=true&note=x"),
)
TIED: dict[str, Any] = {
    "format": "scratch-scenario/1",
    "title": "Two of a kind",
    "rulings": {"strength_base": 8},
    "characters": [
        {
            "id": each,
            "name": each.upper(),
            "group": group,
            "side": side,
            "here": ["level", "cover", "throwable", "water", "open-air"],
            "abilities": dict.fromkeys(("toughness", "blasting", "fighting", "craftsmanship", "stealth", "flying"), 2),
        }
        for each, group, side in (("a", "x", "red"), ("b", "x", "red"), ("c", "y", "blue"), ("d", "y", "blue"))
    ]
    + [{"id": "e", "abilities": {}, "hp": 0}],
    "initiative": {"x": [10, 3], "y": [10, 5], "e": [1]},
    "steps": [{"actor": "a", "do": "check", "difficulty": 1, "faces": [20], "note": "x"}],
}
CRAFTED: tuple[tuple[list[Any], dict[str, str]], ...] = (
    ([], {}),
    ([], {"picked": "c blast:blasting d"}),
    ([{"actor": "c", "do": "blast", "targets": ["a", "b"], "faces": [20, 2]}], {}),
    ([{"actor": "c", "do": "take-cover"}, {"actor": "d", "do": "evade"}, {"actor": "a", "do": "engage"}], {}),
    ([{"do": "end-encounter"}], {}),
)

HARMLESS = {
    "odds": (
        *("", "first=x&here=x&begins=x&escape=x", "first=rat&second=rat", "first=rat&second=elephant&here=level"),
        *(
            "first_sheet=x&second_sheet=x",
            "first_sheet=A%0A2 fighting&second_sheet=B%0A1 toughness",
            "first=rat&second=x",
        ),
        *("first_sheet=A%0A99 toughness&second=rat", "first_sheet=A%0A1 fighting%0A%0AB%0A2 fighting&second=rat"),
        *("first_sheet=A%0Ahp: 99%0A2 toughness&second=rat", "second_sheet=A%0Ahere: x%0A2 toughness&first=rat"),
    ),
    "dice": (
        *("", "roll=d20", "roll=d20+3&against=13&faces=20", "roll=4d6kh3&faces=1,2,3,4", "roll=d20&against=99"),
        *("roll=d6!r1[fire]+2d20kh1*2-(3)&against=x&faces=7", "roll=d20 vs 5&bonus=2&faces=1", "roll=500d1000"),
        *("roll=d6&faces=9", "roll=d0&against=x&bonus=x&faces=x", "roll=d6!&faces=6,2", "roll=2d6r1&faces=1,2,3"),
        *("roll=-d1", "roll=3&faces=", "roll=d1000", "roll=40d6", "roll=500d2!20", "roll=5&against=3"),
    ),
    "character": (
        *("", "name=Eve&shooting=9&toughness=3&command=4&minions=2%20toughness%0A3%20toughness", "shooting=x"),
        *("sheet=Bo%20(10%20agility,%2099%20strength):%20big%0A9%20shooting:%20gun%0A3%20stalking%0A2%20piloting",),
        *(
            "minions=x&cp=x&max_level=x&show=x&strength_base=x&strength_use_max=x&name=&shooting=-1&toughness=3",
            "sheet=x",
        ),
        *("show=weights&toughness=3", "show=levels,limits,figures,weights,minions,actions,audit,text&craftsmanship=2"),
        *(
            "sheet=A%0A3%20toughness%0A4%20command%0A%0AB%0Aminion of A%0A2%20toughness%0A%0AC%0A1%20flying",
            "toughness=0",
        ),
        *(
            "swimming=1&toughness=9&strength_base=8&strength_use_max=true",
            "stealth=3&show=text",
            "stealth=3&show=audit",
        ),
    ),
    "board": (
        "",
        "map=..x",
        "map=.%23o^~wE/......&tokens=a@0,0,1%20b@3,1,2%20c@4,1,3%20d@5,1,4%20e@3,0&selected=a&space=2,1&flying=5",
        "map=.%23o^~wE/.......&tokens=a@0,0,1%20b@3,1,2%20c@4,1,3%20d@5,1,4%20e@3,0&selected=a&space=2,1&flying=5",
        "map=...../.....&tokens=a@0,0,1%20b@4,0,2&selected=a&space=3,0&interrupt_move=arrive&cover=1,1&throwable=1,1",
        "map=...../.....&tokens=a@0,0,1%20b@0,1,2&selected=a&space=3,0&cramped=1,1&injured=true&shape=hex",
        "map=...../.....&tokens=a@0,0,1%20b@0,1,2&selected=a&space=1,0&interrupt_move=x&shape=x&injured=x&quickness=x",
        "map=...../.....&tokens=a@0,0,1%20b@0,1,2&selected=a&space=4,0&quickness=-1&flying=x&stroke=x&act=x",
        "map=.%23.&tokens=a@0,0,1%20b@2,0,2%20x&selected=a&space=2,0&cover=x&throwable=x&cramped=x",
        "map=...&tokens=a@0,0%20b@0,0&selected=x&space=x",
        "map=...&space=1,0&stroke=put-a:%200,0&shape=hex",
    ),
    "house": (
        *("", "cp=14&max_level=5&strength_base=8", "cp=x&max_level=x&strength_base=x&corners=x", "cp=14&rulebook=1"),
        "&".join(f"{each.name}={setting_words(each.choices[-1])}" for each in SWITCHES),
    ),
    "initiative": (
        *("", "who=Ash", "system=x&who=x:x&faces=x&detection_multiplier=x", "system=seize&seize_on_total=x&who=A"),
        *("who=A:%20stealth%203,%20group%20g%0AB:%20group%20g%0AC:%20reach%201&faces=g%2012,%20c%2018%205", "who=:"),
        *(
            "system=mano&who=A%0AB&ambush=A%20fails,%20B%20fails",
            "system=mano&who=A%0AB&first=A,%20B&faces=A%203,%20b%204",
        ),
        *("system=mano-old&who=A%0AB&ambush=A,%20B", "system=mano-old&who=A%0AB&ambush=A&first=x&seize_on_total=x"),
        *(
            "system=seize&who=A:%203,%20group%20g%0AB:%20group%20g%0AC&faces=g%2020,%20c%201",
            "system=mano&who=A&first=x",
        ),
        *("system=mano&who=A%0AB&ambush=x", "system=mano&who=A%0AB&ambush=A,%20B,%20A%20fails"),
    ),
    "replay": (
        *("", "scenario=x", "scenario=x%3D1&step=x&fork=x&way=x&dice=x&strength_base=x", "scenario=worked-combat"),
        *(f"scenario=worked-combat&step={step}&fork={fork}" for step in (0, 1, 2, 4, 15, 99) for fork in FORKS),
        *(f"scenario=worked-combat&step=4&{name}=x&way=base-8" for name in ("fork", "way", "dice", "strength_base")),
        query_string({"scenario": SHIPPED["worked-combat"].replace("faces = [11]\n", ""), "step": "1"}),
        query_string({"scenario": SHIPPED["worked-combat"].replace("faces = [11]\n", "faces = []\n"), "step": "1"}),
        query_string({"scenario": SHIPPED["worked-combat"].replace("toughness = 6", "toughness = 60"), "step": "1"}),
        query_string({"scenario": SHIPPED["worked-combat"].replace('winner = "', 'winner = "x'), "step": "15"}),
        query_string({"scenario": SHIPPED["worked-combat"].split("[[steps]]")[0]}),
        query_string({"scenario": json.dumps(TIED), "step": "0"}),
    ),
    "fight": (
        *("", "sheets=x", "log=x", "redo=x", "before=x", COMPANY["fight-setup"], COMPANY["fight-check"]),
        *(
            COMPANY["fight-setup"].replace("log=begin", f"{name}=x")
            for name in ("initiative", "strength_base", "before")
        ),
        *(f"{FOUGHT}&{more}" for more in FIGHT_MORE),
        query_string({"log": SHIPPED["worked-combat"]}),
        query_string({"log": json.dumps({key: value for key, value in TIED.items() if key != "initiative"})}),
        *(query_string({"log": json.dumps({**TIED, "steps": steps}), **more}) for steps, more in CRAFTED),
        "x" * 1_200_000,
    ),
}
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
KNOWN_VALUES = re.compile(r"[A-Za-z0-9 _.,:;%()/+-]*")
FREE_ATTRIBUTES = {
    *("value", "data-copy", "data-text", "data-share", "data-kept-name", "data-title", "data-rules"),
    *("href", "aria-label", "title", "placeholder", "alt"),
}
"""Attributes whose values may quote what was typed; they can't do anything with it."""

FIXED_VALUES = {("button", "data-press", "[data-next]")}


def html_of(calculator: str, query: str, ask: bool) -> str:
    """The calculator's HTML for a query; it is proper text and can be sent."""
    pytest.importorskip("jinja2")
    calculator_html = pytest.importorskip("build_scripts.calculator_html")
    html: str = calculator_html.render(calculator, query, ask=ask, uid="t").html
    html.encode("utf-8")
    assert not CONTROL_CHARACTER.search(html), "control characters in the HTML"
    return html


def soup_of(calculator: str, query: str) -> Any:
    """The calculator's HTML for a query that is asked, parsed."""
    bs4 = pytest.importorskip("bs4")
    return bs4.BeautifulSoup(html_of(calculator, query, ask=True), "html.parser")


def markup(soup: Any) -> set[tuple[str, str]]:
    """Every element with every name of an attribute that it has, as pairs; an element alone as (name, "")."""
    return {(tag.name, name) for tag in soup.find_all(True) for name in ("", *tag.attrs)}


@pytest.fixture(scope="module")
def known() -> dict[str, set[tuple[str, str]]]:
    """The markup of harmless queries, calculator by calculator; what two queries give alike is read once."""
    bs4 = pytest.importorskip("bs4")
    found: dict[str, set[tuple[str, str]]] = {}
    for calculator, harmless in HARMLESS.items():
        for html in {html_of(calculator, query, ask) for query in harmless for ask in (False, True)}:
            found.setdefault(calculator, set()).update(markup(bs4.BeautifulSoup(html, "html.parser")))
    return found


@pytest.mark.heavy
def test_the_markup_known_is_harmless(known: dict[str, set[tuple[str, str]]]) -> None:
    """No calculator has scripts, frames, inline styles but numbers for its stylesheet, or event handlers of its own."""
    pairs = set().union(*known.values())
    assert {"form", "input", "textarea", "button", "table"} <= {tag for tag, _ in pairs}
    assert not {tag for tag, _ in pairs} & {
        "script",
        "style",
        "iframe",
        "object",
        "embed",
        "base",
        "link",
        "meta",
        "img",
    }
    assert not [name for _, name in pairs if name.startswith("on") or name in ("src", "srcdoc", "action")]
    html = "".join(html_of(name, query, ask=False) for name, queries in HARMLESS.items() for query in queries)
    styles = re.findall(r' style="([^"]*)"', html)
    assert not [each for each in styles if not re.fullmatch(r"(--[a-z]+: [\d.]+(; )?)+", each)]


def look_at(soup: Any, known: set[tuple[str, str]]) -> None:
    """Look at parsed HTML: nothing in it is markup that the input brought along."""
    assert markup(soup) <= known, markup(soup) - known
    for tag in soup.find_all(True):
        for name, value in tag.attrs.items():
            text = " ".join(value) if isinstance(value, list) else value
            if name == "href":
                assert (
                    text.startswith(("?", "../fight/?", "../fight/#?", "../replay/?", "../odds/?", "rule:"))
                    or text == "../board/"
                ), text[:100]
            elif name not in FREE_ATTRIBUTES and (tag.name, name, text) not in FIXED_VALUES:
                assert KNOWN_VALUES.fullmatch(text), (tag.name, name, text[:100])
    assert not soup.find_all(string=lambda text: type(text).__name__ in ("Comment", "CData", "Doctype", "Declaration"))


def text_in(soup: Any, control: str) -> str:
    """What stands in a control; a text area's first line end is not part of it."""
    tags = soup.find_all(["input", "textarea", "select"], attrs={"name": control})
    assert tags, f"no control {control}"
    if tags[0].name == "textarea":
        return str(tags[0].get_text().removeprefix("\n"))
    if tags[0].name == "select":
        return str(tags[0].find("option", selected=True)["value"])
    return str(tags[0].get("value", ""))


def as_sent(name: str) -> str:
    """An input as a control gives it back: control characters as spaces, a lone surrogate as the replacement sign."""
    text = HOSTILE[name].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return "".join(" " if (c < " " and c not in "\n\t") or c == "\x7f" else c for c in text)


FORMS = {
    "dice": ("dice", ("roll", "against", "bonus", "faces")),
    "dice-in-company": ("dice", ("bonus", "against")),
    "sheet": ("character", ("sheet",)),
    "board": ("board", ("map", "tokens", "selected", "space", "cover", "quickness")),
    "board-in-company": ("board", ("tokens", "quickness")),
    "blocks": ("odds", ("first_sheet", "second_sheet", "here", "begins")),
    "ground-in-company": ("odds", ("here", "escape", "first")),
    "people": ("initiative", ("who", "faces")),
    "levels": ("character", ("name", "shooting", "toughness", "cp", "max_level", "minions", "show")),
    "scenario": ("replay", ("scenario", "way", "strength_base", "dice", "step", "fork")),
    "fork-in-company": ("replay", ("fork", "way", "dice", "step")),
    "taken-in-company": ("replay-taken", ("faces_4", "do_4", "with_4", "target_4")),
    "sheets": ("fight", ("sheets", "initiative", "strength_base", "before")),
    "log": ("fight", ("log", "redo", "before", "sheets")),
    "act-in-company": ("fight", ("act", "faces", "note", "redo", "who", "picked")),
    "check-in-company": ("fight-check", ("faces", "note", "check_actor", "check_ability", "check_difficulty")),
}
CHANGED = {
    "replay": {"way", "dice", "step", "fork", "faces_4", "do_4", "with_4", "target_4"},
    "fight": {"redo", "who", "picked", "act", "check_actor", "check_ability"},
}
"""Controls that give back what was made of a text, or what can be chosen, and not the text as it was typed."""


@pytest.mark.parametrize(
    ("form", "names"),
    [(form, some) for k, form in enumerate(FORMS) for some in _lots(MET[k % 6 :: 6])],
    ids=_id,
)
def test_a_hostile_input_never_becomes_markup(
    form: str, names: list[str], known: dict[str, set[tuple[str, str]]]
) -> None:
    """The HTML has no element and no attribute from the input, and what was typed stands in its control as it was."""
    with_each(names, lambda name: no_markup(form, name, known))


def no_markup(form: str, name: str, known: dict[str, set[tuple[str, str]]]) -> None:
    """Look at the HTML of a form with one input in its controls."""
    friends, controls = FORMS[form]
    calculator = friends.split("-")[0]
    hostile = "&".join(f"{control}={typed(name)}" for control in controls)
    others = "&".join(
        pair for pair in COMPANY[friends].split("&") if "company" in form and pair.split("=")[0] not in controls
    )
    query = f"{others}&{hostile}"
    soup = soup_of(calculator, query)
    look_at(soup, known[calculator])
    seen = read(calculator, query)
    for control in controls:
        if control == "show" or control not in seen or control in CHANGED.get(calculator, ()):
            continue  # no control of the form; or cut off, and the page says so
        if seen.cut and calculator == "fight":
            assert soup.select("[data-problem][data-field=log]"), "not said that it is too long"
            break
        kept, sent = text_in(soup, control), seen.text(control) if seen.cut else as_sent(name)
        if calculator == "replay" and control != "scenario":
            sent = sent.strip()
        if control not in (
            "sheet",
            "minions",
            "scenario",
            "sheets",
            "log",
            "before",
            "who",
            "first_sheet",
            "second_sheet",
        ):  # one line: HTML has no line ends there
            kept, sent = kept.replace("\n", ""), sent.replace("\n", "")
        if calculator == "character" and len(as_sent(name)) * len(controls) > LIMIT:
            # of what is typed it reads no more than others (an escape may be cut in two), more of what is handed over
            kept, sent = kept[:-3], sent[: len(kept) - 3]
        assert kept == sent, f"{control}: {kept[:100]!r} instead of {sent[:100]!r}"
    assert soup.select("[data-answer], [data-problem]") or not as_sent(name).strip(), "neither answer nor problem"
    for problem in soup.select("[data-problem]"):
        assert 0 < len(problem.get_text()) <= LONGEST_MESSAGE + 100
        assert problem["data-field"] in PLACES_OF_PROBLEMS.get(calculator, {*CONTROLS[calculator], "toughness"})


@pytest.mark.parametrize(
    ("calculator", "names"),
    [(calculator, some) for k, calculator in enumerate(CONTROLS) for some in _lots(MET[k % 3 :: 3])],
    ids=_id,
)
def test_a_hostile_query_never_becomes_markup(
    calculator: str, names: list[str], known: dict[str, set[tuple[str, str]]]
) -> None:
    """A whole query string that makes no sense gives the calculator's own markup and nothing else."""
    with_each(names, lambda name: look_at(soup_of(calculator, HOSTILE[name]), known[calculator]))


@pytest.mark.parametrize("calculator", ["replay", "fight"])
@pytest.mark.parametrize("names", list(_lots(MET[::4])), ids=_id)
def test_hostile_words_in_a_file_never_become_markup(
    calculator: str, names: list[str], known: dict[str, set[tuple[str, str]]]
) -> None:
    """Titles, names, sides, groups and notes of a file, four inputs at a time, are printed as the words they are."""
    with_each(names, lambda first: printed_as_words(calculator, first, known))


def printed_as_words(calculator: str, first: str, known: dict[str, set[tuple[str, str]]]) -> None:
    """Look at the HTML of a file in which an input and the three after it are the words."""
    place = list(HOSTILE).index(first)
    words = [text[:100] for text in list(HOSTILE.values())[place : place + 4]]
    groups = [word if word.strip() else f"x{n}" for n, word in enumerate(words)]
    characters = [
        {**each, "name": word, "side": f"{n}{word}"[:100], "group": group, "description": word}
        for n, (each, word, group) in enumerate(zip(TIED["characters"], words, groups, strict=False))
    ]
    check = {"actor": "a", "do": "check", "difficulty": 1, "faces": [3]}
    tree = {**TIED, "title": words[0], "characters": characters, "steps": [{**check, "note": each} for each in words]}
    tree["initiative"] = {group: [20 - n] for n, group in enumerate(groups)}
    text = json.dumps({**tree, "expect": {"winner": words[-1]}})
    control = "scenario" if calculator == "replay" else "log"
    more = {"step": str(len(words)), "fork": f"{len(words)}.faces = 4"}
    soup = soup_of(calculator, query_string({control: text, **more}))
    look_at(soup, known[calculator])
    assert soup.select("[data-step], [data-active]"), soup.get_text()[:500]
