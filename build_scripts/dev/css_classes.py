"""The CSS classes that don't carry a component's name, and the search for others (rule N13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

STATES_AND_UTILITIES = ("is-", "has-", "u-", "side-", "condition-", "md-")
"""The beginnings of states, utilities, colours of a side, and classes of the theme."""

FOREIGN = frozenset(
    """
    admonition admonition-title caution danger focus-visible headerlink highlight important no-js paragraph warning
    """.split()  # noqa: SIM905 -- a list of forty strings is harder to read
)
"""The classes of Markdown, of the theme and of browsers."""

SHARED = frozenset(
    """
    actions advice cards copied-by-hand description failure good hint large name number open-file primary problem
    problem-advice problem-warning problems refused rule rulings secondary share side-mark success sum tick warn
    """.split()  # noqa: SIM905 -- a list of forty strings is harder to read
)
"""The words that several components share. Each looks the same everywhere."""

WORDS_BY_COMPONENT: Mapping[str, frozenset[str]] = {
    component: frozenset(words.split())
    for component, words in {
        "board": "blocked cost-exposing deep-water exit exposing obstacle on-way rough space stop unseen wall water",
        "chooser": "points",
        "engine-table": "group",
        "fight-ending": "none plain",
        "glossary": "default id ours readings",
        "home": "folds net",
        "initiative": "wide",
        "picture": "dashed hit incapacitated injured lost",
        "print": "audit facts rulebook rulebook-chapter",
        "setup": "exit obstacle",
        "sheet": "rulebook-contents",
        "text": "facts rulebook-contents",
        "turn-order": (
            "arrow cell declared defence held legend life moment ready round round-line round-plate skip sprung stun "
            "told wait wait-act"
        ),
    }.items()
}
"""The words inside one component, such as the signs of a drawing, by stylesheet."""

_COMMENTS_AND_TEXTS: Final = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|url\([^)]*\)", re.DOTALL)
_CLASS: Final = re.compile(r"\.(-?[A-Za-z_][\w-]*)")


def list_classes_without_component(folder: Path) -> Iterator[tuple[Path, int, str]]:
    """Yield the classes of stylesheets that carry no component's name.

    Each has the stylesheet, the line from 1, and the class. A component is the name of a stylesheet.
    """
    paths = sorted(folder.glob("*.css"))
    components = {path.stem for path in paths}
    for path in paths:
        words = WORDS_BY_COMPONENT.get(path.stem, frozenset()) | FOREIGN | SHARED
        text = _COMMENTS_AND_TEXTS.sub(_blank_out, path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            for name in _CLASS.findall(line):
                if name not in words and not name.startswith(STATES_AND_UTILITIES) and not _is_of(components, name):
                    yield path, number, name


def _blank_out(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _is_of(components: set[str], name: str) -> bool:
    block = re.split("__|--", name)[0]
    parts = block.split("-")
    return any("-".join(parts[:count]) in components for count in range(1, len(parts) + 1))
