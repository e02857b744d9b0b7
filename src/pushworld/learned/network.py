"""The learnt network, in NumPy: one block applied again and again, on a world of any size.

`pushworld.learned.training` trains the same network in JAX, and its tests hold the two together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.learned.observation import CHANNELS, Planes

Array = NDArray[np.float32]

WEIGHTS_FILE = Path(__file__).with_name("weights.npz")

DISTANCES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128)
"""The numbers of actions to the goal that the network tells apart; in between it mixes two."""

DEAD_END = len(DISTANCES)
"""The class of states from which nothing leads to the goal."""

DEAD_END_DISTANCE = 200.0
"""What a certain dead end counts as, in actions."""

CLASSES = len(DISTANCES) + 1
SMALL = 1e-5
MULTIPLICATIONS_OF_ONE_THREAD = 2**18
"""OpenBLAS starts threads for a product with more than these."""

BYTES_A_NUMBER = 50
"""How much memory a look needs for each of the numbers of a cell, measured."""


class StoppedError(Exception):
    """A look that was ended before its end."""


class Network:
    """A policy and an estimate of the way to the goal, for every position of the agent.

    Attributes:
        repeats: how often the block is applied.
        weights: by name: ``embed``, ``mix`` and ``read`` are convolutions or dense layers with a
            ``_bias``; ``world`` reads what all cells hold on average and at most.
    """

    def __init__(self, weights: Mapping[str, Array], repeats: int) -> None:
        self.repeats = repeats
        self.weights = {name: np.asarray(each, np.float32) for name, each in weights.items()}

    @classmethod
    def load(cls, path: Path = WEIGHTS_FILE) -> Network:
        """Returns the network of a file."""
        with np.load(path) as file:
            weights = {name: file[name] for name in file.files if name != "repeats"}
            return cls(weights, int(file["repeats"]))

    def save(self, path: Path) -> None:
        """Writes the network, with weights of half the precision."""
        halves = {name: each.astype(np.float16) for name, each in self.weights.items()}
        with path.open("wb") as file:
            arrays: dict[str, Any] = {"repeats": np.int64(self.repeats), **halves}
            np.savez_compressed(file, **arrays)

    @property
    def width(self) -> int:
        """How many numbers each cell has."""
        return len(self.weights["back_bias"])

    @property
    def bytes_a_cell(self) -> int:
        """What it needs, at most, for each cell of the worlds that it looks at in one go."""
        return BYTES_A_NUMBER * self.width

    def __call__(
        self, planes: Planes, stop: Callable[[], bool] = lambda: False
    ) -> tuple[Array, Array]:
        """Returns log probabilities (batch, height, width, 4) and distances (batch, height, width).

        Raises:
            StoppedError: if `stop` says so, which is asked all the time: a look at a large world
                takes many seconds.
        """
        weights = self.weights
        batch, height, width, _ = planes.shape
        layout = _Layout(batch, height, width, stop)
        embedding = layout.convolution(layout.flatten(planes), weights["embed"])
        embedding += weights["embed_bias"]
        hidden = embedding
        for _ in range(self.repeats):
            seen = _normalised(hidden)
            seen *= layout.inside
            whole = layout.summary(seen) @ weights["world"] + weights["world_bias"]
            inner = layout.convolution(seen, weights["mix"])
            inner += embedding
            layout.by_world(inner)[:] += whole[:, None]
            np.maximum(inner, 0, out=inner)
            hidden = hidden + _product(inner, weights["back"])
            hidden += weights["back_bias"]
        read = _product(_normalised(hidden), weights["read"]) + weights["read_bias"]
        np.maximum(read, 0, out=read)
        logits = _product(read, weights["policy"]) + weights["policy_bias"]
        classes = _product(read, weights["distance"]) + weights["distance_bias"]
        distances = np.exp(_log_softmax(classes)) @ CLASS_DISTANCES
        return layout.unflatten(_log_softmax(logits)), layout.unflatten(distances)


class _Layout:
    """Worlds of one size as rows of numbers, one row for each cell.

    A row and a column of zeros follow each world, so that the neighbours of all cells are at fixed
    distances, and a convolution is nine products of matrices that lie in memory as they are.

    Attributes:
        inside: 1 for cells of worlds and 0 for those between, shape (rows, 1).
    """

    def __init__(self, batch: int, height: int, width: int, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._shape = (batch, height + 1, width + 1)
        self._cells = height * width
        inside = np.zeros(self._shape, np.float32)
        inside[:, :-1, :-1] = 1
        self.inside = inside.reshape(-1, 1)

    def flatten(self, cells: Array) -> Array:
        """Returns cells (batch, height, width, numbers) as rows."""
        padded = np.zeros((*self._shape, cells.shape[-1]), np.float32)
        padded[:, :-1, :-1] = cells
        return padded.reshape(-1, cells.shape[-1])

    def unflatten(self, rows: Array) -> Array:
        """Returns rows as cells (batch, height, width, ...)."""
        return np.ascontiguousarray(rows.reshape(*self._shape, *rows.shape[1:])[:, :-1, :-1])

    def by_world(self, rows: Array) -> Array:
        """Returns the same numbers by world, shape (batch, rows of a world, numbers)."""
        return np.asarray(rows.reshape(self._shape[0], -1, rows.shape[-1]))

    def summary(self, rows: Array) -> Array:
        """Returns what the cells of each world hold on average and, if not negative, at most."""
        worlds = self.by_world(rows)
        average = worlds.sum(axis=1) / np.float32(self._cells)
        return np.concatenate([average, worlds.max(axis=1)], axis=1)

    def convolution(self, rows: Array, kernel: Array) -> Array:
        """Returns the 3x3 convolution of rows that are zero between worlds."""
        count, channels = rows.shape
        line = self._shape[2]
        around = np.zeros((count + 2 * line + 2, channels), np.float32)
        around[line + 1 : line + 1 + count] = rows
        total = _product(around[:count], kernel[0, 0])
        for y, x in ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)):
            if self._stop():
                raise StoppedError
            first = y * line + x
            total += _product(around[first : first + count], kernel[y, x])
        return total


CLASS_DISTANCES = np.array([*DISTANCES, DEAD_END_DISTANCE], np.float32)


@cache
def shipped_network() -> Network:
    """Returns the network that comes with the package."""
    return Network.load()


def new_weights(width: int, seed: int = 0) -> dict[str, Array]:
    """Returns random weights of a network with so many numbers a cell."""
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


def _product(rows: Array, matrix: Array) -> Array:
    """Returns the product with a matrix, computed in one thread.

    It is made of products so small that OpenBLAS leaves them to one thread: with several, they wait
    for each other, on a busy machine a hundred times longer than the work takes.
    """
    numbers, results = matrix.shape
    piece = max(1, MULTIPLICATIONS_OF_ONE_THREAD // matrix.size)
    pieces = len(rows) // piece
    whole = pieces * piece
    product = np.empty((len(rows), results), np.float32)
    np.matmul(
        rows[:whole].reshape(pieces, piece, numbers),
        matrix,
        out=product[:whole].reshape(pieces, piece, results),
    )
    np.matmul(rows[whole:], matrix, out=product[whole:])
    return product


def _normalised(rows: Array) -> Array:
    """Returns the numbers of each row, scaled to a mean square of one."""
    square = np.einsum("rc,rc->r", rows, rows) / np.float32(rows.shape[-1])
    return np.asarray(rows / np.sqrt(square + np.float32(SMALL))[:, None])


def _log_softmax(logits: Array) -> Array:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
