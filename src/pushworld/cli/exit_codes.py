"""Exit codes that mean the same for every command."""

BAD_INPUT = 2
INTERRUPTED = 13
STATE_LIMIT = 14
INTERRUPTED_IN_TYPER = 130
"""What Typer makes of Ctrl-C where a command does not expect it."""
