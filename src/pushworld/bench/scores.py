"""Scores of the planning competitions, and comparisons with the first planner, with confidence intervals.

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

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import geometric_mean

import numpy as np
from numpy.typing import NDArray

from pushworld.bench.records import FAILURES, Run, RunStatus, TaskKey
from pushworld.bench.tables import LONG_ENOUGH_FOR_RATES, NOTHING, PlannerRuns, Table
from pushworld.statistics import Share

RESAMPLES = 10_000
MEMORY_FOR_RESAMPLES = 1 << 22
"""Numbers that are drawn at once."""

SHORTEST_TIME = 1e-6
"""Seconds that count in ratios for runs that took none on their clock."""

MOST_WORDS = 100
"""Characters of an error message in a table."""

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
    solved = Share.of(run.status == "solved" for run in runs)
    low, high = solved.interval
    agile, seconds = NOTHING, NOTHING
    if planner.timed:
        agile = _sum([agile_score(run, limit) for run in runs])
        unsolved = PENALTY * limit
        seconds = _mean([run.seconds if run.status == "solved" else unsolved for run in runs])
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


def comparison(planners: Sequence[PlannerRuns]) -> Table:
    """Returns times and plan lengths relative to the first planner, and the speed of each."""
    first = planners[0]
    rows = []
    for planner in planners:
        pairs = list(solved_by_both(first, planner))
        runs = planner.runs.values()
        rates = [
            run.states_per_second
            for run in runs
            if run.seconds > LONG_ENOUGH_FOR_RATES and run.states_per_second is not None
        ]
        unsolved = Counter(run.status for run in runs if run.status != "solved")
        failures = [_counted(runs, status, count) for status, count in unsolved.items()]
        memory = f"{max(run.peak_memory_bytes for run in runs) / 1e9:.2f} GB"
        rows.append(
            {
                "planner": planner.label,
                "cores used": _cores_used(runs),
                f"solved by {first.label} too": str(len(pairs)),
                "time ratio": _ratio(_times(pairs) if planner.timed and first.timed else []),
                "length ratio": _ratio(_lengths(pairs)),
                "states a second": f"{geometric_mean(rates):,.0f}" if rates else NOTHING,
                "peak memory": memory if planner.timed else NOTHING,
                "not solved": ", ".join(failures) or NOTHING,
            }
        )
    return Table(tuple(rows[0]), [[*row.values()] for row in rows])


def solved_by_both(ours: PlannerRuns, theirs: PlannerRuns) -> Iterator[tuple[Run, Run]]:
    """Yields the runs of both planners on each puzzle that both solve."""
    for task, run in ours.runs.items():
        other = theirs.runs.get(task)
        if other is not None and run.status == other.status == "solved":
            yield run, other


def _times(pairs: Iterable[tuple[Run, Run]]) -> list[float]:
    """Returns the ratios of times, second run to first."""
    times = [[max(run.seconds, SHORTEST_TIME) for run in pair] for pair in pairs]
    return [other / one for one, other in times]


def _lengths(pairs: Iterable[tuple[Run, Run]]) -> list[float]:
    """Returns the ratios of lengths, second plan to first."""
    return [other.length / one.length for one, other in pairs if one.length and other.length]


def _ratio(values: Sequence[float]) -> str:
    """Returns the geometric mean of ratios, with its interval if they differ."""
    if not values:
        return NOTHING
    mean = f"{geometric_mean(values):.2f}"
    low, high = map(math.exp, bootstrap_interval([math.log(value) for value in values]))
    return mean if f"{low:.2f}" == f"{high:.2f}" else f"{mean} ({low:.2f}–{high:.2f})"


def _cores_used(runs: Iterable[Run]) -> str:
    """Returns the CPU time per second of wall time, in runs that are long enough."""
    long = [run for run in runs if run.seconds > LONG_ENOUGH_FOR_RATES]
    if not long:
        return NOTHING
    return f"{sum(run.cpu_seconds for run in long) / sum(run.seconds for run in long):.1f}"


def _counted(runs: Iterable[Run], status: RunStatus, count: int) -> str:
    """Returns how many runs ended so, and of failures the first message."""
    text = f"{count} {status.removesuffix('-limit')}"
    first = next((run for run in runs if run.status == status and run.message), None)
    if first is None or status not in FAILURES:
        return text
    return f"{text} ({first.message.splitlines()[-1][:MOST_WORDS]})"
