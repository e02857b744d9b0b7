"""The targets and the exploration of DQN, worked out by hand, and what it learns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest

from pushworld.envs.jax import EnvParams, pack
from pushworld.puzzle import Action, Puzzle
from pushworld.rl.algorithms.dqn import epsilon_greedy, make_dqn, training_epsilons
from pushworld.rl.algorithms.learner import (
    Learner,
    Weights,
    compile_iterations,
    initial_training_state,
    reset_all,
)
from pushworld.rl.algorithms.returns import one_step_targets, widen_gaps
from pushworld.rl.settings import DQNConfig, NetworkConfig

NEXT = jnp.array([[1.0, 5.0, 2.0, 0.0], [1.0, 5.0, 2.0, 0.0], [-4.0, -3.0, -2.0, -1.0]])
NETWORK = NetworkConfig("small", channels=2, hidden=(8,))
SETTINGS = DQNConfig(
    environments=32,
    batch=64,
    replay=128,
    warm_up=64,
    target_period=3,
    epsilon=1.0,
    learning_rate=1e-2,
    discount=0.5,
)


@pytest.fixture(scope="module")
def one_step_episodes() -> EnvParams:
    """A puzzle that one action solves; the other actions change nothing, and end the episode."""
    return pack([Puzzle.parse("A M1 G1")], max_steps=1, symmetries=False)


def start(learner: Learner, params: EnvParams) -> Any:
    return initial_training_state(learner, jax.random.key(0), params)


def test_a_terminating_step_has_its_reward_and_others_bootstrap() -> None:
    rewards, terminated = jnp.array([10.0, -0.01, -0.01]), jnp.array([True, False, False])
    targets = one_step_targets(rewards, terminated, NEXT, NEXT, 0.5)
    assert targets.tolist() == pytest.approx([10, -0.01 + 0.5 * 5, -0.01 + 0.5 * -1])


def test_one_network_selects_the_action_that_the_other_evaluates() -> None:
    selection = jnp.array([[0.0, 0.0, 1.0, 0.0], [9.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    targets = one_step_targets(jnp.zeros(3), jnp.zeros(3, bool), NEXT, selection, 1.0)
    assert targets.tolist() == [2, 1, -3]


def test_gaps_between_actions_widen_and_best_values_stay() -> None:
    """In a corridor of five cells with the goal at its right end: values of steps to the left and right."""
    cells, actions = jnp.repeat(jnp.arange(5), 2), jnp.tile(jnp.arange(2), 5)
    after = jnp.clip(cells + 2 * actions - 1, 0, 5)
    ends = after == 5

    def fixed_point(share: float) -> jax.Array:
        def sweep(_: int, values: jax.Array) -> jax.Array:
            targets = one_step_targets(ends.astype(float), ends, values[after], values[after], 0.5)
            wider = widen_gaps(targets, values[cells], actions, share)
            return values.at[cells, actions].set(wider)

        values: jax.Array = jax.lax.fori_loop(0, 200, sweep, jnp.zeros((6, 2)))
        return values[:5]

    plain, wide = fixed_point(0.0), fixed_point(0.75)
    np.testing.assert_allclose(plain[:, 1], 0.5 ** np.arange(4, -1, -1), rtol=1e-5)
    np.testing.assert_allclose(wide[:, 1], plain[:, 1], rtol=1e-5)
    np.testing.assert_allclose(wide[:, 1] - wide[:, 0], 4 * (plain[:, 1] - plain[:, 0]), rtol=1e-4)


def test_epsilon_is_how_often_an_action_is_random() -> None:
    values = np.tile(np.array([[0.0, 3.0, 1.0, 2.0]], np.float32), (20_000, 1))
    act = jax.jit(epsilon_greedy)
    chosen = np.asarray(act(jax.random.key(0), values, 0.2))
    shares = np.bincount(chosen, minlength=4) / len(chosen)
    assert shares == pytest.approx([0.05, 0.85, 0.05, 0.05], abs=0.01)
    assert set(np.asarray(act(jax.random.key(0), values, 0.0)).tolist()) == {1}


def test_environments_explore_from_epsilon_to_the_largest_in_equal_ratios() -> None:
    settings = DQNConfig(epsilon=0.1, largest_epsilon=0.8)
    assert training_epsilons(settings, 4).tolist() == pytest.approx([0.1, 0.2, 0.4, 0.8])
    assert training_epsilons(DQNConfig(epsilon=0.0), 2).tolist() == [0, 0]
    values = np.tile(np.array([[0.0, 3.0, 1.0, 2.0]], np.float32), (20_000, 1))
    epsilons = training_epsilons(settings, 20_000)
    best = np.asarray(epsilon_greedy(jax.random.key(0), jnp.asarray(values), epsilons)) == 1
    assert best[:2000].mean() == pytest.approx(1 - 0.75 * epsilons[:2000].mean(), abs=0.02)
    assert best[-2000:].mean() == pytest.approx(1 - 0.75 * epsilons[-2000:].mean(), abs=0.04)


@pytest.mark.parametrize(("gap", "other"), [(0.0, -0.01 + 0.5 * 1), (0.5, 1 - (1 - 0.49) / 0.5)])
@pytest.mark.large
def test_truncated_steps_bootstrap_rewards_are_clipped_and_gaps_widened(
    gap: float, other: float, one_step_episodes: EnvParams
) -> None:
    settings = msgspec.structs.replace(SETTINGS, action_gap=gap)
    learner = make_dqn(NETWORK, settings)
    state, iterate = start(learner, one_step_episodes), compile_iterations(learner, 1)
    for _ in range(300):
        state, _ = iterate(state, one_step_episodes)

    @jax.jit
    def values(weights: Weights) -> jax.Array:
        states = reset_all(jax.random.key(0), 1, one_step_episodes)
        return learner.scores(weights, states, one_step_episodes)[0]

    expected = [1.0 if action is Action.RIGHT else other for action in Action]
    assert values(state.weights).tolist() == pytest.approx(expected, abs=0.01)


def test_the_target_network_is_copied_and_the_oldest_transitions_are_overwritten(
    one_step_episodes: EnvParams,
) -> None:
    learner = make_dqn(NETWORK, SETTINGS)
    state = start(learner, one_step_episodes)
    assert (int(state.replay.size), int(state.replay.cursor)) == (64, 64)
    targets, cursors = [jax.device_get(state.target)], []
    for update in range(1, 8):
        state, _ = compile_iterations(learner, 1)(state, one_step_episodes)
        assert int(state.updates) == update
        cursors.append(int(state.replay.cursor))
        targets.append(jax.device_get(state.target))
        copied = jax.tree.all(jax.tree.map(np.array_equal, state.target, state.weights))
        assert copied == (update % SETTINGS.target_period == 0)
    assert cursors == [96, 0, 32, 64, 96, 0, 32]
    assert int(state.replay.size) == SETTINGS.replay
    kept = [jax.tree.all(jax.tree.map(np.array_equal, *pair)) for pair in pairwise(targets)]
    assert kept == [True, True, False, True, True, False, True]


@pytest.mark.large
def test_the_agent_is_a_moving_average_of_the_online_network(one_step_episodes: EnvParams) -> None:
    settings = msgspec.structs.replace(SETTINGS, batch=32, averaging=0.5)
    learner = make_dqn(NETWORK, settings)
    before = start(learner, one_step_episodes)
    first = jax.device_get(before.weights)
    after, _ = compile_iterations(learner, 1)(before, one_step_episodes)
    assert int(after.updates) == 2
    jax.tree.map(
        lambda old, new, mean: np.testing.assert_allclose(mean, 0.25 * old + 0.75 * new, atol=1e-6),
        first,
        after.online,
        after.weights,
    )
    assert not jax.tree.all(jax.tree.map(np.array_equal, after.online, after.weights))


@pytest.mark.large
def test_symmetric_views_are_for_evaluations_and_change_no_training(
    one_step_episodes: EnvParams,
) -> None:
    settings = msgspec.structs.replace(SETTINGS, epsilon=0.0)
    plain, symmetric = (
        compile_iterations(learner, 5)(start(learner, one_step_episodes), one_step_episodes)[0]
        for learner in (
            make_dqn(msgspec.structs.replace(NETWORK, symmetric=each), settings)
            for each in (False, True)
        )
    )
    assert np.array_equal(plain.replay.actions, symmetric.replay.actions)
    assert jax.tree.all(jax.tree.map(np.array_equal, plain.online, symmetric.online))
