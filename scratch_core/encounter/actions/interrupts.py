"""Interrupting attacks: what exposes an actor, who may interrupt, and the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from scratch_core.board import Space, format_space
from scratch_core.encounter.actions.ability_choice import (
    ability_choice_problems,
    get_named_or_best_abilities,
    list_ability_options,
)
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import (
    ActionOutcome,
    RollD20,
    build_wrong_target_count_problems,
    flying_or_diving_target_problems,
    narrate_attempt,
)
from scratch_core.encounter.actions.movement import build_move_used_events, build_walk_events
from scratch_core.encounter.actions.phrases import (
    ACTION_TITLES,
    build_missing_map_problems,
    build_too_far_problems,
)
from scratch_core.encounter.actions.positions import CLOSE_REACH, list_blast_target_ids, measure_distance
from scratch_core.encounter.actions.preconditions import UNREPEATABLE_ACTIONS, TurnContext, down_or_away_problems
from scratch_core.encounter.state import (
    EncounterState,
    EvadeEnded,
    Event,
    Exposed,
    Fighter,
    InterruptTried,
    OnceUsed,
    PendingAction,
    Prevented,
    RegularUsed,
    Settled,
    TurnEnded,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.record_copies import convert_record
from scratch_core.rulebook.actions import ACTION_SPECS, INTERRUPT, SETTLE
from scratch_core.turn_systems import GAME_MASTER, NameList, conceal, narrate

TRIGGERS = "grid.interrupt.trigger.move grid.interrupt.trigger.evade grid.interrupt.trigger.far-attack"
FREE_STEPS = 1
"""The spaces that a fighter may move without being exposed. Rule: `grid.interrupt.trigger.move`."""

Moment = int
"""The number of spaces of a path entered so far; 0 for actions other than moves."""

_WHERE = ACTION_TITLES[INTERRUPT.do]

# Pending actions


def build_pending_action_if_exposing(context: TurnContext, action: Action) -> PendingAction | None:
    """Find the pending action that exposes the actor if this action is declared.

    A move exposes its actor if it is longer than 1 space, whatever the spaces cost (ruling G02); an evade always does;
    an attack, even a blast, does if an enemy is further than 1 space away (ruling G09). Returns None if the action
    exposes no one.
    Rules: `grid.interrupt.trigger.move`, `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    if context.state.board is None or not context.is_encounter_running:
        return None
    if not _is_exposing(context, action):
        return None
    return convert_record(action, PendingAction, who=context.actor.id)


def _is_exposing(context: TurnContext, action: Action) -> bool:
    exposes = ACTION_SPECS[action.do].exposes
    if exposes == "path":
        return len(action.path) > FREE_STEPS
    if exposes == "far":
        return _is_aimed_beyond_close_reach(context, action)
    return exposes == "always"


def _is_aimed_beyond_close_reach(context: TurnContext, action: Action) -> bool:
    """Return whether an attack is aimed further than 1 space away.

    The ruling G09 decides whether a blast is measured to its space, too, or only to the enemies that it attacks.
    Rule: `grid.interrupt.trigger.far-attack`.
    """
    board, actor = context.state.board, context.actor
    if board is None or actor.at is None:
        return False
    by_space = context.state.rulings.interrupt_blast == "space"  # ruling G09
    if by_space and action.space is not None and board.distance(actor.at, action.space) > CLOSE_REACH:
        return True
    targets = list_blast_target_ids(context.state, action.space) if action.space is not None else action.targets
    attacked = (context.state.fighter(target) for target in targets)
    return any(each.side != actor.side and measure_distance(board, actor, each) > CLOSE_REACH for each in attacked)


def list_exposed_moments(state: EncounterState, pending: PendingAction) -> tuple[Moment, ...]:
    """List the moments at which an action still exposes its actor.

    A moment is the number of spaces entered; it is 0 for actions other than moves (ruling G01). A move exposes its
    actor where it starts, and in every space from the second on.
    Rule: `grid.interrupt.trigger.move`.
    """
    if not pending.is_move:
        return (0,)
    reading = state.rulings.interrupt_move
    leaving = (0,) if reading != "arrive" else ()
    arriving = range(2, len(pending.path) + 1) if reading != "leave" else ()
    return tuple(moment for moment in (*leaving, *arriving) if moment >= pending.walked)


# Possible interrupts


def list_possible_interrupters(state: EncounterState, pending: PendingAction) -> Iterator[tuple[Moment, Fighter]]:
    """Yield the moments of a pending action with each fighter who may interrupt then.

    Fighters are in turn order (ruling G06). Rules: `grid.interrupt.what`, `grid.interrupt.unable`.
    """
    eligible = [
        fighter
        for fighter in _list_fighters_by_initiative(state)
        if not _interrupter_eligibility_problems(state, fighter, pending.who)
    ]
    for moment in list_exposed_moments(state, pending):
        yield from ((moment, fighter) for fighter in eligible if not _moment_problems(state, pending, fighter, moment))


@dataclass(frozen=True, slots=True)
class InterruptWindow:
    """A moment at which other fighters may interrupt an action."""

    spaces_walked: int
    """How many spaces of the path have been entered."""
    space: Space
    """The space of the actor at that moment."""
    interrupters: tuple[Fighter, ...]
    """The fighters who may interrupt, in turn order."""


def map_interrupters_by_space(context: TurnContext) -> Mapping[Space, tuple[Fighter, ...]]:
    """Map each space to the fighters who may interrupt the actor there.

    Fighters are in turn order. They may leave cover to interrupt. Spaces without such fighters are left out.
    Rules: `grid.interrupt.what`, `grid.interrupt.unable`, `act.cover.stay`.
    """
    board, actor_id = context.state.board, context.actor.id
    state = take_fighters_out_of_cover(context.state, list_others_in_cover(context.state, actor_id))
    guards: dict[Space, tuple[Fighter, ...]] = {}
    for fighter in _list_fighters_by_initiative(state):
        if (
            board is not None
            and fighter.at is not None
            and not _interrupter_eligibility_problems(state, fighter, actor_id)
        ):
            for space in board.blast_area(fighter.at):
                guards[space] = (*guards.get(space, ()), fighter)
    return guards


def list_interrupt_windows(
    context: TurnContext, action: Action, guarded: Mapping[Space, tuple[Fighter, ...]] | None = None
) -> tuple[InterruptWindow, ...]:
    """List the moments at which other fighters may interrupt an action.

    The action has not been declared yet. `guarded` is the result of `map_interrupters_by_space`, for callers with many
    actions. Returns () if the action exposes no one.
    Rules: `grid.interrupt.what`, `grid.interrupt.trigger.move`, `grid.interrupt.trigger.evade`,
    `grid.interrupt.trigger.far-attack`.
    """
    pending, start = build_pending_action_if_exposing(context, action), context.actor.at
    if pending is None or start is None:
        return ()
    known = map_interrupters_by_space(context) if guarded is None else guarded
    spaces = (
        (after, action.path[after - 1] if after else start) for after in list_exposed_moments(context.state, pending)
    )
    return tuple(InterruptWindow(after, space, known[space]) for after, space in spaces if space in known)


def may_leave_cover_to_interrupt(state: EncounterState, actor_id: str) -> bool:
    """Return whether a fighter may leave cover to interrupt the pending action.

    Leaving is free and doesn't affect the turn (rulings A14, G04). Rules: `act.cover.stay`, `grid.interrupt.unable`.
    """
    pending = state.pending_action
    if pending is None or not state.fighter(actor_id).in_cover:
        return False
    return any(
        each.id == actor_id
        for _, each in list_possible_interrupters(take_fighters_out_of_cover(state, (actor_id,)), pending)
    )


def list_others_in_cover(state: EncounterState, exposed: str) -> frozenset[str]:
    """List the ids of the fighters in cover, without the exposed one.

    They may leave it to interrupt (rulings A14, G04).
    """
    return frozenset(each.id for each in state.fighters if each.in_cover and each.id != exposed)


def take_fighters_out_of_cover(state: EncounterState, ids: Collection[str]) -> EncounterState:
    """Return the state with some fighters out of cover. Rule: `act.cover.stay`."""
    return replace(
        state, fighters=tuple(replace(each, in_cover=each.in_cover and each.id not in ids) for each in state.fighters)
    )


def _list_fighters_by_initiative(state: EncounterState) -> list[Fighter]:
    order = {group: n for n, group in enumerate(state.turn_order)}
    return sorted(state.fighters, key=lambda each: order.get(each.group, len(order)))


def interrupt_problems(state: EncounterState, action: Action) -> list[Problem]:
    """Return everything that forbids an interrupting attack.

    Rules: `grid.scope`, `grid.interrupt.what`, `grid.interrupt.once`, `grid.interrupt.unable`,
    `grid.interrupt.delayed`, and those of the pending action.
    """
    if state.board is None:
        return build_missing_map_problems(_WHERE)
    if len(action.targets) != 1:
        return build_wrong_target_count_problems(action)
    actor, target = state.fighter(action.actor), state.fighter(action.targets[0])
    problems = _interrupter_eligibility_problems(state, actor, target.id)
    if state.pending_action is None or state.pending_action.who != target.id:
        expected = "an opponent whose act exposes it and waits"
        rules = f"grid.interrupt.what {TRIGGERS}"
        problems += build_rule_problems(
            "interrupt.not-exposed", rules, expected, target.name, _WHERE, target=target.name
        )
        if measure_distance(state.board, actor, target) > CLOSE_REACH:
            problems += build_too_far_problems(
                "grid.close.reach", target.name, measure_distance(state.board, actor, target), actor.name, _WHERE
            )
    elif find_interrupt_moment(state, action) is None:
        problems += _build_no_moment_problems(state, state.pending_action, action, actor)
    return problems + ability_choice_problems(actor, action, state.rulings)


def _build_no_moment_problems(
    state: EncounterState, pending: PendingAction, action: Action, actor: Fighter
) -> list[Problem]:
    exposing_moments, target = list_exposed_moments(state, pending), state.fighter(pending.who).name
    if action.when is not None and action.when not in exposing_moments:
        when = " or ".join(map(str, exposing_moments)) or "no"
        rule, expected = "grid.interrupt.trigger.move", f"a moment that exposes: after {when} spaces"
        return build_rule_problems(
            "interrupt.moment", rule, expected, str(action.when), _WHERE, target=target, moments=when
        )
    moments = exposing_moments if action.when is None else (action.when,)
    problems = [problem for moment in moments for problem in _moment_problems(state, pending, actor, moment)]
    expected, rule = "a moment that exposes", "grid.interrupt.what"
    return problems[:2] or build_rule_problems(
        "interrupt.none-left", rule, expected, "none left", _WHERE, target=target
    )


def find_interrupt_moment(state: EncounterState, action: Action) -> Moment | None:
    """Find the moment of an interrupt.

    That is the moment that the action names, or else the first at which its actor may interrupt. Returns None if there
    is none.
    """
    if state.pending_action is None:
        return None
    actor = state.fighter(action.actor)
    for moment in list_exposed_moments(state, state.pending_action):
        is_wanted = action.when is None or action.when == moment
        if is_wanted and not _moment_problems(state, state.pending_action, actor, moment):
            return moment
    return None


def _interrupter_eligibility_problems(state: EncounterState, actor: Fighter, target_id: str) -> list[Problem]:
    """Return why a fighter can't interrupt a target at any moment.

    An interrupt is a close attack (ruling G04).
    Rules: `grid.interrupt.unable`, `grid.interrupt.delayed`, `grid.interrupt.once`, `grid.interrupt.what`.
    """
    target = state.fighter(target_id)
    if actor.side == target.side:
        return build_rule_problems(
            "interrupt.ally", "grid.interrupt.what", "an opponent", target.name, _WHERE, target=target.name
        )
    absence = down_or_away_problems(actor, INTERRUPT.do)
    if absence:
        return [replace(absence[0], rule="grid.interrupt.unable"), *absence]
    problems = _interrupter_condition_problems(actor)
    if actor.id in state.ledger.attempts and state.active == target_id:
        expected, got = "one try in a turn of the target", f"{actor.name} again"
        facts = {"actor": actor.name, "target": target.name}
        problems += build_rule_problems("interrupt.tried", "grid.interrupt.once", expected, got, _WHERE, **facts)
    return problems + flying_or_diving_target_problems(actor, INTERRUPT.do, target)


def _interrupter_condition_problems(actor: Fighter) -> list[Problem]:
    """Return the conditions that keep a fighter from interrupting.

    Rules: `hp.injured`, `grid.interrupt.delayed`, `cond.panicked`, `act.cover.forbidden`.
    """
    problems, name = [], actor.name
    if actor.is_injured:
        problems += _build_interrupter_problems("interrupt.injured", "hp.injured", "healthy", f"{name}, injured", name)
    if actor.is_delayed:
        rules = "grid.interrupt.delayed cond.delayed"
        problems += _build_interrupter_problems("interrupt.delayed", rules, "not delayed", f"{name}, delayed", name)
    if actor.is_panicked:
        problems += _build_interrupter_problems(
            "interrupt.panicked", "cond.panicked", "not panicked", f"{name}, panicked", name
        )
    if actor.in_cover:
        problems += _build_interrupter_problems(
            "interrupt.in-cover", "act.cover.forbidden", "out of cover", f"{name}, in cover", name
        )
    return problems


def _build_interrupter_problems(code: str, rule_ids: str, expected: str, got: str, actor: str) -> list[Problem]:
    rule_ids = f"grid.interrupt.unable {rule_ids}"
    return build_rule_problems(code, rule_ids, f"an interrupter who is {expected}", got, _WHERE, actor=actor)


def _moment_problems(state: EncounterState, pending: PendingAction, actor: Fighter, moment: Moment) -> list[Problem]:
    """Return why a fighter can't interrupt at this moment.

    It must be next to the exposed fighter, and no fighter after it in the turn order may have tried (ruling G06).
    """
    board = state.board
    space = pending.path[moment - 1] if moment > pending.walked else state.fighter(pending.who).at
    if board is None or actor.at is None or space is None or space not in board:
        expected, who = "an opponent on the board", state.fighter(pending.who).name
        return build_rule_problems(
            "interrupt.off-map", "grid.interrupt.what", expected, "one off it", _WHERE, target=who
        )
    if board.distance(actor.at, space) > 1:
        rules, spaces = "grid.interrupt.what grid.close.reach", board.distance(actor.at, space)
        expected, got = f"an opponent within 1 space of {actor.name}", f"{format_space(space)}, {spaces} spaces away"
        facts = {"actor": actor.name, "target": state.fighter(pending.who).name, "spaces": spaces}
        return build_rule_problems("interrupt.too-far", rules, expected, got, _WHERE, **facts)
    if moment == pending.walked and pending.tried:
        order = state.turn_order
        last = max(order.index(state.fighter(each).group) for each in pending.tried)
        if order.index(actor.group) < last:
            expected = "interrupts in the order of initiative"
            got = f"{actor.name} after {pending.tried[-1]}"
            facts = {"actor": actor.name, "other": state.fighter(pending.tried[-1]).name}
            return build_rule_problems("interrupt.order", "grid.interrupt.what", expected, got, _WHERE, **facts)
    return []


def list_interrupts(state: EncounterState) -> Iterator[Action]:
    """Yield every legal interrupt of the pending action.

    There is one for each choice of abilities. `when` is None at the first moment at which a fighter may interrupt.
    """
    pending = state.pending_action
    if pending is None:
        return
    listed_actors: set[str] = set()
    for moment, actor in list_possible_interrupters(state, pending):
        when = moment if actor.id in listed_actors else None
        listed_actors.add(actor.id)
        for uses in list_ability_options(actor, INTERRUPT.do, state.rulings):
            yield Action(actor.id, INTERRUPT.do, (pending.who,), uses, when=when)


# Resolution


def declare_if_interruptible(context: TurnContext, action: Action) -> ActionOutcome | None:
    """Declare the action if another fighter may interrupt it.

    It waits then, a move at the first moment with a possible interrupt. Returns None if no fighter may interrupt.
    Rules: `grid.interrupt.what`, `grid.interrupt.trigger.move`.
    """
    pending = build_pending_action_if_exposing(context, action)
    possible_interrupts = tuple(list_possible_interrupters(context.state, pending)) if pending else ()
    if pending is None or not possible_interrupts:
        return None
    actor, moment = context.actor, possible_interrupts[0][0]
    exposed = convert_record(pending, Exposed)
    move_used: tuple[Event, ...] = ()
    announcement = f"is about to act: {ACTION_TITLES[action.do]}"
    if action.path:
        move_used, announcement = build_move_used_events(context), f"starts moving to {format_space(action.path[-1])}"
    events = (*move_used, exposed, *build_walk_events(actor, action.path[:moment]))
    interrupters = NameList(tuple(each for _, each in possible_interrupts), "or")
    question = narrate(" {} may interrupt.", interrupters)
    return ActionOutcome(events, (), narrate("{} {}.{}", actor, announcement, question))


def build_events_before_interrupt(state: EncounterState, action: Action) -> tuple[Event, ...]:
    """Build the events of a move up to the moment of a legal interrupt.

    Rule: `grid.interrupt.trigger.move`.
    """
    pending, moment = state.required_pending_action, find_interrupt_moment(state, action)
    return build_walk_events(state.fighter(pending.who), pending.path[pending.walked : moment])


def resolve_interrupt(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve an interrupting attack, which does no damage, even on a natural 20.

    It adds fighting, wrestling, knockout or nothing, and is rolled against agility.
    Rules: `grid.interrupt.roll`, `grid.interrupt.no-damage`, `grid.interrupt.prevent`, `grid.interrupt.end-turn`,
    `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`, `grid.interrupt.once`, `grid.escape.evade-first`.
    """
    state, actor, target = context.state, context.actor, context.state.fighter(action.targets[0])
    pending = state.required_pending_action
    uses = get_named_or_best_abilities(actor, action, state.rulings)
    roll = context.get_or_build_attack(INTERRUPT.do, uses, target).build_roll_with_face(roll_d20())
    events: list[Event] = [InterruptTried(actor.id, target.id)]
    if roll.check.is_success:
        events += _build_successful_interrupt_events(state, pending, actor, target)
    kind = "move" if pending.is_move else "action"
    end = narrate(" {}'s {} is stopped and their turn ends.", target, kind)
    outcome = (end,) if roll.check.is_success else ()
    return ActionOutcome(tuple(events), (roll,), narrate_attempt(actor, INTERRUPT.verb, target, roll, *outcome))


def _build_successful_interrupt_events(
    state: EncounterState, pending: PendingAction, actor: Fighter, target: Fighter
) -> Iterator[Event]:
    """Yield the events of a successful interrupt.

    The action is spent without effect (ruling G05); a moving fighter stays where it is (ruling G03).
    """
    if not pending.is_move:
        yield RegularUsed(target.id, pending.do)
    if pending.do in UNREPEATABLE_ACTIONS:
        yield OnceUsed(target.id, pending.do, pending.targets[0])
    yield Prevented(target.id, actor.id, pending.do, target.get_next_turn_number())
    if target.evading:
        yield EvadeEnded(target.id)
    yield TurnEnded(target.id)


def missing_pending_action_problems(state: EncounterState, action: Action) -> list[Problem]:
    """Return a problem if the actor has no pending action to settle. Rule: `grid.interrupt.what`."""
    if state.board is None:
        return build_missing_map_problems(ACTION_TITLES[SETTLE.do])
    if state.pending_action is not None and state.pending_action.who == action.actor:
        return []
    got, expected = f"none of {action.actor}", "an act that waits for interrupts"
    actor = state.fighter(action.actor).name
    return build_rule_problems(
        "interrupt.nothing-waits", "grid.interrupt.what", expected, got, ACTION_TITLES[SETTLE.do], actor=actor
    )


def rebuild_declared_action(pending: PendingAction) -> Action:
    """Return the pending action as it was declared."""
    return convert_record(pending, Action, actor=pending.who)


def continue_move_until_interruptible(context: TurnContext) -> ActionOutcome:
    """Continue a move to the next moment with a possible interrupt, or to its end.

    Rules: `grid.interrupt.trigger.move`, `grid.move.once`.
    """
    pending, actor = context.state.required_pending_action, context.actor
    following = (moment for moment, _ in list_possible_interrupters(context.state, pending) if moment > pending.walked)
    moment = next(following, None)
    if moment is not None:
        path = pending.path[pending.walked : moment]
        again = conceal(GAME_MASTER, " and may be interrupted again")  # perhaps only by a hidden character
        return ActionOutcome(
            build_walk_events(actor, path),
            (),
            narrate("{} reaches {}{}.", actor, format_space(path[-1]), again),
        )
    events = (Settled(actor.id), *build_walk_events(actor, pending.path[pending.walked :]))
    return ActionOutcome(events, (), narrate("{} moves to {}.", actor, format_space(pending.path[-1])))


RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {"interrupt": resolve_interrupt}
"""The function that resolves an interrupt, by its name."""
