"""The dice calculator: parse dice notation, roll, and compute the exact chances."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from scratch_core.calculators.dice.keypad import CLEAR_KEY, KEYPAD_KEYS, apply_taps
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.dice import (
    SIDES,
    Distribution,
    Expression,
    Roll,
    Roller,
    add_number,
    chance,
    compute_distribution,
    find_substitute_modifier,
    parse,
    parse_difficulty,
    parse_faces,
    parse_number,
    roll,
    roll_recorded,
)
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure

CONTROLS = ("roll", "against", "bonus", "faces")
"""The names of all controls, in the order of the canonical query.

`keys` and `done`, which hold taps, are left out. So are `preset` and `show`, with which a page sets up a roll: the link
to an answer opens the full calculator.
"""

MAX_PRESET_LENGTH = 40
"""The most characters in the label of a preset roll's button."""

MAX_SINGLE_ROWS = 60
"""The most totals that have a row each."""
MAX_BUCKETS = 40
"""The most rows for more totals, which share rows."""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the chart: one total, or a range of totals."""

    label: str
    """The total or the range, in words."""
    percent: str
    """The chance of these totals."""
    exact_fraction: str
    """The same chance as a fraction; "" for a range, and if the fraction is long."""
    at_least_percent: str
    """The chance of the row's lowest total or more."""
    height: int
    """The chance relative to that of the likeliest row, 1 to 100."""
    is_success: bool
    """Whether the row's lowest total reaches the difficulty."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart of a distribution."""

    rows: tuple[ChartRow, ...]
    """The rows, from the lowest total to the highest."""
    minimum: int
    """The lowest total."""
    maximum: int
    """The highest total."""
    summary: str
    """The range and the mean of the totals, in a sentence."""
    is_even: bool
    """Whether all totals are equally likely, so that a chart would show nothing."""


@dataclass(frozen=True, slots=True)
class View(form.View):
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
    def faces_hint(self) -> str:
        """An example of faces as a user types them."""
        return ", ".join(str(max(1, each // 2 - place)) for place, each in enumerate(self.sides)) or "7, 3"

    @property
    def figure(self) -> Figure | None:
        """The total with its parts.

        None before the dice are rolled.
        """
        return None if self.roll_result is None else Figure("total", self.roll_result.parts)


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a roll.

    `roll` is the notation, `against` a difficulty, `bonus` a level to add and `faces` the recorded faces. The roller,
    if there is one, rolls the dice unless `faces` records them. Without both, the faces in `example` count: a page
    shows a worked answer, and its form, which has no such control, rolls. Each problem names its control, and does not
    prevent the rest of the answer (`roll.modifier`, `roll.success`, `roll.auto-success`).
    """
    return _DiceForm(query).build_view(roller)


def format_percent(share: Fraction) -> str:
    """Format a chance as a percentage with at most two decimals, rounded half up.

    A chance that is rounded to 0 or 100 has words, such as `less than 0.01%`.
    """
    number = _format_two_places(100 * share)
    if number == "0" and share:
        return "less than 0.01%"
    if number == "100" and share < 1:
        return "more than 99.99%"
    return f"{number}%"


class _DiceForm(form.Form):
    """A query that is being parsed. Each step reports its problems and continues."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.notation(name).strip("\n") for name in CONTROLS})
        self.add_cut_problem("roll")
        self.is_keyed = bool(query.text("keys").strip())
        if self.is_keyed:
            roll = apply_taps(self.fields["roll"], query.text("keys"), is_done=bool(query.text("done")))
            self.fields |= {"roll": roll, "faces": ""}
        self.is_cleared = CLEAR_KEY in self.query.text("keys")
        if self.is_cleared:
            self.fields |= {"against": "", "bonus": ""}

    def build_view(self, roller: Roller | None) -> View:
        """Parse the controls, roll and build the view."""
        expression = self.parse_expression()
        against = self.parse_number_field("against")
        bonus = self.parse_number_field("bonus")
        if expression is None:
            self.parse_faces_field()
            return self.finish_view()
        if bonus is not None:
            try:
                expression = add_number(expression, bonus, "bonus")
            except ScratchError as error:
                self.problems.extend_at("bonus", error.problems)
        difficulty = self.resolve_difficulty(expression, against)
        return self.finish_view(expression, difficulty, self.roll_expression(expression, difficulty, roller))

    def parse_expression(self) -> Expression | None:
        """Parse the roll.

        Reads a plus sign as a space if the notation is invalid otherwise, because forms write a space that way. The
        roll is a d20 if only a difficulty or a bonus is given. Returns None if there is no roll, or it is invalid.
        """
        typed = self.fields["roll"].strip()
        if not typed and (self.fields["against"].strip() or self.fields["bonus"].strip()):
            return parse("d20")
        if self.is_keyed and not typed:
            return None
        if "roll" not in self.query and not self.is_keyed:
            return None
        plain = typed if self.is_keyed else self.query.text("roll").strip("\n")
        try:
            return parse(typed)
        except ScratchError as error:
            try:
                expression = parse(plain.strip())
            except ScratchError:
                self.problems.extend_at("roll", error.problems)
                return None
        self.fields["roll"] = plain
        return expression

    def parse_number_field(self, control: str) -> int | None:
        """Parse the number of `against` or `bonus`.

        Returns None if the control is empty or invalid.
        """
        text = self.fields[control]
        if not text.strip():
            return None
        try:
            if control == "against":
                return parse_difficulty(text)
            return parse_number(text, control, "a level or another modifier")
        except ScratchError as error:
            self.problems.extend_at(control, error.problems)
            return None

    def resolve_difficulty(self, expression: Expression, against: int | None) -> int | None:
        """Return the difficulty of the roll, or else that of the control `against`.

        Reports a problem if they differ.
        """
        named = expression.difficulty
        if named is None or against is None or named == against:
            return against if named is None else named
        expected = f"nothing, or {named} as the roll says"
        self.problems.report_value("dice.difficulty-twice", expected, against, "against", named=named)
        return named

    def parse_faces_field(self, roller: Roller | None = None) -> tuple[int, ...] | None:
        """Parse the recorded faces.

        Uses those of `example` if there are none, there is no roller and no key was tapped. Returns None if there are
        no faces, or they are invalid.
        """
        text = self.fields["faces"]
        if not text.strip() and roller is None and not self.is_keyed:
            text = self.query.text("example")
        if not text.strip():
            return None
        try:
            return parse_faces(text)
        except ScratchError as error:
            self.problems.extend_at("faces", error.problems)
            return None

    def roll_expression(self, expression: Expression, difficulty: int | None, roller: Roller | None) -> Roll | None:
        """Roll the dice, or use the recorded faces.

        Returns None if there are neither faces nor a roller. Reports a problem of the faces or the roll, and returns
        None, too.
        """
        faces = self.parse_faces_field(roller)
        try:
            if faces is not None or not expression.pools:
                return roll_recorded(expression, faces or (), difficulty)
            if roller is not None and not self.fields["faces"].strip():
                return roll(expression, roller, difficulty)
        except ScratchError as error:
            self.problems.extend_at("roll" if faces is None else "faces", error.problems)
        return None

    def finish_view(
        self, expression: Expression | None = None, difficulty: int | None = None, result: Roll | None = None
    ) -> View:
        """Build the view of a roll, with as much as is known."""
        fields = {name: text.strip() for name, text in self.fields.items()}
        if result is not None:
            fields["faces"] = ",".join(map(str, result.faces))
        if expression is None:
            return View(format_query(fields), "", tuple(self.problems), self.fields, updated_fields=self.updated_fields)
        totals, odds = self.compute_chances(expression, difficulty)
        notation = str(replace(expression, difficulty=None))
        is_single_d20 = expression.d20 is not None and [str(pool) for pool in expression.pools] == ["d20"]
        is_like_single_d20 = is_single_d20 or find_substitute_modifier(expression) is not None
        return View(
            query=format_query(fields),
            summary=_format_summary(notation, difficulty, result, odds),
            problems=tuple(self.problems),
            fields=self.fields,
            notation=notation,
            difficulty=difficulty,
            roll_result=result,
            chance=odds,
            is_only_face_20=is_like_single_d20 and odds == Fraction(1, 20),
            chart=None if totals is None else _build_chart(totals, difficulty),
            updated_fields=self.updated_fields,
            sides=tuple(pool.sides for pool in expression.pools for _ in range(min(pool.count, 6)))[:6],
            lowest_success_face=_find_lowest_success_face(expression, odds) if is_single_d20 else 0,
            is_net_shown=notation == "d20" and self.query.text("show") == "net",
            preset_label=truncate_line(self.query.text("preset").strip(), MAX_PRESET_LENGTH),
        )

    @property
    def updated_fields(self) -> frozenset[str]:
        """The controls that taps of keys have changed."""
        changed = frozenset(("roll", "faces") if self.is_keyed else ())
        return changed | {"against", "bonus"} if self.is_cleared else changed

    def compute_chances(
        self, expression: Expression, difficulty: int | None
    ) -> tuple[Distribution | None, Fraction | None]:
        """Compute the distribution of the totals and the chance of success.

        The chance is None without a difficulty. Reports advice if they take too long to compute, and returns None for
        both.
        """
        try:
            totals = compute_distribution(expression)
            return totals, None if difficulty is None else chance(expression, difficulty, totals)
        except ScratchError as error:
            self.problems.extend_at("roll", (replace(problem, severity="advice") for problem in error.problems))
            return None, None


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


def _build_chart(totals: Distribution, difficulty: int | None) -> Chart:
    """Build the chart of a distribution."""
    groups = _group_totals(totals)
    max_ways = max(ways for _, _, ways, _ in groups)
    rows = []
    for low, high, ways, ways_at_least in groups:
        share, at_least = Fraction(ways, totals.total), format_percent(Fraction(ways_at_least, totals.total))
        label, exact = f"{low} to {high}", ""
        if low == high:
            label, exact = str(low), str(share) if share.denominator < 10**9 else ""
        height = max(1, (200 * ways + max_ways) // (2 * max_ways))  # rounded half up, at least 1 so that it is visible
        is_success = difficulty is not None and low >= difficulty
        rows.append(ChartRow(label, format_percent(share), exact, at_least, height, is_success))
    is_even = len(totals.counts) > 1 and len(set(totals.counts.values())) == 1
    even = ", all equally likely" if is_even else ""
    summary = f"Totals from {totals.minimum} to {totals.maximum}{even}, on average {_format_two_places(totals.mean)}."
    return Chart(tuple(rows), totals.minimum, totals.maximum, summary, is_even)


def _group_totals(totals: Distribution) -> list[tuple[int, int, int, int]]:
    """Group the totals of a distribution into the rows of a chart.

    Returns for each row its lowest and highest total, the ways to roll one of them, and the ways to roll the lowest or
    more. More than `MAX_SINGLE_ROWS` totals share rows of equal width. The outermost rows also have the totals beyond
    them, which are rarer than one in a thousand.
    """
    singles = list(totals.list_total_ways())
    if len(singles) <= MAX_SINGLE_ROWS:
        return [(number, number, ways, ways_at_least) for number, ways, ways_at_least in singles]
    low = next(
        number
        for number, ways, ways_at_least in singles
        if 1000 * (totals.total - ways_at_least + ways) >= totals.total
    )
    high = next(number for number, _, ways_at_least in reversed(singles) if 1000 * ways_at_least >= totals.total)
    width = max(1, -(-(high - low + 1) // MAX_BUCKETS))
    buckets: dict[int, list[tuple[int, int, int]]] = {}
    for single in singles:
        buckets.setdefault((min(max(single[0], low), high) - low) // width, []).append(single)
    return [(group[0][0], group[-1][0], sum(ways for _, ways, _ in group), group[0][2]) for group in buckets.values()]


def _format_two_places(number: Fraction) -> str:
    """Format a number with at most two decimals, rounded half up."""
    hundredths = (200 * number.numerator + number.denominator) // (2 * number.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    return ("-" if hundredths < 0 else "") + f"{whole}.{rest:02}".rstrip("0").rstrip(".")
