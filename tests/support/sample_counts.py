"""The number of random examples of a property: all under CPython, a few inside Pyodide."""

import sys

IS_IN_BROWSER = sys.platform == "emscripten"


def count_examples(usual: int) -> int:
    """Return the number of examples to try.

    Inside Pyodide, which is far slower, it is a tenth of the usual number, and at least 5.
    """
    return max(5, usual // 10) if IS_IN_BROWSER else usual
