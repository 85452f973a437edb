"""What readers are told, as files: every sentence and figure of each calculator's states, the cast and the glossary.

Beside them stand the engine's tables.

A word that changes, or a number, is then a decision in a diff, and so is an element's place, its name and what a script
or a screen reader is told of it (golden/controls), and what a press does (golden/presses). `make golden` writes the
files anew.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from bs4 import BeautifulSoup

import scratch_core.dice
from build_scripts.calculator_html import Rendered, render
from build_scripts.engine_tables import TABLES, render_table
from dev.answering import Dice, asked_by, typed_in
from dev.controls import controls_in, short
from dev.telling import golden_lines, told_in
from scratch_core.calculators import chances
from scratch_core.calculators.odds.working import forget
from scratch_core.cast import CAST, sheet_of
from scratch_core.catalogue import terms
from tests.states import STATES, UNASKED, UNFINISHED

GOLDEN = Path(__file__).parent.parent / "golden" / "text"
CONTROLS = GOLDEN.parent / "controls"
PRESSES = GOLDEN.parent / "presses"
TABLES_TOLD = GOLDEN.parent / "tables.txt"
PRINTED_AS_THEY_ARE = (
    "glossary",
    "rule-index",
    "catalogue-counts",
    *(each for each in TABLES if each.startswith("rulings-")),
)
"""Tables that are lists of the catalogue: their own tests hold them."""
MOST_LINES = 3000
NAMES = (*STATES, "cast", "glossary")

pytestmark = pytest.mark.heavy


def for_pieces(pieces: int) -> Callable[[], bool]:
    """Time for so many pieces of work."""
    left = iter(range(pieces))
    return lambda: next(left, None) is not None


def answer_to(name: str, state: str) -> Rendered:
    """The answer to a state, with dice that fall alike whenever the same is asked."""
    query = STATES[name][state]
    Dice.seed = query
    forget()
    chances.forget()
    pieces = UNFINISHED.get((name, state))
    is_asked = (name, state) not in UNASKED
    return render(name, query, ask=is_asked, go_on=None if pieces is None else for_pieces(pieces))


def folded(told: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Each line once, below the first state that tells it, with the numbers of the others that do."""
    places: dict[str, list[int]] = {}
    for number, (_, lines) in enumerate(told, 1):
        for line in lines:
            places.setdefault(line, []).append(number)
    for number, (state, lines) in enumerate(told, 1):
        yield f"{number}. {state}"
        for line in lines:
            first, *others = places[line]
            if first == number:
                yield f"  {line}{f'  [and {runs(others)}]' if others else ''}"


def runs(numbers: Sequence[int]) -> str:
    """Numbers in few signs: `2-5, 7`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)


def presses(name: str, answers: Sequence[tuple[str, Rendered]]) -> Iterator[str]:
    """What a press of each button says and changes, in the first state that has it."""
    seen = set()
    for state, before in answers:
        page = BeautifulSoup(before.html, "html.parser")
        typed, looked = typed_in(page), looked_at(before.html)
        yield f"# {state}"
        for button in page.select("button[name]:not([disabled])"):
            said = str(button.get("aria-label") or " ".join(button.get_text().split()))
            chances = re.findall(r"\d+%", said)
            kind = (button["name"], short(str(button.get("value", ""))), short(said), *chances)
            if kind in seen:
                continue
            seen.add(kind)
            Dice.seed = f"{state} {said}"
            after = render(name, asked_by(typed, button), ask=True, go_on=for_pieces(3))
            then = [text for text in looked_at(after.html) if text not in looked]
            yield "  " + " | ".join((said, after.summary, *changes(before.query, after.query), *then))


FOLD = r"<details[^>]* open[^>]*>(?=<summary[^>]*>(.*?)</summary>)"
EYE = re.compile(rf'data-focus="([^"]*)"|{FOLD}|data-problem[^>]*>(.*?)</(?:p|span)>', re.DOTALL)


def looked_at(html: str) -> list[str]:
    """What a page draws the eye to: where the focus goes, what is unfolded, and what is wrong."""
    found = [f"at {focus}" if focus else f"open: {fold}" if fold else wrong for focus, fold, wrong in EYE.findall(html)]
    return [" ".join(unescape(re.sub(r"<[^>]*>", "", each)).split()) for each in found]


def changes(before: str, after: str) -> Iterator[str]:
    """What has changed from one query to another: of each control's text the part that went, and the part that came."""
    old, new = (dict(parse_qsl(query, keep_blank_values=True)) for query in (before, after))
    for control in sorted({*old, *new}):
        one, other = old.get(control, ""), new.get(control, "")
        start = shared(one, other)
        end = shared(one[start:][::-1], other[start:][::-1])
        gone, come = (shortened(text[start : len(text) - end]) for text in (one, other))
        if gone or come:
            yield f"{control} −{gone} +{come}"


def shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def shortened(text: str) -> str:
    """A text on one line, without the middle of a long one."""
    line = text.replace("\n", "⏎")
    return line if len(line) <= 120 else f"{line[:60]}…{line[-50:]}"


def cast() -> Iterator[str]:
    """Everybody of the cast: what each claims, its figures by the rules, and its own stat block."""
    for each in sorted(CAST, key=lambda member: member.name):
        more = "".join(
            f"; {kind} {each_of}" for kind, each_of in (("with", each.minions), ("but", each.misprints)) if each_of
        )
        yield f"# {each.id}, {each.kind}, {each.cp} points, no level above {each.max_level}{more}"
        yield f"  {sheet_of(each).splitlines()[0]}"
        yield f"  {'; '.join(each.block.splitlines())}"


def glossary() -> Iterator[str]:
    """Every word, what it means, where it is told, and whether the text explains it."""
    for term in sorted(terms(), key=lambda each: each.name):
        yield f"{term.name}: {term.meaning} → {term.rule}{'' if term.tooltip else ', unexplained'}"


def tables() -> Iterator[str]:
    """Each of the engine's tables: its rows, and where its links lead."""
    for name in sorted(set(TABLES) - set(PRINTED_AS_THEY_ARE)):
        told = told_in(render_table(name))
        yield f"# {name}"
        yield from (f"  {line}" for line in golden_lines(told))
        yield from sorted(f"  {text}" for kind, text in told if kind == "link")


def goldens(name: str) -> dict[Path, Iterator[str]]:
    """The files of a name, each with the lines that it is to hold."""
    if name == "tables":
        return {TABLES_TOLD: tables()}
    if name not in STATES:
        return {GOLDEN / f"{name}.txt": {"cast": cast, "glossary": glossary}[name]()}
    answers = [(state, answer_to(name, state)) for state in STATES[name]]
    told = [(state, f"{each.html}<p>{each.summary}</p>") for state, each in answers]
    return {
        GOLDEN / f"{name}.txt": folded([(state, list(golden_lines(told_in(html)))) for state, html in told]),
        CONTROLS / f"{name}.txt": folded([(state, controls_in(html)) for state, html in told]),
        PRESSES / f"{name}.txt": presses(name, answers),
    }


@pytest.mark.parametrize("name", [*NAMES, "tables"])
def test_every_sentence_and_figure_is_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has changed here is meant: then `make golden` writes the file anew, and the commit says why."""
    monkeypatch.setattr(scratch_core.dice, "SystemRoller", Dice)
    for file, lines in goldens(name).items():
        found = "\n".join(lines) + "\n"
        if os.environ.get("GOLDEN") == "write":
            file.parent.mkdir(exist_ok=True)
            file.write_text(found, encoding="utf-8")
        kept = file.read_text(encoding="utf-8")
        if found != kept:
            changed = unified_diff(kept.splitlines(), found.splitlines(), "as it was", "as it is", lineterm="", n=0)
            told = (f"{file.relative_to(GOLDEN.parent)}:", *changed, "If that was meant, `make golden` writes it anew.")
            pytest.fail("\n".join(told), pytrace=False)


def test_the_golden_text_can_be_read_through() -> None:
    """A file for each calculator, the cast and the glossary, and no more lines in all than somebody reads."""
    files = {file.stem: file.read_text(encoding="utf-8") for file in GOLDEN.glob("*.txt")}
    assert set(files) == set(NAMES)
    assert sum(len(text.splitlines()) for text in files.values()) <= MOST_LINES
