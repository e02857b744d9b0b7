"""Types of the native module."""

from collections.abc import Sequence
from enum import Enum
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position

INFINITY: int

class Dynamics:
    @property
    def num_objects(self) -> int: ...

class WorldSpec:
    def __init__(self, width: int, height: int) -> None: ...
    def add_walls(self, cells: Sequence[Position], /) -> None: ...
    def add_agent_walls(self, cells: Sequence[Position], /) -> None: ...
    def add_object(self, start: Position, goal: Position | None) -> None: ...
    def add_cells(self, cells: Sequence[Position], /) -> None: ...

def make_dynamics(spec: WorldSpec, control: Control | None = None) -> Dynamics: ...
def step_batch(
    dynamics: Dynamics,
    states: NDArray[np.int16],
    actions: NDArray[np.uint8],
    moved: NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> None: ...
def achieved_goals(
    dynamics: Dynamics, states: NDArray[np.int16], achieved: NDArray[np.uint16]
) -> None: ...

class SearchResult:
    @property
    def status(
        self,
    ) -> Literal[
        "solved", "unsolvable", "time-limit", "memory-limit", "state-limit", "interrupted"
    ]: ...
    @property
    def plan(self) -> list[int]: ...
    @property
    def expanded(self) -> int: ...
    @property
    def generated(self) -> int: ...
    @property
    def evaluated(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def unsuitable(self) -> list[str]: ...

class SearchStopped(Exception): ...  # noqa: N818

class Control:
    def __init__(self, seconds: float, bytes: int, max_states: int = ...) -> None: ...
    def interrupt(self) -> None: ...
    def check(self) -> None: ...
    @property
    def max_bytes(self) -> int: ...
    @property
    def expanded(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def used_bytes(self) -> int: ...
    @property
    def best(self) -> int: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def best_plan(self) -> list[int]: ...

class Search(Protocol):
    def __call__(
        self, dynamics: Dynamics, control: Control, *, seed: int, threads: int
    ) -> SearchResult: ...

solve_breadth_first: Search
solve_cea: Search
solve_rgd: Search
solve_novelty_rgd: Search

def solve_a_star(
    dynamics: Dynamics, control: Control, *, seed: int, threads: int, fewest_pushes: bool = False
) -> SearchResult: ...

OpenListValue = tuple[Sequence[str], Sequence[str]]  # features, evaluators
StrategyValue = tuple[
    str, Sequence[OpenListValue], str, int, bool, bool, Sequence[tuple[str, int]]
]  # name, open lists, commitment, share, few objects, goals in turn, options

def solve_by_pushes(
    dynamics: Dynamics,
    control: Control,
    *,
    seed: int,
    threads: int,
    strategies: Sequence[StrategyValue] | None = None,
) -> SearchResult: ...
def default_strategies() -> list[StrategyValue]: ...
def strategy_features() -> list[tuple[str, str]]: ...  # name, meaning
def strategy_evaluators() -> list[tuple[str, str]]: ...  # name, meaning
def strategy_options() -> list[
    tuple[str, int, int, int, str]
]: ...  # name, default, least, most, meaning

MAX_PLAN_LENGTH: int

def shorten_plan(
    dynamics: Dynamics, plan: list[int], control: Control, threads: int = 1, prove: bool = False
) -> SearchResult: ...

class Heuristics:
    def __init__(self, dynamics: Dynamics, control: Control | None = None) -> None: ...
    def rgd(self, state: list[Position]) -> int: ...
    def cea(self, state: list[Position]) -> int: ...
    def lower_bound(self, state: list[Position]) -> int: ...

ANY_PUZZLE: int

class PuzzleSet:
    def __init__(self, *, width: int, height: int, goals: int, objects: int) -> None: ...
    def add(
        self, dynamics: Dynamics, walls: list[Position], agent_walls: list[Position]
    ) -> None: ...

class Batch:
    def __init__(
        self,
        puzzles: PuzzleSet,
        planes: NDArray[np.uint8] | None,
        positions: NDArray[np.int16] | None,
        rewards: NDArray[np.float64],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        achieved: NDArray[np.int64],
        moved: NDArray[np.bool_],
        puzzle_indices: NDArray[np.int64],
        action_masks: NDArray[np.int8] | None,
        *,
        symmetries: bool,
        placement: bool,
        max_steps: int,
        solved_reward: float,
        goal_reward: float,
        step_penalty: float,
        shaping: float,
        discount: float,
    ) -> None: ...
    def set_generators(self, envs: NDArray[np.int64], generators: NDArray[np.uint64]) -> None: ...
    def reset(self, env: int, seed: int, puzzle: int = ...) -> None: ...
    def reset_all(
        self, mask: NDArray[np.bool_] | None, puzzles: NDArray[np.int64] | None, threads: int
    ) -> None: ...
    def step(self, env: int, action: int) -> tuple[float, bool, bool, int, bool]: ...
    def step_all(
        self, actions: NDArray[np.int64], resets: NDArray[np.bool_] | None, threads: int
    ) -> None: ...
    def view(self, env: int) -> tuple[int, int, Position]: ...
    def positions(self, env: int) -> list[Position]: ...

class Distribution:
    def __init__(
        self,
        *,
        width: tuple[int, int],
        height: tuple[int, int],
        walls: tuple[int, int],
        goals: tuple[int, int],
        obstacles: tuple[int, int],
        agent_shapes: Sequence[Sequence[Position]],
        goal_shapes: Sequence[Sequence[Sequence[Position]]],
        obstacle_shapes: Sequence[Sequence[Position]],
        different_goal_shapes: bool,
        goal_object_margin: int,
    ) -> None: ...

class Split(Enum):
    ANY = 0
    TRAIN = 1
    TEST = 2

class PuzzleStream:
    def __init__(
        self,
        distribution: Distribution,
        *,
        seed: int,
        split: Split,
        min_length: int,
        max_length: int,
        max_states: int,
        first_candidate: int,
        made_before: Sequence[int],
    ) -> None: ...
    def take(self, count: int, max_fruitless: int, threads: int) -> dict[str, NDArray[Any]]: ...
    def tally(self) -> dict[str, int]: ...
