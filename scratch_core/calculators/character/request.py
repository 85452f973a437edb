"""The request to the character calculator: its controls, its settings, and what was pressed."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.character.opponents import INDEPENDENT_IDS
from scratch_core.calculators.characters_text.built_character import FIGURE_RULINGS
from scratch_core.calculators.shared.query import SAVED_ENTRIES_CONTROL, Query
from scratch_core.calculators.shared.request import FieldParser, PageCommand, Request
from scratch_core.characters import Limits, parse_limits
from scratch_core.dice import Roller
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES

PARTS = ("levels", "limits", "figures", "weights", "minions", "actions", "audit", "text")
"""The parts that `show` may name. All are shown if it names none. `sheet` is added to a selection if there is a stat
block."""

PLAY_SHEET_CONTROLS = ("at", "play", "rolled", "whom", "difficulty", "condition")
"""The controls of the sheet in play.

`at` is `play`, or "" in the builder. `play` has the steps. `rolled`, `whom` and `difficulty` are the choices for the
next roll, and `condition` is a typed condition."""

CHARACTER_RULINGS = (*FIGURE_RULINGS, "unrepeatable_scope")
"""The rulings that change a figure, or what the sheet says about an action."""

CONTROLS = (
    *("sheet", "name", "description", *ABILITY_NAMES, "notes", "cp", "max_level", "minions", *CHARACTER_RULINGS),
    *PLAY_SHEET_CONTROLS,
    *("odds", "beside", "show"),
)
"""The names of all controls, in the order of the canonical query. The buttons `start` and `do` are not among them."""

FIGHTS_COMMAND = "fights"
"""The command that asks for the list of the character's fights."""

FIGHT_HP_COMMANDS = ("fight", "before")
"""The commands that take over a fight's hit points, or revert that."""


@dataclass(frozen=True, slots=True)
class CharacterRequest(Request):
    """A request to the character calculator.

    The parts, limits and rulings are settings: no button changes their controls.
    """

    command: PageCommand
    """The button that was pressed on the sheet in play."""
    start: str
    """The id of the character to start from, or a word; "" if nothing starts."""
    selected_parts: tuple[str, ...]
    """The known parts that `show` names."""
    limits: Limits
    """The campaign's limits."""
    rulings: RulingSettings
    """The rulings in force."""
    limit_problems: tuple[Problem, ...]
    """The problems of the limits."""
    setting_problems: tuple[Problem, ...]
    """The problems of the parts, the rulings and the opponent of the win chances."""
    saved_entries_text: str
    """The saved entries that the browser sent, as JSON; "" for none."""
    is_import_requested: bool
    """Whether the list of fights is requested."""
    has_fight_hp: bool
    """Whether the command takes over a fight's hit points, or reverts that."""
    roller: Roller | None
    """The roller of a random character and of rolls. Without it nothing is random."""

    def list_shown_parts(self, has_sheet: bool) -> tuple[str, ...]:
        """List the parts that are shown with or without a stat block."""
        if not self.selected_parts:
            return ("sheet", *PARTS)
        is_added = has_sheet and "sheet" not in self.selected_parts
        return ("sheet", *self.selected_parts) if is_added else self.selected_parts


def parse_request(query: Query, roller: Roller | None = None) -> CharacterRequest:
    """Parse a query of the character calculator."""
    parser = FieldParser({name: query.text(name) for name in CONTROLS})
    fields, pressed = parser.fields, query.text("do")
    limits, limit_problems = parse_limits(fields["cp"], fields["max_level"])
    selected_parts = _parse_selected_parts(parser)
    rulings = RulingSettings.from_dict(parser.parse_ruling_settings(CHARACTER_RULINGS))
    if fields["odds"].strip() and fields["odds"] not in INDEPENDENT_IDS:
        expected = "the id of one of the cast who fights alone"
        parser.problems.report_value("odds.rival", expected, fields["odds"], "odds")
    return CharacterRequest(
        query,
        MappingProxyType(dict(fields)),
        command=PageCommand.parse(pressed),
        start="" if query.is_cut else query.text("start").strip(),
        selected_parts=selected_parts,
        limits=limits,
        rulings=rulings,
        limit_problems=limit_problems,
        setting_problems=tuple(parser.problems),
        saved_entries_text=query.text(SAVED_ENTRIES_CONTROL),
        is_import_requested=pressed == FIGHTS_COMMAND,
        has_fight_hp=pressed.partition(" ")[0] in FIGHT_HP_COMMANDS,
        roller=roller,
    )


def _parse_selected_parts(parser: FieldParser) -> tuple[str, ...]:
    """Parse the known parts that `show` names, and report the first unknown part."""
    words = [word.strip() for word in parser.fields["show"].split(",") if word.strip()]
    unknown = [word for word in words if word not in ("sheet", *PARTS)]
    if unknown:
        parser.problems.report_value("show.part", f"parts among {', '.join(PARTS)}", unknown[0], "show")
    return tuple(part for part in ("sheet", *PARTS) if part in words)
