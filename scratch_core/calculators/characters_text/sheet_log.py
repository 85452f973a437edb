"""What is done with a sheet in play, as steps of a short text: each can be taken back, and all of it fits a link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scratch_core.calculators.shared.form import truncate_line
from scratch_core.characters import Health, find_health
from scratch_core.dice import Check, check, is_face
from scratch_core.figures import Part

MAX_LOG_STEPS = 100
"""As many steps as are kept; of more the earliest rolls go, for they change nothing."""

MAX_NOTE_LENGTH = 40
"""Characters of a condition that is noted."""

MAX_NUMBER = 9999

PLAY_MODE = "play"
"""What the control `at` says while a sheet is in play."""

NO_ABILITY = "none"
"""In place of an ability: the die alone."""

_ROLL_PATTERN = re.compile(r"roll ([a-z]{1,40}) (-?\d{1,4}) (\d{1,4}) (\d{1,2})(?: against (.+))?")
_NUMBER_PATTERN = re.compile(r"(hp|fight) (\d{1,4})")
_TEXT_PATTERN = re.compile(r"(note|end) (.+)")


@dataclass(frozen=True, slots=True)
class LoggedRoll:
    """One roll: the ability (`none` for the die alone), its level then, the difficulty, the face, and against what."""

    ability: str
    level: int
    difficulty: int
    face: int
    target_text: str = ""

    @property
    def check(self) -> Check:
        """The sum, held against the difficulty. Rules: `roll.success`, `roll.auto-success`."""
        return check(
            self.face, (Part(self.ability, self.level, "roll.modifier"),) if self.level else (), self.difficulty
        )

    @property
    def step(self) -> str:
        """The step that tells of it."""
        whom = f" against {self.target_text}" if self.target_text else ""
        return f"roll {self.ability} {self.level} {self.difficulty} {self.face}{whom}"


@dataclass(frozen=True, slots=True)
class SheetState:
    """A sheet in play after its steps: hit points left and at most, conditions, rolls with the latest first.

    `before_fight` is how many hit points there were before a fight's were taken over, None where none were.
    """

    hp: int
    max_hp: int
    conditions: tuple[str, ...] = ()
    rolls: tuple[LoggedRoll, ...] = ()
    before_fight: int | None = None

    @property
    def health(self) -> Health:
        """What the hit points mean. Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`."""
        return find_health(self.hp, self.max_hp)


def parse_steps(text: str) -> tuple[str, ...]:
    """The steps of a text, one a line; a line that is none is left out. Never raises."""
    lines = (truncate_line(line.strip(), 200) for line in text.split("\n")[: 4 * MAX_LOG_STEPS])
    return tuple(line for line in lines if _apply_step(SheetState(0, 0), line))


def format_steps(steps: Sequence[str]) -> str:
    """Steps as a text, the earliest rolls left out where there are too many."""
    kept = list(steps)
    while len(kept) > MAX_LOG_STEPS:
        kept.remove(next((step for step in kept if step.startswith("roll ")), kept[0]))
    return "\n".join(kept)


def _parse_roll(line: str) -> LoggedRoll | None:
    found = _ROLL_PATTERN.fullmatch(line)
    if found is None or not is_face(int(found[4])):
        return None
    return LoggedRoll(found[1], int(found[2]), int(found[3]), int(found[4]), found[5] or "")


def apply_steps(steps: Sequence[str], max_hp: int) -> SheetState:
    """Where a sheet stands after its steps; hit points never leave 0 to `max_hp`. Rules: `hp.max`, `hp.floor`."""
    state = SheetState(max_hp, max_hp)
    for step in steps:
        state = _apply_step(state, step) or state
    return state


def _apply_step(state: SheetState, step: str) -> SheetState | None:
    """Where a sheet stands after one step; None for a line that is none."""
    if step == "rest":
        return replace(state, hp=state.max_hp, conditions=(), before_fight=None)
    if number := _NUMBER_PATTERN.fullmatch(step):
        before = state.hp if number[1] == "fight" else None
        return replace(state, hp=min(int(number[2]), state.max_hp), before_fight=before)
    words = _TEXT_PATTERN.fullmatch(step)
    if words and len(words[2]) <= MAX_NOTE_LENGTH:
        others = tuple(each for each in state.conditions if each != words[2])
        return replace(state, conditions=(*others, words[2]) if words[1] == "note" else others)
    rolled = _parse_roll(step)
    return replace(state, rolls=(rolled, *state.rolls)) if rolled else None
