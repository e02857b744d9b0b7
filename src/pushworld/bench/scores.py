"""Scores of the planning competitions, with confidence intervals.

On a puzzle that a planner solves in T seconds of a limit of L, with a plan of C actions where the best
known plan has C*:

- *agile*: 1 if T <= 1, otherwise 1 - log T / log L; the score of the agile track of the IPC.
- *satisficing*: C* / C; the score of the satisficing track. C* is the length of the shortest plan in the
  report, those of people included.
- *PAR-2*: T; the penalized average runtime.

On a puzzle that it does not solve, the first two are 0 and PAR-2 is 2 L. The scores are sums over the
puzzles, PAR-2 is a mean. The intervals cover 95 %: Wilson's for the share of solved puzzles, and the
percentile bootstrap over the puzzles for the others. They say how much the figures depend on the choice of
puzzles, not on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pushworld.bench.records import Run, TaskKey
from pushworld.bench.statistics import Share
from pushworld.bench.tables import NOTHING, PlannerRuns, Table

RESAMPLES = 10_000
MEMORY_FOR_RESAMPLES = 1 << 22
"""Numbers that are drawn at once."""

PENALTY = 2


def agile_score(run: Run, limit: float) -> float:
    """Returns the score of a run by its time alone."""
    if run.status != "solved":
        return 0.0
    if run.seconds <= 1:
        return 1.0
    return max(0.0, 1 - math.log(run.seconds) / math.log(limit))


def satisficing_score(run: Run, best: int | None) -> float:
    """Returns the score of a run by the length of its plan alone, given the best known length."""
    if run.status != "solved" or run.length is None:
        return 0.0
    return best / run.length if best and run.length else 1.0


def penalized_seconds(run: Run, limit: float) -> float:
    """Returns the time of a run, or twice the limit if it did not solve its puzzle."""
    return run.seconds if run.status == "solved" else PENALTY * limit


def best_lengths(planners: Sequence[PlannerRuns]) -> dict[TaskKey, int]:
    """Returns the length of the shortest plan for each puzzle that has one."""
    best: dict[TaskKey, int] = {}
    for planner in planners:
        for task, run in planner.runs.items():
            if run.status == "solved" and run.length is not None:
                best[task] = min(run.length, best.get(task, run.length))
    return best


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """Returns the 95 % interval of the mean by the percentile bootstrap; the same in every run."""
    sample = np.asarray(values, float)
    random = np.random.default_rng(0)
    means: list[NDArray[np.float64]] = []
    rows = max(1, MEMORY_FOR_RESAMPLES // max(1, len(sample)))
    for begin in range(0, RESAMPLES, rows):
        shape = (min(rows, RESAMPLES - begin), len(sample))
        means.append(sample[random.integers(0, len(sample), shape)].mean(axis=1))
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return float(low), float(high)


def scores(planners: Sequence[PlannerRuns]) -> Table:
    """Returns solved puzzles, scores and PAR-2 of each planner, on the puzzles that it was run on."""
    best = best_lengths(planners)
    header = ("planner", "solved", "solved, %", "agile", "satisficing", "PAR-2, s")
    return Table(header, [_row(planner, best) for planner in planners], last_wraps=False)


def _row(planner: PlannerRuns, best: Mapping[TaskKey, int]) -> list[str]:
    runs, limit = planner.runs.values(), planner.settings.time_limit
    solved = Share(sum(run.status == "solved" for run in runs), len(runs))
    low, high = solved.interval
    agile, seconds = NOTHING, NOTHING
    if planner.timed:
        agile = _sum([agile_score(run, limit) for run in runs])
        seconds = _mean([penalized_seconds(run, limit) for run in runs])
    return [
        planner.label,
        f"{solved.count}/{solved.trials}",
        _with_interval(100 * solved.count / solved.trials, 100 * low, 100 * high),
        agile,
        _sum([satisficing_score(run, best.get(run.task)) for run in runs]),
        seconds,
    ]


def _sum(values: Sequence[float]) -> str:
    low, high = bootstrap_interval(values)
    return _with_interval(sum(values), len(values) * low, len(values) * high)


def _mean(values: Sequence[float]) -> str:
    low, high = bootstrap_interval(values)
    return _with_interval(sum(values) / len(values), low, high)


def _with_interval(value: float, low: float, high: float) -> str:
    """Returns a figure with one digit, and an interval with one digit if it is small."""
    digits = 1 if high < 10 else 0
    return f"{value:.1f} ({low:.{digits}f}–{high:.{digits}f})"
