"""Opponents for a game master, from a rat to a captain with a crew, in the order of the points that they are worth.

None of them keeps an average person's limits because it must; each says what it spends. Rules: `create.setting`,
`tough.benchmarks`.
"""

from __future__ import annotations

from scratch_core.cast.records import Claim, Member


def _opponent(own_id: str, cp: int, max_level: int, block: str, minions: tuple[str, ...] = ()) -> Member:
    return Member(own_id, "opponent", Claim(cp, max_level), block, minions)


OPPONENTS: tuple[Member, ...] = (
    _opponent(
        "rat",
        4,
        2,
        """\
Rat: small, fast, and never alone
1 fighting: teeth
2 quickness: between the legs
1 toughness""",
    ),
    _opponent(
        "thief",
        7,
        3,
        """\
Thief: wants the purse, and no trouble
1 fighting: a hidden blade
2 stealth: gone in the crowd
2 quickness: knows every alley
2 toughness""",
    ),
    _opponent(
        "guard",
        7,
        3,
        """\
Guard: paid to stand here, and to shout
2 fighting: spear
1 shooting: a thrown spear
1 detection: has seen it all
3 toughness: an iron cap""",
    ),
    _opponent(
        "hawk",
        8,
        4,
        """\
Hawk: a shriek, claws, and it is above again
1 fighting: claws
4 flying: wings
2 detection: sees a mouse move
1 toughness""",
    ),
    _opponent(
        "guard-dog",
        9,
        3,
        """\
Guard dog: bites, and does not let go
2 fighting: bite
1 wrestling: hangs on
2 quickness: four legs
2 detection: nose
2 toughness""",
    ),
    _opponent(
        "bandit",
        9,
        4,
        """\
Bandit: a voice from the bushes, and an arrow on the string
3 shooting: bow
2 stealth: behind the hedge
1 fighting: knife
3 toughness""",
    ),
    _opponent(
        "bomb-thrower",
        10,
        4,
        """\
Bomb thrower: laughs, and lights another one
4 blasting: fuses and powder
1 detection: watches the door
2 quickness: throws and runs
3 toughness""",
    ),
    _opponent(
        "assassin",
        13,
        5,
        """\
Assassin: the last one you don't see coming
5 stealth: black on black
4 knockout: a needle of venom
1 acrobatics: over the roofs
3 toughness""",
    ),
    _opponent(
        "crocodile",
        14,
        5,
        """\
Crocodile: a log that opens its mouth
4 wrestling: jaws
3 swimming: a tail like an oar
2 stealth: only the eyes above the water
5 toughness: plated hide""",
    ),
    _opponent(
        "storm-caller",
        15,
        5,
        """\
Storm caller: the weather is personal
5 shooting: lightning
3 blasting: a clap of thunder
3 detection: feels the air change
4 toughness: a charmed robe""",
    ),
    _opponent(
        "bear",
        16,
        7,
        """\
Bear: you are between it and its cubs
4 wrestling: a hug
3 fighting: paws
2 detection: nose
7 toughness: fur and fat""",
    ),
    _opponent(
        "captain",
        18,
        5,
        """\
Captain: this ship, this crew, this one last warning
4 command: every word an order
4 fighting: cutlass
2 shooting: a pair of pistols
3 detection: reads the wind and the faces
5 toughness: a coat with brass buttons""",
        minions=("sailor", "sailor"),
    ),
    _opponent(
        "ogre",
        18,
        9,
        """\
Ogre: three of you high, and hungry
6 knockout: a tree trunk
3 wrestling: one hand is enough
9 toughness: sheer size""",
    ),
    _opponent(
        "elephant",
        20,
        10,
        """\
Elephant: only frightened, and that is the worst of it
4 knockout: tusks and feet
4 wrestling: trunk
2 detection: ears
10 toughness: as big as a hut""",
    ),
    Member(
        "sailor",
        "minion",
        Claim(cp=2, max_level=5),
        """\
Sailor: follows the captain, even into this
minion of Captain
1 fighting: belaying pin
1 toughness""",
    ),
)
