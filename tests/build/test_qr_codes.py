"""QR codes, read from their drawings by a decoder."""

import re

import zxingcpp
from bs4 import BeautifulSoup

from build_scripts.render import draw_code

SITE = "https://somebody.example/scratch/"
SCALE = 4  # pixels to a module


def test_drawn_qr_code_decodes_to_its_address() -> None:
    """Decode addresses with 8 letters and with a thousand."""
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
