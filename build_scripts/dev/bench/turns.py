"""The engine of turns, timed in this process, and inside Pyodide: medians over the batches in milliseconds.

- a scenario of 200 steps read and played, every step decided anew;
- each of its 200 positions handed out, and everyone in it read as the replay calculator shows them: hit points and
  their pips, condition, what has befallen them, what the step did to them;
- the calculator's whole answer for each of the 200 steps, the log beside it and the link included.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from build_scripts.dev.bench.shared import RepeatableDice, measure_median
from scratch_core.calculators import replay
from scratch_core.calculators.replay.fighter_cards import build_cards
from scratch_core.calculators.shared.query import parse_query
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply, decide
from scratch_core.encounter.state import EncounterState
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
    """A scenario's tree: six fighters strike, evade and heal, each step a turn, with every face written down."""
    tree = {"format": "scratch-scenario/1", "title": "Six", "characters": list(FIGHTERS), "initiative": FIRST_FACES}
    state = play(scenario_from_dict({**tree, "steps": []})).states[-1]
    dice, written = RepeatableDice(7), []
    for _ in range(steps):
        action = _choose_action(state, dice)
        decision = decide(state, action, dice)
        assert decision.is_legal, decision.narration
        for event in decision.events:
            state = apply(state, event)
        faces = [roll.check.figure.parts[0].value for roll in decision.rolls]
        written.append({**action.to_step(), **({"faces": faces} if faces else {})})
    return {**tree, "steps": written}


def _choose_action(state: EncounterState, dice: RepeatableDice) -> Action:
    """What the next in the order who is up does: help a friend, or else strike the strongest foe, or at times evade."""
    order = [*state.order, *state.order]
    place = order.index(state.active) + 1 if state.active else 0
    actor = next(each for each in map(state.fighter, order[place:]) if not each.is_down)
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


def sum_hit_points(played: ScenarioResult) -> int:
    """Hand out the position after each step, and read everyone in it; gives the hit points seen, added up."""
    seen = 0
    for n in range(1, len(played.states)):
        state, before = played.states[n], played.states[n - 1]
        seen += sum(each.status.hp or 0 for each in build_cards(played.system, state, before, None))
    return seen


def count_replay_answers(text: str) -> int:
    """Ask the calculator for each step, as the page does; gives the number of answers."""
    scenario = quote(text)
    views = (
        replay.view(parse_query(f"scenario={scenario}&step={n}", replay.MAX_QUERY_LENGTH)) for n in range(1, STEPS + 1)
    )
    return sum(view.answer is not None for view in views)


def measure(batches: int) -> dict[str, float]:
    """Time all of it."""
    tree = build_long_fight()
    text = json.dumps(tree)
    fight = play(scenario_from_dict(tree))
    return {
        f"{STEPS} steps played": measure_median(lambda: play(scenario_from_dict(tree)), batches),
        f"{STEPS} positions shown": measure_median(lambda: sum_hit_points(fight), batches),
        f"{STEPS} answers of the replay": measure_median(lambda: count_replay_answers(text), batches),
    }
