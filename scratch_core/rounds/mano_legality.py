"""Mano a Mano rounds, latest revision: what is legal, and which rule an act would break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from scratch_core.errors import Problem
from scratch_core.rounds.mano_records import ManoFighter, ManoState, combo_limit
from scratch_core.rounds.seated import Seated
from scratch_core.rounds.shape import Act
from scratch_core.turns import LEAVE, broken

STARTS = ("start-evading", "start-ready")
ON_TURN = ("active", "combo", "prepare-counter", "skip", "delay-turn")
ANSWERS = ("counter", "let-pass")
SIDES = {True: "after", False: "before"}


class ManoLegality(Seated[ManoState]):
    """What is legal, and which rules an act would break."""

    idle_rules: ClassVar[Mapping[str, str]] = {"before": "mano.start.first", "over": "mano.surprise.neither"}

    def names(self, state: ManoState) -> tuple[tuple[str, str], ...]:
        """Who may do what now: answer an attack, state an interrupted act again, or take a turn; or start in a way.

        Rules: `mano.turn.options`, `mano.counter.timing`, `mano.counter.rethink`, `mano.start.evade`,
        `mano.start.ready`, `mano.combo.healthy`, `mano.order.formation`.
        """
        if state.phase != "running":
            return ()
        if state.asked:
            return tuple((state.asked, do) for do in ANSWERS)
        actor = state.fighter(state.frames[-1].who if state.frames else state.active)
        closed = [] if actor.healthy else ["combo"]
        if not state.frames and not any(delays(state)):
            closed.append("delay-turn")
        turn = [(actor.id, do) for do in _in_turn(state, actor) if do not in closed]
        starters = () if state.frames else state.fighters
        starts = [(who.id, do) for who in starters for do in STARTS if not start_problems(state, who, do)]
        return (*turn, *starts)

    def wrong(self, state: ManoState, act: Act) -> list[Problem]:
        """Every rule that an act would break now; [] when it is legal."""
        if act.do == "surprise-rolls":
            return _stalking_problems(state, act)
        if act.do == "stun":
            found = _target_problems(state, act, needed=True)
            if act.points < 1:
                found.append(broken("mano.stun.recover", "1 stun or more", str(act.points), act.do))
            return found
        actor = state.fighter(act.actor)
        if actor.out:
            return [broken("mano.turn.per-round", "somebody who is still in the fight", actor.name, act.do)]
        if act.do == LEAVE:
            return [_waits(state, act.do)] if state.asked else []
        return _time_problems(state, act, actor) or _content_problems(state, act, actor)


def _in_turn(state: ManoState, actor: ManoFighter) -> tuple[str, ...]:
    """The acts of a turn; of one that was interrupted those that state its act again, of an owed one none but a skip.

    Rules: `mano.counter.rethink`, `mano.turn.options`, `mano.speed.half`.
    """
    if state.frames:
        return ("counter",) if state.frames[-1].is_counter else ("active", "combo")
    return ("skip",) if actor.owed else ON_TURN


def delays(state: ManoState) -> Iterator[tuple[str, bool]]:
    """The allies that the turn can be put next to, each with whether it comes after. Rule: `mano.order.formation`."""
    actor = state.fighter(state.active)
    allies = [each for each in state.fighters if each.side == actor.side and each.id != actor.id and not each.out]
    return ((ally.id, after) for ally in allies for after in (True, False) if new_order(state, ally.id, after))


def new_order(state: ManoState, ally: str, after: bool) -> tuple[str, ...]:
    """The order once the turn comes directly after an ally, or before it; () when that is not later in this round.

    Before the ally that opens the round is the end of the round. The new place is kept (ruling M13).
    Rule: `mano.order.formation`.
    """
    out = {each.id for each in state.fighters if each.out}
    present = [each for each in state.order if each not in out]
    rest = [each for each in present if each != state.active]
    place = present.index(state.active)
    if ally not in rest:
        return ()
    at = rest.index(ally) + (1 if after else 0)
    if not after and place and ally == present[0]:
        at = len(rest)
    return (*rest[:at], state.active, *rest[at:]) if at > place else ()


def quick_actions(actor: ManoFighter, weapons: int) -> int:
    """The most quick actions of a combo with so many weapons, 0 for the unhealthy. Rule: `mano.combo.healthy`."""
    return combo_limit(actor.speed, weapons) if actor.healthy else 0


# Which rule an act would break


def _stalking_problems(state: ManoState, act: Act) -> list[Problem]:
    """One or two stalkers, of different sides, once, before the fight.

    Rules: `mano.surprise.abilities`, `mano.surprise.two-rolls`.
    """
    if state.phase != "before" or state.stalkers:
        return [broken("mano.surprise.abilities", "an ambush before the fight, once", "another", act.do)]
    sides = {state.fighter(who).side for who, _ in act.stalkers}
    if not 1 <= len(act.stalkers) <= 2 or len(sides) < len(act.stalkers):
        got = ", ".join(who for who, _ in act.stalkers) or "nobody"
        return [broken("mano.surprise.two-rolls", "one stalker, or two of different sides", got, act.do)]
    return []


def _waits(state: ManoState, do: str) -> Problem:
    asked = state.fighter(state.asked).name
    return broken("mano.counter.timing", f"{asked} to counterattack or to let the attack pass", do, "the attack")


def _time_problems(state: ManoState, act: Act, actor: ManoFighter) -> list[Problem]:
    """Whether it is the moment of this act.

    Rules: `mano.turn.per-round`, `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`.
    """
    if state.asked:
        return [] if act.actor == state.asked and act.do in ANSWERS else [_waits(state, act.do)]
    if state.frames:
        who = state.fighter(state.frames[-1].who)
        dos = _in_turn(state, who)
        if act.actor != who.id or act.do not in dos:
            expected = f"{who.name}'s own act: {' or '.join(dos)}"
            return [broken("mano.counter.rethink", expected, f"{actor.name}, {act.do}", "the attack")]
        return []
    if act.do in ANSWERS:
        return [broken("mano.counter.wait", "an attack on somebody who is prepared", "none", act.do)]
    if act.do in STARTS:
        return start_problems(state, actor, act.do)
    if act.actor != state.active:
        expected = f"{state.fighter(state.active).name}, whose turn it is"
        rules = ("mano.order.seating", "mano.turn.per-round")
        return [broken(rule, expected, actor.name, "the order") for rule in rules]
    return []


def start_problems(state: ManoState, actor: ManoFighter, do: str) -> list[Problem]:
    """A start is for everybody once, before the own first turn, and not where somebody has surprise.

    Rules: `mano.start.evade`, `mano.start.ready`, `mano.surprise.one`.
    """
    if state.surprising:
        return [broken("mano.surprise.one", "a fight without surprise", f"{state.surprising}'s", do)]
    if actor.out or actor.begun or actor.started:
        rule = "mano.start.evade" if do == "start-evading" else "mano.start.ready"
        return [broken(rule, "one of the two, before the first turn", actor.name, do)]
    return []


def _content_problems(state: ManoState, act: Act, actor: ManoFighter) -> list[Problem]:
    """Whether the act itself is allowed; what is owed must be skipped.

    Rules: `mano.turn.options`, `mano.counter.rethink`, `mano.speed.quarter`, `mano.speed.half`.
    """
    found = []
    if actor.owed and act.do in ON_TURN and act.do != "skip" and not state.frames:  # ruling M04
        rule = "mano.speed.quarter" if actor.speed * 4 == 1 else "mano.speed.half"
        found.append(broken(rule, f"a skipped turn, {actor.owed} still owed", act.do, "the turn"))
    if act.do == "delay-turn":
        found += _place_problems(state, act)
    if act.do == "prepare-counter" and (act.move or act.target):
        found.append(broken("mano.counter.wait", "movement and action held back", "some of it used", act.do))
    if act.do in ("active", "combo", "counter"):
        found += _move_problems(state, act)
        found += _target_problems(state, act, needed=False)
        found += _count_problems(act, actor)
    return found


def _move_problems(state: ManoState, act: Act) -> list[Problem]:
    """One movement, and spaces only with it. Rules: `mano.counter.rethink`, `mano.turn.options`."""
    found = []
    again = state.frames[-1:]  # the interrupted act, if this one states it again
    if act.move and any(frame.moved for frame in again if frame.who == act.actor):
        found.append(broken("mano.counter.rethink", "no more movement", "movement", act.do))
    if act.spaces and not act.move:
        got = f"{act.spaces} spaces and no move"
        found.append(broken("mano.turn.options", "a move of so many spaces", got, act.do))
    return found


def _place_problems(state: ManoState, act: Act) -> list[Problem]:
    """A turn can only be put later in the round. Rule: `mano.order.formation`."""
    places = {(who, after): f"{SIDES[after]} {who}" for who, after in delays(state)}
    if (act.target, act.after) in places:
        return []
    later = ", ".join(places.values()) or "no ally's"
    got = f"{SIDES[act.after]} {act.target}" if act.target else "nobody"
    return [broken("mano.order.formation", f"a place later in this round: {later}", got, act.do)]


def _target_problems(state: ManoState, act: Act, *, needed: bool) -> list[Problem]:
    if act.target == act.actor and act.target and act.do != "stun":
        return [broken("mano.turn.options", "somebody else", act.target, act.do)]
    if (needed and not act.target) or (act.target and state.fighter(act.target).out):
        got = act.target or "nobody"
        return [broken("mano.turn.options", "somebody who is still in the fight", got, act.do)]
    return []


def _count_problems(act: Act, actor: ManoFighter) -> list[Problem]:
    """One action, or in a combo, which a counterattack may be, how many, with how many weapons, and for whom.

    Rules: `mano.turn.options`, `mano.combo.healthy`, `mano.combo.weapons`, `mano.combo.count`.
    """
    is_combo = act.do == "combo" or (act.do == "counter" and (act.count or act.weapons))
    if act.count and not is_combo:
        return [broken("mano.turn.options", "one action, or a combo", f"{act.count} actions", act.do)]
    if not is_combo:
        return []
    found = []
    if not actor.healthy:
        found.append(broken("mano.combo.healthy", "a healthy character, or one action only", actor.name, act.do))
    if not 1 <= act.weapons <= actor.weapons:
        expected = f"1 to {actor.weapons} weapons"
        found.append(broken("mano.combo.weapons", expected, str(act.weapons), act.do))
    most = combo_limit(actor.speed, min(act.weapons, actor.weapons))
    if not 1 <= act.count <= most:
        found.append(broken("mano.combo.count", f"1 to {most} quick actions", str(act.count), act.do))
    return found
