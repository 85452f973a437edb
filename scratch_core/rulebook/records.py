"""The records of the rulebook: rule, ruling, rule option, glossary term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RuleSystem = Literal["scratch", "grid", "mano", "mano-old", "seize"]
RulingPart = Literal["fight", "grid", "character", "printed", "mano", "seize"]
RulingValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the rulebook: where it is published, its sources, and the module that implements it."""

    id: str
    """Its stable id: `act.cover`."""
    title: str
    """Its title in lists, tooltips and links. The heading of its text may have other words, or none."""
    system: RuleSystem
    """The rule set that it belongs to."""
    page: str
    """The path of its page within the site (`rules/actions/`), where the id is its anchor."""
    source: tuple[str, ...]
    """The numbers of the source pages."""
    module: str
    """The module of `scratch_core` that implements it."""
    no_code: str = ""
    """The reason why no code implements it, or ""."""

    @property
    def url(self) -> str:
        """The link to the rule within the site: `rules/actions/#act.cover`."""
        return f"{self.page}#{self.id}"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A contradiction or gap in the sources, and the decision on it."""

    id: str
    """Its stable id: `K01`."""
    title: str
    """Its title on the page."""
    part: RulingPart
    """Its subject: fights, the Grid, characters and crafting, misprints, Mano a Mano, or choose-next."""
    question: str
    """The question that it answers."""
    readings: tuple[str, ...]
    """The possible answers, our default first."""
    why: str
    """The reason for the default."""
    rules: tuple[str, ...]
    """The ids of the rules concerned."""
    switch: str | None = None
    """The name of the rule option that chooses another answer, or None."""
    is_plain: bool = False
    """Whether the source is unambiguous; the list of rulings collapses such rulings."""

    @property
    def default_option(self) -> str:
        """The answer that applies unless a table's settings choose another."""
        return self.readings[0]

    @property
    def url(self) -> str:
        """The link to the ruling within the site."""
        return f"look-up/rulings/#{self.id}"


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A ruling that a table may decide differently, with its possible settings."""

    name: str
    """The field of `RulingSettings` and the key in files."""
    default: RulingValue
    """Our setting."""
    choices: tuple[RulingValue, ...]
    """The possible settings."""
    ruling: str
    """The id of the ruling that explains it."""
    question: str
    """The question that the settings answer, in a few words."""
    reason: str
    """Why the answers differ, or what they change, in a sentence or two."""
    answers: tuple[str, ...]
    """Each setting as an answer to the question in at most five words, in the order of `choices`."""
    words: tuple[str, ...]
    """Each setting as part of a sentence, in the order of `choices`."""


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary entry."""

    name: str
    """The word."""
    meaning: str
    """Its meaning, in a sentence or two."""
    rule: str
    """The id of the rule to read next."""
    tooltip: bool = True
    """Whether pages show it as a tooltip; False for search terms that the text uses in another sense."""
