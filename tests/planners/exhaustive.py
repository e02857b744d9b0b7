"""Oracles of the planners: exhaustive search of tiny puzzles on the reference dynamics."""

from __future__ import annotations

from collections import deque

from pushworld.puzzle import Puzzle, State

NUM_ACTIONS = 4


def shortest_length(puzzle: Puzzle) -> int | None:
    """Returns the number of actions of a shortest plan; None if the puzzle is unsolvable."""
    return _fewest(puzzle, count_walking=True)


def fewest_pushes(puzzle: Puzzle) -> int | None:
    """Returns the least number of pushes of any plan; None if the puzzle is unsolvable."""
    return _fewest(puzzle, count_walking=False)


def _fewest(puzzle: Puzzle, *, count_walking: bool) -> int | None:
    """Returns the least cost of a plan, where pushes cost 1 and other actions 1 or nothing."""
    closed: set[State] = set()
    queue = deque([(0, puzzle.initial_state)])
    while queue:
        cost, state = queue.popleft()
        if state in closed:
            continue
        if puzzle.is_solved(state):
            return cost
        closed.add(state)
        for action in range(NUM_ACTIONS):
            after = puzzle.step(state, action)
            if count_walking or after[1:] != state[1:]:
                queue.append((cost + 1, after))
            else:
                queue.appendleft((cost, after))
    return None


def distances_to_goal(puzzle: Puzzle) -> dict[State, int | None]:
    """Returns the length of a shortest plan from each reachable state; None if there is none."""
    predecessors: dict[State, list[State]] = {puzzle.initial_state: []}
    reached = [puzzle.initial_state]
    for state in reached:
        for action in range(NUM_ACTIONS):
            after = puzzle.step(state, action)
            if after not in predecessors:
                predecessors[after] = []
                reached.append(after)
            predecessors[after].append(state)
    distances: dict[State, int | None] = dict.fromkeys(reached)
    layer = {state for state in reached if puzzle.is_solved(state)}
    length = 0
    while layer:
        distances.update(dict.fromkeys(layer, length))
        before = {state for after in layer for state in predecessors[after]}
        layer = {state for state in before if distances[state] is None}
        length += 1
    return distances
