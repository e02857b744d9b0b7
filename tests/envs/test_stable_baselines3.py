"""Stable-Baselines3 takes the environments as they are, and the native vector environment by an adapter."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest

from pushworld.puzzle import PushWorldError

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


def test_without_it_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "pushworld.envs.sb3", raising=False)
    with pytest.raises(PushWorldError, match=r"pip install 'pushworld\[sb3\]'"):
        import_module("pushworld.envs.sb3")


@pytest.fixture
def sb3() -> Any:
    """Stable-Baselines3, which only `make test-sb3` has."""
    for module in ("env_checker", "env_util"):
        pytest.importorskip(
            f"stable_baselines3.common.{module}", reason="needs Stable-Baselines3: make test-sb3"
        )
    return pytest.importorskip("stable_baselines3")


@pytest.mark.large
def test_its_own_checker_has_nothing_to_say(sb3: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sb3.common.env_checker.check_env(gymnasium.make(BUNDLED, **BYTES).unwrapped)


def both(sb3: Any, count: int) -> tuple[Any, Any]:
    """Returns environments that it steps in Python, and the native ones, with the same seed."""
    from pushworld.envs.sb3 import Sb3VecEnv

    options: dict[str, Any] = {"symmetries": True, "reward": "shaped", "max_episode_steps": 6}
    python = sb3.common.env_util.make_vec_env(BUNDLED, count, env_kwargs=options)
    native = Sb3VecEnv(gymnasium.make_vec(BUNDLED, count, **options))
    python.seed(3)
    native.seed(3)
    return python, native


@pytest.mark.large
def test_native_environments_do_what_its_own_do_in_python(sb3: Any) -> None:
    python, native = both(sb3, 5)
    np.testing.assert_array_equal(python.reset(), native.reset())
    random = np.random.default_rng(0)
    ends = 0
    for _ in range(30):
        assert np.array_equal(python.env_method("action_masks"), native.env_method("action_masks"))
        actions = random.integers(0, 4, 5)
        *expected, expected_infos = python.step(actions)
        *found, infos = native.step(actions)
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
        for one, other in zip(expected_infos, infos, strict=True):
            ends += bool(one.pop("episode", None))
            np.testing.assert_equal(other, one)
    assert ends > 10
    native.set_options({"puzzle": "first-push"})
    native.reset()
    assert {info["puzzle"] for info in native.reset_infos} == {"first-push"}


@pytest.mark.large
def test_ppo_learns_the_same_from_native_environments(sb3: Any) -> None:
    weights = []
    for envs in both(sb3, 4):
        model = sb3.PPO("MlpPolicy", envs, n_steps=8, batch_size=16, seed=1, device="cpu")
        model.learn(64)
        weights.append(model.policy.state_dict())
    assert all(weights[0][name].equal(weights[1][name]) for name in weights[0])
