"""The tasks that settings name."""

from __future__ import annotations

from dataclasses import replace

from pushworld.puzzle import PushWorldError
from pushworld.text import Task, all_asked, tasks
from pushworld.text.evaluation.settings import Settings, hidden_seed


def tasks_of(settings: Settings, seed: str | None = None) -> dict[str, Task]:
    """Returns the tasks of an evaluation by their keys: each puzzle with each question and each sample.

    Args:
        settings: which tasks.
        seed: the private seed, if the settings have one.

    Raises:
        PushWorldError: if there are none, they have no end, or the seed is another.
    """
    if settings.private and (seed is None or hidden_seed(seed) != settings.tasks_seed):
        raise PushWorldError("the tasks come from a private seed, and this is not it")
    chosen = settings.tasks_seed if seed is None else seed
    found: dict[str, Task] = {}
    if settings.endless and settings.limit is None:
        raise PushWorldError("generated tasks have no end: say how many with --limit")
    for source in settings.sources:
        for each in all_asked(tasks(source, limit=settings.limit, seed=chosen), settings.asks):
            for sample in range(settings.samples):
                found.setdefault((one := replace(each, sample=sample)).key, one)
    if not found:
        raise PushWorldError("there are no tasks: name a set, such as evaluation")
    return found
