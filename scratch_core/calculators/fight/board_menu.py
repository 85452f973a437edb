"""The actions of a turn that need a map: moves, blasts at spaces, repositioning, and interrupts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from scratch_core.board import Space, format_space
from scratch_core.calculators.board_drawing.overlay import Overlay, build_reach_overlay
from scratch_core.calculators.fight.action_menu import (
    BUTTON_LABELS,
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
)
from scratch_core.calculators.fight.menu_records import (
    MAX_TARGETS,
    ActionChoice,
    ActionGroup,
    ActionVariant,
    Interrupter,
    Question,
    TurnMenu,
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

FAR_ATTACKS = tuple(do for do, spec in ALL_SPECS.items() if spec.exposes == "far" and not spec.targets.spaces)
"""The attacks on one target that expose their actor if the target is far away."""


def build_turn_menu(
    state: EncounterState,
    actor: str,
    target_ids: Sequence[str] = (),
    pressed: Sequence[str] = (),
    hidden_ids: Set[str] = frozenset(),
) -> tuple[TurnMenu, Overlay | None]:
    """Build the menu of an actor and, on a map, the overlay of its moves.

    `target_ids` were chosen before, `pressed` those pressed since. The characters of `hidden_ids` are targets only if
    they are among those, or if there are no others. The overlay is None without a map and outside an encounter.
    Rules: `act.basic.available`, `grid.scope`.
    """
    context = build_turn_context(state, actor)
    groups, simple, unavailable = list_actions_without_spaces(context, update_targets(target_ids, pressed, MAX_TARGETS))
    overlay = None
    if state.board is not None and context.is_encounter_running:
        groups, unavailable_on_board, overlay = _list_groups_on_board(context, groups)
        unavailable += unavailable_on_board
    menu = TurnMenu(
        actor,
        context.actor.name,
        sort_by_attack_value(groups) if context.is_encounter_running else tuple(groups),
        tuple(choice for choice in simple if choice.do != END_TURN.do),
        group_unavailable_actions(unavailable),
        explain_delay(context, groups),
        next((choice for choice in simple if choice.do == END_TURN.do), None),
        blast_targets=_list_blast_targets(state, actor) if any(each.do == BLAST.do for each in groups) else frozenset(),
    )
    return menu.with_targets(target_ids, pressed, hidden_ids), overlay


def _list_groups_on_board(
    context: TurnContext, groups: Sequence[ActionGroup]
) -> tuple[list[ActionGroup], list[tuple[str, Problem]], Overlay]:
    """List an actor's actions on a map, given those that need no space.

    Returns the groups, each choice with the names of its interrupters, then the titles and problems of unavailable
    actions, and the overlay of the moves. The overlay's `visible_spaces` is None unless an available action can be
    aimed at a distance.
    Rules: `grid.move.once`, `grid.blast.target`, `grid.hold.reposition`, `grid.interrupt.trigger.move`,
    `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    overlay = build_reach_overlay(context)
    variants_by_action = {
        REPOSITION.do: tuple(_list_reposition_variants(context)),
        MOVE.do: tuple(_list_move_variants(context, overlay)),
        BLAST.do: tuple(_list_blast_variants(context, overlay.visible_spaces)),
    }
    blast_problems = target_independent_problems(context, BLAST.do) or required_ability_problems(
        context.actor, BLAST.do
    )
    reasons = {
        REPOSITION.do: held_target_problems(context),
        MOVE.do: path_independent_move_problems(context),
        BLAST.do: blast_problems,
    }
    unavailable = [
        (BUTTON_LABELS[do], (reasons[do] or _no_space_problems(context, do))[0])
        for do in variants_by_action
        if not variants_by_action[do]
    ]
    board_groups = [
        build_action_group(context, do, variants) for do, variants in variants_by_action.items() if variants
    ]
    all_groups = [*board_groups, *(replace(each, variants=_add_interrupter_names(context, each)) for each in groups)]
    is_aiming = any(each.do in (*FAR_ATTACKS, BLAST.do) for each in all_groups)
    return all_groups, unavailable, overlay if is_aiming else replace(overlay, visible_spaces=None)


def _no_space_problems(context: TurnContext, do: str) -> list[Problem]:
    return rule_problems("space.none", ALL_SPECS[do].rule, "a space to reach", "none", "act", actor=context.actor.name)


# Moves


def _list_move_variants(context: TurnContext, overlay: Overlay) -> Iterator[ActionVariant]:
    """Yield the spaces to move to, by cost. Rules: `grid.move.base`, `grid.escape.exit`."""
    board = context.state.board
    for cost, spaces in overlay.stops_by_cost.items():
        choices = []
        for space in spaces:
            label = format_space(space) if board and space in board else f"off the edge at {format_space(space)}"
            interrupter_names = _format_interrupters(overlay.interrupt_windows.get(space, ()))
            choice = build_action_choice(Action(context.actor.id, MOVE.do, path=overlay.routes[space].path), label)
            choices.append(replace(choice, space=format_space(space), interrupter_names=interrupter_names))
        yield ActionVariant(f"for {cost}", tuple(choices))


def _format_interrupters(windows: Iterable[InterruptWindow]) -> str:
    return _format_names(fighter for window in windows for fighter in window.interrupters)


def _format_names(fighters: Iterable[Fighter]) -> str:
    names = list(dict.fromkeys(fighter.name for fighter in fighters))
    return join_words(names) if names else ""


def _list_reposition_variants(context: TurnContext) -> Iterator[ActionVariant]:
    """Yield the ways of repositioning the held target, as one variant.

    They are swapping places with it, and putting it 1 space further. Rule: `grid.hold.reposition`.
    """
    if held_target_problems(context):
        return
    actions = [each for each in list_legal_board_actions(context) if each.do == REPOSITION.do]
    spaces = [format_space(each.space) if each.space else "" for each in actions]
    choices = tuple(
        replace(build_action_choice(each, f"to {space}" if space else "swap places"), space=space)
        for each, space in zip(actions, spaces, strict=True)
    )
    if choices:
        yield ActionVariant(context.state.fighter(context.state.ledger.held).name, choices)


# Blasts


def _list_blast_variants(context: TurnContext, visible_spaces: frozenset[Space] | None) -> Iterator[ActionVariant]:
    """Yield a variant with the useful blasts for each choice of abilities.

    There is one blast for each set of characters that a blast can catch: at a space without interrupters if possible,
    then at the nearest one. The sets with the most enemies and the fewest allies come first.
    Rules: `grid.blast.target`, `grid.blast.area`, `grid.interrupt.trigger.far-attack`.
    """
    state, actor = context.state, context.actor
    board = state.board
    if board is None or visible_spaces is None or actor.at is None or target_independent_problems(context, BLAST.do):
        return
    best_by_targets: dict[tuple[str, ...], tuple[bool, int, Space]] = {}
    for space in board.spaces:
        target_ids = (
            list_blast_target_ids(state, space) if space in visible_spaces and not board.is_solid(space) else ()
        )
        if target_ids:
            key = (bool(_find_interrupter_names(context, BLAST.do, (), space)), board.distance(actor.at, space), space)
            best_by_targets[target_ids] = min(best_by_targets.get(target_ids, key), key)
    spaces = [
        space
        for _, (*_, space) in sorted(
            best_by_targets.items(), key=lambda pair: (-_rate_blast(context, pair[0]), pair[1])
        )
    ]
    for uses in rank_ability_options(context, BLAST.do) if spaces else ():
        yield ActionVariant(
            format_abilities(actor, uses), tuple(build_blast_choice(context, uses, space) for space in spaces)
        )


def _rate_blast(context: TurnContext, target_ids: Sequence[str]) -> int:
    fighters = [context.state.fighter(each) for each in target_ids]
    return sum(-2 if each.side == context.actor.side else 1 for each in fighters if not each.is_down)


def build_blast_choice(context: TurnContext, uses: AbilityNames, space: Space) -> ActionChoice:
    """Build the button of a blast at a space. Rule: `grid.blast.area`.

    Its targets are all characters that it catches, each with a chance; it names the characters who may interrupt it.
    """
    action = Action(context.actor.id, BLAST.do, uses=uses, space=space)
    fighters = [context.state.fighter(each) for each in list_blast_target_ids(context.state, space)]
    label = f"{_format_names(fighters) or 'no one'}, at {format_space(space)}"
    are_foes = all(each.side != context.actor.side for each in fighters)
    is_likely = are_foes and any(not each.is_down for each in fighters)
    choice = add_attack_chances(context, build_action_choice(action, label, is_likely=is_likely), uses, fighters)
    target_ids = tuple(each.id for each in fighters)
    return replace(
        choice,
        targets=target_ids,
        needed_rolls="",
        space=format_space(space),
        interrupter_names=_find_interrupter_names(context, BLAST.do, (), space),
    )


def _list_blast_targets(state: EncounterState, actor: str) -> frozenset[str]:
    """Return the ids of enemies that may be chosen for a blast.

    They need not be within its reach. Returns an empty set without a map.
    """
    side = state.fighter(actor).side
    present = (each for each in state.fighters if not each.is_out)
    return frozenset(each.id for each in present if each.side != side) if state.board is not None else frozenset()


def aim_blast(state: EncounterState, menu: TurnMenu) -> TurnMenu:
    """Aim a blast on a map at the enemies that the player has chosen.

    The returned menu says which of them it can't catch. Of several that no blast catches together the last one counts.
    Returns the menu unchanged without a map, a blast, or chosen enemies.
    Rules: `grid.blast.target`, `grid.blast.area`.
    """
    side = state.fighter(menu.actor).side
    enemies = [each for each in menu.targets if state.fighter(each).side != side]
    blast = next((each for each in menu.action_groups if each.do == BLAST.do), None)
    if state.board is None or blast is None or not (menu.has_chosen_targets and enemies):
        return menu
    choices = blast.variants[0].choices
    within_reach = {target for choice in choices for target in choice.targets}
    catchable = [each for each in enemies if each in within_reach]
    uncaught = _explain_uncaught([state.fighter(each) for each in enemies if each not in within_reach])
    if not catchable:
        return replace(menu, uncaught_text=uncaught)

    def rank(choice: ActionChoice) -> tuple[bool, int, bool]:
        return catchable[-1] in choice.targets, sum(each in choice.targets for each in catchable), choice.is_likely

    best = max(choices, key=rank)
    variants = tuple(
        replace(variant, choices=tuple(replace(each, is_likely=each.space == best.space) for each in variant.choices))
        for variant in blast.variants
    )
    missed, caught_too = (
        join_words([state.fighter(each).name for each in catchable if (each in best.targets) == is_caught])
        for is_caught in (False, True)
    )
    if missed:
        uncaught = f"{uncaught} A blast can't catch {missed} together with {caught_too}.".strip()
    groups = tuple(replace(each, variants=variants) if each is blast else each for each in menu.action_groups)
    return replace(menu, action_groups=groups, uncaught_text=uncaught)


def _explain_uncaught(enemies: Sequence[Fighter]) -> str:
    """Explain why no blast catches these enemies. Rules: `grid.blast.target`, `swimming.deep-evade`."""
    diving = [each.name for each in enemies if each.is_deep_evading]
    out_of_sight = [each.name for each in enemies if not each.is_deep_evading]
    why_diving = f"A blast can't catch {join_words(diving)} under water." if diving else ""
    why_out_of_sight = ""
    if out_of_sight:
        center = out_of_sight[0] if len(out_of_sight) == 1 else "any of them"
        why_out_of_sight = (
            f"A blast can't catch {join_words(out_of_sight)}: you can't see any space within 1 space of {center}."
        )
    return f"{why_diving} {why_out_of_sight}".strip()


def _add_interrupter_names(context: TurnContext, group: ActionGroup) -> tuple[ActionVariant, ...]:
    """Return a group's variants with the names of each choice's interrupters."""
    if group.do not in (*FAR_ATTACKS, EVADE.do):
        return group.variants
    names_by_targets: dict[tuple[str, ...], str] = {}

    def with_interrupters(choice: ActionChoice) -> ActionChoice:
        if choice.targets not in names_by_targets:
            names_by_targets[choice.targets] = _find_interrupter_names(context, group.do, choice.targets)
        return replace(choice, interrupter_names=names_by_targets[choice.targets])

    return tuple(replace(variant, choices=tuple(map(with_interrupters, variant.choices))) for variant in group.variants)


def _find_interrupter_names(context: TurnContext, do: str, targets: tuple[str, ...], space: Space | None = None) -> str:
    """Return the names of the characters who may interrupt an action, a move excepted.

    Rules: `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    return _format_interrupters(list_interrupt_windows(context, Action(context.actor.id, do, targets, space=space)))


# Interrupts


def build_interrupt_question(state: EncounterState, prompt: Prompt, faces: str = "") -> Question:
    """Build the question who interrupts the pending action.

    It lists who may do so, in turn order, characters who would leave cover for it included. `faces` are the faces
    rolled for the action already.
    Rules: `grid.interrupt.what`, `grid.interrupt.roll`, `grid.interrupt.once`, `act.cover.stay`.
    """
    leavers = [each.id for each in state.fighters if may_leave_cover_to_interrupt(state, each.id)]
    state = take_fighters_out_of_cover(state, leavers)
    pending = state.pending_action
    moments_by_fighter: dict[str, list[int]] = {}
    for moment, fighter in list_possible_interrupts(state, pending):
        moments_by_fighter.setdefault(fighter.id, []).append(moment)
    interrupters = []
    for (actor_id, when), actions in groupby(list_interrupts(state), key=lambda action: (action.actor, action.when)):
        moment = moments_by_fighter[actor_id][0] if when is None else when
        context, target = TurnContext(state, state.fighter(actor_id)), state.fighter(pending.who)
        timing = _format_moment(state, pending, moment)
        choices = _list_interrupt_choices(context, list(actions), target)
        interrupters.append((moment, Interrupter(actor_id, context.actor.name, timing, choices, actor_id in leavers)))
    first_moment = interrupters[0][0] if interrupters else 0
    first_interrupters = tuple(each for moment, each in interrupters if moment == first_moment)
    later_interrupters = tuple(each for moment, each in interrupters if moment != first_moment)
    decline_choice = build_action_choice(
        Action(pending.who, SETTLE.do), "No interruption, continue" if later_interrupters else "No one interrupts"
    )
    spoken_text = f"{prompt.question}. Does anyone interrupt?"
    return Question(
        prompt.question, prompt.who, spoken_text, (), first_interrupters, later_interrupters, decline_choice, faces
    )


def _list_interrupt_choices(
    context: TurnContext, actions: Sequence[Action], target: Fighter
) -> tuple[ActionChoice, ...]:
    """List the buttons of a character's interrupts at one moment.

    The best choice of abilities comes first.
    """
    order = rank_ability_options(context, INTERRUPT.do)
    choices = []
    for action in sorted(actions, key=lambda each: each.uses != order[0]):
        face = context.get_prepared_attack(INTERRUPT.do, action.uses or (), target).lowest_success_face
        choices.append(
            build_action_choice(
                action, format_abilities(context.actor, action.uses or ()), *format_chance_and_rolls(face)
            )
        )
    return tuple(choices)


def _format_moment(state: EncounterState, pending: PendingAction, moment: int) -> str:
    """Format the moment at which a move may be interrupted. Rule: `grid.interrupt.trigger.move`.

    Returns "" for other actions, which have only one moment.
    """
    if not pending.is_move:
        return ""
    at = state.fighter(pending.who).at
    space = pending.path[moment - 1] if moment > pending.walked else at
    where = f"at {format_space(space)}, " if space else ""
    spaces = f"after {moment} space{'' if moment == 1 else 's'}" if moment else "before the first step"
    return f"{where}{spaces}"
