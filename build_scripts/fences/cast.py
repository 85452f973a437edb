"""The fence ```` ```cast kind="archetype" ````: everyone of that kind as a card, made of scratch_core.cast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2

from build_scripts.markdown_extensions.rule_links import render_rule_link
from build_scripts.paths import OVERRIDES
from build_scripts.render import build_environment
from scratch_core.calculators.character.starting_points import characters_to_fields
from scratch_core.calculators.characters_text.chooser import append_stat_blocks, split_stat_blocks
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.initiative.page import format_sheet_line
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import CAST, KINDS, CastMember, get_member, sheet_of
from scratch_core.characters import Character, audit_figures

TEMPLATES = (Path(__file__).parent / "templates", OVERRIDES / "calculators")
MEMBER_PLACES: Mapping[str, tuple[str, str]] = {
    "opponent": (THEM, "second"),
    "archetype": (US, "first"),
    "printed": (US, "first"),
}
"""Where a card's member stands in a fight and in a duel, the other place open; minions come with their leaders."""


@dataclass(frozen=True, slots=True)
class Misprint:
    """A printed figure that the rules contradict: its name, both numbers, and the link to the ruling."""

    figure: str
    printed: int
    rule_value: int
    ruling: str


@dataclass(frozen=True, slots=True)
class CastCard:
    """What a card prints: the member, its character and figures, its minions by name, misprints, and its ways.

    `character_address` is the address of the character, `link_addresses` are words and addresses of where else it can
    go.
    """

    member: CastMember
    character: Character
    figures: Mapping[str, int]
    minions: tuple[str, ...]
    misprints: tuple[Misprint, ...]
    character_address: str
    link_addresses: Mapping[str, str]


def render_cast(kind: str) -> str:
    """The cards of one kind as HTML; raises ValueError that lists the kinds for an unknown one."""
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)}, got {kind!r} in a cast fence")
    cards = [build_card(member) for member in CAST if member.kind == kind]
    return (
        build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("cast.html").render(cards=cards, kind=kind)
    )


def build_card(member: CastMember) -> CastCard:
    """A member of the cast as its card. Rules: `char.stat-line`, `command.minions`."""
    character = member.build_character()
    minions = [get_member(each).build_character() for each in member.minions]
    limits = {"cp": str(member.cp), "max_level": str(member.max_level)}
    ways = {}
    if not character.minion_of:
        side, place = MEMBER_PLACES[member.kind]
        line = format_sheet_line({"name": member.name, "abilities": member.list_levels()})
        ways["Fight"] = (
            f"fight/?{format_query({'sheets': append_stat_blocks('', split_stat_blocks(sheet_of(member)), side)})}"
        )
        ways["Odds"] = f"odds/?{format_query({place: member.id})}"
        ways["Initiative"] = f"initiative/?{format_query({'who': line})}"
    return CastCard(
        member=member,
        character=character,
        figures={name: figure.value for name, figure in character.figures().items()},
        minions=tuple(each.name for each in minions),
        misprints=_list_misprints(member),
        character_address=f"character/?{format_query({**characters_to_fields((character, *minions)), **limits})}",
        link_addresses=ways,
    )


def _list_misprints(member: CastMember) -> tuple[Misprint, ...]:
    """The figures that the rulebook prints otherwise; those that have no ruling would be a fault of the cast."""
    found = [each for each in audit_figures(member.build_draft(), member.build_character()) if not each.agrees]
    return tuple(
        Misprint(each.name, each.printed, each.computed.value, render_rule_link(member.misprints[each.name], "why"))
        for each in found
    )
