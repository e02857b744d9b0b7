"""How fast PPO trains, what the time goes into, and how far that is from the floor.

    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER

For each network, the whole training loop on Level 0 puzzles is timed, then its parts alone at the
same sizes: the environment (steps, new episodes, random numbers), drawing observations, the
network's forward pass in rollouts, and the update (drawing, forward, backward, optimiser). The
operations of the network's layers are counted from its program; the floor is the time that a device
with the stated peak would need for them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
from machine import describe_machine

from pushworld.datasets import Store, published_manifest
from pushworld.envs.jax import EnvParams
from pushworld.rl.config import NetworkConfig, PPOConfig, RunConfig
from pushworld.rl.learner import (
    Learner,
    advance,
    begin_episodes,
    choose,
    first_states,
    observe_all,
    step_all,
)
from pushworld.rl.networks import ActorCritic, observation_of
from pushworld.rl.ppo import make_ppo
from pushworld.rl.training import World

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
    params = World.of_sets(config, store).training
    print(json.dumps({**describe_machine(), "device": jax.devices()[0].device_kind}), flush=True)
    for name in arguments.networks:
        for environments in arguments.environments:
            for minibatch in arguments.minibatch:
                ppo = PPOConfig(
                    environments=environments,
                    unroll=arguments.unroll,
                    minibatches=max(1, environments * arguments.unroll // minibatch),
                )
                result = {
                    "network": name,
                    "set": arguments.set,
                    "environments": environments,
                    "unroll": arguments.unroll,
                    "minibatch": minibatch,
                    **measure(NETWORKS[name], ppo, params, arguments),
                }
                print(json.dumps(result), flush=True)
                if arguments.out:
                    with arguments.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(result) + "\n")


def measure(
    network: NetworkConfig, ppo: PPOConfig, params: EnvParams, arguments: argparse.Namespace
) -> dict[str, float]:
    """Returns steps a second, seconds per million steps by part, and operations per step."""
    params = replace(params, observation=observation_of(network))
    learner = make_ppo(network, ppo)
    size = ppo.environments * ppo.unroll
    state = jax.jit(learner.begin)(jax.random.key(0), params)
    operations = network_operations(network, state.weights, params)
    training_operations = operations * (1 + 1 / ppo.unroll + 3 * ppo.epochs)

    started = perf_counter()
    run = advance(learner, arguments.iterations)
    state, metrics = jax.block_until_ready(run(state, params))
    compiling = perf_counter() - started
    seconds, steps = 0.0, 0
    while seconds < arguments.seconds:
        started = perf_counter()
        state, metrics = jax.block_until_ready(run(state, params))
        seconds += perf_counter() - started
        steps += int(metrics["steps"])
    whole = seconds / steps
    result = {
        "steps_per_second": steps / seconds,
        "compile_seconds": compiling,
        "mflop_per_step": training_operations / 1e6,
        "floor_steps_per_second": arguments.peak_tflops * 1e12 / training_operations,
        "peak_fraction": training_operations * steps / seconds / arguments.peak_tflops / 1e12,
        "us_per_step": whole * 1e6,
    }
    if not arguments.no_profile:
        for part, work in parts(learner, network, ppo, state.weights, params).items():
            result[f"us_per_step_{part}"] = time_of(work) / size * 1e6
    return result


def parts(
    learner: Learner, network: NetworkConfig, ppo: PPOConfig, weights: Any, params: EnvParams
) -> dict[str, Callable[[], Any]]:
    """Returns the parts of an iteration, each as a compiled function of its own."""
    model = ActorCritic(network)
    episodes = jax.jit(begin_episodes, static_argnums=1)(
        jax.random.key(1), ppo.environments, params
    )
    size = ppo.environments * ppo.unroll
    minibatch = size // ppo.minibatches
    many = first_states(jax.random.key(2), minibatch, params)

    @jax.jit
    def environment() -> Any:
        def step(states: Any, key: jax.Array) -> Any:
            actions = jax.random.categorical(key, jnp.zeros((ppo.environments, 4)))
            after, rewards, done, _ = step_all(states, actions, params)
            fresh = first_states(key, ppo.environments, params)
            return choose(done, fresh, after), rewards

        return jax.lax.scan(step, episodes.states, jax.random.split(jax.random.key(3), ppo.unroll))

    def repeated(times: int, work: Callable[[Any], jax.Array], states: Any) -> Any:
        """Returns a program that does the work so often, each time on other states."""

        def once(total: jax.Array, number: jax.Array) -> tuple[jax.Array, None]:
            shifted = replace(states, variant=(states.variant + number) % params.size.shape[0])
            return total + work(shifted), None

        return jax.jit(lambda: jax.lax.scan(once, jnp.float32(0), jnp.arange(times))[0])

    def draw(states: Any) -> jax.Array:
        return observe_all(states, params).astype(jnp.bfloat16).max().astype(jnp.float32)

    def forward(states: Any) -> jax.Array:
        return learner.scores(weights, states, params).sum()

    def loss(weights: Any, states: Any) -> jax.Array:
        logits, values = model.apply(weights, observe_all(states, params))
        return (jax.nn.log_softmax(logits) ** 2).sum() + (values**2).sum()

    def backward(states: Any) -> jax.Array:
        gradients = jax.grad(loss)(weights, states)
        return jnp.stack([leaf.sum() for leaf in jax.tree.leaves(gradients)]).sum()

    rounds = ppo.epochs * ppo.minibatches
    return {
        "environment": environment,
        "drawing_in_rollout": repeated(ppo.unroll, draw, episodes.states),
        "rollout_forward_with_drawing": repeated(ppo.unroll, forward, episodes.states),
        "drawing_in_update": repeated(rounds, draw, many),
        "update_forward_with_drawing": repeated(rounds, forward, many),
        "update_forward_backward_with_drawing": repeated(rounds, backward, many),
    }


def time_of(work: Callable[[], Any], repeats: int = 3) -> float:
    """Returns the least seconds that some work takes once it is compiled."""
    jax.block_until_ready(work())
    times = []
    for _ in range(repeats):
        started = perf_counter()
        jax.block_until_ready(work())
        times.append(perf_counter() - started)
    return min(times)


def network_operations(network: NetworkConfig, weights: Any, params: EnvParams) -> float:
    """Returns the additions and multiplications of a forward pass for one observation."""
    states = first_states(jax.random.key(0), 1, params)
    observations = observe_all(states, params)
    program = jax.make_jaxpr(ActorCritic(network).apply)(weights, observations)
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
    out = prod(equation.outvars[0].aval.shape)
    if equation.primitive.name == "dot_general":
        contracted = equation.params["dimension_numbers"][0][0]
        return 2 * out * prod(equation.invars[0].aval.shape[axis] for axis in contracted)
    if equation.primitive.name == "conv_general_dilated":
        kernel = equation.invars[1].aval.shape
        channels_out = kernel[equation.params["dimension_numbers"].rhs_spec[0]]
        return 2 * out * prod(kernel) // channels_out
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip")
    parser.add_argument("--set", default="base/train")
    parser.add_argument("--networks", nargs="+", default=["paper", "small"], choices=NETWORKS)
    parser.add_argument("--environments", nargs="+", type=int, default=[4096])
    parser.add_argument("--unroll", type=int, default=32)
    parser.add_argument("--minibatch", nargs="+", type=int, default=[4096])
    parser.add_argument("--iterations", type=int, default=4, help="iterations a call")
    parser.add_argument("--seconds", type=float, default=3, help="how long to time each")
    parser.add_argument("--peak-tflops", type=float, default=H200_PEAK_TFLOPS)
    parser.add_argument("--no-profile", action="store_true", help="time the whole loop only")
    parser.add_argument("--out", type=Path, help="append the results as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
