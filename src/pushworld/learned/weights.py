"""Weights of the network: random ones, and files of arrays."""

from __future__ import annotations

import math
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.learned.observation import CHANNELS
from pushworld.puzzle import PushWorldError

Array = NDArray[np.float32]

WEIGHTS_FILE = Path(__file__).with_name("weights.npz")
"""The trained weights that come with the package."""

DISTANCES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128)
"""The goal distances that are classes of the network; other distances mix two neighbouring classes."""

DEAD_END = len(DISTANCES)
"""The class of dead ends: states from which no plan leads to the goal."""

CLASSES = len(DISTANCES) + 1


def random_weights(width: int, seed: int = 0) -> dict[str, Array]:
    """Returns random weights of a network with `width` channels, by name."""
    random = np.random.default_rng(seed)

    def layer(*shape: int, scale: float = 1.0) -> Array:
        deviation = scale * math.sqrt(2 / math.prod(shape[:-1]))
        return np.asarray(deviation * random.standard_normal(shape), np.float32)

    weights = {
        "embed": layer(3, 3, CHANNELS, width),
        "mix": layer(3, 3, width, width),
        "world": layer(2 * width, width),
        "back": layer(width, width, scale=0.1),
        "read": layer(width, 2 * width),
        "policy": layer(2 * width, 4, scale=0.1),
        "distance": layer(2 * width, CLASSES, scale=0.1),
    }
    return weights | {
        f"{name}_bias": np.zeros(each.shape[-1], np.float32)
        for name, each in weights.items()
        if name != "mix"
    }


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Returns the arrays of an ``.npz`` file by name, or raises PushWorldError."""
    try:
        with np.load(path) as file:
            return dict(file)
    except OSError as error:
        raise PushWorldError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise PushWorldError(f"{path} is damaged, or no file of arrays") from error
