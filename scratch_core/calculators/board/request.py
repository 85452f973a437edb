"""Parse the controls of the board calculator: rows, tokens, spaces and levels, each with its problems."""

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
"""A board of 100 × 100, every letter escaped, and its tokens."""
MAX_TOKENS = 200
MAX_TOKEN_LEVEL = 20

TERRAINS: Mapping[str, str] = {
    ".": "ground",
    "#": "wall",
    "o": "obstacle",
    "^": "rough",
    "~": "shallow water",
    "w": "deep water",
    "E": "exit",
}
"""The letters of a map, as in a scenario's `rows`, in words."""

FEATURES: Mapping[str, str] = {"cover": "cover", "throwable": "thing to throw", "cramped": "no room to fly"}
"""The features of a space apart from its terrain, each a list of spaces, in words."""
MOVEMENT_ABILITIES = ("quickness", "flying", "acrobatics", "swimming")
"""The abilities that carry the selected token further."""
TOKEN_CONTROLS = (*MOVEMENT_ABILITIES, "injured")
"""The controls that hold what the selected token can do."""
RULING_CONTROLS = ("interrupt_move", "interrupt_blast", "corners")
"""The switches that matter where no one is down or delayed."""
CONTROLS = ("map", "shape", "tokens", "selected", "space", *FEATURES, *TOKEN_CONTROLS, *RULING_CONTROLS)
"""The names of all controls that are the board's state, in the order of the canonical query."""

BLANK_ROWS = ("." * 10,) * 8
"""The board before anyone has painted one."""

_TOKEN = re.compile(r"([a-z0-9-]{1,100})@([0-9]{1,3}),([0-9]{1,3})(?:,([^\s,@:;/]{1,40}))?")
_SPACE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")


def match_token(entry: str) -> re.Match[str] | None:
    """Match a token's id, column, row and side, as typed or with look-alikes folded; None for what is no token."""
    return _TOKEN.fullmatch(entry) or _TOKEN.fullmatch(normalize_input(entry))


def format_token_stem(side: str) -> str:
    """Return how the ids of a side's new tokens begin."""
    return slugify(side)[:30].strip("-") or "token"


@dataclass(frozen=True, slots=True)
class Token:
    """A character on the board: its id, its space, the side that it is on, and its stat block's name."""

    id: str
    space: Space
    side: str
    sheet_name: str = ""

    @property
    def name(self) -> str:
        """What it is called: as its stat block says, else its id as a name."""
        own = f"{self.side}{self.id.removeprefix(format_token_stem(self.side))}"
        return (
            self.sheet_name
            or (own if self.id.startswith(f"{format_token_stem(self.side)}-") else self.id)
            .replace("-", " ")
            .capitalize()
        )

    def __str__(self) -> str:
        """The token as the control `tokens` holds it."""
        return f"{self.id}@{format_space(self.space)},{self.side}"


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """A board as it was read: the map, tokens in the order written, and what is asked.

    `selected_id` is the id of a token or ""; `selected_space` the space asked about; `levels` those of the selected
    token, `rulings` readings chosen, by switch.
    """

    board: Board
    tokens: tuple[Token, ...] = ()
    selected_id: str = ""
    selected_space: Space | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    is_injured: bool = False
    rulings: Mapping[str, str] = field(default_factory=dict)

    @property
    def selected_token(self) -> Token | None:
        """The selected token."""
        return next((token for token in self.tokens if token.id == self.selected_id), None)

    def get_terrain_name(self, space: Space) -> str:
        """The terrain of a space, in words."""
        return TERRAINS[self.board.rows[space[1]][space[0]]]

    def find_token(self, space: Space) -> Token | None:
        """The token in a space."""
        return next((token for token in self.tokens if token.space == space), None)

    def build_state(self, names: Mapping[str, str] | None = None) -> EncounterState:
        """The board with its tokens as fighters, in the selected one's turn; `names` are theirs by id.

        Every token has toughness 1, except a selected, injured one: with 1 it cannot be injured (`hp.stamina`).
        """
        plain = build_fighter(Character("somebody", (AbilityLevel("toughness", 1),)))
        own = tuple(AbilityLevel(name, level) for name, level in self.levels.items() if level)
        tough = AbilityLevel("toughness", 2 if self.is_injured else 1)
        chosen = build_fighter(Character(self.selected_id, (tough, *own)), hp=1)
        fighters = tuple(
            replace(
                chosen if token.id == self.selected_id else plain,
                id=token.id,
                name=(names or {}).get(token.id, token.name),
                side=token.side,
                group=token.id,
                at=token.space,
            )
            for token in self.tokens
        )
        rulings = {name: value for name, value in self.rulings.items() if value}
        made = build_initial_state(fighters, RulingSettings.from_dict(rulings), self.board)
        return replace(made, phase="running", round=1, active=self.selected_id, turn_over=False)

    def to_fields(self) -> dict[str, str]:
        """The controls that say all this, as texts."""
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
    """A board as the controls of the board calculator have it."""
    spaces = {name: sorted(getattr(board, name), key=lambda space: (space[1], space[0])) for name in FEATURES}
    return {
        "shape": board.shape,
        "map": "/".join(board.rows),
        **{name: format_spaces(spaces[name]) for name in FEATURES},
    }


def format_spaces(spaces: Iterable[Space]) -> str:
    """Write spaces as a control holds them: `3,4 5,6`."""
    return " ".join(map(format_space, spaces))


class BoardForm(Form):
    """One query while it is read: each step notes its problems and goes on with what could be read."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.text(name).strip("\n") for name in CONTROLS})
        self.unread_tokens: list[str] = []
        self.add_cut_problem("map", MAX_QUERY_LENGTH)

    def parse_setup(self) -> BoardSetup:
        """Read everything that can be read."""
        switches = {each.name: tuple(map(str, each.choices)) for each in RULE_OPTIONS if each.name in RULING_CONTROLS}
        words = {"shape": SHAPES, **switches, "injured": ("true",)}
        chosen = {
            name: self.parse_choice(name, each, "board.choice", f"{', '.join(each)} or nothing")
            for name, each in words.items()
        }
        shape: Shape = "hex" if chosen["shape"] == "hex" else "square"
        levels = {name: self.parse_whole_number(name, MAX_TOKEN_LEVEL) for name in MOVEMENT_ABILITIES}
        rows = self.parse_rows()
        bare = Board(shape, rows)
        board = Board(shape, rows, *(frozenset(self.parse_spaces(bare, name)) for name in FEATURES))
        rulings = {name: chosen[name] for name in RULING_CONTROLS}
        setup = BoardSetup(board, self.parse_tokens(board), "", None, levels, chosen["injured"] == "true", rulings)
        asked = self.parse_spaces(board, "space")
        if len(asked) > 1:
            self.problems.report("board.space.one", "one space", f"{len(asked)}", "space")
        return replace(setup, selected_id=self.parse_selected_id(setup), selected_space=asked[0] if asked else None)

    def parse_rows(self) -> tuple[str, ...]:
        """The rows of the map, separated by `/` or line ends; nothing at all is a blank board.

        What is too much is left out, a letter that is none is ground, and so are the ends of rows shorter than others;
        that is told.
        """
        rows = [row.strip() for row in normalize_input(self.fields["map"]).replace("\n", "/").split("/")]
        rows = "/".join(rows).strip("/").split("/") if any(rows) else [*BLANK_ROWS]
        if len(rows) > MAX_BOARD_SIDE or max(map(len, rows)) > MAX_BOARD_SIDE:
            got = f"{max(map(len, rows)):,} × {len(rows):,}"
            self.problems.report(
                "board.map.size", f"at most {MAX_BOARD_SIDE} columns and {MAX_BOARD_SIDE} rows", got, "map"
            )
            rows = [row[:MAX_BOARD_SIDE] for row in rows[:MAX_BOARD_SIDE]]
        strange = re.compile(f"[^{re.escape(''.join(TERRAINS))}]")
        for number, row in enumerate(rows, 1):
            found = strange.search(row)
            if found:
                letters = ", ".join(f"{letter} {word}" for letter, word in TERRAINS.items())
                got = f"{format_input(found[0])} as letter {found.start() + 1} of row {number}"
                self.problems.report("board.map.letter", letters, got, "map")
                break
        columns = max(map(len, rows))
        uneven = next((number for number, row in enumerate(rows, 1) if len(row) != columns), None)
        if uneven:
            got = f"{len(rows[uneven - 1])} in row {uneven}"
            expected = f"as many letters in every row as in the longest, {columns}"
            self.problems.report("board.map.row", expected, got, "map", row=uneven, columns=columns)
        return tuple(strange.sub(".", row).ljust(columns, ".") for row in rows)

    def parse_tokens(self, board: Board) -> tuple[Token, ...]:
        """The tokens. Reports and omits one that cannot be parsed, or whose space is impossible."""
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
        """The new text of a control; tokens that could not be read are kept behind the others."""
        return " ".join([text, *self.unread_tokens]).strip() if name == "tokens" else text

    def _may_stand(self, token: Token, others: Iterable[Token], board: Board) -> bool:
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
        """The id of the selected token. Reports one that is not on the board."""
        typed = self.fields["selected"].strip()
        if typed and typed not in {token.id for token in setup.tokens}:
            ids = ", ".join(token.id for token in setup.tokens[:8])
            expected = f"one of {ids}" if ids else "nothing, with no token there"
            self.problems.report_value("board.selected", expected, typed, "selected")
            return ""
        return typed

    def parse_spaces(self, board: Board, name: str) -> list[Space]:
        """Parse a list of spaces, `3,4 5,6`, and report the first that is invalid."""
        found = []
        for entry in normalize_input(self.fields[name]).split():
            match = _SPACE.fullmatch(entry)
            space = (int(match[1]), int(match[2])) if match else None
            if space is None or space not in board:
                last = f"{board.width - 1},{board.height - 1}"
                self.problems.report_value("board.space", f"column,row from 0,0 to {last}", entry, name)
                break
            found.append(space)
        return found
