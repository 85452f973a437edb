"""The results that the page shows as the latest ones."""

import pytest

from scratch_core.calculators.fight.roster import find_latest_results


@pytest.mark.parametrize(
    ("latest_first", "shown"),
    [
        pytest.param([("attack 2", "second-blow"), ("attack 1", "double-attack")], ("attack 1", "attack 2"), id="pair"),
        pytest.param(
            [("attack 2", "second-blow"), ("hit points", "set-hp"), ("attack 1", "double-attack")],
            ("attack 2",),
            id="separated",
        ),
        pytest.param([("attack 2", "second-blow")], ("attack 2",), id="alone"),
        pytest.param([("end", "end-turn"), ("evade", "evade")], ("evade",), id="end of a turn"),
        pytest.param([("end 2", "end-turn"), ("end 1", "end-turn")], ("end 2",), id="two ends"),
        pytest.param([], (), id="none"),
    ],
)
def test_latest_results_pair_only_adjacent_attacks(latest_first: list[tuple[str, str]], shown: tuple[str, ...]) -> None:
    """A second attack is shown with its first attack only if nothing came between. `act.fighting.double`."""
    assert find_latest_results(latest_first) == shown
