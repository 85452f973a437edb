"""The replay of the other turn orders: each moment with what its system counts, changes in its own keys, forks."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from build_scripts.calculator_html import render
from build_scripts.folders import DOCS
from build_scripts.turn_order import play_example
from scratch_core.calculators import elsewhere
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.calculators.replay import QUERY_LIMIT, View, view
from scratch_core.calculators.replay.cards import Card
from scratch_core.calculators.replay.editing import keys_of, typed_fields
from scratch_core.calculators.replay.shown import Answer
from scratch_core.rounds import SYSTEMS
from scratch_core.scenario import SHIPPED, Played, play, read
from scratch_core.scenario.records import FORMAT
from tests.clock import in_time
from tests.hostile import HOSTILE, MET
from tests.known import known

HEAD = 'format = "scratch-scenario/1"\n'
PAGES = {"mano": "mano-a-mano.md", "mano-old": "older-pools.md", "seize": "choose-next.md"}


def example(system: str, number: int = 0) -> str:
    """The file of an example in the text."""
    text = (DOCS / "rules" / "other-turn-orders" / PAGES[system]).read_text(encoding="utf-8")
    body = re.findall(r"```turn-order\n(.*?)```", text, re.DOTALL)[number]
    return json.dumps(play_example(body).scenario.tree)


def answered(scenario: str = "counterattack", step: int = 0, **fields: str) -> View:
    """The view of these controls."""
    query = query_string({"scenario": scenario, "step": str(step), **fields})
    return view(parse_query(query, QUERY_LIMIT))


def moment(scenario: str = "counterattack", step: int = 0, **fields: str) -> Answer:
    """The moment after a step, nothing being wrong."""
    seen = answered(scenario, step, **fields)
    assert seen.answer is not None
    assert seen.problems == ()
    return seen.answer


def page(scenario: str = "counterattack", step: int = 0, **fields: str) -> str:
    """The HTML of these controls."""
    return render("replay", query_string({"scenario": scenario, "step": str(step), **fields})).html


def card(seen: Answer, who: str) -> Card:
    """Somebody at a moment."""
    return next(each for each in seen.cards if each.id == who)


def words(seen: Answer, who: str) -> list[str]:
    """The words of somebody's state."""
    return [word for word, _ in card(seen, who).now.short]


def numbers(seen: Answer, who: str) -> dict[str, str]:
    """Somebody's numbers by their words."""
    return {each.number.word: each.number.value for each in card(seen, who).numbers}


# Moments


def test_the_counterattack_step_by_step() -> None:
    """Ada waits, Cato moves and attacks, Ada strikes first, Cato thinks again, the order stays.

    Rules: `mano.counter.illustration`, `mano.counter.timing`, `mano.counter.rethink`, `mano.counter.order`.
    """
    assert words(moment(step=1), "ada") == ["counterattack prepared"]
    asked = moment(step=3)
    assert (card(asked, "ada").now.mark, card(asked, "cato").now.mark) == ("asked", "on turn")
    assert words(asked, "cato") == ["attack waits", "has moved"]
    assert (known(asked.question).sentence, known(asked.question).rule) == (
        "Cato attacks Ada: does Ada strike back?",
        "mano.counter.timing",
    )
    again = known(moment(step=4).question)
    assert (again.sentence, again.rule) == ("Cato may think again, and acts.", "mano.counter.rethink")
    last = moment(step=6)
    assert (last.place.system.whose_turn(last.place.state), last.place.state.round, last.unmet) == ("bo", 2, ())
    assert [line.round for line in last.log] == [1, 0, 0, 0, 0, 2]  # Cato's turn ends round 1


def test_slow_and_stunned() -> None:
    """Speed ½ owes a skip after an active turn, and stun goes at its end: `mano.speed.half`, `mano.stun.recover`."""
    who = 'characters = [{ id = "a", speed = "1/2", stun = 2 }, { id = "b", speed = 1.5, healthy = false }]\n'
    steps = (
        'steps = [{ actor = "a", do = "active" }, { actor = "b", do = "start-evading" }, { actor = "b", do = "skip" }]'
    )
    file = f'{HEAD}system = "mano"\nfirst = "a"\n{who}{steps}'
    seen = moment(file, 1)
    assert numbers(seen, "a") == {"speed": "½", "stun": "1", "to skip": "1"}
    assert [each.change for each in card(seen, "a").numbers] == [0, -1, 1]
    assert numbers(seen, "b")["speed"] == "1½"
    assert words(seen, "b") == ["not healthy"]
    assert [line.now.legal for line in seen.log] == [True, False, True]
    assert str(seen.log[1].now.rule).startswith("mano.start")


def test_the_pools() -> None:
    """Hit points, all five pools and their squares: Nils has 1 damage, 2 defence, 2 ready after the choice.

    Rules: `mano-old.pools`, `mano-old.phase.ready.choice`; the page's example, step 6.
    """
    file = example("mano-old")
    seen = moment(file, 6)
    assert card(seen, "nils").now.hp == 5
    assert numbers(seen, "nils") == {"stun": "0", "damage": "1", "ready": "2", "defence": "2", "other": "0"}
    assert card(seen, "nils").cells == ("ready", "ready", "defence", "defence", "damage")
    html = page(file, 6)
    assert 'data-hp="nils">5<' in html
    assert 'data-value="ready.nils">2<' in html
    asked = known(moment(file, 5).question)
    assert (asked.sentence, asked.rule) == (
        "Which 2 of 4 points does Nils make ready?",
        "mano-old.phase.ready.choice",
    )
    illegal = known(moment(file, 7).now)
    assert "mano-old.action.destination" in illegal.broken[0][1]
    assert "spending ready points: not allowed." in moment(file, 7).log[6].now.say


def test_seizing() -> None:
    """Totals, who has acted, who was hurt and may seize: `seize.roll`, `seize.claim`; the page's example."""
    file = example("seize")
    seen = moment(file, 3)
    assert {each.id: each.now.figures[0].value for each in seen.cards if each.now.figures} == {
        "ivo": 18,  # 15 and a bonus of 3
        "jin": 12,  # 11 and 1
        "kai": 11,  # 6 and 5
        "lou": 9,  # 9 and 0
    }
    assert words(seen, "ivo") == ["has had a turn"]
    assert numbers(seen, "kai") == {"lost this turn": "1"}
    assert known(seen.question).sentence == "Jin and Kai may seize the initiative. Ivo chooses who is next."
    seized = moment(file, 6)
    assert "seizes the initiative" in words(seized, "kai")
    assert card(seized, "kai").now.mark == "due"


@pytest.mark.parametrize("system", PAGES)
def test_a_number_that_comes_down_to_nothing_is_told_once_more(system: str) -> None:
    """What somebody had a step ago stands there now, with what has come of it: `seize.claim` asks who was hurt."""
    file = example(system)
    before = {each.id: numbers(moment(file), each.id) for each in moment(file).cards}
    for step in range(1, moment(file).last + 1):
        now = {each.id: numbers(moment(file, step), each.id) for each in moment(file, step).cards}
        for who, had in before.items():
            assert {name for name, value in had.items() if value != "0"} <= set(now.get(who, had)), (step, who)
        before = now


def test_the_beginning() -> None:
    """Step 0 tells how the order fell: every die with its sum, ties, and why; the other steps do not.

    Rules: `seize.roll`, `seize.natural-20`, `seize.natural-1`, `mano.start.first`, `mano.order.seating`.
    """
    order = known(moment(example("seize")).order)
    assert [(row.name, row.figure.value if row.figure else 0) for row in order[0]][:2] == [("Ivo", 18), ("Jin", 12)]
    assert moment(example("seize"), 1).order is None
    file = f'{HEAD}system = "mano"\nfirst = ["a", "b"]\ncharacters = [{{ id = "a" }}, {{ id = "b" }}]\n'
    tied = moment(f"{file}initiative = {{ a = [9, 3], b = [9, 8] }}")
    assert [(row.name, row.ties) for row in known(tied.order)[0]] == [("b", (8,)), ("a", (3,))]
    assert [(each.control, each.faces) for each in tied.throws] == [("initiative_1", "9, 3"), ("initiative_2", "9, 8")]
    story = known(moment().order)
    assert [each.rule for each in story[0][0].reasons] == ["mano.start.first"]


def test_an_ambush_begins_with_its_first_step() -> None:
    """Before the rolls there is no fight; with them the order falls: `mano.surprise.one`."""
    file = f'{HEAD}system = "mano"\ncharacters = [{{ id = "a" }}, {{ id = "b" }}]\n'
    file += 'steps = [{ do = "surprise-rolls", stalkers = { a = false, b = true } }, { actor = "b", do = "active" }]'
    before, begun = moment(file), moment(file, 1)
    assert (before.place.state.phase, before.order) == ("before", None)
    assert known(before.question).rule == "mano.surprise.two-rolls"
    assert [each.rule for each in known(begun.order)[0][0].reasons] == ["mano.surprise.one"]
    assert moment(file, 1, fork="1.stalkers = a true, b true").place.is_fork
    fields = {"stalkers_1": "a true, b true", "do_1": "surprise-rolls"}
    assert answered(file, 1, fork="1.*", **fields).fields["fork"] == "1.stalkers = a true, b true"


def test_missing_dice_are_thrown_by_number() -> None:
    """A file without faces begins with the same dice at each look, and can be saved with them."""
    file = f'{HEAD}system = "seize"\ncharacters = [{{ id = "a" }}, {{ id = "b" }}]\n'
    thrown = set()
    for dice in range(20):
        seen = moment(file, dice=str(dice))
        assert seen.place.story.is_thrown
        assert moment(file, dice=str(dice)) == seen
        kept = json.loads(seen.made_text)["initiative"]
        assert [", ".join(map(str, kept[each.who])) for each in seen.throws] == [each.faces for each in seen.throws]
        thrown.add(seen.throws[0].faces)
    assert len(thrown) > 8


# Forks


def test_a_changed_step_makes_a_fork() -> None:
    """Bo attacks Ada instead of Cato: Ada is asked in step 2, and later steps are told by the rules they break."""
    seen = moment(step=2, fork="2.target = ada")
    assert (seen.place.is_fork, seen.place.first) == (True, 2)
    assert known(seen.question).sentence == "Bo attacks Ada: does Ada strike back?"
    assert [(line.n, line.is_changed) for line in seen.log if line.is_first_difference] == [(2, True)]
    assert not seen.log[2].now.legal
    assert seen.log[2].own
    assert seen.log[2].own.legal
    assert seen.beside is not None
    assert seen.note == ""  # it tells of what he did in the file
    assert card(moment(step=1, fork="1.do = skip"), "ada").was == "counterattack prepared"
    html = page(step=2, fork="2.target = ada")
    assert html.count("data-parts") == 1
    assert 'data-first-difference="2"' in html


FORKS = {
    "mano": (1, "4.target = bo; 4a.actor = cato; 4a.do = skip; 5.delete; 6.move = yes"),
    "mano-combo": (1, "6.do = combo; 6.count = 1; 6.weapons = 1; 2.do = delay-turn; 2.target = ada; 2.after = false"),
    "mano-old": (0, "2.points = 2; 2.to = defence; 3.from = defence; 6.take = defence 1, other 1; 8.use = power"),
    "seize": (0, "initiative.ivo = 20; 3.points = 0; 9.delete; 13a.actor = ivo; 13a.do = extra-action"),
}


@pytest.mark.parametrize("name", FORKS)
def test_a_fork_is_a_link_and_a_file(name: str) -> None:
    """The canonical query reopens it, and the file saved of it plays the same story."""
    system = "mano" if name.startswith("mano-c") else name
    number, fork = FORKS[name]
    seen = answered(example(system, number), 6, fork=fork)
    assert seen.problems == ()
    assert seen.answer is not None
    assert seen.answer.place.first
    assert view(parse_query(seen.query, QUERY_LIMIT)) == seen
    again = moment(seen.answer.made_text, 6)
    assert [line.now.say for line in again.log] == [line.now.say for line in seen.answer.log if line.n]
    assert [(each.now.short, each.now.mark) for each in again.cards] == [
        (each.now.short, each.now.mark) for each in seen.answer.cards
    ]
    own = moment(example(system, number), 6)
    assert [line.own.say for line in seen.answer.log if line.own] == [line.now.say for line in own.log]


def test_the_switch() -> None:
    """`seize_on_total`: a total of 20 counts as a 20 only when the switch is on (ruling S01, `seize.natural-20`)."""
    file = f'{HEAD}system = "seize"\ncharacters = [{{ id = "a", bonus = 5 }}, {{ id = "b" }}]\n'
    file += "initiative = { a = [15], b = [9] }\n"
    file += 'steps = [{ actor = "a", do = "turn" }, { actor = "a", do = "extra-action" }]'
    assert [line.now.legal for line in moment(file, 2).log] == [True, False]
    seen = moment(file, 2, seize_on_total="on")
    assert (seen.place.is_fork, [line.now.legal for line in seen.log]) == (True, [True, True])
    assert '<select id="c1-seize_on_total"' in page(file)
    assert '<select id="c1-seize_on_total"' not in page()
    wrong = answered(file, 2, seize_on_total="perhaps")
    assert [problem.where for problem in wrong.problems] == ["seize_on_total"]


def test_the_step_s_fields_are_taken_over() -> None:
    """Fields become changes of what differs alone; another act brings what it can't do without."""
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
def test_every_act_can_be_chosen(system: str) -> None:
    """Whatever act is chosen for whatever step in its form can be told, legal or not."""
    file = example(system)
    played = play(read(file))
    assert isinstance(played, Played)
    kinds = played.scenario.system
    for record in played.records:
        for do in (*kinds.acts, *kinds.facts):
            fields = {f"{key}_{record.n}": value for key, value in typed_fields(kinds, record).items()}
            seen = answered(file, record.n, fork=f"{record.n}.*", **{**fields, f"do_{record.n}": do})
            actorless = record.actor == "" and do in (*kinds.acts, "leave")
            assert (seen.problems == ()) is not actorless, (record.n, do, seen.problems)


def test_steps_are_put_in_and_left_out() -> None:
    """A new step does what is legal there first; one left out keeps its line."""
    seen = moment(step=1)
    assert seen.edit.after == "1a.actor = bo; 1a.do = active"
    new = answered(step=2, fork=seen.edit.after)
    assert (known(new.answer).last, known(new.answer).log[1].is_new, known(new.answer).log[1].now.legal) == (
        7,
        True,
        True,
    )
    gone = moment(step=2, fork="2.delete")
    assert [line.n for line in gone.log] == [1, 0, 2, 3, 4, 5]
    assert moment(step=6).edit.delete == "6.delete"


def test_differences_are_told() -> None:
    """What the file expects otherwise is told at its step, in the file's own story alone."""
    file = SHIPPED["counterattack"].replace("prepared.ada = true", "prepared.ada = false")
    assert len(moment(file, 1).unmet) == 1
    assert moment(file, 2).unmet == ()
    assert "data-unmet" in page(file, 1)
    assert moment(file, 1, fork="1.do = skip").unmet == ()


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
def test_strange_changes_are_told(fork: str, piece: str) -> None:
    """What can't be read is a problem at the fork, and the file's own story stays."""
    seen = answered(step=3, fork=fork)
    assert {problem.where for problem in seen.problems} == {"fork"}
    assert piece in " ".join(f"{problem.expected} {problem.got}" for problem in seen.problems)
    assert not known(seen.answer).place.is_fork


@pytest.mark.parametrize("take", ["defence", "defence one", "other 1 2", "stun -1"])
def test_strange_pools_are_told(take: str) -> None:
    """A table of pools is pairs separated by commas."""
    (problem,) = answered(example("mano-old"), 6, fork=f"6.take = {take}").problems
    assert (problem.where, problem.code) == ("fork", "replay.change")


def test_a_damaged_file_is_told() -> None:
    """A file that names another system and can't be read has its problems at the file, and no moment."""
    text = SHIPPED["counterattack"].replace('do = "counter"', 'do = "conter"')
    seen = answered(text)
    assert seen.answer is None
    assert [problem.where for problem in seen.problems] == ["scenario"]
    assert "steps[3].do" in seen.problems[0].got
    assert "data-problem" in page(text)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", MET[1::4])
def test_hostile_inputs(name: str) -> None:
    """Every control of every system answers in time, and nothing typed becomes markup."""
    text = HOSTILE[name][:4_000].encode("utf-8", "replace").decode()
    with in_time():
        for system in PAGES:
            query = {"fork": f"{text}; 2.*", "dice": text, "seize_on_total": text, "target_2": text, "do_2": text}
            html = page(example(system), 2, **query)
            taken = page(example(system), 2, fork="2.*", target_2=text, points_2=text, initiative_1=text)
            for each in (html, taken):
                assert "<script" not in each.lower()
                assert "<img" not in each.lower()
                assert "data-step>2<" in each


def test_words_of_a_file_stay_words() -> None:
    """Titles, names, sides, groups and notes are printed as they are."""
    word = "<img src=x onerror=alert(1)>\"'"
    tree = json.loads(example("seize"))
    tree |= {"title": word, "characters": [{**each, "name": f"{word}{each['id']}"} for each in tree["characters"]]}
    tree["characters"][0] |= {"side": word, "group": "<b>;="}
    tree["initiative"]["<b>;="] = tree["initiative"].pop("ivo")
    tree["steps"] = [{key: value for key, value in step.items() if key != "expect"} for step in tree["steps"]]
    tree["steps"][0]["note"] = word
    for step in range(5):
        html = page(json.dumps(tree), step, fork="3.points = 0")
        assert "<img" not in html
        assert "<b>" not in html


def test_nothing_gets_lost() -> None:
    """The form holds a control for every name of the query, and no style or script."""
    for html in (page(), page(example("seize"), 2, seize_on_total="on", dice="2")):
        for name in ("scenario", "fork", "dice", "step", *(["seize_on_total"] if "seize_on_total" in html else [])):
            assert re.search(rf'<(?:input|textarea|select)[^>]* name="{name}"', html), name
        assert "style=" not in html
        assert "<script" not in html
    keys = {key for system in SYSTEMS.values() for key in keys_of(system)}
    assert {"target", "count", "weapons", "points", "use", "to", "take", "move", "from", "stalkers"} <= keys


def test_a_long_fight_is_sought_without_a_wait() -> None:
    """Of 200 steps each is shown in 10 ms on average once the fight has been played, its log kept short."""
    head = SHIPPED["counterattack"].split("[[steps]]")[0]
    steps = "".join(f'[[steps]]\nactor = "{who}"\ndo = "active"\n' for who in ("ada", "bo", "cato"))
    file = head + steps * 67
    assert moment(file).last == 201
    with in_time():
        for step in range(201):
            seen = moment(file, step)
    assert (seen.log[0].n, seen.log[-1].n) == (180, 201)


def test_a_file_among_stat_blocks_is_known_by_its_format() -> None:
    """The light calculators name the format of scenario files as the scenarios themselves do."""
    assert elsewhere.FORMAT == FORMAT


@pytest.mark.needs_process
def test_other_calculators_stay_light() -> None:
    """Dice and characters come without the replay of the other orders."""
    code = (
        "import sys, scratch_core.calculators.dice, scratch_core.calculators.character;"
        "print([name for name in sys.modules if 'replay' in name or 'scratch_core.rounds' in name])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
