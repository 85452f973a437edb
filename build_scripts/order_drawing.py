"""The drawing of a fight by another turn order: a column for each fighter, time running down, made from its play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from scratch_core.rounds import OldFighter
from scratch_core.rounds.mano_records import AttackDeclared, CounterPrepared, Started
from scratch_core.scenario import Played, Record

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
    `skip`, `told` (the table tells it of somebody), `refused`.
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


def moments(played: Played) -> tuple[Moment, ...]:
    """Every step of a play as it is drawn; the rolls of an ambush are not."""
    return tuple(_moment(played, record) for record in played.records if record.do != "surprise-rolls")


def _moment(played: Played, record: Record) -> Moment:
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
    if not record.legal:
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


def draw(played: Played, uid: str) -> str:
    """The SVG of a play, with a title and a description for those who don't see it."""
    fighters = played.scenario.system.fighters(played.final)
    drawn = moments(played)
    has_pools = isinstance(fighters[0], OldFighter)
    frame = _frame([each.id for each in fighters], drawn, STRIP if has_pools else 0)
    height = frame.height + (24 if has_pools else 0)
    names = {each.id: each.name for each in fighters}
    said = " ".join(f"{record.n}: {record.say}" for record in played.records)
    lines = [
        f'<svg class="order-drawing" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{uid}-title {uid}-words">',
        f'<title id="{uid}-title">Who acts when: {escape(played.scenario.title)}</title>',
        f'<desc id="{uid}-words">{escape(played.beginning.say)} {escape(said)}</desc>',
        *_lifelines(frame, names),
        *_rounds(frame),
        *_waits(played, frame, drawn),
        *(line for n, each in enumerate(drawn) for line in _block(frame, each, frame.rows[n])),
        *(_strips(played, frame, drawn) if has_pools else ()),
        "</svg>",
    ]
    return "\n".join(lines)


def _lifelines(frame: _Frame, names: dict[str, str]) -> Iterator[str]:
    for who, x in frame.columns.items():
        name = names[who] if len(names[who]) <= TALLEST_NAME else names[who][: TALLEST_NAME - 1] + "…"
        yield f'<line class="life" x1="{x:g}" y1="{HEAD - 6}" x2="{x:g}" y2="{frame.height:g}"/>'
        yield f'<text class="name" x="{x:g}" y="{HEAD - 14}">{escape(name)}</text>'


def _rounds(frame: _Frame) -> Iterator[str]:
    for number, y in frame.rounds:
        yield f'<line class="round-line" x1="0" y1="{y + ROUND / 2:g}" x2="{WIDTH}" y2="{y + ROUND / 2:g}"/>'
        yield f'<rect class="round-plate" x="0" y="{y + 4:g}" width="54" height="{ROUND - 8}"/>'
        yield f'<text class="round" x="0" y="{y + ROUND / 2 + 4:g}">Round {number}</text>'


def _waits(played: Played, frame: _Frame, drawn: Sequence[Moment]) -> Iterator[str]:
    """A counterattack that waits, from where it is prepared; an act that waits, until it is stated again."""
    records = {record.n: record for record in played.records}
    begun: dict[str, tuple[str, float]] = {}
    for each, y in zip(drawn, frame.rows, strict=True):
        record = records[each.number]
        if each.who in begun and each.kind != "told":
            yield _wait(frame, each.who, *begun.pop(each.who), y)
        if each.kind == "declared":
            begun[each.who] = ("wait-act", y)
        if any(isinstance(event, CounterPrepared) or _is_ready(event) for event in record.events):
            begun[each.who] = ("wait", y)
    for who, (kind, y) in begun.items():
        yield _wait(frame, who, kind, y, frame.height - 4)


def _is_ready(event: object) -> bool:
    return isinstance(event, Started) and not event.evading


def _wait(frame: _Frame, who: str, kind: str, start: float, end: float) -> str:
    x = frame.columns[who]
    return f'<line class="{kind}" x1="{x:g}" y1="{start:g}" x2="{x:g}" y2="{end:g}"/>'


def _block(frame: _Frame, moment: Moment, y: float) -> Iterator[str]:
    x = frame.columns[moment.who]
    half = min(frame.width - 8, 88) / 2
    yield f'<text class="number" x="2" y="{y + 4:g}">{moment.number}</text>'
    if moment.target and moment.target != moment.who:
        yield from _arrow(x, frame.columns[moment.target], half, y, moment.kind)
    yield f'<g class="moment {moment.kind}">'
    yield f'<rect x="{x - half:g}" y="{y - BLOCK / 2:g}" width="{2 * half:g}" height="{BLOCK}" rx="3"/>'
    yield f'<text x="{x:g}" y="{y + 4:g}">{escape(moment.word)}</text>'
    yield "</g>"


def _strips(played: Played, frame: _Frame, drawn: Sequence[Moment]) -> Iterator[str]:
    """A square for every hit point below each block, as the pools stand after the step, and what the squares mean."""
    for each, y in zip(drawn, frame.rows, strict=True):
        who = next(who for who in played.scenario.system.fighters(played.states[each.number]) if who.id == each.who)
        cells = [pool for pool in POOLS for _ in range(who.pool(pool))]
        step = min(CELL + 2.0, (frame.width - 6) / len(cells))
        x = frame.columns[each.who] - step * len(cells) / 2
        top, width = y + BLOCK / 2 + 2, step * len(cells) + 3
        yield f'<rect class="strip" x="{x - 2:g}" y="{top:g}" width="{width:g}" height="15"/>'
        for n, pool in enumerate(cells):
            yield from _cell(pool, x + n * step, y + BLOCK / 2 + 4, step - 2)
    for n, pool in enumerate(POOLS):
        x = 4 + n * (WIDTH - 4) / len(POOLS)
        yield from _cell(pool, x, frame.height + 9, CELL)
        yield f'<text class="legend" x="{x + 15:g}" y="{frame.height + 18:g}">{pool}</text>'


def _cell(pool: str, x: float, y: float, size: float) -> Iterator[str]:
    inset = 1 if pool == "defence" else 0
    side = f'x="{x + inset:g}" y="{y + inset:g}" width="{size - 2 * inset:g}" height="{CELL - 2 * inset:g}"'
    yield f'<rect class="cell {pool}" {side}/>'
    if pool == "damage":
        yield f'<path class="cell-cross" d="M{x:g} {y:g}l{size:g} {CELL}m0 -{CELL}l-{size:g} {CELL}"/>'


def _arrow(start: float, end: float, half: float, y: float, kind: str) -> Iterator[str]:
    way = 1 if end > start else -1
    tip = end - way * 3
    yield f'<line class="arrow {kind}" x1="{start + way * half:g}" y1="{y:g}" x2="{tip - way * 6:g}" y2="{y:g}"/>'
    head = f"{tip:g},{y:g} {tip - way * 8:g},{y - 4:g} {tip - way * 8:g},{y + 4:g}"
    yield f'<polygon class="head {kind}" points="{head}"/>'
