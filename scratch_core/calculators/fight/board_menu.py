"""The actions of a turn that need a map: moves, blasts at spaces, repositioning, and interrupts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from scratch_core.board import Space, format_space
from scratch_core.calculators.board_drawing.overlay import Overlay, build_reach_overlay
from scratch_core.calculators.fight.action_menu import (
    BUTTON_LABELS,
    MAX_TARGETS,
    ActionChoice,
    ActionGroup,
    ActionVariant,
    Interrupter,
    Question,
    TurnMenu,
    add_attack_chances,
    build_action_choice,
    build_action_group,
    build_turn_context,
    explain_delay,
    format_abilities,
    format_chance_and_rolls,
    group_unavailable_actions,
    list_actions_without_spaces,
    rank_ability_options,
    sort_by_attack_value,
    update_targets,
)
from scratch_core.encounter.actions import (
    ALL_SPECS,
    AbilityNames,
    Action,
    InterruptWindow,
    TurnContext,
    held_target_problems,
    list_blast_target_ids,
    list_interrupt_windows,
    list_interrupts,
    list_legal_board_actions,
    list_possible_interrupts,
    may_leave_cover_to_interrupt,
    path_independent_move_problems,
    required_ability_problems,
    take_fighters_out_of_cover,
    target_independent_problems,
)
from scratch_core.encounter.state import EncounterState, Fighter, PendingAction
from scratch_core.errors import Problem, join_words, rule_problems
from scratch_core.rulebook.actions import BLAST, END_TURN, EVADE, INTERRUPT, MOVE, REPOSITION, SETTLE
from scratch_core.turn_systems import Prompt

FAR_ATTACKS = tuple(do for do, card in ALL_SPECS.items() if card.exposes == "far" and not card.targets.spaces)
"""The attacks on one target that expose their actor if the target is far away."""


def build_turn_menu(
    state: EncounterState,
    actor: str,
    aims: Sequence[str] = (),
    pressed: Sequence[str] = (),
    unseen: Set[str] = frozenset(),
) -> tuple[TurnMenu, Overlay | None]:
    """Build the menu of an actor and, on a map, the overlay of its moves.

    `aims` are the ids of the targets chosen before, `pressed` those pressed since. Characters whose ids are in `unseen`
    are targets only if they are among those, or if there are no others. The overlay is None without a map and outside
    an encounter.
    Rules: `act.basic.available`, `grid.scope`.
    """
    scene = build_turn_context(state, actor)
    choices, small, barred = list_actions_without_spaces(scene, update_targets(aims, pressed, MAX_TARGETS))
    reach = None
    if state.board is not None and scene.is_encounter_running:
        choices, closed, reach = _list_groups_on_board(scene, choices)
        barred += closed
    turn = TurnMenu(
        actor,
        scene.actor.name,
        sort_by_attack_value(choices) if scene.is_encounter_running else tuple(choices),
        tuple(offer for offer in small if offer.do != END_TURN.do),
        group_unavailable_actions(barred),
        explain_delay(scene, choices),
        next((offer for offer in small if offer.do == END_TURN.do), None),
        blast_targets=_list_blast_targets(state, actor)
        if any(each.do == BLAST.do for each in choices)
        else frozenset(),
    )
    return turn.with_targets(aims, pressed, unseen), reach


def _list_groups_on_board(
    scene: TurnContext, choices: Sequence[ActionGroup]
) -> tuple[list[ActionGroup], list[tuple[str, Problem]], Overlay]:
    """List an actor's actions on a map, given those that need no space.

    Returns the groups, each choice with the names of its interrupters, then the titles and problems of unavailable
    actions, and the overlay of the moves. The overlay has no visible spaces unless an available action can be aimed at
    a distance.
    Rules: `grid.move.once`, `grid.blast.target`, `grid.hold.reposition`, `grid.interrupt.trigger.move`,
    `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    reach = build_reach_overlay(scene)
    added = {
        REPOSITION.do: tuple(_list_reposition_variants(scene)),
        MOVE.do: tuple(_list_move_variants(scene, reach)),
        BLAST.do: tuple(_list_blast_variants(scene, reach.visible_spaces)),
    }
    blast = target_independent_problems(scene, BLAST.do) or required_ability_problems(scene.actor, BLAST.do)
    why = {REPOSITION.do: held_target_problems(scene), MOVE.do: path_independent_move_problems(scene), BLAST.do: blast}
    barred = [(BUTTON_LABELS[do], (why[do] or _no_space_problems(scene, do))[0]) for do in added if not added[do]]
    opened = [build_action_group(scene, do, choosing) for do, choosing in added.items() if choosing]
    made = [*opened, *(replace(each, variants=_add_interrupter_names(scene, each)) for each in choices)]
    is_aiming = any(each.do in (*FAR_ATTACKS, BLAST.do) for each in made)
    return made, barred, reach if is_aiming else replace(reach, visible_spaces=None)


def _no_space_problems(scene: TurnContext, do: str) -> list[Problem]:
    return rule_problems("space.none", ALL_SPECS[do].rule, "a space to reach", "none", "act", actor=scene.actor.name)


# Moves


def _list_move_variants(scene: TurnContext, reach: Overlay) -> Iterator[ActionVariant]:
    """Yield the spaces to move to, by cost. Rules: `grid.move.base`, `grid.escape.exit`."""
    board = scene.state.board
    for cost, spaces in reach.stops_by_cost.items():
        offers = []
        for space in spaces:
            label = format_space(space) if board and board.contains(space) else f"off the edge at {format_space(space)}"
            exposes = _format_interrupters(reach.interrupt_windows.get(space, ()))
            offer = build_action_choice(Action(scene.actor.id, MOVE.do, path=reach.routes[space].path), label)
            offers.append(replace(offer, space=format_space(space), interrupter_names=exposes))
        yield ActionVariant(f"for {cost}", tuple(offers))


def _format_interrupters(moments: Iterable[InterruptWindow]) -> str:
    return _format_names(who for moment in moments for who in moment.interrupters)


def _format_names(who: Iterable[Fighter]) -> str:
    names = list(dict.fromkeys(each.name for each in who))
    return join_words(names) if names else ""


def _list_reposition_variants(scene: TurnContext) -> Iterator[ActionVariant]:
    """Yield the ways of repositioning the held target, as one variant.

    They are swapping places with it, and putting it 1 space further. Rule: `grid.hold.reposition`.
    """
    if held_target_problems(scene):
        return
    found = [each for each in list_legal_board_actions(scene) if each.do == REPOSITION.do]
    spaces = [format_space(each.space) if each.space else "" for each in found]
    offers = tuple(
        replace(build_action_choice(each, f"to {space}" if space else "swap places"), space=space)
        for each, space in zip(found, spaces, strict=True)
    )
    if offers:
        yield ActionVariant(scene.state.fighter(scene.state.ledger.held).name, offers)


# Blasts


def _list_blast_variants(scene: TurnContext, clear: frozenset[Space] | None) -> Iterator[ActionVariant]:
    """Yield a variant with the useful blasts for each choice of abilities.

    There is one blast for each set of characters that a blast can catch: at a space without interrupters if possible,
    then at the nearest one. The sets with the most enemies and the fewest allies come first.
    Rules: `grid.blast.target`, `grid.blast.area`, `grid.interrupt.trigger.far-attack`.
    """
    state, actor = scene.state, scene.actor
    board = state.board
    if board is None or clear is None or actor.at is None or target_independent_problems(scene, BLAST.do):
        return
    sets: dict[tuple[str, ...], tuple[bool, int, Space]] = {}
    for space in board.spaces:
        who = list_blast_target_ids(state, space) if space in clear and not board.is_solid(space) else ()
        if who:
            key = (bool(_find_interrupter_names(scene, BLAST.do, (), space)), board.distance(actor.at, space), space)
            sets[who] = min(sets.get(who, key), key)
    spaces = [
        space for _, (*_, space) in sorted(sets.items(), key=lambda pair: (-_rate_blast(scene, pair[0]), pair[1]))
    ]
    for uses in rank_ability_options(scene, BLAST.do) if spaces else ():
        yield ActionVariant(
            format_abilities(actor, uses), tuple(build_blast_choice(scene, uses, space) for space in spaces)
        )


def _rate_blast(scene: TurnContext, who: Sequence[str]) -> int:
    fighters = [scene.state.fighter(each) for each in who]
    return sum(-2 if each.side == scene.actor.side else 1 for each in fighters if not each.is_down)


def build_blast_choice(scene: TurnContext, uses: AbilityNames, space: Space) -> ActionChoice:
    """Build the button of a blast at a space. Rule: `grid.blast.area`.

    Its targets are all characters that it catches, each with a chance; it names the characters who may interrupt it.
    """
    action = Action(scene.actor.id, BLAST.do, uses=uses, space=space)
    fighters = [scene.state.fighter(each) for each in list_blast_target_ids(scene.state, space)]
    label = f"{_format_names(fighters) or 'no one'}, at {format_space(space)}"
    are_foes = all(each.side != scene.actor.side for each in fighters)
    is_likely = are_foes and any(not each.is_down for each in fighters)
    offer = add_attack_chances(scene, build_action_choice(action, label, is_likely=is_likely), uses, fighters)
    hit = tuple(each.id for each in fighters)
    return replace(
        offer,
        targets=hit,
        needed_rolls="",
        space=format_space(space),
        interrupter_names=_find_interrupter_names(scene, BLAST.do, (), space),
    )


def _list_blast_targets(state: EncounterState, actor: str) -> frozenset[str]:
    """Return the ids of enemies that may be chosen for a blast.

    They need not be within its reach. Returns an empty set without a map.
    """
    side = state.fighter(actor).side
    there = (each for each in state.fighters if not each.is_out)
    return frozenset(each.id for each in there if each.side != side) if state.board is not None else frozenset()


def aim_blast(state: EncounterState, turn: TurnMenu) -> TurnMenu:
    """Aim a blast on a map at the enemies that the player has chosen.

    The returned menu says which of them it can't catch. Of several that no blast catches together the last one counts.
    Returns the menu unchanged without a map, a blast, or chosen enemies.
    Rules: `grid.blast.target`, `grid.blast.area`.
    """
    side = state.fighter(turn.actor).side
    enemies = [each for each in turn.targets if state.fighter(each).side != side]
    blast = next((each for each in turn.action_groups if each.do == BLAST.do), None)
    if state.board is None or blast is None or not (turn.has_chosen_targets and enemies):
        return turn
    offers = blast.variants[0].choices
    within_reach = {target for offer in offers for target in offer.targets}
    catchable = [each for each in enemies if each in within_reach]
    uncaught = _explain_uncaught([state.fighter(each) for each in enemies if each not in within_reach])
    if not catchable:
        return replace(turn, uncaught_text=uncaught)

    def rank(offer: ActionChoice) -> tuple[bool, int, bool]:
        return catchable[-1] in offer.targets, sum(each in offer.targets for each in catchable), offer.is_likely

    best = max(offers, key=rank)
    ways = tuple(
        replace(way, choices=tuple(replace(each, is_likely=each.space == best.space) for each in way.choices))
        for way in blast.variants
    )
    missed, caught_too = (
        join_words([state.fighter(each).name for each in catchable if (each in best.targets) == is_caught])
        for is_caught in (False, True)
    )
    if missed:
        uncaught = f"{uncaught} A blast can't catch {missed} together with {caught_too}.".strip()
    choices = tuple(replace(each, variants=ways) if each is blast else each for each in turn.action_groups)
    return replace(turn, action_groups=choices, uncaught_text=uncaught)


def _explain_uncaught(enemies: Sequence[Fighter]) -> str:
    """Explain why no blast catches these enemies. Rules: `grid.blast.target`, `swimming.deep-evade`."""
    diving = [each.name for each in enemies if each.is_deep_evading]
    unseen = [each.name for each in enemies if not each.is_deep_evading]
    why_diving = f"A blast can't catch {join_words(diving)} under water." if diving else ""
    why_unseen = ""
    if unseen:
        center = unseen[0] if len(unseen) == 1 else "any of them"
        why_unseen = f"A blast can't catch {join_words(unseen)}: you can't see any space within 1 space of {center}."
    return f"{why_diving} {why_unseen}".strip()


def _add_interrupter_names(scene: TurnContext, choice: ActionGroup) -> tuple[ActionVariant, ...]:
    """Return a group's variants with the names of each choice's interrupters."""
    if choice.do not in (*FAR_ATTACKS, EVADE.do):
        return choice.variants
    known: dict[tuple[str, ...], str] = {}

    def with_interrupters(offer: ActionChoice) -> ActionChoice:
        if offer.targets not in known:
            known[offer.targets] = _find_interrupter_names(scene, choice.do, offer.targets)
        return replace(offer, interrupter_names=known[offer.targets])

    return tuple(replace(way, choices=tuple(map(with_interrupters, way.choices))) for way in choice.variants)


def _find_interrupter_names(scene: TurnContext, do: str, targets: tuple[str, ...], space: Space | None = None) -> str:
    """Return the names of the characters who may interrupt an action, a move excepted.

    Rules: `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    return _format_interrupters(list_interrupt_windows(scene, Action(scene.actor.id, do, targets, space=space)))


# Interrupts


def build_interrupt_question(state: EncounterState, due: Prompt, faces: str = "") -> Question:
    """Build the question who interrupts the pending action.

    It lists who may do so, in turn order, characters who would leave cover for it included. `faces` are the faces
    rolled for the action already.
    Rules: `grid.interrupt.what`, `grid.interrupt.roll`, `grid.interrupt.once`, `act.cover.stay`.
    """
    leavers = [each.id for each in state.fighters if may_leave_cover_to_interrupt(state, each.id)]
    state = take_fighters_out_of_cover(state, leavers)
    exposure = state.pending_action
    moments: dict[str, list[int]] = {}
    for moment, who in list_possible_interrupts(state, exposure):
        moments.setdefault(who.id, []).append(moment)
    answerers = []
    for (who_id, when), actions in groupby(list_interrupts(state), key=lambda action: (action.actor, action.when)):
        moment = moments[who_id][0] if when is None else when
        scene, target = TurnContext(state, state.fighter(who_id)), state.fighter(exposure.who)
        words = _format_moment(state, exposure, moment)
        offers = _list_interrupt_choices(scene, list(actions), target)
        answerers.append((moment, Interrupter(who_id, scene.actor.name, words, offers, who_id in leavers)))
    first = answerers[0][0] if answerers else 0
    now = tuple(each for moment, each in answerers if moment == first)
    later = tuple(each for moment, each in answerers if moment != first)
    nobody = build_action_choice(
        Action(exposure.who, SETTLE.do), "No interruption, continue" if later else "No one interrupts"
    )
    aloud = f"{due.question}. Does anyone interrupt?"
    return Question(due.question, due.who, aloud, (), now, later, nobody, faces)


def _list_interrupt_choices(scene: TurnContext, actions: Sequence[Action], target: Fighter) -> tuple[ActionChoice, ...]:
    """List the buttons of a character's interrupts at one moment.

    The best choice of abilities comes first.
    """
    order = rank_ability_options(scene, INTERRUPT.do)
    offers = []
    for action in sorted(actions, key=lambda each: each.uses != order[0]):
        face = scene.get_prepared_attack(INTERRUPT.do, action.uses or (), target).lowest_success_face
        offers.append(
            build_action_choice(
                action, format_abilities(scene.actor, action.uses or ()), *format_chance_and_rolls(face)
            )
        )
    return tuple(offers)


def _format_moment(state: EncounterState, exposure: PendingAction, moment: int) -> str:
    """Format the moment at which a move may be interrupted. Rule: `grid.interrupt.trigger.move`.

    Returns "" for other actions, which have only one moment.
    """
    if not exposure.is_move:
        return ""
    at = state.fighter(exposure.who).at
    space = exposure.path[moment - 1] if moment > exposure.walked else at
    where = f"at {format_space(space)}, " if space else ""
    spaces = f"after {moment} space{'' if moment == 1 else 's'}" if moment else "before the first step"
    return f"{where}{spaces}"
