"""The replay as its readers use it: by keyboard, by slider, with a die changed, from a file and by link."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.following import visit
from tests.browser.pages.calculator import open_ready, settled, shared
from tests.browser.pages.replay import at_step

PLACES = ("rules/combat-example/", "tools/replay/")
BREAKHELM = [6, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 2, 2, 1, 1, 0]
"""Hit points after each step by the rules: 6, 5, 4, 2, 1, 0 (the audit's strict replay A)."""


def hit_points(page: Page, who: str) -> int:
    """What a character has at the step shown."""
    return int(page.inner_text(f"[data-hp={who}]"))


@pytest.mark.parametrize("place", PLACES)
def test_the_worked_combat_by_keyboard_alone(page: Page, place: str) -> None:
    """The arrow keys walk through every step, Home and End leap; hit points follow at each."""
    visit(page, place)
    page.keyboard.press("Home")
    at_step(page, 0)
    for step, left in enumerate(BREAKHELM):
        at_step(page, step)
        assert hit_points(page, "breakhelm") == left
        page.keyboard.press("ArrowRight")
    at_step(page, 15)
    expect(page.locator("[data-condition=breakhelm]")).to_have_text("incapacitated")
    assert (hit_points(page, "chokestar"), hit_points(page, "flipfire")) == (3, 4)
    page.keyboard.press("ArrowLeft")
    at_step(page, 14)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("End")
    at_step(page, 15)


def test_no_key_is_lost(page: Page) -> None:
    """Keys pressed faster than the page answers all count."""
    open_ready(page, "tools/replay/")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    at_step(page, 9)


BY_HAND = """(() => {
  const ticks = new Map();
  let last = 1e9;
  const [begin, end] = [setTimeout, clearTimeout];
  globalThis.setTimeout = (tick, after, ...more) =>
    after < 1500 ? begin(tick, after, ...more) : ticks.set(++last, [tick, after]) && last;
  globalThis.clearTimeout = (id) => ticks.delete(id) || end(id);
  globalThis.waits = () => [...ticks.values()].map(([, after]) => after);
  globalThis.tick = () => [...ticks].map(([id, [tick]]) => ticks.delete(id) && tick()).length;
})()"""
"""What the page does after a second and a half or later, it does when `tick()` is called, which counts it."""
READ = 60  # ms a letter


def waits(page: Page) -> list[int]:
    """How long the page waits before it plays on, in ms; what waits for a minute or longer guards something else."""
    return [each for each in page.evaluate("waits()") if each < 60_000]


def test_play_and_pause(loaded: Page) -> None:
    """Space plays, space again pauses, and the end stops it; a step stays as long as its sentence takes to read."""
    page = loaded
    page.add_init_script(BY_HAND)
    open_ready(page, "tools/replay/?scenario=worked-combat&step=11")
    page.keyboard.press(" ")
    expect(page.locator(".play")).to_have_attribute("aria-pressed", "true")
    at_step(page, 12)
    expect(page.locator(".play")).to_have_attribute("aria-pressed", "true")
    assert waits(page)[0] >= READ * len(page.locator(".result-line").inner_text())
    page.keyboard.press(" ")
    expect(page.locator(".play")).not_to_have_attribute("aria-pressed", "true")
    assert waits(page) == []
    page.keyboard.press(" ")
    at_step(page, 13)
    for step in (14, 15):
        assert page.evaluate("tick()") >= 1
        at_step(page, step)
    assert page.evaluate("tick()") >= 1
    expect(page.locator(".play")).not_to_have_attribute("aria-pressed", "true")
    assert waits(page) == []


ON_ONE_SCREEN = """() => {
  const top = document.querySelector(".md-header").getBoundingClientRect().bottom;
  const foot = document.querySelector(".transport").getBoundingClientRect();
  const said = document.querySelector(".result-line").getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".transport button")].filter((each) => each.checkVisibility());
  const isLow = (box) => box.height < 44 || box.bottom > innerHeight + 1;
  return {
    buttons: buttons.map((each) => each.textContent),
    wrong: [...buttons.map((each) => each.getBoundingClientRect()).filter(isLow).map((box) => box.toJSON()),
      ...(said.top < top || said.bottom > foot.top ? [said.toJSON()] : [])],
    places: buttons.map((each) => Math.round(each.getBoundingClientRect().top)),
  };
}"""
"""The buttons that move through a replay; which of them, or of the sentence, is out of sight; where they stand."""


def test_on_a_phone_the_sentence_and_the_buttons_share_a_screen(phone: Page) -> None:
    """As the page opens, step after step: the sentence is seen above three buttons, which stay where they are."""
    open_ready(phone, "tools/replay/?scenario=worked-combat&step=0")
    places = set()
    for step in range(1, 16):
        phone.get_by_role("button", name="Next step").tap()
        at_step(phone, step)
        seen = phone.evaluate(ON_ONE_SCREEN)
        assert (step, seen["wrong"]) == (step, [])
        places.add(tuple(seen["places"]))
    assert seen["buttons"] == ["Back", "Play", "Next"]
    assert len(places) == 1


def test_nothing_is_told_over_a_button_after_a_tap(phone: Page) -> None:
    """No tooltip stays over what moves through it: none of it has a title."""
    open_ready(phone, "tools/replay/?scenario=worked-combat&step=3")
    phone.get_by_role("button", name="Next step").tap()
    at_step(phone, 4)
    assert phone.locator(".transport [title]").count() == 0
    assert phone.locator(".md-tooltip2--active, .md-tooltip--active").count() == 0


def test_space_on_a_fold_opens_it_and_plays_nothing(loaded: Page) -> None:
    """The key that plays belongs to what has the focus, where that is something to be pressed by it."""
    open_ready(loaded, "tools/replay/?scenario=worked-combat&step=3")
    fold = loaded.locator("details.change-step > summary")
    fold.focus()
    loaded.keyboard.press(" ")
    expect(loaded.locator("details.change-step")).to_have_attribute("open", "")
    expect(loaded.locator(".play")).not_to_have_attribute("aria-pressed", "true")


def test_a_die_is_changed_and_the_fork_stands_beside(page: Page, other: Page) -> None:
    """A face typed into the step's field makes a fork; the first difference is marked; the link shows the same."""
    open_ready(page, "tools/replay/?scenario=worked-combat&step=3")
    page.locator(".change-step summary").click()
    page.fill("[name=faces_3]", "20")
    settled(page)
    page.keyboard.press("Enter")
    expect(page.locator("[data-first-difference='3']")).to_be_visible()
    assert page.input_value("textarea[name=fork]") == "3.faces = 20"
    assert hit_points(page, "breakhelm") == 0  # a shot with face 20 does 5 (audit, e15)
    expect(page.locator("[data-line='3'] [data-parts]")).to_be_visible()
    expect(page.locator("[data-own-hp=breakhelm]")).to_contain_text("5, healthy")
    settled(page)
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    at_step(page, 4)
    assert page.input_value("textarea[name=fork]") == "3.faces = 20"
    visit(other, shared(page))
    at_step(other, 4)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")
    assert hit_points(other, "breakhelm") == 0


def test_what_if_and_back_again(page: Page) -> None:
    """One press asks what another face would have done, another drops it."""
    open_ready(page, "tools/replay/?scenario=worked-combat&step=1")
    page.locator(".what-if button").first.click()
    expect(page.locator("[data-hp=breakhelm]")).to_have_text("6")
    page.locator(".all-changes summary").click()
    page.get_by_role("button", name="Drop all changes").click()
    expect(page.locator("[data-hp=breakhelm]")).to_have_text("5")
    assert page.locator("[data-first-difference]").count() == 0


def test_steps_are_put_in_and_left_out(page: Page, other: Page) -> None:
    """A press puts a step in, another leaves one out; the link shows the same, and both go back."""
    open_ready(page, "tools/replay/?scenario=worked-combat&step=3")
    page.locator(".change-step summary").click()
    page.locator(".insert-after").click()
    at_step(page, 4)
    assert page.input_value("textarea[name=fork]") == "3a.actor = flipfire; 3a.do = nothing"
    page.select_option("[name=do_3a]", "bonus")
    settled(page)
    page.locator(".take").click()
    expect(page.locator("textarea[name=fork]")).to_have_value("3a.actor = flipfire; 3a.do = bonus")
    at_step(page, 4)
    expect(page.locator("[data-line='4'] [data-parts]")).to_be_visible()
    expect(page.locator("[data-line='4']")).to_contain_text("New.")
    page.keyboard.press("Escape")
    page.locator("[data-line='1'] .go").click()
    at_step(page, 1)
    page.locator(".delete-step").click()
    gone = page.locator(".line-gone")
    expect(gone).to_contain_text("Left out.")
    expect(gone.locator("[data-parts]")).to_be_visible()
    settled(page)
    visit(other, shared(page))
    at_step(other, 1)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")
    page.locator(".restore").click()
    expect(page.locator(".line-gone")).to_have_count(0)
    page.locator("[data-line='4'] .go").click()
    at_step(page, 4)
    page.locator(".delete-step").click()
    expect(page.locator("[data-first-difference]")).to_have_count(0)
    assert page.input_value("textarea[name=fork]") == ""
    page.locator("[data-line='15'] .go").click()
    at_step(page, 15)
    page.locator(".delete-step").click()
    at_step(page, 14)
    expect(page.locator(".line-gone")).to_be_visible()
    assert page.locator("[data-problem]").count() == 0


def test_three_readings_one_press_each(page: Page) -> None:
    """The same dice by the rules, as printed, and with strength 8: the audit's three ends."""
    visit(page, "rules/combat-example/")
    page.locator("scratch-calculator").scroll_into_view_if_needed()
    settled(page)
    page.keyboard.press("End")
    at_step(page, 15)
    ends = {}
    for way in ("As printed", "With 8 + toughness", "By the rules"):
        page.get_by_role("button", name=way).click()
        expect(page.get_by_role("button", name=way)).to_have_attribute("aria-pressed", "true")
        settled(page)
        ends[way] = [hit_points(page, who) for who in ("breakhelm", "chokestar", "flipfire")]
    assert ends == {"As printed": [0, 2, 4], "With 8 + toughness": [0, 2, 4], "By the rules": [0, 3, 4]}


def test_a_file_is_opened_and_saved(page: Page, tmp_path: Path) -> None:
    """A scenario file is played from the reader's disk and saved again; a damaged one is told with its place."""
    text = (
        'format = "scratch-scenario/1"\n[[characters]]\nid = "a"\nabilities = { toughness = 2, shooting = 1 }\n'
        '[[characters]]\nid = "b"\nabilities = { toughness = 3 }\n[initiative]\na = [20]\nb = [1]\n'
        '[[steps]]\nactor = "a"\ndo = "shoot"\ntarget = "b"\nfaces = [12]\n'
    )
    open_ready(page, "tools/replay/")
    file = tmp_path / "duel.toml"
    file.write_text(text)
    page.set_input_files("[data-into=scenario]", file)
    expect(page.locator("[data-hp=b]")).to_have_text("3")
    page.keyboard.press("End")
    at_step(page, 1)
    assert hit_points(page, "b") == 1  # 13 against agility 10: shooting does 2
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the file").click()
    assert Path(download.value.path()).read_text() == text
    file.write_text(text.replace('target = "b"', 'target = "c"'))
    page.set_input_files("[data-into=scenario]", file)
    problem = page.locator("[data-problem][data-field=scenario]").first
    expect(problem).to_contain_text("steps[0].target (line 14)")


def test_an_example_of_the_rules_opens_in_the_replay(page: Page) -> None:
    """The link below an example fight leads to the same fight, at its beginning."""
    visit(page, "rules/actions/")
    example = page.locator(".scenario-example").first
    title, steps = example.locator("figcaption").inner_text(), example.locator("li").count()
    example.get_by_role("link", name="Open it in the replay").click()
    expect(page.locator(".replay-title")).to_have_text(title)
    expect(page.locator(".step-number")).to_have_text(f"Step 0 of {steps}")
