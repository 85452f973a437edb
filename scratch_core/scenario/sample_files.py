"""The sample scenarios. One of them is the rulebook's worked combat, which is played by three sets of rulings."""

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
"""The rulings by the rules' text, as in the printed story, and with base 8 only (rulings K01, K06)."""

NAMES = ("worked-combat", "first-fight", "harbour", "counterattack")
SAMPLE_SCENARIOS: Mapping[str, str] = {name: toml_records.load_toml_text(f"scenario/{name}") for name in NAMES}
"""The sample scenarios by name, from the files in this folder.

The last is an example of the rules. Rules: `mano.counter.illustration`, `mano.counter.timing`, `mano.counter.rethink`,
`mano.counter.order`.
"""


def build_worked_combat(way: str = "rules") -> Scenario:
    """Build the worked combat by one of `WORKED_COMBAT_RULINGS`.

    Raises `ScratchError` for an unknown one.
    """
    if way not in WORKED_COMBAT_RULINGS:
        raise ScratchError(
            Problem("scenario.way", f"one of {', '.join(WORKED_COMBAT_RULINGS)}", format_input(way), "the way to play")
        )
    return fork(parse_scenario(SAMPLE_SCENARIOS["worked-combat"]), rulings=WORKED_COMBAT_RULINGS[way])
