"""Command line: `python -m scratch_core roll "d20+3" --against 13` and `python -m scratch_core check FILE`."""

import sys

from scratch_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
