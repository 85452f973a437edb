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
from scratch_core.calculators.shared.resources import store_fetched_text
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
    a page calls them hundreds of times, and a macro takes many times as long. `rule_address`, `tool_address` and
    `link_code` are functions because they need the site's address. Rendered HTML contains the user's input, so nothing
    is replaced in it afterwards, except that `isolate_right_to_left_names` puts elements around letters of its texts.

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
        "join_reasons": list_control_problems_grouped_by_sentence,
        "rule_link": render_rule_link,
        "rule_address": format_rule_address,
        "tool_address": format_tool_address,
        "link_code": render_qr_code_figure,
        "signed": format_signed,
    }
    environment.filters |= {"inside": escape_text, "isolated": isolate_right_to_left}
    return environment


_OWN_TEXT = re.compile(r"(<(textarea|script|style)\b.*?</\2>|<[^>]*>)", re.DOTALL)
_PLAIN_TEXT = re.compile(r"<(/?)(?:option|title|svg)\b")


def isolate_right_to_left_names(html: str) -> str:
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


def list_control_problems_grouped_by_sentence(problems: Iterable[Problem], control_name: str) -> list[list[Problem]]:
    """Group the problems of one control by sentence.

    Several rules may be broken in the same way.
    """
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        if problem.where == control_name:
            groups.setdefault((format_problem_sentence(problem), format_problem_details(problem)), []).append(problem)
    return list(groups.values())


def format_rule_address(rule: str) -> str:
    """Return the address of a rule's or ruling's explanation.

    During the build the site's root is unknown, so it returns `rule:` and the id, which `make_rule_links_relative` of
    `markdown_extensions/rule_links.py` completes for each page.
    """
    return f"rule:{rule}" if _site_root is None else f"{escape(_site_root)}{url_of(rule)}"


def format_tool_address(tool: str) -> str:
    """Return the address of a tool's page, such as `fight`.

    The build completes it like that of a rule.
    """
    return f"tool:{tool}/" if _site_root is None else f"{escape(_site_root)}tools/{tool}/"


def render_qr_code_figure(address_below_root: str, caption: str) -> Markup:
    """Render the figure with the QR code of an address below the site's root.

    The figure is empty during the build, because the root is unknown then.
    """
    code = Markup("") if _site_root is None else render_qr_code_with_caption(address_below_root, _site_root, caption)
    return Markup('<figure class="fight-code" data-code="{}">{}</figure>').format(address_below_root, code)


def escape_text(text: str) -> Markup:
    """Escape text for the content of an element, like `html.escape(text, quote=False)`."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


_TAG_OR_CODE = re.compile(
    r"""(<(textarea|script|style|pre|code|kbd|samp)\b.*?</\2>|<!--.*?-->|</?[a-zA-Z!](?:"[^"]*"|'[^']*'|[^'">])*>)""",
    re.DOTALL,
)
_WITHIN_LINE = re.compile(r"</?(?:a|abbr|b|bdi|cite|code|em|i|kbd|mark|output|q|samp|small|span|strong)\b")
_DOUBLE, _SINGLE = '(?:"|&#34;|&quot;)', "(?:'|&#39;|&#x27;)"
_BEFORE_WORD = r"(?<![^\s(\[{—–/“‘-])"
_QUOTES = (
    (re.compile(f"{_BEFORE_WORD}{_DOUBLE}(?!\\s)"), "“"),
    (re.compile(rf"(?<=\S){_DOUBLE}"), "”"),
    (re.compile(rf"(?<=[\w.,!?)…]){_SINGLE}"), "’"),
    (re.compile(rf"{_BEFORE_WORD}{_SINGLE}(?=\w)"), "‘"),
)


def set_typographic_quotes(html: str) -> str:
    """Set quotation marks and apostrophes in the texts of HTML as a book does: “it’s”.

    Attributes, code and the user's input are not changed.
    """
    if "'" not in html and '"' not in html and "&#3" not in html:
        return html
    parts = _TAG_OR_CODE.split(html)
    pieces: list[str] = []
    last = " "
    for text, tag in zip(parts[::3], [*parts[1::3], ""], strict=True):
        if text:
            changed = last + text
            for pattern, mark in _QUOTES:
                changed = pattern.sub(mark, changed)
            last = changed[-1]
            pieces.append(changed[1:])
        pieces.append(tag)
        if not _WITHIN_LINE.match(tag):
            last = " "
        elif tag.startswith(("<code", "<kbd", "<samp")):
            last = "x"
    return "".join(pieces)


_environment: jinja2.Environment | None = None
_site_root: str | None = None  # of the current request; None during the build


def set_template_loader(loader: jinja2.BaseLoader) -> None:
    """Set the loader of the templates.

    The browser passes the loader of the compiled templates in its bundle.
    """
    global _environment  # noqa: PLW0603 (set once, when the process starts)
    _environment = build_environment(loader)


def import_modules_and_templates(module_names: list[str], template_names: list[str]) -> None:
    """Import every module and template, before a snapshot of the memory is saved."""
    assert _environment is not None
    for name in module_names:
        importlib.import_module(name)
    for name in template_names:
        _environment.get_template(name)


def list_loaded_templates() -> list[str]:
    """List the names of the templates that are loaded, in no particular order."""
    assert _environment is not None
    assert _environment.cache is not None
    return [name for _, name in _environment.cache]


SLICE_SECONDS = 0.07
"""The seconds that a request in the browser computes, counted from its first question for time. Then it responds with
what is known so far."""


def build_time_slice_check() -> Callable[[], bool]:
    """Return a function that returns whether the current time slice has time left.

    The slice begins with the first call, so that a page whose other parts are slow has a full slice, too.
    """
    end = 0.0

    def has_time_left() -> bool:
        nonlocal end
        end = end or time.monotonic() + SLICE_SECONDS
        return time.monotonic() < end

    return has_time_left


def render_calculator_response(  # noqa: PLR0913 -- all but the first two are keywords
    calculator: str,
    query: str,
    *,
    rolls_dice: bool = False,
    id_prefix: str = "c1",
    should_continue: Callable[[], bool] | None = None,
    site_root: str | None = None,
) -> Rendered:
    """Render a calculator's response to a query as HTML.

    `calculator` is its name. Dice are rolled only if `rolls_dice` is set. `id_prefix` makes the ids in the HTML unique
    on a page. A calculator that works in time slices calls `should_continue` before each piece of work. It stops early
    if the function returns False. If `should_continue` is None, the calculator completes its work. `site_root` is the
    address of the site's root, for links. If it is None, as during the build, the build completes the links later.
    Raises ModuleNotFoundError if the calculator does not exist."""
    global _site_root  # noqa: PLW0603 (functions of templates read it)
    _site_root = site_root
    if _environment is None:
        set_template_loader(jinja2.FileSystemLoader(TEMPLATES))
    assert _environment is not None
    module: Any = importlib.import_module(f"scratch_core.calculators.{calculator}")
    fields = unpack_query(parse_query(query, getattr(module, "MAX_QUERY_LENGTH", DEFAULT_MAX_QUERY_LENGTH)))
    options = {"should_continue": should_continue} if should_continue and getattr(module, "IN_SLICES", False) else {}
    view = module.view(fields, _build_system_roller() if rolls_dice else None, **options)
    needs = getattr(view, "needs", "")
    if needs and os.path.isdir(DATA_FOLDER):
        with open(os.path.join(DATA_FOLDER, needs), encoding="utf-8") as file:
            store_fetched_text(needs, file.read())
        view = module.view(fields, _build_system_roller() if rolls_dice else None, **options)
        needs = ""
    html = isolate_right_to_left_names(_environment.get_template(f"{calculator}.html").render(view=view, uid=id_prefix))
    return Rendered(html, view.query, view.summary, getattr(view, "is_incomplete", False), needs)


def answer_json_request(request: str) -> str:
    """Answer a request of the browser, JSON with `name`, `query`, `ask`, `uid` and `root`.

    `ask` is whether the user has pressed a button, so that dice may be rolled. `uid` makes the ids in the HTML unique.
    `root` is the address of the site's root. The response is JSON with `html`, `query` and `summary`, and with
    `unfinished` if the same request continues the computation. Or it has `needs` alone: the path of a file of the site
    that the caller passes to `store_file_text` before it repeats the request. `worker.mjs` recognizes this response by
    its beginning, `{"needs"`, so that it need not parse the long ones.

    A request with `file`, the text of a file that the user opened while `query` was on the page, is answered with
    `words` and `links`, pairs of a text and the address of a tool that reads the file. It is answered with neither if
    the calculator itself reads the file.

    A request with `link`, a query, and `title` is answered with `link`, the packed query.
    """
    fields = json.loads(request)
    if "file" in fields:
        return _answer_with_tools_for_opened_file(fields)
    if "link" in fields:
        return json.dumps({"link": pack_query(fields["link"], fields["title"])})
    rendered = render_calculator_response(
        fields["name"],
        fields["query"],
        rolls_dice=fields["ask"],
        id_prefix=fields["uid"],
        should_continue=build_time_slice_check(),
        site_root=fields["root"],
    )
    if rendered.needs:
        return json.dumps({"needs": rendered.needs})
    more = {"unfinished": True} if rendered.is_incomplete else {}
    html = set_typographic_quotes(rendered.html)
    return json.dumps({"html": html, "query": rendered.query, "summary": rendered.summary, **more})


def _answer_with_tools_for_opened_file(fields: dict[str, str]) -> str:
    from scratch_core.calculators.shared.open_file import (
        suggest_other_tools,  # its parsers are needed only for an opened file
    )

    suggestion = suggest_other_tools(fields["name"], fields["file"], fields["query"])
    if suggestion is None:
        return "{}"
    links = [(words, f"{fields['root']}tools/{address}") for words, address in suggestion.links]
    return json.dumps({"words": suggestion.text, "links": links})


def store_file_text(site_path: str, text: str) -> None:
    """Store the text of a file that a request needs.

    The text is "" if the file could not be fetched.
    """
    store_fetched_text(site_path, text)


MAX_CODE_VERSION = 30
"""The largest version of a QR code: 137 modules a side, which a phone's camera can still read from a screen."""

_QUIET_MODULES = 4  # the white border that the standard requires


_LOCAL_ONLY_PATTERN = r"file:|https?://(localhost|127\.|0\.0\.0\.0|\[::1?\])"
_LOCAL_ONLY_TEXT = (
    "No QR code: only this device can reach this copy of the site. Open the site at an address that phones reach, too."
)


def render_qr_code_with_caption(address_below_root: str, site_root: str, subject: str) -> Markup:
    """Draw the QR code of an address of this site, with its caption.

    `address_below_root` is the address below `site_root`, the root of the site; `subject` says what the code is.

    Returns only a caption if the code would have too many modules for a phone, or if only this device can reach the
    address.
    """
    import segno

    if re.match(_LOCAL_ONLY_PATTERN, site_root):
        return Markup("<figcaption>{}</figcaption>").format(_LOCAL_ONLY_TEXT)
    address = site_root + address_below_root
    try:
        code = segno.make(address, error="L", micro=False, boost_error=False)
    except segno.DataOverflowError:
        return _render_too_long_caption(address)
    rows = [[bool(module) for module in row] for row in code.matrix]
    if len(rows) > 17 + 4 * MAX_CODE_VERSION:
        return _render_too_long_caption(address)
    caption = Markup("<figcaption><strong>{}</strong> Scan it with another device's camera.</figcaption>").format(
        subject
    )
    return _render_qr_modules_as_svg(rows) + caption


def _render_too_long_caption(address: str) -> Markup:
    words = f"The link has {len(address):,} characters: a code of so many is too fine for a phone's camera."
    return Markup(f"<figcaption>{words} Send the link, or save the fight as a file and open that there.</figcaption>")


def _render_qr_modules_as_svg(rows: list[list[bool]]) -> Markup:
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
        f'<svg class="code" viewBox="0 0 {size} {size}" role="img" aria-label="QR code"'
        f' shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path d="{runs}"/></svg>'
    )


def _build_system_roller() -> Any:
    from scratch_core.dice import SystemRoller

    return SystemRoller()
