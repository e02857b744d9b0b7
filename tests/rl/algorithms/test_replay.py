"""The replay buffer keeps the newest transitions and samples all of them alike."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from pushworld.envs.jax import EnvState
from pushworld.rl.algorithms.dqn import (
    Replay,
    empty_replay,
    insert,
    transitions,
    uniform_indices,
)

CAPACITY = 12
SAMPLES = 120_000


def states(numbers: jax.Array) -> EnvState:
    """Returns states that differ in their variant."""
    count = len(numbers)
    return EnvState(
        variant=numbers,
        placement=jnp.zeros((count, 2), jnp.int16),
        positions=numbers.astype(jnp.int16)[:, None, None] * jnp.ones((1, 3, 2), jnp.int16),
        steps=jnp.zeros(count, jnp.int32),
    )


@partial(jax.jit, static_argnums=0)
def filled(count: int) -> Replay:
    """Returns a buffer after `count` insertions, four at a time."""
    replay = empty_replay(states(jnp.zeros(1, jnp.int32)), CAPACITY)
    for first in range(0, count, 4):
        numbers = jnp.arange(first, first + 4)
        replay = insert(replay, states(numbers), numbers % 4)
    return replay


@partial(jax.jit, static_argnums=2)
def sample(key: jax.Array, replay: Replay, count: int) -> tuple[EnvState, jax.Array]:
    return transitions(replay, uniform_indices(key, replay, count))


@pytest.fixture(scope="module")
def full() -> tuple[EnvState, NDArray[np.int32]]:
    """Samples from a buffer that was filled more than once."""
    drawn, actions = sample(jax.random.key(2), filled(20), SAMPLES)
    samples: tuple[EnvState, NDArray[np.int32]] = jax.device_get((drawn, actions))
    return samples


def test_the_oldest_transitions_are_overwritten() -> None:
    assert sorted(filled(20).states.variant.tolist()) == list(range(8, 20))


def test_a_buffer_that_is_not_full_samples_only_what_it_has() -> None:
    drawn, _ = sample(jax.random.key(0), filled(8), SAMPLES)
    assert set(drawn.variant.tolist()) == set(range(8))


def test_states_and_actions_stay_together(full: tuple[EnvState, NDArray[np.int32]]) -> None:
    drawn, actions = full
    assert (actions == drawn.variant % 4).all()
    assert (drawn.positions[:, 2, 1] == drawn.variant).all()


def test_samples_are_uniform_and_independent(full: tuple[EnvState, NDArray[np.int32]]) -> None:
    numbers = np.asarray(full[0].variant) - 8
    expected = SAMPLES / CAPACITY
    chi_square = ((np.bincount(numbers, minlength=CAPACITY) - expected) ** 2 / expected).sum()
    assert chi_square < 31.3  # 11 degrees of freedom: once in a thousand
    pairs = np.bincount(numbers[:-1] * CAPACITY + numbers[1:], minlength=CAPACITY**2)
    expected = (SAMPLES - 1) / CAPACITY**2
    assert ((pairs - expected) ** 2 / expected).sum() < 200  # 143 degrees of freedom
