"""Mano a Mano, latest revision: clockwise turns, speeds, prepared counterattacks, combos and stun."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from scratch_core.record_copies import replace_fields
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import (
    GAME_MASTER,
    LEAVE,
    Event,
    Field,
    FightEnded,
    GmAction,
    InitiativeRoll,
    Left,
    Narration,
    Reason,
    StatePath,
    TurnBegan,
    TurnOrderEntry,
    conceal,
    narrate,
)
from scratch_core.turn_systems.generic import (
    GenericAction,
    GenericActionSpec,
    list_ids_with_longest_reach,
)
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
    TurnSpent,
    count_skips_after_active_turn,
)
from scratch_core.turn_systems.seats import SEATED_EFFECTS

AMBUSH = "surprise-rolls"
MAX_SPEED = 20
MAX_WEAPONS = 10

_TARGET = Field("target", "id", "", "the target")
STUN_RECOVERED = 1
"""The points of stun that a fighter recovers at the end of its turn. Rule: `mano.stun.recover`."""

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
            replace_fields(_WEAPONS, default=0, low=0),
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
        short="Remove",
        is_fact=True,
        by_name=True,
    ),
)
"""The actions of a turn, the answers to an attack, and the table events, in the order of a page."""


def _list_own_unresolved_actions(state: ManoState, actor: ManoFighter) -> tuple[Frame, ...]:
    """List a fighter's unresolved actions."""
    return tuple(each for each in state.frames if each.who == actor.id)


class Mano(ManoLegality, ManoNarration):
    """The latest revision of Mano a Mano.

    Every turn has an action of its own, if only a skip (ruling K25).
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
        Field("speed", "speed", Fraction(1), "turns and quick actions", high=MAX_SPEED),
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
        "combo": (list, lambda state, who: [legality.get_max_quick_actions(who, weapons) for weapons in (1, 2)]),
        "moved": (
            bool,
            lambda state, who: any(each.moved or each.walked for each in _list_own_unresolved_actions(state, who)),
        ),
        "walked": (int, lambda state, who: sum(each.walked for each in _list_own_unresolved_actions(state, who))),
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }
    state_paths: ClassVar[Mapping[str, StatePath]] = {
        "waiting": (str, lambda system, state: state.possible_counterattacker)
    }

    def build_initial_state(
        self, characters: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: RulingSettings
    ) -> ManoState:
        """Build the state before the fight. Rules: `mano.order.seating`, `mano.start.first`."""
        return ManoState(fighters=tuple(map(self.build_fighter_from_fields, characters)), first=tuple(head["first"]))

    def build_fighter_from_fields(self, character: Mapping[str, Any]) -> ManoFighter:
        """Build a fighter from the fields of a file."""
        return ManoFighter(**character)

    def list_first_candidate_ids(self, state: ManoState) -> Sequence[str]:
        """List the fighters with equal claims to go first.

        They are the fighter with surprise, else those named by the circumstances, else those with the longest reach.
        Empty if two ambushes fail, because the sides never meet. Rules: `mano.surprise.neither`, `mano.surprise.one`,
        `mano.surprise.both`, `mano.start.first`, `mano.start.reach`.
        """
        if _has_two_failed_ambushes(state):
            return ()
        return (
            (state.surpriser,)
            if state.surpriser
            else state.first or list_ids_with_longest_reach(state.fighters_not_out)
        )

    def build_no_fight_sentence(self, state: ManoState) -> str:
        """Explain in a sentence why there is no fight."""
        return (
            "Neither side finds the other: there is no fight."
            if _has_two_failed_ambushes(state)
            else super().build_no_fight_sentence(state)
        )

    def explain_turn_order(
        self, state: ManoState, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """Explain the clockwise order. Rule: `mano.surprise.neither`.

        Returns no entries if two ambushes fail, because the sides never meet.
        """
        if state.phase == "over":
            sentence = "Both ambushes fail: the sides miss each other, and there is no fight."
            return (), Reason(sentence, "mano.surprise.neither")
        return super().explain_turn_order(state, rolls)

    def count_setup_steps(self, steps: Sequence[GenericAction | GmAction]) -> int:
        """Count the rolls of an ambush, which begin the fight. Rule: `mano.surprise.two-rolls`."""
        return int(bool(steps) and steps[0].do == AMBUSH)

    def fill_defaults(self, act: GenericAction) -> GenericAction:
        """Fill in one weapon for a combo in a counterattack that names none."""
        return replace_fields(act, weapons=1) if act.do == "counter" and act.count and not act.weapons else act

    # Legal actions

    def list_legal_actions_named(self, state: ManoState, actor: str, do: str) -> Iterable[GenericAction]:
        """List the legal variants of an action: targets, with or without movement, combo sizes.

        Targets are in the order of the file.
        """
        if do == "delay-turn":
            return [GenericAction(actor, do, ally, after=after) for ally, after in legality.list_delay_places(state)]
        if do not in ("active", "combo", "counter"):
            return [GenericAction(actor, do)]
        who = state.fighter(actor)
        sizes = [(0, 0)] if do != "combo" else []
        if do != "active":
            most = {weapons: legality.get_max_quick_actions(who, weapons) for weapons in range(1, who.weapons + 1)}
            sizes += [(count, weapons) for weapons in most for count in range(1, most[weapons] + 1)]
        has_moved = any(each.moved for each in state.frames[-1:] if each.who == actor)
        moves = (False,) if has_moved else (False, True)
        targets = ("", *(each.id for each in state.fighters_not_out if each.id != actor))
        return [GenericAction(actor, do, target, move, *size) for target in targets for move in moves for size in sizes]

    # Results of actions

    def resolve_action(self, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
        """Return the events of a legal action and its sentences."""
        return _RESOLVERS[act.do](self, state, act)

    def build_events_with_turn_end(
        self, state: ManoState, events_so_far: Sequence[Event], turn_kind: How
    ) -> tuple[Event, ...]:
        """Append the end of the turn and the beginning of the next. Rule: `mano.stun.recover`.

        The active fighter recovers 1 stun, even in a skipped turn (ruling M03).
        """
        who = state.active
        has_stun = self.apply_events(state, events_so_far).fighter(who).stun > 0
        recovered = (StunRecovered(who),) if has_stun else ()
        return self.build_events_with_next_turn(state, (*events_so_far, TurnSpent(who, turn_kind), *recovered))


def _has_two_failed_ambushes(state: ManoState) -> bool:
    """Return whether two ambushes failed. Rule: `mano.surprise.neither`."""
    return len(state.stalkers) == 2 and not any(success for _, success in state.stalkers)


# Results, one function for each action


def _resolve_or_declare_action(
    system: Mano, state: ManoState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Resolve an action, or let an attack on a prepared target wait (rulings M14, M24).

    Rules: `mano.turn.options`, `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`.
    """
    events: list[Event] = []
    is_again = bool(state.frames) and state.frames[-1].who == act.actor
    if act.do == "counter" and not is_again:
        events.append(CounterSprung(act.actor))
    depth = len(state.frames) - is_again
    sentences = _narrate_action(state, act)
    target = state.fighter(act.target) if act.target else None
    if target and target.prepared:
        events.append(AttackDeclared(act, depth))
        prepared = narrate(" {} is prepared and may counterattack first.", target)
        return tuple(events), sentences.with_part(prepared)
    return _build_uninterrupted_action_events(system, state, act, depth, events), sentences


def _build_uninterrupted_action_events(
    system: Mano, state: ManoState, act: GenericAction, depth: int, events: Sequence[Event] = ()
) -> tuple[Event, ...]:
    """Build the events of an action that nothing interrupts. Rule: `mano.counter.order`.

    An action at depth 0 ends the turn. Any other is a counterattack.
    """
    done = (*events, Acted(act, depth))
    if depth:
        return done
    is_gone = state.fighter(state.active).out  # the active fighter left while a counterattack was unresolved
    return (
        system.build_events_with_next_turn(state, done)
        if is_gone
        else system.build_events_with_turn_end(state, done, "active")
    )


def _narrate_action(state: ManoState, act: GenericAction) -> Narration:
    """Build the sentence about what the actor does."""
    who = state.fighter(act.actor)
    spaces = "1 space" if act.spaces == 1 else f"{act.spaces} spaces"
    far = f" {spaces}" if act.spaces else ""
    moved = f"moves{far} and " if act.move else ""
    what = "counterattacks" if act.do == "counter" else "acts"
    if act.count:
        combo = f"a combo of {act.count} action{'' if act.count == 1 else 's'}"
        what = f"counterattacks with {combo}" if act.do == "counter" else f"uses {combo}"
    if act.target:
        what = "attacks" if act.do == "active" else f"{what} against"
        return narrate("{} {}{} {}.", who, moved, what, state.fighter(act.target))
    return narrate("{} {}{}.", who, moved, what)


def _resolve_uncountered_attack(
    system: Mano, state: ManoState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Resolve the waiting attack as declared. The target stays prepared. Rule: `mano.counter.wait`."""
    waiting = state.frames[-1].waiting
    assert waiting is not None, "an attack waits"
    return _build_uninterrupted_action_events(system, state, waiting, len(state.frames) - 1), narrate(
        "{} lets the attack pass and stays prepared.", state.fighter(act.actor)
    )


def _resolve_turn_delay(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Move the turn next to an ally's, later in the round. Rule: `mano.order.formation`."""
    delayed = TurnDelayed(act.actor, legality.build_delayed_order_if_later(state, act.target, act.after))
    after = system.apply_events(state, (delayed,))
    began = TurnBegan(after.active, after.round, after.place)
    side = legality.SIDES[act.after]
    who, ally = state.fighter(act.actor), state.fighter(act.target)
    return (delayed, began), narrate("{} now acts {} {}.", who, side, ally)


def _resolve_evading_or_ready_start(
    system: Mano, state: ManoState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Start evading or ready. Rules: `mano.start.evade`, `mano.start.ready`."""
    is_evading = act.do == "start-evading"
    gain = conceal(act.actor, ": +{} defence", EVADING_DEFENCE)
    how = narrate("evading{}", gain) if is_evading else "ready to counterattack"
    return (Started(act.actor, is_evading),), narrate("{} starts {}.", state.fighter(act.actor), how)


def _resolve_ambush_rolls(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Record the rolls of an ambush. Rules: `mano.surprise.abilities`, `mano.surprise.two-rolls`."""
    words = [f"{state.name_of(who)} {'succeeds' if well else 'fails'}" for who, well in act.stalkers]
    return (Stalked(act.stalkers),), conceal(GAME_MASTER, "Ambush: {}.", ", ".join(words))


def _resolve_leaving(system: Mano, state: ManoState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Remove a fighter from the fight.

    The next turn begins if the active fighter is out and no counterattack is unresolved. Rules: `mano.counter.timing`,
    `mano.counter.order`.
    """
    events: tuple[Event, ...] = (Left(act.actor),)
    after = system.apply_events(state, events)
    is_idle = act.actor == state.active or after.fighter(state.active).out
    if (is_idle and not after.frames) or len(state.fighters_not_out) == 1:
        events = system.build_events_with_next_turn(state, events)
    return events, system.narrate_leaving(state, act)


_RESOLVERS: Mapping[str, Callable[[Mano, ManoState, GenericAction], tuple[tuple[Event, ...], Narration]]] = {
    **dict.fromkeys(("active", "combo", "counter"), _resolve_or_declare_action),
    "let-pass": _resolve_uncountered_attack,
    "prepare-counter": lambda system, state, act: (
        system.build_events_with_turn_end(state, (CounterPrepared(act.actor),), "prepared"),
        narrate("{} prepares a counterattack.", state.fighter(act.actor)),
    ),
    "skip": lambda system, state, act: (
        system.build_events_with_turn_end(state, (), "skipped"),
        narrate("{} skips a turn.", state.fighter(act.actor)),
    ),
    "delay-turn": _resolve_turn_delay,
    "start-evading": _resolve_evading_or_ready_start,
    "start-ready": _resolve_evading_or_ready_start,
    AMBUSH: _resolve_ambush_rolls,
    "stun": lambda system, state, act: (
        (Stunned(act.target, act.actor, act.points),),
        narrate("{} takes {} stun.", state.fighter(act.target), act.points),
    ),
    LEAVE: _resolve_leaving,
}
"""The function that resolves each action. Preparing a counterattack uses up movement and action.

Rules: `mano.counter.wait`, `mano.speed.extra-skip`, `mano.speed.half`, `mano.speed.quarter`.
"""


# Effects of events


def _apply_turn_start(state: ManoState, event: TurnBegan) -> ManoState:
    """Begin a turn, which ends an evade and an unused counterattack of its fighter.

    Rules: `mano.start.evade`, `mano.start.ready`, `mano.counter.lapse`.
    """
    begun = replace_fields(state.fighter(event.who), begun=True, evading=False, prepared="")
    return replace_fields(state.with_fighter(begun), round=event.round, place=event.place, frames=())


def _apply_turn_end(state: ManoState, event: TurnSpent) -> ManoState:
    """Add the skips owed after an active turn, or deduct a skipped one.

    Skipping more turns than owed has no effect (ruling M05). Rules: `mano.speed.quarter`, `mano.speed.half`,
    `mano.speed.extra-skip`.
    """
    who = state.fighter(event.who)
    owed = (
        count_skips_after_active_turn(who.speed)
        if event.how == "active"
        else max(0, who.owed - (event.how == "skipped"))
    )
    return replace_fields(state.with_fighter(replace_fields(who, owed=owed, turns=who.turns + 1)), frames=())


def _apply_prepared_counter_use(state: ManoState, event: CounterSprung) -> ManoState:
    """Use up a prepared counterattack.

    If it was prepared in a turn, that turn counts as active (ruling M04). If the fighter started ready, it uses no turn
    (ruling M09). Rules: `mano.counter.order`, `mano.start.ready`, `mano.speed.half`, `mano.speed.quarter`.
    """
    who = state.fighter(event.who)
    owed = count_skips_after_active_turn(who.speed) if who.prepared == "turn" else who.owed
    return state.with_fighter(replace_fields(who, prepared="", owed=owed))


def _apply_attack(state: ManoState, event: AttackDeclared) -> ManoState:
    """Add a waiting attack, and use up its movement or the spaces it names.

    Rules: `mano.counter.timing`, `mano.counter.rethink`.
    """
    act, before = event.act, state.frames[event.depth : event.depth + 1]
    moved = (act.move and not act.spaces) or any(each.moved for each in before)
    walked = act.spaces + sum(each.walked for each in before)
    frame = Frame(act.actor, act.do == "counter", moved, act, walked)
    return replace_fields(state, frames=(*state.frames[: event.depth], frame))


def _remove_resolved_action(state: ManoState, event: Acted) -> ManoState:
    """Remove the resolved action. The interrupted fighter may restate its action. Rule: `mano.counter.rethink`."""
    frames = state.frames[: event.depth]
    return replace_fields(state, frames=(*frames[:-1], replace_fields(frames[-1], waiting=None)) if frames else ())


def _apply_leaving(state: ManoState, event: Left) -> ManoState:
    """Remove a fighter's unresolved actions. Counterattacks against them remain.

    The innermost remaining actor may then restate its action. Rules: `mano.counter.timing`, `mano.counter.rethink`.
    """
    who = replace_fields(state.fighter(event.who), out=True, prepared="", evading=False)
    frames = tuple(each for each in state.frames if each.who != event.who)
    if frames != state.frames and frames:
        frames = (*frames[:-1], replace_fields(frames[-1], waiting=None))
    return replace_fields(state.with_fighter(who), frames=frames)


def _apply_delay(state: ManoState, event: TurnDelayed) -> ManoState:
    """Set the new order, followed by those who are out (ruling M13). Rule: `mano.order.formation`."""
    gone = tuple(each for each in state.order if each not in event.order)
    earlier = sum(each in event.order for each in state.order[: state.place])
    return replace_fields(state, order=(*event.order, *gone), place=earlier)


_EFFECTS: Mapping[type[Event], Callable[[ManoState, Any], ManoState]] = {
    **SEATED_EFFECTS,
    Stalked: lambda state, event: replace_fields(state, stalkers=event.stalkers),
    FightEnded: lambda state, event: replace_fields(state, phase="over", frames=()),
    TurnBegan: _apply_turn_start,
    TurnSpent: _apply_turn_end,
    TurnDelayed: _apply_delay,
    StunRecovered: lambda state, event: state.with_changed_fighter(
        event.who, stun=state.fighter(event.who).stun - STUN_RECOVERED
    ),
    Stunned: lambda state, event: state.with_changed_fighter(
        event.who, stun=state.fighter(event.who).stun + event.points
    ),
    Started: lambda state, event: state.with_changed_fighter(
        event.who, evading=event.evading, prepared="" if event.evading else "start", started=True
    ),
    CounterPrepared: lambda state, event: state.with_changed_fighter(event.who, prepared="turn"),
    CounterSprung: _apply_prepared_counter_use,
    AttackDeclared: _apply_attack,
    Acted: _remove_resolved_action,
    Left: _apply_leaving,
}
"""The function that applies each event."""

Mano.effects = _EFFECTS
