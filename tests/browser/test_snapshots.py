"""The outlines of all states of the calculators, compared with the files in tests/snapshots."""

from difflib import unified_diff

import pytest
from playwright.sync_api import Browser

from tests.support.outline import drop_repeats, format_lines, load_outlines, name_known_folds
from tests.support.snapshots import SNAPSHOT_NAMES, SNAPSHOTS, get_snapshot_file, take_snapshot


@pytest.mark.parametrize("name", SNAPSHOT_NAMES)
def test_outlines_of_a_calculator_equal_its_snapshot(browser: Browser, name: str) -> None:
    """The outlines of a calculator equal its snapshot.

    The failure has each line that differs. `make snapshots` rewrites the file.
    """
    file = get_snapshot_file(name)
    old = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    changed = list(unified_diff(old, take_snapshot(browser, name).splitlines(), "stored", "now", lineterm="", n=0))
    if changed:
        advice = f"{file.name} differs. If this is on purpose, run `make snapshots`:"
        pytest.fail("\n".join((advice, *changed)), pytrace=False)


def test_every_snapshot_has_its_file() -> None:
    """A file for each calculator, the cast, the glossary and the tables, and no others."""
    assert {file.stem for file in SNAPSHOTS.glob("*")} == set(SNAPSHOT_NAMES)


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<label>Faces <input name=faces value=7></label>", ['- textbox "Faces" (faces=7)']),
        ("<label for=a>Faces</label><input id=a name=faces>", ['- textbox "Faces" (faces=)']),
        ("<button name=act value=undo>Undo <b>it</b></button>", ['- button "Undo it" (act=undo)']),
        ("<section aria-label=Us><h2>Us</h2></section>", ["- region", '  - heading "Us" [level=2]']),
        ("<fieldset><legend>Sides</legend><p>None</p></fieldset>", ['- group "Sides"', "  - paragraph: None"]),
        (
            "<details><summary>More</summary><p>Text</p></details>",
            ["- group", '  - button "More"', "  - paragraph: Text"],
        ),
        ("<table><tr><th>Level</th><td>4</td></tr></table>", ["- table", "  - row: Level · 4"]),
        (
            "<label>Side <select name=side><option value=a>A<option value=b selected>B</select></label>",
            ['- combobox "Side" (side=b): A · [B]'],
        ),
        ("<p>Or <a href=x>paint</a> it</p><p hidden>No</p>", ["- paragraph: Or … it", '  - link "paint" → x']),
        ("<ul><li>Goblin<li>Goblin</ul>", ["- list", "  - listitem: Goblin ×2"]),
        ("<dl><dt>agility<dd>11<dt>stamina<dd>11</dl>", ["- term: agility · 11", "- term: stamina · 11"]),
    ],
    ids=["label", "label for", "button", "heading", "legend", "fold", "row", "select", "link", "twice", "terms"],
)
def test_outline_has_each_label_once(browser: Browser, html: str, lines: list[str]) -> None:
    """An outline has each label, heading and cell once.

    Each control has the value that it sends.
    """
    page = browser.new_page()
    ((nodes, _),) = load_outlines(page, [html])
    assert list(drop_repeats((depth, text) for depth, text, _ in format_lines(nodes))) == lines
    page.close()


def test_fold_of_earlier_state_is_named_while_it_is_closed(browser: Browser) -> None:
    """A closed fold that an earlier state has shown names that state.

    An open fold is written again.
    """
    page = browser.new_page()
    fold = "<details{}><summary>More</summary><p>Text</p><p>Other</p></details>"
    seen: dict = {}
    found = []
    marks = {"one": "", "two": "", "three": " open"}
    outlined = load_outlines(page, [fold.format(mark) for mark in marks.values()])
    for state, (nodes, _) in zip(marks, outlined, strict=True):
        found.append([text for _, text, _ in name_known_folds(list(format_lines(nodes)), state, seen)])
    page.close()
    content = ["paragraph: Text", "paragraph: Other"]
    assert found == [
        ["group", 'button "More"', *content],
        ["group", 'button "More"', "as in “one”"],
        ["group", 'button "More" [expanded]', *content],
    ]
