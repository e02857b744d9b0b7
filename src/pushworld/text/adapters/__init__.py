"""Adapters: PushWorld where models are tested and trained: Inspect, lm-eval, TextArena, verifiers, reasoning-gym,
OpenEnv, MCP and Hugging Face datasets.

Each module imports one optional package, and is imported by nothing but its users.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

from pushworld.datasets.sets import known_set
from pushworld.puzzle import PushWorldError
from pushworld.text.evaluation_set import NAME
from pushworld.text.questions import all_asked
from pushworld.text.tasks import ENDLESS, EVALUATION, KINDS, Task, tasks

DEFAULT_SOURCE = "generated:1"


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports of an extra's packages; raises PushWorldError if they are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise PushWorldError(
            f"this needs {error.name}: pip install 'pushworld[{extra}]'"
        ) from error


def asked_tasks(
    source: str = EVALUATION, ask: str = "all", limit: int | None = None, seed: str = "0", **_: Any
) -> Iterator[Task]:
    """Yields the tasks of a source with the questions that a comma-separated list names."""
    kinds = KINDS if ask == "all" else ask.split(",")
    return all_asked(tasks(source, limit=limit, seed=seed), kinds)


def draw_task(source: str = DEFAULT_SOURCE, seed: int | str | None = None) -> Task:
    """Returns one task of a named set; the same seed gives the same task, None a random one.

    Paths are no sources here: clients of a server must not learn which files its machine has.
    """
    named = source in (EVALUATION, NAME) or source.startswith(ENDLESS)
    if not named and known_set(source) is None:
        raise PushWorldError(
            f"there is no source {source[:40]!r}: choose generated:1 to generated:15, stream:1 to stream:8, "
            "evaluation, bundled, classic, level1 to level4 or a Level 0 set such as level0/base/test"
        )
    return next(tasks(source, limit=1, seed=token_hex(8) if seed is None else seed))
