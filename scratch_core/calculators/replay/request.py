"""The request to the replay calculator: the scenario, the step, the rulings, and the fork as typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import FieldParser, Request, list_cut_query_problems
from scratch_core.errors import Problem, Problems
from scratch_core.rulebook import RULE_OPTIONS, format_setting_for_display
from scratch_core.scenario import SAMPLE_SCENARIOS, WORKED_COMBAT_RULINGS, AnySystem

CONTROLS = ("scenario", "way", "odds", *(option.name for option in RULE_OPTIONS), "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query.

The controls of a step are left out, because its fields become changes of the fork: `do_4`, `target_4a` and so on, and
`initiative_1` for the first initiative dice.
"""

MAX_QUERY_LENGTH = 1_100_000
"""The most characters of a query, which holds a whole file."""

MAX_NUMBER = 999_999
"""The highest number in `dice` and `step`."""

_MAX_NAME_LENGTH = 100
"""The text of `scenario` is a file if it has this many characters or more. A shorter one may name a sample."""
_MAX_UNREADABLE_LENGTH = 1000
"""A text of `scenario` on one line with fewer characters, and without signs of a file, is an unknown name."""


@dataclass(frozen=True, slots=True)
class ReplayRequest(Request):
    """A request to the replay calculator."""

    scenario_text: str
    """The scenario's text, also for a sample that the query gives by name."""
    has_scenario: bool
    """Whether the text may be a scenario. False if it is missing, cut, or an unknown name."""
    dice_number: int
    """The number that selects the faces that the file leaves open."""
    way: str
    """The chosen way to play the worked combat; "" if it is missing or unknown."""
    problems: tuple[Problem, ...]
    """The problems of the dice's number, the scenario and the way, at their controls."""

    @property
    def is_worked_combat(self) -> bool:
        """Whether the scenario is the sample `worked-combat`."""
        return self.scenario_text == SAMPLE_SCENARIOS["worked-combat"]


def parse_request(query: Query) -> ReplayRequest:
    """Parse a query of the replay calculator."""
    typed_scenario = _unescape_scenario(query.raw.get("scenario", ""))
    texts = {name: query.text(name).strip() for name in CONTROLS if name != "scenario"}
    parser = FieldParser({**texts, "scenario": typed_scenario})
    may_be_name = len(typed_scenario) < _MAX_NAME_LENGTH
    scenario_text = SAMPLE_SCENARIOS.get(typed_scenario.strip(), typed_scenario) if may_be_name else typed_scenario
    dice_number = parser.parse_whole_number("dice", MAX_NUMBER)
    scenario_problems = _list_scenario_problems(query, scenario_text)
    parser.problems += scenario_problems
    way = parser.parse_choice("way", WORKED_COMBAT_RULINGS, "replay.way", f"one of {', '.join(WORKED_COMBAT_RULINGS)}")
    return ReplayRequest(
        query,
        parser.fields,
        scenario_text=scenario_text,
        has_scenario=not scenario_problems and bool(scenario_text) and not scenario_text.isspace(),
        dice_number=dice_number,
        way=way,
        problems=tuple(parser.problems),
    )


@lru_cache(maxsize=4)
def _unescape_scenario(escaped_text: str) -> str:
    """Decode the scenario's text from the raw value of a query.

    Cached, because the text is long and the same for every step.
    """
    return Query({"scenario": escaped_text}).text("scenario")


def _list_scenario_problems(query: Query, text: str) -> tuple[Problem, ...]:
    """List the problem of a cut scenario, or of an unknown name."""
    if query.is_cut:
        return list_cut_query_problems(query, "scenario", MAX_QUERY_LENGTH)
    problems = Problems()
    plain = text.strip() if len(text) < _MAX_UNREADABLE_LENGTH else ""
    if plain and "\n" not in plain and "=" not in plain and not plain.startswith("{"):
        expected = f"a scenario file, or the name of one that is here: {', '.join(SAMPLE_SCENARIOS)}"
        problems.report_value("replay.scenario", expected, plain, "scenario")
    return tuple(problems)


# Controls whose meaning depends on the scenario


def parse_rulings(request: ReplayRequest, system: AnySystem) -> tuple[Mapping[str, str], Problems]:
    """Parse the requested rulings that concern a turn system.

    Returns settings by name, and the problems. A setting that can't be parsed is ignored. Those of the chosen way to
    play are included.
    """
    parser = FieldParser(request.fields)
    typed = {
        name: format_setting_for_display(value)
        for name, value in parser.parse_ruling_settings(system.rule_options).items()
    }
    settings = {**get_way_rulings(request.way), **typed}
    own_settings = {name: value for name, value in settings.items() if name in system.rule_options}
    return MappingProxyType(own_settings), parser.problems


def get_way_rulings(way: str) -> dict[str, str]:
    """Return the rulings of a way to play the worked combat, by name.

    Returns {} if `way` is "".
    """
    return {name: format_setting_for_display(value) for name, value in WORKED_COMBAT_RULINGS.get(way, {}).items()}


def parse_requested_step(request: ReplayRequest, last_step: int) -> tuple[int, Problems]:
    """Parse the requested step, and return it with its problems.

    Returns the last step, with advice, in place of a step beyond it.
    """
    parser = FieldParser(request.fields)
    step = parser.parse_whole_number("step", MAX_NUMBER)
    if step > last_step:
        parser.problems.report(
            "replay.step", f"a step from 0 to {last_step}", f"{step}", "step", severity="advice", last=last_step
        )
    return min(step, last_step), parser.problems
