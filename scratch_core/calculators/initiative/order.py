"""The order as the engine finds it, a row for everybody who has a place in it, each with its sum and its reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.initiative.people import People, Person
from scratch_core.catalogue import Rulings
from scratch_core.dice import Roller
from scratch_core.encounter import begin
from scratch_core.encounter import replay as apply_all
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure, Part
from scratch_core.rounds import Act, ManoState, OldState, SeizeFighter, SeizeState, Thrown
from scratch_core.scenario import FORMAT, Scenario, read_tree


@dataclass(frozen=True, slots=True)
class Reason:
    """Why somebody stands where it does, in words, and the rule that says so."""

    words: str
    rule: str


@dataclass(frozen=True, slots=True)
class Row:
    """A place in the order: who, its die and what is added, the faces that broke a tie, and the reasons.

    `place` is 0 for whoever has none in the first round; `members` are those who act in the turn, if there are several.
    """

    place: int
    name: str
    figure: Figure | None
    ties: tuple[int, ...]
    reasons: tuple[Reason, ...]
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """The rows, a sentence of what holds after them, with its rule, and every face by the id that it was thrown for."""

    rows: tuple[Row, ...]
    after: Reason
    faces: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Start:
    """What is known before the dice: who strikes first in the story, the rolls of an ambush, the rulings, faces."""

    first: tuple[str, ...]
    ambush: tuple[tuple[str, bool], ...]
    rulings: Mapping[str, str]
    faces: Mapping[str, Sequence[int]]


def groups_of(people: People, system: str) -> dict[str, str]:
    """The id of the group of everybody's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    shared = system in ("scratch", "seize")
    return {each.id: each.group if shared and each.group else each.id for each in people.people}


def find_order(people: People, system: str, start: Start, roller: Roller) -> Order:
    """Begin a fight by the engine and read the order off it. Raises `ScratchError` for what can't go together.

    Rules: `turn.order`, `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    return begun_order(read_tree(_tree(people, system, start)), start, roller)


def begun_order(scenario: Scenario, start: Start, roller: Roller) -> Order:
    """The order in which a scenario begins. Raises `ScratchError` as `find_order` does.

    Rules: `turn.order`, `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    orders = {"scratch": _scratch, "mano": _mano, "mano-old": _pools, "seize": _seize}
    return orders[scenario.system.name](scenario, start, roller)


def _tree(people: People, system: str, start: Start) -> dict[str, Any]:
    groups = groups_of(people, system)
    characters = [_character(each, system, groups[each.id]) for each in people.people]
    head: dict[str, Any] = {}
    if system == "mano" and start.first:
        head["first"] = list(start.first)
    ambushers = [who for who, success in start.ambush if success]
    if system == "mano-old" and ambushers:
        head["ambush"] = ambushers[0]
    read = Rulings.read(start.rulings)
    rulings = {name: getattr(read, name) for name in start.rulings}
    return {"format": FORMAT, "system": system, "characters": characters, "rulings": rulings, **head}


def _character(person: Person, system: str, group: str) -> dict[str, Any]:
    table: dict[str, Any] = {"id": person.id, "name": person.name}
    if system == "scratch":
        levels = {word: person.numbers[word] for word in ("stealth", "detection") if person.numbers.get(word)}
        return {**table, "group": group, "abilities": {"toughness": 1, **levels}}
    if system == "seize":
        return {**table, "group": group, "bonus": person.numbers.get("bonus", 0)}
    reach = {"reach": person.numbers.get("reach", 0)}
    return {**table, **reach, **({"hp": 1, "hp_round": 1} if system == "mano-old" else {})}


# Scratch


def _scratch(scenario: Scenario, start: Start, roller: Roller) -> Order:
    """Groups by their totals, ties by bare dice. Rules: `turn.order`, `turn.tie`, `turn.group`, `turn.member-order`."""
    before = scenario.start()
    state = apply_all(before, begin(before, roller, start.faces).events)
    members = {each.group: [who.name for who in before.members(each.group)] for each in state.initiative}
    rows = []
    for place, each in enumerate(state.initiative, 1):
        reasons = [Reason("the highest initiative" if place == 1 else "the next highest", "turn.order")]
        if each.ties:
            faces = ", then ".join(map(str, each.ties))
            reasons.append(Reason(f"level with another, and the next die shows {faces}", "turn.tie"))
        mine = tuple(members[each.group])
        if len(mine) > 1:
            reasons.append(Reason("one roll; they act in the order they like", "turn.member-order"))
        name = each.group if len(mine) > 1 else mine[0]
        rows.append(Row(place, name, each.figure, each.ties, tuple(reasons), mine if len(mine) > 1 else ()))
    after = Reason("The same order holds round after round.", "turn.order")
    return Order(tuple(rows), after, {each.group: each.faces for each in state.initiative})


# Around the table


def _mano(scenario: Scenario, start: Start, roller: Roller) -> Order:
    """Whoever surprises, else the story, else the longest reach, else dice; then clockwise (ruling K25).

    Rules: `mano.surprise.one`, `mano.surprise.both`, `mano.surprise.neither`, `mano.start.first`, `mano.start.reach`,
    `mano.order.seating`.
    """
    system, state = scenario.system, scenario.start()
    if start.ambush:
        decision = system.decide(state, Act("", "surprise-rolls", stalkers=start.ambush))
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = system.replay(state, decision.events)
    begun = system.begin(state, roller, start.faces)
    after: ManoState = system.replay(state, begun.events)
    if after.phase == "over":
        return Order((), Reason("Both ambushes fail: they miss each other, and there is no fight.", _NEITHER), {})
    if after.surprising:
        why = Reason("surprises the others without being surprised", "mano.surprise.one")
    elif len(after.first) == 1:
        why = Reason("strikes first in the story", "mano.start.first")
    elif begun.rolls:
        why = Reason("throws highest", "mano.start.first")
    else:
        why = Reason("has the longest reach", "mano.start.reach")
    more = () if not after.stalkers or after.surprising else (_no_surprise(after),)
    return _seated(system, after, begun.rolls, (why, *more), "mano.order.seating")


_NEITHER = "mano.surprise.neither"


def _no_surprise(state: ManoState) -> Reason:
    if len(state.stalkers) == 2:
        return Reason("both ambushes succeed, so nobody gains by it", "mano.surprise.both")
    return Reason("the ambush fails", "mano.start.first")


def _pools(scenario: Scenario, start: Start, roller: Roller) -> Order:
    """An ambusher, else the longest reach, else dice; then clockwise (ruling K25).

    Rules: `mano-old.surprise`, `mano-old.initiative.reach`, `mano-old.order.seating`.
    """
    system, state = scenario.system, scenario.start()
    begun = system.begin(state, roller, start.faces)
    after: OldState = system.replay(state, begun.events)
    if after.ambush:
        why = Reason("ambushes the others", "mano-old.surprise")
    elif begun.rolls:
        why = Reason("throws highest of those with the longest reach", "mano-old.initiative.reach")
    else:
        why = Reason("has the longest reach", "mano-old.initiative.reach")
    return _seated(system, after, begun.rolls, (why,), "mano-old.order.seating")


def _seated(
    system: Any, state: ManoState | OldState, rolls: Sequence[Thrown], first: tuple[Reason, ...], seating: str
) -> Order:
    """Everybody clockwise from the first, each with the dice that were thrown for it."""
    thrown = {each.who: each.faces for each in rolls}
    rows = []
    for place, who in enumerate(state.order, 1):
        faces = thrown.get(who, ())
        figure = Figure("die", (Part("face", faces[0], first[0].rule),)) if faces else None
        before = system.name_of(state, state.order[place - 2])
        reasons = first if place == 1 else (Reason(f"sits next, clockwise from {before}", seating),)
        if faces[1:]:
            reasons = (*reasons, Reason(f"the dice show {', then '.join(map(str, faces))}", first[0].rule))
        rows.append(Row(place, system.name_of(state, who), figure, faces[1:], reasons))
    return Order(tuple(rows), Reason("Turns go on clockwise, round after round.", seating), thrown)


# Choose-next


def _seize(scenario: Scenario, start: Start, roller: Roller) -> Order:
    """Who may open, and how everybody's roll stands; after the first turn nobody's roll counts.

    Rules: `seize.highest-first`, `seize.tie`, `seize.natural-20`, `seize.natural-1`, `seize.gm-roll`,
    `seize.choose-next`.
    """
    system, state = scenario.system, scenario.start()
    begun = system.begin(state, roller, start.faces)
    after: SeizeState = system.replay(state, begun.events)
    thrown = {each.who: each.faces for each in begun.rolls}
    order = [after.fighter(who) for who in system.order(after)]
    ranked = [*(each for each in order if not each.barred), *(each for each in order if each.barred)]
    rows = []
    for place, each in enumerate(ranked, 1):
        reasons = tuple(_seize_reasons(after, each, ranked))
        ties = thrown[each.group][1:]
        rows.append(Row(0 if each.barred else place, each.name, each.initiative, ties, reasons))
    names = " or ".join(after.fighter(each).name for each in after.openers)
    said = f"{names} opens. From then on whoever has had a turn chooses who is next."
    return Order(tuple(rows), Reason(said, "seize.choose-next"), thrown)


def _seize_reasons(state: SeizeState, who: SeizeFighter, ranked: Sequence[SeizeFighter]) -> Iterator[Reason]:
    """Why somebody stands where it does: its place, then the ties, then whose roll it was."""
    yield _seize_place(state, who)
    if not who.barred and _is_ahead_by_bonus(who, ranked):
        yield Reason("level with another; the higher bonus goes first", "seize.tie")
    faces = next((each.faces for each in state.rolled if each.who == who.group), ())
    if faces[1:]:
        yield Reason(f"level in all, and the next die shows {', then '.join(map(str, faces[1:]))}", "seize.tie")
    if sum(each.group == who.group for each in ranked) > 1:
        yield Reason(f"one roll for all of {who.group}", "seize.gm-roll")


def _seize_place(state: SeizeState, who: SeizeFighter) -> Reason:
    if who.extra:
        return Reason("rolled 20: acts first, and has one extra action", "seize.natural-20")
    if who.barred:
        return Reason("rolled 1: no turn in the first round", "seize.natural-1")
    is_first = who.id in state.openers
    return Reason("the highest opens" if is_first else "would open after those above", "seize.highest-first")


def _is_ahead_by_bonus(who: SeizeFighter, ranked: Sequence[SeizeFighter]) -> bool:
    """Whether the bonus decides between somebody and another of the same total."""
    alike = [each for each in ranked if each.extra == who.extra]  # a 20 outranks any total
    level = [each for each in alike if each.initiative.value == who.initiative.value]
    return any(each.bonus != who.bonus for each in level)
