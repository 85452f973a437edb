"""Choose-next initiative with seizing a second time: plain dictionaries, from the rule catalogue and the fields alone.

Written by someone who has not read the engine. A scenario is the JSON tree of the format, with every face given.
A step that breaks a rule changes nothing; the oracle gives every rule that may be named for it.
"""

from copy import deepcopy
from typing import Any

from tests.oracle.mano_oracle import canonical, has_left, winner

__all__ = ["canonical", "figures", "legal", "new_state", "play_step"]

State = dict[str, Any]
Step = dict[str, Any]


def new_state(tree: dict[str, Any]) -> State:
    """Everyone has rolled (`seize.roll`), one die for each group (`seize.gm-roll`)."""
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


def barred(state: State, name: str) -> bool:
    """`seize.natural-1`: the first round is lost."""
    return bool(state["characters"][name]["one"] and state["round"] == 1)


def rank(state: State, name: str) -> tuple[Any, ...]:
    """K29, `seize.highest-first`, `seize.tie`."""
    who = state["characters"][name]
    return who["twenty"], who["total"], who["bonus"]


def ready_to_open(state: State) -> list[str]:
    """Those present whom a natural 1 does not keep out."""
    return [name for name in state["characters"] if not has_left(state, name) and not barred(state, name)]


def roll_offs(state: State) -> dict[str, tuple[int, ...]]:
    """The groups level at the top throw again until one is highest; their faces by group."""
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
    """The rank with the roll-off that decided it."""
    who = state["characters"][name]
    level = max((rank(state, each) for each in state["characters"] if not barred(state, each)), default=())
    again = state["rolls"].get(who["group"], ()) if rank(state, name) == level else ()
    return (*rank(state, name), again)


def openers(state: State) -> list[str]:
    """From whom the first turn may come: the highest; of a shared 20 the whole group (S04)."""
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


def can_follow(state: State) -> list[str]:
    """Whom the one in turn may choose: who has not acted this round; at its end anyone but itself."""
    present = [name for name in state["characters"] if not has_left(state, name)]
    waiting = [name for name in present if not state["characters"][name]["acted"] and not barred(state, name)]
    return waiting or [name for name in present if name != state["active"]]


def may_seize(state: State) -> list[str]:
    """`seize.claim`: not acted this round, hurt this turn, not barred, and not spoken yet."""
    return [
        name
        for name, who in state["characters"].items()
        if not who["acted"] and who["hurt"] and not barred(state, name) and not who["answered"] and not who["out"]
        and name not in state["queue"]
    ]  # fmt: skip


def due(state: State) -> str:
    """The first of those who seized, else the chosen one."""
    return str(state["queue"][0] if state["queue"] else state["chosen"])


def broken(state: State, step: Step) -> set[str]:
    """Every rule that the step breaks, none when it is legal."""
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
        return set() if actor in may_seize(state) else rules
    if do == "extra-action":
        who = state["characters"][actor]
        fine = actor == state["active"] and not who["turns"] and who["extra"]
        return set() if fine else {"seize.natural-20", "seize.choose-next"}
    return broken_choice(state, actor, step["target"])


def broken_turn(state: State, actor: str) -> set[str]:
    """Whose turn is next."""
    if not state["opened"]:
        found = set() if actor in openers(state) else {"seize.highest-first", "seize.tie", "seize.natural-20"}
        return found | ({"seize.natural-1"} if found and barred(state, actor) else set())
    if actor == due(state):
        return set()
    rules = {"seize.choose-next", "seize.claim.timing", "seize.multi-order", "seize.after", "seize.next-round"}
    who = state["characters"][actor]
    return rules | ({"seize.no-repeat"} if who["acted"] else set()) | (
        {"seize.natural-1"} if barred(state, actor) else set()
    )  # fmt: skip


def broken_choice(state: State, actor: str, target: str) -> set[str]:
    """`seize.choose-next`, `seize.no-repeat`, `seize.not-self`: by the one in turn, once, unless someone seized."""
    if actor != state["active"]:
        return {"seize.choose-next", "seize.after"}
    if state["queue"]:
        return {"seize.claim.timing", "seize.multi-order", "seize.chain"}
    if state["chosen"]:
        return {"seize.choose-next"}
    if target in can_follow(state):
        return set()
    found = {"seize.natural-1"} if barred(state, target) else set()
    if has_left(state, target):
        found |= {"seize.choose-next", "seize.round-complete"}
    if target == actor:
        found |= {"seize.not-self"}
    return found | ({"seize.no-repeat"} if state["characters"][target]["acted"] else set())


def play_step(state: State, step: Step) -> tuple[State, dict[str, Any]]:
    """The state after the step, and whether it was legal."""
    state = deepcopy(state)
    found = broken(state, step)
    if not found:
        carry_out(state, step)
    return state, {"legal": not found, "broken": found}


def carry_out(state: State, step: Step) -> None:
    """A legal step."""
    do, actor = step["do"], step.get("actor", "")
    if do == "lose-hp":
        state["characters"][step["target"]]["hurt"] += step.get("points", 1)
    elif do == "leave":
        leave(state, actor)
    elif do == "turn":
        take_turn(state, actor)
    elif do == "choose":
        state["chosen"] = step["target"]
        state["characters"][actor]["extra"] = False  # whoever chooses has finished its turn
    elif do == "extra-action":
        state["characters"][actor]["extra"] = False
    else:
        state["characters"][actor]["answered"] = True
        if do == "seize":
            join(state, actor)


def join(state: State, actor: str) -> None:
    """`seize.multi-order`, K30: behind the seizers of earlier turns, among those of this turn by bonus."""
    older = [name for name in state["queue"] if name not in state["spoke"]]
    state["spoke"].append(actor)
    fresh = [name for name in state["spoke"] if name in state["queue"] or name == actor]
    fresh.sort(key=lambda name: -state["characters"][name]["bonus"])
    state.update(queue=older + fresh, chosen="")


def take_turn(state: State, actor: str) -> None:
    """The turn before ends, this one begins; with everyone done it opens the next round."""
    characters = state["characters"]
    if state["active"]:
        characters[state["active"]]["turns"] += 1
        characters[state["active"]]["extra"] = False
    if characters[actor]["acted"] or (state["opened"] and barred(state, actor)):
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
    """Someone is out; the fight is over when no one is left to choose (S09)."""
    who = state["characters"][name]
    who.update(out=True, extra=False)
    state["queue"] = [each for each in state["queue"] if each != name]
    if state["chosen"] == name:
        state["chosen"] = ""
    present = [each for each in state["characters"] if not has_left(state, each)]
    if not state["opened"] and all(barred(state, each) for each in present):
        state["round"] = 2
    end_alone(state)


def end_alone(state: State) -> None:
    """S09: no one is there whom the one in turn could choose."""
    if not [name for name in state["characters"] if not has_left(state, name) and name != state["active"]]:
        state.update(fight="over", queue=[], chosen="")


def legal(state: State) -> list[Step]:
    """Every legal act once, without what the table tells."""
    return [step for step in candidates(state) if not broken(state, step)]


def candidates(state: State) -> list[Step]:
    """Whatever anyone might do."""
    names = list(state["characters"])
    found: list[Step] = [
        {"actor": name, "do": do} for name in names for do in ("turn", "seize", "decline", "extra-action")
    ]
    return found + [{"actor": name, "do": "choose", "target": other} for name in names for other in names]


def figures(state: State) -> dict[str, Any]:
    """The state by the paths of the format."""
    found: dict[str, Any] = {key: state[key] for key in ("round", "active", "fight", "queue")}
    found.update(winner=winner(state), next=due(state), openers=openers(state))
    found["may_seize"] = may_seize(state) if state["fight"] == "running" else []
    for name, who in state["characters"].items():
        found[f"barred.{name}"] = barred(state, name)
        keys = ("acted", "extra", "hurt", "total", "face", "turns", "out")
        found.update({f"{key}.{name}": who[key] for key in keys})
    return found
