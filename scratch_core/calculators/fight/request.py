"""The request to the fight's page: its controls, and what was pressed."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.characters_text.fighter_lines import list_head_and_ambush_fields
from scratch_core.calculators.fight import add_characters, board_setup, branches, gm_panel, players_screen
from scratch_core.calculators.fight.event_row import MARKED_CONTROL
from scratch_core.calculators.fight.session import detect_system_name
from scratch_core.calculators.fight.variant_controls import ACTION_CONTROLS
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import PageCommand, Request
from scratch_core.dice import Roller
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAX_QUERY_LENGTH = 1_100_000
"""The maximum length of a query. A query carries a whole fight, and its undone steps."""

SAME_PRESS = "same_press"
"""The control with the numbers, from 1, of steps that were taken by the same press as the step before them.

Undo and redo take these steps together. Only a change by the game master takes several steps with one press.
"""

CHANGED_STEP, CHANGED_FACES = "changed_step", "changed_faces"
"""The controls with the number of the step whose roll is being changed, and with its new die rolls."""

ODDS_CONTROL = "odds"
"""The control that says whether win chances are shown, `on` or ""."""

TURNING_CONTROL = "turning"
"""The control that says whether the turning points of an ended fight are shown, `on` or ""."""

GUIDE_CONTROL = "guide"
"""The control of the explanations: `on`, `off` (they were hidden), or "" for a usual fight."""

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
        branches.REPLACEMENT_CONTROL,
        "faces",
        "note",
        "who",
        "picked",
        "aimed",
        "aims",
        MARKED_CONTROL,
        SAME_PRESS,
        CHANGED_STEP,
        CHANGED_FACES,
    ),
    *("check_actor", "check_ability", "check_difficulty", "check_requires"),
)
FIGHT_CONTROLS = (
    *_STEP_CONTROLS,
    "called",
    "aim",
    *gm_panel.CONTROLS,
    *players_screen.CONTROLS,
    ODDS_CONTROL,
    TURNING_CONTROL,
    GUIDE_CONTROL,
)
"""The controls of a running fight."""

CONTROLS = (
    *("sheets", "initiative", *SCRATCH.rule_options, "before"),
    *(*_STEP_CONTROLS, "called"),
    *VARIANT_CONTROLS,
    *(*board_setup.CONTROLS, "aim"),
    *add_characters.CONTROLS,
    *(*gm_panel.CONTROLS, *players_screen.CONTROLS, ODDS_CONTROL, TURNING_CONTROL, GUIDE_CONTROL),
)
"""The names of all controls but `act`, in the order of the canonical query."""


def list_other_setup_controls(system: AnySystem) -> tuple[str, ...]:
    """List the controls of the other turn systems' setups.

    The pages of a turn system carry them in hidden fields.
    """
    own = BASIC_CONTROLS
    if system.character_fields:
        own = ("fighters", *(each.key for each in list_head_and_ambush_fields(system)), *system.rule_options)
    return tuple(name for name in (*BASIC_CONTROLS, *VARIANT_CONTROLS[1:]) if name not in own)


@dataclass(frozen=True, slots=True)
class FightRequest(Request):
    """A request to the fight's page, in every turn system."""

    command: PageCommand
    """What was pressed: a step as JSON, or a word with its argument."""
    stroke: str
    """What the player has drawn or dragged on the map."""
    packed_link: str
    """The packed text of a share link that couldn't be unpacked, or ""."""
    is_whole_log: bool
    """Whether the page shows the whole log."""
    roller: Roller | None
    """The roller of dice without typed rolls, or None if every roll must be typed."""
    system: AnySystem
    """The turn system: that of the fight, else the chosen one."""

    @property
    def characters_control(self) -> str:
        """The control with the characters' text."""
        return "fighters" if self.system.character_fields else "sheets"


BEGIN, RESUME = PageCommand("begin"), PageCommand("resume")
"""The commands that replace the text in `log` by the fight of the setup, and by the fight in `before`."""


def parse_request(query: Query, roller: Roller | None) -> FightRequest:
    """Parse a query of the fight's page."""
    fields = {name: query.text(name) for name in (*CONTROLS, *ACTION_CONTROLS)}
    command = PageCommand.parse(query.text("act"))
    if fields["log"] in (str(BEGIN), str(RESUME)):  # the buttons that replace the typed text by a new fight
        command, fields["log"] = PageCommand.parse(fields["log"]), ""
    if command == RESUME and not fields["log"].strip():
        fields |= {"log": fields["before"], "before": ""}
    log = fields["log"].strip()
    system: AnySystem = VARIANT_TURN_SYSTEMS.get(detect_system_name(log) if log else fields["system"], SCRATCH)
    if not system.roll_keys:  # no action rolls dice: faces typed in another fight do not apply
        fields |= {"faces": "", ODDS_CONTROL: ""}
    for name in (ODDS_CONTROL, TURNING_CONTROL):
        fields[name] = fields[name] if fields[name] == "on" else ""
    return FightRequest(
        query,
        MappingProxyType(fields),
        command=command,
        stroke=query.text("stroke").strip(),
        packed_link=query.text(share_links.PACKED_CONTROL),
        is_whole_log=bool(query.text("whole")),
        roller=roller,
        system=system,
    )
