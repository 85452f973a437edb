"""The drawing of a fight by another turn order: a column for each fighter, time running down, made from its play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import jinja2
from markupsafe import Markup

from build_scripts.pictures import TEMPLATES
from build_scripts.render import environment
from scratch_core.scenario import ScenarioResult, StepResult
from scratch_core.turn_systems.mano.records import AttackDeclared, CounterPrepared, Started
from scratch_core.turn_systems.mano_old.records import OldFighter

WIDTH = 360
GUTTER = 26
HEAD = 30
ROW = 36
ROUND = 26
BLOCK = 25
STRIP = 16
"""What a row is higher by where the pools are drawn below its block."""
CELL = 10
TALLEST_NAME = 11
"""As many letters as fit above a column."""
POOLS = ("ready", "defence", "other", "stun", "damage")


@dataclass(frozen=True, slots=True)
class Moment:
    """One step as it is drawn: who, which kind of block, its word, and whom it points at.

    Kinds: `act`, `sprung` (it breaks into the order), `declared` (an act that waits), `held` (nothing is done yet),
    `skip`, `told` (the table tells it of someone), `refused`.
    """

    number: int
    round: int
    who: str
    kind: str
    word: str
    target: str = ""


_WORDS = {
    "active": ("act", "acts"),
    "combo": ("act", "combo"),
    "prepare-counter": ("held", "prepares"),
    "skip": ("skip", "skips"),
    "delay-turn": ("held", "holds back"),
    "counter": ("sprung", "counters"),
    "let-pass": ("held", "lets pass"),
    "start-evading": ("held", "evades"),
    "start-ready": ("held", "ready"),
    "start-turn": ("held", "turn"),
    "ready": ("held", "ready"),
    "spend": ("act", "spends"),
    "end-turn": ("skip", "ends"),
    "turn": ("act", "turn"),
    "choose": ("held", "chooses"),
    "seize": ("sprung", "seizes"),
    "decline": ("skip", "declines"),
    "extra-action": ("act", "once more"),
    "leave": ("skip", "leaves"),
}
_TOLD = {"stun": "stun", "damage": "damage", "lose-hp": "hit points"}


def moments(played: ScenarioResult) -> tuple[Moment, ...]:
    """Every step of a play as it is drawn; the rolls of an ambush are not."""
    return tuple(_moment(played, record) for record in played.results if record.do != "surprise-rolls")


def _moment(played: ScenarioResult, record: StepResult) -> Moment:
    act = record.action
    number = played.states[record.n if record.do == "turn" else record.n - 1].round
    if act.do in _TOLD:
        sign = "−" if act.do == "lose-hp" else "+"
        what = "hit point" if act.do == "lose-hp" and act.points == 1 else _TOLD[act.do]
        return Moment(record.n, number, act.target, "told", f"{sign}{act.points} {what}")
    kind, word = _WORDS[act.do]
    if act.target and act.do == "active":
        word = "attacks"
    if act.count:
        word = f"{'counters' if act.do == 'counter' else 'combo'}, {act.count}"
    if act.do == "spend":
        word = f"spends {act.points}"
    if any(isinstance(event, AttackDeclared) for event in record.events):
        kind = "declared"
    if not record.is_legal:
        kind = "refused"
    return Moment(record.n, number, record.actor, kind, word, "" if act.do == "delay-turn" else act.target)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where everything stands: columns by id, the middle of each row, the top of each new round."""

    columns: dict[str, float]
    width: float
    rows: tuple[float, ...]
    rounds: tuple[tuple[int, float], ...]
    height: float


def _frame(ids: Sequence[str], drawn: Sequence[Moment], strip: int) -> _Frame:
    width = (WIDTH - GUTTER) / len(ids)
    columns = {each: GUTTER + width * (n + 0.5) for n, each in enumerate(ids)}
    y, rows, rounds, number = float(HEAD), list[float](), list[tuple[int, float]](), 0
    for each in drawn:
        if each.round > number:
            number = each.round
            rounds.append((number, y))
            y += ROUND
        rows.append(y + ROW / 2)
        y += ROW + strip
    return _Frame(columns, width, tuple(rows), tuple(rounds), y + 4)


@dataclass(frozen=True, slots=True)
class Column:
    """A fighter's column: its middle, and the name above it, shortened where it is long."""

    x: float
    name: str


@dataclass(frozen=True, slots=True)
class Wait:
    """A line down a column while something waits: a counterattack (`wait`) or an act stated before (`wait-act`)."""

    kind: str
    x: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from the edge of a block to just before another column; `way` is 1 to the right, -1 to the left."""

    start: float
    tip: float
    way: int


@dataclass(frozen=True, slots=True)
class Block:
    """A moment's block: its middle, half of its width, and the arrow to whom it points at."""

    moment: Moment
    x: float
    y: float
    half: float
    arrow: Arrow | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A square for one hit point of a pool."""

    pool: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The squares below a block, and the plate that they stand on."""

    x: float
    y: float
    width: float
    cells: tuple[Cell, ...]


def draw(played: ScenarioResult, uid: str) -> str:
    """The SVG of a play, with a title and a description for those who don't see it; `uid` keeps its ids apart."""
    fighters = played.scenario.system.fighters(played.final_state)
    drawn = moments(played)
    has_pools = isinstance(fighters[0], OldFighter)
    frame = _frame([each.id for each in fighters], drawn, STRIP if has_pools else 0)
    said = " ".join(f"{record.n}: {step_words(played, record)}" for record in played.results)
    template = environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("turn-order.svg")
    return template.render(
        {"HEAD": HEAD, "ROUND": ROUND, "BLOCK": BLOCK, "CELL": CELL, "g": "{:g}".format, "uid": uid},
        title=_quoted(played.scenario.title),
        words=_quoted(f"{played.beginning.narration} {said}"),
        width=WIDTH,
        height=frame.height + (24 if has_pools else 0),
        foot=frame.height,
        columns=list(_columns(frame, {each.id: each.name for each in fighters})),
        rounds=frame.rounds,
        waits=list(_waits(played, frame, drawn)),
        blocks=[_block(frame, each, y) for each, y in zip(drawn, frame.rows, strict=True)],
        strips=list(_strips(played, frame, drawn)) if has_pools else [],
        legend=list(_legend(frame)) if has_pools else [],
    )


def step_words(played: ScenarioResult, record: StepResult) -> str:
    """Write what came of a step; of one that is not allowed, only that."""
    if record.is_legal:
        return record.narration
    system = played.scenario.system
    title = system.action_titles.get(record.do, record.do)
    return f"{system.name_of(record.state, record.actor)}: {title} is not allowed."


def _quoted(text: str) -> Markup:
    """A text as HTML, its quotes written by their names as everywhere on the pages."""
    return Markup(escape(text))


def _columns(frame: _Frame, names: Mapping[str, str]) -> Iterator[Column]:
    for who, x in frame.columns.items():
        name = names[who] if len(names[who]) <= TALLEST_NAME else names[who][: TALLEST_NAME - 1] + "…"
        yield Column(x, _quoted(name))


def _waits(played: ScenarioResult, frame: _Frame, drawn: Sequence[Moment]) -> Iterator[Wait]:
    """A counterattack that waits, from where it is prepared; an act that waits, until it is stated again."""
    records = {record.n: record for record in played.results}
    begun: dict[str, tuple[str, float]] = {}
    for each, y in zip(drawn, frame.rows, strict=True):
        record = records[each.number]
        if each.who in begun and each.kind != "told":
            kind, start = begun.pop(each.who)
            yield Wait(kind, frame.columns[each.who], start, y)
        if each.kind == "declared":
            begun[each.who] = ("wait-act", y)
        if any(isinstance(event, CounterPrepared) or _is_ready(event) for event in record.events):
            begun[each.who] = ("wait", y)
    for who, (kind, start) in begun.items():
        yield Wait(kind, frame.columns[who], start, frame.height - 4)


def _is_ready(event: object) -> bool:
    return isinstance(event, Started) and not event.evading


def _block(frame: _Frame, moment: Moment, y: float) -> Block:
    x = frame.columns[moment.who]
    half = min(frame.width - 8, 88) / 2
    is_pointing = bool(moment.target) and moment.target != moment.who
    return Block(moment, x, y, half, _arrow(x, frame.columns[moment.target], half) if is_pointing else None)


def _arrow(start: float, end: float, half: float) -> Arrow:
    way = 1 if end > start else -1
    return Arrow(start + way * half, end - way * 3, way)


def _strips(played: ScenarioResult, frame: _Frame, drawn: Sequence[Moment]) -> Iterator[Strip]:
    """A square for every hit point below each block, as the pools stand after the step."""
    for each, y in zip(drawn, frame.rows, strict=True):
        who = next(who for who in played.scenario.system.fighters(played.states[each.number]) if who.id == each.who)
        pools = [pool for pool in POOLS for _ in range(who.pool(pool))]
        step = min(CELL + 2.0, (frame.width - 6) / len(pools))
        x = frame.columns[each.who] - step * len(pools) / 2
        cells = (Cell(pool, x + n * step, y + BLOCK / 2 + 4, step - 2) for n, pool in enumerate(pools))
        yield Strip(x - 2, y + BLOCK / 2 + 2, step * len(pools) + 3, tuple(cells))


def _legend(frame: _Frame) -> Iterator[Cell]:
    """What the squares mean, below the columns."""
    for n, pool in enumerate(POOLS):
        yield Cell(pool, 4 + n * (WIDTH - 4) / len(POOLS), frame.height + 9, CELL)
