"""A second implementation of dice: a small parser of the notation, chances by plain enumeration, replay from faces.

The code is simple on purpose and takes nothing from the engine: a die is the list of its faces, a pool is every tuple
of its dice's faces, and an expression is every pair of its parts' totals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, lcm, prod
from operator import add, mul, sub

TEXT_LIMIT, DICE_LIMIT, SIDES_LIMIT, INTEGER_LIMIT, NESTING_LIMIT = 200, 500, 1000, 1_000_000, 20
EXTRA_DEFAULT, EXTRA_LIMIT, REROLL_LIMIT = 5, 20, 1000


class Refused(Exception):
    """The notation or the faces are invalid."""


# The tree. `eq=False`: two equal pools in one expression are still two pools.


@dataclass(frozen=True, eq=False)
class Number:
    """A whole number as written."""

    value: int
    """The number."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Equal dice rolled together, with their rerolls and explosions, and which of them count."""

    count: int
    """The number of dice."""
    sides: int
    """The sides of each die."""
    again: str = ""
    """How dice are rerolled: empty (never), `r` (once) or `rr` (repeatedly)."""
    meets: tuple[str, int] = ("=", 0)
    """The condition of the reroll: a sign and a face."""
    extra: int = 0
    """The maximum number of extra dice of a die that explodes."""
    keep: tuple[str, int] = ("all", 0)
    """Which dice count: `all`, or `kh`, `kl`, `dh` or `dl` with their number."""

    @property
    def kept_count(self) -> int:
        """Count the dice that are kept."""
        kind, n = self.keep
        return {"all": self.count, "kh": n, "kl": n, "dh": self.count - n, "dl": self.count - n}[kind]

    def is_rolled_again(self, face: int) -> bool:
        """Return whether a face meets the condition of the reroll."""
        sign, n = self.meets
        tests = {"=": face == n, "<": face < n, ">": face > n, "<=": face <= n, ">=": face >= n}
        return self.again != "" and tests[sign]


@dataclass(frozen=True, eq=False)
class Minus:
    """A factor with a minus before it."""

    of: Node
    """The factor."""


@dataclass(frozen=True, eq=False)
class Sum:
    """Terms with their signs, 1 or -1."""

    parts: list[tuple[int, Node]]
    """Pairs of a sign and a term."""


@dataclass(frozen=True, eq=False)
class Product:
    """Factors."""

    factors: list[Node]
    """The factors."""


Node = Number | Pool | Minus | Sum | Product


# Reading


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.dice = 0

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, *wanted: str) -> str:
        """Take the first of the wanted tokens that is here.

        Returns "" if none is.
        """
        self.peek()
        for token in wanted:
            if self.text[self.at : self.at + len(token)].lower() == token:
                self.at += len(token)
                return token
        return ""

    def integer(self) -> int | None:
        self.peek()
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        if start == self.at:
            return None
        value = int(self.text[start : self.at])
        if value > INTEGER_LIMIT:
            raise Refused("integer too big")
        return value

    def needed_integer(self) -> int:
        value = self.integer()
        if value is None:
            raise Refused(f"a number is missing at {self.at}")
        return value

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > NESTING_LIMIT + 1:
            raise Refused("nested too deep")
        parts = [(1, self.term())]
        while sign := self.take("+", "-"):
            parts.append((1 if sign == "+" else -1, self.term()))
        self.depth -= 1
        return Sum(parts)

    def term(self) -> Node:
        factors = [self.factor()]
        while self.take("*"):
            factors.append(self.factor())
        return Product(factors)

    def factor(self) -> Node:
        negative = self.take("-")
        node = self.bare_factor()
        if self.take("["):
            end = self.text.find("]", self.at)
            if end < 0 or "[" in self.text[self.at : end]:
                raise Refused("label without end, or in another")
            self.at = end + 1
        return Minus(node) if negative else node

    def bare_factor(self) -> Node:
        if self.take("("):
            inside = self.expression()
            if not self.take(")"):
                raise Refused("parenthesis without end")
            return inside
        number = self.integer()
        if self.take("d"):
            return self.pool(1 if number is None else number)
        if number is None:
            raise Refused(f"a number, dice or a parenthesis is missing at {self.at}")
        return Number(number)

    def pool(self, count: int) -> Node:
        sides = 100 if self.take("%") else self.needed_integer()
        self.dice += count
        if not 1 <= sides <= SIDES_LIMIT or count < 1 or self.dice > DICE_LIMIT:
            raise Refused("so many dice or sides there are not")
        again, meets = self.take("rr", "r"), ("=", 0)
        if again:
            sign = self.take("<=", ">=", "<", ">", "=") or "="
            meets = (sign, self.needed_integer())
        extra = 0
        if self.take("!"):
            n = self.integer()
            extra = EXTRA_DEFAULT if n is None else n
            if sides == 1 or extra > EXTRA_LIMIT or extra < 1:
                raise Refused("such a die can't explode")
        kind, keep = self.take("kh", "kl", "dh", "dl"), ("all", 0)
        if kind:
            n = self.integer()
            n = 1 if n is None else n
            most = count if kind[0] == "k" else count - 1
            if not 1 <= n <= most:
                raise Refused("so many can't be kept or dropped")
            keep = (kind, n)
        pool = Pool(count, sides, again, meets, extra, keep)
        if again == "rr" and 2 * sum(not pool.is_rolled_again(face) for face in range(1, sides + 1)) < sides:
            raise Refused("less than half of the faces remain")
        return pool


def parse(text: str) -> tuple[Node, int | None]:
    """Parse an expression and the difficulty after `vs`."""
    if len(text) > TEXT_LIMIT:
        raise Refused("too long")
    reader = _Reader(text.replace("×", "*").replace("−", "-"))
    tree = reader.expression()
    against = reader.needed_integer() if reader.take("vs") else None
    if reader.peek():
        raise Refused(f"left over at {reader.at}")
    return tree, against


# What an expression is made of


def pools(node: Node) -> list[Pool]:
    """List every pool of dice, left to right."""
    match node:
        case Pool():
            return [node]
        case Minus(of):
            return pools(of)
        case Sum(parts):
            return [pool for _, part in parts for pool in pools(part)]
        case Product(factors):
            return [pool for factor in factors for pool in pools(factor)]
        case _:
            return []


def the_d20(node: Node) -> Pool | None:
    """Return the pool whose face 20 always succeeds (`roll.auto-success`).

    It is the only kept d20 and is not in a product with dice.
    """
    twenties = [pool for pool in pools(node) if pool.sides == 20]
    if len(twenties) != 1 or twenties[0].kept_count != 1 or _is_multiplied_by_dice(node, twenties[0]):
        return None
    return twenties[0]


def _is_multiplied_by_dice(node: Node, pool: Pool) -> bool:
    match node:
        case Minus(of):
            return _is_multiplied_by_dice(of, pool)
        case Sum(parts):
            return any(_is_multiplied_by_dice(part, pool) for _, part in parts)
        case Product(factors):
            for factor in factors:
                if pool in pools(factor):
                    others = [other for other in factors if other is not factor and pools(other)]
                    return bool(others) or _is_multiplied_by_dice(factor, pool)
    return False


# Chances. A weight is a whole number; (total, is a 20) → weight.

Weights = dict[tuple[int, bool], int]


def die_outcomes(pool: Pool) -> dict[tuple[int, int], Fraction]:
    """Map the value and the remaining face of a die to their chance."""
    return _die_outcomes(pool.sides, pool.again, pool.meets, pool.extra)


@cache
def _die_outcomes(sides: int, again: str, meets: tuple[str, int], extra: int) -> dict[tuple[int, int], Fraction]:
    pool = Pool(1, sides, again, meets, extra)
    faces = range(1, sides + 1)
    final_chances: dict[int, Fraction] = dict.fromkeys(faces, Fraction(0))
    if pool.again == "rr":
        remaining = [face for face in faces if not pool.is_rolled_again(face)]
        for face in remaining:
            final_chances[face] += Fraction(1, len(remaining))
    else:
        for first in faces:
            for second in faces:
                final_chances[second if pool.is_rolled_again(first) else first] += Fraction(1, pool.sides**2)
    outcomes: dict[tuple[int, int], Fraction] = {}

    def grow(value: int, face: int, last: int, chance: Fraction, left: int) -> None:
        if last == pool.sides and left:
            for more in faces:
                grow(value + more, face, more, chance / pool.sides, left - 1)
        else:
            outcomes[value, face] = outcomes.get((value, face), Fraction(0)) + chance

    for face, chance in final_chances.items():
        if chance:
            grow(face, face, face, chance, pool.extra)
    return outcomes


def list_kept_places(pool: Pool, values: Sequence[int]) -> list[int]:
    """List the places of the dice that are kept.

    Of equal dice it is the earlier one.
    """
    kind = pool.keep[0]
    if kind == "all":
        return list(range(pool.count))
    highest_first = kind in ("kh", "dl")
    order = sorted(range(pool.count), key=lambda place: (-values[place] if highest_first else values[place], place))
    return sorted(order[: pool.kept_count])


def _pool_weights(pool: Pool, is_the_d20: bool) -> Weights:
    chances = die_outcomes(pool)
    scale = lcm(*(chance.denominator for chance in chances.values()))
    die = [(value, face, int(chance * scale)) for (value, face), chance in chances.items()]
    weights: Weights = {}
    for dice in product(die, repeat=pool.count):
        places = list_kept_places(pool, [value for value, _, _ in dice])
        total = sum(dice[place][0] for place in places)
        key = (total, is_the_d20 and dice[places[0]][1] == 20)
        weights[key] = weights.get(key, 0) + prod(weight for _, _, weight in dice)
    return weights


def _combine(left: Weights, right: Weights, operation: Callable[[int, int], int]) -> Weights:
    weights: Weights = {}
    for (a, star_a), n in left.items():
        for (b, star_b), m in right.items():
            key = (operation(a, b), star_a or star_b)
            weights[key] = weights.get(key, 0) + n * m
    return weights


def _weights(node: Node, star: Pool | None) -> Weights:
    match node:
        case Number(value):
            return {(value, False): 1}
        case Pool():
            return _pool_weights(node, node is star)
        case Minus(of):
            return {(-total, flag): n for (total, flag), n in _weights(of, star).items()}
        case Sum(parts):
            result: Weights = {(0, False): 1}
            for sign, part in parts:
                result = _combine(result, _weights(part, star), add if sign == 1 else sub)
            return result
        case Product(factors):
            result = {(1, False): 1}
            for factor in factors:
                result = _combine(result, _weights(factor, star), mul)
            return result


def reduced(counts: dict[int, int]) -> dict[int, int]:
    """Reduce counts to the smallest whole numbers, lowest total first."""
    common = gcd(*counts.values())
    return {total: counts[total] // common for total in sorted(counts) if counts[total]}


_IN_PLACE_OF_A_D20 = ("(d2-1)*10+d10", "(d4-1)*5+d6rr6", "(d6rr>4-1)*5+d6rr6")
_ADDED = re.compile(r"([+-][0-9]+)*")


def made_face(text: str, total: int) -> int | None:
    """Return the face of dice that replace a d20: `roll.die-substitute`.

    Numbers after the formula are added to the face. Returns None if the expression begins with no formula of the rules'
    text.
    """
    plain = re.sub(r"\[[^\]]*\]|\s", "", text)
    for formula in _IN_PLACE_OF_A_D20:
        rest = plain.removeprefix(formula)
        if rest != plain and _ADDED.fullmatch(rest):
            return total - sum(int(each) for each in re.findall(r"[+-][0-9]+", rest))
    return None


@cache
def _joint(text: str) -> Weights:
    tree, _ = parse(text)
    joint: Weights = {}
    for (total, flag), n in _weights(tree, the_d20(tree)).items():
        key = (total, flag or made_face(text, total) == 20)
        joint[key] = joint.get(key, 0) + n
    return joint


def distribution(text: str) -> dict[int, int]:
    """Return the number of equally likely outcomes by total, in lowest terms."""
    counts: dict[int, int] = {}
    for (total, _), n in _joint(text).items():
        counts[total] = counts.get(total, 0) + n
    return reduced(counts)


def chance(text: str, against: int) -> Fraction:
    """Return the exact chance of a success (`roll.success`, `roll.auto-success`).

    A success is `total >= against`, or a 20 on the only d20.
    """
    weights = _joint(text)
    good = sum(n for (total, flag), n in weights.items() if total >= against or flag)
    return Fraction(good, sum(weights.values()))


def work(text: str) -> int:
    """Count the outcomes that the enumeration visits, pools and their pairs together."""
    tree, _ = parse(text)
    total, spread = 0, 1
    for pool in pools(tree):
        total += len(die_outcomes(pool)) ** pool.count
        spread *= pool.count * pool.sides * (pool.extra + 1)
    return total + spread


# Replay


@dataclass(frozen=True)
class Die:
    """A die that was rolled."""

    sides: int
    """Its sides."""
    faces: tuple[int, ...]
    """Every face that was rolled for it, in order."""
    face: int
    """The face that remains after rerolls."""
    value: int
    """Its value, with extra dice."""
    is_kept: bool
    """Whether it counts."""


@dataclass(frozen=True)
class Played:
    """A roll and its result."""

    total: int
    """The total."""
    dice: tuple[Die, ...]
    """Each die, in order."""
    is_natural_20: bool
    """Whether the only d20 is a 20."""

    @property
    def faces(self) -> tuple[int, ...]:
        """Return every face that was rolled, in order."""
        return tuple(face for die in self.dice for face in die.faces)

    def is_success(self, against: int) -> bool:
        """Return whether the roll meets a difficulty.

        Rules: `roll.success`, `roll.auto-success`, `roll.no-auto-fail`.
        """
        return self.total >= against or self.is_natural_20


def play(text: str, throw: Callable[[int], int]) -> Played:
    """Roll every die of an expression, in order.

    `throw(sides)` returns a face.
    """
    tree, _ = parse(text)
    star = the_d20(tree)
    dice: list[Die] = []
    natural = False

    def face_of(sides: int) -> int:
        face = throw(sides)
        if not 1 <= face <= sides:
            raise Refused("no such face")
        return face

    def throw_die(pool: Pool) -> tuple[list[int], int, int]:
        faces = [face_of(pool.sides)]
        while pool.is_rolled_again(faces[-1]) and (pool.again == "rr" or len(faces) == 1):
            if len(faces) > REROLL_LIMIT:
                raise Refused("rerolled too often")
            faces.append(face_of(pool.sides))
        face = value = last = faces[-1]
        for _ in range(pool.extra):
            if last != pool.sides:
                break
            last = face_of(pool.sides)
            faces.append(last)
            value += last
        return faces, face, value

    def value_of(node: Node) -> int:
        nonlocal natural
        match node:
            case Number(value):
                return value
            case Minus(of):
                return -value_of(of)
            case Sum(parts):
                return sum([sign * value_of(part) for sign, part in parts])
            case Product(factors):
                return prod([value_of(factor) for factor in factors])
            case Pool():
                thrown = [throw_die(node) for _ in range(node.count)]
                places = list_kept_places(node, [value for _, _, value in thrown])
                for place, (faces, face, value) in enumerate(thrown):
                    dice.append(Die(node.sides, tuple(faces), face, value, place in places))
                natural = natural or (node is star and thrown[places[0]][1] == 20)
                return sum(thrown[place][2] for place in places)

    total = value_of(tree)
    return Played(total, tuple(dice), natural or made_face(text, total) == 20)


def replay(text: str, faces: Sequence[int]) -> Played:
    """Play from recorded faces: all of them and no more."""
    left = list(faces)

    def throw(_: int) -> int:
        if not left:
            raise Refused("too few faces")
        return left.pop(0)

    played = play(text, throw)
    if left:
        raise Refused("too many faces")
    return played
