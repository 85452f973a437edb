"""Fighters: characters in an encounter, with their hit points, surroundings and conditions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from scratch_core.board import Board, Space
from scratch_core.characters import DEFAULT_RULINGS, Character, Health, TemporaryBonus, character_to_dict, find_health
from scratch_core.figures import Figure
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.turn_systems import BaseFighter

Cause = str
CAUSES: tuple[Cause, ...] = tuple(dict.fromkeys(spec.cause for spec in ACTION_SPECS.values() if spec.cause))
"""The words for the causes of a delay, from the definitions of the actions. Rule: `cond.delayed`."""

GM_CAUSE: Cause = "the game master"
"""The cause of a delay that the game master gave, not a rule."""

SURROUNDING_WORDS: Mapping[str, str] = {
    "level": "level ground",
    "cover": "cover",
    "throwable": "things to throw",
    "climbable": "something to climb",
    "open-air": "open air",
    "water": "water",
    "deep-water": "deep water",
}
"""What a place without a board may have: the words of a file, and the words for readers."""

SURROUNDINGS: tuple[str, ...] = tuple(SURROUNDING_WORDS)


@dataclass(frozen=True, slots=True)
class Delay:
    """One reason why a fighter can't act. Rules: `cond.delayed`, `cond.delayed.expiry`."""

    cause: Cause
    """The cause, one of `CAUSES` or `GM_CAUSE`."""
    by: str
    """The id of the fighter that caused it, or ""."""
    until: int
    """The number of the delayed fighter's own turn at whose end it expires."""


@dataclass(frozen=True, slots=True)
class Evade:
    """An evade in force. Rules: `act.evade`, `act.evade.no-ability`, `act.evade.end`."""

    ability: str
    """The movement ability used, or "" if none counts."""
    bonus: int
    """What it adds to agility and strength."""
    until: int = 0
    """The number of the own turn at whose end it expires, if the GM gave it; 0: at the start of the next own turn."""

    def to_json(self) -> list[object]:
        """Return the JSON form: the ability, the bonus and, if it is set, `until`."""
        return [self.ability, self.bonus, *([self.until] if self.until else [])]


@dataclass(frozen=True, slots=True)
class CharacterFigures:
    """What follows from a character's levels alone, computed once."""

    levels: Mapping[str, int]
    """The level by ability, crafted bonuses included."""
    agility: Figure
    """Agility without what the encounter adds."""
    intelligence: Figure
    """Intelligence."""
    strength: Figure
    """Strength without what the encounter adds."""
    max_hp: int
    """The maximum of hit points; 0 without toughness."""
    stamina: int
    """The highest number of hit points at which the fighter is injured."""
    beyond: frozenset[str]
    """The names of actions that require an ability which it lacks.

    Rules: `roll.ability-required`, `char.ability-level`.
    """

    @classmethod
    def from_character(cls, character: Character, rulings: RulingSettings) -> CharacterFigures:
        """Compute the figures of a character.

        Rules: `def.agility`, `def.intelligence`, `def.strength`, `hp.max`, `hp.stamina`.
        """
        levels = {line.ability: character.level(line.ability) for line in character.lines}
        return cls(
            levels,
            character.agility(),
            character.intelligence(),
            character.strength(rulings),
            character.max_hp().value,
            character.stamina().value,
            frozenset(
                spec.do
                for spec in ACTION_SPECS.values()
                if spec.required_abilities and not any(map(levels.get, spec.required_abilities))
            ),
        )


FLAGS = (
    *("fresh", "evaded_this_turn", "evaded_last_turn", "engaged", "engage_penalty", "in_cover", "flying_immune"),
    "escaped",
)
"""The fields of a fighter that are true or false in the JSON form."""


@dataclass(frozen=True, slots=True)
class Fighter(BaseFighter):
    """A character in an encounter. Its id is `character.name`. Rules: `turn.group`, `hp.start`."""

    character: Character
    """The sheet."""
    numbers: CharacterFigures = field(compare=False, repr=False)
    """The figures of the sheet."""
    group: str
    """The id of the group whose turn it shares. Rule: `turn.group`."""
    here: frozenset[str]
    """The surroundings, words of `SURROUNDINGS`. On a board they follow from the space."""
    hp: int
    """The hit points, from 0 to the maximum."""
    fresh: bool = True
    """Whether it enters the encounter with all its hit points. Rule: `hp.start`."""
    turn: int = 0
    """How many own turns have begun. Each `until` is such a number."""
    delays: tuple[Delay, ...] = ()
    """The causes of its delay, or () if it is not delayed."""
    panicked_until: int = 0
    """The own turn at whose end panic expires, or 0."""
    evading: Evade | None = None
    """The evade in force, or None."""
    evaded_this_turn: bool = False
    """Whether it has evaded in its current turn."""
    evaded_last_turn: bool = False
    """Whether it evaded in its last turn and may escape."""
    held_by: tuple[str, ...] = ()
    """The ids of the fighters whose hold on it succeeded since its last turn."""
    engaged: bool = False
    """Whether it engages in this turn."""
    engage_penalty: bool = False
    """Whether its agility is lower after engaging."""
    in_cover: bool = False
    """Whether it is in cover."""
    flying_immune: bool = False
    """Whether it flew out of reach since its last turn began."""
    used: tuple[tuple[str, str], ...] = ()
    """The unrepeatable actions used, each with the id of its target."""
    escaped: bool = False
    """Whether it has escaped."""
    at: Space | None = None
    """The space on a board; None without a board, or once it is away."""
    immobilized_until: int = 0
    """The own turn at whose end it may move again, or 0."""
    escape_banned_until: int = 0
    """The own turn at whose end it may escape again after an interrupt, or 0."""
    gone: bool = False
    """Whether the game master has removed it from the fight."""

    def level(self, ability: str) -> int:
        """Return the current level of an ability.

        Returns 0 if the ability is absent. Rule: `char.ability-level`.
        """
        return self.numbers.levels.get(ability, 0)

    @property
    def is_down(self) -> bool:
        """Whether it has 0 hit points. Rules: `hp.incapacitated`, `tough.none`."""
        return self.hp == 0

    @property
    def is_healthy(self) -> bool:
        """Whether its hit points are above its stamina. Rule: `hp.healthy`."""
        return self.hp > self.numbers.stamina

    @property
    def is_injured(self) -> bool:
        """Whether it has hit points, but no more than its stamina. Rule: `hp.injured`."""
        return 0 < self.hp <= self.numbers.stamina

    @property
    def health(self) -> Health:
        """Healthy, injured or incapacitated. Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`."""
        return find_health(self.hp, self.numbers.max_hp)

    @property
    def is_away(self) -> bool:
        """Whether it has escaped or the game master has removed it. Rule: `act.escape.effect`."""
        return self.escaped or self.gone

    @property
    def is_out(self) -> bool:
        """Whether it is down or away. Rules: `tough.none`, `hp.incapacitated`, `act.escape.effect`."""
        return self.is_down or self.is_away

    @property
    def departure_verb(self) -> str:
        """The verb for how it left. Rule: `act.escape.effect`."""
        return "has escaped" if self.escaped else "has left"

    @property
    def is_delayed(self) -> bool:
        """Whether it is delayed, by any cause. Rule: `cond.delayed`."""
        return bool(self.delays)

    @property
    def is_panicked(self) -> bool:
        """Whether it is panicked. Rule: `cond.panicked`."""
        return self.panicked_until > 0

    @property
    def is_immobilized(self) -> bool:
        """Whether it may not move. Rule: `grid.hold.immobilize`."""
        return self.immobilized_until > 0

    @property
    def is_minion(self) -> bool:
        """Whether it is a minion of another character. Rule: `command.minions`."""
        return bool(self.character.minion_of)

    @property
    def is_in_water(self) -> bool:
        """Whether it is in water, deep or not. Rule: `swimming.in-water`."""
        return "water" in self.here or "deep-water" in self.here

    @property
    def is_deep_evading(self) -> bool:
        """Whether it evades by swimming in deep water. Rule: `swimming.deep-evade`."""
        return self.evading is not None and self.evading.ability == "swimming" and "deep-water" in self.here

    @property
    def can_fly_here(self) -> bool:
        """Whether it can fly where it is. Rules: `flying.requires`, `flying.terrain`."""
        return self.level("flying") > 0 and self.has_terrain_for("flying")

    @property
    def is_flying_out_of_reach(self) -> bool:
        """Whether its flight protects it from close attacks while it has room to fly.

        Rule: `flying.immunity`.
        """
        return self.flying_immune and self.can_fly_here

    def has_terrain_for(self, ability: str) -> bool:
        """Return whether the surroundings suit an ability.

        Only movement abilities depend on the surroundings. Rule: `move.terrain`.
        """
        suits = ABILITIES_BY_NAME[ability].suits
        return not suits or any(word in self.here for word in suits)

    def get_next_turn_number(self) -> int:
        """Return the number of the next own turn, where effects expire (principle P5)."""
        return self.turn + 1

    def with_position_and_surroundings(self, board: Board | None, space: Space | None) -> Fighter:
        """Return the fighter at another space, with its surroundings.

        Off the board it has none. Returns the fighter unchanged if there is no board. Rule: `move.terrain`.
        """
        if board is None:
            return self
        here = board.offered_surroundings(space) if space is not None and space in board else frozenset[str]()
        return replace_fields(self, at=space, here=here)

    def with_character(self, character: Character, rulings: RulingSettings) -> Fighter:
        """Return the fighter with another sheet.

        Hit points above the new maximum are lost. Rule: `hp.max`.
        """
        numbers = CharacterFigures.from_character(character, rulings)
        return replace_fields(self, character=character, numbers=numbers, hp=min(self.hp, numbers.max_hp))

    def with_crafted_bonus(self, ability: str, crafter: str, rulings: RulingSettings) -> Fighter:
        """Return the fighter with one more crafted bonus. Rule: `craft.bonus`."""
        return self.with_character(self.character.with_bonus(TemporaryBonus(ability, crafter)), rulings)

    def without_crafted_bonus(self, ability: str, crafter: str, rulings: RulingSettings) -> Fighter:
        """Return the fighter without a crafted bonus. Rule: `craft.duration`."""
        return self.with_character(self.character.without_bonus(TemporaryBonus(ability, crafter)), rulings)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form.

        Fields that only a board or the game master sets are left out while they have their defaults.
        """
        written: dict[str, object] = {
            "name": self.name,
            "character": character_to_dict(self.character),
            "side": self.side,
            "group": self.group,
            "here": sorted(self.here),
            "hp": self.hp,
            "turn": self.turn,
            "panicked_until": self.panicked_until,
            "delays": [[delay.cause, delay.by, delay.until] for delay in self.delays],
            "evading": self.evading.to_json() if self.evading else [],
            "held_by": list(self.held_by),
            "used": [list(pair) for pair in self.used],
        }
        written |= {flag: getattr(self, flag) for flag in FLAGS}
        rare = {"immobilized_until": self.immobilized_until, "gone": self.gone}
        written |= {key: value for key, value in rare.items() if value}
        return written if self.at is None else {**written, "at": list(self.at)}

    def with_only_lasting_state(self) -> Fighter:
        """Return the fighter with only what outlasts an encounter.

        That is its hit points, its space, and whether it escaped or was removed.
        """
        return Fighter(
            self.id,
            self.name,
            self.side,
            self.character,
            self.numbers,
            self.group,
            self.here,
            self.hp,
            fresh=self.fresh,
            escaped=self.escaped,
            at=self.at,
            gone=self.gone,
        )

    def without_effects(self) -> Fighter:
        """Return the fighter without any effects of the encounter.

        Its hit points, its number of turns and its unrepeatable actions stay.
        """
        return replace_fields(self.with_only_lasting_state(), turn=self.turn, used=self.used, fresh=False)


def build_fighter(  # noqa: PLR0913 -- everything a scenario may say of a character; all but the first may be left out
    character: Character,
    *,
    name: str = "",
    side: str = "",
    group: str = "",
    here: Collection[str] = ("level",),
    hp: int | None = None,
    at: Space | None = None,
    rulings: RulingSettings = DEFAULT_RULINGS,
) -> Fighter:
    """Build a fighter from a character.

    `character.name` is its id; `side` and `group` default to the id. `hp` is from 0 to the maximum, which is the
    default. `at` is its space, and needs a board.
    Rules: `hp.start`, `hp.max`, `turn.group`.
    """
    numbers = CharacterFigures.from_character(character, rulings)
    given = numbers.max_hp if hp is None else hp
    assert 0 <= given <= numbers.max_hp
    return Fighter(
        character.name,
        name or character.name,
        side or character.name,
        character,
        numbers,
        group or character.name,
        frozenset(here),
        given,
        hp is None,
        at=at,
    )
