"""The rulebook as data: rules, rulings and their options, actions, abilities, and the glossary.

Ids are stable. Code, tests, pages and links use them; no id is used again for another rule.
"""

from scratch_core.rulebook.action_spec import ActionCard
from scratch_core.rulebook.actions import ACTIONS, GRID_ACTIONS
from scratch_core.rulebook.lookup import RULES, rule, ruling, rulings, terms, title_of, url_of
from scratch_core.rulebook.records import Rule, Ruling, Setting, Switch, System, Term
from scratch_core.rulebook.rule_options import SWITCHES, Rulings, setting_words

__all__ = [
    "ACTIONS",
    "GRID_ACTIONS",
    "RULES",
    "SWITCHES",
    "ActionCard",
    "Rule",
    "Ruling",
    "Rulings",
    "Setting",
    "Switch",
    "System",
    "Term",
    "rule",
    "ruling",
    "rulings",
    "setting_words",
    "terms",
    "title_of",
    "url_of",
]
