"""Setting a fight by another turn order up: a line of text for each fighter, in the order of the seats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters, assign_ids
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.names import NameIndex
from scratch_core.characters import (
    MAX_NAME_LENGTH,
    MAX_SHEET_LENGTH,
    clean_line,
    parse_leading_quote,
    quote_name,
    strip_bullet,
)
from scratch_core.errors import Problem, Problems, format_input, join_words
from scratch_core.normalization import normalize_input
from scratch_core.scenario import MAX_CHARACTERS, AnySystem, Scenario
from scratch_core.turn_systems import Field, InvalidFieldValue
from scratch_core.turn_systems.mano.turn_system import AMBUSH

_MAX_NAME_IN_PROBLEM = 24
_MAX_EARLY_NAMES = 2

WORD_SPELLINGS = {"hp_round": "hp/round"}
"""Words that look otherwise on a line than in a file."""

_SIDE_FIELD = Field("side", "text", "", "whose enemy they are not; alone when left out")
_WORD_PATTERNS = {"hp_round": r"hp[\s_/]*(?:per\s*)?round"}
_OUTCOME_WORDS = {"succeeds": True, "success": True, "yes": True, "true": True}
_OUTCOME_WORDS |= {"fails": False, "failure": False, "no": False, "false": False}
_RULES = {"first": "mano.start.first", "ambush": "mano-old.surprise", "stalkers": "mano.surprise.two-rolls"}
_ITEM_PATTERN = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*"|")+')
_OUTCOME_PATTERN = re.compile(r"(.*?)[\s:=]+([a-z]+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _ParsedLine:
    """One fighter as typed: the line's number, the name, its values by field, and the fields that can't be read."""

    number: int
    name: str
    values: dict[str, Any]
    invalid_fields: frozenset[str]


def list_line_fields(system: AnySystem) -> tuple[Field, ...]:
    """What a line may say behind the name: each pool is a word of its own."""
    own = (part for field in system.character_fields for part in field.type.split(field) or (field,))
    return (*own, _SIDE_FIELD)


def format_field_word(field: Field) -> str:
    """A field's word on a line."""
    return WORD_SPELLINGS.get(field.key, field.key)


def parse_lines(text: str, system: AnySystem, words: Sequence[Field] = (), bare: str = "") -> ParsedCharacters:
    """Read fighters, one a line, like `Ann: speed 1/2, side red`. A line `side: red` holds for all below. Never raises.

    `words` are the fields that a line may say, without them those of the order of turns; `bare` is the field whose
    number needs no word, if one doesn't.
    Rules: `mano.order.seating`, `mano-old.order.seating`, `mano-old.pools`, `seize.bonus`.
    """
    if len(text) > MAX_SHEET_LENGTH:
        expected = f"{MAX_SHEET_LENGTH:,} characters at most"
        return ParsedCharacters((), (Problem("fight.text-too-long", expected, f"{len(text):,}", "fighters"),))
    fields = words or list_line_fields(system)
    reading = _LineParser(fields, bare)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        reading.parse_line(number, line)
    found, problems = reading.lines, reading.problems
    if len(found) > MAX_CHARACTERS:
        expected = f"{MAX_CHARACTERS} fighters at most"
        number = found[MAX_CHARACTERS].number
        got, facts = f"{len(found)} on line {number}", {"most": MAX_CHARACTERS}
        return ParsedCharacters((), (Problem("fight.too-many", expected, got, "fighters", facts=facts),))
    for each in found:
        problems += _check_and_fill_pools(each, system, fields)
    problems += _early_line_problems(found, *reading.first_side)
    return ParsedCharacters(_build_characters(found), tuple(problems), tuple(each.number for each in found))


def remove_line(text: str, system: AnySystem, own: str) -> tuple[str, str]:
    """The lines without the one of an id, and whose name it has."""
    found = parse_lines(text, system)
    gone = {
        number: each["name"]
        for each, number in zip(found.characters, found.line_numbers, strict=True)
        if each["id"] == own
    }
    rest = [line for number, line in enumerate(text.splitlines(), 1) if number not in gone]
    return "\n".join(rest), next(iter(gone.values()), "")


def merge_lines(text: str, people: Sequence[tuple[str, str]], system: AnySystem) -> str:
    """Return the lines of those people, given by name and side, and add one for each who has none."""
    found = parse_lines(text, system)
    names = {name for name, _ in people}
    gone = {
        number for each, number in zip(found.characters, found.line_numbers, strict=True) if each["name"] not in names
    }
    rest = [line for number, line in enumerate(text.splitlines(), 1) if number not in gone]
    there = {each["name"] for each in found.characters}
    come = [(name, side) for name, side in people if name not in there]
    return "\n".join((*rest, *([format_name_lines(come, list_required_words(system))] if come else [])))


class _LineParser:
    """One pass over the lines; what is wrong is collected, what is right is kept."""

    def __init__(self, fields: Sequence[Field], bare: str) -> None:
        self.bare_number_key = bare
        self.lines: list[_ParsedLine] = []
        self.problems = Problems()
        self.headings: dict[str, Any] = {}
        self.first_side = (0, "")
        self.fields = {each.key: each for each in fields}
        words = "|".join(_WORD_PATTERNS.get(key, key) for key in sorted(self.fields, key=len, reverse=True))
        pattern = rf"(?:(not|un)\s*)?({words})(?![a-z])\s*[:=]?\s*(.*)"
        self.pattern = re.compile(pattern, re.IGNORECASE | re.DOTALL)
        first = next(each for each in fields if each.type.is_numeric)
        self.example = f"Ann: {format_field_word(first)} {first.default or 6}"

    def parse_line(self, number: int, line: str) -> None:
        """Read a fighter, or a heading that holds for everyone below it."""
        plain = strip_bullet(clean_line(line))
        parts = (plain if ":" in plain else plain.replace(",", ":", 1)).partition(":")
        name, rest = parts[0].strip(), parts[2].strip()
        quoted = parse_leading_quote(clean_line(line))
        if quoted:
            name, rest = quoted[0], quoted[1].removeprefix(":").strip()
        if not quoted and name.lower() in ("side", "group") and name.lower() in self.fields:
            self.parse_item(number, f"{name} {rest}", self.headings)
            if name.lower() == "side" and not self.first_side[0]:
                self.first_side = (number, rest)
        elif name and len(name) <= MAX_NAME_LENGTH:
            values = dict(self.headings)
            items = [item.strip() for item in _ITEM_PATTERN.findall(rest) if item.strip()]
            mistaken = frozenset(self.parse_item(number, item, values) for item in items)
            self.lines.append(_ParsedLine(number, name, values, mistaken))
        elif name or rest:
            expected = f"a name of {MAX_NAME_LENGTH} characters at most, like “{self.example}”"
            got = f"{format_input(line)} on line {number}"
            self.problems.report("line.name", expected, got, "fighters", example=self.example)

    def parse_item(self, number: int, item: str, values: dict[str, Any]) -> str:
        """Read one word and its value: `speed 1/2`, `not healthy`. Give the field whose value can't be read, or ""."""
        is_bare = bool(self.bare_number_key) and normalize_input(item).lstrip("+-").isdigit()
        match = self.pattern.fullmatch(f"{self.bare_number_key} {item}" if is_bare else item)
        if match is None:
            known = ", ".join(format_field_word(each) for each in self.fields.values())
            got = f"{format_input(item)} on line {number}"
            self.problems.report("line.word", f"one of {known}, and its value", got, "fighters", known=known)
            return ""
        key = re.sub(r"[\s_/]+(per\s*)?", "_", match[2].lower())
        field = self.fields.get(key) or self.fields["hp_round"]
        quoted = parse_leading_quote(match[3].strip())
        given = field.type.parse(field, quoted[0] if quoted and not quoted[1] else match[3].strip())
        if match[1]:
            given = False if given is True else item
        try:
            field.type.validate(field, given, ())
        except InvalidFieldValue as error:
            wrong, word = error.found[0], format_field_word(field)
            expected, got = f"{wrong.expected} as {word}", f"{format_input(wrong.got)} on line {number}"
            self.problems.report("line.value", expected, got, "fighters", field.rule, word=word, value=wrong.expected)
            return field.key
        values[field.key] = given
        return ""


def _early_line_problems(found: Sequence[_ParsedLine], number: int, side: str) -> list[Problem]:
    """Those above the first line `side: red` who have no side: it was perhaps meant for the name above it."""
    early = [each for each in found if each.number < number and not each.values.get("side")]
    if not early or not side:
        return []
    names = [
        f"{truncate_line(each.name, _MAX_NAME_IN_PROBLEM)} (line {each.number})" for each in early[:_MAX_EARLY_NAMES]
    ]
    more = [f"{len(early) - _MAX_EARLY_NAMES} more"] if len(early) > _MAX_EARLY_NAMES else []
    has = "has" if len(early) == 1 else "have"
    whose = f"{join_words([*names, *more])} {has} no side"
    got = f"“side: {side[:_MAX_NAME_IN_PROBLEM]}” on line {number} applies only to the names below it; {whose}"
    own_side = f"{truncate_line(early[0].name, _MAX_NAME_IN_PROBLEM)}: side {side[:_MAX_NAME_IN_PROBLEM]}"
    expected = f"“{own_side}”, or put the line above the name"
    return [Problem("fight.side-below", expected, got, "fighters", None, "advice")]


def _check_and_fill_pools(line: _ParsedLine, system: AnySystem, fields: Sequence[Field]) -> Problems:
    """Hit points follow from the pools, or what the pools leave lies in the last of them. Rule: `mano-old.pools`."""
    for field in system.character_fields:
        pools = [part.key for part in field.type.split(field)]
        given = {pool: line.values.pop(pool) for pool in pools if pool in line.values}
        if given:
            hp = line.values.setdefault("hp", sum(given.values()))
            rest, last = hp - sum(given.values()), pools[-1]
            line.values[field.key] = {**given, last: rest} if last not in given and rest > 0 else given
    known = {*line.values, *line.invalid_fields}
    problems, got = Problems(), f"{format_input(line.name)} on line {line.number}"
    for field in (each for each in fields if each.default is None and each.key not in known):
        word = format_field_word(field)
        expected = f"{word} ({field.meaning}), like “{word} 3”"
        problems.report("line.missing", expected, got, "fighters", name=line.name, word=word)
    return problems


def _build_characters(found: Sequence[_ParsedLine]) -> tuple[dict[str, Any], ...]:
    named = assign_ids([each.name for each in found], "seat")
    return tuple({"id": own, "name": name, **each.values} for (own, name), each in zip(named, found, strict=True))


def format_lines(scenario: Scenario) -> str:
    """Write a scenario's characters as lines that `read_lines` reads back."""
    return "\n".join(_format_character_line(table, scenario.system) for table in scenario.tree["characters"])


def list_required_words(system: AnySystem) -> tuple[str, ...]:
    """What every line of this order must say, with the numbers of its sample: `hp 6`, `hp/round 3`."""
    needed = {format_field_word(each) for each in system.character_fields if each.default is None}
    said = system.sample.partition("\n")[0].partition(":")[2].split(",")
    return tuple(each.strip() for each in said if each.split()[0] in needed)


def format_name_lines(people: Sequence[tuple[str, str]], needed: Sequence[str] = ()) -> str:
    """Names, what is `needed` of each, and sides, as lines that `read_lines` reads; "" is no side."""
    lines = []
    for name, side in people:
        lines.append(format_line(name, [*needed, *([format_item("side", side)] if side else [])]))
    return "\n".join(lines)


def format_line(name: str, said: Sequence[str]) -> str:
    """A name and what is said of it, as a line that `read_lines` reads back."""
    return f"{_quote_if_needed(name, ',:')}: {', '.join(said)}" if said else _quote_if_needed(name, ",:")


def format_item(key: str, value: object) -> str:
    """Write a word and its value as a line has them: `side "red, blue"`."""
    return f"{key} {_quote_if_needed(str(value), ',')}"


def _quote_if_needed(text: str, signs: str) -> str:
    """Write a name, in quotation marks where it has signs that part the words of a line, or would be a heading."""
    plain = clean_line(text)
    is_odd = any(sign in plain for sign in f'{signs}"“„') or strip_bullet(plain) != plain or plain[:1] in (":", "=")
    return quote_name(plain) if is_odd or plain.lower() in ("side", "group") else plain


def _format_character_line(table: Mapping[str, Any], system: AnySystem) -> str:
    """Someone as a line, without the commas that part its words."""
    name, values = str(table.get("name", table["id"])), {**table, **table.get("pools", {})}
    said = []
    for field in list_line_fields(system):
        if field.key in values:
            value = field.type.format_label(field, values[field.key])
            said.append(format_item(format_field_word(field), value))
    return format_line(name, said)


# Who begins


def parse_head(
    system: AnySystem, given: Mapping[str, str], names: NameIndex
) -> tuple[dict[str, Any], list[dict[str, Any]], Problems]:
    """The head's fields, the rolls of an ambush as a first step, and the problems, each at its control.

    `names` gives the id for every name. Never raises.
    Rules: `mano.start.first`, `mano.surprise.two-rolls`, `mano-old.surprise`.
    """
    head: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    problems = Problems()
    for field in list_head_fields(system):
        entries = names.split_entries(given.get(field.key, ""), partial(_is_known, field, names))
        found, wrong = _parse_named_entries(entries, field, names)
        value = field.type.build_from_outcomes(found)
        if wrong:
            problems.append(wrong)
        elif value and field in system.setup_fields:
            head[field.key] = value
        elif value:
            steps.append({"do": AMBUSH, field.key: value})
    return head, steps, problems


def _parse_named_entries(
    entries: Sequence[str], field: Field, names: NameIndex
) -> tuple[dict[str, bool], Problem | None]:
    """Those named in a control, each with how it fares, and the first problem; a name alone fares well."""
    found: dict[str, bool] = {}
    rule, mistake = _RULES.get(field.key), ""
    for entry in entries[:MAX_CHARACTERS]:
        who, fate, name = _split_entry(entry, field, names)
        if len(who) != 1:
            return {}, names.build_problem(name if who else entry, field.key, "a name, such as “{}”", rule)
        if fate not in _OUTCOME_WORDS:
            mistake = entry
            break
        found[who[0]] = _OUTCOME_WORDS[fate]
    else:
        if len(found) < len(entries) or (field.type.is_single and sum(found.values()) > 1):
            mistake = ", ".join(entries)
    if not mistake:
        return found, None
    expected = f"{field.type.named_shape} ({', '.join(names.names_by_id.values())[:80] or 'none yet'})"
    facts = {"control": field.label or field.key, "shape": expected}
    return {}, Problem("fight.beginning", expected, format_input(mistake), field.key, rule, facts=facts)


def _is_known(field: Field, names: NameIndex, entry: str) -> bool:
    return bool(_split_entry(entry, field, names)[0])


def _split_entry(entry: str, field: Field, names: NameIndex) -> tuple[tuple[str, ...], str, str]:
    """Who is meant by an entry, how they fare ("yes" where it isn't said), and the name; () for an unknown one."""
    match = _OUTCOME_PATTERN.fullmatch(entry[: 2 * MAX_NAME_LENGTH]) if field.type.has_outcomes else None
    if match and not names.find_ids(entry):
        return names.find_ids(match[1]), match[2].lower(), match[1]
    return names.find_ids(entry), "yes", entry


def list_head_fields(system: AnySystem) -> tuple[Field, ...]:
    """What may be said of the beginning: the head's fields and, where there is one, the ambush."""
    return (*system.setup_fields, *system.step_fields.get(AMBUSH, ()))


def head_to_fields(scenario: Scenario, steps: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The controls of the beginning as `parse_head` reads them back."""
    found = {}
    names = {each.id: each.name for each in scenario.fighters}
    for field in scenario.system.setup_fields:
        value = scenario.tree.get(field.key, "")
        people = value if isinstance(value, list) else [value]
        found[field.key] = ", ".join(names.get(who, str(who)) for who in people)
    for step in steps[:1]:
        if step.get("do") == AMBUSH:
            rolls = step["stalkers"].items()
            found["stalkers"] = ", ".join(
                f"{names.get(who, who)} {'succeeds' if well else 'fails'}" for who, well in rolls
            )
    return found
