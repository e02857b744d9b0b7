"""An oracle policy: a planner solves the puzzle of each episode, and the environment executes the plan.

    python examples/oracle.py --puzzles bundled --episodes 10

Each episode transforms its puzzle by a random symmetry; `env.unwrapped.puzzle` is the result.
"""

import argparse

import gymnasium

import pushworld
from pushworld.puzzle import parse_plan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", default="bundled", help="a set, folder, file or name")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    env = gymnasium.make(
        "pushworld:PushWorld/Custom-v0",
        puzzles=arguments.puzzles,
        symmetries=True,
        max_episode_steps=1000,
    )
    env.reset(seed=arguments.seed)
    solved = 0
    for _ in range(arguments.episodes):
        _, info = env.reset()
        result = pushworld.solve(env.unwrapped.puzzle, time_limit=10)  # type: ignore[attr-defined]
        total, terminated = 0.0, False
        for action in parse_plan(result.plan or ""):
            _, reward, terminated, _, _ = env.step(action)
            total += float(reward)
        solved += terminated
        print(f"{info['puzzle']}: {result.status}, {result.length} steps, return {total:.2f}")
    print(f"oracle: {solved} of {arguments.episodes} episodes solved")


if __name__ == "__main__":
    main()
