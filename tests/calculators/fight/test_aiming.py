"""Targets of actions: one selection for all actions, the last turn's target again, several targets for a blast."""

import json

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.menu_records import MAX_TARGETS, ActionChoice, TurnMenu, toggle_targets
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import list_error_controls, map_hit_points, view_begun_fight, view_fight, view_next
from tests.support.known import require

FOES = ("ash", "bo", "cy", "dee", "eve")
SHEETS = "Ann\nside: we\n2 fighting\n1 healing\n3 toughness\n\nKim\nside: we\nhp: 1\n4 toughness\n\n" + "\n\n".join(
    f"{name.title()}\nside: they\n2 toughness" for name in FOES
)
FACES = "ann 20, kim 19, " + ", ".join(f"{name} {9 - place}" for place, name in enumerate(FOES))


def fight(levels: str = "2 fighting\n1 healing", sheets: str = SHEETS) -> View:
    """A fight of two against five, Ann on turn."""
    return view_begun_fight(sheets.replace("2 fighting\n1 healing", levels), FACES)


def turn(seen: View) -> TurnMenu:
    """Return the turn whose actions are on the page."""
    return require(require(seen.fight_view).current_menu)


def rows(seen: View) -> dict[str, ActionChoice]:
    """Return what the main button of each action does."""
    return {choice.do: offer for choice, offer in turn(seen).main_rows}


def aimed(seen: View) -> dict[str, tuple[str, ...]]:
    """Return the targets of each action, by its button."""
    return {do: offer.targets for do, offer in rows(seen).items() if offer.targets}


def press(seen: View, *who: str) -> View:
    """Return the next view with these targets selected one after the other.

    The form's selection so far is sent too.
    """
    return view_next(seen, None, aimed="; ".join(who), picked=seen.fields["picked"])


def test_selected_target_applies_to_all_actions() -> None:
    """One selected target applies to every action.

    Healing still targets the friend if an enemy is selected.
    """
    seen = press(fight(), "dee")
    assert aimed(seen) == {
        **dict.fromkeys(("double-attack", "basic-attack", "hold", "distract"), ("dee",)),
        "heal": ("kim",),
    }
    assert aimed(press(seen, "bo"))["hold"] == ("bo",)
    assert turn(press(seen, "dee")).targets == ("dee",)


def test_attacks_on_a_friend_are_listed_once_selected() -> None:
    """With a friend selected, attacks on enemies stay, and those on the friend follow below."""
    before = fight()
    seen = press(before, "kim")
    assert {offer.targets for _, offer in turn(before).main_rows} <= {(), ("kim",), ("ash",)}
    found = [(choice.do, offer.targets) for choice, offer in turn(seen).main_rows]
    assert found[: len(turn(before).main_rows)] == [
        (choice.do, offer.targets) for choice, offer in turn(before).main_rows
    ]
    assert ("basic-attack", ("kim",)) in found[len(turn(before).main_rows) :]


def test_target_of_last_turn_is_selected_again() -> None:
    """The target of the last turn, taken from the log, is selected again.

    Once it is incapacitated, the likeliest target is selected.
    """
    act = '{"actor":"ann","do":"basic-attack","target":"cy"}'
    seen = view_next(fight(), None, act=act, faces="9")
    for _ in range(7):
        seen = view_next(seen, None, act=json.dumps({"actor": require(seen.fight_view).active, "do": "end-turn"}))
    assert set(aimed(seen).values()) == {("cy",), ("kim",)}
    down = view_next(seen, None, act='{"do":"set-hp","target":"cy","hp":0}')
    assert aimed(down)["basic-attack"] == ("ash",)


def test_hidden_character_is_no_default_target() -> None:
    """A character hidden from the players is a target only if selected."""
    likeliest = turn(fight()).targets
    hidden = json.dumps(list(likeliest))
    seen = view_next(fight(), None, screen_hidden=hidden)
    assert not {*turn(seen).targets} & {*likeliest}
    assert turn(press(seen, *likeliest)).targets == likeliest
    everyone = json.dumps(["ash", "bo", "cy", "dee", "eve"])
    assert turn(view_next(seen, None, screen_hidden=everyone)).targets == likeliest


def test_blast_targets_all_selected_characters() -> None:
    """A blast targets the latest three selected characters.

    Rule `act.blasting`: a second press deselects a target. Other actions use the last one.
    """
    seen = fight("2 blasting\n1 fighting")
    assert turn(seen).can_target_several
    three = press(seen, "eve", "cy", "bo")
    assert rows(three)["blast"].targets == ("bo", "cy", "eve")
    assert rows(three)["basic-attack"].targets == ("bo",)
    assert rows(press(three, "eve"))["blast"].targets == ("bo", "cy")
    assert rows(press(three, "ash"))["blast"].targets == ("ash", "bo", "cy")
    after = view_next(three, None, act=rows(three)["blast"].step, faces="20,1,20")
    assert {who for who, left in map_hit_points(after).items() if not left} == {"bo", "eve"}


@pytest.mark.parametrize(
    ("aims", "pressed", "most", "after"),
    [
        ((), "a", 1, "a"),
        (("a",), "b", 1, "b"),
        (("a",), "a", 1, "a"),
        (("a",), "b", 3, "ab"),
        (("a", "b"), "a", 3, "b"),
        (("a", "b", "c"), "d", 3, "bcd"),
        ((), "abab", 3, ""),
    ],
)
def test_pressed_target_is_selected_or_deselected(aims: tuple[str, ...], pressed: str, most: int, after: str) -> None:
    """A press replaces a single target, or toggles one of several and drops the oldest."""
    assert "".join(toggle_targets(aims, pressed, most)) == after


def test_action_button_has_no_target_and_page_supplies_it() -> None:
    """An action without a target uses the selected one.

    A step with a target is unchanged.
    """
    seen = press(fight(), "dee")
    row = rows(seen)["basic-attack"]
    assert json.loads(row.untargeted_step) == {"actor": "ann", "do": "basic-attack", "with": "fighting"}
    after = view_next(seen, None, act=row.untargeted_step, aims=turn(seen).default_targets_by_action_json, faces="20")
    assert map_hit_points(after)["dee"] == 0
    whole = view_next(seen, None, act=row.step, aims=json.dumps({"basic-attack": {"target": "bo"}}), faces="20")
    assert map_hit_points(whole)["dee"] == 0
    soup = BeautifulSoup(
        render_calculator_response("fight", seen.query + "&" + format_query({"picked": "ann dee"})).html, "html.parser"
    )
    assert json.loads(str(soup.select("[name=aims]")[0]["value"]))["hold"] == {"target": "dee"}
    (button,) = soup.select("[data-action=hold][data-key]")
    assert (button["data-target"], "target" in json.loads(str(button["value"]))) == ("dee", False)


@pytest.mark.parametrize(
    "aims", ["", "[]", "{", '{"basic-attack":3}', '{"basic-attack":{"do":"end-turn"}}', "[" * 9_000]
)
def test_invalid_aim_is_rejected(aims: str) -> None:
    """An action with a damaged target control has no target, and nothing happens."""
    seen = view_next(fight(), None, act='{"actor":"ann","do":"basic-attack"}', aims=aims, faces="20")
    assert list_error_controls(seen)
    assert seen.fields["log"] == fight().fields["log"]


def test_selected_target_lasts_until_the_next_action() -> None:
    """The fight's link preserves the selected target until an action or another turn."""
    seen = press(fight(), "dee")
    assert seen.fields["picked"] == "ann dee"
    again = view_fight(None, log=seen.fields["log"], picked=seen.fields["picked"])
    assert turn(again).targets == ("dee",)
    assert view_next(again, None, act='{"actor":"ann","do":"engage"}', picked="ann dee").fields["picked"] == ""
    assert view_fight(None, log=seen.fields["log"], picked="bo ann").fields["picked"] == ""
    assert MAX_TARGETS == 3


def test_attacks_on_friends_are_main_actions_only_once_selected() -> None:
    """With no enemy in reach, attacks on a friend are listed as alternatives only.

    They become main actions once the friend is selected.
    """
    sheets = "Ann\nside: we\nat: 0,0\n2 fighting\n1 toughness\n\nKim\nside: we\nat: 1,0\n1 toughness\n\n"
    seen = view_begun_fight(
        f"{sheets}Ash\nside: they\nat: 8,0\n1 shooting\n1 toughness", "ann 20, kim 9, ash 8", map="." * 9
    )
    assert aimed(seen) == {}
    assert {offer.targets for _, offer in turn(seen).alternative_rows} >= {("kim",)}
    assert turn(seen).possible_targets == {"kim"}
    assert aimed(press(seen, "kim"))["basic-attack"] == ("kim",)


def test_revive_is_listed_only_for_an_incapacitated_friend() -> None:
    """Reviving is a main action only if a friend is incapacitated, not for an enemy."""
    for fallen, offered in (("Kim\nside: we", True), ("Bo\nside: they", False)):
        blocks = f"Ann\nside: we\n2 healing\n1 toughness\n\n{fallen}\nhp: 0\n1 toughness\n\nCy\nside: they\n1 toughness"
        assert ("revive" in rows(view_begun_fight(blocks, "ann 20, cy 3"))) is offered


def test_heal_of_selected_enemy_is_only_an_alternative() -> None:
    """With an enemy selected, healing it is not a main action although it is injured."""
    seen = press(
        view_begun_fight(SHEETS.replace("Dee\nside: they", "Dee\nside: they\nhp: 1").replace("hp: 1\n4", "4"), FACES),
        "dee",
    )
    assert aimed(seen)["basic-attack"] == ("dee",)
    assert "heal" not in aimed(seen)
    assert ("heal", ("dee",)) in {(choice.do, offer.targets) for choice, offer in turn(seen).alternative_rows}


def test_incapacitated_target_is_no_longer_selected() -> None:
    """Of two targets of the last blast one is incapacitated: only the other is selected."""
    people = (
        "Ann\nside: we\n4 blasting\n3 toughness\n\nAsh\nside: they\nhp: 1\n2 toughness\n\nBo\nside: they\n4 toughness"
    )
    seen = view_begun_fight(people, "ann 20, ash 9, bo 8")
    seen = view_next(seen, None, act='{"actor":"ann","do":"blast","target":["ash","bo"]}', faces="15, 15")
    for who in ("ann", "bo"):
        seen = view_next(seen, None, act=f'{{"actor":"{who}","do":"nothing"}}')
        seen = view_next(seen, None, act=f'{{"actor":"{who}","do":"end-turn"}}')
    assert (map_hit_points(seen)["ash"], turn(seen).actor, turn(seen).targets) == (0, "ann", ("bo",))
