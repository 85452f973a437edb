"""The limits for building a character, and advice within them."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.characters.character import Character
from scratch_core.errors import Problem, Problems
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import list_defence_abilities
from scratch_core.rulebook.creation_limits import ABOVE_AVERAGE, AVERAGE, Limits


def creation_problems(
    character: Character, limits: Limits, rulings: RulingSettings, places: Mapping[str, str], where: str
) -> tuple[Problem, ...]:
    """Return every broken limit as an error, and advice on the rest.

    `places` gives the place of each ability, `where` that of the whole character. A minion's points are checked with
    its leader (`minions.command_problems`); its levels are under the campaign's limit (ruling A26). Rules: `create.cp`,
    `create.max-level`, `create.average`, `create.above-average`, `create.setting`, `create.typical`, `tough.none`.
    """
    if not character.lines:
        return (Problem("character.empty", "at least one ability of level 1", "none", where, "char.ability-level"),)
    problems = Problems(_level_problems(character, limits, places, where))
    if not character.minion_of:
        problems += _point_problems(character, limits, where)
        count, most_have = len(character.lines), "3 to 6 abilities, as most have"
        if not 3 <= count <= 6:
            rule = "create.typical"
            problems.report("create.typical", most_have, str(count), where, rule, severity="advice", abilities=count)
    if not character.base_level("toughness"):
        expected = "toughness 1 or more, which every character needs in a fight"
        place = places.get("toughness", "toughness" if where == "cp" else where)
        problems.report("character.no-toughness", expected, "none", place, "tough.none", severity="advice")
    problems += _strength_lowered_by_ability_problems(character, rulings, places, where)
    return tuple(problems)


def _level_problems(character: Character, limits: Limits, places: Mapping[str, str], where: str) -> list[Problem]:
    expected = f"level {limits.max_level} at most"
    return [
        Problem(
            "create.max-level",
            expected,
            f"{line.ability} {line.level}",
            places.get(line.ability, where),
            "create.max-level",
            facts={"highest": limits.max_level},
        )
        for line in character.lines
        if line.level > limits.max_level
    ]


def _point_problems(character: Character, limits: Limits, where: str) -> list[Problem]:
    spent = character.cp().value
    rule = {AVERAGE: "create.average", ABOVE_AVERAGE: "create.above-average"}.get(limits, "create.cp")
    if spent > limits.cp:
        facts = {"over": spent - limits.cp, "spent": spent, "most": limits.cp}
        return [Problem("create.cp", f"{limits.cp} CP at most", f"{spent} CP", where, rule, facts=facts)]
    if spent < limits.cp:
        left = limits.cp - spent
        expected, got = f"all {limits.cp} CP spent", f"{spent} CP, {left} unspent"
        return [Problem("create.unspent", expected, got, where, rule, "advice", {"left": left})]
    return []


def _strength_lowered_by_ability_problems(
    character: Character, rulings: RulingSettings, places: Mapping[str, str], where: str
) -> list[Problem]:
    """Advise a wrestler or swimmer whose strength would be higher without (ruling A01)."""
    ability = character.find_highest_ability(list_defence_abilities("strength"))
    untrained = rulings.strength_base + character.level("toughness")
    strength = character.strength(rulings).value
    if ability is None or strength >= untrained:
        return []
    expected = f"a strength of {untrained}, which toughness alone would give"
    got = f"{strength} by {ability}"
    facts = {"ability": ability, "strength": strength, "untrained": untrained}
    return [Problem("character.weaker", expected, got, places.get(ability, where), "A01", "advice", facts)]
