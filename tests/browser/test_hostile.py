"""Hostile input typed into a real page of each calculator; tests/fuzz gives the engine all of it."""

import unicodedata

import pytest
from playwright.sync_api import Page

from tests.browser.pages.calculator import open_ready, wait_for_answer
from tests.fuzz import HOSTILE, STRIDE

# The browser takes seconds to type or paste a million lines: that is complete before the request.
TYPE_TEXT = """([place, text]) => {
  const field = document.querySelector(place);
  field.closest("details")?.setAttribute("open", "");
  field.value = text;
  return new Promise((done) => requestAnimationFrame(() => done(field.offsetHeight)));
}"""
FIELDS = {
    "tools/dice/": ("roll", "against", "faces"),
    "tools/character/": ("sheet", "shooting", "minions"),
    "tools/initiative/": ("who", "faces"),
    "tools/replay/": ("scenario",),
    "tools/fight/": ("sheets",),
    "tools/fight/?system=mano": ("fighters",),
    "tools/board/": ("map", "tokens", "space"),
}


@pytest.mark.parametrize("address", FIELDS)
def test_hostile_input_gets_an_answer_or_a_problem(page: Page, address: str) -> None:
    """No script of the input runs, and the field keeps its text."""
    inputs = list(HOSTILE.items())[list(FIELDS).index(address) % STRIDE :: STRIDE]  # different ones in each
    assert len(inputs) >= 10
    open_ready(page, address)
    page.evaluate("void (window.alert = window.hacked = () => { document.title = 'hacked' })")
    fields = FIELDS[address]
    for number, (name, text) in enumerate(inputs):
        field = fields[number % len(fields)]
        page.evaluate(
            "document.querySelectorAll('form.calculator :is(input, textarea)').forEach((c) => { c.value = '' })"
        )
        place = f"form.calculator :is(input, textarea)[name={field}]"
        page.evaluate(TYPE_TEXT, [place, text])
        typed = page.input_value(place)
        page.evaluate("document.querySelector('form.calculator').requestSubmit()")
        wait_for_answer(page)
        assert page.input_value(place) == typed, name
        answered = page.locator(
            "[data-answer] :is([data-total], [data-figure]), :is([data-step], [data-problem], [data-ready]),"
            " .fight-begin .answer__waiting"
        ).count()
        blank = all(sign.isspace() or sign == "," or unicodedata.category(sign) == "Cc" for sign in typed)
        assert answered or blank, f"{name} in {field}: neither an answer nor a problem"
        assert page.title() != "hacked", name
        assert page.locator("scratch-calculator script, scratch-calculator iframe, scratch-calculator img").count() == 0


def test_hostile_address_gets_an_answer(page: Page) -> None:
    """Raw and escaped text is part of the address."""
    texts = ("%", "%zz%", "%00", "<script>alert(1)</script>", "&&&===", "roll=%FF%FE", "roll=" + "(" * 5000)
    for number, text in enumerate(texts):
        address = ("tools/dice/", "tools/character/")[number % 2]
        open_ready(page, f"{address}?roll={text}&sheet={text}&{text}")
        page.wait_for_selector("[data-answer]", state="attached")
