"""Pairs of fights that differ in hidden characters alone give the same players' screen and the same QR code."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from random import Random
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight.basic_menu import list_possible_actor_ids
from scratch_core.calculators.fight.session import Fight, add_step, begin_fight, open_fight
from scratch_core.calculators.shared.query import format_query
from scratch_core.encounter.actions import list_possible_interrupters
from scratch_core.errors import ScratchError
from tests.regression.sample import generator, sample_size
from tests.support.fights import view_fight
from tests.support.known import require

KINDS = ("number", "names", "hit points", "places", "turns", "waiting", "end")
MAP = ("........", "..#.....", "...^....", "....~...", "........")
FREE = [(column, row) for row in range(5) for column in range(8) if (column, row) != (2, 1)]
VISIBLE = ("ann", "bo", "vex", "goblin-a", "goblin-b")
SIDE = {"ann": "heroes", "bo": "heroes"}
STEPS = 6

Step = dict[str, Any]


class Discarded(Exception):
    """The two fights can't continue with the same visible steps, because of what hidden characters did."""


@dataclass
class Character:
    """A hidden character of one fight."""

    name: str
    """The name, perhaps that of a visible character's copies."""
    side: str
    """The side."""
    toughness: int
    """The level of toughness."""
    fighting: int
    """The level of fighting."""
    at: tuple[int, int]
    """The space on the map: column and row."""
    face: int
    """The face of the initiative roll."""
    is_first: bool
    """Whether it comes before the visible characters in the file."""


@dataclass
class Hidden:
    """One of the two fights of a pair."""

    fight: Fight
    """The fight so far."""
    ids: frozenset[str]
    """The ids of the hidden characters."""
    dice: Random
    """Random numbers for hidden actions."""
    newcomers: list[str] = field(default_factory=list)
    """Ids of further hidden characters, which have joined the fight."""

    @property
    def state(self) -> Any:
        """Return the current state."""
        return self.fight.state

    def take(self, step: Step, faces: Sequence[int] | None = None) -> None:
        """Add a step. Raises `Discarded` if it is not legal here."""
        try:
            after = add_step(self.fight, step, None, faces)
        except ScratchError as error:
            if error.code not in ("fight.dice", "fight.faces", "fight.faces.none") and not error.code.startswith("gm."):
                raise
            raise Discarded(error.code) from None
        if not isinstance(after, Fight):
            raise Discarded(after.rule or "the game master can't")
        self.fight = after

    def legal_steps(self, actors: Sequence[str], targets: Sequence[str]) -> dict[str, Any]:
        """Return the legal actions of the actors, by their step as JSON.

        Only actions with all participants among the targets are returned.
        """
        actions = self.fight.system.legal_actions(self.state)
        return {
            json.dumps(each.to_step()): each
            for each in actions
            if each.actor in actors and {*each.participants} <= {*targets}
        }

    def coming(self) -> list[str]:
        """Return the ids that may act next, of the group whose turn it is."""
        found = list_possible_actor_ids(self.state)
        return [each for each in found if self.state.fighter(each).group == self.state.fighter(found[0]).group]

    def is_hidden_turn(self) -> bool:
        """Return whether only hidden characters may act now."""
        return bool(self.coming()) and self.ids.issuperset(self.coming())

    def act_hidden(self) -> None:
        """Let a hidden character act on its turn, with no visible target."""
        who = self.dice.choice([each for each in self.coming() if each in self.ids])
        steps = self.legal_steps([who], [who])
        legal = {text: act for text, act in steps.items() if act.do not in ("end-turn", "blast", "escape")}
        if legal and self.dice.random() < 0.7:
            do = self.dice.choice(sorted({act.do for act in legal.values()}))
            text = self.dice.choice(sorted(text for text, act in legal.items() if act.do == do))
            self.take(json.loads(text), self.throw(legal[text]))
            self.settle_alone()

    def end_hidden_turn(self) -> None:
        """End the turn of a hidden character."""
        who = next(each for each in self.coming() if each in self.ids)
        self.take({"actor": who, "do": "end-turn"})

    def throw(self, act: Any) -> list[int]:
        """Roll the faces for an action."""
        return [self.dice.randint(1, 20) for _ in range(self.fight.playthrough.count_needed_faces(self.state, act))]

    def settle_alone(self) -> None:
        """Resolve the pending action without interrupts."""
        while self.state.pending_action is not None:
            self.take({"actor": self.state.pending_action.who, "do": "settle"}, [])

    def can_visible_interrupt(self) -> bool:
        """Return whether a visible character may interrupt the pending action now."""
        pending = self.state.pending_action
        opened = list_possible_interrupters(self.state, pending) if pending else ()
        return any(who.id not in self.ids and moment == pending.walked for moment, who in opened)

    def intervene(self) -> None:
        """Let the game master change a hidden character, or roll in secret."""
        if self.state.pending_action is not None or self.state.phase != "running":
            return
        there = [each.id for each in self.state.fighters if each.id in self.ids and not each.gone]
        steps: list[tuple[Step, list[int]]] = []
        for who in there:
            steps += [
                ({"do": "set-hp", "target": who, "hp": self.dice.randint(0, 1)}, []),
                ({"do": "condition", "target": who, "condition": "delayed"}, []),
                ({"actor": who, "do": "check", "difficulty": 9, "ability": "fighting"}, [self.dice.randint(1, 20)]),
                ({"do": "leave", "target": who}, []),
            ]
        if steps and self.dice.random() < 0.3:
            step, faces = self.dice.choice(steps)
            self.take({**step, "note": str(self.dice.random())}, faces)

    def screen(self, sides: Sequence[str]) -> tuple[str, str]:
        """Return the HTML of the players' screen and the content of its code."""
        fields = {
            "log": self.fight.file_text,
            "screen": "code",
            "screen_sides": json.dumps(list(sides)),
            "screen_hidden": json.dumps(sorted({*self.ids, *self.newcomers})),
        }
        html = render_calculator_response("fight", format_query(fields)).html
        assert "data-screen>" in html
        inside = require(BeautifulSoup(html, "html.parser").select_one("[data-screen]")).decode_contents()
        code = html.partition('data-code="')[2].partition('"')[0]
        return inside, code


def characters(dice: Random, hidden: Sequence[Character], stats: Random, on_map: bool) -> list[Step]:
    """Return the characters of one fight as data of a file.

    The visible ones are the same in both fights, except for the numbers of copies.
    """
    spaces = stats.sample(FREE, len(VISIBLE))
    seen = []
    for own, space in zip(VISIBLE, spaces, strict=True):
        abilities = {"toughness": stats.randint(2, 6), "fighting": stats.randint(0, 3), "shooting": stats.randint(0, 2)}
        name = {"ann": "Ann", "bo": "Bo", "vex": "Vex"}.get(own, "Goblin")
        side = SIDE.get(own, "foes")
        seen.append({"id": own, "name": name, "side": side, "abilities": abilities, "at": list(space)})
    count = stats.randint(3, 5)
    seen = [*seen[:count]]
    unseen = [
        {
            "id": f"{each.name.lower().replace(' ', '-')}-{number}",
            "name": each.name,
            "side": each.side,
            "abilities": {"toughness": each.toughness, "fighting": each.fighting},
            "at": list(each.at),
        }
        for number, each in enumerate(hidden)
    ]
    first = [own for own, each in zip(unseen, hidden, strict=True) if each.is_first]
    everyone = [*first, *seen, *(own for own in unseen if own not in first)]
    copies = [each for each in everyone if each["name"] == "Goblin"]
    if len(copies) > 1:
        for number, each in enumerate(copies, 1):
            each["name"] = f"Goblin {number}"
    if not on_map:
        everyone = [{key: value for key, value in each.items() if key != "at"} for each in everyone]
    return everyone


def begin(seed: str, hidden: Sequence[Character], on_map: bool, own: Random) -> Hidden:
    """Begin a fight of the visible characters, which the seed decides, and the hidden ones."""
    stats = Random(seed)
    everyone = characters(stats, hidden, stats, on_map)
    faces = dict(zip(VISIBLE, stats.sample(range(1, 21), len(VISIBLE)), strict=True))
    ids = [each["id"] for each in everyone if each["id"] not in VISIBLE]
    by_file = [each for each in hidden if each.is_first] + [each for each in hidden if not each.is_first]
    faces |= {who: each.face for who, each in zip(ids, by_file, strict=True)}
    there = {each["id"] for each in everyone}
    head: Step = {"characters": everyone, "initiative": {who: [face] for who, face in faces.items() if who in there}}
    if on_map:
        head["board"] = {"rows": list(MAP)}
        if len({tuple(each["at"]) for each in everyone}) < len(everyone):
            raise Discarded("two in one space")
    return Hidden(begin_fight(head, own_dice(own)), frozenset(ids), own)


def own_dice(dice: Random) -> Any:
    """Return a roller for the dice of ties in initiative."""

    class Seeded:
        def roll(self, sides: int) -> int:
            return dice.randint(1, sides)

    return Seeded()


def hidden_of(kind: str, dice: Random) -> tuple[list[Character], list[Character]]:
    """Return the hidden characters of the two fights of a pair."""

    def anyone() -> Character:
        return Character(
            dice.choice(("Goblin", "Zed", "Assassin", "Vex 2")),
            dice.choice(("foes", "foes", "heroes", "shadows")),
            dice.randint(1, 6),
            dice.randint(0, 3),
            dice.choice(FREE),
            dice.randint(1, 20),
            dice.random() < 0.5,
        )

    def like(each: Character, **changes: Any) -> Character:
        return Character(**{**vars(each), **changes})

    one = [anyone() for _ in range(dice.randint(1, 3))]
    other = [like(each) for each in one]
    if kind in ("number", "waiting", "end"):
        other = [anyone() for _ in range(dice.choice([n for n in range(4) if n != len(one)]))]
    elif kind == "names":
        other = [
            like(each, name=dice.choice(("Goblin", "Yan", "Ann 2")), side=dice.choice(("foes", "mob"))) for each in one
        ]
    elif kind == "hit points":
        other = [like(each, toughness=each.toughness % 6 + 1) for each in one]
    elif kind == "places":
        other = [like(each, at=dice.choice(FREE)) for each in one]
    elif kind == "turns":
        other = [like(each, face=dice.randint(1, 20), is_first=dice.random() < 0.5) for each in one]
    return one, other


class Pair:
    """Two fights that go on with the same visible steps."""

    def __init__(self, kind: str, dice: Random) -> None:
        self.kind, self.dice = kind, dice
        self.on_map = kind in ("places", "waiting") or dice.random() < 0.4
        seed = str(dice.random())
        self.both = [begin(seed, each, self.on_map, Random(dice.random())) for each in hidden_of(kind, dice)]
        self.people = [each.id for each in self.both[0].state.fighters if each.id in VISIBLE]
        self.sides = [side for side in ("heroes", "foes") if dice.random() < 0.5]

    def play_hidden(self) -> None:
        """Play hidden turns in both fights until a visible character may act."""
        for each in self.both:
            each.intervene()
            for _ in range(40):
                if not each.is_hidden_turn():
                    break
                each.act_hidden()
                each.end_hidden_turn()

    def strike(self) -> None:
        """Let a hidden character hit a visible one in one of the fights.

        In the other fight the game master sets the same damage.
        """
        for each, other in (self.both, self.both[::-1]):
            who = [own for own in each.coming() if own in each.ids]
            steps = each.legal_steps(who, (*who, *self.people)) if each.is_hidden_turn() else {}
            hits = [
                text for text, act in steps.items() if act.do == "basic-attack" and {*act.targets} <= {*self.people}
            ]
            if hits:
                step = json.loads(self.dice.choice(hits))
                each.take(step, [20])
                each.settle_alone()
                hp = each.state.fighter(step["target"]).hp
                other.take({"do": "set-hp", "target": step["target"], "hp": hp}, [])
                return

    def common(self) -> dict[str, list[Any]]:
        """Return the steps that visible characters may take in both fights.

        Each step has its action in each fight.
        """
        found = [each.legal_steps(self.people, self.people) for each in self.both]
        return {text: [legal[text] for legal in found] for text in sorted(found[0]) if text in found[1]}

    def choose(self, only: Sequence[str] = ()) -> tuple[Step, list[int]]:
        """Choose a step that is legal in both fights, and its faces."""
        steps = {text: acts for text, acts in self.common().items() if not only or acts[0].do in only}
        kinds = sorted({acts[0].do for acts in steps.values()} - {"blast", "escape"})
        if not kinds:
            raise Discarded("nothing that both may do")
        do = self.dice.choice(kinds)
        text = self.dice.choice([text for text, acts in steps.items() if acts[0].do == do])
        needed = {
            each.fight.playthrough.count_needed_faces(each.state, act)
            for each, act in zip(self.both, steps[text], strict=True)
        }
        if len(needed) > 1:
            raise Discarded("not the same number of dice")
        return json.loads(text), [self.dice.randint(1, 20) for _ in range(needed.pop())]

    def take(self, step: Step, faces: Sequence[int] | None) -> None:
        """Add a step to both fights."""
        for each in self.both:
            each.take(step, faces)

    def settle(self) -> None:
        """Resolve the pending actions.

        Hidden characters may try to interrupt and fail; visible ones do the same in both fights.
        """
        for _ in range(20):
            for each in self.both:
                while each.state.pending_action is not None and not each.can_visible_interrupt():
                    each.take({"actor": each.state.pending_action.who, "do": "settle"}, None)
            if all(each.state.pending_action is None for each in self.both):
                return
            who = {each.state.pending_action.who if each.state.pending_action else "" for each in self.both}
            if len(who) > 1:
                raise AssertionError("only one of the two fights asks someone in sight")
            answers = [step for step in self.common() if json.loads(step)["do"] == "interrupt"]
            if answers and self.dice.random() < 0.4:
                self.take(json.loads(self.dice.choice(answers)), [1])
            else:
                self.take({"actor": who.pop(), "do": "settle"}, None)
        raise Discarded("it waits for ever")

    def step(self) -> None:
        """Play one more visible step, of a character or of the game master."""
        if self.dice.random() < 0.3:
            self.strike()
        self.play_hidden()
        if self.dice.random() < 0.15:
            who, hp = self.dice.choice(self.people), self.dice.randint(0, 2)
            step = self.dice.choice(
                (
                    {"do": "set-hp", "target": who, "hp": hp},
                    {"do": "condition", "target": who, "condition": "panicked"},
                )
            )
            self.take(step, [])
            return
        step, faces = self.choose()
        self.take(step, faces)
        self.settle()

    def compare(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return what the players see of both fights."""
        one, other = (each.screen(self.sides) for each in self.both)
        return one, other

    # The moment that is compared

    def hold(self) -> None:
        """Stop in the turn of a hidden character.

        A fight without such a turn stops before the visible turn ended.
        """
        self.play_hidden()
        before = [each.fight for each in self.both]
        step, _ = self.choose(["end-turn"])
        self.take(step, [])
        held = [each.is_hidden_turn() for each in self.both]
        if not any(held):
            return
        for number, each in enumerate(self.both):
            if held[number]:
                each.act_hidden()
                if not each.is_hidden_turn():
                    raise Discarded("its turn ended by itself")
            else:
                each.fight = before[number]

    def wait(self) -> None:
        """Stop where an action waits for hidden characters."""
        for _ in range(12):
            self.play_hidden()
            before = [each.fight for each in self.both]
            try:
                step, faces = self.choose(["move", "evade", "shoot", "basic-attack"])
            except Discarded:
                step, faces = self.choose(["end-turn"])
            is_rolled = bool(faces) and self.dice.random() < 0.5
            if is_rolled:  # its dice are known from the start, so it is shown as resolved
                self.take(step, faces)
            else:
                waiting = []
                for each in self.both:
                    try:
                        each.take(step, None if faces else [])
                        waiting.append(each)
                    except Discarded:
                        each.take(step, faces)
                if not waiting:
                    continue
            is_pending = [each.state.pending_action is not None for each in self.both]
            if any(is_pending) and not any(each.can_visible_interrupt() for each in self.both):
                if not is_rolled and faces:
                    for number, each in enumerate(self.both):
                        each.fight = each.fight if is_pending[number] else before[number]
                return
            self.settle()
        raise Discarded("nothing waits for a hidden character")

    def end(self) -> None:
        """Stop where at most one visible side is left.

        Half of the time the encounter is over, too.
        """
        self.play_hidden()
        side = self.dice.choice(("heroes", "foes"))
        down = [who for who in self.people if SIDE.get(who, "foes") == side]
        down = self.people if self.dice.random() < 0.3 else down
        for who in down:
            self.take({"do": "set-hp", "target": who, "hp": 0}, [])
        for each in self.both:
            each.intervene()
        if self.dice.random() < 0.5:
            self.take({"do": "end-encounter"}, [])
        else:
            self.play_hidden()


def pairs(kind: str, dice: Random, counts: Counter[str]) -> Iterator[Pair]:
    """Yield pairs of a kind, each at the moment of the comparison."""
    while True:
        try:
            pair = Pair(kind, dice)
            for _ in range(dice.randint(0, STEPS)):
                pair.step()
            if kind == "end":
                pair.end()
            elif kind == "waiting":
                pair.wait()
            elif dice.random() < 0.4:
                pair.hold()
            else:
                pair.play_hidden()
        except Discarded as why:
            counts[f"discarded: {str(why)[:60]}"] += 1
            continue
        yield pair


@pytest.mark.heavy
def test_hiding_differences_leave_no_trace() -> None:
    """Hidden characters stay unknown in every respect.

    These are their number, names, hit points, places, turns, waiting actions and end.
    """
    dice, counts = generator("hiding"), Counter[str]()
    count = sample_size(16, full=143)
    for kind in KINDS:
        found = pairs(kind, dice, counts)
        for _ in range(count):
            pair = next(found)
            one, other = pair.compare()
            logs = [json.loads(each.fight.file_text) for each in pair.both]
            if one != other:
                left, right = (re.sub("><", ">\n<", "\n".join(each)).splitlines() for each in (one, other))
                differing = unified_diff(left, right, "one", "other", lineterm="", n=1)
                text = "\n".join((f"{kind}, {pair.sides}", *differing))
                print(*map(json.dumps, logs), sep="\n")
                pytest.fail(text, pytrace=False)
            counts[kind] += 1
    print(f"pairs by kind: {dict(counts)}")


LINES = {
    "seize": "Ann: side red\nBo: side blue\nCy: side red\nZed: side blue",
    "mano": "Ann: side red, reach 2\nBo: side blue\nCy: side red\nZed: side blue",
    "mano-old": "Ann: side red, hp 5, hp/round 3\nBo: side blue, hp 5, hp/round 3\nZed: side blue, hp 4, hp/round 2",
}


@pytest.mark.heavy
@pytest.mark.parametrize("system", LINES)
def test_hiding_name_leaves_no_trace_in_other_turn_systems(system: str) -> None:
    """A hidden character's name stays unknown at every moment.

    That holds whatever the character does, and whatever others do to it.
    """
    dice, compared = generator(f"hiding {system}"), 0
    for _ in range(sample_size(3, full=50)):
        begun = view_fight(own_dice(dice), log="begin", system=system, fighters=LINES[system])
        assert not begun.problems
        fight, _ = open_fight(begun.fields["log"], None)
        for _ in range(dice.randint(4, 16)):
            legal = fight.system.legal_actions(fight.state)
            do = dice.choice(sorted({each.do for each in legal})) if legal else ""
            for act in dice.sample([each for each in legal if each.do == do], bool(legal)):
                after = add_step(fight, act.to_step(), own_dice(dice), None)
                assert isinstance(after, Fight)
                fight = after
            if dice.random() < 0.5:
                continue
            text = fight.file_text.replace("zed", "yan").replace("Zed", "Yan")
            other = Hidden(open_fight(text, None)[0], frozenset({"yan"}), dice)
            one = Hidden(fight, frozenset({"zed"}), dice)
            seen = one.screen(["red"])
            assert seen == other.screen(["red"]), fight.file_text
            assert "Zed" not in seen[0]
            assert re.search('class="person [^"]*is-on', seen[0]) or fight.state.phase != "running", fight.file_text
            compared += 1
    print(f"moments compared in {system}: {compared}")
