"""Shards: files with the examples of some puzzles of a set, labelled by several processes."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Generator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

import numpy as np

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.datasets.generated import generate, level0_distribution
from pushworld.datasets.generated.rooms import random_room, random_shape, room_plan
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.labels import LabelSettings, label_puzzle, raise_if_interrupted
from pushworld.planners import solve
from pushworld.process import worker_processes
from pushworld.puzzle import Puzzle
from pushworld.puzzle.free_space import free_places

GENERATED = "generated/"
ROOMS = "rooms"
AGENT_WALLS = 0.15
"""The probability that a room has a patch of agent walls."""

LARGE_AGENTS = 0.5
"""The probability that the agent of a room gets a random shape."""

ROOM_SIDES = (5, 16)
"""The shortest and the longest side of a room."""

MIN_PLAN_LENGTH, TIME_LIMIT = 8, 0.1
"""The fewest actions of a room's plan, and the seconds that a planner has to find it."""

SHARD_SIZE = 50
"""The number of puzzles of a shard."""

DEFAULT_NEW_PUZZLES = 1000
"""The number of generated puzzles or rooms if none is given."""


@dataclass(frozen=True)
class Shard:
    """Consecutive puzzles of a set.

    Attributes:
        name: a set or a folder; ``generated/SET`` for new Level 0 puzzles, or ``rooms``.
        first, puzzles: the index of the first puzzle, and the number of puzzles.
        store: a folder of published puzzles, if they are not in the folder of downloads.
    """

    name: str
    first: int
    puzzles: int
    store: Path | None = None

    def file(self, folder: Path) -> Path:
        """Returns the path of its files, without the suffix for each padded size."""
        name = self.name.strip("./").replace("/", ".")  # a leading dot would hide the file
        return folder / f"{name}-{self.first:06}"


@dataclass(frozen=True)
class ShardJob:
    """A job for a process: label the puzzles of a shard, and write the files."""

    shard: Shard
    folder: Path
    settings: LabelSettings

    def run(self) -> tuple[Shard, int]:
        """Writes a file of examples for each padded size; returns the shard and their number."""
        random = np.random.default_rng(self.shard.first)
        parts: dict[int, list[Examples]] = {}
        for puzzle in puzzles_of(self.shard):
            examples = label_puzzle(puzzle, self.settings, random)
            if examples is not None and len(examples):
                parts.setdefault(examples.side, []).append(examples)
        name = self.shard.file(self.folder)
        for side, several in parts.items():
            temporary = name.with_name(f"{name.name}.{side}.new")
            Examples.join(several).save(temporary)
            os.replace(temporary, name.with_name(f"{name.name}.{side}.npz"))
        self._marker.write_text(f"{self.shard.puzzles}\n", encoding="utf-8")
        return self.shard, sum(len(each) for several in parts.values() for each in several)

    @property
    def done(self) -> bool:
        """Whether the files exist already, for as many puzzles."""
        try:
            return int(self._marker.read_text(encoding="utf-8")) >= self.shard.puzzles
        except (OSError, ValueError):
            return False

    @property
    def _marker(self) -> Path:
        name = self.shard.file(self.folder)
        return name.with_name(f"{name.name}.done")


def source_of(path: Path) -> str:
    """Returns the set that a file of examples comes from."""
    return path.name.rsplit("-", 1)[0]


def shards_of(name: str, puzzles: int | None, store: Path | None) -> list[Shard]:
    """Returns the shards of a set: of its first `puzzles` puzzles, or of all; new sets get `puzzles` puzzles."""
    if name.startswith(GENERATED):
        level0_distribution(name.removeprefix(GENERATED))
    if name.startswith(GENERATED) or name == ROOMS:
        count = puzzles or DEFAULT_NEW_PUZZLES
    else:
        count = len(_set(name, store)[:puzzles])
    return [
        Shard(name, first, min(SHARD_SIZE, count - first), store)
        for first in range(0, count, SHARD_SIZE)
    ]


def puzzles_of(shard: Shard) -> list[Puzzle]:
    """Returns the puzzles of a shard."""
    if shard.name.startswith(GENERATED):
        distribution = level0_distribution(shard.name.removeprefix(GENERATED))
        # Puzzles of the training split are never those of the test split.
        made = generate(distribution, shard.puzzles, seed=shard.first, split="train", threads=1)
        return made.puzzles()
    if shard.name == ROOMS:
        random = Random(shard.first)
        return [solvable_room(random) for _ in range(shard.puzzles)]
    return _set(shard.name, shard.store)[shard.first : shard.first + shard.puzzles]


def solvable_room(random: Random) -> Puzzle:
    """Returns a random room with a plan of at least `MIN_PLAN_LENGTH` actions."""
    while True:
        room = varied_room(random)
        found = raise_if_interrupted(solve(room, time_limit=TIME_LIMIT))
        if (found.length or 0) >= MIN_PLAN_LENGTH:
            return room


def varied_room(random: Random) -> Puzzle:
    """Returns a random room with walls, agent walls and random shapes; it may have no plan."""
    width, height = random.randint(*ROOM_SIDES), random.randint(*ROOM_SIDES)
    room = random_room(room_plan(random.randint(1, 2), width, height, AGENT_WALLS), random)
    if random.random() > LARGE_AGENTS:
        return room
    shape = random_shape(random, min(width, height))
    taken = {cell for thing in room.movables for cell in thing.cells_at(thing.start)}
    places = free_places(room, shape, room.walls | room.agent_walls | taken)
    if not places:
        return room
    agent = replace(room.agent, shape=shape, start=random.choice(places))
    return replace(room, objects=(agent, *room.movables))


def make_shards(
    sets: Sequence[Sequence[Shard]],
    folder: Path,
    settings: LabelSettings,
    workers: int,
    seconds: float,
) -> Generator[tuple[Shard, int]]:
    """Labels the shards that have no files yet; yields each shard and its number of examples.

    The sets take turns. Shards that are not finished after the given seconds are left for the next call.
    """
    end = time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    jobs = missing_jobs(sets, folder, settings)
    if workers == 1:
        for job in jobs:
            if time.monotonic() > end:
                return
            yield job.run()
        return
    with worker_processes(workers, "make") as processes:
        results = [processes.submit(job.run) for job in jobs]
        left = None if end == math.inf else end - time.monotonic()
        try:
            for result in as_completed(results, left):
                yield result.result()
        except TimeoutError:
            return


def missing_jobs(
    sets: Sequence[Sequence[Shard]], folder: Path, settings: LabelSettings
) -> list[ShardJob]:
    """Returns the jobs of shards that have no files yet; the sets take turns."""
    in_turn = [shard for turn in zip_longest(*sets) for shard in turn if shard is not None]
    jobs = [ShardJob(shard, folder, settings) for shard in in_turn]
    return [job for job in jobs if not job.done]


@cache
def _set(name: str, store: Path | None) -> list[Puzzle]:
    return load_set(name, Store(store, published_manifest()) if store else None)
