"""The menu of every turn system: its legal actions, grouped by action, variant and target.

The engine lists the legal actions. What differs by turn system is in an `ActionPresenter`: the fields that become
controls, what a button says, and why other actions are unavailable.

The variants of an action are listed on demand, because a menu may stop early: 3 of 100 targets have 161,700 sets, of
which `MAX_TARGET_SETS` are evaluated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from scratch_core.calculators.fight.menu_records import ActionChoice, ActionGroup, ActionVariant, UnavailableAction
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.errors import Problem

MAX_ACTION_CHOICES = 300
"""The most choices of all turn menus together that are shown at once; further menus open with a button."""

A = TypeVar("A")


class ActionPresenter(ABC, Generic[A]):
    """How the legal actions of a turn system look in a menu."""

    @abstractmethod
    def select_and_sort_button_actions(self, action_name: str, actions: Iterable[A]) -> Iterable[A]:
        """Return those of an action's legal variants that have a button each, in order.

        Variants that differ only in a control have one button together. `actions` may be read in part only.
        """

    @abstractmethod
    def get_variant_key(self, action: A) -> Hashable:
        """Return what the actions of the same `ActionVariant` have in common."""

    @abstractmethod
    def format_variant(self, action: A) -> str:
        """Format the label of the `ActionVariant` to which an action belongs."""

    @abstractmethod
    def build_choice(self, action: A) -> ActionChoice:
        """Build the button of an action."""

    def sort_choices(self, choices: Sequence[ActionChoice]) -> Sequence[ActionChoice]:
        """Sort the buttons of a variant."""
        return choices

    @abstractmethod
    def build_group(self, action_name: str, variants: tuple[ActionVariant, ...]) -> ActionGroup:
        """Build the group of an action, with its words and controls."""

    @abstractmethod
    def list_action_titles_with_problems(self, available_names: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """Yield the title of each unavailable action, and the reason."""


def build_action_groups(
    presenter: ActionPresenter[A], actions_by_name: Iterable[tuple[str, Iterable[A]]]
) -> list[ActionGroup]:
    """Build a group for each action that has a button.

    `actions_by_name` are the names of actions, each with its legal variants.
    """
    groups = []
    for do, actions in actions_by_name:
        variants: dict[Hashable, tuple[str, list[ActionChoice]]] = {}
        for action in presenter.select_and_sort_button_actions(do, actions):
            key = presenter.get_variant_key(action)
            if key not in variants:
                variants[key] = (presenter.format_variant(action), [])
            variants[key][1].append(presenter.build_choice(action))
        if variants:
            found = (ActionVariant(label, tuple(presenter.sort_choices(each))) for label, each in variants.values())
            groups.append(presenter.build_group(do, tuple(found)))
    return groups


def list_unavailable_actions(
    presenter: ActionPresenter[A], available_names: Collection[str]
) -> tuple[UnavailableAction, ...]:
    """List the other actions, grouped by the sentence of their problem."""
    groups: dict[str, tuple[list[str], Problem]] = {}
    for title, problem in presenter.list_action_titles_with_problems(available_names):
        groups.setdefault(format_problem_sentence(problem), ([], problem))[0].append(title)
    return tuple(UnavailableAction(tuple(titles), problem) for titles, problem in groups.values())
