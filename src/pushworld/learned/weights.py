"""Weights of the network: their shapes, and random ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pushworld.learned.observation import CHANNELS
from pushworld.rl.distance_classes import CLASSES

Array = NDArray[np.float32]


def weight_shapes(width: int) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of the weights of a network with `width` channels, by name."""
    layers: dict[str, tuple[int, ...]] = {
        "embed": (3, 3, CHANNELS, width),
        "mix": (3, 3, width, width),
        "world": (2 * width, width),
        "back": (width, width),
        "read": (width, 2 * width),
        "policy": (2 * width, 4),
        "distance": (2 * width, CLASSES),
    }
    return layers | {f"{name}_bias": each[-1:] for name, each in layers.items() if name != "mix"}


def random_weights(width: int, seed: int = 0) -> dict[str, Array]:
    """Returns random weights of a network with `width` channels, by name."""
    random = np.random.default_rng(seed)
    scales = {"back": 0.1, "policy": 0.1, "distance": 0.1}
    weights = {}
    for name, shape in weight_shapes(width).items():
        if name.endswith("_bias"):
            weights[name] = np.zeros(shape, np.float32)
        else:
            deviation = scales.get(name, 1.0) * math.sqrt(2 / math.prod(shape[:-1]))
            weights[name] = np.asarray(deviation * random.standard_normal(shape), np.float32)
    return weights
