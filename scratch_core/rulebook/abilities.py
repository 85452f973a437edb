"""The fifteen abilities: meaning, group, the rolls and the defence each counts towards, and its terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import ACTION_SPECS

_MAIN_ACTIONS = tuple(
    spec for spec in ACTION_SPECS.values() if spec.do not in {each.follow_up for each in ACTION_SPECS.values()}
)
"""Every action spec except follow-ups, which belong to the action that they continue."""

Group = Literal["toughness", "attack", "stalking", "movement", "support"]
Defence = Literal["agility", "intelligence", "strength"]

DEFENCE_AGAINST: dict[str, Defence] = {"normal": "agility", "psychic": "intelligence", "force": "strength"}
"""The defence that each type of attack is rolled against, unless the attack overrides it. Rule: `attack.type-map`."""

GROUPS: tuple[Group, ...] = ("toughness", "attack", "stalking", "movement", "support")
"""The groups, in the order of a character sheet."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of the rulebook. Pages, the glossary, tooltips and the command line read its texts from here."""

    name: str
    """Its name in the rulebook, in lower case."""
    group: Group
    """The group that it belongs to."""
    rule: str
    """The id of the rule for its roll."""
    meaning: str
    """What it represents, how you use it and what it counts towards, in a sentence or two."""
    use: str
    """Its main use, in a few words."""
    noun: str
    """The word for a character whose best ability it is: `archer`."""
    adjective: str
    """The word for a character whose second-best ability it is: `Sure-eyed`."""
    defence: Defence | None = None
    """The defence that it counts towards, or None."""
    terrain: str = ""
    """Where a movement ability works, or "" for other abilities."""
    where_usable: str = ""
    """The same in a few words after the ability's name, such as "in water"."""
    suits: tuple[str, ...] = ()
    """The surroundings of a fighter in which a movement ability works, or () for other abilities.

    Rules: `move.terrain`, `acrobatics.terrain`, `quickness.terrain`, `flying.terrain`, `swimming.requires`.
    """

    @property
    def main_rule(self) -> str:
        """The id of the rule to read first.

        Differs from `rule` for the stalking abilities, which share the rule of their roll.
        """
        return f"{self.name}.initiative" if self.group == "stalking" else self.rule

    @property
    def actions_added_to(self) -> tuple[str, ...]:
        """The actions whose roll its level may be added to, its own action first.

        They are names of actions. `craft` is the roll of a crafter in a hurry.
        """
        return _list_actions_with_roll(self.name, self.rule)

    @property
    def actions_requiring(self) -> tuple[str, ...]:
        """The names of the actions that require this ability or another of the same list."""
        return tuple(spec.do for spec in _MAIN_ACTIONS if self.name in spec.required_abilities)


@cache
def _list_actions_with_roll(ability: str, rule_to_list_first: str) -> tuple[str, ...]:
    """List the actions whose roll an ability may be added to, that of `rule_to_list_first` first."""
    specs = [spec for spec in _MAIN_ACTIONS if spec.needs_roll and ability in spec.usable_abilities]
    return tuple(spec.do for spec in sorted(specs, key=lambda spec: spec.rule != rule_to_list_first))


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
        "Knockout is one devastating attack: a heavy club, an assassin's skill, fast venom or sheer weight. It does "
        "the most damage at close range, and it costs you your next turn.",
        "one devastating attack at close range",
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
        "use it to evade, distract and hold, and everywhere it counts towards your agility.",
        "evade, distract and hold where there is something to climb; agility",
        noun="climber",
        adjective="Nimble",
        defence="agility",
        terrain="structures and obstacles: ropes, ledges, ladders, fences, trees, cliffs",
        where_usable="where you can climb",
        suits=("climbable",),
    ),
    Ability(
        "quickness",
        "movement",
        "quickness.terrain",
        "Quickness is footwork, sprinting and staying power. On fairly level ground you use it to evade, distract and "
        "hold, and everywhere it counts towards your agility.",
        "evade, distract and hold on fairly level ground; agility",
        noun="runner",
        adjective="Quick",
        defence="agility",
        terrain="fairly level ground",
        where_usable="on level ground",
        suits=("level",),
    ),
    Ability(
        "flying",
        "movement",
        "flying.terrain",
        "Flying is wings, a jetpack or a power that defies gravity, where there is room for it. In the air you use it "
        "to evade, distract and hold, and get out of reach of close attacks, and everywhere it counts towards your "
        "agility.",
        "evade, distract and hold in the air, out of reach of close attacks; agility",
        noun="flier",
        adjective="Winged",
        defence="agility",
        terrain="open air with room to fly",
        where_usable="in open air",
        suits=("open-air",),
    ),
    Ability(
        "swimming",
        "movement",
        "swimming.requires",
        "Swimming is moving in water; without it you can't swim. In water you use it to evade, distract and hold, and "
        "it adds to your agility and close attacks, and everywhere it counts towards your strength.",
        "evade, distract and hold in water, and a bonus there to agility and close attacks; strength",
        noun="diver",
        adjective="Seafaring",
        defence="strength",
        terrain="water",
        where_usable="in water",
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
"""The fifteen abilities, in the rulebook's order. `act.surprise` takes either stalking ability."""

ABILITY_NAMES: tuple[str, ...] = tuple(ability.name for ability in ABILITIES)
ABILITIES_BY_NAME: dict[str, Ability] = {ability.name: ability for ability in ABILITIES}

ALIASES: dict[str, str] = {"stalking": "stealth"}
"""Older names by which imports may call an ability; the rulebook's own example still uses one (ruling K05)."""

INERT: tuple[str, ...] = ("piloting",)
"""Names on old sheets that cost points and have no rule (ruling K05)."""


def list_group_abilities(group: Group) -> tuple[Ability, ...]:
    """List the abilities of a group, in the rulebook's order."""
    return tuple(ability for ability in ABILITIES if ability.group == group)


def list_defence_abilities(defence: Defence) -> tuple[str, ...]:
    """List the names of the abilities whose highest level is added to a defence.

    Swimming counts towards strength and not agility. Rules: `def.agility`, `def.intelligence`, `def.strength`.
    """
    return tuple(ability.name for ability in ABILITIES if ability.defence == defence)


def find_ability_name(text: str) -> str | None:
    """Find the rulebook's name for an ability as typed.

    Ignores case and outer spaces and follows aliases. Returns None if there is no such ability.
    """
    name = " ".join(text.split()).lower()
    name = ALIASES.get(name, name)
    return name if name in ABILITIES_BY_NAME or name in INERT else None


def get_ability(name: str) -> Ability:
    """Return the ability of that name, in any case.

    Follows older names. Raises `ScratchError` (`ability.unknown`) with the most similar names. Piloting counts as
    unknown, because it has no rule.
    """
    found = ABILITIES_BY_NAME.get(find_ability_name(name) or "")
    if found is None:
        raise ScratchError(
            Problem(
                "ability.unknown",
                f"an ability, such as {format_similar_or_first_abilities(name)}",
                format_input(name),
                "the abilities",
            )
        )
    return found


def suggest_names(name: str, words: Sequence[str] = ABILITY_NAMES, most: int = 1, cutoff: float = 0.7) -> list[str]:
    """Return the words most similar to a misspelled name, the most similar first.

    `most` is the maximum number of words; `cutoff` is the minimum similarity, from 0 to 1.
    """
    from difflib import get_close_matches  # seldom needed, and at module level every page in the browser would load it

    return get_close_matches(" ".join(name.split()).lower()[:60], words, n=most, cutoff=cutoff)


def format_similar_or_first_abilities(name: str) -> str:
    """Format the ability names most similar to a name, separated by commas.

    Returns the first few abilities if none is similar.
    """
    return ", ".join(suggest_names(name, ABILITY_NAMES, 3, 0.5) or ABILITY_NAMES[:3])


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A level of toughness for comparison."""

    who: str
    """Who or what has that level."""
    toughness: int
    """The level of toughness."""


BENCHMARKS: tuple[Benchmark, ...] = (
    Benchmark("a child, or someone old", 2),
    Benchmark("an average adult without armour", 3),
    Benchmark("a big person", 4),
    Benchmark("a horse", 6),
    Benchmark("an elephant", 10),
)
"""Levels of toughness for comparison. Rule: `tough.benchmarks`."""

MAX_UNAIDED_SWIMMING = 2
"""The maximum level of swimming without fins or a body made for water. Rule: `swimming.scale`."""


def compute_toughness(body: int, training: int = 0, heavy_armour: bool = False) -> Figure:
    """Add up toughness from a benchmark, training and heavy armour.

    `body` is a benchmark's level, `training` is worth 0, 1 or 2, heavy armour is worth 2. Raises `ScratchError` for a
    body below 0 or training outside 0–2. Rule: `tough.training-armour`.
    """
    if body < 0:
        raise ScratchError(Problem("ability.range", "a level of 0 or more", format_input(body), "body"))
    if not 0 <= training <= 2:
        expected = "training worth 0, 1 or 2 levels"
        raise ScratchError(Problem("ability.range", expected, format_input(training), "training"))
    parts = [Part("body", body, "tough.benchmarks")]
    if training:
        parts.append(Part("training", training, "tough.training-armour"))
    if heavy_armour:
        parts.append(Part("heavy armour", 2, "tough.training-armour"))
    return Figure("toughness", tuple(parts))
