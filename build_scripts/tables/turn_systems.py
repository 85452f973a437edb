"""Tables of the four turn systems: speeds, combos, readiness, and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import islice, takewhile
from typing import Any

from build_scripts.html_table import render_html_table
from build_scripts.markdown_extensions.captions import render_caption
from build_scripts.markdown_extensions.rule_links import render_rule_link
from scratch_core.dice import RecordedRoller
from scratch_core.encounter.actions import Action
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import TURN_SYSTEMS, Scenario, scenario_from_dict
from scratch_core.turn_systems.generic import GenericAction
from scratch_core.turn_systems.mano.records import compute_max_combo_size
from scratch_core.turn_systems.mano_old.records import OldState
from scratch_core.turn_systems.registry import MANO, MANO_OLD, VARIANT_TURN_SYSTEMS

ROUND_COUNT = 8
SPEEDS = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "1": Fraction(1), "1½": Fraction(3, 2), "2": Fraction(2)}
SYSTEM_TITLES = {name: system.title for name, system in TURN_SYSTEMS.items()}


# Fights


def build_fight_scenario(system: str, characters: Sequence[Mapping[str, Any]], **setup_fields: Any) -> Any:
    """Build the scenario of a fight.

    A character without a name gets one from its id.
    """
    characters_with_names = [{"name": str(each["id"]).capitalize(), **each} for each in characters]
    return scenario_from_dict(
        {"format": SCENARIO_FORMAT, "system": system, "characters": characters_with_names, **setup_fields}
    )


def build_begun_state(scenario: Scenario) -> Any:
    """Return the state after the fight has begun."""
    system, state = scenario.system, scenario.initial_state
    return system.apply_events(state, system.begin(state, RecordedRoller(()), scenario.initiative).events)


def apply_actions(scenario: Scenario, state: Any, *actions: Any, faces: Sequence[int] = ()) -> Any:
    """Apply actions to a state, and return the new state.

    Raises ValueError for an illegal one.
    """
    for action in actions:
        decision = scenario.system.decide(state, action, faces)
        if not decision.is_legal:
            raise ValueError(decision.narration)
        state = scenario.system.apply_events(state, decision.events)
    return state


# Mano a Mano


def list_numbers_of_active_turns(speed: Fraction = Fraction(1), stun: int = 0) -> tuple[int, ...]:
    """List the turns, from 1 to 8, in which a fighter acts.

    It acts as often as its speed and stun allow.
    """
    scenario = build_fight_scenario("mano", [{"id": "a", "speed": str(speed), "stun": stun}, {"id": "b"}], first="a")
    state = build_begun_state(scenario)
    turns = []
    for number in range(1, ROUND_COUNT + 1):
        names = MANO.legal_action_names(state, "a")
        turns += [number] if "active" in names else []
        state = apply_actions(
            scenario, state, GenericAction("a", "active" if "active" in names else "skip"), GenericAction("b", "active")
        )
    return tuple(turns)


def render_slow_fighters_turns_table() -> str:
    """Render the turns, out of eight, in which slow fighters act."""
    rows = [
        (f"speed {name}", ", ".join(map(str, turns)), str(len(turns)))
        for name, speed in SPEEDS.items()
        if speed <= 1
        for turns in [list_numbers_of_active_turns(speed)]
    ]
    heads = ("Speed", f"Acts in turns, of {ROUND_COUNT}", "In all")
    return render_html_table("order-speeds", "When slow characters act", heads, rows)


def render_combo_sizes_table() -> str:
    """Render the maximum quick actions of a combo, by speed and weapons."""
    rows = [
        (f"speed {name}", str(compute_max_combo_size(speed, 1)), str(compute_max_combo_size(speed, 2)))
        for name, speed in SPEEDS.items()
    ]
    return render_html_table("order-combos", "Quick actions in a combo", ("Speed", "One weapon", "Two or more"), rows)


# The pools


def _build_pool_fight(stun: int = 0, damage: int = 0, hp_round: int = 3) -> Scenario:
    pools = {"stun": stun, "damage": damage, "other": 6 - stun - damage}
    characters = [{"id": "a", "hp": 6, "hp_round": hp_round, "pools": pools}, {"id": "b", "hp": 6, "hp_round": 3}]
    scenario: Scenario = build_fight_scenario("mano-old", characters, ambush="a")
    return scenario


def _advance_to_action_phase(scenario: Scenario, state: OldState, fighter_id: str) -> OldState:
    """Return the state in phase 3 of a fighter's turn.

    If there is a choice, points of the pool "other" are used first.
    """
    next_state: OldState = apply_actions(scenario, state, GenericAction(fighter_id, "start-turn"))
    if next_state.active == fighter_id and next_state.step == "ready":
        next_state = apply_actions(
            scenario, next_state, next(iter(MANO_OLD.list_legal_actions_named(next_state, fighter_id, "ready")))
        )
    return next_state


def render_ready_points_table() -> str:
    """Render how 6 hit points become ready with 3 HP/round."""
    rows = []
    for stun in (4, 0, 2):
        scenario = _build_pool_fight(stun + 1 if stun else 0)
        state = apply_actions(scenario, build_begun_state(scenario), GenericAction("a", "start-turn"))
        who = state.fighter("a")
        picks = f"you pick {who.hp_round} of {who.eligible_points}" if state.step == "ready" else "nothing to pick"
        count = who.hp_round if state.step == "ready" else who.ready
        rows.append((f"{who.stun} in stun", str(6 - who.stun), str(count), picks))
    heads = ("Position", "May go", "Become ready", "Your choice")
    return render_html_table("order-ready", "What becomes ready", heads, rows)


def play_and_list_spent_points(scenario: Scenario, rounds: int) -> tuple[int, ...]:
    """List the points that `a` spends in its turns, as many as possible."""
    state = build_begun_state(scenario)
    spent = []
    for _ in range(rounds):
        state = _advance_to_action_phase(scenario, state, "a")
        points = state.fighter("a").ready if state.active == "a" else 0
        spent.append(points)
        if points:
            state = apply_actions(scenario, state, GenericAction("a", "spend", points=points, use="power", to="other"))
        state = apply_actions(scenario, _advance_to_action_phase(scenario, state, "b"), GenericAction("b", "end-turn"))
    return tuple(spent)


def render_pool_wounds_table() -> str:
    """Render the points to spend, turn by turn, after points in stun or damage."""
    rows = []
    for lost in (0, 2, 4, 6):
        stun = " · ".join(map(str, play_and_list_spent_points(_build_pool_fight(stun=lost), 4)))
        damage = " · ".join(map(str, play_and_list_spent_points(_build_pool_fight(damage=lost), 4)))
        rows.append((f"{lost} of 6", stun, damage))
    heads = ("Hit points lost", "In stun: hit points to spend in turns 1 to 4", "In damage")
    return render_html_table("order-wounds-pools", "Hit points to spend after stun or damage", heads, rows)


# All four


COMPARISON_ROWS = (
    (
        "Goes first",
        "the [[turn.order|highest roll]]",
        "[[mano.surprise.one|surprise]], then [[mano.start.first|the story]], then [[mano.start.reach|reach]]",
        "[[mano-old.surprise|an ambush]], then [[mano-old.initiative.reach|reach]]",
        "[[seize.natural-20|a natural 20]], then the [[seize.highest-first|highest roll]]",
    ),
    (
        "Who chooses who is next",
        "the roll, [[turn.order|every round the same]]; inside a group [[turn.member-order|its player]]",
        "no one: [[mano.order.seating|clockwise]]",
        "no one: [[mano-old.order.seating|clockwise]]",
        "[[seize.choose-next|the character whose turn has ended]]",
    ),
    (
        "Dice",
        "[[turn.initiative-roll|one for each group]]",
        "only in a [[mano.start.first|dispute]]",
        "only for equal reach",
        "[[seize.roll|one for everyone]], or [[seize.gm-roll|one for many]]",
    ),
    (
        "Changes the order",
        "nothing",
        "an ally who [[mano.order.formation|delays their turn]]; "
        "a counterattack is only [[mano.counter.order|inserted]]",
        "nothing",
        "[[seize.claim|a lost hit point]]",
    ),
    (
        "One turn has",
        "[[act.regular|a regular]] and [[act.bonus|a bonus action]]",
        "[[mano.turn.options|a move and an action or combo]]",
        "as much as [[mano-old.phase.actions|ready hit points]] pay for",
        "an action; [[seize.natural-20|one more]] after a 20",
    ),
    (
        "Fast characters get",
        "an earlier place, with [[stealth.initiative|stealth]] or [[detection.initiative|detection]]",
        "[[mano.combo.count|longer combos]]",
        "[[mano-old.phase.ready.cap|more ready hit points]]",
        "[[seize.bonus|the first turn]]",
    ),
    (
        "Injured characters",
        "keep their place, [[hp.injured|act worse]]",
        "lose [[mano.combo.healthy|combos]]",
        "have [[mano-old.phase.ready|less to spend]]",
        "may [[seize.claim|seize]]",
    ),
)
"""The four turn systems in a few words: a question, then the answer of each, with links to rules."""


def render_turn_systems_comparison_table() -> str:
    """Render the comparison of the four turn systems in words."""
    rows = [(escape(question), *map(render_caption, answers)) for question, *answers in COMPARISON_ROWS]
    return render_html_table(
        "order-words", "The four turn systems in a few words", ("Question", *SYSTEM_TITLES.values()), rows
    )


FOUR_FIGHTERS = (
    {"id": "ash", "stealth": 3, "reach": 1, "bonus": 3, "face": 12},
    {"id": "birch", "stealth": 0, "reach": 3, "bonus": 0, "face": 17},
    {"id": "cedar", "stealth": 1, "reach": 2, "bonus": 1, "face": 9},
    {"id": "dogwood", "stealth": 0, "reach": 1, "bonus": 4, "face": 14},
)
"""The same four fighters for every turn system, in the order of their seats, each with a die roll."""


def render_four_fighters_table() -> str:
    """Render the four fighters of the comparison."""
    rows = [
        (escape(str(each["id"]).capitalize()), *(str(each[key]) for key in ("face", "stealth", "reach", "bonus")))
        for each in FOUR_FIGHTERS
    ]
    heads = ("Seat by seat", "d20", "Stealth", "Reach", "Initiative Bonus")
    return render_html_table("order-cast", "Four characters", heads, rows)


def _build_four_fight(system: str) -> Any:
    keys = {"mano": ("reach",), "mano-old": ("reach",), "seize": ("bonus",)}.get(system, ())
    characters: list[dict[str, Any]] = [
        {"id": fighter["id"], **{key: fighter[key] for key in keys}} for fighter in FOUR_FIGHTERS
    ]
    for character, fighter in zip(characters, FOUR_FIGHTERS, strict=True):
        if system == "scratch":
            character["abilities"] = {"toughness": 4} | ({"stealth": fighter["stealth"]} if fighter["stealth"] else {})
        if system == "mano-old":
            character |= {"hp": 4, "hp_round": 2}
    faces = (
        {"initiative": {str(fighter["id"]): [fighter["face"]] for fighter in FOUR_FIGHTERS}}
        if system in ("scratch", "seize")
        else {}
    )
    return build_fight_scenario(system, characters, **faces)


def list_group_totals_in_order(scenario: Scenario) -> tuple[tuple[str, int], ...]:
    """List the groups with their totals in the order of initiative."""
    return tuple((each.group, each.figure.value) for each in build_begun_state(scenario).initiative)


def _list_first_round_fighters(system: str) -> list[str]:
    """List the turns of the first round in one of the two systems with seats."""
    scenario = _build_four_fight(system)
    state = build_begun_state(scenario)
    turns: list[str] = []
    while state.round == 1:
        who = state.active
        turns.append(who)
        if system == "mano":
            state = apply_actions(scenario, state, GenericAction(who, "active"))
        else:
            state = apply_actions(
                scenario, _advance_to_action_phase(scenario, state, who), GenericAction(who, "end-turn")
            )
    return turns


def _play_seize_turns(scenario: Scenario, hurt_fighter_id: str = "") -> Iterator[tuple[int, str, int]]:
    """Yield each turn: its round, its fighter and the number of its actions.

    A fighter chooses the next seat of those that are possible. The fighter `hurt_fighter_id` loses a hit point in the
    first turn and seizes the next one.
    """
    system = VARIANT_TURN_SYSTEMS["seize"]
    state = build_begun_state(scenario)
    seats = [each.id for each in state.fighters]
    while True:
        who = state.ids_entitled_to_next_turn[0]
        state = apply_actions(scenario, state, GenericAction(who, "turn"))
        has_extra = "extra-action" in system.legal_action_names(state, who)
        yield state.round, who, 1 + has_extra
        if has_extra:
            state = apply_actions(scenario, state, GenericAction(who, "extra-action"))
        if hurt_fighter_id:
            state = apply_actions(
                scenario,
                state,
                GenericAction(who, "lose-hp", hurt_fighter_id, points=1),
                GenericAction(hurt_fighter_id, "seize"),
            )
            hurt_fighter_id = ""
        if "choose" in system.legal_action_names(state, who):
            later = [*seats[seats.index(who) + 1 :], *seats]
            may = {act.target for act in system.list_legal_actions_named(state, who, "choose")}
            state = apply_actions(
                scenario, state, GenericAction(who, "choose", next(each for each in later if each in may))
            )


def _list_first_seize_round_fighters(hurt_fighter_id: str = "") -> list[str]:
    """List the turns of the first round."""
    return [
        who for _, who, _ in islice(_play_seize_turns(_build_four_fight("seize"), hurt_fighter_id), len(FOUR_FIGHTERS))
    ]


def render_turn_order_comparison_table() -> str:
    """Render the order of the same four fighters in all systems.

    Their die rolls are the same, too.
    """
    scratch = list_group_totals_in_order(_build_four_fight("scratch"))
    totals = ", ".join(f"{group.capitalize()} {total}" for group, total in scratch)
    seize = _build_four_fight("seize")
    sums = ", ".join(
        f"{each.name} {each.initiative.value}"
        for each in sorted(build_begun_state(seize).fighters, key=lambda each: -each.initiative.value)
    )
    reach = "Birch has the longest reach"
    rows = [
        (
            SYSTEM_TITLES["scratch"],
            *(group.capitalize() for group, _ in scratch),
            f"{render_rule_link('turn.order', totals)}",
        ),
        (
            SYSTEM_TITLES["mano"],
            *map(str.capitalize, _list_first_round_fighters("mano")),
            render_rule_link("mano.start.reach", reach),
        ),
        (
            SYSTEM_TITLES["mano-old"],
            *map(str.capitalize, _list_first_round_fighters("mano-old")),
            render_rule_link("mano-old.initiative.reach", reach),
        ),
        (
            SYSTEM_TITLES["seize"],
            *map(str.capitalize, _list_first_seize_round_fighters()),
            f"{render_rule_link('seize.highest-first', sums)}; then "
            f"{render_rule_link('seize.choose-next', 'by choice')}, here always the next seat",
        ),
        (
            "the same, Cedar damaged in the first turn",
            *map(str.capitalize, _list_first_seize_round_fighters("cedar")),
            f"Cedar {render_rule_link('seize.claim', 'seizes')}",
        ),
    ]
    heads = ("Turn system", "First", "Second", "Third", "Fourth", "Why")
    return render_html_table("order-same-four", "The same four in every turn system", heads, rows)


# Chances


def compute_chance_to_go_first(system: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Fraction:
    """Compute the chance of the first fighter to go before the second.

    The engine begins a fight for every pair of die rolls. A tie counts half for each.
    """
    scenario = build_fight_scenario(system, [{"id": "a", **one}, {"id": "b", **other}])
    won = Fraction(0)
    for mine in range(1, 21):
        for theirs in range(1, 21):
            ties = RecordedRoller((20, 1))
            faces = {"a": [mine], "b": [theirs]}
            decision = scenario.system.begin(scenario.initial_state, ties, faces)
            state = scenario.system.apply_events(scenario.initial_state, decision.events)
            first = state.openers[0] if system == "seize" else state.initiative[0].group
            won += Fraction(1, 2) if ties.used else Fraction(first == "a")
    return won / 400


def format_percent(share: Fraction) -> str:
    """Format a chance as a percentage, rounded to a tenth, half up."""
    tenths = (2000 * share.numerator + share.denominator) // (2 * share.denominator)
    whole, tenth = divmod(tenths, 10)
    return f"{whole}.{tenth}%" if tenth else f"{whole}%"


def render_chances_to_go_first_table() -> str:
    """Render the chance to go first against a fighter without bonuses."""
    tough = {"toughness": 1}
    rows = []
    for level in range(6):
        stealth = {"abilities": tough | ({"stealth": level} if level else {})}
        detection = {"abilities": tough | ({"detection": level} if level else {})}
        rows.append(
            (
                str(level),
                format_percent(compute_chance_to_go_first("scratch", stealth, {"abilities": tough})),
                format_percent(compute_chance_to_go_first("scratch", detection, {"abilities": tough})),
                "50%" if not level else "100%",
                format_percent(compute_chance_to_go_first("seize", {"bonus": level}, {})),
            )
        )
    heads = (
        "You have",
        "Scratch: stealth",
        "Scratch: detection",
        "Both versions of Mano a Mano: more reach",
        "Seize: bonus",
    )
    return render_html_table("order-chances", "Chance to go first against one opponent", heads, rows)


# Fast and wounded


def render_turns_and_actions_table() -> str:
    """Render what fast and slow fighters can do in eight rounds."""
    rows: list[tuple[str, ...]] = [
        (SYSTEM_TITLES["scratch"],),
        (
            render_rule_link("act.regular", "anyone"),
            f"{_count_scratch_turns_out_of_eight(False)}",
            f"{_count_scratch_turns_out_of_eight(False)} regular actions",
        ),
        (SYSTEM_TITLES["mano"],),
    ]
    for name, speed in SPEEDS.items():
        turns = len(list_numbers_of_active_turns(speed))
        rule = {"¼": "mano.speed.quarter", "½": "mano.speed.half"}.get(name, "mano.combo.count")
        quick = turns * compute_max_combo_size(speed, 1)
        rows.append((render_rule_link(rule, f"speed {name}"), str(turns), f"{quick} quick actions"))
    rows.append((f"{SYSTEM_TITLES['mano-old']}, 6 hit points",))
    for hp_round in (2, 3):
        points = sum(play_and_list_spent_points(_build_pool_fight(hp_round=hp_round), ROUND_COUNT))
        who = render_rule_link("mano-old.phase.ready.cap", f"HP/round {hp_round}")
        rows.append((who, str(ROUND_COUNT), f"{points} hit points to spend"))
    rows.append((SYSTEM_TITLES["seize"],))
    for face, rule, who in (
        (10, "seize.no-repeat", "anyone"),
        (20, "seize.natural-20", "rolled 20"),
        (1, "seize.natural-1", "rolled 1"),
    ):
        turns, count = _count_seize_turns_and_actions(face)
        rows.append((render_rule_link(rule, who), str(turns), f"{count} actions"))
    heads = ("Who", f"Turns in {ROUND_COUNT} rounds", "What they include")
    return render_html_table("order-shares", f"What {ROUND_COUNT} rounds include", heads, rows)


def _count_seize_turns_and_actions(face: int) -> tuple[int, int]:
    """Count the turns and actions of a fighter with this die roll.

    It fights eight rounds against another fighter.
    """
    scenario = build_fight_scenario("seize", [{"id": "a"}, {"id": "b"}], initiative={"a": [face], "b": [9]})
    rounds = takewhile(lambda turn: turn[0] <= ROUND_COUNT, _play_seize_turns(scenario))
    actions = [count for _, who, count in rounds if who == "a"]
    return len(actions), sum(actions)


def _count_scratch_turns_out_of_eight(is_held: bool) -> int:
    """Count the rounds, out of eight, in which b may act.

    With `is_held` a holds b in the first round; otherwise a does nothing.
    """
    characters = [{"id": each, "abilities": {"toughness": 4}} for each in "ab"]
    scenario = build_fight_scenario("scratch", characters, initiative={"a": [15], "b": [5]})
    state = build_begun_state(scenario)
    count = 0
    for number in range(ROUND_COUNT):
        if is_held and not number:
            state = apply_actions(scenario, state, Action("a", "hold", targets=("b",)), faces=(20,))
        state = apply_actions(scenario, state, Action("a", "end-turn"))
        if not scenario.system.check_action(state, Action("b", "basic-attack", targets=("a",))):
            count += 1
            state = apply_actions(scenario, state, Action("b", "end-turn"))
    return count


def _get_cedar_place(hurt_fighter_id: str) -> int:
    return _list_first_seize_round_fighters(hurt_fighter_id).index("cedar") + 1


def render_damage_effects_table() -> str:
    """Render how damage or a hold changes the order and a fighter's turns."""
    four = (
        sum(play_and_list_spent_points(_build_pool_fight(stun=4), ROUND_COUNT)),
        sum(play_and_list_spent_points(_build_pool_fight(damage=4), ROUND_COUNT)),
    )
    none = sum(play_and_list_spent_points(_build_pool_fight(), ROUND_COUNT))
    rows = [
        (
            SYSTEM_TITLES["scratch"],
            render_rule_link("cond.delayed", "a hold"),
            f"{_count_scratch_turns_out_of_eight(True)} of {ROUND_COUNT} turns",
            "the order stays",
        ),
        (
            SYSTEM_TITLES["mano"],
            render_rule_link("mano.stun.recover", "1 stun"),
            f"{len(list_numbers_of_active_turns(stun=1))} of {ROUND_COUNT} turns; the stun goes with the first",
            "the order stays",
        ),
        (
            SYSTEM_TITLES["mano-old"],
            render_rule_link("mano-old.phase.stun", "4 of 6 hit points in stun"),
            f"{four[0]} of {none} hit points to spend in {ROUND_COUNT} turns",
            "the order stays",
        ),
        (
            SYSTEM_TITLES["mano-old"],
            render_rule_link("mano-old.pools", "4 of 6 hit points in damage"),
            f"{four[1]} of {none} hit points to spend in {ROUND_COUNT} turns",
            "the order stays",
        ),
        (
            SYSTEM_TITLES["seize"],
            render_rule_link("seize.claim", "1 hit point"),
            f"{_count_seize_turns_and_actions(10)[0]} of {ROUND_COUNT} turns",
            f"Cedar above: from place {_get_cedar_place('')} to place {_get_cedar_place('cedar')}",
        ),
    ]
    heads = ("Turn system", "You take", "You still have", "Your place")
    return render_html_table("order-wounds", "What damage costs", heads, rows)


TURN_SYSTEM_TABLES: dict[str, Callable[[], str]] = {
    "order-cast": render_four_fighters_table,
    "order-chances": render_chances_to_go_first_table,
    "order-combos": render_combo_sizes_table,
    "order-ready": render_ready_points_table,
    "order-same-four": render_turn_order_comparison_table,
    "order-shares": render_turns_and_actions_table,
    "order-speeds": render_slow_fighters_turns_table,
    "order-words": render_turn_systems_comparison_table,
    "order-wounds": render_damage_effects_table,
    "order-wounds-pools": render_pool_wounds_table,
}
