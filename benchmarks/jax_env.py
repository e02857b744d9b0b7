"""Measures steps a second of the JAX environment: random policy, autoreset and augmentation.

    python benchmarks/jax_env.py
    python benchmarks/jax_env.py --puzzles all/train --envs 65536 262144
    python benchmarks/jax_env.py --puzzles all/train --puzzles level1@42x51 --seconds 1

The default is the set `bundled`. A step includes everything from random bits to the next state: an action
is drawn, the environment is stepped, and if an episode has ended a new one starts with a random puzzle,
symmetry and position. The observation is

    stored   written to the device's memory, then read and added up: what a network would do
    fused    added up where it is computed, so that neither planes nor rows of bits are written
    rows     as stored, but the planes as bits, 32 cells a word
    pixels   as stored, but the picture of 3 pixels a cell, as palette indices
    none     no observation: the dynamics and new episodes alone
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import product

import jax
import jax.numpy as jnp
from common import command_line, print_machine, run_script

from pushworld.cli.arguments import parse_size
from pushworld.datasets import load_set
from pushworld.envs.jax import (
    EnvParams,
    EnvState,
    observe_planes,
    pack,
    pixel_indices,
    plane_rows,
    reset_env,
    step,
)
from pushworld.envs.jax.dynamics import unpack_rows

Look = Callable[[EnvState, EnvParams], jax.Array]
LOOKS: dict[str, Look | None] = {
    "stored": observe_planes,
    "fused": lambda state, params: unpack_rows(plane_rows(state, params), params.frame.width),
    "rows": plane_rows,
    "pixels": pixel_indices,
    "none": None,
}
STEPS_PER_CALL = 64


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument(
        "--puzzles",
        action="append",
        metavar="SET|DIR[@WxH]",
        help="a set or folder, and the size of its worlds; may be repeated",
    )
    parser.add_argument("--envs", type=int, nargs="+", default=[4096], help="environments at once")
    parser.add_argument("--looks", nargs="+", choices=LOOKS, default=list(LOOKS))
    parser.add_argument("--random", choices=("threefry2x32", "rbg"), default="threefry2x32")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default: 1)")
    parser.add_argument("--budget", type=float, default=90.0, help="seconds for all (default: 90)")
    arguments = parser.parse_args()
    end = time.perf_counter() + arguments.budget
    print_machine(jax=jax.__version__, device=jax.devices()[0].device_kind)
    print(
        f"random numbers {arguments.random}; episodes of at most 100 steps; autoreset in the step"
    )
    for name in arguments.puzzles or ["bundled"]:
        params = packed(name)
        print(f"{'look':8}{'envs':>9}{'steps/s':>16}{'compiled, s':>13}")
        for look, envs in product(arguments.looks, arguments.envs):
            if time.perf_counter() > end:
                print(f"{look:8}{envs:>9}  left out, the budget is spent")
                continue
            key = jax.random.key(0, impl=arguments.random)
            speed, compiling = measure(params, look, envs, arguments.seconds, key)
            print(f"{look:8}{envs:>9}{speed:>16,.0f}{compiling:13.1f}", flush=True)


def packed(text: str) -> EnvParams:
    """Returns the puzzles that an argument names on the device, and prints what they take there."""
    name, _, size = text.partition("@")
    width, height = parse_size(size) if size else (None, None)
    begin = time.perf_counter()
    params = pack(load_set(name), width=width, height=height)
    megabytes = sum(leaf.nbytes for leaf in jax.tree.leaves(params)) / 1e6
    frame = params.frame
    print(
        f"\n{name}: {params.puzzles} puzzles, {params.puzzle_of.size} with symmetries, "
        f"{frame.width} x {frame.height} cells, {frame.num_planes} planes, {params.slots} slots, "
        f"{megabytes:.1f} MB, packed in {time.perf_counter() - begin:.1f} s"
    )
    return params


def measure(
    params: EnvParams, look: str, envs: int, seconds: float, key: jax.Array
) -> tuple[float, float]:
    """Returns the steps a second of all environments together, and the seconds of compiling."""
    state = jax.jit(jax.vmap(reset_env, (0, None)))(jax.random.split(key, envs), params)
    begin = time.perf_counter()
    run = jax.jit(partial(rollout, look=look), donate_argnums=1)
    compiled = run.lower(key, state, params).compile()
    compiling = time.perf_counter() - begin
    calls, spent = 0, 0.0
    state, checksum = compiled(key, state, params)
    checksum.block_until_ready()
    while spent < seconds:
        begin = time.perf_counter()
        key, called = jax.random.split(key)
        state, checksum = compiled(called, state, params)
        checksum.block_until_ready()
        spent += time.perf_counter() - begin
        calls += 1
    return calls * STEPS_PER_CALL * envs / spent, compiling


def rollout(
    key: jax.Array, state: EnvState, params: EnvParams, look: str
) -> tuple[EnvState, jax.Array]:
    """Returns the states after some steps of random actions, and a sum of all that was seen."""
    observe = LOOKS[look]

    def body(
        carry: tuple[jax.Array, EnvState, jax.Array], _: None
    ) -> tuple[tuple[jax.Array, EnvState, jax.Array], None]:
        key, state, checksum = carry
        key, action_key, step_key = jax.random.split(key, 3)
        envs = state.steps.shape[0]
        actions = jax.random.bits(action_key, (envs,)) >> 30
        keys = jax.random.split(step_key, envs)
        stepped = jax.vmap(step, (0, 0, 0, None))(keys, state, actions, params)
        state, reward, done = stepped[1:4]
        checksum += (reward * 100).sum().astype(jnp.uint32) + done.sum(dtype=jnp.uint32)
        if observe is not None:
            seen = jax.vmap(observe, (0, None))(state, params)
            if look != "fused":
                seen = jax.lax.optimization_barrier(seen)  # type: ignore[no-untyped-call]
            checksum += seen.sum(dtype=jnp.uint32)
        return (key, state, checksum), None

    carry, _ = jax.lax.scan(body, (key, state, jnp.uint32(0)), length=STEPS_PER_CALL)
    return carry[1], carry[2]


if __name__ == "__main__":
    run_script(main)
