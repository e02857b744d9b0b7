"""The command line, run as a user runs it, within the process of the tests."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import StringIO

import pytest

from pushworld.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code, standard output and standard error."""

    exit_code: int
    out: str
    err: str


def run(*arguments: str, stdin: str = "", columns: int = 120) -> Outcome:
    """Returns what ``pushworld`` with the arguments does in a terminal of so many columns."""
    with pytest.MonkeyPatch.context() as patch:
        out, err = StringIO(), StringIO()
        patch.setattr(sys, "argv", ["pushworld", *arguments])
        patch.setattr(sys, "stdin", StringIO(stdin))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TERM", "dumb")
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    return Outcome(0 if code is None else int(code), out.getvalue(), err.getvalue())
