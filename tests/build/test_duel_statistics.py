"""The statistics of duels: a recomputed sample, and tables whose links open the calculator."""

import html
import re

import pytest

from build_scripts.data import duel_statistics
from scratch_core.calculators.odds import view
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import get_member


def test_saved_statistics_equal_a_recomputed_sample() -> None:
    """Compute one pair, level and ruling again, to six decimals."""
    saved = duel_statistics.load_statistics()
    medic, engineer = (get_member(name).build_character() for name in ("medic", "engineer"))
    pair = next(key for key in saved["duels"] if set(key.split()) == {"medic", "engineer"})
    one, other = (medic, engineer) if pair.startswith("medic") else (engineer, medic)
    now = duel_statistics.compute_win_chances_and_first_turn_chance(one, other)
    assert saved["duels"][pair] == pytest.approx(now, abs=1e-6)
    assert saved["levels"]["detection"] == pytest.approx(
        duel_statistics.compute_raised_level_chances("detection"), abs=1e-6
    )
    reading = duel_statistics.compute_ruling_chances("strength_base", 8, duel_statistics.RULING_PAIRS[0])
    assert saved["rulings"]["strength_base=8 wrestler duellist"] == pytest.approx(reading, abs=1e-6)


def test_saved_statistics_have_every_pair_ability_and_ruling() -> None:
    """Characters who fight alone are paired with each other once."""
    saved = duel_statistics.load_statistics()
    count = len(duel_statistics.list_independent_archetypes())
    assert len(saved["duels"]) == count * (count - 1) // 2
    assert len(saved["levels"]) == 15
    assert len(saved["rulings"]) == len(duel_statistics.list_non_default_settings()) * len(duel_statistics.RULING_PAIRS)


@pytest.mark.parametrize("name", duel_statistics.STATISTICS_TABLES)
def test_first_link_of_each_statistics_table_opens_a_duel(name: str) -> None:
    """The calculator reads both characters without problems."""
    links = re.findall(r'href="\.\./odds/\?([^"]+)"', duel_statistics.STATISTICS_TABLES[name]())
    assert links
    query = parse_query(html.unescape(links[0]))
    stopped = view(query, None, lambda: False)
    assert stopped.problems == ()
    assert query.text("first") or query.text("first_sheet")
