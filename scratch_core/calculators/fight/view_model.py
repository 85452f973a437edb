"""The view that the fight's template renders, in every turn system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.characters_text.chooser import CHOOSE, Chooser, build_chooser
from scratch_core.calculators.characters_text.fighter_lines import (
    format_field_word,
    list_head_and_ambush_fields,
    list_line_fields,
    list_required_sample_items,
)
from scratch_core.calculators.fight import add_characters, board_setup, branches, gm_panel, players_screen
from scratch_core.calculators.fight.board_setup import FightBoardSetup
from scratch_core.calculators.fight.board_view import parse_selected_space
from scratch_core.calculators.fight.branches import Branch
from scratch_core.calculators.fight.commands import CONTINUE_COMMAND
from scratch_core.calculators.fight.display_commands import FILE_COMMANDS
from scratch_core.calculators.fight.event_row import MARKED_CONTROL, find_marked_fighter_id, format_marked
from scratch_core.calculators.fight.fight_view import FightView, TargetSelection, build_fight_view
from scratch_core.calculators.fight.gm_panel import GmPanel
from scratch_core.calculators.fight.guide import Guide, build_guide
from scratch_core.calculators.fight.menu_records import MAX_TARGETS
from scratch_core.calculators.fight.page_session import FightSession, FocusedSession, SetupSession, UnrolledSession
from scratch_core.calculators.fight.player_view import PlayerView
from scratch_core.calculators.fight.players_screen import ScreenSettings
from scratch_core.calculators.fight.request import (
    BASIC_CONTROLS,
    CONTROLS,
    FIGHT_CONTROLS,
    GUIDE_CONTROL,
    ODDS_CONTROL,
    SAME_PRESS,
    TURNING_CONTROL,
    VARIANT_CONTROLS,
    FightRequest,
    list_other_setup_controls,
)
from scratch_core.calculators.fight.roster import format_fight_name
from scratch_core.calculators.fight.session import Fight, find_remaining_steps_if_few, save_fight
from scratch_core.calculators.fight.setup import build_initiative_group_index
from scratch_core.calculators.fight.setup_commands import EVEN_COMMAND, list_stashed_names_and_sides
from scratch_core.calculators.fight.setup_rows import SetupRow, build_setup_rows
from scratch_core.calculators.fight.sides import US, Side, build_at_least_two_sides
from scratch_core.calculators.fight.surroundings import Surrounding, list_surroundings_to_toggle
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.house_rules import RulingChoice, build_ruling_choice, format_rules_query
from scratch_core.calculators.shared.limits import limit_problems, shorten_problem, truncate_line
from scratch_core.calculators.shared.names import choose_example_names, format_rolls_example
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.calculators.shared.sides import assign_side_colours
from scratch_core.cast.members import Kind
from scratch_core.encounter.state import EncounterState
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import Problem, find_first_error, has_errors
from scratch_core.rulebook import RULE_OPTIONS, format_setting_for_display
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.rulebook.actions import END_ENCOUNTER
from scratch_core.scenario import AnySystem, format_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, JOIN, Field
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

if TYPE_CHECKING:
    from scratch_core.calculators.shared.turning_points import WinCurve
    from scratch_core.calculators.shared.win_chances import FightChances

TURN_SYSTEM_OPTIONS = (("", SCRATCH.title), *((each.name, each.title) for each in VARIANT_TURN_SYSTEMS.values()))
"""The turn systems to choose from, as names and titles. The basic rules have an empty name."""

NOT_BEGUN = "not begun"
"""The stage of a fight that has not begun."""

SETUP_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "first": ("Who strikes first, if the story says so", "one name, or every name in dispute: {0}, {1}"),
    "stalkers": ("Ambush", "who stalks, and the result: {0} succeeds, {1} fails"),
    "ambush": ("Who ambushed the others", "one name"),
}
"""The questions about the beginning, by control: the label, and the format with two names as examples."""

MAX_PROBLEMS = 12
"""The most problems that a page shows; the others are counted."""

MAX_PROBLEM_LENGTH = 180
"""The maximum number of characters of a problem's text."""

MAX_SUMMARY_LENGTH = 380
"""The most characters of a summary."""

MAX_TARGET_PRESSES = 30
"""The most presses on targets that are read from one query."""

_SETUP_CONTROLS = (
    *("initiative", "before", "log", "odds", "called"),
    *(*BASIC_CONTROLS, *VARIANT_CONTROLS),
    *(players_screen.SIDES_CONTROL, players_screen.HIDDEN_CONTROL),
)
"""The controls of a setup, in its canonical query."""

_CARRIED_CONTROLS = (
    "log",
    "called",
    "redo",
    branches.CONTROL,
    branches.DISMISSED_CONTROL,
    branches.REPLACEMENT_CONTROL,
    "faces",
    "note",
    "picked",
    MARKED_CONTROL,
    SAME_PRESS,
    *players_screen.CONTROLS,
    ODDS_CONTROL,
    TURNING_CONTROL,
    GUIDE_CONTROL,
)
"""The controls that reopen a fight as it is."""

EXAMPLE_ROLLS = "Ann 12, Bo 17"
"""The example of typed initiative rolls for a setup without characters."""

_COMMANDS_WITH_CHOOSER = frozenset(("", CONTINUE_COMMAND, *FILE_COMMANDS))
"""The commands of a fight after which an open chooser of characters stays open."""


@dataclass(frozen=True, slots=True)
class View(PageView):
    """What the template gets, in every turn system."""

    systems: ClassVar[tuple[tuple[str, str], ...]] = TURN_SYSTEM_OPTIONS
    sample_fights: ClassVar[Mapping[str, tuple[str, str]]] = add_characters.SAMPLE_FIGHTS
    quick_add_abilities: ClassVar[tuple[str, ...]] = add_characters.QUICK_ADD_ABILITIES
    quick_add_controls: ClassVar[tuple[str, ...]] = add_characters.QUICK_ADD_CONTROLS
    abilities: ClassVar[tuple[tuple[str, str], ...]] = tuple((name, name) for name in ABILITY_NAMES)

    phase: str
    """`setup` (no fight yet), `dice` (an opened file whose beginning needs dice) or `fight`."""
    turn_system: AnySystem = SCRATCH
    """The turn system."""
    is_refused: bool = False
    """Whether `log` contains something that is no fight. It is left unchanged."""
    fighters: tuple[Any, ...] = ()
    """The characters of the setup, in the phase `setup`."""
    fight_view: FightView | None = None
    """The fight, in the phase `fight`."""
    undone_count: int = 0
    """The number of steps to redo, and 1 more if redo restores a saved version."""
    initial_state: EncounterState | None = None
    """The state of a setup by the basic rules that has several sides, else None."""
    board: FightBoardSetup | None = None
    """The map of a fight that has not begun, or None."""
    updated_fields: frozenset[str] = frozenset()
    """The controls whose text the answer has changed."""
    sides: tuple[Side, ...] = ()
    """The columns of the setup."""
    chooser: Chooser | None = None
    """The chooser of characters while it is open, or None."""
    stashed_label: str = ""
    """The number of characters stashed in the basic rules' setup while another turn system's setup is empty, in words,
    or "" for none."""
    surroundings: tuple[Surrounding, ...] = ()
    """The surroundings that can be changed in a setup or a fight, () on a map."""
    rolls_example: str = ""
    """An example of typed initiative rolls, with names of a setup's characters."""
    placeholder_names: tuple[str, ...] = ()
    """The names of the characters whose only ability is a toughness of 1."""
    game_master_panel: GmPanel | None = None
    """The GM's panel, or None outside a fight."""
    focus: str = ""
    """The part of the page that gets the focus: "gm", "log", "roll", "share", "screen", "odds", "turning", "guide",
    or "" for the head."""
    packed_fight: str = ""
    """The fight packed for a share link, or "" if none was requested."""
    remaining_steps: int | None = None
    """The number of steps that the file can still hold, or None while it is large."""
    saved_branches: tuple[Branch, ...] = ()
    """The versions that another one has replaced, see `branches`."""
    has_changed_roll: bool = False
    """Whether the command has changed a roll, and the latest version was saved before."""
    player_view: PlayerView | None = None
    """What the players see, or None while their screen is off."""
    screen_settings: ScreenSettings | None = None
    """The GM's settings of the players' screen, or None outside a fight."""
    win_chances: FightChances | None = None
    """Each side's win chance, or None if it was not requested."""
    win_curve: WinCurve | None = None
    """The win chance over an ended fight, or None if it was not requested."""
    is_incomplete: bool = False
    """Whether the page requests further win chances by itself."""
    guide: Guide | None = None
    """The explanations of a beginner's fight, or None in a usual fight."""
    is_start_refused: bool = False
    """Whether *Begin* was pressed and an error keeps the fight from beginning."""
    added_message: str = ""
    """Who came or went by the last command, as a sentence, or ""."""
    saved_summary: str = ""
    """The summary without a refusal, for the saved entry and the window's title; "" if nothing was refused."""

    @property
    def house_rules_query(self) -> str:
        """The table's ruling settings, as a query.

        They are those of the fight once it has begun, and before it those in the setup's fields.
        """
        fight_rulings = self.fight_view.fight.scenario.rulings if self.fight_view else None
        fields = (
            {name: format_setting_for_display(getattr(fight_rulings, name)) for name in self.turn_system.rule_options}
            if fight_rulings
            else self.fields
        )
        return format_rules_query(self.turn_system.rule_options, fields)

    @property
    def refusal(self) -> Problem | None:
        """The problem that prevented the press: the first error, or None."""
        return find_first_error(self.problems)

    # The setup

    @property
    def system_control_text(self) -> str:
        """The name of the turn system in its control, "" for the basic rules."""
        return self.turn_system.name if self.turn_system.character_fields else ""

    @property
    def has_seating_order(self) -> bool:
        """Whether turns go round by seats. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return any(field.key == "after" for field in self.turn_system.gm_fields.get(JOIN, ()))

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose."""
        return tuple(
            build_ruling_choice(switch) for switch in RULE_OPTIONS if switch.name in self.turn_system.rule_options
        )

    @property
    def required_stat_entries(self) -> tuple[str, ...]:
        """The entries that each character's line needs in this turn system, such as `hp 6`.

        A stat block does not contain them, so they are added to the line. Empty if the turn system requires none."""
        return list_required_sample_items(self.turn_system)

    @property
    def setup_questions(self) -> tuple[tuple[str, str, str], ...]:
        """The questions about the beginning: control, label and format with examples.

        () while there are neither characters nor answers.
        """
        controls = [field.key for field in list_head_and_ambush_fields(self.turn_system)]
        if not any(self.fields[name].strip() for name in ("fighters", *controls)):
            return ()
        return tuple(
            (name, label, format_text.format(*self.example_names))
            for name in controls
            for label, format_text in (SETUP_QUESTIONS[name],)
        )

    @property
    def example_names(self) -> tuple[str, str]:
        """Two names of this fight for examples."""
        return choose_example_names([each.name for each in self.fighters], ("Ann", "Bo"))

    @property
    def fighter_line_words(self) -> tuple[tuple[str, str, str], ...]:
        """The words of a line, each with its meaning and its default."""
        return tuple(
            (format_field_word(each), each.meaning, _format_default(each))
            for each in list_line_fields(self.turn_system)
        )

    @property
    def setup_rows(self) -> Mapping[str, SetupRow]:
        """The characters of another turn system's setup by id, in the order of the seats."""
        rows = build_setup_rows(self.turn_system, self.fighters, is_seated=self.has_seating_order)
        return {each.fighter.id: each for each in rows}

    @property
    def carried_controls(self) -> tuple[str, ...]:
        """The controls of the other setups, which the page carries in hidden fields."""
        return list_other_setup_controls(self.turn_system)

    @property
    def characters_control(self) -> str:
        """The control with the characters' text."""
        return "fighters" if self.system_control_text else "sheets"

    @property
    def groups_of_several_fighters(self) -> frozenset[str]:
        """The groups with more than one member."""
        return frozenset(group for group, count in Counter(each.group for each in self.fighters).items() if count > 1)

    @property
    def map_thumbnails(self) -> tuple[tuple[SampleMap, tuple[tuple[str, str], ...], str], ...]:
        """The sample maps, each with the paths of its thumbnail and the view box."""
        return tuple(map(board_setup.build_map_thumbnail, SAMPLE_MAPS))

    @property
    def side_colours(self) -> Mapping[str, int]:
        """The number of the colour of each side in the setup."""
        return assign_side_colours(each.side for each in self.fighters)

    # The fight

    @property
    def needs_win_chances(self) -> bool:
        """Whether the page needs each side's win chance.

        It was requested, for a fight by the basic rules that is not over, or a setup that could begin.
        """
        can_continue = not self.fight_view.is_over if self.fight_view else self.initial_state is not None
        return can_continue and not self.system_control_text and bool(self.fields["odds"])

    @property
    def has_turning_points(self) -> bool:
        """Whether the page can show turning points: the fight has a winner and rolls."""
        shown = self.fight_view
        return bool(shown and shown.winner and shown.has_rolls and not shown.board and not self.system_control_text)

    @property
    def needs_win_curve(self) -> bool:
        """Whether the page needs the win chance over the fight."""
        return self.has_turning_points and bool(self.fields[TURNING_CONTROL])

    @property
    def even_command(self) -> str:
        """The command that makes the fight of the set-up more even, or ""."""
        from scratch_core.calculators.fight.balance import format_change  # loaded only with win chances

        change = self.win_chances.balance_change if self.win_chances else None
        return f"{EVEN_COMMAND} {format_change(change)}" if change else ""

    def format_replay_link(self, step: int) -> str:
        """Format the link to a step of the fight's replay, with the win chances."""
        fields = {"scenario": self.fields["log"], "odds": "1", "step": str(step)}
        return f"../replay/#?{share_links.PACKED_CONTROL}={share_links.pack_fields(fields)}"

    @property
    def is_transient(self) -> bool:
        """Whether the view shows something that the fight's query does not restore.

        A request for further win chances would then remove it.
        """
        has_selection = any(self.fields[name] for name in ("who", "aim"))
        return (
            has_errors(self.problems)
            or has_selection
            or self.focus not in ("", ODDS_CONTROL, TURNING_CONTROL, GUIDE_CONTROL)
        )

    @property
    def hidden_ids(self) -> Sequence[str]:
        """The ids of the characters that are hidden from the players."""
        return players_screen.parse_json_names(self.fields[players_screen.HIDDEN_CONTROL])

    @property
    def saved_name(self) -> str:
        """The name of the saved entry: the title, else the fighters, with the stage."""
        fighters = [row.fighter for row in self.fight_view.rows] if self.fight_view else self.fighters
        return format_fight_name([(each.name, each.side) for each in fighters], self.stage, self.fields["called"])

    @property
    def share_query(self) -> str:
        """The query of the share link: the fight's name and the packed fight."""
        return format_query({"title": self.saved_name}) + f"&{share_links.PACKED_CONTROL}={self.packed_fight}"

    @property
    def recent_branch(self) -> Branch | None:
        """The latest version that was left.

        None after the turn in which it was left, or once it is dismissed. The version before a changed roll is shown
        once, also many turns after the roll.
        """
        latest = next(iter(self.saved_branches), None)
        is_recent = latest is not None and (latest.is_recent or self.has_changed_roll)
        return latest if is_recent and not self.fields[branches.DISMISSED_CONTROL] else None

    @property
    def stage(self) -> str:
        """The stage of the fight in a few words, with another turn system's name."""
        stage = NOT_BEGUN
        if self.fight_view:
            stage = "over" if self.fight_view.is_over else f"round {self.fight_view.round}"
        return f"{stage}, {self.turn_system.title}" if self.system_control_text else stage


def _format_default(field: Field) -> str:
    """Format the value of a line without a field's word."""
    return "needed" if field.default is None else field.type.format_for_players(field, field.default)


def build_view(request: FightRequest, session: FightSession | SetupSession | UnrolledSession) -> View:
    """Build the view of a session."""
    if isinstance(session, FightSession):
        return _build_running_view(request, session)
    return (
        _build_setup_view(request, session) if isinstance(session, SetupSession) else _build_dice_view(request, session)
    )


def _build_phase_view(
    request: FightRequest, session: FocusedSession, phase: str, *, query: Mapping[str, str], summary: str, **more: Any
) -> View:
    """Build the view of a phase."""
    shortened = [shorten_problem(each, MAX_PROBLEM_LENGTH) for each in session.problems]
    problems = limit_problems(shortened, MAX_PROBLEMS, "fight.more")
    return View(
        format_query(query),
        summary,
        problems,
        session.fields,
        phase,
        turn_system=request.system,
        focus=session.focus,
        **more,
    )


def _collect_own_and_carried_fields(
    request: FightRequest, session: FocusedSession, own_names: Sequence[str]
) -> dict[str, str]:
    """Return the texts of these controls and of the other turn systems' setups.

    A fight carries the latter along.
    """
    return {name: session.fields[name] for name in (*own_names, *list_other_setup_controls(request.system))}


# The setup


def _build_dice_view(request: FightRequest, session: UnrolledSession) -> View:
    """Build the view of a file whose beginning needs dice."""
    summary = "To begin, roll for who goes first." if request.system.character_fields else "To begin, roll initiative."
    query = _collect_own_and_carried_fields(request, session, ("log", "called"))
    return _build_phase_view(request, session, "dice", query=query, summary=summary)


def _build_setup_view(request: FightRequest, session: SetupSession) -> View:
    """Build the view of a fight that has not begun."""
    fields, validated, system = session.fields, session.validated, request.system
    fighters = validated.scenario.fighters if validated.scenario else ()
    stashed_count, target = len(list_stashed_names_and_sides(system, fields)), fields["choosing"].strip()
    first_kind: Kind = "archetype" if target == US else "opponent"
    has_surroundings = fighters and not validated.board and not system.character_fields
    return _build_phase_view(
        request,
        session.with_problems(session.start_problems),
        "setup",
        query={name: text for name, text in fields.items() if name in _SETUP_CONTROLS},
        summary=_summarize_setup(session, len(fighters)),
        is_refused=session.is_refused,
        is_start_refused=session.is_start_refused,
        fighters=fighters,
        initial_state=_find_initial_state(session) if not system.character_fields else None,
        sides=build_at_least_two_sides(fighters, validated.waiting_tokens),
        added_message=session.message,
        board=validated.board,
        updated_fields=session.updated_fields,
        chooser=build_chooser(request.query, target, first_kind, is_new=session.is_chooser_new) if target else None,
        surroundings=list_surroundings_to_toggle(fighters) if has_surroundings else (),
        rolls_example=_format_rolls_example(validated.scenario.initial_state if validated.scenario else None),
        placeholder_names=()
        if system.character_fields
        else tuple(each.name for each in fighters if _has_placeholder_abilities(each)),
        stashed_label=f"{stashed_count} {'character' if stashed_count == 1 else 'characters'}" if stashed_count else "",
    )


def _format_rolls_example(initial_state: Any) -> str:
    """Format an example of typed initiative rolls, with a setup's characters if possible."""
    if initial_state is None:
        return EXAMPLE_ROLLS
    groups_and_names = ((getattr(each, "group", each.id), each.name) for each in initial_state.fighters)
    return format_rolls_example(groups_and_names, build_initiative_group_index(initial_state), EXAMPLE_ROLLS)


def _summarize_setup(session: SetupSession, fighter_count: int) -> str:
    """Say who came or went, or how many characters are ready."""
    if session.message or session.problems:
        return session.message
    ready_text = f"{fighter_count} characters are ready." if fighter_count > 1 else ""
    if "log" in session.updated_fields:
        return f"The file's stat blocks are in the setup. {ready_text}".strip()
    return ready_text


def _find_initial_state(session: SetupSession) -> EncounterState | None:
    """Find the state before the fight.

    Returns None for an invalid setup, and if everyone is on the same side.
    """
    scenario = session.validated.scenario
    if scenario is None or len({each.side for each in scenario.fighters}) < 2:
        return None
    state: EncounterState = scenario.initial_state
    return state


def _has_placeholder_abilities(fighter: Any) -> bool:
    """Return whether a character has a toughness of 1 and no other ability."""
    return [(each.ability, each.level) for each in fighter.character.lines] == [("toughness", 1)]


# The running fight


def _build_running_view(request: FightRequest, session: FightSession) -> View:
    """Build the view of a running fight."""
    if not session.fight.steps:  # reported once, before the first step
        minion_problems = session.fight.scenario.minion_problems
        session = session.with_problems(problem.with_location("log") for problem in minion_problems)
    target = _find_character_chooser_target(request, session)
    session = _store_fight_and_clear_setup(request, session, keeps_search_text=bool(target))
    fight, fields = session.fight, session.fields
    hidden_ids = frozenset(players_screen.parse_json_names(fields[players_screen.HIDDEN_CONTROL]))
    aiming = _parse_actor_and_targets(fight, fields, hidden_ids)
    fight_view = build_fight_view(fight, aiming, parse_selected_space(fields["aim"]), request.is_whole_log)
    marked = format_marked(fight, aiming.marked_id) if fight_view.event_row else ""
    session = session.with_fields({"picked": _format_actor_and_target_ids(fight_view, aiming), MARKED_CONTROL: marked})
    fields = session.fields
    summary, refusal = _format_message_and_prompt(session, fight_view), find_first_error(session.problems)
    return _build_phase_view(
        request,
        session,
        "fight",
        query=_collect_own_and_carried_fields(request, session, _CARRIED_CONTROLS),
        summary=_add_refusal(refusal, summary) if refusal else summary,
        saved_summary=summary if refusal else "",
        fight_view=fight_view,
        undone_count=len(session.undone_steps) + session.fields[branches.REPLACEMENT_CONTROL].startswith(branches.REDO),
        game_master_panel=gm_panel.build_gm_panel_unless_pending(fight, fields),
        packed_fight=share_links.pack_fields({"log": fields["log"]}) if session.is_shared else "",
        remaining_steps=find_remaining_steps_if_few(fight),
        chooser=build_chooser(request.query, target, "opponent", is_new=session.focus == CHOOSE) if target else None,
        saved_branches=branches.list_branches(fight, fields[branches.CONTROL]),
        has_changed_roll=session.has_changed_roll,
        surroundings=_list_changeable_surroundings(fight),
        player_view=players_screen.build_screen_view(fight, fields, fight_view.ordered_rows),
        guide=build_guide(fight_view, fields[GUIDE_CONTROL]),
        screen_settings=players_screen.build_screen_settings(fields, fight_view.ordered_rows),
    )


def _find_character_chooser_target(request: FightRequest, session: FightSession) -> str:
    """Return what the open chooser adds characters to, or "" if it is closed."""
    is_open = request.command.name in _COMMANDS_WITH_CHOOSER or session.has_errors
    return session.fields["choosing"] if is_open else ""


def _store_fight_and_clear_setup(
    request: FightRequest, session: FightSession, *, keeps_search_text: bool
) -> FightSession:
    """Return the session with the texts of a running fight's controls.

    The fight's file and the undone steps are formatted. The controls of a setup are empty.
    """
    fight, undone_steps, find = session.fight, session.undone_steps, session.fields["find"]
    own_controls = {*FIGHT_CONTROLS, *list_other_setup_controls(request.system)}
    return session.with_fields(
        {
            **{name: "" for name in CONTROLS if name not in own_controls},
            "log": save_fight(fight),
            "redo": format_json(list(undone_steps)) if undone_steps else "",
            "find": find if keeps_search_text else "",
        }
    )


def _parse_actor_and_targets(fight: Fight, fields: Mapping[str, str], hidden_ids: frozenset[str]) -> TargetSelection:
    """Parse the selection of an actor, its targets, and the character to enter events for."""
    who, *target_ids = fields["picked"].split()[: MAX_TARGETS + 1] or [fields["who"]]
    pressed_ids = fields["aimed"].replace(";", " ").split()[-MAX_TARGET_PRESSES:]
    marked_id = find_marked_fighter_id(fight, pressed_ids, fields[MARKED_CONTROL])
    return TargetSelection(who, tuple(target_ids), tuple(pressed_ids), hidden_ids, marked_id)


def _format_actor_and_target_ids(fight_view: FightView, target_selection: TargetSelection) -> str:
    """Format the actor and the targets that the user has selected.

    Returns "" without a selection.
    """
    menu = fight_view.current_menu
    if menu is None or not (
        target_selection.pressed_targets or (target_selection.targets and menu.actor == target_selection.actor)
    ):
        return ""
    return " ".join((menu.actor, *menu.targets))


def _format_message_and_prompt(session: FightSession, fight_view: FightView) -> str:
    """Say what happened and what comes now."""
    message = session.message
    if fight_view.just_rolled_initiative_text and message:  # it has names and everyone's totals
        is_beginning = message == session.fight.opening_narration
        message = (
            fight_view.just_rolled_initiative_text
            if is_beginning
            else f"{message} {fight_view.just_rolled_initiative_text}"
        )
    has_just_ended = bool(session.fight.results) and session.fight.results[-1].do == END_ENCOUNTER.do
    if has_just_ended:  # the view says the end, too
        message = message.removeprefix(session.fight.narration).strip()
    text = f"{message} {fight_view.spoken_next_text}" if message else fight_view.spoken_next_text
    return truncate_line(text, MAX_SUMMARY_LENGTH)


def _add_refusal(refusal: Problem, summary: str) -> str:
    """Say first why the press wasn't carried out. A screen reader announces it."""
    reason = format_problem_sentence(shorten_problem(refusal, MAX_PROBLEM_LENGTH))
    return truncate_line(f"The action wasn't carried out. {reason} {summary}", MAX_SUMMARY_LENGTH)


def _list_changeable_surroundings(fight: Fight) -> tuple[Surrounding, ...]:
    """List the surroundings that the game master can change now.

    Returns () on a map, and before and after the encounter.
    """
    can_change = CHANGE_SURROUNDINGS in fight.system.gm_fields and fight.state.phase == "running"
    return list_surroundings_to_toggle(fight.state.fighters) if can_change else ()
