"""Data-parallel training: every device has its own environments, and all have the same weights.

Functions inside `Devices.shard_map` see the shard of one device. JAX tracks which values vary
between devices, and sums gradients over the devices by itself. Code marks only where a value is
summed over all devices.
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

REPLICATED: PartitionSpec = PartitionSpec()  # type: ignore[no-untyped-call]
"""The layout of arrays that every device has a copy of."""

SHARDED: PartitionSpec = PartitionSpec(AXIS)  # type: ignore[no-untyped-call]
"""The layout of arrays whose first axis is divided among the devices."""

Tree = TypeVar("Tree")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Devices:
    """The first `count` devices of JAX. With one device all methods leave values as they are."""

    count: int = 1

    @classmethod
    def available(cls, count: int | None) -> Devices:
        """Returns this many devices, or all if None; raises ConfigError if there are fewer."""
        available = jax.device_count()
        if count is not None and not 1 <= count <= available:
            raise ConfigError(f"devices is {count}: this machine has {available} for JAX")
        return cls(available if count is None else count)

    @property
    def mesh(self) -> Mesh:
        return Mesh(jax.devices()[: self.count], (AXIS,))

    def share(self, number: int, name: str) -> int:
        """Returns the part of a number that falls to one device, or raises ConfigError."""
        if number % self.count:
            raise ConfigError(f"{name} is {number}: it must be a multiple of {self.count} devices")
        return number // self.count

    def shard_map(self, function: Function, arguments: Any, results: Any) -> Function:
        """Returns the function mapped over all devices, given the layouts of arguments and results."""
        if self.count == 1:
            return function
        return jax.shard_map(function, mesh=self.mesh, in_specs=arguments, out_specs=results)

    def place(self, tree: Tree, layout: Any) -> Tree:
        """Returns a tree of arrays on the devices, in the given layout."""
        shardings: Any = jax.devices()[0]
        if self.count > 1:
            shardings = jax.tree.map(
                lambda spec: NamedSharding(self.mesh, spec),
                layout,
                is_leaf=lambda leaf: isinstance(leaf, PartitionSpec),
            )
        placed: Tree = jax.device_put(tree, shardings)
        return placed

    def local_key(self, key: jax.Array) -> jax.Array:
        """Returns a random key that differs on every device."""
        return key if self.count == 1 else jax.random.fold_in(key, jax.lax.axis_index(AXIS))

    def varying(self, tree: Tree) -> Tree:
        """Returns a tree of arrays that are equal now, but will vary between devices."""
        return tree if self.count == 1 else jax.lax.pcast(tree, AXIS, to="varying")

    def sum(self, tree: Tree) -> Tree:
        """Returns the sums over all devices."""
        if self.count == 1:
            return tree
        total: Tree = jax.lax.psum(tree, AXIS)  # type: ignore[no-untyped-call]
        return total

    def mean(self, values: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        """Returns the mean over all values on all devices, or over those where the mask is set."""
        mask = jnp.ones_like(values, bool) if mask is None else mask
        total, count = self.sum((jnp.where(mask, values, 0).sum(), mask.sum()))
        return total / jnp.maximum(count, 1)


ONE_DEVICE = Devices()


def has_accelerator() -> bool:
    """Returns whether JAX runs on something faster than the CPU."""
    return jax.default_backend() != "cpu"


def keep_compiled() -> None:
    """Keeps compiled programs in the user's cache, unless the user says where (``JAX_COMPILATION_CACHE_DIR``)."""
    if jax.config.jax_compilation_cache_dir is None:  # type: ignore[attr-defined]
        from platformdirs import user_cache_dir

        folder = user_cache_dir("pushworld", appauthor=False)
        jax.config.update("jax_compilation_cache_dir", folder)  # type: ignore[no-untyped-call]
