"""Which parts of a running fight are on one screen, and how many presses common actions take.

`python -m tests.browser.positions` serves the site that was built last, and prints it.
"""

import json
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, ViewportSize

from build_scripts.browsers import launch_chromium
from build_scripts.dev.serve import serve_site
from build_scripts.paths import SITE
from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.calculator import PHONE, open_ready, wait_for_answer
from tests.browser.pages.fight import FIGHT
from tests.browser.patience import be_patient

LANDSCAPE: ViewportSize = {"width": 664, "height": 390}
DESK: ViewportSize = {"width": 1280, "height": 800}
SCREENS = ((PHONE, 6), (LANDSCAPE, 6), (DESK, 8))
"""A screen, and how many fight on it."""

NAMES = ("Breakhelm X-19", "Mara", "Old Tam", "Chokestar", "Wren", "Flipfire", "Gorm", "Ida")

READ_SCREEN = """() => {
  const isIn = (each) => {
    const box = each?.getBoundingClientRect();
    if (!box?.width || box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1)
      return false;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return each.contains(hit) || hit?.contains(each);
  };
  const one = (selector) => isIn(document.querySelector(selector));
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isIn).length;
  return {
    "whose turn": one("[data-active]"), "last result": one("[data-last]"), Undo: one("[data-undo]"),
    "End turn": one("[data-action='end-turn']"), acts: all(".fight-rows .act"), people: all("[data-chip]"),
    targets: all(".fight-people__aim"), log: all(".fight-log li"),
    foot: Math.round(document.querySelector(".fight-foot").getBoundingClientRect().bottom),
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}"""
"""Returns which parts are visible and uncovered."""


LEVELS = "2 fighting\n2 shooting\n6 toughness"
"""They offer attacks, a shot, a hold, a distraction, an evade, an engage and a bonus action."""


def build_fight_address(count: int, levels: str = LEVELS, *, is_alone: bool = False) -> str:
    """Return the address of a fight of two equal sides.

    With `is_alone`, the first fights against all others.
    """
    sides = ["foes" if (place if is_alone else place % 2) else "heroes" for place in range(count)]
    sheets = [f"{name}\nside: {side}\nturns: separate\n{levels}" for name, side in zip(NAMES, sides, strict=False)]
    faces = ", ".join(f"{name.lower()} {19 - place}" for place, name in enumerate(NAMES[:count]))
    return f"{FIGHT}?" + format_query({"log": "begin", "sheets": "\n\n".join(sheets), "initiative": faces})


OPPONENT_IDS = [name.lower().replace(" ", "-") for name in NAMES[1:6]]
"""The ids of five opponents of one character."""


def press(page: Page, key: str) -> None:
    """Press a key, and wait for the answer."""
    page.keyboard.press(key)
    wait_for_answer(page)


def read_screen(page: Page, size: ViewportSize, count: int, face: int) -> dict[str, Any]:
    """Return what is visible after an attack with a roll and a turn's end."""
    page.set_viewport_size(size)
    open_ready(page, build_fight_address(count, LEVELS))
    page.evaluate("(face) => { document.querySelector('.fight [name=faces]').value = face; }", str(face))
    press(page, "1")
    press(page, "e")
    found: dict[str, Any] = page.evaluate(READ_SCREEN)
    return found


def list_targets(page: Page) -> list[str]:
    """Return the targets of the last action."""
    steps = page.evaluate("JSON.parse(document.querySelector('[name=log]').value).steps")
    step = next(each for each in reversed(steps) if each["do"] != "end-turn")
    return sorted(step.get("targets") or [step["target"]])


def aim(page: Page, who: str) -> int:
    """Choose a target unless it is chosen already, and return the number of presses."""
    ring = page.locator(f".fight-people__aim[data-add={who}]")
    if ring.get_attribute("aria-pressed") == "true":
        return 0
    ring.click()
    wait_for_answer(page)
    return 1


def count_presses_for_same_target(page: Page) -> int:
    """Return the presses for repeating an attack on its target next turn.

    The target is not the first in the list.
    """
    open_ready(page, build_fight_address(4, LEVELS))
    foes = page.locator(".fight-people__aim[data-add]").evaluate_all("(all) => all.map((each) => each.dataset.add)")
    aim(page, foes[-1])
    press(page, "1")
    (target,) = list_targets(page)
    for _ in range(4):
        press(page, "e")
    press(page, "1")
    assert list_targets(page) == [target]
    return 1


def count_presses_per_target(page: Page) -> Iterator[int]:
    """Yield the presses for an attack on each of five targets."""
    open_ready(page, build_fight_address(6, is_alone=True))
    for who in OPPONENT_IDS:
        count = aim(page, who)
        press(page, "1")
        assert list_targets(page) == [who]
        yield count + 1
        press(page, "u")


def count_presses_per_blast(page: Page) -> Iterator[int]:
    """Yield the presses for blasts at three of five targets."""
    open_ready(page, build_fight_address(6, "2 blasting\n6 toughness", is_alone=True))
    for three in (OPPONENT_IDS[:3], OPPONENT_IDS[2:], OPPONENT_IDS[::2]):
        count = 0
        while any(aims := [aim(page, who) for who in three]):
            count += sum(aims)
        page.locator("[data-action=blast]").click()
        wait_for_answer(page)
        assert list_targets(page) == sorted(three)
        yield count + 1
        press(page, "u")


def main() -> None:
    """Print everything."""
    with serve_site(SITE) as url, launch_chromium() as browser:
        context = browser.new_context(base_url=url, service_workers="block")
        be_patient(context)
        page = context.new_page()
        for size, count in SCREENS:
            print(f"{size['width']}×{size['height']}, {count} fight:", json.dumps(read_screen(page, size, count, 8)))
        page.set_viewport_size(PHONE)
        print("the same target as in the last turn:", count_presses_for_same_target(page))
        print("any of five:", *count_presses_per_target(page))
        print("a blast at three:", *count_presses_per_blast(page))


if __name__ == "__main__":
    main()
