"""The replay buffer keeps the newest transitions and samples all of them alike."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.jax import EnvState
from pushworld.rl.replay import Replay, empty_replay, insert, sample

CAPACITY = 12


def states(numbers: list[int]) -> EnvState:
    """Returns states that are told apart by their variant."""
    count = len(numbers)
    return EnvState(
        variant=jnp.array(numbers, jnp.int32),
        placement=jnp.zeros((count, 2), jnp.int16),
        positions=jnp.array(numbers, jnp.int16)[:, None, None] * jnp.ones((1, 3, 2), jnp.int16),
        steps=jnp.zeros(count, jnp.int32),
    )


def filled(count: int) -> Replay:
    replay = empty_replay(states([0]), CAPACITY)
    for first in range(0, count, 4):
        numbers = list(range(first, first + 4))
        replay = insert(replay, states(numbers), jnp.array(numbers) % 4)
    return replay


def test_the_oldest_transitions_make_room() -> None:
    assert sorted(filled(20).states.variant.tolist()) == list(range(8, 20))


def test_a_buffer_that_is_not_full_samples_only_what_it_has() -> None:
    drawn, _ = sample(jax.random.key(0), filled(8), 1000)
    assert set(drawn.variant.tolist()) == set(range(8))


def test_states_and_actions_stay_together() -> None:
    drawn, actions = sample(jax.random.key(1), filled(20), 100)
    assert (actions == drawn.variant % 4).all()
    assert (drawn.positions[:, 2, 1] == drawn.variant).all()


def test_samples_are_uniform_and_independent() -> None:
    count = 120_000
    drawn, _ = sample(jax.random.key(2), filled(20), count)
    numbers = np.asarray(drawn.variant) - 8
    expected = count / CAPACITY
    chi_square = ((np.bincount(numbers, minlength=CAPACITY) - expected) ** 2 / expected).sum()
    assert chi_square < 31.3  # 11 degrees of freedom: once in a thousand
    pairs = np.bincount(numbers[:-1] * CAPACITY + numbers[1:], minlength=CAPACITY**2)
    expected = (count - 1) / CAPACITY**2
    assert ((pairs - expected) ** 2 / expected).sum() < 200  # 143 degrees of freedom
