"""Adapters: PushWorld where models are tested and trained: Inspect, lm-eval, TextArena, verifiers, reasoning-gym,
OpenEnv, MCP and Hugging Face datasets.

Each module imports one optional package, and is imported by nothing but its users.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pushworld.puzzle import PushWorldError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports of an extra's packages; raises PushWorldError if they are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise PushWorldError(
            f"this needs {error.name}: pip install 'pushworld[{extra}]'"
        ) from error
