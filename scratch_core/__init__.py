"""The rules of Scratch RPS as one engine, shared by the text, the tests, the build and the browser.

The names below are the public interface for scripts. Each loads its package when it is first used, so that
`import scratch_core` alone loads no other module:

    from scratch_core import chance, check_character, get_cast_member, roll, win_chances

    roll("d20+3", against=13).check.is_success
    chance("d20+3", against=13)                      # Fraction(11, 20)
    win_chances(get_cast_member("duellist"), get_cast_member("wrestler")).first_wins.low
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from scratch_core.api.characters import CharacterCheck, check_character, get_cast_member
    from scratch_core.api.dice import roll
    from scratch_core.api.duels import win_chances
    from scratch_core.api.fights import act, play, start_fight
    from scratch_core.cast import CAST
    from scratch_core.characters import ABOVE_AVERAGE, AVERAGE, Character, Limits
    from scratch_core.dice import chance, compute_distribution
    from scratch_core.encounter import check_action, legal_actions
    from scratch_core.encounter.actions import Action
    from scratch_core.errors import Problem, ScratchError
    from scratch_core.rulebook import RulingSettings, get_rule
    from scratch_core.scenario import SAMPLE_SCENARIOS

__version__ = "0.1.0"

__all__ = [
    "ABOVE_AVERAGE",
    "AVERAGE",
    "CAST",
    "SAMPLE_SCENARIOS",
    "Action",
    "Character",
    "CharacterCheck",
    "Limits",
    "Problem",
    "RulingSettings",
    "ScratchError",
    "act",
    "chance",
    "check_action",
    "check_character",
    "compute_distribution",
    "get_cast_member",
    "get_rule",
    "legal_actions",
    "play",
    "roll",
    "start_fight",
    "win_chances",
]

_MODULES: Final = {
    "api.characters": ("CharacterCheck", "check_character", "get_cast_member"),
    "api.dice": ("roll",),
    "api.duels": ("win_chances",),
    "api.fights": ("act", "play", "start_fight"),
    "cast": ("CAST",),
    "characters": ("ABOVE_AVERAGE", "AVERAGE", "Character", "Limits"),
    "dice": ("chance", "compute_distribution"),
    "encounter": ("check_action", "legal_actions"),
    "encounter.actions": ("Action",),
    "errors": ("Problem", "ScratchError"),
    "rulebook": ("RulingSettings", "get_rule"),
    "scenario": ("SAMPLE_SCENARIOS",),
}
"""The public names by the module that defines them."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            globals()[name] = value = getattr(import_module(f"{__name__}.{module}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
