"""Pseudo-terminals, which minimal systems and containers may lack."""

from __future__ import annotations

import os

import pytest


def _can_open() -> bool:
    try:
        for end in os.openpty():
            os.close(end)
    except (AttributeError, OSError):
        return False
    return True


HAS_TERMINALS = _can_open()

needs_terminal = pytest.mark.skipif(not HAS_TERMINALS, reason="needs pseudo-terminals: /dev/pts")
"""Skips a test where the system gives no pseudo-terminal."""
