"""Mano a Mano, latest revision: the legal actions, and the rules that an action breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.turn_systems import (
    LEAVE,
    build_other_turn_problems,
    build_out_of_fight_problems,
    build_target_not_in_fight_problems,
)
from scratch_core.turn_systems.generic import GenericAction
from scratch_core.turn_systems.mano.records import ManoFighter, ManoState, compute_max_combo_size
from scratch_core.turn_systems.seats import SeatedTurnSystem

STARTS = ("start-evading", "start-ready")
ON_TURN = ("active", "combo", "prepare-counter", "skip", "delay-turn")
ANSWERS = ("counter", "let-pass")
SIDES = {True: "after", False: "before"}
"""The word for the place of a delayed turn by `GenericAction.after`."""


DelayPlace = tuple[str, bool]
"""The id of an ally, and whether the delayed turn comes after that ally's turn, not before it."""


class ManoLegality(SeatedTurnSystem[ManoState]):
    """The part of the turn system that decides whether an action is legal."""

    idle_rules: ClassVar[Mapping[str, str]] = {"before": "mano.start.first", "over": "mano.surprise.neither"}

    def list_legal_actor_action_pairs(self, state: ManoState) -> tuple[tuple[str, str], ...]:
        """List who may do what now, as pairs of an id and an action's name.

        While an attack waits, only its target may answer. After a counterattack the interrupted actor restates its
        action. Otherwise the active fighter takes its turn, and others may start evading or ready. Rules:
        `mano.turn.options`, `mano.counter.timing`, `mano.counter.rethink`, `mano.start.evade`, `mano.start.ready`,
        `mano.combo.healthy`, `mano.order.formation`.
        """
        if state.phase != "running":
            return ()
        if state.possible_counterattacker:
            return tuple((state.possible_counterattacker, do) for do in ANSWERS)
        actor = state.fighter(state.frames[-1].who if state.frames else state.active)
        closed = [] if actor.healthy else ["combo"]
        if not state.frames and not any(list_delay_places(state)):
            closed.append("delay-turn")
        turn = [(actor.id, do) for do in _list_action_keys_of_turn(state, actor) if do not in closed]
        starters = () if state.frames else state.fighters
        starts = [
            (who.id, do) for who in starters for do in STARTS if not start_evading_or_ready_problems(state, who, do)
        ]
        return (*turn, *starts)

    def action_problems(self, state: ManoState, act: GenericAction) -> list[Problem]:
        """Return every rule that an action breaks now. Empty for a legal action."""
        if act.do == "surprise-rolls":
            return _ambush_problems(state, act)
        if act.do == "stun":
            found = _self_or_absent_target_problems(state, act, is_required=True)
            if act.points < 1:
                found += build_rule_problems(
                    "stun.none", "mano.stun.recover", "1 stun or more", str(act.points), act.do
                )
            return found
        actor = state.fighter(act.actor)
        if actor.out:
            return build_out_of_fight_problems("mano.turn.per-round", actor.name, act.do)
        if act.do == LEAVE:
            return [_build_attack_waits_problem(state, act.do)] if state.possible_counterattacker else []
        return _timing_problems(state, act, actor) or _action_detail_problems(state, act, actor)


def _list_action_keys_of_turn(state: ManoState, actor: ManoFighter) -> tuple[str, ...]:
    """List the names of the actions that the turn, or an interrupted action, allows.

    An interrupted fighter may only restate its action, and a fighter who owes skips may only skip. Rules:
    `mano.counter.rethink`, `mano.turn.options`, `mano.speed.half`.
    """
    if state.frames:
        return ("counter",) if state.frames[-1].is_counter else ("active", "combo")
    return ("skip",) if actor.owed else ON_TURN


def list_delay_places(state: ManoState) -> Iterator[DelayPlace]:
    """List the places to which the active turn can be delayed. Rule: `mano.order.formation`.

    Each is an ally's id and whether the turn comes after the ally's.
    """
    actor = state.fighter(state.active)
    allies = [each for each in state.fighters if each.side == actor.side and each.id != actor.id and not each.out]
    return (
        (ally.id, after)
        for ally in allies
        for after in (True, False)
        if build_delayed_order_if_later(state, ally.id, after)
    )


def build_delayed_order_if_later(state: ManoState, ally_id: str, is_after_ally: bool) -> tuple[str, ...]:
    """Return the turn order with the active turn directly after an ally's, or before it.

    Empty if that is not later in this round. Before the ally who opens the round means at the end of the round. The new
    place is permanent (ruling M13). Rule: `mano.order.formation`.
    """
    out = {each.id for each in state.fighters if each.out}
    present = [each for each in state.order if each not in out]
    rest = [each for each in present if each != state.active]
    place = present.index(state.active)
    if ally_id not in rest:
        return ()
    at = rest.index(ally_id) + (1 if is_after_ally else 0)
    if not is_after_ally and place and ally_id == present[0]:
        at = len(rest)
    return (*rest[:at], state.active, *rest[at:]) if at > place else ()


def get_max_quick_actions(actor: ManoFighter, weapons: int) -> int:
    """Get the maximum number of quick actions in a combo with so many weapons.

    0 for an unhealthy fighter. Rule: `mano.combo.healthy`.
    """
    return compute_max_combo_size(actor.speed, weapons) if actor.healthy else 0


# Rules that an action breaks


def _ambush_problems(state: ManoState, act: GenericAction) -> list[Problem]:
    """Check that an ambush comes once, before the fight, with legal stalkers.

    There may be one stalker, or two of different sides. Rules: `mano.surprise.abilities`, `mano.surprise.two-rolls`.
    """
    if state.phase != "before" or state.stalkers:
        expected = "an ambush before the fight, once"
        return build_rule_problems("ambush.once", "mano.surprise.abilities", expected, "another", act.do)
    sides = {state.fighter(who).side for who in act.stalker_ids}
    if not 1 <= len(act.stalkers) <= 2 or len(sides) < len(act.stalkers):
        got = ", ".join(act.stalker_ids) or "no one"
        expected = "one stalker, or two of different sides"
        return build_rule_problems("ambush.stalkers", "mano.surprise.two-rolls", expected, got, act.do)
    return []


def _build_attack_waits_problem(state: ManoState, do: str) -> Problem:
    """Build the problem of an action while an attack waits for its answer."""
    asked = state.fighter(state.possible_counterattacker).name
    expected = f"{asked} to counterattack or to let the attack pass"
    return Problem("counter.waits", expected, do, "the attack", "mano.counter.timing", facts={"asked": asked})


def _timing_problems(state: ManoState, act: GenericAction, actor: ManoFighter) -> list[Problem]:
    """Check that the action is possible at this moment.

    Rules: `mano.turn.per-round`, `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`.
    """
    if state.possible_counterattacker:
        return (
            []
            if act.actor == state.possible_counterattacker and act.do in ANSWERS
            else [_build_attack_waits_problem(state, act.do)]
        )
    if state.frames:
        who = state.fighter(state.frames[-1].who)
        dos = _list_action_keys_of_turn(state, who)
        if act.actor != who.id or act.do not in dos:
            expected = f"{who.name}'s own act: {' or '.join(dos)}"
            got = f"{actor.name}, {act.do}"
            return build_rule_problems(
                "counter.rethink", "mano.counter.rethink", expected, got, "the attack", interrupted=who.name
            )
        return []
    if act.do in ANSWERS:
        expected = "an attack on a prepared character"
        return build_rule_problems("counter.no-attack", "mano.counter.wait", expected, "none", act.do)
    if act.do in STARTS:
        return start_evading_or_ready_problems(state, actor, act.do)
    if act.actor != state.active:
        rules, following = "mano.order.seating mano.turn.per-round", state.fighter(state.active).name
        return build_other_turn_problems(rules, following, actor.name, "the order")
    return []


def start_evading_or_ready_problems(state: ManoState, actor: ManoFighter, do: str) -> list[Problem]:
    """Check that a fighter may start evading or ready.

    Each fighter may once, before its first turn, unless a fighter has surprise. Rules: `mano.start.evade`,
    `mano.start.ready`, `mano.surprise.one`.
    """
    if state.surpriser:
        expected, name = "a fight without surprise", state.fighter(state.surpriser).name
        return build_rule_problems(
            "start.surprise", "mano.surprise.one", expected, f"{state.surpriser}'s", do, surpriser=name
        )
    if actor.out or actor.begun or actor.started:
        rule = "mano.start.evade" if do == "start-evading" else "mano.start.ready"
        expected = "one of the two, before the first turn"
        return build_rule_problems("start.too-late", rule, expected, actor.name, do, actor=actor.name)
    return []


def _action_detail_problems(state: ManoState, act: GenericAction, actor: ManoFighter) -> list[Problem]:
    """Check that the action itself is allowed. A fighter who owes skips must skip.

    Rules: `mano.turn.options`, `mano.counter.rethink`, `mano.speed.quarter`, `mano.speed.half`.
    """
    found = []
    if actor.owed and act.do in ON_TURN and act.do != "skip" and not state.frames:  # ruling M04
        rule = "mano.speed.quarter" if actor.speed * 4 == 1 else "mano.speed.half"
        expected, facts = f"a skipped turn, {actor.owed} still owed", {"actor": actor.name, "owed": actor.owed}
        found += build_rule_problems("turn.skips-owed", rule, expected, act.do, "the turn", **facts)
    if act.do == "delay-turn":
        found += _delay_place_problems(state, act)
    if act.do == "prepare-counter" and (act.move or act.target):
        expected, got = "movement and action held back", "some of it used"
        found += build_rule_problems("counter.not-held-back", "mano.counter.wait", expected, got, act.do)
    if act.do in ("active", "combo", "counter"):
        found += _movement_problems(state, act, actor)
        found += _self_or_absent_target_problems(state, act, is_required=False)
        found += _combo_problems(act, actor)
    return found


def _movement_problems(state: ManoState, act: GenericAction, actor: ManoFighter) -> list[Problem]:
    """Check the movement. Rules: `mano.counter.rethink`, `mano.turn.options`.

    A turn has one movement, and only a movement has spaces.
    """
    found = []
    again = state.frames[-1:]  # the interrupted action, if this one restates it
    if act.move and any(frame.moved for frame in again if frame.who == act.actor):
        rule, expected = "mano.counter.rethink", "no more movement"
        found += build_rule_problems("move.after-interrupt", rule, expected, "movement", act.do, actor=actor.name)
    if act.spaces and not act.move:
        got = f"{act.spaces} spaces and no move"
        found += build_rule_problems("move.not-chosen", "mano.turn.options", "a move of so many spaces", got, act.do)
    return found


def _delay_place_problems(state: ManoState, act: GenericAction) -> list[Problem]:
    """Check that a delayed turn comes later in the round. Rule: `mano.order.formation`."""
    places = {(who, after): f"{SIDES[after]} {who}" for who, after in list_delay_places(state)}
    if (act.target, act.after) in places:
        return []
    later = ", ".join(places.values()) or "no ally's"
    got = f"{SIDES[act.after]} {act.target}" if act.target else "nobody"
    named = [f"{SIDES[after]} {state.fighter(who).name}" for who, after in places]
    facts = {"actor": state.fighter(act.actor).name, "places": join_words(named, "or") or "none is left"}
    expected = f"a place later in this round: {later}"
    return build_rule_problems("turn.delay-place", "mano.order.formation", expected, got, act.do, **facts)


def _self_or_absent_target_problems(state: ManoState, act: GenericAction, *, is_required: bool) -> list[Problem]:
    """Check that the target is another fighter who is in the fight."""
    if act.target == act.actor and act.target and act.do != "stun":
        expected, name = "another character as the target", state.fighter(act.actor).name
        return build_rule_problems("target.self", "mano.turn.options", expected, act.target, act.do, actor=name)
    if (is_required and not act.target) or (act.target and state.fighter(act.target).out):
        return build_target_not_in_fight_problems("mano.turn.options", act.target, act.do)
    return []


def _combo_problems(act: GenericAction, actor: ManoFighter) -> list[Problem]:
    """Check the number of quick actions and weapons. A counterattack may be a combo.

    Rules: `mano.turn.options`, `mano.combo.healthy`, `mano.combo.weapons`, `mano.combo.count`.
    """
    is_combo = act.do == "combo" or (act.do == "counter" and (act.count or act.weapons))
    if act.count and not is_combo:
        expected, got = "one action, or a combo", f"{act.count} actions"
        return build_rule_problems("combo.not-chosen", "mano.turn.options", expected, got, act.do, count=act.count)
    if not is_combo:
        return []
    found = []
    if not actor.healthy:
        expected = "a healthy character, or one action only"
        found += build_rule_problems(
            "combo.not-healthy", "mano.combo.healthy", expected, actor.name, act.do, actor=actor.name
        )
    if not 1 <= act.weapons <= actor.weapons:
        expected, facts = f"1 to {actor.weapons} weapons", {"actor": actor.name, "weapons": actor.weapons}
        found += build_rule_problems("combo.weapons", "mano.combo.weapons", expected, str(act.weapons), act.do, **facts)
    most = compute_max_combo_size(actor.speed, min(act.weapons, actor.weapons))
    if not 1 <= act.count <= most:
        expected, facts = f"1 to {most} quick actions", {"actor": actor.name, "most": most}
        found += build_rule_problems("combo.count", "mano.combo.count", expected, str(act.count), act.do, **facts)
    return found
