"""The rulebook's worked combat as one scenario: the faces printed or worked out, played in three ways."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.scenario import first_fight, harbour
from scratch_core.scenario.counterattack import TEXT as COUNTERATTACK
from scratch_core.scenario.playing import fork
from scratch_core.scenario.reading import read
from scratch_core.scenario.records import Scenario

WAYS: Mapping[str, Mapping[str, int | bool]] = {
    "rules": {},
    "as-printed": {"strength_base": 8, "wrestling_double_legacy": True},
    "base-8": {"strength_base": 8},
}
"""By the rules' text; by the older rules of the printed story; with base 8, else strictly (rulings K01, K06)."""

TEXT = """\
format = "scratch-scenario/1"
title = "The worked combat: two hunters, one pirate"
system = "scratch"

[[characters]]
id = "chokestar"
name = "Chokestar"
side = "hunters"
abilities = { wrestling = 2, stealth = 3, toughness = 3 }
printed = { agility = 13, intelligence = 10, strength = 12, stamina = 1 }

[[characters]]
id = "flipfire"
name = "Flipfire"
side = "hunters"
abilities = { shooting = 2, healing = 1, fighting = 2, acrobatics = 1, toughness = 4 }
printed = { agility = 11, intelligence = 11, strength = 12, stamina = 2 }

[[characters]]
id = "breakhelm"
name = "Breakhelm X-19"
side = "pirate"
abilities = { shooting = 4, fighting = 4, toughness = 6 }
printed = { agility = 10, intelligence = 10, strength = 14, stamina = 3 }

[initiative]
chokestar = [13]
flipfire = [17]
breakhelm = [14]

[[steps]]
actor = "chokestar"
do = "hold"
with = "wrestling"
target = "breakhelm"
faces = [11]
note = "The story opens with a hold from behind. 13 fails against a strength of 14, and succeeds against 13."

[[steps]]
actor = "chokestar"
do = "basic-attack"
with = "wrestling"
target = "breakhelm"
faces = [8]
note = "A second attack in one turn: the story was played by an older rule for wrestlers."

[[steps]]
actor = "flipfire"
do = "shoot"
target = "breakhelm"
faces = [7]

[[steps]]
actor = "breakhelm"
do = "double-attack"
targets = ["chokestar"]
faces = [14, 10]
note = "Two blows with steel fists, if nobody has a grip on him."

[[steps]]
actor = "chokestar"
do = "hold"
with = "wrestling"
target = "breakhelm"
faces = [5]
note = "The story holds this against agility; a hold is held against strength. A 7 fails either way."

[[steps]]
actor = "flipfire"
do = "heal"
target = "chokestar"
faces = [13]

[[steps]]
actor = "flipfire"
do = "end-turn"
note = "So that her turn is over, whether there was anybody to heal or not."

[[steps]]
actor = "breakhelm"
do = "shoot"
target = "flipfire"
faces = [6]

[[steps]]
actor = "chokestar"
do = "hold"
with = "wrestling"
target = "breakhelm"
faces = [13]
note = "This hold succeeds in every reading. By the rules it also does 1 damage."

[[steps]]
actor = "chokestar"
do = "basic-attack"
with = "wrestling"
target = "breakhelm"
faces = [7]

[[steps]]
actor = "flipfire"
do = "shoot"
target = "breakhelm"
faces = [17]

[[steps]]
actor = "breakhelm"
do = "nothing"
note = "Held, he can do nothing; the delay ends with this turn."

[[steps]]
actor = "chokestar"
do = "basic-attack"
with = "wrestling"
target = "breakhelm"
faces = [14]

[[steps]]
actor = "chokestar"
do = "hold"
with = "wrestling"
target = "breakhelm"
faces = [9]

[[steps]]
actor = "flipfire"
do = "shoot"
target = "breakhelm"
faces = [12]
note = "The story gives no total, only that the shot ends the fight. Any face from 8 to 20 does; we took 12."

[expect]
winner = "hunters"
"hp.breakhelm" = 0
"hp.flipfire" = 4
"""

SHIPPED: Mapping[str, str] = {
    "worked-combat": TEXT,
    "first-fight": first_fight.TEXT,
    "harbour": harbour.TEXT,
    "counterattack": COUNTERATTACK,
}
"""The scenarios that come with the engine, by name."""


def worked_combat(way: str = "rules") -> Scenario:
    """The worked combat in one of `WAYS`; raises `KeyError` for another."""
    return fork(read(TEXT), rulings=WAYS[way])
