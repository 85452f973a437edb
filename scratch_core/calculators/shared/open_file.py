"""What a file is that was opened on a calculator's page, and where it goes on: a fight's file among stat blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.calculators.shared.query import parse_query, query_string
from scratch_core.characters import parse_sheet
from scratch_core.rulebook.abilities import find_ability_name

FORMAT = "scratch-scenario/1"
"""The format of `scratch_core.scenario`, written here again: importing it would bring every order of turns along."""
KEPT = "scratch-kept/"
"""What the format of a file of kept entries begins with; scripts read it, and hand over only what they can't."""
_VERSION = re.compile(r"scratch-(kept|scenario)/(\d{1,6})")
_KNOWN_VERSION = 1
_ENTRY = re.compile(r'"version"\s*:\s*"(?:character|fight|house)/\d+"')
_HEAD = 400
"""A file of ours names its format at its beginning."""
LONGEST_LINK = 1_500_000
"""As many characters as a browser surely takes as a link."""

TAKEN: Mapping[str, frozenset[str]] = {
    "fight": frozenset(("scenario", "sheet", "")),
    "character": frozenset(("scenario", "sheet", "")),
    "replay": frozenset(("scenario", "")),
}
"""The kinds of files that a calculator answers for itself, "" being what is none of ours."""

_SIDES = {"first": "Use as the first character", "second": "Use as the second character"}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a file is, in a sentence or two, and where it goes on: words, and an address below the site's `tools/`."""

    words: str
    links: tuple[tuple[str, str], ...] = ()


def is_scenario(text: str) -> bool:
    """Whether a text says of itself that it is a scenario file, whole or cut, in JSON or in TOML."""
    return FORMAT in text[:_HEAD]


def is_sheet(text: str) -> bool:
    """Whether a text can be meant as stat blocks: somewhere in it stands an ability with a level.

    Rule: `char.stat-line`.
    """
    if FORMAT in text:  # a scenario's characters may be stat blocks
        return False
    return any(find_ability_name(entry.ability) for draft in parse_sheet(text).drafts for entry in draft.entries)


def kind_of(text: str) -> str:
    """Return `scenario`, `kept`, `newer`, `sheet`, or "" for a text that is no file of ours.

    Damaged files count too: saved entries by their format or by the version of any entry.
    """
    version = _VERSION.search(text[:_HEAD])
    if version and int(version[2]) > _KNOWN_VERSION:
        return "newer"
    if KEPT in text[:_HEAD] or (FORMAT not in text and _ENTRY.search(text)):
        return "kept"
    if FORMAT in text:
        return "scenario"
    return "sheet" if is_sheet(text) else ""


def fight_of(text: str, *, is_cut: bool = False) -> str:
    """The address, from another tool's page, at which a scenario file goes on as a fight; bare where it is cut.

    "" for any other text.
    """
    if not is_scenario(text):
        return ""
    return "../fight/" if is_cut else f"../{_address('fight', {'log': text})}"


def opened(name: str, text: str, query: str = "") -> Elsewhere | None:
    """What becomes of a file that was opened in the calculator `name`, whose form holds `query`.

    None where the calculator answers for it itself.
    """
    kind = kind_of(text)
    if kind in TAKEN.get(name, ()):
        return None
    if kind == "scenario":
        return _scenario(text)
    if kind == "sheet":
        return _sheet(name, text, query)
    return Elsewhere(_REFUSED[kind])


_REFUSED = {
    "kept": "This exported list can’t be read. It is incomplete or was changed. Export it again.",
    "newer": "This file comes from a newer version of this site. Reload this page, then import the file again.",
    "": "This file isn’t from this site. Choose a fight, a stat block or an exported list.",
}
"""What is said of a file that goes on nowhere, by its kind."""


def _scenario(text: str) -> Elsewhere:
    ways = (("Open in the fight tracker", "fight", "log"), ("Watch the replay", "replay", "scenario"))
    links = tuple((words, _address(tool, {control: text})) for words, tool, control in ways)
    if any(len(address) > LONGEST_LINK for _, address in links):
        words = "This file is a fight, but too long for a link. Import it again on the page you choose:"
        return Elsewhere(words, (("Open the fight page", "fight/"), ("Open the replay page", "replay/")))
    return Elsewhere("This file is a fight.", links)


def _sheet(name: str, text: str, query: str) -> Elsewhere:
    """A stat block; the odds that are asked for can have it in place of either of the two."""
    links = [
        ("Open as a character", _address("character", {"sheet": text})),
        ("Add to a fight", _address("fight", {"sheets": text})),
    ]
    if name == "odds":
        asked = parse_query(query)
        fields = {control: asked.text(control) for control in asked.raw}
        for place, (side, words) in enumerate(_SIDES.items()):
            links.insert(place, (words, _address("odds", {**fields, side: "", f"{side}_sheet": text})))
    else:
        links.append(("Calculate odds", _address("odds", {"first_sheet": text})))
    return Elsewhere("This file is a stat block.", tuple(links))


def _address(tool: str, fields: Mapping[str, str]) -> str:
    """A tool's address below `tools/`; what it is to open no server sees."""
    return f"{tool}/#?{query_string(fields)}"
