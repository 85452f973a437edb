"""How many situations by chance a property meets: all of them under CPython, a taste inside Pyodide."""

import sys

IS_IN_BROWSER = sys.platform == "emscripten"


def count_examples(usual: int) -> int:
    """Give the number of examples: the usual one, a tenth of it (at least 5) inside Pyodide, which is far slower."""
    return max(5, usual // 10) if IS_IN_BROWSER else usual
