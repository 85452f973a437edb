"""The sheet in play: what is pressed on it becomes a step, and what it shows follows from the steps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scratch_core.calculators.characters_text.chooser import SavedEntry
from scratch_core.calculators.characters_text.sheet_log import (
    MAX_NOTE_LENGTH,
    NO_ABILITY,
    PLAY_MODE,
    LoggedRoll,
    SheetState,
    apply_steps,
    format_steps,
    parse_steps,
)
from scratch_core.calculators.dice.page import format_percent
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import MEMBERS_BY_ID, CastMember, group_names_by_kind
from scratch_core.characters import Character
from scratch_core.dice import SIDES, Roller, chance_of_check
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.normalization import parse_whole_number
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS

CONTROLS = ("at", "play", "rolled", "whom", "difficulty", "condition")
"""Where the page is (`play`, or "" for the builder), the steps, what is chosen for the next roll, a condition typed."""

DEFENCES = ("agility", "intelligence", "strength")

CONDITIONS = (("delayed", "cond.delayed"), ("panicked", "cond.panicked"), ("evading", "act.evade"))
"""Conditions at a tap, each with its rule; any other is written."""

_DEFAULT_DIFFICULTY = "10"
"""The difficulty that stands there until another is chosen: an even chance and a little more for anyone."""


MAX_FIGHTS = 3
"""As many fights as are looked into, the latest first: each is played through."""

MAX_FIGHT_LENGTH = 200_000
"""Of one fight's query."""


@dataclass(frozen=True, slots=True)
class FightAppearance:
    """A fight with the character in it: what it is called, who it is there, and its hit points at the end so far."""

    fight_name: str
    fighter_name: str
    hp: int
    max_hp: int


FIGHT_HP_COMMANDS: Final = ("fight", "before")
"""The presses that answer an offer of a fight's hit points."""


@dataclass(frozen=True, slots=True)
class AbilityOption:
    """An ability to tap, and its level."""

    name: str
    level: int


@dataclass(frozen=True, slots=True)
class RollTarget:
    """Something to roll against: what the button says, its number, the chance, the press; the usual one is marked."""

    label: str
    difficulty: int
    chance: str
    command: str
    is_usual: bool = False


@dataclass(frozen=True, slots=True)
class PlaySheet:
    """The sheet in play as it is shown. `last_roll_text` is the latest roll in a sentence, "" before the first.

    `fights` are those to take hit points from, None while they are not offered; `saved_fights_text` is what they were
    found in. The offer lasts until one of them is taken; `is_import_requested` where this press asked for it.
    """

    state: SheetState
    ability_options: tuple[AbilityOption, ...]
    chosen_ability: str
    opponent_groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    opponent_id: str
    defence_targets: tuple[RollTarget, ...]
    number_target: RollTarget | None
    can_undo: bool
    fights: tuple[FightAppearance, ...] | None = None
    saved_fights_text: str = ""
    is_import_requested: bool = False

    @property
    def last_roll_text(self) -> str:
        """The latest roll in a sentence."""
        return format_roll(self.state.rolls[0]) if self.state.rolls else ""


def format_roll(rolled: LoggedRoll) -> str:
    """A roll in a sentence: what was rolled against what, the sum, and whether it succeeds."""
    what = "d20" if rolled.ability == NO_ABILITY else f"{rolled.ability.capitalize()} {rolled.level}"
    whom = f" ({rolled.target_text})" if rolled.target_text else ""
    verdict = "success" if rolled.check.is_success else "failure"
    return f"{what} against {rolled.difficulty}{whom}: {rolled.check.total}, {verdict}"


def execute_command(
    do: str, fields: Mapping[str, str], main: Character, rulings: RulingSettings, roller: Roller | None
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The controls that a press sets, by name, and what is wrong with it; nothing for a press that is none.

    A roll waits for a roller: a link alone never throws a die. Rules: `roll.d20`, `roll.modifier`, `hp.damage`.
    """
    verb, _, rest = do.strip().partition(" ")
    if verb in ("build", PLAY_MODE):
        return {"at": "" if verb == "build" else PLAY_MODE}, ()
    steps = parse_steps(fields["play"])
    if verb == "undo":
        return {"play": format_steps(steps[:-1])}, ()
    if verb == "roll":
        return _roll_ability(rest, fields, main, rulings, roller)
    if verb == "write":
        words = truncate_line(fields["condition"].strip(), 4 * MAX_NOTE_LENGTH)
        if not words or len(words) > MAX_NOTE_LENGTH:
            expected = f"a word or two, {MAX_NOTE_LENGTH} characters at most"
            return {}, (Problem("play.condition", expected, format_input(words), "condition"),)
        return {"play": format_steps((*steps, f"note {words}")), "condition": ""}, ()
    if verb == "before":
        before = apply_steps(steps, main.max_hp().value).before_fight
        verb, rest = "hp", "" if before is None else str(before)
    added = parse_steps(truncate_line(f"{verb} {rest}".strip(), 200))
    return ({"play": format_steps((*steps, *added))} if added else {}), ()


def _roll_ability(
    wanted: str, fields: Mapping[str, str], main: Character, rulings: RulingSettings, roller: Roller | None
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """A roll of the chosen ability against a defence of someone, or against the number written."""
    if roller is None:
        return {}, ()
    chosen, rival = _choose_ability(fields, main), MEMBERS_BY_ID.get(fields["whom"])
    difficulty, against = parse_typed_difficulty(fields["difficulty"]), ""
    if wanted in DEFENCES and rival:
        difficulty, against = _defences_of(rival, rulings)[wanted], f"{rival.name}'s {wanted}"
    elif wanted in DEFENCES or difficulty is None:
        return {}, ()
    rolled = LoggedRoll(chosen, main.level(chosen), difficulty, roller.roll(SIDES), against)
    return {"play": format_steps((*parse_steps(fields["play"]), rolled.step))}, ()


def parse_typed_difficulty(text: str) -> int | None:
    """A difficulty as it is written, the usual one where nothing is; None for what is none."""
    number = parse_whole_number(text.strip() or _DEFAULT_DIFFICULTY)
    return number if number is not None and 0 <= number <= 9_999 else None


def build_state(fields: Mapping[str, str], main: Character) -> SheetState:
    """Return the damage, the conditions and the rolls of a character. Rule: `hp.max`."""
    return apply_steps(parse_steps(fields["play"]), main.max_hp().value)


def build_play_sheet(fields: Mapping[str, str], main: Character, rulings: RulingSettings) -> PlaySheet:
    """The sheet in play. Rules: `char.stat-line`, `hp.max`, `hp.stamina`, `roll.success`, `roll.beyond-reach`."""
    steps = parse_steps(fields["play"])
    chosen = _choose_ability(fields, main)
    difficulty = parse_typed_difficulty(fields["difficulty"])
    level = main.level(chosen)
    return PlaySheet(
        state=build_state(fields, main),
        ability_options=_list_ability_options(main),
        chosen_ability=chosen,
        opponent_groups=group_names_by_kind("opponent"),
        opponent_id=fields["whom"] if fields["whom"] in MEMBERS_BY_ID else "",
        defence_targets=_list_defence_targets(fields["whom"], chosen, level, rulings),
        number_target=None if difficulty is None else _build_roll_target("", difficulty, level, "roll"),
        can_undo=bool(steps),
    )


def _list_ability_options(main: Character) -> tuple[AbilityOption, ...]:
    known = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    return (*(AbilityOption(each, main.level(each)) for each in known), AbilityOption(NO_ABILITY, 0))


def _choose_ability(fields: Mapping[str, str], main: Character) -> str:
    """The ability to be rolled: the one chosen, else the character's best attack, else its first."""
    known = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    if fields["rolled"] in (*known, NO_ABILITY):
        return fields["rolled"]
    attacks = [each for each in known if ABILITIES_BY_NAME[each].group == "attack"]
    return max(attacks or known or [NO_ABILITY], key=main.level)


def _list_defence_targets(whom: str, ability: str, level: int, rulings: RulingSettings) -> tuple[RollTarget, ...]:
    """The three defences of someone of the cast, the one that the ability is mostly rolled against marked."""
    rival = MEMBERS_BY_ID.get(whom)
    if rival is None:
        return ()
    rolls = (
        [ACTION_SPECS[do].against for do in ABILITIES_BY_NAME[ability].adds_to] if ability in ABILITIES_BY_NAME else []
    )
    usual = next((against[0] for against in rolls if against), "")
    found = _defences_of(rival, rulings)
    return tuple(_build_roll_target(each, found[each], level, f"roll {each}", each == usual) for each in DEFENCES)


def _build_roll_target(label: str, difficulty: int, level: int, do: str, is_usual: bool = False) -> RollTarget:
    return RollTarget(label, difficulty, format_percent(chance_of_check(level, difficulty)), do, is_usual)


def _defences_of(rival: CastMember, rulings: RulingSettings) -> dict[str, int]:
    figures = rival.build_character().figures(rulings)
    return {each: figures[each].value for each in DEFENCES}


def format_summary(name: str, seen: PlaySheet) -> str:
    """Where the sheet stands, in a sentence or two: the latest roll first."""
    has = f"{name} has {seen.state.hp} of {seen.state.max_hp} hit points"
    noted = f", {', '.join(seen.state.conditions)}" if seen.state.conditions else ""
    return f"{seen.last_roll_text}. {has}{noted}." if seen.last_roll_text else f"{has}{noted}."


def list_fight_appearances(fights: Sequence[SavedEntry], name: str) -> tuple[FightAppearance, ...]:
    """The fights in which someone of that name takes part, by the basic rules. Never raises. Rule: `hp.damage`.

    Of several of one, `Ria 1` and `Ria 2`, all are found.
    """
    from scratch_core.encounter.state import Fighter
    from scratch_core.scenario import parse_scenario, play  # a character's page starts without every order of turns

    found, named = [], re.compile(rf"{re.escape(name)}( \d{{1,4}})?", re.IGNORECASE)
    for fight in fights[:MAX_FIGHTS]:
        try:
            people = play(parse_scenario(parse_query(fight.query, MAX_FIGHT_LENGTH).text("log"))).final_state.fighters
        except ScratchError:
            continue
        fighters = [each for each in people if isinstance(each, Fighter) and named.fullmatch(each.name)]
        found += [FightAppearance(fight.name, each.name, each.hp, each.numbers.max_hp) for each in fighters]
    return tuple(found)
