"""A fight by the basic rules on the page: its set-up of stat blocks, what is pressed or drawn, and how it is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from scratch_core.calculators.board.maps import BY_ID
from scratch_core.calculators.elsewhere import is_sheet
from scratch_core.calculators.fight import adding, by_hand, ground, screen
from scratch_core.calculators.fight.answering import Answering
from scratch_core.calculators.fight.field import pressed_step, read_space, read_stroke
from scratch_core.calculators.fight.ground import Ground
from scratch_core.calculators.fight.offers import able, turn_of
from scratch_core.calculators.fight.on_board import turn_on_board
from scratch_core.calculators.fight.showing import Shown, shown_fight
from scratch_core.calculators.fight.table import Fight, Step
from scratch_core.calculators.fight.view import CONTROLS, ORDER_CONTROLS, SETUP_SWITCHES, View
from scratch_core.calculators.fight.yours import ASK, sheet_of_query
from scratch_core.calculators.form import read_initiative, slug
from scratch_core.calculators.handed import CONTROL as HANDED
from scratch_core.calculators.handed import read_handed
from scratch_core.calculators.people.blocks import read_setup, write_setup
from scratch_core.calculators.query import Query
from scratch_core.cards import CHECK
from scratch_core.catalogue import Rulings, setting_words
from scratch_core.dice import Roller
from scratch_core.dice.entries import read_difficulty
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import FORMAT, Scenario, read_tree
from scratch_core.state import Fighter

MAP = "map-"
"""What the button of a ready map says before its id."""

STEP_KEYS: tuple[str, ...] = (
    *("actor", "do", "with", "target", "targets", "ability", "difficulty", "requires", "add", "hurry"),
    *("path", "at", "to", "swap", "when"),
)

SETUP_CONTROLS = (
    *("sheets", "initiative", "before", "log", *(switch.name for switch in SETUP_SWITCHES)),
    *(*ORDER_CONTROLS, *ground.CONTROLS),
)


class Sheets(Answering):
    """One query of a fight by the basic rules."""

    no_dice = ("the faces of the initiative", "The initiative is still to be rolled.")

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, roller)
        self.stroke = query.text("stroke").strip()
        self.yours = query.text(ASK)
        self.handed_over = query.text(HANDED)
        self.ground: Ground | None = None
        self.taken_in: frozenset[str] = frozenset()
        self.newcomer = ""

    @property
    def step_keys(self) -> tuple[str, ...]:
        """The keys of steps, on a board or not."""
        return STEP_KEYS

    # Before a fight

    def opened(self) -> View:
        """The view of a fight; or, where stat blocks were opened in place of one, of the set-up that they go into."""
        if not is_sheet(self.fields["log"]):
            return super().opened()
        sheets = adding.beside(self.fields["sheets"], self.fields["log"], self.fields)
        self.fields |= {"sheets": sheets, "log": "", "system": ""}
        self.command = ""
        self.taken_in = frozenset(("sheets", "log", "system"))
        return self.set_up()

    def set_up(self, *, is_refused: bool = False) -> View:
        """The view of a fight that has not begun."""
        before = dict(self.fields)
        self.brought_in()
        fighters: tuple[Fighter, ...] = ()
        if self.fields["sheets"].strip() and not self.is_cut:
            scenario, _ = self.prepared()
            fighters = scenario.fighters if scenario else ()
        query = {name: text for name, text in self.fields.items() if name in SETUP_CONTROLS}
        is_fresh = self.ground is not None and bool(self.stroke) and query["tokens"] != self.ground.tokens
        if is_fresh and self.ground is not None:
            query["tokens"] = self.fields["tokens"] = self.ground.tokens
        words = "The file’s stat blocks stand in the set-up. " if self.taken_in else ""
        added = adding.told(self.newcomer, self.fields, len(fighters)) if self.newcomer else ""
        words = (words + (f"{len(fighters)} fighters are ready." if len(fighters) > 1 else "")).strip()
        more = {"is_refused": is_refused, "fighters": fighters, "added": added}
        view = self.answer("setup", query, added or (words if not self.problems else ""), **more)
        mapped = {name: self.fields[name] != before[name] for name in ("sheets", *ground.CONTROLS)}
        changed = {**mapped, "tokens": is_fresh or mapped["tokens"]}
        fresh = self.taken_in.union(name for name, is_new in changed.items() if is_new)
        yours = read_handed(self.handed_over) if self.handed_over or self.command == ASK else None
        return replace(view, ground=self.ground, fresh=fresh, yours=yours)

    def brought_in(self) -> None:
        """Do what was pressed: bring somebody in, begin with nobody, or lay a ready map, on which all stand anew."""
        if self.command == "add":
            if self.bring(adding.added(self.fields["sheets"], self.fields)):
                self.newcomer = adding.asked_for(self.fields)
        elif self.command == "nobody":
            self.fields["sheets"] = ""
        elif self.yours:
            own = sheet_of_query(self.yours)
            if self.bring(adding.joined(self.fields["sheets"], own, self.fields)):
                self.newcomer = adding.name_of(own)
        elif self.command.removeprefix(MAP) in BY_ID:
            self.fields |= {**BY_ID[self.command.removeprefix(MAP)].fields(), "tokens": ""}

    def bring(self, found: tuple[str, tuple[Problem, ...]]) -> bool:
        """Take up the sheets with somebody more, and what kept them out; whether nothing did."""
        self.fields["sheets"], problems = found
        for problem in problems:
            self.note(problem, problem.where)
        return not problems

    def prepared(self) -> tuple[Scenario | None, dict[str, list[int]]]:
        """The scenario of the set-up without steps, None while it has errors, and the faces typed."""
        setup = read_setup(self.fields["sheets"])
        for problem in setup.problems:
            self.note(problem, "sheets")
        rulings = self.rulings()
        if not setup.is_ready:
            return None, {}
        tree = self.on_ground(setup.characters)
        if tree is None:
            return None, {}
        tree |= {"format": FORMAT, "rulings": rulings}
        try:
            scenario = read_tree(tree)
        except ScratchError as error:
            self.refuse(error, "sheets")
            return None, {}
        if len({each.side for each in scenario.fighters}) < 2:
            expected = "two sides at least (a line like `side: hunters` below a name)"
            self.note(Problem("fight.sides", expected, "one", "sheets", None, "advice"), "sheets")
        for advice in scenario.advice:
            self.note(advice, "sheets")
        names: dict[str, str] = {}
        for each in scenario.fighters:
            names |= {slug(each.id): each.group, slug(each.name): each.group}
        names |= {slug(each.group): each.group for each in scenario.fighters}
        faces, found = read_initiative(self.fields["initiative"], names)
        for problem in found:
            self.note(problem, "initiative")
        return scenario, faces

    def on_ground(self, characters: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
        """The characters and, where there is a map, the board with everybody on it; None while somebody can't stand."""
        if not self.fields["map"].strip():
            return {"characters": list(ground.without_board(characters))}
        laid = ground.lay(self.fields, characters, self.stroke)
        self.ground = laid.ground
        for problem in laid.problems:
            self.note(problem, problem.where)
        if laid.ground is None or any(problem.severity == "error" for problem in laid.problems):
            return None
        return {"characters": list(laid.ground.characters), "board": laid.ground.tree}

    def rulings(self) -> dict[str, Any]:
        """The rulings chosen that are not the defaults."""
        given = {switch.name: self.fields[switch.name] for switch in SETUP_SWITCHES}
        chosen = {}
        for switch in SETUP_SWITCHES:
            if not given[switch.name].strip():
                continue
            try:
                value = getattr(Rulings.read({switch.name: given[switch.name]}), switch.name)
            except ScratchError as error:
                self.refuse(error, switch.name, with_place=False)
                continue
            if value != switch.default:
                chosen[switch.name] = value
        return chosen

    def begun(self) -> View:
        """The view of the fight that begins now, or of the set-up where it can't."""
        if not self.fields["sheets"].strip():
            expected = "stat blocks of those who fight"
            self.note(Problem("fight.nobody", expected, "none", "sheets", "turn.encounter"), "sheets")
            return self.set_up()
        scenario, faces = self.prepared()
        is_wrong = scenario is None or any(problem.severity == "error" for problem in self.problems)
        self.problems.clear()  # said again by the set-up itself
        if scenario is None or is_wrong:
            return self.set_up()
        tree = scenario.tree
        head: dict[str, Any] = {"rulings": tree["rulings"]} if tree["rulings"] else {}
        head |= {"characters": list(tree["characters"]), "initiative": faces}
        head |= {"board": tree["board"]} if "board" in tree else {}
        return self.first_shown(head)

    # A fight

    def pressed(self, fight: Fight) -> Step | None:
        """The step that was pressed, or drawn on the board; None for none, or for what can't be read."""
        if self.command == CHECK.do:
            return self.check(fight)
        return super().pressed(fight) or self.stroked(fight)

    def stroked(self, fight: Fight) -> Step | None:
        """What was drawn on the board: a step, or a space to ask about, pressed again to let go of it."""
        stroke = read_stroke(self.stroke)
        if stroke is None or fight.state.board is None or fight.state.exposure is not None:
            return None
        first, space = stroke
        asked = read_space(self.fields["aim"])
        self.fields["aim"] = "" if space == asked else f"{space[0]},{space[1]}"
        there = able(fight.state)
        if not there or fight.state.phase != "running" or (first is None and space != asked):
            return None
        who = self.fields["who"] if self.fields["who"] in there else there[0]
        turn, _ = turn_on_board(fight.state, turn_of(fight.state, who))
        offer = pressed_step(fight.state, turn, first, space, asked)
        return None if offer is None else dict(json.loads(offer.step))

    def check(self, fight: Fight) -> Step | None:
        """A bare roll, at any time. Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`."""
        fields = self.fields
        try:
            difficulty = read_difficulty(fields["check_difficulty"], "check_difficulty")
        except ScratchError as error:
            self.refuse(error, "check_difficulty", with_place=False)
            return None
        actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
        step: dict[str, Any] = {"actor": actor, "do": CHECK.do, "difficulty": difficulty}
        if fields["check_ability"]:
            step["ability"] = fields["check_ability"]
            step["requires"] = bool(fields["check_requires"])
        return step

    def joining(self, fight: Fight) -> list[dict[str, Any]]:
        """Those of a stat block or of the cast join."""
        return by_hand.joining(fight, self.fields)

    def cleared(self) -> None:
        """What is typed for one act is not for the next."""
        self.fields |= {"faces": "", "note": "", "picked": "", "who": "", "aim": ""}

    def set_up_again(self, fight: Fight) -> View:
        """The set-up of a fight's characters, with the fight put by."""
        self.fields = dict.fromkeys(CONTROLS, "") | {"sheets": write_setup(fight.scenario), "before": fight.text}
        given = fight.scenario.tree.get("rulings", {})
        names = {switch.name for switch in SETUP_SWITCHES}
        self.fields |= {name: setting_words(value) for name, value in given.items() if name in names}
        self.fields |= ground.texts_of(fight.scenario)
        self.stroke = ""
        return self.set_up()

    def shown(self, fight: Fight, undone: int) -> View:
        """The fight as it stands."""
        self.fields |= {"sheets": "", "initiative": "", "before": "", **dict.fromkeys(ground.CONTROLS, "")}
        who, *picked = self.fields["picked"].split()[:4] or [self.fields["who"]]
        if self.command in ("undo", "redo"):
            self.fields["aim"] = ""
        seen = shown_fight(fight, who, tuple(picked), read_space(self.fields["aim"]), self.is_whole)
        kept = {name: self.fields[name] for name in ("log", "redo", "aside", "faces", "note", *screen.CONTROLS, "odds")}
        whose = f"{seen.active_name} is on turn" if seen.active else ""
        handed = self.handed(fight, seen.chips, (seen.round, whose, seen.ended))
        return self.answer("fight", kept, self.aloud(self.words(seen)), shown=seen, undone=undone, **handed)

    def words(self, seen: Shown) -> str:
        """Whose turn it is, to be said aloud after what happened."""
        if seen.question:
            return f"{seen.question.words}. Does anybody interrupt?"
        if seen.is_over:
            return "The encounter is over."
        if seen.ended:
            return f"{seen.ended}."
        return f"Round {seen.round}, {seen.active_name}'s turn." if seen.active else "Nobody is able to act."
