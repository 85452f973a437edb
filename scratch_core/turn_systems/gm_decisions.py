"""How every turn system checks and decides a change by the game master."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from scratch_core.dice import RecordedRoller, Roller
from scratch_core.errors import Problem, Problems
from scratch_core.turn_systems.fight_records import Event, FightState
from scratch_core.turn_systems.gm_actions import (
    CHANGE_SURROUNDINGS,
    JOIN,
    MAX_FIGHTERS,
    REORDER,
    RETURN,
    SET_HP,
    GmAction,
)
from scratch_core.turn_systems.records import Decision, Prompt
from scratch_core.turn_systems.sentences import GAME_MASTER, conceal, narrate

S = TypeVar("S", bound=FightState[Any])


class GmActionResolver(Protocol[S]):
    """The part of a turn system that a change by the game master needs."""

    def own_gm_action_problems(self, state: S, change: GmAction) -> list[Problem]: ...  # noqa: D102
    def resolve_gm_action(self, state: S, change: GmAction, roller: Roller) -> Decision: ...  # noqa: D102
    def apply_events(self, state: S, events: Iterable[Event]) -> S: ...  # noqa: D102
    def build_prompt(self, state: S) -> Prompt | None: ...  # noqa: D102


def check_gm_action(system: GmActionResolver[S], state: S, change: GmAction) -> tuple[Problem, ...]:
    """Return why the game master can't make a change now. Empty if possible.

    The problems name no rule.
    """
    if state.has_pending_action:
        return (Problem("gm.waits", "an answer to the open question first", "none", change.title),)
    if change.do != SET_HP and state.phase != "running":
        return (Problem("fight.not-running", "a fight that is going on", "none", change.title),)
    return tuple(_participant_problems(state, change) or system.own_gm_action_problems(state, change))


def _participant_problems(state: FightState[Any], change: GmAction) -> Problems:
    """Check the ids of a change by the game master.

    A newcomer must be new, a removed fighter present, a returning one away, and an order must name everyone once.
    """
    problems, where = Problems(), change.title
    if change.do == JOIN:
        ids = [each.id for each in state.fighters]
        if change.newcomer.id in ids:
            expected, name = "an id that no one has", change.newcomer.name
            problems.report("gm.id-taken", expected, change.newcomer.id, where, name=name)
        elif len(ids) >= MAX_FIGHTERS:
            expected = f"{MAX_FIGHTERS} in a fight at most"
            problems.report("gm.full", expected, "one more", where, most=MAX_FIGHTERS)
    elif change.do == REORDER:
        known = state.ids_to_reorder
        if sorted(change.order) != sorted(known):
            got = ", ".join(change.order) or "no one"
            problems.report("gm.order", f"each of {', '.join(known)} once", got, where)
    elif change.do != CHANGE_SURROUNDINGS:
        is_away, name = state.fighter(change.target).is_away, state.name_of(change.target)
        if change.do not in (SET_HP, RETURN) and is_away:
            problems.report("gm.not-in-fight", "a character in the fight", name, where, name=name)
        if change.do == RETURN and not is_away:
            problems.report("gm.still-in-fight", "a character out of the fight", name, where, name=name)
    return problems


def decide_gm_action(
    system: GmActionResolver[S], state: S, change: GmAction, faces: Roller | Iterable[int]
) -> Decision:
    """Decide a change by the game master: return its events, its dice and a sentence.

    An impossible change has no events, and a problem says why. Raises `ScratchError` for faces that are too few, too
    many or impossible.
    """
    problems = check_gm_action(system, state, change)
    if problems:
        first = problems[0]
        sentence = f"Game master: {change.title} can't be, expected {first.expected}, got {first.got}."
        return Decision((), (), conceal(GAME_MASTER, "{}", sentence), problems)
    roller = RecordedRoller(faces) if isinstance(faces, Iterable) else faces
    decision = system.resolve_gm_action(state, change, roller)
    if isinstance(roller, RecordedRoller):
        roller.require_all_used()
    after = system.apply_events(state, decision.events)
    was, due = system.build_prompt(state), system.build_prompt(after)
    headline = (
        f" {due.format_headline(after.name_of(due.who))}." if was and due and due.who not in ("", was.who) else ""
    )
    author = conceal(GAME_MASTER, "Game master: ")
    sentences = narrate("{}{}{}", author, decision.sentences, conceal(GAME_MASTER, "{}", headline))
    return replace(decision, sentences=sentences)
