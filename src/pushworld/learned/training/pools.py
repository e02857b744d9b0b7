"""Examples on the device, where batches are drawn from them: no step waits for the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.learned.training.examples import Examples
from pushworld.learned.training.symmetries import Batch


class Pool(NamedTuple):
    """Examples of one size of world on the device, one source after the other.

    Attributes:
        first, counts: shape (sources,): where the examples of each source are.
        chances: shape (sources,): how likely an example is one of this source.
    """

    examples: Batch
    first: jax.Array
    counts: jax.Array
    chances: jax.Array

    @property
    def side(self) -> int:
        """The side of the squares that worlds stand in."""
        return int(self.examples.planes.shape[1])


def make_pools(sources: Mapping[str, Iterable[Examples]]) -> list[Pool]:
    """Returns examples by size of world, so that all sources together are equally likely."""
    parts: dict[int, list[tuple[Examples, float]]] = {}
    for several in sources.values():
        by_side: dict[int, list[Examples]] = {}
        for examples in several:
            by_side.setdefault(examples.side, []).append(examples)
        joined = [Examples.join(each) for each in by_side.values()]
        total = sum(len(examples) for examples in joined)
        for examples in joined:
            parts.setdefault(examples.side, []).append((examples, len(examples) / total))
    return [_pool(several) for _, several in sorted(parts.items())]


def _pool(parts: Sequence[tuple[Examples, float]]) -> Pool:
    counts = np.array([len(examples) for examples, _ in parts])
    return Pool(
        on_device(Examples.join(examples for examples, _ in parts)),
        jnp.asarray(np.cumsum(counts) - counts),
        jnp.asarray(counts),
        jnp.array([chance for _, chance in parts]),
    )


def on_device(examples: Examples) -> Batch:
    """Returns the arrays of examples on the device."""
    return Batch(*(jnp.asarray(getattr(examples, name)) for name in Batch._fields))
