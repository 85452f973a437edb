"""The rulings that a reader may choose, each a control."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.catalogue import Switch, ruling, setting_words


@dataclass(frozen=True, slots=True)
class Choosing:
    """A ruling to be chosen: the switch's name, the question, its choices as value and words, and the ruling's id.

    Our own reading has the value "", so that a query names only what differs from it.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    ruling: str


def choosing_of(switch: Switch, title: str = "") -> Choosing:
    """The control of a switch; without a title it asks what the ruling is called."""
    words = [(choice == switch.default, setting_words(choice)) for choice in switch.choices]
    choices = tuple(("", f"{each} (ours)") if is_ours else (each, each) for is_ours, each in words)
    return Choosing(switch.name, title or ruling(switch.ruling).title, choices, switch.ruling)
