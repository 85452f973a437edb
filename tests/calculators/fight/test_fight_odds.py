"""Each side's chance in a running fight: off by default, a duel exactly, any other fight by simulation."""

import json
import re
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.fight.balance import format_change
from scratch_core.calculators.shared import win_chances
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.encounter.state import EncounterState
from tests.support.duels import DUEL_FILE, allow_steps
from tests.support.duels import view_replay as in_replay
from tests.support.known import require

BEGUN = DUEL_FILE.split("[[steps]]")[0]
THIRD = '[[characters]]\nid = "cy"\nside = "bo"\nabilities = { fighting = 1, toughness = 2 }\n\n[initiative]\ncy = [5]'
THREE = BEGUN.replace('id = "bo"', 'id = "bo"\nside = "bo"').replace("[initiative]", THIRD)
BLOW = {"actor": "ada", "do": "basic-attack", "with": "fighting", "target": "bo"}


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Clear the cached win chances."""
    win_chances._game_jobs.clear()
    win_chances._tally_jobs.clear()


def view_log(log: str, should_continue: ShouldContinue = can_always_continue, **fields: str) -> View:
    """The view of a fight."""
    return view(parse_query(format_query({"log": log, **fields}), MAX_QUERY_LENGTH), None, should_continue)


def again(found: View, should_continue: ShouldContinue = can_always_continue, **fields: str) -> View:
    """Return the view after a press."""
    raw = {name: parse_query(found.query, MAX_QUERY_LENGTH).text(name) for name in ("log", "odds")}
    return view_log(raw.pop("log"), should_continue, **{**raw, **fields})


def percent(found: View) -> dict[str, str]:
    """The chances in words, by side."""
    return dict(require(found.win_chances).current_chances)


def test_duel_shows_win_chances_after_every_action_until_hidden() -> None:
    """A duel shows exact win chances after every action until they are hidden.

    Two brawlers: the first wins 79.5% (`SOLVED_DUELS`: 0.7948105224), and more after a hit. The chances are off by
    default.
    """
    assert view_log(BEGUN).win_chances is None
    found = view_log(BEGUN, act="odds on")
    assert percent(found) == {"ada": "79.5%", "bo": "20.5%"}
    assert found.summary.endswith("To win: ada 79.5%, bo 20.5%.")
    later = again(found, act=json.dumps(BLOW), faces="20")
    assert float(percent(later)["ada"].split()[0].rstrip("%")) > 79.5
    assert require(later.win_chances).playout_count == 0
    hidden = again(later, act="odds")
    assert hidden.win_chances is None
    assert "odds" not in parse_query(hidden.query, MAX_QUERY_LENGTH)


def test_fight_of_three_is_simulated_with_narrowing_bounds() -> None:
    """A fight of three is simulated in time slices, and its bounds narrow.

    The next request continues where the last one stopped.
    """
    found = view_log(THREE, allow_steps(25), act="odds on")
    assert (require(found.win_chances).playout_count, found.is_incomplete) == (25, True)
    assert " to " in percent(found)["ada"]
    more = again(found, allow_steps(100))
    assert require(more.win_chances).playout_count == 125

    def width(view: View) -> float:
        low, high = percent(view)["ada"].removesuffix("%").split(" to ")
        return float(high) - float(low)

    assert width(more) < width(found)


@pytest.mark.no_cover
def test_state_outside_the_solved_duel_is_simulated() -> None:
    """A state outside the solved duel is simulated from there.

    A change by the game master can lead to one.
    """
    joins = (
        '\n[[steps]]\ndo = "join"\nfaces = [3]\ncharacter = { id = "cy", side = "bo", abilities = { toughness = 1 } }\n'
    )
    found = view_log(BEGUN.replace('id = "bo"', 'id = "bo"\nside = "bo"') + joins, allow_steps(30), act="odds on")
    assert len(require(found.fight_view).rows) == 3
    assert require(found.win_chances).playout_count == 30
    state = require(found.fight_view).fight.playthrough_with_beginning.opening_state
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(win_chances, "_find_chances_in_game", lambda *_: None)
        assert win_chances.compute_current_chances((state,), (), allow_steps(10_000)).playout_count > 30


def test_transient_result_stops_further_time_slices() -> None:
    """The page requests no further time slice while it shows a transient result.

    That is a problem, a character in the game master's panel or the whole log, which the next request would remove. A
    button continues.
    """
    assert again(view_log(THREE, allow_steps(5), act="odds on"), allow_steps(5)).is_incomplete
    for fields in ({"act": json.dumps({**BLOW, "actor": "bo"})}, {"act": "gm-card ada"}, {"whole": "true"}):
        found = view_log(THREE, allow_steps(5), odds="on", **fields)
        assert found.is_transient, fields
        assert not found.is_incomplete, fields
        assert require(found.win_chances).is_incomplete


def test_won_duel_marks_its_decisive_step() -> None:
    """Once a duel is won, the decisive step is marked, and not before.

    The replay of the same fight marks the same step.
    """
    turn = '\n[[steps]]\nactor = "{}"\ndo = "basic-attack"\nwith = "fighting"\ntarget = "{}"\nfaces = [{}]\n'
    end = '\n[[steps]]\nactor = "{}"\ndo = "end-turn"\n'
    before = BEGUN + turn.format("ada", "bo", 20) + end.format("ada") + turn.format("bo", "ada", 1) + end.format("bo")
    won = before + turn.format("ada", "bo", 20)
    for log, mattered in ((before, 0), (won, 1)):
        found = view_log(log, act="odds on")
        assert require(found.win_chances).decisive_step == mattered
    replayed = require(in_replay(won, step="5").win_chances)
    assert replayed.decisive_step == 1
    page = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": won, "act": "odds on"})).html, "html.parser"
    )
    assert [each.text for each in page.select("[data-decisive-step]")] == ["1"]


def test_won_fight_has_certain_chances() -> None:
    """With one side left its chance is 100%, however many sides there were."""
    assert view_log(THREE).fight_view
    down = f'{THREE}\n[[steps]]\ndo = "set-hp"\ntarget = "ada"\nhp = 0\n'
    assert percent(view_log(down, act="odds on")) == {"ada": "0.0%", "bo": "100.0%"}


def test_win_chances_ignore_characters_who_left() -> None:
    """After a character leaves, the chances are those of the others.

    With one character left the result is certain.
    """

    def with_leaver(who: str) -> str:
        return f'{THREE}\n[[steps]]\ndo = "leave"\ntarget = "{who}"\n'

    one, other = (
        float(percent(view_log(log, act="odds on"))["ada"].split()[0].rstrip("%")) for log in (THREE, with_leaver("cy"))
    )
    assert other > one + 10
    assert percent(view_log(with_leaver("ada"), act="odds on")) == {"ada": "0.0%", "bo": "100.0%"}


SHEETS = """\
Ann
side: us
4 fighting
4 toughness

Cy
side: us
4 shooting
3 toughness

Bo
side: them
2 fighting
3 toughness
"""


def prepared(should_continue: ShouldContinue = can_always_continue, **fields: str) -> View:
    """The view of a set-up."""
    return view(parse_query(format_query({"sheets": SHEETS, **fields}), MAX_QUERY_LENGTH), None, should_continue)


def test_set_up_shows_win_chances_and_advice_on_balance() -> None:
    """A set-up shows simulated win chances and what would balance the fight.

    They are off by default, and their bounds narrow in time slices.
    """
    assert prepared().win_chances is None
    begun, more, found = (
        prepared(should_continue, act="odds on")
        for should_continue in (allow_steps(5), allow_steps(60), can_always_continue)
    )
    assert (require(begun.win_chances).playout_count, begun.is_incomplete, require(begun.win_chances).balance_text) == (
        5,
        True,
        "",
    )
    assert (
        require(begun.win_chances).playout_count
        < require(more.win_chances).playout_count
        <= require(found.win_chances).playout_count
    )
    low, high = (float(each) for each in percent(found)["us"].removesuffix("%").split(" to "))
    assert high - low <= 10
    assert low > 60
    assert require(found.win_chances).balance_text.startswith("More even with")
    assert require(found.win_chances).balance_text.endswith(" for them.")
    assert not found.is_incomplete
    assert prepared(act="odds", odds="on").win_chances is None


def list_changes(state: EncounterState, weak: str, strong: str) -> dict[str, EncounterState]:
    """The fight after each change by one character or level, by its words."""
    changes = win_chances._list_single_gm_changes(state, weak, strong)
    return {change.words: changed_state for change, changed_state in changes}


def test_advice_on_balance_never_changes_the_players_side() -> None:
    """Advice on balance changes the game master's side, whether weaker or stronger.

    The characters on *us* are the players'.
    """
    sheets = "side: us\n\nAnn\n3 toughness\n2 fighting\n\nside: them\n\nBo\n3 toughness\n\nCy\n1 toughness"
    state = require(prepared(sheets=sheets).initial_state)
    weak, strong = (list_changes(state, *pair) for pair in (("them", "us"), ("us", "them")))
    assert list(weak) == [
        "with one more Bo",
        "with toughness 4 for Bo",
        "with one more Cy",
        "with toughness 2 for Cy",
    ]
    assert list(strong) == ["without Bo", "with toughness 2 for Bo", "without Cy"]
    for fight in (*weak.values(), *strong.values()):
        assert fight.fighters[0] == state.fighters[0]


GUARDS = "\n\n".join(f"Guard {at}\n3 toughness\n3 fighting" for at in range(1, 6))


def test_advice_on_a_hopeless_fight_removes_several() -> None:
    """For a hopeless fight the advice says how many guards to remove.

    One guard fewer changes nothing. The boss stays.
    """
    sheets = f"side: us\n\nAnn\n5 toughness\n4 fighting\n\nside: them\n\n{GUARDS}\n\nBoss\n5 toughness\n2 fighting"
    advice = require(prepared(sheets=sheets, act="odds on").win_chances).balance_text
    assert re.match(r"More even without Guard \d, .*Guard 4 and Guard 5: ", advice), advice
    assert "Boss" not in advice
    assert advice.endswith(" for us.")


def test_advice_says_that_a_fight_stays_uneven() -> None:
    """The advice says that even a fight against the boss alone is uneven."""
    sheets = "side: us\n\nAnn\n1 toughness\n\nside: them\n\nGuard\n3 toughness\n\nBoss\n9 toughness\n9 fighting"
    assert require(prepared(sheets=sheets, act="odds on").win_chances).balance_text == "Still uneven without Guard."


@pytest.mark.parametrize("side", ["us", "Us"])
def test_advice_on_a_fight_far_too_easy_adds_several(side: str) -> None:
    """The advice adds up to six copies of the game master's strongest character."""
    sheets = f"side: {side}\n\nAnn\n6 toughness\n5 fighting\n\nside: them\n\nRat\n1 toughness\n1 fighting"
    advice = require(prepared(sheets=sheets, act="odds on").win_chances).balance_text
    assert re.fullmatch(r"More even with [2-6] more Rat: .* for them\.", advice), advice


def test_advice_on_balance_adds_to_the_group_that_acts_together() -> None:
    """A character added to a group shares its turns and rolls no initiative."""
    sheets = "side: us\n\nAnn\n3 toughness\n\nside: them\ngroup: pack\n\nBo\n3 toughness\n\nCy\n2 toughness"
    state = require(prepared(sheets=sheets).initial_state)
    assert list_changes(state, "them", "us")["with one more Bo"].initiative_fighter_or_group_ids == (
        "ann",
        "pack",
    )


def test_small_changes_differ_by_one_character_or_one_level() -> None:
    """Small changes add or remove one character, or change one level by one.

    They add to the weaker side or take from the stronger one: six changes for two against one.
    """
    sheets = SHEETS.replace("side: us", "side: red")
    state = require(prepared(sheets=sheets).initial_state)
    said = list_changes(state, "them", "red")
    assert list(said) == [
        "without Ann",
        "with fighting 3 for Ann",
        "without Cy",
        "with shooting 3 for Cy",
        "with one more Bo",
        "with toughness 4 for Bo",
    ]
    assert [len(each.fighters) for each in said.values()] == [2, 3, 2, 3, 4, 3]
    assert said["with toughness 4 for Bo"].fighters[2].numbers.max_hp == 4


def test_win_chances_work_with_a_character_without_toughness() -> None:
    """Win chances are shown for a set-up with a character who cannot fight."""
    found = prepared(allow_steps(700), sheets=f"{SHEETS}\nDi\nside: them\n1 stealth\n", act="odds on")
    assert require(found.win_chances).playout_count > 20
    assert found.initial_state is not None
    assert list(list_changes(require(found.initial_state), "them", "us"))[-1] == "with stealth 2 for Di"


def test_another_toughness_level_heals_no_one() -> None:
    """Another toughness level does not heal an injured character.

    The hit points are limited to the new maximum.
    """
    ours = "side: red\n\nAnn\nhp: 2\n3 toughness\n1 fighting\n\nCy\n2 toughness"
    sheets = f"{ours}\n\nside: them\n\nBo\nhp: 1\n4 toughness"
    said = list_changes(require(prepared(sheets=sheets).initial_state), "them", "red")
    assert [each.hp for each in said["with toughness 5 for Bo"].fighters] == [2, 2, 1]
    assert [each.hp for each in said["with toughness 2 for Ann"].fighters] == [2, 2, 1]
    assert [each.hp for each in said["with toughness 1 for Cy"].fighters] == [2, 1, 1]


EVEN_SHEETS = (
    "side: us\n\nAnn\n6 toughness\n5 fighting\n\nside: them\ngroup: pack\n\n"
    "Guard 1\nhp: 2\n3 toughness\n1 fighting: spear\n\nGuard 2\n2 toughness\n\nRat\nminion of Guard 2\n1 toughness"
)


@pytest.mark.parametrize(
    ("change", "message", "characters"),
    [
        (
            {"more": "guard-1", "count": 2},
            "Guard 3 and Guard 4 added.",
            {"Ann": "us ann 6", "Guard 1": "them pack 2", "Guard 2": "them pack 2", "Rat": "them pack 1"}
            | {"Guard 3": "them pack 3", "Guard 4": "them pack 3"},
        ),
        (
            {"without": ["guard-2", "rat"]},
            "Guard 2 and Rat removed.",
            {"Ann": "us ann 6", "Guard 1": "them pack 2"},
        ),
        (
            {"of": "guard-1", "ability": "toughness", "level": 1},
            "Guard 1 now has toughness 1.",
            {"Ann": "us ann 6", "Guard 1": "them pack 1", "Guard 2": "them pack 2", "Rat": "them pack 1"},
        ),
        (
            {"of": "guard-2", "ability": "toughness", "level": 4},
            "Guard 2 now has toughness 4.",
            {"Ann": "us ann 6", "Guard 1": "them pack 2", "Guard 2": "them pack 4", "Rat": "them pack 1"},
        ),
    ],
    ids=["more", "without", "less than the hit points", "level"],
)
def test_set_up_makes_the_advised_change(change: dict[str, Any], message: str, characters: dict[str, str]) -> None:
    """The button changes the stat blocks.

    Sides, groups, hit points and notes stay, and minions leave with their leader.
    """
    changed = prepared(sheets=EVEN_SHEETS, act=f"even {json.dumps(change)}", odds="on")
    assert changed.added_message == message
    fighters = {each.name: f"{each.side} {each.group} {each.hp}" for each in require(changed.initial_state).fighters}
    assert fighters == characters
    assert "1 fighting: spear" in changed.fields["sheets"]


def test_advised_change_rewrites_only_the_stat_block_that_changes() -> None:
    """Other stat blocks keep their words, and a changed character keeps its space."""
    ours = "side: us\n\nAnn\nat: 1,2\nToughness: 3 (tired)"
    sheets = f"{ours}\n\nside: them\n\nBo\nat: 3,4\nToughness: 2\n\n\nside: others\n\nCy\n1 toughness\n"
    copied = prepared(sheets=sheets, act='even {"more":"bo","count":2}').fields["sheets"]
    head, _, tail = sheets.partition("\n\n\n")
    new_blocks = [
        f"Bo {number} (10 agility, 10 intelligence, 9 strength, 1 stamina)\nside: them\n2 toughness"
        for number in (2, 3)
    ]
    assert copied == "\n\n".join((head, *new_blocks)) + f"\n\n\n{tail}"
    raised = prepared(sheets=sheets, act='even {"of":"bo","ability":"toughness","level":3}').fields["sheets"]
    block = "Bo (10 agility, 10 intelligence, 10 strength, 1 stamina)\nat: 3,4\nside: them\n3 toughness"
    assert raised == sheets.replace("Bo\nat: 3,4\nToughness: 2", block)


@pytest.mark.parametrize(
    ("sheets", "change", "characters"),
    [
        pytest.param(
            "side: us\n\nGuard 1\n3 toughness\nGuard 2\n2 toughness",
            {"of": "guard-1", "ability": "toughness", "level": 4},
            {"Guard 1": "us guard-1 4", "Guard 2": "us guard-2 2"},
            id="without an empty line",
        ),
        pytest.param(
            "side: us\ngroup: pack\n\nAnn\nturns: separate\n3 toughness\n\nBo\n2 toughness",
            {"of": "ann", "ability": "toughness", "level": 4},
            {"Ann": "us ann 4", "Bo": "us pack 2"},
            id="an own turn under a heading",
        ),
        pytest.param(
            "Ann\n3 toughness\n\n| Name | Toughness | Fighting |\n|---|---|---|\n| Bo | 3 | 1 |\n| Cy | 1 | 1 |",
            {"more": "bo", "count": 1},
            {"Ann": "ann ann 3", "Bo": "bo bo 3", "Cy": "cy cy 1", "Bo 2": "bo-2 bo-2 3"},
            id="rows of a table",
        ),
        pytest.param(
            "Ann\n3 toughness\n\nside: them\n\n2 shooting\n\nBo\n2 toughness",
            {"of": "ann", "ability": "shooting", "level": 3},
            {"Ann": "ann ann 3", "Bo": "them them 2"},
            id="a block that goes on after a heading",
        ),
        pytest.param(
            "side: them\n\nYo\nturns: separate\n3 toughness\n\nBo\n2 toughness",
            {"more": "yo", "count": 1},
            {"Yo": "them yo 3", "Yo 2": "them yo-2 3", "Bo": "them them 2"},
            id="a copy with its own turn",
        ),
    ],
)
def test_advised_change_leaves_all_other_characters_as_they_are(
    sheets: str, change: dict[str, Any], characters: dict[str, str]
) -> None:
    """Stat blocks that can't be edited separately are all rewritten."""
    sheets += "\n\nside: foes\n\nZed\n1 toughness"
    assert prepared(sheets=sheets).initial_state
    changed = require(prepared(sheets=sheets, act=f"even {json.dumps(change)}").initial_state)
    others = [each for each in changed.fighters if each.name != "Zed"]
    assert characters == {each.name: f"{each.side} {each.group} {each.hp}" for each in others}


@pytest.mark.parametrize(
    "change", ["", "x", "[]", "{}", '{"more":"zed","count":1}', '{"of":"ann","ability":"x","level":1}']
)
def test_set_up_ignores_a_change_that_does_not_fit(change: str) -> None:
    """An invalid change leaves the set-up as it is, and the page says so."""
    seen = prepared(sheets=EVEN_SHEETS, act=f"even {change}")
    assert seen.fields["sheets"] == EVEN_SHEETS
    assert "nothing was changed" in seen.added_message


def test_change_without_a_leader_is_the_one_that_was_played() -> None:
    """A leader leaves with the minions, in the simulated fights and in the set-up.

    Rule: `command.minions`.
    """
    state = require(prepared(sheets=EVEN_SHEETS).initial_state)
    played = list_changes(state, "us", "them")["without Guard 2 and Rat"]
    (change,) = (
        each for each, _ in win_chances._list_single_gm_changes(state, "us", "them") if each.words.endswith("and Rat")
    )
    pressed = prepared(sheets=EVEN_SHEETS, act=f"even {format_change(change)}")
    assert [each.id for each in played.fighters] == [each.id for each in require(pressed.initial_state).fighters]


def test_advice_on_balance_has_a_button_that_takes_it() -> None:
    """After the press the fight is more even, and the page says what changed."""
    seen = prepared(sheets=GUARDED, act="odds on")
    assert require(seen.win_chances).balance_text.startswith("More even without Guard")
    html = render_calculator_response("fight", format_query({"sheets": GUARDED, "act": "odds on"})).html
    button = require(BeautifulSoup(html, "html.parser").select_one("[value^='even ']"))
    changed = prepared(sheets=GUARDED, odds="on", act=str(button["value"]))
    assert len(changed.fighters) < len(seen.fighters)
    assert "removed" in changed.added_message


GUARDED = f"side: us\n\nAnn\n5 toughness\n4 fighting\n\nside: them\n\n{GUARDS}\n\nBoss\n5 toughness\n2 fighting"


def test_chances_stay_on_while_a_side_is_empty_or_the_fight_is_over() -> None:
    """The form keeps the setting while there are no chances to show."""
    alone = format_query({"sheets": "side: us\n\nAnn\n3 toughness", "odds": "on"})
    won = BEGUN.replace('id = "bo"', 'id = "bo"\nhp = 0')
    over = format_query({"log": won, "act": '{"do":"end-encounter"}', "odds": "on"})
    for query in (alone, over):
        page = BeautifulSoup(render_calculator_response("fight", query).html, "html.parser")
        assert [each["value"] for each in page.select("[name=odds]")] == ["on"]
        assert not page.select("[data-chances]")
