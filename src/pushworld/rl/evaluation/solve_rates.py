"""Solve rates: the episodes that a network plays, and their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import sqrt

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.envs.jax import EnvParams, EnvState, initial_state
from pushworld.puzzle import format_plan
from pushworld.rl.algorithms.learner import Learner, Weights, select, step_all

CONFIDENCE_95 = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95 %."""

MAX_BATCH = 20_000
"""The largest number of episodes in a batch."""


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
        return wilson_interval(self.rate * count, count)


def wilson_interval(successes: float, trials: int) -> tuple[float, float]:
    """Returns the 95 % Wilson interval of a probability, from successes in independent trials."""
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    square = CONFIDENCE_95**2 / trials
    centre = (rate + square / 2) / (1 + square)
    spread = sqrt(rate * (1 - rate) * square + square**2 / 4) / (1 + square)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def evaluate(
    learner: Learner,
    weights: Weights,
    key: jax.Array,
    params: EnvParams,
    puzzles: Sequence[int],
    exploring: bool = False,
) -> Evaluation:
    """Plays one episode with every variant of some puzzles, and returns the episodes.

    Args:
        learner: provides the network and the exploration.
        weights: of the network.
        key: of placements, and of actions if exploring.
        params: the packed puzzles.
        puzzles: the indices of the puzzles to play.
        exploring: whether to take actions as training does, or the best ones.
    """
    first, count = np.asarray(params.first_variant), np.asarray(params.variant_count)
    views = np.concatenate([np.arange(count[i]) for i in puzzles])
    variants = np.repeat(first[list(puzzles)], count[list(puzzles)]) + views
    length = int(params.max_steps)
    size = min(len(variants), MAX_BATCH)
    outcomes = []
    for start in range(0, len(variants), size):
        key, part_key = jax.random.split(key)
        part = np.resize(variants[start : start + size], size).astype(np.int32)
        outcome = _play(learner, length, weights, part_key, part, params, exploring)
        outcomes.append(jax.device_get(outcome))
    solved, steps, actions = (
        np.concatenate(each)[: len(variants)] for each in zip(*outcomes, strict=True)
    )
    return Evaluation(
        puzzles=np.repeat(np.asarray(puzzles, np.int64), count[list(puzzles)]),
        views=views.astype(np.int64),
        solved=solved,
        steps=steps.astype(np.int64),
        actions=actions,
    )


_Playing = tuple[jax.Array, EnvState, jax.Array, jax.Array, jax.Array, jax.Array]


@partial(jax.jit, static_argnums=(0, 1))
def _play(
    learner: Learner,
    length: int,
    weights: Weights,
    key: jax.Array,
    variants: jax.Array,
    params: EnvParams,
    exploring: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns which episodes were solved, their lengths, and their actions (episodes, length)."""
    placement_key, key = jax.random.split(key)
    states = _initial_states(placement_key, variants, params)

    def step(carry: _Playing) -> _Playing:
        key, states, solved, done, taken, number = carry
        key, action_key = jax.random.split(key)
        scores = learner.scores(weights, states, params)
        best = jnp.argmax(scores, axis=-1)
        actions = jnp.where(exploring, learner.explore(action_key, scores), best)
        after, _, ended, info = step_all(states, actions, params)
        solved = solved | (info["terminated"] & ~done)
        taken = taken.at[:, number].set(actions.astype(jnp.int8))
        return key, select(done, states, after), solved, done | ended, taken, number + 1

    none = jnp.zeros(variants.shape, bool)
    nothing = jnp.zeros((variants.shape[0], length), jnp.int8)
    start = (key, states, none, none, nothing, jnp.int32(0))
    _, states, solved, _, taken, _ = jax.lax.while_loop(lambda carry: ~carry[3].all(), step, start)
    return solved, states.steps, taken


def _initial_states(key: jax.Array, variants: jax.Array, params: EnvParams) -> EnvState:
    """Returns the initial states of the variants, placed as in training."""
    if not params.random_placement:
        return jax.vmap(initial_state, (0, None))(variants, params)
    grid = jnp.array([params.frame.width, params.frame.height])
    spare = grid - params.size[variants]
    placements = jax.random.randint(key, spare.shape, 0, spare + 1)
    return jax.vmap(initial_state, (0, None, 0))(variants, params, placements)
