"""The game master's panel: what can be changed in a fight, and the steps of its buttons.

It is the same in every turn system, without the changes that a turn system has no step for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from scratch_core.board import Board, Space
from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.chooser import (
    EXPECTED_CHARACTER,
    copy_characters,
    format_chosen_stat_blocks,
    list_ticked_values,
)
from scratch_core.calculators.characters_text.fighter_lines import parse_fighter_lines
from scratch_core.calculators.characters_text.setup_text import parse_setup, parse_typed_space
from scratch_core.calculators.fight import add_characters
from scratch_core.calculators.fight.roster import format_side_name
from scratch_core.calculators.fight.session import DELETE_STEP, Fight, Step, format_compact_json
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.names import number_duplicates
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.encounter.actions import list_occupied_spaces
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import (
    CONDITION,
    CONDITIONS,
    EVADING,
    JOIN,
    LEAVE,
    REORDER,
    RETURN,
    SET_HP,
    Field,
    InvalidFieldValue,
)
from scratch_core.turn_systems.fields import parse_number_or_text

COMMAND_PREFIX = "gm-"
"""The prefix of the commands that need more than the button says."""

SELECT_COMMAND = "gm-card"
"""The first word of the command that selects a character; its id follows."""

TARGET, HP, BONUS, SPACE, STEP = "gm_who", "gm_hp", "gm_bonus", "gm_at", "gm_step"
NEWCOMER, COUNT, SIDE, GROUP = "gm_new", "gm_count", "gm_side", "gm_group"
SHEET, SEATED_AFTER = "gm_sheet", "gm_after"
MOVED_FIGHTER, MOVED_BEFORE = "gm_moved", "gm_before"
HIDDEN_NEWCOMER = "gm_unseen"

CONTROLS = (
    TARGET,
    HP,
    BONUS,
    SPACE,
    STEP,
    NEWCOMER,
    COUNT,
    SIDE,
    GROUP,
    SHEET,
    SEATED_AFTER,
    MOVED_FIGHTER,
    MOVED_BEFORE,
    HIDDEN_NEWCOMER,
)
"""The names of the panel's controls."""

TARGET_CONTROLS = (HP, BONUS, SPACE)
"""The controls with values for the selected character."""

CLEARED_CONTROLS = (HP, BONUS, NEWCOMER, COUNT, SHEET, MOVED_FIGHTER, MOVED_BEFORE, STEP, HIDDEN_NEWCOMER)
"""The controls that are cleared after a step."""

STEP_KEYS = (
    *("do", "target", "hp", "condition", "bonus", "on"),
    *("character", "at", "after", "order", "what"),
)
"""The keys that a step of the game master may have."""

TYPED_NEWCOMER = "own"
"""The value of `gm_new` for a typed character."""

OWN_SIDE = "-"
"""The value of `gm_side` for a side of the newcomer's own."""

OWN_TURNS = "-"
"""The value of `gm_group` for newcomers who each take a separate turn."""

MAX_DELETABLE_STEPS = 40
"""The most steps that are listed for deletion, the last ones."""

_MAX_NARRATION_LENGTH = 70


@dataclass(frozen=True, slots=True)
class ConditionToggle:
    """A condition that the selected character has or could get."""

    condition: str
    """The name of the condition."""
    is_on: bool
    """Whether the character has it."""
    step: str
    """The step that toggles it, as JSON, "" if it needs a number."""


@dataclass(frozen=True, slots=True)
class SelectedFighter:
    """The character that the game master has selected."""

    fighter: Any
    """The character."""
    condition_toggles: tuple[ConditionToggle, ...]
    """Its conditions, () if they can't be changed."""
    leave_step: str
    """The step that removes it from the fight, as JSON, "" if that isn't possible."""
    return_step: str
    """The step that brings it back, as JSON, "" if that isn't possible; it may need a space."""


@dataclass(frozen=True, slots=True)
class GmPanel:
    """The game master's panel."""

    selected_fighter: SelectedFighter | None
    """The selected character, or None."""
    turn_order: tuple[tuple[str, str], ...]
    """The turn order as ids and names, () if it can't be changed."""
    deletable_steps: tuple[tuple[int, str], ...]
    """The steps that can be deleted, as numbers and descriptions, the newest first."""
    side_options: tuple[tuple[str, str], ...]
    """The sides that a newcomer can join, as values and labels."""
    group_options: tuple[tuple[str, str], ...]
    """The initiative groups that a newcomer can join, as values and labels."""
    free_space: str
    """A free space of the map, "" without one."""


def build_gm_panel_unless_pending(fight: Fight, fields: Mapping[str, str]) -> GmPanel | None:
    """Build the game master's panel of a fight.

    Returns None while an action waits for an answer.
    """
    system, state = fight.system, fight.state
    if state.has_pending_action:
        return None
    people = [(str(each.id), str(each.name)) for each in state.fighters]
    free_spaces = _list_free_spaces(state, parse_typed_space(fields["aim"]))
    all_sides = dict.fromkeys(str(each.side) for each in state.fighters)
    sides = sorted(all_sides, key=is_players_side)  # most newcomers are on the game master's side
    return GmPanel(
        selected_fighter=_build_selected_fighter(fight, fields[TARGET]) if fields[TARGET] in dict(people) else None,
        turn_order=_list_reorderable_ids_and_names(fight) if REORDER in system.gm_fields else (),
        deletable_steps=_list_deletable_steps(fight),
        side_options=(*((each, format_side_name(each, people)) for each in sides), (OWN_SIDE, "a side of their own")),
        group_options=(
            ("", "with their side, if it acts as one group"),
            (OWN_TURNS, "separate: roll initiative for each"),
            *((own, f"with {name}") for own, name in _list_reorderable_ids_and_names(fight)),
        ),
        free_space=",".join(map(str, free_spaces[0])) if free_spaces else "",
    )


def _build_selected_fighter(fight: Fight, fighter_id: str) -> SelectedFighter:
    system, state = fight.system, fight.state
    is_away, is_on = state.fighter(fighter_id).is_away, state.phase == "running"
    return SelectedFighter(
        fighter=state.fighter(fighter_id),
        condition_toggles=_list_condition_toggles(system, state, fighter_id)
        if CONDITION in system.gm_fields and is_on and not is_away
        else (),
        leave_step=format_compact_json({"do": LEAVE, "target": fighter_id}) if is_on and not is_away else "",
        return_step=format_compact_json({"do": RETURN, "target": fighter_id}) if is_on and is_away else "",
    )


def _list_condition_toggles(system: AnySystem, state: Any, fighter_id: str) -> tuple[ConditionToggle, ...]:
    toggles = []
    for condition in CONDITIONS:
        is_on = bool(system.get_state_value(state, f"{condition.replace('-', '_')}.{fighter_id}"))
        step = {"do": CONDITION, "target": fighter_id, "condition": condition, **({"on": False} if is_on else {})}
        toggles.append(
            ConditionToggle(condition, is_on, "" if condition == EVADING and not is_on else format_compact_json(step))
        )
    return tuple(toggles)


def _list_reorderable_ids_and_names(fight: Fight) -> tuple[tuple[str, str], ...]:
    return tuple((each, fight.state.name_of(each)) for each in fight.state.ids_to_reorder)


def _list_deletable_steps(fight: Fight) -> tuple[tuple[int, str], ...]:
    """List the last legal steps, the newest first, as numbers and short descriptions."""
    last = fight.results[fight.fixed_step_count :][-MAX_DELETABLE_STEPS:]
    return tuple(
        (each.n, f"{each.n}. {truncate_line(each.narration, _MAX_NARRATION_LENGTH)}")
        for each in reversed(last)
        if each.is_legal
    )


def _list_free_spaces(state: Any, nearest_to: list[int] | None) -> list[Space]:
    """List the free spaces of the map, those nearest to `nearest_to` first.

    Returns [] without a map.
    """
    board: Board | None = getattr(state, "board", None)
    if board is None:
        return []
    occupied = {space for _, space in list_occupied_spaces(state)}
    free = [each for each in board.spaces if not board.has_wall_or_obstacle(each) and each not in occupied]
    if nearest_to is None:
        return free
    start = (nearest_to[0], nearest_to[1])
    return sorted(free, key=lambda each: board.distance(start, each))


# Commands


def _build_step_about_selected_fighter(
    step: Step, fight: Fight, query: Query, fields: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Build a step about the selected character with the values of its controls.

    A text that can't be parsed is the value itself.
    """
    filled = {**step, "target": fields[TARGET]}
    for field in fight.system.gm_fields.get(step["do"], ()):
        typed = fields.get(f"gm_{field.key}", "").strip()
        value = _parse_typed_value_or_text(field, typed) if typed else field.default
        if value != field.default:
            filled[field.key] = value
    return [filled]


def _parse_typed_value_or_text(field: Field, text: str) -> Any:
    """Parse a control's text.

    Returns unreadable text unchanged, which the scenario's reader refuses.
    """
    try:
        return field.type.parse_or_return_text(field, text)
    except InvalidFieldValue:
        return text


def build_open_card_steps(fight: Fight, query: Query, fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """Build the steps for the numbers that are typed in the open card.

    They set the hit points and give an evade bonus. Returns [] if nothing is typed, or nothing changes.
    """
    state, who = fight.state, fields[TARGET]
    if SET_HP not in fight.system.gm_fields or state.phase != "running" or state.has_pending_action:
        return []
    if who not in {str(each.id) for each in state.fighters}:
        return []
    steps = []
    if fields[HP].strip() not in ("", str(state.fighter(who).hp)):
        steps += _build_step_about_selected_fighter({"do": SET_HP}, fight, query, fields)
    if fields[BONUS].strip() not in ("", "0"):
        steps += _build_step_about_selected_fighter({"do": CONDITION, "condition": EVADING}, fight, query, fields)
    return steps


def _build_join_steps(fight: Fight, query: Query, fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """Build the steps by which the typed characters join.

    They are seated next to each other, after the selected character. The basic rules have stat blocks instead of lines.
    Rule: `mano.order.seating`.
    """
    if not fight.system.character_fields:
        return _build_stat_block_join_steps(fight, query, fields)
    steps, after = [], fields[SEATED_AFTER]
    for each in _give_newcomers_unused_names(fight, parse_fighter_lines(fields[SHEET], fight.system), "a name"):
        steps.append({"do": JOIN, "character": each, **({"after": after} if after else {})})
        after = each["id"] if after else ""
    return steps


def _build_stat_block_join_steps(fight: Fight, query: Query, fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """Build the steps by which characters with stat blocks join.

    They are selected ones, or the stat blocks typed in the panel. Several copies of one character share a turn. Raises
    `ScratchError` for an invalid number of copies (`number.range`), if there is no room (`map.full`), and for the
    problems of the newcomers. Rules: `turn.group`, `command.minions`.
    """
    newcomer_ids, count = _parse_newcomer_ids_and_count(query, fields)
    text = _format_newcomer_blocks(fight, newcomer_ids, count) if newcomer_ids else "\n\n".join([fields[SHEET]] * count)
    characters = _give_newcomers_unused_names(fight, parse_setup(text), "a stat block")
    are_alike = len(newcomer_ids) == 1 or (not newcomer_ids and len(characters) == count)
    own = _choose_side_and_group(fight, fields, characters[0]["name"] if count > 1 and are_alike else "")
    present = [who.here for who in fight.state.fighters]
    place = {"here": [word for word in SURROUNDINGS if all(word in here for here in present)]}
    if fight.state.board is None and place["here"] not in ([], ["level"]):
        characters = [{**place, **each} for each in characters]
    spaces = _list_free_spaces(fight.state, parse_typed_space(fields[SPACE]))
    if fight.state.board is not None and len(spaces) < len(characters):
        raise ScratchError(Problem("map.full", "a map with enough free spaces", format_input("none left"), SPACE))
    return [
        {"do": JOIN, "character": {**each, **own}, **({"at": list(spaces[place])} if spaces else {})}
        for place, each in enumerate(characters)
    ]


def _parse_newcomer_ids_and_count(query: Query, fields: Mapping[str, str]) -> tuple[list[str], int]:
    """Parse the selected newcomers and the number of their copies.

    Raises `ScratchError` (`number.range`) for an invalid number.
    """
    parser = FieldParser(fields)
    count = parser.parse_whole_number(COUNT, add_characters.MAX_COPIES, 1)
    parser.problems.raise_if_any()
    is_single = fields[NEWCOMER] not in ("", TYPED_NEWCOMER)
    return [fields[NEWCOMER]] if is_single else list(list_ticked_values(query)), count


def _choose_side_and_group(fight: Fight, fields: Mapping[str, str], own_group_name: str) -> dict[str, str]:
    """Return the keys `side` and `group` of newcomers, without empty ones.

    `own_group_name` is the name of the group that they form by themselves, or "".
    """
    side = "" if fields[SIDE] == OWN_SIDE else fields[SIDE]
    shared = _find_shared_group_of_side(fight, side) or own_group_name
    group = {"": shared, OWN_TURNS: ""}.get(fields[GROUP], fields[GROUP])
    return {key: value for key, value in (("side", side), ("group", group)) if value}


def _find_shared_group_of_side(fight: Fight, side: str) -> str:
    """Find the initiative group that all of a side share (ruling A44).

    Returns "" if there is none. Rule: `turn.group`.
    """
    members = [each for each in fight.state.fighters if each.side == side]
    groups = {each.group for each in members if not each.is_minion}
    group = next(iter(groups), "")
    return group if len(groups) == 1 and group not in {each.id for each in members} else ""


def _give_newcomers_unused_names(fight: Fight, parsed: ParsedCharacters, expected: str) -> Sequence[dict[str, Any]]:
    """Return the newcomers of a text with ids and names that are not in use.

    `expected` is what the problem of an empty text says. Raises `ScratchError` (the first error, or `newcomer.none`),
    its `where` a control.
    """
    errors = [each for each in parsed.problems if each.severity == "error"]
    if errors:
        raise ScratchError(errors[0].with_location(SHEET))
    if not parsed.characters:
        raise ScratchError(Problem("newcomer.none", expected, format_input(""), SHEET))
    present = fight.state.fighters
    names = number_duplicates([*(each.name for each in present), *(each["name"] for each in parsed.characters)], " ")
    ids = number_duplicates([*(each.id for each in present), *(each["id"] for each in parsed.characters)], "-")
    ids_by_typed_id = dict(zip((each["id"] for each in parsed.characters), ids[len(present) :], strict=True))
    return [
        {
            **each,
            "id": ids_by_typed_id[each["id"]],
            "name": name,
            **({"minion_of": ids_by_typed_id[each["minion_of"]]} if "minion_of" in each else {}),
        }
        for each, name in zip(parsed.characters, names[len(present) :], strict=True)
    ]


def _format_newcomer_blocks(fight: Fight, newcomer_ids: Sequence[str], count: int) -> str:
    """Format the stat blocks of `count` copies of each newcomer.

    `newcomer_ids` name members of the cast and saved characters. The copies have names that are not in use. Raises
    `ScratchError` (`character.unknown`).
    """
    present_names = [str(each.name) for each in fight.state.fighters]
    blocks_by_id = {who: format_chosen_stat_blocks(who) for who in newcomer_ids}
    for who, blocks in blocks_by_id.items():
        if not blocks:
            raise ScratchError(Problem("character.unknown", EXPECTED_CHARACTER, format_input(who), NEWCOMER))
    copies = copy_characters(blocks_by_id.values(), count, "\n".join(present_names))
    return "\n\n".join(chain.from_iterable(blocks for _, blocks in copies))


def _build_reorder_steps(fight: Fight, query: Query, fields: Mapping[str, str]) -> list[dict[str, Any]]:
    moved, before = fields[MOVED_FIGHTER], fields[MOVED_BEFORE]
    order = [each for each in fight.state.ids_to_reorder if each != moved]
    order.insert(order.index(before) if before in order else len(order), moved)
    return [{"do": REORDER, "order": order}]


def _build_step_deletion(fight: Fight, query: Query, fields: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"do": DELETE_STEP, "step": parse_number_or_text(fields[STEP])}]


StepBuilder = Callable[[Fight, Query, Mapping[str, str]], list[dict[str, Any]]]
"""A function that builds the steps of a command with the values of the panel's controls.

The query says which characters are ticked. Raises `ScratchError` for values that can't be read, its `where` a control.
"""

STEP_BUILDERS: Mapping[str, StepBuilder] = {
    f"{COMMAND_PREFIX}{SET_HP}": partial(_build_step_about_selected_fighter, {"do": SET_HP}),
    f"{COMMAND_PREFIX}{EVADING}": partial(_build_step_about_selected_fighter, {"do": CONDITION, "condition": EVADING}),
    f"{COMMAND_PREFIX}{RETURN}": partial(_build_step_about_selected_fighter, {"do": RETURN}),
    f"{COMMAND_PREFIX}{REORDER}": _build_reorder_steps,
    f"{COMMAND_PREFIX}{DELETE_STEP}": _build_step_deletion,
    f"{COMMAND_PREFIX}{JOIN}": _build_join_steps,
}
"""The builders of the game master's steps, by the first word of the command."""


def is_gm_step(fight: Fight, step: Step) -> bool:
    """Return whether a step is a change by the game master."""
    do = step.get("do")
    return isinstance(do, str) and fight.system.is_gm_action_step(do, step.get("actor"))
