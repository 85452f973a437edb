"""Everything in a turn that is no attack and no healing: evading, escaping, engaging, cover, small acts, passing."""

from __future__ import annotations

from collections.abc import Callable

from scratch_core.encounter.actions.ability_choice import uses_of
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import Outcome, Throw, immunity_problems
from scratch_core.encounter.actions.escape import cannot_escape, escape_problems, gone
from scratch_core.encounter.actions.movement import ways
from scratch_core.encounter.actions.phrases import TITLES
from scratch_core.encounter.actions.preconditions import OwnBar, Scene, must_evade, must_evade_problems, regular_forbids
from scratch_core.encounter.state import (
    BonusUsed,
    CoverLeft,
    CoverTaken,
    Engaged,
    Escaped,
    Evaded,
    Event,
    Fighter,
    OutOfReach,
    RegularUsed,
    TurnEnded,
)
from scratch_core.errors import Problem, broken
from scratch_core.figures import format_signed
from scratch_core.rulebook.actions import BASIC_ATTACK, ENGAGE, HOLD

# When they are legal


def _engage_problems(scene: Scene) -> list[Problem]:
    """Legal while a close attack is still possible this turn (ruling A15). Rule: `act.engage`."""
    if _is_late(scene):
        expected, got = "an engage before a close attack", "one after the regular action"
        return broken("engage.too-late", "act.engage", expected, got, TITLES["engage"], actor=scene.actor.name)
    expected, got = "a character to attack at close range", "no one within reach"
    return broken("engage.no-target", "act.engage", expected, got, TITLES["engage"], actor=scene.actor.name)


def _is_engage_vain(scene: Scene) -> bool:
    """Whether no close attack can follow: it is too late in the turn, or no one is near. Rule: `act.engage`."""
    if _is_late(scene):
        return True
    may_reach, actor = _may_reach(scene), scene.actor
    return not any(may_reach(each) for each in scene.state.fighters if each.id != actor.id and not each.is_away)


def _is_late(scene: Scene) -> bool:
    return {BASIC_ATTACK.do, HOLD.do} <= regular_forbids(scene)


def _may_reach(scene: Scene) -> Callable[[Fighter], bool]:
    """Whether a close attack gets to someone from the actor's space or, before its move, from where that may end.

    A move after the first of two attacks leads to no second one. Rules: `grid.close.reach`, `act.engage`,
    `grid.move.once`, `flying.immunity`, `swimming.deep-evade`.
    """
    board, actor = scene.state.board, scene.actor
    if board is None or actor.at is None:
        return lambda target: not immunity_problems(actor, BASIC_ATTACK.do, target)
    ends = () if scene.state.ledger.regular else ways(scene)
    spaces = {actor.at, *ends}

    def may_reach(target: Fighter) -> bool:
        near = spaces.intersection(board.area(target.at)) if target.at else ()
        return any(not immunity_problems(actor.placed(board, space), BASIC_ATTACK.do, target) for space in near)

    return may_reach


def _cover_problems(scene: Scene) -> list[Problem]:
    """Before any other action of the turn, and only where there is something to hide behind. Rule: `act.cover`."""
    where, name = TITLES["take-cover"], scene.actor.name
    if scene.actor.in_cover:
        return broken("cover.already", "act.cover", "an actor out of cover", f"{name} in cover", where, actor=name)
    problems = []
    if "cover" not in scene.actor.here:
        problems += broken("cover.nothing-here", "act.cover", "something to hide behind", "nothing", where)
    if not scene.state.ledger.is_empty:
        expected = "cover before any other action of the turn"
        problems += broken("cover.too-late", "act.cover", expected, "cover after one", where, actor=name)
    return problems


def _pass_problems(scene: Scene) -> list[Problem]:
    """Whoever is panicked must evade, or escape, first (ruling A07). Rules: `turn.do-nothing`, `cond.panicked`."""
    rules, got = "cond.panicked turn.do-nothing", f"nothing from {scene.actor.name}"
    return must_evade_problems(rules, got, scene.actor, TITLES["nothing"])


OWN_BARS = {
    "escape": OwnBar(cannot_escape, escape_problems),
    "engage": OwnBar(_is_engage_vain, _engage_problems),
    "take-cover": OwnBar(
        lambda at: at.actor.in_cover or "cover" not in at.actor.here or not at.state.ledger.is_empty,
        _cover_problems,
    ),
    "leave-cover": OwnBar(
        lambda at: not at.actor.in_cover,
        lambda at: broken(
            "cover.not-in-cover",
            "act.cover.stay",
            "an actor in cover",
            f"{at.actor.name} out of it",
            TITLES["leave-cover"],
            actor=at.actor.name,
        ),
    ),
    "nothing": OwnBar(must_evade, _pass_problems),
    "end-turn": OwnBar(must_evade, _pass_problems),
}
"""What one of these acts asks for, conditions and the turn's ledger aside."""

# What comes of them


def evade(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """The level of a movement ability that suits the place on top of agility and strength; without one, 0.

    Rules: `act.evade`, `act.evade.no-ability`, `move.use`, `move.terrain`, `flying.requires`, `swimming.requires`,
    `flying.immunity`, `swimming.deep-evade`.
    """
    actor = scene.actor
    uses = uses_of(actor, action, scene.state.rulings)
    ability, bonus, how = "", 0, " (no bonus)"
    if uses and actor.level(uses[0]) and actor.is_suited(uses[0]):
        ability, bonus = uses[0], actor.level(uses[0])
        how = f" with {ability}: {format_signed(bonus)} agility and strength"
    events: list[Event] = [RegularUsed(actor.id, "evade"), Evaded(actor.id, ability, bonus)]
    if actor.is_in_the_air and (ability == "flying" or scene.state.rulings.flyer_on_foot == "safe"):  # ruling A12
        events.append(OutOfReach(actor.id))
    return Outcome(tuple(events), (), f"{actor.name} evades{how}.")


def escape(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Out of the encounter, with nothing left to do but end the turn.

    Rules: `act.escape`, `act.escape.effect`, `minion.independent`.
    """
    actor = scene.actor
    return Outcome((RegularUsed(actor.id, "escape"), Escaped(actor.id)), (), f"{actor.name} escapes.")


def engage(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Better close attacks this turn for less agility until the next. Rules: `act.engage`, `act.engage.penalty`."""
    actor = scene.actor
    events = (BonusUsed(actor.id, "engage"), Engaged(actor.id))
    gain, cost = format_signed(ENGAGE.gain), format_signed(-ENGAGE.cost)
    say = f"{actor.name} engages: {gain} on close attacks this turn, {cost} agility until their next turn."
    return Outcome(events, (), say)


def take_cover(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Into cover. Rules: `act.cover`, `act.cover.effect`."""
    actor = scene.actor
    return Outcome((BonusUsed(actor.id, "take-cover"), CoverTaken(actor.id)), (), f"{actor.name} takes cover.")


def leave_cover(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Out of cover, for nothing. Rule: `act.cover.stay`."""
    return Outcome((CoverLeft(scene.actor.id),), (), f"{scene.actor.name} leaves cover.")


def small_act(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A door, a button, a hand-over: the bonus action is spent. Rules: `act.bonus`, `act.bonus.examples`."""
    return Outcome((BonusUsed(scene.actor.id, "bonus"),), (), f"{scene.actor.name} uses a bonus action.")


def nothing(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """The turn is spent, both actions of it; it ends as every turn does. Rule: `turn.do-nothing`."""
    who = scene.actor.id
    return Outcome((RegularUsed(who, "nothing"), BonusUsed(who, "nothing")), (), f"{scene.actor.name} does nothing.")


def end_turn(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """The turn is over. Rule: `turn.member-turn`."""
    return Outcome((*gone(scene.state), TurnEnded(scene.actor.id)), (), f"{scene.actor.name} ends their turn.")


RESOLVE: dict[str, Callable[[Scene, Action, Throw], Outcome]] = {
    "evade": evade,
    "escape": escape,
    "engage": engage,
    "take-cover": take_cover,
    "leave-cover": leave_cover,
    "bonus": small_act,
    "nothing": nothing,
    "end-turn": end_turn,
}
"""What carries out each of them."""
