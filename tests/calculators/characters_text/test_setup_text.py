"""Characters as they are pasted: whatever surrounds names and levels, they are parsed, or the line is reported."""

import ast
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from build_scripts.render import render_calculator_response
from scratch_core.calculators import odds
from scratch_core.calculators.characters_text.fighter_lines import parse_fighter_lines
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.characters import CharacterDraft, parse_minions, parse_sheet
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.turn_systems.registry import SEIZE

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
        id="no name",
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
    pytest.param(
        "Dmitri\ntoughness..........3\nshooting . . . . . . 4\nStealth…………2",
        "Dmitri: toughness 3, shooting 4, stealth 2",
        [],
        id="dot leaders",
    ),
    pytest.param(
        "Lio\nToughness two\nfour healing, stealth: twelve\n\nBo has flying one, swimming three",
        "Lio: toughness 2, healing 4, stealth 12 | Bo: flying 1, swimming 3",
        [],
        id="number words",
    ),
    pytest.param(
        "Pike\ntoughness: 4 — chain shirt, 12 kg\n3 fighting -- pike, reach 2, command 2 – 2 recruits\n"
        "flying 1 – 2 healing",
        "Pike: toughness 4, fighting 3, command 2, flying 1, healing 2",
        [
            "4 toughness: chain shirt, 12 kg, got 'toughness: 4 — chain shirt, 12 kg', taken as that in line 2",
            "3 fighting: pike, reach 2, got '3 fighting -- pike, reach 2', taken as that in line 3",
            "2 command: 2 recruits, got 'command 2 – 2 recruits', taken as that in line 3",
        ],
        id="a note behind a long dash",
    ),
    pytest.param(
        "| Name | Kim |\n| Ability | Level | Notes |\n| :--- | ---: |---|\n"
        "| Toughness | 4 | padded coat |\n| Flying | 3 | |",
        "Kim: toughness 4, flying 3",
        ["4 toughness: padded coat, got 'Toughness | 4 | padded coat', taken as that in line 4"],
        id="a table",
    ),
    pytest.param("| Ability | Level |\n|---|---|\n| Healing | 1 |", ": healing 1", [], id="a table alone"),
    pytest.param("Name\tIlse\nAbility\tLevel\nHealing\t1", "Ilse: healing 1", [], id="a spreadsheet"),
    pytest.param(
        "Hob\n_a tinker_\n- **Stealth** 3\n\nNotes: owes 20 coins, to all\n\nBo\nRace: elf\n2 flying\n**Gear:** rope",
        "Hob: stealth 3 | Bo: flying 2",
        [],
        id="italics and notes",
    ),
    pytest.param(
        "Kaspar, 10 CP\n4 flying\n\nPike [10cp]: flying 3\n\nBea 9cp\n2 flying\n\nCy (8 CP)\n1 flying\n\n"
        "Di - 12 points - flying 1 - stealth 1\n\nEd, 3 CP, flying 1, stealth 2\n\nFay\nCP: 10\n2 flying\n\n"
        "Goblin 2\n2 flying",
        "Kaspar: flying 4 | Pike: flying 3 | Bea: flying 2 | Cy: flying 1 | Di: flying 1, stealth 1"
        " | Ed: flying 1, stealth 2 | Fay: flying 2 | Goblin 2: flying 2",
        [
            *("'10 CP', left out in line 1", "'[10cp]', left out in line 4", "'9cp', left out in line 6"),
            *("'(8 CP)', left out in line 9", "'12 points', left out in line 12", "'3 CP', left out in line 14"),
            "'CP: 10', left out in line 17",
        ],
        id="points",
    ),
    pytest.param(
        "hi all,\nhere I am\n\nKim: flying 2",
        "Kim: flying 2",
        [f"names and levels, got '{line}', left out in line {n}" for n, line in enumerate(("hi all,", "here I am"), 1)],
        id="a greeting",
    ),
    pytest.param(
        "Kim: flying 2\n\nVillains:\nBo: stealth 1\n\nSee you!\nLou",
        "Kim: flying 2 | Bo: stealth 1",
        [
            "got 'Villains:', left out in line 3",
            *("got 'See you!', left out in line 6", "got 'Lou', left out in line 7"),
        ],
        id="a heading in between and a farewell",
    ),
    pytest.param(
        "Name\tFlying\tStealth\nKim\t2\t1\nGoblin 2\t\t3\n\nBo\n2 flying",
        "Kim: flying 2, stealth 1 | Goblin 2: stealth 3 | Bo: flying 2",
        [],
        id="a column for each ability",
    ),
    pytest.param(
        "| Who | Flying | Stealth |\n|---|:-:|---|\n| **Kim** | 2 | – |",
        "Kim: flying 2",
        [],
        id="a wide table",
    ),
]


def _named(text: str) -> str:
    drafts = parse_sheet(text).drafts
    return " | ".join(
        f"{each.name}: " + ", ".join(f"{entry.ability.lower()} {entry.level}" for entry in each.entries)
        for each in drafts
    )


@pytest.mark.parametrize(("text", "people", "doubts"), READ)
def test_pasted_text_gives_the_expected_characters(text: str, people: str, doubts: list[str]) -> None:
    """Each pasted text gives the same characters, with advice for each doubtful reading.

    Rule `char.stat-line`. The advice names the line.
    """
    assert _named(text) == people
    problems = [each for draft in parse_sheet(text).drafts for each in draft.reading_problems()]
    assert {each.severity for each in problems} <= {"advice"}
    assert len(problems) == len(doubts)
    for problem, doubt in zip(problems, doubts, strict=True):
        assert problem.message.endswith(doubt)


WRONG = [
    ("Kim\n2 flying\nDEX 14", "got 'DEX' in line 3"),
    ("Agnes\n2 flying\nGoblin 3", "got 'Goblin' in line 3"),
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
    ("hi all, at 7\n\nKim: flying 2", "got none in line 1"),
    ("Kim\nstealth\n\nBo\n2 flying", "got 'stealth' in line 2"),
    ("Kim: flying 2\n\nBo: good with axes", "got none in line 3"),
    ("Kim\n4 toughness – 3 fightng", "'fightng' in line 2 means nothing here. Did you mean fighting?"),
    ("Kim: flying 2 – magic 3", "got 'magic' in line 1"),
    ("Kim\nflying 2 — stealth", "got 'stealth' in line 2"),
    ("Kim\nflying 2 – 3", "got '3' in line 2"),
    ("Kim\n2 flying\ntwo fighting dogs", "got 'two' in line 3"),
    ("Kim\n_stealth_\n2 flying", "got 'stealth' in line 2"),
    ("Kim\n2 flying\nNotes: stealth 2", "got 'Notes: stealth 2' in line 3"),
    ("Tobias\ntoughness 3-4 not sure yet\nfighting 2", "got '3-4' in line 2"),
    ("Otto\nfighting 3\n(was fighting 2 last session)", "got '(was fighting 2 last session)' in line 3"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_unparsable_text_is_reported_once_per_line(text: str, expected: str) -> None:
    """`char.stat-line`: nothing is dropped or guessed silently, and nothing reported twice."""
    problems = [each for draft in parse_sheet(text).drafts for each in draft.reading_problems()]
    assert [(each.message.endswith(expected), each.severity) for each in problems] == [(True, "error")]


def test_table_with_name_on_each_line_is_reported() -> None:
    """`char.stat-line`: no character is created, and each line is named."""
    (draft,) = parse_sheet("Quill;toughness;2\nQuill;stealth;4\nQuill;healing;1").drafts
    assert (draft.entries, draft.can_build_character()) == ((), False)
    assert {each.where for each in draft.reading_problems()} == {"line 2", "line 3"}


def test_italics_and_lines_of_notes_become_the_description() -> None:
    """Italics below the name and lines of notes become the description.

    Rule `char.stat-line`: other notes belong to their level.
    """
    hob = CharacterDraft.from_stat_block(
        "Hob: a tinker\n_talks too much_\nAge: 40\n4 stealth — soft boots, size 9\n\nNotes: owes 20 coins, to all"
    )
    assert hob.description == "a tinker; talks too much; Age: 40; owes 20 coins, to all"
    assert [each.note for each in hob.entries] == ["soft boots, size 9"]
    named = CharacterDraft.from_stat_block(
        "Team 10 CP (11 agility, 10 strength): for 10 points\n2 flying"
    )  # as it is written
    assert (named.name, named.description, named.reading_problems()) == ("Team 10 CP", "for 10 points", ())


def test_misspelt_ability_is_reported_alike_everywhere() -> None:
    """`char.ability-level`: a fight's setup, the character page and the package suggest the same word."""
    words = "isn't known here. Did you mean toughness?"
    (problem,) = CharacterDraft.from_stat_block("Kim\ntoughnes 4").reading_problems()
    assert problem.message == "'toughnes' in line 2 means nothing here. Did you mean toughness?"
    for name, control in (("character", "sheet"), ("fight", "sheets"), ("odds", "first_sheet")):
        html = BeautifulSoup(
            render_calculator_response(name, format_query({control: "Kim\ntoughnes 4"})).html, "html.parser"
        )
        assert any(words in each.get_text() for each in html.select(f"[data-field={control}]")), name


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
    "............",
    " - ",
]
PARTING = [", ", "; ", " / ", " ", " | ", " and ", " • ", "\n", "\n- ", " – "]
LEVELS = st.dictionaries(st.sampled_from(ABILITY_NAMES), st.integers(0, 1_000), min_size=1, max_size=6)


@given(LEVELS, st.data())
def test_text_around_levels_does_not_change_them(levels: dict[str, int], data: st.DataObject) -> None:
    """`char.ability-level`: signs, case, order and text around a character's levels give the same character."""
    pieces = []
    for ability, level in levels.items():
        name = data.draw(st.sampled_from([ability, ability.title(), ability.upper()]))
        between = data.draw(st.sampled_from(BETWEEN))
        pieces.append(f"{level} {name}" if data.draw(st.booleans()) else f"{name}{between}{level}")
    text = pieces[0]
    for piece in pieces[1:]:
        text += data.draw(st.sampled_from(PARTING)) + piece
    before = data.draw(st.sampled_from(BEFORE))
    draft = CharacterDraft.from_stat_block(f"{before}Kim\n{before}{text}")
    assert draft.reading_problems() == ()
    assert (draft.name, [(each.ability.lower(), each.level) for each in draft.entries]) == (
        "Kim",
        [(ability, str(level)) for ability, level in levels.items()],
    )


def test_pasted_setup_is_parsed() -> None:
    """A setup with several abilities in a line, sides and hit points is parsed.

    Rules `hp.start`, `turn.group`: a side may follow a bullet, and `HP 3` is valid. A misspelling is reported.
    """
    found = parse_setup("Kim: shooting 2, toughness 4\n- side: us\nHP 3\n\nOrk 1 - fighting 2\nside: them")
    assert [(each["name"], each["side"], each.get("hp"), each["abilities"]) for each in found.characters] == [
        ("Kim", "us", 3, {"shooting": 2, "toughness": 4}),
        ("Ork 1", "them", None, {"fighting": 2}),
    ]
    (problem,) = parse_setup("Kim: shoting 2, toughness 4").problems
    assert (problem.code, problem.expected, problem.got) == ("fight.meant", "shooting", "'shoting' on line 1")


def test_duel_reports_doubtful_levels() -> None:
    """`char.stat-line`: in a duel, too, a plus is reported as taken for a level."""
    seen = odds.view(parse_query("second=bandit&first_sheet=Kim: stealth %2B2, toughness 4"), None)
    reported = [(each.where, each.severity, each.expected) for each in seen.problems]
    assert reported == [("first_sheet", "advice", "2 stealth")]


def test_minion_levels_are_parsed_like_those_of_fighters() -> None:
    """Levels of minions are parsed like any levels, and lines may have bullets.

    Rule `command.minions`. The lines with bullets are those of another turn system.
    """
    ((first, second), _) = parse_minions("toughness: 2; stealth x1\nRook: **fighting** 3", "L")
    assert [(each.name, [(one.ability, one.level) for one in each.entries]) for each in (first, second)] == [
        ("Minion 1", [("toughness", "2"), ("stealth", "1")]),
        ("Rook", [("fighting", "3")]),
    ]
    assert [each["name"] for each in parse_fighter_lines("- Ann\n• Bo", SEIZE).characters] == ["Ann", "Bo"]


def test_no_message_has_backticks() -> None:
    """Messages quote with typographic quotation marks, never with backticks.

    Only patterns contain backticks.
    """
    found = []
    for file in sorted(Path("scratch_core").rglob("*.py")):
        tree = ast.parse(file.read_text())
        docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        texts = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and id(each) not in docs]
        found += [f"{file.name}: {each.value}" for each in texts if isinstance(each.value, str) and "`" in each.value]
    is_code = re.compile(r"stat_block_parser\.py: .*\\s", re.DOTALL)
    assert [each for each in found if not is_code.match(each)] == []
