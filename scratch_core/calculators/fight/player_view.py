"""The view of a fight for the players, without anything that is hidden from them.

`build_player_view` is the only source of the players' screen and of its QR code. It redacts the fight before any text
is written: two fights that differ only in hidden characters, their actions or the other sides' numbers have equal
views.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.board import format_space
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.fight.basic_menu import list_possible_actors
from scratch_core.calculators.fight.roster import FighterRow, format_only_left, format_win, join_latest_narrations
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.shared.form import assign_side_colours
from scratch_core.calculators.shared.share_links import deflate
from scratch_core.calculators.shared.sides import is_own_side
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import FightRoll, describe_failure
from scratch_core.encounter.state import Damaged
from scratch_core.errors import ScratchError, join_words
from scratch_core.figures import format_hit_points
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import (
    ACTION_SPECS,
    BASIC_ATTACK,
    BLAST,
    CHECK,
    CRAFT,
    DOUBLE_ATTACK,
    END_TURN,
    ENGAGE,
    ESCAPE,
    EVADE,
    KNOCKOUT,
    LEAVE_COVER,
    MOVE,
    NOTHING,
    REPOSITION,
    SECOND_BLOW,
    SHOOT,
    SMALL_ACT,
    TAKE_COVER,
    THROW,
)
from scratch_core.scenario import NoDice, StepResult
from scratch_core.turn_systems import JOIN, LEAVE, RETURN, FighterStatus

INCAPACITATED = "incapacitated"
"""The condition of a character at 0 hit points, as a turn system names it."""

_MAX_COPY_NUMBER = 40
"""The highest number that marks a copy of a stat block. A higher one is part of the name: Agent 47."""

_NUMBERED_NAME = re.compile(r"(.*\S) ([1-9][0-9]{0,3})")
"""A name that ends in a number, as copies of a stat block have it: the base name and the number."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What the players may see."""

    players_sides: frozenset[str] = frozenset()
    """The sides whose hit points and totals the players know."""
    hidden_ids: frozenset[str] = frozenset()
    """The ids of the characters that are hidden from the players."""


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
    last_narration: str
    """What happened last, or "" if nothing has."""
    rows: tuple[FighterRow, ...]
    """The visible characters, in the turn order."""
    board: Drawing | None
    """The map with the visible characters, or None without a map."""

    @property
    def headline(self) -> str:
        """The end of the fight, or whose turn it is."""
        return self.end_text or self.turn_text

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
                ", ".join((_format_health(row.status), *row.status_labels)),
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
class _VisibleMoment:
    """A moment of the fight as the players may know it."""

    state: Any
    """The state at this moment."""
    earlier: Sequence[Any]
    """The states before it, the oldest first."""
    results: Sequence[StepResult]
    """The results of the legal steps that led to it."""


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
        self.moment = self.build_visible_moment()
        self.fighters = self.list_visible_fighters(self.moment.state)
        self.names = {each.id: str(each.name) for each in self.fighters}
        statuses = {each.id: self.system.build_status(self.moment.state, each.id) for each in self.fighters}
        self.remaining_ids = frozenset(who for who, each in statuses.items() if not each.is_out)
        self.turn = _VisibleTurn("", self.moment.state)

    def is_hidden(self, who: str) -> bool:
        """Return whether a character is hidden from the players."""
        return who in self.visibility.hidden_ids

    def build_view(self, rows: Sequence[FighterRow]) -> PlayerView:
        """Build the view.

        `rows` are all characters in the turn order.
        """
        self.turn = self.build_visible_turn(next((row.fighter.id for row in rows if row.is_active), ""))
        round_number = self.system.find_turn_round(self.turn.state, self.turn.actor)
        narrations = list(self.list_known_narrations())
        return PlayerView(
            round=round_number,
            step_count=len(narrations),
            turn_text=self.format_turn() if self.is_running and self.remaining_ids else "",
            end_text=self.format_end(round_number),
            last_narration=join_latest_narrations(reversed(narrations)),
            rows=self.list_rows([row.fighter.id for row in rows]),
            board=self.draw_board(),
        )

    @property
    def is_running(self) -> bool:
        """Whether the fight has begun and is not over."""
        return bool(self.moment.state.phase == "running")

    # Visible characters

    def list_visible_fighters(self, state: Any) -> tuple[Any, ...]:
        """List the visible characters, in the order of the file.

        They have the names that the players know, see `number_names`.
        """
        visible = [each for each in state.fighters if not self.is_hidden(each.id)]
        names = number_names([(each.id, str(each.name)) for each in visible])
        return tuple(_rename_fighter(each, names[each.id]) for each in visible)

    def list_rows(self, order: Sequence[str]) -> tuple[FighterRow, ...]:
        """Build the rows of the visible characters, in the given order of ids."""
        colours, known = (
            assign_side_colours(each.side for each in self.fighters),
            {each.id: each for each in self.fighters},
        )
        return tuple(
            FighterRow(
                known[who],
                self.redact_status(known[who]),
                colours[known[who].side],
                who == self.turn.actor and self.is_running and bool(self.remaining_ids),
            )
            for who in order
            if who in known
        )

    def redact_status(self, fighter: Any) -> FighterStatus:
        """Return a character's status without what the players may not know.

        The condition `incapacitated` becomes `down`. A character of another side has no hit points, and no effect or
        number whose label contains a digit.
        """
        status = self.build_shown_status(fighter.id)
        status = replace(status, condition="down" if status.condition == INCAPACITATED else status.condition)
        if fighter.side in self.visibility.players_sides:
            return status
        effects = tuple(each for each in status.effects if not re.search(r"[0-9]", each.short_label.split(":")[0]))
        numbers = tuple(each for each in status.numbers if not re.search(r"[0-9]", f"{each.word} {each.value}"))
        return replace(status, hp=None, max_hp=None, effects=effects, numbers=numbers)

    def build_shown_status(self, who: str) -> FighterStatus:
        """Build the status of a character in the turn that is shown.

        While the shown turn's end waits for a hidden character's turn, this is the status before that end. Returns the
        present status if it has changed since then in a way that players notice.
        """
        now = self.system.build_status(self.moment.state, who)
        if (
            self.turn.end_state is None
            or not self.is_running
            or not any(each.id == who for each in self.turn.state.fighters)
        ):
            return now
        is_same = _list_noticeable_values(
            self.system.build_status(self.turn.end_state, who)
        ) == _list_noticeable_values(now)
        return self.system.build_status(self.turn.state, who) if is_same else now

    def draw_board(self) -> Drawing | None:
        """Draw the map with the visible characters. Returns None without a map."""
        state = self.moment.state
        if getattr(state, "board", None) is None:
            return None
        exposure = state.exposure if state.exposure and not self.is_hidden(state.exposure.who) else None
        return draw_board(replace_fields(state, fighters=self.fighters, exposure=exposure))

    # Pending actions

    def build_visible_moment(self) -> _VisibleMoment:
        """Build the present moment as if no hidden character were on the map.

        A pending action that waits only for hidden characters is shown as resolved. If its dice are still to be rolled,
        it is shown as not declared.
        """
        fight, state, legal = self.fight, self.fight.state, [each for each in self.fight.results if each.is_legal]
        exposure, exposed = getattr(state, "exposure", None), fight.playthrough.last_exposing_result
        if exposure is None or exposed is None or self.is_hidden(exposure.who):
            return _VisibleMoment(state, fight.states[:-1], _merge_resolved(legal))
        earlier, records = fight.states[: exposed.n], [each for each in legal if each.n < exposed.n]
        before = _VisibleMoment(earlier[-1], earlier[:-1], _merge_resolved(records))
        if before.state.phase != "running":
            before = replace(before, state=fight.playthrough.opening_state)
        try:
            return self.replay_without_hidden(before, exposed)
        except ScratchError:  # the dice are not rolled yet
            return before

    def replay_without_hidden(self, before: _VisibleMoment, exposed: StepResult) -> _VisibleMoment:
        """Replay a pending action and the visible answers to it without hidden characters.

        `before` is the moment before the action, and `exposed` is its result. Returns `before` if the action is illegal
        without the hidden characters. Raises `ScratchError` (`fight.dice`) if faces are missing.
        """
        interrupts = self.system.interrupts
        assert interrupts is not None
        off_map = (replace_fields(each, at=None) if self.is_hidden(each.id) else each for each in before.state.fighters)
        redacted_state = replace_fields(before.state, fighters=tuple(off_map))
        dice = NoDice() if exposed.step.faces is None else exposed.step.faces
        decision = interrupts.decide_or_wait(redacted_state, exposed.action, dice, None)
        if decision.problems:
            return before
        state = self.system.apply_events(redacted_state, decision.events)
        record = replace(exposed, events=decision.events, rolls=decision.rolls, state=state)
        records = [record]
        for answer in self.fight.playthrough.original_results[exposed.n :]:
            if state.exposure is None or not answer.is_legal or self.is_hidden(answer.actor):
                continue
            answered_exposure = self.fight.states[answer.n - 1].exposure
            if answer.do == interrupts.resolving_action and answered_exposure.walked != state.exposure.walked:
                continue  # only hidden characters could answer
            faces = dice if answer.do == interrupts.resolving_action else (answer.step.faces or ())
            decision = self.system.decide(state, answer.action, faces)
            if not decision.problems:
                state = self.system.apply_events(state, decision.events)
                records.append(replace(answer, events=decision.events, rolls=decision.rolls, state=state))
        return _VisibleMoment(state, (*before.earlier, before.state), _merge_resolved([*before.results, *records]))

    # The visible turn

    def build_visible_turn(self, chosen: str) -> _VisibleTurn:
        """Find the turn that the players see.

        It is the turn of `chosen`, the active character on the page, if that character is visible and the moment is the
        fight's own state. Otherwise it is the turn in the last state where a visible character was active or next.
        Before the first such turn it belongs to the first visible character who is able to act. If no visible character
        is able to act, and after the end of the fight, it is the last turn that a visible character began.
        """
        state, earlier = self.moment.state, self.moment.earlier
        if chosen in self.names and state is self.fight.state and self.is_running:
            return _VisibleTurn(chosen, state)
        is_on = bool(self.remaining_ids) and self.is_running
        for step, each in reversed(list(enumerate((*earlier, state)))):
            who = self.find_current_or_next_actor(each) if is_on else each.turn_owner
            if who in self.names:
                end_state = self.find_turn_end_state(step) if is_on and step < len(earlier) else None
                return _VisibleTurn(who, each, end_state)
        opening_state = self.fight.started_playthrough.opening_state
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
            candidates = [each for each in list_possible_actors(state) if state.fighter(each).group == group]
        else:
            candidates = [
                getattr(state, "possible_counterattacker", ""),
                first,
                *(() if state.active else getattr(state, "next_candidates", ())),
            ]
        return next((each for each in candidates if each in self.names), "")

    def find_turn_end_state(self, step: int) -> Any:
        """Find the state after a step that ended a visible character's turn.

        Returns None for any other step. The step may first have passed over delayed characters, one of whose turns was
        shown.
        """
        record = self.fight.results[step]
        return record.state if record.is_legal and record.do == END_TURN.do and record.actor in self.names else None

    def format_turn(self) -> str:
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
            else [each for each in getattr(turn.state, "next_candidates", ()) if each in self.names]
        )
        if openers[1:]:
            names = [self.names[each] for each in openers]
            others = [names[1]] if len(names) == 2 else [f"one of {len(names) - 1} others"]
            return f"{' or '.join([names[0], *others])} opens the fight"
        return f"{name}'s turn"

    # The end

    def format_end(self, number: int) -> str:
        """Say who has won, or who is left, as far as the players can see.

        `number` is the round. Returns "" while two visible sides go on.
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
                format_win(remaining_sides[0], members, number)
                if is_over
                else f"{format_only_left(remaining_sides[0], members)} in sight"
            )
        if is_over:
            return "The fight is over"
        return "" if self.remaining_ids or not self.fighters else "No one is left in sight"

    # Narrations

    def list_known_narrations(self) -> Iterator[tuple[str, str]]:
        """Yield the narration and action name of each step that the players know of.

        The end of a turn that is still shown is left out.
        """
        narrations = [
            (narration, record) for record in self.moment.results if (narration := self.format_step_result(record))
        ]
        if self.turn.end_state is not None:
            last = max(place for place, (_, record) in enumerate(narrations) if record.do == END_TURN.do)
            del narrations[last]
        return ((narration, record.do) for narration, record in narrations)

    def format_step_result(self, record: StepResult) -> str:
        """Describe a step by what the players may know of it.

        Returns "" if they may know nothing.
        """
        if record.is_gm_action:
            return self.format_gm_action(record)
        actor = next((each for each in self.fighters if each.id == record.actor), None)
        named = dict.fromkeys(each for each in record.action.participants if each != record.actor)
        targets = [self.names[each] for each in named if each in self.names]
        if record.do in _LOSS_PHRASES and (actor or not record.actor):
            lost = record.action.points
            points = format_hit_points(lost) if record.do == "lose-hp" else lost
            return f"{targets[0]} {_LOSS_PHRASES[record.do].format(points)}." if targets else ""
        if actor is None:
            return "" if record.actor or (named and not targets) else f"{record.title}."
        is_own = actor.side in self.visibility.players_sides
        if record.do == CHECK.do and not is_own:
            return ""
        hits = [
            _VisibleRoll(self.names.get(roll.target, ""), roll, damage, is_own)
            for roll, damage in _list_roll_damages(record)
            if not self.is_hidden(roll.target)
        ]
        return f"{self.names[actor.id]}{_format_action(record, targets, hits)}."

    def format_gm_action(self, record: StepResult) -> str:
        """Describe a GM action by which a visible character joins, leaves or returns.

        Returns "" for any other GM action.
        """
        words = {JOIN: "joins the fight", LEAVE: "is removed from the fight", RETURN: "is back in the fight"}
        gm_action = record.action
        who = getattr(gm_action.newcomer, "id", "") if record.do == JOIN else gm_action.target
        return f"{self.names[who]} {words[record.do]}." if record.do in words and who in self.names else ""


def number_names(people: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the names by which the players know the visible characters, by id.

    `people` are the ids and names of the visible characters, and the result depends on nothing else. Copies of a stat
    block are numbered from 1, or from 2 if another character has the bare name. A single copy has no number.
    """
    names = dict(people)
    copies: dict[str, list[tuple[int, str, str]]] = {}
    for own, name in people:
        match = _NUMBERED_NAME.fullmatch(name)
        if match and int(match[2]) <= _MAX_COPY_NUMBER:
            copies.setdefault(match[1].casefold(), []).append((int(match[2]), own, match[1]))
    bare = {name.casefold() for _, name in people}
    for key, same_copies in copies.items():
        ranked = sorted(same_copies, key=lambda each: each[0])
        first = 2 if key in bare and ranked[0][0] > 1 else 1
        is_alone = len(ranked) == 1 and key not in bare
        names |= {own: base if is_alone else f"{base} {n}" for n, (_, own, base) in enumerate(ranked, first)}
    return names


def _list_noticeable_values(status: FighterStatus) -> tuple[object, ...]:
    """List the values of a status whose changes the players may notice."""
    return status.hp, status.condition, status.is_out, status.labels_with_rules, status.numbers


def _rename_fighter(fighter: Any, name: str) -> Any:
    """Rename a character, together with a side of its own."""
    side = name if is_own_side(fighter.side, fighter.id, fighter.name) else fighter.side
    return replace(fighter, name=name, side=side)


def _merge_resolved(records: Sequence[StepResult]) -> list[StepResult]:
    """Merge each pending action and its resolution into one result.

    The merged result is at the place of the resolution. A step that declines all interrupts has no result of its own.
    Rule: `grid.interrupt.what`.
    """
    merged: list[StepResult] = []
    for record in records:
        interrupts = record.system.interrupts
        last_resolution = record.resolution
        is_resolving = interrupts is not None and record.do == interrupts.resolving_action
        # the next action may decline all interrupts by itself
        resolution = record if is_resolving else last_resolution
        exposing_index = None
        if resolution is not None and not resolution.problems and interrupts is not None:
            exposing_index = next(
                (n for n in reversed(range(len(merged))) if merged[n].do in interrupts.exposing_actions), None
            )
        if resolution is not None and exposing_index is not None:
            exposed = merged.pop(exposing_index)
            merged.append(replace(exposed, rolls=resolution.rolls, events=(*exposed.events, *resolution.events)))
        if not is_resolving:
            own_event_count = len(record.events) - (len(last_resolution.events) if last_resolution else 0)
            merged.append(replace(record, events=record.events[:own_event_count]))
    return merged


def _list_roll_damages(record: StepResult) -> Iterator[tuple[FightRoll, int]]:
    """Yield the rolls of a step, each with the damage that it dealt.

    The damage is 0 for a miss. It says nothing about the hit points that the target has left.
    """
    damages = [each for each in record.events if isinstance(each, Damaged)]
    for roll in record.rolls:
        if isinstance(roll, FightRoll):
            damaged = next((each for each in damages if roll.check.is_success and each.who == roll.target), None)
            if damaged:
                damages.remove(damaged)
            yield roll, damaged.damage if damaged else 0


@dataclass(frozen=True, slots=True)
class _VisibleRoll:
    """A roll that the players see."""

    target: str
    """The name of the target."""
    roll: FightRoll
    """The roll with its sum."""
    damage: int
    """The damage that the roll dealt, 0 for a miss."""
    is_own: bool
    """Whether a character of the players rolled, so that they know the total."""

    @property
    def is_success(self) -> bool:
        """Whether the roll reached its difficulty."""
        return self.roll.check.is_success

    @property
    def roll_text(self) -> str:
        """The die roll and the total of the players' own rolls, or "" for others."""
        if not self.is_own:
            return ""
        die, total = self.roll.check.figure.parts[0].value, self.roll.check.total
        return f" ({'natural' if die in (1, SIDES) else 'rolled'} {die}, total {total})"


_WEAPON_PHRASES = {
    BASIC_ATTACK.do: "a basic attack",
    DOUBLE_ATTACK.do: "a basic attack",
    SECOND_BLOW.do: "a second attack",
    THROW.do: "a thrown object",
    SHOOT.do: "a shot",
    BLAST.do: "a blast",
    KNOCKOUT.do: "a knockout attempt",
}
"""What a character attacks with, by action name."""

_ACTION_PHRASES = {
    EVADE.do: "evades",
    ESCAPE.do: "escapes",
    ENGAGE.do: "engages",
    TAKE_COVER.do: "takes cover",
    LEAVE_COVER.do: "leaves cover",
    SMALL_ACT.do: "uses a bonus action",
    NOTHING.do: "does nothing",
    END_TURN.do: "ends their turn",
    MOVE.do: "moves",
    REPOSITION.do: "repositions",
    CRAFT.do: "crafts a bonus for",
}
"""The verb of each action without a roll that players see, by action name."""

_ATTACK_PHRASES = {"active": "acts", "combo": "makes a combo", "counter": "counterattacks"}
"""The verb of each action of the other turn systems that attacks its target, by action name."""

_VARIANT_ACTION_PHRASES = {
    "prepare-counter": "prepares a counterattack",
    "skip": "skips a turn",
    "delay-turn": "delays their turn to act next to",
    "let-pass": "lets the attack pass",
    "start-evading": "starts evading",
    "start-ready": "starts ready to counterattack",
    "start-turn": "begins their turn",
    "ready": "readies hit points",
    "spend": "spends ready hit points",
    "turn": "takes the turn",
    "extra-action": "takes an extra action",
    "choose": "chooses who goes next:",
    "seize": "seizes the initiative",
    "decline": "doesn't seize the initiative",
}
"""The verbs of the other actions of those turn systems, by action name. The targets' names follow."""

_LOSS_PHRASES = {"stun": "takes {} stun", "damage": "takes {} damage", "lose-hp": "loses {}"}
"""The verb of each loss that is entered as a table event, by its name."""


def _format_action(record: StepResult, targets: Sequence[str], hits: Sequence[_VisibleRoll]) -> str:
    """Format what follows a character's name: ` hits Ann with a basic attack: 1 damage`."""
    do = record.do
    if do in _WEAPON_PHRASES:
        return f" {_format_attack(_WEAPON_PHRASES[do], targets, hits, is_double=do == DOUBLE_ATTACK.do)}"
    title, target_words = f"{record.title[:1].lower()}{record.title[1:]}", f" {join_words(targets)}" if targets else ""
    if do == CHECK.do and hits:
        return f" makes a roll: {'success' if hits[0].is_success else 'failure'}{hits[0].roll_text}"
    if do in ACTION_SPECS and ACTION_SPECS[do].verb and targets:
        if not hits:
            return f" is about to act: {title},{target_words}"
        hit = hits[0]
        verb = ACTION_SPECS[do].verb if hit.is_success else describe_failure(ACTION_SPECS[do].verb)
        return f" {verb}{target_words}{f': {hit.damage} damage' if hit.damage else ''}{hit.roll_text}"
    if do in _ACTION_PHRASES and not hits:
        return f" {_ACTION_PHRASES[do]}{target_words}"
    if do in _ATTACK_PHRASES:
        moved = "moves and " if record.action.move else ""
        acted = (
            f"attacks{target_words}"
            if target_words and do == "active"
            else f"{_ATTACK_PHRASES[do]}{f' against{target_words}' if target_words else ''}"
        )
        return f" {moved}{acted}"
    if do in _VARIANT_ACTION_PHRASES:
        return f" {_VARIANT_ACTION_PHRASES[do]}{target_words}"
    return f": {title}{f',{target_words}' if target_words else ''}"


def _format_attack(weapon: str, targets: Sequence[str], hits: Sequence[_VisibleRoll], *, is_double: bool) -> str:
    """Format an attack without its actor: `hits Ann with a basic attack: 1 damage`."""
    if not hits:
        act = "makes" if weapon.endswith("attack") else "attacks with"
        return f"is about to attack {join_words(targets)} with {weapon}" if targets else f"{act} {weapon}"
    if len(hits) == 1:
        (hit,) = hits
        damage = f": {hit.damage} damage" if hit.is_success else ""
        return f"{'hits' if hit.is_success else 'misses'} {hit.target} with {weapon}{damage}{hit.roll_text}"
    words = (
        f"hits {hit.target}, {hit.damage} damage{hit.roll_text}"
        if hit.is_success
        else f"misses {hit.target}{hit.roll_text}"
        for hit in hits
    )
    act = "makes two basic attacks" if is_double else f"attacks with {weapon}"
    return f"{act}: {'; '.join(words)}"


def _format_health(status: FighterStatus) -> str:
    """Format hit points and condition: `2 of 3 healthy`.

    Returns the condition alone if there are no hit points, or the players may not know them.
    """
    of = " HP" if status.max_hp is None else f" of {status.max_hp}"
    return status.condition if status.hp is None else f"{status.hp}{of} {status.condition}"
