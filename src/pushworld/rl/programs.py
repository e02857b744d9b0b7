"""What the programs of this room have in common, those that need no command line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

from pushworld.puzzle import PushWorldError

BAD_INPUT, INTERRUPTED = 2, 13
"""Exit codes, those of the command line."""


def exit_code_of(work: Callable[[], None]) -> int:
    """Does the work, tells a user's mistake in one line, and returns the exit code."""
    try:
        work()
    except (PushWorldError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0


def run_program(main: Callable[[], int]) -> None:
    """Runs a program to its exit; SIGTERM, with which schedulers end a job, is Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
