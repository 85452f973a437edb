"""A table's house rules: what it sets otherwise than the rulebook, once; calculators begin with it."""

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
"""The button that takes all back to the rulebook."""

_LIMIT_PHRASES = {"cp": "{} character points", "max_level": "maximum level {}"}
LIMIT_LABELS = {name: f"{rulebook}=&any={_LIMIT_PHRASES[name]}" for name, rulebook in CREATION_LIMITS.items()}
"""The words of each limit for `house-rules.mjs`: none for the rulebook's value, these for any other."""
_GROUP_HEADINGS = {
    "fight": "Numbers and fights",
    "character": "Between fights",
    "grid": "On a map",
    "seize": "Choose-next",
}


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints.

    `updated_fields` names the controls that this answer has set by itself.
    """

    updated_fields: frozenset[str]

    ruling_groups: ClassVar[Mapping[str, tuple[RulingChoice, ...]]] = {
        words: tuple(build_ruling_choice(each) for each in RULE_OPTIONS if get_ruling(each.ruling).part == part)
        for part, words in _GROUP_HEADINGS.items()
    }
    """The rulings to choose, by what they are about."""

    @property
    def rule_texts(self) -> tuple[str, ...]:
        """The house rules in words, in the order of the controls."""
        return tuple(_LIMIT_PHRASES.get(name, "{}").format(words) for name, words in self.changed_rules.items())


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query that names house rules: `cp`, `max_level` and the switches.

    What is the rulebook's own, or can't be read, is none. Never raises. Rules: `create.cp`, `create.max-level`.
    """
    is_back = RESET_COMMAND in query
    asked = form.Form(query, {name: "" if is_back else query.text(name).strip() for name in CONTROLS})
    asked.add_cut_problem("cp")
    asked.problems += parse_limits(asked.fields["cp"], asked.fields["max_level"])[1]
    asked.parse_settings(CONTROLS[len(CREATION_LIMITS) :])
    found = View("", "", tuple(asked.problems), asked.fields, frozenset(CONTROLS if is_back else ()))
    holds = {name: value for name, value in parse_qsl(found.house_rules_query) if name in found.changed_rules}
    wrong = {each.where: asked.fields[each.where] for each in asked.problems}
    told = {**holds, **wrong}
    query_of = {name: told.get(name, "") for name in CONTROLS}
    return replace(
        found, query=format_query(query_of), summary="" if asked.has_errors else _format_summary(found.rule_texts)
    )


def _format_summary(told: Sequence[str]) -> str:
    if not told:
        return "Your table plays by the rulebook."
    return f"{len(told)} house {'rule' if len(told) == 1 else 'rules'}: {'; '.join(told)}."
