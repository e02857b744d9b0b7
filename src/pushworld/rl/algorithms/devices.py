"""The devices of JAX: what is divided among several, and compiled programs that stay.

Programs are written as for one device. Where arrays of a training state are divided among devices, JAX
divides the work and adds the communication by itself.
"""

from typing import TypeVar

import jax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from pushworld.rl.config import ConfigError

AXIS = "devices"

DIVIDED = ("episodes", "replay")
"""The fields of training states whose arrays are divided; of all others every device has a copy."""

Tree = TypeVar("Tree")


def mesh_of(count: int | None) -> Mesh:
    """Returns this many devices, or all if None; raises ConfigError if there are fewer."""
    available = jax.device_count()
    if count is not None and not 1 <= count <= available:
        raise ConfigError(f"devices is {count}: this machine has {available} for JAX")
    return Mesh(jax.devices()[:count], (AXIS,))


def spread(tree: Tree, mesh: Mesh) -> Tree:
    """Returns a training state, or other arrays of which every device gets a copy, on the devices."""
    placed: Tree
    if mesh.size == 1:
        placed = jax.device_put(tree, mesh.devices[0])
        return placed

    def place(path: tuple[object, ...], leaf: jax.Array) -> jax.Array:
        divided = leaf.ndim > 0 and getattr(path[0], "name", None) in DIVIDED
        spec = PartitionSpec(AXIS) if divided else PartitionSpec()  # type: ignore[no-untyped-call]
        copy: jax.Array = jax.device_put(leaf, NamedSharding(mesh, spec))
        return copy

    placed = jax.tree.map_with_path(place, tree)
    return placed


def on_first_device(tree: Tree) -> Tree:
    """Returns arrays on the first device, where programs without a mesh place their results."""
    placed: Tree = jax.device_put(tree, jax.devices()[0])
    return placed


def has_accelerator() -> bool:
    """Returns whether JAX runs on something faster than the CPU."""
    return jax.default_backend() != "cpu"


def keep_compiled() -> None:
    """Keeps compiled programs in the user's cache, unless the user says where (``JAX_COMPILATION_CACHE_DIR``)."""
    if jax.config.jax_compilation_cache_dir is None:  # type: ignore[attr-defined]
        from platformdirs import user_cache_dir

        folder = user_cache_dir("pushworld", appauthor=False)
        jax.config.update("jax_compilation_cache_dir", folder)  # type: ignore[no-untyped-call]
