"""Figures compared with a second computation: sums, limits, and the owner of each number."""

import random
import re
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from scratch_core.calculators.odds.presentation import build_answer, list_best_attacks_of_both
from scratch_core.calculators.shared.win_chances import compute_fight_chances
from scratch_core.characters import CharacterDraft
from scratch_core.dice import Distribution, SeededRoller
from scratch_core.encounter.engine import apply_events, decide, legal_actions
from scratch_core.encounter.state import Damaged, EncounterState, Fighter, build_fighter
from scratch_core.odds import Duel, compute_damage_distribution
from tests.support.fights import list_action_choices, view_begun_fight, view_next
from tests.support.sample_counts import count_examples

SEEDS = range(count_examples(6))
ATTACKING = ("shooting", "fighting", "wrestling", "knockout", "blasting")


def build_random_fighter(name: str, dice: random.Random) -> Fighter:
    """Build a weak fighter who can attack, sometimes with another ability."""
    levels = {"toughness": dice.choice((1, 2, 3)), dice.choice(ATTACKING): dice.randint(1, 4)}
    levels |= {dice.choice(("flying", "stealth", "detection")): 1} if dice.random() < 0.5 else {}
    text = "\n".join([name, *(f"{level} {ability}" for ability, level in levels.items())])
    return build_fighter(CharacterDraft.from_stat_block(text).build_character(), here=("level",))


def pair(seed: int) -> tuple[Fighter, Fighter]:
    """Build two fighters."""
    dice = random.Random(seed)
    return build_random_fighter("Ada", dice), build_random_fighter("Bo", dice)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_chances_of_a_duel_sum_to_1_in_each_order(seed: int) -> None:
    """The three chances of a duel sum to 1 in each turn order.

    With the fighters in the other order, the chances change places. The chance by rolled initiative is between the
    two others.
    """
    one, other = pair(seed)
    duel, mirror = Duel(one, other).solve(), Duel(other, one).solve()
    swapped = {"first": "second", "second": "first", "initiative": "initiative"}
    share = float(duel.first_begins)
    found = {}
    for order, back in swapped.items():
        here, there = duel.win_probabilities(order), mirror.win_probabilities(back)  # type: ignore[arg-type]  # one of the words that it takes
        found[order] = (here.first_wins.low, here.second_wins.low, here.nobody.low)
        assert sum(found[order]) == pytest.approx(1, abs=1e-8)
        assert found[order] == pytest.approx((there.second_wins.low, there.first_wins.low, there.nobody.low), abs=1e-8)
    mixed = [share * a + (1 - share) * b for a, b in zip(found["first"], found["second"], strict=True)]
    assert found["initiative"] == pytest.approx(mixed, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_odds_row_equals_win_probabilities_of_its_order(seed: int) -> None:
    """The percentages of a row are its label's chances and sum to 100."""
    duel = Duel(*pair(seed)).solve()
    for row, order in zip(build_answer(duel).rows, ("first", "second", "initiative"), strict=True):
        here = duel.win_probabilities(order)  # type: ignore[arg-type]  # one of the words that it takes
        exact = [100 * each.low for each in (here.first_wins, here.second_wins, here.nobody)]
        printed = [float(re.sub(r"[^0-9.]", "", text)) for text in (row.first, row.second, row.nobody)]
        assert printed == pytest.approx(exact, abs=1)
        assert sum(printed) == pytest.approx(100, abs=1.6)
        drawn = {each.owner: each.width for each in row.bar}
        assert [drawn.get(who, 0) for who in ("first", "second", "nobody")] == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("seed", SEEDS)
def test_chance_down_after_k_attacks_equals_the_sum_of_k(seed: int) -> None:
    """Column k is the chance that k attacks do damage of all hit points.

    The test counts it from the sum of k attacks.
    """
    duel = Duel(*pair(seed))
    shown = list_best_attacks_of_both(duel)
    assert shown
    for each in shown:
        who, foe = (duel.first, duel.second) if each.actor_name == duel.first.name else (duel.second, duel.first)
        state = duel.opening_states["first" if who is duel.first else "second"]
        once = [
            compute_damage_distribution(state, act, foe.id)
            for act in legal_actions(state)
            if set(act.targets) == {foe.id}
        ]
        columns = [tuple(down(one, foe.hp, k) for k in range(1, len(each.drop_percents) + 1)) for one in once]
        assert each.drop_percents in columns


def down(once: Distribution, hp: int, times: int) -> str:
    """In percent, how likely so many of it do at least so much."""
    reached = Fraction(0)
    for each in product(once.counts.items(), repeat=times):
        if sum(done for done, _ in each) >= hp:
            reached += Fraction(prod(count for _, count in each), once.total**times)
    return f"{100 * float(reached):.0f}%"


def play_random_duel(seed: int) -> tuple[list[EncounterState], list[bool]]:
    """A duel played by chance to its end: its states, and which steps threw dice."""
    dice, roller = random.Random(seed), SeededRoller(seed)
    states, rolled = [Duel(*pair(seed)).opening_states["first"]], []
    while not states[-1].winner and len(rolled) < 60:
        acts = [each for each in legal_actions(states[-1]) if each.do not in ("escape", "nothing")]
        decision = decide(states[-1], dice.choice(acts), roller)
        states.append(apply_events(states[-1], decision.events))
        rolled.append(bool(decision.rolls))
    return states, rolled


@pytest.mark.parametrize("seed", SEEDS)
def test_decisive_step_is_largest_change_of_chance_shown(seed: int) -> None:
    """The decisive step is the step with dice after which the chance shown changes most."""
    states, rolled = play_random_duel(seed)
    found = compute_fight_chances(states, rolled, 0, lambda: True, None)
    shown = [each.line_y for each in found.steps]
    assert len(shown) == len(states)
    changes = [abs(b - a) if dice else 0 for a, b, dice in zip(shown, shown[1:], rolled, strict=False)]
    if states[-1].winner and max(changes) > 0.02:
        assert changes[found.decisive_step - 1] == pytest.approx(max(changes), abs=0.02)


FOUR = """side: ours

Ada
4 fighting
3 blasting
5 toughness

Bo
3 quickness
4 fighting
4 toughness

side: theirs
turns: separate

Cy
4 fighting
6 toughness

Di
3 shooting
5 toughness"""
SCREEN = {"screen": "on", "screen_sides": '["ours", "theirs"]'}


@pytest.mark.parametrize("seed", SEEDS)
def test_each_number_on_the_players_screen_is_that_of_its_event(seed: int) -> None:
    """Each attack on the players' screen shows its own total, difficulty and damage.

    Each character shows its own hit points.
    """
    dice, roller = random.Random(seed), SeededRoller(seed)
    seen = view_begun_fight(FOUR, "ada 12, bo 11, cy 5, di 3", **SCREEN)
    several = 0
    for _ in range(20):
        strikes = [each for each in list_action_choices(seen) if each.targets] or list_action_choices(seen)
        many = [each for each in strikes if each.do in ("double-attack", "blast")] or strikes
        seen = view_next(seen, roller, act=dice.choice(many).step, **SCREEN)
        if seen.fight_view is None or seen.fight_view.winner or not seen.fight_view.fight.results:
            break
        screen, records = seen.player_view, seen.fight_view.fight.results
        records = records[-2:] if records[-1].do == "second-blow" else records[-1:]
        rolls, events = ([each for record in records for each in getattr(record, of)] for of in ("rolls", "events"))
        assert screen is not None
        assert [each.spoken_text for each in screen.rows] == [
            each.spoken_text.replace("incapacitated", "down") for each in seen.fight_view.ordered_rows
        ]
        if not rolls:
            continue
        wounds = {each.who: [] for each in events if isinstance(each, Damaged)}
        for each in events:
            if isinstance(each, Damaged):
                wounds[each.who].append(each.damage)
        expected = []
        for roll in rolls:
            done = wounds.get(roll.target, []).pop(0) if roll.check.is_success and wounds.get(roll.target) else 0
            expected.append((roll.check.total, roll.check.difficulty, done))
        numbers = r"(-?\d+) against \w+ (-?\d+)\)?\.(?: (?:Hit: )?(\d+) damage)?"
        found = re.findall(numbers, screen.last_narration)
        assert [(int(total), int(against), int(done or 0)) for total, against, done in found] == expected
        several += len(found) > 1
    assert several
