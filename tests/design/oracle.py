"""Facts about small puzzles by exhaustive search with the reference dynamics, and nothing else."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from pushworld.puzzle import Puzzle, State


class Oracle:
    """All reachable states of a puzzle."""

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
        """The length of a shortest plan."""
        solved = [d for state, d in self.distance.items() if self.puzzle.is_solved(state)]
        return min(solved, default=None)

    def alive(self) -> set[State]:
        """Returns the states from which the puzzle can be solved."""
        before: dict[State, list[State]] = {state: [] for state in self.next}
        for state, ends in self.next.items():
            for end in ends:
                before[end].append(state)
        found = {state for state in self.next if self.puzzle.is_solved(state)}
        queue = deque(found)
        while queue:
            for state in before[queue.popleft()]:
                if state not in found:
                    found.add(state)
                    queue.append(state)
        return found

    def order_works(self, order: tuple[str, ...]) -> bool:
        """Returns whether the goals can be achieved for good one by one, in this order."""
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
                ways = [(reached, kept)]
                if holds(reached, kept) and not holds(state, kept):
                    ways.append((reached, kept + 1))
                for way in ways:
                    if way not in seen:
                        seen.add(way)
                        queue.append(way)
        return False


def without(puzzle: Puzzle, *names: str) -> Puzzle:
    """Returns the puzzle without some objects and their goals."""
    return replace(puzzle, objects=tuple(each for each in puzzle.objects if each.name not in names))


def asking_only_for(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with one of its goals."""
    return replace(
        puzzle,
        objects=tuple(
            each if each.name == name else replace(each, goal=None) for each in puzzle.objects
        ),
    )
