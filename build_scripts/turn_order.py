"""The fence ```` ```turn-order ````: a fight by one of the other turn orders, played and drawn when the site is built.

Its body is a scenario file; `format` and names may be left out. A step's `note` may hold links like `[[seize.claim]]`.
Everything it expects is held: where the engine comes to something else, the build stops.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any
from urllib.parse import quote

from build_scripts import scenario_fence
from build_scripts.drawings.captions import linked, plain
from build_scripts.markdown_rules import rule_link
from build_scripts.order_drawing import draw, step_words
from build_scripts.scenario_fence import REPLAY
from scratch_core.rounds import SYSTEMS, OldFighter
from scratch_core.rounds.mano_old_records import POOLS
from scratch_core.scenario import Played, Record


def play_example(body: str, line: int = 0) -> Played:
    """Play a fence's scenario, of one of the other turn orders; `line` is the page's line that opens the fence.

    Raises ValueError when it can't be read or played, or comes out otherwise than expected.
    """
    played = scenario_fence.play_example(body, line)
    if played.scenario.system.name not in SYSTEMS:
        raise ValueError("expected one of the other turn orders as `system`, got scratch")
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
    steps = [{**step, "note": plain(step["note"])} if "note" in step else step for step in tree.get("steps", [])]
    return {**tree, "steps": steps}


def _step(played: Played, record: Record) -> str:
    said = escape(step_words(played, record))
    if not record.legal:
        said += f" Rule: {rule_link(record.rules[0])}"
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
