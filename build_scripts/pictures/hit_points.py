"""The picture `hit-points`: every number of hit points of a character, what it means, and the stamina line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from build_scripts.pictures.record import WIDTH, Picture, format_hit_points
from scratch_core.characters import AbilityLevel, Character, find_health

FIELDS = {"toughness": "7"}
"""The fields that a page may set, with their defaults."""

MAX_TOUGHNESS = 12
_WIDEST_CELL = 70
_WIDEST_NAME = 88
_NEXT_NAME = _WIDEST_NAME + 36
"""The minimum distance of the last but one name from the right edge, so that it does not run into the last one."""


@dataclass(frozen=True, slots=True)
class HitPointCell:
    """A cell for a number of hit points."""

    x: float
    """Its left edge."""
    hp: int
    """The hit points."""
    health: str
    """What they mean: healthy, injured or incapacitated."""


@dataclass(frozen=True, slots=True)
class CellRun:
    """Adjacent cells with the same meaning."""

    left: float
    """The left edge."""
    right: float
    """The right edge."""
    name_x: float
    """The middle of the name."""
    name: str
    """What the cells mean."""
    range_text: str
    """The hit points in words, such as `3 to 1`."""

    @property
    def middle(self) -> float:
        """The horizontal middle."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPointsPicture(Picture):
    """The track of hit points."""

    cells: tuple[HitPointCell, ...]
    """The cells from the maximum down to 0."""
    runs: tuple[CellRun, ...]
    """The runs of cells with the same meaning."""
    size: float
    """The width of a cell."""
    line: float | None
    """The position of the stamina line; None if there is none."""
    label_x: float
    """The middle of the stamina line's label."""
    stamina: int
    """The stamina."""
    stamina_reason: str
    """Where the stamina comes from."""


def build_picture(fields: Mapping[str, str]) -> HitPointsPicture:
    """Read from the engine what each number of hit points means.

    Raises ValueError for a toughness that is not from 1 to `MAX_TOUGHNESS`. Rules: `hp.max`, `hp.stamina`,
    `hp.healthy`, `hp.injured`, `hp.incapacitated`.
    """
    text = fields["toughness"]
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_TOUGHNESS):
        raise ValueError(f"expected a toughness from 1 to {MAX_TOUGHNESS}, got {text!r} in a picture fence")
    who = Character("Anyone", (AbilityLevel("toughness", int(text)),))
    most, stamina = who.max_hp().value, who.stamina()
    size = min(_WIDEST_CELL, (WIDTH - 10) / (most + 1))
    left = (WIDTH - size * (most + 1)) / 2
    cells = tuple(HitPointCell(left + n * size, hp, find_health(hp, most)) for n, hp in enumerate(range(most, -1, -1)))
    runs = tuple(_list_runs(cells, size))
    line = next((cell.x for cell in cells if cell.health == "injured"), None)
    names_text = ", ".join(f"{run.name} with {run.range_text}" for run in runs).capitalize()
    border = f" The stamina line is at {stamina.value}, {stamina.parts[0].label}." if line is not None else ""
    return HitPointsPicture(
        title=f"Hit points and stamina with toughness {most}",
        description=f"{len(cells)} boxes in a row, from {format_hit_points(most)} down to 0. {names_text}.{border}",
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
