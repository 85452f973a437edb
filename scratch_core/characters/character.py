"""A character that can be trusted: its levels, and every figure that follows from them, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scratch_core.figures import Figure, Part
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import list_defence_abilities

DEFAULT_RULINGS = RulingSettings()

FIGURE_NAMES: tuple[str, ...] = ("agility", "intelligence", "strength", "stamina", "hit-points")
"""The figures of a character, as `figures` gives them."""


@dataclass(frozen=True, slots=True)
class AbilityLevel:
    """One ability of a character: its name in the rulebook's words, its level (1 or more), and a note without force.

    Rules: `char.ability-level`, `char.stat-line`, `create.reskin` (a note never changes a number).
    """

    ability: str
    level: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class TemporaryBonus:
    """A +1 that a craftsman has placed on an ability: which ability, and whose work it is. Rule: `craft.bonus`."""

    ability: str
    crafter: str


@dataclass(frozen=True, slots=True)
class Character:
    """A character as the rules see it: built by `CharacterDraft.character`, never half right.

    `lines` keep the order of the sheet. `minion_of` names the leader, "" for everyone who is no minion.
    Every figure counts the temporary bonuses; character points don't.
    """

    name: str
    lines: tuple[AbilityLevel, ...] = ()
    description: str = ""
    minion_of: str = ""
    bonuses: tuple[TemporaryBonus, ...] = ()

    def base_level(self, ability: str) -> int:
        """The level bought, 0 when the ability is absent. Rule: `char.ability-level`."""
        for line in self.lines:
            if line.ability == ability:
                return line.level
        return 0

    def bonus(self, ability: str) -> int:
        """The temporary bonus on an ability: 0 or 1. Rules: `craft.bonus`, `craft.one-per-ability`."""
        return 1 if any(bonus.ability == ability for bonus in self.bonuses) else 0

    def level(self, ability: str) -> int:
        """The level that counts now: what was bought and what a craftsman has added. Rule: `char.ability-level`."""
        return self.base_level(ability) + self.bonus(ability)

    def level_parts(self, ability: str, rule: str) -> tuple[Part, ...]:
        """A level as parts of a sum: nothing when the ability is absent."""
        base = self.base_level(ability)
        parts = [Part(ability, base, rule)] if base else []
        if self.bonus(ability):
            parts.append(Part(f"craftsmanship bonus on {ability}", 1, "craft.bonus"))
        return tuple(parts)

    def find_highest_ability(self, abilities: tuple[str, ...]) -> str | None:
        """The ability of these with the highest level, the first of equals; None when all are absent."""
        best = max(abilities, key=self.level)
        return best if self.level(best) else None

    def agility(self) -> Figure:
        """10 and the highest of stealth, acrobatics, quickness and flying; swimming does not count.

        Rules: `def.agility`, `def.agility.meaning`, `def.agility.illustration`.
        """
        return self._defence("agility", list_defence_abilities("agility"), "def.agility")

    def intelligence(self) -> Figure:
        """10 and the highest of detection, command, healing and craftsmanship.

        Rules: `def.intelligence`, `def.intelligence.meaning`, `def.psychic-source`.
        """
        return self._defence("intelligence", list_defence_abilities("intelligence"), "def.intelligence")

    def strength(self, rulings: RulingSettings = DEFAULT_RULINGS) -> Figure:
        """10 and the higher of wrestling and swimming; with neither, `strength_base` and toughness.

        With `strength_use_max` the fallback counts too where it is higher. Another base than ours is its ruling's, K01.
        Rules: `def.strength`, `def.strength.fallback`, `def.strength.meaning`.
        """
        trained = self._defence("strength", list_defence_abilities("strength"), "def.strength")
        is_ours = rulings.strength_base == DEFAULT_RULINGS.strength_base
        rule = "def.strength.fallback" if is_ours else "K01"
        base = Part("base without wrestling or swimming", rulings.strength_base, rule)
        untrained = Figure("strength", (base, *self.level_parts("toughness", "def.strength.fallback")))
        if self.find_highest_ability(list_defence_abilities("strength")) is None:
            return untrained
        return untrained if rulings.strength_use_max and untrained.value > trained.value else trained

    def _defence(self, name: str, abilities: tuple[str, ...], rule: str) -> Figure:
        best = self.find_highest_ability(abilities)
        return Figure(name, (Part("base", 10, rule), *(self.level_parts(best, rule) if best else ())))

    def max_hp(self) -> Figure:
        """Hit points at their highest, which is also where a fight begins: toughness. Rules: `hp.max`, `hp.start`."""
        return Figure("hit-points", self.level_parts("toughness", "hp.max") or (Part("no toughness", 0, "tough.none"),))

    def stamina(self) -> Figure:
        """Half of toughness, rounded down. Rules: `hp.stamina`, `hp.illustration-7`."""
        toughness = self.level("toughness")
        return Figure("stamina", (Part(f"half of toughness {toughness}, rounded down", toughness // 2, "hp.stamina"),))

    def cp(self) -> Figure:
        """Character points spent: one for each level bought. Rule: `create.cp`."""
        parts = tuple(Part(line.ability, line.level, "create.cp") for line in self.lines)
        return Figure("cp", parts or (Part("no ability", 0, "create.cp"),))

    def figures(self, rulings: RulingSettings = DEFAULT_RULINGS) -> Mapping[str, Figure]:
        """Agility, intelligence, strength, stamina and hit points by name. Rule: `char.stat-line`."""
        ready = (self.agility(), self.intelligence(), self.strength(rulings), self.stamina(), self.max_hp())
        return {figure.name: figure for figure in ready}

    def with_bonus(self, bonus: TemporaryBonus) -> Character:
        """The character with one more temporary bonus; whether it is allowed is asked in `crafting`."""
        return replace(self, bonuses=(*self.bonuses, bonus))

    def without_bonus(self, bonus: TemporaryBonus) -> Character:
        """The character without that temporary bonus."""
        return replace(self, bonuses=tuple(other for other in self.bonuses if other != bonus))

    def can_act_in_encounters(self) -> bool:
        """Whether it can do anything in an encounter at full hit points: not without toughness. Rule: `tough.none`."""
        return self.level("toughness") > 0


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be spent in making a character: points in all, and the highest level of one ability.

    Rules: `create.cp`, `create.max-level`, `create.setting` (the table decides).
    """

    cp: int
    max_level: int

    @property
    def fewest_abilities(self) -> int:
        """How many abilities it takes at least to spend all points. Rule: `create.above-average`."""
        return -(-self.cp // self.max_level) if self.max_level else 0


AVERAGE = Limits(cp=10, max_level=4)
"""An average person. Rule: `create.average`."""

ABOVE_AVERAGE = Limits(cp=12, max_level=5)
"""Someone slightly stronger: 12 points need three abilities at least. Rule: `create.above-average`."""


def initiative_parts(stealth: int, detection: int, rulings: RulingSettings) -> tuple[Part, ...]:
    """What these levels add to the face of initiative: twice stealth, ten times detection (rulings A20, K21).

    Rules: `stealth.initiative`, `detection.initiative`.
    """
    times = rulings.detection_multiplier
    rule = "detection.initiative" if times == RulingSettings().detection_multiplier else "K21"
    parts = (
        Part(f"2 × stealth {stealth}", 2 * stealth, "stealth.initiative"),
        Part(f"{times} × detection {detection}", times * detection, rule),
    )
    return tuple(part for part, level in zip(parts, (stealth, detection), strict=True) if level)
