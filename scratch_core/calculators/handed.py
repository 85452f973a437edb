"""What the reader keeps on the device, handed over by a press: another calculator's entries, for one answer alone."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.calculators.form import one_line

MOST = 60
"""As many entries as are read."""

NAME_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Handed:
    """One entry: what the reader calls it, the query that reopens it, and what it came to in a sentence."""

    name: str
    query: str
    summary: str = ""


def read_handed(text: str) -> tuple[Handed, ...]:
    """The entries in a text, the latest first; what can't be read is left out. Never raises."""
    from scratch_core.scenario.text import read_json  # when a press hands something over, and not before

    found = read_json(text)
    entries = []
    for each in found[:MOST] if isinstance(found, list) else []:
        name, query = (each.get("name"), each.get("query")) if isinstance(each, dict) else ("", "")
        if isinstance(name, str) and isinstance(query, str) and query:
            summary = one_line(f"{each.get('summary') or ''}", NAME_LIMIT)
            entries.append(Handed(one_line(name, NAME_LIMIT) or "without a name", query, summary))
    return tuple(entries)
