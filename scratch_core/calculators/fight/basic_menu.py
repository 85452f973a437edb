"""The menu of the basic rules without a map: who may act, what the legal actions look like, and crafted bonuses."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from scratch_core.calculators.fight.action_menu import ActionPresenter, build_action_groups
from scratch_core.calculators.fight.attack_forecast import (
    add_forecast,
    describe_untargeted_action_effect,
    format_chance_and_rolls,
)
from scratch_core.calculators.fight.menu_records import (
    ActionChoice,
    ActionGroup,
    ActionVariant,
    TurnMenu,
    format_compact_json,
)
from scratch_core.characters import HURRY_DIFFICULTY
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    TURN_ACTIONS,
    AbilityNames,
    Action,
    TurnContext,
    attack_target_problems,
    choose_best_abilities,
    healing_target_problems,
    is_crafting_locked_by_encounter,
    list_legal_craft_actions,
    list_target_independent_problems,
    required_ability_problems,
)
from scratch_core.encounter.engine import apply_events, plan_events_until_turn_start
from scratch_core.encounter.narration import describe_delay_cause, list_current_or_next_actors
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.rulebook.action_spec import Targets
from scratch_core.rulebook.actions import ACTION_SPECS, COUNTER_HOLD, CRAFT, END_TURN, SECOND_BLOW

MAX_TARGET_SETS = 20
"""The most sets of targets that are evaluated. Beyond it, only single targets and the chosen ones are."""

MAX_FIGHTERS_FOR_CRAFTING = 30
"""The largest number of fighters for which crafted bonuses are listed."""

BUTTON_LABELS = {do: spec.button or spec.title for do, spec in ACTION_SPECS.items()}
"""The label of each action's button, from the rulebook, by the action's name."""

SIMPLE_ACTIONS = tuple(
    do for do in TURN_ACTIONS if not ACTION_SPECS[do].needs_target and not ACTION_SPECS[do].usable_abilities
)
"""The actions without a target and without a choice of abilities."""


class BasicPresenter(ActionPresenter[Action]):
    """How the legal actions of an actor look without a map.

    The choices of abilities are variants, the best first, and the targets are their choices. Rules:
    `act.basic.available`, `act.heal`, `craft.bonus`.
    """

    def __init__(self, context: TurnContext, target_ids: Sequence[str] = ()) -> None:
        """Take the actor, and the chosen targets as in `TurnMenu.targets`."""
        self.context = context
        self.target_ids = target_ids
        self._fighters = {each.id: each for each in context.state.fighters}

    def select_and_sort_button_actions(self, action_name: str, actions: Iterable[Action]) -> Iterable[Action]:
        """Return an action's legal variants, within the limits of targets and crafting.

        An action with a follow-up has one target now.
        """
        spec, actor = ACTION_SPECS[action_name], self.context.actor
        if action_name == CRAFT.do:
            return self._select_craft_actions_for_companions(actions)
        if spec.follow_up:
            actions = takewhile(lambda each: len(each.targets) == 1, actions)
        elif spec.targets.most > 1:
            actions = self._limit_target_set_count(actions, spec.targets)
        if not spec.usable_abilities:
            return actions
        best = choose_best_abilities(actor, action_name, self.context.state.rulings)
        return sorted(actions, key=lambda each: each.uses != best)

    def _limit_target_set_count(self, actions: Iterable[Action], target_counts: Targets) -> list[Action]:
        """Return the actions of at most `MAX_TARGET_SETS` sets of targets.

        With more sets there are those for each target alone, and those for the chosen targets together. The
        rest of `actions` is never listed then.
        """
        found: list[Action] = []
        sets = set[tuple[str, ...]]()
        for action in actions:
            sets.add(action.targets)
            if len(sets) > MAX_TARGET_SETS and len(action.targets) > target_counts.least:
                break
            found.append(action)
        else:
            return found
        single = [each for each in found if len(each.targets) == target_counts.least]
        possible_ids = {each for action in single for each in action.targets}
        chosen = tuple(each for each in self._fighters if each in possible_ids and each in self.target_ids)
        if not 1 < len(chosen) <= target_counts.most:
            return single
        together = {each.uses: replace(each, targets=chosen) for each in single}
        return [*single, *together.values()]

    def _select_craft_actions_for_companions(self, actions: Iterable[Action]) -> list[Action]:
        """Return the bonuses for companions. Rules: `craft.bonus`, `craft.hurry`, `craft.duration`."""
        actor = self.context.actor
        if not _has_craft_menu(self.context.state, actor):
            return []
        return [each for each in actions if self._fighters[each.targets[0]].side == actor.side]

    def get_variant_key(self, action: Action) -> Hashable:
        """Return the choice of abilities, or the target of a crafted bonus.

        An action without a target has one variant.
        """
        if action.do == CRAFT.do:
            return action.targets
        return action.uses if ACTION_SPECS[action.do].needs_target else None

    def format_variant(self, action: Action) -> str:
        """Format the abilities, or the target of a crafted bonus. Returns "" without a target."""
        if action.do == CRAFT.do:
            return f"for {self._fighters[action.targets[0]].name}"
        return format_abilities(self.context.actor, action.uses) if ACTION_SPECS[action.do].needs_target else ""

    def build_choice(self, action: Action) -> ActionChoice:
        """Build the button of an action, with the forecast of its rolls."""
        actor, do = self.context.actor, action.do
        if do == CRAFT.do:
            return _build_craft_choice(actor, action)
        if not action.targets:
            label = format_abilities(actor, action.uses) or BUTTON_LABELS[do]
            return replace(
                build_action_choice(action, label),
                effect=describe_untargeted_action_effect(actor, do, action.uses or ()),
            )
        targets = [self._fighters[each] for each in action.targets]
        friends = [target.side == actor.side for target in targets]
        is_likely = all(friends) if do in HEALING else not any(friends) and not any(each.is_down for each in targets)
        choice = build_action_choice(action, join_words([each.name for each in targets]), is_likely=is_likely)
        return add_forecast(self.context, choice, action.uses, targets)

    def sort_choices(self, choices: Sequence[ActionChoice]) -> Sequence[ActionChoice]:
        """Sort attacks by their value."""
        return sorted(choices, key=lambda choice: choice.attack_value, reverse=True)

    def build_group(self, action_name: str, variants: tuple[ActionVariant, ...]) -> ActionGroup:
        """Build the group of an action in the words of its `ActionSpec`."""
        spec = ACTION_SPECS[action_name]
        if action_name == CRAFT.do:
            effect = "Crafted before a fight: +1 on an ability that a companion already has, until you remove it."
            return ActionGroup(action_name, "Craft a bonus", spec.rule, effect, "outside turns", variants)
        effect = spec.effect if self.context.state.board is None else spec.effect_on_map
        kind = spec.describe_kind(self.context.state.rulings.unrepeatable_scope)
        return ActionGroup(action_name, BUTTON_LABELS[action_name], spec.rule, effect, kind, variants)

    def list_action_titles_with_problems(self, available_names: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """Yield the title of each unavailable action that needs no space, and the reason.

        Yields nothing outside an encounter, and no second blow without a first one, which players don't look for.
        """
        context, has_board = self.context, self.context.state.board is not None
        if not context.is_encounter_running:
            return
        names = [
            do
            for do in TURN_ACTIONS
            if do not in available_names and not (has_board and ACTION_SPECS[do].targets.spaces)
        ]
        for do, problems in list_target_independent_problems(context, names):
            problem = next(problems, None)
            if not (problem and do == SECOND_BLOW.do):
                yield BUTTON_LABELS[do], problem or _untargetable_problems(context, do)[0]


def build_action_choice(
    action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True
) -> ActionChoice:
    """Build the button of an action."""
    return ActionChoice(
        action.do, action.actor, action.targets, label, format_compact_json(action.to_step()), chance, faces, is_likely
    )


def format_abilities(actor: Fighter, uses: AbilityNames | None) -> str:
    """Format the abilities that are added, with their levels.

    Returns "" for None, an action that has no abilities to choose.
    """
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with no ability"


def _untargetable_problems(context: TurnContext, action_name: str) -> list[Problem]:
    """Return why an available action has no possible target."""
    target_problems = healing_target_problems if action_name in HEALING else attack_target_problems
    others = (target for target in context.state.fighters if target.id != context.actor.id)
    rule = ACTION_SPECS[action_name].rule
    no_target = build_rule_problems("target.none", rule, "a target", "none", "act")
    reasons = (target_problems(context, action_name, target) for target in others)
    return required_ability_problems(context.actor, action_name) or next(filter(None, reasons), no_target)


# Whole menus


def sort_likely_attacks_first(groups: Sequence[ActionGroup]) -> tuple[ActionGroup, ...]:
    """Sort attacks by expected damage on the likeliest target, then by hits.

    Other actions follow in their order, then attacks without a likely target.
    """
    attacks = [group for group in groups if ACTION_SPECS[group.do].is_attack]
    likely = sorted(
        (each for each in attacks if each.is_likely), key=lambda group: group.first_choice_attack_value, reverse=True
    )
    rest = [group for group in groups if group not in attacks]
    return (*likely, *rest, *(each for each in attacks if not each.is_likely))


def explain_lost_turn(context: TurnContext, groups: Iterable[ActionGroup]) -> str:
    """Explain why a delayed actor has no actions.

    Returns "" for an actor who isn't delayed, and outside an encounter.
    Rules: `cond.delayed`, `act.wrestling.counter-hold`.
    """
    if not (context.is_encounter_running and context.actor.delays):
        return ""
    reasons = join_words(
        list(dict.fromkeys(describe_delay_cause(context.state, each) for each in context.actor.delays))
    )
    can_counter = any(each.do == COUNTER_HOLD.do for each in groups)
    left = "a counter-hold is the only action" if can_counter else "no regular or bonus action"
    return f"{context.actor.name} is delayed ({reasons}): {left} this turn."


# Actors


def list_possible_actor_ids(state: EncounterState) -> tuple[str, ...]:
    """List the ids of the characters who may act now.

    In an encounter it is their turn, or it may begin. Outside of one, they have healing or craftsmanship.
    """
    if state.phase == "running":
        return list_current_or_next_actors(state)
    present = (each for each in state.fighters if not each.is_out)
    return tuple(each.id for each in present if each.level("healing") or each.level("craftsmanship"))


def list_out_fighter_turn_ends(state: EncounterState) -> tuple[ActionChoice, ...]:
    """List the turn ends of characters who are down or away.

    The player may end their turns between other turns, but need not. Rule: `hp.incapacitated`.
    """
    if state.phase != "running" or not state.turn_over:
        return ()
    inactive = [
        each for each in state.fighters if each.is_out and not plan_events_until_turn_start(state, each.id).problems
    ]
    return tuple(build_action_choice(Action(each.id, END_TURN.do), each.name) for each in inactive)


def build_started_turn_context(state: EncounterState, actor_id: str) -> TurnContext:
    """Return the actor with the state in which the actor acts.

    In an encounter the actor's turn has begun in it.
    """
    if state.phase == "running":
        state = apply_events(state, plan_events_until_turn_start(state, actor_id).events)
    return TurnContext(state, state.fighter(actor_id))


# Crafted bonuses


def build_crafting_menus(state: EncounterState) -> tuple[TurnMenu, ...]:
    """Build the menus of crafters before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_crafting_locked_by_encounter(state):
        return ()
    crafters = [each for each in state.fighters if _has_craft_menu(state, each)]
    groups_by_crafter = (
        (
            each,
            build_action_groups(
                BasicPresenter(TurnContext(state, each)), [(CRAFT.do, list_legal_craft_actions(state, each))]
            ),
        )
        for each in crafters
    )
    return tuple(TurnMenu(each.id, each.name, tuple(groups)) for each, groups in groups_by_crafter if groups)


def _has_craft_menu(state: EncounterState, actor: Fighter) -> bool:
    """Return whether the bonuses that the actor can craft are listed.

    Each of them is checked for every ability of every fighter, so that many fighters take too long.
    """
    return actor.level("craftsmanship") > 0 and len(state.fighters) <= MAX_FIGHTERS_FOR_CRAFTING


def _build_craft_choice(actor: Fighter, action: Action) -> ActionChoice:
    """Build the button of a crafted bonus. Rules: `craft.bonus`, `craft.hurry`, `craft.duration`."""
    if not action.hurry:
        return build_action_choice(action, f"{action.ability}{'' if action.add else ', take away'}")
    face = face_needed(actor.level("craftsmanship"), HURRY_DIFFICULTY)
    return build_action_choice(action, f"{action.ability}, in a hurry", *format_chance_and_rolls(face))
