"""The cast: members spend what they claim, are found by id and name, and join a fight as printed."""

import json
from collections import Counter

import pytest

from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.cast import ARCHETYPES, CAST, OPPONENTS, CastMember, format_sheet_with_minions, get_member
from scratch_core.characters import Limits, audit_figures, command_problems, parse_sheet
from scratch_core.cli import main
from scratch_core.errors import ScratchError

for_each_member = pytest.mark.parametrize("member", CAST, ids=lambda member: member.id)


@for_each_member
def test_members_spend_the_points_that_they_claim(member: CastMember) -> None:
    """Each member of the cast spends its claimed points within its claimed level.

    The draft has no error by these limits.
    """
    character = member.build_character()
    assert character.cp().value == member.cp
    assert max(line.level for line in character.lines) <= member.max_level
    problems = member.build_draft().problems(Limits(member.cp, member.max_level))
    assert [problem.message for problem in problems if problem.severity == "error"] == []


@for_each_member
def test_printed_figures_equal_the_engine_except_misprints(member: CastMember) -> None:
    """A printed figure equals the engine's, except where a ruling calls it a misprint.

    Rulings: K01, K02.
    """
    wrong = {found.name for found in audit_figures(member.build_draft(), member.build_character()) if not found.agrees}
    assert wrong == set(member.misprints)


@for_each_member
def test_minions_fit_the_command_of_their_leader(member: CastMember) -> None:
    """No one brings more minions, or stronger ones, than its command gives. Rule: command.minions."""
    minions = [get_member(each).build_character() for each in member.minions]
    assert command_problems(member.build_character(), minions) == ()
    assert all(minion.minion_of == member.name for minion in minions)


@for_each_member
def test_cast_member_sheet_is_parsed_with_its_minions(member: CastMember) -> None:
    """The setup lists the leader first, then its minions on the same side."""
    setup = parse_setup(format_sheet_with_minions(member))
    assert setup.is_ready
    leader, *minions = setup.characters
    assert leader["name"] == member.name
    assert leader["abilities"] == member.map_abilities_to_levels()
    assert [each["minion_of"] for each in minions] == [leader["id"]] * len(member.minions)


def test_cast_has_required_size_and_unique_ids() -> None:
    """The cast has 6 printed characters, 8 archetypes, 12 opponents and unique ids.

    The numbers of archetypes and opponents are minimums. An archetype has ten character points.
    """
    assert [member.name for member in CAST[:3]] == ["Chokestar", "Flipfire", "Breakhelm X-19"]
    kinds = Counter(member.kind for member in CAST)
    assert kinds["printed"] == 6
    assert kinds["archetype"] >= 8
    assert kinds["opponent"] >= 12
    assert len({member.id for member in CAST}) == len(CAST) == len({member.name.casefold() for member in CAST})
    assert {(each.cp, each.max_level) for each in ARCHETYPES} == {(10, 4)}
    costs = [each.cp for each in OPPONENTS]
    assert costs == sorted(costs)


@pytest.mark.parametrize("name", ["the-boss", "The Boss", " the  BOSS "])
def test_get_member_finds_id_and_name_in_any_case(name: str) -> None:
    """Id or name, in any case."""
    assert get_member(name).id == "the-boss"


@pytest.mark.parametrize(("name", "near"), [("bosss", "the-boss"), ("chokstar", "chokestar"), ("gard", "guard")])
def test_get_member_with_unknown_name_suggests_similar_names(name: str, near: str) -> None:
    """An unknown name is rejected with the most similar names."""
    with pytest.raises(ScratchError, match=near) as caught:
        get_member(name)
    assert caught.value.problem.code == "cast.unknown"


# The command


def test_cast_command_lists_all_members(capsys: pytest.CaptureFixture[str]) -> None:
    """`cast` prints a line for each member, and `cast --json` the members as records."""
    assert main(["cast"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(CAST)
    assert main(["cast", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in listed] == [member.id for member in CAST]
    assert listed[4] == {
        "id": "the-boss",
        "name": "The Boss",
        "kind": "printed",
        "claim": {"cp": 10, "max_level": 4},
        "minions": ["thug", "thug"],
    }


def test_cast_command_prints_member_with_minions(capsys: pytest.CaptureFixture[str]) -> None:
    """`cast NAME` prints stat blocks that `parse_sheet` accepts.

    Misprints go to standard error.
    """
    assert main(["cast", "THE BOSS"]) == 0
    out, err = capsys.readouterr()
    assert [draft.name for draft in parse_sheet(out).drafts] == ["The Boss", "Thug", "Thug"]
    assert "(K02)" in err


def test_cast_command_prints_member_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`cast NAME --json` adds abilities and text to the listed keys."""
    assert main(["cast", "captain", "--json"]) == 0
    member = json.loads(capsys.readouterr().out)
    assert set(member) == {"id", "name", "kind", "claim", "minions", "abilities", "text"}
    assert member["abilities"]["command"] == 4
    assert member["text"] == format_sheet_with_minions(get_member("captain"))


def test_cast_command_with_unknown_name_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name gives exit code 2 and similar names."""
    assert main(["cast", "chokstar", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "chokestar" in err
