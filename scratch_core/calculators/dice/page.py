"""The dice calculator: notation in; the faces, the sum part by part, success and the exact chance out."""

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

`keys` and `done`, for taps, are none of them, and neither are `preset` and `show`: a link to a roll that a page has set
opens it where everything can be changed.
"""

MAX_PRESET_LENGTH = 40
"""As many characters as the button of a roll that a page has set may have."""

MAX_SINGLE_ROWS = 60
"""As many totals as are shown each on a row of its own."""
MAX_BUCKETS = 40
"""As many rows as there are where totals share them."""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One total, or a range of them, with its chance in words. `height` is 0 to 100, the likeliest row at 100.

    `exact_fraction` is the chance as a fraction, "" where totals share the row or the fraction is long; `is_success`
    says whether the least total of the row reaches the difficulty.
    """

    label: str
    percent: str
    exact_fraction: str
    at_least_percent: str
    height: int
    is_success: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A distribution fit to draw: its rows, the least and greatest total, and what it shows, in a sentence.

    `is_even`: all totals are equally likely, so that there is nothing to draw.
    """

    rows: tuple[ChartRow, ...]
    minimum: int
    maximum: int
    summary: str
    is_even: bool


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints.

    `notation` is the roll as it was understood, "" when there is none; `roll_result` is None while no die has fallen;
    `chance` is None without a difficulty or where it is too much to count. `lowest_success_face` is the lowest face of
    the one d20 that succeeds, 0 where it is no such check; `sides` are those of the first dice. `updated_fields` names
    the controls that this answer has set by itself. `preset_label` are the words of the button where a page has set the
    whole roll; `is_net_shown`: a page shows the unfolded d20, with a number to reach and nothing else (`show=net`, for
    a d20 alone).
    """

    notation: str = ""
    difficulty: int | None = None
    roll_result: Roll | None = None
    chance: Fraction | None = None
    is_only_face_20: bool = False
    chart: Chart | None = None
    updated_fields: frozenset[str] = frozenset()
    sides: tuple[int, ...] = ()
    lowest_success_face: int = 0
    preset_label: str = ""
    is_net_shown: bool = False
    keys = KEYPAD_KEYS

    @property
    def percent(self) -> str:
        """The chance, rounded for reading."""
        return "" if self.chance is None else format_percent(self.chance)

    @property
    def title(self) -> str:
        """The result in a few words, for the window's title; "" while no die has fallen."""
        if self.roll_result is None:
            return ""
        if self.roll_result.check is None:
            return f"{self.roll_result.total} with {self.notation}"
        result = "success" if self.roll_result.check.is_success else "failure"
        return f"{self.roll_result.total} against {self.roll_result.check.difficulty}: a {result}"

    @property
    def faces_hint(self) -> str:
        """Faces as someone might type them."""
        return ", ".join(str(max(1, each // 2 - place)) for place, each in enumerate(self.sides)) or "7, 3"

    @property
    def figure(self) -> Figure | None:
        """The sum with its parts, once dice have fallen."""
        return None if self.roll_result is None else Figure("total", self.roll_result.parts)


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with `roll` (notation), `against` (a difficulty), `bonus` (a level to add) and `faces`.

    Faces given are replayed; else dice are rolled if there is a roller. Without one, the faces in `example` stand for
    a roll: a page shows a worked answer, and its form, which has no such control, rolls. Every problem names the
    control it belongs to, and what can be answered in spite of it is answered (`roll.modifier`, `roll.success`,
    `roll.auto-success`).
    """
    return _DiceForm(query).build_view(roller)


def format_percent(share: Fraction) -> str:
    """Write a chance as a percentage with at most two decimals, rounded half up; a tiny chance never reads as none."""
    written = _format_two_places(100 * share)
    if written == "0" and share:
        return "less than 0.01%"
    if written == "100" and share < 1:
        return "more than 99.99%"
    return f"{written}%"


class _DiceForm(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

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
        """Read the roll; a plus sign that a form wrote for a space is tried as a space too."""
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
        """The difficulty, named in its control or in the roll; both may name it if they agree."""
        named = expression.difficulty
        if named is None or against is None or named == against:
            return against if named is None else named
        expected = f"nothing, or {named} as the roll says"
        self.problems.report_value("dice.difficulty-twice", expected, against, "against", named=named)
        return named

    def parse_faces_field(self, roller: Roller | None = None) -> tuple[int, ...] | None:
        """The faces given; while no one asks for a roll, those of a worked example will do."""
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
        self, expression: Expression | None = None, difficulty: int | None = None, rolled: Roll | None = None
    ) -> View:
        fields = {name: text.strip() for name, text in self.fields.items()}
        if rolled is not None:
            fields["faces"] = ",".join(map(str, rolled.faces))
        if expression is None:
            return View(format_query(fields), "", tuple(self.problems), self.fields, updated_fields=self.updated_fields)
        totals, odds = self.compute_chances(expression, difficulty)
        notation = str(replace(expression, difficulty=None))
        is_one_d20 = expression.d20 is not None and [str(pool) for pool in expression.pools] == ["d20"]
        is_like_one = is_one_d20 or find_substitute_modifier(expression) is not None
        return View(
            query=format_query(fields),
            summary=_format_summary(notation, difficulty, rolled, odds),
            problems=tuple(self.problems),
            fields=self.fields,
            notation=notation,
            difficulty=difficulty,
            roll_result=rolled,
            chance=odds,
            is_only_face_20=is_like_one and odds == Fraction(1, 20),
            chart=None if totals is None else _build_chart(totals, difficulty),
            updated_fields=self.updated_fields,
            sides=tuple(pool.sides for pool in expression.pools for _ in range(min(pool.count, 6)))[:6],
            lowest_success_face=_find_lowest_success_face(expression, odds) if is_one_d20 else 0,
            is_net_shown=notation == "d20" and self.query.text("show") == "net",
            preset_label=truncate_line(self.query.text("preset").strip(), MAX_PRESET_LENGTH),
        )

    @property
    def updated_fields(self) -> frozenset[str]:
        """The controls that taps have changed."""
        changed = frozenset(("roll", "faces") if self.is_keyed else ())
        return changed | {"against", "bonus"} if self.is_cleared else changed

    def compute_chances(
        self, expression: Expression, difficulty: int | None
    ) -> tuple[Distribution | None, Fraction | None]:
        """The distribution and the chance; where they are too much to count, a word of advice."""
        try:
            totals = compute_distribution(expression)
            return totals, None if difficulty is None else chance(expression, difficulty, totals)
        except ScratchError as error:
            self.problems.extend_at("roll", (replace(problem, severity="advice") for problem in error.problems))
            return None, None


def _format_summary(notation: str, difficulty: int | None, rolled: Roll | None, odds: Fraction | None) -> str:
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
    """Return the lowest face of the only die, a d20, that succeeds, from 1 to 20.

    `odds` is the chance of success. Returns 0 without a difficulty, and if higher faces don't give higher totals, as in
    `20-d20`. Rule: `roll.success`.
    """
    lowest, highest = (roll_recorded(expression, [face]).total for face in (1, SIDES))
    return 0 if odds is None or lowest >= highest else int(SIDES + 1 - SIDES * odds)


def _build_chart(totals: Distribution, difficulty: int | None) -> Chart:
    groups = _group_totals(totals)
    most = max(ways for _, _, ways, _ in groups)
    rows = []
    for low, high, ways, left in groups:
        share, at_least = Fraction(ways, totals.total), format_percent(Fraction(left, totals.total))
        label, exact = f"{low} to {high}", ""
        if low == high:
            label, exact = str(low), str(share) if share.denominator < 10**9 else ""
        height = max(1, (200 * ways + most) // (2 * most))  # rounded half up; a row that can come up always shows
        wins = difficulty is not None and low >= difficulty
        rows.append(ChartRow(label, format_percent(share), exact, at_least, height, wins))
    is_even = len(totals.counts) > 1 and len(set(totals.counts.values())) == 1
    even = ", all equally likely" if is_even else ""
    words = f"Totals from {totals.minimum} to {totals.maximum}{even}, on average {_format_two_places(totals.mean)}."
    return Chart(tuple(rows), totals.minimum, totals.maximum, words, is_even)


def _group_totals(totals: Distribution) -> list[tuple[int, int, int, int]]:
    """The rows: least and greatest total, ways to them, and ways to the least or more.

    Many totals share rows of equal width; what lies beyond all but a thousandth of the outcomes joins the outermost.
    """
    singles = list(totals.list_total_ways())
    if len(singles) <= MAX_SINGLE_ROWS:
        return [(number, number, ways, left) for number, ways, left in singles]
    low = next(number for number, ways, left in singles if 1000 * (totals.total - left + ways) >= totals.total)
    high = next(number for number, _, left in reversed(singles) if 1000 * left >= totals.total)
    width = max(1, -(-(high - low + 1) // MAX_BUCKETS))
    buckets: dict[int, list[tuple[int, int, int]]] = {}
    for single in singles:
        buckets.setdefault((min(max(single[0], low), high) - low) // width, []).append(single)
    return [(group[0][0], group[-1][0], sum(ways for _, ways, _ in group), group[0][2]) for group in buckets.values()]


def _format_two_places(number: Fraction) -> str:
    """A number to two decimals, rounded half up, without idle zeros."""
    hundredths = (200 * number.numerator + number.denominator) // (2 * number.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    return ("-" if hundredths < 0 else "") + f"{whole}.{rest:02}".rstrip("0").rstrip(".")
