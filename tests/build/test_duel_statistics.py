"""What duels teach: a sample worked out again, and tables whose links open the calculator."""

import html
import re

import pytest

from build_scripts.data import duel_statistics
from scratch_core.calculators.odds import view
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import get_member


def test_a_sample_of_the_figures_is_worked_out_again() -> None:
    """A pair, a level and a reading are what they were when they were written down, to six decimals."""
    kept = duel_statistics.load_statistics()
    medic, engineer = (get_member(name).build_character() for name in ("medic", "engineer"))
    pair = next(key for key in kept["duels"] if set(key.split()) == {"medic", "engineer"})
    one, other = (medic, engineer) if pair.startswith("medic") else (engineer, medic)
    now = duel_statistics.compute_chances(one, other)
    assert kept["duels"][pair] == pytest.approx(now, abs=1e-6)
    assert kept["levels"]["detection"] == pytest.approx(duel_statistics.compute_level_chances("detection"), abs=1e-6)
    reading = duel_statistics.compute_ruling_chances("strength_base", 8, duel_statistics.RULING_PAIRS[0])
    assert kept["rulings"]["strength_base=8 wrestler duellist"] == pytest.approx(reading, abs=1e-6)


def test_everybody_and_every_level_and_reading_is_there() -> None:
    """Every character who fights alone is there, every ability and every option of a ruling."""
    kept = duel_statistics.load_statistics()
    count = len(duel_statistics.list_independent_archetypes())
    assert len(kept["duels"]) == count * (count - 1) // 2
    assert len(kept["levels"]) == 15
    assert len(kept["rulings"]) == len(duel_statistics.list_other_settings()) * len(duel_statistics.RULING_PAIRS)


@pytest.mark.parametrize("name", duel_statistics.STATISTICS_TABLES)
def test_every_row_opens_in_the_calculator(name: str) -> None:
    """A link of each table leads to two characters that the calculator can read."""
    links = re.findall(r'href="\.\./odds/\?([^"]+)"', duel_statistics.STATISTICS_TABLES[name]())
    assert links
    query = parse_query(html.unescape(links[0]))
    stopped = view(query, None, lambda: False)
    assert stopped.problems == ()
    assert query.text("first") or query.text("first_sheet")
