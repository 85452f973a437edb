"""The cards of Scratch basic and of the board: the quick reference as data, and what the engine does as numbers.

A card is the only place where a fact about its action stands; everything else reads it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scratch_core.rulebook.action_spec import MOVEMENT, ONE, ActionCard, Targets

_MOVE_USE: Final = dict.fromkeys(MOVEMENT, "move.use")

BASIC_ATTACK: Final = ActionCard(
    do="basic-attack",
    title="Basic attack",
    verb="attacks",
    kind="regular",
    rule="act.basic-attack",
    range="close",
    attack="normal",
    against=("agility",),
    adds=("fighting", "wrestling", "knockout"),
    adds_rules={"knockout": "act.knockout.basic"},
    targets=ONE,
    damage=1,
    from_cover=False,
)

DOUBLE_ATTACK: Final = ActionCard(
    do="double-attack",
    title="Two basic attacks",
    verb="makes two basic attacks",
    kind="regular",
    rule="act.fighting.double",
    range="close",
    attack="normal",
    against=("agility",),
    adds=("fighting",),
    adds_rules={"fighting": "act.fighting.double"},
    required=("fighting",),
    targets=Targets(1, 2),
    damage=1,
    from_cover=False,
    opens="second-blow",
    told="Two rolls, each {hit}; the second target may be chosen after the first roll.",
    when="Only while healthy, and not from cover.",
)

SECOND_BLOW: Final = replace(
    DOUBLE_ATTACK,
    do="second-blow",
    title="Second attack",
    verb="makes a second attack on",
    targets=ONE,
    opens="",
    told="{hit}. Any other action forgoes it.",
    when="Right after the first of two attacks.",
)

THROW: Final = ActionCard(
    do="throw",
    title="Throw object",
    verb="throws something at",
    kind="regular",
    rule="act.throw-object",
    range="long",
    attack="normal",
    against=("agility",),
    targets=ONE,
    damage=1,
    exposes="far",
    when="Needs something dangerous to throw.",
)

HOLD: Final = ActionCard(
    do="hold",
    title="Hold",
    verb="holds",
    kind="regular",
    rule="act.hold",
    range="close",
    attack="force",
    against=("strength",),
    adds=("wrestling", "detection", *MOVEMENT),
    adds_rules={"detection": "detection.hold", **_MOVE_USE},
    targets=ONE,
    damage=1,
    inflicts="delay",
    cause="hold",
    cause_rule="act.hold",
    from_cover=False,
    told=(
        "Delays the target, ends their evade. "
        "Wrestling, if healthy and not delayed: {damage} damage too, {damage_on_20} on a 20."
    ),
)

COUNTER_HOLD: Final = ActionCard(
    do="counter-hold",
    title="Counter-hold",
    verb="counter-holds",
    kind="regular",
    rule="act.wrestling.counter-hold",
    range="close",
    attack="force",
    against=("strength",),
    adds=("wrestling",),
    adds_rules={"wrestling": "act.wrestling.counter-hold"},
    required=("wrestling",),
    targets=ONE,
    inflicts="delay",
    cause="hold",
    cause_rule="act.hold",
    from_cover=False,
    while_delayed=True,
    told="Delays the target and ends their evade. No damage.",
    when="Only while delayed and healthy, and only against a character who has held you since your last turn.",
)

DISTRACT: Final = ActionCard(
    do="distract",
    title="Distract",
    verb="distracts",
    kind="regular, once per encounter",
    rule="act.distract",
    range="close",
    attack="psychic",
    against=("intelligence",),
    adds=MOVEMENT,
    adds_rules=_MOVE_USE,
    targets=ONE,
    inflicts="delay",
    cause="distract",
    cause_rule="act.distract",
    from_cover=False,
    told="Delays the target but doesn't end their evade.",
)

EVADE: Final = ActionCard(
    do="evade",
    title="Evade",
    kind="regular",
    rule="act.evade",
    adds=MOVEMENT,
    from_cover=False,
    exposes="always",
    told="Adds the level to agility and strength until your next turn or a hold.",
    when="{facts} Without one, you still evade, but add nothing.",
)

ESCAPE: Final = ActionCard(
    do="escape",
    title="Escape",
    kind="regular",
    rule="act.escape",
    told="You leave the encounter: you can't act or be targeted.",
    when="Only if you evaded on your last turn.",
)

ENGAGE: Final = ActionCard(
    do="engage",
    title="Engage",
    kind="bonus",
    rule="act.engage",
    gain=2,
    cost=2,
    from_cover=False,
    leads_to_attack=True,
    told="+{gain} on your close attacks this turn, −{cost} agility until your next turn.",
    when="Before a close attack, and not in cover.",
)

TAKE_COVER: Final = ActionCard(
    do="take-cover",
    title="Take cover",
    kind="bonus",
    rule="act.cover",
    gain=2,
    cost=2,
    told="+{gain} agility and −{cost} on all your rolls, for as long as you stay.",
    when="Before any other action of the turn, and only with something to hide behind.",
)

LEAVE_COVER: Final = ActionCard(
    do="leave-cover",
    title="Leave cover",
    kind="free",
    rule="act.cover.stay",
    while_delayed=True,
    told="You lose cover's bonus and penalty.",
    when="Only in cover, at any time.",
)

SHOOT: Final = ActionCard(
    do="shoot",
    title="Shooting",
    verb="shoots",
    kind="regular",
    rule="act.shooting",
    range="long",
    attack="normal",
    against=("agility",),
    adds=("shooting",),
    required=("shooting",),
    targets=ONE,
    damage=2,
    on_20=5,
    delays_self="while injured",
    cause="shooting",
    cause_rule="act.shooting.injured-delay",
    exposes="far",
)

BLAST: Final = ActionCard(
    do="blast",
    title="Blasting",
    verb="blasts",
    kind="regular",
    rule="act.blasting",
    range="long",
    attack="normal",
    against=("agility",),
    adds=("blasting",),
    required=("blasting",),
    targets=Targets(1, 3, distinct=True, enemies=True, spaces=True),
    damage=1,
    delays_self="while injured",
    cause="blasting",
    cause_rule="act.blasting.injured-delay",
    exposes="far",
    told="Up to {most} enemies, a roll for each: {hit}.",
    told_on_map="Everyone within 1 space of the target, a roll for each: {hit}.",
)

KNOCKOUT: Final = ActionCard(
    do="knockout",
    title="Knockout",
    verb="tries to knock out",
    kind="regular",
    rule="act.knockout",
    range="close",
    attack="normal",
    against=("agility",),
    adds=("knockout",),
    required=("knockout",),
    targets=ONE,
    damage=4,
    damage_injured=2,
    delays_self="always",
    cause="knockout",
    cause_rule="act.knockout.self-delay",
    from_cover=False,
)

SURPRISE: Final = ActionCard(
    do="surprise",
    title="Surprise",
    verb="surprises",
    kind="regular, once per encounter",
    rule="act.surprise",
    range="long",
    attack="psychic",
    against=("intelligence",),
    adds=("stealth", "detection"),
    required=("stealth", "detection"),
    targets=ONE,
    inflicts="panic",
    from_cover=False,
    exposes="far",
    told="The target is panicked.",
)

INTIMIDATE: Final = ActionCard(
    do="intimidate",
    title="Intimidate",
    verb="intimidates",
    kind="regular, once per encounter",
    rule="act.intimidate",
    range="long",
    attack="psychic",
    against=("intelligence", "strength"),
    adds=("command",),
    adds_rules={"command": "act.intimidate"},
    required=("command",),
    targets=ONE,
    inflicts="panic",
    from_cover=False,
    exposes="far",
    told="The target is panicked.",
)

HEAL: Final = ActionCard(
    do="heal",
    title="Heal",
    verb="heals",
    kind="regular",
    rule="act.heal.injured",
    family="act.heal",
    difficulty=10,
    adds=("healing",),
    required=("healing",),
    targets=ONE,
    told="An injured character's hit points rise to half their maximum, rounded down, plus 1.",
    when="Not yourself, and no minion during an encounter.",
)

REVIVE: Final = ActionCard(
    do="revive",
    title="Revive",
    verb="revives",
    kind="regular",
    rule="act.heal.revive",
    family="act.heal",
    difficulty=10,
    adds=("healing",),
    required=("healing",),
    targets=ONE,
    hit_points=1,
    told="An incapacitated character gets {hit_points} hit point.",
    when="Not yourself, and no minion during an encounter.",
)

SMALL_ACT: Final = ActionCard(
    do="bonus",
    title="Other bonus action",
    kind="bonus",
    rule="act.bonus.examples",
    told="Open a door, push a button, hand something over.",
)

NOTHING: Final = ActionCard(
    do="nothing",
    title="Nothing",
    kind="free",
    rule="turn.do-nothing",
    while_delayed=True,
    told="You take no action this turn.",
    when="Not while panicked and able to evade.",
)

ACTIONS: Final = (
    BASIC_ATTACK,
    DOUBLE_ATTACK,
    THROW,
    HOLD,
    COUNTER_HOLD,
    DISTRACT,
    EVADE,
    ESCAPE,
    ENGAGE,
    TAKE_COVER,
    LEAVE_COVER,
    SHOOT,
    BLAST,
    KNOCKOUT,
    SURPRISE,
    INTIMIDATE,
    HEAL,
    REVIVE,
    SMALL_ACT,
    NOTHING,
)
"""What someone may do on its turn, as the quick reference orders it."""

MOVE: Final = ActionCard(
    do="move",
    title="Move",
    kind="free",
    rule="grid.move.base",
    adds=MOVEMENT,
    spaces=4,
    spaces_injured=2,
    exposes="path",
    told="{spaces} spaces while healthy, {spaces_injured} while injured, more with a movement ability in its terrain.",
    when="Once a turn, before or after the action; not while immobilized.",
)

REPOSITION: Final = ActionCard(
    do="reposition",
    title="Reposition",
    kind="free",
    rule="grid.hold.reposition",
    range="adjacent",
    targets=ONE,
    told="Swap places with the target, or push them 1 space in any direction.",
    when="After a successful hold, until your turn ends.",
)

INTERRUPT: Final = ActionCard(
    do="interrupt",
    title="Interrupting attack",
    verb="interrupts",
    kind="reaction",
    rule="grid.interrupt.what",
    range="adjacent",
    attack="normal",
    against=("agility",),
    adds=("fighting", "wrestling", "knockout"),
    adds_rules=dict.fromkeys(("fighting", "wrestling", "knockout"), "grid.interrupt.roll"),
    targets=ONE,
    from_cover=False,
    told=(
        "No damage. The target's action is stopped, their turn ends, they lose an evade, "
        "and they can't escape on their next turn."
    ),
    when="When an opponent exposes themselves to you, once on their turn; only while healthy and able to act.",
)

GRID_ACTIONS: Final = (MOVE, REPOSITION, INTERRUPT)
"""What there is on a board alone. Rule: `grid.scope`."""

END_TURN: Final = ActionCard(
    do="end-turn",
    title="End of a turn",
    button="End turn",
    kind="free",
    rule="turn.member-turn",
    while_delayed=True,
    told="Your turn is over.",
)

SETTLE: Final = ActionCard(
    do="settle",
    title="End of the interrupts",
    button="Continue",
    kind="free",
    rule="grid.interrupt.what",
    told="No one interrupts any more: the waiting action goes on.",
)

CHECK: Final = ActionCard(
    do="check",
    title="Check",
    button="Roll",
    kind="free",
    rule="roll.d20",
    told="A roll with or without an ability against a difficulty.",
)

CRAFT: Final = ActionCard(
    do="craft",
    title="Crafted bonus",
    button="Craft",
    kind="free",
    rule="craft.bonus",
    difficulty=10,
    adds=("craftsmanship",),
    required=("craftsmanship",),
    targets=ONE,
    told="Gives a companion +1 on an ability they have, or takes the bonus back.",
)

END_ENCOUNTER: Final = ActionCard(
    do="end-encounter",
    title="End of the encounter",
    button="End fight",
    kind="free",
    rule="turn.encounter",
    told="The encounter is over.",
)

REFEREE_ACTIONS: Final = (CHECK, CRAFT, END_ENCOUNTER)
"""What happens outside anyone's turn."""

CARDS: Final = {card.do: card for card in (*ACTIONS, SECOND_BLOW, END_TURN, *REFEREE_ACTIONS, *GRID_ACTIONS, SETTLE)}
"""Every card by the name of its action."""
