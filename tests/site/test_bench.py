"""The bench and the screenshots, without a clock: what they compare, count and print."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from build_scripts.bench.exact import digest, measure
from build_scripts.bench.peers import LOCK
from build_scripts.bench.run import Row, goals_of, table
from build_scripts.bench.servers import Line, bench_server
from build_scripts.markdown_rules import page_exists
from build_scripts.screenshots import PICTURES


def test_peers_are_pinned_with_hashes() -> None:
    """Each peer that peers.in names is locked, and everything locked has a hash."""
    locked = LOCK.read_text()
    names = set(re.findall(r"^([a-z0-9-]+)==", locked, re.M))
    assert set(LOCK.with_name("peers.in").read_text().split()) <= names
    hashed = re.findall(r"^[a-z0-9-]+==[^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", locked, re.M)
    assert len(hashed) == len(re.findall(r"^[a-z0-9-]+==", locked, re.M))


def test_digests_tell_distributions_apart() -> None:
    """Counts with a common factor or in another order are the same distribution; other counts are not."""
    assert digest([(1, 1), (2, 2)]) == digest([(2, 6), (1, 3), (3, 0)])
    assert digest([(1, 1), (2, 2)]) != digest([(1, 1), (2, 3)])


def test_ours_is_measured() -> None:
    """Our side of an exact work gives its times and the name of what it counted."""
    measured = measure("ours", "20d20kh10")
    assert measured.keys() == {"cold_ms", "warm_ms", "digest", "version"}
    assert measured["digest"] == measure("ours", "20d20dl10")["digest"]


ROWS = [
    Row("100d20 exactly, cold", "ms", 2.0, "icepool 2", 1500.0),
    Row("20d20kh10 exactly, cold", "ms", 2.0, "icepool 2", 1.0),
    Row("20d20kh10 exactly, cold", "ms", 2.0, "dyce 0", 0.0, "took more than 60 s"),
    Row("first roll, reload", "ms", 400.0, "stock Pyodide", 1000.0),
    Row("bundle loaded", "kB", 10.0, "stock Pyodide", 10.0),
]


def test_goals_are_held_against_the_table() -> None:
    """Each goal is reached or missed by its own line; a bundle as large as stock is not smaller."""
    assert [(goal.measured, goal.reached) for goal in goals_of(ROWS)] == [
        ("2.00 ms", True),
        ("0.50 times", False),
        ("2.50 times", True),
        ("1.00 times", False),
    ]


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


def test_pictures_show_pages_that_are_there() -> None:
    """Every picture but that of a missing page is of a page of ours."""
    pages = {picture.path.partition("?")[0] for name, picture in PICTURES.items() if name != "not-found"}
    for page in pages:
        assert page_exists(page), page
