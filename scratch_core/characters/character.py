"""A validated character: its levels, and every figure derived from them, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scratch_core.figures import Figure, Part
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import list_defence_abilities

DEFAULT_RULINGS = RulingSettings()
"""Our default rulings."""

FIGURE_NAMES: tuple[str, ...] = ("agility", "intelligence", "strength", "stamina", "hit-points")
"""The keys of `Character.figures`."""


@dataclass(frozen=True, slots=True)
class AbilityLevel:
    """One ability of a character. Rules: `char.ability-level`, `char.stat-line`."""

    ability: str
    """The ability's name in the rulebook."""
    level: int
    """The level bought, 1 or more."""
    note: str = ""
    """A free description, without effect on numbers. Rule: `create.reskin`."""


@dataclass(frozen=True, slots=True)
class TemporaryBonus:
    """A +1 on an ability from a crafter. Rule: `craft.bonus`."""

    ability: str
    """The ability that it adds to."""
    crafter: str
    """The name of the crafter."""


@dataclass(frozen=True, slots=True)
class Character:
    """A valid character, built by `CharacterDraft.build_character`. Figures include temporary bonuses; character points
    do not.
    """

    name: str
    """Its name."""
    lines: tuple[AbilityLevel, ...] = ()
    """Its abilities, in the order of the sheet."""
    description: str = ""
    """A description in a few words, or ""."""
    minion_of: str = ""
    """The name of its leader, or "" if it is no minion."""
    bonuses: tuple[TemporaryBonus, ...] = ()
    """The temporary bonuses from crafters."""

    def base_level(self, ability: str) -> int:
        """Return the level bought, or 0 without the ability. Rule: `char.ability-level`."""
        for line in self.lines:
            if line.ability == ability:
                return line.level
        return 0

    def bonus(self, ability: str) -> int:
        """Return the temporary bonus on an ability: 0 or 1.

        Rules: `craft.bonus`, `craft.one-per-ability`.
        """
        return 1 if any(bonus.ability == ability for bonus in self.bonuses) else 0

    def level(self, ability: str) -> int:
        """Return the effective level: bought plus temporary bonus. Rule: `char.ability-level`."""
        return self.base_level(ability) + self.bonus(ability)

    def level_parts(self, ability: str, rule: str) -> tuple[Part, ...]:
        """Return a level as the parts of a sum.

        `rule` is the id of the rule for the bought level. Returns () without the ability.
        """
        base = self.base_level(ability)
        parts = [Part(ability, base, rule)] if base else []
        if self.bonus(ability):
            parts.append(Part(f"craftsmanship bonus on {ability}", 1, "craft.bonus"))
        return tuple(parts)

    def find_highest_ability(self, abilities: tuple[str, ...]) -> str | None:
        """Return the ability with the highest level, the first of equals.

        Returns None if the character has none of them.
        """
        best = max(abilities, key=self.level)
        return best if self.level(best) else None

    def agility(self) -> Figure:
        """Return 10 plus the highest of stealth, acrobatics, quickness and flying.

        Swimming does not count. Rules: `def.agility`, `def.agility.meaning`, `def.agility.illustration`.
        """
        return self._build_defence("agility", list_defence_abilities("agility"), "def.agility")

    def intelligence(self) -> Figure:
        """Return 10 plus the highest of detection, command, healing and craftsmanship.

        Rules: `def.intelligence`, `def.intelligence.meaning`, `def.psychic-source`.
        """
        return self._build_defence("intelligence", list_defence_abilities("intelligence"), "def.intelligence")

    def strength(self, rulings: RulingSettings = DEFAULT_RULINGS) -> Figure:
        """Return 10 plus the higher of wrestling and swimming, or the fallback.

        Without either ability, the fallback is `strength_base` plus toughness. With `strength_use_max`, the fallback
        also counts if it is higher. A base other than our default cites its ruling, K01. Rules: `def.strength`,
        `def.strength.fallback`, `def.strength.meaning`.
        """
        trained = self._build_defence("strength", list_defence_abilities("strength"), "def.strength")
        is_ours = rulings.strength_base == DEFAULT_RULINGS.strength_base
        rule = "def.strength.fallback" if is_ours else "K01"
        base = Part("base without wrestling or swimming", rulings.strength_base, rule)
        untrained = Figure("strength", (base, *self.level_parts("toughness", "def.strength.fallback")))
        if self.find_highest_ability(list_defence_abilities("strength")) is None:
            return untrained
        return untrained if rulings.strength_use_max and untrained.value > trained.value else trained

    def _build_defence(self, name: str, abilities: tuple[str, ...], rule: str) -> Figure:
        best = self.find_highest_ability(abilities)
        return Figure(name, (Part("base", 10, rule), *(self.level_parts(best, rule) if best else ())))

    def max_hp(self) -> Figure:
        """Return the maximum hit points: toughness. Rules: `hp.max`, `hp.start`.

        A fight starts with them.
        """
        return Figure("hit-points", self.level_parts("toughness", "hp.max") or (Part("no toughness", 0, "tough.none"),))

    def stamina(self) -> Figure:
        """Return half of toughness, rounded down. Rules: `hp.stamina`, `hp.illustration-7`."""
        toughness = self.level("toughness")
        return Figure("stamina", (Part(f"half of toughness {toughness}, rounded down", toughness // 2, "hp.stamina"),))

    def cp(self) -> Figure:
        """Return the character points spent: one for each level bought. Rule: `create.cp`."""
        parts = tuple(Part(line.ability, line.level, "create.cp") for line in self.lines)
        return Figure("cp", parts or (Part("no ability", 0, "create.cp"),))

    def figures(self, rulings: RulingSettings = DEFAULT_RULINGS) -> Mapping[str, Figure]:
        """Return the figures by name, in the order of `FIGURE_NAMES`. Rule: `char.stat-line`."""
        ready = (self.agility(), self.intelligence(), self.strength(rulings), self.stamina(), self.max_hp())
        return {figure.name: figure for figure in ready}

    def with_bonus(self, bonus: TemporaryBonus) -> Character:
        """Return a copy with one more temporary bonus.

        The caller checks first whether the rules allow it.
        """
        return replace(self, bonuses=(*self.bonuses, bonus))

    def without_bonus(self, bonus: TemporaryBonus) -> Character:
        """Return a copy without that temporary bonus."""
        return replace(self, bonuses=tuple(other for other in self.bonuses if other != bonus))

    def can_act_in_encounters(self) -> bool:
        """Return whether it can act in encounters at full hit points. Rule: `tough.none`.

        It cannot without toughness.
        """
        return self.level("toughness") > 0


def initiative_parts(stealth: int, detection: int, rulings: RulingSettings) -> tuple[Part, ...]:
    """Return what stealth and detection add to an initiative roll.

    Twice stealth, ten times detection (rulings A20, K21); levels of 0 are omitted. Rules: `stealth.initiative`,
    `detection.initiative`.
    """
    times = rulings.detection_multiplier
    rule = "detection.initiative" if times == RulingSettings().detection_multiplier else "K21"
    parts = (
        Part(f"2 × stealth {stealth}", 2 * stealth, "stealth.initiative"),
        Part(f"{times} × detection {detection}", times * detection, rule),
    )
    return tuple(part for part, level in zip(parts, (stealth, detection), strict=True) if level)
