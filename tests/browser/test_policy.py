"""Nobody let in: one policy on every page, nothing breaks under it, and no page asks another host for anything."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

READY = "scratch-calculator[data-state=ready]:not([stale])"


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


def test_every_page_keeps_to_the_policy_and_this_host(page: Page, site: Path) -> None:
    """Every page loads, settles and has its calculators ready, with no breach of the policy and no foreign request."""
    failed: list[str] = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue
        page.goto(path.relative_to(site).as_posix().removesuffix("index.html"))
        if page.locator("scratch-calculator").count():
            page.locator("scratch-calculator").first.scroll_into_view_if_needed()
            page.wait_for_selector(READY)
    assert not failed


def test_no_other_host_is_named_for_loading(site: Path) -> None:
    """No page names another host in anything that a browser would load by itself."""
    loads = re.compile(r'<(?:script|img|link|iframe|source|video|audio)[^>]+(?:src|href)="(?:https?:)?//([^/"]+)')
    for path in site.rglob("*.html"):
        for tag in loads.finditer(path.read_text(encoding="utf-8")):
            assert 'rel="canonical"' in tag[0] or re.search(r'rel="(prev|next|author|license)"', tag[0]), tag[0]
