"""Preset runs (the paper's, one for a laptop, one for a GPU), and a run from presets, files and options."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pushworld.datasets.sets import known_set
from pushworld.rl.algorithms.devices import has_accelerator
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
            "minibatches": 8,
            "epochs": 3,
            "learning_rate": 1e-3,
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
        "imitation": {"environments": 512, "batch": 128, "max_states": 200_000},
    },
    "gpu": {
        "steps": 16_000_000,
        "log_every": 2_000_000,
        "evaluate_every": 2_000_000,
        "evaluation_puzzles": 500,
        "network": {
            "kind": "iterated",
            "channels": 64,
            "hidden": [128],
            "repeats": 6,
            "precision": "bfloat16",
        },
        "ppo": {
            "environments": 4096,
            "unroll": 16,
            "minibatches": 16,
            "learning_rate": 1e-3,
            "discount": 0.95,
            "max_gradient_norm": 1.0,
        },
        "dqn": {
            "environments": 8192,
            "batch": 2048,
            "learning_rate": 5e-4,
            "target_period": 25,
            "discount": 0.95,
            "action_gap": 0.5,
            "averaging": 0.99,
            "max_gradient_norm": 1.0,
        },
    },
}
"""Differences from the defaults, which are the paper's except for those that docs/explanation/learning.md names."""


def train_and_test_sets(name: str) -> tuple[str, str | None]:
    """Returns the training set and the test set that a name stands for.

    A Level 0 set has both, and so has a folder with the folders ``train`` and ``test``. Any other
    set is a training set.
    """
    folder = Path(name)
    both = f"{name}/train", f"{name}/test"
    if all(known_set(each) for each in both):
        return both
    if known_set(name) is None and all((folder / each).is_dir() for each in ("train", "test")):
        return both
    return name, None


def configure_run(
    file: Path | None, preset: str | None, set_name: str | None, overrides: Mapping[str, Any]
) -> RunConfig:
    """Returns the run of a file or of a preset, with some settings overridden.

    Args:
        file: a file that `RunConfig.load` reads, or None.
        preset: one of `PRESETS`, or None for that of this machine if there is no file.
        set_name: the set to train on, as `train_and_test_sets` takes it, or None to keep the run's.
        overrides: settings by name; None keeps the run's own.

    Raises:
        ConfigError: if both a file and a preset are given, or a setting is not valid.
    """
    if file is not None and preset is not None:
        raise ConfigError("a configuration file and a preset exclude each other: give one of them")
    chosen = {key: value for key, value in overrides.items() if value is not None}
    if set_name is not None:
        train, test = train_and_test_sets(set_name)
        chosen = {"train": train, "test": test, **chosen}
    if file is not None:
        return RunConfig.from_dict({**RunConfig.load(file).to_dict(), **chosen})
    return RunConfig.from_dict({**preset_settings(preset or machine_preset()), **chosen})


def preset_settings(name: str) -> Mapping[str, Any]:
    """Returns a preset by its name, or raises ConfigError."""
    if name not in PRESETS:
        *others, last = PRESETS
        raise ConfigError(f"there is no preset {name!r}: use {', '.join(others)} or {last}")
    return PRESETS[name]


def machine_preset() -> str:
    """Returns the preset for this machine: ``gpu`` or ``cpu``."""
    return "gpu" if has_accelerator() else "cpu"


def default_folder(run: RunConfig) -> Path:
    """Returns the folder of a run that the user gave no folder for."""
    name = Path(run.train).as_posix().removesuffix("/train").strip("./").replace("/", "-")
    return Path("runs") / f"{run.algorithm}-{name}-{run.seed}"
