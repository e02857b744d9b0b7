"""The state space of a small puzzle: all reachable states, and those from which it can be solved."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld import _native
from pushworld.design.budget import check_deadline, engine_within_deadline
from pushworld.design.variants import from_state
from pushworld.engine import StateArray
from pushworld.puzzle import Puzzle, State, format_plan, parse_plan

FAR = 1 << 30
"""The distance of a state from which the puzzle cannot be solved."""

_ACTIONS = bytes(range(4))

Mask = NDArray[np.bool_]
"""One truth value for each state of a state space."""


@dataclass(frozen=True, eq=False)
class StateSpace:
    """The reachable states of a puzzle as a graph.

    They are numbered in the order of a breadth-first search; the initial state has 0.

    Attributes:
        states: shape (states, objects, 2): their positions.
        numbers: the number of each state by its positions as bytes.
        successors: shape (states, 4): the numbers of the states after each action.
        layers: the number of the first state after each number of actions, and the number of all states.
        complete: whether these are all states; otherwise those of the last layer have no successors.
    """

    puzzle: Puzzle
    states: StateArray
    numbers: dict[bytes, int]
    successors: NDArray[np.int32]
    layers: list[int]
    complete: bool

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def at_goal(self) -> Mask:
        """Shape (states, goals): which goals hold in each state."""
        goals = np.array(self.puzzle.goal, np.int16).reshape(-1, 2)
        return np.asarray((self.states[:, 1 : 1 + len(goals)] == goals).all(axis=2))

    def number_of(self, state: State) -> int:
        """Returns the number of a reachable state."""
        return self.numbers[_key(state)]

    @cached_property
    def solvable(self) -> Mask:
        """The states from which the puzzle can be solved."""
        everywhere = np.ones(len(self), np.bool_)
        return self.backwards(self.holding(range(len(self.puzzle.goal))), everywhere)

    @cached_property
    def distances(self) -> NDArray[np.int32]:
        """The actions from each state to the nearest in which all goals hold; `FAR` without a way."""
        found = np.where(self.holding(range(len(self.puzzle.goal))), 0, FAR)
        while ((nearer := np.minimum(found, found[self.successors].min(axis=1) + 1)) < found).any():
            found = nearer
        return found

    def plan_to(self, number: int) -> str:
        """Returns a shortest plan to a state."""
        actions = []
        while number:
            number, action = divmod(int(self._origins[number]), 4)
            actions.append(action)
        return format_plan(actions[::-1])

    @cached_property
    def _origins(self) -> NDArray[np.intp]:
        """The first edge to each state."""
        ends, first = np.unique(self.successors, return_index=True)
        origins = np.zeros(len(self), np.intp)
        origins[ends] = first
        return origins

    def holding(self, goals: Iterable[int]) -> Mask:
        """Returns the states in which all of the given goals hold."""
        return np.asarray(self.at_goal[:, sorted(goals)].all(axis=1))

    def backwards(self, targets: Mask, within: Mask) -> Mask:
        """Returns the states from which a path inside `within` leads to a target."""
        reached = targets & within
        frontier = np.flatnonzero(reached)
        while len(frontier):
            before = np.unique(self._predecessors_of(frontier))
            frontier = before[within[before] & ~reached[before]]
            reached[frontier] = True
        return reached

    def one_step_before(self, targets: Mask) -> Mask:
        """Returns the states from which one action leads to a target."""
        return np.asarray(targets[self.successors].any(axis=1))

    def _predecessors_of(self, states: NDArray[np.intp]) -> NDArray[np.intp]:
        first, sources = self._reverse
        spans = [sources[first[state] : first[state + 1]] for state in states.tolist()]
        return np.concatenate(spans)

    @cached_property
    def _reverse(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The edges sorted by their ends: the first index of each state, and the sources."""
        ends = self.successors.ravel()
        order = np.argsort(ends, kind="stable")
        first = np.searchsorted(ends[order], np.arange(len(self) + 1))
        return first, order // 4


def explore(puzzle: Puzzle, max_states: int) -> StateSpace | None:
    """Returns the state space of a puzzle, or None if it has more than `max_states` states.

    Raises:
        OutOfTimeError: if the deadline comes first.
    """
    space = reach(puzzle, max_states)
    return space if space.complete else None


def reach(
    puzzle: Puzzle,
    max_states: int,
    *,
    depth: int | None = None,
    chains: bool = True,
    until: Callable[[bytes], bool] | None = None,
) -> StateSpace:
    """Returns the states of a puzzle, layer by layer until there are more than `max_states`.

    Args:
        depth: the most actions; None for no limit.
        chains: whether objects may push objects.
        until: whether a state, by its positions as bytes, is one after whose layer to end.

    Raises:
        OutOfTimeError: if the deadline comes first.
    """
    engine = engine_within_deadline(puzzle)
    layer = engine.initial_states(1)
    numbers = dict.fromkeys(_keys(layer), 0)
    found, layers = [layer], [0, 1]
    edges: list[int] = []
    while len(layer) and len(numbers) <= max_states and len(layers) - 2 != depth:
        check_deadline()
        before = layer.repeat(4, axis=0)
        after = before.copy()
        _native.step_batch(
            engine.native, after, np.frombuffer(_ACTIONS * len(layer), np.uint8), None, 1
        )
        if not chains:
            together = (before != after)[:, 1:].any(axis=2).sum(axis=1) > 1
            after[together] = before[together]
        keys = _keys(after)
        new = [key for key in dict.fromkeys(keys) if key not in numbers]
        numbers.update(zip(new, range(layers[-1], layers[-1] + len(new)), strict=True))
        edges += map(numbers.__getitem__, keys)
        layer = np.frombuffer(b"".join(new), layer.dtype).reshape(-1, *layer.shape[1:])
        found.append(layer)
        layers.append(len(numbers))
        if until is not None and any(map(until, new)):
            break
    successors = np.array(edges, np.int32).reshape(-1, 4)
    return StateSpace(puzzle, np.concatenate(found), numbers, successors, layers, not len(layer))


def _keys(states: StateArray) -> list[bytes]:
    """Returns the positions of each state as bytes."""
    flat = np.ascontiguousarray(states).reshape(len(states), -1)
    keys: list[Any] = flat.view(np.dtype((np.void, flat.strides[0]))).ravel().tolist()
    return keys


def possible_orders(space: StateSpace, orders: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Returns the orders in which the goals can be achieved for good, one after the other.

    A goal holds for good from its last arrival on. An order is possible if the last arrivals of some
    plan come in that order, no two of them in the same action.
    """
    known: dict[tuple[frozenset[int], tuple[int, ...]], Mask] = {}

    def able(held: frozenset[int], rest: tuple[int, ...]) -> Mask:
        """Returns the states from which the rest can be achieved in order while `held` stays."""
        if (held, rest) not in known:
            within = space.holding(held)
            if rest:
                then = able(held | {rest[0]}, rest[1:])
                arrival = space.one_step_before(then) & ~space.at_goal[:, rest[0]]
                known[held, rest] = space.backwards(arrival, within)
            else:
                known[held, rest] = within
        return known[held, rest]

    # A goal that holds from the start and is never given up has no arrival; it comes first.
    home = set(np.flatnonzero(space.at_goal[0]).tolist())
    return [
        order
        for order in orders
        if any(
            able(frozenset(order[:kept]), order[kept:])[0]
            for kept in range(len(order) + 1)
            if home.issuperset(order[:kept])
        )
    ]


def repaired_plan(puzzle: Puzzle, smaller: Puzzle, plan: str, max_states: int) -> str | None:
    """Returns a plan for a puzzle without some objects, made from a plan for the whole one, or None.

    Most actions of the plan still do what they did. Where one does not, because a lost object pushed or
    stopped another, a search looks for a way back to some later state of the old plan, and the plan goes on
    from there. A search for a whole plan would have to find all the others again.

    Args:
        puzzle: the whole puzzle, which the plan solves.
        smaller: the puzzle without some of its objects.
        max_states: how many states each search for a way back may see.

    Raises:
        OutOfTimeError: if the deadline comes first.
    """
    last = {key: time for time, key in enumerate(_projected_states(puzzle, smaller, plan))}
    state, repaired, time = smaller.initial_state, "", last[_key(smaller.initial_state)]
    while time < len(plan):
        following = smaller.step(state, parse_plan(plan[time])[0])
        if last.get(_key(following), -1) > time:
            state, repaired = following, repaired + plan[time]
        else:
            is_back = partial(_comes_after, last, time)
            space = reach(from_state(smaller, state), max_states, until=is_back)
            found = next((n for key, n in space.numbers.items() if is_back(key)), None)
            if found is None:
                return None
            repaired += space.plan_to(found)
            state = tuple((x, y) for x, y in space.states[found].tolist())
        time = last[_key(state)]
    return repaired if smaller.validate(repaired) else None


def _projected_states(puzzle: Puzzle, smaller: Puzzle, plan: str) -> list[bytes]:
    """Returns the states of the plan as bytes, with the objects of the smaller puzzle only."""
    index = {thing.name: number for number, thing in enumerate(puzzle.objects)}
    kept = [index[thing.name] for thing in smaller.objects]
    return [_key(tuple(state[each] for each in kept)) for state in puzzle.replay(plan)]


def _comes_after(last: dict[bytes, int], time: int, key: bytes) -> bool:
    return last.get(key, -1) > time


def _key(state: State) -> bytes:
    return np.array(state, np.int16).tobytes()
