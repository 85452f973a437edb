"""A fight in words, in every order of turns: who stands how, whose move it is, what may be done, what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.board import Space
from scratch_core.calculators.board_drawing.overlay import Overlay
from scratch_core.calculators.fight import board_menu, variant_menu
from scratch_core.calculators.fight.action_menu import (
    MAX_ACTION_CHOICES,
    ActionChoice,
    ActionGroup,
    Question,
    TurnMenu,
    assign_shortcut_keys,
    build_crafting_menus,
    build_turn_context,
    list_idle_turn_ends,
    list_possible_actors,
)
from scratch_core.calculators.fight.board_view import FightBoard, build_fight_board
from scratch_core.calculators.fight.roster import (
    FighterRow,
    find_latest_results,
    format_names,
    format_only_left,
    format_win,
)
from scratch_core.calculators.fight.session import Fight, get_pending_faces
from scratch_core.calculators.shared.form import assign_side_colours
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.rulebook.actions import CRAFT, END_ENCOUNTER, END_TURN
from scratch_core.scenario import StepResult
from scratch_core.turn_systems import JOIN, Prompt

MAX_LOG_ENTRIES = 48
"""As many lines of the log are on the page, the newest; the others are a button away."""

MAX_TURN_MENUS = 6
"""Of so many that could be next, each has its actions on the page; the others are a button away."""


@dataclass(frozen=True, slots=True)
class TargetSelection:
    """Who is asked for among those whose turn may begin, whom it aims at, and whom the reader has pressed since.

    `hidden_ids` are those whom the players do not see, so that no other side aims at them unless they are pressed.
    """

    actor: str = ""
    targets: tuple[str, ...] = ()
    pressed_targets: tuple[str, ...] = ()
    hidden_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log: what came of a step, and the round that begins with it, 0 when none does."""

    result: StepResult
    new_round: int

    @property
    def sum_texts(self) -> tuple[str, ...]:
        """The sum of each roll, or the die rolls if they had no difficulty."""
        return tuple(map(_format_sum, _list_fight_rolls(self.result))) or tuple(map(str, self.result.faces))


@dataclass(frozen=True, slots=True)
class ResultText:
    """What came of a step, in words, and its rolls against something."""

    text: str
    rolls: tuple[FightRoll, ...] = ()


def _list_fight_rolls(record: StepResult) -> tuple[FightRoll, ...]:
    return tuple(each for each in record.rolls if isinstance(each, FightRoll))


def _format_sum(roll: FightRoll) -> str:
    """Format a roll as its sum.

    `9 + 3 fighting − 2 cover = 10`, or `9` without modifiers.
    """
    first, *more = roll.check.figure.parts
    signs = "".join(f" {'−' if each.value < 0 else '+'} {abs(each.value)} {each.label}" for each in more)
    return f"{first.value}{signs} = {roll.check.total}" if more else str(first.value)


@dataclass(frozen=True, slots=True)
class FightView:
    """A fight as the page shows it. `active` is whose turn is on, begins with an act, or who is asked, "" for no one.

    `prompt_text` says what is expected of it now, `question` what waits for an answer first. `rows` are all, as the
    file has them, `ordered_rows` in the order of turns, those without a turn last. `turn_menus` are the acts of whoever
    may act now, the likeliest first; `other_actors` could be next too. `idle_turn_ends` are the turns that may be ended
    and need not, `crafting_menus` those who may craft before any turn, `start_groups` how someone begins before its
    first, `table_events` what the table tells.
    """

    fight: Fight
    round: int
    active: str
    active_name: str
    prompt_text: str
    winner: str
    rows: tuple[FighterRow, ...]
    ordered_rows: tuple[FighterRow, ...]
    entries: tuple[LogEntry, ...]
    question: Question | None = None
    turn_menus: tuple[TurnMenu, ...] = ()
    other_actors: tuple[tuple[str, str], ...] = ()
    idle_turn_ends: tuple[ActionChoice, ...] = ()
    crafting_menus: tuple[TurnMenu, ...] = ()
    start_groups: tuple[ActionGroup, ...] = ()
    table_events: tuple[ActionGroup, ...] = ()
    board: FightBoard | None = None

    @property
    def state(self) -> Any:
        """The moment."""
        return self.fight.state

    @property
    def is_over(self) -> bool:
        """Whether nothing goes on any more."""
        return bool(self.state.phase == "over")

    @property
    def ids_and_names(self) -> tuple[tuple[str, str], ...]:
        """Everyone as ids and names."""
        return tuple((row.fighter.id, row.fighter.name) for row in self.rows)

    @property
    def initiative(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Each group in the order of turns, its initiative and its members; () where no such order lasts."""
        return tuple(
            (each.group, each.formatted_total, tuple(member.name for member in self.state.list_members(each.group)))
            for each in getattr(self.state, "initiative", ())
        )

    @property
    def older_entry_count(self) -> int:
        """How many lines of the log are left out, the oldest."""
        return len(_list_logged_results(self.fight)) - len(self.entries)

    @property
    def has_unlisted_ends(self) -> bool:
        """Whether the log leaves numbers out, those of ended turns."""
        return len(_list_logged_results(self.fight)) < len(self.fight.results)

    @property
    def initiative_text(self) -> str:
        """Everyone's initiative and who goes first, while it has just been rolled; "" at any other time.

        That is before the first turn, and after someone has joined who rolled. Rules: `turn.initiative-roll`,
        `seize.roll`.
        """
        newest = self.entries[0].result if self.entries else None
        is_new = newest is None or newest.do == CRAFT.do or (newest.do == JOIN and bool(newest.rolls))
        if self.initiative and is_new:
            return _format_initiative(self.initiative, is_start=not self.state.active)
        if newest is None or not is_new:  # other turn systems tell it in how the fight began
            return ""
        places, _ = self.fight.system.explain_turn_order(self.state, newest.rolls)
        return f"Initiative: {' · '.join(f'{each.name} {each.figure.value}' for each in places if each.figure)}."

    @property
    def last_narration(self) -> str:
        """What happened last; before the first step how the fight began, unless an order of turns lasts from there."""
        return " ".join(result.text for result in self.last_results)

    @property
    def last_results(self) -> tuple[ResultText, ...]:
        """The results of what happened last, one for each step: two of two attacks. Rule: `act.fighting.double`."""
        played = (each for each in reversed(self.fight.results) if each.do != END_ENCOUNTER.do)
        records = find_latest_results((each, each.do if each.is_legal else "") for each in played)
        if records:
            return tuple(ResultText(each.narration, _list_fight_rolls(each)) for each in records)
        return () if self.initiative else (ResultText(self.fight.opening_narration),)

    @property
    def current_menu(self) -> TurnMenu | None:
        """Whose actions are offered first while the encounter is on."""
        return self.turn_menus[0] if self.turn_menus and not self.is_over else None

    @property
    def shortcut_keys(self) -> dict[str, str]:
        """The key of each act that stands unfolded on the page, by its step: of the answers, while some are due."""
        if self.question:
            return assign_shortcut_keys(self.question.visible_steps)
        return assign_shortcut_keys(self.current_menu.visible_steps) if self.current_menu else {}

    @property
    def winner_text(self) -> str:
        """Who won and when, "" while there is no winner."""
        return format_win(self.winner, self.winning_members, max(1, self.state.round)) if self.winner else ""

    @property
    def winning_members(self) -> tuple[tuple[str, str], ...]:
        """The ids and names of the winning side."""
        return tuple((row.fighter.id, row.fighter.name) for row in self.rows if row.fighter.side == self.winner)

    @property
    def is_encounter(self) -> bool:
        """Whether a step ends the encounter, regardless of who is left. Rule: `turn.encounter`."""
        return END_ENCOUNTER.do in self.fight.system.table_event_titles

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back: the beginning stays."""
        return len(self.fight.steps) > self.fight.fixed_step_count

    @property
    def turn_text(self) -> str:
        """Whose move it is and what is due, "" for no one's."""
        return f"{self.active_name}{self.prompt_text}" if self.active and not self.is_over else ""

    @property
    def spoken_text(self) -> str:
        """What comes now, to be said after what happened."""
        if self.is_over:
            return f"The {'encounter' if self.is_encounter else 'fight'} is over."
        if self.winner and not self.is_encounter:
            return f"{format_only_left(self.winner, self.winning_members)}."
        if self.question:
            return self.question.spoken_text
        if self.winner_text:
            return f"{self.winner_text}."
        if not self.is_encounter or (self.active and self.state.ledger.opened):
            return f"Round {self.round}. {self.turn_text}."
        return f"Round {self.round}, {self.active_name}'s turn." if self.active else "No one is able to act."

    @property
    def full_log(self) -> str:
        """The whole log as text to be copied, its rounds told, its notes in quotation marks."""
        lines, number = [self.fight.opening_narration], 0
        for record, round_number in _list_logged_results(self.fight):
            if record.is_legal and round_number > number:
                number = round_number
                lines.append(f"\nRound {number}")
            note = f" “{record.step.note}”" if record.step.note else ""
            lines.append(f"{record.n}. {record.narration}{note}")
        return "\n".join(lines).strip() + "\n"

    @property
    def changed_settings(self) -> tuple[tuple[str, str], ...]:
        """The settings that are not the defaults: the words of the option, the ruling's id."""
        rulings = self.fight.scenario.rulings
        return tuple(
            (words, switch.ruling)
            for switch in RULE_OPTIONS
            for choice, words in zip(switch.choices, switch.words, strict=True)
            if choice == getattr(rulings, switch.name) != switch.default
        )


def _format_initiative(initiative: Sequence[tuple[str, str, tuple[str, ...]]], *, is_start: bool) -> str:
    """Write an initiative as a sentence: `Bandit 2 21 · Bo 18 · Mira 17: Bandit 2 goes first.`"""
    totals = [
        f"{members[0]} {total}"
        if len(members) == 1
        else f"{group[:1].upper()}{group[1:]} ({', '.join(members)}) {total}"
        for group, total, members in initiative
        if members
    ]
    first = next((members for *_, members in initiative if members), ())
    if not is_start or not first:
        return f"Turn order: {' · '.join(totals)}."
    return f"{' · '.join(totals)}: {format_names(first)} {'goes' if len(first) == 1 else 'go'} first."


def build_fight_view(
    fight: Fight, aiming: TargetSelection, aim: Space | None = None, is_whole: bool = False
) -> FightView:
    """Everything to be printed, `aiming` as the reader does.

    On a board `aim` is the space asked about, and an act that waits is a question before anything else. `is_whole`: all
    of the log, however long.
    """
    system, state = fight.system, fight.state
    due = system.build_prompt(state) or Prompt("", "'s turn", "", "")
    is_on = state.phase == "running"
    active = system.find_current_or_next_actor(state) if is_on else ""
    acts: dict[str, Any] = {}
    if system.roll_keys:
        acts = _build_turn_menus(fight, aiming, aim, due)
        active = acts["turn_menus"][0].actor if is_on and acts["turn_menus"] else active
    elif is_on:
        acts = variant_menu.build_menu_data(fight, due, active)
        (turn,) = acts["turn_menus"]
        aims = aiming.targets if turn.actor == aiming.actor else find_last_targets(fight, turn.actor)
        acts["turn_menus"] = (turn.with_targets(aims, aiming.pressed_targets),)
        active = getattr(state, "possible_counterattacker", "") or active
    rows = _build_rows(fight, active, is_turn_shown=bool(acts.get("turn_menus")))
    ids = [each for place in state.turn_order for each in state.list_ids_sharing_turn(place)]
    places = {own: place for place, own in enumerate(ids)}
    return FightView(
        fight=fight,
        round=system.find_turn_round(state, active),
        active=active,
        active_name=due.names or (state.name_of(active) if active else ""),
        prompt_text=due.format_headline(""),
        winner=state.winner if len(rows) > 1 or system.roll_keys else "",
        rows=rows,
        ordered_rows=tuple(sorted(rows, key=lambda row: places.get(row.fighter.id, len(places)))),
        entries=list_log_entries(fight, is_whole),
        **acts,
    )


def _build_rows(fight: Fight, active: str, *, is_turn_shown: bool) -> tuple[FighterRow, ...]:
    """Build the rows of all characters, in the order of the file.

    With `is_turn_shown` the active character's row is that of its begun turn, before its first action too: an effect
    that lasts until the turn begins is gone. Rules: `act.engage.penalty`, `act.evade.end`, `flying.immunity`.
    """
    system, state = fight.system, fight.state
    colours = assign_side_colours(each.side for each in state.fighters)
    state_in_turn = state
    if is_turn_shown and active and system.roll_keys and state.phase == "running":
        state_in_turn = build_turn_context(state, active).state
    return tuple(
        FighterRow(
            each,
            system.build_status(state_in_turn if each.id == active else state, each.id),
            colours[each.side],
            each.id == active,
        )
        for each in state.fighters
    )


def _build_turn_menus(fight: Fight, aiming: TargetSelection, aim: Space | None, due: Prompt) -> dict[str, Any]:
    """What may be done in turns whose acts take targets, abilities and spaces.

    Of those whose turn may begin the first have their acts on the page, as many as there is room for.
    """
    state = fight.state
    if state.exposure is not None:
        question = board_menu.build_interrupt_question(state, due, ", ".join(map(str, get_pending_faces(fight))))
        return {"question": question, "turn_menus": (), "board": build_fight_board(state, None, None, aim, question)}
    there = list_possible_actors(state)
    wanted = sorted(there, key=lambda each: each != aiming.actor)
    turns: list[TurnMenu] = []
    reach: Overlay | None = None
    for each in wanted[:MAX_TURN_MENUS]:
        is_asked = each == (aiming.actor or wanted[0])
        chosen, pressed = (aiming.targets, aiming.pressed_targets) if is_asked else ((), ())
        side = state.fighter(each).side
        unseen = {own for own in aiming.hidden_ids if any(one.id == own and one.side != side for one in state.fighters)}
        before = tuple(own for own in find_last_targets(fight, each) if own not in unseen)
        turn, reaching = board_menu.build_turn_menu(state, each, chosen or before, pressed, unseen)
        turn = board_menu.aim_blast(state, replace(turn, has_chosen_targets=bool(chosen or pressed)))
        if turns and sum(shown.choice_count for shown in turns) + turn.choice_count > MAX_ACTION_CHOICES:
            break
        turns.append(turn)
        reach = reach or reaching
    others = tuple((each, state.fighter(each).name) for each in wanted[len(turns) :])
    if state.phase != "running":
        turns = [turn for turn in turns if turn.choice_count]
    first = turns[0] if turns else None
    return {
        "turn_menus": tuple(turns),
        "other_actors": others,
        "idle_turn_ends": list_idle_turn_ends(state),
        "crafting_menus": build_crafting_menus(state),
        "board": None if state.board is None else build_fight_board(state, first, reach, aim, None),
    }


def find_last_targets(fight: Fight, who: str) -> tuple[str, ...]:
    """Return the last targets of a fighter who can still be attacked.

    Returns () if no recent step has any.
    """
    own = (
        each.action.participants
        for each in reversed(fight.results[-MAX_LOG_ENTRIES:])
        if each.actor == who and each.is_legal
    )
    aimed = (dict.fromkeys(each for each in named if each != who) for named in own)
    out = {each.id for each in fight.state.fighters if fight.system.build_status(fight.state, each.id).is_out}
    return tuple(each for each in next(filter(None, aimed), ()) if each not in out)


def list_log_entries(fight: Fight, is_whole: bool = False) -> tuple[LogEntry, ...]:
    """The newest lines of the log, or all of it, the newest first."""
    logged = _list_logged_results(fight)
    first = 0 if is_whole else max(0, len(logged) - MAX_LOG_ENTRIES)
    entries, number = [], logged[first - 1][1] if first else 0
    for record, round_number in logged[first:]:
        is_new = record.is_legal and round_number > number
        number = round_number if is_new else number
        entries.append(LogEntry(record, number if is_new else 0))
    return tuple(reversed(entries))


def _list_logged_results(fight: Fight) -> list[tuple[StepResult, int]]:
    """List the records that have a line in the log, each with its round.

    The end of a turn has none after an action of that turn, unless it has a note.
    """
    found: list[tuple[StepResult, int]] = []
    before: StepResult | None = None
    for record, number in zip(fight.results, fight.rounds_by_step, strict=True):
        is_end = record.is_legal and record.do == END_TURN.do and not record.step.note
        if not (is_end and before and before.is_legal and before.actor == record.actor and before.do != END_TURN.do):
            found.append((record, number))
        before = record
    return found
