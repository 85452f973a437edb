"""The 101 rules beyond Scratch basic: the Grid, both revisions of Mano a Mano rounds, and choose-next."""

from __future__ import annotations

from scratch_core.rulebook.basic_rules import parse_rules_of_chapter

OTHER_RULES = (
    *parse_rules_of_chapter(
        "grid",
        "rules/grid/",
        "004",
        "board",
        """
        grid.scope | Playing with miniatures
        grid.scope.no-vehicles | Not for vehicles | a word on scope; there is nothing to compute
        grid.space | How wide a space is | a scale for the eye; distances are counted in spaces
        grid.diagrams | The two missing drawings | missing from the sources; our own drawings follow the rulings
        grid.move.base | How far a character moves
        grid.move.rough | Rough terrain costs double
        grid.move.water | Water costs double
        grid.move.quickness | Further with quickness
        grid.move.flying | Further with flying
        grid.move.acrobatics | Further with acrobatics
        grid.move.swimming | Further with swimming
        grid.move.who | Who may move | @encounter
        grid.move.once | One move a turn, in one go | @encounter
        grid.move.step | One step
        grid.move.blocked | What blocks a step
        grid.move.allies | Past an ally
        grid.zoc.stop | Stopped next to an enemy
        grid.heal.adjacent | Healing at arm's length | @encounter
        grid.close.reach | Close means next to you | @encounter
        grid.hold.immobilize | Held in place | @encounter
        grid.hold.reposition | Moving someone you hold | @encounter
        grid.long.los | Long range needs a line of sight
        grid.long.allies | Past allies unharmed
        grid.blast.target | Aim at a space | @encounter
        grid.blast.area | Everyone near it | @encounter
        grid.blast.max | As many as fit
        grid.interrupt.what | Interrupting attacks | @encounter
        grid.interrupt.trigger.move | Exposed by moving | @encounter
        grid.interrupt.trigger.evade | Exposed by evading | @encounter
        grid.interrupt.trigger.far-attack | Exposed by a far attack | @encounter
        grid.interrupt.roll | The interrupter's roll | @encounter
        grid.interrupt.no-damage | An interruption does no damage | @encounter
        grid.interrupt.prevent | The action doesn't happen | @encounter
        grid.interrupt.end-turn | The turn is over | @encounter
        grid.interrupt.evade-loss | The evade is lost | @encounter
        grid.interrupt.escape-ban | No escape next turn | @encounter
        grid.interrupt.unable | Who can't interrupt | @encounter
        grid.interrupt.delayed | Not while delayed | @encounter
        grid.interrupt.once | One try per turn | @encounter
        grid.escape.exit | Leaving needs an exit | @encounter
        grid.escape.evade-first | Evade, then move | @encounter
        """,
    ),
    *parse_rules_of_chapter(
        "mano",
        "rules/other-turn-orders/mano-a-mano/",
        "001",
        "turn_systems",
        """
        mano.round.length | How long a round is | a length in the story; turns are counted, not seconds
        mano.turn.per-round | One turn each round
        mano.round.measure | Where a round begins | two ways to count the same turns
        mano.speed.quarter | Speed ¼
        mano.speed.half | Speed ½
        mano.speed.extra-skip | Skipping more
        mano.stun.recover | Recovering from stun
        mano.surprise.abilities | The abilities of an ambush
        mano.surprise.two-rolls | Each stalker rolls
        mano.surprise.neither | Both fail
        mano.surprise.one | One succeeds
        mano.surprise.both | Both succeed
        mano.start.evade | Starting by evading
        mano.start.ready | Starting ready
        mano.start.first | Who goes first
        mano.start.reach | The longer weapon
        mano.order.seating | Around the table
        mano.order.formation | Keeping formation
        mano.turn.options | What a turn offers
        mano.counter.wait | Preparing a counterattack
        mano.counter.lapse | When no one attacks you
        mano.counter.timing | When a counterattack happens
        mano.counter.rethink | The attacker may change plans
        mano.counter.order | The order stays
        mano.counter.illustration | A counterattack, step by step | an example in steps; tests hold the engine to it
        mano.combo.count | How many quick actions
        mano.combo.weapons | One more with two weapons
        mano.combo.healthy | Only for healthy characters
        """,
    ),
    *parse_rules_of_chapter(
        "mano-old",
        "rules/other-turn-orders/older-pools/",
        "001",
        "turn_systems",
        """
        mano-old.round | Rounds and turns
        mano-old.order.seating | Around the table
        mano-old.initiative.reach | The longest reach begins
        mano-old.surprise | An ambush comes first
        mano-old.pools | Five pools of hit points
        mano-old.phases | Three phases
        mano-old.phase.stun | Phase 1: shaking off stun
        mano-old.phase.ready | Phase 2: getting ready
        mano-old.phase.ready.cap | No more than HP/round
        mano-old.phase.ready.choice | The player picks
        mano-old.phase.ready.illustrations | Getting ready in numbers | example
        mano-old.phase.actions | Phase 3: acting
        mano-old.action.uses | What a hit point buys
        mano-old.action.destination | Where a spent hit point goes
        mano-old.turn.end | The end of a turn
        """,
    ),
    *parse_rules_of_chapter(
        "seize",
        "rules/other-turn-orders/choose-next/",
        "003",
        "turn_systems",
        """
        seize.roll | Everyone rolls
        seize.bonus | The Initiative Bonus
        seize.gm-roll | One roll for many
        seize.highest-first | The highest opens
        seize.tie | Breaking a tie
        seize.natural-20 | A natural 20
        seize.natural-1 | A natural 1
        seize.choose-next | Choosing who is next
        seize.no-repeat | One turn each per round
        seize.round-complete | When a round is over
        seize.next-round | The next round
        seize.not-self | Not yourself
        seize.claim | Seizing the initiative
        seize.claim.timing | When the seizer acts
        seize.after | After a seized turn
        seize.chain | Seizing from a seizer
        seize.multi-order | Several seizers
        """,
    ),
)
