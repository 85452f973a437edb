"""The odds calculator's query: two characters, the ground, who begins; and the view that answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, cast

from scratch_core.calculators.characters_text.chooser import ADD, Chooser, blocks_of, name_of, opened, parted, ticked
from scratch_core.calculators.characters_text.setup_text import read_setup
from scratch_core.calculators.odds.builds import (
    HIGHEST,
    WHICH,
    Build,
    Person,
    build,
    person,
    raised,
    read_change,
    with_level,
)
from scratch_core.calculators.odds.duelists import Table, Terms, alone, bare, others_first, table_of
from scratch_core.calculators.odds.jobs import Against, Found, against_each, known_of, worths
from scratch_core.calculators.odds.presentation import Answer, Attack
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.jobs import GoOn, to_the_end
from scratch_core.calculators.shared.query import Query, query_string
from scratch_core.cast import MEMBERS_BY_ID, MINIONS, get_member
from scratch_core.characters.stat_block_parser import DOUBTS
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import ScratchError, format_input
from scratch_core.odds import ESCAPES, ORDERS, Escape, Order, ProbabilityRange
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, RulingValue, format_setting, get_ruling

CONTROLS = (
    "first",
    "first_sheet",
    "second",
    "second_sheet",
    "here",
    "begins",
    "escape",
    "rulings",
    "worth",
    "everybody",
)
"""The names of all controls, in the order of the canonical query."""

RULES = tuple(each.name for each in RULE_OPTIONS if get_ruling(each.ruling).part == "fight")
"""The rulings that a duel without a board may follow, by name."""

LINK_LIMIT = 8_000
"""A longer link leaves out the notes and descriptions of the stat blocks: they change nothing."""

OPPONENT = "opponent "
"""How a press that chooses the second character starts; the id of a member of the cast follows."""

Eye = Literal["answer", "everybody", "worth", ""]
"""Where a press leads the eye: to the sentence, to the folded question pressed, or nowhere, for a level's button."""

FOLDED: tuple[tuple[str, Eye], ...] = (("everybody", "everybody"), ("worth", "worth"))
"""The controls of the questions that a button opens and closes, and where its press leads the eye."""

PRESSED = {"show": "1", "hide": ""}
"""What the buttons of the folded questions say, and what stands in the control, and in links, from then on."""

GROUNDS = (
    ("", "Level ground, or as in the stat blocks"),
    ("level", "Level ground"),
    ("level,cover", "Level ground with cover"),
    ("level,throwable", "Level ground with things to throw"),
    ("level,cover,throwable", "Level ground with cover and things to throw"),
    ("level,climbable", "Level ground with something to climb"),
    ("open-air", "Open air"),
    ("water", "Water"),
    ("deep-water", "Deep water"),
)
"""The grounds offered, as the words of `SURROUNDINGS` and as a reader's words; a link may have any others of them."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints; `answer` is None where there is no duel, or where it is `too_large` to be solved.

    `unfinished` says that there is more to come for whoever asks the same again; `is_pending`, that the duel's chances
    aren't certain yet, even where no one asks for more because the chooser is open. `fresh` names the controls that the
    answer has set. `eye` is where a press of what was asked leads the eye. `people` are those who are known, by `first`
    and `second`.
    """

    answer: Answer | None = None
    eye: Eye = "answer"
    people: Mapping[str, Person] = field(default_factory=dict)
    begins: Order = "initiative"
    too_large: str = ""
    chooser: Chooser | None = None
    grounds: tuple[tuple[str, str], ...] = GROUNDS
    attacks: tuple[Attack, ...] = ()
    builds: tuple[Build, ...] = ()
    everybody: tuple[Against, ...] = ()
    unfinished: bool = False
    is_pending: bool = False
    fresh: tuple[str, ...] = ()
    highest_level = HIGHEST

    @property
    def rules(self) -> str:
        """The rules that a table may set and this duel follows."""
        return form.written_rules(RULES, _named(self.fields["rulings"]))


def view(query: Query, roller: object = None, go_on: GoOn = to_the_end) -> View:
    """Answer a query with two characters; nothing is rolled here, so `roller` is not asked.

    `first` and `second` are of the cast, by id; a stat block in `first_sheet` or `second_sheet` counts instead. `here`
    holds for both, over the stat blocks' own; `rulings` are those that aren't ours, such as `strength_base=8`. `act`
    opens the chooser of people, and takes whom it has. `change` is a button's, `first shooting 3`; `worth` asks what
    one more level of each ability is worth, `everybody` what the first one's chances are against all of the cast.
    Never raises.
    Rules: `turn.order`, `turn.initiative-roll`.
    """
    return _Reading(query, go_on).view()


class _Reading(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, go_on: GoOn) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.add_cut("first_sheet")
        self.go_on = go_on
        self.fresh: tuple[str, ...] = ()
        self.unfinished = self.is_pending = False
        self.chooser = opened(self.query, MINIONS)
        self.take()
        self.eye = self.pressed()

    def view(self) -> View:
        begins = self.choice("begins", ORDERS, "odds.begins", f"one of {', '.join(ORDERS)}") or "initiative"
        escape = self.choice("escape", ESCAPES, "odds.escape", f"one of {', '.join(ESCAPES)}") or "draw"
        terms = Terms(self.here(), cast(Escape, escape), cast(Order, begins), self.rulings())
        tables = [self.table(which) for which in ("first", "second")]
        self.change(tables)
        self.settle()
        both = [table for table in tables if table]
        found = Found(None)
        if len(both) == 2 and not self.has_errors:
            found = self.found(both, terms)
        answer = found.answer
        return View(
            query=self.link(tables),
            summary=answer.sentences[terms.begins] if answer else found.too_large,
            problems=form.few(self.problems, 12, "odds.more"),
            fields=self.fields,
            answer=answer,
            eye=self.eye,
            people={which: person(table, terms.rulings) for which, table in zip(WHICH, tables, strict=True) if table},
            begins=terms.begins,
            too_large=found.too_large,
            chooser=self.chooser,
            attacks=found.attacks,
            builds=self.builds(both, terms, found) if answer else (),
            everybody=self.everybody(tables[0], terms),
            unfinished=self.unfinished and self.chooser is None,  # more would be asked without it
            is_pending=self.is_pending,
            fresh=self.fresh,
        )

    def take(self) -> None:
        """Put a pressed opponent or the ticked characters into their places: the pressed place first.

        A leader comes without its minions. Rule: `command.minions`.
        """
        act = self.query.text("act").strip()
        opponent = act.removeprefix(OPPONENT)
        if act.startswith(OPPONENT) and opponent in MEMBERS_BY_ID:
            self.fields |= {"second": opponent, "second_sheet": ""}
            self.fresh += ("second", "second_sheet")
        if act != ADD:
            return
        come, asked = [*ticked(self.query)], self.query.text("choosing").strip()
        if len(come) > len(WHICH):
            self.add_problem("odds.two", "one or two people", f"{len(come)}", "first")
            return
        for which, who in zip(sorted(WHICH, key=lambda each: each != asked), come, strict=False):
            own = parted(blocks_of(who))
            if not own:
                self.add_problem("odds.kept", "a kept character that can be read", format_input(who), which)
                continue
            self.fields |= {
                which: who if who in MEMBERS_BY_ID else "",
                f"{which}_sheet": "" if who in MEMBERS_BY_ID else own[0],
            }
            self.fresh += (which, f"{which}_sheet")
            if own[1:]:
                name, got = name_of(own[0]), f"{len(own) - 1}, left out"
                self.add_problem(
                    "odds.alone", "no minions", got, f"{which}_sheet", "command.minions", "advice", name=name
                )

    def change(self, tables: list[Table | None]) -> None:
        """Do what a button asks for: the character that it changes is a stat block from then on."""
        asked = read_change(self.query.text("change"))
        place = 0 if asked and asked[0] == "first" else 1
        table = tables[place]
        if asked is None or table is None:
            return
        which, ability, level = asked
        table = tables[place] = with_level(table, ability, level)
        self.fields |= {which: "", f"{which}_sheet": bare(table)}
        self.fresh = (which, f"{which}_sheet")

    def pressed(self) -> Eye:
        """Where this press leads; what a folded question's button says becomes the control's own word."""
        eye: Eye = "" if self.chooser or read_change(self.query.text("change")) else "answer"
        for control, place in FOLDED:
            if self.fields[control] in PRESSED:
                self.fields[control] = PRESSED[self.fields[control]]
                eye = place
        return eye

    def settle(self) -> None:
        """Whose stat block counts is no one of the cast from then on."""
        written = tuple(which for which in WHICH if self.fields[f"{which}_sheet"].strip())
        self.fields |= dict.fromkeys(written, "")
        self.fresh = (*dict.fromkeys((*self.fresh, *written)),)

    def builds(self, tables: list[Table], terms: Terms, found: Found) -> tuple[Build, ...]:
        """Both level by level, with what one more is worth where that was asked for."""
        is_asked = bool(self.fields["worth"].strip()) and terms.begins in found.won
        both = []
        for place, which in enumerate(WHICH.values()):
            added: dict[str, float | None] = {}
            if is_asked:
                now = found.won[terms.begins][place]
                added, is_all = worths(raised(tables, which), place, ProbabilityRange(now, now), terms, self.go_on)
                self.unfinished = self.unfinished or not is_all
            both.append(build(which, tables[place], added))
        return tuple(both)

    def everybody(self, table: Table | None, terms: Terms) -> tuple[Against, ...]:
        """The first one's chances against all of the cast who fight alone, where asked for, the chosen one first."""
        if table is None or self.has_errors or not self.fields["everybody"].strip():
            return ()
        rows, is_all = against_each(table, others_first(self.fields["second"].strip()), terms, self.go_on)
        self.unfinished = self.unfinished or not is_all
        return rows

    def here(self) -> list[str]:
        words = [each for each in re.split(r"[\s,]+", self.fields["here"].lower()) if each]
        if not set(words) <= set(SURROUNDINGS):
            expected = f"words among {', '.join(SURROUNDINGS)}"
            known = ", ".join(SURROUNDINGS)
            self.add_problem(
                "odds.here", expected, format_input(self.fields["here"]), "here", "move.terrain", words=known
            )
            return []
        return list(dict.fromkeys(words))

    def rulings(self) -> dict[str, RulingValue]:
        """The rulings named, such as `strength_base=8`, where they aren't ours.

        One may have a control of its own, by its name, which counts first; from then on it stands among the others.
        """
        given = _named(self.fields["rulings"])
        more = {name: self.query.text(name).strip() for name in RULES if name in self.query}
        try:
            both = {**given, **more}
            chosen = asdict(
                RulingSettings.from_dict({name: value for name, value in both.items() if value or name not in more})
            )
        except ScratchError as error:
            self.problems += [
                replace(each, expected="the name of a ruling") if each.code == "rulings.name" else each
                for each in form.at_control(error.problems, "rulings")
            ]
            return {}
        told = {name: chosen[name] for name in both}
        if more:
            others = (
                f"{name}={format_setting(value)}"
                for name, value in told.items()
                if value != getattr(RulingSettings(), name)
            )
            self.fields["rulings"] = " ".join(others)
        return told

    def table(self, which: str) -> Table | None:
        """One of the two as a scenario has a character; None where no one is named, or with a problem."""
        sheet = self.fields[f"{which}_sheet"]
        try:
            if sheet.strip():
                setup = read_setup(sheet)
                doubts = [each for each in setup.problems if each.code in DOUBTS]
                self.problems += [replace(each, where=f"{which}_sheet") for each in doubts]
                return alone(setup, f"{which}_sheet")
            if self.fields[which].strip():
                return table_of(get_member(self.fields[which]).id)
        except ScratchError as error:
            self.refuse(error, f"{which}_sheet" if sheet.strip() else which)
        return None

    def found(self, tables: list[Table], terms: Terms) -> Found:
        """What is known of the duel by now."""
        try:
            found, is_all = known_of(tables, terms, self.go_on)
        except ScratchError as error:
            for problem in error.problems:
                which = "second" if "characters[1]" in problem.where else "first"
                where = f"{which}_sheet" if self.fields[f"{which}_sheet"].strip() else which
                self.problems.append(replace(problem, where=where))
            return Found(None)
        self.unfinished = self.is_pending = not is_all
        return found or Found(None)

    def link(self, tables: list[Table | None]) -> str:
        """The query that reopens this answer; a long one has the stat blocks' bare levels."""
        fields = dict(self.fields)
        for which, table in zip(("first", "second"), tables, strict=True):
            if fields[f"{which}_sheet"].strip():
                fields[which] = ""
            if table and fields[f"{which}_sheet"].strip() and len(query_string(fields)) > LINK_LIMIT:
                fields[f"{which}_sheet"] = bare(table)
        return query_string(fields)


def _named(text: str) -> dict[str, str]:
    """The rulings in a text, with what each is set to."""
    return dict(each.partition("=")[::2] for each in re.split(r"[\s,]+", text) if each)
