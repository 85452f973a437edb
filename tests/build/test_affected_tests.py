"""`make quick`: which tests a change runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from build_scripts.dev import affected_tests
from build_scripts.dev.affected_tests import Change, build_test_plan, list_test_commands
from build_scripts.paths import ROOT


def list_test_names(*names: str) -> set[str]:
    """Return the names of the test files that changes of these files run."""
    return {path.stem for path in build_test_plan(map(Change, names)).tests}


@pytest.mark.parametrize(
    ("changed", "runs", "left_out"),
    [
        (
            "scratch_core/encounter/engine.py",
            (
                "test_encounter",
                "test_fight_page",
                "test_import_order",
                "test_cases",
                "test_grid_page",
                "test_public_names",
            ),
            ("test_dice", "test_characters", "test_bundle"),
        ),
        ("scratch_core/dice/rolls.py", ("test_dice_against_oracle", "test_fight_against_oracle"), ()),
        (
            "scratch_core/calculators/dice/view_model.py",
            ("test_dice_page", "test_duel_statistics"),
            ("test_encounter", "test_dice"),
        ),
        (
            "site_overrides/calculators/fight.html",
            ("test_fight_page", "test_scripts", "test_snapshots"),
            ("test_board",),
        ),
        ("scratch_core/errors.py", ("test_dice", "test_characters", "test_board_page"), ()),
        ("scratch_core/__init__.py", ("test_dice", "test_cli"), ()),
        ("README.md", ("test_publishing",), ("test_snapshots", "test_dice", "test_board_page", "test_encounter")),
        ("docs/rules/actions.md", ("test_grid_page", "test_rule_check"), ("test_fight_page", "test_dice")),
        (
            "site_overrides/javascripts/saved/store.mjs",
            ("test_scripts", "test_public_names"),
            ("test_fight_page",),
        ),
        (".github/workflows/tests.yml", ("test_publishing", "test_scripts"), ("test_dice",)),
        ("pyproject.toml", ("test_dice", "test_publishing", "test_cases", "test_fight_against_oracle"), ()),
        ("tests/engine/dice/test_dice.py", ("test_dice",), ("test_characters", "test_publishing")),
        ("tests/support/fights.py", ("test_fight_page",), ("test_dice", "test_publishing")),
        ("tests/rules/cases/E004.toml", ("test_cases",), ("test_dice",)),
        ("tests/scripts/saved-store.test.mjs", ("test_scripts",), ("test_dice",)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_quick_runs_the_tests_a_change_can_affect(
    changed: str, runs: tuple[str, ...], left_out: tuple[str, ...]
) -> None:
    """Run the tests of the changed rung and of all rungs that import it.

    Tests of the rungs above it are left out.
    """
    names = list_test_names(changed)
    assert set(runs) - names == set()
    assert names & set(left_out) == set()


def test_quick_runs_browser_tests_that_read_a_changed_word() -> None:
    """Find a browser test by a changed word in it.

    A word of a page object that the test imports counts, too.
    """
    own = Change("site_overrides/calculators/fight.html", "<button>Begin the fight</button>", "<button>Start</button>")
    tests = build_test_plan([own]).browser_tests
    assert any("Begin the fight" in words for words in tests.values())


def test_quick_runs_no_browser_test_where_no_word_changed() -> None:
    """Leave the browser out where markup alone has changed."""
    name = "site_overrides/calculators/fight.html"
    assert build_test_plan([Change(name, "<b>Begin the fight</b>", "<i>Begin the fight</i>")]).browser_tests == {}


def test_quick_finds_words_in_tests_but_not_in_docstrings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the strings of each test function, without docstrings.

    A string outside of test functions belongs to all tests of the file.
    """
    room = tmp_path / "tests" / "browser"
    room.mkdir(parents=True)
    (room / "helper.py").write_text("def go(page):\n    page.click('text=Load the file')\n")
    (room / "test_a.py").write_text(
        'def test_one(page):\n    """Roll again."""\n    page.get_by_role("button", name="Roll again")\n'
        "def test_two(page):\n    pass\n"
    )
    (room / "test_b.py").write_text("from tests.browser.helper import go\n\ndef test_three(page):\n    go(page)\n")
    monkeypatch.setattr(affected_tests, "ROOT", tmp_path)
    monkeypatch.setattr(affected_tests, "TESTS", tmp_path / "tests")
    for before, after, expected in (
        ("Roll again", "Throw again", {"tests/browser/test_a.py::test_one": ("Roll again",)}),
        ("Load the file", "Open the file", {"tests/browser/test_b.py": ("Load the file",)}),
        ("Roll again", "Roll again now", {}),
    ):
        change = Change("site_overrides/calculators/dice.html", f"<b>{before}</b>", f"<b>{after}</b>")
        assert affected_tests.map_browser_tests_to_changed_texts([change]) == expected


def test_quick_builds_the_site_only_for_browser_tests() -> None:
    """Run the checks first, and build the site only before browser tests."""
    plain = list_test_commands(affected_tests.Plan((ROOT / "tests" / "engine" / "dice" / "test_dice.py",), {}))
    assert [command[-1] for command in plain] == ["check", "tests/engine/dice/test_dice.py"]
    shown = list_test_commands(affected_tests.Plan((), {"tests/browser/test_dice.py::test_x": ("Roll",)}))
    assert [command[-1] for command in shown] == [
        *("check", "build_scripts.build", "build_scripts.browsers", "tests/browser/test_dice.py::test_x"),
    ]


@pytest.mark.needs_process
def test_quick_without_changes_runs_nothing(tmp_path: Path) -> None:
    """Print that nothing differs."""
    script = "from build_scripts.dev import affected_tests as tests; tests.list_changes = lambda base: []; tests.main()"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "No file differs from HEAD, so there is nothing to run.\n"


@pytest.mark.needs_process
def test_quick_runs_one_seed_of_each_oracle() -> None:
    """Collect batch 0 of each kind, and what is not marked `no_cover`."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "--quick",
        "tests/oracle/test_fight_against_oracle.py",
    ]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    batches = [line for line in done.stdout.splitlines() if "test_engine_agrees_with_oracle_in_random_fights[" in line]
    assert batches != []
    assert all("[0-" in line or line.endswith("-0]") for line in batches)
    assert len(batches) == len(set(batches))
