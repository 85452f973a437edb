"""The mark of a ruling, `[[A03]]` after a sentence, or `[[A18 K13]]` for two; and a table's own value, `[[at K01]]`.

In the text it is a small sign that opens the ruling: the question that the sources leave open, the default, the other
options, the setting. It is `<details>`, so it opens without scripts and with the keyboard. On paper it is a number, and
the note is below the text. Markdown writes an empty `<details>`. `render_ruling_notes` writes the notes when the page
is finished, after the builder has made its search index. So search hits are rules or a ruling's own section, and never
notes.

`[[at K01]]`, `[[at cp]]` and `[[at max_level]]` are empty by the rulebook. If a table's house rules change the number
before it, a script writes the table's option there (`house-rules.mjs`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from xml.etree.ElementTree import Element

from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor

from scratch_core.calculators.house.view_model import LIMIT_LABELS
from scratch_core.calculators.shared.query import format_query
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, Ruling, format_setting_for_display, get_ruling

TABLE_VALUE_SYNTAX = r"\[\[\s*at\s+([A-Za-z]\w*)\s*\]\]"
MARK_SYNTAX = r"\[\[\s*([A-Z]\d\d(?:\s+[A-Z]\d\d)*)\s*\]\]"
MARK_CLASS = "ruling-mark"
MARK_SIGN = "†"

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_EMPTY_MARK_PATTERN = re.compile(rf'<details class="{MARK_CLASS}" data-rulings="(?P<ids>[^"]+)"></details>')
_OPTIONS_BY_RULING = {setting.ruling: setting for setting in RULE_OPTIONS}


# In Markdown


class MarkPattern(InlineProcessor):
    """The pattern `[[A03]]` or `[[A18 K13]]`; an unknown id stops the build."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:
        """Create the empty mark.

        Raises ScratchError for an unknown id.
        """
        ids = [get_ruling(each).id for each in m[1].split()]
        return Element("details", {"class": MARK_CLASS, "data-rulings": " ".join(ids)}), m.start(0), m.end(0)


class TableValuePattern(InlineProcessor):
    """The pattern `[[at K01]]` or `[[at cp]]`, for a table's own value; a name without a house rule stops the build."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:
        """Create the empty element.

        Raises ValueError for a name that no house rule has.
        """
        entry = TABLE_VALUES.get(m[1])
        if entry is None:
            raise ValueError(f"expected one of {', '.join(TABLE_VALUES)} after 'at', got {m[1]!r}")
        name, values = entry
        return Element("span", {"data-house-rule": name, "data-words": values}), m.start(0), m.end(0)


class MarkPlacement(Treeprocessor):
    """A processor that joins each mark to the word before it, and changes the element of its paragraph.

    `<details>` would end a `<p>`, so a paragraph with a mark becomes a `<div>` with the role of a paragraph. Raises
    ValueError for a mark in a heading, because it would be in the table of contents, too.
    """

    def run(self, root: Element) -> None:
        """Process all elements once."""
        for element in root.iter():
            if element.tag in _HEADINGS and any(map(is_mark, element.iter())):
                words = "".join(element.itertext()).strip()
                raise ValueError(f"expected ruling marks below the heading, got one in {words!r}")
            if element.tag == "p" and any(map(is_mark, element.iter())):
                element.tag = "div"
                element.set("class", f"paragraph {element.get('class', '')}".strip())
                element.set("role", "paragraph")
            _strip_space_before_marks(element)


def is_mark(element: Element) -> bool:
    """Return whether an element is a mark."""
    return element.tag == "details" and element.get("class") == MARK_CLASS


def _strip_space_before_marks(parent: Element) -> None:
    before: Element | None = None
    for child in parent:
        if is_mark(child) and before is None:
            parent.text = (parent.text or "").rstrip()
        elif is_mark(child) and before is not None:
            before.tail = (before.tail or "").rstrip()
        before = child


# In the finished page


def render_ruling_notes(html: str) -> str:
    """Write the notes of a built page's marks, and a list of them for paper.

    The notes link to rulings as `href="rule:A03"`, which `make_rule_links_relative` replaces. A second run changes
    nothing.
    """
    numbers: dict[str, int] = {}

    def render_match(match: re.Match[str]) -> str:
        rulings = [get_ruling(each) for each in match["ids"].split()]
        for each in rulings:
            numbers.setdefault(each.id, len(numbers) + 1)
        return _render_mark_with_notes(rulings, [numbers[each.id] for each in rulings])

    html = _EMPTY_MARK_PATTERN.sub(render_match, html)
    if not numbers:
        return html
    text, article, rest = html.rpartition("</article>")
    return f"{text}{_render_footnotes(get_ruling(each) for each in numbers)}\n{article}{rest}"


def _render_mark_with_notes(rulings: list[Ruling], numbers: list[int]) -> str:
    titles = escape("; ".join(each.title for each in rulings))
    return (
        f'<details class="{MARK_CLASS}" data-search-exclude><summary title="Ruling: {titles}">'
        f'<span class="ruling-sign" aria-hidden="true">{MARK_SIGN}</span>'
        f'<span class="ruling-name u-aloud">Ruling: {titles}</span>'
        f'<sup class="ruling-number" aria-hidden="true">{", ".join(map(str, numbers))}</sup></summary>'
        f'<div class="ruling-notes notice">{"".join(map(_render_note, rulings))}</div></details>'
    )


def _render_note(ruling: Ruling) -> str:
    others = "".join(f"<li><span>Or:</span> {escape(other)}</li>" for other in ruling.readings[1:])
    option = _OPTIONS_BY_RULING.get(ruling.id)
    return (
        f'<div class="ruling-note"><p class="ruling-title">{escape(ruling.title)}</p><p>{escape(ruling.question)}</p>'
        '<ul class="readings"><li class="default"><strong class="ours">Default:</strong>'
        f" {escape(ruling.default_option)}</li>"
        f'{others}</ul><p>{escape(ruling.why)}</p><p class="ruling-switch"{render_option_attributes(option)}>'
        f"{_render_options(option)}"
        f'<a class="rule-link" href="rule:{ruling.id}">Ruling {ruling.id}</a></p></div>'
    )


def render_option_attributes(setting: RuleOption | None) -> str:
    """Render the words of a setting's other options as attributes, which `house-rules.mjs` reads.

    Returns "" without a setting.
    """
    if setting is None:
        return ""
    return f' data-house-rule="{setting.name}" data-words="{escape(_encode_words_by_choice(setting))}"'


def _encode_words_by_choice(setting: RuleOption) -> str:
    """Format the words of a setting's options, except the default, as a query."""
    pairs = zip(setting.choices, setting.words, strict=True)
    return format_query(
        {format_setting_for_display(choice): words for choice, words in pairs if choice != setting.default}
    )


TABLE_VALUES = {
    **{each.ruling: (each.name, _encode_words_by_choice(each)) for each in RULE_OPTIONS},
    **{name: (name, label) for name, label in LIMIT_LABELS.items()},
}
"""The names that may follow "at", ids of rulings and names of limits: the house rule's name, and the words of its
values."""


def format_options_in_words(setting: RuleOption) -> str:
    """Format the options of a setting for players, with the default marked."""
    pairs = zip(setting.choices, setting.words, strict=True)
    return " or ".join(f"{words}{' (default)' * (choice == setting.default)}" for choice, words in pairs)


def format_option_values(setting: RuleOption, separator: str) -> str:
    """Format the values of a setting and the answer of each, with the default marked."""
    pairs = zip(setting.choices, setting.answers, strict=True)
    return separator.join(
        f"{format_setting_for_display(choice)}: {answer}{' (default)' * (choice == setting.default)}"
        for choice, answer in pairs
    )


def _render_options(setting: RuleOption | None) -> str:
    if setting is None:
        return ""
    return f"Your table may choose: {escape(format_options_in_words(setting))}. "


def _render_footnotes(rulings: Iterable[Ruling]) -> str:
    items = "".join(f"<li>{_render_footnote(each)}</li>" for each in rulings)
    return f'<section class="ruling-footnotes" data-search-exclude aria-label="Rulings"><ol>{items}</ol></section>'


def _render_footnote(ruling: Ruling) -> str:
    others = " ".join(f"<em>Or:</em> {escape(other)}" for other in ruling.readings[1:])
    return (
        f"<strong>{escape(ruling.title)}</strong> ({ruling.id}). {escape(ruling.question)} "
        f"<em>Default:</em> {escape(ruling.default_option)} {others} {escape(ruling.why)} "
        f"{_render_options(_OPTIONS_BY_RULING.get(ruling.id))}"
    )
