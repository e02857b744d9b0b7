"""The network in NumPy: a recurrent convolutional block, on grids of any size.

`pushworld.learned.training.network` is the same function in JAX; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pushworld.learned.observation import Planes, StoppedError
from pushworld.learned.weights import DISTANCES, WEIGHTS_FILE, Array, read_arrays
from pushworld.puzzle import PushWorldError

DEAD_END_DISTANCE = 200.0
"""The distance of a dead end, in actions."""

CLASS_DISTANCES = np.array([*DISTANCES, DEAD_END_DISTANCE], np.float32)
EPSILON = 1e-5

SINGLE_THREAD_MULTIPLICATIONS = 2**18
"""OpenBLAS starts threads for a matrix product with more multiplications than this."""

BYTES_PER_CHANNEL = 50
"""The memory that an evaluation needs for each channel of a cell, measured."""


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
        self.weights = {name: np.asarray(each, np.float32) for name, each in weights.items()}

    @classmethod
    def load(cls, path: Path = WEIGHTS_FILE) -> Network:
        """Returns the network of a file, or raises PushWorldError if it does not hold one."""
        arrays = read_arrays(path)
        if "repeats" not in arrays or "back_bias" not in arrays:
            raise PushWorldError(f"{path} holds no network: give a weights.npz")
        return cls(arrays, int(arrays.pop("repeats")))

    def save(self, path: Path) -> None:
        """Writes the network, with its weights in half precision."""
        halves = {name: each.astype(np.float16) for name, each in self.weights.items()}
        with path.open("wb") as file:
            arrays: dict[str, Any] = {"repeats": np.int64(self.repeats), **halves}
            np.savez_compressed(file, **arrays)

    @property
    def width(self) -> int:
        """The number of channels of a cell."""
        return len(self.weights["back_bias"])

    @property
    def bytes_per_cell(self) -> int:
        """The memory that an evaluation needs for each cell of its batch, at most."""
        return BYTES_PER_CHANNEL * self.width

    def __call__(
        self, planes: Planes, stop: Callable[[], bool] = lambda: False
    ) -> tuple[Array, Array]:
        """Returns log probabilities (batch, height, width, 4) and distances (batch, height, width).

        Raises:
            StoppedError: if `stop` returns True. It is called often, as the evaluation of a large
                grid takes many seconds.
        """
        weights = self.weights
        batch, height, width, _ = planes.shape
        layout = _RowLayout(batch, height, width, stop)
        embedding = layout.convolve(layout.flatten(planes), weights["embed"])
        embedding += weights["embed_bias"]
        hidden = embedding
        for _ in range(self.repeats):
            normed = _rms_normalise(hidden)
            normed *= layout.inside
            pooled = layout.pool(normed) @ weights["world"] + weights["world_bias"]
            inner = layout.convolve(normed, weights["mix"])
            inner += embedding
            layout.by_grid(inner)[:] += pooled[:, None]
            np.maximum(inner, 0, out=inner)
            hidden = hidden + _product(inner, weights["back"])
            hidden += weights["back_bias"]
        features = _product(_rms_normalise(hidden), weights["read"]) + weights["read_bias"]
        np.maximum(features, 0, out=features)
        logits = _product(features, weights["policy"]) + weights["policy_bias"]
        classes = _product(features, weights["distance"]) + weights["distance_bias"]
        distances = np.exp(_log_softmax(classes)) @ CLASS_DISTANCES
        return layout.unflatten(_log_softmax(logits)), layout.unflatten(distances)


class _RowLayout:
    """A batch of grids as a matrix with one row for each cell.

    A row and a column of zero cells follow each grid. The neighbours of all cells are then at fixed
    offsets, and a convolution is nine matrix products of contiguous memory.

    Attributes:
        inside: 1 for cells of grids and 0 for padding, shape (rows, 1).
    """

    def __init__(self, batch: int, height: int, width: int, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._shape = (batch, height + 1, width + 1)
        self._cells = height * width
        inside = np.zeros(self._shape, np.float32)
        inside[:, :-1, :-1] = 1
        self.inside = inside.reshape(-1, 1)

    def flatten(self, cells: Array) -> Array:
        """Returns cells (batch, height, width, channels) as rows."""
        padded = np.zeros((*self._shape, cells.shape[-1]), np.float32)
        padded[:, :-1, :-1] = cells
        return padded.reshape(-1, cells.shape[-1])

    def unflatten(self, rows: Array) -> Array:
        """Returns rows as cells (batch, height, width, ...)."""
        return np.ascontiguousarray(rows.reshape(*self._shape, *rows.shape[1:])[:, :-1, :-1])

    def by_grid(self, rows: Array) -> Array:
        """Returns a view of the rows by grid, shape (batch, rows of a grid, channels)."""
        return np.asarray(rows.reshape(self._shape[0], -1, rows.shape[-1]))

    def pool(self, rows: Array) -> Array:
        """Returns the mean and the non-negative maximum over the cells of each grid."""
        grids = self.by_grid(rows)
        mean = grids.sum(axis=1) / np.float32(self._cells)
        return np.concatenate([mean, grids.max(axis=1)], axis=1)

    def convolve(self, rows: Array, kernel: Array) -> Array:
        """Returns the 3x3 convolution of rows whose padding is zero."""
        count, channels = rows.shape
        line = self._shape[2]
        padded = np.zeros((count + 2 * line + 2, channels), np.float32)
        padded[line + 1 : line + 1 + count] = rows
        total = _product(padded[:count], kernel[0, 0])
        for y, x in ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)):
            if self._stop():
                raise StoppedError
            first = y * line + x
            total += _product(padded[first : first + count], kernel[y, x])
        return total


@cache
def shipped_network() -> Network:
    """Returns the trained network that comes with the package."""
    return Network.load()


def _product(rows: Array, matrix: Array) -> Array:
    """Returns the product with a matrix, computed in one thread.

    It consists of products so small that OpenBLAS starts no threads: on a busy machine, threads
    would wait for each other a hundred times longer than the product takes.
    """
    inputs, outputs = matrix.shape
    chunk = max(1, SINGLE_THREAD_MULTIPLICATIONS // matrix.size)
    chunks = len(rows) // chunk
    whole = chunks * chunk
    product = np.empty((len(rows), outputs), np.float32)
    np.matmul(
        rows[:whole].reshape(chunks, chunk, inputs),
        matrix,
        out=product[:whole].reshape(chunks, chunk, outputs),
    )
    np.matmul(rows[whole:], matrix, out=product[whole:])
    return product


def _rms_normalise(rows: Array) -> Array:
    """Returns the rows, each scaled to a root mean square of 1."""
    square = np.einsum("rc,rc->r", rows, rows) / np.float32(rows.shape[-1])
    return np.asarray(rows / np.sqrt(square + np.float32(EPSILON))[:, None])


def _log_softmax(logits: Array) -> Array:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
