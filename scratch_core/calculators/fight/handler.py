"""One query of the fight answered, in every order of turns: a set-up, or a fight with what was pressed done in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.characters_text.chooser import CHOOSE, chooser
from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.action_menu import MOST_AIMS
from scratch_core.calculators.fight.board_view import read_space
from scratch_core.calculators.fight.commands import CARRY, GO_ON, SET_UP, done, undone_steps
from scratch_core.calculators.fight.request import (
    CONTROLS,
    FIGHT_CONTROLS,
    QUERY_LIMIT,
    SAME_PRESS,
    Asked,
    View,
    other_setup_controls,
)
from scratch_core.calculators.fight.session import Fight, Step, begin_fight, head_of, open_fight, steps_left
from scratch_core.calculators.fight.setup import begin, seen_setup, take_in_sheets, write_again
from scratch_core.calculators.fight.surroundings import Surrounding, find_surroundings
from scratch_core.calculators.fight.view_model import Aiming, shown_fight
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.form import few, one_line
from scratch_core.calculators.shared.open_file import is_sheet
from scratch_core.calculators.shared.query import Query, query_string
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import format_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS

MOST_PROBLEMS = 12
"""As many problems as a page shows; the rest are counted."""

SUMMARY_LIMIT = 380
ODDS = "odds"
"""What asks for the chances, `odds on`, and for none; the control that remembers it has the same name."""

MOST_PRESSED = 30
"""As many presses on those aimed at are taken into account between two answers."""

_KEPT = (
    "log",
    "called",
    "redo",
    branches.CONTROL,
    branches.DISMISSED,
    "faces",
    "note",
    "picked",
    SAME_PRESS,
    *players_screen.CONTROLS,
    ODDS,
)
"""The controls that bring a fight back as it is."""


def answer(query: Query, roller: Roller | None) -> View:
    """Answer a query."""
    asked = Asked(query, roller)
    if asked.word in _LOOKS:
        _LOOKS[asked.word](asked)
        asked.command = ""
    if asked.packed:
        asked.note(Problem("query.packed", "a whole link", "one that was cut off or changed", "log"), "log")
        asked.fields["log"] = asked.packed
        return _set_up(asked, is_refused=True)
    if query.cut:
        asked.add_cut("log", QUERY_LIMIT)
        return _set_up(asked, is_refused=True)
    if not asked.system.character_fields and is_sheet(asked.fields["log"]):
        take_in_sheets(asked)
    if asked.fields["log"].strip():
        return _opened(asked)
    if asked.command != "begin":
        return _set_up(asked)
    ready = begin(asked)
    view = _set_up(asked) if ready.head is None else _first_shown(asked, ready.head, ready.steps)
    return replace(view, is_turned_back=view.phase == "setup")


def _look_at(asked: Asked) -> None:
    asked.fields |= {**dict.fromkeys(gm_panel.OF_SOMEBODY, ""), gm_panel.WHO: asked.rest}
    asked.eye = "hand" if asked.rest else ""


def _set_screen(asked: Asked) -> None:
    asked.fields |= players_screen.settings(asked.rest)
    asked.eye = "screen"


def _hide(asked: Asked) -> None:
    players_screen.toggle_hidden(asked.fields, asked.rest)
    asked.eye = "hand"


def _ask_odds(asked: Asked) -> None:
    asked.fields[ODDS] = "on" if asked.rest == "on" else ""
    asked.eye = ODDS


def _dismiss(asked: Asked) -> None:
    asked.fields[branches.DISMISSED] = "on"


_LOOKS: Mapping[str, Callable[[Asked], None]] = {
    gm_panel.LOOK: _look_at,
    players_screen.ON: _set_screen,
    players_screen.HIDE: _hide,
    ODDS: _ask_odds,
    branches.DISMISS: _dismiss,
}
"""Presses that change nothing in the fight, but where the reader looks and what others are shown."""


def _set_up(asked: Asked, *, is_refused: bool = False) -> View:
    """The view of a fight that has not begun."""
    return _view(asked, "setup", **seen_setup(asked, is_refused=is_refused))


def _first_shown(asked: Asked, head: Mapping[str, Any], steps: Sequence[Step] = ()) -> View:
    """The fight of that head as it begins, or the set-up with what keeps it from beginning."""
    try:
        fight = begin_fight(head, asked.roller, steps)
    except ScratchError as error:
        seen = seen_setup(asked)
        asked.refuse(error, "initiative")
        return _view(asked, "setup", **seen)
    asked.say = fight.opening
    return _fought(asked, fight, ())


def _opened(asked: Asked) -> View:
    """The view of a fight with what was pressed done in it."""
    if asked.word == CHOOSE:
        asked.fields["choosing"], asked.command, asked.eye = asked.rest, "", CHOOSE
    try:
        fight, waiting = open_fight(asked.fields["log"], asked.roller)
    except ScratchError as error:
        if error.code != "fight.dice":
            asked.refuse(error, "log", with_place=True)
            return _set_up(asked, is_refused=True)
        expected, said = "the faces of the initiative", "To begin, roll initiative."
        if asked.system.character_fields:
            expected, said = "the faces that say who goes first", "To begin, roll for who goes first."
        asked.note(Problem("fight.rolls-missing", expected, "none", "log"), "log")
        return _view(asked, "dice", query=_carried(asked, ("log", "called")), summary=said)
    if waiting:
        words = "1 step of the file has" if len(waiting) == 1 else f"{len(waiting)} steps of the file have"
        asked.say = f"{words} no rolls yet. Redo rolls them one by one."
    return _fought(asked, *done(asked, fight, waiting or undone_steps(asked, fight)))


def _fought(asked: Asked, fight: Fight, undone: Sequence[Step]) -> View:
    """The fight as it stands; or, asked for a new set-up, that of its characters, with the fight put by."""
    if asked.command == SET_UP:
        write_again(asked, fight)
        return _set_up(asked)
    if asked.command == GO_ON:
        asked.command = asked.fields[branches.CONTROL] = asked.fields[branches.DISMISSED] = ""
        return _first_shown(asked, head_of(fight))
    asked.fields |= {"log": fight.text, "redo": format_json(list(undone)) if undone else ""}
    for advice in () if fight.steps else fight.scenario.advice:  # said once, before the first step
        asked.note(advice, "log")
    return _shown(asked, fight, len(undone))


def _shown(asked: Asked, fight: Fight, undone: int) -> View:
    """The fight as it stands, with so many steps that can be done again."""
    fields = asked.fields
    find, target = fields["find"], fields["choosing"] if not asked.command or asked.has_errors else ""
    stays = {*FIGHT_CONTROLS, *other_setup_controls(asked.system)}
    fields |= {name: "" for name in CONTROLS if name not in stays}
    fields["find"] = find if target else ""
    who, *aims = fields["picked"].split()[: MOST_AIMS + 1] or [fields["who"]]
    pressed = tuple(fields["aimed"].replace(";", " ").split()[-MOST_PRESSED:])
    if asked.command in ("undo", "redo"):
        fields["aim"] = ""
    hidden = frozenset(players_screen.names_in(fields[players_screen.HIDDEN]))
    seen = shown_fight(fight, Aiming(who, tuple(aims), pressed, hidden), read_space(fields["aim"]), asked.is_whole)
    is_aiming = seen.turn is not None and (pressed or (aims and seen.turn.actor == who))
    fields["picked"] = " ".join((seen.turn.actor, *seen.turn.aims)) if seen.turn and is_aiming else ""
    carried = ""
    if asked.command == CARRY:
        asked.eye, carried = CARRY, share_links.pack({"log": fight.text})
    if seen.rolled and asked.say:  # in names, with everyone's totals
        asked.say = seen.rolled if asked.say == fight.opening else f"{asked.say} {seen.rolled}"
    is_told = not asked.say or asked.say.startswith("The encounter is over")  # the end is not told twice
    return _view(
        asked,
        "fight",
        query=_carried(asked, _KEPT),
        summary=one_line(seen.aloud if is_told else f"{asked.say} {seen.aloud}", SUMMARY_LIMIT),
        shown=seen,
        undone=undone,
        hand=gm_panel.hand_of(fight, fields),
        carried=carried,
        left=steps_left(fight),
        chooser=chooser(asked.query, target, "opponent", is_new=asked.eye == CHOOSE) if target else None,
        stories=branches.stories_beside(fight, fields[branches.CONTROL]),
        surroundings=_surroundings_of(fight),
        screen=players_screen.view_of(fight, fields, seen.in_order),
        screen_settings=players_screen.settings_of(fields, seen.in_order),
    )


def _carried(asked: Asked, names: Sequence[str]) -> dict[str, str]:
    """Return these controls, and those of the other turn systems' set-ups, which a fight carries along."""
    return {name: asked.fields[name] for name in (*names, *other_setup_controls(asked.system))}


def _surroundings_of(fight: Fight) -> tuple[Surrounding, ...]:
    """The surroundings that the game master can change now; () on a map, and while something waits."""
    can_change = CHANGE_SURROUNDINGS in fight.system.gm_fields and fight.state.phase == "running"
    return find_surroundings(fight.state.fighters) if can_change else ()


def _view(asked: Asked, phase: str, *, query: Mapping[str, str], summary: str, **more: Any) -> View:
    """The view of a phase."""
    problems = few(asked.problems, MOST_PROBLEMS, "fight.more")
    return View(query_string(query), summary, problems, asked.fields, phase, order=asked.system, eye=asked.eye, **more)
