"""Trains PPO from Stable-Baselines3 and prints how many episodes the policy solves.

pip install 'pushworld[envs,sb3]'
python examples/train_sb3.py --log runs/planes
python examples/train_sb3.py --observation pixels --log runs/pixels
python examples/train_sb3.py --masks --puzzles level0/base/train --test level0/base/test --steps 5000000

Planes go to `MlpPolicy`, pixels to `CnnPolicy`. `--masks` trains MaskablePPO of sb3-contrib, which never
chooses an action without effect. `--log` writes `evaluations.npz` with the solved episodes during training.
"""

import argparse
from tempfile import mkdtemp
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.vec_env import VecMonitor, VecTransposeImage

from pushworld.envs import frame_of
from pushworld.envs.sb3 import Sb3VecEnv

ID = "pushworld:PushWorld/Custom-v0"
CNN_SIDE = 36
"""The least number of pixels a side that `CnnPolicy` takes."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--puzzles", nargs="+", default=["first-push", "crossroads"], help="sets, folders or names"
    )
    parser.add_argument("--test", nargs="+", help="others to evaluate on (default: the same)")
    parser.add_argument("--observation", choices=("planes", "pixels"), default="planes")
    parser.add_argument("--reward", default="shaped", help="paper, sparse or shaped (default)")
    parser.add_argument("--masks", action="store_true", help="train with action masks")
    parser.add_argument("--steps", type=int, default=60_000, help="training steps")
    parser.add_argument("--envs", type=int, default=8, help="environments at once")
    parser.add_argument("--rollout", type=int, default=128, help="steps of each between updates")
    parser.add_argument("--evaluations", type=int, default=10, help="during training")
    parser.add_argument("--episodes", type=int, default=50, help="of each evaluation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", help="where to write the evaluations")
    parser.add_argument("--save", help="where to save the policy")
    arguments = parser.parse_args()

    test = arguments.test or arguments.puzzles
    options: dict[str, Any] = {**frame_of(*arguments.puzzles, *test)}
    if arguments.observation == "pixels":
        scale = max(3, -(-CNN_SIDE // min(options["width"], options["height"])))
        options |= {"observation": "pixels", "dtype": "uint8", "pixels_per_cell": scale}

    def make(puzzles: list[str], count: int, seed: int, **more: Any) -> Any:
        vector = gymnasium.make_vec(ID, count, puzzles=puzzles, **options, **more)
        envs = VecMonitor(Sb3VecEnv(vector))
        envs.seed(seed)
        return VecTransposeImage(envs) if arguments.observation == "pixels" else envs

    train = make(arguments.puzzles, arguments.envs, arguments.seed, reward=arguments.reward)
    evaluation = (MaskableEvalCallback if arguments.masks else EvalCallback)(
        make(test, 1, arguments.seed + 1000),
        n_eval_episodes=arguments.episodes,
        eval_freq=max(arguments.steps // arguments.envs // arguments.evaluations, 1),
        log_path=arguments.log or mkdtemp(),
        deterministic=False,
        verbose=0,
    )
    model = (MaskablePPO if arguments.masks else PPO)(
        "CnnPolicy" if arguments.observation == "pixels" else "MlpPolicy",
        train,
        n_steps=arguments.rollout,
        batch_size=arguments.envs * arguments.rollout // 4,
        ent_coef=0.01,
        gamma=0.99,  # the discount of the shaped reward
        seed=arguments.seed,
        device="cpu",
    )
    model.learn(arguments.steps, callback=evaluation)
    if arguments.save:
        model.save(arguments.save)
    solved = evaluation.evaluations_successes[-1]
    print(f"after {model.num_timesteps} steps: {sum(solved)} of {len(solved)} episodes solved")


if __name__ == "__main__":
    main()
