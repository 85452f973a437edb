"""From the map into a fight: tokens without a character and characters without levels are reported, with a way out."""

from bs4 import BeautifulSoup

from build_scripts.render import render
from scratch_core.calculators import board, fight
from scratch_core.calculators.board import MAX_QUERY_LENGTH
from scratch_core.calculators.shared.query import format_query, parse_query
from tests.support.fights import view_fight
from tests.support.known import require

PEOPLE = "Ann\nside: us\n3 toughness\n\nBo\nside: them\n3 toughness"
ON_MAP = {
    "sheets": PEOPLE,
    "map": "......../........",
    "tokens": "ann@0,0,us kim@3,1,us lou-the-2@4,0,them bo@7,0,them",
}


def page(**fields: str) -> BeautifulSoup:
    """The set-up's page."""
    return BeautifulSoup(render("fight", format_query(fields)).html, "html.parser")


def test_tokens_of_no_one_in_the_fight_are_named_with_a_way_out() -> None:
    """Tokens without a character are named, with buttons to add or remove them.

    Added characters are at the spaces of their tokens.
    """
    said = page(**ON_MAP)
    [problem] = said.select("[data-problem][data-field=tokens]")
    named = "These tokens aren't in the fight: Kim and Lou the 2."
    assert problem.get_text() == f"{named} Remove them, or add their characters."
    presses = [str(each["value"]) for each in said.select("button[value^=strangers]")]
    assert presses == ["strangers add", "strangers off"]
    added = view_fight(**ON_MAP, act=presses[0])
    assert [(each.name, each.side) for each in added.fighters][2:] == [("Kim", "us"), ("Lou the 2", "them")]
    assert not added.problems
    assert (
        "Kim at 3,1" in require(added.board).position_texts,
        "Lou the 2 at 4,0" in require(added.board).position_texts,
    ) == (True, True)
    off = view_fight(**ON_MAP, act=presses[1])
    assert off.fields["tokens"] == "ann@0,0,us bo@7,0,them"
    assert not off.problems


def test_characters_without_levels_from_the_map_are_pointed_out() -> None:
    """Tokens become characters with toughness 1, and a notice says so until they have levels."""
    painted = board.view(parse_query("map=......&tokens=kim@0,0,us%20rook@4,0,them", MAX_QUERY_LENGTH), None)
    query = require(painted.answer).fight_query
    seen = fight.view(parse_query(query, MAX_QUERY_LENGTH), None)
    assert seen.placeholder_names == ("Kim", "Rook")
    html = BeautifulSoup(render("fight", query).html, "html.parser")
    assert html.select_one("[data-bare]").get_text().startswith("Kim, Rook: toughness 1 and 1 hit point.")
    assert view_fight(sheets=PEOPLE).placeholder_names == ()


def test_leader_added_says_whom_it_brings_along() -> None:
    """Minions that a leader brings are named, and each has its own remove button."""
    seen = view_fight(act="add", add_side="them", sheets=PEOPLE, **{"tick.captain": "captain"})
    minions = [each for each in seen.fighters if each.is_minion]
    assert len(minions) > 1
    assert seen.added_message.startswith("Captain added: ")
    assert f"Captain brings {minions[0].name} × {len(minions)} along" in seen.added_message
    html = BeautifulSoup(render("fight", format_query({"sheets": seen.fields["sheets"]})).html, "html.parser")
    assert all(html.select_one(f"[data-remove][value='remove {each.id}']") for each in minions)
    assert (
        "brings" not in view_fight(act="add", add_side="them", sheets=PEOPLE, **{"tick.guard": "guard"}).added_message
    )
