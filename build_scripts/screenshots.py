"""Pictures of the pages, 390 and 1280 wide, light and dark: build/screenshots/<picture>-<width>-<scheme>.png."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from build_scripts.browser import FLAGS, chromium
from build_scripts.folders import BUILD, SITE
from build_scripts.serve import site_server
from scratch_core.calculators.query import query_string
from scratch_core.scenario import SHIPPED
from scratch_core.scenario.text import read_text, write_json

FOLDER = BUILD / "screenshots"
WIDTHS = {390: 844, 1280: 900}
"""Widths of the window with their heights, in CSS pixels."""
SCHEMES = ("light", "dark")
LIMIT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Picture:
    """A page in a state; `unfolded` opens everything that is folded up, `is_full` takes the page to its end."""

    path: str
    unfolded: bool = False
    is_full: bool = True


def fought(name: str, steps: int) -> str:
    """The fight page after so many steps of a shipped scenario."""
    tree = dict(read_text(SHIPPED[name])[0])
    tree["steps"] = [{key: value for key, value in step.items() if key != "expect"} for step in tree["steps"][:steps]]
    return f"tools/fight/?{query_string({'log': write_json({key: tree[key] for key in tree if key != 'expect'})})}"


PICTURES = {
    "home": Picture(""),
    "start-here": Picture("start-here/"),
    "rules-rolls": Picture("rules/rolls/"),
    "rules-actions": Picture("rules/actions/"),
    "dice": Picture("tools/dice/"),
    "dice-filled": Picture("tools/dice/?roll=4d6kh3%2Bd20%20%5Bsword%5D%2B3&against=25&faces=6,2,5,3,14"),
    "dice-unfolded": Picture("tools/dice/?roll=2d6%2B3&against=10&faces=5,2", unfolded=True),
    "dice-wrong": Picture("tools/dice/?roll=2d6%2B%3Fx&against=many&faces=7,a"),
    "character": Picture("tools/character/"),
    "character-filled": Picture(
        "tools/character/?sheet=Flipfire%20(11%20agility%2C%2011%20intelligence%2C%2012%20strength%2C%202%20stamina)"
        "%3A%20patches%20up%0A2%20shooting%3A%20short%20rifle%0A1%20healing%0A2%20fighting%0A1%20acrobatics"
        "%0A4%20toughness%3A%20padded%20coat&cp=10&max_level=4"
    ),
    "character-wrong": Picture("tools/character/?name=Rook&shooting=9&fighting=x&toughness=-1&cp=ten&max_level=4"),
    "board": Picture("tools/board/"),
    "board-hex": Picture(
        "tools/board/?shape=hex&map=......%23...%2F..%5E%5E.%23.~.%2F..%5E...~w.%2F......~w.%2F..%23o....E"
        "&tokens=kim%401,1,hunters%20rook%405,3,guards&selected=kim&space=4,3&flying=2"
    ),
    "board-wrong": Picture("tools/board/?map=..x&tokens=kim%409,9&selected=bo&quickness=fast"),
    "grid": Picture("rules/grid/"),
    "replay": Picture("tools/replay/"),
    "replay-fork": Picture("tools/replay/?scenario=worked-combat&fork=4.faces%20%3D%2020&step=6"),
    "replay-board": Picture("tools/replay/?scenario=harbour&step=4"),
    "replay-order": Picture("tools/replay/?scenario=counterattack&step=3"),
    "combat-example": Picture("rules/combat-example/"),
    "fight": Picture("tools/fight/"),
    "fight-begun": Picture(fought("worked-combat", 4)),
    "fight-board": Picture(fought("harbour", 4)),
    "fight-order": Picture(fought("counterattack", 3)),
    "quick-reference": Picture("look-up/quick-reference/"),
    "orders": Picture("rules/other-turn-orders/"),
    "orders-mano": Picture("rules/other-turn-orders/mano-a-mano/"),
    "orders-pools": Picture("rules/other-turn-orders/older-pools/"),
    "orders-seize": Picture("rules/other-turn-orders/choose-next/"),
    "initiative": Picture("tools/initiative/"),
    "initiative-wrong": Picture("tools/initiative/?system=seize&who=Ash%3A%20bonus%20x%0A%3A%0ABirch&faces=cedar%204"),
    "not-found": Picture("no-such-page/", is_full=False),
}


def wait_until_settled(page: Page) -> None:
    """Wait for the fonts and until no calculator is at work; a calculator that nobody asked may stay as it came."""
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_load_state("networkidle", timeout=LIMIT_MS)
    for calculator in page.locator("scratch-calculator").all():
        calculator.scroll_into_view_if_needed()
    busy = page.locator("scratch-calculator:is([stale], [data-state=starting], [data-state=working])")
    for place in reversed(range(busy.count())):
        busy.nth(place).wait_for(state="detached", timeout=LIMIT_MS)
    page.evaluate("scrollTo(0, 0)")


def take(browser: Browser, url: str, name: str, width: int, scheme: str) -> Path:
    """Take one picture, and give its file."""
    picture = PICTURES[name]
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        device_scale_factor=2 if width < 600 else 1,
    )
    page = context.new_page()
    page.goto(url + picture.path)
    wait_until_settled(page)
    if picture.unfolded:
        page.evaluate("for (const part of document.querySelectorAll('article details')) part.open = true")
    file = FOLDER / f"{name}-{width}-{scheme}.png"
    page.screenshot(path=file, full_page=picture.is_full, animations="disabled")
    context.close()
    return file


def all_pictures(names: list[str], site: Path) -> Iterator[Path]:
    """Take the pictures so named, in every width and scheme."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with site_server(site) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for name in names:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    yield take(browser, url, name, width, scheme)
        browser.close()


def main() -> None:
    """`python -m build_scripts.screenshots [PICTURE …] [--site FOLDER]`: all pictures, or those named."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("pictures", nargs="*", metavar="PICTURE", help=f"any of {', '.join(PICTURES)}")
    parser.add_argument("--site", type=Path, default=SITE, help="the built site")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.pictures if name not in PICTURES]
    if unknown:
        raise SystemExit(f"expected pictures among {', '.join(PICTURES)}, got {unknown[0]!r}")
    if not (arguments.site / "index.html").exists():
        raise SystemExit(f"expected a built site in {arguments.site}, got none; run `make build` first")
    for file in all_pictures(arguments.pictures or list(PICTURES), arguments.site.resolve()):
        print(file.relative_to(BUILD.parent), flush=True)


if __name__ == "__main__":
    main()
