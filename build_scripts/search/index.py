"""The search's index, whether MkDocs or Zensical made it: players' words lead to rules, and a hit says what it is.

The words stand in synonyms.toml, by the rule or the place that answers them.
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

from scratch_core.rulebook import ACTIONS, get_rule
from scratch_core.rulebook.abilities import ABILITIES


@dataclass(frozen=True, slots=True)
class HitKind:
    """What the hits are whose place in the site begins with `page`, and how much they weigh."""

    page: str | tuple[str, ...]
    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class SearchWords:
    """Players' words for what one entry tells: its name, those that mean it before all else, and the others."""

    main_words: str
    other_words: str
    name: str = ""


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
"""The first whose place fits is a hit's own."""
FIELD_BOOSTS = {
    "name": {"boost": 12.0},
    "title": {"boost": 3.0},
    "called": {"boost": 6.0},
    "asked": {"boost": 4.0},
    "text": {"boost": 1.0},
}
PAGE_WEIGHT = 0.4
"""A page against its sections: Material counts a page's own hit two and a half times."""
MAX_BUILDER_TEXT = 1000
"""So much of a section for builders is searched: the changelog alone would be a tenth of the index."""

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
"""The names of actions and abilities, by the rule that tells them: asked for one, its rule comes first.

Of a name that ends with another one the rest is taken: "hold" must find no counter-hold.
"""

_SIGNS = r"""[\s\-–—−,;:.!?()\[\]"“”‘’'/…†§→·]"""
_WORDS = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in sorted(STOP_WORDS))
_ENDINGS = (
    *(rf"(?<=[A-Za-z]{{2}}{each}){each}(?:ing?|i|ed)" for each in "bdgmnprt"),  # hit|ting, stun|ned
    r"(?<=[A-Za-z]{3})(?:ie[sd]|ying|ings?)",  # enem|ies, hold|ing
    r"(?<=[A-Za-z]{3}[b-df-hj-np-tv-z])y",  # enem|y
    r"(?<=[A-Za-z]{4})(?:in?|ers?|ly)",  # fight|er, friend|ly; attack|i, while someone is typing
    r"(?<=[A-Za-z]{3}[A-Za-df-z])es?",  # evad|e
    r"(?<=[A-Za-z]{5})ions?",  # detect|ion
    r"(?<=[A-Za-z]{2}[A-Za-df-z])ed",  # delay|ed
    r"(?<=[A-Za-z]{2}[b-hj-np-rtv-z])s",  # minion|s
)
_FIGURE = r"(?<=[A-Za-z]{3})(?=\d)"  # nat|20
SEPARATOR = rf"(?:{_SIGNS}|\b(?:{_WORDS})\b|(?:{'|'.join(_ENDINGS)})\b|{_FIGURE})+"
"""What lies between two words, in the text as in a question.

Both searches look for what a word begins with, and neither knows small words or endings: here "can I" and the "ing" of
"hitting" are no more than a space. No group captures, for Material puts this into a pattern with groups of its own.
"""
_SEPARATOR_PATTERN = re.compile(SEPARATOR)
_BARE = re.compile(r"(?:^|(?<=</p>)|(?<=</[ou]l>))\s*([^<>\s][^<>]*)")


def enrich_index(site: Path) -> None:
    """Put kinds, weights and players' words into the index of a built site; a second time nothing is changed.

    Raises `KeyError` for a place of synonyms.toml that the index doesn't have, and `ScratchError` for an unknown rule.
    """
    is_zensical = (site / "search.json").exists()
    file = site / ("search.json" if is_zensical else "search/search_index.json")
    index = json.loads(file.read_text(encoding="utf-8"))
    config, entries = index["config"], index.pop("items" if is_zensical else "docs")
    if config["separator"] == SEPARATOR:
        return
    config["separator"] = SEPARATOR
    entries = [each for each in entries if each["text"] or "#" not in each["location"]]
    for each in entries:  # of text in no paragraph a hit would show nothing before what was looked for
        each["text"] = _BARE.sub(r"<p>\1</p>", each["text"])
    asked = _map_words_to_entries(site, [each["location"] for each in entries])
    if is_zensical:
        index["items"] = _build_zensical_entries(entries, asked)
    else:
        config["fields"] = FIELD_BOOSTS
        index["docs"] = _build_material_entries(entries, asked)
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def kind_of(location: str) -> HitKind:
    """What a hit is, by its place in the site."""
    return next(each for each in KINDS if location.startswith(each.page))


def _build_material_entries(
    entries: Iterable[dict[str, Any]], asked: Mapping[str, SearchWords]
) -> list[dict[str, Any]]:
    """Return the entries with the words in a field that is searched and not shown, and the kind as a tag.

    Contributors' pages are found as a whole; their sections would take a tenth of the index.
    """
    kept = [each for each in entries if not ("#" in each["location"] and each["location"].startswith("contributing/"))]
    for entry in kept:
        place, kind = entry["location"], kind_of(entry["location"])
        entry["tags"], entry["boost"] = [kind.name], kind.weight * (1 if "#" in place else PAGE_WEIGHT)
        if words := asked.get(place):
            entry["called"], entry["asked"] = words.main_words, words.other_words
            entry.update({"name": words.name} if words.name else {})
        if kind is BUILDER_PAGES and len(entry["text"]) > MAX_BUILDER_TEXT:
            entry["text"] = escape(BeautifulSoup(entry["text"], "html.parser").get_text(" ")[:MAX_BUILDER_TEXT])
    return kept


def _build_zensical_entries(
    entries: Iterable[dict[str, Any]], asked: Mapping[str, SearchWords]
) -> list[dict[str, Any]]:
    """The words behind the text, the kind before the page's name, and as a tag, by which hits may be chosen.

    It knows no weights: a word in a heading comes first, then one in a page's name, then one in a text, and of hits
    that are level the first in the index. So the heavier kinds stand before the others there, and a page for builders
    has nothing but its name to be found by, as its text.
    """
    kept = [each for each in entries if kind_of(each["location"]) is not BUILDER_PAGES or "#" not in each["location"]]
    for entry in kept:
        kind, words = kind_of(entry["location"]), asked.get(entry["location"])
        entry["tags"], entry["path"] = [kind.name], [kind.name, *entry["path"][1:]]
        if kind is BUILDER_PAGES:
            entry["text"] = entry["title"]
            entry["title"], entry["path"] = (
                _hide_from_search(entry["title"]),
                [_hide_from_search(each) for each in entry["path"]],
            )
        elif words:
            entry["text"] += f" {words.main_words} {words.other_words}"
    return sorted(kept, key=lambda each: -kind_of(each["location"]).weight)


def _hide_from_search(words: str) -> str:
    """Words that look as before and that no search finds: behind each first letter stands a sign that no one sees."""
    return re.sub(r"\b(?=\w)(.)", "\\1\N{WORD JOINER}", words)


def _map_words_to_entries(site: Path, locations: Iterable[str]) -> dict[str, SearchWords]:
    """Players' words by the entry of the index in whose section the rule or the place is."""
    places = {place: place for place in locations}
    for page in sorted({each.partition("#")[0] for each in places}):
        entry = page
        for anchor in re.findall(r'\sid="([^"]+)"', (site / page / "index.html").read_text(encoding="utf-8")):
            entry = places.setdefault(f"{page}#{anchor}", entry)
    told: dict[str, list[str]] = {}
    for key, phrases in _SYNONYMS["words"].items():
        told.setdefault(places[key if "/" in key else get_rule(key).url], []).append(phrases)
    names = {places[get_rule(rule_id).url]: name for rule_id, name in NAMES_BY_RULE.items()}
    return {place: replace(_merge_words(phrases), name=names.get(place, "")) for place, phrases in told.items()}


def _merge_words(told: Iterable[str]) -> SearchWords:
    """The words of some lines of synonyms.toml, each once, however it ends."""
    halves = [line.rpartition(";") for line in told]
    called, asked = _map_stems(half[0] for half in halves), _map_stems(half[2] for half in halves)
    others = [word for stem, word in asked.items() if stem not in called]
    return SearchWords(" ".join(called.values()), " ".join([*others, _SYNONYMS["everywhere"]]))


def _map_stems(phrases: Iterable[str]) -> dict[str, str]:
    words = re.findall(r"[\w+&]+", " ".join(phrases))
    return {stem: word for word in words if (stem := "".join(_SEPARATOR_PATTERN.split(word)))}
