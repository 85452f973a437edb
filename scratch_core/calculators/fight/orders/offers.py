"""What may be done now, ready to be printed: every legal act as a button with the small fields it needs.

All of it follows from the `Field`s of an act: targets and choices become buttons, numbers and flags become fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.fight.offers import Barred
from scratch_core.calculators.fight.orders.words import ACTS, CLOSED, LABELS, USES, Said
from scratch_core.errors import Problem
from scratch_core.rounds import LEAVE, SYSTEMS, Act, Field, Rounds, State
from scratch_core.rounds.mano import AMBUSH
from scratch_core.scenario.text import read_json

MOST_BUTTONS = 12
"""As many choices as have each a button; more of them are a list with one button."""

URGENT = ("counter", "let-pass", "seize", "decline")
"""What answers a question: it comes first."""

STARTS = ("start-evading", "start-ready")
"""What is chosen before a first turn, each by its own name, whoever is on turn."""

INTO = ("other", "defence", "stun")
"""Where a spent point goes, the usual place first. Rule: `mano-old.phase.actions`."""


def control_name(do: str, key: str) -> str:
    """The name of the control that a field of an act has."""
    return f"{do}_{key}".replace("-", "_")


ACT_CONTROLS = tuple(
    dict.fromkeys(
        control_name(do, key)
        for system in SYSTEMS.values()
        for do, fields in system.steps.items()
        for key in (*(field.key for field in fields if field.kind in ("number", "spaces", "flag", "choice")), "pick")
    )
)
"""The names of all controls of acts."""


@dataclass(frozen=True, slots=True)
class Control:
    """A small field of an act: `tick`, `number`, or `select` with its options, the default first."""

    name: str
    kind: str
    label: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what it says, whose act it is, and the step that it sends."""

    do: str
    actor: str
    target: str
    label: str
    step: str


@dataclass(frozen=True, slots=True)
class Row:
    """An act that is open, in `groups` of buttons with a label each; or why it is closed.

    `actor` is the only one who may, "" where there are several or none.
    """

    do: str
    said: Said
    actor: str = ""
    controls: tuple[Control, ...] = ()
    groups: tuple[tuple[str, tuple[Press, ...]], ...] = ()
    closed: Problem | None = None

    @property
    def is_start(self) -> bool:
        """Whether it settles how somebody begins, before its first turn. Rule: `mano.start.ready`."""
        return self.do in STARTS

    @property
    def why_closed(self) -> str:
        """Why it is closed, where that needs a sentence of its own."""
        return CLOSED.get(self.do, "") if self.closed and self.closed.got == "none" else ""

    @property
    def is_urgent(self) -> bool:
        """Whether it answers a question."""
        return self.do in URGENT


def rows_of(system: Rounds[Any], state: State, last_use: str = "") -> tuple[Row, ...]:
    """Every act that is open, each once. `last_use` is what points were last spent on: that comes first.

    Rules: `mano.turn.options`, `mano.counter.timing`, `mano-old.phases`, `seize.choose-next`, `seize.claim`.
    """
    acts: dict[str, list[Act]] = {}
    for actor, do in system.names(state):
        acts.setdefault(do, []).extend(system.variants(state, actor, do))
    return tuple(_row(system, state, do, _usual_first(acts[do], last_use)) for do in ACTS[system.name] if do in acts)


def _usual_first(acts: Sequence[Act], last_use: str) -> Sequence[Act]:
    """Spending as it was done last, and into the usual pool, before the others. Rule: `mano-old.action.uses`."""
    if not any(act.use for act in acts):
        return acts
    return sorted(acts, key=lambda act: (act.use != last_use, INTO.index(act.to) if act.to in INTO else len(INTO)))


def facts_of(system: Rounds[Any], state: State) -> tuple[Row, ...]:
    """What the table may tell: hit points lost, stun, damage, somebody out. Rules: `seize.claim`, `mano-old.pools`."""
    return tuple(_fact(system, state, do) for do in system.facts if do != AMBUSH)


def _fact(system: Rounds[Any], state: State, do: str) -> Row:
    said = ACTS[system.name][do]
    present = [each.id for each in system.fighters(state) if not each.out]
    acts = [Act(who, do) if do == LEAVE else Act("", do, who, points=1) for who in present]
    open_to = [act for act in acts if not system.why_not(state, act)]
    if not open_to:
        wrong = system.why_not(state, acts[0])[0] if acts else Problem("act.illegal", "somebody", "nobody", do)
        return Row(do, said, closed=wrong)
    presses = [_press(replace(act, points=0), system, state, ()) for act in open_to]
    return _filled(Row(do, said), _fact_controls(system, do), [("", presses)])


def _fact_controls(system: Rounds[Any], do: str) -> tuple[Control, ...]:
    found = []
    for field in system.steps[do]:
        label = LABELS[system.name].get(field.key, field.key)
        if field.kind == "number":
            found.append(Control(control_name(do, field.key), "number", label, ((str(field.default), ""),)))
        elif field.kind == "choice":
            options = (("", "the usual pools"), *((each, each) for each in field.choices if each != do))
            found.append(Control(control_name(do, field.key), "select", label, options))
    return tuple(found)


def _row(system: Rounds[Any], state: State, do: str, acts: Sequence[Act]) -> Row:
    """One act: what varies in numbers and flags is a field, the rest a button each."""
    hidden = [field.name for field in (*_numbers(system, do), *_ticks(system, do))]
    bare = dict.fromkeys(replace(act, **{name: _NOTHING[name] for name in hidden}) for act in acts)
    actors = {act.actor for act in bare}
    groups: dict[str, list[Press]] = {}
    for act in bare:
        groups.setdefault(USES.get(act.use, ""), []).append(_press(act, system, state, actors))
    row = Row(do, ACTS[system.name][do], acts[0].actor if len(actors) == 1 else "")
    return _filled(row, tuple(_controls(system, do, acts)), [*groups.items()])


def _numbers(system: Rounds[Any], do: str) -> list[Field]:
    return [field for field in system.steps[do] if field.kind == "number"]


def _ticks(system: Rounds[Any], do: str) -> list[Field]:
    return [field for field in system.steps[do] if field.kind == "flag" and not field.default]


def _controls(system: Rounds[Any], do: str, acts: Sequence[Act]) -> Iterator[Control]:
    """The fields of an act: its numbers together, what may be ticked, and how far to move."""
    numbers = _numbers(system, do)
    if numbers:
        sizes = dict.fromkeys(tuple(getattr(act, field.name) for field in numbers) for act in acts)
        yield _sizes(system, do, numbers, [*sizes])
    for field in _ticks(system, do):
        if any(getattr(act, field.name) for act in acts):
            yield Control(control_name(do, field.key), "tick", _label_of(system, field))
    if any(act.move for act in acts):
        for field in system.steps[do]:
            if field.kind == "spaces":
                yield Control(control_name(do, field.key), "number", _label_of(system, field), (("", ""),))


def _label_of(system: Rounds[Any], field: Field) -> str:
    """What stands beside a field of an act."""
    return LABELS[system.name].get(field.key, field.meaning)


_NOTHING: Mapping[str, Any] = {"count": 0, "weapons": 0, "points": 0, "move": False}


def _sizes(system: Rounds[Any], do: str, numbers: Sequence[Field], sizes: Sequence[tuple[int, ...]]) -> Control:
    """A list of the legal numbers: `3 actions, 2 weapons`. Rules: `mano.combo.count`, `mano-old.phase.actions`."""
    options = tuple((",".join(map(str, size)) if any(size) else "", _size_words(size)) for size in sizes)
    return Control(control_name(do, numbers[0].key), "select", _label_of(system, numbers[0]), options)


def _size_words(size: tuple[int, ...]) -> str:
    if len(size) == 1:
        return str(size[0])
    count, weapons = size
    if not count:
        return "one action"
    actions = f"{count} quick action{'' if count == 1 else 's'}"
    return f"{actions}, one weapon" if weapons == 1 else f"{actions}, {weapons} weapons"


def _filled(row: Row, controls: Sequence[Control], groups: Sequence[tuple[str, Sequence[Press]]]) -> Row:
    """The row with its buttons, or with a list and one button where they would be too many."""
    presses = [press for _, group in groups for press in group]
    if len(presses) <= MOST_BUTTONS:
        return replace(row, controls=(*controls,), groups=tuple((label, tuple(group)) for label, group in groups))
    options = tuple((press.step, f"{label} {press.label}".strip()) for label, group in groups for press in group)
    picked = Control(control_name(row.do, "pick"), "select", "which" if row.actor else "who", options)
    one = Press(row.do, row.actor, "", row.said.verb, json.dumps({"do": row.do}))
    return replace(row, controls=(picked, *controls), groups=(("", (one,)),))


def _press(act: Act, system: Rounds[Any], state: State, actors: Iterable[str]) -> Press:
    step = {key: value for key, value in act.step().items() if key != "points"}
    written = json.dumps(step, ensure_ascii=False, separators=(",", ":"))
    return Press(act.do, act.actor, act.target, _label(act, system, state, len([*actors])), written)


def _label(act: Act, system: Rounds[Any], state: State, actors: int) -> str:
    if act.take:
        return ", ".join(f"{points} from {pool}" for pool, points in act.take)
    if act.to:
        return f"into {act.to}"
    if act.do == "delay-turn":
        return f"{'after' if act.after else 'before'} {system.name_of(state, act.target)}"
    if act.target:
        return system.name_of(state, act.target)
    if any(field.key == "target" for field in system.steps[act.do]):
        return "something else"
    return _own_label(act, system, state, actors)


def _own_label(act: Act, system: Rounds[Any], state: State, actors: int) -> str:
    """The label of an act with no more to it than who does it."""
    said = ACTS[system.name][act.do]
    if act.do in ("seize", "decline"):
        return f"{system.name_of(state, act.actor)} {said.short}"
    if actors > 1 or act.do in (LEAVE, "turn", *STARTS):
        return system.name_of(state, act.actor)
    return said.short or said.verb


# Reading what was pressed


def pressed_step(system: Rounds[Any], step: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """The step of a button with the fields that belong to its act; what can't be read stays as it was typed."""
    do = step.get("do")
    fields = system.steps.get(do, ()) if isinstance(do, str) else ()
    whole = _picked(step, typed.get(control_name(str(do), "pick"), "")) if len(step) == 1 else dict(step)
    numbers = [field for field in fields if field.kind == "number"]
    for field in fields:
        text = typed.get(control_name(str(do), field.key), "").strip()
        if not text or field.key in whole:
            continue
        if field.kind == "number":
            parts = text.split(",") if field is numbers[0] else [text]
            whole |= {each.key: _number(part) for each, part in zip(numbers, parts, strict=False)}
        elif field.kind in _AS_TYPED:
            whole[field.key] = _AS_TYPED[field.kind](text)
    return whole


def _picked(step: Mapping[str, Any], picked: str) -> dict[str, Any]:
    """The whole step that was picked from a list, where it is one of the same act."""
    found = _table(picked) if picked else {}
    return found if found and found.get("do") == step.get("do") else dict(step)


def _table(text: str) -> dict[str, Any]:
    found = read_json(text) if len(text) <= 1_000 else None
    return found if isinstance(found, dict) else {}


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"\s*-?[0-9]{1,9}\s*", text, re.ASCII) else text


def _is_ticked(text: str) -> bool:
    return text == "true"


_AS_TYPED: Mapping[str, Callable[[str], Any]] = {"flag": _is_ticked, "choice": str, "spaces": _number}
"""How what was typed into a single field becomes the value of a step."""


# What is not open


def barred_of(system: Rounds[Any], state: State, actor: str) -> tuple[Barred, ...]:
    """Every act that somebody can't do now, and why; the same reason once, with everything that it forbids."""
    found: dict[tuple[str | None, str], tuple[list[str], Problem]] = {}
    for title, first in _closed(system, state, actor) if actor else ():
        titles, kept = found.get((first.rule, first.expected), ([], first))
        same = kept if kept.got == first.got else replace(kept, got="another act")
        found[first.rule, first.expected] = ([*titles, title], same)
    return tuple(Barred(tuple(titles[:MOST_BUTTONS]), problem) for titles, problem in found.values())


def _closed(system: Rounds[Any], state: State, actor: str) -> Iterator[tuple[str, Problem]]:
    """The acts that somebody can't do, each with the first reason; a turn is seized for anybody."""
    open_to = {do for _, do in system.names(state)}
    others = [each.id for each in system.fighters(state) if each.id != actor and not each.out]
    for do, said in ACTS[system.name].items():
        if do not in system.acts or do == "decline" or do in open_to:
            continue
        for who in (actor, *others) if do == "seize" else (actor,):
            problems = system.why_not(state, _sample(do, who, others))
            if problems:
                yield (said.verb if do != "seize" else f"{said.verb} ({system.name_of(state, who)})"), problems[0]


def _sample(do: str, actor: str, others: Sequence[str]) -> Act:
    """A plain act of that name, to ask why it is closed."""
    some: Mapping[str, Mapping[str, Any]] = {
        "combo": {"count": 1, "weapons": 1},
        "spend": {"points": 1, "use": "manoeuvre", "to": "other"},
        "choose": {"target": others[0] if others else ""},
    }
    return Act(actor, do, **some.get(do, {}))
