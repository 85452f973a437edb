"""The fifteen abilities: what each is, its group, the rolls it helps, the ground it needs, the defence it feeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import ACTION_SPECS

_WHOLE = tuple(
    card for card in ACTION_SPECS.values() if card.do not in {each.follow_up for each in ACTION_SPECS.values()}
)
"""Every card but those with which another goes on: these are one action."""

Group = Literal["toughness", "attack", "stalking", "movement", "support"]
Defence = Literal["agility", "intelligence", "strength"]

DEFENCE_AGAINST: dict[str, Defence] = {"normal": "agility", "psychic": "intelligence", "force": "strength"}
"""The figure that each type of attack is rolled against, unless the attack says otherwise. Rule: `attack.type-map`."""

GROUPS: tuple[Group, ...] = ("toughness", "attack", "stalking", "movement", "support")
"""The groups, in the order in which a sheet is filled in."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of the rulebook.

    `meaning` says in a sentence or two what it stands for, what you do with it and what it counts towards; `use` is
    its main use in a few words. Pages, glossary, tooltips and the command line read both from here.
    Whoever is best at it is called `noun`, and `adjective` after it who is second best.
    `defence` is the figure that it feeds, or None. Of a movement ability `terrain` says where it fits, and `suits` are
    the surroundings of a fighter that do; else "" and (). Rules: `move.terrain`, `acrobatics.terrain`,
    `quickness.terrain`, `flying.terrain`, `swimming.requires`.
    """

    name: str
    group: Group
    rule: str
    meaning: str
    use: str
    noun: str
    adjective: str
    defence: Defence | None = None
    terrain: str = ""
    suits: tuple[str, ...] = ()

    @property
    def main_rule(self) -> str:
        """The rule to read first: `rule` belongs to the roll, and both stalking abilities share one."""
        return f"{self.name}.initiative" if self.group == "stalking" else self.rule

    @property
    def adds_to(self) -> tuple[str, ...]:
        """The rolls that its level may be added to, by the names of actions; first the action that is its own.

        `craft` is the roll of a crafter in a hurry.
        """
        cards = [card for card in _WHOLE if card.needs_roll and self.name in card.usable_abilities]
        return tuple(card.do for card in sorted(cards, key=lambda card: card.rule != self.rule))

    @property
    def required_by(self) -> tuple[str, ...]:
        """The names of the actions that can't be tried without it, or without another ability like it."""
        return tuple(card.do for card in _WHOLE if self.name in card.required_abilities)


ABILITIES: tuple[Ability, ...] = (
    Ability(
        "toughness",
        "toughness",
        "hp.max",
        "Toughness is what you can take: size, endurance, will and whatever armour you wear. Its level is your hit "
        "points, half of it is your stamina, and without wrestling and swimming it makes your strength.",
        "hit points, stamina, strength",
        noun="survivor",
        adjective="Sturdy",
    ),
    Ability(
        "shooting",
        "attack",
        "act.shooting",
        "Shooting is skill with guns, bows and throwing spears, or any power that does damage from afar. With it you "
        "attack one target at long range, and hard.",
        "a strong attack on one target at long range",
        noun="archer",
        adjective="Sure-eyed",
    ),
    Ability(
        "blasting",
        "attack",
        "act.blasting",
        "Blasting is anything that hits several targets at once: grenades, automatic fire, a breath of flames. With it "
        "you attack up to three different enemies at long range in one action.",
        "an attack on up to three enemies at long range",
        noun="grenadier",
        adjective="Explosive",
    ),
    Ability(
        "knockout",
        "attack",
        "act.knockout",
        "Knockout is one devastating blow: a heavy club, an assassin's skill, fast venom or sheer weight. It does "
        "the most damage at close range, and it costs you your next turn.",
        "one devastating blow at close range",
        noun="bruiser",
        adjective="Heavy-handed",
    ),
    Ability(
        "fighting",
        "attack",
        "act.fighting.bonus",
        "Fighting is skill with swords and other hand weapons, with claws or with bare hands. You add it to basic "
        "attacks, and while you are healthy you make two of them at once.",
        "basic attacks, two at once while healthy",
        noun="fencer",
        adjective="Quarrelsome",
    ),
    Ability(
        "wrestling",
        "attack",
        "act.wrestling.bonus",
        "Wrestling is locks, throws and chokes. You add it to basic attacks and to holds, which do damage while you "
        "are healthy, and it counts towards your strength.",
        "holds that do damage, basic attacks, strength",
        noun="wrestler",
        adjective="Iron-gripped",
        defence="strength",
    ),
    Ability(
        "stealth",
        "stalking",
        "act.surprise",
        "Stealth is going unseen and unheard: camouflage, shadows, staying low. It brings your group forward in "
        "initiative, lets you surprise others and counts towards your agility.",
        "initiative, surprise, agility",
        noun="prowler",
        adjective="Silent",
        defence="agility",
    ),
    Ability(
        "detection",
        "stalking",
        "act.surprise",
        "Detection is alertness, keen senses and tracking. It brings your group far forward in initiative, helps you "
        "hold and surprise others, and counts towards your intelligence.",
        "initiative, surprise, holds, intelligence",
        noun="scout",
        adjective="Watchful",
        defence="intelligence",
    ),
    Ability(
        "acrobatics",
        "movement",
        "acrobatics.terrain",
        "Acrobatics is climbing, jumping and balance, and the gear for them. Where there is something to climb, you "
        "use it to evade, distract and hold; it counts towards your agility everywhere.",
        "evade, distract and hold where there is something to climb; agility",
        noun="climber",
        adjective="Nimble",
        defence="agility",
        terrain="structures and obstacles: ropes, ledges, ladders, fences, trees, cliffs",
        suits=("climbable",),
    ),
    Ability(
        "quickness",
        "movement",
        "quickness.terrain",
        "Quickness is footwork, sprinting and staying power. On fairly level ground you use it to evade, distract and "
        "hold; it counts towards your agility everywhere.",
        "evade, distract and hold on fairly level ground; agility",
        noun="runner",
        adjective="Quick",
        defence="agility",
        terrain="fairly level ground",
        suits=("level",),
    ),
    Ability(
        "flying",
        "movement",
        "flying.terrain",
        "Flying is wings, a jetpack or a power that defies gravity, where there is room for it. In the air you use it "
        "to evade, distract and hold, and get out of reach of close attacks; it counts towards your agility "
        "everywhere.",
        "evade, distract and hold in the air, out of close reach; agility",
        noun="flier",
        adjective="Winged",
        defence="agility",
        terrain="open air with room to fly",
        suits=("open-air",),
    ),
    Ability(
        "swimming",
        "movement",
        "swimming.requires",
        "Swimming is moving in water; without it you can't swim. In water you use it to evade, distract and hold, and "
        "it adds to your agility and close attacks; it counts towards your strength everywhere.",
        "evade, distract and hold in water, and a bonus there to agility and close attacks; strength",
        noun="diver",
        adjective="Seafaring",
        defence="strength",
        terrain="water",
        suits=("water", "deep-water"),
    ),
    Ability(
        "healing",
        "support",
        "act.heal",
        "Healing is first aid, quick potions or wonders. With it you revive incapacitated characters and heal "
        "injured ones, though never yourself, and it counts towards your intelligence.",
        "reviving and healing others, intelligence",
        noun="healer",
        adjective="Kind",
        defence="intelligence",
    ),
    Ability(
        "craftsmanship",
        "support",
        "craft.bonus",
        "Craftsmanship is work with wood, metal, engines, electronics or robots. You keep up and improve your "
        "companions' equipment, which lends them a +1 on an ability per level, and it counts towards your "
        "intelligence.",
        "a +1 on companions' abilities, intelligence",
        noun="tinker",
        adjective="Inventive",
        defence="intelligence",
    ),
    Ability(
        "command",
        "support",
        "command.minions",
        "Command is rank, charisma or pupils of your own. It gives you one or two minions, lets you intimidate "
        "others and counts towards your intelligence.",
        "minions, intimidate, intelligence",
        noun="leader",
        adjective="Bold",
        defence="intelligence",
    ),
)
"""The fifteen, in the rulebook's order: `act.surprise` takes either stalking ability."""

ABILITY_NAMES: tuple[str, ...] = tuple(ability.name for ability in ABILITIES)
ABILITIES_BY_NAME: dict[str, Ability] = {ability.name: ability for ability in ABILITIES}

ALIASES: dict[str, str] = {"stalking": "stealth"}
"""Older names, read on import only; the rulebook's own example still has one (ruling K05)."""

INERT: tuple[str, ...] = ("piloting",)
"""Names that cost points and do nothing: they stand in old sheets and have no rule (ruling K05)."""


def group_of(group: Group) -> tuple[Ability, ...]:
    """The abilities of one group, in order."""
    return tuple(ability for ability in ABILITIES if ability.group == group)


def list_defence_abilities(defence: Defence) -> tuple[str, ...]:
    """The names of the abilities whose highest level is added to a defence.

    Swimming feeds strength and not agility. Rules: `def.agility`, `def.intelligence`, `def.strength`.
    """
    return tuple(ability.name for ability in ABILITIES if ability.defence == defence)


def find_ability_name(text: str) -> str | None:
    """The rulebook's name for what someone wrote, or None: case and outer space don't matter, aliases are followed."""
    name = " ".join(text.split()).lower()
    name = ALIASES.get(name, name)
    return name if name in ABILITIES_BY_NAME or name in INERT else None


def get_ability(name: str) -> Ability:
    """The ability of that name, in any case; older names are followed.

    Raises `ScratchError` (`ability.unknown`) with the names most like an unknown one; piloting has no rule and is one.
    """
    found = ABILITIES_BY_NAME.get(find_ability_name(name) or "")
    if found is None:
        raise ScratchError(
            Problem(
                "ability.unknown",
                f"an ability, such as {format_similar_names(name)}",
                format_input(name),
                "the abilities",
            )
        )
    return found


def suggest_names(name: str, words: Sequence[str] = ABILITY_NAMES, most: int = 1, cutoff: float = 0.7) -> list[str]:
    """Those of the words that were probably meant by one that is none of them, at most so many, the likest first."""
    from difflib import get_close_matches  # seldom wanted, and every page in the browser would load it

    return get_close_matches(" ".join(name.split()).lower()[:60], words, n=most, cutoff=cutoff)


def format_similar_names(name: str) -> str:
    """The names most like one that no ability has, or the first few, separated by commas."""
    return ", ".join(suggest_names(name, ABILITY_NAMES, 3, 0.5) or ABILITY_NAMES[:3])


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A level of toughness to compare with: who has it."""

    who: str
    toughness: int


BENCHMARKS: tuple[Benchmark, ...] = (
    Benchmark("a child, or someone old", 2),
    Benchmark("an average adult without armour", 3),
    Benchmark("a big person", 4),
    Benchmark("a horse", 6),
    Benchmark("an elephant", 10),
)
"""Levels of toughness to compare with. Rule: `tough.benchmarks`."""

MAX_UNAIDED_SWIMMING = 2
"""The highest swimming of people without fins or a body made for water. Rule: `swimming.scale`."""


def built_toughness(body: int, training: int = 0, heavy_armour: bool = False) -> Figure:
    """Toughness put together from a benchmark's level, training worth 0, 1 or 2, and heavy armour worth 2.

    Raises `ScratchError` for a body below 0 or a training beyond 0–2. Rule: `tough.training-armour`.
    """
    if body < 0:
        raise ScratchError(_out_of_range("a level of 0 or more", body, "body"))
    if not 0 <= training <= 2:
        raise ScratchError(_out_of_range("training worth 0, 1 or 2 levels", training, "training"))
    parts = [Part("body", body, "tough.benchmarks")]
    if training:
        parts.append(Part("training", training, "tough.training-armour"))
    if heavy_armour:
        parts.append(Part("heavy armour", 2, "tough.training-armour"))
    return Figure("toughness", tuple(parts))


def _out_of_range(expected: str, got: int, where: str) -> Problem:
    return Problem("ability.range", expected, format_input(got), where)
