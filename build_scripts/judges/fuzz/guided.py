"""Fuzz one target under Atheris, in the environment that has it: `guided.py TARGET FOLDER INPUTS SECONDS`.

FOLDER has the inputs to begin with in `corpus/` and the words worth putting in in `words`; the tally goes to
`tally.json` in it. Atheris changes inputs, and goes on with those that reach code that none has reached before.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import atheris

with atheris.instrument_imports(include=["scratch_core"]):
    from build_scripts.judges.fuzz.targets import TARGETS, Tally

HANG = 60  # seconds after which Atheris gives an input up, and says which
LONGEST = 4_000  # bytes


def main() -> None:
    """Fuzz until the inputs or the seconds are up; the process ends there."""
    name, folder, most, seconds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    target, tally = TARGETS[name], Tally()
    began = time.monotonic()

    def try_one(data: bytes) -> None:
        tally.add(target, data.decode("utf-8", "surrogateescape"))
        if tally.tried >= most or time.monotonic() - began > seconds:
            end(tally, folder)

    options = [f"-timeout={HANG}", f"-max_len={LONGEST}", f"-dict={folder / 'words'}", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *options, "-verbosity=0", str(folder / "corpus")], try_one)
    atheris.Fuzz()


def end(tally: Tally, folder: Path) -> NoReturn:
    """Write the tally and end at once: Atheris has no other way to be stopped from inside."""
    written: dict[str, Any] = asdict(tally)
    (folder / "tally.json").write_text(json.dumps(written))
    os._exit(0)


if __name__ == "__main__":
    main()
