"""Exit codes of all commands."""

BAD_INPUT = 2
TIME_LIMIT = 11
INTERRUPTED = 13
STATE_LIMIT = 14
INTERRUPTED_IN_TYPER = 130
"""Typer's exit code after Ctrl-C in a command that does not handle it."""
