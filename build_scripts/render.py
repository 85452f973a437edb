"""Render a calculator as HTML. The build calls this module for fences, and the browser for each request.

It is part of the bundle for the browser, with `scratch_core`. It must import nothing but the standard library, Jinja2
and, to draw a QR code, segno.
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
"""The folder of the files that a response may need. In the browser they are fetched instead. The path is a string,
because importing `pathlib` makes the start slower."""

TEMPLATES = os.path.join(DATA_FOLDER, "calculators")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A calculator's response."""

    html: str
    """The content of the calculator's element."""
    query: str
    """The query that reopens this response."""
    summary: str
    """One sentence that a screen reader announces."""
    is_incomplete: bool = False
    """Whether the same request, sent again, continues a computation."""
    needs: str = ""
    """The path of a file of the site that the calculator needs to continue; "" for none."""


def build_environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """Build the Jinja environment of all templates, with autoescaping and strict undefined names.

    Templates can call three functions of the engine: `title_of` (a rule's name for its id), `problem_sentence` (a
    problem for players) and `problem_details` (the rest of the problem). `rule_link` and `signed` are functions because
    a page calls them hundreds of times, and a macro takes many times as long. `rule_address` and `link_code` are
    functions because they need the site's address. Rendered HTML contains the user's input, so nothing is replaced in
    it afterwards, except that `isolate_names` puts elements around letters of its texts.

    The filter `inside` escapes text for the content of an element, not for an attribute: quotation marks stay. The
    filter `isolated` is for text that the user copies: it isolates right-to-left names from the text around them.
    """
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals |= {
        "title_of": title_of,
        "problem_sentence": format_problem_sentence,
        "problem_details": format_problem_details,
        "join_reasons": group_problems,
        "rule_link": render_rule_link,
        "rule_address": format_rule_address,
        "link_code": render_link_code,
        "signed": format_signed,
    }
    environment.filters |= {"inside": escape_text, "isolated": isolate_right_to_left}
    return environment


_OWN_TEXT = re.compile(r"(<(textarea|script|style)\b.*?</\2>|<[^>]*>)", re.DOTALL)
_PLAIN_TEXT = re.compile(r"<(/?)(?:option|title|svg)\b")


def isolate_names(html: str) -> str:
    """Isolate right-to-left names in the texts of HTML from the words around them.

    A name is put into `<bdi>`. In drawings, and in elements that can only contain text, it is put between isolates
    (U+2068, U+2069). The user's input, attributes and scripts are not changed.
    """
    if html.isascii() or isolate_right_to_left(html) == html:
        return html
    parts = _OWN_TEXT.split(html)
    pieces: list[str] = []
    depth = 0
    for text, tag in zip(parts[::3], [*parts[1::3], ""], strict=True):
        pieces += [isolate_right_to_left(text) if depth else isolate_right_to_left(text, "<bdi>", "</bdi>"), tag]
        if match := _PLAIN_TEXT.match(tag):
            depth += -1 if match[1] else 1
    return "".join(pieces)


def render_rule_link(rule: str, text: str = "") -> Markup:
    """Render a link to a rule, whose text is the rule's title or `text`.

    With a `text` the title is a tooltip. If the text is the sign § alone, the title is also the accessible name.
    """
    title = escape(title_of(rule))
    attributes = f' title="{title}" aria-label="Rule: {title}"' if text == "§" else f' title="{title}"' if text else ""
    return Markup(
        f'<a class="rule" href="{format_rule_address(rule)}"{attributes}>{escape(text) if text else f"§ {title}"}</a>'
    )


def group_problems(problems: Iterable[Problem], where: str) -> list[list[Problem]]:
    """Group the problems of one control by sentence.

    Several rules may be broken in the same way.
    """
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        if problem.where == where:
            groups.setdefault((format_problem_sentence(problem), format_problem_details(problem)), []).append(problem)
    return list(groups.values())


def format_rule_address(rule: str) -> str:
    """Return the address of a rule's or ruling's explanation.

    During the build the site's root is unknown, so it returns `rule:` and the id, which `complete_rule_links` of
    `markdown_extensions/rule_links.py` completes for each page.
    """
    return f"rule:{rule}" if _site_root is None else f"{escape(_site_root)}{url_of(rule)}"


def render_link_code(address: str) -> Markup:
    """Render the figure with the QR code of an address below the site's root.

    The figure is empty during the build, because the root is unknown then.
    """
    code = Markup("") if _site_root is None else draw_code(address, _site_root)
    return Markup('<figure class="fight-code" data-code="{}">{}</figure>').format(address, code)


def escape_text(text: str) -> Markup:
    """Escape text for the content of an element, like `html.escape(text, quote=False)`."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


_environment: jinja2.Environment | None = None
_site_root: str | None = None  # of the current request; None during the build


def use_templates(loader: jinja2.BaseLoader) -> None:
    """Set the loader of the templates.

    The browser passes the loader of the compiled templates in its bundle.
    """
    global _environment  # noqa: PLW0603 (set once, when the process starts)
    _environment = build_environment(loader)


def import_all(modules: list[str], templates: list[str]) -> None:
    """Import every module and template, before a snapshot of the memory is saved."""
    assert _environment is not None
    for name in modules:
        importlib.import_module(name)
    for name in templates:
        _environment.get_template(name)


SLICE_SECONDS = 0.07
"""The seconds that a request in the browser computes, counted from its first question for time. Then it responds with
what is known so far."""


def build_time_limit() -> Callable[[], bool]:
    """Return a function that returns whether the current time slice has time left.

    The slice begins with the first call, so that a page whose other parts are slow has a full slice, too.
    """
    end = 0.0

    def has_time_left() -> bool:
        nonlocal end
        end = end or time.monotonic() + SLICE_SECONDS
        return time.monotonic() < end

    return has_time_left


def render(  # noqa: PLR0913 -- all but the first two are keywords
    name: str,
    query: str,
    *,
    ask: bool = False,
    uid: str = "c1",
    should_continue: Callable[[], bool] | None = None,
    root: str | None = None,
) -> Rendered:
    """Render the response of the calculator `name` to `query`.

    Dice are rolled only if `ask` is set. `uid` makes the ids in the HTML unique on a page. A calculator that works in
    time slices calls `should_continue` between two pieces of work; without it, it completes its work. `root` is the
    address of the site's root, for links; without it the build completes the links. Raises ModuleNotFoundError if the
    calculator does not exist.
    """
    global _site_root  # noqa: PLW0603 (functions of templates read it)
    _site_root = root
    if _environment is None:
        use_templates(jinja2.FileSystemLoader(TEMPLATES))
    assert _environment is not None
    module: Any = importlib.import_module(f"scratch_core.calculators.{name}")
    fields = unpack_query(parse_query(query, getattr(module, "MAX_QUERY_LENGTH", DEFAULT_MAX_QUERY_LENGTH)))
    options = {"go_on": should_continue} if should_continue and getattr(module, "IN_SLICES", False) else {}
    view = module.view(fields, _build_system_roller() if ask else None, **options)
    needs = getattr(view, "needs", "")
    if needs and os.path.isdir(DATA_FOLDER):
        with open(os.path.join(DATA_FOLDER, needs), encoding="utf-8") as file:
            put_text(needs, file.read())
        view = module.view(fields, _build_system_roller() if ask else None, **options)
        needs = ""
    html = isolate_names(_environment.get_template(f"{name}.html").render(view=view, uid=uid))
    return Rendered(html, view.query, view.summary, getattr(view, "is_incomplete", False), needs)


def answer(request: str) -> str:
    """Answer a request of the browser, JSON with `name`, `query`, `ask`, `uid` and `root`.

    `root` is the address of the site's root. The response is JSON with `html`, `query` and `summary`, and with
    `unfinished` if the same request continues the computation. Or it has `needs` alone: the path of a file of the site
    that the caller passes to `hand_over` before it repeats the request.

    A request with `file`, the text of a file that the user opened while `query` was on the page, is answered with
    `words` and `links`, pairs of a text and the address of a tool that reads the file. It is answered with neither if
    the calculator itself reads the file.

    A request with `link`, a query, and `title` is answered with `link`, the packed query.
    """
    fields = json.loads(request)
    if "file" in fields:
        return _answer_file(fields)
    if "link" in fields:
        return json.dumps({"link": pack_query(fields["link"], fields["title"])})
    options = {name: fields[name] for name in ("ask", "uid", "root")}
    rendered = render(fields["name"], fields["query"], should_continue=build_time_limit(), **options)
    if rendered.needs:
        return json.dumps({"needs": rendered.needs})
    more = {"unfinished": True} if rendered.is_incomplete else {}
    return json.dumps({"html": rendered.html, "query": rendered.query, "summary": rendered.summary, **more})


def _answer_file(fields: dict[str, str]) -> str:
    from scratch_core.calculators.shared.open_file import suggest_tool  # its parsers are needed only for an opened file

    suggestion = suggest_tool(fields["name"], fields["file"], fields["query"])
    if suggestion is None:
        return "{}"
    links = [(words, f"{fields['root']}tools/{address}") for words, address in suggestion.links]
    return json.dumps({"words": suggestion.text, "links": links})


def hand_over(path: str, text: str) -> None:
    """Store the text of a file that a request needs.

    The text is "" if the file could not be fetched.
    """
    put_text(path, text)


MAX_CODE_VERSION = 30
"""The largest version of a QR code: 137 modules a side, which a phone's camera can still read from a screen."""

_QUIET_MODULES = 4  # the white border that the standard requires


_LOCAL_ONLY_PATTERN = r"file:|https?://(localhost|127\.|\[::1\])"
_LOCAL_ONLY_TEXT = (
    "This copy of the site can be reached from this device alone, so no code is drawn: open the site at an address that"
    " the phones reach too."
)


def draw_code(path: str, root: str) -> Markup:
    """Draw the QR code of an address of this site, with its caption.

    `path` is the address below `root`, the root of the site.

    Returns only a caption if the code would have too many modules for a phone, or if only this device can reach the
    address.
    """
    import segno

    address = root + path
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
    """Render a QR code as SVG, black on white in every colour scheme.

    Each run of black modules in a row is one part of the path.
    """
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
