"""Initiative dice: recorded faces first, then the roller's, and roll-offs of ties."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.dice import RecordedRoller, Roller, throw
from scratch_core.errors import Problem, ScratchError

MAX_TIE_ROLLS = 100
"""How many times a tie is rolled off. Dice that never differ are broken, and the loop must end."""


class RecordingRoller:
    """A roller that records the faces of another."""

    def __init__(self, roller: Roller) -> None:
        self.roller = roller
        self.faces: list[int] = []

    def roll(self, sides: int) -> int:
        """Roll a die and record its face."""
        self.faces.append(self.roller.roll(sides))
        return self.faces[-1]


def take_or_roll_d20(recorded_faces: list[int], roller: Roller) -> int:
    """Take the next recorded face, or roll a d20.

    Raises `ScratchError` (`dice.face`) for an impossible face.
    """
    return throw(RecordedRoller((recorded_faces.pop(0),)) if recorded_faces else roller)


def roll_off(  # noqa: PLR0913 -- whose dice, which are known, and how far it goes
    tied: Sequence[str],
    given: dict[str, list[int]],
    roller: Roller,
    rule: str,
    *,
    only_first: bool = False,
    rolls_left: int = MAX_TIE_ROLLS,
) -> list[tuple[str, tuple[int, ...]]]:
    """Order tied fighters by a d20 each, and roll off further ties (rulings A21, K25).

    Returns each fighter with its faces, the highest first. With `only_first` only ties for the first place are rolled
    off. `given` has the recorded faces by id; used ones are removed. Raises `ScratchError`: `initiative.tie` if the
    dice never differ, `dice.face` for an impossible face.
    """
    if len(tied) == 1:
        return [(tied[0], ())]
    if not rolls_left:
        expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
        raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule))
    thrown = {each: take_or_roll_d20(given.setdefault(each, []), roller) for each in tied}
    order: list[tuple[str, tuple[int, ...]]] = []
    for face in sorted(set(thrown.values()), reverse=True):
        level = [each for each in tied if thrown[each] == face]
        if only_first and order:
            order += [(each, (face,)) for each in level]
            continue
        again = roll_off(level, given, roller, rule, only_first=only_first, rolls_left=rolls_left - 1)
        order += [(each, (face, *more)) for each, more in again]
    return order


def roll_tie_break(own: list[int], other: list[int], roller: Roller, rule: str) -> int:
    """Roll until two equal initiatives differ, and return by how much (A21).

    The result is positive if the newcomer comes first, else negative. Compares the dice of both lists in pairs. A die
    that a list does not have yet is rolled and appended, the newcomer's (`own`) first. Raises `ScratchError`:
    `initiative.tie` if the dice never differ, `dice.face` for an impossible face.
    """
    for place in range(MAX_TIE_ROLLS):
        for thrown in (own, other):
            if place == len(thrown):
                thrown.append(throw(roller))
        if own[place] != other[place]:
            return own[place] - other[place]
    expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
    raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule))
