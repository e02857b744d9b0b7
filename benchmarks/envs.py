"""Measures steps a second of the environments: single and vector.

    python benchmarks/envs.py
    python benchmarks/envs.py --puzzles level0/all/train --envs 1024 --seconds 3

The last two rows have the same environments on one core and on all. With Stable-Baselines3, --sb3 measures its vector
environment in Python and the native one instead, alone and in PPO with `MlpPolicy` (16 steps, minibatches of 1,024, 4 epochs).

Actions are uniformly random and chosen beforehand. Episodes end after 100 steps; resets are part of the
measured time. Each figure is the best of several rounds.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

import gymnasium
import numpy as np
from common import ROUNDS, best_rate, command_line, print_machine, run_script
from gymnasium.vector import AutoresetMode

from pushworld.datasets import load_set
from pushworld.envs import PushWorldVectorEnv
from pushworld.envs.contract import DEFAULT_MAX_STEPS
from pushworld.envs.planes import Frame
from pushworld.machine import usable_cores
from pushworld.puzzle import Puzzle

CHUNK = 200

Walk = tuple[str, int, str, int, Callable[[], int]]
"""A name, the number of environments, autoreset, cores, and what takes some steps and returns how many."""


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--puzzles", default="bundled", help="a set or folder (default: bundled)")
    parser.add_argument("--envs", type=int, default=1024, help="of the vector environment")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: 2)")
    parser.add_argument("--sb3", action="store_true", help="in Stable-Baselines3, on one core")
    parser.add_argument(
        "--cpu-time",
        action="store_true",
        help="count seconds of processor time, for a machine that has other work (one core only)",
    )
    arguments = parser.parse_args()
    puzzles = load_set(arguments.puzzles)
    shape = " x ".join(map(str, Frame.around(puzzles).planes_shape))
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    rows: Iterable[Walk] = (
        sb3_walks(arguments.puzzles, arguments.envs)
        if arguments.sb3
        else walks(puzzles, arguments.envs, 1 if arguments.cpu_time else usable_cores())
    )
    results: list[tuple[Any, ...]] = [
        (*row, best_rate(walk, arguments.seconds, clock)) for *row, walk in rows
    ]
    print_machine()
    print(f"{arguments.puzzles}: {len(puzzles)} puzzles, observation planes, {shape} bytes")
    print(
        f"seconds of {'processor' if arguments.cpu_time else 'wall'} time, best of {ROUNDS} rounds"
    )
    print(f"{'environment':34}{'envs':>6} {'autoreset':12}{'cores':>6}{'steps/s':>13}{'ratio':>8}")
    for name, envs, autoreset, cores, rate in results:
        ratio = rate / results[0][-1]
        print(f"{name:34}{envs:6} {autoreset:12}{cores:6}{rate:13,.0f}{ratio:7,.0f}x")


def walks(puzzles: list[Puzzle], envs: int, cores: int) -> list[Walk]:
    """Returns the environments to measure, on one core and on several."""
    rows: list[Walk] = [("gymnasium.make", 1, "by hand", 1, single(puzzles))]
    for mode in AutoresetMode:
        if mode is not AutoresetMode.DISABLED:
            walk = vector(puzzles, envs, mode, threads=1, copy=False)
            rows.append(("vector, one array", envs, mode.name, 1, walk))
    walk = vector(puzzles, envs, AutoresetMode.NEXT_STEP, threads=1, copy=True)
    rows.append(("vector, copies", envs, "NEXT_STEP", 1, walk))
    many = max(envs, 1024 * cores)
    for threads in (1, cores) if cores > 1 else ():
        walk = vector(puzzles, many, AutoresetMode.NEXT_STEP, threads=threads, copy=False)
        rows.append(("vector, one array", many, "NEXT_STEP", threads, walk))
    return rows


def sb3_walks(puzzles: str, envs: int) -> Iterator[Walk]:
    """Yields both vector environments of Stable-Baselines3, alone and as PPO's."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    from pushworld.envs.sb3 import Sb3VecEnv

    torch.set_num_threads(1)
    id, rollout = "pushworld:PushWorld/Custom-v0", 16
    actions = cycle(np.random.default_rng(0).integers(0, 4, (64, envs)))

    def step(env: Any) -> int:
        env.step(next(actions))
        return envs

    def learn(model: Any) -> int:
        model.learn(envs * rollout, reset_num_timesteps=False)
        return envs * rollout

    native = gymnasium.make_vec(id, envs, puzzles=puzzles, threads=1)
    environments: dict[str, Any] = {
        "SB3, make_vec_env": make_vec_env(id, envs, env_kwargs={"puzzles": puzzles}),
        "SB3, Sb3VecEnv": Sb3VecEnv(native),
    }
    for name, env in environments.items():
        env.seed(0)
        env.reset()
        yield name, envs, "SB3", 1, partial(step, env)
        model = PPO("MlpPolicy", env, n_steps=rollout, batch_size=1024, n_epochs=4, device="cpu")
        yield f"PPO, {name}", envs, "SB3", 1, partial(learn, model)


def single(puzzles: list[Puzzle]) -> Callable[[], int]:
    """Returns a function that takes some steps in one environment and returns how many."""
    env = gymnasium.make("pushworld:PushWorld/Custom-v0", puzzles=puzzles)
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, CHUNK).tolist()

    def walk() -> int:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return CHUNK

    return walk


def vector(
    puzzles: list[Puzzle], envs: int, mode: AutoresetMode, *, threads: int, copy: bool
) -> Callable[[], int]:
    """Returns a function that takes a step in all environments and returns how many these are."""
    env = PushWorldVectorEnv(envs, puzzles, autoreset_mode=mode, threads=threads, copy=copy)
    env.reset(seed=0)
    actions = cycle(np.random.default_rng(0).integers(0, 4, (64, envs)))
    for _ in range(DEFAULT_MAX_STEPS):
        env.step(next(actions))

    def walk() -> int:
        env.step(next(actions))
        return envs

    return walk


if __name__ == "__main__":
    run_script(main)
