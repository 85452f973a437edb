"""The state of an encounter: its fighters, its turn order, and what the current turn has used up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.board import Board, Space
from scratch_core.encounter.state.fighters import Fighter
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.turn_systems import FightState


@dataclass(frozen=True, slots=True)
class Initiative:
    """The initiative of one group. Rules: `turn.initiative-roll`, `turn.tie`."""

    group: str
    """The id of the group."""
    figure: Figure
    """The total with its parts, the die roll first."""
    ties: tuple[int, ...] = ()
    """The die rolls that broke ties, in the order rolled; nothing is added to them."""

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face rolled: the first, then those of tie-breaks."""
        return (self.figure.parts[0].value, *self.ties)

    @property
    def formatted_total(self) -> str:
        """The total and its tie-break rolls in words: `15 (tie-break rolls 12, 3)`."""
        rolls = "tie-break rolls" if self.ties[1:] else "tie-break roll"
        ties = f" ({rolls} {', '.join(map(str, self.ties))})" if self.ties else ""
        return f"{self.figure.value}{ties}"

    def to_json(self) -> dict[str, object]:
        """Return the JSON form: the group, the parts of the total, the tie-break rolls."""
        parts = [[part.label, part.value, part.rule] for part in self.figure.parts]
        return {"group": self.group, "parts": parts, "ties": list(self.ties)}


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What a turn has used up: its actions and, on a board, its move, its hold and the interrupts against it.

    A move is not an action.
    Rules: `act.regular`, `act.bonus`, `act.fighting.double`, `grid.move.once`, `grid.hold.reposition`,
    `grid.interrupt.once`.
    """

    regular: tuple[str, ...] = ()
    """The names of the regular actions used, in order."""
    bonus: str = ""
    """The name of the bonus action used, or "" if it is still free."""
    opened: str = ""
    """The name of the action that may follow the last one at once, or "" if none may."""
    moved: Literal["", "before", "after"] = ""
    """Whether the move was made before or after the regular action, or "" if it is still free."""
    held: str = ""
    """The id of the fighter that the actor holds and may still reposition, or ""."""
    attempts: tuple[str, ...] = ()
    """The ids of the fighters that have tried to interrupt the actor in this turn."""

    @property
    def has_no_action_used(self) -> bool:
        """Whether neither a regular nor a bonus action has been used."""
        return not self.regular and not self.bonus


NOTHING_DONE = TurnUsage()

EXPOSING_ACTIONS = tuple(spec.do for spec in ACTION_SPECS.values() if spec.exposes)
"""The names of the actions that may expose their actor."""


@dataclass(frozen=True, slots=True)
class PendingAction:
    """A declared action that waits for interrupts.

    Rules: `grid.interrupt.what`, `grid.interrupt.trigger.move`, `grid.interrupt.trigger.evade`,
    `grid.interrupt.trigger.far-attack`.
    """

    who: str
    """The id of the actor."""
    do: str
    """The name of the action."""
    targets: tuple[str, ...] = ()
    """The ids of its targets."""
    uses: tuple[str, ...] | None = None
    """The abilities added; None for the best that the rules allow, () for none."""
    space: Space | None = None
    """The space that it is aimed at, or None."""
    path: tuple[Space, ...] = ()
    """The spaces that a move enters, in order."""
    walked: int = 0
    """How many spaces of the path have been entered. The move waits there."""
    tried: tuple[str, ...] = ()
    """The ids of the fighters whose interrupt failed at this moment."""

    @property
    def is_move(self) -> bool:
        """Whether the pending action is a move. Rule: `grid.interrupt.trigger.move`."""
        return ACTION_SPECS[self.do].exposes == "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterState(FightState[Fighter]):
    """The state of an encounter at one moment; also before it begins and after it ends.

    Rules: `turn.encounter`, `turn.order`, `turn.member-turn`.
    """

    rulings: RulingSettings
    """The rulings in force."""
    initiative: tuple[Initiative, ...] = ()
    """The groups' initiatives in turn order, or () before the encounter."""
    place: int = 0
    """The index in `initiative` of the group whose turn it is."""
    acted: tuple[str, ...] = ()
    """The ids of the members that have begun a turn in the current group turn."""
    active: str = ""
    """The id of the fighter whose turn it is or, if `turn_over`, was last; "" before the first turn."""
    turn_over: bool = True
    """Whether no turn is in progress."""
    ledger: TurnUsage = NOTHING_DONE
    """What the current turn has used up."""
    lost_crafts: tuple[tuple[str, str, str], ...] = ()
    """The bonuses that a hurried crafter failed to make: ids of crafter and companion, and the ability."""
    board: Board | None = None
    """The board, or None in a fight without one."""
    pending_action: PendingAction | None = None
    """The action that waits for interrupts, or None."""

    @property
    def turn_owner(self) -> str:
        """The id of the fighter whose turn it is, or "" between turns."""
        return "" if self.turn_over else self.active

    @property
    def initiative_fighter_or_group_ids(self) -> tuple[str, ...]:
        """The ids of the groups, in file order. Each rolls one die. Rule: `turn.group`."""
        return tuple(dict.fromkeys(each.group for each in self.fighters))

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The ids of the groups, in turn order. Rule: `turn.order`."""
        return tuple(each.group for each in self.initiative)

    @property
    def required_board(self) -> Board:
        """The board, where there must be one."""
        assert self.board is not None
        return self.board

    @property
    def has_pending_action(self) -> bool:
        """Whether an action waits for interrupts. Rule: `grid.interrupt.what`."""
        return self.pending_action is not None

    @property
    def required_pending_action(self) -> PendingAction:
        """The action that waits for interrupts, where there must be one."""
        assert self.pending_action is not None
        return self.pending_action

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of all fighters, in file order."""
        return tuple(dict.fromkeys(each.side for each in self.fighters))

    def list_members(self, group: str) -> tuple[Fighter, ...]:
        """Return the members of a group, in file order. Rule: `turn.group`."""
        return tuple(each for each in self.fighters if each.group == group)

    def list_ids_sharing_turn(self, order_id: str) -> tuple[str, ...]:
        """List the ids of a group's members. Rule: `turn.group`."""
        return tuple(each.id for each in self.list_members(order_id))

    def group_name(self, group: str) -> str:
        """Return the name of a group for readers.

        That is the name of the fighter with the group's id, or else of its only member, or else the group's id.
        """
        members = self.list_members(group)
        owner = next((each for each in self.fighters if each.id == group), members[0] if len(members) == 1 else None)
        return owner.name if owner else group

    def has_left_board_by_edge(self, fighter: Fighter) -> bool:
        """Return whether a fighter has left the board by its edge to escape (ruling G21).

        Rule: `grid.escape.exit`.
        """
        return self.board is not None and fighter.at is not None and fighter.at not in self.board


def build_initial_state(
    fighters: tuple[Fighter, ...], rulings: RulingSettings, board: Board | None = None
) -> EncounterState:
    """Build the state before an encounter, in which no turn has begun.

    On a board every fighter has a space, which decides its surroundings. Rules: `turn.encounter`, `grid.scope`.
    """
    placed = tuple(each.with_position_and_surroundings(board, each.at) for each in fighters)
    return EncounterState(fighters=placed, rulings=rulings, board=board)
