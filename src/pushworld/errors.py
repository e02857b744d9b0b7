"""The error for users, which all errors of the package are kinds of."""

from __future__ import annotations

import sys
from typing import NoReturn


class PushWorldError(ValueError):
    """A user's mistake, with a message for the user; the command line prints it without a traceback."""


def fail_without_extra(message: str) -> NoReturn:
    """Raises PushWorldError: an optional package is missing.

    While ``python -m MODULE`` imports the packages of MODULE, the message is printed instead, and the
    program ends: nothing could catch the error.
    """
    if sys.argv[:1] == ["-m"]:
        print(f"error: {message}", file=sys.stderr)
        sys.exit(2)
    raise PushWorldError(message)
