"""Initiative is shown when it is rolled: as the fight begins, and after a newcomer has rolled, in every turn system."""

import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import SystemRoller
from tests.support.fights import view_after_press, view_begun_fight, view_fight, view_next
from tests.support.known import require

PARTY = (
    "side: us\n\nBo\n3 toughness\n\nMira\n3 toughness"
    "\n\nside: them\nturns: separate\n\nBandit 1\n3 toughness\n\nBandit 2\n3 toughness"
)
FACES = "bandit-1 4, bandit-2 19, bo 18, mira 17"
ORDER = "Bandit 2 19 · Bo 18 · Mira 17 · Bandit 1 4"


def shown_above_the_folds(seen: View) -> str:
    """Return the page's visible text about rolled initiative."""
    query = format_query({name: seen.fields[name] for name in ("log", "redo") if seen.fields[name]})
    html = BeautifulSoup(render_calculator_response("fight", query).html, "html.parser")
    found = [each for each in html.select("[data-rolled]") if not each.find_parent("details")]
    return " ".join(each.get_text() for each in found)


def test_start_shows_everyones_initiative_and_who_goes_first() -> None:
    """The start shows names with totals in order, and who goes first.

    The sentence is on the page and read aloud. The first step hides it, and Undo shows it again.
    """
    seen = view_begun_fight(PARTY, FACES)
    said = f"{ORDER}: Bandit 2 goes first."
    assert require(seen.fight_view).just_rolled_initiative_text == said
    assert shown_above_the_folds(seen) == said
    assert seen.summary.startswith(said)
    further = view_next(seen, act='{"actor":"bandit-2","do":"end-turn"}')
    assert shown_above_the_folds(further) == ""
    assert ORDER not in further.summary
    assert shown_above_the_folds(view_next(further, act="undo")) == said


def test_start_names_the_characters_of_a_group() -> None:
    """A group has one total, and all of its characters go first together."""
    seen = view_begun_fight(PARTY.replace("turns: separate\n", ""), "them 19, bo 18, mira 17")
    assert require(seen.fight_view).just_rolled_initiative_text == (
        "Them (Bandit 1, Bandit 2) 19 · Bo 18 · Mira 17: Bandit 1 and Bandit 2 go first."
    )


def test_newcomer_who_rolls_shows_the_turn_order() -> None:
    """A newcomer's own roll shows the turn order again.

    A newcomer in an existing group does not.
    """
    seen = view_next(view_begun_fight(PARTY, FACES), act='{"actor":"bandit-2","do":"end-turn"}')
    joined = view_after_press(seen, "gm-join", gm_new="own", gm_sheet="Cy\n2 toughness", faces="11")
    said = "Turn order: Bandit 2 19 · Bo 18 · Mira 17 · Cy 11 · Bandit 1 4."
    assert shown_above_the_folds(joined) == said
    assert said in joined.summary
    with_bo = view_after_press(seen, "gm-join", gm_new="own", gm_sheet="Cy\n2 toughness", gm_group="bo")
    assert shown_above_the_folds(with_bo) == ""


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_other_turn_systems_show_their_dice_at_the_start(system: str) -> None:
    """The page first says who goes first, and by which dice."""
    more = ", hp 5, hp/round 3" if system == "mano-old" else ""
    lines = f"Ann: side red{more}\nBo: side blue{more}"
    seen = view_fight(SystemRoller(), log="begin", system=system, fighters=lines, initiative="ann 12, bo 4")
    assert require(seen.fight_view).last_narration in seen.summary
    assert all(each in require(seen.fight_view).last_narration for each in ("Ann 12", "Bo 4", "Ann goes first"))


def test_choose_next_shows_the_roll_of_a_newcomer() -> None:
    """The newcomer's number is listed with those of the others."""
    lines = "Ann: side red\nBo: side blue"
    seen = view_fight(SystemRoller(), log="begin", system="seize", fighters=lines, initiative="ann 12, bo 4")
    joined = view_after_press(seen, "gm-join", gm_sheet="Cy: side red")
    said = shown_above_the_folds(joined)
    assert re.fullmatch(r"Initiative: (\w+ \d+ · ){2}\w+ \d+\.", said)
    assert all(each in said for each in ("Ann 12", "Bo 4", "Cy "))
