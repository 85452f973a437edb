"""A first fight for somebody who has never played: two friends on a ferry, a robber, three rounds, no illegal step."""

from __future__ import annotations

TEXT = """\
format = "scratch-scenario/1"
title = "A first fight: the robber at the ferry"
system = "scratch"

[[characters]]
id = "wren"
name = "Wren"
side = "travellers"
abilities = { shooting = 3, healing = 2, quickness = 1, toughness = 4 }
printed = { agility = 11, intelligence = 12, strength = 11, stamina = 2 }
here = ["level", "cover"]

[[characters]]
id = "tolk"
name = "Tolk"
side = "travellers"
abilities = { fighting = 3, wrestling = 2, craftsmanship = 1, toughness = 4 }

[[characters]]
id = "gorm"
name = "Gorm"
side = "robber"
abilities = { fighting = 3, quickness = 1, toughness = 5 }

[initiative]
gorm = [15]
tolk = [12]
wren = [9]

[[steps]]
actor = "gorm"
do = "double-attack"
targets = ["tolk"]
faces = [14, 8]
note = "Gorm has the highest initiative. He is a fighter and unhurt, so one attack is two blows, and both strike Tolk."
expect = { total = [17, 11], success = [true, true], "hp.tolk" = 2, "condition.tolk" = "injured" }

[[steps]]
actor = "tolk"
do = "hold"
with = "wrestling"
target = "gorm"
faces = [11]
note = "Tolk throws his arms around him. Unhurt, he would squeeze hard enough to do damage as well."
expect = { total = [13], against = [12], success = [true], "delayed.gorm" = true, "hp.gorm" = 5 }

[[steps]]
actor = "wren"
do = "take-cover"
note = "Wren ducks behind the mast: harder to hit, and harder to aim from."
expect = { "agility.wren" = 13 }

[[steps]]
actor = "wren"
do = "shoot"
target = "gorm"
faces = [10]
expect = { total = [11], against = [11], success = [true], "hp.gorm" = 3, round = 1 }

[[steps]]
actor = "gorm"
do = "nothing"
note = "Tolk holds him, and this turn is lost. At its end he is free."
expect = { "delayed.gorm" = true, round = 2 }

[[steps]]
actor = "tolk"
do = "basic-attack"
with = "fighting"
target = "gorm"
faces = [5]
note = "Tolk is injured, so his fighting gives him one blow and no second."
expect = { total = [8], success = [false], "delayed.gorm" = false, "cannot.tolk" = ["double-attack"] }

[[steps]]
actor = "wren"
do = "leave-cover"
note = "From cover the bandage would be harder too."

[[steps]]
actor = "wren"
do = "heal"
target = "tolk"
faces = [8]
expect = { total = [10], against = [10], success = [true], "hp.tolk" = 3, "condition.tolk" = "healthy" }

[[steps]]
actor = "gorm"
do = "double-attack"
targets = ["tolk"]
faces = [6, 4]
note = "Two blows again, and both go wide."
expect = { total = [9, 7], success = [false, false], "hp.tolk" = 3, round = 3 }

[[steps]]
actor = "tolk"
do = "double-attack"
targets = ["gorm"]
faces = [12, 7]
note = "Healthy again, Tolk strikes twice himself."
expect = { total = [15, 10], success = [true, false], "hp.gorm" = 2, "condition.gorm" = "injured" }

[[steps]]
actor = "wren"
do = "shoot"
target = "gorm"
faces = [20]
note = "A 20 on the die always hits, and a shot then does much more."
expect = { automatic = [true], "hp.gorm" = 0, "condition.gorm" = "incapacitated" }

[expect]
winner = "travellers"
"""
