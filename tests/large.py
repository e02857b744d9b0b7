"""Parameters of tests that `make test` leaves to `make test-all`."""

from __future__ import annotations

from typing import Any

import pytest


def large(*values: Any) -> Any:
    """Returns the values of a test's parameters, marked `large`."""
    return pytest.param(*values, marks=pytest.mark.large)
