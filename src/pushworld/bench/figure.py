"""The figure of the paper: puzzles solved against planning time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pushworld.bench.tables import PlannerRuns, all_tasks
from pushworld.files import replaced
from pushworld.puzzle import PushWorldError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Each colour has its own brightness and dash pattern, so that lines differ in grey as well.
STYLES: tuple[tuple[str, str | tuple[int, tuple[int, ...]]], ...] = (
    ("#0b3c6f", "solid"),
    ("#b3400f", (0, (6, 2))),
    ("#2a8a57", (0, (2, 1))),
    ("#8a4fa3", (0, (8, 2, 2, 2))),
    ("#b98900", "solid"),
    ("#3f9fd0", (0, (1, 1))),
    ("#d06a86", (0, (6, 2, 1, 2, 1, 2))),
    ("#7f8a94", (0, (4, 1))),
)
FASTEST_SHOWN = 1e-3


def write_figure(planners: Sequence[PlannerRuns], paths: Sequence[Path]) -> None:
    """Writes the figure to files; their suffixes name the formats. Raises PushWorldError."""
    if not planners:
        raise PushWorldError("the figure is of times, and these runs have none")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PushWorldError(
            "the figure needs matplotlib: pip install 'pushworld[plot]'"
        ) from error
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "pushworld"}):
        figure = Figure(figsize=(7.2, 4.4), layout="constrained")
        axes = figure.subplots()
        _draw(axes, planners)
        for path in paths:
            metadata = {"Date": None} if path.suffix == ".svg" else None
            with replaced(path) as new:
                figure.savefig(new, format=path.suffix[1:], dpi=200, metadata=metadata)


def _draw(axes: Axes, planners: Sequence[PlannerRuns]) -> None:
    from matplotlib.ticker import MaxNLocator

    puzzles = len(all_tasks(planners))
    end = max(planner.settings.time_limit for planner in planners)
    times = [
        sorted(run.seconds for run in each.runs.values() if run.status == "solved")
        for each in planners
    ]
    earliest = min((each[0] for each in times if each), default=end / 10)
    start = max(FASTEST_SHOWN, min(earliest, end / 10) * 0.7)
    for index, (planner, solved) in enumerate(zip(planners, times, strict=True)):
        colour, dashes = STYLES[index % len(STYLES)]
        limit = planner.settings.time_limit
        xs = [start, *(max(each, start) for each in solved), limit]
        ys = [0, *range(1, len(solved) + 1), len(solved)]
        label = f"{planner.label}  {len(solved)}"
        axes.step(
            xs, ys, label=label, where="post", color=colour, ls=dashes, lw=2.2 - 0.6 * (index > 0)
        )
    axes.axhline(puzzles, color="#888888", linewidth=0.8, linestyle=(0, (1, 3)))
    axes.text(start, puzzles, f" all {puzzles} puzzles", va="top", fontsize=8.5, color="#666666")
    axes.set_xscale("log")
    axes.set_xlim(start, end)
    axes.set_ylim(0, puzzles * 1.04)
    axes.set_xlabel("planning time (seconds)")
    axes.set_ylabel("puzzles solved")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(which="major", color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.figure.legend(loc="outside lower left", ncols=3, frameon=False, handlelength=3.5)
