"""Beginnings of fights in the other turn systems, and errors for damaged states and invalid arguments."""

from collections.abc import Mapping
from typing import Any

import pytest

from scratch_core.dice import RecordedRoller
from scratch_core.errors import ScratchError
from scratch_core.scenario import Scenario, scenario_from_dict
from scratch_core.turn_systems import FightState, TurnSystem
from scratch_core.turn_systems.generic import GenericAction
from scratch_core.turn_systems.registry import SEIZE, VARIANT_TURN_SYSTEMS

NONE = RecordedRoller(())
OLD = {"hp": 4, "hp_round": 2}


def begin_with_faces(
    system: str, rows: list[dict[str, Any]], faces: Mapping[str, list[int]] | None = None, **head: Any
) -> Any:
    """A fight of that system, begun with those faces and no others."""
    tree = {"format": "scratch-scenario/1", "system": system, "characters": rows, **head}
    scenario = scenario_from_dict(tree)
    assert isinstance(scenario, Scenario)
    before = scenario.initial_state
    return scenario.system.apply_events(before, scenario.system.begin(before, RecordedRoller(()), faces).events)


@pytest.mark.parametrize(
    ("rows", "faces", "openers", "number"),
    [
        pytest.param({"a": 0, "b": 5}, {"a": 19, "b": 14}, ("b",), 1, id="level totals: the higher bonus"),  # seize.tie
        pytest.param({"a": 25, "b": 0}, {"a": 1, "b": 2}, ("b",), 1, id="a rolled 1 never opens"),  # ruling S03
        pytest.param({"a": 0, "b": 5}, {"a": 1, "b": 1}, ("b",), 2, id="all rolled 1: round 2"),  # ruling S03
        pytest.param({"a": -5, "b": 9}, {"a": 20, "b": 19}, ("a",), 1, id="a rolled 20 before 28"),  # ruling K29
        pytest.param({"a": 1, "b": 2}, {"a": 20, "b": 20}, ("b",), 1, id="two 20s: the higher total"),  # ruling K29
    ],
)
def test_seize_openers_by_highest_total(
    rows: dict[str, int], faces: dict[str, int], openers: tuple[str, ...], number: int
) -> None:
    """Rules: `seize.natural-20`, `seize.natural-1`, `seize.highest-first`, `seize.tie`."""
    made = [{"id": name, "bonus": bonus} for name, bonus in rows.items()]
    state = begin_with_faces("seize", made, {name: [face] for name, face in faces.items()})
    assert (state.openers, state.round) == (openers, number)


def test_seize_shared_roll_opens_with_highest_bonus() -> None:
    """A group's shared face gives each member its own total (`seize.gm-roll`).

    Only a 20 leaves the choice open to all of them.
    """
    rows = [
        {"id": "a", "group": "g", "bonus": 1},
        {"id": "b", "group": "g", "bonus": 3},
        {"id": "c", "group": "g", "bonus": 3},
    ]
    assert begin_with_faces("seize", rows, {"g": [12]}).openers == ("b", "c")
    assert begin_with_faces("seize", rows, {"g": [20]}).openers == ("a", "b", "c")
    assert all(each.barred is False for each in begin_with_faces("seize", rows, {"g": [1]}).fighters)


@pytest.mark.parametrize("system", ["mano", "mano-old"])
def test_equal_reach_is_rolled_off_among_the_longest(system: str) -> None:
    """Only those with the longest reach throw, again while level (K25). Rules: `mano.start.first`, `mano.start.reach`,
    `mano-old.initiative.reach`.
    """
    more = OLD if system == "mano-old" else {}
    rows = [{"id": "a", **more}, {"id": "b", "reach": 2, **more}, {"id": "c", "reach": 2, **more}]
    state = begin_with_faces(system, rows, {"b": [8, 3], "c": [8, 4]})
    assert state.order == ("c", "a", "b")
    with pytest.raises(ScratchError) as error:
        begin_with_faces(system, rows, {"b": [8] * 200, "c": [8] * 200})
    assert error.value.code == "initiative.tie"
    with pytest.raises(ScratchError) as error:
        begin_with_faces(system, rows, {"b": [8]})
    assert error.value.code == "dice.faces.few"


SMALL: dict[str, list[dict[str, Any]]] = {
    "mano": [{"id": "a", "reach": 1}, {"id": "b"}],
    "mano-old": [{"id": "a", "reach": 1, **OLD}, {"id": "b", **OLD}],
    "seize": [{"id": "a", "bonus": 5}, {"id": "b"}],
}


def small(system: TurnSystem[Any, Any]) -> FightState[Any]:
    """A small fight, begun."""
    state: FightState[Any] = begin_with_faces(system.name, SMALL[system.name], {"a": [10], "b": [9]})
    return state


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS.values(), ids=lambda system: system.name)
def test_unknown_characters_and_actions_are_refused(system: TurnSystem[Any, Any]) -> None:
    """An unknown actor, target or action is refused with a message, without a traceback."""
    state = small(system)
    do = next(iter(system.action_titles))
    for act in (
        GenericAction("", do),
        GenericAction("x", do),
        GenericAction("a", do, "x"),
        GenericAction("a", "fly"),
        GenericAction("", "leave"),
    ):
        refused = system.decide(state, act)
        assert not refused.is_legal
        assert refused.narration
    with pytest.raises(ScratchError, match="expected"):
        system.decide(state, system.legal_actions(state)[0], [20])


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS.values(), ids=lambda system: system.name)
def test_fight_without_characters_is_over(system: TurnSystem[Any, Any]) -> None:
    """A character who leaves has no more turns, and the last one ends the fight."""
    state = small(system)
    state = system.apply_events(state, system.decide(state, GenericAction("a", "leave")).events)
    assert state.winner == "b"
    assert {who for who, _ in system.list_legal_actor_action_pairs(state)} <= {"b"}  # type: ignore[attr-defined]  # every order of `rounds` has it
    state = system.apply_events(state, system.decide(state, GenericAction("b", "leave")).events)
    assert (state.phase, state.winner, system.legal_actions(state)) == ("over", "", ())


def test_seizer_who_leaves_is_removed_from_the_queue() -> None:
    """The previous character chooses again. Rules: `seize.claim.timing`, `seize.choose-next`."""
    state = begin_with_faces("seize", [{"id": each} for each in "abc"], {"a": [9], "b": [5], "c": [4]})
    for act in (
        GenericAction("a", "turn"),
        GenericAction("", "lose-hp", "b", points=1),
        GenericAction("b", "seize"),
        GenericAction("b", "leave"),
    ):
        decision = SEIZE.decide(state, act)
        assert decision.is_legal, decision.narration
        state = SEIZE.apply_events(state, decision.events)
    assert SEIZE.list_legal_actor_action_pairs(state) == (("a", "choose"),)
    assert SEIZE.legal_actions(state) == (GenericAction("a", "choose", "c"),)


def test_fighter_leaving_on_own_turn_chooses_but_cannot_act() -> None:
    """A fighter who leaves on its own turn still chooses the next actor.

    It has no extra action. Rules: `seize.choose-next`, `seize.natural-20`.
    """
    state = begin_with_faces("seize", [{"id": each} for each in "abc"], {"a": [20], "b": [5], "c": [4]})
    for act in (GenericAction("a", "turn"), GenericAction("a", "leave")):
        state = SEIZE.apply_events(state, SEIZE.decide(state, act).events)
    assert SEIZE.list_legal_actor_action_pairs(state) == (("a", "choose"),)
    assert not SEIZE.decide(state, GenericAction("a", "extra-action")).is_legal
    assert SEIZE.decide(state, GenericAction("a", "choose", "b")).is_legal
