"""Characters: drafts from any input, all problems at once, figures with reasons, texts that read back."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scratch_core.characters import (
    AVERAGE,
    MAX_LEVEL,
    AbilityLevel,
    Character,
    CharacterDraft,
    Limits,
    TemporaryBonus,
    audit_figures,
    character_from_dict,
    character_to_dict,
    format_sheet,
    format_stat_block,
    list_character_actions,
    parse_limits,
    parse_minions,
    parse_sheet,
)
from scratch_core.characters.raw_character import clean_line
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES, INERT
from tests.support.printed_characters import PRINTED_BLOCKS
from tests.support.refusals import summarize_problem

LEVELS = st.dictionaries(st.sampled_from([*ABILITY_NAMES, *INERT]), st.integers(1, MAX_LEVEL), min_size=1)
WORDS = st.text(max_size=60).map(lambda text: " ".join(text.encode("utf-8", "ignore").decode().split()))


def codes(draft: CharacterDraft, limits: Limits = AVERAGE) -> list[str]:
    """The codes of all problems, in order."""
    return [problem.code for problem in draft.problems(limits)]


@st.composite
def characters(draw: st.DrawFn) -> Character:
    """Draw a character that a sheet can hold.

    It has any levels, any notes and a valid name.
    """
    lines = {name: str(level) for name, level in draw(LEVELS).items()}
    draft = CharacterDraft.from_levels(lines, draw(WORDS), draw(WORDS))
    character = (
        draft.build_character()
        if draft.can_build_character()
        else CharacterDraft.from_levels(lines, "Plain").build_character()
    )
    notes = tuple(AbilityLevel(line.ability, line.level, clean_line(draw(WORDS))) for line in character.lines)
    leader = draw(st.sampled_from(["", "The Boss", "a (b): c"]))
    return Character(character.name, notes, character.description, leader)


# Figures


@given(
    LEVELS, st.sampled_from([RulingSettings(), RulingSettings(strength_base=8), RulingSettings(strength_use_max=True)])
)
def test_figure_value_is_sum_of_its_parts(levels: dict[str, int], rulings: RulingSettings) -> None:
    """`char.stat-line`: each figure has parts and an explanation."""
    character = Character("X", tuple(AbilityLevel(name, level) for name, level in levels.items()))
    for figure in (*character.figures(rulings).values(), character.cp()):
        assert figure.value == sum(part.value for part in figure.parts)
        assert figure.parts
        assert figure.explanation.endswith(f"= {figure.value}")


def test_temporary_bonus_raises_figures_but_not_points() -> None:
    """`craft.bonus` (A29): toughness raises the fallback too, and the explanation names the bonus."""
    character = Character("X", (AbilityLevel("toughness", 3),), bonuses=(TemporaryBonus("toughness", "Maker"),))
    assert character.strength().explanation == (
        "7 base without wrestling or swimming + 3 toughness + 1 craftsmanship bonus on toughness = 11"
    )
    assert (character.max_hp().value, character.stamina().value, character.cp().value) == (4, 2, 3)


# Drafts


@pytest.mark.parametrize(
    "text",
    [
        "-1",
        "1.5",
        "four",
        "١٢",
        "³",
        "1001",
        "9" * 500,
        "1e3",
        "0x10",
        "+2",
        "1_0",
        "2 3",
        "🎲",
        "<b>2</b>",
        "\x00",
        "%zz",
        "−2",
        "~",
        "1~",
        "1000000000",
        "0000000001",
    ],
)
def test_invalid_level_is_rejected_with_its_place(text: str) -> None:
    """A level is a whole number from 0 to 1,000 in digits (`char.ability-level`).

    The problem quotes any other text.
    """
    draft = CharacterDraft.from_levels({"shooting": text, "toughness": "3"})
    (problem,) = draft.reading_problems()
    assert (problem.code, problem.where, problem.rule) == ("character.level", "shooting", "char.ability-level")
    assert problem.message.startswith("expected a whole number from 0 to 1,000, got ")
    assert len(problem.message) < 200
    with pytest.raises(ScratchError, match="whole number"):
        draft.build_character()


@pytest.mark.parametrize(
    ("text", "level"), [("0", 0), ("", 0), (" 3 ", 3), ("007", 7), ("1000", 1000), ("000000007", 7)]
)
def test_level_text_is_parsed(text: str, level: int) -> None:
    """0 and empty text mean that the ability is absent (`char.ability-level`).

    Leading zeros are ignored.
    """
    assert CharacterDraft.from_levels({"shooting": text}).build_character().level("shooting") == level


def test_all_problems_of_a_stat_block_are_reported_at_once() -> None:
    """All problems of a stat block are reported at once, each with its place.

    Advice on the whole waits until all lines can be parsed.
    """
    draft = CharacterDraft.from_stat_block("Bad\nx shooting\n5 fighting\n2 magic\n2 fighting\nnonsense\n9 toughness")
    found = [(problem.code, problem.where) for problem in draft.problems()]
    assert found == [
        ("sheet.line", "line 6"),
        ("character.level", "line 2"),
        ("character.ability", "line 4"),
        ("character.twice", "line 5"),
        ("create.max-level", "line 3"),
        ("create.max-level", "line 7"),
        ("create.cp", "line 1"),
    ]
    with pytest.raises(ScratchError) as caught:
        draft.build_character()
    assert len(caught.value.problems) == 4


def test_limits_are_checked_only_on_request() -> None:
    """`create.max-level`: a character over a limit exists, unless the limit is requested (K03)."""
    draft = CharacterDraft.from_levels({"shooting": "8", "toughness": "2"}, "Zim")
    assert draft.build_character().level("shooting") == 8
    with pytest.raises(ScratchError, match="level 4 at most, got shooting 8 in shooting"):
        draft.build_character(AVERAGE)
    assert draft.build_character(Limits(10, 8)).name == "Zim"


@pytest.mark.parametrize(
    ("cp", "max_level", "limits", "places"),
    [
        ("", "", AVERAGE, []),
        ("12", " 5 ", Limits(12, 5), []),
        ("x", "0", AVERAGE, ["cp", "max_level"]),
        ("-1", "99999", AVERAGE, ["cp", "max_level"]),
        ("0", "1", Limits(0, 1), []),
    ],
)
def test_unparsable_limit_is_a_problem_and_gets_the_default(
    cp: str, max_level: str, limits: Limits, places: list[str]
) -> None:
    """An unreadable limit is a problem, and an average person's limit replaces it.

    No level may be 0. Rules: `create.cp`, `create.max-level`.
    """
    found, problems = parse_limits(cp, max_level)
    assert found == limits
    assert [summarize_problem(problem) for problem in problems] == [
        ("character.limit", place, f"create.{place.replace('_', '-')}", "error") for place in places
    ]


# Stat blocks


@given(characters())
@example(Character('"', (AbilityLevel("toughness", 1),), 'the tall"'))
@example(Character("“Kid", (AbilityLevel("toughness", 1),), "not yet”"))
def test_stat_block_round_trip_preserves_character(character: Character) -> None:
    """`char.stat-line`: parsing a formatted stat block gives the same character, and its figures agree."""
    draft = CharacterDraft.from_stat_block(format_stat_block(character))
    assert draft.build_character() == character
    assert all(entry.agrees for entry in audit_figures(draft, character) if entry.printed < MAX_LEVEL)


@given(st.lists(characters(), min_size=1, max_size=3))
def test_sheet_round_trip_preserves_characters(party: list[Character]) -> None:
    """Several stat blocks are parsed as several characters."""
    assert [draft.build_character() for draft in parse_sheet(format_sheet(party)).drafts] == party


@pytest.mark.no_cover
@given(st.one_of(st.text(), st.from_regex(r"(\S{0,9}[ (:,\n]|[0-9]{1,3} (shooting|toughness)\n?){0,20}")))
def test_parsing_any_text_as_a_sheet_never_raises(text: str) -> None:
    """Any pasted text gives problems or a character."""
    sheet = parse_sheet(text)
    for problem in sheet.problems():
        assert len(problem.message) < 600
    for draft in sheet.drafts:
        assert draft.can_build_character() == all(p.severity == "advice" for p in draft.reading_problems())
        if draft.can_build_character():
            format_stat_block(draft.build_character())
    CharacterDraft.from_stat_block(text).problems()


@given(st.dictionaries(st.sampled_from([*ABILITY_NAMES, "magic", ""]), st.text()), st.text(), st.text(), st.text())
def test_listing_problems_of_any_levels_never_raises(levels: dict[str, str], name: str, cp: str, minions: str) -> None:
    """Any levels give a list of problems."""
    limits, _ = parse_limits(cp, cp)
    CharacterDraft.from_levels(levels, name).problems(limits)
    for draft in parse_minions(minions, name)[0]:
        draft.problems(limits)


@pytest.mark.parametrize(
    "line", ["2 shooting: bow", "shooting 2: bow", "- 2 Shooting : bow", "•  2  SHOOTING: bow", "* shooting 2 : bow"]
)
def test_ability_line_is_parsed_in_every_notation(line: str) -> None:
    """`char.stat-line`: the level first or last, with or without a bullet, in any case."""
    (found,) = CharacterDraft.from_stat_block(f"X\n{line}").build_character().lines
    assert found == AbilityLevel("shooting", 2, "bow")


@pytest.mark.parametrize(
    "head",
    ["X", "X:", "X: y", "X (11 agility)", "X (11 agility, 12 strength): y", "X(11 Agility,12 HP):y", "\ufeffX"],
)
def test_stat_block_head_needs_only_a_name(head: str) -> None:
    """`char.stat-line`: figures and description may be missing."""
    draft = CharacterDraft.from_stat_block(f"{head}\r\n3 toughness\r\n")
    assert draft.build_character().name == "X"
    assert draft.reading_problems() == ()


def test_stat_block_without_name_is_unnamed() -> None:
    """A list of levels without a name is a character called Unnamed."""
    assert CharacterDraft.from_stat_block("2 toughness\n1 shooting").build_character().name == "Unnamed"


def test_empty_line_separates_characters_only_before_a_name() -> None:
    """Ability lines after an empty line belong to the character above."""
    sheet = parse_sheet("A\n2 toughness\n\n1 shooting\n\n\nB\n3 toughness")
    assert [draft.name for draft in sheet.drafts] == ["A", "B"]
    assert len(sheet.drafts[0].entries) == 2
    assert sheet.drafts[1].where == "line 7"


def test_sheet_checks_minions_against_their_leader() -> None:
    """A minion's line names its leader in any case (`command.cp-limit`, `command.no-command`).

    A leader outside the sheet is advice.
    """
    boss, thug = PRINTED_BLOCKS["The Boss"], PRINTED_BLOCKS["Thug"]
    assert parse_sheet(f"{boss}\n\n{thug}\n\n{thug}").problems() == ()
    third = parse_sheet(f"{boss}\n\n{thug}\n\n{thug}\n\n{thug.replace('The Boss', 'the boss')}").problems()
    assert [problem.code for problem in third] == ["command.many", "command.cp"]
    idle = [f"{each}\n1 toughness\n\n{each}'s\nminion of {each}\n1 toughness" for each in ("Ann", "Bo")]
    none = [each.where for each in parse_sheet("\n\n".join(idle)).problems() if each.code == "command.none"]
    assert none == ["line 1", "line 8"], "each leader is reported, not only the last"
    (lonely,) = parse_sheet(thug).problems()
    assert (lonely.code, lonely.severity) == ("command.elsewhere", "advice")


def test_minion_must_respect_maximum_level() -> None:
    """`create.max-level` (A26): the leader pays a minion's points, but its levels have the same limit."""
    assert codes(CharacterDraft.from_stat_block("M\nminion of L\n5 toughness")) == ["create.max-level"]


def test_minions_are_parsed_line_by_line() -> None:
    """`command.minions`: with a name or without, the level first or last."""
    (first, second), problems = parse_minions("2 toughness\n\nRook: toughness 1, 3 fighting", "L")
    assert problems == ()
    assert (first.build_character().name, second.build_character().name) == ("Minion 1", "Rook")
    assert second.build_character().lines == (AbilityLevel("toughness", 1), AbilityLevel("fighting", 3))
    assert second.where == "line 3"


# JSON


@given(characters(), st.booleans())
def test_character_json_round_trip_preserves_character(character: Character, has_bonus: bool) -> None:
    """The JSON form gives the same character again, bonuses too."""
    if has_bonus:
        character = character.with_bonus(TemporaryBonus(character.lines[0].ability, "Maker"))
    assert character_from_dict(character_to_dict(character)) == character


@pytest.mark.no_cover
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["abilities", "name", "notes", "x"]), inner),
    )
)
def test_parsing_any_json_raises_only_scratch_error(data: Any) -> None:
    """Any JSON gives a character or a `ScratchError`."""
    CharacterDraft.from_dict(data).problems()


def test_printed_figures_are_parsed_from_json() -> None:
    """`char.stat-line`: they are audited."""
    draft = CharacterDraft.from_dict({"abilities": {"toughness": 2}, "printed": {"strength": 10}})
    (found,) = audit_figures(draft, draft.build_character())
    assert (found.agrees, found.agrees_with_base_8) == (False, True)


# Hit points, weights, crafting: invalid arguments


# Actions


def test_character_action_lists_abilities_by_level() -> None:
    """`roll.ability-optional`: the highest first, the plain die without an ability."""
    character = CharacterDraft.from_stat_block("X\n3 toughness\n2 fighting\n4 wrestling").build_character()
    found = {action.summary.do: action for action in list_character_actions(character)}
    assert [(figure.name, figure.value) for figure in found["basic-attack"].choices] == [
        ("wrestling", 4),
        ("fighting", 2),
    ]
    assert (found["throw"].choices[0].value, found["engage"].choices) == (0, ())
