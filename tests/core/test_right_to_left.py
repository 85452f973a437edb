"""Names in right-to-left scripts turn nothing around them, and no name turns the line that it is in."""

import html as escaping
import json
import re

import pytest

from build_scripts.calculator_html import isolate_names, render
from scratch_core.calculators.query import query_string
from scratch_core.characters import Draft
from scratch_core.normalization import isolate_right_to_left
from scratch_core.scenario import read_tree

SHEETS = "\n\n".join(f"{name}\n1 toughness" for name in ("שרה", "שרה", "محمد علي", "Bo"))
FIGHT = {
    "format": "scratch-scenario/1",
    "characters": [
        {"id": own_id, "name": name, "abilities": {"toughness": 1}} for own_id, name in (("a", "שרה"), ("b", "דוד 2"))
    ],
    "initiative": {"a": [9], "b": [2]},
    "steps": [{"actor": "a", "do": "basic-attack", "target": "b", "faces": [20]}],
}


def test_right_to_left_names_are_isolated_in_sentences() -> None:
    """Each stands in an element of its own, in a copied log between isolates, and what was typed stays as it was."""
    answer = render("fight", query_string({"log": json.dumps(FIGHT)})).html
    assert "<bdi>שרה</bdi> attacks <bdi>דוד</bdi> 2: a natural 20 (20 " in answer
    bare = re.sub(r"<bdi>.*?</bdi>|<(textarea|svg|option|title)\b.*?</\1>|<[^>]*>", "", answer, flags=re.DOTALL)
    assert isolate_right_to_left(bare) == bare
    assert "\u2068שרה\u2069 attacks \u2068דוד\u2069 2: a natural 20 (20 " in answer
    setup = render("fight", query_string({"sheets": SHEETS})).html
    assert SHEETS in escaping.unescape(setup)


def test_html_without_right_to_left_letters_is_unchanged() -> None:
    """Elements that hold text alone keep theirs as well."""
    plain = "<p>Олена &amp; 山田 <b>9</b></p>"
    assert isolate_names(plain) == plain
    alone = '<title>שרה</title><input value="שרה"><option>שרה</option><svg><text>שרה</text></svg>'
    assert isolate_names(f"{alone}<p>שרה</p>") == f"{alone}<p><bdi>שרה</bdi></p>"


@pytest.mark.parametrize("sign", ["\u202e", "\u202b", "\u2067", "\u200f", "\u061c"])
def test_direction_controls_are_removed_from_names(sign: str) -> None:
    """A stat block and a file have the name without them."""
    assert Draft.from_stat_block(f"A{sign}b\n1 toughness").character().name == "Ab"
    table = {"id": "a", "name": f"A{sign}b", "side": f"x{sign}y", "abilities": {"toughness": 1}}
    (fighter,) = read_tree({"format": "scratch-scenario/1", "characters": [table]}).fighters
    assert (fighter.name, fighter.side) == ("Ab", "xy")
