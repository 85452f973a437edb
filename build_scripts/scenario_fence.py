"""The fence ```` ```scenario ````: a small fight in a page, played and held to its expectations at build time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from build_scripts.markdown_rules import rule_link
from scratch_core.actions import TITLES, FightRoll, agility, intelligence, strength
from scratch_core.catalogue import SWITCHES, Rulings, Setting
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure
from scratch_core.scenario import FORMAT, Played, Record, play, read_tree
from scratch_core.scenario.text import read_text
from scratch_core.state import Fighter

REPLAY = "tool:replay/"
"""Where a link to the replay leads, until the page is finished and knows its own place."""

_STEP_LINE = re.compile(r"^\s*(?:\[\[steps\]\]|\{\s*(?:actor|do)\s*=)")
_AROUND = {
    "level": "level ground",
    "cover": "something to hide behind",
    "throwable": "something to throw",
    "climbable": "something to climb",
    "open-air": "open air",
    "water": "water",
    "deep-water": "deep water",
}
_FIGURES = {"agility": agility, "intelligence": intelligence, "strength": strength}
_FLAGS = {
    "delayed": ("delayed", "cond.delayed"),
    "panicked": ("panicked", "cond.panicked"),
    "evading": ("evading", "act.evade"),
    "in_cover": ("in cover", "act.cover"),
    "escaped": ("escaped", "act.escape"),
}


class NoDice:
    """In place of dice: an example has all its faces written down."""

    def roll(self, sides: int) -> int:
        """Refuse: there is nothing to roll."""
        raise ValueError("expected every face written down, got a throw without one")


# Playing


def played_text(body: str, line: int = 0) -> Played:
    """Play a scenario's text; `format` and names may be left out. `line` is the page's line before the first.

    Raises ValueError, with the page's line in it, when it can't be read, or a face is missing.
    """
    try:
        tree, lines = read_text(body)
        scenario = read_tree(example_tree(tree), {place: number + line for place, number in lines.items()})
    except ScratchError as error:
        raise ValueError("; ".join(problem.message for problem in error.problems)) from None
    return play(scenario, NoDice())


def play_example(body: str, line: int = 0) -> Played:
    """Play a fence's scenario; `line` is the page's line that opens the fence.

    Raises ValueError, with the page's line in it, when it can't be read or played, or comes out otherwise than told.
    """
    played = played_text(body, line)
    scenario = played.scenario
    if not (scenario.expect or any(step.expect for step in scenario.steps)):
        raise ValueError("expected something to be held (`expect`), got nothing")
    steps = [line + number for number, text in enumerate(body.splitlines(), 1) if _STEP_LINE.match(text)]
    wrong = [problem.message for problem in played.problems]
    for each in played.differences:
        place = f"line {steps[each.n - 1]}: " if 0 < each.n <= len(steps) else ""
        wrong.append(f"{place}{each.message}")
    wrong += [record.say for record in played.records if not record.legal and not record.step.expect]
    if wrong:
        raise ValueError("; ".join(wrong))
    return played


def example_tree(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The whole scenario of a fence's tree: with its format, and a name for everybody who has only an id."""
    characters = tree.get("characters")
    if isinstance(characters, list):
        characters = [
            {"name": str(each["id"]).capitalize(), **each} if isinstance(each, Mapping) and "id" in each else each
            for each in characters
        ]
    return {"format": FORMAT, **tree, "characters": characters}


# Printing


def render_example(body: str) -> str:
    """The HTML of an example: who is there, every step with its dice and what came of it, a link to the replay."""
    played = play_example(body)
    names = {each.id: each.name for each in played.begun.fighters}
    steps = "\n".join(_step(record, names) for record in played.records)
    text = json.dumps(played.scenario.tree, ensure_ascii=False, separators=(",", ":"))
    href = f"{REPLAY}?scenario={quote(text, safe='')}"
    return (
        '<div class="scenario-example">\n<figure>\n'
        f"<figcaption>{escape(played.scenario.title)}</figcaption>\n"
        f'<p class="scenario-cast">{_cast(played)}</p>\n<ol>\n{steps}\n</ol>\n'
        f'<p class="scenario-open"><a href="{escape(href)}">Open it in the replay</a></p>\n</figure>\n</div>'
    )


def _cast(played: Played) -> str:
    people = []
    for who, written in zip(played.scenario.fighters, played.scenario.tree["characters"], strict=True):
        words = [f"{name} {level}" for name, level in written.get("abilities", {}).items()]
        if "hp" in written:
            words.append(f"{who.hp} of {who.numbers.max_hp} hit points")
        if "here" in written:
            words.append(f"around: {', '.join(_AROUND[word] for word in written['here'])}")
        people.append(f"<strong>{escape(who.name)}</strong> {escape(', '.join(words))}")
    given = played.scenario.tree.get("rulings", {})
    rulings = [escape(_setting(name, value)) for name, value in given.items()]
    return ". ".join([*people, *rulings]) + "."


def _setting(name: str, value: Setting) -> str:
    """Write a house rule of the example in words."""
    (switch,) = (each for each in SWITCHES if each.name == name)
    return f"House rule: {switch.words[switch.choices.index(getattr(Rulings.read({name: value}), name))]}"


def _step(record: Record, names: Mapping[str, str]) -> str:
    lines = [f"<p>{_said(record, names)}</p>"]
    lines += [f'<p class="scenario-sum">{_sum(roll)}</p>' for roll in record.rolls]
    held = [words for key, value in record.step.expect for words in [_held(record, key, value)] if words]
    if held:
        lines.append(f'<p class="scenario-then">{"; ".join(held)}.</p>')
    if record.step.note:
        lines.append(f'<p class="scenario-note">{escape(record.step.note)}</p>')
    return f'<li class="{"done" if record.legal else "refused"}">{"".join(lines)}</li>'


def _said(record: Record, names: Mapping[str, str]) -> str:
    if record.legal:
        return escape(record.say)
    what = f"{names.get(record.actor, 'Game master')}, {TITLES[record.do].lower()}: not allowed."
    return f"{escape(what)} Rule: {rule_link(record.rules[0])}"


def _sum(roll: FightRoll) -> str:
    came = "success" if roll.check.success else "failure"
    return f"{_figure(roll.check.figure)}, against {escape(roll.against.name)} {_goal(roll.against)}: {came}"


def _goal(figure: Figure) -> str:
    """What had to be reached: a sum, or the number alone where its only part would say its name again."""
    only = figure.parts[0]
    if len(figure.parts) > 1 or only.what != figure.name:
        return _figure(figure)
    number = f"<strong>{figure.value}</strong>"
    return rule_link(only.rule, number) if only.rule else number


def _figure(figure: Figure) -> str:
    """A number as the sum of its parts, each a link to its rule: `11 die + 2 wrestling = 13`."""
    parts = []
    for place, part in enumerate(figure.parts):
        sign = "−" if part.value < 0 else "+" if place else ""
        words = f"{abs(part.value)}&nbsp;{escape(part.what)}"
        parts += [sign] if sign else []
        parts.append(rule_link(part.rule, words) if part.rule else words)
    return f"{' '.join(parts)} = <strong>{figure.value}</strong>"


def _held(record: Record, key: str, value: Any) -> str:
    """What is expected after a step, in words; "" for what the step's own line tells already."""
    path, _, own_id = key.partition(".")
    if not own_id:
        return ""
    who: Fighter = record.state.fighter(own_id)
    name = escape(who.name)
    if path in _FIGURES:
        return f"{name}’s {path} {_figure(_FIGURES[path](who))}"
    if path in _FLAGS:
        word, rule = _FLAGS[path]
        return f"{name} is {'' if value else 'not '}{rule_link(rule, word)}"
    if path in ("can", "cannot"):
        titles = ", ".join(TITLES[do].lower() for do in value)
        return f"{name} {'may' if path == 'can' else 'may not'}: {escape(titles)}"
    if path == "condition":
        return f"{name} is {rule_link(f'hp.{value}', value)}"
    words = f"{value} hit point{'' if value == 1 else 's'}"
    return f"{name} has {words}" if path == "hp" and words not in record.say else ""
