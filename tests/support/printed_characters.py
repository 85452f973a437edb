"""The printed stat blocks of the rulebook's example characters, by name. Rule: char.stat-line."""

from scratch_core.cast import CAST

FIRST_BUILD = """\
Chokestar: the same hunter, as the text first spends its ten points
2 piloting
2 toughness
3 wrestling
3 stalking"""
"""The other Chokestar (ruling K04)."""

PRINTED_BLOCKS = {each.name: each.block for each in CAST if each.kind == "printed"} | {
    "Chokestar, first build": FIRST_BUILD
}
