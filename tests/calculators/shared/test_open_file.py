"""A file that is opened on a page that does not accept it: its kind, and the pages that do."""

import json
from typing import Any

import pytest

from build_scripts.render import answer_json_request, render_calculator_response
from scratch_core.calculators.shared import open_file
from scratch_core.calculators.shared.query import parse_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.support.fights import view_fight
from tests.support.known import require

RAT = "Rat\n1 toughness\n1 fighting: teeth"
FIGHT = SAMPLE_SCENARIOS["counterattack"]
FILES = {
    "scenario": FIGHT,
    "scenario-below-a-long-comment": f"{'#' * 500}\n{FIGHT}",
    "sheet": RAT,
    "set-up": f"side: vermin\n\n{RAT}",
    "saved": '{"format": "scratch-kept/1", "entries": [',
    "saved-without-a-head": 'at/1", "entries": [{"version": "fight/1", "id": "7", "name": "Bay", "query": "log=%7B',
    "saved-newer": '{"format": "scratch-kept/9", "entries": []}',
    "scenario-newer": '{"format": "scratch-scenario/2", "characters": []}',
    "nothing": "Dear diary,\n2 eggs",
    "empty": "",
}
LIGHT = ("dice", "board", "initiative")
LINKS = {
    "scenario-below-a-long-comment": ["fight/#?log=", "replay/#?scenario="],
    "scenario": ["fight/#?log=", "replay/#?scenario="],
    "sheet": ["character/#?sheet=", "fight/#?sheets=", "odds/#?first_sheet="],
    "set-up": ["character/#?sheet=", "fight/#?sheets=", "odds/#?first_sheet="],
}


def opened(name: str, text: str, query: str = "") -> dict[str, Any]:
    """The browser's answer to a file that was opened on a tool's page."""
    answer: dict[str, Any] = json.loads(
        answer_json_request(json.dumps({"name": name, "query": query, "file": text, "root": "/x/"}))
    )
    return answer


@pytest.mark.parametrize("name", LIGHT)
@pytest.mark.parametrize("file", FILES)
def test_page_without_files_names_the_kind_of_an_opened_file(name: str, file: str) -> None:
    """Pages that accept no file name its kind and link to the right page.

    These are dice, map and initiative. Only files of this site have links.
    """
    answer = opened(name, FILES[file])
    links = [str(href) for _, href in answer["links"]]
    wanted = LINKS.get(file, [])
    assert len(links) == len(wanted)
    assert all(href.startswith(f"/x/tools/{begin}") for href, begin in zip(links, wanted, strict=True))
    assert ("can't be read" in str(answer["words"])) is (file in ("saved", "saved-without-a-head"))
    assert ("newer version" in str(answer["words"])) is file.endswith("-newer")
    assert ("isn't from this site" in str(answer["words"])) is (file in ("nothing", "empty"))


@pytest.mark.parametrize("name", ["fight", "character", "replay"])
def test_json_of_something_else_is_no_stat_block(name: str) -> None:
    """A small part of an exported file looks the same."""
    assert "isn't from this site" in str(opened(name, '{"x":')["words"])


@pytest.mark.parametrize("name", ["fight", "character", "replay", "odds", "house", "dice"])
@pytest.mark.parametrize("file", ["saved", "saved-without-a-head", "saved-newer", "scenario-newer"])
def test_opened_file_damaged_or_newer_is_named_on_every_page(name: str, file: str) -> None:
    """No page reads it as something else, and none leads anywhere."""
    answer = opened(name, FILES[file])
    assert answer["links"] == []
    assert "newer version" in answer["words"] or "can't be read" in answer["words"]


@pytest.mark.parametrize("file", ["scenario", "sheet"])
def test_linked_page_reads_the_opened_file(file: str) -> None:
    """Every link opens what the file has, without a problem that is an error."""
    found = require(open_file.suggest_other_tools("dice", FILES[file]))
    for _, address in found.links:
        name, _, query = address.partition("/#?")
        assert "problem-error" not in render_calculator_response(name, query).html, address


@pytest.mark.parametrize(
    ("name", "file", "is_taken"),
    [
        ("fight", "scenario", True),
        ("fight", "sheet", True),
        ("character", "scenario", True),  # which names itself as a fight's file
        ("character", "sheet", True),
        ("replay", "scenario", True),
        ("replay", "nothing", True),  # its problems have line numbers
        ("replay", "sheet", False),
        ("odds", "scenario", False),
    ],
)
def test_page_accepts_its_own_files(name: str, file: str, is_taken: bool) -> None:
    """A calculator accepts its own files, and the replay forwards a stat block."""
    assert (opened(name, FILES[file]) == {}) is is_taken


def test_opened_stat_block_takes_either_place_on_the_odds_page() -> None:
    """On the odds page a stat block takes either place, and the other character stays."""
    links = opened("odds", RAT, "first=guard&second=rat&begins=first")["links"]
    assert isinstance(links, list)
    queries = [parse_query(href.partition("#?")[2]) for _, href in links[:2]]
    assert [(each.text("first"), each.text("second")) for each in queries] == [("", "rat"), ("guard", "")]
    assert [(each.text("first_sheet"), each.text("second_sheet")) for each in queries] == [(RAT, ""), ("", RAT)]
    assert {each.text("begins") for each in queries} == {"first"}


def test_too_long_fight_file_links_to_pages_without_the_file() -> None:
    """A file too long for a link gets links without the file.

    The page says so.
    """
    answer = opened("dice", FIGHT + "#" * open_file.MAX_LINK_LENGTH)
    assert [href for _, href in answer["links"]] == ["/x/tools/fight/", "/x/tools/replay/"]


def test_stat_block_opened_on_fight_page_is_added_to_setup() -> None:
    """It is added after the present characters, on the typed side, in any turn system."""
    seen = view_fight(log=RAT, sheets="side: hunters\n\nAsh\n3 toughness", add_side="vermin", system="mano")
    assert seen.phase == "setup"
    assert [(each.name, each.side) for each in seen.fighters] == [("Ash", "hunters"), ("Rat", "vermin")]
    assert {"sheets", "log", "system"} <= seen.updated_fields
    assert seen.fields["log"] == ""
    assert seen.summary == "The file's stat blocks are in the setup. 2 characters are ready."
    again = view_fight(**{name: text for name, text in seen.fields.items() if text})
    assert len(again.fighters) == 2


def test_other_text_opened_on_fight_page_is_rejected() -> None:
    """Any other text stays in place, with its problem."""
    assert view_fight(log=FILES["nothing"]).is_refused
