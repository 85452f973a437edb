"""States and events as JSON and back: plain dictionaries, lists, texts and numbers, with a version.

What is read is checked piece by piece; anything damaged raises one `ScratchError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Literal, TypeVar

from scratch_core.board import Board, Space, board_tree, read_board, read_space
from scratch_core.catalogue import Rulings
from scratch_core.characters import DEFAULT_RULINGS, from_json
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure, Part
from scratch_core.state.encounter_state import PHASES, Initiative, Ledger, State
from scratch_core.state.events import EVENTS, EncounterBegan, Event, Joined
from scratch_core.state.exposure import EXPOSING, Exposure
from scratch_core.state.fighters import BY_HAND, CAUSES, FLAGS, SURROUNDINGS, Delay, Evade, Fighter, Numbers
from scratch_core.turns.json_form import kind_of, written

STATE_FORMAT = "scratch-state/1"
"""The tag that says which form a dictionary has."""

T = TypeVar("T")

_BOARD_NUMBERS = ("immobilized_until", "escape_banned_until")


# Writing


def state_to_json(state: State) -> dict[str, object]:
    """The JSON form of a state; `state_from_json` gives an equal state back."""
    written = {
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
        "initiative": [each.to_json() for each in state.initiative],
        "lost_crafts": [list(each) for each in sorted(state.lost_crafts)],
        "fighters": [each.to_json() for each in state.fighters],
    }
    return written if state.board is None else {**written, **_board_to_json(state, state.board)}


def _board_to_json(state: State, board: Board) -> dict[str, object]:
    """What a state has on a board alone: without one its form is as it was before there were boards."""
    ledger, waiting = state.ledger, state.exposure
    return {
        "board": board_tree(board),
        "moved": ledger.moved,
        "held": ledger.held,
        "attempts": list(ledger.attempts),
        "exposure": None if waiting is None else written(waiting),
        "fighters": [{**each.to_json(), **_place_to_json(each)} for each in state.fighters],
    }


def _place_to_json(fighter: Fighter) -> dict[str, object]:
    at = None if fighter.at is None else list(fighter.at)
    return {"at": at, **{key: getattr(fighter, key) for key in _BOARD_NUMBERS}}


_KINDS: dict[str, type[Event]] = {kind_of(kind): kind for kind in EVENTS}


# Reading


def state_from_json(data: object) -> State:
    """The state of a JSON form. Raises `ScratchError` (`state.json`) for anything that `state_to_json` never wrote."""
    read = _Reader(data, "the state")
    if read.text("format") != STATE_FORMAT:
        raise _refused(f'"{STATE_FORMAT}"', read.data["format"], "format")
    given = read.table("rulings")
    rulings = Rulings.read(given)
    board = read_board(read.table("board")) if "board" in read.data else None
    fighters = tuple(
        _fighter_from_json(each, f"fighters[{n}]", rulings, board) for n, each in enumerate(read.items("fighters"))
    )
    ids = {each.id for each in fighters}
    if len(ids) < len(fighters):
        raise _refused("each id once", "one twice", "fighters")
    initiative = _order(read)
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
        _ledger(read, board),
        frozenset(_three(each) for each in read.items("lost_crafts")),
        board,
        _exposure(read.data.get("exposure")) if board else None,
    )
    _check_state(state, ids)
    return state


def _check_state(state: State, ids: set[str]) -> None:
    if not {*state.acted, state.active} <= {*ids, ""}:
        raise _refused("ids of fighters", "another", "acted and active")
    if state.exposure and (state.turn_over or state.exposure.who != state.active):
        raise _refused("somebody on turn", state.exposure.who, "exposure.who")
    if state.exposure and not {*state.exposure.targets, *state.exposure.tried} <= ids:
        raise _refused("ids of fighters", "another", "exposure")
    if not {state.ledger.held, *state.ledger.attempts} <= {*ids, ""}:
        raise _refused("ids of fighters", "another", "held and attempts")
    if state.exposure and not state.exposure.is_whole:
        raise _refused("a target, a space or a path, as the act needs it", state.exposure.do, "exposure")
    if state.exposure and not 0 <= state.exposure.walked <= len(state.exposure.path):
        raise _refused("a part of the path", state.exposure.walked, "exposure.walked")
    if not state.turn_over and not state.active:
        raise _refused("somebody on turn", "nobody", "active")
    if state.phase != "before" and sorted(state.order) != sorted(state.groups()):
        raise _refused("every group once", ", ".join(state.order), "initiative")
    if state.initiative and state.place >= len(state.initiative):
        raise _refused("a place in the order", state.place, "place")


def _ledger(read: _Reader, board: Board | None) -> Ledger:
    regular, bonus = read.texts("regular"), read.text("bonus")
    if board is None:
        return Ledger(regular, bonus)
    return Ledger(regular, bonus, read.one_of("moved", _MOVED), read.text("held"), read.texts("attempts"))


_MOVED: tuple[Literal["", "before", "after"], ...] = ("", "before", "after")


def _exposure(data: object) -> Exposure | None:
    if data is None:
        return None
    read = _Reader(data, "exposure")
    return Exposure(
        read.text("who"),
        read.one_of("do", EXPOSING),
        read.texts("targets"),
        read.texts("uses") if read.data.get("uses") is not None else None,
        read.place("space"),
        read.places("path"),
        read.number("walked"),
        read.texts("tried"),
    )


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


def _fighter_from_json(data: object, where: str, rulings: Rulings, board: Board | None) -> Fighter:
    read = _Reader(data, where)
    character = from_json(read.table("character"))
    numbers = Numbers.of(character, rulings)
    here = frozenset(read.texts("here"))
    hp = read.number("hp")
    if not here <= set(SURROUNDINGS):
        raise _refused(f"words of {', '.join(SURROUNDINGS)}", sorted(here), f"{where}.here")
    if hp > numbers.max_hp:
        raise _refused(f"0 to {numbers.max_hp}", hp, f"{where}.hp")
    flags: dict[str, Any] = {flag: read.flag(flag) for flag in FLAGS}
    flags["gone"] = "gone" in read.data and read.flag("gone")
    flags["immobilized_until"] = read.number("immobilized_until") if "immobilized_until" in read.data else 0
    found = Fighter(
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
        **flags,
    )
    return found if board is None else _placed(found, read, board)


def _placed(fighter: Fighter, read: _Reader, board: Board) -> Fighter:
    at = read.place("at")
    if at is None and not fighter.is_away:
        raise _refused("a space of the board", "none", f"{read.where}.at")
    is_near = at is not None and any(board.contains(each) for each in (at, *board.around(at)))
    if at is not None and (board.is_solid(at) or not is_near):
        raise _refused("a space to stand on", list(at), f"{read.where}.at")
    numbers: dict[str, Any] = {key: read.number(key) for key in _BOARD_NUMBERS}
    return replace(fighter.placed(board, at), **numbers)


def _delay(data: object, where: str) -> Delay:
    match data:
        case [cause, str(by), int(until)] if cause in (*CAUSES, BY_HAND):
            return Delay(cause, by, until)
    raise _refused("cause, by whom and until which turn", data, f"{where}.delays")


def _evade(data: list[object], where: str) -> Evade | None:
    match data:
        case []:
            return None
        case [str(ability), int(bonus)]:
            return Evade(ability, bonus)
        case [str(ability), int(bonus), int(until)]:
            return Evade(ability, bonus, until)
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
        return EncounterBegan(_order(read))
    if kind is Joined:
        return Joined(_newcomer(read), _order(read))
    readers: dict[str, Callable[[str], Any]] = {
        "str": read.text,
        "int": read.number,
        "Cause": read.cause,
        "Moved": lambda key: read.one_of(key, _MOVED[1:]),
        "Space": read.there,
        "Space | None": read.place,
        "tuple[Space, ...]": read.places,
        "tuple[str, ...]": read.texts,
        "tuple[str, ...] | None": lambda key: None if read.data.get(key) is None else read.texts(key),
    }
    return kind(**{each.name: readers[str(each.type)](each.name) for each in fields(kind)})


def _order(read: _Reader) -> tuple[Initiative, ...]:
    return tuple(_initiative_from_json(each, f"initiative[{n}]") for n, each in enumerate(read.items("initiative")))


def _newcomer(read: _Reader) -> Fighter:
    """Who joins; the fight it comes to has its rulings and, where there is one, the board."""
    data = read.table("fighter")
    found = _fighter_from_json(data, "fighter", DEFAULT_RULINGS, None)
    return replace(found, at=_Reader(data, "fighter").place("at"))


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
        return tuple(_text(each, f"{self.where}.{key}") for each in self.listed(key))

    def numbers(self, key: str) -> tuple[int, ...]:
        items = self.items(key)
        numbers = tuple(each for each in items if type(each) is int)
        if len(numbers) < len(items):
            raise _refused("whole numbers", items, f"{self.where}.{key}")
        return numbers

    def place(self, key: str) -> Space | None:
        return None if self.data.get(key) is None else self.there(key)

    def there(self, key: str) -> Space:
        return _space(self.data.get(key), f"{self.where}.{key}")

    def places(self, key: str) -> tuple[Space, ...]:
        return tuple(_space(each, f"{self.where}.{key}") for each in self.listed(key))

    def listed(self, key: str) -> list[object]:
        value = self.data.get(key)
        if not isinstance(value, list | tuple):
            raise _refused("a list", value, f"{self.where}.{key}")
        return list(value)

    def one_of(self, key: str, choices: tuple[T, ...]) -> T:
        value = self.text(key)
        for choice in choices:
            if choice == value:
                return choice
        raise _refused(f"one of {', '.join(map(str, choices))}", value, f"{self.where}.{key}")

    def cause(self, key: str) -> Any:
        return self.one_of(key, CAUSES)


def _space(value: object, where: str) -> Space:
    space = read_space(value)
    if space is None:
        raise _refused("a space, [column, row]", value, where)
    return space


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _refused("a text", value, where)
    return value


def _refused(expected: str, got: object, where: str) -> ScratchError:
    return ScratchError(Problem("state.json", expected, shown(got), where))
