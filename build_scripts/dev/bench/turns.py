"""Time the engine of turns in this process and inside Pyodide: medians over the batches, in milliseconds.

- A scenario of 200 steps is loaded and played, and every step is decided.
- Each of its 200 states is read like the replay calculator does: hit points and their pips, conditions, effects, and
  what the step changed.
- The calculator's whole response is built for each of the 200 steps, with the log and the link.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from build_scripts.dev.bench.shared import measure_median
from scratch_core.calculators import replay
from scratch_core.calculators.replay.fighter_cards import build_cards
from scratch_core.calculators.shared.query import parse_query
from scratch_core.dice import SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply, decide
from scratch_core.encounter.state import EncounterState
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict

STEPS = 200

FIGHTERS = (
    {"id": "captain", "side": "crew", "abilities": {"fighting": 2, "command": 1, "quickness": 3, "toughness": 8}},
    {"id": "surgeon", "side": "crew", "abilities": {"healing": 5, "quickness": 3, "toughness": 7}},
    {
        "id": "gunner",
        "side": "crew",
        "abilities": {"blasting": 2, "shooting": 2, "stealth": 2, "toughness": 6},
        "here": ["cover"],
    },
    {"id": "brawler", "side": "raiders", "abilities": {"wrestling": 2, "fighting": 1, "acrobatics": 2, "toughness": 8}},
    {"id": "witch", "side": "raiders", "abilities": {"healing": 5, "flying": 3, "toughness": 7}, "here": ["open-air"]},
    {"id": "sneak", "side": "raiders", "abilities": {"stealth": 3, "acrobatics": 2, "knockout": 1, "toughness": 6}},
)
FIRST_FACES = {"captain": [19], "brawler": [17], "surgeon": [13], "witch": [12], "sneak": [8], "gunner": [4]}

# The long fight


def build_long_fight(steps: int = STEPS) -> dict[str, Any]:
    """Build the tree of a scenario in which six fighters attack, evade and heal.

    Each step is a turn, and all die rolls are recorded.
    """
    tree = {"format": SCENARIO_FORMAT, "title": "Six", "characters": list(FIGHTERS), "initiative": FIRST_FACES}
    state = play(scenario_from_dict({**tree, "steps": []})).states[-1]
    dice, recorded_steps = SeededRoller(2), []  # no side wins within 200 steps
    for _ in range(steps):
        action = _choose_action(state, dice)
        decision = decide(state, action, dice)
        assert decision.is_legal, decision.narration
        for event in decision.events:
            state = apply(state, event)
        faces = [roll.check.figure.parts[0].value for roll in decision.rolls]
        recorded_steps.append({**action.to_step(), **({"faces": faces} if faces else {})})
    return {**tree, "steps": recorded_steps}


def _choose_action(state: EncounterState, dice: SeededRoller) -> Action:
    """Choose the action of the next character in the order that is not incapacitated.

    It heals an injured ally, or attacks the enemy with the most hit points, or sometimes evades.
    """
    order = [*state.turn_order, *state.turn_order]
    start = order.index(state.active) + 1 if state.active else 0
    actor = next(each for each in map(state.fighter, order[start:]) if not each.is_down)
    others = [each for each in state.fighters if each.id != actor.id]
    if actor.level("healing"):
        for friend in others:
            if friend.side == actor.side and friend.is_injured:
                return Action(actor.id, "heal", (friend.id,))
    if dice.roll(4) == 1:
        return Action(actor.id, "evade")
    foes = [each for each in others if each.side != actor.side and not each.is_down]
    target = max(foes, key=lambda foe: foe.hp).id
    if actor.level("fighting") and actor.is_healthy:
        return Action(actor.id, "double-attack", (target, target))
    return Action(actor.id, "basic-attack", (target,))


# The work that is timed


def sum_hit_points_of_all_states(played: ScenarioResult) -> int:
    """Return the sum of all fighters' hit points in the states after each step."""
    total = 0
    for n in range(1, len(played.states)):
        state, before = played.states[n], played.states[n - 1]
        total += sum(each.status.hp or 0 for each in build_cards(played.system, state, before, None))
    return total


def request_and_count_replay_steps(scenario_text: str) -> int:
    """Request each step from the calculator, and return the number of responses."""
    scenario = quote(scenario_text)
    views = (
        replay.view(parse_query(f"scenario={scenario}&step={n}", replay.MAX_QUERY_LENGTH)) for n in range(1, STEPS + 1)
    )
    return sum(view.answer is not None for view in views)


def measure(batches: int) -> dict[str, float]:
    """Measure all tasks, in milliseconds."""
    tree = build_long_fight()
    text = json.dumps(tree)
    fight = play(scenario_from_dict(tree))
    return {
        f"{STEPS} steps played": measure_median(lambda: play(scenario_from_dict(tree)), batches),
        f"{STEPS} positions shown": measure_median(lambda: sum_hit_points_of_all_states(fight), batches),
        f"{STEPS} answers of the replay": measure_median(lambda: request_and_count_replay_steps(text), batches),
    }
