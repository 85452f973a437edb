"""The application: one function, which uses one module of the standard library."""

from fractions import Fraction


def add_fractions(first: str, second: str) -> str:
    """Return the sum of two fractions as text."""
    return str(Fraction(first) + Fraction(second))
