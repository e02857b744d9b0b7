"""Many puzzles at once, over all cores."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

from pushworld.machine import usable_cores
from pushworld.planners.protocol import Progress, SolveResult
from pushworld.planners.registry import get_planner, with_strategies
from pushworld.planners.solving import check_limits, solve
from pushworld.planners.strategies import Strategy
from pushworld.puzzle import PushWorldError, Puzzle


def solve_many(
    puzzles: Iterable[Puzzle],
    planner: str = "default",
    *,
    workers: int | None = None,
    time_limit: float = 10,
    memory_limit_gb: float = 8,
    max_states: int | None = None,
    seed: int = 0,
    strategies: Iterable[Strategy | str] | str | None = None,
    on_result: Callable[[int, SolveResult], None] | None = None,
) -> list[SolveResult]:
    """Returns the results in the order of the puzzles. The limits hold for each puzzle.

    Ctrl-C ends the searches that run. Puzzles whose search has not begun are interrupted too.

    Args:
        puzzles: what to solve; each must have goals.
        planner: as for `pushworld.solve`.
        workers: how many searches run at the same time; one for each core if not given.
        time_limit, memory_limit_gb, max_states, seed, strategies: as for `pushworld.solve`.
        on_result: called in this thread with the index of a puzzle and its result.

    Raises:
        PushWorldError: if an argument is wrong or the planner cannot take one of the puzzles.
    """
    tasks = list(puzzles)
    chosen = strategies if strategies is None or isinstance(strategies, str) else tuple(strategies)
    workers = usable_cores() if workers is None else workers
    check_limits(time_limit, memory_limit_gb, workers, seed, max_states)
    if chosen is None:
        get_planner(planner)
    else:
        with_strategies(planner, chosen)
    for index, puzzle in enumerate(tasks):
        if not puzzle.goal:
            raise PushWorldError(f"puzzle {index + 1} of the batch, {puzzle.name!r}, has no goals")
    stop = Event()

    def stop_if_asked(_: Progress) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    def solve_one(puzzle: Puzzle) -> SolveResult:
        if stop.is_set():
            return SolveResult.of_plan(puzzle, planner, "interrupted", None, seconds=0.0)
        return solve(
            puzzle,
            planner,
            time_limit=time_limit,
            memory_limit_gb=memory_limit_gb,
            max_states=max_states,
            seed=seed,
            strategies=chosen,
            progress=stop_if_asked,
        )

    with ThreadPoolExecutor(workers, "pushworld-batch") as pool:
        futures = {pool.submit(solve_one, puzzle): index for index, puzzle in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                result = future.result()
                if on_result is not None:
                    on_result(futures[future], result)
        except KeyboardInterrupt:
            stop.set()
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]
