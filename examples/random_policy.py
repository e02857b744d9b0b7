"""A random policy: the baseline for learners.

python examples/random_policy.py --puzzles bundled --episodes 20
"""

import argparse

import gymnasium


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", default="bundled", help="a set, folder, file or name")
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    env = gymnasium.make("pushworld:PushWorld/Custom-v0", puzzles=arguments.puzzles)
    env.action_space.seed(arguments.seed)
    env.reset(seed=arguments.seed)
    solved, total = 0, 0.0
    for _ in range(arguments.episodes):
        env.reset()
        terminated = truncated = False
        while not (terminated or truncated):
            _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            total += float(reward)
        solved += terminated
    print(
        f"random policy: {solved} of {arguments.episodes} episodes solved, "
        f"mean return {total / arguments.episodes:.2f}"
    )


if __name__ == "__main__":
    main()
