"""Several seeds in one program learn what each learns alone."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.learner import (
    Learner,
    compile_iterations,
    initial_training_state,
    over_seeds,
)
from pushworld.rl.config import RunConfig
from pushworld.rl.evaluation.agents import make_learner

ITERATIONS = 4
RUNS = {
    "ppo": {
        "network": {"kind": "iterated", "channels": 4, "hidden": [8], "repeats_range": [1, 3]},
        "ppo": {"environments": 8, "unroll": 4, "minibatches": 2, "learning_rate": 1e-2},
    },
    "dqn": {
        "network": {"kind": "paper", "channels": 2, "hidden": [8], "convolution": "rows"},
        "dqn": {
            "environments": 8,
            "batch": 8,
            "replay": 32,
            "warm_up": 16,
            "target_period": 3,
            "priority_exponent": 0.6,
        },
    },
}


@pytest.mark.parametrize("algorithm", RUNS)
def test_several_seeds_in_one_program_learn_what_each_learns_alone(algorithm: str) -> None:
    config = RunConfig.from_dict({"algorithm": algorithm, **RUNS[algorithm]})
    params = pack(
        [Puzzle.parse("A . M1 . G1"), Puzzle.parse("A . . M1 .\n. . . . G1")],
        max_steps=6,
        observation="pixels" if algorithm == "dqn" else "planes",
    )

    def trained(learner: Learner, key: jax.Array) -> Any:
        state = initial_training_state(learner, key, params)
        state, metrics = compile_iterations(learner, ITERATIONS)(state, params)
        return jax.device_get((state.weights, state.episodes.states, metrics)), int(
            state.updates if algorithm == "dqn" else state.iterations
        )

    learner = make_learner(config)
    keys = [jax.random.key(seed) for seed in (3, 11)]
    together, count = trained(over_seeds(learner), jnp.stack(keys))
    for number, key in enumerate(keys):
        alone, own_count = trained(learner, key)
        mine = jax.tree.map(lambda leaf, number=number: leaf[number], together)
        (weights, states, metrics), (own_weights, own_states, own_metrics) = mine, alone
        jax.tree.map(np.testing.assert_array_equal, states, own_states)
        for found, expected in ((weights, own_weights), (metrics, own_metrics)):
            jax.tree.map(
                lambda one, other: np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5),
                found,
                expected,
            )
        assert count == own_count
    first, second = (jax.tree.map(lambda leaf, i=i: leaf[i], together[0]) for i in (0, 1))
    apart = jax.tree.map(lambda one, other: np.abs(one - other).max(), first, second)
    assert max(jax.tree.leaves(apart)) > 0.1
