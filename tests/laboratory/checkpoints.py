"""Checkpoints of a training with changed, cut or missing files.

Restoring gives what was saved, or the package's own error that names the checkpoint: never other weights,
another random key or another number of steps.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import jax
import numpy as np

from pushworld.rl.runs.checkpoints import CheckpointError, Checkpoints, RunProgress
from tests.laboratory.disks import damage
from tests.laboratory.trials import Options, Outcome, Trials, one_by_one

INPUTS = "checkpoints of a training with a file that is changed, cut or missing"
COUNT = 2_000
CHUNK = 50
PROGRESS = RunProgress(4096, 1.5, 2)


def start(options: Options) -> Trials:
    """Returns a function that damages a checkpoint and restores it."""
    folder = TemporaryDirectory(prefix="pushworld-checkpoints-", ignore_cleanup_errors=True)
    saved, copy = Path(folder.name) / "saved", Path(folder.name) / "copy"
    Checkpoints(saved).save(state(1), PROGRESS)

    def tried(trial: int, outcome: Outcome) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(saved, copy)
        damage_one(options.random(trial), copy)
        outcome.counts[restored(copy)] += 1

    tried.folder = folder  # type: ignore[attr-defined]  # keeps it
    return one_by_one(tried)


def state(seed: int) -> dict[str, Any]:
    """Returns something like the state of a training."""
    key = jax.random.key(seed)
    return {"weights": jax.random.normal(key, (40, 30)), "key": jax.random.split(key, 3)}


def damage_one(random: Random, folder: Path) -> None:
    """Damages or removes a file."""
    path = random.choice(sorted(each for each in folder.rglob("*") if each.is_file()))
    if random.random() < 0.1:
        path.unlink()
    else:
        path.write_bytes(damage(random, path.read_bytes()))


def restored(folder: Path) -> str:
    """Returns how the checkpoint was restored; raises AssertionError if it is another one."""
    try:
        found = Checkpoints(folder).restore(state(0))
    except CheckpointError:
        return "told"
    if found is None:
        return "not taken for a checkpoint"
    expected = state(1)
    assert found[1] == PROGRESS, "another progress"
    np.testing.assert_array_equal(found[0]["weights"], expected["weights"])
    assert (found[0]["key"] == expected["key"]).all(), "another random key"
    return "restored as saved"
