"""The bench, without a clock: what it measures, counts and holds to goals."""

import gzip
import json
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from build_scripts.dev.bench import boards, run, turns
from build_scripts.dev.bench.servers import SlowLine, serve_for_bench
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict


@pytest.fixture(scope="module")
def fight() -> ScenarioResult:
    """The long fight, played."""
    return play(scenario_from_dict(turns.build_long_fight()))


def test_long_fight_goes_on_to_its_end(fight: ScenarioResult) -> None:
    """The long fight has 200 legal steps that strike, evade and heal, and no one has won before the last."""
    assert len(fight.results) == turns.STEPS == 200
    assert all(record.is_legal for record in fight.results)
    assert {record.do for record in fight.results} == {"basic-attack", "double-attack", "evade", "heal"}
    assert {state.winner for state in fight.states} == {""}


def test_turns_are_measured(fight: ScenarioResult) -> None:
    """Every work on turns is done: all positions are read, and all steps answered."""
    assert turns.sum_hit_points(fight) == sum(fighter.hp for state in fight.states[1:] for fighter in state.fighters)
    assert turns.count_replay_answers(json.dumps(turns.build_long_fight())) == 200


def test_boards_are_what_they_say() -> None:
    """On a bare board of 10 everything is seen, and 6 spaces each way from (5, 5) cover it."""
    bare = boards.build_board(10, "")
    assert boards.count_visible_spaces(bare) == 100
    assert boards.count_reachable_spaces(bare) == 100


@pytest.mark.parametrize("work", ["turns", "presses", "boards", "hostile"])
def test_a_work_is_measured_inside_pyodide(work: str) -> None:
    """The library and the engine that the pages load are enough, with what a work needs beside them."""
    batches = 0 if work == "hostile" else 1
    assert run.measure_in_pyodide(work, batches).keys() == run.measure_in_python(work, batches).keys()


LINE = "200 positions shown, CPython"
PRESS = "a press at step {}, CPython"


@pytest.mark.parametrize(
    ("figures", "missed"),
    [
        ({LINE: 15.0, PRESS.format(50): 10.0, PRESS.format(990): 20.0}, 0),
        ({LINE: 15.1, PRESS.format(50): 10.0, PRESS.format(990): 20.0}, 1),
        ({LINE: 15.1, PRESS.format(50): 10.0, PRESS.format(990): 20.1}, 2),
        ({"first roll, reload, Chromium": 100.0, "first roll, reload, Chromium, stock Pyodide": 359.0}, 1),
        ({"kB of the bundle, gzip": 60.0, "kB of the bundle, gzip, stock Pyodide": 101.0}, 0),
    ],
)
def test_a_missed_goal_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, figures: dict[str, float], missed: int
) -> None:
    """Whoever runs the bench as a command learns from its exit whether each goal was reached; all is kept before."""
    page = tmp_path / "tools" / "dice" / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    monkeypatch.setattr(run, "measure", lambda *_, **__: figures)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["run", "--quick", "--site", str(tmp_path)])
    if missed:
        with pytest.raises(SystemExit, match=rf"^{missed} of \d goals missed$"):
            run.main()
    else:
        run.main()
    assert json.loads(run.RESULTS.read_text(encoding="utf-8")) == figures


@pytest.mark.parametrize("line", [None, SlowLine(megabits=1000, delay_ms=0)], ids=["plain", "line"])
def test_bytes_sent_are_counted(tmp_path: Path, line: SlowLine | None) -> None:
    """A server counts each body as it was sent: compressed over a line, as it is without one."""
    text = b"export const dice = 20;\n" * 100
    (tmp_path / "dice.mjs").write_bytes(text)
    with serve_for_bench(tmp_path, line) as (url, sent), urlopen(Request(url + "dice.mjs")) as response:
        body = response.read()
    assert sent == {"/dice.mjs": len(body)}
    assert (gzip.decompress(body) if line else body) == text
