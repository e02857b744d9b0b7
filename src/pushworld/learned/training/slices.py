"""Files of examples, made by several processes; what exists already is not made again."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
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
from pushworld.learned.training.making import Teaching, examples_of, uninterrupted
from pushworld.planners import solve
from pushworld.process import worker_processes
from pushworld.puzzle import Puzzle
from pushworld.puzzle.free_space import free_places

GENERATED = "generated/"
ROOMS = "rooms"
AGENT_WALLS = 0.15
"""How likely a room has a patch of agent walls."""

LARGE_AGENTS = 0.5
"""How likely the agent of a room gets a shape like those of movables."""

ROOM_SIDES = (5, 16)
"""The shortest and the longest side of a room."""

MIN_LENGTH, MAX_SECONDS = 8, 0.1
"""Of the plans of rooms: how many actions they have, and how long they may take to be found."""

SLICE = 50
"""How many puzzles a file is made of."""


@dataclass(frozen=True)
class Slice:
    """Some puzzles of a set, one after the other.

    Attributes:
        name: of a set or a folder; ``generated/SET`` for new puzzles of Level 0, or ``rooms``.
        first, puzzles: where it begins, and how many puzzles it has.
        store: a folder of published puzzles, if they are not where downloads go.
    """

    name: str
    first: int
    puzzles: int
    store: Path | None = None

    def file(self, folder: Path) -> Path:
        """Returns where its examples are, without what follows for each size of world."""
        name = self.name.strip("./").replace("/", ".")  # no name of a hidden file
        return folder / f"{name}-{self.first:06}"


@dataclass(frozen=True)
class Making:
    """A job for a process: the examples of a slice, in a folder."""

    slice: Slice
    folder: Path
    teaching: Teaching

    def run(self) -> tuple[Slice, int]:
        """Writes the examples of each size of world to a file; returns the slice and their number."""
        random = np.random.default_rng(self.slice.first)
        parts: dict[int, list[Examples]] = {}
        for puzzle in puzzles_of(self.slice):
            examples = examples_of(puzzle, self.teaching, random)
            if examples is not None and len(examples):
                parts.setdefault(examples.side, []).append(examples)
        name = self.slice.file(self.folder)
        for side, several in parts.items():
            temporary = name.with_name(f"{name.name}.{side}.new")
            Examples.join(several).save(temporary)
            os.replace(temporary, name.with_name(f"{name.name}.{side}.npz"))
        self._mark.write_text(f"{self.slice.puzzles}\n", encoding="utf-8")
        return self.slice, sum(len(each) for several in parts.values() for each in several)

    @property
    def done(self) -> bool:
        """Whether it was run before, with as many puzzles."""
        try:
            return int(self._mark.read_text(encoding="utf-8")) >= self.slice.puzzles
        except (OSError, ValueError):
            return False

    @property
    def _mark(self) -> Path:
        name = self.slice.file(self.folder)
        return name.with_name(f"{name.name}.done")


def source_of(path: Path) -> str:
    """Returns the set that a file of examples was made of."""
    return path.name.rsplit("-", 1)[0]


def slices_of(name: str, puzzles: int | None, store: Path | None) -> list[Slice]:
    """Returns the slices of a set: of all puzzles, of some, or of so many new ones."""
    if name.startswith(GENERATED):
        level0_distribution(name.removeprefix(GENERATED))
    if name.startswith(GENERATED) or name == ROOMS:
        count = puzzles or 1000
    else:
        count = len(_set(name, store)[:puzzles])
    return [
        Slice(name, first, min(SLICE, count - first), store) for first in range(0, count, SLICE)
    ]


def puzzles_of(part: Slice) -> list[Puzzle]:
    """Returns the puzzles of a slice."""
    if part.name.startswith(GENERATED):
        distribution = level0_distribution(part.name.removeprefix(GENERATED))
        # The split of the stream keeps its puzzles apart from those that tests draw from it.
        made = generate(distribution, part.puzzles, seed=part.first, split="train", threads=1)
        return made.puzzles()
    if part.name == ROOMS:
        random = Random(part.first)
        return [solvable_world(random) for _ in range(part.puzzles)]
    return _set(part.name, part.store)[part.first : part.first + part.puzzles]


def solvable_world(random: Random) -> Puzzle:
    """Returns a random room with a plan that is not very short."""
    while True:
        world = random_world(random)
        found = uninterrupted(solve(world, time_limit=MAX_SECONDS))
        if (found.length or 0) >= MIN_LENGTH:
            return world


def random_world(random: Random) -> Puzzle:
    """Returns a random room with walls of both kinds, and odd shapes; it may have no plan."""
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


def make_slices(
    sets: Sequence[Sequence[Slice]],
    folder: Path,
    teaching: Teaching,
    workers: int,
    seconds: float,
) -> Iterator[tuple[Slice, int]]:
    """Yields each slice and how many examples it gave; a slice of each set in turn.

    What is not made when the time is over is left for the next time.
    """
    end = time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    jobs = missing(sets, folder, teaching)
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


def missing(sets: Sequence[Sequence[Slice]], folder: Path, teaching: Teaching) -> list[Making]:
    """Returns what is left to make, a slice of each set in turn."""
    in_turn = [each for several in zip_longest(*sets) for each in several if each is not None]
    jobs = [Making(each, folder, teaching) for each in in_turn]
    return [job for job in jobs if not job.done]


@cache
def _set(name: str, store: Path | None) -> list[Puzzle]:
    return load_set(name, Store(store, published_manifest()) if store else None)
