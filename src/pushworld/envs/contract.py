"""The learning contract that all environments share: reward, time limit and kinds of observation."""

from __future__ import annotations

from typing import Literal, get_args

SOLVED_REWARD = 10.0
"""The reward of the step that achieves all goals."""

STEP_PENALTY = 0.01
"""The cost of every other step."""

DEFAULT_MAX_STEPS = 100
"""The length of an episode in the paper's training."""

NUM_ACTIONS = 4

ObservationKind = Literal["planes", "pixels", "state"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = get_args(ObservationKind)


def reward(before: int, after: int, goals: int) -> float:
    """Returns the reward of a step: the definition that the environments are tested against.

    Args:
        before: the number of achieved goals before the step.
        after: the number of achieved goals after it.
        goals: the number of goals; a puzzle without goals is never solved.
    """
    if is_solved(after, goals):
        return SOLVED_REWARD
    return after - before - STEP_PENALTY


def is_solved(achieved: int, goals: int) -> bool:
    """Returns whether an episode ends because all goals are achieved."""
    return goals > 0 and achieved == goals
