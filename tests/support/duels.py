"""Duels for tests: sheets and their chances, a fighter, and a file with its replay."""

from scratch_core.calculators.replay import View, view
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.characters import CharacterDraft
from scratch_core.encounter.state import Fighter, build_fighter
from scratch_core.rulebook import RulingSettings

PLAIN = {"fighting": 4, "toughness": 4}
FLIPFIRE = {"shooting": 2, "healing": 1, "fighting": 2, "acrobatics": 1, "toughness": 4}
CHOKESTAR = {"wrestling": 3, "stealth": 3, "toughness": 4}
TRICKY = {"fighting": 4, "quickness": 2, "toughness": 4}

FLYER = {"shooting": 3, "flying": 3, "toughness": 4}

SOLVED_DUELS = {
    "a plain mirror, escape loses": (PLAIN, PLAIN, ("level",), "loss", 0.7948105224, 0.2051894776),
    "a plain mirror, escape draws": (PLAIN, PLAIN, ("level",), "draw", 0.6359722974, None),
    "two builds of ten points, escape loses": (FLIPFIRE, CHOKESTAR, ("level",), "loss", 0.6057734941, 0.3942265059),
    "two builds of ten points, escape draws": (FLIPFIRE, CHOKESTAR, ("level",), "draw", 0.4274917399, None),
    "a trap: a fight that can be prolonged looks like 0.561": (
        TRICKY,
        CHOKESTAR,
        ("level",),
        "draw",
        0.5534412760,
        None,
    ),
    "a plain fighter can't reach a flyer": (FLYER, PLAIN, ("open-air",), "loss", 1.0, 0.0),
}
"""Duels by what they show: both sheets, the place, what an escape is worth, and the chances of both, one going first.

Derivation: plain sweeps over every state of the duel (`tests/oracle/raw_game.py`), about a minute each:
`NAMED_DUELS=1 pytest tests/oracle/test_odds_against_raw_game.py -k named`.
"""

CAST_DUELS = {
    ("duellist", "bruiser"): (0.671925878, 0.246861927),
    ("duellist", "medic"): (0.848412954, 0.466332041),
    ("bruiser", "sharpshooter"): (0.81761461, 0.336170047),
}
"""The chance of the first of a pair of the cast, beginning and not, an escape being lost; derived in the same way."""


def build_duelist(
    name: str,
    levels: dict[str, int],
    here: tuple[str, ...] = ("level",),
    hp: int | None = None,
    rulings: RulingSettings = RulingSettings(),  # noqa: B008 -- frozen
) -> Fighter:
    """Build a fighter with these levels."""
    text = "\n".join([name, *(f"{level} {ability}" for ability, level in levels.items())])
    return build_fighter(CharacterDraft.from_stat_block(text).build_character(), here=here, hp=hp, rulings=rulings)


DUEL_FILE = """\
format = "scratch-scenario/1"
system = "scratch"
title = "Two brawlers"

[[characters]]
id = "ada"
abilities = { fighting = 4, toughness = 4 }

[[characters]]
id = "bo"
abilities = { fighting = 4, toughness = 4 }

[initiative]
ada = [20]
bo = [1]

[[steps]]
actor = "ada"
do = "basic-attack"
with = "fighting"
target = "bo"
faces = [20]

[[steps]]
actor = "ada"
do = "end-turn"
"""


def allow_steps(most: int) -> ShouldContinue:
    """Allow so many pieces of work."""
    left = iter([True] * most)
    return lambda: next(left, False)


def view_replay(scenario: str, should_continue: ShouldContinue = can_always_continue, **fields: str) -> View:
    """Return the view of a replay with chances."""
    return view(parse_query(format_query({"scenario": scenario, "odds": "1", **fields})), None, should_continue)
