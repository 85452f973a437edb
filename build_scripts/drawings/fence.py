"""The fence ```` ```picture name="hit-points" ````: a picture of a rule, drawn when the site is built.

Its body may hold what the picture's `FIELDS` name, `field=value` a line, and a `caption` with links like
`[[hp.stamina|stamina]]`. A new picture is a module with `FIELDS` and `make`, a template of its name, and a line below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from pymdownx.superfences import SuperFencesException

from build_scripts.calculator_fence import fence_fields
from build_scripts.calculator_html import environment
from build_scripts.drawings import attack, defences, hit_points, initiative, stat_block, until
from build_scripts.drawings.captions import linked
from build_scripts.drawings.record import Picture

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Maker:
    """How a picture is made: what a page may say of it, and the function that asks the engine."""

    fields: Mapping[str, str]
    make: Callable[[Mapping[str, str]], Picture]


PICTURES: dict[str, Maker] = {
    "attack": Maker(attack.FIELDS, attack.make),
    "defences": Maker(defences.FIELDS, defences.make),
    "hit-points": Maker(hit_points.FIELDS, hit_points.make),
    "initiative": Maker(initiative.FIELDS, initiative.make),
    "stat-block": Maker(stat_block.FIELDS, stat_block.make),
    "until": Maker(until.FIELDS, until.make),
}


def picture_validator(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any) -> bool:
    """Accept the fence's options; superfences asks this before it calls the formatter."""
    options.update(inputs)
    return set(inputs) == {"name"}


def picture_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Draw the picture that the fence names; one that can't be drawn stops the build."""
    count = md.scratch_pictures = getattr(md, "scratch_pictures", 0) + 1
    try:
        return render_picture(options["name"], source, f"picture-{count}")
    except Exception as error:  # superfences prints a fence as code on any other error: a wrong page instead of no page
        raise SuperFencesException(f"the picture {options['name']!r} failed: {error}") from error


def render_picture(name: str, body: str, uid: str) -> str:
    """Render a picture as a figure; `uid` keeps ids apart on a page.

    Raises ValueError for an unknown picture, or a field that it does not have.
    """
    if name not in PICTURES:
        raise ValueError(f"expected one of {', '.join(PICTURES)}, got {name!r} in a picture fence")
    maker, given = PICTURES[name], fence_fields(body)
    caption = given.pop("caption", "")
    unknown = sorted(set(given) - set(maker.fields))
    if unknown:
        known = ", ".join(("caption", *maker.fields))
        raise ValueError(f"expected one of {known}, got {unknown[0]!r} in the picture {name}")
    view = maker.make({**maker.fields, **given})
    template = environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("picture.html")
    return template.render(view=view, name=name, uid=uid, caption=Markup(linked(caption)))
