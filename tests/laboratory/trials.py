"""Runs trials in worker processes, keeps their results as rows of a file, and goes on where it stopped.

A kind of fault is a module with

    INPUTS   what its trials try, in one line for the table
    COUNT    how many trials the full run has
    CHUNK    how many trials make a row
    start    a function of the options that returns a function of a range of trials

Trial number i of a seed is the same on every machine. A worker that dies or hangs is itself a finding, and
another takes its place.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from typing import Any, Protocol

from pushworld.machine import this_machine

PROGRESS_SECONDS = 10.0
MOST_FINDINGS = 20
"""How many findings a row keeps in full."""


@dataclass(frozen=True)
class Options:
    """What the command line sets.

    Attributes:
        name: the kind of fault.
        count: the number of trials.
        seed: what makes the trials repeatable.
        jobs: the number of worker processes.
        minutes: the run stops after that time, at the end of a chunk; None for no limit.
        patience: seconds after which a chunk counts as hanging.
        output: the file of rows.
        only: the variants to try; all if empty.
        first: the number of the first trial.
    """

    name: str
    count: int
    seed: int
    jobs: int
    minutes: float | None
    patience: float
    output: Path
    only: tuple[str, ...] = ()
    first: int = 0

    def random(self, trial: int) -> Random:
        """Returns the source of everything that is random in a trial."""
        return Random(self.seed << 40 | trial)

    def chosen(self, variants: Iterable[str]) -> list[str]:
        """Returns the variants that the command line allows."""
        known = list(variants)
        unknown = set(self.only) - set(known)
        if unknown:
            raise SystemExit(f"{', '.join(sorted(unknown))}: choose from {', '.join(known)}")
        return [each for each in known if not self.only or each in self.only]


@dataclass
class Outcome:
    """What some trials showed.

    Attributes:
        counts: how often what happened.
        findings: what must not happen, each with what is needed to repeat it.
        peaks: the largest values seen, by what they measure.
    """

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    peaks: dict[str, float] = field(default_factory=dict)

    def peak(self, what: str, value: float) -> None:
        """Keeps the larger of the value and those before."""
        self.peaks[what] = max(value, self.peaks.get(what, value))


Trials = Callable[[range], Outcome]


def one_by_one(tried: Callable[[int, Outcome], str | None]) -> Trials:
    """Returns a function of a range of trials that tries each alone.

    Args:
        tried: counts what a trial shows, and returns what must not happen, or None. What it raises must
            not happen either.
    """

    def tried_all(trials: range) -> Outcome:
        outcome = Outcome()
        for trial in trials:
            try:
                problem = tried(trial, outcome)
            except Exception as error:
                problem = f"{type(error).__name__}: {error!s:.1500}"
            if problem:
                outcome.findings.append(f"trial {trial}, {problem}")
        return outcome

    return tried_all


class Kind(Protocol):
    """A module of the laboratory."""

    INPUTS: str
    COUNT: int
    CHUNK: int

    def start(self, options: Options) -> Trials: ...


def kind_of(name: str) -> Kind:
    """Returns the module of a kind of fault; a name with dots is that of a module elsewhere."""
    module: Any = importlib.import_module(name if "." in name else f"tests.laboratory.{name}")
    return module  # type: ignore[no-any-return]


@dataclass
class Worker:
    """A process that tries one chunk after the other."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    chunk: range | None = None
    begun: float = 0.0

    @classmethod
    def start(cls, options: Options) -> Worker:
        context = multiprocessing.get_context("spawn")
        ours, its = context.Pipe()
        process = context.Process(target=_work, args=(options, its))
        process.start()
        its.close()
        return cls(process, ours)

    def give(self, chunk: range) -> None:
        self.chunk, self.begun = chunk, time.monotonic()
        self.pipe.send(chunk)

    def stop(self) -> None:
        self.pipe.close()
        if self.chunk is not None:
            self.process.kill()
        self.process.join()


def _work(options: Options, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        tried = kind_of(options.name).start(options)
    except SystemExit as error:
        pipe.send(str(error))
        return
    while True:
        try:
            chunk = pipe.recv()
        except EOFError:
            return
        pipe.send(tried(chunk))


def run(options: Options) -> list[dict[str, Any]]:
    """Tries what is not yet in the file of rows; returns all rows of these options."""
    rows = read_rows(options)
    kind = kind_of(options.name)
    done = {row["first"] for row in rows}
    last = options.first + options.count
    chunks = iter(
        range(first, min(first + kind.CHUNK, last))
        for first in range(options.first, last, kind.CHUNK)
        if first not in done
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    shown = begun
    workers: list[Worker] = []
    with options.output.open("a", encoding="utf-8") as file:
        try:
            for row in _rows(options, chunks, workers, begun):
                rows.append(row)
                file.write(json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())
                for finding in row["findings"]:
                    print(f"FOUND {finding}", flush=True)
                if time.monotonic() - shown >= PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(_progress(options, rows, shown - begun), flush=True)
        except KeyboardInterrupt:
            print("interrupted: the same command goes on from here", file=sys.stderr)
        finally:
            for worker in workers:
                worker.stop()
    return rows


def _rows(
    options: Options, chunks: Iterator[range], workers: list[Worker], begun: float
) -> Iterator[dict[str, Any]]:
    """Yields a row for each chunk; `workers` holds the processes that are there."""
    machine = asdict(this_machine()) | {"date": date.today().isoformat()}
    while True:
        ends = options.minutes is not None and time.monotonic() - begun > 60 * options.minutes
        while len(workers) < options.jobs and not ends and (chunk := next(chunks, None)):
            workers.append(Worker.start(options))
            workers[-1].give(chunk)
        busy = [worker for worker in workers if worker.chunk is not None]
        if not busy:
            return
        ready = wait([worker.pipe for worker in busy], timeout=1.0)
        for worker in busy:
            chunk = worker.chunk
            assert chunk is not None
            seconds = time.monotonic() - worker.begun
            if worker.pipe in ready:
                outcome = _answer_of(worker)
            elif seconds > options.patience:
                worker.process.kill()
                worker.process.join()
                outcome = Outcome(findings=[f"no end after {seconds:.0f} s"])
            else:
                continue
            outcome.findings = [f"trials {chunk}: {each}" for each in outcome.findings]
            yield {
                "name": options.name,
                "seed": options.seed,
                "only": list(options.only),
                "first": chunk.start,
                "trials": len(chunk),
                "seconds": round(seconds, 3),
                "counts": dict(outcome.counts),
                "peaks": outcome.peaks,
                "found": len(outcome.findings),
                "findings": outcome.findings[:MOST_FINDINGS],
                "machine": machine,
            }
            worker.chunk = None
            following = None if ends or not worker.process.is_alive() else next(chunks, None)
            if following is None:
                worker.stop()
                workers.remove(worker)
            else:
                worker.give(following)


def _answer_of(worker: Worker) -> Outcome:
    try:
        answer: Outcome | str = worker.pipe.recv()
    except (EOFError, ConnectionResetError):
        worker.process.join()
        return Outcome(findings=[f"the process ended with code {worker.process.exitcode}"])
    if isinstance(answer, str):
        raise SystemExit(answer)
    return answer


def read_rows(options: Options) -> list[dict[str, Any]]:
    """Returns the rows of earlier runs with the same seed and variants; a torn last line is removed."""
    if not options.output.exists():
        return []
    data = options.output.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(options.output, len(whole))
    rows = [json.loads(line) for line in whole.splitlines()]
    alike = (options.name, options.seed, list(options.only))
    return [row for row in rows if (row["name"], row["seed"], row["only"]) == alike]


def total(rows: list[dict[str, Any]]) -> Outcome:
    """Returns the sum of the rows; its findings are those that the rows keep."""
    outcome = Outcome()
    for row in rows:
        outcome.counts.update(row["counts"])
        outcome.findings += row["findings"]
        for what, value in row["peaks"].items():
            outcome.peak(what, value)
    return outcome


def describe(rows: list[dict[str, Any]]) -> str:
    """Returns the numbers of the rows in one line."""
    summed = total(rows)
    parts = [f"{sum(row['trials'] for row in rows):,} trials"]
    parts += [f"{value:,} {what}" for what, value in sorted(summed.counts.items())]
    parts += [f"{what} up to {value:,.6g}" for what, value in sorted(summed.peaks.items())]
    return ", ".join([*parts, f"{sum(row['found'] for row in rows):,} found"])


def _progress(options: Options, rows: list[dict[str, Any]], seconds: float) -> str:
    return f"{options.name} {seconds:.0f} s, of {options.count:,}: {describe(rows)}"
