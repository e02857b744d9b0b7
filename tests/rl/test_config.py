"""Configurations survive files, and mistakes in them are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pushworld.rl.config import ConfigError, DQNConfig, NetworkConfig, PPOConfig, RunConfig

UNUSUAL = RunConfig(
    algorithm="dqn",
    train="walls/train",
    test=None,
    seed=7,
    evaluation_puzzles=20,
    network=NetworkConfig("iterated", channels=48, hidden=(64, 32, 16), precision="float32"),
    ppo=PPOConfig(learning_rate=1e-3),
    dqn=DQNConfig(epsilon=0.1, double=False),
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
        ({"seed": "1"}, "seed is '1': it must be of type int"),
        ({"seed": True}, "seed is True: it must be of type int"),
        ({"algorithm": "sarsa"}, "algorithm is 'sarsa': use ppo or dqn"),
        ({"ppo": 3}, "ppo must be a table of names and values"),
        ({"steps": 0}, "steps must be positive"),
        ({"ppo": {"minibatches": 3}}, "ppo.minibatches must divide"),
        ({"dqn": {"batch": 100}}, "dqn.batch must divide"),
        ({"dqn": {"replay": 1000}}, "dqn.replay must be a multiple"),
        ({"dqn": {"warm_up": 0}}, "dqn.warm_up must be"),
        ({"dqn": {"warm_up": 1025}}, "dqn.warm_up must be a multiple"),
        ({"dqn": {"epsilon": 1.5}}, "dqn.epsilon must be between 0 and 1"),
        ({"ppo": {"discount": float("nan")}}, "ppo.discount must be between 0 and 1"),
        ({"ppo": {"learning_rate": 0}}, "ppo.learning_rate must be positive"),
        ({"network": {"hidden": [8, 0]}}, "network.hidden must be positive sizes"),
        ({"network": {"channels": -1}}, "network.channels must be positive"),
        ({"evaluation_puzzles": 0}, "evaluation_puzzles must be positive"),
        ({"max_steps": 2**31}, "max_steps must be less than"),
        ({"seed": 2**32}, "seed must be between"),
    ],
)
def test_mistakes_are_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        RunConfig.from_dict(settings)
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "text"), [("a.json", "{"), ("a.toml", "="), ("none.json", None)])
def test_bad_files_are_named(name: str, text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=name):
        RunConfig.load(tmp_path / name)
