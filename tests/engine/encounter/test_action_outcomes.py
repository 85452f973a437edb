"""Results of actions in detail: rolls and defences with their rules, events, narration, crafted bonuses."""

from dataclasses import replace
from typing import Any

import pytest

from scratch_core.characters import DEFAULT_RULINGS, TemporaryBonus
from scratch_core.encounter.actions import Action, TurnContext, compute_agility, compute_defence, compute_strength
from scratch_core.encounter.actions.attacks import sum_damage_and_hits_over_faces
from scratch_core.encounter.engine import apply_events, check_action, decide, legal_actions
from scratch_core.encounter.state import (
    Damaged,
    Delayed,
    EncounterState,
    Evade,
    Evaded,
    EvadeEnded,
    Fighter,
    Healed,
    OnceUsed,
    OutOfReach,
    Panicked,
    RegularUsed,
    build_initial_state,
)
from scratch_core.rulebook import RulingSettings
from tests.support.encounters import (
    HERO,
    LEGACY_RULINGS,
    PLAIN,
    B,
    begin_encounter,
    begin_first_turn,
    begin_second_attack,
    build_action,
    build_delays,
    build_encounter_fighter,
    list_parts,
    with_changed_b,
)

# Parts of rolls and defences


def test_defence_lists_every_modifier() -> None:
    """`act.cover.effect`, `act.engage.penalty`, `swimming.in-water`, `act.evade`: 2, −2, the levels."""
    b = replace(
        build_encounter_fighter("b", {"toughness": 4, "swimming": 2, "quickness": 1}, here=["water"]),
        in_cover=True,
        engage_penalty=True,
        evading=Evade("quickness", 1),
    )
    parts = [(10, "def.agility"), (1, "def.agility")]
    assert list_parts(compute_agility(b)) == [
        *parts,
        (1, "act.evade"),
        (2, "act.cover.effect"),
        (-2, "act.engage.penalty"),
        (2, "swimming.in-water"),
    ]
    assert list_parts(compute_strength(b)) == [(10, "def.strength"), (2, "def.strength"), (1, "act.evade")]
    dry = replace(B, evading=Evade("", 0), here=frozenset(("water",)))
    assert (compute_agility(dry), compute_strength(dry)) == (dry.numbers.agility, dry.numbers.strength)


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        *((name, "agility") for name in ("basic-attack", "double-attack", "throw", "shoot", "blast", "knockout")),
        *((name, "strength") for name in ("hold", "counter-hold")),
        *((name, "intelligence") for name in ("distract", "surprise")),
    ],
)
def test_each_attack_has_its_defence(name: str, figure: str) -> None:
    """`attack.type-map`: normal, force and psychic attacks."""
    assert compute_defence(name, B).name == figure


@pytest.mark.parametrize(
    ("levels", "figure"),
    [
        ({"toughness": 4}, "strength"),
        ({"toughness": 3}, "intelligence"),
        ({"command": 2, "toughness": 4}, "intelligence"),
    ],
)
def test_intimidate_uses_the_better_defence(levels: dict[str, int], figure: str) -> None:
    """Intimidation is rolled against the better of strength and intelligence (`act.intimidate.defence`).

    Strength 7 + 4 beats the intelligence of 10; 7 + 3 equals it, so intelligence is used.
    """
    assert compute_defence("intimidate", build_encounter_fighter("b", levels)).name == figure


@pytest.mark.parametrize(
    ("name", "ability", "rule"),
    [
        ("basic-attack", "fighting", "act.fighting.bonus"),
        ("basic-attack", "wrestling", "act.wrestling.bonus"),
        ("basic-attack", "knockout", "act.knockout.basic"),
        ("knockout", "knockout", "act.knockout"),
        ("hold", "wrestling", "act.wrestling.bonus"),
        ("hold", "detection", "detection.hold"),
        ("hold", "quickness", "move.use"),
        ("distract", "quickness", "move.use"),
        ("surprise", "stealth", "act.surprise"),
        ("surprise", "detection", "act.surprise"),
        ("intimidate", "command", "act.intimidate"),
        ("shoot", "shooting", "act.shooting"),
        ("blast", "blasting", "act.blasting"),
    ],
)
def test_ability_in_roll_names_its_rule(name: str, ability: str, rule: str) -> None:
    """A roll cites the rule that allows its ability (`roll.modifier`).

    The roll has the actor and the target.
    """
    (roll,) = decide(begin_first_turn(), build_action(name, "b", uses=(ability,)), [9]).rolls
    assert (roll.who, roll.target, list_parts(roll.check.figure)) == ("a", "b", [(9, "roll.d20"), (1, rule)])


def test_double_attack_and_counter_hold_name_their_rules() -> None:
    """`act.fighting.double`, `act.wrestling.counter-hold`."""
    rolls = decide(begin_first_turn(), build_action("double-attack", "b", "c"), [3, 4]).rolls
    assert [list_parts(roll.check.figure)[1] for roll in rolls] == [(1, "act.fighting.double")] * 2
    (roll,) = decide(begin_first_turn(**build_delays(("hold", 1))), build_action("counter-hold", "b"), [3]).rolls
    assert list_parts(roll.check.figure)[1:] == [(1, "act.wrestling.counter-hold")]


def test_engage_water_and_cover_modify_their_rolls() -> None:
    """`act.engage`, `swimming.in-water`, `act.cover.effect`: close attacks gain, all rolls lose 2 in cover."""
    wet = replace(HERO, here=frozenset(("water", "throwable")))
    (close,) = decide(begin_first_turn(wet, engaged=True), build_action("basic-attack", "b", uses=()), [9]).rolls
    assert list_parts(close.check.figure)[1:] == [(2, "act.engage"), (1, "swimming.in-water")]
    (stroke,) = decide(begin_first_turn(wet), build_action("hold", "b", uses=("swimming",)), [9]).rolls
    assert list_parts(stroke.check.figure)[1:] == [(1, "move.use"), (1, "swimming.in-water")]
    (far,) = decide(begin_first_turn(wet, engaged=True, in_cover=True), build_action("throw", "b"), [9]).rolls
    assert list_parts(far.check.figure)[1:] == [(-2, "act.cover.effect")]


def test_checks_and_healing_list_their_rules() -> None:
    """`roll.ability-required`, `roll.ability-optional`, `roll.notation`, `act.heal`, `act.cover.effect`."""
    for requires, rule in ((True, "roll.ability-required"), (False, "roll.ability-optional")):
        action = Action("a", "check", ability="healing", difficulty=8, requires=requires)
        decision = decide(begin_first_turn(in_cover=True), action, [9])
        (roll,) = decision.rolls
        assert list_parts(roll.check.figure) == [(9, "roll.d20"), (1, rule), (-2, "act.cover.effect")]
        assert (roll.who, roll.target, roll.against.name, list_parts(roll.against)) == (
            "a",
            "",
            "difficulty",
            [(8, "roll.notation")],
        )
        assert decision.narration == "a makes a healing roll: 8 against difficulty 8. Success."
    assert decide(begin_first_turn(), Action("a", "check", difficulty=9), [8]).narration == (
        "a makes a roll: 8 against difficulty 9. Failure."
    )
    state = with_changed_b(begin_first_turn(), hp=2)
    decision = decide(state, build_action("heal", "b"), [9])
    (roll,) = decision.rolls
    assert (list_parts(roll.check.figure), roll.target, roll.against.name, list_parts(roll.against)) == (
        [(9, "roll.d20"), (1, "act.heal")],
        "b",
        "difficulty",
        [(10, "act.heal")],
    )
    assert decision.events[-2:] == (RegularUsed("a", "heal"), Healed("b", "a", 3))
    assert decide(state, build_action("heal", "b"), [8]).events[-1] == RegularUsed("a", "heal")


# Results and narration


@pytest.mark.parametrize(
    ("state", "action", "faces", "say"),
    [
        (
            begin_first_turn(PLAIN),
            build_action("basic-attack", "b"),
            [12],
            "a attacks b: 12 against agility 10. Hit: 1 damage, 3 hit points left.",
        ),
        (begin_first_turn(PLAIN), build_action("basic-attack", "b"), [9], "a attacks b: 9 against agility 10. Miss."),
        (
            with_changed_b(begin_first_turn(PLAIN), hp=3),
            build_action("basic-attack", "b"),
            [20],
            "a attacks b: a natural 20 (20 against agility 10). Hit: 2 damage, 1 hit point left.",
        ),
        (
            with_changed_b(begin_first_turn(PLAIN), hp=1),
            build_action("basic-attack", "b"),
            [10],
            "a attacks b: 10 against agility 10. Hit: 1 damage. b is incapacitated.",
        ),
        (
            with_changed_b(begin_first_turn(), hp=1),
            build_action("double-attack", "b", "b"),
            [19, 19],
            "a makes two basic attacks. b: 20 against agility 10. Hit: 1 damage. b is incapacitated. "
            "b: 20 against agility 10. Hit: 1 damage. b was already incapacitated.",
        ),
        (
            begin_first_turn(hp=2),
            build_action("shoot", "b"),
            [1],
            "a shoots b: 2 against agility 10. Miss. a is delayed.",
        ),
        (begin_first_turn(hp=3), build_action("shoot", "b"), [1], "a shoots b: 2 against agility 10. Miss."),
        (
            begin_first_turn(hp=2),
            build_action("blast", "b"),
            [1],
            "a blasts b: 2 against agility 10. Miss. a is delayed.",
        ),
        (
            begin_first_turn(),
            build_action("double-attack", "b", "c"),
            [8, 9],
            "a makes two basic attacks. b: 9 against agility 10. Miss. "
            "c: 10 against agility 10. Hit: 1 damage, 3 hit points left.",
        ),
        (
            with_changed_b(begin_first_turn(), hp=1),
            build_action("double-attack", "b"),
            [19],
            "a makes a first attack on b: 20 against agility 10. Hit: 1 damage. b is incapacitated.",
        ),
        (
            begin_second_attack(),
            build_action("second-blow", "c"),
            [8],
            "a makes a second attack on c: 9 against agility 10. Miss.",
        ),
        (
            begin_first_turn(),
            build_action("hold", "b", uses=("wrestling",)),
            [10],
            "a holds b: 11 against strength 11. 1 damage, 3 hit points left. b is delayed.",
        ),
        (
            begin_first_turn(),
            build_action("hold", "b", uses=()),
            [11],
            "a holds b: 11 against strength 11. b is delayed.",
        ),
        (begin_first_turn(), build_action("hold", "b", uses=()), [10], "a fails to hold b: 10 against strength 11."),
        (
            begin_first_turn(),
            build_action("surprise", "b"),
            [9],
            "a surprises b: 10 against intelligence 10. b is panicked.",
        ),
        (
            begin_first_turn(),
            build_action("distract", "b", uses=()),
            [9],
            "a fails to distract b: 9 against intelligence 10.",
        ),
        (begin_first_turn(), build_action("evade"), [], "a evades with quickness: +1 agility and strength."),
        (begin_first_turn(), build_action("evade", uses=()), [], "a evades (no bonus)."),
    ],
)
def test_decision_narration_names_actor_target_and_result(
    state: EncounterState, action: Action, faces: list[int], say: str
) -> None:
    """`roll.success`: actor, action, target, the total against the defence, and the result."""
    assert decide(state, action, faces).narration == say


def test_hold_delays_target_and_may_damage_it() -> None:
    """`act.hold`, `act.hold.stops-evade`, `act.wrestling.hold-damage`, `cond.delayed.expiry`."""
    state = with_changed_b(begin_first_turn(), evading=Evade("quickness", 1))
    hard = decide(state, build_action("hold", "b", uses=("wrestling",)), [20])
    assert hard.events == (
        RegularUsed("a", "hold"),
        Damaged("b", "a", 2, 2),
        EvadeEnded("b"),
        Delayed("b", "hold", "a", 1),
    )
    soft = decide(begin_first_turn(), build_action("hold", "b", uses=()), [20])
    assert soft.events == (RegularUsed("a", "hold"), Delayed("b", "hold", "a", 1))
    hurt = decide(begin_first_turn(hp=2), build_action("hold", "b", uses=("wrestling",)), [20])
    assert hurt.events == soft.events
    old = decide(begin_first_turn(rulings=LEGACY_RULINGS), build_action("hold", "b", uses=("wrestling",)), [20])
    assert old.events == soft.events
    back = decide(begin_first_turn(**build_delays(("hold", 1))), build_action("counter-hold", "b"), [20])
    assert back.events == (RegularUsed("a", "counter-hold"), Delayed("b", "hold", "a", 1))


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("distract", Delayed("b", "distract", "a", 1)),
        ("surprise", Panicked("b", "a", 1)),
        ("intimidate", Panicked("b", "a", 1)),
    ],
)
def test_mind_attack_is_spent_on_hit_and_miss(name: str, effect: Any) -> None:
    """`act.unrepeatable`, `act.distract`, `act.surprise`, `act.intimidate`: spent on a hit and on a miss (A03)."""
    spent = (RegularUsed("a", name), OnceUsed("a", name, "b"))
    assert decide(begin_first_turn(), build_action(name, "b"), [19]).events == (*spent, effect)
    assert decide(begin_first_turn(), build_action(name, "b"), [1]).events == spent


def test_flyer_in_open_air_is_out_of_reach_after_long_attack() -> None:
    """`flying.immunity`, `flying.requires`: in open air, after long-range attacks and evades, not others."""
    bird = replace(HERO, here=frozenset(("open-air", "throwable")))
    for name in ("shoot", "throw", "blast", "surprise"):
        assert OutOfReach("a") in decide(begin_first_turn(bird), build_action(name, "b"), [1]).events
        assert (
            OutOfReach("a")
            not in decide(
                begin_first_turn(replace(HERO, here=frozenset(("throwable",)))), build_action(name, "b"), [1]
            ).events
        )
    assert OutOfReach("a") in decide(begin_first_turn(bird), build_action("evade"), []).events
    assert OutOfReach("a") not in decide(begin_first_turn(bird), build_action("basic-attack", "b"), [1]).events
    assert OutOfReach("a") not in decide(begin_first_turn(), build_action("evade"), []).events


@pytest.mark.parametrize(
    ("name", "hp", "face", "damage"),
    [
        ("throw", 4, 19, 1),
        ("shoot", 4, 19, 2),
        ("shoot", 4, 20, 4),  # 5, of 4 hit points
        ("blast", 4, 19, 1),
        ("blast", 4, 20, 2),
        ("knockout", 4, 19, 4),
        ("knockout", 2, 19, 2),
        ("knockout", 2, 20, 3),
    ],
)
def test_attacks_do_their_damage_and_may_delay_the_actor(name: str, hp: int, face: int, damage: int) -> None:
    """`act.shooting`, `act.blasting`, `act.knockout.damage`, `act.throw-object`, and who delays itself."""
    state = begin_first_turn(replace(HERO, here=frozenset(("throwable",))), hp=hp)
    decision = decide(state, build_action(name, "b"), [face])
    (hurt,) = (event for event in decision.events if isinstance(event, Damaged))
    assert 4 - hurt.hp == damage
    cause = {"shoot": "shooting", "blast": "blasting", "knockout": "knockout"}.get(name, "")
    delays = [event for event in decision.events if isinstance(event, Delayed)]
    is_delayed = name == "knockout" or (hp == 2 and cause != "")
    assert delays == ([Delayed("a", cause, "a", 2)] if is_delayed else [])


@pytest.mark.parametrize(
    ("state", "action"),
    [
        pytest.param(state, build_action(name, *targets, uses=uses), id=f"{name} {' '.join(uses)} {how}")
        for name, targets, uses in (
            *(("basic-attack", ("b",), uses) for uses in (("fighting",), ("knockout",), ())),
            ("double-attack", ("b", "b"), ("fighting",)),
            ("double-attack", ("b", "c"), ("fighting",)),
            ("shoot", ("b",), ("shooting",)),
            ("blast", ("b", "c"), ("blasting",)),
            ("knockout", ("b",), ("knockout",)),
            ("hold", ("b",), ("wrestling",)),
            ("hold", ("b",), ()),
            ("counter-hold", ("b",), ("wrestling",)),
            ("distract", ("b",), ()),
            ("surprise", ("b",), ("stealth",)),
        )
        for how, befallen, hp, rulings in (
            ("", {}, 4, DEFAULT_RULINGS),
            ("at the last hit points", {}, 1, DEFAULT_RULINGS),
            ("at the fallen", {}, 0, DEFAULT_RULINGS),
            ("injured", {"hp": 1}, 4, DEFAULT_RULINGS),
            ("by the older wrestling", {}, 4, LEGACY_RULINGS),
        )
        for state in [
            with_changed_b(
                begin_first_turn(
                    rulings=rulings,
                    **befallen,  # type: ignore[arg-type]  # it names no other arguments
                    **(build_delays(("hold", 1)) if "counter" in name else {}),
                ),
                hp=hp,
            )
        ]
        if not (befallen and name in ("double-attack", "counter-hold"))
    ],
)
def test_total_over_faces_equals_sum_over_all_faces(state: EncounterState, action: Action) -> None:
    """Over all faces: the hit points lost and the number of successful rolls."""
    taken = hits = 0
    for face in range(1, 21):
        decision = decide(state, action, [face] * len(action.targets))
        assert decision.is_legal, decision.narration
        damage = [event for event in decision.events if isinstance(event, Damaged)]
        taken += sum(min(event.damage, state.fighter(event.who).hp) for event in damage)
        hits += sum(roll.check.is_success for roll in decision.rolls)
    targets = [state.fighter(each) for each in action.targets]
    assert sum_damage_and_hits_over_faces(
        TurnContext(state, state.fighter("a")), action.do, action.uses or (), targets
    ) == (
        taken,
        hits,
    )


# Choosing abilities


@pytest.mark.parametrize(
    ("levels", "here", "name", "uses", "rulings"),
    [
        ({"fighting": 1, "wrestling": 2}, "level", "basic-attack", ("wrestling",), DEFAULT_RULINGS),
        ({"fighting": 2, "wrestling": 2}, "level", "basic-attack", ("fighting",), DEFAULT_RULINGS),
        ({}, "level", "basic-attack", (), DEFAULT_RULINGS),
        # of equal totals a wrestler's hold has more effect
        ({"wrestling": 1, "detection": 1, "quickness": 1}, "level", "hold", ("wrestling",), DEFAULT_RULINGS),
        ({"wrestling": 1, "detection": 2}, "level", "hold", ("detection",), DEFAULT_RULINGS),
        # in water swimming is added to every ability, also to itself; once, if ruled so
        ({"quickness": 1, "swimming": 2}, "water", "hold", ("swimming",), DEFAULT_RULINGS),
        ({"detection": 1, "swimming": 2}, "water", "hold", ("swimming",), DEFAULT_RULINGS),
        ({"detection": 1, "swimming": 2}, "water", "hold", ("detection",), RulingSettings(swimming_twice=False)),
        # diving has more effect only in an evade
        ({"wrestling": 2, "swimming": 2}, "deep-water", "hold", ("wrestling",), DEFAULT_RULINGS),
        ({"quickness": 1, "swimming": 2}, "level", "hold", ("quickness",), DEFAULT_RULINGS),
        (
            {"fighting": 1, "wrestling": 2, "knockout": 2},
            "level",
            "basic-attack",
            ("fighting", "wrestling"),
            RulingSettings(stack_abilities=True),
        ),
        (
            {"fighting": 1, "wrestling": 2, "knockout": 4},
            "level",
            "basic-attack",
            ("knockout",),
            RulingSettings(stack_abilities=True),
        ),
    ],
)
def test_roll_without_named_ability_uses_the_best(
    levels: dict[str, int], here: str, name: str, uses: tuple[str, ...], rulings: RulingSettings
) -> None:
    """`roll.ability-optional`, `move.terrain`, `swimming.in-water`: the highest total, of equals the most effect."""
    state = begin_first_turn(build_encounter_fighter("a", {"toughness": 4, **levels}, here=[here]), rulings=rulings)
    chosen, left = (decide(state, build_action(name, "b", uses=each), [9]) for each in (uses, None))
    assert [roll.check for roll in left.rolls] == [roll.check for roll in chosen.rolls]
    assert left.events == chosen.events


@pytest.mark.parametrize(
    ("levels", "here", "evaded"),
    [
        ({"quickness": 2}, ["level"], Evaded("a", "quickness", 2)),
        ({"quickness": 2}, ["water"], Evaded("a", "", 0)),
        ({"quickness": 1, "swimming": 1}, ["level", "deep-water"], Evaded("a", "swimming", 1)),
        ({"quickness": 1, "swimming": 1}, ["level", "water"], Evaded("a", "quickness", 1)),
        ({"quickness": 2, "swimming": 1}, ["level", "deep-water"], Evaded("a", "quickness", 2)),
        ({"flying": 1, "swimming": 1}, ["open-air", "deep-water"], Evaded("a", "swimming", 1)),
    ],
)
def test_evade_uses_the_best_movement_ability(levels: dict[str, int], here: list[str], evaded: Evaded) -> None:
    """An evade uses the highest movement ability that applies, and of equal ones diving.

    Rules: `act.evade`, `act.evade.no-ability`, `swimming.deep-evade`.
    """
    state = begin_first_turn(build_encounter_fighter("a", {"toughness": 4, **levels}, here=here))
    assert evaded in decide(state, build_action("evade"), []).events


def test_evade_with_inapplicable_movement_adds_nothing() -> None:
    """An evade with an absent or inapplicable ability adds nothing (`act.evade.no-ability`, A10).

    The evade itself happens, and the turn has used it.
    """
    for ability in ("swimming", "acrobatics", "flying"):
        events = decide(begin_first_turn(), build_action("evade", uses=(ability,)), []).events
        assert events == (RegularUsed("a", "evade"), Evaded("a", "", 0))
    events = decide(begin_first_turn(PLAIN), build_action("evade", uses=("quickness",)), []).events
    assert events == (RegularUsed("a", "evade"), Evaded("a", "", 0))


def test_legal_actions_by_target_and_ability() -> None:
    """`act.blasting`, `act.fighting.double`, `roll.ability-required`: by hand, for two targets b and c.

    Blast b, c, or both; a blow on b or c with another after it, two on b, on both, on c; a counter-hold on b, who
    holds; never without the ability.
    """
    offered = legal_actions(begin_first_turn())
    assert [(each.targets, each.uses) for each in offered if each.do == "blast"] == [
        (("b",), ("blasting",)),
        (("c",), ("blasting",)),
        (("b", "c"), ("blasting",)),
    ]
    assert [(each.targets, each.uses) for each in offered if each.do == "double-attack"] == [
        (("b",), ("fighting",)),
        (("c",), ("fighting",)),
        (("b", "b"), ("fighting",)),
        (("b", "c"), ("fighting",)),
        (("c", "c"), ("fighting",)),
    ]
    assert [each.uses for each in offered if each.do == "evade"] == [("quickness",), ()]
    assert [each.do for each in legal_actions(begin_first_turn(**build_delays(("hold", 1))))] == [
        "counter-hold",
        "nothing",
        "end-turn",
    ]


def test_stacked_abilities_equal_the_choices_listed_by_hand() -> None:
    """With stacking, each of three abilities, the first two together, or none are offered.

    An evade has at most one ability. Rule: `act.knockout.basic` (A02).
    """
    state = begin_first_turn(
        build_encounter_fighter(
            "a",
            {"toughness": 4, "fighting": 1, "wrestling": 1, "knockout": 1, "quickness": 1, "flying": 1},
            here=["level", "open-air"],
        ),
        rulings=RulingSettings(stack_abilities=True),
    )
    offered = legal_actions(state)
    assert [each.uses for each in offered if each.do == "basic-attack" and each.targets == ("b",)] == [
        ("fighting",),
        ("wrestling",),
        ("fighting", "wrestling"),
        ("knockout",),
        (),
    ]
    assert [each.uses for each in offered if each.do == "evade"] == [("quickness",), ("flying",), ()]


# Crafting in a fight's state


def peace(*more: Fighter, rulings: RulingSettings = DEFAULT_RULINGS) -> EncounterState:
    """Before an encounter: a crafter of level 1, and others."""
    maker = build_encounter_fighter("a", {"toughness": 4, "craftsmanship": 1})
    return build_initial_state(
        (maker, *(more or (build_encounter_fighter("b", {"toughness": 4, "fighting": 1}),))), rulings
    )


def craft(ability: str = "fighting", target: str = "b", **more: Any) -> Action:
    """An attempt of a."""
    return Action("a", "craft", (target,), ability=ability, **more)


def test_crafting_is_refused_by_its_rules() -> None:
    """`craft.bonus`, `craft.needs-level`, `craft.one-per-ability`, `craft.duration`, `craft.encounter-lock`."""
    state = peace()
    assert check_action(state, craft()) == ()
    assert [problem.rule for problem in check_action(state, craft("stealth"))] == ["craft.needs-level"]
    assert [problem.rule for problem in check_action(state, craft("toughness", "a"))] == ["craft.bonus"]
    assert [problem.rule for problem in check_action(state, craft(add=False))] == ["craft.duration"]
    unskilled = build_initial_state((PLAIN, replace(state.fighter("b"))), DEFAULT_RULINGS)
    assert [problem.rule for problem in check_action(unskilled, craft())] == [
        "craft.bonus",
        "char.ability-level",
        "roll.ability-required",
    ]
    made = apply_events(state, decide(state, craft(), ()).events)
    assert [problem.rule for problem in check_action(made, craft())] == ["craft.bonus", "craft.one-per-ability"]
    (many,) = check_action(made, craft("toughness"))
    assert (many.expected, many.got) == ("1 bonus at most by craftsmanship 1", "2")
    assert check_action(made, craft(add=False)) == ()
    down = state.with_fighter(replace(state.fighter("a"), hp=0))
    assert [problem.rule for problem in check_action(down, craft())] == ["hp.incapacitated"]
    soft = build_initial_state(
        (build_encounter_fighter("a", {"craftsmanship": 1}), state.fighter("b")), DEFAULT_RULINGS
    )
    assert check_action(soft, craft()) == ()  # never had any hit points to lose
    assert [problem.rule for problem in check_action(begin_first_turn(), craft("toughness"))] == [
        "craft.encounter-lock"
    ]
    started = begin_encounter(*state.fighters)
    assert check_action(started, craft()) == ()  # no turn has begun


def test_crafting_in_a_hurry_is_rolled() -> None:
    """Crafting in a hurry needs a roll: 9 and craftsmanship 1 reach 10.

    A failure lasts as long as the hurry. Rules: `craft.hurry`, `craft.hurry-fail`.
    """
    state = peace(
        build_encounter_fighter("b", {"toughness": 4, "fighting": 1}), build_encounter_fighter("c", {"stealth": 1})
    )
    won = decide(state, craft(hurry=True), [9])
    (roll,) = won.rolls
    assert (roll.who, roll.target, list_parts(roll.check.figure)) == (
        "a",
        "b",
        [(9, "roll.d20"), (1, "craft.hurry")],
    )
    assert (roll.against.name, list_parts(roll.against)) == ("difficulty", [(10, "craft.hurry")])
    assert won.narration == "a crafts a bonus for b in a hurry: 10 against difficulty 10. b has +1 fighting."
    lost = decide(state, craft(hurry=True), [8])
    assert lost.narration == "a crafts a bonus for b in a hurry: 9 against difficulty 10. Failure."
    state = apply_events(state, lost.events)
    assert state.lost_crafts == (("a", "b", "fighting"),)
    assert [problem.rule for problem in check_action(state, craft(hurry=True))] == ["craft.hurry-fail"]
    assert [problem.rule for problem in check_action(state, craft("stealth", "c", hurry=True))] == ["craft.hurry-fail"]
    assert (
        check_action(replace(state, rulings=RulingSettings(failed_hurry="ability")), craft("stealth", "c", hurry=True))
        == ()
    )
    rested = decide(state, craft(), ())
    assert [type(event).__name__ for event in rested.events] == ["CraftUnhurried", "BonusPlaced"]
    after = apply_events(state, rested.events)
    assert (after.lost_crafts, after.fighter("b").level("fighting")) == ((), 2)
    assert after.fighter("b").character.bonuses == (TemporaryBonus("fighting", "a"),)
    again = decide(after, craft(add=False), ())
    assert [type(event).__name__ for event in again.events] == ["BonusRemoved"]
    assert again.narration == "a removes the fighting bonus from b."
    assert apply_events(after, again.events).fighter("b").level("fighting") == 1


def test_crafter_regains_only_its_own_lost_bonuses() -> None:
    """A crafter's time restores only that crafter's lost bonuses (`craft.hurry-fail`)."""
    state = replace(peace(), lost_crafts=(("a", "b", "fighting"), ("z", "b", "fighting")))
    after = apply_events(state, decide(state, craft(), ()).events)
    assert after.lost_crafts == (("z", "b", "fighting"),)
    only_z = replace(peace(), lost_crafts=(("z", "b", "fighting"),))
    assert [type(event).__name__ for event in decide(only_z, craft(), ()).events] == ["BonusPlaced"]


def test_crafting_is_offered_in_peace() -> None:
    """In peace, crafting is offered for each ability of each companion (`craft.encounter-lock`).

    It is offered with and without hurry; removal is offered only for an existing bonus.
    """
    state = peace()
    assert [(each.ability, each.add, each.hurry) for each in legal_actions(state) if each.do == "craft"] == [
        ("toughness", True, False),
        ("toughness", True, True),
        ("fighting", True, False),
        ("fighting", True, True),
    ]
    made = apply_events(state, decide(state, craft(), ()).events)
    assert [(each.ability, each.add, each.hurry) for each in legal_actions(made)] == [("fighting", False, False)]
