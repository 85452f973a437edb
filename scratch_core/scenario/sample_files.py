"""The scenarios that come with the engine; the rulebook's worked combat, played in three ways, is one of them."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rulebook import toml_records
from scratch_core.scenario.playback import fork
from scratch_core.scenario.reader import read
from scratch_core.scenario.records import Scenario

WAYS: Mapping[str, Mapping[str, int | bool]] = {
    "rules": {},
    "as-printed": {"strength_base": 8, "wrestling_double_legacy": True},
    "base-8": {"strength_base": 8},
}
"""By the rules' text; as the printed story has them; with base 8, else strictly (rulings K01, K06)."""

NAMES = ("worked-combat", "first-fight", "harbour", "counterattack")
SHIPPED: Mapping[str, str] = {name: toml_records.text(f"scenario/{name}") for name in NAMES}
"""The scenarios that come with the engine, by name, as the files beside this one hold them.

The last is an example of the rules. Rules: `mano.counter.illustration`, `mano.counter.timing`, `mano.counter.rethink`,
`mano.counter.order`.
"""


def worked_combat(way: str = "rules") -> Scenario:
    """The worked combat in one of `WAYS`; raises `ScratchError` for another."""
    if way not in WAYS:
        raise ScratchError(Problem("scenario.way", f"one of {', '.join(WAYS)}", shown(way), "the way to play"))
    return fork(read(SHIPPED["worked-combat"]), rulings=WAYS[way])
