"""Hit points: the health that they mean, and the damage of an attack."""

from __future__ import annotations

from typing import Literal

from scratch_core.dice import SIDES, is_face
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.figures import Figure, Part

Health = Literal["healthy", "injured", "incapacitated"]


def find_health(hp: int, max_hp: int) -> Health:
    """Return the health that a number of hit points means.

    Healthy above stamina, injured at stamina or below, incapacitated at 0. Raises `ScratchError` outside 0–`max_hp`.
    Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`, `hp.illustration-7`.
    """
    if max_hp < 0:
        raise ScratchError(
            Problem("hp.max.negative", "a maximum of 0 or more", format_input(max_hp), "max_hp", "hp.max")
        )
    if not 0 <= hp <= max_hp:
        raise ScratchError(Problem("hp.range", f"hit points from 0 to {max_hp}", format_input(hp), "hp", "hp.max"))
    if hp == 0:
        return "incapacitated"
    return "healthy" if hp > max_hp // 2 else "injured"


def lose_hp(hp: int, damage: int) -> int:
    """Return the hit points after damage, at least 0. Rules: `hp.damage`, `hp.floor`.

    Raises `ScratchError` for hit points or damage below 0.
    """
    if hp < 0 or damage < 0:
        if hp < 0:
            raise ScratchError(Problem("hp.negative", "hp of 0 or more", format_input(hp), "hp"))
        raise ScratchError(Problem("damage.negative", "damage of 0 or more", format_input(damage), "damage"))
    return max(0, hp - damage)


def attack_damage(normal: int, face: int, on_20: int | None = None) -> Figure:
    """Return the damage of a successful attack, 1 higher on face 20.

    `normal` is the usual damage. `on_20` replaces the damage on face 20, as shooting's 5 does (`act.shooting.auto`). An
    attack without damage has none on face 20 either. Raises `ScratchError` for a face outside 1–20 or damage below 0.
    Rules: `hp.damage`, `hp.auto-damage`, `hp.auto-no-damage`.
    """
    if not is_face(face):
        raise ScratchError(
            Problem("roll.face", "a face from 1 to 20", format_input(face), "face", "roll.die-substitute")
        )
    if normal < 0:
        raise ScratchError(Problem("damage.negative", "damage of 0 or more", format_input(normal), "normal"))
    if normal == 0:
        return Figure("damage", (Part("no damage", 0, "hp.auto-no-damage" if face == SIDES else "hp.damage"),))
    parts = [Part("damage", normal, "hp.damage")]
    if face == SIDES and on_20 is not None:
        parts.append(Part("face 20", on_20 - normal, "act.shooting.auto"))
    elif face == SIDES:
        parts.append(Part("face 20", 1, "hp.auto-damage"))
    return Figure("damage", tuple(parts))
