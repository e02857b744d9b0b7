"""What makes a puzzle good, measured: eight parts from 0 to 1, and one score from 0 to 100.

- *roles*: the share of the movables that are tools, obstacles or targets. One whose role is unknown
  counts if the plan moves it.
- *space*: the share of the interior that is alive: floor that some path connects to the agent, and walls
  that the plans come within one cell of.
- *idea*: how alike the orders of the stretches are in the plans of different searches; see
  `pushworld.design.plan_features`. Open if only one search found a plan.
- *length*: the actions of the plan for each movable, on a logarithmic scale.
- *resistance*: the share of greedy players who fail.
- *warnings*: the share of the dead ends after careless walks that are plain to see: a heuristic or a
  search of a few states proves them. Open if no dead end was met.
- *looks*: how readable the puzzle is before the first move: symmetry, a small board, and what tells puzzles that people
  drew from those of a search: straight walls, goals in plain view, shapes that repeat.
- *order*: 1 minus the clutter, by the movables that touch, are crowded, or are moved by none of the plans.

The score is the mean of the parts that are not open, each with its weight, times the order: nothing makes up for
clutter.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any

from pushworld import _native
from pushworld.datasets.generated.rooms import mirrored
from pushworld.design.analysis import Analysis
from pushworld.design.budget import (
    OutOfTimeError,
    run_within_deadline,
    shorten_within,
    solve_within,
)
from pushworld.design.dead_ends import walk
from pushworld.design.plan_features import covered_cells, likeness, stretches_of
from pushworld.design.roles import Roles
from pushworld.design.variants import fill_pockets
from pushworld.engine import Engine
from pushworld.planners import Heuristics
from pushworld.puzzle import Position, Puzzle, PuzzleObject
from pushworld.puzzle.free_space import (
    free_cells,
    inner_walls,
    interior,
    neighbours,
    occupied,
    pieces,
)

WEIGHTS = {
    "roles": 2.0,
    "space": 1.0,
    "idea": 1.0,
    "length": 1.0,
    "resistance": 1.0,
    "warnings": 0.5,
    "looks": 1.5,
}
"""The weight of each part but the order in the score."""

LONG = 64
"""Plans with at least this number of actions for each movable are long."""

SECOND_PLANNER = "novelty-rgd"
SECOND_STATES = 50_000
SHORTEN_STATES = 50_000
"""The search whose plan is compared with that of the analysis."""

PLAYERS = 4
MOST_MOVES = 300
"""Greedy players, and the moves after which they give up."""


@dataclass(frozen=True)
class Quality:
    """The parts, each from 0 to 1 and None if open; this module describes them."""

    roles: float | None
    space: float | None
    idea: float | None
    length: float | None
    resistance: float | None
    warnings: float | None
    looks: float
    order: float

    @property
    def parts(self) -> dict[str, float]:
        """The parts that are not open, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @property
    def score(self) -> float:
        """The weighted mean of the other parts times the order, from 0 to 100."""
        parts = self.parts
        order = parts.pop("order")
        total = sum(WEIGHTS[name] for name in parts)
        return 100 * order * sum(WEIGHTS[name] * value for name, value in parts.items()) / total

    def as_dict(self) -> dict[str, Any]:
        """Returns the score and the parts as values for JSON."""
        rounded = {
            name: None if part is None else round(part, 3) for name, part in asdict(self).items()
        }
        return {"score": round(self.score, 1), **rounded}


def find_quality(puzzle: Puzzle, analysis: Analysis) -> Quality:
    """Returns the quality of an analysed puzzle. It is the same in every run.

    What a deadline leaves open is None.
    """
    solution = analysis.measures.solution
    if solution is None:
        order = 1 - clutter(puzzle, [thing.name for thing in puzzle.movables])
        return Quality(None, None, None, None, None, None, looks(puzzle), order)
    plans = [solution.plan, *_other_plans(puzzle)]
    moved = {name for plan in plans for stretch in stretches_of(puzzle, plan) for name in stretch}
    dead_ends = analysis.dead_ends
    return Quality(
        roles=None if analysis.roles is None else share_with_role(puzzle, analysis.roles),
        space=living_space(puzzle, plans),
        idea=_agreement(puzzle, plans) if len(plans) > 1 else None,
        length=_plan_length(puzzle, solution.length),
        resistance=greedy_failures(puzzle, solution.length),
        warnings=dead_ends.obvious / dead_ends.dead if dead_ends and dead_ends.dead else None,
        looks=looks(puzzle),
        order=1 - clutter(puzzle, moved),
    )


def share_with_role(puzzle: Puzzle, roles: Roles) -> float:
    """Returns the share of the movables that have a role, alone or in a pair."""
    moved = {name for stretch in stretches_of(puzzle, roles.solution.plan) for name in stretch}
    useful = {*roles.of("tool"), *roles.of("obstacle"), *roles.of("target")}
    useful |= moved.intersection(roles.of("unknown")) | roles.together
    return len(useful) / len(puzzle.movables)


def living_space(puzzle: Puzzle, plans: Iterable[str]) -> float:
    """Returns the share of the interior that is connected floor, or wall within one cell of the plans."""
    covered = set[Position]().union(*(covered_cells(puzzle, plan) for plan in plans))
    near = {(x + dx, y + dy) for x, y in covered for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    alive = free_cells(fill_pockets(puzzle)) | (inner_walls(puzzle) & near)
    return len(alive) / len(interior(puzzle))


def greedy_failures(puzzle: Puzzle, length: int) -> float | None:
    """Returns the share of greedy players who do not solve a puzzle, None if a deadline came first.

    They go where the recursive graph distance is least, to new states if there are any, and give up
    after twice as many moves as a good plan has.
    """

    def play(control: _native.Control) -> int:
        engine, heuristics = Engine(puzzle, control), Heuristics(puzzle, control)
        moves = min(MOST_MOVES, 2 * length)
        ends = [
            walk(engine, Random(number), moves, heuristics, onwards=True)
            for number in range(PLAYERS)
        ]
        return sum(not puzzle.is_solved(end) for end in ends)

    try:
        return run_within_deadline(play) / PLAYERS
    except OutOfTimeError:
        return None


def _other_plans(puzzle: Puzzle) -> list[str]:
    """Returns the plan of another planner, shortened, if it finds one."""
    plan = solve_within(puzzle, SECOND_STATES, SECOND_PLANNER).plan
    try:
        return [] if plan is None else [shorten_within(puzzle, plan, SHORTEN_STATES).plan]
    except OutOfTimeError:
        return []


def _agreement(puzzle: Puzzle, plans: Iterable[str]) -> float:
    """Returns how alike the orders of the plans' stretches are, on average over all pairs."""
    orders = [stretches_of(puzzle, plan) for plan in plans]
    return fmean(likeness(one, other) for one, other in combinations(orders, 2))


def _plan_length(puzzle: Puzzle, length: int) -> float:
    return min(1.0, max(0.0, math.log(max(1, length) / len(puzzle.movables), LONG)))


EASY_SIDE, HARD_SIDE = 12, 40
"""Boards up to the first side are read at a glance; from the second on they need a map."""

ROOM = 16
"""Empty cells that are room for one movable; most puzzles of people have twice as many for each."""


def looks(puzzle: Puzzle) -> float:
    """Returns how readable a puzzle looks, 0 to 1: the mean of the measures in this module."""
    return fmean(measure(puzzle) for measure in MEASURES)


def symmetry(puzzle: Puzzle) -> float:
    """Returns the share of the inner walls whose mirror images are walls, for the best axis."""
    walls = inner_walls(puzzle)
    if not walls:
        return 1.0
    width, height = puzzle.width - 2, puzzle.height - 2
    # `mirrored` adds the images that are missing.
    added = min(len(mirrored(walls, width, height, axis)) - len(walls) for axis in "xyr")
    return 1 - added / len(walls)


def straightness(puzzle: Puzzle) -> float:
    """Returns 1 minus the corners of the floor's outline as a share of its edges."""
    edges, corners = outline(free_cells(puzzle))
    return 1 - min(1.0, corners / max(1, edges))


def outline(cells: Collection[Position]) -> tuple[int, int]:
    """Returns the numbers of edges and of corners of the outline of some cells."""
    edges = sum(near not in cells for cell in cells for near in neighbours([cell]))
    points = {(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}
    return edges, sum(_corners_at(cells, point) for point in points)


def _corners_at(cells: Collection[Position], point: Position) -> int:
    """Returns how many corners the outline has at the top left of a cell."""
    x, y = point
    around = [near in cells for near in ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y))]
    if sum(around) == 2:
        return 2 if around[0] == around[3] else 0
    return sum(around) % 2


def handiness(puzzle: Puzzle) -> float:
    """Returns 1 for boards that are read at a glance, down to 0 for very large ones."""
    side = max(puzzle.width, puzzle.height) - 2
    return min(1.0, max(0.0, (HARD_SIDE - side) / (HARD_SIDE - EASY_SIDE)))


def touching(things: Iterable[PuzzleObject]) -> list[str]:
    """Returns the names of the objects that touch another one of them."""
    cells = {thing.name: thing.cells_at(thing.start) for thing in things}
    every = set().union(*cells.values())
    return [name for name, own in cells.items() if neighbours(own) & (every - own)]


def contacts(puzzle: Puzzle) -> int:
    """Returns how often a movable is close to another one, to a goal of another one, or to agent walls.

    Close is: covers it, or touches it. What stands inside agent walls was put there. Each patch of agent
    walls counts, too.
    """
    cells = {thing: thing.cells_at(thing.start) for thing in puzzle.movables}
    found = sum(bool(neighbours(one) & other) for one, other in combinations(cells.values(), 2))
    for thing, own in cells.items():
        near = own | neighbours(own)
        goals = (each.cells_at(each.goal) for each in cells if each.goal and each is not thing)
        found += sum(not near.isdisjoint(goal) for goal in goals)
        found += not near.isdisjoint(puzzle.agent_walls) and not own <= puzzle.agent_walls
    return found + len(list(pieces(puzzle.agent_walls)))


def clutter(puzzle: Puzzle, moved: Collection[str]) -> float:
    """Returns how cluttered a puzzle is, 0 to 1: by contacts beyond one, by crowded and by idle movables.

    Args:
        moved: the movables that its plans move.
    """
    if not puzzle.movables:
        return 0.0
    count, room = len(puzzle.movables), cells_for_each(puzzle) / ROOM
    close = max(0, contacts(puzzle) - 1) / (room * count)
    return 1 - min(1.0, room) / (1 + close / 2) * len(moved) / count


def cells_for_each(puzzle: Puzzle) -> float:
    """Returns the number of empty cells for each movable."""
    return max(1, len(free_cells(puzzle) - occupied(puzzle))) / len(puzzle.movables)


def clearness(puzzle: Puzzle) -> float:
    """Returns the share of the goals whose outlines no object covers."""
    covered = occupied(puzzle)
    goals = [thing.cells_at(thing.goal) for thing in puzzle.movables if thing.goal is not None]
    return sum(not cells & covered for cells in goals) / max(1, len(goals))


def repetition(puzzle: Puzzle) -> float:
    """Returns how far the movables share their shapes: 0 if all differ, 1 if there is one shape."""
    shapes = [thing.shape for thing in puzzle.movables]
    return 1 - (len(set(shapes)) - 1) / max(1, len(shapes) - 1) if shapes else 1.0


MEASURES = (symmetry, straightness, handiness, clearness, repetition)
"""What the looks are the mean of."""
