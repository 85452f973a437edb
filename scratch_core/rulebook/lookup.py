"""Every rule and every ruling by its id, and the glossary."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, get_args

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.abilities import ABILITIES
from scratch_core.rulebook.basic_rules import BASIC
from scratch_core.rulebook.records import Rule, Ruling, RulingPart, Term
from scratch_core.rulebook.toml_records import load_records
from scratch_core.rulebook.variant_rules import OTHER_RULES

RULES: Final = (*BASIC, *OTHER_RULES)
"""Every rule, in the rulebook's order."""

_BY_ID: Final = {rule.id: rule for rule in RULES}


def get_rule(rule_id: str) -> Rule:
    """Return the rule of that id; raises `ScratchError` (`catalogue.rule`) for an id that no rule has."""
    found = _BY_ID.get(rule_id)
    if found is None:
        raise ScratchError(
            Problem("catalogue.rule", "a rule id like roll.success", format_input(rule_id), "the catalogue")
        )
    return found


@cache
def load_rulings() -> Mapping[str, Ruling]:
    """Every ruling by its id, part by part; K are contradictions, A gaps, G of the Grid, M and S of other orders."""
    return {each.id: each for each in load_records("rulebook/rulings", Ruling, part=get_args(RulingPart))}


def get_ruling(ruling_id: str) -> Ruling:
    """Return the ruling of that id; raises `ScratchError` (`catalogue.ruling`) for an id that no ruling has."""
    found = load_rulings().get(ruling_id)
    if found is None:
        raise ScratchError(
            Problem("catalogue.ruling", "a ruling's id like K01", format_input(ruling_id), "the rulings")
        )
    return found


@cache
def load_glossary() -> tuple[Term, ...]:
    """The glossary: the abilities, the rulebook's other words, then the words players search by."""
    return *(Term(each.name, each.meaning, each.main_rule) for each in ABILITIES), *load_records(
        "rulebook/glossary", Term
    )


def url_of(some_id: str) -> str:
    """Give the place of a rule or a ruling within the site; raises `ScratchError` for an unknown id."""
    return get_ruling(some_id).url if some_id in load_rulings() else get_rule(some_id).url


def title_of(some_id: str) -> str:
    """The title of a rule or a ruling; raises `ScratchError` for an id that neither has."""
    return get_ruling(some_id).title if some_id in load_rulings() else get_rule(some_id).title
