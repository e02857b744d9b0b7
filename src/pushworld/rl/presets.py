"""Runs to begin with: the paper's, and one that a laptop finishes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pushworld.datasets.sets import known_set
from pushworld.rl.config import ConfigError, RunConfig

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {},
    "cpu": {
        "steps": 2_000_000,
        "log_every": 20_000,
        "evaluate_every": 200_000,
        "checkpoint_every": 200_000,
        "evaluation_puzzles": 200,
        "network": {"kind": "centred", "hidden": [128, 64]},
        "ppo": {
            "environments": 64,
            "unroll": 32,
            "minibatches": 8,
            "epochs": 3,
            "learning_rate": 1e-3,
            "value_cost": 0.1,
            "discount": 0.95,
            "max_gradient_norm": 1.0,
        },
        "dqn": {
            "environments": 64,
            "batch": 128,
            "learning_rate": 5e-4,
            "replay": 131_072,
            "warm_up": 8_192,
            "target_period": 10,
        },
    },
}
"""What differs from the defaults, which are the paper's but for what docs/learning.md names."""


def train_and_test(name: str) -> tuple[str, str | None]:
    """Returns the set to train on and the one to test on that the name of a set stands for.

    A Level 0 set, and a folder with folders ``train`` and ``test``, has both; any other set is
    for training.
    """
    folder = Path(name)
    both = f"{name}/train", f"{name}/test"
    if all(known_set(each) for each in both):
        return both
    if known_set(name) is None and all((folder / each).is_dir() for each in ("train", "test")):
        return both
    return name, None


def described_run(
    file: Path | None,
    preset: str | None,
    set_name: str | None,
    settings: Mapping[str, Any],
) -> RunConfig:
    """Returns the run of a file or of a preset, with some settings changed.

    Args:
        file: a file that `RunConfig.load` reads, or None.
        preset: one of `PRESETS`, or None for the paper's if there is no file.
        set_name: the set to train on, as `train_and_test` takes it, or None for the run's own.
        settings: by name; those that are None are left as they are.

    Raises:
        ConfigError: if the file and a preset are given, or something in them is wrong.
    """
    if file is not None and preset is not None:
        raise ConfigError("a configuration file and a preset exclude each other: give one of them")
    chosen = {key: value for key, value in settings.items() if value is not None}
    if set_name is not None:
        train, test = train_and_test(set_name)
        chosen = {"train": train, "test": test, **chosen}
    if file is not None:
        return RunConfig.from_dict({**RunConfig.load(file).to_dict(), **chosen})
    preset = preset or "paper"
    if preset not in PRESETS:
        raise ConfigError(f"there is no preset {preset!r}: use {' or '.join(PRESETS)}")
    return RunConfig.from_dict({**PRESETS[preset], **chosen})


def folder_of(run: RunConfig) -> Path:
    """Returns the folder of a run for which none was chosen."""
    name = Path(run.train).as_posix().removesuffix("/train").strip("./").replace("/", "-")
    return Path("runs") / f"{run.algorithm}-{name}-{run.seed}"
