"""The view of a fight for the players, without anything that is hidden from them.

`build_player_view` is the only source of the players' screen and of its QR code. It redacts the fight before any text
is written: two fights that differ only in hidden characters, their actions or the other sides' numbers have equal
views. The sentences are those of the game master, written for other readers (`scratch_core.turn_systems.sentences`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.board import format_space
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.fight.basic_menu import list_possible_actor_ids
from scratch_core.calculators.fight.roster import (
    FighterRow,
    find_latest_results,
    format_only_side_left_sentence,
    format_victory_sentence,
)
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.fight.visibility import Visibility
from scratch_core.calculators.fight.visible_moment import build_visible_moment
from scratch_core.calculators.shared.share_links import deflate
from scratch_core.calculators.shared.sides import assign_side_colours
from scratch_core.encounter.actions.current_figures import FightRoll
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import END_TURN
from scratch_core.scenario import StepResult
from scratch_core.turn_systems import FighterStatus, HiddenCharacterError

_DELAYED = "delayed"
"""The condition of a character that loses its next turn."""

_MAX_COLUMNS, _MAX_WIDE_COLUMNS, _MAX_NARROW_NAME = 8, 6, 9
"""The maximum number of characters in a line of the screen: `_MAX_WIDE_COLUMNS` if a name has more than
`_MAX_NARROW_NAME` letters."""

_MAX_NEXT_NAMES = 2
"""The maximum number of characters named as next."""


@dataclass(frozen=True, slots=True)
class VisibleDie:
    """A d20 of the last roll, as the players may see it."""

    face: int | None
    """What was rolled, or None if the players don't know the numbers of the character who rolled."""
    is_success: bool
    """Whether the roll succeeded."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A fight as the players may know it."""

    round: int
    """The round of the turn that is shown."""
    step_count: int
    """The number of steps that the players know of."""
    turn_text: str
    """Whose turn it is, as a phrase. While a hidden character acts, the last turn that the players saw; "" once the
    fight is over."""
    end_text: str
    """How the fight has ended as far as the players can see, or "" while it goes on."""
    next_names: tuple[str, ...]
    """The names of the visible characters whose turns are next, at most two. () if the turn system has no fixed
    sequence, and once the fight is over."""
    dice: tuple[VisibleDie, ...]
    """The dice of what happened last, in the order in which they were rolled."""
    last_action: str
    """The first sentence about what happened last, or "" if nothing has."""
    last_outcome: str
    """The sentences after `last_action`, or ""."""
    end_figures: tuple[tuple[str, str], ...]
    """Words and values about the whole fight, three at its end. () until then."""
    rows: tuple[FighterRow, ...]
    """The visible characters, in the turn order."""
    board: Drawing | None
    """The map with the visible characters, or None without a map."""

    @property
    def headline(self) -> str:
        """The end of the fight, or whose turn it is."""
        return self.end_text or self.turn_text

    @property
    def column_count(self) -> int:
        """The number of characters in a line of the screen.

        All lines are nearly equal.
        """
        is_wide = any(len(row.fighter.name) > _MAX_NARROW_NAME for row in self.rows)
        line_count = -(-len(self.rows) // (_MAX_WIDE_COLUMNS if is_wide else _MAX_COLUMNS)) or 1
        return -(-len(self.rows) // line_count)

    @property
    def headline_row(self) -> FighterRow | None:
        """The row that the headline is about, or None.

        It is that of the character whose turn it is. At the end it is the first of those who are left.
        """
        return next((row for row in self.rows if (not row.status.is_out if self.end_text else row.is_active)), None)

    @property
    def last_narration(self) -> str:
        """What happened last, or "" if nothing has."""
        return f"{self.last_action} {self.last_outcome}".strip()

    @property
    def text_for_address(self) -> str:
        """Everything but the map, packed as text for a link.

        It is a JSON list of the round, the step count, the headline, the last narration and the characters. Each
        character is a list of its side's colour, its name, its side, its health and conditions, its space, and "on"
        (its turn), "out" (incapacitated or gone) or "".
        """
        characters = [
            [
                row.side_colour,
                row.fighter.name,
                row.side_label,
                ", ".join((_format_hit_points_and_health(row.status), *row.status_labels)),
                format_space(space) if (space := getattr(row.fighter, "at", None)) is not None else "",
                "on" if row.is_active else "out" if row.status.is_out else "",
            ]
            for row in self.rows
        ]
        moment = [self.round, self.step_count, self.headline, self.last_narration, characters]
        return deflate(json.dumps(moment, separators=(",", ":"), ensure_ascii=False))


def build_player_view(fight: Fight, visibility: Visibility, rows: Sequence[FighterRow]) -> PlayerView:
    """Build the view of a fight without what is hidden from the players.

    `rows` are all characters in the turn order.
    """
    return _Redaction(fight, visibility).build_view(rows)


@dataclass(frozen=True, slots=True)
class _VisibleTurn:
    """The turn that the players see."""

    actor: str
    """The id of the character whose turn it is, or "" for no one."""
    state: Any
    """The state that the turn is shown in."""
    end_state: Any = None
    """The state after the turn, if its actor ended it and a hidden character has come next. None for other turns."""


class _Redaction:
    """The builder of a player view, for one fight and what the players may see of it."""

    def __init__(self, fight: Fight, visibility: Visibility) -> None:
        self.fight, self.visibility, self.system = fight, visibility, fight.system
        self.moment = build_visible_moment(fight, visibility)
        self.fighters = visibility.list_visible_under_known_names(self.moment.state.fighters)
        self.reader = visibility.build_reader(self.fighters)
        self.names = self.reader.names
        statuses = {each.id: self.system.build_status(self.moment.state, each.id) for each in self.fighters}
        self.remaining_ids = frozenset(who for who, each in statuses.items() if not each.is_out)
        self.turn = _VisibleTurn("", self.moment.state)

    def build_view(self, rows: Sequence[FighterRow]) -> PlayerView:
        """Build the view.

        `rows` are all characters in the turn order.
        """
        self.turn = self.find_visible_turn(next((row.fighter.id for row in rows if row.is_active), ""))
        round_number = self.system.find_turn_round(self.turn.state, self.turn.actor)
        known = list(self.list_known_narrations_and_results())
        latest = find_latest_results((each, each[1].do) for each in reversed(known))
        action, outcome = split_first_sentence(" ".join(text for text, _ in latest), self.names.values())
        end_text = self.format_end(round_number)
        visible_rows = self.build_visible_rows([row.fighter.id for row in rows])
        return PlayerView(
            round=round_number,
            step_count=len(known),
            turn_text=self.format_whose_turn() if self.is_running and self.remaining_ids else "",
            end_text=end_text,
            next_names=() if end_text else tuple(self.list_next_names(visible_rows))[:_MAX_NEXT_NAMES],
            dice=tuple(self.build_die(roll) for _, record in latest for roll in self.list_visible_rolls(record)),
            last_action=action,
            last_outcome=outcome,
            end_figures=self.list_end_figures(round_number, [record for _, record in known]) if end_text else (),
            rows=visible_rows,
            board=self.draw_board(),
        )

    @property
    def is_running(self) -> bool:
        """Whether the fight has begun and is not over."""
        return bool(self.moment.state.phase == "running")

    # Visible characters

    def build_visible_rows(self, order: Sequence[str]) -> tuple[FighterRow, ...]:
        """Build the rows of the visible characters, in the given order of ids."""
        colours, known = (
            assign_side_colours(each.side for each in self.fighters),
            {each.id: each for each in self.fighters},
        )
        return tuple(
            FighterRow(
                known[who],
                self.visibility.redact_status(self.build_status_in_shown_turn(who), known[who].side),
                colours[known[who].side],
                who == self.turn.actor and self.is_running and bool(self.remaining_ids),
            )
            for who in order
            if who in known
        )

    def build_status_in_shown_turn(self, fighter_id: str) -> FighterStatus:
        """Build the status of a character in the turn that is shown.

        While the shown turn's end waits for a hidden character's turn, this is the status before that end. Returns the
        present status if it has changed since then in a way that players notice.
        """
        now = self.system.build_status(self.moment.state, fighter_id)
        if (
            self.turn.end_state is None
            or not self.is_running
            or not any(each.id == fighter_id for each in self.turn.state.fighters)
        ):
            return now
        is_same = _list_noticeable_values(
            self.system.build_status(self.turn.end_state, fighter_id)
        ) == _list_noticeable_values(now)
        return self.system.build_status(self.turn.state, fighter_id) if is_same else now

    def draw_board(self) -> Drawing | None:
        """Draw the map with the visible characters. Returns None without a map."""
        state = self.moment.state
        if getattr(state, "board", None) is None:
            return None
        pending = (
            state.pending_action
            if state.pending_action and not self.visibility.is_hidden(state.pending_action.who)
            else None
        )
        return draw_board(replace_fields(state, fighters=self.fighters, pending_action=pending))

    # The visible turn

    def find_visible_turn(self, page_actor: str) -> _VisibleTurn:
        """Find the turn that the players see.

        It is the turn of `page_actor`, the active character on the page, if that character is visible and the moment is
        the fight's own state. Otherwise it is the turn in the last state where a visible character was active or next.
        Before the first such turn it belongs to the first visible character who is able to act. If no visible character
        is able to act, and after the end of the fight, it is the last turn that a visible character began.
        """
        state, earlier = self.moment.state, self.moment.earlier
        if page_actor in self.names and state is self.fight.state and self.is_running:
            return _VisibleTurn(page_actor, state)
        is_on = bool(self.remaining_ids) and self.is_running
        for step, each in reversed(list(enumerate((*earlier, state)))):
            who = self.find_current_or_next_actor(each) if is_on else each.turn_owner
            if who in self.names:
                end_state = self.find_state_if_turn_ended(step) if is_on and step < len(earlier) else None
                return _VisibleTurn(who, each, end_state)
        opening_state = self.fight.playthrough_with_beginning.opening_state
        order = (who for each in opening_state.turn_order for who in opening_state.list_ids_sharing_turn(each))
        return _VisibleTurn(next((who for who in order if who in self.remaining_ids), ""), opening_state)

    def find_current_or_next_actor(self, state: Any) -> str:
        """Find the visible character who is active or comes next in a state.

        Returns "" if there is none.
        """
        if state.phase != "running":
            return ""
        first = self.system.find_current_or_next_actor(state)
        if self.system.roll_keys:
            group = state.fighter(first).group if first else ""
            candidates = [each for each in list_possible_actor_ids(state) if state.fighter(each).group == group]
        else:
            candidates = [
                getattr(state, "possible_counterattacker", ""),
                first,
                *(() if state.active else getattr(state, "ids_entitled_to_next_turn", ())),
            ]
        return next((each for each in candidates if each in self.names), "")

    def find_state_if_turn_ended(self, step_index: int) -> Any:
        """Find the state after a step that ended a visible character's turn.

        Returns None for any other step. The step may first have passed over delayed characters, one of whose turns was
        shown.
        """
        record = self.fight.results[step_index]
        return record.state if record.is_legal and record.do == END_TURN.do and record.actor in self.names else None

    def format_whose_turn(self) -> str:
        """Say whose turn it is, as a phrase: `Gorm's turn`.

        Returns "" if no visible character has a turn.
        """
        turn = self.turn
        if not turn.actor:
            return ""
        name = self.names[turn.actor]
        if turn.actor == getattr(turn.state, "possible_counterattacker", ""):
            return f"{name} answers first"
        openers = (
            []
            if turn.state.active
            else [each for each in getattr(turn.state, "ids_entitled_to_next_turn", ()) if each in self.names]
        )
        if openers[1:]:
            names = [self.names[each] for each in openers]
            others = [names[1]] if len(names) == 2 else [f"one of {len(names) - 1} others"]
            return f"{' or '.join([names[0], *others])} opens the fight"
        return f"{name}'s turn"

    def list_next_names(self, rows: Sequence[FighterRow]) -> Iterator[str]:
        """Yield the names of those who have the next turns, in order.

        `rows` are those of the visible characters. Members of the active group who have not had their turn are first.
        Yields nothing if the turn system has no fixed sequence. Rules: `turn.order`, `turn.member-order`.
        """
        place = next((n for n, row in enumerate(rows) if row.is_active), None)
        if place is None or not self.system.roll_keys:
            return
        group, acted = rows[place].fighter.group, frozenset(self.turn.state.acted)
        following = [row for row in (*rows[place + 1 :], *rows[:place]) if not self.is_turn_lost(row)]
        members = [row for row in following if row.fighter.group == group and row.fighter.id not in acted]
        others = [row for row in following if row.fighter.group != group]
        yield from (row.fighter.name for row in (*members, *others))

    def is_turn_lost(self, row: FighterRow) -> bool:
        """Return whether a character has no next turn, as far as its row shows."""
        return row.status.is_out or _DELAYED in row.status_labels

    # The end

    def list_end_figures(self, round_number: int, records: Sequence[StepResult]) -> tuple[tuple[str, str], ...]:
        """List three figures about the whole fight.

        `records` are the results that the players know of. Without a visible roll, they count characters.
        """
        rounds = ("round" if round_number == 1 else "rounds", str(round_number))
        rolls = [roll for record in records for roll in self.list_visible_rolls(record)]
        if not rolls:
            remaining, lost = len(self.remaining_ids), len(self.fighters) - len(self.remaining_ids)
            return rounds, ("able to act", str(remaining)), ("unable to act", str(lost))
        count = sum(roll.check.is_success for roll in rolls)
        successes = ("roll succeeded" if len(rolls) == 1 else "rolls succeeded", f"{count} of {len(rolls)}")
        own = [roll for roll in rolls if self.reader.may_read_numbers_of(roll.who)]
        if not own:
            return rounds, successes, ("able to act", str(len(self.remaining_ids)))
        best = max(own, key=lambda roll: roll.check.total)
        return rounds, successes, (f"best roll: {self.names[best.who]}", str(best.check.total))

    def format_end(self, round_number: int) -> str:
        """Say who has won, or who is left, as far as the players can see.

        `round_number` is the round. Returns "" while two visible sides go on.
        """
        sides = dict.fromkeys(each.side for each in self.fighters)
        remaining_sides = list(dict.fromkeys(each.side for each in self.fighters if each.id in self.remaining_ids))
        members = [
            (each.id, self.names[each.id])
            for each in self.fighters
            if remaining_sides and each.side == remaining_sides[0]
        ]
        is_over = self.moment.state.phase == "over"
        if len(sides) > 1 and len(remaining_sides) == 1:
            return (
                format_victory_sentence(remaining_sides[0], members, round_number)
                if is_over
                else f"{format_only_side_left_sentence(remaining_sides[0], members)} in sight"
            )
        if is_over:
            return "The fight is over"
        return "" if self.remaining_ids or not self.fighters else "No one is left in sight"

    # Rolls

    def list_visible_rolls(self, record: StepResult) -> Iterator[FightRoll]:
        """Yield the rolls of a step that the players know of.

        A roll against a hidden character is left out.
        """
        for roll in record.rolls:
            if (
                isinstance(roll, FightRoll)
                and roll.who in self.names
                and (not roll.target or roll.target in self.names)
            ):
                yield roll

    def build_die(self, roll: FightRoll) -> VisibleDie:
        """Build the die of a roll."""
        is_known = self.reader.may_read_numbers_of(roll.who)
        return VisibleDie(roll.check.figure.parts[0].value if is_known else None, roll.check.is_success)

    # Narrations

    def list_known_narrations_and_results(self) -> Iterator[tuple[str, StepResult]]:
        """Yield the narration and result of each step that the players know of.

        The end of a turn that is still shown is left out.
        """
        narrations = [
            (narration, record) for record in self.moment.results if (narration := self.format_step_result(record))
        ]
        if self.turn.end_state is not None:
            last = max(place for place, (_, record) in enumerate(narrations) if record.do == END_TURN.do)
            del narrations[last]
        return iter(narrations)

    def format_step_result(self, record: StepResult) -> str:
        """Describe a step by what the players may know of it.

        Returns "" if they may know nothing, as of every action of a hidden character.
        """
        if record.actor and record.actor not in self.names:
            return ""
        try:
            return record.sentences.write(self.reader).strip()
        except HiddenCharacterError:
            title = f"{record.title[:1].lower()}{record.title[1:]}"
            return f"{self.names[record.actor]} acts: {title}." if record.actor else ""


def _list_noticeable_values(status: FighterStatus) -> tuple[object, ...]:
    """List the values of a status whose changes the players may notice."""
    return status.hp, status.condition, status.is_out, status.labels_with_rules, status.numbers


def split_first_sentence(text: str, names: Iterable[str]) -> tuple[str, str]:
    """Split a text after its first sentence.

    A full stop within one of the names ends no sentence.
    """
    masked = text
    for name in sorted(names, key=len, reverse=True):
        masked = masked.replace(name, "_" * len(name))
    end = re.search(r"[.!?] ", masked)
    return (text[: end.start() + 1], text[end.end() :]) if end else (text, "")


def _format_hit_points_and_health(status: FighterStatus) -> str:
    """Format hit points and condition: `2 of 3, healthy`.

    Returns the condition alone if there are no hit points, or the players may not know them.
    """
    of = " HP" if status.max_hp is None else f" of {status.max_hp}"
    return status.condition if status.hp is None else f"{status.hp}{of}, {status.condition}"
