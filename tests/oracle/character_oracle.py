"""A second implementation of characters: plain sums from the rule catalogue, without figures or reasons.

`levels` is a plain dictionary of ability names (lower case) and whole numbers; an absent ability is level 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ATTACK = ("shooting", "blasting", "knockout", "fighting", "wrestling")
STALKING = ("stealth", "detection")
MOVEMENT = ("acrobatics", "quickness", "flying", "swimming")
SUPPORT = ("healing", "craftsmanship", "command")
ABILITIES = ("toughness", *ATTACK, *STALKING, *MOVEMENT, *SUPPORT)

Levels = Mapping[str, int]


def agility(levels: Levels) -> int:
    """Apply `def.agility`: swimming is the only movement ability that does not count."""
    return 10 + max(levels.get(name, 0) for name in ("stealth", "acrobatics", "quickness", "flying"))


def intelligence(levels: Levels) -> int:
    """Apply `def.intelligence`."""
    return 10 + max(levels.get(name, 0) for name in ("detection", "command", "healing", "craftsmanship"))


def strength(levels: Levels, base: int = 7, use_max: bool = False) -> int:
    """Apply `def.strength` and `def.strength.fallback`.

    K01 gives the base, and A01 uses the higher of both values.
    """
    toughness = base + levels.get("toughness", 0)
    if not levels.get("wrestling") and not levels.get("swimming"):
        return toughness
    trained = 10 + max(levels.get("wrestling", 0), levels.get("swimming", 0))
    return max(trained, toughness) if use_max else trained


def hit_points(levels: Levels) -> int:
    """`hp.max`."""
    return levels.get("toughness", 0)


def stamina(levels: Levels) -> int:
    """`hp.stamina`: half the toughness, rounded down."""
    toughness = levels.get("toughness", 0)
    return toughness // 2


def condition(levels: Levels, points: int) -> str:
    """`hp.healthy`, `hp.injured`, `hp.incapacitated`."""
    if points == 0:
        return "incapacitated"
    return "healthy" if points > stamina(levels) else "injured"


def revived() -> int:
    """`act.heal.revive`."""
    return 1


def healed(levels: Levels) -> int:
    """`act.heal.injured`: the lowest healthy value."""
    maximum = hit_points(levels)
    return min(points for points in range(1, maximum + 1) if points > maximum // 2)


def points_spent(levels: Levels) -> int:
    """`create.cp`."""
    return sum(levels.values())


def is_within_limits(levels: Levels, cp: int = 10, max_level: int = 4) -> bool:
    """`create.cp`, `create.max-level`: the defaults are the average person's (`create.average`)."""
    return points_spent(levels) <= cp and not over_level(levels, max_level)


def over_level(levels: Levels, max_level: int) -> set[str]:
    """Return the abilities above the maximum level."""
    return {name for name, level in levels.items() if level > max_level}


def least_abilities(cp: int, max_level: int) -> int:
    """Return how many abilities it takes to spend all points.

    Example: 12 points and maximum level 5 make 3 (`create.above-average`).
    """
    abilities = 0
    while abilities * max_level < cp:
        abilities += 1
    return abilities


def kilograms(points: int) -> tuple[int, int, int]:
    """`carry.pack`, `carry.short`, `carry.lift`."""
    return 2 * points, 5 * points, 10 * points


def pounds(points: int) -> tuple[int, int, int]:
    """`carry.table`: 4.4, 11 and 22 a point, to the nearest 1, 5 and 10."""

    def nearest(tenths: int, step: int) -> int:
        near = sorted(range(0, tenths // 10 + 2 * step, step), key=lambda pound: abs(10 * pound - tenths))
        return near[0]

    return nearest(44 * points, 1), nearest(110 * points, 5), nearest(220 * points, 10)


def is_minion_set(command: int, minions: Sequence[Levels], max_level: int | None = None) -> bool:
    """Apply `command.minions`, `command.cp-limit` and `command.no-command`.

    No minions at all are legal, too (A26).
    """
    if not minions:
        return True
    return (
        command >= 1
        and len(minions) <= 2
        and sum(points_spent(minion) for minion in minions) <= command
        and not any(minion.get("command", 0) for minion in minions)
        and (max_level is None or not any(over_level(minion, max_level) for minion in minions))
    )


@dataclass(frozen=True)
class Bonus:
    """A request for a temporary +1."""

    crafter: str
    """The crafter."""
    bearer: str
    """The character whose ability it raises."""
    ability: str
    """The ability."""
    face: int | None = None
    """The face of the roll in a hurry; None without a hurry."""


def level_now(companions: Mapping[str, Levels], standing: Sequence[Bonus], who: str, ability: str) -> int:
    """Return a level with its temporary bonus: the bonus raises the ability itself."""
    return companions[who].get(ability, 0) + sum((bonus.bearer, bonus.ability) == (who, ability) for bonus in standing)


def ask_for_bonuses(
    companions: Mapping[str, Levels], wanted: Sequence[Bonus], difficulty: int = 10, failed_hurry: str = "bonus"
) -> tuple[list[str], list[Bonus]]:
    """Ask for bonuses one after another.

    Returns "given", "refused" or "failed" for each, and the bonuses in force at the end.

    `craft.bonus` (one a level, for a companion, A25: never oneself), `craft.needs-level`, `craft.one-per-ability`; with
    a face `craft.hurry` (A36 adds craftsmanship; face 20 succeeds) and `craft.hurry-fail`: while the hurry lasts, a
    failure takes one of the crafter's bonuses, or that ability of that companion (A37).
    """
    standing: list[Bonus] = []
    lost: list[tuple[str, str, str]] = []
    verdicts = []
    for bonus in wanted:
        craftsmanship = level_now(companions, standing, bonus.crafter, "craftsmanship")
        made = [other for other in standing if other.crafter == bonus.crafter]
        mine = [each for each in lost if each[0] == bonus.crafter]
        is_lost = (
            len(made) + len(mine) >= craftsmanship
            if failed_hurry == "bonus"
            else (bonus.crafter, bonus.bearer, bonus.ability) in mine
        )
        taken = [other for other in standing if (other.bearer, other.ability) == (bonus.bearer, bonus.ability)]
        if (
            bonus.crafter == bonus.bearer
            or len(made) >= craftsmanship
            or companions[bonus.bearer].get(bonus.ability, 0) < 1
            or taken
            or (bonus.face is not None and is_lost)
        ):
            verdicts.append("refused")
        elif bonus.face is not None and bonus.face != 20 and bonus.face + craftsmanship < difficulty:
            verdicts.append("failed")
            lost.append((bonus.crafter, bonus.bearer, bonus.ability))
        else:
            verdicts.append("given")
            standing.append(bonus)
    return verdicts, standing


def damage(normal: int, face: int, on_20: int | None = None) -> int:
    """Apply `hp.auto-damage`, `hp.auto-no-damage`, and an action's own figure for face 20."""
    if normal == 0 or face != 20:
        return normal
    return normal + 1 if on_20 is None else on_20


def points_left(points: int, lost: int) -> int:
    """`hp.damage`, `hp.floor`."""
    for _ in range(lost):
        if points > 0:
            points -= 1
    return points
