"""The fence ```` ```turn-order ````: a fight by one of the other turn systems, played and drawn when the site is built.

Its body is a scenario file, in which `format` and names are optional. A step's `note` may have links like
`[[seize.claim]]`. The build stops if the engine's results differ from an expectation.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any
from urllib.parse import quote

from build_scripts.fences import scenario
from build_scripts.fences.scenario import REPLAY_ADDRESS
from build_scripts.markdown_extensions.captions import render_caption, strip_links
from build_scripts.markdown_extensions.rule_links import render_rule_link
from build_scripts.pictures.turn_order import draw_turn_order, format_narration_or_refusal
from scratch_core.scenario import ScenarioResult, StepResult
from scratch_core.turn_systems.mano_old.records import POOLS, OldFighter
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS


def play_variant_example(body: str, line_before_body: int = 0) -> ScenarioResult:
    """Play a fence's scenario of one of the other turn systems.

    `line_before_body` is the page's line that opens the fence. Raises ValueError if it can't be parsed or played, or
    has another result than expected.
    """
    played = scenario.play_checked_example(body, line_before_body)
    if played.scenario.system.name not in VARIANT_TURN_SYSTEMS:
        raise ValueError("expected one of the other turn systems as `system`, got scratch")
    return played


def render_turn_order(body: str, uid: str) -> str:
    """Render an example: the drawing of its rounds, then every step in words.

    Ids begin with `uid`.
    """
    played = play_variant_example(body)
    steps = "\n".join(_render_step(played, record) for record in played.results)
    text = json.dumps(_copy_tree_without_note_links(played), ensure_ascii=False, separators=(",", ":"))
    href = escape(f"{REPLAY_ADDRESS}?scenario={quote(text, safe='')}")
    button = f'<p class="turn-order-open"><a class="button" href="{href}">Step through the fight</a></p>'
    return (
        f'<div class="turn-order">\n<figure>\n<figcaption>{escape(played.scenario.title)}</figcaption>\n'
        f'<div class="turn-order-parts">\n{draw_turn_order(played, uid)}\n'
        f'<div class="turn-order-words">\n<p class="turn-order-opening">{escape(played.beginning.narration)}</p>\n'
        f"<ol>\n{steps}\n</ol>\n{button}\n</div>\n</div>\n</figure>\n</div>"
    )


def _copy_tree_without_note_links(played: ScenarioResult) -> dict[str, Any]:
    """Return the scenario's tree without the links in its notes, which the replay can't show."""
    tree = dict(played.scenario.tree)
    steps = [{**step, "note": strip_links(step["note"])} if "note" in step else step for step in tree.get("steps", [])]
    return {**tree, "steps": steps}


def _render_step(played: ScenarioResult, record: StepResult) -> str:
    text = escape(format_narration_or_refusal(played, record))
    if not record.is_legal:
        text += f" Rule: {render_rule_link(record.broken_rules[0])}"
    lines = [f"<p>{text}</p>"]
    pools = _render_changed_pools(played, record)
    if pools:
        lines.append(f'<p class="turn-order-pools">{pools}</p>')
    if record.step.note:
        lines.append(f'<p class="turn-order-note">{render_caption(record.step.note)}</p>')
    return f'<li class="{"done" if record.is_legal else "refused"}">{"".join(lines)}</li>'


def _render_changed_pools(played: ScenarioResult, record: StepResult) -> str:
    """Render the pools of the fighter whose points have changed, the changed ones in bold.

    Returns "" if no pools are involved.
    """
    who = record.action.target or record.actor
    before, after = (_find_fighter(played, n, who) for n in (record.n - 1, record.n))
    if not isinstance(before, OldFighter) or not isinstance(after, OldFighter) or not record.is_legal:
        return ""
    words = []
    for pool in POOLS:
        text = f"{pool} {after.get_points(pool)}"
        words.append(f"<strong>{text}</strong>" if after.get_points(pool) != before.get_points(pool) else text)
    return " · ".join(words)


def _find_fighter(played: ScenarioResult, n: int, who: str) -> object:
    return next((each for each in played.states[n].fighters if each.id == who), None)
