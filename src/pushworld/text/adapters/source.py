"""Tasks by name for servers: clients choose sets, never files."""

from __future__ import annotations

from secrets import token_hex

from pushworld.datasets.sets import known_set
from pushworld.puzzle import PushWorldError
from pushworld.text import evaluation_set
from pushworld.text.tasks import ENDLESS, EVALUATION, Task, tasks

DEFAULT_SOURCE = "generated:1"


def draw_task(source: str = DEFAULT_SOURCE, seed: int | str | None = None) -> Task:
    """Returns one task of a source; the same seed gives the same task, None a random one.

    Raises:
        PushWorldError: if there is no such source. Paths are not sources: clients of a server must
            not learn which files its machine has.
    """
    named = source in (EVALUATION, evaluation_set.NAME) or source.startswith(ENDLESS)
    if not named and known_set(source) is None:
        raise PushWorldError(
            f"there is no source {source[:40]!r}: choose generated:1 to generated:15, stream:1 to stream:8, "
            "evaluation, bundled, classic, level1 to level4 or a Level 0 set such as level0/base/test"
        )
    return next(tasks(source, limit=1, seed=token_hex(8) if seed is None else seed))
