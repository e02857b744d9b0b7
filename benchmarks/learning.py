"""Measures the speed of PPO and DQN, and the lower bound of their time.

    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER
    PYTHONPATH=src python benchmarks/learning.py --puzzles FOLDER --algorithm dqn --environments 1024

For each network it times the whole training loop on Level 0 puzzles. The lower bound is the time of the
network's operations, as XLA counts them, at the stated peak of the device.
"""

import argparse
import dataclasses
import json
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
from common import describe_machine
from msgspec.structs import replace

from pushworld.datasets import Store, published_manifest
from pushworld.envs.jax import EnvParams
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import (
    compile_iterations,
    dummy_observations,
    initial_training_state,
)
from pushworld.rl.algorithms.networks import ActionValues, ActorCritic, observation_of
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.config import RunConfig
from pushworld.rl.runs.puzzles import RunPuzzles
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig

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
    for name, environments, minibatch in product(
        arguments.networks, arguments.environments, arguments.minibatch or [own]
    ):
        network = replace(NETWORKS[name], precision=arguments.precision)
        result = {
            "algorithm": arguments.algorithm,
            "network": name,
            "precision": arguments.precision,
            "set": arguments.set,
            "environments": environments,
            "minibatch": minibatch,
            **measure(network, environments, minibatch, params, arguments),
        }
        print(json.dumps(result), flush=True)
        if arguments.out:
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


def measure(
    network: NetworkConfig,
    environments: int,
    minibatch: int,
    params: EnvParams,
    arguments: argparse.Namespace,
) -> dict[str, float]:
    """Returns steps a second, and operations of the network per step."""
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
        learner, passes = make_dqn(network, dqn), 1 + dqn.samples_per_insert * 5
    state = initial_training_state(learner, jax.random.key(0), params)
    operations = network_operations(network, state.weights, params, arguments.algorithm) * passes

    started = perf_counter()
    run = compile_iterations(learner, arguments.iterations)
    state, metrics = jax.block_until_ready(run(state, params))  # type: ignore[no-untyped-call]
    compiling = perf_counter() - started
    seconds, steps, rates = 0.0, 0, []
    while seconds < arguments.seconds:
        started = perf_counter()
        state, metrics = jax.block_until_ready(run(state, params))  # type: ignore[no-untyped-call]
        spent, done = perf_counter() - started, int(metrics["steps"])
        seconds, steps = seconds + spent, steps + done
        rates.append(done / spent)
    return {
        "steps_per_second": steps / seconds,
        "best_steps_per_second": max(rates),
        "compile_seconds": compiling,
        "mflop_per_step": operations / 1e6,
        "floor_steps_per_second": arguments.peak_tflops * 1e12 / operations,
        "peak_fraction": operations * steps / seconds / arguments.peak_tflops / 1e12,
        "us_per_step": seconds / steps * 1e6,
    }


def network_operations(
    network: NetworkConfig, weights: Any, params: EnvParams, algorithm: str
) -> float:
    """Returns the operations of a forward pass for one observation, as XLA counts them."""
    model = ActorCritic(network) if algorithm == "ppo" else ActionValues(network)
    program: Any = jax.jit(model.apply).lower(weights, dummy_observations(params))
    return float(program.cost_analysis()["flops"])


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
    parser.add_argument("--iterations", type=int, default=4, help="iterations of a call")
    parser.add_argument("--seconds", type=float, default=3, help="seconds of each measurement")
    parser.add_argument("--peak-tflops", type=float, default=H200_PEAK_TFLOPS)
    parser.add_argument("--out", type=Path, help="append the results as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
