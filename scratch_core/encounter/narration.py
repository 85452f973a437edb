"""An encounter in words: how someone stands and until when, and whose move it is."""

from __future__ import annotations

from collections.abc import Iterator

from scratch_core.board import place
from scratch_core.encounter.actions import TITLES, agility, intelligence, strength
from scratch_core.encounter.engine import entering
from scratch_core.encounter.state import BY_HAND, Exposure, Fighter, State
from scratch_core.errors import listed
from scratch_core.rulebook.actions import BLAST, CARDS, DISTRACT, HOLD, KNOCKOUT, SHOOT
from scratch_core.turn_systems import Due, Lasting, Place, Reason, Standing

CAUSES = {
    HOLD.cause: "held by",
    DISTRACT.cause: "distracted by",
    SHOOT.cause: "by their own shot",
    BLAST.cause: "by their own blast",
    KNOCKOUT.cause: "by their own knockout",
    BY_HAND: "by the game master",
}
"""Why someone is delayed, in words."""

_CAUSE_RULES = {card.cause: card.cause_rule for card in CARDS.values() if card.cause}


def standing(state: State, who: Fighter) -> Standing:
    """How someone stands: what lasts, and the three defences. Rule: `turn.member-turn`."""
    is_on = who.id == state.active and not state.turn_over
    figures = (agility(who), intelligence(who), strength(who))
    health = who.condition
    return Standing(
        tuple(_lasting(state, who, is_on)),
        figures=figures,
        mark="their turn" if is_on else "",
        hp=who.hp,
        most=who.numbers.max_hp,
        stamina=who.numbers.stamina,
        health=health,
        condition=_condition(who, health),
        is_out=who.is_down or who.is_away,
    )


def _condition(who: Fighter, health: str) -> str:
    """A word for how someone of this health is. Rules: `hp.healthy`, `grid.escape.exit`."""
    if who.escaped:
        return "escaped"
    return "removed" if who.is_away else health


def _lasting(state: State, who: Fighter, is_on: bool) -> Iterator[Lasting]:
    """What lasts, and until when. Rules: `act.cover.effect`, `flying.immunity`."""
    yield from _conditions(state, who, is_on)
    yield from _evading(who, is_on)
    if who.in_cover:
        words = "+2 agility, −2 on their rolls, until they leave it"
        yield Lasting("in cover", words, "act.cover.effect", "in cover")
    if who.is_out_of_reach:
        words = "only flyers with room to fly can reach them with close attacks, until their next turn"
        yield Lasting("in the air", words, "flying.immunity", "out of reach")
    for do in dict.fromkeys(do for do, _ in who.used):
        yield Lasting(f"{do} used", "once per encounter", "act.unrepeatable")
    for crafted in who.character.bonuses:
        yield Lasting(f"+1 {crafted.ability}", "crafted", "craft.bonus")
    if who.escaped:
        yield Lasting("escaped", "", "act.escape.effect", "escaped")
    if who.gone:
        yield Lasting("removed from the fight", "", "turn.encounter", "removed")


def _conditions(state: State, who: Fighter, is_on: bool) -> Iterator[Lasting]:
    """Rules: `cond.delayed.expiry`, `cond.panicked.expiry`, `grid.hold.immobilize`, `grid.interrupt.escape-ban`."""

    def end_of(until: int) -> str:
        is_this = is_on and until <= who.turn
        return f"until the end of {'this turn' if is_this else 'their next turn'}"

    for delay in who.delays:
        cause, rule = CAUSES[delay.cause], _CAUSE_RULES.get(delay.cause, "cond.delayed")
        by = f"{cause} {state.fighter(delay.by).name}" if cause.endswith(" by") else cause
        yield Lasting("delayed", f"{by}, {end_of(delay.until)}", rule, f"delayed: {delay.cause}")
    if who.is_panicked:
        words = f"must evade or escape, {end_of(who.panicked_until)}"
        yield Lasting("panicked", words, "cond.panicked", "panicked")
    if who.is_immobilized:
        words = f"can't move, {end_of(who.immobilized_until)}"
        yield Lasting("immobilized", words, "grid.hold.immobilize", "immobilized")
    if who.escape_banned_until:
        words = f"interrupted, {end_of(who.escape_banned_until)}"
        yield Lasting("no escape", words, "grid.interrupt.escape-ban", "can't escape yet")


def _evading(who: Fighter, is_on: bool) -> Iterator[Lasting]:
    """Rules: `act.evade`, `act.evade.end`, `act.escape`, `act.engage`, `act.engage.penalty`."""
    if who.evading is not None:
        bonus = f"+{who.evading.bonus} agility and strength" if who.evading.bonus else "no bonus"
        lasts = "the end of their next turn" if who.evading.until > who.turn else "their next turn"
        lasts = "the end of this turn" if is_on and who.evading.until == who.turn else lasts
        yield Lasting("evading", f"{bonus}, until {lasts} or until they are held", "act.evade", "evading")
    if who.evaded_last_turn and is_on:
        yield Lasting("can escape", "this turn, after their evade", "act.escape")
    if who.engaged:
        yield Lasting("engaging", "+2 on close attacks, this turn", "act.engage", "engaged")
    if who.engage_penalty:
        short = "" if who.engaged else "−2 agility after engaging"
        yield Lasting("−2 agility", "after engaging, until their next turn", "act.engage.penalty", short)


def places(state: State) -> tuple[Place, ...]:
    """The groups by their totals, and why. Rules: `turn.order`, `turn.tie`, `turn.group`, `turn.member-order`."""
    found = []
    for n, each in enumerate(state.initiative, 1):
        names = tuple(who.name for who in state.members(each.group))
        reasons = [Reason("the highest initiative" if n == 1 else "the next highest", "turn.order")]
        if each.ties:
            faces = ", then ".join(map(str, each.ties))
            words = "the tie-break rolls are" if each.ties[1:] else "the tie-break roll is"
            reasons.append(Reason(f"tied; {words} {faces}", "turn.tie"))
        if len(names) > 1:
            reasons.append(Reason("one roll for the group; its members act in any order", "turn.member-order"))
            found.append(Place(n, state.group_name(each.group), each.figure, each.ties, tuple(reasons), names))
        else:
            found.append(Place(n, names[0], each.figure, each.ties, tuple(reasons)))
    return tuple(found)


def candidates(state: State) -> tuple[str, ...]:
    """Whose turn it is or, between turns, whose may begin, in the order in which they come.

    Rules: `turn.order`, `turn.member-order`.
    """
    if state.phase != "running":
        return ()
    if not state.turn_over:
        return (state.active,)
    able = [each.id for each in state.fighters if not each.is_down and not each.is_away]
    found = [each for each in able if not entering(state, each)[1]]
    order = state.order[state.place :] + state.order[: state.place]
    places = {group: place for place, group in enumerate(order)}
    done = {each for each in state.acted if state.fighter(each).group == order[0]}
    return tuple(sorted(found, key=lambda each: len(order) if each in done else places[state.fighter(each).group]))


def due(state: State) -> Due | None:
    """Whose turn is on, or begins with its next act; where an act waits, the question that it asks.

    Rules: `turn.order`, `act.fighting.double`, `grid.interrupt.what`.
    """
    if state.exposure is not None:
        return Due(state.exposure.who, "'s turn", _waiting(state, state.exposure), "grid.interrupt.what")
    able = candidates(state)
    if not able:
        return None
    if state.ledger.opened and not state.turn_over:
        return Due(able[0], "has a second attack", "", "act.fighting.double")
    return Due(able[0], "'s turn", "", "turn.order")


def _waiting(state: State, exposure: Exposure) -> str:
    name = state.fighter(exposure.who).name
    if exposure.is_move:
        verb = "is on the way" if exposure.walked else "starts moving"
        return f"{name} {verb} to {place(exposure.path[-1])}"
    words = f"{name} is about to act: {TITLES[exposure.do]}"
    if exposure.space:
        return f"{words} at {place(exposure.space)}"
    names = list(dict.fromkeys(state.fighter(each).name for each in exposure.targets))
    return f"{words} at {listed(names)}" if names else words
