"""Configurations are written and read, and mistakes in them are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig

UNUSUAL = RunConfig(
    algorithm="dqn",
    train="walls/train",
    test=None,
    seed=7,
    evaluation_puzzles=20,
    network=NetworkConfig("iterated", channels=48, hidden=(64, 32, 16), precision="float32"),
    ppo=PPOConfig(learning_rate=1e-3),
    dqn=DQNConfig(epsilon=0.1),
)


@pytest.mark.parametrize("config", [RunConfig(), UNUSUAL])
def test_a_saved_run_is_the_same_run(config: RunConfig, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    config.save(path)
    assert RunConfig.load(path) == config


def test_toml(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text('algorithm = "dqn"\n[network]\nhidden = [8, 4]\n[dqn]\ndiscount = 1\n')
    expected = RunConfig(
        algorithm="dqn", network=NetworkConfig(hidden=(8, 4)), dqn=DQNConfig(discount=1.0)
    )
    assert RunConfig.load(path) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sed": 1}, "there is no setting sed: did you mean seed?"),
        ({"ppo": {"epoch": 1}}, "there is no setting ppo.epoch: did you mean epochs?"),
        ({"ppo": {"hue": 1}}, "there is no setting ppo.hue: use environments, learning_rate"),
        ({"seed": "1"}, "seed: expected int, got str"),
        ({"seed": True}, "seed: expected int, got bool"),
        ({"algorithm": "sarsa"}, "algorithm is 'sarsa': use ppo or dqn"),
        ({"network": {"kind": "deep"}}, "network.kind is 'deep': use paper or small or centred"),
        ({"ppo": 3}, "ppo: expected object, got int"),
        ([], "the configuration: expected object, got array"),
        ({"steps": 0}, "steps: expected int >= 1"),
        ({"ppo": {"minibatches": 3}}, "ppo.minibatches must divide"),
        ({"dqn": {"batch": 100}}, "dqn.batch must divide"),
        ({"dqn": {"replay": 1000}}, "dqn.replay must be a multiple"),
        ({"dqn": {"warm_up": 0}}, "dqn.warm_up: expected int >= 1"),
        ({"dqn": {"warm_up": 1025}}, "dqn.warm_up must be a multiple"),
        ({"dqn": {"epsilon": 1.5}}, "dqn.epsilon: expected float <= 1.0"),
        (
            {"dqn": {"epsilon": 0.5, "largest_epsilon": 0.4}},
            "dqn.largest_epsilon must be at least dqn.epsilon, which must be above 0",
        ),
        ({"ppo": {"discount": float("nan")}}, "ppo.discount: expected float >= 0.0"),
        ({"ppo": {"learning_rate": 0}}, "ppo.learning_rate: expected float > 0.0"),
        ({"network": {"hidden": [8, 0]}}, "network.hidden[1]: expected int >= 1"),
        ({"network": {"channels": -1}}, "network.channels: expected int >= 1"),
        ({"evaluation_puzzles": 0}, "evaluation_puzzles: expected int >= 1"),
        ({"max_steps": 2**31}, "max_steps: expected int <= 2147483647"),
        ({"seed": 2**32}, "seed: expected int <= 4294967295"),
        (
            {"network": {"repeats_choices": [2, 3]}},
            "repeats_choices needs ppo or imitation, and the network iterated",
        ),
        (
            {"imitation": {"environments": 100, "batch": 64}},
            "imitation.batch must divide imitation.environments",
        ),
    ],
)
def test_mistakes_are_named(settings: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        RunConfig.from_dict(settings)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "{"),
        ("a.toml", "="),
        ("none.json", None),
        ("deep.json", "[" * 100_000),
        ("deep.toml", "a = " + "[" * 100_000),
        ("surrogate.json", r'{"start_from": "\ud800"}'),
    ],
)
def test_bad_files_are_named(name: str, text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=name):
        RunConfig.load(tmp_path / name)
