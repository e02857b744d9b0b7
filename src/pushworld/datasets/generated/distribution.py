"""Distributions of random puzzles: shapes, what a draw depends on, and the seven Level 0 sets of the paper.

The paper gives sizes, numbers and shapes of the sets. The published puzzles answer what it leaves open (see
``docs/reference/level0.md``): shapes are uniform over orientations, objects with goals do not start at the
border and differ in shape, and a draw without a solution is rejected as a whole.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pushworld import _native
from pushworld.datasets.errors import DataError
from pushworld.puzzle import PushWorldError
from pushworld.puzzle.free_space import neighbours
from pushworld.puzzle.model import Position, bounding_corner_and_shape

Shape = tuple[Position, ...]
"""Cells relative to the top-left corner of their bounding box, in reading order."""

SQUARE: Shape = ((0, 0),)
FLAT_DOMINO: Shape = ((0, 0), (1, 0))
MAX_CELLS = 8


@cache
def polyominoes(smallest: int, largest: int) -> tuple[Shape, ...]:
    """Returns all shapes of `smallest` to `largest` connected cells, in a fixed order.

    Rotated and flipped shapes count as different: there are 1, 2, 6, 19, 63, 216, ... of them.
    """
    if not 1 <= smallest <= largest <= MAX_CELLS:
        raise PushWorldError(
            f"polyominoes have 1 to {MAX_CELLS} cells, not {smallest} to {largest}"
        )
    found = [{SQUARE}]
    while len(found) < largest:
        found.append({grown for shape in found[-1] for grown in _grown(shape)})
    return tuple(shape for shapes in found[smallest - 1 :] for shape in sorted(shapes))


def _grown(shape: Shape) -> set[Shape]:
    """Returns all shapes with one more cell."""
    around = neighbours(shape) - set(shape)
    return {bounding_corner_and_shape([*shape, cell])[1] for cell in around}


Range = tuple[int, int]
"""The smallest and the largest of consecutive integers, all equally likely."""

MAX_INTERIOR = 62
MAX_LENGTH = 60_000
MAX_STATES = 100_000_000


@dataclass(frozen=True)
class PuzzleDistribution:
    """A distribution of puzzles. The defaults are the paper's ``base`` set.

    Nothing overlaps. Positions are drawn uniformly from those still free: first for each object
    with a goal, followed by its goal, then for the agent, the obstacles and the walls. A draw that
    does not fit or has no solution is rejected as a whole.

    Attributes:
        width, height: of the interior, without the border of walls.
        walls: the number of wall cells in the interior.
        obstacles: the number of movables without a goal.
        goals: the number of movables with a goal.
        agent_shapes, obstacle_shapes: the possible shapes, all equally likely.
        goal_shapes: the possible shapes of the first object with a goal, of the second, and so on;
            the last entry also applies to all further objects.
        different_goal_shapes: whether the shapes of objects with goals must differ.
        goal_object_margin: the least number of cells between an object with a goal and the border
            at the start. An object at the border can never leave it.
        plan_length: the length of a shortest plan.
        max_states: the most states that the search for a plan may visit; a puzzle that needs more
            is rejected.

    Raises:
        DataError: if no puzzle can be drawn from it.
    """

    width: Range = (5, 5)
    height: Range = (5, 5)
    walls: Range = (3, 3)
    obstacles: Range = (1, 1)
    goals: Range = (1, 1)
    agent_shapes: tuple[Shape, ...] = (SQUARE,)
    goal_shapes: tuple[tuple[Shape, ...], ...] = ((SQUARE,),)
    obstacle_shapes: tuple[Shape, ...] = (SQUARE,)
    different_goal_shapes: bool = True
    goal_object_margin: int = 1
    plan_length: Range = (1, MAX_LENGTH)
    max_states: int = 15_000

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            value = getattr(self, name)
            first, last = value if isinstance(value, tuple) else (value, value)
            if first > last:
                raise DataError(
                    f"{name} goes from {first} to {last}: give the smaller number first"
                )
            if not least <= first <= last <= most:
                given = f"{first}" if first == last else f"{first} to {last}"
                raise DataError(f"{name} must be within {least} to {most}, not {given}")
        _check_shapes("agent_shapes", self.agent_shapes)
        _check_shapes("obstacle_shapes", self.obstacle_shapes)
        if not self.goal_shapes:
            raise DataError("goal_shapes is empty: give a list of shapes for each goal")
        for shapes in self.goal_shapes:
            _check_shapes("goal_shapes", shapes)
        if self.different_goal_shapes:
            _check_that_goals_can_differ(self.goal_shapes, self.goals[1])
        try:
            self.native_stream()
        except ValueError as error:
            raise DataError(
                f"{error}: {1 + self.goals[1] + self.obstacles[1]} objects do not fit the search "
                f"in {self.width[1]} x {self.height[1]} cells; take fewer or a smaller size"
            ) from error

    def native_stream(
        self,
        seed: int = 0,
        split: str = "any",
        first_candidate: int = 0,
        made_before: Sequence[int] = (),
    ) -> _native.PuzzleStream:
        """Returns a native generator of puzzles from this distribution."""
        distribution = _native.Distribution(**{name: getattr(self, name) for name in _DRAWN})
        return _native.PuzzleStream(
            distribution,
            seed=seed,
            split=_native.Split[split.upper()],
            min_length=self.plan_length[0],
            max_length=self.plan_length[1],
            max_states=self.max_states,
            first_candidate=first_candidate,
            made_before=made_before,
        )


_DRAWN = (
    *("width", "height", "walls", "goals", "obstacles", "agent_shapes", "goal_shapes"),
    *("obstacle_shapes", "different_goal_shapes", "goal_object_margin"),
)
"""What a draw depends on."""

_LIMITS = {
    "width": (1, MAX_INTERIOR),
    "height": (1, MAX_INTERIOR),
    "walls": (0, MAX_INTERIOR**2),
    "obstacles": (0, MAX_INTERIOR),
    "goals": (1, MAX_INTERIOR),
    "plan_length": (1, MAX_LENGTH),
    "goal_object_margin": (0, MAX_INTERIOR),
    "max_states": (1, MAX_STATES),
}


def parse_range(text: str) -> Range:
    """Returns the range written as ``5-10`` or ``5``, or raises PushWorldError."""
    first, dash, last = text.partition("-")
    try:
        return int(first), int(last if dash else first)
    except ValueError:
        raise PushWorldError(f"{text!r} is no range: write 5-10, or 5 for just that") from None


def _check_shapes(name: str, shapes: tuple[Shape, ...]) -> None:
    if not shapes:
        raise DataError(f"{name} is empty: there must be a shape to choose")
    for shape in shapes:
        if not shape or bounding_corner_and_shape(shape) != ((0, 0), tuple(shape)):
            raise DataError(
                f"{name} holds {shape}, which is not in its canonical form: cells relative to the "
                "top-left corner of their bounding box, in reading order"
            )


def _check_that_goals_can_differ(goal_shapes: Iterable[tuple[Shape, ...]], goals: int) -> None:
    """Checks that each object has a shape left, whatever shapes the objects before it take."""
    lists = [set(shapes) for shapes in goal_shapes]
    lists = [lists[min(i, len(lists) - 1)] for i in range(goals)]
    for i, shapes in enumerate(lists):
        if len(shapes) <= sum(not shapes.isdisjoint(earlier) for earlier in lists[:i]):
            raise DataError(
                f"goal {i + 1} may find all of its {len(shapes)} shapes taken: give more shapes, "
                "fewer goals, or set different_goal_shapes to False"
            )


_SHAPES = polyominoes(1, 3)
_BASE = PuzzleDistribution()

LEVEL0_DISTRIBUTIONS: dict[str, PuzzleDistribution] = {
    "base": _BASE,
    "size": replace(_BASE, width=(5, 10), height=(5, 10)),
    "walls": replace(_BASE, walls=(3, 5)),
    "obstacles": replace(_BASE, obstacles=(2, 2)),
    "shapes": replace(_BASE, agent_shapes=_SHAPES, goal_shapes=(_SHAPES,), obstacle_shapes=_SHAPES),
    "goals": replace(_BASE, goals=(2, 2), goal_shapes=((SQUARE,), (FLAT_DOMINO,))),
    "all": replace(
        _BASE,
        width=(5, 10),
        height=(5, 10),
        walls=(3, 5),
        obstacles=(1, 2),
        goals=(1, 2),
        agent_shapes=_SHAPES,
        goal_shapes=(_SHAPES,),
        obstacle_shapes=_SHAPES,
    ),
}
"""The distributions by the names of the sets, in the paper's order."""

AS_PUBLISHED: dict[str, PuzzleDistribution] = {
    **LEVEL0_DISTRIBUTIONS,
    "all": replace(LEVEL0_DISTRIBUTIONS["all"], width=(5, 9), height=(5, 9)),
}
"""The distributions of the published sets: in ``all``, sides go up to 9, not to 10 as in the paper."""


def level0_distribution(name: str) -> PuzzleDistribution:
    """Returns the distribution of a Level 0 set, or raises DataError if there is no such set."""
    if name not in LEVEL0_DISTRIBUTIONS:
        raise DataError(
            f"there is no Level 0 set {name!r}: the sets are {', '.join(LEVEL0_DISTRIBUTIONS)}"
        )
    return LEVEL0_DISTRIBUTIONS[name]
