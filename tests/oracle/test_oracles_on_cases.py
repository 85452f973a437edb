"""The oracles on the catalogue's worked cases: what checks the engine keeps what the engine must keep."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import board_fight_oracle, fight_oracle
from tests.oracle.comparing import paths
from tests.oracle.orders_situations import ORACLES

CASES = sorted((Path(__file__).parent.parent / "rules" / "cases").glob("*.toml"))
ROLLED = ("success", "total", "against", "automatic")
LEFT_TO_THE_ENGINE = ("can", "cannot", "rule")
"""What is legal is compared in random fights; of several rules that a step breaks a case names one."""
ELSEWHERE = {
    **dict.fromkeys(("E035a", "E035b"), "no step, and the dice of a tie left open"),
    **dict.fromkeys(("E135c", "E138c", "E143", "ruling-A16-on-board"), "what waits is told with the step before"),
    **dict.fromkeys(("E166", "E167b"), "the order of those who have not begun is told by the engine alone"),
    **dict.fromkeys(("E158", "mano-some-of-the-move"), "how much of a move is walked is the engine's"),
    **dict.fromkeys(("ruling-A16", "ruling-A16-let-go", "ruling-A37"), "steps in a form that only the engine reads"),
}
"""Cases that say more than an oracle is asked, and why: the random fights compare what they are about."""


def played(tree: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What is expected of each step, and last of the end, with what the oracle says."""
    if "board" in tree:
        states, records = board_fight_oracle.play(tree)
        figures = [board_fight_oracle.figures(state) for state in states]
    else:
        oracle = ORACLES.get(tree["system"], fight_oracle)
        state, states, records, figures = oracle.new_state(tree), [], [], []
        for step in tree["steps"]:
            somebody = {"actor": tree["characters"][0]["id"]} if oracle is fight_oracle else {}
            state, record = oracle.play_step(state, {**somebody, **step})
            states.append(state)
            records.append(record)
            figures.append(oracle.figures(state))
    for step, state, record, figure in zip(tree["steps"], states, records, figures, strict=True):
        rolls = {key: [each[key] for each in record.get("rolls", ())] for key in ROLLED}
        told = {"order": state.get("order"), **record, **rolls, **figure}
        yield step.get("expect", {}), told
    yield tree.get("expect", {}), told


@pytest.mark.parametrize("path", [each for each in CASES if each.stem not in ELSEWHERE], ids=lambda path: path.stem)
def test_an_oracle_keeps_the_cases(path: Path) -> None:
    """Verdict, rolls and figures of every step are those that the case expects."""
    tree = tomllib.loads(path.read_text("utf-8"))
    groups = fight_oracle.groups_of(tree) if tree["system"] == "scratch" else {}
    tree["initiative"] = tree.get("initiative") or {group: [20 - place] for place, group in enumerate(groups)}
    for number, (expected, told) in enumerate(played(tree), 1):
        refused = {"legal": False} if "rule" in expected else {}
        wanted = paths({**refused, **expected})
        asked = {key: value for key, value in wanted.items() if key.partition(".")[0] not in LEFT_TO_THE_ENGINE}
        assert {key: told.get(key) for key in asked} == asked, number
