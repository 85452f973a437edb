"""The rules engine: which actions are legal, what they result in, and the state after each event.

`decide` is deterministic: live play passes a roller, a replay the recorded faces. An illegal action is a value too: a
decision without events that names the violations. Only events change a state, through `apply`, which returns a new one;
so a log of events rebuilds every moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scratch_core.characters import initiative_parts
from scratch_core.dice import RecordedRoller, Roller, roll_valid_face
from scratch_core.encounter.actions import (
    ACTION_TITLES,
    BOARD_EFFECTS,
    GM_EFFECTS,
    OUT_OF_TURN_ACTIONS,
    RESOLVE,
    Action,
    ActionOutcome,
    RollD20,
    TurnContext,
    ability_check_problems,
    build_active_off_board_escape_events,
    build_events_before_interrupt,
    build_must_evade_problems,
    build_no_encounter_problems,
    can_turn_be_skipped,
    continue_move_until_interruptible,
    craft_problems,
    declare_if_interruptible,
    down_or_away_problems,
    interrupt_problems,
    is_forced_to_evade,
    list_interrupts,
    list_legal_turn_action_names,
    list_legal_turn_actions,
    may_leave_cover_to_interrupt,
    missing_pending_action_problems,
    rebuild_declared_action,
    turn_action_problems,
)
from scratch_core.encounter.state import (
    BonusPlaced,
    BonusRemoved,
    BonusUsed,
    CoverLeft,
    CoverTaken,
    CraftFailed,
    CraftUnhurried,
    Damaged,
    Delay,
    Delayed,
    EncounterBegan,
    EncounterEnded,
    EncounterState,
    Engaged,
    Escaped,
    Evade,
    Evaded,
    EvadeEnded,
    Event,
    Fighter,
    GroupDue,
    Healed,
    Initiative,
    OnceUsed,
    Opened,
    OutOfReach,
    Panicked,
    RegularUsed,
    Settled,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    TurnUsage,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import Figure, Part
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import CHECK, CRAFT, END_TURN, HOLD, INTERRUPT, LEAVE_COVER, SETTLE
from scratch_core.turn_systems import (
    GAME_MASTER,
    Decision,
    build_other_turn_problems,
    conceal,
    order_by_roll_off,
    pop_or_roll_d20,
)

# Initiative


def begin(state: EncounterState, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
    """Roll initiative, one d20 for each group, and determine the turn order.

    `faces` are the known faces by group: the first, then those of tie-breaks. The roller supplies the missing ones.
    Raises `ScratchError`: `dice.face` for a face that a d20 doesn't have, `initiative.tie` if the dice never differ.
    Rules: `turn.initiative-roll`, `turn.order`, `turn.tie`, `turn.group`, `turn.encounter`.
    """
    known = {group: list((faces or {}).get(group, ())) for group in state.initiative_fighter_or_group_ids}
    rolled = {
        group: Initiative(group, compute_initiative(state, group, pop_or_roll_d20(known[group], roller)))
        for group in known
    }
    by_total: dict[int, list[str]] = {}
    for group, initiative in rolled.items():
        by_total.setdefault(initiative.figure.value, []).append(group)
    order = [
        replace_fields(rolled[group], ties=ties)
        for total in sorted(by_total, reverse=True)
        for group, ties in order_by_roll_off(by_total[total], known, roller, "turn.tie")
    ]
    words = ", ".join(f"{state.group_name(each.group)} {each.formatted_total}" for each in order)
    return Decision((EncounterBegan(tuple(order)),), (), conceal(GAME_MASTER, "The encounter begins: {}.", words))


def compute_initiative(state: EncounterState, group: str, face: int) -> Figure:
    """Compute a group's initiative for a face of the die.

    It adds twice the group's highest stealth and ten times its highest detection (rulings A20, K21).
    Rules: `turn.initiative-roll`, `stealth.initiative`, `detection.initiative`.
    """
    members = state.list_members(group)
    stealth = max(member.level("stealth") for member in members)
    detection = max(member.level("detection") for member in members)
    parts = initiative_parts(stealth, detection, state.rulings)
    return Figure("initiative", (Part("die roll", face, "turn.initiative-roll"), *parts))


# Turn order

RoundAndPlace = tuple[int, int]
"""The round of a turn, and the index of its group in `initiative`."""

PassedTurn = tuple[Fighter, int, int]
"""A fighter whose turn is passed over, with the round and the place of that turn."""


class TurnStart(NamedTuple):
    """What happens before a fighter's turn."""

    events: tuple[Event, ...] = ()
    """The events that end, pass and begin turns until then."""
    problems: Sequence[Problem] = ()
    """What forbids that the turn starts now."""


def plan_events_until_turn_start(state: EncounterState, actor_id: str) -> TurnStart:
    """Plan the start of the actor's turn.

    On the actor's own turn there are no events and no problems. Otherwise the current turn ends, fighters who are down,
    away or delayed are passed over, and the actor's turn begins. It is a violation to pass over other fighters, or to
    take a second turn in one group turn.
    Rules: `turn.order`, `turn.member-turn`, `turn.member-order`, `cond.panicked`.
    """
    if state.active == actor_id and not state.turn_over:
        return TurnStart()
    events: list[Event] = [*build_active_off_board_escape_events(state)]
    state = apply_events(state, events)
    problems: list[Problem] = []
    if not state.turn_over:
        events.append(TurnEnded(state.active))
        active = state.fighter(state.active)
        if is_forced_to_evade(TurnContext(state, active)):
            got = f"someone else's turn before {active.name} has evaded"
            problems += build_must_evade_problems("cond.panicked turn.order", got, active, "the order")
    passed, place = _plan_passed_turns(state, actor_id)
    skipped = [member for member, *_ in passed if not can_turn_be_skipped(state, member)]
    events += [TurnPassed(member.id, *when) for member, *when in passed if not member.is_away]
    events.append(TurnBegan(actor_id, *place))
    if skipped:
        actor = state.fighter(actor_id)
        if actor_id in state.acted and state.initiative[state.place].group == actor.group:
            expected, got = "one turn in a group turn", f"a second one of {actor.name}"
            problems += build_rule_problems(
                "turn.member-acted", "turn.member-turn", expected, got, "the order", actor=actor.name
            )
        problems += build_other_turn_problems("turn.order", skipped[0].name, actor.name, "the order")
    return TurnStart(tuple(events), problems)


def _plan_passed_turns(state: EncounterState, actor_id: str) -> tuple[list[PassedTurn], RoundAndPlace]:
    """Find the turns passed over before the actor's next turn, and where that turn is."""
    passed: list[PassedTurn] = []
    group = state.fighter(actor_id).group
    number, place, acted = state.round, state.place, state.acted
    while True:
        here = state.initiative[place].group
        if here == group and actor_id not in acted:
            return passed, (number, place)
        passed += [(member, number, place) for member in state.list_members(here) if member.id not in acted]
        acted = ()
        place += 1
        if place == len(state.initiative):
            number, place = number + 1, 0


# Legal actions


def check_action(state: EncounterState, action: Action) -> tuple[Problem, ...]:
    """Return the violations that an action would cause now, or ().

    Each names what would be legal instead. Raises `ScratchError` for an unknown action name (`act.do`) or fighter id
    (`state.id`).
    Rules: `turn.encounter`, `turn.order`, and those of `actions`.
    """
    return _check_after_prior_events(state, action)[2]


def _check_after_prior_events(
    state: EncounterState, action: Action
) -> tuple[tuple[Event, ...], EncounterState, tuple[Problem, ...]]:
    """Return the events before an action, the state after them, and the action's violations."""
    if action.spec.do in OUT_OF_TURN_ACTIONS:
        return (), state, tuple(_turnless_action_problems(state, action))
    if action.do in (INTERRUPT.do, SETTLE.do):
        return _check_interrupt_after_prior_events(state, action)
    if action.do == LEAVE_COVER.do and may_leave_cover_to_interrupt(state, action.actor):
        return (), state, ()
    if state.pending_action is not None:
        got = f"{ACTION_TITLES[state.pending_action.do]} of {state.pending_action.who} waits"
        facts = {
            "target": state.fighter(state.pending_action.who).name,
            "action": ACTION_TITLES[state.pending_action.do],
        }
        expected, rule = "an interrupt, or none", "grid.interrupt.what"
        return (
            (),
            state,
            tuple(build_rule_problems("interrupt.waits", rule, expected, got, ACTION_TITLES[action.do], **facts)),
        )
    actor = state.fighter(action.actor)
    if state.phase != "running":
        return (), state, tuple(turn_action_problems(TurnContext(state, actor), action))
    # Leaving cover is not part of a turn: it neither ends nor begins one (`act.cover.stay`).
    events, turn_problems = (
        TurnStart() if action.do == LEAVE_COVER.do else plan_events_until_turn_start(state, action.actor)
    )
    absence = down_or_away_problems(actor, action.do) if action.do != END_TURN.do else []
    entered = apply_events(state, events)
    action_problems = turn_action_problems(TurnContext(entered, entered.fighter(action.actor)), action)
    known = {problem.rule for problem in absence}
    return (
        events,
        entered,
        (*absence, *turn_problems, *(problem for problem in action_problems if problem.rule not in known)),
    )


def _check_interrupt_after_prior_events(
    state: EncounterState, action: Action
) -> tuple[tuple[Event, ...], EncounterState, tuple[Problem, ...]]:
    """Return the events, state and violations of an interrupt, or of the lack of one.

    The events are the steps of a move up to the interrupt. Rule: `grid.interrupt.what`.
    """
    if action.do == SETTLE.do:
        return (), state, tuple(missing_pending_action_problems(state, action))
    problems = interrupt_problems(state, action)
    events = () if problems else build_events_before_interrupt(state, action)
    return events, apply_events(state, events), tuple(problems)


def _turnless_action_problems(state: EncounterState, action: Action) -> list[Problem]:
    """Return the problems of an action outside turns: a check, a crafted bonus, the end.

    Rules: `craft.encounter-lock`, `turn.encounter`.
    """
    if action.do == CHECK.do:
        return ability_check_problems(state.fighter(action.actor), action)
    if action.do == CRAFT.do:
        return craft_problems(state, action)
    if state.phase == "over":
        return build_no_encounter_problems(action.do)
    return []


def legal_actions(state: EncounterState) -> tuple[Action, ...]:
    """Return every legal action once.

    During a turn these are the actions of the active fighter; between turns, of all fighters whose turn may begin.
    Targets are in file order. Checks and the end of the encounter, which are always legal, are not included; a fighter
    who is down or away may only end a turn. A move is listed once for each space where it can end. While an action
    waits, the interrupts and `settle` are listed. Outside an encounter there are healing and crafted bonuses.
    Rules: `act.basic.available`, `turn.member-order`.
    """
    if state.phase != "running":
        return tuple(
            action for actor in state.fighters for action in list_legal_turn_actions(TurnContext(state, actor))
        )
    if state.pending_action is not None:
        return (*list_interrupts(state), Action(state.pending_action.who, SETTLE.do))
    contexts = (_find_turn_context(state, actor.id) for actor in state.fighters)
    return tuple(action for context in contexts if context for action in list_legal_turn_actions(context))


def legal_action_names(state: EncounterState, actor_id: str) -> frozenset[str]:
    """Return the names of one fighter's legal actions.

    They are those of `legal_actions`, found faster.
    """
    if state.phase != "running":
        return list_legal_turn_action_names(TurnContext(state, state.fighter(actor_id)))
    if state.pending_action is not None:
        return frozenset(action.do for action in legal_actions(state) if action.actor == actor_id)
    context = _find_turn_context(state, actor_id)
    return list_legal_turn_action_names(context) if context else frozenset()


def find_follow_up_on_only_enemy(state: EncounterState) -> Action | None:
    """Find the follow-up of the last action.

    Returns None unless it is open and exactly one enemy is within reach (ruling A16). Rule: `act.fighting.double`.
    """
    if not state.ledger.opened:
        return None
    side = state.fighter(state.active).side
    follow_ups = [each for each in legal_actions(state) if each.do == state.ledger.opened]
    enemies = [
        each for each in follow_ups for who in (state.fighter(each.targets[0]),) if who.side != side and not who.is_down
    ]
    return enemies[0] if len(enemies) == 1 else None


def _find_turn_context(state: EncounterState, actor_id: str) -> TurnContext | None:
    """Find the context in which a fighter could act next.

    That is its current turn or, between turns, the start of its next one. Returns None if neither is possible.
    """
    if not state.turn_over:
        return TurnContext(state, state.fighter(actor_id)) if actor_id == state.active else None
    events, problems = plan_events_until_turn_start(state, actor_id)
    if problems:
        return None
    entered = apply_events(state, events)
    return TurnContext(entered, entered.fighter(actor_id))


# Resolving actions


def decide(state: EncounterState, action: Action, faces: Roller | Iterable[int]) -> Decision:
    """Resolve an action into its events, its rolls and its narration.

    The events include the turns that end, pass and begin before it. `faces` are the faces of its dice in order, or a
    roller. On a board, an action that exposes its actor to a possible interrupt is only declared and waits
    (`state.pending_action`): it rolls no dice, and ignores `faces`, until it is settled. An illegal action rolls no
    dice and has no events.

    Raises `ScratchError` for too few, too many or impossible faces (`dice.faces.few`, `dice.faces.many`, `dice.face`),
    and for an unknown action name (`act.do`) or fighter id (`state.id`).
    """
    return build_decider(state, action)(faces)


def build_decider(state: EncounterState, action: Action) -> Callable[[Roller | Iterable[int]], Decision]:
    """Return a function that decides an action for given faces.

    The violations don't depend on the dice, so they are checked only once. Use it to try many faces.
    """
    before, entered, violations = _check_after_prior_events(state, action)
    if violations:
        # the command line prints these words; a page has a sentence for the problem's code (`problem_sentences`)
        first, who = violations[0], f"{state.fighter(action.actor).name}: " if action.actor else ""
        refusal = (
            f"{who}{ACTION_TITLES[action.do]} not allowed, expected {first.expected}, got {first.got} ({first.rule})."
        )
        return lambda _: Decision((), (), conceal(GAME_MASTER, "{}", refusal), violations)
    context = (
        TurnContext(entered, entered.fighter(action.actor))
        if action.actor
        else TurnContext(entered, entered.fighters[0])
    )
    declared = declare_if_interruptible(context, action)

    def decide_faces(faces: Roller | Iterable[int]) -> Decision:
        roller = RecordedRoller(faces) if isinstance(faces, Iterable) else faces
        outcome = declared or _resolve_action(context, action, lambda: roll_valid_face(roller))
        if isinstance(roller, RecordedRoller) and not declared:
            roller.require_all_used()
        events = outcome.events
        if state.phase != "running":
            events = tuple(event for event in events if not isinstance(event, RegularUsed))
        is_out_of_turn = action.do == LEAVE_COVER.do and action.actor != state.active
        closing = () if is_out_of_turn else build_follow_up_end_events(state)
        return Decision((*closing, *before, *events), outcome.rolls, outcome.sentences)

    return decide_faces


def build_follow_up_end_events(state: EncounterState) -> tuple[Event, ...]:
    """Build the event that ends an open follow-up, as every step does. Rule: `act.fighting.double`."""
    return (Opened(state.active, ""),) if state.ledger.opened else ()


def _resolve_action(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve a legal action, or the pending action that it settles."""
    pending = context.state.pending_action
    if action.do != SETTLE.do or pending is None:
        return RESOLVE[action.do](context, action, roll_d20)
    if pending.is_move:
        return continue_move_until_interruptible(context)
    outcome = RESOLVE[pending.do](context, rebuild_declared_action(pending), roll_d20)
    return replace_fields(outcome, events=(Settled(pending.who), *outcome.events))


# Applying events


def apply_events(state: EncounterState, events: Iterable[Event]) -> EncounterState:
    """Apply events in order."""
    for event in events:
        state = apply(state, event)
    return state


def apply(state: EncounterState, event: Event) -> EncounterState:
    """Return the state after an event."""
    return EFFECTS[type(event)](state, event)


def _begin_encounter(state: EncounterState, event: EncounterBegan) -> EncounterState:
    """Begin the encounter without conditions.

    Fresh fighters get all their hit points. Rules: `hp.start`, `hp.max`.
    """
    fighters = tuple(
        replace_fields(
            each.with_only_lasting_state(),
            hp=each.numbers.max_hp if each.fresh else each.hp,
            fresh=False,
            escaped=False,
        )
        for each in state.fighters
    )
    return EncounterState(
        fighters=fighters,
        rulings=state.rulings,
        phase="running",
        initiative=event.initiative,
        round=1,
        board=state.board,
    )


def _end_encounter(state: EncounterState, event: EncounterEnded) -> EncounterState:
    """End the encounter and all conditions.

    Escapes and removals are remembered. Rule: `turn.encounter`.
    """
    fighters = tuple(each.with_only_lasting_state() for each in state.fighters)
    return replace_fields(
        state, fighters=fighters, phase="over", turn_over=True, ledger=TurnUsage(), pending_action=None
    )


def _begin_turn(state: EncounterState, event: TurnBegan) -> EncounterState:
    """Begin a turn, which ends the evade, the engage penalty and the flying immunity.

    Rules: `act.evade.end`, `act.engage.penalty`, `flying.immunity`, `turn.member-turn`.
    """
    acted = _list_acted_in_group_turn(state, event)
    return replace_fields(
        state.with_fighter(_start_fighter_turn(state.fighter(event.who))),
        round=event.round,
        place=event.place,
        acted=acted,
        active=event.who,
        turn_over=False,
        ledger=TurnUsage(),
    )


def _list_acted_in_group_turn(state: EncounterState, event: TurnBegan | TurnPassed) -> tuple[str, ...]:
    is_same = (state.round, state.place) == (event.round, event.place)
    return (*state.acted, event.who) if is_same else (event.who,)


def _start_fighter_turn(actor: Fighter) -> Fighter:
    """Start a fighter's turn.

    An evade that the game master gave may last longer.
    """
    turn = actor.turn + 1
    evading = actor.evading if actor.evading and actor.evading.until >= turn else None
    return replace_fields(actor, turn=turn, evading=evading, engage_penalty=False, flying_immune=False)


def _end_turn(state: EncounterState, event: TurnEnded) -> EncounterState:
    return replace_fields(state.with_fighter(_expire_effects_at_turn_end(state.fighter(event.who))), turn_over=True)


def _expire_effects_at_turn_end(actor: Fighter) -> Fighter:
    """Expire what lasts until the end of a fighter's turn.

    Rules: `cond.delayed.expiry`, `cond.panicked.expiry`, `act.escape`, `act.engage`, `act.wrestling.counter-hold`,
    `grid.hold.immobilize`, `grid.interrupt.escape-ban`, `grid.interrupt.end-turn`.
    """

    def keep_later(until: int) -> int:
        return until if until > actor.turn else 0

    evading = actor.evading if actor.evading and actor.evading.until != actor.turn else None
    return replace_fields(
        actor,
        evading=evading,
        delays=tuple(delay for delay in actor.delays if delay.until > actor.turn),
        panicked_until=keep_later(actor.panicked_until),
        evaded_last_turn=actor.evaded_this_turn,
        evaded_this_turn=False,
        held_by=(),
        immobilized_until=keep_later(actor.immobilized_until),
        escape_banned_until=keep_later(actor.escape_banned_until),
        engaged=False,
    )


def _begin_and_end_passed_turn(state: EncounterState, event: TurnPassed) -> EncounterState:
    """Begin and end a fighter's turn at once."""
    passed = state.with_fighter(_expire_effects_at_turn_end(_start_fighter_turn(state.fighter(event.who))))
    return replace_fields(passed, round=event.round, place=event.place, acted=_list_acted_in_group_turn(state, event))


def _build_usage_applier(
    **changes: Callable[[TurnUsage, Any], object],
) -> Callable[[EncounterState, Any], EncounterState]:
    """Build the applier of an event that changes the turn's usage.

    Each keyword names a field, and computes its new value from the usage and the event.
    """

    def change(state: EncounterState, event: Any) -> EncounterState:
        values: dict[str, Any] = {name: value(state.ledger, event) for name, value in changes.items()}
        return replace_fields(state, ledger=replace_fields(state.ledger, **values))

    return change


def _build_fighter_applier(
    **changes: Callable[[Fighter, Any], object],
) -> Callable[[EncounterState, Any], EncounterState]:
    """Build the applier of an event that changes its fighter.

    Each keyword names a field, and computes its new value from the fighter and the event.
    """

    def change(state: EncounterState, event: Any) -> EncounterState:
        who = state.fighter(event.who)
        values: dict[str, Any] = {name: value(who, event) for name, value in changes.items()}
        return state.with_fighter(replace_fields(who, **values))

    return change


def _add_delay_condition(state: EncounterState, event: Delayed) -> EncounterState:
    """Add a delay, and remember the holder for a counter-hold. Rules: `cond.delayed`, `act.wrestling.counter-hold`."""
    who = state.fighter(event.who)
    held_by = who.held_by
    if event.cause == HOLD.cause and event.by not in held_by:
        held_by = (*held_by, event.by)
    delays = (*who.delays, Delay(event.cause, event.by, event.until))
    return state.with_fighter(replace_fields(who, delays=delays, held_by=held_by))


def _mark_as_escaped(state: EncounterState, event: Escaped) -> EncounterState:
    """Remove a fighter from the encounter and from the board. Rules: `act.escape.effect`, `grid.escape.exit`."""
    return state.with_fighter(
        replace_fields(state.fighter(event.who), escaped=True).with_position_and_surroundings(state.board, None)
    )


EFFECTS: dict[type[Event], Callable[[EncounterState, Any], EncounterState]] = {
    EncounterBegan: _begin_encounter,
    EncounterEnded: _end_encounter,
    TurnBegan: _begin_turn,
    TurnEnded: _end_turn,
    TurnPassed: _begin_and_end_passed_turn,
    GroupDue: lambda state, event: replace_fields(state, round=event.round, place=event.place, acted=()),
    RegularUsed: _build_usage_applier(regular=lambda ledger, event: (*ledger.regular, event.do)),
    Opened: _build_usage_applier(opened=lambda ledger, event: event.do),
    BonusUsed: _build_usage_applier(bonus=lambda ledger, event: event.do),
    OnceUsed: _build_fighter_applier(used=lambda who, event: (*who.used, (event.do, event.target))),
    Damaged: _build_fighter_applier(hp=lambda who, event: event.hp),
    Healed: _build_fighter_applier(hp=lambda who, event: event.hp),
    Delayed: _add_delay_condition,
    Panicked: _build_fighter_applier(panicked_until=lambda who, event: max(who.panicked_until, event.until)),
    Evaded: _build_fighter_applier(
        evading=lambda who, event: Evade(event.ability, event.bonus), evaded_this_turn=lambda who, event: True
    ),
    EvadeEnded: _build_fighter_applier(evading=lambda who, event: None),
    OutOfReach: _build_fighter_applier(flying_immune=lambda who, event: True),
    Engaged: _build_fighter_applier(engaged=lambda who, event: True, engage_penalty=lambda who, event: True),
    CoverTaken: _build_fighter_applier(in_cover=lambda who, event: True),
    CoverLeft: _build_fighter_applier(in_cover=lambda who, event: False),
    Escaped: _mark_as_escaped,
    BonusPlaced: lambda state, event: state.with_fighter(
        state.fighter(event.who).with_crafted_bonus(event.ability, event.by, state.rulings)
    ),
    BonusRemoved: lambda state, event: state.with_fighter(
        state.fighter(event.who).without_crafted_bonus(event.ability, event.by, state.rulings)
    ),
    CraftFailed: lambda state, event: replace_fields(
        state, lost_crafts=(*state.lost_crafts, (event.by, event.who, event.ability))
    ),
    CraftUnhurried: lambda state, event: replace_fields(
        state, lost_crafts=tuple(lost for lost in state.lost_crafts if lost[0] != event.by)
    ),
    **BOARD_EFFECTS,
    **GM_EFFECTS,
}
"""The function that applies each event."""
