"""Refused actions in detail: each names its rules in order."""

from dataclasses import replace
from typing import Any

import pytest

from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.encounter.actions import (
    ABILITY_ACTIONS,
    ACTION_NAMES,
    OUT_OF_TURN_ACTIONS,
    ROLL_ACTIONS,
    TARGETED_ACTIONS,
    Action,
)
from scratch_core.encounter.engine import apply_events, check_action
from scratch_core.encounter.state import EncounterEnded, EncounterState, Evade, TurnUsage, build_initial_state
from scratch_core.rulebook import RulingSettings
from tests.support.encounters import (
    HERO,
    LEGACY_RULINGS,
    PLAIN,
    B,
    C,
    begin_first_turn,
    begin_second_attack,
    build_action,
    build_delays,
    build_encounter_fighter,
    with_changed_b,
    with_flying_b,
)

PAIR = RulingSettings(unrepeatable_scope="pair")


HEAL, REVIVE = "act.heal.injured act.heal", "act.heal.revive act.heal"
TOO_OFTEN = replace(begin_first_turn(used=(("surprise", "b"),), rulings=PAIR))

# The broken rules of an action in order, and its message if that depends on the case.


@pytest.mark.parametrize(
    ("state", "action", "rules", "words"),
    [
        (begin_first_turn(PLAIN), build_action("throw", "b"), "act.throw-object.needs-object act.throw-object", ""),
        (begin_first_turn(), build_action("basic-attack", "b", "c"), "act.basic-attack", "one target, got 2"),
        (begin_first_turn(), build_action("hold"), "act.hold", "one target, got 0"),
        (begin_first_turn(), build_action("double-attack"), "act.fighting.double", "1 to 2 targets, got 0"),
        (
            begin_first_turn(),
            build_action("double-attack", "b", "b", "c"),
            "act.fighting.double",
            "1 to 2 targets, got 3",
        ),
        (
            begin_first_turn(),
            build_action("second-blow", "b"),
            "act.fighting.double",
            "a first blow right before it, got none",
        ),
        (begin_second_attack(), build_action("second-blow", "b", "c"), "act.fighting.double", "one target, got 2"),
        (
            begin_second_attack(),
            build_action("second-blow", "b", uses=("wrestling",)),
            "act.fighting.double",
            "both blows, got wrestling",
        ),
        (
            begin_second_attack(),
            build_action("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "a second one after two basic attacks",
        ),
        (begin_second_attack(), build_action("engage"), "act.engage", "one after the regular action"),
        (begin_first_turn(), build_action("blast"), "act.blasting", "1 to 3 targets, got 0"),
        (
            begin_first_turn(),
            build_action("blast", "b", "c", "b", "c"),
            "act.blasting act.blasting.distinct",
            "1 to 3 targets, got 4",
        ),
        (begin_first_turn(), build_action("blast", "b", "b"), "act.blasting.distinct", "each target once"),
        (
            begin_first_turn(b=replace(B, side="a")),
            build_action("blast", "b", "c"),
            "act.blasting",
            "enemies, got b, an ally",
        ),
        (
            begin_first_turn(),
            build_action("basic-attack", "a"),
            "act.basic-attack",
            "another character as the target, got a",
        ),
        (
            with_changed_b(begin_first_turn(), escaped=True),
            build_action("basic-attack", "b"),
            "act.escape.effect",
            "b, who has escaped",
        ),
        (
            begin_first_turn(hp=2),
            build_action("double-attack", "b", "b"),
            "act.fighting.double",
            "a healthy fighter, got a, injured",
        ),
        (
            begin_first_turn(),
            build_action("counter-hold", "b"),
            "act.wrestling.counter-hold act.wrestling.counter-hold",
            "a delayed wrestler (others hold as usual), got a, not delayed",
        ),
        (
            begin_first_turn(hp=2, **build_delays(("hold", 1))),
            build_action("counter-hold", "b"),
            "act.wrestling.counter-hold",
            "got a, injured",
        ),
        (
            begin_first_turn(**build_delays(("hold", 1))),
            build_action("counter-hold", "c"),
            "act.wrestling.counter-hold",
            "whose hold on a succeeded",
        ),
        (
            begin_first_turn(PLAIN, **build_delays(("hold", 1))),
            build_action("counter-hold", "b"),
            "act.wrestling.counter-hold roll.ability-required char.ability-level",
            "wrestling of level 1 or more, got none in a",
        ),
        # healing
        (begin_first_turn(), build_action("heal", "b", "c"), "act.heal.injured", "one target, got 2"),
        (begin_first_turn(), build_action("revive"), "act.heal.revive", "one target, got 0"),
        (begin_first_turn(), build_action("heal", "b"), HEAL, "an injured character, got b, healthy"),
        (begin_first_turn(), build_action("revive", "b"), REVIVE, "an incapacitated character, got b, healthy"),
        (
            begin_first_turn(b=build_encounter_fighter("b", {"stealth": 1})),
            build_action("revive", "b"),
            REVIVE,
            "got b, without toughness",
        ),
        (begin_first_turn(hp=2), build_action("heal", "a"), "act.heal.not-self", "someone else, got a"),
        (
            with_changed_b(begin_first_turn(), hp=2, escaped=True),
            build_action("heal", "b"),
            "act.escape.effect",
            "b, who has escaped",
        ),
        (
            with_changed_b(begin_first_turn(PLAIN), hp=2),
            build_action("heal", "b"),
            "act.heal act.heal.injured roll.ability-required char.ability-level",
            "healing of level 1 or more, got none in a",
        ),
        (
            with_changed_b(begin_first_turn(PLAIN), hp=0),
            build_action("revive", "b"),
            "act.heal act.heal.revive roll.ability-required char.ability-level",
            "healing of level 1 or more",
        ),
        (
            begin_first_turn(PLAIN),
            build_action("shoot", "b"),
            "act.shooting roll.ability-required char.ability-level",
            "shooting of level 1",
        ),
        (
            begin_first_turn(PLAIN),
            build_action("surprise", "b"),
            "act.surprise roll.ability-required char.ability-level",
            "stealth or detection of level 1 or more",
        ),
        # conditions
        (begin_first_turn(hp=0), build_action("bonus"), "hp.incapacitated", ""),
        (begin_first_turn(escaped=True), build_action("bonus"), "act.escape.effect act.escape", "a, who has escaped"),
        (
            begin_first_turn(build_encounter_fighter("a", {"shooting": 1})),
            build_action("shoot", "b"),
            "tough.none hp.incapacitated",
            "toughness, got a without",
        ),
        (
            begin_first_turn(**build_delays(("hold", 1))),
            build_action("basic-attack", "b"),
            "cond.delayed act.hold cond.delayed.expiry",
            "a, delayed by hold until the end of this turn",
        ),
        (
            begin_first_turn(
                **build_delays(("knockout", 1), ("shooting", 2), ("blasting", 2), ("distract", 1), ("shooting", 1))
            ),
            build_action("bonus"),
            "cond.delayed act.knockout.self-delay act.shooting.injured-delay act.blasting.injured-delay act.distract "
            "cond.delayed.expiry",
            "knockout and shooting and blasting and distract until the end of their next turn",
        ),
        (
            begin_first_turn(panicked_until=1),
            build_action("basic-attack", "b"),
            "cond.panicked",
            "a, panicked in basic attack",
        ),
        (begin_first_turn(panicked_until=1), build_action("shoot", "b"), "cond.panicked", ""),
        (begin_first_turn(panicked_until=1), build_action("surprise", "b"), "cond.panicked", ""),
        (with_changed_b(begin_first_turn(panicked_until=1), hp=2), build_action("heal", "b"), "cond.panicked", ""),
        (with_changed_b(begin_first_turn(panicked_until=1), hp=0), build_action("revive", "b"), "cond.panicked", ""),
        (begin_first_turn(panicked_until=1), build_action("engage"), "cond.panicked", ""),
        (begin_first_turn(panicked_until=1), build_action("nothing"), "cond.panicked turn.do-nothing", ""),
        (begin_first_turn(panicked_until=1), build_action("end-turn"), "cond.panicked turn.do-nothing", ""),
        (
            begin_first_turn(panicked_until=1, **build_delays(("hold", 1))),
            build_action("counter-hold", "b"),
            "cond.panicked",
            "",
        ),
        (begin_first_turn(panicked_until=1), build_action("bonus"), "", ""),
        (begin_first_turn(panicked_until=1, escaped=True), build_action("end-turn"), "", ""),
        (begin_first_turn(panicked_until=1, hp=0), build_action("end-turn"), "", ""),
        (replace(begin_first_turn(panicked_until=1), ledger=TurnUsage(("evade",))), build_action("end-turn"), "", ""),
        (begin_first_turn(panicked_until=1), build_action("evade"), "", ""),
        (begin_first_turn(panicked_until=1, **build_delays(("hold", 1))), build_action("nothing"), "", ""),
        (begin_first_turn(in_cover=True), build_action("basic-attack", "b"), "act.cover.forbidden", "a in cover"),
        (begin_first_turn(in_cover=True), build_action("surprise", "b"), "act.cover.forbidden", ""),
        (begin_first_turn(in_cover=True), build_action("intimidate", "b"), "act.cover.forbidden", ""),
        (begin_first_turn(in_cover=True), build_action("distract", "b"), "act.cover.forbidden", ""),
        (begin_first_turn(in_cover=True), build_action("evade"), "act.cover.forbidden", ""),
        (begin_first_turn(in_cover=True), build_action("engage"), "act.cover.forbidden act.engage", ""),
        (begin_first_turn(in_cover=True), build_action("take-cover"), "act.cover", "out of cover, got a in cover"),
        (
            begin_first_turn(in_cover=True, **build_delays(("hold", 1))),
            build_action("counter-hold", "b"),
            "act.cover.forbidden",
            "",
        ),
        (begin_first_turn(in_cover=True), build_action("shoot", "b"), "", ""),
        (begin_first_turn(in_cover=True), build_action("bonus"), "", ""),
        (begin_first_turn(in_cover=True, **build_delays(("hold", 1))), build_action("leave-cover"), "", ""),
        (begin_first_turn(), build_action("leave-cover"), "act.cover.stay", "an actor in cover, got a out of it"),
        (begin_first_turn(), build_action("escape"), "act.escape", "a without an evade in their last turn"),
        (begin_first_turn(), build_action("take-cover"), "act.cover", "something to hide behind, got nothing"),
        # what the turn has used
        (
            replace(begin_first_turn(), ledger=TurnUsage(("shoot",))),
            build_action("evade"),
            "act.regular",
            "a second one after shooting",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage(("shoot",))),
            build_action("hold", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage(("shoot",))),
            build_action("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage(("hold",))),
            build_action("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage(("shoot",))),
            build_action("engage"),
            "act.engage",
            "one after the regular action",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage((), "bonus")),
            build_action("engage"),
            "act.bonus",
            "a second one after other bonus action",
        ),
        (
            replace(begin_first_turn(replace(HERO, here=frozenset(("cover",)))), ledger=TurnUsage(("evade",))),
            build_action("take-cover"),
            "act.cover",
            "cover before any other action of the turn",
        ),
        (
            replace(begin_first_turn(), ledger=TurnUsage((), "bonus")),
            build_action("take-cover"),
            "act.bonus act.cover act.cover",
            "",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS), ledger=TurnUsage(("hold",))),
            build_action("basic-attack", "b"),
            "",
            "",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS), ledger=TurnUsage(("basic-attack",))),
            build_action("hold", "b"),
            "",
            "",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS), ledger=TurnUsage(("hold",))),
            build_action("engage"),
            "",
            "",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS), ledger=TurnUsage(("hold",))),
            build_action("hold", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS), ledger=TurnUsage(("hold", "basic-attack"))),
            build_action("hold", "b"),
            "act.regular act.wrestling.bonus",
            "after basic attack",
        ),
        (
            replace(begin_first_turn(rulings=LEGACY_RULINGS, hp=2), ledger=TurnUsage(("hold",))),
            build_action("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(begin_first_turn(PLAIN, rulings=LEGACY_RULINGS), ledger=TurnUsage(("hold",))),
            build_action("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (TOO_OFTEN, build_action("surprise", "b"), "act.unrepeatable", "each unrepeatable action once"),
        (TOO_OFTEN, build_action("surprise", "c"), "", ""),
        (TOO_OFTEN, build_action("intimidate", "b"), "", ""),
        (begin_first_turn(used=(("surprise", "b"),)), build_action("intimidate", "b"), "", ""),
        # abilities named
        (
            begin_first_turn(),
            build_action("basic-attack", "b", uses=("fighting", "wrestling")),
            "act.basic-attack",
            "one ability in a roll",
        ),
        (
            begin_first_turn(rulings=RulingSettings(stack_abilities=True)),
            build_action("basic-attack", "b", uses=("fighting", "fighting")),
            "act.basic-attack",
            "each ability once, got fighting and fighting",
        ),
        (
            begin_first_turn(rulings=RulingSettings(stack_abilities=True)),
            build_action("basic-attack", "b", uses=("fighting", "knockout")),
            "act.knockout.basic act.basic-attack",
            "knockout without another ability, got fighting and knockout",
        ),
        (
            begin_first_turn(),
            build_action("basic-attack", "b", uses=("shooting",)),
            "act.basic-attack",
            "fighting, wrestling and knockout, got",
        ),
        (
            begin_first_turn(PLAIN),
            build_action("basic-attack", "b", uses=("fighting",)),
            "char.ability-level act.fighting.bonus",
            "an ability that a has, got fighting 0",
        ),
        (
            begin_first_turn(),
            build_action("hold", "b", uses=("swimming",)),
            "swimming.requires move.terrain move.use",
            "water, got swimming",
        ),
        (
            begin_first_turn(),
            build_action("shoot", "b", uses=()),
            "act.shooting roll.ability-required",
            "shooting added, got none",
        ),
        (
            with_changed_b(begin_first_turn(), hp=2),
            build_action("heal", "b", uses=()),
            "act.heal act.heal.injured roll.ability-required",
            "healing added, got none",
        ),
        (
            with_changed_b(begin_first_turn(), hp=0),
            build_action("revive", "b", uses=("fighting",)),
            "act.heal act.heal.revive",
            "healing, got fighting",
        ),
        (
            begin_first_turn(),
            build_action("double-attack", "b", "b", uses=("wrestling",)),
            "act.fighting.double",
            "in both blows, got wrestling",
        ),
        (
            begin_first_turn(),
            build_action("double-attack", "b", "b", uses=()),
            "act.fighting.double",
            "both blows, got no ability",
        ),
        (
            begin_first_turn(replace(HERO, here=frozenset(("throwable",)))),
            build_action("throw", "b", uses=("shooting",)),
            "act.throw-object",
            "no ability, got shooting",
        ),
        (
            begin_first_turn(),
            build_action("evade", uses=("quickness", "flying")),
            "act.evade",
            "one movement ability, got quickness and flying",
        ),
        (
            begin_first_turn(),
            build_action("evade", uses=("fighting",)),
            "act.evade",
            "acrobatics, quickness, flying and swimming, got fighting",
        ),
        (begin_first_turn(), build_action("evade", uses=("swimming",)), "", ""),
        (begin_first_turn(), build_action("evade", uses=()), "", ""),
        # out of reach
        (with_flying_b(begin_first_turn(PLAIN)), build_action("hold", "b"), "flying.immunity", "got a, who can't"),
        (
            with_flying_b(begin_first_turn()),
            build_action("hold", "b"),
            "flying.immunity",
            "got a, who has no room to fly",
        ),
        (with_flying_b(begin_first_turn(here=frozenset(("open-air",)))), build_action("hold", "b"), "", ""),
        (
            with_flying_b(begin_first_turn(PLAIN), here=frozenset(("level",))),
            build_action("hold", "b"),
            "",
            "",
        ),  # under a roof (A12)
    ],
)
def test_check_action_names_every_broken_rule(state: EncounterState, action: Action, rules: str, words: str) -> None:
    """`act.regular`, `act.bonus`, `cond.delayed`, `cond.panicked`, `act.cover.forbidden`, and the rule of each act."""
    found = check_action(state, action)
    assert [problem.rule for problem in found] == rules.split()
    assert words in " ".join(problem.message for problem in found)


def test_unrepeatable_action_is_spent_for_all_targets() -> None:
    """`act.unrepeatable` (A03): by default for any later target."""
    state = begin_first_turn(used=(("surprise", "b"),))
    assert {problem.rule for problem in check_action(state, build_action("surprise", "c"))} == {"act.unrepeatable"}
    assert [problem.rule for problem in check_action(state, build_action("surprise"))] == [
        "act.unrepeatable",
        "act.surprise",
    ]


def test_diver_is_reached_only_by_swimmers() -> None:
    """`swimming.deep-evade` (A13): close attacks by swimmers, no shots."""
    for here, ability, can_swim, expected in (
        ("deep-water", "swimming", True, {"basic-attack": [], "shoot": ["swimming.deep-evade"]}),
        ("deep-water", "swimming", False, {"basic-attack": ["swimming.deep-evade"], "shoot": ["swimming.deep-evade"]}),
        ("deep-water", "quickness", False, {"basic-attack": [], "shoot": []}),
        ("water", "swimming", False, {"basic-attack": [], "shoot": []}),
    ):
        levels = {"toughness": 4, "shooting": 1, **({"swimming": 1} if can_swim else {})}
        state = with_changed_b(
            begin_first_turn(build_encounter_fighter("a", levels)), here=frozenset((here,)), evading=Evade(ability, 1)
        )
        found = {name: [problem.rule for problem in check_action(state, build_action(name, "b"))] for name in expected}
        assert found == expected


def test_engage_without_enemy_in_reach_is_rejected() -> None:
    """Engaging is rejected if no enemy is within reach (`act.engage`, A15).

    An enemy that has flown up is out of reach of a character without room to fly; an escaped enemy is out of
    everyone's reach.
    """
    state = begin_first_turn(PLAIN)
    state = with_flying_b(state)
    assert check_action(state, build_action("engage")) == ()
    gone = state.with_fighter(replace(state.fighter("c"), escaped=True))
    (problem,) = check_action(gone, build_action("engage"))
    assert (problem.rule, problem.got) == ("act.engage", "no one within reach")
    dived = with_changed_b(gone, here=frozenset(("deep-water",)), evading=Evade("swimming", 1))
    assert [problem.rule for problem in check_action(dived, build_action("engage"))] == ["act.engage"]
    flyer = begin_first_turn().with_fighter(replace(C, escaped=True, hp=4, fresh=False))
    assert [problem.rule for problem in check_action(with_flying_b(flyer), build_action("engage"))] == ["act.engage"]
    airy = flyer.with_fighter(replace(flyer.fighter("a"), here=frozenset(("open-air",))))
    assert check_action(with_flying_b(airy), build_action("engage")) == ()
    assert (
        check_action(
            with_changed_b(flyer, here=frozenset(("deep-water",)), evading=Evade("swimming", 1)), build_action("engage")
        )
        == ()
    )


@pytest.mark.parametrize(
    ("state", "action", "rules"),
    [
        (build_initial_state((HERO, B), DEFAULT_RULINGS), build_action("basic-attack", "b"), ["turn.encounter"]),
        (build_initial_state((HERO, B), DEFAULT_RULINGS), build_action("heal", "b"), ["act.heal.injured", "act.heal"]),
        (build_initial_state((HERO, replace(B, hp=2)), DEFAULT_RULINGS), build_action("heal", "b"), []),
        (build_initial_state((HERO, replace(B, hp=2, escaped=True)), DEFAULT_RULINGS), build_action("heal", "b"), []),
        (
            build_initial_state(
                (HERO, build_encounter_fighter("b", {"toughness": 4}, minion_of="a", hp=2)), DEFAULT_RULINGS
            ),
            build_action("heal", "b"),
            [],
        ),
        (
            begin_first_turn(b=build_encounter_fighter("b", {"toughness": 4}, minion_of="c", hp=2)),
            build_action("heal", "b"),
            ["minion.no-heal"],
        ),
        (apply_events(begin_first_turn(), (EncounterEnded(),)), Action("", "end-encounter"), ["turn.encounter"]),
        (begin_first_turn(), Action("", "end-encounter"), []),
        (begin_first_turn(PLAIN), Action("a", "check", ability="healing", difficulty=5), []),
        (
            begin_first_turn(PLAIN),
            Action("a", "check", ability="healing", difficulty=5, requires=True),
            ["roll.ability-required", "char.ability-level"],
        ),
    ],
)
def test_actions_outside_turns_break_fewer_rules(state: EncounterState, action: Action, rules: list[str]) -> None:
    """`turn.encounter`, `act.heal`, `minion.no-heal`, `roll.ability-required`: peace, and rolls outside any turn."""
    assert [problem.rule for problem in check_action(state, action)] == rules


# The form of an action


@pytest.mark.parametrize(
    ("action", "step"),
    [
        (build_action("evade"), {"actor": "a", "do": "evade"}),
        (build_action("evade", uses=()), {"actor": "a", "do": "evade", "with": "none"}),
        (
            build_action("hold", "b", uses=("wrestling",)),
            {"actor": "a", "do": "hold", "with": "wrestling", "target": "b"},
        ),
        (
            build_action("hold", "b", uses=("wrestling", "detection")),
            {"actor": "a", "do": "hold", "with": ["wrestling", "detection"], "target": "b"},
        ),
        (build_action("blast", "b"), {"actor": "a", "do": "blast", "targets": ["b"]}),
        (build_action("double-attack", "b", "c"), {"actor": "a", "do": "double-attack", "targets": ["b", "c"]}),
        (build_action("double-attack", "b", "b"), {"actor": "a", "do": "double-attack", "targets": ["b", "b"]}),
        (build_action("double-attack", "b"), {"actor": "a", "do": "double-attack", "target": "b"}),
        (build_action("second-blow", "c"), {"actor": "a", "do": "second-blow", "target": "c"}),
        (
            Action("a", "check", ability="healing", difficulty=8),
            {"actor": "a", "do": "check", "ability": "healing", "difficulty": 8, "requires": False},
        ),
        (
            Action("a", "craft", ("b",), ability="healing", add=False, hurry=True),
            {"actor": "a", "do": "craft", "target": "b", "ability": "healing", "add": False, "hurry": True},
        ),
        (
            Action("a", "craft", ("b",), ability="healing"),
            {"actor": "a", "do": "craft", "target": "b", "ability": "healing", "add": True, "hurry": False},
        ),
    ],
)
def test_action_to_step_uses_file_keys(action: Action, step: dict[str, Any]) -> None:
    """An action's step has the scenario file's keys.

    It has one target or a list of targets, and no ability, one or several.
    """
    assert action.to_step() == step


def test_action_name_tables_list_their_actions() -> None:
    """Rolls, evades and interrupts may name an ability, and crafting has a target.

    Rule: `act.basic.available`.
    """
    assert OUT_OF_TURN_ACTIONS == ("check", "craft", "end-encounter")
    assert ACTION_NAMES[-4:] == ("end-turn", "check", "craft", "end-encounter")
    assert (set(ABILITY_ACTIONS) - set(ROLL_ACTIONS), set(TARGETED_ACTIONS) - set(ROLL_ACTIONS)) == (
        {"evade", "interrupt"},
        {"craft"},
    )
    assert "escape" not in ROLL_ACTIONS
