"""The picture `defences`: which abilities feed which defence, and which attacks have to reach it."""

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
    """An ability at the left; `is_fallback` where it counts only without the others."""

    y: float
    name: str
    is_fallback: bool = False


@dataclass(frozen=True, slots=True)
class DefenceBox:
    """One defence: its box, what feeds it, its sums, and the attacks that are rolled against it."""

    name: str
    top: float
    height: float
    abilities: tuple[AbilityLabel, ...]
    formulas: tuple[str, ...]
    attack: str
    actions: str

    @property
    def middle(self) -> float:
        """Half way down its box."""
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DefencesPicture(Picture):
    """The three defences below each other."""

    boxes: tuple[DefenceBox, ...]


def build_picture(fields: Mapping[str, str]) -> DefencesPicture:
    """Ask the engine what feeds each defence, and with which base.

    Rules: `attack.type-map`, `def.agility`, `def.intelligence`, `def.strength`, `def.strength.fallback`.
    """
    fed = tuple(_list_boxes())
    feeds = {feeder.name for each in fed for feeder in each.abilities}
    others = [ability.name for ability in ABILITIES if ability.name not in feeds]
    told = [
        f"{each.attack.capitalize()} attacks have to reach {each.name}: {'; '.join(each.formulas)}. "
        f"{_format_abilities(each)}"
        for each in fed
    ]
    return DefencesPicture(
        title="Which abilities feed which defence",
        description=f"{' '.join(told)} {join_words(others).capitalize()} feed no defence.",
        height=fed[-1].top + fed[-1].height + 6,
        boxes=fed,
    )


def _format_abilities(fed: DefenceBox) -> str:
    names = [feeder.name for feeder in fed.abilities if not feeder.is_fallback]
    instead = "".join(f", without them {feeder.name}" for feeder in fed.abilities if feeder.is_fallback)
    return f"It counts {join_words(names)}{instead}."


def _list_boxes() -> Iterator[DefenceBox]:
    y: float = _TOP
    for attack, defence in DEFENCE_AGAINST.items():
        names = list_defence_abilities(defence)
        which = "highest" if len(names) > 2 else "higher"
        trained, untrained = _list_parts(defence, names[0]), _list_parts(defence, "toughness")
        formulas = [f"{trained[0]} + the {which}"]
        feeders = [*names]
        if len(untrained) > 1:
            formulas.append(f"or {untrained[0]} + toughness")
            feeders.append("toughness")
        placed = tuple(AbilityLabel(y + (n + 0.5) * _STEP, name, name not in names) for n, name in enumerate(feeders))
        actions = [action.title.lower() for action in ACTIONS if action.attack == attack and action.defence == defence]
        yield DefenceBox(defence, y, len(placed) * _STEP, placed, tuple(formulas), attack, join_words(actions))
        y += len(placed) * _STEP + _GAP


def _list_parts(defence: str, ability: str) -> tuple[int, ...]:
    """The parts of a defence of someone who has this ability alone."""
    figure = Character("Somebody", (AbilityLevel(ability, 1),)).figures()[defence]
    return tuple(part.value for part in figure.parts)
