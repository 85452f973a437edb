"""The picture `defences`: the abilities that count for each defence, and the attacks that are rolled against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.record import Picture, join_words
from scratch_core.characters import AbilityLevel, Character
from scratch_core.rulebook import ACTIONS
from scratch_core.rulebook.abilities import ABILITIES, DEFENCE_AGAINST, list_defence_abilities

_STEP = 22
_GAP = 16
_TOP = 22


@dataclass(frozen=True, slots=True)
class AbilityLabel:
    """The label of an ability at the left."""

    y: float
    """The vertical position of its middle."""
    name: str
    """The ability."""
    is_fallback: bool = False
    """Whether it counts only without the others."""


@dataclass(frozen=True, slots=True)
class DefenceBox:
    """A box with a defence."""

    name: str
    """The defence."""
    top: float
    """The top edge of the box."""
    height: float
    """The height of the box."""
    abilities: tuple[AbilityLabel, ...]
    """The abilities that count for it."""
    formulas: tuple[str, ...]
    """Its sums, such as `10 + the higher`."""
    attack: str
    """The type of attacks that are rolled against it."""
    actions: str
    """The actions with such attacks."""

    @property
    def middle(self) -> float:
        """The vertical middle of the box."""
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DefencesPicture(Picture):
    """The three defences, from top to bottom."""

    boxes: tuple[DefenceBox, ...]
    """A box for each defence."""


def build_picture(fields: Mapping[str, str]) -> DefencesPicture:
    """Read from the engine which abilities count for each defence, and its base.

    Rules: `attack.type-map`, `def.agility`, `def.intelligence`, `def.strength`, `def.strength.fallback`.
    """
    boxes = tuple(_list_boxes())
    ability_names = {ability.name for each in boxes for ability in each.abilities}
    others = [ability.name for ability in ABILITIES if ability.name not in ability_names]
    sentences = [
        f"{each.attack.capitalize()} attacks must reach {each.name}: {' '.join(each.formulas)}. "
        f"{_format_abilities(each)}"
        for each in boxes
    ]
    return DefencesPicture(
        title="Which abilities count for which defence",
        description=f"{' '.join(sentences)} {join_words(others).capitalize()} don't count for any defence.",
        height=boxes[-1].top + boxes[-1].height + 6,
        boxes=boxes,
    )


def _format_abilities(box: DefenceBox) -> str:
    names = [ability.name for ability in box.abilities if not ability.is_fallback]
    instead = "".join(f", or {ability.name} without them" for ability in box.abilities if ability.is_fallback)
    return f"{join_words(names).capitalize()} count for it{instead}."


def _list_boxes() -> Iterator[DefenceBox]:
    y: float = _TOP
    for attack, defence in DEFENCE_AGAINST.items():
        names = list_defence_abilities(defence)
        which = "highest" if len(names) > 2 else "higher"
        trained, untrained = (
            _list_defence_part_values(defence, names[0]),
            _list_defence_part_values(defence, "toughness"),
        )
        formulas = [f"{trained[0]} + the {which}"]
        feeders = [*names]
        if len(untrained) > 1:
            formulas.append(f"or {untrained[0]} + toughness")
            feeders.append("toughness")
        placed = tuple(AbilityLabel(y + (n + 0.5) * _STEP, name, name not in names) for n, name in enumerate(feeders))
        actions = [
            action.title.lower() for action in ACTIONS if action.attack == attack and action.defence_text == defence
        ]
        yield DefenceBox(defence, y, len(placed) * _STEP, placed, tuple(formulas), attack, join_words(actions))
        y += len(placed) * _STEP + _GAP


def _list_defence_part_values(defence: str, ability: str) -> tuple[int, ...]:
    """List the values of a defence's parts for a character with only this ability."""
    figure = Character("Anyone", (AbilityLevel(ability, 1),)).figures()[defence]
    return tuple(part.value for part in figure.parts)
