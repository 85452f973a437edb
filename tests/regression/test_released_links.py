"""Links of released versions: pages, sections of rules, and calculators open as they did."""

import json
from typing import Any

import pytest

from build_scripts.paths import ROOT
from scratch_core.calculators.shared.query import parse_query
from tests.support.released_links import FOLDER, LINKED_STATES, list_sections, open_link, read_fields, write_record

RECORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
LINKS = [
    pytest.param(link, id=f"{version}-{link['calculator']}-{number}")
    for version, record in RECORDS.items()
    for number, link in enumerate(record["links"])
]


@pytest.mark.parametrize("version", RECORDS)
def test_pages_and_sections_of_a_release_exist(version: str) -> None:
    """An address that a version has published stays."""
    gone = [each for each in RECORDS[version]["pages"] if not (ROOT / "docs" / f"{each}.md").exists()]
    assert gone == []
    assert set(RECORDS[version]["sections"]) <= set(list_sections())


@pytest.mark.parametrize("link", LINKS)
def test_link_of_a_release_opens_with_the_same_content(link: dict[str, Any]) -> None:
    """The answer has every control of the released one, and refuses nothing."""
    answer = open_link(link["calculator"], link["query"])
    assert "data-refused" not in answer.html
    assert link["opens"].items() <= read_fields(answer.query).items()


@pytest.mark.parametrize("version", RECORDS)
def test_record_has_links_of_every_calculator(version: str) -> None:
    """Half of them are packed."""
    links = RECORDS[version]["links"]
    assert {each["calculator"] for each in links} >= set(LINKED_STATES)
    assert sum("packed" in parse_query(each["query"]) for each in links) >= len(links) / 3


def test_released_record_is_never_overwritten() -> None:
    """Only a new version writes a file."""
    with pytest.raises(SystemExit, match="exists: the links of a released version never change"):
        write_record()
