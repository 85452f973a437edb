"""The game master's hand on the page: what can be set, given, brought in or struck by a tap, and what was pressed.

It is the same block in every order of turns; what an order has no step for is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from scratch_core.board import Board, Space
from scratch_core.calculators.characters_text import People
from scratch_core.calculators.characters_text.chooser import UNKNOWN, blocks_of, each_of, ticked
from scratch_core.calculators.characters_text.fighter_lines import read_lines
from scratch_core.calculators.characters_text.setup_text import read_place, read_setup
from scratch_core.calculators.fight import add_characters
from scratch_core.calculators.fight.roster import side_words
from scratch_core.calculators.fight.session import STRIKE, Fight, Step, dumped
from scratch_core.calculators.fight.variant_menu import AS_TYPED
from scratch_core.calculators.shared.form import Form, number_typed, numbered, one_line
from scratch_core.calculators.shared.sides import PLAYERS_SIDES
from scratch_core.encounter.actions import list_occupied_spaces
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import CONDITION, CONDITIONS, EVADING, JOIN, LEAVE, REORDER, RETURN, SET_HP

PREFIX = "hand-"
"""What is pressed in the block and needs more than the button says begins with this."""

LOOK = "hand-look"
"""The word before the id of the one whom the next steps are about."""

WHO, HP, BONUS, AT, STEP = "hand_who", "hand_hp", "hand_bonus", "hand_at", "hand_step"
NEW, COUNT, SIDE, GROUP = "hand_new", "hand_count", "hand_side", "hand_group"
SHEET, AFTER = "hand_sheet", "hand_after"
MOVED, BEFORE = "hand_moved", "hand_before"
UNSEEN = "hand_unseen"

CONTROLS = (WHO, HP, BONUS, AT, STEP, NEW, COUNT, SIDE, GROUP, SHEET, AFTER, MOVED, BEFORE, UNSEEN)
"""The names of the block's controls."""

OF_SOMEBODY = (HP, BONUS, AT)
"""What is typed about the one who is chosen."""

TYPED = (HP, BONUS, NEW, COUNT, SHEET, MOVED, BEFORE, STEP, UNSEEN)
"""What is typed for one step and is not for the next."""

STEP_KEYS = (
    *("do", "target", "hp", "condition", "bonus", "on"),
    *("character", "at", "after", "order", "what"),
)
"""The keys that a step of the game master's may have."""

OWN = "own"
"""What `hand_new` is for someone who is written down."""

ALONE = "-"
"""What `hand_side` is for someone on a side of its own."""

OWN_TURNS = "-"
"""What `hand_group` is for newcomers who each take a separate turn."""

MOST_STRUCK = 40
"""As many of the last steps are listed to be struck."""

_WORDS_LIMIT = 70


@dataclass(frozen=True, slots=True)
class Given:
    """A condition that someone has or could be given, whether it is on, and the step that changes that.

    `step` is "" where a number belongs to it.
    """

    condition: str
    is_on: bool
    step: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The one whom the next steps are about.

    `leave` and `back` are the steps that take it out and bring it back, "" where it can't be; `back` may need a space.
    """

    fighter: Any
    conditions: tuple[Given, ...]
    leave: str
    back: str


@dataclass(frozen=True, slots=True)
class Hand:
    """The block: the one chosen, and what changes the fight as a whole.

    `places` is the order of turns as ids and names, () where there is none to change; `steps` those that can be struck;
    `sides` and `groups` are choices for whoever joins, as ids and names. `at` is a free space of the board, "" without
    one.
    """

    chosen: Chosen | None
    places: tuple[tuple[str, str], ...]
    steps: tuple[tuple[int, str], ...]
    sides: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, str], ...]
    at: str


def hand_of(fight: Fight, fields: Mapping[str, str]) -> Hand | None:
    """The block for a fight as it stands, None while an answer is waited for: then the game master waits too."""
    system, state = fight.system, fight.state
    if system.is_waiting(state):
        return None
    people = [(str(each.id), str(each.name)) for each in system.fighters(state)]
    free = _spaces(state, read_place(fields["aim"]))
    all_sides = dict.fromkeys(str(each.side) for each in system.fighters(state))
    sides = sorted(all_sides, key=PLAYERS_SIDES.__contains__)  # newcomers are mostly the game master's
    return Hand(
        chosen=_chosen(fight, fields[WHO]) if fields[WHO] in dict(people) else None,
        places=_places(fight) if REORDER in system.gm_fields else (),
        steps=_strikable(fight),
        sides=(*((each, side_words(each, people)) for each in sides), (ALONE, "a side of their own")),
        groups=(
            ("", "with their side, if it acts as one group"),
            (OWN_TURNS, "separate: roll initiative for each"),
            *((own, f"with {name}") for own, name in _places(fight)),
        ),
        at=",".join(map(str, free[0])) if free else "",
    )


def _chosen(fight: Fight, who: str) -> Chosen:
    system, state = fight.system, fight.state
    is_away, is_on = system.is_away(state, who), state.phase == "running"
    return Chosen(
        fighter=system.fighter(state, who),
        conditions=_conditions(system, state, who) if CONDITION in system.gm_fields and is_on and not is_away else (),
        leave=dumped({"do": LEAVE, "target": who}) if is_on and not is_away else "",
        back=dumped({"do": RETURN, "target": who}) if is_on and is_away else "",
    )


def _conditions(system: AnySystem, state: Any, who: str) -> tuple[Given, ...]:
    found = []
    for each in CONDITIONS:
        is_on = bool(system.get_state_value(state, f"{each.replace('-', '_')}.{who}"))
        step = {"do": CONDITION, "target": who, "condition": each, **({"on": False} if is_on else {})}
        found.append(Given(each, is_on, "" if each == EVADING and not is_on else dumped(step)))
    return tuple(found)


def _places(fight: Fight) -> tuple[tuple[str, str], ...]:
    return tuple((each, fight.system.name_of(fight.state, each)) for each in fight.system.list_order_ids(fight.state))


def _strikable(fight: Fight) -> tuple[tuple[int, str], ...]:
    """The last steps that were carried out, the newest first, in a few words."""
    last = fight.records[fight.fixed :][-MOST_STRUCK:]
    return tuple(
        (each.n, f"{each.n}. {one_line(each.narration, _WORDS_LIMIT)}") for each in reversed(last) if each.is_legal
    )


def _spaces(state: Any, first: list[int] | None) -> list[Space]:
    """The free spaces of the board, those nearest to the first one asked for first; [] without a board."""
    board: Board | None = getattr(state, "board", None)
    if board is None:
        return []
    taken = {space for _, space in list_occupied_spaces(state)}
    free = [each for each in board.spaces if not board.is_solid(each) and each not in taken]
    if first is None:
        return free
    asked = (first[0], first[1])
    return sorted(free, key=lambda each: board.distance(asked, each))


# What was pressed


def steps_of(fight: Fight, command: str, asked: Form) -> list[dict[str, Any]]:
    """The steps that a button of the block stands for, with what stands in its controls.

    Raises `ScratchError`, its `where` a control, for what can't be read.
    """
    word = command.removeprefix(PREFIX)
    if word in _FILLED:
        return [_filled(fight, _FILLED[word], asked.fields)]
    if word not in _MADE:
        raise ScratchError(Problem("button.unknown", "a step of the game master's", format_input(command), "act"))
    return _MADE[word](fight, asked)


_FILLED: Mapping[str, Step] = {
    SET_HP: {"do": SET_HP},
    EVADING: {"do": CONDITION, "condition": EVADING},
    RETURN: {"do": RETURN},
}
"""The steps about the one chosen that have something to be filled in."""


def _filled(fight: Fight, step: Step, fields: Mapping[str, str]) -> dict[str, Any]:
    """A step about the one chosen, with what its fields' controls hold; what can't be read stays as it was typed."""
    filled = {**step, "target": fields[WHO]}
    for field in fight.system.gm_fields.get(step["do"], ()):
        typed = fields.get(f"hand_{field.key}", "").strip()
        value = AS_TYPED[field.kind](typed) if typed else field.default
        if value != field.default:
            filled[field.key] = value
    return filled


def _join(fight: Fight, asked: Form) -> list[dict[str, Any]]:
    """The steps by which those of lines join, side by side after whoever was chosen. Rule: `mano.order.seating`."""
    if not fight.system.character_fields:
        return _join_blocks(fight, asked)
    fields = asked.fields
    steps, after = [], fields[AFTER]
    for each in _read(fight, read_lines(fields[SHEET], fight.system), "a name"):
        steps.append({"do": JOIN, "character": each, **({"after": after} if after else {})})
        after = each["id"] if after else ""
    return steps


def _join_blocks(fight: Fight, asked: Form) -> list[dict[str, Any]]:
    """Those of stat blocks, or of the cast, join; several share their turns. Rules: `turn.group`, `command.minions`."""
    fields, count = asked.fields, add_characters.number(asked, COUNT, 1, add_characters.MOST_AT_ONCE)
    if asked.has_errors:
        return []
    come = [fields[NEW]] if fields[NEW] not in ("", OWN) else list(ticked(asked.query))
    text = _sheet(fight, come, count) if come else "\n\n".join([fields[SHEET]] * count)
    characters = _read(fight, read_setup(text), "a stat block")
    are_alike = len(come) == 1 or (not come and len(characters) == count)
    side = "" if fields[SIDE] == ALONE else fields[SIDE]
    shared = _group_of_side(fight, side) or (characters[0]["name"] if count > 1 and are_alike else "")
    group = {"": shared, OWN_TURNS: ""}.get(fields[GROUP], fields[GROUP])
    own = {key: value for key, value in (("side", side), ("group", group)) if value}
    present = [who.here for who in fight.state.fighters]
    place = {"here": [word for word in SURROUNDINGS if all(word in here for here in present)]}
    if fight.state.board is None and place["here"] not in ([], ["level"]):
        characters = [{**place, **each} for each in characters]
    spaces = _spaces(fight.state, read_place(fields[AT]))
    if fight.state.board is not None and len(spaces) < len(characters):
        raise _wrong("map.full", "a board with room for them", "none left", AT)
    return [
        {"do": JOIN, "character": {**each, **own}, **({"at": list(spaces[place])} if spaces else {})}
        for place, each in enumerate(characters)
    ]


def _group_of_side(fight: Fight, side: str) -> str:
    """Find the initiative group that all of a side share (ruling A44); "" where they have none.

    Rule: `turn.group`.
    """
    members = [each for each in fight.state.fighters if each.side == side]
    groups = {each.group for each in members if not each.is_minion}
    group = next(iter(groups), "")
    return group if len(groups) == 1 and group not in {each.id for each in members} else ""


def _read(fight: Fight, people: People, what: str) -> Sequence[dict[str, Any]]:
    """The newcomers of a text, with ids and names that no one has yet.

    Raises `ScratchError` with what is wrong first, at its control.
    """
    wrong = [each for each in people.problems if each.severity == "error"]
    if wrong:
        raise ScratchError(replace(wrong[0], where=SHEET))
    if not people.characters:
        raise _wrong("newcomer.none", what, "", SHEET)
    there = fight.system.fighters(fight.state)
    names = numbered([*(each.name for each in there), *(each["name"] for each in people.characters)], " ")
    ids = numbered([*(each.id for each in there), *(each["id"] for each in people.characters)], "-")
    own = dict(zip((each["id"] for each in people.characters), ids[len(there) :], strict=True))
    return [
        {
            **each,
            "id": own[each["id"]],
            "name": name,
            **({"minion_of": own[each["minion_of"]]} if "minion_of" in each else {}),
        }
        for each, name in zip(people.characters, names[len(there) :], strict=True)
    ]


def _sheet(fight: Fight, come: Sequence[str], count: int) -> str:
    """The stat blocks of so many of each who comes, of the cast or kept, each with a name no one has yet."""
    there = [str(each.name) for each in fight.system.fighters(fight.state)]
    people = {who: blocks_of(who) for who in come}
    for who, blocks in people.items():
        if not blocks:
            raise _wrong("character.unknown", UNKNOWN, who, NEW)
    named = each_of(people.values(), count, "\n".join(there))
    return "\n\n".join(chain.from_iterable(blocks for _, blocks in named))


def _reorder(fight: Fight, asked: Form) -> list[dict[str, Any]]:
    moved, before = asked.fields[MOVED], asked.fields[BEFORE]
    order = [each for each in fight.system.list_order_ids(fight.state) if each != moved]
    order.insert(order.index(before) if before in order else len(order), moved)
    return [{"do": REORDER, "order": order}]


_MADE: Mapping[str, Callable[[Fight, Form], list[dict[str, Any]]]] = {
    REORDER: _reorder,
    STRIKE: lambda fight, asked: [{"do": STRIKE, "step": number_typed(asked.fields[STEP])}],
    JOIN: _join,
}


def _wrong(code: str, expected: str, got: str, control: str) -> ScratchError:
    return ScratchError(Problem(code, expected, format_input(got), control))


def is_by_hand(fight: Fight, step: Step) -> bool:
    """Whether a step is the game master's."""
    do = step.get("do")
    return isinstance(do, str) and fight.system.is_gm_action(do, step.get("actor"))
