"""The replay by keyboard, slider, changed dice, file and link."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.navigation import visit
from tests.browser.pages.calculator import open_ready, read_share_link, save_download, wait_for_answer
from tests.browser.pages.replay import wait_for_step

BREAKHELM_HIT_POINTS = [6, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 2, 2, 1, 1, 0]
"""Hit points after each step by the rules: 6, 5, 4, 2, 1, 0 (the audit's strict replay A)."""


def read_hit_points(page: Page, who: str) -> int:
    """Return a character's hit points at the shown step."""
    return int(page.inner_text(f"[data-hp={who}]"))


def test_worked_combat_is_replayed_by_keyboard(page: Page) -> None:
    """Arrows move by a step, Home and End jump, and hit points follow.

    Its results as printed, with strength 8 and by the rules are one press each.
    """
    visit(page, "rules/combat-example/")
    page.keyboard.press("Home")
    for step, left in enumerate(BREAKHELM_HIT_POINTS):
        wait_for_step(page, step)
        assert read_hit_points(page, "breakhelm") == left
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-condition=breakhelm]")).to_have_text("incapacitated")
    assert (read_hit_points(page, "chokestar"), read_hit_points(page, "flipfire")) == (3, 4)
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 14)
    page.keyboard.press("Home")
    wait_for_step(page, 0)
    page.keyboard.press("End")
    wait_for_step(page, 15)
    ends = {}
    for way in ("As printed", "With 8 + toughness", "By the rules"):
        page.get_by_role("button", name=way).click()
        expect(page.get_by_role("button", name=way)).to_have_attribute("aria-pressed", "true")
        wait_for_answer(page)
        ends[way] = [read_hit_points(page, who) for who in ("breakhelm", "chokestar", "flipfire")]
    assert ends == {"As printed": [0, 2, 4], "With 8 + toughness": [0, 2, 4], "By the rules": [0, 3, 4]}


def test_log_hides_the_results_of_steps_ahead_and_the_end_leads_on(page: Page) -> None:
    """Steps ahead say who does what.

    After the last one the fight can be replayed, or another one begun.
    """
    open_ready(page, "tools/replay/?scenario=worked-combat&step=14")
    last = page.locator("tr[data-line='15']")
    expect(last.locator("td").last).to_have_text("Flipfire, shooting", use_inner_text=True)
    expect(page.locator("tr[data-line='14'] .replay__say")).to_be_visible()
    page.get_by_role("button", name="Next step").click()
    wait_for_step(page, 15)
    expect(last.locator(".replay__say")).to_contain_text("incapacitated")
    end = page.locator(".replay-end")
    expect(end.get_by_role("link", name="Start your own fight")).to_have_attribute("href", re.compile("tools/fight/$"))
    expect(end.get_by_role("link", name="Read the rules")).to_have_attribute("href", re.compile("rules/turns/#"))
    end.get_by_role("button", name="Replay again").click()
    wait_for_step(page, 0)
    expect(end).to_have_count(0)


CONTROL_TIMERS = """(() => {
  const ticks = new Map();
  let last = 1e9;
  const [begin, end] = [setTimeout, clearTimeout];
  globalThis.setTimeout = (tick, after, ...more) =>
    after >= 1500 && document.querySelector('[playing]')
      ? ticks.set(++last, [tick, after]) && last
      : begin(tick, after, ...more);
  globalThis.clearTimeout = (id) => ticks.delete(id) || end(id);
  globalThis.waits = () => [...ticks.values()].map(([, after]) => after);
  globalThis.tick = () => [...ticks].map(([id, [tick]]) => ticks.delete(id) && tick()).length;
})()"""
"""Timers of 1.5 seconds and more that playing sets run when `tick()` is called, which returns their number."""
MILLISECONDS_PER_LETTER = 60


def list_delays(page: Page) -> list[int]:
    """Return the delays before the next step in ms.

    Longer timers have other purposes.
    """
    return [each for each in page.evaluate("waits()") if each < 60_000]


def test_space_key_plays_pauses_and_opens_a_focused_fold(loaded: Page) -> None:
    """The space key plays and pauses the replay, and opens a focused fold.

    A step is shown as long as its sentence takes to read, and the end stops the replay.
    """
    loaded.add_init_script(CONTROL_TIMERS)
    open_ready(loaded, "tools/replay/?scenario=worked-combat&step=13")
    play = loaded.locator(".play")
    loaded.keyboard.press(" ")
    wait_for_step(loaded, 14)
    expect(play).to_have_attribute("aria-pressed", "true")
    assert list_delays(loaded)[0] >= MILLISECONDS_PER_LETTER * len(loaded.locator(".answer__result").inner_text())
    loaded.keyboard.press(" ")
    expect(play).not_to_have_attribute("aria-pressed", "true")
    assert list_delays(loaded) == []
    loaded.keyboard.press(" ")
    wait_for_step(loaded, 15)
    assert loaded.evaluate("tick()") >= 1
    expect(play).not_to_have_attribute("aria-pressed", "true")
    assert list_delays(loaded) == []
    loaded.locator("details.replay__change-step > summary").focus()
    loaded.keyboard.press(" ")
    expect(loaded.locator("details.replay__change-step")).to_have_attribute("open", "")
    expect(play).not_to_have_attribute("aria-pressed", "true")


READ_TRANSPORT = """() => {
  const top = document.querySelector(".md-header").getBoundingClientRect().bottom;
  const foot = document.querySelector(".replay__transport").getBoundingClientRect();
  const said = document.querySelector(".answer__result").getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".replay__transport button")].filter((each) => each.checkVisibility());
  const isLow = (box) => box.height < 44 || box.bottom > innerHeight + 1;
  return {
    buttons: buttons.map((each) => each.textContent),
    wrong: [...buttons.map((each) => each.getBoundingClientRect()).filter(isLow).map((box) => box.toJSON()),
      ...(said.top < top || said.bottom > foot.top ? [said.toJSON()] : [])],
    places: buttons.map((each) => Math.round(each.getBoundingClientRect().top)),
  };
}"""
"""Returns the transport buttons, their positions, and what is out of view."""


def test_replay_on_a_phone_has_sentence_and_buttons_on_one_screen(phone: Page) -> None:
    """A phone shows the sentence and the buttons of a replay together.

    The buttons keep their position and have no tooltip. Each of several fast keys counts.
    """
    open_ready(phone, "tools/replay/?scenario=worked-combat&step=0")
    places = set()
    for step in range(1, 16):
        phone.get_by_role("button", name="Next step").tap()
        wait_for_step(phone, step)
        seen = phone.evaluate(READ_TRANSPORT)
        assert (step, seen["wrong"]) == (step, [])
        places.add(tuple(seen["places"]))
    assert seen["buttons"] == ["Back", "Play", "Next"]
    assert len(places) == 1
    assert phone.locator(".replay__transport [title], .md-tooltip2--active, .md-tooltip--active").count() == 0
    phone.keyboard.press("Home")
    for _ in range(9):
        phone.keyboard.press("ArrowRight")
    wait_for_step(phone, 9)


def test_changed_die_makes_a_fork_next_to_the_original(page: Page, other: Page) -> None:
    """The first difference is marked, and the link shows the same.

    One press discards the fork, and another tries a different face.
    """
    open_ready(page, "tools/replay/?scenario=worked-combat&step=3")
    page.locator(".replay__change-step summary").click()
    page.fill("[name=faces_3]", "20")
    wait_for_answer(page)
    page.keyboard.press("Enter")
    expect(page.locator("[data-first-difference='3']")).to_be_visible()
    assert page.input_value("textarea[name=fork]") == "3.faces = 20"
    assert read_hit_points(page, "breakhelm") == 0  # a shot with face 20 does 5 (audit, e15)
    expect(page.locator("[data-line='3'] [data-parts]")).to_be_visible()
    expect(page.locator("[data-own-hp=breakhelm]")).to_contain_text("5, healthy")
    wait_for_answer(page)
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 4)
    open_ready(other, read_share_link(page))
    wait_for_step(other, 4)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")
    page.click(".replay__all-changes > summary")
    page.get_by_role("button", name="Discard all changes").click()
    expect(page.locator("[data-first-difference]")).to_have_count(0)
    page.click("[data-line='3'] .replay__go")
    page.locator(".replay__what-if button").first.click()
    expect(page.locator("[data-first-difference='3']")).to_be_visible()


def test_replay_steps_are_inserted_deleted_and_restored(page: Page) -> None:
    """The selected step follows."""
    open_ready(page, "tools/replay/?scenario=worked-combat&step=3")
    page.locator(".replay__change-step summary").click()
    page.locator(".insert-after").click()
    wait_for_step(page, 4)
    assert page.input_value("textarea[name=fork]") == "3a.actor = flipfire; 3a.do = nothing"
    page.select_option("[name=do_3a]", "bonus")
    wait_for_answer(page)
    page.locator(".take").click()
    expect(page.locator("textarea[name=fork]")).to_have_value("3a.actor = flipfire; 3a.do = bonus")
    wait_for_step(page, 4)
    expect(page.locator("[data-line='4']")).to_contain_text("New.")
    page.locator("[data-line='16'] .replay__go").click()
    wait_for_step(page, 16)
    page.locator(".delete-step").click()
    wait_for_step(page, 15)
    expect(page.locator(".replay__line--gone")).to_contain_text("Deleted.")
    page.locator(".restore").click()
    expect(page.locator(".replay__line--gone")).to_have_count(0)
    assert page.locator("[data-problem]").count() == 0


def test_scenario_file_is_imported_and_exported(page: Page, tmp_path: Path) -> None:
    """A damaged file shows a problem with its line."""
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
    wait_for_step(page, 1)
    assert read_hit_points(page, "b") == 1  # 13 against agility 10: shooting does 2
    assert save_download(page, "role=button[name='Export file']", tmp_path / "saved.toml").read_text() == text
    file.write_text(text.replace('target = "b"', 'target = "c"'))
    page.set_input_files("[data-into=scenario]", file)
    problem = page.locator("[data-problem][data-field=scenario]").first
    expect(problem).to_contain_text("step 1")
    details = page.locator("details", has=page.get_by_text("Details", exact=True)).first
    expect(details).to_contain_text("steps[0].target (line 14)")


def test_example_fight_in_the_rules_opens_in_the_replay(page: Page) -> None:
    """It starts at its first step."""
    visit(page, "rules/actions/")
    example = page.locator(".scenario-example").first
    title, steps = example.locator("figcaption").inner_text(), example.locator("li").count()
    example.get_by_role("link", name="Open in the replay").click()
    expect(page.locator(".replay-title")).to_have_text(title)
    expect(page.locator(".step-number")).to_have_text(f"Step 0 of {steps}")


# Another turn system

STATES = (
    {},
    {"ada": "counterattack prepared"},
    {"ada": "counterattack prepared"},
    {"ada": "counterattack prepared", "cato": "attack pending, has moved"},
    {"cato": "has moved"},
    {},
    {},
)
"""The states shown for each character after every step: `mano.counter.illustration`."""


def test_counterattack_is_replayed_by_keyboard(page: Page) -> None:
    """States of waiting characters follow each step."""
    visit(page, "rules/other-turn-orders/mano-a-mano/")
    page.keyboard.press("Home")
    for step, states in enumerate(STATES):
        wait_for_step(page, step)
        shown = {each.get_attribute("data-states"): each.inner_text() for each in page.locator("[data-states]").all()}
        assert shown == states
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-question]")).to_contain_text("Bo is next")


def test_link_below_a_drawing_opens_its_fight_in_the_replay(page: Page) -> None:
    """The pools are shown as numbers."""
    visit(page, "rules/other-turn-orders/older-pools/")
    page.get_by_role("link", name="Step through the fight").click()
    wait_for_answer(page)
    page.keyboard.press("End")
    wait_for_step(page, 9)
    expect(page.locator("[data-hp=nils]")).to_have_text("5")
    expect(page.locator("[data-value='ready.nils']")).to_have_text("1")
