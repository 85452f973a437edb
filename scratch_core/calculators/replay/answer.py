"""The moment after a step of a story, whatever its order of turns, beside the file's own where it is a fork."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scratch_core.actions import FightRoll
from scratch_core.calculators.replay.board import board_shown
from scratch_core.calculators.replay.cards import cards
from scratch_core.calculators.replay.changes import Changes, listed, write_changes
from scratch_core.calculators.replay.log import LONGEST_SAID, log_lines, names_of, step_came, window
from scratch_core.calculators.replay.printed import STORY
from scratch_core.calculators.replay.shown import Answer, RollShown, StepShown
from scratch_core.calculators.replay.telling import Place, edit_at, throws, unmet
from scratch_core.calculators.words import one_line
from scratch_core.scenario import SHIPPED, Record


def answer_at(place: Place) -> Answer:
    """Everything that is told of a place."""
    story, state, record = place.story, place.state, place.record
    played, system = story.played, story.played.system
    has_sides = len({each.side for each in system.fighters(state)}) > 1
    due = system.due(state)
    begins = 0 if played.states[0].phase != "before" else 1
    low, high = window(place.step, len(played.records))
    edit = edit_at(place)
    return Answer(
        title=one_line(played.scenario.title, LONGEST_SAID),
        step=place.step,
        last=len(played.records),
        system=system.title,
        has_rolls=bool(system.roll_keys),
        round=state.round if state.phase != "before" else 0,
        active=system.name_of(state, system.whose_turn(state)),
        winner=system.winner(state) if has_sides else "",
        is_over=state.phase == "over",
        cards=cards(system, state, place.before, place.beside),
        board=board_shown(place.before, state, record) if "board" in played.scenario.tree else None,
        question=due if due and due.sentence else None,
        order=system.reasons(played.begun, played.beginning.rolls) if place.step == begins else None,
        throws=throws(story),
        now=_came(record, place.changes, place.label) if record else None,
        beside=_came(place.own, None, place.label) if place.own else None,
        printed=STORY.get(place.step) if place.text == SHIPPED["worked-combat"] else None,
        note=record.step.note if record and not (place.is_fork and edit.is_changed) else "",  # it tells of the file's
        unmet=unmet(place),
        log=log_lines(low, high, story, place.original.played if place.is_fork else None, place.first, place.changes),
        log_from=low,
        log_to=high,
        is_fork=place.is_fork,
        labels=("with your changes", "in the file"),
        first_difference=place.first,
        edit=edit,
        is_thrown=place.original.is_thrown or story.is_thrown,
        file_name=f"scenario.{'json' if place.text.lstrip()[:1] == '{' else 'toml'}",
        file_text=place.text,
        made_text=story.text if place.is_fork or story.is_thrown else "",
    )


def _came(record: Record, changes: Changes | None, label: str) -> StepShown:
    """What came of a step; of the one shown with what another face would change."""
    names = names_of(record)
    thrown = [roll for roll in record.rolls if isinstance(roll, FightRoll)]
    return step_came(
        record, names, tuple(_roll(each, place, record, names, changes, label) for place, each in enumerate(thrown))
    )


def _roll(  # noqa: PLR0913, PLR0917 -- a roll, where it stands, and what would change it
    roll: FightRoll, place: int, record: Record, names: Mapping[str, str], changes: Changes | None, label: str
) -> RollShown:
    face = record.faces[place]
    options = []
    for other in (1, 20):
        if changes is not None and other != face:
            faces = [other if n == place else each for n, each in enumerate(record.faces)]
            options.append((other, write_changes({**changes, (label, "faces"): listed(faces)})))
    return RollShown(
        names.get(roll.who, roll.who),
        names.get(roll.target, ""),
        face,
        replace(roll.check.figure, name="roll"),
        roll.against,
        roll.check.success,
        roll.check.automatic,
        tuple(options),
    )
