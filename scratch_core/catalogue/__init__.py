"""What the rulebook holds, as data: rules, rulings, switches, a card for each action, the glossary.

Ids are stable: code, tests, pages and links use them as they stand here, and none is ever used again for another rule.
"""

from scratch_core.cards import ACTIONS, GRID_ACTIONS, ActionCard
from scratch_core.catalogue.finding import RULES, rule, ruling, rulings, terms, title_of, url_of
from scratch_core.catalogue.records import Rule, Ruling, Setting, Switch, System, Term
from scratch_core.catalogue.switches import SWITCHES, Rulings, setting_words

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
