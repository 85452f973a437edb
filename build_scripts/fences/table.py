"""The fence ```` ```engine-table name="carry" ````: a table of the engine's data, made when the site is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import get_args

from build_scripts.checks.rule_traceability import RuleCoverage, list_rule_coverage
from build_scripts.data.duel_statistics import STATISTICS_TABLES
from build_scripts.html_table import render_html_table
from build_scripts.markdown_extensions.captions import render_caption
from build_scripts.markdown_extensions.engine_numbers import CARRY_TABLE, NUMBER_WORDS
from build_scripts.markdown_extensions.rule_links import has_page, render_rule_link
from build_scripts.markdown_extensions.ruling_notes import (
    format_option_values,
    format_options_in_words,
    render_option_attributes,
)
from build_scripts.tables.turn_systems import TURN_SYSTEM_TABLES
from scratch_core.characters.encumbrance import compute_weights
from scratch_core.rulebook import (
    ACTIONS,
    GRID_ACTIONS,
    RULE_OPTIONS,
    RULES,
    ActionSpec,
    Ruling,
    get_ruling,
    load_glossary,
    load_rulings,
)
from scratch_core.rulebook.abilities import ABILITIES, GROUPS, list_group_abilities
from scratch_core.rulebook.records import RulingPart
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

SYSTEM_TITLES = {
    "scratch": "Scratch basic",
    "grid": "Grid",
    "mano": "Mano a Mano rounds",
    "mano-old": "Mano a Mano rounds, older revision",
    **{name: order.title for name, order in VARIANT_TURN_SYSTEMS.items() if not name.startswith("mano")},
}
MAX_PLACES = 3
MOVEMENT_ABILITIES = tuple(ability.name for ability in list_group_abilities("movement"))


def render_table(name: str) -> str:
    """Render a table by its name.

    Raises ValueError, with a list of the names, for an unknown name.
    """
    if name not in TABLE_RENDERERS:
        raise ValueError(f"expected one of {', '.join(sorted(TABLE_RENDERERS))}, got {name!r} in an engine-table fence")
    return TABLE_RENDERERS[name]()


# Cells and rows


def _render_code_places(places: Sequence[str]) -> str:
    """Render at most `MAX_PLACES` places as code, preferably public ones."""
    chosen = [place for place in places if "._" not in place] or list(places)
    more = len(chosen) - MAX_PLACES
    lines = [f"<code>{escape(place)}</code>" for place in chosen[:MAX_PLACES]]
    return " <br>".join([*lines, *([f"and {more} more"] if more > 0 else [])])


# Actions and abilities


ACTION_HEADS = ("Action", "Kind", "Against", "Adds", "What it does, and when")
_TERRAIN_NOTE = "A movement ability counts only in terrain that suits it."
"""A sentence that is above the table, so that it is removed from its cells."""
EFFECT_RULINGS = {"hold": "K06"}
"""The ruling whose house rule changes the effect of an action, by the action's name."""


def render_basic_actions_table() -> str:
    """Render the quick reference of every action of Scratch basic.

    On a phone each row is a card with name, figures and effect.
    """
    return _render_action_table("actions", "Every action", ACTIONS)


def render_grid_actions() -> str:
    """Render the actions that are only possible on a map, in the same columns."""
    return _render_action_table("grid-actions", "Only on the Grid", GRID_ACTIONS)


def _render_action_table(name: str, caption: str, summaries: Iterable[ActionSpec]) -> str:
    """Render a table whose cells name their column, so that it can show cards.

    Roles keep it a table for screen readers.
    """
    heads = "\n".join(f'<th scope="col" role="columnheader">{escape(head)}</th>' for head in ACTION_HEADS)
    return "\n".join(
        (
            f'<div class="engine-table engine-table--actions engine-table--{name}">',
            f'<table role="table">\n<caption class="u-aloud">{escape(caption)}</caption>',
            f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>',
            '<tbody role="rowgroup">',
            *map(_render_action_row, summaries),
            "</tbody>\n</table>\n</div>",
        )
    )


def _render_action_row(action: ActionSpec) -> str:
    against = escape(", ".join(filter(None, (action.range, action.defence_text))))
    attack = f' <span class="sheet__attack-type">({action.attack})</span>' if action.attack else ""
    adding = (
        "needs" if action.required_abilities and set(action.required_abilities) == set(action.usable_abilities) else "+"
    )
    when = action.conditions_text.replace(_TERRAIN_NOTE, "").strip()
    ruling = EFFECT_RULINGS.get(action.do)
    option = next((each for each in RULE_OPTIONS if each.ruling == ruling), None)
    house_rule = f"<span{render_option_attributes(option)}></span>" if option else ""
    cells = (
        escape(action.kind.replace("regular, once per encounter", "once per encounter")),
        f"{against}{attack}",
        escape(f"{adding} {_format_added_abilities(action.usable_abilities)}") if action.usable_abilities else "",
        f'{escape(action.effect)}{house_rule} <span class="sheet__when">{escape(when)}</span>',
    )
    title = render_rule_link(action.rule, escape(action.title))
    cell_html = "".join(
        f'\n<td role="cell" data-head="{head}">{cell}</td>' for head, cell in zip(ACTION_HEADS[1:], cells, strict=True)
    )
    return f'<tr role="row"><th scope="row" role="rowheader">{title}</th>{cell_html}</tr>'


def _format_added_abilities(names: Sequence[str]) -> str:
    """Format the abilities of which one may be added.

    The four movement abilities are one item.
    """
    if set(MOVEMENT_ABILITIES) <= set(names):
        names = [*(name for name in names if name not in MOVEMENT_ABILITIES), "a movement ability"]
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def render_abilities_table() -> str:
    """Render the fifteen abilities by group, each with its main use."""
    rows: list[tuple[str, ...]] = []
    for group in GROUPS:
        rows.append((escape(group.capitalize()),))
        rows += [
            (render_rule_link(ability.main_rule, escape(ability.name.capitalize())), escape(ability.use))
            for ability in list_group_abilities(group)
        ]
    return render_html_table(
        "abilities", f"The {NUMBER_WORDS[len(ABILITIES)]} abilities", ("Ability", "Main use"), rows
    )


def render_carry_weights() -> str:
    """Render the weights for strength 10 to 20."""
    rows = [
        (
            str(strength),
            f"{each.pack_kg} kg · {each.pack_lb} lb",
            f"{each.carry_kg} kg · {each.carry_lb} lb",
            f"{each.lift_kg} kg · {each.lift_lb} lb",
        )
        for strength in CARRY_TABLE
        for each in [compute_weights(strength)]
    ]
    return render_html_table(
        "carry", "How much each strength carries", ("Strength", "Pack, all day", "A few minutes", "Lift in place"), rows
    )


# Questions of players during a fight


CAN_I_QUESTIONS = (
    (
        "Engage, move, then attack?",
        "Yes. You move [[grid.move.once|once a turn]], also between your bonus action and your regular one.",
    ),
    (
        "Break free of a hold?",
        "No, it ends [[cond.delayed.expiry|after your next turn]]. A healthy wrestler may "
        "[[act.wrestling.counter-hold|counter-hold]], and stays held.",
    ),
    ("Get free if the holder is incapacitated or leaves?", "No, [[act.hold|the hold goes on]]."),
    ("Walk on the map while panicked?", "[[grid.move.who|Yes]], but you must still [[cond.panicked|evade]]."),
    (
        "Do anything while I'm delayed?",
        "You keep [[cond.delayed|your cover and your defences]], and you can [[grid.move.who|walk]] on a map, "
        "unless you are held.",
    ),
    (
        "Heal a character far away?",
        "[[act.heal.not-self|Yes]]; on a map they must be [[grid.heal.adjacent|next to you]].",
    ),
    ("Get my hit points back after the fight?", "By healing. For anything else, [[hp.start|your table decides]]."),
    ("Wait, or ready an action?", "No. You may [[turn.do-nothing|do nothing]]."),
    (
        "Attack or drag an ally?",
        "Yes, you may [[turn.group|attack anyone]]. On a map, a successful [[act.hold|hold]] lets you "
        "[[grid.hold.reposition|swap or push]]: it delays them, and a healthy wrestler's does damage.",
    ),
    (
        "Draw something, or pick it up?",
        "As a [[act.bonus.examples|bonus action]], if the game master finds it small enough.",
    ),
)
"""The most frequent questions, and the answers of the rules."""


def render_can_i() -> str:
    """Render ten questions of players, each with a short answer."""
    rows = [(escape(question), render_caption(answer)) for question, answer in CAN_I_QUESTIONS]
    return render_html_table("can-i", "Can I …?", ("Can I …?", "Answer"), rows)


# Rulings and settings


def render_rule_options_table() -> str:
    """Render every setting with its default and its options."""
    rows = [
        (
            f'{render_rule_link(switch.ruling)} <br><span class="id"><code>{switch.name}</code></span>',
            f"{escape(switch.question)} {escape(switch.reason)} "
            f"<strong>{escape(format_option_values(switch, ' · '))}</strong>",
        )
        for switch in RULE_OPTIONS
        if _has_rule_page(switch.ruling)
    ]
    return render_html_table(
        "switches", "Settings", ("Ruling", "The question, why there is a choice, and the options"), rows
    )


def _has_rule_page(ruling_id: str) -> bool:
    """Return whether the text has a page with a rule of the ruling."""
    return any(has_page(rule.page) for rule in RULES if rule.id in get_ruling(ruling_id).rules)


def build_rulings_renderer(part: RulingPart) -> Callable[[], str]:
    """Return a function that renders the rulings of a part.

    Each ruling is a section whose heading has its id, because search hits are headings. Rulings whose source is
    unambiguous are folded after the others.
    """

    def render() -> str:
        rulings = [each for each in load_rulings().values() if each.part == part]
        plain = [_render_ruling(each) for each in rulings if each.is_plain]
        sections = [_render_ruling(each) for each in rulings if not each.is_plain]
        return "\n".join([*sections, *([_render_fold("Where the sources are plain", plain)] if plain else [])])

    return render


def _render_fold(summary_text: str, parts: Sequence[str]) -> str:
    """Fold parts of a page.

    They open when the user presses the summary, or when a link leads to an id in them.
    """
    summary = f"<summary>{summary_text} ({len(parts)})</summary>"
    return "\n".join((f'<div class="folded"><details>{summary}', *parts, "</details></div>"))


def _render_ruling(ruling: Ruling) -> str:
    heading = f'<h3 id="{ruling.id}">{escape(ruling.title)} {_render_own_link(ruling.id)}</h3>'
    first, *others = ruling.readings
    readings = [f'<li class="default">{escape(first)} <strong class="ours">Default</strong></li>']
    readings += [f"<li>{escape(other)}</li>" for other in others]
    links = [render_rule_link(each) for each in ruling.rules]
    return "\n".join(
        (
            f'<section class="ruling" aria-labelledby="{ruling.id}">',
            heading,
            f"<p>{escape(ruling.question)}</p>",
            f'<ul class="readings">{"".join(readings)}</ul>',
            f"<p>{escape(ruling.why)}</p>",
            f'<p class="ruling-rules">{_render_setting_options(ruling)}Rules: {" · ".join(links)} · {ruling.id}</p>',
            "</section>",
        )
    )


def _render_own_link(anchor: str) -> str:
    return (
        f'<a class="rule-anchor" href="#{anchor}" data-rule="{anchor}" aria-label="Link to {anchor}" '
        'data-search-exclude="">§</a>'
    )


def _render_setting_options(ruling: Ruling) -> str:
    """Render the setting of a ruling and its options, or "" if it has none."""
    for switch in RULE_OPTIONS:
        if switch.name == ruling.switch:
            attributes = f'class="ruling-switch"{render_option_attributes(switch)}'
            return f"<span {attributes}>Setting: {escape(format_options_in_words(switch))}</span> · "
    return ""


# The index, the glossary, the counts


def render_rule_index() -> str:
    """Render every rule of the text, page by page, with its code and tests."""
    pages: dict[str, list[RuleCoverage]] = {}
    for coverage in list_rule_coverage():
        if has_page(coverage.rule.page):
            pages.setdefault(coverage.rule.page, []).append(coverage)
    return "\n".join(_render_page_index(page, _format_page_name(page), rows) for page, rows in pages.items())


def _render_page_index(page: str, name: str, rows: Sequence[RuleCoverage]) -> str:
    names = [(render_rule_link(each.rule.id), f'<span class="id">{each.rule.id}</span>') for each in rows]
    return (
        f'<h2 id="index-{page.strip("/").rpartition("/")[2]}">{escape(name)}</h2>\n'
        + render_html_table("rule-index", f"Rules on the page {name}", ("Rule", "Id"), names)
        + "\n<details><summary>Where they are coded and tested</summary>\n"
        + render_html_table(
            "rule-code", f"Code and tests of {name}", ("Id", "Coded in", "Tested in"), map(_build_code_row, rows)
        )
        + "\n</details>"
    )


def _format_page_name(page: str) -> str:
    name = page.strip("/").rpartition("/")[2].replace("-", " ").capitalize()
    return name.replace("a mano", "a Mano")


def _build_code_row(coverage: RuleCoverage) -> tuple[str, ...]:
    return (
        f"<code>{coverage.rule.id}</code>",
        _render_code_places(coverage.code) or escape(f"no code: {coverage.rule.no_code}"),
        _render_code_places(coverage.tests),
    )


def render_glossary() -> str:
    """Render every term by its letter, with its rule.

    Each has a heading, because search hits are headings.
    """
    letters: dict[str, list[str]] = {}
    for term in sorted(load_glossary(), key=lambda term: term.name.lower()):
        letters.setdefault(term.name[0].upper(), []).append(
            f'<section class="glossary__entry"><h2 id="term-{term.name.replace(" ", "-")}">{escape(term.name)}</h2>\n'
            f"<p>{escape(term.meaning)} {render_rule_link(term.rule)}</p></section>"
        )
    jumps = "\n".join(f'<a href="#letter-{each}">{each}</a>' for each in letters)
    parts = [
        f'<div class="glossary__letter" id="letter-{each}">{"".join(words)}</div>' for each, words in letters.items()
    ]
    return "\n".join([f'<nav class="glossary__letters" aria-label="Letters">{jumps}</nav>', *parts])


def render_rule_counts_by_system() -> str:
    """Render the number of rules of each system."""
    counts = Counter[str](rule.system for rule in RULES)
    rows = [(escape(name), str(counts[system])) for system, name in SYSTEM_TITLES.items()]
    return render_html_table(
        "catalogue-counts", "Rules by system", ("System", "Rules"), [*rows, ("All", str(len(RULES)))]
    )


TABLE_RENDERERS: dict[str, Callable[[], str]] = {
    **TURN_SYSTEM_TABLES,
    **STATISTICS_TABLES,
    "abilities": render_abilities_table,
    "actions": render_basic_actions_table,
    "can-i": render_can_i,
    "carry": render_carry_weights,
    "catalogue-counts": render_rule_counts_by_system,
    "glossary": render_glossary,
    "grid-actions": render_grid_actions,
    "rule-index": render_rule_index,
    **{f"rulings-{part}": build_rulings_renderer(part) for part in get_args(RulingPart)},
    "switches": render_rule_options_table,
}
