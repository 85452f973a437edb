"""The fence ```` ```turn-order ````: a fight by one of the other turn orders, played and drawn when the site is built.

Its body is a scenario file; `format` and names may be left out. A step's `note` may hold links like `[[seize.claim]]`.
Everything it expects is held: where the engine comes to something else, the build stops.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any
from urllib.parse import quote

from pymdownx.superfences import SuperFencesException

from build_scripts.markdown_rules import rule_link
from build_scripts.order_drawing import draw
from build_scripts.scenario_fence import REPLAY, NoDice, example_tree
from scratch_core.errors import ScratchError
from scratch_core.rounds import SYSTEMS, OldFighter
from scratch_core.rounds.mano_old_records import POOLS
from scratch_core.scenario import Played, Record, play, read_tree
from scratch_core.scenario.text import read_text

_LINK = re.compile(r"\[\[([\w.-]+)(?:\|([^\]]+))?\]\]")


def turn_order_validator(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any) -> bool:
    """Accept the fence without options; superfences asks this before it calls the formatter."""
    return not inputs


def turn_order_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Render the fence; a fight that can't be played, or comes out otherwise than expected, stops the build."""
    count = md.scratch_turn_orders = getattr(md, "scratch_turn_orders", 0) + 1
    try:
        return render_turn_order(source, f"order-{count}")
    except Exception as error:  # superfences prints a fence as code on any other error: a wrong page instead of no page
        raise SuperFencesException(f"the turn-order fence failed: {error}") from error


def play_example(body: str) -> Played:
    """Play a fence's scenario. Raises ValueError when it can't be read or played, or an expectation is not met."""
    try:
        scenario = read_tree(example_tree(read_text(body)[0]))
    except ScratchError as error:
        raise ValueError("; ".join(problem.message for problem in error.problems)) from None
    if scenario.system.name not in SYSTEMS:
        raise ValueError("expected one of the other turn orders as `system`, got scratch")
    played = play(scenario, NoDice())
    wrong = [*(problem.message for problem in played.problems), *(each.message for each in played.differences)]
    unheld = [record.say for record in played.records if not record.legal and not record.step.expect]
    if wrong or unheld:
        raise ValueError("; ".join([*wrong, *unheld]))
    if not (scenario.expect or any(step.expect for step in scenario.steps)):
        raise ValueError("expected something to be held (`expect`), got nothing")
    return played


def render_turn_order(body: str, uid: str) -> str:
    """The HTML of an example: the drawing of its rounds, then every step in words. `uid` keeps ids apart."""
    played = play_example(body)
    steps = "\n".join(_step(played, record) for record in played.records)
    text = json.dumps(_plain_notes(played), ensure_ascii=False, separators=(",", ":"))
    href = escape(f"{REPLAY}?scenario={quote(text, safe='')}")
    through = f'<p class="turn-order-open"><a class="button" href="{href}">Step through it</a></p>'
    return (
        f'<div class="turn-order">\n<figure>\n<figcaption>{escape(played.scenario.title)}</figcaption>\n'
        f'<div class="turn-order-parts">\n{draw(played, uid)}\n'
        f'<div class="turn-order-words">\n<p class="turn-order-opening">{escape(played.beginning.say)}</p>\n'
        f"<ol>\n{steps}\n</ol>\n{through}\n</div>\n</div>\n</figure>\n</div>"
    )


def _plain_notes(played: Played) -> dict[str, Any]:
    """The scenario's file with the words of its notes alone, for the replay prints no links in them."""
    tree = dict(played.scenario.tree)
    steps = [
        {**step, "note": _LINK.sub(lambda match: match[2] or match[1], step["note"])} if "note" in step else step
        for step in tree.get("steps", [])
    ]
    return {**tree, "steps": steps}


def _step(played: Played, record: Record) -> str:
    said = escape(record.say)
    if not record.legal:
        name = played.scenario.system.name_of(record.state, record.actor)
        what = played.scenario.system.acts.get(record.do, record.do)
        said = f"{escape(name)}: {escape(what)} is not allowed. Rule: {rule_link(record.rules[0])}"
    lines = [f"<p>{said}</p>"]
    pools = _pools(played, record)
    if pools:
        lines.append(f'<p class="turn-order-pools">{pools}</p>')
    if record.step.note:
        lines.append(f'<p class="turn-order-note">{linked(record.step.note)}</p>')
    return f'<li class="{"done" if record.legal else "refused"}">{"".join(lines)}</li>'


def _pools(played: Played, record: Record) -> str:
    """The pools of whoever's points moved, those that changed in bold."""
    who = record.action.target or record.actor
    before, after = (_fighter(played, n, who) for n in (record.n - 1, record.n))
    if not isinstance(before, OldFighter) or not isinstance(after, OldFighter) or not record.legal:
        return ""
    words = []
    for pool in POOLS:
        text = f"{pool} {after.pool(pool)}"
        words.append(f"<strong>{text}</strong>" if after.pool(pool) != before.pool(pool) else text)
    return " · ".join(words)


def _fighter(played: Played, n: int, who: str) -> object:
    return next((each for each in played.scenario.system.fighters(played.states[n]) if each.id == who), None)


def linked(text: str) -> str:
    """A note with its links to rules as HTML."""
    parts = []
    place = 0
    for match in _LINK.finditer(text):
        words = escape(match[2]) if match[2] else None
        parts += [escape(text[place : match.start()]), rule_link(match[1], words)]
        place = match.end()
    return "".join([*parts, escape(text[place:])])
