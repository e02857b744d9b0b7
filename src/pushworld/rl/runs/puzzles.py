"""The puzzles of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from pushworld.datasets import Store, load_set
from pushworld.envs.jax import EnvParams
from pushworld.puzzle import Puzzle
from pushworld.puzzle.canonical import canonical_hash
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.evaluation.agents import Agent, load_agent, pack_for
from pushworld.rl.runs.variations import count_states, random_rooms, with_other_goals


@dataclass(frozen=True)
class RunPuzzles:
    """The puzzles of a run, packed together so that both sets have grids of the same size.

    Attributes:
        params: all packed puzzles, those of the training set first.
        train_params: the same arrays, but episodes start with puzzles of the training set only.
        train, test: the indices of the puzzles that evaluations play.
        played: the shares of both sets that are not too large.
        digest: a hash of the puzzles.
    """

    params: EnvParams
    train_params: EnvParams
    train: Sequence[int]
    test: Sequence[int]
    played: tuple[float, float]
    digest: str

    @classmethod
    def of_puzzles(
        cls, config: RunConfig, train: Sequence[Puzzle], test: Sequence[Puzzle]
    ) -> RunPuzzles:
        """Returns the puzzles of a run, from the puzzles of both sets."""
        texts = [[puzzle.to_pwp() for puzzle in part] for part in (train, test)]
        if not any(puzzle.goal for puzzle in train):
            raise ConfigError(f"no puzzle of {config.train} has a goal: there is nothing to learn")
        digest = sha256(json.dumps(texts).encode()).hexdigest()
        sizes = len(train), len(test)
        train, test = (_small_enough(part, config.max_size) for part in (train, test))
        if not train:
            raise ConfigError(f"max_size is {config.max_size}: all training puzzles are larger")
        given, played = len(train), (len(train) / sizes[0], len(test) / max(1, sizes[1]))
        if config.other_goals:
            tested = {canonical_hash(puzzle) for puzzle in test}
            more = with_other_goals(train, config.other_goals, config.other_goals_states, seed=0)
            train += [copy for copy in more[given:] if canonical_hash(copy) not in tested]
        params = pack_for(config, [*train, *test], _first_agent(config))
        train_params = replace(
            params,
            first_variant=params.first_variant[: len(train)],
            variant_count=params.variant_count[: len(train)],
        )
        indices = np.arange(len(train) + len(test))
        rng = np.random.default_rng(0)
        chosen_train, chosen_test = (
            np.sort(rng.permutation(part)[: config.evaluation_puzzles]).tolist()
            for part in (indices[:given], indices[len(train) :])
        )
        return cls(params, train_params, chosen_train, chosen_test, played, digest)

    @classmethod
    def of_sets(cls, config: RunConfig, store: Store | None = None) -> RunPuzzles:
        """Returns the puzzles of a run, from the sets that its configuration names."""
        train, test = (
            load_set(name, store) if name else [] for name in (config.train, config.test)
        )
        if config.also:
            tested, most = {canonical_hash(puzzle) for puzzle in test}, config.also_states
            more = [puzzle for name in config.also for puzzle in load_set(name, store)]
            more = [puzzle for puzzle in more if most is None or count_states(puzzle) <= most]
            train += [puzzle for puzzle in more if canonical_hash(puzzle) not in tested]
        if config.rooms:
            train += random_rooms(config.rooms, config.imitation.max_states, config.seed)
        return cls.of_puzzles(config, train, test)


def _small_enough(puzzles: Sequence[Puzzle], size: int | None) -> list[Puzzle]:
    """Returns the puzzles that are at most so wide and high."""
    return [each for each in puzzles if size is None or max(each.width, each.height) <= size]


def _first_agent(config: RunConfig) -> Agent | None:
    """Returns an agent that the run starts from; a run that goes on without its file has none."""
    path = config.start_from and Path(config.start_from)
    return load_agent(path) if path and path.exists() else None
