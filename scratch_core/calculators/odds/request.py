"""The odds calculator's query: two characters, the ground, who begins; and the view that answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, cast

from scratch_core.calculators.characters_text.chooser import (
    ADD,
    Chooser,
    find_chooser,
    find_stat_blocks,
    list_ticked_values,
    parse_block_name,
    split_stat_blocks,
)
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.odds.builds import (
    DUELIST_KEYS,
    MAX_BUTTON_LEVEL,
    DuelistLevels,
    DuelistSummary,
    build_duelist_levels,
    build_duelist_summary,
    list_raised_pairs,
    parse_level_change,
    with_level,
)
from scratch_core.calculators.odds.duelists import (
    CharacterData,
    DuelTerms,
    format_bare_block,
    get_cast_character,
    get_single_character,
    list_cast_opponents,
)
from scratch_core.calculators.odds.jobs import (
    DuelResult,
    OpponentChance,
    advance_duel,
    rate_level_gains,
    rate_opponents,
)
from scratch_core.calculators.odds.presentation import Attack, DuelAnswer
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.cast import MEMBERS_BY_ID, MINIONS, get_member
from scratch_core.characters.stat_block_parser import DOUBTS
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import ScratchError
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

RULING_NAMES = tuple(each.name for each in RULE_OPTIONS if get_ruling(each.ruling).part == "fight")
"""The rulings that a duel without a board may follow, by name."""

MAX_LINK_LENGTH = 8_000
"""A longer link leaves out the notes and descriptions of the stat blocks: they change nothing."""

OPPONENT_COMMAND = "opponent "
"""How a press that chooses the second character starts; the id of a member of the cast follows."""

Focus = Literal["answer", "everybody", "worth", ""]
"""Where a press leads the eye: to the sentence, to the folded question pressed, or nowhere, for a level's button."""

COLLAPSED_QUESTIONS: tuple[tuple[str, Focus], ...] = (("everybody", "everybody"), ("worth", "worth"))
"""The controls of the questions that a button opens and closes, and where its press leads the eye."""

TOGGLE_VALUES = {"show": "1", "hide": ""}
"""What the buttons of the folded questions say, and what stands in the control, and in links, from then on."""

GROUND_OPTIONS = (
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

    `is_incomplete` says that there is more to come for whoever asks the same again; `is_pending`, that the duel's
    chances aren't certain yet, even where no one asks for more because the chooser is open. `updated_fields` names the
    controls that the answer has set. `focus` is where a press of what was asked leads the eye. `duelists` are those who
    are known, by `first` and `second`.
    """

    answer: DuelAnswer | None = None
    focus: Focus = "answer"
    duelists: Mapping[str, DuelistSummary] = field(default_factory=dict)
    starting_order: Order = "initiative"
    too_large: str = ""
    chooser: Chooser | None = None
    grounds: tuple[tuple[str, str], ...] = GROUND_OPTIONS
    attacks: tuple[Attack, ...] = ()
    duelist_levels: tuple[DuelistLevels, ...] = ()
    opponent_chances: tuple[OpponentChance, ...] = ()
    is_incomplete: bool = False
    is_pending: bool = False
    updated_fields: tuple[str, ...] = ()
    max_button_level = MAX_BUTTON_LEVEL

    @property
    def house_rules_query(self) -> str:
        """The rules that a table may set and this duel follows."""
        return form.format_rules(RULING_NAMES, _parse_rulings(self.fields["rulings"]))


def view(query: Query, roller: object = None, go_on: ShouldContinue = can_always_continue) -> View:
    """Answer a query with two characters; nothing is rolled here, so `roller` is not asked.

    `first` and `second` are of the cast, by id; a stat block in `first_sheet` or `second_sheet` counts instead. `here`
    holds for both, over the stat blocks' own; `rulings` are those that aren't ours, such as `strength_base=8`. `act`
    opens the chooser of people, and takes whom it has. `change` is a button's, `first shooting 3`; `worth` asks what
    one more level of each ability is worth, `everybody` what the first one's chances are against all of the cast.
    Never raises.
    Rules: `turn.order`, `turn.initiative-roll`.
    """
    return _OddsForm(query, go_on).build_view()


class _OddsForm(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, go_on: ShouldContinue) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.add_cut_problem("first_sheet")
        self.should_continue = go_on
        self.updated_fields: tuple[str, ...] = ()
        self.is_incomplete = self.is_pending = False
        self.chooser = find_chooser(self.query, MINIONS)
        self.apply_choices()
        self.focus = self.apply_toggles()

    def build_view(self) -> View:
        begins = self.parse_choice("begins", ORDERS, "odds.begins", f"one of {', '.join(ORDERS)}") or "initiative"
        escape = self.parse_choice("escape", ESCAPES, "odds.escape", f"one of {', '.join(ESCAPES)}") or "draw"
        terms = DuelTerms(self.parse_surroundings(), cast(Escape, escape), cast(Order, begins), self.parse_rulings())
        tables = [self.parse_character(which) for which in ("first", "second")]
        self.apply_level_change(tables)
        self.clear_replaced_choices()
        both = [table for table in tables if table]
        found = DuelResult(None)
        if len(both) == 2 and not self.has_errors:
            found = self.compute_result(both, terms)
        answer = found.answer
        return View(
            query=self.format_link(tables),
            summary=answer.sentences[terms.starting_order] if answer else found.too_large,
            problems=form.limit_problems(self.problems, 12, "odds.more"),
            fields=self.fields,
            answer=answer,
            focus=self.focus,
            duelists={
                which: build_duelist_summary(table, terms.rulings)
                for which, table in zip(DUELIST_KEYS, tables, strict=True)
                if table
            },
            starting_order=terms.starting_order,
            too_large=found.too_large,
            chooser=self.chooser,
            attacks=found.attacks,
            duelist_levels=self.list_duelist_levels(both, terms, found) if answer else (),
            opponent_chances=self.list_opponent_chances(tables[0], terms),
            is_incomplete=self.is_incomplete and self.chooser is None,  # more would be asked without it
            is_pending=self.is_pending,
            updated_fields=self.updated_fields,
        )

    def apply_choices(self) -> None:
        """Put a pressed opponent or the ticked characters into their places: the pressed place first.

        A leader comes without its minions. Rule: `command.minions`.
        """
        act = self.query.text("act").strip()
        opponent = act.removeprefix(OPPONENT_COMMAND)
        if act.startswith(OPPONENT_COMMAND) and opponent in MEMBERS_BY_ID:
            self.fields |= {"second": opponent, "second_sheet": ""}
            self.updated_fields += ("second", "second_sheet")
        if act != ADD:
            return
        come, asked = [*list_ticked_values(self.query)], self.query.text("choosing").strip()
        if len(come) > len(DUELIST_KEYS):
            self.problems.report("odds.two", "one or two people", f"{len(come)}", "first")
            return
        for which, who in zip(sorted(DUELIST_KEYS, key=lambda each: each != asked), come, strict=False):
            own = split_stat_blocks(find_stat_blocks(who))
            if not own:
                self.problems.report_value("odds.kept", "a kept character that can be read", who, which)
                continue
            self.fields |= {
                which: who if who in MEMBERS_BY_ID else "",
                f"{which}_sheet": "" if who in MEMBERS_BY_ID else own[0],
            }
            self.updated_fields += (which, f"{which}_sheet")
            if own[1:]:
                name, got = parse_block_name(own[0]), f"{len(own) - 1}, left out"
                self.problems.report(
                    "odds.alone", "no minions", got, f"{which}_sheet", "command.minions", severity="advice", name=name
                )

    def apply_level_change(self, tables: list[CharacterData | None]) -> None:
        """Do what a button asks for: the character that it changes is a stat block from then on."""
        asked = parse_level_change(self.query.text("change"))
        place = 0 if asked and asked[0] == "first" else 1
        table = tables[place]
        if asked is None or table is None:
            return
        which, ability, level = asked
        table = tables[place] = with_level(table, ability, level)
        self.fields |= {which: "", f"{which}_sheet": format_bare_block(table)}
        self.updated_fields = (which, f"{which}_sheet")

    def apply_toggles(self) -> Focus:
        """Where this press leads; what a folded question's button says becomes the control's own word."""
        eye: Focus = "" if self.chooser or parse_level_change(self.query.text("change")) else "answer"
        for control, place in COLLAPSED_QUESTIONS:
            if self.fields[control] in TOGGLE_VALUES:
                self.fields[control] = TOGGLE_VALUES[self.fields[control]]
                eye = place
        return eye

    def clear_replaced_choices(self) -> None:
        """Whose stat block counts is no one of the cast from then on."""
        written = tuple(which for which in DUELIST_KEYS if self.fields[f"{which}_sheet"].strip())
        self.fields |= dict.fromkeys(written, "")
        self.updated_fields = (*dict.fromkeys((*self.updated_fields, *written)),)

    def list_duelist_levels(
        self, tables: list[CharacterData], terms: DuelTerms, found: DuelResult
    ) -> tuple[DuelistLevels, ...]:
        """Both level by level, with what one more is worth where that was asked for."""
        is_asked = bool(self.fields["worth"].strip()) and terms.starting_order in found.exact_chances
        both = []
        for place, which in enumerate(DUELIST_KEYS.values()):
            added: dict[str, float | None] = {}
            if is_asked:
                now = found.exact_chances[terms.starting_order][place]
                added, is_all = rate_level_gains(
                    list_raised_pairs(tables, which), place, ProbabilityRange(now, now), terms, self.should_continue
                )
                self.is_incomplete = self.is_incomplete or not is_all
            both.append(build_duelist_levels(which, tables[place], added))
        return tuple(both)

    def list_opponent_chances(self, table: CharacterData | None, terms: DuelTerms) -> tuple[OpponentChance, ...]:
        """The first one's chances against all of the cast who fight alone, where asked for, the chosen one first."""
        if table is None or self.has_errors or not self.fields["everybody"].strip():
            return ()
        rows, is_all = rate_opponents(
            table, list_cast_opponents(self.fields["second"].strip()), terms, self.should_continue
        )
        self.is_incomplete = self.is_incomplete or not is_all
        return rows

    def parse_surroundings(self) -> list[str]:
        words = [each for each in re.split(r"[\s,]+", self.fields["here"].lower()) if each]
        if not set(words) <= set(SURROUNDINGS):
            expected = f"words among {', '.join(SURROUNDINGS)}"
            known = ", ".join(SURROUNDINGS)
            self.problems.report_value("odds.here", expected, self.fields["here"], "here", "move.terrain", words=known)
            return []
        return list(dict.fromkeys(words))

    def parse_rulings(self) -> dict[str, RulingValue]:
        """The rulings named, such as `strength_base=8`, where they aren't ours.

        One may have a control of its own, by its name, which counts first; from then on it stands among the others.
        """
        given = _parse_rulings(self.fields["rulings"])
        more = {name: self.query.text(name).strip() for name in RULING_NAMES if name in self.query}
        try:
            both = {**given, **more}
            chosen = asdict(
                RulingSettings.from_dict({name: value for name, value in both.items() if value or name not in more})
            )
        except ScratchError as error:
            self.problems.extend_at(
                "rulings",
                (
                    replace(each, expected="the name of a ruling") if each.code == "rulings.name" else each
                    for each in error.problems
                ),
            )
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

    def parse_character(self, which: str) -> CharacterData | None:
        """One of the two as a scenario has a character; None where no one is named, or with a problem."""
        sheet = self.fields[f"{which}_sheet"]
        try:
            if sheet.strip():
                setup = parse_setup(sheet)
                self.problems.extend_at(f"{which}_sheet", (each for each in setup.problems if each.code in DOUBTS))
                return get_single_character(setup, f"{which}_sheet")
            if self.fields[which].strip():
                return get_cast_character(get_member(self.fields[which]).id)
        except ScratchError as error:
            self.problems.extend_at(f"{which}_sheet" if sheet.strip() else which, error.problems)
        return None

    def compute_result(self, tables: list[CharacterData], terms: DuelTerms) -> DuelResult:
        """What is known of the duel by now."""
        try:
            found, is_all = advance_duel(tables, terms, self.should_continue)
        except ScratchError as error:
            for problem in error.problems:
                which = "second" if problem.location.path[:2] == ("characters", 1) else "first"
                where = f"{which}_sheet" if self.fields[f"{which}_sheet"].strip() else which
                self.problems.append(problem.move_to(where))
            return DuelResult(None)
        self.is_incomplete = self.is_pending = not is_all
        return found or DuelResult(None)

    def format_link(self, tables: list[CharacterData | None]) -> str:
        """The query that reopens this answer; a long one has the stat blocks' bare levels."""
        fields = dict(self.fields)
        for which, table in zip(("first", "second"), tables, strict=True):
            if fields[f"{which}_sheet"].strip():
                fields[which] = ""
            if table and fields[f"{which}_sheet"].strip() and len(format_query(fields)) > MAX_LINK_LENGTH:
                fields[f"{which}_sheet"] = format_bare_block(table)
        return format_query(fields)


def _parse_rulings(text: str) -> dict[str, str]:
    """The rulings in a text, with what each is set to."""
    return dict(each.partition("=")[::2] for each in re.split(r"[\s,]+", text) if each)
