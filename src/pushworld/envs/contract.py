"""The learning contract that all environments share: reward, time limit and kinds of observation."""

from __future__ import annotations

from typing import Literal, get_args

SOLVED_REWARD = 10.0
"""The reward of the step that achieves all goals; nothing is added to it."""

STEP_PENALTY = 0.01
"""What every other step costs."""

DEFAULT_MAX_STEPS = 100
"""The length of an episode in the paper's training."""

NUM_ACTIONS = 4

ObservationKind = Literal["planes", "pixels", "state"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = get_args(ObservationKind)


def reward(before: int, after: int, goals: int) -> float:
    """Returns the reward of a step.

    Args:
        before: how many goals were achieved before the step.
        after: how many are achieved after it.
        goals: how many the puzzle has; without any it is never solved.
    """
    if is_solved(after, goals):
        return SOLVED_REWARD
    return after - before - STEP_PENALTY


def is_solved(achieved: int, goals: int) -> bool:
    """Returns whether an episode ends because all goals are achieved."""
    return goals > 0 and achieved == goals
