"""Changes by the game master in an encounter: their problems, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scratch_core.board import format_space
from scratch_core.dice import Roller, roll_valid_face
from scratch_core.encounter.actions import build_active_off_board_escape_events, list_occupied_spaces
from scratch_core.encounter.engine import (
    apply_events,
    build_follow_up_end_events,
    compute_initiative,
    plan_events_until_turn_start,
)
from scratch_core.encounter.narration import list_current_or_next_actors
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
    JoinedWithInitiative,
    Reordered,
    ReturnedToSpace,
    SurroundingsChanged,
    TurnBegan,
    TurnEnded,
)
from scratch_core.errors import Problem, join_words
from scratch_core.figures import format_hit_points
from scratch_core.record_copies import replace_fields
from scratch_core.turn_systems import (
    CHANGE_SURROUNDINGS,
    COMMON_GM_FIELDS,
    CONDITION,
    CONDITIONS,
    EVADING,
    GAME_MASTER,
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
    Narration,
    NarrationPart,
    RecordingRoller,
    compare_or_roll_until_different,
    conceal,
    narrate,
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


def own_gm_action_problems(state: EncounterState, change: GmAction) -> list[Problem]:
    """Return the problems of a change by the game master in this state. Rule: `hp.max`."""
    if change.do == SET_HP and change.hp > state.fighter(change.target).numbers.max_hp:
        who = state.fighter(change.target)
        expected, facts = f"hit points from 0 to {who.numbers.max_hp}", {"name": who.name, "most": who.numbers.max_hp}
        return [Problem("gm.hit-points", expected, str(change.hp), change.title, facts=facts)]
    check = {CONDITION: _cover_condition_problems, JOIN: _arrival_space_problems, RETURN: _arrival_space_problems}
    return check[change.do](state, change) if change.do in check else []


def _cover_condition_problems(state: EncounterState, change: GmAction) -> list[Problem]:
    """Return a problem if the fighter's space on a board has no cover. Rule: `act.cover`."""
    if change.condition != IN_COVER or not change.on or state.board is None:
        return []
    who = state.fighter(change.target)
    if "cover" in who.here:
        return []
    got, facts = f"{who.name} in {format_space(who.at)}", {"name": who.name}
    return [Problem("gm.no-cover", "a space with cover", got, change.title, facts=facts)]


def _arrival_space_problems(state: EncounterState, change: GmAction) -> list[Problem]:
    """Return a problem if the space for a new or returning fighter is not free.

    Rule: `grid.move.blocked`.
    """
    at = change.at if change.do == RETURN else change.newcomer.at
    if state.board is None or at is None:
        return []
    if at not in state.board or state.board.has_wall_or_obstacle(at):
        expected, facts = "a space of the board to stand on", {"space": format_space(at)}
        return [Problem("gm.no-space", expected, format_space(at), change.title, facts=facts)]
    occupant = next((each.name for each, space in list_occupied_spaces(state) if space == at), "")
    if not occupant:
        return []
    facts = {"name": occupant}
    return [Problem("gm.space-taken", "a free space", f"that of {occupant}", change.title, facts=facts)]


def resolve_gm_action(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    """Resolve a change by the game master that has no problems.

    It ends the current turn if the active fighter is down or away after it. Rule: `turn.order`.
    """
    decision = _OUTCOMES[change.do](state, change, roller)
    decision = replace(decision, events=(*build_follow_up_end_events(state), *decision.events))
    after = apply_events(state, decision.events)
    is_active = not state.turn_over and state.active == change.target
    if not is_active or not after.fighter(change.target).is_out:
        return decision
    events = (*decision.events, *build_active_off_board_escape_events(after), TurnEnded(change.target))
    return Decision(events, decision.rolls, decision.sentences.with_part(conceal(GAME_MASTER, " Their turn is over.")))


def _decide_hit_points(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    return Decision(
        (HitPointsSet(change.target, hp=change.hp),),
        (),
        _narrate_for_gm_only("{} has {}.", state.fighter(change.target), format_hit_points(change.hp)),
    )


def _decide_condition(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    """Give or end a condition.

    A condition lasts until the end of the fighter's next turn, but cover until it is left.
    """
    who, words = state.fighter(change.target), change.condition.replace("-", " ")
    if not change.on:
        return Decision(
            (ConditionEnded(change.target, change.condition),),
            (),
            _narrate_for_gm_only("{} is no longer {}.", who, words),
        )
    until, duration = who.get_next_turn_number(), "until the end of their next turn"
    if change.condition == IN_COVER:
        until, duration = 0, "until they leave it"
    bonus = f" with +{change.bonus} agility and strength" if change.condition == EVADING and change.bonus else ""
    event = ConditionGiven(change.target, change.condition, change.bonus, until)
    return Decision((event,), (), _narrate_for_gm_only("{} is {}{} {}.", who, words, bonus, duration))


def _decide_joining(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    """Add a fighter to the fight.

    A new group rolls initiative; a known one shares its turns. The next turn is still the same: a group placed before
    it acts from the next round on.
    Rules: `turn.group`, `turn.tie`.
    """
    who: Fighter = change.newcomer
    before = _build_events_until_next_turn(state)
    if who.group in state.turn_order:
        group = conceal(GAME_MASTER, ", in the group {}", state.group_name(who.group))
        sentences = narrate("{} joins the fight{}.", who, group)
        return Decision((*before, JoinedWithInitiative(who, state.initiative)), (), sentences)
    joined = replace_fields(state, fighters=(*state.fighters, who))
    own = Initiative(who.group, compute_initiative(joined, who.group, roll_valid_face(roller)))
    order, faces = _insert_group_with_tie_rolls(state.initiative, own, roller)
    words = {each.group: each.formatted_total for each in order}
    rolled_off = [each.group for each in state.initiative if words[each.group] != each.formatted_total]
    ties = f"; {join_words([f'{state.group_name(each)} {words[each]}' for each in rolled_off])}" if rolled_off else ""
    own_words = conceal(GAME_MASTER, " with initiative {}{}", words[who.group], ties)
    sentences = narrate("{} joins the fight{}.", who, own_words)
    return Decision(
        (*before, JoinedWithInitiative(who, order)), (InitiativeRoll(who.group, (*own.faces, *faces)),), sentences
    )


def _build_events_until_next_turn(state: EncounterState) -> tuple[Event, ...]:
    """Return the events up to the next turn, without its beginning.

    They are the turns passed over, and the new place in the turn order. Returns () before the first turn, during a
    turn, and if the same group is next.
    Rule: `turn.order`.
    """
    actor = next(iter(list_current_or_next_actors(state)), "")
    if not (state.active and state.turn_over and actor):
        return ()
    *passed, began = plan_events_until_turn_start(state, actor).events
    if not isinstance(began, TurnBegan) or (began.round, began.place) == (state.round, state.place):
        return ()
    return (*passed, GroupDue(began.round, began.place))


def _insert_group_with_tie_rolls(
    initiatives: Iterable[Initiative], new_initiative: Initiative, roller: Roller
) -> tuple[tuple[Initiative, ...], tuple[int, ...]]:
    """Insert a new group into the turn order, and return the tie-break rolls.

    It goes before the first group that it beats. The rolls are in the order rolled. Rules: `turn.order`, `turn.tie`.
    """
    recorder = RecordingRoller(roller)
    before, after = list[Initiative](), list(initiatives)
    ties = list[int]()
    while after and after[0].figure.value >= new_initiative.figure.value:
        other = after[0]
        other_ties = list(other.ties)
        is_tie = other.figure.value == new_initiative.figure.value
        wins = is_tie and compare_or_roll_until_different(ties, other_ties, recorder, "turn.tie") > 0
        after[0] = replace_fields(other, ties=tuple(other_ties))
        if wins:
            break
        before.append(after.pop(0))
    return (*before, replace_fields(new_initiative, ties=tuple(ties)), *after), tuple(recorder.faces)


def _decide_removal(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    return Decision((Gone(change.target),), (), narrate("{} is removed from the fight.", state.fighter(change.target)))


def _decide_turn_order(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    names = {each.id: each.name for each in state.fighters}
    order = join_words([names.get(each, each) for each in change.order])
    return Decision((Reordered(change.order),), (), _narrate_for_gm_only("the turn order is now {}.", order))


def _decide_surroundings_of_all(state: EncounterState, change: GmAction, roller: Roller) -> Decision:
    """Change the surroundings of all fighters.

    Without cover, no fighter is in cover. Rules: `move.terrain`, `act.cover`.
    """
    words = SURROUNDING_WORDS[change.surrounding]
    sentences = _narrate_for_gm_only("this place {} has {}.", "now" if change.on else "no longer", words)
    return Decision((SurroundingsChanged(change.surrounding, on=change.on),), (), sentences)


def _narrate_for_gm_only(template: str, *parts: NarrationPart) -> Narration:
    """Build a sentence for the game master alone.

    A hidden character may have caused the change, and its cause must not make a difference to the players.
    """
    return conceal(GAME_MASTER, template, *parts)


_OUTCOMES: Mapping[str, Callable[[EncounterState, GmAction, Roller], Decision]] = {
    SET_HP: _decide_hit_points,
    CONDITION: _decide_condition,
    JOIN: _decide_joining,
    LEAVE: _decide_removal,
    RETURN: lambda state, change, roller: Decision(
        (ReturnedToSpace(change.target, change.at),),
        (),
        narrate("{} is back in the fight.", state.fighter(change.target)),
    ),
    REORDER: _decide_turn_order,
    CHANGE_SURROUNDINGS: _decide_surroundings_of_all,
}
