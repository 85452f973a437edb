"""What the template of the character calculator prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scratch_core.calculators.character.ability_rows import AbilityRow, build_ability_groups
from scratch_core.calculators.character.answer import CharacterAnswer, build_answer
from scratch_core.calculators.character.opponents import (
    FIRST_OPPONENT_ID,
    INDEPENDENT_IDS,
    Opponent,
    group_cast_opponents,
    list_independent_members,
)
from scratch_core.calculators.character.page_session import CharacterSession
from scratch_core.calculators.character.play_sheet import (
    CONDITIONS,
    PlaySheet,
    build_play_sheet,
    build_sheet_state,
    format_play_summary,
    format_roll,
    list_fight_appearances,
    list_similar_appearances,
)
from scratch_core.calculators.character.print_sheet import (
    BLANK_BOXES,
    BLANK_LINES,
    CharacterSummary,
    build_character_summary,
)
from scratch_core.calculators.character.request import CONTROLS, PLAY_SHEET_CONTROLS, CharacterRequest
from scratch_core.calculators.character.starting_points import LEVELS, SHEET, list_archetypes
from scratch_core.calculators.characters_text.chooser import Chooser, build_chooser_if_open, parse_saved_entries
from scratch_core.calculators.characters_text.sheet_log import PLAY_MODE, SheetState
from scratch_core.calculators.shared.limits import limit_problems
from scratch_core.calculators.shared.open_file import build_fight_address
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import format_query
from scratch_core.characters import AVERAGE, Character, Limits, suggest_name
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import Group

if TYPE_CHECKING:
    from scratch_core.calculators.character.odds import CastWinChances

MAX_PROBLEMS = 30
"""The most problems that are shown. The others are counted."""


@dataclass(frozen=True, slots=True)
class View(PageView):
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
    sheet_in_play: PlaySheet | None = None
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
        hp_text = "" if self.hp_left_if_reduced is None else f"{self.hp_left_if_reduced} of "
        conditions = "".join(f", {each}" for each in self.state.conditions) if self.state else ""
        levels = ", ".join(f"{line.level} {line.ability}" for line in main.character.lines)
        return f"{hp_text}{main.figures['hit-points'].value} hit points{conditions}: {levels}"

    @property
    def share_query(self) -> str:
        """The query of a link to the character, which opens the sheet in play."""
        return format_query({**self.fields, "at": PLAY_MODE}) if self.answer else self.query

    @property
    def has_nothing_new_to_save(self) -> bool:
        """Whether there is no character, or one without changes by the user."""
        return self.answer is None or self.is_fresh_start

    @property
    def hp_left_if_reduced(self) -> int | None:
        """The hit points that a wounded character has left, otherwise None."""
        return self.state.hp if self.state and self.state.hp < self.state.max_hp else None

    @property
    def opponent_groups(self) -> Mapping[str, Sequence[Opponent]]:
        """The possible opponents of the character with its current hit points, by kind."""
        if self.answer is None:
            return {}
        characters = [each.character for each in (self.answer.main, *self.answer.minions)]
        return group_cast_opponents(characters, self.answer.name, self.rulings, self.hp_left_if_reduced)

    @property
    def needs_win_chances(self) -> bool:
        """Whether the win chances are requested, and the page has a place for them."""
        return self.fields["odds"] in INDEPENDENT_IDS and self.sheet_in_play is None and not self.show

    first_opponent_id = FIRST_OPPONENT_ID
    list_independent_members = staticmethod(list_independent_members)
    play_controls = PLAY_SHEET_CONTROLS
    """The controls of the sheet in play, which are hidden in the builder."""
    builder_controls = tuple(name for name in CONTROLS if name not in (*PLAY_SHEET_CONTROLS, "show"))
    """The controls of the builder, which are hidden while the sheet is in play."""
    condition_options = CONDITIONS
    format_roll = staticmethod(format_roll)


def build_view(request: CharacterRequest, session: CharacterSession) -> View:
    """Build the view of a request, without the win chances."""
    fields, main, rulings = session.fields, session.character.main, request.rulings
    answer = build_answer(session.character, rulings)
    state = build_sheet_state(fields, answer.main.character) if answer else None
    sheet_in_play = _build_sheet_in_play(request, session, answer) if answer else None
    compared, parts = session.compared_character, request.list_shown_parts(session.has_sheet)
    return View(
        query=format_query(fields),
        summary=_format_summary(answer, state, sheet_in_play, session.problems),
        problems=_limit_problems(session.problems),
        fields={**fields, "cp": fields["cp"] or str(AVERAGE.cp), "max_level": fields["max_level"] or "4"},
        parts=parts,
        show=",".join(parts) if fields["show"].strip() else "",
        is_sheet=session.has_sheet,
        limits=request.limits,
        rulings=rulings,
        answer=answer,
        figure_bar=build_character_summary(main, rulings) if main else None,
        ability_groups=build_ability_groups(fields, main, request.limits, rulings),
        name_suggestion=suggest_name(main) if main else "",
        updated_fields=_list_updated_fields(request, session),
        compared_character=build_character_summary(compared, rulings) if compared else None,
        chooser=build_chooser_if_open(request.query),
        sheet_in_play=sheet_in_play,
        state=state,
        fight_address=build_fight_address(fields["sheet"], without_text=request.query.is_cut),
        is_fresh_start=bool(session.started_controls) and request.start not in (LEVELS, SHEET),
        archetypes=list_archetypes(),
    )


def _build_sheet_in_play(
    request: CharacterRequest, session: CharacterSession, answer: CharacterAnswer
) -> PlaySheet | None:
    """Build the sheet in play.

    Returns None in the builder. Includes the character's fights if the request contains the saved ones, or those of
    similar characters if none has its name.
    """
    if session.fields["at"] != PLAY_MODE:
        return None
    sheet = build_play_sheet(session.fields, answer.main.character, request.rulings)
    saved_text, is_requested = request.saved_entries_text, request.is_import_requested
    if not is_requested and (not saved_text or request.has_fight_hp):
        return sheet
    saved_fights = parse_saved_entries(saved_text)
    fights = list_fight_appearances(saved_fights, answer.name)
    sheet = replace(sheet, saved_fights_text=saved_text, is_import_requested=is_requested)
    if fights:
        return replace(sheet, fights=fights)
    similar = list_similar_appearances(saved_fights, sheet.state.max_hp)
    return replace(sheet, fights=similar, is_named_in_fights=not similar)


def _list_updated_fields(request: CharacterRequest, session: CharacterSession) -> frozenset[str]:
    """List the controls that a start has filled, and the others whose text has changed."""
    others = (*PLAY_SHEET_CONTROLS, "beside")
    changed_controls = (each for each in others if session.fields[each] != request.fields[each])
    return session.started_controls.union(changed_controls)


def _limit_problems(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems that are shown, errors first."""
    errors_first = sorted(problems, key=lambda problem: problem.severity != "error")
    return limit_problems(errors_first, MAX_PROBLEMS, "character.more")


def _format_summary(
    answer: CharacterAnswer | None, state: SheetState | None, sheet: PlaySheet | None, problems: Sequence[Problem]
) -> str:
    """Format the answer in one sentence.

    Returns "" without an answer.
    """
    if answer is None or state is None:
        return ""
    if sheet is not None:
        return format_play_summary(answer.name, sheet)
    figures = ", ".join(f"{name.replace('-', ' ')} {each.value}" for name, each in answer.main.figures.items())
    errors = sum(problem.severity == "error" for problem in problems)
    verdict = {0: "", 1: "; 1 problem"}.get(errors, f"; {errors} problems")
    hp_texts = [f"{state.hp} of {state.max_hp} hit points left"] if state.hp < state.max_hp else []
    state_text = ", ".join((*hp_texts, *state.conditions))
    points = f"{answer.main.character.cp().value} CP"
    return f"{answer.name}: {figures}, {points}{f'; {state_text}' if state_text else ''}{verdict}."
