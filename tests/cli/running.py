"""The command line as a user runs it, in the process of the tests."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import Any, TextIO

import pytest
import typer

from pushworld.cli import application, main


@dataclass(frozen=True)
class Outcome:
    """The exit code, standard output and standard error of a command."""

    exit_code: int
    out: str
    err: str


def run(
    *arguments: str, stdin: str = "", columns: int = 120, stdout: TextIO | None = None
) -> Outcome:
    """Returns the outcome of ``pushworld`` with the arguments.

    Args:
        columns: width of the terminal.
        stdout: takes standard output, which the outcome then lacks.
    """
    with pytest.MonkeyPatch.context() as patch:
        out, err = StringIO(), StringIO()
        patch.setattr(sys, "argv", ["pushworld", *arguments])
        patch.setattr(sys, "stdin", StringIO(stdin))
        patch.setattr(sys, "stdout", stdout or out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(application, "app", built_application())
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TERM", "dumb")
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    return Outcome(0 if code is None else int(code), out.getvalue(), err.getvalue())


@cache
def built_application() -> Any:
    """Returns what Typer otherwise builds for each command."""
    return typer.main.get_command(application.app)
