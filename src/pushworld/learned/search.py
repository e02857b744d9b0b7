"""Best-first search guided by a policy and a goal distance.

The priority of a state is its estimated goal distance, plus a cost for every action on the way to
it that the policy finds unlikely. The network evaluates arrangements of the movables, not states:
one evaluation serves all positions of the agent between two pushes. Evaluation is lazy: a state
with a new arrangement is first queued with the estimate of its parent, and the network evaluates
arrangements only when they reach the front of the queue, several in a batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pushworld import _native
from pushworld.engine import Engine
from pushworld.learned.network import DEAD_END_DISTANCE, Network
from pushworld.learned.observation import Observer, StoppedError
from pushworld.puzzle import Action, Puzzle, format_plan

Outcome = Literal["solved", "unsolvable", "stopped", "full"]
"""How a search ended; ``full`` means that it reached its memory limit."""

NUM_ACTIONS = len(Action)
UNIFORM_COSTS = [math.log(NUM_ACTIONS)] * NUM_ACTIONS
BYTES_PER_POSITION = 4
BYTES_PER_STATE = 400
"""The memory of a state in Python's tables, without its positions."""

CELLS_PER_BATCH = 400
"""The cells of a batch of arrangements, unless a single grid is larger.

Larger batches are hardly faster, and evaluate arrangements that turn out not to be needed.
"""

EXPANSIONS_PER_CHECK = 8
"""The expansions between two checks of the limits."""

LIKELY_DEAD_END = 0.75 * DEAD_END_DISTANCE
"""Successors of a state with at least this estimate inherit it, without an evaluation."""


@dataclass(frozen=True)
class Guidance:
    """How the search uses the network.

    Attributes:
        policy_weight: the weight of the policy's negative log probabilities next to the distance.
        max_batch: the largest batch of arrangements. Batches start small, and grow with the search.
    """

    policy_weight: float = 1.0
    max_batch: int = 32


class GuidedSearch:
    """A search for a plan of one puzzle.

    Attributes:
        engine: of the puzzle.
        cells: of a grid that the network evaluates.
        expanded: the number of expanded states.
        generated: the number of generated successors.
        evaluated: the number of arrangements that the network evaluated.
        best_distance: the lowest estimate so far.
        peak_bytes: the largest memory of tables and network so far, roughly.
        plan: the actions, once the puzzle is solved.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        network: Network,
        guidance: Guidance | None = None,
        stop: Callable[[], bool] = lambda: False,
        control: _native.Control | None = None,
    ) -> None:
        """Makes the tables of the search.

        Args:
            stop: called often while tables are made and observations drawn.
            control: the limits of the engine.

        Raises:
            StoppedError: if `stop` returns True.
            _native.SearchStopped: if `control` ends the work.
        """
        self.puzzle = puzzle
        self.expanded = self.generated = self.evaluated = 0
        self.best_distance = DEAD_END_DISTANCE
        self.peak_bytes = 0
        self.plan: str | None = None
        self._guidance = guidance or Guidance()
        self._network = network
        self._observer = Observer(puzzle, stop)
        self.engine = Engine(puzzle, control)
        self.cells = self._observer.width * self._observer.height
        self._observer_bytes = Observer.bytes_for(puzzle)
        self._evaluation_bytes = 4 * (NUM_ACTIONS + 1) * self.cells
        self._goal = np.array(puzzle.goal, np.int16).tobytes()
        self._actions = np.arange(NUM_ACTIONS, dtype=np.uint8)
        self._states: list[NDArray[np.int16]] = []
        self._parents: list[int] = []
        self._last_actions: list[int] = []
        self._policy_costs: list[float] = []
        self._estimates: list[float] = []
        self._known: set[bytes] = set()
        self._evaluations: dict[bytes, _Evaluation] = {}
        self._open_list: list[tuple[float, int]] = []
        self._lazy_list: list[tuple[float, int]] = []

    @property
    def states(self) -> int:
        """The number of different states so far."""
        return len(self._states)

    @property
    def memory_bytes(self) -> int:
        """The memory of the tables, roughly."""
        each_state = BYTES_PER_STATE + 8 * len(self.puzzle.objects)
        evaluations = len(self._evaluations) * self._evaluation_bytes
        return self._observer_bytes + self.states * each_state + evaluations

    def run(self, stop: Callable[[], bool], max_bytes: float = math.inf) -> Outcome:
        """Searches until a plan is found, no state is open, memory is full, or `stop` returns True."""
        if self._add(self.engine.initial_states(1)[0], -1, 0, 0.0, 0.0):
            return "solved"
        while self._open_list or self._lazy_list:
            if stop():
                return "stopped"
            for _ in range(EXPANSIONS_PER_CHECK):
                if not self._open_list or (
                    self._lazy_list and self._lazy_list[0] < self._open_list[0]
                ):
                    try:
                        if not self._evaluate(stop, max_bytes):
                            return "full"
                    except StoppedError:
                        return "stopped"
                    break
                if self._expand(heappop(self._open_list)[1]):
                    return "solved"
            self.peak_bytes = max(self.peak_bytes, self.memory_bytes)
            if self.memory_bytes > max_bytes:
                return "full"
        return "unsolvable"

    def _evaluate(self, stop: Callable[[], bool], max_bytes: float) -> bool:
        """Evaluates arrangements at the front of the lazy list, and moves their states to the open list.

        Returns whether there was memory for at least one.
        """
        each = self._evaluation_bytes + self._network.bytes_per_cell * self.cells
        affordable = (max_bytes - self.memory_bytes) / each
        most = min(self._guidance.max_batch, 2 + self.evaluated // 8, CELLS_PER_BATCH // self.cells)
        batch = int(min(affordable, max(1, most)))
        if batch < 1:
            return False
        chosen: list[int] = []
        new: dict[bytes, NDArray[np.int16]] = {}
        while self._lazy_list and len(new) < batch:
            node = heappop(self._lazy_list)[1]
            chosen.append(node)
            arrangement = self._states[node][1:].tobytes()
            if arrangement not in self._evaluations:
                new[arrangement] = self._states[node]
        self.peak_bytes = max(self.peak_bytes, self.memory_bytes + len(new) * each)
        if new:
            planes = self._observer.draw(np.stack([*new.values()]))
            policies, distances = self._network(planes, stop)
            for number, arrangement in enumerate(new):
                self._evaluations[arrangement] = _Evaluation(policies[number], distances[number])
            self.evaluated += len(new)
        for node in chosen:
            self._enqueue_evaluated(node)
        return True

    def _enqueue_evaluated(self, node: int) -> None:
        state = self._states[node]
        distance = float(self._evaluations[state[1:].tobytes()].distances[self._cell(state)])
        self.best_distance = min(self.best_distance, distance)
        self._estimates[node] = distance
        heappush(self._open_list, (self._priority(node), node))

    def _priority(self, node: int) -> float:
        return self._estimates[node] + self._guidance.policy_weight * self._policy_costs[node]

    def _cell(self, state: NDArray[np.int16]) -> tuple[int, int]:
        return int(state[0, 1]) - self._observer.top, int(state[0, 0]) - self._observer.left

    def _expand(self, node: int) -> bool:
        """Adds the successors of a state, and returns whether one of them is a goal."""
        state = self._states[node]
        successors = np.repeat(state[None], NUM_ACTIONS, axis=0)
        _native.step_batch(self.engine.native, successors, self._actions)
        self.expanded += 1
        self.generated += NUM_ACTIONS
        found = self._evaluations.get(state[1:].tobytes())
        costs = UNIFORM_COSTS if found is None else (-found.policies[self._cell(state)]).tolist()
        estimate = self._estimates[node]
        inherited = estimate if estimate >= LIKELY_DEAD_END else max(0.0, estimate - 1)
        for successor, action, cost in zip(successors, Action, costs, strict=True):
            if self._add(successor, node, action, self._policy_costs[node] + cost, inherited):
                return True
        return False

    def _add(
        self,
        state: NDArray[np.int16],
        parent: int,
        action: int,
        policy_cost: float,
        inherited: float,
    ) -> bool:
        """Queues a state if it is new, and returns whether it is a goal."""
        key = state.tobytes()
        if key in self._known:
            return False
        self._known.add(key)
        node = len(self._states)
        self._states.append(state)
        self._parents.append(parent)
        self._last_actions.append(action)
        self._policy_costs.append(policy_cost)
        self._estimates.append(inherited)
        arrangement = key[BYTES_PER_POSITION:]
        if arrangement.startswith(self._goal):
            self.plan = self._plan_to(node)
            return True
        if arrangement in self._evaluations:
            self._enqueue_evaluated(node)
        else:
            queue = self._open_list if inherited >= LIKELY_DEAD_END else self._lazy_list
            heappush(queue, (self._priority(node), node))
        return False

    def _plan_to(self, node: int) -> str:
        actions = []
        while self._parents[node] >= 0:
            actions.append(Action(self._last_actions[node]))
            node = self._parents[node]
        return format_plan(reversed(actions))


@dataclass(frozen=True)
class _Evaluation:
    """What the network returns for an arrangement, for each cell of the agent."""

    policies: NDArray[np.float32]
    distances: NDArray[np.float32]
