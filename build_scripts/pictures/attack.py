"""The picture `attack`: a basic attack from the declaration to the hit points, with three die rolls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_scenario_text
from build_scripts.pictures.record import Picture, format_hit_points, format_parts_as_sum
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import ACTIONS

_FIGHT = """\
title = "One attack"
characters = [
  {{ id = "rook", abilities = {{ fighting = 2, toughness = 3 }} }},
  {{ id = "hale", abilities = {{ quickness = 3, toughness = 4 }} }},
]
initiative = {{ rook = [15], hale = [5] }}
steps = [{{ actor = "rook", do = "basic-attack", target = "hale", with = "fighting", faces = [{face}] }}]
"""


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of an attack with one die roll."""

    face: int
    """The die roll, 1 to 20."""
    sum_text: str
    """The sum, such as `11 + 2 = 13`."""
    is_hit: bool
    """Whether it hits."""
    damage: int
    """The hit points that the target loses."""
    hp_before: int
    """The target's hit points before it."""
    hp_after: int
    """The target's hit points after it."""

    @property
    def result_text(self) -> str:
        """The result in a few words."""
        return f"{self.damage} damage" if self.is_hit else "a miss"

    @property
    def change_text(self) -> str:
        """The target's hit points before and after."""
        return f"{self.hp_before} → {self.hp_after}" if self.is_hit else f"{self.hp_before} stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPicture(Picture):
    """The texts of the flow chart."""

    kind: str
    """The kind and the range of the action."""
    adds: str
    """The abilities of which one may be added."""
    bonus: str
    """What is added, such as `2 fighting`."""
    against: str
    """The defence and its value."""
    sides: int
    """The number of sides of the die."""
    natural_20: AttackResult
    """The result of a natural 20."""
    hit: AttackResult
    """The result of the lowest die roll that hits."""
    miss: AttackResult
    """The result of the highest die roll that misses."""


def build_picture(fields: Mapping[str, str]) -> AttackPicture:
    """Play the same attack with a natural 20, a hit and a miss.

    The hit is the lowest die roll that hits, and the miss the next lower one. Rules: `act.basic-attack`,
    `roll.success`, `roll.auto-success`, `roll.failure`, `hp.damage`, `hp.auto-damage`. Raises ValueError if every die
    roll hits, or only the 20.
    """
    rolls = {face: _play_attack(face) for face in range(1, SIDES + 1)}
    least = min(face for face, (_, result) in rolls.items() if result.is_hit)
    if least in (1, SIDES):
        raise ValueError(f"expected an attack that may hit or miss, got one that hits from {least} on")
    action = next(action for action in ACTIONS if action.do == "basic-attack")
    roll, hit = rolls[least]
    top, miss = rolls[SIDES][1], rolls[least - 1][1]
    bonus = " + ".join(f"{part.value} {part.label}" for part in roll.check.figure.parts[1:])
    against = f"{roll.against.name} {roll.against.value}"
    return AttackPicture(
        title="One attack, from the action to the hit points",
        description=(
            f"Rook makes a basic attack on Hale: {action.kind}, {action.range}. The roll is a d{SIDES} and {bonus}. "
            f"A natural {SIDES} hits with any total: {top.result_text}. Any other roll hits if the total is at least "
            f"Hale's {against} ({format_parts_as_sum(roll.against)}). "
            f"{_format_result(hit)} {_format_result(miss)}"
        ),
        height=330,
        kind=f"{action.kind} action, {action.range} range",
        adds=" or ".join(action.usable_abilities),
        bonus=bonus,
        against=against,
        sides=SIDES,
        natural_20=top,
        hit=hit,
        miss=miss,
    )


def _format_result(result: AttackResult) -> str:
    outcome = (
        f"{result.result_text}, {format_hit_points(result.hp_before)} become {result.hp_after}"
        if result.is_hit
        else "a miss, and no hit points are lost"
    )
    return f"With a roll of {result.face} the total is {result.sum_text}: {outcome}."


def _play_attack(face: int) -> tuple[FightRoll, AttackResult]:
    played = play_scenario_text(_FIGHT.format(face=face))
    record = played.results[0]
    if not record.is_legal or not record.rolls:
        raise ValueError(f"expected an attack that is allowed, got {record.narration!r}")
    roll = record.rolls[0]
    before, after = (state.fighter("hale").hp for state in (played.opening_state, record.state))
    values = [str(part.value) for part in roll.check.figure.parts]
    total = f"{' + '.join(values)} = {roll.check.total}"
    return roll, AttackResult(face, total, roll.check.is_success, before - after, before, after)
