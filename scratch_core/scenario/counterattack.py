"""The counterattack of three fighters as a scenario: one lies in wait, another falls for it, and the order stays.

Rules: `mano.counter.illustration`, `mano.counter.timing`, `mano.counter.rethink`, `mano.counter.order`.
"""

TEXT = """\
format = "scratch-scenario/1"
title = "A counterattack, step by step"
system = "mano"
first = "ada"

[[characters]]
id = "ada"
name = "Ada"
side = "us"

[[characters]]
id = "bo"
name = "Bo"
side = "us"

[[characters]]
id = "cato"
name = "Cato"
side = "them"

[[steps]]
actor = "ada"
do = "prepare-counter"
note = "Her move and her action are held back."
expect = { prepared.ada = true }

[[steps]]
actor = "bo"
do = "active"
target = "cato"
note = "He misses. Cato isn't prepared, so nothing comes in between."
expect = { active = "cato" }

[[steps]]
actor = "cato"
do = "active"
target = "ada"
move = true
note = "Cato has moved; the attack itself waits."
expect = { waiting = "ada", moved.cato = true }

[[steps]]
actor = "ada"
do = "counter"
target = "cato"
note = "It is still Cato's turn."
expect = { active = "cato", prepared.ada = false }

[[steps]]
actor = "cato"
do = "active"
target = "ada"
note = "Cato could do something else, but not move again."
expect = { active = "ada", round = 2 }

[[steps]]
actor = "ada"
do = "active"
target = "cato"
note = "Her ordinary turn, at its usual place."

[expect]
order = ["ada", "bo", "cato"]
active = "bo"
"""
