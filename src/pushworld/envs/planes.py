"""The symbolic observation: binary planes of cells, with the same layout for every puzzle of a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pushworld.puzzle import Position, PushWorldError, Puzzle

AGENT = 0
AGENT_WALL = 1
WALL = 2
FIRST_GOAL_OBJECT = 3


class FrameError(PushWorldError):
    """Puzzles do not fit into the frame that was asked for."""


@dataclass(frozen=True)
class Frame:
    """The common layout of the observations of all puzzles of a set.

    The planes are the agent, the agent walls, the walls, then for each goal its object and the goal
    itself, then all other movables. For a puzzle with fewer goals the last pairs are empty.

    Attributes:
        width, height: the size in cells to which every puzzle is padded with walls.
        goals: the number of goals that have planes, at least the largest of a puzzle.
        objects: at least the largest number of objects in a puzzle, the agent included.
    """

    width: int
    height: int
    goals: int
    objects: int

    @classmethod
    def around(
        cls,
        puzzles: Iterable[Puzzle],
        symmetries: bool = False,
        *,
        width: int | None = None,
        height: int | None = None,
        goals: int | None = None,
        objects: int | None = None,
    ) -> Frame:
        """Returns the smallest frame that holds all puzzles, in all orientations if `symmetries`.

        Args:
            puzzles: the puzzles.
            symmetries: whether the frame is a square.
            width, height, goals, objects: these values instead of the smallest.

        Raises:
            FrameError: if a puzzle does not fit into the given values.
        """
        puzzles = list(puzzles)
        widest = max(puzzle.width for puzzle in puzzles)
        highest = max(puzzle.height for puzzle in puzzles)
        if symmetries:
            widest = highest = max(widest, highest)
        frame = cls(
            width=widest if width is None else width,
            height=highest if height is None else height,
            goals=max(len(puzzle.goal) for puzzle in puzzles) if goals is None else goals,
            objects=max(len(puzzle.objects) for puzzle in puzzles) if objects is None else objects,
        )
        for puzzle in puzzles:
            frame.check(puzzle)
        return frame

    def check(self, puzzle: Puzzle) -> None:
        """Raises FrameError unless a puzzle fits as it is."""
        has = f"the puzzle {puzzle.name!r} "
        if puzzle.width > self.width or puzzle.height > self.height:
            raise FrameError(
                f"{has}of {puzzle.width} x {puzzle.height} cells does not fit into a world of "
                f"{self.width} x {self.height}: choose a larger width and height"
            )
        if len(puzzle.goal) > self.goals:
            raise FrameError(f"{has}has {len(puzzle.goal)} goals, more than goals={self.goals}")
        if len(puzzle.objects) > self.objects:
            count = len(puzzle.objects)
            raise FrameError(f"{has}has {count} objects, more than objects={self.objects}")

    @property
    def num_planes(self) -> int:
        return self.other_movables + 1

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        return self.num_planes, self.height, self.width

    @property
    def other_movables(self) -> int:
        """The plane of the movables that have no goal."""
        return FIRST_GOAL_OBJECT + 2 * self.goals

    def centred(self, puzzle: Puzzle) -> Position:
        """Returns the offset that centres a puzzle, rounded down."""
        return (self.width - puzzle.width) // 2, (self.height - puzzle.height) // 2
