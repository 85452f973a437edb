"""What readers see of an encounter: each fighter's status, the turn order and the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from scratch_core.board import format_space
from scratch_core.encounter.actions import ACTION_TITLES, compute_agility, compute_intelligence, compute_strength
from scratch_core.encounter.engine import plan_events_until_turn_start
from scratch_core.encounter.state import GM_CAUSE, Delay, EncounterState, Fighter, PendingAction
from scratch_core.errors import join_words
from scratch_core.rulebook.actions import BLAST, DISTRACT, HOLD, KNOCKOUT, RULES_BY_CAUSE, SHOOT
from scratch_core.turn_systems import FighterStatus, Prompt, Reason, StatusEffect, TurnOrderEntry

CAUSES = {
    HOLD.cause: "held by",
    DISTRACT.cause: "distracted by",
    SHOOT.cause: "by their own shot",
    BLAST.cause: "by their own blast",
    KNOCKOUT.cause: "by their own knockout",
    GM_CAUSE: "by the game master",
}
"""The words for each cause of a delay."""


def build_status(state: EncounterState, who: str) -> FighterStatus:
    """Build the status of a fighter: its health, its conditions and its defences. Rule: `turn.member-turn`."""
    fighter, is_active = state.fighter(who), who == state.turn_owner
    figures = (compute_agility(fighter), compute_intelligence(fighter), compute_strength(fighter))
    health = fighter.health
    return FighterStatus(
        tuple(_list_status_effects(state, fighter, is_active)),
        figures=figures,
        mark="their turn" if is_active else "",
        hp=fighter.hp,
        max_hp=fighter.numbers.max_hp,
        stamina=fighter.numbers.stamina,
        health=health,
        condition=_format_presence_or_health(fighter, health),
        is_out=fighter.is_out,
    )


def _format_presence_or_health(fighter: Fighter, health: str) -> str:
    """Return the word for a fighter's state. Rules: `hp.healthy`, `grid.escape.exit`."""
    if fighter.escaped:
        return "escaped"
    return "removed" if fighter.is_away else health


def _list_status_effects(state: EncounterState, fighter: Fighter, is_active: bool) -> Iterator[StatusEffect]:
    """Yield the status effects of a fighter, with their duration. Rules: `act.cover.effect`, `flying.immunity`."""
    yield from _list_condition_effects(state, fighter, is_active)
    yield from _list_evade_and_engage_effects(fighter, is_active)
    if fighter.in_cover:
        words = "+2 agility, −2 on their rolls, until they leave it"
        yield StatusEffect("in cover", words, "act.cover.effect", "in cover")
    if fighter.is_flying_out_of_reach:
        words = "only flyers with room to fly can reach them with close attacks, until their next turn"
        yield StatusEffect("in the air", words, "flying.immunity", "out of reach")
    frequency = "once per encounter" if state.rulings.unrepeatable_scope == "actor" else "once per target"
    for do in dict.fromkeys(do for do, _ in fighter.used):
        yield StatusEffect(f"{do} used", frequency, "act.unrepeatable")
    for crafted in fighter.character.bonuses:
        yield StatusEffect(f"+1 {crafted.ability}", "crafted", "craft.bonus")
    if fighter.escaped:
        yield StatusEffect("escaped", "", "act.escape.effect", "escaped")
    if fighter.gone:
        yield StatusEffect("removed from the fight", "", "turn.encounter", "removed")


def _list_condition_effects(state: EncounterState, fighter: Fighter, is_active: bool) -> Iterator[StatusEffect]:
    """Yield delays, panic, immobility and the ban on escaping.

    Rules: `cond.delayed.expiry`, `cond.panicked.expiry`, `grid.hold.immobilize`, `grid.interrupt.escape-ban`.
    """

    def end_of(until: int) -> str:
        is_this = is_active and until <= fighter.turn
        return f"until the end of {'this turn' if is_this else 'their next turn'}"

    for delay in fighter.delays:
        rule, words = RULES_BY_CAUSE.get(delay.cause, "cond.delayed"), describe_delay_cause(state, delay)
        yield StatusEffect("delayed", f"{words}, {end_of(delay.until)}", rule, f"delayed: {delay.cause}")
    if fighter.is_panicked:
        words = f"must evade or escape, {end_of(fighter.panicked_until)}"
        yield StatusEffect("panicked", words, "cond.panicked", "panicked")
    if fighter.is_immobilized:
        words = f"can't move, {end_of(fighter.immobilized_until)}"
        yield StatusEffect("immobilized", words, "grid.hold.immobilize", "immobilized")
    if fighter.escape_banned_until:
        words = f"interrupted, {end_of(fighter.escape_banned_until)}"
        yield StatusEffect("no escape", words, "grid.interrupt.escape-ban", "can't escape yet")


def describe_delay_cause(state: EncounterState, delay: Delay) -> str:
    """Describe the cause of a delay: `held by Gorm`."""
    cause = CAUSES[delay.cause]
    return f"{cause} {state.fighter(delay.by).name}" if cause.endswith(" by") else cause


def _list_evade_and_engage_effects(fighter: Fighter, is_active: bool) -> Iterator[StatusEffect]:
    """Yield the effects of evading and engaging.

    Rules: `act.evade`, `act.evade.end`, `act.escape`, `act.engage`, `act.engage.penalty`.
    """
    if fighter.evading is not None:
        bonus = f"+{fighter.evading.bonus} agility and strength" if fighter.evading.bonus else "no bonus"
        end = "the end of their next turn" if fighter.evading.until > fighter.turn else "their next turn"
        end = "the end of this turn" if is_active and fighter.evading.until == fighter.turn else end
        yield StatusEffect("evading", f"{bonus}, until {end} or until they are held", "act.evade", "evading")
    if fighter.evaded_last_turn and is_active:
        yield StatusEffect("can escape", "this turn, after their evade", "act.escape")
    if fighter.engaged:
        yield StatusEffect("engaging", "+2 on close attacks, this turn", "act.engage", "engaged")
    if fighter.engage_penalty:
        short = "" if fighter.engaged else "−2 agility after engaging"
        yield StatusEffect("−2 agility", "after engaging, until their next turn", "act.engage.penalty", short)


def list_turn_order_entries(state: EncounterState) -> tuple[TurnOrderEntry, ...]:
    """List the groups in turn order, with the reasons.

    Rules: `turn.order`, `turn.tie`, `turn.group`, `turn.member-order`.
    """
    entries = []
    for number, initiative in enumerate(state.initiative, 1):
        names = tuple(who.name for who in state.list_members(initiative.group))
        reasons = [Reason("the highest initiative" if number == 1 else "the next highest", "turn.order")]
        if initiative.ties:
            faces = ", then ".join(map(str, initiative.ties))
            words = "the tie-break rolls are" if initiative.ties[1:] else "the tie-break roll is"
            reasons.append(Reason(f"tied; {words} {faces}", "turn.tie"))
        if len(names) > 1:
            reasons.append(Reason("one roll for the group; its members act in any order", "turn.member-order"))
            entries.append(
                TurnOrderEntry(
                    number,
                    state.group_name(initiative.group),
                    initiative.figure,
                    initiative.ties,
                    tuple(reasons),
                    names,
                )
            )
        else:
            entries.append(TurnOrderEntry(number, names[0], initiative.figure, initiative.ties, tuple(reasons)))
    return tuple(entries)


def list_current_or_next_actors(state: EncounterState) -> tuple[str, ...]:
    """List the fighter whose turn it is, or those whose turn may begin.

    Between turns the candidates are in turn order. Rules: `turn.order`, `turn.member-order`.
    """
    if state.phase != "running":
        return ()
    if not state.turn_over:
        return (state.active,)
    able = [each.id for each in state.fighters if not each.is_out]
    candidates = [each for each in able if not plan_events_until_turn_start(state, each).problems]
    order = state.turn_order[state.place :] + state.turn_order[: state.place]
    places = {group: place for place, group in enumerate(order)}
    acted = {each for each in state.acted if state.fighter(each).group == order[0]}
    return tuple(
        sorted(candidates, key=lambda each: len(order) if each in acted else places[state.fighter(each).group])
    )


def build_prompt(state: EncounterState) -> Prompt | None:
    """Build the prompt: whose turn it is, or the question of a pending action.

    Between turns it names the first fighter whose turn may begin. Returns None if no fighter can act.
    Rules: `turn.order`, `act.fighting.double`, `grid.interrupt.what`.
    """
    if state.pending_action is not None:
        return Prompt(
            state.pending_action.who,
            "'s turn",
            _describe_pending_action(state, state.pending_action),
            "grid.interrupt.what",
        )
    candidates = list_current_or_next_actors(state)
    if not candidates:
        return None
    if state.ledger.opened and not state.turn_over:
        return Prompt(candidates[0], "has a second attack", "", "act.fighting.double")
    return Prompt(candidates[0], "'s turn", "", "turn.order")


def _describe_pending_action(state: EncounterState, pending: PendingAction) -> str:
    name = state.fighter(pending.who).name
    if pending.is_move:
        verb = "is on the way" if pending.walked else "starts moving"
        return f"{name} {verb} to {format_space(pending.path[-1])}"
    words = f"{name} is about to act: {ACTION_TITLES[pending.do]}"
    if pending.space:
        return f"{words} at {format_space(pending.space)}"
    names = list(dict.fromkeys(state.fighter(each).name for each in pending.targets))
    return f"{words} at {join_words(names)}" if names else words
