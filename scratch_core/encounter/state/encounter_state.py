"""The state of an encounter: who is there, in which order groups act, and what has been done in the turn now on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.board import Board, Space
from scratch_core.encounter.state.fighters import Fighter
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.fast_replace import replace_fields
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.actions import ACTION_SPECS

Phase = Literal["before", "running", "over"]


@dataclass(frozen=True, slots=True)
class Initiative:
    """One group's initiative: the sum with its parts, and the bare dice that broke a tie, in order.

    Rules: `turn.initiative-roll`, `turn.tie`.
    """

    group: str
    figure: Figure
    ties: tuple[int, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face thrown: the first, then those of ties."""
        return (self.figure.parts[0].value, *self.ties)

    @property
    def words(self) -> str:
        """The sum, and the dice that broke a tie: `15 (tie-break rolls 12, 3)`."""
        rolls = "tie-break rolls" if self.ties[1:] else "tie-break roll"
        ties = f" ({rolls} {', '.join(map(str, self.ties))})" if self.ties else ""
        return f"{self.figure.value}{ties}"

    def to_json(self) -> dict[str, object]:
        """The JSON form: the group, the parts of the sum, the dice of ties."""
        parts = [[part.label, part.value, part.rule] for part in self.figure.parts]
        return {"group": self.group, "parts": parts, "ties": list(self.ties)}


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What the character on turn has used up: its regular actions and its bonus action, by name.

    `opened` is the act with which the last one may go on, "" for none. On a board also its move, `before` or `after`
    its regular action; whom it holds and may still reposition; and who has tried to interrupt it. Moving is no action.
    Rules: `act.regular`, `act.bonus`, `act.fighting.double`, `grid.move.once`, `grid.hold.reposition`,
    `grid.interrupt.once`.
    """

    regular: tuple[str, ...] = ()
    bonus: str = ""
    opened: str = ""
    moved: Literal["", "before", "after"] = ""
    held: str = ""
    attempts: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been done yet."""
        return not self.regular and not self.bonus


NOTHING_DONE = TurnUsage()

EXPOSING_ACTIONS = tuple(card.do for card in ACTION_SPECS.values() if card.exposes)
"""The acts that may expose their actor."""


@dataclass(frozen=True, slots=True)
class PendingAction:
    """What waits: who has declared which act, with its targets, abilities, space or path.

    `walked` counts the spaces of a move's path that have been entered: it waits at the moment after so many. `tried`
    are those whose interrupting attack at this moment has failed. Rules: `grid.interrupt.what`,
    `grid.interrupt.trigger.move`, `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """

    who: str
    do: str
    targets: tuple[str, ...] = ()
    uses: tuple[str, ...] | None = None
    space: Space | None = None
    path: tuple[Space, ...] = ()
    walked: int = 0
    tried: tuple[str, ...] = ()

    @property
    def is_move(self) -> bool:
        """Whether it is a move that waits. Rule: `grid.interrupt.trigger.move`."""
        return ACTION_SPECS[self.do].exposes == "path"


@dataclass(frozen=True, slots=True)
class EncounterState:
    """A moment of an encounter, or before or after it.

    `fighters` keep the order of the file. `initiative` is in the order of turns; `place` is the index in it of the
    group on turn and `acted` who has begun a turn in this group turn. `active` is whose turn it is or, when
    `turn_over`, whose it was last ("" before the first turn). `lost_crafts` are bonuses that a hurried crafter failed
    to make: crafter, companion, ability. On a board, `exposure` is an act that waits for interrupts.
    Rules: `turn.encounter`, `turn.order`, `turn.member-turn`.
    """

    fighters: tuple[Fighter, ...]
    rulings: RulingSettings
    phase: Phase = "before"
    initiative: tuple[Initiative, ...] = ()
    round: int = 0
    place: int = 0
    acted: tuple[str, ...] = ()
    active: str = ""
    turn_over: bool = True
    ledger: TurnUsage = NOTHING_DONE
    lost_crafts: tuple[tuple[str, str, str], ...] = ()
    board: Board | None = None
    exposure: PendingAction | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """The groups as the initiative fell. Rule: `turn.order`."""
        return tuple(each.group for each in self.initiative)

    @property
    def required_board(self) -> Board:
        """The board, where there must be one."""
        assert self.board is not None
        return self.board

    @property
    def pending_action(self) -> PendingAction:
        """The act that waits for interrupts, where one must."""
        assert self.exposure is not None
        return self.exposure

    @property
    def winner(self) -> str:
        """The only side that has anyone neither down nor gone, "" while there are several or none."""
        sides = {each.side for each in self.fighters if not each.is_down and not each.is_away}
        return sides.pop() if len(sides) == 1 else ""

    def fighter(self, fighter_id: str) -> Fighter:
        """The fighter of that id. Raises `ScratchError` (`state.id`) where there is none."""
        for each in self.fighters:
            if each.id == fighter_id:
                return each
        ids = ", ".join(each.id for each in self.fighters)
        raise ScratchError(Problem("state.id", f"one of {ids}", format_input(fighter_id), "the fight"))

    def list_members(self, group: str) -> tuple[Fighter, ...]:
        """The members of a group, in the order of the file. Rule: `turn.group`."""
        return tuple(each for each in self.fighters if each.group == group)

    def group_name(self, group: str) -> str:
        """Return what a group is called: as its leader or only member where it is theirs, else by its own name."""
        members = self.list_members(group)
        owner = next((each for each in self.fighters if each.id == group), members[0] if len(members) == 1 else None)
        return owner.name if owner else group

    def list_groups(self) -> tuple[str, ...]:
        """Every group once, in the order of the file. Rule: `turn.group`."""
        return tuple(dict.fromkeys(each.group for each in self.fighters))

    def is_off_board(self, fighter: Fighter) -> bool:
        """Whether someone has left the board by its edge and is about to escape (ruling G21).

        Rule: `grid.escape.exit`.
        """
        return self.board is not None and fighter.at is not None and not self.board.contains(fighter.at)

    def with_fighter(self, other: Fighter) -> EncounterState:
        """The state with one fighter replaced."""
        return replace_fields(self, fighters=tuple(other if each.id == other.id else each for each in self.fighters))


def build_initial_state(
    fighters: tuple[Fighter, ...], rulings: RulingSettings, board: Board | None = None
) -> EncounterState:
    """The state before an encounter: everyone is there and no turn has begun. Rules: `turn.encounter`, `grid.scope`.

    On a board every fighter has a space, and its surroundings follow from it.
    """
    return EncounterState(tuple(each.with_position(board, each.at) for each in fighters), rulings, board=board)
