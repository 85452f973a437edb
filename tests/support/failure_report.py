"""Reports of failed tests, short enough to read: at most 40 lines of at most 200 characters; `-vv` shows all."""

from __future__ import annotations

from typing import Any

MAX_LINES = 40
MAX_LINE_LENGTH = 200
MAX_SOURCE_LINES = 6
MAX_OUTER_ENTRIES = 4


def shorten_report(longrepr: Any) -> Any:
    """Return pytest's report of a failure, shortened.

    This changes parts of the report's representation in place.
    """
    if isinstance(longrepr, str):
        return "\n".join(_shorten(longrepr.splitlines(), MAX_LINES))
    for traceback, *_ in getattr(longrepr, "chain", []):
        *outer, last = traceback.reprentries
        ours = [entry for entry in outer if not _is_installed(entry)]
        traceback.reprentries = [*(ours or outer)[-MAX_OUTER_ENTRIES:], last]
        for entry in traceback.reprentries[:-1]:
            entry.lines = _shorten(entry.lines[-2:], 2)
        source = [line for line in last.lines if not line.startswith("E  ")]
        found = [line for line in last.lines if line.startswith("E  ")]
        room = MAX_LINES - MAX_SOURCE_LINES - 5 * (len(traceback.reprentries) - 1) - 3
        if found:
            last.lines = [*_shorten(source[-MAX_SOURCE_LINES:], MAX_SOURCE_LINES), *_shorten(found, room, "E   ")]
        else:  # the text of `pytest.fail(…, pytrace=False)`
            last.lines = _shorten(last.lines, room + MAX_SOURCE_LINES)
    return longrepr


def _is_installed(entry: Any) -> bool:
    """Return whether a traceback entry is in an installed package.

    Such an entry says less than the test's own lines.
    """
    location = getattr(entry, "reprfileloc", None)
    return location is not None and ("site-packages" in location.path or location.path.startswith("<"))


def _shorten(lines: list[str], most: int, indent: str = "") -> list[str]:
    """Return the first lines, cut to the maximum length.

    If there are more lines, the last line says how many.
    """
    shown = [line if len(line) <= MAX_LINE_LENGTH else _cut_line(line) for line in lines]
    if len(shown) <= most:
        return shown
    return [*shown[: most - 1], f"{indent}… {len(shown) - most + 1} more lines: pytest -vv shows them"]


def _cut_line(line: str) -> str:
    rest = f"… ({len(line):,} characters)"
    return line[: MAX_LINE_LENGTH - len(rest)] + rest
