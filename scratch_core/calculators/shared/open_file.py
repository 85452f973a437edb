"""Recognize the kind of a file that a user opens on a calculator's page, and suggest the right tool for it."""

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
"""The characters at the start of a file that are searched for its format."""
MAX_LINK_LENGTH = 1_500_000
"""The most characters of a link that every browser accepts."""

ACCEPTED_KINDS: Mapping[str, frozenset[str]] = {
    "fight": frozenset(("scenario", "sheet", "")),
    "character": frozenset(("scenario", "sheet", "")),
    "replay": frozenset(("scenario", "")),
}
"""The kinds of files that a calculator handles itself, by calculator. "" is the kind of unknown files."""

_DUELIST_LINKS = {"first": "Use as the first character", "second": "Use as the second character"}


@dataclass(frozen=True, slots=True)
class ImportSuggestion:
    """An explanation of an opened file, and links to the tools for it."""

    text: str
    """The kind of file, or why it can't be used, in one sentence or a few."""
    links: tuple[tuple[str, str], ...] = ()
    """The links: words, and an address relative to the site's `tools/`."""


def is_scenario(text: str) -> bool:
    """Return whether a text declares the format of scenario files.

    The text may be JSON or TOML, and its end may be cut off.
    """
    return SCENARIO_FORMAT in text[:_FORMAT_SEARCH_LENGTH]


def is_sheet(text: str) -> bool:
    """Return whether some line of a text has an ability with a level.

    Such a text may be stat blocks. Returns False for a scenario, although its characters may be stat blocks.
    Rule: `char.stat-line`.
    """
    if SCENARIO_FORMAT in text:
        return False
    return any(find_ability_name(entry.ability) for draft in parse_sheet(text).drafts for entry in draft.entries)


def detect_file_kind(text: str) -> str:
    """Detect the kind of a file: `scenario`, `kept`, `newer` or `sheet`.

    `kept` is an export file of saved entries, `newer` a file of a later version of the site. Returns "" for any other
    text. Detects damaged files, too: an export file by its format or by the version of any entry.
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


def build_fight_address(text: str, *, without_text: bool = False) -> str:
    """Build the address that opens a scenario file in the fight tracker.

    The address is relative to another tool's page. It has no query if the text is cut. Returns "" for a text that is no
    scenario.
    """
    if not is_scenario(text):
        return ""
    return "../fight/" if without_text else f"../{_build_tool_address('fight', {'log': text})}"


def suggest_other_tools(calculator: str, text: str, form_query: str = "") -> ImportSuggestion | None:
    """Suggest the tools for a file that was opened in the calculator `calculator`.

    `form_query` is the query of its form. Returns None if the calculator handles the file itself.
    """
    kind = detect_file_kind(text)
    if not kind and text.lstrip().startswith("{"):  # JSON of something else, or a small part of a file
        return ImportSuggestion(_REFUSAL_TEXTS[""])
    if kind in ACCEPTED_KINDS.get(calculator, ()):
        return None
    if kind == "scenario":
        return _suggest_for_scenario(text)
    if kind == "sheet":
        return _suggest_for_sheet(calculator, text, form_query)
    return ImportSuggestion(_REFUSAL_TEXTS[kind])


_REFUSAL_TEXTS = {
    "kept": "This exported list can't be read. It is incomplete or was changed. Export it again.",
    "newer": "This file comes from a newer version of this site. Reload this page, then import the file again.",
    "": "This file isn't from this site, or it is damaged. Choose a fight, a stat block or an exported list.",
}
"""The text about a file that no tool can use, by its kind."""


def _suggest_for_scenario(text: str) -> ImportSuggestion:
    ways = (("Open in the fight tracker", "fight", "log"), ("Watch the replay", "replay", "scenario"))
    links = tuple((words, _build_tool_address(tool, {control: text})) for words, tool, control in ways)
    if any(len(address) > MAX_LINK_LENGTH for _, address in links):
        words = "This file is a fight, but too long for a link. Import it again on the page you choose:"
        return ImportSuggestion(words, (("Open the fight page", "fight/"), ("Open the replay page", "replay/")))
    return ImportSuggestion("This file is a fight.", links)


def _suggest_for_sheet(calculator: str, text: str, form_query: str) -> ImportSuggestion:
    """Suggest the tools for a stat block.

    The odds calculator can use it for either of its two characters; the rest of its form stays the same.
    """
    links = [
        ("Open as a character", _build_tool_address("character", {"sheet": text})),
        ("Add to a fight", _build_tool_address("fight", {"sheets": text})),
    ]
    if calculator == "odds":
        request = parse_query(form_query)
        fields = {control: request.text(control) for control in request.raw}
        for index, (side, words) in enumerate(_DUELIST_LINKS.items()):
            links.insert(index, (words, _build_tool_address("odds", {**fields, side: "", f"{side}_sheet": text})))
    else:
        links.append(("Calculate odds", _build_tool_address("odds", {"first_sheet": text})))
    return ImportSuggestion("This file is a stat block.", tuple(links))


def _build_tool_address(tool: str, fields: Mapping[str, str]) -> str:
    """Build a tool's address, relative to `tools/`, with the fields in the fragment.

    Browsers don't send a fragment to the server.
    """
    return f"{tool}/#?{format_query(fields)}"
