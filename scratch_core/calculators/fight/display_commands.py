"""The commands that change only what the page shows, in a setup and in a fight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from scratch_core.calculators.characters_text.chooser import CHOOSE
from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.page_session import FocusedSession
from scratch_core.calculators.fight.request import (
    CHANGED_FACES,
    CHANGED_STEP,
    GUIDE_CONTROL,
    ODDS_CONTROL,
    TURNING_CONTROL,
    FightRequest,
)

SomeSession = TypeVar("SomeSession", bound=FocusedSession)
"""A session of any kind, which a command returns changed."""


SELECT_ROLL_COMMAND = "roll"
"""The command that opens the dice of a step to change them. Its argument is the step's number, "" closes them."""


class DisplayCommand(Protocol):
    """A command that changes only what the page shows."""

    def __call__(self, request: FightRequest, session: SomeSession) -> SomeSession:
        """Return the session after the command."""


def _select_fighter(request: FightRequest, session: SomeSession) -> SomeSession:
    who = request.command.argument
    texts = {**dict.fromkeys(gm_panel.TARGET_CONTROLS, ""), gm_panel.TARGET: who}
    return replace(session.with_fields(texts), focus="gm" if who else "")


def _apply_screen_settings(request: FightRequest, session: SomeSession) -> SomeSession:
    return replace(session.with_fields(players_screen.parse_screen_settings(request.command.argument)), focus="screen")


def _toggle_hidden(request: FightRequest, session: SomeSession) -> SomeSession:
    texts = players_screen.toggle_hidden_character(session.fields, request.command.argument)
    return replace(session.with_fields(texts), focus="gm")


def _show_or_hide_win_chances(request: FightRequest, session: SomeSession) -> SomeSession:
    setting = "on" if request.command.argument == "on" else ""
    return replace(session.with_fields({ODDS_CONTROL: setting}), focus=ODDS_CONTROL)


def _toggle_turning_points(request: FightRequest, session: SomeSession) -> SomeSession:
    setting = "on" if request.command.argument == "on" else ""
    return replace(session.with_fields({TURNING_CONTROL: setting}), focus=TURNING_CONTROL)


def _set_guide(request: FightRequest, session: SomeSession) -> SomeSession:
    setting = "off" if request.command.argument == "off" else "on"
    return replace(session.with_fields({GUIDE_CONTROL: setting}), focus=GUIDE_CONTROL)


def _dismiss_branches_notice(request: FightRequest, session: SomeSession) -> SomeSession:
    return session.with_fields({branches.DISMISSED_CONTROL: "on"})


def _select_roll(request: FightRequest, session: SomeSession) -> SomeSession:
    number = request.command.argument
    return replace(session.with_fields({CHANGED_STEP: number, CHANGED_FACES: ""}), focus="roll")


def _show_or_hide_chooser(request: FightRequest, session: SomeSession) -> SomeSession:
    return replace(session.with_fields({"choosing": request.command.argument}), focus=CHOOSE)


DISPLAY_COMMANDS: Mapping[str, DisplayCommand] = {
    gm_panel.SELECT_COMMAND: _select_fighter,
    players_screen.SCREEN_CONTROL: _apply_screen_settings,
    players_screen.HIDE_COMMAND: _toggle_hidden,
    ODDS_CONTROL: _show_or_hide_win_chances,
    TURNING_CONTROL: _toggle_turning_points,
    GUIDE_CONTROL: _set_guide,
    SELECT_ROLL_COMMAND: _select_roll,
    branches.DISMISS_COMMAND: _dismiss_branches_notice,
}
"""The commands of every page, by their first word."""

FILE_COMMANDS: Mapping[str, DisplayCommand] = {**DISPLAY_COMMANDS, CHOOSE: _show_or_hide_chooser}
"""The commands of every page with a fight's file, by their first word, whether or not its dice are rolled."""
