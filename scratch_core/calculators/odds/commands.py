"""The commands of the odds calculator: chosen characters, shown and hidden sections, and changed levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from scratch_core.calculators.characters_text.chooser import (
    ADD,
    format_chosen_stat_blocks,
    list_ticked_values,
    parse_block_name,
    split_stat_blocks,
)
from scratch_core.calculators.odds.builds import DUELIST_KEYS, DuelistKey, parse_level_button, with_level
from scratch_core.calculators.odds.duelists import ParsedDuelist, format_block_without_notes, parse_duelist
from scratch_core.calculators.odds.request import CHANGE, HIDE, OPPONENT, SHOW, OddsRequest
from scratch_core.calculators.shared.request import list_cut_query_problems
from scratch_core.calculators.shared.session import PageSession
from scratch_core.cast import MEMBERS_BY_ID
from scratch_core.errors import Problems

Focus = Literal["answer", "everybody", "worth", ""]
"""Where the focus goes: to the result, to the section that was opened, or "" for nowhere, after a level button."""

SECTION_FOCUS: Mapping[str, Focus] = {"everybody": "everybody", "worth": "worth"}
"""The focus after a button that shows or hides a section, by the section's control."""


@dataclass(frozen=True, slots=True)
class OddsSession(PageSession):
    """The characters and the sections of the page after the commands."""

    focus: Focus = "answer"
    """Where the focus goes."""
    updated_fields: tuple[str, ...] = ()
    """The controls that the commands have changed."""
    duelists: Mapping[DuelistKey, ParsedDuelist] = field(default_factory=dict)
    """The characters, by key: until the last command, only those with a changed level."""

    def with_updated_fields(self, texts: Mapping[str, str]) -> OddsSession:
        """Return the session with other texts in some controls, which the page shows as updated."""
        return replace(self.with_fields(texts), updated_fields=(*self.updated_fields, *texts))


OddsCommand = Callable[[OddsRequest, OddsSession, str], OddsSession]
"""A command of the page, with its argument."""


def execute_commands(request: OddsRequest) -> OddsSession:
    """Execute the commands of a request, and parse both characters.

    A stat block replaces a chosen member of the cast.
    """
    is_level_changed = any(each.name == CHANGE for each in request.commands)
    problems = list_cut_query_problems(request.query, "first_sheet")
    session = OddsSession(request.fields, problems, "" if request.chooser or is_level_changed else "answer")
    for command in request.commands:
        session = COMMANDS[command.name](request, session, command.argument)
    duelists = {key: session.duelists.get(key) or parse_duelist(session.fields, key) for key in DUELIST_KEYS.values()}
    replaced = [key for key in DUELIST_KEYS if session.fields[f"{key}_sheet"].strip()]
    session = session.with_fields({"rulings": request.parsed_terms.rulings_text, **dict.fromkeys(replaced, "")})
    session = session.with_problems(request.parsed_terms.problems)
    for duelist in duelists.values():
        session = session.with_problems(duelist.problems)
    updated_fields = tuple(dict.fromkeys((*session.updated_fields, *replaced)))
    return replace(session, updated_fields=updated_fields, duelists=duelists)


def _choose_opponent(request: OddsRequest, session: OddsSession, argument: str) -> OddsSession:
    """Choose a member of the cast, by id, as the second character."""
    if argument not in MEMBERS_BY_ID:
        return session
    return session.with_updated_fields({"second": argument, "second_sheet": ""})


def _fill_in_ticked_characters(request: OddsRequest, session: OddsSession, argument: str) -> OddsSession:
    """Fill the characters' controls with the ticked characters.

    The first one fills the control whose chooser was open. Reports minions, which are left out. Rule:
    `command.minions`.
    """
    chosen, target = [*list_ticked_values(request.query)], request.query.text("choosing").strip()
    problems, texts = Problems(), dict[str, str]()
    if len(chosen) > len(DUELIST_KEYS):
        problems.report("odds.two", "one or two characters", f"{len(chosen)}", "first")
        return session.with_problems(problems)
    for key, value in zip(sorted(DUELIST_KEYS, key=lambda each: each != target), chosen, strict=False):
        blocks = split_stat_blocks(format_chosen_stat_blocks(value))
        if not blocks:
            problems.report_value("odds.kept", "a saved character that can be read", value, key)
            continue
        is_member = value in MEMBERS_BY_ID
        texts |= {key: value if is_member else "", f"{key}_sheet": "" if is_member else blocks[0]}
        if blocks[1:]:
            name, got = parse_block_name(blocks[0]), f"{len(blocks) - 1}, left out"
            problems.report(
                "odds.alone", "no minions", got, f"{key}_sheet", "command.minions", severity="advice", name=name
            )
    return session.with_updated_fields(texts).with_problems(problems)


def _show_section(request: OddsRequest, session: OddsSession, argument: str) -> OddsSession:
    """Show the section of a control."""
    return replace(session.with_fields({argument: "1"}), focus=SECTION_FOCUS[argument])


def _hide_section(request: OddsRequest, session: OddsSession, argument: str) -> OddsSession:
    """Hide the section of a control."""
    return replace(session.with_fields({argument: ""}), focus=SECTION_FOCUS[argument])


def _change_level(request: OddsRequest, session: OddsSession, argument: str) -> OddsSession:
    """Change the level of one ability of a character.

    The character becomes a stat block with the new level, even if it was a member of the cast. The page shows only this
    character's two controls as updated. Returns the session unchanged if the argument names no level, or if the
    character can't be parsed."""
    change = parse_level_button(argument)
    if change is None:
        return session
    key, ability, level = change
    duelist = parse_duelist(session.fields, key)
    if duelist.table is None:
        return session
    table = with_level(duelist.table, ability, level)
    return replace(
        replace(session, updated_fields=()).with_updated_fields(
            {key: "", f"{key}_sheet": format_block_without_notes(table)}
        ),
        duelists={key: replace(duelist, table=table)},
    )


COMMANDS: Mapping[str, OddsCommand] = {
    ADD: _fill_in_ticked_characters,
    OPPONENT: _choose_opponent,
    SHOW: _show_section,
    HIDE: _hide_section,
    CHANGE: _change_level,
}
"""The commands of the page, by their first word."""
