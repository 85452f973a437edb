"""Statistics of duels: `python -m build_scripts.data.duel_statistics` rewrites duel_statistics.json, in about a minute.

The file is in the repository, because it changes only if the engine or the cast does. A test computes a sample of it
again. All figures on the page about it are tables of this file (`engine-table name="lessons-builds"`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from build_scripts.html_table import render_html_table
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import ARCHETYPES, CastMember, get_member
from scratch_core.characters import AbilityLevel, Character, CharacterDraft, format_sheet
from scratch_core.encounter.state import build_fighter
from scratch_core.odds import Duel, build_twin
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, format_setting_for_display
from scratch_core.rulebook.abilities import ABILITIES

STATISTICS_FILE = Path(__file__).with_name("duel_statistics.json")
SAMPLE_BLOCK = "Fighter\n3 fighting\n3 shooting\n4 toughness"
"""A character of ten points without a weakness, whose duel against its own twin gives the value of one more level."""
RULING_PAIRS = (("wrestler", "duellist"), ("sharpshooter", "wrestler"))
"""The pairs of archetypes that the options of rulings are compared with."""


class LevelChances(NamedTuple):
    """The chances of a character with one more level against its twin."""

    win: float
    """The chance to win, weighed by the probability of both orders."""
    go_first: float
    """The chance to go first."""


class ChancesByOrder(NamedTuple):
    """The chances to win by who begins."""

    going_first: float
    """The chance to win if the character goes first."""
    going_second: float
    """The chance to win if it goes second."""


def compute_win_chances_and_first_turn_chance(
    first_character: Character, second_character: Character, rulings: RulingSettings | None = None
) -> tuple[float, float, float]:
    """Compute the first character's chances to win going first and second, and to go first.

    The duel is on level ground, and escaping loses. Rules: `turn.initiative-roll`, `turn.tie`.
    """
    rulings = rulings or RulingSettings()
    mine = build_fighter(first_character, here=("level",), rulings=rulings)
    theirs = build_fighter(second_character, here=("level",), rulings=rulings)
    if mine.id == theirs.id:
        theirs = build_twin(mine)
    duel = Duel(mine, theirs, rulings=rulings, escape="loss").solve()
    first, second = (duel.win_probabilities(goes).first_wins.low for goes in ("first", "second"))
    return first, second, float(duel.first_begins)


def list_independent_archetypes() -> tuple[CastMember, ...]:
    """List the archetypes that neither have minions nor are minions.

    Rule: `command.minions`.
    """
    return tuple(each for each in ARCHETYPES if not each.minions and not each.build_character().minion_of)


def compute_archetype_duel_chances() -> dict[str, tuple[float, float, float]]:
    """Compute the chances of each two archetypes, by their ids, separated by a space."""
    characters = {each.id: each.build_character() for each in list_independent_archetypes()}
    return {
        f"{one} {other}": compute_win_chances_and_first_turn_chance(characters[one], characters[other])
        for one, other in combinations(characters, 2)
    }


def build_sample_with_raised_ability(ability: str) -> Character:
    """Build the sample character with one more level of an ability."""
    base = CharacterDraft.from_stat_block(SAMPLE_BLOCK).build_character()
    level = base.base_level(ability) + 1
    other_lines = tuple(line for line in base.lines if line.ability != ability)
    return replace(base, name="Taught fighter", lines=(*other_lines, AbilityLevel(ability, level)))


def compute_raised_level_chances(ability: str) -> LevelChances:
    """Compute the chances of the sample character with one more level."""
    base = CharacterDraft.from_stat_block(SAMPLE_BLOCK).build_character()
    first, second, share = compute_win_chances_and_first_turn_chance(build_sample_with_raised_ability(ability), base)
    return LevelChances(share * first + (1 - share) * second, share)


def compute_ruling_chances(ruling_name: str, setting: Any, member_ids: tuple[str, str]) -> ChancesByOrder:
    """Compute the chances of the first of a pair, with one option of a ruling."""
    one, other = (get_member(each).build_character() for each in member_ids)
    first, second, _ = compute_win_chances_and_first_turn_chance(
        one, other, RulingSettings.from_dict({ruling_name: setting})
    )
    return ChancesByOrder(first, second)


def list_non_default_settings() -> list[tuple[str, Any]]:
    """List every option of a ruling that is not the default."""
    return [(each.name, choice) for each in RULE_OPTIONS for choice in each.choices if choice != each.default]


def compute_statistics() -> dict[str, Any]:
    """Compute all statistics."""
    rulings = {
        f"{name}={format_setting_for_display(setting)} {one} {other}": compute_ruling_chances(
            name, setting, (one, other)
        )
        for name, setting in list_non_default_settings()
        for one, other in RULING_PAIRS
    }
    levels = {each.name: compute_raised_level_chances(each.name) for each in ABILITIES}
    return {"duels": compute_archetype_duel_chances(), "levels": levels, "rulings": rulings}


def main() -> None:
    """Compute all statistics, and write them with six decimals."""
    rounded = {
        kind: {key: [round(number, 6) for number in numbers] for key, numbers in figures.items()}
        for kind, figures in compute_statistics().items()
    }
    STATISTICS_FILE.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(f"{STATISTICS_FILE.name}: " + ", ".join(f"{len(numbers)} {kind}" for kind, numbers in rounded.items()))


# The tables of the page


@cache
def load_statistics() -> Mapping[str, Mapping[str, Sequence[float]]]:
    """Load the statistics from their file."""
    statistics: dict[str, dict[str, list[float]]] = json.loads(STATISTICS_FILE.read_text(encoding="utf-8"))
    return statistics


def _format_percent(chance: float) -> str:
    return f"{100 * chance:.1f}%"


def _format_points(change: float) -> str:
    return f"{100 * change:+.1f}".replace("-", "−")


def _render_link(words: str, **fields: str) -> str:
    query = format_query({**fields, "here": "level", "escape": "loss"})
    return f'<a href="../odds/?{escape(query)}">{escape(words)}</a>'


def render_archetype_win_chances_table() -> str:
    """Render how each archetype fares against all others, the best first."""
    names = {each.id: each.build_character().name for each in list_independent_archetypes()}
    won: dict[str, list[float]] = {each: [] for each in names}
    for key, (first, second, share) in load_statistics()["duels"].items():
        one, other = key.split()
        chance = share * first + (1 - share) * second
        won[one].append(chance)
        won[other].append(1 - chance)
    order = sorted(names, key=lambda each: -mean(won[each]))
    rows = [
        (
            _render_link(names[each], first=each, everybody="1"),
            _format_percent(mean(won[each])),
            _format_percent(min(won[each])),
        )
        for each in order
    ]
    return render_html_table(
        "lessons-builds", "How often each archetype beats another", ("who", "on average", "at worst"), rows
    )


def render_first_turn_value_table() -> str:
    """Render the value of the first turn, pair by pair, and on average."""
    names = {each.id: each.build_character().name for each in list_independent_archetypes()}
    gains = {key: first - second for key, (first, second, _) in load_statistics()["duels"].items()}
    order = sorted(gains, key=lambda key: -gains[key])
    shown = [*order[:3], order[len(order) // 2], *order[-3:]]
    rows = []
    for key in shown:
        one, other = key.split()
        first, second, _ = load_statistics()["duels"][key]
        pair = _render_link(f"{names[one]} against {names[other]}", first=one, second=other, begins="first")
        rows.append((pair, _format_percent(first), _format_percent(second), _format_points(gains[key])))
    rows.append((f"all {len(gains)} pairs, on average", "", "", _format_points(mean(gains.values()))))
    heads = ("pair", "wins going first", "wins going second", "worth")
    return render_html_table("lessons-first", "The value of going first, from most to least", heads, rows)


def render_ability_level_value_table() -> str:
    """Render the value of one more level of each ability, the highest first.

    The opponent is the character's own twin.
    """
    rows = []
    for ability, (chance, share) in sorted(load_statistics()["levels"].items(), key=lambda each: -each[1][0]):
        sheet = format_sheet((build_sample_with_raised_ability(ability),))
        link = _render_link(ability, first_sheet=sheet, second_sheet=SAMPLE_BLOCK)
        rows.append((link, _format_percent(chance), _format_points(chance - 0.5), _format_percent(share)))
    heads = ("one more level of", "wins against the twin", "adds", "goes first")
    return render_html_table("lessons-levels", "One more level against your own twin", heads, rows)


def render_ruling_effect_table() -> str:
    """Render where an option of a ruling changes the chance to win, for some pairs."""
    base = load_statistics()["duels"]
    rows = []
    for key, (first, second) in load_statistics()["rulings"].items():
        setting, one, other = key.rsplit(" ", 2)
        default_chances = base.get(f"{one} {other}") or [1 - each for each in base[f"{other} {one}"][1::-1]]
        change = ((first - default_chances[0]) + (second - default_chances[1])) / 2
        if abs(change) >= 0.0005:
            pair = _render_link(f"{one} against {other}", first=one, second=other, rulings=setting)
            rows.append((f"<code>{escape(setting)}</code>", pair, _format_points(change)))
    heads = ("other option", "pair", "changes the first character's chance by")
    return render_html_table("lessons-rulings", "Where a ruling changes the answer", heads, rows)


STATISTICS_TABLES: dict[str, Callable[[], str]] = {
    "lessons-builds": render_archetype_win_chances_table,
    "lessons-first": render_first_turn_value_table,
    "lessons-levels": render_ability_level_value_table,
    "lessons-rulings": render_ruling_effect_table,
}

if __name__ == "__main__":
    main()
