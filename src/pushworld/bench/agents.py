"""The play of trained agents as results of a benchmark, for the same report as planners."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pushworld
from pushworld.bench.contestants import native_build
from pushworld.bench.records import Run, Settings
from pushworld.bench.store import ResultsFolder
from pushworld.bench.tasks import Task
from pushworld.machine import this_machine
from pushworld.planners.protocol import replayed


def keep_played(
    folder: Path,
    name: str,
    agent: Path,
    plans: Mapping[Task, str | None],
    most_moves: int,
    seed: int,
) -> None:
    """Adds what an agent made of puzzles to a folder of results.

    Args:
        folder: made if it does not exist.
        name: of the agent, and how it played.
        agent: its file, of which a digest is kept.
        plans: by puzzle; None for those that it did not solve within the most moves.
        seed: of placements and actions.

    Raises:
        PushWorldError: if the folder holds other results, or cannot be written.
    """
    machine = this_machine()
    version = hashlib.sha256(agent.read_bytes()).hexdigest()[:12]
    settings = Settings(
        time_limit=most_moves,
        memory_limit_gb=machine.memory_gb,
        threads=machine.cores,
        seed=seed,
        workers=None,
        engine="local",
        version=pushworld.__version__,
        build=native_build(),
        machine=machine,
        clock="moves",
    )
    with ResultsFolder(folder, settings, {name: version}) as results:
        for task, plan in plans.items():
            results.keep_puzzle(task)
            solves, pushes = replayed(task.puzzle, plan or "") or (False, 0)
            run = Run(
                planner=name,
                planner_version=version,
                **task.key._asdict(),
                status="solved" if solves else "state-limit",
                plan=plan,
                length=len(plan) if plan else None,
                pushes=pushes if plan else None,
                processor=machine.processor,
                date=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            if run.key not in results.runs:
                results.append(run)
