"""The map that the controls describe: its terrain and features, its tokens, and what is selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from scratch_core.board import Board, Space, format_space
from scratch_core.calculators.shared.names import slugify
from scratch_core.characters import AbilityLevel, Character
from scratch_core.encounter.state import EncounterState, build_fighter, build_initial_state
from scratch_core.rulebook import RulingSettings

MAX_TOKENS = 200
"""The most tokens on a board."""

TERRAINS: Mapping[str, str] = {
    ".": "ground",
    "#": "wall",
    "o": "obstacle",
    "^": "rough",
    "~": "shallow water",
    "w": "deep water",
    "E": "exit",
}
"""The letters of a map, as in a scenario's `rows`, with the terrain's names."""

FEATURES: Mapping[str, str] = {"cover": "cover", "throwable": "thing to throw", "cramped": "no room to fly"}
"""The features of a space apart from its terrain, with their names. Each control is a list of spaces."""
MOVEMENT_ABILITIES = ("quickness", "flying", "acrobatics", "swimming")
"""The abilities that increase the selected token's movement."""
RULING_CONTROLS = ("interrupt_move", "interrupt_blast", "corners")
"""The rulings that matter if no character is incapacitated or delayed. Each has a control."""

BLANK_ROWS = ("." * 10,) * 8
"""The rows of a new map."""


def format_token_stem(side: str) -> str:
    """Return the first part of the ids of a side's new tokens."""
    return slugify(side)[:30].strip("-") or "token"


@dataclass(frozen=True, slots=True)
class Token:
    """A character on the board."""

    id: str
    """The token's id."""
    space: Space
    """Its space."""
    side: str
    """The side it belongs to."""
    sheet_name: str = ""
    """The name in its stat block. Empty without one."""

    @property
    def name(self) -> str:
        """The name for players: the stat block's, otherwise one made from the id."""
        numbered_name = f"{self.side}{self.id.removeprefix(format_token_stem(self.side))}"
        return (
            self.sheet_name
            or (numbered_name if self.id.startswith(f"{format_token_stem(self.side)}-") else self.id)
            .replace("-", " ")
            .capitalize()
        )

    def __str__(self) -> str:
        """Format the token as in the control `tokens`."""
        return f"{self.id}@{format_space(self.space)},{self.side}"


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """A board as the controls describe it."""

    board: Board
    """The map with its features."""
    tokens: tuple[Token, ...] = ()
    """The tokens in the order of the control."""
    selected_id: str = ""
    """The id of the selected token. Empty for none."""
    selected_space: Space | None = None
    """The selected space, or None."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """The selected token's levels, by ability."""
    is_injured: bool = False
    """Whether the selected token is injured."""
    rulings: Mapping[str, str] = field(default_factory=dict)
    """The chosen settings of rulings, by name. Empty for the default."""

    @property
    def selected_token(self) -> Token | None:
        """The selected token, or None."""
        return next((token for token in self.tokens if token.id == self.selected_id), None)

    def get_terrain_name(self, space: Space) -> str:
        """Return the terrain of a space in words."""
        return TERRAINS[self.board.rows[space[1]][space[0]]]

    def find_token(self, space: Space) -> Token | None:
        """Return the token in a space, or None."""
        return next((token for token in self.tokens if token.space == space), None)

    def build_selected_turn_state(self, names: Mapping[str, str] | None = None) -> EncounterState:
        """Build a state with the tokens as fighters, in the selected token's turn.

        `names` are their names by id, if they differ from those of the tokens. Every token has toughness 1. A selected,
        injured token has 2, because it can't be injured with 1 (`hp.stamina`).
        """
        default_fighter = build_fighter(Character("default", (AbilityLevel("toughness", 1),)))
        selected_levels = tuple(AbilityLevel(name, level) for name, level in self.levels.items() if level)
        toughness = AbilityLevel("toughness", 2 if self.is_injured else 1)
        selected_fighter = build_fighter(Character(self.selected_id, (toughness, *selected_levels)), hp=1)
        fighters = tuple(
            replace(
                selected_fighter if token.id == self.selected_id else default_fighter,
                id=token.id,
                name=(names or {}).get(token.id, token.name),
                side=token.side,
                group=token.id,
                at=token.space,
            )
            for token in self.tokens
        )
        rulings = {name: value for name, value in self.rulings.items() if value}
        state = build_initial_state(fighters, RulingSettings.from_dict(rulings), self.board)
        return replace(state, phase="running", round=1, active=self.selected_id, turn_over=False)

    def to_fields(self) -> dict[str, str]:
        """Format the setup as texts of the controls."""
        texts = board_to_fields(self.board)
        return {
            "map": texts.pop("map"),
            "shape": texts.pop("shape"),
            "tokens": " ".join(map(str, self.tokens)),
            "selected": self.selected_id,
            "space": "" if self.selected_space is None else format_space(self.selected_space),
            **texts,
            **{name: str(self.levels[name] or "") for name in MOVEMENT_ABILITIES},
            "injured": "true" if self.is_injured else "",
            **{name: self.rulings.get(name, "") for name in RULING_CONTROLS},
        }


def board_to_fields(board: Board) -> dict[str, str]:
    """Format a board as texts of the map calculator's controls."""
    spaces = {name: sorted(getattr(board, name), key=lambda space: (space[1], space[0])) for name in FEATURES}
    return {
        "shape": board.shape,
        "map": "/".join(board.rows),
        **{name: format_spaces(spaces[name]) for name in FEATURES},
    }


def format_spaces(spaces: Iterable[Space]) -> str:
    """Format spaces for a control: `3,4 5,6`."""
    return " ".join(map(format_space, spaces))
