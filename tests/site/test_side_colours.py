"""The colours of sides, on a board and in a fight: told from the ground and from each other by day and by night."""

from __future__ import annotations

import re

import pytest

from build_scripts.folders import ROOT

STYLES = ROOT / "site_overrides" / "stylesheets"
NIGHT = '[data-md-color-scheme="slate"] '
SCRIPTLESS = '.no-js [data-md-color-scheme="default"] '
CASES = [
    *(("fight.css", f"{scheme}.calculator-fight") for scheme in ("", NIGHT, SCRIPTLESS)),
    *(("board.css", f"{scheme}.board") for scheme in ("", NIGHT, SCRIPTLESS)),
    *(("fight.css", f"{scheme}scratch-screen") for scheme in ("", NIGHT)),
]
"""Each style sheet and a selector under which it settles the colours."""


def block(name: str, selector: str) -> str:
    """What a style sheet says first of a selector that stands at the beginning of its line."""
    found = re.search(rf"^ *{re.escape(selector)} \{{(.*?)\}}", (STYLES / name).read_text(), re.MULTILINE | re.DOTALL)
    assert found, (name, selector)
    return found[1]


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("name", "selector"), CASES, ids=[selector for _, selector in CASES])
def test_a_side_is_told_from_the_ground(name: str, selector: str) -> None:
    """Four colours, no two the same, each with a contrast of 3 against the paper of its scheme."""
    colours = re.findall(r"--side-[1-4]: (#[0-9a-f]{6});", block(name, selector))
    assert len(set(colours)) == 4
    paper = "#1a1815" if " " in selector else "#fcfbf7"
    assert f"--paper: {paper};" in (STYLES / "scratch.css").read_text()
    assert [each for each in colours if contrast(each, paper) < 3] == []
