"""The view of a fight in every turn system: the characters' status, the turn, the possible actions and the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.board import Space
from scratch_core.calculators.board_drawing.overlay import Overlay
from scratch_core.calculators.fight import board_menu, variant_menu
from scratch_core.calculators.fight.action_menu import MAX_ACTION_CHOICES
from scratch_core.calculators.fight.basic_menu import (
    build_crafting_menus,
    build_started_turn_context,
    list_out_fighter_turn_ends,
    list_possible_actor_ids,
)
from scratch_core.calculators.fight.board_view import FightBoard, build_fight_board
from scratch_core.calculators.fight.event_row import EventRow, build_event_row
from scratch_core.calculators.fight.log_text import shorten_narration
from scratch_core.calculators.fight.menu_records import (
    ActionChoice,
    ActionGroup,
    Question,
    TurnMenu,
    assign_shortcut_keys,
)
from scratch_core.calculators.fight.roster import (
    FighterRow,
    find_latest_results,
    format_names_or_count_others,
    format_only_side_left_sentence,
    format_victory_sentence,
)
from scratch_core.calculators.fight.session import DEFAULT_TITLE, Fight, get_pending_faces
from scratch_core.calculators.shared.sides import assign_side_colours
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.rulebook.actions import CRAFT, END_ENCOUNTER, END_TURN
from scratch_core.scenario import StepResult
from scratch_core.turn_systems import JOIN, Prompt

MAX_LOG_ENTRIES = 48
"""The maximum number of log entries on the page, the newest. A button shows the others."""

MAX_TURN_MENUS = 6
"""The maximum number of possible actors whose actions are on the page. Buttons show those of the others."""


@dataclass(frozen=True, slots=True)
class TargetSelection:
    """The user's selection of an actor and its targets."""

    actor: str = ""
    """The id of the selected actor among those whose turn may begin, or ""."""
    targets: tuple[str, ...] = ()
    """The ids of the targets that the actor had in the last view."""
    pressed_targets: tuple[str, ...] = ()
    """The ids of the targets that were pressed since then, in order."""
    hidden_ids: frozenset[str] = frozenset()
    """The ids of the characters hidden from the players. Another side aims at them only if they are pressed."""
    marked_id: str = ""
    """The id of the character that was selected to enter what happened to it, or ""."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the log."""

    result: StepResult
    """The result of the step."""
    round: int
    """The round of the step."""
    new_round: int
    """The round that begins with the step, 0 if none does."""
    hit_point_changes: tuple[tuple[str, str], ...] = ()
    """The characters whose hit points the step changed, as names and changes such as `−2`."""

    @property
    def short_text(self) -> str:
        """The narration up to its first result, such as `Tolk attacks Gorm`."""
        return shorten_narration(self.result)

    @property
    def checks(self) -> tuple[tuple[bool, int], ...]:
        """Each roll against a difficulty: whether it succeeds, and its total."""
        return tuple((each.check.is_success, each.check.total) for each in _list_rolls_with_difficulty(self.result))

    @property
    def sum_texts(self) -> tuple[str, ...]:
        """The sum of each roll, or the die rolls if they had no difficulty."""
        return tuple(map(_format_sum, _list_rolls_with_difficulty(self.result))) or tuple(map(str, self.result.faces))


@dataclass(frozen=True, slots=True)
class ResultText:
    """The result of a step in words."""

    text: str
    """The narration."""
    rolls: tuple[FightRoll, ...] = ()
    """The rolls against a difficulty."""


def _list_rolls_with_difficulty(record: StepResult) -> tuple[FightRoll, ...]:
    """Return the rolls of a step that had a difficulty."""
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
    """A fight as the page shows it."""

    fight: Fight
    """The fight."""
    round: int
    """The round of the active character's turn."""
    active: str
    """The id of the character who is active, would begin a turn or is prompted; "" for no one."""
    active_name: str
    """The name of that character or its group, or ""."""
    prompt_text: str
    """What the page asks of it now, as it follows the name: `'s turn`."""
    winner: str
    """The winning side, or "" while there is none."""
    rows: tuple[FighterRow, ...]
    """The rows of all characters, in the order of the file."""
    ordered_rows: tuple[FighterRow, ...]
    """The rows in the turn order, those of characters without a turn last."""
    entries: tuple[LogEntry, ...]
    """The log entries on the page, the newest first."""
    question: Question | None = None
    """The question that must be answered before anything else, or None."""
    turn_menus: tuple[TurnMenu, ...] = ()
    """The actions of the possible actors, the likeliest actor first."""
    other_actors: tuple[tuple[str, str], ...] = ()
    """The ids and names of the possible actors without a menu on the page."""
    idle_turn_ends: tuple[ActionChoice, ...] = ()
    """The ends of turns that can be ended but need not be."""
    crafting_menus: tuple[TurnMenu, ...] = ()
    """The crafting actions before the first turn, by character."""
    start_groups: tuple[ActionGroup, ...] = ()
    """The actions that a character can start with before its first turn."""
    table_events: tuple[ActionGroup, ...] = ()
    """The events that the table can enter: lost hit points and the like."""
    event_row: EventRow | None = None
    """The row to enter what happened to one character, or None by the basic rules and after the fight."""
    board: FightBoard | None = None
    """The map, or None."""

    @property
    def state(self) -> Any:
        """The present state."""
        return self.fight.state

    @property
    def is_over(self) -> bool:
        """Whether the fight is over."""
        return bool(self.state.phase == "over")

    @property
    def ids_and_names(self) -> tuple[tuple[str, str], ...]:
        """The ids and names of all characters."""
        return tuple((row.fighter.id, row.fighter.name) for row in self.rows)

    @property
    def initiative(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The groups in the turn order: name, initiative, and the names of the members.

        () in a turn system without a lasting turn order.
        """
        return tuple(
            (each.group, each.formatted_total, tuple(member.name for member in self.state.list_members(each.group)))
            for each in getattr(self.state, "initiative", ())
        )

    @property
    def older_entry_count(self) -> int:
        """The number of older log entries that are left out."""
        return len(_list_logged_results_with_rounds(self.fight)) - len(self.entries)

    @property
    def has_unlisted_turn_ends(self) -> bool:
        """Whether the log leaves out step numbers, those of ended turns."""
        return len(_list_logged_results_with_rounds(self.fight)) < len(self.fight.results)

    @property
    def just_rolled_initiative_text(self) -> str:
        """Everyone's initiative and who goes first, while it has just been rolled.

        That is before the first turn, and after a character has joined and rolled. "" at any other time. Rules:
        `turn.initiative-roll`, `seize.roll`.
        """
        newest = self.entries[0].result if self.entries else None
        is_new = newest is None or newest.do == CRAFT.do or (newest.do == JOIN and bool(newest.rolls))
        if self.initiative and is_new:
            return _format_initiative(self.initiative, is_start=not self.state.active)
        if newest is None or not is_new:  # other turn systems tell it in how the fight began
            return ""
        entries, _ = self.fight.system.explain_turn_order(self.state, newest.rolls)
        return f"Initiative: {' · '.join(f'{each.name} {each.figure.value}' for each in entries if each.figure)}."

    @property
    def last_narration(self) -> str:
        """What happened last, as text.

        Before the first step it is how the fight began, unless a lasting turn order shows that.
        """
        return " ".join(result.text for result in self.last_results)

    @property
    def last_results(self) -> tuple[ResultText, ...]:
        """The results of what happened last.

        Two of them for a double attack, else one. Rule: `act.fighting.double`.
        """
        played = (each for each in reversed(self.fight.results) if each.do != END_ENCOUNTER.do)
        records = find_latest_results((each, each.do if each.is_legal else "") for each in played)
        if records:
            return tuple(ResultText(each.narration, _list_rolls_with_difficulty(each)) for each in records)
        return () if self.initiative else (ResultText(self.fight.opening_narration),)

    @property
    def current_menu(self) -> TurnMenu | None:
        """The menu that is shown first while the fight is not over, or None."""
        return self.turn_menus[0] if self.turn_menus and not self.is_over else None

    @property
    def shortcut_keys_by_step(self) -> dict[str, str]:
        """The keyboard shortcut of each visible action, by its step.

        While a question waits, its answers have the shortcuts.
        """
        if self.question:
            return assign_shortcut_keys(self.question.visible_steps)
        return assign_shortcut_keys(self.current_menu.visible_steps) if self.current_menu else {}

    @property
    def winner_text(self) -> str:
        """Who won and when, or "" while there is no winner."""
        return (
            format_victory_sentence(self.winner, self.winning_ids_and_names, max(1, self.state.round))
            if self.winner
            else ""
        )

    @property
    def winning_ids_and_names(self) -> tuple[tuple[str, str], ...]:
        """The ids and names of the winning side's members."""
        return tuple((row.fighter.id, row.fighter.name) for row in self.rows if row.fighter.side == self.winner)

    @property
    def ending_figures(self) -> tuple[tuple[str, str], ...]:
        """The figures of a fight that is won or over.

        Each is a label and a value: rounds, successes and the best roll, or rounds and actions in a turn system without
        rolls.
        """
        played = [each for each in self.fight.results if each.is_legal and not each.is_gm_action]
        rounds = str(max(1, self.state.round))
        checks = [
            (roll, roll.check)
            for each in played
            for roll in _list_rolls_with_difficulty(each)
            if roll.target != roll.who
        ]
        if not checks:
            count = sum(each.do not in (END_TURN.do, END_ENCOUNTER.do) for each in played)
            return (("rounds", rounds), ("actions", str(count)))
        best, check = max(checks, key=lambda each: each[1].total)
        hits = f"{sum(each.is_success for _, each in checks)} of {len(checks)}"
        return (
            ("rounds", rounds),
            ("successes", hits),
            (f"best roll, {self.state.name_of(best.who)}", str(check.total)),
        )

    @property
    def is_encounter(self) -> bool:
        """Whether a step ends the encounter, regardless of who is left. Rule: `turn.encounter`."""
        return END_ENCOUNTER.do in self.fight.system.table_event_titles

    @property
    def has_rolls(self) -> bool:
        """Whether a step of the fight rolled against a difficulty."""
        return any(_list_rolls_with_difficulty(each) for each in self.fight.results)

    @property
    def can_undo(self) -> bool:
        """Whether the fight has a step that can be undone.

        The steps that belong to the fight's beginning can't be undone."""
        return len(self.fight.steps) > self.fight.fixed_step_count

    @property
    def turn_prompt_text(self) -> str:
        """Whose turn it is and the prompt, or "" for no one."""
        return f"{self.active_name}{self.prompt_text}" if self.active and not self.is_over else ""

    @property
    def spoken_next_text(self) -> str:
        """What comes now, for a screen reader, after what happened."""
        if self.is_over:
            return f"The {'encounter' if self.is_encounter else 'fight'} is over."
        if self.winner and not self.is_encounter:
            return f"{format_only_side_left_sentence(self.winner, self.winning_ids_and_names)}."
        if self.question:
            return self.question.spoken_text
        if self.winner_text:
            return f"{self.winner_text}."
        if not self.is_encounter or (self.active and self.state.ledger.opened):
            return f"Round {self.round}. {self.turn_prompt_text}."
        return f"Round {self.round}, {self.active_name}'s turn." if self.active else "No one is able to act."

    @property
    def printed_name(self) -> str:
        """The name that the user has given the fight, or ""."""
        title = self.fight.scenario.title
        return "" if title == DEFAULT_TITLE else title

    @property
    def printed_title(self) -> str:
        """The title of the printed fight: `Round 2, Rook's turn`.

        After the fight it says who won, if anyone did.
        """
        if self.winner_text:
            return self.winner_text
        if self.is_over:
            return f"Round {self.round}, the {'encounter' if self.is_encounter else 'fight'} is over"
        return f"Round {self.round}, {self.turn_prompt_text or 'no one is able to act'}"

    @property
    def printed_sides(self) -> tuple[tuple[int, str], ...]:
        """The sides of the printed fight, as colours and names.

        A character that fights alone has no side here.
        """
        return tuple(dict.fromkeys((row.side_colour, row.side_label) for row in self.rows if row.side_label))

    @property
    def order_or_opening_text(self) -> str:
        """The turn order with everyone's initiative.

        In a turn system without a lasting turn order it is how the fight began.
        """
        return _format_initiative(self.initiative, is_start=False) if self.initiative else self.fight.opening_narration

    @property
    def full_log(self) -> str:
        """The whole log as text to copy, with rounds, and notes in quotation marks."""
        lines, number = [self.fight.opening_narration], 0
        for record, round_number in _list_logged_results_with_rounds(self.fight):
            if record.is_legal and round_number > number:
                number = round_number
                lines.append(f"\nRound {number}")
            note = f" “{record.step.note}”" if record.step.note else ""
            lines.append(f"{record.n}. {record.narration}{note}")
        return "\n".join(lines).strip() + "\n"

    @property
    def changed_settings(self) -> tuple[tuple[str, str], ...]:
        """The settings that are not the defaults.

        Each is the words of its option, and the id of its ruling.
        """
        rulings = self.fight.scenario.rulings
        return tuple(
            (words, switch.ruling)
            for switch in RULE_OPTIONS
            for choice, words in zip(switch.choices, switch.words, strict=True)
            if choice == getattr(rulings, switch.name) != switch.default
        )


def _format_initiative(initiative: Sequence[tuple[str, str, tuple[str, ...]]], *, is_start: bool) -> str:
    """Format the initiative as a sentence.

    For example `Bandit 2 21 · Bo 18 · Mira 17: Bandit 2 goes first.`
    """
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
    return f"{' · '.join(totals)}: {format_names_or_count_others(first)} {'goes' if len(first) == 1 else 'go'} first."


def build_fight_view(
    fight: Fight, target_selection: TargetSelection, selected_space: Space | None = None, is_whole: bool = False
) -> FightView:
    """Build the view of a fight.

    `target_selection` is the user's selection, and `selected_space` the selected space on a map. On a map a pending
    action becomes a question that precedes anything else. With `is_whole` the view has the whole log.
    """
    system, state = fight.system, fight.state
    prompt = system.build_prompt(state) or Prompt("", "'s turn", "", "")
    is_running = state.phase == "running"
    active = system.find_current_or_next_actor(state) if is_running else ""
    menu_data: dict[str, Any] = {}
    if system.roll_keys:
        menu_data = _build_turn_menus(fight, target_selection, selected_space, prompt)
        active = menu_data["turn_menus"][0].actor if is_running and menu_data["turn_menus"] else active
    elif is_running:
        menu_data = _build_variant_menu_view_arguments(fight, target_selection, prompt, active)
        active = getattr(state, "possible_counterattacker", "") or active
    rows = _build_rows(fight, active, shows_begun_turn=bool(menu_data.get("turn_menus")))
    ids = [each for position in state.turn_order for each in state.list_ids_sharing_turn(position)]
    positions = {fighter_id: position for position, fighter_id in enumerate(ids)}
    return FightView(
        fight=fight,
        round=system.find_turn_round(state, active),
        active=active,
        active_name=prompt.names or (state.name_of(active) if active else ""),
        prompt_text=prompt.format_headline(""),
        winner=state.winner if len(rows) > 1 or system.roll_keys else "",
        rows=rows,
        ordered_rows=tuple(sorted(rows, key=lambda row: positions.get(row.fighter.id, len(positions)))),
        entries=list_log_entries(fight, is_whole),
        **menu_data,
    )


def _build_rows(fight: Fight, active_id: str, *, shows_begun_turn: bool) -> tuple[FighterRow, ...]:
    """Build the rows of all characters, in the order of the file.

    With `shows_begun_turn` the active character's row is that of its begun turn, before its first action too: an effect
    that lasts until the turn begins is gone. Rules: `act.engage.penalty`, `act.evade.end`, `flying.immunity`.
    """
    system, state = fight.system, fight.state
    colours = assign_side_colours(each.side for each in state.fighters)
    state_in_turn = state
    if shows_begun_turn and active_id and system.roll_keys and state.phase == "running":
        state_in_turn = build_started_turn_context(state, active_id).state
    return tuple(
        FighterRow(
            each,
            system.build_status(state_in_turn if each.id == active_id else state, each.id),
            colours[each.side],
            each.id == active_id,
        )
        for each in state.fighters
    )


def _build_variant_menu_view_arguments(
    fight: Fight, target_selection: TargetSelection, prompt: Prompt, active: str
) -> dict[str, Any]:
    """Build the arguments of `FightView` that offer actions by another turn system."""
    menu_data = variant_menu.build_menu_view_arguments(fight, prompt, active)
    (menu,) = menu_data["turn_menus"]
    targets = (
        target_selection.targets
        if menu.actor == target_selection.actor
        else find_attackable_last_targets(fight, menu.actor)
    )
    menu = menu.with_targets(targets, target_selection.pressed_targets)
    candidates = (*reversed(menu.targets), active)
    starts, events = menu_data["start_groups"], menu_data["table_events"]
    row = build_event_row(fight, target_selection.marked_id, candidates, starts, events)
    return {**menu_data, "turn_menus": (menu,), "event_row": row}


def _build_turn_menus(
    fight: Fight, target_selection: TargetSelection, selected_space: Space | None, prompt: Prompt
) -> dict[str, Any]:
    """Build the arguments of `FightView` that offer actions by the basic rules.

    Of the characters whose turn may begin, the first have menus: at most `MAX_TURN_MENUS`, and at most
    `MAX_ACTION_CHOICES` choices in all, but at least one menu.
    """
    state = fight.state
    if state.pending_action is not None:
        question = board_menu.build_interrupt_question(state, prompt, ", ".join(map(str, get_pending_faces(fight))))
        return {
            "question": question,
            "turn_menus": (),
            "board": build_fight_board(state, None, None, selected_space, question),
        }
    possible_actors = list_possible_actor_ids(state)
    ordered_actors = sorted(possible_actors, key=lambda actor: actor != target_selection.actor)
    menus: list[TurnMenu] = []
    reach: Overlay | None = None
    for actor in ordered_actors[:MAX_TURN_MENUS]:
        is_selected = actor == (target_selection.actor or ordered_actors[0])
        menu, menu_reach = _build_turn_menu(fight, actor, target_selection, is_selected=is_selected)
        if menus and sum(other.choice_count for other in menus) + menu.choice_count > MAX_ACTION_CHOICES:
            break
        menus.append(menu)
        reach = reach or menu_reach
    others = tuple((actor, state.fighter(actor).name) for actor in ordered_actors[len(menus) :])
    if state.phase != "running":
        menus = [menu for menu in menus if menu.choice_count]
    first = menus[0] if menus else None
    return {
        "turn_menus": tuple(menus),
        "other_actors": others,
        "idle_turn_ends": list_out_fighter_turn_ends(state),
        "crafting_menus": build_crafting_menus(state),
        "board": None if state.board is None else build_fight_board(state, first, reach, selected_space, None),
    }


def _build_turn_menu(
    fight: Fight, actor_id: str, target_selection: TargetSelection, *, is_selected: bool
) -> tuple[TurnMenu, Overlay | None]:
    """Build the menu of a possible actor with its targets.

    Returns it with the overlay of the actor's moves, None without a map. The user's selection counts if the actor
    `is_selected`.
    """
    state = fight.state
    chosen, pressed = (target_selection.targets, target_selection.pressed_targets) if is_selected else ((), ())
    side = state.fighter(actor_id).side
    hidden_targets = {
        fighter_id
        for fighter_id in target_selection.hidden_ids
        if any(fighter.id == fighter_id and fighter.side != side for fighter in state.fighters)
    }
    previous_targets = tuple(
        fighter_id for fighter_id in find_attackable_last_targets(fight, actor_id) if fighter_id not in hidden_targets
    )
    menu, reach = board_menu.build_turn_menu(state, actor_id, chosen or previous_targets, pressed, hidden_targets)
    return board_menu.aim_blast_at_chosen_enemies(
        state, replace(menu, has_chosen_targets=bool(chosen or pressed))
    ), reach


def find_attackable_last_targets(fight: Fight, fighter_id: str) -> tuple[str, ...]:
    """Return the last targets of a fighter who can still be attacked.

    Returns () if no recent step has any.
    """
    participants_by_step = (
        each.action.participants
        for each in reversed(fight.results[-MAX_LOG_ENTRIES:])
        if each.actor == fighter_id and each.is_legal
    )
    targets_by_step = (
        dict.fromkeys(each for each in participants if each != fighter_id) for participants in participants_by_step
    )
    out_ids = {each.id for each in fight.state.fighters if fight.system.build_status(fight.state, each.id).is_out}
    return tuple(each for each in next(filter(None, targets_by_step), ()) if each not in out_ids)


def list_log_entries(fight: Fight, is_whole: bool = False) -> tuple[LogEntry, ...]:
    """List the newest log entries, or all of them, the newest first."""
    logged = _list_logged_results_with_rounds(fight)
    first = 0 if is_whole else max(0, len(logged) - MAX_LOG_ENTRIES)
    entries, last_round = [], logged[first - 1][1] if first else 0
    for record, round_number in logged[first:]:
        is_new = record.is_legal and round_number > last_round
        last_round = round_number if is_new else last_round
        changes = _list_hit_point_changes(fight.states[record.n - 1], record.state)
        entries.append(LogEntry(record, round_number, last_round if is_new else 0, changes))
    return tuple(reversed(entries))


def _list_hit_point_changes(before: Any, after: Any) -> tuple[tuple[str, str], ...]:
    """List whose hit points differ between two states.

    Each is a name and the change, such as `−2`. Returns () in a turn system without hit points.
    """
    points = {each.id: getattr(each, "hp", None) for each in before.fighters}
    pairs = ((each, getattr(each, "hp", None), points.get(each.id)) for each in after.fighters)
    return tuple(
        (each.name, f"{'−' if now < then else '+'}{abs(now - then)}")
        for each, now, then in pairs
        if isinstance(now, int) and isinstance(then, int) and now != then
    )


def _list_logged_results_with_rounds(fight: Fight) -> list[tuple[StepResult, int]]:
    """List the records that have a line in the log, each with its round.

    The end of a turn has none after an action of that turn, unless it has a note.
    """
    logged: list[tuple[StepResult, int]] = []
    previous: StepResult | None = None
    for record, round_number in zip(fight.results, fight.rounds_by_step, strict=True):
        is_end = record.is_legal and record.do == END_TURN.do and not record.step.note
        if not (
            is_end and previous and previous.is_legal and previous.actor == record.actor and previous.do != END_TURN.do
        ):
            logged.append((record, round_number))
        previous = record
    return logged
