"""The fight on the table: a scenario file as text, everything played so far, one more step, one step less."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.dice import Roller
from scratch_core.encounter.actions import may_leave_cover_to_interrupt
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import Problem, ScratchError, join_words
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.rulebook.actions import INTERRUPT, LEAVE_COVER
from scratch_core.scenario import (
    MAX_STEPS,
    RESULT_KEYS,
    AnySystem,
    NoDice,
    Playthrough,
    Scenario,
    StepResult,
    find_turn_system_name,
    format_json,
    list_step_rounds,
    parse_next_step,
    parse_scenario,
    scenario_from_dict,
)
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, JOIN

Step = Mapping[str, Any]

_HEAD_KEYS = ("format", "title", "system", "rulings", "characters", "initiative", "board")
"""What a fight keeps of a file, and after it what its order of turns has there: not what a play adds."""

DELETE_STEP = "strike"
"""What the page calls a step that strikes another one out: it stands in no file."""

REMAINING_STEPS_TO_WARN = 60
"""So many steps before the limit the page begins to say so."""

_MAX_CACHED_CHARACTERS = 2_000_000
"""As many characters of fights' texts are remembered, the last fight in any case."""


@dataclass(frozen=True)
class Fight:
    """A fight so far: its play, the steps as they are written, and the text of the scenario file of it all.

    `started_playthrough` is the play in which the fight has begun, as it has on a page in any case. `own_narration`
    tells how it came to be, where its last step does not.
    """

    playthrough: Playthrough
    steps: tuple[Step, ...]
    file_text: str
    own_narration: str = ""

    @cached_property
    def started_playthrough(self) -> Playthrough:
        """The play, with the beginning that the fight would have now where it has none yet."""
        return self.playthrough.with_beginning(NoDice())

    @property
    def scenario(self) -> Scenario:
        """The fight without its steps."""
        return self.playthrough.scenario

    @cached_property
    def results(self) -> tuple[StepResult, ...]:
        """What came of each step; an illegal one says why in a player's words."""
        return tuple(
            each if each.is_legal else replace(each, narration=_format_refusal(each))
            for each in self.playthrough.results
        )

    @property
    def states(self) -> tuple[Any, ...]:
        """The states, that before step n at n - 1."""
        return self.playthrough.states

    @cached_property
    def rounds_by_step(self) -> tuple[int, ...]:
        """The round in which each step was taken."""
        return list_step_rounds(self.system, self.results, self.states)

    @property
    def opening_narration(self) -> str:
        """The sentence that tells how it began."""
        beginning = self.started_playthrough.beginning
        return beginning.narration if beginning else ""

    @property
    def narration(self) -> str:
        """What happened last, in a sentence."""
        return self.own_narration or (self.results[-1].narration if self.results else self.opening_narration)

    @property
    def state(self) -> Any:
        """The state now: the fight has begun in any case."""
        return self.started_playthrough.state

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.playthrough.system

    @property
    def fixed_step_count(self) -> int:
        """How many steps are the beginning, and are not taken back. Rule: `mano.surprise.two-rolls`."""
        return self.playthrough.setup_step_count if self.system.begins_at_once else 0


def format_compact_json(tree: Any) -> str:
    """A fight's file, or a part of it, in as few characters as may be."""
    return format_json(tree, separators=(",", ":"))


def _append_step(fight: Fight, step: Step) -> str:
    """The text of a fight with one more step behind the others, which stand at its end."""
    comma = "," if fight.steps else ""
    return f"{fight.file_text.removesuffix(']}')}{comma}{format_compact_json(step)}]}}"


class FightCache:
    """The fights met lately, by their text: one more step must not play all the others again."""

    def __init__(self) -> None:
        self.fights: dict[str, Fight] = {}
        self.character_count = 0

    def store(self, fight: Fight) -> Fight:
        """Keep a fight, and forget the oldest ones beyond the limit."""
        self.character_count += len(fight.file_text) if fight.file_text not in self.fights else 0
        self.fights[fight.file_text] = fight
        while self.character_count > _MAX_CACHED_CHARACTERS and len(self.fights) > 1:
            oldest = next(iter(self.fights))
            del self.fights[oldest]
            self.character_count -= len(oldest)
        return fight


_fight_cache = FightCache()


def begin_fight(head: Mapping[str, Any], roller: Roller | None, steps: Sequence[Step] = ()) -> Fight:
    """A new fight of that head: rulings, characters, faces, and so on; what is missing the roller throws.

    Raises `ScratchError`: the scenario's problems, `fight.dice` without a roller, and those of `System.begin`.
    Rules: `turn.encounter`, `turn.initiative-roll`, `turn.tie`, `mano.start.first`, `seize.roll`.
    """
    return _play_fight({"format": SCENARIO_FORMAT, "title": "A fight", **head}, steps, roller)


def open_fight(text: str, roller: Roller | None) -> tuple[Fight, tuple[Step, ...]]:
    """A fight from the text of a scenario file, TOML or JSON, and the steps whose dice are still to be thrown.

    Those begin with the first step that has no faces and needs some. Raises `ScratchError` for what is no scenario.
    """
    known = _fight_cache.fights.get(text)
    if known is not None:
        return known, ()
    scenario = parse_scenario(text)
    steps = tuple({key: value for key, value in step.tree.items() if key not in RESULT_KEYS} for step in scenario.steps)
    keys = (*_HEAD_KEYS, *(field.key for field in scenario.system.setup_fields))
    fight = _play_fight({key: scenario.tree[key] for key in keys if key in scenario.tree}, steps, roller)
    for place, record in enumerate(fight.results):
        if record.error and record.step.faces is None:
            return _play_fight(fight.scenario.tree, steps[:place], roller), steps[place:]
    return fight, ()


def detect_system_name(text: str) -> str:
    """The name of the turn order in the text of a scenario file; Scratch's where it can't be read."""
    known = _fight_cache.fights.get(text)
    return known.system.name if known is not None else find_turn_system_name(text)


def _play_fight(head: Mapping[str, Any], steps: Sequence[Step], roller: Roller | None) -> Fight:
    """Play all of it; the faces of the beginning are written down, those of the steps are never thrown here."""
    scenario = scenario_from_dict({**head, "steps": list(steps)})
    acts = [step.action for step in scenario.steps]
    opening = scenario.steps[: scenario.system.count_setup_steps(acts)]
    dice = roller or NoDice()
    step_dice = dice if scenario.system.begins_at_once or not opening else NoDice()  # those of crafting are known
    faces = Playthrough.run(replace(scenario, steps=opening), step_dice).with_beginning(dice).faces
    tree = {**head, "initiative": {who: list(each) for who, each in faces.items()}} if faces else head
    play = Playthrough.run(replace(scenario, initiative=faces), NoDice(), waiting=True)
    bare = replace(scenario, initiative=faces, steps=(), expect=(), tree=tree)
    return _cache_fight(replace(play, scenario=bare), steps, format_compact_json({**tree, "steps": list(steps)}))


def _cache_fight(play: Playthrough, steps: Sequence[Step], text: str) -> Fight:
    """The fight of a play, remembered."""
    return _fight_cache.store(Fight(play, tuple(steps), text))


def add_step(fight: Fight, step: Step, roller: Roller | None, faces: Iterable[int] | None) -> Fight | StepResult:
    """The fight with one more step, its faces written down; or, when the step is not allowed, its record.

    A step that strikes another one out gives the fight without it. Faces given are those of its dice; without them
    the roller throws. Raises `ScratchError`: what is no step, faces too few, too many or impossible, and `fight.steps`
    when there are too many steps.
    """
    if len(fight.steps) >= MAX_STEPS:
        raise ScratchError(Problem("fight.steps", f"{MAX_STEPS:,} steps at most", "one more", "log"))
    if step.get("do") == DELETE_STEP:
        return _delete_step(fight, step.get("step"), roller)
    joined = [each["character"] for each in fight.steps if each["do"] == JOIN and not each.get("actor")]
    found = parse_next_step(fight.scenario, step, joined)
    _check_answer(fight, found.action)
    absent = fight.started_playthrough.check_participants(found.action)
    if absent is not None:
        raise ScratchError(absent)
    given = fight.playthrough.find_recorded_faces(found) if faces is None else tuple(faces)
    play = fight.playthrough.add_step(replace(found, faces=given), roller or NoDice())
    record = play.results[-1]
    if record.error:
        _raise_face_problem(record.error)
    if not record.is_legal:
        return record
    if given is not None and _is_waiting(record):
        needed = play.count_pending_faces(record.state)
        if needed != len(given):
            raise ScratchError(_build_face_count_problem(needed, len(given)))
    written = _add_rolled_faces(record, step, given)
    steps = (*fight.steps, written)
    if _is_before_first_turn(fight, [*(each.action for each in fight.results), found.action]):
        return _play_fight(fight.scenario.tree, steps, roller)
    return _cache_fight(play, steps, _append_step(fight, written))


_DELETION = "striking a step"
"""The place of a problem of a step that can't be deleted."""


def _delete_step(fight: Fight, number: object, roller: Roller | None) -> Fight:
    """The fight as if a step had not been: its file without that one, all others as they were, with their dice.

    The roller throws for a tie of the initiative that there was not with it.
    Raises `ScratchError` (`gm.delete-…`) where a later step would be illegal then, or would need other dice.
    """
    if not isinstance(number, int) or not fight.fixed_step_count < number <= len(fight.steps):
        expected = "a step after the beginning that has been"
        raise ScratchError(Problem("gm.delete-none", expected, str(number), _DELETION))
    before = [record for record in fight.results if record.n != number]
    try:
        after = _play_fight(fight.scenario.tree, [fight.steps[record.n - 1] for record in before], roller)
    except ScratchError:
        expected = "a fight in which everyone who acts has joined"
        raise ScratchError(Problem("gm.delete-join", expected, "one without", _DELETION)) from None
    wrong = [own.n for own, now in zip(before, after.results, strict=True) if own.is_legal and not now.is_legal]
    if wrong:
        steps = f"step{'s' if len(wrong) > 1 else ''} {join_words([*map(str, wrong)])}"
        expected, facts = "later steps that can stay as they are", {"steps": steps}
        raise ScratchError(Problem("gm.delete-needed", expected, f"{steps}, illegal then", _DELETION, facts=facts))
    return replace(
        after, own_narration=f"Game master: step {number} deleted. The later steps are played again without it."
    )


def _add_rolled_faces(record: StepResult, step: Step, given: Sequence[int] | None) -> Step:
    """The step with the faces thrown for it; where it waits, with those given for later."""
    if record.faces:
        return {**step, "faces": list(record.faces)}
    if given is not None and _is_waiting(record):
        return {**step, "faces": list(given)}
    return {**step}


def _is_before_first_turn(fight: Fight, acts: Sequence[Any]) -> bool:
    """Whether the last of these acts comes before the first turn, and so before the beginning."""
    return not fight.system.begins_at_once and fight.system.count_setup_steps(acts) == len(acts) > 0


def _check_answer(fight: Fight, action: Any) -> None:
    """What waits is to be answered before anything else. Raises `ScratchError` (`fight.waits`)."""
    interrupts, state = fight.system.interrupts, fight.state
    if interrupts and state.has_pending_action and not interrupts.is_answer_to_pending(state, action):
        got = fight.system.title_of(action.do)
        raise ScratchError(Problem("fight.waits", "who interrupts to be told first", got, "act", "grid.interrupt.what"))


def _is_waiting(record: StepResult) -> bool:
    """Return whether a step waits for interrupts, before its rolls. Rule: `grid.interrupt.what`."""
    interrupts = record.system.interrupts
    may_wait = interrupts is not None and record.do in interrupts.exposing_actions
    return may_wait and not record.rolls and record.state.has_pending_action


def _raise_face_problem(problem: Problem) -> NoReturn:
    """Raise the problem of a step's faces, at their control.

    Raises `ScratchError` (`fight.faces` or `fight.faces.none` for too few or too many).
    """
    if problem.code == "scenario.faces":
        raise ScratchError(_build_face_count_problem(**problem.facts))
    raise ScratchError(problem.move_to("faces"))


def _build_face_count_problem(needed: int, given: int) -> Problem:
    """Build the problem of too few or too many faces."""
    facts, words = {"needed": needed, "given": given}, "one face" if needed == 1 else f"{needed} faces"
    if not needed:
        return Problem("fight.faces.none", "no faces, for nothing is rolled", f"{given:,}", "faces", facts=facts)
    return Problem("fight.faces", words, f"{given:,}", "faces", facts=facts)


def get_pending_faces(fight: Fight) -> tuple[int, ...]:
    """The faces thrown already for the act that waits; () for none. Rule: `grid.interrupt.what`."""
    exposed = fight.playthrough.last_exposing_result
    return exposed.step.faces or () if exposed and fight.state.has_pending_action else ()


def is_cover_interrupt(steps: Sequence[Step]) -> bool:
    """Whether the first two of these steps are one: someone leaves cover and interrupts. Rule: `act.cover.stay`."""
    if len(steps) < 2:
        return False
    first, second = steps[:2]
    is_pair = first.get("do") == LEAVE_COVER.do and second.get("do") == INTERRUPT.do
    return is_pair and first.get("actor") == second.get("actor")


def is_follow_up(fight: Fight, step: Step) -> bool:
    """Whether a step is the one that goes on by itself after the fight's last. Rule: `act.fighting.double`."""
    act = fight.system.find_only_follow_up(fight.state)
    return act is not None and all(step.get(key) == value for key, value in act.to_step().items())


def add_leave_cover_step(fight: Fight, step: Step) -> Fight:
    """The fight in which whoever interrupts by this step has left cover for it; as it is, where no one has to.

    Raises `ScratchError` (`fight.steps`) when there are too many steps. Rules: `act.cover.stay`,
    `grid.interrupt.unable`.
    """
    interrupts, state = fight.system.interrupts, fight.state
    if step.get("do") != INTERRUPT.do or interrupts is None or not state.has_pending_action:
        return fight
    for each in state.fighters:
        if each.id == step.get("actor") and may_leave_cover_to_interrupt(state, each.id):
            after = add_step(fight, {"actor": each.id, "do": LEAVE_COVER.do}, None, None)
            return fight if isinstance(after, StepResult) else after
    return fight


def format_with_undone_steps(fight: Fight, undone: Sequence[Step]) -> str:
    """The file of a fight with the steps taken back at its end."""
    return format_compact_json({**fight.scenario.tree, "steps": [*fight.steps, *undone]})


def undo_last_step(fight: Fight, roller: Roller | None) -> tuple[Fight, Step]:
    """The fight without its last step, and that step; what had been settled for it waits again.

    The roller throws for a tie of the initiative that there was not with the step. Raises `ScratchError` (`fight.dice`)
    for one without a roller. Rules: `turn.tie`, `craft.encounter-lock`.
    """
    *steps, last = fight.steps
    back = fight.playthrough.undo_step()
    was_settled = any(each.declared_state is not None or each.resolution for each in back.original_results[-1:])
    if was_settled or _is_before_first_turn(fight, [record.action for record in fight.results]):
        return _play_fight(fight.scenario.tree, steps, roller), last
    return _cache_fight(back, steps, format_compact_json({**fight.scenario.tree, "steps": steps})), last


# A fight too long for one file goes on in a new one


def find_remaining_steps(fight: Fight) -> int | None:
    """How many steps a fight's file still has room for, None while that is no worry."""
    left = MAX_STEPS - len(fight.steps)
    return left if left <= REMAINING_STEPS_TO_WARN else None


def build_rematch_head(fight: Fight) -> dict[str, Any]:
    """The head of a fight of everyone who is still in this one, in today's order, each as it is; nothing else lasts.

    Rules: `hp.start`, `turn.initiative-roll`, `mano.order.seating`.
    """
    system, state, tree = fight.system, fight.state, fight.scenario.tree
    known = {table["id"]: table for table in (*tree["characters"], *_list_joined_characters(fight))}
    here = [each.id for each in state.fighters if not each.is_away]
    ranked = state.turn_order if system.character_fields else ()
    order = [*(who for who in ranked if who in here), *(who for who in here if who not in ranked)]
    kept = {key: tree[key] for key in ("title", "system", "rulings", "board") if key in tree}
    head = {**kept, "characters": [_update_character_data(fight, known[who], who, here) for who in order]}
    faces = {
        each.group: list(each.faces)
        for each in getattr(state, "initiative", ())
        if any(who in here for who in state.list_ids_sharing_turn(each.group))
    }
    return {**head, "initiative": faces} if faces else head


def _list_joined_characters(fight: Fight) -> list[Mapping[str, Any]]:
    """The tables of those whom the game master has let join, each with the space that stands beside it."""
    joins = [step for step in fight.steps if step["do"] == JOIN and not step.get("actor")]
    return [{**step["character"], **({"at": step["at"]} if "at" in step else {})} for step in joins]


def _update_character_data(fight: Fight, table: Mapping[str, Any], who: str, here: list[str]) -> dict[str, Any]:
    """A table of a character with what it has left of hit points, stun and pools, and on a board with its space.

    A new fight has no crafted bonuses, nor the hit points that they gave. Rule: `hp.max`.
    """
    fighter, fields = fight.state.fighter(who), fight.system.character_fields
    keys = [field.key for field in fields if field.key in ("stun", "hp")] if fields else ["hp", "group"]
    found = {**table, "side": fighter.side, **{key: getattr(fighter, key) for key in keys}}
    if not fields:
        found["hp"] = min(fighter.hp, replace(fighter.character, bonuses=()).max_hp().value)
    for field in fields:
        if pools := field.type.split(field):
            found[field.key] = {pool.key: fighter.get_points(pool.key) for pool in pools}
    if CHANGE_SURROUNDINGS in fight.system.gm_fields:
        found["here"] = sorted(fighter.here, key=SURROUNDINGS.index)
    if getattr(fighter, "at", None) is not None:
        found["at"] = list(fighter.at)
    if found.get("minion_of", who) not in here:
        del found["minion_of"]
    return found


def _format_refusal(record: StepResult) -> str:
    """Say for players who could not take a step, and why."""
    names = {each.id: each.name for each in record.state.fighters}
    reasons = (record.error,) if record.error else record.problems[:1]
    why = " ".join(format_problem_sentence(problem) for problem in reasons)
    return f"{names.get(record.actor, 'Game master')}, {record.title}: not allowed. {why}".strip()
