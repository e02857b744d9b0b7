"""How a training run goes, live in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class TrainingDisplay:
    """A bar of steps with rate and return, and a line for each evaluation with its solve rates.

    They are those of actions drawn as in training, and in brackets those of the best actions.
    Use it with `contextlib.closing`, and its `show` for the reports of a run.
    """

    def __init__(self, console: Console, title: str, steps: int) -> None:
        self._console = console
        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:,.0f}/{task.total:,.0f} steps"),
            TextColumn("{task.fields[now]}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._bar = self._progress.add_task(title, total=steps, now="compiling")
        self._progress.start()

    def close(self) -> None:
        """Leaves the bar as it is."""
        self._progress.stop()

    def show(self, report: Mapping[str, float]) -> None:
        """Brings the display up to a report."""
        if "train_greedy" in report:
            rates = [
                f"{part} {report[f'{part}_sampled']:.1%} ({report[f'{part}_greedy']:.1%})"
                for part in ("train", "test")
                if f"{part}_greedy" in report
            ]
            place = f"{report['steps']:>13,.0f} steps {report['seconds']:>7.0f} s"
            self._console.print(f"{place}  solved: {', '.join(rates)}", highlight=False)
        parts = []
        if "steps_per_second" in report:
            parts.append(f"{report['steps_per_second']:,.0f}/s")
        if "return" in report:
            parts.append(f"return {report['return']:.2f}")
            parts.append(f"solving {report['solve_rate']:.1%}")
        self._progress.update(self._bar, completed=report["steps"], now=" ".join(parts))
