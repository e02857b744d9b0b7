"""Solve rates: the episodes that a policy plays, and their confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import jax
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.jax import EnvParams
from pushworld.puzzle import format_plan
from pushworld.rl.algorithms.learner import Learner, Weights
from pushworld.rl.evaluation.playing import play
from pushworld.statistics import Share


@dataclass(frozen=True)
class Evaluation:
    """The episodes of an evaluation: every puzzle under each of its symmetries.

    Attributes:
        puzzles: int (episodes,), the index of the puzzle.
        views: int (episodes,), the index of the puzzle's variant, 0 for the puzzle as given.
        solved: bool (episodes,).
        steps: int (episodes,), the length of the episode.
        actions: int (episodes, max_steps), the actions taken; undefined after the episode's end.
    """

    puzzles: NDArray[np.int64]
    views: NDArray[np.int64]
    solved: NDArray[np.bool_]
    steps: NDArray[np.int64]
    actions: NDArray[np.int8]

    def of(self, puzzles: Sequence[int]) -> Evaluation:
        """Returns the episodes of some of the puzzles."""
        mine = np.isin(self.puzzles, puzzles)
        return Evaluation(*(getattr(self, each.name)[mine] for each in fields(self)))

    def plan(self, episode: int) -> str:
        """Returns the actions of an episode, for the variant of the puzzle that was played."""
        return format_plan(self.actions[episode, : self.steps[episode]].tolist())

    @property
    def rate(self) -> float:
        """The fraction of the episodes that was solved."""
        return float(self.solved.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the rate.

        Episodes of one puzzle under several symmetries are not independent, so each puzzle counts
        as one trial.
        """
        count = len(np.unique(self.puzzles))
        return Share(self.rate * count, count).interval


def joined(parts: Sequence[Evaluation]) -> Evaluation:
    """Returns evaluations of different puzzles as one."""
    names = (each.name for each in fields(Evaluation))
    return Evaluation(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def evaluate(
    learner: Learner,
    weights: Weights,
    key: jax.Array,
    params: EnvParams,
    puzzles: Sequence[int],
    exploring: bool = False,
    remember: bool = False,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Plays one episode with every variant of some puzzles, and returns the episodes.

    Args:
        learner: provides the network and the exploration.
        weights: of the network.
        key: of placements, and of actions if exploring.
        params: the packed puzzles.
        puzzles: the indices of the puzzles to play.
        exploring: whether to take actions as training does, or the best ones.
        remember: whether to take other actions in states that the episode comes back to.
        show: gets the numbers of finished and of all episodes from time to time.
    """
    first, count = np.asarray(params.first_variant), np.asarray(params.variant_count)
    views = np.concatenate([np.arange(count[i]) for i in puzzles])
    variants = np.repeat(first[list(puzzles)], count[list(puzzles)]) + views
    solved, steps, actions = play(
        learner, weights, key, variants.astype(np.int32), params, exploring, remember, show
    )
    return Evaluation(
        puzzles=np.repeat(np.asarray(puzzles, np.int64), count[list(puzzles)]),
        views=views.astype(np.int64),
        solved=solved,
        steps=steps.astype(np.int64),
        actions=actions,
    )
