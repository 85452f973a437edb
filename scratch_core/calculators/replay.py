"""The replay calculator: a scenario, a step of it, other rulings and changed dice in; the moment and the log out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scratch_core.abilities import NAMES as ABILITIES
from scratch_core.actions import NAMES as ACTIONS
from scratch_core.actions import TITLES, FightRoll
from scratch_core.calculators.query import Query
from scratch_core.calculators.replay_board import BOARD_EDITS, BoardShown, board_actions, board_fields, board_shown
from scratch_core.calculators.replay_changes import (
    DELETE,
    TEXT_LIMIT,
    Changes,
    change_tree,
    deleted,
    file_step,
    inserted,
    labels,
    listed,
    read_changes,
    without_step,
    write_changes,
)
from scratch_core.calculators.replay_story import STORY, Told
from scratch_core.catalogue import SWITCHES, Rulings, Switch, setting_words
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure
from scratch_core.scenario import SHIPPED, WAYS, OrderPlayed, OrderRecord, Played, Record, Scenario, first_difference
from scratch_core.scenario.playing import play
from scratch_core.scenario.reading import read, read_tree
from scratch_core.scenario.text import write_json
from scratch_core.state import Fighter, Initiative, State

if TYPE_CHECKING:
    from scratch_core.calculators.replay_orders import OrderStory

AnyPlayed = Played | OrderPlayed

QUERY_LIMIT = 1_100_000
"""A query carries a whole file."""

BASIC_SWITCHES: tuple[Switch, ...] = tuple(switch for switch in SWITCHES if switch.name != "seize_on_total")
"""The rulings that concern a fight, each a control of its own."""

EDITS = ("actor", "do", "target", "with", "faces")
"""What of the step shown has a field, named with the step's label: `faces_4`. At step 0, `initiative_1` and on."""

CONTROLS = ("scenario", "way", *(switch.name for switch in BASIC_SWITCHES), "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query."""

BASIC_ACTIONS = tuple((do, TITLES[do]) for do in ACTIONS)
"""The actions that a step can be without a board, with their titles."""

WAY_WORDS: Mapping[str, str] = {
    "rules": "By the rules",
    "as-printed": "As printed",
    "base-8": "Strength 8, else strict",
}

WHOLE_LOG = 60
AROUND = 20
"""A log so long is shown whole; of a longer one, so many steps before and after the one shown."""

MOST_PIPS = 20
MOST_PROBLEMS = 10
MOST_GROUPS = 12
LONGEST_SAID = 300


# What the template prints


@dataclass(frozen=True, slots=True)
class FighterShown:
    """A character at the moment shown: hit points, the pips that draw them, condition, and what has befallen it.

    `change` is what the step did to the hit points. `was` is hit points and condition in the file's own story, where
    they differ. `states` are words, each with the rule that it comes from.
    """

    id: str
    name: str
    side: str
    hp: int
    max_hp: int
    stamina: int
    condition: str
    change: int
    pips: tuple[str, ...]
    percent: int
    states: tuple[tuple[str, str], ...]
    is_active: bool
    was: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class RollShown:
    """One roll with its parts; `what_if` holds other faces, each with the fork in which the die shows it."""

    who: str
    target: str
    face: int
    figure: Figure
    against: Figure
    success: bool
    automatic: bool
    what_if: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class StepShown:
    """What came of the step shown, or of the same one in the file's own story.

    `broken` says why a step is not allowed: a sentence, and every rule that it goes against.
    """

    say: str
    legal: bool
    broken: tuple[tuple[str, tuple[str, ...]], ...]
    rolls: tuple[RollShown, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: the sentence, and beside it that of the file's own story where there is a fork.

    `round` is the round that the step is the first of, 0 where it is none. A step of the file that the fork leaves out
    has `n` 0, and in `restore` the fork with it; one that only the fork has is new.
    """

    n: int
    say: str
    legal: bool
    rules: tuple[str, ...]
    round: int
    own: str
    own_legal: bool
    own_rules: tuple[str, ...]
    differs: bool
    is_first_difference: bool
    is_changed: bool
    is_new: bool = False
    restore: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group's initiative with its parts; `control` is the field that changes its faces, "" where there is none.

    `members` are the names of those who share it.
    """

    name: str
    members: str
    initiative: Initiative
    control: str
    faces: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The fields of the step shown, named with its label.

    `take` is the fork with what is typed into them, `drop` that without this step's changes; `before` and `after` have
    one more step there ("" where there is no room), `delete` leaves this one out.
    """

    label: str
    actor: str
    do: str
    target: str
    uses: str
    faces: str
    take: str
    drop: str
    is_changed: bool
    is_new: bool
    targets: tuple[tuple[str, str], ...]
    before: str
    after: str
    delete: str
    board: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The moment after a step, and the log around it. `beside` is the file's own story of the step, in a fork."""

    title: str
    step: int
    last: int
    round: int
    active: str
    winner: str
    note: str
    fighters: tuple[FighterShown, ...]
    groups: tuple[Group, ...]
    now: StepShown | None
    beside: StepShown | None
    told: Told | None
    unmet: tuple[str, ...]
    log: tuple[Line, ...]
    log_from: int
    log_to: int
    is_fork: bool
    labels: tuple[str, str]
    first_difference: int | None
    edit: Edit
    is_thrown: bool
    file_name: str
    file_text: str
    made_text: str
    board: BoardShown | None = None


@dataclass(frozen=True, slots=True)
class View:
    """Everything the template prints. `rulings` are those in force, for the words of the switches left blank."""

    query: str
    summary: str
    problems: tuple[Problem, ...]
    fields: Mapping[str, str]
    is_shipped: bool
    way: str
    dice: int
    rulings: Rulings
    answer: Answer | None
    switches: tuple[Switch, ...] = BASIC_SWITCHES
    ways: tuple[tuple[str, str], ...] = tuple(WAY_WORDS.items())
    shipped: tuple[str, ...] = tuple(SHIPPED)
    actions: tuple[tuple[str, str], ...] = BASIC_ACTIONS
    ability_choices: tuple[tuple[str, str], ...] = tuple((name, name) for name in ABILITIES)

    def choices(self, switch: Switch) -> tuple[tuple[str, str], ...]:
        """What a switch can be set to: as the file has it, and each of its readings."""
        now = setting_words(getattr(self.rulings, switch.name))
        readings = tuple((setting_words(choice), setting_words(choice)) for choice in switch.choices)
        return (("", f"as it stands ({now})"), *readings)


# Playing, kept for the next step


@dataclass(frozen=True, slots=True)
class Story:
    """A scenario played. `tree` is its file with every face filled in, `is_thrown` says that some were missing.

    A fork has its file as JSON in `text`, and in `first` the step at which it parts from the file's own story. `labels`
    name its steps by those of the file.
    """

    played: Played
    tree: Mapping[str, Any]
    is_thrown: bool
    labels: tuple[str, ...]
    text: str = ""
    first: int | None = None


Failed = tuple[Problem, ...]


class _PageDice:
    """Dice for what a file leaves open: the same ones each time for the same number, so that a link shows the same."""

    def __init__(self, number: int) -> None:
        self.state = number
        self.thrown = 0

    def roll(self, sides: int) -> int:
        """Give a face; SplitMix64, whose 64 bits are even over any die's sides to all purposes."""
        self.thrown += 1
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return (mixed ^ mixed >> 31) % sides + 1


@lru_cache(maxsize=4)
def _original(text: str, dice: int) -> Story | Failed:
    """The file's own story, or why there is none."""
    try:
        story = _story(read(text), _PageDice(2 * dice))
        return replace(story, text=_file(story)) if story.is_thrown else story
    except ScratchError as error:
        return error.problems


@lru_cache(maxsize=8)
def _forked(text: str, dice: int, rulings: tuple[tuple[str, str], ...], fork: str) -> Story | Failed:
    """The story with other rulings and changes, or why there is none. `fork` is canonical and can be read."""
    original = _original(text, dice)
    if isinstance(original, tuple):
        return original
    try:
        changes, _ = read_changes(fork)
        tree = change_tree(original.tree, changes)
        if rulings:
            chosen = Rulings.read(dict(rulings))
            given = {name: getattr(chosen, name) for name, _ in rulings}
            tree["rulings"] = {**tree.get("rulings", {}), **given}
        named = labels(len(original.played.records), changes)
        story = _story(read_tree(tree), _PageDice(2 * dice + 1), named)
        changed = {label for label, _ in changes}
        loose = [
            record.n
            for record, label in zip(story.played.records, named, strict=True)
            if record.error and (label, "faces") not in changes and label in changed
        ]
        if loose:
            steps = [
                {key: value for key, value in step.items() if n not in loose or key != "faces"}
                for n, step in enumerate(tree["steps"], 1)
            ]
            story = _story(read_tree({**tree, "steps": steps}), _PageDice(2 * dice + 1), named)
        return replace(story, text=_file(story), first=first_difference(original.played, story.played))
    except ScratchError as error:
        return error.problems


def _story(scenario: Scenario, dice: _PageDice, named: tuple[str, ...] | None = None) -> Story:
    played = play(scenario, dice)
    named = labels(len(played.records), {}) if named is None else named
    if not dice.thrown:
        return Story(played, scenario.tree, False, named)
    steps = [
        {**record.step.tree, "faces": list(record.faces)} if record.faces else record.step.tree
        for record in played.records
    ]
    initiative = {each.group: list(each.faces) for each in played.begun.initiative}
    return Story(played, {**scenario.tree, "initiative": initiative, "steps": steps}, True, named)


def _file(story: Story) -> str:
    return write_json(story.tree, indent=1)


@lru_cache(maxsize=4)
def _text_of(raw: str) -> str:
    """The scenario's text from a query's raw value, which is long and the same for every step."""
    return Query({"scenario": raw}).text("scenario")


@lru_cache(maxsize=4)
def _quoted(text: str) -> str:
    return quote(text)


# Reading the query


def view(query: Query, roller: object = None) -> View:
    """Answer a query: the moment after `step` of `scenario`, by the rulings and with the changes asked for.

    Nothing is rolled by chance: dice that the file leaves open are thrown by number, `dice` 0 and on. Never raises:
    what can't be read is a problem at its control. Rules: `turn.encounter`, `roll.success`, `hp.healthy`.
    """
    return _Reading(query).view()


class _Reading:
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.problems: list[Problem] = []
        self.fields = {name: query.text(name).strip() for name in CONTROLS if name != "scenario"}
        self.fields["scenario"] = _text_of(query.raw.get("scenario", ""))

    def note(self, problems: Sequence[Problem], control: str, *, is_placed: bool = True) -> None:
        """Note problems at a control; the place within it goes into the words."""
        for problem in problems[:MOST_PROBLEMS]:
            place = f" in {_cut(problem.where, 80)}" if is_placed and problem.where != control else ""
            got = f"{_cut(problem.got, 120)}{place}"
            self.problems.append(replace(problem, expected=_cut(problem.expected, 200), got=got, where=control))
        if len(problems) > MOST_PROBLEMS:
            more = f"{len(problems) - MOST_PROBLEMS:,} more problems"
            self.problems.append(Problem("replay.more", "these to be mended first", more, control, None, "advice"))

    def view(self) -> View:
        name = self.fields["scenario"].strip() if len(self.fields["scenario"]) < 100 else ""
        text = SHIPPED.get(name, self.fields["scenario"])
        dice = self.number("dice", 0)
        way = self.way()
        rulings = self.rulings(way)
        answer, current = None, Rulings()
        if self.is_readable(text):
            original = _original(text, dice)
            if isinstance(original, tuple):
                other = _order_view(self.query, text) if _is_other(original) else None
                if other:
                    return other
                self.note(original, "scenario")
            else:
                self.note(original.played.problems, "scenario")
                current, answer = self.answer(text, dice, original, rulings)
        if answer:
            self.fields["step"] = str(answer.step)
        return View(
            query="&".join(
                f"{name}={(_quoted if name == 'scenario' else quote)(self.fields[name])}"
                for name in CONTROLS
                if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= TEXT_LIMIT)
            ),
            summary=_summary(answer),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=text == SHIPPED["worked-combat"],
            way=way,
            dice=dice,
            rulings=current,
            answer=answer,
            actions=board_actions() if answer and answer.board else BASIC_ACTIONS,
        )

    def is_readable(self, text: str) -> bool:
        if self.query.cut:
            problem = Problem("query.limit", f"{QUERY_LIMIT:,} characters at most in all", "more", "scenario")
            self.problems.append(problem)
            return False
        plain = text.strip() if len(text) < 1000 else text
        if plain and len(plain) < 1000 and "\n" not in plain and "=" not in plain and not plain.startswith("{"):
            expected = f"a scenario file, or the name of one that is here: {', '.join(SHIPPED)}"
            self.problems.append(Problem("replay.scenario", expected, shown(plain), "scenario"))
            return False
        return bool(plain) and not plain.isspace()

    def number(self, control: str, default: int) -> int:
        text = self.fields[control]
        if not text:
            return default
        if text.isascii() and text.isdigit() and len(text) <= 6:
            return int(text)
        self.problems.append(Problem(f"replay.{control}", "a whole number from 0 to 999999", shown(text), control))
        return default

    def way(self) -> str:
        way = self.fields["way"]
        if way and way not in WAYS:
            self.problems.append(Problem("replay.way", f"one of {', '.join(WAYS)}", shown(way), "way"))
            return ""
        return way

    def rulings(self, way: str) -> tuple[tuple[str, str], ...]:
        """The rulings asked for, by name; one that can't be read is left as it stands."""
        given = dict(self.rulings_of(way))
        for switch in BASIC_SWITCHES:
            text = self.fields[switch.name]
            if not text:
                continue
            try:
                given[switch.name] = setting_words(getattr(Rulings.read({switch.name: text}), switch.name))
            except ScratchError as error:
                self.note(error.problems, switch.name, is_placed=False)
        return tuple(sorted(given.items()))

    def rulings_of(self, way: str) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((name, setting_words(value)) for name, value in WAYS.get(way, {}).items()))

    def answer(
        self, text: str, dice: int, original: Story, rulings: tuple[tuple[str, str], ...]
    ) -> tuple[Rulings, Answer]:
        """The story to show and its moment; a fork that can't be told is left out, and its problems are noted."""
        changes, taken = self.changes(original)
        story = self.fork(text, dice, original, rulings, changes)
        if taken is not None:
            changes = self.taken(taken, original, story, changes)
            story = self.fork(text, dice, original, rulings, changes)
        self.fields["fork"] = write_changes(changes) if not self.has_problem("fork") else self.fields["fork"]
        step = self.step(len(story.played.records))
        answer = _answer(text, original, story, changes, step)
        if text == SHIPPED["worked-combat"] and rulings == self.rulings_of(self.fields["way"]) and not changes:
            answer = replace(answer, labels=(WAY_WORDS.get(self.fields["way"], "").lower(), "by the rules"))
        return story.played.scenario.rulings, answer

    def has_problem(self, control: str) -> bool:
        return any(problem.where == control and problem.severity == "error" for problem in self.problems)

    def changes(self, original: Story) -> tuple[dict[tuple[str, str], str], str | None]:
        try:
            return read_changes(self.fields["fork"])
        except ScratchError as error:
            self.note(error.problems, "fork")
            return {}, None

    def fork(
        self, text: str, dice: int, original: Story, rulings: tuple[tuple[str, str], ...], changes: Changes
    ) -> Story:
        if not rulings and not changes:
            return original
        made = _forked(text, dice, rulings, write_changes(changes))
        if isinstance(made, tuple):
            self.note(_by_step(made), "fork")
            return original
        known = {problem.where for problem in original.played.problems}
        self.note(_by_step([each for each in made.played.problems if each.where not in known]), "fork")
        return made

    def taken(self, label: str, original: Story, story: Story, changes: Changes) -> dict[tuple[str, str], str]:
        """The changes with the fields of a step taken over, where they differ from what the story has."""
        if self.has_problem("fork") or label not in ("0", *story.labels):
            return dict(changes)
        if label == "0":
            pairs = [
                (("0", group.name), group.control, group.faces, _initiative_faces(original, group.name))
                for group in _groups(story.played.begun)
                if group.control
            ]
        else:
            ours = _fields(story.played.records[story.labels.index(label)])
            theirs = _fields(original.played.records[int(label) - 1]) if label.isdigit() else {}
            keys = (*EDITS, *BOARD_EDITS) if story.played.scenario.board else EDITS
            pairs = [((label, key), f"{key}_{label}", ours[key], theirs.get(key, "")) for key in keys]
        made = dict(changes)
        if not any(control in self.query for _, control, *_ in pairs):
            return made
        for place, control, now, first in pairs:
            typed = " ".join(self.query.text(control).replace(";", " ").split())
            if _plain(typed) == _plain(now) or (place[1] in ("actor", "do") and place[0] != "0" and not typed):
                continue
            made.pop(place, None)
            if _plain(typed) != _plain(first):
                made[place] = typed
        return made

    def step(self, last: int) -> int:
        step = self.number("step", 0)
        if step > last:
            problem = Problem("replay.step", f"a step from 0 to {last}", f"{step}", "step", None, "advice")
            self.problems.append(problem)
        return min(step, last)


def _is_other(problems: Failed) -> bool:
    """Whether a file may be refused for its system alone, which another module plays."""
    return any(problem.where.startswith("system") for problem in problems)


def _order_view(query: Query, text: str) -> View | None:
    from scratch_core.calculators.replay_orders import order_view  # only where a file asks for another turn order

    return order_view(query, text)


def _by_step(problems: Sequence[Problem]) -> list[Problem]:
    """Problems whose places count steps from 1, as readers do: `steps[3].faces` → `faces of step 4`."""
    return [replace(problem, where=_place(problem.where)) for problem in problems]


def _place(where: str) -> str:
    head, _, rest = where.partition("]")
    number = head.removeprefix("steps[")
    if number == head or not number.isdigit():
        return where
    return f"{rest.lstrip('.')} of step {int(number) + 1}".removeprefix(" of ")


def _cut(text: str, limit: int) -> str:
    plain = "".join(each if each.isprintable() else " " for each in text[: limit * 2])
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def _plain(typed: str) -> str:
    return " ".join(typed.replace(",", " ").split())


def _fields(record: Record) -> dict[str, str]:
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


# The answer


def _answer(text: str, original: Story, story: Story, changes: Changes, step: int) -> Answer:
    played, own = story.played, original.played
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    state, before = played.states[step], played.states[max(0, step - 1)]
    label = story.labels[step - 1] if step else "0"
    beside = own.states[file_step(label)] if is_fork else None
    names = {each.id: each.name for each in state.fighters}
    record = played.records[step - 1] if step else None
    own_record = own.records[int(label) - 1] if step and is_fork and label.isdigit() else None
    first = story.first if is_fork else None
    low, high = _window(step, len(played.records))
    is_json = text.lstrip()[:1] == "{"
    return Answer(
        title=_cut(played.scenario.title, LONGEST_SAID),
        step=step,
        last=len(played.records),
        round=state.round,
        active=names.get(state.active, "") if not state.turn_over else "",
        winner=state.winner,
        note=record.step.note if record else "",
        fighters=tuple(
            _fighter(now, then, state, beside.fighter(now.id) if beside else None)
            for now, then in zip(state.fighters, before.fighters, strict=True)
        ),
        groups=_groups(played.begun),
        now=_step(record, names, changes, label) if record else None,
        beside=_step(own_record, names, None, label)
        if own_record and record and _differs(own_record, record)
        else None,
        told=STORY.get(step) if text == SHIPPED["worked-combat"] else None,
        unmet=()
        if is_fork
        else tuple(each.message for each in played.differences if each.n in (step, _end(step, played))),
        log=_log(low, high, story, own if is_fork else None, first, changes),
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


def _end(step: int, played: AnyPlayed) -> int:
    """Expectations at the end belong to the last step; 0 is how they are numbered."""
    return 0 if step == len(played.records) else step


def _window(step: int, last: int) -> tuple[int, int]:
    if last <= WHOLE_LOG:
        return 1, last
    return max(1, step - AROUND), min(last, step + AROUND)


def _fighter(now: Fighter, then: Fighter, state: State, beside: Fighter | None) -> FighterShown:
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


def _groups(begun: State) -> tuple[Group, ...]:
    """How initiative fell. A name that a fork's text could not hold has no field."""
    return tuple(
        Group(
            each.group,
            listed(member.name for member in begun.members(each.group)),
            each,
            _control(n, each.group),
            listed(each.faces),
        )
        for n, each in enumerate(begun.initiative, 1)
    )


def _control(n: int, group: str) -> str:
    is_writable = group == group.strip() and not any(sign in group for sign in ";=\n")
    return f"initiative_{n}" if n <= MOST_GROUPS and is_writable else ""


def _initiative_faces(story: Story, group: str) -> str:
    return next((listed(each.faces) for each in story.played.begun.initiative if each.group == group), "")


def _step(record: Record, names: Mapping[str, str], changes: Changes | None, label: str) -> StepShown:
    rolls = tuple(_roll(roll, place, record, names, changes, label) for place, roll in enumerate(record.rolls))
    return _came(record, names, rolls)


def _came(record: Record | OrderRecord, names: Mapping[str, str], rolls: tuple[RollShown, ...] = ()) -> StepShown:
    problems = (record.error,) if record.error else record.problems
    broken: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        words = f"Expected {_cut(problem.expected, 200)}, got {_cut(problem.got, 120)}."
        broken[words] = (*broken.get(words, ()), *([problem.rule] if problem.rule else []))
    return StepShown(_said(record, names), record.legal, tuple(broken.items()), rolls)


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


def _names_of(record: Record | OrderRecord) -> dict[str, str]:
    state: Any = record.state  # every system's state has fighters with names
    return {each.id: each.name for each in state.fighters}


def _said(record: Record | OrderRecord, names: Mapping[str, str]) -> str:
    """The sentence of a step; of an illegal one only that it is none, for the rules it breaks are told beside it."""
    if record.legal:
        return record.say
    what = "the faces do not fit" if record.error else "not allowed"
    title = record.title if isinstance(record, OrderRecord) else TITLES[record.do]
    return f"{names.get(record.actor, 'The referee')}, {title}: {what}."


def _differs(one: Record | OrderRecord, other: Record | OrderRecord) -> bool:
    return (one.say, one.faces, one.action) != (other.say, other.faces, other.action)


def _log(  # noqa: PLR0913, PLR0917 -- a part of two stories
    low: int, high: int, story: Story | OrderStory, own: AnyPlayed | None, first: int | None, changes: Changes
) -> tuple[Line, ...]:
    """The lines of the steps from `low` to `high`, and between them those of the file that a fork leaves out."""
    lines: list[Line] = []
    before = file_step(story.labels[low - 2]) if low > 1 else 0
    for n in range(low, high + 1):
        label = story.labels[n - 1]
        gone = _gone(range(before + 1, file_step(label) + (not label.isdigit())), n, own, first, changes)
        line = _line(n, story, own, first, changes)
        lines += [*gone, replace(line, is_first_difference=line.is_first_difference and not gone)]
        before = file_step(label)
    if own and high == len(story.labels):
        lines += _gone(range(before + 1, len(own.records) + 1), high + 1, own, first, changes)
    return tuple(lines)


def _gone(numbers: range, n: int, own: AnyPlayed | None, first: int | None, changes: Changes) -> list[Line]:
    """The steps of the file, by number, that are left out before step `n` of a fork."""
    lines: list[Line] = []
    for number in numbers if own else ():
        assert own
        record = own.records[number - 1]
        if (str(number), DELETE) in changes:
            restore = write_changes(without_step(changes, str(number)))
            said = _said(record, _names_of(record))
            own_part = (said, record.legal, record.rules[:1], True, n == first and not lines, True, False, restore)
            lines.append(Line(0, "", True, (), 0, *own_part))
    return lines


def _line(n: int, story: Story | OrderStory, own: AnyPlayed | None, first: int | None, changes: Changes) -> Line:
    played, label = story.played, story.labels[n - 1]
    record = played.records[n - 1]
    theirs = own.records[int(label) - 1] if own and label.isdigit() else None
    names = _names_of(record)
    was = played.states[n - 1].round
    return Line(
        n=n,
        say=_said(record, names),
        legal=record.legal,
        rules=record.rules[:1],
        round=record.state.round if record.state.round != was or n == 1 else 0,
        own=_said(theirs, names) if theirs else "",
        own_legal=theirs.legal if theirs else True,
        own_rules=theirs.rules[:1] if theirs else (),
        differs=theirs is not None and _differs(record, theirs),
        is_first_difference=n == first,
        is_changed=any(place == label for place, _ in changes),
        is_new=not label.isdigit(),
    )


def _edit(label: str, record: Record | None, story: Story, changes: Changes, state: State) -> Edit:
    fields = _fields(record) if record else dict.fromkeys(EDITS, "")
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


def _summary(answer: Answer | None) -> str:
    if answer is None:
        return ""
    if answer.now is None:
        return _cut(f"Before the first of {answer.last} steps.", LONGEST_SAID)
    return _cut(f"Step {answer.step} of {answer.last}: {answer.now.say}", LONGEST_SAID)
