"""Times updates of the paper's network by how its convolutions are computed, for one seed and for several at once.

    PYTHONPATH=src python benchmarks/convolutions.py --seeds 3 1 --cells 7 11

An update is forward pass, backward pass and optimiser on one minibatch of each seed, in a loop on the
device as in training. The rows are JSON: microseconds of an update, and samples a second of all seeds
together.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import optax
from machine import describe_machine

from pushworld.render.colours import FLOAT_PALETTE
from pushworld.rl.algorithms.convolutions import WAYS
from pushworld.rl.algorithms.networks import ActionValues
from pushworld.rl.settings import NetworkConfig

block_until_ready: Callable[[Any], Any] = jax.block_until_ready

PIXELS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", nargs="+", type=int, default=[7, 11], help="width of the grid")
    parser.add_argument("--batch", nargs="+", type=int, default=[512])
    parser.add_argument("--seeds", nargs="+", type=int, default=[3, 1])
    parser.add_argument("--precision", nargs="+", default=["bfloat16", "float32"])
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    parser.add_argument("--updates", type=int, default=100, help="updates of a call")
    parser.add_argument("--seconds", type=float, default=0.7, help="of each measurement")
    parser.add_argument("--out", type=Path, help="append the results as JSON lines")
    arguments = parser.parse_args()
    print(json.dumps({**describe_machine(), "device": jax.devices()[0].device_kind}), flush=True)
    names = ("seeds", "cells", "precision", "batch", "way")
    for case in product(
        arguments.seeds, arguments.cells, arguments.precision, arguments.batch, arguments.ways
    ):
        row = dict(zip(names, case, strict=True))
        row |= measure(*case, arguments.updates, arguments.seconds)
        print(json.dumps(row), flush=True)
        if arguments.out:
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def measure(
    seeds: int, cells: int, precision: Any, batch: int, way: Any, updates: int, seconds: float
) -> dict[str, float]:
    """Returns the time of an update of all seeds at once, in microseconds, and samples a second."""
    model: Any = ActionValues(NetworkConfig("paper", precision=precision, convolution=way))
    optimizer = optax.adam(1e-4)

    def init(key: jax.Array) -> Any:
        weights = model.init(key, jnp.zeros((1, PIXELS * cells, PIXELS * cells, 3)))
        shape = (4, batch, PIXELS * cells, PIXELS * cells)
        pictures = jax.random.randint(key, shape, 0, len(FLOAT_PALETTE)).astype(jnp.uint8)
        return (weights, optimizer.init(weights)), pictures

    def train(state: Any, pictures: jax.Array) -> Any:
        def update(state: Any, number: jax.Array) -> Any:
            weights, optimizer_state = state
            colours = jnp.asarray(FLOAT_PALETTE)[pictures[number % len(pictures)]]
            gradients = jax.grad(lambda weights: (model.apply(weights, colours) ** 2).mean())(
                weights
            )
            changes, optimizer_state = optimizer.update(gradients, optimizer_state)
            return (optax.apply_updates(weights, changes), optimizer_state), None

        return jax.lax.scan(update, state, jnp.arange(updates))[0]

    state, pictures = jax.jit(jax.vmap(init))(jax.random.split(jax.random.key(0), seeds))
    started = perf_counter()
    run = jax.jit(jax.vmap(train))
    state = block_until_ready(run(state, pictures))
    compiling = perf_counter() - started
    times: list[float] = []
    while sum(times) < seconds:
        started = perf_counter()
        state = block_until_ready(run(state, pictures))
        times.append(perf_counter() - started)
    each = min(times) / updates
    return {
        "us_per_update": each * 1e6,
        "samples_per_second": seeds * batch / each,
        "compile_seconds": compiling,
    }


if __name__ == "__main__":
    main()
