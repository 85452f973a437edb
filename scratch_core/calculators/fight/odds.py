"""Each side's chance to win from where a fight by the basic rules stands. Loaded only where somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.calculators.chances import chances_now, in_words
from scratch_core.calculators.fight.table import Fight
from scratch_core.calculators.slices import GoOn


@dataclass(frozen=True, slots=True)
class FightOdds:
    """Each side's chance to win, `here`, by side in words; `note` says why there is none.

    `fights` were played out, 0 where the chances are exact. `mattered` is the step whose dice changed the winner's
    chance most, once a duel is won, and else 0. `unfinished`: there is more to come.
    """

    here: tuple[tuple[str, str], ...]
    fights: int
    note: str
    unfinished: bool
    mattered: int = 0

    @property
    def aloud(self) -> str:
        """The chances as they are said once they are known; "" until then."""
        if self.unfinished or not self.here:
            return self.note
        return f"To win: {', '.join(f'{side} {words}' for side, words in self.here)}."


def fight_odds(fight: Fight, go_on: GoOn) -> FightOdds:
    """The chances of a fight where it stands. Rules: `turn.order`, `act.escape.effect`."""
    rolled = [bool(record.rolls) for record in fight.records]
    found = chances_now((fight.begun, *fight.states[1:]), rolled, go_on)
    here = tuple((each.side, in_words(each)) for each in found.here or ())
    return FightOdds(here, found.fights, found.note, found.unfinished, found.mattered)
