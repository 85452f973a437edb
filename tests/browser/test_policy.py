"""Nobody let in: one policy on every page, and no page names another host; test_pages.py opens them all."""

from __future__ import annotations

import re
from pathlib import Path


def policies(site: Path) -> set[str]:
    """The policies that stand in the site's pages."""
    found = set()
    for path in site.rglob("*.html"):
        match = re.search(
            r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', path.read_text(encoding="utf-8")
        )
        found.add(match[1] if match else f"none in {path}")
    return found


def test_one_strict_policy_on_every_page(site: Path) -> None:
    """Every page has the same policy: scripts by hash, WebAssembly, neither inline scripts nor eval."""
    (policy,) = policies(site)
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'unsafe-inline'" not in scripts
    assert "'unsafe-eval'" not in scripts
    assert "'wasm-unsafe-eval'" in scripts
    assert policy in (site / "_headers").read_text()


def test_no_other_host_is_named_for_loading(site: Path) -> None:
    """No page names another host in anything that a browser would load by itself."""
    loads = re.compile(r'<(?:script|img|link|iframe|source|video|audio)[^>]+(?:src|href)="(?:https?:)?//([^/"]+)')
    for path in site.rglob("*.html"):
        for tag in loads.finditer(path.read_text(encoding="utf-8")):
            assert 'rel="canonical"' in tag[0] or re.search(r'rel="(prev|next|author|license)"', tag[0]), tag[0]
