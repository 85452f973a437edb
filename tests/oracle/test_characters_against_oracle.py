"""Comparison of the engine's characters with the oracle's, on thousands of random characters."""

from random import Random
from typing import Any

import pytest

from scratch_core import characters
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, decide
from scratch_core.encounter.state import build_fighter, build_initial_state
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from tests.oracle import character_oracle as oracle
from tests.support.sample_counts import count_examples

BATCHES, BATCH = 25, count_examples(200)  # 5,000 characters

RULINGS = [RulingSettings(strength_base=base, strength_use_max=use_max) for base in (7, 8) for use_max in (False, True)]


def random_levels(random: Random, most: int = 15) -> dict[str, int]:
    """Build random levels of a few abilities, in any order, mostly low.

    Sometimes there are none, an obsolete ability or an absurd level.
    """
    names = random.sample([*oracle.ABILITIES, "piloting"], random.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 9, 16)))
    if random.random() < 0.6 and "toughness" not in names:
        names.append("toughness")
    return {name: random.choice((1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, random.randint(1, most))) for name in names}


def build_draft(levels: oracle.Levels, name: str = "Someone", minion_of: str = "") -> characters.CharacterDraft:
    """Write levels as a user would write them into a form."""
    entries = tuple(characters.RawAbility(ability, str(level)) for ability, level in levels.items())
    return characters.CharacterDraft(name=name, entries=entries, minion_of=minion_of)


def build_character(levels: oracle.Levels, name: str = "Someone") -> characters.Character:
    """Build the engine's character of these levels, whatever the limits."""
    return build_draft(levels, name).build_character()


def expected_figures(levels: oracle.Levels, rulings: RulingSettings) -> dict[str, int]:
    """Return the oracle's figures by the engine's names."""
    return {
        "agility": oracle.agility(levels),
        "intelligence": oracle.intelligence(levels),
        "strength": oracle.strength(levels, rulings.strength_base, rulings.strength_use_max),
        "stamina": oracle.stamina(levels),
        "hit-points": oracle.hit_points(levels),
    }


def figures(character: characters.Character, rulings: RulingSettings = RULINGS[0]) -> dict[str, int]:
    """Return the engine's figures as plain numbers."""
    return {name: figure.value for name, figure in character.figures(rulings).items()}


def errors(problems: tuple[Problem, ...]) -> list[str]:
    """Return the codes of the problems that are errors."""
    return [problem.code for problem in problems if problem.severity == "error"]


# Random characters


@pytest.mark.parametrize("seed", range(BATCHES))
def test_random_characters_have_the_figures_of_the_oracle(seed: int) -> None:
    """Defences, stamina, hit points, CP, limits and conditions agree, under each reading of strength.

    Rules: `def.agility`, `def.intelligence`, `def.strength`, `def.strength.fallback`, `hp.stamina`, `hp.healthy`,
    `hp.injured`, `hp.incapacitated`, `act.heal.injured`, `create.cp`, `create.max-level`, `create.above-average`.
    """
    random = Random(seed)
    for _ in range(BATCH):
        levels = random_levels(random)
        character = build_character(levels)
        for rulings in RULINGS:
            assert figures(character, rulings) == expected_figures(levels, rulings), (levels, rulings)
        assert character.cp().value == oracle.points_spent(levels), levels
        assert character.can_act_in_encounters() == (levels.get("toughness", 0) > 0)

        cp, most = random.choice(((10, 4), (12, 5), (random.randint(1, 40), random.randint(1, 12))))
        limits = characters.Limits(cp, most)
        found = errors(build_draft(levels).problems(limits))
        over = oracle.over_level(levels, most)
        assert found.count("create.max-level") == len(over), (levels, limits)
        assert ("create.cp" in found) == (oracle.points_spent(levels) > cp), (levels, limits)
        assert (found == []) == oracle.is_within_limits(levels, cp, most) or not levels, (levels, limits, found)
        assert limits.min_ability_count == oracle.least_abilities(cp, most), limits

        maximum = oracle.hit_points(levels)
        for points in range(maximum + 1):
            assert characters.find_health(points, maximum) == oracle.condition(levels, points), (levels, points)
        if maximum:
            healed = oracle.healed(levels)
            assert healed == maximum // 2 + 1
            assert characters.find_health(healed, maximum) == "healthy"
            revived = "healthy" if maximum == 1 else "injured"  # K12
            assert characters.find_health(oracle.revived(), maximum) == revived


def test_weights_of_every_strength_to_200_equal_the_oracle() -> None:
    """A30: the weights follow the formulas off the table too."""
    for strength in range(201):
        weights = characters.compute_weights(strength)
        assert (weights.pack_kg, weights.carry_kg, weights.lift_kg) == oracle.kilograms(strength)
        assert (weights.pack_lb, weights.carry_lb, weights.lift_lb) == oracle.pounds(strength), strength


# Minions


@pytest.mark.parametrize("seed", range(5))
def test_random_minions_have_the_verdict_of_the_oracle(seed: int) -> None:
    """A leader's command limits the number of minions and their total cost.

    No minion has command.
    """
    random = Random(2000 + seed)
    verdicts = set()
    for _ in range(300):
        command = random.randint(0, 6)
        sets = []
        for _ in range(random.choice((0, 1, 1, 2, 2, 2, 3))):
            names = random.sample(("toughness", "fighting", "shooting", "stealth", "command"), random.randint(1, 3))
            sets.append({name: random.choice((1, 1, 1, 2, 3)) for name in names})
        leader = build_character({"toughness": 3, **({"command": command} if command else {})}, "Leader")
        problems = characters.command_problems(
            leader, [build_character(levels, f"Minion {n}") for n, levels in enumerate(sets)]
        )
        legal = oracle.is_minion_set(command, sets)
        assert (errors(problems) == []) == legal, (command, sets, problems)
        verdicts.add(legal)
    assert verdicts == {True, False}


# Craftsmanship


@pytest.mark.parametrize("seed", range(5))
def test_random_crafting_has_the_results_of_the_oracle(seed: int) -> None:
    """Requested bonuses are given, refused and failed alike, in any order.

    They raise the same figures. Rules: `craft.bonus`, `craft.needs-level`, `craft.one-per-ability`, `craft.hurry`,
    `craft.hurry-fail`.
    """
    random = Random(3000 + seed)
    verdicts: set[str] = set()
    for _ in range(100):
        names = ("Ada", "Bo", "Cy")
        companions = {name: random_levels(random, 6) for name in names}
        for levels in companions.values():
            levels.pop("piloting", None)
            if random.random() < 0.7:
                levels["craftsmanship"] = random.randint(1, 3)
            levels.setdefault("toughness", 1)
        in_hurry = random.random() < 0.5
        wanted = [
            oracle.Bonus(
                random.choice(names),
                (bearer := random.choice(names)),
                random.choice([*companions[bearer], *companions[bearer], *oracle.ABILITIES]),
                random.choice((20, *range(1, 21))) if in_hurry else None,
            )
            for _ in range(random.randint(1, 12))
        ]
        failed_hurry = random.choice(("bonus", "ability"))
        verdicts |= set(compare_crafting(companions, wanted, in_hurry, failed_hurry))
    assert verdicts == {"given", "refused", "failed"}


def compare_crafting(
    companions: dict[str, dict[str, int]], wanted: list[oracle.Bonus], in_hurry: bool, failed_hurry: Any = "bonus"
) -> list[str]:
    """Request the same bonuses from both, and return the oracle's verdicts."""
    expected, standing = oracle.ask_for_bonuses(companions, wanted, failed_hurry=failed_hurry)
    fighters = tuple(build_fighter(build_character(levels, name), side="us") for name, levels in companions.items())
    state = build_initial_state(fighters, RulingSettings(failed_hurry=failed_hurry))
    for bonus, verdict in zip(wanted, expected, strict=True):
        action = Action(bonus.crafter, "craft", (bonus.bearer,), ability=bonus.ability, hurry=in_hurry)
        decision = decide(state, action, [bonus.face] if bonus.face else [])
        state = apply_events(state, decision.events)
        made = characters.TemporaryBonus(bonus.ability, bonus.crafter) in state.fighter(bonus.bearer).character.bonuses
        seen = "refused" if not decision.is_legal else "given" if made else "failed"
        assert seen == verdict, (companions, wanted, bonus, decision.narration)
    for name, levels in companions.items():
        member = state.fighter(name).character
        raised = {ability: oracle.level_now(companions, standing, name, ability) for ability in levels}
        assert {line.ability: member.level(line.ability) for line in member.lines} == raised
        assert figures(member) == expected_figures(raised, RULINGS[0]), (companions, standing)
        assert member.cp().value == oracle.points_spent(levels), "a temporary bonus costs no points"
    return expected


# Hit points


def test_damage_and_remaining_hit_points_equal_the_oracle() -> None:
    """`hp.damage`, `hp.floor`, `hp.auto-damage`, `hp.auto-no-damage`, `act.shooting.auto`: every small case."""
    for normal in range(6):
        for face in range(1, 21):
            for on_20 in (None, 5):
                seen = characters.attack_damage(normal, face, on_20).value
                assert seen == oracle.damage(normal, face, on_20), (normal, face, on_20)
    for points in range(12):
        for lost in range(15):
            assert characters.lose_hp(points, lost) == oracle.points_left(points, lost), (points, lost)


# Actions

NEEDS: dict[str, tuple[str, ...]] = {
    "shoot": ("shooting",),
    "blast": ("blasting",),
    "knockout": ("knockout",),
    "double-attack": ("fighting",),
    "counter-hold": ("wrestling",),
    "surprise": ("stealth", "detection"),
    "intimidate": ("command",),
    "heal": ("healing",),
    "revive": ("healing",),
}
ADDS: dict[str, tuple[str, ...]] = {
    **NEEDS,
    "basic-attack": ("fighting", "wrestling", "knockout"),
    "throw": (),
    "hold": ("wrestling", "detection", *oracle.MOVEMENT),
    "distract": oracle.MOVEMENT,
    "evade": oracle.MOVEMENT,
}
BASIC = ("basic-attack", "throw", "hold", "distract", "evade", "escape", "engage", "take-cover")


@pytest.mark.parametrize("seed", range(5))
def test_random_characters_have_the_actions_of_the_oracle(seed: int) -> None:
    """A character has the eight basic actions and those of its abilities.

    The levels to add are right. Rules: `act.basic.available`, `tough.none`, `roll.ability-required`, and the action
    summary of the catalogue.
    """
    random = Random(4000 + seed)
    for _ in range(100):
        levels = random_levels(random)
        actions = {action.summary.do: action for action in characters.list_character_actions(build_character(levels))}
        if not levels.get("toughness"):
            assert actions == {}
            continue
        assert set(BASIC) <= set(actions)
        for do, needs in NEEDS.items():
            assert (do in actions) == any(levels.get(name) for name in needs), (do, levels)
        for do, adds in ADDS.items():
            if do in actions:
                seen = [choice.value for choice in actions[do].choices if choice.value]
                assert seen == sorted((levels[name] for name in adds if levels.get(name)), reverse=True), (do, levels)
