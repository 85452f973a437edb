"""Parsing characters in detail: drafts, stat blocks, minions and JSON, each problem with place and rule."""

from typing import Any

import pytest

from scratch_core.characters import (
    AbilityLevel,
    Character,
    CharacterDraft,
    RawAbility,
    TemporaryBonus,
    character_from_dict,
    character_to_dict,
    command_problems,
    format_stat_block,
    parse_minions,
    parse_sheet,
)
from scratch_core.characters.raw_character import clean_line, has_leading_level, strip_bullet
from scratch_core.rulebook import RulingSettings
from tests.support.refusals import build_character, catch_problem, summarize_problem

TOUGH = {"abilities": {"toughness": 3}}

# Drafts


def test_empty_controls_mean_absent_abilities() -> None:
    """`char.ability-level`: a control with a space in it is as good as empty."""
    draft = CharacterDraft.from_levels({"shooting": " ", "stealth": "", "toughness": "3"})
    assert (draft.name, draft.description) == ("", "")
    assert draft.entries == (RawAbility("toughness", "3", "", "toughness"),)


@pytest.mark.parametrize(
    "name",
    [
        *("x" * 101, "- x", "* x", "• x", "-", "+2 x", "−3 x", "-1 x", "• 2 x", "MINION OF Y", "x)", "x(", "x:", "7"),
        *("A (b)", "A: b", "2 shooting", "47 Ronin", "minion of Y"),
    ],
)
def test_name_like_an_ability_line_is_parsed_back(name: str) -> None:
    """A stat block can have any name of at most 100 characters (`char.stat-line`)."""
    draft = CharacterDraft.from_levels({"toughness": "3"}, name)
    if len(name) > 100:
        (problem,) = draft.reading_problems()
        assert summarize_problem(problem) == ("character.name", "name", "char.stat-line", "error")
        return
    assert (
        CharacterDraft.from_stat_block(format_stat_block(draft.build_character())).build_character()
        == draft.build_character()
    )


@pytest.mark.parametrize("name", ["x" * 100, "x - y", "R2", "two by two", "minions of Y"])
def test_name_may_contain_signs_and_digits(name: str) -> None:
    """`char.stat-line`: a name has up to a hundred characters, signs and digits included."""
    assert CharacterDraft.from_levels({"toughness": "3"}, name).build_character().name == name


@pytest.mark.parametrize(
    ("line", "plain", "has_level"),
    [
        ("- 2 shooting", "2 shooting", True),
        ("* 2 shooting", "2 shooting", True),
        ("• 2 shooting", "2 shooting", True),
        ("-2 shooting", "-2 shooting", True),
        ("+2 shooting", "+2 shooting", True),
        ("−2 shooting", "−2 shooting", True),
        ("2nd shooting", "2nd shooting", False),
        ("shooting 2", "shooting 2", False),
        ("", "", False),
    ],
)
def test_strip_bullet_removes_bullets_but_not_signs(line: str, plain: str, has_level: bool) -> None:
    """`char.stat-line`: a bullet is removed, a sign of the number is not."""
    assert (strip_bullet(line), has_leading_level(line)) == (plain, has_level)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\x00b", "a b"),
        ("a\x1fb", "a b"),
        ("a\x7fb", "a b"),
        ("a\x9fb", "a b"),
        ("a\ud800b", "a b"),
        ("a\udfff\udfffb", "a b"),
        ("  a \t\n b ", "a b"),
        ("a\xa1b~!é\ue000", "a\xa1b~!é\ue000"),
    ],
)
def test_clean_line_replaces_control_characters(text: str, line: str) -> None:
    """`clean_line` replaces control characters and lone surrogates by a space.

    All other characters are unchanged.
    """
    assert clean_line(text) == line


def test_unknown_repeated_and_renamed_abilities_are_reported() -> None:
    """`char.ability-level`, `craft.needs-level`: unknown, twice, an older name, one without a rule (K05).

    The level 0 counts as given, so that the second is a second one.
    """
    entries = tuple(
        RawAbility(ability, level, where=f"e{place}")
        for place, (ability, level) in enumerate(
            [("Magic", "1"), ("shooting", "0"), ("shooting", "2"), ("Stalking", "1"), ("piloting", "2")]
        )
    )
    draft = CharacterDraft("N", entries, bonuses=(TemporaryBonus("shooting", "M"), TemporaryBonus("stealth", "M")))
    assert [summarize_problem(problem) for problem in draft.reading_problems()] == [
        ("character.ability", "e0", "char.ability-level", "error"),
        ("character.twice", "e2", "char.ability-level", "error"),
        ("character.alias", "e3", "K05", "advice"),
        ("character.inert", "e4", "K05", "advice"),
        ("character.bonus", "bonuses", "craft.needs-level", "error"),
    ]


def test_texts_of_a_character_become_one_line_each() -> None:
    """Name, description, leader and notes are one line each."""
    draft = CharacterDraft("  A\tB ", (RawAbility("toughness", "2", " old\n coat "),), " x  y ", " The  Boss ")
    character = draft.build_character()
    assert (character.name, character.description, character.minion_of) == ("A B", "x y", "The Boss")
    assert character.lines == (AbilityLevel("toughness", 2, "old coat"),)


# Stat blocks, minions, JSON


def test_invalid_sheet_problem_names_its_place() -> None:
    """`char.stat-line`: a problem of the whole text is reported at the sheet."""
    (problem,) = parse_sheet(" ").problems()
    assert summarize_problem(problem) == ("sheet.empty", "the sheet", "char.stat-line", "error")
    (problem,) = parse_sheet("x").problems()
    assert summarize_problem(problem)[:3] == ("sheet.abilities", "line 1", "char.stat-line")
    assert parse_sheet("").drafts == ()


def test_sheet_limits_are_characters_and_lines() -> None:
    """`char.stat-line`: up to 20,000 characters and 300 non-empty lines are accepted."""
    head, lines = "X\n2 toughness: ", "X\n" + "1 shooting\n\n" * 299
    assert parse_sheet(head + "x" * (20_000 - len(head))).faults == ()
    (problem,) = parse_sheet(head + "x" * (20_001 - len(head))).faults
    assert (problem.code, problem.got) == ("sheet.limit.characters", "20,001")
    assert parse_sheet(lines).faults == ()
    (problem,) = parse_sheet(f"{lines}1 stealth").faults
    assert (problem.code, problem.got) == ("sheet.limit.lines", "301")


def test_sheet_with_one_character_among_other_text_is_usable() -> None:
    """`char.stat-line`: text that is no character is reported, and the others are usable."""
    assert parse_sheet("hello\n\nX\n2 toughness").has_abilities_and_no_sheet_faults()
    assert not parse_sheet("hello").has_abilities_and_no_sheet_faults()


def test_leader_is_found_in_any_case() -> None:
    """A minion's leader is found by name in any case (`command.minions`).

    A character that leads no one has no minions, with or without a name. A line that can't be parsed causes no
    problem of command.
    """
    sheet = parse_sheet("Boss\n1 command\n\nA\nminion of  BOSS\n1 toughness\n\nB\n2 toughness")
    assert [[draft.name for draft in sheet.minions_of(each)] for each in sheet.drafts] == [["A"], [], []]
    unread = parse_sheet("Boss\n1 command\n\nA\nminion of Boss\n5 toughness\nx magic")
    assert "command.cp" not in [problem.code for problem in unread.problems()]
    nameless = parse_sheet("1 toughness\n\nB\n2 toughness")
    assert [nameless.minions_of(each) for each in nameless.drafts] == [(), ()]
    broken = parse_sheet("Boss\nx command\n\nA\nminion of Boss\n5 toughness")
    assert "command.none" not in [problem.code for problem in broken.problems()]


def test_empty_stat_block_is_located_at_line_1() -> None:
    """`char.stat-line`: an empty text has a place, too."""
    draft = CharacterDraft.from_stat_block("")
    assert (draft.where, draft.where_cp, draft.entries) == ("line 1", "line 1", ())


@pytest.mark.parametrize(
    ("text", "name", "printed"),
    [
        ("X :y\n2 toughness", "X", []),
        ("X  (  11   agility ,3 Hit Points,4 hit point):y\n2 toughness", "X", ["agility", "hit-points"]),
        ("X ( 12 STRENGTH ): y\n2 toughness", "X", ["strength"]),
        ("X (1 hit point): y\n1 toughness", "X", ["hit-points"]),
    ],
)
def test_stat_block_head_ignores_space_and_case(text: str, name: str, printed: list[str]) -> None:
    """`char.stat-line`: as a form written by hand."""
    draft = CharacterDraft.from_stat_block(text)
    assert (draft.name, draft.description, [each.name for each in draft.printed]) == (name, "y", printed)


def test_all_invalid_figures_and_lines_are_reported() -> None:
    """Invalid figures and invalid lines are all reported, in the sheet's order (`char.stat-line`)."""
    draft = CharacterDraft.from_stat_block("X (11 luck)\n2 toughness\nnonsense\nmore nonsense")
    assert [(each.code, each.where) for each in draft.reading_problems()] == [
        ("sheet.figure", "line 1"),
        ("sheet.line", "line 3"),
        ("sheet.line", "line 4"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X\n2 toughness\n\nY\n2 toughness", ("sheet.not-one", "line 4", "char.stat-line", "error")),
        ("X (11 agility\n2 toughness", ("sheet.head", "line 1", "char.stat-line", "error")),
        ("X (11 agility) and more\n2 toughness", ("sheet.head", "line 1", "char.stat-line", "error")),
        *(
            (f"X ({figures})\n2 toughness", ("sheet.figure", "line 1", "char.stat-line", "advice"))
            for figures in ("11 luck", "eleven agility", "11 agility, 12 agility")
        ),
        ("X\n2 toughness\nluck", ("sheet.line", "line 3", "char.stat-line", "error")),
    ],
)
def test_unparsable_line_problem_names_place_and_rule(text: str, expected: tuple[str, str, str, str]) -> None:
    """`char.stat-line`: the head, a figure in it, a line, a second character."""
    assert [summarize_problem(problem) for problem in CharacterDraft.from_stat_block(text).reading_problems()] == [
        expected
    ]


def test_stat_block_is_parsed_completely() -> None:
    """`char.stat-line`: name, figures, description, leader, notes, each with its line."""
    head = "\ufeffRook (11 agility, 3 hp, 12 strength): a: b\nMinion of  The Boss "
    text = f"{head}\n\n2 shooting: short: rifle\n3 Toughness"
    draft = CharacterDraft.from_stat_block(text)
    assert (draft.name, draft.description, draft.minion_of) == ("Rook", "a: b", "The Boss")
    assert [(each.name, each.value, each.where) for each in draft.printed] == [
        ("agility", 11, "line 1"),
        ("hit-points", 3, "line 1"),
        ("strength", 12, "line 1"),
    ]
    assert draft.entries == (
        RawAbility("shooting", "2", "short: rifle", "line 4"),
        RawAbility("Toughness", "3", "", "line 5"),
    )
    assert (draft.where, draft.where_cp) == ("line 1", "line 1")


def test_format_stat_block_applies_rulings() -> None:
    """A stat block is formatted with the figures of the rulings (`char.stat-line`).

    8 and toughness 3 are a strength of 11. Notes are included, and crafted bonuses are left out.
    """
    character = Character(
        "X",
        (AbilityLevel("toughness", 3, "coat"), AbilityLevel("stealth", 1)),
        "someone",
        "Boss",
        (TemporaryBonus("stealth", "M"),),
    )
    assert format_stat_block(character, RulingSettings(strength_base=8)) == (
        "X (11 agility, 10 intelligence, 11 strength, 1 stamina): someone\nminion of Boss\n3 toughness: coat\n1 stealth"
    )


def test_command_problem_is_located_at_the_minions() -> None:
    """A problem of command has the place of all minions or of a commanding one.

    Rules: `command.minions`, `command.cp-limit`, `command.no-command`.
    """
    leader, chain = build_character("L", command=2), build_character("C", command=1)
    weak = build_character("W", toughness=1)
    assert command_problems(leader, [weak, weak]) == ()
    assert command_problems(build_character("L", toughness=1), []) == ()
    assert [summarize_problem(each) for each in command_problems(weak, [weak])] == [
        ("command.none", "minions", "command.minions", "error")
    ]
    found = command_problems(leader, [weak, weak, chain], "set", ["one", "two"])
    assert [summarize_problem(each) for each in found] == [
        ("command.many", "set", "command.minions", "error"),
        ("command.cp", "set", "command.cp-limit", "error"),
        ("command.chain", "set", "command.no-command", "error"),
    ]
    assert [each.where for each in command_problems(leader, [weak, chain], "set", ["one", "two"])] == ["two"]


def test_lines_of_minions_are_parsed_up_to_a_limit() -> None:
    """`command.minions`: twenty lines, twenty abilities in each."""
    drafts, problems = parse_minions("1 toughness\n" * 20, "L")
    assert (len(drafts), problems) == (20, ())
    drafts, (problem,) = parse_minions("1 toughness\n" * 21, "L")
    assert (drafts, *summarize_problem(problem)) == ((), "command.lines", "minions", "command.minions", "error")
    ((draft,), _) = parse_minions(f"A: {', '.join(['1 toughness'] * 21)}, ,", "L")
    assert (len(draft.entries), draft.minion_of, draft.where_cp) == (20, "L", "line 1")
    assert draft.entries[0] == RawAbility("toughness", "1", where="line 1")


def test_character_json_round_trip_with_every_field() -> None:
    """A character with every field is written as JSON and parsed back.

    Empty fields are omitted.
    """
    character = Character(
        "X",
        (AbilityLevel("toughness", 3, "coat"), AbilityLevel("stealth", 1)),
        "d",
        "B",
        (TemporaryBonus("stealth", "M"),),
    )
    assert character_to_dict(character) == {
        "format": "scratch-character/1",
        "name": "X",
        "abilities": {"toughness": 3, "stealth": 1},
        "description": "d",
        "minion_of": "B",
        "notes": {"toughness": "coat"},
        "bonuses": {"stealth": "M"},
    }
    assert character_from_dict(character_to_dict(character)) == character
    assert character_to_dict(build_character(toughness=1)) == {
        "format": "scratch-character/1",
        "name": "X",
        "abilities": {"toughness": 1},
    }


@pytest.mark.parametrize(
    ("data", "where", "piece"),
    [
        ([], "the file", "a table"),
        ({"format": "other/1", **TOUGH}, "format", "scratch-character/1"),
        ({"format": 1, **TOUGH}, "format", "scratch-character/1"),
        ({"abilities": {"toughness": True}}, "abilities.toughness", "a whole number"),
        ({"abilities": {"toughness": -1}}, "abilities.toughness", "a whole number"),
        ({"abilities": {"toughness": 10**5000}}, "abilities.toughness", "beyond all sense"),
        ({"abilities": {"toughness": 2.5}}, "abilities.toughness", "got '2.5' in abilities.toughness"),
        ({"abilities": 3}, "abilities", "a table by ability"),
        ({**TOUGH, "age": 10**5000}, "the file", "one of format"),
        ({**TOUGH, "name": 10**5000}, "name", "a huge number"),
        ({**TOUGH, "name": [10**5000]}, "name", "got [a huge number]"),
        ({**TOUGH, "notes": 1}, "notes", "a table by ability"),
        ({**TOUGH, "bonuses": {"shooting": "M"}}, "bonuses", "level 1 or more"),
        ({**TOUGH, "printed": {"luck": 3}}, "printed", "figures by name"),
        ({"abilities": {str(number): 1 for number in range(101)}}, "abilities", "100 entries at most"),
        ({**TOUGH, "notes": dict.fromkeys(map(str, range(101)), "")}, "notes", "100 entries at most"),
    ],
)
def test_invalid_character_json_problem_names_its_place(data: Any, where: str, piece: str) -> None:
    """`char.stat-line`, `char.ability-level`, `craft.needs-level`: the key, or the file when it isn't a key's fault."""
    problem = catch_problem(lambda: character_from_dict(data))
    code = {"bonuses": "character.bonus"}.get(where, "character.level" if "." in where else "character.json")
    rule = {"character.bonus": "craft.needs-level", "character.level": "char.ability-level"}.get(code, "char.stat-line")
    assert summarize_problem(problem) == (code, where, rule, "error")
    assert piece in problem.message


def test_json_takes_levels_as_texts_and_as_numbers() -> None:
    """JSON has levels as numbers or as text in plain digits (`char.ability-level`).

    A hundred entries are parsed.
    """
    draft = CharacterDraft.from_dict(
        {
            "abilities": {"Toughness": "3", "stalking": 2},
            "notes": {"Toughness": "coat", "stalking": 5},
            "bonuses": {"stalking": " M "},
            "printed": {"stamina": 1, "agility": "12", "hit-points": 3},
        }
    )
    character = draft.build_character()
    assert character.lines == (AbilityLevel("toughness", 3, "coat"), AbilityLevel("stealth", 2))
    assert character.bonuses == (TemporaryBonus("stealth", "M"),)
    assert [(each.name, each.value, each.where) for each in draft.printed] == [
        ("stamina", 1, "printed"),
        ("agility", 12, "printed"),
        ("hit-points", 3, "printed"),
    ]
    assert (draft.where, draft.where_cp) == ("name", "abilities")
    hundred = {f"x{number}": 1 for number in range(100)}
    assert len(CharacterDraft.from_dict({"abilities": hundred}).entries) == 100


def test_unprintable_value_is_abbreviated_in_problem() -> None:
    """A deeply nested list or a number of thousands of digits is abbreviated."""
    nested: object = []
    for _ in range(1_000):
        nested = [nested]
    (problem,) = CharacterDraft.from_dict({"abilities": {"toughness": 1}, "name": nested}).reading_problems()
    assert problem.got == "[[[[[[[...]]]]]]]"
    for number, got in ((10**18, "1000000000000000000"), (10**18 + 1, "a huge number"), (-(10**19), "a huge number")):
        (problem,) = CharacterDraft.from_dict({"abilities": {"toughness": 1}, "name": number}).reading_problems()
        assert problem.got == got
    (problem,) = CharacterDraft.from_dict({"abilities": {"toughness": 10**9}}).reading_problems()
    assert problem.got == "'1000000000'"


PASTED = {
    "a ligature": "Kim\n3 ﬁghting\n2 toughness",
    "full-width digits": "Kim\n３ fighting\n２ toughness",
    "a full-width line": "Kim：３ ｆｉｇｈｔｉｎｇ，２ toughness",
    "soft hyphens": "Kim\n3 fight\u00ading\n2 tough\u00adness",
    "direction signs": "\u200eKim\u200f\n\u202a3 fighting\u202c\n\u20662 tough\u200eness\u2069",
    "bold of a chat": "Kim\n\U0001d7d1 fight\U0001d422\U0001d427\U0001d420\n2 toughness",
    "a word joiner": "Kim\n3\u2060 fighting\n2 toughness\ufeff",
    "a table": "name\tﬁghting\ttoughness\nKim\t３\t2",
}


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED)
def test_read_sheet_of_pasted_look_alikes_reads_levels(text: str) -> None:
    """Look-alikes of letters and digits in pasted text are parsed as the plain ones."""
    (draft,) = parse_sheet(text).drafts
    assert draft.name == "Kim"
    assert [(each.ability, each.level) for each in draft.entries] == [("fighting", "3"), ("toughness", "2")]


def test_read_sheet_keeps_names_and_notes_as_typed() -> None:
    """Signs that mean something of their own stay in a name and in a note."""
    (draft,) = parse_sheet("👩\u200d🚒 Ⅷ\n2 fighting: ½ axe — 3 m² … ok\n2 toughness").drafts
    assert draft.name == "👩\u200d🚒 Ⅷ"
    assert draft.entries[0].note == "½ axe — 3 m² … ok"
