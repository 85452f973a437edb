"""House rules of a form: its settings as a query, their words, and the control in which a table chooses a ruling."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from scratch_core.errors import ScratchError
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, format_setting_for_display, get_ruling
from scratch_core.rulebook.creation_limits import AVERAGE

CREATION_LIMITS: Final = {"cp": str(AVERAGE.cp), "max_level": str(AVERAGE.max_level)}
"""The rulebook's values of the house rules that aren't rulings, by control.

Rules: `create.average`, `create.max-level`.
"""

DEFAULT_RULES: Final = {
    **CREATION_LIMITS,
    **{each.name: format_setting_for_display(each.default) for each in RULE_OPTIONS},
}
"""The text of each house rule in the rulebook, by control."""
RULE_WORDS: Final = {
    (each.name, format_setting_for_display(choice)): words
    for each in RULE_OPTIONS
    for choice, words in zip(each.choices, each.words, strict=True)
}
"""The words of each option, by the name of the ruling and the text of the option."""


def format_rules_query(names: Collection[str], fields: Mapping[str, str]) -> str:
    """Format the settings of the named house rules as a query.

    `fields` are the texts of the controls. Names that are no house rules are left out. A rule whose text is missing or
    can't be read has the rulebook's value.
    """
    return "&".join(
        f"{name}={_normalize_setting(name, fields.get(name, ''))}" for name in DEFAULT_RULES if name in names
    )


def _normalize_setting(name: str, typed: str) -> str:
    if name in CREATION_LIMITS:
        plain = normalize_input(typed).strip()
        return plain if re.fullmatch(r"[0-9]{1,6}", plain, re.ASCII) else CREATION_LIMITS[name]
    try:
        return format_setting_for_display(getattr(RulingSettings.from_dict({name: typed}), name))
    except ScratchError:
        return DEFAULT_RULES[name]


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """The control in which a table chooses the option of a ruling."""

    name: str
    """The control's name: the field of `RulingSettings`."""
    title: str
    """The ruling's title."""
    choices: tuple[tuple[str, str], ...]
    """The options: value and words. The default has the value "", so that a query names only what differs from it."""
    ruling: str
    """The ruling's id."""


def build_ruling_choice(option: RuleOption) -> RulingChoice:
    """Build the control of a ruling that tables may decide differently."""
    values = ["" if choice == option.default else format_setting_for_display(choice) for choice in option.choices]
    choices = tuple(
        (value, words if value else f"{words} (default)") for value, words in zip(values, option.words, strict=True)
    )
    return RulingChoice(option.name, get_ruling(option.ruling).title, choices, option.ruling)
