"""Random characters: always legal, of every kind, and named after their best abilities."""

from collections import Counter

import pytest

from scratch_core.characters import (
    ABOVE_AVERAGE,
    AVERAGE,
    AbilityLevel,
    Character,
    CharacterDraft,
    Limits,
    command_problems,
    format_sheet,
    generate_character_with_any_minion,
    parse_sheet,
    suggest_name,
)
from scratch_core.dice import RecordedRoller, SeededRoller
from scratch_core.rulebook.abilities import ABILITIES, ABILITY_NAMES, GROUPS
from scratch_core.turn_systems.initiative_rolls import RecordingRoller

MANY = 2_000


def levels(character: Character) -> dict[str, str]:
    """Levels as a form would give them."""
    return {line.ability: str(line.level) for line in character.lines}


def test_random_characters_are_legal_and_of_every_kind() -> None:
    """Each of 2,000 random characters obeys its limits and spends all points.

    Every ability and every group occurs, and none of them is rare.
    """
    roller, seen = SeededRoller(11), Counter[str]()
    for _ in range(MANY):
        leader, *minions = generate_character_with_any_minion(roller)
        draft = CharacterDraft.from_levels(levels(leader), leader.name)
        assert draft.problems(AVERAGE) == ()
        assert leader.cp().value == 10
        assert command_problems(leader, minions) == ()
        assert bool(minions) == bool(leader.base_level("command"))
        assert all(not CharacterDraft.from_levels(levels(each)).reading_problems() for each in minions)
        seen.update(levels(leader).keys())
    assert set(seen) == set(ABILITY_NAMES)
    assert min(seen.values()) >= 0.45 * MANY / len(ABILITIES), seen.most_common()[-3:]
    groups = {ability.group for ability in ABILITIES if ability.name in seen}
    assert groups == set(GROUPS)


@pytest.mark.parametrize(
    ("limits", "spent"),
    [
        pytest.param(ABOVE_AVERAGE, 12, id="12-and-5"),
        pytest.param(Limits(30, 3), 30, id="30-and-3"),
        pytest.param(Limits(99, 1), len(ABILITIES), id="more-points-than-room"),
        pytest.param(Limits(1, 4), 1, id="one-point"),
        pytest.param(Limits(2, 9), 2, id="two-points"),
    ],
)
def test_random_character_obeys_any_limits(limits: Limits, spent: int) -> None:
    """A random character spends all points that its limits have room for.

    No level is above the maximum, and toughness comes first.
    """
    for seed in range(60):
        leader, *_ = generate_character_with_any_minion(SeededRoller(seed), limits)
        assert leader.cp().value == spent
        assert max(line.level for line in leader.lines) <= limits.max_level
        assert leader.base_level("toughness") >= 1


def test_no_points_give_no_character() -> None:
    """Without points to spend there is no character."""
    assert generate_character_with_any_minion(SeededRoller(1), Limits(0, 4)) == ()


def test_random_character_uses_all_its_faces_and_no_more() -> None:
    """The same faces give the same character, and it uses exactly these faces."""
    roller = RecordingRoller(SeededRoller(5))
    first = generate_character_with_any_minion(roller)
    again = RecordedRoller(roller.faces)
    assert generate_character_with_any_minion(again) == first
    again.require_all_used()


def test_random_character_sheet_round_trip_preserves_it() -> None:
    """A leader and its minion are unchanged after formatting and parsing."""
    for seed in range(200):
        people = generate_character_with_any_minion(SeededRoller(seed))
        sheet = parse_sheet(format_sheet(people))
        assert tuple(draft.build_character() for draft in sheet.drafts) == people


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ((("shooting", 4), ("detection", 2), ("toughness", 4)), "Sturdy archer"),
        ((("stealth", 4), ("knockout", 3), ("toughness", 3)), "Heavy-handed prowler"),
        ((("toughness", 4),), "Survivor"),
        ((("flying", 1),), "Flier"),
        ((("toughness", 3), ("command", 3)), "Sturdy leader"),
        ((("piloting", 4),), ""),
        ((), ""),
    ],
    ids=lambda case: str(case)[:40],
)
def test_suggest_name_uses_the_best_abilities(lines: tuple[tuple[str, int], ...], name: str) -> None:
    """The best ability gives the noun, and the next the adjective.

    Toughness is used last.
    """
    character = Character("", tuple(AbilityLevel(*line) for line in lines))
    assert suggest_name(character) == name
