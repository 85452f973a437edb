"""What the site writes, it reads: links, files and texts with random names in many scripts."""

import json
from random import Random

import pytest

from scratch_core.calculators import character, fight, initiative
from scratch_core.calculators.initiative.participants import (
    build_group_index,
    format_participant_line,
    parse_participants,
)
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.names import format_initiative_faces, parse_typed_initiative_faces
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.characters import AbilityLevel, Character, clean_line, format_sheet, parse_sheet, quote_name_if_needed
from scratch_core.dice import SystemRoller
from scratch_core.normalization import name_key
from scratch_core.scenario import TURN_SYSTEMS
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from tests.regression.sample import generator, sample_size
from tests.support.known import require

pytestmark = pytest.mark.heavy

SCRIPTS = (
    "abcdefghijklmnopqrstuvwxyz",
    "äöüßéèëïñçøåœłžğ",
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "山田中村木林森石川上下大小",
)
SIGNS = "-_'’.,:;!?()[]{}*#>|/\\\"“”&+=~%@$^`<«»"
WHOLE = ("😀", "🐉", "🇺🇦", "Agent 47", "3 Kim", "- Kim", "Kim: tall", "[12:00] Kim", "side", "Toughness", "2 shooting")


def random_name(random: Random) -> str:
    """Return a random name.

    It is words of one script, sometimes with digits and signs, or sometimes a whole unusual name.
    """
    if random.random() < 0.15:
        return random.choice(WHOLE)
    letters = random.choice(SCRIPTS)
    words = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        word = "".join(random.choice(letters) for _ in range(random.randint(1, 8)))
        words.append(word.capitalize() if random.random() < 0.8 else word)
    if random.random() < 0.3:
        words.insert(random.choice((0, len(words))), str(random.randint(1, 120)))
    if random.random() < 0.4:
        place = random.randrange(len(words))
        signs = "".join(random.choice(SIGNS) for _ in range(random.randint(1, 3)))
        words[place] = random.choice((f"{signs}{words[place]}", f"{words[place]}{signs}", f"{signs} {words[place]}"))
    return clean_line(" ".join(words)) or "x"


def random_names(random: Random, count: int) -> list[str]:
    """Return so many names that are different for a reader."""
    names: dict[str, str] = {}
    while len(names) < count:
        name = random_name(random)
        if name_key(name):
            names.setdefault(name_key(name), name)
    return list(names.values())


@pytest.mark.parametrize("number", range(sample_size(60, full=2_000)))
def test_stat_blocks_give_characters_back(number: int) -> None:
    """Stat blocks in one text are parsed with their names, minions and notes."""
    random = generator(f"stat blocks {number}")
    leader, minion, other = random_names(random, 3)
    people = (
        Character(leader, (AbilityLevel("command", 2, "a flag"), AbilityLevel("toughness", 3)), "of the north"),
        Character(minion, (AbilityLevel("toughness", 1),), "", leader),
        Character(other, (AbilityLevel("shooting", 2), AbilityLevel("toughness", 1, "a coat"))),
    )
    sheet = parse_sheet(format_sheet(people))
    assert [draft.reading_problems() for draft in sheet.drafts] == [()] * 3
    assert tuple(draft.build_character() for draft in sheet.drafts) == people


@pytest.mark.parametrize("number", range(sample_size(30, full=1_000)))
def test_character_page_reads_its_text(number: int) -> None:
    """A character page reads its own text, levels and link.

    The character has a minion, and the levels are taken from the text.
    """
    random = generator(f"characters {number}")
    name, minion = random_names(random, 2)
    heads = [quote_name_if_needed(each) for each in (name, minion)]
    blocks = f"{heads[0]}\n2 command\n3 toughness\n\n{heads[1]}\nminion of {name}\n1 toughness"
    seen = character.view(parse_query(format_query({"sheet": blocks})), None)
    typed = character.view(
        parse_query(format_query({"sheet": require(seen.answer).sheet_text, "start": "levels"})), None
    )
    assert [each.main.character.name for each in (require(seen.answer), require(typed.answer))] == [name, name]
    assert [each.character.name for each in require(typed.answer).minions] == [minion]
    again = character.view(parse_query(typed.query), None)
    assert (again.answer, again.problems) == (typed.answer, typed.problems)


@pytest.mark.parametrize("number", range(sample_size(15, full=500)))
def test_new_fight_has_the_same_characters(number: int) -> None:
    """A new set-up after a fight on a map has the same characters.

    These are the names, sides, groups and places. The fight's file and link open.
    """
    random = generator(f"fights {number}")
    *names, us, them, group = random_names(random, 7)  # a group named like a character is that character's
    blocks = "\n\n".join(
        f"{quote_name_if_needed(name)}\nside: {us if place < 2 else them}\nat: {place},1\n2 toughness"
        + (f"\ngroup: {group}" if place > 1 else "")
        for place, name in enumerate(names)
    )
    query = format_query({"log": "begin", "sheets": blocks, "map": "..../..../....", "called": names[0]})
    seen = fight.view(parse_query(query), SystemRoller())
    assert (seen.phase, seen.problems) == ("fight", ())
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert again.problems == ()
    expected = [(name, us if place < 2 else them, (place, 1)) for place, name in enumerate(names)]
    assert [(each.name, each.side, each.at) for each in again.fighters] == expected
    assert len({each.group for each in again.fighters}) == 3
    packed = share_links.unpack_query(
        parse_query(format_query({share_links.PACKED_CONTROL: share_links.pack_fields({"log": seen.fields["log"]})}))
    )
    assert fight.view(packed, None).fields["log"] == seen.fields["log"]


@pytest.mark.parametrize("system", list(VARIANT_TURN_SYSTEMS))
@pytest.mark.parametrize("number", range(sample_size(10, full=300)))
def test_new_fight_by_another_turn_system_has_the_same_characters(system: str, number: int) -> None:
    """A new set-up after a fight has the same names, sides and first character."""
    random = generator(f"{system} {number}")
    names = random_names(random, 3)
    sides = random_names(random, 2)
    bring = {
        "sheets": "\n\n".join(
            f"{quote_name_if_needed(n)}\nside: {sides[p > 0]}\n1 toughness" for p, n in enumerate(names)
        )
    }
    setup = fight.view(parse_query(format_query({"system": system, "act": "copy-names", **bring})), None)
    assert [(each.name, each.side) for each in setup.fighters] == list(
        zip(names, (sides[0], *[sides[1]] * 2), strict=True)
    )
    first = {"mano": {"first": names[2]}, "mano-old": {"ambush": names[2]}}.get(system, {})
    seen = fight.view(parse_query(f"{setup.query}&{format_query({'log': 'begin', **first})}"), SystemRoller())
    assert (seen.phase, seen.problems) == ("fight", ())
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert [(each.name, each.side) for each in again.fighters] == [(each.name, each.side) for each in setup.fighters]
    assert {key: again.fields[key] for key in first} == first


@pytest.mark.parametrize("system", ["scratch", *VARIANT_TURN_SYSTEMS])
@pytest.mark.parametrize("number", range(sample_size(12, full=300)))
def test_initiative_link_gives_the_same_order(system: str, number: int) -> None:
    """The initiative tool reads back its link, its typed names and rolls.

    The links to the other turn systems open, too.
    """
    random = generator(f"initiative {system} {number}")
    names = random_names(random, 4)
    blocks = "\n\n".join(f"{quote_name_if_needed(name)}\n1 toughness" for name in names)
    entries = {"act": "add", "choosing": "who", "tick.0": format_query({"sheet": blocks.split("\n\n")[0]})}
    assert initiative.view(parse_query(format_query({"system": system, **entries})), None).rows[0].name == names[0]
    lines = [format_participant_line({"name": name, "abilities": {}}) for name in names]
    if system in ("scratch", "seize"):
        lines[2:] = [f"{line}: group x y" for line in lines[2:]]
    seen = initiative.view(parse_query(format_query({"system": system, "who": "\n".join(lines)})), SystemRoller())
    assert [each.name for each in seen.rows] == names
    again = initiative.view(parse_query(seen.query), None)
    assert (again.order, again.problems) == (seen.order, ())
    for _, link in seen.other_systems:
        assert [each.where for each in initiative.view(parse_query(link), None).problems] == []
    index = build_group_index(parse_participants("\n".join(lines), TURN_SYSTEMS[system]), TURN_SYSTEMS[system])
    faces = {who: [random.randint(1, 20) for _ in range(random.randint(1, 2))] for who in index.names_by_id}
    assert parse_typed_initiative_faces(format_initiative_faces(faces, index), index) == (faces, ())


@pytest.mark.parametrize("number", range(sample_size(20, full=500)))
def test_scenario_names_come_back(number: int) -> None:
    """A file with any names plays, and a new fight has them.

    The file has ids of its own, and its characters keep their places.
    """
    random = generator(f"scenarios {number}")
    names = random_names(random, 3)
    tree = {
        "format": "scratch-scenario/1",
        "characters": [
            {"id": f"c{place}", "name": name, "abilities": {"toughness": 2}, "at": [place, 0]}
            for place, name in enumerate(names)
        ],
        "board": {"shape": "square", "rows": ["....", "...."]},
    }
    seen = fight.view(parse_query(format_query({"log": json.dumps(tree)})), SystemRoller())
    again = fight.view(parse_query(f"{seen.query}&act=setup"), None)
    assert again.problems == ()
    assert [(each.name, each.at) for each in again.fighters] == [(name, (place, 0)) for place, name in enumerate(names)]
