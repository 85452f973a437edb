"""The request to the odds calculator: its controls, the commands of its buttons, and the terms of the duel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import cast

from scratch_core.calculators.characters_text.chooser import ADD, Chooser, build_chooser_if_open
from scratch_core.calculators.odds.builds import DUELIST_KEYS, parse_level_button
from scratch_core.calculators.odds.duelists import DuelTerms
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import FieldParser, PageCommand, Request
from scratch_core.cast import MINIONS
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import Problem, Problems, ScratchError
from scratch_core.odds import ESCAPES, ORDERS, Escape, Order
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, RulingValue, format_setting_for_display, get_ruling

CONTROLS = (
    "first",
    "first_sheet",
    "second",
    "second_sheet",
    "here",
    "begins",
    "escape",
    "rulings",
    "worth",
    "everybody",
)
"""The names of all controls, in the order of the canonical query."""

RULING_NAMES = tuple(each.name for each in RULE_OPTIONS if get_ruling(each.ruling).part == "fight")
"""The names of the rulings that matter in a duel without a map."""

OPPONENT, SHOW, HIDE, CHANGE = "opponent", "show", "hide", "change"
"""The commands that choose the second character, show or hide a section, and change a level."""

SECTION_CONTROLS = ("everybody", "worth")
"""The controls of the sections that a button shows or hides. The later one gets the focus if both are pressed."""


@dataclass(frozen=True, slots=True)
class ParsedTerms:
    """The conditions of a duel, parsed from their controls."""

    terms: DuelTerms
    """The conditions, with defaults in place of invalid ones."""
    rulings_text: str
    """The text of the control `rulings`, with the settings of controls that are named after a ruling."""
    problems: tuple[Problem, ...]
    """The problems of the controls."""


@dataclass(frozen=True, slots=True)
class OddsRequest(Request):
    """A request to the odds calculator."""

    commands: tuple[PageCommand, ...]
    """What was pressed, in the order of execution."""
    parsed_terms: ParsedTerms
    """The conditions of the duel."""
    chooser: Chooser | None
    """The chooser of characters, None while it is closed."""

    @property
    def terms(self) -> DuelTerms:
        """The conditions of the duel."""
        return self.parsed_terms.terms


def parse_request(query: Query) -> OddsRequest:
    """Parse a query of the odds calculator."""
    fields = MappingProxyType({name: query.text(name) for name in CONTROLS})
    return OddsRequest(
        query,
        fields,
        commands=tuple(_list_commands(query, fields)),
        parsed_terms=parse_duel_terms(query, fields),
        chooser=build_chooser_if_open(query, MINIONS, max_ticked=len(DUELIST_KEYS)),
    )


def _list_commands(query: Query, fields: Mapping[str, str]) -> Iterator[PageCommand]:
    """List the commands of a query: characters first, then sections, then a level."""
    command = PageCommand.parse(query.text("act"))
    if command.name == OPPONENT or command == PageCommand(ADD):
        yield command
    yield from (PageCommand(fields[name], name) for name in SECTION_CONTROLS if fields[name] in (SHOW, HIDE))
    if parse_level_button(query.text("change")):
        yield PageCommand(CHANGE, query.text("change"))


# The terms of the duel


def parse_duel_terms(query: Query, fields: Mapping[str, str]) -> ParsedTerms:
    """Parse the conditions of the duel."""
    parser = FieldParser(fields)
    order = parser.parse_choice("begins", ORDERS, "odds.begins", f"one of {', '.join(ORDERS)}") or "initiative"
    escape = parser.parse_choice("escape", ESCAPES, "odds.escape", f"one of {', '.join(ESCAPES)}") or "draw"
    surroundings, surroundings_problems = parse_surroundings(fields["here"])
    rulings, rulings_text, ruling_problems = parse_rulings(query, fields["rulings"])
    return ParsedTerms(
        DuelTerms(surroundings, cast(Escape, escape), cast(Order, order), rulings),
        rulings_text,
        (*parser.problems, *surroundings_problems, *ruling_problems),
    )


def parse_surroundings(text: str) -> tuple[list[str], Problems]:
    """Parse the words of the terrain.

    Returns [] and the problem `odds.here` if there are unknown words.
    """
    problems = Problems()
    words = [each for each in re.split(r"[\s,]+", text.lower()) if each]
    if not set(words) <= set(SURROUNDINGS):
        expected = f"words among {', '.join(SURROUNDINGS)}"
        known = ", ".join(SURROUNDINGS)
        problems.report_value("odds.here", expected, text, "here", "move.terrain", words=known)
        return [], problems
    return list(dict.fromkeys(words)), problems


def parse_rulings(query: Query, text: str) -> tuple[dict[str, RulingValue], str, Problems]:
    """Parse the settings of rulings, such as `strength_base=8`, and return their text, too.

    A control named after a ruling takes precedence over the text; its setting is moved there, and default settings are
    removed. Returns {}, the unchanged text and the problems at `rulings` if there are any.
    """
    problems = Problems()
    separate = {name: query.text(name).strip() for name in RULING_NAMES if name in query}
    texts = {**parse_ruling_texts(text), **separate}
    try:
        chosen = asdict(
            RulingSettings.from_dict({name: value for name, value in texts.items() if value or name not in separate})
        )
    except ScratchError as error:
        problems.extend_moved_to(
            "rulings",
            (
                replace(each, expected="the name of a ruling") if each.code == "rulings.name" else each
                for each in error.problems
            ),
        )
        return {}, text, problems
    settings = {name: chosen[name] for name in texts}
    changed = (
        f"{name}={format_setting_for_display(value)}"
        for name, value in settings.items()
        if value != getattr(RulingSettings(), name)
    )
    return settings, " ".join(changed) if separate else text, problems


def parse_ruling_texts(text: str) -> dict[str, str]:
    """Parse a text such as `strength_base=8` into the text of each setting, by name."""
    return dict(each.partition("=")[::2] for each in re.split(r"[\s,]+", text) if each)
