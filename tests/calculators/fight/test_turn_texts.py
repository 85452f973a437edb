"""Texts of a turn: actions with their own numbers, a lost turn with its reason, one button for its end."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.add_characters import format_sample_fight
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import view_begun_fight, view_fight, view_next
from tests.support.known import require
from tests.support.states import build_story

HOLD = '{"actor":"tolk","do":"hold","with":"wrestling","target":"gorm"}'


def parse_page(seen: View, **fields: str) -> BeautifulSoup:
    """The page of a fight."""
    return BeautifulSoup(
        render_calculator_response("fight", format_query({"log": seen.fields["log"], **fields})).html, "html.parser"
    )


def read_texts(page: BeautifulSoup, selector: str) -> list[str]:
    """Return the texts of the elements."""
    return [" ".join(each.get_text(" ").split()) for each in page.select(selector)]


def begin_story(initiative: str = "tolk 15, wren 12, gorm 8") -> View:
    """The fight of Start here."""
    return view_begun_fight(format_sample_fight("first-fight"), initiative)


def end_turns(seen: View, *actors: str) -> View:
    """The fight after these turns have ended."""
    for each in actors:
        seen = view_next(seen, act=f'{{"actor":"{each}","do":"end-turn"}}')
    return seen


def test_end_turn_is_offered_once_while_another_may_act_first() -> None:
    """Only one button ends the turn while another member of the group may act.

    The fold of that member has its actions.
    """
    pair = (
        "Ann\nside: us\ngroup: us\n2 toughness\n\nCy\nside: us\ngroup: us\n2 toughness\n\nBo\nside: them\n2 toughness"
    )
    page = parse_page(view_begun_fight(pair, "us 15, bo 3"))
    assert page.select(".fight-other [data-action=basic-attack]")
    assert len(page.select("[data-action=end-turn]")) == 1


def test_delayed_turn_says_why_there_are_no_actions() -> None:
    """A delayed character's turn says who caused the delay.

    Rule `cond.delayed`: a counter-hold is available where it is possible.
    """
    seen = end_turns(view_next(begin_story(), act=HOLD, faces="14"), "tolk", "wren")
    assert "Gorm is delayed (held by Tolk): no regular or bonus action this turn." in read_texts(
        parse_page(seen), ".fight-acts > .hint"
    )
    held = '{"actor":"gorm","do":"hold","target":"tolk"}'
    seen = end_turns(view_next(begin_story("gorm 15, tolk 12, wren 8"), act=held, faces="15"), "gorm")
    assert "Tolk is delayed (held by Gorm): a counter-hold is the only action this turn." in read_texts(
        parse_page(seen), ".fight-acts > .hint"
    )


@pytest.mark.parametrize(
    ("turn", "do", "words"),
    [
        ("tolk", "hold", "1 damage (2 on a 20), delays the target and ends their evade"),
        ("wren", "hold", "Delays the target and ends their evade"),
        ("wren", "evade", "+1 agility and strength until your next turn or a hold"),
        ("tolk", "evade", "No bonus, but you can escape on your next turn"),
        ("tolk", "double-attack", "Two rolls, each 1 damage (2 on a 20)"),
        ("gorm", "double-attack", "Two rolls, each 1 damage (2 on a 20)"),
    ],
)
def test_action_states_its_effect_for_this_character(turn: str, do: str, words: str) -> None:
    """An action states its effect with this character's numbers.

    These are a hold's damage, an evade's bonus and whether a second target is selected.
    """
    others = [each for each in ("tolk", "wren", "gorm") if each != turn]
    page = parse_page(begin_story(f"{turn} 15, {others[0]} 12, {others[1]} 8"))
    button = page.select(f".fight-rows > .act-row > [data-action={do}] > .act__effect")[0]
    for each in button.select(".act__more"):
        each.decompose()
    assert button.get_text(" ", strip=True) == words


def test_penalty_of_engaging_ends_as_soon_as_the_turn_is_shown() -> None:
    """`act.engage.penalty`: before the first action of the turn its character has its agility back."""
    seen = view_next(begin_story(), act='{"actor":"tolk","do":"engage"}')
    seen = end_turns(seen, "tolk")
    row = next(each for each in require(seen.fight_view).rows if each.fighter.id == "tolk")
    assert row.status_labels == ("−2 agility after engaging",)
    seen = end_turns(seen, "wren", "gorm")
    row = next(each for each in require(seen.fight_view).rows if each.fighter.id == "tolk")
    assert (row.is_active, row.status_labels) == (True, ())
    assert next(each.value for each in row.status.figures if each.name == "agility") == 10


def test_turn_without_an_action_is_reported_by_its_end() -> None:
    """After a turn without an action the message is the end of that turn.

    It is not the action of the turn before.
    """
    seen = end_turns(view_next(begin_story(), act=HOLD, faces="14"), "tolk")
    assert require(seen.fight_view).last_narration.startswith("Tolk holds Gorm")
    assert require(end_turns(seen, "wren").fight_view).last_narration == "Wren ends their turn."


def test_end_turn_says_that_the_action_is_unused() -> None:
    """It says so until the regular action is used, and needs no other press."""
    seen = begin_story()
    assert "action unused" in read_texts(parse_page(seen), ".fight-foot [data-action=end-turn]")[0]
    used = view_next(seen, act=HOLD, faces="14")
    assert "unused" not in read_texts(parse_page(used), ".fight-foot [data-action=end-turn]")[0]
    half = view_fight(log=build_story("two-attacks", 1))
    assert "second attack unused" in read_texts(parse_page(half), ".fight-foot [data-action=end-turn]")[0]


def test_bonus_is_crafted_for_the_own_side_only() -> None:
    """`craft.bonus`: a companion is someone of the same side."""
    (menu,) = require(begin_story().fight_view).crafting_menus
    targets = {offer.targets for choice in menu.action_groups for way in choice.variants for offer in way.choices}
    assert targets == {("wren",)}


def test_sample_fight_has_cover_for_everyone() -> None:
    """The sample fight of Start here has cover for all three characters.

    So the page's switch for cover is on. The cover is a mast.
    """
    seen = begin_story()
    assert {each.word: each.is_there for each in seen.surroundings}["cover"]


def test_die_opens_the_sum_of_the_roll_and_of_the_defence() -> None:
    """It lists the parts of the total and of the defence."""
    page = parse_page(view_next(begin_story(), act=HOLD, faces="14"))
    die = page.select(".fight-last details.why")[0]
    assert require(die.select_one("summary")).get_text() == "Die roll 14, total 16: show the sum"
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("th, td")][:2] for row in die.select("tr")]
    assert rows[1:4] == [["die roll", "14"], ["wrestling", "+2"], ["total", "16"]]
    assert read_texts(page, ".fight-log .fight-log__thrown") == ["(14 + 2 wrestling = 16)"]
    assert [each.get_text() for each in die.select("caption")] == ["Why 16?", "strength"]


def test_card_begins_with_numbers_and_closes_with_the_next_action() -> None:
    """The changes of the game master follow the numbers."""
    opened = view_next(begin_story(), act="gm-card gorm")
    card = require(parse_page(opened, act="gm-card gorm").select_one(".fight-card"))
    assert [each["class"][0] for each in card.select("details.why, p.hint")][:2] == ["why", "hint"]
    acted = view_next(opened, act=HOLD, faces="14", gm_who="gorm")
    assert acted.fields["gm_who"] == ""
