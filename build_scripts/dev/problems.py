"""Print every problem code with its sentence for players: `python -m build_scripts.dev.problems [part of a code]`."""

from __future__ import annotations

import sys

from scratch_core.calculators.problem_sentences import SENTENCES


def main(wanted: str = "") -> None:
    """Print the codes that contain a text, or all, each with its sentence."""
    found = {code: SENTENCES[code] for code in sorted(SENTENCES) if wanted in code}
    width = max(map(len, found), default=0)
    for code, sentence in found.items():
        print(f"{code:{width}}  {sentence}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
