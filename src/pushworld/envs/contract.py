"""The learning contract that all environments share: rewards, time limit and kinds of observation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pushworld.puzzle import PushWorldError

SOLVED_REWARD = 10.0
"""The paper's reward of the step that achieves all goals."""

STEP_PENALTY = 0.01
"""The paper's cost of every other step."""

DEFAULT_MAX_STEPS = 100
"""The length of an episode in the paper's training."""

NUM_ACTIONS = 4

ObservationKind = Literal["planes", "pixels", "state"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = get_args(ObservationKind)

PixelType = Literal["float32", "uint8"]
PIXEL_TYPES: tuple[PixelType, ...] = get_args(PixelType)

RewardName = Literal["paper", "sparse", "shaped"]


@dataclass(frozen=True)
class Reward:
    """The rewards of an environment; the defaults are those of the paper.

    Shaping is potential-based (Ng, Harada and Russell, 1999): with the potential -`shaping` *
    (distance to the goals), ``discount * potential after - potential before`` is added to the reward
    of every step. That changes no optimal policy of an agent that discounts by `discount`.

    Attributes:
        solved: of the step that achieves all goals.
        goal: of any other step, for each goal that it achieves; lost again with the goal.
        penalty: what any other step costs.
        shaping: what a move of an object towards its goal is worth; 0 for no shaping.
        discount: the agent's discount, for shaping.

    Raises:
        PushWorldError: if `shaping` is negative or `discount` is not in (0, 1].
    """

    solved: float = SOLVED_REWARD
    goal: float = 1.0
    penalty: float = STEP_PENALTY
    shaping: float = 0.0
    discount: float = 0.99

    def __post_init__(self) -> None:
        if not self.shaping >= 0:
            raise PushWorldError(f"the shaping of a reward must be at least 0, not {self.shaping}")
        if not 0 < self.discount <= 1:
            raise PushWorldError(f"the discount must be more than 0 and at most 1: {self.discount}")

    @classmethod
    def named(cls, reward: RewardName | Reward) -> Reward:
        """Returns the reward with a name, or the given one.

        Raises:
            PushWorldError: if there is no such reward.
        """
        if isinstance(reward, Reward):
            return reward
        if reward not in REWARDS:
            raise PushWorldError(
                f"there is no reward {reward!r}: use {', '.join(REWARDS)} or "
                "a pushworld.envs.Reward"
            )
        return REWARDS[reward]


REWARDS: dict[str, Reward] = {
    "paper": Reward(),
    "sparse": Reward(solved=1.0, goal=0.0, penalty=0.0),
    "shaped": Reward(shaping=0.1),
}
