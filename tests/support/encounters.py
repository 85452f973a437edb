"""Encounters for tests: fighters by their levels, running encounters, and results of actions."""

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

from scratch_core.characters import DEFAULT_RULINGS, AbilityLevel, Character
from scratch_core.dice import FixedRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin, check_action, decide
from scratch_core.encounter.state import (
    Cause,
    Delay,
    EncounterState,
    Event,
    Fighter,
    TurnBegan,
    build_fighter,
    build_initial_state,
)
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings


def build_encounter_fighter(own_id: str, levels: dict[str, int], **more: Any) -> Fighter:
    """Build a fighter with these levels."""
    lines = tuple(AbilityLevel(name, level) for name, level in levels.items())
    leader = str(more.pop("minion_of", ""))
    return build_fighter(Character(own_id, lines, minion_of=leader), **more)


def begin_encounter(
    *fighters: Fighter, rulings: RulingSettings = DEFAULT_RULINGS, **faces: list[int]
) -> EncounterState:
    """Begin an encounter.

    Groups without faces act in the order of the arguments.
    """
    state = build_initial_state(fighters, rulings)
    known = {group: faces.get(group, [20 - place]) for place, group in enumerate(state.initiative_fighter_or_group_ids)}
    return apply_events(state, begin(state, FixedRoller(1), known).events)


def apply_action(state: EncounterState, action: Action, *faces: int) -> EncounterState:
    """Return the state after a legal action."""
    decision = decide(state, action, faces)
    assert decision.is_legal, decision.narration
    return apply_events(state, decision.events)


def count_outcomes(state: EncounterState, action: Action) -> Counter[tuple[Event, ...]]:
    """Count the results of an action over all faces of its dice."""
    dice = len(decide(state, action, FixedRoller(1)).rolls)
    return Counter(decide(state, action, faces).events for faces in product(range(1, 21), repeat=dice))


TWO_FIGHTERS = (build_encounter_fighter("a", {"toughness": 3}), build_encounter_fighter("b", {"toughness": 3}))
ALL_ABILITIES = dict.fromkeys(
    (
        *("fighting", "wrestling", "knockout", "shooting", "blasting", "stealth", "detection", "command", "healing"),
        *("quickness", "swimming", "flying", "craftsmanship"),
    ),
    1,
)
HERO = build_encounter_fighter("a", {"toughness": 4, **ALL_ABILITIES})
PLAIN = build_encounter_fighter("a", {"toughness": 4})
B, C = build_encounter_fighter("b", {"toughness": 4}), build_encounter_fighter("c", {"toughness": 4})
LEGACY_RULINGS = RulingSettings(wrestling_double_legacy=True)


def begin_first_turn(
    actor: Fighter = HERO, b: Fighter = B, rulings: RulingSettings = DEFAULT_RULINGS, **befallen: Any
) -> EncounterState:
    """Begin the actor's first turn, with fields of the actor changed.

    The other fighters are b and c.
    """
    state = apply_events(begin_encounter(actor, b, C, rulings=rulings), (TurnBegan("a", 1, 0),))
    return state.with_fighter(replace(state.fighter("a"), **befallen))


def with_changed_b(state: EncounterState, **befallen: Any) -> EncounterState:
    """Return the state with fields of b changed."""
    return state.with_fighter(replace(state.fighter("b"), **befallen))


BIRD = build_encounter_fighter("b", {"toughness": 4, "flying": 1}, here=("open-air",))


def with_flying_b(state: EncounterState, **befallen: Any) -> EncounterState:
    """Replace b by a flyer that has evaded in the open.

    `befallen` overrides these fields.
    """
    return state.with_fighter(replace(BIRD, **{"fresh": False, "flying_immune": True, **befallen}))


def build_delays(*delays: tuple[Cause, int]) -> dict[str, Any]:
    """Build the fields for delays by b until these turns.

    The same fields remember that b has held the fighter.
    """
    return {"delays": tuple(Delay(cause, "b", until) for cause, until in delays), "held_by": ("b",)}


def build_action(name: str, *targets: str, uses: tuple[str, ...] | None = None) -> Action:
    """Build an action of a."""
    return Action("a", name, targets, uses)


def list_parts(figure: Figure) -> list[tuple[int, str]]:
    """List the parts of a figure as number and rule."""
    return [(part.value, part.rule) for part in figure.parts]


def list_broken_rules(state: EncounterState, action: Action) -> list[str | None]:
    """List the rules that an action breaks, in order."""
    return [problem.rule for problem in check_action(state, action)]


def begin_second_attack() -> EncounterState:
    """Return the state after the first attack of the hero's double attack, a miss."""
    return apply_events(begin_first_turn(), decide(begin_first_turn(), build_action("double-attack", "b"), [1]).events)
