"""The initiative dice of a playthrough, each with the control that edits it."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.calculators.replay.fork_changes import join_values
from scratch_core.calculators.replay.playthroughs import PlayedScenario

MAX_GROUPS = 12
"""The most fighters or groups whose initiative dice can be edited."""


@dataclass(frozen=True, slots=True)
class InitiativeDice:
    """The initiative dice of a fighter or a group."""

    group: str
    """The id of the fighter or the group."""
    label: str
    """The names of all fighters that share the dice."""
    control: str
    """The name of the control that edits them. Empty if they can't be edited."""
    faces: str
    """The faces, separated by commas."""


def list_initiative_dice(story: PlayedScenario) -> tuple[InitiativeDice, ...]:
    """List the initiative dice of a playthrough.

    A name that a fork's text could not hold has no control.
    """
    opening_state = story.result.opening_state
    names: dict[str, list[str]] = {}
    for each in opening_state.fighters:
        names.setdefault(getattr(each, "group", each.id), []).append(each.name)
    rolls = enumerate(story.result.beginning.rolls, 1)
    return tuple(
        InitiativeDice(
            each.who, join_values(names[each.who]), _choose_dice_control(n, each.who), join_values(each.faces)
        )
        for n, each in rolls
    )


def _choose_dice_control(roll_number: int, group: str) -> str:
    """Return the control that edits the `roll_number`-th faces, counted from 1.

    Returns "" if a fork's text can't hold the name `group`, or if there are too many.
    """
    is_writable = group == group.strip() and not any(sign in group for sign in ";=\n")
    return f"initiative_{roll_number}" if roll_number <= MAX_GROUPS and is_writable else ""
