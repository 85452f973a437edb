"""The fence ```` ```cast kind="archetype" ````: everyone of that kind as a card, made of scratch_core.cast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2

from build_scripts.markdown_extensions.rule_links import rule_link
from build_scripts.paths import OVERRIDES
from build_scripts.render import environment
from scratch_core.calculators.character.starting_points import written
from scratch_core.calculators.characters_text.chooser import beside, parted
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.initiative.page import line_of
from scratch_core.calculators.shared.query import query_string
from scratch_core.cast import CAST, KINDS, CastMember, get_member, sheet_of
from scratch_core.characters import Character, audit_figures

TEMPLATES = (Path(__file__).parent / "templates", OVERRIDES / "calculators")
SIDES: Mapping[str, tuple[str, str]] = {
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
    by_the_rules: int
    ruling: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a card prints: the member, its character and figures, its minions by name, misprints, and its ways.

    `sheet` is the address of the character, `ways` are words and addresses of where else it can go.
    """

    member: CastMember
    character: Character
    figures: Mapping[str, int]
    minions: tuple[str, ...]
    misprints: tuple[Misprint, ...]
    sheet: str
    ways: Mapping[str, str]


def render_cast(kind: str) -> str:
    """The cards of one kind as HTML; raises ValueError that lists the kinds for an unknown one."""
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)}, got {kind!r} in a cast fence")
    cards = [card_of(member) for member in CAST if member.kind == kind]
    return environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("cast.html").render(cards=cards, kind=kind)


def card_of(member: CastMember) -> Card:
    """A member of the cast as its card. Rules: `char.stat-line`, `command.minions`."""
    character = member.build_character()
    minions = [get_member(each).build_character() for each in member.minions]
    limits = {"cp": str(member.cp), "max_level": str(member.max_level)}
    ways = {}
    if not character.minion_of:
        side, place = SIDES[member.kind]
        line = line_of({"name": member.name, "abilities": member.list_levels()})
        ways["Fight"] = f"fight/?{query_string({'sheets': beside('', parted(sheet_of(member)), side)})}"
        ways["Odds"] = f"odds/?{query_string({place: member.id})}"
        ways["Initiative"] = f"initiative/?{query_string({'who': line})}"
    return Card(
        member=member,
        character=character,
        figures={name: figure.value for name, figure in character.figures().items()},
        minions=tuple(each.name for each in minions),
        misprints=_misprints(member),
        sheet=f"character/?{query_string({**written((character, *minions)), **limits})}",
        ways=ways,
    )


def _misprints(member: CastMember) -> tuple[Misprint, ...]:
    """The figures that the rulebook prints otherwise; those that have no ruling would be a fault of the cast."""
    found = [each for each in audit_figures(member.build_draft(), member.build_character()) if not each.agrees]
    return tuple(
        Misprint(each.name, each.printed, each.computed.value, rule_link(member.misprints[each.name], "why"))
        for each in found
    )
