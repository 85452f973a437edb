"""To another page as a link of the site leads there: its navigation replaces the article, and the engine lives on."""

from __future__ import annotations

FOLLOWED = """(path) => {
  document.querySelector("article").dataset.left = "";
  const link = Object.assign(document.createElement("a"), { href: path });
  document.querySelector("main").append(link);
  link.click();
}"""
"""Goes to a path of the site; the article that was there is marked as left, and no longer there when it is done."""
