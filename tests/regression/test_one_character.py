"""One state of a character: moves between sheet, editor, saved list and fight change no damage, condition or roll."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import fight
from scratch_core.calculators.character import View, view
from scratch_core.calculators.characters_text.sheet_log import (
    LoggedRoll,
    SheetState,
    apply_steps,
    format_steps,
    parse_steps,
)
from scratch_core.calculators.shared.query import format_query, parse_query
from tests.regression.sample import generator, sample_size
from tests.support.known import require

MOVES_PER_STORY = 10
TOUGHNESS = 5
SHEET = f"Ria\n{TOUGHNESS} toughness\n3 shooting\n1 detection"
LEVELS = {"name": "Ria", "toughness": str(TOUGHNESS), "shooting": "3", "detection": "1"}


def controls_of(html: str) -> dict[str, str]:
    """Return the values that the page's form would send, by control."""
    page = BeautifulSoup(html, "html.parser")
    values = {}
    for control in page.select("input[name], select[name], textarea[name]"):
        kind = control.get("type", "")
        if kind in ("submit", "file") or (kind in ("radio", "checkbox") and not control.has_attr("checked")):
            continue
        if control.name == "select":
            option = control.select_one("option[selected]") or control.select_one("option")
            values[str(control["name"])] = str(option["value"]) if option else ""
        else:
            text = control.text.removeprefix("\n") if control.name == "textarea" else control.get("value", "")
            values[str(control["name"])] = str(text)
    return {name: value for name, value in values.items() if value}


@dataclass
class Browser:
    """A simulation of the scripts: send the form, save the answer in the open entry, and pass on the saved entries."""

    entries: dict[int, dict[str, str]] = field(default_factory=dict)
    """The saved entries by id, the latest last: name, query and summary."""
    open_id: int = 0
    """The id of the open entry; 0 if none is open."""
    query: str = ""
    """The query of the latest answer."""

    def answer(self, query: str, *, is_new: bool = False) -> View:
        """Answer a query and save the answer.

        A new query is saved in a new entry.
        """
        seen = view(parse_query(query), None)
        if is_new or not self.open_id:
            self.open_id = max(self.entries, default=0) + 1
        self.entries.pop(self.open_id, None)
        self.entries[self.open_id] = {"name": seen.saved_name, "query": seen.query, "summary": seen.saved_summary}
        self.query = seen.query
        return seen

    def submit(self, changes: Mapping[str, str], *, is_new: bool = False) -> View:
        """Send the form of the current page, with some controls changed."""
        return self.answer(
            format_query({**controls_of(render_calculator_response("character", self.query).html), **changes}),
            is_new=is_new,
        )

    def open(self, entry_id: int, more: str = "") -> View:
        """Open a saved entry."""
        self.open_id = entry_id
        return self.answer(self.entries[entry_id]["query"] + more)

    @property
    def handed(self) -> str:
        """Return the saved entries as a press sends them, the latest first."""
        return json.dumps([*self.entries.values()][::-1])


def play_sheet(browser: Browser, _: Random) -> None:
    """Press *Play this sheet*."""
    browser.submit({"do": "play"})


def edit(browser: Browser, _: Random) -> None:
    """Press *Change the character*."""
    browser.submit({"do": "build"})


def change_in_editor(browser: Browser, random: Random) -> None:
    """Change something in the editor that doesn't affect the state."""
    browser.submit({"do": "build"})
    if "sheet" in parse_query(browser.query):
        browser.submit(random.choice([{"start": "levels"}, {"minions": "Rat: 1 toughness"}, {"cp": "14"}]))
    else:
        browser.submit(random.choice([{"wrestling": "2"}, {"name": "Ria the Red"}, {"notes": "shooting: a bow"}]))


def reload(browser: Browser, _: Random) -> None:
    """Reload the page."""
    browser.open(browser.open_id)


def go_on_from_home(browser: Browser, _: Random) -> None:
    """Follow the home page's link to the latest character."""
    browser.open(browser.open_id, "&do=play")


def visit_another(browser: Browser, random: Random) -> None:
    """Begin another character, and reopen this one from the list.

    There are several ways to begin; one is chosen at random.
    """
    own = browser.open_id
    browser.submit({"do": "build"})
    browser.submit(random.choice([{"start": "duellist"}, {"start": "sheet", "sheet": "Bo\n2 toughness"}]), is_new=True)
    other = parse_query(browser.query)
    assert not other.text("play"), "another character has this one's state"
    browser.open(own)


def copy(browser: Browser, _: Random) -> None:
    """Duplicate the entry, and open the copy."""
    browser.answer(browser.query, is_new=True)


def look_at_fight_offer(browser: Browser, _: Random) -> None:
    """Follow the link from a fight's end, and change nothing."""
    name = browser.entries[browser.open_id]["name"]
    log = {
        "format": "scratch-scenario/1",
        "characters": [
            {"id": "a", "name": name, "hp": 1, "abilities": {"toughness": TOUGHNESS}},
            {"id": "b", "name": "Rat", "side": "rats", "abilities": {"toughness": 1}},
        ],
        "initiative": {"a": [9], "b": [3]},
        "steps": [],
    }
    fights = json.dumps([{"name": f"{name} against Rat", "query": format_query({"log": json.dumps(log)})}])
    seen = browser.open(browser.open_id, "&" + format_query({"at": "play", "do": "fights", "kept": fights}))
    assert [each.hp for each in require(require(seen.sheet_in_play).fights)] == [1]


MOVES: tuple[Callable[[Browser, Random], None], ...] = (
    *(play_sheet, edit, change_in_editor, reload, go_on_from_home, visit_another, copy, look_at_fight_offer),
)


def random_steps(random: Random) -> tuple[str, ...]:
    """Return random steps of a sheet in play.

    They are damage, conditions, rolls, and sometimes a fight's hit points.
    """
    known_steps = (
        *(f"hp {random.randint(0, TOUGHNESS)}", "note delayed", "note one boot lost", "end delayed", "note panicked"),
        *(f"fight {random.randint(0, TOUGHNESS)}", "rest"),
        *(LoggedRoll("shooting", 3, 12, face, "agility of Rat").step for face in (1, 11, 20)),
    )
    return tuple(random.choice(known_steps) for _ in range(random.randint(1, 8)))


def check_everywhere(browser: Browser, expected: SheetState, story: str) -> None:
    """Check the state wherever it is shown or used.

    That is in the entry, its summary, a fight's chooser, and the fight that the character joins.
    """
    entry = browser.entries[browser.open_id]
    stored = apply_steps(parse_steps(parse_query(entry["query"]).text("play")), TOUGHNESS)
    assert stored == expected, story
    left = f"{expected.hp} of {TOUGHNESS}" if expected.hp < TOUGHNESS else f"{TOUGHNESS}"
    state_text = ", ".join((f"{left} hit points", *expected.conditions))
    assert entry["summary"].startswith(f"{state_text}: "), story
    choosing = fight.view(parse_query(format_query({"act": "choose us", "kept": browser.handed})), None)
    mine = require(choosing.chooser).groups[0][1][0]
    assert mine.description.startswith(state_text), story
    joined = fight.view(parse_query(format_query({mine.control: mine.value, "act": "add"})), None)
    assert joined.fighters[0].hp == expected.hp, story


@pytest.mark.parametrize("character", [{"sheet": SHEET}, LEVELS], ids=["stat block", "levels"])
def test_one_character_moves_between_pages_keep_its_state(character: Mapping[str, str]) -> None:
    """After ten random moves a character has the same damage, conditions and rolls."""
    random = generator(f"one character {'sheet' in character}")
    for _ in range(sample_size(4, full=60)):
        steps = random_steps(random)
        expected = apply_steps(steps, TOUGHNESS)
        browser = Browser()
        browser.answer(format_query({**character, "at": random.choice(["play", ""]), "play": format_steps(steps)}))
        moves = [random.choice(MOVES) for _ in range(MOVES_PER_STORY)]
        story = f"{' | '.join(steps)}: {', '.join(move.__name__ for move in moves)}"
        for move in moves:
            move(browser, random)
        check_everywhere(browser, expected, story)
