"""The fight's controls, one query of them while it is answered, and what its template prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.characters_text.chooser import Chooser
from scratch_core.calculators.characters_text.fighter_lines import (
    format_field_word,
    list_head_fields,
    list_line_fields,
    list_required_words,
)
from scratch_core.calculators.fight import add_characters, board_setup, branches, gm_panel, players_screen
from scratch_core.calculators.fight.board_setup import FightBoardSetup
from scratch_core.calculators.fight.branches import Branch
from scratch_core.calculators.fight.gm_panel import GmPanel
from scratch_core.calculators.fight.player_view import PlayerView
from scratch_core.calculators.fight.players_screen import ScreenSettings
from scratch_core.calculators.fight.roster import format_fight_name
from scratch_core.calculators.fight.session import detect_system_name
from scratch_core.calculators.fight.sides import Side
from scratch_core.calculators.fight.surroundings import Surrounding
from scratch_core.calculators.fight.variant_menu import ACTION_CONTROLS
from scratch_core.calculators.fight.view_model import FightView
from scratch_core.calculators.shared import form, share_links
from scratch_core.calculators.shared.form import (
    Form,
    RulingChoice,
    assign_side_colours,
    build_ruling_choice,
)
from scratch_core.calculators.shared.names import choose_example_names, format_rolls_example
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.dice import Roller
from scratch_core.encounter.state import EncounterState
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.rulebook import RULE_OPTIONS, format_setting
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import JOIN, Field
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

if TYPE_CHECKING:
    from scratch_core.calculators.shared.win_chances import FightChances

MAX_QUERY_LENGTH = 1_100_000
"""The longest query read: it carries a whole fight, and what was undone of it."""

SAME_PRESS = "same_press"
"""The control with the numbers of the steps that were taken by the same press as the step before."""

OTHER_LINES = "other_lines"
"""The control with the lines typed for the turn systems that are not chosen, as JSON by their names."""

VARIANT_CONTROLS = ("system", "fighters", "first", "stalkers", "ambush", "seize_on_total", OTHER_LINES)
"""The controls of the other turn orders' set-up; each set-up keeps what was typed into the others'."""

BASIC_CONTROLS = ("sheets", *SCRATCH.rule_options, *board_setup.CONTROLS)
"""The controls of the basic rules' set-up."""

_STEP_CONTROLS = (
    *(
        "log",
        "redo",
        branches.CONTROL,
        branches.DISMISSED_CONTROL,
        "faces",
        "note",
        "who",
        "picked",
        "aimed",
        "aims",
        SAME_PRESS,
    ),
    *("check_actor", "check_ability", "check_difficulty", "check_requires"),
)
FIGHT_CONTROLS = (*_STEP_CONTROLS, "called", "aim", *gm_panel.CONTROLS, *players_screen.CONTROLS, "odds")
"""The controls of a fight that is on."""

CONTROLS = (
    *("sheets", "initiative", *SCRATCH.rule_options, "before"),
    *(*_STEP_CONTROLS, "called"),
    *VARIANT_CONTROLS,
    *(*board_setup.CONTROLS, "aim"),
    *add_characters.CONTROLS,
    *(*gm_panel.CONTROLS, *players_screen.CONTROLS, "odds"),
)
"""The names of all controls but `act`, in the order of the canonical query."""

TURN_SYSTEM_OPTIONS = (("", SCRATCH.title), *((each.name, each.title) for each in VARIANT_TURN_SYSTEMS.values()))
"""The turn orders to choose from."""

NOT_BEGUN = "not begun"

SETUP_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "first": ("Who strikes first, if the story says so", "one name, or every name in dispute: {0}, {1}"),
    "stalkers": ("Ambush", "who stalks, and the result: {0} succeeds, {1} fails"),
    "ambush": ("Who ambushed the others", "one name"),
}
"""What is asked about the beginning, each with how it is written for two names."""


MAX_PROBLEM_LENGTH = 180
"""The maximum number of characters of the words of a problem."""


def list_other_setup_controls(system: AnySystem) -> tuple[str, ...]:
    """Return the controls of the other turn systems' set-ups, which this one's pages carry out of sight."""
    own = BASIC_CONTROLS
    if system.character_fields:
        own = ("fighters", *(each.key for each in list_head_fields(system)), *system.rule_options)
    return tuple(name for name in (*BASIC_CONTROLS, *VARIANT_CONTROLS[1:]) if name not in own)


class FightForm(Form):
    """One query.

    `command` is what was pressed, with what stands behind its first word; `announcement` is to be said aloud.

    `system` is the order of turns that is chosen, or in which the fight is. `is_whole_log`: all of the log was asked
    for; `focus` is where the reader looks. `updated_fields` are controls that the answer settles anew;
    `added_characters` are those brought in, their names and stat blocks, and `added_message` says who came or went.
    `spare_faces` are own dice for a second attack.
    """

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in (*CONTROLS, *ACTION_CONTROLS)})
        self.roller = roller
        self.command = query.text("act").strip()
        self.is_whole_log = bool(query.text("whole"))
        self.stroke = query.text("stroke").strip()
        self.packed_link = query.text(share_links.PACKED_CONTROL)
        self.focus = "log" if self.is_whole_log else ""
        self.announcement = self.added_message = ""
        self.spare_faces: tuple[int, ...] = ()
        self.added_characters: list[tuple[str, list[str]]] = []
        self.updated_fields: set[str] = set()
        if self.fields["log"] in ("begin", "resume"):  # the buttons that put a new fight in place of what was typed
            self.command, self.fields["log"] = self.fields["log"], ""
        if self.command == "resume" and not self.fields["log"].strip():
            self.fields |= {"log": self.fields["before"], "before": ""}
        log = self.fields["log"].strip()
        self.system: AnySystem = VARIANT_TURN_SYSTEMS.get(
            detect_system_name(log) if log else self.fields["system"], SCRATCH
        )
        if not self.system.roll_keys:  # no act throws dice: faces typed in another fight are none of this one's
            self.fields |= {"faces": "", "odds": ""}
        self.fields["odds"] = self.fields["odds"] if self.fields["odds"] == "on" else ""

    @property
    def command_name(self) -> str:
        """The first word of what was pressed."""
        return self.command.partition(" ")[0]

    @property
    def command_argument(self) -> str:
        """What stands behind the first word of what was pressed."""
        return self.command.partition(" ")[2]

    @property
    def characters_control(self) -> str:
        """The control of those who fight."""
        return "fighters" if self.system.character_fields else "sheets"


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints, in every order of turns.

    `phase` is `setup` (no one fights yet), `dice` (an opened file's beginning is still to be thrown) or `fight`.
    `turn_system` is the order of turns. `fighters` are those who would fight, in `setup`; `fight_view` is the fight.
    `is_refused`: `log` holds something that is no fight, and it stays as it was. `initial_state` is a fight of several
    sides that might begin. `board` is the board of a fight that has not begun; `updated_fields` are the controls whose
    text the answer has changed. `sides` are the columns of a set-up, `chooser` is there while someone is being chosen
    for one. `stashed_label` says how many the basic rules' set-up keeps while no one stands in another order's.
    `surroundings` are what the place may offer, in a set-up and in a fight, () on a map; `placeholder_names` are the
    names of those who have only a toughness of 1.

    For a game master: `game_master_panel` is its block, None where there is nothing for it; `focus` is where the reader
    looks and stays ("hand", "log", "carry", "screen", "odds", or "" for the head); `packed_fight` is the fight packed
    for a link, where one was asked for; `remaining_steps` is how many more steps it may have, None while that is no
    worry; `saved_branches` those left by an act after an undo; `player_view` is what the players see, None while it is
    off, and `screen_settings` what the game master sets of it. `win_chances` are each side's chances, where they are
    asked for; `is_incomplete` says that there are more to come. `is_start_refused`: *Begin* was pressed, and something
    keeps the fight from beginning; `added_message` says who came or went by the last press.
    """

    systems: ClassVar[tuple[tuple[str, str], ...]] = TURN_SYSTEM_OPTIONS
    sample_fights: ClassVar[Mapping[str, tuple[str, str]]] = add_characters.SAMPLE_FIGHTS
    quick_add_abilities: ClassVar[tuple[str, ...]] = add_characters.QUICK_ADD_ABILITIES
    abilities: ClassVar[tuple[tuple[str, str], ...]] = tuple((name, name) for name in ABILITY_NAMES)

    phase: str
    turn_system: AnySystem = SCRATCH
    is_refused: bool = False
    fighters: tuple[Any, ...] = ()
    fight_view: FightView | None = None
    undone_count: int = 0
    initial_state: EncounterState | None = None
    board: FightBoardSetup | None = None
    updated_fields: frozenset[str] = frozenset()
    sides: tuple[Side, ...] = ()
    chooser: Chooser | None = None
    stashed_label: str = ""
    surroundings: tuple[Surrounding, ...] = ()
    placeholder_names: tuple[str, ...] = ()
    game_master_panel: GmPanel | None = None
    focus: str = ""
    packed_fight: str = ""
    remaining_steps: int | None = None
    saved_branches: tuple[Branch, ...] = ()
    player_view: PlayerView | None = None
    screen_settings: ScreenSettings | None = None
    win_chances: FightChances | None = None
    is_incomplete: bool = False
    is_start_refused: bool = False
    added_message: str = ""

    @property
    def house_rules_query(self) -> str:
        """The rules that a table may set and this fight follows: its own, once it has begun."""
        own = self.fight_view.fight.scenario.rulings if self.fight_view else None
        fields = (
            {name: format_setting(getattr(own, name)) for name in self.turn_system.rule_options} if own else self.fields
        )
        return form.format_rules(self.turn_system.rule_options, fields)

    # The set-up

    @property
    def system_name(self) -> str:
        """The order's name as the control has it, "" for Scratch's own."""
        return self.turn_system.name if self.turn_system.character_fields else ""

    @property
    def is_seated(self) -> bool:
        """Whether turns go round by the seats. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return any(field.key == "after" for field in self.turn_system.gm_fields.get(JOIN, ()))

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose."""
        return tuple(
            build_ruling_choice(switch) for switch in RULE_OPTIONS if switch.name in self.turn_system.rule_options
        )

    @property
    def required_words(self) -> tuple[str, ...]:
        """What each line must say here and a stat block doesn't."""
        return list_required_words(self.turn_system)

    @property
    def setup_questions(self) -> tuple[tuple[str, str, str], ...]:
        """What is asked about the beginning: a control, its label, and how it is written."""
        return tuple(
            (each.key, label, how.format(*self.example_names))
            for each in list_head_fields(self.turn_system)
            for label, how in (SETUP_QUESTIONS[each.key],)
        )

    @property
    def example_names(self) -> tuple[str, str]:
        """Return two names of this fight for examples."""
        return choose_example_names([each.name for each in self.fighters], ("Ann", "Bo"))

    @property
    def rolls_example(self) -> str:
        """Return how rolls for initiative are typed."""
        return format_rolls_example(self.example_names)

    @property
    def line_words(self) -> tuple[tuple[str, str, str], ...]:
        """The words of a line: each with what it means, and what holds without it."""
        return tuple(
            (format_field_word(each), each.meaning, _format_default(each))
            for each in list_line_fields(self.turn_system)
        )

    @property
    def seat_rows(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Everyone as the lines say, in the order of the seats: id, name, then a value for each word."""
        fields = list_line_fields(self.turn_system)
        return tuple(
            (who.id, who.name, tuple(each.type.format_label(each, getattr(who, each.key)) for each in fields))
            for who in self.fighters
        )

    @property
    def carried_controls(self) -> tuple[str, ...]:
        """The controls of the other set-ups, whose content is kept out of sight."""
        return list_other_setup_controls(self.turn_system)

    @property
    def characters_control(self) -> str:
        """The control of those who fight."""
        return "fighters" if self.system_name else "sheets"

    @property
    def shared_groups(self) -> frozenset[str]:
        """The groups of more than one."""
        return frozenset(group for group, count in Counter(each.group for each in self.fighters).items() if count > 1)

    @property
    def map_thumbnails(self) -> tuple[tuple[SampleMap, tuple[tuple[str, str], ...], str], ...]:
        """The ready maps, each with what is drawn small of it."""
        return tuple(map(board_setup.build_map_thumbnail, SAMPLE_MAPS))

    @property
    def side_colours(self) -> Mapping[str, int]:
        """The colour's number of each side of those who would fight."""
        return assign_side_colours(each.side for each in self.fighters)

    # The fight

    @property
    def needs_win_chances(self) -> bool:
        """Whether each side's chance is asked for, in a fight by the basic rules that goes on or might begin."""
        is_on = not self.fight_view.is_over if self.fight_view else self.initial_state is not None
        return is_on and not self.system_name and bool(self.fields["odds"])

    @property
    def is_transient(self) -> bool:
        """Whether something is shown that the fight's query doesn't bring back: it would go if more were asked for."""
        is_wrong = any(problem.severity == "error" for problem in self.problems)
        is_aimed = any(self.fields[name] for name in ("who", "aim"))
        return is_wrong or is_aimed or self.focus not in ("", "odds")

    @property
    def saved_name(self) -> str:
        """What the fight is called among those kept: by its name, else who fights, and how far it has come."""
        fighters = [row.fighter for row in self.fight_view.rows] if self.fight_view else self.fighters
        return format_fight_name([(each.name, each.side) for each in fighters], self.stage, self.fields["called"])

    @property
    def share_query(self) -> str:
        """What stands behind the question mark of the packed link: what the fight is called, and all of it."""
        return format_query({"title": self.saved_name}) + f"&{share_links.PACKED_CONTROL}={self.packed_fight}"

    @property
    def recent_branch(self) -> Branch | None:
        """The story left last, while its turn goes on and no one has dismissed it."""
        latest = next(iter(self.saved_branches), None)
        return latest if latest and latest.is_recent and not self.fields[branches.DISMISSED_CONTROL] else None

    @property
    def stage(self) -> str:
        """How far the fight has come, in a few words."""
        if not self.fight_view:
            return NOT_BEGUN
        return "over" if self.fight_view.is_over else f"round {self.fight_view.round}"


def _format_default(field: Field) -> str:
    """The value for a line without such a word."""
    return "needed" if field.default is None else field.type.format_label(field, field.default)
