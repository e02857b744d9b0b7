"""Stable-Baselines3 takes the environments as they are; without it, its rules are asserted."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

BUNDLED = "pushworld:PushWorld/Bundled-v0"
BYTES: dict[str, Any] = {"observation": "pixels", "dtype": "uint8"}
NATURE_CNN_SIDE = 36


def test_pixels_as_bytes_are_what_cnn_policy_takes() -> None:
    """An image for `CnnPolicy`: uint8 from 0 to 255, the channels last, 36 pixels or more a side."""
    space = gymnasium.make(BUNDLED, **BYTES).observation_space
    assert isinstance(space, gymnasium.spaces.Box)
    assert space.dtype == np.uint8
    assert (space.low == 0).all()
    assert (space.high == 255).all()
    height, width, channels = space.shape
    assert channels == 3
    assert min(height, width) >= NATURE_CNN_SIDE


def test_infos_are_those_that_its_callbacks_and_maskable_ppo_read() -> None:
    env = gymnasium.make(BUNDLED)
    _, info = env.reset(seed=0, options={"puzzle": "first-push"})
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert masks.shape == (4,)
    np.testing.assert_array_equal(masks, info["action_mask"])
    for _ in range(20):
        action = env.action_space.sample(mask=info["action_mask"])
        _, _, terminated, _, info = env.step(action)
        assert info["moved"]
        assert isinstance(info["is_success"], bool)
        assert info["is_success"] == terminated
        if terminated:
            break


@pytest.mark.large
def test_its_own_checker_has_nothing_to_say() -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker",
        reason="needs Stable-Baselines3: make test-sb3",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(gymnasium.make(BUNDLED, **BYTES).unwrapped)
