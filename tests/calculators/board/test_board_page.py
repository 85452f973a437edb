"""The map calculator: spaces in reach and in sight, targets and interrupts, drawing on the map, and invalid input."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from scratch_core.calculators import fight
from scratch_core.calculators.board import (
    BUTTONS,
    CONTROLS,
    LAYERS,
    MAX_QUERY_LENGTH,
    View,
    analyse_board_of_query,
    draw_board_of_query,
    view,
)
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS
from scratch_core.calculators.board.setup import FEATURES, TERRAINS
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.cast import get_member
from scratch_core.errors import ScratchError
from tests.support.clock import limit_time
from tests.support.fights import view_fight
from tests.support.known import require


def answered(**fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(format_query(fields), MAX_QUERY_LENGTH), None)


def soup(seen_query: str) -> Any:
    """Return the calculator's parsed HTML for a query."""
    bs4 = pytest.importorskip("bs4")
    calculator_html = pytest.importorskip("build_scripts.render")
    return bs4.BeautifulSoup(
        calculator_html.render_calculator_response("board", seen_query, id_prefix="t").html, "html.parser"
    )


# Drawing


def after(query: str, **fields: str) -> View:
    """Return the view of a query after another stroke or press."""
    return view(parse_query(f"{query}&{format_query(fields)}", MAX_QUERY_LENGTH), None)


BEFORE = "map=.../..%23&tokens=kim@0,0,blue%20lou@1,0,blue"

STROKES = {
    "paint": ("#: 0,1 1,1", {"map": ".../###"}),
    "two strokes": ("#: 0,1; ^: 2,0 2,1", {"map": "..^/#.^"}),
    "drag": ("pick: 0,0 0,1 1,1", {"tokens": "kim@1,1,blue lou@1,0,blue", "selected": "kim"}),
    "pick": ("pick: 1,0", {"selected": "lou"}),
    "ask": ("pick: 2,0", {"space": "2,0"}),
    "put": ("put-red: 2,0", {"tokens": "kim@0,0,blue lou@1,0,blue red-1@2,0,red"}),
    "change sides": ("put-red: 0,0", {"tokens": "kim@0,0,red lou@1,0,blue"}),
    "take off": ("erase: 0,0 1,0", {"tokens": ""}),
    "wall over a token": ("#: 0,0", {"map": "#../..#", "tokens": "lou@1,0,blue"}),
    "cover": ("cover: 0,1 1,1", {"cover": "0,1 1,1"}),
    "cover twice": ("cover: 0,1 1,1; cover: 0,1", {"cover": "1,1"}),
    "cover from next to it": ("cover: 1,1; cover: 0,1 1,1", {"cover": "0,1 1,1"}),
    "drag of no one": ("pick: 0,1 1,1", {}),
}


@pytest.mark.parametrize("name", STROKES)
def test_stroke_changes_only_its_controls(name: str) -> None:
    """A stroke updates the controls it changes and no others.

    The link does not contain the stroke.
    """
    stroke, changed = STROKES[name]
    before, seen = after(BEFORE), after(BEFORE, stroke=stroke, brush="#")
    assert not seen.problems
    assert {key: seen.fields[key] for key in CONTROLS if seen.fields[key] != before.fields[key]} == changed
    assert seen.updated_fields == set(changed)
    assert "stroke" not in seen.query
    assert after(seen.query).fields == seen.fields


BUTTONS_DO = {
    "wider": ".#./...",
    "narrower": "./.",
    "taller": ".#/../..",
    "shorter": ".#",
    "clear": "../..",
    "new": "/".join([".........."] * 8),
}


LAID = {f"map-{each.id}": each.rows for each in SAMPLE_MAPS}


@pytest.mark.parametrize("button", BUTTONS)
def test_resize_and_clear_buttons_change_the_map(button: str) -> None:
    """Each button changes the map as its label says.

    A token on a removed space is removed.
    """
    seen = after("map=.%23/..&tokens=kim@1,1,blue&selected=kim", act=button)
    assert seen.fields["map"] == (BUTTONS_DO | LAID)[button]
    is_gone = button in ("narrower", "shorter", "new")
    assert (seen.fields["tokens"], seen.fields["selected"]) == (("", "") if is_gone else ("kim@1,1,blue", "kim"))


REFUSED = {
    "onto another": "pick: 0,0 1,0",
    "onto a wall": "pick: 0,0 2,1",
    "no tool": "nonsense: 0,0",
    "no spaces": "#:",
    "no sense": "<b>",
}


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_stroke_is_rejected_and_changes_nothing(name: str) -> None:
    """The problem is shown at the map, and the map is unchanged (`grid.move.blocked`)."""
    seen = after(BEFORE, stroke=REFUSED[name])
    assert [problem.where for problem in seen.problems] == ["stroke"]
    assert seen.fields == after(BEFORE).fields


def test_unparsable_tokens_are_preserved_by_a_stroke() -> None:
    """Dragging one token changes nothing that was typed for the others."""
    seen = after("map=...&tokens=kim@0,0,blue%20oops%20far@9,9,red", stroke="pick: 0,0 1,0")
    assert seen.fields["tokens"] == "kim@1,0,blue oops far@9,9,red"
    assert [problem.code for problem in seen.problems] == ["board.tokens", "board.tokens.place"]


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_edge_numbers_equal_space_coordinates(shape: str) -> None:
    """The numbers of columns and rows at the edges match the names of their spaces."""
    page = soup(f"map=......./......./.......&shape={shape}")
    middles = {}
    for each in page.select("[data-space]"):
        corners = [tuple(map(float, corner.split(","))) for corner in each["points"].split()]
        middles[each["data-space"]] = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
    labels = [(float(each["x"]), float(each["y"]), each.text) for each in page.select(".board-edge")]
    above = {text: x for x, y, text in labels if y < 0}
    row_labels = {text: y - 5 for x, y, text in labels if x < 0}
    assert above == {str(column): pytest.approx(middles[f"{column},0"][0], abs=0.2) for column in range(7)}
    assert row_labels == {str(row): pytest.approx(middles[f"0,{row}"][1], abs=0.2) for row in range(3)}
    left, top, width, height = map(float, page.select_one("svg[role=grid]")["viewbox"].split())
    assert all(left < x < left + width and top < y < top + height for x, y, _ in labels)


def strokes(sign: Any) -> str:
    """Return the strokes of a space's sign, without their positions in the space.

    For a wall and an obstacle these are all strokes of the sign.
    """
    return re.sub(r"M\S+ \S+?(?=[a-z])", "M", sign.get("d", ""))


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_palette_lists_every_terrain_feature_and_side(shape: str) -> None:
    """The palette names every terrain, feature and side once, drawn as on the map."""
    page = soup(f"map=..&shape={shape}&tokens=kim@0,0,blue%20rook@1,0,red&brush=%5E")
    brushes = {each.input["value"]: each for each in page.select(".board-palette__brush")}
    assert list(brushes) == ["pick", *TERRAINS, *FEATURES, "put-blue", "put-red", "put-heroes", "erase"]
    assert [value for value, each in brushes.items() if each.input.has_attr("checked")] == ["^"]
    for value, words in {**TERRAINS, **FEATURES}.items():
        on_map = {"map": value if value in TERRAINS else "."} | ({value: "0,0"} if value in FEATURES else {})
        map_of_it = soup(format_query({"shape": shape, **on_map})).select_one("svg[role=grid]")
        assert brushes[value].span.text == words
        for part in ("polygon", "path") if value in TERRAINS else ("path",):
            drawn, there = (
                [(each["class"], strokes(each), each.get("points")) for each in parent.select(part)]
                for parent in (brushes[value], map_of_it)
            )
            assert drawn == there, value
    signs = [brushes[f"put-{side}"].select_one(".board-piece")["class"][1] for side in ("blue", "red", "heroes")]
    assert signs == ["side-1", "side-5", "side-2"]  # blue, red, and the next free colour
    assert [each["class"][1] for each in page.select("[data-drag-preview] > .board-piece")] == signs[:2]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("map=..", []),
        ("map=.%23~&cover=0,0", ["wall", "shallow water", "cover"]),
        ("map=..%23.&tokens=kim@0,0,a", ["a", "wall"]),
        ("map=.w%23.&tokens=kim@0,0,a&selected=kim", ["out of sight", "a", "wall", "deep water"]),
        ("map=...&tokens=kim@0,0,a%20bo@1,0,a&selected=kim", ["cost to move", "a"]),
    ],
)
def test_key_lists_only_what_the_map_contains(query: str, expected: list[str]) -> None:
    """The key lists, each with a sample, only what the map contains.

    That is what is shown of the selected token, then sides, terrain and marks.
    """
    entries = soup(query).select(".board-legend li:has(> svg)")
    assert ["".join(each.find_all(string=True, recursive=False)).strip() for each in entries] == expected


# Invalid input

WRONG = {
    "letter": ({"map": "..x"}, "map", "as letter 3 of row 1"),
    "ragged": ({"map": "../..."}, "map", "2 in row 1"),
    "too wide": ({"map": "." * 101}, "map", "101 × 1"),
    "too tall": ({"map": "/".join("." * 101)}, "map", "1 × 101"),
    "shape": ({"shape": "round"}, "shape", "'round'"),
    "token": ({"tokens": "kim"}, "tokens", "'kim'"),
    "token off the board": ({"tokens": "kim@99,0"}, "tokens", "kim@99,0"),
    "token in a wall": ({"map": "#.", "tokens": "kim@0,0"}, "tokens", "wall under kim"),
    "two in one space": ({"tokens": "kim@0,0 bo@0,0"}, "tokens", "kim and bo at 0,0"),
    "one twice": ({"tokens": "kim@0,0 kim@1,0"}, "tokens", "'kim'"),
    "too many tokens": ({"tokens": " ".join(["kim@0,0"] * 201)}, "tokens", "201"),
    "selected": ({"tokens": "kim@0,0", "selected": "bo"}, "selected", "'bo'"),
    "space": ({"space": "80,80"}, "space", "'80,80'"),
    "level": ({"quickness": "many"}, "quickness", "'many'"),
    "high level": ({"flying": "21"}, "flying", "'21'"),
    "injured": ({"injured": "perhaps"}, "injured", "'perhaps'"),
    "reading": ({"interrupt_move": "never"}, "interrupt_move", "'never'"),
    "reading of blasts": ({"interrupt_blast": "never"}, "interrupt_blast", "'never'"),
    "reading of corners": ({"corners": "round"}, "corners", "'round'"),
    "button": ({"act": "explode"}, "act", "'explode'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_input_problem_is_shown_at_its_control(name: str) -> None:
    """Invalid input gives one problem, at its control, with the value.

    The input stays in the form and the link.
    """
    fields, where, got = WRONG[name]
    seen = answered(**fields)
    assert [problem.where for problem in seen.problems] == [where]
    assert got in seen.problems[0].got
    assert {control: seen.fields[control] for control in fields if control in CONTROLS} == {
        control: text for control, text in fields.items() if control in CONTROLS
    }
    page = soup(format_query(fields))
    assert [each["data-field"] for each in page.select("[data-problem]")] == [where]


@pytest.mark.no_cover
def test_largest_map_with_most_tokens_is_answered_in_time() -> None:
    """The largest map with the most tokens is answered in less than two seconds.

    Its query is not truncated.
    """
    rows = "/".join("." * 100 for _ in range(100))
    tokens = " ".join(f"t{n}@{n % 100},{n // 100 * 2},{'ab'[n % 2]}" for n in range(200))
    with limit_time():
        seen = answered(map=rows, tokens=tokens, selected="t0", space="99,99", quickness="20", shape="hex")
    assert not seen.problems


def test_map_of_30_by_30_fits_in_a_link() -> None:
    """The link of a 30 × 30 map stays below 4,000 characters.

    Maps of open ground and of water also have a dozen tokens.
    """
    tokens = " ".join(f"hunter-{n}@{n},0,hunters" for n in range(12))
    for letter in ".~":
        seen = answered(map="/".join(letter * 30 for _ in range(30)), tokens=tokens)
        assert not seen.problems
        assert len(seen.query) < 4000
    assert len(answered(map="/".join("#" * 30 for _ in range(30))).query) < 4000


def test_ragged_map_is_drawn_but_rejects_strokes() -> None:
    """A map with rows of different lengths is drawn but rejects strokes.

    It is as wide as its longest row. A stroke needs a valid map text.
    """
    seen = answered(map=".#/....", tokens="kim@3,0", stroke="#: 0,0")
    assert require(seen.answer).analysis.setup.board.rows == (".#..", "....")
    assert [(problem.where, problem.code) for problem in seen.problems] == [
        ("map", "board.map.row"),
        ("stroke", "board.map.first"),
    ]
    assert seen.fields["map"] == ".#/...."
    assert answered(map="../...", act="new").answer == answered().answer


# Descriptions, and drawings in the text


def test_drawing_shows_only_requested_layers() -> None:
    """A drawing for the text has the requested layers and no others."""
    query = "map=.....&tokens=kim@0,0,a bo@4,0,b&selected=kim&space=3,0"
    looks = {
        layer: {m.css_class for m in (*d.marks, *d.top_marks)}
        for layer in LAYERS
        for d in [draw_board_of_query(query, [layer])]
    }
    assert looks["zone"] == {"zone"}
    assert looks["blast"] == {"blast", "blast-edge", "aim"}
    assert looks["lines"] == {"asked", "line clear", "line-end"}
    assert looks["path"] == {"asked", "way", "strike", "moment"}
    assert [label.text for label in draw_board_of_query(query, ["moves"]).labels] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("query", "layers", "lines", "expected"),
    [
        ("map=..x", LAYERS, "", "# wall"),
        ("map=...", ["zones"], "", "one of moves"),
        ("map=...&tokens=a@0,0&selected=a", LAYERS, "7,7", "column,row from 0,0 to 2,0"),
    ],
    ids=["map", "layer", "lines"],
)
def test_drawing_of_invalid_query_is_rejected(query: str, layers: list[str], lines: str, expected: str) -> None:
    """An invalid query raises an error with what was expected."""
    with pytest.raises(ScratchError, match=expected):
        analyse_board_of_query(query, layers, lines, "")


def test_drawing_fence_renders_accessible_figure() -> None:
    """The fence draws the calculator's lines, links its caption, and needs a text alternative."""
    drawings = pytest.importorskip("build_scripts.fences.board")
    html = drawings.render_board_figure(
        "map=...\ntokens=kim@0,0,a\nselected=kim\nshow=moves\ntitle=One\n---\nmap=..\nalt=Two spaces\n"
        "caption=It [[grid.zoc.stop|stops]]."
    )
    assert html.count("<svg") == 2
    assert '<title id="board-2-title">Two spaces</title>' in html
    assert "A map of squares, 2 columns and 1 row." in html
    assert 'href="rule:grid.zoc.stop">stops</a>' in html
    with pytest.raises(ValueError, match="an alt or a caption"):
        drawings.render_board_figure("map=...")
    with pytest.raises(ValueError, match="'colour'"):
        drawings.render_board_figure("map=...\ncolour=red")


def test_map_text_may_contain_line_ends() -> None:
    """A map pasted line by line from a scenario's rows is the same map."""
    assert answered(map="..#\n...").answer == answered(map="..#/...").answer
    assert quote("#") in answered(map="..#").query


def test_added_characters_are_placed_at_their_side_and_join_the_fight() -> None:
    """Each added character is at the edge of its side, with its own stat block.

    The controls show the levels of the selected token's stat block.
    """
    mira = format_query({"name": "Mira", "quickness": "2", "toughness": "4", "at": "play", "play": "hp 2"})
    fields = {"map": "......../........", "tokens": "kim@1,0,blue"}
    choosing = answered(**fields, act="choose red", kept=json.dumps([{"name": "Mira", "query": mira}]))
    assert require(choosing.chooser).groups[0][0] == "Yours"
    ticks = {"tick.0": mira, "tick.guard": "guard"}
    come = answered(**fields, act="add", choosing="red", **ticks)
    assert come.problems == ()
    assert come.fields["tokens"].split()[0] == "kim@1,0,blue"
    assert {each.partition("@")[0] for each in come.fields["tokens"].split()} == {"kim", "mira", "guard"}
    assert all(each.endswith(",red") and each[each.index("@") + 1] == "7" for each in come.fields["tokens"].split()[1:])
    assert "tokens" in come.updated_fields
    ready = fight.view(parse_query(require(come.answer).fight_query, MAX_QUERY_LENGTH), None)
    assert {each.name: (each.side, each.hp) for each in ready.fighters} == {
        "Mira": ("red", 2),
        "Guard": ("red", get_member("guard").build_character().max_hp().value),
    }
    named = answered(tokens="the-boss@0,0,a", sheets="The BOSS\n1 toughness")
    assert require(named.answer).analysis.state.fighters[0].name == "The BOSS"
    where = next(each for each in come.fields["tokens"].split() if each.startswith("mira")).split("@")[1]
    stroke = f"pick: {where.rpartition(',')[0]}"
    picked = view(parse_query(f"{come.query}&{format_query({'stroke': stroke})}", MAX_QUERY_LENGTH), None)
    assert picked.fields["selected"] == "mira"
    assert (picked.fields["quickness"], picked.fields["injured"]) == ("2", "true")  # 2 of 4 (`hp.injured`)


def test_adding_two_characters_to_one_free_space_is_rejected() -> None:
    """Two characters are not added to a map with one free space.

    The problem says that the map is too small, and neither character is added.
    """
    ticks = {"tick.bear": "bear", "tick.guard": "guard"}
    full = answered(map="..", tokens="kim@1,0,blue", act="add", choosing="red", **ticks)
    assert full.fields["tokens"] == "kim@1,0,blue"
    assert full.fields["sheets"] == ""
    assert [each.code for each in full.problems] == ["map.too-small"]


ROOK_AND_MIRA = {
    "map": "........",
    "tokens": "rook@0,0,heroes mira@4,0,heroes heroes-1@6,0,heroes",
    "sheets": "Rook\n2 quickness\n4 toughness\nhp: 2\n\nMira\n2 toughness",
}
LEVELS_SHOWN = ("quickness", "flying", "acrobatics", "swimming", "injured")


def levels_shown(seen: View) -> list[str]:
    """Return the values in the controls of the selected token."""
    return [seen.fields[name] for name in LEVELS_SHOWN]


@pytest.mark.parametrize("space", ["4,0", "6,0"], ids=["a stat block without levels", "no stat block"])
@pytest.mark.parametrize(
    "between", [(), ("pick: 0,0",), ("pick: 2,0",)], ids=["at once", "let go first", "after asking"]
)
def test_selected_token_never_shows_the_levels_of_another(space: str, between: tuple[str, ...]) -> None:
    """Rook's quickness and injury stay Rook's, whichever token is selected next."""
    rook = answered(**ROOK_AND_MIRA, stroke="pick: 0,0")
    assert levels_shown(rook) == ["2", "", "", "", "true"]
    seen = rook
    for stroke in (*between, f"pick: {space}"):
        seen = answered(**{**ROOK_AND_MIRA, **seen.fields, "stroke": stroke})
    assert levels_shown(seen) == [""] * 5
    html = soup(format_query({**ROOK_AND_MIRA, **rook.fields, "stroke": f"pick: {space}"}))
    for name in ("quickness", "injured"):
        assert html.select_one(f"[name={name}]").has_attr("data-fresh"), "the page keeps what was there else"


def test_levels_typed_for_a_token_are_restored_when_it_is_selected() -> None:
    """Levels typed for a token are restored when it is selected again.

    The token has no stat block. A new token with the same id starts without levels.
    """
    plain = {"map": "........", "tokens": "kim@0,0,blue", "selected": "kim", "quickness": "3"}
    left = after(answered(**plain).query, stroke="pick: 0,0")
    assert left.fields["selected"] == ""
    again = after(left.query, stroke="pick: 0,0")
    assert levels_shown(again)[0] == "3"
    gone = after(again.query, stroke="erase: 0,0")
    assert levels_shown(gone) == [""] * 5
    assert "quickness" not in gone.query


def test_typed_selected_id_shows_the_levels_of_that_token() -> None:
    """The text field selects a token as a press does."""
    rook = answered(**ROOK_AND_MIRA, stroke="pick: 0,0")
    assert levels_shown(answered(**{**ROOK_AND_MIRA, **rook.fields, "selected": "mira"})) == [""] * 5
    assert levels_shown(answered(**{**ROOK_AND_MIRA, **rook.fields, "selected": "mir"}))[0] == "2"


@pytest.mark.parametrize("tokens", ["kim@3,２,hunters", "ｋｉｍ＠３，２，hunters", "kim@3,\u200b2,hunters"])
def test_token_text_with_look_alikes_is_parsed(tokens: str) -> None:
    """Full-width letters, digits and signs are parsed like their ASCII look-alikes.

    This also holds for lists of spaces.
    """
    seen = answered(tokens=tokens, cover="１，２")
    assert not seen.problems
    read = parse_query(require(seen.answer).fight_query, MAX_QUERY_LENGTH)
    assert (read.text("tokens"), read.text("cover")) == ("kim@3,2,hunters", "1,2")


def test_fight_of_a_map_has_its_first_side_as_the_players() -> None:
    """The first side of the map is the players' side in its fight.

    Rule `turn.group`: the heroes take separate turns, and every other side takes one turn, also those who come later.
    """
    tokens = "ann@0,0,heroes bo@1,0,heroes rook@5,0,rivals rat@6,0,rivals wolf@8,0,bandits"
    sheets = "\n\n".join(
        f"{name}\nside: {side}\n1 toughness"
        for name, side in [("Ann", "heroes"), ("Bo", "heroes"), ("Rook", "rivals"), ("Rat", "rivals")]
    )
    seen = answered(tokens=tokens, sheets=sheets)
    ready = fight.view(parse_query(require(seen.answer).fight_query, MAX_QUERY_LENGTH), None)
    assert {each.id: each.group for each in ready.fighters} == {
        **{each: each for each in ("ann", "bo")},
        **dict.fromkeys(("rook", "rat"), "rivals"),
    }
    assert ready.fields["screen_sides"] == '["heroes"]'
    for side, group in (("bandits", "bandits"), ("heroes", "guard")):
        later = view_fight(**{**ready.fields, "act": "add", "add_side": side, "tick.guard": "guard"})
        assert {each.id: each.group for each in later.fighters}["guard"] == group


def test_fight_of_a_map_preserves_written_turns() -> None:
    """`turn.group`: stat blocks that say something of turns stay as they are."""
    sheets = "Ann\nside: heroes\n1 toughness\n\nBo\nside: rivals\nturns: separate\n1 toughness"
    tokens = "ann@0,0,heroes bo@5,0,rivals"
    seen = answered(tokens=tokens, sheets=sheets)
    ready = fight.view(parse_query(require(seen.answer).fight_query, MAX_QUERY_LENGTH), None)
    assert ready.fields["sheets"] == sheets
