"""The bench, without a clock: what it compares, counts and prints."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from build_scripts.bundle import build_bundle
from build_scripts.folders import NODE_MODULES
from build_scripts.judges.bench import boards, chances, run, turns
from build_scripts.judges.bench.engines import Starts
from build_scripts.judges.bench.exact import digest, measure
from build_scripts.judges.bench.peers import LOCK, NPM_LOCK, run_script
from build_scripts.judges.bench.run import (
    BOARD_MS,
    HISTORY,
    HOSTILE_FILES,
    Row,
    boards_rows,
    engines_goals,
    engines_rows,
    goals_of,
    history_line,
    odds_goals,
    odds_rows,
    table,
    turns_rows,
)
from build_scripts.judges.bench.servers import Line, bench_server
from scratch_core.scenario import Played, play, read_tree
from tests.hostile import calculators


def test_peers_are_pinned_with_hashes() -> None:
    """Each peer that peers.in names is locked, and everything locked has a hash."""
    locked = LOCK.read_text()
    names = set(re.findall(r"^([a-z0-9-]+)==", locked, re.M))
    assert set(LOCK.with_name("peers.in").read_text().split()) <= names
    hashed = re.findall(r"^[a-z0-9-]+==[^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", locked, re.M)
    assert len(hashed) == len(re.findall(r"^[a-z0-9-]+==", locked, re.M))


def test_npm_peers_are_pinned_with_hashes() -> None:
    """Each npm peer is asked for in one exact version, and everything locked has a hash."""
    asked = json.loads(NPM_LOCK.with_name("package.json").read_text())["dependencies"]
    locked = json.loads(NPM_LOCK.read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in asked} == asked
    assert all(package["integrity"].startswith("sha512-") for name, package in locked.items() if name)


def test_digests_tell_distributions_apart() -> None:
    """Counts with a common factor or in another order are the same distribution; other counts are not."""
    assert digest([(1, 1), (2, 2)]) == digest([(2, 6), (1, 3), (3, 0)])
    assert digest([(1, 1), (2, 2)]) != digest([(1, 1), (2, 3)])


def test_ours_is_measured() -> None:
    """Our side of an exact work gives its times and the name of what it counted."""
    measured = measure("ours", "20d20kh10")
    assert measured.keys() == {"cold_ms", "warm_ms", "digest", "version"}
    assert measured["digest"] == measure("ours", "20d20dl10")["digest"]


@pytest.fixture(scope="module")
def fight() -> Played:
    """The long fight, played."""
    return play(read_tree(turns.long_fight()))


def test_long_fight_goes_on_to_its_end(fight: Played) -> None:
    """The long fight has 200 legal steps that strike, evade and heal, and nobody has won before the last."""
    assert len(fight.records) == turns.STEPS == 200
    assert all(record.legal for record in fight.records)
    assert {record.do for record in fight.records} == {"basic-attack", "double-attack", "evade", "heal"}
    assert {state.winner for state in fight.states} == {""}


def test_peers_get_the_same_fight(fight: Played) -> None:
    """From the sums given to a peer follow the hit points of each position (`roll.success`, `hp.auto-damage`)."""
    given = turns.for_the_peer(fight)
    fighters, evading = given["fighters"], [0] * 6
    hp = [fighter["hp"] for fighter in fighters]
    for n, move in enumerate(given["moves"]):
        evading[move["who"]] = move["bonus"] if move["do"] == "evade" else 0
        for target, face in zip(move["targets"], move["faces"], strict=True):
            against = 10 if move["do"] == "heal" else fighters[target]["agility"] + evading[target]
            if face == 20 or face + move["bonus"] >= against:
                hurt = hp[target] - (2 if face == 20 else 1)
                hp[target] = fighters[target]["max"] // 2 + 1 if move["do"] == "heal" else max(0, hurt)
        assert hp == given["hp"][n], f"after move {n + 1}"


def test_turns_are_measured(fight: Played) -> None:
    """Every work on turns is done: all positions are read, all steps answered, and each has its figure."""
    assert turns.show(fight) == sum(fighter.hp for state in fight.states[1:] for fighter in state.fighters)
    assert turns.answer(json.dumps(turns.long_fight())) == 200
    moments = list(turns.positions(fight))
    assert [turns.decide_and_apply(moment) for moment in moments] == list(fight.states[1:])
    assert all(turns.list_actions(moment) for moment in moments)
    assert turns.measure(1).keys() == MEASURED


MEASURED = {"positions", "decide_us", "legal_us", "played_ms", "shown_ms", "answered_ms", "python"}


def test_turns_are_measured_inside_pyodide() -> None:
    """The library and the engine that the pages load are enough for the bench inside Pyodide."""
    (engine,) = build_bundle().glob("engine-*")
    assert run_script("pyodide.mjs", "turns", NODE_MODULES / "pyodide", engine, "1").keys() == MEASURED


def test_hostile_inputs_are_measured_inside_pyodide() -> None:
    """What the measurement needs beside the application is there, modules of the lean library's packages among it."""
    (engine,) = build_bundle().glob("engine-*")
    measured = run_script("pyodide.mjs", "hostile", NODE_MODULES / "pyodide", engine, "0", *HOSTILE_FILES)
    assert measured.keys() == set(calculators())


@pytest.mark.parametrize("milliseconds", [BOARD_MS - 0.1, BOARD_MS], ids=["reached", "missed"])
def test_a_missed_goal_fails_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, milliseconds: float) -> None:
    """Whoever runs the bench as a command learns from its exit whether each goal was reached."""
    rows = boards_rows({"CPython": {"sight 30 open": milliseconds}})
    monkeypatch.setattr(run, "measure_boards", lambda _: rows)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["run", "--quick", "--only", "boards"])
    if milliseconds < BOARD_MS:
        run.main()
    else:
        with pytest.raises(SystemExit, match="1 of 1 goals missed"):
            run.main()
    assert json.loads(run.RESULTS.read_text(encoding="utf-8"))["goals"]


SIDES = {
    side: {
        "positions": 9,
        "decide_us": 2,
        "legal_us": 3,
        "played_ms": 4,
        "shown_ms": shown,
        "answered_ms": 6,
        "python": "3",
    }
    for side, shown in (("CPython", 15.0), ("Pyodide", 15.1))
}


def test_turns_have_their_lines_and_goals() -> None:
    """A replay is held against its peer and its goal on either side; what no peer does has a dash and a word on it."""
    rows = turns_rows(SIDES, {"played_ms": 8.0, "shown_ms": 750.0, "version": "0"})
    assert [(row.what, row.theirs) for row in rows if row.peer] == [
        ("200 steps played, CPython", 8.0),
        ("200 steps played, Pyodide", 8.0),
        ("200 positions shown, CPython", 750.0),
        ("200 positions shown, Pyodide", 750.0),
    ]
    assert table(rows).splitlines()[1].split()[-6:] == ["–", "–", "9", "positions,", "Python", "3"]
    assert [(goal.measured, goal.reached) for goal in goals_of(rows)] == [
        ("15.00 ms; boardgame.io takes 50 times that", True),
        ("15.10 ms; boardgame.io takes 50 times that", False),
    ]


def test_boards_are_measured_on_both_sides() -> None:
    """Reach and sight are timed on three sizes of two grounds, inside Pyodide too, and give what they should."""
    wanted = {
        f"{work} {size} {ground}" for work in ("reach", "sight") for size in boards.SIDES for ground in boards.GROUNDS
    }
    assert boards.measure(1).keys() == wanted
    (engine,) = build_bundle().glob("engine-*")
    assert run_script("pyodide.mjs", "boards", NODE_MODULES / "pyodide", engine, "1").keys() == wanted
    bare = boards.board(10, "")
    assert boards.look_around(bare) == 100
    assert boards.find_spaces(bare) == 100  # 6 spaces each way from (5, 5) cover a board of 10


def test_boards_have_their_lines_and_goals() -> None:
    """A board's sizes stand one below the other, and those of 30 under CPython have a goal."""
    measured = {"sight 30 open": 19.9, "sight 10 open": 1.0, "reach 30 open": 20.0}
    rows = boards_rows({"CPython": measured, "Pyodide": measured})
    assert [row.what for row in rows[:3]] == [
        "all spaces in reach, 30 × 30 open, CPython",
        "sight to every space, 10 × 10 open, CPython",
        "sight to every space, 30 × 30 open, CPython",
    ]
    assert [goal.reached for goal in goals_of(rows)] == [False, True]


ROWS = [
    Row("100d20 exactly, cold", "ms", 2.0, "icepool 2", 1500.0),
    Row("20d20kh10 exactly, cold", "ms", 2.0, "icepool 2", 1.0),
    Row("20d20kh10 exactly, cold", "ms", 2.0, "dyce 0", 0.0, "took more than 60 s"),
    Row("first roll, reload", "ms", 400.0, "stock Pyodide", 1000.0),
    Row("bundle loaded, gzip", "kB", 10.0, "stock Pyodide", 10.0),
]


def test_goals_are_held_against_the_table() -> None:
    """Each goal is reached or missed by its own line; a bundle as large as stock is too large."""
    assert [(goal.measured, goal.reached) for goal in goals_of(ROWS)] == [
        ("2.00 ms", True),
        ("0.50 times", False),
        ("2.50 times", False),
        ("1.00 times", False),
    ]


def test_a_run_is_one_line_of_the_history() -> None:
    """A run leaves its ratios, its day, its commit and its machine; a peer that was given up leaves none."""
    line = json.loads(history_line(ROWS, 0.25, "2026-11-22", "abc1234"))
    assert (line["day"], line["commit"], line["busy"]) == ("2026-11-22", "abc1234", 0.2)
    assert line["ratios"]["first roll, reload | stock Pyodide"] == 2.5
    assert "20d20kh10 exactly, cold | dyce 0" not in line["ratios"]
    assert set(line) == {"day", "commit", "cores", "busy", "ratios"}
    for earlier in HISTORY.read_text(encoding="utf-8").splitlines():
        assert set(json.loads(earlier)) == set(line)


def test_table_shows_ratios() -> None:
    """A line has both figures and their ratio; a peer that was given up has a dash and the reason."""
    lines = table(ROWS).splitlines()
    assert lines[1].split() == ["100d20", "exactly,", "cold", "2.00", "ms", "icepool", "2", "1,500", "750.00"]
    assert lines[3].split()[-7:] == ["–", "–", "took", "more", "than", "60", "s"]


@pytest.mark.parametrize("line", [None, Line(megabits=1000, delay_ms=0)], ids=["plain", "line"])
def test_bytes_sent_are_counted(tmp_path: Path, line: Line | None) -> None:
    """A server counts each body as it was sent: compressed over a line, as it is without one."""
    text = b"export const dice = 20;\n" * 100
    (tmp_path / "dice.mjs").write_bytes(text)
    with bench_server(tmp_path, line) as (url, sent), urlopen(Request(url + "dice.mjs")) as response:
        body = response.read()
    assert sent == {"/dice.mjs": len(body)}
    assert (gzip.decompress(body) if line else body) == text


def test_odds_stand_beside_the_peers_that_do_the_same() -> None:
    """An attack has a row for each peer, a duel none; what takes too long misses its goal."""
    measured = {"attack": 0.05, "duel": 250.0}
    rows = odds_rows({"CPython": measured}, {"icepool": {"version": "1", "attack": 0.1}})
    assert [(row.what, row.unit, row.ours, row.peer, row.theirs) for row in rows] == [
        ("odds: attack, CPython", "µs", 50.0, "icepool 1", 100.0),
        ("odds: duel, CPython", "ms", 250.0, "", 0.0),
    ]
    assert [goal.reached for goal in odds_goals(rows)] == [True, False]


def test_the_odds_page_has_its_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press answered late and a computation that doesn't stop at once miss their goals; what has none has a row."""
    measured = {"stands": 300.0, "first": 120.0, "whole": 900.0, "stopped": 201.0, "after": 80.0}
    monkeypatch.setattr(run, "measure_odds_page", lambda _: measured)
    rows = run.odds_page_rows(Path())
    assert len(rows) == 5
    assert [goal.reached for goal in odds_goals(rows)] == [False, True, False]


def test_the_attack_of_the_bench_is_ours() -> None:
    """What a peer is told of an attack is what our engine finds: 5 faces miss, 14 do one point, one does two."""
    faces = [chances._damage(face) for face in range(1, 21)]
    assert [faces.count(done) for done in (0, 1, 2)] == [5, 14, 1]


def test_engines_have_their_lines_and_goals() -> None:
    """Each engine's starts stand beside the peer's; another calculator's answer, which a stock page has not, alone."""
    ours = Starts(Path("ours"), "", True, [100, 300, 200], [900], [50], [49], [True, False])
    stock = Starts(Path("stock"), "", False, [400], [1800], [150])
    rows = engines_rows({"Firefox": [ours, stock]}, "stock Pyodide")
    kept = [(row.what, row.theirs and row.ratio) for row in rows]
    assert kept == [
        ("first roll, first visit, Firefox", 2.0),
        ("first roll, first visit at 10 Mbit/s + 50 ms, Firefox", 2.0),
        ("first roll, reload, Firefox", 3.0),
        ("first answer of another calculator, Firefox", 0.0),
    ]
    assert "1 of 2" in rows[2].note
    assert [goal.reached for goal in engines_goals(rows)] == [True]
    assert "another calculator" in table(rows)
