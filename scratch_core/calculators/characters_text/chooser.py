"""The one chooser of people: the reader's own first, then the cast; as many as wanted are ticked and come in together.

While someone is to be chosen a page has a `Chooser`, which `_chooser.html` prints: the press `CHOOSE` opens it for
whom it names, or closes it, and who was ticked when `ADD` was pressed is `ticked`. They come in as stat blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from scratch_core.calculators.characters_text.built_character import format_saved_character
from scratch_core.calculators.shared.form import Form, truncate_line
from scratch_core.calculators.shared.query import SAVED_ENTRIES_CONTROL, Query
from scratch_core.cast import CAST, KINDS, MEMBERS_BY_ID, format_sheet_with_minions
from scratch_core.cast.members import Kind
from scratch_core.characters import MAX_NAME_LENGTH, clean_line, parse_leading_quote, quote_name_if_needed

EXPECTED_CHARACTER = "one of the cast, or a saved character"
"""What is expected of those who are chosen."""

CONTROLS = ("choosing", "find")
"""The controls for the target of the choice ("" for none) and the search text."""

CHOOSE, ADD = "choose", "add"
"""The command that opens the chooser for its argument, or closes it without one; and the command that adds."""

SAVED_HEADING = "Yours"
TYPED_CHARACTER = "own"
"""What a list of the cast says for someone who is written in full."""
_TICK_PREFIX = "tick."
"""What the control of someone to be ticked is called, before the id or the place among one's own."""


@dataclass(frozen=True, slots=True)
class ChooserOption:
    """Someone to be ticked: the control, and as its value an id of the cast or the query of a kept character.

    `description` is who it is in a few words, `points` what it is worth, "" where that is not known.
    """

    control: str
    value: str
    name: str
    description: str
    points: str = ""

    def has_words(self, words: Sequence[str]) -> bool:
        """Whether all these words are in its name or description."""
        return all(word in f"{self.name} {self.description}".casefold() for word in words)


@dataclass(frozen=True, slots=True)
class Chooser:
    """Everyone to choose from under headings: those looked for, and the `ticked_controls` ones, told by their controls.

    `target` is whom they are for, `search_text` what is looked for, `saved_entries_text` what the press handed over,
    for the answers after it. One that `is_new` has the eye.
    """

    target: str
    search_text: str
    groups: tuple[tuple[str, tuple[ChooserOption, ...]], ...]
    ticked_controls: frozenset[str]
    saved_entries_text: str
    is_new: bool


def find_chooser(query: Query, without: frozenset[str] = frozenset()) -> Chooser | None:
    """The chooser of a page as its query leaves it, None where no one is to be chosen."""
    act, _, whom = query.text("act").strip().partition(" ")
    is_new = act == CHOOSE
    target = whom if is_new else query.text("choosing").strip()
    if act == ADD or not target:
        return None
    return build_chooser(query, target, "archetype", is_new=is_new, without=without)


def build_chooser(
    query: Query, target: str, first: Kind, *, is_new: bool, without: frozenset[str] = frozenset()
) -> Chooser:
    """Everyone to choose from, as a query has ticked them; no one is ticked in a new one.

    `first` is the kind of the cast that stands before the others, `without` the ids of those who can't come in.
    """
    kept = query.text(SAVED_ENTRIES_CONTROL)
    yours = tuple(
        ChooserOption(f"{_TICK_PREFIX}{number}", each.query, each.name, each.summary.removeprefix(f"{each.name}: "))
        for number, each in enumerate(parse_saved_entries(kept))
    )
    chosen = frozenset(() if is_new else _list_ticked_controls(query))
    sought = "" if is_new else query.text("find")
    words = sought.casefold().split()
    groups = [
        (heading, tuple(each for each in people if each.control in chosen or each.has_words(words)))
        for heading, people in ((SAVED_HEADING, yours), *_list_cast_options(first, without))
    ]
    found = tuple(each for each in groups if each[1])
    return Chooser(target, sought, found, chosen, kept, is_new)


def list_ticked_values(query: Query) -> Iterator[str]:
    """Who was ticked: ids of the cast, and the queries of kept characters; `add_who` is one, as links of before say."""
    named = (query.text("add_who"),) if query.text("add_who") not in ("", TYPED_CHARACTER) else ()
    return chain(named, map(query.text, _list_ticked_controls(query)))


def _list_ticked_controls(query: Query) -> Iterator[str]:
    return (name for name in query.raw if name.startswith(_TICK_PREFIX))


@cache
def _list_cast_options(first: Kind, without: frozenset[str]) -> tuple[tuple[str, tuple[ChooserOption, ...]], ...]:
    groups: dict[str, list[ChooserOption]] = {KINDS[kind]: [] for kind in (first, *KINDS)}
    for each in CAST:
        who = each.build_character()
        if each.id not in without:
            groups[KINDS[each.kind]].append(
                ChooserOption(_TICK_PREFIX + each.id, each.id, who.name, who.description, f"{each.cp}")
            )
    return tuple((heading, tuple(people)) for heading, people in groups.items())


# What the reader keeps on the device, handed over by a press for one answer alone

MAX_SAVED_ENTRIES = 60
"""As many entries as are read."""

MAX_SUMMARY_LENGTH = 120


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """One entry: what the reader calls it, the query that reopens it, and what it came to in a sentence."""

    name: str
    query: str
    summary: str = ""


def parse_saved_entries(text: str) -> tuple[SavedEntry, ...]:
    """The entries in a text, the latest first; what can't be read is left out. Never raises."""
    from scratch_core.scenario.parser import parse_json  # when a press hands something over, and not before

    found = parse_json(text)
    entries = []
    for each in found[:MAX_SAVED_ENTRIES] if isinstance(found, list) else []:
        name, query = (each.get("name"), each.get("query")) if isinstance(each, dict) else ("", "")
        if isinstance(name, str) and isinstance(query, str) and query:
            summary = truncate_line(f"{each.get('summary') or ''}", MAX_SUMMARY_LENGTH)
            entries.append(SavedEntry(truncate_line(name, MAX_SUMMARY_LENGTH) or "without a name", query, summary))
    return tuple(entries)


# Who comes in


def find_stat_blocks(who: str) -> str:
    """The stat blocks of a member of the cast, by id, or of a kept character, by its query; "" for neither."""
    return format_sheet_with_minions(MEMBERS_BY_ID[who]) if who in MEMBERS_BY_ID else format_saved_character(who)


def split_stat_blocks(blocks: str) -> list[str]:
    """Stat blocks one by one."""
    return [each for each in blocks.split("\n\n") if each.strip()]


def parse_block_name(block: str) -> str:
    """Whose stat block it is."""
    return _split_block_name(block)[0]


def _split_block_name(block: str) -> tuple[str, str]:
    """Return the name of a stat block and what comes behind it."""
    first = block.partition("\n")[0]
    if quoted := parse_leading_quote(first):
        rest = f" {quoted[1]}" if quoted[1].startswith("(") else quoted[1]
        return quoted[0], rest + block[len(first) :]
    name = re.split("[(:\n]", block, maxsplit=1)[0].rstrip()
    return name, block[len(name) :]


def list_added_characters(asked: Form, where: str, names: str) -> list[tuple[str, list[str]]]:
    """Those whom the chooser of a page brings in by this press, by name and stat blocks, as `each_of` has them.

    Reports a character that cannot be parsed at the control `where`.
    """
    if asked.query.text("act").strip() != ADD:
        return []
    people = [find_stat_blocks(who) for who in list_ticked_values(asked.query)]
    if not all(people):
        asked.problems.report("character.unknown", EXPECTED_CHARACTER, "someone else", where)
    return copy_characters(filter(None, people), 1, names)


def copy_characters(people: Iterable[str], count: int, names: str) -> list[tuple[str, list[str]]]:
    """Repeat each `count` times, by name and stat blocks, with names that are not in the text `names`."""
    found: list[tuple[str, list[str]]] = []
    for blocks in people:
        found.append(copy_stat_blocks(blocks, count, names))
        names = "\n".join((names, *found[-1][1]))
    return found


def copy_stat_blocks(blocks: str, count: int, names: str) -> tuple[str, list[str]]:
    """So many of one, whose minions stand behind its stat block: its name, and the stat blocks, numbered as need be."""
    own = split_stat_blocks(blocks)
    name, rest = _split_block_name(own[0])
    called = _number_names(name, count, names)
    return name, own if called == [name] else [f"{quote_name_if_needed(each)}{rest}" for each in called]


def _number_names(name: str, count: int, names: str) -> list[str]:
    """So many names that no one has yet, numbered where there are several of one."""
    line = re.compile(rf"{re.escape(name)}(?: ([0-9]{{1,4}}))?[ ]*(?:[:(].*)?", re.IGNORECASE)
    quoted = ((parse_leading_quote(each), each) for each in names.split("\n"))
    found = [line.fullmatch(clean_line(each[0] if each else bare)) for each, bare in quoted]
    first = max((int(each[1] or 1) for each in found if each), default=0) + 1
    if count == 1 and first == 1:
        return [name]
    return [f"{name} {number}" for number in range(first, first + count)]


def append_stat_blocks(sheets: str, blocks: Iterable[str], side: str, group: str = "", turns: str = "") -> str:
    """Add stat blocks to the sheets, all on that side, and in that group or with such turns. Rule: `turn.group`."""
    said = (("side", clean_line(side)[:MAX_NAME_LENGTH]), ("group", group), ("turns", "" if group else turns))
    notes = [f"{word}: {value}" for word, value in said if value]
    return "\n\n".join(each for each in (sheets.rstrip(), *(_add_note_lines(block, notes) for block in blocks)) if each)


def _add_note_lines(block: str, notes: list[str]) -> str:
    """A stat block with lines below its name."""
    head, _, rest = block.partition("\n")
    return "\n".join(each for each in (head, *notes, rest.rstrip()) if each)
