"""What the network learns from: placements of movables, with the best actions from everywhere.

An example says for each position of the agent how many actions the goal is away and which actions
are best. Small puzzles are solved completely. Of larger ones plans are known, and an example holds
what it takes to walk to a plan's next push, wherever the agent is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pushworld.engine import StateArray
from pushworld.envs.contract import NUM_ACTIONS
from pushworld.learned.observation import AGENT_HITS, CHANNELS, Observer
from pushworld.learned.training.arrays import read_arrays
from pushworld.learned.training.placements import Placements
from pushworld.puzzle import PushWorldError, Puzzle, parse_plan
from pushworld.puzzle.actions import DELTAS

UNKNOWN = -2
"""The distance of a cell that the agent cannot be in, or of which nothing is known."""

DEAD = -1
"""The distance of a cell from which nothing leads to the goal."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Examples of worlds of different sizes, in the top-left corners of squares of one size.

    Attributes:
        planes: float16 (count, side, side, channels): what `Observer.draw` returns.
        sizes: int16 (count, 2): height and width of what was drawn.
        distances: int16 (count, side, side): to the goal with the agent's corner in this cell.
        actions: bool (count, side, side, 4): the best ones.
    """

    planes: NDArray[np.float16]
    sizes: NDArray[np.int16]
    distances: NDArray[np.int16]
    actions: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def side(self) -> int:
        return int(self.planes.shape[1])

    @classmethod
    def empty(cls, count: int, side: int) -> Examples:
        """Returns `count` examples that say nothing."""
        return cls(
            np.zeros((count, side, side, CHANNELS), np.float16),
            np.zeros((count, 2), np.int16),
            np.full((count, side, side), UNKNOWN, np.int16),
            np.zeros((count, side, side, NUM_ACTIONS), np.bool_),
        )

    @classmethod
    def join(cls, parts: Iterable[Examples]) -> Examples:
        """Returns the examples of all parts, which have the same side."""
        several = list(parts)
        return cls(
            *(
                np.concatenate([getattr(part, each.name) for part in several])
                for each in fields(cls)
            )
        )

    def take(self, chosen: NDArray[np.int64]) -> Examples:
        """Returns some of the examples."""
        return Examples(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def save(self, path: Path) -> None:
        """Writes the examples to a file."""
        with path.open("wb") as file:
            np.savez(file, **{each.name: getattr(self, each.name) for each in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Examples:
        """Returns the examples of a file, or raises PushWorldError if it holds none."""
        arrays = read_arrays(path)
        try:
            return cls(*(arrays[each.name] for each in fields(cls)))
        except KeyError as error:
            raise PushWorldError(f"{path} holds no examples: make them with `make`") from error


def examples_of_placements(placements: Placements, groups: Sequence[int], side: int) -> Examples:
    """Returns the examples of some placements of the movables."""
    observer = Observer(placements.puzzle)
    examples = _drawn(observer, placements.states[placements.first[list(groups)]], side)
    for number, group in enumerate(groups):
        states = np.arange(placements.first[group], placements.first[group + 1])
        rows, columns = observer.cells_of_agent(placements.states[states])
        examples.distances[number, rows, columns] = placements.distances[states]
        examples.actions[number, rows, columns] = placements.best_actions(states)
    return examples


def choose_groups(
    placements: Placements, count: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Returns up to `count` groups: those of a shortest plan, pushes away from it, and any others.

    A third each, at most; others are chosen among those with a way to the goal.
    """
    numbers = np.repeat(np.arange(len(placements.first) - 1), np.diff(placements.first))
    state = placements.number_of(np.array(placements.puzzle.initial_state, np.int16))
    path = [state]
    while placements.distances[path[-1]] > 0:
        ahead = placements.successors[path[-1]]
        best = ahead[placements.distances[ahead] == placements.distances[path[-1]] - 1]
        path.append(int(random.choice(best)))
    along = np.unique(numbers[path])
    near = np.unique(numbers[placements.successors[np.isin(numbers, along)]])
    alive = np.unique(numbers[placements.distances > 0])
    chosen = np.zeros(0, np.int64)
    for share, groups in ((3, along), (2, near), (1, alive)):
        new = np.setdiff1d(groups, chosen)
        most = (count - len(chosen)) // share
        chosen = np.concatenate([chosen, random.permutation(new)[:most]])
    return chosen


def examples_of_plan(puzzle: Puzzle, plan: str, side: int) -> Examples:
    """Returns an example for each placement of the movables that a plan goes through."""
    observer = Observer(puzzle)
    states = np.array(list(puzzle.replay(plan)), np.int16)
    actions = parse_plan(plan)
    pushes = np.flatnonzero((states[1:, 1:] != states[:-1, 1:]).any(axis=(1, 2)))
    examples = _drawn(observer, states[pushes], side)
    rows, columns = observer.cells_of_agent(states[pushes])
    for number, push in enumerate(pushes):
        hits = examples.planes[number, : observer.height, : observer.width, AGENT_HITS] > 0
        walk = _walk(observer.agent_fits & ~hits, (rows[number], columns[number]))
        known = walk >= 0
        part = (number, slice(observer.height), slice(observer.width))
        examples.distances[part][known] = walk[known] + len(actions) - push
        examples.actions[part] = _nearer(walk)
        cell = (number, rows[number], columns[number])
        examples.actions[cell] = np.arange(NUM_ACTIONS) == actions[push]
    return examples


def example_of_dead_end(puzzle: Puzzle, side: int) -> Examples:
    """Returns the example of a placement from which nothing leads to the goal, as it is now.

    It holds for all cells that the agent walks to without a push.
    """
    observer = Observer(puzzle)
    states = np.array([puzzle.initial_state], np.int16)
    example = _drawn(observer, states, side)
    (row,), (column,) = observer.cells_of_agent(states)
    hits = example.planes[0, : observer.height, : observer.width, AGENT_HITS] > 0
    known = _walk(observer.agent_fits & ~hits, (row, column)) >= 0
    example.distances[0, : observer.height, : observer.width][known] = DEAD
    return example


def _drawn(observer: Observer, states: StateArray, side: int) -> Examples:
    examples = Examples.empty(len(states), side)
    if len(states):
        examples.planes[:, : observer.height, : observer.width] = observer.draw(states)
    examples.sizes[:] = observer.height, observer.width
    return examples


def _walk(free: NDArray[np.bool_], end: tuple[int, int]) -> NDArray[np.int64]:
    """Returns how many steps each free cell is away from the end, or -1."""
    walk = np.full(free.shape, -1)
    walk[end] = 0
    layer, steps = [end], 0
    while layer:
        steps += 1
        layer = [cell for cell in _neighbours(layer, free.shape) if free[cell] and walk[cell] < 0]
        layer = list(dict.fromkeys(layer))
        for cell in layer:
            walk[cell] = steps
    return walk


def _neighbours(
    cells: Iterable[tuple[int, int]], shape: tuple[int, ...]
) -> Iterator[tuple[int, int]]:
    for y, x in cells:
        for dx, dy in DELTAS:
            if 0 <= y + dy < shape[0] and 0 <= x + dx < shape[1]:
                yield y + dy, x + dx


def _nearer(walk: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which actions bring the agent one step closer, shape (height, width, 4)."""
    padded = np.pad(walk, 1, constant_values=-1)
    height, width = walk.shape
    nearer = [
        (walk > 0) & (padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] == walk - 1)
        for dx, dy in DELTAS
    ]
    return np.stack(nearer, axis=-1)
