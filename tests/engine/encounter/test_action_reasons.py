"""Actions, to the last rule: each refusal names its rules in order."""

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
from tests.support.encounters import HERO, OLD, PLAIN, B, C, do, half_way, held, now, somebody, where_b, where_b_flies

PAIR = RulingSettings(unrepeatable_scope="pair")


HEAL, REVIVE = "act.heal.injured act.heal", "act.heal.revive act.heal"
TOO_OFTEN = replace(now(used=(("surprise", "b"),), rulings=PAIR))

# What forbids an action, as rule ids in order, and the message where its words depend on the case.


@pytest.mark.parametrize(
    ("state", "action", "rules", "words"),
    [
        (now(PLAIN), do("throw", "b"), "act.throw-object.needs-object act.throw-object", ""),
        (now(), do("basic-attack", "b", "c"), "act.basic-attack", "one target, got 2"),
        (now(), do("hold"), "act.hold", "one target, got 0"),
        (now(), do("double-attack"), "act.fighting.double", "1 to 2 targets, got 0"),
        (now(), do("double-attack", "b", "b", "c"), "act.fighting.double", "1 to 2 targets, got 3"),
        (now(), do("second-blow", "b"), "act.fighting.double", "a first blow right before it, got none"),
        (half_way(), do("second-blow", "b", "c"), "act.fighting.double", "one target, got 2"),
        (half_way(), do("second-blow", "b", uses=("wrestling",)), "act.fighting.double", "both blows, got wrestling"),
        (
            half_way(),
            do("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "a second one after two basic attacks",
        ),
        (half_way(), do("engage"), "act.engage", "one after the regular action"),
        (now(), do("blast"), "act.blasting", "1 to 3 targets, got 0"),
        (now(), do("blast", "b", "c", "b", "c"), "act.blasting act.blasting.distinct", "1 to 3 targets, got 4"),
        (now(), do("blast", "b", "b"), "act.blasting.distinct", "each target once"),
        (now(b=replace(B, side="a")), do("blast", "b", "c"), "act.blasting", "enemies, got b, an ally"),
        (now(), do("basic-attack", "a"), "act.basic-attack", "another character as the target, got a"),
        (where_b(now(), escaped=True), do("basic-attack", "b"), "act.escape.effect", "b, who has escaped"),
        (now(hp=2), do("double-attack", "b", "b"), "act.fighting.double", "a healthy fighter, got a, injured"),
        (
            now(),
            do("counter-hold", "b"),
            "act.wrestling.counter-hold act.wrestling.counter-hold",
            "a delayed wrestler (others hold as usual), got a, not delayed",
        ),
        (now(hp=2, **held(("hold", 1))), do("counter-hold", "b"), "act.wrestling.counter-hold", "got a, injured"),
        (now(**held(("hold", 1))), do("counter-hold", "c"), "act.wrestling.counter-hold", "whose hold on a succeeded"),
        (
            now(PLAIN, **held(("hold", 1))),
            do("counter-hold", "b"),
            "act.wrestling.counter-hold roll.ability-required char.ability-level",
            "wrestling of level 1 or more, got none in a",
        ),
        # healing
        (now(), do("heal", "b", "c"), "act.heal.injured", "one target, got 2"),
        (now(), do("revive"), "act.heal.revive", "one target, got 0"),
        (now(), do("heal", "b"), HEAL, "an injured character, got b, healthy"),
        (now(), do("revive", "b"), REVIVE, "an incapacitated character, got b, healthy"),
        (now(b=somebody("b", {"stealth": 1})), do("revive", "b"), REVIVE, "got b, without toughness"),
        (now(hp=2), do("heal", "a"), "act.heal.not-self", "someone else, got a"),
        (where_b(now(), hp=2, escaped=True), do("heal", "b"), "act.escape.effect", "b, who has escaped"),
        (
            where_b(now(PLAIN), hp=2),
            do("heal", "b"),
            "act.heal act.heal.injured roll.ability-required char.ability-level",
            "healing of level 1 or more, got none in a",
        ),
        (
            where_b(now(PLAIN), hp=0),
            do("revive", "b"),
            "act.heal act.heal.revive roll.ability-required char.ability-level",
            "healing of level 1 or more",
        ),
        (now(PLAIN), do("shoot", "b"), "act.shooting roll.ability-required char.ability-level", "shooting of level 1"),
        (
            now(PLAIN),
            do("surprise", "b"),
            "act.surprise roll.ability-required char.ability-level",
            "stealth or detection of level 1 or more",
        ),
        # conditions
        (now(hp=0), do("bonus"), "hp.incapacitated", ""),
        (now(escaped=True), do("bonus"), "act.escape.effect act.escape", "a, who has escaped"),
        (
            now(somebody("a", {"shooting": 1})),
            do("shoot", "b"),
            "tough.none hp.incapacitated",
            "toughness, got a without",
        ),
        (
            now(**held(("hold", 1))),
            do("basic-attack", "b"),
            "cond.delayed act.hold cond.delayed.expiry",
            "a, delayed by hold until the end of this turn",
        ),
        (
            now(**held(("knockout", 1), ("shooting", 2), ("blasting", 2), ("distract", 1), ("shooting", 1))),
            do("bonus"),
            "cond.delayed act.knockout.self-delay act.shooting.injured-delay act.blasting.injured-delay act.distract "
            "cond.delayed.expiry",
            "knockout and shooting and blasting and distract until the end of their next turn",
        ),
        (now(panicked_until=1), do("basic-attack", "b"), "cond.panicked", "a, panicked in basic attack"),
        (now(panicked_until=1), do("shoot", "b"), "cond.panicked", ""),
        (now(panicked_until=1), do("surprise", "b"), "cond.panicked", ""),
        (where_b(now(panicked_until=1), hp=2), do("heal", "b"), "cond.panicked", ""),
        (where_b(now(panicked_until=1), hp=0), do("revive", "b"), "cond.panicked", ""),
        (now(panicked_until=1), do("engage"), "cond.panicked", ""),
        (now(panicked_until=1), do("nothing"), "cond.panicked turn.do-nothing", ""),
        (now(panicked_until=1), do("end-turn"), "cond.panicked turn.do-nothing", ""),
        (now(panicked_until=1, **held(("hold", 1))), do("counter-hold", "b"), "cond.panicked", ""),
        (now(panicked_until=1), do("bonus"), "", ""),
        (now(panicked_until=1, escaped=True), do("end-turn"), "", ""),
        (now(panicked_until=1, hp=0), do("end-turn"), "", ""),
        (replace(now(panicked_until=1), ledger=TurnUsage(("evade",))), do("end-turn"), "", ""),
        (now(panicked_until=1), do("evade"), "", ""),
        (now(panicked_until=1, **held(("hold", 1))), do("nothing"), "", ""),
        (now(in_cover=True), do("basic-attack", "b"), "act.cover.forbidden", "a in cover"),
        (now(in_cover=True), do("surprise", "b"), "act.cover.forbidden", ""),
        (now(in_cover=True), do("intimidate", "b"), "act.cover.forbidden", ""),
        (now(in_cover=True), do("distract", "b"), "act.cover.forbidden", ""),
        (now(in_cover=True), do("evade"), "act.cover.forbidden", ""),
        (now(in_cover=True), do("engage"), "act.cover.forbidden act.engage", ""),
        (now(in_cover=True), do("take-cover"), "act.cover", "out of cover, got a in cover"),
        (now(in_cover=True, **held(("hold", 1))), do("counter-hold", "b"), "act.cover.forbidden", ""),
        (now(in_cover=True), do("shoot", "b"), "", ""),
        (now(in_cover=True), do("bonus"), "", ""),
        (now(in_cover=True, **held(("hold", 1))), do("leave-cover"), "", ""),
        (now(), do("leave-cover"), "act.cover.stay", "an actor in cover, got a out of it"),
        (now(), do("escape"), "act.escape", "a without an evade in their last turn"),
        (now(), do("take-cover"), "act.cover", "something to hide behind, got nothing"),
        # the turn's ledger
        (replace(now(), ledger=TurnUsage(("shoot",))), do("evade"), "act.regular", "a second one after shooting"),
        (replace(now(), ledger=TurnUsage(("shoot",))), do("hold", "b"), "act.regular act.wrestling.bonus", ""),
        (replace(now(), ledger=TurnUsage(("shoot",))), do("basic-attack", "b"), "act.regular act.wrestling.bonus", ""),
        (replace(now(), ledger=TurnUsage(("hold",))), do("basic-attack", "b"), "act.regular act.wrestling.bonus", ""),
        (replace(now(), ledger=TurnUsage(("shoot",))), do("engage"), "act.engage", "one after the regular action"),
        (
            replace(now(), ledger=TurnUsage((), "bonus")),
            do("engage"),
            "act.bonus",
            "a second one after other bonus action",
        ),
        (
            replace(now(replace(HERO, here=frozenset(("cover",)))), ledger=TurnUsage(("evade",))),
            do("take-cover"),
            "act.cover",
            "cover before any other action of the turn",
        ),
        (replace(now(), ledger=TurnUsage((), "bonus")), do("take-cover"), "act.bonus act.cover act.cover", ""),
        (replace(now(rulings=OLD), ledger=TurnUsage(("hold",))), do("basic-attack", "b"), "", ""),
        (replace(now(rulings=OLD), ledger=TurnUsage(("basic-attack",))), do("hold", "b"), "", ""),
        (replace(now(rulings=OLD), ledger=TurnUsage(("hold",))), do("engage"), "", ""),
        (
            replace(now(rulings=OLD), ledger=TurnUsage(("hold",))),
            do("hold", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(now(rulings=OLD), ledger=TurnUsage(("hold", "basic-attack"))),
            do("hold", "b"),
            "act.regular act.wrestling.bonus",
            "after basic attack",
        ),
        (
            replace(now(rulings=OLD, hp=2), ledger=TurnUsage(("hold",))),
            do("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (
            replace(now(PLAIN, rulings=OLD), ledger=TurnUsage(("hold",))),
            do("basic-attack", "b"),
            "act.regular act.wrestling.bonus",
            "",
        ),
        (TOO_OFTEN, do("surprise", "b"), "act.unrepeatable", "each unrepeatable action once"),
        (TOO_OFTEN, do("surprise", "c"), "", ""),
        (TOO_OFTEN, do("intimidate", "b"), "", ""),
        (now(used=(("surprise", "b"),)), do("intimidate", "b"), "", ""),
        # abilities named
        (now(), do("basic-attack", "b", uses=("fighting", "wrestling")), "act.basic-attack", "one ability in a roll"),
        (
            now(rulings=RulingSettings(stack_abilities=True)),
            do("basic-attack", "b", uses=("fighting", "fighting")),
            "act.basic-attack",
            "each ability once, got fighting and fighting",
        ),
        (
            now(rulings=RulingSettings(stack_abilities=True)),
            do("basic-attack", "b", uses=("fighting", "knockout")),
            "act.knockout.basic act.basic-attack",
            "knockout without another ability, got fighting and knockout",
        ),
        (
            now(),
            do("basic-attack", "b", uses=("shooting",)),
            "act.basic-attack",
            "fighting, wrestling and knockout, got",
        ),
        (
            now(PLAIN),
            do("basic-attack", "b", uses=("fighting",)),
            "char.ability-level act.fighting.bonus",
            "an ability that a has, got fighting 0",
        ),
        (now(), do("hold", "b", uses=("swimming",)), "swimming.requires move.terrain move.use", "water, got swimming"),
        (now(), do("shoot", "b", uses=()), "act.shooting roll.ability-required", "shooting added, got none"),
        (
            where_b(now(), hp=2),
            do("heal", "b", uses=()),
            "act.heal act.heal.injured roll.ability-required",
            "healing added, got none",
        ),
        (
            where_b(now(), hp=0),
            do("revive", "b", uses=("fighting",)),
            "act.heal act.heal.revive",
            "healing, got fighting",
        ),
        (
            now(),
            do("double-attack", "b", "b", uses=("wrestling",)),
            "act.fighting.double",
            "in both blows, got wrestling",
        ),
        (now(), do("double-attack", "b", "b", uses=()), "act.fighting.double", "both blows, got no ability"),
        (
            now(replace(HERO, here=frozenset(("throwable",)))),
            do("throw", "b", uses=("shooting",)),
            "act.throw-object",
            "no ability, got shooting",
        ),
        (
            now(),
            do("evade", uses=("quickness", "flying")),
            "act.evade",
            "one movement ability, got quickness and flying",
        ),
        (
            now(),
            do("evade", uses=("fighting",)),
            "act.evade",
            "acrobatics, quickness, flying and swimming, got fighting",
        ),
        (now(), do("evade", uses=("swimming",)), "", ""),
        (now(), do("evade", uses=()), "", ""),
        # out of reach
        (where_b_flies(now(PLAIN)), do("hold", "b"), "flying.immunity", "got a, who can't"),
        (where_b_flies(now()), do("hold", "b"), "flying.immunity", "got a, who has no room to fly"),
        (where_b_flies(now(here=frozenset(("open-air",)))), do("hold", "b"), "", ""),
        (where_b_flies(now(PLAIN), here=frozenset(("level",))), do("hold", "b"), "", ""),  # under a roof (A12)
    ],
)
def test_a_refusal_names_every_rule(state: EncounterState, action: Action, rules: str, words: str) -> None:
    """`act.regular`, `act.bonus`, `cond.delayed`, `cond.panicked`, `act.cover.forbidden`, and the rule of each act."""
    found = check_action(state, action)
    assert [problem.rule for problem in found] == rules.split()
    assert words in " ".join(problem.message for problem in found)


def test_an_unrepeatable_act_is_spent_on_everybody() -> None:
    """`act.unrepeatable` (A03): by default on whomever it is tried next."""
    state = now(used=(("surprise", "b"),))
    assert {problem.rule for problem in check_action(state, do("surprise", "c"))} == {"act.unrepeatable"}
    assert [problem.rule for problem in check_action(state, do("surprise"))] == ["act.unrepeatable", "act.surprise"]


def test_who_dives_away_is_reached_by_swimmers_only() -> None:
    """`swimming.deep-evade` (A13): close attacks by swimmers, no shots."""
    for here, ability, can_swim, expected in (
        ("deep-water", "swimming", True, {"basic-attack": [], "shoot": ["swimming.deep-evade"]}),
        ("deep-water", "swimming", False, {"basic-attack": ["swimming.deep-evade"], "shoot": ["swimming.deep-evade"]}),
        ("deep-water", "quickness", False, {"basic-attack": [], "shoot": []}),
        ("water", "swimming", False, {"basic-attack": [], "shoot": []}),
    ):
        levels = {"toughness": 4, "shooting": 1, **({"swimming": 1} if can_swim else {})}
        state = where_b(now(somebody("a", levels)), here=frozenset((here,)), evading=Evade(ability, 1))
        found = {name: [problem.rule for problem in check_action(state, do(name, "b"))] for name in expected}
        assert found == expected


def test_nobody_within_reach_makes_engaging_useless() -> None:
    """`act.engage` (A15): the flown are out of reach of those without room to fly, and the escaped of everyone."""
    state = now(PLAIN)
    state = where_b_flies(state)
    assert check_action(state, do("engage")) == ()
    gone = state.with_fighter(replace(state.fighter("c"), escaped=True))
    (problem,) = check_action(gone, do("engage"))
    assert (problem.rule, problem.got) == ("act.engage", "no one within reach")
    dived = where_b(gone, here=frozenset(("deep-water",)), evading=Evade("swimming", 1))
    assert [problem.rule for problem in check_action(dived, do("engage"))] == ["act.engage"]
    flyer = now().with_fighter(replace(C, escaped=True, hp=4, fresh=False))
    assert [problem.rule for problem in check_action(where_b_flies(flyer), do("engage"))] == ["act.engage"]
    airy = flyer.with_fighter(replace(flyer.fighter("a"), here=frozenset(("open-air",))))
    assert check_action(where_b_flies(airy), do("engage")) == ()
    assert (
        check_action(where_b(flyer, here=frozenset(("deep-water",)), evading=Evade("swimming", 1)), do("engage")) == ()
    )


@pytest.mark.parametrize(
    ("state", "action", "rules"),
    [
        (build_initial_state((HERO, B), DEFAULT_RULINGS), do("basic-attack", "b"), ["turn.encounter"]),
        (build_initial_state((HERO, B), DEFAULT_RULINGS), do("heal", "b"), ["act.heal.injured", "act.heal"]),
        (build_initial_state((HERO, replace(B, hp=2)), DEFAULT_RULINGS), do("heal", "b"), []),
        (build_initial_state((HERO, replace(B, hp=2, escaped=True)), DEFAULT_RULINGS), do("heal", "b"), []),
        (
            build_initial_state((HERO, somebody("b", {"toughness": 4}, minion_of="a", hp=2)), DEFAULT_RULINGS),
            do("heal", "b"),
            [],
        ),
        (now(b=somebody("b", {"toughness": 4}, minion_of="c", hp=2)), do("heal", "b"), ["minion.no-heal"]),
        (apply_events(now(), (EncounterEnded(),)), Action("", "end-encounter"), ["turn.encounter"]),
        (now(), Action("", "end-encounter"), []),
        (now(PLAIN), Action("a", "check", ability="healing", difficulty=5), []),
        (
            now(PLAIN),
            Action("a", "check", ability="healing", difficulty=5, requires=True),
            ["roll.ability-required", "char.ability-level"],
        ),
    ],
)
def test_outside_turns_less_is_forbidden(state: EncounterState, action: Action, rules: list[str]) -> None:
    """`turn.encounter`, `act.heal`, `minion.no-heal`, `roll.ability-required`: peace, and rolls outside any turn."""
    assert [problem.rule for problem in check_action(state, action)] == rules


# The form of an action


@pytest.mark.parametrize(
    ("action", "step"),
    [
        (do("evade"), {"actor": "a", "do": "evade"}),
        (do("evade", uses=()), {"actor": "a", "do": "evade", "with": "none"}),
        (do("hold", "b", uses=("wrestling",)), {"actor": "a", "do": "hold", "with": "wrestling", "target": "b"}),
        (
            do("hold", "b", uses=("wrestling", "detection")),
            {"actor": "a", "do": "hold", "with": ["wrestling", "detection"], "target": "b"},
        ),
        (do("blast", "b"), {"actor": "a", "do": "blast", "targets": ["b"]}),
        (do("double-attack", "b", "c"), {"actor": "a", "do": "double-attack", "targets": ["b", "c"]}),
        (do("double-attack", "b", "b"), {"actor": "a", "do": "double-attack", "targets": ["b", "b"]}),
        (do("double-attack", "b"), {"actor": "a", "do": "double-attack", "target": "b"}),
        (do("second-blow", "c"), {"actor": "a", "do": "second-blow", "target": "c"}),
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
def test_an_action_is_a_step_of_a_file(action: Action, step: dict[str, Any]) -> None:
    """The keys of the scenario file: one target or a list, one ability, several or none."""
    assert action.to_step() == step


def test_the_names_of_actions() -> None:
    """`act.basic.available`: rolls, evades and interruptions may name an ability; crafting has a target."""
    assert OUT_OF_TURN_ACTIONS == ("check", "craft", "end-encounter")
    assert ACTION_NAMES[-4:] == ("end-turn", "check", "craft", "end-encounter")
    assert (set(ABILITY_ACTIONS) - set(ROLL_ACTIONS), set(TARGETED_ACTIONS) - set(ROLL_ACTIONS)) == (
        {"evade", "interrupt"},
        {"craft"},
    )
    assert "escape" not in ROLL_ACTIONS
