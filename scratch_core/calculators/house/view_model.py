"""What the template of the house calculator prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from urllib.parse import parse_qsl

from scratch_core.calculators.house.commands import HouseSession
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import CREATION_LIMITS, RulingChoice, build_ruling_choice
from scratch_core.calculators.shared.query import format_query
from scratch_core.rulebook import RULE_OPTIONS, get_ruling

_LIMIT_PHRASES = {"cp": "{} character points", "max_level": "maximum level {}"}
LIMIT_LABELS = {name: f"{rulebook}=&any={_LIMIT_PHRASES[name]}" for name, rulebook in CREATION_LIMITS.items()}
"""The words of each limit for `house-rules.mjs`: "" for the rulebook's value, a phrase for any other."""
_GROUP_HEADINGS = {
    "fight": "Numbers and fights",
    "character": "Between fights",
    "grid": "On a map",
    "seize": "Choose-next",
}


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints."""

    updated_fields: frozenset[str]
    """The controls that this answer has changed."""

    ruling_groups: ClassVar[Mapping[str, tuple[RulingChoice, ...]]] = {
        words: tuple(build_ruling_choice(each) for each in RULE_OPTIONS if get_ruling(each.ruling).part == part)
        for part, words in _GROUP_HEADINGS.items()
    }
    """The rulings to choose, by the heading of their group."""

    @property
    def rule_texts(self) -> tuple[str, ...]:
        """Each house rule in words, in the order of the controls."""
        return tuple(_LIMIT_PHRASES.get(name, "{}").format(words) for name, words in self.changed_rules.items())


def build_view(session: HouseSession) -> View:
    """Build the view of the house rules."""
    result = View("", "", session.problems, session.fields, session.updated_fields)
    changed = {name: value for name, value in parse_qsl(result.house_rules_query) if name in result.changed_rules}
    unreadable = {each.where: session.fields[each.where] for each in session.problems}
    texts = {**changed, **unreadable}
    link_fields = {name: texts.get(name, "") for name in session.fields}
    summary = "" if session.has_errors else _format_summary(result.rule_texts)
    return replace(result, query=format_query(link_fields), summary=summary)


def _format_summary(rule_texts: Sequence[str]) -> str:
    """Format the number of house rules and their words as a sentence."""
    if not rule_texts:
        return "Your table plays by the rulebook."
    return f"{len(rule_texts)} house {'rule' if len(rule_texts) == 1 else 'rules'}: {'; '.join(rule_texts)}."
