"""Names as users type them: the character that they mean, and its rolls, in every tool and turn system."""

import json

import pytest

from scratch_core.calculators import board, fight, initiative
from scratch_core.calculators.characters_text import assign_ids_and_unique_names
from scratch_core.calculators.shared.names import (
    NameIndex,
    format_initiative_faces,
    format_rolls_example,
    parse_typed_initiative_faces,
    slugify,
)
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from tests.support.known import require

HUNTERS = [("hunters", "Chokestar", "chokestar"), ("x", "X-19", "x-19")]


def index_of(*names: str) -> NameIndex:
    """Return the index of characters who each roll for themselves."""
    return NameIndex.build_with_group_names(
        (own_id, name, own_id) for own_id, name in assign_ids_and_unique_names(names, "character")
    )


def rolls_of(names: tuple[str, ...], text: str) -> dict[str, list[int]]:
    """Return the faces parsed from a text, by name.

    The text has no problem.
    """
    index = index_of(*names)
    found, problems = parse_typed_initiative_faces(text, index)
    assert problems == ()
    return {index.names_by_id[who]: faces for who, faces in found.items()}


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (("Kim", "Goblin", "Goblin"), "kim 9, goblin 2 13", {"Kim": [9], "Goblin 2": [13]}),
        (("Kim", "Kim"), "Kim 2 13", {"Kim 2": [13]}),
        (("Kim", "Kim"), "Kim 1 15, Kim 2 13", {"Kim": [15], "Kim 2": [13]}),
        (("Kim", "Kim"), "Kim 2, Kim 2 13", {"Kim": [2], "Kim 2": [13]}),
        (("Kim", "Kim"), "Kim: 2 13; Kim 2: 2 5", {"Kim": [2, 13], "Kim 2": [2, 5]}),
        (("Kim", "Kim"), "kim 2 13, kim-2 2 5", {"Kim": [2, 13], "Kim 2": [2, 5]}),
        (("Agent 47",), "Agent 47 15", {"Agent 47": [15]}),
        (("Олена", "Петро", "Kim"), "Петро 18", {"Петро": [18]}),
        (("Олена", "Петро"), "Олена 5, ПЕТРО 18", {"Олена": [5], "Петро": [18]}),
        (("Jörgen", "Jürgen"), "jürgen 3", {"Jürgen": [3]}),
        (("Zoë", "Zoé"), "Zoe\u0301 3", {"Zoé": [3]}),
        (("山田", "田中"), "田中　３", {"田中": [3]}),
        (("😀", "😃"), "😃 4", {"😃": [4]}),
        (("Smith, John", "John"), "Smith, John 5, John 3", {"Smith, John": [5], "John": [3]}),
        (("Brannoch Vael", "Isolde Rey"), "brannoch 14\nIsolde = 7", {"Brannoch Vael": [14], "Isolde Rey": [7]}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rolls_by_name_are_assigned_to_the_character(
    names: tuple[str, ...], text: str, expected: dict[str, list[int]]
) -> None:
    """Names are compared by their letters, and the longest known one wins (`turn.initiative-roll`, `turn.tie`)."""
    assert rolls_of(names, text) == expected


@pytest.mark.parametrize(
    ("names", "text", "code", "words"),
    [
        (("Kim", "Kim"), "Kim 2", "names.no-roll", "“Kim: 2”, or “Kim 2: 13”"),
        (("Kim", "Bo"), "Kim, Bo 3", "names.no-roll", "“Kim: 13”"),
        (("Kim Vael", "Kim Dun"), "kim 14", "names.ambiguous", "“Kim Vael” and “Kim Dun”"),
        (("Kim", "Bo"), "kim 3, KIM 4", "names.twice", "one entry for each"),
        (("Ash", "Elm"), "birch 3", "names.unknown", "“Ash 13”"),
        ((), "birch 3", "names.none-yet", "Add a character"),
    ],
    ids=["number", "no roll", "first name", "twice", "stranger", "no one"],
)
def test_ambiguous_rolls_are_reported(names: tuple[str, ...], text: str, code: str, words: str) -> None:
    """An ambiguous or unknown entry gives no one a roll and says what to write."""
    found, problems = parse_typed_initiative_faces(text, index_of(*names))
    assert ([each.code for each in problems], words in problems[0].expected) == ([code], True)
    assert set(found) <= {"kim", "bo"}


@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        ("hunters", "names.no-roll", "turn.group"),
        ("hunters 3, chokestar 4", "names.twice", "turn.group"),
        ("hunters 21", "initiative.roll", "roll.die-substitute"),
        ("x-19 0", "initiative.roll", "roll.die-substitute"),
        (f"x-19 {'7 ' * 101}", "initiative.roll", "roll.die-substitute"),
        ("x 1," * 201, "initiative.too-many", None),
    ],
    ids=["no face", "twice", "beyond 20", "below 1", "too long", "too many"],
)
def test_wrong_rolls_of_groups_are_problems(text: str, code: str, rule: str | None) -> None:
    """An invalid entry is a problem with its rule, and its group has no face."""
    found, wrong = parse_typed_initiative_faces(text, NameIndex.build_with_group_names(HUNTERS))
    assert (wrong[0].code, wrong[0].rule, wrong[0].where) == (code, rule, "initiative")
    assert found in ({}, {"hunters": [3]})


@pytest.mark.parametrize(
    "names",
    [("Kim", "Kim"), ("Kim 1", "Kim", "Kim 2"), ("Олена", "Петро"), ("Smith, John", "a; b", "Agent 47")],
    ids=str,
)
def test_formatted_rolls_parse_to_the_same_faces(names: tuple[str, ...]) -> None:
    """Faces, those of ties too, come back from the text that they are written as."""
    index = index_of(*names)
    faces = {who: [place, 20 - place] for place, who in enumerate(index.names_by_id, 1)}
    assert parse_typed_initiative_faces(format_initiative_faces(faces, index), index) == (faces, ())


@pytest.mark.parametrize("system", ["scratch", *VARIANT_TURN_SYSTEMS])
def test_initiative_tool_gives_own_rolls_by_name(system: str) -> None:
    """Similar names and names without a Latin letter have their own rolls.

    This holds for two goblins in each turn system, and the link reopens the answer.
    """
    who = "Goblin: 2\nGoblin: 2\nОлена: 2\nПетро: 2" if system == "seize" else "Goblin\nGoblin\nОлена\nПетро"
    first = {"first": "Goblin, Goblin 2, Олена, Петро"} if system == "mano" else {}
    rolls = "goblin 3, goblin 2 13, олена 5, Петро 18"
    seen = initiative.view(parse_query(format_query({"system": system, "who": who, "faces": rolls, **first})), None)
    assert require(seen.order).rows[0].name == "Петро", seen.problems
    again = initiative.view(parse_query(seen.query), None)
    assert (again.order, again.problems) == (seen.order, ())


def test_initiative_link_with_groups_in_cyrillic_opens() -> None:
    """Groups whose ids have no Latin letter have their own rolls in a link."""
    query = format_query({"who": "x: group Орки\ny: group Эльфы", "faces": "орки 4, Эльфы 9"})
    seen = initiative.view(parse_query(query), None)
    assert [row.name for row in require(seen.order).rows] == ["y", "x"]
    assert initiative.view(parse_query(seen.query), None).order == seen.order


def test_fight_gives_own_rolls_to_the_name_typed() -> None:
    """Only the character of a typed name gets its faces.

    One is a goblin with a number, another has a name in Cyrillic.
    """
    sheets = "\n\n".join(f"{name}\n1 toughness" for name in ("Kim", "Goblin", "Goblin", "Петро"))
    rolls = "kim 9, goblin 2 13, Goblin 4, петро 18"
    seen = fight.view(parse_query(format_query({"log": "begin", "sheets": sheets, "initiative": rolls})), None)
    assert json.loads(seen.fields["log"])["initiative"] == {
        "character-4": [18],
        "goblin-2": [13],
        "kim": [9],
        "goblin": [4],
    }


def test_mano_lets_the_named_character_begin() -> None:
    """`first=Петро` is Петро, and not the first name that has no Latin letter either."""
    query = format_query(
        {"system": "mano", "fighters": "Олена: side x\nПетро: side y", "first": "Петро", "log": "begin"}
    )
    seen = fight.view(parse_query(query), None)
    assert json.loads(seen.fields["log"])["first"] == "seat-2"
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert again.fields["first"] == "Петро"


def test_opening_has_names_and_no_ids() -> None:
    """The opening has the names of characters and groups, and no ids.

    This holds for the copied log too.
    """
    sheets = "\n\n".join(f"{name}\n1 toughness" for name in ("Sir Galahad the Pure", "Goblin", "Goblin"))
    typed = {"log": "begin", "sheets": sheets, "initiative": "sir galahad 2, goblin 5, goblin 2: 4"}
    seen = fight.view(parse_query(format_query(typed)), None)
    assert "Sir Galahad the Pure 2" in seen.summary
    assert "galahad" not in seen.summary
    opening = "The encounter begins: Goblin 5, Goblin 2 4, Sir Galahad the Pure 2."
    assert require(seen.fight_view).fight.opening_narration == opening


def test_group_led_by_a_character_is_called_by_its_name() -> None:
    """A leader's minions share its roll, and the group has the leader's name (`turn.group`)."""
    sheets = "Der Kapitän\n2 command\n2 toughness\n\nRatte\nminion of Der Kapitän\n1 toughness\n\nBo\n1 toughness"
    typed = {"log": "begin", "sheets": sheets, "initiative": "Der Kapitän 9, bo 3"}
    seen = fight.view(parse_query(format_query(typed)), None)
    assert require(seen.fight_view).fight.opening_narration == "The encounter begins: Der Kapitän 9, Bo 3."


def test_tokens_of_any_name_and_side_stay_in_place() -> None:
    """In a new fight with the same characters all tokens are in their old spaces.

    Rule `grid.space`: this holds for any name or side.
    """
    names = ("Jörgen", "Jürgen", "山田", "x" * 41)
    sides = ("Jäger", "наші", "山", "z")
    pairs = list(zip(names, sides, strict=True))
    sheets = "\n\n".join(f"{name}\nside: {side}\nat: {n},1\n1 toughness" for n, (name, side) in enumerate(pairs))
    rolls = ", ".join(f"{name}: {n}" for n, name in enumerate(names, 1))
    typed = {"log": "begin", "sheets": sheets, "initiative": rolls, "map": "...../...../....."}
    seen = fight.view(parse_query(format_query(typed)), None)
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert again.problems == ()
    assert [(each.name, each.side, each.at) for each in again.fighters] == [
        (name, side, (n, 1)) for n, (name, side) in enumerate(pairs)
    ]


def test_side_in_any_script_has_tokens_of_its_own() -> None:
    """A side without a Latin letter has tokens of its own, called by it."""
    seen = board.view(parse_query(format_query({"map": "...", "stroke": "put-наші: 0,0; put-Jäger: 1,0"})), None)
    assert seen.problems == ()
    assert seen.fields["tokens"] == "token-1@0,0,наші j-ger-1@1,0,Jäger"


@pytest.mark.parametrize("name", ["Юрко", "Петро"])
def test_joining_character_gets_an_id_of_its_own(name: str) -> None:
    """A newcomer with an existing name joins with its own id.

    This also holds for a name without a Latin letter.
    """
    typed = {"log": "begin", "sheets": "Олена\n1 toughness\n\nПетро\n1 toughness", "initiative": "Олена 5, Петро 8"}
    begun = fight.view(parse_query(format_query(typed)), None)
    join = {"act": "gm-join", "gm_new": "own", "gm_sheet": f"{name}\n2 toughness", "faces": "4"}
    seen = fight.view(parse_query(f"{begun.query}&{format_query(join)}"), None)
    assert seen.problems == ()
    names = [each.fighter.name for each in require(seen.fight_view).rows]
    assert sorted(names) == sorted({"Олена", "Петро", name if name == "Юрко" else "Петро 2"})


@pytest.mark.parametrize(
    "name", ["Kim (the tall)", "3 Kim", "- Kim", "*Kim*", "Kim: tall", "[12:00] Kim", '"Kim"', "side", "2 shooting"]
)
def test_new_fight_keeps_names_that_look_like_something_else(name: str) -> None:
    """A file's names come back in a new fight with the same characters (`char.stat-line`)."""
    tree = {
        "format": "scratch-scenario/1",
        "characters": [
            {"id": own_id, "name": n, "abilities": {"toughness": 2}} for own_id, n in (("a", name), ("b", "Bo"))
        ],
        "initiative": {"a": [3], "b": [9]},
    }
    seen = fight.view(parse_query(format_query({"log": json.dumps(tree)})), None)
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert ([each.name for each in again.fighters], again.problems) == ([name, "Bo"], ())
    lines = fight.view(
        parse_query(format_query({"system": "seize", "act": "copy-names", "sheets": again.fields["sheets"]})), None
    )
    assert ([each.name for each in lines.fighters], lines.problems) == ([name, "Bo"], ())
    more = {"act": "add", "choosing": "us", "add_name": name, "add_side": "us", "add_count": "2"}
    several = fight.view(parse_query(format_query({"sheets": again.fields["sheets"], **more})), None)
    assert [each.name for each in several.fighters] == [name, "Bo", f"{name} 2", f"{name} 3"]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Chokestar", "chokestar"),
        ("  X-19 the 2nd! ", "x-19-the-2nd"),
        ("Ö & Ü", ""),
        ("a" * 100, "a" * 60),
    ],
    ids=["capital", "signs between", "nothing left", "long"],
)
def test_slugify_makes_an_id_of_a_name(name: str, made: str) -> None:
    """An id has small letters, digits and hyphens between them, 60 at most."""
    assert slugify(name) == made


@pytest.mark.parametrize(
    ("names", "example"),
    [
        (("Sharpshooter of the Guard", "Mira Vale"), "Sharpshooter 12, Mira 17"),
        (
            ("Sharpshooter of the Guard", "Sharpshooter of the Sea"),
            "Sharpshooter of the Guard 12, Sharpshooter of the Sea 17",
        ),
        (("The Boss", "The Thug"), "The Boss 12, The Thug 17"),
        (("Guard 1", "Guard 2"), "Guard 1: 12, Guard 2: 17"),
        (("Петро Ус",), "Петро 12"),
        ((), "Ann 12, Bo 17"),
    ],
)
def test_example_of_rolls_has_shortest_clear_names(names: tuple[str, ...], example: str) -> None:
    """The example has first names, or whole ones if a first name is ambiguous."""
    pairs = [(each, each) for each in names]
    index = NameIndex.build((each, each, each) for each in names)
    assert format_rolls_example(pairs, index, "Ann 12, Bo 17") == example
    faces, problems = parse_typed_initiative_faces(example, index)
    assert not names or (list(faces) == list(names) and not problems)


def test_example_of_rolls_names_two_groups() -> None:
    """Two characters of one group would be two rolls for it."""
    members = (("them", "Bandit", "bandit"), ("them", "Guard", "guard"), ("bo", "Bo", "bo"))
    index = NameIndex.build_with_group_names(members)
    assert format_rolls_example([each[:2] for each in members], index, "") == "Bandit 12, Bo 17"
