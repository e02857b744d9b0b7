"""An evaluation: a model is asked about every task; the next call asks only what is not answered yet."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pushworld
from pushworld.text import Score, Task
from pushworld.text.evaluation.conversation import Conversation, prompt_of
from pushworld.text.evaluation.endpoint import Endpoint, check_endpoint
from pushworld.text.evaluation.journal import (
    Evaluation,
    Turn,
    digest_of_tasks,
    opened_journal,
    read_evaluation,
)
from pushworld.text.evaluation.responses import BudgetSpentError, EndpointError, RequestFailedError
from pushworld.text.evaluation.settings import Settings, tasks_of

MOST_FAILURES = 10  # tasks in a row without an answer end an evaluation
FEW_FAILURES = 3  # do if the endpoint has never answered


@dataclass
class Progress:
    """How far an evaluation has come: how many tasks there are, and how many of them were solved, were answered
    otherwise, got no answer, or were answered when it began."""

    evaluation: Evaluation
    tasks: int
    solved: int = 0
    open: int = 0
    failed: int = 0
    before: int = 0

    def count(self, score: Score) -> None:
        """Counts a task that has ended."""
        self.solved += score.solved
        self.open += not score.solved

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        used = f", {self.evaluation.requests:,} requests, {self.evaluation.tokens:,} tokens"
        return f"{self.solved} solved{failed}" + (used if self.evaluation.requests else "")


Watcher = Callable[[Progress], object]
"""Called at the beginning, after each answer, and when a task has ended."""


@dataclass(frozen=True)
class Result:
    """What an evaluation came to: how many tasks have no complete answer yet, and why, if it ended early."""

    evaluation: Evaluation
    unanswered: int
    reason: str = ""


def choose_tasks(settings: Settings, seed: str | None = None) -> tuple[Settings, list[Task]]:
    """Returns the settings with their digest, and their tasks; `seed` is the private one, if they have one."""
    settings.check()
    found = tasks_of(settings, seed)
    chosen = list(found.values())
    digest = digest_of_tasks(chosen, (prompt_of(settings, task) for task in chosen))
    return replace(settings, version=pushworld.__version__, digest=digest), chosen


def evaluate(
    output: str | os.PathLike[str],
    settings: Settings,
    endpoint: Endpoint,
    watcher: Watcher | None = None,
    *,
    seed: str | None = None,
) -> Result:
    """Returns the result of asking a model about all tasks; what the folder holds is not asked again.

    It may be interrupted or killed at any time. The next call continues, also within an episode.

    Args:
        output: the folder; made if it does not exist.
        seed: the private seed, if the settings have one.
    """
    check_endpoint(endpoint.url)
    settings, chosen = choose_tasks(settings, seed)
    with opened_journal(Path(output), settings, chosen) as journal:
        endpoint.budget.requests += journal.requests
        endpoint.budget.tokens += journal.tokens
        run = _Run(chosen, journal, endpoint, watcher or (lambda progress: None))
        with _sigterm_like_ctrl_c():
            asyncio.run(run.work())
    return Result(read_evaluation(output), len(run.waiting), run.reason)


@contextmanager
def _sigterm_like_ctrl_c() -> Iterator[None]:
    """Where SIGTERM raises KeyboardInterrupt, lets it do so only where `asyncio` expects Ctrl-C."""
    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Run:
    """The state of an evaluation while it runs."""

    def __init__(
        self, chosen: Sequence[Task], journal: Evaluation, endpoint: Endpoint, watcher: Watcher
    ) -> None:
        """Finds out which tasks have no complete answer yet."""
        self.reason, self._failures = "", 0
        self._journal, self._endpoint, self._watcher = journal, endpoint, watcher
        self._progress = Progress(journal, len(chosen))
        self.waiting: dict[str, Conversation] = {}
        for task in chosen:
            given = (turn.answer for turn in journal.turns.get(task.key, ()))
            talk = Conversation(
                journal.settings, task, (each for each in given if each is not None)
            )
            if talk.done:
                self._progress.count(talk.score(prove=False))
            else:
                self.waiting[task.key] = talk
        self._progress.before = len(chosen) - len(self.waiting)
        watcher(self._progress)

    async def work(self) -> None:
        """Asks about all tasks that wait."""
        todo = iter(list(self.waiting.items()))
        async with self._endpoint:
            workers = [
                asyncio.create_task(self._work(todo))
                for _ in range(min(self._endpoint.concurrency, len(self.waiting)))
            ]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, todo: Iterator[tuple[str, Conversation]]) -> None:
        """Asks about one task after the other until none is left or the budget is spent."""
        for digest, talk in todo:
            try:
                await self._talk(digest, talk)
            except RequestFailedError as error:
                self._failed(digest, talk, error)
            except BudgetSpentError as error:
                self.reason = str(error)
                return
            else:
                self._failures = 0
                del self.waiting[digest]
                self._progress.count(talk.score(prove=False))
                self._watcher(self._progress)

    async def _talk(self, digest: str, talk: Conversation) -> None:
        """Asks until the conversation is complete."""
        while not talk.done:
            answer = await self._endpoint.ask(talk.messages())
            known = vars(answer) | {"answer": answer.text}
            del known["text"]
            self._append(digest, talk, **known)
            talk.add(answer.text)
            self._watcher(self._progress)

    def _failed(self, digest: str, talk: Conversation, error: RequestFailedError) -> None:
        """Notes that a task has no answer; raises EndpointError if that is so for all of them."""
        self._append(digest, talk, error=str(error), requests=error.requests)
        self._progress.failed += 1
        self._watcher(self._progress)
        self._failures += 1
        url, nothing = self._endpoint.url, not self._journal.turns
        if nothing and self._failures >= min(FEW_FAILURES, len(self.waiting)):
            raise EndpointError(f"{url} answers nothing: {error}")
        if self._failures >= MOST_FAILURES:
            told = f"{url} answered nothing about {self._failures} tasks in a row; the last error: "
            raise EndpointError(f"{told}{error}. Run the same command to continue")

    def _append(self, digest: str, talk: Conversation, **known: Any) -> None:
        self._journal.append(Turn(digest, len(talk.answers), date=today(), **known))


def today() -> str:
    """Returns the date and the time."""
    return datetime.now(UTC).isoformat(timespec="seconds")
