"""The menu of a turn system whose actions roll no dice: the legal actions with their controls.

All of it follows from the specs of the actions and their `Field`s: targets and choices become buttons, numbers and
flags become controls.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.fight.action_menu import ActionPresenter, build_action_groups, list_unavailable_actions
from scratch_core.calculators.fight.menu_records import (
    ActionChoice,
    ActionControl,
    ActionGroup,
    ActionVariant,
    Question,
    TurnMenu,
    UnavailableAction,
    format_compact_json,
)
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.fight.variant_controls import (
    format_control_name,
    list_action_controls,
    list_event_controls,
    list_initially_unticked_fields,
    list_size_fields,
)
from scratch_core.errors import Problem
from scratch_core.turn_systems import LEAVE, FightState, Prompt, build_target_not_in_fight_problems
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, GenericTurnSystem
from scratch_core.turn_systems.mano_old.records import USES
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAX_BUTTONS = 12
"""The maximum number of choices with a button each. More of them become a list with one button."""

POOL_ORDER = ("other", "defence", "stun")
"""The pools that a spent point can go to, the usual one first. Rule: `mano-old.action.uses`."""


def build_menu_view_arguments(fight: Fight, prompt: Prompt, active: str) -> dict[str, Any]:
    """Build the arguments of `FightView` that offer actions.

    They are the question that waits for an answer, the menu of the turn, the groups that begin a turn, and the table
    events. `prompt` is what the page asks for now, `active` the current or next actor. Rules: `mano.turn.options`,
    `mano.counter.timing`, `mano-old.phases`, `seize.choose-next`, `seize.claim`.
    """
    system, state = VARIANT_TURN_SYSTEMS[fight.system.name], fight.state
    who = prompt.who or active
    last_use = next((str(step["use"]) for step in reversed(fight.steps) if "use" in step), "")
    presenter = VariantPresenter(system, state, who, last_use)
    groups = {each.do: each for each in build_action_groups(presenter, presenter.actions_by_name.items())}
    specs = [system.specs_by_name[do] for do in groups]
    answers = _merge_answers_into_one_group(system, state, [groups[spec.do] for spec in specs if spec.is_answer])
    others = tuple(groups[spec.do] for spec in specs if not (spec.is_answer or spec.is_start or spec.ends_turn))
    end = next((groups[spec.do].main_choices[0] for spec in specs if spec.ends_turn), None)
    return {
        "question": Question(prompt.question, prompt.who, f"Round {max(1, state.round)}. {prompt.question}", answers)
        if prompt.question
        else None,
        "turn_menus": (
            TurnMenu(
                who,
                state.name_of(who),
                others,
                (),
                _limit_unavailable_actions_per_reason(presenter) if who else (),
                end_turn_choice=end,
            ),
        ),
        "start_groups": tuple(groups[spec.do] for spec in specs if spec.is_start),
        "table_events": tuple(
            _build_table_event(system, state, spec) for spec in system.specs if spec.is_fact and spec.verb
        ),
    }


def _merge_answers_into_one_group(
    system: GenericTurnSystem[Any], state: FightState[Any], answers: Sequence[ActionGroup]
) -> tuple[ActionGroup, ...]:
    """Return one group with a variant for each character that can answer.

    Returns the answers unchanged if their buttons don't name characters.
    """
    if not answers or not system.specs_by_name[answers[0].do].by_name or answers[0].controls:
        return tuple(answers)
    choices_by_actor = zip(*(each.main_choices for each in answers), strict=True)
    variants = tuple(ActionVariant(state.name_of(choices[0].actor), choices) for choices in choices_by_actor)
    return (replace(answers[0], variants=variants),)


class VariantPresenter(ActionPresenter[GenericAction]):
    """How the legal actions of a turn system without dice look, the answers first.

    Numbers and flags become controls, and all other differences become buttons.
    """

    def __init__(self, system: GenericTurnSystem[Any], state: FightState[Any], actor: str, last_use: str) -> None:
        """Take the actor of the menu, or "", and the last use of points in the fight, or ""."""
        self.system = system
        self.state = state
        self.actor = actor
        self.last_use = last_use
        self.actions_by_name = _list_actions_by_name(system, state)
        self._actors_by_name = {do: {each.actor for each in found} for do, found in self.actions_by_name.items()}

    def select_and_sort_button_actions(self, action_name: str, actions: Iterable[GenericAction]) -> list[GenericAction]:
        """Return an action's legal variants without the values of its controls.

        An attack lists the current actor first, then characters of other sides. The variant without a target comes
        last. Actions that spend points come in the order of the last use, then of the usual pool.
        Rule: `mano-old.action.uses`.
        """
        spec, state = self.system.specs_by_name[action_name], self.state
        blank_values: dict[str, Any] = dict.fromkeys((each.name_in_action for each in list_size_fields(spec)), 0)
        blank_values |= dict.fromkeys((each.name_in_action for each in list_initially_unticked_fields(spec)), False)
        bare = [*dict.fromkeys(replace(action, **blank_values) for action in actions)]
        if any(action.use for action in bare):
            bare.sort(key=lambda action: (action.use != self.last_use, (*POOL_ORDER, action.to).index(action.to)))
        if not bare:
            return []
        is_attack = _may_be_attack(spec)
        current = self.system.find_current_or_next_actor(state) if is_attack else ""
        side = state.fighter(bare[0].actor).side
        allies = [each.id for each in state.fighters if each.side == side]
        bare.sort(
            key=lambda action: (
                not action.target,
                is_attack and action.target != current,
                is_attack and action.target in allies,
            )
        )
        return bare

    def get_variant_key(self, action: GenericAction) -> Hashable:
        """Return the label of its variant."""
        return self.format_variant(action)

    def format_variant(self, action: GenericAction) -> str:
        """Format what its points are used for. Returns "" for an action without points."""
        return USES.get(action.use, "")

    def build_choice(self, action: GenericAction) -> ActionChoice:
        """Build the button of an action."""
        return _build_choice(self.system, self.state, action, self._has_one_actor(action.do))

    def _has_one_actor(self, do: str) -> bool:
        """Return whether no other character can take the action now."""
        return len(self._actors_by_name[do]) == 1

    def build_group(self, action_name: str, variants: tuple[ActionVariant, ...]) -> ActionGroup:
        """Build the group of an action with its controls."""
        spec, actions = self.system.specs_by_name[action_name], self.actions_by_name[action_name]
        actor = actions[0].actor if self._has_one_actor(action_name) else ""
        group = _assemble_group(spec, [*list_action_controls(spec, actions)], variants, actor)
        return replace(group, is_expanded=spec.is_answer or not _may_be_attack(spec))

    def list_action_titles_with_problems(self, available_names: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """Yield the title of each action that is not open, and its first problem.

        An action that any character may take is checked for each of them.
        """
        system, state, actor = self.system, self.state, self.actor
        others = [each.id for each in state.fighters if each.id != actor and not each.out]
        sample_values: Mapping[str, Mapping[str, Any]] = {
            "combo": {"count": 1, "weapons": 1},
            "spend": {"points": 1, "use": "manoeuvre", "to": "other"},
            "choose": {"target": others[0] if others else ""},
        }
        for spec in sorted(system.specs, key=lambda each: not each.is_answer):
            if spec.is_fact or spec.is_refusal or spec.do in available_names:
                continue
            for who in (actor, *others) if spec.by_anybody else (actor,):
                problems = system.check_action(state, GenericAction(who, spec.do, **sample_values.get(spec.do, {})))
                if problems:
                    owner_text = f" ({state.name_of(who)})" if spec.by_anybody else ""
                    yield f"{spec.verb}{owner_text}", problems[0]


def _list_actions_by_name(system: GenericTurnSystem[Any], state: FightState[Any]) -> dict[str, list[GenericAction]]:
    """List the open actions with their legal variants by all actors, the answers first."""
    pairs = system.list_legal_actor_action_pairs(state)
    open_names = {do for _, do in pairs}
    specs = sorted(system.specs, key=lambda each: not each.is_answer)
    actions_by_name: dict[str, list[GenericAction]] = {spec.do: [] for spec in specs if spec.do in open_names}
    for actor, do in pairs:
        actions_by_name[do] += system.list_legal_actions_named(state, actor, do)
    return actions_by_name


def _may_be_attack(spec: GenericActionSpec) -> bool:
    """Return whether the action may be an attack: its target may be left out."""
    return any((field.key, field.default) == ("target", "") for field in spec.fields)


def _limit_unavailable_actions_per_reason(presenter: VariantPresenter) -> tuple[UnavailableAction, ...]:
    """List the actions that the actor can't take now, by reason.

    Each reason has at most `MAX_BUTTONS` actions.
    """
    unavailable = list_unavailable_actions(presenter, presenter.actions_by_name)
    return tuple(UnavailableAction(each.titles[:MAX_BUTTONS], each.problem) for each in unavailable)


def _build_table_event(system: GenericTurnSystem[Any], state: FightState[Any], spec: GenericActionSpec) -> ActionGroup:
    """Build the group of a table event.

    It is a loss of hit points, stun, damage, or a character that leaves. If no character can have it now, the group has
    the problem instead of choices. Rules: `seize.claim`, `mano-old.pools`.
    """
    do = spec.do
    present = [each.id for each in state.fighters if not each.out]
    actions = [GenericAction(who, do) if do == LEAVE else GenericAction("", do, who, points=1) for who in present]
    legal_actions = [action for action in actions if not system.check_action(state, action)]
    if not legal_actions:
        problem = (
            system.check_action(state, actions[0]) if actions else build_target_not_in_fight_problems(spec.rule, "", do)
        )[0]
        unavailable_text = spec.unavailable_text if problem.got == "none" else ""
        return ActionGroup(
            do, spec.verb, spec.rule, spec.effect, is_expanded=True, problem=problem, unavailable_text=unavailable_text
        )
    choices = [_build_choice(system, state, replace(action, points=0), is_only_actor=True) for action in legal_actions]
    controls = [*list_event_controls(system, state, legal_actions)]
    variants = (ActionVariant("", tuple(choices)),)
    return ActionGroup(
        do, spec.verb, spec.rule, spec.effect, variants=variants, is_expanded=True, controls=tuple(controls)
    )


def _assemble_group(
    spec: GenericActionSpec,
    controls: Sequence[ActionControl],
    variants: tuple[ActionVariant, ...],
    actor: str,
) -> ActionGroup:
    """Assemble the group of an action from its controls and variants.

    More than `MAX_BUTTONS` choices become a list with one button.
    """
    choices = [
        (f"{variant.label} {choice.label}".strip(), choice) for variant in variants for choice in variant.choices
    ]
    if len(choices) > MAX_BUTTONS:
        options = tuple((choice.step, label) for label, choice in choices)
        list_control = ActionControl(
            format_control_name(spec.do, "pick"), "select", "which" if actor else "who", options
        )
        button = ActionChoice(spec.do, actor, (), spec.verb, json.dumps({"do": spec.do}))
        controls, variants = (list_control, *controls), (ActionVariant("", (button,)),)
    return ActionGroup(
        spec.do, spec.verb, spec.rule, spec.effect, variants=variants, is_expanded=True, controls=tuple(controls)
    )


def _build_choice(
    system: GenericTurnSystem[Any], state: FightState[Any], action: GenericAction, is_only_actor: bool
) -> ActionChoice:
    """Build the button of an action.

    `is_only_actor`: no other character can take the action now.
    """
    spec = system.specs_by_name[action.do]
    step = {key: value for key, value in action.to_step().items() if key != "points"}
    label = _format_distinguishing_label(system, state, action, is_only_actor)
    spoken_label = "" if label in (spec.verb, spec.short) else f"{spec.verb}: {spec.target_preposition}"
    return ActionChoice(
        action.do,
        action.actor,
        (action.target,) if action.target else (),
        label,
        format_compact_json(step),
        spoken_label=spoken_label,
    )


def _format_distinguishing_label(
    system: GenericTurnSystem[Any], state: FightState[Any], action: GenericAction, is_only_actor: bool
) -> str:
    """Format the label of an action's button: what the row's name does not say."""
    spec = system.specs_by_name[action.do]
    if action.take:
        return ", ".join(f"{points} HP from {pool}" for pool, points in action.take)
    if action.to:
        return f"into {action.to}"
    target = state.name_of(action.target)
    if any(field.key == "after" for field in spec.fields):
        return f"{'after' if action.after else 'before'} {target}"
    if any(field.key == "target" for field in spec.fields):
        return target or "not an attack"
    return (
        spec.short or spec.verb
        if spec.is_answer or (is_only_actor and not spec.by_name)
        else state.name_of(action.actor)
    )
