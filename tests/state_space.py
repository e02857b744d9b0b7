"""Exhaustive search of small puzzles by the reference dynamics: an oracle independent of the engine."""

from __future__ import annotations

from collections import deque
from functools import cache

from pushworld.puzzle import Puzzle, State


class StateSpace:
    """All reachable states of a puzzle.

    Attributes:
        puzzle: the puzzle.
        distance: the states, nearest first, with their distances from the initial state.
        next: for each state the states after the four actions.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.distance = {puzzle.initial_state: 0}
        self.next: dict[State, list[State]] = {}
        queue = deque([puzzle.initial_state])
        while queue:
            state = queue.popleft()
            self.next[state] = [puzzle.step(state, action) for action in range(4)]
            for reached in self.next[state]:
                if reached not in self.distance:
                    self.distance[reached] = self.distance[state] + 1
                    queue.append(reached)

    @property
    def shortest(self) -> int | None:
        """The length of a shortest plan, or None if the puzzle is unsolvable."""
        solved = (d for state, d in self.distance.items() if self.puzzle.is_solved(state))
        return min(solved, default=None)

    def distances_to_goal(self) -> dict[State, int]:
        """Returns the length of a shortest plan for each state that has one."""
        predecessors: dict[State, list[State]] = {state: [] for state in self.next}
        for state, ends in self.next.items():
            for end in ends:
                predecessors[end].append(state)
        distances = {state: 0 for state in self.next if self.puzzle.is_solved(state)}
        queue = deque(distances)
        while queue:
            end = queue.popleft()
            for state in predecessors[end]:
                if state not in distances:
                    distances[state] = distances[end] + 1
                    queue.append(state)
        return distances

    def alive(self) -> set[State]:
        """Returns the states that are no dead ends: the puzzle can be solved from them."""
        return set(self.distances_to_goal())

    def order_works(self, order: tuple[str, ...]) -> bool:
        """Returns whether a plan achieves the goals for good one by one, in this order."""
        names = [thing.name for thing in self.puzzle.movables]
        indices = [names.index(name) for name in order]

        def holds(state: State, place: int) -> bool:
            return state[1 + indices[place]] == self.puzzle.goal[indices[place]]

        start = self.puzzle.initial_state
        seen = {(start, 0)}
        for kept in range(1, len(order) + 1):
            if not holds(start, kept - 1):
                break
            seen.add((start, kept))
        queue = deque(seen)
        while queue:
            state, kept = queue.popleft()
            if kept == len(order):
                return True
            for reached in self.next[state]:
                if not all(holds(reached, place) for place in range(kept)):
                    continue
                following = [(reached, kept)]
                if holds(reached, kept) and not holds(state, kept):
                    following.append((reached, kept + 1))
                for each in following:
                    if each not in seen:
                        seen.add(each)
                        queue.append(each)
        return False


@cache
def shortest_length(puzzle: Puzzle) -> int | None:
    """Returns the length of a shortest plan, or None if the puzzle is unsolvable."""
    known = {puzzle.initial_state}
    layer = [puzzle.initial_state]
    depth = 0
    while layer:
        if any(map(puzzle.is_solved, layer)):
            return depth
        reached = {puzzle.step(state, action) for state in layer for action in range(4)}
        layer = list(reached - known)
        known |= reached
        depth += 1
    return None


def fewest_pushes(puzzle: Puzzle) -> int | None:
    """Returns the least number of pushes of any plan, or None if the puzzle is unsolvable."""
    closed: set[State] = set()
    queue = deque([(0, puzzle.initial_state)])
    while queue:
        pushes, state = queue.popleft()
        if state in closed:
            continue
        if puzzle.is_solved(state):
            return pushes
        closed.add(state)
        for action in range(4):
            after = puzzle.step(state, action)
            if after[1:] != state[1:]:
                queue.append((pushes + 1, after))
            else:
                queue.appendleft((pushes, after))
    return None
