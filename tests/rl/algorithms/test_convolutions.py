"""All ways to compute a convolution have the weights and the result of Flax's."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import linen as nn

from pushworld.rl.algorithms.convolutions import WAYS, Convolution
from pushworld.rl.settings import NetworkConfig

SEEDS = 2


def test_every_setting_is_a_way() -> None:
    assert set(get_args(get_type_hints(NetworkConfig)["convolution"])) == set(WAYS)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [3, 5])
def test_weights_results_and_gradients_are_those_of_flax(way: str, size: int) -> None:
    config = NetworkConfig(channels=4, convolution=way)  # type: ignore[arg-type]
    ours, theirs = Convolution(config, size), nn.Conv(4, (size, size))
    keys = jax.random.split(jax.random.key(0), SEEDS)
    cells = jax.random.normal(jax.random.key(1), (SEEDS, 3, 6, 4, 5))

    def result(network: nn.Module, key: jax.Array, cells: jax.Array) -> object:
        weights = network.init(key, cells)

        def loss(weights: object, cells: jax.Array) -> tuple[jax.Array, jax.Array]:
            out: jax.Array = network.apply(weights, cells)  # type: ignore[arg-type, assignment]
            return (out**2).sum(), out

        gradients, out = jax.grad(loss, argnums=(0, 1), has_aux=True)(weights, cells)
        return weights, out, gradients

    mine, flax = (
        jax.jit(jax.vmap(lambda key, cells, each=each: result(each, key, cells)))(keys, cells)
        for each in (ours, theirs)
    )
    jax.tree.map(lambda one, other: np.testing.assert_allclose(one, other, atol=1e-4), mine, flax)
    assert jnp.abs(jax.tree.leaves(mine)[1]).max() > 0.1


def test_parts_of_the_channels_add_up_to_the_convolution_of_all() -> None:
    cells = jax.random.normal(jax.random.key(0), (2, 4, 5, 6))
    config = NetworkConfig(channels=3)
    whole: Any = Convolution(config, 3)
    parted: Any = Convolution(config, 3, inputs=6)
    weights = whole.init(jax.random.key(1), cells)
    weights["params"]["bias"] += 1.0
    parts = [parted.apply(weights, cells[..., :4]), parted.apply(weights, cells[..., 4:], 4)]
    expected = whole.apply(weights, cells)
    np.testing.assert_allclose(parts[0] + parts[1], expected, rtol=1e-4, atol=1e-5)
