"""The answer of the dice calculator: the parsed roll, its result and its chances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from scratch_core.calculators.dice.keypad import get_fields_changed_by_taps
from scratch_core.calculators.dice.request import DiceRequest
from scratch_core.calculators.shared.request import list_cut_query_problems
from scratch_core.dice import (
    Distribution,
    Expression,
    Roll,
    Roller,
    add_number,
    chance,
    compute_distribution,
    parse,
    parse_difficulty,
    parse_faces,
    parse_number,
    roll,
    roll_recorded,
)
from scratch_core.errors import Problem, Problems, ScratchError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DiceAnswer:
    """A roll, with as much as is known."""

    fields: Mapping[str, str]
    """The text of each control after the taps."""
    updated_fields: frozenset[str]
    """The controls that taps have changed."""
    problems: tuple[Problem, ...]
    """The problems of the controls, and advice about the chances."""
    expression: Expression | None = None
    """The parsed roll with its bonus. None if there is none, or it is invalid."""
    difficulty: int | None = None
    """The difficulty; None if there is none."""
    roll_result: Roll | None = None
    """The result of the roll; None before the dice are rolled."""
    totals: Distribution | None = None
    """The distribution of the totals. None if they take too long to compute, or if there is no roll."""
    chance: Fraction | None = None
    """The chance of success; None without a difficulty, and if it takes too long to compute."""


def answer_request(request: DiceRequest, roller: Roller | None) -> DiceAnswer:
    """Apply the taps of a request, parse its controls, roll and compute the chances.

    Each step reports its problems, and the next one continues.
    """
    changes = get_fields_changed_by_taps(request)
    fields = {**request.fields, **changes}
    expression, fields["roll"], roll_problems = _parse_roll(request, fields)
    against, against_problems = _parse_number_field("against", fields["against"], parse_difficulty)
    bonus, bonus_problems = _parse_number_field("bonus", fields["bonus"], _parse_bonus)
    problems = Problems(list_cut_query_problems(request.query, "roll"))
    problems += (*roll_problems, *against_problems, *bonus_problems)
    if expression is None:
        _, faces_problems = _parse_recorded_or_example_faces(request, fields["faces"])
        return DiceAnswer(fields, frozenset(changes), (*problems, *faces_problems))
    expression, sum_problems = _add_bonus(expression, bonus)
    difficulty, difficulty_problems = _resolve_difficulty(expression, against)
    result, result_problems = _roll_expression(request, fields["faces"], expression, difficulty, roller)
    totals, success_chance, advice = _compute_chances(expression, difficulty)
    return DiceAnswer(
        fields,
        frozenset(changes),
        (*problems, *sum_problems, *difficulty_problems, *result_problems, *advice),
        expression=expression,
        difficulty=difficulty,
        roll_result=result,
        totals=totals,
        chance=success_chance,
    )


def _parse_roll(request: DiceRequest, fields: Mapping[str, str]) -> tuple[Expression | None, str, Problems]:
    """Parse the roll, and return it with its text and its problems.

    Reads a plus sign as a space if the notation is invalid otherwise, because forms write a space that way. The
    returned text then has the space. The roll is a d20 if only a difficulty or a bonus is given. It is None if there is
    no roll, or it is invalid.
    """
    text = fields["roll"]
    typed = text.strip()
    if not typed and (fields["against"].strip() or fields["bonus"].strip()):
        return parse("d20"), text, Problems()
    if not typed and (request.has_taps or request.spaced_roll is None):
        return None, text, Problems()
    expression, problems = _compute_or_locate_problems("roll", lambda: parse(typed))
    if expression is not None or request.has_taps or request.spaced_roll is None:
        return expression, text, problems
    spaced_text = request.spaced_roll
    expression, _ = _compute_or_locate_problems("roll", lambda: parse(spaced_text.strip()))
    return (None, text, problems) if expression is None else (expression, spaced_text, Problems())


def _parse_number_field(control: str, text: str, parse_text: Callable[[str], int]) -> tuple[int | None, Problems]:
    """Parse the number of a control, and return it with its problems.

    The number is None if the control is empty or invalid.
    """
    return _compute_or_locate_problems(control, lambda: parse_text(text)) if text.strip() else (None, Problems())


def _parse_bonus(text: str) -> int:
    return parse_number(text, "bonus", "a level or another modifier")


def _add_bonus(expression: Expression, bonus: int | None) -> tuple[Expression, Problems]:
    """Add the bonus to a roll, and return both the roll and the problems.

    The roll remains the same if it has no room for a bonus.
    """
    if bonus is None:
        return expression, Problems()
    total, problems = _compute_or_locate_problems("bonus", lambda: add_number(expression, bonus, "bonus"))
    return expression if total is None else total, problems


def _resolve_difficulty(expression: Expression, against: int | None) -> tuple[int | None, Problems]:
    """Return the difficulty of the roll, or else that of the control `against`.

    Returns a problem, too, if they differ.
    """
    named, problems = expression.difficulty, Problems()
    if named is None or against is None or named == against:
        return against if named is None else named, problems
    expected = f"nothing, or {named} as the roll says"
    problems.report_value("dice.difficulty-twice", expected, against, "against", named=named)
    return named, problems


def _parse_recorded_or_example_faces(
    request: DiceRequest, faces_text: str, roller: Roller | None = None
) -> tuple[tuple[int, ...] | None, Problems]:
    """Parse the recorded faces, and return them with their problems.

    Uses those of `example` if there are none, there is no roller and no key was tapped. The faces are None if there are
    none, or they are invalid.
    """
    uses_example = not faces_text.strip() and roller is None and not request.has_taps
    text = request.example_faces if uses_example else faces_text
    return _compute_or_locate_problems("faces", lambda: parse_faces(text)) if text.strip() else (None, Problems())


def _roll_expression(
    request: DiceRequest, faces_text: str, expression: Expression, difficulty: int | None, roller: Roller | None
) -> tuple[Roll | None, Problems]:
    """Roll the dice, or use the recorded faces, and return the result with its problems.

    The result is None if there are neither faces nor a roller, and if the faces or the roll are invalid.
    """
    faces, problems = _parse_recorded_or_example_faces(request, faces_text, roller)
    if request.uses_typed_faces and not faces_text.strip():
        faces = ()  # too few are reported
    result, roll_problems = None, Problems()
    if faces is not None or not expression.pools:
        control = "roll" if faces is None else "faces"
        result, roll_problems = _compute_or_locate_problems(
            control, lambda: roll_recorded(expression, faces or (), difficulty)
        )
    elif roller is not None and not faces_text.strip():
        result, roll_problems = _compute_or_locate_problems("roll", lambda: roll(expression, roller, difficulty))
    return result, Problems((*problems, *roll_problems))


def _compute_chances(
    expression: Expression, difficulty: int | None
) -> tuple[Distribution | None, Fraction | None, Problems]:
    """Compute the distribution of the totals and the chance of success.

    The chance is None without a difficulty. If they take too long to compute, both are None, and the third value is
    advice.
    """
    try:
        totals = compute_distribution(expression)
        return totals, None if difficulty is None else chance(expression, difficulty, totals), Problems()
    except ScratchError as error:
        return None, None, Problems(replace(each.with_location("roll"), severity="advice") for each in error.problems)


def _compute_or_locate_problems(control: str, compute: Callable[[], Value]) -> tuple[Value | None, Problems]:
    """Return a computed value without problems, or None with the problems at their control."""
    try:
        return compute(), Problems()
    except ScratchError as error:
        return None, Problems(each.with_location(control) for each in error.problems)
