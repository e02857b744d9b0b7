"""Suites: many training runs on one device.

A suite is a JSON file with settings that all runs share and a list of runs, each with a name and its
own settings. Each run is a process in its own folder. Several at once let one compile while another
trains. The same call again continues the suite with the runs that are not finished, those with the
fewest steps first. A run that starts from another run's agent waits until that run is finished.

The folder of the suite holds the folders and logs of its runs, and at any time a table of the metrics of
all runs.
"""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from pushworld.files import replaced
from pushworld.puzzle import PushWorldError
from pushworld.rl.config import ConfigError, RunConfig, convert_settings, read_table
from pushworld.rl.runs.metrics import COLUMNS, METRICS_FILE, read_metrics
from pushworld.rl.runs.presets import preset_settings
from pushworld.rl.settings import Count, Positive

POLL_SECONDS = 1.0
COLLECT_SECONDS = 60.0
GRACE_SECONDS = 45.0
"""The time after its limit that a run has for its last evaluation and checkpoint."""


class SuiteFile(Struct, forbid_unknown_fields=True):
    """The content of a suite's file.

    Attributes:
        runs: the settings of each run, with its ``name`` and, if it has its own, its ``seconds``.
        preset: settings of all runs, by the name of a preset.
        shared: settings of all runs, instead of the preset's.
        seconds: the training time of a run.
        seeds: how many seeds each run is trained with, from its own on; the names get the seed.
    """

    runs: Annotated[list[dict[str, Any]], Meta(min_length=1)]
    preset: str = "paper"
    shared: dict[str, Any] = {}
    seconds: Positive = 60.0
    seeds: Count | None = None


class SuiteRun(Struct, frozen=True):
    """A run of a suite: its name, its configuration, and its training time."""

    name: str
    config: RunConfig
    seconds: Positive


def load_suite(path: Path) -> list[SuiteRun]:
    """Returns the runs of a suite, or raises ConfigError."""
    data = read_table(path)
    try:
        suite = convert_settings(SuiteFile, data)
        runs = [
            run
            for number in range(len(suite.runs))
            for run in _over_seeds(_suite_run(suite, number), suite.seeds)
        ]
    except ConfigError as error:
        raise ConfigError(f"{path} is no suite: {error}") from error
    names = [run.name for run in runs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ConfigError(f"{path} gives several runs the same name, {twice[0]}")
    return runs


def _suite_run(suite: SuiteFile, number: int) -> SuiteRun:
    own = dict(suite.runs[number])
    head = {"name": own.pop("name", None), "seconds": own.pop("seconds", suite.seconds)}
    try:
        shared = _merged(preset_settings(suite.preset), suite.shared)
        config = RunConfig.from_dict(_merged(shared, own))
        run = convert_settings(SuiteRun, {**head, "config": config})
        if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", run.name):
            raise ConfigError("name: use letters, digits, _, . and -, and no dot at the start")
    except ConfigError as error:
        raise ConfigError(f"runs[{number}], {head['name']!r}: {error}") from error
    return run


def _over_seeds(run: SuiteRun, count: int | None) -> list[SuiteRun]:
    """Returns a run for each seed, or the run as it is."""
    if count is None:
        return [run]
    first = run.config.seed
    return [
        SuiteRun(f"{run.name}-{seed}", replace(run.config, seed=seed), run.seconds)
        for seed in range(first, first + count)
    ]


def _merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings in which tables are merged and everything else is the run's own."""
    merged = dict(shared)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def unfinished(runs: Sequence[SuiteRun], work: Path) -> list[SuiteRun]:
    """Returns the runs that are not finished, those with the fewest steps first."""
    metrics = {each.name: read_metrics(work / each.name / METRICS_FILE) for each in runs}
    steps = {name: max((row["steps"] for row in metrics[name]), default=0.0) for name in metrics}
    left = [each for each in runs if steps[each.name] < each.config.steps]
    return sorted(left, key=lambda each: steps[each.name])


def needed_runs(run: SuiteRun, runs: Sequence[SuiteRun], work: Path) -> list[str]:
    """Returns the names of the other runs whose agents the run starts from."""
    start_from = run.config.start_from
    if start_from is None:
        return []
    agent = Path(start_from).resolve()
    return [
        other.name
        for other in runs
        if other.name != run.name and agent.is_relative_to((work / other.name).resolve())
    ]


def run_suite(
    runs: Sequence[SuiteRun],
    folder: Path,
    jobs: int = 1,
    seconds: float | None = None,
    *,
    grace: float = GRACE_SECONDS,
    only: str = "",
) -> None:
    """Trains the runs, `jobs` at a time, and ends those that still train after the given seconds.

    With `only`, it trains runs whose names contain this text; the results are those of all runs.
    Each run stops training `grace` seconds before the end, to evaluate and to save. Runs that wait for
    another one are left if it ends without being finished.

    Raises:
        ConfigError: if no run's name contains `only`.
        PushWorldError: at the end, if a run failed.
    """
    chosen = [run for run in runs if only in run.name]
    if not chosen:
        names = ", ".join(run.name for run in runs)
        raise ConfigError(f"no run's name contains {only}: the runs are {names}")
    started, collected = monotonic(), 0.0
    waiting = unfinished(chosen, folder)
    open_runs = {run.name for run in unfinished(runs, folder)}
    needed = {run.name: needed_runs(run, runs, folder) for run in runs}
    running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
    failed: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    try:
        while waiting or running:
            left = None if seconds is None else seconds - (monotonic() - started)
            if left is not None and left <= 0:
                break
            if left is not None and left < 2 * grace:
                waiting.clear()
            # A run with all its steps is not finished before its process has saved the agent.
            not_done = open_runs | running.keys()
            ready = [run for run in waiting if not_done.isdisjoint(needed[run.name])]
            if waiting and not ready and not running:
                for run in waiting:
                    others = ", ".join(name for name in needed[run.name] if name in not_done)
                    print(f"{run.name} waits for {others}", flush=True)
                break
            for run in ready[: jobs - len(running)]:
                waiting.remove(run)
                # Runs beside it may make its last round and evaluation slow.
                limit = monotonic() + run.seconds + 2 * grace
                process = _start(run, folder, jobs, left and left - grace)
                running[run.name] = process, limit
            for name, (process, limit) in list(running.items()):
                late = monotonic() > limit
                if late:
                    process.kill()
                if process.poll() is not None:
                    del running[name]
                    open_runs = {run.name for run in unfinished(runs, folder)}
                    end = f"exit {process.returncode}"
                    if process.returncode:
                        failed.append(name)
                        said = (folder / f"{name}.log").read_text(errors="replace").rstrip()
                        last_line = said.rpartition("\n")[2]
                        end += f": {'killed after its time and the grace' if late else last_line}"
                    print(f"{monotonic() - started:6.0f} s  {name}: {end}", flush=True)
            if monotonic() - collected > COLLECT_SECONDS:
                collect(runs, folder)
                collected = monotonic()
            sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        _terminate([process for process, _ in running.values()], grace)
        raise
    finally:
        for process, _ in running.values():
            process.kill()
            process.wait()
        collect(runs, folder)
    if failed:
        raise PushWorldError(f"{len(failed)} of {len(chosen)} runs failed: {', '.join(failed)}")


def _terminate(processes: Sequence[subprocess.Popen[bytes]], grace: float) -> None:
    """Asks runs to end with a checkpoint, and waits for them for the grace period."""
    limit = monotonic() + grace
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, limit - monotonic()))


def _start(run: SuiteRun, work: Path, jobs: int, left: float | None) -> subprocess.Popen[bytes]:
    """Starts a run as a process that leaves memory on the device for the others."""
    config = work / f"{run.name}.json"
    run.config.save(config)
    seconds = run.seconds if left is None else min(run.seconds, left)
    command = [sys.executable, "-m", "pushworld", "train", "--config", str(config)]
    command += ["-o", str(work / run.name), "--seconds", str(seconds)]
    environment = {
        "XLA_PYTHON_CLIENT_MEM_FRACTION": f"{0.9 / jobs:.2f}",
        "JAX_COMPILATION_CACHE_DIR": str(work / "compiled"),
        **os.environ,
    }
    with (work / f"{run.name}.log").open("ab") as log:
        # In its own session, so that Ctrl-C reaches only the suite, which then terminates it.
        return subprocess.Popen(
            command, stdout=log, stderr=log, env=environment, start_new_session=True
        )


def collect(runs: Sequence[SuiteRun], folder: Path) -> None:
    """Writes the metrics of all runs so far to ``metrics.csv``, which readers never see half written."""
    with (
        replaced(folder / METRICS_FILE) as path,
        path.open("w", newline="", encoding="utf-8") as file,
    ):
        writer = csv.DictWriter(file, ("run", *COLUMNS), restval="")
        writer.writeheader()
        for run in runs:
            rows = read_metrics(folder / run.name / METRICS_FILE)
            writer.writerows({"run": run.name, **row} for row in rows)
