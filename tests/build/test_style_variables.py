"""CSS variables: one that is used but never set has no value, which no tool reports."""

import re
from pathlib import Path

import material

from build_scripts.paths import OVERRIDES, ROOT

THEME = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
USED_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")
SET_VARIABLE = re.compile(r"(?<![\w(-])(--[a-z][\w-]*)[\"']?\s*[:,]")
"""A declaration in a stylesheet or a `style` attribute, or the name in a call of `setProperty`."""


def read_sources(*patterns: str) -> str:
    """Return the text of our files that match these patterns."""
    return "\n".join(path.read_text(encoding="utf-8") for each in patterns for path in sorted(OVERRIDES.rglob(each)))


def list_undefined(styles: str, others: str) -> list[str]:
    """Return the variables that stylesheets use and nothing sets."""
    own = styles + others + "\n".join(path.read_text("utf-8") for path in (ROOT / "build_scripts").rglob("*.html"))
    drawn = "\n".join(path.read_text("utf-8") for path in (ROOT / "build_scripts").rglob("*.py"))
    theme = "\n".join(path.read_text(encoding="utf-8") for path in THEME.glob("*.css"))
    known = {name for text in (own, drawn, theme) for name in SET_VARIABLE.findall(text)}
    return sorted({*USED_VARIABLE.findall(own), *USED_VARIABLE.findall(drawn)} - known)


def test_style_variables_are_all_set() -> None:
    """Each style variable that the site uses is set by it or the theme.

    Stylesheets, templates and scripts are searched for uses and definitions.
    """
    assert list_undefined(read_sources("*.css"), read_sources("*.html", "*.mjs")) == []


def test_style_variable_set_nowhere_is_found() -> None:
    """A misspelt style variable is found.

    A variable that an attribute or a script sets is not.
    """
    styles = ".a { color: var(--papre); width: var(--share); height: var(--tall) }"
    others = '<i style="--share: 1">` element.style.setProperty("--tall", 1)'
    assert "--papre" in list_undefined(styles, others)
    assert not {"--share", "--tall"} & {*list_undefined(styles, others)}
