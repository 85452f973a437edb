"""Characters: drafts from any input, all problems at once, figures with reasons, texts that read back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scratch_core.abilities import INERT, NAMES
from scratch_core.catalogue import ACTIONS, Rulings
from scratch_core.characters import (
    AVERAGE,
    HIGHEST_LEVEL,
    LINES_LIMIT,
    NAME_LIMIT,
    SHEET_LIMIT,
    Character,
    Draft,
    Limits,
    Line,
    TemporaryBonus,
    Travellers,
    add_bonus,
    attack_damage,
    audit,
    condition,
    from_json,
    load,
    lose_hp,
    read_limits,
    read_minions,
    read_sheet,
    to_json,
    turn_actions,
    weights,
    write_sheet,
    write_stat_block,
)
from scratch_core.characters.written import tidy
from scratch_core.errors import ScratchError
from tests.known import known
from tests.printed import SAMPLES

LEVELS = st.dictionaries(st.sampled_from([*NAMES, *INERT]), st.integers(1, HIGHEST_LEVEL), min_size=1)
WORDS = st.text(max_size=60).map(lambda text: " ".join(text.encode("utf-8", "ignore").decode().split()))


def codes(draft: Draft, limits: Limits = AVERAGE) -> list[str]:
    """The codes of all problems, in order."""
    return [problem.code for problem in draft.problems(limits)]


@st.composite
def characters(draw: st.DrawFn) -> Character:
    """Characters that a sheet can hold: any levels, any notes, a name that is a name."""
    lines = {name: str(level) for name, level in draw(LEVELS).items()}
    draft = Draft.from_levels(lines, draw(WORDS), draw(WORDS))
    character = draft.character() if draft.is_readable() else Draft.from_levels(lines, "Plain").character()
    notes = tuple(Line(line.ability, line.level, tidy(draw(WORDS))) for line in character.lines)
    leader = draw(st.sampled_from(["", "The Boss", "a (b): c"]))
    return Character(character.name, notes, character.description, leader)


# Figures


@given(LEVELS, st.sampled_from([Rulings(), Rulings(strength_base=8), Rulings(strength_use_max=True)]))
def test_a_figure_is_the_sum_of_its_parts(levels: dict[str, int], rulings: Rulings) -> None:
    """`char.stat-line`: each figure can be asked why, and agrees with the rule written out."""
    character = Character("X", tuple(Line(name, level) for name, level in levels.items()))
    figures = character.figures(rulings)
    for figure in (*figures.values(), character.cp()):
        assert figure.value == sum(part.value for part in figure.parts)
        assert figure.parts
        assert figure.why.endswith(f"= {figure.value}")
    level = {name: levels.get(name, 0) for name in NAMES}
    assert figures["agility"].value == 10 + max(level[n] for n in ("stealth", "acrobatics", "quickness", "flying"))
    assert figures["intelligence"].value == 10 + max(
        level[n] for n in ("detection", "command", "healing", "craftsmanship")
    )
    trained = max(level["wrestling"], level["swimming"])
    fallback = rulings.strength_base + level["toughness"]
    both = max(10 + trained, fallback) if rulings.strength_use_max else 10 + trained
    assert figures["strength"].value == (both if trained else fallback)
    assert figures["stamina"].value == level["toughness"] // 2
    assert figures["hit-points"].value == level["toughness"]
    assert character.cp().value == sum(levels.values())


def test_a_bonus_counts_in_figures_and_not_in_points() -> None:
    """`craft.bonus` (A29): toughness raises the fallback too, and the sum says whose work it is."""
    character = Character("X", (Line("toughness", 3),), bonuses=(TemporaryBonus("toughness", "Maker"),))
    assert character.strength().why == (
        "7 base without wrestling or swimming + 3 toughness + 1 craftsmanship bonus on toughness = 11"
    )
    assert (character.max_hp().value, character.stamina().value, character.cp().value) == (4, 2, 3)


def test_inert_abilities_cost_and_do_nothing() -> None:
    """Piloting counts its points (ruling K05)."""
    character = Draft.from_stat_block("P\n2 piloting\n2 toughness").character()
    assert character.cp().value == 4


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
    ],
)
def test_a_level_that_is_none_is_refused_with_its_place(text: str) -> None:
    """`char.ability-level`: a whole number from 0 to 1,000 in plain digits, anything else is said back."""
    draft = Draft.from_levels({"shooting": text, "toughness": "3"})
    (problem,) = draft.reading_problems()
    assert (problem.code, problem.where, problem.rule) == ("character.level", "shooting", "char.ability-level")
    assert problem.message.startswith("expected a whole number from 0 to 1,000, got ")
    assert len(problem.message) < 200
    with pytest.raises(ScratchError, match="whole number"):
        draft.character()


@pytest.mark.parametrize(("text", "level"), [("0", 0), ("", 0), (" 3 ", 3), ("007", 7), ("1000", 1000)])
def test_a_level_is_read(text: str, level: int) -> None:
    """`char.ability-level`: 0 and nothing are absent."""
    assert Draft.from_levels({"shooting": text}).character().level("shooting") == level


def test_every_problem_comes_at_once() -> None:
    """Each problem has its place; advice on the whole waits until all can be read."""
    draft = Draft.from_stat_block("Bad\nx shooting\n5 fighting\n2 magic\n2 fighting\nnonsense\n9 toughness")
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
        draft.character()
    assert len(caught.value.problems) == 4


def test_limits_are_asked_for_by_name() -> None:
    """`create.max-level`: a character over a limit exists, unless it is asked to keep it (K03)."""
    draft = Draft.from_levels({"shooting": "8", "toughness": "2"}, "Zim")
    assert draft.character().level("shooting") == 8
    with pytest.raises(ScratchError, match="level 4 at most, got shooting 8 in shooting"):
        draft.character(AVERAGE)
    assert draft.character(Limits(10, 8)).name == "Zim"


@pytest.mark.parametrize(
    ("levels", "code", "where"),
    [
        ({"shooting": "4", "fighting": "4", "stealth": "2"}, "character.no-toughness", "toughness"),  # tough.none, K14
        ({"toughness": "4", "shooting": "4"}, "create.unspent", "cp"),
        ({"toughness": "4", "shooting": "4"}, "create.typical", "cp"),  # create.typical
        ({"toughness": "4", "wrestling": "1", "shooting": "3"}, None, ""),
        ({"toughness": "5", "wrestling": "1", "shooting": "3"}, "character.weaker", "wrestling"),  # A01
    ],
)
def test_advice_is_no_error(levels: dict[str, str], code: str | None, where: str) -> None:
    """`create.typical`, `tough.none`: what is unusual is pointed at, mildly."""
    advice = [problem for problem in Draft.from_levels(levels).problems(Limits(10, 5)) if problem.severity == "advice"]
    if code is None:
        assert {problem.code for problem in advice} <= {"create.unspent"}
    else:
        assert (code, where) in [(problem.code, problem.where) for problem in advice]
    assert all(problem.severity == "advice" for problem in Draft.from_levels(levels).problems(Limits(10, 5)))


def test_nobody_has_no_ability() -> None:
    """`char.ability-level`: a character is one ability at least."""
    assert codes(Draft.from_levels({"shooting": "0"})) == ["character.empty"]


@pytest.mark.parametrize(
    "name", ["A (b)", "A: b", "2 shooting", "47 Ronin", "- x", "minion of Y", "x" * (NAME_LIMIT + 1)]
)
def test_a_name_that_a_sheet_could_not_hold_is_refused(name: str) -> None:
    """`char.stat-line`: what is written must read back."""
    assert codes(Draft.from_levels({"toughness": "3"}, name))[0] == "character.name"


@pytest.mark.parametrize(
    ("cp", "max_level", "limits", "places"),
    [
        ("", "", AVERAGE, []),
        ("12", " 5 ", Limits(12, 5), []),
        ("x", "0", AVERAGE, ["cp", "max_level"]),
        ("-1", "99999", AVERAGE, ["cp", "max_level"]),
    ],
)
def test_limits_are_read(cp: str, max_level: str, limits: Limits, places: list[str]) -> None:
    """`create.cp`, `create.max-level`: what can't be read is an average person's, and a problem."""
    found, problems = read_limits(cp, max_level)
    assert found == limits
    assert [problem.where for problem in problems] == places


def test_limits_without_levels_spend_nothing() -> None:
    """A highest level of 0 asks for no ability and does not divide."""
    assert Limits(10, 0).fewest_abilities == 0


# Stat blocks


@given(characters())
def test_a_stat_block_reads_back(character: Character) -> None:
    """`char.stat-line`: written and read, any character is the same again, and its figures agree."""
    draft = Draft.from_stat_block(write_stat_block(character))
    assert draft.character() == character
    assert all(entry.agrees for entry in audit(draft, character) if entry.printed < HIGHEST_LEVEL)


@given(st.lists(characters(), min_size=1, max_size=3))
def test_a_sheet_reads_back(party: list[Character]) -> None:
    """Several blocks stay several characters."""
    assert [draft.character() for draft in read_sheet(write_sheet(party)).drafts] == party


@pytest.mark.no_cover
@given(st.one_of(st.text(), st.from_regex(r"(\S{0,9}[ (:,\n]|[0-9]{1,3} (shooting|toughness)\n?){0,20}")))
def test_no_text_makes_a_sheet_raise(text: str) -> None:
    """Whatever is pasted has an answer: problems, or a character."""
    sheet = read_sheet(text)
    for problem in sheet.problems():
        assert len(problem.message) < 600
    for draft in sheet.drafts:
        assert draft.is_readable() == all(p.severity == "advice" for p in draft.reading_problems())
        if draft.is_readable():
            write_stat_block(draft.character())
    Draft.from_stat_block(text).problems()


@given(st.dictionaries(st.sampled_from([*NAMES, "magic", ""]), st.text()), st.text(), st.text(), st.text())
def test_no_levels_make_problems_raise(levels: dict[str, str], name: str, cp: str, minions: str) -> None:
    """Whatever is typed has an answer."""
    limits, _ = read_limits(cp, cp)
    Draft.from_levels(levels, name).problems(limits)
    for draft in read_minions(minions, name)[0]:
        draft.problems(limits)


@pytest.mark.parametrize("line", ["2 shooting: bow", "shooting 2: bow", "- 2 Shooting : bow", "•  2  SHOOTING: bow"])
def test_a_line_is_read_however_it_is_written(line: str) -> None:
    """`char.stat-line`: the level first or last, with or without a bullet, in any case."""
    (found,) = Draft.from_stat_block(f"X\n{line}").character().lines
    assert found == Line("shooting", 2, "bow")


@pytest.mark.parametrize(
    "head",
    ["X", "X:", "X: y", "X (11 agility)", "X (11 agility, 12 strength): y", "X(11 Agility,12 HP):y", "\ufeffX"],
)
def test_a_head_needs_nothing_but_a_name(head: str) -> None:
    """`char.stat-line`: figures and description may be missing."""
    draft = Draft.from_stat_block(f"{head}\r\n3 toughness\r\n")
    assert draft.character().name == "X"
    assert draft.reading_problems() == ()


def test_a_name_may_be_missing() -> None:
    """A list of levels is a character; it is called Unnamed."""
    assert Draft.from_stat_block("2 toughness\n1 shooting").character().name == "Unnamed"


@pytest.mark.parametrize(
    ("head", "code", "severity"),
    [
        ("X (11 agility", "sheet.head", "error"),
        ("X (11 agility) and more", "sheet.head", "error"),
        ("X (eleven agility)", "sheet.figure", "advice"),
        ("X (11 luck)", "sheet.figure", "advice"),
        ("X (11 agility, 12 agility)", "sheet.figure", "advice"),
    ],
)
def test_a_head_that_can_not_be_read(head: str, code: str, severity: str) -> None:
    """`char.stat-line`: figures are never used, so one that can't be read is only pointed at."""
    (problem,) = Draft.from_stat_block(f"{head}\n3 toughness").reading_problems()
    assert (problem.code, problem.severity, problem.where) == (code, severity, "line 1")


def test_an_empty_line_parts_characters_only_before_a_name() -> None:
    """Ability lines after an empty line belong to the character above."""
    sheet = read_sheet("A\n2 toughness\n\n1 shooting\n\n\nB\n3 toughness")
    assert [draft.name for draft in sheet.drafts] == ["A", "B"]
    assert len(sheet.drafts[0].entries) == 2
    assert sheet.drafts[1].where == "line 7"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "sheet.empty"),
        (" \n\t\n", "sheet.empty"),
        ("x" * (SHEET_LIMIT + 1), "sheet.limit.characters"),
        ("1 shooting\n" * (LINES_LIMIT + 1), "sheet.limit.lines"),
        ("hello", "sheet.abilities"),
    ],
)
def test_a_text_that_is_no_sheet(text: str, code: str) -> None:
    """Nothing, too much, or nothing like an ability: one sentence says what was expected."""
    sheet = read_sheet(text)
    assert not sheet.is_usable()
    assert [problem.code for problem in sheet.problems()] == [code]
    assert not Draft.from_stat_block(text).is_readable()


def test_one_block_is_asked_for() -> None:
    """A second character in a text for one is a fault with its line."""
    draft = Draft.from_stat_block("A\n2 toughness\n\nB\n2 toughness")
    assert [(problem.code, problem.where) for problem in draft.reading_problems()] == [("sheet.several", "line 4")]


def test_a_sheet_holds_minions_against_their_leader() -> None:
    """`command.cp-limit`, `command.no-command`: named by a line, whatever its case; a leader elsewhere is advice."""
    boss, thug = SAMPLES["The Boss"], SAMPLES["Thug"]
    assert read_sheet(f"{boss}\n\n{thug}\n\n{thug}").problems() == ()
    third = read_sheet(f"{boss}\n\n{thug}\n\n{thug}\n\n{thug.replace('The Boss', 'the boss')}").problems()
    assert [problem.code for problem in third] == ["command.many", "command.cp"]
    (lonely,) = read_sheet(thug).problems()
    assert (lonely.code, lonely.severity) == ("command.leader", "advice")


def test_a_minion_keeps_the_highest_level() -> None:
    """`create.max-level` (A26): its points are the leader's matter, its levels are not."""
    assert codes(Draft.from_stat_block("M\nminion of L\n5 toughness")) == ["create.max-level"]


def test_minions_are_read_line_by_line() -> None:
    """`command.minions`: with a name or without, the level first or last; too many lines are refused."""
    (first, second), problems = read_minions("2 toughness\n\nRook: toughness 1, 3 fighting", "L")
    assert problems == ()
    assert (first.character().name, second.character().name) == ("Minion 1", "Rook")
    assert second.character().lines == (Line("toughness", 1), Line("fighting", 3))
    assert second.where == "line 3"
    _, (problem,) = read_minions("1 toughness\n" * 21, "L")
    assert problem.code == "command.lines"


# JSON


@given(characters(), st.booleans())
def test_json_reads_back(character: Character, has_bonus: bool) -> None:
    """The JSON form gives the same character again, bonuses too."""
    if has_bonus:
        character = character.with_bonus(TemporaryBonus(character.lines[0].ability, "Maker"))
    assert from_json(to_json(character)) == character


@pytest.mark.no_cover
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["abilities", "name", "notes", "x"]), inner),
    )
)
def test_no_json_raises_anything_else(data: Any) -> None:
    """Whatever a file holds is a character or a `ScratchError`."""
    Draft.from_dict(data).problems()


@pytest.mark.parametrize(
    ("data", "piece"),
    [
        ([], "a table"),
        ({"format": "other/1", "abilities": {"toughness": 1}}, "scratch-character/1"),
        ({"abilities": {"toughness": True}}, "a whole number"),
        ({"abilities": {"toughness": 10**5000}}, "beyond all sense"),
        ({"abilities": {"toughness": 2.5}}, "got '2.5' in abilities.toughness"),
        ({"abilities": 3}, "a table by ability"),
        ({"abilities": {"toughness": 3}, "age": 10**5000}, "one of format"),
        ({"abilities": {"toughness": 3}, "name": 10**5000}, "a huge number"),
        ({"abilities": {"toughness": 3}, "name": [10**5000]}, "got [a huge number]"),
        ({"abilities": {"toughness": 3}, "bonuses": {"shooting": "M"}}, "level 1 or more"),
        ({"abilities": {"toughness": 3}, "printed": {"luck": 3}}, "figures by name"),
        ({"abilities": {str(number): 1 for number in range(101)}}, "100 entries at most"),
    ],
)
def test_json_that_is_no_character(data: Any, piece: str) -> None:
    """Each fault is a sentence with its place."""
    with pytest.raises(ScratchError) as caught:
        from_json(data)
    assert piece in str(caught.value)


def test_printed_figures_come_from_json_too() -> None:
    """`char.stat-line`: they are audited."""
    draft = Draft.from_dict({"abilities": {"toughness": 2}, "printed": {"strength": 10}})
    (found,) = audit(draft, draft.character())
    assert (found.agrees, found.agrees_with_base_8) == (False, True)


# Hit points, weights, crafting: a caller's mistakes


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: condition(8, 7), "hp.range"),
        (lambda: condition(-1, 7), "hp.range"),
        (lambda: condition(0, -1), "hp.max.negative"),
        (lambda: lose_hp(-1, 1), "hp.negative"),
        (lambda: lose_hp(1, -1), "damage.negative"),
        (lambda: attack_damage(1, 0), "roll.face"),
        (lambda: attack_damage(1, 21), "roll.face"),
        (lambda: attack_damage(-1, 2), "damage.negative"),
        (lambda: weights(-1), "carry.strength"),
        (lambda: load(10, "lift", -1), "carry.weight"),
        (lambda: load(10, "lift", float("nan")), "carry.weight"),
        (lambda: Travellers((Character("A"), Character("A"))), "craft.names"),
    ],
)
def test_a_mistake_of_the_caller_is_said(call: Any, code: str) -> None:
    """Values that nobody can have are refused with a stable code."""
    with pytest.raises(ScratchError) as caught:
        call()
    assert caught.value.code == code


@pytest.mark.parametrize("face", [None, 0, 21])
def test_a_hurried_roll_needs_a_face(face: int | None) -> None:
    """`craft.hurry`: a face from 1 to 20."""
    party = Travellers(
        (Character("A", (Line("craftsmanship", 1),)), Character("B", (Line("fighting", 1),))), in_hurry=True
    )
    with pytest.raises(ScratchError, match="face from 1 to 20"):
        add_bonus(party, "A", "B", "fighting", face=face)
    stranger = add_bonus(party, "A", "Nobody", "fighting", face=10)
    assert known(stranger.refused).got == "'Nobody'"


@given(st.integers(0, 50), st.integers(0, 200))
def test_hit_points_have_a_floor(max_hp: int, damage: int) -> None:
    """`hp.floor`: whatever the damage, a condition follows."""
    assert condition(lose_hp(max_hp, damage), max_hp) in ("healthy", "injured", "incapacitated")


# Actions


def test_actions_follow_from_abilities() -> None:
    """`act.basic.available`, `char.ability-level`: everybody has the basic ones, the rest need their ability."""
    plain = {action.summary.do for action in turn_actions(Character("X", (Line("toughness", 3),)))}
    assert plain == {action.do for action in ACTIONS if not action.required}
    assert {"basic-attack", "throw", "hold", "distract", "evade", "escape", "engage", "take-cover"} <= plain
    flipfire = Draft.from_stat_block(SAMPLES["Flipfire"]).character()
    more = {action.summary.do for action in turn_actions(flipfire)} - plain
    assert more == {"shoot", "double-attack", "heal", "revive"}


def test_an_action_says_what_it_adds() -> None:
    """`roll.ability-optional`: the highest first, the bare die where there is nothing."""
    character = Draft.from_stat_block("X\n3 toughness\n2 fighting\n4 wrestling").character()
    found = {action.summary.do: action for action in turn_actions(character)}
    assert [(figure.name, figure.value) for figure in found["basic-attack"].choices] == [
        ("wrestling", 4),
        ("fighting", 2),
    ]
    assert found["throw"].best is not None
    assert (found["throw"].best.value, found["engage"].best) == (0, None)
