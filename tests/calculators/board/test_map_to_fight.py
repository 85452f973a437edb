"""From the map into a fight: tokens wait for characters, which take their places."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import board, fight
from scratch_core.calculators.board import MAX_QUERY_LENGTH
from scratch_core.calculators.board_drawing.state_drawing import abbreviate_names
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
    return BeautifulSoup(render_calculator_response("fight", format_query(fields)).html, "html.parser")


def test_tokens_without_a_character_are_named_and_can_be_removed() -> None:
    """Tokens without a character are named, and a button removes them."""
    said = page(**ON_MAP)
    [problem] = said.select("[data-problem][data-field=tokens]")
    named = "No character yet for Kim and Lou the 2."
    assert problem.get_text() == f"{named} Add characters to their sides, or remove these tokens."
    assert [each.get_text().partition(".")[0] for each in said.select("[data-side] [data-waiting]")] == [
        "On the map without a character: Kim",
        "On the map without a character: Lou the 2",
    ]
    assert len(said.select(".board-piece.board-waiting")) == 2
    [press] = [str(each["value"]) for each in said.select("button[value^=remove-tokens]")]
    off = view_fight(**ON_MAP, act=press)
    assert off.fields["tokens"] == "ann@0,0,us bo@7,0,them"
    assert not off.problems


def test_added_characters_take_the_places_of_waiting_tokens_of_their_side() -> None:
    """Added characters take the tokens of their side in order, then its edge."""
    fields = {**ON_MAP, "add_side": "them", "act": "add"}
    added = view_fight(**fields, **{"tick.guard": "guard", "tick.rat": "rat"})
    places = {each.name: each.at for each in added.fighters}
    assert places["Guard"] == (4, 0)
    assert places["Rat"][0] == 7
    assert [each.waiting_names for each in added.sides] == [("Kim",), ()]
    moved = view_fight(**{**added.fields, "stroke": "pick: 4,0 5,0"})
    assert moved.fields["tokens"].split() == [
        "ann@0,0,us",
        "bo@7,0,them",
        "guard@5,0,them",
        "rat@7,1,them",
        "kim@3,1,us",
    ]


def test_map_without_stat_blocks_adds_no_characters_to_the_fight() -> None:
    """A map without stat blocks is a setup whose sides wait for characters."""
    painted = board.view(
        parse_query("map=......&tokens=kim@0,0,heroes%20rook@4,0,rivals&selected=kim&quickness=2", MAX_QUERY_LENGTH),
        None,
    )
    seen = fight.view(parse_query(require(painted.answer).fight_query, MAX_QUERY_LENGTH), None)
    assert seen.fighters == ()
    assert [(each.name, each.waiting_names) for each in seen.sides] == [("heroes", ("Kim",)), ("rivals", ("Rook",))]
    assert [token.css_class for token in require(seen.board).drawing.tokens] == ["waiting", "waiting"]
    added = view_fight(**{**seen.fields, "act": "add", "add_side": "rivals", "tick.guard": "guard"})
    assert [(each.name, each.at) for each in added.fighters] == [("Guard", (4, 0))]
    assert added.fields["choosing"] == "heroes"  # the waiting side


def test_map_and_fight_draw_tokens_alike() -> None:
    """Colours and letters do not depend on the order of the characters."""
    fields = "map=......&tokens=guard@0,0,heroes%20goblin@4,0,rivals"
    painted = require(board.view(parse_query(fields, MAX_QUERY_LENGTH), None).answer)
    seen = fight.view(parse_query(painted.fight_query, MAX_QUERY_LENGTH), None)
    sheets = "Goblin\nside: rivals\n1 toughness\n\nGuard\nside: heroes\n1 toughness"
    in_fight = require(view_fight(**{**seen.fields, "sheets": sheets}).board)
    drawn = {(each.space, each.side_colour, each.letters) for each in painted.drawing.tokens}
    assert drawn == {("0,0", 1, "Gu"), ("4,0", 2, "G")}
    assert {(each.space, each.side_colour, each.letters) for each in in_fight.drawing.tokens} == drawn
    one_side = view_fight(**{**seen.fields, "sheets": "Goblin\nside: rivals\n1 toughness"})
    assert one_side.side_colours == {"rivals": 2}


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Guard", "Gunner", "Bo"], ["G", "Gu", "B"]),
        (["Guard 1", "Guard 2", "Gunner 1", "Gunner 2"], ["G1", "G2", "Gu1", "Gu2"]),
        (["Kim", "Rook 1", "Rook 2"], ["K", "R1", "R2"]),
    ],
)
def test_letters_of_tokens_do_not_depend_on_their_order(names: list[str], letters: list[str]) -> None:
    """A number in the letters is the number of the name."""
    expected = dict(zip(names, letters, strict=True))
    assert abbreviate_names(names) == expected
    assert abbreviate_names(reversed(names)) == expected


@pytest.mark.parametrize("added", ["", "%20ann@3,0,heroes", "%20ann@3,0,heroes%20bo@2,0,rivals"])
def test_map_tools_have_the_colours_of_the_tokens(added: str) -> None:
    """A side that is added changes the colour of no other side."""
    fields = f"map=......&tokens=kim@0,0,hunters%20rook@4,0,guards{added}"
    answer = require(board.view(parse_query(fields, MAX_QUERY_LENGTH), None).answer)
    drawn = [each.side_colour for each in answer.drawing.tokens]
    assert drawn == [answer.side_colours[each.side] for each in answer.analysis.setup.tokens]
    assert drawn[:2] == [1, 2]
    assert len(set(answer.side_colours.values())) == len(answer.side_colours)


def test_added_leader_names_its_minions() -> None:
    """Minions that a leader brings are named, and each has its own remove button."""
    seen = view_fight(act="add", add_side="them", sheets=PEOPLE, **{"tick.captain": "captain"})
    minions = [each for each in seen.fighters if each.is_minion]
    assert len(minions) > 1
    assert seen.added_message.startswith("Captain added: ")
    assert f"Captain brings {' and '.join(each.name for each in minions)} along" in seen.added_message
    html = BeautifulSoup(
        render_calculator_response("fight", format_query({"sheets": seen.fields["sheets"]})).html, "html.parser"
    )
    assert all(html.select_one(f"[data-remove][value='remove {each.id}']") for each in minions)
    assert (
        "brings" not in view_fight(act="add", add_side="them", sheets=PEOPLE, **{"tick.guard": "guard"}).added_message
    )


def test_map_tool_marks_tokens_that_are_not_in_the_fight() -> None:
    """They are dashed, and named in the key and in words.

    The selected one says what to do. A map without any character marks none.
    """
    said = BeautifulSoup(render_calculator_response("board", format_query(ON_MAP)).html, "html.parser")
    assert len(said.select(".board-map .board-piece.board-waiting")) == 2
    assert "not in the fight" in require(said.select_one(".board-legend")).get_text()
    marked = [each.get_text() for each in said.select(".board-words li") if "not in the fight" in each.get_text()]
    assert [each.partition(" (")[0] for each in marked] == ["Kim", "Lou the 2"]
    chosen = BeautifulSoup(
        render_calculator_response("board", format_query({**ON_MAP, "selected": "kim"})).html, "html.parser"
    )
    assert "Not in the fight" in require(chosen.select_one("[data-selected=kim]")).get_text()
    bare = BeautifulSoup(
        render_calculator_response("board", format_query({**ON_MAP, "sheets": ""})).html, "html.parser"
    )
    assert not bare.select(".board-waiting")
    assert "not in the fight" not in bare.get_text()
