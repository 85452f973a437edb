"""The sheet in play: what is pressed on it becomes a step, and what it shows follows from the steps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scratch_core.calculators.characters_text.chooser import Handed
from scratch_core.calculators.characters_text.sheet_log import (
    AT_PLAY,
    BARE,
    NOTE_LIMIT,
    Rolled,
    SheetState,
    read_steps,
    state_after,
    write_steps,
)
from scratch_core.calculators.dice.page import percent
from scratch_core.calculators.shared.form import one_line
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import MEMBERS_BY_ID, CastMember, group_by_kind
from scratch_core.characters import Character
from scratch_core.dice import SIDES, Roller, chance_of_check
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS

CONTROLS = ("at", "play", "rolled", "whom", "difficulty", "condition")
"""Where the page is (`play`, or "" for the builder), the steps, what is chosen for the next roll, a condition typed."""

DEFENCES = ("agility", "intelligence", "strength")

CONDITIONS = (("delayed", "cond.delayed"), ("panicked", "cond.panicked"), ("evading", "act.evade"))
"""Conditions at a tap, each with its rule; any other is written."""

_USUAL = "10"
"""The difficulty that stands there until another is chosen: an even chance and a little more for anyone."""


MOST_FIGHTS = 3
"""As many fights as are looked into, the latest first: each is played through."""

MOST_CHARACTERS = 200_000
"""Of one fight's query."""


@dataclass(frozen=True, slots=True)
class InFight:
    """A fight with the character in it: what it is called, who it is there, and its hit points at the end so far."""

    name: str
    who: str
    hp: int
    max_hp: int


TAKES_FROM_FIGHT: Final = ("fight", "before")
"""The presses that answer an offer of a fight's hit points."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An ability to tap, and its level."""

    name: str
    level: int


@dataclass(frozen=True, slots=True)
class Against:
    """Something to roll against: what the button says, its number, the chance, the press; the usual one is marked."""

    label: str
    difficulty: int
    chance: str
    do: str
    is_usual: bool = False


@dataclass(frozen=True, slots=True)
class Playing:
    """The sheet in play as it is shown. `last` is the latest roll in a sentence, "" before the first.

    `fights` are those to take hit points from, None while they are not offered; `handed` is what they were found in.
    The offer lasts until one of them is taken; `is_asked` where this press asked for it.
    """

    state: SheetState
    abilities: tuple[Choice, ...]
    chosen: str
    people: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    whom: str
    defences: tuple[Against, ...]
    number: Against | None
    can_undo: bool
    fights: tuple[InFight, ...] | None = None
    handed: str = ""
    is_asked: bool = False

    @property
    def last(self) -> str:
        """The latest roll in a sentence."""
        return told(self.state.rolls[0]) if self.state.rolls else ""


def told(rolled: Rolled) -> str:
    """A roll in a sentence: what was rolled against what, the sum, and whether it succeeds."""
    what = "d20" if rolled.ability == BARE else f"{rolled.ability.capitalize()} {rolled.level}"
    whom = f" ({rolled.against})" if rolled.against else ""
    verdict = "success" if rolled.check.success else "failure"
    return f"{what} against {rolled.difficulty}{whom}: {rolled.check.total}, {verdict}"


def pressed(
    do: str, fields: Mapping[str, str], main: Character, rulings: RulingSettings, roller: Roller | None
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The controls that a press sets, by name, and what is wrong with it; nothing for a press that is none.

    A roll waits for a roller: a link alone never throws a die. Rules: `roll.d20`, `roll.modifier`, `hp.damage`.
    """
    verb, _, rest = do.strip().partition(" ")
    if verb in ("build", AT_PLAY):
        return {"at": "" if verb == "build" else AT_PLAY}, ()
    steps = read_steps(fields["play"])
    if verb == "undo":
        return {"play": write_steps(steps[:-1])}, ()
    if verb == "roll":
        return _roll(rest, fields, main, rulings, roller)
    if verb == "write":
        words = one_line(fields["condition"].strip(), 4 * NOTE_LIMIT)
        if not words or len(words) > NOTE_LIMIT:
            expected = f"a word or two, {NOTE_LIMIT} characters at most"
            return {}, (Problem("play.condition", expected, format_input(words), "condition"),)
        return {"play": write_steps((*steps, f"note {words}")), "condition": ""}, ()
    if verb == "before":
        before = state_after(steps, main.max_hp().value).before_fight
        verb, rest = "hp", "" if before is None else str(before)
    added = read_steps(one_line(f"{verb} {rest}".strip(), 200))
    return ({"play": write_steps((*steps, *added))} if added else {}), ()


def _roll(
    wanted: str, fields: Mapping[str, str], main: Character, rulings: RulingSettings, roller: Roller | None
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """A roll of the chosen ability against a defence of someone, or against the number written."""
    if roller is None:
        return {}, ()
    chosen, rival = _chosen(fields, main), MEMBERS_BY_ID.get(fields["whom"])
    difficulty, against = read_difficulty(fields["difficulty"]), ""
    if wanted in DEFENCES and rival:
        difficulty, against = _defences_of(rival, rulings)[wanted], f"{wanted} of {rival.name}"
    elif wanted in DEFENCES or difficulty is None:
        return {}, ()
    rolled = Rolled(chosen, main.level(chosen), difficulty, roller.roll(SIDES), against)
    return {"play": write_steps((*read_steps(fields["play"]), rolled.step))}, ()


def read_difficulty(text: str) -> int | None:
    """A difficulty as it is written, the usual one where nothing is; None for what is none."""
    plain = normalize_input(text).strip() or _USUAL
    return int(plain) if re.fullmatch(r"[0-9]{1,4}", plain) else None


def state_of(fields: Mapping[str, str], main: Character) -> SheetState:
    """Return the damage, the conditions and the rolls of a character. Rule: `hp.max`."""
    return state_after(read_steps(fields["play"]), main.max_hp().value)


def playing(fields: Mapping[str, str], main: Character, rulings: RulingSettings) -> Playing:
    """The sheet in play. Rules: `char.stat-line`, `hp.max`, `hp.stamina`, `roll.success`, `roll.beyond-reach`."""
    steps = read_steps(fields["play"])
    chosen = _chosen(fields, main)
    difficulty = read_difficulty(fields["difficulty"])
    level = main.level(chosen)
    return Playing(
        state=state_of(fields, main),
        abilities=_choices(main),
        chosen=chosen,
        people=group_by_kind("opponent"),
        whom=fields["whom"] if fields["whom"] in MEMBERS_BY_ID else "",
        defences=_defences(fields["whom"], chosen, level, rulings),
        number=None if difficulty is None else _against("", difficulty, level, "roll"),
        can_undo=bool(steps),
    )


def _choices(main: Character) -> tuple[Choice, ...]:
    known = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    return (*(Choice(each, main.level(each)) for each in known), Choice(BARE, 0))


def _chosen(fields: Mapping[str, str], main: Character) -> str:
    """The ability to be rolled: the one chosen, else the character's best attack, else its first."""
    known = [line.ability for line in main.lines if line.ability in ABILITIES_BY_NAME]
    if fields["rolled"] in (*known, BARE):
        return fields["rolled"]
    attacks = [each for each in known if ABILITIES_BY_NAME[each].group == "attack"]
    return max(attacks or known or [BARE], key=main.level)


def _defences(whom: str, ability: str, level: int, rulings: RulingSettings) -> tuple[Against, ...]:
    """The three defences of someone of the cast, the one that the ability is mostly rolled against marked."""
    rival = MEMBERS_BY_ID.get(whom)
    if rival is None:
        return ()
    rolls = (
        [ACTION_SPECS[do].against for do in ABILITIES_BY_NAME[ability].adds_to] if ability in ABILITIES_BY_NAME else []
    )
    usual = next((against[0] for against in rolls if against), "")
    found = _defences_of(rival, rulings)
    return tuple(_against(each, found[each], level, f"roll {each}", each == usual) for each in DEFENCES)


def _against(label: str, difficulty: int, level: int, do: str, is_usual: bool = False) -> Against:
    return Against(label, difficulty, percent(chance_of_check(level, difficulty)), do, is_usual)


def _defences_of(rival: CastMember, rulings: RulingSettings) -> dict[str, int]:
    figures = rival.build_character().figures(rulings)
    return {each: figures[each].value for each in DEFENCES}


def summary(name: str, seen: Playing) -> str:
    """Where the sheet stands, in a sentence or two: the latest roll first."""
    has = f"{name} has {seen.state.hp} of {seen.state.max_hp} hit points"
    noted = f", {', '.join(seen.state.conditions)}" if seen.state.conditions else ""
    return f"{seen.last}. {has}{noted}." if seen.last else f"{has}{noted}."


def found_in(fights: Sequence[Handed], name: str) -> tuple[InFight, ...]:
    """The fights in which someone of that name takes part, by the basic rules. Never raises. Rule: `hp.damage`.

    Of several of one, `Ria 1` and `Ria 2`, all are found.
    """
    from scratch_core.encounter.state import Fighter
    from scratch_core.scenario import parse_scenario, play  # a character's page starts without every order of turns

    found, named = [], re.compile(rf"{re.escape(name)}( \d{{1,4}})?", re.IGNORECASE)
    for fight in fights[:MOST_FIGHTS]:
        try:
            people = play(parse_scenario(parse_query(fight.query, MOST_CHARACTERS).text("log"))).final_state.fighters
        except ScratchError:
            continue
        fighters = [each for each in people if isinstance(each, Fighter) and named.fullmatch(each.name)]
        found += [InFight(fight.name, each.name, each.hp, each.numbers.max_hp) for each in fighters]
    return tuple(found)
