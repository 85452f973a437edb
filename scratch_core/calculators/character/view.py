"""The answer of the character calculator: everything that its page prints, made from a query."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scratch_core.abilities import BY_NAME, GROUPS, NAMES, Ability, Group, canonical, group_of
from scratch_core.calculators import form
from scratch_core.calculators.character import playing
from scratch_core.calculators.character.against import FIRST_RIVAL, opponents, rival_ids, rivals
from scratch_core.calculators.character.against import Group as Opponents
from scratch_core.calculators.character.growing import gains
from scratch_core.calculators.character.paper import BLANK_BOXES, BLANK_LINES, Paper, papers_of
from scratch_core.calculators.character.saying import said
from scratch_core.calculators.character.starting import LEVELS, Archetype, archetypes, started, written
from scratch_core.calculators.character.steps import Rolled
from scratch_core.calculators.character.wounds import MOST_CHARACTERS, found_in
from scratch_core.calculators.elsewhere import fight_of, is_scenario
from scratch_core.calculators.handed import CONTROL as HANDED
from scratch_core.calculators.handed import read_handed
from scratch_core.calculators.query import LIMIT, Query, query_string
from scratch_core.catalogue import Rulings
from scratch_core.characters import (
    AVERAGE,
    UNNAMED,
    Audit,
    Character,
    Draft,
    Limits,
    Sheet,
    TurnAction,
    Weights,
    audit,
    command_problems,
    read_limits,
    read_minions,
    read_sheet,
    suggested_name,
    to_json,
    turn_actions,
    weights,
    write_sheet,
)
from scratch_core.characters.written import read_level
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure

if TYPE_CHECKING:
    from scratch_core.calculators.character.odds import CastOdds

PARTS = ("levels", "limits", "figures", "weights", "minions", "actions", "audit", "text")
"""What `show` may name; nothing named means all of it. `sheet` is added by itself to a preset that has a sheet."""

SWITCHES = ("strength_base", "strength_use_max")
"""The rulings that change a figure, each a control of its own."""

CONTROLS = (
    *("sheet", "name", "description", *NAMES, "notes", "cp", "max_level", "minions", *SWITCHES),
    *playing.CONTROLS,
    *("odds", "show"),
)
"""The names of all controls, in the order of the canonical query; the buttons `start` and `do` are none of them."""

QUERY_LIMIT = LIMIT + 3 * MOST_CHARACTERS
"""The longest query read: a press hands over fights. What is typed may be as long as in any other calculator."""

MOST_PROBLEMS = 30
"""As many problems as a page shows; the rest are counted."""

MOST_NOTES = 30
"""As many lines of notes as are read."""

_WHOLE = ("create.cp", "create.unspent", "create.typical", "character.empty", "character.no-toughness")


@dataclass(frozen=True, slots=True)
class Shown:
    """A character with what a reader may ask of it."""

    character: Character
    figures: Mapping[str, Figure]
    weights: Weights


@dataclass(frozen=True, slots=True)
class Row:
    """One ability on the sheet: its level in numbers (0 where it can't be read), and what one more would change."""

    ability: Ability
    level: int
    gain: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What follows from a character that can be read. `text` and `json` hold its minions too.

    `name` is what it goes by, a suggestion where it has none. `levels_query` reopens a character that came from a
    sheet with its levels as controls; "" when there was no sheet. `papers` hold it and its minions as they stand on
    paper.
    """

    name: str
    main: Shown
    cp: Figure
    cp_left: int
    highest_level: int
    minions: tuple[Shown, ...]
    minions_cp: int
    actions: tuple[TurnAction, ...]
    audits: tuple[Audit, ...]
    text: str
    json: str
    levels_query: str
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `fields` is what was typed, `parts` what is shown, `show` its canonical form.

    `bar` holds the figures to be kept in view, None while something can't be read. `fresh` names the controls that
    this answer has set by itself, and `is_dealt` says that the whole character came with it, from the cast or chance.
    `rows` are the abilities by group. `fight` is where a fight's file goes on that was opened as a stat block.
    `play` is the sheet in play, None while it is being built. `odds` are its chances against the cast, where they are
    asked for; `unfinished` says that there are more to come.
    """

    parts: tuple[str, ...]
    show: str
    is_sheet: bool
    limits: Limits
    rulings: Rulings
    answer: Answer | None
    bar: Shown | None
    rows: tuple[tuple[Group, tuple[Row, ...]], ...]
    suggested: str
    fresh: frozenset[str] = frozenset()
    is_dealt: bool = False
    fight: str = ""
    play: playing.Playing | None = None
    archetypes: tuple[Archetype, ...] = ()
    blank: tuple[int, int] = (BLANK_LINES, BLANK_BOXES)
    odds: CastOdds | None = None
    unfinished: bool = False

    def shows(self, part: str) -> bool:
        """Whether a part is to be seen."""
        return part in self.parts

    @property
    def kept_name(self) -> str:
        """What the character is called among those kept on a device; "" while there is none."""
        return self.answer.name if self.answer else ""

    @property
    def is_unkept(self) -> bool:
        """Whether there is nothing of the reader's own to keep yet: nobody, or somebody who was only just dealt out."""
        return self.answer is None or self.is_dealt

    @property
    def hp_left(self) -> int | None:
        """The hit points of a wounded character whose sheet is in play; None for one that has all."""
        state = self.play.state if self.play else None
        return state.hp if state and state.hp < state.max_hp else None

    @property
    def against(self) -> tuple[Opponents, ...]:
        """Whom the character may be set against, with the hit points that it has."""
        if self.answer is None:
            return ()
        people = [each.character for each in (self.answer.main, *self.answer.minions)]
        return opponents(people, self.answer.name, self.rulings, self.hp_left)

    @property
    def asks_odds(self) -> bool:
        """Whether the chances against the cast are asked for, and there is room for them."""
        return self.fields["odds"] in rival_ids() and self.play is None and not self.show

    @property
    def first_rival(self) -> str:
        """Whom the chances begin with until somebody else is chosen."""
        return FIRST_RIVAL

    @property
    def rivals(self) -> tuple[tuple[str, str], ...]:
        """Those of the cast who fight alone, as id and name, the opponents first."""
        return rivals()

    @property
    def played(self) -> tuple[str, ...]:
        """The controls of the sheet in play, which wait out of sight while it is built."""
        return playing.CONTROLS

    @property
    def built(self) -> tuple[str, ...]:
        """The controls of the builder, which wait out of sight while the sheet is in play."""
        return tuple(name for name in CONTROLS if name not in (*playing.CONTROLS, "show"))

    @property
    def conditions(self) -> tuple[tuple[str, str], ...]:
        """Conditions at a tap, each with its rule."""
        return playing.CONDITIONS

    def told(self, rolled: Rolled) -> str:
        """A roll in a sentence."""
        return playing.told(rolled)

    def said(self, problem: Problem) -> str:
        """A problem in a player's words."""
        return said(problem)


def answered(query: Query, roller: Roller | None = None) -> View:
    """What follows from a query, but for the chances against the cast. Never raises."""
    query = _of_a_length(query)
    fields = {name: query.text(name) for name in CONTROLS}
    limits, problems = read_limits(fields["cp"], fields["max_level"])
    fresh: dict[str, str] = {}
    if not query.cut:
        fresh, found = started(query.text("start"), fields, limits, roller)
        problems += found
        fields |= fresh
    parts, found = _parts(fields["show"], bool(fields["sheet"].strip()))
    rulings, more = _rulings(fields)
    problems += (*found, *more)
    if fields["odds"].strip() and fields["odds"] not in rival_ids():
        expected = "the id of somebody of the cast who fights alone"
        problems += (Problem("odds.rival", expected, shown(fields["odds"]), "odds"),)
    sheet, answer = Sheet(()), None
    if query.cut and not is_scenario(fields["sheet"]):
        where = max(fields, key=lambda name: len(fields[name]))
        expected = f"{LIMIT:,} characters at most in all"
        problems += (Problem("query.cut", expected, "more, the rest was cut off", where),)
    elif not is_scenario(fields["sheet"]):  # that goes on elsewhere
        sheet, minions, found = _people(fields, limits if "limits" in parts else None, rulings)
        problems += found + _press(query.text("do"), fields, sheet, rulings, roller)
        answer = _answer(sheet, fields, minions, limits, rulings)
    in_play = _in_play(fields, answer, rulings, query)
    current = _current(sheet)
    errors_first = sorted(problems, key=lambda problem: problem.severity != "error")
    return View(
        query=query_string(fields),
        summary=playing.summary(answer.name, in_play) if answer and in_play else _summary(answer, problems),
        problems=form.few(errors_first, MOST_PROBLEMS, "character.more"),
        fields={**fields, "cp": fields["cp"] or str(AVERAGE.cp), "max_level": fields["max_level"] or "4"},
        parts=parts,
        show=",".join(parts) if fields["show"].strip() else "",
        is_sheet=bool(fields["sheet"].strip()),
        limits=limits,
        rulings=rulings,
        answer=answer,
        bar=_shown(current, rulings) if current else None,
        rows=_rows(fields, current, limits, rulings),
        suggested=suggested_name(current) if current else "",
        fresh=frozenset({*fresh, *(name for name in playing.CONTROLS if fields[name] != query.text(name))}),
        play=in_play,
        fight=fight_of(fields["sheet"], is_cut=query.cut),
        is_dealt=bool(fresh) and query.text("start").strip() != LEVELS,
        archetypes=archetypes(),
    )


def _of_a_length(query: Query) -> Query:
    """The query, cut where what is typed is longer than any calculator reads; a press may hand over more."""
    typed = sum(len(query.text(name)) for name in query.raw if name != HANDED)
    if query.cut or typed <= LIMIT:
        return query
    raw = {name: value[:LIMIT] for name, value in query.raw.items() if name != HANDED}
    return Query(raw, cut=True)


def _people(
    fields: Mapping[str, str], limits: Limits | None, rulings: Rulings
) -> tuple[Sheet, tuple[Character, ...], tuple[Problem, ...]]:
    """All characters asked about, the minions of the main one, and what is wrong with any of them."""
    sheet, problems = _sheet(fields)
    problems += _sheet_problems(sheet, fields, limits, rulings)
    minions, found = _minions(sheet, fields, limits, rulings)
    return sheet, minions, problems + found


def _press(
    do: str, fields: dict[str, str], sheet: Sheet, rulings: Rulings, roller: Roller | None
) -> tuple[Problem, ...]:
    """Carry out what was pressed on the sheet in play, in its controls; gives what is wrong with it."""
    main = _current(sheet)
    if not do or main is None:
        return ()
    pressed, problems = playing.pressed(do, fields, main, rulings, roller)
    fields |= pressed
    return problems


def _in_play(
    fields: Mapping[str, str], answer: Answer | None, rulings: Rulings, query: Query
) -> playing.Playing | None:
    """The sheet in play, where there is a character and it is asked for; with the fights that a press hands over."""
    if answer is None or fields["at"] != playing.AT_PLAY:
        return None
    seen = playing.playing(fields, answer.main.character, rulings)
    if query.text("do") != "fights":
        return seen
    return replace(seen, fights=found_in(read_handed(query.text(HANDED)), answer.name))


def _current(sheet: Sheet) -> Character | None:
    """The character as far as it goes, perhaps without any ability; None while something of it can't be read."""
    if not sheet.drafts or not sheet.drafts[0].is_readable():
        return None
    return sheet.drafts[0].character()


def _rows(
    fields: Mapping[str, str], current: Character | None, limits: Limits, rulings: Rulings
) -> tuple[tuple[Group, tuple[Row, ...]], ...]:
    """Every ability with what one more level of it would change; nothing is said of that while it isn't known."""
    growth = gains(current, limits, rulings) if current else {}
    rows = {name: Row(BY_NAME[name], _level(fields[name]), growth.get(name, "")) for name in NAMES}
    return tuple((group, tuple(rows[ability.name] for ability in group_of(group))) for group in GROUPS)


def _level(text: str) -> int:
    level = read_level(text, "") if text.strip() else 0
    return level if isinstance(level, int) else 0


def _parts(show: str, has_sheet: bool) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The parts to be seen, and the words that name none."""
    words = [word.strip() for word in show.split(",") if word.strip()]
    known = tuple(part for part in ("sheet", *PARTS) if part in words)
    wrong = [word for word in words if word not in ("sheet", *PARTS)]
    problems: tuple[Problem, ...] = ()
    if wrong:
        problems = (Problem("show.part", f"parts among {', '.join(PARTS)}", shown(wrong[0]), "show"),)
    if not known:
        return ("sheet", *PARTS), problems
    return (known if "sheet" in known or not has_sheet else ("sheet", *known)), problems


def _rulings(fields: Mapping[str, str]) -> tuple[Rulings, tuple[Problem, ...]]:
    """The rulings asked for; each that can't be read keeps its default."""
    given: dict[str, str | int | bool] = {name: fields[name] for name in SWITCHES if fields[name].strip()}
    try:
        return Rulings.read(given), ()
    except ScratchError as error:
        wrong = {problem.where for problem in error.problems}
        good = {name: value for name, value in given.items() if name not in wrong}
        return Rulings.read(good), error.problems


def _sheet(fields: Mapping[str, str]) -> tuple[Sheet, tuple[Problem, ...]]:
    """All characters asked about, the main one first: from the sheet if there is one, else from the levels."""
    if fields["sheet"].strip():
        return read_sheet(fields["sheet"]), ()
    notes, problems = _notes(fields["notes"])
    draft = Draft.from_levels({name: fields[name] for name in NAMES}, fields["name"], fields["description"])
    entries = tuple(replace(entry, note=notes.get(entry.ability, "")) for entry in draft.entries)
    return Sheet((replace(draft, entries=entries),)), problems


def _notes(text: str) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Notes by ability, one a line: `shooting: a long bow`; one on an ability without a level waits for it."""
    lines = [line for line in text.split("\n") if line.strip()]
    notes: dict[str, str] = {}
    unread: list[str] = lines[MOST_NOTES:]
    for line in lines[:MOST_NOTES]:
        name, _, note = line.partition(":")
        ability = canonical(name)
        if ability in NAMES and note.strip():
            notes[str(ability)] = note
        else:
            unread.append(line)
    if not unread:
        return notes, ()
    expected = "a line such as `shooting: a long bow`"
    problem = Problem("character.note", expected, shown(unread[0]), "notes", "create.reskin", "advice")
    return notes, (problem,)


def _sheet_problems(
    sheet: Sheet, fields: Mapping[str, str], limits: Limits | None, rulings: Rulings
) -> tuple[Problem, ...]:
    """The problems of the main character and of the sheet as a whole; without `limits` only those of reading."""
    if not sheet.drafts:
        return tuple(_at_sheet(problem) for problem in sheet.faults)
    main = sheet.drafts[0]
    own = main.problems(limits, rulings) if limits else main.reading_problems()
    if not fields["sheet"].strip():
        return own
    found = [_at_sheet(problem) for problem in own]
    others = len(sheet.drafts) - 1 - len(sheet.minions_of(main))
    if others:
        got = f"{others} more, left out"
        found.append(Problem("sheet.several", "one character and its minions", got, "sheet", None, "advice"))
    return tuple(found)


def _at_sheet(problem: Problem) -> Problem:
    """A problem whose place is a line of the sheet, moved to the control `sheet`; the line stays in the words."""
    if problem.where.startswith("line ") and problem.code not in _WHOLE:
        return _with_line(problem, "sheet")
    return replace(problem, where="sheet")


def _with_line(problem: Problem, control: str) -> Problem:
    """A problem on a line, moved to the control that has the line."""
    line = problem.where
    return replace(problem, where=control, got=f"{problem.got} on {line}", facts={**problem.facts, "line": line})


def _minions(
    sheet: Sheet, fields: Mapping[str, str], limits: Limits | None, rulings: Rulings
) -> tuple[tuple[Character, ...], tuple[Problem, ...]]:
    """The minions of the main character, from the sheet and from their own control, and what is wrong with them."""
    if not sheet.drafts:
        return (), ()
    main = sheet.drafts[0]
    leader = main.name.strip() or "the leader"
    typed, problems = read_minions(fields["minions"], leader)
    from_sheet = sheet.minions_of(main) if fields["sheet"].strip() else ()
    for draft in from_sheet:
        problems += tuple(map(_at_sheet, draft.problems(limits, rulings) if limits else draft.reading_problems()))
    for draft in typed:
        own = draft.problems(limits, rulings) if limits else draft.reading_problems()
        problems += tuple(_with_line(problem, "minions") for problem in own)
    minions = tuple(draft.character() for draft in (*from_sheet, *typed) if draft.is_readable())
    if main.is_readable():
        where = "minions" if typed or not from_sheet else "sheet"
        problems += command_problems(main.character(), minions, where)
    return minions, problems


def _answer(
    sheet: Sheet, fields: Mapping[str, str], minions: Sequence[Character], limits: Limits, rulings: Rulings
) -> Answer | None:
    """What follows, or None when the main character can't be read or has no ability at all."""
    if not sheet.drafts or not sheet.drafts[0].is_readable():
        return None
    main = sheet.drafts[0].character()
    if not main.lines:
        return None
    documents = [to_json(character) for character in (main, *minions)]
    document = documents[0] if not minions else {**documents[0], "minions": documents[1:]}
    name = main.name if main.name != UNNAMED else suggested_name(main) or main.name
    levels = ""
    if fields["sheet"].strip():
        kept = {name: fields[name] for name in ("cp", "max_level", *SWITCHES)}
        levels = query_string({**written((main, *minions)), **kept})
    return Answer(
        name=name,
        main=_shown(main, rulings),
        cp=main.cp(),
        cp_left=limits.cp - main.cp().value,
        highest_level=max(line.level for line in main.lines),
        minions=tuple(_shown(minion, rulings) for minion in minions),
        minions_cp=sum(minion.cp().value for minion in minions),
        actions=turn_actions(main),
        audits=audit(sheet.drafts[0], main, rulings),
        text=write_sheet((main, *minions), rulings),
        json=json.dumps(document, ensure_ascii=False, indent=2),
        levels_query=levels,
        papers=papers_of((main, *minions), name, rulings),
    )


def _shown(character: Character, rulings: Rulings) -> Shown:
    figures = character.figures(rulings)
    return Shown(character, figures, weights(figures["strength"].value))


def _summary(answer: Answer | None, problems: tuple[Problem, ...]) -> str:
    if answer is None:
        return ""
    said = ", ".join(f"{name.replace('-', ' ')} {figure.value}" for name, figure in answer.main.figures.items())
    errors = sum(problem.severity == "error" for problem in problems)
    verdict = {0: "", 1: "; one problem"}.get(errors, f"; {errors} problems")
    return f"{answer.name}: {said}, {answer.cp.value} CP{verdict}."
