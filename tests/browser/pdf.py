"""The texts of PDFs as Chromium writes them: one object after another, streams compressed, text by font codes."""

import re
import zlib

from tests.support.known import require

_OBJECT = re.compile(rb"\n(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_STREAM = re.compile(rb"stream\n(.*)\nendstream", re.DOTALL)
_TOKEN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|\n(ET)\n")
_FONT_LIST = re.compile(rb"/Font <<(.*?)>>", re.DOTALL)
_CODE_RANGE = re.compile(rb"begincodespacerange\n<([0-9A-F]+)>")
_CODES = re.compile(rb"<([0-9A-F]+)> (?:<([0-9A-F]+)> )?<([0-9A-F]+)>\n")


def list_page_texts(pdf: bytes) -> list[str]:
    """Return the text of each page, with single spaces.

    Text in transparency groups is left out.
    """
    objects = {int(match[1]): match[2] for match in _OBJECT.finditer(pdf)}
    (tree,) = (each for each in objects.values() if b"/Type /Pages" in each)
    pages = re.findall(rb"(\d+) 0 R", require(re.search(rb"/Kids \[(.*?)\]", tree))[1])
    return [_read_page(objects, objects[int(number)]) for number in pages]


def _read_page(objects: dict[int, bytes], page: bytes) -> str:
    """Return the text of a page."""
    font_list = _FONT_LIST.search(page)
    fonts = {
        match[1]: _read_font(objects, objects[int(match[2])])
        for match in re.finditer(rb"/(\w+) (\d+) 0 R", font_list[1] if font_list else b"")
    }
    text, size, letters = "", 1, dict[int, str]()
    for font, codes, end in _TOKEN.findall(_read_stream(objects, page, b"Contents")):
        if font:
            size, letters = fonts[font]
        numbers = bytes.fromhex(codes.decode())
        pieces = (numbers[start : start + size] for start in range(0, len(numbers), size))
        text += "".join(letters.get(int.from_bytes(piece), " ") for piece in pieces) + (" " if end else "")
    return " ".join(text.split())


def _read_font(objects: dict[int, bytes], font: bytes) -> tuple[int, dict[int, str]]:
    """Return how many bytes a code has, and the letters by code."""
    table = _read_stream(objects, font, b"ToUnicode")
    size = len(require(_CODE_RANGE.search(table))[1]) // 2
    letters: dict[int, str] = {}
    for first, last, text in _CODES.findall(table.partition(b"endcodespacerange")[2]):
        start = bytes.fromhex(text.decode()).decode("utf-16-be")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            letters[code] = start[:-1] + chr(ord(start[-1]) + code - int(first, 16))
    return size, letters


def _read_stream(objects: dict[int, bytes], owner: bytes, name: bytes) -> bytes:
    """Return the content of a stream that an object refers to."""
    reference = require(re.search(rb"/" + name + rb" (\d+) 0 R", owner))
    target = objects[int(reference[1])]
    content: bytes = require(_STREAM.search(target))[1]
    return zlib.decompress(content) if b"/FlateDecode" in target.partition(b"stream")[0] else content
