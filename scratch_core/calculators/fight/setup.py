"""The validation of a setup in every turn system: its characters, rulings and map, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.board.setup import Token
from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.fighter_lines import parse_fighter_lines, parse_head_and_ambush
from scratch_core.calculators.characters_text.setup_text import add_side_groups_to_gm_characters, parse_setup
from scratch_core.calculators.fight import board_setup
from scratch_core.calculators.fight.board_setup import FightBoardSetup
from scratch_core.calculators.fight.request import FightRequest
from scratch_core.calculators.fight.roster import MAX_FIGHT_NAME_LENGTH
from scratch_core.calculators.fight.session import Step
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.names import NameIndex, parse_typed_initiative_faces
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.errors import Location, Problem, Problems, ScratchError, has_errors
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario import AnySystem, Scenario, scenario_from_dict

_NO_CHARACTERS_PROBLEMS = {
    "sheets": Problem("fight.nobody", "stat blocks of the fighters", "none", "sheets", "turn.encounter"),
    "fighters": Problem("fight.no-names", "those who fight, one on a line", "no one", "fighters"),
}
"""The problem of a setup without characters, by its control."""
_EXPECTED_SIDES = {
    "sheets": "two sides at least (a line like “side: hunters” below a name)",
    "fighters": "two sides at least, like “side red” on a line",
}
"""What a setup with one side lacks, by its control."""


@dataclass(frozen=True, slots=True)
class ValidatedSetup:
    """The result of validating a setup."""

    scenario: Scenario | None = None
    """The scenario, or None if the setup has errors."""
    head: Mapping[str, Any] | None = None
    """The head of its scenario file, or None if the characters or the map can't be parsed."""
    steps: Sequence[Step] = ()
    """The steps with which the fight begins."""
    board: FightBoardSetup | None = None
    """The map with everyone's spaces, or None without a map."""
    problems: tuple[Problem, ...] = ()
    """The problems, each at its control."""

    @property
    def waiting_tokens(self) -> tuple[Token, ...]:
        """The tokens of the map that wait for a character."""
        return self.board.waiting_tokens if self.board else ()


def validate_setup(request: FightRequest, fields: Mapping[str, str], stroke: str) -> ValidatedSetup:
    """Validate the setup of a fight.

    `fields` are the texts of the controls, `stroke` what the player has dragged on the map. Rules: `turn.encounter`,
    `grid.scope`, `mano.start.first`, `seize.gm-roll`, `turn.initiative-roll`, `turn.group`.
    """
    system, control = request.system, request.characters_control
    parsed = _parse_characters(system, fields[control])
    head, steps, problems = parse_head_and_ambush(system, fields, parsed.name_index)
    problems = Problems((*(each.with_location(control) for each in parsed.problems), *problems))
    rulings, new_problems = _parse_changed_rulings(system, fields)
    problems += new_problems
    if not parsed.is_ready:
        return ValidatedSetup(problems=tuple(problems))
    placed = _place_characters(system, fields, parsed.characters, stroke)
    problems += placed.problems
    if not placed.is_ready:
        return ValidatedSetup(board=placed.board, problems=tuple(problems))
    head = {**({"system": system.name} if system.character_fields else {}), **head}
    head |= {"rulings": rulings} if rulings else {}
    head |= {"characters": list(placed.characters)}
    tree = {"format": SCENARIO_FORMAT, **head, **placed.board_data, "steps": steps}
    scenario, new_problems = _build_scenario(control, tree, parsed.line_numbers)
    problems += new_problems
    if scenario is not None:
        faces, face_problems = parse_typed_initiative_faces(
            fields["initiative"], build_initiative_group_index(scenario.initial_state)
        )
        problems += face_problems
        head |= {"initiative": faces} if faces or placed.board_data else {}
    title = truncate_line(fields["called"].strip(), MAX_FIGHT_NAME_LENGTH)
    head = {**({"title": title} if title else {}), **head, **placed.board_data}
    return ValidatedSetup(scenario, head, steps, placed.board, tuple(problems))


def _parse_characters(system: AnySystem, text: str) -> ParsedCharacters:
    """Parse the characters of a setup.

    Rule: `turn.group`.
    """
    if system.character_fields:
        return parse_fighter_lines(text, system)
    parsed = parse_setup(text)
    return replace(parsed, characters=add_side_groups_to_gm_characters(parsed.characters))


def _parse_changed_rulings(system: AnySystem, fields: Mapping[str, str]) -> tuple[dict[str, Any], Problems]:
    """Parse the settings of rulings that differ from the defaults."""
    parser = FieldParser(fields)
    settings = parser.parse_ruling_settings(system.rule_options)
    return {
        name: value for name, value in settings.items() if value != getattr(RulingSettings(), name)
    }, parser.problems


@dataclass(frozen=True, slots=True)
class _PlacedCharacters:
    """The characters of a setup, on its map if it has one."""

    characters: Sequence[Mapping[str, Any]]
    """The characters as tables of a scenario, with their spaces on a map."""
    board: FightBoardSetup | None = None
    """The map, or None without one."""
    problems: tuple[Problem, ...] = ()
    """The problems of the map."""
    is_ready: bool = True
    """Whether a scenario can be built: there is no map, or one without errors."""

    @property
    def board_data(self) -> dict[str, Any]:
        """The key `board` of a scenario, {} without a map."""
        return {"board": self.board.board_data} if self.board else {}


def _place_characters(
    system: AnySystem, fields: Mapping[str, str], characters: Sequence[Mapping[str, Any]], stroke: str
) -> _PlacedCharacters:
    """Place the characters on the map.

    Without a map, they lose their spaces. Rule: `grid.scope`.
    """
    if system.character_fields:
        return _PlacedCharacters(characters)
    if not fields["map"].strip():
        return _PlacedCharacters([{key: value for key, value in each.items() if key != "at"} for each in characters])
    board, problems = board_setup.parse_board_and_place_characters(fields, characters, stroke)
    if board is None or problems.has_errors:
        return _PlacedCharacters(characters, board, tuple(problems), is_ready=False)
    return _PlacedCharacters(board.characters, board, tuple(problems))


def _build_scenario(
    control: str, tree: Mapping[str, Any], line_numbers: Sequence[int]
) -> tuple[Scenario | None, Problems]:
    """Build the scenario of a setup, and list its problems, also advice about the sides.

    `control` is that of the characters, `line_numbers` are their lines, for problems. The scenario is None if it is
    invalid.
    """
    problems = Problems()
    try:
        scenario = scenario_from_dict(tree)
    except ScratchError as error:
        for problem in error.problems:
            part, index = (*problem.location.path, "", "")[:2]
            is_on_line = line_numbers and part == "characters" and isinstance(index, int)
            location = Location(line=line_numbers[int(index)]) if is_on_line else problem.where
            problems.append(problem.with_location(control, got=f"{problem.got} in {location}", place=location))
        return None, problems
    if len({each.side for each in scenario.fighters}) < 2:
        problems.report("fight.sides", _EXPECTED_SIDES[control], "one", control, severity="advice")
    problems.extend_moved_to(control, scenario.minion_problems)
    return scenario, problems


def build_initiative_group_index(initial_state: Any) -> NameIndex:
    """Build the index of the groups that roll before a fight.

    It finds a group by its name and by its members' names. Rule: `turn.group`.
    """
    groups = set(initial_state.initiative_fighter_or_group_ids)
    members = ((getattr(each, "group", each.id), each) for each in initial_state.fighters)
    return NameIndex.build_with_group_names((group, each.name, each.id) for group, each in members if group in groups)


def validate_start(request: FightRequest) -> ValidatedSetup:
    """Validate a setup from which a fight is to begin.

    Returns an empty `ValidatedSetup` if an error keeps the fight from beginning. Its only problem is that of a setup
    without characters, because the setup's view validates again.
    """
    control = request.characters_control
    if not request.fields[control].strip():
        return ValidatedSetup(problems=(_NO_CHARACTERS_PROBLEMS[control],))
    validated = validate_setup(request, request.fields, request.stroke)
    if has_errors(validated.problems):
        return ValidatedSetup()
    return replace(validated, problems=())
