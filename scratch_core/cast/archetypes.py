"""Twelve ways to spend ten points with no ability above 4: somebody to play at once, or to start building from.

Rule: `create.average`. One leader brings two minions along. Rules: `command.minions`, `command.cp-limit`.
"""

from __future__ import annotations

from scratch_core.cast.records import Claim, Kind, Member

_TEN = Claim(cp=10, max_level=4)


def _archetype(own_id: str, block: str, minions: tuple[str, ...] = (), kind: Kind = "archetype") -> Member:
    return Member(own_id, kind, _TEN, block, minions)


ARCHETYPES: tuple[Member, ...] = (
    _archetype(
        "sharpshooter",
        """\
Sharpshooter: sees the enemy first, and needs one good place to stand
4 shooting: a long bow
2 detection: eyes of a hawk
1 stealth: grey cloak
3 toughness""",
    ),
    _archetype(
        "duellist",
        """\
Duellist: two quick blades and a lot of manners
4 fighting: rapier and dagger
2 acrobatics: never where the blow lands
4 toughness: leather coat""",
    ),
    _archetype(
        "wrestler",
        """\
Wrestler: once there is a grip, there is no more fight
4 wrestling: locks and throws
2 quickness: light feet for a heavy body
4 toughness: a broad back""",
    ),
    _archetype(
        "shadow",
        """\
Shadow: one silent step, one blow, gone again
4 stealth: soft soles
3 knockout: a weighted club
3 toughness""",
    ),
    _archetype(
        "bruiser",
        """\
Bruiser: slow to anger, and then the door comes off
4 knockout: a sledgehammer
2 fighting: fists
4 toughness: built like a wall""",
    ),
    _archetype(
        "bombardier",
        """\
Bombardier: why hit one when three stand together
4 blasting: a satchel of grenades
2 quickness: knows when to run
4 toughness: padded suit""",
    ),
    _archetype(
        "medic",
        """\
Medic: nobody of theirs stays down for long
4 healing: bandages and a steady hand
2 shooting: a pistol, for emergencies
1 detection: keeps an eye on everybody
3 toughness""",
    ),
    _archetype(
        "engineer",
        """\
Engineer: everybody's gear works a little better
3 craftsmanship: a belt full of tools
3 blasting: a humming box with a red button
1 detection: hears a loose screw
3 toughness: work clothes""",
    ),
    _archetype(
        "leader",
        """\
Leader: speaks, and two others act
4 command: a voice that carries
2 shooting: an old service pistol
1 detection: reads a crowd
3 toughness""",
        minions=("recruit", "recruit"),
    ),
    _archetype(
        "skyrider",
        """\
Skyrider: strikes from above, where no sword reaches
3 flying: a pair of canvas wings
3 shooting: a light crossbow
1 detection: the view from up there
3 toughness: flying jacket""",
    ),
    _archetype(
        "diver",
        """\
Diver: drags the fight into the water, and wins it there
3 swimming: fins and long lungs
2 wrestling: a grip under water
1 stealth: hardly a ripple
4 toughness""",
    ),
    _archetype(
        "all-rounder",
        """\
All-rounder: a bit of everything, and ready for most of it
2 fighting: a short sword
2 shooting: throwing knives
1 healing: a flask and a clean cloth
1 detection: sleeps lightly
4 toughness: mail shirt""",
    ),
    Member(
        "recruit",
        "minion",
        Claim(cp=2, max_level=4),
        """\
Recruit: does as told, mostly
minion of Leader
1 shooting: a borrowed rifle
1 toughness""",
    ),
)
