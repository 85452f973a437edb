"""The engine on a board: what files can't show as well, and properties over random fights on random boards."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scratch_core.abilities import NAMES
from scratch_core.actions import Action, openings
from scratch_core.board import read_board
from scratch_core.catalogue import Rulings
from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.dice import RecordedFaces
from scratch_core.encounter import begin, decide, legal_actions, legal_names, replay, why_not
from scratch_core.errors import ScratchError
from scratch_core.state import (
    State,
    TurnBegan,
    TurnPassed,
    Walked,
    gather,
)
from scratch_core.turns import Decision
from scratch_core.turns.json_form import event_to_json
from tests.core.boards import begun, right, somebody
from tests.core.encounters import broken_rules, done
from tests.known import known
from tests.rollers import Always, Drawn
from tests.taste import examples

# Places


def test_the_space_tells_the_surroundings() -> None:
    """Who goes somewhere else has other things at hand (`move.terrain`, `grid.move.step`)."""
    board = read_board({"rows": [".^~w"], "cover": [[1, 0]], "throwable": [[0, 0]]})
    state = begun(somebody("a", (0, 0), swimming=2), somebody("z", (3, 0)), board=board)
    assert state.fighter("a").here == {"level", "open-air", "throwable"}
    assert state.fighter("z").here == {"deep-water", "open-air"}
    assert done(state, Action("a", "move", path=((1, 0),))).fighter("a").here == {
        *("climbable", "open-air", "cover", "throwable"),
    }


def test_leaving_a_space_leaves_its_cover() -> None:
    """Cover belongs to its space, for whoever walks and for whoever is moved (`act.cover.stay`, ruling G18)."""
    board = read_board({"rows": ["....", "...."], "cover": [[0, 0], [1, 0]]})
    state = begun(somebody("a", (0, 0)), somebody("b", (3, 1)), board=board)
    covered = done(state, Action("a", "take-cover"))
    assert not done(covered, Action("a", "move", path=((1, 0),))).fighter("a").in_cover
    moved = done(begun(somebody("a", (1, 1)), somebody("b", (3, 1)), board=board), Action("a", "move", path=((1, 0),)))
    assert "take-cover" in legal_names(moved, "a"), "moving is no action"
    held = done(replace(covered, turn_over=True), Action("b", "move", path=((2, 1), (1, 1))))
    held = done(held, Action("b", "hold", ("a",)), 20)
    assert not done(held, Action("b", "reposition", ("a",), space=(1, 0))).fighter("a").in_cover


# Movement


def test_a_delay_stops_moves_only_by_ruling() -> None:
    """Delayed and not held, one may move; `delayed_blocks_move` says otherwise (ruling G07, `grid.move.who`)."""
    for blocks in (False, True):
        state = begun(somebody("a", (0, 0)), somebody("b", (1, 0)), rulings=Rulings(delayed_blocks_move=blocks))
        state = done(done(state, Action("a", "distract", ("b",)), 20), Action("a", "end-turn"))
        problems = broken_rules(state, Action("b", "move", path=((2, 0),)))
        assert ("grid.move.who" in problems) == blocks == ("cond.delayed" in problems)
        assert ("move" in legal_names(state, "b")) != blocks


def test_the_fallen_are_in_the_way_unless_inert() -> None:
    """They block steps and sight and stop who passes; `downed_are_inert` ends all of it (ruling G12)."""
    board = read_board({"rows": ["......"]})
    down = replace(somebody("b", (2, 0)), hp=0, fresh=False)
    for inert in (False, True):
        state = begun(somebody("a", (0, 0), shooting=1), down, somebody("c", (5, 0)), board=board)
        state = replace(state, rulings=Rulings(downed_are_inert=inert))
        assert (broken_rules(state, Action("a", "move", path=right(1, 3))) == []) == inert
        assert (broken_rules(state, Action("a", "shoot", ("c",))) == []) == inert


def test_the_fallen_are_not_opponents_who_interrupt() -> None:
    """Nobody down interrupts, in the way or not (`grid.interrupt.unable`)."""
    down = replace(somebody("b", (1, 0)), hp=0, fresh=False)
    state = begun(somebody("a", (0, 0)), down)
    assert done(state, Action("a", "evade")).exposure is None


def test_nobody_moves_without_a_board() -> None:
    """Without a board its actions are refused, with the rule that says why (`grid.scope`)."""
    state = gather((somebody("a", (0, 0)), somebody("b", (1, 0))), DEFAULT_RULINGS)
    state = replay(state, begin(state, Always(1), {"a": [20], "b": [10]}).events)
    for do in ("move", "reposition", "interrupt", "settle"):
        assert "grid.scope" in broken_rules(state, Action("a", do, ("b",) if do != "move" else (), path=((1, 1),)))
    assert "grid.scope" in broken_rules(state, Action("a", "blast", space=(1, 1)))
    assert "move" not in legal_names(state, "a")


# Out by the edge


def ready_to_leave(**levels: Any) -> State:
    """A has evaded in its last turn and is on turn again, at the edge."""
    state = begun(somebody("a", (0, 1), **levels), somebody("z", (5, 1)))
    for action in (Action("a", "evade"), Action("a", "end-turn"), Action("z", "end-turn")):
        state = done(state, action)
    return state


def test_leaving_by_the_edge_leads_to_an_escape() -> None:
    """A step off the board is followed by the escape, by itself or when the turn ends (`grid.escape.exit`, G21)."""
    state = ready_to_leave()
    off = done(state, Action("a", "move", path=((-1, 1),)))
    assert off.fighter("a").at == (-1, 1)
    assert legal_names(off, "a") == {"escape", "end-turn"}
    assert "grid.escape.exit" in broken_rules(off, Action("a", "evade"))
    for action in (Action("a", "escape"), Action("a", "end-turn"), Action("z", "evade")):
        gone = done(off, action).fighter("a")
        assert gone.escaped
        assert gone.at is None


def test_nobody_leaves_who_could_not_escape() -> None:
    """Without an evade in the turn before, or without the action left, there is no way off (`grid.escape.exit`)."""
    state = begun(somebody("a", (0, 1)), somebody("z", (5, 1)))
    off = Action("a", "move", path=((-1, 1),))
    assert {"grid.escape.exit", "act.escape"} <= set(broken_rules(state, off))
    spent = done(ready_to_leave(), Action("a", "evade"))
    assert {"grid.escape.exit", "act.regular"} <= set(broken_rules(spent, off))


def test_an_exit_underfoot_is_no_escape_by_itself() -> None:
    """Being put on an exit leads nowhere without the action (`grid.escape.exit`, ruling G16)."""
    board = read_board({"rows": ["..E", "..."]})
    state = begun(somebody("a", (0, 0)), somebody("b", (1, 0)), board=board)
    state = done(state, Action("a", "hold", ("b",)), 20)
    state = done(state, Action("a", "reposition", ("b",), space=(2, 0)))
    assert state.fighter("b").at == (2, 0)
    assert not state.fighter("b").escaped


# Interrupts


def test_an_act_waits_only_where_somebody_may_interrupt() -> None:
    """What exposes to nobody happens at once; else it waits, and nothing of it has happened (`grid.interrupt.what`)."""
    apart = begun(somebody("a", (0, 0), shooting=1), somebody("z", (5, 0)))
    assert len(decide(apart, Action("a", "shoot", ("z",)), [10]).rolls) == 1
    state = begun(somebody("a", (0, 0), shooting=1), somebody("b", (0, 1), side="x"), somebody("z", (5, 0), side="x"))
    declared = decide(state, Action("a", "shoot", ("z",)), [])
    waiting = replay(state, declared.events)
    assert declared.rolls == ()
    assert waiting.exposure is not None
    assert waiting.ledger.regular == ()
    assert [each.id for _, each in openings(waiting, waiting.exposure)] == ["b"]
    assert legal_names(waiting, "b") == {"interrupt"}
    assert legal_names(waiting, "a") == {"settle"}
    assert "grid.interrupt.what" in broken_rules(waiting, Action("a", "bonus"))
    settled = decide(waiting, Action("a", "settle"), [20])
    assert len(settled.rolls) == 1
    assert replay(waiting, settled.events).fighter("z").hp == 0  # 5 damage on face 20 (`act.shooting.auto`)
    with pytest.raises(ScratchError):
        decide(waiting, Action("a", "settle"), [])


def test_a_move_waits_at_each_moment() -> None:
    """Where it starts and where it arrives, each time for those next to it (`grid.interrupt.trigger.move`, G01)."""
    state = begun(somebody("a", (1, 0)), somebody("b", (0, 0), side="x"), somebody("c", (5, 0), side="x"))
    waiting = done(state, Action("a", "move", path=right(2, 4)))
    assert waiting.fighter("a").at == (1, 0)
    later = done(waiting, Action("a", "settle"))
    assert later.fighter("a").at == (4, 0)
    assert legal_names(later, "b") == frozenset()
    assert legal_names(later, "c") == {"interrupt"}
    assert done(later, Action("a", "settle")).exposure is None
    straight = done(waiting, Action("c", "interrupt", ("a",)), 20)
    assert straight.fighter("a").at == (4, 0)
    assert straight.turn_over


def test_each_moment_has_its_own_order() -> None:
    """Who goes first by initiative may still try where the move ends, after others have at its start (ruling G06)."""
    first, last = somebody("c", (5, 0), side="x"), somebody("d", (0, 0), side="x")
    waiting = done(begun(somebody("a", (1, 0)), first, last), Action("a", "move", path=right(2, 4)))
    tried = done(waiting, Action("d", "interrupt", ("a",)), 1)
    assert legal_names(done(tried, Action("a", "settle")), "c") == {"interrupt"}


def test_water_helps_interrupters_who_swim() -> None:
    """An interrupting attack is a close one: swimming counts in water (`swimming.in-water`, `grid.interrupt.roll`)."""
    board = read_board({"rows": ["~~~~"]})
    state = begun(somebody("a", (0, 0)), somebody("b", (1, 0), swimming=2), board=board)
    waiting = done(state, Action("a", "evade"))
    roll = decide(waiting, Action("b", "interrupt", ("a",)), [8]).rolls[0]
    assert roll.check.total == 10


def test_everybody_near_a_blast_but_divers() -> None:
    """Whoever evades in deep water is out of a blast's reach (`swimming.deep-evade`, `grid.blast.area`)."""
    board = read_board({"rows": ["www.....", "........"]})
    diver = somebody("a", (0, 0), side="x", swimming=2)
    state = begun(diver, somebody("b", (0, 1), side="x"), somebody("z", (4, 0), blasting=1), board=board)
    state = done(done(state, Action("a", "evade")), Action("a", "end-turn"))
    state = done(state, Action("b", "end-turn"))
    assert [roll.target for roll in decide(state, Action("z", "blast", space=(0, 0)), [10]).rolls] == ["b"]


def test_engaging_asks_for_somebody_within_reach_of_a_move() -> None:
    """A close attack must be possible this turn, where one stands or after moving (`act.engage`)."""
    board = read_board({"rows": ["." * 12]})
    for at, is_near in ((5, True), (6, False)):
        state = begun(somebody("a", (0, 0)), somebody("z", (at, 0)), board=board)
        assert ("engage" in legal_names(state, "a")) == is_near
    moved = done(
        begun(somebody("a", (0, 0)), somebody("z", (3, 0)), board=board), Action("a", "move", path=right(1, 1))
    )
    assert "engage" not in legal_names(moved, "a")


def test_a_swap_takes_nobody_into_deep_water_against_the_rule() -> None:
    """A holder who can't swim does not go where the swimmer is (ruling G15); the swimmer may be pushed anywhere."""
    board = read_board({"rows": ["..w", "..w"]})
    for levels, is_free in (({}, False), ({"swimming": 1}, True), ({"flying": 1}, True)):
        state = begun(somebody("a", (1, 0), **levels), somebody("b", (2, 0), swimming=1), board=board)  # type: ignore[arg-type]  # its names are no others
        state = done(state, Action("a", "hold", ("b",)), 20)
        assert (broken_rules(state, Action("a", "reposition", ("b",), swap=True)) == []) == is_free
        assert broken_rules(state, Action("a", "reposition", ("b",), space=(2, 1))) == []


def test_reposition_ends_with_reach() -> None:
    """Who has walked away from the target can't reposition it any more (`grid.hold.reposition`)."""
    state = done(begun(somebody("a", (1, 0)), somebody("b", (2, 0))), Action("a", "hold", ("b",)), 20)
    assert "reposition" in legal_names(state, "a")
    away = done(state, Action("a", "move", path=((0, 0),)))
    assert "reposition" not in legal_names(away, "a")


# Properties

levels = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 4), max_size=5)
rulings = st.builds(
    Rulings,
    stack_abilities=st.booleans(),
    wrestling_double_legacy=st.booleans(),
    interrupt_move=st.sampled_from(["leave", "arrive", "both"]),
    delayed_blocks_move=st.booleans(),
    downed_are_inert=st.booleans(),
)


@st.composite
def fights(draw: st.DrawFn) -> State:
    """A board up to 5 × 4 and two to five fighters of two sides on it."""
    width, height = draw(st.integers(3, 5)), draw(st.integers(2, 4))
    letters = st.text("......#o^~wE", min_size=width, max_size=width)
    rows = draw(st.lists(letters, min_size=height, max_size=height))
    spaces = [[column, row] for row in range(height) for column in range(width)]
    some = st.lists(st.sampled_from(spaces), max_size=4)
    tree = {"shape": draw(st.sampled_from(["square", "hex"])), "rows": rows}
    board = read_board({**tree, "cover": draw(some), "throwable": draw(some), "cramped": draw(some)})
    free = [space for space in board.spaces if not board.is_solid(space)]
    taken = draw(st.permutations(free)) if free else []
    company = []
    for own_id, at in zip("abcde"[: draw(st.integers(2, 5))], taken, strict=False):
        side, group = draw(st.sampled_from("xy")), draw(st.sampled_from(["g", own_id]))
        made = somebody(own_id, at, side, **{"toughness": draw(st.integers(1, 6)), **draw(levels)})
        company.append(replace(made, group=group))
    start = gather(tuple(company), draw(rulings), board)
    faces = {group: [draw(st.integers(1, 20)), 20 - place] for place, group in enumerate(start.groups())}
    return replay(start, begin(start, Always(1), faces).events) if company else start


def walked(data: st.DataObject, steps: int) -> Iterator[tuple[State, Action, Decision, State]]:
    """A random fight: before, action, decision and after, step by step; kinds of action are drawn evenly."""
    state = data.draw(fights())
    for _ in range(steps):
        offered = legal_actions(state)
        if not offered or state.phase != "running":
            return
        do = data.draw(st.sampled_from(sorted({action.do for action in offered})))
        action = data.draw(st.sampled_from([each for each in offered if each.do == do]))
        decision = decide(state, action, Drawn(data))
        assert decision.is_legal, f"listed and refused: {action}: {decision.say}"
        state_after = replay(state, decision.events)
        yield state, action, decision, state_after
        state = state_after


quick = settings(max_examples=examples(50), deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.no_cover
@quick
@given(st.data())
def test_random_fights_hold_their_properties(data: st.DataObject) -> None:
    """Every listed action succeeds and is listed once; nobody stands in walls or on anybody else, or moves twice in a
    turn; the state given is not changed (`grid.move.once`, `grid.move.blocked`).
    """
    moved: set[str] = set()
    for before, action, decision, state in walked(data, 12):
        frozen = repr(before)
        offered = legal_actions(before)
        assert len(set(offered)) == len(offered)
        for each in before.fighters:
            assert legal_names(before, each.id) == {action.do for action in offered if action.actor == each.id}
        faces = [roll.check.figure.parts[0].value for roll in decision.rolls]
        assert decide(before, action, RecordedFaces(tuple(faces))).events == decision.events
        assert repr(before) == frozen
        for event in decision.events:
            assert json.dumps(event_to_json(event))
            if isinstance(event, TurnBegan | TurnPassed):
                moved.discard(event.who)
            if isinstance(event, Walked) and before.exposure is None:
                assert event.who not in moved
                moved.add(event.who)
        _check_places(state)


def _check_places(state: State) -> None:
    there = [each for each in state.fighters if each.at is not None and not each.escaped]
    assert all(not known(state.board).is_solid(each.at) for each in there if each.at)
    is_inert = state.rulings.downed_are_inert and any(each.is_down for each in state.fighters)
    if state.exposure is None and not is_inert and not state.rulings.downed_are_inert:
        spaces = [each.at for each in there]
        assert len(set(spaces)) == len(spaces)


@pytest.mark.no_cover
@quick
@given(st.data())
def test_unlisted_acts_of_a_board_are_refused_with_a_rule(data: st.DataObject) -> None:
    """A move to no listed space, a blast at none, an interrupt by nobody listed: refused, and a rule is named."""
    *_, state = (None, *(last for *_, last in walked(data, data.draw(st.integers(1, 6)))))
    if state is None or state.phase != "running" or state.board is None:
        return
    listed = legal_actions(state)
    ids = [each.id for each in state.fighters]
    actor = data.draw(st.sampled_from([state.active] if not state.turn_over else ids))
    space = data.draw(st.sampled_from(state.board.spaces))
    path = (*data.draw(st.lists(st.sampled_from(state.board.around(space)), max_size=2)), space)
    other = data.draw(st.sampled_from(ids))
    for action in (
        Action(actor, "move", path=path),
        Action(actor, "blast", space=space),
        Action(actor, "reposition", (other,), space=space),
        Action(actor, "reposition", (other,), swap=True),
        Action(other, "interrupt", (actor,)),
        Action(other, "settle"),
        Action(actor, "heal", (other,)),
        Action(actor, "basic-attack", (other,)),
        Action(actor, "intimidate", (other,)),
    ):
        problems = why_not(state, action)
        assert all(problem.rule for problem in problems)
        is_listed = any(_is_like(each, action) for each in listed)
        if action.do != "move":
            assert bool(problems) != is_listed, (action, problems)
        else:
            assert problems or is_listed or state.fighter(actor).at == space, (action, "not listed and allowed")


def _is_like(listed: Action, action: Action) -> bool:
    if (listed.actor, listed.do) != (action.actor, action.do):
        return False
    if action.do == "move":
        return listed.path[-1] == action.path[-1]
    return (listed.targets, listed.space, listed.swap, listed.when) == (action.targets, action.space, action.swap, None)
