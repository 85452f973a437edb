"""Every ruling by its id: contradictions K, gaps A (basic), G (Grid), M (Mano a Mano), S (choose-next)."""

from __future__ import annotations

from typing import Final

from scratch_core.catalogue.contradictions import CONTRADICTIONS
from scratch_core.catalogue.gaps import BASIC_GAPS, GRID_GAPS
from scratch_core.catalogue.order_gaps import MANO_GAPS, SEIZE_GAPS
from scratch_core.catalogue.records import Ruling
from scratch_core.catalogue.rules import rule
from scratch_core.errors import Problem, ScratchError, shown

RULINGS: Final = (*CONTRADICTIONS, *BASIC_GAPS, *GRID_GAPS, *MANO_GAPS, *SEIZE_GAPS)
_BY_ID: Final = {ruling.id: ruling for ruling in RULINGS}


def ruling(ruling_id: str) -> Ruling:
    """Return the ruling of that id; raises `ScratchError` (`catalogue.ruling`) for an id that no ruling has."""
    found = _BY_ID.get(ruling_id)
    if found is None:
        raise ScratchError(Problem("catalogue.ruling", "a ruling's id like K01", shown(ruling_id), "the rulings"))
    return found


def url_of(some_id: str) -> str:
    """Give the place of a rule or a ruling within the site; raises `ScratchError` for an unknown id."""
    return ruling(some_id).url if some_id in _BY_ID else rule(some_id).url


def title_of(some_id: str) -> str:
    """The title of a rule or a ruling; raises `ScratchError` for an id that neither has."""
    return ruling(some_id).title if some_id in _BY_ID else rule(some_id).title
