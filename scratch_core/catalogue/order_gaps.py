"""Gaps in the other turn orders: Mano a Mano (M) and choose-next (S). The first reading of each is our default."""

from __future__ import annotations

from typing import Final

from scratch_core.catalogue.records import Ruling

MANO_GAPS: Final = (
    Ruling(
        id="M01",
        title="Who is healthy",
        system="mano",
        question="Combos are for the healthy, a word this text does not explain. Who is?",
        readings=(
            "Whoever the table says.",
            "Whoever is healthy in Scratch.",
        ),
        why="The systems do not mix.",
        rules=("mano.combo.healthy",),
    ),
    Ruling(
        id="M02",
        title="What is quick",
        system="mano",
        question="Which actions are quick is not told. Which are?",
        readings=(
            "The table judges; we count them.",
            "All of them.",
        ),
        why="The list is in another text.",
        rules=("mano.combo.count",),
    ),
    Ruling(
        id="M03",
        title="Stun on a skipped turn",
        system="mano",
        question="Does a skipped turn take 1 stun away?",
        readings=(
            "Yes.",
            "No.",
        ),
        why="A skipped turn is still a turn, and it ends.",
        rules=("mano.stun.recover", "mano.speed.half", "mano.speed.quarter"),
    ),
    Ruling(
        id="M04",
        title="Slow and waiting",
        system="mano",
        question="How do a low speed and a prepared counterattack go together?",
        readings=(
            (
                "It cannot be prepared on a turn that must be skipped. Never sprung, it was one more skipped turn; "
                "sprung, it was the active turn and the skips follow."
            ),
            "It may be prepared on any turn.",
        ),
        why="Preparing takes a turn you have.",
        rules=("mano.counter.wait", "mano.counter.lapse", "mano.speed.half", "mano.speed.quarter"),
    ),
    Ruling(
        id="M05",
        title="Where a slow cycle begins",
        system="mano",
        question="Does a slow character begin by acting or by skipping?",
        readings=(
            "By acting; then it skips 1 turn at ½, 3 at ¼. Skipping more does it no harm.",
            "By skipping.",
        ),
        why="The skips follow an active turn.",
        rules=("mano.speed.half", "mano.speed.quarter", "mano.speed.extra-skip"),
    ),
    Ruling(
        id="M06",
        title="Speeds between whole numbers",
        system="mano",
        question="What does a speed of 1½ give?",
        readings=(
            "2 quick actions and no skipping.",
            "1 quick action and an extra turn now and then.",
        ),
        why="The number is rounded up, and only speeds under 1 skip.",
        rules=("mano.combo.count",),
    ),
    Ruling(
        id="M07",
        title="Two weapons, slowly",
        system="mano",
        question="Does the extra action for two weapons count at speed ½ and ¼?",
        readings=(
            "Yes, 2 in all.",
            "No.",
        ),
        why="The rule makes no exception.",
        rules=("mano.combo.weapons", "mano.combo.count"),
    ),
    Ruling(
        id="M08",
        title="What a counterattack may be",
        system="mano",
        question="What may you do when a counterattack is sprung?",
        readings=(
            "A move and an action or combo against anyone; combos still need health.",
            "One action against the attacker.",
        ),
        why="The whole turn was held back.",
        rules=("mano.counter.timing", "mano.combo.healthy"),
    ),
    Ruling(
        id="M09",
        title="Ready before the first turn",
        system="mano",
        question="Does a counterattack readied at the start use up the first turn?",
        readings=(
            "No; it may be sprung before it, and the order stays.",
            "Yes.",
        ),
        why="Being ready is a start, not a turn.",
        rules=("mano.start.ready", "mano.counter.order"),
    ),
    Ruling(
        id="M10",
        title="How hard an ambush is",
        system="mano",
        question="What must the roll of an ambush beat?",
        readings=(
            "The table says; we take yes or no for each side.",
            "A fixed difficulty.",
        ),
        why="No number is given.",
        rules=("mano.surprise.abilities", "mano.surprise.two-rolls"),
    ),
    Ruling(
        id="M11",
        title="Only one side stalks",
        system="mano",
        question="What if only one side lies in wait?",
        readings=(
            "Success goes first; failure is a start without surprise.",
            "Failure means no fight.",
        ),
        why="The other side has nothing to fail at.",
        rules=("mano.surprise.one", "mano.start.first"),
    ),
    Ruling(
        id="M12",
        title="The end of an early evade",
        system="mano",
        question="When does the +4 of a start by evading end?",
        readings=(
            "When the first turn starts.",
            "When it ends.",
        ),
        why="It holds until that turn.",
        rules=("mano.start.evade",),
    ),
    Ruling(
        id="M13",
        title="A turn put off",
        system="mano",
        question="Does a turn put off for formation come back to its place?",
        readings=(
            "No, it keeps the new place.",
            "Yes, in the next round.",
        ),
        why="A formation is meant to last.",
        rules=("mano.order.formation",),
    ),
    Ruling(
        id="M14",
        title="Countering a counterattack",
        system="mano",
        question="May a counterattack be countered?",
        readings=(
            "Yes, by another who is prepared.",
            "No.",
        ),
        why="It is an attack like any other.",
        rules=("mano.counter.wait", "mano.counter.timing"),
    ),
    Ruling(
        id="M15",
        title="What springs a counterattack",
        system="mano",
        question="Must the attack that springs it be close, or succeed?",
        readings=(
            "No, any attempt will do; once.",
            "It must be a close attack.",
        ),
        why="The text speaks of trying to attack.",
        rules=("mano.counter.wait",),
    ),
    Ruling(
        id="M16",
        title="Points left in ready",
        system="mano-old",
        question="Do points still in ready count against the limit of phase 2?",
        readings=(
            "No, they stay, and the limit is on those that move.",
            "Yes.",
        ),
        why="The limit is on moving.",
        rules=("mano-old.phase.ready", "mano-old.phase.ready.cap"),
    ),
    Ruling(
        id="M17",
        title="Declining to get ready",
        system="mano-old",
        question="May points be left where they are in phase 2?",
        readings=(
            "No.",
            "Yes.",
        ),
        why="The phase moves them; only which ones is a choice.",
        rules=("mano-old.phase.ready", "mano-old.phase.ready.choice"),
    ),
    Ruling(
        id="M18",
        title="Getting damage back",
        system="mano-old",
        question="Do points leave the damage pool by themselves?",
        readings=(
            "Never.",
            "As stun does.",
        ),
        why="No phase moves them.",
        rules=("mano-old.pools", "mano-old.phase.stun"),
    ),
    Ruling(
        id="M19",
        title="Where HP/round comes from",
        system="mano-old",
        question="How is HP/round found?",
        readings=(
            "You give the number.",
            "By a formula of ours.",
        ),
        why="No source has the formula.",
        rules=("mano-old.phase.ready.cap",),
    ),
    Ruling(
        id="M20",
        title="Points not spent",
        system="mano-old",
        question="What becomes of ready points when the turn ends?",
        readings=(
            "They stay ready.",
            "They go to the pool other.",
        ),
        why="Nothing moves them.",
        rules=("mano-old.turn.end",),
    ),
    Ruling(
        id="M21",
        title="Which points are hurt first",
        system="mano-old",
        question="Stun and damage move hit points into their pools. Out of which pools do they come?",
        readings=(
            "Out of other first, then defence, then ready, unless the table names one; damage out of stun last.",
            "Out of ready first.",
        ),
        why="No text says. Points that are used already are the least loss to whoever is hurt.",
        rules=("mano-old.pools", "mano-old.phase.stun"),
    ),
    Ruling(
        id="M22",
        title="What stun does",
        system="mano",
        question="In the latest revision stun goes away by 1 each turn. What does it do while it is there?",
        readings=(
            "The table says; we count it and let it go.",
            "It takes hit points away, as in the older revision.",
        ),
        why="The text tells how it goes and never what it does.",
        rules=("mano.stun.recover",),
    ),
    Ruling(
        id="M23",
        title="Where speed comes from",
        system="mano",
        question="Turns and combos go by speed. How does a character come by one?",
        readings=(
            "You give the number; 1 is ordinary.",
            "By an ability, such as quickness.",
        ),
        why="The text uses the word and has no rule that gives it; at speed 1 nothing is skipped and nothing added.",
        rules=("mano.combo.count", "mano.speed.half", "mano.speed.quarter"),
    ),
)

SEIZE_GAPS: Final = (
    Ruling(
        id="S01",
        title="Is a 20 the face or the total",
        system="seize",
        question="A result of 20 or of 1 has its own rule. Is that the die or the sum?",
        readings=(
            "The face of the die.",
            "The total.",
        ),
        why="With any bonus a total of 1 cannot happen, and the two rules mirror each other.",
        rules=("seize.natural-20", "seize.natural-1"),
        switch="seize_on_total",
    ),
    Ruling(
        id="S02",
        title="Level all the way",
        system="seize",
        question="What if total and bonus are both equal?",
        readings=(
            "A d20 each, high goes first.",
            "They act together.",
        ),
        why="A die is how the rest was settled.",
        rules=("seize.tie",),
    ),
    Ruling(
        id="S03",
        title="The one who rolled 1",
        system="seize",
        question="Can it be chosen or seize in the first round?",
        readings=(
            "Neither; the round ends without it, and it may open the second.",
            "It may seize.",
        ),
        why="It has lost the whole round.",
        rules=("seize.natural-1", "seize.choose-next", "seize.claim"),
    ),
    Ruling(
        id="S04",
        title="A shared 20",
        system="seize",
        question="What does a 20 on one roll for many give?",
        readings=(
            "An extra action to each; whoever rolled picks the first.",
            "An extra action to one of them.",
        ),
        why="The roll is the roll of each; a shared 1 works the same way.",
        rules=("seize.gm-roll", "seize.natural-20", "seize.natural-1"),
    ),
    Ruling(
        id="S05",
        title="What a shared roll fixes",
        system="seize",
        question="Do all who share a roll act together?",
        readings=(
            "No, turns are chosen one by one.",
            "Yes, one after another.",
        ),
        why="A roll only says who opens.",
        rules=("seize.gm-roll", "seize.choose-next"),
    ),
    Ruling(
        id="S06",
        title="Hurt in one's own turn",
        system="seize",
        question="May you seize for hit points lost in your own turn?",
        readings=(
            "No.",
            "Yes.",
        ),
        why="You have had your turn.",
        rules=("seize.claim",),
    ),
    Ruling(
        id="S07",
        title="Hurt at the very end",
        system="seize",
        question="May a loss in the last turn of a round seize the next round?",
        readings=(
            "No.",
            "Yes.",
        ),
        why="Nobody is left who has not had a turn.",
        rules=("seize.claim", "seize.next-round"),
    ),
    Ruling(
        id="S08",
        title="Not seizing",
        system="seize",
        question="Must you seize?",
        readings=(
            "No; then the choice goes on as ever.",
            "Yes.",
        ),
        why="You may, the text says.",
        rules=("seize.claim", "seize.choose-next"),
    ),
    Ruling(
        id="S09",
        title="Nobody left to choose",
        system="seize",
        question="What if the last to act could only choose itself?",
        readings=(
            "The fight is over.",
            "It goes again.",
        ),
        why="It must not choose itself, and nobody else is there.",
        rules=("seize.not-self", "seize.next-round"),
    ),
    Ruling(
        id="S10",
        title="The extra action",
        system="seize",
        question="What is the extra action of a rolled 20? The reference is cut off.",
        readings=(
            "One more action, once.",
            "A whole second turn.",
        ),
        why="No more than that is said.",
        rules=("seize.natural-20",),
    ),
    Ruling(
        id="S11",
        title="Seizers with equal bonuses",
        system="seize",
        question="Several seize after one loss and go by their bonuses. What if those are equal?",
        readings=(
            "Whoever spoke up first goes first.",
            "A d20 each, high first.",
        ),
        why="No text says; speaking first needs no more dice in the middle of a turn.",
        rules=("seize.multi-order", "seize.claim"),
    ),
    Ruling(
        id="S12",
        title="Numbers for a Scratch table",
        system="seize",
        question=(
            "The bonus of this order is a Dexterity modifier, and Mano a Mano asks for a speed and a number of hit "
            "points a round. Scratch has none of them. What do you take?"
        ),
        readings=(
            "No source says. We ask you for the numbers: bonus 0 and speed 1 where you have no better idea.",
            "Dexterity is the group's bonus from stealth and detection, speed 1, hit points by toughness.",
        ),
        why="Each order was written for another game; any bridge between them is the table's own.",
        rules=("seize.roll", "mano.combo.count", "mano-old.phase.ready.cap"),
    ),
)
