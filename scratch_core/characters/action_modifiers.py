"""What a character can do on its turn, with what it adds to each roll."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.characters.character import Character
from scratch_core.figures import Figure, Part
from scratch_core.rulebook import ACTIONS, ActionSpec
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME


@dataclass(frozen=True, slots=True)
class TurnAction:
    """One action open to a character.

    `choices` are the levels that may be added, the highest first, each as a figure named after its ability; empty when
    there is nothing to add to.
    """

    summary: ActionSpec
    choices: tuple[Figure, ...]

    @property
    def best(self) -> Figure | None:
        """The highest of the choices, None when there are none."""
        return self.choices[0] if self.choices else None


def list_character_actions(character: Character) -> tuple[TurnAction, ...]:
    """The actions a character has the abilities for, as the quick reference orders them; the situation may forbid some.

    No one without toughness has any (`tough.none`). Rules: `act.basic.available`, `char.ability-level`,
    `roll.ability-optional`, `roll.ability-required`.
    """
    if not character.can_act_in_encounters():
        return ()
    able = [
        card for card in ACTIONS if not card.required_abilities or any(map(character.level, card.required_abilities))
    ]
    return tuple(TurnAction(card, _choices(character, card)) for card in able)


def _choices(character: Character, action: ActionSpec) -> tuple[Figure, ...]:
    owned = sorted(
        (name for name in action.usable_abilities if character.level(name)), key=character.level, reverse=True
    )
    figures = tuple(Figure(name, character.level_parts(name, ABILITIES_BY_NAME[name].rule)) for name in owned)
    if not figures and (action.defence or action.usable_abilities):
        return (Figure("no ability", (Part("no ability", 0, "roll.ability-optional"),)),)
    return figures
