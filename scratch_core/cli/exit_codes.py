"""The exit codes of all commands."""

EXIT_FINE = 0
"""Everything is fine."""
EXIT_PROBLEMS = 1
"""What was checked has problems, or came out differently from what it expects."""
EXIT_UNUSABLE = 2
"""The input is unusable."""
EXIT_BROKEN_PIPE = 141
"""The reader of standard output is gone. Shells use the same code."""
