"""Records with some fields changed: what `dataclasses.replace` gives, for every field of a fight's records."""

from dataclasses import fields, replace
from typing import Any

import pytest

from scratch_core.fast_replace import replace_fields
from scratch_core.scenario import build_worked_combat, play

STATE = play(build_worked_combat()).states[3]
RECORDS = (STATE, STATE.fighters[0], STATE.ledger, STATE.initiative[0])


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_changed_record_is_a_replaced_one(record: Any) -> None:
    """Each field alone is changed, all others stay, and the record given stays as it is."""
    before = repr(record)
    for field in fields(record):
        made = replace_fields(record, **{field.name: "another"})
        wanted = replace(record, **{field.name: "another"})
        assert [getattr(made, each.name) for each in fields(record)] == [
            getattr(wanted, each.name) for each in fields(record)
        ]
    assert repr(record) == before


def test_a_field_that_is_not_there_is_refused() -> None:
    """A misspelt field is a mistake and no new attribute."""
    with pytest.raises(AttributeError, match="hitpoints"):
        replace_fields(STATE.fighters[0], hitpoints=3)
