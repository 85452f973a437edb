"""Colours of text and sides: contrast in light and dark mode, defined in one place."""

import re

import pytest

from build_scripts.paths import ROOT

STYLES = ROOT / "site_overrides" / "stylesheets"
TOKENS = (STYLES / "tokens.css").read_text()


def list_colours(name: str, scheme: int) -> list[str]:
    """Return the values of tokens in light (0) or dark mode (1)."""
    return [each[scheme] for each in re.findall(rf"--{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)", TOKENS)]


def compute_luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((compute_luminance(one), compute_luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["day", "night"])
def test_side_colours_differ_and_have_enough_contrast(scheme: int) -> None:
    """Text and side colours have a contrast of 4.5 on both backgrounds."""
    sides, inks = list_colours("side-[1-5]", scheme), list_colours("(?:ink|soft|accent|good|warn)", scheme)
    assert len({*sides, *list_colours("accent", scheme)}) == 6
    grounds = list_colours("(?:paper|shade)", scheme)
    assert (len(inks), len(grounds)) == (5, 2)
    assert [(ink, ground) for ink in inks + sides for ground in grounds if compute_contrast(ink, ground) < 4.5] == []


def test_side_colours_are_defined_in_one_stylesheet() -> None:
    """Only the print styles, in black and white, define their own."""
    assert not [path for path in STYLES.glob("*.css") if re.search(r"--side-\d: *#(?!000|fff|ddd)", path.read_text())]
