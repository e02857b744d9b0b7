"""Measures the speed of PPO and DQN, the time of their parts, and the lower bound of that time.

    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER
    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER --algorithm dqn --environments 1024
    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER --seeds 1 3 --convolutions direct rows

For each network it times the whole training loop on Level 0 puzzles; with several seeds in one program,
steps a second are those of all seeds together. For PPO with one seed it also times the parts
alone at the same sizes: the environment (steps, resets, random numbers), drawing observations, the
forward pass of rollouts, and forward and backward pass of updates. It counts the operations of the
network's layers from its program; the lower bound is the time of these operations at the stated peak
of the device.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
from common import describe_machine
from msgspec.structs import replace

from pushworld.datasets import Store, published_manifest
from pushworld.envs.jax import EnvParams
from pushworld.rl.algorithms.convolutions import WAYS
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import (
    Learner,
    compile_iterations,
    decode_observations,
    dummy_observations,
    encode_observations,
    initial_training_state,
    over_seeds,
    reset_all,
    select,
    start_episodes,
    step_all,
)
from pushworld.rl.algorithms.networks import ActionValues, ActorCritic, observation_of
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.config import RunConfig
from pushworld.rl.runs.puzzles import RunPuzzles
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig

block_until_ready: Callable[[Any], Any] = jax.block_until_ready

H200_PEAK_TFLOPS = 989.0
"""Dense bfloat16 products on the tensor cores of an NVIDIA H200, by its data sheet."""

NETWORKS = {
    "paper": NetworkConfig("paper"),
    "small": NetworkConfig("small", hidden=(128,)),
    "iterated": NetworkConfig("iterated", channels=64, repeats=6),
}


def main() -> None:
    arguments = _arguments()
    config = RunConfig(train=arguments.set, test=None)
    store = Store(arguments.puzzles, published_manifest()) if arguments.puzzles else None
    params = RunPuzzles.of_sets(config, store).train_params
    print(json.dumps({**describe_machine(), "device": jax.devices()[0].device_kind}), flush=True)
    own = 4096 if arguments.algorithm == "ppo" else DQNConfig().batch
    for name, environments, minibatch, seeds, convolution in product(
        arguments.networks,
        arguments.environments,
        arguments.minibatch or [own],
        arguments.seeds,
        arguments.convolutions,
    ):
        network = replace(NETWORKS[name], precision=arguments.precision, convolution=convolution)
        result = {
            "algorithm": arguments.algorithm,
            "network": name,
            "precision": arguments.precision,
            "set": arguments.set,
            "environments": environments,
            "minibatch": minibatch,
            "seeds": seeds,
            "convolution": convolution,
            **measure(network, environments, minibatch, seeds, params, arguments),
        }
        print(json.dumps(result), flush=True)
        if arguments.out:
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


def measure(
    network: NetworkConfig,
    environments: int,
    minibatch: int,
    seeds: int,
    params: EnvParams,
    arguments: argparse.Namespace,
) -> dict[str, float]:
    """Returns steps a second, seconds per million steps by part, and operations per step."""
    params = dataclasses.replace(params, observation=observation_of(network))
    unroll = arguments.unroll
    ppo = PPOConfig(
        environments=environments,
        unroll=unroll,
        minibatches=max(1, environments * unroll // minibatch),
    )
    dqn = DQNConfig(environments=environments, batch=minibatch)
    if arguments.algorithm == "ppo":
        learner, passes = make_ppo(network, ppo), 1 + 1 / unroll + 3 * ppo.epochs
    else:
        learner, passes = make_dqn(network, dqn), 1 + dqn.samples_per_insert * (3 + 1 + dqn.double)
    learners = over_seeds(learner)
    state = initial_training_state(learners, jax.random.split(jax.random.key(0), seeds), params)
    weights = jax.tree.map(lambda leaf: leaf[0], state.weights)
    operations = network_operations(network, weights, params, arguments.algorithm) * passes

    started = perf_counter()
    run = compile_iterations(learners, arguments.iterations)
    state, metrics = block_until_ready(run(state, params))
    compiling = perf_counter() - started
    seconds, steps, rates = 0.0, 0, []
    while seconds < arguments.seconds:
        started = perf_counter()
        state, metrics = block_until_ready(run(state, params))
        spent, done = perf_counter() - started, int(metrics["steps"].sum())
        seconds, steps = seconds + spent, steps + done
        rates.append(done / spent)
    result = {
        "steps_per_second": steps / seconds,
        "best_steps_per_second": max(rates),
        "compile_seconds": compiling,
        "mflop_per_step": operations / 1e6,
        "floor_steps_per_second": arguments.peak_tflops * 1e12 / operations,
        "peak_fraction": operations * steps / seconds / arguments.peak_tflops / 1e12,
        "us_per_step": seconds / steps * 1e6,
    }
    if arguments.algorithm == "ppo" and seeds == 1 and not arguments.no_profile:
        size = ppo.environments * ppo.unroll
        for part, work in parts(learner, network, ppo, weights, params).items():
            result[f"us_per_step_{part}"] = time_of(work) / size * 1e6
    return result


def parts(
    learner: Learner, network: NetworkConfig, ppo: PPOConfig, weights: Any, params: EnvParams
) -> dict[str, Callable[[], Any]]:
    """Returns the parts of an iteration, each as a separate compiled function."""
    model: Any = ActorCritic(network)
    episodes = jax.jit(start_episodes, static_argnums=1)(
        jax.random.key(1), ppo.environments, params
    )
    size = ppo.environments * ppo.unroll
    minibatch = size // ppo.minibatches
    many = encode_observations(reset_all(jax.random.key(2), minibatch, params), params)

    @jax.jit
    def environment() -> Any:
        def step(states: Any, key: jax.Array) -> Any:
            actions = jax.random.categorical(key, jnp.zeros((ppo.environments, 4)))
            after, rewards, done, _ = step_all(states, actions, params)
            reset_states = reset_all(key, ppo.environments, params)
            return select(done, reset_states, after), rewards

        return jax.lax.scan(step, episodes.states, jax.random.split(jax.random.key(3), ppo.unroll))

    def repeated(times: int, work: Callable[[Any], jax.Array], inputs: Any) -> Any:
        """Returns a program that repeats the work, each time with the inputs in another order."""

        def once(total: jax.Array, number: jax.Array) -> tuple[jax.Array, None]:
            shifted = jax.tree.map(lambda leaf: jnp.roll(leaf, number, axis=0), inputs)
            return total + work(shifted), None

        return jax.jit(lambda: jax.lax.scan(once, jnp.float32(0), jnp.arange(times))[0])

    def draw(states: Any) -> jax.Array:
        return encode_observations(states, params).max().astype(jnp.float32)

    def forward(states: Any) -> jax.Array:
        return learner.scores(weights, states, params).sum()

    def loss(weights: Any, encoded: Any) -> jax.Array:
        logits, values = model.apply(weights, decode_observations(encoded, params))
        total: jax.Array = (jax.nn.log_softmax(logits) ** 2).sum() + (values**2).sum()
        return total

    def backward(encoded: Any) -> jax.Array:
        gradients = jax.grad(loss)(weights, encoded)
        return jnp.stack([leaf.sum() for leaf in jax.tree.leaves(gradients)]).sum()

    rounds = ppo.epochs * ppo.minibatches
    return {
        "environment": environment,
        "drawing_in_rollout": repeated(ppo.unroll, draw, episodes.states),
        "rollout_forward_with_drawing": repeated(ppo.unroll, forward, episodes.states),
        "update_forward_backward": repeated(rounds, backward, many),
    }


def time_of(work: Callable[[], Any], repeats: int = 3) -> float:
    """Returns the shortest time of some work in seconds, after compilation."""
    block_until_ready(work())
    times = []
    for _ in range(repeats):
        started = perf_counter()
        block_until_ready(work())
        times.append(perf_counter() - started)
    return min(times)


def network_operations(
    network: NetworkConfig, weights: Any, params: EnvParams, algorithm: str
) -> float:
    """Returns the additions and multiplications of a forward pass for one observation."""
    model = ActorCritic(network) if algorithm == "ppo" else ActionValues(network)
    program = jax.make_jaxpr(model.apply)(weights, dummy_observations(params))
    return float(sum(_operations(equation) for equation in _equations(program)))


def _equations(program: Any) -> Iterator[Any]:
    """Yields the operations of a program and of all programs inside of it."""

    def is_program(leaf: Any) -> bool:
        return hasattr(leaf, "eqns")

    for equation in program.eqns:
        yield equation
        for inner in filter(
            is_program, jax.tree.leaves(list(equation.params.values()), is_leaf=is_program)
        ):
            yield from _equations(inner)


def _operations(equation: Any) -> int:
    """Returns two for each product and sum of a matrix product or a convolution, else 0."""
    out: int = prod(equation.outvars[0].aval.shape)
    if equation.primitive.name == "dot_general":
        contracted = equation.params["dimension_numbers"][0][0]
        inner: int = prod(equation.invars[0].aval.shape[axis] for axis in contracted)
        return 2 * out * inner
    if equation.primitive.name == "conv_general_dilated":
        kernel: tuple[int, ...] = equation.invars[1].aval.shape
        channels_out: int = kernel[equation.params["dimension_numbers"].rhs_spec[0]]
        return 2 * out * prod(kernel) // channels_out
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip")
    parser.add_argument("--set", default="base/train")
    parser.add_argument("--algorithm", default="ppo", choices=["ppo", "dqn"])
    parser.add_argument("--networks", nargs="+", default=["paper", "small"], choices=NETWORKS)
    parser.add_argument("--precision", default="bfloat16", choices=["bfloat16", "float32"])
    parser.add_argument("--environments", nargs="+", type=int, default=[4096])
    parser.add_argument("--unroll", type=int, default=32)
    parser.add_argument("--minibatch", nargs="+", type=int, help="4096, or DQN's batch of 256")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="seeds in one program")
    parser.add_argument("--convolutions", nargs="+", default=["direct"], choices=WAYS)
    parser.add_argument("--iterations", type=int, default=4, help="iterations of a call")
    parser.add_argument("--seconds", type=float, default=3, help="seconds of each measurement")
    parser.add_argument("--peak-tflops", type=float, default=H200_PEAK_TFLOPS)
    parser.add_argument("--no-profile", action="store_true", help="time the whole loop only")
    parser.add_argument("--out", type=Path, help="append the results as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
