"""The characters of the rulebook's examples, as stat blocks with the figures printed there; the words are ours.

Every strength was printed with base 8, and one intelligence forgot command: the audit shows it. Rule: `char.stat-line`.
"""

from __future__ import annotations

SAMPLES: dict[str, str] = {
    "Zimzambamalam": """\
Zimzambamalam (10 agility, 10 intelligence, 10 strength, 1 stamina): conjurer of one trick, and it is fire
8 shooting: sparks from the sleeves
2 toughness""",
    "The Boss": """\
The Boss (10 agility, 11 intelligence, 11 strength, 1 stamina): runs the docks and says so
2 shooting: submachine gun
1 detection: smells a lie
4 command: two thugs at the door
3 toughness""",
    "Thug": """\
Thug (10 agility, 10 intelligence, 10 strength, 1 stamina): paid by the evening
minion of The Boss
2 toughness""",
    "Breakhelm X-19": """\
Breakhelm X-19 (10 agility, 10 intelligence, 14 strength, 3 stamina): pirate, half of it machine
4 shooting: gun in the forearm
4 fighting: steel fists
6 toughness: plated hull""",
    "Chokestar": """\
Chokestar (13 agility, 10 intelligence, 12 strength, 1 stamina): hunter who comes from behind
2 wrestling: stun gun and a long grip
3 stealth: soft boots
3 toughness""",
    "Flipfire": """\
Flipfire (11 agility, 11 intelligence, 12 strength, 2 stamina): patches up, then pays back
2 shooting: short rifle
1 healing: a bag of field dressings
2 fighting: elbows first
1 acrobatics: never stands still
4 toughness: padded coat""",
    "Chokestar, first build": """\
Chokestar: the same hunter, as the text first spends its ten points
2 piloting
2 toughness
3 wrestling
3 stalking""",
}
"""By name, in the order in which the rulebook tells of them; the last is the other Chokestar (ruling K04)."""
