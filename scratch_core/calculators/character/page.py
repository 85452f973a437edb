"""The answer of the character calculator: everything that its page prints, made from a query."""

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
from scratch_core.errors import Problem
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
"""What `show` may name; nothing named means all of it. `sheet` is added by itself to a preset that has a sheet."""

CONTROLS = (
    *("sheet", "name", "description", *ABILITY_NAMES, "notes", "cp", "max_level", "minions", *FIGURE_RULINGS),
    *play_sheet.CONTROLS,
    *("odds", "beside", "show"),
)
"""The names of all controls, in the order of the canonical query; the buttons `start` and `do` are none of them."""

MAX_PROBLEMS = 30
"""As many problems as a page shows; the rest are counted."""

_WHOLE_SHEET_CODES = ("create.cp", "create.unspent", "create.typical", "character.empty", "character.no-toughness")


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """One ability on the sheet: its level in numbers (0 where it can't be read), and what one more would change."""

    ability: Ability
    level: int
    next_level_text: str


@dataclass(frozen=True, slots=True)
class CharacterAnswer:
    """What follows from a character that can be read. `sheet_text` and `json` hold its minions too.

    `name` is what it goes by, a suggestion where it has none. `print_sheets` hold it and its minions as they stand on
    paper.
    """

    name: str
    main: CharacterSummary
    highest_level: int
    minions: tuple[CharacterSummary, ...]
    minions_cp: int
    actions: tuple[TurnAction, ...]
    audits: tuple[FigureAudit, ...]
    sheet_text: str
    json: str
    print_sheets: tuple[PrintSheet, ...]


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `fields` is what was typed, `parts` what is shown, `show` its canonical form.

    `figure_bar` holds the figures to be kept in view, None while something can't be read. `updated_fields` names the
    controls that this answer has set by itself, and `is_fresh_start` says that the whole character came with it, from
    the cast or chance. `ability_groups` are the abilities by group. `fight_address` is where a fight's file goes on
    that was opened as a stat block. `sheet_in_play` is the sheet in play, None while it is being built. `state` is the
    character's damage, conditions and rolls, in play or not, None where there is no character. `win_chances` are its
    chances against the cast, where they are asked for; `is_incomplete` says that there are more to come.
    `compared_character` is another build to be compared with.
    """

    parts: tuple[str, ...]
    show: str
    is_sheet: bool
    limits: Limits
    rulings: RulingSettings
    answer: CharacterAnswer | None
    figure_bar: CharacterSummary | None
    ability_groups: tuple[tuple[Group, tuple[AbilityRow, ...]], ...]
    name_suggestion: str
    updated_fields: frozenset[str] = frozenset()
    is_fresh_start: bool = False
    fight_address: str = ""
    sheet_in_play: play_sheet.PlaySheet | None = None
    state: SheetState | None = None
    archetypes: tuple[tuple[str, Character], ...] = ()
    blank_sheet_size: tuple[int, int] = (BLANK_LINES, BLANK_BOXES)
    win_chances: CastWinChances | None = None
    is_incomplete: bool = False
    compared_character: CharacterSummary | None = None
    chooser: Chooser | None = None

    @property
    def saved_name(self) -> str:
        """What the character is called among those kept on a device; "" while there is none."""
        return self.answer.name if self.answer else ""

    @property
    def saved_summary(self) -> str:
        """What is told of it there: `3 of 4 hit points: 4 toughness, 2 shooting`; "" while there is none."""
        if self.answer is None:
            return ""
        main = self.answer.main
        of = "" if self.hp_left is None else f"{self.hp_left} of "
        conditions = "".join(f", {each}" for each in self.state.conditions) if self.state else ""
        levels = ", ".join(f"{line.level} {line.ability}" for line in main.character.lines)
        return f"{of}{main.figures['hit-points'].value} hit points{conditions}: {levels}"

    @property
    def has_nothing_to_save(self) -> bool:
        """Whether there is nothing of the reader's own to keep yet: no one, or someone who was only just dealt out."""
        return self.answer is None or self.is_fresh_start

    @property
    def hp_left(self) -> int | None:
        """The hit points that a wounded character has left; None for one that has all."""
        return self.state.hp if self.state and self.state.hp < self.state.max_hp else None

    @property
    def opponent_groups(self) -> Mapping[str, Sequence[Opponent]]:
        """The possible opponents of the character, with its current hit points."""
        if self.answer is None:
            return {}
        people = [each.character for each in (self.answer.main, *self.answer.minions)]
        return group_opponents(people, self.answer.name, self.rulings, self.hp_left)

    @property
    def needs_win_chances(self) -> bool:
        """Whether the chances against the cast are asked for, and there is room for them."""
        return self.fields["odds"] in INDEPENDENT_IDS and self.sheet_in_play is None and not self.show

    first_opponent_id = FIRST_OPPONENT_ID
    list_independent_members = staticmethod(list_independent_members)
    play_controls = play_sheet.CONTROLS
    """The controls of the sheet in play, which wait out of sight while it is built."""
    builder_controls = tuple(name for name in CONTROLS if name not in (*play_sheet.CONTROLS, "show"))
    """The controls of the builder, which wait out of sight while the sheet is in play."""
    condition_options = play_sheet.CONDITIONS
    format_roll = staticmethod(play_sheet.format_roll)


def answer_query(query: Query, roller: Roller | None = None) -> View:
    """What follows from a query, but for the chances against the cast. Never raises."""
    return _CharacterForm(query, roller).build_view()


class _CharacterForm(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = roller
        self.limits, wrong = parse_limits(self.fields["cp"], self.fields["max_level"])
        self.problems += wrong
        self.updated_fields: dict[str, str] = {}
        if not query.is_cut:
            self.updated_fields, wrong = build_start_fields(query.text("start"), self.fields, self.limits, roller)
            self.problems += wrong
            self.fields |= self.updated_fields
        self.has_sheet = bool(self.fields["sheet"].strip())
        self.parts = self.parse_parts()
        self.rulings = RulingSettings.from_dict(self.parse_settings(FIGURE_RULINGS))
        self.main: CharacterDraft | None = None
        self.current: Character | None = None

    def build_view(self) -> View:
        fields, answer, is_file = self.fields, None, is_scenario(self.fields["sheet"])
        if fields["odds"].strip() and fields["odds"] not in INDEPENDENT_IDS:
            expected = "the id of one of the cast who fights alone"
            self.problems.report_value("odds.rival", expected, fields["odds"], "odds")
        if self.query.is_cut and not is_file:
            where = max(fields, key=lambda name: len(fields[name]))
            self.add_cut_problem(where)
        elif not is_file:  # that goes on elsewhere
            minions = self.parse_characters()
            self.execute_command()
            answer = self.build_answer(minions)
        beside = self.find_compared_character()
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
            compared_character=beside,
            chooser=find_chooser(self.query),
            sheet_in_play=in_play,
            state=state,
            fight_address=build_fight_address(fields["sheet"], is_cut=self.query.is_cut),
            is_fresh_start=bool(self.updated_fields) and self.query.text("start").strip() not in (LEVELS, SHEET),
            archetypes=list_archetypes(),
        )

    def parse_parts(self) -> tuple[str, ...]:
        """The parts to be seen; a word that names none is a problem."""
        words = [word.strip() for word in self.fields["show"].split(",") if word.strip()]
        known = tuple(part for part in ("sheet", *PARTS) if part in words)
        wrong = [word for word in words if word not in ("sheet", *PARTS)]
        if wrong:
            self.problems.report_value("show.part", f"parts among {', '.join(PARTS)}", wrong[0], "show")
        if not known:
            return ("sheet", *PARTS)
        return known if "sheet" in known or not self.has_sheet else ("sheet", *known)

    def parse_characters(self) -> tuple[Character, ...]:
        """All characters asked about: the main one is read, then its minions, which are given."""
        limits = self.limits if "limits" in self.parts else None
        built = parse_built_character(self.fields)
        if built.main is None:
            self.add_sheet_problems(built.problems)
            return ()
        self.main = built.main
        if self.main.is_readable():
            self.current = self.main.build_character()
        own = self.main.problems(limits, self.rulings)
        if self.has_sheet:
            self.add_sheet_problems(own)
        else:
            self.problems += own
        self.problems += built.problems
        for draft in built.sheet_minions:
            self.add_sheet_problems(draft.problems(limits, self.rulings))
        for draft in built.typed_minions:
            self.problems += (
                problem.move_to("minions", got=f"{problem.got} on {problem.where}", line=problem.where)
                for problem in draft.problems(limits, self.rulings)
            )
        if self.current:
            where = "minions" if built.typed_minions or not built.sheet_minions else "sheet"
            self.problems += command_problems(self.current, built.minions, where)
        return built.minions

    def add_sheet_problems(self, problems: Iterable[Problem]) -> None:
        """Add the problems of a stat block at its control.

        The words keep the line, unless the problem is one of the whole stat block.
        """
        for problem in problems:
            if problem.location.line and problem.code not in _WHOLE_SHEET_CODES:
                got = f"{problem.got} on {problem.where}"
                self.problems.append(problem.move_to("sheet", got=got, line=problem.where))
            else:
                self.problems.append(problem.move_to("sheet"))

    def execute_command(self) -> None:
        """Carry out what was pressed on the sheet in play, in its controls."""
        do = self.query.text("do")
        if do and self.current:
            pressed, wrong = play_sheet.execute_command(do, self.fields, self.current, self.rulings, self.roller)
            self.fields |= pressed
            self.problems += wrong

    def build_answer(self, minions: Sequence[Character]) -> CharacterAnswer | None:
        """What follows, or None when the main character can't be read or has no ability at all."""
        main, rulings = self.current, self.rulings
        if self.main is None or main is None or not main.lines:
            return None
        documents = [character_to_dict(character) for character in (main, *minions)]
        document = documents[0] if not minions else {**documents[0], "minions": documents[1:]}
        name = choose_display_name(main)
        shown, *followers = [build_character_summary(each, rulings) for each in (main, *minions)]
        return CharacterAnswer(
            name=name,
            main=shown,
            highest_level=max(line.level for line in main.lines),
            minions=tuple(followers),
            minions_cp=sum(minion.cp().value for minion in minions),
            actions=list_character_actions(main),
            audits=audit_figures(self.main, main, rulings),
            sheet_text=format_sheet((main, *minions), rulings),
            json=json.dumps(document, ensure_ascii=False, indent=2),
            print_sheets=(
                build_print_sheet(shown, name),
                *(build_print_sheet(each, each.character.name) for each in followers),
            ),
        )

    def build_sheet_in_play(self, answer: CharacterAnswer | None) -> play_sheet.PlaySheet | None:
        """The sheet in play, where there is a character and it is asked for; with fights that a press hands over."""
        if answer is None or self.fields["at"] != PLAY_MODE:
            return None
        seen = play_sheet.build_play_sheet(self.fields, answer.main.character, self.rulings)
        if seen.number_target is None:
            expected = f"a whole number from 0 to {MAX_NUMBER}"
            self.problems.report_value(
                "play.difficulty", expected, self.fields["difficulty"], "difficulty", "roll.success"
            )
        do, handed = self.query.text("do"), self.query.text(SAVED_ENTRIES_CONTROL)
        is_asked = do == "fights"
        if not is_asked and (not handed or do.partition(" ")[0] in play_sheet.FIGHT_HP_COMMANDS):
            return seen
        fights = play_sheet.list_fight_appearances(parse_saved_entries(handed), answer.name)
        return replace(seen, fights=fights, saved_fights_text=handed, is_import_requested=is_asked)

    def find_compared_character(self) -> CharacterSummary | None:
        """Return the compared build: the ticked character, or that of a stat block or a link."""
        for _, blocks in list_added_characters(self, "beside", "")[:1]:
            self.fields["beside"] = blocks[0]
        text = self.fields["beside"]
        if re.match(r"\s*\S*\?", text):
            text = format_saved_character(text.strip().partition("?")[2])
        other = next((each for each in parse_sheet(text).drafts if each.is_readable()), None)
        if other is None and (typed := self.fields["beside"].strip()):
            self.problems.report_value("character.beside", "a stat block, or a link to a character", typed, "beside")
        return build_character_summary(other.build_character(), self.rulings) if other else None

    def build_ability_groups(self) -> tuple[tuple[Group, tuple[AbilityRow, ...]], ...]:
        """Every ability with what one more level of it would change; nothing is said of that while it isn't known."""
        growth = preview_next_levels(self.current, self.limits, self.rulings) if self.current else {}
        rows = {}
        for name in ABILITY_NAMES:
            level = parse_level(self.fields[name].strip() or "0", "")
            rows[name] = AbilityRow(
                ABILITIES_BY_NAME[name], level if isinstance(level, int) else 0, growth.get(name, "")
            )
        return tuple((group, tuple(rows[ability.name] for ability in list_group_abilities(group))) for group in GROUPS)

    def format_summary(self, answer: CharacterAnswer | None, state: SheetState | None) -> str:
        """The one sentence of the answer."""
        if answer is None or state is None:
            return ""
        figures = ", ".join(f"{name.replace('-', ' ')} {each.value}" for name, each in answer.main.figures.items())
        errors = sum(problem.severity == "error" for problem in self.problems)
        verdict = {0: "", 1: "; 1 problem"}.get(errors, f"; {errors} problems")
        left = [f"{state.hp} of {state.max_hp} hit points left"] if state.hp < state.max_hp else []
        now = ", ".join((*left, *state.conditions))
        points = f"{answer.main.character.cp().value} CP"
        return f"{answer.name}: {figures}, {points}{f'; {now}' if now else ''}{verdict}."
