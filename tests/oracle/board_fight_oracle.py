"""A second implementation of fights on a map: plain dictionaries, from the rule catalogue and the scenario format.

Its author has not read the engine. Distance, neighbours, sight and reach come from the engine's geometry,
which has an oracle of its own; turns, legality, pending actions, interrupts and effects are written here independently.
"""

import itertools
from typing import Any, NamedTuple

from scratch_core.board import Board, MovementTraits, board_from_dict, find_cheapest_routes, path_problems, trace_sight
from tests.oracle import fight_oracle as base
from tests.oracle.fight_oracle import State, Step, condition, copied, is_down, level, listed

Space = tuple[int, int]

BOARD_RULINGS = {
    "interrupt_move": "both",
    "delayed_blocks_move": False,
    "downed_are_inert": False,
    "corners": "free",
    "interrupt_blast": "enemy",
}
TRIGGERS = {f"grid.interrupt.trigger.{kind}" for kind in ("move", "evade", "far-attack")}
HERE = {".": ["level"], "E": ["level"], "^": ["climbable"], "~": ["water"], "w": ["water", "deep-water"]}
WAITERS = ("interrupt", "settle")
canonical = base.canonical


class Place(NamedTuple):
    """The board as in the file, and the engine's geometry of it."""

    board: Board
    rows: tuple[str, ...]
    cover: frozenset[Space]
    throwable: frozenset[Space]
    cramped: frozenset[Space]


def read_place(table: dict[str, Any]) -> Place:
    """Parse the table `[board]`."""
    spaces = [frozenset((c, r) for c, r in table.get(key, [])) for key in ("cover", "throwable", "cramped")]
    return Place(board_from_dict(table), tuple(table["rows"]), *spaces)


def here(place: Place, at: Space | None) -> list[str]:
    """List what is available in a space.

    Off the board there is nothing.
    """
    if at is None or at not in place.board:
        return []
    found = list(HERE[place.rows[at[1]][at[0]]])
    found += [] if at in place.cramped else ["open-air"]
    found += ["cover"] if at in place.cover else []
    near = {at, *place.board.neighbours(at)}
    return [*found, *(["throwable"] if near & place.throwable else [])]


def new_state(tree: dict[str, Any]) -> State:
    """Build the state before the first step."""
    state = base.new_state(tree)
    state["rulings"] = {**BOARD_RULINGS, **state["rulings"]}
    state["place"] = read_place(tree["board"])
    state["pending"] = None
    state["hidden"] = []  # the characters in cover who will leave it to interrupt the next step
    state["ledger"] = new_ledger()
    for entry in tree["characters"]:
        character = state["characters"][entry["id"]]
        character.update(immobilized=[], ban=[], at=None)
        put(state, character, tuple(entry["at"]))
    return state


def new_ledger() -> dict[str, Any]:
    """Build an empty record of what a turn has used."""
    return {**base.new_ledger(), "moved": "", "held": "", "attempts": []}


def put(state: State, character: dict[str, Any], at: Space | None) -> None:
    """Move a character to a space.

    Its cover ends if that is another space.
    """
    if character["at"] is not None and character["at"] != at:
        character["in_cover"] = False
    character["at"] = at
    character["here"] = here(state["place"], at)


def is_on_board(state: State, character: dict[str, Any]) -> bool:
    """Return whether a character is in a space of the board."""
    return character["at"] is not None and character["at"] in state["place"].board


def distance(state: State, one: dict[str, Any], other: dict[str, Any]) -> int:
    """Return the distance between two characters in spaces.

    It is 1000 if one of them is not on the board.
    """
    if not is_on_board(state, one) or not is_on_board(state, other):
        return 1000
    return state["place"].board.distance(one["at"], other["at"])


def bodies(state: State, name: str) -> tuple[set[Space], set[Space]]:
    """Return the spaces of this character's enemies and allies (G12)."""
    side, found = state["characters"][name]["side"], (set(), set())
    for other in state["characters"].values():
        if other["id"] == name or not is_on_board(state, other):
            continue
        if not (state["rulings"]["downed_are_inert"] and is_down(other)):
            found[other["side"] == side].add(other["at"])
    return found


def can_see(state: State, name: str, space: Space) -> bool:
    """`grid.long.los`, `grid.long.allies`."""
    character = state["characters"][name]
    if not is_on_board(state, character) or space not in state["place"].board:
        return False
    return trace_sight(state["place"].board, character["at"], space, bodies(state, name)[0]).is_clear


def traits(character: dict[str, Any]) -> MovementTraits:
    """Return a character's data for movement."""
    names = ("quickness", "flying", "acrobatics", "swimming")
    return MovementTraits(condition(character) == "healthy", **{name: level(character, name) for name in names})


def figures(state: State) -> dict[str, Any]:
    """Return every figure that a scenario may expect, by its path."""
    shown = base.figures(state)
    for name, character in state["characters"].items():
        shown |= {
            f"at.{name}": [] if character["at"] is None else list(character["at"]),
            f"immobilized.{name}": bool(character["immobilized"]),
        }
    return shown


# Turns


def begin_turn(state: State, name: str) -> None:
    """Begin a turn: section 4.2, step 1."""
    base.begin_turn(state, name)
    state["ledger"] = new_ledger()


def end_turn(state: State, name: str) -> None:
    """End a turn: section 4.2, step 4.

    A character whose turn ends off the board has escaped.
    """
    character = state["characters"][name]
    if character["at"] is not None and not is_on_board(state, character):
        character["escaped"] = True
        put(state, character, None)
    for what in ("immobilized", "ban"):
        character[what] = [number for number in character[what] if number > character["turn"]]
    base.end_turn(state, name)


def needs_to_flee(state: State, name: str) -> bool:
    """Apply `cond.panicked` and A08.

    Off the board no character has to evade.
    """
    character = state["characters"][name]
    return is_on_board(state, character) and base.needs_to_flee(state, name)


def is_barred(state: State, name: str) -> bool:
    """Return whether a character is down, gone or delayed.

    A delayed wrestler who may counter-hold is not barred.
    """
    return base.is_barred(state, name, broken_by_action)


def reach_turn(state: State, name: str) -> set[str]:
    """Advance a state to this character's turn, and return the rules against that."""
    return base.reach_turn(state, name, base.Turns(begin_turn, end_turn, needs_to_flee, is_barred))


# Legality


def broken_by_action(state: State, name: str, step: Step) -> set[str]:
    """Apply section 4.3 with its rules for the grid, on the character's own turn."""
    character, do = state["characters"][name], step["do"]
    if do == "move":
        return broken_by_move(state, name, [tuple(space) for space in step["path"]])
    if do == "reposition":
        return broken_by_reposition(state, name, step)
    is_out = not character["escaped"] and not is_on_board(state, character)
    if is_out and do == "end-turn":
        return set()
    broken = broken_by_blast(state, name, step) if do == "blast" else base.broken_by_action(state, name, step)
    if do == "engage" and not (character["panics"] or character["in_cover"]):
        broken.discard("act.engage")  # checked below for every space where the move may end
    if is_out and do != "escape":
        return (broken - {"grid.long.los"}) | {"grid.escape.exit"}
    if state["over"]:
        return broken
    if do in base.REGULAR and state["ledger"]["moved"] == "after" and "act.regular" not in broken:
        broken.add("grid.move.once")  # the two attacks of the older wrestling rule
    for target in base.targets_of(step):
        broken |= broken_by_space(state, name, do, state["characters"][target])
    if do == "escape":
        broken |= broken_by_way_out(state, character)
    if do == "engage" and not can_reach_somebody(state, name):
        broken.add("act.engage")
    return broken


def broken_by_space(state: State, name: str, do: str, other: dict[str, Any]) -> set[str]:
    """`grid.close.reach`, `grid.long.los`, `grid.heal.adjacent`."""
    character = state["characters"][name]
    if other["escaped"] or character["escaped"]:
        return {"act.escape.effect"}
    if do in base.CLOSE and distance(state, character, other) > 1:
        return {"grid.close.reach"}
    if do in base.SUPPORT and distance(state, character, other) > 1:
        return {"grid.heal.adjacent"}
    if do in base.LONG and not can_see(state, name, other["at"]):
        return {"grid.long.los"}
    return set()


def broken_by_way_out(state: State, character: dict[str, Any]) -> set[str]:
    """`grid.escape.exit`, `grid.interrupt.escape-ban`."""
    broken = {"grid.interrupt.escape-ban"} if character["ban"] else set()
    at = character["at"]
    if is_on_board(state, character) and state["place"].rows[at[1]][at[0]] != "E":
        broken.add("grid.escape.exit")
    return broken


def broken_by_blast(state: State, name: str, step: Step) -> set[str]:
    """`grid.blast.target`, G24: a space in sight, no wall or obstacle."""
    space = tuple(step["at"])
    broken = base.broken_by_state(state, name, "blast") | base.broken_by_regular(state, name, "blast")
    broken |= base.broken_by_ability(state, name, "blast", step.get("with"))
    if space not in state["place"].board or state["place"].rows[space[1]][space[0]] in "#o":
        return broken | {"grid.blast.target"}
    is_gone = state["characters"][name]["escaped"]
    return broken if is_gone or can_see(state, name, space) else broken | {"grid.long.los"}


def attacked(state: State, space: Space) -> list[str]:
    """List the characters that a blast attacks: `grid.blast.area`.

    They are all within 1 space, allies and the blaster included, except those who dive.
    """
    board = state["place"].board
    return [
        name
        for name, other in state["characters"].items()
        if is_on_board(state, other) and board.distance(space, other["at"]) <= 1 and not base.is_deep_evading(other)
    ]


def broken_by_leaving(state: State, name: str) -> set[str]:
    """Apply G21: only a character who could escape right now leaves the board."""
    character = state["characters"][name]
    broken = base.broken_by_regular(state, name, "escape")
    broken |= set() if character["evaded_last_turn"] else {"act.escape"}
    broken |= {"grid.interrupt.escape-ban"} if character["ban"] else set()
    return broken | ({"cond.delayed"} if character["delays"] else set())


def broken_by_falling(character: dict[str, Any]) -> set[str]:
    """`hp.incapacitated`, `tough.none`."""
    if not is_down(character):
        return set()
    return {"hp.incapacitated"} | (set() if base.max_hp(character) else {"tough.none"})


def broken_to_walk(state: State, name: str) -> set[str]:
    """Apply `grid.move.who`, `grid.move.once` and G07: everything except the path."""
    character, broken = state["characters"][name], set()
    if is_down(character):
        broken |= {"grid.move.who"} | broken_by_falling(character)
    if character["escaped"]:
        broken |= {"grid.move.who", "act.escape.effect"}
    if character["immobilized"]:
        broken |= {"grid.move.who", "grid.hold.immobilize"}
    if character["delays"] and state["rulings"]["delayed_blocks_move"]:
        broken |= {"grid.move.who", "cond.delayed"}
    return broken | ({"grid.move.once"} if state["ledger"]["moved"] else set())


def broken_by_move(state: State, name: str, path: list[Space]) -> set[str]:
    """Apply section 4.3, `move`."""
    character, broken = state["characters"][name], broken_to_walk(state, name)
    if character["escaped"]:
        return broken - {"grid.move.once"}
    if not is_on_board(state, character):
        return broken | {"grid.escape.exit"}
    leaving = broken_by_leaving(state, name)
    may = {"may_leave": not leaving, "may_squeeze": state["rulings"]["corners"] == "free"}
    enemies, allies = bodies(state, name)
    problems = path_problems(
        state["place"].board, traits(character), character["at"], path, enemies=enemies, allies=allies, **may
    )
    broken |= {str(problem.rule) for problem in problems}
    if problems and path[-1] not in state["place"].board:
        broken |= leaving | {"grid.escape.exit"}
    return broken


def ends(state: State, name: str) -> dict[Space, Any]:
    """Return the spaces where this character's move may end, with the cheapest route.

    The character's own space is left out.
    """
    character = state["characters"][name]
    if broken_to_walk(state, name) or not is_on_board(state, character):
        return {}
    may = {"may_leave": not broken_by_leaving(state, name), "may_squeeze": state["rulings"]["corners"] == "free"}
    enemies, allies = bodies(state, name)
    found = find_cheapest_routes(
        state["place"].board, traits(character), character["at"], enemies=enemies, allies=allies, **may
    )
    return {space: way for space, way in found.items() if space != character["at"]}


def can_reach_somebody(state: State, name: str) -> bool:
    """Return whether a close attack is possible: A15 on a board.

    The attack is made from here or from a space where the move may end.
    """
    character, board = state["characters"][name], state["place"].board
    is_spent = all(base.broken_by_regular(state, name, do) for do in ("basic-attack", "hold"))
    if not is_on_board(state, character) or is_spent:
        return False
    if state["ledger"]["regular"] and state["ledger"]["moved"] == "after":
        return False
    from_here = {character["at"]} | (set() if state["ledger"]["regular"] else set(ends(state, name)))
    others = [other for other in state["characters"].values() if other["id"] != name and is_on_board(state, other)]
    return any(
        board.distance(space, other["at"]) <= 1
        and not base.broken_by_target(there(state, name, space), name, "basic-attack", other["id"])
        for space in from_here
        if space in board
        for other in others
    )


def there(state: State, name: str, space: Space) -> State:
    """Return the state with this character in another space.

    The character may have room to fly there or not (A12).
    """
    moved = {**state["characters"][name], "at": space, "here": here(state["place"], space)}
    return {**state, "characters": {**state["characters"], name: moved}}


def broken_by_reposition(state: State, name: str, step: Step) -> set[str]:
    """`grid.hold.reposition`, G16."""
    character, other = state["characters"][name], state["characters"][step["target"]]
    place, wrong = state["place"], {"grid.hold.reposition"}
    if is_down(character) or character["escaped"]:
        gone = {"act.escape.effect"} if character["escaped"] else set()
        return wrong | gone | broken_by_falling(character)
    if state["ledger"]["held"] != step["target"] or distance(state, character, other) > 1:
        return wrong
    swap, barred = step.get("swap", False), state["rulings"]["corners"] == "barred"
    start, to = (character["at"], other["at"]) if swap else (other["at"], tuple(step["to"]))
    if barred and place.board.is_step_between_solids(start, to):
        return wrong  # G11
    if swap:
        floats = level(character, "swimming") or (level(character, "flying") and "open-air" in other["here"])
        sinks = "deep-water" in other["here"] and not floats
        return wrong if sinks else set()
    if to not in place.board or place.board.distance(to, other["at"]) != 1 or place.rows[to[1]][to[0]] in "#o":
        return wrong
    return wrong if any(to in spaces for spaces in bodies(state, name)) or to == character["at"] else set()


# Exposure


def is_far_attack(state: State, step: Step) -> bool:
    """`grid.interrupt.trigger.far-attack`, G09."""
    character = state["characters"][step["actor"]]
    names = base.targets_of(step)
    if step["do"] == "blast":
        space = tuple(step["at"])
        if state["rulings"]["interrupt_blast"] == "space" and state["place"].board.distance(character["at"], space) > 1:
            return True
        names = attacked(state, space)
    others = [state["characters"][name] for name in names]
    return any(other["side"] != character["side"] and distance(state, character, other) > 1 for other in others)


def moments(state: State, step: Step) -> dict[int, Space]:
    """Return the moments at which a step exposes its actor, with the spaces (G01)."""
    at, when = state["characters"][step["actor"]]["at"], state["rulings"]["interrupt_move"]
    if step["do"] == "evade" or (step["do"] in base.ATTACKS and is_far_attack(state, step)):
        return {0: at}
    if step["do"] != "move" or len(step["path"]) < 2:
        return {}
    found = {0: at} if when in ("leave", "both") else {}
    for number, space in enumerate(step["path"], 1):
        if number >= 2 and when in ("arrive", "both") and tuple(space) in state["place"].board:
            found[number] = tuple(space)
    return found


def broken_for_interrupter(state: State, name: str, target: str) -> set[str]:
    """Return the rules that forbid an interrupt, except those about spaces: G04.

    The interrupter is the character `name`, and the exposed character is `target`.
    """
    character, other = state["characters"][name], state["characters"][target]
    broken: set[str] = set()
    if character["side"] == other["side"]:
        broken.add("grid.interrupt.what")
    if condition(character) != "healthy":
        broken.add("grid.interrupt.unable")
    if is_down(character):
        broken |= {"grid.interrupt.unable"} | broken_by_falling(character)
    if character["escaped"] or other["escaped"]:
        broken |= {"grid.interrupt.what", "act.escape.effect", "grid.interrupt.unable"}
    if character["delays"]:
        broken |= {"grid.interrupt.delayed", "grid.interrupt.unable", "cond.delayed"}
    if character["panics"]:
        broken |= {"grid.interrupt.unable", "cond.panicked"}
    if character["in_cover"]:
        broken |= {"grid.interrupt.unable", "act.cover.forbidden"}
    if name in state["ledger"]["attempts"]:
        broken.add("grid.interrupt.once")
    return broken | (base.broken_by_target(state, name, "basic-attack", target) - {"act.basic-attack"})


def openings(state: State, out_of_cover: bool = False) -> list[tuple[int, int, str]]:
    """List who may interrupt the pending step.

    Each entry is the moment, the place in the initiative (G06) and the name. With `out_of_cover`, characters are
    included who leave their cover for the interrupt.
    """
    pending = state["pending"]
    if out_of_cover:
        left = {name: {**state["characters"][name], "in_cover": False} for name in state["hidden"]}
        state = {**state, "characters": {**state["characters"], **left}}
    found = []
    for moment, space in pending["moments"].items():
        for name, character in state["characters"].items():
            turn = (moment, state["order"].index(character["group"]))
            near = is_on_board(state, character) and state["place"].board.distance(space, character["at"]) <= 1
            if near and turn >= pending["past"] and not broken_for_interrupter(state, name, pending["who"]):
                found.append((*turn, name))
    return sorted(found)


def broken_by_interrupt(state: State, step: Step) -> tuple[set[str], int]:
    """Apply section 4.3, `interrupting attack`.

    Returns the broken rules and the moment.
    """
    name, target, pending = step["actor"], step["target"], state["pending"]
    broken = broken_for_interrupter(state, name, target) if name != target else {"grid.interrupt.what"}
    broken |= base.broken_by_ability(state, name, "basic-attack", step.get("with"))
    if broken & base.RULES_OF["basic-attack"]:
        broken |= {"grid.interrupt.roll", "grid.interrupt.what"}
    if state["over"]:
        return broken | {"turn.encounter", "grid.interrupt.what"}, 0
    if pending is None or pending["who"] != target:
        return broken | {"grid.interrupt.what", *TRIGGERS}, 0
    found = [moment for moment, _turn, who in openings(state) if who == name]
    found = [moment for moment in found if moment == step.get("when", moment)]
    return (broken, found[0]) if found else (broken | {"grid.interrupt.what", *TRIGGERS}, 0)


# Playing


def walk(state: State, moment: int) -> None:
    """Walk the mover on to a moment of its move."""
    pending = state["pending"]
    character = state["characters"][pending["who"]]
    for number in range(pending["walked"] + 1, moment + 1):
        put(state, character, tuple(pending["step"]["path"][number - 1]))
        pending["walked"] = number


def declare(state: State, step: Step) -> None:
    """Let the step wait if a character may interrupt it."""
    state["pending"] = {
        "who": step["actor"],
        "step": step,
        "moments": moments(state, step),
        "past": (0, 0),
        "walked": 0,
    }
    found = openings(state, out_of_cover=True)
    if not found:
        state["pending"] = None
        return
    if step["do"] == "move":
        walk(state, found[0][0])


def carry_out(state: State, step: Step, walked: int = 0) -> list[dict[str, Any]]:
    """Carry out a legal step, and return its rolls."""
    name, do = step["actor"], step["do"]
    character, ledger = state["characters"][name], state["ledger"]
    ledger["second_blow"] &= do == "leave-cover"
    if do == "move":
        ledger["moved"] = "after" if ledger["regular"] else "before"
        for space in step["path"][walked:]:
            put(state, character, tuple(space))
        return []
    if do == "reposition":
        reposition(state, step)
        return []
    if do == "end-turn":
        end_turn(state, name)
        return []
    if do == "end-encounter":
        if state["active"]:
            end_turn(state, state["active"])
        for each in state["characters"].values():
            each.update(immobilized=[], ban=[])
    if do == "blast":
        step = {**step, "targets": attacked(state, tuple(step["at"]))}
    rolls = base.perform(state, step)
    if do in ("hold", "counter-hold") and rolls[0]["success"]:
        other = state["characters"][step["target"]]
        other["immobilized"].append(other["turn"] + 1)
        ledger["held"] = step["target"]
    if do == "escape":
        character.update(at=None, here=[])
    return rolls


def reposition(state: State, step: Step) -> None:
    """`grid.hold.reposition`."""
    character, other = state["characters"][step["actor"]], state["characters"][step["target"]]
    state["ledger"]["held"] = ""
    before = character["at"], other["at"]
    if step.get("swap", False):
        put(state, character, before[1])
        put(state, other, before[0])
    else:
        put(state, other, tuple(step["to"]))


def interrupt(state: State, step: Step, moment: int) -> dict[str, Any]:
    """Apply `grid.interrupt.roll` and the effects of a success."""
    name, target, pending = step["actor"], step["target"], state["pending"]
    character, other = state["characters"][name], state["characters"][target]
    if pending["step"]["do"] == "move":
        walk(state, moment)
    pending["past"] = (moment, state["order"].index(character["group"]))
    state["ledger"]["attempts"].append(name)
    added = base.best_choice(state, name, "basic-attack") if "with" not in step else listed(step["with"])
    result = base.roll(step["faces"][0], base.modifier(state, name, "basic-attack", added), base.agility(other))
    if result["success"]:
        prevented = pending["step"]
        if prevented["do"] in base.UNREPEATABLE:
            other["used"].append(base.use_of(state, prevented["do"], prevented["target"]))
        other.update(evade=None, evaded_this_turn=False)
        state["pending"] = None
        end_turn(state, target)
        other["ban"].append(other["turn"] + 1)
    return result


def go_on(state: State, faces: list[int], to_the_end: bool) -> list[dict[str, Any]]:
    """Resolve the pending step, or continue a move to its next moment."""
    pending = state["pending"]
    step = pending["step"]
    if not to_the_end and step["do"] == "move":
        pending["past"] = (pending["walked"] + 1, 0)
        found = openings(state, out_of_cover=True)
        if found:
            walk(state, found[0][0])
            return []
    state["pending"] = None
    return carry_out(state, {**step, "faces": faces}, pending["walked"])


def judge(state: State, step: Step) -> tuple[State, set[str]]:
    """Return the state in which the step would happen, and the rules it breaks.

    The state is a copy.
    """
    after, name, do = copied(state), step["actor"], step["do"]
    if do in ("check", "craft", "end-encounter"):
        return base.judge(state, step)
    if after["over"]:
        after["ledger"] = new_ledger()
        broken = set() if do in base.SUPPORT else {"turn.encounter"}
    else:
        broken = set() if do == "leave-cover" else reach_turn(after, name)  # A14
    return after, broken | broken_by_action(after, name, step)


def play_step(state: State, step: Step) -> tuple[State, dict[str, Any]]:
    """Return the state after the step, and its record.

    The step waits if it can.
    """
    do = step["do"]
    if do != "craft" and not state["order"]:
        state = base.begin_encounter(state)
    if do == "interrupt":
        broken, moment = broken_by_interrupt(state, step)
        if broken:
            return state, record_of(step, broken)
        after = copied(state)
        return after, record_of(step, rolls=[interrupt(after, step, moment)])
    if do == "settle":
        if state["pending"] is None or state["pending"]["who"] != step["actor"]:
            return state, record_of(step, {"grid.interrupt.what", *TRIGGERS, "turn.encounter"})
        after = copied(state)
        return after, record_of(step, rolls=go_on(after, faces_of(after, step), to_the_end=False))
    found = openings(state, out_of_cover=True) if state["pending"] else []
    if do == "leave-cover" and state["pending"] and step["actor"] not in [name for *_moment, name in found]:
        return state, record_of(step, {"grid.interrupt.what"})
    after, broken = judge(state, step)
    if broken:
        return state, record_of(step, broken)
    if do == "leave-cover" and after["pending"]:
        carry_out(after, step)
        return after, {**record_of(step), "able": {name for _moment, _turn, name in openings(after)}}
    if do not in ("check", "craft", "end-encounter") and not after["over"]:
        declare(after, step)
    if after["pending"]:
        return after, {**record_of(step), "able": {name for _moment, _turn, name in openings(after)}}
    return after, record_of(step, rolls=carry_out(after, step))


def faces_of(state: State, step: Step) -> list[int]:
    """Return the faces of the pending step.

    They are its own faces, or those of the settling step.
    """
    return list(state["pending"]["step"].get("faces") or step.get("faces", []))


def record_of(step: Step, broken: set[str] | None = None, rolls: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the record of a step."""
    return {"legal": not broken, "broken": broken or set(), "rolls": rolls or [], "able": set(), "prevented": False}


def finish(state: State) -> tuple[State, list[dict[str, Any]]]:
    """Resolve the pending step when no interrupt follows, and return its rolls."""
    if state["pending"] is None:
        return state, []
    after = copied(state)
    return after, go_on(after, faces_of(after, {}), to_the_end=True)


def play(tree: dict[str, Any]) -> tuple[list[State], list[dict[str, Any]]]:
    """Return the state after each step, and its record.

    Rolls of a pending step are in the record of the step that exposed its actor.
    """
    return play_steps(new_state(tree), tree["steps"])


def play_steps(state: State, steps: list[Step]) -> tuple[list[State], list[dict[str, Any]]]:
    """Play steps as `play` does, from any state without a pending step."""
    states, records = [], []
    exposing = waiting = -1
    for number, step in enumerate(steps):
        was_pending = state["pending"] is not None
        answers = answers_of(steps[number + 1 :])
        if not was_pending:
            state = {**state, "hidden": hidden_in(state, answers)}
        state, record = play_step(state, step)
        records.append(record)
        if not was_pending and state["pending"]:
            exposing = waiting = number
        if was_pending and step["do"] == "interrupt" and state["pending"] is None:
            records[exposing]["prevented"] = True
        if step["do"] == "settle" and record["legal"]:
            waiting = number
        if not answers:
            state, rolls = finish(state)
            if rolls:
                records[waiting]["rolls"] = rolls
        states.append(state)
    return states, records


def answers_of(steps: list[Step]) -> list[Step]:
    """List the answers that a step waits for: interrupts and settlings.

    They include leaving cover, if the same character interrupts afterwards.
    """
    run = list(itertools.takewhile(lambda step: step["do"] in (*WAITERS, "leave-cover"), steps))
    for number, step in enumerate(run):
        interrupters = [each["actor"] for each in run[number:] if each["do"] == "interrupt"]
        if step["do"] == "leave-cover" and step["actor"] not in interrupters:
            return run[:number]
    return run


def hidden_in(state: State, answers: list[Step]) -> list[str]:
    """List the characters in cover that a step waits for.

    They leave their cover in one of the answers. If an answer settles, all characters in cover are listed.
    """
    leavers = {step["actor"] for step in answers if step["do"] == "leave-cover"}
    all_wait = any(step["do"] == "settle" for step in answers)
    return [name for name, each in state["characters"].items() if each["in_cover"] and (all_wait or name in leavers)]


# Every legal action


def candidates(state: State, name: str) -> list[Step]:
    """List every step worth trying.

    These are the steps of fights off the board, every space for a blast, every end of a move and every push.
    """
    found = [step for step in base.candidates(state, name) if step["do"] != "blast"]
    for space, way in ends(state, name).items():
        found.append({"actor": name, "do": "move", "path": [*way.path[:-1], space]})
    spaces = state["place"].board.spaces
    for added in base.choices(state, name, "blast"):
        found += [{"actor": name, "do": "blast", "with": added, "at": list(space)} for space in spaces]
    if state["ledger"]["held"]:
        step = {"actor": name, "do": "reposition", "target": state["ledger"]["held"]}
        found += [{**step, "swap": True}, *({**step, "to": list(space)} for space in spaces)]
    return found


def interrupts(state: State) -> list[Step]:
    """List every legal interrupt of the pending step, and its settling.

    `when` names a moment, except for an interrupter's first.
    """
    who, seen = state["pending"]["who"], set()
    found: list[Step] = [{"actor": who, "do": "settle"}]
    for moment, _turn, name in openings(state):
        later = {"when": moment} if name in seen else {}
        seen.add(name)
        for added in base.choices(state, name, "basic-attack"):
            found.append({"actor": name, "do": "interrupt", "target": who, "with": added or "none", **later})
    return found


def legal(state: State) -> list[Step]:
    """List every legal action of every character now, without checks and crafting."""
    if state["pending"]:
        return interrupts(state)
    return base.legal(state, new_ledger, candidates, reach_turn, broken_by_action)
