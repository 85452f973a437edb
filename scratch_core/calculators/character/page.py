"""The answer of the character calculator: everything that its template shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scratch_core.calculators.character import play_sheet
from scratch_core.calculators.character.level_preview import preview_next_levels
from scratch_core.calculators.character.opponents import (
    FIRST_OPPONENT_ID,
    INDEPENDENT_IDS,
    Opponent,
    group_opponents,
    list_independent_members,
)
from scratch_core.calculators.character.print_sheet import (
    BLANK_BOXES,
    BLANK_LINES,
    CharacterSummary,
    PrintSheet,
    build_character_summary,
    build_print_sheet,
)
from scratch_core.calculators.character.starting_points import LEVELS, SHEET, build_start_fields, list_archetypes
from scratch_core.calculators.characters_text.built_character import (
    FIGURE_RULINGS,
    choose_display_name,
    format_saved_character,
    parse_built_character,
)
from scratch_core.calculators.characters_text.chooser import (
    Chooser,
    find_chooser,
    list_added_characters,
    parse_saved_entries,
)
from scratch_core.calculators.characters_text.sheet_log import MAX_NUMBER, PLAY_MODE, SheetState
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.open_file import build_fight_address, is_scenario
from scratch_core.calculators.shared.query import SAVED_ENTRIES_CONTROL, Query, format_query
from scratch_core.characters import (
    AVERAGE,
    Character,
    CharacterDraft,
    FigureAudit,
    Limits,
    TurnAction,
    audit_figures,
    character_to_dict,
    command_problems,
    format_sheet,
    list_character_actions,
    parse_level,
    parse_limits,
    parse_sheet,
    suggest_name,
)
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import (
    ABILITIES_BY_NAME,
    ABILITY_NAMES,
    GROUPS,
    Ability,
    Group,
    list_group_abilities,
)

if TYPE_CHECKING:
    from scratch_core.calculators.character.odds import CastWinChances

PARTS = ("levels", "limits", "figures", "weights", "minions", "actions", "audit", "text")
"""The parts that `show` may name. All are shown if it names none. `sheet` is added to a selection if there is a stat
block."""

CONTROLS = (
    *("sheet", "name", "description", *ABILITY_NAMES, "notes", "cp", "max_level", "minions", *FIGURE_RULINGS),
    *play_sheet.CONTROLS,
    *("odds", "beside", "show"),
)
"""The names of all controls, in the order of the canonical query. The buttons `start` and `do` are not among them."""

MAX_PROBLEMS = 30
"""The most problems that are shown. The others are counted."""

_WHOLE_SHEET_CODES = ("create.cp", "create.unspent", "create.typical", "character.empty", "character.no-toughness")
"""The codes of problems that concern the whole stat block and not a line."""


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """An ability on the sheet."""

    ability: Ability
    """The ability."""
    level: int
    """Its level. 0 if it has none, or can't be parsed."""
    next_level_text: str
    """What one more level would change. Empty if that is unknown."""


@dataclass(frozen=True, slots=True)
class CharacterAnswer:
    """The answer for a valid character."""

    name: str
    """The character's name, or a suggestion if it has none."""
    main: CharacterSummary
    """The character with its figures."""
    highest_level: int
    """The highest level of its abilities."""
    minions: tuple[CharacterSummary, ...]
    """The valid minions with their figures."""
    minions_cp: int
    """The sum of the minions' character points."""
    actions: tuple[TurnAction, ...]
    """The actions that the character has in a turn."""
    audits: tuple[FigureAudit, ...]
    """The figures written in a stat block, compared with the rules."""
    sheet_text: str
    """The stat blocks of the character and its minions."""
    json: str
    """The character and its minions as JSON."""
    print_sheets: tuple[PrintSheet, ...]
    """The sheets to print, of the character and of each minion."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything that the template shows. `fields` has the typed texts."""

    parts: tuple[str, ...]
    """The parts that are shown."""
    show: str
    """The canonical form of the control `show`. Empty for all parts."""
    is_sheet: bool
    """Whether the query has a stat block."""
    limits: Limits
    """The campaign's limits."""
    rulings: RulingSettings
    """The rulings in force."""
    answer: CharacterAnswer | None
    """The answer. None if the character is invalid or has no abilities."""
    figure_bar: CharacterSummary | None
    """The figures of the bar that is always visible. None if the character is invalid."""
    ability_groups: tuple[tuple[Group, tuple[AbilityRow, ...]], ...]
    """The abilities by group."""
    name_suggestion: str
    """A suggestion for the character's name. Empty for none."""
    updated_fields: frozenset[str] = frozenset()
    """The names of the controls that this answer has changed."""
    is_fresh_start: bool = False
    """Whether this request has loaded the whole character from the cast, or generated it."""
    fight_address: str = ""
    """The address that opens the fight's file pasted as a stat block. Empty if there is none."""
    sheet_in_play: play_sheet.PlaySheet | None = None
    """The sheet in play. None while the builder is open."""
    state: SheetState | None = None
    """Damage, conditions and rolls, in play or not. None without a character."""
    archetypes: tuple[tuple[str, Character], ...] = ()
    """The archetypes to start from, with their ids."""
    blank_sheet_size: tuple[int, int] = (BLANK_LINES, BLANK_BOXES)
    """The number of lines for abilities and of boxes for hit points on a blank sheet."""
    win_chances: CastWinChances | None = None
    """The win chances against the cast. None unless requested."""
    is_incomplete: bool = False
    """Whether another request gives more win chances."""
    compared_character: CharacterSummary | None = None
    """The build to compare with, or None."""
    chooser: Chooser | None = None
    """The list of characters to choose from. None unless it is open."""

    @property
    def saved_name(self) -> str:
        """The character's name in the saved list. Empty if there is no character."""
        return self.answer.name if self.answer else ""

    @property
    def saved_summary(self) -> str:
        """The summary in the saved list: `3 of 4 hit points: 4 toughness, 2 shooting`.

        Empty if there is no character.
        """
        if self.answer is None:
            return ""
        main = self.answer.main
        hp_text = "" if self.hp_left is None else f"{self.hp_left} of "
        conditions = "".join(f", {each}" for each in self.state.conditions) if self.state else ""
        levels = ", ".join(f"{line.level} {line.ability}" for line in main.character.lines)
        return f"{hp_text}{main.figures['hit-points'].value} hit points{conditions}: {levels}"

    @property
    def has_nothing_to_save(self) -> bool:
        """Whether there is no character, or one without changes by the user."""
        return self.answer is None or self.is_fresh_start

    @property
    def hp_left(self) -> int | None:
        """The hit points that a wounded character has left, otherwise None."""
        return self.state.hp if self.state and self.state.hp < self.state.max_hp else None

    @property
    def opponent_groups(self) -> Mapping[str, Sequence[Opponent]]:
        """The possible opponents of the character with its current hit points, by kind."""
        if self.answer is None:
            return {}
        characters = [each.character for each in (self.answer.main, *self.answer.minions)]
        return group_opponents(characters, self.answer.name, self.rulings, self.hp_left)

    @property
    def needs_win_chances(self) -> bool:
        """Whether the win chances are requested, and the page has a place for them."""
        return self.fields["odds"] in INDEPENDENT_IDS and self.sheet_in_play is None and not self.show

    first_opponent_id = FIRST_OPPONENT_ID
    list_independent_members = staticmethod(list_independent_members)
    play_controls = play_sheet.CONTROLS
    """The controls of the sheet in play, which are hidden in the builder."""
    builder_controls = tuple(name for name in CONTROLS if name not in (*play_sheet.CONTROLS, "show"))
    """The controls of the builder, which are hidden while the sheet is in play."""
    condition_options = play_sheet.CONDITIONS
    format_roll = staticmethod(play_sheet.format_roll)


def answer_query(query: Query, roller: Roller | None = None) -> View:
    """Build the view of a query, without the win chances.

    Never raises.
    """
    return _CharacterForm(query, roller).build_view()


class _CharacterForm(form.Form):
    """A query being parsed: each method reports its problems and continues."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = roller
        self.limits, limit_problems = parse_limits(self.fields["cp"], self.fields["max_level"])
        self.problems += limit_problems
        self.updated_fields: dict[str, str] = {}
        if not query.is_cut:
            start = query.text("start")
            try:
                self.updated_fields = build_start_fields(start, self.fields, self.limits, roller)
            except ScratchError as error:
                self.problems += error.problems
            self.fields |= self.updated_fields
        self.has_sheet = bool(self.fields["sheet"].strip())
        self.parts = self.parse_parts()
        self.rulings = RulingSettings.from_dict(self.parse_settings(FIGURE_RULINGS))
        self.main: CharacterDraft | None = None
        self.current: Character | None = None

    def build_view(self) -> View:
        """Build the view of the query."""
        fields, answer, is_file = self.fields, None, is_scenario(self.fields["sheet"])
        if fields["odds"].strip() and fields["odds"] not in INDEPENDENT_IDS:
            expected = "the id of one of the cast who fights alone"
            self.problems.report_value("odds.rival", expected, fields["odds"], "odds")
        if self.query.is_cut and not is_file:
            longest_control = max(fields, key=lambda name: len(fields[name]))
            self.add_cut_problem(longest_control)
        elif not is_file:  # the fight page opens such a file
            minions = self.parse_characters()
            self.execute_command()
            answer = self.build_answer(minions)
        compared_character = self.find_compared_character()
        state = play_sheet.build_state(fields, answer.main.character) if answer else None
        in_play = self.build_sheet_in_play(answer)
        errors_first = sorted(self.problems, key=lambda problem: problem.severity != "error")
        return View(
            query=format_query(fields),
            summary=play_sheet.format_summary(answer.name, in_play)
            if answer and in_play
            else self.format_summary(answer, state),
            problems=form.limit_problems(errors_first, MAX_PROBLEMS, "character.more"),
            fields={**fields, "cp": fields["cp"] or str(AVERAGE.cp), "max_level": fields["max_level"] or "4"},
            parts=self.parts,
            show=",".join(self.parts) if fields["show"].strip() else "",
            is_sheet=self.has_sheet,
            limits=self.limits,
            rulings=self.rulings,
            answer=answer,
            figure_bar=build_character_summary(self.current, self.rulings) if self.current else None,
            ability_groups=self.build_ability_groups(),
            name_suggestion=suggest_name(self.current) if self.current else "",
            updated_fields=frozenset(
                {
                    *self.updated_fields,
                    *(each for each in (*play_sheet.CONTROLS, "beside") if fields[each] != self.query.text(each)),
                }
            ),
            compared_character=compared_character,
            chooser=find_chooser(self.query),
            sheet_in_play=in_play,
            state=state,
            fight_address=build_fight_address(fields["sheet"], is_cut=self.query.is_cut),
            is_fresh_start=bool(self.updated_fields) and self.query.text("start").strip() not in (LEVELS, SHEET),
            archetypes=list_archetypes(),
        )

    def parse_parts(self) -> tuple[str, ...]:
        """Parse the parts to show, and report the first unknown part."""
        words = [word.strip() for word in self.fields["show"].split(",") if word.strip()]
        parts = tuple(part for part in ("sheet", *PARTS) if part in words)
        unknown = [word for word in words if word not in ("sheet", *PARTS)]
        if unknown:
            self.problems.report_value("show.part", f"parts among {', '.join(PARTS)}", unknown[0], "show")
        if not parts:
            return ("sheet", *PARTS)
        return parts if "sheet" in parts or not self.has_sheet else ("sheet", *parts)

    def parse_characters(self) -> tuple[Character, ...]:
        """Parse the main character, and return its valid minions."""
        limits = self.limits if "limits" in self.parts else None
        built_character = parse_built_character(self.fields)
        if built_character.main is None:
            self.add_sheet_problems(built_character.problems)
            return ()
        self.main = built_character.main
        if self.main.is_readable():
            self.current = self.main.build_character()
        main_problems = self.main.problems(limits, self.rulings)
        if self.has_sheet:
            self.add_sheet_problems(main_problems)
        else:
            self.problems += main_problems
        self.problems += built_character.problems
        for draft in built_character.sheet_minions:
            self.add_sheet_problems(draft.problems(limits, self.rulings))
        for draft in built_character.typed_minions:
            self.problems += (
                problem.move_to("minions", got=f"{problem.got} on {problem.where}", line=problem.where)
                for problem in draft.problems(limits, self.rulings)
            )
        if self.current:
            control = "minions" if built_character.typed_minions or not built_character.sheet_minions else "sheet"
            self.problems += command_problems(self.current, built_character.minions, control)
        return built_character.minions

    def add_sheet_problems(self, problems: Iterable[Problem]) -> None:
        """Add the problems of a stat block at its control.

        Their text includes the line, unless the problem concerns the whole stat block.
        """
        for problem in problems:
            if problem.location.line and problem.code not in _WHOLE_SHEET_CODES:
                got = f"{problem.got} on {problem.where}"
                self.problems.append(problem.move_to("sheet", got=got, line=problem.where))
            else:
                self.problems.append(problem.move_to("sheet"))

    def execute_command(self) -> None:
        """Apply the pressed button of the sheet in play to its controls."""
        do = self.query.text("do")
        if do and self.current:
            try:
                self.fields |= play_sheet.execute_command(do, self.fields, self.current, self.rulings, self.roller)
            except ScratchError as error:
                self.problems += error.problems

    def build_answer(self, minions: Sequence[Character]) -> CharacterAnswer | None:
        """Build the answer.

        Returns None if the main character is invalid or has no abilities.
        """
        main, rulings = self.current, self.rulings
        if self.main is None or main is None or not main.lines:
            return None
        documents = [character_to_dict(character) for character in (main, *minions)]
        document = documents[0] if not minions else {**documents[0], "minions": documents[1:]}
        name = choose_display_name(main)
        main_summary, *minion_summaries = [build_character_summary(each, rulings) for each in (main, *minions)]
        return CharacterAnswer(
            name=name,
            main=main_summary,
            highest_level=max(line.level for line in main.lines),
            minions=tuple(minion_summaries),
            minions_cp=sum(minion.cp().value for minion in minions),
            actions=list_character_actions(main),
            audits=audit_figures(self.main, main, rulings),
            sheet_text=format_sheet((main, *minions), rulings),
            json=json.dumps(document, ensure_ascii=False, indent=2),
            print_sheets=(
                build_print_sheet(main_summary, name),
                *(build_print_sheet(each, each.character.name) for each in minion_summaries),
            ),
        )

    def build_sheet_in_play(self, answer: CharacterAnswer | None) -> play_sheet.PlaySheet | None:
        """Build the sheet in play.

        Returns None without a character, or in the builder. Includes the character's fights if the request hands over
        the saved ones.
        """
        if answer is None or self.fields["at"] != PLAY_MODE:
            return None
        play_sheet_view = play_sheet.build_play_sheet(self.fields, answer.main.character, self.rulings)
        if play_sheet_view.number_target is None:
            expected = f"a whole number from 0 to {MAX_NUMBER}"
            self.problems.report_value(
                "play.difficulty", expected, self.fields["difficulty"], "difficulty", "roll.success"
            )
        do, saved_entries_text = self.query.text("do"), self.query.text(SAVED_ENTRIES_CONTROL)
        is_requested = do == "fights"
        if not is_requested and (not saved_entries_text or do.partition(" ")[0] in play_sheet.FIGHT_HP_COMMANDS):
            return play_sheet_view
        fights = play_sheet.list_fight_appearances(parse_saved_entries(saved_entries_text), answer.name)
        return replace(
            play_sheet_view, fights=fights, saved_fights_text=saved_entries_text, is_import_requested=is_requested
        )

    def find_compared_character(self) -> CharacterSummary | None:
        """Find the build to compare with: ticked, from a stat block or from a link.

        Returns None for none, and reports text that is no character.
        """
        added_characters, problems = list_added_characters(self.query, "beside", "")
        self.problems += problems
        for _, blocks in added_characters[:1]:
            self.fields["beside"] = blocks[0]
        text = self.fields["beside"]
        if re.match(r"\s*\S*\?", text):
            text = format_saved_character(text.strip().partition("?")[2])
        other = next((each for each in parse_sheet(text).drafts if each.is_readable()), None)
        if other is None and (typed := self.fields["beside"].strip()):
            self.problems.report_value("character.beside", "a stat block, or a link to a character", typed, "beside")
        return build_character_summary(other.build_character(), self.rulings) if other else None

    def build_ability_groups(self) -> tuple[tuple[Group, tuple[AbilityRow, ...]], ...]:
        """Build the rows of all abilities, with what one more level would change.

        That text is empty if the character is invalid.
        """
        previews = preview_next_levels(self.current, self.limits, self.rulings) if self.current else {}
        rows = {}
        for name in ABILITY_NAMES:
            level = parse_level(self.fields[name].strip() or "0", "")
            rows[name] = AbilityRow(
                ABILITIES_BY_NAME[name], level if isinstance(level, int) else 0, previews.get(name, "")
            )
        return tuple((group, tuple(rows[ability.name] for ability in list_group_abilities(group))) for group in GROUPS)

    def format_summary(self, answer: CharacterAnswer | None, state: SheetState | None) -> str:
        """Format the answer in one sentence.

        Returns "" without an answer.
        """
        if answer is None or state is None:
            return ""
        figures = ", ".join(f"{name.replace('-', ' ')} {each.value}" for name, each in answer.main.figures.items())
        errors = sum(problem.severity == "error" for problem in self.problems)
        verdict = {0: "", 1: "; 1 problem"}.get(errors, f"; {errors} problems")
        hp_texts = [f"{state.hp} of {state.max_hp} hit points left"] if state.hp < state.max_hp else []
        state_text = ", ".join((*hp_texts, *state.conditions))
        points = f"{answer.main.character.cp().value} CP"
        return f"{answer.name}: {figures}, {points}{f'; {state_text}' if state_text else ''}{verdict}."
