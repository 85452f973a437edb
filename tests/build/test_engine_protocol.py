"""The protocol between the worker in the browser and `build_scripts.render`, which have no types in common."""

import json
import re
from pathlib import Path

import pytest

from build_scripts import render
from build_scripts.paths import OVERRIDES
from scratch_core.calculators.shared.query import format_query
from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH, clear_texts

WORKER = OVERRIDES / "javascripts" / "engine" / "worker.mjs"


def test_worker_recognizes_an_answer_that_needs_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker reads only the beginning of an answer. Other answers begin differently."""
    monkeypatch.setattr(render, "DATA_FOLDER", str(tmp_path / "none"))  # as in the browser, which has no files
    request = {
        "name": "replay",
        "query": format_query({"scenario": "worked-combat", "odds": "1"}),
        "ask": False,
        "uid": "x",
        "root": "",
    }
    clear_texts()
    needing = render.answer_json_request(json.dumps(request))
    render.store_file_text(WIN_CHANCES_PATH, "")
    complete = render.answer_json_request(json.dumps(request))
    clear_texts()
    (beginning,) = re.findall(r"NEEDS_FILE_BEGINNING = '(.+)';", WORKER.read_text(encoding="utf-8"))
    assert json.loads(needing) == {"needs": WIN_CHANCES_PATH}
    assert [each.startswith(beginning) for each in (needing, complete)] == [True, False]
