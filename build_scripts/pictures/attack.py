"""The picture `attack`: one basic attack from the declaration to the hit points, with three dice played out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_text
from build_scripts.pictures.record import Picture, format_hit_points, format_sum
from scratch_core.dice.checks import SIDES
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import ACTIONS

_FIGHT = """\
title = "One blow"
characters = [
  {{ id = "rook", abilities = {{ fighting = 2, toughness = 3 }} }},
  {{ id = "hale", abilities = {{ quickness = 3, toughness = 4 }} }},
]
initiative = {{ rook = [15], hale = [5] }}
steps = [{{ actor = "rook", do = "basic-attack", target = "hale", with = "fighting", faces = [{face}] }}]
"""


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What one face came to: the sum, whether it hit, the damage, and the target's hit points before and after."""

    face: int
    sum_text: str
    is_hit: bool
    damage: int
    hp_before: int
    hp_after: int

    @property
    def result_text(self) -> str:
        """What came of it, in a few words."""
        return f"{self.damage} damage" if self.is_hit else "a miss"

    @property
    def change_text(self) -> str:
        """The target's hit points, before and after."""
        return f"{self.hp_before} → {self.hp_after}" if self.is_hit else f"{self.hp_before} stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPicture(Picture):
    """The flow's words: what is declared, what is added, what has to be reached, and the three ends."""

    kind: str
    adds: str
    bonus: str
    against: str
    sides: int
    natural_20: AttackResult
    hit: AttackResult
    miss: AttackResult


def build_picture(fields: Mapping[str, str]) -> AttackPicture:
    """Play the same blow with a 20, with the least face that hits, and with the one below it.

    Rules: `act.basic-attack`, `roll.success`, `roll.auto-success`, `roll.failure`, `hp.damage`, `hp.auto-damage`.
    """
    rolls = {face: _play_attack(face) for face in range(1, SIDES + 1)}
    least = min(face for face, (_, blow) in rolls.items() if blow.is_hit)
    if least in (1, SIDES):
        raise ValueError(f"expected a blow that may hit and may miss, got one that hits from {least} on")
    action = next(action for action in ACTIONS if action.do == "basic-attack")
    roll, hit = rolls[least]
    top, miss = rolls[SIDES][1], rolls[least - 1][1]
    bonus = " + ".join(f"{part.value} {part.label}" for part in roll.check.figure.parts[1:])
    against = f"{roll.against.name} {roll.against.value}"
    return AttackPicture(
        title="One attack, from saying it to the hit points",
        description=(
            f"Rook makes a basic attack on Hale: {action.kind}, {action.range}. The roll is a d{SIDES} and {bonus}. "
            f"If the die shows {SIDES}, it hits whatever the sum is: {top.result_text}. Otherwise "
            f"the sum has to reach Hale's {against}, which is {format_sum(roll.against)}. "
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


def _format_result(blow: AttackResult) -> str:
    came = (
        f"{blow.result_text}, {format_hit_points(blow.hp_before)} become {blow.hp_after}"
        if blow.is_hit
        else "a miss, nothing is lost"
    )
    return f"With {blow.face} on the die the sum is {blow.sum_text}: {came}."


def _play_attack(face: int) -> tuple[FightRoll, AttackResult]:
    played = play_text(_FIGHT.format(face=face))
    record = played.results[0]
    if not record.is_legal or not record.rolls:
        raise ValueError(f"expected a blow that is allowed, got {record.narration!r}")
    roll = record.rolls[0]
    before, after = (state.fighter("hale").hp for state in (played.opening_state, record.state))
    values = [str(part.value) for part in roll.check.figure.parts]
    total = f"{' + '.join(values)} = {roll.check.total}"
    return roll, AttackResult(face, total, roll.check.success, before - after, before, after)
