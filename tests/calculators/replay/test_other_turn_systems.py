"""The replay of the other turn systems: each step with what its system counts, changes in its own keys, forks."""

import json
import re

import pytest

from build_scripts.fences.turn_order import play_variant_example
from build_scripts.paths import DOCS
from build_scripts.render import render_calculator_response
from scratch_core.calculators.replay import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.replay.answer import ReplayAnswer
from scratch_core.calculators.replay.fighter_cards import FighterCard
from scratch_core.calculators.replay.step_editor import step_to_fields
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.scenario import SAMPLE_SCENARIOS, ScenarioResult, parse_scenario, play
from tests.support.known import require

HEAD = 'format = "scratch-scenario/1"\n'
PAGES = {"mano": "mano-a-mano.md", "mano-old": "older-pools.md", "seize": "choose-next.md"}


def example(system: str, number: int = 0) -> str:
    """The file of an example in the text."""
    text = (DOCS / "rules" / "other-turn-orders" / PAGES[system]).read_text(encoding="utf-8")
    body = re.findall(r"```turn-order\n(.*?)```", text, re.DOTALL)[number]
    return json.dumps(play_variant_example(body).scenario.tree)


def answered(scenario: str = "counterattack", step: int = 0, **fields: str) -> View:
    """The view of these controls."""
    query = format_query({"scenario": scenario, "step": str(step), **fields})
    return view(parse_query(query, MAX_QUERY_LENGTH))


def moment(scenario: str = "counterattack", step: int = 0, **fields: str) -> ReplayAnswer:
    """The moment after a step, nothing being wrong."""
    seen = answered(scenario, step, **fields)
    assert seen.answer is not None
    assert seen.problems == ()
    return seen.answer


def page(scenario: str = "counterattack", step: int = 0, **fields: str) -> str:
    """The HTML of these controls."""
    return render_calculator_response("replay", format_query({"scenario": scenario, "step": str(step), **fields})).html


def card(seen: ReplayAnswer, who: str) -> FighterCard:
    """Return a character at a step."""
    return next(each for each in seen.cards if each.id == who)


def words(seen: ReplayAnswer, who: str) -> list[str]:
    """Return the texts of a character's state."""
    return [word for word, _ in card(seen, who).status.labels_with_rules]


def numbers(seen: ReplayAnswer, who: str) -> dict[str, str]:
    """Return a character's numbers by their labels."""
    return {each.number.word: each.number.value for each in card(seen, who).numbers}


# Steps


@pytest.mark.parametrize("system", PAGES)
def test_number_reaching_zero_is_shown_for_one_more_step(system: str) -> None:
    """A number that becomes 0 is shown for one more step, with its change.

    Rule `seize.claim` needs the characters who lost hit points.
    """
    file = example(system)
    before = {each.id: numbers(moment(file), each.id) for each in moment(file).cards}
    for step in range(1, moment(file).step_count + 1):
        now = {each.id: numbers(moment(file, step), each.id) for each in moment(file, step).cards}
        for who, had in before.items():
            assert {name for name, value in had.items() if value != "0"} <= set(now.get(who, had)), (step, who)
        before = now


def test_ambush_has_no_opening_order_before_its_first_step() -> None:
    """An ambush has a turn order only after the rolls of its first step.

    Rule: `mano.surprise.one`.
    """
    file = f'{HEAD}system = "mano"\ncharacters = [{{ id = "a" }}, {{ id = "b" }}]\n'
    file += 'steps = [{ do = "surprise-rolls", stalkers = { a = false, b = true } }, { actor = "b", do = "active" }]'
    before, begun = moment(file), moment(file, 1)
    assert (before.position.state.phase, before.opening_order) == ("before", None)
    assert require(before.prompt).rule == "mano.surprise.two-rolls"
    assert [each.rule for each in require(begun.opening_order)[0][0].reasons] == ["mano.surprise.one"]
    assert moment(file, 1, fork="1.stalkers = a true, b true").position.is_fork
    fields = {"stalkers_1": "a true, b true", "do_1": "surprise-rolls"}
    assert answered(file, 1, fork="1.*", **fields).fields["fork"] == "1.stalkers = a true, b true"


def test_missing_dice_are_the_same_for_each_request() -> None:
    """A file without faces starts with the same dice at each request.

    It can be saved with them.
    """
    file = f'{HEAD}system = "seize"\ncharacters = [{{ id = "a" }}, {{ id = "b" }}]\n'
    thrown = set()
    for dice in range(20):
        seen = moment(file, dice=str(dice))
        assert seen.position.current.has_rolled_faces
        assert moment(file, dice=str(dice)) == seen
        changed_dice = json.loads(seen.changed_file_text)["initiative"]
        assert [", ".join(map(str, changed_dice[each.group])) for each in seen.initiative_dice] == [
            each.faces for each in seen.initiative_dice
        ]
        thrown.add(seen.initiative_dice[0].faces)
    assert len(thrown) > 8


# Forks


FORKS = {
    "mano": (1, "4.target = bo; 4a.actor = cato; 4a.do = skip; 5.delete; 6.move = yes"),
    "mano-combo": (1, "6.do = combo; 6.count = 1; 6.weapons = 1; 2.do = delay-turn; 2.target = ada; 2.after = false"),
    "mano-old": (0, "2.points = 2; 2.to = defence; 3.from = defence; 6.take = defence 1, other 1; 8.use = power"),
    "seize": (0, "initiative.ivo = 20; 3.points = 0; 9.delete; 13a.actor = ivo; 13a.do = extra-action"),
}


@pytest.mark.parametrize("name", FORKS)
def test_turn_system_fork_is_preserved_by_link_and_file(name: str) -> None:
    """The canonical query reopens the fork, and its exported file plays the same fight."""
    system = "mano" if name.startswith("mano-c") else name
    number, fork = FORKS[name]
    seen = answered(example(system, number), 6, fork=fork)
    assert seen.problems == ()
    assert seen.answer is not None
    assert seen.answer.position.first_different_step
    assert view(parse_query(seen.query, MAX_QUERY_LENGTH)) == seen
    again = moment(seen.answer.changed_file_text, 6)
    assert [line.current.narration for line in again.log_lines] == [
        line.current.narration for line in seen.answer.log_lines if line.n
    ]
    assert [(each.status.labels_with_rules, each.status.mark) for each in again.cards] == [
        (each.status.labels_with_rules, each.status.mark) for each in seen.answer.cards
    ]
    own = moment(example(system, number), 6)
    assert [line.original.narration for line in seen.answer.log_lines if line.original] == [
        line.current.narration for line in own.log_lines
    ]


def test_turn_system_step_fields_become_edits() -> None:
    """Only fields that differ become edits.

    Another action adds its required fields.
    """
    fields = {"actor_3": "cato", "do_3": "active", "target_3": "bo", "move_3": "true"}
    assert answered(step=3, fork="3.*", **fields).fields["fork"] == "3.target = bo"
    back = answered(step=3, fork="3.target = bo; 3.*", **{**fields, "target_3": "ada"})
    assert back.fields["fork"] == ""
    combo = answered(step=3, fork="3.*", **{**fields, "do_3": "combo"})
    assert combo.fields["fork"] == "3.do = combo; 3.target = bo; 3.count = 1"
    assert combo.problems == ()
    pools = answered(example("mano-old"), 2, fork="2.*", do_2="spend", points_2="1", use_2="power", to_2="defence")
    assert pools.fields["fork"] == "2.to = defence"
    seized = answered(example("seize"), fork="0.*", initiative_1="1")
    assert seized.fields["fork"] == "initiative.ivo = 1"


@pytest.mark.parametrize("system", PAGES)
def test_every_action_can_be_selected_for_a_step(system: str) -> None:
    """Every action can be selected for every step, legal or not."""
    file = example(system)
    played = play(parse_scenario(file))
    assert isinstance(played, ScenarioResult)
    kinds = played.scenario.system
    for record in played.results:
        for do in (*kinds.action_titles, *kinds.table_event_titles):
            fields = {f"{key}_{record.n}": value for key, value in step_to_fields(kinds, record).items()}
            seen = answered(file, record.n, fork=f"{record.n}.*", **{**fields, f"do_{record.n}": do})
            actorless = record.actor == "" and do in (*kinds.action_titles, "leave")
            assert (seen.problems == ()) is not actorless, (record.n, do, seen.problems)


@pytest.mark.parametrize(
    ("fork", "piece"),
    [
        ("3.faces = 4", "one of actor, do, target, move"),
        ("3.count = 2", "count of step 3"),
        ("3.target = dora", "dora"),
        ("3.do = shoot", "one of active"),
        ("9.target = bo", "a step from 1 to 6"),
        ("3.move = perhaps", "true or false"),
        ("1.do = combo", "count of step 1"),
    ],
)
def test_invalid_fork_change_is_reported(fork: str, piece: str) -> None:
    """An invalid change is a problem of the fork.

    The file's own fight is shown.
    """
    seen = answered(step=3, fork=fork)
    assert {problem.where for problem in seen.problems} == {"fork"}
    assert piece in " ".join(f"{problem.expected} {problem.got}" for problem in seen.problems)
    assert not require(seen.answer).position.is_fork


@pytest.mark.parametrize("take", ["defence", "defence one", "other 1 2", "stun -1"])
def test_invalid_pool_table_is_reported(take: str) -> None:
    """A table of pools is pairs separated by commas."""
    (problem,) = answered(example("mano-old"), 6, fork=f"6.take = {take}").problems
    assert (problem.where, problem.code) == ("fork", "changes.value")


def test_damaged_turn_system_file_is_reported() -> None:
    """An invalid file of another system has its problems at the file, and no answer."""
    text = SAMPLE_SCENARIOS["counterattack"].replace('do = "counter"', 'do = "conter"')
    seen = answered(text)
    assert seen.answer is None
    assert [problem.where for problem in seen.problems] == ["scenario"]
    assert "steps[3].do" in seen.problems[0].got
    assert "data-problem" in page(text)
