"""Mano a Mano, first revision: each hit point is in one of five pools, and ready points pay for actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from scratch_core.errors import Location, Problem, Problems, ScratchError, build_rule_problems
from scratch_core.figures import format_hit_points
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import (
    GAME_MASTER,
    LEAVE,
    Event,
    Field,
    Left,
    Narration,
    StatePath,
    TurnBegan,
    TurnEnded,
    build_other_turn_problems,
    build_out_of_fight_problems,
    build_target_not_in_fight_problems,
    conceal,
    narrate,
)
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, list_ids_with_longest_reach
from scratch_core.turn_systems.mano_old.narration import OldNarration
from scratch_core.turn_systems.mano_old.records import (
    DESTINATIONS,
    ELIGIBLE,
    LOST_FIRST,
    MAX_HP,
    POOLS,
    USES,
    OldFighter,
    OldState,
    PhaseBegan,
    PointsMoved,
    PointsSpent,
    Pool,
    Step,
)
from scratch_core.turn_systems.seats import SEATED_EFFECTS

STUN_FREED = 1
"""The points that leave stun in a turn. Rule: `mano-old.phase.stun`."""

_SUFFERED = (
    Field("target", "id", None, "who suffers it"),
    Field("points", "number", 1, "how many", 0, 1000, label="hit points"),
    Field("from", "choice", "", "out of which pool", choices=POOLS, attribute="source", label="from pool"),
)

CARDS = (
    GenericActionSpec(
        do="start-turn",
        title="starting a turn",
        rule="mano-old.phases",
        verb="Begin turn",
        effect="1 HP leaves stun, then you ready hit points",
        short="Begin",
    ),
    GenericActionSpec(
        do="ready",
        title="choosing what becomes ready",
        rule="mano-old.phase.ready.choice",
        verb="Ready hit points",
        effect="from these pools",
        fields=(Field("take", "pools", (), "what becomes ready, by pool", 0, MAX_HP, POOLS, label="made ready"),),
    ),
    GenericActionSpec(
        do="spend",
        title="spending ready points",
        rule="mano-old.phase.actions",
        verb="Spend",
        effect="ready hit points: choose what for, and the pool they go to",
        fields=(
            Field("points", "number", 1, "how many", 0, 1000, label="ready hit points"),
            Field("use", "choice", None, "what they buy", choices=tuple(USES), label="for"),
            Field("to", "choice", None, "where they go", choices=POOLS),
        ),
    ),
    GenericActionSpec(
        do="end-turn",
        title="ending a turn",
        rule="mano-old.turn.end",
        verb="End turn",
        effect="what is ready stays ready",
        short="End turn",
        ends_turn=True,
    ),
    GenericActionSpec(
        do="stun",
        title="stun",
        rule="mano-old.pools",
        verb="Stun",
        effect="hit points move to stun",
        is_fact=True,
        fields=_SUFFERED,
    ),
    GenericActionSpec(
        do="damage",
        title="damage",
        rule="mano-old.pools",
        verb="Damage",
        effect="hit points move to damage, permanently",
        is_fact=True,
        fields=_SUFFERED,
    ),
    GenericActionSpec(
        do=LEAVE,
        title="leaving the fight",
        rule="mano-old.round",
        verb="Remove from fight",
        effect="incapacitated or escaped",
        short="Remove",
        is_fact=True,
        by_name=True,
    ),
)
"""The actions of a turn's phases, and the table events, in the order of a page."""


class ManoOld(OldNarration):
    """The first revision of Mano a Mano, with pools of hit points (rulings K25, K28)."""

    name = "mano-old"
    title = "Mano a Mano, older pools"
    introduction = (
        "Turns go round the table, and hit points are in pools. Set how many hit points each character has and how "
        "many they ready in a round. This page moves the points between the pools. It doesn't roll attacks: you enter "
        "their results."
    )
    sample = "Ann: hp 6, hp/round 3, side red\nBo: hp 8, hp/round 2, reach 1, side blue"
    first_rule = "mano-old.initiative.reach"
    seating_rule = "mano-old.order.seating"
    idle_rules: ClassVar[Mapping[str, str]] = dict.fromkeys(("before", "over"), "mano-old.round")
    specs = CARDS
    setup_fields = (Field("ambush", "id", "", "who ambushed the others"),)
    character_fields = (
        Field("hp", "number", None, "hit points in all", 1, MAX_HP, rule="mano-old.pools"),
        Field("hp_round", "number", None, "the most points that phase 2 moves", 1, MAX_HP),
        Field("reach", "number", 0, "how far they reach", 0, 1000),
        Field("pools", "pools", (), "where the hit points lie; all in other when left out", 0, MAX_HP, POOLS),
    )
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "stun": (int, lambda state, who: who.stun),
        "damage": (int, lambda state, who: who.damage),
        "ready": (int, lambda state, who: who.ready),
        "defence": (int, lambda state, who: who.defence),
        "other": (int, lambda state, who: who.other),
        "hp": (int, lambda state, who: who.hp),
        "turns": (int, lambda state, who: who.turns),
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }
    state_paths: ClassVar[Mapping[str, StatePath]] = {"phase": (str, lambda system, state: state.step)}

    def build_initial_state(
        self, characters: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: RulingSettings
    ) -> OldState:
        """Build the state before the fight. Rule: `mano-old.pools`.

        Raises `ScratchError` if pools and hit points differ, with a problem for each such character.
        """
        problems = Problems()
        fighters = []
        for n, each in enumerate(characters):
            try:
                fighters.append(self.build_fighter_from_fields(each))
            except ScratchError as error:
                problems.append(error.problem.with_location(Location("characters", n) / error.problem.where))
        problems.raise_if_any()
        return OldState(fighters=tuple(fighters), ambush=head["ambush"])

    def build_fighter_from_fields(self, character: Mapping[str, Any]) -> OldFighter:
        """Build a fighter from the fields of a file. Rule: `mano-old.pools`.

        Raises `ScratchError` if pools and hit points differ.
        """
        hp, given = character["hp"], dict(character["pools"]) or {"other": character["hp"]}
        if sum(given.values()) != hp:
            got = str(sum(given.values()))
            raise ScratchError(Problem("scenario.value", f"{hp} points in all", got, "pools", "mano-old.pools"))
        pools = {pool: given.get(pool, 0) for pool in POOLS}
        rest = {key: value for key, value in character.items() if key not in ("hp", "pools")}
        return OldFighter(**rest, **pools)

    def list_first_candidate_ids(self, state: OldState) -> Sequence[str]:
        """List the fighters with equal claims to go first.

        They are an ambusher, else those with the longest reach. Rules: `mano-old.surprise`,
        `mano-old.initiative.reach`.
        """
        present = state.fighters_not_out
        return (state.ambush,) if state.ambush and present else list_ids_with_longest_reach(present)

    # Legal actions

    def list_legal_actor_action_pairs(self, state: OldState) -> tuple[tuple[str, str], ...]:
        """List the active fighter's actions in the current phase.

        Rules: `mano-old.phases`, `mano-old.phase.actions`, `mano-old.turn.end`.
        """
        if state.phase != "running":
            return ()
        return tuple((state.active, do) for do in _STEP_ACTIONS[state.step])

    def list_legal_actions_named(self, state: OldState, actor: str, do: str) -> Iterable[GenericAction]:
        """List the legal variants of an action: every choice of points.

        Rules: `mano-old.phase.ready.choice`, `mano-old.action.uses`.
        """
        who = state.fighter(actor)
        if do == "ready":
            least, most = max(0, who.hp_round - who.other), min(who.defence, who.hp_round)
            return [
                GenericAction(actor, do, take=build_points_by_pool(n, who.hp_round - n)) for n in range(least, most + 1)
            ]
        if do == "spend":
            points = range(1, who.ready + 1)
            return [
                GenericAction(actor, do, points=n, use=use, to=to)
                for n in points
                for use in USES
                for to in DESTINATIONS
            ]
        return [GenericAction(actor, do)]

    def action_problems(self, state: OldState, act: GenericAction) -> list[Problem]:
        """Return the rules that an action breaks.

        Rules: `mano-old.phases`, `mano-old.round`, `mano-old.order.seating`.
        """
        if act.do in ("stun", "damage"):
            return _point_loss_problems(state, act)
        actor = state.fighter(act.actor)
        if actor.out:
            return build_out_of_fight_problems("mano-old.round", actor.name, act.do)
        if act.do == LEAVE:
            return []
        if act.actor != state.active:
            rules = f"mano-old.order.seating mano-old.round{' mano-old.turn.end' if act.do == 'spend' else ''}"
            return build_other_turn_problems(rules, state.name_of(state.active), actor.name, "the order")
        if act.do not in _STEP_ACTIONS[state.step]:
            rule = "mano-old.phase.ready" if state.step == "ready" else "mano-old.phases"
            acts = " or ".join(self.action_titles[each] for each in _STEP_ACTIONS[state.step])
            return build_rule_problems("phase.another", rule, acts, act.do, "the turn", actor=actor.name, acts=acts)
        if act.do == "ready":
            return _ready_problems(act, actor)
        return _spend_problems(act, actor) if act.do == "spend" else []

    # Results of actions

    def resolve_action(self, state: OldState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
        """Return the events of a legal action and its sentences. Rule: `mano-old.turn.end`.

        A turn without ready points ends by itself.
        """
        events, sentences = _RESOLVERS[act.do](self, state, act)
        after = self.apply_events(state, events)
        if after.phase != "running" or after.active != state.active:
            return events, sentences
        who = after.fighter(after.active)
        if after.step == "ready" and who.eligible_points <= who.hp_round:
            events = (*events, *_build_ready_all_events(who))
            after = self.apply_events(state, events)
        if after.step == "actions" and not after.fighter(after.active).ready:
            return self.build_events_with_turn_end(state, events), sentences.with_part(
                conceal(GAME_MASTER, " Their turn is over.")
            )
        return events, sentences

    def build_events_with_turn_end(self, state: OldState, events_so_far: Sequence[Event]) -> tuple[Event, ...]:
        """Append the end of the turn and the beginning of the next.

        Rules: `mano-old.turn.end`, `mano-old.order.seating`.
        """
        return self.build_events_with_next_turn(state, (*events_so_far, TurnEnded(state.active)))


_STEP_ACTIONS: Mapping[Step, tuple[str, ...]] = {
    "start": ("start-turn",),
    "ready": ("ready",),
    "actions": ("spend", "end-turn"),
}
"""The actions that a turn allows in each step."""


def build_points_by_pool(defence: int, other: int) -> tuple[tuple[str, int], ...]:
    """Build the `take` of an action, omitting empty pools."""
    return tuple((pool, points) for pool, points in (("defence", defence), ("other", other)) if points)


# Rules that an action breaks


def _ready_problems(act: GenericAction, actor: OldFighter) -> list[Problem]:
    """Check that exactly HP/round points are readied (ruling M17), from eligible pools.

    Rules: `mano-old.phase.ready`, `mano-old.phase.ready.cap`, `mano-old.phase.ready.choice`.
    """
    take = _choose_points_to_ready(act, actor)
    if not set(take) <= set(ELIGIBLE):
        expected = "points out of defence or other"
        return build_rule_problems("ready.pools", "mano-old.phase.ready", expected, ", ".join(take), act.do)
    if sum(take.values()) != actor.hp_round:
        expected, got = f"{actor.hp_round} points", str(sum(take.values()))
        facts = {"actor": actor.name, "points": actor.hp_round}
        return build_rule_problems("ready.count", "mano-old.phase.ready.cap", expected, got, act.do, **facts)
    if take.get("defence", 0) > actor.defence or take.get("other", 0) > actor.other:
        expected = f"{actor.defence} at most out of defence, {actor.other} out of other"
        facts = {"actor": actor.name, "defence": actor.defence, "other": actor.other}
        return build_rule_problems(
            "ready.too-many", "mano-old.phase.ready.choice", expected, str(take), act.do, **facts
        )
    return []


def _choose_points_to_ready(act: GenericAction, actor: OldFighter) -> Mapping[str, int]:
    """Get the points to ready by pool. Rule: `mano-old.phase.ready.choice`.

    An action may omit them if only one pool has points.
    """
    single = [pool for pool in ELIGIBLE if actor.get_points(pool)]
    return {single[0]: actor.hp_round} if not act.take and len(single) == 1 else dict(act.take)


def _spend_problems(act: GenericAction, actor: OldFighter) -> list[Problem]:
    """Check the points to spend, their use and their destination.

    Rules: `mano-old.phase.actions`, `mano-old.action.uses`, `mano-old.action.destination`.
    """
    found = []
    if not 1 <= act.points <= actor.ready:
        expected, facts = f"1 to {actor.ready} ready points", {"actor": actor.name, "ready": actor.ready}
        found += build_rule_problems(
            "spend.points", "mano-old.phase.actions", expected, str(act.points), act.do, **facts
        )
    if act.to not in DESTINATIONS:
        rule, choices = "mano-old.action.destination", " or ".join(DESTINATIONS)
        found += build_rule_problems("spend.destination", rule, choices, act.to or "nowhere", act.do, choices=choices)
    if act.use not in USES:
        rule, choices = "mano-old.action.uses", ", ".join(USES)
        found += build_rule_problems("spend.use", rule, choices, act.use or "nothing", act.do, choices=choices)
    return found


def _point_loss_problems(state: OldState, act: GenericAction) -> list[Problem]:
    """Check that stun or damage comes from pools with enough points. Rule: `mano-old.pools`."""
    if not act.target or state.fighter(act.target).out:
        return build_target_not_in_fight_problems("mano-old.round", act.target, act.do)
    who = state.fighter(act.target)
    pools = [pool for pool in LOST_FIRST[act.do] if act.source in ("", pool)]
    most = sum(who.get_points(pool) for pool in pools)
    if not 1 <= act.points <= most:
        words = " and ".join(pools) or act.source
        expected, facts = f"1 to {most} points out of {words}", {"target": who.name, "most": most, "pools": words}
        return build_rule_problems("loss.points", "mano-old.pools", expected, str(act.points), act.do, **facts)
    return []


# Results, one function for each action


def _resolve_turn_start_phases(
    system: ManoOld, state: OldState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Free 1 point from stun, and ready the eligible points if there is no choice.

    Rules: `mano-old.phase.stun`, `mano-old.phase.ready`, `mano-old.phase.ready.cap`, `mano-old.phase.ready.choice`.
    """
    shaken = (PointsMoved(act.actor, "stun", "other", STUN_FREED),) if state.fighter(act.actor).stun else ()
    who = system.apply_events(state, shaken).fighter(act.actor)
    freed = "loses 1 stun" if shaken else "has no stun"
    if who.eligible_points > who.hp_round:
        readied = f"chooses {who.hp_round} of {who.eligible_points} HP to ready"
        return (*shaken, PhaseBegan("ready")), _narrate_turn_start(who, freed, readied)
    readied = f"readies {who.eligible_points} HP"
    return (*shaken, *_build_ready_all_events(who)), _narrate_turn_start(who, freed, readied)


def _narrate_turn_start(who: OldFighter, stun_phrase: str, ready_phrase: str) -> Narration:
    """Build the sentence about phases 1 and 2, whose numbers belong to the fighter."""
    return narrate(
        "{} {}.", who, conceal(who.id, "{} and {}", stun_phrase, ready_phrase, otherwise="begins their turn")
    )


def _build_ready_all_events(who: OldFighter) -> tuple[Event, ...]:
    """Build the events of phase 2 without a choice. Rule: `mano-old.phase.ready`."""
    moves = [PointsMoved(who.id, pool, "ready", who.get_points(pool)) for pool in ELIGIBLE if who.get_points(pool)]
    return (*moves, PhaseBegan("actions"))


def _resolve_ready(system: ManoOld, state: OldState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Ready the chosen points. Rules: `mano-old.phase.ready.choice`, `mano-old.phase.ready.cap`."""
    who = state.fighter(act.actor)
    take = _choose_points_to_ready(act, who)
    moves = [PointsMoved(act.actor, pool, "ready", take[pool]) for pool in ELIGIBLE if take.get(pool)]
    words = " and ".join(f"{format_hit_points(points)} from “{pool}”" for pool, points in take.items())
    return (*moves, PhaseBegan("actions")), narrate(
        "{} readies {}.", who, conceal(who.id, "{}", words, otherwise="hit points")
    )


def _resolve_spending(system: ManoOld, state: OldState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Spend ready points.

    Rules: `mano-old.phase.actions`, `mano-old.action.uses`, `mano-old.action.destination`.
    """
    to: Pool = "defence" if act.to == "defence" else "other"
    points, pool = conceal(act.actor, "{} ", act.points), conceal(act.actor, " (into “{}”)", act.to)
    sentences = narrate("{} spends {}ready HP {}{}.", state.fighter(act.actor), points, USES[act.use], pool)
    return (PointsSpent(act.actor, act.points, act.use, to),), sentences


def _resolve_turn_end(system: ManoOld, state: OldState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """End the turn on the player's wish. Ready points stay ready (ruling M20). Rule: `mano-old.turn.end`."""
    return system.build_events_with_turn_end(state, ()), narrate("{} ends their turn.", state.fighter(act.actor))


def _resolve_stun_or_damage(
    system: ManoOld, state: OldState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Move points into stun or damage. Rule: `mano-old.pools`.

    No point returns from damage by itself (ruling M18).
    """
    who, left = state.fighter(act.target), act.points
    moves: list[Event] = []
    for pool in LOST_FIRST[act.do]:
        points = min(left, who.get_points(pool)) if act.source in ("", pool) else 0
        if points:
            moves.append(PointsMoved(who.id, pool, "stun" if act.do == "stun" else "damage", points))
            left -= points
    return tuple(moves), narrate("{} takes {} {}.", who, act.points, act.do)


def _resolve_leaving(system: ManoOld, state: OldState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Remove a fighter from the fight. The next turn begins if the fighter was active."""
    events: tuple[Event, ...] = (Left(act.actor),)
    if act.actor == state.active:
        events = system.build_events_with_next_turn(state, events)
    return events, system.narrate_leaving(state, act)


_RESOLVERS: Mapping[str, Callable[[ManoOld, OldState, GenericAction], tuple[tuple[Event, ...], Narration]]] = {
    "start-turn": _resolve_turn_start_phases,
    "ready": _resolve_ready,
    "spend": _resolve_spending,
    "end-turn": _resolve_turn_end,
    "stun": _resolve_stun_or_damage,
    "damage": _resolve_stun_or_damage,
    LEAVE: _resolve_leaving,
}
"""The function that resolves each action."""


# Effects of events


_EFFECTS: Mapping[type[Event], Callable[[OldState, Any], OldState]] = {
    **SEATED_EFFECTS,
    PhaseBegan: lambda state, event: replace_fields(state, step=event.step),
    PointsMoved: lambda state, event: state.with_fighter(
        state.fighter(event.who).with_points_moved(event.source, event.to, event.points)
    ),
    PointsSpent: lambda state, event: state.with_fighter(
        state.fighter(event.who).with_points_moved("ready", event.to, event.points)
    ),
    TurnEnded: lambda state, event: state.with_changed_fighter(event.who, turns=state.fighter(event.who).turns + 1),
    TurnBegan: lambda state, event: replace_fields(state, round=event.round, place=event.place, step="start"),
}
"""The function that applies each event."""
ManoOld.effects = _EFFECTS
