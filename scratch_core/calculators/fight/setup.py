"""The setup of a fight in every turn system: its characters, rulings and map, and how it begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.board.request import Token
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS_BY_ID
from scratch_core.calculators.characters_text import assign_ids
from scratch_core.calculators.characters_text.chooser import (
    ADD,
    CHOOSE,
    append_stat_blocks,
    build_chooser,
    find_stat_blocks,
    list_ticked_values,
    parse_block_name,
    split_stat_blocks,
)
from scratch_core.calculators.characters_text.fighter_lines import (
    format_lines,
    format_name_lines,
    head_to_fields,
    list_required_words,
    merge_lines,
    parse_head,
    parse_lines,
    remove_line,
)
from scratch_core.calculators.characters_text.setup_text import (
    SEPARATE,
    TOGETHER,
    find_newcomer_turns,
    format_setup,
    parse_names_by_id,
    parse_setup,
    remove_stat_block,
    set_surrounding,
    set_turns,
    share_turns,
)
from scratch_core.calculators.fight import add_characters, board_setup, players_screen
from scratch_core.calculators.fight.add_characters import format_sample_fight
from scratch_core.calculators.fight.board_setup import FightBoardSetup
from scratch_core.calculators.fight.request import (
    BASIC_CONTROLS,
    OTHER_LINES,
    VARIANT_CONTROLS,
    FightForm,
    list_other_setup_controls,
)
from scratch_core.calculators.fight.roster import MAX_FIGHT_NAME_LENGTH
from scratch_core.calculators.fight.session import Fight, Step, save_fight
from scratch_core.calculators.fight.sides import US, build_sides
from scratch_core.calculators.fight.surroundings import SURROUNDINGS_OFFERED, list_surroundings
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.names import NameIndex, parse_initiative
from scratch_core.cast.members import Kind
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import Location, Problem, Problems, ScratchError, join_words
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RulingSettings, format_setting
from scratch_core.scenario import AnySystem, Scenario, format_json, parse_json, scenario_from_dict
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAP_COMMAND_PREFIX = "map-"
"""The prefix of the command that chooses a sample map. The map's id follows it."""

SETUP_CONTROLS = (
    *("initiative", "before", "log", "odds", "called"),
    *(*BASIC_CONTROLS, *VARIANT_CONTROLS),
    *(players_screen.SIDES_CONTROL, players_screen.HIDDEN_CONTROL),
)
"""The controls of a setup, in its canonical query."""

_NO_CHARACTERS_PROBLEMS = {
    "sheets": Problem("fight.nobody", "stat blocks of those who fight", "none", "sheets", "turn.encounter"),
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


def validate_setup(request: FightForm) -> ValidatedSetup:
    """Validate the setup of a fight.

    Adds each problem to the form at its control. Rules: `turn.encounter`, `grid.scope`, `mano.start.first`,
    `seize.gm-roll`, `turn.initiative-roll`, `turn.group`.
    """
    system, control = request.system, request.characters_control
    text = request.fields[control]
    parsed = parse_lines(text, system) if system.character_fields else parse_setup(text)
    parsed = parsed if system.character_fields else replace(parsed, characters=share_turns(parsed.characters))
    request.problems.extend_at(control, parsed.problems)
    head, steps, new_problems = parse_head(system, request.fields, parsed.name_index)
    request.problems += new_problems
    settings = request.parse_settings(system.rule_options)
    rulings = {name: value for name, value in settings.items() if value != getattr(RulingSettings(), name)}
    if not parsed.is_ready:
        return ValidatedSetup()
    has_map = not system.character_fields and bool(request.fields["map"].strip())
    board, new_problems = (
        board_setup.parse_board_setup(request.fields, parsed.characters, request.stroke)
        if has_map
        else (None, Problems())
    )
    characters, board_data = parsed.characters, {}
    request.problems += new_problems
    if has_map and (board is None or new_problems.has_errors):
        return ValidatedSetup(board=board)
    if board:
        characters, board_data = board.characters, {"board": board.board_data}
    elif not system.character_fields:
        characters = tuple({key: value for key, value in each.items() if key != "at"} for each in characters)
    head = {**({"system": system.name} if system.character_fields else {}), **head}
    head |= {"rulings": rulings} if rulings else {}
    head |= {"characters": list(characters)}
    scenario = _build_scenario(
        request, {"format": SCENARIO_FORMAT, **head, **board_data, "steps": steps}, parsed.line_numbers
    )
    if scenario is not None:
        faces = _parse_initiative_faces(request, scenario)
        head |= {"initiative": faces} if faces or board_data else {}
    title = truncate_line(request.fields["called"].strip(), MAX_FIGHT_NAME_LENGTH)
    return ValidatedSetup(scenario, {**({"title": title} if title else {}), **head, **board_data}, steps, board)


def _build_scenario(request: FightForm, tree: Mapping[str, Any], line_numbers: Sequence[int]) -> Scenario | None:
    """Build the scenario of a setup.

    `line_numbers` are the lines of the characters, for problems. Adds problems to the form, also advice about the
    sides. Returns None if the scenario is invalid.
    """
    control = request.characters_control
    try:
        scenario = scenario_from_dict(tree)
    except ScratchError as error:
        for problem in error.problems:
            part, index = (*problem.location.path, "", "")[:2]
            is_on_line = line_numbers and part == "characters" and isinstance(index, int)
            location = Location(line=line_numbers[int(index)]) if is_on_line else problem.where
            request.problems.append(problem.move_to(control, got=f"{problem.got} in {location}", place=location))
        return None
    if len({each.side for each in scenario.fighters}) < 2:
        request.problems.report("fight.sides", _EXPECTED_SIDES[control], "one", control, severity="advice")
    request.problems.extend_at(control, scenario.minion_problems)
    return scenario


def _parse_initiative_faces(request: FightForm, scenario: Scenario) -> dict[str, list[int]]:
    """Parse the die rolls typed for the initiative, by fighter or group.

    Rules: `turn.initiative-roll`, `mano.start.first`, `seize.gm-roll`.
    """
    faces, problems = parse_initiative(request.fields["initiative"], build_group_index(scenario.initial_state))
    request.problems += problems
    return faces


def build_group_index(before: Any) -> NameIndex:
    """Build the index of the groups that roll before a fight.

    It finds a group by its name and by its members' names. Rule: `turn.group`.
    """
    groups = set(before.ids_rolling_initiative)
    members = ((getattr(each, "group", each.id), each) for each in before.fighters)
    return NameIndex.build_for_groups((group, each.name, each.id) for group, each in members if group in groups)


def validate_start(request: FightForm) -> ValidatedSetup:
    """Validate a setup from which a fight is to begin.

    Returns an empty `ValidatedSetup` if an error keeps the fight from beginning. Leaves no problems in the form but
    that of a setup without characters, because the setup's view validates again.
    """
    if not request.fields[request.characters_control].strip():
        request.problems.append(_NO_CHARACTERS_PROBLEMS[request.characters_control])
        return ValidatedSetup()
    validated = validate_setup(request)
    has_errors = request.has_errors
    request.problems.clear()  # the setup's view validates again
    return ValidatedSetup() if has_errors else validated


# The view


def build_setup_view_data(request: FightForm, *, is_refused: bool = False) -> dict[str, Any]:
    """Execute the setup's command, and build the arguments of its view.

    `query` and `summary` are included. `is_refused` is passed on to the view.
    """
    previous_fields = dict(request.fields)
    _carry_characters_over(request)
    commands = _SETUP_COMMANDS[request.characters_control]
    word = MAP_COMMAND_PREFIX if request.command_name.startswith(MAP_COMMAND_PREFIX) else request.command_name
    if word in commands:
        commands[word](request)
    is_typed = bool(request.fields[request.characters_control].strip()) and not request.query.is_cut
    validated = validate_setup(request) if is_typed else ValidatedSetup()
    if validated.board and request.stroke:
        request.fields["tokens"] = validated.board.tokens
    fighters = validated.scenario.fighters if validated.scenario else ()
    sides = build_sides(fighters)
    if request.added_characters:
        request.added_message = add_characters.format_added_message(
            request.added_characters, previous_fields["add_count"], len(fighters)
        )
        _open_chooser(request, next((each.name for each in sides if fighters and not each.fighters), ""))
    ready_text = f"{len(fighters)} characters are ready." if len(fighters) > 1 else ""
    if "log" in request.updated_fields:
        ready_text = f"The file's stat blocks are in the setup. {ready_text}".strip()
    watched_controls = ("sheets", "fighters", OTHER_LINES, *board_setup.CONTROLS, *add_characters.CONTROLS)
    stashed_count, target = len(_list_stashed_names(request)), request.fields["choosing"].strip()
    is_new = bool(request.added_characters) or request.command_name == CHOOSE
    has_opponents = len({each.side for each in fighters}) > 1
    first_kind: Kind = "archetype" if target == US else "opponent"
    if not any(request.fields[name].strip() for name in ("sheets", "fighters", "log")):
        request.fields["called"] = ""  # a name without a fight
    return {
        "query": {name: text for name, text in request.fields.items() if name in SETUP_CONTROLS},
        "summary": request.added_message or ("" if request.problems else ready_text),
        "is_refused": is_refused,
        "fighters": fighters,
        "initial_state": validated.scenario.initial_state
        if validated.scenario and has_opponents and not request.system.character_fields
        else None,
        "sides": sides,
        "added_message": request.added_message,
        "board": validated.board,
        "updated_fields": request.updated_fields.union(
            name for name in watched_controls if request.fields[name] != previous_fields[name]
        ),
        "chooser": build_chooser(request.query, target, first_kind, is_new=is_new) if target else None,
        "surroundings": list_surroundings(fighters)
        if fighters and not validated.board and not request.system.character_fields
        else (),
        "placeholder_names": tuple(each.name for each in fighters if _is_placeholder(each))
        if not request.system.character_fields
        else (),
        "stashed_label": f"{stashed_count} {'character' if stashed_count == 1 else 'characters'}"
        if stashed_count
        else "",
    }


def import_stat_blocks(request: FightForm) -> None:
    """Append stat blocks that were opened as a fight's file to the setup.

    They join the side in `add_side`, and the turn system becomes that of the basic rules.
    """
    sheets = append_stat_blocks(
        request.fields["sheets"], split_stat_blocks(request.fields["log"]), request.fields["add_side"]
    )
    request.fields |= {"sheets": sheets, "log": "", "system": ""}
    request.command, request.updated_fields = "", {"sheets", "log", "system"}


def return_to_setup(request: FightForm, fight: Fight) -> None:
    """Save a fight in `before`, and put its characters into the setup."""
    scenario, is_by_lines = fight.scenario, bool(fight.system.character_fields)
    carried_fields = {
        name: request.fields[name] for name in ("system", "called", *list_other_setup_controls(fight.system))
    }
    ids_and_names = assign_ids([each.name for each in scenario.fighters], "seat" if is_by_lines else "character")
    new_ids = {each.id: new_id for each, (new_id, _) in zip(scenario.fighters, ids_and_names, strict=True)}
    carried_fields |= players_screen.carry_to_setup(request.fields, new_ids)
    request.fields = {**dict.fromkeys(request.fields, ""), **carried_fields, "before": save_fight(fight)}
    rulings = scenario.tree.get("rulings", {})
    request.fields |= {name: format_setting(rulings[name]) for name in fight.system.rule_options if name in rulings}
    request.stroke, request.updated_fields = "", {"before"}
    if is_by_lines:
        request.fields |= {"system": fight.system.name, "fighters": format_lines(scenario)}
        request.fields |= head_to_fields(scenario, fight.steps)
    else:
        request.fields |= {"system": "", "sheets": format_setup(scenario), **board_setup.scenario_to_fields(scenario)}


def _list_stashed_names(request: FightForm) -> list[tuple[str, str]]:
    """List the names and sides stashed in the basic rules' setup.

    Returns [] unless another turn system with an empty setup is chosen.
    """
    if not request.system.character_fields or request.fields["fighters"].strip():
        return []
    return [(each["name"], each.get("side", "")) for each in parse_setup(request.fields["sheets"]).characters]


def _is_placeholder(fighter: Any) -> bool:
    """Return whether a character has a toughness of 1 and no other ability."""
    return [(each.ability, each.level) for each in fighter.character.lines] == [("toughness", 1)]


# The commands

PREVIOUS_SYSTEM_CONTROL = "system_before"
"""The control with the name of the turn system that the page showed before."""


def _carry_characters_over(request: FightForm) -> None:
    """Carry names and sides over to a turn system that has just been chosen.

    Characters that its setup already has stay.
    """
    fields, chosen_system = request.fields, request.system
    systems: dict[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
    previous_system = systems.get(request.query.text(PREVIOUS_SYSTEM_CONTROL), chosen_system)
    if previous_system is chosen_system:
        return
    stored = _swap_stored_lines(request, previous_system)
    if not chosen_system.character_fields:
        names_and_sides = _parse_names_and_sides(fields["fighters"], previous_system)
        if names_and_sides and not fields["sheets"].strip():
            fields["sheets"] = _format_placeholder_blocks(names_and_sides)
            request.added_message = (
                f"{join_words([name for name, _ in names_and_sides])}: each starts with toughness 1."
            )
    elif stored:
        names_and_sides = _parse_names_and_sides(fields["fighters"], previous_system)
        fields["fighters"] = merge_lines(stored, names_and_sides, chosen_system) if names_and_sides else stored
    elif not fields["fighters"].strip():
        _restore_stashed_names(request)
    elif not parse_lines(fields["fighters"], chosen_system).is_ready:
        names_and_sides = _parse_names_and_sides(fields["fighters"], previous_system)
        fields["fighters"] = (
            format_name_lines(names_and_sides, list_required_words(chosen_system))
            if names_and_sides
            else fields["fighters"]
        )


def _swap_stored_lines(request: FightForm, previous_system: AnySystem) -> str:
    """Store the previous turn system's lines, and return those of the chosen one.

    Returns "" if none are stored.
    """
    parsed = parse_json(request.fields[OTHER_LINES])
    tree = parsed if isinstance(parsed, dict) else {}
    lines = {
        name: text
        for name, text in tree.items()
        if name in VARIANT_TURN_SYSTEMS and isinstance(text, str) and text.strip()
    }
    stored = lines.pop(request.system.name, "")
    if previous_system.character_fields:
        lines[previous_system.name] = request.fields["fighters"]
    request.fields[OTHER_LINES] = format_json(lines) if any(map(str.strip, lines.values())) else ""
    return stored


def _parse_names_and_sides(text: str, previous_system: AnySystem) -> list[tuple[str, str]]:
    """Parse the names and sides of lines.

    The turn system chosen last is tried first, then all others. Returns [] if none can parse the lines.
    """
    for system in (*([previous_system] if previous_system.character_fields else []), *VARIANT_TURN_SYSTEMS.values()):
        parsed = parse_lines(text, system)
        if parsed.is_ready:
            return [(each["name"], each.get("side", "")) for each in parsed.characters]
    return []


def _format_placeholder_blocks(names_and_sides: Sequence[tuple[str, str]]) -> str:
    """Format stat blocks with toughness 1 from names and sides."""
    text = ""
    for name, side in names_and_sides:
        text = append_stat_blocks(text, [f"{name}\n1 toughness"], side)
    return text


def _open_chooser(request: FightForm, side: str) -> None:
    """Open the chooser of characters for a side, or close it if `side` is empty."""
    request.fields |= {**dict.fromkeys(add_characters.CONTROLS, ""), "choosing": side, "add_side": side}
    request.focus = CHOOSE


def _add_characters(request: FightForm) -> None:
    """Add the selected characters to the side in `add_side`.

    Rule: `turn.group`.
    """
    fields, control, side = request.fields, request.characters_control, request.fields["add_side"]
    request.focus = CHOOSE
    request.added_characters = add_characters.build_added_characters(
        request, map(find_stat_blocks, list_ticked_values(request.query)), fields[control]
    )
    for name, blocks in request.added_characters:
        if control == "sheets":
            group = name if fields["add_together"] and len(blocks) > 1 else ""
            turns = find_newcomer_turns(fields[control], side)
            fields[control] = append_stat_blocks(fields[control], blocks, side, group, turns)
        else:
            lines = format_name_lines(
                [(parse_block_name(each), side) for each in blocks], list_required_words(request.system)
            )
            fields[control] = f"{fields[control].rstrip()}\n{lines}".strip()


def _remove_all_characters(request: FightForm) -> None:
    """Remove all characters."""
    request.fields[request.characters_control] = ""


def _remove_character(request: FightForm) -> None:
    """Remove a character and its minions.

    Rule: `command.minions`.
    """
    previous_text, by_lines = request.fields[request.characters_control], request.system.character_fields
    text, name = (
        remove_line(previous_text, request.system, request.command_argument)
        if by_lines
        else remove_stat_block(previous_text, request.command_argument)
    )
    request.fields[request.characters_control] = text
    request.added_message = f"{name} removed." if name else ""


def _insert_sample_fight(request: FightForm) -> None:
    """Replace the characters by those of a sample fight."""
    request.fields[request.characters_control] = (
        request.system.sample if request.system.character_fields else format_sample_fight(request.command_argument)
    )


def _set_sample_map(request: FightForm) -> None:
    """Choose a sample map, which places all characters again, or no map."""
    sample_map = SAMPLE_MAPS_BY_ID.get(request.command_name.removeprefix(MAP_COMMAND_PREFIX))
    request.fields |= {**dict.fromkeys(board_setup.CONTROLS, ""), **(sample_map.to_fields() if sample_map else {})}


def _set_turns(request: FightForm) -> None:
    """Let a side take separate turns, or one turn together.

    Rule: `turn.group`.
    """
    turns, _, side = request.command_argument.partition(" ")
    if turns not in (SEPARATE, TOGETHER):
        return
    request.fields["sheets"] = set_turns(request.fields["sheets"], side, turns)
    description = "each character takes a separate turn" if turns == SEPARATE else "one initiative and one turn for all"
    request.added_message = f"{side[:1].upper()}{side[1:]}: {description}."


def _set_surroundings(request: FightForm) -> None:
    """Turn a kind of surroundings on or off for all characters.

    Rule: `move.terrain`.
    """
    word, _, setting = request.command_argument.partition(" ")
    label = dict(SURROUNDINGS_OFFERED).get(word)
    if label:
        is_there = setting == "on"
        request.fields["sheets"] = set_surrounding(request.fields["sheets"], word, is_there=is_there)
        request.added_message = f"{label}: on." if is_there else f"{label}: off."


def _resolve_unknown_tokens(request: FightForm) -> None:
    """Add the characters of unknown tokens, or remove those tokens.

    A token is unknown if its character is not in the fight. Rule: `grid.scope`.
    """
    fields = request.fields
    names_by_id = parse_names_by_id(fields["sheets"])
    for entry in fields["tokens"].split():
        character_id, _, position = normalize_input(entry).partition("@")
        if character_id not in names_by_id and request.command_argument == "add":
            side = (*position.split(",", 2), "", "")[2]
            fields["sheets"] = append_stat_blocks(
                fields["sheets"], [f"{Token(character_id, (0, 0), side).name}\n1 toughness"], side
            )
        elif character_id not in names_by_id:
            fields["tokens"] = " ".join(each for each in fields["tokens"].split() if each != entry)


def _restore_stashed_names(request: FightForm) -> None:
    """Copy the stashed names and sides of the basic rules' setup."""
    names = _list_stashed_names(request)
    if names:
        request.fields["fighters"] = format_name_lines(names, list_required_words(request.system))


_COMMON_COMMANDS = {
    CHOOSE: lambda request: _open_chooser(request, request.command_argument),
    ADD: _add_characters,
    "nobody": _remove_all_characters,
    "remove": _remove_character,
    "with": _insert_sample_fight,
}
"""The commands of every setup."""
_SETUP_COMMANDS: Mapping[str, Mapping[str, Callable[[FightForm], None]]] = {
    "sheets": {
        **_COMMON_COMMANDS,
        MAP_COMMAND_PREFIX: _set_sample_map,
        "turns": _set_turns,
        "here": _set_surroundings,
        "strangers": _resolve_unknown_tokens,
    },
    "fighters": {**_COMMON_COMMANDS, "bring": _restore_stashed_names},
}
"""The commands of a setup, by the control of its characters."""
