"""Initiative dice: recorded faces first, then the roller's, and roll-offs of ties."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.dice import RecordedRoller, Roller, roll_valid_face
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


def pop_or_roll_d20(recorded_faces: list[int], roller: Roller) -> int:
    """Take the next recorded face, or roll a d20.

    Raises `ScratchError` (`dice.face`) for an impossible face.
    """
    return roll_valid_face(RecordedRoller((recorded_faces.pop(0),)) if recorded_faces else roller)


def order_by_roll_off(  # noqa: PLR0913 -- whose dice, which are known, and how far it goes
    tied_ids: Sequence[str],
    recorded_faces: dict[str, list[int]],
    roller: Roller,
    rule_id: str,
    *,
    only_first: bool = False,
    rolls_left: int = MAX_TIE_ROLLS,
) -> list[tuple[str, tuple[int, ...]]]:
    """Order tied fighters by a d20 each, and roll off further ties (rulings A21, K25).

    Returns each fighter with its faces, the highest first. With `only_first` only ties for the first place are rolled
    off. `recorded_faces` has the recorded faces by id; used ones are removed. Raises `ScratchError`: `initiative.tie`
    if the dice never differ, `dice.face` for an impossible face.
    """
    if len(tied_ids) == 1:
        return [(tied_ids[0], ())]
    if not rolls_left:
        expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
        raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule_id))
    thrown = {each: pop_or_roll_d20(recorded_faces.setdefault(each, []), roller) for each in tied_ids}
    order: list[tuple[str, tuple[int, ...]]] = []
    for face in sorted(set(thrown.values()), reverse=True):
        level = [each for each in tied_ids if thrown[each] == face]
        if only_first and order:
            order += [(each, (face,)) for each in level]
            continue
        again = order_by_roll_off(
            level, recorded_faces, roller, rule_id, only_first=only_first, rolls_left=rolls_left - 1
        )
        order += [(each, (face, *more)) for each, more in again]
    return order


def compare_or_roll_until_different(
    newcomer_faces: list[int], opponent_faces: list[int], roller: Roller, rule_id: str
) -> int:
    """Roll until two equal initiatives differ, and return by how much (A21).

    The result is positive if the newcomer comes first, else negative. Compares the dice of both lists in pairs. A die
    that a list does not have yet is rolled and appended, the newcomer's (`newcomer_faces`) first. Raises
    `ScratchError`: `initiative.tie` if the dice never differ, `dice.face` for an impossible face.
    """
    for place in range(MAX_TIE_ROLLS):
        for thrown in (newcomer_faces, opponent_faces):
            if place == len(thrown):
                thrown.append(roll_valid_face(roller))
        if newcomer_faces[place] != opponent_faces[place]:
            return newcomer_faces[place] - opponent_faces[place]
    expected = f"dice that differ within {MAX_TIE_ROLLS} throws"
    raise ScratchError(Problem("initiative.tie", expected, "none", "the initiative", rule_id))
