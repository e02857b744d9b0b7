"""The progress of an evaluation: one line in a terminal, lines now and then in a file."""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pushworld.text import Task
from pushworld.text.evaluation.journal import Evaluation

SECONDS_BETWEEN_LINES = 30.0


class EvaluationProgress:
    """A watcher that shows tasks answered and solved, requests and tokens; a context manager."""

    def __init__(self, console: Console, name: str) -> None:
        self._console = console
        self._name = name
        self._total = 0
        self._counts: Counter[str] = Counter()
        self._used = ""
        self._printed = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._line = self._progress.add_task(escape(name), total=None, figures="")

    def __enter__(self) -> EvaluationProgress:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()
        if self._total:
            self._print()

    def on_plan(self, total: int, solved: int, answered: int) -> None:
        self._total = total
        self._counts.update(solved=solved, open=answered - solved)
        if answered:
            self._console.print(
                f"{self._name}: {answered} of {total} tasks are answered already",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
        self._show()

    def on_turn(self, evaluation: Evaluation) -> None:
        self._used = f", {evaluation.requests:,} requests, {evaluation.tokens:,} tokens"
        self._show()

    def on_end(self, task: Task, outcome: str) -> None:
        self._counts[outcome] += 1
        self._show()
        if not self._console.is_terminal and (
            time.monotonic() - self._printed > SECONDS_BETWEEN_LINES
        ):
            self._print()

    def _figures(self) -> str:
        failed = f", {self._counts['failed']} failed" if self._counts["failed"] else ""
        return f"{self._counts['solved']} solved{failed}{self._used}"

    def _show(self) -> None:
        done = self._counts["solved"] + self._counts["open"]
        self._progress.update(
            self._line, total=self._total, completed=done, figures=self._figures()
        )

    def _print(self) -> None:
        self._printed = time.monotonic()
        done = self._counts["solved"] + self._counts["open"]
        self._console.print(
            f"{self._name}: {done} of {self._total} tasks answered, {self._figures()}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
