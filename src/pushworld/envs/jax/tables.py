"""The arrays of packed puzzles on the host: lookup tables of overlaps and stops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.envs.distances import distances_to, mask_of, stopped_positions
from pushworld.envs.jax.bitmaps import pack_bits, words_for
from pushworld.envs.planes import Frame
from pushworld.puzzle import Position, Puzzle, State, Symmetry

Shape = tuple[Position, ...]


class Tables:
    """The arrays of `EnvParams` by the same names, filled variant by variant.

    Args:
        puzzles: all puzzles that will be added.
        frame: the world.
        variants: how many variants will be added.
        turned: whether some variants exchange width and height.
        distances: whether to fill the distances to the goals.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        frame: Frame,
        variants: int,
        turned: bool,
        distances: bool = False,
    ) -> None:
        things = [thing for puzzle in puzzles for thing in puzzle.objects]
        widest = max(thing.width for thing in things)
        tallest = max(thing.height for thing in things)
        if turned:
            widest = tallest = max(widest, tallest)
        self.reach = (widest - 1, tallest - 1)
        self.frame = frame
        others = max(len(puzzle.movables) - len(puzzle.goal) for puzzle in puzzles)
        slots = max(1 + frame.goals + others, frame.objects)
        offsets = (2 * widest - 1) * (2 * tallest - 1)
        words = words_for(frame.width)
        self.size = np.zeros((variants, 2), np.int16)
        self.start = np.zeros((variants, slots, 2), np.int16)
        self.goal = np.zeros((variants, frame.goals, 2), np.int16)
        self.goal_count = np.zeros(variants, np.int32)
        self.stops = np.zeros((variants, slots, words_for(frame.width * frame.height)), np.uint32)
        self.overlaps = np.zeros((variants, slots, slots, words_for(offsets)), np.uint32)
        self.shapes = np.zeros((variants, slots, tallest, words_for(widest)), np.uint32)
        self.room = np.zeros((variants, frame.height, words), np.uint32)
        self.agent_walls = np.zeros((variants, frame.height, words), np.uint32)
        self._world = (frame.height, frame.width)
        world = self._world if distances else (0, 0)
        self.distances = np.zeros((variants, frame.goals, *world), np.uint16)
        self._filled = 0

    def add(self, puzzle: Puzzle, symmetries: Sequence[Symmetry]) -> None:
        """Adds the variants of a puzzle under the given symmetries."""
        at = slice(self._filled, self._filled + len(symmetries))
        self._filled = at.stop
        walls = mask_of(puzzle.walls, puzzle.width, puzzle.height)
        agent_walls = mask_of(puzzle.agent_walls, puzzle.width, puzzle.height)
        stops = [
            stopped_positions(walls | agent_walls if i == 0 else walls, thing.shape)
            for i, thing in enumerate(puzzle.objects)
        ]
        slots = slots_of(puzzle, self.frame.goals)
        turned_stops = np.zeros((len(symmetries), self.stops.shape[1], *self._world), bool)
        room = np.zeros((2, len(symmetries), *self._world), bool)
        for number, symmetry in enumerate(symmetries):
            _fill(room[0, number], _turned(~walls, symmetry))
            _fill(room[1, number], _turned(agent_walls, symmetry))
            for slot, stopped in zip(slots, stops, strict=True):
                _fill(turned_stops[number, slot], _turned(stopped, symmetry))
            self.size[at.start + number] = turned_size(puzzle, symmetry)
            self._add_objects(at.start + number, puzzle, symmetry, slots)
        self.stops[at] = pack_bits(turned_stops.reshape(*turned_stops.shape[:2], -1))
        self.room[at], self.agent_walls[at] = pack_bits(room)
        self.goal_count[at] = len(puzzle.goal)
        if self.distances.size:
            for slot, goal in enumerate(puzzle.goal):
                distances = distances_to(goal, stops[1 + slot])
                for number, symmetry in enumerate(symmetries):
                    _fill(self.distances[at.start + number, slot], _turned(distances, symmetry))

    def _add_objects(self, at: int, puzzle: Puzzle, symmetry: Symmetry, slots: list[int]) -> None:
        boxes = np.array([(thing.width, thing.height) for thing in puzzle.objects])
        world = np.array((puzzle.width, puzzle.height))
        goals = len(puzzle.goal)
        self.start[at, slots] = _turned_corners(puzzle.initial_state, boxes, world, symmetry)
        if goals:
            own = boxes[1 : 1 + goals]
            self.goal[at, :goals] = _turned_corners(puzzle.goal, own, world, symmetry)
        rows, words = self.shapes.shape[-2:]
        turned = [_turned_shape(thing.shape, symmetry) for thing in puzzle.objects]
        for slot, shape in zip(slots, turned, strict=True):
            self.shapes[at, slot] = _shape_rows(shape, rows, words)
            for other_slot, other in zip(slots, turned, strict=True):
                if other_slot != slot:
                    self.overlaps[at, slot, other_slot] = _overlaps(shape, other, self.reach)


def slots_of(puzzle: Puzzle, goals: int) -> list[int]:
    """Returns the slot of each object, where `goals` slots are kept for objects with goals."""
    own = len(puzzle.goal)
    return [i if i <= own else goals + i - own for i in range(len(puzzle.objects))]


def turned_size(puzzle: Puzzle, symmetry: Symmetry) -> tuple[int, int]:
    """Returns the width and height of the puzzle seen through a symmetry."""
    width, height = symmetry.apply_to_vector((puzzle.width, puzzle.height))
    return abs(width), abs(height)


def _fill(world: NDArray[Any], mask: NDArray[Any]) -> None:
    """Writes the cells into the top-left corner of a larger rectangle."""
    world[: mask.shape[0], : mask.shape[1]] = mask


def _turned(mask: NDArray[Any], symmetry: Symmetry) -> NDArray[Any]:
    """Returns a rectangle of cells seen through a symmetry."""
    xx, xy, yx, yy = symmetry.value
    turned = mask.T if xx == 0 else mask
    return turned[:: yx + yy, :: xx + xy]


def _turned_corners(
    corners: State, boxes: NDArray[np.int_], world: NDArray[np.int_], symmetry: Symmetry
) -> NDArray[np.int_]:
    """Returns the top-left corners of boxes (width, height) in a world seen through a symmetry."""
    matrix = np.array(symmetry.value).reshape(2, 2).T
    one = np.array(corners)
    other = one + boxes - 1
    moved_back = np.minimum(0, (world - 1) @ matrix)
    turned: NDArray[np.int_] = np.minimum(one @ matrix, other @ matrix) - moved_back
    return turned


@lru_cache(maxsize=1 << 14)
def _turned_shape(shape: Shape, symmetry: Symmetry) -> Shape:
    box = (1 + max(x for x, _ in shape), 1 + max(y for _, y in shape))
    return tuple(symmetry.apply_to_box(cell, (1, 1), box) for cell in shape)


@lru_cache(maxsize=1 << 14)
def _shape_rows(shape: Shape, rows: int, words: int) -> NDArray[np.uint32]:
    return pack_bits(mask_of(shape, words * 32, rows))


@lru_cache(maxsize=1 << 14)
def _overlaps(shape: Shape, other: Shape, reach: tuple[int, int]) -> NDArray[np.uint32]:
    """Returns a bitmap of the offsets at which the other shape overlaps the first."""
    far_x, far_y = reach
    offsets = np.array(shape)[:, None] - np.array(other)[None]
    bits = np.zeros((2 * far_y + 1, 2 * far_x + 1), bool)
    bits[offsets[..., 1] + far_y, offsets[..., 0] + far_x] = True
    return pack_bits(bits.reshape(-1))
