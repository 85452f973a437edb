"""Rule check: `python -m build_scripts.checks.rule_traceability [--site site/] [rule id ...]`.

With ids it prints where these rules are: their text, the functions that implement and mention them, and their tests.
Without ids it checks all rules. Every rule has an id, an anchor in the text, code or a reason why it has none, and a
test. This module finds rules that lack one of these. A rule has code if a string or comment in a function, class or
constant of one of `IMPLEMENTING_PACKAGES` cites its id. It has a test if a file in `tests/` cites it, except the lists
of ids and the tests of the catalogue.
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
from scratch_core.rulebook import RULES, Rule, get_rule, load_rulings

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
"""The packages that implement the rules of a module of the catalogue, if they are others than that module."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that cites a rule."""

    rule_id: str
    """The id of the rule."""
    path: str
    """The file, from the project's root."""
    line: int
    """The line, from 1."""
    scope: str
    """The dotted name of the function, class or constant around the line; "" for none."""

    @property
    def qualified_scope(self) -> str:
        """The place in words: `dice.rolls.roll` for code, `engine/dice/test_dice.py: test_a_roll` for a test."""
        if not self.path.startswith("scratch_core/"):
            return f"{self.path.removeprefix('tests/')}: {self.scope}".removesuffix(": ")
        module = self.path.removeprefix("scratch_core/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return f"{module}.{self.scope}".removesuffix(".")


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """A rule with the places that cite it."""

    rule: Rule
    """The rule."""
    code: tuple[str, ...]
    """The places in the engine, as `Mention.qualified_scope`."""
    tests: tuple[str, ...]
    """The places in the tests, as `Mention.qualified_scope`."""

    @property
    def implementations(self) -> tuple[str, ...]:
        """The functions, classes and constants that implement the rule, in the catalogue's packages."""
        return tuple(location for location in self.code if is_implementation(self.rule, location))

    @property
    def needs_test(self) -> bool:
        """Whether the rule needs a test, as rules with code and numeric examples do."""
        return not self.rule.no_code or self.rule.no_code.startswith("an example")

    @property
    def missing_parts(self) -> tuple[str, ...]:
        """What is missing: "code", "a test", both or nothing."""
        code = () if self.implementations or self.rule.no_code else ("code",)
        return (*code, *(("a test",) if self.needs_test and not self.tests else ()))


def is_implementation(rule: Rule, location: str) -> bool:
    """Return whether a place in the code that cites a rule implements it.

    It does in the catalogue's packages. A module's docstring implements nothing, and neither does a calculator or
    scenario code that mentions the rule.
    """
    packages = tuple(f"{package}." for package in IMPLEMENTING_PACKAGES.get(rule.module, (rule.module,)))
    return location.startswith(packages) and not _is_module(location)


def _is_module(location: str) -> bool:
    """Return whether a place in the code is a module, which means its docstring."""
    path = ENGINE.joinpath(*location.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


# Citations


def list_rule_mentions(path: Path) -> Iterator[Mention]:
    """Yield the citations of rule ids in a file.

    In Python files only strings and comments are read.
    """
    text = path.read_text(encoding="utf-8")
    is_python = path.suffix == ".py"
    scopes = list(_list_scopes(text)) if is_python else []
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    for number, words in _list_strings_and_comments(text) if is_python else enumerate(text.splitlines(), 1):
        for match in _ID.finditer(words):
            if match[0] in _KNOWN:
                line = number + words.count("\n", 0, match.start())
                yield Mention(match[0], name, line, _find_scope(scopes, line))


def list_unknown_rule_ids(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each quoted text that looks like a rule id but is none.

    Yields its line, too.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for match in _QUOTED_ID.finditer(line):
            if match[1] not in _KNOWN:
                yield number, match[1]


def _list_strings_and_comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT) or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
            yield token.start[0], token.string


def _list_scopes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield first line, last line and dotted name of every function, class and named constant.

    Outer ones come before inner ones.
    """

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
    """List the engine's files, except the data that lists all rules."""
    return [path for path in sorted(ENGINE.rglob("*.py")) if path not in RULE_DATA]


def list_test_files() -> list[Path]:
    """List the files that may prove a rule: tests and tables of cases.

    The lists of ids prove nothing.
    """
    files = (path for folder in TEST_FOLDERS for path in sorted((TESTS / folder).rglob("*")))
    return [path for path in files if _may_prove_rule(path) and path.name not in IGNORED_TEST_FILES]


def _may_prove_rule(path: Path) -> bool:
    return path.suffix in TEXT_SUFFIXES or (path.suffix == ".py" and path.name.startswith("test_"))


@cache
def list_rule_coverage() -> tuple[RuleCoverage, ...]:
    """Return every rule with the places that implement it and that prove it.

    The project is scanned once.
    """
    code, tests = _map_rule_ids_to_scopes(list_code_files()), _map_rule_ids_to_scopes(list_test_files())
    return tuple(RuleCoverage(rule, code.get(rule.id, ()), tests.get(rule.id, ())) for rule in RULES)


def compute_citations_hash() -> str:
    """Compute a hash of which tests cite which rules, as pages show it.

    It does not parse the code of the engine.
    """
    citations = ((path.name, _CITING.findall(path.read_text(encoding="utf-8"))) for path in list_test_files())
    return sha256(repr(list(citations)).encode()).hexdigest()[:12]


def _map_rule_ids_to_scopes(files: Iterable[Path]) -> dict[str, tuple[str, ...]]:
    locations: dict[str, dict[str, None]] = {}
    for path in files:
        for mention in list_rule_mentions(path):
            locations.setdefault(mention.rule_id, {})[mention.qualified_scope] = None
    return {rule_id: tuple(locations) for rule_id, locations in locations.items()}


# Problems


def check_rule_ids(ids: Iterable[str], expected_ids: Iterable[str]) -> list[str]:
    """Compare the catalogue's ids with the list, and report missing, unlisted and duplicate ones."""
    ids, expected_ids = list(ids), list(expected_ids)
    return [
        *(f"the catalogue lacks {each}" for each in expected_ids if each not in ids),
        *(f"tests/rules/rule_ids.txt lacks {each}" for each in ids if each not in expected_ids),
        *(f"the catalogue has {each} {count} times" for each, count in Counter(ids).items() if count > 1),
    ]


def count_html_ids(html: str) -> Counter[str]:
    """Count the ids in a built page."""
    return Counter(re.findall(r'\sid="([^"]+)"', html))


def check_rule_anchors(site: Path) -> list[str]:
    """Find the rules and rulings that have no anchor on their page, or two."""
    urls = [*(each.url for each in RULES), *(each.url for each in load_rulings().values())]
    ids_by_page: dict[str, list[str]] = {}
    for url in urls:
        page, _, anchor = url.partition("#")
        ids_by_page.setdefault(page, []).append(anchor)
    return [fault for page, ids in ids_by_page.items() for fault in _list_page_anchor_failures(site, page, ids)]


def _list_page_anchor_failures(site: Path, page: str, ids: list[str]) -> list[str]:
    path = site / page / "index.html"
    if not path.is_file():
        location = format_source_location(f"{page}index.html", "")
        return [f"{location}: expected a page {page} with {len(ids)} anchors, got none in {site}"]
    counts = count_html_ids(path.read_text(encoding="utf-8"))
    unlisted = [anchor for anchor in counts if anchor not in ids]
    faults = []
    for anchor in (anchor for anchor in ids if counts[anchor] != 1):
        suggestion = "" if counts[anchor] else format_suggestion(anchor, unlisted, "{}")
        location = format_source_location(f"{page}index.html", f"#{suggestion or anchor}")
        is_older = not (counts[anchor] or suggestion) and ":" in location
        hint = (
            "; the text has it, and the site is older: `make build`"
            if is_older
            else format_suggestion(anchor, [suggestion])
        )
        faults.append(f"{location}: expected one anchor, got {counts[anchor]} for {page}#{anchor}{hint}")
    return faults


def list_links_to_missing_anchors(site: Path) -> list[str]:
    """Find links within a built site whose anchor is missing on the target page."""
    pages = {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))
    }
    ids = {page: count_html_ids(html) for page, html in pages.items()}
    faults = []
    for page, html in pages.items():
        for path, anchor in dict.fromkeys(_ANCHORED.findall(html)):
            target = normpath(f"{page.rpartition('/')[0]}/{path}").strip("/.") if path else page
            known = ids.get(target, ids.get(f"{target}/index.html".lstrip("/"), ()))
            if path[:1] != "/" and unquote(anchor) not in known:
                got = f"#{anchor}{format_suggestion(anchor, known)}"
                location = format_source_location(page, f"#{anchor}")
                faults.append(f"{location}: expected an anchor of {target or 'the first page'}, got {got}")
    return faults


def format_suggestion(wrong: str, names: Iterable[str], template: str = "; did you mean {}?") -> str:
    """Format the most similar name as a suggestion.

    Returns "" if no name is similar. `template` has a placeholder for the name.
    """
    matches = get_close_matches(wrong, sorted(names), n=1)
    return template.format(matches[0]) if matches else ""


def format_source_location(built_page: str, searched_words: str) -> str:
    """Return the source of a built page, such as `docs/rules/rolls.md`.

    It is followed by `:` and the first line that contains `searched_words`, if a line does.
    """
    name = built_page.removesuffix("index.html").rstrip("/")
    path = DOCS / f"{name}.md" if (DOCS / f"{name}.md").is_file() else DOCS / name / "index.md"
    lines = path.read_text(encoding="utf-8").splitlines() if searched_words and path.is_file() else []
    line = next((f":{number}" for number, line in enumerate(lines, 1) if searched_words in line), "")
    return f"{path.relative_to(ROOT).as_posix()}{line}"


def check_rule_coverage() -> list[str]:
    """Find the rules that lack code or a test."""
    return [
        f"{coverage.rule.id} ({coverage.rule.module}) lacks {' and '.join(coverage.missing_parts)}"
        for coverage in list_rule_coverage()
        if coverage.missing_parts
    ]


# The places of one rule


def format_rule_places(rule: Rule) -> list[str]:
    """List where a rule is, as lines to print.

    They are its text, its line in the catalogue, its code and its tests, each with file and line.
    """
    catalogue = next(
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in RULE_DATA
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(rf"(?<![\w.]){re.escape(rule.id)} \|", line)
    )
    code = _list_first_mentions(rule, list_code_files())
    implementing = [each for each in code if is_implementation(rule, each.qualified_scope)]
    places = {
        "text": [format_source_location(f"{rule.page}index.html", f"#{rule.id}")],
        "listed": [catalogue],
        "implemented": [*map(_format_mention, implementing), *([f"no code: {rule.no_code}"] if rule.no_code else [])],
        "mentioned": [_format_mention(each) for each in code if each not in implementing],
        "tested": [_format_mention(each) for each in _list_first_mentions(rule, list_test_files())],
    }
    lines = (f"  {kind if not n else '':<12}{place}" for kind, found in places.items() for n, place in enumerate(found))
    return [f"{rule.id}: {rule.title}", *lines]


def _list_first_mentions(rule: Rule, files: Iterable[Path]) -> list[Mention]:
    """List the first mention of a rule in each function or class.

    A file without functions, such as a case, has one, too.
    """
    mentions = (each for path in files for each in list_rule_mentions(path) if each.rule_id == rule.id)
    first: dict[str, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.qualified_scope, mention)
    return list(first.values())


def _format_mention(mention: Mention) -> str:
    return f"{mention.path}:{mention.line} {mention.scope}".strip()


# The report


def list_traceability_lines_and_faults(site: Path | None) -> tuple[list[str], list[str]]:
    """Check everything, and return the lines to print and the faults."""
    ids = [rule.id for rule in RULES]
    faults = check_rule_ids(ids, ID_LIST.read_text(encoding="utf-8").split())
    lines = [f"{len(ids)} ids, {'different from the list' if faults else 'none missing, none duplicate'}"]
    if site is None:
        lines.append("no built site: anchors not checked")
    else:
        missing = [*check_rule_anchors(site), *list_links_to_missing_anchors(site)]
        result = "anchors are missing" if missing else "each has its anchor"
        lines.append(f"{len(ids)} ids and {len(load_rulings())} rulings explained in the text: {result}")
        faults += missing
    coverage, orphans = list_rule_coverage(), check_rule_coverage()
    lines.append(
        f"{len(coverage)} ids: {sum(bool(each.code) for each in coverage)} with code, "
        f"{sum(bool(each.rule.no_code) and not each.code for each in coverage)} with a reason for having none, "
        f"{sum(bool(each.tests) for each in coverage)} with a test; "
        f"{len(orphans) or 'none'} wait{'' if len(orphans) > 1 else 's'} for either"
    )
    faults += orphans
    for path in (*list_code_files(), *list_test_files()):
        for line, words in list_unknown_rule_ids(path):
            lines.append(f"note: {path.relative_to(ROOT).as_posix()}:{line}: {words} looks like a rule id and is none")
    return lines, faults


def main(arguments: list[str] | None = None) -> int:
    """Print the places of the given rules, or the report.

    Returns 1 if the report has faults, else 0.
    """
    parser = argparse.ArgumentParser(
        prog="python -m build_scripts.checks.rule_traceability",
        description="Find orphaned rules, or list where some rules are.",
    )
    parser.add_argument("rules", nargs="*", metavar="rule", help="the id of a rule, such as act.cover")
    parser.add_argument("--site", type=Path, help="the built site (default: site/, if it exists)")
    options = parser.parse_args(arguments)
    for rule_id in options.rules:
        if rule_id not in _KNOWN:
            parser.error(f"expected the id of a rule, got {rule_id}{format_suggestion(rule_id, _KNOWN)}")
        print("\n".join(format_rule_places(get_rule(rule_id))))
    if options.rules:
        return 0
    site = options.site or (SITE if SITE.is_dir() else None)
    lines, faults = list_traceability_lines_and_faults(site)
    print("\n".join(lines))
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
