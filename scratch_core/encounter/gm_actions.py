"""Changes by the game master in an encounter: their problems, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scratch_core.board import format_space
from scratch_core.dice import Roller, throw
from scratch_core.encounter.actions import build_edge_escapes, format_hit_points, list_occupied_spaces
from scratch_core.encounter.engine import apply_events, discard_follow_up, initiative_of, plan_turn_start
from scratch_core.encounter.narration import list_turn_candidates
from scratch_core.encounter.state import (
    SURROUNDING_WORDS,
    SURROUNDINGS,
    ConditionEnded,
    ConditionGiven,
    EncounterState,
    Event,
    Fighter,
    Gone,
    GroupDue,
    HitPointsSet,
    Initiative,
    Joined,
    Reordered,
    Returned,
    SurroundingsChanged,
    TurnBegan,
    TurnEnded,
)
from scratch_core.errors import Problem, join_words
from scratch_core.fast_replace import replace_fields
from scratch_core.turn_systems import (
    CHANGE_SURROUNDINGS,
    COMMON_GM_FIELDS,
    CONDITION,
    CONDITIONS,
    EVADING,
    IN_COVER,
    JOIN,
    LEAVE,
    ORDER,
    REORDER,
    RETURN,
    SET_HP,
    TARGET,
    Decision,
    Field,
    GmAction,
    InitiativeRoll,
    RecordingRoller,
    build_gm_problem,
    roll_tie_break,
)

MAX_BONUS, MAX_HP = 100, 1000

GM_FIELDS_OFF_BOARD: Mapping[str, tuple[Field, ...]] = {
    SET_HP: (TARGET, Field("hp", "number", None, "hit points", 0, MAX_HP, label="hit points")),
    CONDITION: (
        TARGET,
        Field("condition", "choice", None, "which", choices=CONDITIONS),
        Field("bonus", "number", 0, "what an evade adds", 0, MAX_BONUS),
        Field("on", "flag", True, "given, or ended"),
    ),
    **COMMON_GM_FIELDS,
    REORDER: (ORDER,),
    CHANGE_SURROUNDINGS: (
        Field("what", "choice", None, "what the place offers", choices=SURROUNDINGS, attribute="surrounding"),
        Field("on", "flag", True, "whether it offers it, or no longer"),
    ),
}
GM_FIELDS_ON_BOARD: Mapping[str, tuple[Field, ...]] = {
    **{do: fields for do, fields in GM_FIELDS_OFF_BOARD.items() if do != CHANGE_SURROUNDINGS},
    JOIN: (*COMMON_GM_FIELDS[JOIN], Field("at", "space", None, "where they appear", is_optional=True)),
    RETURN: (TARGET, Field("at", "space", None, "where they appear")),
}
"""The changes by the game master with their fields, on a board."""


def gm_action_problems(state: EncounterState, hand: GmAction) -> list[Problem]:
    """Return the problems of a change by the game master in this state. Rule: `hp.max`."""
    if hand.do == SET_HP and hand.hp > state.fighter(hand.target).numbers.max_hp:
        who = state.fighter(hand.target)
        expected, facts = f"hit points from 0 to {who.numbers.max_hp}", {"name": who.name, "most": who.numbers.max_hp}
        return [build_gm_problem("gm.hit-points", expected, str(hand.hp), hand.do, **facts)]
    check = {CONDITION: _cover_problems, JOIN: _place_problems, RETURN: _place_problems}
    return check[hand.do](state, hand) if hand.do in check else []


def _cover_problems(state: EncounterState, hand: GmAction) -> list[Problem]:
    """Return a problem if the fighter's space on a board has no cover. Rule: `act.cover`."""
    if hand.condition != IN_COVER or not hand.on or state.board is None:
        return []
    who = state.fighter(hand.target)
    if "cover" in who.here:
        return []
    return [
        build_gm_problem(
            "gm.no-cover", "a space with cover", f"{who.name} in {format_space(who.at)}", hand.do, name=who.name
        )
    ]


def _place_problems(state: EncounterState, hand: GmAction) -> list[Problem]:
    """Return a problem if the space for a new or returning fighter is not free.

    Rule: `grid.move.blocked`.
    """
    at = hand.at if hand.do == RETURN else hand.newcomer.at
    if state.board is None or at is None:
        return []
    if not state.board.contains(at) or state.board.is_solid(at):
        return [
            build_gm_problem(
                "gm.no-space", "a space of the board to stand on", format_space(at), hand.do, space=format_space(at)
            )
        ]
    there = next((each.name for each, space in list_occupied_spaces(state) if space == at), "")
    if not there:
        return []
    return [build_gm_problem("gm.space-taken", "a free space", f"that of {there}", hand.do, name=there)]


def decide_gm_action(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    """Resolve a change by the game master that has no problems.

    It ends the current turn if the active fighter is down or away after it. Rule: `turn.order`.
    """
    decision = _OUTCOMES[hand.do](state, hand, roller)
    decision = replace(decision, events=(*discard_follow_up(state), *decision.events))
    after = apply_events(state, decision.events)
    is_on = not state.turn_over and state.active == hand.target
    if not is_on or not (after.fighter(hand.target).is_down or after.fighter(hand.target).is_away):
        return decision
    events = (*decision.events, *build_edge_escapes(after), TurnEnded(hand.target))
    return Decision(events, decision.rolls, f"{decision.narration} Their turn is over.")


def _set(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    return Decision(
        (HitPointsSet(hand.target, hp=hand.hp),), (), f"{_name(state, hand)} has {format_hit_points(hand.hp)}."
    )


def _condition(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    """Give or end a condition.

    A condition lasts until the end of the fighter's next turn, but cover until it is left.
    """
    name, words = _name(state, hand), hand.condition.replace("-", " ")
    if not hand.on:
        return Decision((ConditionEnded(hand.target, hand.condition),), (), f"{name} is no longer {words}.")
    until, lasts = state.fighter(hand.target).get_next_turn(), "until the end of their next turn"
    if hand.condition == IN_COVER:
        until, lasts = 0, "until they leave it"
    bonus = f" with +{hand.bonus} agility and strength" if hand.condition == EVADING and hand.bonus else ""
    given = ConditionGiven(hand.target, hand.condition, hand.bonus, until)
    return Decision((given,), (), f"{name} is {words}{bonus} {lasts}.")


def _join(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    """Add a fighter to the fight.

    A new group rolls initiative; a known one shares its turns. The next turn is still the same: a group placed before
    it acts from the next round on.
    Rules: `turn.group`, `turn.tie`.
    """
    who: Fighter = hand.newcomer
    before = _until_next_turn(state)
    if who.group in state.order:
        said = f"{who.name} joins the fight, in the group {state.group_name(who.group)}."
        return Decision((*before, Joined(who, state.initiative)), (), said)
    together = replace_fields(state, fighters=(*state.fighters, who))
    own = Initiative(who.group, initiative_of(together, who.group, throw(roller, 20)))
    order, thrown = _among(state.initiative, own, roller)
    words = {each.group: each.words for each in order}
    rolled_off = [each.group for each in state.initiative if words[each.group] != each.words]
    level = f"; {join_words([f'{state.group_name(each)} {words[each]}' for each in rolled_off])}" if rolled_off else ""
    said = f"{who.name} joins the fight with initiative {words[who.group]}{level}."
    return Decision((*before, Joined(who, order)), (InitiativeRoll(who.group, (*own.faces, *thrown)),), said)


def _until_next_turn(state: EncounterState) -> tuple[Event, ...]:
    """Return the events up to the next turn, without its beginning.

    They are the turns passed over, and the new place in the turn order. Returns () before the first turn, during a
    turn, and if the same group is next.
    Rule: `turn.order`.
    """
    actor = next(iter(list_turn_candidates(state)), "")
    if not (state.active and state.turn_over and actor):
        return ()
    *passed, began = plan_turn_start(state, actor)[0]
    if not isinstance(began, TurnBegan) or (began.round, began.place) == (state.round, state.place):
        return ()
    return (*passed, GroupDue(began.round, began.place))


def _among(
    order: Iterable[Initiative], own: Initiative, roller: Roller
) -> tuple[tuple[Initiative, ...], tuple[int, ...]]:
    """Insert a new group into the turn order, and return the tie-break rolls.

    It goes before the first group that it beats. The rolls are in the order rolled. Rules: `turn.order`, `turn.tie`.
    """
    dice = RecordingRoller(roller)
    before, after = list[Initiative](), list(order)
    ties = list[int]()
    while after and after[0].figure.value >= own.figure.value:
        other = after[0]
        theirs = list(other.ties)
        is_level = other.figure.value == own.figure.value
        wins = is_level and roll_tie_break(ties, theirs, dice, "turn.tie")
        after[0] = replace_fields(other, ties=tuple(theirs))
        if wins:
            break
        before.append(after.pop(0))
    return (*before, replace_fields(own, ties=tuple(ties)), *after), tuple(dice.faces)


def _leave(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    return Decision((Gone(hand.target),), (), f"{_name(state, hand)} is removed from the fight.")


def _reorder(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    names = {each.id: each.name for each in state.fighters}
    order = join_words([names.get(each, each) for each in hand.order])
    return Decision((Reordered(hand.order),), (), f"the turn order is now {order}.")


def _change_surroundings(state: EncounterState, hand: GmAction, roller: Roller) -> Decision:
    """Change the surroundings of all fighters.

    Without cover, no fighter is in cover. Rules: `move.terrain`, `act.cover`.
    """
    words = SURROUNDING_WORDS[hand.surrounding]
    said = f"this place now has {words}." if hand.on else f"this place no longer has {words}."
    return Decision((SurroundingsChanged(hand.surrounding, on=hand.on),), (), said)


def _name(state: EncounterState, hand: GmAction) -> str:
    return state.fighter(hand.target).name


_OUTCOMES: Mapping[str, Callable[[EncounterState, GmAction, Roller], Decision]] = {
    SET_HP: _set,
    CONDITION: _condition,
    JOIN: _join,
    LEAVE: _leave,
    RETURN: lambda state, hand, roller: Decision(
        (Returned(hand.target, hand.at),), (), f"{_name(state, hand)} is back in the fight."
    ),
    REORDER: _reorder,
    CHANGE_SURROUNDINGS: _change_surroundings,
}
