"""What the fight's template prints, and the controls that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scratch_core.abilities import NAMES
from scratch_core.calculators import form, packing
from scratch_core.calculators.board.maps import READY, ReadyMap
from scratch_core.calculators.choosing import Choosing, choosing_of
from scratch_core.calculators.fight import adding, aside, by_hand, ground, screen
from scratch_core.calculators.fight.aside import Story
from scratch_core.calculators.fight.by_hand import Hand
from scratch_core.calculators.fight.ground import Ground
from scratch_core.calculators.fight.head import tints
from scratch_core.calculators.fight.naming import fight_name
from scratch_core.calculators.fight.screen import Screen
from scratch_core.calculators.fight.showing import Shown
from scratch_core.calculators.handed import Handed
from scratch_core.calculators.query import query_string
from scratch_core.catalogue import SWITCHES, Switch
from scratch_core.rounds import SYSTEMS
from scratch_core.state import Fighter

if TYPE_CHECKING:
    from scratch_core.calculators.chances import FightChances

QUERY_LIMIT = 1_100_000
"""The longest query read: it carries a whole fight, and what was undone of it."""

SETUP_SWITCHES: tuple[Switch, ...] = tuple(switch for switch in SWITCHES if switch.name != "seize_on_total")
"""The rulings that matter in a fight, each a control."""

ORDER_CONTROLS = ("system", "fighters", "first", "stalkers", "ambush", "seize_on_total")
"""The controls of the other turn orders' set-up; each set-up keeps what was typed into the others'."""

CONTROLS = (
    *("sheets", "initiative", *(switch.name for switch in SETUP_SWITCHES), "before"),
    *("log", "redo", aside.CONTROL, "faces", "note", "who", "picked"),
    *("check_actor", "check_ability", "check_difficulty", "check_requires"),
    *ORDER_CONTROLS,
    *(*ground.CONTROLS, "aim"),
    *adding.CONTROLS,
    *by_hand.CONTROLS,
    *screen.CONTROLS,
    "odds",
)
"""The names of all controls but `act`, in the order of the canonical query."""

TURN_ORDERS = (("", "Scratch"), *((each.name, each.title) for each in SYSTEMS.values()))
"""The turn orders to choose from."""


NOT_BEGUN = "not begun"

CHOOSINGS: tuple[Choosing, ...] = tuple(map(choosing_of, SETUP_SWITCHES))


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints.

    `phase` is `setup` (nobody fights yet), `dice` (an opened file's initiative is still to be thrown) or `fight`.
    `fighters` are those who would fight, in `setup`; `shown` is the fight. `is_refused`: `log` holds something that is
    no fight, and it stays as it was. `system` is the other turn order that was chosen, "" for Scratch's own. `ground`
    is the board of a fight that has not begun; `fresh` are the controls whose text the answer has changed.
    `yours` are the reader's kept characters, None while nobody has asked for them.

    For a game master: `hand` is its block, None where there is nothing for it; `eye` is where the reader looks and
    stays ("hand", "log", "carry", "screen", "odds", or "" for the head); `carried` is the fight packed for a link,
    where one was asked for; `left` is how many more steps it may have, None while that is no worry; `stories` those
    left by an act after an undo; `screen` is what
    the players see, None while it is off. `odds` are each side's chances, where they are asked for; `unfinished` says
    that there are more to come. `is_turned_back`: *Begin* was pressed, and something keeps the fight from beginning;
    `added` says who was brought in by the last press, and how many there are now.
    """

    phase: str
    is_refused: bool = False
    fighters: tuple[Fighter, ...] = ()
    shown: Shown | None = None
    undone: int = 0
    choosings: tuple[Choosing, ...] = CHOOSINGS
    abilities: tuple[str, ...] = NAMES
    system: str = ""
    systems: tuple[tuple[str, str], ...] = TURN_ORDERS
    ground: Ground | None = None
    fresh: frozenset[str] = frozenset()
    yours: tuple[Handed, ...] | None = None
    hand: Hand | None = None
    eye: str = ""
    carried: str = ""
    left: int | None = None
    stories: tuple[Story, ...] = ()
    screen: Screen | None = None
    odds: FightChances | None = None
    unfinished: bool = False
    is_turned_back: bool = False
    added: str = ""

    @property
    def asks_odds(self) -> bool:
        """Whether each side's chance is asked for, in a fight by the basic rules that goes on."""
        is_on = self.shown is not None and not self.system and not self.shown.is_over
        return is_on and bool(self.fields["odds"])

    @property
    def is_passing(self) -> bool:
        """Whether something is shown that the fight's query doesn't bring back: it would go if more were asked for."""
        is_wrong = any(problem.severity == "error" for problem in self.problems)
        is_aimed = any(self.fields[name] for name in ("who", "picked", "aim"))
        return is_wrong or is_aimed or self.eye not in ("", "odds")

    @property
    def cast(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """The cast to bring in, under headings."""
        return adding.choices()

    @property
    def ready(self) -> tuple[ReadyMap, ...]:
        """The maps that are ready to be stood on."""
        return READY

    @property
    def levels(self) -> tuple[str, ...]:
        """The abilities of somebody who is brought in by name."""
        return adding.LEVELS

    @property
    def tints(self) -> Mapping[str, int]:
        """The colour's number of each side of those who would fight."""
        return tints(each.side for each in self.fighters)

    @property
    def kept(self) -> tuple[str, ...]:
        """The controls of the other set-ups, whose content is kept out of sight."""
        return ORDER_CONTROLS[1:]

    @property
    def text(self) -> str:
        """The fight as a file."""
        return self.fields["log"]

    @property
    def kept_name(self) -> str:
        """What the fight is called among those kept: who fights, and how far it has come; "" while nobody does."""
        return fight_name(self.people, self.stage)

    @property
    def link(self) -> str:
        """What stands behind the question mark of the packed link: what the fight is called, and all of it."""
        return query_string({"title": self.kept_name}) + f"&{packing.NAME}={self.carried}"

    @property
    def people(self) -> tuple[tuple[str, str], ...]:
        """Everybody's name and side, in order."""
        fighters = tuple(row.fighter for row in self.shown.rows) if self.shown else self.fighters
        return tuple((each.name, each.side) for each in fighters)

    @property
    def stage(self) -> str:
        """How far the fight has come, in a few words."""
        if not self.shown:
            return NOT_BEGUN
        return "over" if self.shown.is_over else f"round {self.shown.round}"
