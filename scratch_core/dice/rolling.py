"""Rolling: a tree and a source of faces to the dice thrown, the sum part by part, and what a check makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from scratch_core.dice.checks import Check
from scratch_core.dice.d20_substitutes import find_added_to_face
from scratch_core.dice.notation import Dice, Expression, Labelled, Negative, Node, Number, Sum, flatten, parse, refuse
from scratch_core.dice.rollers import RecordedFaces, Roller, throw
from scratch_core.figures import Figure, Part

MAX_REROLLS = 1_000
"""How many dice of one roll are rolled again before it gives up."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it was thrown.

    `kept` says whether its face counts in the total: not when it is dropped or rolled again. `why` it was thrown: as
    the `first` of its place, as a `reroll`, or as an `extra` die after a highest face. `term` is the index of its part.
    """

    sides: int
    face: int
    kept: bool
    reason: Literal["first", "reroll", "extra"]
    term: int


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll: the dice in the order thrown, the sum part by part, and the check if there was something to beat."""

    dice: tuple[Die, ...]
    parts: tuple[Part, ...]
    check: Check | None

    @property
    def total(self) -> int:
        """The sum of the parts (`roll.modifier`)."""
        return sum(part.value for part in self.parts)

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face thrown, in order: what `replay` takes."""
        return tuple(die.face for die in self.dice)


def roll(expression: str | Expression, roller: Roller, against: int | None = None) -> Roll:
    """Roll an expression; every die comes from the roller, left to right, die by die.

    A die's first face is followed by its rerolls, then by its extra dice, then comes the next die. `against` is a
    difficulty to meet, and stands before one that the notation names (`roll.success`, `roll.failure`); face 20 of the
    only kept d20 succeeds in any case (`roll.auto-success`), face 1 is a face like others (`roll.no-auto-fail`). A sum
    that stands in for a d20 makes a face as well (`roll.die-substitute`).
    Raises `ScratchError` for notation that cannot be read, for faces that do not fit, and after 1,000 rerolls.
    """
    read = parse(expression) if isinstance(expression, str) else expression
    table = _Table(roller, read.d20)
    added = find_added_to_face(read)
    parts = tuple(
        Part(label or str(node), sign * table.value(node, term), _rule(node, is_face=added is not None))
        for term, (sign, label, node) in enumerate(flatten(read.root))
    )
    difficulty = read.difficulty if against is None else against
    if difficulty is None:
        return Roll(tuple(table.dice), parts, None)
    figure = Figure("roll", parts)
    face = table.natural if added is None else figure.value - added
    return Roll(tuple(table.dice), parts, Check(figure, difficulty, face == 20))


def roll_recorded(expression: str | Expression, faces: Iterable[int], against: int | None = None) -> Roll:
    """Roll an expression with known faces; raises when they are too few, too many or impossible."""
    record = RecordedFaces(faces)
    rolled = roll(expression, record, against)
    record.finish()
    return rolled


def _rule(node: Node, *, is_face: bool) -> str:
    """The rule of a part: the d20, the dice that make a face in its place, or what is added."""
    if isinstance(node, Dice) and node.sides == 20:
        return "roll.d20"
    return "roll.die-substitute" if is_face and not isinstance(node, Number) else "roll.modifier"


class _Table:
    """The dice on the table while one roll lasts."""

    def __init__(self, roller: Roller, d20: int | None) -> None:
        self.roller = roller
        self.d20 = d20
        self.natural: int | None = None
        self.dice: list[Die] = []
        self.rerolls = 0

    def value(self, node: Node, term: int) -> int:
        """Throw the dice of a tree and give its value."""
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Dice):
            return self.pool(node, term)
        if isinstance(node, Labelled):
            return self.value(node.operand, term)
        if isinstance(node, Negative):
            return -self.value(node.operand, term)
        if isinstance(node, Sum):
            return sum(self.value(part, term) for part in node.terms)
        product = 1
        for factor in node.factors:
            product *= self.value(factor, term)
        return product

    def face(self, sides: int) -> int:
        return throw(self.roller, sides, len(self.dice) + 1)

    def pool(self, pool: Dice, term: int) -> int:
        """Throw a pool, mark what counts, and give the sum of it; of equal dice the earlier is kept."""
        thrown = [self.die(pool, term) for _ in range(pool.count)]
        if pool.keeps_all:
            kept: Sequence[int] = range(pool.count)
        else:
            turn = -1 if pool.keeps_highest else 1
            kept = sorted(range(pool.count), key=lambda place: turn * thrown[place][0])[: pool.kept]
            self.drop(thrown[place] for place in set(range(pool.count)).difference(kept))
        if pool.index == self.d20:
            self.natural = thrown[kept[0]][1]
        return sum(thrown[place][0] for place in kept)

    def die(self, pool: Dice, term: int) -> tuple[int, int, int, int]:
        """Throw one die with its rerolls and extra dice: value, face, and where its dice start and end."""
        sides, start = pool.sides, len(self.dice)
        face = self.face(sides)
        self.dice.append(Die(sides, face, True, "first", term))
        if pool.reroll is not None:
            face = self.again(pool, face, term)
        value = latest = face
        for _ in range(pool.depth):
            if latest != sides:
                break
            latest = self.face(sides)
            value += latest
            self.dice.append(Die(sides, latest, True, "extra", term))
        return value, face, start, len(self.dice)

    def again(self, pool: Dice, face: int, term: int) -> int:
        """Roll a die again, once or until the face may stand."""
        assert pool.reroll is not None
        while pool.reroll.is_met_by(face):
            self.rerolls += 1
            if self.rerolls > MAX_REROLLS:
                refuse("dice.limit.rerolls", f"at most {MAX_REROLLS:,} rerolls", "one more", "faces")
            last = self.dice[-1]
            self.dice[-1] = Die(last.sides, last.face, False, last.reason, term)
            face = self.face(pool.sides)
            self.dice.append(Die(pool.sides, face, True, "reroll", term))
            if not pool.reroll.is_repeated:
                break
        return face

    def drop(self, thrown: Iterable[tuple[int, int, int, int]]) -> None:
        for _, _, start, end in thrown:
            for place in range(start, end):
                die = self.dice[place]
                self.dice[place] = Die(die.sides, die.face, False, die.reason, die.term)
