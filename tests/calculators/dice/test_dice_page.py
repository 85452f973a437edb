"""The dice calculator: a query in, a view out, and the page made of it."""

from fractions import Fraction
from typing import Any
from urllib.parse import quote

import pytest

from scratch_core.calculators.dice import view
from scratch_core.calculators.dice.chart import format_percent
from scratch_core.calculators.shared.query import parse_query
from scratch_core.dice import FixedRoller, RecordedRoller, SystemRoller
from tests.support.known import require


def page(query: str, roller: Any = None) -> Any:
    """The calculator's markup, parsed."""
    jinja2 = pytest.importorskip("jinja2")
    bs4 = pytest.importorskip("bs4")
    from build_scripts.render import TEMPLATES, build_environment

    template = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("dice.html")
    seen = view(parse_query(query), roller)
    return bs4.BeautifulSoup(template.render(view=seen, uid="c1"), "html.parser")


def test_dice_are_rolled_only_with_a_roller() -> None:
    """Without faces and a roller the view has a chance but no roll.

    With a roller it rolls the dice.
    """
    quiet = view(parse_query("roll=d20+3&against=13"), None)
    assert (quiet.roll_result, quiet.chance) == (None, Fraction(11, 20))
    assert quiet.summary == "d20+3 against 13: chance 55%."
    rolled = view(parse_query("roll=d20+3&against=13"), RecordedRoller([4]))
    assert require(rolled.roll_result).total == 7
    assert rolled.query == "roll=d20%2B3&against=13&faces=4"
    assert rolled.fields["faces"] == ""


def test_button_for_typed_rolls_rolls_no_dice() -> None:
    """An empty field is a problem."""
    seen = view(parse_query("roll=2d6&own=1"), RecordedRoller([4, 5]))
    assert seen.roll_result is None
    assert [(each.where, each.code) for each in seen.problems] == [("faces", "dice.faces.few")]
    typed = view(parse_query("roll=2d6&own=1&faces=2,3"), RecordedRoller([]))
    assert require(typed.roll_result).total == 5
    assert "own=" not in typed.query


def test_dice_query_reopens_its_answer() -> None:
    """A roll's own query gives the same dice, sum and check again."""
    for text in ("roll=4d6r1!kh3[fire]+2&bonus=-1", "roll=2d20kl1+vs+9", "against=12&bonus=3", "roll=d20 + 3 vs 4"):
        rolled = view(parse_query(text), SystemRoller())
        again = view(parse_query(rolled.query), None)
        assert rolled.roll_result is not None
        assert (again.roll_result, again.chance, again.query) == (rolled.roll_result, rolled.chance, rolled.query)


@pytest.mark.parametrize(
    ("query", "notation"),
    [
        ("roll=d20+3", "d20+3"),
        ("roll=d20%2B3", "d20+3"),
        ("roll=4d6+kh3", "4d6kh3"),
        ("roll=d20+vs+13", "d20"),
        ("roll=d6&roll=d8", "d8"),
        ("roll=d20&bonus=4", "d20+4[bonus]"),
        ("roll=d20&bonus=-4", "d20-4[bonus]"),
        ("bonus=4&against=11", "d20+4[bonus]"),
        ("", ""),
    ],
)
def test_roll_text_with_plus_sign_is_parsed(query: str, notation: str) -> None:
    """A plus sign is arithmetic where that is valid, and a form's space elsewhere.

    Of repeated values the last one counts.
    """
    seen = view(parse_query(query), None)
    assert (seen.notation, seen.problems) == (notation, ())


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("roll=", "roll", "dice.empty"),
        ("roll=hello", "roll", "dice.notation"),
        ("roll=%zz", "roll", "dice.notation"),
        ("roll=1d1!", "roll", "dice.explode.one-side"),
        ("roll=999999999d999999999", "roll", "dice.limit.dice"),
        ("roll=500d1000", "roll", "dice.limit.outcomes"),
        ("roll=d20&against=abc", "against", "dice.entry"),
        ("roll=d20&against=1" + "0" * 30, "against", "dice.entry"),
        ("roll=d20&against=🎲", "against", "dice.entry"),
        ("roll=d20+vs+12&against=13", "against", "dice.difficulty-twice"),
        ("roll=d20&bonus=lots", "bonus", "dice.entry"),
        ("roll=1000*1000000&bonus=1", "bonus", "dice.limit.total"),
        ("roll=d20&faces=x", "faces", "dice.faces.unread"),
        ("roll=d20&faces=21", "faces", "dice.face"),
        ("roll=d20&faces=1,2", "faces", "dice.faces.many"),
        ("roll=2d20&faces=1", "faces", "dice.faces.few"),
        ("roll=hello&faces=x", "faces", "dice.faces.unread"),
        ("roll=d20&faces=1&roll=" + "9" * 30_000, "roll", "query.limit"),
    ],
)
def test_dice_problem_names_its_field(query: str, field: str, code: str) -> None:
    """Each invalid input is a problem of its own control, and the input is preserved."""
    seen = view(parse_query(query), SystemRoller())
    assert (field, code) in [(problem.where, problem.code) for problem in seen.problems]
    assert all(len(problem.message) < 300 for problem in seen.problems)


def test_other_parts_are_answered_despite_a_problem() -> None:
    """An invalid difficulty does not prevent the roll, nor an invalid face the chance."""
    rolled = view(parse_query("roll=d20&against=abc"), RecordedRoller([9]))
    assert rolled.roll_result is not None
    assert rolled.chance is None
    assert rolled.fields["against"] == "abc"
    rolled = view(parse_query("roll=d20&against=11&faces=99"), SystemRoller())
    assert rolled.roll_result is None
    assert rolled.chance == Fraction(1, 2)
    huge = view(parse_query("roll=500d1000&against=9"), SystemRoller())
    assert huge.roll_result is not None
    assert huge.chart is None
    assert [problem.severity for problem in huge.problems] == ["advice"]


def test_roller_with_invalid_face_is_reported_at_the_roll() -> None:
    """A roller's face outside the die is rejected (`roll.die-substitute`)."""
    seen = view(parse_query("roll=d20"), FixedRoller(21))
    assert [(problem.where, problem.rule) for problem in seen.problems] == [("roll", "roll.die-substitute")]


def test_roll_beyond_reach_says_that_only_20_succeeds() -> None:
    """The view says if only a 20 succeeds.

    Rule `roll.beyond-reach`: it does not say so for other rolls with the same chance.
    """
    assert view(parse_query("roll=d20+2&against=25"), None).is_only_face_20
    assert not view(parse_query("roll=d20+2&against=21"), None).is_only_face_20
    assert not view(parse_query("roll=20d20kh1&against=25"), None).is_only_face_20


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ("0", "0%"),
        ("1", "100%"),
        ("11/20", "55%"),
        ("1/3", "33.33%"),
        ("1/8", "12.5%"),
        ("1/1000000", "less than 0.01%"),
        ("999999/1000000", "more than 99.99%"),
        ("1/20000", "0.01%"),
    ],
)
def test_format_percent_rounds_to_two_decimals(share: str, words: str) -> None:
    """Two decimals, half up, and never 0 or 100 for what is neither."""
    assert format_percent(Fraction(share)) == words


@pytest.mark.parametrize("roll", ["100d20", "d100", "1000000*d6", "500d40", "d6-d1000", "7", "5*d20-60"])
def test_chart_has_at_most_sixty_rows_and_all_totals(roll: str) -> None:
    """A chart has at most sixty rows, from the lowest to the highest total."""
    chart = require(view(parse_query(f"roll={roll}"), None).chart)
    assert len(chart.rows) <= 60
    assert chart.rows[0].at_least_percent == "100%"
    assert max(row.height for row in chart.rows) == 100
    assert chart.rows[0].label.split(" ")[0] == str(chart.minimum)
    assert chart.rows[-1].label.split(" ")[-1] == str(chart.maximum)


def test_chart_row_is_success_only_if_all_its_totals_are() -> None:
    """The row that contains the difficulty is not a success, but the next ones are."""
    chart = require(view(parse_query("roll=100d20&against=1051"), None).chart)
    split = [row for row in chart.rows if not row.is_success and int(row.label.split(" ")[-1]) >= 1051]
    assert [int(row.label.split(" ")[0]) < 1051 for row in split] == [True]
    assert all(int(row.label.split(" ")[0]) >= 1051 for row in chart.rows if row.is_success)


@pytest.mark.parametrize(
    ("roll", "against", "least", "fell"),
    [
        ("d20%2B3", 13, 10, "rolled 10"),  # 10 + 3
        ("d20-2[cover]", 30, 20, "rolled 10"),  # only the 20, roll.auto-success
        ("d20%2B9", 3, 1, "rolled 10"),
        ("10-d20", 3, 0, ""),  # 1 to 7, and the 20
        ("2d20kh1", 13, 0, ""),
        ("d12", 5, 0, ""),
    ],
)
def test_check_of_one_d20_draws_its_twenty_faces(roll: str, against: int, least: int, fell: str) -> None:
    """A check of one d20 labels the successful faces and the rolled face.

    Other rolls have no such strip.
    """
    query = f"roll={roll}&against={against}&faces=10"
    assert view(parse_query(query), None).lowest_success_face == least
    labels = [str(each["aria-label"]) for each in page(query).select("svg.strip")]
    assert bool(labels) == bool(least)
    assert all(
        each.endswith(fell) and f"roll{'' if least == 20 else 's'} of {least}" in each.lower() for each in labels
    )


def test_preset_roll_shows_only_its_button() -> None:
    """A preset roll has one button, with the page's label, and a link.

    The link opens the roll for editing.
    """
    query = "roll=d20%2B1[craftsmanship]&against=12&example=13&preset=Roll for Tolk"
    soup = page(query)
    assert [each.text for each in soup.select("button")] == ["Roll for Tolk"]
    assert {each["name"]: each["value"] for each in soup.select("input")} == {
        "roll": "d20+1[craftsmanship]",
        "against": "12",
        "preset": "Roll for Tolk",
    }
    assert [each["href"] for each in soup.select("a[data-share]")] == [
        "?roll=d20%2B1%5Bcraftsmanship%5D&against=12&faces=13"
    ]
    assert not soup.select("form[data-history]")
    assert page(query.replace("d20", "hello")).select("[data-problem]")
    assert page(query.replace("d20", "hello")).select("[name=roll]")[0]["type"] == "text"


@pytest.mark.parametrize("typed", ["6 4", "6, 4", "6.4", "6;4"])
def test_typed_faces_are_split_at_any_separator(typed: str) -> None:
    """Spaces, commas, points and semicolons separate the faces of own rolls."""
    answered = view(parse_query(f"roll=2d6%2B1&faces={quote(typed)}"), None)
    assert (require(answered.roll_result).faces, answered.problems) == ((6, 4), ())


def test_example_faces_are_valid_for_the_roll() -> None:
    """The example of faces is accepted for the dice of the roll."""
    for roll in ("d20", "2d6+1", "3d4", "4d6kh3"):
        hint = view(parse_query(f"roll={quote(roll)}"), None).typed_faces_example
        assert view(parse_query(f"roll={quote(roll)}&faces={quote(hint)}"), None).problems == (), roll


def test_clear_keeps_the_difficulty() -> None:
    """The key *clear* removes the dice and the bonus, but not the difficulty."""
    answered = view(parse_query("roll=d20&against=13&bonus=2&keys=clear;d6"), None)
    assert (answered.notation, answered.difficulty) == ("d6", 13)
    assert "bonus" in answered.updated_fields
    assert "against" not in answered.updated_fields


@pytest.mark.parametrize(
    ("query", "least", "title"),
    [
        ("roll=d20&against=13&faces=18", 13, "18 against 13: a success"),
        ("roll=d20%2B3-1&against=13&faces=10", 11, "12 against 13: a failure"),
        ("roll=d20&against=1&faces=1", 1, "1 against 1: a success"),
        ("roll=d20&against=-4", 1, ""),
        ("roll=d20&against=30&faces=20", 20, "20 against 30: a success"),
        ("roll=d20&faces=7", 0, "7 with d20"),
        ("roll=10-d20&against=5", 0, ""),
        ("roll=d20*2&against=13", 7, ""),
        ("roll=2d20kh1&against=13", 0, ""),
        ("roll=2d6&against=7", 0, ""),
    ],
)
def test_dice_view_has_lowest_success_face_and_title(query: str, least: int, title: str) -> None:
    """A roll of one d20 has its lowest successful face, and each roll a title.

    Rule `roll.auto-success`: that face is 20 at most.
    """
    seen = view(parse_query(query), None)
    assert (seen.lowest_success_face, seen.title) == (least, title)


def test_roll_of_a_share_link_is_marked_once() -> None:
    """The answer's query has no mark, so that a reload does not repeat it."""
    answer = view(parse_query("roll=d20&against=13&faces=10&sent=1"), None)
    assert "Someone sent you this roll." in page("roll=d20&against=13&faces=10&sent=1").text
    assert "sent" not in parse_query(answer.query)
    assert "Someone sent" not in page(answer.query).text
    assert "Someone sent" not in page("roll=d20&against=13&sent=1").text


def test_share_link_of_a_roll_has_the_mark() -> None:
    """The link of a roll without a result has not."""
    rolled, planned = page("roll=d20&faces=10"), page("roll=d20")
    assert rolled.select_one("a[data-share]")["href"] == "?roll=d20&faces=10&sent=1"
    assert rolled.select_one("button[data-share]")["data-share"] == "#?roll=d20&faces=10&sent=1"
    assert planned.select_one("a[data-share]")["href"] == "?roll=d20"
