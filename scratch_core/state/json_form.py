"""States and events as JSON and back: plain dictionaries, lists, texts and numbers, with a version.

What is read is checked piece by piece; anything damaged raises one `ScratchError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from scratch_core.catalogue import Rulings
from scratch_core.characters import from_json, to_json
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure, Part
from scratch_core.state.encounter_state import PHASES, Initiative, Ledger, State
from scratch_core.state.events import EVENTS, EncounterBegan, Event
from scratch_core.state.fighters import CAUSES, SURROUNDINGS, Delay, Evade, Fighter, Numbers

STATE_FORMAT = "scratch-state/1"
"""The tag that says which form a dictionary has."""

T = TypeVar("T")

_FLAGS = (
    "fresh",
    "evaded_this_turn",
    "evaded_last_turn",
    "engaged",
    "engage_penalty",
    "in_cover",
    "flying_immune",
    "escaped",
)


# Writing


def state_to_json(state: State) -> dict[str, object]:
    """The JSON form of a state; `state_from_json` gives an equal state back."""
    return {
        "format": STATE_FORMAT,
        "rulings": asdict(state.rulings),
        "phase": state.phase,
        "round": state.round,
        "place": state.place,
        "acted": list(state.acted),
        "active": state.active,
        "turn_over": state.turn_over,
        "regular": list(state.ledger.regular),
        "bonus": state.ledger.bonus,
        "initiative": [_initiative_to_json(each) for each in state.initiative],
        "lost_crafts": [list(each) for each in sorted(state.lost_crafts)],
        "fighters": [_fighter_to_json(each) for each in state.fighters],
    }


def _initiative_to_json(initiative: Initiative) -> dict[str, object]:
    parts = [[part.what, part.value, part.rule] for part in initiative.figure.parts]
    return {"group": initiative.group, "parts": parts, "ties": list(initiative.ties)}


def _fighter_to_json(fighter: Fighter) -> dict[str, object]:
    evading = fighter.evading
    written: dict[str, object] = {
        "name": fighter.name,
        "character": to_json(fighter.character),
        "side": fighter.side,
        "group": fighter.group,
        "here": sorted(fighter.here),
        "hp": fighter.hp,
        "turn": fighter.turn,
        "panicked_until": fighter.panicked_until,
        "delays": [[delay.cause, delay.by, delay.until] for delay in fighter.delays],
        "evading": [evading.ability, evading.bonus] if evading else [],
        "held_by": list(fighter.held_by),
        "used": [list(pair) for pair in fighter.used],
    }
    return {**written, **{flag: getattr(fighter, flag) for flag in _FLAGS}}


def event_to_json(event: Event) -> dict[str, object]:
    """The JSON form of an event: its kind as `event`, then its fields."""
    if isinstance(event, EncounterBegan):
        return {"event": "encounter-began", "initiative": [_initiative_to_json(each) for each in event.initiative]}
    return {"event": _kind(type(event)), **{each.name: getattr(event, each.name) for each in fields(event)}}


def _kind(kind: type[Event]) -> str:
    """`TurnBegan` as it is written: `turn-began`."""
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in kind.__name__)[1:]


_KINDS: dict[str, type[Event]] = {_kind(kind): kind for kind in EVENTS}


# Reading


def state_from_json(data: object) -> State:
    """The state of a JSON form. Raises `ScratchError` (`state.json`) for anything that `state_to_json` never wrote."""
    read = _Reader(data, "the state")
    if read.text("format") != STATE_FORMAT:
        raise _refused(f'"{STATE_FORMAT}"', read.data["format"], "format")
    given = read.table("rulings")
    rulings = Rulings.read(given)
    fighters = tuple(
        _fighter_from_json(each, f"fighters[{n}]", rulings) for n, each in enumerate(read.items("fighters"))
    )
    ids = {each.id for each in fighters}
    if len(ids) < len(fighters):
        raise _refused("each id once", "one twice", "fighters")
    initiative = tuple(
        _initiative_from_json(each, f"initiative[{n}]") for n, each in enumerate(read.items("initiative"))
    )
    state = State(
        fighters,
        rulings,
        read.one_of("phase", PHASES),
        initiative,
        read.number("round"),
        read.number("place"),
        read.texts("acted"),
        read.text("active"),
        read.flag("turn_over"),
        Ledger(read.texts("regular"), read.text("bonus")),
        frozenset(_three(each) for each in read.items("lost_crafts")),
    )
    _check_state(state, ids)
    return state


def _check_state(state: State, ids: set[str]) -> None:
    if not {*state.acted, state.active} <= {*ids, ""}:
        raise _refused("ids of fighters", "another", "acted and active")
    if not state.turn_over and not state.active:
        raise _refused("somebody on turn", "nobody", "active")
    if state.phase != "before" and sorted(state.order) != sorted(state.groups()):
        raise _refused("every group once", ", ".join(state.order), "initiative")
    if state.initiative and state.place >= len(state.initiative):
        raise _refused("a place in the order", state.place, "place")


def _initiative_from_json(data: object, where: str) -> Initiative:
    read = _Reader(data, where)
    parts = tuple(_part(each, where) for each in read.items("parts"))
    if not parts:
        raise _refused("a face", "no parts", where)
    return Initiative(read.text("group"), Figure("initiative", parts), read.numbers("ties"))


def _part(data: object, where: str) -> Part:
    match data:
        case [str(what), int(value), str(rule)]:
            return Part(what, value, rule)
    raise _refused("what, value and rule", data, where)


def _three(data: object) -> tuple[str, str, str]:
    match data:
        case [str(crafter), str(companion), str(ability)]:
            return crafter, companion, ability
    raise _refused("crafter, companion and ability", data, "lost_crafts")


def _fighter_from_json(data: object, where: str, rulings: Rulings) -> Fighter:
    read = _Reader(data, where)
    character = from_json(read.table("character"))
    numbers = Numbers.of(character, rulings)
    here = frozenset(read.texts("here"))
    hp = read.number("hp")
    if not here <= set(SURROUNDINGS):
        raise _refused(f"words of {', '.join(SURROUNDINGS)}", sorted(here), f"{where}.here")
    if hp > numbers.max_hp:
        raise _refused(f"0 to {numbers.max_hp}", hp, f"{where}.hp")
    return Fighter(
        character.name,
        read.text("name"),
        character,
        numbers,
        read.text("side"),
        read.text("group"),
        here,
        hp,
        turn=read.number("turn"),
        panicked_until=read.number("panicked_until"),
        delays=tuple(_delay(each, where) for each in read.items("delays")),
        evading=_evade(read.items("evading"), where),
        held_by=read.texts("held_by"),
        used=tuple(_pair(each, where) for each in read.items("used")),
        **{flag: read.flag(flag) for flag in _FLAGS},
    )


def _delay(data: object, where: str) -> Delay:
    match data:
        case [cause, str(by), int(until)] if cause in CAUSES:
            return Delay(cause, by, until)
    raise _refused("cause, by whom and until which turn", data, f"{where}.delays")


def _evade(data: list[object], where: str) -> Evade | None:
    match data:
        case []:
            return None
        case [str(ability), int(bonus)]:
            return Evade(ability, bonus)
    raise _refused("ability and bonus", data, f"{where}.evading")


def _pair(data: object, where: str) -> tuple[str, str]:
    match data:
        case [str(do), str(target)]:
            return do, target
    raise _refused("action and target", data, f"{where}.used")


def event_from_json(data: object) -> Event:
    """The event of a JSON form. Raises `ScratchError` (`state.json`) for what is none."""
    read = _Reader(data, "the event")
    kind = _KINDS.get(read.text("event"))
    if kind is None:
        raise _refused("a kind of event", read.text("event"), "event")
    if kind is EncounterBegan:
        return EncounterBegan(
            tuple(_initiative_from_json(each, f"initiative[{n}]") for n, each in enumerate(read.items("initiative")))
        )
    readers: dict[str, Callable[[str], Any]] = {"str": read.text, "int": read.number, "Cause": read.cause}
    return kind(**{each.name: readers[str(each.type)](each.name) for each in fields(kind)})


class _Reader:
    """Reads the values of one table, and refuses what has another type."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            raise _refused("a table", data, where)
        self.data: Mapping[str, Any] = data
        self.where = where

    def value(self, key: str, kind: type, expected: str) -> Any:
        value = self.data.get(key)
        if type(value) is not kind:
            raise _refused(expected, value, f"{self.where}.{key}")
        return value

    def text(self, key: str) -> str:
        return str(self.value(key, str, "a text"))

    def number(self, key: str) -> int:
        value = int(self.value(key, int, "a whole number"))
        if not 0 <= value <= 10**9:
            raise _refused("a whole number of 0 or more", value, f"{self.where}.{key}")
        return value

    def flag(self, key: str) -> bool:
        return bool(self.value(key, bool, "true or false"))

    def table(self, key: str) -> dict[str, Any]:
        return dict(self.value(key, dict, "a table"))

    def items(self, key: str) -> list[object]:
        return list(self.value(key, list, "a list"))

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(_text(each, f"{self.where}.{key}") for each in self.items(key))

    def numbers(self, key: str) -> tuple[int, ...]:
        items = self.items(key)
        numbers = tuple(each for each in items if type(each) is int)
        if len(numbers) < len(items):
            raise _refused("whole numbers", items, f"{self.where}.{key}")
        return numbers

    def one_of(self, key: str, choices: tuple[T, ...]) -> T:
        value = self.text(key)
        for choice in choices:
            if choice == value:
                return choice
        raise _refused(f"one of {', '.join(map(str, choices))}", value, f"{self.where}.{key}")

    def cause(self, key: str) -> Any:
        return self.one_of(key, CAUSES)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _refused("a text", value, where)
    return value


def _refused(expected: str, got: object, where: str) -> ScratchError:
    return ScratchError(Problem("state.json", expected, shown(got), where))
