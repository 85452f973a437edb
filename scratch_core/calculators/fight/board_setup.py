"""The board of a fight before it begins: the map, and where everyone stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Any

from scratch_core.board import Space, board_to_dict, format_space
from scratch_core.calculators.board import draw_query
from scratch_core.calculators.board.edits import apply_strokes
from scratch_core.calculators.board.placement import Placement, format_side
from scratch_core.calculators.board.request import RULING_CONTROLS, BoardForm, BoardSetup, Token, board_to_fields
from scratch_core.calculators.board.sample_maps import SampleMap
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.characters_text import assign_ids
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.errors import Problems, ScratchError
from scratch_core.scenario import Scenario

CONTROLS = ("map", "shape", "tokens", "cover", "throwable", "cramped")
"""The controls of a fight's board: those of the board calculator."""


@dataclass(frozen=True, slots=True)
class FightBoardSetup:
    """The board for those who will fight.

    `characters` are theirs with the space of each, `board_data` the scenario's `board`. `board_query` opens the board
    calculator with all of it; `position_texts` say who stands where; `focus_space` is where the keys begin.
    """

    characters: tuple[dict[str, Any], ...]
    board_data: dict[str, Any]
    drawing: Drawing
    board_query: str
    tokens: str
    position_texts: tuple[str, ...]
    focus_space: Space


@cache
def build_map_thumbnail(each: SampleMap) -> tuple[SampleMap, tuple[tuple[str, str], ...], str]:
    """A ready map to be drawn small: a path for each look of its spaces but bare ground, and the view box."""
    drawing = draw_query(format_query(each.to_fields()), ())
    spaces = groupby(sorted(chain(*drawing.rows), key=attrgetter("css_class")), attrgetter("css_class"))
    paths = [
        (look, "".join(_format_svg_path(one.points) for one in alike)) for look, alike in spaces if look != "ground"
    ]
    return each, tuple(paths), f"0 0 {drawing.width:g} {drawing.height:g}"


def _format_svg_path(points: str) -> str:
    """An outline as a path, relative to its first corner: alike for spaces alike, so that it packs well."""
    corners = [tuple(map(float, each.split(","))) for each in points.split()]
    steps = (f"l{x - a:.3g} {y - b:.3g}" for (a, b), (x, y) in pairwise(corners))
    return f"M{corners[0][0]:g} {corners[0][1]:g}{''.join(steps)}z"


def parse_board_setup(
    fields: Mapping[str, str], characters: Sequence[Mapping[str, Any]], stroke: str = ""
) -> tuple[FightBoardSetup | None, Problems]:
    """Put everyone on the map: where the sheet says, where its token is, else at the edge of its side.

    The ground is None while there is none to be had; the problems stand each at its control.

    `fields` are the texts of `CONTROLS`, `stroke` what was dragged since. Never raises. Rules: `grid.space`,
    `grid.move.blocked`, `grid.scope`.
    """
    reader = BoardForm(Query({name: format_query({"x": fields[name]})[2:] for name in CONTROLS}))
    setup = reader.parse_setup()
    # a token that cannot be parsed does not stop the fight: its fighter is placed elsewhere
    problems = Problems(
        replace(each, severity="advice") if each.where == "tokens" else each for each in reader.problems
    )
    laying = Placement(setup, characters)
    problems += laying.problems
    if len(laying.ids_by_space) < len(characters):
        return None, problems
    setup = replace(setup, tokens=laying.list_tokens())
    if stroke.strip():
        try:
            dragged = apply_strokes(setup, stroke)
        except ScratchError as error:
            problems.extend_at("stroke", error.problems)
        else:
            setup, fixed = _restore_fixed_tokens(setup, dragged, characters)
            problems += fixed
    carried = {name: fields.get(name, "") for name in (*RULING_CONTROLS, "sheets")}
    return _build_fight_board_setup(setup, characters, carried), problems


def _restore_fixed_tokens(
    before: BoardSetup, after: BoardSetup, characters: Sequence[Mapping[str, Any]]
) -> tuple[BoardSetup, Problems]:
    """Return the tokens as dragged. Reports those whose line gives the position."""
    tokens, problems = list[Token](), Problems()
    written = {str(each["id"]): each["name"] for each in characters if "at" in each}
    own = {token.id: token for token in before.tokens if token.id in written}
    for token in after.tokens:
        kept = own.get(token.id, token)
        tokens.append(kept)
        if kept.space != token.space:
            name, space = written[token.id], format_space(kept.space)
            expected = f"the line “at: {space}” of {name} to be changed"
            got = f"its token at {format_space(token.space)}"
            problems.report("token.fixed", expected, got, "stroke", severity="advice", name=name, space=space)
    return replace(before, tokens=tuple(tokens)), problems


def _build_fight_board_setup(
    setup: BoardSetup, characters: Sequence[Mapping[str, Any]], carried: Mapping[str, str]
) -> FightBoardSetup:
    """The ground of a board; `carried` are texts that go to the board calculator along with it, and come back.

    A space says what is around someone better than `here`.
    """
    names = {str(each["id"]): str(each["name"]) for each in characters}
    spaces = {token.id: token.space for token in setup.tokens}
    bare = [{key: value for key, value in each.items() if key != "here"} for each in characters]
    tokens = " ".join(map(str, setup.tokens))
    return FightBoardSetup(
        tuple({**each, "at": list(spaces[str(each["id"])])} for each in bare),
        board_to_dict(setup.board),
        draw_board(setup.build_state(names)),
        format_query({**board_to_fields(setup.board), "tokens": tokens, **carried}),
        tokens,
        tuple(f"{names[own]} at {format_space(space)}" for own, space in spaces.items()),
        setup.tokens[0].space if setup.tokens else (0, 0),
    )


def scenario_to_fields(scenario: Scenario) -> dict[str, str]:
    """A scenario's board and everyone's first space as texts of `CONTROLS`; {} without a board.

    The ids are those of a set-up with these names, as `format_setup` writes it.
    """
    board = scenario.board
    if board is None:
        return {}
    named = assign_ids([each.name for each in scenario.fighters], "character")
    tokens = [
        str(Token(own_id, each.at, format_side(each.side)))
        for each, (own_id, _) in zip(scenario.fighters, named, strict=True)
        if each.at
    ]
    texts = board_to_fields(board)
    return {**texts, "shape": "" if texts["shape"] == "square" else texts["shape"], "tokens": " ".join(tokens)}
