"""A second implementation of Mano a Mano, latest revision: plain dictionaries, from the rule catalogue and the fields.

Its author has not read the engine. A scenario is the JSON tree of the format, with every face given.
A step that breaks a rule changes nothing; the oracle returns every rule that may be named for it.
"""

from copy import deepcopy
from fractions import Fraction
from math import ceil
from typing import Any

State = dict[str, Any]
Step = dict[str, Any]

FACTS = ("stun", "surprise-rolls", "leave")
ATTACKS = ("active", "combo", "counter")


# The beginning, shared with the older revision


def roll_off(tree: dict[str, Any], names: list[str]) -> str:
    """Roll a d20 for each, again for those tied at the top."""
    depth = 0
    while len(names) > 1:
        faces = {name: tree["initiative"][name][depth] for name in names}
        names = [name for name in names if faces[name] == max(faces.values())]
        depth += 1
    return names[0]


def by_reach(tree: dict[str, Any]) -> list[str]:
    """List the characters with the longest reach."""
    longest = max(each.get("reach", 0) for each in tree["characters"])
    return [each["id"] for each in tree["characters"] if each.get("reach", 0) == longest]


def seated(tree: dict[str, Any], opener: str) -> list[str]:
    """List the seats clockwise, from the opener."""
    seats = [each["id"] for each in tree["characters"]]
    place = seats.index(opener)
    return seats[place:] + seats[:place]


def winner(state: State) -> str:
    """Return the only side that is left."""
    sides = {each["side"] for each in state["characters"].values() if not each["out"]}
    return sides.pop() if len(sides) == 1 else ""


# The state


def new_state(tree: dict[str, Any]) -> State:
    """Begin the fight.

    The fight has not begun yet if the first step is an ambush.
    """
    characters = {}
    for each in tree["characters"]:
        characters[each["id"]] = {
            "side": each.get("side", each["id"]),
            "speed": Fraction(each.get("speed", 1)),
            "stun": each.get("stun", 0),
            "healthy": each.get("healthy", True),
            "weapons": each.get("weapons", 1),
            "owed": 0,
            "turns": 0,
            "prepared": "",  # "turn": on its own turn; "start": ready before its first
            "evading": False,
            "started": False,  # has used its choice at the beginning
            "begun": False,  # its first turn has begun
            "out": False,
        }
    state: State = {"tree": tree, "characters": characters, "order": [], "active": "", "round": 0, "fight": "before"}
    state.update(frames=[], surprised=False, no_fight=False)
    if not (tree["steps"] and tree["steps"][0]["do"] == "surprise-rolls"):
        begin(state, "")
    return state


def begin(state: State, ambusher: str) -> None:
    """Begin the first turn: `mano.surprise.one`, `mano.start.first`, `mano.start.reach`.

    The seats follow from it (`mano.order.seating`).
    """
    tree = state["tree"]
    first = tree.get("first")
    disputed = by_reach(tree) if not first else [first] if isinstance(first, str) else first
    opener = ambusher or roll_off(tree, disputed)
    state.update(order=seated(tree, opener), fight="running", round=1, surprised=bool(ambusher))
    begin_turn(state, opener)


def begin_turn(state: State, name: str) -> None:
    """Begin a turn: `mano.counter.lapse`, `mano.start.evade`.

    What was prepared or begun before it ends.
    """
    who = state["characters"][name]
    who.update(prepared="", evading=False, begun=True)
    state.update(active=name, frames=[])


def next_after(state: State, name: str) -> str:
    """Return the next character in the order.

    The round goes up if that is the opener.
    """
    place = state["order"].index(name) + 1
    if place == len(state["order"]):
        state["round"] += 1
        place = 0
    return state["order"][place]


def end_turn(state: State, how: str) -> None:
    """End the turn and begin the next.

    One stun is removed, and skips are owed or paid.
    """
    who = state["characters"][state["active"]]
    who["turns"] += 1
    who["stun"] = max(0, who["stun"] - 1)
    if how == "active":
        who["owed"] = skips(who)
    if how == "skip" and who["owed"]:
        who["owed"] -= 1
    begin_turn(state, next_after(state, state["active"]))


def skips(who: dict[str, Any]) -> int:
    """Return the turns to skip after an active turn: `mano.speed.quarter`, `mano.speed.half`."""
    return {Fraction(1, 4): 3, Fraction(1, 2): 1}.get(who["speed"], 0)


def most(who: dict[str, Any], weapons: int) -> int:
    """Return the maximum number of quick actions.

    Rules: `mano.combo.count`, `mano.combo.weapons`, `mano.combo.healthy`.
    """
    return ceil(who["speed"]) + (weapons > 1) if who["healthy"] else 0


def find_counterattacker(state: State) -> str:
    """Return the character whose counterattack is pending, or ""."""
    return state["frames"][-1]["target"] if state["frames"] else ""


# What a step breaks


def broken(state: State, step: Step) -> set[str]:
    """Return every rule that the step breaks.

    A legal step breaks none.
    """
    do, actor = step["do"], step.get("actor", "")
    if do == "surprise-rolls":
        return broken_ambush(state, step)
    if state["no_fight"]:
        return {"mano.surprise.neither"}
    if state["fight"] == "over":
        return {"mano.turn.per-round", "mano.surprise.neither"}
    if do == "stun":
        return {"mano.stun.recover", "mano.turn.options"} if has_left(state, step["target"]) else set()
    if has_left(state, actor):
        return {"mano.turn.per-round"}
    if find_counterattacker(state) and not (do in ("counter", "let-pass") and actor == find_counterattacker(state)):
        return {"mano.counter.timing", "mano.counter.wait"}
    if do == "leave":
        return set()
    if state["frames"]:
        return broken_in_attack(state, step)
    if do in ("start-evading", "start-ready"):
        return broken_start(state, actor)
    if do in ("counter", "let-pass"):
        return {"mano.counter.timing", "mano.counter.wait"}
    if actor != state["active"]:
        return {"mano.order.seating", "mano.turn.per-round"}
    return broken_turn(state, step)


def has_left(state: State, name: str) -> bool:
    """Return whether a character has left."""
    return bool(state["characters"][name]["out"])


def broken_ambush(state: State, step: Step) -> set[str]:
    """Apply `mano.surprise.two-rolls`.

    There is one stalker, or two of different sides, before everything else.
    """
    sides = [state["characters"][name]["side"] for name in step["stalkers"]]
    found = set() if state["fight"] == "before" else {"mano.surprise.abilities"}
    if not (len(sides) == 1 or (len(sides) == 2 and sides[0] != sides[1])):
        found |= {"mano.surprise.two-rolls"}
    return found


def broken_in_attack(state: State, step: Step) -> set[str]:
    """Return the rules that a step breaks while an attack waits.

    The target answers first. After the counterattack, the attacker states the attack again.
    """
    frame, do = state["frames"][-1], step["do"]
    if frame["target"]:  # the target answers
        return set() if do == "let-pass" else broken_act(state, step)
    again = ("active", "combo") if frame["kind"] == "turn" else ("counter",)
    if step["actor"] != frame["who"] or do not in again:
        return {"mano.counter.rethink", "mano.counter.timing"}
    found = broken_act(state, step)
    if frame["moved"] and step.get("move"):
        found |= {"mano.counter.rethink"}
    return found


def broken_act(state: State, step: Step) -> set[str]:
    """Return the rules that an action or a combo breaks, with its target."""
    who, found = state["characters"][step["actor"]], set()
    target = step.get("target", "")
    if target and (target == step["actor"] or has_left(state, target)):
        found |= {"mano.turn.options", "mano.counter.timing"}
    if step["do"] == "combo" or "count" in step:
        if not who["healthy"]:
            found |= {"mano.combo.healthy"}
        elif step["count"] > most(who, step.get("weapons", 1)):
            found |= {"mano.combo.count", "mano.combo.weapons"}
        if step.get("weapons", 1) > who["weapons"]:
            found |= {"mano.combo.weapons"}
    return found


def broken_start(state: State, actor: str) -> set[str]:
    """Apply `mano.start.evade` and `mano.start.ready`.

    Without surprise a character does one of the two before its first turn.
    """
    who = state["characters"][actor]
    if state["surprised"] or who["started"] or who["begun"]:
        return {"mano.start.evade", "mano.start.ready", "mano.surprise.one"}
    return set()


def broken_turn(state: State, step: Step) -> set[str]:
    """Return the rules that a step breaks on the actor's own turn.

    While skips are owed, only skipping is legal.
    """
    if step["do"] == "skip":
        return set()
    who, found = state["characters"][state["active"]], set()
    if who["owed"]:
        found |= {"mano.speed.half" if who["speed"] == Fraction(1, 2) else "mano.speed.quarter"}
    if step["do"] == "delay-turn" and not held_back(state, step):
        found |= {"mano.order.formation"}
    return found | (broken_act(state, step) if step["do"] in ATTACKS else set())


def held_back(state: State, step: Step) -> list[str]:
    """Return the order with the actor next to an ally later in this round.

    Rules: `mano.order.formation`, M13. Returns an empty list if that is impossible.
    """
    actor, target, order = step["actor"], step["target"], state["order"]
    side = {name: each["side"] for name, each in state["characters"].items()}
    if target == actor or target not in order or side[target] != side[actor]:
        return []
    place = order.index(actor)
    rest = [name for name in order if name != actor]
    new = rest.index(target) + (1 if step.get("after", True) else 0)
    if order.index(target) < place:  # acted already; only the end of the round is left, before its first character
        if new != 0:
            return []
        new = len(rest)
    return [*rest[:new], actor, *rest[new:]] if new > place else []


# Playing


def play_step(state: State, step: Step) -> tuple[State, dict[str, Any]]:
    """Return the state after the step, and whether it was legal."""
    state = deepcopy(state)
    found = broken(state, step)
    if not found:
        carry_out(state, step)
    elif step["do"] == "surprise-rolls" and state["fight"] == "before":
        begin(state, "")
    return state, {"legal": not found, "broken": found}


def carry_out(state: State, step: Step) -> None:
    """Carry out a legal step."""
    do, actor = step["do"], step.get("actor", "")
    if do == "surprise-rolls":
        ambush(state, step["stalkers"])
    elif do == "stun":
        state["characters"][step["target"]]["stun"] += step.get("points", 1)
    elif do == "leave":
        leave(state, actor)
    elif do == "start-evading":
        state["characters"][actor].update(evading=True, started=True)
    elif do == "start-ready":
        state["characters"][actor].update(prepared="start", started=True)
    elif do == "skip":
        end_turn(state, "skip")
    elif do == "prepare-counter":
        state["characters"][actor]["prepared"] = "turn"
        end_turn(state, "prepared")
    elif do == "delay-turn":
        place = state["order"].index(actor)
        state["order"] = held_back(state, step)
        begin_turn(state, state["order"][place])
    elif do == "let-pass":
        settle(state)
    else:
        act(state, step)


def ambush(state: State, stalkers: dict[str, bool]) -> None:
    """Apply `mano.surprise.neither`, `mano.surprise.one`, `mano.surprise.both` and M11."""
    found = [name for name, success in stalkers.items() if success]
    if len(stalkers) == 2 and not found:
        state.update(fight="over", no_fight=True)
    else:
        begin(state, found[0] if len(found) == 1 else "")


def act(state: State, step: Step) -> None:
    """Carry out an action, combo or counterattack.

    It waits if its target has prepared a counterattack (`mano.counter.timing`).
    """
    actor, frames = step["actor"], state["frames"]
    if find_counterattacker(
        state
    ):  # a counterattack is sprung: once, and it was the active turn (M04), except before the first (M09)
        who = state["characters"][actor]
        if who["prepared"] == "turn":
            who["owed"] = skips(who)
        who["prepared"] = ""
        frames.append({"who": actor, "kind": "counter", "moved": False, "target": ""})
    elif not frames:
        frames.append({"who": actor, "kind": "turn", "moved": False, "target": ""})
    frames[-1]["moved"] |= step.get("move", False)
    target = step.get("target", "")
    if target and state["characters"][target]["prepared"]:
        frames[-1]["target"] = target
    else:
        settle(state)


def settle(state: State) -> None:
    """Resolve the topmost pending action.

    The turn ends, or the action below is stated again (`mano.counter.rethink`).
    """
    frames = state["frames"]
    if frames.pop()["kind"] == "turn":
        end_turn(state, "active")
        return
    frames[-1]["target"] = ""
    if has_left(state, frames[-1]["who"]):
        leave_act(state)


def leave_act(state: State) -> None:
    """Cancel the topmost pending action, because its actor has left."""
    frames = state["frames"]
    if len(frames) > 1:
        settle(state)
    else:
        name = state["active"]
        following = next_after(state, name)
        state["order"].remove(name)
        begin_turn(state, following)


def leave(state: State, name: str) -> None:
    """Remove a character from the fight.

    If it is its turn, the turn ends, and no stun is removed.
    """
    frames = state["frames"]
    state["characters"][name].update(out=True, prepared="", evading=False)
    if name in state["order"] and name != state["active"]:
        state["order"].remove(name)
    if all(each["out"] for each in state["characters"].values()):
        state.update(fight="over", active="", order=[], frames=[])
    elif name == (frames[-1]["who"] if frames else state["active"]):
        leave_act(state)


# What may be done


def legal(state: State) -> list[Step]:
    """List every legal action once, without facts that the table reports."""
    return [step for step in candidates(state) if not broken(state, step)]


def candidates(state: State) -> list[Step]:
    """List every action that may be legal."""
    found = []
    for name in state["characters"]:
        for do in ("start-evading", "start-ready", "prepare-counter", "skip", "let-pass"):
            found.append({"actor": name, "do": do})
        if name not in (state["active"], find_counterattacker(state), *(each["who"] for each in state["frames"])):
            continue
        for other in state["characters"]:
            found += [{"actor": name, "do": "delay-turn", "target": other, "after": after} for after in (True, False)]
        for do in ATTACKS:
            for base in bases(state, name, do):
                found += attacks(state, base)
    return found


def bases(state: State, name: str, do: str) -> list[Step]:
    """List an action alone and with each quick combination."""
    who = state["characters"][name]
    combos: list[Step] = [
        {"actor": name, "do": do, "count": count, "weapons": weapons}
        for weapons in range(1, who["weapons"] + 1)
        for count in range(1, most(who, weapons) + 1)
    ]
    alone: Step = {"actor": name, "do": do}
    return {"active": [alone], "combo": combos}.get(do, [alone, *combos])


def attacks(state: State, base: Step) -> list[Step]:
    """List an action without a target and with each target.

    Each comes with and without a move.
    """
    targets: list[dict[str, str]] = [{}, *({"target": name} for name in state["characters"])]
    return [{**base, **target, "move": move} for target in targets for move in (False, True)]


def canonical(step: Step) -> Any:
    """Return a comparable form of a step, with the defaults filled in."""
    full = {"target": "", "move": False, "after": True, **step}
    if "count" in full:
        full.setdefault("weapons", 1)
    return tuple(sorted((key, str(value)) for key, value in full.items() if value != "" and key != "note"))


def figures(state: State) -> dict[str, Any]:
    """Return the state by the paths of the format.

    Before the fight there are none.
    """
    if state["fight"] == "before":
        return {}
    found: dict[str, Any] = {key: state[key] for key in ("round", "active", "order", "fight")}
    found["order"] = [name for name in state["order"] if not has_left(state, name)]
    found.update(winner=winner(state) if state["fight"] == "running" else "", waiting=find_counterattacker(state))
    for name, who in state["characters"].items():
        found[f"prepared.{name}"] = bool(who["prepared"])
        found[f"defence.{name}"] = 4 if who["evading"] else 0
        found[f"combo.{name}"] = [most(who, 1), most(who, 2)]
        found[f"moved.{name}"] = any(
            each["who"] == name and each["moved"] and not who["out"] for each in state["frames"]
        )
        found.update({f"{key}.{name}": who[key] for key in ("stun", "owed", "evading", "healthy", "turns", "out")})
    return found
