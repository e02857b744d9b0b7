"""Uniform-cost search over any task: the judge of exported files, independent of all planners."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True)
class SearchTask(Generic[S]):
    """A task to search: successors are (name of the action, its cost, next state)."""

    initial: S
    is_goal: Callable[[S], bool]
    successors: Callable[[S], Iterable[tuple[str, int, S]]]


def cheapest_plan(task: SearchTask[S]) -> tuple[int, list[str]] | None:
    """Returns the least cost and the actions of a plan that has it, or None if there is no plan."""
    tickets = count()
    queue = [(0, next(tickets), task.initial)]
    reached_by: dict[S, tuple[int, str, S | None]] = {task.initial: (0, "", None)}
    while queue:
        cost, _, state = heapq.heappop(queue)
        if cost > reached_by[state][0]:
            continue
        if task.is_goal(state):
            return cost, _actions_to(state, reached_by)
        for name, price, after in task.successors(state):
            if after not in reached_by or cost + price < reached_by[after][0]:
                reached_by[after] = (cost + price, name, state)
                heapq.heappush(queue, (cost + price, next(tickets), after))
    return None


def _actions_to(state: S, reached_by: dict[S, tuple[int, str, S | None]]) -> list[str]:
    actions: list[str] = []
    at: S | None = state
    while at is not None:
        _, name, before = reached_by[at]
        actions.append(name)
        at = before
    return actions[-2::-1]
