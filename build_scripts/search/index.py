"""The search index of MkDocs or Zensical: players' words lead to rules, and each hit says what it is.

The words are in synonyms.toml, by the rule or the place that answers them. Those for a member of the cast are in
`scratch_core/cast/cast.toml`, where the pickers of characters use them, too.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from scratch_core.cast import CAST
from scratch_core.rulebook import ACTIONS, get_rule
from scratch_core.rulebook.abilities import ABILITIES


@dataclass(frozen=True, slots=True)
class HitKind:
    """What a search hit is, by its place in the site."""

    page: str | tuple[str, ...]
    """The prefix of the place, or several."""
    name: str
    """The name that the hit shows."""
    weight: float
    """The factor of its score."""


@dataclass(frozen=True, slots=True)
class SearchWords:
    """Players' words for an entry of the index."""

    main_words: str
    """The words that mean this entry before all others."""
    other_words: str
    """The other words."""
    name: str = ""
    """The name of the action or ability that the entry explains; "" for none."""


CAST_PAGE = "tools/cast/"
"""The page whose anchors are the ids of the cast."""
BUILDER_PAGES = HitKind(("build-on-it/", "contributing/"), "For builders", 0.001)
KINDS = (
    HitKind("rules/grid/", "Grid rule", 1),
    HitKind("rules/other-turn-orders/", "Other turn order", 0.6),
    HitKind("rules/combat-", "Example", 0.1),
    HitKind("rules/", "Rule", 1),
    HitKind("start-here/", "Introduction", 0.5),
    HitKind("look-up/glossary/", "Term", 0.4),
    HitKind("look-up/rulings/", "Ruling", 0.1),
    HitKind("look-up/", "Overview", 0.2),
    HitKind("tools/", "Tool", 0.7),
    BUILDER_PAGES,
    HitKind("", "Overview", 0.2),
)
"""The kinds in order: a hit is of the first one whose prefix fits."""
FIELD_BOOSTS = {
    "name": {"boost": 12.0},
    "title": {"boost": 3.0},
    "called": {"boost": 6.0},
    "asked": {"boost": 4.0},
    "text": {"boost": 1.0},
}
PAGE_WEIGHT = 0.4
"""The factor of a page compared with its sections, because Material multiplies a page's own hit by two and a half."""
MAX_BUILDER_TEXT = 1000
"""The characters of a developers' section that are indexed. The changelog alone would be a tenth of the index."""

_SYNONYMS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
STOP_WORDS = frozenset(_SYNONYMS["small"].split())

_TITLES = {
    **{
        each.rule: each.title.lower()
        for each in ACTIONS
        if "-" in each.title or get_rule(each.rule).title == each.title
    },
    **{each.main_rule: each.name for each in ABILITIES},
}
NAMES_BY_RULE = {rule_id: re.sub(rf"-(?:{'|'.join(_TITLES.values())})$", "", name) for rule_id, name in _TITLES.items()}
"""The names of actions and abilities by the rule that explains them, so that the rule comes first in a search for the
name.

If a name ends with another one, only the rest is used: "hold" must not find a counter-hold."""

_SIGNS = r"""[\s\-–—−,;:.!?()\[\]"“”‘’'/…†§→·]"""
_WORDS = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in sorted(STOP_WORDS))
_ENDINGS = (
    *(rf"(?<=[A-Za-z]{{2}}{each}){each}(?:ing?|i|ed)" for each in "bdgmnprt"),  # hit|ting, stun|ned
    r"(?<=[A-Za-z]{3})(?:ie[sd]|ying|ings?)",  # enem|ies, hold|ing
    r"(?<=[A-Za-z]{3}[b-df-hj-np-tv-z])y",  # enem|y
    r"(?<=[A-Za-z]{4})(?:in?|ers?|ly)",  # fight|er, friend|ly; attack|i, while the user is typing
    r"(?<=[A-Za-z]{3}[A-Za-df-z])es?",  # evad|e
    r"(?<=[A-Za-z]{5})ions?",  # detect|ion
    r"(?<=[A-Za-z]{2}[A-Za-df-z])ed",  # delay|ed
    r"(?<=[A-Za-z]{2}[b-hj-np-rtv-z])s",  # minion|s
)
_FIGURE = r"(?<=[A-Za-z]{3})(?=\d)"  # nat|20
SEPARATOR = rf"(?:{_SIGNS}|\b(?:{_WORDS})\b|(?:{'|'.join(_ENDINGS)})\b|{_FIGURE})+"
"""The pattern between two words, in the text and in a question.

Both searches look for the beginnings of words, and neither ignores stop words or endings. With this pattern "can I" and
the "ing" of "hitting" count as a space. It has no capturing group, because Material puts it into a pattern with groups
of its own."""
_SEPARATOR_PATTERN = re.compile(SEPARATOR)
_BARE = re.compile(r"(?:^|(?<=</p>)|(?<=</[ou]l>))\s*([^<>\s][^<>]*)")


def add_words_to_search_index(site_folder: Path) -> None:
    """Put kinds, weights and players' words into the index of a built site.

    A second run changes nothing. Raises KeyError for a place of synonyms.toml that the index does not have, and
    ScratchError for an unknown rule.
    """
    is_zensical = (site_folder / "search.json").exists()
    file = site_folder / ("search.json" if is_zensical else "search/search_index.json")
    index = json.loads(file.read_text(encoding="utf-8"))
    config, entries = index["config"], index.pop("items" if is_zensical else "docs")
    if config["separator"] == SEPARATOR:
        return
    config["separator"] = SEPARATOR
    entries = [each for each in entries if each["text"] or "#" not in each["location"]]
    for each in entries:  # of text outside of paragraphs a hit would show nothing before the found word
        each["text"] = _BARE.sub(r"<p>\1</p>", each["text"])
    words_by_place = _map_entries_to_words(site_folder, [each["location"] for each in entries])
    if is_zensical:
        index["items"] = _build_zensical_entries(entries, words_by_place)
    else:
        config["fields"] = FIELD_BOOSTS
        index["docs"] = _build_material_entries(entries, words_by_place)
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def kind_of(location: str) -> HitKind:
    """Return the kind of a hit by its place in the site."""
    return next(each for each in KINDS if location.startswith(each.page))


def _build_material_entries(
    entries: Iterable[dict[str, Any]], words_by_place: Mapping[str, SearchWords]
) -> list[dict[str, Any]]:
    """Return the entries with players' words, and the kind as a tag.

    The words are in a field that is searched and not shown. Contributors' pages are found as a whole, because their
    sections would take a tenth of the index.
    """
    selected = [
        each for each in entries if not ("#" in each["location"] and each["location"].startswith("contributing/"))
    ]
    for entry in selected:
        location, kind = entry["location"], kind_of(entry["location"])
        entry["tags"], entry["boost"] = [kind.name], kind.weight * (1 if "#" in location else PAGE_WEIGHT)
        if words := words_by_place.get(location):
            entry["called"], entry["asked"] = words.main_words, words.other_words
            entry.update({"name": words.name} if words.name else {})
        if kind is BUILDER_PAGES and len(entry["text"]) > MAX_BUILDER_TEXT:
            entry["text"] = escape(BeautifulSoup(entry["text"], "html.parser").get_text(" ")[:MAX_BUILDER_TEXT])
    return selected


def _build_zensical_entries(
    entries: Iterable[dict[str, Any]], words_by_place: Mapping[str, SearchWords]
) -> list[dict[str, Any]]:
    """Return the entries with players' words, and the kind as a tag.

    The words are at the end of the text. The kind is before the page's name, too, and users can filter hits by it.
    """
    selected = [
        each for each in entries if kind_of(each["location"]) is not BUILDER_PAGES or "#" not in each["location"]
    ]
    for entry in selected:
        kind, words = kind_of(entry["location"]), words_by_place.get(entry["location"])
        entry["tags"], entry["path"] = [kind.name], [kind.name, *entry["path"][1:]]
        if kind is BUILDER_PAGES:
            entry["text"] = entry["title"]
            entry["title"], entry["path"] = (
                _hide_from_search(entry["title"]),
                [_hide_from_search(each) for each in entry["path"]],
            )
        elif words:
            entry["text"] += f" {words.main_words} {words.other_words}"
    return sorted(selected, key=lambda each: -kind_of(each["location"]).weight)


def _hide_from_search(words: str) -> str:
    """Return words that look the same but are not found.

    An invisible character follows each first letter.
    """
    return re.sub(r"\b(?=\w)(.)", "\\1\N{WORD JOINER}", words)


def _map_entries_to_words(site: Path, locations: Iterable[str]) -> dict[str, SearchWords]:
    """Return players' words by the entry that contains the rule or place."""
    entries = {place: place for place in locations}
    for page in sorted({each.partition("#")[0] for each in entries}):
        entry = page
        for anchor in re.findall(r'\sid="([^"]+)"', (site / page / "index.html").read_text(encoding="utf-8")):
            entry = entries.setdefault(f"{page}#{anchor}", entry)
    phrases_by_place: dict[str, list[str]] = {}
    for key, phrases in _SYNONYMS["words"].items():
        phrases_by_place.setdefault(entries[key if "/" in key else get_rule(key).url], []).append(phrases)
    for member in CAST:
        phrases_by_place.setdefault(entries[f"{CAST_PAGE}#{member.id}"], []).append(member.words)
    names = {entries[get_rule(rule_id).url]: name for rule_id, name in NAMES_BY_RULE.items()}
    return {
        place: replace(_split_main_and_other_words(phrases), name=names.get(place, ""))
        for place, phrases in phrases_by_place.items()
    }


def _split_main_and_other_words(lines: Iterable[str]) -> SearchWords:
    """Merge lines of synonyms.toml, each word once regardless of its ending."""
    halves = [line.rpartition(";") for line in lines]
    main, other = _map_stems(half[0] for half in halves), _map_stems(half[2] for half in halves)
    others = [word for stem, word in other.items() if stem not in main]
    return SearchWords(" ".join(main.values()), " ".join([*others, _SYNONYMS["everywhere"]]))


def _map_stems(phrases: Iterable[str]) -> dict[str, str]:
    words = re.findall(r"[\w+&]+", " ".join(phrases))
    return {stem: word for word in words if (stem := "".join(_SEPARATOR_PATTERN.split(word)))}
