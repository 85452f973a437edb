"""What the template of the odds calculator prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scratch_core.calculators.characters_text.chooser import Chooser
from scratch_core.calculators.odds.builds import (
    MAX_BUTTON_LEVEL,
    DuelistLevels,
    DuelistSummary,
    build_duelist_summary,
)
from scratch_core.calculators.odds.chances import OddsChances
from scratch_core.calculators.odds.commands import Focus, OddsSession
from scratch_core.calculators.odds.duelists import format_block_without_notes
from scratch_core.calculators.odds.jobs import OpponentChance
from scratch_core.calculators.odds.presentation import Attack, DuelAnswer
from scratch_core.calculators.odds.request import RULING_NAMES, OddsRequest, parse_ruling_texts
from scratch_core.calculators.shared.house_rules import format_rules_query
from scratch_core.calculators.shared.limits import limit_problems
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import format_query
from scratch_core.odds import Order

MAX_LINK_LENGTH = 8_000
"""The characters of a link from which it leaves out notes and descriptions of stat blocks, which change no chance."""

MAX_PROBLEMS = 12
"""The most problems that are shown."""

GROUND_OPTIONS = (
    ("", "Level ground, or as in the stat blocks"),
    ("level", "Level ground"),
    ("level,cover", "Level ground with cover"),
    ("level,throwable", "Level ground with things to throw"),
    ("level,cover,throwable", "Level ground with cover and things to throw"),
    ("level,climbable", "Level ground with something to climb"),
    ("open-air", "Open air"),
    ("water", "Water"),
    ("deep-water", "Deep water"),
)
"""The terrains to choose from: words of `SURROUNDINGS`, and a label. A link may have other combinations."""


@dataclass(frozen=True, slots=True)
class View(PageView):
    """What the template prints."""

    answer: DuelAnswer | None = None
    """The chances of the duel. None without a duel, before the first result, and if the duel is too large."""
    focus: Focus = "answer"
    """Where the focus goes."""
    duelists: Mapping[str, DuelistSummary] = field(default_factory=dict)
    """The characters chosen so far, by `first` and `second`."""
    starting_order: Order = "initiative"
    """Who goes first."""
    too_large: str = ""
    """The sentence about a duel that is too large to be solved, else ""."""
    chooser: Chooser | None = None
    """The chooser of characters, None while it is closed."""
    grounds: tuple[tuple[str, str], ...] = GROUND_OPTIONS
    """The terrains to choose from: values and labels."""
    attacks: tuple[Attack, ...] = ()
    """What each attack does."""
    duelist_levels: tuple[DuelistLevels, ...] = ()
    """The levels of both characters; () without an answer."""
    opponent_chances: tuple[OpponentChance, ...] = ()
    """The first character's chances against the cast; () unless the request asks for them."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""
    is_pending: bool = False
    """Whether the duel is not solved yet, even if the request is not repeated because the chooser is open."""
    updated_fields: tuple[str, ...] = ()
    """The controls that this answer has changed."""
    max_button_level = MAX_BUTTON_LEVEL

    @property
    def house_rules_query(self) -> str:
        """The settings of the rulings that matter in a duel, as a query."""
        return format_rules_query(RULING_NAMES, parse_ruling_texts(self.fields["rulings"]))


def build_view(request: OddsRequest, session: OddsSession, chances: OddsChances) -> View:
    """Build what the template prints."""
    terms, result = request.terms, chances.result
    answer = result.answer
    return View(
        query=format_link_query(session),
        summary=answer.sentences[terms.starting_order] if answer else result.too_large,
        problems=limit_problems(chances.problems, MAX_PROBLEMS, "odds.more"),
        fields=session.fields,
        answer=answer,
        focus=session.focus,
        duelists={
            key: build_duelist_summary(duelist.table, terms.rulings)
            for key, duelist in session.duelists.items()
            if duelist.table
        },
        starting_order=terms.starting_order,
        too_large=result.too_large,
        chooser=request.chooser,
        attacks=result.attacks,
        duelist_levels=chances.duelist_levels,
        opponent_chances=chances.opponent_chances,
        is_incomplete=chances.is_incomplete and request.chooser is None,  # a repeated request would close the chooser
        is_pending=chances.is_pending,
        updated_fields=session.updated_fields,
    )


def format_link_query(session: OddsSession) -> str:
    """Format the query that reopens this answer.

    Shortens the stat blocks to their levels if the query is longer than `MAX_LINK_LENGTH`.
    """
    fields = dict(session.fields)
    for key, duelist in session.duelists.items():
        if duelist.table and fields[f"{key}_sheet"].strip() and len(format_query(fields)) > MAX_LINK_LENGTH:
            fields[f"{key}_sheet"] = format_block_without_notes(duelist.table)
    return format_query(fields)
