"""The data of the JAX environment: packed puzzles, a state, and the info of a step."""

from dataclasses import dataclass, field
from typing import Literal, TypedDict, get_args

import jax

from pushworld.envs.contract import PixelType, Reward
from pushworld.envs.planes import Frame

Observation = Literal["planes", "pixels", "objects", "scene"]
OBSERVATIONS: tuple[Observation, ...] = get_args(Observation)


@dataclass(frozen=True)
class PixelFormat:
    """The type and the scale of observations as pixels."""

    dtype: PixelType
    pixels_per_cell: int
    border_width: int


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EnvParams:
    """A set of puzzles as arrays of fixed shapes, made by `pack`.

    A variant is a puzzle transformed by a symmetry. In every variant the agent has slot 0, the
    objects with goals have the slots 1 to goals, and the other movables the slots after them;
    an unused slot has an empty shape and never moves. Positions are relative to the puzzle's
    top-left corner, so that its position in the world affects only the observation. Bitmaps are
    32-bit words, the lowest bit first.

    Attributes:
        first_variant: int32 (puzzles,), the first variant of each puzzle, which is the puzzle as
            it was given.
        variant_count: uint32 (puzzles,), its number of variants, which follow each other.
        puzzle_of: int32 (variants,), the puzzle that a variant shows.
        size: int16 (variants, 2), width and height, the border included.
        start: int16 (variants, slots, 2), the initial positions (x, y).
        goal: int16 (variants, goals, 2), the positions that the slots from 1 on must reach.
        goal_count: int32 (variants,), the number of goals of the puzzle.
        stops: uint32 (variants, slots, words), whether a slot at (x, y) would overlap what stops
            it: bit y * width + x.
        overlaps: uint32 (variants, slots, slots, words), whether the second slot overlaps the
            first when it stands at an offset (dx, dy) from it, each within `reach`.
        shapes: uint32 (variants, slots, rows, words), the cells of each slot.
        room: uint32 (variants, height, words), the cells of the puzzle without a wall.
        agent_walls: uint32 (variants, height, words), the cells that stop only the agent.
        distances: uint16 (variants, goals, height, width), the moves of each goal's object from
            each of its positions to the goal, see `pushworld.envs.distances`; (variants, goals, 0,
            0) unless the reward is shaped.
        max_steps: int32, the number of steps after which an episode is truncated.
        frame: the common world of all puzzles, and its planes.
        reach: how far apart in x and in y two objects can stand and still overlap.
        random_placement: whether `reset` places puzzles anywhere in the world, or in its centre.
        observation: what `reset` and `step` return as the observation.
        reward: the rewards of steps.
        pixels: the format of observations as pixels.
    """

    first_variant: jax.Array
    variant_count: jax.Array
    puzzle_of: jax.Array
    size: jax.Array
    start: jax.Array
    goal: jax.Array
    goal_count: jax.Array
    stops: jax.Array
    overlaps: jax.Array
    shapes: jax.Array
    room: jax.Array
    agent_walls: jax.Array
    distances: jax.Array
    max_steps: jax.Array
    frame: Frame = field(metadata={"static": True})
    reach: tuple[int, int] = field(metadata={"static": True})
    random_placement: bool = field(metadata={"static": True})
    observation: Observation = field(metadata={"static": True})
    reward: Reward = field(metadata={"static": True})
    pixels: PixelFormat = field(metadata={"static": True})

    @property
    def puzzles(self) -> int:
        """The number of packed puzzles."""
        return self.first_variant.shape[0]

    @property
    def slots(self) -> int:
        """The number of object slots of a state."""
        return self.start.shape[1]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EnvState:
    """The state of an episode, which determines its observation.

    Attributes:
        variant: int32, the puzzle and its symmetry.
        placement: int16 (2,), the position of the puzzle's top-left corner in the world.
        positions: int16 (slots, 2), the (x, y) of each slot relative to that corner.
        steps: int32, the number of steps taken.
    """

    variant: jax.Array
    placement: jax.Array
    positions: jax.Array
    steps: jax.Array


class StepInfo(TypedDict):
    """The info of a step.

    Attributes:
        terminated: bool, whether all goals were achieved.
        truncated: bool, whether the episode ran out of steps before that.
        moved: bool, whether the action had an effect.
        achieved: int32, the number of achieved goals after the action.
        final_state: the state after the action, before a new episode starts: `observe` it to
            bootstrap from a truncated episode.
    """

    terminated: jax.Array
    truncated: jax.Array
    moved: jax.Array
    achieved: jax.Array
    final_state: EnvState
