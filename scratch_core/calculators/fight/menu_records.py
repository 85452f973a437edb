"""What a page shows of the possible actions, in every turn system: buttons, menus and questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.errors import Problem
from scratch_core.rulebook.actions import ACTION_SPECS, BLAST, CRAFT, MOVE, NOTHING, SECOND_BLOW

MAX_TARGETS = 3
"""The most targets of one action. Rule: `act.blasting`."""

TARGET_KEYS = ("target", "targets", "at")
"""The keys of a step that hold its target."""

SHORTCUT_KEYS = "123456789"
"""The keyboard keys that press the offered actions, in their order."""

COLLAPSED_ACTIONS = (CRAFT.do, MOVE.do)
"""The actions with so many buttons that they are collapsed and have no shortcut key."""


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
        return format_compact_json(
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
    def is_regular(self) -> bool:
        """Whether it uses the regular action of a turn. Rule: `act.regular`."""
        return self.kind.startswith("regular")

    @property
    def is_likely(self) -> bool:
        """Whether any of its choices is a likely one."""
        return any(choice.is_likely for variant in self.variants for choice in variant.choices)

    @property
    def main_choices(self) -> tuple[ActionChoice, ...]:
        """The buttons of this action that the page shows first.

        They are the likely choices of the best variant, or all its choices if none is likely. If `is_expanded`, they
        are all choices of all variants, likely or not. A variant is one way of doing the action."""
        if self.is_expanded:
            return tuple(choice for variant in self.variants for choice in variant.choices)
        likely = tuple(choice for choice in self.variants[0].choices if choice.is_likely)
        return likely or self.variants[0].choices

    def choose_for_targets(self, target_ids: Sequence[str]) -> ActionChoice:
        """Choose the action of the group's button, given the chosen targets.

        `target_ids` are the ids of the targets that the player has chosen, in the order of choosing. Each of them that
        the action has counts for it, and each other target counts against it. Among equals, the action with the most
        recently chosen target wins. If no action has a chosen target, it is the first of `main_choices`."""

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
            (replace(each, step=format_compact_json({**json.loads(each.step), "target": ""})) for each in untargeted),
            None,
        )

    def find_unlikely_last_target_choice(self, target_ids: Sequence[str]) -> ActionChoice | None:
        """Find the best variant's choice for the last chosen target, if it is unlikely.

        Returns None if there is no such choice, or if it is one of `main_choices`.
        """
        candidates = (
            each for each in self.variants[0].choices if each.targets == tuple(target_ids[-1:]) and not each.is_likely
        )
        return next((each for each in candidates if each not in self.main_choices), None)

    @property
    def first_choice_attack_value(self) -> tuple[int, int]:
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
class TurnPart:
    """The actions of a menu that use one part of a turn."""

    title: str
    """Its heading, "" if it is the only part."""
    is_regular: bool
    """Whether it has the regular actions."""
    rows: tuple[tuple[ActionGroup, ActionChoice], ...]
    """The likely actions, each with what its button does."""
    simple_choices: tuple[ActionChoice, ...]
    """The actions without a choice of targets or abilities."""
    collapsed_groups: tuple[ActionGroup, ...]
    """The actions that are not in rows."""

    @property
    def has_actions(self) -> bool:
        """Whether it has any action."""
        return bool(self.rows or self.simple_choices or self.collapsed_groups)


def _is_regular_choice(choice: ActionChoice) -> bool:
    """Return whether an action without a group uses the regular action. Rule: `act.regular`."""
    spec = ACTION_SPECS.get(choice.do)
    return spec is None or spec.kind.startswith("regular")


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
    def has_unused_regular_action(self) -> bool:
        """Whether the regular action of the turn could still be used. Rule: `act.regular`."""
        return any(group.is_regular for group in self.action_groups)

    @property
    def unused_action_text(self) -> str:
        """What ending the turn leaves unused: `action unused`, or `second attack unused` after the first.

        The text is "" if nothing is left. Rules: `act.regular`, `act.fighting.double`.
        """
        regular = [group.do for group in self.action_groups if group.is_regular]
        if not regular:
            return ""
        return "second attack unused" if set(regular) == {SECOND_BLOW.do} else "action unused"

    @property
    def main_rows(self) -> tuple[tuple[ActionGroup, ActionChoice], ...]:
        """The likely actions, each with what its button does.

        The last rows are unlikely choices of these actions against a target that the player has chosen.
        """
        likely_rows, _ = self._rows_by_likelihood
        unlikely_rows = (
            (group, group.find_unlikely_last_target_choice(self.targets))
            for group, _ in likely_rows
            if self.has_chosen_targets
        )
        return (*likely_rows, *((group, choice) for group, choice in unlikely_rows if choice))

    @property
    def parts(self) -> tuple[TurnPart, ...]:
        """The regular actions, then the bonus actions and the rest.

        A part without actions is left out. Rules: `act.regular`, `act.bonus`.
        """
        parts = [
            TurnPart(
                title,
                is_regular,
                tuple(row for row in self.main_rows if row[0].is_regular == is_regular),
                tuple(each for each in self.offered_simple_choices if _is_regular_choice(each) == is_regular),
                tuple(group for group in self.groups_outside_rows if group.is_regular == is_regular),
            )
            for is_regular, title in ((True, "Regular action"), (False, "Bonus action and the rest"))
        ]
        filled = tuple(part for part in parts if part.has_actions)
        return filled if len(filled) > 1 else tuple(replace(part, title="") for part in filled)

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
    def groups_outside_rows(self) -> tuple[ActionGroup, ...]:
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
        self, target_ids: Sequence[str], pressed_ids: Sequence[str], hidden_ids: Set[str] = frozenset()
    ) -> TurnMenu:
        """Return the menu with its actions aimed at the chosen targets.

        `target_ids` were chosen before, `pressed_ids` those pressed since, as in `toggle_targets`. If none of them is a
        possible target, the likeliest ones are chosen; those of `hidden_ids` only if there is no other.
        """
        chosen = toggle_targets(target_ids, pressed_ids, MAX_TARGETS if self.can_target_several else 1)
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
    def default_targets_by_action_json(self) -> str:
        """The targets of each action, as JSON for the control `aims`.

        A button sends only the action.
        """
        return format_compact_json({group.do: choice.target_fields for group, choice in reversed(self.main_rows)})

    @property
    def visible_steps(self) -> Iterator[str]:
        """The steps of all buttons that aren't collapsed, as JSON."""
        for part in self.parts:
            yield from (choice.step for _, choice in part.rows)
            yield from (choice.step for choice in part.simple_choices)
            expanded_groups = (group for group in part.collapsed_groups if group.is_expanded)
            yield from (choice.step for group in expanded_groups for choice in group.main_choices)

    @property
    def choice_count(self) -> int:
        """The number of choices on offer."""
        turn_ends = 1 if self.end_turn_choice else 0
        return (
            turn_ends
            + len(self.simple_choices)
            + sum(len(variant.choices) for group in self.action_groups for variant in group.variants)
        )


def toggle_targets(target_ids: Sequence[str], pressed_ids: Sequence[str], max_targets: int) -> tuple[str, ...]:
    """Return the ids of the targets after the player has pressed some.

    With `max_targets` above 1, pressing a target again removes it. Only the last `max_targets` targets remain.
    """
    for pressed_id in pressed_ids:
        is_removed = pressed_id in target_ids and max_targets > 1
        others = [each for each in target_ids if each != pressed_id]
        target_ids = (others if is_removed else [*others, pressed_id])[-max_targets:]
    return tuple(target_ids)


def format_compact_json(tree: object) -> str:
    """Format a step, or a part of one, as JSON without spaces."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def assign_shortcut_keys(steps: Iterable[str]) -> dict[str, str]:
    """Assign a keyboard key to each of the first nine steps."""
    return dict(zip(dict.fromkeys(steps), SHORTCUT_KEYS, strict=False))
