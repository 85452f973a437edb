"""The replay's answer: the moment after a step of a fight by the basic rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scratch_core.actions import FightRoll
from scratch_core.basic import SCRATCH
from scratch_core.calculators.replay.board import BOARD_EDITS, board_fields, board_shown
from scratch_core.calculators.replay.changes import Changes, listed, write_changes
from scratch_core.calculators.replay.log import step_came
from scratch_core.calculators.replay.printed import STORY
from scratch_core.calculators.replay.shown import Answer, BasicEdit, FighterShown, Group, RollShown, StepShown
from scratch_core.calculators.replay.stories import Story
from scratch_core.calculators.replay.telling import Place, forks, group_control, telling, told
from scratch_core.cards import NOTHING
from scratch_core.scenario import SHIPPED, Record
from scratch_core.state import Fighter, State

EDITS = ("actor", "do", "target", "with", "faces")
"""What of the step shown has a field, named with the step's label: `faces_4`. At step 0, `initiative_1` and on."""

MOST_PIPS = 20


def answer_at(place: Place) -> Answer:
    """The moment at a place of a story, beside the file's own where it is a fork."""
    state, before, record = place.state, place.before, place.record
    names = {each.id: each.name for each in state.fighters}
    earlier = {each.id: each for each in before.fighters}
    beside = {each.id: each for each in place.beside.fighters} if place.beside else {}
    return telling(
        Answer,
        told(place, _edit(place)),
        round=state.round,
        active=names.get(state.active, "") if not state.turn_over else "",
        winner=state.winner,
        fighters=tuple(
            fighter_shown(now, earlier.get(now.id, now), state, beside.get(now.id)) for now in state.fighters
        ),
        groups=groups(place.story.played.begun),
        now=_step(record, names, place.changes, place.label) if record else None,
        beside=_step(place.own, names, None, place.label) if place.own else None,
        told=STORY.get(place.step) if place.text == SHIPPED["worked-combat"] else None,
        board=board_shown(before, state, record),
    )


def fighter_shown(now: Fighter, then: Fighter, state: State, beside: Fighter | None) -> FighterShown:
    """A fighter `now`, with what has changed since `then`, and beside it the one of the file's own story."""
    differs = beside is not None and (beside.hp, beside.condition) != (now.hp, now.condition)
    most = now.numbers.max_hp
    standing = SCRATCH.standing(state, now.id)
    return FighterShown(
        id=now.id,
        name=now.name,
        side=now.side,
        hp=now.hp,
        max_hp=most,
        stamina=now.numbers.stamina,
        condition=now.condition,
        change=now.hp - then.hp,
        pips=_pips(now, then) if most <= MOST_PIPS else (),
        percent=100 * now.hp // most if most else 0,
        states=standing.short,
        is_active=bool(standing.mark),
        was=(beside.hp, beside.condition) if beside and differs else None,
    )


def _pips(now: Fighter, then: Fighter) -> tuple[str, ...]:
    """One word for each hit point: full, lost (in this step) or empty; the last of stamina says so too."""
    return tuple(_pip(n, now, then) for n in range(1, now.numbers.max_hp + 1))


def _pip(n: int, now: Fighter, then: Fighter) -> str:
    look = "empty"
    if n <= now.hp:
        look = "full"
    elif n <= then.hp:
        look = "lost"
    return f"{look} pip-stamina" if n == now.numbers.stamina else look


def groups(begun: State) -> tuple[Group, ...]:
    """How initiative fell. A name that a fork's text could not hold has no field."""
    return tuple(
        Group(
            each.group,
            listed(member.name for member in begun.members(each.group)),
            each,
            group_control(n, each.group),
            listed(each.faces),
        )
        for n, each in enumerate(begun.initiative, 1)
    )


def initiative_faces(story: Story, group: str) -> str:
    """The faces that a group begins with, as one types them; "" for a group that is not there."""
    return next((listed(each.faces) for each in story.played.begun.initiative if each.group == group), "")


def _step(record: Record, names: Mapping[str, str], changes: Changes | None, label: str) -> StepShown:
    thrown = [roll for roll in record.rolls if isinstance(roll, FightRoll)]
    rolls = tuple(_roll(roll, place, record, names, changes, label) for place, roll in enumerate(thrown))
    return step_came(record, names, rolls)


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


def _edit(place: Place) -> BasicEdit:
    """The fields of the step shown, and the forks that they lead to."""
    record, state = place.record, place.state
    typed = step_fields(record) if record else dict.fromkeys(EDITS, "")
    has_board = record is not None and state.board is not None
    actor = typed["actor"] or state.active or state.fighters[0].id
    waits = (("actor", actor), ("do", NOTHING.do))
    return BasicEdit(
        **forks(place, waits, waits),
        actor=typed["actor"],
        do=typed["do"],
        target=typed["target"],
        uses=typed["with"],
        faces=typed["faces"],
        targets=tuple((each.id, each.name) for each in state.fighters),
        board=tuple((key, words, typed[key]) for key, words in BOARD_EDITS.items()) if has_board else (),
    )


def step_fields(record: Record) -> dict[str, str]:
    """A step's fields as a reader would type them."""
    action = record.action
    faces = record.faces or record.step.faces or ()
    if record.is_hand:
        empty = dict.fromkeys((*EDITS, *BOARD_EDITS), "")
        return {**empty, "do": action.do, "target": action.target, "faces": listed(faces)}
    uses = "" if action.uses is None else listed(action.uses) or "none"
    return {
        "actor": action.actor,
        "do": action.do,
        "target": listed(_unique(action.targets)),
        "with": uses,
        "faces": listed(faces),
        **board_fields(action),
    }


def _unique(targets: Sequence[str]) -> Sequence[str]:
    return targets[:1] if len(set(targets)) == 1 else targets
