"""The drawing of a fight by another turn order: a column for each fighter, time running down, made from its play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import jinja2
from markupsafe import Markup

from build_scripts.pictures import TEMPLATES
from build_scripts.render import build_environment
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
MAX_NAME_LENGTH = 11
"""As many letters as fit above a column."""
POOLS = ("ready", "defence", "other", "stun", "damage")


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """One step as it is drawn: who, which kind of block, its word, and whom it points at.

    Kinds: `act`, `sprung` (it breaks into the order), `declared` (an act that waits), `held` (nothing is done yet),
    `skip`, `told` (the table tells it of someone), `refused`.
    """

    number: int
    round: int
    actor: str
    kind: str
    label: str
    target: str = ""


_STEP_LABELS = {
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
_TABLE_EVENTS = {"stun": "stun", "damage": "damage", "lose-hp": "hit points"}


def list_drawn_steps(played: ScenarioResult) -> tuple[DrawnStep, ...]:
    """Every step of a play as it is drawn; the rolls of an ambush are not."""
    return tuple(_build_drawn_step(played, record) for record in played.results if record.do != "surprise-rolls")


def _build_drawn_step(played: ScenarioResult, record: StepResult) -> DrawnStep:
    act = record.action
    number = played.states[record.n if record.do == "turn" else record.n - 1].round
    if act.do in _TABLE_EVENTS:
        sign = "−" if act.do == "lose-hp" else "+"
        what = "hit point" if act.do == "lose-hp" and act.points == 1 else _TABLE_EVENTS[act.do]
        return DrawnStep(record.n, number, act.target, "told", f"{sign}{act.points} {what}")
    kind, word = _STEP_LABELS[act.do]
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
    return DrawnStep(record.n, number, record.actor, kind, word, "" if act.do == "delay-turn" else act.target)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where everything stands: columns by id, the middle of each row, the top of each new round."""

    columns: dict[str, float]
    width: float
    rows: tuple[float, ...]
    rounds: tuple[tuple[int, float], ...]
    height: float


def _build_frame(ids: Sequence[str], drawn: Sequence[DrawnStep], strip: int) -> _Frame:
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
    """An arrow from the edge of a block to just before another column.

    `direction` is 1 to the right, -1 to the left.
    """

    start: float
    tip: float
    direction: int


@dataclass(frozen=True, slots=True)
class Block:
    """A moment's block: its middle, half of its width, and the arrow to whom it points at."""

    step: DrawnStep
    x: float
    y: float
    half_width: float
    arrow: Arrow | None


@dataclass(frozen=True, slots=True)
class PoolCell:
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
    cells: tuple[PoolCell, ...]


def draw_turn_order(played: ScenarioResult, uid: str) -> str:
    """The SVG of a play, with a title and a description for those who don't see it; `uid` keeps its ids apart."""
    fighters = played.scenario.system.fighters(played.final_state)
    drawn = list_drawn_steps(played)
    has_pools = isinstance(fighters[0], OldFighter)
    frame = _build_frame([each.id for each in fighters], drawn, STRIP if has_pools else 0)
    said = " ".join(f"{record.n}: {format_step(played, record)}" for record in played.results)
    template = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("turn-order.svg")
    return template.render(
        {"HEAD": HEAD, "ROUND": ROUND, "BLOCK": BLOCK, "CELL": CELL, "g": "{:g}".format, "uid": uid},
        title=_escape(played.scenario.title),
        words=_escape(f"{played.beginning.narration} {said}"),
        width=WIDTH,
        height=frame.height + (24 if has_pools else 0),
        foot=frame.height,
        columns=list(_list_columns(frame, {each.id: each.name for each in fighters})),
        rounds=frame.rounds,
        waits=list(_list_waits(played, frame, drawn)),
        blocks=[_build_block(frame, each, y) for each, y in zip(drawn, frame.rows, strict=True)],
        strips=list(_list_strips(played, frame, drawn)) if has_pools else [],
        legend=list(_list_legend(frame)) if has_pools else [],
    )


def format_step(played: ScenarioResult, record: StepResult) -> str:
    """Write what came of a step; of one that is not allowed, only that."""
    if record.is_legal:
        return record.narration
    system = played.scenario.system
    title = system.action_titles.get(record.do, record.do)
    return f"{system.name_of(record.state, record.actor)}: {title} is not allowed."


def _escape(text: str) -> Markup:
    """A text as HTML, its quotes written by their names as everywhere on the pages."""
    return Markup(escape(text))


def _list_columns(frame: _Frame, names: Mapping[str, str]) -> Iterator[Column]:
    for who, x in frame.columns.items():
        name = names[who] if len(names[who]) <= MAX_NAME_LENGTH else names[who][: MAX_NAME_LENGTH - 1] + "…"
        yield Column(x, _escape(name))


def _list_waits(played: ScenarioResult, frame: _Frame, drawn: Sequence[DrawnStep]) -> Iterator[Wait]:
    """A counterattack that waits, from where it is prepared; an act that waits, until it is stated again."""
    records = {record.n: record for record in played.results}
    begun: dict[str, tuple[str, float]] = {}
    for each, y in zip(drawn, frame.rows, strict=True):
        record = records[each.number]
        if each.actor in begun and each.kind != "told":
            kind, start = begun.pop(each.actor)
            yield Wait(kind, frame.columns[each.actor], start, y)
        if each.kind == "declared":
            begun[each.actor] = ("wait-act", y)
        if any(isinstance(event, CounterPrepared) or _is_ready(event) for event in record.events):
            begun[each.actor] = ("wait", y)
    for who, (kind, start) in begun.items():
        yield Wait(kind, frame.columns[who], start, frame.height - 4)


def _is_ready(event: object) -> bool:
    return isinstance(event, Started) and not event.evading


def _build_block(frame: _Frame, moment: DrawnStep, y: float) -> Block:
    x = frame.columns[moment.actor]
    half = min(frame.width - 8, 88) / 2
    is_pointing = bool(moment.target) and moment.target != moment.actor
    return Block(moment, x, y, half, _build_arrow(x, frame.columns[moment.target], half) if is_pointing else None)


def _build_arrow(start: float, end: float, half: float) -> Arrow:
    way = 1 if end > start else -1
    return Arrow(start + way * half, end - way * 3, way)


def _list_strips(played: ScenarioResult, frame: _Frame, drawn: Sequence[DrawnStep]) -> Iterator[Strip]:
    """A square for every hit point below each block, as the pools stand after the step."""
    for each, y in zip(drawn, frame.rows, strict=True):
        who = next(who for who in played.scenario.system.fighters(played.states[each.number]) if who.id == each.actor)
        pools = [pool for pool in POOLS for _ in range(who.pool(pool))]
        step = min(CELL + 2.0, (frame.width - 6) / len(pools))
        x = frame.columns[each.actor] - step * len(pools) / 2
        cells = (PoolCell(pool, x + n * step, y + BLOCK / 2 + 4, step - 2) for n, pool in enumerate(pools))
        yield Strip(x - 2, y + BLOCK / 2 + 2, step * len(pools) + 3, tuple(cells))


def _list_legend(frame: _Frame) -> Iterator[PoolCell]:
    """What the squares mean, below the columns."""
    for n, pool in enumerate(POOLS):
        yield PoolCell(pool, 4 + n * (WIDTH - 4) / len(POOLS), frame.height + 9, CELL)
