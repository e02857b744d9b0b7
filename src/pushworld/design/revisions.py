"""Revisions that help the author of a drawing: harder, with a tool, tidy.

Each tries a bounded number of changes, so the same drawing gets the same revision, unless a time limit ends
the attempts: then the best one so far is returned.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from random import Random

from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import (
    DESIGNING,
    OutOfTimeError,
    check_deadline,
    solve_within,
    time_limit,
)
from pushworld.design.difficulty import Difficulty, grade
from pushworld.design.ideas import corners, find_idea, minimal_form
from pushworld.design.mutations import free_name, mutate
from pushworld.design.quality import find_quality
from pushworld.design.variants import fill_pockets
from pushworld.puzzle import DELTAS, PushWorldError, Puzzle, PuzzleError, PuzzleObject, parse_plan
from pushworld.puzzle.free_space import free_places, interior, occupied, outlines
from pushworld.puzzle.transform import canonical_form

ATTEMPTS = 400
"""How many puzzles are tried."""

HARDER = 0.3
"""By how much the score must rise until a harder puzzle is hard enough; a level is about 1."""

MORE_CORNERS = 8
"""How many corners more than before the walls of a harder puzzle may have."""

COMPARED = 3
"""How many puzzles with a tool are compared by their quality."""

LONGEST_TOOL = 3

IN_LINE = 0.7
"""How often a tool stands in line with the push that it takes over."""

LOOK_STATES = 20_000
"""States of the search that decides whether a puzzle is worth an analysis."""

OnProgress = Callable[[str], None]


@dataclass(frozen=True)
class Revision:
    """A revised puzzle, and what is different in a few words."""

    puzzle: Puzzle
    note: str


def revise(
    puzzle: Puzzle,
    change: str,
    on_progress: OnProgress = lambda text: None,
    seconds: float | None = None,
) -> Revision | None:
    """Returns a revision of a puzzle, None if nothing better was found.

    Args:
        change: one of `CHANGES`.
        on_progress: called with a text before each attempt.
        seconds: a limit on the wall time.

    Raises:
        PushWorldError: if there is no such change, or if the puzzle cannot be revised in this way.
    """
    if change not in CHANGES:
        raise PushWorldError(f"there is no change {change!r}: choose from {', '.join(CHANGES)}")
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals yet: draw one first")
    try:
        with time_limit(seconds):
            return CHANGES[change](puzzle, on_progress)
    except OutOfTimeError:
        raise PushWorldError("the time was too short to find out what the puzzle demands") from None


def _harder(puzzle: Puzzle, on_progress: OnProgress) -> Revision | None:
    """Returns a puzzle that demands the same and more, with no object that is of no use."""
    before = _analyzed(puzzle)
    best, now = puzzle, before
    random = Random(0)
    try:
        for tried in range(ATTEMPTS):
            on_progress(f"{tried} of {ATTEMPTS} puzzles tried, difficulty {_score(now):.2f}")
            check_deadline()
            proposed = fill_pockets(mutate(best, random, _plan(now), bool(puzzle.agent_walls)))
            if corners(proposed) > corners(puzzle) + MORE_CORNERS or not _has_plan(proposed):
                continue
            difficulty = grade(proposed)
            if difficulty.score <= _score(now):
                continue
            found = _analyzed(proposed, difficulty)
            if set(before.skills) <= set(found.skills) and _useless(found) <= _useless(before):
                best, now = proposed, found
            if _score(now) >= _score(before) + HARDER:
                break
    except OutOfTimeError:
        pass
    if best == puzzle:
        return None
    return Revision(best, f"difficulty {_score(now):.2f} instead of {_score(before):.2f}")


def _with_tool(puzzle: Puzzle, on_progress: OnProgress) -> Revision | None:
    """Returns a puzzle that cannot be solved without a certain object."""
    before = _analyzed(puzzle)
    assert before.roles is not None
    if tools := before.roles.of("tool"):
        names = ", ".join(each[1:] for each in tools)
        raise PushWorldError(f"the puzzle needs a tool already: object {names}")
    random = Random(0)
    found: list[tuple[float, str, Puzzle]] = []
    try:
        for tried in range(ATTEMPTS):
            on_progress(f"{tried} of {ATTEMPTS} puzzles tried, {len(found)} with a tool")
            check_deadline()
            proposed = demand_tool(puzzle, _plan(before), random)
            if proposed is None or not _has_plan(proposed):
                continue
            analysis = _analyzed(proposed, before.difficulty)  # how hard it is does not matter
            assert analysis.roles is not None
            tools = analysis.roles.of("tool")
            if tools and _useless(analysis) <= _useless(before):
                found.append((find_quality(proposed, analysis).score, tools[0], proposed))
            if len(found) == COMPARED:
                break
    except OutOfTimeError:
        pass
    if not found:
        return None
    _, tool, best = max(found, key=lambda each: each[0])
    return Revision(best, f"without object {tool[1:]} it is unsolvable")


def _tidy(puzzle: Puzzle, on_progress: OnProgress) -> Revision | None:
    """Returns the puzzle without what its idea does not need."""
    on_progress("finding out what it demands")
    idea = find_idea(puzzle)
    small = minimal_form(
        puzzle,
        idea,
        on_progress=lambda done, total: on_progress(f"{done} of {total} removals tried"),
    )
    if canonical_form(small) == canonical_form(puzzle):
        return None
    gone = len(puzzle.movables) - len(small.movables)
    objects = f", {gone} fewer objects" if gone > 1 else ", one object fewer" if gone else ""
    return Revision(
        small,
        f"{small.width - 2} x {small.height - 2} cells instead of "
        f"{puzzle.width - 2} x {puzzle.height - 2}{objects}",
    )


CHANGES: dict[str, Callable[[Puzzle, OnProgress], Revision | None]] = {
    "harder": _harder,
    "tool": _with_tool,
    "tidy": _tidy,
}
"""The changes by name."""


def demand_tool(puzzle: Puzzle, plan: str, random: Random) -> Puzzle | None:
    """Returns the puzzle with a bar, and with agent walls that keep the agent from pushing by itself.

    They lie behind the last steps of a push, or around a goal. The bar is as long as they are deep: pushed
    over them, it replaces the agent. None if it does not fit.
    """
    runs = list(_goal_pushes(puzzle, plan))
    if not runs:
        return None
    index, action, places = random.choice(runs)
    thing = puzzle.objects[index]
    dx, dy = DELTAS[action]
    if random.random() < 0.5:
        deep = random.randint(1, min(LONGEST_TOOL, len(places)))
        behind = (
            thing.cells_at((x - dx, y - dy)) - thing.cells_at((x, y)) for x, y in places[-deep:]
        )
        kept_off = set().union(*behind)
    else:
        deep = random.randint(1, LONGEST_TOOL - 1)
        assert thing.goal is not None
        kept_off = {
            (x + right, y + down)
            for x, y in thing.cells_at(thing.goal)
            for right in range(-deep, deep + 1)
            for down in range(abs(right) - deep, deep - abs(right) + 1)
        } & interior(puzzle)
    kept_off -= puzzle.walls | puzzle.agent.cells_at(puzzle.agent.start)
    shape = tuple((step * abs(dx), step * abs(dy)) for step in range(deep))
    blocked = puzzle.walls | occupied(puzzle) | outlines(puzzle) | kept_off
    free = free_places(puzzle, shape, blocked)
    if not free or not kept_off:
        return None
    # A bar that stands in line with the push needs no way there.
    lines = {y if dx else x for x, y in thing.cells_at(places[-1])}
    in_line = [place for place in free if place[1 if dx else 0] in lines]
    if in_line and random.random() < IN_LINE:
        free = in_line
    tool = PuzzleObject(free_name(puzzle), shape, random.choice(free))
    try:
        return replace(
            puzzle, objects=(*puzzle.objects, tool), agent_walls=puzzle.agent_walls | kept_off
        )
    except PuzzleError:
        return None


def _goal_pushes(puzzle: Puzzle, plan: str) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yields the pushes that move a goal object alone: its index, the action, where it was before."""
    actions = parse_plan(plan)
    moves = []
    for action, (before, after) in zip(actions, pairwise(puzzle.replay(actions)), strict=True):
        moved = [i for i in range(1, len(before)) if before[i] != after[i]]
        if len(moved) == 1 and moved[0] <= len(puzzle.goal):
            moves.append((moved[0], int(action), before[moved[0]]))
    for (index, action), run in groupby(moves, key=lambda move: move[:2]):
        yield index, action, [place for _, _, place in run]


def _analyzed(puzzle: Puzzle, difficulty: Difficulty | None = None) -> Analysis:
    """Returns the analysis of a puzzle with a plan, and grades it if no difficulty is given.

    Raises:
        OutOfTimeError: if a deadline ended it.
        PushWorldError: if no plan was found.
    """
    analysis = analyze(puzzle, DESIGNING, difficulty=difficulty, planners=("default",))
    if analysis.measures.solution is None and not analysis.undecided:
        raise PushWorldError("the planner finds no plan for this puzzle, so it cannot be revised")
    if analysis.roles is None or analysis.difficulty is None:
        raise OutOfTimeError
    return analysis


def _has_plan(puzzle: Puzzle) -> bool:
    return bool(solve_within(puzzle, LOOK_STATES).plan)


def _plan(analysis: Analysis) -> str:
    assert analysis.measures.solution is not None
    return analysis.measures.solution.plan


def _score(analysis: Analysis) -> float:
    assert analysis.difficulty is not None
    return analysis.difficulty.score


def _useless(analysis: Analysis) -> set[str]:
    assert analysis.roles is not None
    return set(analysis.roles.of("distractor"))
