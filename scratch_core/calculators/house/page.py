"""The house rules of a table: settings that differ from the rulebook, with which the other calculators start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from urllib.parse import parse_qsl

from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import CREATION_LIMITS, RulingChoice, build_ruling_choice
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.characters import parse_limits
from scratch_core.dice import Roller
from scratch_core.rulebook import RULE_OPTIONS, get_ruling

CONTROLS = (*CREATION_LIMITS, *(each.name for each in RULE_OPTIONS))
"""The names of all controls, in the order of the canonical query."""

RESET_COMMAND = "rulebook"
"""The command that resets all house rules to the rulebook."""

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


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with house rules: `cp`, `max_level` and rulings.

    A setting counts as a house rule if it can be read and differs from the rulebook. The canonical query has these, and
    the texts that can't be read. Never raises. Rules: `create.cp`, `create.max-level`.
    """
    is_reset = RESET_COMMAND in query
    request = form.Form(query, {name: "" if is_reset else query.text(name).strip() for name in CONTROLS})
    request.add_cut_problem("cp")
    request.problems += parse_limits(request.fields["cp"], request.fields["max_level"])[1]
    request.parse_settings(CONTROLS[len(CREATION_LIMITS) :])
    result = View("", "", tuple(request.problems), request.fields, frozenset(CONTROLS if is_reset else ()))
    changed = {name: value for name, value in parse_qsl(result.house_rules_query) if name in result.changed_rules}
    unreadable = {each.where: request.fields[each.where] for each in request.problems}
    texts = {**changed, **unreadable}
    fields = {name: texts.get(name, "") for name in CONTROLS}
    summary = "" if request.has_errors else _format_summary(result.rule_texts)
    return replace(result, query=format_query(fields), summary=summary)


def _format_summary(rule_texts: Sequence[str]) -> str:
    """Format the number of house rules and their words as a sentence."""
    if not rule_texts:
        return "Your table plays by the rulebook."
    return f"{len(rule_texts)} house {'rule' if len(rule_texts) == 1 else 'rules'}: {'; '.join(rule_texts)}."
