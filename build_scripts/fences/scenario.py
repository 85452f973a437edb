"""The fence ```` ```scenario ````: a small fight in a page, which the build plays and checks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from build_scripts.markdown_extensions.rule_links import render_rule_link
from build_scripts.pictures.example_scenario import play_scenario_text
from scratch_core.encounter.actions import (
    ACTION_TITLES,
    FightRoll,
    compute_agility,
    compute_intelligence,
    compute_strength,
)
from scratch_core.encounter.state import Fighter
from scratch_core.figures import Figure
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, RulingValue
from scratch_core.scenario import ScenarioResult, StepResult

REPLAY_ADDRESS = "tool:replay/"
"""The address of links to the replay, which `complete_built_page` makes relative to the page."""

_STEP_LINE = re.compile(r"^\s*(?:\[\[steps\]\]|\{\s*(?:actor|do)\s*=)")
_SURROUNDING_TEXTS = {
    "level": "level ground",
    "cover": "something to hide behind",
    "throwable": "something to throw",
    "climbable": "something to climb",
    "open-air": "open air",
    "water": "water",
    "deep-water": "deep water",
}
_FIGURE_FUNCTIONS = {"agility": compute_agility, "intelligence": compute_intelligence, "strength": compute_strength}
_FLAG_TEXTS = {
    "delayed": ("delayed", "cond.delayed"),
    "panicked": ("panicked", "cond.panicked"),
    "evading": ("evading", "act.evade"),
    "in_cover": ("in cover", "act.cover"),
    "escaped": ("escaped", "act.escape"),
}


# Playing


def play_checked_example(body: str, line_before_body: int = 0) -> ScenarioResult:
    """Play a fence's scenario.

    `line_before_body` is the page's line that opens the fence. Raises ValueError, with the page's line, if it can't be
    parsed or played, or has another result than expected.
    """
    played = play_scenario_text(body, line_before_body)
    scenario = played.scenario
    if not (scenario.expect or any(step.expect for step in scenario.steps)):
        raise ValueError("expected an `expect` in the scenario or a step, got none")
    steps = [line_before_body + number for number, text in enumerate(body.splitlines(), 1) if _STEP_LINE.match(text)]
    wrong = []
    for each in played.differences:
        place = f"line {steps[each.n - 1]}: " if 0 < each.n <= len(steps) else ""
        wrong.append(f"{place}{each.message}")
    wrong += [record.narration for record in played.results if not record.is_legal and not record.step.expect]
    if wrong:
        raise ValueError("; ".join(wrong))
    return played


# Printing


def render_example(body: str) -> str:
    """Render an example: characters, steps with dice and result, link to the replay."""
    played = play_checked_example(body)
    names = {each.id: each.name for each in played.opening_state.fighters}
    steps = "\n".join(_render_step(record, names) for record in played.results)
    text = json.dumps(played.scenario.tree, ensure_ascii=False, separators=(",", ":"))
    href = f"{REPLAY_ADDRESS}?scenario={quote(text, safe='')}"
    return (
        '<div class="scenario-example">\n<figure>\n'
        f"<figcaption>{escape(played.scenario.title)}</figcaption>\n"
        f'<p class="scenario-cast">{_render_characters_and_rulings(played)}</p>\n<ol>\n{steps}\n</ol>\n'
        f'<p class="scenario-open"><a href="{escape(href)}">Open in the replay</a></p>\n</figure>\n</div>'
    )


def _render_characters_and_rulings(played: ScenarioResult) -> str:
    lines = []
    for who, entry in zip(played.scenario.fighters, played.scenario.tree["characters"], strict=True):
        words = [f"{name} {level}" for name, level in entry.get("abilities", {}).items()]
        if "hp" in entry:
            words.append(f"{who.hp} of {who.numbers.max_hp} hit points")
        if "here" in entry:
            words.append(f"around: {', '.join(_SURROUNDING_TEXTS[word] for word in entry['here'])}")
        lines.append(f"<strong>{escape(who.name)}</strong> {escape(', '.join(words))}")
    settings = played.scenario.tree.get("rulings", {})
    rulings = [escape(_format_setting(name, value)) for name, value in settings.items()]
    return ". ".join([*lines, *rulings]) + "."


def _format_setting(name: str, value: RulingValue) -> str:
    """Format a house rule of the example."""
    (switch,) = (each for each in RULE_OPTIONS if each.name == name)
    return f"House rule: {switch.words[switch.choices.index(getattr(RulingSettings.from_dict({name: value}), name))]}"


def _render_step(record: StepResult, names: Mapping[str, str]) -> str:
    lines = [f"<p>{_render_narration(record, names)}</p>"]
    lines += [f'<p class="scenario-sum">{_render_roll(roll)}</p>' for roll in record.rolls]
    expectations = [
        words
        for key, value in record.step.expect
        for words in [_render_expectation_unless_narrated(record, key, value)]
        if words
    ]
    if expectations:
        lines.append(f'<p class="scenario-then">{"; ".join(expectations)}.</p>')
    if record.step.note:
        lines.append(f'<p class="scenario-note">{escape(record.step.note)}</p>')
    return f'<li class="{"done" if record.is_legal else "refused"}">{"".join(lines)}</li>'


def _render_narration(record: StepResult, names: Mapping[str, str]) -> str:
    if record.is_legal:
        return escape(record.narration)
    what = f"{names.get(record.actor, 'Game master')}, {ACTION_TITLES[record.do].lower()}: not allowed."
    return f"{escape(what)} Rule: {render_rule_link(record.broken_rules[0])}"


def _render_roll(roll: FightRoll) -> str:
    result = "success" if roll.check.is_success else "failure"
    against = f"{escape(roll.against.name)} {_render_difficulty(roll.against)}"
    return f"{_render_figure(roll.check.figure)}, against {against}: {result}"


def _render_difficulty(figure: Figure) -> str:
    """Render the difficulty of a roll as a sum.

    It is only the number if its single part has the same name.
    """
    only = figure.parts[0]
    if len(figure.parts) > 1 or only.label != figure.name:
        return _render_figure(figure)
    number = f"<strong>{figure.value}</strong>"
    return render_rule_link(only.rule, number) if only.rule else number


def _render_figure(figure: Figure) -> str:
    """Render a figure as the sum of its parts, each a link to its rule.

    An example is `11 die + 2 wrestling = 13`.
    """
    parts = []
    for index, part in enumerate(figure.parts):
        sign = "−" if part.value < 0 else "+" if index else ""
        words = f"{abs(part.value)}&nbsp;{escape(part.label)}"
        parts += [sign] if sign else []
        parts.append(render_rule_link(part.rule, words) if part.rule else words)
    return f"{' '.join(parts)} = <strong>{figure.value}</strong>"


def _render_expectation_unless_narrated(record: StepResult, key: str, value: Any) -> str:
    """Render what is expected after a step.

    Returns "" if the step's own line says it.
    """
    path, _, own_id = key.partition(".")
    if not own_id:
        return ""
    who: Fighter = record.state.fighter(own_id)
    name = escape(who.name)
    if path in _FIGURE_FUNCTIONS:
        return f"{name}'s {path} {_render_figure(_FIGURE_FUNCTIONS[path](who))}"
    if path in _FLAG_TEXTS:
        word, rule = _FLAG_TEXTS[path]
        return f"{name} is {'' if value else 'not '}{render_rule_link(rule, word)}"
    if path in ("can", "cannot"):
        titles = ", ".join(ACTION_TITLES[do].lower() for do in value)
        return f"{name} {'may' if path == 'can' else 'may not'}: {escape(titles)}"
    if path == "condition":
        return f"{name} is {render_rule_link(f'hp.{value}', value)}"
    words = f"{value} hit point{'' if value == 1 else 's'}"
    return f"{name} has {words}" if path == "hp" and words not in record.narration else ""
