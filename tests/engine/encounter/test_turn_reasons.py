"""Turns in detail: parts of initiative, refusals out of turn, and the state after each event."""

from dataclasses import replace

import pytest

from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.dice import FixedRoller, RecordedRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import (
    apply,
    apply_events,
    begin,
    check_action,
    decide,
    legal_action_names,
    legal_actions,
)
from scratch_core.encounter.state import (
    BonusUsed,
    Damaged,
    Delay,
    Delayed,
    EncounterEnded,
    Engaged,
    Escaped,
    Evade,
    Evaded,
    EvadeEnded,
    OnceUsed,
    OutOfReach,
    Panicked,
    RegularUsed,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    TurnUsage,
    build_initial_state,
)
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import MAX_TIE_ROLLS, Decision, narrate
from tests.support.encounters import (
    TWO_FIGHTERS,
    apply_action,
    begin_encounter,
    build_encounter_fighter,
    list_broken_rules,
)

C = build_encounter_fighter("c", {"toughness": 3})


class Counted(FixedRoller):
    """Dice that always show the same face, and count their rolls."""

    thrown = 0

    def roll(self, sides: int) -> int:
        """The face."""
        self.thrown += 1
        return super().roll(sides)


# Beginning


def test_each_part_of_an_initiative_names_its_rule() -> None:
    """`turn.initiative-roll`, `stealth.initiative`, `detection.initiative`: 9 + 2 × 2 + 10 × 1 = 23 (E011)."""
    state = begin_encounter(
        build_encounter_fighter("a", {"toughness": 1, "stealth": 2, "detection": 1}), TWO_FIGHTERS[1], a=[9], b=[3]
    )
    assert [(part.value, part.rule) for part in state.initiative[0].figure.parts] == [
        (9, "turn.initiative-roll"),
        (4, "stealth.initiative"),
        (10, "detection.initiative"),
    ]
    assert (state.initiative[0].figure.name, state.initiative[1].figure.value) == ("initiative", 3)
    assert len(state.initiative[1].figure.parts) == 1


def test_begin_narration_lists_initiative_order() -> None:
    """The narration of the beginning lists the highest initiative first (`turn.order`).

    The encounter is in its first round, and no turn has begun.
    """
    decision = begin(build_initial_state(TWO_FIGHTERS, DEFAULT_RULINGS), FixedRoller(1), {"a": [3], "b": [12]})
    assert (decision.narration, decision.rolls, decision.problems) == ("The encounter begins: b 12, a 3.", (), ())
    state = apply_events(build_initial_state(TWO_FIGHTERS, DEFAULT_RULINGS), decision.events)
    assert (state.phase, state.round, state.place, state.active, state.turn_over) == ("running", 1, 0, "", True)


@pytest.mark.parametrize("face", [0, 21])
def test_initiative_is_a_face_of_a_d20(face: int) -> None:
    """`turn.initiative-roll`: 20 is the highest."""
    with pytest.raises(ScratchError) as caught:
        begin(build_initial_state(TWO_FIGHTERS, DEFAULT_RULINGS), FixedRoller(1), {"a": [face], "b": [2]})
    assert caught.value.code == "dice.face"
    assert begin_encounter(*TWO_FIGHTERS, a=[20], b=[1]).initiative[0].figure.value == 20


def test_tie_is_rolled_off_at_most_a_hundred_times() -> None:
    """A tie is rolled off at most a hundred times (`turn.tie`).

    Two groups roll once for initiative and then a hundred times each, before the dice are reported as a problem.
    """
    dice = Counted(7)
    with pytest.raises(ScratchError) as caught:
        begin(build_initial_state(TWO_FIGHTERS, DEFAULT_RULINGS), dice)
    assert (caught.value.problem.rule, caught.value.problem.where) == ("turn.tie", "the initiative")
    assert (dice.thrown, MAX_TIE_ROLLS) == (2 + 2 * 100, 100)


def test_hit_points_are_reset_in_the_first_encounter_only() -> None:
    """Characters have all hit points in their first encounter only (`hp.start`, `hp.max`).

    In the next they have the rest, and an escaped character takes part again.
    """
    state = begin_encounter(*TWO_FIGHTERS)
    state = apply_events(state, (Damaged("b", "a", 1, 2), Escaped("b"), EncounterEnded()))
    assert state.fighter("b").escaped
    again = apply_events(state, begin(state, FixedRoller(1), {"a": [9], "b": [2]}).events)
    b = again.fighter("b")
    assert (b.hp, b.fresh, b.escaped) == (2, False, False)


def test_end_of_encounter_clears_turn_state() -> None:
    """The end of an encounter clears the turn, its usage and all conditions.

    Only peaceful actions are legal afterwards. Rule: `turn.encounter`.
    """
    state = apply_action(
        begin_encounter(build_encounter_fighter("a", {"toughness": 3, "healing": 1}), TWO_FIGHTERS[1]),
        Action("a", "engage"),
    )
    over = apply_events(state, decide(state, Action("", "end-encounter"), ()).events)
    assert (over.phase, over.turn_over, over.ledger) == ("over", True, TurnUsage())
    assert not over.fighter("a").engaged
    alone = decide(begin_encounter(TWO_FIGHTERS[0]), Action("", "end-encounter"), ())
    assert alone.events == (EncounterEnded(),)
    assert legal_actions(over) == ()
    hurt = apply_events(over, (Damaged("b", "a", 2, 1),))
    assert legal_action_names(hurt, "a") == {"heal"}
    healed = decide(hurt, Action("a", "heal", ("b",)), [20])
    assert [type(event).__name__ for event in healed.events] == ["Healed"]


# Out of turn


def test_turn_out_of_order_names_every_broken_rule() -> None:
    """`turn.order`, `turn.member-turn`, `hp.incapacitated`, `cond.panicked`: who may not act, then who may."""
    state = begin_encounter(*TWO_FIGHTERS)
    down = state.with_fighter(replace(state.fighter("b"), hp=0))
    assert list_broken_rules(down, Action("b", "bonus")) == ["hp.incapacitated", "turn.order"]
    assert list_broken_rules(down, Action("b", "end-turn")) == ["turn.order"]
    panicked = apply_action(state, Action("a", "bonus")).with_fighter(
        replace(state.fighter("a"), panicked_until=1, turn=1)
    )
    assert list_broken_rules(panicked, Action("b", "bonus")) == ["cond.panicked", "turn.order"]
    evaded = apply_action(panicked, Action("a", "evade"))
    assert list_broken_rules(evaded, Action("b", "bonus")) == []


def test_second_turn_within_group_turn_is_rejected() -> None:
    """Each member acts once in the turn of its group (`turn.member-turn`).

    An action by a member of another group breaks the turn order alone.
    """
    state = begin_encounter(
        build_encounter_fighter("a", {"toughness": 3}, group="g"),
        build_encounter_fighter("b", {"toughness": 3}, group="g"),
        build_encounter_fighter("x", {"toughness": 3}),
    )
    once = apply_action(apply_action(state, Action("a", "bonus")), Action("a", "end-turn"))
    (first, second) = check_action(once, Action("a", "bonus"))
    assert (first.rule, first.got, second.rule, second.expected) == (
        "turn.member-turn",
        "a second one of a",
        "turn.order",
        "b, whose turn it is",
    )
    assert list_broken_rules(once, Action("x", "bonus")) == ["turn.order"]
    assert list_broken_rules(state, Action("x", "bonus")) == ["turn.order"]
    assert list_broken_rules(once, Action("b", "bonus")) == []


def test_passed_turns_have_round_and_place() -> None:
    """Each passed turn has its round and place in the order (`turn.order`).

    An escaped character has no turn to pass.
    """
    state = begin_encounter(*TWO_FIGHTERS, C, build_encounter_fighter("d", {"toughness": 3}))
    state = apply_action(state, Action("a", "bonus"))
    state = state.with_fighter(replace(state.fighter("b"), hp=0)).with_fighter(
        replace(state.fighter("c"), escaped=True)
    )
    events = decide(state, Action("d", "bonus"), ()).events
    assert events == (TurnEnded("a"), TurnPassed("b", 1, 1), TurnBegan("d", 1, 3), BonusUsed("d", "bonus"))
    state = apply_events(apply_events(state, events), (TurnEnded("d"),))
    assert decide(state, Action("a", "bonus"), ()).events[0] == TurnBegan("a", 2, 0)


def test_rejected_end_of_encounter_has_a_narration() -> None:
    """A rejected action without an actor has no name in front."""
    over = apply_events(begin_encounter(*TWO_FIGHTERS), (EncounterEnded(),))
    assert decide(over, Action("", "end-encounter"), ()).narration == (
        "end encounter not allowed, expected a fight that is going on, got none (turn.encounter)."
    )
    assert decide(begin_encounter(*TWO_FIGHTERS), Action("", "end-encounter"), ()) == Decision(
        (EncounterEnded(),), (), narrate("The encounter is over.")
    )


def test_unused_faces_are_rejected_only_in_a_list() -> None:
    """All faces of a list must be used (`roll.die-substitute`).

    A roller may have more faces.
    """
    state = begin_encounter(*TWO_FIGHTERS)
    assert decide(state, Action("a", "bonus"), FixedRoller(3)).is_legal
    with pytest.raises(ScratchError) as caught:
        decide(state, Action("a", "basic-attack", ("b",)), RecordedRoller((3, 4)))
    assert caught.value.code == "dice.faces.many"


# States after events


def test_turn_start_clears_effects_lasting_until_it() -> None:
    """`act.evade.end`, `act.engage.penalty`, `flying.immunity`, `turn.member-turn`: a new ledger, one more turn."""
    state = begin_encounter(*TWO_FIGHTERS)
    events = (
        *(TurnBegan("a", 1, 0), RegularUsed("a", "evade"), BonusUsed("a", "engage")),
        *(Evaded("a", "quickness", 2), Engaged("a"), OutOfReach("a")),
    )
    busy = apply_events(state, events)
    a = busy.fighter("a")
    assert (a.evading, a.evaded_this_turn, a.evaded_last_turn) == (Evade("quickness", 2), True, False)
    assert (a.engaged, a.engage_penalty, a.flying_immune) == (True, True, True)
    assert busy.ledger == TurnUsage(("evade",), "engage")
    assert (busy.active, busy.turn_over, busy.round, busy.place, busy.acted) == ("a", False, 1, 0, ("a",))
    ended = apply(busy, TurnEnded("a"))
    a = ended.fighter("a")
    assert (a.evading, a.evaded_this_turn, a.evaded_last_turn) == (Evade("quickness", 2), False, True)
    assert (a.engaged, a.engage_penalty, a.flying_immune) == (False, True, True)
    assert (ended.turn_over, ended.active) == (True, "a")
    begun_again = apply(ended, TurnBegan("a", 2, 0))
    a = begun_again.fighter("a")
    assert (a.evading, a.engage_penalty, a.flying_immune, a.turn) == (None, False, False, 2)
    assert (begun_again.ledger, begun_again.round, begun_again.acted) == (TurnUsage(), 2, ("a",))


def test_passed_turn_is_counted() -> None:
    """`turn.member-turn`, `turn.order`: it has its place and count, but no one acts."""
    group = (
        build_encounter_fighter("a", {"toughness": 3}, group="g"),
        build_encounter_fighter("b", {"toughness": 3}, group="g"),
        C,
    )
    state = apply(begin_encounter(*group), TurnPassed("a", 1, 0))
    assert (state.round, state.place, state.acted, state.active) == (1, 0, ("a",), "")
    state = apply(state, TurnPassed("b", 1, 0))
    assert state.acted == ("a", "b")
    state = apply(state, TurnPassed("c", 1, 1))
    assert (state.round, state.place, state.acted, state.fighter("c").turn) == (1, 1, ("c",), 1)
    state = apply(state, TurnPassed("a", 2, 0))
    assert (state.round, state.place, state.acted, state.fighter("a").turn) == (2, 0, ("a",), 2)


def test_conditions_end_with_the_turn_they_name() -> None:
    """`cond.delayed.expiry`, `cond.panicked.expiry`: each at the end of its own turn, not before and not after."""
    state = begin_encounter(*TWO_FIGHTERS)
    state = apply_events(
        state,
        (
            *(Delayed("a", "hold", "b", 1), Delayed("a", "shooting", "a", 2), Delayed("a", "hold", "c", 1)),
            *(Delayed("a", "hold", "b", 1), Panicked("a", "b", 2), Panicked("a", "b", 1)),
        ),
    )
    a = state.fighter("a")
    assert (a.panicked_until, a.held_by, len(a.delays)) == (2, ("b", "c"), 4)
    first = apply_events(state, (TurnBegan("a", 1, 0), TurnEnded("a"))).fighter("a")
    assert (first.delays, first.panicked_until, first.held_by) == ((Delay("shooting", "a", 2),), 2, ())
    passed = apply_events(state, (TurnPassed("a", 1, 0), TurnPassed("a", 2, 0))).fighter("a")
    assert (passed.delays, passed.panicked_until, passed.turn) == ((), 0, 2)


def test_simple_events_change_one_field() -> None:
    """`act.unrepeatable`, `act.hold.stops-evade`, `hp.damage`: what is spent is added, what ends is gone."""
    state = apply_events(
        begin_encounter(*TWO_FIGHTERS), (OnceUsed("a", "surprise", "b"), OnceUsed("a", "distract", "b"))
    )
    assert state.fighter("a").used == (("surprise", "b"), ("distract", "b"))
    evading = apply_events(state, (Evaded("b", "", 0),))
    assert evading.fighter("b").evading == Evade("", 0)
    assert apply_events(evading, (EvadeEnded("b"), Damaged("b", "a", 2, 1))).fighter("b") == replace(
        state.fighter("b"), hp=1, evaded_this_turn=True
    )
    spent = apply_events(state, (TurnBegan("a", 1, 0), RegularUsed("a", "hold"), RegularUsed("a", "basic-attack")))
    assert spent.ledger == TurnUsage(("hold", "basic-attack"), "")


def test_delayed_turn_without_possible_counter_hold_is_passed() -> None:
    """`turn.order`, `act.wrestling.counter-hold`: only a healthy wrestler can counter-hold a present character."""
    wrestler = build_encounter_fighter("b", {"toughness": 4, "wrestling": 1})
    held = apply_action(begin_encounter(TWO_FIGHTERS[0], wrestler, C), Action("a", "hold", ("b",)), 20)
    b, a = held.fighter("b"), held.fighter("a")
    bird = replace(build_encounter_fighter("a", {"toughness": 3, "flying": 1}, here=("open-air",)), fresh=False)
    assert list_broken_rules(held, Action("c", "bonus")) == ["turn.order"]
    for changed in (
        held.with_fighter(replace(b, hp=2)),
        held.with_fighter(replace(b, held_by=())),
        held.with_fighter(replace(b, panicked_until=1)),
        held.with_fighter(replace(b, escaped=True)),
        held.with_fighter(replace(a, escaped=True)),
        held.with_fighter(replace(bird, flying_immune=True)),
    ):
        assert list_broken_rules(changed, Action("c", "bonus")) == []
    assert list_broken_rules(held.with_fighter(replace(b, hp=3)), Action("c", "bonus")) == ["turn.order"]


def test_legacy_wrestling_double_action_lasts_until_turn_ends() -> None:
    """`act.wrestling.bonus` (K06): hold and attack in one turn, and then no more."""
    state = begin_encounter(
        build_encounter_fighter("a", {"toughness": 3, "wrestling": 1}),
        TWO_FIGHTERS[1],
        rulings=RulingSettings(wrestling_double_legacy=True),
    )
    state = apply_action(state, Action("a", "hold", ("b",)), 20)
    assert "basic-attack" in legal_action_names(state, "a")
    assert "hold" not in legal_action_names(state, "a")
    state = apply_action(state, Action("a", "basic-attack", ("b",)), 20)
    assert legal_action_names(state, "a") == {"bonus", "nothing", "end-turn"}
