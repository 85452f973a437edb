"""Presses all that can be pressed, in every state of every calculator: each counts or is refused in words.

regression/test_in_view.py presses a random sample, on a phone's screen and on a desk's, and prints how much it was;
with `FULL=1` all of it. Each is pressed

- alone and slowly: down, a frame, up; then it, or what it answered, is in view, the page has not been scrolled by more
  than 25 px unless the press asks for it, and the focus is on it or on its answer; an error of its answer is seen,
  covered by nothing; without an error the part that it brings into view, a new text, or the mark of what it chose;
- behind two others that wait, slowly: down, the first one's answer, up; it has not moved under the finger, the browser
  made a click of it, and each of the three was asked or refused;

and of each calculator one of each kind while Python starts. The whole interpreter is never fetched. What looks and
says the same in several states of a calculator is pressed in the first of them.
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
"""Fetched where the interpreter that is shipped lacks something; no press may need it."""
ASKS = ("submit", "link", "back")
PARTNERS = (*ASKS, "step", "add", "drawing")


@dataclass
class Crawl:
    """What was pressed, and what was found wrong."""

    page: Page
    counts: Counter[str]
    where: str = ""
    wrong: list[str] = field(default_factory=list)

    def fresh(self, query: str) -> list[dict[str, Any]]:
        """The calculator as just opened; what can be pressed in it."""
        return list(self.page.evaluate("(query) => crawl.fresh(query)", query))

    def prepare(self, one: dict[str, Any]) -> dict[str, Any] | None:
        """Where to press, an element brought into view first; None for what no one can press now."""
        place: dict[str, Any] | None = self.page.evaluate("(one) => crawl.prepare(one)", one)
        if place and place["isCovered"]:
            self.tell(one, f"covered by {place['over']}")
            return None
        return place

    def tell(self, one: dict[str, Any], what: str) -> None:
        """Note what is wrong with the press of an element."""
        self.wrong.append(f"{self.where}: {one['kind']} “{one['words'][:50]}”: {what}")

    def press_down(self, one: dict[str, Any]) -> dict[str, Any] | None:
        """Press the mouse button on it. Returns where, or None if no one can.

        Try again while an unfinished answer moves it away before the press.
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
                self.tell(one, "never hit: it moves before each touch")
                return None

    def alone(self, one: dict[str, Any]) -> bool:
        """Press it alone. False: no one can."""
        mouse = self.page.mouse
        if not self.press_down(one):
            return False
        self.page.evaluate("crawl.frame()")
        mouse.up()
        self.counts["alone"] += 1
        clicked = self.page.evaluate("crawl.clicked")
        self.page.evaluate("crawl.settled()")
        wrong, posted, refused = self.page.evaluate(
            "[crawl.wrong(), crawl.posted.slice(crawl.before.posted), crawl.refused()]"
        )
        if not clicked and one["kind"] != "drawing":
            wrong.append("no click")
        wrong += _unasked([one], posted, refused)
        for each in wrong:
            self.tell(one, each)
        return True

    def behind(self, one: dict[str, Any], partners: list[dict[str, Any]]) -> None:
        """Press it slowly behind two others that wait."""
        page, mouse = self.page, self.page.mouse
        begun = page.evaluate("crawl.hold() && crawl.posted.length")
        pressed = []
        for each in partners:
            if self.press_down(each):
                mouse.up()
                pressed.append(each)
        place = self.press_down(one)
        if place:
            pressed.append(one)
            page.evaluate("crawl.letOne()")
            page.evaluate("crawl.frame()")
            moved = page.evaluate("crawl.moved()")
            mouse.up()
            if moved > 1 and one["kind"] != "drawing":
                self.tell(one, f"moved by {moved:.0f} px under the finger, behind {_said(partners)}")
            if not page.evaluate("crawl.clicked") and one["kind"] != "drawing":
                self.tell(one, f"no click behind {_said(partners)}")
        page.evaluate("crawl.letGo()")
        page.evaluate("crawl.settled()")
        posted, refused = page.evaluate("[crawl.posted, crawl.refused()]")
        self.counts["over an answer"] += bool(place)
        self.counts["held back as partners"] += len(pressed) - bool(place)
        self.counts["refused in words"] += refused.count("wasn't done")
        for wrong in _unasked(pressed, posted[begun:], refused):
            self.tell(one, f"{wrong}, with {_said(partners)}")


def _said(presses: list[dict[str, Any]]) -> str:
    return ", ".join(f"“{each['words'][:30]}”" for each in presses)


def _unasked(presses: list[dict[str, Any]], posted: list[dict[str, Any]], refused: str) -> Iterator[str]:
    """What of the presses that ask was neither asked nor refused."""
    left = [each for each in posted if "query" in each]
    for one in presses:
        if one["kind"] not in ASKS or (one["words"] and one["words"] in refused):
            continue
        if one["kind"] == "back" and "“Back”" in refused:
            continue
        found = next((each for each in left if _is_of(one, each)), None)
        if found is None:
            yield f"“{one['words'][:40]}” was neither asked nor refused"
        else:
            left.remove(found)


def _is_of(one: dict[str, Any], request: dict[str, Any]) -> bool:
    if one["kind"] != "submit":
        return not request["ask"]
    pairs = parse_qsl(request["query"], keep_blank_values=True, separator="&")
    return request["ask"] and (not one["name"] or (one["name"], one["value"]) in pairs)


def crawl_states(page: Page, calculator: str, every: int, counts: Counter[str], chance: Random) -> list[str]:
    """Press what can be pressed in a calculator's states, or every `every`th from a random one; gives what is wrong."""
    crawl = Crawl(page, counts)
    turns = islice(cycle(range(every)), chance.randrange(every), None)
    for size in SIZES:
        page.set_viewport_size(size)
        seen: set[tuple[str, ...]] = set()
        for state, query in STATES[calculator].items():
            crawl.where = f"{calculator}, {state}, {size['width']}"
            try:
                _crawl_state(crawl, query, seen, turns, chance)
            except PlaywrightError as error:
                crawl.tell({"kind": "state", "words": state}, str(error)[:300])
                page.evaluate("crawl.letGo()")
    counts["results looked for"] += page.evaluate("crawl.results")
    return crawl.wrong


def _crawl_state(crawl: Crawl, query: str, seen: set[tuple[str, ...]], turns: Iterator[int], chance: Random) -> None:
    found = crawl.fresh(query)
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
            crawl.fresh(query)
        if not crawl.alone(one):
            is_fresh = True
            crawl.counts["nobody can press it"] += 1
            continue
        crawl.fresh(query)
        crawl.behind(one, chance.sample(partners, min(2, len(partners))))
        is_fresh = False


def crawl_start(
    context: BrowserContext, calculator: str, counts: Counter[str], size: ViewportSize = SIZES[0]
) -> list[str]:
    """Press one of each kind while Python starts, in a page of its own that holds the start back."""
    page = context.new_page()
    page.set_viewport_size(size)
    page.add_init_script("crawl.hold()")
    crawl = Crawl(page, counts, f"{calculator}, while Python starts, {size['width']}")
    page.goto(f"tools/{calculator}/")
    page.wait_for_selector("scratch-calculator[data-decided]")
    kinds = {one["kind"]: one for one in reversed(page.evaluate("crawl.all()")) if not one["isHidden"]}
    pressed = []
    for one in kinds.values():
        place = crawl.prepare(one)
        if place:
            page.mouse.click(place["x"], place["y"])
            pressed.append(one)
    page.evaluate("crawl.letGo()")
    page.evaluate("crawl.settled()")
    counts["while Python starts"] += len(pressed)
    for each in _unasked(pressed, *page.evaluate("[crawl.posted, crawl.refused()]")):
        crawl.tell({"kind": "state", "words": _said(pressed)}, each)
    page.close()
    return crawl.wrong
