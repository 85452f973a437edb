"""The row with which the table enters what happened to one character, in the turn systems without attack rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scratch_core.calculators.fight.menu_records import ActionChoice, ActionControl, ActionGroup
from scratch_core.calculators.fight.session import Fight
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MARKED_CONTROL = "marked"
"""The control with the number of steps and the id of the character that was selected after them, or ""."""


@dataclass(frozen=True, slots=True)
class EventButton:
    """A button of the row."""

    label: str
    """The text of the button."""
    effect: str
    """What it does, in a few words."""
    choice: ActionChoice
    """The event, with the selected character."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """What can be entered for the selected character."""

    fighter_id: str
    """The id of the selected character."""
    name: str
    """The name of the selected character."""
    options: tuple[tuple[str, str], ...]
    """The characters that can be selected, as texts of `MARKED_CONTROL` and names."""
    rule: str
    """The id of the rule of the first event."""
    controls: tuple[ActionControl, ...]
    """The controls that the events share: a number, and a list of pools."""
    events: tuple[EventButton, ...]
    """What can have happened to the character."""
    starts: tuple[EventButton, ...]
    """How the character can start before its first turn."""
    closed_groups: tuple[ActionGroup, ...]
    """The events that no character can have now, each with its problem."""
    other_starter_names: tuple[str, ...]
    """The names of the other characters who can still choose how they start."""

    @property
    def starters_hint(self) -> str:
        """The sentence about other characters who can choose how they start, "" for no one."""
        first, *others = self.other_starter_names or ("",)
        if not first or self.starts:
            return ""
        rest = f" or {len(others)} others" if others[1:] else "".join(f" or {each}" for each in others)
        return f"Select {first}{rest} to start evading or ready."


def find_marked_fighter_id(fight: Fight, pressed_ids: Sequence[str], marked: str) -> str:
    """Return the id of the character that the user has selected since the last step.

    `pressed_ids` are those pressed now, and `marked` is the text of `MARKED_CONTROL`. Returns "" without a selection.
    """
    ids = _list_present_ids(fight)
    step_count, _, marked_id = marked.partition(" ")
    known_ids = [*([marked_id] if step_count == str(len(fight.steps)) else []), *pressed_ids]
    return next((each for each in reversed(known_ids) if each in ids), "")


def format_marked(fight: Fight, fighter_id: str) -> str:
    """Format the text of `MARKED_CONTROL`, "" for no one."""
    return f"{len(fight.steps)} {fighter_id}" if fighter_id else ""


def build_event_row(
    fight: Fight,
    selected_id: str,
    default_ids: Sequence[str],
    start_groups: Sequence[ActionGroup],
    event_groups: Sequence[ActionGroup],
) -> EventRow | None:
    """Build the row of the selected character.

    Without a selection it is the target of the latest step that had one, else the first of the `default_ids` who
    is in the fight. Returns None if no one is left.
    """
    ids = _list_present_ids(fight)
    fighter_id = next(
        (each for each in (selected_id, *_list_latest_targets(fight), *default_ids, *ids) if each in ids), ""
    )
    if not fighter_id:
        return None
    open_groups = [each for each in event_groups if not each.problem]
    starters = dict.fromkeys(choice.actor for group in start_groups for choice in group.main_choices)
    return EventRow(
        fighter_id,
        fight.state.name_of(fighter_id),
        tuple((format_marked(fight, each), fight.state.name_of(each)) for each in ids),
        event_groups[0].rule,
        tuple({each.name: each for group in open_groups for each in group.controls}.values()),
        _list_event_buttons_of(fight, fighter_id, open_groups),
        _list_event_buttons_of(fight, fighter_id, start_groups),
        tuple(each for each in event_groups if each.problem),
        tuple(fight.state.name_of(each) for each in starters if each != fighter_id),
    )


def _list_present_ids(fight: Fight) -> list[str]:
    """List the ids of the characters in the fight, in the order of the file."""
    return [each.id for each in fight.state.fighters if not each.is_away]


def _list_latest_targets(fight: Fight) -> tuple[str, ...]:
    """Return the target of the latest step that had one, () for none."""
    targets = (getattr(each.action, "target", "") for each in reversed(fight.results) if each.is_legal)
    return tuple(target for target in [next(filter(None, targets), "")] if target)


def _list_event_buttons_of(fight: Fight, fighter_id: str, groups: Sequence[ActionGroup]) -> tuple[EventButton, ...]:
    """List the buttons of these groups for a character."""
    specs = VARIANT_TURN_SYSTEMS[fight.system.name].specs_by_name
    return tuple(
        EventButton(specs[group.do].short or group.title, group.effect, choice)
        for group in groups
        for choice in group.main_choices
        if fighter_id in (choice.targets or (choice.actor,))
    )
