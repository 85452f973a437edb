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
from scratch_core.calculators.board_drawing.state_drawing import draw
from scratch_core.calculators.fight.action_menu import able
from scratch_core.calculators.fight.roster import Row, last_of, only_left, won
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.shared.form import tints
from scratch_core.calculators.shared.share_links import deflated
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import FightRoll, describe_failure
from scratch_core.encounter.state import Damaged
from scratch_core.errors import ScratchError, join_words
from scratch_core.fast_replace import replace_fields
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

DOWN = "incapacitated"

_MOST_COPIES = 40
"""A name that ends in a higher number is no copy's: Agent 47."""

_NUMBERED = re.compile(r"(.*\S) ([1-9][0-9]{0,3})")
"""A name that ends in a number, as the copies of one stat block have it."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What the players may see: the sides whose numbers they know, and the ids of the characters hidden from them."""

    sides: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A fight as the players may know it."""

    round: int
    """The round of the turn that is shown."""
    step: int
    """How many things have happened that the players know of."""
    whose: str
    """Whose turn it is; while a hidden character acts, whose turn the players saw last. "" once the fight is over."""
    ended: str
    """How the fight has ended for all that the players see, "" while it goes on."""
    last: str
    """What happened last, "" where nothing has."""
    people: tuple[Row, ...]
    """Everyone in sight, in the turn order."""
    board: Drawing | None
    """The map with those in sight, None without a map."""

    @property
    def headline(self) -> str:
        """The end, or whose turn it is."""
        return self.ended or self.whose

    @property
    def code(self) -> str:
        """Everything but the map, packed for an address: round, step, headline, what happened last, and everyone.

        Of a character: the side's colour, the name, the side, its health and conditions, its space, and whether it is
        "on" turn or "out".
        """
        people = [
            [
                row.tint,
                row.fighter.name,
                row.side,
                ", ".join((_health(row.standing), *row.marks)),
                format_space(space) if (space := getattr(row.fighter, "at", None)) is not None else "",
                "on" if row.is_active else "out" if row.standing.is_out else "",
            ]
            for row in self.people
        ]
        moment = [self.round, self.step, self.headline, self.last, people]
        return deflated(json.dumps(moment, separators=(",", ":"), ensure_ascii=False))


def player_view(fight: Fight, eyes: Eyes, rows: Sequence[Row]) -> PlayerView:
    """Remove from a fight what is hidden from the players; `rows` is everyone in the turn order."""
    return _Redaction(fight, eyes).view(rows)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A state of the fight, the states before it, and the records of what led to it."""

    state: Any
    earlier: Sequence[Any]
    records: Sequence[StepResult]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Whose turn the players see, in which state.

    `after` is the state after that turn where someone hidden has come since, and it ended by an act of its own.
    """

    who: str
    state: Any
    after: Any = None


class _Redaction:
    """One fight while its view is built."""

    def __init__(self, fight: Fight, eyes: Eyes) -> None:
        self.fight, self.eyes, self.system = fight, eyes, fight.system
        self.moment = self.find_moment()
        self.fighters = self.list_visible(self.moment.state)
        self.names = {each.id: str(each.name) for each in self.fighters}
        standing = {each.id: self.system.build_status(self.moment.state, each.id) for each in self.fighters}
        self.up = frozenset(who for who, each in standing.items() if not each.is_out)
        self.turn = _Turn("", self.moment.state)

    def is_hidden(self, who: str) -> bool:
        return who in self.eyes.hidden

    def view(self, rows: Sequence[Row]) -> PlayerView:
        self.turn = self.find_turn(next((row.fighter.id for row in rows if row.is_active), ""))
        number = self.system.round_of(self.turn.state, self.turn.who)
        told = list(self.list_told())
        return PlayerView(
            round=number,
            step=len(told),
            whose=self.word_turn() if self.is_running and self.up else "",
            ended=self.word_end(number),
            last=last_of(reversed(told)),
            people=self.list_rows([row.fighter.id for row in rows]),
            board=self.draw_board(),
        )

    @property
    def is_running(self) -> bool:
        return bool(self.moment.state.phase == "running")

    # Who is in sight

    def list_visible(self, state: Any) -> tuple[Any, ...]:
        """Those in sight, in the order of the file, with the names that the players know."""
        visible = [each for each in self.system.fighters(state) if not self.is_hidden(each.id)]
        names = number_names([(each.id, str(each.name)) for each in visible])
        return tuple(_rename(each, names[each.id]) for each in visible)

    def list_rows(self, order: Sequence[str]) -> tuple[Row, ...]:
        colours, known = tints(each.side for each in self.fighters), {each.id: each for each in self.fighters}
        return tuple(
            Row(
                known[who],
                self.redact_standing(known[who]),
                colours[known[who].side],
                who == self.turn.who and self.is_running and bool(self.up),
            )
            for who in order
            if who in known
        )

    def redact_standing(self, who: Any) -> FighterStatus:
        """How a character is; of others than the players' own no number, and nothing that has one in its mark."""
        found = self.find_standing(who.id)
        found = replace(found, condition="down" if found.condition == DOWN else found.condition)
        if who.side in self.eyes.sides:
            return found
        lasting = tuple(each for each in found.effects if not re.search(r"[0-9]", each.short_label.split(":")[0]))
        numbers = tuple(each for each in found.numbers if not re.search(r"[0-9]", f"{each.word} {each.value}"))
        return replace(found, hp=None, max_hp=None, effects=lasting, numbers=numbers)

    def find_standing(self, who: str) -> FighterStatus:
        """How a character is; while its end waits for a hidden character's turn, as in the turn that is still shown."""
        now = self.system.build_status(self.moment.state, who)
        if (
            self.turn.after is None
            or not self.is_running
            or not any(each.id == who for each in self.turn.state.fighters)
        ):
            return now
        is_same = _essence(self.system.build_status(self.turn.after, who)) == _essence(now)
        return self.system.build_status(self.turn.state, who) if is_same else now

    def draw_board(self) -> Drawing | None:
        state = self.moment.state
        if getattr(state, "board", None) is None:
            return None
        waiting = state.exposure if state.exposure and not self.is_hidden(state.exposure.who) else None
        return draw(replace_fields(state, fighters=self.fighters, exposure=waiting))

    # What waits

    def find_moment(self) -> _Moment:
        """The fight as it is; where an act waits, as it would be if no one hidden were on the map.

        What waits only for hidden characters is shown as done; where its dice are still to be rolled, as not begun.
        """
        fight, state, legal = self.fight, self.fight.state, [each for each in self.fight.records if each.is_legal]
        exposure, exposed = getattr(state, "exposure", None), fight.play.last_exposing_result
        if exposure is None or exposed is None or self.is_hidden(exposure.who):
            return _Moment(state, fight.states[:-1], _merge_settled(legal))
        earlier, records = fight.states[: exposed.n], [each for each in legal if each.n < exposed.n]
        before = _Moment(earlier[-1], earlier[:-1], _merge_settled(records))
        if before.state.phase != "running":
            before = replace(before, state=fight.play.opening_state)
        try:
            return self.declare_again(before, exposed)
        except ScratchError:  # its dice are still to be rolled
            return before

    def declare_again(self, before: _Moment, exposed: StepResult) -> _Moment:
        """What an act that waits comes to without hidden characters. Raises `ScratchError` where dice are missing."""
        interrupts = self.system.interrupts
        assert interrupts is not None
        off_map = (replace_fields(each, at=None) if self.is_hidden(each.id) else each for each in before.state.fighters)
        unseen = replace_fields(before.state, fighters=tuple(off_map))
        dice = NoDice() if exposed.step.faces is None else exposed.step.faces
        decision = interrupts.declare(unseen, exposed.action, dice, None)
        if decision.problems:
            return before
        state = self.system.apply_events(unseen, decision.events)
        record = replace(exposed, events=decision.events, rolls=decision.rolls, state=state)
        records = [record]
        for answer in self.fight.play.original_results[exposed.n :]:
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
        return _Moment(state, (*before.earlier, before.state), _merge_settled([*before.records, *records]))

    # Whose turn it is

    def find_turn(self, chosen: str) -> _Turn:
        """Whose turn the players see: `chosen` on the page, else in the last state where someone in sight was next.

        Before the first of them it is the first in sight who is able to act. Where no one in sight is, and after the
        end, the last turn that one of them began counts.
        """
        state, earlier = self.moment.state, self.moment.earlier
        if chosen in self.names and state is self.fight.state and self.is_running:
            return _Turn(chosen, state)
        is_on = bool(self.up) and self.is_running
        for step, each in reversed(list(enumerate((*earlier, state)))):
            who = self.find_next(each) if is_on else self.system.find_turn_owner(each)
            if who in self.names:
                after = self.find_end(step, who) if is_on and step < len(earlier) else None
                return _Turn(who, each, after)
        begun = self.fight.ready.opening_state
        order = (who for each in self.system.list_order(begun) for who in self.system.list_members(begun, each))
        return _Turn(next((who for who in order if who in self.up), ""), begun)

    def find_next(self, state: Any) -> str:
        """Who in sight is on turn or comes next, "" for no one."""
        if state.phase != "running":
            return ""
        first = self.system.find_next_actor(state)
        if self.system.roll_keys:
            group = state.fighter(first).group if first else ""
            coming = [each for each in able(state) if state.fighter(each).group == group]
        else:
            coming = [getattr(state, "asked", ""), first, *(() if state.active else getattr(state, "due", ()))]
        return next((each for each in coming if each in self.names), "")

    def find_end(self, step: int, who: str) -> Any:
        """The state after the step behind this one, where that is the end of a character's turn, else None."""
        record = self.fight.records[step]
        return record.state if record.is_legal and (record.do, record.actor) == (END_TURN.do, who) else None

    def word_turn(self) -> str:
        turn = self.turn
        if not turn.who:
            return ""
        name = self.names[turn.who]
        if turn.who == getattr(turn.state, "asked", ""):
            return f"{name} answers first"
        openers = [] if turn.state.active else [each for each in getattr(turn.state, "due", ()) if each in self.names]
        if openers[1:]:
            names = [self.names[each] for each in openers]
            others = [names[1]] if len(names) == 2 else [f"one of {len(names) - 1} others"]
            return f"{' or '.join([names[0], *others])} opens the fight"
        return f"{name}’s turn"

    # The end

    def word_end(self, number: int) -> str:
        """Who has won for all that the players see, or who is left; "" while two sides in sight go on."""
        sides = dict.fromkeys(each.side for each in self.fighters)
        left = list(dict.fromkeys(each.side for each in self.fighters if each.id in self.up))
        members = [(each.id, self.names[each.id]) for each in self.fighters if left and each.side == left[0]]
        is_over = self.moment.state.phase == "over"
        if len(sides) > 1 and len(left) == 1:
            return won(left[0], members, number) if is_over else f"{only_left(left[0], members)} in sight"
        if is_over:
            return "The fight is over"
        return "" if self.up or not self.fighters else "No one is left in sight"

    # What happened

    def list_told(self) -> Iterator[tuple[str, str]]:
        """What the players know of, each with the name of its act; not the end of a turn that is still shown."""
        told = [(said, record) for record in self.moment.records if (said := self.word_record(record))]
        if self.turn.after is not None:
            last = max(place for place, (_, record) in enumerate(told) if record.do == END_TURN.do)
            del told[last]
        return ((said, record.do) for said, record in told)

    def word_record(self, record: StepResult) -> str:
        """What the players know of a step, "" for nothing."""
        if record.is_gm_action:
            return self.word_by_hand(record)
        actor = next((each for each in self.fighters if each.id == record.actor), None)
        named = dict.fromkeys(each for each in record.action.participants if each != record.actor)
        targets = [self.names[each] for each in named if each in self.names]
        if record.do in _LOST and (actor or not record.actor):
            lost = record.action.points
            points = f"{lost} hit point{'' if lost == 1 else 's'}" if record.do == "lose-hp" else lost
            return f"{targets[0]} {_LOST[record.do].format(points)}." if targets else ""
        if actor is None:
            return "" if record.actor or (named and not targets) else f"{record.title}."
        is_own = actor.side in self.eyes.sides
        if record.do == CHECK.do and not is_own:
            return ""
        hits = [
            _Hit(self.names.get(roll.target, ""), roll, damage, is_own)
            for roll, damage in _hits(record)
            if not self.is_hidden(roll.target)
        ]
        return f"{self.names[actor.id]}{_word_action(record, targets, hits)}."

    def word_by_hand(self, record: StepResult) -> str:
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
        found = _NUMBERED.fullmatch(name)
        if found and int(found[2]) <= _MOST_COPIES:
            copies.setdefault(found[1].casefold(), []).append((int(found[2]), own, found[1]))
    bare = {name.casefold() for _, name in people}
    for key, found_copies in copies.items():
        ranked = sorted(found_copies, key=lambda each: each[0])
        first = 2 if key in bare and ranked[0][0] > 1 else 1
        is_alone = len(ranked) == 1 and key not in bare
        names |= {own: base if is_alone else f"{base} {n}" for n, (_, own, base) in enumerate(ranked, first)}
    return names


def _essence(standing: FighterStatus) -> tuple[object, ...]:
    """What players may notice of how a character is."""
    return standing.hp, standing.condition, standing.is_out, standing.short_labels, standing.numbers


def _rename(fighter: Any, name: str) -> Any:
    """The same character under another name; a side of its own follows it."""
    side = name if fighter.side in (fighter.id, fighter.name) else fighter.side
    return replace(fighter, name=name, side=side)


def _merge_settled(records: Sequence[StepResult]) -> list[StepResult]:
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


def _hits(record: StepResult) -> Iterator[tuple[FightRoll, int]]:
    """The rolls of a step, each with the damage that it did; what that leaves a character is no part of it."""
    wounds = [each for each in record.events if isinstance(each, Damaged)]
    for roll in record.rolls:
        if isinstance(roll, FightRoll):
            wound = next((each for each in wounds if roll.check.success and each.who == roll.target), None)
            if wound:
                wounds.remove(wound)
            yield roll, wound.damage if wound else 0


@dataclass(frozen=True, slots=True)
class _Hit:
    """A roll that players see, with the name of its target and the damage."""

    target: str
    roll: FightRoll
    damage: int
    is_own: bool

    @property
    def is_success(self) -> bool:
        return self.roll.check.success

    @property
    def numbers(self) -> str:
        """The die roll and the total of the players' own, "" for others."""
        if not self.is_own:
            return ""
        die, total = self.roll.check.figure.parts[0].value, self.roll.check.total
        return f" ({'natural' if die in (1, SIDES) else 'rolled'} {die}, total {total})"


_WEAPONS = {
    BASIC_ATTACK.do: "a basic attack",
    DOUBLE_ATTACK.do: "a basic attack",
    SECOND_BLOW.do: "a second attack",
    THROW.do: "a thrown object",
    SHOOT.do: "a shot",
    BLAST.do: "a blast",
    KNOCKOUT.do: "a knockout attempt",
}
"""What a character hits with, by action."""

_DONE = {
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

_AGAINST = {"active": "acts", "combo": "makes a combo", "counter": "counterattacks"}
"""Actions of other turn systems that may have a target, which is attacked."""

_OTHER_SYSTEMS = {
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
    "decline": "doesn’t seize the initiative",
}
"""Other actions of those turn systems; who is named comes behind."""

_LOST = {"stun": "takes {} stun", "damage": "takes {} damage", "lose-hp": "loses {}"}
"""What the table says of a character in those turn systems."""


def _word_action(record: StepResult, targets: Sequence[str], hits: Sequence[_Hit]) -> str:
    """Write what follows a character's name: ` hits Ann with a basic attack: 1 damage`."""
    do = record.do
    if do in _WEAPONS:
        return f" {_word_attack(_WEAPONS[do], targets, hits, is_double=do == DOUBLE_ATTACK.do)}"
    title, whom = f"{record.title[:1].lower()}{record.title[1:]}", f" {join_words(targets)}" if targets else ""
    if do == CHECK.do and hits:
        return f" makes a roll: {'success' if hits[0].is_success else 'failure'}{hits[0].numbers}"
    if do in ACTION_SPECS and ACTION_SPECS[do].verb and targets:
        if not hits:
            return f" is about to act: {title},{whom}"
        hit = hits[0]
        verb = ACTION_SPECS[do].verb if hit.is_success else describe_failure(ACTION_SPECS[do].verb)
        return f" {verb}{whom}{f': {hit.damage} damage' if hit.damage else ''}{hit.numbers}"
    if do in _DONE and not hits:
        return f" {_DONE[do]}{whom}"
    if do in _AGAINST:
        moved = "moves and " if record.action.move else ""
        acted = f"attacks{whom}" if whom and do == "active" else f"{_AGAINST[do]}{f' against{whom}' if whom else ''}"
        return f" {moved}{acted}"
    if do in _OTHER_SYSTEMS:
        return f" {_OTHER_SYSTEMS[do]}{whom}"
    return f": {title}{f',{whom}' if whom else ''}"


def _word_attack(weapon: str, targets: Sequence[str], hits: Sequence[_Hit], *, is_double: bool) -> str:
    if not hits:
        act = "makes" if weapon.endswith("attack") else "attacks with"
        return f"is about to attack {join_words(targets)} with {weapon}" if targets else f"{act} {weapon}"
    if len(hits) == 1:
        (hit,) = hits
        damage = f": {hit.damage} damage" if hit.is_success else ""
        return f"{'hits' if hit.is_success else 'misses'} {hit.target} with {weapon}{damage}{hit.numbers}"
    words = (
        f"hits {hit.target}, {hit.damage} damage{hit.numbers}"
        if hit.is_success
        else f"misses {hit.target}{hit.numbers}"
        for hit in hits
    )
    act = "makes two basic attacks" if is_double else f"attacks with {weapon}"
    return f"{act}: {'; '.join(words)}"


def _health(standing: FighterStatus) -> str:
    of = " HP" if standing.max_hp is None else f" of {standing.max_hp}"
    return standing.condition if standing.hp is None else f"{standing.hp}{of} {standing.condition}"
