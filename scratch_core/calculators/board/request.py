"""Parsing of the map calculator's controls: rows, tokens, spaces and levels, each with its problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from scratch_core.board import MAX_BOARD_SIDE, SHAPES, Board, Shape, Space, format_space
from scratch_core.calculators.characters_text.setup_text import parse_names_by_id
from scratch_core.calculators.shared.form import Form, slugify
from scratch_core.calculators.shared.query import Query
from scratch_core.characters import AbilityLevel, Character
from scratch_core.encounter.state import EncounterState, build_fighter, build_initial_state
from scratch_core.errors import format_input
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings

MAX_QUERY_LENGTH = 80_000
"""The most characters of a query: a board of 100 × 100 with every letter escaped, and its tokens."""
MAX_TOKENS = 200
"""The most tokens on a board."""
MAX_TOKEN_LEVEL = 20
"""The maximum level of an ability in the controls."""

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
TOKEN_CONTROLS = (*MOVEMENT_ABILITIES, "injured")
"""The controls that hold the abilities and the injury of the selected token."""
RULING_CONTROLS = ("interrupt_move", "interrupt_blast", "corners")
"""The rulings that matter if no character is incapacitated or delayed."""
CONTROLS = ("map", "shape", "tokens", "selected", "space", *FEATURES, *TOKEN_CONTROLS, *RULING_CONTROLS)
"""The names of all controls that are the board's state, in the order of the canonical query."""

BLANK_ROWS = ("." * 10,) * 8
"""The rows of a new map."""

_TOKEN = re.compile(r"([a-z0-9-]{1,100})@([0-9]{1,3}),([0-9]{1,3})(?:,([^\s,@:;/]{1,40}))?")
_SPACE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")


def match_token(entry: str) -> re.Match[str] | None:
    """Match a token's id, column, row and side.

    Tries the text as typed, then with similar characters normalized. Returns None for anything else.
    """
    return _TOKEN.fullmatch(entry) or _TOKEN.fullmatch(normalize_input(entry))


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

    def build_state(self, names: Mapping[str, str] | None = None) -> EncounterState:
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


class BoardForm(Form):
    """A query being parsed: each method reports its problems and continues with the valid parts."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.text(name).strip("\n") for name in CONTROLS})
        self.unread_tokens: list[str] = []
        self.add_cut_problem("map", MAX_QUERY_LENGTH)

    def parse_setup(self) -> BoardSetup:
        """Parse all controls into a setup, without their invalid parts."""
        switches = {each.name: tuple(map(str, each.choices)) for each in RULE_OPTIONS if each.name in RULING_CONTROLS}
        options_by_control = {"shape": SHAPES, **switches, "injured": ("true",)}
        chosen = {
            name: self.parse_choice(name, each, "board.choice", f"{', '.join(each)} or nothing")
            for name, each in options_by_control.items()
        }
        shape: Shape = "hex" if chosen["shape"] == "hex" else "square"
        levels = {name: self.parse_whole_number(name, MAX_TOKEN_LEVEL) for name in MOVEMENT_ABILITIES}
        rows = self.parse_rows()
        board_without_features = Board(shape, rows)
        board = Board(shape, rows, *(frozenset(self.parse_spaces(board_without_features, name)) for name in FEATURES))
        rulings = {name: chosen[name] for name in RULING_CONTROLS}
        setup = BoardSetup(board, self.parse_tokens(board), "", None, levels, chosen["injured"] == "true", rulings)
        selected_spaces = self.parse_spaces(board, "space")
        if len(selected_spaces) > 1:
            self.problems.report("board.space.one", "one space", f"{len(selected_spaces)}", "space")
        return replace(
            setup,
            selected_id=self.parse_selected_id(setup),
            selected_space=selected_spaces[0] if selected_spaces else None,
        )

    def parse_rows(self) -> tuple[str, ...]:
        """Parse the rows of the map, separated by `/` or line ends.

        Returns a blank board for an empty text. A map that is too large is cut, unknown letters become ground, and
        short rows are filled with ground. All of these are reported.
        """
        rows = [row.strip() for row in normalize_input(self.fields["map"]).replace("\n", "/").split("/")]
        rows = "/".join(rows).strip("/").split("/") if any(rows) else [*BLANK_ROWS]
        if len(rows) > MAX_BOARD_SIDE or max(map(len, rows)) > MAX_BOARD_SIDE:
            got = f"{max(map(len, rows)):,} × {len(rows):,}"
            self.problems.report(
                "board.map.size", f"at most {MAX_BOARD_SIDE} columns and {MAX_BOARD_SIDE} rows", got, "map"
            )
            rows = [row[:MAX_BOARD_SIDE] for row in rows[:MAX_BOARD_SIDE]]
        unknown_letter = re.compile(f"[^{re.escape(''.join(TERRAINS))}]")
        for number, row in enumerate(rows, 1):
            match = unknown_letter.search(row)
            if match:
                letters = ", ".join(f"{letter} {word}" for letter, word in TERRAINS.items())
                got = f"{format_input(match[0])} as letter {match.start() + 1} of row {number}"
                self.problems.report("board.map.letter", letters, got, "map")
                break
        columns = max(map(len, rows))
        short_row = next((number for number, row in enumerate(rows, 1) if len(row) != columns), None)
        if short_row:
            got = f"{len(rows[short_row - 1])} in row {short_row}"
            expected = f"as many letters in every row as in the longest, {columns}"
            self.problems.report("board.map.row", expected, got, "map", row=short_row, columns=columns)
        return tuple(unknown_letter.sub(".", row).ljust(columns, ".") for row in rows)

    def parse_tokens(self, board: Board) -> tuple[Token, ...]:
        """Parse the tokens. Reports and omits invalid tokens, and tokens in impossible spaces."""
        entries = self.fields["tokens"].split()
        if len(entries) > MAX_TOKENS:
            self.problems.report("board.tokens.limit", f"at most {MAX_TOKENS} tokens", f"{len(entries):,}", "tokens")
            self.unread_tokens = entries
            return ()
        tokens, names = list[Token](), parse_names_by_id(self.query.text("sheets"))
        for entry in entries:
            match = match_token(entry)
            token = match and Token(
                match[1], (int(match[2]), int(match[3])), match[4] or match[1], names.get(match[1], "")
            )
            if token is None:
                expected = "tokens like kim@3,2,hunters: an id of small letters, digits and hyphens, column, row, side"
                self.problems.report_value("board.tokens", expected, entry, "tokens")
            if token and self._may_stand(token, tokens, board):
                tokens.append(token)
            else:
                self.unread_tokens.append(entry)
        return tuple(tokens)

    def append_unread_tokens(self, name: str, text: str) -> str:
        """Append the tokens that could not be parsed to a control's new text.

        Returns `text` unchanged for all controls but `tokens`.
        """
        return " ".join([text, *self.unread_tokens]).strip() if name == "tokens" else text

    def _may_stand(self, token: Token, others: Iterable[Token], board: Board) -> bool:
        """Return whether the token's id and space are possible, and report why not."""
        if any(other.id == token.id for other in others):
            self.problems.report_value("board.tokens.twice", "each id once", token.id, "tokens")
        elif token.space not in board:
            last = f"columns 0 to {board.width - 1} and rows 0 to {board.height - 1}"
            self.problems.report_value("board.tokens.place", last, str(token), "tokens")
        elif board.is_solid(token.space):
            terrain, rule = board.terrain(token.space), "grid.move.blocked"
            got, expected = f"{terrain} under {token.id}", "a space to stand in"
            self.problems.report("board.tokens.solid", expected, got, "tokens", rule, name=token.name, terrain=terrain)
        elif other := next((other for other in others if other.space == token.space), None):
            got, rule = f"{other.id} and {token.id} at {format_space(token.space)}", "grid.move.blocked"
            expected = "one token in a space"
            self.problems.report("board.tokens.shared", expected, got, "tokens", rule, one=other.name, other=token.name)
        else:
            return True
        return False

    def parse_selected_id(self, setup: BoardSetup) -> str:
        """Parse the id of the selected token.

        Returns "" and reports a problem if that token is not on the board.
        """
        typed = self.fields["selected"].strip()
        if typed and typed not in {token.id for token in setup.tokens}:
            ids = ", ".join(token.id for token in setup.tokens[:8])
            expected = f"one of {ids}" if ids else "nothing, with no token there"
            self.problems.report_value("board.selected", expected, typed, "selected")
            return ""
        return typed

    def parse_spaces(self, board: Board, name: str) -> list[Space]:
        """Parse a list of spaces, `3,4 5,6`.

        Stops at the first invalid space and reports it.
        """
        spaces = []
        for entry in normalize_input(self.fields[name]).split():
            match = _SPACE.fullmatch(entry)
            space = (int(match[1]), int(match[2])) if match else None
            if space is None or space not in board:
                last = f"{board.width - 1},{board.height - 1}"
                self.problems.report_value("board.space", f"column,row from 0,0 to {last}", entry, name)
                break
            spaces.append(space)
        return spaces
