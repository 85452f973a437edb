"""The 137 rules of Scratch basic by chapter; each line is `id | title`, then deviations from the chapter.

A third column names another module (`@encounter`) or gives the reason why no code implements the rule.
"""

from __future__ import annotations

from scratch_core.rulebook.records import Rule, RuleSystem

EXAMPLE = "an example in numbers; tests hold the engine to it"


def parse_rules_of_chapter(
    system: RuleSystem, page_url: str, source_pages: str, module_name: str, text: str
) -> tuple[Rule, ...]:
    """Parse a chapter's lines into rules.

    `source_pages` lists the numbers of the source pages, separated by spaces.
    """
    return tuple(_parse_rule(system, page_url, source_pages, module_name, line) for line in text.strip().splitlines())


def _parse_rule(system: RuleSystem, page: str, source: str, module: str, line: str) -> Rule:
    rule_id, title, *rest = (column.strip() for column in line.split("|"))
    note = rest[0] if rest else ""
    if note.startswith("@"):
        return Rule(rule_id, title, system, page, tuple(source.split()), note[1:])
    reason = EXAMPLE if note == "example" else note
    return Rule(rule_id, title, system, page, tuple(source.split()), module, reason)


BASIC = (
    *parse_rules_of_chapter(
        "scratch",
        "rules/making-a-character/",
        "002",
        "characters",
        """
        char.ability-level | Abilities and their levels
        char.stat-line | The printed character
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/rolls/",
        "002",
        "dice",
        """
        roll.d20 | One d20 settles it
        roll.modifier | Levels and modifiers are added
        roll.success | Reaching the difficulty succeeds
        roll.auto-success | A natural 20 always succeeds
        roll.failure | Falling short fails
        roll.no-auto-fail | A natural 1 has no special effect
        roll.ability-optional | Rolls that anyone may try | @characters
        roll.ability-required | Rolls that require an ability | @characters
        roll.notation | How a roll is written
        roll.beyond-reach | When only a 20 will do
        roll.illustrations | The figures in the examples | example
        roll.die-substitute | Playing without a d20
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/turns/",
        "000 002",
        "encounter",
        """
        turn.group | One initiative group per player
        turn.encounter | Turns belong to encounters
        turn.initiative-roll | Rolling initiative
        turn.order | Highest initiative first, round after round
        turn.tie | Breaking a tie
        turn.member-turn | Everyone in the group gets a turn
        turn.member-order | The player decides the order
        """,
    ),
    *parse_rules_of_chapter("scratch", "rules/turns/", "002", "encounter", "turn.do-nothing | Doing nothing"),
    *parse_rules_of_chapter(
        "scratch",
        "rules/turns/",
        "000 002",
        "encounter",
        """
        act.regular | One regular action a turn
        act.bonus | One bonus action a turn
        act.bonus.examples | Everyday bonus actions
        act.unrepeatable | Once per encounter
        act.unrepeatable.illustration | Sheriff and outlaw | example
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/hit-points/",
        "002",
        "characters",
        """
        hp.max | Maximum hit points
        hp.start | Starting at the maximum
        hp.stamina | Stamina
        hp.healthy | Healthy
        hp.injured | Injured
        hp.incapacitated | Incapacitated
        hp.floor | Never below zero
        hp.illustration-7 | Toughness 7, point by point | example
        hp.damage | Damage takes hit points
        hp.auto-damage | One more damage on a 20
        hp.auto-no-damage | No damage stays no damage
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/defences/",
        "002",
        "characters",
        """
        attack.type-map | Which defence resists which attack | @encounter
        def.agility | Agility
        def.agility.meaning | What agility resists | a word's meaning; the attack's type decides at the table
        def.agility.illustration | Agility in numbers | example
        def.intelligence | Intelligence
        def.intelligence.meaning | What intelligence resists | a word's meaning; the attack's type decides at the table
        def.psychic-source | Psychic, whatever the source | nothing changes, so there is nothing to compute
        def.strength | Strength
        def.strength.fallback | Strength from toughness
        def.strength.meaning | What strength resists | a word's meaning; the attack's type decides at the table
        carry.pack | A pack for the whole day
        carry.short | A load for a few minutes
        carry.lift | Lifting in place
        carry.drag | Dragging
        carry.soft | The limits are soft
        carry.table | The table of weights
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/actions/",
        "002",
        "encounter",
        """
        act.basic.available | Eight actions for everyone
        act.basic-attack | Basic attack
        act.throw-object | Throw object
        act.throw-object.needs-object | Something to throw
        act.hold | Hold
        act.hold.stops-evade | A hold ends an evade
        act.distract | Distract
        act.evade | Evade
        act.evade.end | How long an evade lasts
        act.evade.no-ability | Evading without a movement ability
        act.escape | Escape
        act.escape.effect | Out of the encounter
        act.engage | Engage
        act.engage.penalty | What engaging costs
        act.cover | Take cover
        act.cover.effect | What cover does
        act.cover.stay | Staying in cover and leaving it
        act.cover.forbidden | What cover rules out
        """,
    ),
    *parse_rules_of_chapter("scratch", "rules/actions/", "002 004", "encounter", "cond.delayed | Delayed"),
    *parse_rules_of_chapter(
        "scratch",
        "rules/actions/",
        "002",
        "encounter",
        """
        cond.delayed.expiry | When a delay ends
        cond.panicked | Panicked
        cond.panicked.expiry | When panic ends
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/making-a-character/",
        "002",
        "characters",
        """
        create.cp | Character points buy levels
        create.max-level | Maximum level
        create.average | Limits for average characters
        create.above-average | Limits for slightly better characters
        create.typical | A typical character
        create.setting | The setting decides what fits | left to the table, which knows its setting
        create.reskin | Same numbers, other looks | looks change no number
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/abilities/",
        "002",
        "characters",
        """
        tough.none | Without toughness
        tough.benchmarks | Toughness of common creatures | @rulebook.abilities
        tough.training-armour | Training and armour | @rulebook.abilities
        """,
    ),
    *parse_rules_of_chapter(
        "scratch",
        "rules/abilities/",
        "002",
        "encounter",
        """
        act.shooting | Shooting
        act.shooting.auto | Shooting a 20
        act.shooting.injured-delay | Shooting while injured
        act.blasting | Blasting
        act.blasting.distinct | Each target once
        act.blasting.rolls | One roll per target
        act.blasting.injured-delay | Blasting while injured
        act.knockout | Knockout
        act.knockout.damage | What a knockout does
        act.knockout.self-delay | A knockout delays its user
        act.knockout.basic | Knockout in a basic attack
        act.fighting.bonus | Fighting adds to basic attacks
        act.fighting.double | Two basic attacks in one action
        act.wrestling.bonus | Wrestling adds to attacks and holds
        act.wrestling.hold-damage | A hold that does damage
        act.wrestling.counter-hold | Counter-hold while delayed
        act.wrestling.counter-hold.no-damage | A counter-hold does no damage
        stealth.initiative | Stealth in initiative
        detection.initiative | Detection in initiative
        detection.hold | Detection adds to holds
        act.surprise | Surprise
        move.use | What movement abilities are for
        move.terrain | Only in the right terrain
        acrobatics.terrain | Where acrobatics works
        quickness.terrain | Where quickness works
        flying.terrain | Where flying works
        flying.requires | No flight without flying
        flying.immunity | Out of reach in the air
        swimming.requires | No swimming without swimming
        swimming.scale | How good a swimmer | a scale in words; nothing else in the game depends on it
        swimming.in-water | Swimming in water
        swimming.deep-evade | Diving out of sight
        act.heal | Heal
        act.heal.not-self | Not yourself
        act.heal.revive | Revive
        act.heal.injured | Healing an injury
        craft.bonus | A crafter's bonuses | @encounter
        craft.needs-level | Only on abilities with a level | @encounter
        craft.one-per-ability | One bonus per ability | @encounter
        craft.duration | How long a bonus stays | @encounter
        craft.encounter-lock | Not during an encounter | @encounter
        craft.hurry | In a hurry | @encounter
        craft.hurry-fail | When hurried crafting fails | @encounter
        command.minions | One or two minions | @characters
        command.cp-limit | What minions may cost | @characters
        command.no-command | Minions have no minions | @characters
        command.illustration-4 | Command 4, three ways | example
        minion.independent | Minions fight on
        minion.no-heal | No healing for minions in a fight
        act.intimidate | Intimidate
        act.intimidate.defence | What intimidation must beat
        """,
    ),
)
