"""Examples on the device, from which training samples its batches without the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.learned.training.augmentation import DeviceExamples
from pushworld.learned.training.examples import Examples


class ExamplePool(NamedTuple):
    """Examples of one padded size on the device, grouped by source.

    Attributes:
        first, counts: shape (sources,), the first example of each source, and their number.
        weights: shape (sources,), the sampling weight of each source.
    """

    examples: DeviceExamples
    first: jax.Array
    counts: jax.Array
    weights: jax.Array

    @property
    def side(self) -> int:
        """The side of the padded squares."""
        return int(self.examples.planes.shape[1])


def make_pools(sources: Mapping[str, Iterable[Examples]]) -> list[ExamplePool]:
    """Returns examples by padded size, with weights that make all sources equally likely."""
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


def _pool(parts: Sequence[tuple[Examples, float]]) -> ExamplePool:
    counts = np.array([len(examples) for examples, _ in parts])
    return ExamplePool(
        on_device(Examples.join(examples for examples, _ in parts)),
        jnp.asarray(np.cumsum(counts) - counts),
        jnp.asarray(counts),
        jnp.array([weight for _, weight in parts]),
    )


def on_device(examples: Examples) -> DeviceExamples:
    """Returns the arrays of examples on the device."""
    return DeviceExamples(
        *(jnp.asarray(getattr(examples, name)) for name in DeviceExamples._fields)
    )
