"""The board of a fight before it begins: the map, and where everybody stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.board import Space, place
from scratch_core.calculators.board.asking import Findings, board_of
from scratch_core.calculators.board.drawing import Drawing
from scratch_core.calculators.board.picture import draw
from scratch_core.calculators.board.reading import FEATURES, SOLID, TERRAINS, Reader, Setup, Token
from scratch_core.calculators.board.stage import board_texts, shorts
from scratch_core.calculators.board.strokes import drawn
from scratch_core.calculators.form import at_control
from scratch_core.calculators.query import Query, query_string
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import Scenario

CONTROLS = ("map", "shape", "tokens", "cover", "throwable", "cramped")
"""The controls of a fight's board: those of the board calculator."""

_SIDE = re.compile(r"[\s,@:;/]+")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Ground:
    """The board for those who will fight.

    `characters` are theirs with the space of each, `tree` the scenario's `board`. `query` opens the board calculator
    with all of it; `words` say who stands where; `home` is where the keys begin.
    """

    characters: tuple[dict[str, Any], ...]
    tree: dict[str, Any]
    drawing: Drawing
    query: str
    tokens: str
    words: tuple[str, ...]
    home: Space


@dataclass(frozen=True, slots=True)
class Laid:
    """A ground, None while there is none to be had, and the problems, each at its control."""

    ground: Ground | None
    problems: tuple[Problem, ...]


def without_board(characters: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """The characters of a fight that has no board: nobody has a space."""
    return tuple({key: value for key, value in each.items() if key != "at"} for each in characters)


def lay(fields: Mapping[str, str], characters: Sequence[Mapping[str, Any]], stroke: str = "") -> Laid:
    """Put everybody on the map: where the sheet says, where its token is, else at the edge of its side.

    `fields` are the texts of `CONTROLS`, `stroke` what was dragged since. Never raises. Rules: `grid.space`,
    `grid.move.blocked`, `grid.scope`.
    """
    reader = Reader(Query({name: _quoted(fields[name]) for name in CONTROLS}))
    setup = reader.setup()
    problems = [replace(problem, severity=_severity(problem)) for problem in reader.problems]
    if setup is None:
        return Laid(None, tuple(problems))
    laying = _Laying(setup, characters)
    problems += laying.problems
    if laying.tokens is None:
        return Laid(None, tuple(problems))
    setup = replace(setup, tokens=laying.tokens)
    if stroke.strip():
        try:
            moved = drawn(setup, stroke).tokens
        except ScratchError as error:
            problems += at_control(error.problems, "stroke")
        else:
            problems += _fixed(setup.tokens, moved, characters)
            setup = replace(setup, tokens=_but_fixed(setup.tokens, moved, characters))
    carried = {name: fields.get(name, "") for name in ("interrupt_move", "sheets")}
    return Laid(_ground(setup, characters, carried), tuple(problems))


def _quoted(text: str) -> str:
    return query_string({"x": text})[2:]


def _severity(problem: Problem) -> Any:
    """A token that can't be read keeps nobody from fighting: whoever it was is put elsewhere."""
    return "advice" if problem.where == "tokens" else problem.severity


def _fixed(
    before: Iterable[Token], after: Iterable[Token], characters: Sequence[Mapping[str, Any]]
) -> Iterator[Problem]:
    """Who was dragged although a line says where it stands."""
    spaces = {token.id: token.space for token in before}
    for token in after:
        table = next(each for each in characters if each["id"] == token.id)
        if "at" in table and spaces[token.id] != token.space:
            expected = f"the line `at: {place(spaces[token.id])}` of {table['name']} to be changed"
            yield Problem("fight.ground", expected, f"its token at {place(token.space)}", "stroke", None, "advice")


def _but_fixed(
    before: Iterable[Token], after: Iterable[Token], characters: Sequence[Mapping[str, Any]]
) -> tuple[Token, ...]:
    """The tokens as they were dragged, but for those whom a line says where to stand."""
    fixed = {str(each["id"]) for each in characters if "at" in each}
    own = {token.id: token for token in before if token.id in fixed}
    return tuple(own.get(token.id, token) for token in after)


class _Laying:
    """Everybody's space while it is looked for."""

    def __init__(self, setup: Setup, characters: Sequence[Mapping[str, Any]]) -> None:
        self.setup = setup
        self.problems: list[Problem] = []
        self.taken: dict[Space, str] = {}
        self.spaces: dict[str, Space] = {}
        self.characters = characters
        for each in characters:
            if "at" in each:
                self.put_as_written(each)
        self.put_by_token()
        for each in characters:
            if str(each["id"]) not in self.spaces:
                self.put_anywhere(each)
        self.tell_strangers()

    def put_by_token(self) -> None:
        """Whoever has a token stands there, unless it has a space, or somebody else stands there."""
        by_token = {token.id: token.space for token in self.setup.tokens}
        for own in (str(each["id"]) for each in self.characters):
            space = by_token.get(own)
            if space is not None and own not in self.spaces and space not in self.taken:
                self.put(own, space)

    def tell_strangers(self) -> None:
        """Tokens of others are told."""
        known = {str(each["id"]) for each in self.characters}
        strangers = [token.id for token in self.setup.tokens if token.id not in known]
        if strangers and self.characters:
            self.note("tokens of those who fight", ", ".join(strangers[:8]), "tokens", severity="advice")

    def note(self, expected: str, got: str, where: str, rule: str | None = None, severity: Any = "error") -> None:
        self.problems.append(Problem("fight.ground", expected, got, where, rule, severity))

    @property
    def tokens(self) -> tuple[Token, ...] | None:
        """Everybody's token, None while somebody has no space."""
        if len(self.spaces) < len(self.characters):
            return None
        sides = [_SIDE.sub("-", str(_side(each, self.characters)))[:_LONGEST] or "side" for each in self.characters]
        pairs = zip(self.characters, sides, strict=True)
        return tuple(Token(str(each["id"]), *self.spaces[str(each["id"])], side) for each, side in pairs)

    def put(self, own: str, space: Space) -> None:
        self.taken[space] = own
        self.spaces[own] = space

    def put_as_written(self, table: Mapping[str, Any]) -> None:
        """What can't be is told, and drawn elsewhere. Rules: `grid.space`, `grid.move.blocked`."""
        column, row = table["at"]
        space, name = (column, row), table["name"]
        if not self.setup.has(space):
            last = f"{self.setup.columns - 1},{len(self.setup.rows) - 1}"
            self.note(f"a space from 0,0 to {last} for {name}", place(space), "sheets", "grid.space")
        elif self.setup.letter(space) in SOLID:
            got = f"{TERRAINS[self.setup.letter(space)]} at {place(space)}"
            self.note(f"a space to stand in for {name}", got, "sheets", "grid.move.blocked")
        elif space in self.taken:
            got = f"{place(space)}, that of {self.taken[space]}"
            self.note(f"a space of its own for {name}", got, "sheets", "grid.move.blocked")
        else:
            self.put(str(table["id"]), space)

    def put_anywhere(self, table: Mapping[str, Any]) -> None:
        """The first side at the left, the second at the right, the others above and below."""
        sides = list(dict.fromkeys(str(_side(each, self.characters)) for each in self.characters))
        number = sides.index(str(_side(table, self.characters)))
        columns, rows = self.setup.columns, len(self.setup.rows)
        middle = ((columns - 1) / 2, (rows - 1) / 2)

        def far(space: Space) -> tuple[float, float]:
            column, row = space
            edges = (column, columns - 1 - column, row, rows - 1 - row)
            return edges[number % 4], abs(row - middle[1]) if number % 4 < 2 else abs(column - middle[0])

        letters = ".E^~"
        free = [
            (column, row)
            for row in range(rows)
            for column in range(columns)
            if self.setup.rows[row][column] in letters and (column, row) not in self.taken
        ]
        if free:
            self.put(str(table["id"]), min(free, key=far))
        elif not any(problem.where == "map" for problem in self.problems):
            self.note(f"a space for each of {len(self.characters)}", "too few", "map", "grid.space")


def _side(table: Mapping[str, Any], characters: Sequence[Mapping[str, Any]]) -> Any:
    """Whose side somebody is on: its own, its leader's, or its id. Rule: `command.minions`."""
    for _ in characters:
        if "side" in table or "minion_of" not in table:
            break
        table = next(each for each in characters if each["id"] == table["minion_of"])
    return table.get("side", table["id"])


def _ground(setup: Setup, characters: Sequence[Mapping[str, Any]], carried: Mapping[str, str]) -> Ground:
    """The ground of a board; `carried` are texts that go to the board calculator along with it, and come back."""
    board = board_of(setup)
    names = {str(each["id"]): str(each["name"]) for each in characters}
    tokens = " ".join(str(token) for token in setup.tokens if len(token.id) <= _LONGEST)
    query = query_string({**board_texts(board), "tokens": tokens, **carried})
    words = tuple(f"{names[token.id]} at {place(token.space)}" for token in setup.tokens)
    home = setup.tokens[0].space if setup.tokens else (0, 0)
    made = _lettered(draw(Findings(board, setup), ()), setup, names)
    return Ground(_placed(setup, characters), _tree(setup), made, query, tokens, words, home)


def _placed(setup: Setup, characters: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """The characters with the space of each, which says what is around them better than `here`."""
    spaces = {token.id: token.space for token in setup.tokens}
    bare = [{key: value for key, value in each.items() if key != "here"} for each in characters]
    return tuple({**each, "at": list(spaces[str(each["id"])])} for each in bare)


def _tree(setup: Setup) -> dict[str, Any]:
    """The board as a scenario has it."""
    features = {name: [list(space) for space in sorted(setup.features[name])] for name in FEATURES}
    marked = {name: spaces for name, spaces in features.items() if spaces}
    return {"shape": setup.shape, "rows": list(setup.rows), **marked}


def _lettered(made: Drawing, setup: Setup, names: Mapping[str, str]) -> Drawing:
    """The drawing with the letters of everybody's name on its piece."""
    letters = shorts(names.values())
    pairs = zip(made.pieces, setup.tokens, strict=True)
    return replace(made, pieces=tuple(replace(one, text=letters[names[token.id]]) for one, token in pairs))


def texts_of(scenario: Scenario) -> dict[str, str]:
    """A scenario's board and everybody's first space as texts of `CONTROLS`; {} without a board."""
    board = scenario.board
    if board is None:
        return {}
    tokens = [
        str(Token(each.id, each.at[0], each.at[1], _SIDE.sub("-", each.side)[:_LONGEST] or "side"))
        for each in scenario.fighters
        if each.at and len(each.id) <= _LONGEST
    ]
    texts = board_texts(board)
    return {**texts, "shape": "" if texts["shape"] == "square" else texts["shape"], "tokens": " ".join(tokens)}
