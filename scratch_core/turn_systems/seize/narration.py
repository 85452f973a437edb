"""Choose-next with seizing, in words: the status of a fighter, the prompt, and the turn order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from scratch_core.errors import join_words
from scratch_core.turn_systems import FighterNumber, FighterStatus, Prompt, Reason, StatusEffect, TurnOrderEntry
from scratch_core.turn_systems.seize.records import SeizeFighter, SeizeState


def build_status(state: SeizeState, who: SeizeFighter, seizer_ids: Sequence[str]) -> FighterStatus:
    """Build a fighter's status. `seizer_ids` are those who may seize now. Rules: `seize.roll`, `seize.claim`."""
    marks = {
        state.active: "their turn",
        **dict.fromkeys(state.ids_entitled_to_next_turn, "due"),
        **dict.fromkeys(seizer_ids, "may seize"),
    }
    return FighterStatus(
        tuple(_list_status_effects(state, who, who.id in seizer_ids)),
        (FighterNumber("HP lost this turn", str(who.hurt), "seize.claim", f"hurt.{who.id}", who.hurt, is_quiet=True),),
        (who.initiative,),
        marks.get(who.id, ""),
        f"of {group_name(state, who.group)}" if who.group != who.id else "",
        is_done=who.acted,
    )


def _list_status_effects(state: SeizeState, who: SeizeFighter, may_seize: bool) -> Iterator[StatusEffect]:
    """Yield a fighter's status effects.

    Rules: `seize.claim`, `seize.natural-1`, `seize.natural-20`, `seize.no-repeat`.
    """
    if who.acted:
        yield StatusEffect("has had a turn", "", "seize.no-repeat", "has had a turn")
    elif not who.barred:
        yield StatusEffect("turn still to come", "", "seize.no-repeat", "turn still to come")
    if who.barred:
        yield StatusEffect("rolled 1", "no turn in the first round", "seize.natural-1", "no turn this round")
    if who.extra:
        words = "one extra action in their first turn"
        yield StatusEffect("rolled 20", words, "seize.natural-20", "one extra action")
    if who.id in state.seizer_queue:
        place = f"place {state.seizer_queue.index(who.id) + 1} of {len(state.seizer_queue)}"
        yield StatusEffect("has seized", place, "seize.multi-order", "seizes the initiative")
    if who.hurt:
        more = {who.declined: "; will not seize", may_seize: "; may seize"}.get(True, "")
        yield StatusEffect("damaged", f"lost {who.hurt} HP this turn{more}", "seize.claim")
    if who.declined:
        yield StatusEffect("doesn't seize", "", "seize.claim", "doesn't seize")
    if who.id == state.next:
        yield StatusEffect("chosen", "acts next", "seize.choose-next")


def build_prompt(state: SeizeState, seizer_ids: Sequence[str], may_choose: bool) -> Prompt:
    """Build the prompt of a running fight.

    `seizer_ids` are the ids of those who may seize now. They answer in order of their bonus, the highest first.
    Rules: `seize.highest-first`, `seize.choose-next`, `seize.claim`, `seize.multi-order`.
    """
    seizers = sorted(map(state.fighter, seizer_ids), key=lambda each: -each.bonus)
    wounded = join_words([each.name for each in seizers])
    names = format_next_names(state, state.ids_entitled_to_next_turn)
    who, words = _choose_actor_and_headline(state, names, wounded)
    listed = join_words([f"{each.name} (bonus {each.bonus})" if seizer_ids[1:] else each.name for each in seizers])
    question = (
        f"{listed} lost hit points and may seize the initiative{': who does?' if seizer_ids[1:] else '.'}"
        if seizer_ids
        else ""
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
        "seize.claim" if wounded or state.seizer_queue else "seize.choose-next",
        " ".join(sentences),
        "" if state.active else names,
    )


def group_name(state: SeizeState, group: str) -> str:
    """Return the name of a group: its leader's if the group has the leader's id."""
    return next((each.name for each in state.fighters if each.id == group), group)


def format_next_names(state: SeizeState, ids: Sequence[str]) -> str:
    """Format the names of the fighters who may be next.

    Three or more of a group are named as the group.
    """
    groups = groupby(map(state.fighter, ids), key=lambda each: str(each.group))
    found = ((group, [each.name for each in members]) for group, members in groups)
    return " or ".join(
        f"One of the {group_name(state, group)}" if names[2:] else " or ".join(names) for group, names in found
    )


def _choose_actor_and_headline(state: SeizeState, candidate_names: str, wounded_names: str) -> tuple[str, str]:
    """Return the id of the fighter to act, and the words after the name."""
    ids = state.ids_entitled_to_next_turn
    if state.seizer_queue:
        return ids[0], f"'s turn; {candidate_names} has seized and acts next"
    if state.next:
        return ids[0], f"'s turn; {candidate_names} acts next"
    if ids:
        return ids[0], f"{'may open' if len(ids) > 1 else 'opens'} the fight"
    return state.active, "'s turn" if wounded_names else "'s turn: they choose who acts next"


# Reasons for the turn order


def explain_order_after_opening(state: SeizeState) -> Reason:
    """Explain who opens, and what decides the order after that. Rule: `seize.choose-next`."""
    names = " or ".join(state.fighter(each).name for each in state.openers)
    return Reason(
        f"{names} opens. After that, the character who has had a turn chooses who is next.", "seize.choose-next"
    )


def list_turn_order_entries(state: SeizeState, order: Sequence[str]) -> tuple[TurnOrderEntry, ...]:
    """List the fighters by their rolls, each with its dice and reasons.

    A barred fighter has no place in the first round. Rules: `seize.highest-first`, `seize.tie`, `seize.natural-20`,
    `seize.natural-1`, `seize.gm-roll`.
    """
    thrown = {each.who: each.faces for each in state.rolled}
    ranked = sorted(map(state.fighter, order), key=lambda each: each.barred)
    found = []
    for place, who in enumerate(ranked, 1):
        reasons, ties = [_explain_place(state, who)], thrown[who.group][1:]
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


def _explain_place(state: SeizeState, who: SeizeFighter) -> Reason:
    """Explain a fighter's place.

    A 20 outranks any total, and a 1 loses the first round.
    """
    if who.extra:
        return Reason("rolled 20: acts first and has one extra action", "seize.natural-20")
    if who.barred:
        return Reason("rolled 1: no turn in the first round", "seize.natural-1")
    is_first = who.id in state.openers
    return Reason("the highest opens" if is_first else "next in line to open", "seize.highest-first")
