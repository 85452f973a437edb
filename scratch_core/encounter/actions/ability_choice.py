"""Which abilities go into a roll: those the action allows, that are there, and that suit the place."""

from __future__ import annotations

from itertools import combinations

from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.phrases import TITLES, missing_ability
from scratch_core.encounter.state import Fighter
from scratch_core.errors import Problem, broken, listed
from scratch_core.rulebook import Rulings
from scratch_core.rulebook.abilities import BY_NAME
from scratch_core.rulebook.action_spec import ActionCard
from scratch_core.rulebook.actions import CARDS, DOUBLE_ATTACK, EVADE, SECOND_BLOW

Uses = tuple[str, ...]


def options(actor: Fighter, do: str, rulings: Rulings) -> tuple[Uses, ...]:
    """Every choice of abilities that is legal for the action: one, several where they may be stacked, or none.

    They stand in the order of the quick reference. An evade's choices are the abilities that suit the place, and none.
    Rules: `roll.ability-optional`, `roll.ability-required`, `char.ability-level`, `move.terrain`, `act.basic-attack`,
    `act.hold`, `act.distract`, `act.surprise`, `grid.interrupt.roll`, `act.knockout.basic` (knockout never stacks;
    ruling A02).
    """
    names = [name for name in CARDS[do].adds if actor.level(name) and actor.is_suited(name)]
    if rulings.stack_abilities and do != EVADE.do:
        alone = [(name,) for name in names if name == "knockout"]
        rest = [name for name in names if name != "knockout"]
        choices = [each for size in range(1, len(rest) + 1) for each in combinations(rest, size)] + alone
    else:
        choices = [(name,) for name in names]
    return tuple(choices) if CARDS[do].required else (*choices, ())


def best(actor: Fighter, do: str, rulings: Rulings) -> Uses:
    """The choice with the highest total; of equals the one with more effect, then the first.

    Diving away does more than another evade. So does a wrestler's hold, and wrestling stands first among its abilities.
    () where nothing can be added.
    """

    def worth(uses: Uses) -> tuple[int, bool]:
        total = sum(actor.level(name) for name in uses) + water_bonus(actor, do, uses, rulings)
        return total, do == EVADE.do and uses == ("swimming",) and "deep-water" in actor.here

    return max(options(actor, do, rulings), key=worth, default=())


def water_bonus(actor: Fighter, do: str, uses: Uses, rulings: Rulings) -> int:
    """What swimming adds to a close attack made in water: on top of all else, even of itself (ruling A11).

    Rule: `swimming.in-water`.
    """
    if not CARDS[do].is_close or not actor.is_in_water:
        return 0
    is_added_already = "swimming" in uses and not rulings.swimming_twice
    return 0 if is_added_already else actor.level("swimming")


def uses_of(actor: Fighter, action: Action, rulings: Rulings) -> Uses:
    """The abilities that a legal action is made with: those named, else the best allowed."""
    return best(actor, action.do, rulings) if action.uses is None else action.uses


def requirement_problems(actor: Fighter, do: str) -> list[Problem]:
    """Whether the actor has an ability without which the action can't be tried, whatever the die would show.

    Rules: `roll.ability-required`, `char.ability-level`, and the action's own.
    """
    card = CARDS[do]
    if do not in actor.numbers.beyond:
        return []
    rules = f"{card.rules} roll.ability-required char.ability-level"
    return missing_ability(rules, " or ".join(card.required), actor.name, TITLES[do])


def choice_problems(actor: Fighter, action: Action, rulings: Rulings) -> list[Problem]:
    """What is wrong with the abilities that an action names.

    Rules: `char.ability-level`, `move.terrain`, `act.knockout.basic`, `act.fighting.double`, and the action's own.
    """
    uses, do = action.uses, action.do
    if uses is None:
        return []
    if do == EVADE.do:
        return _evade_choice_problems(uses)
    card, problems = CARDS[do], []
    if do in (DOUBLE_ATTACK.do, SECOND_BLOW.do) and uses != DOUBLE_ATTACK.adds:
        return broken("ability.fighting-twice", card.rule, "fighting in both blows", _shown(uses), TITLES[do])
    for name in uses:
        if name not in card.adds:
            problems += _not_for_this(card.rules, card, name)
        elif not actor.level(name):
            expected = f"an ability that {actor.name} has"
            rules, facts = f"char.ability-level {BY_NAME[name].rule}", {"actor": actor.name, "ability": name}
            problems += broken("ability.not-had", rules, expected, f"{name} 0", TITLES[do], **facts)
        elif not actor.is_suited(name):
            rules = f"{BY_NAME[name].rule} move.terrain move.use"
            terrain, got = BY_NAME[name].terrain, f"{name} elsewhere"
            facts = {"ability": name, "terrain": terrain}
            problems += broken("ability.not-here", rules, terrain, got, TITLES[do], **facts)
    if not uses and card.required:
        rules = f"{card.rules} roll.ability-required"
        wanted = listed(card.required, "or")
        problems += broken("ability.none-added", rules, f"{wanted} added", "none", TITLES[do], abilities=wanted)
    return problems + _stacking_problems(uses, do, rulings)


def _not_for_this(rules: str, card: ActionCard, ability: str) -> list[Problem]:
    title = TITLES[card.do]
    facts = {"ability": ability, "action": title, "allowed": listed(card.adds, "or")}
    return broken("ability.not-for-this", rules, _shown(card.adds), ability, title, **facts)


def _stacking_problems(uses: Uses, do: str, rulings: Rulings) -> list[Problem]:
    """Rules: `act.knockout.basic`, `act.basic-attack`, `act.hold` (one ability a roll; ruling A02)."""
    if len(uses) < 2:
        return []
    if len(set(uses)) < len(uses):
        return broken("ability.twice", CARDS[do].rule, "each ability once", _shown(uses), TITLES[do])
    if "knockout" in uses:
        rules = f"act.knockout.basic {CARDS[do].rule}"
        expected = "knockout without another ability"
        return broken("ability.knockout-alone", rules, expected, _shown(uses), TITLES[do])
    if not rulings.stack_abilities:
        return broken("ability.one-a-roll", CARDS[do].rule, "one ability in a roll", _shown(uses), TITLES[do])
    return []


def _evade_choice_problems(uses: Uses) -> list[Problem]:
    """One movement ability; one that doesn't suit the place, or isn't there, only gives nothing (ruling A10).

    Rules: `act.evade`, `act.evade.no-ability`.
    """
    if len(uses) > 1:
        return broken("evade.one-ability", "act.evade", "one movement ability", _shown(uses), TITLES[EVADE.do])
    if uses and uses[0] not in EVADE.adds:
        return _not_for_this("act.evade", EVADE, uses[0])
    return []


def _shown(uses: Uses) -> str:
    return listed(uses) if uses else "no ability"
