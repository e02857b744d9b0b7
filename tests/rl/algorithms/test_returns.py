"""Advantages against the definition, worked out by hand and by a plain loop."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.rl.algorithms.returns import generalised_advantages, normalise

LENGTH = 40
COMPILED = jax.jit(generalised_advantages)


def advantages(
    rewards: list[float],
    values: list[float],
    terminated: list[bool],
    valid: list[bool],
    last_value: float,
    discount: float,
    gae_lambda: float,
) -> list[float]:
    """Returns the advantages of one environment, after steps that do not matter.

    All rollouts have the same length, so that one program serves all tests.
    """
    before = LENGTH - len(rewards)
    numbers = [np.array([1.0] * before + each, np.float32)[:, None] for each in (rewards, values)]
    marks = [np.array([True] * before + each)[:, None] for each in (terminated, valid)]
    last = np.array([last_value], np.float32)
    result = COMPILED(*numbers, *marks, last, discount, gae_lambda)
    return [float(each) for each in result[before:, 0]]


def test_an_unfinished_episode_is_bootstrapped_with_the_value_after_it() -> None:
    # delta_1 = 2 + 0.5 * 8 - 4 = 2; delta_0 = 1 + 0.5 * 4 - 3 = 0; A_0 = 0 + 0.5 * 0.5 * 2.
    found = advantages([1, 2], [3, 4], [False] * 2, [True] * 2, 8, 0.5, 0.5)
    assert found == pytest.approx([0.5, 2])


def test_nothing_follows_a_termination() -> None:
    # The step that terminates: 10 - 4 = 6. What comes after belongs to another episode.
    found = advantages([1, 10, 5], [3, 4, 100], [False, True, False], [True] * 3, 1000, 0.5, 0.5)
    assert found[1] == pytest.approx(6)
    assert found[0] == pytest.approx(1 + 0.5 * 4 - 3 + 0.25 * 6)


def test_a_truncation_is_bootstrapped_and_its_last_state_is_no_step() -> None:
    # The second entry truncates; the third holds the last state, worth 20; the fourth is new.
    found = advantages(
        [1, 2, 99, 7], [3, 4, 20, 50], [False] * 4, [True, True, False, True], 0, 0.5, 0.5
    )
    assert found[3] == pytest.approx(7 - 50)
    assert found[2] == 0
    assert found[1] == pytest.approx(2 + 0.5 * 20 - 4)
    assert found[0] == pytest.approx(1 + 0.5 * 4 - 3 + 0.25 * found[1])


def test_lambda_1_gives_discounted_returns_less_values() -> None:
    rng = np.random.default_rng(0)
    length, discount = LENGTH, 0.9
    rewards, values = rng.normal(size=length), rng.normal(size=length)
    terminated = rng.random(length) < 0.1
    valid = np.ones(length, bool)
    valid[[7, 21]] = False
    terminated[[6, 7, 20, 21]] = False
    last_value = 0.7
    found = advantages(
        list(rewards), list(values), list(terminated), list(valid), last_value, discount, 1.0
    )
    for start in np.flatnonzero(valid):
        total, factor, step = 0.0, 1.0, start
        while step < length and valid[step]:
            total += factor * rewards[step]
            factor *= discount
            if terminated[step]:
                break
            step += 1
        else:
            total += factor * (values[step] if step < length else last_value)
        assert found[start] == pytest.approx(total - values[start], abs=1e-5)


def test_normalising_uses_valid_steps_only() -> None:
    values = jnp.array([[1.0, 3.0], [1000.0, 5.0]])
    valid = jnp.array([[True, True], [False, True]])
    found = np.asarray(normalise(values, valid))
    assert found[1, 0] == 0
    assert found[np.asarray(valid)] == pytest.approx(np.array([-2, 0, 2]) / np.sqrt(8 / 3))


def test_normalising_equal_advantages_gives_zeros() -> None:
    assert not np.asarray(normalise(jnp.full((2, 2), 3.0), jnp.ones((2, 2), bool))).any()
