"""The commands that change only what the page shows, in a setup and in a fight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from scratch_core.calculators.characters_text.chooser import CHOOSE
from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.page_session import FocusedSession
from scratch_core.calculators.fight.request import ODDS_CONTROL, FightRequest

SomeSession = TypeVar("SomeSession", bound=FocusedSession)
"""A session of any kind, which a command returns changed."""


class DisplayCommand(Protocol):
    """A command that changes only what the page shows."""

    def __call__(self, request: FightRequest, session: SomeSession) -> SomeSession:
        """Return the session after the command."""


def _select_fighter(request: FightRequest, session: SomeSession) -> SomeSession:
    who = request.command.argument
    texts = {**dict.fromkeys(gm_panel.TARGET_CONTROLS, ""), gm_panel.TARGET: who}
    return replace(session.with_fields(texts), focus="hand" if who else "")


def _apply_screen_settings(request: FightRequest, session: SomeSession) -> SomeSession:
    return replace(session.with_fields(players_screen.parse_settings(request.command.argument)), focus="screen")


def _toggle_hidden(request: FightRequest, session: SomeSession) -> SomeSession:
    texts = players_screen.toggle_hidden(session.fields, request.command.argument)
    return replace(session.with_fields(texts), focus="hand")


def _toggle_win_chances(request: FightRequest, session: SomeSession) -> SomeSession:
    setting = "on" if request.command.argument == "on" else ""
    return replace(session.with_fields({ODDS_CONTROL: setting}), focus=ODDS_CONTROL)


def _dismiss_notice(request: FightRequest, session: SomeSession) -> SomeSession:
    return session.with_fields({branches.DISMISSED_CONTROL: "on"})


def _open_chooser(request: FightRequest, session: SomeSession) -> SomeSession:
    return replace(session.with_fields({"choosing": request.command.argument}), focus=CHOOSE)


DISPLAY_COMMANDS: Mapping[str, DisplayCommand] = {
    gm_panel.SELECT_COMMAND: _select_fighter,
    players_screen.SCREEN_CONTROL: _apply_screen_settings,
    players_screen.HIDE_COMMAND: _toggle_hidden,
    ODDS_CONTROL: _toggle_win_chances,
    branches.DISMISS_COMMAND: _dismiss_notice,
}
"""The commands of every page, by their first word."""

FILE_COMMANDS: Mapping[str, DisplayCommand] = {**DISPLAY_COMMANDS, CHOOSE: _open_chooser}
"""The commands of every page with a file, by their first word, whether or not the file can be opened."""
