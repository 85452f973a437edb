"""Names in right-to-left scripts do not change the direction of the text around them, or of their line."""

import html as escaping
import json
import re
from pathlib import Path

import pytest

from build_scripts.render import isolate_right_to_left_names, render_calculator_response
from scratch_core.calculators.shared.query import format_query
from scratch_core.characters import CharacterDraft
from scratch_core.cli import main
from scratch_core.normalization import isolate_right_to_left
from scratch_core.scenario import scenario_from_dict

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
    """Right-to-left names have an element of their own in sentences.

    In a copied log they are between isolates. Typed text is unchanged.
    """
    answer = render_calculator_response("fight", format_query({"log": json.dumps(FIGHT)})).html
    assert "<bdi>שרה</bdi> attacks <bdi>דוד</bdi> 2: a natural 20 (20 " in answer
    bare = re.sub(r"<bdi>.*?</bdi>|<(textarea|svg|option|title)\b.*?</\1>|<[^>]*>", "", answer, flags=re.DOTALL)
    assert isolate_right_to_left(bare) == bare
    assert "\u2068שרה\u2069 attacks \u2068דוד\u2069 2: a natural 20 (20 " in answer
    setup = render_calculator_response("fight", format_query({"sheets": SHEETS})).html
    assert SHEETS in escaping.unescape(setup)


def test_html_without_right_to_left_letters_is_unchanged() -> None:
    """Letters of other scripts need no isolates."""
    plain = "<p>Олена &amp; 山田 <b>9</b></p>"
    assert isolate_right_to_left_names(plain) == plain


def test_typed_text_and_attributes_are_not_isolated() -> None:
    """A form sends them as the user typed them."""
    typed = '<textarea name="sheets">שרה</textarea><input value="שרה">'
    assert isolate_right_to_left_names(f"{typed}<p>שרה</p>") == f"{typed}<p><bdi>שרה</bdi></p>"


def test_options_titles_and_drawings_have_isolates() -> None:
    """Elements that can hold no `<bdi>` get the characters that do the same."""
    plain = '<option value="a">{} 2</option><svg><title>{} 2</title><g><text>{} 2</text></g></svg>'
    isolated = "\u2068שרה\u2069"
    html = isolate_right_to_left_names(plain.replace("{}", "שרה") + "<p>שרה 2</p>")
    assert html == plain.replace("{}", isolated) + "<p><bdi>שרה</bdi> 2</p>"


@pytest.mark.parametrize("sign", ["\u202e", "\u202b", "\u2067", "\u200f", "\u061c"])
def test_direction_controls_are_removed_from_names(sign: str) -> None:
    """A stat block and a file have the name without them."""
    assert CharacterDraft.from_stat_block(f"A{sign}b\n1 toughness").build_character().name == "Ab"
    table = {"id": "a", "name": f"A{sign}b", "side": f"x{sign}y", "abilities": {"toughness": 1}}
    (fighter,) = scenario_from_dict({"format": "scratch-scenario/1", "characters": [table]}).fighters
    assert (fighter.name, fighter.side) == ("Ab", "xy")


def test_command_line_isolates_right_to_left_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line isolates right-to-left names in a line of a played fight.

    The JSON output has the names as in the file.
    """
    file = tmp_path / "fight.json"
    file.write_text(json.dumps(FIGHT), encoding="utf-8")
    main(["play", str(file)])
    assert "\u2068דוד\u2069 2" in capsys.readouterr().out
    main(["play", str(file), "--json"])
    assert "\u2068" not in json.dumps(json.loads(capsys.readouterr().out), ensure_ascii=False)
