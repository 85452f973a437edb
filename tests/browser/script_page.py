"""A page with only our scripts in a real browser, with the browser's layout, focus and pointers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Route

from build_scripts.paths import OVERRIDES
from tests.browser.patience import be_patient

ORIGIN = "http://scripts.test/"
"""A host that doesn't exist: requests are answered from the scripts' sources and the pages of a test."""


@contextmanager
def open_script_page(browser: Browser, pages: Mapping[str, str], **options: Any) -> Iterator[Page]:
    """Open the page of a calculator with only our scripts.

    `pages` has pages and replaced scripts by path. Any other page is missing.
    """
    context = browser.new_context(viewport={"width": 400, "height": 300}, **options)
    be_patient(context)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        is_script = path.endswith("js")
        if path in pages:
            kind = "text/javascript" if is_script else "text/html"
            route.fulfill(body=pages[path], content_type=f"{kind}; charset=utf-8")
        elif is_script:
            source = (OVERRIDES / path).read_text(encoding="utf-8")
            route.fulfill(body=source, content_type="text/javascript")
        else:
            route.fulfill(status=404, body="")

    context.route("**", answer)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.clock.install(time=0)
    page.goto(f"{ORIGIN}tools/dice/")
    page.clock.pause_at(1)
    yield page
    context.close()
    assert errors == []


def import_script(page: Page, name: str, then: str = "") -> None:
    """Import a script of ours as `script`, and run what follows with it."""
    page.evaluate(
        f"import('{ORIGIN}javascripts/{name}.mjs').then((script) => {{ globalThis.script = script; {then} }})"
    )


def fill_body(page: Page, html: str) -> None:
    """Replace the content of the page's body, which leaves nothing focused."""
    page.evaluate(f"document.body.innerHTML = {json.dumps(html)}")
