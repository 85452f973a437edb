"""Choose-next initiative with seizing: a roll decides who opens, each chooses the next, and the wounded may seize."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from scratch_core.dice import Roller, roll_valid_face
from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.figures import format_hit_points
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import (
    COMMON_GM_FIELDS,
    GAME_MASTER,
    LEAVE,
    Decision,
    Event,
    Field,
    FightEnded,
    FighterStatus,
    GmAction,
    InitiativeRoll,
    Narration,
    Prompt,
    Reason,
    RecordingRoller,
    StatePath,
    TurnOrderEntry,
    build_other_turn_problems,
    build_out_of_fight_problems,
    build_target_not_in_fight_problems,
    compare_or_roll_until_different,
    conceal,
    narrate,
    order_by_roll_off,
    pop_or_roll_d20,
)
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, GenericTurnSystem
from scratch_core.turn_systems.seize import narration
from scratch_core.turn_systems.seize.records import (
    FIRST_FACE,
    LATE_FACE,
    CameBack,
    Chosen,
    Declined,
    ExtraActed,
    HitPointsLost,
    InitiativeRolled,
    JoinedWithRoll,
    LeftWithOpeners,
    Seized,
    SeizeFighter,
    SeizeState,
    TurnTaken,
)

CARDS = (
    GenericActionSpec(
        do="turn",
        title="taking a turn",
        rule="seize.choose-next",
        verb="Take the turn",
        effect="ends the previous turn",
        is_opening=True,
        by_name=True,
    ),
    GenericActionSpec(
        do="extra-action",
        title="an extra action",
        rule="seize.natural-20",
        verb="Act once more",
        effect="once, after a natural 20",
        short="Act",
    ),
    GenericActionSpec(
        do="choose",
        title="choosing who is next",
        rule="seize.choose-next",
        verb="Choose who is next",
        target_preposition="choose",
        fields=(Field("target", "id", None, "who is next"),),
    ),
    GenericActionSpec(
        do="seize",
        title="seizing the initiative",
        rule="seize.claim",
        verb="Seize the initiative",
        short="Seizes",
        effect="a turn right after this one; if several do, the higher bonus goes first",
        is_answer=True,
        by_name=True,
        by_anybody=True,
    ),
    GenericActionSpec(
        do="decline",
        title="not seizing",
        rule="seize.claim",
        verb="Don't seize",
        short="Doesn't seize",
        effect="no seizing for hit points lost this turn",
        is_answer=True,
        by_name=True,
        is_refusal=True,
    ),
    GenericActionSpec(
        do="lose-hp",
        title="losing hit points",
        rule="seize.claim",
        verb="Hit points lost",
        effect="in the current turn",
        unavailable_text="A character must take a turn first.",
        is_fact=True,
        fields=(
            Field("target", "id", None, "who loses them"),
            Field("points", "number", 1, "how many; 0 for none", 0, 1000, label="points"),
        ),
    ),
    GenericActionSpec(
        do=LEAVE,
        title="leaving the fight",
        rule="seize.round-complete",
        verb="Remove from fight",
        effect="incapacitated or escaped",
        short="Remove",
        is_fact=True,
        by_name=True,
    ),
)
"""The actions of a turn, the answers of wounded fighters, and the table events, in the order of a page."""


class Seize(GenericTurnSystem[SeizeState]):
    """Choose-who-goes-next initiative with seizing (rulings K29, K30, S01–S10)."""

    name = "seize"
    title = "Choose-next and seize"
    introduction = (
        "A roll decides who opens. A character who has acted chooses who is next, and one who lost hit points may "
        "seize the next turn. Set names, sides and Initiative Bonuses. The page says who may act. It doesn't roll "
        "attacks: you enter who lost hit points."
    )
    sample = "side: heroes\nAnn: bonus 3\nside: goblins\ngroup: goblins\nGoblin 1: bonus 2\nGoblin 2: bonus 2"
    idle_rules: ClassVar[Mapping[str, str]] = {"before": "seize.roll", "over": "seize.not-self"}
    specs = CARDS
    character_fields = (
        Field("group", "text", "", "who shares the roll; no one else if left out"),
        Field("bonus", "number", 0, "Initiative Bonus", -100, 100),
    )
    gm_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = COMMON_GM_FIELDS
    rule_options = ("seize_on_total",)
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "acted": (bool, lambda state, who: who.acted),
        "barred": (bool, lambda state, who: who.barred),
        "extra": (bool, lambda state, who: who.extra),
        "hurt": (int, lambda state, who: who.hurt),
        "face": (int, lambda state, who: who.face),
        "total": (int, lambda state, who: who.initiative.value),
        "turns": (int, lambda state, who: who.turns),
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }
    state_paths: ClassVar[Mapping[str, StatePath]] = {
        "next": (str, lambda system, state: (state.seizer_queue or (state.next,))[0]),
        "openers": (list, lambda system, state: list(state.openers)),
        "queue": (list, lambda system, state: list(state.seizer_queue)),
        "may_seize": (list, lambda system, state: list(system.list_possible_seizers(state))),
    }

    def build_initial_state(
        self, characters: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: RulingSettings
    ) -> SeizeState:
        """Build the state before the fight. Rules: `seize.bonus`, `seize.gm-roll`."""
        return SeizeState(
            fighters=tuple(map(self.build_fighter_from_fields, characters)), on_total=rulings.seize_on_total
        )

    def build_fighter_from_fields(self, character: Mapping[str, Any]) -> SeizeFighter:
        """Build a fighter from the fields of a file. Rule: `seize.gm-roll`."""
        return SeizeFighter(**{**character, "group": character["group"] or character["id"]})

    def begin(self, state: SeizeState, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Roll a d20 for each group, roll off ties, and find who may open.

        A fighter who rolled a 1 is barred in the first round. If all are, that round is over at once. Rules:
        `seize.roll`, `seize.gm-roll`, `seize.highest-first`, `seize.tie`, `seize.natural-20`, `seize.natural-1`.
        """
        given = {group: list((faces or {}).get(group, ())) for group in state.initiative_fighter_or_group_ids}
        rolled: dict[str, tuple[int, ...]] = {group: (pop_or_roll_d20(left, roller),) for group, left in given.items()}
        faced = _with_group_rolls_and_effects(
            state, tuple(InitiativeRoll(group, thrown) for group, thrown in rolled.items())
        )
        number = 2 if faced.is_round_complete else 1
        if number == 2:
            faced = _unbar_all(faced)
        groups = list(dict.fromkeys(each.group for each in _list_highest_ranked(faced)))
        if len(groups) > 1:
            ties = dict(order_by_roll_off(groups, given, roller, "seize.tie", only_first=True))
            rolled |= {group: (*rolled[group], *more) for group, more in ties.items()}
        thrown = tuple(InitiativeRoll(group, each) for group, each in rolled.items())
        openers = _list_fight_openers(replace_fields(faced, rolled=thrown))
        size = Counter(each.group for each in faced.fighters)
        names = {group: narration.group_name(faced, group) for group, count in size.items() if count > 2}
        named_totals = ((names.get(each.group, each.name), each.initiative.value) for each in faced.fighters)
        ended = () if state.fighters_not_out else (FightEnded(),)
        totals = ", ".join(dict.fromkeys(f"{name} {total}" for name, total in named_totals))
        events = (InitiativeRolled(thrown, openers, number), *ended)
        sentence = f"Initiative: {totals}. {narration.format_next_names(state, openers)} goes first."
        return Decision(events, thrown, conceal(GAME_MASTER, "{}", sentence))

    # Legal actions

    def list_legal_actor_action_pairs(self, state: SeizeState) -> tuple[tuple[str, str], ...]:
        """List who may do what now, as pairs of an id and an action's name.

        Those who may seize are in the order of their bonuses.
        """
        if state.phase != "running":
            return ()
        found = [(who, "turn") for who in state.ids_entitled_to_next_turn]
        if state.active and not _chooser_problems(state, GenericAction(state.active, "choose")):
            found.append((state.active, "choose"))
        if state.active and not _extra_action_problems(state, state.fighter(state.active)):
            found.append((state.active, "extra-action"))
        hurt = sorted(map(state.fighter, self.list_possible_seizers(state)), key=lambda each: -each.bonus)
        return (*found, *((who.id, do) for who in hurt for do in ("seize", "decline")))

    def list_legal_actions_named(self, state: SeizeState, actor: str, do: str) -> Iterable[GenericAction]:
        """List the legal variants of an action: every fighter who may be chosen."""
        if do != "choose":
            return [GenericAction(actor, do)]
        choices = [GenericAction(actor, do, each.id) for each in state.fighters_not_out]
        return [act for act in choices if not _chosen_fighter_problems(state, act)]

    def action_problems(self, state: SeizeState, act: GenericAction) -> list[Problem]:
        """Return the rules that an action breaks."""
        if act.do == "lose-hp":
            return _hp_loss_problems(state, act)
        actor = state.fighter(act.actor)
        if act.do == "choose":
            return _chooser_problems(state, act) or _chosen_fighter_problems(state, act)
        if actor.out:
            return build_out_of_fight_problems("seize.round-complete", actor.name, act.do)
        if act.do == LEAVE:
            return []
        if act.do == "turn":
            return _turn_problems(state, actor)
        if act.do == "extra-action":
            return _extra_action_problems(state, actor)
        return _seize_or_decline_problems(state, actor)

    # Changes by the game master

    def build_join_event(
        self, state: SeizeState, change: GmAction, roller: Roller
    ) -> tuple[Event, tuple[InitiativeRoll, ...]]:
        """Build the event of a newcomer joining, with the dice of a new group.

        A newcomer shares its group's roll. Before the first turn it may be the opener. Rules: `seize.gm-roll`,
        `seize.roll`, `seize.tie`.
        """
        who: SeizeFighter = change.newcomer
        dice, rolled = RecordingRoller(roller), state.rolled
        is_new = who.group not in state.initiative_fighter_or_group_ids
        if is_new:
            rolled = (*rolled, InitiativeRoll(who.group, (roll_valid_face(dice),)))
        there = _with_newcomer_and_roll_effects(state, who, rolled)
        if is_new and not state.active:
            there = replace_fields(there, rolled=_roll_off_newcomer_tie_for_lead(there, who.group, dice))
        thrown = (InitiativeRoll(who.group, tuple(dice.faces)),) if dice.faces else ()
        return JoinedWithRoll(who, there.rolled, _list_fight_openers(there)), thrown

    def build_return_event(self, state: SeizeState, who: str) -> Event:
        """Build the event of a fighter coming back, who may open. Rule: `seize.highest-first`."""
        there = state.with_changed_fighter(who, out=False)
        return CameBack(who, _list_fight_openers(there))

    # Texts for players

    def build_status_as_if_present(self, state: SeizeState, who: SeizeFighter) -> FighterStatus:
        """Build a fighter's status."""
        return narration.build_status(state, who, self.list_possible_seizers(state))

    def explain_turn_order(
        self, state: SeizeState, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """List the fighters by their rolls, and explain what decides after the first turn."""
        entries = narration.list_turn_order_entries(state, state.turn_order)
        return entries, narration.explain_order_after_opening(state)

    def build_running_prompt(self, state: SeizeState) -> Prompt:
        """Build the prompt of a running fight."""
        may_choose = bool(state.active) and not _chooser_problems(state, GenericAction(state.active, "choose"))
        return narration.build_prompt(state, self.list_possible_seizers(state), may_choose)

    def list_possible_seizers(self, state: SeizeState) -> tuple[str, ...]:
        """List the fighters who may seize now. Rule: `seize.claim`."""
        return tuple(each.id for each in state.fighters_not_out if may_seize(state, each))

    # Results of actions

    def resolve_action(self, state: SeizeState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
        """Return the events of a legal action and its sentences.

        The fight is over if no fighter is left to choose (ruling S09). Rules: `seize.not-self`, `seize.next-round`.
        """
        events, sentences = _RESOLVERS[act.do](self, state, act)
        after = self.apply_events(state, events)
        others = [each for each in after.fighters_not_out if each.id != after.active]
        if not others and (after.active or not after.fighters_not_out) and after.phase == "running":
            end = conceal(GAME_MASTER, " No one is left to choose: the fight is over.")
            return (*events, FightEnded()), sentences.with_part(end)
        return events, sentences


# Openers


def _with_group_rolls_and_effects(state: SeizeState, rolls: Sequence[InitiativeRoll]) -> SeizeState:
    """Return the state with the groups' faces and the effects of 20s and 1s.

    Each fighter of a group gets them (ruling S04). Rules: `seize.roll`, `seize.gm-roll`, `seize.natural-20`,
    `seize.natural-1`.
    """
    faces = {each.who: each.faces[0] for each in rolls}
    faced = [replace_fields(each, face=faces[each.group]) for each in state.fighters]
    return replace_fields(
        state,
        rolled=tuple(rolls),
        fighters=tuple(
            replace_fields(
                each,
                extra=state.get_face_or_total(each) == FIRST_FACE,
                barred=state.get_face_or_total(each) == LATE_FACE,
            )
            for each in faced
        ),
    )


def _unbar_all(state: SeizeState) -> SeizeState:
    """Return the state after the first round, with no fighter barred. Rule: `seize.natural-1`."""
    return replace_fields(state, fighters=tuple(replace_fields(each, barred=False) for each in state.fighters))


def _list_highest_ranked(state: SeizeState) -> list[SeizeFighter]:
    """List the fighters with the highest rank who are not barred."""
    able = [each for each in state.fighters_not_out if not each.barred]
    ranks = [state.build_initiative_rank(each) for each in able]
    return [each for each, rank in zip(able, ranks, strict=True) if rank == max(ranks)]


def _list_fight_openers(state: SeizeState) -> tuple[str, ...]:
    """List the fighters who may open. Empty once the first turn has begun.

    If several share the leading roll, or a 20, the controller picks among them (ruling S04). Rules: `seize.gm-roll`,
    `seize.natural-20`, `seize.highest-first`.
    """
    if state.active:
        return ()
    leading = _list_highest_ranked(state)
    if leading and state.get_face_or_total(leading[0]) == FIRST_FACE:
        groups = {each.group for each in leading}
        leading = [
            each
            for each in state.fighters_not_out
            if each.group in groups and state.get_face_or_total(each) == FIRST_FACE
        ]
    return tuple(each.id for each in leading)


def _with_newcomer_and_roll_effects(
    state: SeizeState, newcomer: SeizeFighter, rolls_by_group: tuple[InitiativeRoll, ...]
) -> SeizeState:
    """Add a fighter with its face and the effects of a 20 or a 1.

    A round that is already complete stays complete. Rules: `seize.natural-20`, `seize.natural-1`,
    `seize.round-complete`.
    """
    is_new = all(each.who != newcomer.group for each in state.rolled)
    faced = replace_fields(newcomer, face=next(each.faces[0] for each in rolls_by_group if each.who == newcomer.group))
    result = state.get_face_or_total(faced)
    faced = replace_fields(faced, extra=result == 20, barred=result == 1 and (is_new or state.round == 1))
    faced = replace_fields(faced, acted=_may_newcomer_only_act_next_round(state))
    return replace_fields(state, fighters=(*state.fighters, faced), rolled=rolls_by_group)


def _may_newcomer_only_act_next_round(state: SeizeState) -> bool:
    """Return whether a new or returning fighter acts in the next round only. Rule: `seize.round-complete`."""
    return bool(state.active) and state.is_round_complete


def _roll_off_newcomer_tie_for_lead(
    state: SeizeState, newcomer_group: str, roller: Roller
) -> tuple[InitiativeRoll, ...]:
    """Roll off a new group's tie with the leading group. Rule: `seize.tie`.

    Returns the dice of all groups.
    """
    best: dict[str, tuple[bool, int, int]] = {}
    for each in state.fighters_not_out:
        if not each.barred:
            best[each.group] = max(best.get(each.group, (False, 0, -100)), state.build_initiative_rank(each)[:3])
    level = {each for each, rank in best.items() if rank == max(best.values())}
    others = [each for each in state.rolled if each.who in level - {newcomer_group}]
    if newcomer_group not in level or not others:
        return state.rolled
    own = next(each for each in state.rolled if each.who == newcomer_group)
    first = max(others, key=lambda each: each.faces[1:])
    mine, theirs = list(own.faces[1:]), list(first.faces[1:])
    compare_or_roll_until_different(mine, theirs, roller, "seize.tie")
    faces = {own.who: (own.faces[0], *mine), first.who: (first.faces[0], *theirs)}
    return tuple(InitiativeRoll(each.who, faces.get(each.who, each.faces)) for each in state.rolled)


# Rules that an action breaks


def _turn_problems(state: SeizeState, actor: SeizeFighter) -> list[Problem]:
    """Check that the turn is the actor's.

    Rules: `seize.choose-next`, `seize.claim.timing`, `seize.highest-first`, `seize.natural-20`.
    """
    if actor.id in state.ids_entitled_to_next_turn:
        return []
    following, name = (
        join_words([state.fighter(each).name for each in state.ids_entitled_to_next_turn], "or"),
        actor.name,
    )
    expected = " or ".join(state.ids_entitled_to_next_turn) or f"a character chosen by {state.active}"
    if state.seizer_queue:
        rule = "seize.claim.timing"
        found = build_rule_problems("turn.seized", rule, expected, name, "the turn", following=following)
    elif not state.active:
        is_by_20 = any(state.get_face_or_total(state.fighter(each)) == 20 for each in state.ids_entitled_to_next_turn)
        rules = f"{'seize.natural-20 ' if is_by_20 else ''}seize.highest-first"
        found = build_rule_problems("turn.highest-first", rules, expected, name, "the turn", following=following)
    elif state.ids_entitled_to_next_turn:
        rule = "seize.choose-next"
        found = build_rule_problems("turn.another-chosen", rule, expected, name, "the turn", following=following)
    else:
        rule, chooser = "seize.choose-next", state.fighter(state.active).name
        found = build_rule_problems("turn.not-chosen", rule, expected, name, "the turn", chooser=chooser)
    if actor.barred:
        found.append(_build_barred_problem(actor, "the turn"))
    if actor.acted and not state.is_round_complete:
        found.append(_build_repeated_turn_problem("seize.no-repeat", actor, "the turn"))
    return found


def _build_barred_problem(who: SeizeFighter, where: str) -> Problem:
    """Build the problem of a fighter barred in the first round. Rule: `seize.natural-1`."""
    expected = "no character who rolled 1 in the first round"
    return Problem("turn.sits-out", expected, who.name, where, "seize.natural-1", facts={"name": who.name})


def _build_repeated_turn_problem(rule: str, who: SeizeFighter, where: str) -> Problem:
    """Build the problem of a fighter who has already had a turn this round."""
    expected = "a character who has had no turn this round"
    return Problem("turn.had", expected, who.name, where, rule, facts={"name": who.name})


def _chooser_problems(state: SeizeState, act: GenericAction) -> list[Problem]:
    """Check that the actor may choose who is next.

    Only the active fighter may, once, unless a seizer is next. Rules: `seize.choose-next`, `seize.claim.timing`,
    `seize.after`, `seize.multi-order`.
    """
    if not state.active:
        return build_rule_problems("choice.no-turn", "seize.choose-next", "a turn first", act.actor, "the choice")
    if act.actor != state.active:
        following, actor = state.fighter(state.active).name, state.fighter(act.actor).name
        return build_other_turn_problems("seize.choose-next", following, actor, "the choice")
    if state.seizer_queue:
        rule, name = "seize.claim.timing", state.fighter(state.seizer_queue[0]).name
        expected = f"{state.seizer_queue[0]}, who has seized"
        return build_rule_problems("choice.seized", rule, expected, "a choice", "the choice", following=name)
    if state.next:
        expected, name = f"one choice, {state.next}", state.fighter(state.next).name
        return build_rule_problems(
            "choice.made", "seize.choose-next", expected, "another", "the choice", following=name
        )
    return []


def _chosen_fighter_problems(state: SeizeState, act: GenericAction) -> list[Problem]:
    """Check the fighter who is chosen (ruling S03).

    It must not have had a turn this round. Once the round is complete, it may be anyone but the actor. Rules:
    `seize.no-repeat`, `seize.natural-1`, `seize.next-round`, `seize.not-self`.
    """
    target = state.fighter(act.target) if act.target else None
    if target is None or target.out:
        return build_target_not_in_fight_problems("seize.choose-next", act.target, "the choice")
    if state.is_round_complete:
        itself = build_rule_problems(
            "choice.self", "seize.not-self", "someone else", target.name, "the choice", name=target.name
        )
        return itself if target.id == act.actor else []
    if target.acted:
        return [_build_repeated_turn_problem("seize.no-repeat", target, "the choice")]
    return [_build_barred_problem(target, "the choice")] if target.barred else []


def _extra_action_problems(state: SeizeState, actor: SeizeFighter) -> list[Problem]:
    """Check that the actor has an extra action now. Rule: `seize.natural-20`.

    It comes once, in the actor's first turn, before the choice (ruling S10).
    """
    if actor.extra and actor.id == state.active:
        return []
    expected, rule = "an extra action in the first turn after a rolled 20", "seize.natural-20"
    if actor.id != state.active:
        got = "another's turn"
        return build_rule_problems("extra-action.not-now", rule, expected, got, "extra-action", actor=actor.name)
    got = "none left, or the choice made"
    return build_rule_problems("extra-action.none", rule, expected, got, "extra-action", actor=actor.name)


def _hp_loss_problems(state: SeizeState, act: GenericAction) -> list[Problem]:
    """Check that hit points are lost by a fighter who is present, during a turn."""
    if not act.target or state.fighter(act.target).out:
        return build_target_not_in_fight_problems("seize.claim", act.target, act.do)
    if not state.active or act.points < 0:
        return build_rule_problems("loss.no-turn", "seize.claim", "a turn in which they are lost", "none", act.do)
    return []


def may_seize(state: SeizeState, who: SeizeFighter) -> bool:
    """Return whether a fighter may seize now. Rule: `seize.claim`."""
    return state.phase == "running" and not who.out and not _seize_or_decline_problems(state, who)


def _seize_or_decline_problems(state: SeizeState, actor: SeizeFighter) -> list[Problem]:
    """Check that the actor may seize or decline (rulings S03, S06, S07).

    The actor must be hurt, without a turn this round, and have neither claimed nor declined. Rules: `seize.claim`,
    `seize.natural-1`.
    """
    found = list[Problem]()
    if actor.acted:
        found.append(_build_repeated_turn_problem("seize.claim", actor, "the claim"))
    if actor.barred:
        found.append(_build_barred_problem(actor, "the claim"))
    if actor.hurt < 1:
        expected = "hit points lost in this turn"
        found += build_rule_problems("claim.no-loss", "seize.claim", expected, "none", "the claim", actor=actor.name)
    if actor.id in state.seizer_queue or actor.declined:
        expected = "one claim or none for a turn"
        found += build_rule_problems(
            "claim.answered", "seize.claim", expected, "a second word", "the claim", actor=actor.name
        )
    return found


# Results, one function for each action


def _resolve_next_turn_start(
    system: Seize, state: SeizeState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Begin a turn, and a new round if this one is complete.

    Rules: `seize.round-complete`, `seize.next-round`.
    """
    is_new = bool(state.active) and state.is_round_complete
    number = state.round + is_new
    sentences = narrate("{} takes a turn.", state.fighter(act.actor))
    if is_new:
        sentences = sentences.with_part(conceal(GAME_MASTER, " Round {} begins.", number))
    return (TurnTaken(act.actor, number),), sentences


def _resolve_hp_loss_report(
    system: Seize, state: SeizeState, act: GenericAction
) -> tuple[tuple[Event, ...], Narration]:
    """Record lost hit points, or none. Rule: `seize.claim`."""
    events = (HitPointsLost(act.target, act.actor, act.points),) if act.points else ()
    points = format_hit_points(act.points) if act.points else "no hit points"
    return events, narrate("{} loses {}.", state.fighter(act.target), points)


def _resolve_leaving(system: Seize, state: SeizeState, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
    """Remove a fighter. Before the first turn, the best of the others may open.

    Those who rolled 1 may open in a new round only. Rules: `seize.highest-first`, `seize.natural-1`.
    """
    number = state.round
    gone = state.with_changed_fighter(act.actor, out=True)
    openers = _list_fight_openers(gone)
    if not state.active and not openers:
        number += 1
        openers = _list_fight_openers(_unbar_all(gone))
    return (LeftWithOpeners(act.actor, openers, number),), narrate("{} leaves the fight.", state.fighter(act.actor))


_RESOLVERS: Mapping[str, Callable[[Seize, SeizeState, GenericAction], tuple[tuple[Event, ...], Narration]]] = {
    "turn": _resolve_next_turn_start,
    "choose": lambda system, state, act: (
        (Chosen(act.target, act.actor),),
        narrate("{} chooses {} to act next.", state.fighter(act.actor), state.fighter(act.target)),
    ),
    "seize": lambda system, state, act: (
        (Seized(act.actor),),
        narrate("{} seizes the initiative.", state.fighter(act.actor)),
    ),
    "decline": lambda system, state, act: (
        (Declined(act.actor),),
        narrate("{} doesn't seize.", state.fighter(act.actor)),
    ),
    "extra-action": lambda system, state, act: (
        (ExtraActed(act.actor),),
        narrate("{} takes an extra action.", state.fighter(act.actor)),
    ),
    "lose-hp": _resolve_hp_loss_report,
    LEAVE: _resolve_leaving,
}
"""The function that resolves each action.

Rules: `seize.choose-next`, `seize.after`, `seize.next-round`, `seize.claim`, `seize.claim.timing`, `seize.chain`,
`seize.natural-20`.
"""


# Effects of events


def _apply_beginning(state: SeizeState, event: InitiativeRolled) -> SeizeState:
    """Set faces, extra actions and bars. Rules: `seize.natural-20`, `seize.natural-1`."""
    faced = _with_group_rolls_and_effects(state, event.rolled)
    if event.round > 1:
        faced = _unbar_all(faced)
    return replace_fields(faced, phase="running", round=event.round, openers=event.openers)


def _apply_next_turn_start(state: SeizeState, event: TurnTaken) -> SeizeState:
    """Begin a turn, which ends the previous one with its losses and its extra action.

    A new round frees barred fighters and lets everyone act again. Rules: `seize.no-repeat`, `seize.next-round`,
    `seize.natural-1`, `seize.natural-20`.
    """
    is_new = event.round > state.round
    fighters = []
    for each in state.fighters:
        changed = replace_fields(each, hurt=0, declined=False)
        if is_new:
            changed = replace_fields(changed, acted=False, barred=False)
        if each.id == state.active:
            changed = replace_fields(changed, turns=changed.turns + 1, extra=False)
        if each.id == event.who:
            changed = replace_fields(changed, acted=True, barred=False)
        fighters.append(changed)
    claims = tuple(claim for claim in state.claims if claim[0] != event.who)
    return replace_fields(
        state,
        fighters=tuple(fighters),
        round=event.round,
        turn=state.turn + 1,
        active=event.who,
        next="",
        openers=(),
        claims=claims,
    )


def _apply_choice(state: SeizeState, event: Chosen) -> SeizeState:
    """Set the next fighter and discard the chooser's extra action.

    Rules: `seize.choose-next`, `seize.natural-20`.
    """
    return replace_fields(state.with_changed_fighter(event.by, extra=False), next=event.who)


def _add_hp_lost_this_turn(state: SeizeState, event: HitPointsLost) -> SeizeState:
    who = state.fighter(event.who)
    return state.with_fighter(replace_fields(who, hurt=who.hurt + event.points))


def _insert_seizer_and_discard_choice(state: SeizeState, event: Seized) -> SeizeState:
    """Add a seizer to the queue, and discard the choice.

    Seizers of one turn act by bonus, after those of earlier turns (ruling K30). Equal bonuses act in the order of their
    claims. Rules: `seize.claim.timing`, `seize.multi-order`, `seize.chain`.
    """
    claims = (*state.claims, (event.who, state.turn))
    ordered = sorted(claims, key=lambda claim: (claim[1], -state.fighter(claim[0]).bonus))
    return replace_fields(state, claims=tuple(ordered), next="")


def _apply_leaving(state: SeizeState, event: LeftWithOpeners) -> SeizeState:
    claims = tuple(claim for claim in state.claims if claim[0] != event.who)
    gone = state.with_changed_fighter(event.who, out=True, extra=False)
    chosen = "" if state.next == event.who else state.next
    if event.round > state.round:
        gone = replace_fields(_unbar_all(gone), round=event.round)
    return replace_fields(gone, claims=claims, next=chosen, openers=event.openers)


def _apply_joining(state: SeizeState, event: JoinedWithRoll) -> SeizeState:
    return replace_fields(_with_newcomer_and_roll_effects(state, event.fighter, event.rolled), openers=event.openers)


def _apply_comeback(state: SeizeState, event: CameBack) -> SeizeState:
    """Bring a fighter back, as having acted if the round is complete. Rule: `seize.round-complete`."""
    who = state.fighter(event.who)
    there = replace_fields(who, out=False, acted=who.acted or _may_newcomer_only_act_next_round(state))
    return replace_fields(state.with_fighter(there), openers=event.openers)


_EFFECTS: Mapping[type[Event], Callable[[SeizeState, Any], SeizeState]] = {
    InitiativeRolled: _apply_beginning,
    FightEnded: lambda state, event: replace_fields(state, phase="over", next="", openers=(), claims=()),
    TurnTaken: _apply_next_turn_start,
    Chosen: _apply_choice,
    HitPointsLost: _add_hp_lost_this_turn,
    Seized: _insert_seizer_and_discard_choice,
    Declined: lambda state, event: state.with_changed_fighter(event.who, declined=True),
    ExtraActed: lambda state, event: state.with_changed_fighter(event.who, extra=False),
    LeftWithOpeners: _apply_leaving,
    JoinedWithRoll: _apply_joining,
    CameBack: _apply_comeback,
}
"""The function that applies each event."""

Seize.effects = _EFFECTS
