"""The repository: packages, dependencies, contributors' pages, tests and fences."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from build_scripts.browser_app import list_example_queries
from build_scripts.fences.calculator import format_fence_query
from build_scripts.fences.registry import check_fences, list_calculator_fences, list_fences, list_unknown_name_failures
from build_scripts.fences.scenario import play_checked_example, render_example
from build_scripts.paths import DOCS, ROOT
from scratch_core import __version__


def test_every_fence_of_the_pages_renders() -> None:
    """A failing fence is reported with page and line."""
    assert check_fences(DOCS) == []
    assert len(list(list_calculator_fences(DOCS))) >= 6


@pytest.mark.parametrize(
    ("fence", "message"),
    [
        ('calculator name="dise"', "calculator 'dise' failed: expected a calculator, got 'dise'; did you mean dice?"),
        ('cast kind="heroes"', "cast 'heroes' failed: expected one of "),
        ('engine-table name="carri"', "engine-table 'carri' failed: expected one of "),
        ("cast", "cast failed: "),
        ('scenario colour="red"', "scenario 'red' failed: "),
    ],
    ids=["calculator", "cast", "table", "nothing named", "an option that it hasn't"],
)
def test_failing_fence_is_reported_with_line_and_suggestion(fence: str, message: str, tmp_path: Path) -> None:
    """The line is that of the opening fence."""
    page = tmp_path / "rules" / "rolls.md"
    page.parent.mkdir()
    quoted = '````\n```calculator name="shown"\n```\n````\n'
    body = EXAMPLE if fence.startswith("scenario") else "roll=d20\n"
    page.write_text(f"# Rolls\n\n{quoted}\n```{fence}\n{body}```\n")
    (failure,) = check_fences(tmp_path)
    assert failure.startswith(f"docs/rules/rolls.md:8: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("See [[act.covr]].", "docs/turns.md:3: expected a rule or ruling, got 'act.covr'; did you mean act.cover?"),
        (
            "See [[act.covr|hide]].",
            "docs/turns.md:3: expected a rule or ruling, got 'act.covr'; did you mean act.cover?",
        ),
        ("So. [[A01 K99]]", "docs/turns.md:3: expected a rule or ruling, got 'K99'"),
        ("It is [[is stealt]].", "docs/turns.md:3: expected an ability, got 'stealt'; did you mean stealth?"),
        ("At [[= act.shootin.auto]].", "got [[= act.shootin.auto]]; did you mean act.shooting.auto?"),
        ("## So { #act.covr }", "docs/turns.md:3: expected a rule's anchor, got 'act.covr'; did you mean act.cover?"),
        ("`[[act.covr]]`", ""),
        ("```text\n[[act.covr]]\n```", ""),
    ],
    ids=["rule", "words", "ruling", "ability", "number", "anchor", "code", "fence"],
)
def test_unknown_name_in_brackets_is_reported_with_a_suggestion(text: str, message: str, tmp_path: Path) -> None:
    """Rules, rulings, abilities, numbers and anchors are checked, except in code."""
    (tmp_path / "turns.md").write_text(f"# Turns\n\n{text}\n")
    found = list_unknown_name_failures(tmp_path)
    assert len(found) == bool(message)
    assert all(message in each for each in found)


def test_misspelt_control_of_a_fence_is_reported_with_a_suggestion(tmp_path: Path) -> None:
    """The line is the control's own."""
    (tmp_path / "turns.md").write_text('# Turns\n\n```calculator name="dice"\nagainst=13\nrol=d20\n```\n')
    (failure,) = check_fences(tmp_path)
    assert failure == "docs/turns.md:5: expected a control of 'dice', got 'rol'; did you mean roll?"


EXAMPLES = {f"{each.page}:{each.line}": each for each in list_fences(DOCS) if each.kind == "scenario"}


@pytest.mark.parametrize("place", EXAMPLES)
def test_example_fight_of_a_page_meets_its_expectations(place: str) -> None:
    """Play each scenario fence by the rules."""
    example = EXAMPLES[place]
    played = play_checked_example(example.body, example.line)
    assert played.scenario.title
    assert not played.differences


def test_four_pages_of_rules_have_example_fights() -> None:
    """Turns, actions, abilities and hit points are shown in fights."""
    pages = {example.page for example in EXAMPLES.values()}
    assert pages >= {f"rules/{name}.md" for name in ("turns", "actions", "abilities", "hit-points")}


EXAMPLE = """title = "A shot"
characters = [
  { id = "rook", abilities = { shooting = 2, toughness = 3 } },
  { id = "hale", abilities = { toughness = 3 } },
]
initiative = { rook = [15], hale = [5] }
steps = [
  { actor = "rook", do = "shoot", target = "hale", faces = [8], expect = { "hp.hale" = 1 } },
]
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"hp.hale" = 1', '"hp.hale" = 2', "line 11: step 1 (steps[0].expect): expected hp.hale = 2, got 1"),
        (', expect = { "hp.hale" = 1 }', "", "expected an `expect`"),
        (", faces = [8]", "", "expected the faces of its dice"),
        ("faces = [8]", "faces = [8, 9]", "expected 1 face, got 2"),
        ('do = "shoot"', 'do = "shot"', "in steps[0].do (line 10)"),
        ("steps = [", "steps = ", "expected TOML"),
    ],
    ids=["unmet", "nothing-held", "no-face", "two-faces", "unknown", "no-toml"],
)
def test_failing_example_fight_is_reported_with_page_and_reason(old: str, new: str, words: str, tmp_path: Path) -> None:
    """An example may be invalid or have a result other than expected."""
    assert old in EXAMPLE
    (tmp_path / "turns.md").write_text(f"# Turns\n\n```scenario\n{EXAMPLE.replace(old, new)}```\n")
    (failure,) = check_fences(tmp_path)
    assert failure.startswith("docs/turns.md:3: scenario failed: ")
    assert words in failure


def test_example_fight_shows_characters_rolls_and_a_replay_link() -> None:
    """Each part of a roll links its rule, and a title is escaped."""
    html = render_example(EXAMPLE.replace("shooting = 2", "shooting = 2, stealth = 1"))
    for words in ("A shot", "<strong>Rook</strong> shooting 2, stealth 1, toughness 3", "Rook shoots Hale"):
        assert words in html
    for rule_id, words in (
        ("roll.d20", "8&nbsp;die roll"),
        ("act.shooting", "2&nbsp;shooting"),
        ("def.agility", "10&nbsp;base"),
    ):
        assert f'<a class="rule-link" href="rule:{rule_id}">{words}</a>' in html
    assert 'href="tool:replay/?scenario=%7B' in html
    assert "<script" not in render_example(EXAMPLE.replace("A shot", "<script>alert(1)</script>"))


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("roll=d20+3\nagainst=13", "roll=d20%2B3&against=13"),
        ("sheet=Thug\n2 toughness\nshow=figures", "sheet=Thug%0A2%20toughness&show=figures"),
        ("", ""),
    ],
)
def test_fence_body_becomes_a_query(body: str, query: str) -> None:
    """A line of a fence sets a control or continues the value above."""
    assert format_fence_query(body) == query


def test_fence_body_without_a_control_raises() -> None:
    """The message contains the line."""
    with pytest.raises(ValueError, match="expected a line `control=value`, got 'hello'"):
        format_fence_query("hello")


def test_wheel_has_the_engine_alone_and_runs_its_commands(tmp_path: Path) -> None:
    """The wheel contains the type marker and the data files."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "scratch_core/py.typed" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"scratch_core"}

    def run_python(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(wheel)}
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    rolled = run_python("-m", "scratch_core", "roll", "d20+3", "--against", "13", "--faces", "10", "--json")
    assert json.loads(rolled)["total"] == 13
    assert run_python("-m", "scratch_core", "play", "harbour").startswith("The harbour: two smugglers and the watch\n")
    assert (
        run_python("-c", "from scratch_core.rulebook import get_ruling; print(get_ruling('K01').switch)")
        == "strength_base\n"
    )


def test_tracked_files_have_no_path_of_a_machine() -> None:
    """Absolute paths of home and working folders are refused."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, files.split("\0")):
        path = ROOT / name
        if path.suffix not in {".lock", ".png", ".svg", ".woff2"} and name != "package-lock.json" and path.exists():
            found = re.search(r"(?<![\w.])/(?:work|root|tmp|home)/[a-z]\S*", path.read_text(encoding="utf-8"))
            assert not found or "/home/pyodide" in found[0], f"{name}: {found and found[0]}"


def test_dependencies_are_pinned_with_hashes() -> None:
    """Every Python and every npm package in the lock files has a hash."""
    requirements = "".join(path.read_text() for path in ROOT.glob("requirements*.lock"))
    packages = re.findall(r"^[a-z0-9][^\n]*==[^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", requirements, re.M)
    assert len(packages) == len(re.findall(r"^[a-z0-9][^\n]*==", requirements, re.M))
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert all("integrity" in package for name, package in locked.items() if name)


def test_mutation_settings_name_existing_files() -> None:
    """`make mutate` runs only at night, where a wrong path would fail."""
    mutmut = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    assert [test for test in mutmut["pytest_add_cli_args_test_selection"] if not (ROOT / test).exists()] == []
    assert [glob for glob in mutmut["only_mutate"] if not any(ROOT.glob(glob))] == []


def test_changelog_groups_short_bullets_under_known_headings() -> None:
    """Allow the sections of Keep a Changelog, three groups, and 20 words in a bullet."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    sections = {line[4:] for line in lines if line.startswith("### ")}
    groups = {line[5:] for line in lines if line.startswith("#### ")}
    versions = [line for line in lines if line.startswith("## ")]
    assert all(re.fullmatch(r"## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)", line) for line in versions), versions
    assert versions[0] == "## Unreleased" or versions[0].startswith(f"## {__version__} - ")
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert groups == {"For players", "For users of the package", "For contributors"}
    assert [line for line in lines if line.startswith("- ") and len(line.split()) > 21] == []


def test_make_help_and_contributing_list_every_target() -> None:
    """List each target once in `make help`, with a capitalized description, and once in CONTRIBUTING.md."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = sorted(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert len(targets) > 20
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(re.findall(r"^  ([a-z-]+) +[A-Z]", listed, re.MULTILINE)) == targets
    assert re.findall(r"^  ([a-z-]+)", listed, re.MULTILINE)[:4] == ["serve", "quick", "test", "format"]
    commands = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Commands")[2]
    rows = re.findall(r"^\| ([^|]+) \|", commands, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`make ([a-z-]+)", row)) == targets


def test_examples_for_trimming_cover_dice_and_character() -> None:
    """The bundle keeps the functions that these examples use."""
    assert {name for name, _ in list_example_queries()} >= {"dice", "character"}


def test_pytest_skips_no_folder_with_tests(pytestconfig: pytest.Config) -> None:
    """Pytest skips folders such as `build` by default."""
    skipped = pytestconfig.getini("norecursedirs")
    files = [path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(files) > 150
    assert [path for path in files for part in path.parts for each in skipped if fnmatch(part, each)] == []


def test_test_modules_import_no_other_test_module() -> None:
    """Shared helpers are in modules of their own."""
    imported = re.compile(r"^(?:from|import) tests\.[\w.]*\btest_\w+", re.MULTILINE)
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {path.name: imported.findall(path.read_text(encoding="utf-8")) for path in files}
    assert {name: each for name, each in found.items() if each} == {}


FIXED_WAITS = {
    "a fixed delay": r"\bwait_for_timeout\(|\bsleep\(|\bset(?:Timeout|Interval)\(|\btimers/promises\b",
    "turns of the event loop": r"\bsetImmediate\b|\bprocess\.nextTick\b|^ *await Promise\.resolve\(\)",
    "a count of awaits": r"\bfor \(let (\w+)\b[^;\n]*;[^;\n]*<=? *\d[^\n]*?\)\s*(?:\{\s*)?await (?![^\n]*\b\1\b)",
    "a retry": r"\bTRIES\b|\bretries\b|--(?:reruns|last-failed)\b|\bflaky\b",
}
"""Ways to wait for time or for a number of tries, instead of for a condition."""
EVENT_LOOP = "until.mjs"
"""The module through which scripts' tests wait; it asks once per turn of the event loop, with a time limit."""


def find_fixed_waits(name: str, text: str) -> list[str]:
    """Return the places where a test's text waits for a fixed amount.

    That is time, turns of the event loop or a number of tries.
    """
    found = [
        f"{name}: {what}, {each[0]}" for what, form in FIXED_WAITS.items() for each in re.finditer(form, text, re.M)
    ]
    if name.endswith(".py"):
        loops = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.For))
        found += [
            f"{name}:{each.lineno}: a count of looks" for each in loops if "browser/" in name and _is_polling(each)
        ]
    return found


def _is_polling(loop: ast.For) -> bool:
    """Return whether a loop counts, and may end before it has counted to the end."""
    counts = isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) and loop.iter.func.id == "range"
    return counts and any(isinstance(each, ast.Break | ast.Return) for each in ast.walk(loop))


def test_tests_have_no_fixed_waits_and_retries() -> None:
    """Waiting for times, turns of the event loop or a number of tries is refused."""
    files = [path for kind in ("*.py", "*.mjs", "*.js") for path in sorted((ROOT / "tests").rglob(kind))]
    files += [ROOT / "Makefile", *(ROOT / ".github").rglob("*.yml")]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files if path != Path(__file__)}
    assert len(texts) > 100
    waits = [
        each for name, text in texts.items() if Path(name).name != EVENT_LOOP for each in find_fixed_waits(name, text)
    ]
    assert waits == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "time.sleep(1)"),
        ("a.py", "page.wait_for_timeout(100)"),
        ("a.mjs", "await new Promise((done) => setTimeout(done, 5));"),
        ("a.mjs", "for (let turn = 0; turn < 200; turn += 1) await nextTurn();"),
        ("a.mjs", "for (let turn = 0; turn < 200; turn += 1) {\n  await look();\n}"),
        ("a.mjs", "while (!done) await new Promise(setImmediate);"),
        ("tests/browser/a.py", "for _ in range(20):\n    if page.locator('b').count():\n        break"),
        ("Makefile", "pytest --last-failed tests/browser"),
    ],
)
def test_fixed_wait_is_found(name: str, text: str) -> None:
    """Find each way to wait for anything but a condition."""
    assert find_fixed_waits(name, text)


PRODUCT = ("scratch_core", "build_scripts")
TOOLS = ROOT / "build_scripts" / "dev"


def test_product_code_imports_neither_tests_nor_dev() -> None:
    """The engine doesn't import the build either."""
    found = []
    files = (file for folder in PRODUCT for file in sorted((ROOT / folder).rglob("*.py")))
    for path in (file for file in files if not file.is_relative_to(TOOLS)):
        barred = ("tests.", "build_scripts." if path.is_relative_to(ROOT / "scratch_core") else "build_scripts.dev.")
        names = _list_imported_names(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(ROOT)}: {name}" for name in names if f"{name}.".startswith((".", *barred))]
    assert found == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import tests.support", "tests.support"),
        ("def run():\n    from build_scripts import dev", "build_scripts.dev"),
        ("from build_scripts.dev.serve import serve_site", "build_scripts.dev.serve.serve_site"),
        ("from .dev import serve", ".dev.serve"),
    ],
)
def test_imported_names_are_complete(text: str, name: str) -> None:
    """A relative import begins with a dot."""
    assert _list_imported_names(text) == [name]


def _list_imported_names(text: str) -> list[str]:
    """Return the full names that a module imports."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names]
    return names


def test_type_ignores_have_a_code_and_a_reason() -> None:
    """There are sixty at most."""
    files = [path for folder in ("scratch_core", "build_scripts", "tests") for path in (ROOT / folder).rglob("*.py")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    passed = [said[0] for line in lines if (said := re.search(r"(?<=\S  # type: )ignore.*", line))]
    assert [each for each in passed if not re.match(r"ignore\[[a-z, -]+\]  # \w", each)] == []
    assert len(passed) <= 60
