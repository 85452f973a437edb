"""Substitutes for a d20: other dice whose total, before modifiers, is a face from 1 to 20."""

from __future__ import annotations

from typing import Final

from scratch_core.dice.notation import Dice, Expression, Labelled, Node, Number, Product, list_unlabelled_terms, parse

SUBSTITUTES: Final = ("(d2-1)*10+d10", "(d4-1)*5+d6rr6", "(d6rr>4-1)*5+d6rr6")
"""The sums that count as a d20; each gives every number from 1 to 20 equally often (`roll.die-substitute`)."""


def find_substitute_modifier(expression: Expression) -> int | None:
    """Find the modifier added to the face of a substitute for a d20.

    The face is the total without it. Numbers may be added or subtracted anywhere in the sum, under any label. Returns
    None if the expression contains no substitute, or any other dice besides it (`roll.die-substitute`).
    """
    terms = list(list_unlabelled_terms(expression.root))
    dice = frozenset(_format_canonical_term(term, sign) for sign, term in terms if not isinstance(term, Number))
    if len(expression.pools) != len(dice) or dice not in _KNOWN:
        return None
    return sum(sign * term.value for sign, term in terms if isinstance(term, Number))


def _format_canonical_term(term: Dice | Product, sign: int) -> str:
    """Format a term as notation, independent of the order of its factors."""
    factors = term.factors if isinstance(term, Product) else (term,)
    return ("-" if sign < 0 else "") + "*".join(sorted(map(str, map(_strip_outer_labels, factors))))


def _strip_outer_labels(node: Node) -> Node:
    """Return a node without its labels."""
    return _strip_outer_labels(node.operand) if isinstance(node, Labelled) else node


_KNOWN: Final = frozenset(
    frozenset(
        _format_canonical_term(term, sign)
        for sign, term in list_unlabelled_terms(parse(text).root)
        if not isinstance(term, Number)
    )
    for text in SUBSTITUTES
)
"""Each substitute as the set of its formatted terms."""
