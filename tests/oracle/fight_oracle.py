"""A second implementation of Scratch basic off the grid: plain dictionaries, from the rule catalogue and the format.

Its author has not read the engine. The code is slow and obvious on purpose. A scenario is the JSON tree of the format.
A step that breaks a rule changes nothing; the oracle returns every rule it breaks, of which the engine names one.
"""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

State = dict[str, Any]
Step = dict[str, Any]
Broken = Callable[[State, str, Step], set[str]]

MOVEMENT = ("acrobatics", "quickness", "flying", "swimming")
DEFAULT_RULINGS = {
    "strength_base": 7,
    "detection_multiplier": 10,
    "unrepeatable_scope": "actor",
    "stack_abilities": False,
    "strength_use_max": False,
    "wrestling_double_legacy": False,
    "swimming_twice": True,
    "flyer_on_foot": "safe",
    "failed_hurry": "bonus",
}

CLOSE = ("basic-attack", "double-attack", "second-blow", "hold", "counter-hold", "distract", "knockout")
LONG = ("throw", "shoot", "blast", "surprise", "intimidate")
ATTACKS = CLOSE + LONG
SUPPORT = ("heal", "revive")
REGULAR = (*(each for each in ATTACKS if each != "second-blow"), *SUPPORT, "evade", "escape")
BONUS = ("engage", "take-cover", "bonus")
UNREPEATABLE = ("distract", "surprise", "intimidate")

# What a roll may add (`optional`) or must add (`required`: one of these).
OPTIONAL = {
    "basic-attack": ("fighting", "wrestling", "knockout"),
    "throw": (),
    "hold": ("wrestling", "detection", *MOVEMENT),
    "distract": MOVEMENT,
}
REQUIRED = {
    "double-attack": ("fighting",),
    "second-blow": ("fighting",),
    "counter-hold": ("wrestling",),
    "shoot": ("shooting",),
    "blast": ("blasting",),
    "knockout": ("knockout",),
    "surprise": ("stealth", "detection"),
    "intimidate": ("command",),
    "heal": ("healing",),
    "revive": ("healing",),
}

# The rules that say what an action adds, needs and is: any of them may be named for a wrong ability.
RULES_OF = {
    "basic-attack": {"act.basic-attack", "act.fighting.bonus", "act.wrestling.bonus", "act.knockout.basic"},
    "double-attack": {"act.fighting.double"},
    "second-blow": {"act.fighting.double"},
    "throw": {"act.throw-object"},
    "hold": {"act.hold", "act.wrestling.bonus", "detection.hold", "move.use"},
    "counter-hold": {"act.wrestling.counter-hold"},
    "distract": {"act.distract", "move.use"},
    "shoot": {"act.shooting"},
    "blast": {"act.blasting"},
    "knockout": {"act.knockout"},
    "surprise": {"act.surprise"},
    "intimidate": {"act.intimidate"},
    "heal": {"act.heal"},
    "revive": {"act.heal", "act.heal.revive"},
    "evade": {"act.evade", "move.use"},
}


# The tree


def rulings_of(tree: dict[str, Any]) -> dict[str, Any]:
    """Return the rulings of this scenario over the defaults."""
    return {**DEFAULT_RULINGS, **tree.get("rulings", {})}


def own_or_leaders(tree: dict[str, Any], entry: dict[str, Any], key: str) -> str:
    """Return an entry's `side` or `turn.group`.

    If it has none, it is the leader's for a minion, or else the id.
    """
    if key in entry:
        return str(entry[key])
    if "minion_of" in entry:
        return own_or_leaders(tree, find(tree, entry["minion_of"]), key)
    return str(entry["id"])


def find(tree: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the entry of a character."""
    return next(entry for entry in tree["characters"] if entry["id"] == name)


def groups_of(tree: dict[str, Any]) -> dict[str, list[str]]:
    """Map group ids to their members, in file order: `turn.group`."""
    groups: dict[str, list[str]] = {}
    for entry in tree["characters"]:
        groups.setdefault(own_or_leaders(tree, entry, "group"), []).append(entry["id"])
    return groups


def initiative_bonus(state: State, group: str) -> int:
    """Apply `stealth.initiative` and `detection.initiative`.

    The highest level of each counts, perhaps from different members (A20).
    """
    members = [state["characters"][name] for name in state["groups"][group]]
    stealth = max(level(member, "stealth") for member in members)
    detection = max(level(member, "detection") for member in members)
    multiplier: int = state["rulings"]["detection_multiplier"]
    return 2 * stealth + multiplier * detection


def fall_in(tied: list[str], faces: dict[str, list[int]], depth: int) -> list[str]:
    """Apply `turn.tie` and A21.

    All tied groups roll bare dice and are sorted; only groups that are still equal roll again.
    """
    if len(tied) == 1:
        return tied
    order: list[str] = []
    for face in sorted({faces[group][depth] for group in tied}, reverse=True):
        order += fall_in([group for group in tied if faces[group][depth] == face], faces, depth + 1)
    return order


def initiative_order(state: State) -> list[str]:
    """Return group ids in turn order: `turn.initiative-roll`, `turn.order`, `turn.tie`."""
    faces = state["faces"]
    totals = {group: faces[group][0] + initiative_bonus(state, group) for group in state["groups"]}
    order: list[str] = []
    for total in sorted(set(totals.values()), reverse=True):
        order += fall_in([group for group in totals if totals[group] == total], faces, 1)
    return order


def new_state(tree: dict[str, Any]) -> State:
    """Build the state before the first step: `hp.start`, `hp.max`."""
    characters = {}
    for entry in tree["characters"]:
        levels = {name: level for name, level in entry["abilities"].items() if level >= 1}
        characters[entry["id"]] = {
            "id": entry["id"],
            "side": own_or_leaders(tree, entry, "side"),
            "group": own_or_leaders(tree, entry, "group"),
            "minion": "minion_of" in entry,
            "levels": levels,
            "bonuses": {},  # ability -> the crafter who placed its +1
            "hp": entry.get("hp", levels.get("toughness", 0)),
            "hp_given": "hp" in entry,
            "here": list(entry.get("here", ["level"])),
            "turn": 0,  # own turns begun
            "evade": None,  # {"ability": name or "none", "bonus": n}
            "evaded_this_turn": False,
            "evaded_last_turn": False,
            "delays": [],  # the numbers of the own turns at whose end each delay ends
            "held_by": [],  # holders since the own last turn
            "panics": [],
            "engaged_attack": False,
            "engage_penalty": False,
            "in_cover": False,
            "flying_immune": False,
            "used": [],  # ("distract", "") or ("distract", target)
            "escaped": False,
        }
    return {
        "rulings": rulings_of(tree),
        "characters": characters,
        "groups": groups_of(tree),
        "faces": tree["initiative"],
        "order": [],  # group ids; set when the encounter begins
        "group_index": 0,
        "had_turn": [],  # members of the group on turn whose turn has begun or was passed over
        "active": "",  # whose turn is running
        "shown": "",  # whose turn the last step belonged to
        "round": 1,
        "began": False,
        "over": False,
        "ledger": new_ledger(),
        "hurry_failed": [],
    }


def begin_encounter(state: State) -> State:
    """Begin the encounter: initiative is rolled.

    Hit points that are not given are at their maximum (A25).
    """
    state = copied(state)
    state["order"] = initiative_order(state)
    for character in state["characters"].values():
        character["hp"] = character["hp"] if character["hp_given"] else max_hp(character)
    return state


def new_ledger() -> dict[str, Any]:
    """Build an empty record of what a turn has used."""
    return {"regular": [], "bonus": False, "nothing": False, "second_blow": False}


# Figures


def level(character: dict[str, Any], ability: str) -> int:
    """Apply `char.ability-level`, with the temporary bonus of `craft.bonus`."""
    base: int = character["levels"].get(ability, 0)
    return base + 1 if ability in character["bonuses"] else base


def max_hp(character: dict[str, Any]) -> int:
    """`hp.max`."""
    return level(character, "toughness")


def stamina(character: dict[str, Any]) -> int:
    """`hp.stamina`: half the toughness, rounded down."""
    return max_hp(character) // 2


def condition(character: dict[str, Any]) -> str:
    """`hp.healthy`, `hp.injured`, `hp.incapacitated`."""
    if character["hp"] == 0:
        return "incapacitated"
    return "healthy" if character["hp"] > stamina(character) else "injured"


def is_in_water(character: dict[str, Any]) -> bool:
    """Apply `swimming.in-water`: shallow or deep."""
    return "water" in character["here"] or "deep-water" in character["here"]


def is_suitable(character: dict[str, Any], ability: str) -> bool:
    """Apply `move.terrain`: this movement ability suits the place."""
    if ability == "acrobatics":
        return "climbable" in character["here"]
    if ability == "quickness":
        return "level" in character["here"]
    if ability == "flying":
        return "open-air" in character["here"]
    return is_in_water(character)


def agility(character: dict[str, Any]) -> int:
    """Apply `def.agility`, `swimming.in-water`, `act.evade`, `act.cover.effect` and `act.engage.penalty`."""
    value = 10 + max(level(character, name) for name in ("stealth", "acrobatics", "quickness", "flying"))
    if is_in_water(character):
        value += level(character, "swimming")
    if character["evade"]:
        value += character["evade"]["bonus"]
    if character["in_cover"]:
        value += 2
    if character["engage_penalty"]:
        value -= 2
    return value


def intelligence(character: dict[str, Any]) -> int:
    """`def.intelligence`."""
    return 10 + max(level(character, name) for name in ("detection", "command", "healing", "craftsmanship"))


def strength(state: State, character: dict[str, Any]) -> int:
    """Apply `def.strength`, `def.strength.fallback` (K01, A01) and `act.evade`."""
    fallback = state["rulings"]["strength_base"] + level(character, "toughness")
    trained = max(level(character, "wrestling"), level(character, "swimming"))
    if trained == 0:
        value = fallback
    elif state["rulings"]["strength_use_max"]:
        value = max(10 + trained, fallback)
    else:
        value = 10 + trained
    if character["evade"]:
        value += character["evade"]["bonus"]
    return int(value)


def is_down(character: dict[str, Any]) -> bool:
    """`hp.incapacitated`, `tough.none`."""
    return bool(character["hp"] == 0 or max_hp(character) == 0)


def winner(state: State) -> str:
    """Return the only side with characters that are neither down nor escaped."""
    sides = {c["side"] for c in state["characters"].values() if not is_down(c) and not c["escaped"]}
    return str(sides.pop()) if len(sides) == 1 else ""


def figures(state: State) -> dict[str, Any]:
    """Return every figure that a scenario may expect, by its path."""
    shown: dict[str, Any] = {
        "round": state["round"] if state["order"] else 0,
        "order": state["order"],
        "active": state["shown"],
        "winner": winner(state),
    }
    for name, character in state["characters"].items():
        shown |= {
            f"hp.{name}": character["hp"],
            f"max_hp.{name}": max_hp(character),
            f"stamina.{name}": stamina(character),
            f"condition.{name}": condition(character),
            f"agility.{name}": agility(character),
            f"intelligence.{name}": intelligence(character),
            f"strength.{name}": strength(state, character),
            f"delayed.{name}": bool(character["delays"]),
            f"panicked.{name}": bool(character["panics"]),
            f"evading.{name}": character["evade"] is not None,
            f"in_cover.{name}": character["in_cover"],
            f"escaped.{name}": character["escaped"],
        }
    return shown


# Turns


def begin_turn(state: State, name: str) -> None:
    """Begin a turn: section 4.2, step 1."""
    character = state["characters"][name]
    character["turn"] += 1
    character["evade"] = None
    character["engage_penalty"] = False
    character["flying_immune"] = False
    state["ledger"] = new_ledger()
    state["active"] = name
    state["shown"] = name
    state["had_turn"] = [*state["had_turn"], name]
    state["began"] = True


def end_turn(state: State, name: str) -> None:
    """End a turn, and what lasts until its end (P5): section 4.2, step 4."""
    character = state["characters"][name]
    character["delays"] = [number for number in character["delays"] if number > character["turn"]]
    character["panics"] = [number for number in character["panics"] if number > character["turn"]]
    character["evaded_last_turn"] = character["evaded_this_turn"]
    character["evaded_this_turn"] = False
    character["held_by"] = []
    character["engaged_attack"] = False
    state["active"] = ""


def needs_to_flee(state: State, name: str) -> bool:
    """Apply `cond.panicked`, A07 and A08.

    The character is panicked and may still evade this turn, perhaps out of cover, which it may leave.
    """
    character = state["characters"][name]
    if not character["panics"] or character["delays"] or is_down(character) or character["escaped"]:
        return False
    return not (state["active"] == name and (state["ledger"]["regular"] or state["ledger"]["nothing"]))


def is_barred(state: State, name: str, broken: Broken | None = None) -> bool:
    """Return whether a character is down, gone or barred from acting.

    A delayed wrestler who may counter-hold, perhaps out of cover, is not barred. `broken` returns the rules that a step
    breaks, where there are more than these here.
    """
    character = copied(state["characters"][name])
    if is_down(character) or character["escaped"]:
        return True
    if not character["delays"]:
        return False
    character["in_cover"] = False
    trial = {**state, "characters": {**state["characters"], name: character}}
    broken = broken or broken_by_action
    return all(
        broken(trial, name, {"actor": name, "do": "counter-hold", "target": holder}) for holder in character["held_by"]
    )


class Turns(NamedTuple):
    """How a turn begins and ends, and when a character must stay in it or loses it: a board adds rules to each."""

    begin: Callable[[State, str], None] = begin_turn
    end: Callable[[State, str], None] = end_turn
    needs_to_flee: Callable[[State, str], bool] = needs_to_flee
    is_barred: Callable[[State, str], bool] = is_barred


def reach_turn(state: State, name: str, turns: Turns = Turns()) -> set[str]:  # noqa: B008 -- frozen
    """Advance a state to this character's turn, and return the rules against that."""
    if state["active"] == name:
        return set()
    broken: set[str] = set()
    if state["active"]:
        if turns.needs_to_flee(state, state["active"]):
            broken |= {"cond.panicked", "turn.order"}
        turns.end(state, state["active"])
    second = {"turn.member-turn"} if name in state["had_turn"] else set()
    for _ in range(len(state["order"]) + 1):
        members = state["groups"][state["order"][state["group_index"]]]
        waiting = [member for member in members if member not in state["had_turn"]]
        if name in waiting:
            turns.begin(state, name)
            return broken
        for member in waiting:
            if state["characters"][member]["escaped"]:
                continue  # `act.escape.effect`: no more turns
            turns.begin(state, member)
            if not turns.is_barred(state, member):
                broken |= {"turn.order"} | second
            turns.end(state, member)
        state["group_index"] += 1
        state["had_turn"] = []
        if state["group_index"] == len(state["order"]):
            state["group_index"] = 0
            state["round"] += 1
    raise AssertionError("every character is in a group")


# What may be added to a roll


def choices(state: State, name: str, do: str) -> list[list[str]]:
    """List every legal way to add abilities to this roll.

    The empty list is the bare face.
    """
    character = state["characters"][name]
    named = OPTIONAL.get(do, ()) + REQUIRED.get(do, ())
    able = [ability for ability in named if level(character, ability) >= 1]
    able = [ability for ability in able if ability not in MOVEMENT or is_suitable(character, ability)]
    found = [[ability] for ability in able]
    if state["rulings"]["stack_abilities"]:
        stackable = [ability for ability in able if ability != "knockout"]
        for count in range(2, len(stackable) + 1):
            found += [list(some) for some in itertools.combinations(stackable, count)]
    if do in OPTIONAL:
        found.append([])
    return found


def listed(given: Any) -> list[str]:
    """List the abilities that `with` names."""
    if given == "none":
        return []
    return sorted([given] if isinstance(given, str) else given)


def modifier(state: State, name: str, do: str, added: list[str]) -> int:
    """Apply `roll.modifier`: the sum of everything that is added to the face."""
    character = state["characters"][name]
    value = sum(level(character, ability) for ability in added)
    comes_on_top = state["rulings"]["swimming_twice"] or "swimming" not in added  # A11
    if do in CLOSE and is_in_water(character) and comes_on_top:
        value += level(character, "swimming")  # `swimming.in-water`
    if do in CLOSE and character["engaged_attack"]:
        value += 2  # `act.engage`
    if character["in_cover"]:
        value -= 2  # `act.cover.effect`
    return value


def best_choice(state: State, name: str, do: str) -> list[str]:
    """Return the abilities with the highest total.

    Of equal totals it is the choice with more effect: a wrestling hold does damage.
    """
    found = choices(state, name, do)
    return max(found, key=lambda added: (modifier(state, name, do, added), "wrestling" in added))


def broken_by_ability(state: State, name: str, do: str, given: Any) -> set[str]:
    """Return the rules against adding these abilities to that roll."""
    character = state["characters"][name]
    found = choices(state, name, do)
    if given is None:
        return set() if found else RULES_OF[do] | {"char.ability-level", "roll.ability-required"}
    added = listed(given)
    if added in [sorted(choice) for choice in found]:
        return set()
    named = OPTIONAL.get(do, ()) + REQUIRED.get(do, ())
    broken: set[str] = set()
    if not added:
        broken |= RULES_OF[do] | {"roll.ability-required"}
    for ability in added:
        if ability not in named:
            broken |= RULES_OF[do]
        if level(character, ability) == 0:
            broken |= RULES_OF[do] | {"char.ability-level", "roll.ability-optional", "roll.ability-required"}
            broken |= {f"{ability}.requires"} if ability in ("flying", "swimming") else set()
        if ability in named and ability in MOVEMENT and not is_suitable(character, ability):
            broken |= {"move.terrain", "swimming.requires" if ability == "swimming" else f"{ability}.terrain"}
    return broken or RULES_OF[do]


def evade_choice(state: State, name: str, given: Any) -> dict[str, Any]:
    """Apply `act.evade` and A10.

    The bonus is that of a movement ability that suits the place; any other ability gives 0.
    """
    character = state["characters"][name]
    usable = [ability for ability in MOVEMENT if level(character, ability) >= 1 and is_suitable(character, ability)]
    if given is None:
        deep = "deep-water" in character["here"]
        given = max(usable, key=lambda a: (level(character, a), deep and a == "swimming"), default="none")
    if given not in usable:
        return {"ability": "none", "bonus": 0}
    return {"ability": given, "bonus": level(character, given)}


# Legality


def targets_of(step: Step) -> list[str]:
    """List the targets, one for each roll.

    Of a double attack, `targets` with one name has both attacks at it, and `target` has only the first.
    """
    if "targets" in step:
        given = [step["targets"]] if isinstance(step["targets"], str) else list(step["targets"])
        if step["do"] == "double-attack" and len(given) == 1:
            given = given * 2
        return given
    return [step["target"]] if "target" in step else []


def broken_by_target(state: State, name: str, do: str, target: str) -> set[str]:
    """Return the rules against attacking this character."""
    character, other = state["characters"][name], state["characters"][target]
    broken = set(RULES_OF[do]) if target == name else set()  # silent; no one attacks itself
    if other["escaped"]:
        broken.add("act.escape.effect")
    if do in CLOSE and other["flying_immune"] and can_fly_here(other) and not can_fly_here(character):  # A12
        broken.add("flying.immunity")
    if is_deep_evading(other) and (do in LONG or level(character, "swimming") == 0):
        broken.add("swimming.deep-evade")
    return broken


def can_fly_here(character: dict[str, Any]) -> bool:
    """Apply `flying.immunity` and A12: the ability, and room for it."""
    return level(character, "flying") >= 1 and is_suitable(character, "flying")


def is_deep_evading(character: dict[str, Any]) -> bool:
    """Apply `swimming.deep-evade`."""
    evade = character["evade"]
    return evade is not None and evade["ability"] == "swimming" and "deep-water" in character["here"]


def broken_by_regular(state: State, name: str, do: str) -> set[str]:
    """Apply `act.regular`, and the second attack of the older wrestling rule (K06)."""
    character, done = state["characters"][name], state["ledger"]["regular"]
    if state["ledger"]["nothing"]:
        return {"act.regular", "turn.do-nothing"}
    if not done:
        return set()
    legacy = state["rulings"]["wrestling_double_legacy"] and level(character, "wrestling") >= 1
    if legacy and condition(character) == "healthy" and sorted([*done, do]) == ["basic-attack", "hold"]:
        return set()
    return {"act.regular"}


def can_attack_close(state: State, name: str) -> bool:
    """Return whether a close attack is still possible this turn (A15)."""
    others = [other for other in state["characters"] if other != name]
    return any(
        not broken_by_regular(state, name, do) and not broken_by_target(state, name, do, other)
        for do in ("basic-attack", "hold")
        for other in others
    )


def broken_by_state(state: State, name: str, do: str) -> set[str]:
    """Return the rules against this kind of action in the character's state."""
    character = state["characters"][name]
    broken: set[str] = set()
    if do == "end-turn":
        return broken  # always legal on one's turn
    if max_hp(character) == 0:
        broken |= {"tough.none", "hp.incapacitated"}
    if character["hp"] == 0:
        broken.add("hp.incapacitated")
    if character["escaped"]:
        broken.add("act.escape.effect")
    if do in ("nothing", "leave-cover"):
        return broken
    if character["delays"] and do != "counter-hold":
        broken.add("cond.delayed")
    if character["panics"] and (do in ATTACKS or do in SUPPORT or do == "engage"):
        broken.add("cond.panicked")
    if character["in_cover"] and (do in CLOSE or do in ("evade", "surprise", "intimidate", "engage")):
        broken |= {"act.cover.forbidden"} | ({"act.engage"} if do == "engage" else set())
    return broken


def broken_by_action(state: State, name: str, step: Step) -> set[str]:  # noqa: PLR0912
    """Apply section 4.3, on the character's own turn."""
    character, do, ledger = state["characters"][name], step["do"], state["ledger"]
    broken = broken_by_state(state, name, do)
    targets = targets_of(step)
    if do in ("nothing", "end-turn"):
        if needs_to_flee(state, name):
            broken.add("cond.panicked")
        return broken
    if do == "leave-cover":
        return broken if character["in_cover"] else broken | {"act.cover.stay", "act.cover"}
    if do == "second-blow" and not ledger["second_blow"]:  # A16: health was checked at the first attack
        broken |= {"act.fighting.double"} | broken_by_regular(state, name, do)
    if do in REGULAR:
        broken |= broken_by_regular(state, name, do)
    if do in BONUS and (ledger["bonus"] or ledger["nothing"]):
        broken |= {"act.bonus"} | ({"turn.do-nothing"} if ledger["nothing"] else set())
    if do in ATTACKS:
        for target in targets:
            broken |= broken_by_target(state, name, do, target)
    if do in OPTIONAL or do in REQUIRED:
        broken |= broken_by_ability(state, name, do, step.get("with"))
    if do in UNREPEATABLE and use_of(state, do, targets[0]) in character["used"]:
        broken.add("act.unrepeatable")
    if do == "double-attack" and condition(character) != "healthy":
        broken.add("act.fighting.double")
    if do == "throw" and "throwable" not in character["here"]:
        broken.add("act.throw-object.needs-object")
    if do == "counter-hold":
        broken |= broken_by_counter_hold(character, targets[0])
    if do == "blast":
        broken |= broken_by_blast(state, name, targets)
    if do == "evade" and step.get("with", "none") not in (*MOVEMENT, "none"):
        broken |= {"act.evade", "move.use"}
    if do == "escape" and not character["evaded_last_turn"]:
        broken.add("act.escape")
    if do == "engage" and not can_attack_close(state, name):
        broken.add("act.engage")
    if do == "take-cover":
        acted = ledger["regular"] or ledger["bonus"] or ledger["nothing"]
        if acted or "cover" not in character["here"] or character["in_cover"]:
            broken.add("act.cover")
    if do in SUPPORT:
        broken |= broken_by_heal(state, name, do, targets[0])
    return broken


def use_of(state: State, do: str, target: str) -> tuple[str, str]:
    """Return the key of a use of `act.unrepeatable`.

    It counts by character, or by pair (A03).
    """
    return (do, target if state["rulings"]["unrepeatable_scope"] == "pair" else "")


def broken_by_counter_hold(character: dict[str, Any], target: str) -> set[str]:
    """Apply A18."""
    able = character["delays"] and condition(character) == "healthy" and target in character["held_by"]
    return set() if able else {"act.wrestling.counter-hold"} | ({"cond.delayed"} if character["delays"] else set())


def broken_by_blast(state: State, name: str, targets: list[str]) -> set[str]:
    """`act.blasting`, `act.blasting.distinct`."""
    broken = set()
    if len(set(targets)) < len(targets):
        broken |= {"act.blasting.distinct"}
    if not 1 <= len(targets) <= 3:
        broken |= {"act.blasting"}
    side = state["characters"][name]["side"]
    if any(state["characters"][target]["side"] == side for target in targets):
        broken |= {"act.blasting"}
    return broken


def broken_by_heal(state: State, name: str, do: str, target: str) -> set[str]:
    """Apply `act.heal` and related rules, A23 and A24."""
    other, broken = state["characters"][target], set()
    if target == name:
        broken.add("act.heal.not-self")
    if other["minion"] and not state["over"]:
        broken.add("minion.no-heal")
    if other["escaped"] and not state["over"]:
        broken |= {"act.escape.effect", "act.heal"}
    if do == "heal" and condition(other) != "injured":
        broken |= {"act.heal", "act.heal.injured"}
    if do == "revive" and (condition(other) != "incapacitated" or max_hp(other) == 0):  # K14: for good
        broken |= {"act.heal", "act.heal.revive"}
    return broken


def broken_by_craft(state: State, name: str, step: Step) -> set[str]:
    """Apply `craft.bonus` and related rules, and A25."""
    character, other = state["characters"][name], state["characters"][step["target"]]
    broken: set[str] = set()
    if character["hp"] == 0 and max_hp(character) > 0:  # K14: without toughness one is down in encounters alone
        broken.add("hp.incapacitated")
    if state["began"] and not state["over"]:
        broken.add("craft.encounter-lock")
    if level(character, "craftsmanship") == 0:
        broken |= {"craft.bonus", "char.ability-level", "roll.ability-required"}
    ability = step["ability"]
    if not step.get("add", True):
        if other["bonuses"].get(ability) != name:
            broken |= {"craft.duration", "craft.bonus"}
        return broken
    if step["target"] == name:
        broken.add("craft.bonus")
    if ability not in other["levels"]:
        broken.add("craft.needs-level")
    if ability in other["bonuses"]:
        broken.add("craft.one-per-ability")
    placed = sum(list(each["bonuses"].values()).count(name) for each in state["characters"].values())
    if placed >= level(character, "craftsmanship"):
        broken.add("craft.bonus")
    if step.get("hurry", False):
        failed = [each for each in state["hurry_failed"] if each[0] == name]
        if state["rulings"]["failed_hurry"] == "bonus":  # A37
            is_locked = bool(failed) and placed + len(failed) >= level(character, "craftsmanship")
        else:
            is_locked = [name, step["target"], ability] in failed
        broken |= {"craft.hurry-fail"} if is_locked else set()
    return broken


# Playing


def copied(value: Any) -> Any:
    """Return a deep copy of dictionaries and lists."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


def judge(state: State, step: Step) -> tuple[State, set[str]]:
    """Return the state in which the step would happen, and the rules it breaks.

    The state is a copy.
    """
    after, name, do = copied(state), step["actor"], step["do"]
    if do == "check":
        required = step.get("requires", False) and level(after["characters"][name], step["ability"]) == 0
        return after, {"roll.ability-required"} if required else set()
    if do == "craft":
        return after, broken_by_craft(after, name, step)
    if do == "end-encounter":
        return after, {"turn.encounter"} if after["over"] else set()
    if after["over"]:
        after["ledger"] = new_ledger()
        broken = set() if do in SUPPORT else {"turn.encounter"}
    else:
        broken = set() if do == "leave-cover" else reach_turn(after, name)  # A14: cover is left in anyone's turn
    return after, broken | broken_by_action(after, name, step)


def roll(face: int, plus: int, against: int) -> dict[str, Any]:
    """`roll.modifier`, `roll.success`, `roll.auto-success`, `roll.no-auto-fail`."""
    total = face + plus
    success = face == 20 or total >= against
    return {"face": face, "total": total, "against": against, "success": success, "automatic": face == 20}


def defence(state: State, do: str, target: str) -> int:
    """`attack.type-map`, `act.intimidate.defence`."""
    other = state["characters"][target]
    if do in ("hold", "counter-hold"):
        return strength(state, other)
    if do in ("distract", "surprise"):
        return intelligence(other)
    if do == "intimidate":
        return max(intelligence(other), strength(state, other))
    return agility(other)


def hurt(character: dict[str, Any], points: int) -> None:
    """`hp.damage`, `hp.floor`."""
    character["hp"] = max(0, character["hp"] - points)


def delay(character: dict[str, Any]) -> None:
    """Delay a character until the end of its next turn."""
    character["delays"].append(character["turn"] + 1)


def damage_of(do: str, was_healthy: bool, automatic: bool) -> int:
    """`hp.auto-damage`, `act.shooting.auto`, `act.knockout.damage`."""
    if do == "shoot":
        return 5 if automatic else 2
    if do == "knockout":
        return (4 if was_healthy else 2) + automatic
    return 1 + automatic


def is_first_blow(step: Step) -> bool:
    """Return whether a double attack rolls only its first attack now (A16).

    With a `target` it does, and the second attack chooses its own target.
    """
    return step["do"] == "double-attack" and "targets" not in step


def strike(state: State, step: Step, target: str, face: int) -> dict[str, Any]:
    """Roll an attack at a target, and apply its effects."""
    name, do = step["actor"], step["do"]
    character, other = state["characters"][name], state["characters"][target]
    added = best_choice(state, name, do) if "with" not in step else listed(step["with"])
    was_healthy = condition(character) == "healthy"
    result = roll(face, modifier(state, name, do, added), defence(state, do, target))
    if not result["success"]:
        return result
    if do in ("basic-attack", "double-attack", "second-blow", "throw", "shoot", "blast", "knockout"):
        hurt(other, damage_of(do, was_healthy, result["automatic"]))
    if do in ("hold", "counter-hold"):
        if do == "hold" and "wrestling" in added and was_healthy and not state["rulings"]["wrestling_double_legacy"]:
            hurt(other, 1 + result["automatic"])
        delay(other)
        other["evade"] = None
        if name not in other["held_by"]:
            other["held_by"].append(name)
    if do == "distract":
        delay(other)
    if do in ("surprise", "intimidate"):
        other["panics"].append(other["turn"] + 1)
    return result


def perform(state: State, step: Step) -> list[dict[str, Any]]:  # noqa: PLR0912
    """Carry out a legal step on the state, and return its rolls."""
    name, do, faces = step["actor"], step["do"], list(step.get("faces", []))
    character, ledger = state["characters"][name], state["ledger"]
    rolls: list[dict[str, Any]] = []
    if do != "leave-cover":  # in another's turn, which goes on as it is (A14)
        ledger["second_blow"] = is_first_blow(step)  # any other step lets it go
    if do == "check":
        added = [step["ability"]] if level(character, step["ability"]) else []
        return [roll(faces[0], modifier(state, name, do, added), step["difficulty"])]
    if do == "craft":
        return craft(state, step, faces)
    if do == "end-encounter":
        end_encounter(state)
        return []
    if do in REGULAR:
        ledger["regular"].append(do)
    if do in BONUS:
        ledger["bonus"] = True
    if do in UNREPEATABLE:
        character["used"].append(use_of(state, do, targets_of(step)[0]))
    if do in ATTACKS:
        injured = condition(character) == "injured"
        for target, face in zip(targets_of(step), faces, strict=True):
            rolls.append(strike(state, step, target, face))
        if do == "knockout" or (do in ("shoot", "blast") and injured):
            delay(character)
    if do in SUPPORT:
        other = state["characters"][step["target"]]
        rolls.append(roll(faces[0], modifier(state, name, do, ["healing"]), 10))
        if rolls[0]["success"]:
            other["hp"] = stamina(other) + 1 if do == "heal" else min(1, max_hp(other))
    if do == "evade":
        character["evade"] = evade_choice(state, name, step.get("with"))
        character["evaded_this_turn"] = True
    on_foot = do == "evade" and character["evade"]["ability"] != "flying"
    if (do == "evade" or do in LONG) and not (on_foot and state["rulings"]["flyer_on_foot"] == "reachable"):  # A12
        character["flying_immune"] |= can_fly_here(character)
    if do == "escape":
        character["escaped"] = True
    if do == "engage":
        character["engaged_attack"] = True
        character["engage_penalty"] = True
    if do in ("take-cover", "leave-cover"):
        character["in_cover"] = do == "take-cover"
    if do == "nothing":
        ledger["nothing"] = True
    if do == "end-turn":
        end_turn(state, name)
    return rolls


def craft(state: State, step: Step, faces: list[int]) -> list[dict[str, Any]]:
    """Place or remove a bonus: `craft.bonus`, `craft.hurry`."""
    character, other = state["characters"][step["actor"]], state["characters"][step["target"]]
    if not step.get("add", True):
        del other["bonuses"][step["ability"]]
        other["hp"] = min(other["hp"], max_hp(other))
        return []
    rolls = []
    if step.get("hurry", False):
        rolls.append(roll(faces[0], modifier(state, step["actor"], "craft", ["craftsmanship"]), 10))
        if not rolls[0]["success"]:
            state["hurry_failed"].append([step["actor"], step["target"], step["ability"]])
            return rolls
    else:  # with time for this bonus, the crafter is no longer in a hurry
        state["hurry_failed"] = [failed for failed in state["hurry_failed"] if failed[0] != step["actor"]]
    other["bonuses"][step["ability"]] = character["id"]
    return rolls


def end_encounter(state: State) -> None:
    """Apply `turn.encounter`.

    What belongs to the encounter ends with it, and the hurry before a fight ends with the fight.
    """
    if state["began"]:
        state["hurry_failed"] = []
    if state["active"]:
        end_turn(state, state["active"])
    for character in state["characters"].values():
        character.update(evade=None, delays=[], panics=[], held_by=[], used=[], in_cover=False)
        character.update(engaged_attack=False, engage_penalty=False, flying_immune=False, evaded_last_turn=False)
    state["over"] = True


def play_step(state: State, step: Step) -> tuple[State, dict[str, Any]]:
    """Return the state after the step, and its record."""
    if step["do"] != "craft" and not state["order"]:
        state = begin_encounter(state)
    after, broken = judge(state, step)
    if broken:
        return state, {"legal": False, "broken": broken, "rolls": []}
    rolls = perform(after, step)
    return after, {"legal": True, "broken": set(), "rolls": rolls}


# Every legal action


def canonical(step: Step) -> tuple[tuple[str, Any], ...]:
    """Return a hashable form of a step.

    It has what decides the step, without faces and notes; of a path it has only the end.
    """
    found: dict[str, Any] = {key: step[key] for key in ("actor", "do", "swap", "when") if key in step}
    if "with" in step and step["do"] != "throw":
        found["with"] = tuple(listed(step["with"])) or ("none",)
    targets = targets_of(step)
    if targets:
        found["targets"] = tuple(sorted(targets))
    for key in ("at", "to", "path"):
        if key in step:
            found[key] = tuple(step[key][-1] if key == "path" else step[key])
    return tuple(sorted(found.items()))


def candidates(state: State, name: str) -> list[Step]:
    """List every step worth trying.

    These are all actions with all other characters as targets and all ways to add abilities.
    """
    others = [other for other in state["characters"] if other != name]
    found: list[Step] = [{"do": do} for do in ("escape", *BONUS, "leave-cover", "nothing", "end-turn")]
    character = state["characters"][name]
    suited = [ability for ability in MOVEMENT if level(character, ability) and is_suitable(character, ability)]
    found += [{"do": "evade", "with": ability} for ability in (*suited, "none")]
    for do in (*ATTACKS, *SUPPORT):
        for added in choices(state, name, do):
            tried: dict[str, Any] = {"do": do, "with": added or "none"}
            if do == "blast":
                for count in (1, 2, 3):
                    found += [{**tried, "targets": list(some)} for some in itertools.combinations(others, count)]
            elif do == "double-attack":
                found += [{**tried, "targets": list(pair)} for pair in itertools.product(others, repeat=2)]
                found += [{**tried, "target": other} for other in others]
            else:
                found += [{**tried, "target": other} for other in others]
    return [{"actor": name, **step} for step in found]


def legal(
    state: State,
    ledger: Callable[[], dict[str, Any]] = new_ledger,
    tried: Callable[[State, str], list[Step]] = candidates,
    reach: Callable[[State, str], set[str]] = reach_turn,
    broken: Broken = broken_by_action,
) -> list[Step]:
    """List every legal action of every character now, without checks and crafting."""
    found: list[Step] = []
    for name in [state["active"]] if state["active"] else state["characters"]:
        after = copied(state)
        if state["over"]:
            after["ledger"] = ledger()
            steps = [step for step in tried(after, name) if step["do"] in SUPPORT]
        else:
            steps = [] if reach(after, name) else tried(after, name)
        found += [step for step in steps if not broken(after, name, step)]
    return found
