"""A short fight on a board, told step by step: two smugglers, two of the watch, and the way out."""

from __future__ import annotations

TEXT = """\
format = "scratch-scenario/1"
title = "The harbour: two smugglers and the watch"
system = "scratch"

[board]
rows = [
  "..........",
  "..o.....^.",
  "..o.....^.",
  ".....#....",
  "~~...#....",
  "~~~......E",
  "www.......",
]
cover = [[6, 0], [7, 6]]

[[characters]]
id = "mara"
name = "Mara"
side = "smugglers"
at = [3, 2]
abilities = { quickness = 2, stealth = 1, toughness = 4 }

[[characters]]
id = "tam"
name = "Tam"
side = "smugglers"
at = [1, 5]
abilities = { wrestling = 2, swimming = 2, toughness = 4 }

[[characters]]
id = "odo"
name = "Odo"
side = "watch"
at = [4, 3]
abilities = { fighting = 2, toughness = 4 }

[[characters]]
id = "pell"
name = "Pell"
side = "watch"
at = [8, 0]
abilities = { blasting = 2, shooting = 1, toughness = 3 }

[initiative]
mara = [16]
odo = [14]
tam = [11]
pell = [6]

[[steps]]
actor = "mara"
do = "move"
path = [[4, 1], [5, 1], [6, 2]]
note = "Mara makes for the way out in the east. Odo stands beside her, and more than one space exposes her to him."
expect = { "at.mara" = [3, 2] }

[[steps]]
actor = "odo"
do = "interrupt"
target = "mara"
faces = [11]
note = "He bars her way. She loses no hit point, but her turn is over, and her next one brings no escape."
expect = { success = [true], "at.mara" = [3, 2], "hp.mara" = 4 }

[[steps]]
actor = "odo"
do = "basic-attack"
target = "mara"
faces = [9]
note = "It has cost him nothing: he still has his own turn. But he misses."
expect = { success = [false], "hp.mara" = 4 }

[[steps]]
actor = "tam"
do = "move"
path = [[2, 4], [3, 3]]
note = "Out of the shallows he comes, and to Odo's side. Arriving exposes too."

[[steps]]
actor = "odo"
do = "interrupt"
target = "tam"
faces = [4]
note = "It fails, and Tam has arrived."
expect = { success = [false], "at.tam" = [3, 3] }

[[steps]]
actor = "tam"
do = "hold"
target = "odo"
faces = [13]
note = "A wrestler's hold hurts. Odo is delayed, and can't leave his space until his next turn is over."
expect = { success = [true], "hp.odo" = 3, "delayed.odo" = true, "immobilized.odo" = true, "at.odo" = [4, 3] }

[[steps]]
actor = "tam"
do = "reposition"
target = "odo"
to = [4, 4]
note = "Whom you have just held you may put one space further: away from Mara, against the wall."
expect = { "at.odo" = [4, 4], "cannot.tam" = ["reposition"] }

[[steps]]
actor = "pell"
do = "move"
path = [[7, 0], [6, 0]]
note = "Behind the crates. Nobody is near, so nobody may interrupt."

[[steps]]
actor = "pell"
do = "take-cover"
expect = { "in_cover.pell" = true }

[[steps]]
actor = "pell"
do = "blast"
at = [3, 2]
faces = [12, 7]
note = "Aimed at Mara, it catches everybody around her, Tam among them. Odo stands one space outside."
expect = { success = [true, false], "hp.mara" = 3, "hp.tam" = 4, "hp.odo" = 3 }

[[steps]]
actor = "mara"
do = "evade"
note = "Nobody beside her is able to interrupt that. Evading, she runs."
expect = { "evading.mara" = true }

[[steps]]
actor = "mara"
do = "move"
path = [[4, 2], [5, 2], [6, 3], [7, 4], [8, 5]]
note = "Four spaces, and one more on level ground for her quickness."
expect = { "at.mara" = [8, 5] }

[[steps]]
actor = "odo"
do = "nothing"

[[steps]]
actor = "tam"
do = "basic-attack"
target = "odo"
faces = [10]

[[steps]]
actor = "pell"
do = "shoot"
target = "mara"
faces = [11]
note = "The evade and his own cover are between them."

[[steps]]
actor = "mara"
do = "move"
path = [[9, 5]]
note = "A single space exposes nobody."

[[steps]]
actor = "mara"
do = "escape"
note = "On an exit, in the turn after an evade, and no longer barred: she is out."
expect = { "escaped.mara" = true, "at.mara" = [] }

[expect]
"hp.mara" = 3
"hp.tam" = 4
"hp.odo" = 2
round = 3
"""
"""The scenario file."""
