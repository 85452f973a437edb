"""Commands for developers: comparing pages and screenshots of two trees."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from build_scripts.dev import compare_output, screenshots
from tests.support.states import STATES


def test_same_difference_in_two_places_is_grouped() -> None:
    """Unchanged lines around it are left out."""
    before = {"dice?a": "html: <p>one</p><b>2</b>", "dice?b": "html: <p>one</p><i>3</i>", "dice?c": "html: <p>same</p>"}
    after = {**before, "dice?a": "html: <p>two</p><b>2</b>", "dice?b": "html: <p>two</p><i>3</i>"}
    assert compare_output.group_places_by_difference(before, after) == {("one", "two"): ["dice?a", "dice?b"]}


FORM = """<form><p>Ann strikes. She has <b>2</b> of 3.</p><table><tr><th>Rat</th><td>39 %</td><td>5 %</td></tr></table>
<p><label for="f">Faces</label><input id="f" value="7"> <button aria-label="Roll the dice">Roll</button>
<a href="/odds/">The odds</a></p></form>"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("<b>2</b> of 3.", "<em>2</em>\n  of 3.", {}),
        ("<p>Ann strikes. She", "<section><div>Ann strikes.</div> She", {}),
        ("<form>", "<form><p hidden></p><!-- a note -->", {}),
        ("Ann strikes.", "Ann hits.", {("text: Ann strikes.", "text: Ann hits.")}),
        ("<b>2</b>", "<b>1</b>", {("text: She has 2 of 3.", "text: She has 1 of 3.")}),
        (">39 %</td><td>5 %", ">5 %</td><td>39 %", {("text: Rat · 39 % · 5 %", "text: Rat · 5 % · 39 %")}),
        ("Roll the dice", "Throw the dice", {("button: Roll the dice", "button: Throw the dice")}),
        (">Roll<", ">Throw<", {}),
        ("/odds/", "/odd/", {("link: The odds → /odds/", "link: The odds → /odd/")}),
        (">Faces<", ">Dice<", {("field: Faces: 7\nlabel: Faces", "field: Dice: 7\nlabel: Dice")}),
    ],
    ids=["inline", "block", "nothing", "word", "figure", "swapped", "button", "unseen", "href", "field"],
)
def test_text_differences_ignore_markup_and_blanks(old: str, new: str, expected: Any) -> None:
    """Sentences, figures, links, accessible names and values count."""
    assert FORM.count(old) == 1
    assert set(compare_output.map_text_differences_to_places({"p": FORM}, {"p": FORM.replace(old, new)})) == set(
        expected
    )


def test_text_differences_ignore_the_order_of_blocks() -> None:
    """Their HTML is different all the same."""
    one, other = "<p>One.</p><ul><li>Two</li></ul>", "<ul><li>Two</li></ul><p>One.</p>"
    assert compare_output.map_text_differences_to_places({"p": one}, {"p": other}) == {}
    assert compare_output.is_different(one, other)
    assert not compare_output.is_different(one, one)


def test_page_in_one_tree_alone_is_a_difference() -> None:
    """List removed and new pages."""
    found = compare_output.group_places_by_difference({"a.html": "x"}, {"b.html": "x"})
    assert found == {("a page", ""): ["a.html"], ("", "a page"): ["b.html"]}


def test_hashes_in_file_names_are_no_difference() -> None:
    """Folders of the bundle and names of stylesheets contain hashes."""
    one = '<script src="assets/engine-0123456789ab/x.mjs"></script><link href="main.01234567.min.css">'
    other = '<script src="assets/engine-ba9876543210/x.mjs"></script><link href="main.89abcdef.min.css">'
    assert compare_output.split_html_lines(one) == compare_output.split_html_lines(other)
    assert list(compare_output.list_differences(one, other.replace("x.mjs", "y.mjs"))) != []


def test_long_line_is_cut_around_its_first_difference() -> None:
    """Print both texts in less than 600 characters."""
    old, new = "a" * 500 + "OLD" + "b" * 500, "a" * 500 + "NEW" + "b" * 500
    said = compare_output.format_difference((old, new), ["p"], 6)
    assert "OLD" in said
    assert "NEW" in said
    assert len(said) < 600


def draw_picture(height: int, *boxes: tuple[int, int, int, int], paper: int = 255) -> Image.Image:
    """Draw black boxes on white or grey paper, 10 pixels wide."""
    made = Image.new("RGB", (10, height), (paper, paper, paper))
    for box in boxes:
        made.paste("black", box)
    return made


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (draw_picture(20, (0, 2, 4, 4)), draw_picture(20, (0, 2, 4, 4)), None),
        (draw_picture(20, (0, 2, 4, 4)), draw_picture(20, (0, 2, 4, 4), paper=253), None),
        (draw_picture(20), draw_picture(20, paper=252), (1, (0, 0, 10, 20))),
        (draw_picture(20), draw_picture(20, (3, 5, 7, 9)), (16 / 200, (3, 5, 7, 9))),
        (draw_picture(20, (0, 15, 9, 18)), draw_picture(22, (0, 17, 9, 20)), (20 / 220, (0, 15, 10, 17))),
        (draw_picture(20, (0, 15, 9, 18)), draw_picture(20, (0, 15, 9, 18), (2, 3, 3, 4)), (1 / 200, (2, 3, 3, 4))),
    ],
    ids=[
        "the same",
        "an invisible difference of shade",
        "a shade more",
        "a box",
        "two rows more, and all below moves",
        "a dot above what stays",
    ],
)
def test_changed_area_of_two_pictures_has_share_and_box(before: Image.Image, after: Image.Image, expected: Any) -> None:
    """Content that only moves down is no difference."""
    changed = screenshots.find_changed_area(before, after)
    assert (changed and (changed.share, changed.box)) == expected


def test_compared_folders_list_changed_new_and_removed_pictures(tmp_path: Path) -> None:
    """A changed picture is saved with both versions side by side."""
    before, after, shown = (tmp_path / name for name in ("before", "after", "shown"))
    for folder, own in ((before, "gone"), (after, "new")):
        folder.mkdir()
        draw_picture(20).save(folder / "same.png")
        draw_picture(20, (3, 5, 7, 9 if folder == before else 8)).save(folder / "other.png")
        draw_picture(20).save(folder / f"{own}.png")
    differences = screenshots.compare_picture_folders(before, after, shown)
    assert differences == {"gone.png": "is gone", "new.png": "is new", "other.png": "2.00% in (3, 8, 7, 9), +0 high"}
    assert [each.name for each in shown.iterdir()] == ["other.png"]
    with Image.open(shown / "other.png") as made:
        assert made.width == 3 * 10 + 2 * screenshots.MARGIN_PIXELS


def test_trees_with_the_same_lock_file_share_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages of another lock file are not used."""
    monkeypatch.setattr(compare_output, "BUILD", tmp_path / "build")
    for name, lock, has in (("a", "1", False), ("b", "1", True), ("c", "2", False)):
        tree = tmp_path / name
        tree.mkdir()
        (tree / "package-lock.json").write_text(lock)
        with compare_output.link_and_cache_npm_packages(tree):
            assert (tree / "node_modules" / "left-pad").exists() == has
            (tree / "node_modules" / "left-pad").mkdir(parents=True, exist_ok=True)


@pytest.mark.parametrize(
    ("name", "message"),
    [("dice:*", "expected a state of dice among "), ("dices:filled", "expected a calculator among ")],
)
def test_screenshots_of_an_unknown_state_list_the_known_ones(tmp_path: Path, name: str, message: str) -> None:
    """Both lists are those of the states."""
    with pytest.raises(SystemExit) as stopped:
        screenshots.list_shots(tmp_path, [name])
    known = [*STATES["dice"]] if name == "dice:*" else [*STATES]
    assert all(each in str(stopped.value) for each in known)
    assert str(stopped.value).startswith(message)
