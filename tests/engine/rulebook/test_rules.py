"""The catalogue contains every rule, ruling and switch, and its parts agree with each other."""

import dataclasses
import re
from typing import Any, get_args, get_type_hints

import pytest

from scratch_core.errors import ScratchError
from scratch_core.rulebook import (
    RULE_OPTIONS,
    RULES,
    RuleOption,
    RulingSettings,
    get_rule,
    get_ruling,
    load_glossary,
    load_rulings,
    lookup,
)
from scratch_core.rulebook.actions import ACTION_SPECS


@pytest.mark.parametrize(
    ("rule_id", "url", "source", "module"),
    [
        ("roll.success", "rules/rolls/#roll.success", ("002",), "dice"),
        ("turn.order", "rules/turns/#turn.order", ("000", "002"), "encounter"),
        ("turn.do-nothing", "rules/turns/#turn.do-nothing", ("002",), "encounter"),
        ("act.unrepeatable", "rules/turns/#act.unrepeatable", ("000", "002"), "encounter"),
        ("hp.floor", "rules/hit-points/#hp.floor", ("002",), "characters"),
        ("cond.delayed", "rules/actions/#cond.delayed", ("002", "004"), "encounter"),
        ("carry.table", "rules/defences/#carry.table", ("002",), "characters"),
        ("act.cover", "rules/actions/#act.cover", ("002",), "encounter"),
        ("act.shooting", "rules/abilities/#act.shooting", ("002",), "encounter"),
        ("tough.none", "rules/abilities/#tough.none", ("002",), "characters"),
        ("craft.hurry", "rules/abilities/#craft.hurry", ("002",), "encounter"),
        ("create.cp", "rules/making-a-character/#create.cp", ("002",), "characters"),
        ("grid.zoc.stop", "rules/grid/#grid.zoc.stop", ("004",), "board"),
        ("mano.combo.count", "rules/other-turn-orders/mano-a-mano/#mano.combo.count", ("001",), "turn_systems"),
        ("seize.claim", "rules/other-turn-orders/choose-next/#seize.claim", ("003",), "turn_systems"),
    ],
)
def test_get_rule_has_url_source_and_module(rule_id: str, url: str, source: tuple[str, ...], module: str) -> None:
    """A rule gives its link, its sources and the module that carries it."""
    found = get_rule(rule_id)
    assert (found.url, found.source, found.module) == (url, source, module)


def test_rule_has_a_title_a_page_and_a_module() -> None:
    """Each rule has a short title, a page path and a known module.

    A title has no full stop, and no cell of the table was misread.
    """
    for each in RULES:
        assert 3 <= len(each.title) <= 45, each
        assert not each.title.endswith("."), each
        assert "|" not in each.title + each.no_code, each
        assert re.fullmatch(r"rules/[a-z/-]+/", each.page), each
        assert each.module in {"dice", "characters", "rulebook.abilities", "encounter", "board", "turn_systems"}, each


@pytest.mark.parametrize("bad", ["act.covr", "", "K01", "<script>alert(1)</script>", "x" * 10_000])
def test_get_rule_with_unknown_id_is_rejected(bad: str) -> None:
    """An unknown rule id is rejected with a short message that quotes it."""
    with pytest.raises(ScratchError, match="expected a rule id") as refused:
        get_rule(bad)
    assert refused.value.code == "catalogue.rule"
    assert len(str(refused.value)) < 200


def test_ruling_ids_are_in_order_within_their_letter() -> None:
    """A ruling's id is one letter and two digits, in order within its letter."""
    assert len(load_rulings()) > 100
    for letter in "KAGMS":
        ids = [each for each in load_rulings() if each[0] == letter]
        assert ids
        assert sorted(ids) == sorted(ids, key=lambda each: int(each[1:]))
    assert all(re.fullmatch(r"[KAGMS]\d\d", each) for each in load_rulings())


@pytest.mark.parametrize("each", load_rulings().values(), ids=lambda each: each.id)
def test_ruling_has_question_options_reason_and_rules(each: Any) -> None:
    """A ruling has a question, at least two different options, a reason, and existing rules."""
    found = get_ruling(each.id)
    assert found is each
    assert "?" in found.question
    assert len(set(found.readings)) == len(found.readings) >= 2
    assert found.default_option == found.readings[0]
    assert found.why.endswith(".")
    assert found.rules
    for rule_id in found.rules:
        assert get_rule(rule_id).id == rule_id


def test_get_ruling_with_unknown_id_is_rejected() -> None:
    """A ruling's id that does not exist is a caller's mistake."""
    with pytest.raises(ScratchError, match="expected a ruling's id like K01, got 'K99'") as refused:
        get_ruling("K99")
    assert refused.value.code == "catalogue.ruling"


def test_rulings_and_switches_name_each_other() -> None:
    """Each switch belongs to the single ruling that names it.

    No ruling names a switch that does not exist.
    """
    named = {each.switch: each.id for each in load_rulings().values() if each.switch}
    assert named == {switch.name: switch.ruling for switch in RULE_OPTIONS}


def test_switches_and_rulings_agree() -> None:
    """The fields of `RulingSettings` are the switches, with the same defaults and the same choices."""
    hints = get_type_hints(RulingSettings)
    fields = {field.name: field.default for field in dataclasses.fields(RulingSettings)}
    assert fields == {switch.name: switch.default for switch in RULE_OPTIONS}
    for switch in RULE_OPTIONS:
        choices = (False, True) if hints[switch.name] is bool else get_args(hints[switch.name])
        assert {(type(choice), choice) for choice in switch.choices} == {(type(choice), choice) for choice in choices}
        assert switch.default in switch.choices


READ_AS: dict[str, dict[Any, str]] = {
    "strength_base": {7: "7 + toughness", 8: "8 + toughness"},
    "detection_multiplier": {10: "played as written", 2: "Detection counts twice"},
    "unrepeatable_scope": {"actor": "against any target", "pair": "and target"},
    "stack_abilities": {False: "One ability per roll", True: "Any that fit"},
    "strength_use_max": {False: "only with neither", True: "the higher of the two"},
    "wrestling_double_legacy": {False: "One regular action a turn", True: "a hold and a basic attack each turn"},
    "swimming_twice": {True: "adds it twice", False: "Once per roll"},
    "flyer_on_foot": {"safe": "Where there is room to fly", "reachable": "only if it uses flying"},
    "failed_hurry": {"bonus": "One of the crafter's", "ability": "that companion's bonus on that ability"},
    "interrupt_move": {
        "both": "Of the start, and of each space",
        "leave": "Only of the start",
        "arrive": "Only of the spaces entered",
    },
    "delayed_blocks_move": {False: "Yes.", True: "No."},
    "interrupt_blast": {"enemy": "if it catches an enemy", "space": "aim it at a space"},
    "corners": {"free": "never block it", "barred": "one on each side"},
    "downed_are_inert": {False: "they fill their space", True: "weren't there"},
    "seize_on_total": {False: "The die roll", True: "The total"},
}
"""For each switch its choices, and words of the option that each of them selects."""


@pytest.mark.parametrize("switch", RULE_OPTIONS, ids=lambda switch: switch.name)
def test_first_option_of_a_ruling_is_the_default_of_its_switch(switch: RuleOption) -> None:
    """The first reading of a switch's ruling is that of its default.

    Each other choice has one of the other readings.
    """
    ruling, words = get_ruling(switch.ruling), READ_AS[switch.name]
    assert ruling.switch == switch.name
    assert getattr(RulingSettings(), switch.name) == switch.default
    assert set(words) == set(switch.choices)
    found = {choice: [n for n, each in enumerate(ruling.readings) if words[choice] in each] for choice in words}
    assert found[switch.default] == [0], ruling.readings
    assert all(len(places) == 1 and places != [0] for choice, places in found.items() if choice != switch.default)


def test_glossary_meaning_has_the_numbers_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The meanings follow the difficulty of healing and the hit points of reviving."""
    changed = {
        "heal": dataclasses.replace(ACTION_SPECS["heal"], difficulty=11),
        "revive": dataclasses.replace(ACTION_SPECS["revive"], hit_points=2),
    }
    monkeypatch.setattr(lookup, "ACTION_SPECS", {**ACTION_SPECS, **changed})
    meanings = {each.name: each.meaning for each in load_glossary.__wrapped__()}
    assert meanings["heal"].endswith("a healing roll against 11.")
    assert meanings["revive"].endswith("back to 2 hit point.")
