"""The answer to a query of the fight: a set-up, or a fight after the command. It is the same in every turn system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.characters_text.chooser import CHOOSE, build_chooser
from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.board_view import parse_selected_space
from scratch_core.calculators.fight.commands import (
    CONTINUE_COMMAND,
    SETUP_COMMAND,
    SHARE_COMMAND,
    execute_command,
    parse_undone_steps,
)
from scratch_core.calculators.fight.menu_records import MAX_TARGETS
from scratch_core.calculators.fight.request import (
    CONTROLS,
    FIGHT_CONTROLS,
    MAX_PROBLEM_LENGTH,
    MAX_QUERY_LENGTH,
    SAME_PRESS,
    FightForm,
    View,
    list_other_setup_controls,
)
from scratch_core.calculators.fight.session import (
    Fight,
    Step,
    begin_fight,
    build_rematch_head,
    find_remaining_steps,
    open_fight,
)
from scratch_core.calculators.fight.setup import (
    build_setup_view_data,
    import_stat_blocks,
    return_to_setup,
    validate_start,
)
from scratch_core.calculators.fight.surroundings import Surrounding, list_surroundings
from scratch_core.calculators.fight.view_model import TargetSelection, build_fight_view
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.form import limit_problems, shorten_problem, truncate_line
from scratch_core.calculators.shared.open_file import is_sheet
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.dice import Roller
from scratch_core.errors import ScratchError
from scratch_core.scenario import format_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS

MAX_PROBLEMS = 12
"""The most problems that a page shows; the others are counted."""

MAX_SUMMARY_LENGTH = 380
"""The most characters of a summary."""
ODDS_CONTROL = "odds"
"""The control that says whether win chances are shown, `on` or "", and the first word of the command that sets it."""

MAX_TARGET_PRESSES = 30
"""The most presses on targets that are read from one query."""

_CARRIED_CONTROLS = (
    "log",
    "called",
    "redo",
    branches.CONTROL,
    branches.DISMISSED_CONTROL,
    "faces",
    "note",
    "picked",
    SAME_PRESS,
    *players_screen.CONTROLS,
    ODDS_CONTROL,
)
"""The controls that reopen a fight as it is."""


def answer_query(query: Query, roller: Roller | None) -> View:
    """Answer a query of the fight calculator."""
    form = FightForm(query, roller)
    if form.command_name in _DISPLAY_COMMANDS:
        _DISPLAY_COMMANDS[form.command_name](form)
        form.command = ""
    if form.packed_link:
        form.problems.report("query.packed", "a whole link", "one that was cut off or changed", "log")
        form.fields["log"] = form.packed_link
        return _build_setup_view(form, is_refused=True)
    if query.is_cut:
        form.add_cut_problem("log", MAX_QUERY_LENGTH)
        return _build_setup_view(form, is_refused=True)
    if not form.system.character_fields and is_sheet(form.fields["log"]):
        import_stat_blocks(form)
    if form.fields["log"].strip():
        return _continue_fight(form)
    if form.command != "begin":
        return _build_setup_view(form)
    setup = validate_start(form)
    view = _build_setup_view(form) if setup.head is None else _start_fight(form, setup.head, setup.steps)
    return replace(view, is_start_refused=view.phase == "setup")


def _select_fighter(form: FightForm) -> None:
    form.fields |= {**dict.fromkeys(gm_panel.TARGET_CONTROLS, ""), gm_panel.TARGET: form.command_argument}
    form.focus = "hand" if form.command_argument else ""


def _apply_screen_settings(form: FightForm) -> None:
    form.fields |= players_screen.parse_settings(form.command_argument)
    form.focus = "screen"


def _toggle_hidden(form: FightForm) -> None:
    players_screen.toggle_hidden(form.fields, form.command_argument)
    form.focus = "hand"


def _toggle_win_chances(form: FightForm) -> None:
    form.fields[ODDS_CONTROL] = "on" if form.command_argument == "on" else ""
    form.focus = ODDS_CONTROL


def _dismiss_notice(form: FightForm) -> None:
    form.fields[branches.DISMISSED_CONTROL] = "on"


_DISPLAY_COMMANDS: Mapping[str, Callable[[FightForm], None]] = {
    gm_panel.SELECT_COMMAND: _select_fighter,
    players_screen.SCREEN_CONTROL: _apply_screen_settings,
    players_screen.HIDE_COMMAND: _toggle_hidden,
    ODDS_CONTROL: _toggle_win_chances,
    branches.DISMISS_COMMAND: _dismiss_notice,
}
"""The commands that change only the display, by their first word."""


def _build_setup_view(form: FightForm, *, is_refused: bool = False) -> View:
    """Build the view of a fight that has not begun."""
    return _build_view(form, "setup", **build_setup_view_data(form, is_refused=is_refused))


def _start_fight(form: FightForm, head: Mapping[str, Any], steps: Sequence[Step] = ()) -> View:
    """Start a fight and build its view.

    Returns the view of the set-up, with the problems, if the fight can't begin.
    """
    try:
        fight = begin_fight(head, form.roller, steps)
    except ScratchError as error:
        setup_data = build_setup_view_data(form)
        form.problems.extend_at("initiative", error.problems, keeps_place=True)
        return _build_view(form, "setup", **setup_data)
    form.announcement = fight.opening_narration
    return _build_running_or_setup_view(form, fight, ())


def _continue_fight(form: FightForm) -> View:
    """Build the view of a fight after the command.

    For a file without the rolls of its beginning the phase is `dice`. For a text that is no fight, it is the view of
    the set-up.
    """
    if form.command_name == CHOOSE:
        form.fields["choosing"], form.command, form.focus = form.command_argument, "", CHOOSE
    try:
        fight, unrolled_steps = open_fight(form.fields["log"], form.roller)
    except ScratchError as error:
        if error.code != "fight.dice":
            form.problems += (
                each.move_to("log", got=f"{each.got} in {each.where}", place=each.where) for each in error.problems
            )
            return _build_setup_view(form, is_refused=True)
        expected, summary = "the faces of the initiative", "To begin, roll initiative."
        if form.system.character_fields:
            expected, summary = "the faces that say who goes first", "To begin, roll for who goes first."
        form.problems.report("fight.rolls-missing", expected, "none", "log")
        return _build_view(form, "dice", query=_collect_carried_fields(form, ("log", "called")), summary=summary)
    if unrolled_steps:
        words = (
            "1 step of the file has" if len(unrolled_steps) == 1 else f"{len(unrolled_steps)} steps of the file have"
        )
        form.announcement = f"{words} no rolls yet. Redo rolls them one by one."
    return _build_running_or_setup_view(
        form, *execute_command(form, fight, unrolled_steps or parse_undone_steps(form, fight))
    )


def _build_running_or_setup_view(form: FightForm, fight: Fight, undone: Sequence[Step]) -> View:
    """Build the view of a fight, or of a new set-up with its characters."""
    if form.command == SETUP_COMMAND:
        return_to_setup(form, fight)
        return _build_setup_view(form)
    if form.command == CONTINUE_COMMAND:
        form.command = form.fields[branches.CONTROL] = form.fields[branches.DISMISSED_CONTROL] = ""
        return _start_fight(form, build_rematch_head(fight))
    form.fields |= {"log": fight.file_text, "redo": format_json(list(undone)) if undone else ""}
    if not fight.steps:  # reported once, before the first step
        form.problems.extend_at("log", fight.scenario.minion_problems)
    return _build_running_view(form, fight, len(undone))


def _build_running_view(form: FightForm, fight: Fight, undone: int) -> View:
    """Build the view of a running fight with `undone` steps to redo."""
    fields = form.fields
    find, target = fields["find"], fields["choosing"] if not form.command or form.has_errors else ""
    own_controls = {*FIGHT_CONTROLS, *list_other_setup_controls(form.system)}
    fields |= {name: "" for name in CONTROLS if name not in own_controls}
    fields["find"] = find if target else ""
    who, *target_ids = fields["picked"].split()[: MAX_TARGETS + 1] or [fields["who"]]
    pressed = tuple(fields["aimed"].replace(";", " ").split()[-MAX_TARGET_PRESSES:])
    if form.command in ("undo", "redo"):
        fields["aim"] = ""
    hidden_ids = frozenset(players_screen.parse_names(fields[players_screen.HIDDEN_CONTROL]))
    fight_view = build_fight_view(
        fight,
        TargetSelection(who, tuple(target_ids), pressed, hidden_ids),
        parse_selected_space(fields["aim"]),
        form.is_whole_log,
    )
    is_aiming = fight_view.current_menu is not None and (
        pressed or (target_ids and fight_view.current_menu.actor == who)
    )
    fields["picked"] = (
        " ".join((fight_view.current_menu.actor, *fight_view.current_menu.targets))
        if fight_view.current_menu and is_aiming
        else ""
    )
    packed_fight = ""
    if form.command == SHARE_COMMAND:
        form.focus, packed_fight = SHARE_COMMAND, share_links.pack({"log": fight.file_text})
    if fight_view.initiative_text and form.announcement:  # it has names and everyone's totals
        form.announcement = (
            fight_view.initiative_text
            if form.announcement == fight.opening_narration
            else f"{form.announcement} {fight_view.initiative_text}"
        )
    is_announcement_redundant = not form.announcement or form.announcement.startswith(
        "The encounter is over"
    )  # the view says the end, too
    return _build_view(
        form,
        "fight",
        query=_collect_carried_fields(form, _CARRIED_CONTROLS),
        summary=truncate_line(
            fight_view.spoken_text if is_announcement_redundant else f"{form.announcement} {fight_view.spoken_text}",
            MAX_SUMMARY_LENGTH,
        ),
        fight_view=fight_view,
        undone_count=undone,
        game_master_panel=gm_panel.build_gm_panel(fight, fields),
        packed_fight=packed_fight,
        remaining_steps=find_remaining_steps(fight),
        chooser=build_chooser(form.query, target, "opponent", is_new=form.focus == CHOOSE) if target else None,
        saved_branches=branches.list_branches(fight, fields[branches.CONTROL]),
        surroundings=_list_changeable_surroundings(fight),
        player_view=players_screen.build_screen_view(fight, fields, fight_view.ordered_rows),
        screen_settings=players_screen.build_screen_settings(fields, fight_view.ordered_rows),
    )


def _collect_carried_fields(form: FightForm, names: Sequence[str]) -> dict[str, str]:
    """Return the texts of these controls and of the other turn systems' set-ups.

    A fight carries the latter along.
    """
    return {name: form.fields[name] for name in (*names, *list_other_setup_controls(form.system))}


def _list_changeable_surroundings(fight: Fight) -> tuple[Surrounding, ...]:
    """List the surroundings that the game master can change now.

    Returns () on a map, and before and after the encounter.
    """
    can_change = CHANGE_SURROUNDINGS in fight.system.gm_fields and fight.state.phase == "running"
    return list_surroundings(fight.state.fighters) if can_change else ()


def _build_view(form: FightForm, phase: str, *, query: Mapping[str, str], summary: str, **more: Any) -> View:
    """Build the view of a phase."""
    shortened = [shorten_problem(each, MAX_PROBLEM_LENGTH) for each in form.problems]
    problems = limit_problems(shortened, MAX_PROBLEMS, "fight.more")
    return View(
        format_query(query), summary, problems, form.fields, phase, turn_system=form.system, focus=form.focus, **more
    )
