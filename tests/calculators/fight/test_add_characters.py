"""Characters added to a fight's set-up by a few taps: from the cast, as several copies, or by a name and levels."""

import json

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.add_characters import QUICK_ADD_CONTROLS, SAMPLE_FIGHTS
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import CAST, KINDS, format_sheet_with_minions, get_member
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from tests.fuzz import calculators
from tests.support.fights import view_fight
from tests.support.known import require


def press_add(*who: str, **fields: str) -> View:
    """Return the set-up after these characters were ticked and Add was pressed.

    `who` are ids of the cast, and queries of saved characters.
    """
    ticks = {f"tick.{number if '=' in each else each}": each for number, each in enumerate(who)}
    return view_fight(act="add", **ticks, **fields)


def sides(seen: View) -> dict[str, list[str]]:
    """The columns of a set-up: names by side."""
    return {side.name: [each.name for each in side.fighters] for side in seen.sides}


@pytest.mark.parametrize("who", [each.id for each in CAST])
def test_cast_member_is_added_to_the_typed_side(who: str) -> None:
    """One tap adds a member of the cast to the typed side.

    The text box is updated.
    """
    seen = press_add(who, add_side="red")
    assert seen.fighters
    assert {each.side for each in seen.fighters} == {"red"}
    assert "sheets" in seen.updated_fields
    assert {problem.severity for problem in seen.problems} <= {"advice"}


def test_second_copy_of_a_leader_brings_its_own_minions() -> None:
    """Each captain has two sailors in its group. Removing one captain removes its sailors only.

    Rule `command.minions`.
    """
    once = press_add("captain", add_side="us")
    twice = press_add("captain", add_side="us", sheets=once.fields["sheets"])
    assert [(each.name, each.group) for each in twice.fighters] == [
        *(("Captain", "captain"), ("Sailor", "captain"), ("Sailor 2", "captain")),
        *(("Captain 2", "captain-2"), ("Sailor 3", "captain-2"), ("Sailor 4", "captain-2")),
    ]
    assert twice.added_message.startswith("Captain added: 6 in the fight. Captain brings Sailor 3 and Sailor 4 along.")
    rest = view_fight(act="remove captain", sheets=twice.fields["sheets"])
    assert [each.group for each in rest.fighters] == ["captain-2"] * 3


def test_minion_added_alone_is_numbered_on_and_renames_no_one() -> None:
    """A third sailor is Sailor 3.

    A link may have two of the same name, of which the page calls one Sailor 2.
    """
    with_captain = press_add("captain", add_side="us").fields["sheets"]
    of_link = format_sheet_with_minions(get_member("captain"))
    for sheets in (with_captain, of_link):
        added = press_add("sailor", add_side="us", sheets=sheets)
        assert [each.name for each in added.fighters] == ["Captain", "Sailor", "Sailor 2", "Sailor 3"]


def test_many_minions_are_counted_instead_of_named() -> None:
    """Three captains bring six sailors, which the list shows with a × each."""
    seen = press_add("captain", add_side="us", add_count="3")
    assert "Captain × 3 bring 6 minions along. Select × to remove one." in seen.added_message
    assert [each.name for each in seen.fighters if each.is_minion][-1] == "Sailor 6"


def test_further_copies_continue_the_numbering() -> None:
    """Two more guards after three are Guard 4 and Guard 5.

    The characters that act together have one group.
    """
    three = press_add("guard", add_count="3", add_together="true")
    assert [each.name for each in three.fighters] == ["Guard 1", "Guard 2", "Guard 3"]
    assert {each.group for each in three.fighters} == {"Guard"}
    five = press_add("guard", add_count="2", sheets=three.fields["sheets"])
    assert [each.name for each in five.fighters][3:] == ["Guard 4", "Guard 5"]


@pytest.mark.parametrize(
    ("fields", "control"),
    [
        ({"tick.nobody-like-that": "nobody-like-that"}, "add_name"),
        ({}, "add_name"),
        ({"add_name": "x" * 101}, "add_name"),
        ({"tick.guard": "guard", "add_count": "0"}, "add_count"),
        ({"tick.guard": "guard", "add_count": "many"}, "add_count"),
        ({"add_name": "Mara", "add_toughness": "-1"}, "add_toughness"),
    ],
    ids=["unknown", "no-name", "too-long", "none", "no-number", "below-nothing"],
)
def test_invalid_addition_changes_nothing_and_is_reported(fields: dict[str, str], control: str) -> None:
    """The sheets are unchanged, the chooser stays open, and the problem is at its control."""
    before = "Rook\n2 toughness"
    fields = {"act": "add", "choosing": "us", "sheets": before, **fields}
    seen = view_fight(**fields)
    assert seen.fields["sheets"] == before
    assert control in {problem.where for problem in seen.problems}
    html = BeautifulSoup(render_calculator_response("fight", format_query(fields)).html, "html.parser")
    assert len(html.select(f".chooser [data-problem][data-field={control}]")) == 1


MEANT = [
    pytest.param("Ann\n2 shoting", "“shoting” on line 2 isn't known here. Did you mean shooting?", id="an ability"),
    pytest.param("Ann\n2 toughness\nsid: red", "Did you mean side: red?", id="a word below a name"),
    pytest.param(
        "Ann\n2 swagger", "No ability is called “swagger” on line 2. Write one of the abilities", id="nothing like it"
    ),
]


@pytest.mark.parametrize(("sheets", "said"), MEANT)
def test_misspelt_word_in_sheets_gets_a_suggestion(sheets: str, said: str) -> None:
    """A misspelling is reported with the likely word and its line."""
    html = BeautifulSoup(render_calculator_response("fight", format_query({"sheets": sheets})).html, "html.parser")
    assert any(said in each.get_text() for each in html.select("[data-field=sheets]"))


RIA = format_query({"name": "Ria", "toughness": "3", "command": "2", "minions": "2 toughness"})
BO = format_query({"name": "Bo", "toughness": "2"})
RAT = "Rat\nside: them\n1 toughness"


def test_all_ticked_characters_are_added_by_one_press() -> None:
    """One press adds all ticked characters to one side.

    They are two saved characters, the minions of one of them, and a member of the cast.
    """
    seen = press_add(RIA, BO, "bear", add_side="us", sheets=RAT)
    ria, minion, *others = sides(seen)["us"]
    assert (ria, others, sides(seen)["them"]) == ("Ria", ["Bo", "Bear"], ["Rat"])
    assert minion not in ("Bo", "Bear")
    told = "Ria, Bo and Bear added: 5 in the fight. "
    assert seen.added_message == f"{told}Ria brings {minion} along. Select × to remove one."


def test_number_and_shared_turns_apply_to_saved_characters() -> None:
    """Number and shared turns apply to saved characters too.

    Three copies are numbered and share their turns. An invalid number adds no one and is reported.
    """
    three = press_add(RIA, add_count="3", add_together="true", add_side="heroes", sheets=RAT)
    leaders, minions = three.fighters[1::2], three.fighters[2::2]
    assert [each.name for each in leaders] == ["Ria 1", "Ria 2", "Ria 3"]
    assert {(each.side, each.group) for each in (*leaders, *minions)} == {("heroes", "Ria")}
    assert [each.is_minion for each in minions] == [True, True, True]
    added, minions_added = "Ria × 3 added: 7 in the fight.", "Ria × 3 bring Minion 1, Minion 2 and Minion 3 along."
    assert three.added_message == f"{added} {minions_added} Select × to remove one."
    with_minions = press_add(RIA, add_together="true", sheets=RAT)
    assert {each.group for each in with_minions.fighters[1:]} == {"Ria"}
    again = press_add(RIA, sheets=press_add(RIA).fields["sheets"])
    assert [each.name for each in again.fighters] == ["Ria", "Minion 1", "Ria 2", "Minion 2"]
    wrong = press_add(RIA, add_count="0", sheets=RAT)
    assert wrong.fields["sheets"] == RAT
    assert not wrong.added_message
    assert [problem.where for problem in wrong.problems if problem.severity == "error"] == ["add_count"]


KEPT = json.dumps(
    [{"name": "Ria", "query": RIA, "summary": "Ria: agility 10, hit points 3."}, {"name": "Bo", "query": BO}]
)


@pytest.mark.parametrize(("play", "hit_points"), [("hp 1", 1), ("", 3), ("hp 4", 3)])
def test_new_fight_has_the_hit_points_of_the_saved_sheets(play: str, hit_points: int) -> None:
    """A character that is not saved has those of the last fight's beginning. Rule: `hp.start`."""
    sheets = "Bo\nside: us\nhp: 2\n3 toughness\n\nRat\nside: them\nhp: 1\n3 toughness"
    begun = view_fight(sheets=sheets, act="begin", initiative="bo 9, them 3")
    saved = {"name": "Bo", "query": format_query({"name": "Bo", "toughness": "5", "at": "play", "play": play})}
    again = view_fight(**{**begun.fields, "act": "setup", "kept": json.dumps([saved])})
    assert [(each.name, each.hp) for each in again.fighters] == [("Bo", hit_points), ("Rat", 1)]
    assert [each.hp for each in view_fight(**{**begun.fields, "act": "setup"}).fighters] == [2, 1]
    renamed = {"name": "Bo II", "query": saved["query"].replace("Bo", "Bo II"), "formerNames": ["Bo", 3, "Rat"]}
    other = {"name": "Rat", "query": "name=Rat&toughness=3&at=play&play=hp+2"}
    again = view_fight(**{**begun.fields, "act": "setup", "kept": json.dumps([renamed, other])})
    assert [(each.name, each.hp) for each in again.fighters] == [("Bo", hit_points), ("Rat", 2)]
    again = view_fight(**{**begun.fields, "act": "setup", "kept": json.dumps([renamed])})
    assert [(each.name, each.hp) for each in again.fighters] == [("Bo", hit_points), ("Rat", 1)], "one of the cast"


def test_chooser_lists_saved_characters_first_until_closed() -> None:
    """The chooser lists saved characters before suggested ones.

    Selection and saved list stay until it is closed.
    """
    seen = view_fight(act="choose us", kept=KEPT)
    (first, yours), (second, _), *_ = require(seen.chooser).groups
    assert (first, [(each.name, each.description) for each in yours]) == (
        "Yours",
        [("Ria", "agility 10, hit points 3."), ("Bo", "")],
    )
    assert second == KINDS["archetype"]
    later = view_fight(choosing="them", kept=KEPT, find="guard", **{"tick.1": BO})
    assert [(heading, [each.name for each in people]) for heading, people in require(later.chooser).groups] == [
        ("Yours", ["Bo"]),
        (KINDS["opponent"], ["Guard", "Guard dog"]),
    ]
    assert require(later.chooser).saved_entries_text == KEPT
    closed = view_fight(act="choose", choosing="them", kept=KEPT)
    assert closed.chooser is None
    assert "kept" not in closed.query


@pytest.mark.parametrize("log", ["", '{"format": "scratch-scenario/1", "steps": 3}'], ids=["empty", "unreadable"])
def test_chooser_adds_to_its_side_with_any_log(log: str) -> None:
    """The chooser fills the control of the side, even with an unreadable log."""
    seen = view_fight(act="choose us", log=log, add_side="them", add_name="Zed")
    assert require(seen.chooser).target == "us"
    assert (seen.fields["add_side"], seen.fields["add_name"], seen.fields["log"]) == ("us", "Zed", log)


def test_chooser_continues_with_the_empty_side() -> None:
    """After the first of two sides the chooser continues with the other one.

    It starts there without a selection. Then it closes.
    """
    seen = press_add("guard", choosing="us", add_side="us", find="guard")
    assert (require(seen.chooser).target, seen.fields["add_side"], seen.fields["find"]) == ("them", "them", "")
    assert not require(seen.chooser).ticked_controls
    both = press_add("rat", choosing="them", add_side="them", sheets=seen.fields["sheets"])
    assert both.chooser is None
    assert sides(both) == {"us": ["Guard"], "them": ["Rat"]}


FOUR = """side: us

Ann
1 command
2 toughness

Bo
minion of Ann
1 toughness

side: them

Cy
side: dogs
1 toughness

Dee
1 toughness"""


@pytest.mark.parametrize(
    ("who", "rest"),
    [
        ("ann", {"them": ["Dee"], "dogs": ["Cy"]}),
        ("bo", {"us": ["Ann"], "dogs": ["Cy"], "them": ["Dee"]}),
        ("cy", {"us": ["Ann", "Bo"], "them": ["Dee"]}),
        ("dee", {"us": ["Ann", "Bo"], "dogs": ["Cy"]}),
        ("eve", {"us": ["Ann", "Bo"], "dogs": ["Cy"], "them": ["Dee"]}),
    ],
)
def test_removing_a_leader_removes_only_its_minions(who: str, rest: dict[str, list[str]]) -> None:
    """Removing a leader removes its minions, and the headings apply to the other characters."""
    seen = view_fight(sheets=FOUR, act=f"remove {who}")
    assert sides(seen) == rest
    assert not [each for each in seen.problems if each.severity == "error"]


def test_setup_always_lists_two_sides() -> None:
    """A set-up lists two sides even if one or both are empty.

    They are "us" and "them", or any named sides. Characters without a side have a column of their own.
    """
    assert sides(view_fight()) == {"us": [], "them": []}
    assert sides(view_fight(sheets="Ann\nside: them\n1 toughness")) == {"us": [], "them": ["Ann"]}
    assert sides(view_fight(sheets="Ann\nside: red\n1 toughness")) == {"red": ["Ann"], "us": []}
    assert sides(view_fight(sheets="Ann\n1 toughness\n\nBo\n1 toughness")) == {"us": [], "them": [], "": ["Ann", "Bo"]}
    many = "\n\n".join(f"A{side}\nside: {side}\n1 toughness" for side in "abcde")
    assert [side.colour for side in view_fight(sheets=many).sides] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", SAMPLE_FIGHTS)
def test_sample_fight_has_the_characters_of_its_label(name: str) -> None:
    """The characters equal those of the button's label, and the fight can begin."""
    seen = view_fight(act=f"load {name}")
    assert SAMPLE_FIGHTS[name][1] == " against ".join(" and ".join(names) for names in sides(seen).values())
    assert seen.problems == ()


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_chooser_works_in_another_turn_system(system: str) -> None:
    """In another turn system, ticked characters become lines with what it requires.

    One can be removed again, and one press loads an example.
    """
    seen = press_add("guard", BO, add_count="2", add_side="us", system=system)
    assert sides(seen) == {"us": ["Guard 1", "Guard 2", "Bo 1", "Bo 2"], "them": []}
    assert {each.severity for each in seen.problems} <= {"advice"}
    less = view_fight(act="remove guard-2", fighters=seen.fields["fighters"], system=system)
    assert sides(less)["us"] == ["Guard 1", "Bo 1", "Bo 2"]
    assert "Guard 2" not in less.fields["fighters"]
    assert len(view_fight(act="load sample", system=system).fighters) > 1


TRUE_WHILE_EMPTY = {"0", "4", "10", "d20", "difficulty", "level", "rolled for you", "another condition"}
"""The allowed placeholders: the default of an empty control, or what it accepts."""


@pytest.mark.parametrize(
    ("name", "query"),
    [(name, "") for name in calculators()]
    + [("fight", f"system={system}") for system in VARIANT_TURN_SYSTEMS]
    + [("fight", "map=..."), ("character", "start=empty"), ("character", "sheet=x"), ("odds", "first_sheet=x")],
)
def test_placeholders_contain_no_example(name: str, query: str) -> None:
    """Placeholders contain no example, because an empty control would look filled in."""
    soup = BeautifulSoup(render_calculator_response(name, query).html, "html.parser")
    found = {str(each["placeholder"]) for each in soup.select("[placeholder]") if each.get("name") != "name"}
    assert found <= TRUE_WHILE_EMPTY


def test_chooser_for_the_other_side_says_who_was_added() -> None:
    """A line in the chooser for the other side says who was added.

    The chooser opens there at once, and the line stays until the next press.
    """
    query = format_query({"act": "add", "tick.rat": "rat", "add_side": "us", "choosing": "us"})

    def find_added_text(query: str) -> str:
        return require(
            BeautifulSoup(render_calculator_response("fight", query).html, "html.parser").select_one(".chooser__added")
        ).text

    assert find_added_text(query) == "Rat added: 1 in the fight."
    assert find_added_text(query.replace("act=add", "act=choose+them")) == ""


def test_quick_character_survives_close() -> None:
    """A quick character that the user has begun is there again in the next list."""
    typed = {"add_name": "Zed", "add_fighting": "2", "add_side": "us", "choosing": "us"}
    closed = view_fight(act="choose", **typed)
    assert closed.chooser is None
    reopened = view_fight(act="choose them", **{name: closed.fields[name] for name in QUICK_ADD_CONTROLS})
    assert (reopened.fields["add_name"], reopened.fields["add_fighting"]) == ("Zed", "2")
    assert reopened.fields["add_side"] == "them"
    added = view_fight(act="add", **{name: text for name, text in reopened.fields.items() if name != "log"})
    assert [each.name for each in added.fighters] == ["Zed"]
    assert added.fields["add_name"] == ""
    assert (
        'name="add_name" value="Zed"'
        in render_calculator_response("fight", format_query({"act": "choose", **typed})).html
    )
