"""Press everything that can be pressed in every state of every calculator: each press counts or is refused.

regression/test_in_view.py presses a random sample on the screens of a phone and a desktop, and prints its size; with
`FULL=1` it presses all of them. Each element is pressed

- alone and slowly: down, a frame, up. Then the element or its answer is in view and has the focus, and the page has
  scrolled by at most 25 px unless the press asks for it. An error of the answer is visible and uncovered; without an
  error the part that the press brings into view, a new text, or the mark of what it chose is;
- behind two others that wait, slowly: down, the first one's answer, up. Then the element has not moved under the
  finger, the browser made a click of the press, and each of the three sent its request or was refused.

Of each calculator, one element of each kind is pressed while Python starts. The whole interpreter is never fetched. An
element with the same look and label in several states of a calculator is pressed in the first of them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl

from playwright.sync_api import BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as PlaywrightError

from tests.browser.patience import PATIENCE
from tests.support.states import STATES

SIZES: tuple[ViewportSize, ...] = ({"width": 390, "height": 664}, {"width": 1280, "height": 800})

SCRIPT = f"window.scratchPatience = {PATIENCE};\n" + Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

WHOLE_INTERPRETER = "/python_stdlib.zip"
"""A file that is fetched if our interpreter lacks something; no press may need it."""
ASKS = ("submit", "link", "back")
PARTNERS = (*ASKS, "step", "add", "drawing")


@dataclass
class Crawl:
    """The presses of a page, and their faults."""

    page: Page
    """The page of the calculator."""
    counts: Counter[str]
    """The number of presses and states by kind."""
    situation: str = ""
    """The calculator, the state and the width of the screen."""
    faults: list[str] = field(default_factory=list)
    """A line for each fault: the situation, the pressed element and what is wrong."""

    def open_state(self, query: str) -> list[dict[str, Any]]:
        """Open the calculator with a query, and return what can be pressed."""
        return list(self.page.evaluate("(query) => crawl.openState(query)", query))

    def prepare(self, one: dict[str, Any]) -> dict[str, Any] | None:
        """Bring an element into view, and return where to press it.

        Returns None if it can't be pressed now.
        """
        place: dict[str, Any] | None = self.page.evaluate("(one) => crawl.prepare(one)", one)
        if place and place["isCovered"]:
            self.report(one, f"covered by {place['over']}")
            return None
        return place

    def report(self, one: dict[str, Any], what: str) -> None:
        """Record a fault of the press of an element."""
        self.faults.append(f"{self.situation}: {one['kind']} “{one['words'][:50]}”: {what}")

    def press_down(self, one: dict[str, Any]) -> dict[str, Any] | None:
        """Press the mouse button on an element, and return where.

        Tries again while an unfinished answer moves the element away. Returns None if it can't be pressed.
        """
        mouse = self.page.mouse
        deadline = monotonic() + PATIENCE / 1000
        while True:
            place = self.prepare(one)
            if place is None:
                return None
            mouse.move(place["x"], place["y"])
            mouse.down()
            if self.page.evaluate("crawl.isHit"):
                return place
            mouse.move(0, 0)
            mouse.up()
            if monotonic() > deadline:
                self.report(one, "never hit: it moves before each touch")
                return None

    def press_alone(self, one: dict[str, Any]) -> dict[str, Any] | None:
        """Press an element alone, and return where.

        Returns None if it can't be pressed.
        """
        mouse = self.page.mouse
        place = self.press_down(one)
        if place is None:
            return None
        self.page.evaluate("crawl.waitForFrame()")
        mouse.up()
        self.counts["alone"] += 1
        clicked = self.page.evaluate("crawl.clicked")
        self.page.evaluate("crawl.waitUntilIdle()")
        wrong, posted, refused = self.page.evaluate(
            "[crawl.listFaults(), crawl.posted.slice(crawl.before.posted), crawl.readRefusals()]"
        )
        if not clicked and one["kind"] != "drawing":
            wrong.append("no click")
        wrong += _list_unanswered([one], posted, refused)
        for each in wrong:
            self.report(one, each)
        return place

    def press_behind(self, one: dict[str, Any], partners: list[dict[str, Any]]) -> None:
        """Press an element slowly behind two others that wait."""
        page, mouse = self.page, self.page.mouse
        begun = page.evaluate("crawl.holdRequests() && crawl.posted.length")
        pressed = []
        for each in partners:
            if self.press_down(each):
                mouse.up()
                pressed.append(each)
        place = self.press_down(one)
        if place:
            pressed.append(one)
            page.evaluate("crawl.releaseOne()")
            page.evaluate("crawl.waitForFrame()")
            moved = page.evaluate("crawl.measureMovement()")
            mouse.up()
            if moved > 1 and one["kind"] != "drawing":
                self.report(one, f"moved by {moved:.0f} px under the finger, behind {_quote_words(partners)}")
            if not page.evaluate("crawl.clicked") and one["kind"] != "drawing":
                self.report(one, f"no click behind {_quote_words(partners)}")
        page.evaluate("crawl.releaseAll()")
        page.evaluate("crawl.waitUntilIdle()")
        posted, refused = page.evaluate("[crawl.posted, crawl.readRefusals()]")
        self.counts["over an answer"] += bool(place)
        self.counts["held back as partners"] += len(pressed) - bool(place)
        self.counts["refused in words"] += refused.count("wasn't done")
        for wrong in _list_unanswered(pressed, posted[begun:], refused):
            self.report(one, f"{wrong}, with {_quote_words(partners)}")


def _quote_words(presses: list[dict[str, Any]]) -> str:
    return ", ".join(f"“{each['words'][:30]}”" for each in presses)


def _list_unanswered(presses: list[dict[str, Any]], posted: list[dict[str, Any]], refused: str) -> Iterator[str]:
    """Yield the presses that neither sent a request nor were refused."""
    left = [each for each in posted if "query" in each]
    for one in presses:
        if one["kind"] not in ASKS or (one["words"] and one["words"] in refused):
            continue
        if one["kind"] == "back" and "“Back”" in refused:
            continue
        found = next((each for each in left if _is_request_of(one, each)), None)
        if found is None:
            yield f"“{one['words'][:40]}” was neither sent nor refused"
        else:
            left.remove(found)


def _is_request_of(one: dict[str, Any], request: dict[str, Any]) -> bool:
    if one["kind"] != "submit":
        return not request["ask"]
    pairs = parse_qsl(request["query"], keep_blank_values=True, separator="&")
    return request["ask"] and (not one["name"] or (one["name"], one["value"]) in pairs)


def crawl_states(page: Page, calculator: str, every: int, counts: Counter[str], chance: Random) -> list[str]:
    """Press what can be pressed in a calculator's states, and return the faults.

    Only every `every`th element is pressed, from a random one.
    """
    crawl = Crawl(page, counts)
    turns = islice(cycle(range(every)), chance.randrange(every), None)
    for size in SIZES:
        page.set_viewport_size(size)
        seen: set[tuple[str, ...]] = set()
        for state, query in STATES[calculator].items():
            crawl.situation = f"{calculator}, {state}, {size['width']}"
            try:
                _crawl_state(crawl, query, seen, turns, chance)
            except PlaywrightError as error:
                crawl.report({"kind": "state", "words": state}, str(error)[:300])
                page.evaluate("crawl.releaseAll()")
    counts["results looked for"] += page.evaluate("crawl.results")
    return crawl.faults


def _crawl_state(crawl: Crawl, query: str, seen: set[tuple[str, ...]], turns: Iterator[int], chance: Random) -> None:
    found = crawl.open_state(query)
    crawl.counts["states"] += 1
    wanted = []
    for one in (each for each in found if not each["isHidden"]):
        look = (one["kind"], one["look"], one["name"], one["words"])
        if look in seen:
            crawl.counts["the same in another state"] += 1
        elif next(turns) == 0:
            wanted.append(one)
        seen.add(look)
    partners = [each for each in found if each["kind"] in PARTNERS and not each["isHidden"]]
    is_fresh = True
    for one in wanted:
        if not is_fresh:
            crawl.open_state(query)
        if crawl.press_alone(one) is None:
            is_fresh = True
            crawl.counts["can't be pressed"] += 1
            continue
        crawl.open_state(query)
        crawl.press_behind(one, chance.sample(partners, min(2, len(partners))))
        is_fresh = False


def crawl_start(
    context: BrowserContext, calculator: str, counts: Counter[str], size: ViewportSize = SIZES[0]
) -> list[str]:
    """Press one element of each kind while Python starts, and return the faults.

    The page holds the start back.
    """
    page = context.new_page()
    page.set_viewport_size(size)
    page.add_init_script("crawl.holdRequests()")
    crawl = Crawl(page, counts, f"{calculator}, while Python starts, {size['width']}")
    page.goto(f"tools/{calculator}/")
    page.wait_for_selector("scratch-calculator[data-decided]")
    kinds = {one["kind"]: one for one in reversed(page.evaluate("crawl.listPressables()")) if not one["isHidden"]}
    pressed = []
    for one in kinds.values():
        place = crawl.prepare(one)
        if place:
            page.mouse.click(place["x"], place["y"])
            pressed.append(one)
    page.evaluate("crawl.releaseAll()")
    page.evaluate("crawl.waitUntilIdle()")
    counts["while Python starts"] += len(pressed)
    for each in _list_unanswered(pressed, *page.evaluate("[crawl.posted, crawl.readRefusals()]")):
        crawl.report({"kind": "state", "words": _quote_words(pressed)}, each)
    page.close()
    return crawl.faults
