"""A fighter: a character in an encounter, with its hit points, its surroundings and everything that has befallen it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from scratch_core.board import Board, Space
from scratch_core.characters import DEFAULT_RULINGS, Character, Health, TemporaryBonus, character_to_dict, find_health
from scratch_core.fast_replace import replace_fields
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS

Cause = str
CAUSES: tuple[Cause, ...] = tuple(dict.fromkeys(card.cause for card in ACTION_SPECS.values() if card.cause))
"""The words for what delays someone, as the actions' cards have them. Rule: `cond.delayed`."""

GM_CAUSE: Cause = "the game master"
"""What delays someone where no rule does."""

SURROUNDING_WORDS: Mapping[str, str] = {
    "level": "level ground",
    "cover": "cover",
    "throwable": "things to throw",
    "climbable": "something to climb",
    "open-air": "open air",
    "water": "water",
    "deep-water": "deep water",
}
"""What may be said of the place where a fighter is, as long as there is no board, as a file has it and in words."""

SURROUNDINGS: tuple[str, ...] = tuple(SURROUNDING_WORDS)


@dataclass(frozen=True, slots=True)
class Delay:
    """One reason why a fighter can't act: what did it, who did it, and the own turn at whose end it is over.

    Rules: `cond.delayed`, `cond.delayed.expiry`.
    """

    cause: Cause
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Evade:
    """An evade in force: the movement ability it was made with ("" when none counts), and what it adds.

    `until` is the own turn at whose end it is over, if the game master gave it; 0: until the next one begins.
    Rules: `act.evade`, `act.evade.no-ability`, `act.evade.end`.
    """

    ability: str
    bonus: int
    until: int = 0

    def to_json(self) -> list[object]:
        """The JSON form: the ability, the bonus and, where it has an end of its own, that."""
        return [self.ability, self.bonus, *([self.until] if self.until else [])]


@dataclass(frozen=True, slots=True)
class CharacterFigures:
    """What follows from a character's levels alone, worked out once: no state of the encounter is in it."""

    levels: Mapping[str, int]
    agility: Figure
    intelligence: Figure
    strength: Figure
    max_hp: int
    stamina: int
    beyond: frozenset[str]
    """The actions that it has none of the abilities for. Rules: `roll.ability-required`, `char.ability-level`."""

    @classmethod
    def from_character(cls, character: Character, rulings: RulingSettings) -> CharacterFigures:
        """Work them out. Rules: `def.agility`, `def.intelligence`, `def.strength`, `hp.max`, `hp.stamina`."""
        levels = {line.ability: character.level(line.ability) for line in character.lines}
        return cls(
            levels,
            character.agility(),
            character.intelligence(),
            character.strength(rulings),
            character.max_hp().value,
            character.stamina().value,
            frozenset(
                card.do
                for card in ACTION_SPECS.values()
                if card.required_abilities and not any(map(levels.get, card.required_abilities))
            ),
        )


FLAGS = (
    *("fresh", "evaded_this_turn", "evaded_last_turn", "engaged", "engage_penalty", "in_cover", "flying_immune"),
    "escaped",
)
"""What is so of every fighter, or not."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """One character of an encounter. `id`s are unique; `character.name` is the id too, `name` is what readers see.

    `side` says who is an enemy (ruling A33), `group` whose turn it shares (`turn.group`). `here` are words of
    `SURROUNDINGS`. `fresh` means that the fighter enters the encounter with all its hit points (`hp.start`).
    `turn` counts the own turns begun; `until` of a delay or a panic is such a number. On a board `at` is the space,
    None once it is away, and `here` follows from it. `gone`: the game master has taken it out of the fight.
    """

    id: str
    name: str
    character: Character
    numbers: CharacterFigures = field(compare=False, repr=False)
    side: str
    group: str
    here: frozenset[str]
    hp: int
    fresh: bool = True
    turn: int = 0
    delays: tuple[Delay, ...] = ()
    panicked_until: int = 0
    evading: Evade | None = None
    evaded_this_turn: bool = False
    evaded_last_turn: bool = False
    held_by: tuple[str, ...] = ()
    engaged: bool = False
    engage_penalty: bool = False
    in_cover: bool = False
    flying_immune: bool = False
    used: tuple[tuple[str, str], ...] = ()
    escaped: bool = False
    at: Space | None = None
    immobilized_until: int = 0
    escape_banned_until: int = 0
    gone: bool = False

    def level(self, ability: str) -> int:
        """The level that counts now, 0 when the ability is absent. Rule: `char.ability-level`."""
        return self.numbers.levels.get(ability, 0)

    @property
    def is_down(self) -> bool:
        """Whether it has no hit points left, or never had any. Rules: `hp.incapacitated`, `tough.none`."""
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
        """Whether it has escaped, or the game master has taken it out. Rule: `act.escape.effect`."""
        return self.escaped or self.gone

    @property
    def way_out(self) -> str:
        """How it got away, in words. Rule: `act.escape.effect`."""
        return "has escaped" if self.escaped else "has left"

    @property
    def is_delayed(self) -> bool:
        """Whether anything delays it. Rule: `cond.delayed`."""
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
        """Whether someone leads it. Rule: `command.minions`."""
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
    def is_in_the_air(self) -> bool:
        """Whether it can fly where it is. Rules: `flying.requires`, `flying.terrain`."""
        return self.level("flying") > 0 and self.is_suited("flying")

    @property
    def is_out_of_reach(self) -> bool:
        """Whether its flight keeps close attacks off, as long as it has room to fly. Rule: `flying.immunity`."""
        return self.flying_immune and self.is_in_the_air

    def is_suited(self, ability: str) -> bool:
        """Whether the place suits an ability; all but the movement abilities suit everywhere. Rule: `move.terrain`."""
        suits = ABILITIES_BY_NAME[ability].suits
        return not suits or any(word in self.here for word in suits)

    def get_next_turn(self) -> int:
        """The number of the first own turn that begins after now: where an effect on it ends (principle P5)."""
        return self.turn + 1

    def with_position(self, board: Board | None, at: Space | None) -> Fighter:
        """Somewhere else on a board, or off it with nothing at hand; the same without a board. Rule: `move.terrain`."""
        if board is None:
            return self
        here = board.surroundings(at) if at is not None and board.contains(at) else frozenset[str]()
        return replace_fields(self, at=at, here=here)

    def with_character(self, character: Character, rulings: RulingSettings) -> Fighter:
        """The same fighter with other levels; hit points above the new maximum are lost. Rule: `hp.max`."""
        numbers = CharacterFigures.from_character(character, rulings)
        return replace_fields(self, character=character, numbers=numbers, hp=min(self.hp, numbers.max_hp))

    def with_bonus(self, ability: str, crafter: str, rulings: RulingSettings) -> Fighter:
        """With one more crafted bonus. Rule: `craft.bonus`."""
        return self.with_character(self.character.with_bonus(TemporaryBonus(ability, crafter)), rulings)

    def without_bonus(self, ability: str, crafter: str, rulings: RulingSettings) -> Fighter:
        """Without that crafted bonus. Rule: `craft.duration`."""
        return self.with_character(self.character.without_bonus(TemporaryBonus(ability, crafter)), rulings)

    def to_json(self) -> dict[str, object]:
        """The JSON form; what only a board or the game master's hand brings about is there where it has."""
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

    def without_conditions(self) -> Fighter:
        """With nothing left of an encounter but its hit points and whether it escaped."""
        return Fighter(
            self.id,
            self.name,
            self.character,
            self.numbers,
            self.side,
            self.group,
            self.here,
            self.hp,
            fresh=self.fresh,
            escaped=self.escaped,
            at=self.at,
            gone=self.gone,
        )

    def without_effects(self) -> Fighter:
        """With nothing that has befallen it, but its hit points, its turns and what it may do once in an encounter."""
        return replace_fields(self.without_conditions(), turn=self.turn, used=self.used, fresh=False)


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
    """Put a character into a fight; `character.name` is its id. Side and group default to the id, `hp` to the maximum.

    `at` is its space, with a board only. `hp` lies between 0 and the maximum.
    Rules: `hp.start`, `hp.max`, `turn.group`.
    """
    numbers = CharacterFigures.from_character(character, rulings)
    given = numbers.max_hp if hp is None else hp
    assert 0 <= given <= numbers.max_hp
    return Fighter(
        character.name,
        name or character.name,
        character,
        numbers,
        side or character.name,
        group or character.name,
        frozenset(here),
        given,
        hp is None,
        at=at,
    )
