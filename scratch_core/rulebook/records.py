"""The catalogue's records: a rule, a ruling, a switch, a glossary term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RuleSystem = Literal["scratch", "grid", "mano", "mano-old", "seize"]
RulingPart = Literal["fight", "grid", "character", "printed", "mano", "seize"]
RulingValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the rulebook: where it is told, where it comes from and which module carries it out.

    `page` is a path within the site (`rules/actions/`), where the rule's id is its anchor. `source` lists the numbers
    of the source pages. `module` is a module of `scratch_core`; `no_code` is "" or the reason why no code carries it.
    """

    id: str
    title: str
    system: RuleSystem
    page: str
    source: tuple[str, ...]
    module: str
    no_code: str = ""

    @property
    def url(self) -> str:
        """The rule's own link within the site: `rules/actions/#act.cover`."""
        return f"{self.page}#{self.id}"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One place where the sources clash or are silent, and how it is decided.

    `readings[0]` is our default. `part` is what it decides: fights, the Grid, characters and crafting, how to take what
    was printed, Mano a Mano, or choose-next. `switch` is the name of the switch that chooses another reading, if there
    is one. `rules` are the ids of the rules concerned. `is_plain` marks a ruling whose source is plain: the list of
    rulings folds it away.
    """

    id: str
    title: str
    part: RulingPart
    question: str
    readings: tuple[str, ...]
    why: str
    rules: tuple[str, ...]
    switch: str | None = None
    is_plain: bool = False

    @property
    def default(self) -> str:
        """The reading that holds unless a switch says otherwise."""
        return self.readings[0]

    @property
    def url(self) -> str:
        """The ruling's own link within the site."""
        return f"look-up/rulings/#{self.id}"


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A choice between readings that a table may make; `ruling` is the id of the ruling that explains it.

    `words` tell each of the choices, as part of a sentence.
    """

    name: str
    default: RulingValue
    choices: tuple[RulingValue, ...]
    ruling: str
    reason: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary entry: the word, what it means in a sentence or two, and the rule to read on.

    `tooltip` is false for words that readers search for but that the text does not use in that sense.
    """

    name: str
    meaning: str
    rule: str
    tooltip: bool = True
