"""The scenarios that come with the engine; the rulebook's worked combat, played in three ways, is one of them."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook import toml_records
from scratch_core.scenario.playback import fork
from scratch_core.scenario.reader import parse_scenario
from scratch_core.scenario.records import Scenario

WORKED_COMBAT_RULINGS: Mapping[str, Mapping[str, int | bool]] = {
    "rules": {},
    "as-printed": {"strength_base": 8, "wrestling_double_legacy": True},
    "base-8": {"strength_base": 8},
}
"""By the rules' text; as the printed story has them; with base 8, else strictly (rulings K01, K06)."""

NAMES = ("worked-combat", "first-fight", "harbour", "counterattack")
SAMPLE_SCENARIOS: Mapping[str, str] = {name: toml_records.load_text(f"scenario/{name}") for name in NAMES}
"""The scenarios that come with the engine, by name, as the files beside this one hold them.

The last is an example of the rules. Rules: `mano.counter.illustration`, `mano.counter.timing`, `mano.counter.rethink`,
`mano.counter.order`.
"""


def build_worked_combat(way: str = "rules") -> Scenario:
    """The worked combat in one of `WORKED_COMBAT_RULINGS`; raises `ScratchError` for another."""
    if way not in WORKED_COMBAT_RULINGS:
        raise ScratchError(
            Problem("scenario.way", f"one of {', '.join(WORKED_COMBAT_RULINGS)}", format_input(way), "the way to play")
        )
    return fork(parse_scenario(SAMPLE_SCENARIOS["worked-combat"]), rulings=WORKED_COMBAT_RULINGS[way])
