"""Many training runs on one device: ``python -m pushworld.rl.suite``.

A suite is a JSON file with settings that all runs share and a list of runs, each with a name and
its own settings. Runs are processes, several at once if asked for, so that one can compile while
another trains. Whatever happens, the results that exist so far are in the output folder: one table
of metrics for all runs, one summary, and one archive of their agents. The same call again goes on:
first come the runs that have made the fewest steps, and none that has made all of its own.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from pushworld.rl.config import ConfigError, RunConfig
from pushworld.rl.metrics import COLUMNS, METRICS_FILE, read_metrics
from pushworld.rl.programs import exit_code_of, run_program

POLL_SECONDS = 1.0
COLLECT_SECONDS = 20.0
GRACE_SECONDS = 45.0
"""How long a run may take after its time for what it does last: an evaluation and a checkpoint."""


@dataclass(frozen=True)
class Experiment:
    """A run of a suite: its name, its settings, and for how many seconds it may train."""

    name: str
    config: RunConfig
    seconds: float


def load_suite(path: Path) -> list[Experiment]:
    """Returns the runs of a suite, or raises ConfigError."""
    try:
        suite = json.loads(path.read_text(encoding="utf-8"))
        shared, runs = suite.get("shared", {}), suite["runs"]
        experiments = []
        for run in runs:
            own = dict(run)
            name = own.pop("name")
            seconds = float(own.pop("seconds", suite.get("seconds", 60)))
            experiments.append(Experiment(name, RunConfig.from_dict(_merged(shared, own)), seconds))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path} is no suite: {error!r}") from error
    if len({each.name for each in experiments}) < len(experiments):
        raise ConfigError(f"{path} gives several runs the same name")
    return experiments


def _merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings in which tables are merged and everything else is the run's own."""
    merged = dict(shared)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def unfinished(experiments: Sequence[Experiment], work: Path) -> list[Experiment]:
    """Returns the experiments that have steps left to make, the least advanced first."""
    steps = {each.name: _steps_made(work / each.name) for each in experiments}
    left = [each for each in experiments if steps[each.name] < each.config.steps]
    return sorted(left, key=lambda each: steps[each.name])


def _steps_made(folder: Path) -> float:
    return max((row["steps"] for row in read_metrics(folder / METRICS_FILE)), default=0.0)


def run_suite(
    experiments: Sequence[Experiment],
    work: Path,
    out: Path,
    puzzles: Path | None,
    jobs: int = 1,
    seconds: float | None = None,
) -> None:
    """Runs the experiments, `jobs` at a time, and ends those that are left after the seconds."""
    begun, collected = monotonic(), 0.0
    waiting, running = (
        unfinished(experiments, work),
        dict[str, tuple[subprocess.Popen[bytes], float]](),
    )
    work.mkdir(parents=True, exist_ok=True)
    try:
        while waiting or running:
            left = None if seconds is None else seconds - (monotonic() - begun)
            if left is not None and left <= 0:
                break
            if left is not None and left < 2 * GRACE_SECONDS:
                waiting.clear()
            while waiting and len(running) < jobs:
                experiment = waiting.pop(0)
                limit = monotonic() + experiment.seconds + GRACE_SECONDS
                process = _start(experiment, work, puzzles, jobs, left)
                running[experiment.name] = process, limit
            for name, (process, limit) in list(running.items()):
                if monotonic() > limit:
                    process.kill()
                if process.poll() is not None:
                    del running[name]
                    print(
                        f"{monotonic() - begun:6.0f} s  {name}: exit {process.returncode}",
                        flush=True,
                    )
            if monotonic() - collected > COLLECT_SECONDS:
                collect(experiments, work, out)
                collected = monotonic()
            sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        _ask_to_end([process for process, _ in running.values()])
        raise
    finally:
        for process, _ in running.values():
            process.kill()
            process.wait()
        collect(experiments, work, out)


def _ask_to_end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Lets runs end with a checkpoint, as long as they may take for what they do last."""
    limit = monotonic() + GRACE_SECONDS
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, limit - monotonic()))


def _start(
    experiment: Experiment, work: Path, puzzles: Path | None, jobs: int, left: float | None
) -> subprocess.Popen[bytes]:
    """Starts a run as a process that leaves room on the device for the others."""
    config = work / f"{experiment.name}.json"
    experiment.config.save(config)
    seconds = experiment.seconds if left is None else min(experiment.seconds, left - GRACE_SECONDS)
    command = [sys.executable, "-m", "pushworld.rl.run", str(config)]
    command += ["--out", str(work / experiment.name), "--seconds", str(seconds)]
    command += ["--puzzles", str(puzzles)] if puzzles else []
    environment = {
        "XLA_PYTHON_CLIENT_MEM_FRACTION": f"{0.9 / jobs:.2f}",
        "JAX_COMPILATION_CACHE_DIR": str(work / "compiled"),
        **os.environ,
    }
    with (work / f"{experiment.name}.log").open("ab") as log:
        # In a session of its own, so that Ctrl-C reaches the suite alone, which asks it to end.
        return subprocess.Popen(
            command, stdout=log, stderr=log, env=environment, start_new_session=True
        )


def collect(experiments: Sequence[Experiment], work: Path, out: Path) -> None:
    """Writes what all runs have so far: ``metrics.csv``, ``runs.json``, ``logs.txt``, ``agents.tar.gz``."""
    out.mkdir(parents=True, exist_ok=True)
    runs, logs = [], []
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ("run", *COLUMNS), restval="")
        writer.writeheader()
        for experiment in experiments:
            rows = read_metrics(work / experiment.name / METRICS_FILE)
            writer.writerows({"run": experiment.name, **row} for row in rows)
            evaluated = [row for row in rows if "train_greedy" in row]
            last = {**(rows[-1] if rows else {}), **(evaluated[-1] if evaluated else {})}
            runs.append(
                {"run": experiment.name, "config": experiment.config.to_dict(), "last": last}
            )
            log = work / f"{experiment.name}.log"
            if log.exists():
                tail = log.read_text(errors="replace")[-4000:]
                logs.append(f"== {experiment.name}\n{tail}\n")
    (out / "runs.json").write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    (out / "logs.txt").write_text("".join(logs), encoding="utf-8")
    with tarfile.open(out / "agents.tar.gz", "w:gz") as archive:
        for experiment in experiments:
            agent = work / experiment.name / "agent.zip"
            if agent.exists():
                archive.add(agent, f"{experiment.name}.zip")


def main() -> int:
    """Runs the suite that the arguments name, and returns an exit code."""
    parser = argparse.ArgumentParser(prog="python -m pushworld.rl.suite", description=__doc__)
    parser.add_argument("suite", type=Path, help="the runs, as JSON")
    parser.add_argument("--work", type=Path, required=True, help="the folder of all runs' files")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results")
    parser.add_argument("--puzzles", type=Path, help="a folder with level0.zip, level1 and so on")
    parser.add_argument("--jobs", type=int, default=1, help="how many runs at once")
    parser.add_argument("--seconds", type=float, help="end everything after so long")
    parser.add_argument("--only", default="", help="only runs whose names contain this")
    parser.add_argument("--run-seconds", type=float, help="how long each run may take")
    arguments = parser.parse_args()

    def work() -> None:
        experiments = [
            replace(each, seconds=arguments.run_seconds or each.seconds)
            for each in load_suite(arguments.suite)
            if arguments.only in each.name
        ]
        run_suite(
            experiments,
            arguments.work,
            arguments.out,
            arguments.puzzles,
            arguments.jobs,
            arguments.seconds,
        )

    return exit_code_of(work)


if __name__ == "__main__":
    run_program(main)
