"""What stands on the page for each act: a verb, the rule it comes from, and what it means, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """An act in words. `to` stands before its target for those who hear the page, `short` on a button of its own."""

    verb: str
    rule: str
    effect: str = ""
    to: str = ""
    short: str = ""


ACTS: Mapping[str, Mapping[str, Said]] = {
    "mano": {
        "counter": Said("Counterattack", "mano.counter.timing", "before the attack; it uses up what was prepared"),
        "let-pass": Said(
            "Let it pass", "mano.counter.wait", "the attack happens; what is prepared stays so", short="Let pass"
        ),
        "active": Said("Move and act", "mano.turn.options", "one action, an attack or something else", "attack"),
        "combo": Said("Move and combo", "mano.combo.count", "several quick actions in one turn", "attack"),
        "prepare-counter": Said(
            "Prepare a counterattack",
            "mano.counter.wait",
            "holds movement and action back until its next turn",
            short="Prepare",
        ),
        "skip": Said("Skip the turn", "mano.speed.extra-skip", "pays one skip, if any is owed", short="Skip"),
        "delay-turn": Said("Hold back", "mano.order.formation", "acts next to an ally, from now on"),
        "start-evading": Said("Start evading", "mano.start.evade", "+4 to the defence until the first turn"),
        "start-ready": Said("Start ready", "mano.start.ready", "a counterattack before the first turn"),
        "stun": Said("Stun", "mano.stun.recover", "one point goes with each turn"),
        "leave": Said("Out of the fight", "mano.turn.per-round", "down, or gone"),
    },
    "mano-old": {
        "start-turn": Said("Begin the turn", "mano-old.phases", "1 out of stun; then points get ready", short="Begin"),
        "ready": Said("Get ready", "mano-old.phase.ready.choice", "out of these pools"),
        "spend": Said("Spend", "mano-old.phase.actions", "ready points, and where they go"),
        "end-turn": Said("End the turn", "mano-old.turn.end", "what is ready stays ready", short="End"),
        "stun": Said("Stun", "mano-old.pools", "points into stun"),
        "damage": Said("Damage", "mano-old.pools", "points into damage, for good"),
        "leave": Said("Out of the fight", "mano-old.round", "down, or gone"),
    },
    "seize": {
        "seize": Said(
            "Seize the initiative",
            "seize.claim",
            "a turn right after this one; of several the higher bonus is first",
            short="seizes",
        ),
        "decline": Said("Let it be", "seize.claim", "no seizure for this turn's wounds", short="lets it be"),
        "turn": Said("Take the turn", "seize.choose-next", "the turn before it is over"),
        "extra-action": Said("Act once more", "seize.natural-20", "after a rolled 20, once", short="Act"),
        "choose": Said("Choose who is next", "seize.choose-next", "", "choose"),
        "lose-hp": Said("Hit points lost", "seize.claim", "in the turn that is on"),
        "leave": Said("Out of the fight", "seize.round-complete", "down, or gone"),
    },
}

ENDS_TURN = "end-turn"
"""The act that ends a turn, in the order that has one: it has its own place on the page."""

LABELS: Mapping[str, Mapping[str, str]] = {
    "mano": {
        "first": "Who strikes first, if the story says so",
        "stalkers": "An ambush",
        "move": "moves first",
        "spaces": "so many spaces (all, if empty)",
        "count": "with",
    },
    "mano-old": {"ambush": "Who has ambushed the others", "from": "out of", "points": "points"},
    "seize": {"points": "points"},
}

CLOSED: Mapping[str, str] = {"lose-hp": "First somebody takes a turn."}
"""What is said of a fact that can't be told before anybody's turn."""

INTRODUCTIONS: Mapping[str, str] = {
    "mano": "Everybody sits in a circle, and turns go round it. You bring how fast each one is, how many weapons it "
    "uses and who is on whose side; the page says who may act, who has prepared a counterattack, and who has stun "
    "left. It rolls no attacks: you say what a blow did.",
    "mano-old": "Everybody sits in a circle, and hit points lie in pools. You bring how many each one has and how many "
    "get ready in a round; the page moves them as the phases allow. It rolls no attacks: you say what a blow did.",
    "seize": "A roll says who opens. Whoever has acted chooses who is next, and whoever is hurt may seize the next "
    "turn. You bring names, sides and Initiative Bonuses; the page says who may act. It rolls no attacks: you say who "
    "lost hit points.",
}
"""What opens the set-up of each order."""

HINTS: Mapping[str, str] = {
    "first": "one name, or all who dispute it: ann, bo",
    "stalkers": "who stalks, and how the roll went: ann succeeds, bo fails",
    "ambush": "one name",
}

EXAMPLES: Mapping[str, str] = {
    "mano": "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: reach 1, side blue",
    "mano-old": "Ann: hp 6, hp/round 3, side red\nBo: hp 8, hp/round 2, reach 1, side blue",
    "seize": "side: heroes\nAnn: bonus 3\nside: goblins\ngroup: goblins\nGoblin 1: bonus 2\nGoblin 2: bonus 2",
}

USES: Mapping[str, str] = {
    "manoeuvre": "to manoeuvre",
    "manipulate": "to manipulate an opponent",
    "power": "on the attack's power",
}
"""What a point buys. Rule: `mano-old.action.uses`."""
