"""Surroundings of a fight without a map: set in its set-up, and changed by the game master in the fight."""

import json

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.characters_text.setup_text import set_surrounding_of_all
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.surroundings import SURROUNDINGS_OFFERED
from scratch_core.calculators.shared import win_chances
from scratch_core.calculators.shared.jobs import can_always_continue
from scratch_core.calculators.shared.query import format_query
from scratch_core.encounter.state import SURROUNDING_WORDS
from tests.support.fights import play_file_again, view_after_press, view_begun_fight, view_fight, view_next
from tests.support.known import require
from tests.support.rollers import ForbiddenRoller

TWO = "Ann\nside: us\n2 shooting\n3 toughness\n\nBo\nside: them\n3 toughness"
PLACES = {
    "nothing said": TWO,
    "a heading above all": f"here: level, throwable\n\n{TWO}",
    "a heading in between": TWO.replace("Bo\n", "here: water\n\nBo\n"),
    "below a name": TWO.replace("side: us", "side: us\nhere: open-air"),
}


def ticks(seen: View) -> dict[str, tuple[str, bool]]:
    """Return the page's toggles: text, press, and whether it is set."""
    html = BeautifulSoup(render_calculator_response("fight", format_query(dict(seen.fields))).html, "html.parser")
    found = html.select(".surroundings button")
    return {str(each["data-surrounding"]): (str(each["value"]), each["aria-pressed"] == "true") for each in found}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("word", [word for word, _ in SURROUNDINGS_OFFERED])
def test_setup_tick_adds_a_surrounding_for_everyone_and_removes_it(word: str, place: str) -> None:
    """One press adds a surrounding for all characters, and another removes it.

    Their other surroundings stay.
    """
    before = view_fight(sheets=PLACES[place])
    here = view_fight(act=f"surrounding {word} on", sheets=PLACES[place])
    assert not here.problems
    assert [each.here for each in here.fighters] == [each.here | {word} for each in before.fighters]
    assert ticks(here)[word][1]
    assert ("sheets" in here.updated_fields) == (here.fields["sheets"] != PLACES[place])
    gone = view_fight(act=ticks(here)[word][0], sheets=here.fields["sheets"])
    assert [each.here for each in gone.fighters] == [(each.here - {word}) or {"level"} for each in before.fighters]


def test_setup_ticks_are_in_view_and_only_without_a_map() -> None:
    """The ticks are outside of any fold and missing with a map.

    A map has surroundings for each space, and other turn systems have none.
    """
    html = BeautifulSoup(render_calculator_response("fight", format_query({"sheets": TWO})).html, "html.parser")
    shown = html.select("section.answer .surroundings button")
    assert [each.get_text() for each in shown] == [words for _, words in SURROUNDINGS_OFFERED]
    assert not html.select("details .surroundings")
    assert ticks(view_fight(sheets=TWO, map="....")) == {}
    assert ticks(view_fight(system="mano", fighters="Ann: side us\nBo: side them")) == {}
    assert set_surrounding_of_all("", "cover", is_there=True) == ""
    assert view_fight(act="surrounding gold on", sheets=TWO).fields["sheets"] == TWO


def test_cover_set_in_the_setup_can_be_taken_in_the_fight() -> None:
    """Cover, as *Start here* explains it, works in a fight made from the lists (`act.cover`)."""
    plain = view_begun_fight(TWO, "ann 19, them 3")
    covered = view_begun_fight(view_fight(act="surrounding cover on", sheets=TWO).fields["sheets"], "ann 19, them 3")
    hides = '{"actor":"ann","do":"take-cover"}'
    assert view_next(plain, act=hides).problems
    assert require(view_next(covered, act=hides).fight_view).rows[0].fighter.in_cover


def test_gm_changes_the_surroundings_and_undo_restores_them() -> None:
    """A change of the surroundings is a step in the log and can be undone.

    Cover appears, a character takes it, and then it disappears.
    """
    first = view_begun_fight(TWO, "ann 19, them 3")
    assert ticks(first)["cover"] == ('{"do":"surroundings","what":"cover","on":true}', False)
    there = view_after_press(first, ticks(first)["cover"][0])
    assert require(there.fight_view).entries[0].result.narration == "Game master: this place now has cover."
    assert ticks(there)["cover"][1]
    hidden = view_after_press(there, '{"actor":"ann","do":"take-cover"}')
    assert require(hidden.fight_view).rows[0].fighter.in_cover
    fallen = view_after_press(hidden, ticks(hidden)["cover"][0])
    assert require(fallen.fight_view).entries[0].result.narration == "Game master: this place no longer has cover."
    assert not require(fallen.fight_view).rows[0].fighter.in_cover
    assert play_file_again(fallen).results
    back = view_next(fallen, act="undo")
    assert require(back.fight_view).rows[0].fighter.in_cover
    assert not ticks(view_next(view_next(back, act="undo"), act="undo"))["cover"][1]


def test_surroundings_change_is_one_press_below_more() -> None:
    """On a phone the first change takes two taps, and later changes one tap."""
    first = view_begun_fight(TWO, "ann 19, them 3")
    html = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": first.fields["log"]})).html, "html.parser"
    )
    [block] = html.select(".surroundings")
    assert [fold.find("summary").get_text() for fold in block.find_parents("details")] == ["More"]
    press = ticks(first)["throwable"][0]
    after = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": first.fields["log"], "act": press})).html,
        "html.parser",
    )
    assert after.select_one(".fight-table").has_attr("open")
    assert after.select_one(".fight-table .surroundings [aria-pressed=true]")
    assert not after.select_one(".surroundings [data-focus]")  # the focus stays on the button that was pressed


def test_newcomer_has_the_current_surroundings() -> None:
    """A newcomer has the current cover unless its stat block says otherwise."""
    covered = view_begun_fight(view_fight(act="surrounding cover on", sheets=TWO).fields["sheets"], "ann 19, them 3")
    joined = view_after_press(covered, "gm-join", gm_new="own", gm_sheet="Cy\nside: us\n2 toughness", faces="4")
    assert require(joined.fight_view).rows[2].fighter.here == {"level", "cover"}
    own = view_after_press(covered, "gm-join", gm_new="own", gm_sheet="Cy\nhere: water\n2 toughness", faces="4")
    assert require(own.fight_view).rows[2].fighter.here == {"water"}


def test_continued_fight_preserves_the_surroundings() -> None:
    """The head of the next file has what is around everyone now."""
    seen = view_begun_fight(TWO, "ann 19, them 3")
    seen = view_after_press(seen, ticks(seen)["cover"][0])
    further = view_next(seen, ForbiddenRoller(), act="continue")
    assert [each["here"] for each in json.loads(further.fields["log"])["characters"]] == [["level", "cover"]] * 2


def test_chances_are_recalculated_after_a_surroundings_change() -> None:
    """After a change of the surroundings the fight is simulated for new chances.

    With cover other actions are available, so the solved duel without it does not apply.
    """
    duel = "Ann\nside: us\n1 shooting\n1 toughness\n\nBo\nside: them\n1 toughness\n1 fighting"
    seen = view_begun_fight(duel, "ann 19, them 3")
    changed = view_after_press(seen, ticks(seen)["cover"][0])
    states = require(changed.fight_view).fight.states
    found = win_chances.compute_current_chances(states, (False,), can_always_continue)
    assert found.playout_count > 0, "played out, not looked up"


def test_offered_surroundings_equal_those_of_files() -> None:
    """The page offers all but level ground, which is there where nothing is said."""
    assert {word for word, _ in SURROUNDINGS_OFFERED} == SURROUNDING_WORDS.keys() - {"level"}
