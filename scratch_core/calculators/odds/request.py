"""The odds calculator's request: parse the characters and terms of a duel, and build the view."""

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
"""The names of the rulings that matter in a duel without a map."""

MAX_LINK_LENGTH = 8_000
"""The characters of a link from which it leaves out notes and descriptions of stat blocks, which change no chance."""

OPPONENT_COMMAND = "opponent "
"""The start of the command that chooses the second character. The id of a member of the cast follows."""

Focus = Literal["answer", "everybody", "worth", ""]
"""Where the focus goes: to the result, to the section that was opened, or "" for nowhere, after a level button."""

COLLAPSED_QUESTIONS: tuple[tuple[str, Focus], ...] = (("everybody", "everybody"), ("worth", "worth"))
"""The controls of the sections that a button shows or hides, each with the focus after that."""

TOGGLE_VALUES = {"show": "1", "hide": ""}
"""The values of the buttons that show or hide a section, each with the value of the control, and of links, after it."""

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
"""The terrains to choose from: words of `SURROUNDINGS`, and a label. A link may have other combinations."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints."""

    answer: DuelAnswer | None = None
    """The chances of the duel. None without a duel, before the first result, and if the duel is too large."""
    focus: Focus = "answer"
    """Where the focus goes."""
    duelists: Mapping[str, DuelistSummary] = field(default_factory=dict)
    """The characters chosen so far, by `first` and `second`."""
    starting_order: Order = "initiative"
    """Who goes first."""
    too_large: str = ""
    """The sentence about a duel that is too large to be solved, else ""."""
    chooser: Chooser | None = None
    """The chooser of characters, None while it is closed."""
    grounds: tuple[tuple[str, str], ...] = GROUND_OPTIONS
    """The terrains to choose from: values and labels."""
    attacks: tuple[Attack, ...] = ()
    """What each attack does."""
    duelist_levels: tuple[DuelistLevels, ...] = ()
    """The levels of both characters; () without an answer."""
    opponent_chances: tuple[OpponentChance, ...] = ()
    """The first character's chances against the cast; () unless the request asks for them."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""
    is_pending: bool = False
    """Whether the duel is not solved yet, even if the request is not repeated because the chooser is open."""
    updated_fields: tuple[str, ...] = ()
    """The controls that this answer has changed."""
    max_button_level = MAX_BUTTON_LEVEL

    @property
    def house_rules_query(self) -> str:
        """The settings of the rulings that matter in a duel, as a query."""
        return form.format_rules(RULING_NAMES, _parse_rulings(self.fields["rulings"]))


def view(query: Query, roller: object = None, go_on: ShouldContinue = can_always_continue) -> View:
    """Compute the win chances of a duel from a query.

    `first` and `second` are members of the cast, by id. A stat block in `first_sheet` or `second_sheet` counts in their
    place. `here` is the terrain for both, in place of the stat blocks' own. `rulings` are settings that differ from the
    defaults, such as `strength_base=8`. `act` opens the chooser of characters, or takes over those ticked in it.
    `change` is the value of a level button, such as `first shooting 3`. `worth` requests the gain of one more level of
    each ability, `everybody` the first character's chances against the cast. The chances are exact, so `roller` is
    unused. Never raises.
    Rules: `turn.order`, `turn.initiative-roll`.
    """
    return _OddsForm(query, go_on).build_view()


class _OddsForm(form.Form):
    """A query that is being parsed. Each step reports its problems and continues."""

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
        """Parse the rest of the query and build the view."""
        begins = self.parse_choice("begins", ORDERS, "odds.begins", f"one of {', '.join(ORDERS)}") or "initiative"
        escape = self.parse_choice("escape", ESCAPES, "odds.escape", f"one of {', '.join(ESCAPES)}") or "draw"
        terms = DuelTerms(self.parse_surroundings(), cast(Escape, escape), cast(Order, begins), self.parse_rulings())
        tables = [self.parse_character(key) for key in ("first", "second")]
        self.apply_level_change(tables)
        self.clear_replaced_choices()
        known_tables = [table for table in tables if table]
        result = DuelResult(None)
        if len(known_tables) == 2 and not self.has_errors:
            result = self.compute_result(known_tables, terms)
        answer = result.answer
        return View(
            query=self.format_link(tables),
            summary=answer.sentences[terms.starting_order] if answer else result.too_large,
            problems=form.limit_problems(self.problems, 12, "odds.more"),
            fields=self.fields,
            answer=answer,
            focus=self.focus,
            duelists={
                key: build_duelist_summary(table, terms.rulings)
                for key, table in zip(DUELIST_KEYS, tables, strict=True)
                if table
            },
            starting_order=terms.starting_order,
            too_large=result.too_large,
            chooser=self.chooser,
            attacks=result.attacks,
            duelist_levels=self.list_duelist_levels(known_tables, terms, result) if answer else (),
            opponent_chances=self.list_opponent_chances(tables[0], terms),
            is_incomplete=self.is_incomplete and self.chooser is None,  # a repeated request would close the chooser
            is_pending=self.is_pending,
            updated_fields=self.updated_fields,
        )

    def apply_choices(self) -> None:
        """Fill the characters' controls with the opponent or the ticked characters that `act` chooses.

        The first ticked character fills the control whose chooser was open. Reports minions, which are left out.
        Rule: `command.minions`.
        """
        act = self.query.text("act").strip()
        opponent = act.removeprefix(OPPONENT_COMMAND)
        if act.startswith(OPPONENT_COMMAND) and opponent in MEMBERS_BY_ID:
            self.fields |= {"second": opponent, "second_sheet": ""}
            self.updated_fields += ("second", "second_sheet")
        if act != ADD:
            return
        chosen, target = [*list_ticked_values(self.query)], self.query.text("choosing").strip()
        if len(chosen) > len(DUELIST_KEYS):
            self.problems.report("odds.two", "one or two people", f"{len(chosen)}", "first")
            return
        for key, value in zip(sorted(DUELIST_KEYS, key=lambda each: each != target), chosen, strict=False):
            blocks = split_stat_blocks(find_stat_blocks(value))
            if not blocks:
                self.problems.report_value("odds.kept", "a kept character that can be read", value, key)
                continue
            self.fields |= {
                key: value if value in MEMBERS_BY_ID else "",
                f"{key}_sheet": "" if value in MEMBERS_BY_ID else blocks[0],
            }
            self.updated_fields += (key, f"{key}_sheet")
            if blocks[1:]:
                name, got = parse_block_name(blocks[0]), f"{len(blocks) - 1}, left out"
                self.problems.report(
                    "odds.alone", "no minions", got, f"{key}_sheet", "command.minions", severity="advice", name=name
                )

    def apply_level_change(self, tables: list[CharacterData | None]) -> None:
        """Apply a level button to `tables` and to the character's controls.

        The changed character becomes a stat block, even if it was a member of the cast.
        """
        change = parse_level_change(self.query.text("change"))
        index = 0 if change and change[0] == "first" else 1
        table = tables[index]
        if change is None or table is None:
            return
        key, ability, level = change
        table = tables[index] = with_level(table, ability, level)
        self.fields |= {key: "", f"{key}_sheet": format_bare_block(table)}
        self.updated_fields = (key, f"{key}_sheet")

    def apply_toggles(self) -> Focus:
        """Apply the buttons that show or hide a section to their controls.

        Returns where the focus goes.
        """
        focus: Focus = "" if self.chooser or parse_level_change(self.query.text("change")) else "answer"
        for control, own_focus in COLLAPSED_QUESTIONS:
            if self.fields[control] in TOGGLE_VALUES:
                self.fields[control] = TOGGLE_VALUES[self.fields[control]]
                focus = own_focus
        return focus

    def clear_replaced_choices(self) -> None:
        """Clear each chosen member of the cast that a stat block replaces."""
        replaced = tuple(key for key in DUELIST_KEYS if self.fields[f"{key}_sheet"].strip())
        self.fields |= dict.fromkeys(replaced, "")
        self.updated_fields = (*dict.fromkeys((*self.updated_fields, *replaced)),)

    def list_duelist_levels(
        self, tables: list[CharacterData], terms: DuelTerms, result: DuelResult
    ) -> tuple[DuelistLevels, ...]:
        """List the levels of both characters.

        They have the gain of one more level if the request asks for it and the duel is solved.
        """
        has_gains = bool(self.fields["worth"].strip()) and terms.starting_order in result.exact_chances
        levels = []
        for index, key in enumerate(DUELIST_KEYS.values()):
            gains: dict[str, float | None] = {}
            if has_gains:
                now = result.exact_chances[terms.starting_order][index]
                gains, is_complete = rate_level_gains(
                    list_raised_pairs(tables, key), index, ProbabilityRange(now, now), terms, self.should_continue
                )
                self.is_incomplete = self.is_incomplete or not is_complete
            levels.append(build_duelist_levels(key, tables[index], gains))
        return tuple(levels)

    def list_opponent_chances(self, table: CharacterData | None, terms: DuelTerms) -> tuple[OpponentChance, ...]:
        """List the first character's chances against the cast.

        The opponents are those who fight alone, the second character first. Returns () unless the request asks for the
        chances, and if there is an error.
        """
        if table is None or self.has_errors or not self.fields["everybody"].strip():
            return ()
        opponents = list_cast_opponents(self.fields["second"].strip())
        rows, is_complete = rate_opponents(table, opponents, terms, self.should_continue)
        self.is_incomplete = self.is_incomplete or not is_complete
        return rows

    def parse_surroundings(self) -> list[str]:
        """Parse the words of the terrain.

        Reports unknown words as `odds.here` and returns [].
        """
        words = [each for each in re.split(r"[\s,]+", self.fields["here"].lower()) if each]
        if not set(words) <= set(SURROUNDINGS):
            expected = f"words among {', '.join(SURROUNDINGS)}"
            known = ", ".join(SURROUNDINGS)
            self.problems.report_value("odds.here", expected, self.fields["here"], "here", "move.terrain", words=known)
            return []
        return list(dict.fromkeys(words))

    def parse_rulings(self) -> dict[str, RulingValue]:
        """Parse the settings of rulings, such as `strength_base=8`.

        A control named after a ruling takes precedence over `rulings`; its setting is moved there, and default settings
        are removed. Reports problems at `rulings` and returns {}.
        """
        listed = _parse_rulings(self.fields["rulings"])
        separate = {name: self.query.text(name).strip() for name in RULING_NAMES if name in self.query}
        try:
            texts = {**listed, **separate}
            chosen = asdict(
                RulingSettings.from_dict(
                    {name: value for name, value in texts.items() if value or name not in separate}
                )
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
        settings = {name: chosen[name] for name in texts}
        if separate:
            changed = (
                f"{name}={format_setting(value)}"
                for name, value in settings.items()
                if value != getattr(RulingSettings(), name)
            )
            self.fields["rulings"] = " ".join(changed)
        return settings

    def parse_character(self, key: str) -> CharacterData | None:
        """Parse one of the two characters from its controls.

        Returns None if none is chosen. Reports a problem at the control that counts, and returns None, too.
        """
        sheet = self.fields[f"{key}_sheet"]
        try:
            if sheet.strip():
                setup = parse_setup(sheet)
                self.problems.extend_at(f"{key}_sheet", (each for each in setup.problems if each.code in DOUBTS))
                return get_single_character(setup, f"{key}_sheet")
            if self.fields[key].strip():
                return get_cast_character(get_member(self.fields[key]).id)
        except ScratchError as error:
            self.problems.extend_at(f"{key}_sheet" if sheet.strip() else key, error.problems)
        return None

    def compute_result(self, tables: list[CharacterData], terms: DuelTerms) -> DuelResult:
        """Compute the result of the duel, as far as there is time.

        Reports a problem at the character that it belongs to, and returns an empty result.
        """
        try:
            result, is_complete = advance_duel(tables, terms, self.should_continue)
        except ScratchError as error:
            for problem in error.problems:
                key = "second" if problem.location.path[:2] == ("characters", 1) else "first"
                where = f"{key}_sheet" if self.fields[f"{key}_sheet"].strip() else key
                self.problems.append(problem.move_to(where))
            return DuelResult(None)
        self.is_incomplete = self.is_pending = not is_complete
        return result or DuelResult(None)

    def format_link(self, tables: list[CharacterData | None]) -> str:
        """Format the query that reopens this answer.

        Shortens the stat blocks to their levels if the query is longer than `MAX_LINK_LENGTH`.
        """
        fields = dict(self.fields)
        for key, table in zip(("first", "second"), tables, strict=True):
            if fields[f"{key}_sheet"].strip():
                fields[key] = ""
            if table and fields[f"{key}_sheet"].strip() and len(format_query(fields)) > MAX_LINK_LENGTH:
                fields[f"{key}_sheet"] = format_bare_block(table)
        return format_query(fields)


def _parse_rulings(text: str) -> dict[str, str]:
    """Parse a text such as `strength_base=8` into the text of each setting, by name."""
    return dict(each.partition("=")[::2] for each in re.split(r"[\s,]+", text) if each)
