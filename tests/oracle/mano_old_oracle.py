"""A second implementation of Mano a Mano, older revision: plain dictionaries, from the rule catalogue and the fields.

Its author has not read the engine. A scenario is the JSON tree of the format, with every face given.
A step that breaks a rule changes nothing; the oracle returns every rule that may be named for it.
"""

from copy import deepcopy
from typing import Any

from tests.oracle.mano_oracle import by_reach, canonical, has_left, next_after, roll_off, seated, winner

__all__ = ["canonical", "figures", "legal", "new_state", "play_step"]

State = dict[str, Any]
Step = dict[str, Any]

POOLS = ("stun", "damage", "ready", "defence", "other")
USES = ("manoeuvre", "manipulate", "power")
# Where points come from if the step doesn't say, in order.
SOURCES = {"stun": ("other", "defence", "ready"), "damage": ("other", "defence", "ready", "stun")}


def new_state(tree: dict[str, Any]) -> State:
    """Begin the fight: `mano-old.surprise`, K25.

    The first turn is that of the ambusher, else of the longest reach, else decided by dice. The seats follow.
    """
    characters = {}
    for each in tree["characters"]:
        pools = dict.fromkeys(POOLS, 0)
        pools.update(each.get("pools", {"other": each["hp"]}))
        characters[each["id"]] = {
            "side": each.get("side", each["id"]),
            "hp_round": each["hp_round"],
            "pools": pools,
            "turns": 0,
            "out": False,
        }
    opener = tree.get("ambush") or roll_off(tree, by_reach(tree))
    state: State = {"tree": tree, "characters": characters, "order": seated(tree, opener), "active": opener}
    return {**state, "round": 1, "fight": "running", "phase": "start"}


def eligible(who: dict[str, Any]) -> int:
    """Apply M16: points in neither stun nor damage, and not ready yet."""
    return int(who["pools"]["defence"] + who["pools"]["other"])


def broken(state: State, step: Step) -> set[str]:
    """Return every rule that the step breaks.

    A legal step breaks none.
    """
    do, actor = step["do"], step.get("actor", "")
    if state["fight"] == "over":
        return {"mano-old.round"}
    if do in SOURCES:
        return broken_fact(state, step)
    if has_left(state, actor):
        return {"mano-old.round"}
    if do == "leave":
        return set()
    if actor != state["active"]:
        return {"mano-old.order.seating", "mano-old.round"}
    wanted = {"start-turn": "start", "ready": "ready", "spend": "actions", "end-turn": "actions"}[do]
    if wanted != state["phase"]:
        return {"mano-old.phases", "mano-old.turn.end", "mano-old.phase.ready", "mano-old.phase.actions"}
    who = state["characters"][actor]
    if do == "ready":
        return broken_choice(who, step)
    found = set()
    if do == "spend" and not 1 <= step.get("points", 1) <= who["pools"]["ready"]:
        found |= {"mano-old.phase.actions"}
    if do == "spend" and step["to"] not in ("defence", "other"):
        found |= {"mano-old.action.destination"}
    return found


def broken_fact(state: State, step: Step) -> set[str]:
    """Return the rules against moving points between pools.

    A point leaves only a pool that has it, and enters only another pool.
    """
    who = state["characters"][step["target"]]
    if who["out"]:
        return {"mano-old.pools", "mano-old.round"}
    there = sum(who["pools"][pool] for pool in sources(step))
    return {"mano-old.pools"} if step.get("points", 1) > there else set()


def sources(step: Step) -> list[str]:
    """List the pools that a fact may take points from."""
    return [pool for pool in SOURCES[step["do"]] if step.get("from", pool) == pool]


def broken_choice(who: dict[str, Any], step: Step) -> set[str]:
    """Apply `mano-old.phase.ready.cap` and `mano-old.phase.ready.choice`.

    The choice is exactly HP/round of the eligible points.
    """
    take = chosen(who, step)
    rules = {"mano-old.phase.ready.cap", "mano-old.phase.ready.choice", "mano-old.phase.ready"}
    if sum(take.values()) != who["hp_round"]:
        return rules
    wrong = any(pool not in ("defence", "other") or count > who["pools"][pool] for pool, count in take.items())
    return rules if wrong else set()


def chosen(who: dict[str, Any], step: Step) -> dict[str, int]:
    """Return the points that become ready, by pool.

    If the step doesn't say and only one pool has points, they come from that pool.
    """
    if step.get("take"):
        return dict(step["take"])
    pools = [pool for pool in ("defence", "other") if who["pools"][pool]]
    return {pools[0]: who["hp_round"]} if len(pools) == 1 else {}


def play_step(state: State, step: Step) -> tuple[State, dict[str, Any]]:
    """Return the state after the step, and whether it was legal."""
    state = deepcopy(state)
    found = broken(state, step)
    if not found:
        carry_out(state, step)
    return state, {"legal": not found, "broken": found}


def carry_out(state: State, step: Step) -> None:
    """Carry out a legal step."""
    do, actor = step["do"], step.get("actor", "")
    if do == "leave":
        leave(state, actor)
        return
    who = state["characters"][step["target"] if do in SOURCES else actor]
    if do in SOURCES:
        take_points(who, step)
    elif do == "start-turn":
        if who["pools"]["stun"]:
            shift(who, "stun", "other", 1)
        state["phase"] = "ready"
    elif do == "ready":
        for pool, count in chosen(who, step).items():
            shift(who, pool, "ready", count)
        state["phase"] = "actions"
    elif do == "spend":
        shift(who, "ready", step["to"], step.get("points", 1))
    if do == "end-turn":
        end_turn(state)
    else:
        go_on(state)


def shift(who: dict[str, Any], source: str, to: str, count: int) -> None:
    """Move points from pool to pool."""
    who["pools"][source] -= count
    who["pools"][to] += count


def take_points(who: dict[str, Any], step: Step) -> None:
    """Apply stun or damage that the table reports."""
    left = step.get("points", 1)
    for pool in sources(step):
        count = min(left, who["pools"][pool])
        shift(who, pool, step["do"], count)
        left -= count


def go_on(state: State) -> None:
    """Continue where no choice is left.

    Phase 2 without a choice happens by itself; phase 3 with nothing ready ends the turn (`mano-old.turn.end`).
    """
    who = state["characters"][state["active"]]
    if state["phase"] == "ready" and eligible(who) <= who["hp_round"]:
        for pool in ("defence", "other"):
            shift(who, pool, "ready", who["pools"][pool])
        state["phase"] = "actions"
    if state["phase"] == "actions" and not who["pools"]["ready"]:
        end_turn(state)


def end_turn(state: State) -> None:
    """Begin the next turn in the order.

    Ready points stay ready (M20).
    """
    state["characters"][state["active"]]["turns"] += 1
    state.update(active=next_after(state, state["active"]), phase="start")


def leave(state: State, name: str) -> None:
    """Remove a character from the fight.

    If it is its turn, the turn ends.
    """
    state["characters"][name]["out"] = True
    if all(each["out"] for each in state["characters"].values()):
        state.update(fight="over", active="", order=[])
        return
    if name == state["active"]:
        state.update(active=next_after(state, name), phase="start")
    state["order"].remove(name)


def legal(state: State) -> list[Step]:
    """List every legal action once, without facts that the table reports."""
    return [step for step in candidates(state) if not broken(state, step)]


def candidates(state: State) -> list[Step]:
    """List every action that may be legal."""
    found: list[Step] = []
    for name, who in state["characters"].items():
        found += [{"actor": name, "do": "start-turn"}, {"actor": name, "do": "end-turn"}]
        if name != state["active"]:
            continue
        for one in range(who["hp_round"] + 1):
            take = {"defence": one, "other": who["hp_round"] - one}
            found.append({"actor": name, "do": "ready", "take": {key: n for key, n in take.items() if n}})
        for points in range(1, who["pools"]["ready"] + 1):
            found += [
                {"actor": name, "do": "spend", "points": points, "use": use, "to": to} for use in USES for to in POOLS
            ]
    return found


def figures(state: State) -> dict[str, Any]:
    """Return the state by the paths of the format."""
    found: dict[str, Any] = {key: state[key] for key in ("round", "active", "order", "fight", "phase")}
    found["winner"] = winner(state) if state["fight"] == "running" else ""
    for name, who in state["characters"].items():
        found.update({f"{pool}.{name}": count for pool, count in who["pools"].items()})
        found[f"hp.{name}"] = sum(who["pools"].values())
        found.update({f"{key}.{name}": who[key] for key in ("turns", "out")})
    return found
