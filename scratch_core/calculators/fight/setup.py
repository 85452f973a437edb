"""A fight that has not begun, in every order of turns: who fights, by which rulings, where they stand, who begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.board.request import Token
from scratch_core.calculators.board.sample_maps import BY_ID as MAPS
from scratch_core.calculators.characters_text import identified
from scratch_core.calculators.characters_text.chooser import (
    ADD,
    CHOOSE,
    beside,
    blocks_of,
    chooser,
    name_of,
    parted,
    ticked,
)
from scratch_core.calculators.characters_text.fighter_lines import (
    line_gone,
    merge_lines,
    needed_words,
    read_head,
    read_lines,
    write_head,
    write_lines,
    written_names,
)
from scratch_core.calculators.characters_text.setup_text import (
    SEPARATE,
    TOGETHER,
    block_gone,
    names_in,
    read_setup,
    share_turns,
    turns_of_newcomers,
    write_setup,
    write_surroundings,
    write_turns,
)
from scratch_core.calculators.fight import add_characters, board_setup, players_screen
from scratch_core.calculators.fight.add_characters import ready_fight
from scratch_core.calculators.fight.board_setup import Ground
from scratch_core.calculators.fight.request import (
    BLOCK_CONTROLS,
    ORDER_CONTROLS,
    OTHER_LINES,
    Asked,
    other_setup_controls,
)
from scratch_core.calculators.fight.roster import NAME_LIMIT
from scratch_core.calculators.fight.session import Fight, Step
from scratch_core.calculators.fight.sides import US, sides_of
from scratch_core.calculators.fight.surroundings import SURROUNDINGS_OFFERED, find_surroundings
from scratch_core.calculators.shared.form import one_line
from scratch_core.calculators.shared.names import NameIndex, read_initiative
from scratch_core.cast.members import Kind
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import Problem, ScratchError, join_words
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RulingSettings, format_setting
from scratch_core.scenario import FORMAT, AnySystem, Scenario, format_json, parse_json, scenario_from_dict
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAP = "map-"
"""What the button of a ready map says before its id."""

SETUP_CONTROLS = (
    *("initiative", "before", "log", "odds", "called"),
    *(*BLOCK_CONTROLS, *ORDER_CONTROLS),
    *(players_screen.SIDES, players_screen.HIDDEN),
)

_NOBODY = {
    "sheets": Problem("fight.nobody", "stat blocks of those who fight", "none", "sheets", "turn.encounter"),
    "fighters": Problem("fight.no-names", "those who fight, one on a line", "nobody", "fighters"),
}
_SIDES = {
    "sheets": "two sides at least (a line like “side: hunters” below a name)",
    "fighters": "two sides at least, like “side red” on a line",
}


@dataclass(frozen=True, slots=True)
class Ready:
    """What a set-up comes to: its scenario, None while it has errors; the head of its file, and its first steps."""

    scenario: Scenario | None = None
    head: Mapping[str, Any] | None = None
    steps: Sequence[Step] = ()
    ground: Ground | None = None


def readied(asked: Asked) -> Ready:
    """The scenario of the set-up without a fight's steps; what is wrong with it is noted, each at its control.

    Rules: `turn.encounter`, `grid.scope`, `mano.start.first`, `seize.gm-roll`, `turn.initiative-roll`, `turn.group`.
    """
    system, control = asked.system, asked.typed
    typed = asked.fields[control]
    found = read_lines(typed, system) if system.character_fields else read_setup(typed)
    found = found if system.character_fields else replace(found, characters=share_turns(found.characters))
    for problem in found.problems:
        asked.note(problem, control)
    head, steps, wrong = read_head(system, asked.fields, found.names)
    for problem in wrong:
        asked.note(problem, problem.where)
    chosen = asked.settings(system.rule_options)
    rulings = {name: value for name, value in chosen.items() if value != getattr(RulingSettings(), name)}
    if not found.is_ready:
        return Ready()
    has_map = not system.character_fields and bool(asked.fields["map"].strip())
    laid, wrong = board_setup.lay(asked.fields, found.characters, asked.stroke) if has_map else (None, [])
    characters, board = found.characters, {}
    for problem in wrong:
        asked.note(problem, problem.where)
    if has_map and (laid is None or any(problem.severity == "error" for problem in wrong)):
        return Ready(ground=laid)
    if laid:
        characters, board = laid.characters, {"board": laid.tree}
    elif not system.character_fields:
        characters = tuple({key: value for key, value in each.items() if key != "at"} for each in characters)
    head = {**({"system": system.name} if system.character_fields else {}), **head}
    head |= {"rulings": rulings} if rulings else {}
    head |= {"characters": list(characters)}
    scenario = _checked(asked, {"format": FORMAT, **head, **board, "steps": steps}, found.numbers)
    if scenario is not None:
        faces = _typed_faces(asked, scenario)
        head |= {"initiative": faces} if faces or board else {}
    called = one_line(asked.fields["called"].strip(), NAME_LIMIT)
    return Ready(scenario, {**({"title": called} if called else {}), **head, **board}, steps, laid)


def _checked(asked: Asked, tree: Mapping[str, Any], numbers: Sequence[int]) -> Scenario | None:
    """The scenario, None when it can't be; a problem of a character that is a line is told with its number."""
    control = asked.typed
    try:
        scenario = scenario_from_dict(tree)
    except ScratchError as error:
        for problem in error.problems:
            found = re.match(r"characters\[([0-9]{1,3})\]", problem.where) if numbers else None
            asked.note(problem, control, f"line {numbers[int(found[1])]}" if found else problem.where)
        return None
    if len({each.side for each in scenario.fighters}) < 2:
        asked.note(Problem("fight.sides", _SIDES[control], "one", control, None, "advice"), control)
    for advice in scenario.advice:
        asked.note(advice, control)
    return scenario


def _typed_faces(asked: Asked, scenario: Scenario) -> dict[str, list[int]]:
    """The faces typed, by fighter or group. Rules: `turn.initiative-roll`, `mano.start.first`, `seize.gm-roll`."""
    faces, problems = read_initiative(asked.fields["initiative"], group_names(asked.system, scenario.initial_state))
    for problem in problems:
        asked.note(problem, "initiative")
    return faces


def group_names(system: AnySystem, before: Any) -> NameIndex:
    """Return the groups that roll before a fight, by their names and those of their members. Rule: `turn.group`."""
    groups = set(system.list_initiative_keys(before))
    members = ((getattr(each, "group", each.id), each) for each in system.fighters(before))
    return NameIndex.of_groups((group, each.name, each.id) for group, each in members if group in groups)


def begin(asked: Asked) -> Ready:
    """What the set-up comes to, to begin with; without a scenario where anything keeps the fight from beginning."""
    if not asked.fields[asked.typed].strip():
        asked.note(_NOBODY[asked.typed], asked.typed)
        return Ready()
    ready = readied(asked)
    is_wrong = asked.has_errors
    asked.problems.clear()  # said again by the set-up itself
    return Ready() if is_wrong else ready


# The page of it


def seen_setup(asked: Asked, *, is_refused: bool = False) -> dict[str, Any]:
    """What the view has of a fight that has not begun, `query` and `summary` included."""
    before = dict(asked.fields)
    _carry_over(asked)
    presses = _PRESSES[asked.typed]
    word = MAP if asked.word.startswith(MAP) else asked.word
    if word in presses:
        presses[word](asked)
    is_typed = bool(asked.fields[asked.typed].strip()) and not asked.query.cut
    ready = readied(asked) if is_typed else Ready()
    if ready.ground and asked.stroke:
        asked.fields["tokens"] = ready.ground.tokens
    fighters = ready.scenario.fighters if ready.scenario else ()
    sides = sides_of(fighters)
    if asked.come:
        asked.added = add_characters.told(asked.come, before["add_count"], len(fighters))
        _choose_for(asked, next((each.name for each in sides if fighters and not each.people), ""))
    words = f"{len(fighters)} characters are ready." if len(fighters) > 1 else ""
    if "log" in asked.fresh:
        words = f"The file’s stat blocks are in the setup. {words}".strip()
    watched = ("sheets", "fighters", OTHER_LINES, *board_setup.CONTROLS, *add_characters.CONTROLS)
    put_by, target = len(_kept_names(asked)), asked.fields["choosing"].strip()
    is_new = bool(asked.come) or asked.word == CHOOSE
    is_against = len({each.side for each in fighters}) > 1
    first: Kind = "archetype" if target == US else "opponent"
    if not any(asked.fields[name].strip() for name in ("sheets", "fighters", "log")):
        asked.fields["called"] = ""  # no one is there to be called so
    return {
        "query": {name: text for name, text in asked.fields.items() if name in SETUP_CONTROLS},
        "summary": asked.added or ("" if asked.problems else words),
        "is_refused": is_refused,
        "fighters": fighters,
        "before": ready.scenario.initial_state
        if ready.scenario and is_against and not asked.system.character_fields
        else None,
        "sides": sides,
        "added": asked.added,
        "ground": ready.ground,
        "fresh": asked.fresh.union(name for name in watched if asked.fields[name] != before[name]),
        "chooser": chooser(asked.query, target, first, is_new=is_new) if target else None,
        "surroundings": find_surroundings(fighters)
        if fighters and not ready.ground and not asked.system.character_fields
        else (),
        "bare": tuple(each.name for each in fighters if _is_bare(each)) if not asked.system.character_fields else (),
        "put_by": f"{put_by} {'character' if put_by == 1 else 'characters'}" if put_by else "",
    }


def take_in_sheets(asked: Asked) -> None:
    """Stat blocks that were opened in place of a fight stand among those who fight from now on."""
    sheets = beside(asked.fields["sheets"], parted(asked.fields["log"]), asked.fields["add_side"])
    asked.fields |= {"sheets": sheets, "log": "", "system": ""}
    asked.command, asked.fresh = "", {"sheets", "log", "system"}


def write_again(asked: Asked, fight: Fight) -> None:
    """Put a fight by, and its characters into the set-up."""
    scenario, is_by_lines = fight.scenario, bool(fight.system.character_fields)
    stays = {name: asked.fields[name] for name in ("system", "called", *other_setup_controls(fight.system))}
    named = identified([each.name for each in scenario.fighters], "seat" if is_by_lines else "character")
    new_ids = {each.id: own for each, (own, _) in zip(scenario.fighters, named, strict=True)}
    stays |= players_screen.carry_to_setup(asked.fields, new_ids)
    asked.fields = {**dict.fromkeys(asked.fields, ""), **stays, "before": fight.text}
    given = scenario.tree.get("rulings", {})
    asked.fields |= {name: format_setting(given[name]) for name in fight.system.rule_options if name in given}
    asked.stroke, asked.fresh = "", {"before"}
    if is_by_lines:
        asked.fields |= {"system": fight.system.name, "fighters": write_lines(scenario)}
        asked.fields |= write_head(scenario, fight.steps)
    else:
        asked.fields |= {"system": "", "sheets": write_setup(scenario), **board_setup.texts_of(scenario)}


def _kept_names(asked: Asked) -> list[tuple[str, str]]:
    """Names and sides of the stat blocks kept for the basic rules, while no one stands in another order's set-up."""
    if not asked.system.character_fields or asked.fields["fighters"].strip():
        return []
    return [(each["name"], each.get("side", "")) for each in read_setup(asked.fields["sheets"]).characters]


def _is_bare(who: Any) -> bool:
    """Whether someone has a toughness of 1 for a start, and nothing else."""
    return [(each.ability, each.level) for each in who.character.lines] == [("toughness", 1)]


# What is pressed in it

SYSTEM_BEFORE = "system_before"
"""The control with the name of the turn system that the page showed before."""


def _carry_over(asked: Asked) -> None:
    """Bring names and sides along where another turn system has just been chosen; what it has already stays."""
    fields, now = asked.fields, asked.system
    systems: dict[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
    last = systems.get(asked.query.text(SYSTEM_BEFORE), now)
    if last is now:
        return
    stored = _exchange_lines(asked, last)
    if not now.character_fields:
        people = _people_of_lines(fields["fighters"], last)
        if people and not fields["sheets"].strip():
            fields["sheets"] = _with_sides(people)
            asked.added = f"{join_words([name for name, _ in people])}: each starts with toughness 1."
    elif stored:
        people = _people_of_lines(fields["fighters"], last)
        fields["fighters"] = merge_lines(stored, people, now) if people else stored
    elif not fields["fighters"].strip():
        _bring_over(asked)
    elif not read_lines(fields["fighters"], now).is_ready:
        people = _people_of_lines(fields["fighters"], last)
        fields["fighters"] = written_names(people, needed_words(now)) if people else fields["fighters"]


def _exchange_lines(asked: Asked, last: AnySystem) -> str:
    """Store the lines of the turn system that was chosen last; return those stored for the one chosen now."""
    found = parse_json(asked.fields[OTHER_LINES])
    tree = found if isinstance(found, dict) else {}
    lines = {
        name: text
        for name, text in tree.items()
        if name in VARIANT_TURN_SYSTEMS and isinstance(text, str) and text.strip()
    }
    stored = lines.pop(asked.system.name, "")
    if last.character_fields:
        lines[last.name] = asked.fields["fighters"]
    asked.fields[OTHER_LINES] = format_json(lines) if any(map(str.strip, lines.values())) else ""
    return stored


def _people_of_lines(text: str, last: AnySystem) -> list[tuple[str, str]]:
    """The names and sides of lines, read by the turn system that was chosen last, or by any that can read them."""
    for system in (*([last] if last.character_fields else []), *VARIANT_TURN_SYSTEMS.values()):
        found = read_lines(text, system)
        if found.is_ready:
            return [(each["name"], each.get("side", "")) for each in found.characters]
    return []


def _with_sides(people: Sequence[tuple[str, str]]) -> str:
    """Stat blocks of a toughness of 1 for names and sides."""
    text = ""
    for name, side in people:
        text = beside(text, [f"{name}\n1 toughness"], side)
    return text


def _choose_for(asked: Asked, side: str) -> None:
    """Let people be chosen for a side, or for none any more."""
    asked.fields |= {**dict.fromkeys(add_characters.CONTROLS, ""), "choosing": side, "add_side": side}
    asked.eye = CHOOSE


def _add(asked: Asked) -> None:
    """Those who were ticked come in, on the side that is written. Rule: `turn.group`."""
    fields, control, side = asked.fields, asked.typed, asked.fields["add_side"]
    asked.eye = CHOOSE
    asked.come = add_characters.added(asked, map(blocks_of, ticked(asked.query)), fields[control])
    for name, blocks in asked.come:
        if control == "sheets":
            group = name if fields["add_together"] and len(blocks) > 1 else ""
            turns = turns_of_newcomers(fields[control], side)
            fields[control] = beside(fields[control], blocks, side, group, turns)
        else:
            lines = written_names([(name_of(each), side) for each in blocks], needed_words(asked.system))
            fields[control] = f"{fields[control].rstrip()}\n{lines}".strip()


def _nobody(asked: Asked) -> None:
    asked.fields[asked.typed] = ""


def _remove(asked: Asked) -> None:
    """Someone goes, its minions too. Rule: `command.minions`."""
    before, by_lines = asked.fields[asked.typed], asked.system.character_fields
    text, name = line_gone(before, asked.system, asked.rest) if by_lines else block_gone(before, asked.rest)
    asked.fields[asked.typed] = text
    asked.added = f"{name} removed." if name else ""


def _begin_with(asked: Asked) -> None:
    asked.fields[asked.typed] = asked.system.sample if asked.system.character_fields else ready_fight(asked.rest)


def _lay_map(asked: Asked) -> None:
    """A ready map, on which all stand anew, or none."""
    found = MAPS.get(asked.word.removeprefix(MAP))
    asked.fields |= {**dict.fromkeys(board_setup.CONTROLS, ""), **(found.fields() if found else {})}


def _set_turns(asked: Asked) -> None:
    """Let each of a side take a separate turn, or all of it one. Rule: `turn.group`."""
    turns, _, side = asked.rest.partition(" ")
    if turns not in (SEPARATE, TOGETHER):
        return
    asked.fields["sheets"] = write_turns(asked.fields["sheets"], side, turns)
    words = "each character takes a separate turn" if turns == SEPARATE else "one initiative and one turn for all"
    asked.added = f"{side[:1].upper()}{side[1:]}: {words}."


def _set_surroundings(asked: Asked) -> None:
    """Change what the place offers everyone. Rule: `move.terrain`."""
    word, _, setting = asked.rest.partition(" ")
    words = dict(SURROUNDINGS_OFFERED).get(word)
    if words:
        is_there = setting == "on"
        asked.fields["sheets"] = write_surroundings(asked.fields["sheets"], word, is_there=is_there)
        asked.added = f"{words}: on." if is_there else f"{words}: off."


def _settle_strangers(asked: Asked) -> None:
    """Add the characters of tokens that are not in the fight, or take their tokens off the map. Rule: `grid.scope`."""
    fields = asked.fields
    there = names_in(fields["sheets"])
    for entry in fields["tokens"].split():
        own, _, place = normalize_input(entry).partition("@")
        if own not in there and asked.rest == "add":
            side = (*place.split(",", 2), "", "")[2]
            fields["sheets"] = beside(fields["sheets"], [f"{Token(own, (0, 0), side).name}\n1 toughness"], side)
        elif own not in there:
            fields["tokens"] = " ".join(each for each in fields["tokens"].split() if each != entry)


def _bring_over(asked: Asked) -> None:
    """Those kept for the basic rules stand here too, by their names and sides."""
    names = _kept_names(asked)
    if names:
        asked.fields["fighters"] = written_names(names, needed_words(asked.system))


_EVERYWHERE = {
    CHOOSE: lambda asked: _choose_for(asked, asked.rest),
    ADD: _add,
    "nobody": _nobody,
    "remove": _remove,
    "with": _begin_with,
}
_PRESSES: Mapping[str, Mapping[str, Callable[[Asked], None]]] = {
    "sheets": {
        **_EVERYWHERE,
        MAP: _lay_map,
        "turns": _set_turns,
        "here": _set_surroundings,
        "strangers": _settle_strangers,
    },
    "fighters": {**_EVERYWHERE, "bring": _bring_over},
}
"""What is pressed in a set-up, by the control of those who fight."""
