"""What a file is that was opened on a calculator's page, and where it goes on: a fight's file among stat blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.characters import parse_sheet
from scratch_core.file_formats import SAVED_FORMAT_PREFIX, SCENARIO_FORMAT
from scratch_core.rulebook.abilities import find_ability_name

_VERSION = re.compile(r"scratch-(kept|scenario)/(\d{1,6})")
_KNOWN_VERSION = 1
_ENTRY_PATTERN = re.compile(r'"version"\s*:\s*"(?:character|fight|house)/\d+"')
_FORMAT_SEARCH_LENGTH = 400
"""A file of ours names its format at its beginning."""
MAX_LINK_LENGTH = 1_500_000
"""As many characters as a browser surely takes as a link."""

ACCEPTED_KINDS: Mapping[str, frozenset[str]] = {
    "fight": frozenset(("scenario", "sheet", "")),
    "character": frozenset(("scenario", "sheet", "")),
    "replay": frozenset(("scenario", "")),
}
"""The kinds of files that a calculator answers for itself, "" being what is none of ours."""

_DUELIST_LINKS = {"first": "Use as the first character", "second": "Use as the second character"}


@dataclass(frozen=True, slots=True)
class ImportSuggestion:
    """What a file is, in a sentence or two, and where it goes on: words, and an address below the site's `tools/`."""

    text: str
    links: tuple[tuple[str, str], ...] = ()


def is_scenario(text: str) -> bool:
    """Whether a text says of itself that it is a scenario file, whole or cut, in JSON or in TOML."""
    return SCENARIO_FORMAT in text[:_FORMAT_SEARCH_LENGTH]


def is_sheet(text: str) -> bool:
    """Whether a text can be meant as stat blocks: somewhere in it stands an ability with a level.

    Rule: `char.stat-line`.
    """
    if SCENARIO_FORMAT in text:  # a scenario's characters may be stat blocks
        return False
    return any(find_ability_name(entry.ability) for draft in parse_sheet(text).drafts for entry in draft.entries)


def detect_kind(text: str) -> str:
    """Return the kind of file: `scenario`, `kept`, `newer` or `sheet`.

    Returns "" for any other text.

    Damaged files count too: saved entries by their format or by the version of any entry.
    """
    version = _VERSION.search(text[:_FORMAT_SEARCH_LENGTH])
    if version and int(version[2]) > _KNOWN_VERSION:
        return "newer"
    if SAVED_FORMAT_PREFIX in text[:_FORMAT_SEARCH_LENGTH] or (
        SCENARIO_FORMAT not in text and _ENTRY_PATTERN.search(text)
    ):
        return "kept"
    if SCENARIO_FORMAT in text:
        return "scenario"
    return "sheet" if is_sheet(text) else ""


def build_fight_address(text: str, *, is_cut: bool = False) -> str:
    """The address, from another tool's page, at which a scenario file goes on as a fight; bare where it is cut.

    "" for any other text.
    """
    if not is_scenario(text):
        return ""
    return "../fight/" if is_cut else f"../{_build_address('fight', {'log': text})}"


def suggest_tool(name: str, text: str, query: str = "") -> ImportSuggestion | None:
    """What becomes of a file that was opened in the calculator `name`, whose form holds `query`.

    None where the calculator answers for it itself.
    """
    kind = detect_kind(text)
    if kind in ACCEPTED_KINDS.get(name, ()):
        return None
    if kind == "scenario":
        return _suggest_for_scenario(text)
    if kind == "sheet":
        return _suggest_for_sheet(name, text, query)
    return ImportSuggestion(_REFUSAL_TEXTS[kind])


_REFUSAL_TEXTS = {
    "kept": "This exported list can't be read. It is incomplete or was changed. Export it again.",
    "newer": "This file comes from a newer version of this site. Reload this page, then import the file again.",
    "": "This file isn't from this site. Choose a fight, a stat block or an exported list.",
}
"""What is said of a file that goes on nowhere, by its kind."""


def _suggest_for_scenario(text: str) -> ImportSuggestion:
    ways = (("Open in the fight tracker", "fight", "log"), ("Watch the replay", "replay", "scenario"))
    links = tuple((words, _build_address(tool, {control: text})) for words, tool, control in ways)
    if any(len(address) > MAX_LINK_LENGTH for _, address in links):
        words = "This file is a fight, but too long for a link. Import it again on the page you choose:"
        return ImportSuggestion(words, (("Open the fight page", "fight/"), ("Open the replay page", "replay/")))
    return ImportSuggestion("This file is a fight.", links)


def _suggest_for_sheet(name: str, text: str, query: str) -> ImportSuggestion:
    """A stat block; the odds that are asked for can have it in place of either of the two."""
    links = [
        ("Open as a character", _build_address("character", {"sheet": text})),
        ("Add to a fight", _build_address("fight", {"sheets": text})),
    ]
    if name == "odds":
        asked = parse_query(query)
        fields = {control: asked.text(control) for control in asked.raw}
        for place, (side, words) in enumerate(_DUELIST_LINKS.items()):
            links.insert(place, (words, _build_address("odds", {**fields, side: "", f"{side}_sheet": text})))
    else:
        links.append(("Calculate odds", _build_address("odds", {"first_sheet": text})))
    return ImportSuggestion("This file is a stat block.", tuple(links))


def _build_address(tool: str, fields: Mapping[str, str]) -> str:
    """A tool's address below `tools/`; what it is to open no server sees."""
    return f"{tool}/#?{format_query(fields)}"
