"""How soon the paper's network learns the last push when it is told the answer.

    PYTHONPATH=src python benchmarks/learning_push.py --puzzles FOLDER

Pictures show a Level 0 puzzle one push before its end: the object beside its goal, the agent behind
it. The label is the action that solves it. The policy's cross-entropy is minimised with the paper's
learning rate, and the loss on pictures that were not learnt from is printed as it falls; uniform
guesses have 1.386. No rewards are involved, so what this takes is the network's share of the time
that reinforcement learning needs.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from machine import describe_machine

from pushworld.datasets import Store, published_manifest
from pushworld.envs.jax import EnvParams
from pushworld.envs.jax.dynamics import stopped_slots
from pushworld.puzzle import DELTAS
from pushworld.rl.config import NetworkConfig, PPOConfig, RunConfig
from pushworld.rl.learner import coloured, first_states, sketch_all, step_all
from pushworld.rl.networks import ActorCritic
from pushworld.rl.training import World

TEST = 1024


def main() -> None:
    arguments = _arguments()
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    print(json.dumps(describe_machine()), flush=True)
    for name in arguments.sets:
        params = World.of_sets(RunConfig(train=f"{name}/train", test=None), store).training
        sketches, actions = last_pushes(params, arguments.pictures)
        for first_weights in arguments.first_weights:
            network = NetworkConfig(
                channels=arguments.channels, first_weights=first_weights, precision="float32"
            )
            about = {"set": name, "first_weights": first_weights, "pictures": len(actions)}
            for report in learn(network, params, sketches, actions, arguments):
                print(json.dumps(about | report), flush=True)


def last_pushes(params: EnvParams, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns pictures of states that one action solves, and these actions."""
    states_key, actions_key = jax.random.split(jax.random.key(0))
    states = first_states(states_key, count, params)
    actions = jax.random.randint(actions_key, (count,), 0, 4)
    step = jnp.asarray(DELTAS, jnp.int16)[actions]
    goal = params.goal[states.variant, 0]
    positions = states.positions.at[:, 0].set(goal - 2 * step).at[:, 1].set(goal - step)
    states = replace(states, positions=positions)
    stopped = jax.vmap(stopped_slots, (0, 0, None))(positions, states.variant, params)
    _, _, _, info = step_all(states, actions, params)
    possible = np.asarray(info["terminated"] & ~stopped.any(axis=1))
    chosen = jax.tree.map(lambda leaf: leaf[possible], states)
    return np.asarray(jax.jit(sketch_all)(chosen, params)), np.asarray(actions)[possible]


def learn(
    network: NetworkConfig,
    params: EnvParams,
    sketches: np.ndarray,
    actions: np.ndarray,
    arguments: argparse.Namespace,
) -> Any:
    """Yields the loss and the accuracy on pictures kept aside, as the updates go."""
    model: Any = ActorCritic(network)
    optimizer = optax.adam(PPOConfig().learning_rate)
    weights = model.init(jax.random.key(1), coloured(sketches[:1], params))
    state = optimizer.init(weights)

    def loss(weights: Any, sketches: Any, actions: Any) -> tuple[jax.Array, jax.Array]:
        logits, _ = model.apply(weights, coloured(sketches, params))
        losses = optax.softmax_cross_entropy_with_integer_labels(logits, actions)
        return losses.mean(), (logits.argmax(axis=-1) == actions).mean()

    @jax.jit
    def update(weights: Any, state: Any, sketches: Any, actions: Any) -> tuple[Any, Any]:
        gradients, _ = jax.grad(loss, has_aux=True)(weights, sketches, actions)
        changes, state = optimizer.update(gradients, state)
        return optax.apply_updates(weights, changes), state

    test = jax.jit(loss)
    rng, started = np.random.default_rng(0), process_time()
    for number in range(1, arguments.updates + 1):
        chosen = rng.integers(TEST, len(actions), arguments.batch)
        weights, state = update(weights, state, sketches[chosen], actions[chosen])
        if number % arguments.report == 0:
            found, right = test(weights, sketches[:TEST], actions[:TEST])
            yield {
                "updates": number,
                "test_loss": round(float(found), 3),
                "test_accuracy": round(float(right), 3),
                "cpu_seconds": round(process_time() - started),
            }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip")
    parser.add_argument("--sets", nargs="+", default=["base", "size"])
    parser.add_argument("--first-weights", nargs="+", default=["lecun", "orthogonal"])
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--pictures", type=int, default=24_000, help="tried; some are impossible")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--updates", type=int, default=320)
    parser.add_argument("--report", type=int, default=40, help="updates between two reports")
    return parser.parse_args()


if __name__ == "__main__":
    main()
