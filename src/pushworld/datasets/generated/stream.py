"""Endless streams of puzzles from a distribution, each with a shortest plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import RLock
from typing import Literal, cast, get_args

from pushworld.datasets.errors import DataError
from pushworld.datasets.generated.distribution import PuzzleDistribution
from pushworld.datasets.generated.level0_distributions import level0_distribution
from pushworld.datasets.generated.puzzle_batch import PuzzleBatch
from pushworld.machine import usable_cores
from pushworld.puzzle import Puzzle

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
        batches: list[PuzzleBatch] = []
        missing = count
        with self._lock:
            while missing:
                batches.append(
                    PuzzleBatch(**self._native.take(missing, MAX_FRUITLESS_DRAWS, self.threads))
                )
                if not len(batches[-1]):
                    raise DataError(
                        f"none of {MAX_FRUITLESS_DRAWS:,} draws in a row gave a new puzzle: there are no "
                        f"more of them, or hardly any ({self._why_not()}); ask for fewer or change the "
                        "distribution"
                    )
                missing -= len(batches[-1])
        return batches[0] if len(batches) == 1 else PuzzleBatch.join(batches)

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
    for split in get_args(Split):
        if split == name:
            return cast(Split, split)
    raise DataError(f"there is no split {name!r}: say {', '.join(get_args(Split))}")
