"""Prints how many units of an agent's layers are never active, and how far its values of actions lie apart.

    python benchmarks/units.py runs/dqn-all-0/agent.zip --set all/train

A unit that is 0 on all observations learns nothing more. The observations are those of 512 episodes
after a few random actions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import jax
import numpy as np

from pushworld.datasets import Store, load_set, published_manifest
from pushworld.rl.algorithms.learner import (
    decode_observations,
    encode_observations,
    reset_all,
    step_all,
)
from pushworld.rl.algorithms.networks import ActionValues
from pushworld.rl.evaluation.agents import load_agent
from pushworld.rl.runs.puzzles import RunPuzzles

EPISODES = 512
STEPS = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", type=Path, nargs="+", help="agents of DQN with one network")
    parser.add_argument("--set", default="all/train")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip")
    chosen = parser.parse_args()
    store = Store(chosen.puzzles, published_manifest()) if chosen.puzzles else None
    agents = [load_agent(path) for path in chosen.agents]
    if any(
        each.config.algorithm != "dqn" or each.config.network.kind != "paper" for each in agents
    ):
        parser.error("only agents of DQN with the paper's network have these layers")
    puzzles = load_set(chosen.set, store)
    params = RunPuzzles.of_puzzles(agents[0].config, puzzles, []).train_params
    states = reset_all(jax.random.key(0), EPISODES, params)
    for key in jax.random.split(jax.random.key(1), STEPS):
        states, *_ = step_all(states, jax.random.randint(key, (EPISODES,), 0, 4), params)
    observations = decode_observations(encode_observations(states, params), params)
    for path, agent in zip(chosen.agents, agents, strict=True):
        values, layers = ActionValues(agent.config.network).apply(
            agent.weights, observations, capture_intermediates=True
        )
        apart = float((values.max(axis=1) - values.min(axis=1)).mean())
        print(f"{path}: {agent.steps:,} steps, values of actions lie {apart:.4f} apart")
        for name, outputs in layers["intermediates"]["PaperTorso_0"].items():
            if name.startswith(("Conv", "Dense")):
                units = np.asarray(outputs["__call__"][0]).reshape(EPISODES, -1)
                width = outputs["__call__"][0].shape[-1]
                active = (units.reshape(-1, width) > 0).any(axis=0)
                print(f"  {name}: {(~active).sum()} of {width} units are never active")


if __name__ == "__main__":
    main()
