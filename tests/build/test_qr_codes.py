"""Codes as they are drawn, read by a camera's own library."""

import re

import zxingcpp
from bs4 import BeautifulSoup

from build_scripts.render import draw_code

SITE = "https://somebody.example/scratch/"
SCALE = 4  # pixels to a module


def test_a_camera_reads_what_is_drawn() -> None:
    """The drawing of a code, as pixels, is its address again, at a few letters and at a thousand."""
    for letters in ("izbUMdBR", "x" * 1000):
        place = f"tools/players-screen/#={letters}"
        soup = BeautifulSoup(draw_code(place, SITE), "html.parser")
        (svg,) = soup.select("svg")
        size = int(str(svg["viewbox"]).split()[-1])
        pixels = bytearray(b"\xff" * (size * SCALE) ** 2)
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", str(svg.select("path")[-1]["d"])):
            for row in range(int(y) * SCALE, (int(y) + 1) * SCALE):
                start = row * size * SCALE + int(x) * SCALE
                pixels[start : start + int(width) * SCALE] = bytes(int(width) * SCALE)
        (read,) = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (size * SCALE, size * SCALE)))
        assert read.text == SITE + place
