"""The tasks of a benchmark: puzzles with the levels under which they are counted."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pushworld.bench.records import TaskKey
from pushworld.datasets import (
    bundled_puzzles,
    classic_puzzles,
    frontier_puzzles,
    heldout_puzzles,
    load_set,
    published_manifest,
)
from pushworld.datasets.sets import known_set, puzzle_files
from pushworld.puzzle import PushWorldError, Puzzle


@dataclass(frozen=True)
class Task:
    """A puzzle and the level under which it is counted."""

    level: str
    puzzle: Puzzle

    @property
    def key(self) -> TaskKey:
        return TaskKey(self.level, self.puzzle.name, digest_of(self.puzzle))


def digest_of(puzzle: Puzzle) -> str:
    """Returns a digest of the puzzle's content."""
    return hashlib.sha256(puzzle.to_pwp().encode()).hexdigest()[:12]


def choose_tasks(
    names: Iterable[str | os.PathLike[str] | Puzzle | Task], every: int = 1
) -> list[Task]:
    """Returns the puzzles that have goals, without repetition, or the first of every N; raises PushWorldError.

    A puzzle's level is its folder, or else its set; ``classic`` has four levels.
    """
    named = list(names)
    tasks: dict[TaskKey, Task] = {}
    for name in named:
        for task in _tasks_of(name):
            if task.puzzle.goal:
                tasks.setdefault(task.key, task)
    if not tasks:
        raise PushWorldError(f"no puzzle of {', '.join(map(str, named)) or 'none'} has goals")
    return list(tasks.values())[::every]


def _tasks_of(source: str | os.PathLike[str] | Puzzle | Task) -> list[Task]:
    if isinstance(source, Puzzle):
        return [Task("puzzles", source)]
    if isinstance(source, Task):
        return [source]
    name, path = os.fspath(source), Path(source)
    full_name = known_set(name)
    if full_name is None and path.is_dir():
        files = puzzle_files(path)
        return [Task(file.resolve().parent.name, Puzzle.load(file)) for file in files]
    puzzles = load_set(name)
    if full_name is None and path.is_file():
        return [Task(path.resolve().parent.name, puzzle) for puzzle in puzzles]
    homes = {each.name: "bundled" for each in bundled_puzzles()}
    homes |= {each.name: f"classic-{each.level}" for each in classic_puzzles()}
    presses = (*frontier_puzzles(), *heldout_puzzles())
    homes |= {each.name: f"{each.folder}-{each.press}" for each in presses}
    homes |= {entry.name: entry.level for entry in published_manifest().puzzles}
    return [Task(homes.get(puzzle.name, full_name or name), puzzle) for puzzle in puzzles]
