"""Training on several devices: each has environments of its own, and all have the same weights.

Functions inside of `Devices.spread` see the part of one device. What they compute from the weights
of all and the environments of one, JAX knows to differ from device to device, and it adds up
gradients over the devices by itself. What is left to say is where sums go over all devices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from pushworld.rl.config import ConfigError

AXIS = "devices"

SAME: PartitionSpec = PartitionSpec()  # type: ignore[no-untyped-call]
"""The layout of arrays that all devices have."""

SPLIT: PartitionSpec = PartitionSpec(AXIS)  # type: ignore[no-untyped-call]
"""The layout of arrays whose first axis is divided among the devices."""

Tree = TypeVar("Tree")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Devices:
    """So many devices, the first there are. With one, all of this does nothing."""

    count: int = 1

    @classmethod
    def of(cls, count: int | None) -> Devices:
        """Returns so many devices, or all if None; raises ConfigError if there are fewer."""
        available = jax.device_count()
        if count is not None and not 1 <= count <= available:
            raise ConfigError(f"devices is {count}: this machine has {available} for JAX")
        return cls(available if count is None else count)

    @property
    def mesh(self) -> Mesh:
        return Mesh(jax.devices()[: self.count], (AXIS,))

    def share(self, number: int, name: str) -> int:
        """Returns the part of a number that one device has, or raises ConfigError."""
        if number % self.count:
            raise ConfigError(f"{name} is {number}: it must be a multiple of {self.count} devices")
        return number // self.count

    def spread(self, function: Function, arguments: Any, results: Any) -> Function:
        """Returns the function on all devices, given the layouts of arguments and results."""
        if self.count == 1:
            return function
        return jax.shard_map(function, mesh=self.mesh, in_specs=arguments, out_specs=results)

    def place(self, tree: Tree, layout: Any) -> Tree:
        """Returns a tree of arrays on the devices, as a layout says."""
        shardings: Any = jax.devices()[0]
        if self.count > 1:
            shardings = jax.tree.map(
                lambda spec: NamedSharding(self.mesh, spec),
                layout,
                is_leaf=lambda leaf: isinstance(leaf, PartitionSpec),
            )
        placed: Tree = jax.device_put(tree, shardings)
        return placed

    def own(self, key: jax.Array) -> jax.Array:
        """Returns a random key that each device has for itself."""
        return key if self.count == 1 else jax.random.fold_in(key, jax.lax.axis_index(AXIS))

    def differing(self, tree: Tree) -> Tree:
        """Returns a tree of arrays that are the same now, but will differ between devices."""
        return tree if self.count == 1 else jax.lax.pcast(tree, AXIS, to="varying")

    def total(self, tree: Tree) -> Tree:
        """Returns the sums over all devices."""
        if self.count == 1:
            return tree
        total: Tree = jax.lax.psum(tree, AXIS)  # type: ignore[no-untyped-call]
        return total

    def mean(self, values: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        """Returns the mean over all values on all devices, or over those where the mask is set."""
        mask = jnp.ones_like(values, bool) if mask is None else mask
        total, count = self.total((jnp.where(mask, values, 0).sum(), mask.sum()))
        return total / jnp.maximum(count, 1)


ONE = Devices()
