"""The paper's pseudocode of the recursive graph distance, word for word and without its caches."""

from __future__ import annotations

import math
from collections import deque
from functools import cache, cached_property

from pushworld.puzzle import DELTAS, Position, Puzzle, PuzzleObject, State

AGENT = 0


class RgdOracle:
    """RecursiveGraphDistanceCost for one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    def cost(self, state: State, max_tools: int | None = None) -> float:
        """Returns the sum over the goals with at most `max_tools` objects in a chain."""
        limit = len(state) if max_tools is None else max_tools
        return sum(
            self._cost_to_reach_position(object_id, goal, state, limit)
            for object_id, goal in enumerate(self.puzzle.goal, start=1)
        )

    def cost_with_fewest_tools(self, state: State) -> float:
        """Returns the sum over the goals, each with as few tools as make it finite."""
        total = 0.0
        for object_id, goal in enumerate(self.puzzle.goal, start=1):
            costs = (
                self._cost_to_reach_position(object_id, goal, state, tools)
                for tools in range(len(state))
            )
            total += next((cost for cost in costs if cost < math.inf), math.inf)
        return total

    def _cost_to_reach_position(
        self, object_id: int, goal: Position, state: State, max_tools: int
    ) -> float:
        position = state[object_id]
        if position == goal:
            return 0
        cheapest = math.inf
        for following in self._successors(object_id, position):
            distance = self._shortest_path_length(object_id, following, goal)
            if distance < cheapest:
                cheapest = distance + self._pushing_cost(
                    object_id, following, {object_id}, state, cheapest - distance, max_tools
                )
        return cheapest

    def _pushing_cost(
        self,
        object_id: int,
        following: Position,
        used: set[int],
        state: State,
        upper_bound: float,
        max_tools: int,
    ) -> float:
        cheapest = upper_bound
        x, y = state[object_id]
        direction = (following[0] - x, following[1] - y)
        for pusher_id in range(len(state)):
            if pusher_id in used or (pusher_id != AGENT and max_tools == 0):
                continue
            pusher = state[pusher_id]
            for pusher_following in self._successors(pusher_id, pusher):
                least = math.inf
                for dx, dy in relative_pushing_positions(
                    self.puzzle.objects[object_id], self.puzzle.objects[pusher_id], direction
                ):
                    start = (x + dx, y + dy)
                    end = (start[0] + direction[0], start[1] + direction[1])
                    if not {start, end} <= self._graphs[pusher_id]:
                        continue
                    if start == pusher and end == pusher_following:
                        least = 0
                        break
                    path = self._shortest_path_length(pusher_id, pusher_following, start)
                    least = min(least, path + 1)
                if pusher_id == AGENT:
                    cheapest = min(cheapest, least + 1)
                elif least < cheapest:
                    cheapest = least + self._pushing_cost(
                        pusher_id,
                        pusher_following,
                        used | {pusher_id},
                        state,
                        cheapest - least,
                        max_tools - 1,
                    )
        return cheapest

    @cached_property
    def _graphs(self) -> list[frozenset[Position]]:
        """The nodes of the movement graphs: positions off the walls."""
        graphs = []
        for thing in self.puzzle.objects:
            is_agent = thing is self.puzzle.agent
            stops = self.puzzle.walls | (self.puzzle.agent_walls if is_agent else frozenset())
            graphs.append(
                frozenset(
                    (x, y)
                    for x in range(1, self.puzzle.width - thing.width)
                    for y in range(1, self.puzzle.height - thing.height)
                    if not thing.cells_at((x, y)) & stops
                )
            )
        return graphs

    def _successors(self, object_id: int, position: Position) -> list[Position]:
        around = [(position[0] + dx, position[1] + dy) for dx, dy in DELTAS]
        return [near for near in around if near in self._graphs[object_id]]

    def _shortest_path_length(self, object_id: int, start: Position, end: Position) -> float:
        distances = {start: 0}
        queue = deque([start])
        while queue:
            position = queue.popleft()
            if position == end:
                return distances[position]
            for near in self._successors(object_id, position):
                if near not in distances:
                    distances[near] = distances[position] + 1
                    queue.append(near)
        return math.inf


@cache
def relative_pushing_positions(
    thing: PuzzleObject, pusher: PuzzleObject, direction: Position
) -> list[Position]:
    """Returns the positions of the pusher, relative to the thing, from which it pushes the thing."""
    dx, dy = direction
    return [
        (x, y)
        for x in range(-pusher.width - 1, thing.width + 2)
        for y in range(-pusher.height - 1, thing.height + 2)
        if not pusher.cells_at((x, y)) & thing.cells_at((0, 0))
        and pusher.cells_at((x + dx, y + dy)) & thing.cells_at((0, 0))
    ]
