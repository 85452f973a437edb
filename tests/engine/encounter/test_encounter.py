"""Encounters: initiative, legal actions, and events as JSON."""

from dataclasses import fields, replace
from typing import Any

import pytest

from scratch_core.dice import FixedRoller, RecordedRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin, check_action, decide, legal_actions
from scratch_core.encounter.state import EncounterEnded, Initiative, TurnBegan, TurnPassed
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure, Part
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario import TURN_SYSTEMS
from scratch_core.turn_systems.serialization import event_to_json
from tests.support.encounters import TWO_FIGHTERS, apply_action, begin_encounter, build_encounter_fighter

# Initiative


@pytest.mark.parametrize(
    ("levels", "multiplier", "face", "total"),
    [
        ([{"stealth": 2}, {"detection": 1, "stealth": 1}], 10, 9, 23),  # E011
        ([{"detection": 5}, {"detection": 3}], 10, 2, 52),  # E012
        ([{"stealth": 3}, {"stealth": 1}], 10, 1, 7),  # the rule's own 3 and 1: +6
        ([{"detection": 1}], 2, 6, 8),  # the switch
    ],
    ids=["E011", "E012", "stealth", "multiplier-2"],
)
def test_group_initiative_adds_its_best_levels(
    levels: list[dict[str, int]], multiplier: Any, face: int, total: int
) -> None:
    """A group adds twice its best stealth and ten times its best detection (A20).

    Any member may have them. Rules: `turn.initiative-roll`, `stealth.initiative`, `detection.initiative`.
    """
    rulings = RulingSettings(detection_multiplier=multiplier)
    members = [build_encounter_fighter(f"m{n}", {**each, "toughness": 1}, group="g") for n, each in enumerate(levels)]
    state = begin_encounter(*members, rulings=rulings, g=[face])
    assert state.initiative[0].figure.value == total


def test_tied_groups_roll_again_without_bonuses() -> None:
    """Tied groups roll again without bonuses (E014, `turn.tie`).

    9, 15, 9, then 4 and 16 put b first, then c, then a.
    """
    state = begin_encounter(
        *TWO_FIGHTERS, build_encounter_fighter("c", {"toughness": 3}), a=[12, 9, 4], b=[12, 15], c=[12, 9, 16]
    )
    assert state.turn_order == ("b", "c", "a")
    assert [each.faces for each in state.initiative] == [(12, 15), (12, 9, 16), (12, 9, 4)]


def test_new_encounter_resets_used_actions() -> None:
    """E022: E022: actions used up in one encounter are available in the next (`act.unrepeatable.illustration`)."""
    state = begin_encounter(
        build_encounter_fighter("sheriff", {"stealth": 1, "toughness": 3}),
        build_encounter_fighter("outlaw", {"toughness": 3}),
    )
    surprise = Action("sheriff", "surprise", ("outlaw",))
    state = apply_action(state, surprise, 1)
    state = apply_events(state, (EncounterEnded(),))
    assert check_action(state, surprise)[0].rule == "turn.encounter"
    again = apply_events(state, begin(state, FixedRoller(1), {"sheriff": [9], "outlaw": [2]}).events)
    assert check_action(again, surprise) == ()


# Legal actions


def test_legal_actions_equal_those_counted_by_hand() -> None:
    """Two people without abilities, out of cover: counted by hand (`act.basic.available`).

    Basic attack, hold and distract on the other one, each with the bare face; evade with nothing; engage, a small act,
    nothing, the end of the turn: 8.
    """
    state = begin_encounter(*TWO_FIGHTERS)
    assert [(action.do, action.targets, action.uses) for action in legal_actions(state)] == [
        ("basic-attack", ("b",), ()),
        ("hold", ("b",), ()),
        ("distract", ("b",), ()),
        ("evade", (), ()),
        ("engage", (), None),
        ("bonus", (), None),
        ("nothing", (), None),
        ("end-turn", (), None),
    ]


def test_illegal_action_names_its_rule_and_what_is_legal() -> None:
    """A refused action names the rule and what is legal, in a sentence.

    It rolls no dice.
    """
    state = begin_encounter(*TWO_FIGHTERS)
    dice = RecordedRoller([20])
    decision = decide(state, Action("a", "shoot", ("b",)), dice)
    assert not decision.is_legal
    assert dice.used == 0
    assert (
        decision.narration
        == "a: shooting not allowed, expected shooting of level 1 or more, got none in a (act.shooting)."
    )


@pytest.mark.parametrize("faces", [(), (3, 4), (0,), (21,)], ids=["few", "many", "0", "21"])
def test_wrong_faces_are_refused(faces: tuple[int, ...]) -> None:
    """E008: too few, too many and impossible faces are a caller's mistake (`roll.die-substitute`)."""
    with pytest.raises(ScratchError, match="face"):
        decide(begin_encounter(*TWO_FIGHTERS), Action("a", "basic-attack", ("b",)), faces)


OF_A_KIND: dict[str, Any] = {
    "int": 1,
    "Cause": "hold",
    "Moved": "before",
    "Space": (1, 2),
    "Space | None": None,
    "tuple[Space, ...]": ((1, 2), (-1, 0)),
    "tuple[str, ...]": ("a", "b"),
    "tuple[str, ...] | None": ("fighting",),
    "Any": replace(TWO_FIGHTERS[0], at=(1, 2), gone=True),
    "tuple[Initiative, ...]": (
        Initiative("a", Figure("initiative", (Part("face", 7, "turn.initiative-roll"),)), (3,)),
    ),
}
"""A value for each type of field that an event has."""


@pytest.mark.parametrize("name", TURN_SYSTEMS)
def test_events_have_different_names_in_json(name: str) -> None:
    """Every kind of event of a turn system has a JSON form of its own."""
    forms = []
    kinds = TURN_SYSTEMS[name].effects
    for kind in kinds:
        values = {each.name: OF_A_KIND.get(str(each.type), "a") for each in fields(kind)}
        event = kind(**values)
        forms.append(event_to_json(event))
    assert len({form["event"] for form in forms}) == len(forms) == len(kinds)


def test_event_has_its_fields_in_json() -> None:
    """The name comes first, in the words of the class."""
    assert event_to_json(TurnPassed("a", 1, 0)) == {"event": "turn-passed", "who": "a", "round": 1, "place": 0}
    assert event_to_json(TurnBegan("a", 1, 0))["event"] == "turn-began"
