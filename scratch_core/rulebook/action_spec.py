"""The specification of an action: everything the rules say of it, in one record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Literal

Kind = Literal["regular", "regular, once per encounter", "bonus", "free", "reaction"]
Range = Literal["close", "long", "adjacent", ""]
Attack = Literal["normal", "psychic", "force", ""]

MOVEMENT: tuple[str, ...] = ("acrobatics", "quickness", "flying", "swimming")
"""The movement abilities, in the order of the quick reference. Rule: `move.use`."""

_COUNTS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class Targets:
    """How many targets an action takes, and which."""

    least: int
    """The fewest targets."""
    most: int
    """The most targets."""
    distinct: bool = False
    """Whether each target may be chosen only once."""
    enemies: bool = False
    """Whether allies may not be targets."""
    spaces: bool = False
    """Whether the action is aimed at a space of the map; fighters near it are its targets."""

    @property
    def count_with_noun(self) -> str:
        """The number of targets as text: `one target`, `two targets`, `1 to 3 targets`."""
        if self.least < self.most:
            return f"{self.least} to {self.most} targets"
        return f"{_COUNTS[self.most]} target{'' if self.most == 1 else 's'}"

    def list_target_sets(self, count: int) -> Iterator[tuple[int, ...]]:
        """List every legal set of targets out of `count` candidates, by index.

        Smaller sets come first; each set occurs once.
        """
        choose = combinations if self.distinct else combinations_with_replacement
        return (chosen for size in range(self.least, self.most + 1) for chosen in choose(range(count), size))


NO_TARGETS = Targets(0, 0)
ONE = Targets(1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """The definition of one action. Sentences about it are built from its numbers."""

    do: str
    """Its name in a scenario file."""
    title: str
    """Its name on a page."""
    kind: Kind
    """How much of a turn it takes."""
    rule: str
    """The id of the rule that defines it."""
    effect_template: str = "{hit}."
    """The sentence on its effect, with numbers in braces."""
    map_effect_template: str = ""
    """The sentence on its effect on a map, or "" if that is the same."""
    conditions_template: str = "{facts}"
    """The sentence on its conditions, with numbers in braces."""
    beginner_text: str = ""
    """The sentence on it for someone who has never played, or "" if its button needs none."""
    button: str = ""
    """The words of its button, or "" for the title."""
    verb: str = ""
    """The words of the log between the actor and the target."""
    family: str = ""
    """The id of a rule that it shares with actions of its kind, or ""."""
    range: Range = ""
    """How far an attack reaches, or "" for other actions."""
    attack: Attack = ""
    """The type of an attack, or "" for other actions."""
    against: tuple[str, ...] = ()
    """The defences it is rolled against; the target uses the best of them."""
    difficulty: int = 0
    """The total that the roll must reach, or 0 without one."""
    usable_abilities: tuple[str, ...] = ()
    """The abilities of which one may be added to the roll (for an evade: to the defences)."""
    ability_rules: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The id of the rule that allows an ability, where that is not the ability's main rule."""
    required_abilities: tuple[str, ...] = ()
    """The abilities of which the actor needs one, or () if anyone may try."""
    targets: Targets = NO_TARGETS
    """How many targets it takes, and of which kind."""
    damage: int = 0
    """The hit points that a success takes."""
    damage_injured: int | None = None
    """The damage by an injured actor, or None if that is the same."""
    on_20: int | None = None
    """The damage of a natural 20, or None for 1 more than usual."""
    inflicts: Literal["", "delay", "panic"] = ""
    """The condition that a success gives the target."""
    delays_self: Literal["", "while injured", "always"] = ""
    """When it delays its own actor, hit or miss."""
    cause: str = ""
    """The word for the cause of the delay that it brings, or ""."""
    cause_rule: str = ""
    """The id of the rule of that cause."""
    gain: int = 0
    """What it adds while it lasts."""
    cost: int = 0
    """What it takes while it lasts."""
    spaces: int = 0
    """How many spaces a healthy actor may move."""
    spaces_injured: int = 0
    """How many spaces an injured actor may move."""
    hit_points: int = 0
    """The hit points that the target has afterwards."""
    is_allowed_in_cover: bool = True
    """Whether a character in cover may do it."""
    is_allowed_delayed: bool = False
    """Whether a delayed character may do it."""
    leads_to_attack: bool = False
    """Whether it is worthless without an attack after it."""
    exposes: Literal["", "always", "far", "path"] = ""
    """When it exposes the actor on a map: always, at a far target, along more than one space, or "" for never."""
    follow_up: str = ""
    """The action that continues it against its only target, or ""."""

    # Classification

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack of any type. Rule: `attack.type-map`."""
        return bool(self.attack)

    @property
    def is_close_attack(self) -> bool:
        """Whether it is an attack at close range. Rule: `grid.close.reach`.

        An interrupting attack is one.
        """
        return self.is_attack and self.range in ("close", "adjacent")

    @property
    def is_long_attack(self) -> bool:
        """Whether it is an attack at long range."""
        return self.is_attack and self.range == "long"

    @property
    def is_regular(self) -> bool:
        """Whether it takes the regular action of a turn. Rule: `act.regular`."""
        return self.kind.startswith("regular")

    @property
    def is_bonus(self) -> bool:
        """Whether it takes the bonus action of a turn. Rule: `act.bonus`."""
        return self.kind == "bonus"

    @property
    def is_once_per_encounter(self) -> bool:
        """Whether it is spent after one use. Rule: `act.unrepeatable`."""
        return self.kind == "regular, once per encounter"

    def describe_kind(self, unrepeatable_scope: str) -> str:
        """Describe which part of a turn it uses, and how often it may be used.

        `unrepeatable_scope` is the setting of ruling A03. Rules: `act.regular`, `act.bonus`, `act.unrepeatable`.
        """
        is_per_target = self.is_once_per_encounter and unrepeatable_scope == "pair"
        return "regular, once per target" if is_per_target else self.kind

    @property
    def needs_roll(self) -> bool:
        """Whether the action needs a roll."""
        return bool(self.against or self.difficulty)

    @property
    def is_allowed_panicked(self) -> bool:
        """Whether a panicked character may do it. Rule: `cond.panicked`.

        It may neither need a roll nor prepare an attack.
        """
        return not self.needs_roll and not self.leads_to_attack

    @property
    def needs_target(self) -> bool:
        """Whether it needs a target."""
        return self.targets.most > 0

    @property
    def rule_ids(self) -> str:
        """The ids of the rules that define it, separated by spaces."""
        return f"{self.family} {self.rule}" if self.family else self.rule

    def damage_by_health(self, is_injured: bool) -> int:
        """Return the hit points that a success takes, by the actor's health. Rule: `hp.damage`."""
        return self.damage if self.damage_injured is None or not is_injured else self.damage_injured

    def is_self_delaying(self, is_injured: bool) -> bool:
        """Return whether it delays its own actor, hit or miss. Rule: `cond.delayed`."""
        return self.delays_self == "always" or (is_injured and self.delays_self == "while injured")

    # Texts

    @property
    def defence_text(self) -> str:
        """The defence or difficulty that it is rolled against, as text.

        "" without a roll.
        """
        if self.difficulty:
            return f"difficulty {self.difficulty}"
        if len(self.against) > 1:
            return f"the greater of {' and '.join(self.against)}"
        return "".join(self.against)

    @property
    def effect(self) -> str:
        """Its effect, in a sentence or two with its numbers."""
        return self._fill_template(self.effect_template)

    @property
    def effect_on_map(self) -> str:
        """Its effect on a map, in a sentence or two with its numbers."""
        return self._fill_template(self.map_effect_template or self.effect_template)

    def _fill_template(self, sentence: str) -> str:
        """Fill a template with the numbers of the action."""
        return sentence.format(
            hit=self._hit_sentence,
            damage=self.damage,
            damage_on_20=self.damage_on_20(self.damage),
            most=_COUNTS[self.targets.most],
            gain=self.gain,
            cost=self.cost,
            spaces=self.spaces,
            spaces_injured=self.spaces_injured,
            hit_points=self.hit_points,
        )

    @property
    def conditions_text(self) -> str:
        """When it is available and what else it costs, as sentences.

        "" without conditions.
        """
        return self.conditions_template.format(facts=" ".join(self._list_condition_facts()))

    @property
    def _hit_sentence(self) -> str:
        healthy = f"{self.damage} damage"
        if self.damage_injured is None:
            return f"{healthy}, {self.damage_on_20(self.damage)} on a 20"
        injured = f"{self.damage_injured} while injured ({self.damage_on_20(self.damage_injured)} on a 20)"
        return f"{healthy} while healthy ({self.damage_on_20(self.damage)} on a 20), {injured}"

    def damage_on_20(self, damage: int) -> int:
        """Return the damage of a natural 20: `on_20`, or one more by rule `hp.auto-damage`."""
        return damage + 1 if self.on_20 is None else self.on_20

    def _list_condition_facts(self) -> list[str]:
        facts = []
        if not self.is_allowed_in_cover:
            facts.append("Not from cover.")
        if set(MOVEMENT) <= set(self.usable_abilities):
            facts.append("A movement ability counts only in terrain that suits it.")
        if self.delays_self == "while injured":
            facts.append("While injured you delay yourself, hit or miss.")
        if self.delays_self == "always":
            facts.append("It always delays you, hit or miss.")
        return facts
