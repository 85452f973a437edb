"""What decides a rule's meaning, as a line of words: its figures, its deciding words, where its links lead, its names.

`make golden` writes the lines into tests/golden/rulebook.txt. A line is a rule's anchor, a ruling's id, or a heading
without an anchor, by its page. Of each paragraph, item or row there it has, in the order of the text, the figures with
their units, then the deciding words, the links and marks, and the people within its sentences; and last the abilities,
defences and kinds that are named at all. So a sentence put otherwise changes nothing as long as it says "only", "until"
and "3 spaces" as before, and neither does another place or page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path

from build_scripts.folders import DOCS
from build_scripts.numerals import HEADING, UNITS, WORDS, blocks_of, own_ids
from scratch_core.abilities import ABILITIES
from scratch_core.catalogue import RULES, Ruling, rulings

SHOWN_ELSEWHERE = ("build-on-it/changes", "build-on-it/contributing")
"""Pages that only include another file."""

DECIDING = (
    *("not", "no", "never", "nobody", "nothing", "none", "neither", "without", "only", "unless", "except", "until"),
    *(
        "may",
        "must",
        "can",
        "or",
        "instead",
        "always",
        "once",
        "twice",
        "again",
        "one",
        "half",
        "double",
        "first",
        "last",
    ),
    *(
        "next",
        "same",
        "other",
        "another",
        "more",
        "less",
        "fewer",
        "higher",
        "lower",
        "better",
        "worse",
        "least",
        "most",
    ),
    *(
        "best",
        "worst",
        "highest",
        "lowest",
        "all",
        "every",
        "each",
        "any",
        "both",
        "either",
        "before",
        "after",
        "during",
    ),
    *(
        "above",
        "below",
        "within",
        "beyond",
        "up",
        "down",
        "begin",
        "begins",
        "start",
        "starts",
        "end",
        "ends",
        "even",
        "ally",
        "allies",
        "enemy",
        "enemies",
    ),
    *(
        "attacker",
        "succeeds",
        "succeed",
        "fails",
        "fail",
        "hits",
        "misses",
        "adds",
        "add",
        "subtract",
        "loses",
        "keeps",
    ),
)
"""Words that turn a rule round when they are left out, put in or swapped; "can't" counts as "can not"."""

NAMED = (
    *(each.name for each in ABILITIES),
    *(
        "agility",
        "intelligence",
        "strength",
        "stamina",
        "initiative",
        "hit points",
        "damage",
        "difficulty",
        "close",
        "long",
    ),
    *("normal", "force", "psychic", "regular", "bonus", "special", "free", "healthy", "injured", "incapacitated"),
    *("delayed", "panicked", "surprised", "cover", "engaged", "evade", "escape", "hold", "distract"),
)
"""Names whose swap makes another rule."""

_UNIT = rf"(?: ?%| (?:{UNITS.replace(' ', '|')}|kg|lb|hit points|seconds|minutes|hours|MB|percent)\b)?"
_COUNT = "|".join(each for each in WORDS if each not in DECIDING)
_FIGURE = rf"[+−-]?\d[\d,.]*(?<![,.]){_UNIT}|\b(?:{_COUNT})\b{_UNIT}"
_LINK = r"\[\[(?P<rule>[^\]|]+)|\]\((?P<page>[^)\s]+)"
_TOKEN = re.compile(rf"{_LINK}|(?P<figure>{_FIGURE})|\b(?P<word>{'|'.join(DECIDING)})\b", re.IGNORECASE)
_NAME = re.compile(rf"\b({'|'.join(NAMED)})\b", re.IGNORECASE)
_PERSON = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")
"""Whom an example is about, and other names, but for a sentence's first word."""
_CODE = re.compile(r"`([^`\n]+)`")
_ATTRIBUTES = re.compile(r"\{:?[^}\n]*\}|^ *\d+\. ", re.MULTILINE)
_FENCE = re.compile(r"^( *)(```+) *(\S+)([^\n]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)
_RUN = ("scenario", "pycon", "console")
"""Fences that are played, or answered, when the site is tested."""


def deciding(text: str) -> list[str]:
    """The figures, deciding words, links and people of a text, each group in order, and the names in it."""
    plain = _ATTRIBUTES.sub("", re.sub(r"can't|cannot", "can not", re.sub(r"(?<!ca)n['’]t\b", " not", text)))
    figures, words, links = [], [], []
    for found in _TOKEN.finditer(re.sub(r"[*_]", "", plain)):
        if found["figure"]:
            figures.append(" ".join(found["figure"].split()).lower())
        elif found["word"]:
            words.append(found["word"].lower())
        else:
            links.append("→" + (found["rule"] or found["page"].rpartition("/")[2] or found["page"]).strip())
    codes = [f"`{each}`" for each in dict.fromkeys(_CODE.findall(plain))]
    bare = re.sub(r"\[\[[^\]|]+\|?|\]\([^)\s]+|[*_]", "", plain)
    names = sorted({each.lower() for each in _NAME.findall(bare)})
    return [*figures, *words, *links, *_PERSON.findall(bare), *codes, *names]


def told_in_docs(docs: Path = DOCS) -> dict[str, tuple[str, list[str]]]:
    """By anchor, or page and heading: the page, and what decides the meaning there."""
    found: dict[str, tuple[str, list[str]]] = {}
    known = {each.id for each in RULES}
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if page in SHOWN_ELSEWHERE:
            continue
        text = path.read_text("utf-8")
        heading = page
        for block in blocks_of(_with_fences_as_lines(text)):
            title = HEADING.match(block)
            ids = [each for each in own_ids(block) if each in known]
            if title:
                heading = ids[0] if ids else f"{page} › {title[2].strip()}"
            tokens = found.setdefault(ids[0] if ids else heading, (page, []))[1]
            tokens += deciding(title[2] if title else block)
    return found


def _with_fences_as_lines(text: str) -> str:
    """A page's text where each fence that nobody plays is a paragraph of what stands in it."""

    def line(fence: re.Match[str]) -> str:
        if fence[3] in _RUN:
            return ""
        return f"\n{fence[1]}`{' '.join((fence[3] + fence[4] + ' ' + fence[5]).replace('`', '').split())}`\n"

    return _FENCE.sub(line, text)


def told_of(each: Ruling) -> list[str]:
    """What decides a ruling: its question, each reading by its number, why, its rules and its switch."""
    readings = [deciding(words) for words in each.readings]
    parts = []
    for number, words in enumerate(each.readings, 1):
        is_alike = readings.count(readings[number - 1]) > 1
        parts += [f"({number})", *readings[number - 1], *(words.split()[:6] if is_alike else ())]
    asked, why = deciding(each.question), deciding(each.why)
    return [*asked, *parts, "(why)", *why, *(f"→{rule}" for rule in each.rules), f"switch={each.switch or 'none'}"]


def rulebook(docs: Path = DOCS) -> dict[str, tuple[str, list[str]]]:
    """Every rule, ruling and heading: where it is told, and what decides its meaning."""
    told = {each.id: ("scratch_core/catalogue/rulings.toml", told_of(each)) for each in rulings().values()}
    return told | {key: (f"docs/{page}.md", tokens) for key, (page, tokens) in told_in_docs(docs).items() if tokens}


def as_lines(told: Mapping[str, tuple[str, list[str]]]) -> list[str]:
    """The lines of the file, sorted."""
    return [f"{key}: {' '.join(tokens)}" for key, (_, tokens) in sorted(told.items())]


def differences(before: Iterable[str], told: Mapping[str, tuple[str, list[str]]]) -> Iterator[str]:
    """A line for each rule that decides otherwise than before: where it is told, what went and what came."""
    old = dict(line.split(": ", 1) for line in before)
    new = dict(line.split(": ", 1) for line in as_lines(told))
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key, "").split(), new.get(key, "").split()
        if was == now:
            continue
        changes = []
        for kind, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
            if kind != "equal":
                changes.append(f"{' '.join(was[a:b]) or 'nothing'} → {' '.join(now[c:d]) or 'nothing'}")
        yield f"{key} ({told[key][0] if key in told else 'told nowhere'}): {'; '.join(changes)}"
