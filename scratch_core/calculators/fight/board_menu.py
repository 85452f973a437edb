"""The actions of a turn that need a map: moves, blasts at spaces, repositioning, and interrupts.

The overlay finds routes and lines of sight, which take most of the time. The engine lists moves and blasts from them,
so that they are found once.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from scratch_core.board import Space, format_space
from scratch_core.calculators.board_drawing.overlay import Overlay, build_reach_overlay
from scratch_core.calculators.fight.action_menu import build_action_groups, list_unavailable_actions
from scratch_core.calculators.fight.attack_forecast import add_attack_chances, format_chance_and_rolls
from scratch_core.calculators.fight.basic_menu import (
    BUTTON_LABELS,
    SIMPLE_ACTIONS,
    BasicPresenter,
    build_action_choice,
    build_started_turn_context,
    explain_lost_turn,
    format_abilities,
    sort_likely_attacks_first,
)
from scratch_core.calculators.fight.menu_records import (
    MAX_TARGETS,
    ActionChoice,
    ActionGroup,
    Interrupter,
    Question,
    TurnMenu,
    toggle_targets,
)
from scratch_core.encounter.actions import (
    ALL_SPECS,
    AbilityNames,
    Action,
    InterruptWindow,
    TurnContext,
    choose_best_abilities,
    list_blast_target_ids,
    list_interrupt_windows,
    list_interrupts,
    list_legal_actions_by_name,
    list_possible_interrupters,
    may_leave_cover_to_interrupt,
    missing_held_target_problems,
    path_independent_move_problems,
    required_ability_problems,
    take_fighters_out_of_cover,
    target_independent_problems,
)
from scratch_core.encounter.state import EncounterState, Fighter, PendingAction
from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.rulebook.actions import BLAST, END_TURN, EVADE, INTERRUPT, MOVE, REPOSITION, SETTLE
from scratch_core.turn_systems import Prompt

FAR_ATTACKS = tuple(do for do, spec in ALL_SPECS.items() if spec.exposes == "far" and not spec.targets.spaces)
"""The attacks on one target that expose their actor if the target is far away."""

FIRST_ACTIONS = (REPOSITION.do, MOVE.do, BLAST.do)
"""The actions with spaces, in the order in which they precede all others on a map."""


def build_turn_menu(
    state: EncounterState,
    actor_id: str,
    target_ids: Sequence[str] = (),
    pressed_ids: Sequence[str] = (),
    hidden_ids: Set[str] = frozenset(),
) -> tuple[TurnMenu, Overlay | None]:
    """Build the menu of an actor and, on a map, the overlay of its moves.

    `target_ids` were chosen before, `pressed_ids` those pressed since. The characters of `hidden_ids` are targets only
    if they are among those, or if there are no others. The overlay is None without a map and outside an encounter. Its
    `visible_spaces` is None unless an available action can be aimed at a distance. Rules: `act.basic.available`,
    `grid.scope`.
    """
    context = build_started_turn_context(state, actor_id)
    chosen_ids = toggle_targets(target_ids, pressed_ids, MAX_TARGETS)
    presenter, groups, overlay = _build_groups(context, chosen_ids)
    simple = [choice for each in groups if each.do in SIMPLE_ACTIONS for choice in each.main_choices]
    others = [each for each in groups if each.do not in SIMPLE_ACTIONS]
    menu = TurnMenu(
        actor_id,
        context.actor.name,
        sort_likely_attacks_first(others) if context.is_encounter_running else tuple(others),
        tuple(choice for choice in simple if choice.do != END_TURN.do),
        list_unavailable_actions(presenter, {each.do for each in groups}),
        explain_lost_turn(context, groups),
        next((choice for choice in simple if choice.do == END_TURN.do), None),
        blast_targets=_list_present_enemies_on_map(state, actor_id)
        if any(each.do == BLAST.do for each in groups)
        else frozenset(),
    )
    return menu.with_targets(target_ids, pressed_ids, hidden_ids), overlay


def _build_groups(
    context: TurnContext, target_ids: Sequence[str]
) -> tuple[BasicPresenter, list[ActionGroup], Overlay | None]:
    """Build the groups of an actor's actions.

    Returns their presenter, the groups, and the overlay of the moves, which is None without a map.
    """
    if context.state.board is None or not context.is_encounter_running:
        basic_presenter = BasicPresenter(context, target_ids)
        return basic_presenter, build_action_groups(basic_presenter, list_legal_actions_by_name(context)), None
    overlay = build_reach_overlay(context)
    presenter = BoardPresenter(context, overlay, target_ids)
    actions_by_name = list_legal_actions_by_name(context, overlay.routes, overlay.visible_spaces or frozenset())
    groups = build_action_groups(presenter, actions_by_name)
    groups.sort(key=lambda each: (*FIRST_ACTIONS, each.do).index(each.do))
    can_aim = any(each.do in (*FAR_ATTACKS, BLAST.do) for each in groups)
    return presenter, groups, overlay if can_aim else replace(overlay, visible_spaces=None)


class BoardPresenter(BasicPresenter):
    """How the legal actions of an actor look on a map: with spaces, and with the names of those who may interrupt.

    Rules: `grid.move.once`, `grid.blast.target`, `grid.hold.reposition`, `grid.interrupt.trigger.move`,
    `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """

    def __init__(self, context: TurnContext, overlay: Overlay, target_ids: Sequence[str] = ()) -> None:
        """Take the actor, the overlay of its moves, and the chosen targets as in `TurnMenu.targets`."""
        super().__init__(context, target_ids)
        self.overlay = overlay
        self._interrupter_names: dict[tuple[str, tuple[str, ...]], str] = {}

    def select_and_sort_button_actions(self, action_name: str, actions: Iterable[Action]) -> Iterable[Action]:
        """Return an action's legal variants, of the blasts only the useful ones.

        Moves are sorted by cost, then row by row.
        """
        if action_name == MOVE.do:
            return sorted(actions, key=self._rank_move_by_cost)
        if action_name == BLAST.do:
            actions = _select_useful_blasts(self.context, actions)
        return super().select_and_sort_button_actions(action_name, actions)

    def _rank_move_by_cost(self, action: Action) -> tuple[int, int, int]:
        column, row = action.path[-1]
        return self._compute_move_cost(action), row, column

    def _compute_move_cost(self, action: Action) -> int:
        return self.overlay.routes[action.path[-1]].cost

    def get_variant_key(self, action: Action) -> Hashable:
        """Return the cost of a move, otherwise what is the variant without a map."""
        return self._compute_move_cost(action) if action.do == MOVE.do else super().get_variant_key(action)

    def format_variant(self, action: Action) -> str:
        """Format the cost of a move, the name of a held target, or the abilities."""
        if action.do == MOVE.do:
            return f"for {self._compute_move_cost(action)}"
        if action.do == REPOSITION.do:
            return self.context.state.name_of(action.targets[0])
        return super().format_variant(action)

    def build_choice(self, action: Action) -> ActionChoice:
        """Build the button of an action, with its space and the names of its interrupters.

        Rules: `grid.move.base`, `grid.escape.exit`, `grid.hold.reposition`.
        """
        if action.do == MOVE.do:
            return self._build_move_choice(action)
        if action.do == BLAST.do and action.space is not None:
            return build_blast_choice(self.context, action.uses or (), action.space)
        if action.do == REPOSITION.do:
            space = format_space(action.space) if action.space else ""
            return replace(build_action_choice(action, f"to {space}" if space else "swap places"), space=space)
        choice = super().build_choice(action)
        if action.do not in (*FAR_ATTACKS, EVADE.do):
            return choice
        return replace(choice, interrupter_names=self._find_interrupter_names(action.do, action.targets))

    def _build_move_choice(self, action: Action) -> ActionChoice:
        board, end = self.context.state.required_board, action.path[-1]
        space = format_space(end)
        names = _format_interrupters(self.overlay.interrupt_windows.get(end, ()))
        choice = build_action_choice(action, space if end in board else f"off the edge at {space}")
        return replace(choice, space=space, interrupter_names=names)

    def _find_interrupter_names(self, action_name: str, targets: tuple[str, ...]) -> str:
        """Find who may interrupt an action, which doesn't depend on its abilities."""
        key = action_name, targets
        if key not in self._interrupter_names:
            self._interrupter_names[key] = _find_interrupter_names(self.context, action_name, targets)
        return self._interrupter_names[key]

    def sort_choices(self, choices: Sequence[ActionChoice]) -> Sequence[ActionChoice]:
        """Sort attacks at characters by their value. Those at spaces are sorted already."""
        return choices if choices[0].space else super().sort_choices(choices)

    def list_action_titles_with_problems(self, available_names: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """Yield the title of each unavailable action and the reason, those with spaces last."""
        yield from super().list_action_titles_with_problems(available_names)
        for do in FIRST_ACTIONS:
            if do not in available_names:
                reasons = self._list_space_independent_problems(do)
                yield BUTTON_LABELS[do], (reasons or _build_no_space_problems(self.context, do))[0]

    def _list_space_independent_problems(self, action_name: str) -> list[Problem]:
        """Return what forbids an action with spaces, whatever the space."""
        context = self.context
        if action_name == REPOSITION.do:
            return missing_held_target_problems(context)
        if action_name == MOVE.do:
            return path_independent_move_problems(context)
        return target_independent_problems(context, action_name) or required_ability_problems(
            context.actor, action_name
        )


def _build_no_space_problems(context: TurnContext, do: str) -> list[Problem]:
    return build_rule_problems(
        "space.none", ALL_SPECS[do].rule, "a space to reach", "none", "act", actor=context.actor.name
    )


def _format_interrupters(windows: Iterable[InterruptWindow]) -> str:
    return _format_names(fighter for window in windows for fighter in window.interrupters)


def _format_names(fighters: Iterable[Fighter]) -> str:
    names = list(dict.fromkeys(fighter.name for fighter in fighters))
    return join_words(names) if names else ""


# Blasts


def _select_useful_blasts(context: TurnContext, actions: Iterable[Action]) -> list[Action]:
    """Select the best blast for each set of characters that a blast can catch.

    There is one for each choice of abilities. It is at a space without interrupters if possible, then at the nearest
    one. The sets with the most enemies and the fewest allies come first.
    Rules: `grid.blast.target`, `grid.blast.area`, `grid.interrupt.trigger.far-attack`.
    """
    state, start = context.state, context.actor.at
    actions_by_space: dict[Space, list[Action]] = {}
    for action in actions:
        if action.space is not None:
            actions_by_space.setdefault(action.space, []).append(action)
    best_by_targets: dict[tuple[str, ...], tuple[bool, int, Space]] = {}
    for space in actions_by_space if start else ():
        target_ids = list_blast_target_ids(state, space)
        if target_ids and start:
            distance = state.required_board.distance(start, space)
            key = (bool(_find_interrupter_names(context, BLAST.do, (), space)), distance, space)
            best_by_targets[target_ids] = min(best_by_targets.get(target_ids, key), key)
    ranked = sorted(best_by_targets.items(), key=lambda pair: (-_rate_blast(context, pair[0]), pair[1]))
    return [action for _, (*_, space) in ranked for action in actions_by_space[space]]


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


def _list_present_enemies_on_map(state: EncounterState, actor_id: str) -> frozenset[str]:
    """Return the ids of enemies that may be chosen for a blast.

    They need not be within its reach. Returns an empty set without a map.
    """
    side = state.fighter(actor_id).side
    present = (each for each in state.fighters if not each.is_out)
    return frozenset(each.id for each in present if each.side != side) if state.board is not None else frozenset()


def aim_blast_at_chosen_enemies(state: EncounterState, menu: TurnMenu) -> TurnMenu:
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
    uncaught = _explain_enemies_outside_blast([state.fighter(each) for each in enemies if each not in within_reach])
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


def _explain_enemies_outside_blast(enemies: Sequence[Fighter]) -> str:
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


def _find_interrupter_names(
    context: TurnContext, action_name: str, targets: tuple[str, ...], space: Space | None = None
) -> str:
    """Return the names of the characters who may interrupt an action, a move excepted.

    Rules: `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    return _format_interrupters(
        list_interrupt_windows(context, Action(context.actor.id, action_name, targets, space=space))
    )


# Interrupts


def build_interrupt_question(state: EncounterState, prompt: Prompt, pending_faces: str = "") -> Question:
    """Build the question who interrupts the pending action.

    It lists who may do so, in turn order, characters who would leave cover for it included. `pending_faces` are the
    faces rolled for the action already. Rules: `grid.interrupt.what`, `grid.interrupt.roll`, `grid.interrupt.once`,
    `act.cover.stay`.
    """
    leavers = [each.id for each in state.fighters if may_leave_cover_to_interrupt(state, each.id)]
    state = take_fighters_out_of_cover(state, leavers)
    pending = state.required_pending_action
    moments_by_fighter: dict[str, list[int]] = {}
    for moment, fighter in list_possible_interrupters(state, pending):
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
        prompt.question,
        prompt.who,
        spoken_text,
        (),
        first_interrupters,
        later_interrupters,
        decline_choice,
        pending_faces,
    )


def _list_interrupt_choices(
    context: TurnContext, actions: Sequence[Action], target: Fighter
) -> tuple[ActionChoice, ...]:
    """List the buttons of a character's interrupts at one moment.

    The best choice of abilities comes first.
    """
    best = choose_best_abilities(context.actor, INTERRUPT.do, context.state.rulings)
    choices = []
    for action in sorted(actions, key=lambda each: each.uses != best):
        face = context.get_or_build_attack(INTERRUPT.do, action.uses or (), target).lowest_success_face
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
