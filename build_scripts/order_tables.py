"""Engine tables of the four turn orders: speeds, combos, getting ready, and the comparison of the four."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from build_scripts.drawings.captions import linked
from build_scripts.html_table import table
from build_scripts.markdown_rules import rule_link
from scratch_core.actions import Action
from scratch_core.dice import RecordedFaces
from scratch_core.encounter import begin, decide, why_not
from scratch_core.encounter import replay as apply_all
from scratch_core.rounds import MANO, MANO_OLD, SYSTEMS, Act, OldState, combo_limit
from scratch_core.scenario import FORMAT, Scenario, read_tree
from scratch_core.scenario import SYSTEMS as ORDERS

ROUNDS = 8
SPEEDS = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "1": Fraction(1), "1½": Fraction(3, 2), "2": Fraction(2)}
TITLES = {name: system.short for name, system in ORDERS.items()}


# Fights


def fight(system: str, characters: Sequence[Mapping[str, Any]], **head: Any) -> Any:
    """The scenario of a fight, as the engine reads it; whoever has no name is called by its id."""
    named = [{"name": str(each["id"]).capitalize(), **each} for each in characters]
    return read_tree({"format": FORMAT, "system": system, "characters": named, **head})


def begun(scenario: Scenario) -> Any:
    """The state once the fight has begun."""
    system, state = scenario.system, scenario.before
    return system.replay(state, system.begin(state, RecordedFaces(()), scenario.initiative).events)


def after(scenario: Scenario, state: Any, *acts: Act) -> Any:
    """The state after acts, each of which has to be legal."""
    for act in acts:
        decision = scenario.system.decide(state, act)
        if not decision.is_legal:
            raise ValueError(decision.say)
        state = scenario.system.replay(state, decision.events)
    return state


# Mano a Mano


def active_turns(speed: Fraction, rounds: int = ROUNDS) -> tuple[int, ...]:
    """The turns, from 1, in which a fighter of that speed acts when it acts as often as it may."""
    scenario = fight("mano", [{"id": "a", "speed": str(speed)}, {"id": "b"}], first="a")
    state = begun(scenario)
    found = []
    for number in range(1, rounds + 1):
        names = MANO.legal_names(state, "a")
        found += [number] if "active" in names else []
        state = after(scenario, state, Act("a", "active" if "active" in names else "skip"), Act("b", "active"))
    return tuple(found)


def speeds() -> str:
    """In which of eight turns a slow fighter acts."""
    rows = [
        (f"speed {name}", ", ".join(map(str, turns)), str(len(turns)))
        for name, speed in SPEEDS.items()
        if speed <= 1
        for turns in [active_turns(speed)]
    ]
    heads = ("Speed", f"Acts in turns, of {ROUNDS}", "In all")
    return table("order-speeds", "When slow fighters act", heads, rows)


def combos() -> str:
    """The most quick actions of a combo, by speed and weapons."""
    rows = [(f"speed {name}", str(combo_limit(speed, 1)), str(combo_limit(speed, 2))) for name, speed in SPEEDS.items()]
    return table("order-combos", "Quick actions in a combo", ("Speed", "One weapon", "Two or more"), rows)


# The pools


def _mara(stun: int = 0, damage: int = 0, hp_round: int = 3) -> Scenario:
    pools = {"stun": stun, "damage": damage, "other": 6 - stun - damage}
    characters = [{"id": "a", "hp": 6, "hp_round": hp_round, "pools": pools}, {"id": "b", "hp": 6, "hp_round": 3}]
    scenario: Scenario = fight("mano-old", characters, ambush="a")
    return scenario


def _ready(scenario: Scenario, state: OldState) -> OldState:
    """The state at phase 3 of a's turn; where there is a choice, out of other first."""
    found: OldState = after(scenario, state, Act("a", "start-turn"))
    if found.active == "a" and found.step == "ready":
        found = after(scenario, found, next(iter(MANO_OLD.variants(found, "a", "ready"))))
    return found


def ready() -> str:
    """Getting ready with 6 hit points and 3 HP/round."""
    rows = []
    for stun in (4, 0, 2):
        scenario = _mara(stun + 1 if stun else 0)
        state = after(scenario, begun(scenario), Act("a", "start-turn"))
        who = state.fighter("a")
        picks = f"you pick {who.hp_round} of {who.eligible}" if state.step == "ready" else "nothing to pick"
        count = who.hp_round if state.step == "ready" else who.ready
        rows.append((f"{who.stun} in stun", str(6 - who.stun), str(count), picks))
    heads = ("Position", "May go", "Become ready", "Your choice")
    return table("order-ready", "What becomes ready", heads, rows)


def spendable(scenario: Scenario, rounds: int) -> tuple[int, ...]:
    """The points that a can spend in each of its next turns, when it spends all of them on other things."""
    state = begun(scenario)
    found = []
    for _ in range(rounds):
        state = _ready(scenario, state)
        points = state.fighter("a").ready if state.active == "a" else 0
        found.append(points)
        if points:
            state = after(scenario, state, Act("a", "spend", points=points, use="power", to="other"))
        state = after(scenario, state, Act("b", "start-turn"))
        if state.step == "ready":
            state = after(scenario, state, next(iter(MANO_OLD.variants(state, "b", "ready"))))
        state = after(scenario, state, Act("b", "end-turn"))
    return tuple(found)


def wounds_in_pools() -> str:
    """What points in stun or damage leave to spend, turn by turn."""
    rows = []
    for lost in (0, 2, 4, 6):
        stun = " · ".join(map(str, spendable(_mara(stun=lost), 4)))
        damage = " · ".join(map(str, spendable(_mara(damage=lost), 4)))
        rows.append((f"{lost} of 6", stun, damage))
    heads = ("Hit points lost", "In stun: points to spend in turns 1 to 4", "In damage")
    return table("order-wounds-pools", "What a wound leaves to spend", heads, rows)


# All four


WORDS = (
    (
        "Goes first",
        "the [[turn.order|highest roll]]",
        "[[mano.surprise.one|who surprises]], else [[mano.start.first|the story]], else [[mano.start.reach|reach]]",
        "[[mano-old.surprise|who ambushes]], else [[mano-old.initiative.reach|reach]]",
        "[[seize.natural-20|a rolled 20]], else the [[seize.highest-first|highest roll]]",
    ),
    (
        "Who chooses the next",
        "the roll, [[turn.order|every round the same]]; inside a group [[turn.member-order|its player]]",
        "nobody: [[mano.order.seating|clockwise]]",
        "nobody: [[mano-old.order.seating|clockwise]]",
        "[[seize.choose-next|whoever has had the turn]]",
    ),
    (
        "Dice",
        "[[turn.initiative-roll|one for each group]]",
        "only in a [[mano.start.first|dispute]]",
        "only for equal reach",
        "[[seize.roll|one for everybody]], or [[seize.gm-roll|one for many]]",
    ),
    (
        "Breaks the order",
        "nothing",
        "an ally who [[mano.order.formation|holds back]]; a counterattack only [[mano.counter.order|comes in between]]",
        "nothing",
        "[[seize.claim|a lost hit point]]",
    ),
    (
        "One turn holds",
        "[[act.regular|a regular]] and [[act.bonus|a bonus action]]",
        "[[mano.turn.options|a move and an action or combo]]",
        "as much as [[mano-old.phase.actions|ready points]] pay for",
        "an action; [[seize.natural-20|one more]] after a 20",
    ),
    (
        "The fast gain",
        "an earlier place, by [[stealth.initiative|stealth]] or [[detection.initiative|detection]]",
        "[[mano.combo.count|longer combos]]",
        "[[mano-old.phase.ready.cap|more ready points]]",
        "[[seize.bonus|the first turn]]",
    ),
    (
        "The wounded",
        "keep their place, [[hp.injured|act worse]]",
        "lose [[mano.combo.healthy|combos]]",
        "have [[mano-old.phase.ready|less to spend]]",
        "may [[seize.claim|seize]]",
    ),
)
"""The four orders in a few words: the question, then what each answers, with links to the rules."""


def words() -> str:
    """The four orders side by side in words."""
    rows = [(escape(question), *map(linked, answers)) for question, *answers in WORDS]
    return table("order-words", "The four orders in a few words", ("Question", *TITLES.values()), rows)


FOUR = (
    {"id": "ash", "stealth": 3, "reach": 1, "bonus": 3, "face": 12},
    {"id": "birch", "stealth": 0, "reach": 3, "bonus": 0, "face": 17},
    {"id": "cedar", "stealth": 1, "reach": 2, "bonus": 1, "face": 9},
    {"id": "dogwood", "stealth": 0, "reach": 1, "bonus": 4, "face": 14},
)
"""The same four in every order: as they sit, each with a die that has fallen."""


def cast() -> str:
    """The four fighters of the comparison."""
    rows = [
        (escape(str(each["id"]).capitalize()), *(str(each[key]) for key in ("face", "stealth", "reach", "bonus")))
        for each in FOUR
    ]
    heads = ("Seat by seat", "d20", "Stealth", "Reach", "Initiative Bonus")
    return table("order-cast", "Four fighters", heads, rows)


def _names(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(escape(each.capitalize()) for each in ids)


def _four(system: str) -> Any:
    keys = {"mano": ("reach",), "mano-old": ("reach",), "seize": ("bonus",)}.get(system, ())
    people: list[dict[str, Any]] = [{"id": each["id"], **{key: each[key] for key in keys}} for each in FOUR]
    for person, each in zip(people, FOUR, strict=True):
        if system == "scratch":
            person["abilities"] = {"toughness": 4} | ({"stealth": each["stealth"]} if each["stealth"] else {})
        if system == "mano-old":
            person |= {"hp": 4, "hp_round": 2}
    faces = {"initiative": {str(each["id"]): [each["face"]] for each in FOUR}} if system in ("scratch", "seize") else {}
    return fight(system, people, **faces)


def scratch_order(scenario: Scenario) -> tuple[tuple[str, int], ...]:
    """Groups and totals as the initiative fell."""
    state = scenario.before
    state = apply_all(state, begin(state, RecordedFaces(()), scenario.initiative).events)
    return tuple((each.group, each.figure.value) for each in state.initiative)


def _mano_round() -> tuple[str, ...]:
    scenario = _four("mano")
    state = begun(scenario)
    found = []
    while state.round == 1:
        found.append(state.active)
        state = after(scenario, state, Act(state.active, "active"))
    return tuple(found)


def _pool_round() -> tuple[str, ...]:
    scenario = _four("mano-old")
    state = begun(scenario)
    found = []
    while state.round == 1:
        who = state.active
        found.append(who)
        state = after(scenario, state, Act(who, "start-turn"))
        if state.step == "ready":
            state = after(scenario, state, next(iter(MANO_OLD.variants(state, who, "ready"))))
        state = after(scenario, state, Act(who, "end-turn"))
    return tuple(found)


def _seize_round(hurt: str = "") -> tuple[str, ...]:
    """A round in which everybody chooses the next seat that may be chosen; whoever is hurt in the first turn seizes."""
    scenario = _four("seize")
    system = SYSTEMS["seize"]
    state: Any = begun(scenario)
    found: list[str] = []
    while True:
        who = state.due[0]
        state = after(scenario, state, Act(who, "turn"))
        found.append(who)
        if hurt and len(found) == 1:
            state = after(scenario, state, Act(who, "lose-hp", hurt, points=1), Act(hurt, "seize"))
        if len(found) == len(FOUR):
            return tuple(found)
        if "choose" in system.legal_names(state, who):
            seats = [str(each["id"]) for each in FOUR]
            later = [*seats[seats.index(who) :], *seats]
            may = {act.target for act in system.variants(state, who, "choose")}
            state = after(scenario, state, Act(who, "choose", next(each for each in later if each in may)))


def same_four() -> str:
    """The same four with the same dice through all four orders."""
    scratch = scratch_order(_four("scratch"))
    totals = ", ".join(f"{group.capitalize()} {total}" for group, total in scratch)
    seize = _four("seize")
    sums = ", ".join(
        f"{each.name} {each.initiative.value}"
        for each in sorted(begun(seize).fighters, key=lambda each: -each.initiative.value)
    )
    usual, broken_into = _seize_round(), _seize_round("cedar")
    reach = "Birch has the longest reach"
    rows = [
        (_head("scratch"), *_names([each for each, _ in scratch]), f"{rule_link('turn.order', totals)}"),
        (_head("mano"), *_names(_mano_round()), rule_link("mano.start.reach", reach)),
        (_head("mano-old"), *_names(_pool_round()), rule_link("mano-old.initiative.reach", reach)),
        (
            _head("seize"),
            *_names(usual),
            f"{rule_link('seize.highest-first', sums)}; then {rule_link('seize.choose-next', 'by choice')}, "
            "here always the next seat",
        ),
        (
            "the same, Cedar hurt in the first turn",
            *_names(broken_into),
            f"Cedar {rule_link('seize.claim', 'breaks in')}",
        ),
    ]
    heads = ("Order", "First", "Second", "Third", "Fourth", "Why")
    return table("order-same-four", "The same four in all orders", heads, rows)


def _head(system: str) -> str:
    return escape(TITLES[system])


# Chances


def first_chance(system: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Fraction:
    """The chance that one goes before the other: every pair of faces begun by the engine, a tie half to each."""
    scenario = fight(system, [{"id": "a", **one}, {"id": "b", **other}])
    won = Fraction(0)
    for mine in range(1, 21):
        for theirs in range(1, 21):
            ties = RecordedFaces((20, 1))
            faces = {"a": [mine], "b": [theirs]}
            if system == "scratch":
                decision = begin(scenario.before, ties, faces)
                first = apply_all(scenario.before, decision.events).initiative[0].group
            else:
                decided = scenario.system.begin(scenario.before, ties, faces)
                first = scenario.system.replay(scenario.before, decided.events).openers[0]
            won += Fraction(1, 2) if ties.used else Fraction(first == "a")
    return won / 400


def percent(share: Fraction) -> str:
    """A chance for reading, rounded to a tenth, half up."""
    tenths = (2000 * share.numerator + share.denominator) // (2 * share.denominator)
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}%" if rest else f"{whole}%"


def chances() -> str:
    """The chance to go first against somebody who has nothing to add, by what one has."""
    tough = {"toughness": 1}
    rows = []
    for level in range(6):
        stealth = {"abilities": tough | ({"stealth": level} if level else {})}
        detection = {"abilities": tough | ({"detection": level} if level else {})}
        rows.append(
            (
                str(level),
                percent(first_chance("scratch", stealth, {"abilities": tough})),
                percent(first_chance("scratch", detection, {"abilities": tough})),
                "50%" if not level else "100%",
                percent(first_chance("seize", {"bonus": level}, {})),
            )
        )
    heads = ("You have", "Scratch: stealth", "Scratch: detection", "Both Mano a Manos: more reach", "Seize: bonus")
    return table("order-chances", "Chance to go first of two", heads, rows)


# Fast and wounded


def shares() -> str:
    """What a fast or slow fighter gets out of eight rounds."""
    rows: list[tuple[str, ...]] = [
        (_head("scratch"),),
        (rule_link("act.regular", "anybody"), f"{_scratch_turns(False)}", f"{_scratch_turns(False)} regular actions"),
        (_head("mano"),),
    ]
    for name, speed in SPEEDS.items():
        turns = len(active_turns(speed))
        rule = {"¼": "mano.speed.quarter", "½": "mano.speed.half"}.get(name, "mano.combo.count")
        quick = turns * combo_limit(speed, 1)
        rows.append((rule_link(rule, f"speed {name}"), str(turns), f"{quick} quick actions"))
    rows.append((f"{_head('mano-old')}, 6 hit points",))
    for hp_round in (2, 3):
        points = sum(spendable(_mara(hp_round=hp_round), ROUNDS))
        who = rule_link("mano-old.phase.ready.cap", f"HP/round {hp_round}")
        rows.append((who, str(ROUNDS), f"{points} points to spend"))
    rows.append((_head("seize"),))
    for face, rule, who in (
        (10, "seize.no-repeat", "anybody"),
        (20, "seize.natural-20", "rolled 20"),
        (1, "seize.natural-1", "rolled 1"),
    ):
        turns, count = _seize_turns(face)
        rows.append((rule_link(rule, who), str(turns), f"{count} actions"))
    heads = ("Who", f"Turns in {ROUNDS} rounds", "What they hold")
    return table("order-shares", f"What {ROUNDS} rounds hold", heads, rows)


def _seize_turns(face: int) -> tuple[int, int]:
    """The turns in eight rounds of two fighters, and the actions: one a turn, and the extra one."""
    scenario = fight("seize", [{"id": "a"}, {"id": "b"}], initiative={"a": [face], "b": [9]})
    system = SYSTEMS["seize"]
    state: Any = begun(scenario)
    turns = extra = 0
    while True:
        who = state.due[0]
        state = after(scenario, state, Act(who, "turn"))
        if state.round > ROUNDS:
            return turns, turns + extra
        turns += who == "a"
        if "extra-action" in system.legal_names(state, who):
            state, extra = after(scenario, state, Act(who, "extra-action")), extra + (who == "a")
        state = after(scenario, state, Act(who, "choose", "b" if who == "a" else "a"))


def _scratch_turns(is_held: bool) -> int:
    """In how many of eight rounds b may act, when a holds it in the first or does nothing."""
    people = [{"id": each, "abilities": {"toughness": 4}} for each in "ab"]
    scenario: Scenario = fight("scratch", people, initiative={"a": [15], "b": [5]})
    state = scenario.before
    state = apply_all(state, begin(state, RecordedFaces(()), scenario.initiative).events)
    count = 0
    for number in range(ROUNDS):
        if is_held and not number:
            state = apply_all(state, decide(state, Action("a", "hold", targets=("b",)), (20,)).events)
        state = apply_all(state, decide(state, Action("a", "end-turn"), ()).events)
        if not why_not(state, Action("b", "basic-attack", targets=("a",))):
            count += 1
            state = apply_all(state, decide(state, Action("b", "end-turn"), ()).events)
    return count


def _seize_place(hurt: str) -> int:
    return _seize_round(hurt).index("cedar") + 1


def _stunned_turns() -> int:
    """In how many of eight rounds a fighter with 1 stun may act."""
    scenario = fight("mano", [{"id": "a", "stun": 1}, {"id": "b"}], first="a")
    state: Any = begun(scenario)
    count = 0
    for _ in range(ROUNDS):
        count += "active" in MANO.legal_names(state, "a")
        state = after(scenario, state, Act("a", "active"), Act("b", "active"))
    return count


def wounds() -> str:
    """What one blow does to the order and to the turns of whoever takes it."""
    four = sum(spendable(_mara(stun=4), ROUNDS)), sum(spendable(_mara(damage=4), ROUNDS))
    none = sum(spendable(_mara(), ROUNDS))
    rows = [
        (
            _head("scratch"),
            rule_link("cond.delayed", "a hold"),
            f"{_scratch_turns(True)} of {ROUNDS} turns",
            "the order stays",
        ),
        (
            _head("mano"),
            rule_link("mano.stun.recover", "1 stun"),
            f"{_stunned_turns()} of {ROUNDS} turns; the stun goes with the first",
            "the order stays",
        ),
        (
            _head("mano-old"),
            rule_link("mano-old.phase.stun", "4 of 6 points into stun"),
            f"{four[0]} of {none} points to spend in {ROUNDS} turns",
            "the order stays",
        ),
        (
            _head("mano-old"),
            rule_link("mano-old.pools", "4 of 6 points into damage"),
            f"{four[1]} of {none} points to spend in {ROUNDS} turns",
            "the order stays",
        ),
        (
            _head("seize"),
            rule_link("seize.claim", "1 hit point"),
            f"{_seize_turns(10)[0]} of {ROUNDS} turns",
            f"Cedar above: from place {_seize_place('')} to place {_seize_place('cedar')}",
        ),
    ]
    heads = ("Order", "You suffer", "It leaves you", "Your place")
    return table("order-wounds", "What one blow costs", heads, rows)


ORDER_TABLES: dict[str, Callable[[], str]] = {
    "order-cast": cast,
    "order-chances": chances,
    "order-combos": combos,
    "order-ready": ready,
    "order-same-four": same_four,
    "order-shares": shares,
    "order-speeds": speeds,
    "order-words": words,
    "order-wounds": wounds,
    "order-wounds-pools": wounds_in_pools,
}
