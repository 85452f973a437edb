"""Records with some fields changed: what `dataclasses.replace` gives, for every field of a fight's records."""

from dataclasses import fields, replace
from typing import Any

import pytest

from scratch_core.fast_replace import replace_fields
from scratch_core.scenario import build_worked_combat, play
from scratch_core.turn_systems.mano.records import ManoState

STATE = play(build_worked_combat()).states[3]
RECORDS = (STATE, STATE.fighters[0], STATE.ledger, STATE.initiative[0], ManoState(fighters=(), round=3))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_replace_fields_equals_dataclass_replace(record: Any) -> None:
    """Each field alone is changed, all others and the original are unchanged."""
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
