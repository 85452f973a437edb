"""Dice that say who comes first: known faces before thrown ones, and ties thrown again."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.dice import RecordedFaces, Roller, throw
from scratch_core.errors import Problem, ScratchError

MAX_TIE_ROLLS = 100
"""How often a tie is rolled off before the dice are blamed: dice that never differ are broken, and no one waits."""


class RecordingRoller:
    """Dice that remember what they showed."""

    def __init__(self, roller: Roller) -> None:
        self.roller = roller
        self.faces: list[int] = []

    def roll(self, sides: int) -> int:
        """Throw, and remember."""
        self.faces.append(self.roller.roll(sides))
        return self.faces[-1]


def roll_d20(given: list[int], roller: Roller) -> int:
    """The next face known, or one from the roller. Raises `ScratchError` (`dice.face`) for an impossible one."""
    return throw(RecordedFaces((given.pop(0),)) if given else roller, 20)


def roll_off(  # noqa: PLR0913 -- whose dice, which are known, and how far it goes
    tied: Sequence[str],
    given: dict[str, list[int]],
    roller: Roller,
    rule: str,
    *,
    only_first: bool = False,
    left: int = MAX_TIE_ROLLS,
) -> list[tuple[str, tuple[int, ...]]]:
    """Put those who are level into order by a d20 each, again among those still level (rulings A21, K25).

    Gives everyone with the faces it threw, the highest first; with `only_first` those level further down stay so.
    `given` holds the faces known, and loses those used. Raises `ScratchError`: `initiative.tie` when dice never differ,
    `dice.face`.
    """
    if len(tied) == 1:
        return [(tied[0], ())]
    if not left:
        expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
        raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule))
    thrown = {each: roll_d20(given.setdefault(each, []), roller) for each in tied}
    order: list[tuple[str, tuple[int, ...]]] = []
    for face in sorted(set(thrown.values()), reverse=True):
        level = [each for each in tied if thrown[each] == face]
        if only_first and order:
            order += [(each, (face,)) for each in level]
            continue
        again = roll_off(level, given, roller, rule, only_first=only_first, left=left - 1)
        order += [(each, (face, *more)) for each, more in again]
    return order


def roll_tie_break(own: list[int], other: list[int], roller: Roller, rule: str) -> bool:
    """Whether someone new comes before someone level with it, by the dice of ties that both have, and more (A21).

    Each next die is its own, then the other's, where that one has none yet; both lists take up what is thrown. Raises
    `ScratchError`: `initiative.tie` when dice never differ, `dice.face`.
    """
    for place in range(MAX_TIE_ROLLS):
        for thrown in (own, other):
            if place == len(thrown):
                thrown.append(throw(roller, 20))
        if own[place] != other[place]:
            return own[place] > other[place]
    expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
    raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule))
