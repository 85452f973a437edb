"""People as they are pasted: whatever stands around names and levels, they are read, or the line is told."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scratch_core.abilities import NAMES
from scratch_core.calculators import odds
from scratch_core.calculators.people.blocks import read_setup
from scratch_core.calculators.people.lines import read_lines
from scratch_core.calculators.query import parse_query
from scratch_core.characters import Draft, read_minions, read_sheet
from scratch_core.rounds import SEIZE

READ = [
    pytest.param(
        "Kim\nquickness: 1\nTOUGHNESS  5\u00a0(hide armor)\nStealth +2",
        "Kim: quickness 1, toughness 5, stealth 2",
        [
            "5 toughness: hide armor, got 'TOUGHNESS 5 (hide armor)', taken as that in line 3",
            "2 stealth, got 'Stealth +2', taken as that in line 4",
        ],
        id="a colon, brackets and a plus",
    ),
    pytest.param(
        "Sybil\nSHOOTING: 2; stealth 3 / quickness x2, toughness lvl 3 1 flying Lv. 2 healing",
        "Sybil: shooting 2, stealth 3, quickness 2, toughness 3, flying 1, healing 2",
        [],
        id="several on a line",
    ),
    pytest.param(
        "**Mirel**\n**Fighting:** 4\n*Shooting* 2\n• stealth – 2\n> toughness — 4\n- 2 flying\n🛡️ command: 1",
        "Mirel: fighting 4, shooting 2, stealth 2, toughness 4, flying 2, command 1",
        [],
        id="bullets, bold type, dashes",
    ),
    pytest.param(
        "[12:03] Anna: Kim: shooting 2, toughness 4\n[12:04] Bea: fighting 3, toughness 3\n[12:05] Bea: stealth 1",
        "Kim: shooting 2, toughness 4 | Bea: fighting 3, toughness 3, stealth 1",
        [],
        id="a chat with names and without",
    ),
    pytest.param(
        "28/11/2026, 19:02 - Mel: Iris\n28/11/2026, 19:03 - Mel: healing 4\n28/11/2026, 19:03 - Mel: Bo\nfighting 2",
        "Iris: healing 4 | Bo: fighting 2",
        [],
        id="a message for each line",
    ),
    pytest.param(
        "Jonas — Today at 7:14 PM\nVex - 3 blasting | 4 toughness\n\nMel  7:15 PM\n3 fighting",
        "Vex: blasting 3, toughness 4 | Mel: fighting 3",
        [],
        id="a chat with the sender above",
    ),
    pytest.param(
        "Goblin 2\n2 toughness\nGuard 3: shooting 2\nRat x2: toughness 1",
        "Goblin 2: toughness 2 | Guard 3: shooting 2 | Rat x2: toughness 1",
        ["the name of one, got 'Rat x2', kept as it is in line 4"],
        id="names with numbers",
    ),
    pytest.param(
        "1. Ann - toughness 3, shooting 2\n2. Cy has stealth 4 and flying 1\n3. Di (toughness 2)\n"
        "Ed shooting 1 stealth 1",
        "Ann: toughness 3, shooting 2 | Cy: stealth 4, flying 1 | Di: toughness 2 | Ed: shooting 1, stealth 1",
        [],
        id="one on each line",
    ),
    pytest.param(
        "Guard 1\n2 toughness\nGuard 2\n3 toughness\nWolf:\n2 quickness",
        "Guard 1: toughness 2 | Guard 2: toughness 3 | Wolf: quickness 2",
        [],
        id="no empty lines",
    ),
    pytest.param(
        "Name: Old Tam\nAbilities: healing 2, stalking 2\n------\n| Toughness | +3 |\nswimming....2\ncommand=1",
        "Old Tam: healing 2, stalking 2, toughness 3, swimming 2, command 1",
        ["3 toughness, got 'Toughness | +3', taken as that in line 4", "read as stealth in line 2"],
        id="labels, rules and tables",
    ),
    pytest.param(
        "shooting 2\ntoughness 3 - a coat",
        ": shooting 2, toughness 3",
        ["3 toughness: a coat, got 'toughness 3 - a coat', taken as that in line 2"],
        id="nobody's name",
    ),
    pytest.param(
        "Ork (HP 4): toughness 4\nagility 11",
        "Ork: toughness 4",
        ["'HP 4' in line 1", "'agility 11', which changes nothing in line 2"],
        id="figures among the levels",
    ),
    pytest.param(
        "2 shooting: a bow, 3 toughness",
        ": shooting 2",
        ["got '2 shooting: a bow, 3 toughness', taken as that in line 1"],
        id="a level in a note",
    ),
]


def _named(text: str) -> str:
    drafts = read_sheet(text).drafts
    return " | ".join(
        f"{each.name}: " + ", ".join(f"{entry.ability.lower()} {entry.level}" for entry in each.entries)
        for each in drafts
    )


@pytest.mark.parametrize(("text", "people", "doubts"), READ)
def test_people_are_read_as_they_are_pasted(text: str, people: str, doubts: list[str]) -> None:
    """`char.stat-line`: the same people, and advice with its line for each reading that may be doubted."""
    assert _named(text) == people
    problems = [each for draft in read_sheet(text).drafts for each in draft.reading_problems()]
    assert {each.severity for each in problems} <= {"advice"}
    assert len(problems) == len(doubts)
    for problem, doubt in zip(problems, doubts, strict=True):
        assert problem.message.endswith(doubt)


WRONG = [
    ("Kim\nshooting: 2/4\n2 flying", "got '2/4' in line 2"),
    ("Kim: stealth 2d6, flying 1", "got '2d6' in line 1"),
    ("Kim\n2 flying\nshooting -2", "got '-2' in line 3"),
    ("Kim\nflying 2.5", "got '2.5' in line 2"),
    ("Kim\n2 flying, shooting", "got 'shooting' in line 2"),
    ("Kim\n2 flying, hide armor", "got 'hide armor' in line 2"),
    ("Kim\n2 flying 3", "got '3' in line 2"),
    ("Kim\nno flying, stealth 2", "got 'no' in line 2"),
    ("Kim\nflying ●●●", "got '●●●' in line 2"),
    ("Kim\n2 flying\nArmor: leather", "got 'Armor: leather' in line 3"),
    ("2 bandits\n2 fighting", "got 'bandits' in line 1"),
    ("hi all, here I am\n\nKim: flying 2", "got none in line 1"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_has_no_reading_is_told_by_its_line(text: str, told: str) -> None:
    """`char.stat-line`: nothing is dropped or guessed without a word."""
    problems = [each for draft in read_sheet(text).drafts for each in draft.reading_problems()]
    assert [each.message.endswith(told) for each in problems if each.severity == "error"] == [True]


BEFORE = ["", "- ", "• ", "> ", "* ", "1. ", "[9:05] Anna: ", "24.11.26, 19:02:11: Anna: ", "– "]
BETWEEN = [
    " ",
    ": ",
    "  ",
    " = ",
    " – ",
    " — ",
    "\u00a0",
    " x",
    " lvl ",
    " Level ",
    ":** ",
    " · ",
    " | ",
    "....",
    " - ",
]
PARTING = [", ", "; ", " / ", " ", " | ", " and ", " • ", "\n", "\n- ", " – "]
LEVELS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 1_000), min_size=1, max_size=6)


@given(LEVELS, st.data())
def test_what_stands_around_levels_does_not_change_them(levels: dict[str, int], data: st.DataObject) -> None:
    """`char.ability-level`: signs, case, order and chats around the levels of somebody give the same person."""
    pieces = []
    for ability, level in levels.items():
        name = data.draw(st.sampled_from([ability, ability.title(), ability.upper()]))
        between = data.draw(st.sampled_from(BETWEEN))
        pieces.append(f"{level} {name}" if data.draw(st.booleans()) else f"{name}{between}{level}")
    text = pieces[0]
    for piece in pieces[1:]:
        text += data.draw(st.sampled_from(PARTING)) + piece
    before = data.draw(st.sampled_from(BEFORE))
    draft = Draft.from_stat_block(f"{before}Kim\n{before}{text}")
    assert draft.reading_problems() == ()
    assert (draft.name, [(each.ability.lower(), each.level) for each in draft.entries]) == (
        "Kim",
        [(ability, str(level)) for ability, level in levels.items()],
    )


def test_a_set_up_is_read_as_it_is_pasted() -> None:
    """`hp.start`, `turn.group`: several a line, a side behind a bullet, `HP 3`; a slip is asked about."""
    found = read_setup("Kim: shooting 2, toughness 4\n- side: us\nHP 3\n\nOrk 1 - fighting 2\nside: them")
    assert [(each["name"], each["side"], each.get("hp"), each["abilities"]) for each in found.characters] == [
        ("Kim", "us", 3, {"shooting": 2, "toughness": 4}),
        ("Ork 1", "them", None, {"fighting": 2}),
    ]
    (problem,) = read_setup("Kim: shoting 2, toughness 4").problems
    assert (problem.code, problem.expected, problem.got) == ("fight.meant", "shooting", "'shoting' on line 1")


def test_a_duel_tells_what_was_doubted() -> None:
    """`char.stat-line`: where nobody is set up, too, a plus is said to be taken as a level."""
    seen = odds.view(parse_query("second=bandit&first_sheet=Kim: stealth %2B2, toughness 4"), None)
    told = [(each.where, each.severity, each.expected) for each in seen.problems]
    assert told == [("first_sheet", "advice", "2 stealth")]


def test_minions_and_fighters_are_read_in_the_same_way() -> None:
    """`command.minions`: levels of a minion as any levels; a line of another order may stand behind a bullet."""
    ((first, second), _) = read_minions("toughness: 2; stealth x1\nRook: **fighting** 3", "L")
    assert [(each.name, [(one.ability, one.level) for one in each.entries]) for each in (first, second)] == [
        ("Minion 1", [("toughness", "2"), ("stealth", "1")]),
        ("Rook", [("fighting", "3")]),
    ]
    assert [each["name"] for each in read_lines("- Ann\n• Bo", SEIZE).characters] == ["Ann", "Bo"]


def test_no_message_has_backticks() -> None:
    """What a reader is told is quoted as people quote; only patterns have them."""
    found = []
    for file in sorted(Path("scratch_core").rglob("*.py")):
        tree = ast.parse(file.read_text())
        docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        texts = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and id(each) not in docs]
        found += [f"{file.name}: {each.value}" for each in texts if isinstance(each.value, str) and "`" in each.value]
    is_code = re.compile(r"blocks\.py: .*\\s", re.DOTALL)
    assert [each for each in found if not is_code.match(each)] == []
