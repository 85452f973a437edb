"""A calculator's HTML: one function and one template, used by the build for fences and by the browser for answers.

This module travels into the browser with `scratch_core`; it must import nothing but the standard library, Jinja2 and,
where a code is to be drawn, segno.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import jinja2
from markupsafe import Markup, escape

from scratch_core.calculators.shared.problem_sentences import format_problem_details, format_problem_sentence
from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, parse_query
from scratch_core.calculators.shared.resources import put_text
from scratch_core.calculators.shared.share_links import pack_query, unpack_query
from scratch_core.errors import Problem
from scratch_core.figures import format_signed
from scratch_core.normalization import isolate_right_to_left
from scratch_core.rulebook import title_of, url_of

DATA_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "site_overrides")
"""Where the files lie that an answer may need; in the browser they are fetched. A path as text: `pathlib` costs a start
more than it gives here."""

TEMPLATES = os.path.join(DATA_FOLDER, "calculators")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A calculator's answer: the HTML that goes inside its element, the query that reopens it, one sentence to say.

    `is_incomplete`: there is more to come for whoever asks the same again. `needs` is the path of a file of the site
    without which it can't go on, "" for none.
    """

    html: str
    query: str
    summary: str
    is_incomplete: bool = False
    needs: str = ""


def build_environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """Build the Jinja environment of all templates: it escapes everything and refuses undefined names.

    Templates know three functions of the engine: `title_of` (a rule's name instead of its id),
    `format_problem_sentence` (a problem as players read it) and `format_problem_details` (what the sentence leaves
    out). Functions write what a page has by the hundred, `render_rule_link` and `signed`, because a macro takes many
    times as long. They also write what needs the site's address, `format_rule_address` and `render_link_code`. Finished
    HTML holds what readers typed, so nothing in it is replaced (`isolate_names` puts elements around letters of its
    texts).
    The filter `inside` escapes what stands inside an element and in no attribute: a file there keeps its quotation
    marks.
    `isolated` is for a text that is copied: right-to-left names turn nothing around them.
    """
    made = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    made.globals |= {
        "title_of": title_of,
        "problem_sentence": format_problem_sentence,
        "problem_details": format_problem_details,
        "join_reasons": group_problems,
        "rule_link": render_rule_link,
        "rule_address": format_rule_address,
        "link_code": render_link_code,
        "signed": format_signed,
    }
    made.filters |= {"inside": escape_text, "isolated": isolate_right_to_left}
    return made


_OWN_TEXT = re.compile(r"(<(textarea|script|style)\b.*?</\2>|<[^>]*>)", re.DOTALL)
_PLAIN_TEXT = re.compile(r"<(/?)(?:option|title|svg)\b")


def isolate_names(html: str) -> str:
    """Isolate right-to-left names in an answer's texts, so that the words around them keep their order.

    They are put into `<bdi>`, and between isolates (U+2068, U+2069) in elements that hold text alone and in drawings.
    What the user typed, attributes and scripts stay as they are.
    """
    if html.isascii() or isolate_right_to_left(html) == html:
        return html
    parts = _OWN_TEXT.split(html)
    pieces: list[str] = []
    depth = 0
    for text, tag in zip(parts[::3], [*parts[1::3], ""], strict=True):
        pieces += [isolate_right_to_left(text) if depth else isolate_right_to_left(text, "<bdi>", "</bdi>"), tag]
        if found := _PLAIN_TEXT.match(tag):
            depth += -1 if found[1] else 1
    return "".join(pieces)


def render_rule_link(rule: str, text: str = "") -> Markup:
    """A link to a rule: its title, or `text`; behind the sign alone a tooltip has the title, which is read aloud."""
    title = escape(title_of(rule))
    named = f' title="{title}" aria-label="Rule: {title}"' if text == "§" else f' title="{title}"' if text else ""
    return Markup(
        f'<a class="rule" href="{format_rule_address(rule)}"{named}>{escape(text) if text else f"§ {title}"}</a>'
    )


def group_problems(problems: Iterable[Problem], where: str) -> list[list[Problem]]:
    """List the problems of one control; those with the same sentence, one for each rule, are together."""
    found: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        if problem.where == where:
            found.setdefault((format_problem_sentence(problem), format_problem_details(problem)), []).append(problem)
    return list(found.values())


def format_rule_address(rule: str) -> str:
    """Return where a rule or ruling is explained, below the root of the site.

    Returns `rule:` and the id while the build renders: `markdown_rules.complete_rule_links` completes it for each page.
    """
    return f"rule:{rule}" if _site_root is None else f"{escape(_site_root)}{url_of(rule)}"


def render_link_code(place: str) -> Markup:
    """Return the figure with the QR code of an address of this site; empty while the build renders, without a root."""
    code = Markup("") if _site_root is None else draw_code(place, _site_root)
    return Markup('<figure class="fight-code" data-code="{}">{}</figure>').format(place, code)


def escape_text(text: str) -> Markup:
    """A text escaped for inside an element, as `html.escape(text, quote=False)` has it."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


_environment: jinja2.Environment | None = None
_site_root: str | None = None  # of the request being answered; None while the build renders


def use_templates(loader: jinja2.BaseLoader) -> None:
    """Take the templates from `loader`; the browser hands over the ones compiled into its bundle."""
    global _environment  # noqa: PLW0603 (set once, by whoever starts the process)
    _environment = build_environment(loader)


def import_all(modules: list[str], templates: list[str]) -> None:
    """Import all that an answer may need, for a memory that is kept: modules and templates by name."""
    assert _environment is not None
    for name in modules:
        importlib.import_module(name)
    for name in templates:
        _environment.get_template(name)


SLICE_SECONDS = 0.07
"""So long a browser's answer works on, from where it first asks for time; then it shows what it has."""


def build_time_limit() -> Callable[[], bool]:
    """Whether there is time for more, counted from the first question: a page that takes long has its slice too."""
    until = 0.0

    def go_on() -> bool:
        nonlocal until
        until = until or time.monotonic() + SLICE_SECONDS
        return time.monotonic() < until

    return go_on


def render(  # noqa: PLR0913 -- all but the first two are named
    name: str,
    query: str,
    *,
    ask: bool = False,
    uid: str = "c1",
    go_on: Callable[[], bool] | None = None,
    root: str | None = None,
) -> Rendered:
    """Answer `query` with the calculator `name`; dice are rolled only when `ask` says that someone wants them rolled.

    `uid` makes the ids in the HTML unique on a page. A calculator that works in slices asks `go_on` whether there is
    time for more; without it, it works to the end. `root` is where the site begins, for links; without it they are
    left to the build. Raises ModuleNotFoundError for a calculator that does not exist.
    """
    global _site_root  # noqa: PLW0603 (templates' functions read it)
    _site_root = root
    if _environment is None:
        use_templates(jinja2.FileSystemLoader(TEMPLATES))
    assert _environment is not None
    module: Any = importlib.import_module(f"scratch_core.calculators.{name}")
    read = unpack_query(parse_query(query, getattr(module, "MAX_QUERY_LENGTH", DEFAULT_MAX_QUERY_LENGTH)))
    more = {"go_on": go_on} if go_on and getattr(module, "IN_SLICES", False) else {}
    view = module.view(read, _build_system_roller() if ask else None, **more)
    needs = getattr(view, "needs", "")
    if needs and os.path.isdir(DATA_FOLDER):
        with open(os.path.join(DATA_FOLDER, needs), encoding="utf-8") as file:
            put_text(needs, file.read())
        view = module.view(read, _build_system_roller() if ask else None, **more)
        needs = ""
    html = isolate_names(_environment.get_template(f"{name}.html").render(view=view, uid=uid))
    return Rendered(html, view.query, view.summary, getattr(view, "is_incomplete", False), needs)


def answer(request: str) -> str:
    """The browser's way in: JSON with `name`, `query`, `ask`, `uid` and `root` (where the site begins).

    Gives JSON with `html`, `query`, `summary` and, where it is to be asked again for more, `unfinished`; or with
    `needs` alone, the path of a file of the site that `hand_over` is to be given before the request is made again.

    A request with `file`, the text of a file that was opened beside `query`, is answered by `words` and `links`, pairs
    of words and addresses that lead to where it belongs; by neither where the calculator takes the file itself.

    A request with `link`, a query, and a `title` is answered by `link`, the same query packed.
    """
    asked = json.loads(request)
    if "file" in asked:
        return _answer_file(asked)
    if "link" in asked:
        return json.dumps({"link": pack_query(asked["link"], asked["title"])})
    how = {each: asked[each] for each in ("ask", "uid", "root")}
    rendered = render(asked["name"], asked["query"], go_on=build_time_limit(), **how)
    if rendered.needs:
        return json.dumps({"needs": rendered.needs})
    more = {"unfinished": True} if rendered.is_incomplete else {}
    return json.dumps({"html": rendered.html, "query": rendered.query, "summary": rendered.summary, **more})


def _answer_file(asked: dict[str, str]) -> str:
    from scratch_core.calculators.shared.open_file import suggest_tool  # stat blocks are read for whoever opens a file

    found = suggest_tool(asked["name"], asked["file"], asked["query"])
    if found is None:
        return "{}"
    links = [(words, f"{asked['root']}tools/{address}") for words, address in found.links]
    return json.dumps({"words": found.text, "links": links})


def hand_over(path: str, text: str) -> None:
    """Take a file that an answer needs, "" for one that could not be had."""
    put_text(path, text)


MAX_CODE_VERSION = 30
"""The largest version of a QR code that is drawn: 137 modules a side, which a phone still reads off a screen."""

_QUIET_MODULES = 4  # modules left white around a code, as its standard wants


_LOCAL_ONLY_PATTERN = r"file:|https?://(localhost|127\.|\[::1\])"
_LOCAL_ONLY_TEXT = (
    "This copy of the site can be reached from this device alone, so no code is drawn: open the site at an address that"
    " the phones reach too."
)


def draw_code(place: str, root: str) -> Markup:
    """Return the QR code of an address below the root of this site, with its caption.

    Returns a caption alone where a phone couldn't read the code: it would have too many modules, or nothing but this
    device reaches the address.
    """
    import segno

    address = root + place
    if "/players-screen/" in address and re.match(_LOCAL_ONLY_PATTERN, root):
        return Markup("<figcaption>{}</figcaption>").format(_LOCAL_ONLY_TEXT)
    try:
        code = segno.make(address, error="L", micro=False, boost_error=False)
    except segno.DataOverflowError:
        return _render_too_long(address)
    rows = [[bool(module) for module in row] for row in code.matrix]
    if len(rows) > 17 + 4 * MAX_CODE_VERSION:
        return _render_too_long(address)
    return Markup("{}<figcaption>Scan it with another device's camera.</figcaption>").format(_render_code(rows))


def _render_too_long(address: str) -> Markup:
    words = f"The link has {len(address):,} characters: a code of so many is too fine for a phone's camera."
    return Markup(f"<figcaption>{words} Send the link, or save the fight as a file and open that there.</figcaption>")


def _render_code(rows: list[list[bool]]) -> Markup:
    """A code as a drawing, black on white whatever the page's colours are; a row's black runs are one stroke each."""
    size = len(rows) + 2 * _QUIET_MODULES
    runs = "".join(
        f"M{_QUIET_MODULES + run.start()} {_QUIET_MODULES + y}h{len(run[0])}v1h-{len(run[0])}z"
        for y, row in enumerate(rows)
        for run in re.finditer("1+", "".join("1" if module else "0" for module in row))
    )
    return Markup(
        f'<svg class="code" viewBox="0 0 {size} {size}" role="img" aria-label="QR code of the link"'
        f' shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path d="{runs}"/></svg>'
    )


def _build_system_roller() -> Any:
    from scratch_core.dice import SystemRoller

    return SystemRoller()
