"""The fights in the text: the first one is legal from end to end, and every number is the engine's."""

import re

import pytest

from build_scripts.markdown_extensions.engine_numbers import fill_in_engine_numbers
from build_scripts.paths import DOCS
from scratch_core.encounter.actions import compute_agility, compute_intelligence, compute_strength
from scratch_core.scenario import SAMPLE_SCENARIOS, ScenarioResult, parse_scenario, play

PLAYED = play(parse_scenario(SAMPLE_SCENARIOS["first-fight"]))


def test_first_fight_is_legal_and_meets_its_expectations() -> None:
    """The travellers win in the third round."""
    assert [record.n for record in PLAYED.results if not record.is_legal] == []
    assert PLAYED.differences == ()
    assert (PLAYED.final_state.winner, PLAYED.final_state.round) == ("travellers", 3)


def test_first_fight_uses_the_actions_that_it_demonstrates() -> None:
    """The last attack is a natural 20."""
    done = {record.do for record in PLAYED.results}
    assert done >= {"double-attack", "basic-attack", "hold", "take-cover", "leave-cover", "shoot", "heal", "nothing"}
    assert PLAYED.results[-1].rolls[0].check.automatic


@pytest.mark.parametrize("number", [0, 1], ids=["Wren", "Tolk"])
def test_travellers_of_the_first_fight_are_average_characters(number: int) -> None:
    """They cost ten points and have no level above 4 (`create.average`)."""
    levels = PLAYED.scenario.tree["characters"][number]["abilities"].values()
    assert sum(levels) == 10
    assert max(levels) == 4


# What the pages tell of two fights

STORIES = {
    "start-here.md": ("first-fight", "**Round {}.**", "Here is the whole"),
    "rules/combat-example.md": ("worked-combat", "**Round {}.**", "Step through the fight"),
}
ROUNDS = [("start-here.md", 1), ("start-here.md", 2), ("start-here.md", 3)]
ROUNDS += [("rules/combat-example.md", number) for number in (1, 2, 3, 4)]


def extract_round_text(page: str, number: int) -> str:
    """Return the text about a round, without addresses of links."""
    _, opening, end = STORIES[page]
    after = fill_in_engine_numbers((DOCS / page).read_text(encoding="utf-8")).partition(opening.format(number))[2]
    before = re.split(rf"{re.escape(opening.format(number + 1))}|{end}", after, maxsplit=1)[0]
    return re.sub(r"\[\[[\w.-]+\||\]\]", "", before)


def collect_numbers(played: ScenarioResult, number: int) -> set[int]:
    """Return every number of a round: faces, sums, parts, difficulties and hit points."""
    found = {number, 20}
    for record in played.results:
        if record.state.round == number:
            for roll in record.rolls:
                parts = roll.check.figure.parts
                found |= {roll.check.figure.value, roll.against.value, *(abs(part.value) for part in parts)}
            for who in record.state.fighters:
                found |= {who.hp, who.numbers.max_hp, who.numbers.max_hp - who.hp, who.numbers.stamina}
    return found


@pytest.mark.parametrize(("page", "number"), ROUNDS)
def test_story_of_a_round_has_exactly_the_numbers_of_the_engine(page: str, number: int) -> None:
    """Each number in the text is the engine's, and each face is in the text."""
    played = play(parse_scenario(SAMPLE_SCENARIOS[STORIES[page][0]]))
    figures = {int(figure) for figure in re.findall(r"\d+", extract_round_text(page, number))}
    assert figures
    assert figures - collect_numbers(played, number) == set()
    legal = [record for record in played.results if record.is_legal and record.state.round == number]
    assert [face for record in legal for face in record.faces if face not in figures] == []


OMITTED_ABILITIES = ("toughness", "craftsmanship")
"""Abilities that the table leaves out: hit points replace one, and no one crafts in a fight."""


@pytest.mark.parametrize("number", [0, 1, 2], ids=["Wren", "Tolk", "Gorm"])
def test_table_on_start_here_has_the_figures_of_the_first_fight(number: int) -> None:
    """Each column contains a character's figures and levels."""
    who = PLAYED.opening_state.fighters[number]
    figures = [
        compute_agility(who).value,
        compute_intelligence(who).value,
        compute_strength(who).value,
        who.numbers.stamina,
        who.hp,
    ]
    levels = PLAYED.scenario.tree["characters"][number]["abilities"]
    _, _, table = (DOCS / "start-here.md").read_text(encoding="utf-8").partition("| Number | Wren |")
    lines = f"| Number | Wren |{table}".partition("\n\n")[0].splitlines()
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in lines if "---" not in line]
    assert [row[number + 1] for row in rows[:6]] == [who.name, *map(str, figures)]
    shown_levels = {row[0]: int(row[number + 1]) for row in rows[6:] if row[number + 1]}
    assert shown_levels == {name: level for name, level in levels.items() if name not in OMITTED_ABILITIES}
