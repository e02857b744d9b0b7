"""Runs and settings that were never measured, for tests about keeping and reporting them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from pushworld.bench.records import Run, RunStatus, Settings
from pushworld.bench.store import PUZZLES, RUNS, SETTINGS, Results, read_results
from pushworld.bench.tasks import digest_of
from pushworld.machine import Machine
from pushworld.puzzle import Puzzle

CORRIDOR = Puzzle.parse("A . M1 . G1")
SAMPLE_SETTINGS = Settings(
    time_limit=10.0,
    memory_limit_gb=8.0,
    threads=1,
    seed=0,
    workers=2,
    engine="local",
    version="1.0",
    build="abc",
    machine=Machine("Abacus", 2, 4, "Linux", "3.11"),
)
SAMPLE_RUN = Run(
    planner="fast",
    planner_version="1",
    level="level1",
    puzzle="corridor",
    digest=digest_of(CORRIDOR),
    status="solved",
    message="",
    seconds=0.5,
    cpu_seconds=0.4,
    representation_seconds=None,
    peak_memory_bytes=50_000_000,
    plan="RRR",
    length=3,
    pushes=2,
    expanded=None,
    generated=None,
    evaluated=None,
    states=500_000,
    processor="Abacus",
    date="2026-01-01T00:00:00+00:00",
)


def sample(
    planner: str,
    level: str,
    puzzle: str,
    seconds: float,
    status: RunStatus = "solved",
    length: int = 3,
) -> Run:
    solved = status == "solved"
    return replace(
        SAMPLE_RUN,
        planner=planner,
        level=level,
        puzzle=puzzle,
        status=status,
        seconds=seconds,
        plan=("RRR" + "U" * (length - 3)) if solved else None,
        length=length if solved else None,
        pushes=2 if solved else None,
        states=round(seconds * 1e6),
    )


def sample_folder(path: Path, runs: list[Run], settings: Settings = SAMPLE_SETTINGS) -> Results:
    """Returns what a folder with these runs holds, after writing it."""
    (path / PUZZLES).mkdir(parents=True)
    planners = {run.planner: run.planner_version for run in runs}
    shown = {"settings": settings.to_json(), "planners": planners}
    (path / SETTINGS).write_text(json.dumps(shown))
    (path / RUNS).write_text("".join(json.dumps(run.to_json()) + "\n" for run in runs))
    (path / PUZZLES / f"{digest_of(CORRIDOR)}.pwp").write_text(CORRIDOR.to_pwp())
    return read_results(path)
