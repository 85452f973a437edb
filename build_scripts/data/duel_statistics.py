"""Statistics of duels: `python -m build_scripts.data.duel_statistics` rewrites duel_statistics.json, in about a minute.

It is kept in the repository, for it changes only when engine or cast do; a test works a sample of it out again. The
page about it has its figures from here alone, as tables (`engine-table name="lessons-builds"`).
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
from typing import Any

from build_scripts.html_table import table
from scratch_core.calculators.shared.query import query_string
from scratch_core.cast import ARCHETYPES, CastMember, get_member
from scratch_core.characters import AbilityLevel, Character, CharacterDraft, format_sheet
from scratch_core.encounter.state import build_fighter
from scratch_core.odds import Duel, build_twin
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, format_setting
from scratch_core.rulebook.abilities import ABILITIES

LESSONS = Path(__file__).with_name("duel_statistics.json")
BUILD = "Fighter\n3 fighting\n3 shooting\n4 toughness"
"""Ten points without a weakness: what one more level is worth is asked of it against its own twin."""
PAIRS = (("wrestler", "duellist"), ("sharpshooter", "wrestler"))
"""Where the rulings are tried out."""

Pair = tuple[float, float]


def chances(one: Character, other: Character, rulings: RulingSettings | None = None) -> tuple[float, float, float]:
    """The first one's chance to win on level ground when it goes first, when the other does, and its chance to begin.

    Escaping loses. Rules: `turn.initiative-roll`, `turn.tie`.
    """
    rulings = rulings or RulingSettings()
    mine = build_fighter(one, here=("level",), rulings=rulings)
    theirs = build_fighter(other, here=("level",), rulings=rulings)
    if mine.id == theirs.id:
        theirs = build_twin(mine)
    duel = Duel(mine, theirs, rulings=rulings, escape="loss").solve()
    first, second = (duel.win_probabilities(goes).first_wins.low for goes in ("first", "second"))
    return first, second, float(duel.first_begins)


def alone() -> tuple[CastMember, ...]:
    """The archetypes who neither have minions nor are any. Rule: `command.minions`."""
    return tuple(each for each in ARCHETYPES if not each.minions and not each.build_character().minion_of)


def duels() -> dict[str, tuple[float, float, float]]:
    """Every two archetypes, as `one other`: both chances of the first, and its chance to begin."""
    people = {each.id: each.build_character() for each in alone()}
    return {f"{one} {other}": chances(people[one], people[other]) for one, other in combinations(people, 2)}


def with_one_more(ability: str) -> Character:
    """The build with one more level of an ability."""
    plain = CharacterDraft.from_stat_block(BUILD).build_character()
    level = plain.base_level(ability) + 1
    kept = tuple(line for line in plain.lines if line.ability != ability)
    return replace(plain, name="Taught fighter", lines=(*kept, AbilityLevel(ability, level)))


def level_worth(ability: str) -> Pair:
    """Chance to win and chance to begin against the twin, each order as likely as initiative makes it."""
    plain = CharacterDraft.from_stat_block(BUILD).build_character()
    first, second, share = chances(with_one_more(ability), plain)
    return share * first + (1 - share) * second, share


def ruling_worth(name: str, setting: Any, pair: tuple[str, str]) -> Pair:
    """What a pair is worth by one other reading."""
    one, other = (get_member(each).build_character() for each in pair)
    return chances(one, other, RulingSettings.from_dict({name: setting}))[:2]


def readings() -> list[tuple[str, Any]]:
    """Every reading of a ruling that isn't ours."""
    return [(each.name, choice) for each in RULE_OPTIONS for choice in each.choices if choice != each.default]


def made() -> dict[str, Any]:
    """All figures, to six decimals."""
    rulings = {
        f"{name}={format_setting(setting)} {one} {other}": ruling_worth(name, setting, (one, other))
        for name, setting in readings()
        for one, other in PAIRS
    }
    levels = {each.name: level_worth(each.name) for each in ABILITIES}
    return {"duels": duels(), "levels": levels, "rulings": rulings}


def main() -> None:
    """Work everything out and write it down."""
    rounded = {
        kind: {key: [round(number, 6) for number in each] for key, each in found.items()}
        for kind, found in made().items()
    }
    LESSONS.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(f"{LESSONS.name}: " + ", ".join(f"{len(each)} {kind}" for kind, each in rounded.items()))


# As tables of the page


@cache
def lessons() -> Mapping[str, Mapping[str, Sequence[float]]]:
    """The figures as they were written down."""
    found: dict[str, dict[str, list[float]]] = json.loads(LESSONS.read_text(encoding="utf-8"))
    return found


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}%"


def _points(change: float) -> str:
    return f"{100 * change:+.1f}".replace("-", "−")


def _link(words: str, **fields: str) -> str:
    query = query_string({**fields, "here": "level", "escape": "loss"})
    return f'<a href="../odds/?{escape(query)}">{escape(words)}</a>'


def builds() -> str:
    """How each archetype fares against all others, the best first."""
    names = {each.id: each.build_character().name for each in alone()}
    won: dict[str, list[float]] = {each: [] for each in names}
    for key, (first, second, share) in lessons()["duels"].items():
        one, other = key.split()
        chance = share * first + (1 - share) * second
        won[one].append(chance)
        won[other].append(1 - chance)
    order = sorted(names, key=lambda each: -mean(won[each]))
    rows = [
        (_link(names[each], first=each, everybody="1"), _percent(mean(won[each])), _percent(min(won[each])))
        for each in order
    ]
    return table("lessons-builds", "How often each archetype beats another", ("who", "on average", "at worst"), rows)


def going_first() -> str:
    """What the first turn is worth, pair by pair, and on average."""
    names = {each.id: each.build_character().name for each in alone()}
    gains = {key: first - second for key, (first, second, _) in lessons()["duels"].items()}
    order = sorted(gains, key=lambda key: -gains[key])
    shown = [*order[:3], order[len(order) // 2], *order[-3:]]
    rows = []
    for key in shown:
        one, other = key.split()
        first, second, _ = lessons()["duels"][key]
        pair = _link(f"{names[one]} against {names[other]}", first=one, second=other, begins="first")
        rows.append((pair, _percent(first), _percent(second), _points(gains[key])))
    rows.append((f"all {len(gains)} pairs, on average", "", "", _points(mean(gains.values()))))
    heads = ("pair", "wins going first", "wins going second", "worth")
    return table("lessons-first", "What going first is worth, from most to least", heads, rows)


def levels() -> str:
    """What one more level of each ability is worth against one's own twin, most first."""
    rows = []
    for ability, (chance, share) in sorted(lessons()["levels"].items(), key=lambda each: -each[1][0]):
        sheet = format_sheet((with_one_more(ability),))
        link = _link(ability, first_sheet=sheet, second_sheet=BUILD)
        rows.append((link, _percent(chance), _points(chance - 0.5), _percent(share)))
    heads = ("one more level of", "wins against the twin", "adds", "goes first")
    return table("lessons-levels", "One more level against your own twin", heads, rows)


def rulings() -> str:
    """Where another reading changes who wins, by how much, for the pairs tried."""
    base = lessons()["duels"]
    rows = []
    for key, (first, second) in lessons()["rulings"].items():
        reading, one, other = key.rsplit(" ", 2)
        ours = base.get(f"{one} {other}") or [1 - each for each in base[f"{other} {one}"][1::-1]]
        change = ((first - ours[0]) + (second - ours[1])) / 2
        if abs(change) >= 0.0005:
            pair = _link(f"{one} against {other}", first=one, second=other, rulings=reading)
            rows.append((f"<code>{escape(reading)}</code>", pair, _points(change)))
    heads = ("another reading", "pair", "changes the first one's chance by")
    return table("lessons-rulings", "Where a ruling changes the answer", heads, rows)


LESSON_TABLES: dict[str, Callable[[], str]] = {
    "lessons-builds": builds,
    "lessons-first": going_first,
    "lessons-levels": levels,
    "lessons-rulings": rulings,
}

if __name__ == "__main__":
    main()
