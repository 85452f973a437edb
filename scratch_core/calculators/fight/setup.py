"""A fight that has not begun, in every order of turns: who fights, by which rulings, where they stand, who begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.board.request import Token
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS_BY_ID as MAPS
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
from scratch_core.calculators.fight.session import Fight, Step
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
"""What the button of a ready map says before its id."""

SETUP_CONTROLS = (
    *("initiative", "before", "log", "odds", "called"),
    *(*BASIC_CONTROLS, *VARIANT_CONTROLS),
    *(players_screen.SIDES_CONTROL, players_screen.HIDDEN_CONTROL),
)

_NO_CHARACTERS_PROBLEMS = {
    "sheets": Problem("fight.nobody", "stat blocks of those who fight", "none", "sheets", "turn.encounter"),
    "fighters": Problem("fight.no-names", "those who fight, one on a line", "no one", "fighters"),
}
_EXPECTED_SIDES = {
    "sheets": "two sides at least (a line like “side: hunters” below a name)",
    "fighters": "two sides at least, like “side red” on a line",
}


@dataclass(frozen=True, slots=True)
class ValidatedSetup:
    """What a set-up comes to: its scenario, None while it has errors; the head of its file, and its first steps."""

    scenario: Scenario | None = None
    head: Mapping[str, Any] | None = None
    steps: Sequence[Step] = ()
    board: FightBoardSetup | None = None


def validate_setup(asked: FightForm) -> ValidatedSetup:
    """The scenario of the set-up without a fight's steps; what is wrong with it is noted, each at its control.

    Rules: `turn.encounter`, `grid.scope`, `mano.start.first`, `seize.gm-roll`, `turn.initiative-roll`, `turn.group`.
    """
    system, control = asked.system, asked.characters_control
    typed = asked.fields[control]
    found = parse_lines(typed, system) if system.character_fields else parse_setup(typed)
    found = found if system.character_fields else replace(found, characters=share_turns(found.characters))
    asked.problems.extend_at(control, found.problems)
    head, steps, wrong = parse_head(system, asked.fields, found.name_index)
    asked.problems += wrong
    chosen = asked.parse_settings(system.rule_options)
    rulings = {name: value for name, value in chosen.items() if value != getattr(RulingSettings(), name)}
    if not found.is_ready:
        return ValidatedSetup()
    has_map = not system.character_fields and bool(asked.fields["map"].strip())
    laid, wrong = (
        board_setup.parse_board_setup(asked.fields, found.characters, asked.stroke) if has_map else (None, Problems())
    )
    characters, board = found.characters, {}
    asked.problems += wrong
    if has_map and (laid is None or wrong.has_errors):
        return ValidatedSetup(board=laid)
    if laid:
        characters, board = laid.characters, {"board": laid.board_data}
    elif not system.character_fields:
        characters = tuple({key: value for key, value in each.items() if key != "at"} for each in characters)
    head = {**({"system": system.name} if system.character_fields else {}), **head}
    head |= {"rulings": rulings} if rulings else {}
    head |= {"characters": list(characters)}
    scenario = _build_scenario(asked, {"format": SCENARIO_FORMAT, **head, **board, "steps": steps}, found.line_numbers)
    if scenario is not None:
        faces = _parse_initiative_faces(asked, scenario)
        head |= {"initiative": faces} if faces or board else {}
    called = truncate_line(asked.fields["called"].strip(), MAX_FIGHT_NAME_LENGTH)
    return ValidatedSetup(scenario, {**({"title": called} if called else {}), **head, **board}, steps, laid)


def _build_scenario(asked: FightForm, tree: Mapping[str, Any], numbers: Sequence[int]) -> Scenario | None:
    """Build the scenario. Returns None if it is invalid; a problem of a line names its number."""
    control = asked.characters_control
    try:
        scenario = scenario_from_dict(tree)
    except ScratchError as error:
        for problem in error.problems:
            part, index = (*problem.location.path, "", "")[:2]
            is_on_line = numbers and part == "characters" and isinstance(index, int)
            where = Location(line=numbers[int(index)]) if is_on_line else problem.where
            asked.problems.append(problem.move_to(control, got=f"{problem.got} in {where}", place=where))
        return None
    if len({each.side for each in scenario.fighters}) < 2:
        asked.problems.report("fight.sides", _EXPECTED_SIDES[control], "one", control, severity="advice")
    asked.problems.extend_at(control, scenario.minion_problems)
    return scenario


def _parse_initiative_faces(asked: FightForm, scenario: Scenario) -> dict[str, list[int]]:
    """The faces typed, by fighter or group. Rules: `turn.initiative-roll`, `mano.start.first`, `seize.gm-roll`."""
    faces, problems = parse_initiative(asked.fields["initiative"], build_group_index(scenario.initial_state))
    asked.problems += problems
    return faces


def build_group_index(before: Any) -> NameIndex:
    """Return the groups that roll before a fight, by their names and those of their members. Rule: `turn.group`."""
    groups = set(before.ids_rolling_initiative)
    members = ((getattr(each, "group", each.id), each) for each in before.fighters)
    return NameIndex.build_for_groups((group, each.name, each.id) for group, each in members if group in groups)


def validate_start(asked: FightForm) -> ValidatedSetup:
    """What the set-up comes to, to begin with; without a scenario where anything keeps the fight from beginning."""
    if not asked.fields[asked.characters_control].strip():
        asked.problems.append(_NO_CHARACTERS_PROBLEMS[asked.characters_control])
        return ValidatedSetup()
    ready = validate_setup(asked)
    is_wrong = asked.has_errors
    asked.problems.clear()  # said again by the set-up itself
    return ValidatedSetup() if is_wrong else ready


# The page of it


def build_setup_view_data(asked: FightForm, *, is_refused: bool = False) -> dict[str, Any]:
    """What the view has of a fight that has not begun, `query` and `summary` included."""
    before = dict(asked.fields)
    _carry_characters_over(asked)
    presses = _SETUP_COMMANDS[asked.characters_control]
    word = MAP_COMMAND_PREFIX if asked.command_name.startswith(MAP_COMMAND_PREFIX) else asked.command_name
    if word in presses:
        presses[word](asked)
    is_typed = bool(asked.fields[asked.characters_control].strip()) and not asked.query.is_cut
    ready = validate_setup(asked) if is_typed else ValidatedSetup()
    if ready.board and asked.stroke:
        asked.fields["tokens"] = ready.board.tokens
    fighters = ready.scenario.fighters if ready.scenario else ()
    sides = build_sides(fighters)
    if asked.added_characters:
        asked.added_message = add_characters.format_added_message(
            asked.added_characters, before["add_count"], len(fighters)
        )
        _open_chooser(asked, next((each.name for each in sides if fighters and not each.fighters), ""))
    words = f"{len(fighters)} characters are ready." if len(fighters) > 1 else ""
    if "log" in asked.updated_fields:
        words = f"The file's stat blocks are in the setup. {words}".strip()
    watched = ("sheets", "fighters", OTHER_LINES, *board_setup.CONTROLS, *add_characters.CONTROLS)
    put_by, target = len(_list_stashed_names(asked)), asked.fields["choosing"].strip()
    is_new = bool(asked.added_characters) or asked.command_name == CHOOSE
    is_against = len({each.side for each in fighters}) > 1
    first: Kind = "archetype" if target == US else "opponent"
    if not any(asked.fields[name].strip() for name in ("sheets", "fighters", "log")):
        asked.fields["called"] = ""  # no one is there to be called so
    return {
        "query": {name: text for name, text in asked.fields.items() if name in SETUP_CONTROLS},
        "summary": asked.added_message or ("" if asked.problems else words),
        "is_refused": is_refused,
        "fighters": fighters,
        "initial_state": ready.scenario.initial_state
        if ready.scenario and is_against and not asked.system.character_fields
        else None,
        "sides": sides,
        "added_message": asked.added_message,
        "board": ready.board,
        "updated_fields": asked.updated_fields.union(name for name in watched if asked.fields[name] != before[name]),
        "chooser": build_chooser(asked.query, target, first, is_new=is_new) if target else None,
        "surroundings": list_surroundings(fighters)
        if fighters and not ready.board and not asked.system.character_fields
        else (),
        "placeholder_names": tuple(each.name for each in fighters if _is_placeholder(each))
        if not asked.system.character_fields
        else (),
        "stashed_label": f"{put_by} {'character' if put_by == 1 else 'characters'}" if put_by else "",
    }


def import_stat_blocks(asked: FightForm) -> None:
    """Stat blocks that were opened in place of a fight stand among those who fight from now on."""
    sheets = append_stat_blocks(
        asked.fields["sheets"], split_stat_blocks(asked.fields["log"]), asked.fields["add_side"]
    )
    asked.fields |= {"sheets": sheets, "log": "", "system": ""}
    asked.command, asked.updated_fields = "", {"sheets", "log", "system"}


def return_to_setup(asked: FightForm, fight: Fight) -> None:
    """Put a fight by, and its characters into the set-up."""
    scenario, is_by_lines = fight.scenario, bool(fight.system.character_fields)
    stays = {name: asked.fields[name] for name in ("system", "called", *list_other_setup_controls(fight.system))}
    named = assign_ids([each.name for each in scenario.fighters], "seat" if is_by_lines else "character")
    new_ids = {each.id: own for each, (own, _) in zip(scenario.fighters, named, strict=True)}
    stays |= players_screen.carry_to_setup(asked.fields, new_ids)
    asked.fields = {**dict.fromkeys(asked.fields, ""), **stays, "before": fight.file_text}
    given = scenario.tree.get("rulings", {})
    asked.fields |= {name: format_setting(given[name]) for name in fight.system.rule_options if name in given}
    asked.stroke, asked.updated_fields = "", {"before"}
    if is_by_lines:
        asked.fields |= {"system": fight.system.name, "fighters": format_lines(scenario)}
        asked.fields |= head_to_fields(scenario, fight.steps)
    else:
        asked.fields |= {"system": "", "sheets": format_setup(scenario), **board_setup.scenario_to_fields(scenario)}


def _list_stashed_names(asked: FightForm) -> list[tuple[str, str]]:
    """List names and sides of the basic rules' stat blocks while another turn system's set-up is empty."""
    if not asked.system.character_fields or asked.fields["fighters"].strip():
        return []
    return [(each["name"], each.get("side", "")) for each in parse_setup(asked.fields["sheets"]).characters]


def _is_placeholder(who: Any) -> bool:
    """Whether someone has a toughness of 1 for a start, and nothing else."""
    return [(each.ability, each.level) for each in who.character.lines] == [("toughness", 1)]


# What is pressed in it

PREVIOUS_SYSTEM_CONTROL = "system_before"
"""The control with the name of the turn system that the page showed before."""


def _carry_characters_over(asked: FightForm) -> None:
    """Bring names and sides along where another turn system has just been chosen; what it has already stays."""
    fields, now = asked.fields, asked.system
    systems: dict[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
    last = systems.get(asked.query.text(PREVIOUS_SYSTEM_CONTROL), now)
    if last is now:
        return
    stored = _swap_stored_lines(asked, last)
    if not now.character_fields:
        people = _parse_names_and_sides(fields["fighters"], last)
        if people and not fields["sheets"].strip():
            fields["sheets"] = _format_placeholder_blocks(people)
            asked.added_message = f"{join_words([name for name, _ in people])}: each starts with toughness 1."
    elif stored:
        people = _parse_names_and_sides(fields["fighters"], last)
        fields["fighters"] = merge_lines(stored, people, now) if people else stored
    elif not fields["fighters"].strip():
        _restore_stashed_names(asked)
    elif not parse_lines(fields["fighters"], now).is_ready:
        people = _parse_names_and_sides(fields["fighters"], last)
        fields["fighters"] = format_name_lines(people, list_required_words(now)) if people else fields["fighters"]


def _swap_stored_lines(asked: FightForm, last: AnySystem) -> str:
    """Store the lines of the turn system that was chosen last; return those stored for the one chosen now."""
    found = parse_json(asked.fields[OTHER_LINES])
    tree = found if isinstance(found, dict) else {}
    lines = {
        name: text
        for name, text in tree.items()
        if name in VARIANT_TURN_SYSTEMS and isinstance(text, str) and text.strip()
    }
    stored = lines.pop(asked.system.name, "")
    if last.character_fields:
        lines[last.name] = asked.fields["fighters"]
    asked.fields[OTHER_LINES] = format_json(lines) if any(map(str.strip, lines.values())) else ""
    return stored


def _parse_names_and_sides(text: str, last: AnySystem) -> list[tuple[str, str]]:
    """The names and sides of lines, read by the turn system that was chosen last, or by any that can read them."""
    for system in (*([last] if last.character_fields else []), *VARIANT_TURN_SYSTEMS.values()):
        found = parse_lines(text, system)
        if found.is_ready:
            return [(each["name"], each.get("side", "")) for each in found.characters]
    return []


def _format_placeholder_blocks(people: Sequence[tuple[str, str]]) -> str:
    """Stat blocks of a toughness of 1 for names and sides."""
    text = ""
    for name, side in people:
        text = append_stat_blocks(text, [f"{name}\n1 toughness"], side)
    return text


def _open_chooser(asked: FightForm, side: str) -> None:
    """Let people be chosen for a side, or for none any more."""
    asked.fields |= {**dict.fromkeys(add_characters.CONTROLS, ""), "choosing": side, "add_side": side}
    asked.focus = CHOOSE


def _add_characters(asked: FightForm) -> None:
    """Those who were ticked come in, on the side that is written. Rule: `turn.group`."""
    fields, control, side = asked.fields, asked.characters_control, asked.fields["add_side"]
    asked.focus = CHOOSE
    asked.added_characters = add_characters.build_added_characters(
        asked, map(find_stat_blocks, list_ticked_values(asked.query)), fields[control]
    )
    for name, blocks in asked.added_characters:
        if control == "sheets":
            group = name if fields["add_together"] and len(blocks) > 1 else ""
            turns = find_newcomer_turns(fields[control], side)
            fields[control] = append_stat_blocks(fields[control], blocks, side, group, turns)
        else:
            lines = format_name_lines(
                [(parse_block_name(each), side) for each in blocks], list_required_words(asked.system)
            )
            fields[control] = f"{fields[control].rstrip()}\n{lines}".strip()


def _remove_all_characters(asked: FightForm) -> None:
    asked.fields[asked.characters_control] = ""


def _remove_character(asked: FightForm) -> None:
    """Someone goes, its minions too. Rule: `command.minions`."""
    before, by_lines = asked.fields[asked.characters_control], asked.system.character_fields
    text, name = (
        remove_line(before, asked.system, asked.command_argument)
        if by_lines
        else remove_stat_block(before, asked.command_argument)
    )
    asked.fields[asked.characters_control] = text
    asked.added_message = f"{name} removed." if name else ""


def _insert_sample_fight(asked: FightForm) -> None:
    asked.fields[asked.characters_control] = (
        asked.system.sample if asked.system.character_fields else format_sample_fight(asked.command_argument)
    )


def _set_sample_map(asked: FightForm) -> None:
    """Choose a sample map, which places all fighters again, or no map."""
    found = MAPS.get(asked.command_name.removeprefix(MAP_COMMAND_PREFIX))
    asked.fields |= {**dict.fromkeys(board_setup.CONTROLS, ""), **(found.to_fields() if found else {})}


def _set_turns(asked: FightForm) -> None:
    """Let each of a side take a separate turn, or all of it one. Rule: `turn.group`."""
    turns, _, side = asked.command_argument.partition(" ")
    if turns not in (SEPARATE, TOGETHER):
        return
    asked.fields["sheets"] = set_turns(asked.fields["sheets"], side, turns)
    words = "each character takes a separate turn" if turns == SEPARATE else "one initiative and one turn for all"
    asked.added_message = f"{side[:1].upper()}{side[1:]}: {words}."


def _set_surroundings(asked: FightForm) -> None:
    """Change what the place offers everyone. Rule: `move.terrain`."""
    word, _, setting = asked.command_argument.partition(" ")
    words = dict(SURROUNDINGS_OFFERED).get(word)
    if words:
        is_there = setting == "on"
        asked.fields["sheets"] = set_surrounding(asked.fields["sheets"], word, is_there=is_there)
        asked.added_message = f"{words}: on." if is_there else f"{words}: off."


def _resolve_unknown_tokens(asked: FightForm) -> None:
    """Add the characters of tokens that are not in the fight, or take their tokens off the map. Rule: `grid.scope`."""
    fields = asked.fields
    there = parse_names_by_id(fields["sheets"])
    for entry in fields["tokens"].split():
        own, _, place = normalize_input(entry).partition("@")
        if own not in there and asked.command_argument == "add":
            side = (*place.split(",", 2), "", "")[2]
            fields["sheets"] = append_stat_blocks(
                fields["sheets"], [f"{Token(own, (0, 0), side).name}\n1 toughness"], side
            )
        elif own not in there:
            fields["tokens"] = " ".join(each for each in fields["tokens"].split() if each != entry)


def _restore_stashed_names(asked: FightForm) -> None:
    """Those kept for the basic rules stand here too, by their names and sides."""
    names = _list_stashed_names(asked)
    if names:
        asked.fields["fighters"] = format_name_lines(names, list_required_words(asked.system))


_COMMON_COMMANDS = {
    CHOOSE: lambda asked: _open_chooser(asked, asked.command_argument),
    ADD: _add_characters,
    "nobody": _remove_all_characters,
    "remove": _remove_character,
    "with": _insert_sample_fight,
}
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
"""What is pressed in a set-up, by the control of those who fight."""
