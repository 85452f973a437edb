"""A fight too long for one file goes on in a new one: the same people, with the hit points that they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.calculators.fight.table import Fight
from scratch_core.scenario.noting import STEPS_LIMIT
from scratch_core.state import State
from scratch_core.turns.hand import JOIN

WARNED_BEFORE = 60
"""So many steps before the limit the page begins to say so."""

GO_ON = "go-on"


def steps_left(fight: Fight) -> int | None:
    """How many steps a fight's file still has room for, None while that is no worry."""
    left = STEPS_LIMIT - len(fight.steps)
    return left if left <= WARNED_BEFORE else None


def head_of(fight: Fight) -> dict[str, Any]:
    """The head of a fight of everybody who is still in this one, in today's order, each as it is; nothing else lasts.

    Rules: `hp.start`, `turn.initiative-roll`, `mano.order.seating`.
    """
    system, state, tree = fight.system, fight.state, fight.scenario.tree
    known = {table["id"]: table for table in (*tree["characters"], *_joined(fight))}
    here = [each.id for each in system.fighters(state) if not system.is_away(state, each.id)]
    kept = {key: tree[key] for key in ("title", "system", "rulings", "board") if key in tree}
    if isinstance(state, State):
        initiative = {each.group: list(each.faces) for each in state.initiative if _is_there(state, each.group, here)}
        characters = [_now(known[who], state, who, here) for who in here]
        return {**kept, "characters": characters, "initiative": initiative}
    seats = [who for who in system.order(state) if who in here]
    order = [*seats, *(who for who in here if who not in seats)]
    return {**kept, "characters": [_by_fields(fight, known[who], who) for who in order]}


def _joined(fight: Fight) -> list[Mapping[str, Any]]:
    """The tables of those whom the game master has let join, each with the space that stands beside it."""
    joins = [step for step in fight.steps if step["do"] == JOIN and not step.get("actor")]
    return [{**step["character"], **({"at": step["at"]} if "at" in step else {})} for step in joins]


def _is_there(state: State, group: str, here: list[str]) -> bool:
    return any(each.id in here for each in state.members(group))


def _now(table: Mapping[str, Any], state: State, who: str, here: list[str]) -> dict[str, Any]:
    """A table of a character with its hit points, and on a board with its space."""
    fighter = state.fighter(who)
    found = {**table, "hp": fighter.hp, "side": fighter.side, "group": fighter.group}
    if fighter.at is not None:
        found["at"] = list(fighter.at)
    if found.get("minion_of", who) not in here:
        del found["minion_of"]
    return found


def _by_fields(fight: Fight, table: Mapping[str, Any], who: str) -> dict[str, Any]:
    """A table of a fighter of another order, with today's stun, hit points and pools."""
    fighter = fight.system.fighter(fight.state, who)
    found = {**table, "side": fighter.side}
    for field in fight.system.character:
        if field.key in ("stun", "hp"):
            found[field.key] = getattr(fighter, field.key)
        elif field.kind == "pools":
            found[field.key] = {pool: fighter.pool(pool) for pool in field.choices}
    return found
