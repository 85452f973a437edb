"""The sheet in play: the state of a character after all steps, and what it can roll."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from scratch_core.calculators.characters_text.chooser import SavedEntry
from scratch_core.calculators.characters_text.sheet_log import (
    NO_ABILITY,
    LoggedRoll,
    SheetState,
    apply_steps,
    parse_steps,
)
from scratch_core.calculators.dice.chart import format_percent
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import MEMBERS_BY_ID, CastMember, group_members_by_kind
from scratch_core.characters import Character
from scratch_core.dice import chance_of_check
from scratch_core.errors import ScratchError
from scratch_core.normalization import parse_whole_number
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS

DEFENCES = ("agility", "intelligence", "strength")
"""The figures that a roll can be made against."""

CONDITIONS = (("delayed", "cond.delayed"), ("panicked", "cond.panicked"), ("evading", "act.evade"))
"""The conditions with a button, each with its rule. Any other is typed."""

_DEFAULT_DIFFICULTY = "10"
"""The difficulty until another is chosen. Without any bonus the chance of success is a little more than even."""


MAX_FIGHTS = 3
"""The most fights with the character's name that are searched, latest first: each is played to its end."""

MAX_SIMILAR = 6
"""The most characters with another name that are offered."""

MAX_FIGHT_LENGTH = 200_000
"""The most characters of a fight's query."""


@dataclass(frozen=True, slots=True)
class FightAppearance:
    """A fight in which the character takes part."""

    fight_name: str
    """The name of the saved fight."""
    fighter_name: str
    """The character's name in the fight."""
    hp: int
    """The hit points after the last step."""
    max_hp: int
    """The maximum of hit points."""


@dataclass(frozen=True, slots=True)
class AbilityOption:
    """An ability to choose for a roll."""

    name: str
    """The ability's name, or `NO_ABILITY`."""
    level: int
    """Its level."""


@dataclass(frozen=True, slots=True)
class RollTarget:
    """A difficulty to roll against."""

    label: str
    """The label of its button. Empty for a typed difficulty."""
    difficulty: int
    """The difficulty."""
    chance: str
    """The chance of success as a percentage."""
    command: str
    """The command of the button."""
    is_usual: bool = False
    """Whether the ability is usually rolled against it."""


@dataclass(frozen=True, slots=True)
class PlaySheet:
    """The sheet in play as shown."""

    state: SheetState
    """The state after all steps."""
    ability_options: tuple[AbilityOption, ...]
    """The abilities to choose from."""
    chosen_ability: str
    """The ability of the next roll."""
    opponent_groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """The members of the cast to roll against, by kind, each as id and name."""
    opponent_id: str
    """The id of the chosen opponent. Empty for none."""
    defence_targets: tuple[RollTarget, ...]
    """The opponent's defences. Empty without an opponent."""
    number_target: RollTarget | None
    """The typed difficulty. None if it is invalid."""
    can_undo: bool
    """Whether there is a step to undo."""
    fights: tuple[FightAppearance, ...] | None = None
    """The fights to take hit points from. None if they are not offered."""
    is_named_in_fights: bool = True
    """Whether `fights` lists characters of the same name, not others that the character may have been before."""
    saved_fights_text: str = ""
    """The saved entries with the fights, as the browser sent them."""
    is_import_requested: bool = False
    """Whether this request is for the list of fights."""

    @property
    def last_roll_text(self) -> str:
        """The latest roll in a sentence. Empty before the first."""
        return format_roll(self.state.rolls[0]) if self.state.rolls else ""


def format_roll(rolled: LoggedRoll) -> str:
    """Format a roll in a sentence, with its difficulty, total and result."""
    die = "d20" if rolled.ability == NO_ABILITY else f"{rolled.ability.capitalize()} {rolled.level}"
    target_text = f" ({rolled.target_text})" if rolled.target_text else ""
    verdict = "success" if rolled.check.is_success else "failure"
    return f"{die} against {rolled.difficulty}{target_text}: {rolled.check.total}, {verdict}"


def parse_difficulty_or_default(text: str) -> int | None:
    """Parse a typed difficulty.

    Returns the default if the text is empty, and None if it is invalid.
    """
    number = parse_whole_number(text.strip() or _DEFAULT_DIFFICULTY)
    return number if number is not None and 0 <= number <= 9_999 else None


def build_sheet_state(fields: Mapping[str, str], main: Character) -> SheetState:
    """Build the state of a character: damage, conditions and rolls.

    Rule: `hp.max`.
    """
    return apply_steps(parse_steps(fields["play"]), main.max_hp().value)


def build_play_sheet(fields: Mapping[str, str], main: Character, rulings: RulingSettings) -> PlaySheet:
    """Build the sheet in play.

    Rules: `char.stat-line`, `hp.max`, `hp.stamina`, `roll.success`, `roll.beyond-reach`.
    """
    steps = parse_steps(fields["play"])
    ability = choose_ability_or_best_attack(fields, main)
    difficulty = parse_difficulty_or_default(fields["difficulty"])
    level = main.level(ability)
    return PlaySheet(
        state=build_sheet_state(fields, main),
        ability_options=_list_ability_options(main),
        chosen_ability=ability,
        opponent_groups=group_members_by_kind("opponent"),
        opponent_id=fields["whom"] if fields["whom"] in MEMBERS_BY_ID else "",
        defence_targets=_list_defence_targets(fields["whom"], ability, level, rulings),
        number_target=None if difficulty is None else _build_roll_target("", difficulty, level, "roll"),
        can_undo=bool(steps),
    )


def _list_ability_options(main: Character) -> tuple[AbilityOption, ...]:
    abilities = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    return (*(AbilityOption(each, main.level(each)) for each in abilities), AbilityOption(NO_ABILITY, 0))


def choose_ability_or_best_attack(fields: Mapping[str, str], main: Character) -> str:
    """Return the ability of the next roll.

    This is the chosen ability, otherwise the character's best attack, otherwise its best ability, otherwise
    `NO_ABILITY`.
    """
    abilities = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    if fields["rolled"] in (*abilities, NO_ABILITY):
        return fields["rolled"]
    attacks = [each for each in abilities if ABILITIES_BY_NAME[each].group == "attack"]
    return max(attacks or abilities or [NO_ABILITY], key=main.level)


def _list_defence_targets(
    opponent_id: str, ability: str, level: int, rulings: RulingSettings
) -> tuple[RollTarget, ...]:
    """List the three defences of a member of the cast as roll targets.

    Marks the defence that the ability is usually rolled against. Returns () for an unknown id.
    """
    opponent = MEMBERS_BY_ID.get(opponent_id)
    if opponent is None:
        return ()
    rolls = (
        [ACTION_SPECS[do].against for do in ABILITIES_BY_NAME[ability].actions_added_to]
        if ability in ABILITIES_BY_NAME
        else []
    )
    usual = next((against[0] for against in rolls if against), "")
    defences = compute_defences(opponent, rulings)
    return tuple(_build_roll_target(each, defences[each], level, f"roll {each}", each == usual) for each in DEFENCES)


def _build_roll_target(label: str, difficulty: int, level: int, do: str, is_usual: bool = False) -> RollTarget:
    return RollTarget(label, difficulty, format_percent(chance_of_check(level, difficulty)), do, is_usual)


def compute_defences(opponent: CastMember, rulings: RulingSettings) -> dict[str, int]:
    """Compute the figures of a member of the cast that rolls are made against."""
    figures = opponent.build_character().figures(rulings)
    return {each: figures[each].value for each in DEFENCES}


def format_play_summary(name: str, sheet: PlaySheet) -> str:
    """Summarize the sheet in play: the latest roll, hit points and conditions."""
    hp_text = f"{name} has {sheet.state.hp} of {sheet.state.max_hp} hit points"
    conditions_text = f", {', '.join(sheet.state.conditions)}" if sheet.state.conditions else ""
    return (
        f"{sheet.last_roll_text}. {hp_text}{conditions_text}."
        if sheet.last_roll_text
        else f"{hp_text}{conditions_text}."
    )


def _may_mention(log: str, name: str) -> bool:
    """Return whether a file may contain a name.

    A name with letters that files may escape is not searched for.
    """
    return re.fullmatch(r"[\w .'-]*", name, re.ASCII) is None or name.casefold() in log.casefold()


def list_fight_appearances(fights: Sequence[SavedEntry], name: str) -> tuple[FightAppearance, ...]:
    """List the latest fights in which a character of that name takes part.

    There are at most `MAX_FIGHTS`. Includes numbered characters such as `Ria 1` and `Ria 2`, and only fights by the
    basic rules. Fights that can't be parsed are omitted. Never raises. Rule: `hp.damage`.
    """
    pattern = re.compile(rf"{re.escape(name)}( \d{{1,4}})?", re.IGNORECASE)
    logs = ((fight, log) for fight, log in _list_fights_and_logs(fights) if _may_mention(log, name))
    return tuple(each for each in _list_appearances(logs) if pattern.fullmatch(each.fighter_name))


def list_similar_appearances(fights: Sequence[SavedEntry], max_hp: int) -> tuple[FightAppearance, ...]:
    """List who has the same maximum of hit points in the latest fights.

    A character that was renamed may be one of them. There are at most `MAX_SIMILAR`, from at most `MAX_FIGHTS` fights.
    Never raises. Rule: `hp.max`.
    """
    similar = (each for each in _list_appearances(_list_fights_and_logs(fights)) if each.max_hp == max_hp)
    return tuple(islice(similar, MAX_SIMILAR))


def _list_fights_and_logs(fights: Sequence[SavedEntry]) -> Iterator[tuple[SavedEntry, str]]:
    return ((fight, parse_query(fight.query, MAX_FIGHT_LENGTH).text("log")) for fight in fights)


def _list_appearances(fights_and_logs: Iterable[tuple[SavedEntry, str]]) -> Iterator[FightAppearance]:
    """Play the first `MAX_FIGHTS` fights, and yield their characters.

    Those of other turn systems are omitted.
    """
    from scratch_core.encounter.state import Fighter
    from scratch_core.scenario import parse_scenario, play  # the page loads the turn systems only on request

    for fight, log in islice(fights_and_logs, MAX_FIGHTS):
        try:
            fighters = play(parse_scenario(log)).final_state.fighters
        except ScratchError:
            continue
        for each in fighters:
            if isinstance(each, Fighter):
                yield FightAppearance(fight.name, each.name, each.hp, each.numbers.max_hp)
