"""What the players may know of a fight: everything hidden is removed here, before a word of it is written.

`player_view` is the only way from a fight to the players' screen and to its code. Two fights that differ in what is
hidden alone give equal views: hidden characters, what they do, the numbers of the other sides.
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
from scratch_core.calculators.fight.action_menu import list_possible_actors
from scratch_core.calculators.fight.roster import FighterRow, format_only_left, format_win, join_latest_narrations
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.shared.form import assign_side_colours
from scratch_core.calculators.shared.share_links import deflate
from scratch_core.calculators.shared.sides import is_own_side
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import FightRoll, describe_failure
from scratch_core.encounter.state import Damaged
from scratch_core.errors import ScratchError, join_words
from scratch_core.fast_replace import replace_fields
from scratch_core.figures import format_hit_points
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

_MAX_COPY_NUMBER = 40
"""A name that ends in a higher number is no copy's: Agent 47."""

_NUMBERED_NAME = re.compile(r"(.*\S) ([1-9][0-9]{0,3})")
"""A name that ends in a number, as the copies of one stat block have it."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What the players may see: the sides whose numbers they know, and the ids of the characters hidden from them."""

    players_sides: frozenset[str] = frozenset()
    hidden_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A fight as the players may know it."""

    round: int
    """The round of the turn that is shown."""
    step_count: int
    """How many things have happened that the players know of."""
    turn_text: str
    """Whose turn it is; while a hidden character acts, whose turn the players saw last. "" once the fight is over."""
    end_text: str
    """How the fight has ended for all that the players see, "" while it goes on."""
    last_narration: str
    """What happened last, "" where nothing has."""
    rows: tuple[FighterRow, ...]
    """Everyone in sight, in the turn order."""
    board: Drawing | None
    """The map with those in sight, None without a map."""

    @property
    def headline(self) -> str:
        """The end, or whose turn it is."""
        return self.end_text or self.turn_text

    @property
    def text_for_address(self) -> str:
        """Everything but the map, packed for an address: round, step, headline, what happened last, and everyone.

        Of a character: the side's colour, the name, the side, its health and conditions, its space, and whether it is
        "on" turn or "out".
        """
        people = [
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
        moment = [self.round, self.step_count, self.headline, self.last_narration, people]
        return deflate(json.dumps(moment, separators=(",", ":"), ensure_ascii=False))


def build_player_view(fight: Fight, eyes: Visibility, rows: Sequence[FighterRow]) -> PlayerView:
    """Remove from a fight what is hidden from the players; `rows` is everyone in the turn order."""
    return _Redaction(fight, eyes).build_view(rows)


@dataclass(frozen=True, slots=True)
class _VisibleMoment:
    """A state of the fight, the states before it, and the records of what led to it."""

    state: Any
    earlier: Sequence[Any]
    results: Sequence[StepResult]


@dataclass(frozen=True, slots=True)
class _VisibleTurn:
    """Whose turn the players see, in which state.

    `end_state` is the state after that turn where someone hidden has come since, and it ended by an act of its own.
    """

    actor: str
    state: Any
    end_state: Any = None


class _Redaction:
    """One fight while its view is built."""

    def __init__(self, fight: Fight, eyes: Visibility) -> None:
        self.fight, self.visibility, self.system = fight, eyes, fight.system
        self.moment = self.build_visible_moment()
        self.fighters = self.list_visible_fighters(self.moment.state)
        self.names = {each.id: str(each.name) for each in self.fighters}
        standing = {each.id: self.system.build_status(self.moment.state, each.id) for each in self.fighters}
        self.remaining_ids = frozenset(who for who, each in standing.items() if not each.is_out)
        self.turn = _VisibleTurn("", self.moment.state)

    def is_hidden(self, who: str) -> bool:
        return who in self.visibility.hidden_ids

    def build_view(self, rows: Sequence[FighterRow]) -> PlayerView:
        self.turn = self.build_visible_turn(next((row.fighter.id for row in rows if row.is_active), ""))
        number = self.system.find_turn_round(self.turn.state, self.turn.actor)
        told = list(self.list_known_narrations())
        return PlayerView(
            round=number,
            step_count=len(told),
            turn_text=self.format_turn() if self.is_running and self.remaining_ids else "",
            end_text=self.format_end(number),
            last_narration=join_latest_narrations(reversed(told)),
            rows=self.list_rows([row.fighter.id for row in rows]),
            board=self.draw_board(),
        )

    @property
    def is_running(self) -> bool:
        return bool(self.moment.state.phase == "running")

    # Who is in sight

    def list_visible_fighters(self, state: Any) -> tuple[Any, ...]:
        """Those in sight, in the order of the file, with the names that the players know."""
        visible = [each for each in state.fighters if not self.is_hidden(each.id)]
        names = number_names([(each.id, str(each.name)) for each in visible])
        return tuple(_rename_fighter(each, names[each.id]) for each in visible)

    def list_rows(self, order: Sequence[str]) -> tuple[FighterRow, ...]:
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

    def redact_status(self, who: Any) -> FighterStatus:
        """How a character is; of others than the players' own no number, and nothing that has one in its mark."""
        found = self.build_shown_status(who.id)
        found = replace(found, condition="down" if found.condition == INCAPACITATED else found.condition)
        if who.side in self.visibility.players_sides:
            return found
        lasting = tuple(each for each in found.effects if not re.search(r"[0-9]", each.short_label.split(":")[0]))
        numbers = tuple(each for each in found.numbers if not re.search(r"[0-9]", f"{each.word} {each.value}"))
        return replace(found, hp=None, max_hp=None, effects=lasting, numbers=numbers)

    def build_shown_status(self, who: str) -> FighterStatus:
        """How a character is; while its end waits for a hidden character's turn, as in the turn that is still shown."""
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
        state = self.moment.state
        if getattr(state, "board", None) is None:
            return None
        waiting = state.exposure if state.exposure and not self.is_hidden(state.exposure.who) else None
        return draw_board(replace_fields(state, fighters=self.fighters, exposure=waiting))

    # What waits

    def build_visible_moment(self) -> _VisibleMoment:
        """The fight as it is; where an act waits, as it would be if no one hidden were on the map.

        What waits only for hidden characters is shown as done; where its dice are still to be rolled, as not begun.
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
        except ScratchError:  # its dice are still to be rolled
            return before

    def replay_without_hidden(self, before: _VisibleMoment, exposed: StepResult) -> _VisibleMoment:
        """What an act that waits comes to without hidden characters. Raises `ScratchError` where dice are missing."""
        interrupts = self.system.interrupts
        assert interrupts is not None
        off_map = (replace_fields(each, at=None) if self.is_hidden(each.id) else each for each in before.state.fighters)
        unseen = replace_fields(before.state, fighters=tuple(off_map))
        dice = NoDice() if exposed.step.faces is None else exposed.step.faces
        decision = interrupts.decide_or_wait(unseen, exposed.action, dice, None)
        if decision.problems:
            return before
        state = self.system.apply_events(unseen, decision.events)
        record = replace(exposed, events=decision.events, rolls=decision.rolls, state=state)
        records = [record]
        for answer in self.fight.playthrough.original_results[exposed.n :]:
            if state.exposure is None or not answer.is_legal or self.is_hidden(answer.actor):
                continue
            asked = self.fight.states[answer.n - 1].exposure
            if answer.do == interrupts.resolving_action and asked.walked != state.exposure.walked:
                continue  # only hidden characters were asked
            faces = dice if answer.do == interrupts.resolving_action else (answer.step.faces or ())
            decision = self.system.decide(state, answer.action, faces)
            if not decision.problems:
                state = self.system.apply_events(state, decision.events)
                records.append(replace(answer, events=decision.events, rolls=decision.rolls, state=state))
        return _VisibleMoment(state, (*before.earlier, before.state), _merge_resolved([*before.results, *records]))

    # Whose turn it is

    def build_visible_turn(self, chosen: str) -> _VisibleTurn:
        """Whose turn the players see: `chosen` on the page, else in the last state where someone in sight was next.

        Before the first of them it is the first in sight who is able to act. Where no one in sight is, and after the
        end, the last turn that one of them began counts.
        """
        state, earlier = self.moment.state, self.moment.earlier
        if chosen in self.names and state is self.fight.state and self.is_running:
            return _VisibleTurn(chosen, state)
        is_on = bool(self.remaining_ids) and self.is_running
        for step, each in reversed(list(enumerate((*earlier, state)))):
            who = self.find_current_or_next_actor(each) if is_on else each.turn_owner
            if who in self.names:
                after = self.find_turn_end_state(step) if is_on and step < len(earlier) else None
                return _VisibleTurn(who, each, after)
        begun = self.fight.started_playthrough.opening_state
        order = (who for each in begun.turn_order for who in begun.list_ids_sharing_turn(each))
        return _VisibleTurn(next((who for who in order if who in self.remaining_ids), ""), begun)

    def find_current_or_next_actor(self, state: Any) -> str:
        """Who in sight is on turn or comes next, "" for no one."""
        if state.phase != "running":
            return ""
        first = self.system.find_current_or_next_actor(state)
        if self.system.roll_keys:
            group = state.fighter(first).group if first else ""
            coming = [each for each in list_possible_actors(state) if state.fighter(each).group == group]
        else:
            coming = [
                getattr(state, "possible_counterattacker", ""),
                first,
                *(() if state.active else getattr(state, "next_candidates", ())),
            ]
        return next((each for each in coming if each in self.names), "")

    def find_turn_end_state(self, step: int) -> Any:
        """Return the state after a step that ended a visible character's turn, else None.

        The step may first have passed over delayed characters, one of whose turns was shown.
        """
        record = self.fight.results[step]
        return record.state if record.is_legal and record.do == END_TURN.do and record.actor in self.names else None

    def format_turn(self) -> str:
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
        """Who has won for all that the players see, or who is left; "" while two sides in sight go on."""
        sides = dict.fromkeys(each.side for each in self.fighters)
        left = list(dict.fromkeys(each.side for each in self.fighters if each.id in self.remaining_ids))
        members = [(each.id, self.names[each.id]) for each in self.fighters if left and each.side == left[0]]
        is_over = self.moment.state.phase == "over"
        if len(sides) > 1 and len(left) == 1:
            return format_win(left[0], members, number) if is_over else f"{format_only_left(left[0], members)} in sight"
        if is_over:
            return "The fight is over"
        return "" if self.remaining_ids or not self.fighters else "No one is left in sight"

    # What happened

    def list_known_narrations(self) -> Iterator[tuple[str, str]]:
        """What the players know of, each with the name of its act; not the end of a turn that is still shown."""
        told = [(said, record) for record in self.moment.results if (said := self.format_step_result(record))]
        if self.turn.end_state is not None:
            last = max(place for place, (_, record) in enumerate(told) if record.do == END_TURN.do)
            del told[last]
        return ((said, record.do) for said, record in told)

    def format_step_result(self, record: StepResult) -> str:
        """What the players know of a step, "" for nothing."""
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
        """Who comes and goes; nothing else that the game master does is told."""
        words = {JOIN: "joins the fight", LEAVE: "is removed from the fight", RETURN: "is back in the fight"}
        hand = record.action
        who = getattr(hand.newcomer, "id", "") if record.do == JOIN else hand.target
        return f"{self.names[who]} {words[record.do]}." if record.do in words and who in self.names else ""


def number_names(people: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The names by which players know those in sight, by id: copies are numbered from 1, and one alone has no number.

    The names depend on those in sight alone.
    """
    names = dict(people)
    copies: dict[str, list[tuple[int, str, str]]] = {}
    for own, name in people:
        found = _NUMBERED_NAME.fullmatch(name)
        if found and int(found[2]) <= _MAX_COPY_NUMBER:
            copies.setdefault(found[1].casefold(), []).append((int(found[2]), own, found[1]))
    bare = {name.casefold() for _, name in people}
    for key, found_copies in copies.items():
        ranked = sorted(found_copies, key=lambda each: each[0])
        first = 2 if key in bare and ranked[0][0] > 1 else 1
        is_alone = len(ranked) == 1 and key not in bare
        names |= {own: base if is_alone else f"{base} {n}" for n, (_, own, base) in enumerate(ranked, first)}
    return names


def _list_noticeable_values(standing: FighterStatus) -> tuple[object, ...]:
    """What players may notice of how a character is."""
    return standing.hp, standing.condition, standing.is_out, standing.labels_with_rules, standing.numbers


def _rename_fighter(fighter: Any, name: str) -> Any:
    """The same character under another name; a side of its own follows it."""
    side = name if is_own_side(fighter.side, fighter.id, fighter.name) else fighter.side
    return replace(fighter, name=name, side=side)


def _merge_resolved(records: Sequence[StepResult]) -> list[StepResult]:
    """Each act that waited as one record, where it happened at last; that no one interrupted is no record of its own.

    Rule: `grid.interrupt.what`.
    """
    found: list[StepResult] = []
    for record in records:
        interrupts = record.system.interrupts
        settled = record.resolution
        is_settling = interrupts is not None and record.do == interrupts.resolving_action
        came = record if is_settling else settled  # the next act may say by itself that no one interrupts
        waited = None
        if came is not None and not came.problems and interrupts is not None:
            waited = next((n for n in reversed(range(len(found))) if found[n].do in interrupts.exposing_actions), None)
        if came is not None and waited is not None:
            exposed = found.pop(waited)
            found.append(replace(exposed, rolls=came.rolls, events=(*exposed.events, *came.events)))
        if not is_settling:
            own = len(record.events) - (len(settled.events) if settled else 0)
            found.append(replace(record, events=record.events[:own]))
    return found


def _list_roll_damages(record: StepResult) -> Iterator[tuple[FightRoll, int]]:
    """The rolls of a step, each with the damage that it did; what that leaves a character is no part of it."""
    wounds = [each for each in record.events if isinstance(each, Damaged)]
    for roll in record.rolls:
        if isinstance(roll, FightRoll):
            wound = next((each for each in wounds if roll.check.is_success and each.who == roll.target), None)
            if wound:
                wounds.remove(wound)
            yield roll, wound.damage if wound else 0


@dataclass(frozen=True, slots=True)
class _VisibleRoll:
    """A roll that players see, with the name of its target and the damage."""

    target: str
    roll: FightRoll
    damage: int
    is_own: bool

    @property
    def is_success(self) -> bool:
        return self.roll.check.is_success

    @property
    def roll_text(self) -> str:
        """The die roll and the total of the players' own, "" for others."""
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
"""What a character hits with, by action."""

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
"""Actions without a roll that players see."""

_ATTACK_PHRASES = {"active": "acts", "combo": "makes a combo", "counter": "counterattacks"}
"""Actions of other turn systems that may have a target, which is attacked."""

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
"""Other actions of those turn systems; who is named comes behind."""

_LOSS_PHRASES = {"stun": "takes {} stun", "damage": "takes {} damage", "lose-hp": "loses {}"}
"""What the table says of a character in those turn systems."""


def _format_action(record: StepResult, targets: Sequence[str], hits: Sequence[_VisibleRoll]) -> str:
    """Write what follows a character's name: ` hits Ann with a basic attack: 1 damage`."""
    do = record.do
    if do in _WEAPON_PHRASES:
        return f" {_format_attack(_WEAPON_PHRASES[do], targets, hits, is_double=do == DOUBLE_ATTACK.do)}"
    title, whom = f"{record.title[:1].lower()}{record.title[1:]}", f" {join_words(targets)}" if targets else ""
    if do == CHECK.do and hits:
        return f" makes a roll: {'success' if hits[0].is_success else 'failure'}{hits[0].roll_text}"
    if do in ACTION_SPECS and ACTION_SPECS[do].verb and targets:
        if not hits:
            return f" is about to act: {title},{whom}"
        hit = hits[0]
        verb = ACTION_SPECS[do].verb if hit.is_success else describe_failure(ACTION_SPECS[do].verb)
        return f" {verb}{whom}{f': {hit.damage} damage' if hit.damage else ''}{hit.roll_text}"
    if do in _ACTION_PHRASES and not hits:
        return f" {_ACTION_PHRASES[do]}{whom}"
    if do in _ATTACK_PHRASES:
        moved = "moves and " if record.action.move else ""
        acted = (
            f"attacks{whom}" if whom and do == "active" else f"{_ATTACK_PHRASES[do]}{f' against{whom}' if whom else ''}"
        )
        return f" {moved}{acted}"
    if do in _VARIANT_ACTION_PHRASES:
        return f" {_VARIANT_ACTION_PHRASES[do]}{whom}"
    return f": {title}{f',{whom}' if whom else ''}"


def _format_attack(weapon: str, targets: Sequence[str], hits: Sequence[_VisibleRoll], *, is_double: bool) -> str:
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


def _format_health(standing: FighterStatus) -> str:
    of = " HP" if standing.max_hp is None else f" of {standing.max_hp}"
    return standing.condition if standing.hp is None else f"{standing.hp}{of} {standing.condition}"
