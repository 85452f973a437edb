"""The catalogue holds every rule, ruling and switch, and its parts agree with each other."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from scratch_core.catalogue import (
    ACTIONS,
    GRID_ACTIONS,
    RULES,
    RULINGS,
    SWITCHES,
    TERMS,
    ActionCard,
    Rulings,
    rule,
    ruling,
    setting_words,
)
from scratch_core.errors import ScratchError

ID_LIST = (Path(__file__).parents[1] / "rules" / "rule_ids.txt").read_text(encoding="utf-8").split()
ABILITIES = {
    "toughness", "shooting", "blasting", "knockout", "fighting", "wrestling", "stealth", "detection", "acrobatics",
    "quickness", "flying", "swimming", "healing", "craftsmanship", "command",
}  # fmt: skip


def test_every_rule_is_there_once_and_in_order() -> None:
    """The catalogue's ids are those of the list, all 238, in its order."""
    assert [each.id for each in RULES] == ID_LIST
    assert len(set(ID_LIST)) == 238


def test_each_system_has_its_number_of_rules() -> None:
    """The rules by system come to the sums of the rulebook's own counts."""
    counts = Counter(each.system for each in RULES)
    assert counts == {"scratch": 137, "grid": 41, "mano": 28, "mano-old": 15, "seize": 17}


@pytest.mark.parametrize(
    ("rule_id", "url", "source", "module"),
    [
        ("roll.success", "rules/rolls/#roll.success", ("002",), "dice"),
        ("turn.order", "rules/turns/#turn.order", ("000", "002"), "encounter"),
        ("turn.do-nothing", "rules/turns/#turn.do-nothing", ("002",), "encounter"),
        ("act.unrepeatable", "rules/turns/#act.unrepeatable", ("000", "002"), "encounter"),
        ("hp.floor", "rules/hit-points/#hp.floor", ("002",), "characters"),
        ("cond.delayed", "rules/hit-points/#cond.delayed", ("002", "004"), "encounter"),
        ("carry.table", "rules/defences/#carry.table", ("002",), "characters"),
        ("act.cover", "rules/actions/#act.cover", ("002",), "encounter"),
        ("act.shooting", "rules/abilities/#act.shooting", ("002",), "encounter"),
        ("tough.none", "rules/abilities/#tough.none", ("002",), "characters"),
        ("craft.hurry", "rules/abilities/#craft.hurry", ("002",), "characters"),
        ("create.cp", "rules/making-a-character/#create.cp", ("002",), "characters"),
        ("grid.zoc.stop", "rules/grid/#grid.zoc.stop", ("004",), "board"),
        ("mano.combo.count", "rules/other-turn-orders/mano-a-mano/#mano.combo.count", ("001",), "rounds"),
        ("seize.claim", "rules/other-turn-orders/choose-next/#seize.claim", ("003",), "rounds"),
    ],
)
def test_a_rule_knows_its_place(rule_id: str, url: str, source: tuple[str, ...], module: str) -> None:
    """A rule gives its link, its sources and the module that carries it."""
    found = rule(rule_id)
    assert (found.url, found.source, found.module) == (url, source, module)


def test_every_rule_is_written_out() -> None:
    """Each rule has a short title without a full stop, a page path and a known module; no cell was misread."""
    for each in RULES:
        assert 3 <= len(each.title) <= 45, each
        assert not each.title.endswith("."), each
        assert "|" not in each.title + each.no_code, each
        assert re.fullmatch(r"rules/[a-z/-]+/", each.page), each
        assert each.module in {"dice", "characters", "abilities", "encounter", "board", "rounds"}, each


@pytest.mark.parametrize("bad", ["act.covr", "", "K01", "<script>alert(1)</script>", "x" * 10_000])
def test_an_unknown_rule_is_refused(bad: str) -> None:
    """A rule id that does not exist is a caller's mistake, shown in the message but never at length."""
    with pytest.raises(ScratchError, match="expected a rule id") as refused:
        rule(bad)
    assert refused.value.code == "catalogue.rule"
    assert len(str(refused.value)) < 200


def test_every_ruling_is_there() -> None:
    """The rulings are K01–K31, A01–A43, G01–G24, M01–M23 and S01–S12, in that order."""
    counts = (("K", 31), ("A", 43), ("G", 24), ("M", 23), ("S", 12))
    assert [each.id for each in RULINGS] == [f"{letter}{n:02}" for letter, last in counts for n in range(1, last + 1)]


@pytest.mark.parametrize("each", RULINGS, ids=lambda each: each.id)
def test_a_ruling_is_whole(each: object) -> None:
    """A ruling asks, has at least two different readings, says why, and names rules that exist."""
    found = ruling(each.id)  # type: ignore[attr-defined]
    assert found is each
    assert "?" in found.question
    assert len(set(found.readings)) == len(found.readings) >= 2
    assert found.default == found.readings[0]
    assert found.why.endswith(".")
    assert found.rules
    for rule_id in found.rules:
        assert rule(rule_id).id == rule_id


def test_an_unknown_ruling_is_refused() -> None:
    """A ruling's id that does not exist is a caller's mistake."""
    with pytest.raises(ScratchError, match="expected a ruling's id like K01, got 'K99'") as refused:
        ruling("K99")
    assert refused.value.code == "catalogue.ruling"


def test_rulings_and_switches_name_each_other() -> None:
    """Each switch belongs to the one ruling that names it, and no ruling names a switch that is not there."""
    named = {each.switch: each.id for each in RULINGS if each.switch}
    assert named == {switch.name: switch.ruling for switch in SWITCHES}


def test_switches_and_rulings_agree() -> None:
    """The fields of `Rulings` are the switches, with the same defaults and the same choices."""
    hints = get_type_hints(Rulings)
    fields = {field.name: field.default for field in dataclasses.fields(Rulings)}
    assert fields == {switch.name: switch.default for switch in SWITCHES}
    for switch in SWITCHES:
        choices = (False, True) if hints[switch.name] is bool else get_args(hints[switch.name])
        assert {(type(choice), choice) for choice in switch.choices} == {(type(choice), choice) for choice in choices}
        assert switch.default in switch.choices


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_every_choice_can_be_read_back(switch: object) -> None:
    """Each choice is read as it is and as the words that a page shows for it."""
    name, choices = switch.name, switch.choices  # type: ignore[attr-defined]
    for choice in choices:
        assert getattr(Rulings.read({name: choice}), name) is choice
        assert getattr(Rulings.read({name: setting_words(choice).upper()}), name) == choice


@pytest.mark.parametrize(
    ("typed", "field", "value"),
    [
        ({}, "strength_base", 7),  # K01: the rule's 7
        ({"strength_base": " 8 "}, "strength_base", 8),
        ({"stack_abilities": "yes"}, "stack_abilities", True),
        ({"stack_abilities": "False"}, "stack_abilities", False),
        ({"interrupt_move": "leave"}, "interrupt_move", "leave"),
    ],
)
def test_rulings_are_read_as_people_type_them(typed: dict[str, str], field: str, value: object) -> None:
    """Text from a form is read; what is left out keeps its default."""
    assert getattr(Rulings.read(typed), field) == value


@pytest.mark.parametrize(
    ("typed", "code", "message"),
    [
        ({"strength_base": 9}, "rulings.value", "expected one of 7, 8, got 9 in strength_base"),
        ({"strength_base": True}, "rulings.value", "expected one of 7, 8, got True in strength_base"),
        ({"strength_base": 8.0}, "rulings.value", "got 8.0 in strength_base"),
        ({"stack_abilities": 1}, "rulings.value", "expected one of off, on, got 1 in stack_abilities"),
        ({"stack_abilities": ""}, "rulings.value", "got '' in stack_abilities"),
        ({"strength": 8}, "rulings.name", "got 'strength' in the rulings"),
        ({"x" * 9999: "on"}, "rulings.name", "…"),
    ],
)
def test_bad_rulings_are_refused(typed: dict[str, object], code: str, message: str) -> None:
    """A wrong name or value is refused with what would be legal; True is not 1, nor 8.0 an 8."""
    with pytest.raises(ScratchError, match=re.escape(message)) as refused:
        Rulings.read(typed)  # type: ignore[arg-type]
    assert refused.value.code == code


def test_all_problems_come_at_once() -> None:
    """Three wrong entries give three problems, the values' with the ruling that explains them."""
    with pytest.raises(ScratchError) as refused:
        Rulings.read({"strength_base": "9", "nonsense": 1, "unrepeatable_scope": "all"})
    assert [(each.code, each.rule) for each in refused.value.problems] == [
        ("rulings.value", "K01"),
        ("rulings.name", None),
        ("rulings.value", "A03"),
    ]


def test_actions_are_those_of_a_scenario() -> None:
    """The quick reference has the scenario's actions of Scratch basic by name, each once."""
    assert [action.do for action in ACTIONS] == [
        *("basic-attack", "double-attack", "throw", "hold", "counter-hold", "distract", "evade", "escape"),
        *("engage", "take-cover", "leave-cover", "shoot", "blast", "knockout", "surprise", "intimidate"),
        *("heal", "revive", "bonus", "nothing"),
    ]
    assert [action.do for action in GRID_ACTIONS] == ["move", "reposition", "interrupt"]


@pytest.mark.parametrize("action", [*ACTIONS, *GRID_ACTIONS], ids=lambda action: action.do)
def test_an_action_is_whole(action: ActionCard) -> None:
    """An action names abilities that exist and a rule of its system; an attack has range, type and defence."""
    assert {*action.adds, *action.required} <= ABILITIES
    assert rule(action.rule).system == ("scratch" if action in ACTIONS else "grid")
    assert bool(action.attack) == bool(action.range and action.defence)
    defences = {"normal": "agility", "psychic": "intelligence", "force": "strength"}  # `attack.type-map`
    if action.attack and action.do != "intimidate":
        assert action.defence == defences[action.attack]


def test_unrepeatable_actions_say_so() -> None:
    """Distract, surprise and intimidate, and no others, are marked as once per encounter."""
    once = {action.do for action in ACTIONS if action.kind == "regular, once per encounter"}
    assert once == {"distract", "surprise", "intimidate"}


def test_terms_are_whole() -> None:
    """Each glossary term stands once, is explained in a sentence, and leads to a rule; a tooltip to Scratch basic."""
    names = [term.name.lower() for term in TERMS]
    assert len(names) == len(set(names)) >= 50
    for term in TERMS:
        assert rule(term.rule).system == "scratch" or not term.tooltip
        assert term.meaning.endswith(".")
        assert len(term.meaning) <= (240 if term.name in ABILITIES else 120)  # an ability has a sentence or two


@pytest.mark.parametrize(
    ("word", "rule_id"), [("stun", "cond.delayed"), ("hide", "act.cover"), ("heal", "act.heal"), ("flee", "act.escape")]
)
def test_players_words_lead_to_rules(word: str, rule_id: str) -> None:
    """A player's own word leads to the rule, and makes no tooltip in the text."""
    term = next(term for term in TERMS if term.name == word)
    assert (term.rule, term.tooltip) == (rule_id, False)
