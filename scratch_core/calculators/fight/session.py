"""The fight on a page: opening a scenario file, adding a step to it, undoing and deleting steps."""

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
    detect_turn_system_name,
    format_json,
    list_step_rounds,
    parse_next_step,
    parse_scenario,
    scenario_from_dict,
)
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, GAME_MASTER, JOIN, conceal

Step = Mapping[str, Any]

_HEAD_KEYS = ("format", "title", "system", "rulings", "characters", "initiative", "board")
"""The keys of a scenario file that a fight keeps. Those of its turn system follow them. Results that a replay adds are
dropped."""

DEFAULT_TITLE = "A fight"
"""The title in the file of a fight that the user has not named."""

DELETE_STEP = "strike"
"""The page's name of a step that deletes another step. Files never contain it."""

REMAINING_STEPS_TO_WARN = 60
"""The number of steps before the limit from which the page warns."""

_MAX_CACHED_CHARACTERS = 2_000_000
"""The maximum total length of the cached fights' texts. The last fight is cached in any case."""


@dataclass(frozen=True)
class Fight:
    """A fight so far."""

    playthrough: Playthrough
    """Everything played so far."""
    steps: tuple[Step, ...]
    """The steps, as a scenario file has them."""
    head_text: str
    """The keys of the scenario file before its steps, as compact JSON without braces."""
    step_texts: tuple[str, ...]
    """The text of each step in the scenario file, as compact JSON."""
    own_narration: str = ""
    """A sentence that replaces the last step's narration, or ""."""

    @cached_property
    def file_text(self) -> str:
        """The text of the scenario file with all steps, as compact JSON."""
        return _join_file_text(self.head_text, self.step_texts)

    @cached_property
    def playthrough_with_beginning(self) -> Playthrough:
        """The playthrough in which the fight has begun.

        A page always shows a fight that has begun. If it has not, this is the beginning that it would have now.
        """
        return self.playthrough.with_beginning(NoDice())

    @property
    def scenario(self) -> Scenario:
        """The fight without its steps."""
        return self.playthrough.scenario

    @cached_property
    def results(self) -> tuple[StepResult, ...]:
        """The results of the steps.

        The narration of an illegal step is a sentence for players that gives the reason.
        """
        return tuple(
            each if each.is_legal else replace(each, sentences=conceal(GAME_MASTER, "{}", _format_refusal(each)))
            for each in self.playthrough.results
        )

    @property
    def states(self) -> tuple[Any, ...]:
        """The states. The state before step n is at index n - 1."""
        return self.playthrough.states

    @cached_property
    def rounds_by_step(self) -> tuple[int, ...]:
        """The round of each step."""
        return list_step_rounds(self.system, self.results, self.states)

    @property
    def opening_narration(self) -> str:
        """How the fight began, as a sentence, or ""."""
        beginning = self.playthrough_with_beginning.beginning
        return beginning.narration if beginning else ""

    @property
    def narration(self) -> str:
        """What happened last, as a sentence."""
        return self.own_narration or (self.results[-1].narration if self.results else self.opening_narration)

    @property
    def state(self) -> Any:
        """The present state, in which the fight has begun."""
        return self.playthrough_with_beginning.state

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return self.playthrough.system

    @property
    def fixed_step_count(self) -> int:
        """The number of first steps that can't be undone: the beginning, such as an ambush.

        Bonuses crafted before the first turn are not among them. Rule: `mano.surprise.two-rolls`.
        """
        return self.playthrough.setup_step_count if self.system.begins_at_once else 0


def format_compact_json(tree: Any) -> str:
    """Format a fight's file, or a part of it, as JSON without spaces."""
    return format_json(tree, separators=(",", ":"))


def _format_head_without_braces(tree: Mapping[str, Any]) -> str:
    """Format the keys of a file before its steps, as compact JSON without braces."""
    return ",".join(f"{format_compact_json(key)}:{format_compact_json(value)}" for key, value in tree.items())


def _join_file_text(head_text: str, step_texts: Iterable[str]) -> str:
    """Join the text of a scenario file. Its steps are the last key."""
    return f'{{{head_text},"steps":[{",".join(step_texts)}]}}'


class FightCache:
    """A cache of recent fights by the text of their files. Opening a cached fight does not replay its steps."""

    def __init__(self) -> None:
        self.fights: dict[str, Fight] = {}
        self.character_count = 0

    def store(self, fight: Fight) -> Fight:
        """Store a fight, and drop the oldest ones beyond the limit."""
        self.character_count += len(fight.file_text) if fight.file_text not in self.fights else 0
        self.fights[fight.file_text] = fight
        while self.character_count > _MAX_CACHED_CHARACTERS and len(self.fights) > 1:
            oldest = next(iter(self.fights))
            del self.fights[oldest]
            self.character_count -= len(oldest)
        return fight


_fight_cache = FightCache()


def begin_fight(head: Mapping[str, Any], roller: Roller | None, steps: Sequence[Step] = ()) -> Fight:
    """Begin a fight from a scenario's head: rulings, characters, faces and so on.

    The roller rolls missing faces. `steps` are the first steps. Raises `ScratchError`: the scenario's problems,
    `fight.dice` without a roller, and those of the turn system's beginning. Rules: `turn.encounter`,
    `turn.initiative-roll`, `turn.tie`, `mano.start.first`, `seize.roll`.
    """
    return _play_fight({"format": SCENARIO_FORMAT, "title": DEFAULT_TITLE, **head}, steps, roller)


def open_fight(text: str, roller: Roller | None) -> tuple[Fight, tuple[Step, ...]]:
    """Open a fight from the text of a scenario file, TOML or JSON.

    Returns the fight, which it caches, and the steps from the first that needs faces and has none; () if all have been
    played. Raises `ScratchError` for a text that is no scenario, and `fight.dice` if the beginning needs dice and there
    is no roller.
    """
    cached = _fight_cache.fights.get(text)
    if cached is not None:
        return cached, ()
    scenario = parse_scenario(text)
    steps = tuple({key: value for key, value in step.tree.items() if key not in RESULT_KEYS} for step in scenario.steps)
    head_keys = (*_HEAD_KEYS, *(field.key for field in scenario.system.setup_fields))
    fight = _play_fight({key: scenario.tree[key] for key in head_keys if key in scenario.tree}, steps, roller)
    for index, record in enumerate(fight.results):
        if record.error and record.step.faces is None:
            return _fight_cache.store(_play_fight(fight.scenario.tree, steps[:index], roller)), steps[index:]
    return _fight_cache.store(fight), ()


def save_fight(fight: Fight) -> str:
    """Return the text of a fight's file, and cache the fight for `open_fight`."""
    return _fight_cache.store(replace(fight, own_narration="") if fight.own_narration else fight).file_text


def detect_system_name(text: str) -> str:
    """Return the name of the turn system in a scenario file's text.

    Returns that of the basic rules if the text can't be parsed.
    """
    cached = _fight_cache.fights.get(text)
    return cached.system.name if cached is not None else detect_turn_system_name(text)


def _play_fight(head: Mapping[str, Any], steps: Sequence[Step], roller: Roller | None) -> Fight:
    """Play a head with its steps.

    The faces of the beginning are recorded in the file. The roller never rolls for the steps.
    """
    scenario = scenario_from_dict({**head, "steps": list(steps)})
    actions = [step.action for step in scenario.steps]
    setup_steps = scenario.steps[: scenario.system.count_setup_steps(actions)]
    dice = roller or NoDice()
    # the steps of crafting have their faces already
    step_dice = dice if scenario.system.begins_at_once or not setup_steps else NoDice()
    faces = Playthrough.run(replace(scenario, steps=setup_steps), step_dice).with_beginning(dice).faces
    tree = {**head, "initiative": {who: list(each) for who, each in faces.items()}} if faces else head
    play = Playthrough.run(replace(scenario, initiative=faces), NoDice(), waiting=True)
    scenario_without_steps = replace(scenario, initiative=faces, steps=(), expect=(), tree=tree)
    step_texts = tuple(map(format_compact_json, steps))
    return Fight(
        replace(play, scenario=scenario_without_steps), tuple(steps), _format_head_without_braces(tree), step_texts
    )


def add_step(fight: Fight, step: Step, roller: Roller | None, faces: Iterable[int] | None) -> Fight | StepResult:
    """Return the fight with one more step, which records its faces.

    `faces` are those of its dice; if None, the roller rolls them. A step that deletes another returns the fight without
    it. Returns the result of a step that is not allowed. Raises `ScratchError` for an invalid step, for too few, too
    many or impossible faces, and for too many steps (`fight.steps`).
    """
    if len(fight.steps) >= MAX_STEPS:
        raise ScratchError(Problem("fight.steps", f"{MAX_STEPS:,} steps at most", "one more", "log"))
    if step.get("do") == DELETE_STEP:
        return _delete_step(fight, step.get("step"), roller)
    joined = [each["character"] for each in fight.steps if each["do"] == JOIN and not each.get("actor")]
    found = parse_next_step(fight.scenario, step, joined)
    _require_answer_to_pending_action(fight, found.action)
    absent = fight.playthrough_with_beginning.find_absent_participant_problem(found.action)
    if absent is not None:
        raise ScratchError(absent)
    given = fight.playthrough.find_recorded_faces(found) if faces is None else tuple(faces)
    play = fight.playthrough.add_step(replace(found, faces=given), roller or NoDice())
    record = play.results[-1]
    if record.error:
        _raise_face_problem(record.error)
    if not record.is_legal:
        return record
    if given is not None and _is_waiting_for_interrupts(record):
        needed = play.count_pending_faces(record.state)
        if needed != len(given):
            raise ScratchError(_build_face_count_problem(needed, len(given)))
    written = _add_rolled_or_given_faces(record, step, given)
    steps = (*fight.steps, written)
    if _is_before_first_turn(fight, [*(each.action for each in fight.results), found.action]):
        return _play_fight(fight.scenario.tree, steps, roller)
    return Fight(play, steps, fight.head_text, (*fight.step_texts, format_compact_json(written)))


_DELETION = "striking a step"
"""The location of a problem of a step that can't be deleted."""


def _delete_step(fight: Fight, number: object, roller: Roller | None) -> Fight:
    """Delete a step by replaying all others with their recorded faces.

    The roller rolls for an initiative tie that arises without the step. Raises `ScratchError` (`gm.delete-…`) if there
    is no such step, if a later step would become illegal, or if it would need other dice.
    """
    if not isinstance(number, int) or not fight.fixed_step_count < number <= len(fight.steps):
        expected = "a step after the beginning that has been"
        raise ScratchError(Problem("gm.delete-none", expected, str(number), _DELETION))
    other_results = [record for record in fight.results if record.n != number]
    try:
        after = _play_fight(fight.scenario.tree, [fight.steps[record.n - 1] for record in other_results], roller)
    except ScratchError:
        expected = "a fight in which everyone who acts has joined"
        raise ScratchError(Problem("gm.delete-join", expected, "one without", _DELETION)) from None
    illegal_numbers = [
        old.n for old, new in zip(other_results, after.results, strict=True) if old.is_legal and not new.is_legal
    ]
    if illegal_numbers:
        steps = f"step{'s' if len(illegal_numbers) > 1 else ''} {join_words([*map(str, illegal_numbers)])}"
        expected, facts = "later steps that can stay as they are", {"steps": steps}
        raise ScratchError(Problem("gm.delete-needed", expected, f"{steps}, illegal then", _DELETION, facts=facts))
    return replace(
        after, own_narration=f"Game master: step {number} deleted. The later steps are played again without it."
    )


def change_roll(
    fight: Fight, number: object, faces: Sequence[int], roller: Roller | None
) -> tuple[Fight, tuple[StepResult, ...]]:
    """Play a fight again with other faces for a step.

    Returns it, and the results of the later steps that no longer fit: they are illegal or need other dice, and are left
    out. Raises `ScratchError`: `roll.change-none` if no step with this number has faces, and the problems of the faces.
    """
    steps = fight.steps
    if not isinstance(number, int) or not 0 < number <= len(steps) or not steps[number - 1].get("faces"):
        raise ScratchError(Problem("roll.change-none", "a step with a die roll", str(number), "act"))
    before = _play_fight(fight.scenario.tree, steps[: number - 1], roller)
    changed = _add_recorded_step(before, {**steps[number - 1], "faces": list(faces)}, roller)
    if isinstance(changed, StepResult):
        raise ScratchError(*changed.problems)
    after, dropped_results = changed, list[StepResult]()
    for step, result in zip(steps[number:], fight.results[number:], strict=True):
        try:
            longer = _add_recorded_step(after, step, None)
        except ScratchError:
            longer = result
        if isinstance(longer, StepResult):
            dropped_results.append(result)
        else:
            after = longer
    old_text, new_text = (", ".join(map(str, each)) for each in (steps[number - 1]["faces"], faces))
    narration = f"Step {number}: rolled {new_text} instead of {old_text}. The later steps are played again."
    return replace(after, own_narration=narration), tuple(dropped_results)


def _add_recorded_step(fight: Fight, step: Step, roller: Roller | None) -> Fight | StepResult:
    """Return the fight with one more step of a file, which has its faces."""
    recorded_step = {key: value for key, value in step.items() if key != "faces"}
    return add_step(fight, recorded_step, roller, step.get("faces"))


def _add_rolled_or_given_faces(record: StepResult, step: Step, given: Sequence[int] | None) -> Step:
    """Return the step with its faces: rolled, or given for later if it waits."""
    if record.faces:
        return {**step, "faces": list(record.faces)}
    if given is not None and _is_waiting_for_interrupts(record):
        return {**step, "faces": list(given)}
    return {**step}


def _is_before_first_turn(fight: Fight, actions: Sequence[Any]) -> bool:
    """Return whether the last of these actions is a setup step, before the fight begins."""
    return not fight.system.begins_at_once and fight.system.count_setup_steps(actions) == len(actions) > 0


def _require_answer_to_pending_action(fight: Fight, action: Any) -> None:
    """Raise a problem for an action that ignores a pending action.

    Only an answer to the pending action is legal. Raises `ScratchError` (`fight.waits`).
    """
    interrupts, state = fight.system.interrupts, fight.state
    if interrupts and state.has_pending_action and not interrupts.is_or_prepares_answer(state, action):
        got = fight.system.title_of(action.do)
        raise ScratchError(Problem("fight.waits", "a choice of who interrupts", got, "act", "grid.interrupt.what"))


def _is_waiting_for_interrupts(record: StepResult) -> bool:
    """Return whether a step waits for interrupts, before its rolls. Rule: `grid.interrupt.what`."""
    interrupts = record.system.interrupts
    may_wait = interrupts is not None and record.do in interrupts.exposing_actions
    return may_wait and not record.rolls and record.state.has_pending_action


def _raise_face_problem(problem: Problem) -> NoReturn:
    """Raise the problem of a step's die rolls at the form field `faces`.

    The page shows it there. Always raises `ScratchError`. Its code is `fight.faces` for too few or too many rolls, and
    `fight.faces.none` if the step needs no roll. Any other problem keeps its code."""
    if problem.code == "scenario.faces":
        raise ScratchError(_build_face_count_problem(**problem.facts))
    raise ScratchError(problem.with_location("faces"))


def _build_face_count_problem(needed: int, given: int) -> Problem:
    """Build the problem of too few or too many faces."""
    facts, words = {"needed": needed, "given": given}, "one face" if needed == 1 else f"{needed} faces"
    if not needed:
        return Problem("fight.faces.none", "no faces, because nothing is rolled", f"{given:,}", "faces", facts=facts)
    return Problem("fight.faces", words, f"{given:,}", "faces", facts=facts)


def get_pending_faces(fight: Fight) -> tuple[int, ...]:
    """Return the recorded faces of the pending action.

    Returns () if there are none. Rule: `grid.interrupt.what`.
    """
    exposing_result = fight.playthrough.last_interruptible_result
    return exposing_result.step.faces or () if exposing_result and fight.state.has_pending_action else ()


def is_leave_cover_then_interrupt(steps: Sequence[Step]) -> bool:
    """Return whether the first two steps leave cover to interrupt.

    The same actor takes both. Rule: `act.cover.stay`.
    """
    if len(steps) < 2:
        return False
    first, second = steps[:2]
    is_pair = first.get("do") == LEAVE_COVER.do and second.get("do") == INTERRUPT.do
    return is_pair and first.get("actor") == second.get("actor")


def is_only_follow_up(fight: Fight, step: Step) -> bool:
    """Return whether a step is the only possible follow-up of the fight's last step.

    It is then taken without a press of its own. Rule: `act.fighting.double`.
    """
    action = fight.system.find_follow_up_on_only_enemy(fight.state)
    return action is not None and all(step.get(key) == value for key, value in action.to_step().items())


def add_leave_cover_step(fight: Fight, step: Step) -> Fight:
    """Let the actor of an interrupting step leave cover first.

    Returns the fight unchanged if the step is no interrupt or its actor need not leave cover. Raises `ScratchError`
    (`fight.steps`) if there are too many steps. Rules: `act.cover.stay`, `grid.interrupt.unable`.
    """
    interrupts, state = fight.system.interrupts, fight.state
    if step.get("do") != INTERRUPT.do or interrupts is None or not state.has_pending_action:
        return fight
    for fighter in state.fighters:
        if fighter.id == step.get("actor") and may_leave_cover_to_interrupt(state, fighter.id):
            after = add_step(fight, {"actor": fighter.id, "do": LEAVE_COVER.do}, None, None)
            return fight if isinstance(after, StepResult) else after
    return fight


def format_with_undone_steps(fight: Fight, undone: Sequence[Step]) -> str:
    """Format a fight's file with its undone steps at the end."""
    return _join_file_text(fight.head_text, (*fight.step_texts, *map(format_compact_json, undone)))


def undo_last_step(fight: Fight, roller: Roller | None) -> tuple[Fight, Step]:
    """Return the fight without its last step, and that step.

    Usually the fight goes back to the state before the step. It is played again if that isn't enough: an action that
    the step resolved is pending again, and a fight without one of its crafted bonuses restarts. All dice have their
    recorded faces; the roller rolls only for an initiative tie that arises without the step. Raises `ScratchError`
    (`fight.dice`) for such a tie without a roller. Rules: `turn.tie`, `craft.encounter-lock`.
    """
    *steps, last = fight.steps
    shorter = fight.playthrough.undo_step()
    # In a file, the step after an action can show that no one interrupts it: the action's result has it resolved. As
    # the last step it waits again. Initiative comes after crafted bonuses: without one of them the fight restarts.
    has_resolved = any(each.declared_state is not None or each.resolution for each in shorter.original_results[-1:])
    if has_resolved or _is_before_first_turn(fight, [record.action for record in fight.results]):
        return _play_fight(fight.scenario.tree, steps, roller), last
    return Fight(shorter, tuple(steps), fight.head_text, fight.step_texts[:-1]), last


# Continuing a fight that is too long for one file


def find_remaining_steps_if_few(fight: Fight) -> int | None:
    """Find how many more steps a fight's file can hold.

    Returns None while there are more than `REMAINING_STEPS_TO_WARN`.
    """
    left = MAX_STEPS - len(fight.steps)
    return left if left <= REMAINING_STEPS_TO_WARN else None


def build_continuation_head(fight: Fight) -> dict[str, Any]:
    """Build the head of a new fight with everyone still in this one.

    It has the title, the rulings and the map, and the characters with their present hit points, stun and pools. By the
    basic rules the groups keep their die rolls for initiative; in another turn system the characters are in the present
    turn order. Nothing else lasts. Rules: `hp.start`, `turn.initiative-roll`, `mano.order.seating`.
    """
    system, state, tree = fight.system, fight.state, fight.scenario.tree
    data_by_id = {data["id"]: data for data in (*tree["characters"], *_list_joined_characters(fight))}
    present_ids = [each.id for each in state.fighters if not each.is_away]
    turn_order = state.turn_order if system.character_fields else ()
    order = [*(who for who in turn_order if who in present_ids), *(who for who in present_ids if who not in turn_order)]
    head_data = {key: tree[key] for key in ("title", "system", "rulings", "board") if key in tree}
    head = {
        **head_data,
        "characters": [_update_character_data(fight, data_by_id[who], who, present_ids) for who in order],
    }
    faces = {
        each.group: list(each.faces)
        for each in getattr(state, "initiative", ())
        if any(who in present_ids for who in state.list_ids_sharing_turn(each.group))
    }
    return {**head, "initiative": faces} if faces else head


def build_repeat_head(fight: Fight) -> dict[str, Any]:
    """Build the head of the same fight from its beginning, to roll initiative again."""
    return {key: value for key, value in fight.scenario.tree.items() if key not in ("initiative", "steps", "expect")}


def _list_joined_characters(fight: Fight) -> list[Mapping[str, Any]]:
    """List the data of the characters that joined by a GM action.

    Each includes the space of its step, if any.
    """
    joins = [step for step in fight.steps if step["do"] == JOIN and not step.get("actor")]
    return [{**step["character"], **({"at": step["at"]} if "at" in step else {})} for step in joins]


def _update_character_data(
    fight: Fight, data: Mapping[str, Any], fighter_id: str, present_ids: list[str]
) -> dict[str, Any]:
    """Return a character's data updated to the present state.

    It has the hit points, stun and pools that are left, and the space on a map. A new fight has no crafted bonuses, nor
    the hit points that they gave. Rule: `hp.max`.
    """
    fighter, fields = fight.state.fighter(fighter_id), fight.system.character_fields
    keys = [field.key for field in fields if field.key in ("stun", "hp")] if fields else ["hp", "group"]
    updated = {**data, "side": fighter.side, **{key: getattr(fighter, key) for key in keys}}
    if not fields:
        updated["hp"] = min(fighter.hp, replace(fighter.character, bonuses=()).max_hp().value)
    for field in fields:
        if pools := field.type.list_component_fields(field):
            updated[field.key] = {pool.key: fighter.get_points(pool.key) for pool in pools}
    if CHANGE_SURROUNDINGS in fight.system.gm_fields:
        updated["here"] = sorted(fighter.here, key=SURROUNDINGS.index)
    if getattr(fighter, "at", None) is not None:
        updated["at"] = list(fighter.at)
    if updated.get("minion_of", fighter_id) not in present_ids:
        del updated["minion_of"]
    return updated


def _format_refusal(record: StepResult) -> str:
    """Say for players which character could not take a step, and why."""
    names = {each.id: each.name for each in record.state.fighters}
    reasons = (record.error,) if record.error else record.problems[:1]
    reason_text = " ".join(format_problem_sentence(problem) for problem in reasons)
    return f"{names.get(record.actor, 'Game master')}, {record.title}: not allowed. {reason_text}".strip()
