"""The replay's answer: the moment after a step of a fight by the basic rules, and the log around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scratch_core.actions import FightRoll
from scratch_core.calculators.replay.board import BOARD_EDITS, board_fields, board_shown
from scratch_core.calculators.replay.changes import (
    Changes,
    deleted,
    file_step,
    inserted,
    listed,
    without_step,
    write_changes,
)
from scratch_core.calculators.replay.log import (
    LONGEST_SAID,
    differ,
    expected_number,
    log_lines,
    step_came,
    window,
)
from scratch_core.calculators.replay.printed import STORY
from scratch_core.calculators.replay.shown import Answer, Edit, FighterShown, Group, RollShown, StepShown
from scratch_core.calculators.replay.stories import Story
from scratch_core.calculators.words import one_line
from scratch_core.scenario import SHIPPED, Record
from scratch_core.state import Fighter, State

EDITS = ("actor", "do", "target", "with", "faces")
"""What of the step shown has a field, named with the step's label: `faces_4`. At step 0, `initiative_1` and on."""

MOST_PIPS = 20
MOST_GROUPS = 12


def answer_at(text: str, original: Story, story: Story, changes: Changes, step: int) -> Answer:
    """The moment after `step` (0 to the number of steps) of a story, beside the file's own where it is a fork."""
    played, own = story.played, original.played
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    state, before = played.states[step], played.states[max(0, step - 1)]
    label = story.labels[step - 1] if step else "0"
    beside = own.states[file_step(label)] if is_fork else None
    names = {each.id: each.name for each in state.fighters}
    record = played.records[step - 1] if step else None
    own_record = own.records[int(label) - 1] if step and is_fork and label.isdigit() else None
    first = story.first if is_fork else None
    low, high = window(step, len(played.records))
    is_json = text.lstrip()[:1] == "{"
    return Answer(
        title=one_line(played.scenario.title, LONGEST_SAID),
        step=step,
        last=len(played.records),
        round=state.round,
        active=names.get(state.active, "") if not state.turn_over else "",
        winner=state.winner,
        note=record.step.note if record else "",
        fighters=tuple(
            fighter_shown(now, then, state, beside.fighter(now.id) if beside else None)
            for now, then in zip(state.fighters, before.fighters, strict=True)
        ),
        groups=groups(played.begun),
        now=_step(record, names, changes, label) if record else None,
        beside=_step(own_record, names, None, label) if own_record and record and differ(own_record, record) else None,
        told=STORY.get(step) if text == SHIPPED["worked-combat"] else None,
        unmet=()
        if is_fork
        else tuple(each.message for each in played.differences if each.n in (step, expected_number(step, played))),
        log=log_lines(low, high, story, own if is_fork else None, first, changes),
        log_from=low,
        log_to=high,
        is_fork=is_fork,
        labels=("with your changes", "in the file"),
        first_difference=first,
        edit=_edit(label, record, story, changes, state),
        is_thrown=original.is_thrown or story.is_thrown,
        file_name=f"scenario.{'json' if is_json else 'toml'}",
        file_text=text,
        made_text=story.text if is_fork or story.is_thrown else "",
        board=board_shown(before, state, record),
    )


def fighter_shown(now: Fighter, then: Fighter, state: State, beside: Fighter | None) -> FighterShown:
    """A fighter `now`, with what has changed since `then`, and beside it the one of the file's own story."""
    differs = beside is not None and (beside.hp, beside.condition) != (now.hp, now.condition)
    most = now.numbers.max_hp
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
        states=tuple(_states(now)),
        is_active=state.active == now.id and not state.turn_over,
        was=(beside.hp, beside.condition) if beside and differs else None,
    )


def _pips(now: Fighter, then: Fighter) -> tuple[str, ...]:
    """One word for each hit point: full, lost (in this step) or empty; the last of stamina says so too."""
    return tuple(
        ("full" if n <= now.hp else "lost" if n <= then.hp else "empty")
        + (" pip-stamina" if n == now.numbers.stamina else "")
        for n in range(1, now.numbers.max_hp + 1)
    )


def _states(fighter: Fighter) -> list[tuple[str, str]]:
    words = [(f"delayed: {cause}", "cond.delayed") for cause in dict.fromkeys(each.cause for each in fighter.delays)]
    flags = (
        (fighter.is_panicked, "panicked", "cond.panicked"),
        (fighter.evading is not None, "evading", "act.evade"),
        (fighter.flying_immune, "out of reach", "flying.immunity"),
        (fighter.in_cover, "in cover", "act.cover"),
        (fighter.engaged, "engaged", "act.engage"),
        (fighter.engage_penalty and not fighter.engaged, "open after engaging", "act.engage.penalty"),
        (fighter.is_immobilized, "immobilized", "grid.hold.immobilize"),
        (bool(fighter.escape_banned_until), "can't escape yet", "grid.interrupt.escape-ban"),
        (fighter.escaped, "escaped", "act.escape.effect"),
    )
    return words + [(word, rule) for is_so, word, rule in flags if is_so]


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


def group_control(n: int, group: str) -> str:
    """The field that changes the faces of the `n`-th group (from 1), "" where a fork's text can't hold its name."""
    is_writable = group == group.strip() and not any(sign in group for sign in ";=\n")
    return f"initiative_{n}" if n <= MOST_GROUPS and is_writable else ""


def initiative_faces(story: Story, group: str) -> str:
    """The faces that a group begins with, as one types them; "" for a group that is not there."""
    return next((listed(each.faces) for each in story.played.begun.initiative if each.group == group), "")


def _step(record: Record, names: Mapping[str, str], changes: Changes | None, label: str) -> StepShown:
    rolls = tuple(_roll(roll, place, record, names, changes, label) for place, roll in enumerate(record.rolls))
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


def _edit(label: str, record: Record | None, story: Story, changes: Changes, state: State) -> Edit:
    fields = step_fields(record) if record else dict.fromkeys(EDITS, "")
    has_board = record is not None and state.board is not None
    written = write_changes(changes)
    place = story.labels.index(label) if record else 0
    actor = fields["actor"] or state.active or state.fighters[0].id
    before = inserted(changes, story.labels[place - 1] if place else "0", actor) if record else None
    after = inserted(changes, label, actor)
    return Edit(
        label=label,
        actor=fields["actor"],
        do=fields["do"],
        target=fields["target"],
        uses=fields["with"],
        faces=fields["faces"],
        take=f"{written}; {label}.*" if written else f"{label}.*",
        drop=write_changes(without_step(changes, label)),
        is_changed=any(place == label for place, _ in changes),
        is_new=not label.isdigit(),
        targets=tuple((each.id, each.name) for each in state.fighters),
        before=write_changes(before) if before else "",
        after=write_changes(after) if after else "",
        delete=write_changes(deleted(changes, label)) if record else "",
        board=tuple((key, words, fields[key]) for key, words in BOARD_EDITS.items()) if has_board else (),
    )


def step_fields(record: Record) -> dict[str, str]:
    """A step's fields as a reader would type them."""
    action = record.action
    uses = "" if action.uses is None else listed(action.uses) or "none"
    faces = record.faces or record.step.faces or ()
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
