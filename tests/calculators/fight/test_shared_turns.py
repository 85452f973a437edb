"""Shared turns in the set-up of a fight: the game master's side is one initiative group (ruling A44)."""

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from build_scripts.render import render_calculator_response
from scratch_core.calculators.characters_text.setup_text import (
    SEPARATE,
    TOGETHER,
    add_side_groups_to_gm_characters,
    format_setup,
    parse_setup,
    set_turns,
)
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import scenario_from_dict
from tests.support.fights import view_begun_fight, view_fight, view_next
from tests.support.known import require

PARTY = "side: us\n\nAnn\n3 toughness\n\nBo\n3 toughness"
BANDITS = "side: them\n\nBandit 1\n3 toughness\n\nBandit 2\n3 toughness\n\nWolf\n2 toughness"
BOTH = f"{PARTY}\n\n{BANDITS}"


def groups(seen: View) -> dict[str, str]:
    """The initiative group of each character of a set-up, by id."""
    return {each.id: each.group for each in seen.fighters}


def tick(seen: View, side: str) -> tuple[str, str]:
    """The press of a side's tick for separate turns, and whether it is set."""
    html = BeautifulSoup(render_calculator_response("fight", format_query(dict(seen.fields))).html, "html.parser")
    found = html.select_one(f"[data-turns='{side}']")
    assert found is not None
    assert found.get_text() == "Each takes a separate turn"
    return str(found["value"]), str(found["aria-pressed"])


def test_setup_side_of_the_game_master_is_one_group() -> None:
    """The game master's side rolls once, each of the players' characters separately.

    Two bandits and a wolf act in one turn.
    """
    assert groups(view_fight(sheets=BOTH)) == {
        "ann": "ann",
        "bo": "bo",
        "bandit-1": "them",
        "bandit-2": "them",
        "wolf": "them",
    }
    added = view_fight(act="add", add_side="them", add_count="2", sheets=PARTY, **{"tick.bandit": "bandit"})
    assert groups(added) == {"ann": "ann", "bo": "bo", "bandit-1": "them", "bandit-2": "them"}
    shown = require(view_begun_fight(BOTH, "them 12, ann 19, bo 4").fight_view)
    assert [(name, members) for name, _, members in shown.initiative] == [
        ("ann", ("Ann",)),
        ("them", ("Bandit 1", "Bandit 2", "Wolf")),
        ("bo", ("Bo",)),
    ]


@pytest.mark.parametrize(
    ("sides", "shared"),
    [
        (("us", "pirates", "navy"), {"pirates": "pirates", "navy": "navy"}),
        (("yours", "theirs"), {"theirs": "theirs"}),
        (("Us", "them"), {"them": "them"}),
        (("hunters", "pirates"), {}),
        (("them", "pirates"), {"them": "them"}),
        (("", "us"), {}),
    ],
    ids=[
        "every other side",
        "yours and theirs",
        "a capital letter",
        "no players' side known",
        "them alone",
        "each for itself",
    ],
)
def test_only_sides_of_the_game_master_share_turns(sides: tuple[str, ...], shared: dict[str, str]) -> None:
    """All sides but the players' share their turns.

    If no players' side has a character, only *them* does.
    """
    blocks = [f"{side or 'lone'} {n}\n{f'side: {side}' if side else ''}\n2 toughness" for side in sides for n in (1, 2)]
    seen = view_fight(sheets="\n\n".join(blocks))
    for each in seen.fighters:
        assert each.group == shared.get(each.side, each.id)


def test_tick_separates_a_side_and_joins_it_again() -> None:
    """The tick adds a line `turns: separate` below each name and removes it again."""
    seen = view_fight(sheets=BOTH)
    press, is_set = tick(seen, "them")
    assert is_set == "false"
    apart = view_fight(act=press, sheets=BOTH)
    assert groups(apart) == {each: each for each in ("ann", "bo", "bandit-1", "bandit-2", "wolf")}
    assert apart.fields["sheets"].count("turns: separate") == 3
    assert "sheets" in apart.updated_fields
    assert apart.added_message == "Them: each character takes a separate turn."
    press, is_set = tick(apart, "them")
    assert is_set == "true"
    assert view_fight(act=press, sheets=apart.fields["sheets"]).fields["sheets"] == BOTH
    press, is_set = tick(seen, "us")
    assert is_set == "true"
    party = view_fight(act=press, sheets=BOTH)
    assert {party.fighters[0].group, party.fighters[1].group} == {"us"}
    assert tick(party, "us")[1] == "false"


def test_tick_overrules_groups_that_were_written() -> None:
    """A line `group` below a name goes, one above several is answered below each name."""
    own = view_fight(
        act="turns separate them", sheets="Ann\nside: us\n2 toughness\n\nRat\nside: them\ngroup: pack\n1 toughness"
    )
    assert groups(own) == {"ann": "ann", "rat": "rat"}
    assert "group:" not in own.fields["sheets"]
    headed = BOTH.replace("side: them", "side: them\ngroup: pack")
    assert set(groups(view_fight(sheets=headed)).values()) == {"ann", "bo", "pack"}
    apart = view_fight(act="turns separate them", sheets=headed)
    assert set(groups(apart).values()) == {"ann", "bo", "bandit-1", "bandit-2", "wolf"}
    assert set(groups(view_fight(act="turns together them", sheets=apart.fields["sheets"])).values()) == {
        "ann",
        "bo",
        "them",
    }


@pytest.mark.parametrize(("turns", "side"), [(SEPARATE, "them"), (TOGETHER, "us")])
def test_newcomer_has_the_turn_setting_of_its_side(turns: str, side: str) -> None:
    """A character added to a side has that side's setting, also if it is unusual."""
    other = view_fight(act=f"turns {turns} {side}", sheets=BOTH)
    seen = view_fight(act="add", add_side=side, sheets=other.fields["sheets"], **{"tick.bear": "bear"})
    assert groups(seen)["bear"] == ("us" if turns == TOGETHER else "bear")


def test_minions_share_their_leaders_turns_in_every_setting() -> None:
    """A leader's minions take no turn of their own, whatever the side's tick says (`command.minions`)."""
    gang = "Boss\n3 toughness\n2 command\n\nThug\nminion of Boss\n2 toughness\n\nRat\n1 toughness"
    sheets = f"{PARTY}\n\nside: them\n\n{gang}"
    seen = view_fight(sheets=sheets)
    leader = seen.fighters[2]
    assert [each.is_minion for each in seen.fighters[2:]] == [False, True, False], seen.problems
    assert {each.group for each in seen.fighters[2:]} == {"them"}
    apart = view_fight(act="turns separate them", sheets=sheets)
    assert groups(apart) == {"ann": "ann", "bo": "bo", "boss": "boss", apart.fighters[3].id: leader.id, "rat": "rat"}


def test_minions_of_a_newcomer_share_its_turn_where_each_is_separate() -> None:
    """Minions of a captain on a side with separate turns share the captain's turn.

    Rule `command.minions`.
    """
    apart = view_fight(act="turns separate them", sheets=BOTH)
    seen = view_fight(act="add", add_side="them", sheets=apart.fields["sheets"], **{"tick.captain": "captain"})
    crew = [each for each in seen.fighters if each.is_minion]
    assert crew
    assert {each.group for each in crew} == {"captain"}


def test_new_setup_of_a_fight_preserves_its_groups() -> None:
    """A new set-up of a fight has the same groups.

    The fight's file contains them.
    """
    for act in ("", "turns separate them", "turns together us"):
        before = view_fight(sheets=BOTH, act=act)
        again = view_next(view_begun_fight(before.fields["sheets"], ""), act="setup")
        assert groups(again) == groups(before)
    own = [
        {"id": each, "side": "them" if each != "ann" else "us", "abilities": {"toughness": 2}}
        for each in ("ann", "rat", "cat")
    ]
    opened = view_next(
        view_begun_fight(BOTH, ""),
        act="setup",
        log=json.dumps(
            {
                "format": SCENARIO_FORMAT,
                "characters": own,
                "initiative": {"ann": [9], "rat": [3], "cat": [2]},
                "steps": [],
            }
        ),
    )
    assert groups(opened) == {"ann": "ann", "rat": "rat", "cat": "cat"}, "the file's default stays the id"


@given(
    st.lists(
        st.tuples(st.sampled_from(("us", "them", "wolves", "")), st.sampled_from(("", "own", "them", "pack"))),
        min_size=1,
        max_size=6,
    )
)
def test_setup_text_round_trip_preserves_groups(people: list[tuple[str, str]]) -> None:
    """With any groups in a file, its set-up as text has the same groups."""
    tables = []
    for number, (side, group) in enumerate(people):
        own = f"kim-{number}"
        said = {"side": side, "group": own if group == "own" else group}
        tables.append(
            {
                "id": own,
                "name": f"Kim {number}",
                "abilities": {"toughness": 1},
                **{key: each for key, each in said.items() if each},
            }
        )
    scenario = scenario_from_dict({"format": SCENARIO_FORMAT, "characters": tables, "steps": []})
    found = add_side_groups_to_gm_characters(parse_setup(format_setup(scenario)).characters)
    again = scenario_from_dict({"format": SCENARIO_FORMAT, "characters": list(found), "steps": []})
    assert [
        (each.name, each.side if each.side != each.id else "", each.group == each.id or each.group)
        for each in again.fighters
    ] == [
        (each.name, each.side if each.side != each.id else "", each.group == each.id or each.group)
        for each in scenario.fighters
    ]


def test_invalid_turns_line_is_reported() -> None:
    """A line about turns has one of two words, and any other is a problem."""
    wrong = parse_setup("Ann\nturns: often\n2 toughness")
    assert [problem.expected for problem in wrong.problems] == ["separate or together"]
    assert set_turns("Ann\n2 toughness", "nobody", SEPARATE) == "Ann\n2 toughness"
