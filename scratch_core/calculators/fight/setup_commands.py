"""The commands of a setup in every turn system, and the setup after one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS_BY_ID
from scratch_core.calculators.characters_text import assign_ids_and_unique_names
from scratch_core.calculators.characters_text.chooser import (
    ADD,
    CHOOSE,
    append_stat_blocks,
    format_chosen_stat_blocks,
    list_ticked_values,
    map_saved_hit_points,
    parse_block_name,
    split_stat_blocks,
)
from scratch_core.calculators.characters_text.fighter_lines import (
    append_name_lines,
    format_head_and_ambush_fields,
    format_lines,
    format_name_lines,
    list_required_sample_items,
    move_fighter_line,
    parse_fighter_lines,
    remove_fighter_line,
    set_line_value,
    sync_lines_with_fighters,
)
from scratch_core.calculators.characters_text.setup_text import (
    SEPARATE,
    TOGETHER,
    choose_newcomer_turns_setting,
    format_setup,
    parse_names_by_id,
    parse_setup,
    remove_character_and_minions,
    set_surrounding_of_all,
    set_turns,
)
from scratch_core.calculators.fight import add_characters, board_setup, players_screen
from scratch_core.calculators.fight.add_characters import format_sample_fight
from scratch_core.calculators.fight.display_commands import DISPLAY_COMMANDS
from scratch_core.calculators.fight.page_session import FightSession, SetupSession
from scratch_core.calculators.fight.request import OTHER_LINES, FightRequest, list_other_setup_controls
from scratch_core.calculators.fight.session import save_fight
from scratch_core.calculators.fight.setup import ValidatedSetup, validate_setup
from scratch_core.calculators.fight.setup_rows import SEAT_COMMAND, SET_COMMAND
from scratch_core.calculators.fight.sides import build_at_least_two_sides
from scratch_core.calculators.fight.surroundings import SURROUNDING_COMMAND, SURROUNDINGS_OFFERED
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.characters import quote_name_if_needed
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import join_words
from scratch_core.normalization import normalize_input, parse_whole_number
from scratch_core.rulebook import format_setting_for_display
from scratch_core.scenario import AnySystem, format_json, parse_json_or_none
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

SetupCommand = Callable[[FightRequest, SetupSession], SetupSession]
"""A command of a setup."""

MAP_COMMAND_PREFIX = "map-"
"""The prefix of the command that chooses a sample map. The map's id follows it, or `none`."""

REMOVE_COMMAND, REMOVE_ALL_COMMAND = "remove", "remove-all"
"""The command that removes a character, whose id follows it, and the command that removes all of them."""

LOAD_COMMAND = "load"
"""The command that replaces the characters by those of a sample fight. The name of the fight follows it."""

EVEN_COMMAND = "even"
"""The command that makes a fight more even. The change follows it, as JSON."""

PREVIOUS_SYSTEM_CONTROL = "system_before"
"""The control with the name of the turn system that the page showed before."""

_WATCHED_CONTROLS = ("sheets", "fighters", OTHER_LINES, *board_setup.CONTROLS, *add_characters.CONTROLS)
"""The controls whose changes are reported to the browser."""

_REMOVING_COMMANDS = (REMOVE_COMMAND, REMOVE_ALL_COMMAND, LOAD_COMMAND)
"""The commands that remove characters."""


# The setup after a command


def execute_setup_command(
    request: FightRequest, session: SetupSession, commands: Mapping[str, SetupCommand] | None = None
) -> SetupSession:
    """Execute the command of the request in a setup, and validate the setup.

    `commands` are the possible commands, those of the turn system by default.
    """
    previous_fields = session.fields
    session = _carry_names_to_chosen_system(request, session)
    known_commands = COMMANDS_BY_CONTROL[request.characters_control] if commands is None else commands
    command = known_commands.get(request.command.name)
    session = _validate_unless_empty_or_cut(request, command(request, session) if command else session)
    if session.added_characters:
        session = _announce_characters_and_open_chooser(session, previous_fields["add_count"])
    if not any(session.fields[name].strip() for name in ("sheets", "fighters", "log")):
        session = session.with_fields({"called": ""})  # a name without a fight
    if request.command.name in _REMOVING_COMMANDS:  # not while characters are edited as text
        scenario = session.validated.scenario
        ids = {each.id for each in scenario.fighters} if scenario else ()
        session = session.with_fields(players_screen.drop_hidden_ids(session.fields, ids))
    changed_names = {name for name in _WATCHED_CONTROLS if session.fields[name] != previous_fields[name]}
    return replace(session, updated_fields=session.updated_fields | changed_names)


def _validate_unless_empty_or_cut(request: FightRequest, session: SetupSession) -> SetupSession:
    """Return the session with its validated setup, unless it is empty or cut off.

    Without characters, only a map is validated.
    """
    if request.query.is_cut:
        return session
    if session.fields[request.characters_control].strip():
        validated = validate_setup(request, session.fields, session.stroke)
    elif not request.system.character_fields and session.fields["map"].strip():
        board, problems = board_setup.parse_board_and_place_characters(session.fields, (), session.stroke)
        validated = ValidatedSetup(board=board, problems=tuple(problems))
    else:
        return session
    session = replace(session, validated=validated).with_problems(validated.problems)
    return session.with_fields({"tokens": validated.board.tokens}) if validated.board and session.stroke else session


def _announce_characters_and_open_chooser(session: SetupSession, typed_count: str) -> SetupSession:
    """Return the session with the message about the added characters.

    `typed_count` is the typed number of copies. The chooser opens for a side without characters, if there is one.
    """
    scenario = session.validated.scenario
    fighters = scenario.fighters if scenario else ()
    message = add_characters.format_added_message(session.added_characters, typed_count, len(fighters))
    sides = build_at_least_two_sides(fighters, session.validated.waiting_tokens)
    empty_sides = (each.name for each in sides if fighters and not each.fighters)
    return replace(_open_or_close_chooser_for(session, next(empty_sides, "")), message=message)


def append_stat_block_file(request: FightRequest, session: SetupSession) -> SetupSession:
    """Append stat blocks that were opened as a fight's file to the setup.

    They join the side in `add_side`, and the turn system becomes that of the basic rules.
    """
    fields = session.fields
    sheets = append_stat_blocks(fields["sheets"], split_stat_blocks(fields["log"]), fields["add_side"])
    session = session.with_fields({"sheets": sheets, "log": "", "system": ""})
    session = replace(session, updated_fields=frozenset(("sheets", "log", "system")))
    return execute_setup_command(request, session, DISPLAY_COMMANDS)


def save_fight_and_return_to_setup(request: FightRequest, session: FightSession) -> SetupSession:
    """Save a fight in `before`, and put its characters into the setup.

    Characters that the user has saved have the hit points of their sheets. Rule: `hp.start`.
    """
    fight, fields = session.fight, session.fields
    scenario, is_by_lines = fight.scenario, bool(fight.system.character_fields)
    carried_fields = {name: fields[name] for name in ("system", "called", *list_other_setup_controls(fight.system))}
    ids_and_names = assign_ids_and_unique_names(
        [each.name for each in scenario.fighters], "seat" if is_by_lines else "character"
    )
    new_ids = {each.id: new_id for each, (new_id, _) in zip(scenario.fighters, ids_and_names, strict=True)}
    carried_fields |= players_screen.convert_settings_for_setup(fields, new_ids)
    new_fields = {**dict.fromkeys(fields, ""), **carried_fields, "before": save_fight(fight)}
    rulings = scenario.tree.get("rulings", {})
    new_fields |= {
        name: format_setting_for_display(rulings[name]) for name in fight.system.rule_options if name in rulings
    }
    if is_by_lines:
        new_fields |= {"system": fight.system.name, "fighters": format_lines(scenario)}
        new_fields |= format_head_and_ambush_fields(scenario, fight.steps)
    else:
        saved_hit_points = map_saved_hit_points(request.query)
        new_fields |= {
            "system": "",
            "sheets": format_setup(scenario, saved_hit_points),
            **board_setup.scenario_to_board_fields(scenario),
        }
    setup = SetupSession(new_fields, session.problems, session.focus, updated_fields=frozenset(("before",)))
    return execute_setup_command(request, setup)


# A chosen turn system


def list_stashed_names_and_sides(system: AnySystem, fields: Mapping[str, str]) -> list[tuple[str, str]]:
    """List the names and sides stashed in the basic rules' setup.

    Returns [] unless another turn system with an empty setup is chosen.
    """
    if not system.character_fields or fields["fighters"].strip():
        return []
    return _list_names_and_sides(fields["sheets"])


def _carry_names_to_chosen_system(request: FightRequest, session: SetupSession) -> SetupSession:
    """Carry names and sides over to a turn system that has just been chosen.

    Characters that its setup already has stay.
    """
    chosen_system = request.system
    systems: dict[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
    previous_system = systems.get(request.query.text(PREVIOUS_SYSTEM_CONTROL), chosen_system)
    if previous_system is chosen_system:
        return session
    lines_by_system = _parse_lines_by_system(session.fields[OTHER_LINES])
    stored = lines_by_system.pop(chosen_system.name, "")
    lines = session.fields["fighters"]
    if previous_system.character_fields:
        lines_by_system[previous_system.name] = lines
    is_any_stored = any(map(str.strip, lines_by_system.values()))
    session = session.with_fields({OTHER_LINES: format_json(lines_by_system) if is_any_stored else ""})
    if not chosen_system.character_fields:
        return _add_stat_blocks_of_previous_characters(session, previous_system)
    names_and_sides = [] if previous_system.character_fields else _list_names_and_sides(session.fields["sheets"])
    names_and_sides = names_and_sides or _parse_names_and_sides(lines, previous_system)
    is_readable = parse_fighter_lines(lines, chosen_system).is_ready
    if not names_and_sides or (is_readable and not stored and previous_system.character_fields):
        return session.with_fields({"fighters": stored}) if stored else session
    if stored or is_readable:
        text = sync_lines_with_fighters(stored or lines, names_and_sides, chosen_system)
    else:
        text = format_name_lines(names_and_sides, list_required_sample_items(chosen_system))
    return session.with_fields({"fighters": text})


def _add_stat_blocks_of_previous_characters(session: SetupSession, previous_system: AnySystem) -> SetupSession:
    """Add stat blocks with toughness 1 for characters of another turn system.

    Characters with a stat block keep it. Returns the session unchanged if the stat blocks can't be parsed.
    """
    sheets = session.fields["sheets"]
    known_names = {name for name, _ in _list_names_and_sides(sheets)}
    newcomers = [
        each
        for each in _parse_names_and_sides(session.fields["fighters"], previous_system)
        if each[0] not in known_names
    ]
    if not newcomers or (sheets.strip() and not known_names):
        return session
    message = f"{join_words([name for name, _ in newcomers])}: each starts with toughness 1."
    return replace(session.with_fields({"sheets": _append_placeholder_blocks(sheets, newcomers)}), message=message)


def _list_names_and_sides(sheets: str) -> list[tuple[str, str]]:
    """List the names and sides of stat blocks, [] if they can't be parsed."""
    return [(each["name"], each.get("side", "")) for each in parse_setup(sheets).characters]


def _parse_lines_by_system(text: str) -> dict[str, str]:
    """Parse the lines of the turn systems that are not chosen, by the system's name."""
    parsed = parse_json_or_none(text)
    tree = parsed if isinstance(parsed, dict) else {}
    return {
        name: lines
        for name, lines in tree.items()
        if name in VARIANT_TURN_SYSTEMS and isinstance(lines, str) and lines.strip()
    }


def _parse_names_and_sides(text: str, previous_system: AnySystem) -> list[tuple[str, str]]:
    """Parse the names and sides of lines.

    The turn system chosen last is tried first, then all others. Returns [] if none can parse the lines.
    """
    for system in (*([previous_system] if previous_system.character_fields else []), *VARIANT_TURN_SYSTEMS.values()):
        parsed = parse_fighter_lines(text, system)
        if parsed.is_ready:
            return [(each["name"], each.get("side", "")) for each in parsed.characters]
    return []


def _append_placeholder_blocks(sheets: str, names_and_sides: Sequence[tuple[str, str]]) -> str:
    """Add stat blocks with toughness 1 for these names and sides."""
    for name, side in names_and_sides:
        sheets = append_stat_blocks(sheets, [f"{quote_name_if_needed(name)}\n1 toughness"], side)
    return sheets


# The commands


def _open_or_close_side_chooser(request: FightRequest, session: SetupSession) -> SetupSession:
    """Open or close the chooser, and keep a quick character that the user has begun."""
    fields = {each: session.fields[each] for each in add_characters.QUICK_ADD_CONTROLS}
    return _open_or_close_chooser_for(session, request.command.argument).with_fields(fields)


def _open_or_close_chooser_for(session: SetupSession, side: str) -> SetupSession:
    """Open an empty chooser of characters for a side, or close it without one."""
    texts = {**dict.fromkeys(add_characters.CONTROLS, ""), "choosing": side, "add_side": side}
    return replace(session.with_fields(texts), focus=CHOOSE, is_chooser_new=True)


def _add_characters(request: FightRequest, session: SetupSession) -> SetupSession:
    """Add the selected characters to the side in `add_side`.

    Rule: `turn.group`.
    """
    fields, control = session.fields, request.characters_control
    side, text = fields["add_side"], fields[control]
    added_characters, problems = add_characters.build_added_characters(
        fields, map(format_chosen_stat_blocks, list_ticked_values(request.query)), text
    )
    for name, blocks in added_characters:
        if control == "sheets":
            group = name if fields["add_together"] and len(blocks) > 1 else ""
            text = append_stat_blocks(text, blocks, side, group, _choose_newcomer_turns(fields, text, side))
        else:
            names_and_sides = [(parse_block_name(each), side) for each in blocks]
            text = append_name_lines(text, names_and_sides, request.system)
            session = _store_missing_stat_blocks(session, blocks, side)
    session = session.with_fields({control: text}).with_problems(problems)
    return replace(session, focus=CHOOSE, added_characters=added_characters)


def _store_missing_stat_blocks(session: SetupSession, blocks: Sequence[str], side: str) -> SetupSession:
    """Store the stat blocks of characters added to another turn system, for the basic rules.

    Characters with a stat block of that name keep it.
    """
    sheets = session.fields["sheets"]
    known_names = set(parse_names_by_id(sheets).values())
    new_blocks = [each for each in blocks if parse_block_name(each) not in known_names]
    return session.with_fields({"sheets": append_stat_blocks(sheets, new_blocks, side)})


def _choose_newcomer_turns(fields: Mapping[str, str], text: str, side: str) -> str:
    """Return the setting `turns` that a new character of a side needs.

    The first one of a side that is not the players', as the map tool names theirs, takes its turn with those that
    follow (ruling A44). Rule: `turn.group`.
    """
    players_sides = players_screen.parse_json_names(fields[players_screen.SIDES_CONTROL])
    is_side_new = all(each.get("side") != side for each in parse_setup(text).characters)
    if is_side_new and players_sides and side not in players_sides and not any(map(is_players_side, players_sides)):
        return TOGETHER
    return choose_newcomer_turns_setting(text, side)


def _remove_all_characters(request: FightRequest, session: SetupSession) -> SetupSession:
    """Remove all characters."""
    return session.with_fields({request.characters_control: ""})


def _remove_character_and_minions(request: FightRequest, session: SetupSession) -> SetupSession:
    """Remove a character and its minions.

    A line is removed with the stat block of the same name. Rule: `command.minions`.
    """
    control, who = request.characters_control, request.command.argument
    if request.system.character_fields:
        text, name = remove_fighter_line(session.fields[control], request.system, who)
        ids_by_name = {name: each for each, name in parse_names_by_id(session.fields["sheets"]).items()}
        if name in ids_by_name:
            sheets, _ = remove_character_and_minions(session.fields["sheets"], ids_by_name[name])
            session = session.with_fields({"sheets": sheets})
    else:
        text, name = remove_character_and_minions(session.fields[control], who)
    return replace(session.with_fields({control: text}), message=f"{name} removed." if name else "")


def _replace_by_sample_fight(request: FightRequest, session: SetupSession) -> SetupSession:
    """Replace the characters by those of a sample fight."""
    system = request.system
    text = system.sample if system.character_fields else format_sample_fight(request.command.argument)
    return session.with_fields({request.characters_control: text})


def _replace_or_remove_map(request: FightRequest, session: SetupSession) -> SetupSession:
    """Choose a sample map, which places all characters again, or no map."""
    sample_map = SAMPLE_MAPS_BY_ID.get(request.command.name.removeprefix(MAP_COMMAND_PREFIX))
    fields = sample_map.to_fields() if sample_map else {}
    return session.with_fields({**dict.fromkeys(board_setup.CONTROLS, ""), **fields})


def _set_side_turn_sharing(request: FightRequest, session: SetupSession) -> SetupSession:
    """Let a side take separate turns, or one turn together.

    Rule: `turn.group`.
    """
    turns, _, side = request.command.argument.partition(" ")
    if turns not in (SEPARATE, TOGETHER):
        return session
    description = "each character takes a separate turn" if turns == SEPARATE else "one initiative and one turn for all"
    session = session.with_fields({"sheets": set_turns(session.fields["sheets"], side, turns)})
    return replace(session, message=f"{side[:1].upper()}{side[1:]}: {description}.")


def _set_surrounding_of_all(request: FightRequest, session: SetupSession) -> SetupSession:
    """Turn a kind of surroundings on or off for all characters.

    Rule: `move.terrain`.
    """
    word, _, setting = request.command.argument.partition(" ")
    label, is_there = dict(SURROUNDINGS_OFFERED).get(word), setting == "on"
    if not label:
        return session
    session = session.with_fields({"sheets": set_surrounding_of_all(session.fields["sheets"], word, is_there=is_there)})
    return replace(session, message=f"{label}: on." if is_there else f"{label}: off.")


def _remove_waiting_tokens(request: FightRequest, session: SetupSession) -> SetupSession:
    """Remove the tokens that wait for a character. Rule: `grid.scope`."""
    board = _validate_unless_empty_or_cut(request, session).validated.board
    waiting_texts = {str(each) for each in board.waiting_tokens} if board else set()
    entries = session.fields["tokens"].split()
    return session.with_fields(
        {"tokens": " ".join(each for each in entries if normalize_input(each) not in waiting_texts)}
    )


def _make_fight_more_even(request: FightRequest, session: SetupSession) -> SetupSession:
    """Make the change that the advice on balance describes."""
    from scratch_core.calculators.fight.balance import apply_change  # loaded only on request

    scenario = _validate_unless_empty_or_cut(request, session).validated.scenario
    changed = apply_change(session.fields["sheets"], scenario, request.command.argument) if scenario else None
    if changed is None:
        return replace(session, message="This change doesn't fit the characters, so nothing was changed.")
    sheets, message = changed
    return replace(session.with_fields({"sheets": sheets}), message=message)


def _copy_stashed_names_and_sides(request: FightRequest, session: SetupSession) -> SetupSession:
    """Copy the stashed names and sides of the basic rules' setup."""
    names = list_stashed_names_and_sides(request.system, session.fields)
    lines = format_name_lines(names, list_required_sample_items(request.system))
    return session.with_fields({"fighters": lines}) if names else session


def _set_line_value(request: FightRequest, session: SetupSession) -> SetupSession:
    """Set a number or a quality of a character of another turn system."""
    who, _, rest = request.command.argument.partition(" ")
    key, _, value = rest.partition(" ")
    return session.with_fields(
        {"fighters": set_line_value(session.fields["fighters"], request.system, who, key, value)}
    )


def _move_to_seat(request: FightRequest, session: SetupSession) -> SetupSession:
    """Move a character to another seat.

    Rules: `mano.order.seating`, `mano-old.order.seating`.
    """
    who, _, seat_text = request.command.argument.partition(" ")
    seat = parse_whole_number(seat_text)
    if seat is None:
        return session
    return session.with_fields({"fighters": move_fighter_line(session.fields["fighters"], request.system, who, seat)})


_COMMON_COMMANDS: Mapping[str, SetupCommand] = {
    **DISPLAY_COMMANDS,
    CHOOSE: _open_or_close_side_chooser,
    ADD: _add_characters,
    REMOVE_COMMAND: _remove_character_and_minions,
    REMOVE_ALL_COMMAND: _remove_all_characters,
    LOAD_COMMAND: _replace_by_sample_fight,
}
"""The commands of every setup, by their first word."""

COMMANDS_BY_CONTROL: Mapping[str, Mapping[str, SetupCommand]] = {
    "sheets": {
        **_COMMON_COMMANDS,
        **{f"{MAP_COMMAND_PREFIX}{each}": _replace_or_remove_map for each in (*SAMPLE_MAPS_BY_ID, "none")},
        "turns": _set_side_turn_sharing,
        SURROUNDING_COMMAND: _set_surrounding_of_all,
        "remove-tokens": _remove_waiting_tokens,
        EVEN_COMMAND: _make_fight_more_even,
    },
    "fighters": {
        **_COMMON_COMMANDS,
        "copy-names": _copy_stashed_names_and_sides,
        SET_COMMAND: _set_line_value,
        SEAT_COMMAND: _move_to_seat,
    },
}
"""The commands of a setup by their first word, by the control of its characters."""
