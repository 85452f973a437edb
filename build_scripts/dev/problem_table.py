"""Print the problem codes with their sentences: `python -m build_scripts.dev.problem_table [part of a code]`."""

from __future__ import annotations

import sys

from scratch_core.calculators.shared.problem_sentences import SENTENCES


def main(part: str = "") -> None:
    """Print the codes that contain a text, or all codes, each with its sentence."""
    sentences = {code: SENTENCES[code] for code in sorted(SENTENCES) if part in code}
    width = max(map(len, sentences), default=0)
    for code, sentence in sentences.items():
        print(f"{code:{width}}  {sentence}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
