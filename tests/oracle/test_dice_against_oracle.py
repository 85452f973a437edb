"""Comparison of the engine's dice with the oracle's, on named expressions and thousands of random ones."""

from fractions import Fraction
from random import Random

import pytest

from scratch_core import dice
from scratch_core.errors import ScratchError
from tests.oracle import dice_oracle as oracle
from tests.oracle import expressions
from tests.support.known import require
from tests.support.sample_counts import count_examples

BATCHES, BATCH = 21, count_examples(100)  # 2,100 expressions

NAMED = [
    "d20",
    "d20+3",
    "2d6+1d4-1",
    "4d6kh3",
    "4d6kl3",
    "4d6dh1",
    "4d6dl",
    "d%",
    "(d2-1)*10+d10",
    "(d2-1)*10+d10+3[shooting]",
    "-d20",
    "-(-1)",
    "2d20kh",
    "2d20kl1+5",
    "3d20dl2",
    "d20+d20",
    "2d20",
    "d20+2d20kh1",
    "d20*2",
    "d20*d4",
    "(d20+d4)*2",
    "(d20+1)*(d4+1)",
    "(d20+1)*(2-1)",
    "-(d20)-5",
    "d20r1",
    "d20r20",
    "d20rr20+1",
    "d20rr<=10",
    "2d20r<10kh1",
    "d20!",
    "d20!2+1",
    "2d20!1kl1",
    "d6!",
    "d2!20",
    "3d4!2kh2",
    "3d4r1!2kl2",
    "5d3r<3!1dh2",
    "d6r>6",
    "d6r<=6",
    "2d6rr=3",
    "d6!1",
    "d1r1",
    "d100-d100",
    "d20 [sword] + 3 [skill, 2d6]",
    "2D6KH1 × 3 − 1",
    "0*d6",
    "1000000-1",
    "2*3*4-5*(6-7)",
    "3d6kl2",
    "3d4dh1",
    "4d4dl2",
    "d6r1",
    "d4!2",
    "2d3!1kh1",
    "d6r1!1",
    "2d4r>2kl1",
    "d4*d6",
    "2*(d6+1)-d4",
    "-d4",
    "d4-d4",
    "d6*0+2",
    "7",
    "d1",
    "d6-2*d4",
    "(d4+1)*(d4-2)",
    "d2!3",
    "5d2kh2",
    "3d6kl1+2d2",
    "2d20kh1",
    "100*d4+d4",
    "(2d4+1)[ice]*2-d6",
    "3*(d4-2d3kh1)",
    "-2*(d4+d6)-(-3)*d3",
    "2*d1*d2+d4",
    "0*(d4+d6)+d2",
    "5*(d2+(d3+1)[fire])",
    "2d20kh1+1",
    "2d20kl1",
    "d20!1",
    "d20+d4",
]


def random_faces(random: Random, text: str) -> oracle.Played:
    """Roll an expression in the oracle.

    Highest faces and ties are more frequent than with fair dice.
    """
    tilt = random.random()
    return oracle.play(text, lambda sides: sides if random.random() < tilt / 3 else random.randint(1, sides))


def compare(text: str, random: Random) -> None:
    """Compare everything the engine says about an expression with the oracle."""
    counts = oracle.distribution(text)
    seen = dice.compute_distribution(text)
    assert dict(seen.counts) == counts, text
    assert list(seen.counts) == list(counts), f"{text}: the totals rise"
    assert seen.total == sum(counts.values()), text

    lowest, highest = min(counts), max(counts)
    for against in {random.randint(lowest - 2, highest + 2), highest + 1, 0}:
        expected = oracle.chance(text, against)
        assert dice.chance(text, against) == expected, (text, against)
        plain = Fraction(sum(n for total, n in counts.items() if total >= against), sum(counts.values()))
        assert seen.chance_at_least(against) == plain, (text, against)
        assert expected >= plain
    compare_replay(text, random)


def compare_replay(text: str, random: Random) -> None:
    """Replay a roll in both and compare total, parts, kept faces and success.

    Both refuse faces that don't fit.
    """
    played = random_faces(random, text)
    against = played.total + random.choice((-1, 0, 1, 1, 50))
    rolled = dice.roll_recorded(text, played.faces, against)
    assert rolled.total == played.total, (text, played)
    assert rolled.faces == played.faces, (text, played)
    assert require(rolled.check).is_success == played.is_success(against), (text, played, against)
    counted = [
        die.is_kept and place >= first_standing(die)  # a face that is rolled again never counts
        for die in played.dice
        for place in range(len(die.faces))
    ]
    assert [die.kept for die in rolled.dice] == counted, (text, played)
    assert [die.sides for die in rolled.dice] == [die.sides for die in played.dice for _ in die.faces]
    assert sum(part.value for part in rolled.parts) == played.total

    if played.faces:
        refuse_faces(text, played.faces[:-1])
        refuse_faces(text, (*played.faces, 1))
        place = random.randrange(len(played.faces))
        for wrong in (0, -1, 1001):
            refuse_faces(text, (*played.faces[:place], wrong, *played.faces[place + 1 :]))


def first_standing(die: oracle.Die) -> int:
    """Return the place, among a die's faces, of the face that remains.

    Its extra dice make up the rest of its value.
    """
    for place in range(len(die.faces)):
        if die.faces[place] == die.face and sum(die.faces[place:]) == die.value:
            return place
    raise AssertionError(die)


def refuse_faces(text: str, faces: tuple[int, ...]) -> None:
    """Check that both refuse these faces."""
    with pytest.raises(oracle.Refused):
        oracle.replay(text, faces)
    with pytest.raises(ScratchError) as caught:
        dice.roll_recorded(text, faces)
    assert caught.value.code.startswith("dice.face"), (text, faces, caught.value.code)


@pytest.mark.no_cover
@pytest.mark.parametrize("text", NAMED)
def test_named_expressions_agree_with_the_oracle(text: str) -> None:
    """Distribution, chances and replays of each kind of notation agree: `roll.success`, `roll.auto-success`."""
    random = Random(text)
    for _ in range(10):
        compare(text, random)


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_expressions_agree_with_the_oracle(batch: int) -> None:
    """Distribution, chances and replays of random expressions agree (`roll.success`, `roll.auto-success`)."""
    random = Random(batch)
    for _ in range(BATCH):
        compare(expressions.expression(random), random)


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(4))
def test_difficulty_in_the_notation_equals_one_from_outside(batch: int) -> None:
    """`vs N` is the same check as a difficulty from outside (`roll.success`, `roll.failure`)."""
    random = Random(5000 + batch)
    for _ in range(50):
        text = expressions.expression(random)
        played = random_faces(random, text)
        against = max(0, played.total + random.choice((-1, 0, 1)))
        named = f"{text} vs {against}"
        assert oracle.parse(named)[1] == against == dice.parse(named).difficulty
        assert dice.chance(named) == oracle.chance(text, against), named
        rolled = dice.roll_recorded(named, played.faces)
        assert require(rolled.check).is_success == played.is_success(against), (named, played)


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(8))
def test_garbled_notation_is_accepted_or_refused_alike(batch: int) -> None:
    """With a wrong character the engine refuses what the grammar refuses.

    It parses the rest as the oracle does.
    """
    random = Random(7000 + batch)
    refused = accepted = 0
    while refused + accepted < 400:
        text = expressions.garbled(random, expressions.expression(random))
        try:
            oracle.parse(text)
        except oracle.Refused:
            refused += 1
            with pytest.raises(ScratchError) as caught:
                dice.parse(text)
            assert caught.value.code.startswith("dice."), (text, caught.value.code)
            assert len(str(caught.value)) <= 400, text
        else:
            accepted += 1
            try:
                dice.parse(text)
            except ScratchError as error:
                pytest.fail(f"refused {text!r}: {error}")
            played = random_faces(random, text)
            assert dice.roll_recorded(text, played.faces).total == played.total, text
    assert refused > 50
    assert accepted > 50


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("text", "against", "expected"),
    [
        ("d20+3", 13, Fraction(11, 20)),  # faces 10 to 20
        ("(d20+1)*2", 43, Fraction(1, 20)),  # a d20 multiplied with a number keeps its 20
        ("d20*d4", 81, Fraction(0)),  # one multiplied with other dice does not
        ("(d2-1)*10+d10", 11, Fraction(1, 2)),
        ("7", 7, Fraction(1)),
        ("7", 8, Fraction(0)),
        ("d20+3", 13 + 20, Fraction(1, 20)),  # roll.beyond-reach: only face 20
        ("d20+3", 4, Fraction(1)),  # roll.no-auto-fail: face 1 makes 4
        ("2d6", 7, Fraction(21, 36)),
        ("2d20kh1", 20, Fraction(39, 400)),
        ("2d20kl1", 30, Fraction(1, 400)),
        ("d20+d20", 41, Fraction(0)),  # two d20: no face succeeds by itself
        ("4d6kh3", 18, Fraction(21, 1296)),  # 1 + 4 * 5 ways to have three sixes
        ("d20rr20", 20, Fraction(0)),
        ("d20r1", 2, 1 - Fraction(1, 400)),
        ("d6!1", 7, Fraction(1, 6)),
    ],
)
def test_oracle_chances_equal_those_counted_by_hand(text: str, against: int, expected: Fraction) -> None:
    """The oracle's chances are those counted by hand (`roll.auto-success`, `roll.beyond-reach`)."""
    assert oracle.chance(text, against) == expected
    assert dice.chance(text, against) == expected


LEVELS = range(-4, 31)


@pytest.mark.no_cover
def test_every_d20_check_equals_a_count_of_faces() -> None:
    """Chance and needed face of each check equal a count of twenty faces.

    Each modifier is tried against each difficulty. Rules: `roll.d20`, `roll.modifier`, `roll.success`, `roll.failure`,
    `roll.auto-success`, `roll.no-auto-fail`, `roll.beyond-reach`.
    """
    for modifier in LEVELS:
        for difficulty in range(-5, 56):
            good = [face for face in range(1, 21) if face == 20 or face + modifier >= difficulty]
            assert dice.chance_of_check(modifier, difficulty) == Fraction(len(good), 20), (modifier, difficulty)
            assert dice.face_needed(modifier, difficulty) == min(good), (modifier, difficulty)
