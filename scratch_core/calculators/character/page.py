"""The answer of the character calculator: everything that its page prints, made from a query."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scratch_core.calculators.character import play_sheet
from scratch_core.calculators.character.level_preview import gains
from scratch_core.calculators.character.opponents import FIRST_RIVAL, RIVAL_IDS, Opponent, opponents, rivals
from scratch_core.calculators.character.print_sheet import BLANK_BOXES, BLANK_LINES, Paper, Shown, paper_of, shown_of
from scratch_core.calculators.character.starting_points import LEVELS, SHEET, archetypes, started
from scratch_core.calculators.characters_text.built_character import SWITCHES, called, read_built, sheet_of_query
from scratch_core.calculators.characters_text.chooser import Chooser, brought, opened, read_handed
from scratch_core.calculators.characters_text.sheet_log import AT_PLAY, MOST_NUMBER, SheetState
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.open_file import fight_of, is_scenario
from scratch_core.calculators.shared.query import HANDED, Query, query_string
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
from scratch_core.errors import Problem, format_input
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES, GROUPS, Ability, Group, group_of

if TYPE_CHECKING:
    from scratch_core.calculators.character.odds import CastOdds

PARTS = ("levels", "limits", "figures", "weights", "minions", "actions", "audit", "text")
"""What `show` may name; nothing named means all of it. `sheet` is added by itself to a preset that has a sheet."""

CONTROLS = (
    *("sheet", "name", "description", *ABILITY_NAMES, "notes", "cp", "max_level", "minions", *SWITCHES),
    *play_sheet.CONTROLS,
    *("odds", "beside", "show"),
)
"""The names of all controls, in the order of the canonical query; the buttons `start` and `do` are none of them."""

MOST_PROBLEMS = 30
"""As many problems as a page shows; the rest are counted."""

_WHOLE = ("create.cp", "create.unspent", "create.typical", "character.empty", "character.no-toughness")


@dataclass(frozen=True, slots=True)
class Row:
    """One ability on the sheet: its level in numbers (0 where it can't be read), and what one more would change."""

    ability: Ability
    level: int
    gain: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What follows from a character that can be read. `text` and `json` hold its minions too.

    `name` is what it goes by, a suggestion where it has none. `papers` hold it and its minions as they stand on
    paper.
    """

    name: str
    main: Shown
    highest_level: int
    minions: tuple[Shown, ...]
    minions_cp: int
    actions: tuple[TurnAction, ...]
    audits: tuple[FigureAudit, ...]
    text: str
    json: str
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `fields` is what was typed, `parts` what is shown, `show` its canonical form.

    `bar` holds the figures to be kept in view, None while something can't be read. `fresh` names the controls that
    this answer has set by itself, and `is_dealt` says that the whole character came with it, from the cast or chance.
    `rows` are the abilities by group. `fight` is where a fight's file goes on that was opened as a stat block.
    `play` is the sheet in play, None while it is being built. `state` is the character's damage, conditions and
    rolls, in play or not, None where there is no character. `odds` are its chances against the cast, where they are
    asked for; `unfinished` says that there are more to come. `beside` is another build to be compared with.
    """

    parts: tuple[str, ...]
    show: str
    is_sheet: bool
    limits: Limits
    rulings: RulingSettings
    answer: Answer | None
    bar: Shown | None
    rows: tuple[tuple[Group, tuple[Row, ...]], ...]
    suggested: str
    fresh: frozenset[str] = frozenset()
    is_dealt: bool = False
    fight: str = ""
    play: play_sheet.Playing | None = None
    state: SheetState | None = None
    archetypes: tuple[tuple[str, Character], ...] = ()
    blank: tuple[int, int] = (BLANK_LINES, BLANK_BOXES)
    odds: CastOdds | None = None
    unfinished: bool = False
    beside: Shown | None = None
    chooser: Chooser | None = None

    @property
    def kept_name(self) -> str:
        """What the character is called among those kept on a device; "" while there is none."""
        return self.answer.name if self.answer else ""

    @property
    def kept_told(self) -> str:
        """What is told of it there: `3 of 4 hit points: 4 toughness, 2 shooting`; "" while there is none."""
        if self.answer is None:
            return ""
        main = self.answer.main
        of = "" if self.hp_left is None else f"{self.hp_left} of "
        conditions = "".join(f", {each}" for each in self.state.conditions) if self.state else ""
        levels = ", ".join(f"{line.level} {line.ability}" for line in main.character.lines)
        return f"{of}{main.figures['hit-points'].value} hit points{conditions}: {levels}"

    @property
    def is_unkept(self) -> bool:
        """Whether there is nothing of the reader's own to keep yet: no one, or someone who was only just dealt out."""
        return self.answer is None or self.is_dealt

    @property
    def hp_left(self) -> int | None:
        """The hit points that a wounded character has left; None for one that has all."""
        return self.state.hp if self.state and self.state.hp < self.state.max_hp else None

    @property
    def against(self) -> Mapping[str, Sequence[Opponent]]:
        """Whom the character may be set against, with the hit points that it has."""
        if self.answer is None:
            return {}
        people = [each.character for each in (self.answer.main, *self.answer.minions)]
        return opponents(people, self.answer.name, self.rulings, self.hp_left)

    @property
    def asks_odds(self) -> bool:
        """Whether the chances against the cast are asked for, and there is room for them."""
        return self.fields["odds"] in RIVAL_IDS and self.play is None and not self.show

    first_rival = FIRST_RIVAL
    rivals = staticmethod(rivals)
    played = play_sheet.CONTROLS
    """The controls of the sheet in play, which wait out of sight while it is built."""
    built = tuple(name for name in CONTROLS if name not in (*play_sheet.CONTROLS, "show"))
    """The controls of the builder, which wait out of sight while the sheet is in play."""
    conditions = play_sheet.CONDITIONS
    told = staticmethod(play_sheet.told)


def answered(query: Query, roller: Roller | None = None) -> View:
    """What follows from a query, but for the chances against the cast. Never raises."""
    return _Reading(query, roller).view()


class _Reading(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = roller
        self.limits, wrong = parse_limits(self.fields["cp"], self.fields["max_level"])
        self.problems += wrong
        self.fresh: dict[str, str] = {}
        if not query.cut:
            self.fresh, wrong = started(query.text("start"), self.fields, self.limits, roller)
            self.problems += wrong
            self.fields |= self.fresh
        self.has_sheet = bool(self.fields["sheet"].strip())
        self.parts = self.parts_shown()
        self.rulings = RulingSettings.from_dict(self.settings(SWITCHES))
        self.main: CharacterDraft | None = None
        self.current: Character | None = None

    def view(self) -> View:
        fields, answer, is_file = self.fields, None, is_scenario(self.fields["sheet"])
        if fields["odds"].strip() and fields["odds"] not in RIVAL_IDS:
            expected = "the id of one of the cast who fights alone"
            self.add_problem("odds.rival", expected, format_input(fields["odds"]), "odds")
        if self.query.cut and not is_file:
            where = max(fields, key=lambda name: len(fields[name]))
            self.add_cut(where)
        elif not is_file:  # that goes on elsewhere
            minions = self.people()
            self.press()
            answer = self.answer(minions)
        beside = self.compared()
        state = play_sheet.state_of(fields, answer.main.character) if answer else None
        in_play = self.in_play(answer)
        errors_first = sorted(self.problems, key=lambda problem: problem.severity != "error")
        return View(
            query=query_string(fields),
            summary=play_sheet.summary(answer.name, in_play) if answer and in_play else self.summary(answer, state),
            problems=form.few(errors_first, MOST_PROBLEMS, "character.more"),
            fields={**fields, "cp": fields["cp"] or str(AVERAGE.cp), "max_level": fields["max_level"] or "4"},
            parts=self.parts,
            show=",".join(self.parts) if fields["show"].strip() else "",
            is_sheet=self.has_sheet,
            limits=self.limits,
            rulings=self.rulings,
            answer=answer,
            bar=shown_of(self.current, self.rulings) if self.current else None,
            rows=self.rows(),
            suggested=suggest_name(self.current) if self.current else "",
            fresh=frozenset(
                {
                    *self.fresh,
                    *(each for each in (*play_sheet.CONTROLS, "beside") if fields[each] != self.query.text(each)),
                }
            ),
            beside=beside,
            chooser=opened(self.query),
            play=in_play,
            state=state,
            fight=fight_of(fields["sheet"], is_cut=self.query.cut),
            is_dealt=bool(self.fresh) and self.query.text("start").strip() not in (LEVELS, SHEET),
            archetypes=archetypes(),
        )

    def parts_shown(self) -> tuple[str, ...]:
        """The parts to be seen; a word that names none is a problem."""
        words = [word.strip() for word in self.fields["show"].split(",") if word.strip()]
        known = tuple(part for part in ("sheet", *PARTS) if part in words)
        wrong = [word for word in words if word not in ("sheet", *PARTS)]
        if wrong:
            self.add_problem("show.part", f"parts among {', '.join(PARTS)}", format_input(wrong[0]), "show")
        if not known:
            return ("sheet", *PARTS)
        return known if "sheet" in known or not self.has_sheet else ("sheet", *known)

    def people(self) -> tuple[Character, ...]:
        """All characters asked about: the main one is read, then its minions, which are given."""
        limits = self.limits if "limits" in self.parts else None
        built = read_built(self.fields)
        if built.main is None:
            self.problems += map(_at_sheet, built.problems)
            return ()
        self.main = built.main
        if self.main.is_readable():
            self.current = self.main.build_character()
        own = self.main.problems(limits, self.rulings)
        self.problems += map(_at_sheet, own) if self.has_sheet else own
        self.problems += built.problems
        for draft in built.on_sheet:
            self.problems += map(_at_sheet, draft.problems(limits, self.rulings))
        for draft in built.typed:
            self.problems += (_with_line(problem, "minions") for problem in draft.problems(limits, self.rulings))
        if self.current:
            where = "minions" if built.typed or not built.on_sheet else "sheet"
            self.problems += command_problems(self.current, built.minions, where)
        return built.minions

    def press(self) -> None:
        """Carry out what was pressed on the sheet in play, in its controls."""
        do = self.query.text("do")
        if do and self.current:
            pressed, wrong = play_sheet.pressed(do, self.fields, self.current, self.rulings, self.roller)
            self.fields |= pressed
            self.problems += wrong

    def answer(self, minions: Sequence[Character]) -> Answer | None:
        """What follows, or None when the main character can't be read or has no ability at all."""
        main, rulings = self.current, self.rulings
        if self.main is None or main is None or not main.lines:
            return None
        documents = [character_to_dict(character) for character in (main, *minions)]
        document = documents[0] if not minions else {**documents[0], "minions": documents[1:]}
        name = called(main)
        shown, *followers = [shown_of(each, rulings) for each in (main, *minions)]
        return Answer(
            name=name,
            main=shown,
            highest_level=max(line.level for line in main.lines),
            minions=tuple(followers),
            minions_cp=sum(minion.cp().value for minion in minions),
            actions=list_character_actions(main),
            audits=audit_figures(self.main, main, rulings),
            text=format_sheet((main, *minions), rulings),
            json=json.dumps(document, ensure_ascii=False, indent=2),
            papers=(paper_of(shown, name), *(paper_of(each, each.character.name) for each in followers)),
        )

    def in_play(self, answer: Answer | None) -> play_sheet.Playing | None:
        """The sheet in play, where there is a character and it is asked for; with fights that a press hands over."""
        if answer is None or self.fields["at"] != AT_PLAY:
            return None
        seen = play_sheet.playing(self.fields, answer.main.character, self.rulings)
        if seen.number is None:
            expected = f"a whole number from 0 to {MOST_NUMBER}"
            self.add_problem(
                "play.difficulty", expected, format_input(self.fields["difficulty"]), "difficulty", "roll.success"
            )
        do, handed = self.query.text("do"), self.query.text(HANDED)
        is_asked = do == "fights"
        if not is_asked and (not handed or do.partition(" ")[0] in play_sheet.TAKES_FROM_FIGHT):
            return seen
        fights = play_sheet.found_in(read_handed(handed), answer.name)
        return replace(seen, fights=fights, handed=handed, is_asked=is_asked)

    def compared(self) -> Shown | None:
        """The build beside this one: whoever was ticked, or of a stat block or a link."""
        for _, blocks in brought(self, "beside", "")[:1]:
            self.fields["beside"] = blocks[0]
        text = self.fields["beside"]
        if re.match(r"\s*\S*\?", text):
            text = sheet_of_query(text.strip().partition("?")[2])
        other = next((each for each in parse_sheet(text).drafts if each.is_readable()), None)
        if other is None and (typed := self.fields["beside"].strip()):
            self.add_problem(
                "character.beside", "a stat block, or a link to a character", format_input(typed), "beside"
            )
        return shown_of(other.build_character(), self.rulings) if other else None

    def rows(self) -> tuple[tuple[Group, tuple[Row, ...]], ...]:
        """Every ability with what one more level of it would change; nothing is said of that while it isn't known."""
        growth = gains(self.current, self.limits, self.rulings) if self.current else {}
        rows = {}
        for name in ABILITY_NAMES:
            level = parse_level(self.fields[name].strip() or "0", "")
            rows[name] = Row(ABILITIES_BY_NAME[name], level if isinstance(level, int) else 0, growth.get(name, ""))
        return tuple((group, tuple(rows[ability.name] for ability in group_of(group))) for group in GROUPS)

    def summary(self, answer: Answer | None, state: SheetState | None) -> str:
        """The one sentence of the answer."""
        if answer is None or state is None:
            return ""
        figures = ", ".join(f"{name.replace('-', ' ')} {each.value}" for name, each in answer.main.figures.items())
        errors = sum(problem.severity == "error" for problem in self.problems)
        verdict = {0: "", 1: "; one problem"}.get(errors, f"; {errors} problems")
        left = [f"{state.hp} of {state.max_hp} hit points left"] if state.hp < state.max_hp else []
        now = ", ".join((*left, *state.conditions))
        points = f"{answer.main.character.cp().value} CP"
        return f"{answer.name}: {figures}, {points}{f'; {now}' if now else ''}{verdict}."


def _at_sheet(problem: Problem) -> Problem:
    """A problem whose place is a line of the sheet, moved to the control `sheet`; the line stays in the words."""
    if problem.where.startswith("line ") and problem.code not in _WHOLE:
        return _with_line(problem, "sheet")
    return replace(problem, where="sheet")


def _with_line(problem: Problem, control: str) -> Problem:
    """A problem on a line, moved to the control that has the line."""
    line = problem.where
    return replace(problem, where=control, got=f"{problem.got} on {line}", facts={**problem.facts, "line": line})
