"""Colours that letters are set in: told from the paper by day and by night, and sides from each other, in one place."""

import re

import pytest

from build_scripts.paths import ROOT

STYLES = ROOT / "site_overrides" / "stylesheets"
TOKENS = (STYLES / "tokens.css").read_text()


def colours(name: str, scheme: int) -> list[str]:
    """What the tokens of a name are by day (0) or by night (1)."""
    return [each[scheme] for each in re.findall(rf"--{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)", TOKENS)]


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["day", "night"])
def test_a_side_is_told_from_the_ground(scheme: int) -> None:
    """Five colours, no two the same, none the accent; all inks have a contrast of 4.5 on their grounds."""
    sides, inks = colours("side-[1-5]", scheme), colours("(?:ink|soft|accent|good|warn)", scheme)
    assert len({*sides, *colours("accent", scheme)}) == 6
    grounds = colours("(?:paper|shade)", scheme)
    assert (len(inks), len(grounds)) == (5, 2)
    assert [(ink, ground) for ink in inks + sides for ground in grounds if contrast(ink, ground) < 4.5] == []


def test_sides_have_their_colours_from_one_place() -> None:
    """No other stylesheet gives a side a colour, but paper, which has black and white alone."""
    found = {path.name for path in STYLES.glob("*.css") if re.search(r"--side-\d: *#(?!000|fff|ddd)", path.read_text())}
    assert found <= {"fight.css"}  # the players' screen, until its colours follow
