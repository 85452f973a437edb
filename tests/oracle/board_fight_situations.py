"""Random fights on small maps, where all characters meet at once.

A scenario is the JSON tree of the format with all faces. The same seed gives the same scenario.
"""

from random import Random
from typing import Any

from tests.oracle import board_fight_oracle as oracle
from tests.oracle import fight_oracle as base
from tests.oracle import fight_situations as situations
from tests.oracle.board_fight_oracle import Space, State, Step

SWITCHES: dict[str, tuple[Any, ...]] = {
    "interrupt_move": ("leave", "arrive"),
    "delayed_blocks_move": (True,),
    "downed_are_inert": (True,),
    "corners": ("barred",),
    "interrupt_blast": ("space",),
}
LETTERS = "." * 22 + "^^~~wwE#oE"
WEIGHTS: dict[str, float] = {
    **situations.WEIGHTS,
    "move": 40,
    "reposition": 60,
    "evade": 16,
    "escape": 60,
    "hold": 24,
    "blast": 44,
    "double-attack": 90,
    "second-blow": 90,
    "shoot": 40,
    "throw": 30,
    "surprise": 24,
    "intimidate": 24,
    "take-cover": 60,
    "bonus": 0.5,
    "engage": 6,
    "heal": 30,
    "revive": 30,
}


def random_tree(seed: int, steps: int | None = None) -> dict[str, Any]:
    """Build a random scenario of `steps` steps.

    The default is 8 to 25 steps.
    """
    random = Random(seed)
    tree: dict[str, Any] = {"format": "scratch-scenario/1", "title": f"Board situation {seed}", "system": "scratch"}
    tree["rulings"] = situations.random_rulings(random)
    for name, values in SWITCHES.items():
        if random.random() < 0.2:
            tree["rulings"][name] = random.choice(values)
    tree["characters"] = random_characters(random)
    tree["board"] = random_board(random, tree["characters"])
    place_all(random, tree)
    state = oracle.new_state({**tree, "initiative": {}})
    tree["steps"] = situations.random_crafting(random, state)[0]
    for step in tree["steps"]:
        state, _record = oracle.play_step(state, step)
    tree["initiative"] = state["faces"] = situations.random_initiative(random, state)
    tree["steps"] += random_steps(random, state, steps or random.randint(8, 25))
    return tree


def random_characters(random: Random) -> list[dict[str, Any]]:
    """Build the characters of fights off the board, more often healthy, without surroundings."""
    characters = situations.random_characters(random)
    for entry in characters:
        entry.pop("here", None)
        if random.random() < 0.4:
            entry.pop("hp", None)
        for ability in ("flying", "swimming", "acrobatics", "quickness"):
            if random.random() < 0.15:
                entry["abilities"].setdefault(ability, random.choice((1, 2, 3)))
        for ability in ("shooting", "blasting", "command"):
            if "minion_of" not in entry and random.random() < 0.2:
                entry["abilities"].setdefault(ability, random.choice((1, 2, 3)))
    if all(entry.get("side") == characters[0].get("side", "") for entry in characters):
        characters[0]["side"] = "alone"
    return [restored(entry, characters) for entry in characters]


def restored(entry: dict[str, Any], characters: list[dict[str, Any]]) -> dict[str, Any]:
    """Raise a leader's command to the level that its minions need."""
    for each in characters:
        if each.get("minion_of") == entry["id"]:
            total = sum(each["abilities"].values())
            entry["abilities"]["command"] = max(entry["abilities"].get("command", 0), total)
    return entry


def random_board(random: Random, characters: list[dict[str, Any]]) -> dict[str, Any]:
    """Build a board of either shape with some spaces of each kind.

    For swimmers it is mostly water. It never has fewer spaces than characters.
    """
    people, swimmers = len(characters), sum("swimming" in entry["abilities"] for entry in characters)
    columns, rows = random.choice(((3, 3), (4, 3), (5, 4), (5, 5), (7, 2), (6, 5), (8, 1), (2, 6), (7, 6)))
    letters = random.choice((".", LETTERS, LETTERS, LETTERS, ".......^E", "~w.E", "...#o", ".#", "...wE"))
    letters = "~~~w." if 2 * swimmers > people and random.random() < 0.7 else letters
    lines = [[random.choice(letters) for _ in range(columns)] for _ in range(rows)]
    spaces = [(column, row) for row in range(rows) for column in range(columns)]
    random.shuffle(spaces)
    for column, row in spaces[: people + 2]:
        if lines[row][column] in "#o":
            lines[row][column] = "."
    table: dict[str, Any] = {"shape": random.choice(("square", "hex")), "rows": ["".join(line) for line in lines]}
    for key, share in (("cover", 0.45), ("throwable", 0.15), ("cramped", 0.15)):
        chosen = [list(space) for space in sorted(spaces) if random.random() < share]
        if chosen and random.random() < 0.6:
            table[key] = chosen
    return table


def place_all(random: Random, tree: dict[str, Any]) -> None:
    """Put all characters in spaces of their own, near each other."""
    rows = tree["board"]["rows"]
    free = [(c, r) for r, line in enumerate(rows) for c, letter in enumerate(line) if letter not in "#o"]
    middle = random.choice(free)
    free.sort(key=lambda space: abs(space[0] - middle[0]) + abs(space[1] - middle[1]) + 3 * random.random())
    for entry, space in zip(tree["characters"], free, strict=False):
        entry["at"] = list(space)


# Steps


def random_steps(random: Random, state: State, count: int) -> list[Step]:
    """Choose steps while the oracle plays.

    Most of them are legal.
    """
    steps: list[Step] = []
    state = base.begin_encounter(state)
    while len(steps) < count:
        if state["over"] and random.random() < 0.3:
            break
        step = next_step(random, state, len(steps))
        step = with_faces(random, state, step)
        settled_late = step.get("faces") and random.random() < 0.5
        hidden = [name for name, each in state["characters"].items() if each["in_cover"]]
        state = {**state, "hidden": hidden if random.random() < 0.5 else []}
        after, record = oracle.play_step(state, step)
        answers: list[Step] = []
        if after["pending"] and random.random() < 0.75:
            answers = random_answers(random, after, step, bool(settled_late))
        elif record["legal"] and step["do"] not in ("check", "craft") and random.random() < 0.04:
            answers = [random_interrupt(random, after, step["actor"])]
        if answers and answers[-1]["do"] == "settle" and "faces" in answers[-1]:
            late = [{key: value for key, value in step.items() if key != "faces"}, *answers]
            step = late[0] if oracle.play_steps(state, late)[1][-1]["legal"] else step
        steps += [step, *answers]
        state = oracle.play_steps(state, [step, *answers])[0][-1]
    return steps


def next_step(random: Random, state: State, number: int) -> Step:
    """Return a legal step, a step after the end of the encounter, or any step."""
    if number > 5 and random.random() < 0.008:
        return {"actor": random.choice(list(state["characters"])), "do": "end-encounter"}
    if state["over"] and random.random() < 0.7:
        return situations.peace_step(random, state)
    banned = [name for name, each in state["characters"].items() if each["ban"] and not each["escaped"]]
    if banned and random.random() < 0.15:
        return {"actor": random.choice(banned), "do": "escape"}
    step = legal_step(random, state) if random.random() < 0.8 and not state["over"] else None
    flyer = situations.at_the_flyer(random, state, oracle.reach_turn)
    return (
        flyer
        or beside_cover(random, state)
        or step
        or situations.out_of_cover(random, state)
        or any_step(random, state)
    )


def beside_cover(random: Random, state: State) -> Step | None:
    """Return an evasion next to a hidden enemy, or None.

    That enemy may leave its cover for an interrupt.
    """
    hidden = [each for each in state["characters"].values() if each["in_cover"]]
    near = [
        name
        for name, each in state["characters"].items()
        if any(each["side"] != other["side"] and oracle.distance(state, each, other) == 1 for other in hidden)
        if not oracle.reach_turn(base.copied(state), name)
    ]
    return {"actor": random.choice(near), "do": "evade"} if near and random.random() < 0.6 else None


def legal_step(random: Random, state: State) -> Step | None:
    """Return a legal step of any character, or None if none is found.

    Rare actions are likelier.
    """
    names = list(state["characters"])
    random.shuffle(names)
    used = situations.is_spent(state)
    stays = 0.45 if used and not state["ledger"]["held"] and state["ledger"]["moved"] else 0.85
    if state["active"] and random.random() < stays:
        names.insert(0, state["active"])
    else:
        names.sort(key=lambda name: name == state["active"])
    return situations.first_step(random, state, names, oracle.reach_turn, weighted_step)


def weighted_step(random: Random, after: State, name: str, must_be_legal: bool) -> Step | None:
    """Return a step of the character whose turn it is.

    It is legal, or at most the rules of its action forbid it.
    """
    found = situations.by_kind(candidates(random, after, name))
    if after["ledger"]["regular"] or after["ledger"]["nothing"]:
        found = {do: steps for do, steps in found.items() if do not in base.REGULAR or random.random() < 0.1}
    broken = oracle.broken_by_action if must_be_legal else None
    step = situations.chosen(random, found, WEIGHTS, lambda step: broken and broken(after, name, step))
    return step if step is None or step["do"] in ("blast", "move", "reposition") else situations.vary(random, step)


def candidates(random: Random, state: State, name: str) -> list[Step]:
    """List steps worth trying.

    These are all steps of fights off the board, a few moves and blasts, and everything after a hold.
    """
    found = [step for step in base.candidates(state, name) if step["do"] != "blast"]
    character, board = state["characters"][name], state["place"].board
    ways = list(oracle.ends(state, name).values())
    for way in sorted(ways, key=lambda way: -len(way.path) * random.random())[:6]:
        found.append({"actor": name, "do": "move", "path": [list(space) for space in way.path]})
    found += [{"actor": name, "do": "move", "path": path} for path in wanderings(random, state, name)]
    for added in base.choices(state, name, "blast"):
        spaces = random.sample(board.spaces, min(5, len(board.spaces)))
        spaces += [each["at"] for each in state["characters"].values() if oracle.is_on_board(state, each)]
        blasts = [{"actor": name, "do": "blast", "at": list(space)} for space in spaces]
        found += [{**blast, "with": added[0]} if random.random() < 0.4 else blast for blast in blasts]
    for other in state["characters"]:
        if other != name and (other == state["ledger"]["held"] or random.random() < 0.1):
            found += repositions(random, state, name, other)
    if character["evaded_last_turn"]:
        way_out = {"actor": name, "do": "escape"}
        found += [step for step in found if step["do"] == "move" and is_way_out(state, step)] + [way_out]
    return found


def is_way_out(state: State, step: Step) -> bool:
    """Return whether a step moves to an exit or off the board."""
    column, row = step["path"][-1]
    return (column, row) not in state["place"].board or state["place"].rows[row][column] == "E"


def wanderings(random: Random, state: State, name: str) -> list[list[list[int]]]:
    """Build paths to anywhere, sometimes with leaps or off the board."""
    board, found = state["place"].board, []
    start: Space | None = state["characters"][name]["at"]
    if start is None:
        return [[[0, 0]]]
    for _ in range(3):
        path: list[Space] = []
        for _ in range(random.choice((1, 2, 2, 3, 3, 4, 5))):
            last = path[-1] if path else start
            steps = board.adjacent_coordinates_even_off_board(last) if random.random() < 0.2 else board.neighbours(last)
            path.append(random.choice(steps or board.spaces) if random.random() < 0.97 else random.choice(board.spaces))
            if path[-1] not in board:
                break
        found.append([list(space) for space in path])
    return found


def repositions(random: Random, state: State, name: str, other: str) -> list[Step]:
    """Build a swap, and pushes to spaces nearby."""
    step: Step = {"actor": name, "do": "reposition", "target": other}
    at = state["characters"][other]["at"]
    if at is None:
        return [{**step, "swap": True}]
    spaces = [*state["place"].board.adjacent_coordinates_even_off_board(at), random.choice(state["place"].board.spaces)]
    return [{**step, "swap": True}] * 2 + [{**step, "to": list(space)} for space in random.sample(spaces, 4)]


def any_step(random: Random, state: State) -> Step:
    """Return a step that may be illegal, with any actor, action, target and ability."""
    names = list(state["characters"])
    if random.random() < 0.5:
        actor, after = random.choice(names), base.copied(state)
        if not oracle.reach_turn(after, actor):
            return weighted_step(random, after, actor, must_be_legal=False) or {"actor": actor, "do": "nothing"}
    actor = state["active"] if state["active"] and random.random() < 0.6 else random.choice(names)
    roll = random.random()
    if roll < 0.15:
        return {"actor": actor, "do": "move", "path": random.choice(wanderings(random, state, actor))}
    if roll < 0.25:
        other = random.choice([name for name in names if name != actor])
        return random.choice(repositions(random, state, actor, other))
    if roll < 0.32:
        return random_interrupt(random, state, random.choice(names))
    if roll < 0.34:
        return {"actor": actor, "do": "settle"}
    step = situations.any_step(random, state)
    if step["do"] == "blast":
        del step["targets"]
        step["at"] = [random.randint(-1, state["place"].board.width), random.randint(0, state["place"].board.height)]
    return step


def with_faces(random: Random, state: State, step: Step) -> Step:
    """Add a face for each roll.

    Often the roll just reaches the defence, or just misses it.
    """
    do = step["do"]
    if do == "interrupt" or (do == "craft" and "faces" in step):
        return step
    count = len(base.targets_of(step)) if do in (*base.ATTACKS, *base.SUPPORT) else int(do == "check")
    if do == "blast":
        after, broken = oracle.judge(state, step)
        count = 0 if broken else len(oracle.attacked(after, tuple(step["at"])))
    if not count:
        return {**step, "faces": []} if do == "blast" else step
    step = {**step, "faces": [situations.random_face(random) for _ in range(count)]}
    if random.random() < 0.5:
        after, broken = oracle.judge(state, step)
        if not broken:
            step["faces"] = situations.near_faces(random, oracle.carry_out(base.copied(after), step))
    return step


# Interrupts


def random_answers(random: Random, state: State, step: Step, settled_late: bool) -> list[Step]:
    """Build interrupts that follow an exposing step, perhaps with a `settle`.

    Some of the interrupters leave their cover first.
    """
    answers: list[Step] = []
    for _ in range(random.choice((1, 1, 2, 2, 3, 4))):
        if state["pending"] is None:
            break
        able = {name for _moment, _turn, name in oracle.openings(state)}
        hidden = [name for _m, _t, name in oracle.openings(state, out_of_cover=True) if name not in able]
        covered = [name for name, each in state["characters"].items() if each["in_cover"]]
        if covered and random.random() < (0.7 if hidden else 0.15):
            name = random.choice(hidden if hidden and random.random() < 0.9 else covered)
            answers.append({"actor": name, "do": "leave-cover"})
            state, _record = oracle.play_step(state, answers[-1])
            if name == step["actor"] or random.random() < 0.2:
                break
            answers.append(random_interrupt(random, state, step["actor"], name))
        elif random.random() < 0.12 or not able:
            answers.append({"actor": step["actor"], "do": "settle"})
        elif random.random() < 0.8:
            answers.append(open_interrupt(random, state))
        else:
            answers.append(random_interrupt(random, state, step["actor"]))
        if answers[-1]["do"] == "settle" and settled_late:
            answers[-1]["faces"] = step["faces"]
        state, _record = oracle.play_step(state, answers[-1])
    return answers


def open_interrupt(random: Random, state: State) -> Step:
    """Return an interrupt, mostly by a character who may interrupt.

    Often its roll just reaches the defence.
    """
    found = oracle.openings(state)
    moment, _turn, name = random.choice(found) if found else (0, 0, random.choice(list(state["characters"])))
    step: Step = {"actor": name, "do": "interrupt", "target": state["pending"]["who"]}
    if random.random() < 0.3:
        step["when"] = moment
    return with_ability(random, state, step)


def random_interrupt(random: Random, state: State, target: str, actor: str = "") -> Step:
    """Return an interrupt by the actor, or by any character."""
    names = [name for name in state["characters"] if name != target]
    step: Step = {"actor": actor or random.choice(names), "do": "interrupt", "target": target}
    if random.random() < 0.25:
        step["when"] = random.randint(0, 3)
    return with_ability(random, state, step)


def with_ability(random: Random, state: State, step: Step) -> Step:
    """Add a face to an interrupt, and perhaps an ability by name."""
    if random.random() < 0.4:
        found = base.choices(state, step["actor"], "basic-attack")
        step["with"] = random.choice(found) or "none"
        if random.random() < 0.1:
            step["with"] = random.choice((*situations.ABILITIES, "none"))
        if isinstance(step["with"], list) and len(step["with"]) == 1:
            step["with"] = step["with"][0]
    step["faces"] = [random.choice((random.randint(1, 9), situations.random_face(random)))]
    broken, moment = oracle.broken_by_interrupt(state, step)
    if not broken and random.random() < 0.3:
        step["faces"] = situations.near_faces(random, [oracle.interrupt(base.copied(state), step, moment)])
    return step
