"""The board calculator: a map, tokens and a question in; where to go, whom to see, whom a blast catches out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from scratch_core.board import Board, Shape, Space, format_space
from scratch_core.calculators.board.analysis import LAYERS, Asked, Findings, Other, find
from scratch_core.calculators.board.edits import BUTTONS, displaced, drawn, pressed, sides
from scratch_core.calculators.board.import_export import LEVELS_OWNER, SHEETS, brought_on, fight_query, levels_of
from scratch_core.calculators.board.request import (
    CONTROLS,
    FEATURES,
    QUERY_LIMIT,
    TERRAINS,
    TOKEN_CONTROLS,
    Reader,
    Setup,
)
from scratch_core.calculators.board.sample_maps import READY, ReadyMap
from scratch_core.calculators.board_drawing.drawing import SIGNS, Drawing, Pen
from scratch_core.calculators.board_drawing.state_drawing import draw
from scratch_core.calculators.characters_text.chooser import ADD, CHOOSE, Chooser, opened
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.problem_sentences import problem_sentence
from scratch_core.calculators.shared.query import Query, parse_query, query_string
from scratch_core.characters import MAX_SHEET_LENGTH
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, format_input

__all__ = [
    "BUTTONS",
    "CONTROLS",
    "LAYERS",
    "QUERY_LIMIT",
    "Answer",
    "Asked",
    "Findings",
    "Other",
    "View",
    "picture",
    "pictured",
    "view",
]


DEFAULTS = {"shape": "square"}
"""What a form always sends, and a link can do without."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A board that could be read, what the rules say of it, and how it is drawn.

    `sides` are those that a new token may be on, each with its colour's number; `rows` the whole board in words, row by
    row. `fight_query` takes the board and everyone on it into the fight calculator.
    """

    found: Findings
    drawing: Drawing
    sides: Mapping[str, int]
    rows: tuple[str, ...]
    fight_query: str


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints; `fresh` are the controls whose text the answer has changed, `ready` maps to take."""

    answer: Answer
    fresh: frozenset[str] = frozenset()
    brush: str = "pick"
    chooser: Chooser | None = None
    terrains: Mapping[str, str] = field(default_factory=lambda: TERRAINS)
    ready: tuple[ReadyMap, ...] = READY

    @property
    def palette(self) -> tuple[tuple[str, str, Drawing], ...]:
        """What can be painted: the brush, its words, and one space of it as the map has it."""
        return painted(self.answer.found.setup.board.shape)


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a `map`, `tokens` and one of them `selected`; see `CONTROLS` for the rest.

    `stroke` and `act` are what was drawn and pressed since: they change the board and vanish. No dice fall here. Every
    problem names its control, and what can be read in spite of it is drawn (`grid.scope`, `grid.blast.target`).
    """
    reader = Reader(query)
    typed = reader.fields
    setup = reader.setup()
    sheets = query.text(SHEETS)[:MAX_SHEET_LENGTH].strip()
    owner = query.text(LEVELS_OWNER).strip() or typed["selected"].strip()
    coming = form.Form(query, {})
    if query.text("act").strip() == ADD:
        setup, sheets = brought_on(setup, coming, sheets)
        reader.fields = {**typed, "tokens": reader.kept("tokens", setup.fields()["tokens"])}
    fields, refused = _changed(reader, query, setup)
    if fields != typed:
        reader, setup = _read_again(fields, sheets)
    levels, owner = _levels_of_selected(setup, sheets, owner)
    if levels:
        fields = {**fields, **levels}
        reader, setup = _read_again(fields, sheets)
    found = find(setup)
    rows, drawing = tuple(map(_row_words, found.setup.board.rows)), draw(found.state, found.stage())
    owned = {LEVELS_OWNER: owner} if owner != setup.selected else {}
    said = {name: text.strip() for name, text in fields.items() if text.strip() != DEFAULTS.get(name)}
    return View(
        query_string({**said, **owned, SHEETS: sheets}),
        _summary(found),
        (*reader.problems, *coming.problems, *refused),
        {**fields, LEVELS_OWNER: owner, SHEETS: sheets},
        Answer(found, drawing, form.tints(sides(found.setup)), rows, fight_query(found.setup, sheets)),
        frozenset(name for name in CONTROLS if fields[name] != typed[name]),
        query.text("brush", "pick").strip() or "pick",
        opened(query),
    )


def _read_again(fields: Mapping[str, str], sheets: str) -> tuple[Reader, Setup]:
    """Read controls that the answer has changed as the link to this answer will be read."""
    reader = Reader(parse_query(query_string({**fields, SHEETS: sheets}), QUERY_LIMIT + MAX_SHEET_LENGTH))
    return reader, reader.setup()


def _levels_of_selected(setup: Setup, sheets: str, owner: str) -> tuple[dict[str, str], str]:
    """Find the levels to show instead of those of another token, and whose levels the controls hold then.

    `owner` is the id of the token whose levels they hold now. Returns {} where they stay.
    """
    if setup.selected:
        return levels_of(sheets, setup.selected) if setup.selected != owner else {}, setup.selected
    is_there = any(token.id == owner for token in setup.tokens)
    return dict.fromkeys(TOKEN_CONTROLS, "") if owner and not is_there else {}, owner if is_there else ""


def picture(text: str, layers: Collection[str] = LAYERS) -> Drawing:
    """Draw the board of a query for the text, see `pictured`."""
    found, _, _ = pictured(text, layers, "", "")
    return draw(found.state, found.stage(layers))


def pictured(text: str, layers: Collection[str], lines: str, ways: str) -> tuple[Findings, list[Space], list[Space]]:
    """Work a board of the text out: a query, some of the `LAYERS`, spaces like `3,4 5,6` to look at and to go to.

    Raises `ScratchError` with every problem of the query, and `board.layer` for a layer that is none.
    """
    unknown = [layer for layer in layers if layer not in LAYERS]
    if unknown:
        raise ScratchError(Problem("board.layer", f"one of {', '.join(LAYERS)}", format_input(unknown[0]), "show"))
    reader = Reader(parse_query(text, QUERY_LIMIT))
    setup = reader.setup()
    reader.fields = {**reader.fields, "lines": lines, "ways": ways}
    targets, goals = (reader.spaces(setup.board, name) for name in ("lines", "ways"))
    if reader.problems:
        raise ScratchError(*reader.problems)
    return find(setup), targets, goals


@lru_cache
def painted(shape: Shape) -> tuple[tuple[str, str, Drawing], ...]:
    """What can be painted on squares or on hexes: each brush, its words, and a space of it, or a mark without one."""
    pen = Pen(Board(shape, (".",)))
    grounds = (
        (brush, words, picture(query_string({"shape": shape, "map": brush}), ())) for brush, words in TERRAINS.items()
    )
    marks = ((brush, words, pen.mark(f"sign {brush}", [(0, 0)], SIGNS[brush])) for brush, words in FEATURES.items())
    return (*grounds, *((brush, words, Drawing(*pen.size(), (), (mark,), (), ())) for brush, words, mark in marks))


def _changed(reader: Reader, query: Query, before: Setup) -> tuple[Mapping[str, str], list[Problem]]:
    """Do what was drawn and pressed, and give the controls' new texts; what cannot be done is told, the rest stands."""
    is_map_wrong = any(problem.where == "map" for problem in reader.problems)
    setup, refused = before, list[Problem]()
    for control, act in (("stroke", drawn), ("act", pressed)):
        asked = query.text(control).strip()
        try:
            if asked.partition(" ")[0] in (CHOOSE, ADD):
                continue
            if asked and asked != "new" and is_map_wrong:
                raise ScratchError(Problem("board.map.first", "a map without a mistake", "one with a mistake", control))
            changed = act(setup, asked) if asked else setup
            refused += displaced(setup, changed) if asked.startswith("map-") else ()
            setup = changed
        except ScratchError as error:
            refused += form.at_control(error.problems, control)
    old, new = before.fields(), setup.fields()
    texts = {name: reader.kept(name, new[name]) for name in CONTROLS if new[name] != old[name]}
    return {**reader.fields, **texts}, refused


def _row_words(letters: str) -> str:
    """One row in words: `0 to 3 ground, 4 wall`."""
    parts, first = [], 0
    for letter, run in groupby(letters):
        last = first + len(list(run)) - 1
        where = f"{first}" if first == last else f"{first} to {last}"
        parts.append(f"{where} {TERRAINS[letter]}")
        first = last + 1
    return ", ".join(parts)


def _summary(found: Findings) -> str:
    """The board in a sentence; with a token selected what it can do, and with a space asked about what of that."""
    setup = found.setup
    if setup.token is None:
        count = len(setup.tokens)
        return f"{setup.board.width} × {setup.board.height} spaces, {count} token{'s' if count != 1 else ''}."
    asked = found.asked
    if asked is not None:
        way = f"costs {asked.way.cost}." if asked.way else problem_sentence(asked.why_not) if asked.why_not else ""
        line = "In sight" if asked.sight and asked.sight.is_clear else f"Out of sight: {asked.blocks}"
        return f"{format_space(asked.space)}: {way} {line}."
    stops = sum(map(len, found.reach.stops.values()))
    clear = sum(other.sight.is_clear for other in found.others)
    others = len(found.others)
    seen = f"{clear} of {others}" if clear < others else f"{others}"
    sees = f" and can see {seen} other token{'s' if others != 1 else ''}" if others else ""
    return f"{setup.token.name} can reach {stops} space{'s' if stops != 1 else ''}{sees}."
