"""A second implementation of choose-next initiative: plain dictionaries, from the rule catalogue and the fields.

Its author has not read the engine. A scenario is the JSON tree of the format, with every face given.
A step that breaks a rule changes nothing; the oracle returns every rule that may be named for it.
"""

from copy import deepcopy
from typing import Any

from tests.oracle.mano_oracle import canonical, has_left, winner

__all__ = ["canonical", "figures", "legal", "new_state", "play_step"]

State = dict[str, Any]
Step = dict[str, Any]


def new_state(tree: dict[str, Any]) -> State:
    """Begin the fight: each group has rolled one die.

    Rules: `seize.roll`, `seize.gm-roll`.
    """
    on_total = tree.get("rulings", {}).get("seize_on_total", False)
    characters = {}
    for each in tree["characters"]:
        group, bonus = each.get("group", each["id"]), each.get("bonus", 0)
        face = tree["initiative"][group][0]
        result = face + bonus if on_total else face
        characters[each["id"]] = {
            "side": each.get("side", each["id"]),
            "group": group,
            "bonus": bonus,
            "face": face,
            "total": face + bonus,
            "twenty": result == 20,
            "one": result == 1,
            "extra": result == 20,
            "acted": False,
            "hurt": 0,
            "answered": False,  # has seized or declined in this turn
            "turns": 0,
            "out": False,
        }
    state: State = {"tree": tree, "characters": characters, "active": "", "round": 1, "fight": "running"}
    state.update(queue=[], chosen="", opened=False, spoke=[])
    if all(each["one"] for each in characters.values()):
        state["round"] = 2  # no one can act in the first round
    state["rolls"] = roll_offs(state)
    return state


def is_barred(state: State, name: str) -> bool:
    """Apply `seize.natural-1`: the first round is lost."""
    return bool(state["characters"][name]["one"] and state["round"] == 1)


def rank(state: State, name: str) -> tuple[Any, ...]:
    """Apply K29, `seize.highest-first` and `seize.tie`."""
    who = state["characters"][name]
    return who["twenty"], who["total"], who["bonus"]


def ready_to_open(state: State) -> list[str]:
    """List the present characters who are not barred by a natural 1."""
    return [name for name in state["characters"] if not has_left(state, name) and not is_barred(state, name)]


def roll_offs(state: State) -> dict[str, tuple[int, ...]]:
    """Roll again for the groups tied at the top, until one is highest.

    Returns their faces by group.
    """
    names = ready_to_open(state)
    top = max(rank(state, name) for name in names)
    level = sorted({state["characters"][name]["group"] for name in names if rank(state, name) == top})
    faces: dict[str, tuple[int, ...]] = {}
    depth = 1
    while len(level) > 1:
        for group in level:
            faces[group] = (*faces.get(group, ()), state["tree"]["initiative"][group][depth])
        level = [group for group in level if faces[group][-1] == max(faces[each][-1] for each in level)]
        depth += 1
    return faces


def standing(state: State, name: str) -> tuple[Any, ...]:
    """Return the rank with the roll-off that decided it."""
    who = state["characters"][name]
    level = max((rank(state, each) for each in state["characters"] if not is_barred(state, each)), default=())
    again = state["rolls"].get(who["group"], ()) if rank(state, name) == level else ()
    return (*rank(state, name), again)


def openers(state: State) -> list[str]:
    """List the characters who may take the first turn.

    They are the highest, or, if a group shares a 20, the whole group (S04).
    """
    if state["opened"] or state["fight"] == "over":
        return []
    names = ready_to_open(state)
    if not names:
        return []
    top = max(standing(state, name) for name in names)
    first = [name for name in names if standing(state, name) == top]
    if not state["characters"][first[0]]["twenty"]:
        return first
    groups = {state["characters"][name]["group"] for name in first}
    return [n for n in names if state["characters"][n]["group"] in groups and state["characters"][n]["twenty"]]


def list_followers(state: State) -> list[str]:
    """List the characters that the character in turn may choose.

    They have not acted this round. At its end they are all others.
    """
    present = [name for name in state["characters"] if not has_left(state, name)]
    waiting = [name for name in present if not state["characters"][name]["acted"] and not is_barred(state, name)]
    return waiting or [name for name in present if name != state["active"]]


def list_seizers(state: State) -> list[str]:
    """Apply `seize.claim`.

    A seizer has not acted this round, was hurt this turn, is not barred and has not answered yet.
    """
    return [
        name
        for name, who in state["characters"].items()
        if not who["acted"] and who["hurt"] and not is_barred(state, name) and not who["answered"] and not who["out"]
        and name not in state["queue"]
    ]  # fmt: skip


def due(state: State) -> str:
    """Return the first seizer, or else the chosen character."""
    return str(state["queue"][0] if state["queue"] else state["chosen"])


def broken(state: State, step: Step) -> set[str]:
    """Return every rule that the step breaks.

    A legal step breaks none.
    """
    do, actor = step["do"], step.get("actor", "")
    if state["fight"] == "over":
        return {"seize.round-complete", "seize.not-self"}
    if do == "lose-hp":
        target = state["characters"][step["target"]]
        return {"seize.claim", "seize.round-complete"} if target["out"] or not state["active"] else set()
    leaver_chooses = do == "choose" and actor == state["active"]
    if has_left(state, actor) and not leaver_chooses:
        return {"seize.round-complete", "seize.choose-next"}
    if do == "leave":
        return set()
    if do == "turn":
        return broken_turn(state, actor)
    if do in ("seize", "decline"):
        rules = {"seize.claim", "seize.claim.timing", "seize.natural-1", "seize.multi-order"}
        return set() if actor in list_seizers(state) else rules
    if do == "extra-action":
        who = state["characters"][actor]
        fine = actor == state["active"] and not who["turns"] and who["extra"]
        return set() if fine else {"seize.natural-20", "seize.choose-next"}
    return broken_choice(state, actor, step["target"])


def broken_turn(state: State, actor: str) -> set[str]:
    """Return the rules against this turn."""
    if not state["opened"]:
        found = set() if actor in openers(state) else {"seize.highest-first", "seize.tie", "seize.natural-20"}
        return found | ({"seize.natural-1"} if found and is_barred(state, actor) else set())
    if actor == due(state):
        return set()
    rules = {"seize.choose-next", "seize.claim.timing", "seize.multi-order", "seize.after", "seize.next-round"}
    who = state["characters"][actor]
    return rules | ({"seize.no-repeat"} if who["acted"] else set()) | (
        {"seize.natural-1"} if is_barred(state, actor) else set()
    )  # fmt: skip


def broken_choice(state: State, actor: str, target: str) -> set[str]:
    """Apply `seize.choose-next`, `seize.no-repeat` and `seize.not-self`.

    The character in turn chooses, once, unless a character has seized the turn.
    """
    if actor != state["active"]:
        return {"seize.choose-next", "seize.after"}
    if state["queue"]:
        return {"seize.claim.timing", "seize.multi-order", "seize.chain"}
    if state["chosen"]:
        return {"seize.choose-next"}
    if target in list_followers(state):
        return set()
    found = {"seize.natural-1"} if is_barred(state, target) else set()
    if has_left(state, target):
        found |= {"seize.choose-next", "seize.round-complete"}
    if target == actor:
        found |= {"seize.not-self"}
    return found | ({"seize.no-repeat"} if state["characters"][target]["acted"] else set())


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
    if do == "lose-hp":
        state["characters"][step["target"]]["hurt"] += step.get("points", 1)
    elif do == "leave":
        leave(state, actor)
    elif do == "turn":
        take_turn(state, actor)
    elif do == "choose":
        state["chosen"] = step["target"]
        state["characters"][actor]["extra"] = False  # choosing ends the chooser's turn
    elif do == "extra-action":
        state["characters"][actor]["extra"] = False
    else:
        state["characters"][actor]["answered"] = True
        if do == "seize":
            join(state, actor)


def join(state: State, actor: str) -> None:
    """Add a seizer to the queue: `seize.multi-order`, K30.

    It is behind the seizers of earlier turns, and by bonus among those of this turn.
    """
    older = [name for name in state["queue"] if name not in state["spoke"]]
    state["spoke"].append(actor)
    fresh = [name for name in state["spoke"] if name in state["queue"] or name == actor]
    fresh.sort(key=lambda name: -state["characters"][name]["bonus"])
    state.update(queue=older + fresh, chosen="")


def take_turn(state: State, actor: str) -> None:
    """End the turn before, and begin this turn.

    If all characters have acted, it opens the next round.
    """
    characters = state["characters"]
    if state["active"]:
        characters[state["active"]]["turns"] += 1
        characters[state["active"]]["extra"] = False
    if characters[actor]["acted"] or (state["opened"] and is_barred(state, actor)):
        state["round"] += 1
        for who in characters.values():
            who["acted"] = False
    for who in characters.values():
        who.update(hurt=0, answered=False)
    characters[actor]["acted"] = True
    state["queue"] = [name for name in state["queue"] if name != actor]
    state.update(active=actor, chosen="", opened=True, spoke=[])
    end_alone(state)


def leave(state: State, name: str) -> None:
    """Remove a character from the fight.

    The fight is over when no character is left to choose (S09).
    """
    who = state["characters"][name]
    who.update(out=True, extra=False)
    state["queue"] = [each for each in state["queue"] if each != name]
    if state["chosen"] == name:
        state["chosen"] = ""
    present = [each for each in state["characters"] if not has_left(state, each)]
    if not state["opened"] and all(is_barred(state, each) for each in present):
        state["round"] = 2
    end_alone(state)


def end_alone(state: State) -> None:
    """End the fight if the character in turn has no one to choose: S09."""
    if not [name for name in state["characters"] if not has_left(state, name) and name != state["active"]]:
        state.update(fight="over", queue=[], chosen="")


def legal(state: State) -> list[Step]:
    """List every legal action once, without facts that the table reports."""
    return [step for step in candidates(state) if not broken(state, step)]


def candidates(state: State) -> list[Step]:
    """List every action that may be legal."""
    names = list(state["characters"])
    found: list[Step] = [
        {"actor": name, "do": do} for name in names for do in ("turn", "seize", "decline", "extra-action")
    ]
    return found + [{"actor": name, "do": "choose", "target": other} for name in names for other in names]


def figures(state: State) -> dict[str, Any]:
    """Return the state by the paths of the format."""
    found: dict[str, Any] = {key: state[key] for key in ("round", "active", "fight", "queue")}
    found.update(winner=winner(state), next=due(state), openers=openers(state))
    found["may_seize"] = list_seizers(state) if state["fight"] == "running" else []
    for name, who in state["characters"].items():
        found[f"barred.{name}"] = is_barred(state, name)
        keys = ("acted", "extra", "hurt", "total", "face", "turns", "out")
        found.update({f"{key}.{name}": who[key] for key in keys})
    return found
