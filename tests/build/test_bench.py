"""The benchmarks, without a clock: what they measure and count, and how goals are checked."""

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
    """Play the long fight."""
    return play(scenario_from_dict(turns.build_long_fight()))


def test_long_fight_has_200_legal_steps_and_no_winner(fight: ScenarioResult) -> None:
    """The fight consists of attacks, evades and heals."""
    assert len(fight.results) == turns.STEPS == 200
    assert all(record.is_legal for record in fight.results)
    assert {record.do for record in fight.results} == {"basic-attack", "double-attack", "evade", "heal"}
    assert {state.winner for state in fight.states} == {""}


def test_turn_benchmarks_read_every_position_and_step(fight: ScenarioResult) -> None:
    """The counted hit points and answers are those of the whole fight."""
    assert turns.sum_hit_points_of_all_states(fight) == sum(
        fighter.hp for state in fight.states[1:] for fighter in state.fighters
    )
    assert turns.request_and_count_replay_steps(json.dumps(turns.build_long_fight())) == 200


def test_board_benchmarks_see_and_reach_an_empty_map() -> None:
    """All 100 spaces of an empty map are visible and within reach."""
    bare = boards.build_sample_board(10, "")
    assert boards.count_visible_spaces(bare) == 100
    assert boards.count_reachable_spaces(bare) == 100


@pytest.mark.parametrize("work", ["turns", "presses", "boards", "hostile"])
def test_benchmark_inside_pyodide_measures_the_same_figures(work: str) -> None:
    """The library and engine of the pages suffice for each benchmark."""
    batches = 0 if work == "hostile" else 1
    assert run.measure_in_pyodide(work, batches).keys() == run.measure_in_python(work, batches).keys()


POSITIONS_FIGURE = "200 positions shown, CPython"
PRESS_FIGURE = "a press at step {}, CPython"


@pytest.mark.parametrize(
    ("figures", "missed"),
    [
        ({POSITIONS_FIGURE: 15.0, PRESS_FIGURE.format(50): 10.0, PRESS_FIGURE.format(990): 20.0}, 0),
        ({POSITIONS_FIGURE: 15.1, PRESS_FIGURE.format(50): 10.0, PRESS_FIGURE.format(990): 20.0}, 1),
        ({POSITIONS_FIGURE: 15.1, PRESS_FIGURE.format(50): 10.0, PRESS_FIGURE.format(990): 20.1}, 2),
        ({"first roll, reload, Chromium": 100.0, "first roll, reload, Chromium, stock Pyodide": 359.0}, 1),
        ({"kB of the bundle, compressed": 45.0, "kB of the bundle, compressed, stock Pyodide": 100.0}, 0),
        ({"kB of a first visit": 3_151.0}, 1),
    ],
)
def test_benchmark_run_fails_when_goals_are_missed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, figures: dict[str, float], missed: int
) -> None:
    """The exit message counts the missed goals, and the results are saved before."""
    page = tmp_path / "tools" / "dice" / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    monkeypatch.setattr(run, "measure_works", lambda *_, **__: figures)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["run", "--quick", "--site", str(tmp_path)])
    if missed:
        with pytest.raises(SystemExit, match=rf"^{missed} of \d goals missed$"):
            run.main()
    else:
        run.main()
    assert json.loads(run.RESULTS.read_text(encoding="utf-8")) == figures


@pytest.mark.parametrize("line", [None, SlowLine(megabits=1000, delay_ms=0)], ids=["plain", "line"])
def test_bench_server_counts_the_bytes_it_sends(tmp_path: Path, line: SlowLine | None) -> None:
    """Bodies are compressed over a simulated line, and counted as sent."""
    text = b"export const dice = 20;\n" * 100
    (tmp_path / "dice.mjs").write_bytes(text)
    with serve_for_bench(tmp_path, line) as (url, sent), urlopen(Request(url + "dice.mjs")) as response:
        body = response.read()
    assert {path: each.size for path, each in sent.items()} == {"/dice.mjs": len(body)}
    assert (gzip.decompress(body) if line else body) == text


def test_bench_without_a_browser_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It names the way out, without a traceback."""
    page = tmp_path / "tools/dice/index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    monkeypatch.setattr(run, "measure_works", lambda *_, **__: {})
    monkeypatch.setattr("sys.argv", ["run", "--only", "starts", "--site", str(tmp_path)])
    with pytest.raises(SystemExit, match="install a browser, or name its program in CHROMIUM"):
        run.main()
