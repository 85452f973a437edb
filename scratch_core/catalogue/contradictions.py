"""K01 to K31: where the sources contradict themselves or each other. The first reading of each is our default."""

from __future__ import annotations

from typing import Final

from scratch_core.catalogue.records import Ruling

CONTRADICTIONS: Final = (
    Ruling(
        id="K01",
        title="Strength from toughness: 7 or 8",
        system="scratch",
        question=(
            "The rule gives 7 + toughness to anyone without wrestling and swimming. Five printed characters were "
            "worked out with 8. Which number holds?"
        ),
        readings=(
            "7 + toughness, as the rule says.",
            "8 + toughness, as the printed characters have it.",
        ),
        why=(
            "A rule outweighs an example. With toughness 3 an average person then has strength 10, level with the "
            "other two defences."
        ),
        rules=("def.strength.fallback",),
        switch="strength_base",
    ),
    Ruling(
        id="K02",
        title="The Boss's intelligence",
        system="scratch",
        question="The Boss has command 4 and detection 1, yet intelligence 11 is printed. Is that right?",
        readings=(
            "14: 10 plus command, the highest of the four abilities that count.",
            "11 as printed, with detection counted and command forgotten.",
        ),
        why="A rule outweighs an example, and another printed character follows this very rule.",
        rules=("def.intelligence",),
    ),
    Ruling(
        id="K03",
        title="Fighters who break their own limits",
        system="scratch",
        question=(
            "The three fighters of the worked combat are announced with 10 character points and level 4 at most. One "
            "has 14 points and a level 6, one has 8 points. What are the limits worth?"
        ),
        readings=(
            "Limits are checked when a character is made. One that comes ready-made is played as printed, with advice.",
            "A character beyond the limits cannot be played.",
        ),
        why="The limits belong to making a character, and the fight needs its fighters as they are.",
        rules=("create.cp", "create.max-level", "create.average"),
    ),
    Ruling(
        id="K04",
        title="Two Chokestars",
        system="scratch",
        question=(
            "The text about making characters and the printed block give Chokestar different abilities. Which is "
            "played?"
        ),
        readings=(
            "The block: wrestling 2, stealth 3, toughness 3.",
            "The text: piloting 2, toughness 2, wrestling 3, stalking 3.",
        ),
        why="Hit points, stamina and initiative in the worked combat come out only with the block.",
        rules=("char.stat-line", "hp.start", "stealth.initiative"),
    ),
    Ruling(
        id="K05",
        title="Piloting and stalking",
        system="scratch",
        question="Two abilities are named that the list of abilities does not have. What do they do?",
        readings=(
            "Stalking is read as stealth. Piloting is kept, costs its points and changes nothing.",
            "Both are refused as unknown.",
        ),
        why="The example counts stalking exactly as stealth counts; piloting has no rule at all.",
        rules=("char.ability-level", "stealth.initiative"),
    ),
    Ruling(
        id="K06",
        title="A second attack by wrestling",
        system="scratch",
        question=(
            "In the worked combat a healthy wrestler holds and attacks in the same turn. The rules give two attacks in"
            " one action to fighting alone. May a wrestler do both?"
        ),
        readings=(
            "No. One regular action a turn; a healthy wrestler's hold does 1 damage instead.",
            "Yes: a healthy wrestler has a hold and a basic attack each turn, and holds do no damage.",
        ),
        why="A rule outweighs an example, which seems to remember an older rule.",
        rules=("act.regular", "act.wrestling.bonus", "act.fighting.double"),
        switch="wrestling_double_legacy",
    ),
    Ruling(
        id="K07",
        title="The hold that did not hurt",
        system="scratch",
        question=(
            "A healthy wrestler's hold succeeds in the worked combat and the target loses nothing. Does such a hold do"
            " damage?"
        ),
        readings=(
            "Yes, 1 damage.",
            "No, it only delays.",
        ),
        why="The rule says so plainly; the example follows the older rule of K06.",
        rules=("act.wrestling.hold-damage",),
    ),
    Ruling(
        id="K08",
        title="A hold against agility",
        system="scratch",
        question="One hold of the worked combat is compared with agility. What does a hold have to beat?",
        readings=(
            "Strength, always.",
            "Agility, in that one event.",
        ),
        why="Holds are force attacks. The roll fails against either, so the story stays the same.",
        rules=("act.hold", "attack.type-map"),
    ),
    Ruling(
        id="K09",
        title="Initiative by person or by character",
        system="scratch",
        question=(
            "The chapter on turns rolls once for all characters of one person. The example speaks of each character. "
            "Who rolls?"
        ),
        readings=(
            "One roll for each person's group.",
            "One roll for each character.",
        ),
        why="The example fits the rule when three people play one character each.",
        rules=("turn.group", "turn.initiative-roll"),
    ),
    Ruling(
        id="K10",
        title="Whom a blast hits",
        system="grid",
        question=(
            "The basic rules let a blast choose three enemies at most. The Grid lets it strike everyone near a space, "
            "friends too. Which holds?"
        ),
        readings=(
            (
                "Without a board the basic rule; on a board the Grid's, with no limit of three. Each character is "
                "rolled for once."
            ),
            "The limit of three and the choice of enemies hold on a board as well.",
        ),
        why="The Grid is the more special rule where it is played.",
        rules=("act.blasting", "act.blasting.distinct", "grid.blast.area", "grid.blast.max"),
    ),
    Ruling(
        id="K11",
        title="Two conditions for an escape",
        system="grid",
        question=(
            "The basic rules ask for an evade on the turn before. The Grid asks for a way out and advises evading "
            "before you move. What does an escape take on a board?"
        ),
        readings=(
            "Both: evade on one turn, then on the next spend the escape at an exit or the edge.",
            "On a board reaching the way out is enough.",
            "Evade and leave in the same turn.",
        ),
        why=(
            "The Grid adds a condition and takes none away. Being barred from escaping next turn makes sense only this"
            " way, and two regular actions in a turn are against the rules."
        ),
        rules=("act.escape", "grid.escape.exit", "grid.escape.evade-first", "grid.interrupt.escape-ban"),
    ),
    Ruling(
        id="K12",
        title="Revived with toughness 1",
        system="scratch",
        question=(
            "A revived character counts as injured with 1 hit point. With toughness 1 its stamina is 0, so 1 hit point"
            " is healthy. Which is it?"
        ),
        readings=(
            "The hit points are set to 1 and the condition follows from them: healthy with toughness 1, else injured.",
            "It counts as injured in every case.",
        ),
        why="Conditions follow from hit points everywhere else.",
        rules=("act.heal.revive", "act.heal.injured", "hp.injured"),
    ),
    Ruling(
        id="K13",
        title="Delayed wrestlers on a board",
        system="grid",
        question=(
            "A healthy wrestler may hold back while delayed. The Grid says that whoever is delayed by a wrestler "
            "cannot act. Can a delayed wrestler interrupt?"
        ),
        readings=(
            "No. The counter-hold is a regular action of one's own turn and nothing else.",
            "Yes, with a hold as the interrupting attack.",
        ),
        why="The exception is made for the turn; the Grid makes none.",
        rules=("act.wrestling.counter-hold", "grid.interrupt.delayed"),
    ),
    Ruling(
        id="K14",
        title="A character without toughness",
        system="scratch",
        question=(
            "Everyone is said to have toughness, and yet there is a rule for those without. May a character lack it?"
        ),
        readings=(
            "It may. It has no hit points and takes no part in encounters, and you are told so.",
            "It may not; such a character is refused.",
        ),
        why="A rule for the case means that the case may arise.",
        rules=("tough.none", "create.typical", "char.ability-level"),
    ),
    Ruling(
        id="K15",
        title="Three to six abilities",
        system="scratch",
        question=(
            "A typical character is said to have three to six abilities; printed ones have one or two. Is it a limit?"
        ),
        readings=(
            "No, a piece of advice.",
            "Yes, fewer or more are refused.",
        ),
        why="The word is typical. The limits on points and levels are what is enforced.",
        rules=("create.typical", "create.max-level"),
    ),
    Ruling(
        id="K16",
        title="Parts that are missing",
        system="scratch",
        question=(
            "The sources point to dice that replace a d20, to example characters, to two drawings and to the end of a "
            "sentence, and have none of them. What stands in?"
        ),
        readings=(
            "Nothing is invented as a rule. Any die that gives 1 to 20 will do, and what we add is marked as ours.",
            "We fill the gaps and call them rules.",
        ),
        why="What nobody has written down cannot be the rule.",
        rules=("roll.die-substitute", "create.reskin", "grid.diagrams"),
    ),
    Ruling(
        id="K17",
        title="What an evade raises",
        system="scratch",
        question=(
            "The basic rules raise agility and strength, the Grid mentions agility alone. Which does an evade raise?"
        ),
        readings=(
            "Both.",
            "On a board agility alone.",
        ),
        why="The Grid only explains why an evade helps against interrupting attacks, which are rolled against agility.",
        rules=("act.evade", "grid.escape.evade-first"),
    ),
    Ruling(
        id="K18",
        title="Damage of a shot on a 20",
        system="scratch",
        question="A 20 adds 1 damage, which would make a shot 3. The text on shooting says 5. Which is it?",
        readings=(
            "5 in all.",
            "3 in all.",
        ),
        why="Shooting states its own exception, and the special rule goes first.",
        rules=("act.shooting.auto", "hp.auto-damage"),
    ),
    Ruling(
        id="K19",
        title="The submachine gun",
        system="scratch",
        question=(
            "A submachine gun illustrates blasting; the Boss's submachine gun stands under shooting. Which ability is "
            "it?"
        ),
        readings=(
            "Whichever ability it stands under: the Boss shoots.",
            "Blasting, because that is the illustration.",
        ),
        why="A flavour note never changes a rule.",
        rules=("char.stat-line", "act.shooting", "act.blasting"),
    ),
    Ruling(
        id="K20",
        title="The difficulty of healing",
        system="scratch",
        question=(
            "A healing roll of 11 appears among the examples of rolls; the ability itself says 10. What is the "
            "difficulty?"
        ),
        readings=(
            "10, to heal and to revive.",
            "11.",
        ),
        why="The 11 only shows how a roll is written.",
        rules=("act.heal", "roll.illustrations"),
    ),
    Ruling(
        id="K21",
        title="Detection, ten times over",
        system="scratch",
        question=(
            "Detection adds ten times its level to initiative, stealth twice. Detection even helps a hold. Is either a"
            " slip of the pen?"
        ),
        readings=(
            "Both are played as written.",
            "Detection counts twice, like stealth.",
        ),
        why="The text works out its own example with ten, so it means it.",
        rules=("detection.initiative", "stealth.initiative", "detection.hold"),
        switch="detection_multiplier",
    ),
    Ruling(
        id="K22",
        title="Which delays stop an interruption",
        system="grid",
        question="The Grid bars those delayed by wrestling from interrupting. What of the other delays?",
        readings=(
            "Every delay bars interrupting.",
            "Only a delay by wrestling does.",
        ),
        why="Nobody delayed can act, and the Grid bars everyone who cannot act.",
        rules=("grid.interrupt.delayed", "grid.interrupt.unable", "cond.delayed"),
    ),
    Ruling(
        id="K23",
        title="Slips in the telling",
        system="scratch",
        question=(
            "The worked combat spells a name in two ways, has armour stop bullets that missed anyway, and leaves one "
            "total out. Does any of it matter?"
        ),
        readings=(
            "No. Names and colour are ours to tell; the missing total is any that hits.",
            "Yes, each is a rule in disguise.",
        ),
        why="None of it touches a rule.",
        rules=("char.stat-line",),
    ),
    Ruling(
        id="K24",
        title="When stun wears off",
        system="mano",
        question=(
            "The latest revision takes 1 stun away at the end of a turn. The older one moves 1 hit point out of stun "
            "at the start. Which holds?"
        ),
        readings=(
            "Each in its own revision; the latest is the one we start from.",
            "One of them in both.",
        ),
        why="The two revisions are different rules under one name.",
        rules=("mano.stun.recover", "mano-old.phase.stun"),
    ),
    Ruling(
        id="K25",
        title="Who begins a Mano a Mano fight",
        system="mano",
        question=(
            "The latest revision looks at the circumstances, then dice. The older one looks at reach, with ambushes "
            "first. Who begins?"
        ),
        readings=(
            (
                "Latest: the table says, else the longer reach, else a d20 each. Older: the ambusher, else the longest"
                " reach, else a d20 each. High begins, ties roll again."
            ),
            "Reach alone, in both.",
        ),
        why="Each revision keeps its own words; the d20 fills in for dice that are not named.",
        rules=("mano.start.first", "mano.start.reach", "mano-old.initiative.reach", "mano-old.surprise"),
    ),
    Ruling(
        id="K26",
        title="Seating",
        system="mano",
        question=(
            "Turns go round the table as people sit: usually in the latest revision, always in the older. How strict "
            "is it?"
        ),
        readings=(
            "By seating in both; only the latest lets allies wait for each other.",
            "By seating in the older, freely in the latest.",
        ),
        why="Without another order the usual one is the order.",
        rules=("mano.order.seating", "mano.order.formation", "mano-old.order.seating"),
    ),
    Ruling(
        id="K27",
        title="Two ways to spend a turn",
        system="mano",
        question=(
            "The latest revision gives a move and an action or combo. The older one spends ready hit points until you "
            "stop. Can they be mixed?"
        ),
        readings=(
            "No, each stays in its revision.",
            "Yes, hit points pay for the actions of the latest.",
        ),
        why="They count different things.",
        rules=("mano.turn.options", "mano-old.phase.actions"),
    ),
    Ruling(
        id="K28",
        title="Four in stun",
        system="mano-old",
        question="An illustration counts four hit points in stun. Is that before or after phase 1 has taken one away?",
        readings=(
            "After: illustrations show the position at phase 2.",
            "Before phase 1.",
        ),
        why="Only then do its numbers come out.",
        rules=("mano-old.phase.stun", "mano-old.phase.ready.illustrations"),
    ),
    Ruling(
        id="K29",
        title="A 20 against a higher total",
        system="seize",
        question=(
            "A rolled 20 acts first, and so does the highest result. A 20 with a poor bonus may be beaten by a total. "
            "Who acts first?"
        ),
        readings=(
            "The rolled 20; among several the higher total.",
            "The highest total.",
        ),
        why="The 20 is the special case.",
        rules=("seize.natural-20", "seize.highest-first"),
    ),
    Ruling(
        id="K30",
        title="A queue of seizers",
        system="seize",
        question="Several seizers act one after another. What if one of them hurts somebody who seizes too?",
        readings=(
            "Those in the queue go first; the new one joins its end, and the last of the queue chooses.",
            "The new one goes at once.",
        ),
        why="Both rules hold this way: nobody in the queue loses a turn already won.",
        rules=("seize.chain", "seize.multi-order"),
    ),
    Ruling(
        id="K31",
        title="One word, several rules",
        system="all",
        question=(
            "Evade, surprise, delay, stealth, detection and initiative mean different things in the different orders "
            "of turns. Do they mix?"
        ),
        readings=(
            "No. A word has the meaning of the rules you play; only Scratch and the Grid go together.",
            "The newest meaning holds everywhere.",
        ),
        why="None of the texts knows of the others.",
        rules=("turn.initiative-roll", "act.evade", "cond.delayed", "mano.start.evade", "seize.roll"),
    ),
)
