"""Every rule by its id, in the rulebook's order."""

from __future__ import annotations

from typing import Final

from scratch_core.catalogue.basic_rules import BASIC
from scratch_core.catalogue.other_rules import GRID, MANO, MANO_OLD, SEIZE
from scratch_core.catalogue.records import Rule
from scratch_core.errors import Problem, ScratchError, shown

RULES: Final = (*BASIC, *GRID, *MANO, *MANO_OLD, *SEIZE)
_BY_ID: Final = {rule.id: rule for rule in RULES}


def rule(rule_id: str) -> Rule:
    """Return the rule of that id; raises `ScratchError` (`catalogue.rule`) for an id that no rule has."""
    found = _BY_ID.get(rule_id)
    if found is None:
        raise ScratchError(Problem("catalogue.rule", "a rule id like roll.success", shown(rule_id), "the catalogue"))
    return found
