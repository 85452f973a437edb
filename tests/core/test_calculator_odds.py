"""The odds calculator: a query in, a view out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from build_scripts.calculator_html import render
from build_scripts.folders import DOCS
from scratch_core.calculators import odds
from scratch_core.calculators.odds import LINK_LIMIT, Answer, how_often, pairs, view, working
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.calculators.slices import Slices
from scratch_core.cast import find
from scratch_core.odds import Duel

BRAWLER = "Brawler\n4 fighting\n4 toughness"
TWINS = {"first_sheet": BRAWLER, "second_sheet": BRAWLER}


def seen(**fields: str) -> odds.View:
    """The view of some controls."""
    return view(parse_query(query_string(fields)))


def answered(**fields: str) -> Answer:
    """The answer to some controls, which hold nothing wrong."""
    found = seen(**fields)
    assert found.problems == ()
    assert found.answer is not None
    return found.answer


def figures(answer: Answer) -> dict[str, tuple[str, str, str]]:
    """The chances in words by who begins: the first, the second, nobody."""
    return {row.order: (row.first, row.second, row.nobody) for row in answer.rows}


def test_a_mirror_has_the_figures_of_the_command() -> None:
    """Brawler against Brawler: 0.6359722974 for whoever goes first, as `python -m scratch_core odds` tells."""
    answer = answered(**TWINS)
    assert (answer.first, answer.second) == ("Brawler", "Brawler 2")
    found = figures(answer)
    assert found["first"][0] == found["second"][1] == "63.6%"
    assert found["first"][1:] == (found["second"][0], found["second"][2])
    assert found["initiative"][0] == found["initiative"][1]
    opening = answer.rows[0].acts[0]
    assert (opening.who, opening.rule, opening.percent) == ("Brawler", "act.engage", "63.6%")


def test_an_escape_may_be_lost() -> None:
    """With `escape=loss` nobody is left over: 0.7948105224 and the rest, as the command tells."""
    answer = answered(**TWINS, escape="loss")
    assert figures(answer)["first"] == ("79.5%", "20.5%", "0.0%")
    assert answer.sentences["first"] == "Brawler wins about 79 times in 100 going first, and Brawler 2 about 21 times."


@pytest.mark.parametrize(
    ("begins", "beginning"),
    [
        ("first", "Brawler wins about 64 times in 100 going first"),
        ("second", "Brawler 2 wins about 64 times in 100 going first"),
        ("", "With initiative rolled, Brawler wins"),
    ],
)
def test_who_begins_chooses_the_sentence(begins: str, beginning: str) -> None:
    """The sentence said is that of the order chosen; by itself the initiative decides."""
    assert seen(**TWINS, begins=begins).summary.startswith(beginning)


def test_no_toughness_has_lost_from_the_start() -> None:
    """Who has no hit points loses whoever begins (`hp.incapacitated`), and has no act."""
    answer = answered(first_sheet="Ghost\n2 fighting", second_sheet="Rook\n1 toughness")
    assert set(figures(answer).values()) == {("0.0%", "100.0%", "0.0%")}
    assert [row.acts for row in answer.rows] == [()] * 3
    assert answer.sentences["first"] == "Ghost wins never going first, and Rook always."


def test_a_stat_block_counts_before_the_cast_and_hit_points_count() -> None:
    """What is written wins over what is chosen, and `hp` of a sheet makes a difference."""
    assert answered(**TWINS, first="rat") == answered(**TWINS)
    hurt = answered(first_sheet=BRAWLER.replace("\n", "\nhp: 1\n", 1), second_sheet=BRAWLER)
    assert float(figures(hurt)["first"][0].rstrip("%")) < 63.6


def test_the_ground_of_the_form_counts_for_both() -> None:
    """A ground chosen holds over the stat blocks' own, and its words are of the rulebook (`move.terrain`)."""
    deep = BRAWLER.replace("\n", "\nhere: deep-water\n", 1)
    assert figures(answered(first_sheet=deep, second_sheet=deep, here="level")) == figures(answered(**TWINS))


@pytest.mark.parametrize(
    ("fields", "where", "expected"),
    [
        ({"first": "zz", "second": "rat"}, "first", "one of the cast"),
        ({"first": "rat", "second_sheet": "A\n1 toughness\n\nB\n1 toughness"}, "second_sheet", "one stat block"),
        ({"first": "rat", "second_sheet": "A\nhp: 9\n1 toughness"}, "second_sheet", "hit points from 0 to 1"),
        ({"first": "rat", "second": "rat", "here": "moon"}, "here", "words among level"),
        ({"first": "rat", "second": "rat", "begins": "me"}, "begins", "one of first, second, initiative"),
        ({"first": "rat", "second": "rat", "escape": "x"}, "escape", "one of draw, loss"),
    ],
    ids=["unknown", "two-blocks", "hit-points", "ground", "begins", "escape"],
)
def test_what_is_wrong_stands_at_its_control(fields: dict[str, str], where: str, expected: str) -> None:
    """There is no answer, and one problem at the control that it belongs to."""
    found = seen(**fields)
    assert found.answer is None
    assert [problem.where for problem in found.problems] == [where]
    assert found.problems[0].expected.startswith(expected)


def test_a_duel_too_large_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither too many hit points nor too much work is begun or gone through with, and nothing is guessed."""
    large = seen(first_sheet="Wall\n90 toughness", second="rat")
    assert (large.answer, large.problems) == (None, ())
    assert large.summary.startswith("This duel is too large to solve exactly here: Wall has 90 hit points")
    working.forget()
    monkeypatch.setattr(working, "MOST_PIECES", 3)
    assert "too large" in seen(first_sheet="Wall\n2 fighting\n3 toughness", second="rat").summary


def test_an_answer_reopens_and_a_long_one_is_cut_to_its_levels() -> None:
    """The query gives the same answer again, within 8 KB though the notes are longer."""
    wordy = f"Brawler\n4 fighting: {'x' * 150}\n4 toughness"
    noted = (
        "Brawler: "
        + "ö" * 190
        + "\n"
        + "\n".join(
            f"1 {name}: {'ö' * 190}" for name in ("fighting", "toughness", "shooting", "healing", "blasting", "flying")
        )
    )
    short = seen(first_sheet=wordy, second="rat")
    assert parse_query(short.query).text("first_sheet") == wordy
    long = seen(first_sheet=noted, second_sheet=noted, begins="first")
    assert long.answer is not None
    assert len(long.query) <= LINK_LIMIT < len(query_string({"a": noted, "b": noted}))
    assert view(parse_query(long.query)).answer == long.answer


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "never"),
        (0.001, "hardly ever"),
        (0.012, "about 1 time in 100"),
        (0.473, "about 47 times in 100"),
        (0.49, "about 49 times in 100"),
        (0.6057, "about 61 times in 100"),
        (0.994, "about 99 times in 100"),
        (0.999, "nearly always"),
        (1.0, "always"),
    ],
)
def test_a_chance_is_said_as_a_person_says_it(chance: float, words: str) -> None:
    """Every chance of a hundred; never and always only for what is certain."""
    assert how_often(chance) == words


def test_a_sentence_has_one_denominator() -> None:
    """Whatever it tells is told of the same hundred, which is said once."""
    told = answered(**TWINS).sentences
    assert [each.count("in 100") for each in told.values()] == [1, 1, 1]
    assert told["second"].endswith("Brawler about 20 times; nobody does about 17 times.")
    never = answered(first_sheet="Ghost\n2 fighting", second_sheet="Rook\n1 toughness", begins="first")
    assert "in 100" not in never.sentences["first"]


def test_both_stand_there_as_people() -> None:
    """Name, hit points, defences and points of each who is known, by the rulings played by."""
    wounded = BRAWLER.replace("\n", "\nhp: 1\n", 1)
    people = seen(first_sheet=wounded, second="nobody at all", rulings="strength_base=8").people
    assert list(people) == ["first"]
    one = people["first"]
    assert (one.name, one.points, one.hp, one.most, one.stamina) == ("Brawler", 8, 1, 4, 2)
    assert one.defences == (("AGI", 10), ("INT", 10), ("STR", 12))  # 8 + toughness 4
    assert seen(first_sheet=wounded).people["first"].defences[2] == ("STR", 11)


def test_every_part_of_a_bar_is_its_chance() -> None:
    """A bar's parts follow each other from 0 to 100, the first's at the left and the second's at the right."""
    for row in answered(**TWINS).rows:
        assert [part.who for part in row.bar] == ["first", "nobody", "second"]
        assert row.bar[0].left == 0
        assert all(
            one.left + one.width == pytest.approx(two.left) for one, two in zip(row.bar, row.bar[1:], strict=False)
        )
        assert row.bar[-1].left + row.bar[-1].width == pytest.approx(100)
        assert f"{row.bar[0].width:.1f}%" == row.first


def test_whoever_is_offered_can_be_read() -> None:
    """Nobody of the cast who is offered is refused: minions, who don't fight alone, are left out."""
    chooser = seen(act="choose first").chooser
    assert chooser is not None
    offered = [each.value for _, people in chooser.groups for each in people]
    assert "chokestar" in offered
    assert "thug" not in offered
    for member in offered:
        assert odds.read_one(find(member).block, "first")["abilities"], member


# Builds level by level


def rows(found: odds.View, which: int) -> dict[str, tuple[int, str]]:
    """The level of each ability of a build, and what one more is worth."""
    return {row.ability: (row.level, row.worth) for row in found.builds[which].rows}


def test_a_press_changes_a_level_and_makes_a_stat_block() -> None:
    """Somebody of the cast with one more level is a stat block from then on; the other one stays."""
    found = seen(first="chokestar", second="rat", change="first fighting 1")
    assert parse_query(found.query).text("first_sheet").splitlines()[-1] == "1 fighting"
    assert "first" not in parse_query(found.query)
    assert found.fresh == ("first", "first_sheet")
    assert rows(found, 0)["fighting"][0] == 1
    assert found.builds[0].points == find("chokestar").cp + 1
    assert parse_query(found.query).text("second") == "rat"
    assert "change" not in parse_query(found.query)


@pytest.mark.parametrize(
    "change", ["first fighting", "third fighting 1", "first luck 1", "first fighting x", "1", "first fighting 21"]
)
def test_a_press_that_is_none_changes_nothing(change: str) -> None:
    """What no button asks for is passed over."""
    assert seen(first="rat", second="rat", change=change) == seen(first="rat", second="rat")


def test_less_toughness_leaves_no_more_hit_points_than_there_are() -> None:
    """A level less takes hit points with it (`hp.max`), and an ability without a level is left out."""
    found = seen(first_sheet="A\nhp: 2\n1 fighting\n2 toughness", second="rat", change="first toughness 1")
    assert parse_query(found.query).text("first_sheet") == "A\n1 fighting\n1 toughness"
    gone = seen(first_sheet="A\n1 fighting\n2 toughness", second="rat", change="first fighting 0")
    assert parse_query(gone.query).text("first_sheet") == "A\n2 toughness"


@pytest.mark.no_cover
def test_what_one_more_level_adds_is_the_difference_of_two_duels() -> None:
    """The worth of a level is the chance with it less the chance without, for the order asked about."""
    small = {"first_sheet": "A\n1 fighting\n1 toughness", "second_sheet": "B\n1 fighting\n1 toughness"}
    assert all(worth == "" for _, worth in rows(seen(**small), 0).values())
    worth = rows(seen(**small, worth="1", begins="first"), 0)["toughness"][1]
    now = float(figures(answered(**small))["first"][0].rstrip("%"))
    then = float(figures(answered(**{**small, "first_sheet": "A\n1 fighting\n2 toughness"}))["first"][0].rstrip("%"))
    assert float(worth) == pytest.approx(then - now, abs=0.11)
    assert float(worth) > 1


def test_what_attacks_do_is_told_for_both() -> None:
    """Fighting 4 against agility 10 hurts with 15 of 20 faces (T: 75%), for 16/20 of a point on average."""
    blow = next(each for each in seen(**TWINS).attacks if each.rule == "act.basic-attack")
    assert (blow.who, blow.hits, blow.mean, blow.tool) == ("Brawler", "75%", "0.80", "fighting")
    assert blow.down[0] == "0%"
    assert blow.needed == "5.1"  # four points at 0.8 a blow, and what goes beyond the last
    assert seen(first_sheet="Ghost\n2 fighting", second_sheet="Rook\n1 toughness").attacks == ()


def test_attacks_and_levels_stand_at_once_and_the_chances_follow() -> None:
    """After one piece of work a press has its buttons and attacks; a sentence says that the chances are to come."""
    working.forget()
    calls = iter((True, False))
    query = parse_query(query_string({"first": "sharpshooter", "second": "duellist"}))
    found = odds.view(query, None, lambda: next(calls))
    assert found.unfinished
    assert found.attacks
    assert len(found.builds) == 2
    assert found.summary == "The chances are being worked out."


def test_another_ruling_is_played_by_and_said() -> None:
    """A link's ruling counts, stands in the answer and in its link; one that is none is a problem of its own."""
    pair = {"first": "wrestler", "second": "duellist", "here": "level", "escape": "loss", "begins": "first"}
    ours, other = answered(**pair), answered(**pair, rulings="strength_base=8")
    assert figures(ours)["first"] != figures(other)["first"]
    assert figures(other)["first"][0] == "67.3%"
    again = seen(**pair, rulings="strength_base=8")
    assert parse_query(again.query).text("rulings") == "strength_base=8"
    assert "Play by our own rulings" in render("odds", again.query).html
    assert [each.where for each in seen(**pair, rulings="luck=1").problems] == ["rulings"]


def test_everybody_of_the_cast_is_an_opponent_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the cast who fights alone has a row, the chosen one first, with the chance of their duel."""
    monkeypatch.setattr(pairs, "ALONE", (find("thief"), find("rat")))
    rat = pairs.table_of("rat")
    monkeypatch.setattr(pairs, "table_of", lambda _: rat)
    small = {"first_sheet": "A\n1 fighting\n1 toughness", "second": "rat"}
    assert seen(**small).everybody == ()
    found = seen(**small, everybody="1").everybody
    assert [each.id for each in found] == ["rat", "thief"]
    assert found[0].chance == figures(answered(**small))["initiative"][0]


def test_first_acts_stand_best_first_with_what_they_cost() -> None:
    """The best act costs nothing; the others cost what they keep less."""
    acts = answered(**TWINS).rows[0].acts
    assert acts[0].cost == ""
    keeps = [float(act.percent.rstrip("%")) for act in acts]
    assert keeps == sorted(keeps, reverse=True)
    assert [float(act.cost or 0) for act in acts] == pytest.approx([keeps[0] - each for each in keeps], abs=0.11)


@pytest.mark.parametrize(("cost", "told"), [(0.0004, ""), (0.0006, "0.1"), (0.0044, "0.4")])
def test_a_cost_is_told_where_its_rounded_number_is_not_nothing(
    cost: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What costs less than half a tenth of a percent costs nothing that is told."""
    real = Duel.choices
    monkeypatch.setattr(Duel, "choices", lambda *asked: tuple(replace(each, cost=cost) for each in real(*asked)))
    monkeypatch.setattr(working, "_duels", Slices(8))
    assert {act.cost for act in answered(**TWINS).rows[0].acts} == {told}


# Where a press leads, and what the words stand on


@pytest.mark.parametrize(
    ("pressed", "eye", "kept"),
    [
        ({}, "answer", {}),
        ({"everybody": "show"}, "everybody", {"everybody": "1"}),
        ({"everybody": "hide"}, "everybody", {}),
        ({"worth": "show", "everybody": "1"}, "worth", {"worth": "1", "everybody": "1"}),
        ({"worth": "hide"}, "worth", {}),
        ({"worth": "1", "everybody": "1"}, "answer", {"worth": "1", "everybody": "1"}),
        ({"change": "first toughness 2"}, "", {}),
    ],
    ids=["work-out", "everybody", "everybody-away", "worth", "worth-away", "link", "level"],
)
def test_a_press_leads_to_the_answer_of_what_was_pressed(
    monkeypatch: pytest.MonkeyPatch, pressed: dict[str, str], eye: str, kept: dict[str, str]
) -> None:
    """A folded question's button leads to its own block and leaves a link as before; a level's leads nowhere else."""
    monkeypatch.setattr(pairs, "ALONE", (find("rat"),))
    found = view(parse_query(query_string({**TWINS, **pressed})), None, lambda: False)
    again = parse_query(found.query)
    assert found.eye == eye
    assert {name: again.text(name) for name in ("worth", "everybody") if name in again} == kept


@pytest.mark.parametrize(
    ("begins", "words"),
    [("", "when the initiative is rolled"), ("first", "when A goes first"), ("second", "when B goes first")],
)
def test_what_one_more_level_adds_says_which_start_it_belongs_to(begins: str, words: str) -> None:
    """The words above the figures name who goes first in them."""
    small = {"first_sheet": "A\n1 fighting\n1 toughness", "second_sheet": "B\n1 toughness"}
    html = render("odds", query_string({**small, "begins": begins, "worth": "1"})).html
    assert f"What one more level adds to the chance to win {words}, below each level:" in html


def test_a_stat_block_that_counts_is_nobody_of_the_cast() -> None:
    """Where a stat block counts nobody else is named; who is of the cast stays that."""
    html = render("odds", query_string({"first": "chokestar", "second": "rat", "first_sheet": BRAWLER})).html
    assert 'name="first" value=""' in html
    assert 'name="second" value="rat"' in html


def test_the_page_begins_with_the_initiative_rolled() -> None:
    """What stands in the page before any press says nothing of somebody going first by choice."""
    text = (DOCS / "tools" / "odds.md").read_text("utf-8")
    preset = text.split('name="odds"\n')[1].split("```")[0]
    assert render("odds", preset.strip().replace("\n", "&")).summary.startswith(
        "With initiative rolled, Chokestar wins"
    )


# Whom one chooses from

MIRA = query_string({"name": "Mira", "shooting": "2", "toughness": "4", "at": "play", "play": "hp 3"})
RIA = query_string({"name": "Ria", "toughness": "3", "command": "2", "minions": "2 toughness"})


@pytest.mark.parametrize(
    ("target", "who", "first", "second"),
    [
        ("second", [MIRA], "Chokestar", "Mira"),
        ("first", [MIRA], "Mira", "Flipfire"),
        ("first", ["guard"], "Guard", "Flipfire"),
        ("second", [MIRA, "guard"], "Guard", "Mira"),
    ],
)
def test_whoever_is_ticked_takes_the_place_asked_about(target: str, who: list[str], first: str, second: str) -> None:
    """One takes it, of two the other the other place; yours come with the hit points that they have left."""
    ticks = {f"tick.{number}": each for number, each in enumerate(who)}
    answer = seen(first="chokestar", second="flipfire", act="add", choosing=target, **ticks)
    assert [each.name for each in answer.people.values()] == [first, second]
    assert answer.problems == ()
    assert answer.chooser is None
    assert not {"act", "choosing", "tick"} & {each.partition("=")[0] for each in answer.query.split("&")}
    assert [each.hp for each in answer.people.values() if each.name == "Mira"] in ([], [3])


def test_a_leader_comes_alone_and_three_are_too_many() -> None:
    """Minions stay out, which is said; of three nobody is taken, and what stood there stays."""
    alone = seen(first="guard", second="flipfire", act="add", choosing="first", **{"tick.0": RIA})
    assert alone.people["first"].name == "Ria"
    assert [(each.code, each.severity) for each in alone.problems] == [("odds.alone", "advice")]
    ticks = {f"tick.{each}": each for each in ("guard", "bear", "rat")}
    many = seen(first="chokestar", second="flipfire", act="add", choosing="first", **ticks)
    assert many.people["first"].name == "Chokestar"
    assert [each.code for each in many.problems] == ["odds.two"]
    gone = seen(first="chokestar", second="flipfire", act="add", choosing="first", **{"tick.0": "nobody=1"})
    assert [each.code for each in gone.problems] == ["odds.kept"]
