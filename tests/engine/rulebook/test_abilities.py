"""The abilities: a table that agrees with the quick reference, aliases, benchmarks, scales."""

from typing import Any

import pytest

from scratch_core.errors import ScratchError
from scratch_core.rulebook import ACTIONS, GRID_ACTIONS, abilities, get_rule


@pytest.mark.parametrize("action", [*ACTIONS, *GRID_ACTIONS], ids=lambda action: action.do)
def test_ability_adds_to_agrees_with_quick_reference(action: Any) -> None:
    """The ability table and the quick reference list the same abilities for each roll.

    An evade and a move are no rolls.
    """
    do, adds, required = action.do, action.usable_abilities, action.required_abilities
    if do in ("evade", "move"):
        assert set(adds) == {ability.name for ability in abilities.list_group_abilities("movement")}
        return
    assert {ability.name for ability in abilities.ABILITIES if do in ability.actions_added_to} == set(adds)
    assert {ability.name for ability in abilities.ABILITIES if do in ability.actions_requiring} == set(required)


@pytest.mark.parametrize(
    ("defence", "names"),
    [
        ("agility", {"stealth", "acrobatics", "quickness", "flying"}),  # def.agility
        ("intelligence", {"detection", "command", "healing", "craftsmanship"}),  # def.intelligence
        ("strength", {"wrestling", "swimming"}),  # def.strength
    ],
)
def test_each_defence_has_its_abilities(defence: abilities.Defence, names: set[str]) -> None:
    """Swimming feeds strength, not agility."""
    assert set(abilities.list_defence_abilities(defence)) == names


@pytest.mark.parametrize("action", [action for action in ACTIONS if action.attack], ids=lambda action: action.do)
def test_attack_type_determines_its_defence(action: Any) -> None:
    """The attack type determines the defence: normal, psychic or force (`attack.type-map`).

    Only intimidation differs (`act.intimidate.defence`).
    """
    do, attack, defence = action.do, action.attack, action.defence_text
    assert (defence == abilities.DEFENCE_AGAINST[attack]) == (do != "intimidate")


def test_every_ability_names_a_rule_and_movement_names_its_ground() -> None:
    """The rule of each ability is in the catalogue.

    The four movement abilities, and no others, need terrain (`move.terrain`).
    """
    for ability in abilities.ABILITIES:
        assert get_rule(ability.rule).id == ability.rule
        assert bool(ability.terrain) == (ability.group == "movement")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("shooting", "shooting"),
        ("  Shooting ", "shooting"),
        ("STALKING", "stealth"),  # K05
        ("piloting", "piloting"),  # K05
        ("magic", None),
        ("", None),
        ("ｓhooting", None),
    ],
)
def test_find_ability_name_accepts_any_case_and_alias(written: str, name: str | None) -> None:
    """Aliases are followed, inert names are preserved, anything else is unknown (ruling K05)."""
    assert abilities.find_ability_name(written) == name


def test_toughness_benchmarks_equal_the_printed_values() -> None:
    """E094, `tough.benchmarks`: 2, 3, 4, 6 and 10."""
    assert [benchmark.toughness for benchmark in abilities.BENCHMARKS] == [2, 3, 4, 6, 10]


def test_built_toughness_is_the_sum_of_its_parts() -> None:
    """E112, `tough.training-armour`: big 4 and veteran 2 and heavy armour 2 are 8."""
    assert abilities.compute_toughness(4, training=2, heavy_armour=True).explanation == (
        "4 body + 2 training + 2 heavy armour = 8"
    )
    assert abilities.compute_toughness(3).value == 3


@pytest.mark.parametrize(("body", "training", "where"), [(-1, 0, "body"), (3, 3, "training"), (3, -1, "training")])
def test_built_toughness_rejects_impossible_levels(body: int, training: int, where: str) -> None:
    """A level below 0, or training beyond what it is worth, is the caller's mistake."""
    with pytest.raises(ScratchError, match=f"in {where}") as caught:
        abilities.compute_toughness(body, training)
    assert caught.value.code == "ability.range"


# Meanings of abilities

MAIN_USES = {
    "toughness": ("hit points", "stamina", "strength"),  # hp.max, hp.stamina, def.strength.fallback
    "fighting": ("basic attacks",),  # act.fighting.bonus
    "wrestling": ("holds", "basic attacks", "strength"),  # act.wrestling.bonus
    "stealth": ("initiative", "surprise"),  # stealth.initiative
    "detection": ("initiative", "surprise", "holds"),  # detection.initiative, detection.hold
    "acrobatics": ("evade",),  # move.use
    "quickness": ("evade",),
    "flying": ("evade", "out of reach of close attacks"),  # flying.immunity
    "swimming": ("evade", "bonus", "agility", "close attacks"),  # swimming.in-water
    "healing": ("reviving", "healing"),  # act.heal
    "craftsmanship": ("+1", "companions"),  # craft.bonus
    "command": ("minions", "intimidate"),  # command.minions
}


@pytest.mark.parametrize("name", MAIN_USES)
def test_ability_use_names_its_main_use(name: str) -> None:
    """An ability's use names its main purpose."""
    assert [words for words in MAIN_USES[name] if words not in abilities.ABILITIES_BY_NAME[name].use] == []


@pytest.mark.parametrize("each", abilities.ABILITIES, ids=lambda each: each.name)
def test_ability_meaning_has_at_most_two_sentences(each: abilities.Ability) -> None:
    """An ability's meaning begins with its name and has at most two sentences.

    It has at most 45 words and names the defence that the ability adds to.
    """
    assert each.meaning.startswith(f"{each.name.capitalize()} is ")
    assert each.meaning.endswith(".")
    assert 1 <= each.meaning.count(". ") + 1 <= 2
    assert len(each.meaning.split()) <= 45
    assert (each.defence or "") in each.meaning
    assert not each.use.endswith(".")


@pytest.mark.parametrize(
    ("written", "name"), [("Shooting", "shooting"), ("  sHooting ", "shooting"), ("stalking", "stealth")]
)
def test_get_ability_accepts_case_spaces_and_old_names(written: str, name: str) -> None:
    """Case and outer space don't matter, and an older name leads to today's (K05)."""
    assert abilities.get_ability(written).name == name


@pytest.mark.parametrize(
    ("written", "near"),
    [("shoting", "shooting"), ("fly", "flying"), ("piloting", "shooting"), ("", "toughness, shooting, blasting")],
    ids=["slip", "short", "inert", "nothing"],
)
def test_get_ability_with_unknown_name_suggests_similar_names(written: str, near: str) -> None:
    """An unknown name is rejected with the most similar names, or the first few."""
    with pytest.raises(ScratchError) as caught:
        abilities.get_ability(written)
    assert caught.value.code == "ability.unknown"
    assert caught.value.problem.expected.startswith("an ability, such as ")
    assert near in caught.value.problem.expected
