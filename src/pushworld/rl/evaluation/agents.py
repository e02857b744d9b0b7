"""Trained agents, the files that hold them, and puzzles as they read them."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from flax import traverse_util

from pushworld.datasets.arrays import ARCHIVE_ERRORS, open_archive, read_member
from pushworld.envs.jax import EnvParams, PackError, pack
from pushworld.files import parse_json, replaced
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.imitation import make_imitation
from pushworld.rl.algorithms.learner import Learner, Weights
from pushworld.rl.algorithms.networks import observation_of
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.config import AGENT_FILE, ConfigError, RunConfig, without_removed

_DESCRIPTION = "agent.json"


class AgentError(PushWorldError):
    """A file that does not hold an agent."""


def make_learner(config: RunConfig) -> Learner:
    """Returns the algorithm of a run."""
    if config.algorithm == "dqn":
        return make_dqn(config.network, config.dqn)
    if config.algorithm == "imitation":
        return make_imitation(config.network, config.imitation)
    return make_ppo(config.network, config.ppo)


@dataclass(frozen=True)
class Agent:
    """A trained network, and all that is needed to use it.

    Attributes:
        config: the run that trained it.
        width, height: the size of the grid that puzzles were padded to.
        goals: the largest number of goals of a puzzle.
        steps: the environment steps of its training.
        weights: of the network.
        objects: the largest number of objects of a puzzle, if the network reads each as a plane.
    """

    config: RunConfig
    width: int
    height: int
    goals: int
    steps: int
    weights: Weights
    objects: int | None = None


def save_agent(path: Path, agent: Agent, half: bool = False) -> None:
    """Writes an agent as one file: a zip archive of JSON and NumPy arrays.

    In half precision it is half as large, enough to play; `load_agent` returns single precision.
    """
    about = vars(agent) | {"config": agent.config.to_dict()}
    weights = about.pop("weights")
    with replaced(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_DESCRIPTION, json.dumps(about, indent=2))
        flat = traverse_util.flatten_dict(weights, sep="/")  # type: ignore[no-untyped-call]
        for name, array in flat.items():
            data = io.BytesIO()
            np.save(data, np.asarray(array, np.float16 if half else None))
            archive.writestr(f"{name}.npy", data.getvalue())


def load_agent(path: Path) -> Agent:
    """Returns the agent of a file, or of the folder of a run; raises AgentError if there is none."""
    if path.is_dir():
        path = path / AGENT_FILE
    try:
        with open_archive(path) as archive:
            about = parse_json(archive.read(_DESCRIPTION), _DESCRIPTION)
            weights = {
                name.removesuffix(".npy"): read_member(archive, name).astype(np.float32)
                for name in archive.namelist()
                if name != _DESCRIPTION
            }
        about["config"] = RunConfig.from_dict(without_removed(about["config"]))
        tree = traverse_util.unflatten_dict(weights, sep="/")  # type: ignore[no-untyped-call]
        return Agent(weights=tree, **about)
    except OSError as error:
        raise AgentError(f"{path} cannot be read: {error.strerror or error}") from error
    except (*ARCHIVE_ERRORS, AttributeError, ConfigError) as error:
        raise AgentError(f"{path} is no agent that pushworld train wrote: {error}") from error


def pack_for(config: RunConfig, puzzles: Sequence[Puzzle], agent: Agent | None = None) -> EnvParams:
    """Returns the puzzles of a run as its network reads them; with an agent, as the agent's does.

    They are padded to the agent's grid. Networks that repeat a block also take larger grids, and those
    that read scenes any number of goals and objects.

    Raises:
        PackError: if a puzzle does not fit.
    """
    options: dict[str, Any] = {
        "max_steps": config.max_steps,
        "symmetries": config.symmetries,
        "random_placement": config.random_placement,
        "observation": observation_of(config.network),
    }
    if agent is None:
        return pack(puzzles, **options)
    width, height = agent.width, agent.height
    if config.network.kind == "iterated":
        side = max((max(puzzle.width, puzzle.height) for puzzle in puzzles), default=0)
        width, height = max(width, side), max(height, side)
    options |= {"width": width, "height": height}
    if not config.network.scene:
        options |= {"goals": agent.goals, "objects": agent.objects}
    try:
        params = pack(puzzles, **options)
        if agent.objects is not None and params.slots > agent.objects:
            raise PackError(f"the puzzles have up to {params.slots} objects")
    except PackError as error:
        objects = "" if agent.objects is None else f" and {agent.objects} objects"
        raise PackError(
            f"{error}; the agent was trained on a grid of {agent.width} x {agent.height} cells "
            f"with at most {agent.goals} goals{objects}"
        ) from error
    return params
