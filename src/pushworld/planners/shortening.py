"""Shorter plans: search in the neighbourhood of a plan."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, cast

from pushworld import _native
from pushworld.engine import Engine
from pushworld.planners.native import make_control, run_watched, stopped_status
from pushworld.planners.protocol import LimitStatus, count_pushes
from pushworld.planners.solving import check_limits
from pushworld.puzzle import PushWorldError, Puzzle, format_plan, parse_plan

ShortenStatus = Literal["optimal"] | LimitStatus


@dataclass(frozen=True)
class ShortenProgress:
    """The progress of shortening.

    Attributes:
        seconds: since it began.
        plan: the shortest plan so far.
        length: the number of its actions.
        states: different states seen.
        memory_bytes: what the tables of the search hold.
        lower_bound: no plan has fewer actions; None if nothing proves that.
    """

    seconds: float
    plan: str
    length: int
    states: int
    memory_bytes: int
    lower_bound: int | None = None


@dataclass(frozen=True)
class ShortenResult:
    """The best plan found.

    Attributes:
        plan: the actions as a string over ``LRUD``, replayed on the reference dynamics; never more
            of them than in the plan that was given.
        length: their number.
        pushes: how many of them move more than the agent.
        shortened_from: the number of actions of the plan that was given.
        status: ``optimal`` if it is proved that no plan is shorter; otherwise what ended the search.
        states: different states seen.
        peak_memory_bytes: the most that the tables of the search held.
        seconds: wall time.
        lower_bound: no plan has fewer actions; None if nothing proves that.
    """

    plan: str
    length: int
    pushes: int
    shortened_from: int
    status: ShortenStatus
    states: int
    peak_memory_bytes: int
    seconds: float
    lower_bound: int | None = None

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no plan is shorter."""
        return self.status == "optimal"


def shorten(
    puzzle: Puzzle,
    plan: str | Iterable[int],
    seconds: float = 1,
    *,
    memory_limit_gb: float = 8,
    max_states: int | None = None,
    threads: int = 1,
    prove: bool = False,
    progress: Callable[[ShortenProgress], None] | None = None,
) -> ShortenResult:
    """Returns a plan that is at most as long as the given one, and mostly much shorter.

    Ctrl-C ends the search early; the best plan so far is returned.

    Args:
        puzzle: what the plan solves.
        plan: letters ``LRUD`` or numbers of actions.
        seconds: wall time to spend; less is used if the plan is proved to be as short as any.
        memory_limit_gb: what the tables of the search may hold, in gigabytes (10^9 bytes).
        max_states: the search ends if it has seen that many different states, as for
            `pushworld.solve`.
        threads: how many cores to use. With one, the same number of states gives the same plan.
        prove: whether one of the threads looks for lower bounds by A* meanwhile; a single thread does
            so first, for a quarter of the time. The search ends where the plan meets the bound.
        progress: called about ten times a second. If it raises KeyboardInterrupt, the search is
            interrupted; any other exception ends it as well and reaches the caller.

    Raises:
        PushWorldError: if the plan does not solve the puzzle or an argument is wrong.
    """
    start = time.perf_counter()
    check_limits(seconds, memory_limit_gb, threads, seed=0, max_states=max_states)
    actions = parse_plan(plan)
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so no plan solves it")
    if len(actions) > _native.MAX_PLAN_LENGTH:
        raise PushWorldError(
            f"the plan has {len(actions):,} actions: shortening takes plans of at most "
            f"{_native.MAX_PLAN_LENGTH:,}"
        )
    if not puzzle.validate(actions):
        raise PushWorldError(
            f"the plan of {len(actions)} actions does not solve the puzzle {puzzle.name!r}: "
            "only plans that reach all goals can be made shorter"
        )
    control = make_control(seconds - (time.perf_counter() - start), memory_limit_gb, max_states)

    def report() -> None:
        if progress is not None:
            best = control.best_plan or actions
            progress(
                ShortenProgress(
                    seconds=time.perf_counter() - start,
                    plan=format_plan(best),
                    length=len(best),
                    states=control.states,
                    memory_bytes=control.used_bytes,
                    lower_bound=control.lower_bound or None,
                )
            )

    given = [int(action) for action in actions]

    def search() -> _native.SearchResult:
        return _native.shorten_plan(Engine(puzzle, control).native, given, control, threads, prove)

    shorter, states, peak_bytes = format_plan(actions), 0, 0
    status: ShortenStatus
    try:
        found = run_watched(search, control, report)
    except _native.SearchStopped as stopped:
        status = stopped_status(stopped)
    else:
        shorter, states, peak_bytes = format_plan(found.plan), found.states, found.peak_bytes
        status = "optimal" if found.status == "solved" else cast("LimitStatus", found.status)
    if len(shorter) > len(actions) or not puzzle.validate(shorter):
        raise RuntimeError(
            f"shortening {format_plan(actions)} for {puzzle.name!r} returned a plan that is longer "
            f"or does not solve it: {shorter}"
        )
    return ShortenResult(
        plan=shorter,
        length=len(shorter),
        pushes=count_pushes(puzzle, shorter),
        shortened_from=len(actions),
        status=status,
        states=states,
        peak_memory_bytes=peak_bytes,
        seconds=time.perf_counter() - start,
        lower_bound=control.lower_bound or None,
    )
