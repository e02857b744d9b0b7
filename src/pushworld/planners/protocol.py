"""What a planner is, and what it returns."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any, Literal, Protocol, Self

from pushworld.puzzle import PlanError, PushWorldError, Puzzle, parse_plan

LimitStatus = Literal["time-limit", "memory-limit", "state-limit", "interrupted"]
Status = Literal["solved", "unsolvable"] | LimitStatus
"""How a search ended."""

BYTES_PER_GB = 10**9
MOST_BYTES = 2**63 - 1
MOST_STATES = 2**64 - 1
MOST_ACTIONS = 1 << 24
"""The longest plan that is taken from a planner."""

REPLAY_SECONDS = 5.0
"""How long after its time limit a planner's plan may still be replayed."""

COUNTS = ("expanded", "generated", "evaluated", "states", "peak_memory_bytes")
"""The attributes of a result that count something."""

REPLAY_PART = 1000
"""Actions that are replayed between two looks at the clock."""


@dataclass(frozen=True)
class Progress:
    """The progress of a search.

    Attributes:
        seconds: since it began.
        expanded: states whose successors were generated.
        states: different states seen.
        best_heuristic: the lowest estimate of the distance to the goal so far; None if the planner
            has no heuristic.
        memory_bytes: what the tables of the search hold.
    """

    seconds: float
    expanded: int
    states: int
    best_heuristic: int | None
    memory_bytes: int


ProgressCallback = Callable[[Progress], None]
"""Called about ten times a second. If it raises KeyboardInterrupt, the search is interrupted; any
other exception ends the search as well and reaches the caller."""


@dataclass(frozen=True)
class SolveResult:
    """What a planner found out about a puzzle.

    Attributes:
        status: ``unsolvable`` is a proof if the planner is complete. The limits are those of
            `pushworld.solve`.
        plan: the actions as a string over ``LRUD``, replayed on the reference dynamics; None unless
            solved.
        length: the number of actions of the plan.
        pushes: how many of them move more than the agent.
        expanded: states whose successors were generated.
        generated: successors, whether new or not.
        evaluated: states for which a heuristic was computed.
        states: different states seen.
        states_per_second: different states seen in a second.
        peak_memory_bytes: the most that the tables of the search held.
        seconds: wall time, from the puzzle to the plan.
        planner: its name.
        representation_seconds: the part of the wall time that went into writing, translating and
            grounding the puzzle for a planner of another language; None for our own.
        unsuitable: names of strategies that do not apply to the puzzle, because there is nothing to
            leave out or to order. They did not run; if none applies, all ran with all objects and
            all goals together.
        lower_bound: no plan has fewer actions; None if the planner proves no such number.
    """

    status: Status
    plan: str | None
    length: int | None
    pushes: int | None
    expanded: int
    generated: int
    evaluated: int
    states: int
    states_per_second: float
    peak_memory_bytes: int
    seconds: float
    planner: str
    representation_seconds: float | None = None
    unsuitable: tuple[str, ...] = ()
    lower_bound: int | None = None

    @classmethod
    def of_plan(
        cls,
        puzzle: Puzzle,
        planner: str,
        status: Status,
        plan: str | None,
        seconds: float,
        **others: Any,
    ) -> Self:
        """Returns the result with what follows from the plan and the other attributes; counts are 0 unless given."""
        deadline = time.perf_counter() + REPLAY_SECONDS
        replay = replayed(puzzle, plan or "", lambda: time.perf_counter() > deadline)
        numbers: dict[str, Any] = dict.fromkeys(COUNTS, 0) | others
        return cls(
            status=status,
            plan=plan,
            length=None if plan is None else len(plan),
            pushes=None if plan is None or replay is None else replay[1],
            states_per_second=numbers["states"] / max(seconds, 1e-9),
            seconds=seconds,
            planner=planner,
            **numbers,
        )


def bytes_of(gigabytes: float) -> int:
    """Returns a memory limit in whole bytes; an infinite one becomes the largest number."""
    return int(min(gigabytes * BYTES_PER_GB, MOST_BYTES))


def count_pushes(puzzle: Puzzle, plan: str) -> int:
    """Returns how many actions of the plan move more than the agent."""
    return sum(before[1:] != after[1:] for before, after in pairwise(puzzle.replay(plan)))


class PlannerError(PushWorldError):
    """A planner that cannot be run, or that ended without a result."""


def replayed(
    puzzle: Puzzle, plan: str, is_late: Callable[[], bool] = lambda: False
) -> tuple[bool, int] | None:
    """Returns whether a planner's plan solves the puzzle, and the number of its pushes.

    Returns None if `is_late` says that there is no time left.
    """
    state, pushes = puzzle.initial_state, 0
    for begin in range(0, len(plan), REPLAY_PART):
        if is_late():
            return None
        try:
            actions = parse_plan(plan[begin : begin + REPLAY_PART])
        except PlanError:
            return False, pushes
        for action in actions:
            before, state = state, puzzle.step(state, action)
            pushes += before[1:] != state[1:]
    return puzzle.is_solved(state), pushes


class WrongPlanError(PlannerError):
    """A planner that returned a plan which does not solve the puzzle."""


@dataclass(frozen=True)
class Availability:
    """Whether a planner can be used here.

    Attributes:
        version: of the program that searches; None if the planner cannot be used.
        install: how to get it, if it cannot be used.
    """

    version: str | None
    install: str = ""

    @classmethod
    def of_this_package(cls) -> Self:
        """Returns the availability of a planner that comes with the package."""
        return cls(version("pushworld"))


class Planner(Protocol):
    """A planner. Callers use `pushworld.solve`, which checks arguments and replays plans."""

    @property
    def name(self) -> str:
        """The name by which users choose it."""

    @property
    def description(self) -> str:
        """One line on how it searches."""

    @property
    def complete(self) -> bool:
        """Whether it solves every solvable puzzle, given time and memory, and proves the others."""

    @property
    def optimal(self) -> bool:
        """Whether its plans are as short as any, counted in actions."""

    def availability(self) -> Availability:
        """Returns whether it can be used here."""

    def solve(
        self,
        puzzle: Puzzle,
        *,
        time_limit: float,
        memory_limit_gb: float,
        threads: int,
        seed: int,
        progress: ProgressCallback | None,
        max_states: int | None = None,
    ) -> SolveResult:
        """Returns a result within the limits.

        Raises:
            PushWorldError: if the planner cannot take the puzzle or fails.
        """
