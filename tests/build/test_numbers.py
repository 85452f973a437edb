"""Numbers in texts: pages take a rule's numbers from the engine, and the engine's texts have those of their rules."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown import Markdown

from build_scripts.checks.bare_numbers import EXAMPLE, check_bare_numbers, list_bare_numbers
from build_scripts.markdown_extensions import engine_numbers
from build_scripts.markdown_extensions.engine_numbers import (
    NUMBER_WORDS,
    NUMBERS_BY_RULE,
    fill_in_engine_numbers,
    format_requested_number,
    get_rule_numbers,
)
from build_scripts.paths import DOCS
from scratch_core.board import MAX_BOARD_SIDE
from scratch_core.rulebook import ACTIONS, load_glossary, load_rulings
from scratch_core.rulebook.abilities import ABILITIES, ABILITIES_BY_NAME
from scratch_core.scenario import MAX_FILE_SIZE
from scratch_core.scenario.validation import MAX_CHARACTERS, MAX_STEPS

HOLD_SENTENCE = "also does **[[= act.wrestling.hold-damage]] damage**"


def test_pages_of_rules_have_no_bare_number() -> None:
    """Each number of docs/rules and docs/look-up comes from the engine or is marked."""
    assert check_bare_numbers() == []


def test_bare_number_is_reported_with_page_and_line(tmp_path: Path) -> None:
    """Type the damage of a hold into its page."""
    text = (DOCS / "rules" / "abilities.md").read_text("utf-8")
    page = tmp_path / "rules" / "abilities.md"
    page.parent.mkdir()
    page.write_text(text.replace(HOLD_SENTENCE, "also does **1 damage**"), "utf-8")
    line = text[: text.index(HOLD_SENTENCE)].count("\n") + 1
    (failure,) = check_bare_numbers(tmp_path)
    assert failure.startswith(f"docs/rules/abilities.md:{line}: ")
    assert failure.endswith("got '1'")


@pytest.mark.parametrize(
    "text",
    [
        "It does 2 damage.",
        "It does two damage.",
        "Twelve are the most.",
        "+2 agility",
        "−2 agility",
        "Speed ½",
        "4.4 lb",
        "Half, rounded down.",
        "[[act.heal|10 points]]",
        "[10 points](abilities.md#act.heal)",
        "| a | 2 |",
        "- 2 kg",
        "!!! note\n\n    2 damage",
        "!!! example\n\n    Two.\n\n2 damage",
        f"{EXAMPLE}\n\nWith 3 you win.\n\n2 damage",
    ],
)
def test_bare_number_is_found(text: str) -> None:
    """Digits, fractions, words from two to twenty, and roundings of halves count."""
    assert len(list(list_bare_numbers(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "```scenario\nfaces = [77]\n```",
        "---\ndescription: Two rules.\n---\n",
        "## Two rules { #act.heal }",
        "!!! example\n\n    A 12 hits.\n\n    An 11 misses.",
        f"{EXAMPLE}\n\n| a | 2 |\n| b | 3 |",
        "`77` and ``two``",
        "[K77](rulings.md#K77), [[K01 A03]], [[at K21]]",
        "[[= act.shooting.auto]] and [[plain two]]",
        '<b id="x77">bold</b>{ #x-77 }',
        "1. First\n2. Second",
        "d20, 2d6",
        "one, someone, once",
    ],
)
def test_number_outside_of_prose_is_allowed(text: str) -> None:
    """Fences, headings, examples, code, ids, dice and list markers may contain numbers."""
    assert list(list_bare_numbers(text)) == []


def test_page_is_filled_with_the_numbers_of_the_engine() -> None:
    """Fill sentences, links, tables and headings, but no code."""
    page = Markdown(extensions=["tables", "toc", "build_scripts.markdown_extensions.rule_links"])
    html = page.convert("Five: [[= act.shooting.auto]]. Cover: [[= act.cover.effect roll]]. [[plain Two]] `[[= x]]`")
    assert html == "<p>Five: 5. Cover: −2. Two <code>[[= x]]</code></p>"
    assert ">10 points</a>" in page.convert("[[act.heal|[[= act.heal difficulty]] points]]")
    row = page.convert(
        "| a | b |\n|---|---|\n| [[act.heal|[[= act.heal difficulty]] points]] | [[= act.heal.revive]] |"
    )
    assert ">10 points</a></td>\n<td>1</td>" in row
    assert ">The fifteen<" in page.convert("## The [[= fifteen-abilities word]]")
    assert 'href="rule:stealth.initiative">stealth</a>' in page.convert("[[= def.agility abilities]]")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("act.unrepeatable", "3"),
        ("act.unrepeatable word", "three"),
        ("act.unrepeatable Word", "Three"),
        ("act.knockout.damage healthy on 20", "5"),
        ("move.use or", "acrobatics, quickness, flying or swimming"),
        ("hp.stamina half", "down"),
    ],
)
def test_number_is_formatted_by_name_and_as_a_word(reference: str, expected: str) -> None:
    """A reference is a rule's id, a number's name and a form.

    The name is needed only if the rule has several numbers.
    """
    assert format_requested_number(reference) == expected


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("act.knockout.damage", r"act.knockout.damage healthy, .*got \[\[= act.knockout.damage\]\]"),
        ("act.nothing", "none for this rule"),
    ],
)
def test_unknown_number_raises_and_lists_the_rules_numbers(reference: str, message: str) -> None:
    """The message repeats the reference."""
    with pytest.raises(ValueError, match=message):
        fill_in_engine_numbers(f"[[= {reference}]]")


def test_healing_and_reviving_have_difficulties_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they differ, no text can name one difficulty for both."""
    difficulties = {"act.heal.injured": {"difficulty": 11}, "act.heal.revive": {"difficulty": 12}}
    monkeypatch.setattr(engine_numbers, "get_rule_numbers", difficulties.__getitem__)
    assert fill_in_engine_numbers("[[= act.heal.injured difficulty]] [[= act.heal.revive difficulty]]") == "11 12"
    with pytest.raises(ValueError, match="got 11 to heal and 12 to revive"):
        NUMBERS_BY_RULE["act.heal"]()


@pytest.mark.parametrize("rule", NUMBERS_BY_RULE)
def test_number_of_each_rule_is_used(rule: str) -> None:
    """Each entry is used by a page or by a text of the engine."""
    assert get_rule_numbers(rule)
    pages = "".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    assert f"[[= {rule}" in pages or any(rule in rules for _, _, rules in list_engine_texts())


NUMBER = re.compile(rf"\d+|\b(?:{'|'.join(NUMBER_WORDS[2:])})\b", re.IGNORECASE)
EXTRA_RULES = {
    "ability fighting": "act.fighting.double",
    "term strength": "def.strength.fallback",
    "term fumble": "roll.d20",
    "ruling K06": "act.wrestling.hold-damage",
}
"""Rules whose numbers a text has in addition to those of its own rules."""

TEXTS_WITH_OTHER_NUMBERS = {
    "term space": "metres: how large a space is in the world",
    "ruling A13": "counts its own parts",
    "ruling G16": "the two of them",
    "ruling G26": "two walls at a corner",
    "ruling K02": "the stat block in the sources",
    "ruling K04": "the stat block in the sources",
    "ruling K28": "the number of a phase",
    "ruling S12": "numbers for a table that has none",
}
"""Texts with numbers that no rule sets, and the reason."""


def list_engine_texts() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the texts about abilities, terms, actions and rulings, with the rules of each."""
    for ability in ABILITIES:
        yield f"ability {ability.name}", f"{ability.meaning} {ability.use}", (ability.main_rule, ability.rule)
    for term in load_glossary():
        if term.name not in ABILITIES_BY_NAME:
            yield f"term {term.name}", term.meaning, (term.rule,)
    for card in ACTIONS:
        yield f"card {card.do}", f"{card.effect_template} {card.conditions_template}", (card.rule, card.family)
    for ruling in load_rulings().values():
        yield f"ruling {ruling.id}", ruling.default_option, ruling.rules


@pytest.mark.parametrize(
    ("name", "words", "rules"), list(list_engine_texts()), ids=lambda value: value if value else ""
)
def test_number_in_an_engine_text_is_a_number_of_its_rules(name: str, words: str, rules: tuple[str, ...]) -> None:
    """Glossary, action cards and rulings contain no other number."""
    known = {
        abs(each)
        for rule in (*rules, EXTRA_RULES.get(name, ""))
        for each in get_rule_numbers(rule).values()
        if isinstance(each, int)
    }
    said = {NUMBER_WORDS.index(each.lower()) if each.isalpha() else int(each) for each in NUMBER.findall(words)}
    unknown = said - known - {*get_rule_numbers("roll.auto-success").values()}
    assert bool(unknown) == (name in TEXTS_WITH_OTHER_NUMBERS), unknown


def test_page_of_scenario_files_names_each_limit() -> None:
    """Limits for builders are those of the engine."""
    page = (DOCS / "build-on-it" / "scenario-file.md").read_text("utf-8")
    assert f"at most {MAX_FILE_SIZE:,} bytes, {MAX_STEPS:,} steps and {MAX_CHARACTERS} characters" in page
    assert f"at most {MAX_BOARD_SIDE} rows of {MAX_BOARD_SIDE} spaces" in page
