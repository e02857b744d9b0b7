"""What a run leaves on disk to go on from, and the small file that holds an agent."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import traverse_util

from pushworld.puzzle import PushWorldError
from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.learner import Weights


class CheckpointError(PushWorldError):
    """A checkpoint that is missing, damaged, or of another run."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes:
        steps: environment steps taken.
        seconds: spent on them, over all parts of the run.
        reports: how many rows of metrics there were.
    """

    steps: int = 0
    seconds: float = 0.0
    reports: int = 0


class Checkpoints:
    """The checkpoints of a run, of which the last two are kept."""

    def __init__(self, folder: Path) -> None:
        import orbax.checkpoint as ocp  # type: ignore[import-untyped]

        self._folder = folder
        self._args: Any = ocp.args
        self._manager = ocp.CheckpointManager(
            folder.resolve(),
            options=ocp.CheckpointManagerOptions(
                max_to_keep=2, enable_async_checkpointing=False, create=True
            ),
        )

    def latest(self) -> int | None:
        """Returns after how many reports the last checkpoint was written, or None."""
        latest: int | None = self._manager.latest_step()
        return latest

    def save(self, state: Any, progress: Progress) -> None:
        """Writes a checkpoint, or raises CheckpointError; one that is cut short does not count."""
        try:
            self._manager.save(
                progress.reports,
                args=self._args.Composite(
                    state=self._args.StandardSave(_plain_keys(state)),
                    progress=self._args.JsonSave(vars(progress)),
                ),
            )
        except Exception as error:  # Orbax raises errors of many libraries
            raise CheckpointError(f"{self._folder} cannot be written: {error}") from error

    def restore(self, like: Any) -> tuple[Any, Progress] | None:
        """Returns the last checkpoint, or None if there is none; raises CheckpointError.

        Args:
            like: a state of the same structure and shapes.
        """
        latest = self.latest()
        if latest is None:
            return None
        shapes = jax.tree.map(_shape, _plain_keys(like))
        try:
            restored = self._manager.restore(
                latest,
                args=self._args.Composite(
                    state=self._args.StandardRestore(shapes), progress=self._args.JsonRestore()
                ),
            )
            state = jax.tree.map(_as_key_where, like, restored["state"])
            return state, Progress(**restored["progress"])
        except Exception as error:  # Orbax raises errors of many libraries
            raise CheckpointError(
                f"{self._folder / str(latest)} is damaged, or was written by a run with another "
                "network: remove it to go on from the one before"
            ) from error

    def close(self) -> None:
        self._manager.close()


def _shape(leaf: jax.Array) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(  # type: ignore[no-untyped-call]
        leaf.shape, leaf.dtype, sharding=leaf.sharding
    )


def _is_key(leaf: Any) -> bool:
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))


def _plain_keys(state: Any) -> Any:
    """Returns a tree with random keys as plain numbers."""
    return jax.tree.map(lambda leaf: jax.random.key_data(leaf) if _is_key(leaf) else leaf, state)


def _as_key_where(like: Any, leaf: Any) -> Any:
    return jax.random.wrap_key_data(leaf) if _is_key(like) else leaf


@dataclass(frozen=True)
class Agent:
    """A trained network, and all that is needed to use it.

    Attributes:
        config: the run that it comes from.
        width, height, goals: the world that it was trained in.
        steps: how long it was trained.
        weights: of the network.
    """

    config: RunConfig
    width: int
    height: int
    goals: int
    steps: int
    weights: Weights


_ABOUT = "agent.json"

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)
"""What archives raise that are no archives, or parts of them."""


def save_agent(path: Path, agent: Agent) -> None:
    """Writes an agent as one file: a zip archive of JSON and NumPy arrays."""
    about = {
        "config": agent.config.to_dict(),
        "width": agent.width,
        "height": agent.height,
        "goals": agent.goals,
        "steps": agent.steps,
    }
    temporary = path.with_suffix(".partial")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_ABOUT, json.dumps(about, indent=2))
        flat = traverse_util.flatten_dict(agent.weights, sep="/")  # type: ignore[no-untyped-call]
        for name, array in flat.items():
            data = io.BytesIO()
            np.save(data, np.asarray(array))
            archive.writestr(f"{name}.npy", data.getvalue())
    temporary.replace(path)


def load_agent(path: Path) -> Agent:
    """Returns the agent in a file, or in the folder of a run; raises CheckpointError if none is."""
    path = path / "agent.zip" if path.is_dir() else path
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read(_ABOUT))
            weights = {
                name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name)))
                for name in archive.namelist()
                if name != _ABOUT
            }
        about["config"] = RunConfig.from_dict(about["config"])
        tree = traverse_util.unflatten_dict(weights, sep="/")  # type: ignore[no-untyped-call]
        return Agent(weights=tree, **about)
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}") from error
    except (*_DAMAGE, KeyError, ValueError, TypeError, ConfigError) as error:
        raise CheckpointError(f"{path} is no agent that pushworld train wrote: {error}") from error
