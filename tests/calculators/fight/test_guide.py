"""The explanations of a beginner's fight follow from its steps: each is shown in the first turn that needs it."""

import json
import re
from typing import Any

from build_scripts.paths import ROOT
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.fight.guide import Guide
from scratch_core.calculators.shared.query import parse_query
from scratch_core.calculators.shared.share_links import unpack_query
from scratch_core.dice import SystemRoller
from tests.support.fights import view_fight, view_next
from tests.support.known import require

HIT: dict[str, Any] = {"actor": "tolk", "do": "basic-attack", "target": "gorm", "faces": [14]}
SHOT: dict[str, Any] = {"actor": "wren", "do": "shoot", "target": "gorm", "faces": [3]}


def end(actor: str) -> dict[str, Any]:
    """The end of a turn."""
    return {"actor": actor, "do": "end-turn"}


def view_home_link() -> View:
    """The view of the first fight that the home page links to."""
    link = require(
        re.search(r"tools/fight\.md\?(packed=[^)]+)\)", (ROOT / "docs/index.md").read_text(encoding="utf-8"))
    )
    return view(unpack_query(parse_query(link[1], MAX_QUERY_LENGTH)), SystemRoller())


def view_after(*steps: dict[str, Any], guide: str = "on") -> View:
    """The view of the first fight after these steps."""
    tree = json.loads(view_home_link().fields["log"])
    return view_fight(SystemRoller(), log=json.dumps({**tree, "steps": steps}), guide=guide)


def guide_after(*steps: dict[str, Any]) -> Guide:
    """The explanations after these steps."""
    return require(view_after(*steps).guide)


def test_home_links_to_a_fight_that_explains_a_turn() -> None:
    """The home page's first fight explains a turn and its buttons."""
    seen = view_home_link()
    found, menu = require(seen.guide), require(require(seen.fight_view).current_menu)
    assert (found.is_on, found.title) == (True, "What a turn is")
    assert "On a turn you take one action" in found.notes[0]
    buttons = {group.do for group, _ in menu.main_rows} | {choice.do for choice in menu.offered_simple_choices}
    assert buttons == set(found.action_texts or {})
    assert "Gorm" in found.target_text
    assert "Wren is next" in found.foot_text


def test_start_here_has_the_same_first_fight() -> None:
    """*Start here* and the home page link to the same fight."""
    texts = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("index.md", "start-here.md")]
    assert len({require(re.search(r"fight\.md\?packed=([^)]+)\)", text))[1] for text in texts}) == 1


def test_button_is_explained_in_its_first_turn_alone() -> None:
    """A button is explained until the end of its first turn."""
    assert guide_after().explain("basic-attack")
    later = guide_after(HIT, end("tolk"))
    assert later.explain("shoot")
    assert not later.explain("evade")
    assert later.title == "Wren's first turn"
    opponent = guide_after(HIT, end("tolk"), SHOT, end("wren"))
    assert opponent.title == "An opponent's turn"
    assert not opponent.action_texts
    assert guide_after(HIT, end("tolk"), SHOT, end("wren"), end("gorm")).title == "A new round"


def test_first_roll_is_added_up_until_the_next_step() -> None:
    """The first roll is explained until the next step, and after undo."""
    found = guide_after(HIT)
    assert "The die shows 14 + 3 (fighting), which makes 17. That reaches the target's agility of 11." in found.notes[0]
    assert "One action" not in found.title
    assert "has used the action" in found.notes[1]
    after = view_after(HIT, end("tolk"))
    assert "The die" not in " ".join(require(after.guide).notes)
    undone = view_next(after, None, act="undo", guide="on")
    assert "The die" in require(undone.guide).notes[0]


def test_injury_and_lost_turn_are_explained_once() -> None:
    """The first injury and the first lost turn are explained."""
    hurt = guide_after({"do": "set-hp", "target": "tolk", "hp": 2})
    assert "Tolk is injured, with 2 hit points left" in hurt.notes[-1]
    assert "injured" not in " ".join(guide_after({"do": "set-hp", "target": "tolk", "hp": 2}, end("tolk")).notes)
    held = guide_after({"actor": "tolk", "do": "hold", "target": "gorm", "faces": [19]}, end("tolk"), SHOT, end("wren"))
    assert held.title == "A lost turn"


def test_hidden_explanations_stay_hidden_and_come_back() -> None:
    """*Hide explanations* lasts in the query, and *Show explanations* brings them back."""
    hidden = view_next(view_after(), None, act="guide off", guide="on")
    assert require(hidden.guide) == Guide(is_on=False)
    assert parse_query(hidden.query, MAX_QUERY_LENGTH).text("guide") == "off"
    shown = view_next(hidden, None, act="guide on", guide="off")
    assert require(shown.guide).title == "What a turn is"


def test_usual_fight_has_no_explanations() -> None:
    """A usual fight has none until they are switched on under *More*."""
    assert view_after(guide="").guide is None
    assert require(view_next(view_after(guide=""), None, act="guide on").guide).is_on


def test_fight_again_begins_the_same_fight_with_new_dice() -> None:
    """*Fight again* restarts the fight with its characters and explanations."""
    won = view_after({"do": "set-hp", "target": "gorm", "hp": 0})
    assert require(won.guide).is_end
    again = view_next(won, SystemRoller(), act="repeat", guide="on")
    tree = json.loads(again.fields["log"])
    assert tree["steps"] == []
    assert [each["id"] for each in tree["characters"]] == ["wren", "tolk", "gorm"]
    assert set(tree["initiative"]) == {"wren", "tolk", "gorm"}
    assert require(again.guide).title == "What a turn is"
