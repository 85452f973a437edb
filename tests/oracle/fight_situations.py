"""Random fights for the oracle: small scenarios that combine rules which rarely meet.

A scenario is the JSON tree of the format with all faces. The same seed gives the same scenario.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from tests.oracle import fight_oracle as oracle

ABILITIES = (
    *("shooting", "blasting", "knockout", "fighting", "wrestling", "stealth", "detection"),
    *(*oracle.MOVEMENT, "healing", "craftsmanship", "command"),
)
PLACES = (
    [["level"]] * 4
    + [["level", "cover"], ["level", "cover", "throwable"], ["cover"], ["throwable", "level"], []]
    + [["open-air"], ["open-air", "level"], ["open-air", "water"], ["climbable"], ["climbable", "level", "cover"]]
    + [["water"], ["deep-water"], ["water", "deep-water"], ["deep-water", "open-air"], ["level", "water", "throwable"]]
    + [["level", "climbable", "open-air", "water", "cover", "throwable"], ["deep-water", "cover", "level"]]
)
WEIGHTS = {
    **dict.fromkeys((*oracle.ATTACKS, *oracle.SUPPORT), 8),
    **dict(zip(("hold", "counter-hold", "evade", "escape", "throw"), (14, 90, 12, 14, 12), strict=True)),
    **dict.fromkeys(("surprise", "intimidate"), 14),
    **dict(zip(("double-attack", "second-blow"), (28, 60), strict=True)),
    **dict(
        zip(
            ("engage", "take-cover", "bonus", "leave-cover", "nothing", "end-turn"),
            (8, 14, 2, 2, 0.4, 0.4),
            strict=True,
        )
    ),
}


def random_tree(seed: int, steps: int | None = None) -> dict[str, Any]:
    """Build a random scenario of `steps` steps.

    The default is 8 to 25 steps.
    """
    random = Random(seed)
    tree: dict[str, Any] = {"format": "scratch-scenario/1", "title": f"Situation {seed}", "system": "scratch"}
    tree["rulings"] = random_rulings(random)
    tree["characters"] = random_characters(random)
    state = oracle.new_state({**tree, "initiative": {}})
    tree["steps"], state = random_crafting(random, state)
    tree["initiative"] = state["faces"] = random_initiative(random, state)
    tree["steps"] += random_steps(random, state, steps or random.randint(8, 25))
    return tree


def random_rulings(random: Random) -> dict[str, Any]:
    """Build random rulings, mostly the defaults.

    Sometimes a ruling has the other option.
    """
    other = {
        "strength_base": 8,
        "detection_multiplier": 2,
        "unrepeatable_scope": "pair",
        "stack_abilities": True,
        "strength_use_max": True,
        "wrestling_double_legacy": True,
        "swimming_twice": False,
        "flyer_on_foot": "reachable",
        "failed_hurry": "ability",
    }
    if random.random() < 0.4:
        return {}
    return {name: value for name, value in other.items() if random.random() < 0.25}


def random_levels(random: Random) -> dict[str, int]:
    """Build random levels, mostly low.

    Toughness is nearly always among them; sometimes there are no or nearly all abilities.
    """
    levels = {"toughness": random.choice((1, 2, 2, 3, 3, 3, 4, 5, 6, 7))} if random.random() < 0.96 else {}
    count = random.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 8, 12))
    for ability in random.sample(ABILITIES, count):
        levels[ability] = random.choice((1, 1, 2, 2, 3, 3, 4, 6))
    if random.random() < 0.3:
        levels["wrestling"] = random.choice((1, 2, 3))
    return levels


def random_characters(random: Random) -> list[dict[str, Any]]:
    """Build two to five characters on two or three sides.

    Some share a group, and some are minions.
    """
    sides = random.sample(("red", "blue", "green"), random.choice((2, 2, 2, 3)))
    characters: list[dict[str, Any]] = []
    for n, name in enumerate("abcde"[: random.choice((2, 3, 3, 4, 4, 5))]):
        entry: dict[str, Any] = {"id": name, "name": name.upper(), "abilities": random_levels(random)}
        if random.random() < 0.85:
            entry["side"] = sides[n] if n < 2 else random.choice(sides)
        if random.random() < 0.35:
            entry["group"] = random.choice(("north", "south"))
        if random.random() < 0.8:
            entry["here"] = list(random.choice(PLACES))
            suit_to_place(random, entry)
        characters.append(entry)
    gather(random, characters)
    if len(characters) > 2 and random.random() < 0.25:
        make_minion(random, characters[0], characters[-1])
    for entry in characters:
        most = entry["abilities"].get("toughness", 0)
        if most and random.random() < 0.4:
            entry["hp"] = random.choice((0, 1, 1, most // 2, most // 2 + 1, most, random.randint(0, most)))
    if not any(entry["abilities"].get("toughness") and entry.get("hp", 1) for entry in characters):
        characters[0]["abilities"]["toughness"] = characters[0]["hp"] = 3
    return characters


def gather(random: Random, characters: list[dict[str, Any]]) -> None:
    """Make all characters of the same kind, sometimes.

    The kinds are fighters, swimmers in the water, flyers (some without room to fly) and crafters.
    """
    kind = random.choice(("fighting", "swimming", "flying", "craftsmanship", *[""] * 4))
    places = {"swimming": ("water", "deep-water"), "flying": ("open-air", "open-air", "level")}.get(kind, ())
    for entry in characters:
        if kind and random.random() < 0.8:
            entry["abilities"][kind] = random.choice((1, 1, 2, 2, 3, 4))
        if kind == "flying" and random.random() < 0.5:
            entry["abilities"]["quickness"] = random.choice((1, 2, 3))
        if places and random.random() < 0.8:
            entry["here"] = list(dict.fromkeys([random.choice(places), *random.choice(PLACES)]))
            if kind == "flying" and entry["here"][0] == "level":
                entry["here"] = ["level"]


def suit_to_place(random: Random, entry: dict[str, Any]) -> None:
    """Let a character in the air or in the water often fly or swim."""
    for ability, places in (("flying", ("open-air",)), ("swimming", ("water", "deep-water"))):
        if any(place in entry["here"] for place in places) and random.random() < 0.6:
            entry["abilities"][ability] = random.choice((1, 1, 2, 3))


def make_minion(random: Random, leader: dict[str, Any], minion: dict[str, Any]) -> None:
    """Make a minion within its leader's command: `command.minions`.

    Its side and group are mostly the leader's.
    """
    levels = {"toughness": random.choice((1, 2, 3))}
    for ability in random.sample([name for name in ABILITIES if name != "command"], random.choice((0, 1, 2))):
        levels[ability] = random.choice((1, 2))
    minion.update(abilities=levels, minion_of=leader["id"])
    leader["abilities"]["command"] = max(leader["abilities"].get("command", 0), sum(levels.values()))
    minion.pop("group", None)
    minion.pop("side", None)


def random_face(random: Random) -> int:
    """Return a random face, often 20 or 1."""
    return random.choice((1, 20, 20, *(random.randint(1, 20) for _ in range(6))))


def random_initiative(random: Random, state: oracle.State) -> dict[str, list[int]]:
    """Build a face for each group, and the faces of ties (`turn.tie`).

    Tied groups get faces until no two are equal.
    """
    few, groups = random.random() < 0.5, state["groups"]
    faces = {group: [random.choice((9, 11, 13)) if few else random.randint(1, 20)] for group in groups}
    totals = {group: faces[group][0] + oracle.initiative_bonus(state, group) for group in groups}
    waiting = [[group for group in groups if totals[group] == total] for total in set(totals.values())]
    while waiting:
        tied = waiting.pop()
        if len(tied) > 1:
            for group in tied:
                faces[group].append(random.choice((5, 15, random.randint(1, 20))))
            for face in sorted({faces[group][-1] for group in tied}):
                waiting.append([group for group in tied if faces[group][-1] == face])
    return faces


# Steps

ReachTurn = Callable[[oracle.State, str], set[str]]
Weighted = Callable[..., dict[str, Any] | None]


def random_crafting(random: Random, state: oracle.State) -> tuple[list[dict[str, Any]], oracle.State]:
    """Place bonuses before the encounter, and return the steps and the state."""
    steps: list[dict[str, Any]] = []
    if any("craftsmanship" in character["levels"] for character in state["characters"].values()):
        hurry = random.choice((0.2, 0.4, 0.9))
        for _ in range(random.choice((0, 1, 3, 6, 9))):
            steps.append(random_craft(random, state, hurry))
            state, _record = oracle.play_step(state, steps[-1])
    return steps, state


def random_steps(random: Random, state: oracle.State, count: int) -> list[dict[str, Any]]:
    """Choose steps while the oracle plays.

    Most of them are legal.
    """
    steps: list[dict[str, Any]] = []
    state = oracle.begin_encounter(state)
    for number in range(count):
        if state["over"] and random.random() < 0.2:
            break
        step = legal_step(random, state) if random.random() < 0.72 and not state["over"] else None
        if state["over"] and random.random() < 0.7:
            step = peace_step(random, state)
        if number > 5 and random.random() < 0.008:
            step = {"actor": random.choice(list(state["characters"])), "do": "end-encounter"}
        step = (
            at_the_flyer(random, state, oracle.reach_turn)
            or at_the_minion(random, state)
            or step
            or out_of_cover(random, state)
            or any_step(random, state)
        )
        step = with_faces(random, state, step)
        steps.append(step)
        state, _record = oracle.play_step(state, step)
    return steps


def random_craft(random: Random, state: oracle.State, hurry: float = 0.4) -> dict[str, Any]:
    """Place or remove a bonus, perhaps in a hurry.

    Crafters and existing levels are likelier.
    """
    names = list(state["characters"])
    crafters = [name for name in names if "craftsmanship" in state["characters"][name]["levels"]]
    target = random.choice(names)
    owned = list(state["characters"][target]["levels"]) or ["stealth"]
    step: dict[str, Any] = {
        "actor": random.choice(crafters if crafters and random.random() < 0.9 else names),
        "do": "craft",
        "target": target,
        "ability": random.choice(owned if random.random() < 0.85 else ABILITIES),
    }
    if random.random() < 0.3:
        step["add"] = random.random() < 0.4
    if random.random() < hurry and step.get("add", True):
        step["hurry"] = True
        step["faces"] = [random.choice((random_face(random), random.randint(1, 9)))]
    return step


def legal_step(random: Random, state: oracle.State) -> dict[str, Any] | None:
    """Return a legal step of any character, or None if none is found.

    Rare actions are likelier.
    """
    names = list(state["characters"])
    random.shuffle(names)
    used = is_spent(state)
    names.sort(key=lambda name: name == state["active"] and random.random() < (0.85 if used else 0.1))
    if state["active"] and not used and random.random() < 0.8:
        names.insert(0, state["active"])
    return first_step(random, state, names, oracle.reach_turn, weighted_step)


def first_step(
    random: Random, state: oracle.State, names: Iterable[str], reach_turn: ReachTurn, weighted: Weighted
) -> dict[str, Any] | None:
    """Return a legal step of the first character who has one."""
    for name in names:
        after = oracle.copied(state)
        step = None if reach_turn(after, name) else weighted(random, after, name, must_be_legal=True)
        if step:
            return step
    return None


def is_spent(state: oracle.State) -> bool:
    """Return whether the current turn has no regular action left, second attacks included."""
    ledger = state["ledger"]
    return bool((ledger["regular"] and not ledger["second_blow"]) or ledger["nothing"])


def out_of_cover(random: Random, state: oracle.State) -> dict[str, Any] | None:
    """Let a character leave its cover, sometimes in another character's turn."""
    hidden = [name for name, each in state["characters"].items() if each["in_cover"]]
    return {"actor": random.choice(hidden), "do": "leave-cover"} if hidden and random.random() < 0.4 else None


def at_the_flyer(random: Random, state: oracle.State, reach_turn: ReachTurn) -> dict[str, Any] | None:
    """Let the next character attack, at close range, a flyer.

    The flyer may be out of reach in the air.
    """
    names = [name for name, each in state["characters"].items() if each["flying_immune"] or each["evade"]]
    names = [name for name in names if oracle.level(state["characters"][name], "flying") and name != state["active"]]
    if not names or random.random() < 0.4:
        return None
    target, do = (
        random.choice(names),
        random.choice(("basic-attack", "basic-attack", "hold", "hold", "distract", "engage")),
    )
    able = [name for name in state["characters"] if name != target and not reach_turn(oracle.copied(state), name)]
    step = {"actor": random.choice(able or [name for name in state["characters"] if name != target]), "do": do}
    return step if do == "engage" else {**step, "target": target}


def at_the_minion(random: Random, state: oracle.State) -> dict[str, Any] | None:
    """Return a step that heals or revives a hurt minion.

    Returns mostly None, and None if no character can heal.
    """
    characters = state["characters"]
    hurt = [name for name, each in characters.items() if each["minion"] and oracle.condition(each) != "healthy"]
    healers = [name for name, each in characters.items() if oracle.level(each, "healing") and not oracle.is_down(each)]
    if not hurt or not healers or state["over"] or random.random() < 0.8:
        return None
    target = random.choice(hurt)
    do = "heal" if oracle.condition(characters[target]) == "injured" else "revive"
    return {"actor": random.choice(healers), "do": do, "target": target}


def weighted_step(random: Random, after: oracle.State, name: str, must_be_legal: bool) -> dict[str, Any] | None:
    """Return a step of the character whose turn it is.

    It is legal, or at most the rules of its action forbid it.
    """
    broken = oracle.broken_by_action if must_be_legal else None
    step = chosen(
        random, by_kind(oracle.candidates(after, name)), WEIGHTS, lambda step: broken and broken(after, name, step)
    )
    return step and vary(random, step)


def by_kind(steps: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Group steps by their action."""
    found: dict[str, list[dict[str, Any]]] = {}
    for step in steps:
        found.setdefault(step["do"], []).append(step)
    return found


def chosen(
    random: Random,
    found: dict[str, list[dict[str, Any]]],
    weights: Mapping[str, float],
    is_wrong: Callable[[dict[str, Any]], Any],
) -> dict[str, Any] | None:
    """Choose a step that is not wrong: first its action, then the step."""
    while found:
        do = random.choices(list(found), [weights[each] for each in found])[0]
        step = random.choice(found[do])
        if do == "double-attack" and random.random() < 0.6:  # the second blow is chosen later
            step = random.choice([each for each in found[do] if "target" in each] or found[do])
        if not is_wrong(step):
            return step
        found[do].remove(step)
        if not found[do]:
            del found[do]
    return None


def peace_step(random: Random, state: oracle.State) -> dict[str, Any]:
    """Return a step after the encounter: heal, revive or craft."""
    if random.random() < 0.3:
        return random_craft(random, state)
    names = list(state["characters"])
    healers = [name for name in names if "healing" in state["characters"][name]["levels"]]
    do = random.choice(oracle.SUPPORT)
    return {"actor": random.choice(healers or names), "do": do, "target": random.choice(names)}


def vary(random: Random, step: dict[str, Any]) -> dict[str, Any]:
    """Write the same step in another way.

    It names no ability, gives one name for both attacks, or gives the targets in another order.
    """
    step = dict(step)
    if random.random() < 0.4:
        step.pop("with", None)
    if step["do"] == "evade" and random.random() < 0.4:  # on foot, even with wings
        step["with"] = random.choice(("quickness", "none"))
    if isinstance(step.get("with"), list) and len(step["with"]) == 1:
        step["with"] = step["with"][0]
    if step["do"] == "double-attack" and len(set(step.get("targets", "ab"))) == 1 and random.random() < 0.5:
        step["targets"] = step["targets"][:1]
    if step["do"] == "blast":
        random.shuffle(step["targets"])
    return step


def any_step(random: Random, state: oracle.State) -> dict[str, Any]:
    """Return a step that may be illegal, with any actor, action, target and ability."""
    if random.random() < 0.04:
        return random_craft(random, state)
    names = list(state["characters"])
    if random.random() < 0.5:
        actor, after = random.choice(names), oracle.copied(state)
        if not oracle.reach_turn(after, actor):
            return weighted_step(random, after, actor, must_be_legal=False) or {"actor": actor, "do": "nothing"}
    actor = state["active"] if state["active"] and random.random() < 0.6 else random.choice(names)
    if state["began"] and random.random() < 0.05:
        check: dict[str, Any] = {"actor": random.choice(names), "do": "check", "difficulty": random.randint(1, 25)}
        return {**check, "ability": random.choice(ABILITIES), "requires": random.random() < 0.5}
    do = random.choice((*oracle.REGULAR, *oracle.BONUS, "second-blow", "leave-cover", "nothing", "end-turn"))
    step: dict[str, Any] = {"actor": actor, "do": do}
    others = [name for name in names if name != actor or random.random() < 0.05]
    if do == "blast":
        step["targets"] = [random.choice(others) for _ in range(random.choice((1, 2, 2, 3, 3, 4)))]
        if random.random() < 0.6:
            step["targets"] = list(dict.fromkeys(step["targets"]))
    elif do == "double-attack" and random.random() < 0.6:
        step["targets"] = [random.choice(others) for _ in range(random.choice((1, 2)))]
    elif do in oracle.ATTACKS:
        step["target"] = random.choice(others)
    elif do in oracle.SUPPORT:
        step["target"] = random.choice(names)
    if random.random() < 0.5:
        name_ability(random, state, step)
    return step


def name_ability(random: Random, state: oracle.State, step: dict[str, Any]) -> None:
    """Add `with`: an ability of the action, of the character, or any.

    With `stack_abilities` it is sometimes two.
    """
    do = step["do"]
    named = oracle.OPTIONAL.get(do, ()) + oracle.REQUIRED.get(do, ())
    if do == "evade":
        named = oracle.MOVEMENT
    elif do not in oracle.OPTIONAL and do not in oracle.REQUIRED:
        return
    owned = list(state["characters"][step["actor"]]["levels"])
    pools = [named or ["none"], named or ["none"], owned or ["none"], ["none"], ABILITIES]
    step["with"] = random.choice(random.choice(pools))
    if state["rulings"]["stack_abilities"] and len(named) > 1 and do != "evade" and random.random() < 0.4:
        step["with"] = random.sample(list(named), 2)


def with_faces(random: Random, state: oracle.State, step: dict[str, Any]) -> dict[str, Any]:
    """Add a face for each roll.

    Often the roll just reaches the defence, or just misses it.
    """
    do = step["do"]
    if do == "craft":
        return step
    count = len(oracle.targets_of(step)) if do in (*oracle.ATTACKS, *oracle.SUPPORT) else int(do == "check")
    if not count:
        return step
    step = {**step, "faces": [random_face(random) for _ in range(count)]}
    if random.random() < 0.5:
        after, broken = oracle.judge(state, step)
        if not broken:
            rolls = oracle.perform(oracle.copied(after), step)
            step["faces"] = near_faces(random, rolls)
    return step


def near_faces(random: Random, rolls: list[dict[str, Any]]) -> list[int]:
    """Return faces that just reach the difficulty, or just miss it."""
    wanted = [each["against"] - each["total"] + each["face"] - random.randint(0, 1) for each in rolls]
    return [want if 1 <= want <= 20 else each["face"] for want, each in zip(wanted, rolls, strict=True)]


def to_toml(tree: dict[str, Any]) -> str:
    """Format the scenario as a TOML file."""
    lines = [f"{key} = {value_of(tree[key])}" for key in ("format", "title", "system") if key in tree]
    tables = [("[rulings]", tree.get("rulings"))]
    tables += [("[[characters]]", entry) for entry in tree["characters"]]
    tables += [("[initiative]", tree["initiative"])]
    tables += [("[[steps]]", step) for step in tree["steps"]]
    tables += [("[board]", tree.get("board")), ("[expect]", tree.get("expect"))]
    for head, table in tables:
        if table:
            lines += ["", head, *(f"{key_of(key)} = {value_of(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def key_of(key: str) -> str:
    """Format a key, in quotes where TOML needs them."""
    return key if key.replace("-", "").replace("_", "").isalnum() else f'"{key}"'


def value_of(value: Any) -> str:
    """Format a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_of(key)} = {value_of(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(value_of(each) for each in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
