"""Unexpected effects of an action are on its button: a turn that it costs, and targets of the character's own side."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import list_action_choices, view_begun_fight

SHOOTER = (
    "Ann\nside: us\n{hp}2 {ability}\n4 toughness\n\nCy\nside: us\n2 toughness"
    "\n\nBo\nside: them\n4 toughness\n\nDi\nside: them\n3 toughness"
)
COSTS = "costs your next turn"


def buttons(seen: View, do: str, **fields: str) -> list[str]:
    """Return the texts of an action's buttons."""
    html = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": seen.fields["log"], **fields})).html, "html.parser"
    )
    return [" ".join(each.get_text(" ").split()) for each in html.select(f"button[data-action={do}]")]


def shooting(hp: str, ability: str = "shooting") -> View:
    """A fight in which Ann is on turn."""
    return view_begun_fight(SHOOTER.format(hp=f"hp: {hp}\n" if hp else "", ability=ability), "ann 19, cy 5, them 3")


@pytest.mark.parametrize(("ability", "do"), [("shooting", "shoot"), ("blasting", "blast")])
def test_attack_of_an_injured_actor_says_that_it_costs_a_turn(ability: str, do: str) -> None:
    """Injured, a shot or a blast delays its own actor (`act.shooting.injured-delay`, `act.blasting.injured-delay`)."""
    injured, healthy = buttons(shooting("2", ability), do), buttons(shooting("", ability), do)
    assert injured
    assert healthy
    assert all(COSTS in each for each in injured)
    assert not any(COSTS in each for each in healthy)


def test_knockout_says_that_it_costs_a_turn() -> None:
    """It always delays its own actor (`act.knockout.self-delay`), healthy or not."""
    assert all(COSTS in each for each in buttons(shooting("", "fighting"), "knockout"))
    assert not any(COSTS in each for each in buttons(shooting("", "fighting"), "basic-attack"))


def warned(seen: View, do: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the warnings on an action's buttons, by its targets."""
    return {each.targets: each.warnings for each in list_action_choices(seen) if each.do == do}


def test_attack_on_the_own_side_says_so() -> None:
    """An attack on a friend has a warning, one on an enemy has none.

    The button shows it once the friend is selected.
    """
    seen = shooting("")
    assert warned(seen, "shoot") == {("cy",): ("hits your own side: Cy",), ("bo",): (), ("di",): ()}
    assert not any("own side" in each for each in buttons(seen, "shoot"))
    assert any("hits your own side: Cy" in each for each in buttons(seen, "shoot", aimed="cy"))


def test_help_for_the_other_side_says_so() -> None:
    """Healing an enemy has a warning, and healing a friend has none."""
    wounded = "Ann\nside: us\n2 healing\n4 toughness\n\nBo\nside: them\nhp: 1\n4 toughness"
    seen = view_begun_fight(f"{wounded}\n\nCy\nside: us\nhp: 1\n4 toughness", "ann 19, them 3, cy 2")
    assert warned(seen, "heal") == {("bo",): ("helps the other side: Bo",), ("cy",): ()}
