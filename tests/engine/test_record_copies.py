"""Copies of records: with some fields changed, as `dataclasses.replace` does it, and of another kind."""

from dataclasses import fields, replace
from typing import Any

import pytest

from scratch_core.encounter.actions import Action
from scratch_core.encounter.state import PendingAction
from scratch_core.record_copies import convert_record, replace_fields
from scratch_core.scenario import build_worked_combat, play
from scratch_core.turn_systems.mano.records import ManoState

STATE = play(build_worked_combat()).states[3]
RECORDS = (STATE, STATE.fighters[0], STATE.ledger, STATE.initiative[0], ManoState(fighters=(), round=3))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_replace_fields_equals_dataclass_replace(record: Any) -> None:
    """One field is changed, all others and the original are unchanged."""
    before = repr(record)
    for field in fields(record):
        made = replace_fields(record, **{field.name: "another"})
        wanted = replace(record, **{field.name: "another"})
        assert [getattr(made, each.name) for each in fields(record)] == [
            getattr(wanted, each.name) for each in fields(record)
        ]
    assert repr(record) == before


def test_replace_fields_rejects_unknown_field() -> None:
    """A misspelt field is an error and no new attribute."""
    with pytest.raises(AttributeError, match="hitpoints"):
        replace_fields(STATE.fighters[0], hitpoints=3)


def test_convert_record_copies_every_common_field() -> None:
    """A waiting action has what was declared, and given values win."""
    action = Action("ash", "move", targets=("bo",), uses=("quickness",), space=(1, 2), path=((1, 1), (1, 2)))
    pending = convert_record(action, PendingAction, who="ash")
    assert (pending.who, pending.walked, pending.tried) == ("ash", 0, ())
    assert convert_record(pending, Action, actor=pending.who) == action
    assert convert_record(pending, Action, actor="bo", path=()).path == ()


def test_convert_record_requires_fields_without_default() -> None:
    """A field that the record lacks must be given, unless it has a default."""
    with pytest.raises(TypeError, match="actor"):
        convert_record(PendingAction("ash", "move"), Action)
