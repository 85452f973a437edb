"""The buttons of the character's page: a start, a build to compare with, and the commands of the sheet in play."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scratch_core.calculators.character.page_session import CharacterSession
from scratch_core.calculators.character.play_sheet import (
    DEFENCES,
    choose_ability_or_best_attack,
    compute_defences,
    parse_difficulty_or_default,
)
from scratch_core.calculators.character.request import CharacterRequest
from scratch_core.calculators.character.starting_points import build_start_fields
from scratch_core.calculators.character.validated_character import validate_character
from scratch_core.calculators.characters_text.built_character import format_saved_character
from scratch_core.calculators.characters_text.chooser import list_added_characters
from scratch_core.calculators.characters_text.sheet_log import (
    MAX_NOTE_LENGTH,
    MAX_NUMBER,
    PLAY_MODE,
    LoggedRoll,
    apply_steps,
    format_steps,
    parse_steps,
)
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.open_file import is_scenario
from scratch_core.calculators.shared.request import list_cut_query_problems
from scratch_core.cast import MEMBERS_BY_ID
from scratch_core.characters import parse_sheet
from scratch_core.dice import SIDES
from scratch_core.errors import Problem, Problems, ScratchError, format_input

MAX_STEP_LENGTH = 200
"""The most characters of a step that a button adds."""

CharacterCommand = Callable[[CharacterRequest, CharacterSession], CharacterSession]
"""A command of the sheet in play."""


def execute_request(request: CharacterRequest) -> CharacterSession:
    """Execute the buttons of a request, and parse the character that the controls hold."""
    session = CharacterSession(request.fields, request.limit_problems)
    session = _start_character(request, session).with_problems(request.setting_problems)
    if is_scenario(session.fields["sheet"]):  # the fight page opens such a file
        return _choose_compared_character(request, session)
    if request.query.is_cut:
        longest_control = max(session.fields, key=lambda name: len(session.fields[name]))
        session = session.with_problems(list_cut_query_problems(request.query, longest_control))
    else:
        session = execute_command(request, _parse_character(request, session))
    return _report_invalid_difficulty(_choose_compared_character(request, session))


def execute_command(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Execute the command of a request on the sheet in play.

    A command that is not in the table is a step of the log. Without a valid character nothing changes. Rules:
    `roll.d20`, `roll.modifier`, `hp.damage`.
    """
    if session.character.main is None:
        return session
    return COMMANDS.get(request.command.name, _add_pressed_step)(request, session)


def _start_character(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Fill the controls of the character that the request starts from."""
    try:
        texts = build_start_fields(request.start, session.fields, request.limits, request.roller)
    except ScratchError as error:
        return session.with_problems(error.problems)
    return replace(session.with_fields(texts), started_controls=frozenset(texts))


def _parse_character(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Parse and check the character in the controls.

    Checks the campaign's limits only if they are shown.
    """
    limits = request.limits if "limits" in request.list_shown_parts(session.has_sheet) else None
    character = validate_character(session.fields, limits, request.rulings)
    return replace(session, character=character).with_problems(character.problems)


def _choose_compared_character(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Choose the build to compare with: ticked, from a stat block or from a link.

    Reports text that is no character.
    """
    added_characters, problems = list_added_characters(request.query, "beside", "")
    if added_characters:
        _, blocks = added_characters[0]
        session = session.with_fields({"beside": blocks[0]})
    typed = session.fields["beside"]
    is_link = re.match(r"\s*\S*\?", typed)
    sheet = format_saved_character(typed.strip().partition("?")[2]) if is_link else typed
    draft = next((each for each in parse_sheet(sheet).drafts if each.can_build_character()), None)
    if draft is None and typed.strip():
        expected = "a stat block, or a link to a character"
        problems.report_value("character.beside", expected, typed.strip(), "beside")
    return replace(session.with_problems(problems), compared_character=draft.build_character() if draft else None)


def _report_invalid_difficulty(session: CharacterSession) -> CharacterSession:
    """Report a typed difficulty that the sheet in play can't use."""
    fields, problems = session.fields, Problems()
    is_in_play = session.character.has_abilities and fields["at"] == PLAY_MODE
    if is_in_play and parse_difficulty_or_default(fields["difficulty"]) is None:
        expected = f"a whole number from 0 to {MAX_NUMBER}"
        problems.report_value("play.difficulty", expected, fields["difficulty"], "difficulty", "roll.success")
    return session.with_problems(problems)


# Commands of the sheet in play


def _open_builder(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Show the builder."""
    return session.with_fields({"at": ""})


def _open_play_sheet(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Show the sheet in play."""
    return session.with_fields({"at": PLAY_MODE})


def _undo_last_step(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Remove the last step."""
    return _replace_steps(session, parse_steps(session.fields["play"])[:-1])


def _roll_ability(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Roll the chosen ability, and add a step with that roll.

    The argument is a defence of the opponent, otherwise the typed difficulty applies. Without a roller or a target
    nothing changes, so a link alone never rolls.
    """
    main, fields, target = session.character.main, session.fields, request.command.argument
    if main is None or request.roller is None:
        return session
    opponent = MEMBERS_BY_ID.get(fields["whom"])
    difficulty, target_text = parse_difficulty_or_default(fields["difficulty"]), ""
    if target in DEFENCES and opponent:
        difficulty, target_text = compute_defences(opponent, request.rulings)[target], f"{opponent.name}'s {target}"
    elif target in DEFENCES or difficulty is None:
        return session
    ability = choose_ability_or_best_attack(fields, main)
    roll = LoggedRoll(ability, main.level(ability), difficulty, request.roller.roll(SIDES), target_text)
    return _replace_steps(session, (*parse_steps(fields["play"]), roll.step))


def _add_condition(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Add the typed condition, and clear its control.

    Reports a condition that is empty or too long (`play.condition`).
    """
    condition = truncate_line(session.fields["condition"].strip(), 4 * MAX_NOTE_LENGTH)
    if not condition or len(condition) > MAX_NOTE_LENGTH:
        expected = f"a word or two, {MAX_NOTE_LENGTH} characters at most"
        return session.with_problems([Problem("play.condition", expected, format_input(condition), "condition")])
    steps = parse_steps(session.fields["play"])
    return _replace_steps(session, (*steps, f"note {condition}")).with_fields({"condition": ""})


def _restore_hp(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Restore the hit points before those of a fight were taken over."""
    steps, main = parse_steps(session.fields["play"]), session.character.main
    before = None if main is None else apply_steps(steps, main.max_hp().value).before_fight
    return session if before is None else _add_steps_if_valid(session, f"hp {before}")


def _add_pressed_step(request: CharacterRequest, session: CharacterSession) -> CharacterSession:
    """Add the step that the button names.

    Text that is no step changes nothing.
    """
    return _add_steps_if_valid(session, str(request.command))


COMMANDS: Mapping[str, CharacterCommand] = {
    "build": _open_builder,
    PLAY_MODE: _open_play_sheet,
    "undo": _undo_last_step,
    "roll": _roll_ability,
    "write": _add_condition,
    "before": _restore_hp,
}
"""The commands of the sheet in play, by their first word."""


def _add_steps_if_valid(session: CharacterSession, text: str) -> CharacterSession:
    """Add a step to the log.

    Text that is no step changes nothing.
    """
    added_steps = parse_steps(truncate_line(text.strip(), MAX_STEP_LENGTH))
    return _replace_steps(session, (*parse_steps(session.fields["play"]), *added_steps)) if added_steps else session


def _replace_steps(session: CharacterSession, steps: Sequence[str]) -> CharacterSession:
    """Return the session with other steps in its log."""
    return session.with_fields({"play": format_steps(steps)})
