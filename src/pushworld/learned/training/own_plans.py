"""Expert iteration: puzzles that the learned planner solves itself become puzzles to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from pushworld.datasets.journal import append_rows, locked_folder, open_journal, write_text
from pushworld.learned.training.shards import Shard, puzzles_of
from pushworld.planners import shorten, solve
from pushworld.process import run_jobs, worker_processes
from pushworld.puzzle import Puzzle
from pushworld.puzzle.canonical import canonical_hash

JOURNAL = "plans.jsonl"


@dataclass(frozen=True)
class OwnPlans:
    """How puzzles are solved.

    Attributes:
        agent: whose network the planner uses.
        time_limit: in seconds, of each search.
        max_states: the different states of each search, and of shortening its plan.
    """

    agent: str
    time_limit: float
    max_states: int


def solve_shards(
    shards: Sequence[Shard], folder: Path, settings: OwnPlans, workers: int = 1
) -> Iterator[tuple[str, bool]]:
    """Writes the puzzles of some shards that the planner solves, and a journal of their plans.

    The same call again goes on with the puzzles that are left. Yields each puzzle's name, and whether it was
    solved. `load_solved_set` reads the folder.
    """
    names = sorted({shard.name for shard in shards})
    held_out = {key: each for shard in shards for key, each in shard.held_out_digests.items()}
    with locked_folder(folder):
        request = {"sets": names, "held_out": held_out, **asdict(settings)}
        done = {row["name"] for row in open_journal(folder / JOURNAL, request, {"name": str})}
        jobs = _new_puzzles(shards, done)
        with worker_processes(workers, "solve") as processes:
            for name, puzzle, plan in run_jobs(processes, partial(_own_plan, settings), jobs):
                if plan:
                    write_text(folder / f"{name}.pwp", puzzle.to_pwp())
                append_rows(folder / JOURNAL, [{"name": name, "plan": plan}])
                yield name, bool(plan)


def _new_puzzles(shards: Sequence[Shard], done: set[str]) -> Iterator[tuple[str, Puzzle]]:
    """Yields the puzzles with goals that are not done, by the names that they get, and notes them."""
    for shard in shards:
        for puzzle in (each.puzzle for each in puzzles_of(shard) if each.puzzle.goal):
            name = canonical_hash(puzzle)
            if name not in done:
                done.add(name)
                yield name, puzzle


def _own_plan(settings: OwnPlans, job: tuple[str, Puzzle]) -> tuple[str, Puzzle, str | None]:
    name, puzzle = job
    planner, most = f"learned:{settings.agent}", settings.max_states
    plan = solve(puzzle, planner, time_limit=settings.time_limit, max_states=most).plan
    if plan:
        plan = shorten(puzzle, plan, settings.time_limit, max_states=most).plan
    return name, puzzle, plan
