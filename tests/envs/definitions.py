"""Definitions in plain Python that the environments are tested against."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pushworld.envs.contract import Reward
from pushworld.envs.distances import distances_to, mask_of, stopped_positions
from pushworld.envs.planes import AGENT, AGENT_WALL, FIRST_GOAL_OBJECT, WALL, Frame
from pushworld.puzzle import Position, Puzzle, State


def reward_of_step(
    reward: Reward, before: int, after: int, goals: int, distances: tuple[int, int] = (0, 0)
) -> float:
    """Returns the reward of a step: the definition that all environments agree with.

    Args:
        reward: the rewards of the environment.
        before: the number of achieved goals before the step.
        after: the number of achieved goals after it.
        goals: the number of goals; a puzzle without goals is never solved.
        distances: the distance to the goals before and after the step.
    """
    plain = reward.goal * (after - before) - reward.penalty
    shaped = reward.shaping * (distances[0] - reward.discount * distances[1])
    return (reward.solved if after == goals > 0 else plain) + shaped


def draw_planes(
    puzzle: Puzzle, state: State, frame: Frame, offset: Position | None = None
) -> NDArray[np.uint8]:
    """Returns the planes of a state: the definition that all environments agree with.

    Args:
        puzzle: the puzzle, already transformed if a symmetry applies.
        state: one of its states.
        frame: the frame of the set.
        offset: the position of the puzzle's top-left corner in the frame; centred if not given.
    """
    dx, dy = frame.centred(puzzle) if offset is None else offset
    planes = np.zeros(frame.planes_shape, np.uint8)

    def mark(plane: int, cells: Iterable[Position], value: int = 1) -> None:
        for x, y in cells:
            planes[plane, y + dy, x + dx] = value

    planes[WALL] = 1
    inside = {(x, y) for x in range(puzzle.width) for y in range(puzzle.height)}
    mark(WALL, inside - puzzle.walls, 0)
    mark(AGENT_WALL, puzzle.agent_walls)
    for index, (thing, position) in enumerate(zip(puzzle.objects, state, strict=True)):
        if index == 0:
            mark(AGENT, thing.cells_at(position))
        elif thing.goal is None:
            mark(frame.other_movables, thing.cells_at(position))
        else:
            mark(FIRST_GOAL_OBJECT + 2 * (index - 1), thing.cells_at(position))
            mark(FIRST_GOAL_OBJECT + 2 * index - 1, thing.cells_at(thing.goal))
    return planes


def distance_to_goals(puzzle: Puzzle, state: State) -> int:
    """Returns the sum over the goals of the moves that their objects are away from them.

    The moves respect walls and ignore other objects. An object that cannot reach its goal counts one
    move more than the farthest position that can. This is the definition that the native
    environments are tested against.
    """
    walls = mask_of(puzzle.walls, puzzle.width, puzzle.height)
    total = 0
    for thing, (x, y) in zip(puzzle.objects, state, strict=True):
        if thing.goal is not None:
            total += int(distances_to(thing.goal, stopped_positions(walls, thing.shape))[y, x])
    return total
