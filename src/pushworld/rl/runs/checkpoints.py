"""The checkpoints of a run, from which it continues."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from pushworld.files import read_text, write_text
from pushworld.puzzle import PushWorldError
from pushworld.rl.config import RunConfig

CONFIG_FILE = "config.json"
PUZZLES_FILE = "puzzles.sha256"


class CheckpointError(PushWorldError):
    """A checkpoint that is damaged, of another run, or cannot be written."""


@dataclass(frozen=True)
class RunProgress:
    """What a run has done so far.

    Attributes:
        steps: environment steps of each seed.
        seconds: training time, over all calls that continued the run.
        reports: rows of metrics.
    """

    steps: tuple[int, ...] = (0,)
    seconds: float = 0.0
    reports: int = 0


class Checkpoints:
    """The checkpoints of a run; the last two are kept."""

    def __init__(self, folder: Path) -> None:
        import orbax.checkpoint as ocp

        self._folder = folder
        self._args: Any = ocp.args
        self._manager = ocp.CheckpointManager(
            folder.resolve(),
            options=ocp.CheckpointManagerOptions(
                max_to_keep=2, enable_async_checkpointing=False, create=True
            ),
        )

    def latest(self) -> int | None:
        """Returns the number of reports before the last checkpoint, or None if there is none."""
        latest: int | None = self._manager.latest_step()
        return latest

    def save(self, state: Any, progress: RunProgress) -> None:
        """Writes a checkpoint, all of it or nothing; raises CheckpointError."""
        plain = _with_key_data(state)
        try:
            self._manager.save(
                progress.reports,
                args=self._args.Composite(
                    state=self._args.StandardSave(plain),
                    progress=self._args.JsonSave(
                        {**vars(progress), "digest": _digest(plain, progress)}
                    ),
                ),
            )
        except Exception as error:  # Orbax raises errors of many libraries
            raise CheckpointError(f"{self._folder} cannot be written: {error}") from error

    def restore(self, like: Any) -> tuple[Any, RunProgress] | None:
        """Returns the last checkpoint, or None if there is none; raises CheckpointError.

        Args:
            like: a training state of the same structure and shapes.
        """
        latest = self.latest()
        if latest is None:
            return None
        shapes = jax.tree.map(_shape, _with_key_data(like))
        try:
            restored = self._manager.restore(
                latest,
                args=self._args.Composite(
                    state=self._args.StandardRestore(shapes), progress=self._args.JsonRestore()
                ),
            )
            digest = restored["progress"].pop("digest")
            progress = RunProgress(**restored["progress"])
            progress = replace(progress, steps=tuple(progress.steps))
            if digest != _digest(restored["state"], progress):
                raise ValueError("another digest")
            return jax.tree.map(_wrap_key, like, restored["state"]), progress
        except Exception as error:  # Orbax raises errors of many libraries
            raise CheckpointError(
                f"{self._folder / str(latest)} is damaged, or was written by a run with another "
                "network: remove it to continue from the one before"
            ) from error

    def close(self) -> None:
        self._manager.close()


def claim_folder(folder: Path, config: RunConfig, puzzles: str, has_checkpoint: bool) -> None:
    """Writes the configuration and the digest of the puzzles; raises CheckpointError on another run.

    The number of steps may differ: a run can be extended.
    """
    path, digest = folder / CONFIG_FILE, folder / PUZZLES_FILE
    if has_checkpoint and path.exists():
        found = msgspec.structs.replace(RunConfig.load(path), steps=config.steps)
        others = ", ".join(f"{name} {value}" for name, value in found.differences(config).items())
        if others:
            raise CheckpointError(
                f"{folder} holds a run with another configuration ({others}): choose another "
                f"folder, or train with {path}"
            )
    if has_checkpoint and digest.exists() and read_text(digest).strip() != puzzles:
        raise CheckpointError(
            f"{folder} holds a run with other puzzles of the same names: choose another folder, or "
            "restore the puzzles"
        )
    config.save(path)
    write_text(digest, f"{puzzles}\n")


def _digest(state: Any, progress: RunProgress) -> str:
    """Returns a digest of a checkpoint: Orbax does not notice all damage to its files."""
    digest = hashlib.sha256(repr(progress).encode())
    for leaf in jax.tree.leaves(state):
        digest.update(np.asarray(leaf).tobytes())
    return digest.hexdigest()


def _shape(leaf: jax.Array) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(  # type: ignore[no-untyped-call]
        leaf.shape, leaf.dtype, sharding=leaf.sharding
    )


def _is_key(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))


def _with_key_data(state: Any) -> Any:
    """Returns a tree with random keys as integer arrays, which Orbax can write."""
    return jax.tree.map(lambda leaf: jax.random.key_data(leaf) if _is_key(leaf) else leaf, state)


def _wrap_key(like: Any, leaf: Any) -> Any:
    return jax.random.wrap_key_data(leaf) if _is_key(like) else leaf
