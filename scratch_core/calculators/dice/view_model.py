"""What the template of the dice calculator prints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from scratch_core.calculators.dice.answer import DiceAnswer
from scratch_core.calculators.dice.chart import Chart, build_chart, format_percent
from scratch_core.calculators.dice.keypad import KEYPAD_KEYS
from scratch_core.calculators.dice.request import DiceRequest
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import SIDES, Expression, Roll, find_substitute_modifier, roll_recorded
from scratch_core.figures import Figure


@dataclass(frozen=True, slots=True)
class View(PageView):
    """What the template prints."""

    notation: str = ""
    """The parsed roll, without the difficulty; "" if there is none."""
    difficulty: int | None = None
    """The difficulty; None if there is none."""
    roll_result: Roll | None = None
    """The result of the roll; None before the dice are rolled."""
    chance: Fraction | None = None
    """The chance of success; None without a difficulty, and if it takes too long to compute."""
    is_only_face_20: bool = False
    """Whether a roll like that of a single d20 succeeds only with a natural 20."""
    chart: Chart | None = None
    """The chart of the totals; None if they take too long to compute, or if there is no roll."""
    updated_fields: frozenset[str] = frozenset()
    """The controls that this answer has changed."""
    sides: tuple[int, ...] = ()
    """The number of sides of each die, for at most six dice."""
    lowest_success_face: int = 0
    """The lowest face of a single d20 from which on all faces succeed; 0 for none, and for other rolls."""
    preset_label: str = ""
    """The label of the button if a page sets up the roll; "" otherwise."""
    is_sent: bool = False
    """Whether the roll comes from someone's share link."""
    is_net_shown: bool = False
    """Whether a page shows only the net of a d20 and a difficulty (`show=net`, for a d20 alone)."""
    keys = KEYPAD_KEYS

    @property
    def percent(self) -> str:
        """The chance of success in percent, rounded.

        The text is "" if the chance is unknown.
        """
        return "" if self.chance is None else format_percent(self.chance)

    @property
    def title(self) -> str:
        """The result in a few words, for the title of the window.

        The title is "" before the dice are rolled.
        """
        if self.roll_result is None:
            return ""
        if self.roll_result.check is None:
            return f"{self.roll_result.total} with {self.notation}"
        result = "success" if self.roll_result.check.is_success else "failure"
        return f"{self.roll_result.total} against {self.roll_result.check.difficulty}: a {result}"

    @property
    def history_entry_total(self) -> str:
        """The total for the list of earlier answers, with a sign for success or failure.

        The total is "" before the dice are rolled.
        """
        if self.roll_result is None:
            return ""
        check = self.roll_result.check
        return str(self.roll_result.total) + ("" if check is None else " ✓" if check.is_success else " ✗")

    @property
    def history_entry_text(self) -> str:
        """The roll for the list of earlier answers, with its difficulty and its chance."""
        against = "" if self.difficulty is None else f" against {self.difficulty}"
        return f"{self.notation}{against}" + (f" · {self.percent}" if self.percent else "")

    @property
    def typed_faces_example(self) -> str:
        """An example of faces as a user types them."""
        return ", ".join(str(max(1, each // 2 - place)) for place, each in enumerate(self.sides)) or "7, 3"

    @property
    def total_with_parts(self) -> Figure | None:
        """The total with its parts.

        None before the dice are rolled.
        """
        return None if self.roll_result is None else Figure("total", self.roll_result.parts)


def build_view(request: DiceRequest, answer: DiceAnswer) -> View:
    """Build the view of an answer, with as much as is known."""
    fields, expression, result = answer.fields, answer.expression, answer.roll_result
    link_fields = {name: text.strip() for name, text in fields.items()}
    if result is not None:
        link_fields["faces"] = ",".join(map(str, result.faces))
    query = format_query(link_fields)
    if expression is None:
        return View(query, "", answer.problems, fields, updated_fields=answer.updated_fields)
    notation = str(replace(expression, difficulty=None))
    is_single_d20 = expression.d20 is not None and [str(pool) for pool in expression.pools] == ["d20"]
    is_like_single_d20 = is_single_d20 or find_substitute_modifier(expression) is not None
    return View(
        query=query,
        summary=_format_summary(notation, answer.difficulty, result, answer.chance),
        problems=answer.problems,
        fields=fields,
        notation=notation,
        difficulty=answer.difficulty,
        roll_result=result,
        chance=answer.chance,
        is_only_face_20=is_like_single_d20 and answer.chance == Fraction(1, 20),
        chart=None if answer.totals is None else build_chart(answer.totals, answer.difficulty),
        updated_fields=answer.updated_fields,
        sides=tuple(pool.sides for pool in expression.pools for _ in range(min(pool.count, 6)))[:6],
        lowest_success_face=_find_lowest_success_face(expression, answer.chance) if is_single_d20 else 0,
        is_net_shown=notation == "d20" and request.is_net_requested,
        preset_label=request.preset_label,
        is_sent=request.is_sent and result is not None,
    )


def _format_summary(notation: str, difficulty: int | None, rolled: Roll | None, odds: Fraction | None) -> str:
    """Format the roll, its result and its chance as a sentence.

    Returns "" if both the result and the chance are unknown.
    """
    against = "" if difficulty is None else f" against {difficulty}"
    likely = "" if odds is None else f"chance {format_percent(odds)}"
    if rolled is None:
        return f"{notation}{against}: {likely}." if likely else ""
    result = ""
    if rolled.check is not None:
        result = ", success" if rolled.check.is_success else ", failure"
        result += " on a natural 20" if rolled.check.automatic else ""
    return f"{notation}{against}: {rolled.total}{result}{f' ({likely})' if likely else ''}."


def _find_lowest_success_face(expression: Expression, odds: Fraction | None) -> int:
    """Return the lowest face of a single d20 that succeeds, from 1 to 20.

    `odds` is the chance of success. Returns 0 without a difficulty, and if higher faces don't give higher totals, as in
    `20-d20`. Rule: `roll.success`.
    """
    lowest, highest = (roll_recorded(expression, [face]).total for face in (1, SIDES))
    return 0 if odds is None or lowest >= highest else int(SIDES + 1 - SIDES * odds)
