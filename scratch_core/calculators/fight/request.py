"""The fight's controls, the request being answered, and the view that its template renders."""

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
from scratch_core.calculators.fight.variant_controls import ACTION_CONTROLS
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
"""The maximum length of a query. A query carries a whole fight, and its undone steps."""

SAME_PRESS = "same_press"
"""The control with the numbers of the steps that the press of the step before took, too."""

OTHER_LINES = "other_lines"
"""The control with the lines of the turn systems that are not chosen, as a JSON object by their names."""

VARIANT_CONTROLS = ("system", "fighters", "first", "stalkers", "ambush", "seize_on_total", OTHER_LINES)
"""The controls of the other turn systems' setups. Each setup carries what was typed into the others."""

BASIC_CONTROLS = ("sheets", *SCRATCH.rule_options, *board_setup.CONTROLS)
"""The controls of the basic rules' setup."""

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
"""The controls of a running fight."""

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
"""The turn systems to choose from, as names and titles. The basic rules have an empty name."""

NOT_BEGUN = "not begun"
"""The stage of a fight that has not begun."""

SETUP_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "first": ("Who strikes first, if the story says so", "one name, or every name in dispute: {0}, {1}"),
    "stalkers": ("Ambush", "who stalks, and the result: {0} succeeds, {1} fails"),
    "ambush": ("Who ambushed the others", "one name"),
}
"""The questions about the beginning, by control: the label, and the format with two names as examples."""


MAX_PROBLEM_LENGTH = 180
"""The maximum number of characters of a problem's text."""


def list_other_setup_controls(system: AnySystem) -> tuple[str, ...]:
    """List the controls of the other turn systems' setups.

    The pages of a turn system carry them in hidden fields.
    """
    own = BASIC_CONTROLS
    if system.character_fields:
        own = ("fighters", *(each.key for each in list_head_fields(system)), *system.rule_options)
    return tuple(name for name in (*BASIC_CONTROLS, *VARIANT_CONTROLS[1:]) if name not in own)


class FightForm(Form):
    """A request to the fight's page.

    - `command` is the button's command with its argument, and `announcement` is the text for a screen reader.
    - `system` is the chosen turn system, or that of the fight.
    - `is_whole_log`: the request asks for the whole log.
    - `focus` is the part of the page that gets the focus.
    - `updated_fields` are the controls that the answer changes.
    - `added_characters` are the added characters as names with stat blocks, and `added_message` says who came or went.
    - `spare_faces` are the player's own die rolls for a second attack.
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
        if self.fields["log"] in ("begin", "resume"):  # the buttons that replace the typed text by a new fight
            self.command, self.fields["log"] = self.fields["log"], ""
        if self.command == "resume" and not self.fields["log"].strip():
            self.fields |= {"log": self.fields["before"], "before": ""}
        log = self.fields["log"].strip()
        self.system: AnySystem = VARIANT_TURN_SYSTEMS.get(
            detect_system_name(log) if log else self.fields["system"], SCRATCH
        )
        if not self.system.roll_keys:  # no action rolls dice: faces typed in another fight do not apply
            self.fields |= {"faces": "", "odds": ""}
        self.fields["odds"] = self.fields["odds"] if self.fields["odds"] == "on" else ""

    @property
    def command_name(self) -> str:
        """The first word of the command."""
        return self.command.partition(" ")[0]

    @property
    def command_argument(self) -> str:
        """The command without its first word."""
        return self.command.partition(" ")[2]

    @property
    def characters_control(self) -> str:
        """The control with the characters' text."""
        return "fighters" if self.system.character_fields else "sheets"


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template gets, in every turn system."""

    systems: ClassVar[tuple[tuple[str, str], ...]] = TURN_SYSTEM_OPTIONS
    sample_fights: ClassVar[Mapping[str, tuple[str, str]]] = add_characters.SAMPLE_FIGHTS
    quick_add_abilities: ClassVar[tuple[str, ...]] = add_characters.QUICK_ADD_ABILITIES
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
    """The number of steps to redo."""
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
    placeholder_names: tuple[str, ...] = ()
    """The names of the characters whose only ability is a toughness of 1."""
    game_master_panel: GmPanel | None = None
    """The GM's panel, or None outside a fight."""
    focus: str = ""
    """The part of the page that gets the focus: "hand", "log", "carry", "screen", "odds", or "" for the head."""
    packed_fight: str = ""
    """The fight packed for a share link, or "" if none was requested."""
    remaining_steps: int | None = None
    """The number of steps that the file can still hold, or None while it is large."""
    saved_branches: tuple[Branch, ...] = ()
    """The versions that an action after an undo has left."""
    player_view: PlayerView | None = None
    """What the players see, or None while their screen is off."""
    screen_settings: ScreenSettings | None = None
    """The GM's settings of the players' screen, or None outside a fight."""
    win_chances: FightChances | None = None
    """Each side's win chance, or None if it was not requested."""
    is_incomplete: bool = False
    """Whether the page requests further win chances by itself."""
    is_start_refused: bool = False
    """Whether *Begin* was pressed and an error keeps the fight from beginning."""
    added_message: str = ""
    """Who came or went by the last command, as a sentence, or ""."""

    @property
    def house_rules_query(self) -> str:
        """The table's ruling settings, as a query.

        They are those of the fight once it has begun, and before it those in the setup's fields.
        """
        fight_rulings = self.fight_view.fight.scenario.rulings if self.fight_view else None
        fields = (
            {name: format_setting(getattr(fight_rulings, name)) for name in self.turn_system.rule_options}
            if fight_rulings
            else self.fields
        )
        return form.format_rules(self.turn_system.rule_options, fields)

    # The setup

    @property
    def system_name(self) -> str:
        """The name of the turn system in its control, "" for the basic rules."""
        return self.turn_system.name if self.turn_system.character_fields else ""

    @property
    def is_seated(self) -> bool:
        """Whether turns go round by seats. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return any(field.key == "after" for field in self.turn_system.gm_fields.get(JOIN, ()))

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose."""
        return tuple(
            build_ruling_choice(switch) for switch in RULE_OPTIONS if switch.name in self.turn_system.rule_options
        )

    @property
    def required_words(self) -> tuple[str, ...]:
        """The words that each line needs in this turn system and a stat block lacks."""
        return list_required_words(self.turn_system)

    @property
    def setup_questions(self) -> tuple[tuple[str, str, str], ...]:
        """The questions about the beginning: control, label and format with examples."""
        return tuple(
            (field.key, label, format_text.format(*self.example_names))
            for field in list_head_fields(self.turn_system)
            for label, format_text in (SETUP_QUESTIONS[field.key],)
        )

    @property
    def example_names(self) -> tuple[str, str]:
        """Two names of this fight for examples."""
        return choose_example_names([each.name for each in self.fighters], ("Ann", "Bo"))

    @property
    def rolls_example(self) -> str:
        """An example of typed initiative rolls."""
        return format_rolls_example(self.example_names)

    @property
    def line_words(self) -> tuple[tuple[str, str, str], ...]:
        """The words of a line, each with its meaning and its default."""
        return tuple(
            (format_field_word(each), each.meaning, _format_default(each))
            for each in list_line_fields(self.turn_system)
        )

    @property
    def seat_rows(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The characters in the order of the seats.

        Each is an id, a name, and a value for each word of a line.
        """
        fields = list_line_fields(self.turn_system)
        return tuple(
            (
                fighter.id,
                fighter.name,
                tuple(each.type.format_label(each, getattr(fighter, each.key)) for each in fields),
            )
            for fighter in self.fighters
        )

    @property
    def carried_controls(self) -> tuple[str, ...]:
        """The controls of the other setups, which the page carries in hidden fields."""
        return list_other_setup_controls(self.turn_system)

    @property
    def characters_control(self) -> str:
        """The control with the characters' text."""
        return "fighters" if self.system_name else "sheets"

    @property
    def shared_groups(self) -> frozenset[str]:
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
        return can_continue and not self.system_name and bool(self.fields["odds"])

    @property
    def is_transient(self) -> bool:
        """Whether the view shows something that the fight's query does not restore.

        A request for further win chances would then remove it.
        """
        has_errors = any(problem.severity == "error" for problem in self.problems)
        has_selection = any(self.fields[name] for name in ("who", "aim"))
        return has_errors or has_selection or self.focus not in ("", "odds")

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

        None after the turn in which it was left, or once it is dismissed.
        """
        latest = next(iter(self.saved_branches), None)
        return latest if latest and latest.is_recent and not self.fields[branches.DISMISSED_CONTROL] else None

    @property
    def stage(self) -> str:
        """The stage of the fight, in a few words."""
        if not self.fight_view:
            return NOT_BEGUN
        return "over" if self.fight_view.is_over else f"round {self.fight_view.round}"


def _format_default(field: Field) -> str:
    """Format the value of a line without a field's word."""
    return "needed" if field.default is None else field.type.format_label(field, field.default)
