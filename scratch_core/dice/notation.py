"""Dice notation: parse text to an immutable tree, or raise an error that says what was expected where.

expression = term (("+" | "-") term)* ["vs" ["-"] integer]
term       = factor ("*" factor)*
factor     = ["-"] (integer | dice | "(" expression ")") ["[" words "]"]
dice       = [count] "d" (sides | "%") [("r" | "rr") condition] ["!" [depth]] [("kh" | "kl" | "dh" | "dl") [number]]
condition  = ["=" | "<" | ">" | "<=" | ">="] integer
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NoReturn

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.normalization import normalize_input

MAX_NOTATION_LENGTH = 200
"""The maximum number of characters of a notation."""
MAX_DICE = 500
"""The maximum number of dice in an expression, without rerolls and extra dice."""
MAX_SIDES = 1_000
"""The maximum number of sides of a die."""
MAX_NUMBER = 1_000_000
"""The maximum value of a number in a notation."""
MAX_NESTING = 20
"""The maximum depth of nested brackets."""
MAX_TOTAL = 1_000_000_000
"""The maximum absolute value of a total."""
MAX_EXTRA_DICE = 20
"""The maximum number of extra dice of an exploding die."""
DEFAULT_EXTRA_DICE = 5
"""The maximum number of extra dice of an exploding die if the notation gives none."""

Comparison = Literal["=", "<", ">", "<=", ">="]

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int
    """Its value."""

    def __str__(self) -> str:
        """Format the node as notation."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Reroll:
    """The condition under which a die is rerolled."""

    comparison: Comparison
    """How a face is compared with `value`."""
    value: int
    """The number that faces are compared with."""
    is_repeated: bool
    """Whether the die is rerolled until its face no longer meets the condition, not only once."""

    def is_met_by(self, face: int) -> bool:
        """Return whether a die that shows the face is rerolled."""
        return _COMPARE[self.comparison](face, self.value)

    def __str__(self) -> str:
        """Format the condition as notation."""
        comparison = "" if self.comparison == "=" else self.comparison
        return f"{'rr' if self.is_repeated else 'r'}{comparison}{self.value}"


@dataclass(frozen=True, slots=True)
class Dice:
    """A pool of equal dice."""

    index: int
    """The pool's index among the pools of the expression."""
    count: int
    """How many dice there are."""
    sides: int
    """The number of sides of each die."""
    reroll: Reroll | None
    """The condition for rerolls, or None."""
    depth: int
    """How many extra dice a highest face may add."""
    kept: int
    """How many dice count."""
    keeps_highest: bool
    """Whether the highest dice count; otherwise the lowest."""

    @property
    def is_all_kept(self) -> bool:
        """Whether every die counts."""
        return self.kept == self.count

    def __str__(self) -> str:
        """Format the pool as notation."""
        count = "" if self.count == 1 else str(self.count)
        explode = {0: "", DEFAULT_EXTRA_DICE: "!"}.get(self.depth, f"!{self.depth}")
        keep = "kh" if self.keeps_highest else "kl"
        kept = "" if self.is_all_kept else f"{keep}{self.kept}"
        return f"{count}d{self.sides}{self.reroll or ''}{explode}{kept}"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A factor with a label in the sum."""

    operand: Node
    """The factor."""
    label: str
    """The label as typed, with single spaces."""

    def __str__(self) -> str:
        """Format the node as notation."""
        return f"{_format_operand(self.operand)}[{self.label}]"


@dataclass(frozen=True, slots=True)
class Negative:
    """A negated factor or subtracted term."""

    operand: Node
    """The factor or term."""

    def __str__(self) -> str:
        """Format the node as notation."""
        return f"-{_format_operand(self.operand)}"


@dataclass(frozen=True, slots=True)
class Product:
    """A product of two or more factors."""

    factors: tuple[Node, ...]
    """The factors."""

    def __str__(self) -> str:
        """Format the node as notation."""
        return "*".join(_format_operand(factor) for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of two or more terms."""

    terms: tuple[Node, ...]
    """The terms; subtracted terms are `Negative`."""

    def __str__(self) -> str:
        """Format the node as notation."""
        head, *rest = self.terms
        words = [str(head) if not isinstance(head, Sum) else f"({head})"]
        for term in rest:
            inner = term.operand if isinstance(term, Negative) else term
            # A product needs no brackets after a sign: 1-2*3 subtracts the product.
            text = str(inner) if isinstance(inner, Product) else _format_operand(inner)
            words.append(f"{'-' if isinstance(term, Negative) else '+'}{text}")
        return "".join(words)


Node = Number | Dice | Labelled | Negative | Product | Sum
"""A node of the tree."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed notation."""

    root: Node
    """The tree."""
    pools: tuple[Dice, ...]
    """The pools of dice, from left to right."""
    difficulty: int | None
    """The difficulty after `vs`, or None."""
    d20: int | None
    """The index of the only kept d20, whose face 20 always succeeds (`roll.auto-success`), or None.

    A d20 that is multiplied with other dice does not count.
    """

    def __str__(self) -> str:
        """Format the expression as notation."""
        return f"{self.root}" if self.difficulty is None else f"{self.root} vs {self.difficulty}"


def refuse(
    code: str, expected: str, got: str, where: str = "notation", rule: str | None = None, **facts: Any
) -> NoReturn:
    """Raise a `ScratchError` with one problem."""
    raise ScratchError(Problem(code, expected, got, where, rule, facts=facts))


@lru_cache(maxsize=256)
def parse(text: str) -> Expression:
    """Parse dice notation such as `d20+3`, `4d6kh3` or `d20+4 vs 13`.

    Other examples are `2d6r1!+1d4[fire]-1` and `(d2-1)*10+d10`. Accepts capitals, `×`, `−` and spaces between the
    parts. Raises `ScratchError` with a code `dice.notation`, `dice.keep`, `dice.reroll`, `dice.explode` or
    `dice.limit.*`. The limits: 200 characters, 500 dice in all, 1,000 sides, numbers to 1,000,000, brackets 20 deep,
    totals to 1,000,000,000.
    """
    if len(text) > MAX_NOTATION_LENGTH:
        refuse("dice.limit.text", f"at most {MAX_NOTATION_LENGTH} characters", f"{len(text):,} characters")
    parser = _Parser(text)
    root, difficulty = parser.parse_with_difficulty()
    compute_checked_bounds(root)
    d20s = [pool for pool in parser.pools if pool.sides == 20]
    is_only = sum(pool.kept for pool in d20s) == 1 and d20s[0].index not in _pool_indices_multiplied_by_dice(root)
    return Expression(root, tuple(parser.pools), difficulty, d20s[0].index if is_only else None)


def add_number(expression: Expression, value: int, label: str) -> Expression:
    """Add a labelled whole number to an expression (`roll.modifier`).

    Raises `dice.limit.total` if the total may exceed its limit.
    """
    size = Labelled(Number(abs(value)), label)
    term = Negative(size) if value < 0 else size
    old = expression.root.terms if isinstance(expression.root, Sum) else (expression.root,)
    root = Sum((*old, term))
    compute_checked_bounds(root)
    return Expression(root, expression.pools, expression.difficulty, expression.d20)


def list_labelled_terms(node: Node, label: str = "", sign: int = 1) -> Iterator[tuple[int, str, Node]]:
    """Yield the terms of a sum as sign, label and term, with brackets expanded.

    The sign is 1 or -1; the label is "" if there is none.
    """
    if isinstance(node, Sum) and not label:
        for term in node.terms:
            yield from list_labelled_terms(term, "", sign)
    elif isinstance(node, Negative):
        yield from list_labelled_terms(node.operand, label, -sign)
    elif isinstance(node, Labelled):
        yield from list_labelled_terms(node.operand, node.label, sign)
    else:
        yield sign, label, node


def list_unlabelled_terms(node: Node, sign: int = 1) -> Iterator[tuple[int, Number | Dice | Product]]:
    """Yield the terms of a sum with their signs, without brackets and labels.

    A sign is 1 or -1.
    """
    if isinstance(node, Labelled):
        yield from list_unlabelled_terms(node.operand, sign)
    elif isinstance(node, Negative):
        yield from list_unlabelled_terms(node.operand, -sign)
    elif isinstance(node, Sum):
        for term in node.terms:
            yield from list_unlabelled_terms(term, sign)
    else:
        yield sign, node


def compute_checked_bounds(node: Node) -> tuple[int, int]:
    """Return the lowest and the highest possible value of a tree.

    Raises `dice.limit.total` beyond 1,000,000,000.
    """
    low = high = 0
    if isinstance(node, Number):
        low = high = node.value
    elif isinstance(node, Dice):
        low, high = node.kept, node.kept * node.sides * (node.depth + 1)
    elif isinstance(node, Labelled):
        low, high = compute_checked_bounds(node.operand)
    elif isinstance(node, Negative):
        high, low = (-end for end in compute_checked_bounds(node.operand))
    elif isinstance(node, Product):
        low = high = 1
        for factor in node.factors:
            corners = [one * other for one in (low, high) for other in compute_checked_bounds(factor)]
            low, high = min(corners), max(corners)
            if max(-low, high) > MAX_TOTAL:
                break
    else:
        for ends in map(compute_checked_bounds, node.terms):
            low, high = low + ends[0], high + ends[1]
    if max(-low, high) > MAX_TOTAL:
        expected = f"totals from -{MAX_TOTAL:,} to {MAX_TOTAL:,}"
        refuse("dice.limit.total", expected, f"totals from {low:,} to {high:,}")
    return low, high


def _children_of(node: Node) -> tuple[Node, ...]:
    """Return the direct children of a node."""
    if isinstance(node, Labelled | Negative):
        return (node.operand,)
    if isinstance(node, Product):
        return node.factors
    return node.terms if isinstance(node, Sum) else ()


def _pool_indices_multiplied_by_dice(node: Node) -> set[int]:
    """Return the indices of the pools that are multiplied with other dice."""
    inside = [pool_indices_of(part) for part in _children_of(node)]
    is_product = isinstance(node, Product) and sum(map(bool, inside)) > 1
    return set().union(*(inside if is_product else map(_pool_indices_multiplied_by_dice, _children_of(node))))


def pool_indices_of(node: Node) -> set[int]:
    """Return the indices of the pools in a tree."""
    return {node.index} if isinstance(node, Dice) else set().union(*map(pool_indices_of, _children_of(node)))


def _format_operand(node: Node) -> str:
    """Format a node as notation, in brackets if it is compound."""
    return f"({node})" if isinstance(node, Sum | Product | Negative) else str(node)


_LABEL = re.compile(r"(\[[^\[\]]*\])")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)|(?P<sign>[kKdD][hHlL]|[rR]{2}|[vV][sS]|<=|>=|[wW](?=\s*[0-9%])|[dDrR()!%=<>*+-])"
    r"|\[(?P<label>[^\[\]]*)\])",
    re.ASCII,
)
_SYNONYMS = {"w": "d"}
"""Signs by their synonym: German notation writes a die as `W20`."""
_FACTOR = "dice such as 2d6, a number or an opening bracket"
_SUM = "a sum: here dice are added up, and how many succeed is not counted; “d10 vs 7” rolls one and tells its chance"
_AFTER = "+, -, *, a [label], vs or the end"


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of the notation."""

    kind: str
    """`number`, `label`, `end`, or the sign itself in lower case."""
    text: str
    """The token as typed, or the words of a label."""
    at: int
    """The place of its first character, from 1."""


class _Normalized(NamedTuple):
    """Notation after normalization."""

    text: str
    """The normalized notation."""
    keeps_places: bool
    """Whether all characters are in the places where they were typed."""


def _normalize_outside_labels(text: str) -> _Normalized:
    """Normalize notation outside of labels.

    Labels remain as typed, because they are the user's own words.
    """
    parts = _LABEL.split(text)
    normalized = "".join(part if part[:1] == "[" else normalize_input(part).replace("×", "*") for part in parts)
    keeps_places = len(normalized) == len(text) and all(len(normalize_input(sign)) == 1 for sign in text)
    return _Normalized(normalized, keeps_places)


def _tokenize(text: str, format_place: Callable[[int], str]) -> list[_Token]:
    """Split normalized notation into tokens.

    `format_place` formats the place of a character for an error message.
    """
    tokens: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            at = end - len(text[at:end].lstrip())
            start, word = _find_word_around(text, at, text[at:end])
            refuse(
                "dice.notation",
                "dice notation such as d20+3 or 4d6kh3",
                f"{format_input(word, 30)}{format_place(start + 1)}",
            )
        kind = str(match.lastgroup)
        value = match[kind]
        start = match.end() - len(match[0].lstrip())
        sign = value.lower()
        tokens.append(_Token(_SYNONYMS.get(sign, sign) if kind == "sign" else kind, value, start + 1))
        at = match.end()
    tokens.append(_Token("end", "", end + 1))
    return tokens


def _find_word_around(text: str, at: int, token: str) -> tuple[int, str]:
    """Return the start and the text of the word around a character.

    Returns `at` and `token` if the character is no letter.
    """
    if not text[at].isalpha():
        return at, token
    start = at - len(text[:at]) + len(text[:at].rstrip(_LETTERS))
    return start, text[start:].split(maxsplit=1)[0]


_LETTERS = "".join(map(chr, (*range(65, 91), *range(97, 123))))


class _Parser:
    """A recursive descent parser with one method for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.text, self.keeps_places = _normalize_outside_labels(text)
        self.tokens = _tokenize(self.text, self.format_place)
        self.place = 0
        self.depth = 0
        self.dice = 0
        self.pools: list[Dice] = []

    def format_place(self, place: int) -> str:
        """Format the place of a character for an error message.

        Returns "" if normalization has moved characters from where they were typed.
        """
        return f" at character {place}" if self.keeps_places else ""

    @property
    def next_token(self) -> _Token:
        """The next token, not consumed."""
        return self.tokens[self.place]

    def take_token(self, *kinds: str) -> _Token | None:
        """Consume and return the next token if it is of one of these kinds.

        Returns None otherwise.
        """
        token = self.tokens[self.place]
        if token.kind not in kinds:
            return None
        self.place += 1
        return token

    def raise_unexpected(self, code: str, expected: str) -> NoReturn:
        """Raise an error about the next token, with the word that it belongs to."""
        token = self.next_token
        if len(self.tokens) == 1:
            refuse("dice.empty", expected, "nothing")
        if token.kind == "end":
            refuse(code, expected, "the end")
        text = f"[{token.text}]" if token.kind == "label" else token.text
        start, word = _find_word_around(self.text, token.at - 1, text)
        refuse(code, expected, f"{format_input(word, 30)}{self.format_place(start + 1)}")

    def parse_integer(
        self, code: str, expected: str, limit_code: str, limit: int = MAX_NUMBER, what: str = "a number up to"
    ) -> int:
        """Consume a number of at most `limit`.

        Raises `code` if the next token is no number, and `limit_code` if it is too large.
        """
        token = self.take_token("number")
        if token is None:
            self.raise_unexpected(code, expected)
        digits = token.text.lstrip("0") or "0"
        if len(digits) > len(str(limit)) or int(digits) > limit:
            refuse(limit_code, f"{what} {limit:,}", f"{format_input(int(digits), 30)}{self.format_place(token.at)}")
        return int(digits)

    def parse_with_difficulty(self) -> tuple[Node, int | None]:
        """Parse the whole notation: the tree, and the difficulty or None."""
        root, difficulty = self.parse_expression(), None
        if self.take_token("vs"):
            sign = -1 if self.take_token("-") else 1
            difficulty = sign * self.parse_integer(
                "dice.difficulty-missing", "a difficulty after vs", "dice.limit.number"
            )
        if self.next_token.kind != "end":
            is_counted = bool(self.pools) and self.next_token.kind in _COMPARE
            if is_counted:
                self.raise_unexpected("dice.counting", _SUM)
            if difficulty is not None:
                self.raise_unexpected("dice.after-difficulty", "the end after the difficulty")
            self.raise_unexpected("dice.unjoined", _AFTER)
        return root, difficulty

    def parse_expression(self) -> Node:
        terms = [self.parse_term()]
        while sign := self.take_token("+", "-"):
            term = self.parse_term()
            terms.append(Negative(term) if sign.kind == "-" else term)
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def parse_term(self) -> Node:
        factors = [self.parse_factor()]
        while self.take_token("*"):
            factors.append(self.parse_factor())
        return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def parse_factor(self) -> Node:
        negative = self.take_token("-")
        if self.next_token.kind == "(":
            node = self.parse_bracket()
        elif self.next_token.kind == "d" or (
            self.next_token.kind == "number" and self.tokens[self.place + 1].kind == "d"
        ):
            node = self.parse_pool()
        else:
            node = Number(self.parse_integer("dice.part-missing", _FACTOR, "dice.limit.number"))
        if label := self.take_token("label"):
            words = " ".join(label.text.split())
            if not words:
                refuse("dice.label-empty", "words in the label", f"'[]'{self.format_place(label.at)}")
            node = Labelled(node, words)
        return Negative(node) if negative else node

    def parse_bracket(self) -> Node:
        at = self.next_token.at
        self.take_token("(")
        self.depth += 1
        if self.depth > MAX_NESTING:
            refuse("dice.limit.nesting", f"brackets at most {MAX_NESTING} deep", f"one more{self.format_place(at)}")
        node = self.parse_expression()
        if not self.take_token(")"):
            self.raise_unexpected("dice.bracket-open", "+, -, * or a closing bracket")
        self.depth -= 1
        return node

    def parse_pool(self) -> Dice:
        at = self.next_token.at
        count = 1
        if self.next_token.kind == "number":
            count = self.parse_integer(
                "dice.count-missing", "a number of dice", "dice.limit.dice", MAX_DICE, "a number of dice up to"
            )
        self.dice += count
        if self.dice > MAX_DICE:
            refuse("dice.limit.dice", f"at most {MAX_DICE} dice in all", f"{self.dice:,}{self.format_place(at)}")
        self.take_token("d")
        sides = (
            100
            if self.take_token("%")
            else self.parse_integer(
                "dice.sides-missing",
                "a number of sides or % after d",
                "dice.limit.sides",
                MAX_SIDES,
                "a number of sides up to",
            )
        )
        if count < 1 or sides < 1:
            refuse("dice.no-dice", "at least one die of at least one side", f"{count}d{sides}{self.format_place(at)}")
        reroll = self.parse_reroll(sides)
        depth = self.parse_explosion_depth(sides)
        kept, highest = self.parse_kept_dice(count)
        pool = Dice(len(self.pools), count, sides, reroll, depth, kept, highest)
        self.pools.append(pool)
        return pool

    def parse_reroll(self, sides: int) -> Reroll | None:
        """Parse the condition for rerolls, or return None if there is none.

        Raises `dice.reroll` if `rr` leaves less than half of the faces.
        """
        word = self.take_token("r", "rr")
        if word is None:
            return None
        sign = self.take_token("=", "<", ">", "<=", ">=")
        comparison: Comparison = sign.kind if sign else "="  # type: ignore[assignment]  # the grammar lets no other through
        face = self.parse_integer("dice.reroll-missing", "a face to roll again", "dice.limit.number")
        reroll = Reroll(comparison, face, word.kind == "rr")
        left = sum(1 for face in range(1, sides + 1) if not reroll.is_met_by(face))
        if reroll.is_repeated and 2 * left < sides:
            refuse(
                "dice.reroll",
                "rr to leave at least half of the faces",
                f"{left} of {sides} faces{self.format_place(word.at)}",
                sides=sides,
            )
        return reroll

    def parse_explosion_depth(self, sides: int) -> int:
        """Parse the maximum number of extra dice, 0 without an exclamation mark."""
        mark = self.take_token("!")
        if mark is None:
            return 0
        if sides == 1:
            refuse("dice.explode.one-side", "dice with two sides or more before !", f"d1!{self.format_place(mark.at)}")
        if self.next_token.kind != "number":
            return DEFAULT_EXTRA_DICE
        missing, limit, what = "dice.count-missing", "dice.limit.depth", "a number of extra dice up to"
        depth = self.parse_integer(missing, "a number of dice", limit, MAX_EXTRA_DICE, what)
        if depth < 1:
            refuse(
                "dice.explode.none", f"1 to {MAX_EXTRA_DICE} extra dice after !", f"{depth}{self.format_place(mark.at)}"
            )
        return depth

    def parse_kept_dice(self, pool_size: int) -> tuple[int, bool]:
        """Parse how many dice count, and whether the highest do."""
        word = self.take_token("kh", "kl", "dh", "dl")
        if word is None:
            return pool_size, True
        number = 1
        if self.next_token.kind == "number":
            number = self.parse_integer("dice.count-missing", "a number of dice", "dice.limit.number")
        most = pool_size if word.kind[0] == "k" else pool_size - 1
        if not 1 <= number <= most:
            what = f"a number from 1 to {most}" if most else "two dice or more"
            got, facts = f"{word.kind}{number}{self.format_place(word.at)}", {"allowed": what, "kind": word.kind}
            refuse("dice.keep", f"{what} with {word.kind} of {pool_size}d", got, **facts)
        kept = number if word.kind[0] == "k" else pool_size - number
        return kept, kept == pool_size or word.kind in ("kh", "dl")
