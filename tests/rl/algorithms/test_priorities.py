"""Prioritised sampling against probabilities and weights worked out by hand."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.rl.algorithms.priorities import (
    SMALLEST_ERROR,
    WIDTH,
    first_priority,
    importance_weights,
    priority_of,
    stratified_indices,
    with_priorities,
)

draw = partial(jax.jit, static_argnums=(2, 3))(stratified_indices)


def test_each_range_of_the_sum_gives_one_sample() -> None:
    # Ranges of 1 in a sum of 8: [0, 4) is the entry 1, [4, 5) the entry 3, [5, 8) the entry 4.
    priorities = jnp.array([0.0, 4.0, 0.0, 1.0, 3.0, 0.0])
    for seed in range(5):
        indices, probabilities = draw(jax.random.key(seed), priorities, 1, 8)
        assert indices.tolist() == [1, 1, 1, 1, 3, 4, 4, 4]
        assert probabilities.tolist() == pytest.approx([0.5] * 4 + [0.125] + [0.375] * 3)


def test_ranges_are_dealt_to_the_batches_in_turn() -> None:
    indices, _ = draw(jax.random.key(0), jnp.array([4.0, 2.0, 2.0]), 2, 4)
    assert indices.tolist() == [0, 0, 1, 2, 0, 0, 1, 2]


@pytest.mark.parametrize("capacity", [5, WIDTH + 1, WIDTH**2 + 7, 2**20])
def test_frequencies_are_the_priorities_whatever_the_number_of_levels(capacity: int) -> None:
    rng = np.random.default_rng(capacity)
    priorities = rng.random(capacity) ** 4
    priorities[rng.random(capacity) < 0.3] = 0
    priorities[-1] = 2.0
    count = min(40 * capacity, 20_000)
    indices, probabilities = draw(jax.random.key(1), jnp.asarray(priorities, jnp.float32), 1, count)
    expected = priorities / priorities.sum()
    found = np.bincount(np.asarray(indices), minlength=capacity)
    # Stratified: a share of the sum that spans n ranges gets n - 1 to n + 1 samples.
    assert np.abs(found - expected * count).max() < 2.5
    assert (found[priorities == 0] == 0).all()
    np.testing.assert_allclose(probabilities, expected[np.asarray(indices)], rtol=1e-4)


def test_a_single_transition_is_always_found() -> None:
    for at in (0, 1000, 4095):
        priorities = jnp.zeros(4096).at[at].set(1e-6)
        assert set(draw(jax.random.key(2), priorities, 2, 8)[0].tolist()) == {at}


def test_weights_correct_for_the_probabilities() -> None:
    # Of 4 transitions two have twice the probability of uniform sampling, and one a half of it.
    probabilities = jnp.array([0.5, 0.125, 0.5, 0.5])
    weights = importance_weights(probabilities, jnp.int32(4), 1.0, 2)
    assert weights.tolist() == pytest.approx([0.5 / 2, 1, 1, 1])
    half = importance_weights(probabilities, jnp.int32(4), 0.5, 4)
    assert half.tolist() == pytest.approx([0.5, 1, 0.5, 0.5])
    assert importance_weights(probabilities, jnp.int32(4), 0.0, 4).tolist() == [1] * 4


def test_priorities_are_powers_of_errors() -> None:
    errors = jnp.array([-1.0, 0.25, 0.0])
    found = priority_of(errors, 0.5).tolist()
    assert found == pytest.approx([(abs(e) + SMALLEST_ERROR) ** 0.5 for e in (1, 0.25, 0)])


def test_new_transitions_take_their_share_of_the_samples() -> None:
    assert float(first_priority(jnp.zeros(3), jnp.int32(0))) == 1
    assert float(first_priority(jnp.array([5.0, 0.5, 0.5, 0.0]), jnp.int32(3))) == 2


def test_a_transition_that_was_sampled_twice_keeps_its_larger_priority() -> None:
    before = jnp.array([9.0, 9.0, 9.0, 9.0])
    after = with_priorities(before, jnp.array([2, 0, 2, 2]), jnp.array([1.0, 5.0, 3.0, 2.0]))
    assert after.tolist() == [5, 9, 3, 9]
