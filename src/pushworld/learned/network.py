"""The network: a recurrent convolutional block on grids of any size, evaluated in native code.

`pushworld.rl.algorithms.networks.Planner` is the same function in JAX; tests hold the two together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pushworld import _native
from pushworld.datasets.arrays import read_arrays
from pushworld.files import replaced
from pushworld.learned.observation import Planes
from pushworld.learned.weights import Array, weight_shapes
from pushworld.puzzle import PushWorldError
from pushworld.rl.distance_classes import DISTANCES

if TYPE_CHECKING:
    from pushworld.rl.evaluation.agents import Agent

DEAD_END_DISTANCE = 200.0
"""The distance of a dead end, in actions."""

CLASS_DISTANCES = np.array([*DISTANCES, DEAD_END_DISTANCE], np.float32)
MAX_REPEATS = 1000


class Network:
    """A policy and goal distances for every position of the agent, from one observation.

    Attributes:
        repeats: how often the block is applied.
        weights: by name: ``embed`` and ``mix`` are 3x3 convolutions, the others are dense layers;
            ``world`` reads the mean and the maximum over all cells. All but ``mix`` have a bias
            with the suffix ``_bias``.
    """

    def __init__(self, weights: Mapping[str, Array], repeats: int) -> None:
        self.repeats = repeats
        self.weights = {
            name: np.ascontiguousarray(each, np.float32) for name, each in weights.items()
        }

    @classmethod
    def load(cls, path: Path) -> Network:
        """Returns the network of a file, or raises PushWorldError if it does not hold one."""
        arrays = read_arrays(path)
        repeats = arrays.pop("repeats", np.zeros(0))
        shapes = {name: each.shape for name, each in arrays.items()}
        width = math.prod(shapes.get("back_bias", ()))
        is_number = repeats.shape == () and repeats.dtype.kind in "iu"
        is_network = width > 0 and shapes == weight_shapes(width)
        if not is_number or not 0 <= repeats <= MAX_REPEATS or not is_network:
            raise PushWorldError(f"{path} holds no network: give a weights.npz")
        return cls(arrays, int(repeats))

    @classmethod
    def of_agent(cls, agent: Agent) -> Network:
        """Returns the network of an agent that was trained for the planner; raises PushWorldError."""
        if agent.config.network.kind != "planner":
            raise PushWorldError(
                "only an agent with the network 'planner' can guide the planner learned: train one "
                'with "network": {"kind": "planner"}'
            )
        parts = {"kernel": "", "bias": "_bias"}
        layers = agent.weights["params"].items()
        weights = {
            f"{name}{parts[part]}": np.asarray(array)
            for name, layer in layers
            for part, array in layer.items()
        }
        return cls(weights, agent.config.network.repeats)

    def save(self, path: Path) -> None:
        """Writes the network, with its weights in half precision."""
        halves = {name: each.astype(np.float16) for name, each in self.weights.items()}
        with replaced(path) as new, new.open("wb") as file:
            arrays: dict[str, Any] = {"repeats": np.int64(self.repeats), **halves}
            np.savez_compressed(file, **arrays)

    @property
    def width(self) -> int:
        """The number of channels of a cell."""
        return len(self.weights["back_bias"])

    @cached_property
    def native(self) -> _native.Network:
        """The network in native code; policy and distance are one layer there."""
        weights = dict(self.weights)
        for suffix in ("", "_bias"):
            heads = weights.pop(f"policy{suffix}"), weights.pop(f"distance{suffix}")
            weights[f"heads{suffix}"] = np.ascontiguousarray(np.concatenate(heads, axis=-1))
        return _native.Network(weights, self.repeats, CLASS_DISTANCES.tolist())

    def __call__(self, planes: Planes) -> tuple[Array, Array]:
        """Returns log probabilities (batch, height, width, 4) and distances (batch, height, width)."""
        cells = planes.shape[:3]
        policies, distances = np.empty((*cells, 4), np.float32), np.empty(cells, np.float32)
        self.native.evaluate(np.ascontiguousarray(planes, np.float32), policies, distances)
        return policies, distances
