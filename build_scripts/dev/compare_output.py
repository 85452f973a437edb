"""Compare what users see before and after a change: thousands of responses, and every page.

`python -m build_scripts.dev.compare_output --base REV` compares this tree, including uncommitted changes, with a
commit, or with `--base FOLDER` with another tree. The queries are those of the commit, because existing links must keep
their responses. A difference that occurs in many places is printed once. The exit code is 1 if there is any difference.
With `--text` only sentences, figures, links and names of controls are compared, and places that differ in markup or
order are counted. With `--pictures` screenshots are compared, too: those that differ are written to
build/readers/pictures, before and after, with the changes marked.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from build_scripts.dev import screenshots
from build_scripts.dev.visible_text import count_visible_texts
from build_scripts.paths import BUILD, ROOT, compute_content_hash

QUERY_CORPUS_SCRIPT = Path(__file__).with_name("query_corpus.py")
MAX_LINE_WIDTH = 160
"""The maximum number of characters that are printed of a changed line. Of a longer one the part around the change is
printed."""

_LINES = re.compile(r"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|[^<]+|<")
_BUILD_NAMES = re.compile(r"(engine|pyodide)-[0-9a-f]{12}")
_PARTS = re.compile(r"\n(query|summary): ")
_MAIN_ASSETS = re.compile(r"\.[0-9a-f]{8}\.min\.(css|js)")


Output = Mapping[str, str]
"""The output of a tree for users: the text of each response, by `name?query`, and of each page, by its path."""


# Both trees


@contextlib.contextmanager
def check_out_tree(base: str) -> Iterator[Path]:
    """Yield the folder `base`, or a temporary work tree of the commit `base`."""
    if Path(base).is_dir():
        yield Path(base).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), base], cwd=ROOT, check=True)
        try:
            with link_and_cache_npm_packages(tree):
                yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=False)


@contextlib.contextmanager
def link_and_cache_npm_packages(tree_folder: Path) -> Iterator[None]:
    """Give a tree the npm packages of its own lock file.

    The packages that its build installs are cached for the next tree with the same lock file. It can't share ours,
    because npm empties an existing folder before it installs the packages of another lock file.
    """
    cache = BUILD / "readers" / "npm" / compute_content_hash([tree_folder / "package-lock.json"]) / "node_modules"
    packages = tree_folder / "node_modules"
    if cache.exists():
        packages.symlink_to(cache.resolve())
    yield
    if packages.is_dir() and not packages.is_symlink():
        shutil.rmtree(cache, ignore_errors=True)
        cache.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(packages, cache)


def collect_output(tree: Path, folder: Path, queries: Path, parts: Sequence[str]) -> Output:
    """Collect the output of `tree`: its responses and, with these `parts`, its pages and pictures.

    The files are written to `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(tree), "SITE_URL": "http://127.0.0.1:8000/"}
    answers = folder / "answers.json"
    command = [sys.executable, str(QUERY_CORPUS_SCRIPT), str(tree), str(queries), str(answers)]
    subprocess.run(command, cwd=tree, env=environment, check=True)
    texts = {}
    pairs = json.loads(queries.read_text(encoding="utf-8"))
    for (name, query), answer in zip(pairs, json.loads(answers.read_text(encoding="utf-8")), strict=True):
        texts[f"{name}?{query}"] = "\n".join(f"{part}: {text}" for part, text in answer.items())
    if "pages" in parts:
        site = folder / "site"
        command = [sys.executable, "-m", "build_scripts.build", "--site", str(site)]
        subprocess.run(command, cwd=tree, env=environment, check=True)
        for path in sorted(site.rglob("*.html")):
            texts[path.relative_to(site).as_posix()] = path.read_text(encoding="utf-8")
        if "pictures" in parts:
            screenshots.take_all_shots(site, tree, folder / "pictures")
    return texts


def get_cache_folder(base: str) -> Path:
    """Return the folder that caches the output of a commit or folder."""
    if Path(base).is_dir():
        return BUILD / "readers" / "folder"
    commit = subprocess.run(["git", "rev-parse", f"{base}^{{commit}}"], cwd=ROOT, check=True, capture_output=True)
    sources_hash = compute_content_hash(
        [QUERY_CORPUS_SCRIPT, Path(screenshots.__file__), ROOT / "tests" / "support" / "states.py"]
    )  # if these change, the output of the commit is collected again
    return BUILD / "readers" / f"{commit.stdout.decode().strip()[:12]}-{sources_hash[:6]}"


def get_or_collect_base_output(revision_or_folder: str, queries_file: Path, output_parts: Sequence[str]) -> Output:
    """Return the output of a commit or folder.

    That of a commit is collected once and cached.
    """
    folder = get_cache_folder(revision_or_folder)
    if Path(revision_or_folder).is_dir():
        return collect_output(Path(revision_or_folder).resolve(), folder, queries_file, output_parts)
    file = folder / f"{'-'.join(('output', *output_parts))}.json"
    if not file.exists():
        with check_out_tree(revision_or_folder) as tree:
            collected = collect_output(tree, folder, folder / "queries.json", output_parts)
        file.write_text(json.dumps(collected), encoding="utf-8")
    shutil.copy(folder / "queries.json", queries_file)
    output: Output = json.loads(file.read_text(encoding="utf-8"))
    return output


# Differences


def split_html_lines(text: str) -> list[str]:
    """Split HTML into a line for each tag and text.

    Names that change with each build are removed.
    """
    return [line for line in (part.strip() for part in _LINES.findall(strip_build_names(text))) if line]


def strip_build_names(text: str) -> str:
    """Remove the names that change with each build from HTML."""
    return _MAIN_ASSETS.sub(r".\1", _BUILD_NAMES.sub(r"\1", text))


def list_differences(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the differences of two texts: the removed lines, and the added lines."""
    old, new = split_html_lines(before), split_html_lines(after)
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield "\n".join(old[a:b]), "\n".join(new[c:d])


def group_places_by_difference(before: Output, after: Output) -> dict[tuple[str, str], list[str]]:
    """Return every difference with the responses and pages that contain it."""
    places: dict[tuple[str, str], list[str]] = {}
    for place in dict.fromkeys((*before, *after)):
        if place not in after:
            places.setdefault(("a page", ""), []).append(place)
        elif place not in before:
            places.setdefault(("", "a page"), []).append(place)
        elif before[place] != after[place]:
            for difference in list_differences(before[place], after[place]):
                places.setdefault(difference, []).append(place)
    return places


def map_text_differences_to_places(before: Output, after: Output) -> dict[tuple[str, str], list[str]]:
    """Return removed and added texts with the responses and pages that contain them.

    Markup and order are ignored.
    """
    places: dict[tuple[int, str], list[str]] = {}
    for place in dict.fromkeys((*before, *after)):
        old, new = before.get(place, ""), after.get(place, "")
        if old != new:
            for side, line in list_removed_and_added_texts(old, new):
                places.setdefault((side, line), []).append(place)
    together: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
    for (side, line), own in sorted(places.items()):
        together.setdefault(tuple(own), ([], []))[side].append(line)
    return {("\n".join(removed), "\n".join(added)): [*own] for own, (removed, added) in together.items()}


def list_removed_and_added_texts(before: str, after: str) -> Iterator[tuple[int, str]]:
    """Yield each removed text with 0, and each added text with 1."""
    old, new = (count_visible_texts(_PARTS.sub(r"<p>\1: ", strip_build_names(each))) for each in (before, after))
    for side, lines in enumerate((old - new, new - old)):
        yield from ((side, f"{kind}: {text}") for kind, text in lines)


def is_different(before: str, after: str) -> bool:
    """Return whether two HTML texts differ in anything but names of the build."""
    return before != after and split_html_lines(before) != split_html_lines(after)


def shorten_line_around_difference(line: str, other: str) -> str:
    """Return a line, or the part of a long one around its first difference.

    It is compared with `other`.
    """
    if len(line) <= MAX_LINE_WIDTH:
        return line
    alike = next((n for n, (one, two) in enumerate(zip(line, other, strict=False)) if one != two), 0)
    begin = max(alike - MAX_LINE_WIDTH // 3, 0)
    piece = line[begin : begin + MAX_LINE_WIDTH]
    return f"{'…' if begin else ''}{piece}{'…' if begin + MAX_LINE_WIDTH < len(line) else ''}"


def format_difference(difference: tuple[str, str], places: list[str], lines: int) -> str:
    """Format a difference and where it occurs, with at most `lines` lines of each side."""
    old, new = (side.splitlines() for side in difference)
    more = f" and {len(places) - 3} more" if len(places) > 3 else ""
    lines_out = [
        f"{len(places)} × {', '.join(shorten_line_around_difference(place, '') for place in places[:3])}{more}"
    ]
    for sign, own, other in (("-", old, new), ("+", new, old)):
        for number, line in enumerate(own[:lines]):
            lines_out.append(
                f"  {sign} {shorten_line_around_difference(line, other[number] if number < len(other) else '')}"
            )
        if len(own) > lines:
            lines_out.append(f"  {sign} … {len(own) - lines} more lines")
    return "\n".join(lines_out)


def main() -> None:
    """Run `python -m build_scripts.dev.compare_output [--base REV] [--no-pages] [--pictures] [--text] [--most 60]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit, or the folder of a tree, to compare with")
    parser.add_argument("--no-pages", action="store_true", help="compare only responses, which is faster")
    parser.add_argument("--pictures", action="store_true", help="compare screenshots of pages and states, too")
    parser.add_argument(
        "--text", action="store_true", help="compare only sentences, figures, links and names of controls"
    )
    parser.add_argument("--lines", type=int, default=6, help="maximum lines of each side of a difference")
    parser.add_argument("--most", type=int, default=60, help="maximum number of differences")
    arguments = parser.parse_args()
    now = BUILD / "readers" / "now"
    now.mkdir(parents=True, exist_ok=True)
    queries = now / "queries.json"
    queries.unlink(missing_ok=True)
    parts = [] if arguments.no_pages else ["pages", "pictures"] if arguments.pictures else ["pages"]
    before = get_or_collect_base_output(arguments.base, queries, parts)
    after = collect_output(ROOT, now, queries, parts)
    differences = (
        map_text_differences_to_places(before, after) if arguments.text else group_places_by_difference(before, after)
    )
    pages = sum(place.endswith(".html") for place in after)
    for difference, places in sorted(differences.items(), key=lambda item: -len(item[1]))[: arguments.most]:
        print(format_difference(difference, places, arguments.lines), end="\n\n")
    if len(differences) > arguments.most:
        print(f"… and {len(differences) - arguments.most} more differences (--most)\n")
    touched = {place for places in differences.values() for place in places}
    print(f"{len(after) - pages} responses and {pages} pages: {len(differences)} differences in {len(touched)} of them")
    if arguments.text:
        others = [each for each in after if each not in touched and is_different(before.get(each, ""), after[each])]
        print(f"{len(others)} more differ only in markup or order")
    pictures = {}
    if arguments.pictures:
        folder = BUILD / "readers" / "pictures"
        pictures = screenshots.compare_picture_folders(
            get_cache_folder(arguments.base) / "pictures", now / "pictures", folder
        )
        print(*(f"{name}: {description}" for name, description in [*pictures.items()][: arguments.most]), sep="\n")
        print(f"{len(pictures)} pictures differ: see the comparisons in {folder}")
    raise SystemExit(1 if differences or pictures else 0)


if __name__ == "__main__":
    main()
