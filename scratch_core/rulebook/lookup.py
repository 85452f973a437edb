"""Rules and rulings by id, and the glossary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final, get_args

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.abilities import ABILITIES
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.rulebook.basic_rules import BASIC
from scratch_core.rulebook.records import Rule, Ruling, RulingPart, Term
from scratch_core.rulebook.toml_records import load_records
from scratch_core.rulebook.variant_rules import OTHER_RULES

RULES: Final = (*BASIC, *OTHER_RULES)
"""Every rule, in the rulebook's order."""

_BY_ID: Final = {rule.id: rule for rule in RULES}


def get_rule(rule_id: str) -> Rule:
    """Return the rule with that id.

    Raises `ScratchError` (`catalogue.rule`) for an unknown id.
    """
    found = _BY_ID.get(rule_id)
    if found is None:
        raise ScratchError(
            Problem("catalogue.rule", "a rule id like roll.success", format_input(rule_id), "the catalogue")
        )
    return found


@cache
def load_rulings() -> Mapping[str, Ruling]:
    """Load every ruling by its id, part by part.

    The letter of an id is its part: K are contradictions, A gaps, G the Grid, M and S the other turn systems.
    """
    return {each.id: each for each in load_records("rulebook/rulings", Ruling, part=get_args(RulingPart))}


def get_ruling(ruling_id: str) -> Ruling:
    """Return the ruling with that id.

    Raises `ScratchError` (`catalogue.ruling`) for an unknown id.
    """
    found = load_rulings().get(ruling_id)
    if found is None:
        raise ScratchError(
            Problem("catalogue.ruling", "a ruling's id like K01", format_input(ruling_id), "the rulings")
        )
    return found


@cache
def load_glossary() -> tuple[Term, ...]:
    """Load the glossary: the abilities, the rulebook's other terms, then search terms.

    A meaning in the file has the numbers of actions as `{heal.difficulty}`.
    """
    terms = load_records("rulebook/glossary", Term)
    return (
        *(Term(each.name, each.meaning, each.main_rule) for each in ABILITIES),
        *(replace(each, meaning=each.meaning.format_map(ACTION_SPECS)) for each in terms),
    )


def url_of(rule_or_ruling_id: str) -> str:
    """Return the link to a rule or a ruling within the site.

    Raises `ScratchError` for an unknown id.
    """
    return get_ruling(rule_or_ruling_id).url if rule_or_ruling_id in load_rulings() else get_rule(rule_or_ruling_id).url


def title_of(rule_or_ruling_id: str) -> str:
    """Return the title of a rule or a ruling.

    Raises `ScratchError` for an unknown id.
    """
    return (
        get_ruling(rule_or_ruling_id).title
        if rule_or_ruling_id in load_rulings()
        else get_rule(rule_or_ruling_id).title
    )
