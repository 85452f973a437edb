"""Apply the change that makes a fight more even to the characters of its set-up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scratch_core.calculators.characters_text.chooser import copy_stat_blocks, parse_block_name
from scratch_core.calculators.characters_text.setup_text import (
    edit_stat_block,
    format_stat_blocks_by_id,
    is_setting,
    parse_setup,
    remove_character_and_minions,
)
from scratch_core.calculators.fight.session import format_compact_json
from scratch_core.characters import quote_name_if_needed
from scratch_core.errors import ScratchError, join_words
from scratch_core.normalization import parse_whole_number
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import Scenario, parse_json_or_none
from scratch_core.scenario.reader import scenario_from_dict

if TYPE_CHECKING:
    from scratch_core.calculators.shared.win_chances import BalanceChange

Table = dict[str, Any]
"""A character of a scenario file."""


def format_change(change: BalanceChange) -> str:
    """Format a change as JSON, for `apply_change`."""
    fields = {
        "without": list(change.removed_ids),
        "more": change.copied_id,
        "count": change.copies,
        "of": change.changed_id,
        "ability": change.ability,
        "level": change.level,
    }
    return format_compact_json({name: value for name, value in fields.items() if value})


def apply_change(sheets: str, scenario: Scenario, change_text: str) -> tuple[str, str] | None:
    """Make a change to the characters of a set-up.

    `sheets` are the stat blocks, of which `scenario` was built. `change_text` is the argument of the command. Returns
    the new stat blocks and a message, or None if the change doesn't fit the characters. Rules: `turn.encounter`,
    `command.minions`.
    """
    change = parse_json_or_none(change_text)
    if not isinstance(change, dict):
        return None
    names = {each.id: each.name for each in scenario.fighters}
    removed_ids = [each for each in names if isinstance(change.get("without"), list) and each in change["without"]]
    if removed_ids:
        for each in reversed(removed_ids):  # the ids of characters with the same name count from the first one
            sheets, _ = remove_character_and_minions(sheets, each)
        return sheets, f"{join_words([names[each] for each in removed_ids])} removed."
    tables: list[Table] = [{key: each[key] for key in each if key != "at"} for each in scenario.tree["characters"]]
    changed = _change_tables(tables, names, change)
    if changed is None:
        return None
    tree = {key: scenario.tree[key] for key in ("format", "rulings") if key in scenario.tree}
    try:
        blocks_by_id = format_stat_blocks_by_id(scenario_from_dict(tree | {"characters": changed.tables}))
    except ScratchError:
        return None
    rewritten = "\n\n".join(blocks_by_id.values())

    def append_copies(lines: Sequence[str]) -> list[str]:
        return [*lines, *(line for each in changed.new_ids for line in ("", *blocks_by_id[each].split("\n")))]

    def rewrite(lines: Sequence[str]) -> list[str]:
        head, *rest = blocks_by_id[changed.character_id].split("\n")
        return [head, *(each for each in lines if is_setting(each, "at")), *rest]

    edited = edit_stat_block(sheets, changed.character_id, append_copies if changed.new_ids else rewrite)
    # Unusual stat blocks, such as the rows of a table, can't be edited separately.
    is_equivalent = _parse_characters_by_name(edited) == _parse_characters_by_name(rewritten)
    return edited if is_equivalent else rewritten, changed.message


def _parse_characters_by_name(sheets: str) -> dict[str, Table]:
    """Parse stat blocks for a comparison, without ids and spaces."""
    return {
        each["name"]: {key: each[key] for key in each if key not in ("id", "at")}
        for each in parse_setup(sheets).characters
    }


class _ChangedCharacters(NamedTuple):
    """The characters after a change."""

    tables: list[Table]
    """All characters after the change."""
    character_id: str
    """The id of the character that changes, or is copied."""
    new_ids: tuple[str, ...]
    """The ids of the copies."""
    message: str
    """The change, for users."""


def _change_tables(tables: list[Table], names: dict[str, str], change: dict[str, Any]) -> _ChangedCharacters | None:
    """Add copies, or change a level.

    Returns None for an invalid change.
    """
    by_id = {str(each["id"]): each for each in tables}
    count, level = (parse_whole_number(str(change.get(each, ""))) for each in ("count", "level"))
    if count and change.get("more") in by_id:
        return _add_copies(tables, by_id[change["more"]], names, count)
    if level and change.get("of") in by_id and change.get("ability") in ABILITY_NAMES:
        table = by_id[change["of"]]
        table["abilities"] = {**table["abilities"], change["ability"]: level}
        if "hp" in table and change["ability"] == "toughness":
            table["hp"] = min(table["hp"], level)
        return _ChangedCharacters(tables, table["id"], (), f"{names[table['id']]} now has {change['ability']} {level}.")
    return None


def _add_copies(tables: list[Table], original: Table, names: dict[str, str], count: int) -> _ChangedCharacters:
    """Add copies of a character, healthy and with new names."""
    stem = re.sub(r" [0-9]{1,4}$", "", names[str(original["id"])])
    copies = copy_stat_blocks(quote_name_if_needed(stem), count, "\n".join(names.values())).stat_blocks
    new_names = [parse_block_name(each) for each in copies]
    healthy = {key: original[key] for key in original if key != "hp"}
    new_tables = [
        {**healthy, "id": f"{original['id']}-copy-{number}", "name": each} for number, each in enumerate(new_names, 1)
    ]
    if original.get("group") == original["id"]:
        new_tables = [{**each, "group": each["id"]} for each in new_tables]
    return _ChangedCharacters(
        [*tables, *new_tables],
        str(original["id"]),
        tuple(each["id"] for each in new_tables),
        f"{join_words(new_names)} added.",
    )
