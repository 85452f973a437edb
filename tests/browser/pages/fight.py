"""The fight tracker's page: beginning a fight, its log and hit points."""

import re

from playwright.sync_api import Page, expect

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import format_sheet_with_minions, get_member
from tests.browser.navigation import visit
from tests.browser.pages.calculator import KNOWN, tap, unfold, wait_for_answer

FIGHT = "tools/fight/"
FACES = "chokestar 13, flipfire 17, breakhelm-x-19 14"
ADD = "button[name=act][value=add]"
BEGIN = "button[name=log][value=begin]"
SHEETS = """side: hunters

Chokestar
2 wrestling
3 stealth
3 toughness

Flipfire
2 shooting
4 toughness

side: pirate

Breakhelm X-19
6 toughness
"""


EXAMPLE = """side: hunters

Chokestar: comes from behind
2 wrestling: stun gun and a long grip
3 stealth: soft boots
3 toughness

Flipfire: patches up, then pays back
2 shooting: short rifle
1 healing: a bag of field dressings
2 fighting: elbows first
1 acrobatics
4 toughness: padded coat

side: pirate

Breakhelm X-19: half of him machine
4 shooting: gun in the forearm
4 fighting: steel fists
6 toughness: plated hull
"""
"""The fight printed in the rulebook, with more abilities for each character."""


def choose_order(page: Page, system: str) -> None:
    """Choose a turn system, and wait for its set-up."""
    unfold(page.locator("[name=system]"))
    page.select_option("[name=system]", system)
    typed = "fighters" if system else "sheets"
    page.wait_for_selector(f"form.calculator textarea[name={typed}]:not([hidden])", state="attached")
    wait_for_answer(page)


def write(page: Page, **texts: str) -> None:
    """Type into fields of the set-up."""
    for name, text in texts.items():
        control = page.locator(f"[name={name}]:not([hidden])")
        unfold(control)
        control.fill(text)


def begin(page: Page, faces: str = FACES) -> None:
    """Begin the example fight with known initiative."""
    visit(page, FIGHT)
    page.wait_for_selector(KNOWN)
    write(page, sheets=EXAMPLE, initiative=faces)
    tap(page, "button[name=log][value=begin]")
    page.wait_for_selector("[data-active]")


STEPS = "JSON.parse(document.querySelector('textarea[name=log]').value).steps.length"


def expect_steps(page: Page, count: int) -> None:
    """Wait until the fight has this number of steps.

    Some steps, such as the end of a turn, have no line in the log.
    """
    step = r'"do":(?:(?!"do":).)*'
    steps = re.compile(rf'^(?:(?!"do":).)*(?:{step}){{{count}}}$', re.DOTALL)
    expect(page.locator("textarea[name=log]")).to_have_value(steps)


LOG_SENTENCES = r"""(items) => items.map((item) => {
  const line = item.querySelector(".fight-log__line > p") ?? item;
  const parts = [line, item.querySelector(".fight-log__line ~ .fight-note")];
  return parts.map((part) => part?.textContent ?? "").join(" ").replace(/\s+/g, " ").trim();
})"""
"""Returns the sentences of log entries, which may be folded."""


def list_log_entries(page: Page) -> list[str]:
    """Return the sentences of the log, the oldest first."""
    sentences: list[str] = page.locator(".fight-log li").evaluate_all(LOG_SENTENCES)
    return list(reversed(sentences))


def read_hit_points(page: Page) -> dict[str, str]:
    """Return the characters' hit points."""
    return {str(each.get_attribute("data-hp")): each.inner_text() for each in page.locator("[data-hp]").all()}


SIDES = {
    "guards": ("sharpshooter", "duellist", "wrestler", "shadow"),
    "pirates": ("bandit", "thief", "guard", "assassin"),
}


def format_sheets_of_four() -> str:
    """Return the stat blocks of two sides of four from the cast."""
    blocks = []
    for side, members in SIDES.items():
        blocks.append(f"side: {side}")
        blocks += [format_sheet_with_minions(get_member(each)) for each in members]
    return "\n\n".join(blocks)


def begin_four(page: Page) -> None:
    """Begin a fight of four against four."""
    visit(page, FIGHT)
    page.wait_for_selector(KNOWN)
    write(page, sheets=format_sheets_of_four())
    page.locator("button[name=log][value=begin]").click()
    page.wait_for_selector("[data-active]")
    wait_for_answer(page)
    assert page.evaluate(FIND_COVERED_TEXTS) == []


FIND_COVERED_TEXTS = """() => {
  const areSideBySide = (a, b) => a.right <= b.left + 1 || a.left >= b.right - 1;
  const apart = (a, b) => areSideBySide(a, b) || a.bottom <= b.top + 1 || a.top >= b.bottom - 1;
  return [...document.querySelectorAll(":is(.fight-choice, .act-row) > a.act-row__rule")].flatMap((mark) => {
    const box = mark.getBoundingClientRect();
    const words = document.createRange();
    return [...mark.parentElement.children].flatMap((each) => {
      words.selectNodeContents(each);
      const own = each.getBoundingClientRect(); // what goes beyond is cut off
      const cut = ({ left, right, top, bottom }) => ({ left, right: Math.min(right, own.right), top, bottom });
      const shown = [...words.getClientRects()].map(cut);
      const met = each !== mark && shown.some((one) => !apart(one, box));
      return met && each.checkVisibility() ? [each.innerText.slice(0, 60)] : [];
    });
  });
}"""
"""Returns the marks of rules that cover a control or a text."""


ON_HEXES = "tools/fight/?" + format_query(
    {
        "sheets": "side: hunters\n\nKim\n2 fighting\n3 toughness\n\nLou\n2 shooting\n2 toughness\n\n"
        "side: guards\n\nRook\n2 fighting\n3 toughness\n\nBo\n1 fighting\n2 toughness",
        **next(each for each in SAMPLE_MAPS if each.id == "forest").to_fields(),
    }
)
RUNNING_FIGHT = (
    f"{FIGHT}?log=begin&initiative=a%203,%20b%204"
    "&sheets=A%0Aside:%20x%0A2%20fighting%0A3%20toughness%0A%0AB%0Aside:%20y%0A2%20fighting%0A3%20toughness"
)
"""The address of a running fight of two."""


HOLD = "[data-action=hold][data-target=breakhelm-x-19]"
