"""Trains PPO from Stable-Baselines3 on planes, then prints how many episodes the policy solves.

pip install stable-baselines3 'pushworld[envs]'
python examples/train_sb3.py --puzzles level0/base/train --steps 1000000 --save policy.zip
"""

from __future__ import annotations

import argparse

import gymnasium
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

ID = "pushworld:PushWorld/Custom-v0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", default="bundled", help="a set, folder, file or name")
    parser.add_argument("--steps", type=int, default=100_000, help="training steps")
    parser.add_argument("--envs", type=int, default=8, help="environments at once")
    parser.add_argument("--rollout", type=int, default=128, help="steps of each between updates")
    parser.add_argument("--episodes", type=int, default=50, help="to evaluate the policy with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="where to save the policy")
    arguments = parser.parse_args()

    options = {"puzzles": arguments.puzzles, "symmetries": True}
    envs = make_vec_env(ID, arguments.envs, seed=arguments.seed, env_kwargs=options)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=arguments.rollout,
        batch_size=arguments.envs * arguments.rollout // 4,
        seed=arguments.seed,
        device="cpu",
    )
    model.learn(arguments.steps)
    if arguments.save:
        model.save(arguments.save)

    env = gymnasium.make(ID, **options)
    env.reset(seed=arguments.seed + 1)
    solved = 0
    for _ in range(arguments.episodes):
        observation, _ = env.reset()
        terminated = truncated = False
        while not (terminated or truncated):
            action, _ = model.predict(observation)
            observation, _, terminated, truncated, _ = env.step(int(action))
        solved += terminated
    print(f"after {model.num_timesteps} steps: {solved} of {arguments.episodes} episodes solved")


if __name__ == "__main__":
    main()
