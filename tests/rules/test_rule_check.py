"""The rule check finds orphans, and the project has none among the modules that are there."""

import re
from pathlib import Path

import pytest

from build_scripts.checks import rule_traceability
from build_scripts.checks.rule_traceability import (
    RULES,
    RuleCoverage,
    check_rule_anchors,
    check_rule_ids,
    compute_citations_hash,
    list_links_to_missing_anchors,
    list_rule_coverage,
    list_rule_mentions,
    list_unknown_rule_ids,
)
from scratch_core.rulebook import get_rule

pytestmark = pytest.mark.heavy  # it reads sources

CODE = '''"""A module about `roll.success`."""

LIMIT = 20  # `roll.auto-success`


class Dice:
    """Dice."""

    def throw(self):
        """Throw.

        Rule: `roll.d20`.
        """
        return turn.order, f"{self} (roll.modifier)"
'''


def test_no_rule_is_missing_or_twice() -> None:
    """The catalogue's ids are those of the list."""
    assert (
        check_rule_ids([each.id for each in RULES], rule_traceability.ID_LIST.read_text(encoding="utf-8").split()) == []
    )


@pytest.mark.parametrize(
    ("ids", "faults"),
    [
        (["a.b"], ["the catalogue lacks a.c"]),
        (["a.b", "a.c", "a.d"], ["tests/rules/rule_ids.txt lacks a.d"]),
        (["a.b", "a.c", "a.b"], ["the catalogue has a.b 2 times"]),
    ],
    ids=["missing", "unlisted", "twice"],
)
def test_wrong_ids_are_found(ids: list[str], faults: list[str]) -> None:
    """A missing id, an unlisted one and a repeated one are each named."""
    assert check_rule_ids(ids, ["a.b", "a.c"]) == faults


def test_mentions_have_their_place(tmp_path: Path) -> None:
    """Rule ids count in strings and comments, with the enclosing function.

    An attribute with such a name does not count.
    """
    file = tmp_path / "dice.py"
    file.write_text(CODE, encoding="utf-8")
    assert [(each.rule_id, each.line, each.scope) for each in list_rule_mentions(file)] == [
        ("roll.success", 1, ""),
        ("roll.auto-success", 3, "LIMIT"),
        ("roll.d20", 12, "Dice.throw"),
        ("roll.modifier", 14, "Dice.throw"),
    ]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("act.hold.stops-evade", ["act.hold.stops-evade"]),  # not act.hold as well
        ("by act.hold.", ["act.hold"]),
        ("act.hold/act.cover", ["act.hold"]),
        ("react.hold act.holds docs/act.hold", []),
        ("rules/actions/#act.cover", ["act.cover"]),
    ],
)
def test_list_mentions_finds_the_longest_rule_id(tmp_path: Path, words: str, found: list[str]) -> None:
    """The longest rule id in a text counts.

    A full stop ends it, and parts of other words are ignored.
    """
    file = tmp_path / "cases.toml"
    file.write_text(words, encoding="utf-8")
    assert [each.rule_id for each in list_rule_mentions(file)] == found


def test_list_unknown_ids_finds_misspelt_rule_ids(tmp_path: Path) -> None:
    """A word in backquotes that is similar to a rule's id is listed."""
    file = tmp_path / "test_x.py"
    file.write_text('"""`roll.sucess` and `roll.success`."""\n', encoding="utf-8")
    assert list(list_unknown_rule_ids(file)) == [(1, "roll.sucess")]


@pytest.mark.parametrize(
    ("rule_id", "code", "tests", "lacks"),
    [
        ("roll.success", ("dice.checks.Check.is_success",), ("b",), ()),
        ("roll.success", (), ("b",), ("code",)),
        ("roll.success", ("dice.checks",), ("b",), ("code",)),  # a module's docstring implements nothing
        ("roll.success", ("calculators.dice.answer.answer_request",), ("b",), ("code",)),  # a page only describes it
        (
            "act.hold",
            ("rulebook.actions.HOLD", "scenario.playback.play"),
            ("b",),
            ("code",),
        ),  # described, but no longer implemented
        ("act.hold", ("encounter.actions.attacks.hold",), ("b",), ()),
        ("roll.success", ("dice.checks.Check.is_success",), (), ("a test",)),
        ("roll.success", (), (), ("code", "a test")),
        ("create.setting", (), (), ()),  # left to the table
        ("roll.illustrations", (), (), ("a test",)),  # an example in numbers
        ("grid.space", (), (), ()),  # no board yet
    ],
)
def test_rule_coverage_lists_missing_parts(
    rule_id: str, code: tuple[str, ...], tests: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    """A rule needs a test, and code or a reason.

    An example needs a test too.
    """
    assert RuleCoverage(get_rule(rule_id), code, tests).missing_parts == lacks


def test_missing_and_repeated_anchors_are_counted(tmp_path: Path) -> None:
    """A missing page is one fault, and each missing or repeated anchor is another."""
    rolls = [each.id for each in RULES if each.page == "rules/rolls/"]
    page = tmp_path / "rules" / "rolls" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("".join(f'<p id="{each}">' for each in ["roll.d2", *rolls[1:], rolls[1]]), encoding="utf-8")
    faults = [re.sub(r"(?<=md):\d+", "", fault) for fault in check_rule_anchors(tmp_path)]
    assert f"docs/rules/turns.md: expected a page rules/turns/ with 13 anchors, got none in {tmp_path}" in faults
    assert [fault for fault in faults if "rolls" in fault] == [
        "docs/rules/rolls.md: expected one anchor, got 0 for rules/rolls/#roll.d20; did you mean roll.d2?",
        "docs/rules/rolls.md: expected one anchor, got 2 for rules/rolls/#roll.modifier",
    ]


def test_link_to_a_missing_anchor_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to a missing anchor is listed by page and line.

    The nearest anchor is named. Links to other sites are ignored.
    """
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "turns.md").write_text("# Turns\n\n[hide](actions.md#act.covr)\n", encoding="utf-8")
    monkeypatch.setattr(rule_traceability, "DOCS", docs)
    monkeypatch.setattr(rule_traceability, "ROOT", tmp_path)
    site = tmp_path / "site"
    links = (
        "../actions/#act.covr ../actions/#act.cover ../actions/?a=1#act.cover #here ../?roll=d20 https://h.example/#x"
    )
    for page, html in {
        "turns": '<p id="here">' + "".join(f'<a href="{each}">' for each in links.split()),
        "actions": '<p id="act.cover"><a href="../turns/#here">',
    }.items():
        (site / page).mkdir(parents=True)
        (site / page / "index.html").write_text(html, encoding="utf-8")
    (site / "index.html").write_text('<a href="turns/#here"><a href="turns/#her"><a href="./#top">', encoding="utf-8")
    assert list_links_to_missing_anchors(site) == [
        "docs/index.md: expected an anchor of turns, got #her; did you mean here?",
        "docs/index.md: expected an anchor of the first page, got #top",
        "docs/turns.md:3: expected an anchor of actions, got #act.covr; did you mean act.cover?",
    ]


def test_citations_hash_depends_on_rules_and_test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only rule citations and test names change the hash."""
    path = tmp_path / "test_some.py"
    monkeypatch.setattr(rule_traceability, "list_test_files", lambda: [path])
    text = 'def test_a_roll() -> None:\n    """It lands. Rule: `roll.d20`."""\n    assert 1 == 1\n'
    found = []
    for old, new in (("", ""), ("1 == 1", "2 == 2"), ("roll.d20", "roll.success"), ("a_roll", "another")):
        path.write_text(text.replace(old, new), encoding="utf-8")
        found.append(compute_citations_hash())
    assert found[0] == found[1]
    assert len(set(found[1:])) == 3


def test_list_rule_coverage_covers_every_rule() -> None:
    """The scan has one entry per rule, and no code in the catalogue itself."""
    assert [each.rule.id for each in list_rule_coverage()] == [each.id for each in RULES]
    assert not [
        place
        for each in list_rule_coverage()
        for place in each.code
        if place.startswith(("rulebook.basic_rules", "rulebook.variant_rules", "rulebook.records"))
    ]


def test_every_rule_has_a_test_and_code_or_a_reason() -> None:
    """Every rule has code, or a reason for having none, and a test."""
    assert rule_traceability.check_rule_coverage() == []


def test_places_of_a_rule_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The text, the code and the tests of a rule have file and line.

    Calculators only mention it.
    """
    assert rule_traceability.main(["roll.auto-success"]) == 0
    title, *lines = re.sub(r":\d+", ":N", capsys.readouterr().out).splitlines()
    assert title == "roll.auto-success: A natural 20 always succeeds"
    kinds = [line[2:14].strip() for line in lines]
    assert [kind for kind in kinds if kind] == ["text", "listed", "implemented", "mentioned", "tested"]
    places = [line[14:] for line in lines]
    assert places[:2] == ["docs/rules/rolls.md:N", "scratch_core/rulebook/basic_rules.py:N"]
    mentioned, tested = kinds.index("mentioned"), kinds.index("tested")
    assert "scratch_core/dice/rolls.py:N roll" in places[2:mentioned]
    assert "scratch_core/calculators/dice/__init__.py:N view" in places[mentioned:tested]
    assert "tests/rules/cases/E007.toml:N" in places[tested:]


def test_every_rule_has_a_line_in_the_catalogue_and_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first two places are found for each rule."""
    monkeypatch.setattr(rule_traceability, "list_code_files", list)
    monkeypatch.setattr(rule_traceability, "list_test_files", list)
    places = {rule.id: rule_traceability.format_rule_places(rule)[1:3] for rule in RULES}
    assert {
        rule_id: found for rule_id, found in places.items() if not all(re.search(r":\d+$", each) for each in found)
    } == {}


def test_reason_for_no_code_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A rule without code has the catalogue's reason instead."""
    assert rule_traceability.main(["roll.illustrations"]) == 0
    assert "  implemented no code: an example in numbers; tests hold the engine to it\n" in capsys.readouterr().out


def test_unknown_rule_is_refused_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt id ends the command, like any wrong argument."""
    with pytest.raises(SystemExit) as stopped:
        rule_traceability.main(["act.covr"])
    assert stopped.value.code == 2
    assert "got act.covr; did you mean act.cover?" in capsys.readouterr().err


def test_coverage_report_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the counts, and ends with 1 where a site has no anchors."""
    assert rule_traceability.main(["--site", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith(f"{len(RULES)} ids, none missing, none duplicate\n")
    assert "anchors are missing" in printed
    assert "with a test; none waits for either\n" in printed
