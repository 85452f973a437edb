"""The page of the Grid: its drawings show what the engine computes, and its claims are true in a fight."""

import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.fences.board import render_board_figure
from build_scripts.fences.scenario import play_checked_example
from build_scripts.paths import DOCS
from build_scripts.pictures.board_text import compute_step_price
from scratch_core.board import MovementTraits, board_from_dict, find_cheapest_routes

PAGE = (DOCS / "rules" / "grid.md").read_text(encoding="utf-8")
BODIES = re.findall(r"```board-drawing\n(.*?)```", PAGE, re.DOTALL)
LINES_FENCE = "show=lines\nalt=Lines\nselected=kim\n"
ZONE_FENCE = "show=zone moves\nalt=Two ways\nselected=kim\ntokens=kim@0,1,hunters rook@3,0,guards\n"


def describe_board(body: str) -> str:
    """Return the description of a board for screen readers."""
    return " ".join(each.get_text() for each in BeautifulSoup(render_board_figure(body), "html.parser").select("desc"))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:24].replace("\n", " "))
def test_every_board_has_a_title_and_a_description(body: str) -> None:
    """Their ids are unique within the drawing."""
    soup = BeautifulSoup(render_board_figure(body, "b"), "html.parser")
    boards = soup.select("svg[role=img]")
    assert len(boards) >= len(body.split("---"))
    ids = [each["id"] for each in soup.select("title, desc")]
    assert len(set(ids)) == len(ids)
    for board in soup.select(".board-drawing-part > svg"):
        assert [board["aria-labelledby"], board["aria-describedby"]] == [each["id"] for each in board.select("[id]")]
        assert "A map of" in board.desc.get_text()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (LINES_FENCE + "map=..#/.../...\ntokens=kim@0,2,a\nlines=2,0", "The line from Kim to 2,0 is clear."),
        (LINES_FENCE + "map=.#./.../...\ntokens=kim@0,2,a bo@0,0,b\nlines=0,0", "The line from Kim to 0,0 is clear."),
        (
            LINES_FENCE + "map=...\ntokens=kim@0,0,a bo@1,0,b\nlines=2,0",
            "The line from Kim to 2,0 is blocked by Bo at 1,0.",
        ),
        (
            "show=moves\nalt=M\nmap=.^.\ntokens=kim@0,0,a\nselected=kim",
            "Kim can reach 1,0 for 2. Kim can reach 2,0 for 3.",
        ),
        (ZONE_FENCE + "map=...../.....\nways=2,1", "Kim moves along 1,1 · 2,1 and must stop there, next to an enemy."),
        (
            "show=blast\nalt=B\nmap=.../...\ntokens=kim@0,0,a bo@2,1,b\nselected=kim\nspace=2,0",
            "A blast aimed at 2,0 covers 4 spaces and attacks Bo.",
        ),
        (
            "show=path\nalt=P\nmap=.....\ntokens=kim@1,0,a bo@0,0,b\nselected=kim\nspace=3,0",
            "Kim moves along 2,0 · 3,0. Bo may attack before the first step.",
        ),
    ],
    ids=["one-wall-at-a-corner", "clear", "enemy", "costs", "stop", "blast", "path"],
)
def test_board_description_has_what_the_engine_computes(body: str, sentence: str) -> None:
    """Lines, costs, paths, blasts and interrupts are computed."""
    assert sentence in describe_board(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            LINES_FENCE + "map=.#.\ntokens=kim@0,0,a\nlines=2,0\nexpect=clear",
            "expected the lines to be clear, got blocked",
        ),
        (LINES_FENCE + "map=...\ntokens=kim@0,0,a\nexpect=clear", "got none"),
        (ZONE_FENCE + "map=...../.....\nways=4,1", "ways to spaces within reach"),
    ],
    ids=["other-line", "no-line", "out-of-reach"],
)
def test_board_that_contradicts_its_caption_raises(body: str, message: str) -> None:
    """A line other than expected, and a path out of reach, stop the build."""
    with pytest.raises(ValueError, match=message):
        render_board_figure(body)


def test_moves_over_rough_ground_have_a_legend() -> None:
    """The legend contains the engine's cost, and explains spaces without a number."""
    body = "show=moves\nalt=M\nmap=.{}.\ntokens=kim@0,0,a\nselected=kim"
    items = [
        item.get_text().strip()
        for item in BeautifulSoup(render_board_figure(body.format("^")), "html.parser").select("li")
    ]
    assert items == [f"rough ground, {compute_step_price('^')} a space", "no number: too far for this turn"]
    assert "<li>" not in render_board_figure(body.format("."))


def test_way_around_in_the_drawing_avoids_spaces_next_to_rook() -> None:
    """The second path of each drawing ends behind the wall."""
    body = next(body for body in BODIES if "ways=" in body)
    for part in body.split("---"):
        fields = dict(line.split("=", 1) for line in part.strip().splitlines())
        board = board_from_dict({"shape": fields.get("shape", "square"), "rows": fields["map"].split("/")})
        start = (1, 3) if board.shape == "square" else (2, 3)
        ways = find_cheapest_routes(board, MovementTraits(), start, enemies=[(4, 2)])
        assert board.distance(ways[3, 2].path[-1], (4, 2)) == 1
        assert all(board.distance(space, (4, 2)) > 1 for space in ways[5, 4].path)


BOARD = 'board = { rows = [".#.E", "#..."] }\n'
CAST = """\
characters = [
  { id = "a", at = [0, 0], side = "a", abilities = { wrestling = 3, shooting = 2, toughness = 4 } },
  { id = "b", at = [1, 1], side = "b", abilities = { quickness = 3, toughness = 4 } },
]
initiative = { a = [15], b = [5] }
"""
CLAIMS = {
    "a blow across a corner": CAST
    + BOARD
    + 'steps = [{ actor = "a", do = "basic-attack", target = "b", faces = [11], expect = { legal = true } }]',
    "a step across it": CAST.replace("[1, 1]", "[3, 1]")
    + BOARD
    + 'steps = [{ actor = "a", do = "move", path = [[1, 1]], expect = { legal = true } }]',
    "no shot across it": CAST
    + BOARD
    + 'steps = [{ actor = "a", do = "shoot", target = "b", faces = [19], expect = { rule = "grid.long.los" } }]',
    "repositioned after walking": CAST.replace("[0, 0]", "[0, 1]")
    + 'board = { rows = ["....", "....", "...."] }\n'
    + """steps = [
      { actor = "a", do = "hold", target = "b", faces = [12], expect = { "delayed.b" = true } },
      { actor = "a", do = "move", path = [[0, 2]] },
      { actor = "a", do = "reposition", target = "b", to = [2, 1], expect = { legal = true, "at.b" = [2, 1] } },
    ]""",
    "standing on the exit already": CAST
    + 'board = { rows = ["..E.", "...."] }\n'
    + """steps = [
      { actor = "a", do = "nothing" },
      { actor = "b", do = "evade", with = "quickness", expect = { "agility.b" = 16 } },
      { actor = "b", do = "move", path = [[2, 0]] },
      { actor = "a", do = "nothing", expect = { "agility.b" = 16 } },
      { actor = "b", do = "escape", expect = { legal = true, "escaped.b" = true } },
    ]""",
    "the evade is over as the next turn begins": CAST
    + 'board = { rows = ["....", "....", "...E"] }\n'
    + """steps = [
      { actor = "a", do = "nothing" },
      { actor = "b", do = "evade", with = "quickness", expect = { "agility.b" = 16 } },
      { actor = "a", do = "nothing" },
      { actor = "b", do = "bonus", expect = { "agility.b" = 13 } },
      { actor = "b", do = "move", path = [[2, 2]], expect = { legal = true } },
    ]""",
    "no blast at a wall": CAST.replace("shooting = 2", "blasting = 2")
    + 'board = { rows = ["...#", "...."] }\n'
    + """steps = [
      { actor = "a", do = "blast", at = [3, 0], expect = { legal = false, rule = "grid.blast.target" } },
      { actor = "a", do = "blast", at = [3, 1], faces = [], expect = { legal = true } },
    ]""",
}


@pytest.mark.parametrize("body", CLAIMS.values(), ids=CLAIMS)
def test_claim_of_the_grid_page_is_true_in_a_fight(body: str) -> None:
    """Play each claim with its expectations."""
    play_checked_example(f'title = "A claim of the page"\n{body}')
