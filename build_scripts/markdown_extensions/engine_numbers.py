"""The numbers of each rule in the engine, which pages write as `[[= rule]]`.

`[[= act.shooting.auto]]` writes 5. If a rule has several numbers, each has a name: `[[= act.knockout.damage injured]]`.
`word` after them spells the number, and `Word` capitalizes it: `[[= act.unrepeatable Word]]`. Lists of kinds are
written in the same way: `[[= def.agility abilities]]`. All of them come from the engine, the damage of an attack by
playing it. `[[plain two]]` writes a number that no rule sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any, Literal

from scratch_core.board import Board, MovementTraits, Space, list_path_prices
from scratch_core.characters import (
    ABOVE_AVERAGE,
    AVERAGE,
    HURRY_DIFFICULTY,
    MAX_MINIONS,
    AbilityLevel,
    Character,
    compute_weights,
    find_health,
)
from scratch_core.dice import SIDES, face_needed
from scratch_core.encounter.actions import compute_agility
from scratch_core.encounter.actions.interrupts import FREE_STEPS, TRIGGERS
from scratch_core.encounter.actions.positions import CLOSE_REACH
from scratch_core.encounter.engine import check_action
from scratch_core.errors import join_words
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.rulebook import ACTIONS
from scratch_core.rulebook.abilities import (
    ABILITIES,
    BENCHMARKS,
    DEFENCE_AGAINST,
    MAX_UNAIDED_SWIMMING,
    compute_toughness,
    get_ability,
)
from scratch_core.rulebook.action_spec import MOVEMENT, ActionSpec
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict
from scratch_core.turn_systems.mano.records import (
    EVADING_DEFENCE,
    compute_max_combo_size,
    count_skips_after_active_turn,
)
from scratch_core.turn_systems.mano.turn_system import STUN_RECOVERED
from scratch_core.turn_systems.mano_old.records import POOLS
from scratch_core.turn_systems.mano_old.turn_system import STUN_FREED
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from scratch_core.turn_systems.seize.records import FIRST_FACE, LATE_FACE

NamedNumbers = Mapping[str, int | str]
"""A rule's numbers by name; the name is "" if there is only one."""

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
"""The numbers 0 to 20 in words."""

_REQUEST_PATTERN = re.compile(r"(`+)[^`]+?\1|\[\[= *([^\]]+)\]\]|\[\[plain ([^\]]+)\]\]")

CARRY_TABLE = range(10, 21)
"""The values of strength in the table of weights."""

HEALTHY, INJURED = 9, 1
"""Hit points of an actor with toughness 9."""


@cache
def get_rule_numbers(rule_id: str) -> NamedNumbers:
    """Return the numbers of a rule by name, which are computed once.

    Returns an empty mapping if the rule has none.
    """
    return NUMBERS_BY_RULE[rule_id]() if rule_id in NUMBERS_BY_RULE else {}


def fill_in_engine_numbers(page_text: str) -> str:
    """Fill in every number of a text, except in code.

    Raises ValueError for a number that the engine does not have.
    """
    return _REQUEST_PATTERN.sub(
        lambda match: match[0] if match[1] else match[3] or format_requested_number(match[2]), page_text
    )


def format_requested_number(request: str) -> str:
    """Return the text of `[[= rule]]` or `[[= rule name]]`.

    Raises ValueError, with a list of the rule's numbers, for an unknown one.
    """
    rule, *names = request.split()
    form = names.pop() if names[-1:] in (["word"], ["Word"]) else ""
    numbers, name = get_rule_numbers(rule), " ".join(names)
    if name not in numbers:
        known = ", ".join(f"{rule} {each}".strip() for each in numbers) or "none for this rule"
        raise ValueError(f"expected a number of the engine ({known}), got [[= {request.strip()}]]")
    number = numbers[name]
    if form and isinstance(number, int):
        return NUMBER_WORDS[number].capitalize() if form == "Word" else NUMBER_WORDS[number]
    return str(number).replace("-", "−") if isinstance(number, int) else number


# Numbers from fights


def _build_sample_scenario(*characters: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Any:
    """Build a fight whose first character, `a`, takes these steps.

    Characters have toughness 9 unless their table has another one.
    """
    completed = [{**each, "abilities": {"toughness": HEALTHY, **each.get("abilities", {})}} for each in characters]
    tree = {"format": SCENARIO_FORMAT, "characters": completed, "initiative": {"a": [20], "b": [1]}}
    return scenario_from_dict({**tree, "steps": [{"actor": "a", **step} for step in steps]})


def _play_legal_steps(*steps: Mapping[str, Any], hp: int = HEALTHY, **levels: int) -> ScenarioResult:
    """Play steps of `a`, with these abilities, in a fight with `b`.

    `b` has no ability but toughness.
    """
    a = {"id": "a", "abilities": levels, "hp": hp, "here": ["level", "throwable", "cover"]}
    played = play(_build_sample_scenario(a, {"id": "b"}, steps=steps))
    assert all(record.is_legal for record in played.results), [record.narration for record in played.results]
    return played


def _compute_damage(do: str, face: int = 19, hp: int = HEALTHY, **levels: int) -> int:
    """Compute the damage of a successful attack.

    A roll of 19 with level 9 reaches every defence here.
    """
    step = {"do": do, "target": "b", "faces": [face]}
    return HEALTHY - _play_legal_steps(step, hp=hp, **levels).final_state.fighter("b").hp


def _play_healing(do: str, hp: int, toughness: int = HEALTHY) -> ScenarioResult:
    """Play an action of `a` that helps `b`."""
    b = {"id": "b", "abilities": {"toughness": toughness}, "hp": hp}
    step = {"do": do, "target": "b", "faces": [19]}
    return play(_build_sample_scenario({"id": "a", "abilities": {"healing": 9}}, b, steps=[step]))


def _compute_healed_hp(do: str, hp: int, toughness: int = HEALTHY) -> int:
    """Return the hit points of `b` after help."""
    return _play_healing(do, hp, toughness).final_state.fighter("b").hp


def _get_difficulty(played: ScenarioResult) -> int:
    """Return the difficulty of the last step's first roll."""
    return played.results[-1].rolls[0].against.value


def _get_healing_difficulty() -> int:
    """Return the difficulty of healing an injury and of reviving.

    Raises ValueError if they differ, because texts that give one difficulty for both are then wrong.
    """
    healing, reviving = (
        get_rule_numbers("act.heal.injured")["difficulty"],
        get_rule_numbers("act.heal.revive")["difficulty"],
    )
    if healing != reviving:
        raise ValueError(f"expected one difficulty for act.heal, got {healing} to heal and {reviving} to revive")
    return int(healing)


def _compute_initiative_bonus(**levels: int) -> int:
    """Compute what levels add to an initiative roll of 20."""
    return _play_legal_steps(**levels).opening_state.initiative[0].figure.value - 20


def _get_defence_part(name: str, rule: str) -> int:
    """Return a rule's part of a defence, for a character without abilities."""
    return next(part.value for part in _build_empty_character().figures()[name].parts if part.rule == rule)


def _build_empty_character() -> Character:
    return Character("nobody", ())


def _compute_cover_changes() -> dict[str, int]:
    """Compute what cover subtracts from a roll, and what it adds to agility."""
    played = _play_legal_steps({"do": "take-cover"}, {"do": "check", "difficulty": 1, "faces": [9]})
    figure = played.results[-1].rolls[0].check.figure
    gained = (
        compute_agility(played.final_state.fighter("a")).value
        - compute_agility(played.opening_state.fighter("a")).value
    )
    return {"roll": figure.value - 9, "agility": gained}


def _compute_engage_changes() -> dict[str, int]:
    """Compute what engaging adds to an attack, and to agility."""
    played = _play_legal_steps({"do": "engage"}, {"do": "basic-attack", "target": "b", "faces": [9]})
    total = played.results[-1].rolls[0].check.total
    end = (
        compute_agility(played.final_state.fighter("a")).value
        - compute_agility(played.opening_state.fighter("a")).value
    )
    return {"attack": total - 9, "agility": end}


def _compute_evade_bonus_without_ability() -> int:
    """Compute what an evade adds to agility without a movement ability."""
    played = _play_legal_steps({"do": "evade"})
    return (
        compute_agility(played.final_state.fighter("a")).value
        - compute_agility(played.opening_state.fighter("a")).value
    )


def _compute_price(terrain: str) -> int:
    """Compute what it costs on foot to enter a space of a terrain."""
    return list_path_prices(_build_board("." + terrain), MovementTraits(), ((1, 0),))[0]


def _build_board(*rows: str) -> Board:
    """Build a board of squares without tokens."""
    return Board("square", rows, frozenset(), frozenset(), frozenset())


def _compute_farthest_distance(spaces: Sequence[Space]) -> int:
    """Compute the distance of the farthest of these spaces from the middle of nine."""
    return max(_build_board("...", "...", "...").distance((1, 1), space) for space in spaces)


def _list_defence_abilities(defence: str) -> tuple[str, ...]:
    """List the abilities that count for a defence."""
    return tuple(each.name for each in ABILITIES if each.defence == defence)


def _join_linked_abilities(names: Sequence[str], joint: str) -> str:
    """Join abilities to a list in a sentence, each with a link to its rule."""
    return join_words([f"[[{get_ability(name).main_rule}|{name}]]" for name in names], joint)


def _get_four_fighter_numbers() -> NamedNumbers:
    """Count the fighters of the comparison, and return Dogwood's roll and bonus."""
    from build_scripts.tables.turn_systems import FOUR_FIGHTERS  # it imports this module

    dogwood = next(each for each in FOUR_FIGHTERS if each["id"] == "dogwood")
    return {"": len(FOUR_FIGHTERS), "dogwood": int(str(dogwood["face"])), "dogwood bonus": int(str(dogwood["bonus"]))}


def _list_hit_points_with_health(health: str) -> list[int]:
    """List the hit points, out of 9, with which a character has this health.

    `health` is "healthy", "injured" or "incapacitated".
    """
    return [hp for hp in range(HEALTHY + 1) if find_health(hp, HEALTHY) == health]


def _compute_hp_after_overkill() -> int:
    """Compute the hit points left after more damage than there are hit points."""
    b = {"id": "b", "hp": 1}
    step = {"do": "shoot", "target": "b", "faces": [20]}
    return (
        play(_build_sample_scenario({"id": "a", "abilities": {"shooting": 9}}, b, steps=[step]))
        .final_state.fighter("b")
        .hp
    )


def _compute_stamina(toughness: int) -> int:
    return _build_tough_character(toughness).stamina().value


def _build_tough_character(toughness: int) -> Character:
    return Character("x", (AbilityLevel("toughness", toughness),))


def _count_double_attack_rolls() -> int:
    step = {"do": "double-attack", "targets": ["b", "b"], "faces": [19, 19]}
    return len(_play_legal_steps(step, fighting=9).results[-1].rolls)


def _count_blast_targets() -> int:
    """Count the enemies that a blast may target."""
    enemies = [{"id": f"b{number}", "side": "b", "group": "b"} for number in range(9)]
    target_lists = [[each["id"] for each in enemies[:number]] for number in range(1, len(enemies) + 1)]
    blasts = [{"do": "blast", "targets": targets} for targets in target_lists]
    scenario = _build_sample_scenario({"id": "a", "abilities": {"blasting": 9}}, *enemies, steps=blasts)
    state = play(scenario, until=0).states[0]
    return sum(not check_action(state, step.action) for step in scenario.steps)


def _compute_crafted_bonus() -> int:
    """Compute what a crafted bonus adds to a level."""
    a, b = {"id": "a", "abilities": {"craftsmanship": 9}}, {"id": "b", "side": "a"}
    crafted = _build_sample_scenario(a, b, steps=[{"do": "craft", "target": "b", "ability": "toughness"}])
    return play(crafted).final_state.fighter("b").level("toughness") - HEALTHY


def _count_neighbours(shape: Literal["square", "hex"]) -> int:
    """Count the spaces around one."""
    board = Board(shape, ("...",) * 3, frozenset(), frozenset(), frozenset())
    return sum(board.distance((1, 1), space) == 1 for space in board.spaces)


def _count_actions_without_ability(action_kind: str) -> int:
    """Count the actions of a kind that need no ability, except the generic one."""
    return sum(
        each.kind.startswith(action_kind) and not each.required_abilities and each.do != action_kind for each in ACTIONS
    )


def _list_unrepeatable() -> list[ActionSpec]:
    return [each for each in ACTIONS if each.kind == "regular, once per encounter"]


def _find_half_rounding_direction(half: Callable[[int], int]) -> str:
    """Return "down" or "up" by how half of an odd number is rounded.

    Half of 7 equals half of 6 or of 8.
    """
    return {half(6): "down", half(8): "up"}[half(7)]


def _build_single(number: int) -> NamedNumbers:
    return {"": number}


NUMBERS_BY_RULE: Mapping[str, Callable[[], NamedNumbers]] = {
    # Rolls
    "roll.d20": lambda: {"least": 1, "most": SIDES},
    "roll.auto-success": lambda: _build_single(face_needed(0, 10**6)),
    "roll.beyond-reach": lambda: {"reach": face_needed(0, 10**6) - 1},
    "roll.ability-required": lambda: {"least level": 1},
    "roll.die-substitute": lambda: {"least": 1, "most": SIDES},
    # Characters
    "char.ability-level": lambda: {"least": 1, "absent": _build_empty_character().level("toughness")},
    "fifteen-abilities": lambda: _build_single(len(ABILITIES)),
    "act.basic.available": lambda: {
        "regular": _count_actions_without_ability("regular"),
        "bonus": _count_actions_without_ability("bonus"),
        "all": _count_actions_without_ability("regular") + _count_actions_without_ability("bonus"),
    },
    "act.unrepeatable": lambda: {
        "": len(_list_unrepeatable()),
        "actions": join_words([f"[[{each.rule}|{each.title.lower()}]]" for each in _list_unrepeatable()], "and"),
    },
    "create.cp": lambda: {"a level": Character("x", (AbilityLevel("stealth", 1),)).cp().value},
    "create.average": lambda: {"in all": AVERAGE.cp, "highest": AVERAGE.max_level},
    "create.above-average": lambda: {
        "in all": ABOVE_AVERAGE.cp,
        "highest": ABOVE_AVERAGE.max_level,
        "fewest": ABOVE_AVERAGE.min_ability_count,
    },
    "swimming.scale": lambda: _build_single(MAX_UNAIDED_SWIMMING),
    "tough.benchmarks": lambda: {each.who: each.toughness for each in BENCHMARKS},
    "tough.training-armour": lambda: {
        "some training": compute_toughness(0, 1).value,
        "training": compute_toughness(0, 2).value,
        "armour": compute_toughness(0, 0, True).value,
    },
    "tough.none": lambda: _build_single(_build_empty_character().max_hp().value),
    # Defences
    "defences": lambda: _build_single(len(set(DEFENCE_AGAINST.values()))),
    "def.agility": lambda: {
        "": _get_defence_part("agility", "def.agility"),
        "abilities": _join_linked_abilities(_list_defence_abilities("agility"), "and"),
        "list": ", ".join(_list_defence_abilities("agility")),
        "count": len(_list_defence_abilities("agility")),
    },
    "def.intelligence": lambda: {
        "": _get_defence_part("intelligence", "def.intelligence"),
        "abilities": _join_linked_abilities(_list_defence_abilities("intelligence"), "and"),
        "list": ", ".join(_list_defence_abilities("intelligence")),
    },
    "def.strength.fallback": lambda: {
        "": _get_defence_part("strength", "def.strength.fallback"),
        "average": _build_tough_character(3).strength().value,
        "of 4": _build_tough_character(4).strength().value,
    },
    "def.strength": lambda: {
        "": Character("x", (AbilityLevel("wrestling", 1),)).strength().parts[0].value,
        "abilities": _join_linked_abilities(_list_defence_abilities("strength"), "and"),
        "list": ", ".join(_list_defence_abilities("strength")),
    },
    "move.use": lambda: {"And": join_words(MOVEMENT, "and").capitalize(), "or": join_words(MOVEMENT, "or")},
    # Hit points
    "hp.max": lambda: {"of 4": _build_tough_character(4).max_hp().value},
    "hp.stamina": lambda: {"half": _find_half_rounding_direction(_compute_stamina), "of 1": _compute_stamina(1)},
    "hp.injured": lambda: {"least": min(_list_hit_points_with_health("injured"))},
    "hp.incapacitated": lambda: _build_single(max(_list_hit_points_with_health("incapacitated"))),
    "hp.floor": lambda: _build_single(_compute_hp_after_overkill()),
    "hp.auto-damage": lambda: {
        "more": _compute_damage("basic-attack", 20, fighting=9) - _compute_damage("basic-attack", fighting=9),
    },
    # Attacks
    "act.basic-attack": lambda: {
        "": _compute_damage("basic-attack"),
        "on 20": _compute_damage("basic-attack", 20),
        "abilities": join_words(ACTION_SPECS["basic-attack"].usable_abilities, "or"),
    },
    "act.throw-object": lambda: _build_single(_compute_damage("throw")),
    "act.fighting.double": lambda: {"attacks": _count_double_attack_rolls()},
    "act.shooting": lambda: _build_single(_compute_damage("shoot", shooting=9)),
    "act.shooting.auto": lambda: _build_single(_compute_damage("shoot", 20, shooting=9)),
    "act.blasting": lambda: {
        "damage": _compute_damage("blast", blasting=9),
        "on 20": _compute_damage("blast", 20, blasting=9),
        "targets": _count_blast_targets(),
    },
    "act.blasting.rolls": lambda: {"on 20": _compute_damage("blast", 20, blasting=9)},
    "act.knockout": lambda: {
        "healthy": _compute_damage("knockout", knockout=9),
        "injured": _compute_damage("knockout", hp=INJURED, knockout=9),
    },
    "act.knockout.damage": lambda: {
        **get_rule_numbers("act.knockout"),
        "healthy on 20": _compute_damage("knockout", 20, knockout=9),
        "injured on 20": _compute_damage("knockout", 20, hp=INJURED, knockout=9),
    },
    "act.knockout.basic": lambda: _build_single(_compute_damage("basic-attack", knockout=9)),
    "act.wrestling.hold-damage": lambda: {
        "": _compute_damage("hold", wrestling=9),
        "on 20": _compute_damage("hold", 20, wrestling=9),
    },
    # Effects and help
    "act.cover": _compute_cover_changes,
    "act.cover.effect": _compute_cover_changes,
    "act.cover.stay": _compute_cover_changes,
    "act.engage": _compute_engage_changes,
    "act.evade.no-ability": lambda: _build_single(_compute_evade_bonus_without_ability()),
    "act.engage.penalty": lambda: {"lower": -_compute_engage_changes()["agility"]},
    "act.heal": lambda: {"difficulty": _get_healing_difficulty()},
    "act.heal.revive": lambda: {
        "": _compute_healed_hp("revive", 0),
        "difficulty": _get_difficulty(_play_healing("revive", 0)),
        "healthy": max(level for level in range(1, 9) if _compute_stamina(level) < _compute_healed_hp("revive", 0)),
    },
    "act.heal.injured": lambda: {
        "difficulty": _get_difficulty(_play_healing("heal", 1)),
        "more": _compute_healed_hp("heal", 1, 8) - 8 // 2,
        "half": _find_half_rounding_direction(lambda toughness: _compute_healed_hp("heal", 1, toughness)),
    },
    "craft.bonus": lambda: _build_single(_compute_crafted_bonus()),
    "craft.needs-level": lambda: get_rule_numbers("char.ability-level"),
    "craft.hurry": lambda: {"difficulty": HURRY_DIFFICULTY},
    "command.minions": lambda: _build_single(MAX_MINIONS),
    "stealth.initiative": lambda: {"times": _compute_initiative_bonus(stealth=1)},
    "detection.initiative": lambda: {"times": _compute_initiative_bonus(detection=1)},
    "turn.initiative-roll": lambda: get_rule_numbers("roll.d20"),
    # Weights, in kilograms and pounds a point
    "carry.pack": lambda: {"kg": compute_weights(1).pack_kg, "lb": f"{compute_weights(10).pack_lb / 10}"},
    "carry.short": lambda: {"kg": compute_weights(1).carry_kg, "lb": compute_weights(10).carry_lb // 10},
    "carry.lift": lambda: {"kg": compute_weights(1).lift_kg, "lb": compute_weights(10).lift_lb // 10},
    "carry.table": lambda: {
        "pack": gcd(*(compute_weights(each).pack_lb for each in CARRY_TABLE)),
        "short": gcd(*(compute_weights(each).carry_lb for each in CARRY_TABLE)),
        "lift": gcd(*(compute_weights(each).lift_lb for each in CARRY_TABLE)),
        "least": min(CARRY_TABLE),
        "most": max(CARRY_TABLE),
    },
    # The Grid
    "grid.move.base": lambda: {
        "healthy": MovementTraits().movement_budgets[0],
        "injured": MovementTraits(is_healthy=False).movement_budgets[0],
    },
    "grid.move.rough": lambda: _build_single(_compute_price("^")),
    "grid.move.water": lambda: _build_single(_compute_price("~")),
    "grid.move.step": lambda: {"squares": _count_neighbours("square"), "hexes": _count_neighbours("hex")},
    "grid.move.quickness": lambda: {
        **get_rule_numbers("grid.move.base"),
        "at 3": MovementTraits(quickness=3).movement_budgets[1],
        "at 4": MovementTraits(quickness=4).movement_budgets[1],
        "half": _find_half_rounding_direction(lambda level: MovementTraits(quickness=level).movement_budgets[1]),
    },
    "grid.move.flying": lambda: {
        "": list_path_prices(_build_board("..."), MovementTraits(flying=9), ((1, 0),))[0],
        "half": _find_half_rounding_direction(lambda level: MovementTraits(flying=level).movement_budgets[-1]),
    },
    "grid.escape.exit": lambda: _build_single(_compute_price(".")),
    "grid.close.reach": lambda: _build_single(CLOSE_REACH),
    "grid.hold.reposition": lambda: _build_single(
        _compute_farthest_distance(_build_board("...", "...", "...").neighbours((1, 1)))
    ),
    "grid.blast.area": lambda: _build_single(
        _compute_farthest_distance(_build_board("...", "...", "...").blast_area((1, 1)))
    ),
    "grid.interrupt.trigger.move": lambda: _build_single(FREE_STEPS),
    "grid.interrupt.trigger.far-attack": lambda: _build_single(CLOSE_REACH),
    "grid.interrupt.roll": lambda: {"abilities": join_words(ACTION_SPECS["interrupt"].usable_abilities, "or")},
    "grid.interrupt.what": lambda: {"triggers": len(TRIGGERS.split())},
    "grid.blast.max": lambda: {
        "squares": _count_neighbours("square") + 1,
        "hexes": _count_neighbours("hex") + 1,
        "without a board": _count_blast_targets(),
    },
    # The other turn systems
    "mano.start.evade": lambda: _build_single(EVADING_DEFENCE),
    "mano.speed.quarter": lambda: {
        "skips": count_skips_after_active_turn(Fraction(1, 4)),
        "one of": count_skips_after_active_turn(Fraction(1, 4)) + 1,
    },
    "mano.speed.half": lambda: {
        "skips": count_skips_after_active_turn(Fraction(1, 2)),
        "one of": count_skips_after_active_turn(Fraction(1, 2)) + 1,
    },
    "mano.combo.count": lambda: {
        "half": _find_half_rounding_direction(lambda halves: compute_max_combo_size(Fraction(halves, 2), 1)),
        "at ¼": compute_max_combo_size(Fraction(1, 4), 1),
        "at ½": compute_max_combo_size(Fraction(1, 2), 1),
        "at 1": compute_max_combo_size(Fraction(1), 1),
        "at 1½": compute_max_combo_size(Fraction(3, 2), 1),
    },
    "mano.combo.weapons": lambda: {
        "more": compute_max_combo_size(Fraction(1), 2) - compute_max_combo_size(Fraction(1), 1),
        "weapons": next(weapons for weapons in range(9) if compute_max_combo_size(Fraction(1), weapons) > 1),
    },
    "mano.stun.recover": lambda: _build_single(STUN_RECOVERED),
    "mano-old.pools": lambda: _build_single(len(POOLS)),
    "mano-old.phase.stun": lambda: _build_single(STUN_FREED),
    "seize.natural-20": lambda: _build_single(FIRST_FACE),
    "seize.natural-1": lambda: _build_single(LATE_FACE),
    "order-cast": _get_four_fighter_numbers,
    "turn-systems": lambda: {"all": len(VARIANT_TURN_SYSTEMS) + 1, "others": len(VARIANT_TURN_SYSTEMS)},
}
"""The functions that compute the numbers of each rule."""
