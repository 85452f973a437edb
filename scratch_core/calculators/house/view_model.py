"""What the template of the house calculator prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from scratch_core.calculators.characters_text.built_character import FIGURE_RULINGS
from scratch_core.calculators.house.commands import HouseSession
from scratch_core.calculators.shared.house_rules import CREATION_LIMITS
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import format_query
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, format_setting_for_display, get_ruling

_LIMIT_PHRASES = {"cp": "{} character points", "max_level": "maximum level {}"}
LIMIT_LABELS = {name: f"{rulebook}=&any={_LIMIT_PHRASES[name]}" for name, rulebook in CREATION_LIMITS.items()}
"""The words of each limit for `house-rules.mjs`: "" for the rulebook's value, a phrase for any other."""
_LIMIT_QUESTIONS = {
    "cp": ("How many character points do you have?", "character points", "create.cp", 0),
    "max_level": ("How high can an ability's level be?", "maximum level", "create.max-level", 1),
}
"""The question of each limit, what it counts, the rule that explains it, and its minimum."""
_GROUP_HEADINGS = {"characters": "Characters", "fights": "Fights", "map": "On a map"}


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A house rule to set: one answer of several, or a number."""

    name: str
    """The name of its control."""
    question: str
    """The question that it answers."""
    reason: str
    """Why the answers differ, or the rulebook's number."""
    rule: str
    """The id of the rule or ruling that explains it."""
    answers: tuple[tuple[str, str], ...] = ()
    """The answers: value and words, the default first. Empty for a number.

    The default has the value "", so that a query contains only what differs from it.
    """
    chosen: str = ""
    """The value of the chosen answer, or the number, or a text that can't be read."""
    unit: str = ""
    """What a number counts, for its buttons."""
    least: int = 0
    """The minimum of a number."""
    is_changed: bool = False
    """Whether it differs from the rulebook."""


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """House rules under a common heading."""

    id: str
    """Its name in ids of elements."""
    heading: str
    """Its heading."""
    rows: tuple[RuleRow, ...]
    """Its house rules."""

    @property
    def changed_count(self) -> int:
        """How many of its rules differ from the rulebook."""
        return sum(row.is_changed for row in self.rows)


@dataclass(frozen=True, slots=True)
class View(PageView):
    """What the template prints."""

    updated_fields: frozenset[str]
    """The controls that this answer has changed."""

    @property
    def rule_texts(self) -> Mapping[str, str]:
        """Each house rule in words, by the name of its control."""
        return {name: _LIMIT_PHRASES.get(name, "{}").format(words) for name, words in self.changed_rules.items()}

    @property
    def rule_count_line(self) -> str:
        """The line above the house rules: their number, or that there are none."""
        if not self.summary:
            return "These rules can't be saved yet."
        return _count_rules(len(self.rule_texts)) if self.rule_texts else self.summary

    @property
    def rule_groups(self) -> tuple[RuleGroup, ...]:
        """The house rules to set, by group."""
        rows: dict[str, list[RuleRow]] = {"characters": list(map(self._build_limit_row, CREATION_LIMITS))}
        for option in RULE_OPTIONS:
            rows.setdefault(_find_rule_group_id(option), []).append(self._build_ruling_row(option))
        return tuple(RuleGroup(each, heading, tuple(rows[each])) for each, heading in _GROUP_HEADINGS.items())

    def _build_limit_row(self, name: str) -> RuleRow:
        rulebook = CREATION_LIMITS[name]
        question, unit, rule, least = _LIMIT_QUESTIONS[name]
        return RuleRow(
            name,
            question,
            f"The rulebook says {rulebook}.",
            rule,
            chosen=self.fields[name] or rulebook,
            unit=unit,
            least=least,
            is_changed=name in self.changed_rules,
        )

    def _build_ruling_row(self, option: RuleOption) -> RuleRow:
        words_by_value = {
            "" if choice == option.default else format_setting_for_display(choice): words
            for choice, words in zip(option.choices, option.answers, strict=True)
        }
        typed = self.fields[option.name]
        is_changed = option.name in self.changed_rules
        chosen = dict(parse_qsl(self.house_rules_query))[option.name] if is_changed else ""
        if any(each.where == option.name for each in self.problems):
            words_by_value[typed] = chosen = typed
        return RuleRow(
            option.name,
            option.question,
            option.reason,
            option.ruling,
            tuple(sorted(words_by_value.items(), key=lambda each: bool(each[0]))),
            chosen,
            is_changed=is_changed,
        )


def _find_rule_group_id(option: RuleOption) -> str:
    """Return the id of a ruling's group."""
    part = get_ruling(option.ruling).part
    if option.name in FIGURE_RULINGS or part == "character":
        return "characters"
    return "map" if part == "grid" else "fights"


def build_view(session: HouseSession) -> View:
    """Build the view of the house rules."""
    result = View("", "", session.problems, session.fields, session.updated_fields)
    changed = {name: value for name, value in parse_qsl(result.house_rules_query) if name in result.changed_rules}
    unreadable = {each.where: session.fields[each.where] for each in session.problems}
    texts = {**changed, **unreadable}
    link_fields = {name: texts.get(name, "") for name in session.fields}
    summary = "" if session.has_errors else _format_summary(result.rule_texts)
    return replace(result, query=format_query(link_fields), summary=summary)


def _format_summary(rule_texts: Mapping[str, str]) -> str:
    """Format the number of house rules and their words as a sentence."""
    if not rule_texts:
        return "Your table plays by the rulebook."
    return f"{_count_rules(len(rule_texts))}: {'; '.join(rule_texts.values())}."


def _count_rules(count: int) -> str:
    return f"{count} house {'rule' if count == 1 else 'rules'}"
