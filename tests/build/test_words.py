"""Words to avoid in texts for players, searched for in snapshots, templates, scripts and pages."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from build_scripts.paths import ROOT

REPLACEMENTS = {
    r"somebody": "someone; better the role: a character, the target",
    r"nobody": "no one",
    r"everybody": "everyone",
    r"anybody": "anyone",
    r"whoever": "a character who, the player who",
    r"whom": "the target, who",
    r"on turn": "Gorm's turn",
    r"orders? of turns": "turn order (the sequence), turn system (the rules for it)",
    r"own dice": "your rolls",
    r"small act": "bonus action",
    r"second blow": "second attack",
    r"referee": "game master",
    r"set aside": "saved",
    r"real dice": "your rolls",
    r"\(ours\)": "(default)",
    r"had it been": "what if it had been",
}
"""Each word with its replacement."""

WORDS = {
    word: re.compile(rf"""(?!(?<=["']){word}["'])(?<![\w.=-]){word}(?![\w=-])""", re.IGNORECASE)
    for word in REPLACEMENTS
}
"""Each word by itself; one alone between quotation marks is a value."""

_JINJA_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_JINJA = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)
_CODE_ATTRIBUTE = re.compile(r"""\b(?!aria-label|placeholder|title|alt)[\w-]+=("[^"{]*"|'[^'{]*')""")
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
_NOT_SHOWN = re.compile(r"^#|as in “|- (press:|focus) ")
"""A snapshot's line with the name of a state, or of the controls that a press changes."""
_CODE_BLOCK = re.compile(r"```.*?```|<!--.*?-->|^---\n.*?\n---\n", re.DOTALL)


def blank_matches(pattern: re.Pattern[str], text: str) -> str:
    """Replace matches by their line ends, so that line numbers stay."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n"), text)


def extract_strings(expression: re.Match[str]) -> str:
    """Return the string literals of an expression in a template, and its line ends."""
    return " ".join(re.findall(r""""[^"\n]*"|'[^'\n]*'|\n""", expression[0]))


def list_player_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a file without the parts for developers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = _JINJA.sub(extract_strings, blank_matches(_CODE_ATTRIBUTE, blank_matches(_JINJA_COMMENT, text)))
    elif path.suffix == ".mjs":
        text = blank_matches(_SCRIPT_COMMENT, text)
    elif path.suffix == ".md":
        text = blank_matches(_CODE_BLOCK, text)
    for number, line in enumerate(text.split("\n"), 1):
        if not (path.suffix == ".txt" and _NOT_SHOWN.search(line)):
            yield number, line


def list_words_to_replace(path: Path) -> list[str]:
    """Describe each listed word of a file: file, line, word, replacement."""
    return [
        f"{path.relative_to(ROOT)}:{number}: “{match[0]}”; write {REPLACEMENTS[word]}"
        for number, line in list_player_lines(path)
        for word, pattern in WORDS.items()
        for match in pattern.finditer(line)
    ]


SOURCES: Final = sorted(
    (
        *(ROOT / "tests" / "snapshots").glob("*.txt"),
        *(ROOT / "site_overrides").glob("*.html"),
        *(ROOT / "site_overrides" / "calculators").rglob("*.html"),
        *(ROOT / "site_overrides" / "javascripts").rglob("*.mjs"),
        *(path for name in ("tools", "rules", "look-up") for path in (ROOT / "docs" / name).rglob("*.md")),
        *(ROOT / "docs").glob("*.md"),
    )
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_text_for_players_has_no_word_to_replace(path: Path) -> None:
    """Fail with the line and the replacement."""
    found = list_words_to_replace(path)
    assert not found, "\n" + "\n".join(found)


SENTENCE_FILE: Final = ROOT / "scratch_core" / "calculators" / "shared" / "problem_sentences.py"


@pytest.mark.parametrize("path", [*SOURCES, SENTENCE_FILE], ids=lambda path: str(path.relative_to(ROOT)))
def test_text_for_players_has_straight_apostrophes(path: Path) -> None:
    """Rules and narration have straight ones, and pages show both together."""
    found = [f"{number}: {line.strip()}" for number, line in list_player_lines(path) if re.search(r"[\w}]’", line)]
    assert found == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "snapshots").glob("*.txt")), ids=lambda path: path.stem)
def test_technical_sentences_are_only_in_details(path: Path) -> None:
    """A sentence such as "expected 3, got 4" is in a fold named *Details*."""
    lines = path.read_text(encoding="utf-8").splitlines()
    fold = re.compile(r'- group$|- button "Details"')  # several folds in a row name their button once
    open_to_all = [
        f"{number}: {line.strip()}"
        for number, (before, line) in enumerate(pairwise(["", *lines]), 1)
        if re.search(r"\bexpected\b.*\bgot\b", line, re.IGNORECASE) and not fold.search(before)
    ]
    assert open_to_all == []


def test_word_list_finds_a_word_in_each_kind_of_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels, literals, sentences and lines of snapshots are searched for words to replace.

    Comments and values are not.
    """
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    texts = {
        "a.html": '{# somebody #}<p data-x="nobody">\nNobody is here.</p>',
        "b.html": '{{ whom }}{{ "whom" }}\n{{ m.field(view, "Whom to add") }}',
        "a.mjs": '// whoever\nconst words = "Whoever comes";',
        "a.md": "```\nwhom\n```\nWhom you meet.",
        "a.txt": "# everybody\n- button: Everybody joins",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [list_words_to_replace(tmp_path / name) for name in texts]
    assert [len(each) for each in found] == [1, 1, 1, 1, 1]
    assert found[0] == ["a.html:2: “Nobody”; write no one"]
