"""The command line: one module per group of commands, without logic of its own."""

import errno
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from pushworld.cli.exit_codes import BAD_INPUT, INTERRUPTED, INTERRUPTED_IN_TYPER
from pushworld.puzzle import PushWorldError


def main() -> None:
    """Runs the command line. A user's mistake or a full disk gives one line and exit code 2.

    SIGTERM, with which schedulers end jobs, works like Ctrl-C: finished work is kept, and no process
    is left behind.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.stdout is None:  # closed: what is written there must be an error, not forgotten
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    try:
        from pushworld.cli.application import app  # slow enough to be interrupted

        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as ended:
        sys.exit(INTERRUPTED if ended.code == INTERRUPTED_IN_TYPER else ended.code)
    except PushWorldError as error:
        _fail(str(error))
    except UnicodeEncodeError as error:
        _fail(
            f"the output is {error.encoding}, which lacks a character: set PYTHONIOENCODING=utf-8"
        )
    except OSError as error:
        _discard_output()
        reason = error.strerror or str(error)
        if error.errno == errno.EBADF:
            reason = "standard output is closed: redirect it to a file, or to /dev/null"
        _fail(reason if error.filename is None else f"{error.filename}: {reason}")


def _fail(message: str) -> NoReturn:
    """Prints one line that says what is wrong, and exits."""
    from rich.console import Console
    from rich.markup import escape

    line = f"[bold red]error:[/] {escape(message)}"
    Console(stderr=True, soft_wrap=True).print(line, highlight=False)
    sys.exit(BAD_INPUT)


def _discard_output() -> None:
    """Discards buffered output: writing it at exit would fail again."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
