"""A table's house rules: what it sets otherwise than the rulebook, once; calculators begin with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scratch_core.calculators import form
from scratch_core.calculators.form import LIMITS, Choosing, choosing_of
from scratch_core.calculators.query import Query, query_string
from scratch_core.catalogue import SWITCHES, ruling, setting_words
from scratch_core.characters import read_limits
from scratch_core.dice import Roller

CONTROLS = (*LIMITS, *(each.name for each in SWITCHES))
"""The names of all controls, in the order of the canonical query."""

RULEBOOK = "rulebook"
"""The button that takes all back to the rulebook."""

_LIMITS = {"cp": "{} character points", "max_level": "no level above {}"}
_GROUPS = {"fight": "Figures and fights", "character": "Between fights", "grid": "On a board", "seize": "Choose-next"}


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints.

    `told` are the house rules in words, in the order of the controls. `fresh` names the controls that this answer has
    set by itself.
    """

    told: tuple[str, ...]
    fresh: frozenset[str]

    groups: ClassVar[Mapping[str, tuple[Choosing, ...]]] = {
        words: tuple(choosing_of(each) for each in SWITCHES if ruling(each.ruling).part == part)
        for part, words in _GROUPS.items()
    }
    """The rulings to choose, by what they are about."""


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query that names house rules: `cp`, `max_level` and the switches.

    What is the rulebook's own, or can't be read, is none. Never raises. Rules: `create.cp`, `create.max-level`.
    """
    is_back = RULEBOOK in query
    asked = form.Form(query, {name: "" if is_back else query.text(name).strip() for name in CONTROLS})
    asked.add_cut("cp")
    limits, wrong = read_limits(asked.fields["cp"], asked.fields["max_level"])
    asked.problems += wrong
    chosen = asked.settings(CONTROLS[len(LIMITS) :])
    told, query_of = [], {name: asked.fields[name] for name in {each.where for each in asked.problems}}
    for name, words in _LIMITS.items():
        value = str(getattr(limits, name))
        if value != LIMITS[name]:
            told.append(words.format(value))
            query_of[name] = value
    for each in SWITCHES:
        setting = chosen.get(each.name, each.default)
        if setting != each.default:
            told.append(each.words[each.choices.index(setting)])
            query_of[each.name] = setting_words(setting)
    return View(
        query_string({name: query_of.get(name, "") for name in CONTROLS}),
        "" if asked.has_errors else _summary(told),
        tuple(asked.problems),
        asked.fields,
        tuple(told),
        frozenset(CONTROLS if is_back else ()),
    )


def _summary(told: list[str]) -> str:
    if not told:
        return "Your table plays by the rulebook."
    return f"{len(told)} house {'rule' if len(told) == 1 else 'rules'}: {'; '.join(told)}."
