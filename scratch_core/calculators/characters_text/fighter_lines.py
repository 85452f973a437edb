"""The setup of a fight by another turn system: one line of text per fighter, in the order of the seats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters, assign_ids_and_unique_names
from scratch_core.calculators.shared.limits import truncate_line
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
"""The words that are written differently in a line than in a file."""

_SIDE_FIELD = Field("side", "text", "", "whose enemy they are not; alone when left out")
_WORD_PATTERNS = {"hp_round": r"hp[\s_/]*(?:per\s*)?round"}
_OUTCOME_WORDS = {"succeeds": True, "success": True, "yes": True, "true": True}
_OUTCOME_WORDS |= {"fails": False, "failure": False, "no": False, "false": False}
_RULES = {"first": "mano.start.first", "ambush": "mano-old.surprise", "stalkers": "mano.surprise.two-rolls"}
_ITEM_PATTERN = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*"|")+')
_OUTCOME_PATTERN = re.compile(r"(.*?)[\s:=]+([a-z]+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _ParsedLine:
    """A fighter as typed."""

    number: int
    """The number of the line, from 1."""
    name: str
    """The fighter's name."""
    values: dict[str, Any]
    """The valid values by field."""
    invalid_fields: frozenset[str]
    """The fields with an invalid value."""


def list_line_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the fields that a line may have after the name.

    Each pool has a word of its own.
    """
    fields = (part for field in system.character_fields for part in field.type.list_component_fields(field) or (field,))
    return (*fields, _SIDE_FIELD)


def format_field_word(field: Field) -> str:
    """Return the word of a field in a line."""
    return WORD_SPELLINGS.get(field.key, field.key)


def parse_fighter_lines(
    text: str, system: AnySystem, allowed_fields: Sequence[Field] = (), bare_number_key: str = ""
) -> ParsedCharacters:
    """Parse fighters, one per line, like `Ann: speed 1/2, side red`.

    A line `side: red` applies to all fighters below it. `allowed_fields` are the fields that a line may have, by
    default those of the turn system. `bare_number_key` is the key of the field whose number needs no word. Never
    raises. Rules: `mano.order.seating`, `mano-old.order.seating`, `mano-old.pools`, `seize.bonus`.
    """
    if len(text) > MAX_SHEET_LENGTH:
        expected = f"{MAX_SHEET_LENGTH:,} characters at most"
        return ParsedCharacters((), (Problem("fight.text-too-long", expected, f"{len(text):,}", "fighters"),))
    fields = allowed_fields or list_line_fields(system)
    parser = _LineParser(fields, bare_number_key)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        parser.parse_line(number, line)
    lines, problems = parser.lines, parser.problems
    if len(lines) > MAX_CHARACTERS:
        expected = f"{MAX_CHARACTERS} fighters at most"
        number = lines[MAX_CHARACTERS].number
        got, facts = f"{len(lines)} on line {number}", {"most": MAX_CHARACTERS}
        return ParsedCharacters((), (Problem("fight.too-many", expected, got, "fighters", facts=facts),))
    for each in lines:
        problems += _complete_pools_and_report_missing(each, system, fields)
    problems += _sideless_early_line_problems(lines, *parser.first_side)
    return ParsedCharacters(_build_characters(lines), tuple(problems), tuple(each.number for each in lines))


def remove_fighter_line(text: str, system: AnySystem, fighter_id: str) -> tuple[str, str]:
    """Remove the line of an id, and return the text and the fighter's name.

    The name is "" if there is no such line.
    """
    parsed = parse_fighter_lines(text, system)
    removed_names = {
        number: each["name"]
        for each, number in zip(parsed.characters, parsed.line_numbers, strict=True)
        if each["id"] == fighter_id
    }
    rest = [line for number, line in enumerate(text.splitlines(), 1) if number not in removed_names]
    return "\n".join(rest), next(iter(removed_names.values()), "")


def set_line_value(text: str, system: AnySystem, fighter_id: str, key: str, value: str) -> str:
    """Set a value of a fighter in its line, as typed.

    Hit points that change belong to the last pool. Returns the text unchanged if the value is invalid.
    """
    parsed = parse_fighter_lines(text, system)
    field = next((each for each in system.character_fields if each.key == key), None)
    if not parsed.is_ready or field is None:
        return text
    lines = text.splitlines()
    for table, number in zip(parsed.characters, parsed.line_numbers, strict=True):
        if table["id"] == fighter_id:
            changed_table = {**table, key: field.type.parse_or_return_text(field, value)}
            if key == "hp" and "pools" in table:
                *earlier_pools, _ = next(each.choices for each in system.character_fields if each.key == "pools")
                changed_table["pools"] = {pool: table["pools"].get(pool, 0) for pool in earlier_pools}
            lines[number - 1] = _format_character_line(changed_table, system)
    new_text = "\n".join(lines)
    return new_text if parse_fighter_lines(new_text, system).is_ready else text


def move_fighter_line(text: str, system: AnySystem, fighter_id: str, seat_number: int) -> str:
    """Move a fighter to a seat, numbered from 1.

    Headings become part of each line. Returns the text unchanged if it has errors.
    """
    parsed = parse_fighter_lines(text, system)
    moved = [each for each in parsed.characters if each["id"] == fighter_id]
    if not parsed.is_ready or not moved:
        return text
    tables = [each for each in parsed.characters if each["id"] != fighter_id]
    tables[max(0, seat_number - 1) : max(0, seat_number - 1)] = moved
    return "\n".join(_format_character_line(each, system) for each in tables)


def sync_lines_with_fighters(text: str, names_and_sides: Sequence[tuple[str, str]], system: AnySystem) -> str:
    """Return the lines of these fighters, with a new line for each without a line.

    `names_and_sides` are names and sides. Lines of other fighters are removed.
    """
    parsed = parse_fighter_lines(text, system)
    names = {name for name, _ in names_and_sides}
    removed_numbers = {
        number for each, number in zip(parsed.characters, parsed.line_numbers, strict=True) if each["name"] not in names
    }
    rest = [line for number, line in enumerate(text.splitlines(), 1) if number not in removed_numbers]
    existing_names = {each["name"] for each in parsed.characters}
    new_people = [(name, side) for name, side in names_and_sides if name not in existing_names]
    return append_name_lines("\n".join(rest), new_people, system)


def append_name_lines(text: str, names_and_sides: Sequence[tuple[str, str]], system: AnySystem) -> str:
    """Add a line for each of these names and sides.

    Headings become part of the lines below them, so that they don't apply to the new ones.
    """
    if not names_and_sides:
        return text
    parsed = parse_fighter_lines(text, system)
    if parsed.is_ready and len(text.strip().splitlines()) > len(parsed.characters):
        text = "\n".join(_format_character_line(each, system) for each in parsed.characters)
    return f"{text.rstrip()}\n{format_name_lines(names_and_sides, list_required_sample_items(system))}".strip()


class _LineParser:
    """The parser of lines. It collects the valid lines and all problems."""

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
        """Parse a fighter, or a heading that applies to all fighters below it."""
        plain = strip_bullet(clean_line(line))
        parts = (plain if ":" in plain else plain.replace(",", ":", 1)).partition(":")
        name, rest = parts[0].strip(), parts[2].strip()
        quoted = parse_leading_quote(clean_line(line))
        if quoted:
            name, rest = quoted[0], quoted[1].removeprefix(":").strip()
        if not quoted and name.lower() in ("side", "group") and name.lower() in self.fields:
            self.parse_item_returning_invalid_key(number, f"{name} {rest}", self.headings)
            if name.lower() == "side" and not self.first_side[0]:
                self.first_side = (number, rest)
        elif name and len(name) <= MAX_NAME_LENGTH:
            values = dict(self.headings)
            items = [item.strip() for item in _ITEM_PATTERN.findall(rest) if item.strip()]
            invalid_fields = frozenset(self.parse_item_returning_invalid_key(number, item, values) for item in items)
            self.lines.append(_ParsedLine(number, name, values, invalid_fields))
        elif name or rest:
            expected = f"a name of {MAX_NAME_LENGTH} characters at most, like “{self.example}”"
            got = f"{format_input(line)} on line {number}"
            self.problems.report("line.name", expected, got, "fighters", example=self.example)

    def parse_item_returning_invalid_key(self, number: int, item: str, values: dict[str, Any]) -> str:
        """Parse a word with its value into `values`: `speed 1/2`, `not healthy`.

        Returns the key of the field if its value is invalid, otherwise "". Reports invalid values and unknown words.
        """
        is_bare = bool(self.bare_number_key) and normalize_input(item).lstrip("+-").isdigit()
        match = self.pattern.fullmatch(f"{self.bare_number_key} {item}" if is_bare else item)
        if match is None:
            known_words = ", ".join(format_field_word(each) for each in self.fields.values())
            got = f"{format_input(item)} on line {number}"
            self.problems.report(
                "line.word", f"one of {known_words}, and its value", got, "fighters", known=known_words
            )
            return ""
        key = re.sub(r"[\s_/]+(per\s*)?", "_", match[2].lower())
        field = self.fields.get(key) or self.fields["hp_round"]
        quoted = parse_leading_quote(match[3].strip())
        value = field.type.parse_or_return_text(field, quoted[0] if quoted and not quoted[1] else match[3].strip())
        if match[1]:
            value = False if value is True else item
        try:
            field.type.convert_file_value(field, value, ())
        except InvalidFieldValue as error:
            problem, word = error.found[0], format_field_word(field)
            expected, got = f"{problem.expected} as {word}", f"{format_input(problem.got)} on line {number}"
            self.problems.report("line.value", expected, got, "fighters", field.rule, word=word, value=problem.expected)
            return field.key
        values[field.key] = value
        return ""


def _sideless_early_line_problems(
    lines: Sequence[_ParsedLine], side_line_number: int, first_side: str
) -> list[Problem]:
    """List advice on fighters without a side above the first line `side: red`.

    That line was perhaps meant for the name above it.
    """
    early = [each for each in lines if each.number < side_line_number and not each.values.get("side")]
    if not early or not first_side:
        return []
    names = [
        f"{truncate_line(each.name, _MAX_NAME_IN_PROBLEM)} (line {each.number})" for each in early[:_MAX_EARLY_NAMES]
    ]
    more = [f"{len(early) - _MAX_EARLY_NAMES} more"] if len(early) > _MAX_EARLY_NAMES else []
    verb = "has" if len(early) == 1 else "have"
    names_text = f"{join_words([*names, *more])} {verb} no side"
    side_text = f"“side: {first_side[:_MAX_NAME_IN_PROBLEM]}” on line {side_line_number}"
    got = f"{side_text} applies only to the names below it; {names_text}"
    own_side = f"{truncate_line(early[0].name, _MAX_NAME_IN_PROBLEM)}: side {first_side[:_MAX_NAME_IN_PROBLEM]}"
    expected = f"“{own_side}”, or put the line above the name"
    return [Problem("fight.side-below", expected, got, "fighters", None, "advice")]


def _complete_pools_and_report_missing(line: _ParsedLine, system: AnySystem, fields: Sequence[Field]) -> Problems:
    """Complete hit points and pools, and report missing fields.

    Hit points are by default the sum of the pools. If they are more, a missing last pool gets the remaining points.
    Rule: `mano-old.pools`.
    """
    for field in system.character_fields:
        pools = [part.key for part in field.type.list_component_fields(field)]
        pool_values = {pool: line.values.pop(pool) for pool in pools if pool in line.values}
        if pool_values:
            hp = line.values.setdefault("hp", sum(pool_values.values()))
            rest, last = hp - sum(pool_values.values()), pools[-1]
            line.values[field.key] = (
                {**pool_values, last: rest} if last not in pool_values and rest > 0 else pool_values
            )
    known_fields = {*line.values, *line.invalid_fields}
    problems, got = Problems(), f"{format_input(line.name)} on line {line.number}"
    for field in (each for each in fields if each.default is None and each.key not in known_fields):
        word = format_field_word(field)
        expected = f"{word} ({field.meaning}), like “{word} 3”"
        problems.report("line.missing", expected, got, "fighters", name=line.name, word=word)
    return problems


def _build_characters(lines: Sequence[_ParsedLine]) -> tuple[dict[str, Any], ...]:
    ids_and_names = assign_ids_and_unique_names([each.name for each in lines], "seat")
    return tuple(
        {"id": fighter_id, "name": name, **each.values}
        for (fighter_id, name), each in zip(ids_and_names, lines, strict=True)
    )


def format_lines(scenario: Scenario) -> str:
    """Format a scenario's characters as lines for `parse_fighter_lines`."""
    return "\n".join(_format_character_line(table, scenario.system) for table in scenario.tree["characters"])


def list_required_sample_items(system: AnySystem) -> tuple[str, ...]:
    """List the words that a line must have, with values of the turn system's sample.

    Examples are `hp 6` and `hp/round 3`.
    """
    required = {format_field_word(each) for each in system.character_fields if each.default is None}
    items = system.sample.partition("\n")[0].partition(":")[2].split(",")
    return tuple(each.strip() for each in items if each.split()[0] in required)


def format_name_lines(names_and_sides: Sequence[tuple[str, str]], required_items: Sequence[str] = ()) -> str:
    """Format names and sides as lines for `parse_fighter_lines`.

    `required_items` are the items that each line has. A side may be "".
    """
    lines = []
    for name, side in names_and_sides:
        lines.append(format_line(name, [*required_items, *([format_item("side", side)] if side else [])]))
    return "\n".join(lines)


def format_line(name: str, items: Sequence[str]) -> str:
    """Format a name and its items as a line for `parse_fighter_lines`."""
    return f"{_quote_if_needed(name, ',:')}: {', '.join(items)}" if items else _quote_if_needed(name, ",:")


def format_item(key: str, value: object) -> str:
    """Format a word and its value as in a line: `side "red, blue"`."""
    return f"{key} {_quote_if_needed(str(value), ',')}"


def _quote_if_needed(text: str, signs: str) -> str:
    """Quote a text if a line would be misread without quotation marks.

    That is a text with one of the `signs`, or one that looks like a heading or a list item.
    """
    plain = clean_line(text)
    is_odd = any(sign in plain for sign in f'{signs}"“„') or strip_bullet(plain) != plain or plain[:1] in (":", "=")
    return quote_name(plain) if is_odd or plain.lower() in ("side", "group") else plain


def _format_character_line(character_data: Mapping[str, Any], system: AnySystem) -> str:
    """Format a character's table as a line."""
    name, values = (
        str(character_data.get("name", character_data["id"])),
        {**character_data, **character_data.get("pools", {})},
    )
    items = []
    for field in list_line_fields(system):
        if field.key in values:
            value = field.type.format_for_players(field, values[field.key])
            items.append(format_item(format_field_word(field), value))
    return format_line(name, items)


# The beginning of the fight


def parse_head_and_ambush(
    system: AnySystem, texts: Mapping[str, str], names: NameIndex
) -> tuple[dict[str, Any], list[dict[str, Any]], Problems]:
    """Parse the controls of the beginning.

    Returns the fields of the file's head, an ambush as its first step, and the problems, each at its control. `names`
    has the id of every name. Never raises. Rules: `mano.start.first`, `mano.surprise.two-rolls`, `mano-old.surprise`.
    """
    head: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    problems = Problems()
    for field in list_head_and_ambush_fields(system):
        entries = names.split_entries(texts.get(field.key, ""), partial(_has_known_name, field, names))
        outcomes, problem = _parse_outcomes_by_id(entries, field, names)
        value = field.type.build_file_value_from_outcomes(outcomes)
        if problem:
            problems.append(problem)
        elif value and field in system.setup_fields:
            head[field.key] = value
        elif value:
            steps.append({"do": AMBUSH, field.key: value})
    return head, steps, problems


def _parse_outcomes_by_id(
    entries: Sequence[str], field: Field, names: NameIndex
) -> tuple[dict[str, bool], Problem | None]:
    """Parse names with their outcomes, by id.

    A name alone has a good outcome. Returns {} and the first problem if an entry is invalid.
    """
    outcomes: dict[str, bool] = {}
    rule, invalid_text = _RULES.get(field.key), ""
    for entry in entries[:MAX_CHARACTERS]:
        ids, outcome, name = _parse_name_with_outcome(entry, field, names)
        if len(ids) != 1:
            return {}, names.build_problem(name if ids else entry, field.key, "a name, such as “{}”", rule)
        if outcome not in _OUTCOME_WORDS:
            invalid_text = entry
            break
        outcomes[ids[0]] = _OUTCOME_WORDS[outcome]
    else:
        if len(outcomes) < len(entries) or (field.type.is_single and sum(outcomes.values()) > 1):
            invalid_text = ", ".join(entries)
    if not invalid_text:
        return outcomes, None
    expected = f"{field.type.named_shape} ({', '.join(names.names_by_id.values())[:80] or 'none yet'})"
    facts = {"control": field.label or field.key, "shape": expected}
    return {}, Problem("fight.beginning", expected, format_input(invalid_text), field.key, rule, facts=facts)


def _has_known_name(field: Field, names: NameIndex, entry: str) -> bool:
    return bool(_parse_name_with_outcome(entry, field, names)[0])


def _parse_name_with_outcome(entry: str, field: Field, names: NameIndex) -> tuple[tuple[str, ...], str, str]:
    """Split an entry into the ids of its name, its outcome, and the name.

    The outcome is "yes" by default. The ids are () for an unknown name.
    """
    match = _OUTCOME_PATTERN.fullmatch(entry[: 2 * MAX_NAME_LENGTH]) if field.type.has_outcomes else None
    if match and not names.find_possible_ids(entry):
        return names.find_possible_ids(match[1]), match[2].lower(), match[1]
    return names.find_possible_ids(entry), "yes", entry


def list_head_and_ambush_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the fields of the beginning: those of the head and of the ambush."""
    return (*system.setup_fields, *system.step_fields.get(AMBUSH, ()))


def format_head_and_ambush_fields(scenario: Scenario, steps: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Convert the beginning of a scenario to texts for `parse_head_and_ambush`."""
    texts = {}
    names = {each.id: each.name for each in scenario.fighters}
    for field in scenario.system.setup_fields:
        value = scenario.tree.get(field.key, "")
        ids = value if isinstance(value, list) else [value]
        texts[field.key] = ", ".join(names.get(fighter_id, str(fighter_id)) for fighter_id in ids)
    for step in steps[:1]:
        if step.get("do") == AMBUSH:
            rolls = step["stalkers"].items()
            texts["stalkers"] = ", ".join(
                f"{names.get(fighter_id, fighter_id)} {'succeeds' if is_success else 'fails'}"
                for fighter_id, is_success in rolls
            )
    return texts
