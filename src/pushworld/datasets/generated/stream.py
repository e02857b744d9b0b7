"""Endless streams of puzzles from a distribution, each with a shortest plan, and batches of them as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from pushworld.datasets.errors import DataError
from pushworld.datasets.generated.distribution import PuzzleDistribution, level0_distribution
from pushworld.machine import usable_cores
from pushworld.puzzle import Puzzle, PuzzleObject, format_plan

NO_ACTION = 255


@dataclass(frozen=True, eq=False)
class PuzzleBatch:
    """Puzzles and their shortest plans as arrays; the first axis of every array counts puzzles.

    A puzzle stands in the top-left corner of the largest world of the distribution; the rest is
    wall. Objects are in the order of ``Puzzle.objects``: the agent, those with goals, the others.
    Coordinates are (x, y) with the border included. Unused entries are -1.

    Attributes:
        sizes: int16 (n, 2): width and height.
        walls: uint8 (n, height, width): 1 where a wall is, the border included.
        cells: int16 (n, objects, cells, 2): the shape of each object, relative to its position.
        positions: int16 (n, objects, 2): the initial state.
        goals: int16 (n, objects, 2): the goal positions.
        plans: uint8 (n, longest plan): a shortest plan, padded with `NO_ACTION`.
        lengths: int32 (n,): the length of the plan.
        candidates: uint64 (n,): the number of the draw that gave the puzzle.
        hashes: uint64 (n,): a hash that the eight symmetric forms of a puzzle share.
    """

    sizes: NDArray[np.int16]
    walls: NDArray[np.uint8]
    cells: NDArray[np.int16]
    positions: NDArray[np.int16]
    goals: NDArray[np.int16]
    plans: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    candidates: NDArray[np.uint64]
    hashes: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.lengths)

    def plan(self, index: int) -> str:
        """Returns the shortest plan of a puzzle as a string over LRUD."""
        return format_plan(self.plans[index, : self.lengths[index]].tolist())

    def puzzle(self, index: int, name: str = "") -> Puzzle:
        """Returns a puzzle of the batch."""
        width, height = self.sizes[index].tolist()
        rows, columns = np.nonzero(self.walls[index, :height, :width])
        objects = []
        things = (each[index].tolist() for each in (self.cells, self.positions, self.goals))
        for number, (cells, start, goal) in enumerate(zip(*things, strict=True)):
            if start[0] < 0:
                break
            shape = tuple((x, y) for x, y in cells if x >= 0)
            objects.append(
                PuzzleObject(
                    name=f"M{number}" if number else "A",
                    shape=shape,
                    start=(start[0], start[1]),
                    goal=(goal[0], goal[1]) if goal[0] >= 0 else None,
                )
            )
        walls = frozenset(zip(columns.tolist(), rows.tolist(), strict=True))
        return Puzzle(width, height, tuple(objects), walls, name=name)

    def puzzles(self) -> list[Puzzle]:
        """Returns all puzzles of the batch."""
        return [self.puzzle(index) for index in range(len(self))]


Split = Literal["any", "train", "test"]
"""A puzzle and all its symmetric forms belong to either train or test, whatever the seed."""

MAX_SEED = 2**64 - 1
MOST_THREADS = 1000
BATCH = 256
MAX_FRUITLESS_DRAWS = 1_000_000
"""After this number of candidates in a row without a new puzzle, a stream counts as exhausted."""


class PuzzleStream:
    """An endless sequence of different, solvable puzzles.

    The sequence depends only on the distribution, the seed and the split, not on the machine, the
    number of threads or the batch sizes. No two puzzles are the same up to rotations, flips and
    object names, and the splits ``train`` and ``test`` share no puzzle. Threads may share a stream:
    each of their batches is a part of the sequence.

        >>> stream = PuzzleStream("base", seed=7)
        >>> batch = stream.batch(32)
        >>> puzzle, plan = batch.puzzle(0), batch.plan(0)
    """

    def __init__(
        self,
        distribution: PuzzleDistribution | str,
        seed: int = 0,
        split: Split = "any",
        threads: int | None = None,
        first_candidate: int = 0,
        made_before: Sequence[int] = (),
    ) -> None:
        """Creates the stream.

        Args:
            distribution: the distribution, or the name of a Level 0 set of the paper.
            seed: a number of 0 to 2**64 - 1.
            split: ``any`` for puzzles of both splits.
            threads: the number of cores to use; all of them if not given.
            first_candidate, made_before: to continue another stream, the number after its last
                candidate and the hashes of all its puzzles.
        """
        if not 0 <= seed <= MAX_SEED:
            raise DataError(f"the seed is {seed}: it must be 0 to {MAX_SEED}")
        if threads is not None and not 1 <= threads <= MOST_THREADS:
            raise DataError(f"the number of threads must be 1 to {MOST_THREADS}, not {threads}")
        if isinstance(distribution, str):
            distribution = level0_distribution(distribution)
        self.distribution = distribution
        self.threads = threads or usable_cores()
        self._native = distribution.native_stream(
            seed, as_split(split), first_candidate, made_before
        )
        self._lock = RLock()  # of the native stream, which only one thread may use at a time

    def batch(self, count: int) -> PuzzleBatch:
        """Returns the next puzzles.

        Raises:
            DataError: if the distribution has no more puzzles, or they are too rare to be found.
        """
        if count < 1:
            raise DataError(f"a batch has at least 1 puzzle, not {count}")
        with self._lock:
            batch = PuzzleBatch(**self._native.take(count, MAX_FRUITLESS_DRAWS, self.threads))
        if len(batch) < count:
            raise DataError(
                f"none of {MAX_FRUITLESS_DRAWS:,} draws in a row gave a new puzzle: there are no "
                f"more of them, or hardly any ({self._why_not()}); ask for fewer or change the "
                "distribution"
            )
        return batch

    def __iter__(self) -> Iterator[tuple[Puzzle, str]]:
        """Yields puzzles with shortest plans, endlessly."""
        while True:
            batch = self.batch(BATCH)
            for index in range(len(batch)):
                yield batch.puzzle(index), batch.plan(index)

    @property
    def tally(self) -> dict[str, int]:
        """The number of candidates drawn, and the numbers of those rejected, by reason."""
        with self._lock:
            return self._native.tally()

    def _why_not(self) -> str:
        counts = self.tally
        del counts["candidates"]
        return ", ".join(f"{word.replace('_', ' ')} {count:,}" for word, count in counts.items())


def generate(
    distribution: PuzzleDistribution | str,
    count: int,
    *,
    seed: int = 0,
    split: Split = "any",
    threads: int | None = None,
) -> PuzzleBatch:
    """Returns the first `count` puzzles of a stream; see `PuzzleStream`."""
    return PuzzleStream(distribution, seed, split, threads).batch(count)


def as_split(name: str) -> Split:
    """Returns the split with a name, or raises DataError if there is none."""
    if name not in get_args(Split):
        raise DataError(f"there is no split {name!r}: say {', '.join(get_args(Split))}")
    return cast(Split, name)
