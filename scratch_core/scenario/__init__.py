"""Scenario files of every turn system: parse, play, check expectations, fork."""

from scratch_core.scenario.parser import MAX_FILE_SIZE, format_json, parse_json_or_none
from scratch_core.scenario.playback import find_first_difference, fork, play
from scratch_core.scenario.playthrough import NoDice, Playthrough, pair_steps_with_following_answers
from scratch_core.scenario.reader import parse_scenario, scenario_from_dict
from scratch_core.scenario.records import (
    AnySystem,
    Difference,
    Scenario,
    ScenarioResult,
    Step,
    StepResult,
    list_step_rounds,
)
from scratch_core.scenario.sample_files import SAMPLE_SCENARIOS, WORKED_COMBAT_RULINGS, build_worked_combat
from scratch_core.scenario.steps import RESULT_KEYS, parse_next_step
from scratch_core.scenario.turn_systems import TURN_SYSTEMS, detect_turn_system_name
from scratch_core.scenario.validation import MAX_CHARACTERS, MAX_STEPS

__all__ = [
    "MAX_CHARACTERS",
    "MAX_FILE_SIZE",
    "MAX_STEPS",
    "RESULT_KEYS",
    "SAMPLE_SCENARIOS",
    "TURN_SYSTEMS",
    "WORKED_COMBAT_RULINGS",
    "AnySystem",
    "Difference",
    "NoDice",
    "Playthrough",
    "Scenario",
    "ScenarioResult",
    "Step",
    "StepResult",
    "build_worked_combat",
    "detect_turn_system_name",
    "find_first_difference",
    "fork",
    "format_json",
    "list_step_rounds",
    "pair_steps_with_following_answers",
    "parse_json_or_none",
    "parse_next_step",
    "parse_scenario",
    "play",
    "scenario_from_dict",
]
