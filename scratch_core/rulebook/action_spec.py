"""An action's card: everything that is true of one action, told once. Its sentences are made of its numbers."""

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
    """How many targets an action takes, from `least` to `most`, and whom it may take.

    `distinct`: each target once. `enemies`: no one of one's own side. `spaces`: on a board it is aimed at a space, and
    whoever is near is its target.
    """

    least: int
    most: int
    distinct: bool = False
    enemies: bool = False
    spaces: bool = False

    @property
    def in_words(self) -> str:
        """`one target`, `two targets`, `1 to 3 targets`."""
        if self.least < self.most:
            return f"{self.least} to {self.most} targets"
        return f"{_COUNTS[self.most]} target{'' if self.most == 1 else 's'}"

    def sets_of(self, count: int) -> Iterator[tuple[int, ...]]:
        """Every legal set of targets out of so many, by their places; smaller sets first, each set once."""
        choose = combinations if self.distinct else combinations_with_replacement
        return (chosen for size in range(self.least, self.most + 1) for chosen in choose(range(count), size))


NOBODY = Targets(0, 0)
ONE = Targets(1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCard:
    """One action: what it is called, who may do it when, what it is rolled against, and what comes of it.

    - `do` is its name in a scenario, `title` that on a page and on its button, unless `button` says what pressing it
      does; `verb` is what a log says between the actor and the target. `rule` is the rule that defines it.
    - `adds` lists the abilities of which one may be added to the roll (for an evade: to the defences), `adds_rules` the
      rule that lets an ability in, where it isn't the ability's own; `required` lists those of which at least one is
      needed, none when anyone may try. `family` is a rule that it shares with others of its kind, or "".
    - `range` and `attack` are "" for what is no attack. It is rolled against the best of the defences in `against`, or
      against a `difficulty`; against nothing where neither is given.
    - `damage` is what a success takes in hit points, `damage_injured` the same by an injured actor where that differs,
      `on_20` the damage of a face of 20 where it isn't the usual 1 more. `inflicts` is what a success lays on the
      target. `delays_self`: when it delays its own actor, hit or miss. `cause` is the word for the delay that it
      brings, "" for none, and `cause_rule` the rule of that.
    - `gain` and `cost` are what it gives and takes while it lasts; `spaces` and `spaces_injured` how far it leads;
      `hit_points` those that it leaves to someone.
    - `from_cover`: whether it may be done in cover; `while_delayed`: by someone delayed; `leads_to_attack`: it is
      worth nothing without an attack after it. `exposes`: when it exposes its actor on a board: always, at a target
      that is far, along a path of more than one space, or "" for never.
    - `opens` is the act with which it goes on, where it is done at one target alone; "" for most.
    - `told` and `when` are the sentences on its effect and its conditions, with its numbers in braces; `told_on_map` is
      the effect on a map where that differs.
    """

    do: str
    title: str
    kind: Kind
    rule: str
    told: str = "{hit}."
    told_on_map: str = ""
    when: str = "{facts}"
    button: str = ""
    verb: str = ""
    family: str = ""
    range: Range = ""
    attack: Attack = ""
    against: tuple[str, ...] = ()
    difficulty: int = 0
    adds: tuple[str, ...] = ()
    adds_rules: Mapping[str, str] = field(default_factory=dict, hash=False)
    required: tuple[str, ...] = ()
    targets: Targets = NOBODY
    damage: int = 0
    damage_injured: int | None = None
    on_20: int | None = None
    inflicts: Literal["", "delay", "panic"] = ""
    delays_self: Literal["", "while injured", "always"] = ""
    cause: str = ""
    cause_rule: str = ""
    gain: int = 0
    cost: int = 0
    spaces: int = 0
    spaces_injured: int = 0
    hit_points: int = 0
    from_cover: bool = True
    while_delayed: bool = False
    leads_to_attack: bool = False
    exposes: Literal["", "always", "far", "path"] = ""
    opens: str = ""

    # What it is

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack of any type. Rule: `attack.type-map`."""
        return bool(self.attack)

    @property
    def is_close(self) -> bool:
        """Whether it is an attack at close range; an interrupting attack is one. Rule: `grid.close.reach`."""
        return self.is_attack and self.range in ("close", "adjacent")

    @property
    def is_long(self) -> bool:
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
    def is_once(self) -> bool:
        """Whether it is spent after one use. Rule: `act.unrepeatable`."""
        return self.kind == "regular, once per encounter"

    @property
    def rolls(self) -> bool:
        """Whether dice are thrown for it."""
        return bool(self.against or self.difficulty)

    @property
    def is_calm(self) -> bool:
        """Whether someone panicked may do it: neither a roll nor what prepares an attack. Rule: `cond.panicked`."""
        return not self.rolls and not self.leads_to_attack

    @property
    def names_target(self) -> bool:
        """Whether it is done to someone."""
        return self.targets.most > 0

    @property
    def rules(self) -> str:
        """The ids of the rules that define it, separated by spaces."""
        return f"{self.family} {self.rule}" if self.family else self.rule

    def damage_of(self, injured: bool) -> int:
        """What a success takes in hit points by a healthy or an injured actor. Rule: `hp.damage`."""
        return self.damage if self.damage_injured is None or not injured else self.damage_injured

    def delays_actor(self, injured: bool) -> bool:
        """Whether it delays its own actor, hit or miss. Rule: `cond.delayed`."""
        return self.delays_self == "always" or (injured and self.delays_self == "while injured")

    # What a page says of it

    @property
    def defence(self) -> str:
        """What it is rolled against, in words; "" for what is no roll."""
        if self.difficulty:
            return f"difficulty {self.difficulty}"
        if len(self.against) > 1:
            return f"the greater of {' and '.join(self.against)}"
        return "".join(self.against)

    @property
    def effect(self) -> str:
        """What it does, in a sentence or two with its numbers."""
        return self._filled(self.told)

    @property
    def effect_on_map(self) -> str:
        """What it does on a map."""
        return self._filled(self.told_on_map or self.told)

    def _filled(self, sentence: str) -> str:
        """Fill in a sentence's numbers."""
        return sentence.format(
            hit=self._hit,
            damage=self.damage,
            damage_on_20=self._on_20(self.damage),
            most=_COUNTS[self.targets.most],
            gain=self.gain,
            cost=self.cost,
            spaces=self.spaces,
            spaces_injured=self.spaces_injured,
            hit_points=self.hit_points,
        )

    @property
    def conditions(self) -> str:
        """When it may be done, and what it costs besides; "" where there is nothing to say."""
        return self.when.format(facts=" ".join(self._facts()))

    @property
    def _hit(self) -> str:
        healthy = f"{self.damage} damage"
        if self.damage_injured is None:
            return f"{healthy}, {self._on_20(self.damage)} on a 20"
        injured = f"{self.damage_injured} while injured ({self._on_20(self.damage_injured)} on a 20)"
        return f"{healthy} while healthy ({self._on_20(self.damage)} on a 20), {injured}"

    def _on_20(self, damage: int) -> int:
        """Rule: `hp.auto-damage`, unless the card has a number of its own."""
        return damage + 1 if self.on_20 is None else self.on_20

    def _facts(self) -> list[str]:
        facts = []
        if not self.from_cover:
            facts.append("Not from cover.")
        if set(MOVEMENT) <= set(self.adds):
            facts.append("A movement ability counts only in terrain that suits it.")
        if self.delays_self == "while injured":
            facts.append("While injured you delay yourself, hit or miss.")
        if self.delays_self == "always":
            facts.append("It always delays you, hit or miss.")
        return facts
