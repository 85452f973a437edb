"""The choice of abilities for a roll: allowed by the action, on the sheet, and suited to the surroundings."""

from __future__ import annotations

from itertools import combinations

from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.phrases import ACTION_TITLES, build_missing_ability_problems
from scratch_core.encounter.state import Fighter
from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.action_spec import ActionSpec
from scratch_core.rulebook.actions import ACTION_SPECS, DOUBLE_ATTACK, EVADE, SECOND_BLOW

AbilityNames = tuple[str, ...]


def list_ability_options(actor: Fighter, do: str, rulings: RulingSettings) -> tuple[AbilityNames, ...]:
    """List every legal choice of abilities for an action.

    A choice is one ability, several if the rulings stack them, or none. They are in the order of the quick reference.
    Those of an evade are the abilities that suit the surroundings, and none.
    Rules: `roll.ability-optional`, `roll.ability-required`, `char.ability-level`, `move.terrain`, `act.basic-attack`,
    `act.hold`, `act.distract`, `act.surprise`, `grid.interrupt.roll`, `act.knockout.basic` (knockout never stacks;
    ruling A02).
    """
    names = [name for name in ACTION_SPECS[do].usable_abilities if actor.level(name) and actor.has_terrain_for(name)]
    if rulings.stack_abilities and do != EVADE.do:
        alone = [(name,) for name in names if name == "knockout"]
        rest = [name for name in names if name != "knockout"]
        choices = [each for size in range(1, len(rest) + 1) for each in combinations(rest, size)] + alone
    else:
        choices = [(name,) for name in names]
    return tuple(choices) if ACTION_SPECS[do].required_abilities else (*choices, ())


def choose_best_abilities(actor: Fighter, do: str, rulings: RulingSettings) -> AbilityNames:
    """Return the choice of abilities with the highest total.

    Of equal choices it prefers an evade by swimming in deep water, then the first; wrestling is the first of a hold.
    Both have additional effects. Returns () if nothing can be added.
    """

    def worth(uses: AbilityNames) -> tuple[int, bool]:
        total = sum(actor.level(name) for name in uses) + compute_water_bonus(actor, do, uses, rulings)
        return total, do == EVADE.do and uses == ("swimming",) and "deep-water" in actor.here

    return max(list_ability_options(actor, do, rulings), key=worth, default=())


def compute_water_bonus(actor: Fighter, do: str, uses: AbilityNames, rulings: RulingSettings) -> int:
    """Compute what swimming adds to a close attack in water.

    It is added to the chosen abilities, even to swimming itself (ruling A11). Rule: `swimming.in-water`.
    """
    if not ACTION_SPECS[do].is_close_attack or not actor.is_in_water:
        return 0
    is_added_already = "swimming" in uses and not rulings.swimming_twice
    return 0 if is_added_already else actor.level("swimming")


def get_named_or_best_abilities(actor: Fighter, action: Action, rulings: RulingSettings) -> AbilityNames:
    """Return the abilities of a legal action: those named, or the best."""
    return choose_best_abilities(actor, action.do, rulings) if action.uses is None else action.uses


def required_ability_problems(actor: Fighter, do: str) -> list[Problem]:
    """Return a problem if the actor lacks all abilities that the action requires.

    The action can't be tried then, whatever the roll.
    Rules: `roll.ability-required`, `char.ability-level`, and the action's own.
    """
    spec = ACTION_SPECS[do]
    if do not in actor.numbers.beyond:
        return []
    rules = f"{spec.rule_ids} roll.ability-required char.ability-level"
    return build_missing_ability_problems(rules, " or ".join(spec.required_abilities), actor.name, ACTION_TITLES[do])


def ability_choice_problems(actor: Fighter, action: Action, rulings: RulingSettings) -> list[Problem]:
    """Return what is wrong with the abilities that an action names.

    Rules: `char.ability-level`, `move.terrain`, `act.knockout.basic`, `act.fighting.double`, and the action's own.
    """
    uses, do = action.uses, action.do
    if uses is None:
        return []
    if do == EVADE.do:
        return _evade_ability_problems(uses)
    spec, problems = ACTION_SPECS[do], []
    if do in (DOUBLE_ATTACK.do, SECOND_BLOW.do) and uses != DOUBLE_ATTACK.usable_abilities:
        return build_rule_problems(
            "ability.fighting-twice", spec.rule, "fighting in both blows", _format_abilities(uses), ACTION_TITLES[do]
        )
    for name in uses:
        if name not in spec.usable_abilities:
            problems += _build_unusable_ability_problems(spec.rule_ids, spec, name)
        elif not actor.level(name):
            expected = f"an ability that {actor.name} has"
            rules, facts = f"char.ability-level {ABILITIES_BY_NAME[name].rule}", {"actor": actor.name, "ability": name}
            problems += build_rule_problems("ability.not-had", rules, expected, f"{name} 0", ACTION_TITLES[do], **facts)
        elif not actor.has_terrain_for(name):
            rules = f"{ABILITIES_BY_NAME[name].rule} move.terrain move.use"
            terrain, got = ABILITIES_BY_NAME[name].terrain, f"{name} elsewhere"
            facts = {"ability": name, "terrain": terrain}
            problems += build_rule_problems("ability.not-here", rules, terrain, got, ACTION_TITLES[do], **facts)
    if not uses and spec.required_abilities:
        rules = f"{spec.rule_ids} roll.ability-required"
        required = join_words(spec.required_abilities, "or")
        problems += build_rule_problems(
            "ability.none-added", rules, f"{required} added", "none", ACTION_TITLES[do], abilities=required
        )
    return problems + _stacking_problems(uses, do, rulings)


def _build_unusable_ability_problems(rules: str, spec: ActionSpec, ability: str) -> list[Problem]:
    title = ACTION_TITLES[spec.do]
    facts = {"ability": ability, "action": title, "allowed": join_words(spec.usable_abilities, "or")}
    return build_rule_problems(
        "ability.not-for-this", rules, _format_abilities(spec.usable_abilities), ability, title, **facts
    )


def _stacking_problems(uses: AbilityNames, do: str, rulings: RulingSettings) -> list[Problem]:
    """Return why abilities can't be added to the same roll.

    Rules: `act.knockout.basic`, `act.basic-attack`, `act.hold` (one ability a roll; ruling A02).
    """
    if len(uses) < 2:
        return []
    if len(set(uses)) < len(uses):
        return build_rule_problems(
            "ability.twice", ACTION_SPECS[do].rule, "each ability once", _format_abilities(uses), ACTION_TITLES[do]
        )
    if "knockout" in uses:
        rules = f"act.knockout.basic {ACTION_SPECS[do].rule}"
        expected = "knockout without another ability"
        return build_rule_problems(
            "ability.knockout-alone", rules, expected, _format_abilities(uses), ACTION_TITLES[do]
        )
    if not rulings.stack_abilities:
        return build_rule_problems(
            "ability.one-a-roll",
            ACTION_SPECS[do].rule,
            "one ability in a roll",
            _format_abilities(uses),
            ACTION_TITLES[do],
        )
    return []


def _evade_ability_problems(uses: AbilityNames) -> list[Problem]:
    """Return what is wrong with the abilities that an evade names.

    It may name one movement ability. If that is absent or doesn't suit the surroundings, it adds nothing (ruling A10).
    Rules: `act.evade`, `act.evade.no-ability`.
    """
    if len(uses) > 1:
        return build_rule_problems(
            "evade.one-ability", "act.evade", "one movement ability", _format_abilities(uses), ACTION_TITLES[EVADE.do]
        )
    if uses and uses[0] not in EVADE.usable_abilities:
        return _build_unusable_ability_problems("act.evade", EVADE, uses[0])
    return []


def _format_abilities(uses: AbilityNames) -> str:
    return join_words(uses) if uses else "no ability"
