"""A Python-Markdown extension: links to rules by id, an anchor on each rule, marks of rulings, glossary tooltips.

In mkdocs.yml: `- build_scripts.markdown_extensions.rule_links`. It does not depend on the site's builder. A link to a
rule is `href="rule:act.cover"` in the builder's output. When the page is finished, `make_rule_links_relative` makes it
relative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from build_scripts.markdown_extensions.engine_numbers import fill_in_engine_numbers
from build_scripts.markdown_extensions.ruling_notes import (
    MARK_SYNTAX,
    TABLE_VALUE_SYNTAX,
    MarkPattern,
    MarkPlacement,
    TableValuePattern,
)
from build_scripts.paths import DOCS
from scratch_core.rulebook import RULES, Term, load_glossary, load_rulings, title_of, url_of
from scratch_core.rulebook.abilities import get_ability

SCHEME = "rule:"
RULE_IDS = frozenset(rule.id for rule in RULES)
RULING_IDS = frozenset(load_rulings())

_LINK = r"\[\[\s*([A-Za-z][\w.-]*)(?:\s*\\?\|\s*([^\]]+?))?\s*\]\]"
_LINK_WITH_WORDS = re.compile(r"(\[\[\s*[A-Za-z][\w.-]*\s*)\|(?=[^\]|]+\]\])")
_MEANING = r"\[\[is ([^\]]+)\]\]"
_RULE_HREF = re.compile(rf'(?P<before><a\b[^<>]*?\shref="){SCHEME}(?P<id>[\w.-]+)"')
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NO_TOOLTIPS = frozenset((*_HEADINGS, "a", "abbr", "button", "code", "kbd", "pre", "script", "style", "summary"))
_BLOCKS = frozenset(("p", "ul", "ol", "dl", "div", "table", "pre", "blockquote"))


class RuleMarkupExtension(Extension):
    """The extension; the options `tooltips` and `anchors` turn two of its parts off."""

    def __init__(self, **kwargs: Any) -> None:
        """Define the options `tooltips` and `anchors`, which are on by default."""
        self.config = {
            "tooltips": [True, "explain the first occurrence of each glossary term"],
            "anchors": [True, "give each rule a visible link to itself"],
        }
        super().__init__(**kwargs)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the parts after attribute lists (8) and the table of contents (5).

        The parts use the results of both. Numbers are filled in, and bars in tables escaped, after fences (25) and
        before blocks of HTML (20). Links are parsed after code (190) and before escapes (180).
        """
        md.preprocessors.register(_Numbers(md), "engine-numbers", 23)
        md.preprocessors.register(_BarsInTables(md), "rule-links-in-tables", 22)
        md.inlinePatterns.register(MarkPattern(MARK_SYNTAX, md), "ruling-marks", 186)
        md.inlinePatterns.register(TableValuePattern(TABLE_VALUE_SYNTAX, md), "table-values", 186)
        md.inlinePatterns.register(_Meanings(_MEANING, md), "ability-meanings", 186)
        md.inlinePatterns.register(_RuleLinks(_LINK, md), "rule-links", 185)
        md.treeprocessors.register(MarkPlacement(md), "ruling-mark-places", 2)
        if self.getConfig("anchors"):
            md.treeprocessors.register(_RuleAnchors(md), "rule-anchors", 4)
        if self.getConfig("tooltips"):
            md.treeprocessors.register(_Tooltips(md), "glossary-tooltips", 3)


def makeExtension(**kwargs: Any) -> RuleMarkupExtension:
    """Create the extension, as Python-Markdown expects a function of this name."""
    return RuleMarkupExtension(**kwargs)


# Links


class _BarsInTables(Preprocessor):
    """A preprocessor that escapes the bar of `[[act.cover|hide]]` in a row of a table, where it would end the cell."""

    def run(self, lines: list[str]) -> list[str]:
        """Escape the bars of links in lines that begin with a bar."""
        return [_LINK_WITH_WORDS.sub(r"\1\\|", line) if line.lstrip().startswith("|") else line for line in lines]


class _RuleLinks(InlineProcessor):
    """`[[act.cover]]`, `[[act.cover|words]]`, `[[K01|words]]`: a link to a rule or ruling; an unknown id stops the
    build.
    """

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:
        link = Element("a", {"class": "rule-link", "href": SCHEME + m[1]})
        link.text = m[2] or AtomicString(title_of(m[1]))
        return link, m.start(0), m.end(0)


class _Numbers(Preprocessor):
    """`[[= act.shooting.auto]]`: a number of the engine; an unknown one stops the build."""

    def run(self, lines: list[str]) -> list[str]:
        """Fill in the numbers before links, tables and HTML are parsed, which may contain them."""
        return fill_in_engine_numbers("\n".join(lines)).split("\n")


class _Meanings(InlineProcessor):
    """`[[is stealth]]`: the engine's description of an ability; an unknown ability stops the build."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:
        words = Element("span", {"class": "ability-meaning"})
        words.text = AtomicString(get_ability(m[1]).meaning)
        return words, m.start(0), m.end(0)


def has_page(page: str) -> bool:
    """Return whether the text has a page for a path such as `rules/actions/`."""
    path = DOCS / page
    return path.with_suffix(".md").is_file() or (path / "index.md").is_file()


def render_rule_link(some_id: str, words: str | None = None) -> str:
    """Render a link to a rule or ruling, for `make_rule_links_relative` to complete.

    `words` are HTML.
    """
    text = escape(title_of(some_id)) if words is None else words
    return f'<a class="rule-link" href="{SCHEME}{some_id}">{text}</a>'


def make_rule_links_relative(html: str, page_path: str, root_of_404_page: str = "/") -> str:
    """Return a built page with relative links to rules.

    `page_path` is the page's path in the site, with or without `index.html`. A page that is served for any address
    (`404.html`) gets links from `root_of_404_page`, the site's path on its host. Raises ScratchError for an unknown id.
    """
    root = root_of_404_page if page_path == "404.html" else "../" * page_path.count("/")
    own = page_path.removesuffix("index.html")

    def complete_link(match: re.Match[str]) -> str:
        page, _, anchor = url_of(match["id"]).partition("#")
        target = "" if page == own else f"{root}{page}"
        return f'{match["before"]}{target}#{anchor}"'

    return _RULE_HREF.sub(complete_link, html)


# Anchors


class _RuleAnchors(Treeprocessor):
    """A processor that gives every element with a rule's id the class `rule` and a link to itself.

    Links are not changed.
    """

    def run(self, root: Element) -> None:
        for element in root.iter():
            rule_id = element.get("id", "")
            if rule_id in RULE_IDS and element.tag != "a":
                element.set("class", f"{element.get('class', '')} rule".strip())
                _add_anchor(element, rule_id)


def _add_anchor(element: Element, rule_id: str) -> None:
    """Append the § to the element's own text.

    It is before a nested list, or in the first cell of a row.
    """
    host = element
    if element.tag in ("table", "thead", "tbody", "tr", "ul", "ol", "dl", "div", "blockquote", "section"):
        host = next((part for part in element.iter() if part.tag in ("td", "th", "li", "dt", "p", *_HEADINGS)), element)
    for child in [child for child in host if child.get("class") == "headerlink"]:
        host.remove(child)
    anchor = Element(
        "a",
        {
            "class": "rule-anchor",
            "href": f"#{rule_id}",
            "data-rule": rule_id,
            "aria-label": f"Link to this rule: {title_of(rule_id)}",
            "data-search-exclude": "",
        },
    )
    anchor.text = AtomicString("§")
    _append_after_text(host, anchor)


def _append_after_text(element: Element, anchor: Element) -> None:
    blocks = [index for index, child in enumerate(element) if child.tag in _BLOCKS]
    if not blocks:
        _add_no_break_space(element, len(element))
        element.append(anchor)
    elif element[blocks[0]].tag == "p" and not (element.text or "").strip():
        _append_after_text(element[blocks[0]], anchor)
    else:
        _add_no_break_space(element, blocks[0])
        anchor.tail = "\n"
        element.insert(blocks[0], anchor)


def _add_no_break_space(host: Element, child_index: int) -> None:
    """End the text before a child with a no-break space.

    So no line begins with §.
    """
    if child_index:
        before = host[child_index - 1]
        before.tail = (before.tail or "").rstrip() + "\u00a0"
    else:
        host.text = AtomicString((host.text or "").rstrip() + "\u00a0")


# Tooltips


class _Tooltips(Treeprocessor):
    """A processor that turns the first occurrence of each glossary term on a page into `<abbr title="…">`.

    A page with an element of the class `own-words` gets none, because its words have other meanings than in the
    glossary.
    """

    def run(self, root: Element) -> None:
        if any("own-words" in element.get("class", "").split() for element in root.iter()):
            return
        unseen = {term.name for term in load_glossary() if term.tooltip}
        for parent, child in list(_list_text_places(root)):
            _insert_term_tooltips(parent, child, unseen)


def _list_text_places(element: Element) -> Iterator[tuple[Element, Element | None]]:
    """Yield the texts of an element in reading order.

    A text is a pair: the element and None for its own text, or the child before the text.
    """
    yield element, None
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _NO_TOOLTIPS:
            yield from _list_text_places(child)
        yield element, child


def _insert_term_tooltips(parent: Element, child_before_text: Element | None, unexplained_terms: set[str]) -> None:
    """Explain the terms in one text that are new on the page."""
    words = (parent.text if child_before_text is None else child_before_text.tail) or ""
    first, *rest = _split_and_remove_new_terms(words, unexplained_terms)
    if not rest:
        return
    if child_before_text is None:
        parent.text = AtomicString(first)
    else:
        child_before_text.tail = AtomicString(first)
    index = 0 if child_before_text is None else list(parent).index(child_before_text) + 1
    for offset, (word, after) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        abbr = Element("abbr", {"title": _FORMS[_normalize_word(word)].meaning})
        abbr.text, abbr.tail = AtomicString(word), AtomicString(after)
        parent.insert(index + offset, abbr)


def _split_and_remove_new_terms(words: str, unexplained_terms: set[str]) -> Iterator[str]:
    """Split a text at the terms that are new on the page.

    Yields words, term, words, term, …, words.
    """
    start = 0
    for match in _TERMS.finditer(words):
        name = _FORMS[_normalize_word(match[0])].name
        if name in unexplained_terms and _is_game_term(name, words, match):
            unexplained_terms.remove(name)
            yield words[start : match.start()]
            yield match[0]
            start = match.end()
    yield words[start:]


_ARTICLES = r"(?:a|an|the|this|that|each|every|any|no|your|their|its|another|[\w]+['’]s|successful|failed)"
_MEANT_AFTER = {"hold": re.compile(rf"\b{_ARTICLES}\s$", re.IGNORECASE)}
"""Game terms that are also plain verbs: they are terms only after such a word ("a hold", but not "a file holds")."""
_PLAIN_AFTER = {
    "command": re.compile(r"\b(?:the|a|one|this|these|same|which|each)\s$", re.IGNORECASE),
    "fighting": re.compile(r"\b(?:the|is|are|was|were|be|still|keep|on|stop|while|who|goes?|went)\s$", re.IGNORECASE),
    "surprise": re.compile(r"\b(?:to|you|they|can|may|and|or|who)\s$", re.IGNORECASE),
}
"""Game terms that are plain words after such a word ("the command", "is fighting")."""
_PLAIN_BEFORE = {"hold": re.compile(r"\s(?:of|on|up|over)\b"), "command": re.compile(r"\s(?:line|word)\b|\s*$")}


def _is_game_term(name: str, words: str, match: re.Match[str]) -> bool:
    """Return whether a word is a game term, by the words around it."""
    before, after = words[: match.start()], words[match.end() :]
    if name in _MEANT_AFTER and not _MEANT_AFTER[name].search(before):
        return False
    is_plain_after = name in _PLAIN_AFTER and _PLAIN_AFTER[name].search(before)
    is_plain_before = name in _PLAIN_BEFORE and _PLAIN_BEFORE[name].match(after)
    return not (is_plain_after or is_plain_before)


def _normalize_word(word: str) -> str:
    return " ".join(word.lower().split())


def _list_forms(name: str) -> tuple[str, ...]:
    return name, (f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")


_FORMS: dict[str, Term] = {form: term for term in load_glossary() if term.tooltip for form in _list_forms(term.name)}
_TERMS = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in sorted(_FORMS, key=len, reverse=True))
    + r")(?![\w-])",
    re.IGNORECASE,
)
