"""Interrupts in detail: who may interrupt, when, and the results."""

from dataclasses import replace
from typing import Any

import pytest

from scratch_core.board import board_from_dict
from scratch_core.encounter.actions import Action, interrupts, list_possible_interrupters
from scratch_core.encounter.engine import apply, apply_events, check_action, decide, legal_action_names, legal_actions
from scratch_core.encounter.state import (
    Damaged,
    Delay,
    EncounterEnded,
    EncounterState,
    Escaped,
    Evade,
    EvadeEnded,
    Exposed,
    Healed,
    InterruptTried,
    MoveUsed,
    OnceUsed,
    PendingAction,
    Prevented,
    RegularUsed,
    Settled,
    TurnBegan,
    TurnEnded,
    Walked,
)
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings
from tests.support.boards import (
    begin_board_duel,
    begin_board_encounter,
    build_path_right,
    build_placed_fighter,
    format_broken_rules,
    with_changed_a,
)
from tests.support.encounters import apply_action, list_broken_rules, with_changed_b
from tests.support.known import require

# Interrupts


def waiting(do: str = "evade", **more: Any) -> EncounterState:
    """A has begun something next to b, and it waits."""
    state = apply_action(begin_board_duel(shooting=1), Action("a", do, **more))
    assert state.pending_action is not None
    return state


INTERRUPT = Action("b", "interrupt", ("a",))


@pytest.mark.parametrize(
    ("befallen", "expected"),
    [
        ({}, ""),
        ({"side": "a"}, "grid.interrupt.what"),
        ({"hp": 0}, "grid.interrupt.unable hp.incapacitated"),
        ({"hp": 2}, "grid.interrupt.unable hp.injured"),
        ({"delays": (Delay("hold", "a", 1),)}, "grid.interrupt.unable grid.interrupt.delayed cond.delayed"),
        ({"panicked_until": 1}, "grid.interrupt.unable cond.panicked"),
        ({"in_cover": True}, "grid.interrupt.unable act.cover.forbidden"),
        ({"at": (3, 0)}, "grid.interrupt.what grid.close.reach"),
        ({"escaped": True}, "grid.interrupt.unable act.escape.effect act.escape"),
    ],
)
def test_interrupt_by_unable_fighter_is_rejected(befallen: dict[str, Any], expected: str) -> None:
    """`grid.interrupt.unable`, `grid.interrupt.delayed`, `grid.interrupt.what`: a healthy, free enemy next to it."""
    assert format_broken_rules(with_changed_b(waiting(), **befallen), INTERRUPT) == expected


def test_interrupt_problem_names_the_condition() -> None:
    """`grid.interrupt.unable`: the problem names the required and the actual condition."""
    for befallen, expected, got in (
        ({"hp": 2}, "an interrupter who is healthy", "b, injured"),
        ({"delays": (Delay("hold", "a", 1),)}, "an interrupter who is not delayed", "b, delayed"),
        ({"panicked_until": 1}, "an interrupter who is not panicked", "b, panicked"),
        ({"in_cover": True}, "an interrupter who is out of cover", "b, in cover"),
    ):
        problem = check_action(with_changed_b(waiting(), **befallen), INTERRUPT)[0]
        assert (problem.expected, problem.got) == (expected, got)


def test_only_an_exposing_action_can_be_interrupted() -> None:
    """`grid.interrupt.what`, `grid.scope`, `grid.close.reach`: nothing waits, or someone else's act does."""
    triggers = (
        "grid.interrupt.what grid.interrupt.trigger.move grid.interrupt.trigger.evade grid.interrupt.trigger.far-attack"
    )
    state = with_changed_a(begin_board_duel())
    assert format_broken_rules(state, INTERRUPT) == triggers
    assert format_broken_rules(with_changed_b(state, at=(4, 0)), INTERRUPT) == f"{triggers} grid.close.reach"
    assert format_broken_rules(replace(state, board=None), INTERRUPT) == "grid.scope"
    assert format_broken_rules(waiting(), Action("b", "interrupt")) == "grid.interrupt.what"
    assert format_broken_rules(waiting(), Action("b", "interrupt", ("a",), ("shooting",))) != ""
    assert format_broken_rules(state, Action("a", "settle")) == "grid.interrupt.what"
    assert format_broken_rules(waiting(), Action("b", "settle")) == "grid.interrupt.what"
    assert format_broken_rules(waiting(), Action("a", "settle")) == ""
    assert format_broken_rules(replace(state, board=None), Action("a", "settle")) == "grid.scope"
    assert format_broken_rules(waiting(), Action("a", "bonus")) == "grid.interrupt.what"
    assert check_action(waiting(), Action("a", "bonus"))[0].got == "evade of a waits"


def test_action_waits_only_if_an_interrupt_is_possible() -> None:
    """An action that exposes its actor waits for interrupts (`grid.interrupt.what`).

    Until then it has no effect. An action that exposes its actor to no one happens at once.
    """
    apart = begin_board_encounter(build_placed_fighter("a", (0, 0), shooting=1), build_placed_fighter("z", (5, 0)))
    assert len(decide(apart, Action("a", "shoot", ("z",)), [10]).rolls) == 1
    state = begin_board_encounter(
        build_placed_fighter("a", (0, 0), shooting=1),
        build_placed_fighter("b", (0, 1), side="x"),
        build_placed_fighter("z", (5, 0), side="x"),
    )
    declared = decide(state, Action("a", "shoot", ("z",)), [])
    waiting = apply_events(state, declared.events)
    assert declared.rolls == ()
    assert waiting.pending_action is not None
    assert waiting.ledger.regular == ()
    assert [each.id for _, each in list_possible_interrupters(waiting, waiting.pending_action)] == ["b"]
    assert legal_action_names(waiting, "b") == {"interrupt"}
    assert legal_action_names(waiting, "a") == {"settle"}
    assert "grid.interrupt.what" in list_broken_rules(waiting, Action("a", "bonus"))
    settled = decide(waiting, Action("a", "settle"), [20])
    assert len(settled.rolls) == 1
    assert apply_events(waiting, settled.events).fighter("z").hp == 0  # 5 damage on face 20 (`act.shooting.auto`)
    with pytest.raises(ScratchError):
        decide(waiting, Action("a", "settle"), [])


def test_each_moment_of_a_move_has_its_own_interrupt_order() -> None:
    """Each moment of a move has its own order of interrupts (ruling G06).

    The first by initiative may interrupt at the end of the move, after others have interrupted at its start.
    """
    first, last = build_placed_fighter("c", (5, 0), side="x"), build_placed_fighter("d", (0, 0), side="x")
    waiting = apply_action(
        begin_board_encounter(build_placed_fighter("a", (1, 0)), first, last),
        Action("a", "move", path=build_path_right(2, 4)),
    )
    tried = apply_action(waiting, Action("d", "interrupt", ("a",)), 1)
    assert legal_action_names(apply_action(tried, Action("a", "settle")), "c") == {"interrupt"}


def test_interrupt_needs_fighters_on_the_map() -> None:
    """An escaped character can't interrupt, and a space off the map exposes to no one.

    Rules: `grid.interrupt.unable`, `grid.interrupt.what`.

    From (0, 1), 2 spaces from b, a step leads to (-1, 2), which is 1 space from b.
    """
    gone = "grid.interrupt.unable act.escape.effect act.escape grid.interrupt.what"
    assert format_broken_rules(apply(waiting(), Escaped("b")), INTERRUPT) == gone
    board = board_from_dict({"rows": ["..."] * 4})
    state = with_changed_a(
        begin_board_encounter(build_placed_fighter("a", (1, 1)), build_placed_fighter("b", (0, 3)), board=board),
        evaded_last_turn=True,
    )
    assert apply_action(state, Action("a", "move", path=((0, 1), (-1, 2)))).pending_action is None


def test_interrupt_at_invalid_moment_is_rejected() -> None:
    """An interrupt after 3 spaces is rejected: the mover is out of reach.

    It is also rejected if no moment is left (G01). Rules: `grid.interrupt.what`, `grid.close.reach`.
    """
    state = apply_action(begin_board_duel((1, 0), (0, 0)), Action("a", "move", path=build_path_right(2, 4)))
    late = Action("b", "interrupt", ("a",), when=3)
    assert [(each.rule, each.got) for each in check_action(state, late)] == [
        ("grid.interrupt.what", "4,0, 4 spaces away"),
        ("grid.close.reach", "4,0, 4 spaces away"),
    ]
    walked = replace(apply(state, Walked("a", build_path_right(2, 3))), rulings=RulingSettings(interrupt_move="leave"))
    (problem,) = check_action(walked, INTERRUPT)
    assert (problem.rule, problem.got) == ("grid.interrupt.what", "none left")


def test_second_interrupt_in_a_turn_is_rejected() -> None:
    """`grid.interrupt.once`: hit or miss, at whatever moment."""
    state = apply_action(waiting(), INTERRUPT, 1)
    assert state.ledger.attempts == ("b",)
    assert format_broken_rules(state, INTERRUPT).split()[0] == "grid.interrupt.once"
    assert [action.do for action in legal_actions(state)] == ["settle"]


def test_successful_interrupt_prevents_the_pending_action() -> None:
    """`grid.interrupt.prevent`, `grid.interrupt.end-turn`, `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`."""
    state = waiting()
    hit = decide(state, INTERRUPT, [20])
    assert hit.events == (
        InterruptTried("b", "a"),
        RegularUsed("a", "evade"),
        Prevented("a", "b", "evade", 2),
        TurnEnded("a"),
    )
    assert hit.narration.endswith("'s action is stopped and their turn ends.")
    missed = decide(state, INTERRUPT, [1])
    assert (missed.events, missed.narration.startswith("b fails to interrupt a: ")) == (
        (InterruptTried("b", "a"),),
        True,
    )
    ended = apply_events(state, hit.events)
    a = ended.fighter("a")
    assert (ended.pending_action, ended.turn_over, a.escape_banned_until, a.evaded_last_turn) == (None, True, 2, False)
    again = apply_events(ended, (TurnBegan("a", 2, 0), TurnEnded("a")))
    assert again.fighter("a").escape_banned_until == 0


def test_prevented_action_ends_the_evade() -> None:
    """`grid.interrupt.evade-loss`: an active evade ends, and does not count for an escape."""
    state = apply_events(begin_board_duel(), (TurnBegan("a", 1, 0),))
    state = with_changed_a(state, evading=Evade("quickness", 1), evaded_this_turn=True)
    state = apply(state, Exposed("a", "shoot", ("b",), None, None, (), 0))
    stopped = apply(state, Prevented("a", "b", "shoot", 2)).fighter("a")
    assert (stopped.evading, stopped.evaded_this_turn, stopped.escape_banned_until) == (None, False, 2)
    assert EvadeEnded("a") in decide(state, INTERRUPT, [20]).events


def test_interrupted_mind_attack_is_spent() -> None:
    """`grid.interrupt.prevent`, `act.unrepeatable` (G05): the surprise was tried."""
    fighters = (
        build_placed_fighter("a", (0, 0), stealth=1),
        build_placed_fighter("b", (1, 0)),
        build_placed_fighter("c", (0, 2), side="b"),
    )
    state = apply_action(begin_board_encounter(*fighters), Action("a", "surprise", ("c",)))
    events = decide(state, INTERRUPT, [20]).events
    assert events[:4] == (
        InterruptTried("b", "a"),
        RegularUsed("a", "surprise"),
        OnceUsed("a", "surprise", "c"),
        Prevented("a", "b", "surprise", 2),
    )


def test_long_attacks_expose_by_distance() -> None:
    """`grid.interrupt.trigger.far-attack` (G09): at an enemy, or a space, further than one space away."""
    fighters = (
        build_placed_fighter("a", (0, 0), shooting=1, blasting=1),
        build_placed_fighter("b", (1, 0)),
        build_placed_fighter("c", (0, 2), side="b"),
    )
    state = begin_board_encounter(*fighters)
    assert apply_action(state, Action("a", "shoot", ("c",))).pending_action is not None
    assert apply_action(state, Action("a", "shoot", ("b",)), 1).pending_action is None
    far = apply_action(state, Action("a", "blast", space=(0, 2)))
    assert far.pending_action == PendingAction("a", "blast", (), None, (0, 2), (), 0)
    assert apply_action(begin_board_duel(blasting=1), Action("a", "blast", space=(0, 1)), 1, 1).pending_action is None
    settled = decide(far, Action("a", "settle"), [1])
    assert settled.events[0] == Settled("a")
    assert [roll.target for roll in settled.rolls] == ["c"]
    shot = apply_action(state, Action("a", "shoot", ("c",), ("shooting",)))
    hit = decide(shot, Action("a", "settle"), [19])
    assert [type(event).__name__ for event in hit.events] == ["Settled", "RegularUsed", "Damaged"]


def test_interrupt_moments_of_a_move_depend_on_the_ruling() -> None:
    """`grid.interrupt.trigger.move` (G01): where it starts, where it arrives from the second space on, or both."""
    for reading, moments in (("both", (0, 2, 3)), ("leave", (0,)), ("arrive", (2, 3))):
        board = board_from_dict({"rows": ["......", "......"]})
        near = (
            build_placed_fighter("b", (0, 1)),
            build_placed_fighter("c", (2, 1), side="b"),
            build_placed_fighter("d", (4, 1), side="b"),
        )
        rulings = RulingSettings(interrupt_move=reading)  # type: ignore[arg-type]  # one of its options
        state = begin_board_encounter(build_placed_fighter("a", (0, 0)), *near, board=board, rulings=rulings)
        exposed = PendingAction("a", "move", (), None, None, build_path_right(1, 3), 0)
        assert interrupts.list_exposed_moments(state, exposed) == moments
        assert interrupts.list_exposed_moments(state, replace(exposed, walked=2)) == tuple(
            each for each in moments if each >= 2
        )
        assert interrupts.list_exposed_moments(state, replace(exposed, do="evade")) == (0,)


def test_move_of_one_space_allows_no_interrupt() -> None:
    """`grid.interrupt.trigger.move` (G02): more than one space does."""
    assert apply_action(begin_board_duel(), Action("a", "move", path=((0, 1),))).pending_action is None
    state = begin_board_encounter(build_placed_fighter("a", (0, 1)), build_placed_fighter("b", (0, 0)))
    decision = decide(state, Action("a", "move", path=((0, 2), (1, 2))), ())
    assert decision.events == (
        TurnBegan("a", 1, 0),
        MoveUsed("a", "before"),
        Exposed("a", "move", (), None, None, ((0, 2), (1, 2)), 0),
    )
    assert decision.narration == "a starts moving to 1,2. b may interrupt."


def test_interrupted_move_continues_from_where_it_stopped() -> None:
    """An interrupted move continues from the space that it has reached.

    Another character's move changes nothing of it. Rules: `grid.move.step`, `grid.interrupt.trigger.move`.
    """
    state = begin_board_encounter(build_placed_fighter("a", (0, 1)), build_placed_fighter("b", (0, 0)))
    state = apply_action(state, Action("a", "move", path=((0, 2), (1, 2), (2, 2))))
    tried = apply(state, InterruptTried("b", "a"))
    assert require(tried.pending_action).tried == ("b",)
    other = require(apply(tried, Walked("b", ((1, 0),))).pending_action)
    assert (other.walked, other.tried) == (0, ("b",))
    own = require(apply(tried, Walked("a", ((0, 2), (1, 2)))).pending_action)
    assert (own.walked, own.tried) == (2, ())
    settled = decide(state, Action("a", "settle"), ())
    assert settled.events == (Settled("a"), Walked("a", ((0, 2), (1, 2), (2, 2))))
    assert settled.narration == "a moves to 2,2."
    assert apply_events(state, settled.events).pending_action is None


def test_interrupts_follow_the_initiative_order() -> None:
    """`grid.interrupt.what` (G06): after a later one has tried, an earlier one may not."""
    fighters = (
        build_placed_fighter("a", (1, 1)),
        build_placed_fighter("b", (0, 1)),
        build_placed_fighter("c", (2, 1), side="b"),
    )
    state = apply_action(begin_board_encounter(*fighters), Action("a", "evade"))
    assert [each.actor for each in legal_actions(state)] == ["b", "c", "a"]
    tried = apply_action(state, Action("c", "interrupt", ("a",)), 1)
    (problem,) = check_action(tried, INTERRUPT)
    assert (problem.rule, problem.got) == ("grid.interrupt.what", "b after c")
    first = apply_action(state, INTERRUPT, 1)
    assert format_broken_rules(first, Action("c", "interrupt", ("a",))) == ""
    more = (*fighters[:2], build_placed_fighter("c", (2, 1), side="b"), build_placed_fighter("d", (1, 0), side="b"))
    both = apply_action(begin_board_encounter(*more), Action("a", "evade"))
    for each in (INTERRUPT, Action("d", "interrupt", ("a",))):
        both = apply_action(both, each, 1)
    (problem,) = check_action(both, Action("c", "interrupt", ("a",)))
    assert (problem.rule, problem.got) == ("grid.interrupt.what", "c after d")


def test_interrupters_are_listed_by_initiative_not_by_name() -> None:
    """`grid.interrupt.what` (G06): z is before b."""
    fighters = (
        build_placed_fighter("a", (1, 1)),
        build_placed_fighter("z", (0, 1)),
        build_placed_fighter("b", (2, 1), side="z"),
    )
    decision = decide(begin_board_encounter(*fighters), Action("a", "evade"), ())
    assert decision.narration == "a is about to act: evade. z or b may interrupt."
    state = apply_action(begin_board_encounter(*fighters), Action("a", "evade"))
    assert [each.actor for each in legal_actions(state)] == ["z", "b", "a"]


@pytest.mark.parametrize("ability", ["fighting", "wrestling", "knockout"])
def test_interrupt_does_no_damage(ability: str) -> None:
    """An interrupt does no damage, even on face 20 (`grid.interrupt.no-damage`).

    An ability is added to its roll (`grid.interrupt.roll`).
    """
    interrupter = build_placed_fighter("b", (1, 0), **{ability: 2})  # type: ignore[arg-type]  # the name of an ability
    state = apply_action(begin_board_encounter(build_placed_fighter("a", (0, 0)), interrupter), Action("a", "evade"))
    decision = decide(state, INTERRUPT, [20])
    assert not any(isinstance(event, Damaged | Healed) for event in decision.events)
    (roll,) = decision.rolls
    assert [(part.value, part.rule) for part in roll.check.figure.parts] == [
        (20, "roll.d20"),
        (2, "grid.interrupt.roll"),
    ]
    assert (roll.against.name, roll.who, roll.target) == ("agility", "b", "a")


def test_end_of_encounter_drops_the_pending_action() -> None:
    """`turn.encounter`, `grid.interrupt.what`: the pending action is dropped."""
    assert apply(waiting(), EncounterEnded()).pending_action is None
