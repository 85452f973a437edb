"""The marks of characters in the turn order, which screen readers skip: they say what is read aloud."""

import json
import re

import pytest
from bs4 import BeautifulSoup, Tag

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from tests.support.fights import (
    LINES_BY_SYSTEM,
    list_action_choices,
    view_after_press,
    view_begun_fight,
    view_begun_variant,
)
from tests.support.fights_on_board import SHEETS, view_begun_board_fight
from tests.support.states import STATES

SHORT_MARKS = {"incapacitated": "down", "left the fight": "left", "hidden from the players": "hidden"}
"""Shorter marks for what is read aloud."""


def list_marks(html: str) -> dict[str, list[str]]:
    """Return each character's marks without "done", and check them against its spoken text."""
    marks = {}
    for chip in BeautifulSoup(html, "html.parser").select("[data-chip]"):
        shown = [each for each in re.split(", | · ", get_text(chip, ".person__marks")) if each not in ("", "done")]
        spoken = [SHORT_MARKS.get(each, each) for each in get_text(chip, ".fight-people__look .u-aloud").split(", ")]
        spoken = [each for each in spoken if each != "healthy"]
        rest, last = spoken[: len(spoken) - len(shown)], spoken[len(spoken) - len(shown) :]
        assert last == shown, chip
        head = re.escape(get_text(chip, ".person__name")) + r"(, [^,]+)?(, \d+( of \d+)? hit points?)?"
        assert re.fullmatch(head, ", ".join(rest)), chip
        marks[str(chip["data-chip"])] = shown
    return marks


def get_text(chip: Tag, selector: str) -> str:
    """Return the text of an element of a chip, "" without one."""
    element = chip.select_one(selector)
    return " ".join(element.get_text().split()) if element else ""


@pytest.mark.heavy
@pytest.mark.parametrize("state", STATES["fight"])
def test_marks_in_the_turn_order_are_those_read_aloud(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each character has the same marks for the eye and for the ear."""
    monkeypatch.setattr(scratch_core.dice, "SystemRoller", QueryDice)
    monkeypatch.setattr(QueryDice, "seed", STATES["fight"][state])
    list_marks(render_calculator_response("fight", STATES["fight"][state], rolls_dice=True).html)


def view_escaped() -> View:
    """View a fight on a map from which Kim has escaped."""
    seen = view_begun_board_fight(sheets=SHEETS.replace("5,0", "1,0"))
    for step in (
        {"actor": "kim", "do": "evade"},
        *({"actor": who, "do": "end-turn"} for who in ("rook", "lou", "bo")),
    ):
        seen = view_after_press(seen, json.dumps(step))
    edge = next(offer for offer in list_action_choices(seen) if offer.label.startswith("off the edge"))
    seen = view_after_press(seen, edge.step)
    return view_after_press(seen, '{"actor":"kim","do":"escape"}')


def test_mark_says_how_a_character_is_out_of_the_fight() -> None:
    """The mark is down, escaped, removed or left."""
    out = {
        "down": (view_after_press(view_begun_fight(), '{"do":"set-hp","target":"flipfire","hp":0}'), "flipfire"),
        "removed": (view_after_press(view_begun_fight(), '{"do":"leave","target":"flipfire"}'), "flipfire"),
        "escaped": (view_escaped(), "kim"),
    }
    for mark, (seen, who) in out.items():
        assert list_marks(render_calculator_response("fight", seen.query).html)[who] == [mark]
    for system in LINES_BY_SYSTEM:
        left = view_after_press(view_begun_variant(system), '{"do":"leave","target":"bo"}')
        assert list_marks(render_calculator_response("fight", left.query).html)["bo"] == ["left"]
