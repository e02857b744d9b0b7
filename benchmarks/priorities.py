"""Prints what prioritised replay samples, and whether stored priorities still say how large errors are.

    python benchmarks/priorities.py --set base --steps 400000

Trains DQN with the network of `--preset cpu`, and prints a line for every 50,000 steps: the share of
samples that are among the newest twentieth of the buffer, the rank correlation between stored
priorities and what the priorities would be with today's networks, and the shares of rewarded
transitions in the buffer and among the samples.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from pushworld.datasets import Store, published_manifest
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import compile_iterations, initial_training_state, step_all
from pushworld.rl.algorithms.priorities import stratified_indices
from pushworld.rl.algorithms.replay import transitions
from pushworld.rl.algorithms.returns import one_step_targets
from pushworld.rl.runs.presets import configure_run
from pushworld.rl.runs.puzzles import RunPuzzles

LOG_STEPS = 50_000
LOOKS = 8192


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", default="base")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip")
    parser.add_argument("--steps", type=int, default=400_000)
    parser.add_argument("--exponent", type=float, default=0.6)
    chosen = parser.parse_args()
    if not 0 < chosen.exponent <= 1:
        parser.error("--exponent must be above 0 and at most 1")
    run = configure_run(None, "cpu", chosen.set, {"algorithm": "dqn"})
    settings = {
        **run.to_dict(),
        "dqn": run.to_dict()["dqn"] | {"discount": 0.95, "priority_exponent": chosen.exponent},
    }
    run = type(run).from_dict(settings)
    store = Store(chosen.puzzles, published_manifest()) if chosen.puzzles else None
    config, params = run.dqn, RunPuzzles.of_sets(run, store).train_params
    learner = make_dqn(run.network, config)
    state: Any = initial_training_state(learner, jax.random.key(run.seed), params)
    iterations = LOG_STEPS // config.environments
    iterate = compile_iterations(learner, iterations)

    @jax.jit
    def errors_and_rewards(state: Any, indices: jax.Array) -> tuple[jax.Array, jax.Array]:
        states, actions = transitions(state.replay, indices)
        after, rewards, _, info = step_all(states, actions, params)
        rewards = jnp.clip(rewards, -config.max_abs_reward, config.max_abs_reward)
        values = learner.scores(state.online, states, params)
        targets = one_step_targets(
            rewards,
            info["terminated"],
            learner.scores(state.target, after, params),
            learner.scores(state.online, after, params),
            config.discount,
        )
        taken = jnp.take_along_axis(values, actions[:, None], axis=-1)[:, 0]
        return jnp.abs(taken - targets), rewards > 0.5

    rng = np.random.default_rng(0)
    print(
        "steps, solved, samples among the newest 5 %, rank correlation, rewarded, rewarded samples"
    )
    for done in range(LOG_STEPS, chosen.steps + 1, LOG_STEPS):
        state, sums = iterate(state, params)
        replay = state.replay
        size, newest = int(replay.size), int(replay.size) // 20
        drawn, _ = stratified_indices(jax.random.key(done), replay.priorities, 1, LOOKS)
        any_of_them = jnp.asarray(rng.integers(0, size, LOOKS), jnp.int32)
        age = (int(replay.cursor) - 1 - np.asarray(drawn)) % replay.capacity
        errors, rewarded = map(np.asarray, errors_and_rewards(state, any_of_them))
        _, sampled = map(np.asarray, errors_and_rewards(state, drawn))
        stored = np.asarray(replay.priorities)[np.asarray(any_of_them)]
        correlation = np.corrcoef(ranks(stored), ranks(errors))[0, 1]
        print(
            f"{done:9,} {100 * float(sums['solved'] / sums['episodes']):6.1f} % "
            f"{100 * (age < newest).mean():6.1f} % {correlation:7.2f} "
            f"{100 * rewarded.mean():8.3f} % {100 * sampled.mean():8.3f} %",
            flush=True,
        )


def ranks(values: NDArray[np.float32]) -> NDArray[np.int64]:
    return values.argsort().argsort()


if __name__ == "__main__":
    main()
