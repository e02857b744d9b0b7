"""The checkpoints of a run, from which it continues."""

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
from numpy.typing import NDArray

from pushworld.files import make_folder, read_text, replaced, write_text
from pushworld.puzzle import PushWorldError
from pushworld.rl.config import RunConfig

CONFIG_FILE = "config.json"
PUZZLES_FILE = "puzzles.sha256"
DIGEST = hashlib.sha256().digest_size


class CheckpointError(PushWorldError):
    """A checkpoint that is damaged, of another run, or cannot be written."""


@dataclass(frozen=True)
class RunProgress:
    """What a run has done so far.

    Attributes:
        steps: environment steps.
        seconds: training time, over all calls that continued the run.
        reports: rows of metrics.
    """

    steps: int = 0
    seconds: float = 0.0
    reports: int = 0


class Checkpoints:
    """The checkpoints of a run, each a file that is named by its reports; the last two are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = make_folder(folder)

    def latest(self) -> int | None:
        """Returns the number of reports before the last checkpoint, or None if there is none."""
        return max(self._numbers(), default=None)

    def save(self, state: Any, progress: RunProgress) -> None:
        """Writes a checkpoint, all of it or nothing; raises CheckpointError."""
        arrays: dict[str, Any] = {
            str(number): np.asarray(jax.random.key_data(leaf) if _is_key(leaf) else leaf)
            for number, leaf in enumerate(jax.tree.leaves(state))
        }
        content = io.BytesIO()
        about = json.dumps(vars(progress)).encode()
        np.savez(content, progress=np.frombuffer(about, np.uint8), **arrays)
        data = content.getvalue()
        try:
            with replaced(self._folder / str(progress.reports)) as path:
                path.write_bytes(hashlib.sha256(data).digest() + data)
            for number in sorted(self._numbers())[:-2]:
                (self._folder / str(number)).unlink()
        except (PushWorldError, OSError) as error:
            raise CheckpointError(f"{self._folder} cannot be written: {error}") from error

    def restore(self, like: Any) -> tuple[Any, RunProgress] | None:
        """Returns the last checkpoint, or None if there is none; raises CheckpointError.

        Args:
            like: a training state of the same structure and shapes.
        """
        latest = self.latest()
        if latest is None:
            return None
        path = self._folder / str(latest)
        leaves, structure = jax.tree.flatten(like)
        try:
            content = path.read_bytes()
            digest, data = content[:DIGEST], content[DIGEST:]
            if hashlib.sha256(data).digest() != digest:
                raise ValueError("another digest")
            with np.load(io.BytesIO(data)) as arrays:
                progress = RunProgress(**json.loads(bytes(arrays["progress"])))
                restored = [
                    _placed_like(leaf, arrays[str(number)]) for number, leaf in enumerate(leaves)
                ]
        except (OSError, ValueError, KeyError) as error:
            raise CheckpointError(
                f"{path} is damaged, or was written by a run with another "
                "network: remove it to continue from the one before"
            ) from error
        return jax.tree.unflatten(structure, restored), progress

    def _numbers(self) -> list[int]:
        return [int(path.name) for path in self._folder.glob("*") if path.name.isdigit()]


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


def _placed_like(leaf: jax.Array, array: NDArray[Any]) -> jax.Array:
    """Returns an array on the devices of another one; raises ValueError if it differs in shape or type."""
    wanted = jax.random.key_data(leaf) if _is_key(leaf) else leaf
    if (array.shape, array.dtype) != (wanted.shape, wanted.dtype):
        raise ValueError("another shape")
    new = jnp.asarray(array)
    placed: jax.Array = jax.device_put(
        jax.random.wrap_key_data(new) if _is_key(leaf) else new, leaf.sharding
    )
    return placed


def _is_key(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))
