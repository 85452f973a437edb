"""The picture `hit-points`: all hit points that someone can have, what they mean, and the stamina line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from build_scripts.pictures.record import WIDTH, Picture, format_hit_points
from scratch_core.characters import AbilityLevel, Character, find_health

FIELDS = {"toughness": "7"}
"""What a page may say, and what it is otherwise."""

MAX_TOUGHNESS = 12
_WIDEST_CELL = 70
_WIDEST_NAME = 88
_NEXT_NAME = _WIDEST_NAME + 36
"""How far from the right end the name before the last one stands at least, so that the two don't read as one."""


@dataclass(frozen=True, slots=True)
class HitPointCell:
    """One number of hit points: where it begins, and what it means."""

    x: float
    hp: int
    health: str


@dataclass(frozen=True, slots=True)
class CellRun:
    """The cells that mean the same: from where to where, what they are called and where that stands."""

    left: float
    right: float
    name_x: float
    name: str
    range_text: str

    @property
    def middle(self) -> float:
        """Half way between its ends."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPointsPicture(Picture):
    """The track: its cells from the most to 0, their runs, and the stamina line; `line` is None without one."""

    cells: tuple[HitPointCell, ...]
    runs: tuple[CellRun, ...]
    size: float
    line: float | None
    label_x: float
    stamina: int
    stamina_reason: str


def build_picture(fields: Mapping[str, str]) -> HitPointsPicture:
    """Ask the engine for each number of hit points; raises ValueError for a toughness that is none from 1 to `MOST`.

    Rules: `hp.max`, `hp.stamina`, `hp.healthy`, `hp.injured`, `hp.incapacitated`.
    """
    text = fields["toughness"]
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_TOUGHNESS):
        raise ValueError(f"expected a toughness from 1 to {MAX_TOUGHNESS}, got {text!r} in a picture fence")
    who = Character("Somebody", (AbilityLevel("toughness", int(text)),))
    most, stamina = who.max_hp().value, who.stamina()
    size = min(_WIDEST_CELL, (WIDTH - 10) / (most + 1))
    left = (WIDTH - size * (most + 1)) / 2
    cells = tuple(HitPointCell(left + n * size, hp, find_health(hp, most)) for n, hp in enumerate(range(most, -1, -1)))
    runs = tuple(_list_runs(cells, size))
    line = next((cell.x for cell in cells if cell.health == "injured"), None)
    told = ", ".join(f"{run.name} with {run.range_text}" for run in runs).capitalize()
    border = f" The stamina line stands at {stamina.value}, {stamina.parts[0].label}." if line is not None else ""
    return HitPointsPicture(
        title=f"Hit points and stamina with toughness {most}",
        description=f"{len(cells)} boxes in a row, from {format_hit_points(most)} down to 0. {told}.{border}",
        height=144 if line is not None else 110,
        cells=cells,
        runs=runs,
        size=size,
        line=line,
        label_x=min(max(line or 0, 80), WIDTH - 80),
        stamina=stamina.value,
        stamina_reason=stamina.parts[0].label,
    )


def _list_runs(cells: tuple[HitPointCell, ...], size: float) -> Iterator[CellRun]:
    for name, group in groupby(cells, key=lambda cell: cell.health):
        own = list(group)
        left, right = own[0].x, own[-1].x + size
        room = _WIDEST_NAME / 2 if own[-1] is cells[-1] else _NEXT_NAME
        name_x = min((left + right) / 2, WIDTH - room)
        most, least = own[0].hp, own[-1].hp
        yield CellRun(left, right, name_x, name, f"{most}" if most == least else f"{most} to {least}")
