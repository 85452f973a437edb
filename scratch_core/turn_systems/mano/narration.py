"""Mano a Mano, latest revision, in words: the status of a fighter, the prompt, and the turn order."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from scratch_core.turn_systems import FighterNumber, FighterStatus, Prompt, Reason, StatusEffect
from scratch_core.turn_systems.mano.records import EVADING_DEFENCE, ManoFighter, ManoState
from scratch_core.turn_systems.seats import SeatedTurnSystem

_QUARTERS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


class ManoNarration(SeatedTurnSystem[ManoState]):
    """The part of the turn system that writes what players read."""

    def build_status_as_if_present(self, state: ManoState, who: ManoFighter) -> FighterStatus:
        """Build a fighter's status. Rules: `mano.order.seating`, `mano.speed.half`, `mano.stun.recover`."""
        is_past = state.phase == "running" and who.id in state.order[: state.place]
        marks = {state.active: "their turn", state.possible_counterattacker: "must answer"}
        weapons = f", {who.weapons} weapons" if who.weapons > 1 else ""
        reach = f", reach {who.reach}" if who.reach else ""
        whole, rest = divmod(who.speed, 1)
        speed = f"{whole or ''}{_QUARTERS.get(rest, '')}" or "0"
        numbers = (
            FighterNumber("speed", speed, "mano.speed.half" if who.speed < 1 else "mano.combo.count"),
            FighterNumber("stun", str(who.stun), "mano.stun.recover", f"stun.{who.id}", who.stun),
            FighterNumber("must skip", str(who.owed), "mano.speed.quarter", f"owed.{who.id}", who.owed),
        )
        return FighterStatus(
            tuple(_list_status_effects(state, who)),
            numbers,
            mark=marks.get(who.id, ""),
            traits=f"speed {who.speed}{weapons}{reach}",
            is_done=is_past,
        )

    def build_running_prompt(self, state: ManoState) -> Prompt:
        """Build the prompt of a running fight.

        Rules: `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`, `mano.speed.half`.
        """
        if state.possible_counterattacker:
            waiting = state.frames[-1].waiting
            assert waiting is not None, "an attack waits"
            by, name = state.fighter(waiting.actor).name, state.fighter(state.possible_counterattacker).name
            question = f"{by} attacks {name}, who is prepared. Does {name} counterattack, or let it pass?"
            sentence = f"{by} attacks {name}. Does {name} counterattack?"
            words = f"answers first; it is {state.fighter(state.active).name}'s turn"
            return Prompt(state.possible_counterattacker, words, question, "mano.counter.timing", sentence)
        if state.frames:
            who = state.fighter(state.frames[-1].who)
            again = "may now change their action"
            words = again if who.id == state.active else f"'s turn; {who.name} {again}"
            return Prompt(who.id, words, "", "mano.counter.rethink", f"{who.name} {again}.")
        who = state.fighter(state.active)
        if not who.owed:
            return Prompt(who.id, "'s turn", "", "mano.turn.options", f"{who.name} is next.")
        turns = "this turn" if who.owed == 1 else f"the next {who.owed} turns"
        return Prompt(who.id, f"must skip {turns}", "", _get_skip_rule_id(who), f"{who.name} must skip {turns}.")

    def explain_first_fighter(self, state: ManoState, *, is_rolled: bool) -> tuple[Reason, ...]:
        """Explain why the first fighter goes first, and how an ambush ended.

        The reason is surprise, else the story, else the dice or the longest reach (ruling K25). Rules:
        `mano.surprise.one`, `mano.surprise.both`, `mano.start.first`, `mano.start.reach`.
        """
        if state.surpriser:
            return (Reason("surprises the others without being surprised", "mano.surprise.one"),)
        why = Reason("has the longest reach", "mano.start.reach")
        if len(state.first) == 1:
            why = Reason("strikes first in the story", "mano.start.first")
        elif is_rolled:
            why = Reason("highest roll", "mano.start.first")
        if len(state.stalkers) == 2:
            return why, Reason("both ambushes succeed, so they cancel out", "mano.surprise.both")
        return (why, Reason("the ambush fails", "mano.start.first")) if state.stalkers else (why,)


def _get_skip_rule_id(who: ManoFighter) -> str:
    """Return the id of the rule for the skips that a fighter owes."""
    return "mano.speed.quarter" if who.speed == Fraction(1, 4) else "mano.speed.half"


def _list_status_effects(state: ManoState, who: ManoFighter) -> Iterator[StatusEffect]:
    """Yield a fighter's status effects.

    Rules: `mano.stun.recover`, `mano.counter.lapse`, `mano.start.evade`, `mano.combo.healthy`.
    """
    if who.owed:
        yield StatusEffect(
            "must skip", f"{who.owed} turn{'' if who.owed == 1 else 's'} before acting again", _get_skip_rule_id(who)
        )
    if who.prepared == "turn":
        word = "counterattack prepared"
        yield StatusEffect(word, "until their next turn", "mano.counter.lapse", word)
    if who.prepared == "start":
        yield StatusEffect("counterattack prepared", "until their first turn", "mano.counter.lapse", "starts ready")
    frames = [frame for frame in state.frames if frame.who == who.id]
    if any(frame.waiting is not None for frame in frames):
        yield StatusEffect("attack pending", "", "mano.counter.timing", "attack pending")
    for frame in frames:
        if frame.moved or frame.walked:
            how = f"{frame.walked} space{'' if frame.walked == 1 else 's'} before their action"
            how = "before their action" if frame.moved else how
            yield StatusEffect("has moved", how, "mano.counter.rethink", "has moved")
    if who.evading:
        words = f"+{EVADING_DEFENCE} defence until their first turn"
        yield StatusEffect("evading", words, "mano.start.evade", f"Evading: +{EVADING_DEFENCE}")
    if who.stun:
        yield StatusEffect("stun", f"{who.stun}, 1 less after each of their turns", "mano.stun.recover")
    if not who.healthy:
        yield StatusEffect("not healthy", "no combos", "mano.combo.healthy", "not healthy")
