"""Exit codes that mean the same for every command."""

BAD_INPUT = 2
INTERRUPTED = 13
