"""Best-first search that a policy and an estimate of the distance guide.

A state's priority is the estimated number of actions to the goal, and a price for each action on
the way that the policy thinks unlikely. The network looks at placements of movables, not at states:
steps of the agent between two pushes cost nothing. A new placement is first queued by what its
parent promises, and the network looks only at those that come to the front, several at once.
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
from pushworld.learned.network import DEAD_END_DISTANCE, Network, StoppedError
from pushworld.learned.observation import Observer
from pushworld.puzzle import Action, Puzzle, format_plan

Outcome = Literal["solved", "unsolvable", "stopped", "full"]
"""How a search ended; ``full`` is for its memory."""

NUM_ACTIONS = len(Action)
UNIFORM = [math.log(NUM_ACTIONS)] * NUM_ACTIONS
BYTES_A_POSITION = 4
BYTES_A_STATE = 400
"""What a state costs in Python's tables, next to its positions."""

CELLS_A_LOOK = 400
"""How many cells the network sees in one go, if one world is not larger.

With more it would hardly be faster, and see placements that turn out not to be needed.
"""

EXPANSIONS_A_ROUND = 8
"""How many states may be expanded before limits are checked again."""

LOOKS_DEAD = 0.75 * DEAD_END_DISTANCE
"""From this estimate on nobody looks closer: what comes after such a state inherits it."""


@dataclass(frozen=True)
class Guidance:
    """How the network's answers are used.

    Attributes:
        surprise_price: what an action costs whose probability is e times smaller than another's,
            in estimated actions.
        max_batch: how many placements the network looks at in one go, at most. It starts with a
            few, and takes more the longer the search lasts.
    """

    surprise_price: float = 1.0
    max_batch: int = 32


class GuidedSearch:
    """A search for a plan of one puzzle.

    Attributes:
        engine: of the puzzle.
        expanded: states whose successors were looked at.
        generated: successors that were looked at.
        evaluated: placements that the network looked at.
        best_distance: the lowest estimate so far.
        peak_bytes: the most that tables and the network needed, roughly.
        plan: the actions, once it is solved.
    """

    def __init__(self, puzzle: Puzzle, network: Network, guidance: Guidance | None = None) -> None:
        self.puzzle = puzzle
        self.expanded = self.generated = self.evaluated = 0
        self.best_distance = DEAD_END_DISTANCE
        self.peak_bytes = 0
        self.plan: str | None = None
        self._guidance = guidance or Guidance()
        self._network = network
        self._observer = Observer(puzzle)
        self.engine = Engine(puzzle)
        self._cells = self._observer.width * self._observer.height
        self._bytes_of_answer = 4 * (NUM_ACTIONS + 1) * self._cells
        self._goal = np.array(puzzle.goal, np.int16).tobytes()
        self._actions = np.arange(NUM_ACTIONS, dtype=np.uint8)
        self._states: list[NDArray[np.int16]] = []
        self._parents: list[int] = []
        self._last_actions: list[int] = []
        self._surprises: list[float] = []
        self._estimates: list[float] = []
        self._known: set[bytes] = set()
        self._answers: dict[bytes, _Answer] = {}
        self._ready: list[tuple[float, int]] = []
        self._unseen: list[tuple[float, int]] = []

    @property
    def states(self) -> int:
        """How many different states were seen."""
        return len(self._states)

    @property
    def memory_bytes(self) -> int:
        """What the tables hold, roughly."""
        each_state = BYTES_A_STATE + 8 * len(self.puzzle.objects)
        return self.states * each_state + len(self._answers) * self._bytes_of_answer

    def run(self, stop: Callable[[], bool], max_bytes: float = math.inf) -> Outcome:
        """Searches until there is a plan, nothing is left, memory is full, or `stop` says so."""
        if self._open(self.engine.initial_states(1)[0], -1, 0, 0.0, 0.0):
            return "solved"
        while self._ready or self._unseen:
            if stop():
                return "stopped"
            for _ in range(EXPANSIONS_A_ROUND):
                if not self._ready or (self._unseen and self._unseen[0] < self._ready[0]):
                    try:
                        if not self._look(stop, max_bytes):
                            return "full"
                    except StoppedError:
                        return "stopped"
                    break
                if self._expand(heappop(self._ready)[1]):
                    return "solved"
            self.peak_bytes = max(self.peak_bytes, self.memory_bytes)
            if self.memory_bytes > max_bytes:
                return "full"
        return "unsolvable"

    def _look(self, stop: Callable[[], bool], max_bytes: float) -> bool:
        """Lets the network see the placements at the front of those that it has not seen.

        Returns whether there was room for one.
        """
        each = self._bytes_of_answer + self._network.bytes_a_cell * self._cells
        room = (max_bytes - self.memory_bytes) / each
        most = min(self._guidance.max_batch, 2 + self.evaluated // 8, CELLS_A_LOOK // self._cells)
        width = int(min(room, max(1, most)))
        if width < 1:
            return False
        chosen: list[int] = []
        fresh: dict[bytes, NDArray[np.int16]] = {}
        while self._unseen and len(fresh) < width:
            node = heappop(self._unseen)[1]
            chosen.append(node)
            placement = self._states[node][1:].tobytes()
            if placement not in self._answers:
                fresh[placement] = self._states[node]
        self.peak_bytes = max(self.peak_bytes, self.memory_bytes + len(fresh) * each)
        if fresh:
            planes = self._observer.draw(np.stack([*fresh.values()]))
            policies, distances = self._network(planes, stop)
            for number, placement in enumerate(fresh):
                self._answers[placement] = _Answer(policies[number], distances[number])
            self.evaluated += len(fresh)
        for node in chosen:
            self._make_ready(node)
        return True

    def _make_ready(self, node: int) -> None:
        state = self._states[node]
        distance = float(self._answers[state[1:].tobytes()].distances[self._cell(state)])
        self.best_distance = min(self.best_distance, distance)
        self._estimates[node] = distance
        heappush(self._ready, (self._priority(node), node))

    def _priority(self, node: int) -> float:
        return self._estimates[node] + self._guidance.surprise_price * self._surprises[node]

    def _cell(self, state: NDArray[np.int16]) -> tuple[int, int]:
        return int(state[0, 1]) - self._observer.top, int(state[0, 0]) - self._observer.left

    def _expand(self, node: int) -> bool:
        """Opens the successors of a state, and returns whether one of them is solved."""
        state = self._states[node]
        successors = np.repeat(state[None], NUM_ACTIONS, axis=0)
        _native.step_batch(self.engine.native, successors, self._actions)
        self.expanded += 1
        self.generated += NUM_ACTIONS
        answer = self._answers.get(state[1:].tobytes())
        surprises = UNIFORM if answer is None else (-answer.policies[self._cell(state)]).tolist()
        estimate = self._estimates[node]
        promised = estimate if estimate >= LOOKS_DEAD else max(0.0, estimate - 1)
        for successor, action, surprise in zip(successors, Action, surprises, strict=True):
            if self._open(successor, node, action, self._surprises[node] + surprise, promised):
                return True
        return False

    def _open(
        self,
        state: NDArray[np.int16],
        parent: int,
        action: int,
        surprise: float,
        promised: float,
    ) -> bool:
        """Queues a state if it is new, and returns whether it is solved."""
        key = state.tobytes()
        if key in self._known:
            return False
        self._known.add(key)
        node = len(self._states)
        self._states.append(state)
        self._parents.append(parent)
        self._last_actions.append(action)
        self._surprises.append(surprise)
        self._estimates.append(promised)
        placement = key[BYTES_A_POSITION:]
        if placement.startswith(self._goal):
            self.plan = self._plan_to(node)
            return True
        if placement in self._answers:
            self._make_ready(node)
        else:
            queue = self._ready if promised >= LOOKS_DEAD else self._unseen
            heappush(queue, (self._priority(node), node))
        return False

    def _plan_to(self, node: int) -> str:
        actions = []
        while self._parents[node] >= 0:
            actions.append(Action(self._last_actions[node]))
            node = self._parents[node]
        return format_plan(reversed(actions))


@dataclass(frozen=True)
class _Answer:
    """What the network says of a placement, for each cell of the agent."""

    policies: NDArray[np.float32]
    distances: NDArray[np.float32]
