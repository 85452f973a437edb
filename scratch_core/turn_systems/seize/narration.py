"""Choose-next with seizing, in words: how someone stands, and whose move it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from scratch_core.errors import join_words
from scratch_core.turn_systems import FighterNumber, FighterStatus, Prompt, Reason, StatusEffect, TurnOrderEntry
from scratch_core.turn_systems.seize.records import SeizeFighter, SeizeState


def build_status(state: SeizeState, who: SeizeFighter, hurt: Sequence[str]) -> FighterStatus:
    """How someone stands; `hurt` are those who may seize now. Rules: `seize.roll`, `seize.claim`."""
    marks = {state.active: "their turn", **dict.fromkeys(state.due, "due"), **dict.fromkeys(hurt, "may seize")}
    return FighterStatus(
        tuple(_lasting(state, who, who.id in hurt)),
        (FighterNumber("HP lost this turn", str(who.hurt), "seize.claim", f"hurt.{who.id}", who.hurt, is_quiet=True),),
        (who.initiative,),
        marks.get(who.id, ""),
        f"of {group_name(state, who.group)}" if who.group != who.id else "",
        is_done=who.acted,
    )


def _lasting(state: SeizeState, who: SeizeFighter, may_seize: bool) -> Iterator[StatusEffect]:
    """Rules: `seize.claim`, `seize.natural-1`, `seize.natural-20`, `seize.no-repeat`."""
    if who.acted:
        yield StatusEffect("has had a turn", "", "seize.no-repeat", "has had a turn")
    elif not who.barred:
        yield StatusEffect("turn still to come", "", "seize.no-repeat", "turn still to come")
    if who.barred:
        yield StatusEffect("rolled 1", "no turn in the first round", "seize.natural-1", "no turn this round")
    if who.extra:
        words = "one extra action in their first turn"
        yield StatusEffect("rolled 20", words, "seize.natural-20", "one extra action")
    if who.id in state.queue:
        place = f"place {state.queue.index(who.id) + 1} of {len(state.queue)}"
        yield StatusEffect("has seized", place, "seize.multi-order", "seizes the initiative")
    if who.hurt:
        more = {who.declined: "; will not seize", may_seize: "; may seize"}.get(True, "")
        yield StatusEffect("damaged", f"lost {who.hurt} HP this turn{more}", "seize.claim")
    if who.declined:
        yield StatusEffect("doesn't seize", "", "seize.claim", "doesn't seize")
    if who.id == state.next:
        yield StatusEffect("chosen", "acts next", "seize.choose-next")


def build_prompt(state: SeizeState, hurt: Sequence[str], may_choose: bool) -> Prompt:
    """Whose word it is in a fight that is on; `hurt` are those who may seize now, asked with the higher bonus first.

    Rules: `seize.highest-first`, `seize.choose-next`, `seize.claim`, `seize.multi-order`.
    """
    people = sorted(map(state.fighter, hurt), key=lambda each: -each.bonus)
    wounded = join_words([each.name for each in people])
    names = format_next_names(state, state.due)
    who, words = _turn(state, names, wounded)
    told = join_words([f"{each.name} (bonus {each.bonus})" if hurt[1:] else each.name for each in people])
    question = (
        f"{told} lost hit points and may seize the initiative{': who does?' if hurt[1:] else '.'}" if hurt else ""
    )
    sentences = [f"{wounded} may seize the initiative."] if wounded else []
    if names:
        sentences.append(f"{names} is next.")
    elif may_choose:
        sentences.append(f"{state.fighter(state.active).name} chooses who is next.")
    return Prompt(
        who,
        words,
        question,
        "seize.claim" if wounded or state.queue else "seize.choose-next",
        " ".join(sentences),
        "" if state.active else names,
    )


def group_name(state: SeizeState, group: str) -> str:
    """Return what a group is called: as its leader where it is theirs, else by its own name."""
    return next((each.name for each in state.fighters if each.id == group), group)


def format_next_names(state: SeizeState, ids: Sequence[str]) -> str:
    """Those of whom one is next, by their names; more than two of a group as one of that group."""
    groups = groupby(map(state.fighter, ids), key=lambda each: str(each.group))
    found = ((group, [each.name for each in members]) for group, members in groups)
    return " or ".join(
        f"One of the {group_name(state, group)}" if names[2:] else " or ".join(names) for group, names in found
    )


def _turn(state: SeizeState, names: str, wounded: str) -> tuple[str, str]:
    """Who is due, and what stands behind the name of whoever is on turn, who waits for an answer of those wounded."""
    if state.queue:
        return state.due[0], f"'s turn; {names} has seized and acts next"
    if state.next:
        return state.due[0], f"'s turn; {names} acts next"
    if state.due:
        return state.due[0], f"{'may open' if len(state.due) > 1 else 'opens'} the fight"
    return state.active, "'s turn" if wounded else "'s turn: they choose who acts next"


# Why this order


def explain_after_opening(state: SeizeState) -> Reason:
    """Who opens, and what counts from then on. Rule: `seize.choose-next`."""
    names = " or ".join(state.fighter(each).name for each in state.openers)
    return Reason(
        f"{names} opens. After that, the character who has had a turn chooses who is next.", "seize.choose-next"
    )


def list_turn_order(state: SeizeState, order: Sequence[str]) -> tuple[TurnOrderEntry, ...]:
    """How everyone's roll stands; whoever is barred has no place in the first round.

    Rules: `seize.highest-first`, `seize.tie`, `seize.natural-20`, `seize.natural-1`, `seize.gm-roll`.
    """
    thrown = {each.who: each.faces for each in state.rolled}
    ranked = sorted(map(state.fighter, order), key=lambda each: each.barred)
    found = []
    for place, who in enumerate(ranked, 1):
        reasons, ties = [_why_there(state, who)], thrown[who.group][1:]
        level = [each for each in ranked if (each.extra, each.initiative.value) == (who.extra, who.initiative.value)]
        if not who.barred and any(each.bonus != who.bonus for each in level):
            reasons.append(Reason("tied; the higher bonus goes first", "seize.tie"))
        if ties:
            dice = ", then ".join(map(str, ties))
            words = "the tie-break rolls are" if ties[1:] else "the tie-break roll is"
            reasons.append(Reason(f"tied, with the same bonus; {words} {dice}", "seize.tie"))
        if sum(each.group == who.group for each in ranked) > 1:
            reasons.append(Reason(f"one roll for all of {group_name(state, who.group)}", "seize.gm-roll"))
        found.append(TurnOrderEntry(0 if who.barred else place, who.name, who.initiative, ties, tuple(reasons)))
    return tuple(found)


def _why_there(state: SeizeState, who: SeizeFighter) -> Reason:
    """A 20 outranks any total, a 1 has no turn in the first round."""
    if who.extra:
        return Reason("rolled 20: acts first and has one extra action", "seize.natural-20")
    if who.barred:
        return Reason("rolled 1: no turn in the first round", "seize.natural-1")
    is_first = who.id in state.openers
    return Reason("the highest opens" if is_first else "next in line to open", "seize.highest-first")
