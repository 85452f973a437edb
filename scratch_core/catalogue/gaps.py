"""Gaps in Scratch basic (A) and the Grid (G): more than one reading makes sense. The first of each is our default."""

from __future__ import annotations

from typing import Final

from scratch_core.catalogue.records import Ruling

BASIC_GAPS: Final = (
    Ruling(
        id="A01",
        title="Weaker by wrestling",
        system="scratch",
        question=(
            "With wrestling 1 and toughness 8 strength is 11; without the wrestling it would be 15. Does the better "
            "sum count?"
        ),
        readings=(
            "No, toughness counts only with neither wrestling nor swimming.",
            "Yes, the higher of the two.",
        ),
        why="The text ties the second sum to having neither ability.",
        rules=("def.strength", "def.strength.fallback"),
        switch="strength_use_max",
    ),
    Ruling(
        id="A02",
        title="Several abilities in one roll",
        system="scratch",
        question="Fighting, wrestling and knockout may each be added to a basic attack. May two of them at once?",
        readings=(
            "One ability per roll.",
            "Any that fit, knockout alone excepted.",
        ),
        why=(
            "Each text names one ability to add and none speaks of a sum; swimming in water is the one extra. The best "
            "word for the other side: knockout may be added only where no other abilities have been, which sounds as "
            "if others could be added together."
        ),
        rules=("act.basic-attack", "act.knockout.basic", "act.fighting.bonus", "act.wrestling.bonus"),
        switch="stack_abilities",
    ),
    Ruling(
        id="A03",
        title="Once per encounter, against whom",
        system="scratch",
        question="An unrepeatable action is used once. May it be used once against each target?",
        readings=(
            "No: once per character and kind of action, whoever the target is and whether or not it worked.",
            "Yes: once per character, kind of action and target.",
        ),
        why=(
            "The rule speaks of the action and not of targets. The best word for the other side: the source's own "
            "example has one sheriff and one outlaw surprise each other, and names no third whom they can't surprise."
        ),
        rules=("act.unrepeatable", "act.unrepeatable.illustration"),
        switch="unrepeatable_scope",
    ),
    Ruling(
        id="A04",
        title="Is unrepeatable a third kind",
        system="scratch",
        question="Do distract, surprise and intimidate cost the regular action?",
        readings=(
            "Yes, they are regular actions with a limit.",
            "No, they come on top of it.",
        ),
        why="An action of no other stated kind is regular.",
        rules=("act.unrepeatable", "act.regular"),
    ),
    Ruling(
        id="A05",
        title="What a delay stops",
        system="scratch",
        question="A delayed character cannot perform actions. Does that cover bonus actions?",
        readings=(
            "Yes, regular and bonus actions and reactions; not moving on a board.",
            "Only regular actions.",
        ),
        why="A bonus action is an action.",
        rules=("cond.delayed", "act.bonus"),
    ),
    Ruling(
        id="A06",
        title="When you delay yourself",
        system="scratch",
        question="Shooting while injured or a knockout delays its user. Does the delay begin at once?",
        readings=(
            "At once: a bonus action has to come before the attack.",
            "With the next turn; a bonus action may still follow.",
        ),
        why="The text says that the attack delays.",
        rules=("act.shooting.injured-delay", "act.blasting.injured-delay", "act.knockout.self-delay"),
    ),
    Ruling(
        id="A07",
        title="Delayed and panicked at once",
        system="scratch",
        question="Panic demands an evade, a delay forbids it. What happens?",
        readings=(
            "Nothing: the delay wins, and each ends at its own time.",
            "The evade is done all the same.",
        ),
        why=(
            "What you cannot do you cannot be made to do. Panicked but able to act, you may use bonus actions other "
            "than engage, but you may not stand idle while an evade is possible."
        ),
        rules=("cond.panicked", "cond.delayed", "turn.do-nothing"),
    ),
    Ruling(
        id="A08",
        title="Panic in cover",
        system="scratch",
        question="Cover rules out evading, panic asks for it. What does a panicked character in cover do?",
        readings=(
            "Leave cover, which is free, and evade; or escape, if it may.",
            "Stay where it is.",
        ),
        why="Leaving cover is always open to it.",
        rules=("cond.panicked", "act.cover.forbidden", "act.cover.stay"),
    ),
    Ruling(
        id="A09",
        title="Agility and terrain",
        system="scratch",
        question="Movement abilities work in their terrain only. Does that go for agility too?",
        readings=(
            "No, agility counts them anywhere.",
            "Yes, only where they fit.",
        ),
        why="The limit is put on evading, holding and distracting, not on the defence.",
        rules=("def.agility", "move.terrain"),
    ),
    Ruling(
        id="A10",
        title="Which ability evades",
        system="scratch",
        question="With several movement abilities, which one counts for an evade?",
        readings=(
            "One of your choice that suits the place; if none does, the evade adds 0.",
            "The highest, wherever you are.",
        ),
        why="The limit by terrain leaves the choice to you.",
        rules=("act.evade", "move.terrain", "act.evade.no-ability"),
    ),
    Ruling(
        id="A11",
        title="Swimming counted twice",
        system="scratch",
        question="In water swimming adds to close attacks on top. What if swimming is already the ability of the roll?",
        readings=(
            "Once per roll. For agility the bonus in water and the bonus of an evade both count.",
            "Twice in the roll as well.",
        ),
        why=(
            "We let one ability count once in a roll; no source says so. The best word for the other side: swimming "
            "is to come in addition to the levels that are normally added, so a swimmer's hold would have it twice, "
            "as the agility of a swimmer who evades has."
        ),
        rules=("swimming.in-water", "act.evade", "act.hold", "act.distract"),
        switch="swimming_twice",
    ),
    Ruling(
        id="A12",
        title="The flyer's immunity",
        system="scratch",
        question=(
            "A flyer that evades or attacks from afar cannot be attacked at close range by those who don't fly. Where,"
            " for how long, and whichever ability the evade is made with?"
        ),
        readings=(
            (
                "Where there is room to fly, from the moment the act is done until the flyer's next turn begins, even "
                "if it is held meanwhile, and also after an evade with quickness or none. Holds, distractions and "
                "interruptions count as close; every attack at long range counts."
            ),
            "The same, but an evade counts only if flying is the ability it is made with.",
            "Anywhere, and it ends with the evade.",
        ),
        why=(
            "The text sets the end at the next turn and names no other. The best word for the second reading: it "
            "speaks of an evade in flight, and who evades on foot may be said to be on the ground."
        ),
        rules=("flying.immunity",),
        switch="flyer_on_foot",
    ),
    Ruling(
        id="A13",
        title="Under water",
        system="scratch",
        question=(
            "Somebody who evades in deep water is safe from long range and from those who can't swim. Is that one "
            "condition or two?"
        ),
        readings=(
            (
                "Two: nobody attacks it at long range, and only swimmers attack it at close range. It lasts as long as"
                " the evade."
            ),
            "One: only those who can't swim are kept off.",
        ),
        why="So the sentence reads at face value.",
        rules=("swimming.deep-evade", "act.evade.end"),
    ),
    Ruling(
        id="A14",
        title="In and out of cover",
        system="scratch",
        question="When may cover be left, and what ends it?",
        readings=(
            (
                "Freely, at any moment before a roll is declared, also in somebody else's turn to interrupt; coming "
                "back takes the bonus action again. Being moved by a hold ends it. The −2 falls on every roll, healing "
                "too."
            ),
            "Only in your own turn.",
        ),
        why="The text says whenever you wish.",
        rules=("act.cover.stay", "act.cover.effect"),
    ),
    Ruling(
        id="A15",
        title="Engage and no attack",
        system="scratch",
        question="Engage comes before a close attack. What if none follows, and what counts as one?",
        readings=(
            (
                "You need to be able to make one this turn: basic attack, hold, knockout or distract, and both blows "
                "of a double attack gain. The penalty comes either way."
            ),
            "Without an attack there is no penalty.",
        ),
        why="Bonus and penalty are both paid when you engage.",
        rules=("act.engage", "act.engage.penalty"),
    ),
    Ruling(
        id="A16",
        title="Two blows, two targets",
        system="scratch",
        question="May the two blows of a healthy fighter strike two targets?",
        readings=(
            (
                "Yes. Both are named before the first die, and being healthy is asked then. You may leave the second "
                "out: that is one basic attack."
            ),
            "Yes, and the second is chosen after the first is rolled.",
            "No, both strike one target.",
        ),
        why="They are two basic attacks in one action, and each has its target.",
        rules=("act.fighting.double",),
    ),
    Ruling(
        id="A17",
        title="A 20 on a wrestler's hold",
        system="scratch",
        question="A healthy wrestler's hold does 1 damage. Does a 20 make it 2?",
        readings=(
            "Yes, wherever it does the 1.",
            "No, it is no damaging attack.",
        ),
        why="It does damage, so the rule for a 20 applies.",
        rules=("act.wrestling.hold-damage", "hp.auto-damage"),
    ),
    Ruling(
        id="A18",
        title="Whom a counter-hold may answer",
        system="scratch",
        question="A delayed wrestler may hold those who held it since its last turn. Who counts?",
        readings=(
            (
                "Whoever's hold succeeded since the wrestler's last turn ended. Distracting it does not count. The "
                "wrestler stays delayed until its turn ends."
            ),
            "Whoever delayed it, in any way.",
        ),
        why="The text speaks of holds.",
        rules=("act.wrestling.counter-hold",),
    ),
    Ruling(
        id="A19",
        title="One die or three for a blast",
        system="scratch",
        question="Is a blast rolled once for all targets?",
        readings=(
            "A die for each target.",
            "One die for all.",
        ),
        why="The text has an attack on each target, and each may go its own way.",
        rules=("act.blasting.rolls",),
    ),
    Ruling(
        id="A20",
        title="Stealth and detection in one group",
        system="scratch",
        question="Do both add to the group's initiative?",
        readings=(
            "Yes, each with its own highest level, be it of different characters.",
            "Only the higher bonus.",
        ),
        why="They are two rules, and neither excludes the other.",
        rules=("stealth.initiative", "detection.initiative"),
    ),
    Ruling(
        id="A21",
        title="Rolling off a tie",
        system="scratch",
        question="Are bonuses added to the dice that break a tie? What if three are tied?",
        readings=(
            "Bare dice. All who are tied roll, and only those still equal roll again.",
            "The bonuses are added again.",
        ),
        why="The bonuses have had their say in the total.",
        rules=("turn.tie",),
    ),
    Ruling(
        id="A22",
        title="A new order each round",
        system="scratch",
        question="May the characters of a group take their turns in another order next round?",
        readings=(
            "Yes, each once per group turn.",
            "No, the first order stays.",
        ),
        why="The controller decides in every group turn.",
        rules=("turn.member-order", "turn.member-turn"),
    ),
    Ruling(
        id="A23",
        title="Who can be healed",
        system="scratch",
        question="How far does healing reach, and whom?",
        readings=(
            (
                "Anyone else in the encounter who is injured or incapacitated, enemies included, at any distance off "
                "the board."
            ),
            "Only friends at close range.",
        ),
        why="The text names no range and no side.",
        rules=("act.heal", "act.heal.not-self"),
    ),
    Ruling(
        id="A24",
        title="Healing minions",
        system="scratch",
        question="Minions can't be healed during an encounter. Can they be revived?",
        readings=(
            "Neither, until the encounter is over.",
            "They can be revived.",
        ),
        why="Both are uses of the one ability that is barred.",
        rules=("minion.no-heal",),
    ),
    Ruling(
        id="A25",
        title="What craftsmanship may do",
        system="scratch",
        question="Whom may a crafter help, and how far?",
        readings=(
            (
                "Companions, not itself; as many bonuses at once as it has levels. A bonus may pass the highest level "
                "of creation. One on toughness raises the maximum, and hit points with the next encounter."
            ),
            "Itself too, and within the limits of creation.",
        ),
        why="The gift goes to a companion, and the limits are for creation.",
        rules=("craft.bonus", "craft.needs-level", "craft.hurry"),
    ),
    Ruling(
        id="A26",
        title="Minions and their points",
        system="scratch",
        question="Must all of a command be spent, and do the campaign's limits hold for minions?",
        readings=(
            (
                "None, one or two minions, points may be left over, the highest level holds for them, and they act in "
                "their leader's group."
            ),
            "One or two, with every point spent.",
        ),
        why="The command is an upper limit.",
        rules=("command.minions", "command.cp-limit"),
    ),
    Ruling(
        id="A27",
        title="The roll of a knockout",
        system="scratch",
        question="The text on knockout names no roll. What is rolled?",
        readings=(
            "A d20 with knockout against agility.",
            "A bare d20 against agility.",
        ),
        why="It is a normal attack, and attack abilities add their level.",
        rules=("act.knockout", "attack.type-map"),
    ),
    Ruling(
        id="A28",
        title="Shooting without shooting",
        system="scratch",
        question="May somebody without shooting, blasting or knockout try it with the face alone?",
        readings=(
            "No.",
            "Yes, as with any roll that only names an ability.",
        ),
        why="An ability you lack cannot be used.",
        rules=("char.ability-level", "roll.ability-optional", "act.shooting", "act.blasting", "act.knockout"),
    ),
    Ruling(
        id="A29",
        title="Bonuses on strength from toughness",
        system="scratch",
        question="Do an evade and craftsmanship work on a strength that comes from toughness?",
        readings=(
            "Yes, both.",
            "No, only on a strength from wrestling or swimming.",
        ),
        why="Strength is strength, whatever it comes from.",
        rules=("def.strength.fallback", "act.evade", "craft.bonus"),
    ),
    Ruling(
        id="A30",
        title="Weights off the table",
        system="scratch",
        question="The table ends at strength 20 and begins at 10. What of the others?",
        readings=(
            "The same sums and the same rounding go on.",
            "There is no answer.",
        ),
        why="All the figures of the table come out by them.",
        rules=("carry.table",),
    ),
    Ruling(
        id="A31",
        title="Escaping after a broken evade",
        system="scratch",
        question="You evaded and were then held. Have you evaded on your last turn?",
        readings=(
            "Yes, unless an interrupting attack stopped the evade itself.",
            "No, a broken evade is none.",
        ),
        why="The rule asks what you did, not how long it lasted. A delay still costs you the turn.",
        rules=("act.escape", "act.evade.end"),
    ),
    Ruling(
        id="A32",
        title="Latecomers",
        system="scratch",
        question="May somebody join an encounter or change sides in the middle?",
        readings=(
            "There is no rule for it, and we have none.",
            "A newcomer rolls initiative and is put in its place.",
        ),
        why="Nothing in the texts says how.",
        rules=("turn.initiative-roll",),
    ),
    Ruling(
        id="A33",
        title="Who is an enemy",
        system="scratch",
        question="Groups say who controls a character. Who says whose enemy it is?",
        readings=(
            "Each character has a side.",
            "Everyone outside the group is an enemy.",
        ),
        why="Two people may well be on one side.",
        rules=("turn.group", "act.blasting"),
    ),
    Ruling(
        id="A34",
        title="A bonus action in place of the regular one",
        system="scratch",
        question="May the regular action be given up for a second bonus action?",
        readings=(
            "No.",
            "Yes.",
        ),
        why="One of each is what a turn has.",
        rules=("act.bonus", "act.regular"),
    ),
    Ruling(
        id="A35",
        title="Striking the fallen",
        system="scratch",
        question="May somebody with 0 hit points be attacked?",
        readings=(
            "Yes, and it does nothing.",
            "No.",
        ),
        why="Nothing forbids it, and hit points never fall below 0.",
        rules=("hp.floor", "hp.incapacitated"),
    ),
    Ruling(
        id="A36",
        title="The roll of hurried work",
        system="scratch",
        question="Work in a hurry takes a success roll. Is craftsmanship added?",
        readings=(
            "Yes.",
            "No, it is a bare d20.",
        ),
        why="The chapter on rolls has a craftsmanship roll for its example, and nobody else can be making this one.",
        rules=("craft.hurry",),
    ),
    Ruling(
        id="A37",
        title="What a failed hurry locks",
        system="scratch",
        question="If work in a hurry fails, that bonus can't be made until there is time. Which bonus is that?",
        readings=(
            "The one on that ability of that companion: the crafter may hurry on with another.",
            "One of the crafter's bonuses besides: with craftsmanship 1, a failure ends its work in a hurry.",
        ),
        why="The text says that the bonus is lost for now, and calls by that name what a companion gets.",
        rules=("craft.hurry-fail", "craft.hurry"),
        switch="failed_hurry",
    ),
    Ruling(
        id="A38",
        title="Who is a companion",
        system="scratch",
        question="Craftsmanship helps those who travel with the crafter. Who counts as one?",
        readings=(
            "Anybody else who is there; the table says who travels with whom.",
            "Those of the crafter's own side alone.",
        ),
        why="No text says what a companion is, and sides belong to a fight, which is not on while anybody crafts.",
        rules=("craft.bonus",),
    ),
    Ruling(
        id="A39",
        title="How hard a hurry is",
        system="scratch",
        question="In a hurry the difficulty is usually 10. When is it another?",
        readings=(
            "When the game master says so; without a word it is 10.",
            "It is always 10.",
        ),
        why="Usually is not always, and no text says what makes it harder.",
        rules=("craft.hurry",),
    ),
    Ruling(
        id="A40",
        title="A crafted level of command",
        system="scratch",
        question="A crafted bonus on command is a level more. Does it also raise the points of the minions?",
        readings=(
            "No. It counts in rolls and in intelligence; minions go by the levels bought.",
            "Yes, as long as it lasts.",
        ),
        why="Minions are chosen when a character is made, and a bonus for a while would make them come and go.",
        rules=("craft.bonus", "command.cp-limit", "def.intelligence"),
    ),
    Ruling(
        id="A41",
        title="Hit points at the start",
        system="scratch",
        question="The fighters of the one fight that is told begin with all their hit points. Does everybody, always?",
        readings=(
            "Yes: whoever enters an encounter has all hit points, unless the table says otherwise.",
            "No, you enter with what the last encounter left you, and heal in between.",
        ),
        why="No text says how hit points come back between encounters, and the one that is told begins with all.",
        rules=("hp.start", "hp.max"),
    ),
    Ruling(
        id="A42",
        title="A roll by somebody who is down",
        system="scratch",
        question="With 0 hit points you have no actions. May you still make a roll that is no action of a turn?",
        readings=(
            "Yes: a bare roll is nobody's action, and the game master decides whether there is one.",
            "No, nothing at all.",
        ),
        why="The rule takes actions away. A roll to notice something, or to hold on to life, is none.",
        rules=("hp.incapacitated", "roll.d20"),
    ),
    Ruling(
        id="A43",
        title="Levels for training and armour",
        system="scratch",
        question="Training may stand for 1 or 2 levels of toughness, heavy armour for 2. Do they come for free?",
        readings=(
            "No. The numbers say how much toughness to buy; each level costs a character point, like any other.",
            "Yes, they come on top of the points.",
        ),
        why="A character point is a level, whatever it stands for; the printed fighters pay for theirs.",
        rules=("tough.training-armour", "tough.benchmarks", "create.cp"),
    ),
)

GRID_GAPS: Final = (
    Ruling(
        id="G01",
        title="Where a move exposes",
        system="grid",
        question="A move of more than 1 space exposes the mover to opponents within 1 space. Within 1 space of where?",
        readings=(
            "Of the start, and of each space entered from the second on.",
            "Of the start alone.",
            "Of the spaces entered from the second on alone.",
        ),
        why="The whole move exposes: the advice on escaping shows that leaving counts, the wording that arriving does.",
        rules=("grid.interrupt.trigger.move",),
        switch="interrupt_move",
    ),
    Ruling(
        id="G02",
        title="Spaces or movement",
        system="grid",
        question="One step over rough ground costs 2. Is that more than 1 space?",
        readings=(
            "No, spaces are counted.",
            "Yes, the cost is counted.",
        ),
        why="The text says spaces.",
        rules=("grid.interrupt.trigger.move", "grid.move.rough"),
    ),
    Ruling(
        id="G03",
        title="Where an interrupted move ends",
        system="grid",
        question="A successful interruption stops a move. Where does the mover stand?",
        readings=(
            "Where it was when it was attacked; if an ally stands there, on the last free space of its way.",
            "Back at the start.",
        ),
        why="What has been walked has been walked.",
        rules=("grid.interrupt.prevent",),
    ),
    Ruling(
        id="G04",
        title="Who may interrupt, and with what",
        system="grid",
        question="Does an interruption need fighting, wrestling or knockout?",
        readings=(
            (
                "No. Anyone not barred may, with one of them or the face alone. It costs nothing and delays nobody; "
                "the panicked and those in cover cannot."
            ),
            "Yes, one of the three is needed.",
        ),
        why=(
            "The roll names abilities and requires none. An act that is interrupted has not happened yet, so it gives "
            "no immunity."
        ),
        rules=("grid.interrupt.roll", "grid.interrupt.unable"),
    ),
    Ruling(
        id="G05",
        title="The price of what was prevented",
        system="grid",
        question="Is a prevented action spent?",
        readings=(
            "Yes, and the one use of an unrepeatable action too; nothing of it happens.",
            "No, it may be done later.",
        ),
        why="It was begun, and the turn is over.",
        rules=("grid.interrupt.prevent", "act.unrepeatable"),
    ),
    Ruling(
        id="G06",
        title="Several interrupters",
        system="grid",
        question="Who goes first if several may interrupt?",
        readings=(
            "By initiative, then as their controller likes, until one succeeds.",
            "All at once.",
        ),
        why="Initiative is the only order there is.",
        rules=("grid.interrupt.what", "turn.order"),
    ),
    Ruling(
        id="G07",
        title="Delayed and on the move",
        system="grid",
        question="May a delayed character move, if nobody holds it?",
        readings=(
            "Yes.",
            "No.",
        ),
        why="The Grid bars the incapacitated and the immobilized, and moving is no action.",
        rules=("grid.move.who", "cond.delayed"),
        switch="delayed_blocks_move",
    ),
    Ruling(
        id="G08",
        title="Distance for words",
        system="grid",
        question="The Grid names some attacks when it speaks of distance. What of distract, surprise and intimidate?",
        readings=(
            "Every close attack needs an adjacent target, every long one a line of sight.",
            "Only the attacks it names.",
        ),
        why="They have a range like the others.",
        rules=("grid.close.reach", "grid.long.los"),
    ),
    Ruling(
        id="G09",
        title="What is a far attack",
        system="grid",
        question=(
            "Attacking an enemy more than 1 space away exposes. What of a blast, or of a shot at somebody adjacent?"
        ),
        readings=(
            (
                "A blast exposes if an enemy in it or the space aimed at is further off; a shot at an adjacent enemy "
                "does not."
            ),
            "Every attack at long range exposes.",
        ),
        why="Distance is what the text looks at.",
        rules=("grid.interrupt.trigger.far-attack",),
    ),
    Ruling(
        id="G10",
        title="Drawing the line of sight",
        system="grid",
        question="The drawing is missing. How is a line of sight found?",
        readings=(
            (
                "From centre to centre. A space that the line passes through blocks it; at a corner or along an edge "
                "only both neighbours together do."
            ),
            "From any corner to any corner.",
        ),
        why="It is the plainest way, and it works alike in both directions.",
        rules=("grid.long.los", "grid.diagrams"),
    ),
    Ruling(
        id="G11",
        title="Diagonal steps",
        system="grid",
        question="What does a diagonal step cost, and may it squeeze between walls?",
        readings=(
            "It costs 1, and it is barred only if both spaces beside it are walls or obstacles.",
            "It costs 1 and is never barred.",
        ),
        why="A space on squares has eight neighbours, as the size of a blast shows.",
        rules=("grid.move.step", "grid.blast.max"),
    ),
    Ruling(
        id="G12",
        title="The fallen",
        system="grid",
        question="Does an incapacitated character stand in the way?",
        readings=(
            "Yes: it fills its space, blocks sight as an enemy and stops movement. It cannot interrupt.",
            "No, it is as good as gone.",
        ),
        why="Nothing exempts it. Whoever has escaped is off the board.",
        rules=("grid.move.blocked", "grid.zoc.stop", "grid.long.los"),
        switch="downed_are_inert",
    ),
    Ruling(
        id="G13",
        title="Mixing allowances",
        system="grid",
        question="How do extra spaces for one terrain go together with the others?",
        readings=(
            "Extras go first, on their own terrain; a step may use both. An injury does not halve them.",
            "Extras and ordinary movement never mix in a step.",
        ),
        why="So nobody loses movement by the order of the steps.",
        rules=(
            "grid.move.base",
            "grid.move.quickness",
            "grid.move.flying",
            "grid.move.acrobatics",
            "grid.move.swimming",
        ),
    ),
    Ruling(
        id="G14",
        title="Flying over things",
        system="grid",
        question="What does a flyer pay, and what stops it?",
        readings=(
            "1 per space wherever there is room to fly; walls, obstacles and enemies stop it as anyone.",
            "It passes over all of them.",
        ),
        why="Air is neither rough nor wet, and the rest has no exception.",
        rules=("grid.move.flying", "grid.move.blocked", "grid.zoc.stop"),
    ),
    Ruling(
        id="G15",
        title="Those who can't swim",
        system="grid",
        question="May they enter water?",
        readings=(
            "Shallow water at double cost; deep water not by their own will.",
            "No water at all.",
        ),
        why="Wading is not swimming.",
        rules=("grid.move.water", "swimming.requires"),
    ),
    Ruling(
        id="G16",
        title="After a hold",
        system="grid",
        question="Is it movement to be swapped or pushed?",
        readings=(
            (
                "No: it stops nowhere, exposes nobody and uses up no move. The holder may do it at once, or later in "
                "its turn, also after it has moved, while the two are next to each other; onto a space that can be "
                "stood on, never off the board. An exit is no escape."
            ),
            "Yes, with everything that follows from moving.",
        ),
        why="The held one does not move by itself.",
        rules=("grid.hold.reposition",),
    ),
    Ruling(
        id="G17",
        title="Hold on a board",
        system="grid",
        question="Does a hold still delay, now that it immobilizes?",
        readings=(
            "Yes, both.",
            "It immobilizes instead.",
        ),
        why="The Grid adds.",
        rules=("grid.hold.immobilize", "act.hold"),
    ),
    Ruling(
        id="G18",
        title="Moving before taking cover",
        system="grid",
        question="Cover comes before any other action. May you move first?",
        readings=(
            "Yes.",
            "No.",
        ),
        why="Moving is no action.",
        rules=("act.cover", "grid.move.who"),
    ),
    Ruling(
        id="G19",
        title="Caught in one's own blast",
        system="grid",
        question="Does a blast strike the one who made it?",
        readings=(
            "Yes, if it stands within 1 space of the space aimed at.",
            "No.",
        ),
        why="Every character means every one.",
        rules=("grid.blast.area",),
    ),
    Ruling(
        id="G20",
        title="A blast and walls",
        system="grid",
        question="Do walls stop a blast?",
        readings=(
            "Only on the way to the space aimed at; from there it reaches all around.",
            "They shield those behind them.",
        ),
        why="No text limits it.",
        rules=("grid.blast.area", "grid.long.los"),
    ),
    Ruling(
        id="G21",
        title="Off the edge",
        system="grid",
        question="What does it cost to leave by the edge?",
        readings=(
            "1, as a step.",
            "Nothing.",
        ),
        why="It is a step like any other.",
        rules=("grid.escape.exit",),
    ),
    Ruling(
        id="G22",
        title="How long an escape is barred",
        system="grid",
        question="An interruption bars escaping on the next turn. When may the target escape?",
        readings=(
            "On the turn after that, if it evades on the barred one.",
            "On the barred one, if it evades first.",
        ),
        why="An escape needs an evade on the turn before anyway.",
        rules=("grid.interrupt.escape-ban", "act.escape"),
    ),
    Ruling(
        id="G23",
        title="Past a corner",
        system="grid",
        question="Two walls meet at a corner between two fighters. A step there is barred and a shot blocked. A blow?",
        readings=(
            "It reaches: a close attack asks for a neighbouring space and nothing else.",
            "It is barred, as the step is.",
        ),
        why="The text gives close attacks a distance, and no line of sight.",
        rules=("grid.close.reach", "grid.long.los", "grid.move.blocked"),
    ),
    Ruling(
        id="G24",
        title="A blast at a wall",
        system="grid",
        question="A blast is aimed at a space. Which spaces may that be?",
        readings=(
            "Any in sight, an empty one and a wall as well.",
            "Only one that somebody can stand in.",
        ),
        why="The text asks for a line of sight to the space and for nothing else.",
        rules=("grid.blast.target", "grid.blast.area"),
    ),
)
