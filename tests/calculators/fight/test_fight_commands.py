"""Every command of a setup and of a fight, also where the page offers no button for it."""

from itertools import product

import pytest

from scratch_core.calculators.fight.commands import COMMANDS
from scratch_core.calculators.fight.setup_commands import COMMANDS_BY_CONTROL
from tests.support.fights import HUNTERS, view_begun_fight, view_fight

ARGUMENTS = ("", "x", "us", "separate us", "together us", "cover on", "1", "add")
SETUPS = {
    "empty": {},
    "name alone": {"sheets": "Zed"},
    "unreadable level": {"sheets": "Zed\nx toughness"},
    "heading alone": {"sheets": "side: us"},
    "hunters": {"sheets": HUNTERS},
    "empty mano": {"system": "mano"},
    "unreadable mano": {"system": "mano", "fighters": "Ann: speed x"},
}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_setup_commands_accept_every_setup(setup: dict[str, str]) -> None:
    """No command raises, and each leaves a setup."""
    names = {name for commands in COMMANDS_BY_CONTROL.values() for name in commands}
    for name, argument in product(sorted(names), ARGUMENTS):
        assert view_fight(**setup, act=f"{name} {argument}".strip()).phase == "setup"


def test_fight_commands_accept_every_argument() -> None:
    """No command of a running fight raises, and each leaves a fight or its setup."""
    log = view_begun_fight(HUNTERS).fields["log"]
    for name, argument in product(sorted(COMMANDS), ARGUMENTS):
        assert view_fight(log=log, act=f"{name} {argument}".strip()).phase in ("fight", "setup", "dice")
