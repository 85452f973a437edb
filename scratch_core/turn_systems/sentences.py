"""The sentences about a step, written for each reader without the names and numbers that the reader may not know.

There is one narration of each step. The game master reads all of it; `Reader` decides what the players read. Literal
text is public, so it contains no number that belongs to a character: `conceal` holds those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from scratch_core.errors import join_words
from scratch_core.turn_systems.fight_records import BaseFighter

GAME_MASTER = "game master"
"""The owner of words for the game master alone. No character has this id, as it contains a space."""


class Reader(Protocol):
    """A reader of narrations."""

    def get_name(self, fighter: BaseFighter) -> str:
        """Return the name by which the reader knows a character.

        Raises `HiddenCharacterError` if the character is hidden from the reader.
        """

    def may_read_numbers_of(self, owner: str) -> bool:
        """Return whether the reader may read the numbers of a character, by id."""


class HiddenCharacterError(Exception):
    """A narration names a character that is hidden from the reader."""


class _FullReader:
    """The game master, who knows everything."""

    def get_name(self, fighter: BaseFighter) -> str:
        return fighter.name

    def may_read_numbers_of(self, owner: str) -> bool:
        return True


_FULL_READER = _FullReader()


class Narration(NamedTuple):
    """Sentences, or a part of one. As text it is what the game master reads.

    It is a tuple because an action builds several, and a dataclass takes three times as long.
    """

    template: str
    """The literal text, with `{}` for each part."""
    parts: tuple[NarrationPart, ...] = ()
    """The parts in order: a character is written as its name, a nested narration only if it names no hidden one."""
    owner: str = ""
    """The id of the character whose numbers the text gives away, `GAME_MASTER`, or "" for public text."""
    otherwise: str = ""
    """The text for readers who don't know the owner's numbers."""

    def __str__(self) -> str:
        """Return the text for the game master."""
        return self.write(_FULL_READER)

    def write(self, reader: Reader) -> str:
        """Write the text for a reader.

        Raises `HiddenCharacterError` if it names a hidden character outside nested narrations.
        """
        if self.owner and not reader.may_read_numbers_of(self.owner):
            return self.otherwise
        parts = self.parts
        return self.template.format(*[each if type(each) is str else _write_part(each, reader) for each in parts])

    def with_part(self, part: NarrationPart) -> Narration:
        """Return the narration with one more part at its end."""
        return self._replace(template=f"{self.template}{{}}", parts=(*self.parts, part))


class NameList(NamedTuple):
    """The names of several characters, each once. Hidden ones are left out."""

    fighters: Sequence[BaseFighter]
    """The characters."""
    joint: str = "and"
    """The word before the last name."""

    def write(self, reader: Reader) -> str:
        """Write the names.

        Raises `HiddenCharacterError` if all characters are hidden.
        """
        names = [name for each in self.fighters if (name := _write_unless_hidden(each, reader)) is not None]
        if not names:
            raise HiddenCharacterError
        return join_words(list(dict.fromkeys(names)), self.joint)


class TargetReports(NamedTuple):
    """Sentences about several targets. Those about hidden targets are left out, as if they were no targets."""

    lead: Narration
    """What comes before the reports of several targets."""
    reports: Sequence[Narration]
    """A report for each target, after the lead."""
    lone_reports: Sequence[Narration]
    """The whole sentences for each target, if the reader sees no other."""
    empty: Narration | None = None
    """The sentences if the reader sees no target. None if they can't be written then."""

    def write(self, reader: Reader) -> str:
        """Write the sentences.

        Raises `HiddenCharacterError` if all targets are hidden and there are no sentences for that.
        """
        written = [_write_unless_hidden(each, reader) for each in self.reports]
        visible = [(text, lone) for text, lone in zip(written, self.lone_reports, strict=True) if text is not None]
        if len(visible) == 1:
            return visible[0][1].write(reader)
        if visible:
            return " ".join((self.lead.write(reader), *(text for text, _ in visible)))
        if self.empty is None:
            raise HiddenCharacterError
        return self.empty.write(reader)


@dataclass(frozen=True)
class DeferredNarration:
    """A narration that is built when it is first written, because most decisions are never read."""

    build: Callable[..., Narration]
    """The function that builds it."""
    arguments: tuple[object, ...]
    """The arguments of the function."""

    @cached_property
    def narration(self) -> Narration:
        """The narration."""
        return self.build(*self.arguments)

    @cached_property
    def full_text(self) -> str:
        """The text for the game master, who reads every step at each press."""
        return self.narration.write(_FULL_READER)

    def write(self, reader: Reader) -> str:
        """Write the narration.

        Raises `HiddenCharacterError` if it names a hidden character outside nested narrations.
        """
        return self.full_text if reader is _FULL_READER else self.narration.write(reader)


NarrationPart = str | int | BaseFighter | Narration | NameList | TargetReports | DeferredNarration


def narrate(template: str, *parts: NarrationPart) -> Narration:
    """Build public sentences."""
    return Narration(template, parts)


def conceal(owner: str, template: str, *parts: NarrationPart, otherwise: str = "") -> Narration:
    """Build text for those who know the numbers of a character, by id."""
    return Narration(template, parts, owner, otherwise)


def defer(build: Callable[..., Narration], *arguments: object) -> Narration:
    """Build a narration that calls a function once it is written."""
    return Narration("{}", (DeferredNarration(build, arguments),))


def _write_part(part: NarrationPart, reader: Reader) -> str:
    if isinstance(part, Narration):
        try:
            return part.write(reader)
        except HiddenCharacterError:
            return ""
    if isinstance(part, BaseFighter):
        return reader.get_name(part)
    return str(part) if isinstance(part, str | int) else part.write(reader)


def _write_unless_hidden(part: BaseFighter | Narration, reader: Reader) -> str | None:
    """Write a part. Returns None if it names a hidden character."""
    try:
        return reader.get_name(part) if isinstance(part, BaseFighter) else part.write(reader)
    except HiddenCharacterError:
        return None
