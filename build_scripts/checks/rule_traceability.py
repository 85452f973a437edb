"""Rule check: `python -m build_scripts.checks.rule_traceability [--site site/]`.

Every rule has an id, an anchor in the text, code or a reason why it has none, and a test. This module finds rules that
lack one of these. A rule has code if a string or comment in a function, class or constant of one of
`IMPLEMENTING_PACKAGES` cites its id. It has a test if a file in `tests/` cites it, except the lists of ids and the
tests of the catalogue.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote

from build_scripts.paths import DOCS, ENGINE, ROOT, SITE
from scratch_core.rulebook import RULES, Rule, load_rulings

TESTS = ROOT / "tests"
ID_LIST = TESTS / "rules" / "rule_ids.txt"
TEST_FOLDERS = ("engine", "calculators", "rules", "oracle")
RULE_DATA = tuple(
    ENGINE / "rulebook" / f"{name}.py"
    for name in ("__init__", "basic_rules", "variant_rules", "records", "lookup", "rule_options")
)
IGNORED_TEST_FILES = ("rule_ids.txt", "test_rules.py", "test_rule_check.py", "tables.txt")
TEXT_SUFFIXES = (".toml", ".json", ".txt")

_PREFIXES = sorted({rule.id.partition(".")[0] for rule in RULES}, key=len, reverse=True)
_ID = re.compile(rf"(?<![\w./-])(?:{'|'.join(_PREFIXES)})(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+(?![\w-])")
_CITING = re.compile(rf"^ *(?:def|class) \w+|^\w+(?= *[:=])|{_ID.pattern}", re.M)
_QUOTED_ID = re.compile(rf"`((?:{'|'.join(_PREFIXES)})(?:\.[a-z0-9-]+)+)`")
_ANCHORED = re.compile(r'\shref="([^"#?:]*)(?:\?[^"#]*)?#([^"?]+)"')
_KNOWN = frozenset(rule.id for rule in RULES)


IMPLEMENTING_PACKAGES = {
    "encounter": ("encounter", "rulebook.abilities"),
    "characters": ("characters", "rulebook.abilities"),
}
"""The rooms that carry out a rule, where they are more than the one that the catalogue names."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that cites a rule: the file's path from the project's root, the line, and the function or class there."""

    rule_id: str
    path: str
    line: int
    scope: str

    @property
    def location(self) -> str:
        """The place in words: `dice.rolling.roll` for code, `engine/dice/test_dice.py: test_a_roll` for a test."""
        if not self.path.startswith("scratch_core/"):
            return f"{self.path.removeprefix('tests/')}: {self.scope}".removesuffix(": ")
        module = self.path.removeprefix("scratch_core/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return f"{module}.{self.scope}".removesuffix(".")


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """Where one rule stands: the places in the code and in the tests that cite it."""

    rule: Rule
    code: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def implementations(self) -> tuple[str, ...]:
        """The functions, classes and constants that carry the rule out, in the rooms where the catalogue says so.

        A module's docstring carries out nothing, and neither does a page or a player of scenarios that tells the rule.
        """
        rooms = tuple(f"{room}." for room in IMPLEMENTING_PACKAGES.get(self.rule.module, (self.rule.module,)))
        return tuple(place for place in self.code if place.startswith(rooms) and not _is_module(place))

    @property
    def needs_test(self) -> bool:
        """Whether a test has to prove it: a rule with code, or an example in numbers."""
        return not self.rule.no_code or self.rule.no_code.startswith("an example")

    @property
    def missing_parts(self) -> tuple[str, ...]:
        """What is missing: "code", "a test", or nothing."""
        code = () if self.implementations or self.rule.no_code else ("code",)
        return (*code, *(("a test",) if self.needs_test and not self.tests else ()))


def _is_module(place: str) -> bool:
    """Whether a place in the code is a whole module: its docstring."""
    path = ENGINE.joinpath(*place.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


# Where rules are cited


def list_mentions(path: Path) -> Iterator[Mention]:
    """Find the rule ids that one file cites, each with its place; in Python only strings and comments are read."""
    text = path.read_text(encoding="utf-8")
    is_python = path.suffix == ".py"
    scopes = list(_list_scopes(text)) if is_python else []
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    for number, words in _list_strings_and_comments(text) if is_python else enumerate(text.splitlines(), 1):
        for match in _ID.finditer(words):
            if match[0] in _KNOWN:
                line = number + words.count("\n", 0, match.start())
                yield Mention(match[0], place, line, _find_scope(scopes, line))


def list_unknown_ids(path: Path) -> Iterator[tuple[int, str]]:
    """Find what stands in backquotes, looks like a rule's id and is none: a line, and the words."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for match in _QUOTED_ID.finditer(line):
            if match[1] not in _KNOWN:
                yield number, match[1]


def _list_strings_and_comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT) or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
            yield token.start[0], token.string


def _list_scopes(text: str) -> Iterator[tuple[int, int, str]]:
    """Every function, class and named constant: its first line, last line and dotted name; outer ones come first."""

    def walk(node: ast.AST, prefix: str) -> Iterator[tuple[int, int, str]]:
        for child in ast.iter_child_nodes(node):
            name = _scope_name(child)
            if name and isinstance(child, ast.stmt):
                first = min([child.lineno, *(each.lineno for each in getattr(child, "decorator_list", []))])
                yield first, child.end_lineno or child.lineno, prefix + name
                if not isinstance(child, ast.Assign | ast.AnnAssign):
                    yield from walk(child, f"{prefix}{name}.")

    yield from walk(ast.parse(text), "")


def _scope_name(node: ast.AST) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) else ""


def _find_scope(scopes: Iterable[tuple[int, int, str]], line: int) -> str:
    inner = [name for first, last, name in scopes if first <= line <= last]
    return inner[-1] if inner else ""


def list_code_files() -> list[Path]:
    """The engine's files, without the data that lists all rules."""
    return [path for path in sorted(ENGINE.rglob("*.py")) if path not in RULE_DATA]


def list_test_files() -> list[Path]:
    """The files that may prove a rule: tests and tables of cases, without the lists of ids."""
    files = (path for room in TEST_FOLDERS for path in sorted((TESTS / room).rglob("*")))
    return [path for path in files if _is_test(path) and path.name not in IGNORED_TEST_FILES]


def _is_test(path: Path) -> bool:
    return path.suffix in TEXT_SUFFIXES or (path.suffix == ".py" and path.name.startswith("test_"))


@cache
def list_rule_coverage() -> tuple[RuleCoverage, ...]:
    """Scan the project once: every rule with the places that carry it out and that prove it."""
    code, tests = _map_places(list_code_files()), _map_places(list_test_files())
    return tuple(RuleCoverage(rule, code.get(rule.id, ()), tests.get(rule.id, ())) for rule in RULES)


def compute_citations_hash() -> str:
    """What pages tell of the tests, as a hash: which of them name which rules. It is found without reading code."""
    found = ((path.name, _CITING.findall(path.read_text(encoding="utf-8"))) for path in list_test_files())
    return sha256(repr(list(found)).encode()).hexdigest()[:12]


def _map_places(files: Iterable[Path]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for path in files:
        for mention in list_mentions(path):
            found.setdefault(mention.rule_id, {})[mention.location] = None
    return {rule_id: tuple(places) for rule_id, places in found.items()}


# What is wrong


def check_ids(ids: Iterable[str], expected: Iterable[str]) -> list[str]:
    """Hold the catalogue's ids against the list: what is missing, what no one listed, what stands twice."""
    ids, expected = list(ids), list(expected)
    return [
        *(f"the catalogue lacks {each}" for each in expected if each not in ids),
        *(f"tests/rules/rule_ids.txt lacks {each}" for each in ids if each not in expected),
        *(f"the catalogue has {each} {count} times" for each, count in Counter(ids).items() if count > 1),
    ]


def count_ids(html: str) -> Counter[str]:
    """Count the ids in a built page."""
    return Counter(re.findall(r'\sid="([^"]+)"', html))


def check_anchors(site: Path) -> list[str]:
    """Find the rules and rulings that have no anchor on their page, or two."""
    urls = [*(each.url for each in RULES), *(each.url for each in load_rulings().values())]
    wanted: dict[str, list[str]] = {}
    for url in urls:
        page, _, anchor = url.partition("#")
        wanted.setdefault(page, []).append(anchor)
    return [fault for page, ids in wanted.items() for fault in _check_page(site, page, ids)]


def _check_page(site: Path, page: str, ids: list[str]) -> list[str]:
    path = site / page / "index.html"
    if not path.is_file():
        place = locate_source(f"{page}index.html", "")
        return [f"{place}: expected a page {page} with {len(ids)} anchors, got none in {site}"]
    found = count_ids(path.read_text(encoding="utf-8"))
    strange = [each for each in found if each not in ids]
    faults = []
    for each in (each for each in ids if found[each] != 1):
        meant = "" if found[each] else format_suggestion(each, strange, "{}")
        place = locate_source(f"{page}index.html", f"#{meant or each}")
        is_older = not (found[each] or meant) and ":" in place
        hint = (
            "; the text has it, and the site is older: `make build`" if is_older else format_suggestion(each, [meant])
        )
        faults.append(f"{place}: expected one anchor, got {found[each]} for {page}#{each}{hint}")
    return faults


def find_dead_links(site: Path) -> list[str]:
    """Find the links within a built site that lead to an anchor which no page has there."""
    pages = {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))
    }
    ids = {page: count_ids(html) for page, html in pages.items()}
    faults = []
    for page, html in pages.items():
        for path, anchor in dict.fromkeys(_ANCHORED.findall(html)):
            target = normpath(f"{page.rpartition('/')[0]}/{path}").strip("/.") if path else page
            known = ids.get(target, ids.get(f"{target}/index.html".lstrip("/"), ()))
            if path[:1] != "/" and unquote(anchor) not in known:
                got = f"#{anchor}{format_suggestion(anchor, known)}"
                place = locate_source(page, f"#{anchor}")
                faults.append(f"{place}: expected an anchor of {target or 'the first page'}, got {got}")
    return faults


def format_suggestion(wrong: str, names: Iterable[str], said: str = "; did you mean {}?") -> str:
    """The name that was probably meant, said behind what is wrong; nothing where none is near."""
    found = get_close_matches(wrong, sorted(names), n=1)
    return said.format(found[0]) if found else ""


def locate_source(page: str, words: str) -> str:
    """The source of a built page, `docs/rules/rolls.md`, with the first line that has the words, where one has."""
    name = page.removesuffix("index.html").rstrip("/")
    path = DOCS / f"{name}.md" if (DOCS / f"{name}.md").is_file() else DOCS / name / "index.md"
    lines = path.read_text(encoding="utf-8").splitlines() if words and path.is_file() else []
    line = next((f":{number}" for number, line in enumerate(lines, 1) if words in line), "")
    return f"{path.relative_to(ROOT).as_posix()}{line}"


def check_coverage() -> list[str]:
    """Find the rules that lack code or a test."""
    return [
        f"{each.rule.id} ({each.rule.module}) lacks {' and '.join(each.missing_parts)}"
        for each in list_rule_coverage()
        if each.missing_parts
    ]


# The report


def build_report(site: Path | None) -> tuple[list[str], list[str]]:
    """Check everything: the lines to print, and the faults among them."""
    ids = [rule.id for rule in RULES]
    faults = check_ids(ids, ID_LIST.read_text(encoding="utf-8").split())
    lines = [f"{len(ids)} ids, {'none missing, none twice' if not faults else 'not as listed'}"]
    if site is None:
        lines.append("no built site: anchors not looked at")
    else:
        missing = [*check_anchors(site), *find_dead_links(site)]
        told = "each has its anchor" if not missing else "anchors are missing"
        lines.append(f"{len(ids)} ids and {len(load_rulings())} rulings told in the text: {told}")
        faults += missing
    every, orphans = list_rule_coverage(), check_coverage()
    lines.append(
        f"{len(every)} ids: {sum(bool(each.code) for each in every)} with code, "
        f"{sum(bool(each.rule.no_code) and not each.code for each in every)} with a reason for having none, "
        f"{sum(bool(each.tests) for each in every)} with a test; "
        f"{len(orphans) or 'none'} wait{'' if len(orphans) > 1 else 's'} for either"
    )
    faults += orphans
    for path in (*list_code_files(), *list_test_files()):
        for line, words in list_unknown_ids(path):
            lines.append(f"note: {path.relative_to(ROOT).as_posix()}:{line}: {words} looks like a rule id and is none")
    return lines, faults


def main(arguments: list[str] | None = None) -> int:
    """Print the report; 0 when every rule is where it belongs, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m build_scripts.checks.rule_traceability", description="Find orphaned rules."
    )
    parser.add_argument("--site", type=Path, help="the built site (default: site/, when it is there)")
    site = parser.parse_args(arguments).site or (SITE if SITE.is_dir() else None)
    lines, faults = build_report(site)
    print("\n".join(lines))
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
