"""Expert iteration: puzzles that the learned planner solves itself become puzzles to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pushworld.datasets.journal import append_rows, locked_folder, open_journal, write_text
from pushworld.learned.training.labels import raise_if_interrupted
from pushworld.learned.training.shards import Shard, puzzles_of
from pushworld.planners import shorten, solve
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
    shards: Sequence[Shard], folder: Path, settings: OwnPlans
) -> Iterator[tuple[str, bool]]:
    """Writes the puzzles of some shards that the planner solves, and a journal of their plans.

    The same call again continues after the last puzzle. Yields each puzzle's name, and whether it was
    solved. `load_solved_set` reads the folder.
    """
    names = sorted({shard.name for shard in shards})
    with locked_folder(folder):
        request = {"sets": names, **asdict(settings)}
        done = {row["name"] for row in open_journal(folder / JOURNAL, request, {"name": str})}
        for shard in shards:
            for puzzle, _ in puzzles_of(shard):
                name = canonical_hash(puzzle)
                if name in done:
                    continue
                plan = _own_plan(puzzle, settings)
                if plan:
                    write_text(folder / f"{name}.pwp", puzzle.to_pwp())
                append_rows(folder / JOURNAL, [{"name": name, "plan": plan}])
                done.add(name)
                yield name, bool(plan)


def _own_plan(puzzle: Puzzle, settings: OwnPlans) -> str | None:
    planner, most = f"learned:{settings.agent}", settings.max_states
    found = solve(puzzle, planner, time_limit=settings.time_limit, max_states=most)
    if not raise_if_interrupted(found).plan:
        return found.plan
    short = shorten(puzzle, found.plan or "", settings.time_limit, max_states=most)
    return raise_if_interrupted(short).plan
