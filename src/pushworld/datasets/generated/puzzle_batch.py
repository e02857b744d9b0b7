"""Generated puzzles as arrays, and their conversion to `Puzzle`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Action, Puzzle, PuzzleObject, format_plan

NO_ACTION = 255


@dataclass(frozen=True, eq=False)
class PuzzleBatch:
    """Puzzles and their shortest plans as arrays; the first axis of every array counts puzzles.

    A puzzle stands in the top-left corner of the largest world of the distribution; the rest is
    wall. Objects are in the order of ``Puzzle.objects``: the agent, those with goals, the others.
    Coordinates are (x, y) with the border included. Unused entries are -1.

    Attributes:
        sizes: int16 (n, 2): width and height.
        walls: uint8 (n, height, width): 1 where a wall is, the border included.
        cells: int16 (n, objects, cells, 2): the shape of each object, relative to its position.
        positions: int16 (n, objects, 2): the initial state.
        goals: int16 (n, objects, 2): the goal positions.
        plans: uint8 (n, longest plan): a shortest plan, padded with `NO_ACTION`.
        lengths: int32 (n,): the length of the plan.
        candidates: uint64 (n,): the number of the draw that gave the puzzle.
        hashes: uint64 (n,): a hash that the eight symmetric forms of a puzzle share.
    """

    sizes: NDArray[np.int16]
    walls: NDArray[np.uint8]
    cells: NDArray[np.int16]
    positions: NDArray[np.int16]
    goals: NDArray[np.int16]
    plans: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    candidates: NDArray[np.uint64]
    hashes: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def join(cls, batches: Sequence[PuzzleBatch]) -> PuzzleBatch:
        """Returns the puzzles of several batches of one distribution as one batch."""
        longest = max(batch.plans.shape[1] for batch in batches)
        arrays = {
            field.name: np.concatenate([getattr(batch, field.name) for batch in batches])
            for field in fields(cls)
            if field.name != "plans"
        }
        padded = [
            np.pad(
                batch.plans,
                ((0, 0), (0, longest - batch.plans.shape[1])),
                constant_values=NO_ACTION,
            )
            for batch in batches
        ]
        return cls(**arrays, plans=np.concatenate(padded))

    def plan(self, index: int) -> str:
        """Returns the shortest plan of a puzzle as a string over LRUD."""
        return format_plan(
            Action(each) for each in self.plans[index, : self.lengths[index]].tolist()
        )

    def puzzle(self, index: int, name: str = "") -> Puzzle:
        """Returns a puzzle of the batch."""
        width, height = self.sizes[index].tolist()
        rows, columns = np.nonzero(self.walls[index, :height, :width])
        objects = []
        for number, (cells, start, goal) in enumerate(
            zip(
                self.cells[index].tolist(),
                self.positions[index].tolist(),
                self.goals[index].tolist(),
                strict=True,
            )
        ):
            if start[0] < 0:
                break
            shape = tuple((x, y) for x, y in cells if x >= 0)
            objects.append(
                PuzzleObject(
                    name=f"M{number}" if number else "A",
                    shape=shape,
                    start=(start[0], start[1]),
                    goal=(goal[0], goal[1]) if goal[0] >= 0 else None,
                )
            )
        walls = frozenset(zip(columns.tolist(), rows.tolist(), strict=True))
        return Puzzle(width, height, tuple(objects), walls, name=name)

    def puzzles(self) -> list[Puzzle]:
        """Returns all puzzles of the batch."""
        return [self.puzzle(index) for index in range(len(self))]
