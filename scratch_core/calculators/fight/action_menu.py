"""The actions of a turn for the template: every legal action once, and why others are unavailable.

All turn systems have the same menus; this module builds those of the basic rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.characters import HURRY_DIFFICULTY
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    ROLL_ACTIONS,
    TURN_ACTIONS,
    AbilityNames,
    Action,
    TurnContext,
    attack_target_problems,
    choose_best_abilities,
    compute_usual_damage,
    get_named_or_best_abilities,
    healing_target_problems,
    is_crafting_locked,
    list_ability_options,
    list_legal_craft_actions,
    list_roll_parts,
    required_ability_problems,
    sum_damage_and_hits_over_faces,
    target_independent_problems,
)
from scratch_core.encounter.engine import apply_events, plan_turn_start
from scratch_core.encounter.narration import describe_delay_cause, list_turn_candidates
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, join_words, rule_problems
from scratch_core.rulebook.action_spec import ONE
from scratch_core.rulebook.actions import (
    ACTION_SPECS,
    BLAST,
    COUNTER_HOLD,
    CRAFT,
    DOUBLE_ATTACK,
    END_TURN,
    EVADE,
    HOLD,
    MOVE,
    NOTHING,
    SECOND_BLOW,
)

MAX_TARGET_SETS = 20
"""The most sets of targets that are evaluated. Beyond it, only single targets and the chosen ones are."""

MAX_ACTION_CHOICES = 300
"""The most choices of all turn menus together that are shown at once; further menus open with a button."""

MAX_FIGHTERS_FOR_CRAFTING = 30
"""The largest number of fighters for which crafted bonuses are listed."""

BUTTON_LABELS = {do: spec.button or spec.title for do, spec in ACTION_SPECS.items()}
"""The label of each action's button, from the rulebook, by the action's name."""

MAX_TARGETS = 3
"""The most targets of one action. Rule: `act.blasting`."""

TARGET_KEYS = ("target", "targets", "at")
"""The keys of a step that hold its target."""

SHORTCUT_KEYS = "123456789"
"""The keyboard keys that press the offered actions, in their order."""

COLLAPSED_ACTIONS = (CRAFT.do, MOVE.do)
"""The actions with so many buttons that they are collapsed and have no shortcut key."""

SIMPLE_ACTIONS = tuple(
    do for do in TURN_ACTIONS if not ACTION_SPECS[do].needs_target and not ACTION_SPECS[do].usable_abilities
)
"""The actions without a target and without a choice of abilities."""


@dataclass(frozen=True, slots=True)
class ActionChoice:
    """A legal action as a button."""

    do: str
    """The action's name."""
    actor: str
    """The actor's id."""
    targets: tuple[str, ...]
    """The ids of its targets."""
    label: str
    """The text of its button."""
    step: str
    """The step that it sends, as JSON."""
    chance_text: str = ""
    """The chance of each of its rolls, such as `45%, 60%`, or ""."""
    needed_rolls: str = ""
    """The rolls that succeed, such as `12 or more; 9 or more`, or ""."""
    is_likely: bool = True
    """Whether a player would consider it: an attack on enemies who aren't down, or help for companions."""
    space: str = ""
    """On a map, the space that it leads to or is aimed at, or ""."""
    interrupter_names: str = ""
    """The names of the characters who may interrupt it, or ""."""
    total_damage: int = 0
    """The damage of all its rolls, summed over the 20 faces of each."""
    total_hits: int = 0
    """The hits of all its rolls, summed over the 20 faces of each."""
    effect: str = ""
    """The description for this actor, "" if it equals that of the group."""
    spoken_label: str = ""
    """The words that are read aloud before the label."""
    warnings: tuple[str, ...] = ()
    """Consequences that a player wouldn't expect."""

    @property
    def attack_value(self) -> tuple[int, int]:
        """The damage, then the hits, by which attacks are compared."""
        return self.total_damage, self.total_hits

    @property
    def untargeted_step(self) -> str:
        """The step without its target.

        The player chooses the target in one place for all actions.
        """
        return _format_compact_json(
            {key: value for key, value in json.loads(self.step).items() if key not in TARGET_KEYS}
        )

    @property
    def target_fields(self) -> dict[str, object]:
        """The target fields of the step."""
        return {key: value for key, value in json.loads(self.step).items() if key in TARGET_KEYS}


@dataclass(frozen=True, slots=True)
class ActionControl:
    """A field of an action's form."""

    name: str
    """The name of the control."""
    kind: str
    """`tick`, `number` or `select`."""
    label: str
    """The label."""
    options: tuple[tuple[str, str], ...] = ()
    """The options of a `select`, as values and labels, the default first."""


@dataclass(frozen=True, slots=True)
class ActionVariant:
    """One way of doing an action, with its targets."""

    label: str
    """What is special to it, such as `with fighting 3` or `for Wren`, or ""."""
    choices: tuple[ActionChoice, ...]
    """Its choices: one for each target, space or crafted bonus."""


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """An action on screen: available in one or more variants, or unavailable because of a problem."""

    do: str
    """The action's name."""
    title: str
    """The label of its buttons."""
    rule: str
    """The id of its rule."""
    effect: str
    """The description of the action."""
    kind: str = "regular"
    """The part of a turn that it uses, as in `ActionSpec.kind`, or `outside turns`."""
    variants: tuple[ActionVariant, ...] = ()
    """The variants, the best first; () if it is unavailable."""
    is_expanded: bool = False
    """Whether all variants are shown side by side, because none is likelier than the others."""
    controls: tuple[ActionControl, ...] = ()
    """The fields of its form."""
    problem: Problem | None = None
    """The reason why it is unavailable, or None."""
    unavailable_text: str = ""
    """The sentence for players that replaces that of the problem, or ""."""

    @property
    def is_likely(self) -> bool:
        """Whether any of its choices is a likely one."""
        return any(choice.is_likely for variant in self.variants for choice in variant.choices)

    @property
    def main_choices(self) -> tuple[ActionChoice, ...]:
        """The likely choices of the best variant.

        Of an expanded group they are the choices of all variants. If no choice is likely, they are all of the best
        variant.
        """
        if self.is_expanded:
            return tuple(choice for variant in self.variants for choice in variant.choices)
        likely = tuple(choice for choice in self.variants[0].choices if choice.is_likely)
        return likely or self.variants[0].choices

    def choose_for_targets(self, target_ids: Sequence[str]) -> ActionChoice:
        """Return what the group's button does for the chosen targets.

        `target_ids` are the chosen targets, the last chosen last. The choice has as many of them and as few others as
        possible; among equals, it has the last chosen one. Without any of them it is the first of `main_choices`.
        """

        def fit(choice: ActionChoice) -> tuple[bool, int, int]:
            matches = [target_ids.index(target_id) for target_id in choice.targets if target_id in target_ids]
            return (True, 2 * len(matches) - len(choice.targets), max(matches)) if matches else (False, 0, 0)

        return max(self.main_choices, key=fit)

    def list_alternatives(self, choice: ActionChoice) -> tuple[ActionChoice, ...]:
        """List the choices with the same targets and space but other abilities."""
        all_choices = (each for variant in self.variants for each in variant.choices)
        return tuple(
            each
            for each in all_choices
            if (each.targets, each.space) == (choice.targets, choice.space) and each != choice
        )

    @property
    def untargeted_choice(self) -> ActionChoice | None:
        """The choice without a target, for an action that can have one.

        Its step has an empty target, so that the chosen target isn't added to it. None if all main choices have a
        target.
        """
        untargeted = (choice for choice in self.main_choices if not choice.targets)
        return next(
            (replace(each, step=_format_compact_json({**json.loads(each.step), "target": ""})) for each in untargeted),
            None,
        )

    def find_unlikely_choice(self, target_ids: Sequence[str]) -> ActionChoice | None:
        """Find the best variant's choice for the last chosen target, if it is unlikely.

        Returns None if there is no such choice, or if it is one of `main_choices`.
        """
        candidates = (
            each for each in self.variants[0].choices if each.targets == tuple(target_ids[-1:]) and not each.is_likely
        )
        return next((each for each in candidates if each not in self.main_choices), None)

    @property
    def attack_value(self) -> tuple[int, int]:
        """The damage and hits of the first main choice, (0, 0) without a roll."""
        return self.main_choices[0].attack_value if self.main_choices else (0, 0)


@dataclass(frozen=True, slots=True)
class UnavailableAction:
    """Actions that are unavailable for the same reason."""

    titles: tuple[str, ...]
    """The labels of the actions."""
    problem: Problem
    """The reason."""


@dataclass(frozen=True, slots=True)
class Interrupter:
    """A character who may interrupt the pending action."""

    id: str
    """The character's id."""
    name: str
    """The character's name."""
    timing: str
    """The moment of a move, such as `at 3,1, after 2 spaces`, "" for other actions."""
    choices: tuple[ActionChoice, ...]
    """A choice for each choice of abilities, the best first."""
    is_in_cover: bool = False
    """Whether the character leaves cover for the interrupt."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that must be answered before the fight goes on."""

    text: str
    """The question, as shown."""
    actor: str
    """The id of the character that it is about."""
    spoken_text: str
    """The question, as read aloud."""
    action_groups: tuple[ActionGroup, ...] = ()
    """The answers, if it isn't about interrupts."""
    first_interrupters: tuple[Interrupter, ...] = ()
    """The characters who may interrupt at the first moment."""
    later_interrupters: tuple[Interrupter, ...] = ()
    """The characters who may interrupt at a later moment."""
    decline_choice: ActionChoice | None = None
    """The button that lets the pending action continue, or None."""
    rolled_faces: str = ""
    """The faces already rolled for the pending action, "" for none."""

    @property
    def visible_steps(self) -> Iterator[str]:
        """The steps of the answers that are available now, as JSON."""
        yield from (choice.step for each in self.first_interrupters for choice in each.choices)
        yield from (choice.step for group in self.action_groups for choice in group.main_choices)


@dataclass(frozen=True, slots=True)
class TurnMenu:
    """The actions of a character who may act now."""

    actor: str
    """The actor's id."""
    actor_name: str
    """The actor's name."""
    action_groups: tuple[ActionGroup, ...]
    """The available actions with a choice of targets or abilities."""
    simple_choices: tuple[ActionChoice, ...] = ()
    """The available actions without such a choice."""
    unavailable_actions: tuple[UnavailableAction, ...] = ()
    """The other actions, and why they are unavailable."""
    delay_text: str = ""
    """The reason why a delayed actor has no actions, or ""."""
    end_turn_choice: ActionChoice | None = None
    """The end of the turn, or None."""
    targets: tuple[str, ...] = ()
    """The ids of the targets that the buttons are aimed at, the last chosen last."""
    has_chosen_targets: bool = False
    """Whether the player has chosen the targets."""
    uncaught_text: str = ""
    """Which chosen targets a blast on a map can't catch, in words, or ""."""
    blast_targets: frozenset[str] = frozenset()
    """The ids of the enemies that may be chosen for a blast on a map, caught or not."""

    @property
    def offered_simple_choices(self) -> tuple[ActionChoice, ...]:
        """The simple choices that have a button.

        *Nothing* has none if the turn has an end, which does the same. Rule: `turn.do-nothing`.
        """
        if self.end_turn_choice is None:
            return self.simple_choices
        return tuple(choice for choice in self.simple_choices if choice.do != NOTHING.do)

    @property
    def has_unused_action(self) -> bool:
        """Whether the regular action of the turn could still be used. Rule: `act.regular`."""
        return any(group.kind.startswith("regular") for group in self.action_groups)

    @property
    def main_rows(self) -> tuple[tuple[ActionGroup, ActionChoice], ...]:
        """The likely actions, each with what its button does.

        The last rows are unlikely choices of these actions against a target that the player has chosen.
        """
        likely_rows, _ = self._rows_by_likelihood
        unlikely_rows = (
            (group, group.find_unlikely_choice(self.targets)) for group, _ in likely_rows if self.has_chosen_targets
        )
        return (*likely_rows, *((group, choice) for group, choice in unlikely_rows if choice))

    @property
    def _rows_by_likelihood(
        self,
    ) -> tuple[list[tuple[ActionGroup, ActionChoice]], list[tuple[ActionGroup, ActionChoice]]]:
        """The likely actions and the unlikely ones, each with what its button does.

        An action without a likely choice, such as help for enemies only, counts as likely in two cases: a chosen target
        is one of its targets, and no likely action has the same targets; or there is no likely action. Groups that are
        expanded or collapsed are left out.
        """
        rows = [
            (each, each.choose_for_targets(self.targets))
            for each in self.action_groups
            if not (each.is_expanded or each.do in COLLAPSED_ACTIONS)
        ]
        likely_targets = [choice.targets for group, choice in rows if group.is_likely]
        likely_rows, unlikely_rows = list[tuple[ActionGroup, ActionChoice]](), list[tuple[ActionGroup, ActionChoice]]()
        for group, choice in rows:
            has_chosen_target = choice.targets not in likely_targets and not {*choice.targets}.isdisjoint(self.targets)
            (likely_rows if group.is_likely or has_chosen_target or not likely_targets else unlikely_rows).append(
                (group, choice)
            )
        return likely_rows, unlikely_rows

    @property
    def collapsed_groups(self) -> tuple[ActionGroup, ...]:
        """The actions that are not in rows: the collapsed and the expanded ones."""
        return tuple(group for group in self.action_groups if group.is_expanded or group.do in COLLAPSED_ACTIONS)

    @property
    def alternative_rows(self) -> tuple[tuple[ActionGroup, ActionChoice], ...]:
        """The likely actions with other abilities, then the unlikely actions."""
        alternatives = (
            (group, choice) for group, main_choice in self.main_rows for choice in group.list_alternatives(main_choice)
        )
        return (
            *alternatives,
            *((group, choice) for group, _ in self._rows_by_likelihood[1] for choice in group.main_choices),
        )

    def with_targets(
        self, target_ids: Sequence[str], pressed: Sequence[str], hidden_ids: Set[str] = frozenset()
    ) -> TurnMenu:
        """Return the menu with its actions aimed at the chosen targets.

        `target_ids` were chosen before, `pressed` those pressed since, as in `update_targets`. If none of them is a
        possible target, the likeliest ones are chosen; those of `hidden_ids` only if there is no other.
        """
        chosen = update_targets(target_ids, pressed, MAX_TARGETS if self.can_target_several else 1)
        return replace(
            self,
            targets=tuple(each for each in chosen if each in self.possible_targets)
            or self._find_likely_targets(hidden_ids),
        )

    def _find_likely_targets(self, hidden_ids: Set[str]) -> tuple[str, ...]:
        first = next((choice.targets for _, choice in self.main_rows if choice.targets), ())
        if hidden_ids.isdisjoint(first):
            return first
        variants = (
            variant for group, choice in self.main_rows if choice.targets == first for variant in group.variants
        )
        others = (each.targets for variant in variants for each in variant.choices if each.targets and each.is_likely)
        return next((each for each in others if hidden_ids.isdisjoint(each)), first)

    @property
    def possible_targets(self) -> frozenset[str]:
        """The ids of all possible targets of an action."""
        variants = (variant for group, _ in chain(*self._rows_by_likelihood) for variant in group.variants)
        return (
            frozenset(each for variant in variants for choice in variant.choices for each in choice.targets)
            - {self.actor}
            | self.blast_targets
        )

    @property
    def can_target_several(self) -> bool:
        """Whether an action may have several targets."""
        return any(group.do == BLAST.do for group in self.action_groups)

    @property
    def targets_json(self) -> str:
        """The targets of each action, as JSON for the control `aims`.

        A button sends only the action.
        """
        return _format_compact_json({group.do: choice.target_fields for group, choice in reversed(self.main_rows)})

    @property
    def visible_steps(self) -> Iterator[str]:
        """The steps of all buttons that aren't collapsed, as JSON."""
        yield from (choice.step for _, choice in self.main_rows)
        yield from (choice.step for choice in self.offered_simple_choices)
        yield from (choice.step for group in self.action_groups if group.is_expanded for choice in group.main_choices)

    @property
    def choice_count(self) -> int:
        """The number of choices on offer."""
        turn_ends = 1 if self.end_turn_choice else 0
        return (
            turn_ends
            + len(self.simple_choices)
            + sum(len(variant.choices) for group in self.action_groups for variant in group.variants)
        )


def update_targets(target_ids: Sequence[str], pressed: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the ids of the targets after the player has pressed some.

    With `most` above 1, pressing a target again removes it. Only the last `most` targets remain.
    """
    for pressed_id in pressed:
        is_removed = pressed_id in target_ids and most > 1
        others = [each for each in target_ids if each != pressed_id]
        target_ids = (others if is_removed else [*others, pressed_id])[-most:]
    return tuple(target_ids)


def _format_compact_json(tree: object) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def assign_shortcut_keys(steps: Iterable[str]) -> dict[str, str]:
    """Assign a keyboard key to each of the first nine steps."""
    return dict(zip(dict.fromkeys(steps), SHORTCUT_KEYS, strict=False))


def group_unavailable_actions(unavailable: Iterable[tuple[str, Problem]]) -> tuple[UnavailableAction, ...]:
    """Group the titles of unavailable actions by the sentence of their problem."""
    groups: dict[str, tuple[list[str], Problem]] = {}
    for title, problem in unavailable:
        groups.setdefault(format_problem_sentence(problem), ([], problem))[0].append(title)
    return tuple(UnavailableAction(tuple(titles), problem) for titles, problem in groups.values())


# Actors


def list_possible_actors(state: EncounterState) -> tuple[str, ...]:
    """List the ids of the characters who may act now.

    In an encounter it is their turn, or it may begin. Outside of one, they have healing or craftsmanship.
    """
    if state.phase == "running":
        return list_turn_candidates(state)
    present = (each for each in state.fighters if not each.is_out)
    return tuple(each.id for each in present if each.level("healing") or each.level("craftsmanship"))


def list_idle_turn_ends(state: EncounterState) -> tuple[ActionChoice, ...]:
    """List the turn ends of characters who are down or away.

    The player may end their turns between other turns, but need not. Rule: `hp.incapacitated`.
    """
    if state.phase != "running" or not state.turn_over:
        return ()
    inactive = [each for each in state.fighters if each.is_out and not plan_turn_start(state, each.id).problems]
    return tuple(build_action_choice(Action(each.id, END_TURN.do), each.name) for each in inactive)


def build_turn_context(state: EncounterState, actor: str) -> TurnContext:
    """Return the actor with the state in which the actor acts.

    In an encounter the actor's turn has begun in it.
    """
    if state.phase == "running":
        state = apply_events(state, plan_turn_start(state, actor).events)
    return TurnContext(state, state.fighter(actor))


def build_crafting_menus(state: EncounterState) -> tuple[TurnMenu, ...]:
    """Build the menus of crafters before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_crafting_locked(state):
        return ()
    groups_by_fighter = ((fighter, tuple(_list_craft_groups(state, fighter))) for fighter in state.fighters)
    return tuple(TurnMenu(fighter.id, fighter.name, groups) for fighter, groups in groups_by_fighter if groups)


# The actions of a turn


def list_actions_without_spaces(
    context: TurnContext, target_ids: Sequence[str] = ()
) -> tuple[list[ActionGroup], list[ActionChoice], list[tuple[str, Problem]]]:
    """List the actions of an actor that don't need a space.

    Returns groups, choices of simple actions, and the titles and problems of unavailable actions. Outside an encounter
    there are only groups, of healing and crafting.
    Rules: `act.basic.available`, `act.heal`, `craft.encounter-lock`.
    """
    groups, simple, unavailable = list[ActionGroup](), list[ActionChoice](), list[tuple[str, Problem]]()
    for do in TURN_ACTIONS if context.is_encounter_running else HEALING:
        if context.state.board is not None and ACTION_SPECS[do].targets.spaces:
            continue
        problems = target_independent_problems(context, do)
        if problems and do == SECOND_BLOW.do:  # players don't look for it
            continue
        variants = () if problems else tuple(_list_variants(context, do, target_ids))
        if not any(variant.choices for variant in variants):
            unavailable.append((BUTTON_LABELS[do], (problems or _untargetable_problems(context, do))[0]))
        elif do in SIMPLE_ACTIONS:
            simple += variants[0].choices
        else:
            groups.append(build_action_group(context, do, variants))
    if context.is_encounter_running:
        return groups, simple, unavailable
    return [*groups, *_list_craft_groups(context.state, context.actor)], simple, []


def build_action_group(context: TurnContext, do: str, variants: tuple[ActionVariant, ...]) -> ActionGroup:
    """Build the group of an available action in the words of its `ActionSpec`."""
    spec = ACTION_SPECS[do]
    effect = spec.effect if context.state.board is None else spec.effect_on_map
    return ActionGroup(do, BUTTON_LABELS[do], spec.rule, effect, spec.kind, variants)


def explain_delay(context: TurnContext, groups: Iterable[ActionGroup]) -> str:
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


def sort_by_attack_value(groups: Sequence[ActionGroup]) -> tuple[ActionGroup, ...]:
    """Sort attacks by expected damage on the likeliest target, then by hits.

    Other actions follow in their order, then attacks without a likely target.
    """
    attacks = [group for group in groups if ACTION_SPECS[group.do].is_attack]
    likely = sorted((each for each in attacks if each.is_likely), key=lambda group: group.attack_value, reverse=True)
    rest = [group for group in groups if group not in attacks]
    return (*likely, *rest, *(each for each in attacks if not each.is_likely))


def _list_craft_groups(state: EncounterState, actor: Fighter) -> list[ActionGroup]:
    """List the bonuses that an actor can craft, with a variant for each companion.

    Returns [] without craftsmanship, and if there are more than `MAX_FIGHTERS_FOR_CRAFTING` fighters. Otherwise there
    is at most one group.
    Rules: `craft.bonus`, `craft.hurry`, `craft.duration`.
    """
    if not actor.level("craftsmanship") or len(state.fighters) > MAX_FIGHTERS_FOR_CRAFTING:
        return []
    choices_by_target: dict[str, list[ActionChoice]] = {}
    for action in list_legal_craft_actions(state, actor):
        if state.fighter(action.targets[0]).side != actor.side:
            continue
        chance, suffix = ("", ""), "" if action.add else ", take away"
        if action.hurry:
            chance, suffix = (
                format_chance_and_rolls(face_needed(actor.level("craftsmanship"), HURRY_DIFFICULTY)),
                ", in a hurry",
            )
        choices_by_target.setdefault(action.targets[0], []).append(
            build_action_choice(action, f"{action.ability}{suffix}", *chance)
        )
    if not choices_by_target:
        return []
    variants = tuple(
        ActionVariant(f"for {state.fighter(target).name}", tuple(choices))
        for target, choices in choices_by_target.items()
    )
    effect = "Crafted before a fight: +1 on an ability that a companion already has, until you remove it."
    return [ActionGroup(CRAFT.do, "Craft a bonus", CRAFT.rule, effect, "outside turns", variants)]


def build_action_choice(
    action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True
) -> ActionChoice:
    """Build the button of an action."""
    return ActionChoice(
        action.do, action.actor, action.targets, label, _format_compact_json(action.to_step()), chance, faces, is_likely
    )


def rank_ability_options(context: TurnContext, do: str) -> list[AbilityNames]:
    """List the choices of abilities for an action, the best first."""
    first = choose_best_abilities(context.actor, do, context.state.rulings)
    return sorted(list_ability_options(context.actor, do, context.state.rulings), key=lambda uses: uses != first)


def _list_variants(context: TurnContext, do: str, target_ids: Sequence[str]) -> Iterator[ActionVariant]:
    """Yield the choices of abilities, the best first, each with its targets."""
    actor, spec = context.actor, ACTION_SPECS[do]
    options = rank_ability_options(context, do) if spec.usable_abilities else [None]
    if not spec.needs_target:
        choices = [
            replace(
                build_action_choice(Action(actor.id, do, (), uses), format_abilities(actor, uses) or BUTTON_LABELS[do]),
                effect=_describe_untargeted(actor, do, uses or ()),
            )
            for uses in options
        ]
        yield ActionVariant("", tuple(choices))
        return
    target_problems = healing_target_problems if do in HEALING else attack_target_problems
    possible_targets = [target for target in context.state.fighters if not target_problems(context, do, target)]
    for uses in options:
        choices = sorted(
            _list_targeted_choices(context, do, uses, possible_targets, target_ids),
            key=lambda choice: choice.attack_value,
            reverse=True,
        )
        yield ActionVariant(format_abilities(actor, uses), tuple(choices))


def _list_targeted_choices(
    context: TurnContext,
    do: str,
    uses: AbilityNames | None,
    possible_targets: Sequence[Fighter],
    target_ids: Sequence[str],
) -> Iterator[ActionChoice]:
    """Return a choice for each legal set of targets.

    With more than `MAX_TARGET_SETS` sets there is one for each target alone, and one for `target_ids` together. An
    action with a follow-up has one target now.
    """
    allowed = ONE if ACTION_SPECS[do].follow_up else ACTION_SPECS[do].targets
    count = len(possible_targets) if allowed.most == 1 else min(len(possible_targets), MAX_TARGET_SETS + 1)
    sets = [tuple(possible_targets[index] for index in chosen) for chosen in allowed.list_target_sets(count)]
    if len(sets) > MAX_TARGET_SETS and allowed.most > 1:
        chosen = tuple(target for target in possible_targets if target.id in target_ids)
        sets = [(target,) * allowed.least for target in possible_targets]
        sets += [chosen] if 1 < len(chosen) <= allowed.most else []
    return (_build_targeted_choice(context, do, uses, each) for each in sets)


def _build_targeted_choice(
    context: TurnContext, do: str, uses: AbilityNames | None, targets: Sequence[Fighter]
) -> ActionChoice:
    """Build the button of an action with targets.

    A roll has its chance, an attack also its expected damage.
    """
    action = Action(context.actor.id, do, tuple(target.id for target in targets), uses)
    friends = [target.side == context.actor.side for target in targets]
    likely = all(friends) if do in HEALING else not any(friends) and not any(target.is_down for target in targets)
    choice = build_action_choice(action, join_words([target.name for target in targets]), is_likely=likely)
    if do not in ROLL_ACTIONS:
        return choice
    if do in HEALING:
        spec = ACTION_SPECS[do]
        modifier = sum(
            part.value for part in list_roll_parts(context.actor, do, spec.usable_abilities, context.state.rulings)
        )
        chance, faces = format_chance_and_rolls(face_needed(modifier, spec.difficulty))
        return replace(choice, chance_text=chance, needed_rolls=faces, warnings=_list_warnings(context, do, targets))
    return add_attack_chances(
        context, choice, get_named_or_best_abilities(context.actor, action, context.state.rulings), targets
    )


def add_attack_chances(
    context: TurnContext, choice: ActionChoice, uses: AbilityNames, targets: Sequence[Fighter]
) -> ActionChoice:
    """Return the button of an attack with the chances of its rolls and its effect.

    Its damage and hits include the follow-up of a double attack, against the same target.
    """
    rolls = [
        format_chance_and_rolls(context.get_prepared_attack(choice.do, uses, target).lowest_success_face)
        for target in targets
    ]
    chances, faces = ", ".join(chance for chance, _ in rolls), "; ".join(words for _, words in rolls)
    spec = ACTION_SPECS[choice.do]
    damage, hits = sum_damage_and_hits_over_faces(
        context, choice.do, uses, [*targets] * (spec.targets.most if spec.follow_up else 1)
    )
    return replace(
        choice,
        chance_text=chances,
        needed_rolls=faces,
        total_damage=damage,
        total_hits=hits,
        warnings=_list_warnings(context, choice.do, targets),
        effect=_describe_attack(context, choice.do, uses),
    )


def _describe_attack(context: TurnContext, do: str, uses: AbilityNames) -> str:
    """Describe an attack's effect for this actor.

    Returns "" if it equals the rulebook's sentence.
    Rules: `act.wrestling.hold-damage`, `act.fighting.double`.
    """
    damage = compute_usual_damage(context, do, uses)
    on_20 = ACTION_SPECS[do].damage_on_20(damage)
    if do == HOLD.do:
        hurt = f"{damage} damage ({on_20} on a 20), delays" if damage else "Delays"
        return f"{hurt} the target and ends their evade."
    if do == DOUBLE_ATTACK.do:
        enemies = (each for each in context.state.fighters if each.side != context.actor.side and not each.is_down)
        has_choice = sum(not attack_target_problems(context, do, each) for each in enemies) > 1
        second = "; you choose the second target after the first roll" if has_choice else ""
        return f"Two rolls, each {damage} damage ({on_20} on a 20){second}."
    return ""


def _describe_untargeted(actor: Fighter, do: str, uses: AbilityNames) -> str:
    """Describe an action without a target, an evade with its bonus.

    Returns "" for the end of a turn.
    Rules: `act.evade`, `act.evade.no-ability`.
    """
    if do != EVADE.do:
        return ACTION_SPECS[do].effect if do != END_TURN.do else ""
    bonus = actor.level(uses[0]) if uses and actor.has_terrain_for(uses[0]) else 0
    if not bonus:
        return "No bonus, but you can escape on your next turn."
    return f"+{bonus} agility and strength until your next turn or a hold. Escaping needs it."


def _list_warnings(context: TurnContext, do: str, targets: Sequence[Fighter]) -> tuple[str, ...]:
    """List what a player wouldn't expect of an action.

    That is a lost turn, and targets that few players would choose.
    Rules: `cond.delayed`, `act.shooting.injured-delay`, `act.blasting.injured-delay`, `act.knockout.self-delay`.
    """
    actor, is_help = context.actor, do in HEALING
    lost_turn = ("costs your next turn",) if ACTION_SPECS[do].has_self_delay(actor.is_injured) else ()
    unusual = dict.fromkeys(
        each.name for each in targets if (each.side == actor.side) != is_help and (each.id != actor.id or not is_help)
    )
    side = ("helps the other side: " if is_help else "hits your own side: ") + join_words([*unusual])
    return (*lost_turn, *((side,) if unusual else ()))


def format_chance_and_rolls(face: int) -> tuple[str, str]:
    """Format the chance of a roll and the rolls that succeed. Rule: `roll.success`.

    `face` is the lowest face that succeeds, 1 to 20.
    """
    faces = {1: "any roll", 20: "20"}.get(face, f"{face} or more")
    return f"{5 * (21 - face)}%", faces


def format_abilities(actor: Fighter, uses: AbilityNames | None) -> str:
    """Format the abilities that are added, with their levels.

    Returns "" for None, an action that has no abilities to choose.
    """
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with no ability"


def _untargetable_problems(context: TurnContext, do: str) -> list[Problem]:
    """Return why an available action has no possible target."""
    target_problems = healing_target_problems if do in HEALING else attack_target_problems
    others = (target for target in context.state.fighters if target.id != context.actor.id)
    rule = ACTION_SPECS[do].rule
    no_target = rule_problems("target.none", rule, "a target", "none", "act")
    reasons = (target_problems(context, do, target) for target in others)
    return required_ability_problems(context.actor, do) or next(filter(None, reasons), no_target)
