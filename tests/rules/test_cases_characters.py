"""The rulebook's own cases about characters, by their numbers in the catalogue, and its tables."""

from collections.abc import Sequence

import pytest

from scratch_core.characters import (
    ABOVE_AVERAGE,
    AVERAGE,
    AbilityLevel,
    Character,
    CharacterDraft,
    Limits,
    attack_damage,
    audit_figures,
    command_problems,
    compute_weights,
    find_health,
    list_character_actions,
    lose_hp,
)
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import BENCHMARKS, MAX_UNAIDED_SWIMMING, compute_toughness
from tests.support.printed_characters import PRINTED_BLOCKS

BASE_8 = RulingSettings(strength_base=8)


def build_character(name: str = "Ann", **levels: int) -> Character:
    """A character with these levels."""
    return Character(name, tuple(AbilityLevel(ability, level) for ability, level in levels.items()))


def levels(*numbers: int) -> CharacterDraft:
    """Return a draft with these levels: the first is toughness.

    The other abilities do not matter.
    """
    names = ("toughness", "shooting", "fighting", "stealth")
    return CharacterDraft.from_levels({name: str(level) for name, level in zip(names, numbers, strict=False)})


def errors(problems: Sequence[Problem]) -> set[str]:
    """The codes of all errors."""
    return {problem.code for problem in problems if problem.severity == "error"}


# Hit points


@pytest.mark.parametrize(
    ("hp", "expected"),
    [*((hp, "healthy") for hp in (7, 6, 5, 4)), *((hp, "injured") for hp in (3, 2, 1)), (0, "incapacitated")],
)
def test_e023_above_stamina_is_healthy_and_at_0_incapacitated(hp: int, expected: str) -> None:
    """E023, `hp.healthy`, `hp.injured`, `hp.incapacitated`, `hp.illustration-7`: of 7 those from 4 are healthy."""
    assert find_health(hp, 7) == expected


def test_e023_toughness_7_has_7_hit_points_and_stamina_3() -> None:
    """E023, `hp.max`, `hp.start`, `hp.stamina`: starts with 7, stamina 3."""
    character = build_character(toughness=7)
    assert (character.max_hp().value, character.stamina().value) == (7, 3)


def test_e025_no_one_acts_without_toughness() -> None:
    """E025, `tough.none`, `hp.max`: no hit points, and no action is open."""
    character = build_character(shooting=4)
    assert character.max_hp().value == 0
    assert list_character_actions(character) == ()
    assert find_health(0, 0) == "incapacitated"


def test_e026_damage_below_0_is_lost() -> None:
    """E026, `hp.floor`, `hp.damage`: 2 hit points less 4 are 0."""
    assert lose_hp(2, attack_damage(4, face=7).value) == 0


def test_e027_a_20_does_one_more() -> None:
    """E027, `hp.auto-damage`: a 20 turns a basic attack's 1 damage into 2.

    The rule's own example turns 3 into 4.
    """
    assert attack_damage(1, face=20).explanation == "1 damage + 1 face 20 = 2"
    assert attack_damage(3, face=20).value == 4


def test_e028_a_20_adds_no_damage_to_none() -> None:
    """E028, `hp.auto-no-damage`: a plain hold does no damage on face 20 either."""
    assert attack_damage(0, face=20).value == 0


def test_e065_shooting_does_5_on_a_20() -> None:
    """E065, `act.shooting.auto`: 5 in all, not 3."""
    assert attack_damage(2, face=20, on_20=5).value == 5


def test_e030_down_to_stamina_is_injured() -> None:
    """E030, `hp.healthy`, `hp.injured`: toughness 6, 4 less 1 is 3."""
    assert find_health(lose_hp(4, 1), 6) == "injured"


# Defences


def test_e031_agility_takes_the_highest() -> None:
    """E031, `def.agility`, `def.agility.illustration`, `attack.type-map`: a total of 13 hits 13, one of 12 doesn't."""
    agility = build_character(acrobatics=2, quickness=3).agility()
    assert agility.explanation == "10 base + 3 quickness = 13"
    assert 13 >= agility.value > 12


def test_e032_stealth_counts_for_agility() -> None:
    """E032, `def.agility`, `def.agility.meaning`: Chokestar's stealth 3 gives agility 13.

    Swimming does not count.
    """
    assert build_character(stealth=3).agility().value == 13
    assert build_character(swimming=3).agility().value == 10


def test_e033_command_counts_for_intelligence() -> None:
    """E033, `def.intelligence`, `def.intelligence.meaning`, `def.psychic-source`: 14, so 13 fails (K02)."""
    assert build_character(detection=1, command=4).intelligence().explanation == "10 base + 4 command = 14"


def test_e034_a_weak_wrestler_is_weaker() -> None:
    """E034, `def.strength`, `def.strength.fallback`: strength is 11 with wrestling and 15 without.

    The setting uses the better of both (A01).
    """
    wrestler, other = build_character(toughness=8, wrestling=1), build_character(toughness=8)
    assert (wrestler.strength().value, other.strength().value) == (11, 15)
    assert wrestler.strength(RulingSettings(strength_use_max=True)).value == 15
    assert build_character(toughness=1, wrestling=3).strength(RulingSettings(strength_use_max=True)).value == 13


@pytest.mark.parametrize(("toughness", "base_7", "base_8"), [(6, 13, 14), (4, 11, 12)], ids=["Breakhelm", "Flipfire"])
def test_e035_strength_base_is_7_or_8_by_ruling(toughness: int, base_7: int, base_8: int) -> None:
    """E035, `def.strength.fallback`: 7 by the rule, 8 as printed (K01)."""
    character = build_character(toughness=toughness)
    assert (character.strength().value, character.strength(BASE_8).value) == (base_7, base_8)


def test_e036_strength_takes_the_higher() -> None:
    """E036, `def.strength`, `def.strength.meaning`: swimming 4 counts before wrestling 2.

    Agility is independent of them.
    """
    character = build_character(wrestling=2, swimming=4, toughness=3, quickness=5)
    assert (character.strength().value, character.agility().value) == (14, 15)


# Carrying

CARRY_TABLE = """
10 20 44 50 110 100 220
11 22 48 55 120 110 240
12 24 53 60 130 120 260
13 26 57 65 145 130 290
14 28 62 70 155 140 310
15 30 66 75 165 150 330
16 32 70 80 175 160 350
17 34 75 85 185 170 370
18 36 79 90 200 180 400
19 38 84 95 210 190 420
20 40 88 100 220 200 440
"""


@pytest.mark.parametrize("row", CARRY_TABLE.split("\n")[1:-1], ids=lambda row: f"strength {row[:2]}")
def test_e037_weights_equal_the_printed_table(row: str) -> None:
    """E037, `carry.pack`, `carry.short`, `carry.lift`, `carry.table`: all 66 printed weights."""
    strength, *expected = map(int, row.split())
    found = compute_weights(strength)
    assert [found.pack_kg, found.pack_lb, found.carry_kg, found.carry_lb, found.lift_kg, found.lift_lb] == expected


@pytest.mark.parametrize(
    ("strength", "pounds"),
    [
        (0, (0, 0, 0)),
        (7, (31, 75, 150)),  # 30.8; 77; 154
        (9, (40, 100, 200)),  # 39.6; 99; 198
        (21, (92, 230, 460)),  # 92.4; 231; 462
        (25, (110, 275, 550)),  # 110; 275; 550
        (1000, (4400, 11000, 22000)),
        (5, (22, 55, 110)),  # each exact
        (23, (101, 255, 510)),  # 101.2; 253; 506
        (24, (106, 265, 530)),  # 105.6; 264; 528
    ],
)
def test_weights_off_the_table_follow_the_formulas(strength: int, pounds: tuple[int, int, int]) -> None:
    """`carry.table` (A30): the formulas apply to any strength.

    Results are rounded to the nearest multiple of 1, 5 and 10.
    """
    found = compute_weights(strength)
    assert (found.pack_lb, found.carry_lb, found.lift_lb) == pounds


def test_e039_what_is_lifted_can_be_dragged() -> None:
    """E039, `carry.soft`, `carry.drag`: strength 10 usually lifts or drags 100 kg.

    Nothing in the engine refuses more.
    """
    assert (compute_weights(10).limit_kg("lift"), compute_weights(10).limit_kg("drag")) == (100, 100)


# Reference


def test_e094_swimming_scale_and_toughness_benchmarks_are_printed_ones() -> None:
    """E094, `swimming.scale`, `tough.benchmarks`: swimming 1 and 2 are human.

    The benchmarks of toughness are 2, 3, 4, 6 and 10.
    """
    assert MAX_UNAIDED_SWIMMING == 2
    assert [benchmark.toughness for benchmark in BENCHMARKS] == [2, 3, 4, 6, 10]


# Command


@pytest.mark.parametrize(
    ("sets", "broken"),
    [
        ([{"toughness": 4}], set()),
        ([{"toughness": 2}, {"toughness": 2}], set()),
        ([{"toughness": 1}, {"fighting": 3}], set()),
        ([{"toughness": 3}], set()),
        ([], set()),  # none at all is a choice (A26)
        ([{"toughness": 2}, {"toughness": 3}], {"command.cp"}),
        ([{"toughness": 1}] * 3, {"command.many"}),
        ([{"command": 1}], {"command.chain"}),
    ],
    ids=["4", "2+2", "1+3", "3", "none", "2+3", "1+1+1", "command"],
)
def test_e104_minions_fit_command_4_or_are_reported(sets: list[dict[str, int]], broken: set[str]) -> None:
    """E104, `command.minions`, `command.cp-limit`, `command.no-command`, `command.illustration-4`."""
    minions = [build_character(f"minion {index}", **its_levels) for index, its_levels in enumerate(sets)]
    assert errors(command_problems(build_character(command=4), minions)) == broken


def test_minions_need_a_level_of_command() -> None:
    """`command.minions`: a level of 1 at least is needed."""
    assert errors(command_problems(build_character(toughness=4), [build_character(toughness=1)])) == {"command.none"}


# Creation


@pytest.mark.parametrize(
    ("numbers", "limits", "broken", "unspent"),
    [
        ((4, 3, 3), AVERAGE, set(), False),
        ((4, 4, 2), AVERAGE, set(), False),
        ((5, 3, 2), AVERAGE, {"create.max-level"}, False),
        ((4, 4, 4), AVERAGE, {"create.cp"}, False),
        ((4, 4), AVERAGE, set(), True),
        ((5, 5, 2), ABOVE_AVERAGE, set(), False),
        ((6, 6), ABOVE_AVERAGE, {"create.max-level"}, False),
        ((5, 5), ABOVE_AVERAGE, set(), True),
    ],
)
def test_e109_e110_points_and_levels_beyond_limits_are_reported(
    numbers: tuple[int, ...], limits: Limits, broken: set[str], unspent: bool
) -> None:
    """E109, E110, `create.cp`, `create.max-level`, `create.average`, `create.above-average`."""
    problems = levels(*numbers).problems(limits)
    assert errors(problems) == broken
    assert ("create.unspent" in {problem.code for problem in problems}) == unspent


def test_e110_all_points_need_three_abilities() -> None:
    """E110, `create.above-average`, `create.average`: 12 at 5, and 10 at 4, need 3."""
    assert (ABOVE_AVERAGE.min_ability_count, AVERAGE.min_ability_count) == (3, 3)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Flipfire", set()),
        ("The Boss", set()),
        ("Zimzambamalam", {"create.max-level", "create.typical"}),
        ("Breakhelm X-19", {"create.max-level", "create.cp"}),
        ("Chokestar", {"create.unspent"}),
        ("Thug", set()),  # a minion: its leader pays
    ],
)
def test_e111_printed_characters_are_checked_at_10_and_4(name: str, found: set[str]) -> None:
    """E111, `create.typical`, `tough.none`, `create.average`: two pass, the others say why not (K03)."""
    assert {problem.code for problem in CharacterDraft.from_stat_block(PRINTED_BLOCKS[name]).problems()} == found


def test_e111_two_thugs_use_up_command_4() -> None:
    """E111, `command.cp-limit`: 2 and 2 of 4."""
    boss, thug = (
        CharacterDraft.from_stat_block(PRINTED_BLOCKS[name]).build_character() for name in ("The Boss", "Thug")
    )
    assert command_problems(boss, [thug, thug]) == ()


def test_e112_big_veteran_in_heavy_armour_has_toughness_8() -> None:
    """E112, `tough.training-armour`: toughness 8, so 8 hit points, stamina 4, strength 15."""
    character = build_character(toughness=compute_toughness(4, 2, heavy_armour=True).value)
    figures = character.figures()
    assert (figures["hit-points"].value, figures["stamina"].value, figures["strength"].value) == (8, 4, 15)


def test_e113_words_change_no_number() -> None:
    """E113, `create.setting`, `create.reskin`: shooting called lightning is shooting."""
    plain = CharacterDraft.from_stat_block("Zap\n3 shooting\n3 toughness").build_character()
    skinned = CharacterDraft.from_stat_block(
        "Zap: a storm in boots\n3 shooting: lightning\n3 toughness: ozone"
    ).build_character()
    assert plain.figures() == skinned.figures()
    assert plain.cp() == skinned.cp()


# The printed characters, worked out again (catalogue 3.1): CP, highest level, agility, intelligence, strength with base
# 7 and with base 8, stamina, hit points; then the printed figures that disagree with the rules.

PRINTED = {
    "Zimzambamalam": ((10, 8, 10, 10, 9, 10, 1, 2), {"strength": 10}),
    "The Boss": ((10, 4, 10, 14, 10, 11, 1, 3), {"intelligence": 11, "strength": 11}),
    "Thug": ((2, 2, 10, 10, 9, 10, 1, 2), {"strength": 10}),
    "Breakhelm X-19": ((14, 6, 10, 10, 13, 14, 3, 6), {"strength": 14}),
    "Chokestar": ((8, 3, 13, 10, 12, 12, 1, 3), {}),
    "Flipfire": ((10, 4, 11, 11, 11, 12, 2, 4), {"strength": 12}),
    "Chokestar, first build": ((10, 3, 13, 10, 13, 13, 1, 2), {}),
}


@pytest.mark.parametrize("name", PRINTED)
def test_printed_characters_have_the_computed_figures(name: str) -> None:
    """`char.stat-line`, `def.strength.fallback`: every figure of the table (K01, K02, K04, K05)."""
    expected, _ = PRINTED[name]
    character = CharacterDraft.from_stat_block(PRINTED_BLOCKS[name]).build_character()
    assert (
        character.cp().value,
        max(line.level for line in character.lines),
        character.agility().value,
        character.intelligence().value,
        character.strength().value,
        character.strength(BASE_8).value,
        character.stamina().value,
        character.max_hp().value,
    ) == expected


@pytest.mark.parametrize("name", PRINTED)
def test_audit_lists_the_disagreeing_figures(name: str) -> None:
    """`char.stat-line`: base 8 explains every printed strength, and nothing explains the Boss's intelligence."""
    draft = CharacterDraft.from_stat_block(PRINTED_BLOCKS[name])
    found = [entry for entry in audit_figures(draft, draft.build_character()) if not entry.agrees]
    assert {entry.name: entry.printed for entry in found} == PRINTED[name][1]
    assert all(entry.agrees_with_base_8 == (entry.name == "strength") for entry in found)
