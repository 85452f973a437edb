"""The fence ```` ```cast kind="archetype" ````: a card for each member of the cast of that kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import jinja2

from build_scripts.markdown_extensions.rule_links import render_rule_link
from build_scripts.paths import OVERRIDES
from build_scripts.render import build_environment
from scratch_core.calculators.character.starting_points import characters_to_fields
from scratch_core.calculators.characters_text.chooser import append_stat_blocks, split_stat_blocks
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.initiative.participants import format_participant_line
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import CAST, KINDS, CastMember, format_sheet_with_minions, get_member
from scratch_core.characters import Character, audit_figures
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, format_setting_for_display

TEMPLATES = (Path(__file__).parent / "templates", OVERRIDES / "calculators")
MEMBER_PLACES: Mapping[str, tuple[str, str]] = {
    "opponent": (THEM, "second"),
    "archetype": (US, "first"),
    "printed": (US, "first"),
}
"""For each kind the side in a fight and the place in a duel that a card's links use. Minions follow their leaders."""

STRENGTH_OPTIONS = [each for each in RULE_OPTIONS if each.ruling in ("K01", "A01")]
"""The house rules that change a defence of a character."""


@dataclass(frozen=True, slots=True)
class Misprint:
    """A printed figure that contradicts the rules."""

    figure: str
    """The name of the figure."""
    printed: int
    """The printed value."""
    rule_value: int
    """The value by the rules."""
    ruling: str
    """The link to the ruling, as HTML."""


@dataclass(frozen=True, slots=True)
class CastCard:
    """The content of a card."""

    member: CastMember
    """The member of the cast."""
    character: Character
    """Its character."""
    figures: Mapping[str, int]
    """The values of its figures by name."""
    table_values: Mapping[str, str]
    """The values of each figure that `STRENGTH_OPTIONS` change, in the format of `data-words`."""
    minions: tuple[str, ...]
    """The names of its minions."""
    misprints: tuple[Misprint, ...]
    """The printed figures that contradict the rules."""
    character_address: str
    """The address of the character calculator for it."""
    link_addresses: Mapping[str, str]
    """The addresses of other calculators for it, by the text of the link."""


def render_cast(kind: str) -> str:
    """Render the cards of one kind.

    Raises ValueError, with a list of the kinds, for an unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)}, got {kind!r} in a cast fence")
    cards = [build_card(member) for member in CAST if member.kind == kind]
    template = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("cast.html")
    return template.render(cards=cards, kind=kind, strength_options=" ".join(each.name for each in STRENGTH_OPTIONS))


def build_card(member: CastMember) -> CastCard:
    """Build the card of a member of the cast.

    Rules: `char.stat-line`, `command.minions`.
    """
    character = member.build_character()
    minions = [get_member(each).build_character() for each in member.minions]
    limits = {"cp": str(member.cp), "max_level": str(member.max_level)}
    addresses = {}
    if not character.minion_of:
        side, place = MEMBER_PLACES[member.kind]
        line = format_participant_line({"name": member.name, "abilities": member.map_abilities_to_levels()})
        blocks = split_stat_blocks(format_sheet_with_minions(member))
        addresses["Fight"] = f"fight/?{format_query({'sheets': append_stat_blocks('', blocks, side)})}"
        addresses["Odds"] = f"odds/?{format_query({place: member.id})}"
        addresses["Initiative"] = f"initiative/?{format_query({'who': line})}"
    return CastCard(
        member=member,
        character=character,
        figures={name: figure.value for name, figure in character.figures().items()},
        table_values=_map_figures_to_table_values(character),
        minions=tuple(each.name for each in minions),
        misprints=_list_misprints(member),
        character_address=f"character/?{format_query({**characters_to_fields((character, *minions)), **limits})}",
        link_addresses=addresses,
    )


def _map_figures_to_table_values(character: Character) -> dict[str, str]:
    """Map each figure that house rules change to its other values.

    A key of the query has the choices of all `STRENGTH_OPTIONS`, "" for one that a table has not answered.

    Rules: `def.strength`, `def.strength.fallback` (rulings K01 and A01).
    """
    figures = {name: figure.value for name, figure in character.figures().items()}
    values: dict[str, dict[str, str]] = {}
    for choices in product(*((None, *option.choices) for option in STRENGTH_OPTIONS)):
        settings = {
            option.name: option.default if choice is None else choice
            for option, choice in zip(STRENGTH_OPTIONS, choices, strict=True)
        }
        key = " ".join("" if choice is None else format_setting_for_display(choice) for choice in choices)
        for name, figure in character.figures(RulingSettings.from_dict(settings)).items():
            if figure.value != figures[name]:
                values.setdefault(name, {})[key] = str(figure.value)
    return {name: format_query(each) for name, each in values.items()}


def _list_misprints(member: CastMember) -> tuple[Misprint, ...]:
    """List the printed figures that contradict the rules.

    Raises KeyError for one without a ruling, which would be an error in the cast.
    """
    differences = [each for each in audit_figures(member.build_draft(), member.build_character()) if not each.agrees]
    return tuple(
        Misprint(each.name, each.printed, each.computed.value, render_rule_link(member.misprints[each.name], "why"))
        for each in differences
    )
