"""The second of two blows, whose target is chosen after the first roll (`act.fighting.double`, ruling A16)."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import get_member
from scratch_core.dice import FixedRoller, SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, decide, legal_actions
from scratch_core.encounter.state import EncounterState, build_fighter
from scratch_core.odds import TOLERANCE, choose_sensible_action, duel, play_until_won, tally_playouts
from scratch_core.odds.solver import Game
from tests.support.duels import CAST_DUELS
from tests.support.encounters import (
    apply_action,
    begin_encounter,
    begin_first_turn,
    build_action,
    build_encounter_fighter,
)
from tests.support.fights import map_hit_points, view_next
from tests.support.fights import view_begun_fight as fight_begun
from tests.support.known import require
from tests.support.policies import best_policy


def against_two() -> EncounterState:
    """Return a fight of an attacker with two attacks against two weak enemies.

    b has 2 hit points, and c has 1.
    """
    one = build_encounter_fighter("a", {"fighting": 3, "toughness": 4}, side="red")
    b, c = (
        build_encounter_fighter(own, {"fighting": 2, "toughness": 3}, side="blue", hp=hp)
        for own, hp in (("b", 2), ("c", 1))
    )
    return apply_action(begin_encounter(one, b, c), build_action("bonus"))


def test_second_target_chosen_after_first_roll_raises_win_chance() -> None:
    """A second target chosen after the first roll raises the chance of winning.

    The best plan attacks c, then b if c is incapacitated, else c again. It is better than any two targets named
    before.
    """
    state = against_two()
    game = Game([state], "loss").solve()
    keeps = {
        names: game.compute_actor_chance_after(state, build_action("double-attack", *names))
        for names in ("b", "c", "bb", "bc", "cc")
    }
    assert keeps["c"] > max(keeps["bb"], keeps["bc"], keeps["cc"]) + 0.06
    assert game.win_probability(state, 0) == pytest.approx(keeps["c"], abs=TOLERANCE)
    assert game.rank_actions(state)[0].action == build_action("double-attack", "c", uses=("fighting",))
    for face, target in ((6, "c"), (7, "b")):
        half = apply_action(state, build_action("double-attack", "c"), face)
        best = game.rank_actions(half)[0].action
        assert best == build_action("second-blow", target, uses=("fighting",))
        assert best_policy(game)(half, legal_actions(half)) == best


def test_sensible_policy_chooses_second_target_after_first_roll() -> None:
    """The policy attacks the weakest enemy and chooses its second target afterwards."""
    state = against_two()
    first = choose_sensible_action(state, legal_actions(state))
    assert (first.do, first.targets) == ("double-attack", ("c",))
    for face, target in ((6, "c"), (7, "b")):
        half = apply_action(state, first, face)
        assert choose_sensible_action(half, legal_actions(half)) == build_action("second-blow", target)
    last = apply_action(apply_action(state, first, 7), build_action("second-blow", "b"), 7)
    assert choose_sensible_action(last, legal_actions(last)).do == "end-turn"
    assert (
        tally_playouts(
            state, {"red": choose_sensible_action, "blue": choose_sensible_action}, SeededRoller(1), 20
        ).fights
        == 20
    )


@pytest.mark.parametrize("pair", CAST_DUELS, ids=" against ".join)
def test_exact_duels_have_the_known_chances(pair: tuple[str, str]) -> None:
    """Exact duels of the cast have known chances in both turn orders.

    Against one enemy there is no second target to choose, so a state between two attacks has the same chance.
    """
    solved = duel(*(build_fighter(get_member(each).build_character(), here=("level",)) for each in pair), escape="loss")
    found = tuple(solved.win_probabilities(order).first_wins.low for order in ("first", "second"))
    assert found == pytest.approx(CAST_DUELS[pair], abs=1e-9)
    begins = solved.opening_states["first"]
    one, other = (each.id for each in begins.fighters)
    first, both = (Action(one, "double-attack", (other,) * many) for many in (1, 2))
    assert solved.game.compute_actor_chance_after(begins, first) == pytest.approx(
        solved.game.compute_actor_chance_after(begins, both), abs=1e-9
    )
    assert first not in [choice.action for choice in solved.rank_actions(begins)]


def test_attacks_rolled_one_by_one_lead_to_the_same_state() -> None:
    """Two attacks rolled one by one lead to the state of both at once."""
    for faces in ((1, 1), (12, 1), (1, 20), (20, 12)):
        at_once = apply_action(begin_first_turn(), build_action("double-attack", "b", "b"), *faces)
        one_by_one = apply_action(
            apply_action(begin_first_turn(), build_action("double-attack", "b"), faces[0]),
            build_action("second-blow", "b"),
            faces[1],
        )
        assert one_by_one == at_once


def test_play_out_continues_between_two_attacks() -> None:
    """A playout that starts between the two attacks continues with the second."""
    half = apply_action(against_two(), build_action("double-attack", "c"), 7)
    decision = decide(half, choose_sensible_action(half, legal_actions(half)), [20])
    assert apply_events(half, decision.events).fighter("b").is_down
    assert play_until_won(half, {"red": choose_sensible_action, "blue": choose_sensible_action}, SeededRoller(2)) in (
        "red",
        "blue",
    )


# On the page of a fight

SHEETS = """Ann
side: red
3 fighting
4 toughness

Bo
side: blue
2 toughness

Cy
side: blue
3 toughness"""
FIRST = "ann 20, bo 10, cy 1"


def blows(seen: View) -> dict[str, list[str]]:
    """The targets on the buttons of two blows, and of the second."""
    choices = [choice for turn in require(seen.fight_view).turn_menus for choice in turn.action_groups]
    return {
        each.do: [offer.label for offer in each.main_choices]
        for each in choices
        if each.do in ("double-attack", "second-blow")
    }


def press(seen: View, do: str, target: str, face: int = 0, own: str = "") -> View:
    """Return the fight after an attack with a fixed face or typed dice."""
    act = f'{{"actor":"ann","do":"{do}","with":"fighting","target":"{target}"}}'
    return view_next(seen, FixedRoller(face) if face else None, act=act, faces=own)


def steps(seen: View) -> list[tuple[str, list[int]]]:
    """The acts of the fight with their faces."""
    return [(step["do"], list(step.get("faces", ()))) for step in require(seen.fight_view).fight.steps]


def test_second_attack_has_an_action_group_of_its_own() -> None:
    """The second target is chosen after the first roll, before any other action."""
    seen = fight_begun(SHEETS, FIRST)
    assert blows(seen) == {"double-attack": ["Bo", "Cy"]}
    seen = press(seen, "double-attack", "bo", 7)
    assert (steps(seen), map_hit_points(seen)["bo"]) == ([("double-attack", [7])], 1)
    assert blows(seen) == {"second-blow": ["Cy", "Bo"]}  # by expected damage: Bo has only one hit point left
    assert require(seen.fight_view).turn_menus[0].action_groups[0].do == "second-blow"
    assert require(seen.fight_view).turn_prompt_text == "Ann has a second attack"
    assert seen.summary.endswith("1 hit point left. Round 1. Ann has a second attack.")
    assert all(
        "Second attack" not in barred.titles for barred in require(seen.fight_view).turn_menus[0].unavailable_actions
    )
    seen = press(seen, "second-blow", "cy", 7)
    assert (steps(seen), blows(seen)) == ([("double-attack", [7]), ("second-blow", [7])], {})
    assert require(seen.fight_view).last_narration == (
        "Ann makes a first attack on Bo: 10 against agility 10. Hit: 1 damage, 1 hit point left. "
        "Ann makes a second attack on Cy: 10 against agility 10. Hit: 1 damage, 2 hit points left."
    )


def test_second_attack_on_only_remaining_enemy_is_automatic() -> None:
    """One press plays both attacks if only one enemy remains for the second.

    Undo and redo affect both steps.
    """
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", 20)
    assert steps(seen) == [("double-attack", [20]), ("second-blow", [20])]
    assert map_hit_points(seen) == {"ann": 4, "bo": 0, "cy": 1}
    assert "first attack on Bo" in seen.summary
    assert "second attack on Cy" in seen.summary
    back = view_next(seen, act="undo")
    assert (steps(back), map_hit_points(back)["cy"], back.undone_count) == ([], 3, 2)
    again = view_next(back, act="redo")
    assert (steps(again), again.undone_count, again.fields["log"]) == (steps(seen), 0, seen.fields["log"])


def test_undo_reverts_a_chosen_second_attack_alone() -> None:
    """Undo takes back one attack if its target was chosen by a press.

    So does redo.
    """
    first = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", 7)
    both = press(first, "second-blow", "cy", 7)
    back = view_next(both, act="undo")
    assert back.fields["log"] == first.fields["log"]
    start = view_next(back, act="undo")
    assert (steps(start), start.undone_count) == ([], 2)
    assert view_next(start, act="redo").fields["log"] == first.fields["log"]


def test_double_attack_with_one_possible_target_takes_one_press() -> None:
    """With one possible target, the press attacks twice, whatever friends are near."""
    friends = SHEETS.replace("Cy\nside: blue", "Cy\nside: red")
    seen = press(fight_begun(friends, FIRST), "double-attack", "bo", 7)
    assert steps(seen) == [("double-attack", [7]), ("second-blow", [7])]
    assert map_hit_points(seen)["bo"] == 0


def test_typed_face_is_the_die_of_one_attack() -> None:
    """A typed face is the die of one attack.

    The second attack waits for its own, even if only one target remains.
    """
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own="20")
    assert (steps(seen), seen.fields["faces"]) == ([("double-attack", [20])], "")
    assert blows(seen) == {"second-blow": ["Cy"]}
    wrong = press(seen, "second-blow", "cy", own="3, 4")
    assert [problem.where for problem in wrong.problems] == ["faces"]
    assert steps(press(seen, "second-blow", "cy", own="3"))[-1] == ("second-blow", [3])


@pytest.mark.parametrize("own", ["20, 11", "20 11"])
def test_two_own_dice_are_used_for_both_attacks(own: str) -> None:
    """Two typed faces are the dice of both attacks (`roll.die-substitute`).

    The first incapacitates Bo, and the second is that of the attack on Cy.
    """
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own=own)
    assert seen.problems == ()
    assert (steps(seen), seen.fields["faces"]) == ([("double-attack", [20]), ("second-blow", [11])], "")
    back = view_next(seen, act="undo", redo="")
    assert (steps(back), back.undone_count) == ([], 2)
    again = press(back, "double-attack", "bo", own=own)
    assert again.fields["redo"] == "", "the same again is no other story"


def test_second_own_die_waits_for_its_target() -> None:
    """A second typed face stays in its field until its target is chosen."""
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own="8, 11")
    assert seen.problems == ()
    assert (steps(seen), seen.fields["faces"]) == ([("double-attack", [8])], "11")
    after = press(seen, "second-blow", "cy", own=seen.fields["faces"])
    assert (steps(after)[-1], after.fields["faces"]) == (("second-blow", [11]), "")


def test_second_own_die_is_dropped_where_no_one_is_left() -> None:
    """The first attack ends the fight: no second attack is left for the second die."""
    seen = press(
        fight_begun("Ann\nside: red\n3 fighting\n1 toughness\n\nBo\nside: blue\n2 toughness", "ann 20, bo 10"),
        "double-attack",
        "bo",
        own="20, 11",
    )
    assert seen.problems == ()
    assert (steps(seen), seen.fields["faces"]) == ([("double-attack", [20])], "")


def test_three_own_dice_for_two_attacks_are_refused() -> None:
    """`roll.die-substitute`: a die too many is a problem at its field, and nothing is done."""
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own="3, 4, 5")
    assert [each.where for each in seen.problems] == ["faces"]
    assert (steps(seen), seen.fields["faces"]) == ([], "3, 4, 5")


def results(seen: View) -> list[tuple[str, list[str], list[str]]]:
    """Return the first words, dice and signs of each result in the page's head."""
    soup = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": seen.fields["log"]})).html, "html.parser"
    )
    return [
        (
            " ".join(row.select_one("[data-last]").get_text().split()[:6]),
            [die.get_text(strip=True) for die in row.select(".die")],
            [str(sign["class"][0]) for sign in row.select(".success, .failure")],
        )
        for row in soup.select(".fight-last")
    ]


def test_result_of_each_attack_has_its_own_die_and_sign() -> None:
    """A miss and a hit are two results, each with its die (`act.fighting.double`).

    They are shown after the turn's end, too.
    """
    first = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own="2")
    assert results(first) == [("Ann makes a first attack on", ["2"], ["failure"])]
    both = press(first, "second-blow", "cy", own="15")
    expected = [*results(first), ("Ann makes a second attack on", ["15"], ["success"])]
    assert results(both) == expected
    assert results(view_next(both, act='{"actor":"ann","do":"end-turn"}')) == expected


def test_result_of_each_target_of_a_blast_has_its_own_die_and_sign() -> None:
    """`act.blasting`: the dice are in the order of the targets, each with its sign."""
    seen = fight_begun(SHEETS.replace("3 fighting", "3 blasting"), FIRST)
    seen = view_next(seen, act='{"actor":"ann","do":"blast","targets":["bo","cy"]}', faces="2, 15")
    assert [(dice, signs) for _, dice, signs in results(seen)] == [(["2", "15"], ["failure", "success"])]


def test_file_ending_between_two_attacks_is_resumed_there() -> None:
    """A second attack that the file leaves open is offered on the page.

    It happens only by a press.
    """
    seen = press(fight_begun(SHEETS, FIRST), "double-attack", "bo", own="20")
    again = view_next(seen)
    assert (steps(again), blows(again)) == (steps(seen), blows(seen))
