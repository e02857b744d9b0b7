"""Shards: files with the examples of some puzzles of a set, labelled by several processes."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.datasets.generated import generate, level0_distribution
from pushworld.datasets.journal import replaced
from pushworld.learned.training.examples import Examples
from pushworld.learned.training.labels import SIDES, LabelSettings, label_puzzle
from pushworld.learned.training.rooms import KINDS, solved_room
from pushworld.learned.training.solved_sets import Solved, load_solved_set
from pushworld.process import worker_processes
from pushworld.puzzle import PushWorldError
from pushworld.puzzle.canonical import canonical_hash

GENERATED = "generated/"

SHARD_SIZE = 50
"""The number of puzzles of a shard."""

DEFAULT_NEW_PUZZLES = 1000
"""The number of generated puzzles or rooms if none is given."""


@dataclass(frozen=True)
class Shard:
    """Consecutive puzzles of a set.

    Attributes:
        name: a set or a folder; ``generated/SET`` for new Level 0 puzzles, or a kind of rooms.
        first, puzzles: the index of the first puzzle, and the number of puzzles.
        store: a folder of published puzzles, if they are not in the folder of downloads.
        held_out: sets whose puzzles are left out, in any symmetry.
    """

    name: str
    first: int
    puzzles: int
    store: Path | None = None
    held_out: tuple[str, ...] = ()

    def file(self, folder: Path) -> Path:
        """Returns the path of its files, without the suffix for each padded size."""
        name = self.name.strip("./").replace("/", ".")  # a leading dot would hide the file
        return folder / f"{name}-{self.first:06}"

    @property
    def held_out_digests(self) -> dict[str, str]:
        """A digest of the puzzles of each set that is left out, by its name."""
        return {name: _digest(sorted(_hashes(name, self.store))) for name in self.held_out}


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
        for puzzle, plan in puzzles_of(self.shard):
            examples = label_puzzle(puzzle, self.settings, random, plan)
            if examples is not None and len(examples):
                parts.setdefault(examples.side, []).append(examples)
        for old in (self._file("done"), *(self._file(f"{side}.npz") for side in SIDES)):
            old.unlink(missing_ok=True)
        for side, several in parts.items():
            with replaced(self._file(f"{side}.npz")) as file:
                Examples.join(several).save(file)
        marker = {"puzzles": self.shard.puzzles, "request": self._request(self.shard.puzzles)}
        self._file("done").write_text(json.dumps(marker) + "\n", encoding="utf-8")
        return self.shard, sum(len(each) for several in parts.values() for each in several)

    @property
    def done(self) -> bool:
        """Whether the files exist already, for at least as many puzzles.

        Raises:
            PushWorldError: if they were made with other settings, or of other puzzles.
        """
        try:
            marker = json.loads(self._file("done").read_text(encoding="utf-8"))
            puzzles, found = int(marker["puzzles"]), dict(marker["request"])
        except (OSError, ValueError, TypeError, KeyError):
            return False
        request = self._request(puzzles)
        differing = [key for key in request if request[key] != found.get(key)]
        if differing:
            raise PushWorldError(
                f"{self._file('*.npz')} was made for another request, with another "
                f"{' and '.join(differing)}: name another folder"
            )
        return puzzles >= self.shard.puzzles

    def _request(self, puzzles: int) -> dict[str, Any]:
        """Returns what the first puzzles of the shard are made from, as data for JSON."""
        return {
            **asdict(self.settings),
            "held_out": self.shard.held_out_digests,
            "content": _content(replace(self.shard, puzzles=puzzles)),
        }

    def _file(self, suffix: str) -> Path:
        name = self.shard.file(self.folder)
        return name.with_name(f"{name.name}.{suffix}")


def source_of(path: Path) -> str:
    """Returns the set that a file of examples comes from."""
    return path.name.rsplit("-", 1)[0]


def shards_of(
    name: str, puzzles: int | None, store: Path | None, held_out: tuple[str, ...] = ()
) -> list[Shard]:
    """Returns the shards of a set: of its first `puzzles` puzzles, or of all; new sets get `puzzles` puzzles."""
    if name.startswith(GENERATED):
        level0_distribution(name.removeprefix(GENERATED))
    count = puzzles or DEFAULT_NEW_PUZZLES if _is_new(name) else len(_set(name, store)[:puzzles])
    return [
        Shard(name, first, min(SHARD_SIZE, count - first), store, held_out)
        for first in range(0, count, SHARD_SIZE)
    ]


def puzzles_of(shard: Shard) -> list[Solved]:
    """Returns the puzzles of a shard without those that are held out, with the plans that are known."""
    held_out = {each for name in shard.held_out for each in _hashes(name, shard.store)}
    return [
        each
        for each in _all_puzzles_of(shard)
        if not held_out or canonical_hash(each.puzzle) not in held_out
    ]


def _all_puzzles_of(shard: Shard) -> list[Solved]:
    if shard.name.startswith(GENERATED):
        distribution = level0_distribution(shard.name.removeprefix(GENERATED))
        # Puzzles of the training split are never those of the test split.
        made = generate(distribution, shard.puzzles, seed=shard.first, split="train", threads=1)
        return [Solved(puzzle) for puzzle in made.puzzles()]
    if shard.name in KINDS:
        random = Random(shard.first)
        return [Solved(*solved_room(KINDS[shard.name], random)) for _ in range(shard.puzzles)]
    return _set(shard.name, shard.store)[shard.first : shard.first + shard.puzzles]


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


def _is_new(name: str) -> bool:
    return name.startswith(GENERATED) or name in KINDS


def _content(shard: Shard) -> str | None:
    """Returns a digest of the puzzles of a set or folder; new puzzles follow from the name of their set."""
    if _is_new(shard.name):
        return None
    return _digest(each.puzzle.to_pwp() for each in _all_puzzles_of(shard))


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@cache
def _set(name: str, store: Path | None) -> list[Solved]:
    return load_solved_set(name, _store(store))


@cache
def _hashes(name: str, store: Path | None) -> frozenset[str]:
    return frozenset(canonical_hash(puzzle) for puzzle in load_set(name, _store(store)))


def _store(folder: Path | None) -> Store | None:
    return Store(folder, published_manifest()) if folder else None
