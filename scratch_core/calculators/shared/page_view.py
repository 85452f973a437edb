"""The base of all views: what the template of every page prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.calculators.shared.house_rules import (
    DEFAULT_RULES,
    RULE_WORDS,
    RulingChoice,
    build_ruling_choice,
    format_rules_query,
)
from scratch_core.calculators.shared.query import format_query
from scratch_core.errors import Problem
from scratch_core.rulebook import RULE_OPTIONS


@dataclass(frozen=True, slots=True)
class PageView:
    """What the template of every page prints."""

    query: str
    """The canonical query that reopens this answer, with the faces that were rolled."""
    summary: str
    """The answer in one sentence, for screen readers and the history. "" if there is no answer."""
    problems: tuple[Problem, ...]
    """The problems of the query. The `where` of each is the control that it belongs to."""
    fields: Mapping[str, str]
    """The text of each control, as typed, by the control's name."""

    @property
    def house_rules_query(self) -> str:
        """The settings of this form's house rules, as a query: `strength_base=8&corners=free`."""
        return format_rules_query(self.fields, self.fields)

    @property
    def rule_labels_query(self) -> str:
        """The words of every option of this form's rulings, as a query.

        The name of a pair is the ruling and the option: `corners free=diagonal steps …`.
        """
        names = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return format_query({f"{name} {value}": words for (name, value), words in RULE_WORDS.items() if name in names})

    @property
    def changed_rules(self) -> Mapping[str, str]:
        """The house rules that differ from the rulebook, by name.

        A value is the words of the chosen option, or a number.
        """
        chosen = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return {
            name: RULE_WORDS.get((name, value), value) for name, value in chosen.items() if value != DEFAULT_RULES[name]
        }

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings that have a control in this form, ready to render."""
        return tuple(build_ruling_choice(each) for each in RULE_OPTIONS if each.name in self.fields)
