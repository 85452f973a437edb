"""The data that the replay's template shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from scratch_core.calculators.replay.answer import ReplayAnswer, build_answer, format_summary
from scratch_core.calculators.replay.fork_changes import MAX_FORK_LENGTH
from scratch_core.calculators.replay.request import CONTROLS, ReplayRequest, get_way_rulings
from scratch_core.calculators.replay.session import ReplaySession
from scratch_core.calculators.shared.house_rules import RulingChoice
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, format_setting_for_display, get_ruling
from scratch_core.scenario import SAMPLE_SCENARIOS, TURN_SYSTEMS

if TYPE_CHECKING:
    from scratch_core.calculators.shared.turning_points import WinCurve
    from scratch_core.calculators.shared.win_chances import FightChances

WAY_LABELS: Mapping[str, str] = {
    "rules": "By the rules",
    "as-printed": "As printed",
    "base-8": "With 8 + toughness",
}
"""The labels of the ways to play the worked combat."""


@dataclass(frozen=True, slots=True)
class View(PageView):
    """Everything the template shows."""

    is_worked_combat: bool
    """Whether the scenario is the sample `worked-combat`."""
    way: str
    """The chosen way to play the worked combat. Empty for none."""
    dice: int
    """The number that selects the faces that the file leaves open."""
    rulings: RulingSettings
    """The rulings in force."""
    answer: ReplayAnswer | None
    """The answer. None if the scenario can't be played."""
    rule_options: tuple[RuleOption, ...]
    """The rulings that the user can choose."""
    ways: tuple[tuple[str, str], ...] = tuple(WAY_LABELS.items())
    """The ways to play the worked combat, with their labels."""
    sample_names: tuple[str, ...] = tuple(SAMPLE_SCENARIOS)
    """The names of the sample scenarios."""
    win_chances: FightChances | None = None
    """Each side's win chances. None unless requested."""
    win_curve: WinCurve | None = None
    """The win chance over the fight, and the rolls that changed it most. None unless requested."""
    needs: str = ""
    """The path of a resource that the answer waits for, see `scratch_core.calculators.shared.resources`. Empty for
    none."""
    is_incomplete: bool = False
    """Whether another request gives more, see `scratch_core.calculators.shared.jobs`."""

    @property
    def needs_win_chances(self) -> bool:
        """Whether the user has requested the win chances of a fight that has them."""
        return bool(self.answer and self.answer.position.system.roll_keys and self.fields["odds"])

    @property
    def idle_controls(self) -> tuple[str, ...]:
        """The controls with a ruling that does not concern this fight."""
        return tuple(each.name for each in RULE_OPTIONS if each not in self.rule_options and self.fields[each.name])

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose: first the file's setting, then each option."""
        return tuple(map(self._build_ruling_choice, self.rule_options))

    def _build_ruling_choice(self, switch: RuleOption) -> RulingChoice:
        labels = dict(zip(switch.choices, switch.words, strict=True))
        current_label = labels[getattr(self.rulings, switch.name)]
        options = ((format_setting_for_display(choice), labels[choice]) for choice in switch.choices)
        title = get_ruling(switch.ruling).title
        return RulingChoice(switch.name, title, (("", f"as in the file ({current_label})"), *options), switch.ruling)


def build_view(request: ReplayRequest, session: ReplaySession) -> View:
    """Build the view of the step shown, if there is one."""
    position = session.position
    system = position.system if position else TURN_SYSTEMS["scratch"]
    answer = build_answer(position, _choose_column_labels(request, session)) if position else None
    return View(
        query=_format_query(session.fields),
        summary=format_summary(answer),
        problems=session.problems,
        fields=session.fields,
        is_worked_combat=request.is_worked_combat,
        way=request.way,
        dice=request.dice_number,
        rulings=position.current.result.scenario.rulings if position else RulingSettings(),
        answer=answer,
        rule_options=tuple(each for each in RULE_OPTIONS if each.name in system.rule_options),
    )


def _choose_column_labels(request: ReplayRequest, session: ReplaySession) -> tuple[str, str]:
    """Choose the labels of the log's columns for the playthrough shown and the original.

    The worked combat has the label of the way to play if nothing else differs from the file.
    """
    has_edits = session.position is not None and bool(session.position.edits)
    is_only_way = request.way and not has_edits and session.rulings == get_way_rulings(request.way)
    if request.is_worked_combat and is_only_way:
        return WAY_LABELS[request.way].lower(), "by the rules"
    return "with your changes", "in the file"


def _format_query(fields: Mapping[str, str]) -> str:
    """Format the query that reproduces an answer."""
    return "&".join(
        f"{name}={(_quote_scenario if name == 'scenario' else quote)(fields[name])}"
        for name in CONTROLS
        if fields[name] and (name == "scenario" or len(fields[name]) <= MAX_FORK_LENGTH)
    )


@lru_cache(maxsize=4)
def _quote_scenario(text: str) -> str:
    """Quote a scenario's text for a query.

    Cached, because the text is long and the same for every step.
    """
    return quote(text)
