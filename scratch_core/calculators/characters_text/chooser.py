"""The list of characters to choose from: first those saved by the user, then the cast.

A page with an open list has a `Chooser`, which `components/chooser.html` renders. The command `CHOOSE` opens it for a
target or closes it, and `ADD` adds all ticked characters as stat blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from scratch_core.calculators.characters_text.built_character import format_saved_character
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.query import SAVED_ENTRIES_CONTROL, Query
from scratch_core.cast import CAST, KINDS, MEMBERS_BY_ID, format_sheet_with_minions
from scratch_core.cast.members import Kind
from scratch_core.characters import MAX_NAME_LENGTH, clean_line, parse_leading_quote, quote_name_if_needed
from scratch_core.errors import Problems

EXPECTED_CHARACTER = "one of the cast, or a saved character"
"""What a problem expects as a character."""

CONTROLS = ("choosing", "find")
"""The controls for the target of the choice (empty for none) and the search text."""

CHOOSE, ADD = "choose", "add"
"""The command that opens the list for its argument, or closes it without one, and the command that adds."""

SAVED_HEADING = "Yours"
"""The heading of the saved characters."""
TYPED_CHARACTER = "own"
"""The value of a list of the cast for a character with a stat block of its own."""
_MINION_LINE = re.compile(r"^(minion of ).*$", re.IGNORECASE | re.MULTILINE)
"""The line of a minion's stat block that names its leader."""
_MIN_PLURAL_LENGTH = 3
"""A longer word of a search may be a plural."""
_TICK_PREFIX = "tick."
"""The prefix of a checkbox's control, followed by an id of the cast or the position in the saved list."""


@dataclass(frozen=True, slots=True)
class ChooserOption:
    """A character to tick."""

    control: str
    """The control of its checkbox."""
    value: str
    """An id of the cast, or the query of a saved character."""
    name: str
    """The character's name."""
    description: str
    """A short description."""
    points: str = ""
    """Its character points. Empty if unknown."""
    search_text: str = ""
    """More words by which a search finds it."""

    def has_words(self, words: Sequence[str]) -> bool:
        """Return whether the character is found by all of the words.

        The name contains such a word, or a word of the description or the search text begins with it. The plural of a
        word finds the same. `page/cast-filter-form.mjs` has the same rule.
        """
        name, text = self.name.casefold(), f" {_split_punctuation(f'{self.description} {self.search_text}')}"
        return all(word in name or f" {word}" in text for word in map(_to_singular, words))


@dataclass(frozen=True, slots=True)
class Chooser:
    """The list of characters to choose from."""

    target: str
    """What the characters are added to."""
    search_text: str
    """The search text."""
    groups: tuple[tuple[str, tuple[ChooserOption, ...]], ...]
    """The characters that match the search or are ticked, by heading. Headings without characters are omitted."""
    ticked_controls: frozenset[str]
    """The controls of the ticked characters."""
    saved_entries_text: str
    """The saved entries from the browser, for the next requests."""
    is_new: bool
    """Whether the list has just been opened, and gets the focus."""


def build_chooser_if_open(
    query: Query, excluded_ids: frozenset[str] = frozenset(), max_ticked: int | None = None
) -> Chooser | None:
    """Build the chooser of a page if it is open.

    `excluded_ids` has the ids of members that can't be chosen. Returns None if it is closed. It stays open if more than
    `max_ticked` are ticked.
    """
    act, _, command_target = query.text("act").strip().partition(" ")
    is_new = act == CHOOSE
    target = command_target if is_new else query.text("choosing").strip()
    is_added = act == ADD and (max_ticked is None or len([*list_ticked_values(query)]) <= max_ticked)
    if is_added or not target:
        return None
    return build_chooser(query, target, "archetype", is_new=is_new, excluded_ids=excluded_ids)


def build_chooser(
    query: Query, choosing_for: str, first_kind: Kind, *, is_new: bool, excluded_ids: frozenset[str] = frozenset()
) -> Chooser:
    """Build the chooser with the ticks and the search text of a query.

    A new chooser has neither. `first_kind` is the kind of the cast that is listed first, `excluded_ids` has the ids of
    members that can't be chosen.
    """
    saved_entries_text = query.text(SAVED_ENTRIES_CONTROL)
    saved_options = tuple(
        ChooserOption(f"{_TICK_PREFIX}{number}", each.query, each.name, each.summary.removeprefix(f"{each.name}: "))
        for number, each in enumerate(parse_saved_entries(saved_entries_text))
    )
    ticked = frozenset(() if is_new else _list_ticked_controls(query))
    search_text = "" if is_new else query.text("find")
    words = _split_punctuation(search_text).split()
    groups = [
        (heading, tuple(each for each in options if each.control in ticked or each.has_words(words)))
        for heading, options in ((SAVED_HEADING, saved_options), *_list_cast_options(first_kind, excluded_ids))
    ]
    shown_groups = tuple(each for each in groups if each[1])
    return Chooser(choosing_for, search_text, shown_groups, ticked, saved_entries_text, is_new)


def list_ticked_values(query: Query) -> Iterator[str]:
    """List the ticked characters: ids of the cast, and queries of saved characters.

    Includes the control `add_who` of older links.
    """
    linked_values = (query.text("add_who"),) if query.text("add_who") not in ("", TYPED_CHARACTER) else ()
    return chain(linked_values, map(query.text, _list_ticked_controls(query)))


def _list_ticked_controls(query: Query) -> Iterator[str]:
    return (name for name in query.raw if name.startswith(_TICK_PREFIX))


@cache
def _list_cast_options(
    first_kind: Kind, excluded_ids: frozenset[str]
) -> tuple[tuple[str, tuple[ChooserOption, ...]], ...]:
    groups: dict[str, list[ChooserOption]] = {KINDS[kind]: [] for kind in (first_kind, *KINDS)}
    for each in CAST:
        character = each.build_character()
        if each.id not in excluded_ids:
            groups[KINDS[each.kind]].append(
                ChooserOption(
                    _TICK_PREFIX + each.id,
                    each.id,
                    character.name,
                    character.description,
                    f"{each.cp}",
                    each.search_text,
                )
            )
    return tuple((heading, tuple(options)) for heading, options in groups.items())


def _split_punctuation(text: str) -> str:
    """Return a text in lower case with a space for each run of punctuation."""
    return re.sub(r"[\W_]+", " ", text.casefold())


def _to_singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > _MIN_PLURAL_LENGTH else word


# Saved entries, which the browser sends with a command

MAX_SAVED_ENTRIES = 60
"""The most saved entries that are parsed."""

MAX_SUMMARY_LENGTH = 120
"""The most characters of a saved entry's name or summary."""


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """An entry that the browser saved."""

    name: str
    """The name that the user gave it."""
    query: str
    """The query that opens it."""
    summary: str = ""
    """The summary in one sentence."""
    former_names: tuple[str, ...] = ()
    """The names before it was renamed."""


def parse_saved_entries(text: str) -> tuple[SavedEntry, ...]:
    """Parse the saved entries in a JSON text, the latest first.

    Invalid entries are omitted. Never raises.
    """
    from scratch_core.scenario.parser import parse_json_or_none  # loaded only for requests with saved entries

    entries_data = parse_json_or_none(text)
    entries = []
    for each in entries_data[:MAX_SAVED_ENTRIES] if isinstance(entries_data, list) else []:
        name, query = (each.get("name"), each.get("query")) if isinstance(each, dict) else ("", "")
        if isinstance(name, str) and isinstance(query, str) and query:
            summary = truncate_line(f"{each.get('summary') or ''}", MAX_SUMMARY_LENGTH)
            former = each.get("formerNames")
            former_names = tuple(each for each in former if isinstance(each, str)) if isinstance(former, list) else ()
            name = truncate_line(name, MAX_SUMMARY_LENGTH) or "without a name"
            entries.append(SavedEntry(name, query, summary, former_names))
    return tuple(entries)


def map_saved_hit_points(query: Query) -> dict[str, int | None]:
    """Map each name of a saved character of a query to its hit points.

    The value is None for a healthy character. If several have the same name, the latest counts, and a name counts
    before a former name. A former name is omitted if someone of the cast has it. Rule: `hp.start`.
    """
    from scratch_core.calculators.characters_text.setup_text import parse_setup  # needed only for a new fight

    hit_points_by_name: dict[str, int | None] = {}
    hit_points_by_former_name: dict[str, int | None] = {}
    cast_names = {each.name for each in CAST}
    for entry in reversed(parse_saved_entries(query.text(SAVED_ENTRIES_CONTROL))):
        for each in parse_setup(format_saved_character(entry.query)).characters[:1]:
            hit_points_by_name[str(each["name"])] = each.get("hp")
            former_names = [name for name in entry.former_names if name not in cast_names]
            hit_points_by_former_name |= dict.fromkeys(former_names, each.get("hp"))
    return hit_points_by_former_name | hit_points_by_name


# Added characters


def format_chosen_stat_blocks(id_or_query: str) -> str:
    """Return the stat blocks of a member of the cast or of a saved character.

    `id_or_query` is an id or a query. Returns "" if it is neither.
    """
    return (
        format_sheet_with_minions(MEMBERS_BY_ID[id_or_query])
        if id_or_query in MEMBERS_BY_ID
        else format_saved_character(id_or_query)
    )


def split_stat_blocks(blocks: str) -> list[str]:
    """Split a text into its stat blocks."""
    return [each for each in blocks.split("\n\n") if each.strip()]


def parse_block_name(block: str) -> str:
    """Parse the name of a stat block."""
    return _split_block_name(block)[0]


def _split_block_name(block: str) -> tuple[str, str]:
    """Split a stat block into its name and the text after it."""
    first = block.partition("\n")[0]
    if quoted := parse_leading_quote(first):
        rest = f" {quoted[1]}" if quoted[1].startswith("(") else quoted[1]
        return quoted[0], rest + block[len(first) :]
    name = re.split("[(:\n]", block, maxsplit=1)[0].rstrip()
    return name, block[len(name) :]


def list_added_characters(query: Query, control: str, used_names_text: str) -> tuple[list[CharacterCopies], Problems]:
    """List the characters that a request adds, by name and stat blocks.

    The values are as in `copy_characters`. Returns the problem of a character that can't be parsed, too, at the control
    `control`.
    """
    problems = Problems()
    if query.text("act").strip() != ADD:
        return [], problems
    stat_blocks = [format_chosen_stat_blocks(value) for value in list_ticked_values(query)]
    if not all(stat_blocks):
        problems.report("character.unknown", EXPECTED_CHARACTER, "someone else", control)
    return copy_characters(filter(None, stat_blocks), 1, used_names_text), problems


class CharacterCopies(NamedTuple):
    """The copies of a character."""

    name: str
    """The name of the copied character."""
    stat_blocks: list[str]
    """The stat blocks of the copies and their minions."""


def copy_characters(stat_blocks: Iterable[str], count: int, used_names_text: str) -> list[CharacterCopies]:
    """Copy each character `count` times, with names that are not in use.

    `used_names_text` is a text with the stat blocks that use names already.
    """
    copies: list[CharacterCopies] = []
    for blocks in stat_blocks:
        copies.append(copy_stat_blocks(blocks, count, used_names_text))
        used_names_text = "\n".join((used_names_text, *copies[-1].stat_blocks))
    return copies


def copy_stat_blocks(blocks: str, count: int, used_names_text: str) -> CharacterCopies:
    """Copy a character and its minions `count` times.

    In `blocks`, minions follow the character's stat block. The copies have numbered names if needed, and each leads its
    own minions, which are numbered on, too. Rule: `command.minions`.
    """
    own_block, *minion_blocks = split_stat_blocks(blocks)
    name, rest = _split_block_name(own_block)
    new_names = _list_unused_names(name, count, used_names_text)
    leader_blocks = (
        [own_block] if new_names == [name] else [f"{quote_name_if_needed(each)}{rest}" for each in new_names]
    )
    new_minions = iter(_renumber_minion_blocks(minion_blocks * count, used_names_text))
    copies: list[str] = []
    for new_name, leader_block in zip(new_names, leader_blocks, strict=True):
        copies.append(leader_block)
        copies += [_set_leader(each, new_name) for each in islice(new_minions, len(minion_blocks))]
    return CharacterCopies(name, copies)


def _renumber_minion_blocks(blocks: Sequence[str], used_names_text: str) -> list[str]:
    """Give minions the numbers after those in use.

    Examples: `Sailor`, `Sailor 2`; `Minion 1`, `Minion 2`.
    """
    numbered = []
    for block in blocks:
        name, rest = _split_block_name(block)
        [new_name] = _list_unused_names(name, 1, used_names_text)
        if new_name != name:
            [new_name] = _list_unused_names(re.sub(r" [0-9]{1,4}$", "", name), 1, used_names_text)
        numbered.append(block if new_name == name else f"{quote_name_if_needed(new_name)}{rest}")
        used_names_text = f"{used_names_text}\n{numbered[-1]}"
    return numbered


def _set_leader(block: str, leader: str) -> str:
    """Set the leader in a minion's stat block."""
    return _MINION_LINE.sub(lambda line: f"{line[1]}{leader}", block)


def is_minion_block(block: str) -> bool:
    """Return whether a stat block is that of a minion."""
    return bool(_MINION_LINE.search(block))


def _list_unused_names(name: str, count: int, used_names_text: str) -> list[str]:
    """Return `count` names that are not in use, numbered if needed."""
    line = re.compile(rf"{re.escape(name)}(?: ([0-9]{{1,4}}))?[ ]*(?:[:(].*)?", re.IGNORECASE)
    quoted = ((parse_leading_quote(each), each) for each in used_names_text.split("\n"))
    matches = [line.fullmatch(clean_line(each[0] if each else bare)) for each, bare in quoted]
    numbers = [int(each[1] or 1) for each in matches if each]
    first = max(len(numbers), *numbers, 0) + 1  # of two with the same name, the page calls the second one 2
    if count == 1 and first == 1:
        return [name]
    return [f"{name} {number}" for number in range(first, first + count)]


def append_stat_blocks(sheets: str, blocks: Iterable[str], side: str, group: str = "", turns: str = "") -> str:
    """Add stat blocks to the sheets, with their side, group and turns.

    `turns` does not apply to characters with a group. Rule: `turn.group`.
    """
    settings = (("side", clean_line(side)[:MAX_NAME_LENGTH]), ("group", group), ("turns", "" if group else turns))
    notes = [f"{word}: {value}" for word, value in settings if value]
    return "\n\n".join(each for each in (sheets.rstrip(), *(_add_note_lines(block, notes) for block in blocks)) if each)


def _add_note_lines(block: str, notes: list[str]) -> str:
    """Add lines below the name of a stat block."""
    head, _, rest = block.partition("\n")
    return "\n".join(each for each in (head, *notes, rest.rstrip()) if each)
