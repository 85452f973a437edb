"""Stories of a fight that were left by doing something else after an undo: set aside whole, each with a way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from scratch_core.calculators.fight.players_screen import parse_names
from scratch_core.calculators.fight.session import Fight, open_fight
from scratch_core.errors import ScratchError
from scratch_core.scenario import format_json

CONTROL = "aside"
"""The control that carries them, and what the button that goes back to one says before its number."""

DISMISSED_CONTROL = "dismissed"
"""The control that says whether the notice of the latest one has been dismissed, `on` or ""."""

DISMISS_COMMAND = "dismiss"
"""The press that dismisses that notice."""

MAX_BRANCHES = 4
MAX_BRANCHES_LENGTH = 400_000
"""As many stories as are set aside, the latest ones, and as much room as they have in a query."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A story set aside: what goes back to it, its steps that are not in the present one, and the last's sentence.

    `is_recent`: the turn in which it was left still goes on.
    """

    restore_command: str
    step_count: int
    last_narration: str
    is_recent: bool = False


def format_branches(stories: Sequence[str]) -> str:
    """The control of these stories, as many of the latest as there is room for."""
    kept = list(stories[:MAX_BRANCHES])
    while sum(map(len, kept)) > MAX_BRANCHES_LENGTH:
        kept.pop()
    return format_json(kept) if kept else ""


def list_branches(fight: Fight, text: str) -> tuple[Branch, ...]:
    """The stories that hold more than the present one, each with how much; what is no fight is left out."""
    found = []
    for number, each in enumerate(parse_names(text)):
        other = _try_open_fight(each)
        if other is None:
            continue
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(fight.steps, other.steps, strict=False))
        common = sum(1 for _ in shared)
        count = len(other.steps) - common
        if count:
            is_recent = _turn_after(fight, common + 1) == _turn_after(fight, len(fight.steps))
            found.append(Branch(f"{CONTROL} {number}", count, other.results[-1].narration, is_recent))
    return tuple(found)


def _turn_after(fight: Fight, steps: int) -> tuple[int, str]:
    """Return the round and the actor of the turn after so many steps."""
    state = fight.states[min(steps, len(fight.steps))]
    actor = state.active
    return fight.system.find_turn_round(state, actor), actor


def restore_branch(fight: Fight, whole: str, text: str, number: str) -> tuple[Fight, str]:
    """The story of that number in place of the present one, whose file is `whole` and which is set aside for it.

    As they are, where there is no such story.
    """
    stories = parse_names(text)
    place = int(number) if number.isdecimal() and len(number) == 1 else len(stories)
    other = _try_open_fight(stories[place]) if place < len(stories) else None
    if other is None:
        return fight, text
    return other, format_branches((whole, *stories[:place], *stories[place + 1 :]))


def _try_open_fight(text: str) -> Fight | None:
    try:
        return open_fight(text, None)[0]
    except ScratchError:
        return None
