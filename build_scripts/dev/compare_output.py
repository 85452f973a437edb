"""What changed for readers: thousands of answers and every page, before and after, and their differences.

`python -m build_scripts.dev.compare_output --base REV` compares this tree, uncommitted changes included, with a commit,
or with `--base FOLDER` another tree. The queries are those of the commit (links of today must keep their answers). The
same difference in many places is printed once. Exit code 1 where there is any. `--text`: only what is told otherwise,
every sentence, figure, link and control's name; where nothing but markup or order differs, the places are counted.
`--pictures`: what is seen too; what differs stands before and after, marked, in build/readers/pictures.
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
from build_scripts.dev.visible_text import extract_text
from build_scripts.paths import BUILD, ROOT, compute_content_hash

QUERY_CORPUS_SCRIPT = Path(__file__).with_name("query_corpus.py")
MAX_LINE_WIDTH = 160
"""Signs of a changed line that are printed; a longer one is shown around the place where it changes."""

_LINES = re.compile(r"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|[^<]+|<")
_BUILD_NAMES = re.compile(r"(engine|pyodide)-[0-9a-f]{12}")
_PARTS = re.compile(r"\n(query|summary): ")
_MAIN_ASSETS = re.compile(r"\.[0-9a-f]{8}\.min\.(css|js)")


Output = Mapping[str, str]
"""All that a tree tells its readers: each answer (`name?query`) and each page (its path), and the text of it."""


# Both trees


@contextlib.contextmanager
def check_out_tree(base: str) -> Iterator[Path]:
    """The folder `base`, or a work tree of the commit `base` that is gone afterwards."""
    if Path(base).is_dir():
        yield Path(base).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), base], cwd=ROOT, check=True)
        try:
            with use_own_packages(tree):
                yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=False)


@contextlib.contextmanager
def use_own_packages(tree: Path) -> Iterator[None]:
    """Let a tree have the npm packages of its own lock file; what its build installs is kept for the next of that lock.

    Ours it must not have: npm empties a folder that it finds before it installs another lock's.
    """
    kept = BUILD / "readers" / "npm" / compute_content_hash([tree / "package-lock.json"]) / "node_modules"
    packages = tree / "node_modules"
    if kept.exists():
        packages.symlink_to(kept.resolve())
    yield
    if packages.is_dir() and not packages.is_symlink():
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(packages, kept)


def collect_output(tree: Path, kept: Path, queries: Path, parts: Sequence[str]) -> Output:
    """Ask `tree` everything, with these `parts` its pages and pictures too; what comes of it is kept in `kept`."""
    kept.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(tree), "SITE_URL": "http://127.0.0.1:8000/"}
    answers = kept / "answers.json"
    command = [sys.executable, str(QUERY_CORPUS_SCRIPT), str(tree), str(queries), str(answers)]
    subprocess.run(command, cwd=tree, env=environment, check=True)
    texts = {}
    asked = json.loads(queries.read_text(encoding="utf-8"))
    for (name, query), answer in zip(asked, json.loads(answers.read_text(encoding="utf-8")), strict=True):
        texts[f"{name}?{query}"] = "\n".join(f"{part}: {text}" for part, text in answer.items())
    if "pages" in parts:
        site = kept / "site"
        built = [sys.executable, "-m", "build_scripts.build", "--site", str(site)]
        subprocess.run(built, cwd=tree, env=environment, check=True)
        for path in sorted(site.rglob("*.html")):
            texts[path.relative_to(site).as_posix()] = path.read_text(encoding="utf-8")
        if "pictures" in parts:
            screenshots.take_all(site, tree, kept / "pictures")
    return texts


def get_cache_folder(base: str) -> Path:
    """The folder where what the commit or folder `base` tells is kept."""
    if Path(base).is_dir():
        return BUILD / "readers" / "folder"
    commit = subprocess.run(["git", "rev-parse", f"{base}^{{commit}}"], cwd=ROOT, check=True, capture_output=True)
    gathering = compute_content_hash(
        [QUERY_CORPUS_SCRIPT, Path(screenshots.__file__), ROOT / "tests" / "support" / "states.py"]
    )  # other ways, other queries
    return BUILD / "readers" / f"{commit.stdout.decode().strip()[:12]}-{gathering[:6]}"


def load_base_output(base: str, queries: Path, parts: Sequence[str]) -> Output:
    """What the commit or folder `base` tells; that of a commit is asked once and kept."""
    kept = get_cache_folder(base)
    if Path(base).is_dir():
        return collect_output(Path(base).resolve(), kept, queries, parts)
    whole = kept / f"{'-'.join(('told', *parts))}.json"
    if not whole.exists():
        with check_out_tree(base) as tree:
            made = collect_output(tree, kept, kept / "queries.json", parts)
        whole.write_text(json.dumps(made), encoding="utf-8")
    shutil.copy(kept / "queries.json", queries)
    told: Output = json.loads(whole.read_text(encoding="utf-8"))
    return told


# Differences


def split_lines(text: str) -> list[str]:
    """HTML as a line for each tag and text between tags; what each build names anew is left out."""
    return [line for line in (part.strip() for part in _LINES.findall(strip_build_names(text))) if line]


def strip_build_names(text: str) -> str:
    """HTML without the names that each build makes anew."""
    return _MAIN_ASSETS.sub(r".\1", _BUILD_NAMES.sub(r"\1", text))


def list_differences(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The places where two texts differ: the lines gone, and the lines that have come instead."""
    old, new = split_lines(before), split_lines(after)
    for how, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if how != "equal":
            yield "\n".join(old[a:b]), "\n".join(new[c:d])


def group_differences(before: Output, after: Output) -> dict[tuple[str, str], list[str]]:
    """Every difference, and the answers and pages that have it."""
    found: dict[tuple[str, str], list[str]] = {}
    for place in dict.fromkeys((*before, *after)):
        if place not in after:
            found.setdefault(("a page", ""), []).append(place)
        elif place not in before:
            found.setdefault(("", "a page"), []).append(place)
        elif before[place] != after[place]:
            for difference in list_differences(before[place], after[place]):
                found.setdefault(difference, []).append(place)
    return found


def group_text_differences(before: Output, after: Output) -> dict[tuple[str, str], list[str]]:
    """What is told no more and what instead, in the same answers and pages, markup and order aside."""
    places: dict[tuple[int, str], list[str]] = {}
    for place in dict.fromkeys((*before, *after)):
        old, new = before.get(place, ""), after.get(place, "")
        if old != new:
            for side, line in list_changed_text(old, new):
                places.setdefault((side, line), []).append(place)
    together: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
    for (side, line), own in sorted(places.items()):
        together.setdefault(tuple(own), ([], []))[side].append(line)
    return {("\n".join(gone), "\n".join(come)): [*own] for own, (gone, come) in together.items()}


def list_changed_text(before: str, after: str) -> Iterator[tuple[int, str]]:
    """Each line told no more, with 0, and each told instead, with 1."""
    old, new = (extract_text(_PARTS.sub(r"<p>\1: ", strip_build_names(each))) for each in (before, after))
    for side, lines in enumerate((old - new, new - old)):
        yield from ((side, f"{kind}: {text}") for kind, text in lines)


def is_different(before: str, after: str) -> bool:
    """Whether the HTML differs at all."""
    return before != after and split_lines(before) != split_lines(after)


def shorten_line(line: str, other: str) -> str:
    """A line, or where it is long what stands around the first sign in which it differs from `other`."""
    if len(line) <= MAX_LINE_WIDTH:
        return line
    alike = next((n for n, (one, two) in enumerate(zip(line, other, strict=False)) if one != two), 0)
    begin = max(alike - MAX_LINE_WIDTH // 3, 0)
    piece = line[begin : begin + MAX_LINE_WIDTH]
    return f"{'…' if begin else ''}{piece}{'…' if begin + MAX_LINE_WIDTH < len(line) else ''}"


def format_difference(difference: tuple[str, str], places: list[str], lines: int) -> str:
    """A difference with where it is met, at most `lines` lines of each side."""
    old, new = (side.splitlines() for side in difference)
    more = f" and {len(places) - 3} more" if len(places) > 3 else ""
    said = [f"{len(places)} × {', '.join(shorten_line(place, '') for place in places[:3])}{more}"]
    for sign, own, other in (("-", old, new), ("+", new, old)):
        for number, line in enumerate(own[:lines]):
            said.append(f"  {sign} {shorten_line(line, other[number] if number < len(other) else '')}")
        if len(own) > lines:
            said.append(f"  {sign} … {len(own) - lines} lines more")
    return "\n".join(said)


def main() -> None:
    """`python -m build_scripts.dev.compare_output [--base REV] [--no-pages] [--pictures] [--text] [--most 60]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit, or the folder of a tree, to compare with")
    parser.add_argument("--no-pages", action="store_true", help="answers alone, which is faster")
    parser.add_argument("--pictures", action="store_true", help="what is seen as well, page by page and state by state")
    parser.add_argument("--text", action="store_true", help="sentences, figures, links and controls' names alone")
    parser.add_argument("--lines", type=int, default=6, help="lines printed of each side of a difference")
    parser.add_argument("--most", type=int, default=60, help="differences printed")
    arguments = parser.parse_args()
    now = BUILD / "readers" / "now"
    now.mkdir(parents=True, exist_ok=True)
    queries = now / "queries.json"
    queries.unlink(missing_ok=True)
    parts = [] if arguments.no_pages else ["pages", "pictures"] if arguments.pictures else ["pages"]
    before = load_base_output(arguments.base, queries, parts)
    after = collect_output(ROOT, now, queries, parts)
    found = group_text_differences(before, after) if arguments.text else group_differences(before, after)
    pages = sum(place.endswith(".html") for place in after)
    for difference, places in sorted(found.items(), key=lambda item: -len(item[1]))[: arguments.most]:
        print(format_difference(difference, places, arguments.lines), end="\n\n")
    if len(found) > arguments.most:
        print(f"… and {len(found) - arguments.most} differences more (--most)\n")
    touched = {place for places in found.values() for place in places}
    print(f"{len(after) - pages} answers and {pages} pages: {len(found)} differences in {len(touched)} of them")
    if arguments.text:
        others = [each for each in after if each not in touched and is_different(before.get(each, ""), after[each])]
        print(f"{len(others)} more differ in markup or order alone")
    seen = {}
    if arguments.pictures:
        folder = BUILD / "readers" / "pictures"
        seen = screenshots.compare_folders(get_cache_folder(arguments.base) / "pictures", now / "pictures", folder)
        print(*(f"{name}: {said}" for name, said in [*seen.items()][: arguments.most]), sep="\n")
        print(f"{len(seen)} pictures differ: before, after and marked in {folder}")
    raise SystemExit(1 if found or seen else 0)


if __name__ == "__main__":
    main()
