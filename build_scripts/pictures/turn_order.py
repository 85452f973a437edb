"""The drawing of a fight by another turn system: a column for each fighter, with time from top to bottom."""

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
"""The additional height of a row whose block has pools below it."""
CELL = 10
MAX_NAME_LENGTH = 11
"""The maximum number of letters that fit above a column."""
POOLS = ("ready", "defence", "other", "stun", "damage")


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A step as it is drawn."""

    number: int
    """The number of the step."""
    round: int
    """The round."""
    actor: str
    """The id of the actor."""
    kind: str
    """The kind of block: `act`, `sprung` (breaks into the order), `declared` (an action that waits), `held` (nothing
    happens yet), `skip`, `told` (an event of the table), or `refused` (not allowed)."""
    label: str
    """The text in the block."""
    target: str = ""
    """The id of the fighter that the arrow points at; "" for none."""


_STEP_LABELS = {
    "active": ("act", "acts"),
    "combo": ("act", "combo"),
    "prepare-counter": ("held", "prepares"),
    "skip": ("skip", "skips"),
    "delay-turn": ("held", "delays"),
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
    "extra-action": ("act", "acts again"),
    "leave": ("skip", "leaves"),
}
_TABLE_EVENTS = {"stun": "stun", "damage": "damage", "lose-hp": "hit points"}


def list_drawn_steps(played: ScenarioResult) -> tuple[DrawnStep, ...]:
    """List the drawn steps of a play, without the rolls of an ambush."""
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
    """The positions of columns, rows and rounds."""

    columns: dict[str, float]
    """The middle of each column, by the fighter's id."""
    width: float
    """The width of a column."""
    rows: tuple[float, ...]
    """The middle of each row."""
    rounds: tuple[tuple[int, float], ...]
    """The number and the top edge of each round."""
    height: float
    """The height of the drawing, without the legend."""


def _build_layout(fighter_ids: Sequence[str], drawn_steps: Sequence[DrawnStep], strip_height: int) -> _Frame:
    width = (WIDTH - GUTTER) / len(fighter_ids)
    columns = {each: GUTTER + width * (n + 0.5) for n, each in enumerate(fighter_ids)}
    y, rows, rounds, number = float(HEAD), list[float](), list[tuple[int, float]](), 0
    for each in drawn_steps:
        if each.round > number:
            number = each.round
            rounds.append((number, y))
            y += ROUND
        rows.append(y + ROW / 2)
        y += ROW + strip_height
    return _Frame(columns, width, tuple(rows), tuple(rounds), y + 4)


@dataclass(frozen=True, slots=True)
class Column:
    """A fighter's column."""

    x: float
    """The middle."""
    name: str
    """The name above it, which is shortened if it is too long."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A line down a column while something waits."""

    kind: str
    """`wait` for a counterattack, `wait-act` for an action that was declared before."""
    x: float
    """The horizontal position."""
    start: float
    """The upper end."""
    end: float
    """The lower end."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from the edge of a block to just before another column."""

    start: float
    """The horizontal position where it begins."""
    tip: float
    """The horizontal position of the tip."""
    direction: int
    """1 to the right, -1 to the left."""


@dataclass(frozen=True, slots=True)
class Block:
    """The block of a step."""

    step: DrawnStep
    """The step."""
    x: float
    """The horizontal middle."""
    y: float
    """The vertical middle."""
    half_width: float
    """Half of its width."""
    arrow: Arrow | None
    """The arrow to the step's target; None if it has no other target."""


@dataclass(frozen=True, slots=True)
class PoolCell:
    """A square for one hit point of a pool."""

    pool: str
    """The pool."""
    x: float
    """The left edge."""
    y: float
    """The top edge."""
    size: float
    """The length of a side."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The squares below a block, and their background."""

    x: float
    """The left edge of the background."""
    y: float
    """The top edge of the background."""
    width: float
    """The width of the background."""
    cells: tuple[PoolCell, ...]
    """The squares."""


def draw_turn_order(played: ScenarioResult, uid: str) -> str:
    """Draw a play as SVG, with a title and a description for screen readers.

    Ids begin with `uid`.
    """
    fighters = played.final_state.fighters
    drawn = list_drawn_steps(played)
    has_pools = isinstance(fighters[0], OldFighter)
    frame = _build_layout([each.id for each in fighters], drawn, STRIP if has_pools else 0)
    sentences = " ".join(f"{record.n}: {format_narration_or_refusal(played, record)}" for record in played.results)
    template = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("turn-order.svg")
    return template.render(
        {"HEAD": HEAD, "ROUND": ROUND, "BLOCK": BLOCK, "CELL": CELL, "g": "{:g}".format, "uid": uid},
        title=_escape(played.scenario.title),
        words=_escape(f"{played.beginning.narration} {sentences}"),
        width=WIDTH,
        height=frame.height + (24 if has_pools else 0),
        foot=frame.height,
        columns=list(_list_columns(frame, {each.id: each.name for each in fighters})),
        rounds=frame.rounds,
        waits=list(_list_waits(played, frame, drawn)),
        blocks=[_build_block(frame, each, y) for each, y in zip(drawn, frame.rows, strict=True)],
        strips=list(_list_pool_strips(played, frame, drawn)) if has_pools else [],
        legend=list(_list_legend(frame)) if has_pools else [],
    )


def format_narration_or_refusal(played: ScenarioResult, record: StepResult) -> str:
    """Format the result of a step, or that it is not allowed."""
    if record.is_legal:
        return record.narration
    system = played.scenario.system
    title = system.action_titles.get(record.do, record.do)
    return f"{record.state.name_of(record.actor)}: {title} is not allowed."


def _escape(text: str) -> Markup:
    """Escape a text, including its quotation marks, as on the rest of the pages."""
    return Markup(escape(text))


def _list_columns(frame: _Frame, names: Mapping[str, str]) -> Iterator[Column]:
    for who, x in frame.columns.items():
        name = names[who] if len(names[who]) <= MAX_NAME_LENGTH else names[who][: MAX_NAME_LENGTH - 1] + "…"
        yield Column(x, _escape(name))


def _list_waits(played: ScenarioResult, frame: _Frame, drawn: Sequence[DrawnStep]) -> Iterator[Wait]:
    """Yield a line for each prepared counterattack and each declared action.

    It ends when the action is carried out.
    """
    records = {record.n: record for record in played.results}
    open_waits: dict[str, tuple[str, float]] = {}
    for each, y in zip(drawn, frame.rows, strict=True):
        record = records[each.number]
        if each.actor in open_waits and each.kind != "told":
            kind, start = open_waits.pop(each.actor)
            yield Wait(kind, frame.columns[each.actor], start, y)
        if each.kind == "declared":
            open_waits[each.actor] = ("wait-act", y)
        if any(isinstance(event, CounterPrepared) or _is_ready(event) for event in record.events):
            open_waits[each.actor] = ("wait", y)
    for who, (kind, start) in open_waits.items():
        yield Wait(kind, frame.columns[who], start, frame.height - 4)


def _is_ready(event: object) -> bool:
    return isinstance(event, Started) and not event.evading


def _build_block(frame: _Frame, moment: DrawnStep, y: float) -> Block:
    x = frame.columns[moment.actor]
    half = min(frame.width - 8, 88) / 2
    is_pointing = bool(moment.target) and moment.target != moment.actor
    return Block(moment, x, y, half, _build_arrow(x, frame.columns[moment.target], half) if is_pointing else None)


def _build_arrow(start: float, end: float, half: float) -> Arrow:
    direction = 1 if end > start else -1
    return Arrow(start + direction * half, end - direction * 3, direction)


def _list_pool_strips(played: ScenarioResult, frame: _Frame, drawn: Sequence[DrawnStep]) -> Iterator[Strip]:
    """Yield the squares below each block, one for every hit point.

    They show the pools after the step.
    """
    for each, y in zip(drawn, frame.rows, strict=True):
        who = next(who for who in played.states[each.number].fighters if who.id == each.actor)
        pools = [pool for pool in POOLS for _ in range(who.get_points(pool))]
        step = min(CELL + 2.0, (frame.width - 6) / len(pools))
        x = frame.columns[each.actor] - step * len(pools) / 2
        cells = (PoolCell(pool, x + n * step, y + BLOCK / 2 + 4, step - 2) for n, pool in enumerate(pools))
        yield Strip(x - 2, y + BLOCK / 2 + 2, step * len(pools) + 3, tuple(cells))


def _list_legend(frame: _Frame) -> Iterator[PoolCell]:
    """Yield a square for each pool, below the columns."""
    for n, pool in enumerate(POOLS):
        yield PoolCell(pool, 4 + n * (WIDTH - 4) / len(POOLS), frame.height + 9, CELL)
