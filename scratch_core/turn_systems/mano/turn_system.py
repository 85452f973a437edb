"""Mano a Mano rounds, latest revision: turns clockwise, speeds, prepared counterattacks, combos, stun."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import LEAVE, Field, GmAction, InitiativeRoll, Reason, StatePath, TurnOrderEntry
from scratch_core.turn_systems.generic import Event, FightEnded, GenericAction, GenericActionSpec, list_longest_reach
from scratch_core.turn_systems.mano import legality
from scratch_core.turn_systems.mano.legality import ManoLegality
from scratch_core.turn_systems.mano.narration import ManoNarration
from scratch_core.turn_systems.mano.records import (
    EVADING_DEFENCE,
    Acted,
    AttackDeclared,
    CounterPrepared,
    CounterSprung,
    Frame,
    How,
    ManoFighter,
    ManoState,
    Stalked,
    Started,
    Stunned,
    StunRecovered,
    TurnDelayed,
    TurnEnded,
    count_required_skips,
)
from scratch_core.turn_systems.seating import Left, TurnBegan

AMBUSH = "surprise-rolls"
MAX_SPEED = 20
MAX_WEAPONS = 10

_TARGET = Field("target", "id", "", "the target")
STUN_RECOVERED = 1
"""Stun that goes at the end of a turn. Rule: `mano.stun.recover`."""

_MOVE = Field("move", "flag", False, "whether they move before they act", label="moves first")
_SPACES = Field(
    "spaces",
    "spaces",
    0,
    "how many spaces they walked; left out, all that they may",
    1,
    1000,
    label="spaces moved (blank = all)",
)
_WEAPONS = Field("weapons", "number", 1, "how many weapons the combo uses", 1, MAX_WEAPONS)

CARDS = (
    GenericActionSpec(
        do="active",
        title="a move and one action",
        rule="mano.turn.options",
        verb="Move and act",
        effect="one action",
        target_preposition="attack",
        fields=(_TARGET, _MOVE, _SPACES),
    ),
    GenericActionSpec(
        do="combo",
        title="a move and a combo",
        rule="mano.combo.count",
        verb="Move and combo",
        effect="several quick actions",
        target_preposition="attack",
        fields=(
            Field("count", "number", None, "quick actions", 0, 1000),
            *(_WEAPONS, _TARGET, _MOVE, _SPACES),
        ),
    ),
    GenericActionSpec(
        do="prepare-counter",
        title="preparing a counterattack",
        rule="mano.counter.wait",
        verb="Prepare a counterattack",
        effect="saves movement and action until their next turn",
        short="Prepare",
        fields=(_MOVE,),
    ),
    GenericActionSpec(
        do="skip",
        title="skipping a turn",
        rule="mano.speed.extra-skip",
        verb="Skip turn",
        effect="uses up one skip, if any is owed",
        short="Skip",
    ),
    GenericActionSpec(
        do="delay-turn",
        title="holding a turn back",
        rule="mano.order.formation",
        verb="Delay turn",
        effect="act right before or after an ally from now on",
        fields=(
            Field("target", "id", None, "the ally to act next to"),
            Field("after", "flag", True, "after it, or before it"),
        ),
    ),
    GenericActionSpec(
        do="counter",
        title="a counterattack",
        rule="mano.counter.timing",
        verb="Counterattack",
        effect="before the attack; uses up the preparation",
        is_answer=True,
        fields=(
            *(_TARGET, _MOVE, _SPACES),
            Field("count", "number", 0, "quick actions of a combo", 0, 1000),
            replace(_WEAPONS, default=0, low=0),
        ),
    ),
    GenericActionSpec(
        do="let-pass",
        title="letting an attack pass",
        rule="mano.counter.wait",
        verb="Let attack pass",
        effect="the attack happens; the preparation stays",
        short="Let pass",
        is_answer=True,
    ),
    GenericActionSpec(
        do="start-evading",
        title="starting by evading",
        rule="mano.start.evade",
        verb="Start evading",
        effect=f"+{EVADING_DEFENCE} to the defence until the first turn",
        is_start=True,
        by_name=True,
    ),
    GenericActionSpec(
        do="start-ready",
        title="starting ready",
        rule="mano.start.ready",
        verb="Start ready",
        effect="a counterattack before the first turn",
        is_start=True,
        by_name=True,
    ),
    GenericActionSpec(
        do=AMBUSH,
        title="the rolls of an ambush",
        rule="mano.surprise.two-rolls",
        is_fact=True,
        is_opening=True,
        fields=(Field("stalkers", "successes", None, "who stalks, and whether its roll succeeds"),),
    ),
    GenericActionSpec(
        do="stun",
        title="stun",
        rule="mano.stun.recover",
        verb="Stun",
        effect="one point ends with each turn",
        is_fact=True,
        fields=(
            Field("target", "id", None, "who is stunned"),
            Field("points", "number", 1, "how much", 0, 1000, label="points"),
        ),
    ),
    GenericActionSpec(
        do=LEAVE,
        title="leaving the fight",
        rule="mano.turn.per-round",
        verb="Remove from fight",
        effect="incapacitated or escaped",
        is_fact=True,
        by_name=True,
    ),
)
"""The acts of a turn, the answers to an attack, and what the table tells, in the order of a page."""


def _under_way(state: ManoState, who: ManoFighter) -> tuple[Frame, ...]:
    """The acts of someone that are not over."""
    return tuple(each for each in state.frames if each.who == who.id)


class Mano(ManoLegality, ManoNarration):
    """The latest revision of Mano a Mano rounds.

    No one's turn passes without an act of its own (ruling K25).
    """

    name = "mano"
    title = "Mano a Mano"
    introduction = (
        "Turns go round the table. Set each character's speed, weapons and side. This page says who may act, who has "
        "prepared a counterattack, and who has stun left. It doesn't roll attacks: you enter their results."
    )
    sample = "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: reach 1, side blue"
    specs = CARDS
    setup_fields = (Field("first", "ids", (), "who goes first by the circumstances, or who disputes it"),)
    character_fields = (
        Field("speed", "speed", "1", "turns and quick actions", high=MAX_SPEED),
        Field("stun", "number", 0, "stun at the start", 0, 1000),
        Field("healthy", "flag", True, "whether combos are open to them"),
        Field("weapons", "number", 1, "weapons at hand, bare hands being one", 1, MAX_WEAPONS),
        Field("reach", "number", 0, "how far their weapon reaches", 0, 1000),
    )
    begins_at_once = True
    first_rule = "mano.start.first"
    seating_rule = "mano.order.seating"
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "stun": (int, lambda state, who: who.stun),
        "owed": (int, lambda state, who: who.owed),
        "prepared": (bool, lambda state, who: bool(who.prepared)),
        "evading": (bool, lambda state, who: who.evading),
        "defence": (int, lambda state, who: EVADING_DEFENCE if who.evading else 0),
        "healthy": (bool, lambda state, who: who.healthy),
        "turns": (int, lambda state, who: who.turns),
        "combo": (list, lambda state, who: [legality.count_quick_actions(who, weapons) for weapons in (1, 2)]),
        "moved": (bool, lambda state, who: any(each.moved or each.walked for each in _under_way(state, who))),
        "walked": (int, lambda state, who: sum(each.walked for each in _under_way(state, who))),
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }
    state_paths: ClassVar[Mapping[str, StatePath]] = {"waiting": (str, lambda system, state: state.asked)}

    def build_initial_state(
        self, characters: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: RulingSettings
    ) -> ManoState:
        """The state before the fight. Rules: `mano.order.seating`, `mano.start.first`."""
        return ManoState(fighters=tuple(map(self.build_newcomer, characters)), first=tuple(head["first"]))

    def build_newcomer(self, character: Mapping[str, Any]) -> ManoFighter:
        """A fighter of the fields of a file."""
        return ManoFighter(**character)

    def is_waiting(self, state: ManoState) -> bool:
        """Whether an attack waits for someone prepared. Rules: `mano.counter.wait`, `mano.counter.timing`."""
        return bool(state.asked)

    def list_first_candidates(self, state: ManoState) -> Sequence[str]:
        """Whoever surprises, else the circumstances, else the longest reach; two who fail to stalk never meet.

        Rules: `mano.surprise.neither`, `mano.surprise.one`, `mano.surprise.both`, `mano.start.first`,
        `mano.start.reach`.
        """
        if _never_meet(state):
            return ()
        return (state.surprising,) if state.surprising else state.first or list_longest_reach(state.present)

    def explain_no_fight(self, state: ManoState) -> str:
        """Why there is no fight."""
        return (
            "Neither side finds the other: there is no fight."
            if _never_meet(state)
            else super().explain_no_fight(state)
        )

    def explain_order(
        self, state: ManoState, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """The order clockwise; none where two who stalk each other never meet. Rule: `mano.surprise.neither`."""
        if state.phase == "over":
            said = "Both ambushes fail: the sides miss each other, and there is no fight."
            return (), Reason(said, "mano.surprise.neither")
        return super().explain_order(state, rolls)

    def count_setup_steps(self, steps: Sequence[GenericAction | GmAction]) -> int:
        """The rolls of an ambush come first, and are the beginning. Rule: `mano.surprise.two-rolls`."""
        return int(bool(steps) and steps[0].do == AMBUSH)

    def fill_defaults(self, act: GenericAction) -> GenericAction:
        """A combo in a counterattack uses one weapon where nothing is said."""
        return replace(act, weapons=1) if act.do == "counter" and act.count and not act.weapons else act

    # What is legal

    def list_variants(self, state: ManoState, actor: str, do: str) -> Iterable[GenericAction]:
        """The legal acts of a name: targets in the order of the file, standing or moving, combos of every size."""
        if do == "delay-turn":
            return [GenericAction(actor, do, ally, after=after) for ally, after in legality.list_delay_places(state)]
        if do not in ("active", "combo", "counter"):
            return [GenericAction(actor, do)]
        who = state.fighter(actor)
        sizes = [(0, 0)] if do != "combo" else []
        if do != "active":
            most = {weapons: legality.count_quick_actions(who, weapons) for weapons in range(1, who.weapons + 1)}
            sizes += [(count, weapons) for weapons in most for count in range(1, most[weapons] + 1)]
        has_moved = any(each.moved for each in state.frames[-1:] if each.who == actor)
        moves = (False,) if has_moved else (False, True)
        targets = ("", *(each.id for each in state.present if each.id != actor))
        return [GenericAction(actor, do, target, move, *size) for target in targets for move in moves for size in sizes]

    # What comes of it

    def resolve_action(self, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
        """The events of a legal act, and a sentence."""
        return _OUTCOMES[act.do](self, state, act)

    def end_turn(self, state: ManoState, before: Sequence[Event], how: How) -> tuple[Event, ...]:
        """A turn ends, skipped ones too: 1 stun goes, the next begins (ruling M03). Rule: `mano.stun.recover`."""
        who = state.active
        has_stun = self.apply_events(state, before).fighter(who).stun > 0
        recovered = (StunRecovered(who),) if has_stun else ()
        return self.advance(state, (*before, TurnEnded(who, how), *recovered))


def _never_meet(state: ManoState) -> bool:
    """Rule: `mano.surprise.neither`."""
    return len(state.stalkers) == 2 and not any(success for _, success in state.stalkers)


# Outcomes, one for each act


def _attack(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """An act is carried out; an attack on someone prepared waits for its answer (rulings M14, M24).

    Rules: `mano.turn.options`, `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`.
    """
    events: list[Event] = []
    is_again = bool(state.frames) and state.frames[-1].who == act.actor
    if act.do == "counter" and not is_again:
        events.append(CounterSprung(act.actor))
    depth = len(state.frames) - is_again
    said = _said(system, state, act)
    target = state.fighter(act.target) if act.target else None
    if target and target.prepared:
        events.append(AttackDeclared(act, depth))
        return tuple(events), f"{said}. {target.name} is prepared and may counterattack first."
    return _carried_out(system, state, act, depth, events), f"{said}."


def _carried_out(
    system: Mano, state: ManoState, act: GenericAction, depth: int, events: Sequence[Event] = ()
) -> tuple[Event, ...]:
    """An act happens: at the bottom it was the turn, further up a counterattack. Rule: `mano.counter.order`."""
    done = (*events, Acted(act, depth))
    if depth:
        return done
    is_gone = state.fighter(state.active).out  # its turn is no one's any more; a counterattack has outlived it
    return system.advance(state, done) if is_gone else system.end_turn(state, done, "active")


def _said(system: Mano, state: ManoState, act: GenericAction) -> str:
    who = system.name_of(state, act.actor)
    spaces = "1 space" if act.spaces == 1 else f"{act.spaces} spaces"
    far = f" {spaces}" if act.spaces else ""
    moved = f"moves{far} and " if act.move else ""
    what = "counterattacks" if act.do == "counter" else "acts"
    if act.count:
        what += f" with a combo of {act.count}"
    if act.target:
        what = "attacks" if act.do == "active" else f"{what} against"
        what += f" {system.name_of(state, act.target)}"
    return f"{who} {moved}{what}"


def _let_pass(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """The attack happens as declared; whoever is prepared stays so. Rule: `mano.counter.wait`."""
    waiting = state.frames[-1].waiting
    assert waiting is not None, "an attack waits"
    name = system.name_of(state, act.actor)
    return _carried_out(
        system, state, waiting, len(state.frames) - 1
    ), f"{name} lets the attack pass and stays prepared."


def _delay(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """The turn comes later in the round, next to an ally's. Rule: `mano.order.formation`."""
    delayed = TurnDelayed(act.actor, legality.find_delayed_order(state, act.target, act.after))
    after = system.apply(state, delayed)
    began = TurnBegan(after.active, after.round, after.place)
    side = legality.SIDES[act.after]
    said = f"{system.name_of(state, act.actor)} now acts {side} {system.name_of(state, act.target)}."
    return (delayed, began), said


def _start(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """Rules: `mano.start.evade`, `mano.start.ready`."""
    is_evading = act.do == "start-evading"
    how = f"evading: +{EVADING_DEFENCE} defence" if is_evading else "ready to counterattack"
    return (Started(act.actor, is_evading),), f"{system.name_of(state, act.actor)} starts {how}."


def _stalk(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """Rules: `mano.surprise.abilities`, `mano.surprise.two-rolls`."""
    words = [f"{system.name_of(state, who)} {'succeeds' if well else 'fails'}" for who, well in act.stalkers]
    return (Stalked(act.stalkers),), f"Ambush: {', '.join(words)}."


def _leave(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], str]:
    """Someone is out; if the turn was its own and no counterattack is still to be made, the next one begins.

    Rules: `mano.counter.timing`, `mano.counter.order`.
    """
    events: tuple[Event, ...] = (Left(act.actor),)
    after = system.apply_events(state, events)
    is_idle = act.actor == state.active or after.fighter(state.active).out
    if (is_idle and not after.frames) or len(state.present) == 1:
        events = system.advance(state, events)
    return events, system.format_leaving(state, act)


_OUTCOMES: Mapping[str, Callable[[Mano, ManoState, GenericAction], tuple[tuple[Event, ...], str]]] = {
    **dict.fromkeys(("active", "combo", "counter"), _attack),
    "let-pass": _let_pass,
    "prepare-counter": lambda system, state, act: (
        system.end_turn(state, (CounterPrepared(act.actor),), "prepared"),
        f"{system.name_of(state, act.actor)} prepares a counterattack.",
    ),
    "skip": lambda system, state, act: (
        system.end_turn(state, (), "skipped"),
        f"{system.name_of(state, act.actor)} skips a turn.",
    ),
    "delay-turn": _delay,
    "start-evading": _start,
    "start-ready": _start,
    AMBUSH: _stalk,
    "stun": lambda system, state, act: (
        (Stunned(act.target, act.actor, act.points),),
        f"{system.name_of(state, act.target)} takes {act.points} stun.",
    ),
    LEAVE: _leave,
}
"""What comes of each act; a counterattack prepared holds movement and action back.

Rules: `mano.counter.wait`, `mano.speed.extra-skip`, `mano.speed.half`, `mano.speed.quarter`.
"""


# What events do


def _turn_began(state: ManoState, event: TurnBegan) -> ManoState:
    """A first turn ends the early evade; a counterattack that no one sprang lapses.

    Rules: `mano.start.evade`, `mano.start.ready`, `mano.counter.lapse`.
    """
    begun = replace(state.fighter(event.who), begun=True, evading=False, prepared="")
    return replace(state.with_fighter(begun), round=event.round, place=event.place, frames=())


def _turn_ended(state: ManoState, event: TurnEnded) -> ManoState:
    """After an active turn skips are owed; a skipped one pays, and skipping more does no harm (ruling M05).

    Rules: `mano.speed.quarter`, `mano.speed.half`, `mano.speed.extra-skip`.
    """
    who = state.fighter(event.who)
    owed = count_required_skips(who.speed) if event.how == "active" else max(0, who.owed - (event.how == "skipped"))
    return replace(state.with_fighter(replace(who, owed=owed, turns=who.turns + 1)), frames=())


def _sprung(state: ManoState, event: CounterSprung) -> ManoState:
    """One prepared on a turn makes that turn active (ruling M04); one ready from the start uses none (ruling M09).

    Rules: `mano.counter.order`, `mano.start.ready`, `mano.speed.half`, `mano.speed.quarter`.
    """
    who = state.fighter(event.who)
    owed = count_required_skips(who.speed) if who.prepared == "turn" else who.owed
    return state.with_fighter(replace(who, prepared="", owed=owed))


def _declared(state: ManoState, event: AttackDeclared) -> ManoState:
    """Movement is used, or so many spaces of it, and the rest waits.

    Rules: `mano.counter.timing`, `mano.counter.rethink`.
    """
    act, before = event.act, state.frames[event.depth : event.depth + 1]
    moved = (act.move and not act.spaces) or any(each.moved for each in before)
    walked = act.spaces + sum(each.walked for each in before)
    frame = Frame(act.actor, act.do == "counter", moved, act, walked)
    return replace(state, frames=(*state.frames[: event.depth], frame))


def _acted(state: ManoState, event: Acted) -> ManoState:
    """Whoever was interrupted may think again. Rule: `mano.counter.rethink`."""
    frames = state.frames[: event.depth]
    return replace(state, frames=(*frames[:-1], replace(frames[-1], waiting=None)) if frames else ())


def _left(state: ManoState, event: Left) -> ManoState:
    """Every act that it had under way is over; counterattacks that were sprung meanwhile stand.

    Whoever is on top then may think again. Rules: `mano.counter.timing`, `mano.counter.rethink`.
    """
    who = replace(state.fighter(event.who), out=True, prepared="", evading=False)
    frames = tuple(each for each in state.frames if each.who != event.who)
    if frames != state.frames and frames:
        frames = (*frames[:-1], replace(frames[-1], waiting=None))
    return replace(state.with_fighter(who), frames=frames)


def _delayed(state: ManoState, event: TurnDelayed) -> ManoState:
    """The new order holds from now on; those who are out sit at its end (ruling M13). Rule: `mano.order.formation`."""
    gone = tuple(each for each in state.order if each not in event.order)
    earlier = sum(each in event.order for each in state.order[: state.place])
    return replace(state, order=(*event.order, *gone), place=earlier)


_EFFECTS: Mapping[type[Event], Callable[[ManoState, Any], ManoState]] = {
    Stalked: lambda state, event: replace(state, stalkers=event.stalkers),
    FightEnded: lambda state, event: replace(state, phase="over", frames=()),
    TurnBegan: _turn_began,
    TurnEnded: _turn_ended,
    TurnDelayed: _delayed,
    StunRecovered: lambda state, event: state.with_fighter(
        replace(state.fighter(event.who), stun=state.fighter(event.who).stun - STUN_RECOVERED)
    ),
    Stunned: lambda state, event: state.with_fighter(
        replace(state.fighter(event.who), stun=state.fighter(event.who).stun + event.points)
    ),
    Started: lambda state, event: state.with_fighter(
        replace(
            state.fighter(event.who), evading=event.evading, prepared="" if event.evading else "start", started=True
        )
    ),
    CounterPrepared: lambda state, event: state.with_fighter(replace(state.fighter(event.who), prepared="turn")),
    CounterSprung: _sprung,
    AttackDeclared: _declared,
    Acted: _acted,
    Left: _left,
}

Mano.effects = _EFFECTS
