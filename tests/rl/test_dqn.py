"""What DQN learns and how it acts, worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs.jax import pack
from pushworld.puzzle import Action, Puzzle
from pushworld.rl.config import DQNConfig, NetworkConfig
from pushworld.rl.dqn import epsilon_greedy, make_dqn, one_step_targets
from pushworld.rl.learner import advance, begun, first_states

AFTER = jnp.array([[1.0, 5.0, 2.0, 0.0], [1.0, 5.0, 2.0, 0.0], [-4.0, -3.0, -2.0, -1.0]])


def test_a_termination_is_worth_its_reward_and_any_other_step_what_follows() -> None:
    rewards, terminated = jnp.array([10.0, -0.01, -0.01]), jnp.array([True, False, False])
    targets = one_step_targets(rewards, terminated, AFTER, AFTER, 0.5)
    assert targets.tolist() == pytest.approx([10, -0.01 + 0.5 * 5, -0.01 + 0.5 * -1])


def test_one_network_chooses_the_action_that_the_other_values() -> None:
    choosing = jnp.array([[0.0, 0.0, 1.0, 0.0], [9.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    targets = one_step_targets(jnp.zeros(3), jnp.zeros(3, bool), AFTER, choosing, 1.0)
    assert targets.tolist() == [2, 1, -3]


def test_epsilon_is_how_often_an_action_is_random() -> None:
    values = jnp.tile(jnp.array([[0.0, 3.0, 1.0, 2.0]]), (20_000, 1))
    chosen = np.asarray(epsilon_greedy(jax.random.key(0), values, 0.2))
    shares = np.bincount(chosen, minlength=4) / len(chosen)
    assert shares == pytest.approx([0.05, 0.85, 0.05, 0.05], abs=0.01)
    assert set(np.asarray(epsilon_greedy(jax.random.key(0), values, 0.0)).tolist()) == {1}


@pytest.mark.parametrize(("bootstrap", "other"), [(True, -0.01 + 0.5 * 1), (False, -0.01)])
def test_a_truncated_step_is_worth_what_may_follow_and_large_rewards_count_as_the_limit(
    bootstrap: bool, other: float
) -> None:
    """Episodes last one step. One action solves the puzzle, the others change nothing."""
    settings = DQNConfig(
        environments=32,
        batch=64,
        replay=1024,
        warm_up=1024,
        learning_rate=3e-3,
        discount=0.5,
        max_abs_reward=1.0,
        bootstrap_truncated=bootstrap,
    )
    learner = make_dqn(NetworkConfig("small", channels=2, hidden=(8,)), settings)
    params = pack([Puzzle.parse("A M1 G1")], max_steps=1, symmetries=False)
    state, _ = advance(learner, 2000)(begun(learner, jax.random.key(0), params), params)
    values = learner.scores(state.weights, first_states(jax.random.key(0), 1, params), params)[0]
    expected = [1.0 if action is Action.RIGHT else other for action in Action]
    assert values.tolist() == pytest.approx(expected, abs=0.1)


def test_the_target_network_follows_after_so_many_updates_and_the_oldest_steps_make_room() -> None:
    settings = DQNConfig(
        environments=2, batch=2, samples_per_insert=1, replay=8, warm_up=4, target_period=3
    )
    learner = make_dqn(NetworkConfig("small", channels=1, hidden=(2,)), settings)
    params = pack([Puzzle.parse("A M1 . G1")], max_steps=5)
    state = begun(learner, jax.random.key(0), params)
    assert (int(state.replay.size), int(state.replay.cursor)) == (4, 4)
    targets, cursors = [jax.device_get(state.target)], []
    for update in range(1, 8):
        state, _ = advance(learner, 1)(state, params)
        assert int(state.updates) == update
        cursors.append(int(state.replay.cursor))
        targets.append(jax.device_get(state.target))
        followed = jax.tree.all(jax.tree.map(np.array_equal, state.target, state.weights))
        assert followed == (update % 3 == 0)
    assert cursors == [6, 0, 2, 4, 6, 0, 2]
    assert int(state.replay.size) == 8
    kept = [jax.tree.all(jax.tree.map(np.array_equal, *pair)) for pair in pairwise(targets)]
    assert kept == [True, True, False, True, True, False, True]
