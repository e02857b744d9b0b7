"""The command line: one module for each group of commands, none with logic of its own."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from pushworld.cli.exit_codes import BAD_INPUT, INTERRUPTED, INTERRUPTED_IN_TYPER
from pushworld.puzzle import PushWorldError


def main() -> None:
    """Runs the command line; a user's mistake is one line on standard error and exit code 2.

    So is a disk without space. SIGTERM, with which schedulers end a job, is Ctrl-C: what is done is
    kept, and no process stays.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from pushworld.cli.application import app  # takes long enough to be interrupted

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
        _fail(reason if error.filename is None else f"{error.filename}: {reason}")


def _fail(message: str) -> NoReturn:
    """Ends with one line that says what is wrong."""
    from rich.console import Console
    from rich.markup import escape

    line = f"[bold red]error:[/] {escape(message)}"
    Console(stderr=True, soft_wrap=True).print(line, highlight=False)
    sys.exit(BAD_INPUT)


def _discard_output() -> None:
    """Sends what standard output still holds nowhere: writing it would fail again at the end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
