"""The actions of a character, with what it adds to each roll."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.characters.character import Character
from scratch_core.figures import Figure, Part
from scratch_core.rulebook import ACTIONS, ActionSpec
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME


@dataclass(frozen=True, slots=True)
class TurnAction:
    """One action that is available to a character."""

    summary: ActionSpec
    """The specification of the action."""
    choices: tuple[Figure, ...]
    """The levels that may be added, highest first, each as a figure named after its ability.

    () if the action has neither a roll nor a usable ability.
    """

    def describe_place(self, choice: Figure) -> str:
        """Describe where the ability of a choice can be used for an action.

        Returns "" for everywhere. Rule: `move.terrain`.
        """
        ability = ABILITIES_BY_NAME.get(choice.name)
        return ability.where_usable if ability else ""


def list_character_actions(character: Character) -> tuple[TurnAction, ...]:
    """List the actions that a character has the abilities for.

    They are in the order of the quick reference; the situation may still forbid some. A character without toughness has
    none (`tough.none`). Rules: `act.basic.available`, `char.ability-level`, `roll.ability-optional`,
    `roll.ability-required`.
    """
    if not character.can_act_in_encounters():
        return ()
    able = [
        spec for spec in ACTIONS if not spec.required_abilities or any(map(character.level, spec.required_abilities))
    ]
    return tuple(TurnAction(spec, _list_addable_levels(character, spec)) for spec in able)


def _list_addable_levels(character: Character, action: ActionSpec) -> tuple[Figure, ...]:
    owned = sorted(
        (name for name in action.usable_abilities if character.level(name)), key=character.level, reverse=True
    )
    figures = tuple(Figure(name, character.level_parts(name, ABILITIES_BY_NAME[name].rule)) for name in owned)
    if not figures and (action.defence_text or action.usable_abilities):
        return (Figure("no ability", (Part("no ability", 0, "roll.ability-optional"),)),)
    return figures
