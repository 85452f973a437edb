"""The rulebook as data: rules, rulings and their options, actions, abilities, and the glossary.

Ids are stable. Code, tests, pages and links use them; no id is used again for another rule.
"""

from scratch_core.rulebook.action_spec import ActionSpec
from scratch_core.rulebook.actions import ACTIONS, GRID_ACTIONS
from scratch_core.rulebook.lookup import RULES, get_rule, get_ruling, load_glossary, load_rulings, title_of, url_of
from scratch_core.rulebook.records import Rule, RuleOption, RuleSystem, Ruling, RulingValue, Term
from scratch_core.rulebook.rule_options import RULE_OPTIONS, RulingSettings, format_setting_for_display

__all__ = [
    "ACTIONS",
    "GRID_ACTIONS",
    "RULES",
    "RULE_OPTIONS",
    "ActionSpec",
    "Rule",
    "RuleOption",
    "RuleSystem",
    "Ruling",
    "RulingSettings",
    "RulingValue",
    "Term",
    "format_setting_for_display",
    "get_rule",
    "get_ruling",
    "load_glossary",
    "load_rulings",
    "title_of",
    "url_of",
]
