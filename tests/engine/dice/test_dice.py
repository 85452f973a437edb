"""Dice: what the notation means, how it rolls and replays, and that every chance is exact."""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scratch_core.dice import (
    SUBSTITUTES,
    Distribution,
    FixedRoller,
    RecordedRoller,
    SeededRoller,
    SystemRoller,
    chance,
    chance_of_check,
    check,
    compute_distribution,
    face_needed,
    parse,
    parse_faces,
    parse_number,
    roll,
    roll_recorded,
    roll_valid_face,
)
from scratch_core.dice.notation import add_number
from scratch_core.dice.sum_counts import WorkBudget, count_kept_sums
from scratch_core.errors import ScratchError
from scratch_core.figures import Part
from tests.support.clock import limit_time
from tests.support.known import require
from tests.support.sample_counts import count_examples

# Notation: (text, faces, total), each total a sum by hand.
ROLLS = {
    "one die": ("d20", [7], 7),
    "a modifier": ("d20+3", [7], 10),
    "a pool and a number taken away": ("2d6+1d4-1", [3, 5, 2], 9),
    "keep the highest three": ("4d6kh3", [1, 4, 2, 6], 12),
    "keep the lowest": ("2d20kl", [11, 4], 4),
    "drop the highest": ("3d6dh", [1, 6, 4], 5),
    "drop the lowest two": ("3d6dl2", [1, 6, 4], 6),
    "percent is a d100": ("d%", [57], 57),
    "brackets and a product": ("(d2-1)*10+d10", [2, 7], 17),
    "a product before a sum": ("2+3*d4", [2], 8),
    "a d20 from two other dice, lower half": ("(d2-1)*10+d10", [1, 10], 10),
    "minus in front": ("-d6+10", [4], 6),
    "minus twice": ("2--3", [], 5),
    "capitals": ("2D6KH1", [2, 5], 5),
    "printed signs": ("2×3−1", [], 5),
    "spaces": (" 2 d 6 + 1 ", [2, 5], 8),
    "a label": ("d20+3[shooting]", [9], 12),
    "a labelled bracket": ("(d6+1)[fire]*2", [3], 8),
    "reroll once": ("d6r1", [1, 1], 1),
    "reroll once, not needed": ("d6r1", [2], 2),
    "reroll below three": ("2d6r<3", [2, 5, 3], 8),
    "reroll until": ("d6rr<=2", [1, 2, 6], 6),
    "reroll at least": ("d6r>=5", [5, 6], 6),
    "reroll equal": ("d6r=4", [4, 3], 3),
    "explode twice": ("d6!", [6, 6, 2], 14),
    "explode to the limit": ("d6!1", [6, 6], 12),
    "explode after a reroll": ("d6r1!", [1, 6, 3], 9),
    "extra dice are not rerolled": ("d6r1!", [6, 1], 7),
    "explode and keep": ("2d6!kh1", [6, 1, 5], 7),
}


@pytest.mark.parametrize(("text", "faces", "total"), ROLLS.values(), ids=ROLLS)
def test_notation_with_known_faces_gives_the_sum(text: str, faces: list[int], total: int) -> None:
    """An expression with known faces gives the sum worked out by hand.

    The printed expression gives the same sum.
    """
    rolled = roll_recorded(text, faces)
    assert (rolled.total, list(rolled.faces)) == (total, faces)
    assert roll_recorded(str(parse(text)), faces).total == total


# Refusals: (text, code, a piece of the message).
REFUSED = {
    "nothing": ("", "dice.empty", "got nothing"),
    "a pool of which successes are counted": (
        "6d10>=7",
        "dice.counting",
        "how many succeed is not counted; “d10 vs 7”",
    ),
    "spaces alone": ("   ", "dice.empty", "got nothing"),
    "a word": ("hello", "dice.notation", "'hello' at character 1"),
    "markup": ("<script>", "dice.notation", "'script>' at character 2"),
    "an emoji": ("d20+🎲", "dice.notation", "at character 5"),
    "Arabic digits": ("d٢", "dice.notation", "at character 2"),
    "a plus in front": ("+d6", "dice.part-missing", "'+' at character 1"),
    "an end too early": ("d20+", "dice.part-missing", "got the end"),
    "no sides": ("2d", "dice.sides-missing", "number of sides"),
    "two numbers": ("2 3", "dice.unjoined", "'3' at character 3"),
    "an open bracket": ("(d6", "dice.bracket-open", "closing bracket"),
    "a closing bracket too many": ("d6)", "dice.unjoined", "')' at character 3"),
    "keep without an end to keep": ("4d6k3", "dice.notation", "'k3' at character 4"),
    "parts in the wrong order": ("4d6kh3!", "dice.unjoined", "'!' at character 7"),
    "an empty label": ("d6[]", "dice.label-empty", "words in the label"),
    "a label never closed": ("d6[fire", "dice.notation", "'[fire' at character 3"),
    "vs without a difficulty": ("d20 vs", "dice.difficulty-missing", "a difficulty after vs"),
    "something after the difficulty": ("d20 vs 3+1", "dice.after-difficulty", "the end after the difficulty"),
    "vs inside brackets": ("(d20 vs 3)", "dice.bracket-open", "closing bracket"),
    "no dice of a size": ("0d6", "dice.no-dice", "at least one die"),
    "a die without sides": ("d0", "dice.no-dice", "at least one side"),
    "reroll without a face": ("d6r", "dice.reroll-missing", "a face to roll again"),
    "reroll too much until": ("d6rr<5", "dice.reroll", "2 of 6 faces"),
    "explode a one-sided die": ("1d1!", "dice.explode.one-side", "two sides or more"),
    "explode never": ("d6!0", "dice.explode.none", "1 to 20 extra dice"),
    "explode too deep": ("d6!21", "dice.limit.depth", "up to 20"),
    "keep none": ("2d6kh0", "dice.keep", "from 1 to 2"),
    "keep more than there are": ("2d6kl3", "dice.keep", "kl3 at character 4"),
    "drop all": ("2d6dl2", "dice.keep", "from 1 to 1"),
    "drop the only one": ("d20dh", "dice.keep", "two dice or more"),
    "a long text": ("d6" + "+1" * 100, "dice.limit.text", "at most 200 characters"),
    "too many dice": ("501d6", "dice.limit.dice", "up to 500"),
    "too many dice together": ("300d6+201d6", "dice.limit.dice", "500 dice in all"),
    "an absurd number of dice": ("999999999d999999999", "dice.limit.dice", "up to 500"),
    "too many sides": ("d1001", "dice.limit.sides", "up to 1,000"),
    "too great a number": ("1000001", "dice.limit.number", "1,000,000"),
    "a number of 190 digits": ("9" * 190, "dice.limit.number", "1,000,000"),
    "brackets too deep": ("(" * 21 + "1" + ")" * 21, "dice.limit.nesting", "20 deep"),
    "too great a total": ("1000000*1001", "dice.limit.total", "1,000,000,000"),
    "too great a total on the way": ("0*1000000*1000000", "", ""),
}


@pytest.mark.parametrize(("text", "code", "piece"), REFUSED.values(), ids=REFUSED)
def test_invalid_notation_is_rejected_with_a_sentence(text: str, code: str, piece: str) -> None:
    """An invalid expression is rejected with its code, its place and what is legal.

    So is an expression beyond a limit.
    """
    if not code:
        assert parse(text).pools == ()
        return
    with pytest.raises(ScratchError) as refused:
        parse(text)
    assert refused.value.code == code
    assert piece in refused.value.problem.message
    assert len(refused.value.problem.message) < 300


def test_largest_allowed_values_are_accepted() -> None:
    """The greatest text, dice, sides, number, nesting and total are still accepted."""
    for text in ("d6" + "+1" * 99, "500d6", "d1000", "1000000", "(" * 20 + "1" + ")" * 20, "1000000*1000", "d6!20"):
        assert parse(text)


def test_rolled_dice_have_reason_kept_and_term() -> None:
    """Each die has the reason of its roll, its term and whether it counts."""
    rolled = roll_recorded("d4+3d6r1!kh2[fire]", [2, 1, 3, 6, 5, 2])
    assert [(die.sides, die.face, die.kept, die.reason, die.term) for die in rolled.dice] == [
        (4, 2, True, "first", 0),
        (6, 1, False, "first", 1),
        (6, 3, True, "reroll", 1),
        (6, 6, True, "first", 1),
        (6, 5, True, "extra", 1),
        (6, 2, False, "first", 1),
    ]
    assert [(part.label, part.value) for part in rolled.parts] == [("d4", 2), ("fire", 14)]


def test_later_of_equal_dice_is_dropped() -> None:
    """A tie marks the later die as dropped, for the highest and for the lowest."""
    for text in ("2d6kh1", "2d6kl1"):
        assert [die.kept for die in roll_recorded(text, [4, 4]).dice] == [True, False]


@pytest.mark.parametrize(
    ("text", "faces", "code", "piece"),
    [
        ("2d6", [3], "dice.faces.few", "a face of a d6 as face 2, got no more faces"),
        ("2d6", [3, 4, 5], "dice.faces.many", "2 faces, got 3, with 5 as face 3"),
        ("d6", [1, 2], "dice.faces.many", "one face, got 2"),
        ("3", [1], "dice.faces.many", "no faces, got 1"),
        ("2d6", [3, 7], "dice.face", "from 1 to 6 as face 2, got 7"),
        ("d20", [0], "dice.face", "from 1 to 20 as face 1, got 0"),
        ("d6rr1", [1] * 1002, "dice.limit.rerolls", "at most 1,000 rerolls"),
    ],
    ids=["few", "many", "one too many", "none wanted", "impossible", "zero", "rerolls without end"],
)
def test_faces_that_do_not_fit_are_rejected(text: str, faces: list[int], code: str, piece: str) -> None:
    """Too few, too many or impossible faces of a replay are rejected.

    The message has the face, what was expected and what was found.
    """
    with pytest.raises(ScratchError) as refused:
        roll_recorded(text, faces)
    assert refused.value.code == code
    assert piece in refused.value.problem.message


@pytest.mark.parametrize("face", [0, 21, -1, 20.0, "20", True, None])
def test_roller_result_that_is_no_face_is_rejected(face: Any) -> None:
    """A roller's face must be a whole number from 1 to 20 (E008).

    Rule: `roll.die-substitute`.
    """
    with pytest.raises(ScratchError) as refused:
        roll_valid_face(RecordedRoller([face]), 20)
    assert (refused.value.code, refused.value.problem.rule) == ("dice.face", "roll.die-substitute")
    with pytest.raises(ScratchError):
        roll("d20+3", RecordedRoller([face]))
    with pytest.raises(ScratchError):
        check(face, (), 10)


def test_system_roller_rolls_every_face_and_no_other() -> None:
    """Thousands of rolls of a d20 show each of the faces 1 to 20 (`roll.d20`)."""
    seen = {roll_valid_face(SystemRoller(), 20) for _ in range(3_000)}  # misses a face once in 10^65 runs
    assert seen == set(range(1, 21))


def test_seeded_roller_returns_the_published_sequence() -> None:
    """Return the numbers of SplitMix64 that Rosetta Code lists for a seed.

    <https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>
    """
    roller = SeededRoller(1234567)
    assert [roller.roll(2**64) - 1 for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    again = SeededRoller(1234567)
    assert [again.roll(20) for _ in range(5)] == [18, 14, 4, 12, 2]  # the remainders, plus 1


def test_fixed_roller_without_a_face_returns_the_highest() -> None:
    """Return the given face, or else the highest of each die."""
    assert [FixedRoller(3).roll(sides) for sides in (4, 20)] == [3, 3]
    assert [FixedRoller().roll(sides) for sides in (4, 20)] == [4, 20]


def test_recorded_roller_continues_with_its_fallback() -> None:
    """Return the recorded faces first, then those of the fallback."""
    roller = RecordedRoller([5, 2], fallback=FixedRoller(1))
    assert [roller.roll(6) for _ in range(4)] == [5, 2, 1, 1]
    with pytest.raises(ScratchError) as refused:
        RecordedRoller([]).roll(6)
    assert refused.value.code == "dice.faces.few"


def craftsmanship(level: int) -> tuple[Part, ...]:
    """Return the only modifier of the rulebook's example."""
    return (Part("craftsmanship", level, "roll.modifier"),)


@pytest.mark.parametrize(
    ("face", "modifiers", "difficulty", "total", "success", "automatic"),
    [
        (12, craftsmanship(3), 15, 15, True, False),
        (11, craftsmanship(3), 15, 14, False, False),
        (1, (Part("shooting", 8, "x"), Part("weapon", 1, "x")), 10, 10, True, False),
        (20, (Part("cover", -2, "act.cover.effect"),), 25, 18, True, True),
        (19, (Part("cover", -2, "act.cover.effect"),), 18, 17, False, False),
        (1, (), 2, 1, False, False),
        (20, (), 20, 20, True, True),
    ],
    ids=[
        "E001 equality (roll.success, roll.illustrations)",
        "E002 one short (roll.failure)",
        "E005 face 1 is no failure (roll.no-auto-fail)",
        "E007 face 20 (roll.auto-success)",
        "negative modifier (roll.modifier)",
        "face 1 fails by its sum (roll.no-auto-fail)",
        "bare d20 (roll.d20)",
    ],
)
def test_check_succeeds_by_total_or_by_face_20(  # noqa: PLR0913
    *, face: int, modifiers: tuple[Part, ...], difficulty: int, total: int, success: bool, automatic: bool
) -> None:
    """A check succeeds if its total reaches the difficulty, or by face 20.

    A 1 has no special effect.
    """
    made = check(face, modifiers, difficulty)
    assert (made.total, made.is_success, made.automatic) == (total, success, automatic)
    again = require(
        roll_recorded("+".join(["d20", *(f"({part.value})" for part in modifiers)]), [face], difficulty).check
    )
    assert (again.total, again.is_success, again.automatic) == (total, success, automatic)


@pytest.mark.parametrize(
    ("text", "faces", "difficulty", "total", "automatic", "odds"),
    [
        ("(d2-1)*10+d10+3[shooting]", [2, 10], 25, 23, True, "1/20"),
        ("(d2-1)*10+d10+3[shooting]", [2, 9], 25, 22, False, "1/20"),
        ("(d2-1)*10+d10+3[shooting]", [2, 10], 13, 23, True, "11/20"),  # as d20+3 against 13
        ("(d2-1)*10+d10", [1, 10], 10, 10, False, "11/20"),
        ("(d4-1)*5+d6rr6-2[cover]", [4, 6, 5], 25, 18, True, "1/20"),
        ("-2[cover]+d6rr6+5*(d6rr>4-1)+1", [5, 5, 4], 30, 19, True, "1/20"),
        ("((d2-1)*10+d10)[face]+4", [2, 10], 30, 24, True, "1/20"),
        ("d10+10", [10], 25, 20, False, "0"),
        ("2d10", [10, 10], 25, 20, False, "0"),
        ("(d2-1)*10+d10+d4", [2, 10, 1], 25, 21, False, "0"),
        ("(d2-1)*10-d10", [2, 1], 25, 9, False, "0"),
        ("(d2-1)*10+d10+(d2-1)*10", [2, 10, 1], 35, 20, False, "0"),
        ("(d3-1)*10+d10", [3, 10], 35, 30, False, "0"),
    ],
    ids=[
        *("coin and d10, a 20", "coin and d10, a 19", "coin and d10 within reach", "a d10 alone of 10 is no 20"),
        *("d4 and d6, rolled again", "only d6s in another order", "the face labelled", "a d10 and ten", "two d10s"),
        *("with another die", "taken away", "a third die", "a third side"),
    ],
)
def test_dice_in_place_of_a_d20_count_as_one(  # noqa: PLR0913
    *, text: str, faces: list[int], difficulty: int, total: int, automatic: bool, odds: str
) -> None:
    """The dice sums of the page on rolls replace a d20 (`roll.die-substitute`).

    Their 20 always succeeds (`roll.auto-success`); other sums have no face.
    """
    made = require(roll_recorded(text, faces, difficulty).check)
    assert (made.total, made.automatic, made.is_success) == (total, automatic, automatic or total >= difficulty)
    assert chance(text, difficulty) == Fraction(odds)


@pytest.mark.parametrize("text", SUBSTITUTES)
@pytest.mark.parametrize("difficulty", [-5, 1, 11, 20, 21, 40])
def test_substitute_die_has_the_chances_of_a_d20(text: str, difficulty: int) -> None:
    """With any modifier and difficulty, the chance equals that of a d20 (`roll.die-substitute`)."""
    assert chance(f"{text}-2", difficulty) == chance("d20-2", difficulty)


@pytest.mark.parametrize(
    ("modifier", "difficulty", "face", "odds"),
    [
        (3, 15, 12, "9/20"),
        (0, 20, 20, "1/20"),
        (2, 25, 20, "1/20"),
        (3, 23, 20, "1/20"),
        (9, 10, 1, "1"),
        (9, 11, 2, "19/20"),
    ],
)
def test_beyond_reach_only_face_20_succeeds(modifier: int, difficulty: int, face: int, odds: str) -> None:
    """The lowest face that succeeds is the difficulty less the modifier (`roll.beyond-reach`).

    It is at least 1, and 20 for a difficulty beyond reach.
    """
    assert face_needed(modifier, difficulty) == face
    assert chance_of_check(modifier, difficulty) == Fraction(odds)
    assert chance(f"d20+{modifier}", difficulty) == Fraction(odds)
    assert next(made for made in range(1, 21) if check(made, craftsmanship(modifier), difficulty).is_success) == face


@pytest.mark.parametrize(
    ("text", "left"), [("d20rr<=10", range(11, 21)), ("d6rr1", range(2, 7)), ("d6rr>3", range(1, 4))]
)
def test_rerolling_until_leaves_the_other_faces_equally_likely(text: str, left: range) -> None:
    """A die that is rerolled until it has an allowed face has equal chances."""
    assert dict(compute_distribution(text).counts) == dict.fromkeys(left, 1)


def test_chance_without_difficulty_is_rejected() -> None:
    """`chance` without a difficulty is rejected, and its argument overrides the notation's difficulty."""
    assert chance("d20+3 vs 13", 24) == Fraction(1, 20)
    with pytest.raises(ScratchError, match="a difficulty to beat"):
        chance("d20")


def test_distribution_has_total_mean_and_chances() -> None:
    """2d6 by hand: mean 7, six ways in 36 to a 7."""
    counted = compute_distribution("2d6")
    assert isinstance(counted, Distribution)
    assert (counted.total, counted.mean) == (36, 7)
    assert (counted.chance_of(7), counted.chance_of(13)) == (Fraction(1, 6), 0)
    assert list(counted.list_totals_with_cumulative_ways())[-1] == (12, 1, 1)


@given(st.dictionaries(st.integers(-6, 9), st.integers(1, 4), min_size=1), st.integers(-8, 11))
@settings(max_examples=count_examples(200), deadline=None)
def test_distribution_figures_equal_those_of_listed_outcomes(ways: dict[int, int], number: int) -> None:
    """Each figure is that of the list of all outcomes, one by one."""
    outcomes = [total for total in sorted(ways) for _ in range(ways[total])]
    counted = Distribution({total: ways[total] for total in sorted(ways)}, len(outcomes))
    assert (counted.minimum, counted.maximum) == (min(outcomes), max(outcomes))
    assert counted.mean == Fraction(sum(outcomes), len(outcomes))
    assert counted.chance_of(number) == Fraction(outcomes.count(number), len(outcomes))
    assert counted.chance_at_least(number) == Fraction(sum(each >= number for each in outcomes), len(outcomes))
    listed = [(each, outcomes.count(each), sum(more >= each for more in outcomes)) for each in sorted(ways)]
    assert list(counted.list_totals_with_cumulative_ways()) == listed


def test_counts_have_no_common_divisor() -> None:
    """A number of outcomes is never larger than it must be: 0*d6 has one."""
    assert dict(compute_distribution("0*d6").counts) == {0: 1}
    assert compute_distribution("d6rr1").total == 5


BIG = {
    "100d20": (100, 2000, Fraction(1050)),
    "500d40": (500, 20_000, Fraction(10_250)),
    "100d20+100d19": (200, 3900, Fraction(1050 + 1000)),
    "100d20-100d20": (-1900, 1900, Fraction(0)),
    "100d20r1": (100, 2000, 100 * (Fraction(21, 2) + (Fraction(21, 2) - 1) / 20)),
    "100d6+50d8+25d10+12d12+d20": (188, 1414, Fraction(801)),
    "60d6!2": (60, 1080, 60 * Fraction(7, 2) * (1 + Fraction(1, 6) + Fraction(1, 36))),
    "1000000*d6+d6": (1_000_001, 6_000_006, Fraction(7, 2) * 1_000_001),
    "20d6kh10+20d6kl10": (20, 120, Fraction(70)),
    "40d6kh20+60d6": (80, 480, None),
    "100d20*2+50d20": (250, 5000, Fraction(2 * 1050 + 525)),
    "100d20*2-(50d20+1)*2": (200 - 2002, 4000 - 102, Fraction(2100 - 1052)),
    "100d20!": (100, 12_000, 1050 * sum(Fraction(1, 20) ** extra for extra in range(6))),
    "50d20*2+20d20+1000000*d6": (1_000_120, 6_002_400, Fraction(7, 2) * 1_000_000 + 1260),
}


@pytest.mark.parametrize("text", BIG)
def test_many_dice_are_counted_exactly(text: str) -> None:
    """The minimum, maximum and mean of many dice are those of theory.

    The counts sum to the number of all outcomes.
    """
    low, high, mean = BIG[text]
    counted = compute_distribution(text)
    assert (counted.minimum, counted.maximum) == (low, high)
    assert mean is None or counted.mean == mean
    assert sum(counted.counts.values()) == counted.total


@pytest.mark.parametrize(
    ("kept", "dropped", "both"),
    [
        ("100d20kh50", "100d20dh50", "100d20"),
        ("100d20kh30", "100d20dh30", "100d20"),
        ("100d6dl1", "100d6kl1", "100d6"),
        ("500d6dl2", "500d6kl2", "500d6"),
        ("200d20kh100", "200d20dh100", "200d20"),
        ("60d20r<3kh45", "60d20r<3kl15", "60d20r<3"),
        ("20d6!kh7", "20d6!dh7", "20d6!"),
    ],
)
def test_means_of_kept_and_dropped_dice_sum_to_the_whole(kept: str, dropped: str, both: str) -> None:
    """The means of the kept and of the dropped dice sum to the whole mean."""
    assert compute_distribution(kept).mean + compute_distribution(dropped).mean == compute_distribution(both).mean


@pytest.mark.parametrize("ways", [[0, 1, 1, 1, 1, 1, 1], [0, 1, 5, 5, 5], [3, 0, 0, 2, 4, 0, 1], [0, 0, 7, 7]], ids=str)
@pytest.mark.parametrize(("count", "kept"), [(2, 1), (7, 1), (7, 2), (9, 5), (16, 8), (16, 15), (20, 13)])
def test_sums_of_the_best_dice_equal_a_table_of_states(ways: list[int], count: int, kept: int) -> None:
    """Values without ways, and steps between values, change nothing."""
    assert count_kept_sums(ways, count, kept, True, WorkBudget()) == plain_best(ways, count, kept)


def plain_best(ways: list[int], count: int, kept: int) -> dict[int, int]:
    """Count the sums of the best dice, value by value from the highest.

    A state is the number of dice counted so far and the sum of those that are kept.
    """
    states = Counter({(0, 0): 1})
    for value in reversed(range(len(ways))):
        after: Counter[tuple[int, int]] = Counter()
        for (up, total), number in states.items():
            for more in range(count - up + 1):
                ways_up = _binomial(count - up, more) * ways[value] ** more
                after[up + more, total + value * min(more, max(0, kept - up))] += number * ways_up
        states = after
    return {total: number for (up, total), number in states.items() if up == count and number}


def test_20d20kh10_is_counted_exactly() -> None:
    """The highest and lowest ten of 20d20 have the mean of 20d20, 210.

    The chance of ten 20s is the binomial's tail.
    """
    best, worst = compute_distribution("20d20kh10"), compute_distribution("20d20kl10")
    assert best.mean + worst.mean == 210
    tail = sum(_binomial(20, ones) * 19 ** (20 - ones) for ones in range(10, 21))
    assert best.chance_of(200) == Fraction(tail, 20**20)


def _binomial(many: int, few: int) -> int:
    ways = 1
    for place in range(few):
        ways = ways * (many - place) // (place + 1)
    return ways


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("500d1000", "dice.limit.outcomes"),
        ("d1000!20", "dice.limit.outcomes"),
        ("1000*d1000+d1000", "dice.limit.outcomes"),
        ("d1000*d1000*d1000", "dice.limit.outcomes"),
        ("500d1000kh250", "dice.limit.outcomes"),
        ("500d20kh250", "dice.limit.work"),
        ("500d20dl1", "dice.limit.work"),
        ("250d40+250d39", "dice.limit.work"),
        ("500d900!20kh1", "dice.limit.digits"),
        ("100d20*100d20", "dice.limit.work"),
        ("+".join(["10d20kh5*10d20kh5"] * 11), "dice.limit.work"),
    ],
)
def test_distribution_beyond_limits_is_rejected_at_once(text: str, code: str) -> None:
    """A distribution with too many totals, digits or steps is rejected at once.

    The same expression can be rolled.
    """
    with limit_time():
        with pytest.raises(ScratchError) as refused:
            compute_distribution(text)
        rolled = roll(text, SystemRoller())
    assert refused.value.code == code
    assert roll_recorded(text, rolled.faces) == rolled


GREATEST = [
    "100d20", "20d20kh10", "500d40", "40d100!3", "500d20kh10", "10d1000kh2", "60d20kh30", "100d20kh50", "100d20!",
    "100d20kl50", "100d6dl1", "200d20dl1", "200d20kh100", "500d6kh250", "500d6!", "100d20*2+50d20",
    "100d20+100d12kh50", "50d100kh25", "300d20kh150",
]  # fmt: skip


@pytest.mark.parametrize("text", GREATEST)
def test_largest_accepted_distributions_are_computed_in_time(text: str) -> None:
    """The largest accepted distributions are computed well within a second."""
    with limit_time():
        compute_distribution(text)


def test_add_number_adds_a_labelled_part() -> None:
    """A bonus is a part of its own, and the d20 rules still apply (`roll.modifier`)."""
    for value, total in ((4, 12), (-4, 4), (0, 8)):
        rolled = roll_recorded(add_number(parse("d20+1"), value, "stealth"), [7])
        assert (rolled.total, rolled.parts[-1]) == (total, Part("stealth", value, "roll.modifier"))
    assert chance(add_number(parse("d20"), -2, "cover"), 25) == Fraction(1, 20)


def refusal(ask: Callable[[str], Any], text: str) -> str:
    """Return the code of the error that a text causes, or "" without one.

    Returns "a flood" if the error's message is too long.
    """
    try:
        ask(text)
    except ScratchError as refused:
        return refused.code if 0 < len(str(refused)) < 300 else "a flood"
    return ""


POOLS = st.builds(
    lambda count, sides, reroll, explode, keep, number: (
        f"{count}d{sides}{reroll}{explode}"
        + (f"{keep}{min(number, count - (keep[0] == 'd'))}" if keep and count > 1 else "")
    ),
    st.integers(1, 60),
    st.integers(2, 30) | st.just(20) | st.just(1000),
    st.sampled_from(["", "", "r1", "rr1", "r<3", "r>=2"]),
    st.sampled_from(["", "", "!", "!1", "!20"]),
    st.sampled_from(["", "", "kh", "kl", "dh", "dl"]),
    st.integers(1, 60),
)
EXPRESSIONS = st.recursive(
    POOLS | st.integers(0, 50).map(str),
    lambda inner: st.builds(
        lambda one, sign, other: f"({one}){sign}({other})", inner, st.sampled_from("+-*"), inner
    ) | inner.map(lambda one: f"-({one})[part]"),
    max_leaves=5,
)  # fmt: skip


@pytest.mark.no_cover
@settings(max_examples=count_examples(150), deadline=None)
@given(EXPRESSIONS)
def test_roll_replays_from_faces_and_total_is_in_distribution(text: str) -> None:
    """Any expression can be rolled, printed and replayed from its faces.

    Its distribution contains the total.
    """
    with limit_time():
        if code := refusal(parse, text):
            assert code.startswith("dice.")
            return
        expression = parse(text)
        rolled = roll(expression, SystemRoller())
        assert roll_recorded(text, rolled.faces) == rolled
        assert roll_recorded(str(expression), rolled.faces).total == rolled.total
        assert parse(str(expression)).root == expression.root
        if code := refusal(compute_distribution, text):
            assert code.startswith("dice.limit.")
        else:
            assert rolled.total in compute_distribution(expression).counts


@settings(max_examples=count_examples(300), deadline=None)
@given(st.text(st.sampled_from("0123456789dDrkhlv!%()[]<>=+-*× ax\n🎲"), max_size=40) | st.text(max_size=300))
def test_parsing_any_text_ends_quickly(text: str) -> None:
    """Any text is an expression or is rejected at once, with a short sentence."""
    with limit_time():
        code = refusal(compute_distribution, text)
        assert not code or code.startswith("dice.")


def test_equal_expressions_have_equal_distributions() -> None:
    """Keep highest and drop lowest are the same, and so are other synonyms.

    The distribution of the lowest dice mirrors that of the highest.
    """
    for one, other in (("4d6kh3", "4d6dl1"), ("4d6kl1", "4d6dh3"), ("2d6", "d6+d6"), ("5d6kh5", "5d6"), ("d100", "d%")):
        assert compute_distribution(one) == compute_distribution(other)
    best, worst = compute_distribution("5d8kh2"), compute_distribution("5d8kl2")
    assert {18 - total: ways for total, ways in worst.counts.items()} == dict(best.counts)


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("d20+(-3)[x]", [("d20", 7), ("x", -3)]),
        ("(-3)[x]+d20", [("x", -3), ("d20", 7)]),
        ("d20-(-3)[x]", [("d20", 7), ("x", 3)]),
        ("d20-(2-5)[x]", [("d20", 7), ("x", 3)]),
        ("-(d20)[x]", [("x", -7)]),
        ("-(-(d20[x]))", [("x", 7)]),
    ],
)
def test_label_is_preserved_with_any_sign(expression: str, parts: list[tuple[str, int]]) -> None:
    """A label names its part with any sign inside and outside the brackets (`roll.modifier`)."""
    rolled = roll(expression, RecordedRoller((7,)))
    assert [(part.label, part.value) for part in rolled.parts] == parts


LOOK_ALIKES = {
    "full-width digits": ("２d６＋１", "2d6+1"),
    "a minus": ("2d6−1", "2d6-1"),
    "an en dash": ("2d6–1", "2d6-1"),
    "the German letter": ("W20 + 3", "d20+3"),
    "the German letter in a pool": ("2w6 vs 9", "2d6 vs 9"),
    "thin spaces": ("d20\u2009+\u202f3", "d20+3"),
    "an ideographic space": ("d20\u3000+ 3", "d20+3"),
    "zero-width signs": ("d\u200b20\u2060+\ufeff3", "d20+3"),
    "a soft hyphen": ("d20\u00ad+3", "d20+3"),
    "a mathematical letter": ("\U0001d41d20", "d20"),
    "a label stays": ("d20+3[½ ﬁre]", "d20+3[½ ﬁre]"),
}


@pytest.mark.parametrize(("text", "plain"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_parse_of_look_alikes_reads_plain_notation(text: str, plain: str) -> None:
    """Look-alike signs of phones, chats and other languages are read as plain notation."""
    assert str(parse(text)) == plain


WORDS = {
    "damage": ("2d6 damage", "got 'damage' at character 5"),
    "a sentence": ("roll 2 dice", "got 'roll' at character 1"),
    "without a space": ("2d6damage", "got 'damage' at character 4"),
    "dice": ("2 dice", "got 'dice' at character 3"),
    "a word of a letter that is notation": ("2d6 dr", "got 'dr' at character 5"),
    "a place that has moved": ("d\u200b20 damage", "got 'damage' in"),
    "a limit at a place that has moved": ("d\u200b20+2d6kh9", "got kh9 in"),
    "a number that is no digit": ("d20²", "got '²' at character 4"),
}


@pytest.mark.parametrize(("text", "piece"), WORDS.values(), ids=WORDS)
def test_parse_of_words_quotes_the_whole_word(text: str, piece: str) -> None:
    """A parse error quotes the whole word as typed.

    It has the word's place unless normalization has moved it.
    """
    with pytest.raises(ScratchError, match=re.escape(piece)):
        parse(text)


@pytest.mark.parametrize("text", ["12,4,", "12 4.", "12;4;", "１２ ４", "12.4 ,", "12\u200b,\u00a04"])
def test_read_faces_of_pasted_digits_reads_them(text: str) -> None:
    """Look-alikes and a sign after the last face do no harm."""
    assert parse_faces(text) == (12, 4)


@pytest.mark.parametrize(
    ("text", "number"), [("–2", -2), ("１３", 13), ("13.", 13), ("\u200e+4", 4), ("\u00a07,", 7), ("−1", -1)]
)
def test_read_number_of_look_alikes_reads_it(text: str, number: int) -> None:
    """A difficulty or a level means what it looks like."""
    assert parse_number(text, "against", "a difficulty") == number
