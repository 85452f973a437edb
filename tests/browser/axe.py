"""What axe finds wrong with a page as it stands, for readers who don't see it or don't use a mouse."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

from build_scripts.folders import NODE_MODULES

THEIRS = (".md-sidebar", ".highlight")
"""The theme's: its drawer names two parts of the navigation alike on a phone, and its script takes wide code out of the
order of tabs until it has measured it."""

_RUN = """async (theirs) => {
  const found = await axe.run({ exclude: theirs.map((each) => [each]) }, { resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


@cache
def _axe() -> str:
    return (NODE_MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe objects to outside of `THEIRS`: the rule, the element, and what it says of it."""
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN, list(THEIRS))
    return found
