"""The specifications of all actions of Scratch basic and of the map, in the order of the quick reference.

Each fact about an action is stated only here; pages and the engine read it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scratch_core.rulebook.action_spec import MOVEMENT, ONE, ActionSpec, Targets

_MOVE_USE: Final = dict.fromkeys(MOVEMENT, "move.use")

BASIC_ATTACK: Final = ActionSpec(
    do="basic-attack",
    title="Basic attack",
    beginner_text="Attack once. The percentage at the right is the chance to hit.",
    verb="attacks",
    kind="regular",
    rule="act.basic-attack",
    range="close",
    attack="normal",
    against=("agility",),
    usable_abilities=("fighting", "wrestling", "knockout"),
    ability_rules={"knockout": "act.knockout.basic"},
    targets=ONE,
    damage=1,
    is_allowed_in_cover=False,
)

DOUBLE_ATTACK: Final = ActionSpec(
    do="double-attack",
    title="Two basic attacks",
    beginner_text="Attack twice with one action: the page rolls a d20 for each attack.",
    verb="makes two basic attacks",
    kind="regular",
    rule="act.fighting.double",
    range="close",
    attack="normal",
    against=("agility",),
    usable_abilities=("fighting",),
    ability_rules={"fighting": "act.fighting.double"},
    required_abilities=("fighting",),
    targets=Targets(1, 2),
    damage=1,
    is_allowed_in_cover=False,
    follow_up="second-blow",
    effect_template="Two rolls, each {hit}; the second target may be chosen after the first roll.",
    conditions_template="Only while healthy, and not from cover.",
)

SECOND_BLOW: Final = replace(
    DOUBLE_ATTACK,
    do="second-blow",
    title="Second attack",
    verb="makes a second attack on",
    targets=ONE,
    follow_up="",
    effect_template="{hit}. Any other action forgoes it.",
    conditions_template="Right after the first of two attacks.",
)

THROW: Final = ActionSpec(
    do="throw",
    title="Throw object",
    beginner_text="Throw something that is here. You don't have to be close.",
    verb="throws something at",
    kind="regular",
    rule="act.throw-object",
    range="long",
    attack="normal",
    against=("agility",),
    targets=ONE,
    damage=1,
    exposes="far",
    conditions_template="Needs something dangerous to throw.",
)

HOLD: Final = ActionSpec(
    do="hold",
    title="Hold",
    beginner_text="Grab the target. If it works, they lose their next turn.",
    verb="holds",
    kind="regular",
    rule="act.hold",
    range="close",
    attack="force",
    against=("strength",),
    usable_abilities=("wrestling", "detection", *MOVEMENT),
    ability_rules={"detection": "detection.hold", **_MOVE_USE},
    targets=ONE,
    damage=1,
    inflicts="delay",
    cause="hold",
    cause_rule="act.hold",
    is_allowed_in_cover=False,
    effect_template=(
        "Delays the target, ends their evade. "
        "Wrestling, if healthy and not delayed: {damage} damage too, {damage_on_20} on a 20."
    ),
)

COUNTER_HOLD: Final = ActionSpec(
    do="counter-hold",
    title="Counter-hold",
    beginner_text="Grab the enemy who holds you. If it works, they lose their next turn.",
    verb="counter-holds",
    kind="regular",
    rule="act.wrestling.counter-hold",
    range="close",
    attack="force",
    against=("strength",),
    usable_abilities=("wrestling",),
    ability_rules={"wrestling": "act.wrestling.counter-hold"},
    required_abilities=("wrestling",),
    targets=ONE,
    inflicts="delay",
    cause="hold",
    cause_rule="act.hold",
    is_allowed_in_cover=False,
    is_allowed_delayed=True,
    effect_template="Delays the target and ends their evade. No damage.",
    conditions_template=(
        "Only while delayed and healthy, and only against a character who has held you since your last turn."
    ),
)

DISTRACT: Final = ActionSpec(
    do="distract",
    title="Distract",
    beginner_text="Mislead the target. If it works, they lose their next turn.",
    verb="distracts",
    kind="regular, once per encounter",
    rule="act.distract",
    range="close",
    attack="psychic",
    against=("intelligence",),
    usable_abilities=MOVEMENT,
    ability_rules=_MOVE_USE,
    targets=ONE,
    inflicts="delay",
    cause="distract",
    cause_rule="act.distract",
    is_allowed_in_cover=False,
    effect_template="Delays the target but doesn't end their evade.",
)

EVADE: Final = ActionSpec(
    do="evade",
    title="Evade",
    beginner_text="Dodge instead of attacking. On the next turn you may escape.",
    kind="regular",
    rule="act.evade",
    usable_abilities=MOVEMENT,
    is_allowed_in_cover=False,
    exposes="always",
    effect_template=(
        "Adds a movement ability's level to agility and strength until your next turn or a hold. Escaping needs it."
    ),
    conditions_template="{facts} Without one, you still evade, but add nothing.",
)

ESCAPE: Final = ActionSpec(
    do="escape",
    title="Escape",
    beginner_text="Run away and leave the fight.",
    kind="regular",
    rule="act.escape",
    effect_template="You leave the encounter: you can't act or be targeted.",
    conditions_template="Only if you evaded on your last turn.",
)

ENGAGE: Final = ActionSpec(
    do="engage",
    title="Engage",
    beginner_text="You hit more easily this turn, but you are easier to hit until your next one.",
    kind="bonus",
    rule="act.engage",
    gain=2,
    cost=2,
    is_allowed_in_cover=False,
    leads_to_attack=True,
    effect_template="+{gain} on your close attacks this turn, −{cost} agility until your next turn.",
    conditions_template="Before a close attack, and not in cover.",
)

TAKE_COVER: Final = ActionSpec(
    do="take-cover",
    title="Take cover",
    beginner_text="You are harder to hit, but your own rolls get worse.",
    kind="bonus",
    rule="act.cover",
    gain=2,
    cost=2,
    effect_template="+{gain} agility and −{cost} on all your rolls, for as long as you stay.",
    conditions_template="Before any other action of the turn, and only with something to hide behind.",
)

LEAVE_COVER: Final = ActionSpec(
    do="leave-cover",
    title="Leave cover",
    beginner_text="Come out of cover. It costs no action.",
    kind="free",
    rule="act.cover.stay",
    is_allowed_delayed=True,
    effect_template="You lose cover's bonus and penalty.",
    conditions_template="Only in cover, at any time.",
)

SHOOT: Final = ActionSpec(
    do="shoot",
    title="Shooting",
    beginner_text="Shoot from a distance. A hit takes more hit points than a basic attack.",
    verb="shoots",
    kind="regular",
    rule="act.shooting",
    range="long",
    attack="normal",
    against=("agility",),
    usable_abilities=("shooting",),
    required_abilities=("shooting",),
    targets=ONE,
    damage=2,
    on_20=5,
    delays_self="while injured",
    cause="shooting",
    cause_rule="act.shooting.injured-delay",
    exposes="far",
)

BLAST: Final = ActionSpec(
    do="blast",
    title="Blasting",
    beginner_text="Attack several enemies at once, with a roll for each.",
    verb="blasts",
    kind="regular",
    rule="act.blasting",
    range="long",
    attack="normal",
    against=("agility",),
    usable_abilities=("blasting",),
    required_abilities=("blasting",),
    targets=Targets(1, 3, distinct=True, enemies=True, spaces=True),
    damage=1,
    delays_self="while injured",
    cause="blasting",
    cause_rule="act.blasting.injured-delay",
    exposes="far",
    effect_template="Up to {most} enemies, a roll for each: {hit}.",
    map_effect_template="Everyone within 1 space of the target, a roll for each: {hit}.",
)

KNOCKOUT: Final = ActionSpec(
    do="knockout",
    title="Knockout",
    beginner_text="One heavy blow. Hit or miss, you lose your next turn.",
    verb="tries to knock out",
    kind="regular",
    rule="act.knockout",
    range="close",
    attack="normal",
    against=("agility",),
    usable_abilities=("knockout",),
    required_abilities=("knockout",),
    targets=ONE,
    damage=4,
    damage_injured=2,
    delays_self="always",
    cause="knockout",
    cause_rule="act.knockout.self-delay",
    is_allowed_in_cover=False,
)

SURPRISE: Final = ActionSpec(
    do="surprise",
    title="Surprise",
    beginner_text="Startle the target. If it works, they panic and can't attack.",
    verb="surprises",
    kind="regular, once per encounter",
    rule="act.surprise",
    range="long",
    attack="psychic",
    against=("intelligence",),
    usable_abilities=("stealth", "detection"),
    required_abilities=("stealth", "detection"),
    targets=ONE,
    inflicts="panic",
    is_allowed_in_cover=False,
    exposes="far",
    effect_template="The target is panicked.",
)

INTIMIDATE: Final = ActionSpec(
    do="intimidate",
    title="Intimidate",
    beginner_text="Frighten the target. If it works, they panic and can't attack.",
    verb="intimidates",
    kind="regular, once per encounter",
    rule="act.intimidate",
    range="long",
    attack="psychic",
    against=("intelligence", "strength"),
    usable_abilities=("command",),
    ability_rules={"command": "act.intimidate"},
    required_abilities=("command",),
    targets=ONE,
    inflicts="panic",
    is_allowed_in_cover=False,
    exposes="far",
    effect_template="The target is panicked.",
)

HEAL: Final = ActionSpec(
    do="heal",
    title="Heal",
    beginner_text="Treat an injured companion, who gets hit points back.",
    verb="heals",
    kind="regular",
    rule="act.heal.injured",
    family="act.heal",
    difficulty=10,
    usable_abilities=("healing",),
    required_abilities=("healing",),
    targets=ONE,
    effect_template="An injured character's hit points rise to half their maximum, rounded down, plus 1.",
    conditions_template="Not yourself, and no minion during an encounter.",
)

REVIVE: Final = ActionSpec(
    do="revive",
    title="Revive",
    beginner_text="Bring a companion with no hit points left back into the fight.",
    verb="revives",
    kind="regular",
    rule="act.heal.revive",
    family="act.heal",
    difficulty=10,
    usable_abilities=("healing",),
    required_abilities=("healing",),
    targets=ONE,
    hit_points=1,
    effect_template="An incapacitated character gets {hit_points} hit point.",
    conditions_template="Not yourself, and no minion during an encounter.",
)

SMALL_ACT: Final = ActionSpec(
    do="bonus",
    title="Other bonus action",
    beginner_text="Anything small that the rules don't list.",
    kind="bonus",
    rule="act.bonus.examples",
    effect_template="Open a door, push a button, hand something over.",
)

NOTHING: Final = ActionSpec(
    do="nothing",
    title="Nothing",
    kind="free",
    rule="turn.do-nothing",
    is_allowed_delayed=True,
    effect_template="You take no action this turn.",
    conditions_template="Not while panicked and able to evade.",
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
"""The actions of a turn, in the order of the quick reference."""

MOVE: Final = ActionSpec(
    do="move",
    title="Move",
    kind="free",
    rule="grid.move.base",
    usable_abilities=MOVEMENT,
    spaces=4,
    spaces_injured=2,
    exposes="path",
    effect_template=(
        "{spaces} spaces while healthy, {spaces_injured} while injured, more with a movement ability in its terrain."
    ),
    conditions_template="Once a turn, before or after the action; not while immobilized.",
)

REPOSITION: Final = ActionSpec(
    do="reposition",
    title="Reposition",
    kind="free",
    rule="grid.hold.reposition",
    range="adjacent",
    targets=ONE,
    effect_template="Swap places with the target, or push them 1 space in any direction.",
    conditions_template="After a successful hold, until your turn ends.",
)

INTERRUPT: Final = ActionSpec(
    do="interrupt",
    title="Interrupting attack",
    verb="interrupts",
    kind="reaction",
    rule="grid.interrupt.what",
    range="adjacent",
    attack="normal",
    against=("agility",),
    usable_abilities=("fighting", "wrestling", "knockout"),
    ability_rules=dict.fromkeys(("fighting", "wrestling", "knockout"), "grid.interrupt.roll"),
    targets=ONE,
    is_allowed_in_cover=False,
    effect_template=(
        "No damage. The target's action is stopped, their turn ends, they lose an evade, "
        "and they can't escape on their next turn."
    ),
    conditions_template=(
        "When an opponent exposes themselves to you, once on their turn; only while healthy and able to act."
    ),
)

GRID_ACTIONS: Final = (MOVE, REPOSITION, INTERRUPT)
"""The actions that need a map. Rule: `grid.scope`."""

END_TURN: Final = ActionSpec(
    do="end-turn",
    title="End turn",
    button="End turn",
    kind="free",
    rule="turn.member-turn",
    is_allowed_delayed=True,
    effect_template="Your turn is over.",
)

SETTLE: Final = ActionSpec(
    do="settle",
    title="End interrupts",
    button="Continue",
    kind="free",
    rule="grid.interrupt.what",
    effect_template="No one else interrupts. The waiting action continues.",
)

CHECK: Final = ActionSpec(
    do="check",
    title="Check",
    button="Roll",
    kind="free",
    rule="roll.d20",
    effect_template="A roll with or without an ability against a difficulty.",
)

CRAFT: Final = ActionSpec(
    do="craft",
    title="Crafted bonus",
    button="Craft",
    kind="free",
    rule="craft.bonus",
    difficulty=10,
    usable_abilities=("craftsmanship",),
    required_abilities=("craftsmanship",),
    targets=ONE,
    effect_template="Gives a companion +1 on an ability they have, or takes the bonus back.",
)

END_ENCOUNTER: Final = ActionSpec(
    do="end-encounter",
    title="End encounter",
    button="End fight",
    kind="free",
    rule="turn.encounter",
    effect_template="The encounter is over.",
)

REFEREE_ACTIONS: Final = (CHECK, CRAFT, END_ENCOUNTER)
"""The actions outside of turns."""

ACTION_SPECS: Final = {
    card.do: card for card in (*ACTIONS, SECOND_BLOW, END_TURN, *REFEREE_ACTIONS, *GRID_ACTIONS, SETTLE)
}
"""Every action spec by the name of its action."""

RULES_BY_CAUSE: Final = {spec.cause: spec.cause_rule for spec in ACTION_SPECS.values() if spec.cause}
"""The rule of each cause of a delay."""
