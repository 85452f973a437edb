"""Versions of a fight that another version replaced, saved whole and restored by a button.

Another version comes from a step that differs from the undone ones, from a changed roll, from the deletion of a step,
or from the restoration of a saved version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from scratch_core.calculators.fight.players_screen import parse_json_names
from scratch_core.calculators.fight.session import Fight, open_fight
from scratch_core.errors import ScratchError
from scratch_core.scenario import format_json

CONTROL = "aside"
"""The control that holds the saved versions, and the first word of the command that restores one."""

DISMISSED_CONTROL = "dismissed"
"""The control that says whether the notice of the latest version is dismissed, `on` or ""."""

REPLACEMENT_CONTROL = "replacement"
"""The control with the command that restores the version which the last press replaced.

It is `UNDO` or `REDO`, with the number of steps that were undone in that version; "" if the press replaced none."""

UNDO, REDO = "undo", "redo"
"""The commands that can restore a replaced version."""

DISMISS_COMMAND = "dismiss"
"""The command that dismisses the notice."""

MAX_BRANCHES = 4
"""The most versions that are saved; older ones are dropped."""
MAX_BRANCHES_LENGTH = 500_000
"""The most characters of all saved versions together: a query has room for them and a fight of the same length."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A saved version of the fight."""

    restore_command: str
    """The command that restores it."""
    step_count: int
    """The number of its steps that the present version doesn't have, 1 or more."""
    last_narration: str
    """What happened in its last step."""
    is_recent: bool = False
    """Whether the turn in which it was left is still going on."""


def format_branches_as_json(versions: Sequence[str]) -> str:
    """Format the control of these versions, the latest first.

    The oldest ones are dropped if they exceed the limits.
    """
    saved = list(versions[:MAX_BRANCHES])
    while sum(map(len, saved)) > MAX_BRANCHES_LENGTH:
        saved.pop()
    return format_json(saved) if saved else ""


def list_branches(fight: Fight, control_text: str) -> tuple[Branch, ...]:
    """List the versions that have steps which the present one doesn't have.

    `control_text` is the control. Versions that can't be read are left out.
    """
    saved = []
    for number, version in enumerate(parse_json_names(control_text)):
        other = _try_open_fight(version)
        if other is None:
            continue
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(fight.steps, other.steps, strict=False))
        common = sum(1 for _ in shared)
        count = len(other.steps) - common
        if count:
            is_recent = _find_round_and_actor_id(fight, common + 1) == _find_round_and_actor_id(fight, len(fight.steps))
            saved.append(Branch(f"{CONTROL} {number}", count, other.results[-1].narration, is_recent))
    return tuple(saved)


def _find_round_and_actor_id(fight: Fight, step_count: int) -> tuple[int, str]:
    """Return the round and the actor of the turn after a number of steps."""
    state = fight.states[min(step_count, len(fight.steps))]
    actor = state.active
    return fight.system.find_turn_round(state, actor), actor


def restore_branch(fight: Fight, present_text: str, control_text: str, number: str) -> tuple[Fight, str]:
    """Replace the present version by a saved one, and save the present one.

    `present_text` is the file of the present version, `control_text` the control, and `number` the place of the saved
    version, from 0. Returns the fight and the control, both unchanged if there is no such version.
    """
    versions = parse_json_names(control_text)
    index = int(number) if number.isdecimal() and len(number) == 1 else len(versions)
    other = _try_open_fight(versions[index]) if index < len(versions) else None
    if other is None:
        return fight, control_text
    return other, format_branches_as_json((present_text, *versions[:index], *versions[index + 1 :]))


def _try_open_fight(text: str) -> Fight | None:
    try:
        return open_fight(text, None)[0]
    except ScratchError:
        return None
