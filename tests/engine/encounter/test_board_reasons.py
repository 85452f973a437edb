"""Fights on a map in detail: the rules of each refusal, and the state after each event."""

from dataclasses import replace
from typing import Any

import pytest

from scratch_core.board import Space, board_from_dict
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply, apply_events, check_action, decide, legal_actions
from scratch_core.encounter.state import (
    CoverLeft,
    Delay,
    Delayed,
    EncounterState,
    Escaped,
    Immobilized,
    MoveUsed,
    Placed,
    RegularUsed,
    Repositioned,
    TurnBegan,
    TurnEnded,
    Walked,
    build_initial_state,
)
from scratch_core.rulebook import RulingSettings
from tests.support.boards import (
    OPEN_BOARD,
    begin_board_duel,
    begin_board_encounter,
    build_path_right,
    build_placed_fighter,
    format_broken_rules,
    with_changed_a,
)
from tests.support.encounters import apply_action, with_changed_b

WALL = board_from_dict({"rows": ["..#...", "......", "......"]})


# Reach and sight


def test_attack_range_depends_on_its_kind() -> None:
    """`grid.close.reach`, `grid.long.los`, `grid.heal.adjacent`: one space, a clear line, one space."""
    near, far = begin_board_duel(b=(1, 1), healing=1, shooting=1), begin_board_duel(b=(2, 0), healing=1, shooting=1)
    hit = Action("a", "basic-attack", ("b",))
    assert (format_broken_rules(near, hit), format_broken_rules(far, hit)) == ("", "grid.close.reach")
    assert check_action(far, hit)[0].got == "b, 2 spaces away"
    heal = Action("a", "heal", ("b",))
    assert (
        format_broken_rules(with_changed_b(near, hp=1), heal),
        format_broken_rules(with_changed_b(far, hp=1), heal),
    ) == ("", "grid.heal.adjacent")
    assert check_action(with_changed_b(far, hp=1), heal)[0].got == "b, 2 spaces away"
    walled = begin_board_encounter(
        build_placed_fighter("a", (0, 0), shooting=1), build_placed_fighter("b", (4, 0)), board=WALL
    )
    (problem,) = check_action(walled, Action("a", "shoot", ("b",)))
    assert (problem.rule, problem.got) == ("grid.long.los", "b in 4,0 behind 2,0")
    twice = begin_board_encounter(
        build_placed_fighter("a", (0, 0), shooting=1),
        build_placed_fighter("b", (4, 0)),
        board=board_from_dict({"rows": [".#.#."]}),
    )
    assert check_action(twice, Action("a", "shoot", ("b",)))[0].got == "b in 4,0 behind 1,0 and 3,0"
    assert format_broken_rules(far, Action("a", "shoot", ("b",))) == ""
    assert format_broken_rules(far, Action("a", "shoot", ("a",))) == "act.shooting"


def test_healing_outside_encounters_ignores_distance() -> None:
    """`grid.heal.adjacent`: outside an encounter no one counts spaces."""
    state = build_initial_state(
        (build_placed_fighter("a", (0, 0), healing=1), replace(build_placed_fighter("b", (4, 0)), hp=1)),
        RulingSettings(),
        OPEN_BOARD,
    )
    assert format_broken_rules(state, Action("a", "heal", ("b",))) == ""


def test_blast_on_map_needs_a_visible_space() -> None:
    """`grid.blast.target`, `grid.scope`, `grid.long.los`: a space of the board in sight, and no targets."""
    state = begin_board_duel(b=(4, 0), blasting=1)
    assert format_broken_rules(state, Action("a", "blast", ("b",))) == "grid.blast.target"
    assert format_broken_rules(state, Action("a", "blast")) == "grid.blast.target"
    assert check_action(state, Action("a", "blast"))[0].got == "none"
    assert check_action(state, Action("a", "blast", ("b",), space=(4, 0)))[0].got == "targets"
    assert format_broken_rules(state, Action("a", "blast", space=(9, 0))) == "grid.blast.target"
    assert format_broken_rules(state, Action("a", "blast", space=(5, 2))) == ""
    walled = begin_board_encounter(
        build_placed_fighter("a", (0, 0), blasting=1), build_placed_fighter("b", (4, 0)), board=WALL
    )
    assert format_broken_rules(walled, Action("a", "blast", space=(4, 0))) == "grid.long.los"
    off = replace(state, board=None)
    assert format_broken_rules(off, Action("a", "blast", space=(4, 0))) == "grid.scope"


def test_blast_affects_every_character_in_its_area() -> None:
    """`grid.blast.area`, `grid.blast.max` (G19): b and an ally next to it, no one who is gone."""
    fighters = (
        build_placed_fighter("a", (0, 0), blasting=1),
        build_placed_fighter("b", (3, 0)),
        build_placed_fighter("c", (4, 1), side="a"),
        build_placed_fighter("d", (5, 2)),
    )
    state = begin_board_encounter(*fighters)
    decision = decide(state, Action("a", "blast", space=(3, 0)), [1, 1])
    assert [roll.target for roll in decision.rolls] == ["b", "c"]
    assert [
        roll.target
        for roll in decide(with_changed_b(state, escaped=True), Action("a", "blast", space=(3, 0)), [1]).rolls
    ] == ["c"]
    empty = decide(state, Action("a", "blast", space=(1, 2)), [])
    assert empty.narration == "a blasts an empty space."
    assert empty.events[-1] == RegularUsed("a", "blast")


# Moving


@pytest.mark.parametrize(
    ("befallen", "expected"),
    [
        ({}, ""),
        ({"hp": 0}, "hp.incapacitated grid.move.who"),
        ({"escaped": True}, "act.escape.effect act.escape grid.move.who"),
        ({"immobilized_until": 1}, "grid.hold.immobilize grid.move.who"),
        ({"delays": (Delay("distract", "b", 1),)}, ""),
        ({"at": (-1, 0)}, "grid.escape.exit"),
    ],
)
def test_move_by_unable_fighter_is_rejected(befallen: dict[str, Any], expected: str) -> None:
    """`grid.move.who`, `grid.hold.immobilize`, `grid.escape.exit`."""
    assert (
        format_broken_rules(with_changed_a(begin_board_duel(b=(5, 2)), **befallen), Action("a", "move", path=((0, 1),)))
        == expected
    )


def test_delay_forbids_moves_by_ruling() -> None:
    """`grid.move.who` (G07): with `delayed_blocks_move`, each cause is named."""
    state = begin_board_encounter(
        build_placed_fighter("a", (0, 0)),
        build_placed_fighter("b", (5, 2)),
        rulings=RulingSettings(delayed_blocks_move=True),
    )
    state = with_changed_a(state, delays=(Delay("distract", "b", 1),))
    assert format_broken_rules(state, Action("a", "move", path=((0, 1),))) == (
        "grid.move.who cond.delayed act.distract cond.delayed.expiry"
    )


def test_second_move_in_a_turn_is_rejected() -> None:
    """`grid.move.once`, `turn.encounter`, `grid.scope`: before or after the action, in an encounter, on a board."""
    step = Action("a", "move", path=((0, 1),))
    state = begin_board_duel(b=(5, 2))
    assert decide(state, step, ()).events == (TurnBegan("a", 1, 0), MoveUsed("a", "before"), Walked("a", ((0, 1),)))
    assert decide(state, step, ()).narration == "a moves to 0,1."
    assert format_broken_rules(apply_action(state, step), Action("a", "move", path=((0, 0),))) == "grid.move.once"
    acted = with_changed_a(state)
    acted = replace(acted, ledger=replace(acted.ledger, regular=("evade",)))
    assert decide(acted, step, ()).events[0] == MoveUsed("a", "after")
    assert format_broken_rules(replace(state, board=None), step) == "grid.scope"
    assert (
        format_broken_rules(build_initial_state(state.fighters, RulingSettings(), OPEN_BOARD), step) == "turn.encounter"
    )


def test_move_into_occupied_space_depends_on_occupant() -> None:
    """`grid.move.blocked`, `grid.move.allies`: enemies block, allies can be passed and not joined."""
    fighters = (
        build_placed_fighter("a", (0, 0)),
        build_placed_fighter("b", (4, 2)),
        build_placed_fighter("c", (1, 0), side="a"),
    )
    state = begin_board_encounter(*fighters)
    into = [
        problem.rule
        for problem in check_action(
            begin_board_encounter(*fighters[:2]), Action("a", "move", path=build_path_right(1, 3))
        )
    ]
    assert into == []
    assert format_broken_rules(state, Action("a", "move", path=((1, 0),))) == "grid.move.allies"
    assert format_broken_rules(state, Action("a", "move", path=((1, 0), (2, 0)))) == ""
    assert format_broken_rules(state, Action("a", "move", path=((0, 1), (0, 0)))) == ""
    assert format_broken_rules(begin_board_duel(), Action("a", "move", path=((1, 0),))) == "grid.move.blocked"


def test_first_step_of_move_leaves_cover() -> None:
    """`act.cover.stay`: before the way itself."""
    state = with_changed_a(begin_board_duel(b=(5, 2)), in_cover=True)
    assert decide(state, Action("a", "move", path=((0, 1),)), ()).events == (
        MoveUsed("a", "before"),
        CoverLeft("a"),
        Walked("a", ((0, 1),)),
    )


def test_move_between_hold_and_attack_is_rejected() -> None:
    """`grid.move.once`, `act.wrestling.bonus` (K06): the older wrestling's two attacks stand together."""
    legacy = RulingSettings(wrestling_double_legacy=True)
    state = with_changed_a(
        begin_board_encounter(
            build_placed_fighter("a", (0, 0), wrestling=1), build_placed_fighter("b", (1, 0)), rulings=legacy
        )
    )
    for moved, expected in (("before", ""), ("", ""), ("after", "grid.move.once")):
        held = replace(state, ledger=replace(state.ledger, regular=("hold",), moved=moved))  # type: ignore[arg-type]  # one of the words that it takes
        assert format_broken_rules(held, Action("a", "basic-attack", ("b",))) == expected


def test_move_off_map_needs_an_allowed_escape() -> None:
    """`grid.escape.exit`, `act.escape`, `cond.delayed`, `act.regular`, `grid.interrupt.escape-ban` (G21)."""
    out, state = Action("a", "move", path=((-1, 0),)), with_changed_a(begin_board_duel(b=(5, 2)))
    assert format_broken_rules(state, out) == "grid.escape.exit act.escape"
    ready = with_changed_a(state, evaded_last_turn=True)
    assert format_broken_rules(ready, out) == ""
    assert decide(ready, out, ()).narration == "a moves to -1,0, off the map."
    banned = with_changed_a(ready, escape_banned_until=1)
    assert format_broken_rules(banned, out) == "grid.escape.exit grid.interrupt.escape-ban"
    assert format_broken_rules(banned, Action("a", "escape")) == "grid.interrupt.escape-ban grid.escape.exit"
    delayed = with_changed_a(ready, delays=(Delay("distract", "b", 1),))
    assert format_broken_rules(delayed, out) == "grid.escape.exit cond.delayed act.distract cond.delayed.expiry"
    spent = replace(ready, ledger=replace(ready.ledger, regular=("hold",)))
    assert format_broken_rules(spent, out) == "grid.escape.exit act.regular"
    off = apply_action(ready, out)
    assert format_broken_rules(off, Action("a", "bonus")) == "grid.escape.exit"
    assert format_broken_rules(off, Action("a", "escape")) == ""
    assert decide(off, Action("a", "end-turn"), ()).events == (RegularUsed("a", "escape"), Escaped("a"), TurnEnded("a"))
    assert decide(off, Action("b", "bonus"), ()).events[:3] == (
        RegularUsed("a", "escape"),
        Escaped("a"),
        TurnEnded("a"),
    )
    gone = apply(off, Escaped("a")).fighter("a")
    assert (gone.escaped, gone.at) == (True, None)
    assert check_action(with_changed_a(ready), Action("a", "escape"))[0].got == "a in 0,0"


def test_fighter_off_map_cannot_act() -> None:
    """`act.escape.effect`, `grid.move.who`, `grid.escape.exit`: an escaped character takes no further action."""
    ready = with_changed_a(begin_board_duel(b=(5, 2), blasting=1, shooting=1), evaded_last_turn=True)
    off = apply_action(ready, Action("a", "move", path=((-1, 0),)))
    off = replace(off, ledger=replace(off.ledger, moved=""))
    (problem,) = check_action(off, Action("a", "move", path=((3, 0),)))
    assert (problem.rule, problem.got) == ("grid.escape.exit", "a move")
    away = apply(off, Escaped("a"))
    assert away.fighter("a").at is None
    absent = "act.escape.effect act.escape"
    assert format_broken_rules(away, Action("a", "move", path=((3, 0),))) == f"{absent} grid.move.who"
    assert format_broken_rules(away, Action("a", "engage")) == absent
    for action in (Action("a", "escape"), Action("a", "shoot", ("b",))):
        assert format_broken_rules(away, action).startswith(absent)
    assert format_broken_rules(away, Action("a", "blast", space=(1, 1))).startswith(absent)
    assert [each.do for each in legal_actions(away)] == ["end-turn"]
    assert format_broken_rules(away, Action("b", "move", path=((0, 0),))) != ""
    healers = begin_board_encounter(
        build_placed_fighter("a", (0, 0), healing=1), build_placed_fighter("b", (5, 2), healing=1)
    )
    healers = with_changed_b(apply(with_changed_a(healers), Escaped("a")), hp=1)
    assert format_broken_rules(healers, Action("a", "heal", ("b",))) == absent
    turned = apply_events(healers, (TurnEnded("a"), TurnBegan("b", 1, 1))).with_fighter(
        replace(healers.fighter("a"), hp=1)
    )
    assert format_broken_rules(turned, Action("b", "heal", ("a",))) == "act.escape.effect"
    assert decide(away, Action("a", "end-turn"), ()).events == (TurnEnded("a"),)


def test_step_off_map_problem_mentions_escape() -> None:
    """`grid.escape.exit` (G21): it is named in addition to what prevents the escape now."""
    found = check_action(with_changed_a(begin_board_duel(b=(5, 2))), Action("a", "move", path=((-1, 0),)))
    assert ("a step off the board to escape", "no escape now") in [(each.expected, each.got) for each in found]


def test_engage_ignores_spaces_off_map() -> None:
    """A step off the map next to an enemy leaves the encounter, without engaging.

    Rules: `act.engage`, `grid.close.reach`.
    """
    state = begin_board_encounter(
        build_placed_fighter("a", (0, 0)), build_placed_fighter("b", (2, 0)), board=board_from_dict({"rows": [".#."]})
    )
    leaving = with_changed_a(state, evaded_last_turn=True)
    assert format_broken_rules(leaving, Action("a", "move", path=((1, -1),))) == ""
    assert format_broken_rules(leaving, Action("a", "engage")) == "act.engage"


def test_fighter_on_space_of_incapacitated_enemy_may_engage() -> None:
    """A character may engage on the space of an inert incapacitated enemy (G12).

    An enemy on the same space is 0 spaces away. Rules: `act.engage`, `grid.close.reach`.
    """
    state = begin_board_encounter(
        build_placed_fighter("a", (1, 0)),
        build_placed_fighter("b", (1, 1)),
        rulings=RulingSettings(downed_are_inert=True),
    )
    over = apply_action(with_changed_b(state, hp=0), Action("a", "move", path=((1, 1),)))
    assert format_broken_rules(over, Action("a", "engage")) == ""
    assert (
        format_broken_rules(with_changed_b(begin_board_duel(), hp=0), Action("a", "move", path=((1, 0),)))
        == "grid.move.blocked"
    )


# Repositioning a held target


def begin_with_hold(a: Space = (0, 0), b: Space = (1, 0), **levels: int) -> EncounterState:
    """A has just held b."""
    return apply_action(begin_board_duel(a, b, **levels), Action("a", "hold", ("b",)), 20)


@pytest.mark.parametrize(
    ("state", "action", "expected"),
    [
        (lambda: with_changed_a(begin_board_duel()), {"swap": True}, "grid.hold.reposition"),
        (begin_with_hold, {"swap": True}, ""),
        (begin_with_hold, {"space": (2, 1)}, ""),
        (begin_with_hold, {}, "grid.hold.reposition"),
        (begin_with_hold, {"swap": True, "space": (2, 1)}, "grid.hold.reposition"),
        (begin_with_hold, {"space": (3, 0)}, "grid.hold.reposition"),
        (begin_with_hold, {"space": (1, 0)}, "grid.hold.reposition"),
        (begin_with_hold, {"space": (0, 0)}, "grid.hold.reposition"),
        (begin_with_hold, {"targets": ("a",), "swap": True}, "grid.hold.reposition"),
        (begin_with_hold, {"targets": (), "swap": True}, "grid.hold.reposition"),
        (lambda: with_changed_a(begin_with_hold(), hp=0), {"swap": True}, "hp.incapacitated"),
        (lambda: with_changed_a(begin_with_hold(), at=(5, 2)), {"swap": True}, "grid.hold.reposition"),
        (lambda: replace(begin_with_hold(), board=None), {"swap": True}, "grid.scope"),
    ],
)
def test_reposition_of_held_target_follows_the_rule(state: Any, action: dict[str, Any], expected: str) -> None:
    """A held target is repositioned once, right after the hold (`grid.hold.reposition`, G16).

    It swaps spaces with the holder or moves one free space further, next to the holder.
    """
    attempt = Action("a", "reposition", **{"targets": ("b",), **action})
    assert format_broken_rules(state(), attempt) == expected


def test_held_target_is_not_moved_into_walls_or_across_corners() -> None:
    """A held target is never moved into a wall (`grid.hold.reposition`).

    It is not moved across a corner of two walls if a ruling bars it (G11).
    """
    board, barred = board_from_dict({"rows": ["...#", "..#.", "...."]}), "grid.hold.reposition"
    state = begin_board_encounter(build_placed_fighter("a", (1, 0)), build_placed_fighter("b", (2, 0)), board=board)
    state = apply_action(state, Action("a", "hold", ("b",)), 20)
    shut = replace(state, rulings=RulingSettings(corners="barred"))
    for space, free, closed in (((3, 0), barred, barred), ((3, 1), "", barred), ((1, 1), "", "")):
        push = Action("a", "reposition", ("b",), space=space)
        assert (format_broken_rules(state, push), format_broken_rules(shut, push)) == (free, closed)
    state = begin_board_encounter(build_placed_fighter("a", (2, 0)), build_placed_fighter("b", (3, 1)), board=board)
    state = apply_action(state, Action("a", "hold", ("b",)), 20)
    swap = Action("a", "reposition", ("b",), swap=True)
    assert (
        format_broken_rules(state, swap),
        format_broken_rules(replace(state, rulings=RulingSettings(corners="barred")), swap),
    ) == ("", barred)


def test_swap_into_deep_water_names_broken_rules() -> None:
    """`grid.hold.reposition`, `swimming.requires` (G15): for a holder who can neither swim nor fly there."""
    barred = "grid.hold.reposition swimming.requires"
    cases: list[tuple[dict[str, int], list[Space], str]] = [
        ({}, [], barred),
        ({"swimming": 1}, [], ""),
        ({"flying": 1}, [], ""),
        ({"flying": 1}, [(1, 0)], barred),
    ]
    for levels, cramped, expected in cases:
        board = board_from_dict({"rows": [".w", ".."], "cramped": cramped})
        state = begin_board_encounter(
            build_placed_fighter("a", (0, 0), "a", **levels), build_placed_fighter("b", (1, 0), swimming=1), board=board
        )
        state = apply_action(state, Action("a", "hold", ("b",)), 20)
        assert format_broken_rules(state, Action("a", "reposition", ("b",), swap=True)) == expected


def test_reposition_leaves_cover_and_is_spent() -> None:
    """`grid.hold.reposition`, `act.cover.stay` (G18): both places change at a swap, one at a push."""
    covered = with_changed_b(begin_with_hold(), in_cover=True)
    swap = decide(covered, Action("a", "reposition", ("b",), swap=True), ())
    assert swap.events == (Repositioned("a"), CoverLeft("b"), Placed("b", "a", (0, 0)), Placed("a", "a", (1, 0)))
    assert swap.narration == "a swaps places with b."
    push = decide(begin_with_hold(), Action("a", "reposition", ("b",), space=(2, 1)), ())
    assert (push.events, push.narration) == (
        (Repositioned("a"), Placed("b", "a", (2, 1))),
        "a moves b to 2,1.",
    )
    moved = apply_events(begin_with_hold(), push.events)
    assert (moved.fighter("b").at, moved.ledger.held) == ((2, 1), "")
    assert format_broken_rules(moved, Action("a", "reposition", ("b",), swap=True)) == "grid.hold.reposition"


def test_hold_immobilizes_its_target() -> None:
    """`grid.hold.immobilize`: until the end of the target's next turn, the later of two."""
    decision = decide(begin_board_duel(), Action("a", "hold", ("b",)), [20])
    assert decision.events[-2:] == (Delayed("b", "hold", "a", 1), Immobilized("b", "a", 1)) or decision.events[-2:] == (
        Immobilized("b", "a", 1),
        Delayed("b", "hold", "a", 1),
    )
    state = apply_events(begin_board_duel(), (Immobilized("b", "a", 2), Immobilized("b", "a", 1)))
    assert (state.fighter("b").immobilized_until, state.ledger.held) == (2, "b")
    first = apply_events(state, (TurnBegan("b", 1, 1), TurnEnded("b")))
    assert first.fighter("b").immobilized_until == 2
    second = apply_events(first, (TurnBegan("b", 2, 1), TurnEnded("b")))
    assert second.fighter("b").immobilized_until == 0


# The form of an action


@pytest.mark.parametrize(
    ("action", "step"),
    [
        (Action("a", "move", path=((1, 0), (2, 0))), {"actor": "a", "do": "move", "path": [[1, 0], [2, 0]]}),
        (Action("a", "blast", space=(1, 0)), {"actor": "a", "do": "blast", "at": [1, 0]}),
        (
            Action("a", "reposition", ("b",), space=(1, 0)),
            {"actor": "a", "do": "reposition", "target": "b", "to": [1, 0]},
        ),
        (
            Action("a", "reposition", ("b",), swap=True),
            {"actor": "a", "do": "reposition", "target": "b", "swap": True},
        ),
        (
            Action("b", "interrupt", ("a",), ("fighting",), when=2),
            {"actor": "b", "do": "interrupt", "target": "a", "with": "fighting", "when": 2},
        ),
        (Action("b", "interrupt", ("a",), when=0), {"actor": "b", "do": "interrupt", "target": "a", "when": 0}),
        (Action("a", "settle"), {"actor": "a", "do": "settle"}),
    ],
)
def test_map_action_to_step_uses_file_keys(action: Action, step: dict[str, Any]) -> None:
    """`grid.scope`: the keys of the scenario file."""
    assert action.to_step() == step
