"""The rules' text against the engine: every number typed there is the engine's, and a changed engine is noticed."""

import re
from pathlib import Path

import pytest
from markdown import Markdown

from build_scripts.engine_numbers import EXEMPT, NUMBERS, named, written
from build_scripts.folders import DOCS, ROOT
from build_scripts.numerals import numerals, numerals_in, numerals_said, unheld
from scratch_core.catalogue import RULES, rulings

RULE_AND_RULING_IDS = {each.id for each in RULES} | set(rulings())
SHOOTING = "### Shooting { #act.shooting }\n\n"
BLOCKS = {
    "paragraph": SHOOTING + "It does NUMBER damage.",
    "wrapped": SHOOTING + "It does,\nas always, NUMBER damage.",
    "table": "## Other\n\n| a | b |\n|---|---|\n| [shooting](abilities.md#act.shooting) | NUMBER damage |",
    "list": "## Other\n\n- [[act.shooting]]: NUMBER damage",
    "own-anchor": "## Other\n\nIt does NUMBER damage.\n{: #act.shooting }",
    "below-a-smaller-heading": SHOOTING + "#### More\n\nIt does NUMBER damage.",
    "example": SHOOTING + "!!! example\n\n    Shooting 4. A face of 9 does NUMBER damage.",
}


def line_at(place: tuple[str, int]) -> str:
    """A line of one of the project's files."""
    return (ROOT / place[0]).read_text("utf-8").splitlines()[place[1] - 1]


def test_every_number_in_the_rules_text_is_the_engines() -> None:
    """What is typed in docs/rules and docs/look-up is a number of a rule told there, or exempt with a reason."""
    assert unheld() == []


def test_the_glossary_and_the_rulings_are_held_too() -> None:
    """What terms, actions' cards and our readings say has numbers, and each is the engine's or exempt (`unheld`)."""
    places = {(each.file, each.line): each.text for each in numerals_said()}
    assert {Path(file).stem for file, _ in places} == {"abilities", "actions", "glossary", "rulings"}
    assert all(re.match(r" *(?:\"|do=|id =|name =)", line) for line in map(line_at, places))
    assert [each.message for each in numerals_said() if not each.is_held] == []


def test_there_are_numbers_to_hold() -> None:
    """The text has hundreds of numbers on more than ten pages; most of them are held, not an example's own."""
    found = list(numerals())
    assert len({each.file for each in found}) > 10
    assert sum(not each.is_own for each in found) > 300


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_wrong_number_is_found(block: str) -> None:
    """Two is what a shot does, in digits or words; any other number is pointed at, in whatever kind of block it is."""
    for right in ("2", "two"):
        assert all(each.is_held for each in numerals_in(block.replace("NUMBER", right), "rules/x")), right
    for wrong in ("3", "4", "seven", "−2", "1,002"):
        bad = [each.text for each in numerals_in(block.replace("NUMBER", wrong), "rules/x") if not each.is_held]
        assert bad == [wrong]


@pytest.mark.parametrize(
    "text",
    [
        "```scenario\nfaces = [77]\n```",
        "~~~\n77\n~~~",
        "[K77](rulings.md#K77)",
        "[[= act.shooting.auto]] damage",
        "`77`",
        '<b id="x77">bold</b>',
        "Words { #heading-77 }",
        "1. First\n2. Second",
        "d77, 2d77",
    ],
)
def test_what_is_no_number_of_the_text_is_left_out(text: str) -> None:
    """Fences, code, links' targets, marks, ids, dice and list markers are no numbers of the text."""
    assert [each.text for each in numerals_in(text, "rules/x")] == []


@pytest.mark.parametrize("link", ["[[act.heal|NUMBER points]]", "[NUMBER points](abilities.md#act.heal)"])
def test_a_number_in_a_links_words_is_that_rules_alone(link: str) -> None:
    """What another rule of the same paragraph has is wrong there, be it right for the paragraph."""
    for number, is_right in ((10, True), (2, False), (5, False), (9, False)):
        text = f"{SHOOTING}It does 2 damage, [[act.shooting.auto]], and {link.replace('NUMBER', str(number))}."
        assert [each.is_held for each in numerals_in(text, "rules/x")] == [True, is_right]


@pytest.mark.parametrize(
    ("page", "right", "wrong"),
    [
        # a change has its sign, in a sentence and in a link's words
        ("rules/x", "[[act.engage.penalty|−2 agility]]", "[[act.engage.penalty|2 agility]]"),
        ("rules/x", "Your agility is 2 lower.\n{: #act.engage.penalty }", "It is 2 higher.\n{: #act.engage.penalty }"),
        ("rules/x", "Cover takes −2 from rolls.\n{: #act.cover }", "Cover takes 2 from rolls.\n{: #act.cover }"),
        ("rules/x", "## Cover { #act.cover }\n\n+2 agility", "## Cover { #act.cover }\n\n2 agility"),
        # halves
        ("rules/x", "Half, rounded down.\n{: #hp.stamina }", "Half, rounded up.\n{: #hp.stamina }"),
        ("rules/x", "[[mano.combo.count|speed, rounded up]]", "[[mano.combo.count|speed, rounded down]]"),
        ("rules/index", "Halves round down.", "Halves round up."),
        # limits, formats and versions, each of its own kind
        ("build-on-it/scenario-file", "at most 1,000 steps", "at most 1,000,000 steps"),
        ("build-on-it/scenario-file", "100 rows of 100 spaces", "100 rows of 1,000 spaces"),
        ("build-on-it/scenario-file", "| `weapons` | 1 to 10 at hand |", "| `weapons` | 1 to 20 at hand |"),
        ("build-on-it/kept-file", "Always `scratch-kept/1`.", "Always `scratch-kept/2`."),
        ("build-on-it/python-package", "It needs Python 3.11.", "It needs Python 3.10."),
        ("build-on-it/how-it-is-made", "after 15 seconds", "after 30 seconds"),
        # faces in examples
        ("rules/x", "Agility 11. A face of 10 misses.", "Agility 11. A face of 11 misses."),
        ("rules/x", "With healing 1 a face of 9 makes 10.", "With healing 1 a face of 9 makes 11."),
        (
            "rules/x",
            "Shooting 4 in cover: a face of 8 gives 8 + 4 − 2 = 10.",
            "Shooting 4: a face of 8 gives 8 + 4 − 2 = 10.",
        ),
        ("rules/x", "Agility 25: only a 20 hits.", "Agility 25: only a 19 hits."),
        ("rules/x", "Agility 13: a total of 13 hits, one with 12 misses.", "Agility 13: a total of 13 misses."),
    ],
)
def test_a_number_is_held_with_what_it_stands_beside(page: str, right: str, wrong: str) -> None:
    """Its sign, the way halves go, what it counts; a face in an example with the sum and outcome told of it."""

    def unheld_of(text: str) -> list[str]:
        is_example = re.search(r"face of|only a|total of", text)
        text = f"!!! example\n\n    {text}" if is_example else text
        return [each.text for each in numerals_in(text, page) if not each.is_held]

    assert unheld_of(right) == []
    assert len(unheld_of(wrong)) == 1


def test_a_message_names_the_place_and_what_the_engine_has() -> None:
    """Page, line, the rules told there with their numbers, and what was typed."""
    (bad,) = numerals_in("\n\n" + SHOOTING + "It does 3 damage.", "rules/x")
    assert bad.message.startswith("docs/rules/x.md:5: expected a number of the engine's (act.shooting: ")
    assert bad.message.endswith("got '3'")
    assert re.search(r"act\.shooting: 2\b", bad.message)


@pytest.mark.parametrize("rule", NUMBERS)
def test_every_entry_belongs_to_a_place_in_the_text(rule: str) -> None:
    """A rule or ruling that exists, a heading's id, or a page; and it has numbers."""
    texts = "".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    assert rule in RULE_AND_RULING_IDS or (DOCS / f"{rule}.md").is_file() or f"#{rule} " in texts
    assert named(rule)


@pytest.mark.parametrize("rule", EXEMPT)
def test_an_exemption_is_needed_and_has_a_reason(rule: str) -> None:
    """Each exempt number stands in the text below its rule or heading, and a sentence says why."""
    numbers, why = EXEMPT[rule]
    told = {each.value for each in (*numerals(), *numerals_said()) if rule in each.rules}
    assert set(numbers) <= told
    assert len(why.split()) > 2


def test_a_page_may_ask_for_a_number() -> None:
    """`[[= rule]]` writes the engine's number with a true minus; one that it doesn't have stops the build."""
    page = Markdown(extensions=["build_scripts.markdown_rules"])
    html = page.convert("Five: [[= act.shooting.auto]]. Cover: [[= act.cover.effect roll]].")
    assert html == "<p>Five: 5. Cover: −2.</p>"
    with pytest.raises(ValueError, match=r"act.knockout.damage healthy, .*got \[\[= act.knockout.damage\]\]"):
        written("act.knockout.damage")
    with pytest.raises(ValueError, match="none for this rule"):
        page.convert("[[= act.nothing]]")
