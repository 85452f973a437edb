"""Random fights of the three other turn systems, for their oracles: many legal steps, and some illegal ones.

A scenario is the JSON tree of the format with all faces. The same seed gives the same scenario.
"""

from random import Random
from typing import Any

from tests.oracle import mano_old_oracle, mano_oracle, seize_oracle
from tests.oracle.fight_situations import by_kind

ORACLES: dict[str, Any] = {"mano": mano_oracle, "mano-old": mano_old_oracle, "seize": seize_oracle}
FACTS = {
    "mano": ("stun", "stun", "stun", "leave", "surprise-rolls"),
    "mano-old": ("stun", "stun", "damage", "damage", "damage", "leave"),
    "seize": ("lose-hp",) * 12 + ("leave",),
}
# The chances of a fact, of any action by any character, and of a legal action with one change.
CHANCES = {"mano": (0.08, 0.1, 0.12), "mano-old": (0.22, 0.1, 0.15), "seize": (0.35, 0.12, 0.05)}
WEIGHTS = {
    **dict.fromkeys(("prepare-counter", "counter"), 28),
    **dict.fromkeys(("active", "combo", "delay-turn", "start-ready", "seize"), 12),
    **dict.fromkeys(("choose", "start-turn", "ready", "spend"), 9),
    **dict.fromkeys(("skip", "let-pass", "turn", "extra-action"), 6),
    **dict.fromkeys(("start-evading", "decline", "end-turn"), 3),
}
SPEEDS = ("1/4", 0.25, "1/2", "1/2", 0.5, 1, 1, 1, "5/4", 1.5, 1.75, 2, "5/2", 3)


def random_tree(system: str, seed: int, steps: int | None = None) -> dict[str, Any]:
    """Build a random scenario of `steps` steps.

    The default is 10 to 35 steps.
    """
    random = Random(f"{system} {seed}")
    names = list("abcdef"[: random.choice((2, 3, 3, 4, 4, 5, 6))])
    tree: dict[str, Any] = {"format": "scratch-scenario/1", "title": f"Situation {seed}", "system": system}
    tree["characters"] = [character(random, system, name, names) for name in names]
    tree["steps"] = []
    throwers = list(dict.fromkeys(each.get("group", each["id"]) for each in tree["characters"]))
    tree["initiative"] = faces(random, system, throwers)
    heads(random, tree, names)
    oracle = ORACLES[system]
    state = oracle.new_state(tree)
    for n in range(steps or random.randint(10, 35)):
        if system == "mano" and not n and random.random() < 0.3:
            step = ambush(random, names)
            state = oracle.new_state({**tree, "steps": [step]})
        else:
            step = random_step(random, system, state, names)
        tree["steps"].append(step)
        state, _record = oracle.play_step(state, step)
    if random.random() < 0.1:
        tree["steps"] += break_up(random, system, names)
    return tree


def break_up(random: Random, system: str, names: list[str]) -> list[dict[str, Any]]:
    """Return steps with which all characters leave, and any action after that."""
    everyone = random.sample(names, len(names))
    return [*({"actor": name, "do": "leave"} for name in everyone), wild(random, system, names)]


def character(random: Random, system: str, name: str, names: list[str]) -> dict[str, Any]:
    """Build a random character of a turn system."""
    entry: dict[str, Any] = {"id": name}
    if random.random() < 0.75:
        entry["side"] = random.choice(("red", "blue"))
    if system == "seize":
        entry["bonus"] = random.choice((-2, -1, 0, 0, 1, 2, 2, 3, 5))
        if random.random() < 0.4:
            entry["group"] = random.choice(("north", "south"))
        return entry
    if random.random() < 0.6:
        entry["reach"] = random.choice((0, 1, 1, 2))
    if system == "mano":
        optional = {
            "speed": random.choice(SPEEDS),
            "stun": random.choice((0, 1, 2, 5)),
            "healthy": random.random() < 0.7,
        }
        optional["weapons"] = random.choice((1, 2, 2, 3))
        return entry | {key: value for key, value in optional.items() if random.random() < 0.75}
    pools = {pool: random.choice((0, 0, 0, 1, 1, 2, 3, 5)) for pool in mano_old_oracle.POOLS}
    if not sum(pools.values()) or random.random() < 0.15:
        return {**entry, "hp": random.randint(1, 9), "hp_round": random.choice((1, 2, 3, 3, 4, 9))}
    given = {pool: count for pool, count in pools.items() if count or random.random() < 0.5}
    return {**entry, "hp": sum(pools.values()), "hp_round": random.choice((1, 2, 2, 3, 3, 4, 9)), "pools": given}


def faces(random: Random, system: str, throwers: list[str]) -> dict[str, list[int]]:
    """Roll dice that often tie, and in the end do not."""
    last = random.sample(range(1, 21), len(throwers))
    again = random.randint(0, 3)
    firsts = random.choice(
        ((1, 20), (20,), (1,), (1, 10, 12, 20), (8, 9, 10, 11), tuple(range(1, 21)), (1, 18, 19, 20))
    )
    return {
        name: [random.choice(firsts), *(random.choice((3, 3, 12)) for _ in range(again)), last[n]]
        for n, name in enumerate(throwers)
    }


def heads(random: Random, tree: dict[str, Any], names: list[str]) -> None:
    """Add the keys at the head of the file."""
    if tree["system"] == "mano" and random.random() < 0.5:
        dispute = random.sample(names, random.randint(2, len(names)))
        tree["first"] = random.choice((random.choice(names), dispute))
    if tree["system"] == "mano-old" and random.random() < 0.4:
        tree["ambush"] = random.choice(names)
    if tree["system"] == "seize" and random.random() < 0.35:
        tree["rulings"] = {"seize_on_total": True}


def ambush(random: Random, names: list[str]) -> dict[str, Any]:
    """Build the rolls of one or two stalkers."""
    stalkers = random.sample(names, random.choice((1, 2, 2)))
    return {"do": "surprise-rolls", "stalkers": {name: random.random() < 0.6 for name in sorted(stalkers)}}


def random_step(random: Random, system: str, state: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return a random step, mostly a legal action.

    Sometimes it is a fact, any action, or a legal action with one change.
    """
    fact, anything, changed = CHANCES[system]
    chance = random.random()
    legal = ORACLES[system].legal(state)
    if chance < fact or not legal:
        return random_fact(random, system, state, names)
    if chance < fact + anything:
        return wild(random, system, names)
    kinds = by_kind(legal)
    do = random.choices(list(kinds), [WEIGHTS[kind] for kind in kinds])[0]
    step = dict(preferred(random, kinds[do], state))
    return mutated(random, step, names) if chance > 1 - changed else plain(random, step)


def preferred(random: Random, steps: list[dict[str, Any]], state: dict[str, Any]) -> dict[str, Any]:
    """Choose a step, preferably an attack on a character who has prepared a counterattack."""
    deep = [each for each in steps if state["characters"].get(each.get("target"), {}).get("prepared")]
    return random.choice(deep if deep and random.random() < 0.7 else steps)


def plain(random: Random, step: dict[str, Any]) -> dict[str, Any]:
    """Remove the defaults from a step, sometimes."""
    for key, default in (("move", False), ("after", True), ("weapons", 1), ("points", 1)):
        if step.get(key) == default and random.random() < 0.5:
            del step[key]
    if step["do"] == "ready" and len(step["take"]) == 1 and random.random() < 0.5:
        del step["take"]
    return step


def mutated(random: Random, step: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Change one value of a legal step."""
    key = random.choice([each for each in step if each != "do"])
    value: Any = {
        "actor": random.choice(names),
        "target": random.choice(names),
        "move": not step.get("move"),
        "after": not step.get("after"),
        "count": random.randint(1, 6),
        "weapons": random.randint(1, 4),
        "points": random.randint(0, 6),
        "use": random.choice(mano_old_oracle.USES),
        "to": random.choice(mano_old_oracle.POOLS),
        "take": random_take(random),
    }[key]
    return {**step, key: value}


def random_take(random: Random) -> dict[str, int]:
    """Return points to get ready, rarely the right ones."""
    return {pool: random.randint(0, 3) for pool in ("defence", "other")}


def random_fact(random: Random, system: str, state: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return a fact that the table reports."""
    do = random.choice(FACTS[system])
    if do == "leave":
        return {"actor": random.choice(names), "do": "leave"} if random.random() < 0.5 else wild(random, system, names)
    if do == "surprise-rolls":
        return ambush(random, names)
    step: dict[str, Any] = {"do": do, "target": random.choice(names)}
    if random.random() < 0.5:
        step["actor"] = random.choice(names)
    if random.random() < 0.6:
        step["points"] = random.choice((1, 1, 2, 2, 3, 4)) if system != "seize" else random.choice((0, 1, 2))
    if system == "mano-old" and random.random() < 0.4:
        step["from"] = random.choice(mano_old_oracle.POOLS)
    return step


def wild(random: Random, system: str, names: list[str]) -> dict[str, Any]:
    """Return any action of the turn system, by any character."""
    acts = {
        "mano": (
            *mano_oracle.ATTACKS,
            "prepare-counter",
            "skip",
            "delay-turn",
            "let-pass",
            "start-evading",
            "start-ready",
        ),
        "mano-old": ("start-turn", "ready", "spend", "end-turn"),
        "seize": ("turn", "turn", "choose", "choose", "seize", "decline", "extra-action"),
    }
    step: dict[str, Any] = {"actor": random.choice(names), "do": random.choice(acts[system])}
    if step["do"] in ("delay-turn", "choose") or (step["do"] in mano_oracle.ATTACKS and random.random() < 0.7):
        step["target"] = random.choice(names)
    if step["do"] in mano_oracle.ATTACKS:
        step["move"] = random.random() < 0.5
    if step["do"] == "combo" or (step["do"] == "counter" and random.random() < 0.4):
        step.update(count=random.randint(1, 5), weapons=random.randint(1, 3))
    if step["do"] == "delay-turn":
        step["after"] = random.random() < 0.5
    if step["do"] == "ready" and random.random() < 0.7:
        step["take"] = random_take(random)
    if step["do"] == "spend":
        step.update(points=random.randint(1, 4), use=random.choice(mano_old_oracle.USES))
        step["to"] = random.choice(mano_old_oracle.POOLS)
    return step
