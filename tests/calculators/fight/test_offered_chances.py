"""The chance on a button is that of the roll in the engine."""

import html
import json
import re
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import FixedRoller, SeededRoller, choose, choose_several
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, decide
from scratch_core.encounter.state import EncounterState
from scratch_core.scenario import parse_scenario, play, scenario_from_dict
from scratch_core.turn_systems import GmAction

pytestmark = pytest.mark.no_cover

KINDS = frozenset(
    {
        *("basic-attack", "double-attack", "throw", "hold", "counter-hold", "distract", "shoot", "blast", "knockout"),
        *("surprise", "intimidate", "heal", "revive", "craft", "interrupt"),
    }
)
"""Every kind of offer that rolls dice."""

ABILITIES = (
    *("fighting", "wrestling", "shooting", "blasting", "knockout", "healing", "craftsmanship"),
    *("stealth", "detection", "command", "flying", "swimming"),
)
SIDES = ("red", "blue")
MAP = "..\n..\n..\n.."
"""So narrow that two sides stand next to each other from the start."""
BUTTON = re.compile(r'<button type="submit"[^>]* name="act" value="([^"]*)"[^>]*>(.*?)</button>', re.DOTALL)
AIMS = re.compile(r'<input type="hidden" name="aims" value="([^"]*)"')
"""The targets of the buttons that name none themselves, by action."""
ODDS = re.compile(r'<span class="act__odds">([^<]*)</span>')
PROVOKING = ("hold", "evade")
"""Actions that others may answer: with a counter-hold or an interrupt."""

MAX_BUTTONS_PER_KIND = 2
"""How many buttons of each kind are compared on a page."""
PRESSES = 8

Pressed = tuple[dict[str, Any], str]
"""A button's step, and the chance that it shows."""


@st.composite
def sheets(draw: st.DrawFn, common: str) -> str:
    """Draw stat blocks of two characters on each side, with an ability in common.

    Their agility differs. Characters with wrestling are healthy, others may be injured.
    """
    blocks = []
    is_hale = common == "wrestling"
    for number, side in enumerate(SIDES * 2):
        levels = draw(st.dictionaries(st.sampled_from(ABILITIES), st.integers(1, 9), min_size=2, max_size=5))
        levels |= {common: 9 if is_hale else draw(st.integers(1, 9)), "acrobatics": 2 * number + 1}
        toughness = 4 if is_hale else draw(st.integers(1, 4))
        hp = None if is_hale else draw(st.sampled_from([None, None, 0, 1]))
        lines = [f"{level} {name}" for name, level in levels.items()]
        lines += [f"{toughness} toughness", "here: level, cover, throwable, water, open-air", f"side: {side}"]
        lines += [] if hp is None else [f"hp: {hp}"]
        blocks.append("\n".join((f"P{number}", *lines)))
    return "\n\n".join(blocks)


def answered(dice: SeededRoller, **fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(format_query(fields), MAX_QUERY_LENGTH), dice)


def buttons(seen: View) -> dict[str, list[Pressed]]:
    """Every button of the page that sends a step, by what it does."""
    found: dict[str, list[Pressed]] = {}
    page = render_calculator_response("fight", seen.query).html
    aims = json.loads(html.unescape(aimed[1])) if (aimed := AIMS.search(page)) and aimed[1] else {}
    for value, inside in BUTTON.findall(page):
        text = html.unescape(value)
        if text.startswith("{"):
            step = json.loads(text)
            step = {**aims.get(step["do"], {}), **step} if not step.keys() & {"target", "targets", "at"} else step
            odds = ODDS.search(inside)
            found.setdefault(step["do"], []).append((step, odds[1] if odds else ""))
    return found


def actions_of(log: str, steps: list[dict[str, Any]]) -> list[Action | GmAction]:
    """Return steps as the engine parses them from a file of this fight."""
    tree = json.loads(log)
    return [step.action for step in scenario_from_dict({**tree, "steps": steps, "expect": {}}).steps]


def state_of(log: str) -> EncounterState:
    """Return the current state of a fight's file.

    Initiative is rolled once crafting is over, and is known before.
    """
    played = play(parse_scenario(log), waiting=True)
    return played.opening_state if played.final_state.phase == "before" else played.states[-1]


def successes(state: EncounterState, action: Action, face: int) -> list[bool]:
    """Return whether each roll of an action succeeds if its dice show this face.

    A pending action is resolved at once.
    """
    decision = decide(state, action, FixedRoller(face))
    assert decision.is_legal, decision.narration
    after = apply_events(state, decision.events)
    if action.do in ("interrupt", "settle") or after.pending_action is None:
        return [roll.check.is_success for roll in decision.rolls]
    return successes(after, Action(after.pending_action.who, "settle"), face)


def shares(state: EncounterState, action: Action) -> list[str]:
    """Return the percentage of the 20 faces with which each roll succeeds."""
    by_face = [successes(state, action, face) for face in range(1, 21)]
    return [f"{5 * sum(column)}%" for column in zip(*by_face, strict=True)]


def check_chances(seen: View, dice: SeededRoller) -> Counter[str]:
    """Compare some buttons of each kind on the page with the engine.

    Returns the number of buttons that roll dice, by kind.
    """
    found = buttons(seen)
    pressed = [each for of_kind in found.values() for each in choose_several(dice, of_kind, MAX_BUTTONS_PER_KIND)]
    log = seen.fields["log"]
    state = state_of(log)
    counted: Counter[str] = Counter()
    for (step, chance), action in zip(pressed, actions_of(log, [step for step, _ in pressed]), strict=True):
        if isinstance(action, GmAction):
            assert not chance, step  # a change by the game master rolls no dice
            continue
        if action.do == "settle":
            continue  # it resolves the declared action, whose own button has shown the chance
        rolled = shares(state, action)
        assert chance == ", ".join(rolled), step
        counted.update([action.do] if rolled else [])
    return counted


def pressed_next(seen: View, dice: SeededRoller, known: Counter[str]) -> View | None:
    """Return the page after one more press, or None without a button.

    The button is one that provokes, a rare one, or any.
    """
    found = buttons(seen)
    if not found:
        return None
    rarest = min(found, key=lambda do: (known[do], do))
    do = choose(dice, [*(do for do in PROVOKING if do in found), rarest, choose(dice, sorted(found))])
    known[do] += 1
    step, _ = choose(dice, found[do])
    after = answered(dice, log=seen.fields["log"], act=json.dumps(step))
    assert not after.problems, (step, after.problems)
    return after


def fought(text: str, seed: int, board: str) -> Counter[str]:
    """Compare the page with the engine after each press of a fight.

    Returns the number of buttons that roll dice, by kind.
    """
    dice = SeededRoller(seed)
    counted: Counter[str] = Counter()
    pressed: Counter[str] = Counter()
    seen: View | None = answered(dice, log="begin", sheets=text, map=board)
    for _ in range(PRESSES):
        assert seen is not None
        assert seen.phase == "fight", seen.problems
        counted += check_chances(seen, dice)
        seen = pressed_next(seen, dice, pressed)
        if seen is None:
            break
    return counted


@pytest.mark.heavy
def test_button_chance_is_the_share_of_successful_faces() -> None:
    """Each roll's chance on a button is the share of faces that succeed.

    The engine decides each of the 20 faces.
    """
    counted: Counter[str] = Counter()

    def check(common: str, board: str) -> None:
        @settings(max_examples=6, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
        @given(text=sheets(common), seed=st.integers(0, 10**6))
        def holds(text: str, seed: int) -> None:
            counted.update(fought(text, seed, board))

        holds()

    for common, board in product(("wrestling", "blasting", "healing"), ("", MAP)):
        check(common, board)
    assert set(counted) == KINDS
