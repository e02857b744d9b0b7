"""Curricula: which training puzzles new episodes get, from how earlier episodes went.

Learnability (SFL, Rutherford et al. 2024) prefers puzzles that are solved sometimes: a puzzle that is
solved with probability p is drawn in proportion to p (1 - p). Replay (PLR, Jiang et al. 2021) ranks
puzzles by how far off the value was, and prefers the highest ranks, and those not seen for long.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from pushworld.envs.jax import EnvParams, EnvState, reset_env
from pushworld.rl.algorithms.devices import ONE_DEVICE, Devices
from pushworld.rl.settings import CurriculumConfig


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Curriculum:
    """What is known of each training puzzle, all of shape (puzzles,).

    Attributes:
        episodes, solved: float32, ended and solved episodes, where old ones count less and less.
        scores: float32, the mean size of the advantages when the puzzle was last played; infinite
            before that.
        seen: int32, the iteration in which it was last played.
    """

    episodes: jax.Array
    solved: jax.Array
    scores: jax.Array
    seen: jax.Array


def first_curriculum(puzzles: int) -> Curriculum:
    """Returns a curriculum that knows nothing yet."""
    nothing = jnp.zeros(puzzles)
    return Curriculum(nothing, nothing, nothing + jnp.inf, jnp.zeros(puzzles, jnp.int32))


def probabilities(
    config: CurriculumConfig, curriculum: Curriculum, iteration: jax.Array
) -> jax.Array:
    """Returns the probabilities of all puzzles in an iteration."""
    if config.kind == "learnability":
        weights = learnability(curriculum)
    else:
        weights = replay_weights(config, curriculum, iteration)
    return (1 - config.uniform) * weights + config.uniform / len(weights)


def learnability(curriculum: Curriculum) -> jax.Array:
    """Returns shares in proportion to p (1 - p).

    The estimate of p counts one more episode, half of it solved: a puzzle that was hardly played
    may be learnable.
    """
    solved = (curriculum.solved + 0.5) / (curriculum.episodes + 1)
    weights = solved * (1 - solved)
    return weights / weights.sum()


def replay_weights(
    config: CurriculumConfig, curriculum: Curriculum, iteration: jax.Array
) -> jax.Array:
    """Returns shares by the rank of the score, and a share for the time since a puzzle was played."""
    order = jnp.argsort(-curriculum.scores)
    ranks = jnp.zeros(len(order)).at[order].set(jnp.arange(1, len(order) + 1, dtype=jnp.float32))
    by_rank = ranks ** (-1 / config.temperature)
    age = jnp.maximum(iteration - curriculum.seen, 0).astype(jnp.float32)
    by_age = jnp.where(age.sum() > 0, age / jnp.maximum(age.sum(), 1), 1 / len(order))
    return (1 - config.staleness) * by_rank / by_rank.sum() + config.staleness * by_age


def after_rollout(
    config: CurriculumConfig,
    curriculum: Curriculum,
    iteration: jax.Array,
    puzzles: jax.Array,
    ended: jax.Array,
    solved: jax.Array,
    valid: jax.Array,
    advantages: jax.Array,
    devices: Devices = ONE_DEVICE,
) -> Curriculum:
    """Returns the curriculum after a rollout.

    Args:
        config: the settings.
        curriculum: the one before.
        iteration: the number of the iteration.
        puzzles: the puzzle of each step.
        ended, solved: whether a step ended an episode, and with a solution.
        valid: whether a step was taken.
        advantages: of all steps.
        devices: those that share the steps.
    """

    def sums(values: jax.Array) -> jax.Array:
        found = jnp.zeros(curriculum.scores.shape).at[puzzles.reshape(-1)].add(values.reshape(-1))
        return devices.sum(found)

    sizes = jnp.where(valid, jnp.abs(advantages), 0)
    steps = sums(valid.astype(jnp.float32))
    played = steps > 0
    return Curriculum(
        episodes=config.memory * curriculum.episodes + sums(ended.astype(jnp.float32)),
        solved=config.memory * curriculum.solved + sums(solved.astype(jnp.float32)),
        scores=jnp.where(played, sums(sizes) / jnp.maximum(steps, 1), curriculum.scores),
        seen=jnp.where(played, iteration, curriculum.seen),
    )


def reset_chosen(key: jax.Array, count: int, params: EnvParams, shares: jax.Array) -> EnvState:
    """Returns the initial states of `count` episodes, with puzzles drawn by their probabilities."""
    puzzle_key, reset_key = jax.random.split(key)
    up_to = jnp.cumsum(shares)
    drawn = jax.random.uniform(puzzle_key, (count,)) * up_to[-1]
    puzzles = jnp.minimum(jnp.searchsorted(up_to, drawn, side="right"), len(shares) - 1)
    keys = jax.random.split(reset_key, count)
    return jax.vmap(reset_env, (0, None, 0))(keys, params, puzzles)
