"""The map of a fight before it begins, with the space of every character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Any

from scratch_core.board import Space, board_to_dict, format_space
from scratch_core.calculators.board import draw_board_of_query
from scratch_core.calculators.board.edits import apply_strokes
from scratch_core.calculators.board.placement import format_side_for_token, place_characters
from scratch_core.calculators.board.request import parse_query_setup
from scratch_core.calculators.board.sample_maps import SampleMap
from scratch_core.calculators.board.setup import RULING_CONTROLS, BoardSetup, Token, board_to_fields
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.characters_text import assign_ids_and_unique_names
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.errors import Problems, ScratchError
from scratch_core.scenario import Scenario

CONTROLS = ("map", "shape", "tokens", "cover", "throwable", "cramped")
"""The controls of a fight's map, which are those of the board calculator."""


@dataclass(frozen=True, slots=True)
class FightBoardSetup:
    """The map of a fight that has not begun."""

    characters: tuple[dict[str, Any], ...]
    """The characters as tables of a scenario, each with its space at `at`."""
    board_data: dict[str, Any]
    """The map as the scenario's `board`."""
    drawing: Drawing
    """The drawing of the map with its tokens."""
    board_query: str
    """The query that opens all of it in the board calculator."""
    tokens: str
    """The text of the control `tokens`."""
    position_texts: tuple[str, ...]
    """The name and space of every character, in words."""
    focus_space: Space
    """The space at which the keyboard starts."""
    waiting_tokens: tuple[Token, ...] = ()
    """The tokens that wait for a character of their side."""


@cache
def build_map_thumbnail(sample_map: SampleMap) -> tuple[SampleMap, tuple[tuple[str, str], ...], str]:
    """Build the thumbnail of a sample map.

    Returns the map, a CSS class and an SVG path for each look of its spaces (bare ground excepted), and the view box.
    """
    drawing = draw_board_of_query(format_query(sample_map.to_fields()), ())
    spaces = groupby(sorted(chain(*drawing.rows), key=attrgetter("css_class")), attrgetter("css_class"))
    paths = [
        (look, "".join(_format_svg_path(space.points) for space in same_look))
        for look, same_look in spaces
        if look != "ground"
    ]
    return sample_map, tuple(paths), f"0 0 {drawing.width:g} {drawing.height:g}"


def _format_svg_path(points: str) -> str:
    """Format an outline as an SVG path relative to its first corner.

    Spaces of one shape have the same text after that corner, which compresses well.
    """
    corners = [tuple(map(float, each.split(","))) for each in points.split()]
    steps = (f"l{x - a:.3g} {y - b:.3g}" for (a, b), (x, y) in pairwise(corners))
    return f"M{corners[0][0]:g} {corners[0][1]:g}{''.join(steps)}z"


def parse_board_and_place_characters(
    fields: Mapping[str, str], characters: Sequence[Mapping[str, Any]], stroke: str = ""
) -> tuple[FightBoardSetup | None, Problems]:
    """Place every character on the map.

    The space in the stat block comes first, then that of the token; all others start at the edge of their side.
    `fields` are the texts of `CONTROLS`, `stroke` what the player has dragged since. The setup is None if there is no
    room for everyone. Each problem belongs to a control. Never raises.
    Rules: `grid.space`, `grid.move.blocked`, `grid.scope`.
    """
    parsed = parse_query_setup(Query({name: format_query({"x": fields[name]})[2:] for name in CONTROLS}))
    setup = parsed.setup
    # a token that cannot be parsed does not stop the fight: its fighter is placed elsewhere
    problems = Problems(
        replace(each, severity="advice") if each.where == "tokens" else each for each in parsed.problems
    )
    placement = place_characters(setup, characters)
    problems += placement.problems
    if len(placement.ids_by_space) < len(characters):
        return None, problems
    setup = replace(setup, tokens=placement.build_tokens())
    if stroke.strip():
        try:
            dragged = apply_strokes(setup, stroke)
        except ScratchError as error:
            problems.extend_moved_to("stroke", error.problems)
        else:
            setup, fixed_problems = _restore_fixed_tokens(setup, dragged, characters)
            problems += fixed_problems
    carried = {name: fields.get(name, "") for name in (*RULING_CONTROLS, "sheets")}
    return _build_fight_board_setup(setup, characters, placement.waiting_tokens, carried), problems


def _restore_fixed_tokens(
    before: BoardSetup, after: BoardSetup, characters: Sequence[Mapping[str, Any]]
) -> tuple[BoardSetup, Problems]:
    """Return the setup with the dragged tokens, and the problems.

    A token whose space is given in the stat block goes back there, which is reported.
    """
    tokens, problems = list[Token](), Problems()
    names_by_id = {str(each["id"]): each["name"] for each in characters if "at" in each}
    fixed_tokens = {token.id: token for token in before.tokens if token.id in names_by_id}
    for token in after.tokens:
        restored = fixed_tokens.get(token.id, token)
        tokens.append(restored)
        if restored.space != token.space:
            name, space = names_by_id[token.id], format_space(restored.space)
            expected = f"the line “at: {space}” of {name} to be changed"
            got = f"its token at {format_space(token.space)}"
            problems.report("token.fixed", expected, got, "stroke", severity="advice", name=name, space=space)
    return replace(before, tokens=tuple(tokens)), problems


def _build_fight_board_setup(
    setup: BoardSetup,
    characters: Sequence[Mapping[str, Any]],
    waiting_tokens: Sequence[Token],
    carried: Mapping[str, str],
) -> FightBoardSetup:
    """Build the setup from a board whose tokens are placed.

    A waiting token whose space a character has taken is left out. `carried` are texts that go to the board calculator
    with it, and come back. Characters lose their `here`: their space determines their surroundings.
    """
    names = {str(each["id"]): str(each["name"]) for each in characters}
    spaces = {token.id: token.space for token in setup.tokens}
    waiting = tuple(each for each in waiting_tokens if each.space not in spaces.values())
    without_surroundings = [{key: value for key, value in each.items() if key != "here"} for each in characters]
    tokens = " ".join(map(str, (*setup.tokens, *waiting)))
    drawing = draw_board(replace(setup, tokens=(*setup.tokens, *waiting)).build_selected_turn_state(names))
    return FightBoardSetup(
        tuple({**each, "at": list(spaces[str(each["id"])])} for each in without_surroundings),
        board_to_dict(setup.board),
        drawing.mark_waiting_tokens({format_space(each.space) for each in waiting}),
        format_query({**board_to_fields(setup.board), "tokens": tokens, **carried}),
        tokens,
        tuple(f"{names[token_id]} at {format_space(space)}" for token_id, space in spaces.items()),
        setup.tokens[0].space if setup.tokens else (0, 0),
        waiting,
    )


def scenario_to_board_fields(scenario: Scenario) -> dict[str, str]:
    """Convert a scenario's map and first spaces to texts of `CONTROLS`.

    The ids are those of a set-up with these names, as `format_setup` writes it. Returns {} without a map.
    """
    board = scenario.board
    if board is None:
        return {}
    ids = assign_ids_and_unique_names([each.name for each in scenario.fighters], "character")
    tokens = [
        str(Token(own_id, each.at, format_side_for_token(each.side)))
        for each, (own_id, _) in zip(scenario.fighters, ids, strict=True)
        if each.at
    ]
    fields = board_to_fields(board)
    return {**fields, "shape": "" if fields["shape"] == "square" else fields["shape"], "tokens": " ".join(tokens)}
