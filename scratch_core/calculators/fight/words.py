"""What stands in the set-up of each other order of turns: an introduction, an example of its lines, who begins."""

from __future__ import annotations

from collections.abc import Mapping

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

ASKED: Mapping[str, tuple[str, str]] = {
    "first": ("Who strikes first, if the story says so", "one name, or all who dispute it: ann, bo"),
    "stalkers": ("An ambush", "who stalks, and how the roll went: ann succeeds, bo fails"),
    "ambush": ("Who has ambushed the others", "one name"),
}
"""What is asked about the beginning, each with how it is written."""

EXAMPLES: Mapping[str, str] = {
    "mano": "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: reach 1, side blue",
    "mano-old": "Ann: hp 6, hp/round 3, side red\nBo: hp 8, hp/round 2, reach 1, side blue",
    "seize": "side: heroes\nAnn: bonus 3\nside: goblins\ngroup: goblins\nGoblin 1: bonus 2\nGoblin 2: bonus 2",
}
