"""The fence ```` ```picture name="hit-points" ````: a picture of a rule, drawn when the site is built.

Its body may set the picture's `FIELDS`, `field=value` on each line, and a `caption` with links like
`[[hp.stamina|stamina]]`. A new picture is a module with `build_picture`, and with `FIELDS` if a page may set more than
a caption; a template with its name; and an entry in `PICTURES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import jinja2
from markupsafe import Markup

from build_scripts.fences.calculator import parse_fence_fields
from build_scripts.markdown_extensions.captions import render_caption
from build_scripts.pictures import TEMPLATES, attack, defences, duration, hit_points, initiative, stat_block
from build_scripts.render import build_environment

PICTURES: Mapping[str, ModuleType] = {
    "attack": attack,
    "defences": defences,
    "hit-points": hit_points,
    "initiative": initiative,
    "stat-block": stat_block,
    "duration": duration,
}


def render_picture(name: str, body: str, uid: str) -> str:
    """Render a picture as a figure, whose ids begin with `uid`.

    Raises ValueError for an unknown picture, or a field that it does not have.
    """
    if name not in PICTURES:
        raise ValueError(f"expected one of {', '.join(PICTURES)}, got {name!r} in a picture fence")
    picture, fields = PICTURES[name], parse_fence_fields(body)
    caption = fields.pop("caption", "")
    defaults = getattr(picture, "FIELDS", {})
    unknown = sorted(fields.keys() - defaults.keys())
    if unknown:
        raise ValueError(
            f"expected one of {', '.join(('caption', *defaults))}, got {unknown[0]!r} in the picture {name}"
        )
    view = picture.build_picture({**defaults, **fields})
    template = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("picture.html")
    return template.render(view=view, name=name, uid=uid, caption=Markup(render_caption(caption)))
