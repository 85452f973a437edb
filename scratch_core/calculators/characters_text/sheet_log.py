"""The log of a sheet in play: steps as lines of a short text. Each can be undone, and a link holds all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.characters import Health, find_health
from scratch_core.dice import Check, check, is_face
from scratch_core.figures import Part

MAX_LOG_STEPS = 100
"""The most steps in a log. The earliest rolls are removed first, because they change nothing."""

MAX_NOTE_LENGTH = 40
"""The most characters of a condition."""

MAX_NUMBER = 9999
"""The largest number of a difficulty."""

PLAY_MODE = "play"
"""The value of the control `at` for a sheet in play."""

NO_ABILITY = "none"
"""The value for a roll without an ability."""

_ROLL_PATTERN = re.compile(r"roll ([a-z]{1,40}) (-?\d{1,4}) (\d{1,4}) (\d{1,2})(?: against (.+))?")
_NUMBER_PATTERN = re.compile(r"(hp|fight) (\d{1,4})")
_TEXT_PATTERN = re.compile(r"(note|end) (.+)")


@dataclass(frozen=True, slots=True)
class LoggedRoll:
    """A roll in the log."""

    ability: str
    """The ability, or `none`."""
    level: int
    """The level of the ability at that time."""
    difficulty: int
    """The difficulty."""
    face: int
    """The face of the die."""
    target_text: str = ""
    """What the roll was made against. Empty for a typed difficulty."""

    @property
    def check(self) -> Check:
        """The total, compared with the difficulty. Rules: `roll.success`, `roll.auto-success`."""
        return check(
            self.face, (Part(self.ability, self.level, "roll.modifier"),) if self.level else (), self.difficulty
        )

    @property
    def step(self) -> str:
        """The roll as a line of the log."""
        against_text = f" against {self.target_text}" if self.target_text else ""
        return f"roll {self.ability} {self.level} {self.difficulty} {self.face}{against_text}"


@dataclass(frozen=True, slots=True)
class SheetState:
    """A sheet in play after its steps."""

    hp: int
    """The hit points left."""
    max_hp: int
    """The maximum of hit points."""
    conditions: tuple[str, ...] = ()
    """The conditions, the latest last."""
    rolls: tuple[LoggedRoll, ...] = ()
    """The rolls, the latest first."""
    before_fight: int | None = None
    """The hit points before those of a fight were taken over. None if there are none to restore."""

    @property
    def health(self) -> Health:
        """The health at these hit points. Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`."""
        return find_health(self.hp, self.max_hp)


def parse_steps(text: str) -> tuple[str, ...]:
    """Parse the steps of a log, one per line.

    Invalid lines are omitted. Never raises.
    """
    lines = (truncate_line(line.strip(), 200) for line in text.split("\n")[: 4 * MAX_LOG_STEPS])
    return tuple(line for line in lines if _apply_step(SheetState(0, 0), line))


def format_steps(steps: Sequence[str]) -> str:
    """Format steps as a log, without the earliest rolls if there are too many."""
    remaining = list(steps)
    while len(remaining) > MAX_LOG_STEPS:
        remaining.remove(next((step for step in remaining if step.startswith("roll ")), remaining[0]))
    return "\n".join(remaining)


def _parse_roll(line: str) -> LoggedRoll | None:
    match = _ROLL_PATTERN.fullmatch(line)
    if match is None or not is_face(int(match[4])):
        return None
    return LoggedRoll(match[1], int(match[2]), int(match[3]), int(match[4]), match[5] or "")


def apply_steps(steps: Sequence[str], max_hp: int) -> SheetState:
    """Apply steps to an unhurt character, and return the state after them.

    Hit points are always from 0 to `max_hp`. Rules: `hp.max`, `hp.floor`.
    """
    state = SheetState(max_hp, max_hp)
    for step in steps:
        state = _apply_step(state, step) or state
    return state


def _apply_step(state: SheetState, step: str) -> SheetState | None:
    """Apply a step to a state.

    Returns None for an invalid line.
    """
    if step == "rest":
        return replace(state, hp=state.max_hp, conditions=(), before_fight=None)
    if number := _NUMBER_PATTERN.fullmatch(step):
        before = state.hp if number[1] == "fight" else None
        return replace(state, hp=min(int(number[2]), state.max_hp), before_fight=before)
    words = _TEXT_PATTERN.fullmatch(step)
    if words and len(words[2]) <= MAX_NOTE_LENGTH:
        others = tuple(each for each in state.conditions if each != words[2])
        return replace(state, conditions=(*others, words[2]) if words[1] == "note" else others)
    roll = _parse_roll(step)
    return replace(state, rolls=(roll, *state.rolls)) if roll else None
