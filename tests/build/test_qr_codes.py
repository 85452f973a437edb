"""QR codes, read from their drawings by a decoder."""

import re

import pytest
import zxingcpp
from bs4 import BeautifulSoup

from build_scripts.render import render_qr_code_with_caption

SITE = "https://host.example/scratch/"
SCALE = 4  # pixels to a module


def test_drawn_qr_code_decodes_to_its_address() -> None:
    """Decode addresses with 8 letters and with a thousand."""
    for letters in ("izbUMdBR", "x" * 1000):
        place = f"tools/players-screen/#={letters}"
        soup = BeautifulSoup(render_qr_code_with_caption(place, SITE, "QR code."), "html.parser")
        (svg,) = soup.select("svg")
        size = int(str(svg["viewbox"]).split()[-1])
        pixels = bytearray(b"\xff" * (size * SCALE) ** 2)
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", str(svg.select("path")[-1]["d"])):
            for row in range(int(y) * SCALE, (int(y) + 1) * SCALE):
                start = row * size * SCALE + int(x) * SCALE
                pixels[start : start + int(width) * SCALE] = bytes(int(width) * SCALE)
        (read,) = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (size * SCALE, size * SCALE)))
        assert read.text == SITE + place


@pytest.mark.parametrize(
    "root", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:80/", "http://0.0.0.0:8000/", "file:///site/"]
)
@pytest.mark.parametrize("place", ["tools/fight/#?packed=1abc", "tools/players-screen/#=izbUMdBR", "tools/house/"])
def test_site_that_only_this_device_reaches_has_no_qr_code(root: str, place: str) -> None:
    """The caption says why, and what to do. Another site has a code."""
    assert "<svg" in render_qr_code_with_caption(place, SITE, "QR code.")
    drawn = render_qr_code_with_caption(place, root, "QR code.")
    assert "<svg" not in drawn
    assert "only this device can reach this copy of the site" in drawn
    assert "Open the site at an address that phones reach" in drawn
