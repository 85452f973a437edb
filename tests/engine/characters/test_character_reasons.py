"""Characters in detail: each part of a figure names its rule, each refusal its place and its rule."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scratch_core.characters import (
    ABOVE_AVERAGE,
    AVERAGE,
    Character,
    CharacterDraft,
    Limits,
    TemporaryBonus,
    attack_damage,
    compute_weights,
    find_health,
    list_character_actions,
    lose_hp,
)
from scratch_core.rulebook import ACTIONS, RulingSettings
from tests.support.encounters import list_parts
from tests.support.printed_characters import PRINTED_BLOCKS
from tests.support.refusals import build_character, catch_problem, summarize_problem

# Figures

MADE = replace(
    build_character(stealth=2, detection=1, swimming=3, toughness=5), bonuses=(TemporaryBonus("stealth", "Maker"),)
)


SOFT_ONE = Character("X")


@pytest.mark.parametrize(
    ("character", "name", "parts"),
    [
        (MADE, "agility", [(10, "def.agility"), (2, "def.agility"), (1, "craft.bonus")]),
        (MADE, "intelligence", [(10, "def.intelligence"), (1, "def.intelligence")]),
        (MADE, "strength", [(10, "def.strength"), (3, "def.strength")]),
        (MADE, "hit-points", [(5, "hp.max")]),
        (MADE, "stamina", [(2, "hp.stamina")]),
        (SOFT_ONE, "agility", [(10, "def.agility")]),
        (SOFT_ONE, "intelligence", [(10, "def.intelligence")]),
        (SOFT_ONE, "strength", [(7, "def.strength.fallback")]),
        (build_character(toughness=3), "strength", [(7, "def.strength.fallback"), (3, "def.strength.fallback")]),
        (SOFT_ONE, "hit-points", [(0, "tough.none")]),
        (SOFT_ONE, "stamina", [(0, "hp.stamina")]),
    ],
)
def test_each_part_of_a_figure_names_its_rule(character: Character, name: str, parts: list[tuple[int, str]]) -> None:
    """`char.stat-line`: the base, the ability that counts, a crafted bonus, each by its own rule."""
    figures = character.figures()
    assert list(figures) == ["agility", "intelligence", "strength", "stamina", "hit-points"]
    assert (figures[name].name, list_parts(figures[name])) == (name, parts)


def test_points_are_counted_ability_by_ability() -> None:
    """`create.cp`: one part for each level bought, none for what a craftsman adds."""
    assert (MADE.cp().name, list_parts(MADE.cp())) == ("cp", [(level, "create.cp") for level in (2, 1, 3, 5)])
    assert list_parts(SOFT_ONE.cp()) == [(0, "create.cp")]


def test_level_parts_of_absent_ability_are_empty() -> None:
    """`char.ability-level`: an absent ability is not listed with 0."""
    assert Character("X").level_parts("fighting", "act.fighting.bonus") == ()


def test_first_of_equal_abilities_is_named() -> None:
    """`def.agility`: stealth 2 and flying 2 give the same 12, by stealth."""
    assert build_character(flying=2, stealth=2).agility().parts[1].label == "stealth"


def test_strength_takes_the_higher_value_only_by_ruling() -> None:
    """The ruling decides whether the higher of two strengths counts (`def.strength.fallback`, A01).

    Toughness 5 gives 12, and wrestling 2 gives 12 too; of equal figures, the trained one counts.
    """
    rulings = RulingSettings(strength_use_max=True)
    assert build_character(wrestling=2, toughness=5).strength(rulings).parts[0].rule == "def.strength"
    assert build_character(wrestling=1, toughness=5).strength(rulings).value == 12
    assert build_character(wrestling=1, toughness=5).strength().value == 11


# Character creation


EMPTY = ("character.empty", "cp", "char.ability-level", "error")
TYPICAL = ("create.typical", "cp", "create.typical", "advice")
SOFT = ("character.no-toughness", "toughness", "tough.none", "advice")


@pytest.mark.parametrize(
    ("levels", "limits", "expected"),
    [
        ({"flying": 2, "shooting": 4, "stealth": 4}, AVERAGE, [SOFT]),
        (
            {"toughness": 4, "shooting": 4, "stealth": 1},
            AVERAGE,
            [("create.unspent", "cp", "create.average", "advice")],
        ),
        ({}, AVERAGE, [EMPTY]),
        ({"toughness": 4, "shooting": 4, "stealth": 2}, AVERAGE, []),  # 10 points, 3 abilities
        (dict.fromkeys(("toughness", "shooting", "stealth", "command", "healing"), 2), AVERAGE, []),
        (
            dict.fromkeys(("toughness", "shooting", "stealth", "command", "healing", "flying"), 2),
            ABOVE_AVERAGE,
            [],
        ),  # six are still usual
        (
            {**dict.fromkeys(("toughness", "shooting", "stealth", "command", "healing", "flying"), 1), "swimming": 4},
            AVERAGE,
            [TYPICAL],
        ),
        (
            {"toughness": 5, "shooting": 5, "stealth": 1},
            AVERAGE,
            [
                ("create.max-level", "toughness", "create.max-level", "error"),
                ("create.max-level", "shooting", "create.max-level", "error"),
                ("create.cp", "cp", "create.average", "error"),
            ],
        ),
        (
            {"toughness": 5, "shooting": 5, "stealth": 3},
            ABOVE_AVERAGE,
            [("create.cp", "cp", "create.above-average", "error")],
        ),
        ({"toughness": 4, "shooting": 4, "stealth": 3}, Limits(10, 5), [("create.cp", "cp", "create.cp", "error")]),
        (
            {"toughness": 4, "shooting": 4, "stealth": 1},
            ABOVE_AVERAGE,
            [("create.unspent", "cp", "create.above-average", "advice")],
        ),
        # 7 and toughness 4 are 11, wrestling 1 gives 11 as well: no advice (A01)
        ({"toughness": 4, "wrestling": 1, "shooting": 4, "stealth": 1}, AVERAGE, []),
        (
            {"toughness": 5, "wrestling": 1, "shooting": 4},
            Limits(10, 5),
            [("character.weaker", "wrestling", "A01", "advice")],
        ),
    ],
)
def test_limits_and_advice_name_place_and_rule(
    levels: dict[str, int], limits: Limits, expected: list[tuple[str, str, str, str]]
) -> None:
    """`create.cp`, `create.max-level`, `create.average`, `create.above-average`, `create.typical`, `tough.none`."""
    draft = CharacterDraft.from_levels({name: str(level) for name, level in levels.items()})
    assert [summarize_problem(problem) for problem in draft.problems(limits)] == expected


@pytest.mark.parametrize(
    ("text", "where"),
    [("X\n4 shooting\n4 stealth\n2 flying", "line 1"), ("X\n4 shooting\n4 stealth\n2 flying\n0 toughness", "line 5")],
    ids=["absent", "level-0"],
)
def test_missing_toughness_is_reported_at_its_line_or_at_the_name(text: str, where: str) -> None:
    """`tough.none`: a sheet has no control to point at."""
    assert [summarize_problem(problem) for problem in CharacterDraft.from_stat_block(text).problems()] == [
        ("character.no-toughness", where, "tough.none", "advice")
    ]


def test_strength_base_8_makes_low_wrestling_worse_than_toughness() -> None:
    """Strength base 8 makes low wrestling worse than toughness (`def.strength.fallback`, A01, K01).

    8 and toughness 4 are 12, more than the 11 of wrestling 1.
    """
    draft = CharacterDraft.from_levels({"toughness": "4", "wrestling": "1", "shooting": "4", "stealth": "1"})
    (problem,) = draft.problems(AVERAGE, RulingSettings(strength_base=8))
    assert summarize_problem(problem) == ("character.weaker", "wrestling", "A01", "advice")


def test_draft_with_an_invalid_level_has_no_advice() -> None:
    """A draft with an invalid level has errors and no advice (`create.typical`).

    The advice for an empty character is left out too.
    """
    half = CharacterDraft.from_levels({"shooting": "x", "fighting": "2"})
    assert [problem.code for problem in half.problems()] == ["character.level"]
    none = CharacterDraft.from_levels({"shooting": "x"})
    assert [problem.code for problem in none.problems()] == ["character.level"]


@pytest.mark.parametrize(("cp", "abilities"), [(10, 3), (12, 3), (9, 3), (8, 2), (1, 1), (0, 0)], ids=str)
def test_limits_fewest_abilities_that_spend_all_points(cp: int, abilities: int) -> None:
    """Limits give the fewest abilities that spend all points (`create.above-average`).

    With at most 4 in one ability, 9 points take three abilities. With at most level 0 the number is 0.
    """
    assert Limits(cp, 4).min_ability_count == abilities
    assert Limits(cp, 0).min_ability_count == 0


# Weights and hit points


@pytest.mark.parametrize(("effort", "limit"), [("pack", 20), ("carry", 50), ("lift", 100), ("drag", 100)])
def test_carrying_lifting_and_dragging_have_their_limits(effort: Any, limit: int) -> None:
    """`carry.pack`, `carry.short`, `carry.lift`, `carry.drag`: 2, 5, 10 and 10 kg a point of strength 10."""
    assert compute_weights(10).limit_kg(effort) == limit


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: find_health(5, 4), ("hp.range", "hp", "hp.max", "error")),
        (lambda: compute_weights(-1), ("carry.strength", "strength", None, "error")),
        (lambda: find_health(0, -1), ("hp.max.negative", "max_hp", "hp.max", "error")),
        (lambda: find_health(-1, 7), ("hp.range", "hp", "hp.max", "error")),
        (lambda: lose_hp(-1, 0), ("hp.negative", "hp", None, "error")),
        (lambda: lose_hp(0, -1), ("damage.negative", "damage", None, "error")),
        (lambda: attack_damage(1, 0), ("roll.face", "face", "roll.die-substitute", "error")),
        (lambda: attack_damage(1, 21), ("roll.face", "face", "roll.die-substitute", "error")),
        (lambda: attack_damage(-1, 20), ("damage.negative", "normal", None, "error")),
    ],
)
def test_impossible_numbers_are_refused_with_their_place(
    call: Callable[[], Any], expected: tuple[str, str, str | None, str]
) -> None:
    """`carry.soft`, `hp.max`, `hp.damage`: weights, hit points and damage from 0, a face of the die."""
    assert summarize_problem(catch_problem(call)) == expected


@pytest.mark.parametrize(
    ("hp", "max_hp", "expected"),
    [(0, 0, "incapacitated"), (1, 1, "healthy"), (1, 2, "injured"), (2, 2, "healthy"), (2, 5, "injured")],
)
def test_small_maximum_hit_points_have_all_conditions(hp: int, max_hp: int, expected: str) -> None:
    """Stamina is half of a small maximum, rounded down: 0 of 1, 2 of 5.

    Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`.
    """
    assert find_health(hp, max_hp) == expected


@pytest.mark.parametrize(
    ("normal", "face", "on_20", "parts"),
    [
        (1, 19, None, [(1, "hp.damage")]),
        (1, 20, None, [(1, "hp.damage"), (1, "hp.auto-damage")]),
        (2, 20, 5, [(2, "hp.damage"), (3, "act.shooting.auto")]),
        (2, 1, 5, [(2, "hp.damage")]),
        (0, 20, None, [(0, "hp.auto-no-damage")]),
        (0, 1, None, [(0, "hp.damage")]),
    ],
)
def test_damage_lists_its_reasons(normal: int, face: int, on_20: int | None, parts: list[tuple[int, str]]) -> None:
    """`hp.damage`, `hp.auto-damage`, `hp.auto-no-damage`, `act.shooting.auto`."""
    found = attack_damage(normal, face, on_20)
    assert (found.name, list_parts(found)) == ("damage", parts)


# Actions


def test_character_without_toughness_has_no_actions() -> None:
    """`tough.none`: toughness 1 is enough for all basic actions."""
    assert list_character_actions(build_character(shooting=4)) == ()
    assert list_character_actions(build_character(toughness=1)) != ()
    assert (
        build_character(shooting=4).can_act_in_encounters(),
        build_character(toughness=1).can_act_in_encounters(),
    ) == (
        False,
        True,
    )


def test_actions_follow_from_abilities() -> None:
    """`act.basic.available`, `char.ability-level`: everyone has the basic ones, the rest need their ability."""
    plain, flipfire = (
        build_character(toughness=3),
        CharacterDraft.from_stat_block(PRINTED_BLOCKS["Flipfire"]).build_character(),
    )
    basic, all_of_it = ({each.summary.do for each in list_character_actions(who)} for who in (plain, flipfire))
    assert basic == {action.do for action in ACTIONS if not action.required_abilities}
    assert all_of_it - basic == {"shoot", "double-attack", "heal", "revive"}


def test_character_action_parts_name_their_rules() -> None:
    """The parts of an action's bonus cite the rules of their abilities.

    A roll without an ability cites `roll.ability-optional`. Crafted bonuses count.
    """
    maker = replace(build_character(toughness=1, fighting=2, wrestling=2), bonuses=(TemporaryBonus("fighting", "M"),))
    found = {each.summary.do: each for each in list_character_actions(maker)}
    assert [(each.name, list_parts(each)) for each in found["basic-attack"].choices] == [
        ("fighting", [(2, "act.fighting.bonus"), (1, "craft.bonus")]),
        ("wrestling", [(2, "act.wrestling.bonus")]),
    ]
    assert [(each.name, list_parts(each)) for each in found["throw"].choices] == [
        ("no ability", [(0, "roll.ability-optional")])
    ]
    assert found["evade"].choices[0].name == "no ability"
    assert found["escape"].choices == ()
