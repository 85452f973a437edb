"""The command line: `python -m scratch_core <command>`. Each command is a module here; the browser imports none of it.

A command module has `HELP` (one line), `configure(parser)`, which adds its arguments, and `run(arguments) -> int`,
which prints its answer on standard output and its messages on standard error and returns the exit code:
0 fine, 1 problems in what was checked, 2 unusable input.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from scratch_core import __version__
from scratch_core.cli.exit_codes import EXIT_BROKEN_PIPE, EXIT_UNUSABLE
from scratch_core.errors import ScratchError

COMMANDS = ("roll", "check", "play", "cast", "abilities", "odds")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    A `ScratchError` is printed as its messages, with exit code 2.

    If the reader of standard output is gone (`… | head`), the exit code is 141, as in shells.
    """
    typed = os.path.basename(sys.argv[0])
    own = "python -m scratch_core" if typed.endswith(".py") or not typed else typed
    parser = argparse.ArgumentParser(prog=own, description="The rules of Scratch RPS.")
    parser.add_argument("--version", action="version", version=f"scratch_core {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"scratch_core.cli.{name}")
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.configure(command)
        command.set_defaults(run=module.run)
    arguments = parser.parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a label may have characters that the terminal's encoding lacks
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards Python's unflushed output
        return EXIT_BROKEN_PIPE
    except ScratchError as error:
        for problem in error.problems:
            print(problem.message, file=sys.stderr)
        return EXIT_UNUSABLE
    return code
