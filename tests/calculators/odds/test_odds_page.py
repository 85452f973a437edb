"""The odds calculator: a query in, a view out."""

from dataclasses import replace

import pytest

from build_scripts.paths import DOCS
from build_scripts.render import render_calculator_response
from scratch_core.calculators import odds
from scratch_core.calculators.odds import MAX_LINK_LENGTH, DuelAnswer, format_frequency, jobs, presentation, view
from scratch_core.calculators.shared.jobs import JobCache
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.odds import Duel, ProbabilityRange, WinProbabilities
from tests.support.known import require

BRAWLER = "Brawler\n4 fighting\n4 toughness"
TWINS = {"first_sheet": BRAWLER, "second_sheet": BRAWLER}


def view_controls(**fields: str) -> odds.View:
    """The view of some controls."""
    return view(parse_query(format_query(fields)))


def answered(**fields: str) -> DuelAnswer:
    """The answer to some controls, which hold nothing wrong."""
    found = view_controls(**fields)
    assert found.problems == ()
    assert found.answer is not None
    return found.answer


def figures(answer: DuelAnswer) -> dict[str, tuple[str, str, str]]:
    """The chances in words by who begins: the first, the second, no one."""
    return {row.order: (row.first, row.second, row.nobody) for row in answer.rows}


def test_odds_page_with_escape_as_loss_has_no_draws() -> None:
    """With `escape=loss` every duel has a winner.

    The chances are 0.7948105224 and the rest, as on the command line.
    """
    answer = answered(**TWINS, escape="loss")
    assert figures(answer)["first"] == ("79.5%", "20.5%", "0.0%")
    assert answer.sentences["first"] == (
        "If Brawler goes first, Brawler wins about 79 fights in 100 and Brawler 2 about 21."
    )


@pytest.mark.parametrize(
    ("begins", "beginning"),
    [
        ("first", "If Brawler goes first, Brawler wins about 64 fights in 100"),
        ("second", "If Brawler 2 goes first, Brawler 2 wins about 64 fights in 100"),
        ("", "With initiative rolled, Brawler wins"),
    ],
)
def test_summary_follows_the_selected_first_turn(begins: str, beginning: str) -> None:
    """The summary is that of the selected first turn.

    By default initiative is rolled.
    """
    assert view_controls(**TWINS, begins=begins).summary.startswith(beginning)


def test_stat_block_overrides_cast_and_its_hit_points_count() -> None:
    """A typed stat block overrides the selected cast member.

    The `hp` of a stat block changes the chances.
    """
    assert answered(**TWINS, first="rat") == answered(**TWINS)
    hurt = answered(first_sheet=BRAWLER.replace("\n", "\nhp: 1\n", 1), second_sheet=BRAWLER)
    assert float(figures(hurt)["first"][0].rstrip("%")) < 63.6


def test_terrain_of_the_form_overrides_the_stat_blocks() -> None:
    """Selected terrain overrides that of the stat blocks, in the rulebook's terms (`move.terrain`)."""
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
def test_invalid_odds_input_is_reported_at_its_control(fields: dict[str, str], where: str, expected: str) -> None:
    """There is no answer, and one problem at the control that it belongs to."""
    found = view_controls(**fields)
    assert found.answer is None
    assert [problem.where for problem in found.problems] == [where]
    assert found.problems[0].expected.startswith(expected)


def test_too_large_duel_is_reported_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duel with too many hit points or too much work has no answer.

    The summary says why.
    """
    large = view_controls(first_sheet="Wall\n90 toughness", second="rat")
    assert (large.answer, large.problems) == (None, ())
    assert large.summary.startswith("This duel is too big to calculate here: Wall has 90 hit points")
    jobs.clear_duel_jobs()
    monkeypatch.setattr(jobs, "MAX_DUEL_PIECES", 3)
    slow = view_controls(first_sheet="Wall\n2 fighting\n3 toughness", second="rat")
    assert "too big" in slow.summary
    assert {each.actor_name for each in slow.attacks} == {"Wall", "Rat"}


def test_odds_query_reopens_and_long_sheets_are_cut_to_levels() -> None:
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
    short = view_controls(first_sheet=wordy, second="rat")
    assert parse_query(short.query).text("first_sheet") == wordy
    long = view_controls(first_sheet=noted, second_sheet=noted, begins="first")
    assert long.answer is not None
    assert len(long.query) <= MAX_LINK_LENGTH < len(format_query({"a": noted, "b": noted}))
    assert view(parse_query(long.query)).answer == long.answer


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "never"),
        (0.001, "hardly ever"),
        (0.012, "about 1 fight in 100"),
        (0.473, "about 47 fights in 100"),
        (0.49, "about 49 fights in 100"),
        (0.6057, "about 61 fights in 100"),
        (0.994, "about 99 fights in 100"),
        (0.999, "nearly always"),
        (1.0, "always"),
    ],
)
def test_format_frequency_counts_fights_of_a_hundred(chance: float, words: str) -> None:
    """A frequency counts fights in a hundred, or says never or always if certain."""
    assert format_frequency(chance) == words


@pytest.mark.parametrize(
    ("wins", "neither", "words"),
    [
        ((0.6, 0.4), 0, "Ann wins about 60 fights in 100 and Bo about 40"),
        ((0.0, 1.0), 0, "Ann never wins; Bo always does"),
        ((0.3, 0.001), 0.7, "Ann wins about 30 fights in 100; Bo hardly ever wins; about 70 have no winner"),
        ((0.0, 0.99), 0.01, "Ann never wins; Bo wins about 99 fights in 100; about 1 has no winner"),
        ((0.0, 0.0), 1.0, "Ann never wins; Bo never does; no fight has a winner"),
    ],
)
def test_outcome_of_two_chances_is_one_sentence(wins: tuple[float, float], neither: float, words: str) -> None:
    """The outcome of two chances is one sentence.

    It names fights once, and words without a number come before the verb.
    """
    assert presentation._format_outcome(("Ann", "Bo"), wins, neither) == words


@pytest.mark.parametrize(
    ("wins", "whole", "tenths"),
    [
        ((0.126, 0.788), ("13%", "79%", "8%"), ("12.6%", "78.8%", "8.6%")),
        ((0.4155, 0.4155), ("42%", "42%", "16%"), ("41.5%", "41.5%", "17.0%")),
        ((0.12345, 0.87655), ("12%", "88%", "0%"), ("12.3%", "87.7%", "0.0%")),
        ((0.0, 0.0), ("0%", "0%", "100%"), ("0.0%", "0.0%", "100.0%")),
    ],
)
def test_percentages_of_one_whole_add_up(wins: tuple[float, float], whole: tuple[str, ...], tenths: object) -> None:
    """Rounded percentages add up, and equal chances of winning have equal percentages.

    Wins are rounded as everywhere else, and fights without a winner have the rest: 13, 79 and 9 would be 101.
    """
    first, second, nobody = (ProbabilityRange(each, each) for each in (*wins, 1 - sum(wins)))
    chances = WinProbabilities(first, second, nobody)
    assert chances.format_percents() == whole
    assert chances.format_percents(1) == tenths


def test_sentence_frequencies_equal_the_figures() -> None:
    """The sentence has the same frequencies as the bar.

    Thief and guard: 13, 79 and 8 in 100, and not 9.
    """
    answer = answered(first="thief", second="guard")
    assert answer.rows[-1].whole_percents == ("13%", "79%", "8%")
    assert answer.sentences["initiative"] == (
        "With initiative rolled, Thief wins about 13 fights in 100, Guard about 79, and about 8 have no winner."
    )


def test_bar_parts_equal_the_chances() -> None:
    """The parts of a bar are the chances, without gaps from 0 to 100.

    The first is at the left, the second at the right.
    """
    for row in answered(**TWINS).rows:
        assert [part.owner for part in row.bar] == ["first", "nobody", "second"]
        assert row.bar[0].start == 0
        assert all(
            one.start + one.width == pytest.approx(two.start) for one, two in zip(row.bar, row.bar[1:], strict=False)
        )
        assert row.bar[-1].start + row.bar[-1].width == pytest.approx(100)
        assert f"{row.bar[0].width:.1f}%" == row.first


# Builds level by level


def rows(found: odds.View, which: int) -> dict[str, tuple[int, str]]:
    """The level of each ability of a build, and what one more is worth."""
    return {row.ability: (row.level, row.gain_text) for row in found.duelist_levels[which].rows}


@pytest.mark.parametrize(
    "change", ["first fighting", "third fighting 1", "first luck 1", "first fighting x", "1", "first fighting 21"]
)
def test_unknown_change_command_is_ignored(change: str) -> None:
    """A command of no button is ignored."""
    assert view_controls(first="rat", second="rat", change=change) == view_controls(first="rat", second="rat")


def test_lower_toughness_limits_hit_points() -> None:
    """A lower toughness level limits hit points, and an ability without a level is omitted.

    Rule `hp.max`.
    """
    found = view_controls(first_sheet="A\nhp: 2\n1 fighting\n2 toughness", second="rat", change="first toughness 1")
    assert parse_query(found.query).text("first_sheet") == "A\n1 fighting\n1 toughness"
    gone = view_controls(first_sheet="A\n1 fighting\n2 toughness", second="rat", change="first fighting 0")
    assert parse_query(gone.query).text("first_sheet") == "A\n2 toughness"


@pytest.mark.no_cover
def test_odds_level_gain_is_difference_of_two_win_chances() -> None:
    """A level's gain is the chance with it minus the chance without it.

    The chances are those of the selected first turn.
    """
    small = {"first_sheet": "A\n1 fighting\n1 toughness", "second_sheet": "B\n1 fighting\n1 toughness"}
    assert all(worth == "" for _, worth in rows(view_controls(**small), 0).values())
    worth = rows(view_controls(**small, worth="1", begins="first"), 0)["toughness"][1]
    now = float(figures(answered(**small))["first"][0].rstrip("%"))
    then = float(figures(answered(**{**small, "first_sheet": "A\n1 fighting\n2 toughness"}))["first"][0].rstrip("%"))
    assert float(worth) == pytest.approx(then - now, abs=0.11)
    assert float(worth) > 1


@pytest.mark.no_cover
def test_level_gain_follows_the_escape_setting() -> None:
    """A gain that was computed under one setting isn't shown under another."""
    weak, tough = "\n1 fighting\n2 toughness", "\n1 fighting\n3 toughness"
    pair = {"first_sheet": f"A{weak}", "second_sheet": f"B{weak}", "begins": "first"}
    gains = []
    for escape in ("draw", "loss"):
        gains.append(float(rows(view_controls(**pair, escape=escape, worth="1"), 0)["toughness"][1]))
        now, then = (
            float(figures(answered(**{**pair, "first_sheet": f"A{levels}"}, escape=escape))["first"][0].rstrip("%"))
            for levels in (weak, tough)
        )
        assert gains[-1] == pytest.approx(then - now, abs=0.11)
    assert gains[0] + 1 < gains[1]  # who escapes from a tough opponent loses


def test_ruling_of_a_link_is_applied_and_named() -> None:
    """A ruling in the link is applied, and named in the answer and its link.

    An unknown ruling is reported at its control.
    """
    pair = {"first": "wrestler", "second": "duellist", "here": "level", "escape": "loss", "begins": "first"}
    ours, other = answered(**pair), answered(**pair, rulings="strength_base=8")
    assert figures(ours)["first"] != figures(other)["first"]
    assert figures(other)["first"][0] == "67.3%"
    again = view_controls(**pair, rulings="strength_base=8")
    assert parse_query(again.query).text("rulings") == "strength_base=8"
    assert "Use this site's default rulings" in render_calculator_response("odds", again.query).html
    assert [(each.where, each.expected) for each in view_controls(**pair, rulings="luck=1").problems] == [
        ("rulings", "the name of a ruling")
    ]


@pytest.mark.parametrize(("cost", "lost"), [(0.0004, ""), (0.0006, "0.1"), (0.0044, "0.4")])
def test_cost_is_shown_only_if_it_does_not_round_to_zero(
    cost: float, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cost of less than half a tenth of a percent is not shown."""
    real = Duel.rank_actions
    monkeypatch.setattr(
        Duel, "rank_actions", lambda *arguments: tuple(replace(each, cost=cost) for each in real(*arguments))
    )
    monkeypatch.setattr(jobs, "_duel_jobs", JobCache(8))
    assert {act.lost_percentage_points for act in answered(**TWINS).rows[0].openings} == {lost}


# Results of presses


def test_used_stat_block_deselects_the_cast_member() -> None:
    """A stat block in use deselects the cast member of its place.

    The other selection stays.
    """
    html = render_calculator_response(
        "odds", format_query({"first": "chokestar", "second": "rat", "first_sheet": BRAWLER})
    ).html
    assert 'name="first" value=""' in html
    assert 'name="second" value="rat"' in html


def test_pressed_opponent_replaces_a_stat_block() -> None:
    """A pressed member of the cast fights instead of it. An unknown one changes nothing."""
    fields = {"first": "chokestar", "second_sheet": BRAWLER}
    found = view_controls(**fields, act="opponent rat")
    assert (found.fields["second"], found.fields["second_sheet"]) == ("rat", "")
    assert {"second", "second_sheet"} <= set(found.updated_fields)
    assert view_controls(**fields, act="opponent wolfgang").fields["second_sheet"] == BRAWLER


def test_odds_page_preset_rolls_initiative() -> None:
    """The preset of the page says nothing of a selected first turn."""
    text = (DOCS / "tools" / "odds.md").read_text("utf-8")
    preset = text.split('name="odds"\n')[1].split("```")[0]
    assert render_calculator_response("odds", preset.strip().replace("\n", "&")).summary.startswith(
        "With initiative rolled, Chokestar wins"
    )


# The chooser

MIRA = format_query({"name": "Mira", "shooting": "2", "toughness": "4", "at": "play", "play": "hp 3"})
RIA = format_query({"name": "Ria", "toughness": "3", "command": "2", "minions": "2 toughness"})


@pytest.mark.parametrize(
    ("target", "who", "first", "second"),
    [
        ("second", [MIRA], "Chokestar", "Mira"),
        ("first", [MIRA], "Mira", "Flipfire"),
        ("first", ["guard"], "Guard", "Flipfire"),
        ("second", [MIRA, "guard"], "Guard", "Mira"),
    ],
)
def test_selected_characters_take_the_requested_place(target: str, who: list[str], first: str, second: str) -> None:
    """The first selected character takes the requested place, a second one the other place.

    A saved character has its remaining hit points.
    """
    ticks = {f"tick.{number}": each for number, each in enumerate(who)}
    answer = view_controls(first="chokestar", second="flipfire", act="add", choosing=target, **ticks)
    assert [each.name for each in answer.duelists.values()] == [first, second]
    assert answer.problems == ()
    assert answer.chooser is None
    assert not {"act", "choosing", "tick"} & {each.partition("=")[0] for each in answer.query.split("&")}
    assert [each.hp for each in answer.duelists.values() if each.name == "Mira"] in ([], [3])


def test_odds_add_drops_minions_and_rejects_three_characters() -> None:
    """Minions are omitted with a notice, and three characters are rejected."""
    alone = view_controls(first="guard", second="flipfire", act="add", choosing="first", **{"tick.0": RIA})
    assert alone.duelists["first"].name == "Ria"
    assert [(each.code, each.severity) for each in alone.problems] == [("odds.alone", "advice")]
    ticks = {f"tick.{each}": each for each in ("guard", "bear", "rat")}
    many = view_controls(first="chokestar", second="flipfire", act="add", choosing="first", **ticks)
    assert many.duelists["first"].name == "Chokestar"
    assert [each.code for each in many.problems] == ["odds.two"]
    assert len(require(many.chooser).ticked_controls) == 3
    gone = view_controls(first="chokestar", second="flipfire", act="add", choosing="first", **{"tick.0": "nobody=1"})
    assert [each.code for each in gone.problems] == ["odds.kept"]
