"""Rolling: from an expression and a source of faces to the dice, the sum part by part, and the check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scratch_core.dice.checks import Check
from scratch_core.dice.d20_substitutes import find_substitute_modifier
from scratch_core.dice.notation import (
    Dice,
    Expression,
    Labelled,
    Negative,
    Node,
    Number,
    Sum,
    list_labelled_terms,
    parse,
    refuse,
)
from scratch_core.dice.rollers import SIDES, RecordedRoller, Roller, roll_valid_face
from scratch_core.figures import Figure, Part

MAX_REROLLS = 1_000
"""The maximum number of rerolls in one roll."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as rolled."""

    sides: int
    """Its number of sides."""
    face: int
    """The face rolled."""
    kept: bool
    """Whether the face counts in the total; dropped and rerolled dice do not."""
    reason: Literal["first", "reroll", "extra"]
    """Why it was rolled: as a die of the expression, as a reroll, or as an extra die after a highest face."""
    term: int
    """The index of its part in the sum."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The result of a roll."""

    dice: tuple[Die, ...]
    """The dice in the order rolled."""
    parts: tuple[Part, ...]
    """The summands of the total."""
    check: Check | None
    """The check against the difficulty, or None without one."""

    @property
    def total(self) -> int:
        """The sum of the parts (`roll.modifier`)."""
        return sum(part.value for part in self.parts)

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face rolled, in order, as `roll_recorded` takes them."""
        return tuple(die.face for die in self.dice)


def roll(expression: str | Expression, roller: Roller, against: int | None = None) -> Roll:
    """Roll an expression, die by die from left to right.

    A die's first face is followed by its rerolls, then by its extra dice. `against` is a difficulty and overrides that
    of the notation (`roll.success`, `roll.failure`). A natural 20 of the only kept d20 always succeeds
    (`roll.auto-success`); a natural 1 has no effect of its own (`roll.no-auto-fail`). A sum that substitutes a d20 has
    a natural face as well (`roll.die-substitute`). Raises `ScratchError` for invalid notation, for invalid faces, and
    after 1,000 rerolls.
    """
    parsed = parse(expression) if isinstance(expression, str) else expression
    running = _RollInProgress(roller, parsed.d20)
    added = find_substitute_modifier(parsed)
    parts = tuple(
        Part(
            label or str(node),
            sign * running.roll_tree(node, term),
            _find_part_rule(node, has_substitute=added is not None),
        )
        for term, (sign, label, node) in enumerate(list_labelled_terms(parsed.root))
    )
    difficulty = parsed.difficulty if against is None else against
    if difficulty is None:
        return Roll(tuple(running.dice), parts, None)
    figure = Figure("roll", parts)
    face = running.natural if added is None else figure.value - added
    return Roll(tuple(running.dice), parts, Check(figure, difficulty, face == 20))


def roll_recorded(expression: str | Expression, faces: Iterable[int], against: int | None = None) -> Roll:
    """Roll an expression with known faces.

    Raises `ScratchError` if they are too few, too many or impossible.
    """
    record = RecordedRoller(faces)
    rolled = roll(expression, record, against)
    record.require_all_used()
    return rolled


def _find_part_rule(node: Node, *, has_substitute: bool) -> str:
    """Return the rule of a part: the d20, dice that substitute it, or a modifier."""
    if isinstance(node, Dice) and node.sides == SIDES:
        return "roll.d20"
    return "roll.die-substitute" if has_substitute and not isinstance(node, Number) else "roll.modifier"


class _RolledDie(NamedTuple):
    """One die of a pool with its rerolls and extra dice."""

    value: int
    """The value that counts: its last face with its extra dice."""
    face: int
    """Its face after the rerolls."""
    start: int
    """The index of the first of its dice in the roll."""
    end: int
    """The index after the last of its dice."""


class _RollInProgress:
    """The state of one roll in progress."""

    def __init__(self, roller: Roller, d20: int | None) -> None:
        self.roller = roller
        self.d20 = d20
        self.natural: int | None = None
        self.dice: list[Die] = []
        self.rerolls = 0

    def roll_tree(self, node: Node, term_index: int) -> int:
        """Roll the dice of a tree and return its value."""
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Dice):
            return self.roll_pool(node, term_index)
        if isinstance(node, Labelled):
            return self.roll_tree(node.operand, term_index)
        if isinstance(node, Negative):
            return -self.roll_tree(node.operand, term_index)
        if isinstance(node, Sum):
            return sum(self.roll_tree(part, term_index) for part in node.terms)
        product = 1
        for factor in node.factors:
            product *= self.roll_tree(factor, term_index)
        return product

    def roll_unrecorded_face(self, sides: int) -> int:
        """Roll one die with the roller."""
        return roll_valid_face(self.roller, sides, len(self.dice) + 1)

    def roll_pool(self, pool: Dice, term: int) -> int:
        """Roll a pool, mark the dice that do not count, and return the sum.

        Of equal dice, the earlier is kept.
        """
        thrown = [self.roll_die_with_rerolls_and_extras(pool, term) for _ in range(pool.count)]
        if pool.is_all_kept:
            kept: Sequence[int] = range(pool.count)
        else:
            turn = -1 if pool.keeps_highest else 1
            kept = sorted(range(pool.count), key=lambda place: turn * thrown[place].value)[: pool.kept]
            self.mark_as_dropped(thrown[place] for place in set(range(pool.count)).difference(kept))
        if pool.index == self.d20:
            self.natural = thrown[kept[0]].face
        return sum(thrown[place].value for place in kept)

    def roll_die_with_rerolls_and_extras(self, pool: Dice, term: int) -> _RolledDie:
        """Roll one die with its rerolls and extra dice."""
        sides, start = pool.sides, len(self.dice)
        face = self.roll_unrecorded_face(sides)
        self.dice.append(Die(sides, face, True, "first", term))
        if pool.reroll is not None:
            face = self.reroll_while_required(pool, face, term)
        value = latest = face
        for _ in range(pool.depth):
            if latest != sides:
                break
            latest = self.roll_unrecorded_face(sides)
            value += latest
            self.dice.append(Die(sides, latest, True, "extra", term))
        return _RolledDie(value, face, start, len(self.dice))

    def reroll_while_required(self, pool: Dice, face: int, term: int) -> int:
        """Reroll a die once, or until its face no longer meets the condition."""
        assert pool.reroll is not None
        while pool.reroll.is_met_by(face):
            self.rerolls += 1
            if self.rerolls > MAX_REROLLS:
                refuse("dice.limit.rerolls", f"at most {MAX_REROLLS:,} rerolls", "one more", "faces")
            last = self.dice[-1]
            self.dice[-1] = Die(last.sides, last.face, False, last.reason, term)
            face = self.roll_unrecorded_face(pool.sides)
            self.dice.append(Die(pool.sides, face, True, "reroll", term))
            if not pool.reroll.is_repeated:
                break
        return face

    def mark_as_dropped(self, dropped_results: Iterable[_RolledDie]) -> None:
        """Mark the dice of these results of `roll_die_with_rerolls_and_extras` as not kept."""
        for _, _, start, end in dropped_results:
            for place in range(start, end):
                die = self.dice[place]
                self.dice[place] = Die(die.sides, die.face, False, die.reason, die.term)
