"""Sums that stand in for a d20: other dice whose total, without what is added to it, is a face from 1 to 20."""

from __future__ import annotations

from typing import Final

from scratch_core.dice.notation import Dice, Expression, Labelled, Node, Number, Product, parse, terms_of

SUBSTITUTES: Final = ("(d2-1)*10+d10", "(d4-1)*5+d6rr6", "(d6rr>4-1)*5+d6rr6")
"""The sums that count as a d20, each giving every number from 1 to 20 equally often (`roll.die-substitute`)."""


def find_added_to_face(expression: Expression) -> int | None:
    """What is added to the face that a substitute for a d20 makes; None for an expression that holds no substitute.

    The face is the total without it. Numbers may be added or taken away anywhere in the sum, under any label; with any
    other dice in it, a sum is no face (`roll.die-substitute`).
    """
    terms = list(terms_of(expression.root))
    dice = frozenset(_written(term, sign) for sign, term in terms if not isinstance(term, Number))
    if len(expression.pools) != len(dice) or dice not in _KNOWN:
        return None
    return sum(sign * term.value for sign, term in terms if isinstance(term, Number))


def _written(term: Dice | Product, sign: int) -> str:
    """A term as notation, the same whichever of its factors comes first."""
    factors = term.factors if isinstance(term, Product) else (term,)
    return ("-" if sign < 0 else "") + "*".join(sorted(map(str, map(_bare, factors))))


def _bare(node: Node) -> Node:
    return _bare(node.operand) if isinstance(node, Labelled) else node


_KNOWN: Final = frozenset(
    frozenset(_written(term, sign) for sign, term in terms_of(parse(text).root) if not isinstance(term, Number))
    for text in SUBSTITUTES
)
