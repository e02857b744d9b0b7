"""The idea of a puzzle: what it has in common with puzzles that differ from it only in their geometry.

Minimization removes every object and wall that the idea does not need, as delta debugging does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import BUDGETS, DESIGNING, OutOfTimeError, shorten_within, solve_within
from pushworld.design.difficulty import grade
from pushworld.design.plan_features import Stretch, likeness, stretches_of
from pushworld.design.quality import find_quality, outline
from pushworld.design.roles import Role
from pushworld.design.variants import Axis, fill_pockets, without_line, without_objects
from pushworld.puzzle import Position, PushWorldError, Puzzle, crop
from pushworld.puzzle.free_space import (
    free_cells,
    inner_walls,
    interior,
    occupied,
    outlines,
    pieces,
)

Removal = Callable[[Puzzle], Puzzle | None]
Size = tuple[int, int]

MOST_FLOOR = 4 / 3
"""How much larger the share of the floor may become."""

LEAST_LENGTH = 0.75
"""The plan of a minimal form has at least this share of the original's actions."""

LEAST_LIKENESS, MOST_LIKENESS = 0.3, 0.7
"""How alike the orders of stretches must be, at least and at most.

In between, as alike as those of different plans for the puzzle itself.
"""


@dataclass(frozen=True)
class Idea:
    """What variations of a puzzle share with it.

    Attributes:
        order: the stretches of its plan.
        likeness: how alike the order of a variation must be.
        roles: the role of each movable by its name.
        skills: what it demands.
        level: its level.
        length: the length of its plan.
    """

    order: tuple[Stretch, ...]
    likeness: float
    roles: dict[str, Role]
    skills: tuple[str, ...]
    level: int
    length: int


@lru_cache(maxsize=4)
def find_idea(puzzle: Puzzle, known_plan: str | None = None) -> Idea:
    """Returns the idea of a puzzle.

    Args:
        known_plan: as in `analyze`.

    Raises:
        PushWorldError: if no plan is found.
    """
    analysis = analyze(puzzle, BUDGETS["quick"], planners=("default",), known_plan=known_plan)
    solution, roles = analysis.measures.solution, analysis.roles
    if solution is None or roles is None or analysis.difficulty is None:
        status = analysis.measures.status
        why = "it is proved unsolvable" if status == "unsolvable" else "no plan was found"
        raise PushWorldError(f"the puzzle has no idea that can be kept: {why}")
    agreement = find_quality(puzzle, analysis).idea
    return Idea(
        order=stretches_of(puzzle, solution.plan),
        likeness=max(LEAST_LIKENESS, min(MOST_LIKENESS, agreement or 0.0)),
        roles={each.objects[0]: each.role for each in roles.single},
        skills=analysis.skills,
        level=analysis.difficulty.level,
        length=solution.length,
    )


def analyze_if_alike(puzzle: Puzzle, idea: Idea) -> Analysis | None:
    """Returns the analysis of a puzzle with the same idea, None if it has another one or no plan.

    Objects may be missing. Cheap experiments come first.
    """
    plan = solve_within(puzzle, DESIGNING.search_states).plan
    if not plan:
        return None
    plan = shorten_within(puzzle, plan, DESIGNING.shorten_states).plan
    if likeness(stretches_of(puzzle, plan), idea.order) < idea.likeness:
        return None
    difficulty = grade(puzzle)
    if difficulty.level != idea.level:
        return None
    analysis = analyze(
        puzzle, DESIGNING, difficulty=difficulty, planners=("default",), known_plan=plan
    )
    if analysis.roles is None or not set(idea.skills) <= set(analysis.skills):
        return None
    same_roles = all(
        "unknown" in (each.role, idea.roles[each.objects[0]])
        or each.role == idea.roles[each.objects[0]]
        for each in analysis.roles.single
    )
    return analysis if same_roles else None


def minimal_form(
    puzzle: Puzzle,
    idea: Idea,
    may_be: Callable[[Puzzle], bool] = lambda smaller: True,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Puzzle:
    """Returns the puzzle without what its idea does not need.

    Args:
        may_be: says whether a smaller puzzle is allowed at all.
        on_progress: called before each attempt, as by `minimize`.
    """

    def is_as_good(smaller: Puzzle) -> bool:
        try:
            analysis = analyze_if_alike(smaller, idea) if may_be(smaller) else None
        except OutOfTimeError:
            return False
        solution = None if analysis is None else analysis.measures.solution
        return solution is not None and solution.length >= LEAST_LENGTH * idea.length

    return tidied(minimize(puzzle, is_as_good, on_progress), may_be)


def tidied(puzzle: Puzzle, may_be: Callable[[Puzzle], bool]) -> Puzzle:
    """Returns the puzzle without closed and empty margins, and without pockets, if that is allowed."""
    tidy = crop(fill_pockets(puzzle))
    return tidy if may_be(tidy) else puzzle


def minimize(
    puzzle: Puzzle,
    is_as_good: Callable[[Puzzle], bool],
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Puzzle:
    """Returns the puzzle without the objects, walls, rows and columns whose removal leaves it as good.

    Objects are tried first, then rows and columns, connected pieces of wall, single cells of wall, and
    at last alcoves, which become wall. Walls never become more ragged: the outlines of floor and agent
    walls get no further corners. Nor do corridors become halls: the share of the floor grows by a
    third at most. What was kept is tried again until nothing more can be removed.

    Args:
        is_as_good: says whether a smaller puzzle is as good as the given one.
        on_progress: called before each attempt: how many were made since the last round began, and how
            many this round has.
    """
    most_floor = MOST_FLOOR * _floor_share(puzzle)
    shrunk = True
    while shrunk:
        shrunk = False
        removals = list(_removals(puzzle))
        for done, remove in enumerate(removals):
            smaller = remove(puzzle)
            if smaller is None or smaller == puzzle:
                continue
            if corners(smaller) > corners(puzzle) or _floor_share(smaller) > most_floor:
                continue
            on_progress(done, len(removals))
            if is_as_good(smaller):
                puzzle, shrunk = smaller, True
    return puzzle


def _removals(puzzle: Puzzle) -> Iterator[Removal]:
    """Yields all single removals. Cells have the coordinates of the puzzle as it is.

    Lines go from the last to the first, so that those that follow keep their numbers. No removal of
    other things follows a removed line in the same round.
    """
    for thing in puzzle.movables[len(puzzle.goal) :]:
        yield partial(without_objects, names={thing.name})
    sides: tuple[tuple[Axis, int], ...] = (("column", puzzle.width), ("row", puzzle.height))
    for axis, side in sides:
        for number in range(side - 2, 0, -1):
            yield partial(without_line, axis=axis, number=number)
    size = (puzzle.width, puzzle.height)
    walls, agent_walls = inner_walls(puzzle), set(puzzle.agent_walls)
    for piece in (*pieces(walls), *pieces(agent_walls)):
        yield partial(_without_cells, cells=piece, size=size)
    for cell in sorted(walls | agent_walls):
        yield partial(_without_cells, cells={cell}, size=size)
    for cell in sorted(free_cells(puzzle)):
        yield partial(_walled, cell=cell, size=size)


def corners(puzzle: Puzzle) -> int:
    """Returns how many corners the outlines of the floor and of the agent walls have."""
    return outline(free_cells(puzzle))[1] + outline(puzzle.agent_walls)[1]


def _floor_share(puzzle: Puzzle) -> float:
    return len(free_cells(puzzle)) / len(interior(puzzle))


def _walled(puzzle: Puzzle, cell: Position, size: Size) -> Puzzle | None:
    """Returns the puzzle with a wall in an alcove, if that makes the outline of the floor simpler."""
    if (puzzle.width, puzzle.height) != size or cell in occupied(puzzle) | outlines(puzzle):
        return None
    filled = replace(puzzle, walls=puzzle.walls | {cell}, agent_walls=puzzle.agent_walls - {cell})
    return filled if corners(filled) < corners(puzzle) else None


def _without_cells(puzzle: Puzzle, cells: set[Position], size: Size) -> Puzzle | None:
    if (puzzle.width, puzzle.height) != size:
        return None
    return replace(puzzle, walls=puzzle.walls - cells, agent_walls=puzzle.agent_walls - cells)
