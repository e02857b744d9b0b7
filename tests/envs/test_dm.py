"""The dm_env environment passes dm_env's own tests and has the same episodes as the Gymnasium one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from absl.testing import absltest
from dm_env import StepType, test_utils
from gymnasium.utils.env_checker import data_equivalence

from pushworld.envs import PushWorldDmEnv, PushWorldEnv
from pushworld.envs.contract import ObservationKind
from pushworld.puzzle import PushWorldError, Puzzle

PUZZLES = [Puzzle.parse("A M1 G1", name="short"), Puzzle.parse("A . M1 . G1\n. . .  . .")]


class Conformance(test_utils.EnvironmentTestMixin, absltest.TestCase):  # type: ignore[misc]
    """dm_env's tests, over the ends of several episodes."""

    observation: ObservationKind = "planes"

    def make_object_under_test(self) -> PushWorldDmEnv:
        return PushWorldDmEnv(
            PUZZLES,
            observation=self.observation,
            max_steps=6,
            seed=0,
            symmetries=True,
            pixels_per_cell=3,
        )

    def make_action_sequence(self) -> Any:
        yield from np.random.default_rng(0).integers(0, 4, 60)


class PixelConformance(Conformance):
    observation = "pixels"


class StateConformance(Conformance):
    observation = "state"


def test_same_episodes_as_gymnasium() -> None:
    frame: Any = {"width": 8, "height": 7, "goals": 2, "reward": "shaped"}
    env = PushWorldEnv(PUZZLES, symmetries=True, **frame)
    other = PushWorldDmEnv(PUZZLES, symmetries=True, max_steps=9, seed=7, **frame)
    random = np.random.default_rng(1)
    ends = []
    for episode in range(30):
        observation, info = env.reset(seed=7 if episode == 0 else None)
        step = other.reset()
        assert step.step_type is StepType.FIRST
        assert data_equivalence(other.info, info)
        steps = 0
        while not step.last():
            np.testing.assert_array_equal(step.observation, observation)
            action = int(random.integers(0, 4))
            observation, reward, terminated, _, info = env.step(action)
            step = other.step(action)
            steps += 1
            assert step.reward == reward
            assert data_equivalence(other.info, info)
            np.testing.assert_array_equal(other.action_masks(), info["action_mask"])
            assert other.state == env.state
            assert other.puzzle == env.puzzle
            assert step.last() == (terminated or steps == 9)
        assert step.discount == (0.0 if terminated else 1.0)
        ends.append(terminated)
    assert set(ends) == {True, False}


def test_a_puzzle_may_be_chosen() -> None:
    env = PushWorldDmEnv("bundled")
    env.reset("keyhole")
    assert env.info["puzzle"] == "keyhole"
    with pytest.raises(PushWorldError, match="max_steps"):
        PushWorldDmEnv("bundled", max_steps=0)
