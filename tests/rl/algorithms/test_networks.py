"""Networks read their observations, and only the iterated one reads grids of any size."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax.errors import ScopeParamShapeError
from msgspec.structs import replace

from pushworld.envs.planes import AGENT
from pushworld.rl.algorithms import networks
from pushworld.rl.algorithms.networks import TORSOS, ActionValues, ActorCritic, observation_of
from pushworld.rl.settings import NetworkConfig

KINDS = tuple(TORSOS)


def observations(config: NetworkConfig, side: int) -> Any:
    """Returns the shape of two observations of a square grid."""
    if observation_of(config) == "pixels":
        return jax.eval_shape(lambda: jnp.zeros((2, 3 * side, 3 * side, 3)))
    return jax.eval_shape(lambda: jnp.zeros((2, 6, side, side), bool))


@pytest.mark.parametrize("kind", KINDS)
def test_each_network_gives_logits_values_and_action_values(kind: Any) -> None:
    config = NetworkConfig(kind, channels=4, hidden=(8,), repeats=2)
    shape, key = observations(config, 7), jax.random.key(0)
    (logits, values), weights = jax.eval_shape(ActorCritic(config).init_with_output, key, shape)
    assert (logits.shape, values.shape) == ((2, 4), (2,))
    assert logits.dtype == values.dtype == jnp.float32
    assert {leaf.dtype for leaf in jax.tree.leaves(weights)} == {jnp.dtype("float32")}
    scores, _ = jax.eval_shape(ActionValues(config).init_with_output, key, shape)
    assert scores.shape == (2, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_only_iterated_weights_fit_grids_of_any_size(kind: Any) -> None:
    config = NetworkConfig(kind, channels=4, hidden=(8,), repeats=2)
    network = ActionValues(config)
    weights = jax.eval_shape(network.init, jax.random.key(0), observations(config, 7))
    larger = observations(config, 9)
    if kind == "iterated":
        assert jax.eval_shape(network.apply, weights, larger).shape == (2, 4)
    else:
        with pytest.raises(ScopeParamShapeError):
            jax.eval_shape(network.apply, weights, larger)


def test_repeats_share_their_weights() -> None:
    counts = [
        sum(leaf.size for leaf in jax.tree.leaves(_weights(NetworkConfig("iterated", repeats=n))))
        for n in (1, 5)
    ]
    assert counts[0] == counts[1]


@pytest.mark.large
def test_repeats_of_a_call_give_what_the_setting_gives() -> None:
    config = NetworkConfig("iterated", channels=4, hidden=(8,), repeats=2)
    planes = jax.random.bernoulli(jax.random.key(0), 0.3, (2, 6, 5, 5)).at[:, AGENT, 2, 2].set(True)
    weights = ActorCritic(config).init(jax.random.key(1), planes)
    found = [ActorCritic(config).apply(weights, planes, repeats)[0] for repeats in (1, 4)]  # type: ignore[index]
    for repeats, logits in zip((1, 4), found, strict=True):
        fixed = ActorCritic(replace(config, repeats=repeats))
        np.testing.assert_allclose(logits, fixed.apply(weights, planes)[0], rtol=1e-5)  # type: ignore[index]
    assert not np.allclose(found[0], found[1], rtol=0.01, atol=0)


def test_parts_of_the_channels_add_up_to_the_convolution_of_all() -> None:
    config = NetworkConfig("iterated", channels=3)
    cells = jax.random.normal(jax.random.key(0), (2, 4, 5, 6))
    whole: Any = networks.convolution(config, 3, "whole")
    parted: Any = networks._FirstConvolution(config)
    weights = whole.init(jax.random.key(1), cells)
    weights["params"]["bias"] += 1.0
    parts = [parted.apply(weights, cells[..., :3]), parted.apply(weights, cells[..., 3:], 3)]
    expected = whole.apply(weights, cells)
    np.testing.assert_allclose(parts[0] + parts[1], expected, rtol=1e-4, atol=1e-5)


def _weights(config: NetworkConfig) -> object:
    return jax.eval_shape(ActorCritic(config).init, jax.random.key(0), observations(config, 7))
